"""Tables with features in rows, descriptions of these on the left, and lines about the samples above the values.

MS-DIAL and Metabolon write such tables. This reader is our own, because their names are neither in the first line nor
complete.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from fsdesk.data.cells import MISSING, Numbers, Row
from fsdesk.data.dataset import Table
from fsdesk.data.options import ReadOptions
from fsdesk.data.readers.first_lines import is_title
from fsdesk.data.readers.grid import to_table
from fsdesk.data.readers.grid_lines import Grid
from fsdesk.data.reading import Alternative, Reading
from fsdesk.data.roles import description_rows, with_descriptions
from fsdesk.messages import message, quoted

_FEWEST_LEFT, _MOST_ABOVE, _FEWEST_BELOW, _FEWEST_SAMPLES = 2, 20, 4, 3
_LOOKED_AT = 200


@dataclass(frozen=True)
class _Block:
    """The position of the block of values.

    Attributes
    ----------
    edge
        Index of the column with the titles of the lines about the samples, the last one before the samples.
    above
        Number of lines above the one with the titles of the descriptions.
    naming
        Index of the column with the names of the features.
    samples
        Indices of the columns of samples.
    """

    edge: int
    above: int
    naming: int
    samples: tuple[int, ...]


def block_table(grid: Grid, head: Sequence[Row], options: ReadOptions) -> Table | None:
    """The table of such a grid, with a question about samples in columns unless the user says so; None for others."""
    block = _find(head) if options.orientation in ("rows", "columns") and options.header != "no" else None
    if block is None:
        return None
    above = [[cell.strip() for cell in row] for row in head[: block.above]]
    said = options.orientation == "columns"
    if not said and (options.below_header == "data" or not any(is_title(row[block.edge]) for row in above)):
        return None  # e.g. units or headings above the names
    titles = [cell.strip() for cell in head[block.above]]
    names_below = all(titles[j] for j in block.samples)
    ids = titles if names_below else above[0]
    told = {row[block.edge]: [row[j] for j in block.samples] for row in above}
    about = description_rows(
        {title: cells for title, cells in told.items() if names_below or title != above[0][block.edge]}
    )
    described: dict[str, str] = {}

    def rows() -> Iterator[tuple[int, Row]]:
        described.clear()
        yield 0, ["", *(ids[j] for j in block.samples)]
        for line, row in islice(grid.rows(), block.above + 1, None):
            name = row[block.naming].strip()
            texts = (f"{titles[j]}: {row[j].strip()}" for j in range(block.edge + 1)
                     if j != block.naming and titles[j] and row[j].strip() not in MISSING)  # fmt: skip
            described.setdefault(name, "; ".join(texts))
            yield line, [name, *(row[j] for j in block.samples)]
        yield from ((0, [*row]) for row in about)

    turned = replace(grid, rows=rows, head=None, bulk=None)
    table = to_table(turned, options.updated({"orientation": "columns", "header": "yes"}))
    table = with_descriptions(replace(table, descriptions={**table.descriptions, **described}), len(about))
    cells = quoted([row[block.edge] for row in above])
    sentence = message("Each column is read as a sample; the lines above the values ({cells}) describe the samples.",
                       cells=cells)  # fmt: skip
    answers = (
        Alternative(message("Samples are in columns"), "orientation", "columns"),
        Alternative(message("Samples are in rows"), "below_header", "data"),
    )
    reading = Reading("orientation", sentence, "", () if said else answers, sure=said)
    return replace(table, readings=(reading, *table.readings))


def _find(head: Sequence[Row]) -> _Block | None:
    """The block in these first lines; None if there is none."""
    if len(head) < 2 or len({*map(len, head)}) > 1:
        return None
    edge = next((j for j, cell in enumerate(head[0]) if cell.strip()), 0)
    width = len(head[0])
    if edge < _FEWEST_LEFT or width < edge + 1 + _FEWEST_SAMPLES:
        return None
    above = next((place for place, row in enumerate(head[: _MOST_ABOVE + 1]) if any(map(str.strip, row[:edge]))), 0)
    below = head[above + 1 : above + 1 + _LOOKED_AT]
    lines = head[:above]
    if (
        not above
        or len(below) < _FEWEST_BELOW
        or not all(row[edge].strip() and row[edge] not in row[edge + 1 :] for row in lines)
    ):
        return None
    titles = [cell.strip() for cell in head[above]]
    numbers = Numbers()
    if (
        not titles[0]
        or any(map(numbers.is_number, titles[:edge]))
        or not all(any(map(str.strip, row[:edge])) for row in below)
    ):
        return None
    samples = tuple(
        j for j in range(edge + 1, width) if 2 * sum(row[j].strip() not in MISSING for row in lines) > len(lines)
    )
    filled = [row[j].strip() for row in below for j in samples]
    named = titles if all(titles[j] for j in samples) else [cell.strip() for cell in lines[0]]
    ids = [named[j] for j in samples]
    if len(samples) < _FEWEST_SAMPLES or len({*ids}) < len(ids) or not all(map(numbers.resembles, filled)):
        return None
    unique = [j for j in range(edge + 1) if titles[j] and len({row[j].strip() for row in below}) == len(below)]
    words = [j for j in unique if not any(numbers.fits(row[j].strip()) for row in below)]
    naming = next(iter((*words, *unique)), None)
    return None if naming is None else _Block(edge, above, naming, samples)
