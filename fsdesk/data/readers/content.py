"""The content of a file: unpacked and decoded to text; files that are not tables are rejected."""

import bz2
import codecs
import gzip
import io
import lzma
import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

import numpy as np

from fsdesk.data.dataset import Check
from fsdesk.data.readers.foreign import refuse_by_media_type, refuse_by_members
from fsdesk.data.reading import Alternative, Reading
from fsdesk.errors import DataError
from fsdesk.messages import message, message_many, quoted

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
_WIDE = ("utf-16", "utf-32")
_ENDS = b"\0\x1a"  # used by old systems to pad the last block of a text
_TITLES = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "utf-32": "UTF-32",
    "cp1252": "Windows Western (cp1252)",
    "latin-1": "Latin-1",
}
_PROBE = 1 << 16
_HEAD, _HEAD_LINES = 1 << 22, 6
# Tab, line feed, form feed, carriage return, escape and cell separators do occur in text files.
_CONTROL = np.array([code < 32 and code not in (1, 9, 10, 12, 13, 27, 30, 31) for code in range(256)])
PACKED_SUFFIXES = (".gz", ".bz2", ".xz", ".zip")
_GZIP, _BZIP2, _XZ = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00"
_PACKERS = {_GZIP: "gzip", _BZIP2: "bzip2", _XZ: "xz"}
_MOST_BYTES = 1 << 32
_CHUNK = 1 << 22
ZIP = b"PK\x03\x04"
_MEDIA_TYPE, _LONGEST_MEDIA_TYPE = "mimetype", 100
_SPREADSHEETS = {"[Content_Types].xml", _MEDIA_TYPE}
_JASP, _TENX = {"metadata.json", "data.bin"}, "matrix.mtx"
_SEALED = {"manifest.json", "log.jsonl"}
_OF_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, IndexError, struct.error)  # as zipfile does
_CLUTTER = re.compile(r"(.*/)?(__MACOSX/.*|\..*|Thumbs\.db|desktop\.ini)", re.IGNORECASE)  # added by operating systems
_TEXTS_BESIDE = re.compile(
    r"(.*/)?((read_?me|licen[cs]e|citation|changelog|codebook|metadata|liesmich)[^/]*|[^/]*\.(md|pdf|docx?|rtf|html?|png|"
    r"jpe?g|svg|r|rmd|py|ipynb|sps|do|bib|yaml|yml))",
    re.IGNORECASE,
)
"""Archive entries that describe other entries."""


@dataclass(frozen=True)
class Text:
    """Text of a file, its encoding in words, and findings during decoding."""

    text: str
    encoding: str
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True)
class Content:
    """The unpacked content of a file.

    Attributes
    ----------
    name
        The file's name, without the suffix of its compression.
    data
        All bytes.
    encoding
        As set by the user, or "auto".
    folder
        Path of the file, for formats with several files; None if the content does not come from a file.
    """

    name: str
    data: bytes
    encoding: str = "auto"
    folder: Path | None = None

    @classmethod
    def of_file(cls, path: Path, encoding: str = "auto") -> "Content":
        """Read and unpack a file; DataError on failure."""
        data, name = unpack(_read_bytes(path), path.name)
        return cls(name, data, encoding, path.parent)

    def text(self) -> Text:
        """The whole content as text; DataError if it is binary or not in the encoding."""
        return decode(self.data, self.name, self.encoding)

    def utf8(self) -> tuple[bytes, Text]:
        """The whole content as UTF-8, at no cost if ASCII, and what :meth:`text` returns besides the text."""
        chosen = _codec(self.data, self.encoding)
        if self.data.isascii() and not chosen.startswith(_WIDE):
            data = _without_end(self.data)
            _refuse_binary(data, self.name)
            return data, Text("", _TITLES.get(chosen, chosen))
        text = self.text()
        return text.text.encode(errors="surrogatepass"), replace(text, text="")

    @cached_property
    def members(self) -> frozenset[str]:
        """Names of the files in a zip file that is read as it is; empty for any other file."""
        if not self.data.startswith(ZIP):
            return frozenset()
        try:
            with zipfile.ZipFile(io.BytesIO(self.data)) as packed:
                return frozenset(each.filename for each in packed.infolist() if not each.is_dir())
        except _OF_ZIP:
            return frozenset()

    def member(self, name: str, most: int = _MOST_BYTES) -> bytes:
        """A file in a zip file; DataError if it is damaged or too large."""
        try:
            with zipfile.ZipFile(io.BytesIO(self.data)) as packed, packed.open(name) as source:
                data = source.read(most + 1)
        except (RuntimeError, KeyError, *_OF_ZIP):
            raise DataError(
                '"{name}" is a damaged or truncated zip archive; download or copy it again.', name=self.name
            ) from None
        if len(data) > most:
            raise _too_large(self.name, most)
        return data

    @cached_property
    def head(self) -> str:
        """The first lines as text, used for detecting formats; raises DataError like :meth:`text`."""
        if len(self.data) <= _HEAD or _codec(self.data, self.encoding).startswith(_WIDE):
            return self.text().text
        end = self.data.rfind(b"\n", 0, _HEAD) + 1
        if self.data.count(b"\n", 0, end) < _HEAD_LINES:
            for _ in range(_HEAD_LINES):
                end = self.data.find(b"\n", end) + 1 or len(self.data)
        return decode(self.data[:end], self.name, self.encoding).text


