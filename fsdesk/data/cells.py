"""Conversion of text cells to columns: floats if all are numbers, otherwise strings."""

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from fsdesk.errors import DataError
from fsdesk.messages import message_many

MISSING = frozenset(
    ("", "?", ".", "NA", "N/A", "n/a", "na", "NaN", "nan", "NAN", "#N/A", "#NA", "NULL", "Null", "null", "<NA>", "\\N")
)
_NAN = float("nan")
_WRITTEN = re.compile(r"[$€£]?\s?[+-]?(\d{1,3}([.,'’\s]\d{3})+|\d+)([.,]\d+)?\s?[%$€£]?")
_CHUNK_CELLS = 1 << 18  # strings alive at once: some 16 MB

Row = list[str]


@dataclass(frozen=True)
class Numbers:
    """Reads numbers with a decimal sign, "." or ","; missing values become NaN.

    ``other_is_clear`` means that a text with the other sign is certainly a number, as in sheets, which store numbers.
    """

    decimal: str = "."
    other_is_clear: bool = False

    def one(self, cell: str) -> float:
        """The number in a cell; ValueError if it is not a number, like 1_000 or, with a decimal comma, 1.5."""
        if self.decimal == "." and "_" not in cell:
            try:
                return float(cell)
            except ValueError:
                pass  # missing, or text
        cell = cell.strip()
        if cell in MISSING:
            return _NAN
        if "_" in cell or (self.decimal == "," and "." in cell):
            raise ValueError(cell)
        cell = cell.replace("\N{MINUS SIGN}", "-")  # as in typeset tables
        return float(cell.replace(",", ".") if self.decimal == "," else cell)

    def is_number(self, cell: str) -> bool:
        """Whether a cell is a number; missing values are not."""
        try:
            return not math.isnan(self.one(cell))
        except ValueError:
            return False

    def fits(self, cell: str) -> bool:
        """Whether a cell is a number or missing."""
        try:
            self.one(cell)
        except ValueError:
            return False
        return True

    def resembles(self, cell: str) -> bool:
        """Whether a cell is a number, missing, or a number in everyday notation: 1,037 or 3,5 or 12 % or $5."""
        return self.fits(cell) or _WRITTEN.fullmatch(cell.strip()) is not None

    def block(self, rows: Sequence[Row], width: int) -> NDArray[np.float64]:
        """Rows of ``width`` cells as (len(rows), width) floats; ValueError if a cell is not a number."""
        shape = (len(rows), width)
        count = len(rows) * width
        if not self._has_odd_signs(rows):
            try:
                cells: Iterable[str] = chain.from_iterable(rows)
                if self.decimal == ",":
                    cells = (cell.replace(",", ".") for cell in cells)
                return np.fromiter(map(float, cells), np.float64, count).reshape(shape)
            except ValueError:
                pass  # missing or text: look closer
        return np.fromiter(map(self.one, chain.from_iterable(rows)), np.float64, count).reshape(shape)

    def _has_odd_signs(self, rows: Sequence[Row]) -> bool:
        odd = "_" if self.decimal == "." else "_."
        return any(sign in joined for joined in map("".join, rows) for sign in odd)


@dataclass(frozen=True)
class Columns:
    """(n, q) column-major floats; text columns are NaN and have their stripped cells in ``texts``."""

    values: NDArray[np.float64]
    texts: dict[int, list[str]]


def gather(
    rows: Callable[[], Iterator[Row]], width: int, numbers: Numbers, text_columns: Collection[int] = ()
) -> Columns:
    """Columns of rows with ``width`` cells each.

    ``rows`` is called once, and again if further text columns are found; ``text_columns`` are known to be text.
    """
    text = set(text_columns)
    blocks = []
    for chunk in _chunks(rows(), width):
        _blank(chunk, text)
        try:
            block = numbers.block(chunk, width)
        except ValueError:
            found = {j for j, cells in enumerate(zip(*chunk, strict=True)) if not all(map(numbers.fits, cells))}
            text |= found
            _blank(chunk, found)
            block = numbers.block(chunk, width)
        blocks.append(block)
    values = np.empty((sum(map(len, blocks)), width), order="F")
    start = 0
    for block in blocks:
        values[start : start + len(block)] = block
        start += len(block)
    texts: dict[int, list[str]] = {j: [] for j in sorted(text)}
    if texts:
        for row in rows():
            for j, cells in texts.items():
                cells.append(row[j].strip())
        values[:, list(texts)] = np.nan
    return Columns(values, texts)


def gather_transposed(rows: Iterator[Row], height: int, width: int, numbers: Numbers) -> Columns:
    """Columns of a transposed grid: ``height`` lines of ``width`` cells give (width, height) values."""
    values = np.empty((width, height), order="F")
    texts: dict[int, list[str]] = {}
    start = 0
    for chunk in _chunks(rows, width):
        part = values[:, start : start + len(chunk)]
        try:
            part[:] = numbers.block(chunk, width).T
        except ValueError:
            for j, row in enumerate(chunk):
                try:
                    part[:, j] = numbers.block([row], width)[0]
                except ValueError:
                    part[:, j] = np.nan
                    texts[start + j] = [cell.strip() for cell in row]
        start += len(chunk)
    return Columns(values, texts)


def _chunks(rows: Iterator[Row], width: int) -> Iterator[list[Row]]:
    size = max(1, _CHUNK_CELLS // max(1, width))
    chunk: list[Row] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _blank(rows: Iterable[Row], columns: Collection[int]) -> None:
    for row in rows:
        for j in columns:
            row[j] = "nan"


def ragged(name: str, line: int, cells: int, width: int, separator: bool = False) -> DataError:
    """The error for a line with too few or too many cells; a ``separator`` chosen by the user may be wrong."""
    count = message_many(cells, "{count} cell", "{count} cells")
    if separator:
        return DataError(
            'Line {line} of "{name}" has {count} where {width:,} are expected with the chosen separator. Choose '
            "another separator, or correct that line.",
            line=line,
            name=name,
            count=count,
            width=width,
        )
    return DataError(
        'Line {line} of "{name}" has {count} where {width:,} are expected. Correct that line.',
        line=line,
        name=name,
        count=count,
        width=width,
    )
