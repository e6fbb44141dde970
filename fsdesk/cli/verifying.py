"""Checking a sealed bundle without a screen."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fsdesk.cli.inputs import dataset
from fsdesk.data import Dataset
from fsdesk.results.verify import Sealed, opened, verified
from fsdesk.store import SUFFIX, Project

__all__ = ["verify_bundle"]

_FAILED = 1


def verify_bundle(path: Path, data: Path | None, choices: Mapping[str, Any], read: Sequence[str] | None) -> int:
    """Print in one sentence what holds and what does not; return 0 where all does, 1 else.

    Raises
    ------
    UserError
        Where the file is no bundle, or the data are not those of the run.
    """
    sealed = opened(path)
    verdict = verified(sealed, None if data is None else _data(sealed, data, choices, read))
    print(f"{path.name}: {verdict.sentence}")
    return _FAILED if verdict.fails else 0


def _data(sealed: Sealed, path: Path, choices: Mapping[str, Any], read: Sequence[str] | None) -> Dataset:
    """The table as it was prepared for the run: its target, and no columns but its features."""
    if path.suffix == SUFFIX:
        project = Project.open(path, look=True)
        try:
            return project.dataset(sealed.spec.data_fingerprint)
        finally:
            project.close()
    return dataset(path, sealed.target, choices, read)
