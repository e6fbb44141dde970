"""result.json: all numbers and settings of a result, for programs."""

import json
import math
from dataclasses import asdict

import numpy as np

from fsdesk.data import Dataset
from fsdesk.messages import ENGLISH, in_language
from fsdesk.results.lead import lead
from fsdesk.results.result import Finalist, Result
from fsdesk.results.roles import consensus_of, selections_of

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
        **_honest(result),
        "search_error": _number(result.search_error),
        **_fresh(result),
        **_permuted(result),
        **_stable(result),
        **_external(result),
        "all_features_error": _number(result.baseline_error),
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


def _honest(result: Result) -> dict[str, object]:
    """On rows that no search saw, of all outer folds; null where nothing was validated or no rows are known.

    Intervals are of 95 % and count rows; a difference is positive where the answer is the better.
    """
    honest = result.honest
    if honest is None:
        names = ("error", "interval", "difference", "difference_interval", "verdict", "rows", "source")
        unknown: dict[str, object] = {f"honest_{name}": None for name in names}
        return {**unknown, "all_features_honest_error": None, **dict.fromkeys(_CHANCE)}
    chance = (
        _some(honest.chance),
        _some(honest.chance_difference),
        _interval(honest.chance_difference_low, honest.chance_difference_high),
    )
    return {
        "honest_error": _some(honest.value),
        "honest_interval": _interval(honest.low, honest.high),
        "honest_difference": _some(honest.difference),
        "honest_difference_interval": _interval(honest.difference_low, honest.difference_high),
        "honest_verdict": honest.verdict,
        "honest_rows": honest.rows,
        "honest_source": honest.source,
        "all_features_honest_error": _some(honest.all_features),
        **dict(zip(_CHANCE, chance, strict=True)),
    }


_CHANCE = ("chance_error", "chance_difference", "chance_difference_interval")


def _some(loss: float | None) -> float | None:
    return None if loss is None else _number(loss)


def _interval(low: float | None, high: float | None) -> list[float] | None:
    return None if low is None or high is None else [low, high]


def _fresh(result: Result) -> dict[str, object]:
    """The error on fresh folds of the rows that chose the features, where it was measured."""
    fresh = result.honesty.fresh
    return {} if fresh is None else {"fresh_error": _number(fresh.mean)}


def _stable(result: Result) -> dict[str, object]:
    """Nogueira's index of the subsets selected on other rows, with its 95 % interval, and what half of them hold."""
    selections = selections_of(result)
    stable = None if selections is None else selections.stability
    if selections is None or stable is None:
        return {"stability": None, "stability_interval": None, "stability_source": None, "consensus": None}
    return {
        "stability": stable.index,
        "stability_interval": [stable.low, stable.high],
        "stability_source": selections.source,
        "consensus": consensus_of(selections, result.all_features).features,
    }


def _permuted(result: Result) -> dict[str, object]:
    """Of the same run on shuffled targets, where there was any; its errors are of the kind that ``source`` says."""
    test = result.permutations
    if test is None:
        return {"permutation_p": None, "permutation_errors": None, "permutation_source": None}
    return {"permutation_p": test.p, "permutation_errors": list(test.errors), "permutation_source": test.source}


def _external(result: Result) -> dict[str, object]:
    """Of the tests of the answer on other tables, where there were any."""
    found = [
        {
            "table": each.name,
            "rows": each.error.rows,
            "error": _number(each.error.value),
            "interval": _interval(each.error.low, each.error.high),
            "all_features_error": _some(each.error.all_features),
            "verdict": each.error.verdict,
        }
        for each in result.external
    ]
    return {"external_validations": found} if found else {}


def _shown(result: Result) -> dict[str, object]:
    criterion, honest = result.criterion, result.honest
    return {
        "name": criterion.title,
        "direction": criterion.direction,
        "honest": None if honest is None else _number(criterion.shown(honest.value)),
        "search": _number(criterion.shown(result.search_error)),
        "all_features": _number(criterion.shown(result.baseline_error)),
        "text": _lead(result),
    }


def _lead(result: Result) -> str:
    with in_language(ENGLISH):
        return lead(result)


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
