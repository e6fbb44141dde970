"""Exports of Progenesis QI: measures above conditions above names, and one feature per row.

The first line names the measures ("Normalised abundance", "Raw abundance"), each only above its first column; the
second the conditions, each above its first sample; the third the descriptions of features and the samples of each
measure. This reader is our own, because no library reads them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from fsdesk.data.cells import Numbers, Row
from fsdesk.data.dataset import Table
from fsdesk.data.options import ReadOptions
from fsdesk.data.readers.grid import to_table
from fsdesk.data.readers.grid_lines import Grid
from fsdesk.data.readers.measures import OF_PROGENESIS
from fsdesk.data.reading import Alternative, Reading
from fsdesk.data.roles import description_rows, with_descriptions
from fsdesk.errors import DataError
from fsdesk.messages import message, quoted

_FEWEST_LINES, _FEWEST_SAMPLES = 5, 3
_CONDITION = "Condition"


@dataclass(frozen=True)
class _Export:
    """The columns of each measure, the condition of each sample, and the index of the column of feature names."""

    measures: dict[str, tuple[int, ...]]
    conditions: tuple[str, ...]
    naming: int


def progenesis_table(grid: Grid, head: Sequence[Row], options: ReadOptions) -> Table | None:
    """The table of such an export, with samples in columns; None for other grids.

    Raises DataError if there is no measure with the name given by the user.
    """
    export = _find(head) if options.header != "no" and options.below_header == "auto" else None
    if export is None:
        return None
    spelled = {name.lower(): name for name in export.measures}
    wanted = options.measure.strip().lower()
    if wanted and wanted not in spelled:
        raise DataError(
            '"{name}" has no columns of "{measure}". Choose one of: {measures}.',
            name=grid.name, measure=options.measure, measures=quoted([*export.measures]),
        )  # fmt: skip
    chosen = spelled[wanted or next(each for each in OF_PROGENESIS if each in spelled)]
    samples = export.measures[chosen]
    titles = [cell.strip() for cell in head[2]]
    of_samples = {j for places in export.measures.values() for j in places}
    about = description_rows({_CONDITION: export.conditions})
    described: dict[str, str] = {}

    def rows() -> Iterator[tuple[int, Row]]:
        described.clear()
        yield 0, ["", *(titles[j] for j in samples)]
        for line, row in islice(grid.rows(), 3, None):
            name = row[export.naming].strip()
            told = (f"{titles[j]}: {row[j].strip()}" for j in range(len(titles))
                    if j not in of_samples and j != export.naming and titles[j] and row[j].strip())  # fmt: skip
            described.setdefault(name, "; ".join(told))
            yield line, [name, *(row[j] for j in samples)]
        yield from ((0, [*row]) for row in about)

    turned = replace(grid, rows=rows, head=None, bulk=None)
    table = to_table(turned, options.updated({"orientation": "columns", "header": "yes", "measure": ""}))
    table = with_descriptions(replace(table, descriptions={**table.descriptions, **described}), len(about))
    answers = tuple(
        Alternative(message('"{measure}" contains the values', measure=each), "measure", each)
        for each in (chosen, *(each for each in export.measures if each != chosen))
    )
    others = quoted([each for each in export.measures if each != chosen])
    sentence = message(
        'Each sample has several columns; those of "{measure}" are used as its values, and those of {others} are '
        "ignored.",
        measure=chosen, others=others,
    )  # fmt: skip
    several = (Reading("measure", sentence, "", answers, bool(wanted)),) if len(answers) > 1 else ()
    sentence = message(
        'Each column is read as a sample, as Progenesis exports them; the lines above the values ("{line}") contain '
        "the conditions of the samples.",
        line=chosen,
    )  # fmt: skip
    return replace(table, readings=(Reading("orientation", sentence), *several, *table.readings))


def _find(head: Sequence[Row]) -> _Export | None:
    """The export in these first lines; None if there is none."""
    if len(head) < _FEWEST_LINES or max(map(len, head[:2])) > len(head[2]):
        return None
    width = len(head[2])
    above, conditions, titles = ([*(cell.strip() for cell in row), *[""] * (width - len(row))] for row in head[:3])
    starts = [j for j, cell in enumerate(above) if cell]
    named = [j for j in starts if above[j].lower() in OF_PROGENESIS]
    if not named or not named[0] or any(conditions[: named[0]]) or not conditions[named[0]] or not titles[0]:
        return None
    ends = [next((j for j in starts if j > start), len(titles)) for start in named]
    width = min(end - start for start, end in zip(named, ends, strict=True))
    samples = titles[named[0] : named[0] + width]
    if len(named) == 1:  # descriptions may follow, above which there are no conditions
        numbers = Numbers()
        numeric = [
            j for j in range(named[0], ends[0]) if all(len(row) > j and numbers.fits(row[j]) for row in head[3:])
        ]
        width = next((place for place, j in enumerate(numeric) if j != named[0] + place), len(numeric))
        samples = samples[:width]
    if width < _FEWEST_SAMPLES or len({*samples}) < width or not all(samples):
        return None
    if any(titles[start : start + width] != samples for start in named):
        return None
    told: list[str] = []
    for cell in conditions[named[0] : named[0] + width]:
        told.append(cell or told[-1])
    below = [row for row in head[3:] if len(row) == len(titles)]
    unique = (j for j in range(named[0]) if titles[j] and len({row[j].strip() for row in below}) == len(below))
    naming = next(unique, 0)
    places = {above[start]: tuple(range(start, start + width)) for start in named}
    return _Export(places, tuple(told), naming)
