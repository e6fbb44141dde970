"""Tasks for worker processes that need results."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from fsdesk.data import Dataset, Shared, Table
from fsdesk.data.annotations import Annotations, DescriptionTable, joined, read_descriptions
from fsdesk.engine import Best, Control, RunSpec, RunState, pack_masks
from fsdesk.messages import in_language, language_named
from fsdesk.methods import Mask
from fsdesk.results.comparison import Comparison
from fsdesk.results.comparison_table import written_table
from fsdesk.results.diagnosis import Diagnosis, diagnosed
from fsdesk.results.effects import Effect, effects_of
from fsdesk.results.exports import export, refuse_unwritable
from fsdesk.results.external import ExternalValidation, validate
from fsdesk.results.honest import (
    Fresh,
    HeldOutPart,
    OwnError,
    fresh_error,
    held_out_parts,
    own_error,
)
from fsdesk.results.peers import Peers, equally_good
from fsdesk.results.predict import Predictions, predict
from fsdesk.results.result import Result
from fsdesk.results.singles import Singles, scored_alone
from fsdesk.results.size_curve import SizeCurve, size_curve_csv
from fsdesk.results.traces import Axis, Trace, traces_csv
from fsdesk.store import Project

__all__ = [
    "Joined",
    "Written",
    "comparison_task",
    "describe_task",
    "effects_task",
    "examine_task",
    "export_task",
    "fresh_task",
    "own_error_task",
    "predict_task",
    "size_curve_task",
    "traces_task",
    "validate_task",
]


_MOST_EXPLAINED = 300  # features; who selects more reads them in features.csv


@dataclass(frozen=True)
class Written:
    """How far an export is: files written, of how many."""

    done: int
    total: int


def export_task(
    control: Control,
    project_path: str,
    run_id: int,
    folder: str,
    names: Sequence[str],
    mask: Mask | None = None,
    language: str = "en",
    sign_as: str | None = None,
    keys: str = "",
) -> Iterator[Written | list[str]]:
    """Export a run of a project; yield how far it is after every file, and last the paths written.

    Parameters
    ----------
    mask
        The finalist that is exported instead of the answer; None: the answer.
    language
        Of reports and figures.
    sign_as
        Signs bundles with the key in the folder ``keys`` and this name, which may be ""; None does not.
    """
    from fsdesk.results.signature import Signer, key_file

    signer = None if sign_as is None else Signer.of_user(sign_as, key_file(Path(keys)))
    result, dataset = _stored(project_path, run_id)
    result = result if mask is None else result.with_finalist(mask)
    refuse_unwritable(result, names)
    paths: list[str] = []
    yield Written(0, len(names))
    for name in names:
        if control.should_stop():
            break
        with in_language(language_named(language)):
            paths += map(str, export(result, dataset, Path(folder), [name], signer))
        yield Written(len(paths), len(names))
    yield paths


def _stored(project_path: str, run_id: int) -> tuple[Result, Dataset]:
    """A run of a project with its data."""
    project = Project.open(project_path, look=True)
    try:
        result = Result.stored(project, run_id)
        return result, project.dataset(result.spec.data_fingerprint)
    finally:
        project.close()


def predict_task(control: Control, project_path: str, run_id: int, table: Shared[Table]) -> Iterator[Predictions]:
    """Predict the rows of another table by the answer of a run."""
    result, dataset = _stored(project_path, run_id)
    yield predict(result, dataset, table.open())


def validate_task(
    control: Control,
    project_path: str,
    run_id: int,
    table: Shared[Table],
    target: str | None = None,
    group: str | None = None,
) -> Iterator[ExternalValidation]:
    """Test the answer of a run on another table; see :func:`fsdesk.results.external.validate`."""
    result, dataset = _stored(project_path, run_id)
    yield validate(result, dataset, table.open(), target=target, group=group)


def effects_task(control: Control, project_path: str, run_id: int, mask: Mask) -> Iterator[tuple[Effect, ...]]:
    """What each feature of a subset of a run does."""
    result, dataset = _stored(project_path, run_id)
    with threadpool_limits(limits=1):
        places = np.flatnonzero(mask)[:_MOST_EXPLAINED].tolist()
        yield tuple(effects_of(replace(result, mask=mask), dataset, places))


def fresh_task(control: Control, spec: RunSpec, dataset: Shared[Dataset], mask: Mask) -> Iterator[Fresh]:
    """Measure a run's answer again on folds that its search has not seen."""
    yield Fresh(pack_masks([mask])[0], fresh_error(spec, dataset.open(), mask).values)