def _read_bytes(path: Path) -> bytes:
    """All bytes of a file; DataError if it is missing, a folder, unreadable or empty."""
    try:
        if stat.S_ISCHR(path.stat().st_mode):  # such as /dev/zero, which never ends
            raise DataError('"{path}" is a device, not a file. Choose a table.', path=path)
        content = path.read_bytes()
    except FileNotFoundError:
        raise DataError('There is no file "{path}". Check the name and the folder.', path=path) from None
    except (IsADirectoryError, PermissionError):
        if path.is_dir():  # Windows does not allow reading it
            raise DataError('"{path}" is a folder. Choose the table inside it.', path=path) from None
        raise DataError('No permission to read "{path}". Check its permissions.', path=path) from None
    except OSError as error:
        raise DataError(
            'Cannot read "{path}" ({strerror}). Check the disk and the name.',
            path=path,
            strerror=error.strerror or error,
        ) from None
    if not content:
        raise DataError('"{name}" is empty (0 bytes). Choose a file that contains a table.', name=path.name)
    return content


def decode(content: bytes, name: str, encoding: str = "auto") -> Text:
    r"""Decode the bytes of a file to text.

    ``encoding`` "auto" tries a byte order mark, UTF-16 without one, UTF-8, and last the Western encodings, with a
    check. Line ends become ``\n``. Raises DataError for binary content and for bytes that are invalid in the named
    encoding.
    """
    chosen = _codec(content, encoding)
    if not chosen.startswith(_WIDE):
        content = _without_end(content)
        _refuse_binary(content, name)
    checks: tuple[Check, ...] = ()
    try:
        text = content.decode(chosen)
    except UnicodeDecodeError as error:
        if encoding != "auto" or chosen.startswith(_WIDE):
            title = _TITLES.get(chosen, chosen)
            raise DataError(
                '"{name}" is not {title} (byte {start} is invalid). Choose another encoding.',
                name=name,
                title=title,
                start=error.start + 1,
            ) from None
        _refuse_broken_utf8(content, name)
        text, checks = _of_two_encodings(content, name)
        if not checks:
            chosen, text, _ = guessed_encoding(content)
            sentence = message(
                '"{name}" is not UTF-8 and was read as {titles}; check names with accents.',
                name=name,
                titles=_TITLES.get(chosen, chosen),
            )
            checks = (Check("encoding", sentence),)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _MARK in text:  # concatenated files have one before each part
        text = _MARKS.sub(r"\1", text)
    if any(sign in text for sign in _OF_DAMAGE):
        checks = (*checks, *_damage(text, name))
    return Text(text, _TITLES.get(chosen, chosen), checks)


_LOST, _OF_DAMAGE = "\ufffd", ("\ufffd", "Ã", "Â", "â€")
_GARBLED = re.compile(r"\S*(?:[ÃÂ]|â€)\S+")
_MOST_GARBLED = 20


