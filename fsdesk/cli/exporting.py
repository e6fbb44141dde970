"""Exporting a run of a project without a screen."""

from collections.abc import Sequence
from pathlib import Path

from fsdesk.errors import SettingsError
from fsdesk.results import Result, export
from fsdesk.results.exports import EXPORTS, chosen_exports
from fsdesk.results.signature import Signer
from fsdesk.store import Project

__all__ = ["export_run"]


def export_run(
    path: Path,
    run_id: int | None,
    what: Sequence[str],
    out: Path,
    size: int | None = None,
    sign_as: str | None = None,
) -> None:
    """Write files of a run into a folder, and say which; raise UserError where one cannot be written.

    Parameters
    ----------
    size
        Takes another subset of the run as its answer: the point of its curve with so many features.
    sign_as
        Signs bundles with the user's key and this name, which may be ""; None does not.
    """
    project = Project.open(path, look=True)
    try:
        stored = project.run(run_id)
        result = Result.stored(project, stored.id)
        dataset = project.dataset(stored.spec.data_fingerprint)
    finally:
        project.close()
    if size is not None:
        result = _of_size(result, size)
    names = chosen_exports(what, result)
    if sign_as is not None and not any(EXPORTS[name].sealed for name in names):
        bundles = " or ".join(each.name for each in EXPORTS.values() if each.sealed)
        raise SettingsError(f"Only bundles are signed: ask for one with --what {bundles}.")
    signer = None if sign_as is None else Signer.of_user(sign_as)
    written = export(result, dataset, out, names, signer)
    print(f"Written to {out}: {', '.join(path.name for path in written)}")
    if signer is not None:
        print(f"Signed with key {signer.fingerprint}.")


def _of_size(result: Result, size: int) -> Result:
    for point in result.finalists:
        if point.size == size:
            return result.with_finalist(point.mask)
    sizes = ", ".join(str(number) for number in sorted({point.size for point in result.finalists}))
    if not sizes:
        raise SettingsError(
            "This run measured no subset again, so it has no curve of error against size: leave out --size."
        )
    raise SettingsError(f"This run has no subset of {size} features that was measured again: give one of {sizes}.")
