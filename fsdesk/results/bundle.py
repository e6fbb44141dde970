"""The sealed bundle: one file with everything a reader needs to check a selection, each part with its SHA-256.

Three parts are the source of a bundle: the log; ``run.json``, which contains everything that is in neither log nor data
(names, notes, measurements after the search); and the data, if included. Every other part is derived from these byte
for byte; :mod:`fsdesk.results.verify` derives it again and compares. A bundle may be signed: Ed25519 (RFC 8032) over
its manifest, with a key in the user's own folder.
"""

import base64
import hashlib
import io
import json
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import Any

import numpy as np

from fsdesk.data import ROLES, Check, Dataset
from fsdesk.data.annotations import Annotations
from fsdesk.engine import (
    BaselineMeasured,
    BatchMeasured,
    Event,
    RunFailed,
    RunSpec,
    RunStarted,
    RunState,
    Steered,
    SubsetsJudged,
)
from fsdesk.engine.events import event_of, unpack_masks
from fsdesk.engine.tasks import evaluator_of
from fsdesk.errors import ProjectError, SettingsError
from fsdesk.measure import Measurement
from fsdesk.messages import ENGLISH, in_language
from fsdesk.results.evidence import Evidence, kept_evidence
from fsdesk.results.exports import EXPORTS, npy
from fsdesk.results.record import RunRecord, keep_made
from fsdesk.results.sealing import json_bytes, zipped
from fsdesk.results.sheets import csv_text

_DTYPES = ("<f8", "|u1", "|b1", "<i8")
_LIBRARIES = ("fsdesk", "numpy", "scipy", "scikit-learn", "pandas", "pydantic", "matplotlib", "typst")
_DIGESTS = 8
_VECTORS = ("response", *ROLES)
_EXPORTED = (
    "selected.txt", "mask.npy", "mask.csv", "mask.json", "result.json", "settings.toml", "methods.txt",
    "report.html",
)  # fmt: skip


def settled(events: Sequence[Event]) -> list[Event]:
    """The sealed form of a log: only what can be checked.

    It omits measuring times, unless a time limit makes the end depend on them, and failures that were recovered from;
    the spec includes every setting that exists in this version.
    """
    kept = [event for place, event in enumerate(events) if not isinstance(event, RunFailed) or place == len(events) - 1]
    timed = times_count(events)
    return [_settled(event, timed) for event in kept]


def times_count(events: Iterable[Event]) -> bool:
    """Whether measuring times determine when a search ends."""
    return any(
        _spec(event).build_method().max_minutes > 0 if isinstance(event, RunStarted) else event.minutes > 0
        for event in events
        if isinstance(event, RunStarted | Steered)
    )


def _settled(event: Event, timed: bool) -> Event:
    if isinstance(event, RunStarted):
        return replace(event, spec=_spec(event).model_dump())
    if isinstance(event, BaselineMeasured | BatchMeasured | SubsetsJudged) and not timed:
        return replace(event, seconds=0.0)
    return event


def _spec(event: RunStarted) -> RunSpec:
    return RunSpec.model_validate(event.spec)


def log_lines(events: Iterable[Event]) -> str:
    """One line for each event: its kind and its fields; arrays with their type, shape and bytes in base64."""
    records = (
        {"kind": event.kind, **{each.name: array_out(getattr(event, each.name)) for each in fields(event)}}
        for event in events
    )
    return "".join(json.dumps(record) + "\n" for record in records)


def array_out(value: Any, *, plain: bool = False) -> Any:
    """An array with type, shape and bytes in base64, or ``plain`` with type and values; anything else as it is."""
    if not isinstance(value, np.ndarray):
        return value
    little = np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("<"))
    if plain:
        return {"dtype": little.dtype.str, "values": little.tolist()}
    return {
        "dtype": little.dtype.str,
        "shape": list(little.shape),
        "base64": base64.b64encode(little.tobytes()).decode("ascii"),
    }


def read_log(text: str) -> list[Event]:
    """Undo :func:`log_lines`; raise ProjectError if a line is not an event."""
    events: list[Event] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            values = json.loads(line)
            kind = values.pop("kind")
            events.append(event_of(kind, {name: array_in(value) for name, value in values.items()}))
        except (ValueError, KeyError, TypeError) as error:
            raise ProjectError(
                "Line {number} of this bundle's log is not an event; the log is damaged.", number=number
            ) from error
    return events


def array_in(value: Any) -> Any:
    """Undo :func:`array_out`; raise ValueError if it is an array of another type."""
    if not isinstance(value, dict) or set(value) not in ({"dtype", "shape", "base64"}, {"dtype", "values"}):
        return value
    if value["dtype"] not in _DTYPES:
        raise ValueError(value["dtype"])
    if "values" in value:
        return np.array(value["values"], dtype=value["dtype"])
    return np.frombuffer(base64.b64decode(value["base64"]), value["dtype"]).reshape(value["shape"]).copy()


def bundle(result: RunRecord, dataset: Dataset) -> bytes:
    """Seal a result without its data, with only their fingerprint.

    Bundles are always in English, so that the same run gives the same bundle in every language.

    Raises
    ------
    SettingsError
        If the result has no log.
    ProjectError
        If the selected subset is not in the log.
    """
    return zipped(_parts(result, dataset))


