"""Tables of C4.5 and See5: rows in a .data file, names and types of the columns in a .names file beside it.

This reader is our own, because no common library reads these two text files.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from fsdesk.data.cells import MISSING, Row
from fsdesk.data.dataset import Table
from fsdesk.data.options import CELLS, ReadOptions
from fsdesk.data.readers.content import Content, Text, decode
from fsdesk.data.readers.grid import to_table
from fsdesk.data.readers.grid_lines import Grid
from fsdesk.data.readers.reader import Reader
from fsdesk.data.roles import as_descriptions, left_aside
from fsdesk.errors import DataError
from fsdesk.messages import joined

_NAMES, _DATA = ".names", (".data", ".test", ".cases")
_MOST_BYTES = 1 << 24
_COMMENT = re.compile(r"(?<!\\)\|.*")
_ATTRIBUTE = re.compile(r"(?P<name>(?:[^:\\]|\\.)+?)\s*:(?P<computed>=)?\s*(?P<kind>.*)", re.DOTALL)
_CELLS = re.compile(r"(?<!\\),")
_ROW_END = re.compile(r"\.?\s*(\|.*)?")
_ESCAPE = re.compile(r"\\(.)")
_NUMBERS, _WORDS, _LEFT_OUT = ("continuous",), ("date", "time", "timestamp"), ("ignore", "label")
_CLASS = "class"


@dataclass(frozen=True)
class _Column:
    """Name of a column, its categories if they are listed, and a word for the type if not."""

    name: str
    levels: frozenset[str] = frozenset()
    kind: str = ""


def _columns(text: str) -> tuple[list[_Column], str]:
    """The columns in the order of the cells, and the target; none if the text is not in the format of C4.5."""
    lines = [_COMMENT.sub("", line).strip() for line in text.split("\n")]
    entries: list[str] = []
    for line in filter(None, lines):
        goes_on = entries and not entries[-1].endswith(".") and (entries[-1].endswith((",", ":")) or ":" not in line)
        if goes_on:
            entries[-1] += f" {line}"
        else:
            entries.append(line)
    classes, *told = [entry.removesuffix(".").strip() for entry in entries] or [""]
    if not told or ":" in classes:
        return [], ""
    columns = []
    for entry in told:
        match = _ATTRIBUTE.fullmatch(entry)
        if match is None:
            return [], ""
        if not match["computed"]:
            levels = _cells(match["kind"])
            word = levels[0].split(" ")[0].lower() if len(levels) == 1 else ""
            if len(levels) == 1 and word not in (*_NUMBERS, *_WORDS, *_LEFT_OUT, "discrete"):
                return [], ""
            columns.append(_Column(_plain(match["name"]), frozenset(levels) if len(levels) > 1 else frozenset(), word))
    names = _cells(classes)
    if len(names) == 1:  # See5 may name one of the columns
        return (columns, names[0]) if names[0] in {column.name for column in columns} else ([], "")
    target = _CLASS
    while target in {column.name for column in columns}:
        target += "_"
    return [*columns, _Column(target, frozenset(names))], target


def _cells(line: str) -> Row:
    return [_plain(cell) for cell in _CELLS.split(line)]


def _plain(cell: str) -> str:
    cell = cell.strip()
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        cell = cell[1:-1]
    return _ESCAPE.sub(r"\1", cell)


def _beside(content: Content, suffixes: tuple[str, ...]) -> Path | None:
    """A file of the same name with one of these suffixes."""
    if content.folder is None:
        return None
    stem = Path(content.name).stem
    return next((path for suffix in suffixes if (path := content.folder / f"{stem}{suffix}").is_file()), None)


def _told(content: Content) -> tuple[list[_Column], str]:
    """The columns declared in the .names file beside a table, and the target; none if there is no such file."""
    path = _beside(content, (_NAMES,))
    if path is None or not 0 < path.stat().st_size <= _MOST_BYTES:
        return [], ""
    try:
        return _columns(decode(path.read_bytes(), path.name).text)
    except (DataError, OSError):
        return [], ""


def _is_pair(content: Content) -> bool:
    """Whether a file beside this one names as many columns as its first line has cells."""
    if not content.name.lower().endswith(_DATA):
        return False
    columns, _ = _told(content)
    line = next((line for line in content.head.split("\n") if _row_of(line)), "")
    return bool(columns) and len(_row_of(line)) == len(columns)


def _row_of(line: str) -> Row:
    """The cells of a line, without the point or comment at its end; none of a blank one."""
    match = re.fullmatch(rf"(?P<row>.*?){_ROW_END.pattern}", line.strip())
    row = match["row"].strip() if match else ""
    return _cells(row) if row else []


def _read(content: Content, options: ReadOptions) -> Table:
    """Read both files, whichever of them is opened.

    Raises DataError if there is only one of the two, if a line has another number of cells than there are names, and
    for categories that are not listed; names the line.
    """
    if content.name.lower().endswith(_NAMES):
        path = _beside(content, _DATA)
        if path is None or not _is_pair(data := Content.of_file(path, options.encoding)):
            raise DataError(
                '"{name}" describes a table but does not contain it. Open the file with the rows, such as {data}.',
                name=content.name, data=f"{Path(content.name).stem}.data",
            )  # fmt: skip
        content = data
    return _table(content, content.text(), options)


def _table(content: Content, text: Text, options: ReadOptions) -> Table:
    columns, target = _told(content)
    name = content.name

    def rows() -> Iterator[tuple[int, Row]]:
        yield 0, [column.name for column in columns]
        for number, line in enumerate(text.text.split("\n"), 1):
            row = _row_of(line)
            if not row:
                continue
            for cell, column in zip(row, columns, strict=False):
                if column.levels and cell not in column.levels and cell not in MISSING:
                    raise DataError(
                        'Line {numbers} of "{name}" has "{cells}" for "{name2}", which does not declare it; correct '
                        "that line.",
                        numbers=number, name=name, cells=cell, name2=column.name,
                    )  # fmt: skip
            yield number, row

    types = [f"{column.name}=category?" for column in columns
             if (column.levels or column.kind == "discrete") and ";" not in column.name]  # fmt: skip
    said = "; ".join(filter(None, [options.types, *types]))
    grid = Grid(name, joined(", ", [name, "C4.5", text.encoding]), rows, checks=text.checks)
    table = to_table(grid, options.updated({"header": "yes", "below_header": "data", "row_ids": "none", "types": said}))
    told = tuple(reading for reading in table.readings if reading.kind != "target")
    table = replace(table, default_target=target, readings=told)
    kept = {kind: tuple(column.name for column in columns if column.kind == kind and column.name in table.columns)
            for kind in _LEFT_OUT}  # fmt: skip
    return left_aside(as_descriptions(table, kept["label"]), kept["ignore"])


READER = Reader(
    "C4.5, See5", (_NAMES,), _read, _is_pair, ("encoding", "labels", "labels_by", *CELLS),
)  # fmt: skip
