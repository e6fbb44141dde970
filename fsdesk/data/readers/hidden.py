"""Hidden rows and columns of sheets of Excel and OpenDocument, which calamine does not report."""

import html
import io
import posixpath
import re
import zipfile
from dataclasses import dataclass
from xml.etree import ElementTree

from fsdesk.data.readers.content import ZIP
from fsdesk.data.readers.excel97 import OLE, hidden_in_sheet

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
    if data.startswith(OLE):
        return Hidden(*hidden_in_sheet(data, sheet))
    if not data.startswith(ZIP):
        return Hidden()
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        if _CONTENT in packed.namelist():
            return _in_opendocument(packed.read(_CONTENT), sheet)
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


_CONTENT = "content.xml"
_TABLE = re.compile(rb"<table:table(?=[\s>])[^>]*>")
_SHOWN = re.compile(rb"<table:table-(row|column)\b[^>]*>")
_COLLAPSED = re.compile(rb"\stable:visibility\s*=\s*[\"'](?:collapse|filter)[\"']")
_REPEATED = re.compile(rb"\stable:number-(?:rows|columns)-repeated\s*=\s*[\"'](\d{1,7})[\"']")
_NAMED = re.compile(rb"\stable:name\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_MOST_HIDDEN = 1 << 20


def _in_opendocument(xml: bytes, sheet: str) -> Hidden:
    if _COLLAPSED.search(xml) is None:
        return Hidden()
    found: dict[bytes, set[int]] = {b"row": set(), b"column": set()}
    place = dict.fromkeys(found, 0)
    for match in _SHOWN.finditer(xml, *_span(xml, sheet)):
        kind, repeated = match[1], _REPEATED.search(match[0])
        after = min(place[kind] + (int(repeated[1]) if repeated else 1), _MOST_HIDDEN)
        if _COLLAPSED.search(match[0]):
            found[kind] |= {*range(place[kind], after)}
        place[kind] = after
    return Hidden(frozenset(found[b"row"]), frozenset(found[b"column"]))


def _span(xml: bytes, sheet: str) -> tuple[int, int]:
    """Where a sheet begins and ends."""
    begins = list(_TABLE.finditer(xml))
    for match, after in zip(begins, [*(each.start() for each in begins[1:]), len(xml)], strict=True):
        named = _NAMED.search(match[0])
        if named is not None and html.unescape((named[1] or named[2] or b"").decode("utf-8", "replace")) == sheet:
            return match.end(), after
    return 0, 0


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
