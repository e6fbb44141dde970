"""Packed files: gzip, bzip2, xz and zip unpacked in memory, up to a size that a table may have."""

import bz2
import gzip
import io
import lzma
import zlib
from typing import BinaryIO, cast

from fsdesk.data.zipped import ZIP, unzip
from fsdesk.errors import DataError

__all__ = ["PACKED_SUFFIXES", "unpack"]

PACKED_SUFFIXES = (".gz", ".bz2", ".xz", ".zip")
_GZIP, _BZIP2, _XZ = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00"
_TITLES = {_GZIP: "gzip", _BZIP2: "bzip2", _XZ: "xz"}
_MOST_BYTES = 1 << 32
_CHUNK = 1 << 22


def unpack(content: bytes, name: str, most: int = _MOST_BYTES) -> tuple[bytes, str]:
    """What is inside a packed file, and its name without the suffix; any other file as it is.

    Parameters
    ----------
    content, name
        Bytes and name of the file.
    most
        The largest number of bytes to unpack; a packed file of a few kilobytes can hold more than any memory.

    Raises
    ------
    DataError
        Where the file is damaged, cut short, empty inside or too large.
    """
    if content.startswith(ZIP):
        return unzip(content, name, most)
    mark = next((mark for mark in _TITLES if content.startswith(mark)), None)
    if mark is None:
        return content, name
    pieces, size = [], 0
    try:
        with _opened(mark, content) as packed:
            while piece := packed.read(_CHUNK):
                size += len(piece)
                if size > most:
                    raise DataError(
                        f'"{name}" unpacks to more than {most:,} bytes, too large for this program; '
                        "open a smaller table."
                    )
                pieces.append(piece)
        unpacked = b"".join(pieces)
    except MemoryError:
        raise DataError(f'What "{name}" unpacks to does not fit into memory; open a smaller table.') from None
    except (OSError, EOFError, zlib.error, lzma.LZMAError):
        raise DataError(
            f'"{name}" is a {_TITLES[mark]} archive that is damaged or cut short; get the file again.'
        ) from None
    if not unpacked:
        raise DataError(f'"{name}" holds nothing (0 bytes when unpacked); choose a file with a table in it.')
    inner = next((name[: -len(suffix)] for suffix in PACKED_SUFFIXES if name.lower().endswith(suffix)), name)
    return unpacked, inner or name


def _opened(mark: bytes, content: bytes) -> BinaryIO:
    source = io.BytesIO(content)
    if mark == _GZIP:
        return cast(BinaryIO, gzip.GzipFile(fileobj=source))
    return cast(BinaryIO, bz2.BZ2File(source) if mark == _BZIP2 else lzma.LZMAFile(source))