def own_error_task(
    control: Control, project_path: str, run_id: int, spec: RunSpec, dataset: Shared[Dataset]
) -> Iterator[OwnError]:
    """The honest error that a finished run brings along, from what its log says of rows held out."""
    project = Project.open(project_path, look=True)
    try:
        state = RunState(history=None)
        for event in project.events(run_id):
            state.apply(event)
    finally:
        project.close()
    if state.best is not None:
        with threadpool_limits(limits=1):
            own = own_error(spec, dataset.open(), state.race, state.best.mask)
        if own is not None:
            yield own


def examine_task(
    control: Control, project_path: str, run_id: int, spec: RunSpec, dataset: Shared[Dataset], best: Best, mask: Mask
) -> Iterator[Peers | Diagnosis | Singles]:
    """Find out what a subset of a run is worth; yield what is known as it comes, quick things first.

    Parameters
    ----------
    best
        The answer of the run, to which other subsets are compared.
    mask
        The subset.
    """
    project, is_answer = Project.open(project_path, look=True), np.array_equal(mask, best.mask)
    try:
        yield equally_good(project.events(run_id), best)
        result = Result.stored(project, run_id) if is_answer else None
    finally:
        project.close()
    opened = dataset.open()
    with threadpool_limits(limits=1):  # as in a run: the same sums, to the last bit
        parts = () if result is None else held_out_parts(spec, opened, result.honesty, result.race)
        for step in _examined(spec, opened, mask, parts):
            yield step
            if control.should_stop():
                return


def _examined(
    spec: RunSpec, dataset: Dataset, mask: Mask, parts: Sequence[HeldOutPart]
) -> Iterator[Diagnosis | Singles]:
    yield from diagnosed(spec, dataset, mask, parts=parts)
    yield from scored_alone(spec, dataset, np.flatnonzero(mask))


@dataclass(frozen=True)
class Joined:
    """Descriptions joined to features, the table that they came from, and how many features each column finds."""

    annotations: Annotations
    table: DescriptionTable
    found: dict[str, int]


def describe_task(control: Control, path: str, features: Sequence[str]) -> Iterator[Joined]:
    """Read a table of descriptions and join it to features."""
    table = read_descriptions(Path(path))
    annotations, found = joined(table, features)
    yield Joined(annotations, table, found)


def traces_task(
    control: Control, traces: Sequence[Trace], axis: Axis, window: int, path: str, language: str = "en"
) -> Iterator[str]:
    """Write the curves of runs as a picture or a table, as the name of the file says; yield its path."""
    place = Path(path)
    if place.suffix.lower() == ".csv":
        place.write_text(traces_csv(traces, window), encoding="utf-8")
    else:
        from fsdesk.results.trace_figure import save_traces

        with in_language(language_named(language)):
            save_traces(traces, axis, window, place)
    yield path


def size_curve_task(control: Control, curve: SizeCurve, path: str, language: str = "en") -> Iterator[str]:
    """Write the curve by size as a picture or a table, as the name of the file says; yield its path."""
    place = Path(path)
    if place.suffix.lower() == ".csv":
        place.write_text(size_curve_csv(curve), encoding="utf-8")
    else:
        from fsdesk.results.figures import save_size_curve

        with in_language(language_named(language)):
            save_size_curve(curve, place)
    yield path


def comparison_task(control: Control, comparison: Comparison, suffix: str, path: str) -> Iterator[str]:
    """Write a comparison as a table in the format of a suffix; yield its path."""
    Path(path).write_bytes(written_table(comparison, suffix))
    yield path