def bundle_with_data(result: RunRecord, dataset: Dataset) -> bytes:
    """Seal a result together with its data."""
    return zipped({**_parts(result, dataset), **data_parts(dataset)})


@keep_made
def _parts(result: RunRecord, dataset: Dataset) -> dict[str, bytes]:
    if not result.log:
        raise SettingsError("A sealed bundle needs the run's log. Export it from the project that contains the run.")
    origin = Origin(made_with(), row_digest(dataset))
    # From the content of the bundle only, because its verifier will have nothing else.
    sealed = result_of(settled(result.log), result.annotations, result.evidence, result.features)
    return {name: part_of(name, sealed, dataset, origin) for name in PARTS}


def result_of(
    log: Sequence[Event], annotations: Annotations, evidence: Sequence[Evidence], selected: Sequence[str]
) -> RunRecord:
    """Build the result from a log; ``selected`` is its result, or a finalist picked by hand.

    Raises
    ------
    ProjectError
        If the log has no result, or ``selected`` is not in it.
    """
    made = replace(RunRecord.of(RunState.of(log), annotations), log=tuple(log), evidence=tuple(evidence))
    if tuple(selected) == made.features:
        return made
    chosen = set(selected)
    return made.with_finalist(np.array([name in chosen for name in made.all_features]))


@dataclass(frozen=True)
class Origin:
    """The environment in which a bundle was sealed.

    Attributes
    ----------
    versions
        Versions of libraries and Python, and the system.
    row_ids
        SHA-256 of the row names, which are not part of the data fingerprint.
    """

    versions: Mapping[str, str]
    row_ids: str


