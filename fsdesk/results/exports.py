"""The files that a person takes home: mask, list of features, result and report; the same run writes the same bytes."""

import csv
import io
import json
import math
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from fsdesk.data import Dataset
from fsdesk.engine import Control
from fsdesk.errors import ProjectError
from fsdesk.results.result import Finalist, Result
from fsdesk.store import Project

__all__ = ["EXPORTS", "export", "export_task"]


def _mask_csv(result: Result, dataset: Dataset) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(["feature", "selected", "weight", "frequency"])
    weights = result.mask.astype(float) if result.weights is None else result.weights
    for name, selected, weight, frequency in zip(
        result.all_features, result.mask, weights, result.frequency, strict=True
    ):
        writer.writerow([name, int(selected), repr(float(weight)), repr(float(frequency))])
    return buffer.getvalue()


def _selected_txt(result: Result, dataset: Dataset) -> str:
    return "".join(f"{name}\n" for name in result.features)


def _result_json(result: Result, dataset: Dataset) -> str:
    """Errors are losses, null where nothing could be measured; ``shown`` has them as people know them."""
    content = {
        "status": result.status,
        "reason": result.reason,
        "criterion": result.criterion.name,
        "search_error": _number(result.search_error),
        "search_error_std_error": result.std_error,
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


def _report_html(result: Result, dataset: Dataset) -> str:
    # Imported here: matplotlib and jinja2 are needed for this file only.
    from fsdesk.results.report import report

    return report(result, dataset)


EXPORTS: dict[str, Callable[[Result, Dataset], str]] = {
    "mask.csv": _mask_csv,
    "selected.txt": _selected_txt,
    "result.json": _result_json,
    "report.html": _report_html,
}


def export(result: Result, dataset: Dataset, folder: Path, names: Sequence[str] = tuple(EXPORTS)) -> list[Path]:
    """Write some of ``EXPORTS`` into a folder, which is made where needed; each file appears whole or not at all.

    Raises
    ------
    ProjectError
        Where the folder cannot be written.
    """
    written = []
    for name in names:
        path = folder / name
        text = EXPORTS[name](result, dataset)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f".{name}.part")
            with part.open("w", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except OSError as error:
            reason = error.strerror or str(error)
            raise ProjectError(f"{path} cannot be written ({reason}): choose another folder.") from error
        written.append(path)
    return written


def export_task(
    control: Control, project_path: str, run_id: int, folder: str, names: Sequence[str]
) -> Iterator[list[str]]:
    """Export a run of a project; yield the paths written."""
    project = Project.open(project_path)
    try:
        result = Result.of(project.state(run_id))
        dataset = project.dataset(result.spec.data_fingerprint)
    finally:
        project.close()
    yield [str(path) for path in export(result, dataset, Path(folder), names)]
