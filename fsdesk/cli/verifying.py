"""Checking a sealed bundle without a screen."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fsdesk.cli.inputs import dataset
from fsdesk.data import Dataset
from fsdesk.errors import ProjectError
from fsdesk.results.signature import Signature
from fsdesk.results.verify import SECONDS, Sealed, Verdict, opened, verified
from fsdesk.store import SUFFIX, Project

__all__ = ["verify_bundle"]

_FAILED = 1


def verify_bundle(
    path: Path,
    data: Path | None,
    choices: Mapping[str, Any],
    read: Sequence[str] | None,
    *,
    everything: bool = False,
    signer: str = "",
) -> int:
    """Print in one sentence what holds and what does not; return 0 where all does, 1 else.

    Parameters
    ----------
    everything
        Measure every loss again, and repeat the searches of all outer folds, as long as that may take.
    signer
        Fingerprint of the key that it must be signed with; "" where anybody may have signed it, or nobody.

    Raises
    ------
    UserError
        Where the file is no bundle, or the data are not those of the run.
    """
    sealed = opened(path)
    verdict = _signed_by(sealed, signer) if signer else Verdict()
    if not verdict.fails:
        known = None if data is None else _data(sealed, data, choices, read)
        verdict = verified(sealed, known, None if everything else SECONDS)
    print(f"{path.name}: {verdict.sentence}")
    return _FAILED if verdict.fails else 0


def _signed_by(sealed: Sealed, signer: str) -> Verdict:
    """Whether the signature is that of a certain key."""
    if not signer.startswith("SHA256:"):
        raise ProjectError(f'"{signer}" is no fingerprint of a key: it begins with "SHA256:".')
    found = None if sealed.signature is None else Signature.read(sealed.signature, sealed.manifest)
    if found is None:
        return Verdict(fails=(f"it is not signed, so not with key {signer}",))
    if found.fingerprint != signer:
        return Verdict(fails=(f"it is not signed with key {signer}, but with {found.fingerprint}",))
    return Verdict()


def _data(sealed: Sealed, path: Path, choices: Mapping[str, Any], read: Sequence[str] | None) -> Dataset:
    """The table as it was prepared for the run: its target, and no columns but its features."""
    if path.suffix == SUFFIX:
        project = Project.open(path, look=True)
        try:
            return project.dataset(sealed.spec.data_fingerprint)
        finally:
            project.close()
    return dataset(path, sealed.target, choices, read)
