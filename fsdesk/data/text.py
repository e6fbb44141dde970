"""Bytes to text: the encoding found, binary files turned away."""

import codecs
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fsdesk.data.dataset import Check
from fsdesk.errors import DataError

__all__ = ["Text", "decode", "read_bytes"]

_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_TITLES = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "cp1252": "Windows Western (cp1252)",
    "latin-1": "Latin-1",
}
_PROBE = 1 << 16
# Tab, line feed, form feed, carriage return and escape do occur in text files.
_CONTROL = np.array([code < 32 and code not in (9, 10, 12, 13, 27) for code in range(256)])


@dataclass(frozen=True)
class Text:
    """Text of a file, the encoding in words, and what decoding it turned up."""

    text: str
    encoding: str
    checks: tuple[Check, ...] = ()


def read_bytes(path: Path) -> bytes:
    """All bytes of a file; DataError where it is missing, a folder, unreadable or empty."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise DataError(f'There is no file "{path}"; check the name and the folder.') from None
    except IsADirectoryError:
        raise DataError(f'"{path}" is a folder; choose the table file inside it.') from None
    except PermissionError:
        if path.is_dir():  # what Windows says of a folder
            raise DataError(f'"{path}" is a folder; choose the table file inside it.') from None
        raise DataError(f'"{path}" may not be read; check its permissions.') from None
    except OSError as error:
        raise DataError(f'"{path}" cannot be read ({error.strerror or error}); check the disk and the name.') from None
    if not content:
        raise DataError(f'"{path.name}" is empty (0 bytes); choose a file with a table in it.')
    return content


def decode(content: bytes, name: str, encoding: str = "auto") -> Text:
    r"""Turn the bytes of a file into text.

    ``encoding`` "auto" tries a byte order mark, UTF-16 without one, UTF-8, and last the Western encodings, with a
    check. Line ends become ``\n``. Raises DataError for binary content and for bytes that the
    named encoding does not know.
    """
    chosen = _sniff(content) if encoding == "auto" else _with_mark(content, encoding)
    if chosen not in ("utf-16", "utf-16-le", "utf-16-be") and _is_binary(content):
        raise DataError(f'"{name}" is not a text file (it holds binary data); open a CSV, ARFF, .mat or Excel table.')
    checks: tuple[Check, ...] = ()
    try:
        text = content.decode(chosen)
    except UnicodeDecodeError as error:
        if encoding != "auto" or chosen.startswith("utf-16"):
            title = _TITLES[chosen]
            raise DataError(
                f'"{name}" is not {title} (byte {error.start + 1} does not fit); choose another encoding.'
            ) from None
        chosen, text = _western(content)
        sentence = f'"{name}" is not UTF-8; it was read as {_TITLES[chosen]}, so check names with accents.'
        checks = (Check("encoding", sentence),)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Text(text, _TITLES[chosen], checks)


def _with_mark(content: bytes, encoding: str) -> str:
    if encoding == "utf-8" and content.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if encoding == "utf-16" and not content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _unmarked_utf16(content) or "utf-16-le"
    return encoding


def _sniff(content: bytes) -> str:
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            return encoding
    return _unmarked_utf16(content) or "utf-8"


def _unmarked_utf16(content: bytes) -> str | None:
    """UTF-16 text of Western letters has a zero in nearly every second byte, and none in the others."""
    probe = np.frombuffer(content[:_PROBE], np.uint8)
    if len(content) % 2 or not len(probe):
        return None
    even, odd = (probe[0::2] == 0).mean(), (probe[1::2] == 0).mean()
    if odd > 0.9 and even < 0.1:
        return "utf-16-le"
    return "utf-16-be" if even > 0.9 and odd < 0.1 else None


def _is_binary(content: bytes) -> bool:
    """A zero byte anywhere, or more than one control character in 200 bytes at the start."""
    probe = np.frombuffer(content[:_PROBE], np.uint8)
    return b"\0" in content or bool(_CONTROL[probe].mean() > 0.005)


def _western(content: bytes) -> tuple[str, str]:
    try:
        return "cp1252", content.decode("cp1252")
    except UnicodeDecodeError:
        return "latin-1", content.decode("latin-1")
