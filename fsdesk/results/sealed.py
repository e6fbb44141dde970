"""An opened bundle: an untrusted file that is read with care."""

import json
import lzma
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from fsdesk.data.options import CARRIED, LAYOUT
from fsdesk.engine import RunSpec
from fsdesk.errors import ProjectError, UserError
from fsdesk.messages import Message, escaped, message, quoted
from fsdesk.results.bundle import DATA_PARTS
from fsdesk.results.sealing import FORMAT, MANIFEST, SIGNATURE

_LARGEST, _PACKED = 1 << 28, 200
"""Maximum unpacked size of a bundle, in bytes, or as a multiple of its own size."""
DAMAGE = (
    UserError, ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError, MemoryError,
)  # fmt: skip
"""Exceptions raised when reading or replaying parts not written by fsdesk."""


def quoted_names(names: Iterable[str]) -> Message:
    """Names from an external source."""
    return quoted([escaped(name, 40) for name in sorted(names)])


@dataclass(frozen=True, eq=False)
class Sealed:
    """An opened bundle: parts by name, manifest, signature if it has one, and oddities of the file itself."""

    parts: Mapping[str, bytes]
    manifest: bytes
    signature: bytes | None = None
    faults: tuple[str, ...] = ()

    @cached_property
    def about(self) -> dict[str, Any]:
        """The content of ``run.json``; raises ProjectError if it cannot be read."""
        try:
            held: dict[str, Any] = json.loads(self.parts["run.json"])
            spec, data = held["spec"], held["data"]
            _ = RunSpec.model_validate(spec), data["target"], data["features"]
        except DAMAGE as error:
            raise ProjectError("The run.json of this bundle cannot be read; it is damaged or was altered.") from error
        return held

    @property
    def spec(self) -> RunSpec:
        """The specification of the run."""
        return RunSpec.model_validate(self.about["spec"])

    @property
    def event(self) -> str:
        """The event of a time to an event, as "column=value"; "" for another target."""
        return str(self.about["data"].get("event", ""))

    @property
    def entry(self) -> str:
        """The column of entry times; "" if there is none."""
        return str(self.about["data"].get("entry", ""))

    @property
    def target(self) -> str:
        """Name of the target."""
        return str(self.about["data"]["target"])

    @property
    def features(self) -> tuple[str, ...]:
        """Names of all features."""
        return tuple(self.about["data"]["features"])

    @property
    def reading(self) -> dict[str, str]:
        """Options for reading the table as in the run, without its label file, which other tables do not have."""
        kept = self.about["data"].get("ways", {})
        return {name: str(value) for name, value in kept.items() if name in (*CARRIED, *LAYOUT)}

    @property
    def has_data(self) -> bool:
        """Whether it contains the data."""
        return any(name in self.parts for name in DATA_PARTS)


def opened(path: Path) -> Sealed:
    """Open a bundle; raise ProjectError if the file is not one, or is from an older or newer fsdesk."""
    try:
        with zipfile.ZipFile(path) as file:
            entries = file.infolist()
            if sum(entry.file_size for entry in entries) > max(_LARGEST, _PACKED * path.stat().st_size):
                raise ProjectError('"{path}" unpacks to far more than its size; it is not an fsdesk bundle.', path=path)
            faults = tuple(_odd(entries, file.comment))
            parts = {entry.filename: file.read(entry) for entry in entries if not entry.is_dir()}
        manifest = parts.pop(MANIFEST)
        found = json.loads(manifest)["format"]
        known = isinstance(found, int) and found >= 1
    except FileNotFoundError as error:
        raise ProjectError('There is no file "{path}". Check the name and the folder.', path=path) from error
    except (
        OSError,
        EOFError,
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        NotImplementedError,
        RuntimeError,
        *DAMAGE,
    ) as error:
        if isinstance(error, ProjectError):
            raise
        raise ProjectError(
            '"{path}" is not a sealed fsdesk bundle, or is truncated; download or copy it again.', path=path
        ) from error
    if known and found > FORMAT:
        raise ProjectError('"{path}" was made by a newer fsdesk. Update fsdesk to check it.', path=path)
    if known and found < FORMAT:
        raise ProjectError(
            '"{path}" was made by an older fsdesk, whose bundles contain too little to check. Export it again from '
            "its project.",
            path=path,
        )
    return Sealed(parts, manifest, parts.pop(SIGNATURE, None), faults)


def _odd(entries: Sequence[zipfile.ZipInfo], comment: bytes) -> Iterator[str]:
    """Features never found in our own bundles: files outside its folder, links, duplicate names, comments."""
    names = [entry.filename for entry in entries]
    leaving = sorted({name for name in names if _leaves(name)})
    if leaving:
        yield message("file names that lead outside the folder: {names}", names=quoted_names(leaving))
    links = sorted(entry.filename for entry in entries if stat.S_ISLNK(entry.external_attr >> 16))
    if links:
        yield message("links instead of files: {names}", names=quoted_names(links))
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        yield message("duplicate file names: {names}", names=quoted_names(twice))
    if comment or any(entry.comment for entry in entries):
        yield "comments of the archive, which no bundle has"
    folders = sorted(entry.filename for entry in entries if entry.is_dir())
    if folders:
        yield message("folders that are not part of a bundle: {names}", names=quoted_names(folders))


def _leaves(name: str) -> bool:
    """Whether a path would be written outside the folder into which a bundle is unpacked, on any operating system."""
    path = PurePosixPath(name.replace("\\", "/"))
    return path.is_absolute() or ".." in path.parts or ":" in name or "\0" in name or "\\" in name
