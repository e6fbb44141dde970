"""Tasks for worker processes that need results."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fsdesk.engine import Control
from fsdesk.results.exports import export, refuse_unwritable
from fsdesk.results.result import Result
from fsdesk.store import Project

__all__ = ["Written", "export_task"]


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
