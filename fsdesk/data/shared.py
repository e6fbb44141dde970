"""Tables and data sets on disk, shared by processes without copying."""

import errno
import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.dataset import ROLES, Check, Dataset, Table
from fsdesk.data.reading import Reading
from fsdesk.errors import DataError
from fsdesk.messages import data_of, message_of

T = TypeVar("T", Table, Dataset)
_VECTORS = ("target", "response", *ROLES)


@dataclass(frozen=True)
class Shared(Generic[T]):
    """A handle, cheap to pickle, of a table or data set stored in a folder.

    The folder belongs to the process that called :func:`share`, which removes it when it is no longer needed. A file
    that is open elsewhere cannot be removed on Windows.
    """

    kind: type[T]
    folder: str
    token: str

    def open(self) -> T:
        """The table or data set; its large array is read-only and memory-mapped, in column-major order."""
        folder = Path(self.folder)
        try:
            rest = json.loads((folder / f"{self.token}.json").read_text(encoding="utf-8"))
            values = _mapped(folder / f"{self.token}.npy")
            for name in rest.pop("arrays"):
                rest[name] = _mapped(folder / f"{self.token}.{name}.npy")
        except (OSError, ValueError) as error:
            if isinstance(error, OSError) and error.errno == errno.ENOMEM:
                raise MemoryError from error
            raise DataError(
                'Cannot open the shared data in "{folder}" ({error}). Open the table again.',
                folder=folder,
                error=error,
            ) from None
        return restored(self.kind, values, rest)

    def remove(self) -> None:
        """Delete the files; do nothing if they are gone or still open on Windows."""
        for suffix in (".json", ".npy", *(f".{name}.npy" for name in _VECTORS)):
            try:
                (Path(self.folder) / f"{self.token}{suffix}").unlink(missing_ok=True)
            except OSError:
                continue


def share(thing: T, folder: Path) -> Shared[T]:
    """Write a table or data set into ``folder`` for other processes; DataError if the disk is full or read-only."""
    token = uuid.uuid4().hex
    shared = Shared(type(thing), str(folder), token)
    array = thing.x if isinstance(thing, Dataset) else thing.values
    try:
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / f"{token}.npy", np.asfortranarray(array))
        for name, vector in _vectors(thing).items():
            np.save(folder / f"{token}.{name}.npy", vector)
        (folder / f"{token}.json").write_text(json.dumps(described(thing)), encoding="utf-8")
    except OSError as error:
        shared.remove()  # an incomplete file is useless, all the more on a full disk
        reason = error.strerror or error
        raise DataError(
            'Cannot write the data to "{folder}" ({reason}). Free some space or choose another folder.',
            folder=folder,
            reason=reason,
        ) from None
    return shared


def _mapped(path: Path) -> NDArray[Any]:
    # As a plain array: indexing the memmap class is slower, and its type leaks into results.
    return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))


def described(thing: Table | Dataset) -> dict[str, Any]:
    """All fields except the arrays, and the names of the vectors stored in separate files."""
    arrays = ("values", "x", "origin", *_VECTORS)
    fields = {name: value for name, value in vars(thing).items() if name in type(thing).__dataclass_fields__}
    rest = {name: value for name, value in fields.items() if name not in arrays}
    rest["categories"] = [[j, names] for j, names in thing.categories.items()]
    rest["source"] = data_of(thing.source)
    rest["checks"] = [[check.kind, data_of(check.sentence), check.columns] for check in thing.checks]
    rest["readings"] = [reading.packed() for reading in thing.readings]
    rest["arrays"] = list(_vectors(thing))
    return rest


def _vectors(thing: Table | Dataset) -> dict[str, NDArray[Any]]:
    given = {name: getattr(thing, name, None) for name in _VECTORS}
    return {name: vector for name, vector in given.items() if vector is not None}


def restored(kind: type[T], values: NDArray[np.float64], rest: dict[str, Any]) -> T:
    """A table or data set from its large array and the other fields."""
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in rest.items()}
    fields["categories"] = {j: tuple(names) for j, names in rest["categories"]}
    fields["source"] = message_of(rest["source"])
    fields["checks"] = tuple(
        Check(kind, message_of(sentence), tuple(columns)) for kind, sentence, columns in rest["checks"]
    )
    fields["readings"] = tuple(map(Reading.unpacked, rest["readings"]))
    fields["x" if kind is Dataset else "values"] = values
    build: Callable[..., T] = kind
    return build(**fields)
