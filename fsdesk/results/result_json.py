"""result.json: all numbers and settings of a result, for programs."""

import json
import math
from dataclasses import asdict

import numpy as np

from fsdesk.data import Dataset
from fsdesk.results.result import Finalist, Result

__all__ = ["result_json"]


def result_json(result: Result, dataset: Dataset) -> str:
    """Errors are losses, null where nothing could be measured; ``shown`` has them as people know them."""
    content = {
        "status": result.status,
        "reason": result.reason,
        "steering": [
            {name: value for name, value in asdict(each).items() if value or name == "number"}
            for each in result.steerings
        ],
        "criterion": result.criterion.name,
        "search_error": _number(result.search_error),
        "search_error_std_error": result.std_error,
        **_evidence(result),
        "all_features_error": _number(result.baseline_error),
        "all_features_error_std_error": result.baseline_std_error,
        "shown": _shown(result),
        "n_selected": len(result.features),
        "selected": result.features,
        "finalists": [_finalist(result, point) for point in result.finalists],
        "evaluations": result.evaluations,
        "iterations": result.iterations,
        "data": _data(dataset),
        "spec": result.spec.model_dump(),
    }
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _number(loss: float) -> float | None:
    return loss if math.isfinite(loss) else None


def _evidence(result: Result) -> dict[str, object]:
    """The fresh error and the honest one, where they were measured; the honest one of all outer folds."""
    fresh, honest = result.honesty.fresh, result.honesty.honest if result.honesty.complete else None
    measured = {"fresh_error": fresh, "honest_error": honest}
    content: dict[str, object] = {}
    for name, each in measured.items():
        if each is not None:
            content |= {name: _number(each.mean), f"{name}_std_error": each.std_error}
    return content


def _shown(result: Result) -> dict[str, object]:
    criterion = result.criterion
    return {
        "name": criterion.title,
        "direction": criterion.direction,
        "search": _number(criterion.shown(result.search_error)),
        "all_features": _number(criterion.shown(result.baseline_error)),
        "text": f"{criterion.title} {criterion.text(result.search_error)}",
    }


def _finalist(result: Result, point: Finalist) -> dict[str, object]:
    return {
        "n_selected": point.size,
        "error": _number(point.error),
        "std_error": point.std_error,
        "shown": _number(result.criterion.shown(point.error)),
        "answer": bool((point.mask == result.mask).all()),
        "selected": [result.all_features[place] for place in np.flatnonzero(point.mask)],
    }


def _data(dataset: Dataset) -> dict[str, object]:
    return {
        "name": dataset.name,
        "source": dataset.source,
        "rows": len(dataset.target),
        "features": len(dataset.features),
        "target": dataset.target_name,
        "task": "classification" if dataset.response is None else "regression",
        "classes": dict(zip(dataset.classes, _class_sizes(dataset), strict=True)),
        "sha256": dataset.fingerprint,
    }


def _class_sizes(dataset: Dataset) -> list[int]:
    return [int((dataset.target == code).sum()) for code in range(len(dataset.classes))]
