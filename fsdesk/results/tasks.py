"""Tasks for worker processes that need results."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fsdesk.data import Dataset, Shared
from fsdesk.engine import Control, RunSpec, pack_masks
from fsdesk.methods import Mask
from fsdesk.results.exports import export, refuse_unwritable
from fsdesk.results.honest import Fresh, OuterFold, OuterProgress, fresh_error, outer_steps
from fsdesk.results.result import Result
from fsdesk.store import Project

__all__ = ["Written", "export_task", "fresh_task", "outer_task"]


@dataclass(frozen=True)
class Written:
    """How far an export is: files written, of how many."""

    done: int
    total: int


def export_task(
    control: Control, project_path: str, run_id: int, folder: str, names: Sequence[str]
) -> Iterator[Written | list[str]]:
    """Export a run of a project; yield how far it is after every file, and last the paths written."""
    project = Project.open(project_path)
    try:
        result = Result.of(project.state(run_id))
        dataset = project.dataset(result.spec.data_fingerprint)
    finally:
        project.close()
    refuse_unwritable(result, names)
    paths: list[str] = []
    yield Written(0, len(names))
    for name in names:
        if control.should_stop():
            break
        paths += map(str, export(result, dataset, Path(folder), [name]))
        yield Written(len(paths), len(names))
    yield paths


def fresh_task(control: Control, spec: RunSpec, dataset: Shared[Dataset], mask: Mask) -> Iterator[Fresh]:
    """Measure a run's answer again on folds that its search has not seen."""
    yield Fresh(pack_masks([mask])[0], fresh_error(spec, dataset.open(), mask).values)


def outer_task(
    control: Control, spec: RunSpec, dataset: Shared[Dataset], folds: int, done: Sequence[int], threads: int
) -> Iterator[OuterProgress | OuterFold]:
    """Repeat a run inside outer folds, but for those that are done; yield how far it is, and every fold."""
    yield from outer_steps(spec, dataset.open(), folds, threads, done, control)
