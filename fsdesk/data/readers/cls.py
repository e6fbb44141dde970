"""CLS, the labels of GenePattern and GSEA: the class of every sample, in the order of the samples of a GCT file.

This reader is our own: three lines of text, which no common library reads.
"""

import re

import numpy as np

from fsdesk.data.cells import Columns
from fsdesk.data.dataset import Table
from fsdesk.data.options import ReadOptions
from fsdesk.data.readers.content import Content
from fsdesk.data.readers.labels import IN_ORDER
from fsdesk.data.readers.reader import Reader
from fsdesk.data.reading import Reading
from fsdesk.data.table import build_table
from fsdesk.errors import DataError
from fsdesk.messages import joined, message

_HEAD = re.compile(r"\s*(\d+)\s+(\d+)\s+1\s*")


def _is_cls(content: Content) -> bool:
    """Whether the first line contains the numbers of samples and classes and a 1, and the next begins with #."""
    first, _, rest = content.head.partition("\n")
    return (bool(_HEAD.fullmatch(first)) and rest.lstrip().startswith("#")) or first.strip().lower() == "#numeric"


def _read(content: Content, options: ReadOptions) -> Table:
    """Read the labels as a table with one column; DataError if the lines are inconsistent."""
    text, name = content.text(), content.name
    lines = [line.strip() for line in text.text.split("\n") if line.strip()]
    if lines and lines[0].lower() == "#numeric":
        title, columns = _numbers(lines, name)
    else:
        title, columns = "class", _classes(lines, name)
    table = build_table(name, columns, [title], source=joined(", ", [name, "CLS", text.encoding]), checks=text.checks)
    order = Reading(IN_ORDER, message("Labels of a CLS file are in the order of the samples."))
    return Table(**{**vars(table), "readings": (order,)})


def _classes(lines: list[str], name: str) -> Columns:
    match = _HEAD.fullmatch(lines[0]) if lines else None
    if match is None or len(lines) < 3 or not lines[1].startswith("#"):
        raise DataError(
            '"{name}" is not a CLS file: its first line must contain the numbers of samples and classes and a 1, the '
            "second line a # followed by the class names, and the third line the class of each sample.",
            name=name,
        )
    samples = int(match[1])
    classes, cells = lines[1].lstrip("#").split(), " ".join(lines[2:]).split()
    if len(cells) != samples:
        raise DataError(
            '"{name}" has {cells} labels, but its first line says {samples}; it is truncated or that line is wrong.',
            name=name, cells=len(cells), samples=samples,
        )  # fmt: skip
    found = list(dict.fromkeys(cells))
    # Labels are names, or class numbers; programs name classes in order of appearance.
    if not {*cells} <= {*classes}:
        by_number = all(cell.isdigit() and int(cell) < len(classes) for cell in cells)
        if not by_number and len(found) != len(classes):
            raise DataError(
                '"{name}" has {found} different labels but names {classes} classes. Correct its second line.',
                name=name, found=len(found), classes=len(classes),
            )  # fmt: skip
        named = {cell: classes[int(cell)] for cell in found} if by_number else dict(zip(found, classes, strict=True))
        cells = [named[cell] for cell in cells]
    return Columns(np.full((samples, 1), np.nan, order="F"), {0: cells})


def _numbers(lines: list[str], name: str) -> tuple[str, Columns]:
    title = lines[1].lstrip("#").strip() if len(lines) > 1 else ""
    try:
        values = [float(cell) for cell in lines[2].split()] if len(lines) > 2 else []
    except ValueError:
        values = []
    if not values:
        raise DataError('"{name}" has no line of numbers below the name of the phenotype; save it again.', name=name)
    return title or "value", Columns(np.array(values).reshape(-1, 1, order="F"), {})


READER = Reader("GenePattern CLS", (".cls",), _read, _is_cls, ("encoding",))
