"""Large delimited texts, read in blocks: numbers by pandas' parser, after the text cells have been cut out.

On anything unusual (a ragged line, an odd quotation mark, a cell of unexpected type) this reader returns None, and the
careful reader in :mod:`fsdesk.data.cells`, several times slower, decides and reports the line of an error.
"""

import csv
import io
from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.cells import MISSING, Columns, Numbers

FEWEST_BYTES = 1 << 22  # below this, importing pandas takes longer than it saves
_BLOCK = 1 << 20  # its numbers are still in the processor's cache when they are arranged by columns
_ATTEMPTS = 4
_NEWLINE = 10


class _TextFoundError(Exception):
    """Columns that were numeric so far contain text."""

    def __init__(self, columns: set[int]) -> None:
        super().__init__(columns)
        self.columns = columns


def bulk_columns(
    data: bytes,
    start: int,
    delimiter: str,
    decimal: str,
    width: int,
    text_columns: Collection[int] = (),
    *,
    turned: bool = False,
) -> Columns | None:
    """Columns of a UTF-8 text, identical to those from :func:`fsdesk.data.cells.gather`.

    Parameters
    ----------
    data
        The file as UTF-8.
    start
        Byte offset of the first line below the header.
    delimiter, decimal
        A single character, not a space; "." or ",".
    width
        Cells per line, two or more.
    text_columns
        Positions of columns known to contain text. Others are detected, at the cost of starting again.
    turned
        Whether lines are features: gives (width - 1, lines) values, and texts only for column 0, the names.

    Returns
    -------
    Columns or None
        (lines, width) column-major values with NaN in text columns; None if the careful reader should decide.
    """
    end = len(data)
    while end > start and data[end - 1] in b"\r\n":
        end -= 1
    rows = data.count(b"\n", start, end) + 1
    text = set(text_columns)
    for _ in range(_ATTEMPTS):
        shape = (width - 1, rows) if turned else (rows, width)
        columns = Columns(np.empty(shape, order="F"), {j: [] for j in sorted(text)})
        filled = 0
        try:
            for block in _blocks(data, start, end):
                numbers = _numbers(block, delimiter, decimal, width, columns.texts)
                after = filled + len(numbers)
                if turned:
                    columns.values[:, filled:after] = numbers[:, 1:].T
                else:
                    columns.values[filled:after] = numbers
                filled = after
        except _TextFoundError as found:
            text |= found.columns
            if turned:
                return None
        except ValueError:
            return None
        else:
            kept = columns.values[:, :filled] if turned else columns.values[:filled]
            return Columns(np.asfortranarray(kept), columns.texts)
    return None


def _blocks(data: bytes, start: int, end: int) -> Iterator[bytes]:
    """Whole lines totaling some megabytes, each ending with a line feed, without blank ones."""
    while start < end:
        stop = data.rfind(b"\n", start, start + _BLOCK) + 1 or data.find(b"\n", start + _BLOCK) + 1 or end
        block = data[start : min(stop, end)]
        start = stop
        if b"\r" in block:
            block = block.replace(b"\r\n", b"\n").removesuffix(b"\r")
            if b"\r" in block:
                raise ValueError("a line ends in a carriage return alone")
        if not block.endswith(b"\n"):
            block += b"\n"
        if block.startswith(b"\n") or b"\n\n" in block:
            block = b"".join(line + b"\n" for line in block.split(b"\n") if line)
        if block:
            yield block


