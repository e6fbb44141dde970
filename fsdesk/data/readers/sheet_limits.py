"""Limits on the memory that a small workbook could fill, checked before calamine reads it.

calamine allocates every cell from the first to the last of a sheet, each repetition of a cell, and for every cell a
copy of its shared text. If memory runs out, Rust aborts the process. So all parts of a packed workbook are checked
first, whatever their names: their content is counted, and their claims are not trusted. calamine then receives a new
archive with exactly these parts, since in a crafted one it could find others than zipfile does.

A separate process with limits, as for files of SPSS, would not make this shorter: Windows and macOS do not limit a
process's memory by address space, so all of this would still have to be counted.
"""

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from xml.parsers import expat

from fsdesk.errors import DataError

MOST_UNPACKED, _MOST_CHARACTERS = 1 << 31, 200_000_000
_MOST_SPANNED, _MOST_EMPTY, _EMPTY_FOR_ONE = 100_000_000, 20_000_000, 50
_PIECE = 1 << 11  # packed bytes, which unpack to at most a thousand times as many
_UTF8, _DAY = 0x800, 0x21  # of the parts of an archive: encoding of their names; 1980-01-01

_PLACES = re.compile(rb"r\s*=\s*[\"']\s*([A-Za-z]*)([0-9]+)")
_PLACE = re.compile(r"([A-Za-z]{0,7})([0-9]{0,12})")
_CLAIMED = re.compile(rb"uniqueCount\s*=\s*[\"']\s*([0-9]+)")
_CELLS_OF_OPENDOCUMENT = ("table:table-cell", "table:covered-table-cell")


@dataclass
class Span:
    """The range of rows and columns from the first to the last cell, and the number of cells."""

    first_row: int = -1
    last_row: int = -1
    first_column: int = -1
    last_column: int = -1
    filled: int = 0

    def add(self, row: int, first: int, last: int) -> None:
        """Add one cell, or several of one row."""
        if self.last_row < 0:
            self.first_row = self.last_row = row
            self.first_column, self.last_column = first, last
        elif row > self.last_row:
            self.last_row = row
        elif row < self.first_row:
            self.first_row = row
        if first < self.first_column:
            self.first_column = first
        if last > self.last_column:
            self.last_column = last
        self.filled += 1

    @property
    def cells(self) -> int:
        """The number of cells to allocate."""
        if self.last_row < 0:
            return 0
        return (self.last_row - self.first_row + 1) * (self.last_column - self.first_column + 1)

    def check(self, name: str) -> None:
        """Raise DataError if there are too many cells."""
        most = min(_MOST_SPANNED, max(_MOST_EMPTY, _EMPTY_FOR_ONE * self.filled))
        if self.cells > most:
            raise DataError(
                'A sheet of "{name}" spans more than {most_spanned:,} cells, nearly all of them empty. Save the '
                "table as CSV and open that.",
                name=name,
                most_spanned=most,
            )


def check_text(characters: int, name: str) -> None:
    """Raise DataError if there are too many characters."""
    if characters > _MOST_CHARACTERS:
        raise DataError(
            'The text in the cells of "{name}" adds up to more than {most:,} characters. Save the table as CSV and '
            "open that.",
            name=name,
            most=_MOST_CHARACTERS,
        )


