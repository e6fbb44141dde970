"""Excel 97 workbooks (.xls), checked before calamine reads them.

calamine reserves the memory that a file claims to need, and Rust aborts the process if there is not enough. So the
record stream is extracted from its container here, its claims are compared with its content, and only the stream is
written into a new container. Formats: [MS-CFB] and [MS-XLS] of Microsoft's Open Specifications.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from fsdesk.data.readers.sheet_limits import Span, check_text
from fsdesk.errors import DataError

OLE = b"\xd0\xcf\x11\xe0"
_SIGNATURE = bytes.fromhex("d0cf11e0a1b11ae1")
_END, _UNUSED, _TABLE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD  # special sector numbers: none, unused, table
_SMALL, _SMALL_SECTOR = 4096, 64  # shorter streams are stored in sectors of 64 bytes
_SECTOR, _NUMBERS, _TABLES = 4096, 1024, 109  # of the container we write: 109 tables fit into its header
_MOST_BYTES = (_TABLES * (_NUMBERS - 1) - 1) * _SECTOR
_COLUMNS, _MOST_CELLS = 256, 20_000_000

_END_OF_PART, _CONTINUE, _SHEET, _SHARED = 0x0A, 0x3C, 0x85, 0xFC
_ROW, _COLUMNS_SHOWN, _HIDDEN_ROW, _HIDDEN_COLUMN = 0x208, 0x7D, 0x20, 0x01
_BLANK, _DIMENSIONS, _FORMULA, _FORMULA_TEXT = 0x201, 0x200, 0x06, 0x207
_SHARED_TEXT, _NUMBERS_OF_ROW = 0xFD, 0xBD
_CELLS = {_FORMULA, _SHARED_TEXT, _NUMBERS_OF_ROW, 0x203, 0x204, 0x205, 0x27E}


def checked_workbook(data: bytes, name: str) -> bytes:
    """The workbook alone, in a container without anything else, with no claims beyond its content.

    Raises
    ------
    DataError
        If its sheets span far more cells than they have, repeat a text endlessly, or are not sheets of Excel 97.
    ValueError, struct.error
        If it is damaged.
    """
    stream = bytearray(_workbook(data))
    _check(stream, name)
    if len(stream) > _MOST_BYTES:
        raise DataError(
            '"{name}" is too large for an Excel 97 workbook ({size:,} bytes). Save it as CSV and open that.',
            name=name,
            size=len(stream),
        )
    return _contained(bytes(stream))


def hidden_in_sheet(data: bytes, sheet: str) -> tuple[frozenset[int], frozenset[int]]:
    """Hidden rows and columns of a sheet of a checked workbook, counted from 0."""
    stream = bytearray(_workbook(data))
    start = next((at for at, name in _sheets(stream) if name == sheet), None)
    rows, columns = set[int](), set[int]()
    for kind, at, length in _records(stream, start) if start is not None else ():
        if kind == _ROW and length >= 16 and stream[at + 12] & _HIDDEN_ROW:
            rows.add(int.from_bytes(stream[at : at + 2], "little"))
        elif kind == _COLUMNS_SHOWN and length >= 10 and stream[at + 8] & _HIDDEN_COLUMN:
            first, last = struct.unpack_from("<HH", stream, at)
            columns |= {*range(first, min(last, _COLUMNS - 1) + 1)}
    return frozenset(rows), frozenset(columns)


def _sheets(stream: bytearray) -> Iterator[tuple[int, str]]:
    """Where each sheet begins, and its name."""
    for kind, at, length in _records(stream, 0):
        if kind == _SHEET and length >= 8:
            start, _, count, wide = struct.unpack_from("<IHBB", stream, at)
            text = bytes(stream[at + 8 : at + 8 + count * (1 + (wide & 1))])
            yield start, text.decode("utf-16-le" if wide & 1 else "latin-1", "replace")


def _workbook(data: bytes) -> bytes:
    """The record stream in a compound file."""
    shift, directory, of_small, more = struct.unpack_from("<30xH16xI8xI4xI", data)
    if shift not in (9, 12):
        raise ValueError("not the size of a sector")
    size = 1 << shift
    count = (len(data) - 1) // size

    def sector(number: int) -> bytes:
        return data[(number + 1) * size : (number + 2) * size]

    tables = list(struct.unpack_from("<109I", data, 76))
    for _ in range(count):
        if more >= count:
            break
        *numbers, more = _numbers(sector(more))
        tables += numbers
    follows: list[int] = []
    for table in tables:
        if table < count and len(follows) < count:
            follows += _numbers(sector(table))

    def whole(first: int) -> bytes:
        return b"".join(map(sector, _chain(first, follows)))

    entries = whole(directory)
    streams: dict[str, tuple[int, int]] = {}
    for place in range(0, len(entries) - 127, 128):
        name = entries[place : place + 64].decode("utf-16-le", "ignore").partition("\0")[0]
        streams.setdefault(name, struct.unpack_from("<II", entries, place + 116))
    found = streams.get("Workbook") or streams.get("Book")
    if found is None:
        raise ValueError("no workbook")
    first, length = found
    if length >= _SMALL:
        return whole(first)[:length]
    small = whole(struct.unpack_from("<I", entries, 116)[0])
    chain = _chain(first, _numbers(whole(of_small)))
    return b"".join(small[number * _SMALL_SECTOR : (number + 1) * _SMALL_SECTOR] for number in chain)[:length]


def _numbers(sector: bytes) -> list[int]:
    return list(struct.unpack(f"<{len(sector) // 4}I", sector[: len(sector) // 4 * 4]))


def _chain(first: int, follows: list[int]) -> list[int]:
    """The sectors of a chain from the first to the last; ValueError if it leaves the file or is circular."""
    found: list[int] = []
    while first != _END:
        if first >= len(follows) or len(found) == len(follows):
            raise ValueError("a chain without an end")
        found.append(first)
        first = follows[first]
    return found


def _records(stream: bytearray, start: int) -> Iterator[tuple[int, int, int]]:
    """Kind, start of content and its length, for each record of a part of the stream."""
    while start + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, start)
        if start + 4 + length > len(stream):
            raise ValueError("a record that is cut short")
        yield kind, start + 4, length
        if kind == _END_OF_PART:
            return
        start += 4 + length


def _check(stream: bytearray, name: str) -> None:
    """Raise DataError or ValueError if claims exceed the content; remove records that only reserve memory."""
    sheets: list[int] = []
    shared: list[bytes] = []
    last = 0
    for kind, at, length in _records(stream, 0):
        if kind == _SHEET:
            sheets += struct.unpack_from("<I", stream, at)
        if kind == _SHARED:
            shared = [bytes(stream[at : at + length])]
        elif kind == _CONTINUE and last == _SHARED:
            shared.append(bytes(stream[at : at + length]))
            continue
        last = kind
    lengths = _text_lengths(shared) if shared else []
    cells = characters = walked = 0
    for number, start in enumerate(sheets, 1):
        sheet = _Sheet(lengths)
        for kind, at, length in _records(stream, start):
            walked += 4 + length
            if walked > 2 * len(stream):
                raise ValueError("sheets that lie in one another")
            if kind == _DIMENSIONS:  # the sheet's stated size
                struct.pack_into("<H", stream, at - 4, _BLANK)
            elif kind == _FORMULA and length >= 22:
                struct.pack_into("<H", stream, at + 20, 0)  # not a formula: its value precedes it
            sheet.add(kind, length, bytes(stream[at : at + 10]))
        if sheet.span.last_column >= _COLUMNS:
            raise DataError(
                'Sheet {number} of "{name}" has a cell in column {column:,}, beyond the limit of {most}. Save it '
                "again in Excel, or as CSV.",
                number=number,
                name=name,
                column=sheet.span.last_column + 1,
                most=_COLUMNS,
            )
        cells, characters = cells + sheet.span.cells, characters + sheet.characters
    if cells > _MOST_CELLS:
        raise DataError(
            'The sheets of "{name}" span more than {most:,} cells, nearly all of them empty. Save the table as CSV '
            "and open that.",
            name=name,
            most=_MOST_CELLS,
        )
    check_text(characters, name)


@dataclass
class _Sheet:
    """The memory needed by the cells of a sheet."""

    lengths: list[int]
    span: Span = field(default_factory=Span)
    formula: tuple[int, int] = (0, 0)
    characters: int = 0

    def add(self, kind: int, length: int, content: bytes) -> None:
        """Count a record."""
        if kind == _FORMULA_TEXT:
            row, column = self.formula
        elif kind in _CELLS:
            row, column = struct.unpack_from("<HH", content)
        else:
            return
        end = column
        if kind == _FORMULA:
            self.formula = row, column
        elif kind == _NUMBERS_OF_ROW:
            end += max(length // 6 - 2, 0)
        elif kind == _SHARED_TEXT:
            (place,) = struct.unpack_from("<I", content, 6)
            self.characters += self.lengths[place] if place < len(self.lengths) else 0
        self.span.add(row, column, end)


def _text_lengths(parts: list[bytes]) -> list[int]:
    """Number of characters of each shared text, which may continue in further records."""
    content, ends = b"".join(parts), list(accumulate(map(len, parts)))
    (count,) = struct.unpack_from("<I", content, 4)
    if 3 * count > len(content):
        raise ValueError("more texts than there is room for")
    lengths = []
    at, part = 8, 0
    for _ in range(count):
        characters, flags = struct.unpack_from("<HB", content, at)
        at += 3
        runs = more = 0
        if flags & 8:
            (runs,) = struct.unpack_from("<H", content, at)
            at += 2
        if flags & 4:
            (more,) = struct.unpack_from("<I", content, at)
            at += 4
        left, width = characters, 1 + (flags & 1)
        while left:
            while at > ends[part]:
                part += 1
            here = min(left, (ends[part] - at) // width)
            left, at = left - here, at + here * width
            if left:
                at, part = ends[part], part + 1
                (flags,) = struct.unpack_from("<B", content, at)
                width, at = 1 + (flags & 1), at + 1
        at += 4 * runs + more
        if at > len(content):
            raise ValueError("texts that are cut short")
        lengths.append(characters)
    return lengths


def _contained(stream: bytes) -> bytes:
    """A compound file with a single stream, the workbook."""
    stream = stream.ljust(_SMALL, b"\0")
    sectors = -(-len(stream) // _SECTOR)
    tables = -(-(sectors + 1) // (_NUMBERS - 1))
    follows = [_TABLE] * tables + [_END, *range(tables + 2, tables + 1 + sectors), _END]
    follows += [_UNUSED] * (tables * _NUMBERS - len(follows))
    head = struct.pack(
        "<8s16x5H6x9I",
        _SIGNATURE, 0x3E, 4, 0xFFFE, 12, 6, 1, tables, tables, 0, _SMALL, _END, 0, _END, 0,
    )  # fmt: skip
    first = [*range(tables), *[_UNUSED] * (_TABLES - tables)]
    directory = _entry("Root Entry", 5, 0, 0, 1) + _entry("Workbook", 2, tables + 1, len(stream), _UNUSED)
    return b"".join(
        [
            (head + struct.pack(f"<{_TABLES}I", *first)).ljust(_SECTOR, b"\0"),
            struct.pack(f"<{len(follows)}I", *follows),
            directory.ljust(_SECTOR, b"\0"),
            stream,
            bytes(-len(stream) % _SECTOR),
        ]
    )


def _entry(name: str, kind: int, start: int, length: int, child: int) -> bytes:
    """A directory entry."""
    text = name.encode("utf-16-le")
    return struct.pack("<64sHBBIII36xIQ", text, len(text) + 2, kind, 1, _UNUSED, _UNUSED, child, start, length)