def _numbers(
    block: bytes, delimiter: str, decimal: str, width: int, texts: dict[int, list[str]]
) -> NDArray[np.float64]:
    """Values (lines, width) of a block; text cells are appended to ``texts`` and are NaN."""
    import pandas as pd

    codes = np.frombuffer(block, np.uint8)
    is_last = codes == _NEWLINE
    ends = np.flatnonzero(is_last | (codes == ord(delimiter)))
    lines, rest = divmod(len(ends), width)
    last = ends[width - 1 :: width]
    if rest or np.count_nonzero(is_last) != lines or not is_last[last].all():
        raise ValueError("ragged")
    if texts:
        codes = _without_texts(block, codes, ends, delimiter, width, texts)
    # All cells as one column: this avoids a parser's cost per column for tables with 200,000 columns. No comma remains
    # to separate cells; anything but the decimal sign makes a number text.
    if (delimiter, decimal) == (",", "."):  # nothing else to replace, which saves a tenth of the time
        lined = codes.copy()
        lined[ends] = _NEWLINE
        stacked = lined.tobytes()
    else:
        signs = {".": "#", ",": "."} if decimal == "," else {",": "#"}
        signs[delimiter] = "\n"
        table = bytes.maketrans("".join(signs).encode(), "".join(signs.values()).encode())
        stacked = codes.tobytes().translate(table)
    try:
        parsed = pd.read_csv(
            io.BytesIO(stacked),
            header=None,
            names=[0],
            dtype=np.float64,
            na_values=sorted(MISSING),
            keep_default_na=False,
            skip_blank_lines=False,
            skipinitialspace=True,
            encoding="latin-1",
            low_memory=False,
            **_exactly(pd.__version__),
        )
    except (ValueError, pd.errors.ParserError):
        raise _TextFoundError(_text_columns(block, delimiter, decimal, width, texts)) from None
    values: NDArray[np.float64] = parsed[0].to_numpy()
    if len(values) != lines * width:
        raise ValueError("quotation marks span cells")
    return values.reshape(lines, width)


def _exactly(version: str) -> dict[str, Any]:
    """Options that make pandas read 0.1 exactly as Python does; none for newer versions, which do so anyway."""
    return {} if tuple(map(int, version.split(".")[:2])) >= (3, 1) else {"float_precision": "round_trip"}


def _without_texts(
    block: bytes, codes: NDArray[np.uint8], ends: NDArray[np.intp], delimiter: str, width: int,
    texts: dict[int, list[str]],
) -> NDArray[np.uint8]:  # fmt: skip
    """Append the cells of the text columns to ``texts``, and return the block's bytes with spaces in their place."""
    quoted, known = b'"' in block, block.decode() if block.isascii() else ""
    blanked = codes.copy()
    starts = np.empty_like(ends)
    starts[0] = 0
    starts[1:] = ends[:-1] + 1
    for j, cells in texts.items():
        first, after = starts[j::width], ends[j::width]
        cuts = zip(first.tolist(), after.tolist(), strict=True)
        found = [known[a:b].strip() for a, b in cuts] if known else [block[a:b].decode().strip() for a, b in cuts]
        cells += [_unquoted(cell) for cell in found] if quoted else found
        lengths = after - first
        before = np.cumsum(lengths) - lengths
        blanked[np.arange(lengths.sum()) + np.repeat(first - before, lengths)] = ord(" ")
    return blanked


def _unquoted(cell: str) -> str:
    """A cell without the quotation marks around it; ValueError if there are others."""
    if '"' not in cell:
        return cell
    inner = cell[1:-1]
    if len(cell) < 2 or cell[0] != '"' or cell[-1] != '"' or '"' in inner:
        raise ValueError("quotation marks within a cell")
    return inner.strip()


def _text_columns(block: bytes, delimiter: str, decimal: str, width: int, known: Collection[int]) -> set[int]:
    """The columns with text in a block that were not known to have any; ValueError if there are none."""
    numbers = Numbers(decimal)
    try:
        rows = list(csv.reader(block.decode().split("\n"), delimiter=delimiter))
    except csv.Error:
        raise ValueError("quotation marks") from None
    columns = zip(*(row for row in rows if len(row) == width), strict=True)
    found = {j for j, cells in enumerate(columns) if j not in known and not all(map(numbers.fits, cells))}
    if not found:
        raise ValueError("no text in any column")
    return found
