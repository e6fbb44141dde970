"""Checking a sealed bundle: its hashes, that the log follows from its seed, and some of the losses."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from fsdesk.data import Dataset
from fsdesk.engine import BaselineMeasured, BatchMeasured, Event, Flag, RunFinished, RunSpec, RunState, run
from fsdesk.engine.events import unpack_masks
from fsdesk.engine.tasks import evaluator_of
from fsdesk.errors import DataError, ProjectError, UserError
from fsdesk.measure import Evaluator, Measurement
from fsdesk.methods import Mask
from fsdesk.results.bundle import FORMAT, MANIFEST, fold_digest
from fsdesk.results.sealed_log import read_log

__all__ = ["Sealed", "Verdict", "opened", "verified"]

_SAMPLE = 12
_VECTORS = ("response", "groups", "fold_of", "time")
_LARGEST = 8 << 30


@dataclass(frozen=True)
class Verdict:
    """What holds and what does not; each a few words of a sentence."""

    holds: tuple[str, ...] = ()
    fails: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """One sentence."""
        parts = []
        if self.fails:
            parts.append(f"does not hold: {'; '.join(self.fails)}")
        if self.holds:
            parts.append(f"{'though ' if self.fails else ''}holds: {'; '.join(self.holds)}")
        if self.unchecked:
            parts.append(f"not checked: {'; '.join(self.unchecked)}")
        return ". ".join(part[:1].upper() + part[1:] for part in parts) + "."


@dataclass(frozen=True, eq=False)
class Sealed:
    """An opened bundle: its parts by name, and what its manifest and its hashes say."""

    parts: Mapping[str, bytes]
    manifest: Mapping[str, str]

    @property
    def spec(self) -> RunSpec:
        """What determined the run."""
        return RunSpec.model_validate(json.loads(self.parts["run.json"])["spec"])

    @property
    def target(self) -> str:
        """Name of what was predicted."""
        return str(json.loads(self.parts["run.json"])["data"]["target"])

    @property
    def features(self) -> tuple[str, ...]:
        """Names of all features."""
        return tuple(json.loads(self.parts["run.json"])["data"]["features"])


def opened(path: Path) -> Sealed:
    """Open a bundle; raise ProjectError where the file is none."""
    try:
        with zipfile.ZipFile(path) as file:
            if sum(entry.file_size for entry in file.infolist()) > _LARGEST:
                raise ProjectError(f'"{path}" says that it holds more than 8 GB: it is no bundle of fsdesk.')
            parts = {name: file.read(name) for name in file.namelist()}
        manifest = json.loads(parts.pop(MANIFEST))
        listed = {str(name): str(digest) for name, digest in manifest["sha256"].items()}
    except FileNotFoundError as error:
        raise ProjectError(f'There is no file "{path}": check the name and the folder.') from error
    except (OSError, zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError, NotImplementedError) as error:
        raise ProjectError(f'"{path}" is no sealed bundle of fsdesk, or is cut short: get it again.') from error
    if manifest.get("format", 0) > FORMAT:
        raise ProjectError(f'"{path}" was made by a newer fsdesk: update fsdesk to check it.')
    return Sealed(parts, listed)


def verified(sealed: Sealed, dataset: Dataset | None = None) -> Verdict:
    """Check all that can be checked.

    Parameters
    ----------
    dataset
        The data, where somebody has them; those in the bundle otherwise.

    Raises
    ------
    DataError
        Where the data are not those of the run.
    """
    hashes = _hashes(sealed)
    if hashes.fails:
        return hashes  # what was changed proves nothing
    spec, log = sealed.spec, read_log(sealed.parts["log.jsonl"].decode())
    dataset = dataset or _dataset(sealed)
    if dataset is not None and dataset.fingerprint != spec.data_fingerprint:
        raise DataError(
            f"{dataset.name} is not the table that this run was made on: its values, columns or target differ "
            f"(SHA-256 {dataset.fingerprint[:12]}…, wanted {spec.data_fingerprint[:12]}…)."
        )
    checks = [hashes, _replays(spec, log, dataset, sealed), _measures(spec, log, dataset, sealed)]
    return Verdict(
        tuple(words for check in checks for words in check.holds),
        tuple(words for check in checks for words in check.fails),
        tuple(words for check in checks for words in check.unchecked),
    )


def _hashes(sealed: Sealed) -> Verdict:
    found = {name: hashlib.sha256(content).hexdigest() for name, content in sealed.parts.items()}
    changed = sorted(name for name, digest in sealed.manifest.items() if name in found and found[name] != digest)
    absent, more = sorted(sealed.manifest.keys() - found.keys()), sorted(found.keys() - sealed.manifest.keys())
    fails = [
        f"{words}: {', '.join(names)}"
        for words, names in (("changed since it was sealed", changed), ("missing", absent), ("added later", more))
        if names
    ]
    return Verdict(fails=tuple(fails)) if fails else Verdict((f"all {len(found)} files are as they were sealed",))


class _NoMeasuring:
    """An executor that says when more is asked than the log holds."""

    def measure(
        self, masks: Sequence[Mask], number: int, folds: int | None = None, going: Callable[[], bool] | None = None
    ) -> list[Measurement]:
        raise ProjectError(f"the log ends before measurement {number}, for which the search asks")


def _replays(spec: RunSpec, log: Sequence[Event], dataset: Dataset | None, sealed: Sealed) -> Verdict:
    """Whether the method asks, from its seed, for the very subsets of the log, and ends with the same answer."""
    if dataset is None:
        if spec.prefilter.prefilter != "none":
            return Verdict(unchecked=("the search, for it began with a filter, which needs the data",))
        dataset = _without_values(sealed)
        spec = spec.model_copy(update={"data_fingerprint": dataset.fingerprint})
    ends = [event for event in log if isinstance(event, RunFinished)]
    batches = [event for event in log if isinstance(event, BatchMeasured)]
    number = sum(len(event.masks) for event in batches)
    finished = bool(ends) and not ends[-1].stopped
    control = Flag()
    control.stop = not finished
    told = [event for event in log if not isinstance(event, RunFinished)]
    try:
        new = list(run(spec, dataset, _NoMeasuring(), told, control))
    except UserError as error:
        return Verdict(fails=(f"the recorded subsets do not follow from seed {spec.seed} ({error})",))
    if finished and not _same_end(new[-1], ends[-1]):
        return Verdict(fails=("the search ends with another answer than the log says",))
    if not _same_answer(log, sealed):
        return Verdict(fails=("the mask is not the answer of the log",))
    return Verdict((f"all {number:,} recorded subsets follow from seed {spec.seed}, and so does the answer",))


def _same_end(new: Event, old: RunFinished) -> bool:
    if not isinstance(new, RunFinished) or (new.mask is None) != (old.mask is None):
        return False
    same = new.mask is None or old.mask is None or np.array_equal(new.mask, old.mask)
    return same and new.mean == old.mean and new.std_error == old.std_error


def _same_answer(log: Sequence[Event], sealed: Sealed) -> bool:
    state = RunState()
    for event in log:
        state.apply(event)
    mask = np.load(io.BytesIO(sealed.parts["mask.npy"]), allow_pickle=False)
    said = json.loads(sealed.parts["run.json"])["answer"]
    known = [] if state.best is None else [(state.best.mask, state.best.mean)]
    known += [(finalist, loss) for finalist, loss, _ in state.confirmed.curve()]  # one may have been picked by hand
    return any(np.array_equal(mask, each) and loss == said["search_error"] for each, loss in known)


def _without_values(sealed: Sealed) -> Dataset:
    """A data set of the same features: a method sees no values."""
    held = json.loads(sealed.parts["run.json"])["data"]
    features, classes = tuple(held["features"]), tuple(held["classes"])
    rows = max(2, len(classes))
    codes = (np.arange(rows) % max(1, len(classes))).astype(np.int64)
    response = None if classes else np.zeros(rows)
    names = tuple(map(str, range(rows)))
    x = np.zeros((rows, len(features)), order="F")
    return Dataset(held["name"], x, features, codes, held["target"], classes, names, response=response)


def _measures(spec: RunSpec, log: Sequence[Event], dataset: Dataset | None, sealed: Sealed) -> Verdict:
    """Whether losses and folds are the same when they are made again."""
    if dataset is None:
        return Verdict(unchecked=("the losses, which need the data: give them with --data",))
    evaluator = evaluator_of(spec, dataset)
    folds = json.loads(sealed.parts["folds.json"]).get("sha256_of_labels", {})
    others = [number for number, digest in folds.items() if fold_digest(evaluator.fold_labels(int(number))) != digest]
    if others:
        return Verdict(fails=(f"the folds of measurement {others[0]} come out otherwise with numpy {np.__version__}",))
    asked = _sampled(log, len(dataset.features))
    with threadpool_limits(limits=1):  # as in a run: the same sums, to the last bit
        wrong = [number for number, mask, folds_of, values in asked if not _equal(evaluator, mask, folds_of, values)]
    if wrong:
        listed = ", ".join(map(str, wrong))
        return Verdict(fails=(f"{len(wrong)} of {len(asked)} losses differ when measured again: {listed}",))
    return Verdict((f"{len(asked)} of {len(asked)} losses are the same to the last bit when measured again",))


def _sampled(log: Sequence[Event], features: int) -> list[tuple[int, Mask, int, np.ndarray[Any, Any]]]:
    """(number, mask, measurement whose folds it was on, values) of the baseline and of some others, evenly spread."""
    found: list[tuple[int, Mask, int, np.ndarray[Any, Any]]] = []
    everything: list[tuple[BatchMeasured, int]] = []
    for event in log:
        if isinstance(event, BaselineMeasured):
            found.append((0, np.ones(features, dtype=np.bool_), 0, event.values))
        elif isinstance(event, BatchMeasured):
            everything += [(event, at) for at in range(len(event.masks))]
    for place in np.unique(np.linspace(0, len(everything) - 1, _SAMPLE).astype(int)) if everything else ():
        event, at = everything[place]
        number = event.number + at
        mask = unpack_masks(event.masks[at][None], features)[0]
        found.append((number, mask, number if event.folds < 0 else event.folds, event.values[at]))
    return found


def _equal(evaluator: Evaluator, mask: Mask, folds: int, values: np.ndarray[Any, Any]) -> bool:
    return np.array_equal(evaluator.measure(mask, folds).values, Measurement.of(values).values)


def _dataset(sealed: Sealed) -> Dataset | None:
    """The data of the bundle, None where they are not in it."""
    if "data/x.npy" not in sealed.parts:
        return None
    meta = json.loads(sealed.parts["data/meta.json"])
    x, target = (np.load(io.BytesIO(sealed.parts[f"data/{name}.npy"]), allow_pickle=False) for name in ("x", "target"))
    made = Dataset(
        name=meta["name"],
        x=np.asfortranarray(x, dtype=np.float64),
        features=tuple(meta["features"]),
        target=target.astype(np.int64),
        target_name=meta["target_name"],
        classes=tuple(meta["classes"]),
        rows=tuple(meta["rows"]),
        categories={int(column): tuple(names) for column, names in meta["categories"].items()},
        source=meta["source"],
    )
    vectors: dict[str, Any] = {name: None if meta[name] is None else np.array(meta[name]) for name in _VECTORS}
    return replace(made, **vectors)
