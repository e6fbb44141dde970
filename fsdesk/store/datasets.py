"""A data set as the project file has it: what describes it as JSON, its target and its columns as bytes."""

import json
from typing import Any

import numpy as np

from fsdesk.data import Check, Dataset

__all__ = ["described", "restored"]

_VECTORS = ("response", "groups", "fold_of", "time")


def described(dataset: Dataset) -> str:
    """All of a data set but its columns and its target."""
    meta = {
        "name": dataset.name,
        "features": dataset.features,
        "target_name": dataset.target_name,
        "classes": dataset.classes,
        "rows": dataset.rows,
        "categories": {str(column): names for column, names in dataset.categories.items()},
        "source": dataset.source,
        "checks": [[check.kind, check.sentence, check.columns] for check in dataset.checks],
        **{name: None if (values := getattr(dataset, name)) is None else values.tolist() for name in _VECTORS},
    }
    return json.dumps(meta)


def restored(meta: dict[str, Any], target: bytes, values: bytes) -> Dataset:
    """Undo :func:`described`; raise KeyError, TypeError or ValueError where something is damaged."""
    return Dataset(
        name=meta["name"],
        x=np.frombuffer(bytearray(values), dtype="<f8").reshape(-1, len(meta["rows"])).T,
        features=tuple(meta["features"]),
        target=np.frombuffer(bytearray(target), dtype="<i8").astype(np.int64),
        target_name=meta["target_name"],
        classes=tuple(meta["classes"]),
        rows=tuple(meta["rows"]),
        categories={int(column): tuple(names) for column, names in meta["categories"].items()},
        source=meta["source"],
        checks=tuple(Check(kind, sentence, tuple(columns)) for kind, sentence, columns in meta["checks"]),
        # JSON writes the shortest digits that read back to the very same number.
        **{name: None if (vector := meta.get(name)) is None else np.array(vector) for name in _VECTORS},
    )
