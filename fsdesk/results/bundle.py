"""The sealed bundle: one file that holds all that a reader needs to check a selection, each part under its SHA-256."""

import csv
import hashlib
import io
import json
import platform
import zipfile
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import Any

import numpy as np

from fsdesk.data import Dataset
from fsdesk.engine import BatchMeasured, Event
from fsdesk.engine.events import unpack_masks
from fsdesk.engine.tasks import evaluator_of
from fsdesk.errors import SettingsError
from fsdesk.measure import Measurement
from fsdesk.results.honest import packed_evidence
from fsdesk.results.methods_text import methods_text
from fsdesk.results.result import Result
from fsdesk.results.sealed_log import log_lines
from fsdesk.speech import ENGLISH, speaking

__all__ = ["FORMAT", "MANIFEST", "bundle", "bundle_with_data", "fold_digest"]

FORMAT = 1
MANIFEST = "manifest.json"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip file knows: the same content is the same bytes
_LIBRARIES = ("fsdesk", "numpy", "numba", "scipy", "scikit-learn", "pandas", "pydantic")
_DIGESTS = 8
_VECTORS = ("response", "groups", "fold_of", "time")


def bundle(result: Result, dataset: Dataset) -> bytes:
    """Seal a result without the data: their fingerprint alone. Bundles are in English, so that they are alike."""
    with speaking(ENGLISH):
        return _sealed(_parts(result, dataset))


def bundle_with_data(result: Result, dataset: Dataset) -> bytes:
    """Seal a result with the data that it was made on."""
    with speaking(ENGLISH):
        return _sealed({**_parts(result, dataset), **_data_parts(dataset)})


def _parts(result: Result, dataset: Dataset) -> dict[str, bytes]:
    from fsdesk.results.exports import EXPORTS

    if not result.log:
        raise SettingsError("A sealed bundle needs the log of the run: export it from the project that holds the run.")
    names = ("mask.csv", "mask.json", "mask.npy", "selected.txt", "result.json", "settings.toml", "report.html")
    return {
        **{name: EXPORTS[name].writer(result, dataset) for name in names},
        "README.txt": files("fsdesk.results").joinpath("bundle_readme.txt").read_bytes(),
        "methods.txt": methods_text(result, dataset).encode(),
        "log.jsonl": log_lines(result.log).encode(),
        "measurements.csv": _measurements(result.log, len(result.all_features)).encode(),
        "folds.json": _json(_folds(result, dataset)),
        "run.json": _json(_run(result, dataset)),
    }


def _run(result: Result, dataset: Dataset) -> dict[str, Any]:
    return {
        "spec": result.spec.model_dump(),
        "seed": result.spec.seed,
        "data": {
            "name": dataset.name,
            "source": dataset.source,
            "sha256": dataset.fingerprint,
            "rows": len(dataset.target),
            "target": dataset.target_name,
            "classes": dataset.classes,
            "features": dataset.features,
        },
        "answer": {
            "selected": result.features,
            "search_error": float(result.search_error),
            "std_error": float(result.std_error),
        },
        "evidence": [_plain(*packed_evidence(each)) for each in result.evidence],
        "versions_of_the_run": result.spec.versions,
        "versions_of_this_bundle": {name: _version(name) for name in _LIBRARIES},
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def _plain(kind: str, values: Mapping[str, Any]) -> dict[str, Any]:
    held = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()}
    return {"kind": kind, **held}


def _folds(result: Result, dataset: Dataset) -> dict[str, Any]:
    """How the folds came about: the seeds that give them, and digests of some to check against."""
    measuring = result.spec.measuring
    evaluator = evaluator_of(result.spec, dataset)
    said: dict[str, Any] = {
        "protocol": measuring.protocol,
        "repeats": evaluator.validation.repeats,
        "folds": measuring.folds,
        "seed": result.spec.seed,
        "numpy": np.__version__,
        "bit_generator": type(np.random.default_rng(0).bit_generator).__name__,
        "seed_of_measurement": "numpy.random.SeedSequence(seed, spawn_key=(number,))",
        "labels": "fold in which each row is tested, one line for each repeat; -1: never tested",
    }
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
    """Every measurement as a line that a person can read; losses are fractions."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(["number", "iteration", "n_selected", "loss", "std_error", "candidate", "confirms", "mask"])
    for event in log:
        if isinstance(event, BatchMeasured):
            masks = unpack_masks(event.masks, features)
            for at, mask in enumerate(masks):
                measured = Measurement.of(event.values[at])
                row = [
                    event.number + at,
                    event.iteration,
                    int(mask.sum()),
                    repr(measured.mean),
                    repr(measured.std_error),
                ]
                writer.writerow([*row, int(event.candidates[at]), int(event.confirms), event.masks[at].tobytes().hex()])
    return buffer.getvalue()


def _data_parts(dataset: Dataset) -> dict[str, bytes]:
    meta: dict[str, Any] = {
        "name": dataset.name,
        "features": dataset.features,
        "target_name": dataset.target_name,
        "classes": dataset.classes,
        "rows": dataset.rows,
        "categories": {str(column): names for column, names in sorted(dataset.categories.items())},
        "source": dataset.source,
    }
    for name in _VECTORS:
        vector = getattr(dataset, name)
        meta[name] = None if vector is None else vector.tolist()
    return {
        "data/meta.json": _json(meta),
        "data/x.npy": _npy(np.asfortranarray(dataset.x, dtype="<f8")),
        "data/target.npy": _npy(np.ascontiguousarray(dataset.target, dtype="<i8")),
    }


def _npy(values: np.ndarray[Any, Any]) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, values, allow_pickle=False)
    return buffer.getvalue()


def _json(content: Mapping[str, Any]) -> bytes:
    return (json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()


def _sealed(parts: Mapping[str, bytes]) -> bytes:
    """One zip file with a manifest; the same parts give the same bytes."""
    manifest = {
        "format": FORMAT,
        "made_by": "fsdesk",
        "sha256": {name: hashlib.sha256(content).hexdigest() for name, content in sorted(parts.items())},
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in sorted({**parts, MANIFEST: _json(manifest)}.items()):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            file.writestr(entry, content, compresslevel=6)
    return buffer.getvalue()


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"