def _damage(text: str, name: str) -> tuple[Check, ...]:
    """A check that names characters that were lost or garbled when the file was converted earlier, such as grÃ¼n."""
    place, shown, meant = text.find(_LOST), "", ""
    if place >= 0:
        begin = max(text.rfind(sign, 0, place) for sign in '\n\t,;"') + 1
        shown = re.split(r"[\n\t,;\"]", text[begin : place + _EXAMPLE])[0]
    for match in islice(_GARBLED.finditer(text), _MOST_GARBLED if place < 0 else 0):
        word = re.split(r"[\t,;\"]", match[0])
        found = next(((each, right) for each in word if (right := _ungarbled(each)) != each), None)
        if found is not None:
            place, (shown, meant) = match.start(), found
            break
    if place < 0:
        return ()
    line = text.count("\n", 0, place) + 1
    sentence = (
        message('Line {line} of "{name}" contains "{shown}", which looks like "{meant}" after a conversion to a wrong '
                "encoding. Export the file again, or correct it.", line=line, name=name, shown=shown, meant=meant)
        if meant
        else message('Line {line} of "{name}" contains a character that was lost in an earlier conversion ({shown}). '
                     "Export the file again, or correct it.", line=line, name=name, shown=shown)
    )  # fmt: skip
    return (Check("damaged characters", sentence),)


def _ungarbled(word: str) -> str:
    """The intended word, if it is UTF-8 that was read as a Western encoding; any other word is returned unchanged."""
    try:
        return word.encode("cp1252").decode()
    except UnicodeError:
        return word


def _without_end(content: bytes) -> bytes:
    """The bytes of a text without those with which old systems end or pad it, and line ends behind them."""
    plain = content.rstrip(_ENDS)
    text = content.rstrip(_ENDS + b"\r\n")
    return text if content[len(text) :].strip(b"\r\n") and text != plain else plain


_MARK = "\ufeff"
_MARKS = re.compile(rf"(^|\n){_MARK}+")
_UTF8_LETTER = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_BEYOND = re.compile(rb"[\x80-\xff]+")
_MOST_SPOTS, _RUNS_EACH = 5, 5  # number of places with invalid bytes, and runs of letters at each
_FEWEST_LETTERS, _LETTERS_EACH = 2, 2  # valid UTF-8 characters per invalid byte from which the file is UTF-8


def _refuse_broken_utf8(content: bytes, name: str) -> None:
    """Raise DataError for UTF-8 with a few damaged bytes: other encodings hardly ever look like it."""
    letters, broken, first = 0, 0, -1
    runs = spots = 0
    for match in _BEYOND.finditer(content):
        found = _UTF8_LETTER.sub(b"", match[0])
        letters += (len(match[0]) - len(found)) // 2
        runs += 1
        if found:
            spots += 1
            broken += len(found)
            first = match.start() if first < 0 else first
    often = spots > _MOST_SPOTS and _RUNS_EACH * spots > runs  # as where other letters look like UTF-8 by chance
    if letters < max(_FEWEST_LETTERS, _LETTERS_EACH * broken) or often:
        return
    line = content.count(b"\n", 0, first) + 1
    begin = max(content.rfind(b"\n", 0, first) + 1, first - 20)
    shown = content[begin : first + 4].partition(b"\n")[0].decode("utf-8", "replace")
    raise DataError(
        'Line {line} of "{name}" contains a damaged character ({shown}), although the file is otherwise UTF-8. '
        "Correct that line, or choose the encoding.",
        line=line, name=name, shown=shown.strip(),
    )  # fmt: skip


_FEWEST_LINES, _LINES_SHARE = 2, 0.1  # number and fraction of UTF-8 lines among those beyond ASCII


def _of_two_encodings(content: bytes, name: str) -> tuple[str, tuple[Check, ...]]:
    """The text of a file with lines of UTF-8 and lines of a Western encoding, and a check; none for any other file.

    Files of several sources look like this. Hardly any line of another encoding is UTF-8 by chance.
    """
    lines = content.split(b"\n")
    beyond = [place for place, line in enumerate(lines) if not line.isascii()]
    western = [place for place in beyond if not _is_utf8(lines[place])]
    letters = "".join(lines[place].decode() for place in sorted({*beyond} - {*western}))
    if len(beyond) - len(western) < max(_FEWEST_LINES, _LINES_SHARE * len(beyond)):
        return "", ()
    if any(ord(letter) > _LAST_LATIN and letter not in _TYPESET for letter in letters):
        return "", ()
    try:
        others = b"\n".join(lines[place] for place in western).decode("cp1252")
    except UnicodeDecodeError:
        return "", ()
    if not _is_western(others):
        return "", ()
    sentence = message_many(
        len(western),
        'Line {line} of "{name}" is not UTF-8, unlike other lines with accents, and was read as {encoding}; check its '
        "accents.",
        '{count} lines of "{name}", the first of them line {line}, are not UTF-8, unlike other lines with accents, and '
        "were read as {encoding}; check their accents.",
        line=western[0] + 1, name=name, encoding=_TITLES["cp1252"],
    )  # fmt: skip
    for place in western:
        lines[place] = lines[place].decode("cp1252").encode()
    return b"\n".join(lines).decode(), (Check("two encodings", sentence),)


