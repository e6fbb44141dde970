"""Exporting a run of a project without a screen."""

from collections.abc import Sequence
from pathlib import Path

from fsdesk.results import Result, export
from fsdesk.results.exports import chosen_exports
from fsdesk.store import Project

__all__ = ["export_run"]


def export_run(path: Path, run_id: int | None, what: Sequence[str], out: Path) -> None:
    """Write files of a run into a folder, and say which; raise UserError where one cannot be written."""
    project = Project.open(path, look=True)
    try:
        stored = project.run(run_id)
        result = Result.stored(project, stored.id)
        dataset = project.dataset(stored.spec.data_fingerprint)
    finally:
        project.close()
    written = export(result, dataset, out, chosen_exports(what, result))
    print(f"Written to {out}: {', '.join(path.name for path in written)}")