def made_with() -> dict[str, str]:
    """Versions of the installed libraries and of the system."""
    return {
        **{name: library_version(name) for name in _LIBRARIES},
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def row_digest(dataset: Dataset) -> str:
    """SHA-256 of the row names."""
    return hashlib.sha256(json.dumps(dataset.rows).encode()).hexdigest()


def part_of(name: str, result: RunRecord, dataset: Dataset, origin: Origin) -> bytes:
    """Write one of ``PARTS``, in English."""
    with in_language(ENGLISH):
        return _WRITERS[name](result, dataset, origin)


_Writer = Callable[[RunRecord, Dataset, Origin], bytes]


def _exported(name: str) -> _Writer:
    return lambda result, dataset, origin: EXPORTS[name].content(result, dataset)


def _run(result: RunRecord, dataset: Dataset, origin: Origin) -> dict[str, Any]:
    """Content of ``run.json``: what is in neither log nor data, and a summary for the reader."""
    roles = {name: getattr(dataset, name) for name in ROLES}
    gaps = np.isnan(dataset.x).any(axis=0)
    return {
        "spec": result.spec.model_dump(),
        "seed": result.spec.seed,
        "data": {
            "name": dataset.name,
            "source": dataset.source,
            "checks": [asdict(check) for check in dataset.checks],
            **({"ways": dict(dataset.ways)} if dataset.ways else {}),
            **({"role_names": dict(dataset.role_names)} if dataset.role_names else {}),
            "sha256": dataset.fingerprint,
            "row_ids_sha256": origin.row_ids,
            "rows": len(dataset.target),
            "target": dataset.target_name,
            **({"event": dataset.event} if dataset.event else {}),
            **({"entry": dataset.entry} if dataset.entry else {}),
            **({"late": True} if dataset.is_late else {}),
            "classes": dataset.classes,
            "class_sizes": dataset.class_sizes,
            "roles": {name: len(np.unique(codes)) for name, codes in roles.items() if codes is not None},
            "features": dataset.features,
            **({"gaps": np.flatnonzero(gaps).tolist()} if gaps.any() else {}),
            **({"nominal": sorted(dataset.categories)} if dataset.categories else {}),
        },
        "answer": {
            "selected": result.features,
            "search_error": float(result.search_error),
            "std_error": float(result.std_error),
        },
        "evidence": [_plain(each) for each in result.evidence],
        "annotations": result.annotations.packed(),
        "versions_of_the_run": result.spec.versions,
        "versions_of_this_bundle": dict(origin.versions),
    }


def _plain(evidence: Evidence) -> dict[str, Any]:
    kind, values = evidence.packed()
    return {"kind": kind, **{name: array_out(value, plain=True) for name, value in values.items()}}


def evidence_in(records: Sequence[Mapping[str, Any]]) -> list[Evidence]:
    """Undo the conversion of evidence for ``run.json``."""
    held = [dict(record) for record in records]
    return kept_evidence(
        [(record.pop("kind"), {name: array_in(value) for name, value in record.items()}) for record in held]
    )


def checks_in(records: Sequence[Mapping[str, Any]]) -> tuple[Check, ...]:
    """Undo the conversion of table checks for ``run.json``."""
    return tuple(Check(each["kind"], each["sentence"], tuple(each["columns"])) for each in records)


def _folds(result: RunRecord, dataset: Dataset) -> dict[str, Any]:
    """Content of ``folds.json``: the seeds of the folds, and digests of some folds for checking."""
    measuring = result.spec.measuring
    evaluator = evaluator_of(result.spec, dataset)
    said: dict[str, Any] = {
        "protocol": measuring.protocol,
        "repeats": evaluator.validation.repeats,
        "folds": measuring.folds,
        "seed": result.spec.seed,
        "bit_generator": type(np.random.default_rng(0).bit_generator).__name__,
        "seed_of_measurement": "numpy.random.SeedSequence(seed, spawn_key=(number,))",
        "labels": "fold in which each row is tested, one line for each repeat; -1: never tested",
    }
    if len(evaluator.dataset.rows) < len(dataset.rows):
        said["rows"] = evaluator.dataset.rows  # rows used by the search
    if evaluator.validation.fixed is not None:
        return {**said, "fixed": evaluator.validation.fixed.tolist()}
    last = max(1, result.evaluations)
    numbers = sorted({0, *np.linspace(1, last, _DIGESTS).astype(int).tolist()})
    return {
        **said,
        "sha256_of_labels": {str(number): fold_digest(evaluator.fold_labels(number)) for number in numbers},
        "labels_of_measurement_0": evaluator.fold_labels(0).tolist(),
    }


def fold_digest(labels: np.ndarray[Any, Any]) -> str:
    """SHA-256 of (repeats, n) fold labels as little-endian int64."""
    return hashlib.sha256(np.ascontiguousarray(labels, dtype="<i8").tobytes()).hexdigest()


def _measurements(log: Sequence[Event], features: int) -> str:
    """Every measurement as a human-readable line; losses are fractions."""
    lines: list[Sequence[object]] = [
        ("number", "iteration", "n_selected", "loss", "std_error", "candidate", "confirms", "mask")
    ]
    for event in log:
        if isinstance(event, BatchMeasured):
            masks = unpack_masks(event.masks, features)
            for at, mask in enumerate(masks):
                measured = Measurement.of(event.values[at])
                lines.append(
                    (event.number + at, event.iteration, int(mask.sum()), repr(measured.mean), repr(measured.std_error),
                     int(event.candidates[at]), int(event.confirms), event.masks[at].tobytes().hex())
                )  # fmt: skip
    return csv_text(lines)


def _readme(versions: Mapping[str, str]) -> str:
    text = files("fsdesk.results").joinpath("bundle_readme.txt").read_text(encoding="utf-8")
    libraries = "\n".join(f"  {name} {held}" for name, held in sorted(versions.items()))
    return f"{text}\nSealed with:\n\n{libraries}\n"


_WRITERS: dict[str, _Writer] = {
    "log.jsonl": lambda result, dataset, origin: log_lines(result.log).encode(),
    "run.json": lambda result, dataset, origin: json_bytes(_run(result, dataset, origin)),
    "README.txt": lambda result, dataset, origin: _readme(origin.versions).encode(),
    "measurements.csv": lambda result, dataset, origin: _measurements(result.log, len(result.all_features)).encode(),
    "folds.json": lambda result, dataset, origin: json_bytes(_folds(result, dataset)),
    **{name: _exported(name) for name in _EXPORTED},
}

PARTS = tuple(_WRITERS)
"""Files of every bundle besides its manifest; the log and ``run.json`` first, the slowest to write last."""

DATA_PARTS = ("data/meta.json", "data/x.npy", "data/target.npy")
"""Additional files of a bundle with data."""


def data_parts(dataset: Dataset) -> dict[str, bytes]:
    """The data as ``DATA_PARTS``."""
    meta: dict[str, Any] = {
        "name": dataset.name,
        "features": dataset.features,
        "target_name": dataset.target_name,
        "classes": dataset.classes,
        "rows": dataset.rows,
        "categories": {str(column): names for column, names in sorted(dataset.categories.items())},
        "source": dataset.source,
        **({"event": dataset.event} if dataset.event else {}),
        **({"entry": dataset.entry} if dataset.entry else {}),
    }
    for name in _VECTORS:
        vector = getattr(dataset, name)
        meta[name] = None if vector is None else vector.tolist()
    return {
        "data/meta.json": json_bytes(meta),
        "data/x.npy": npy(np.asfortranarray(dataset.x, dtype="<f8")),
        "data/target.npy": npy(np.ascontiguousarray(dataset.target, dtype="<i8")),
    }


def dataset_in(parts: Mapping[str, bytes]) -> Dataset:
    """Undo :func:`data_parts`, without the checks, which are in ``run.json``."""
    meta = json.loads(parts["data/meta.json"])
    x, target = (np.load(io.BytesIO(parts[f"data/{name}.npy"]), allow_pickle=False) for name in ("x", "target"))
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
        event=meta.get("event", ""),
        entry=meta.get("entry", ""),
    )
    kinds = {"response": np.float64}
    vectors: dict[str, Any] = {
        name: None if meta[name] is None else np.array(meta[name], dtype=kinds.get(name, np.int64)) for name in _VECTORS
    }
    return replace(made, **vectors)


def library_version(library: str) -> str:
    """The installed version of a library."""
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"
