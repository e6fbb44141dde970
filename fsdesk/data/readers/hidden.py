"""Hidden rows and columns of an .xlsx sheet, which calamine does not report."""

import io
import posixpath
import re
import zipfile
from dataclasses import dataclass
from xml.etree import ElementTree

from fsdesk.data.readers.content import ZIP

_ROW = re.compile(rb"<(?:\w+:)?row\b[^>]*>")
_COLUMN = re.compile(rb"<(?:\w+:)?col\b[^>]*>")
_HIDDEN = re.compile(rb"\shidden\s*=\s*[\"'](?:1|true)[\"']")
_NUMBER = re.compile(rb"\s(r|min|max)\s*=\s*[\"'](\d{1,7})[\"']")
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_MOST_COLUMNS = 16384


@dataclass(frozen=True)
class Hidden:
    """Hidden rows and columns of a sheet, counted from 0."""

    rows: frozenset[int] = frozenset()
    columns: frozenset[int] = frozenset()


def hidden_in(data: bytes, sheet: str) -> Hidden:
    """What is hidden in a sheet of a checked workbook; nothing if the file does not say."""
    if not data.startswith(ZIP):
        return Hidden()
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        part = _part(packed, sheet)
        xml = packed.read(part) if part in packed.namelist() else b""
    if _HIDDEN.search(xml) is None:
        return Hidden()
    rows, place = set[int](), -1
    for match in _ROW.finditer(xml):
        numbers = dict(_NUMBER.findall(match[0]))
        place = int(numbers[b"r"]) - 1 if b"r" in numbers else place + 1
        if _HIDDEN.search(match[0]):
            rows.add(place)
    columns = set[int]()
    for match in _COLUMN.finditer(xml):
        numbers = dict(_NUMBER.findall(match[0]))
        if _HIDDEN.search(match[0]) and {b"min", b"max"} <= numbers.keys():
            columns |= {*range(int(numbers[b"min"]) - 1, min(int(numbers[b"max"]), _MOST_COLUMNS))}
    return Hidden(frozenset(rows), frozenset(columns))


def _part(packed: zipfile.ZipFile, sheet: str) -> str:
    """The part of the workbook with a sheet; "" if not found."""
    try:
        book = ElementTree.fromstring(packed.read("xl/workbook.xml"))
        relations = ElementTree.fromstring(packed.read("xl/_rels/workbook.xml.rels"))
    except (KeyError, ElementTree.ParseError):
        return ""
    wanted = next(
        (each.get(_RELATION) for each in book.iter() if each.tag.endswith("}sheet") and each.get("name") == sheet), None
    )
    target = next((each.get("Target", "") for each in relations if each.get("Id") == wanted), "")
    return target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"xl/{target}")