_LAST_LATIN = 0x17F


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _codec(content: bytes, encoding: str) -> str:
    """The codec to try: the one named, otherwise guessed from the bytes."""
    return _sniff(content) if encoding == "auto" else _with_mark(content, encoding)


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
    """UTF-16 without a mark, if nearly every second byte is zero and no other one, as in Western text; else None."""
    probe = np.frombuffer(content[:_PROBE], np.uint8)
    if len(content) % 2 or not len(probe):
        return None
    even, odd = (probe[0::2] == 0).mean(), (probe[1::2] == 0).mean()
    if odd > 0.9 and even < 0.1:
        return "utf-16-le"
    return "utf-16-be" if even > 0.9 and odd < 0.1 else None


def _refuse_binary(content: bytes, name: str) -> None:
    """Raise DataError for a zero byte anywhere, or more than one control character in 200 bytes at the start."""
    probe = np.frombuffer(content[:_PROBE], np.uint8)
    if b"\0" in content or _CONTROL[probe].mean() > 0.005:
        raise DataError(
            '"{name}" is not a text file (it contains binary data). Open a CSV, ARFF, .mat or Excel table.', name=name
        )


_FOREIGN = (
    "mac_roman", "cp850", "cp1251", "koi8-r", "cp1250", "cp1253", "cp1254", "cp1255", "cp1256", "shift_jis", "euc_jp",
    "gb18030", "big5", "euc_kr", "cp874",
)  # fmt: skip
"""Encodings offered if a text is not Western."""
_EXAMPLE = 24
_PROBE_LINES = 20
_MOST_OFFERED = 5


def guessed_encoding(content: bytes) -> tuple[str, str, Reading]:
    """The encoding of a text that is not UTF-8, the text, and the decision.

    Western texts have occasional accents; if letters beyond ASCII are adjacent, the text is not Western, and the
    encoding in which it looks most like words is proposed.
    """
    try:
        encoding, text = "cp1252", content.decode("cp1252")
    except UnicodeDecodeError:
        encoding, text = "latin-1", content.decode("latin-1")
    evidence = message("It is not UTF-8, and nothing in the file indicates its encoding.")
    if _is_western(text[:_PROBE]):
        sentence = message("The text is read as {encoding}.", encoding=_TITLES[encoding])
        return encoding, text, Reading("encoding", sentence, evidence)
    lines = [line for line in content.splitlines() if not line.isascii()] or [content]
    offered = [(name, shown) for name in (encoding, *_FOREIGN) if (shown := _shown(lines[0][:200], content, name))]
    probe = b"\n".join(lines[:_PROBE_LINES])[:_PROBE]
    scores = {name: _plausible(probe.decode(name, "ignore"), name) for name, _ in offered}
    offered.sort(key=lambda each: -scores[each[0]])
    answers = tuple(
        Alternative(message("{encoding}: {example}", encoding=_TITLES.get(name, name), example=shown), "encoding", name)
        for name, shown in offered[:_MOST_OFFERED]
    )
    encoding = offered[0][0] if offered else encoding
    sentence = message("The text is read as {encoding}.", encoding=_TITLES.get(encoding, encoding))
    return encoding, content.decode(encoding, "replace"), Reading("encoding", sentence, evidence, answers, sure=False)


def _is_western(text: str) -> bool:
    """Whether a text decoded as a Western encoding looks like one."""
    words = [word for word in re.findall(r"[^\W\d_]+", text) if not word.isascii()]
    foreign = [word for word in words if _is_foreign(word)]
    if foreign and 3 * len(foreign) >= len(words):
        return False
    beyond = sum(not letter.isascii() for letter in text)
    letters = sum(not letter.isascii() for word in words for letter in word)
    return 2 * (letters + sum(map(text.count, _TYPESET))) >= beyond and _ODD_WITHIN.search(text) is None