def checked_archive(data: bytes, name: str) -> bytes:
    """Check a packed workbook, .xlsx, .xlsb or .ods, and rewrite it with the parts found.

    Raises
    ------
    DataError
        If a part unpacks to gigabytes, a sheet spans far more cells than it has, or text is repeated to gigabytes.
    ValueError, struct.error, zlib.error
        If it is damaged.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            parts = packed.infolist()
    except Exception as error:  # zipfile fails in many ways
        raise ValueError(error) from None
    sizes = [0] * len(parts)
    for place, part in enumerate(parts):
        for piece in _pieces(data, part):
            sizes[place] += len(piece)
            if sum(sizes) >= MOST_UNPACKED:
                raise DataError(
                    '"{name}" unpacks to more than {most_unpacked:,} bytes, too large for this program. Save the '
                    "sheet as CSV and open that.",
                    name=name,
                    most_unpacked=MOST_UNPACKED,
                )

    def named(end: str) -> list[bytes]:
        return [unpacked_part(data, part) for part in parts if part.filename.lower().endswith(end)]

    texts = _Texts(named("sharedstrings.xml"), named("sharedstrings.bin"))
    for part in parts:
        content = unpacked_part(data, part)
        if b"table:table" in content:
            _check_opendocument(content, name)
        elif b"sheetData" in content:
            _check_sheet(content, texts, name)
        elif "sheets" in part.filename.lower() and not content.lstrip().startswith(b"<"):
            _check_binary_sheet(content, texts, name)
    return _rewritten(data, parts, sizes)


def _rewritten(data: bytes, parts: Sequence[zipfile.ZipInfo], sizes: Sequence[int]) -> bytes:
    """An archive of these parts, still packed, which unpack to this many bytes."""
    made, directory = bytearray(), bytearray()
    for part, size in zip(parts, sizes, strict=True):
        place, packed, title = len(made), _packed(data, part), part.filename.encode()
        about = struct.pack(
            "<5H3I2H", 20, _UTF8, part.compress_type, 0, _DAY, part.CRC, len(packed), size, len(title), 0
        )
        made += b"PK\3\4" + about + title + packed
        directory += b"PK\1\2" + struct.pack("<H", 20) + about + struct.pack("<3H2I", 0, 0, 0, 0, place) + title
    end = struct.pack("<4H2IH", 0, 0, len(parts), len(parts), len(directory), len(made), 0)
    return bytes(made + directory + b"PK\5\6" + end)


def unpacked_part(data: bytes, part: zipfile.ZipInfo) -> bytes:
    """The unpacked content of a part of a zip file."""
    return b"".join(_pieces(data, part))


def _pieces(data: bytes, part: zipfile.ZipInfo) -> Iterator[bytes]:
    """A part of a zip file, 2 MB at a time: its size is counted, not trusted."""
    packed = _packed(data, part)
    if part.compress_type == zipfile.ZIP_STORED:
        yield bytes(packed)
        return
    unpacker = zlib.decompressobj(-15)
    for place in range(0, len(packed), _PIECE):
        yield unpacker.decompress(packed[place : place + _PIECE])


def _packed(data: bytes, part: zipfile.ZipInfo) -> memoryview:
    """The raw bytes of a part in the file."""
    name_length, extra_length = struct.unpack_from("<HH", data, part.header_offset + 26)
    start = part.header_offset + 30 + name_length + extra_length
    return memoryview(data)[start : start + part.compress_size]


class _Texts:
    """The shared texts and their lengths; checked if they could be too long for all cells."""

    def __init__(self, xml: Sequence[bytes], binary: Sequence[bytes]) -> None:
        self._xml, self._binary = xml, binary
        self._most = max(map(len, (*xml, *binary)), default=0)
        self._lengths: list[int] | None = None
        for content in xml:
            if any(int(claimed) > len(content) for claimed in _CLAIMED.findall(content)):
                raise ValueError("more texts than there is room for")

    def may_be_long(self, cells: int) -> bool:
        """Whether this many cells may repeat more text than allowed."""
        return self._most * cells > _MOST_CHARACTERS and max(self.lengths, default=0) * cells > _MOST_CHARACTERS

    @property
    def lengths(self) -> list[int]:
        """Characters of each text, or slightly more."""
        if self._lengths is None:
            found = [_lengths(content) for content in self._xml]
            found += [[size for kind, _, size in _binary_records(part) if kind == 0x13] for part in self._binary]
            self._lengths = [max(each) for each in zip_longest(*found, fillvalue=0)]  # either of two same-named parts
        return self._lengths


def _parse(
    xml: bytes,
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str], None],
    text: Callable[[str], None] | None = None,
) -> None:
    parser = expat.ParserCreate()
    parser.specified_attributes = True  # calamine knows no others
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    if text is not None:
        parser.CharacterDataHandler = text
    try:
        parser.Parse(xml, True)
    except (expat.ExpatError, LookupError) as error:  # not well-formed, or of an unknown encoding
        raise ValueError(error) from None


def _lengths(xml: bytes) -> list[int]:
    """Characters of each shared text of an XML workbook."""
    found: list[int] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag.rpartition(":")[2] == "si":
            found.append(0)

    def text(content: str) -> None:
        if found:
            found[-1] += len(content)

    _parse(xml, start, lambda tag: None, text)
    return found


@cache
def _column(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = 26 * number + ord(letter) - 64
    return number - 1


def _is_small(xml: bytes, cells: int) -> bool:
    """Whether all cell references of a sheet, plus the cells without one, are few: a quick check."""
    letters, digits = set[bytes](), set[bytes]()
    for match in _PLACES.finditer(xml):
        letters.add(match[1])
        digits.add(match[2])
    if max(map(len, letters), default=0) > 3 or max(map(len, digits), default=0) > 7:
        return False
    rows = max((int(each) for each in digits), default=0) + xml.count(b"<row") + xml.count(b":row")
    columns = max((_column(each.decode()) for each in letters), default=0) + 1 + cells - xml.count(b'<c r="')
    return rows * columns <= min(_MOST_SPANNED, max(_MOST_EMPTY, _EMPTY_FOR_ONE * cells))


def _check_sheet(xml: bytes, texts: _Texts, name: str) -> None:
    """Check a sheet of .xlsx, whose cells state their position or follow the previous one."""
    cells = xml.count(b"<c") + xml.count(b":c")
    is_long = texts.may_be_long(cells)
    if not is_long and _is_small(xml, cells):
        return
    span, row, column = Span(), 0, 0
    kind, digits, characters = "", "", 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal row, column, kind, digits
        tag = tag.rpartition(":")[2]
        if tag == "c":
            kind, digits = attributes.get("t", ""), ""
            match = _PLACE.fullmatch(attributes.get("r", ""))
            at = row
            if match is None:
                raise ValueError("not the place of a cell")
            if match[2]:
                at, column = int(match[2]) - 1, _column(match[1])
            span.add(at, column, column)
            column += 1
        elif tag == "row" and attributes.get("r", "").isdecimal():
            row = int(attributes["r"]) - 1

    def end(tag: str) -> None:
        nonlocal row, column, characters
        tag = tag.rpartition(":")[2]
        if tag == "row":
            row, column = row + 1, 0
        elif tag == "c" and kind == "s" and digits.strip().isdecimal() and (place := int(digits)) < len(texts.lengths):
            characters += texts.lengths[place]

    def text(content: str) -> None:
        nonlocal digits
        digits += content[: max(0, 20 - len(digits))]

    _parse(xml, start, end, text if is_long else None)
    span.check(name)
    check_text(characters, name)


def _binary_records(content: bytes) -> Iterator[tuple[int, int, int]]:
    """Kind, start of content and its length for each record of a part of .xlsb."""
    at = 0
    while at < len(content):
        kind, at = content[at], at + 1
        if kind & 0x80 and at < len(content):
            kind, at = kind & 0x7F | (content[at] & 0x7F) << 7, at + 1
        length = 0
        for shift in (0, 7, 14, 21):
            if at >= len(content):
                break
            byte, at = content[at], at + 1
            length |= (byte & 0x7F) << shift
            if not byte & 0x80:
                break
        yield kind, at, length
        at += length


def _check_binary_sheet(content: bytes, texts: _Texts, name: str) -> None:
    """Check a sheet of .xlsb, in which a record gives the row of the cells that follow it."""
    span, row, characters = Span(), 0, 0
    for kind, at, length in _binary_records(content):
        if kind == 0 and length >= 4:
            (row,) = struct.unpack_from("<I", content, at)
        elif kind <= 11 and length >= 4:
            (column,) = struct.unpack_from("<I", content, at)
            span.add(row, column, column)
            if kind == 7 and length >= 12:
                (place,) = struct.unpack_from("<I", content, at + 8)
                characters += texts.lengths[place] if place < len(texts.lengths) else 0
    span.check(name)
    check_text(characters, name)


def _check_opendocument(xml: bytes, name: str) -> None:
    """Check sheets of .ods, whose rows and cells have repeat counts; ValueError if a sheet does not end."""
    if b"-repeated" not in xml and b"text:c" not in xml:
        _parse(xml, lambda tag, attributes: None, lambda tag: None)
        return
    counted = _Repeated()
    _parse(xml, counted.start, counted.end, counted.text)
    counted.span.check(name)
    check_text(counted.characters, name)


@dataclass
class _Cell:
    """A cell of .ods: its repeat count, whether it is filled, and the length of its text."""

    times: int
    is_filled: bool
    characters: int


class _Repeated:
    """Counts the cells of .ods, summed over all sheets, because all are in memory at once."""

    def __init__(self) -> None:
        self.span, self.characters = Span(), 0
        self._rows, self._times, self._columns = 0, 1, 0
        self._filled, self._in_row = 0, 0  # columns to the last filled cell; characters
        self._open: list[_Cell] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "table:table-row":
            self._times, self._columns = _times(attributes, "table:number-rows-repeated"), 0
            self._filled, self._in_row = 0, 0
        elif tag in _CELLS_OF_OPENDOCUMENT:
            said = [value for key, value in attributes.items() if key.startswith("office:") or key == "table:formula"]
            times = _times(attributes, "table:number-columns-repeated")
            self._open.append(_Cell(times, bool(said), sum(map(len, said))))
        elif tag == "text:s":
            self._add(_times(attributes, "text:c"))  # this many blanks

    def text(self, content: str) -> None:
        self._add(len(content))

    def _add(self, characters: int) -> None:
        for cell in self._open:
            cell.is_filled, cell.characters = True, cell.characters + characters

    def end(self, tag: str) -> None:
        if tag in _CELLS_OF_OPENDOCUMENT:
            cell = self._open.pop()
            self._columns += cell.times
            if cell.is_filled:
                self._filled, self._in_row = self._columns, self._in_row + cell.times * cell.characters
                self.span.filled += 1
        elif tag == "table:table-row":
            if self._filled:
                self.span.add(self._rows, 0, self._filled - 1)
                self.span.add(self._rows + self._times - 1, 0, self._filled - 1)
            self._rows, self.characters = self._rows + self._times, self.characters + self._times * self._in_row


def _times(attributes: dict[str, str], key: str) -> int:
    value = attributes.get(key, "1")
    return int(value) if value.isdecimal() else 1