def _is_foreign(word: str) -> bool:
    """Whether a word has too many letters beyond ASCII for a Western language; Größe does not have too many."""
    beyond = [letter for letter in word if not letter.isascii()]
    few = 1 if {*beyond} - {*"äöüßÄÖÜµ"} else len(word) // 2
    return len(beyond) > max(few, 1, len(word) // 3)


def _shown(line: bytes, content: bytes, encoding: str) -> str:
    """The beginning of a line in an encoding; "" if the file is invalid in it."""
    try:
        content[:_PROBE].decode(encoding, "strict" if len(content) <= _PROBE else "ignore")
        text = line.decode(encoding, "ignore")
    except (UnicodeDecodeError, LookupError):
        return ""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())[:_EXAMPLE]


_TYPESET = "‘’“”–—…°±²³€™®·×"
"""Characters that Windows places between letters and digits."""
_ODD_WITHIN = re.compile(
    r"(?<=[a-zà-ÿ])[ŠŽŒŸÀ-ÖØ-Þ](?=[a-zà-ÿ])|(?<=[^\W\d_])[¡-©«¬®¯±´¶-¹»-¿ƒ†‡‰‹›€‚„“”…ˆ˜™•]+(?=[^\W\d_])|"
    r"(?<![\w.])[²³¹ªº¼½¾£¥¢][a-zà-ÿ][a-zà-ÿŸ]|[\x80-\x9f]|(?<=[a-z])[ìòù](?=[a-z])|[ýþðÝÞÐ]|(?<=[a-z]{2})³(?=[a-z])|"
    r"(?<=[A-Za-zà-ÿ])Ÿ(?=[a-zà-ÿ])|(?<=[a-zà-ÿ])Ÿ\b|(?<=[a-z])ñ(?![aeiouàáâãäçèéíîóôöúüAEIOU])|(?<=[a-z])õ(?![es])|"
    r"(?<=[A-Za-z])[šž](?=[bcdfghklmnrst])",
)
"""A capital letter or a symbol within a word, as left by other encodings in a text read as Western."""
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "HEBREW", "ARABIC", "HIRAGANA", "KATAKANA", "CJK", "HANGUL", "THAI")


_FIRST_LEVEL = {
    "gb18030": range(0xB0, 0xD8), "euc_jp": range(0xB0, 0xD0), "shift_jis": range(0x88, 0x99),
    "big5": range(0xA4, 0xC7), "euc_kr": range(0xB0, 0xC9),
}  # fmt: skip
"""Lead bytes of the most common characters, in encodings that place these first."""


def _plausible(text: str, encoding: str) -> float:
    """How much a text looks like words in one script: letters, lower case within words, common characters."""
    beyond = [letter for letter in text if not letter.isascii()]
    if not beyond:
        return 0.0
    names = [unicodedata.name(letter, "") for letter in beyond]
    scripts = Counter(next((script for script in _SCRIPTS if name.startswith(script)), "") for name in names)
    script, count = scripts.most_common(1)[0]
    small = sum(letter.islower() for letter in beyond) / len(beyond) if script in _SCRIPTS[:3] else 1.0
    crowded = script == "LATIN" and any(len(run) > 2 for run in re.findall(r"[^\x00-\x7f]+", text))
    mixed = (
        script != "LATIN" and encoding not in _FIRST_LEVEL and re.search(r"[a-z][^\x00-\x7f]|[^\x00-\x7f][a-z]", text)
    )
    odd = _ODD_WITHIN.search(text) is not None
    letters = sum(map(str.isalpha, beyond)) / len(beyond)  # Hebrew points or Arabic signs do not occur alone
    everyday = _everyday(beyond, encoding) if encoding in _FIRST_LEVEL else 1.0
    doubt = (0.5 if crowded else 1.0) * (0.3 if mixed else 1.0) * (0.5 if odd else 1.0)
    return (count / len(beyond) if script else 0.0) * (0.5 + small / 2) * letters * everyday * doubt


def _everyday(letters: list[str], encoding: str) -> float:
    """The fraction of characters of a text that are common ones in its encoding."""
    level = _FIRST_LEVEL[encoding]
    written = [letter.encode(encoding, "ignore") for letter in letters]
    return sum(len(each) == 2 and each[0] in level for each in written) / len(letters)


def unpack(content: bytes, name: str, most: int = _MOST_BYTES) -> tuple[bytes, str]:
    """The content of a packed file, and its name without the suffix; any other file is returned unchanged.

    Parameters
    ----------
    content, name
        Bytes and name of the file.
    most
        The maximum number of bytes to unpack; a packed file of a few kilobytes can exceed any memory.

    Raises
    ------
    DataError
        If the file is damaged, truncated, empty inside or too large.
    """
    if content.startswith(ZIP):
        return _unzip(content, name, most)
    mark = next((mark for mark in _PACKERS if content.startswith(mark)), None)
    if mark is None:
        return content, name
    pieces, size = [], 0
    try:
        with _opened(mark, content) as packed:
            while piece := packed.read(_CHUNK):
                size += len(piece)
                if size > most:
                    raise _too_large(name, most)
                pieces.append(piece)
        unpacked = b"".join(pieces)
    except MemoryError:
        raise DataError('"{name}" does not fit into memory when unpacked. Open a smaller table.', name=name) from None
    except (OSError, EOFError, zlib.error, lzma.LZMAError):
        titles = _PACKERS[mark]
        raise DataError(
            '"{name}" is a damaged or truncated {titles} archive; download or copy it again.', name=name, titles=titles
        ) from None
    if not unpacked:
        raise DataError('"{name}" is empty (0 bytes when unpacked). Choose a file that contains a table.', name=name)
    inner = next((name[: -len(suffix)] for suffix in PACKED_SUFFIXES if name.lower().endswith(suffix)), name)
    return unpacked, inner or name


def _too_large(name: str, most: int) -> DataError:
    return DataError(
        '"{name}" unpacks to more than {most:,} bytes, the most this program accepts. Open a smaller table.',
        name=name,
        most=most,
    )


def _opened(mark: bytes, content: bytes) -> BinaryIO:
    source = io.BytesIO(content)
    if mark == _GZIP:
        return cast(BinaryIO, gzip.GzipFile(fileobj=source))
    return cast(BinaryIO, bz2.BZ2File(source) if mark == _BZIP2 else lzma.LZMAFile(source))


def _unzip(content: bytes, name: str, most: int) -> tuple[bytes, str]:
    """The only file inside a zip file, and its name; a spreadsheet is returned unchanged.

    Parameters
    ----------
    content, name
        Bytes and name of the zip file.
    most
        The maximum number of bytes to unpack.

    Raises
    ------
    DataError
        If the file is damaged, encrypted or too large inside, contains several files, or is a sealed bundle.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            files = [each for each in packed.infolist() if not each.is_dir()]
            inside = [each for each in files if _CLUTTER.fullmatch(each.filename) is None]
            names = {each.filename for each in inside}
            refuse_by_members(names, name)
            if _MEDIA_TYPE in names:
                with packed.open(_MEDIA_TYPE) as stated:
                    refuse_by_media_type(stated.read(_LONGEST_MEDIA_TYPE).decode("latin-1"), name)
            if _is_one_format(names):
                return content, name
            tables = [each for each in inside if _TEXTS_BESIDE.fullmatch(each.filename) is None]
            if len(tables) == 1:
                inside, names = tables, {tables[0].filename}
            _refuse(names, name)
            if inside[0].file_size > most:
                raise _too_large(name, most)
            return packed.read(inside[0]), PurePosixPath(inside[0].filename).name
    except DataError:
        raise
    except _OF_ZIP:
        if name.lower().endswith(".zip"):
            raise DataError(
                '"{name}" is a damaged or truncated zip archive; download or copy it again.', name=name
            ) from None
        return content, name  # the spreadsheet reader reports what is wrong
    except RuntimeError:
        raise DataError(
            '"{name}" is password-protected or packed in an unusual way. Unpack it and open the table inside.',
            name=name,
        ) from None


def _is_one_format(names: set[str]) -> bool:
    """Whether files in a zip file belong together, as in a spreadsheet, and are read as they are."""
    if names & _SPREADSHEETS or names >= _JASP or any(_TENX in each.lower() for each in names):
        return True
    is_newer_jasp = len(names) > 1 and any(each.endswith(".sqlite") for each in names)
    return is_newer_jasp or (bool(names) and all(each.endswith(".npy") for each in names))


def _refuse(names: set[str], name: str) -> None:
    if names >= _SEALED:
        raise DataError(
            '"{name}" is a sealed bundle of results, not a table. Check it with "fsdesk verify", or read its '
            "report.html in a browser.",
            name=name,
        )
    if not names:
        raise DataError('"{name}" contains no files. Choose another one.', name=name)
    if len(names) != 1:
        raise DataError(
            '"{name}" contains {names} files ({files}). Unpack it and open the table inside.',
            name=name, names=len(names), files=quoted(sorted(names)),
        )  # fmt: skip
