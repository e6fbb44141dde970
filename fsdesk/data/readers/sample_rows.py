"""Tables with samples in rows: sample IDs, columns that are kept, and their types."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import islice, pairwise

import numpy as np

from fsdesk.data.cells import MISSING, Columns, Numbers, Row, gather
from fsdesk.data.column_options import types_of
from fsdesk.data.columns import spelling_matters, typed
from fsdesk.data.compound import are_compounds
from fsdesk.data.dataset import Check, Table
from fsdesk.data.dates import holds_dates
from fsdesk.data.number_texts import are_mostly_numbers
from fsdesk.data.options import ReadOptions
from fsdesk.data.readers.grid_lines import HEAD_ROWS, Grid, Layout, body, bulk, no_rows
from fsdesk.data.reading import Alternative, Reading
from fsdesk.data.replicates import says_whose
from fsdesk.data.roles import as_descriptions, duplicated_ids, left_aside, with_likely_target
from fsdesk.data.table import build_table, unique_names
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, message_many, quoted

_MOST_SPELLED = 2000  # columns of a table whose cells are inspected again
_FEWEST_IDS = 4
_NEARLY = 0.8  # fraction of distinct IDs that is enough if some occur twice


def from_sample_rows(grid: Grid, layout: Layout, options: ReadOptions) -> Table:
    """The table of a grid whose rows are samples; DataError if it has no rows, or another table begins beside it."""
    header, numbers = layout.header, grid.numbers
    known = _known_as_text(layout, options)
    columns = bulk(grid, layout, known, turned=False)
    fast = columns is not None
    if columns is None:
        columns = gather(lambda: body(grid, layout), layout.width, numbers, known - layout.texts)
    if not len(columns.values):
        raise no_rows(grid.name)
    names = header or [f"x{j + 1}" for j in range(layout.width)]
    ids, checks, readings = _find_ids(columns, layout, numbers, options)
    first = int(ids is not None)
    kept = _kept(columns, names, first)
    _refuse_beside(grid, layout, columns, kept)
    whole = len(kept) == layout.width - first
    values = (columns.values[:, first:] if first else columns.values) if whole else columns.values[:, kept]
    texts = {new: columns.texts[old] for new, old in enumerate(kept) if old in columns.texts}
    names = [names[j] for j in kept]
    unique, name_checks = unique_names(names)
    roles, kinds, notes = (
        {new: said[old] for new, old in enumerate(kept) if old in said}
        for said in (layout.first.roles, layout.first.types, layout.first.notes)
    )
    many = fast and len(kept) > _MOST_SPELLED
    numeric = [old for new, old in enumerate(kept) if new not in texts]
    typed_columns, found = typed(
        Columns(values, texts),
        unique,
        numbers,
        options,
        spelled={} if many else _spelled(grid, layout, kept, values, texts, options, fast=fast),
        words=[j for j, kind in kinds.items() if kind != "number"],
        has_nulls=lambda: any(row[j].strip().lower() == "null" for row in body(grid, layout) for j in numeric),
    )
    table = build_table(
        grid.name,
        typed_columns,
        unique,
        rows=ids,
        source=joined(", ", [grid.source, message("with a header") if header else message("without a header")]),
        checks=[*grid.checks, *checks, *name_checks, *found.checks],
        mixed=found.mixed,
        missing=("",),
    )
    table = replace(
        table,
        readings=(*readings, *found.readings),
        descriptions={unique[j]: unit for j, unit in notes.items()} | found.units,
        ways=_spelled_as_missing(options, found.spellings),
        checks=(*table.checks, *_control_rows(table)),
    )
    if header and not names[-1] and any(names):  # remarks beside a table, such as those of a sheet
        return replace(
            table, default_target=next(name for name, said in zip(unique[::-1], names[::-1], strict=True) if said)
        )
    roles_by_name = {unique[j]: role for j, role in roles.items()}
    return _with_roles(table, roles_by_name) if roles_by_name else with_likely_target(table, named=bool(header))


def _known_as_text(layout: Layout, options: ReadOptions) -> frozenset[int]:
    """Columns whose cells are kept as they are written: texts, by the first lines, the file or the user."""
    known = layout.texts | {j for j, kind in layout.first.types.items() if kind != "number"}
    if options.types and layout.header:
        unique, _ = unique_names(layout.header)
        said = types_of(options, unique)
        known |= {j for j, name in enumerate(unique) if said.get(name) == "category"}
    return frozenset(known | {0} if options.row_ids == "first column" else known)


def _find_ids(
    columns: Columns, layout: Layout, numbers: Numbers, options: ReadOptions
) -> tuple[tuple[str, ...] | None, list[Check], list[Reading]]:
    """The IDs in the first column, or None; the checks and the decision about them."""
    header, ids = layout.header, None
    ids_first = options.row_ids == "first column"
    if ids_first or (options.row_ids == "auto" and layout.width > 1):
        ids = _row_ids(columns, header, numbers, sure=ids_first or layout.short_header)
    if ids is not None:
        name = header[0] if header else "x1"
        title = message('"{name}"', name=name) if header and name else message("without a name")
        sentence = message("The first column ({title}) contains the sample IDs.", title=title)
        checks = [Check("row ids", sentence, (name,)), *duplicated_ids(ids)]
        return ids, checks, [Reading("row ids", sentence, "", _ID_ANSWERS, columns=(name,))]
    cells = columns.texts.get(0, []) if header and says_whose(header[0].strip()) else []
    nearly = _NEARLY * len(cells) < len({*cells}) < len(cells)
    return None, duplicated_ids(cells) if nearly else [], []


def _kept(columns: Columns, names: Sequence[str], first: int) -> list[int]:
    """The columns from ``first`` that have a name or any cell."""
    values, texts = columns.values, columns.texts
    return [
        j for j in range(first, len(names))
        if names[j] or (any(texts[j]) if j in texts else not np.isnan(values[:, j]).all())
    ]  # fmt: skip


def _refuse_beside(grid: Grid, layout: Layout, columns: Columns, kept: Sequence[int]) -> None:
    """Raise DataError if another table begins after a blank column: IDs again, differing from those of the first."""
    header, texts = layout.header, columns.texts
    if header is None or 0 not in texts:
        return
    for before, j in pairwise(kept):
        if j == before + 1 or j not in texts or not header[j]:
            continue
        cells = [cell for cell in texts[j] if cell]
        ids = len({*cells}) == len(cells) > _FEWEST_IDS and len({*texts[0]}) == len(texts[0])
        if ids and texts[j] != texts[0] and (header[j] == header[0] or {*cells} & {*texts[0]}):
            raise DataError(
                'Column {column} of "{name}" contains a second set of sample IDs ("{title}") in a different order, '
                "so another table begins there. Keep each table in its own file or sheet.",
                column=j + 1, name=grid.name, title=header[j],
            )  # fmt: skip


def _spelled_as_missing(options: ReadOptions, words: Sequence[str]) -> dict[str, str]:
    """The option that makes a later table treat the same values as missing."""
    usual = [word for word in words if ";" not in word]
    return {"missing_values": "; ".join(filter(None, [options.missing_values, *usual]))} if usual else {}


_ID_ANSWERS = (
    Alternative(message("The first column contains the sample IDs"), "row_ids", "first column"),
    Alternative(message("There are no sample IDs"), "row_ids", "none"),
)


def _spelled(
    grid: Grid,
    layout: Layout,
    kept: Sequence[int],
    values: np.ndarray,
    texts: Collection[int],
    options: ReadOptions,
    *,
    fast: bool,
) -> dict[int, list[str]]:
    """Cells, as written, of the numeric columns whose spelling may matter."""
    looked = [j for j in range(len(kept)) if j not in texts]
    if fast:  # the target is likely, and each column costs
        odd = _odd_in(grid, layout, kept)
        looked = [j for j in looked if j == len(kept) - 1 or j in odd]
    said = options.thousands not in ("auto", "none")
    wanted = [looked[place] for place in spelling_matters(values[:, looked], thousands=said)] if looked else []
    if not wanted:
        return {}
    cells: dict[int, list[str]] = {j: [] for j in wanted}
    for row in body(grid, layout):
        for j, column in cells.items():
            column.append(row[kept[j]].strip())
    return cells


def _odd_in(grid: Grid, layout: Layout, kept: Sequence[int]) -> set[int]:
    """Columns with leading zeros in integers, or with three decimals beside none, in the first lines."""
    found = set()
    rows = [row for _, row in islice((grid.head or grid.rows)(), layout.above, HEAD_ROWS) if len(row) == layout.width]
    for new, old in enumerate(kept):
        cells = [row[old].strip() for row in rows]
        zeros = any(len(cell) > 1 and cell[0] == "0" and cell.isdigit() for cell in cells)
        whole = any(cell.isdigit() for cell in cells) and any(cell[-4:-3] == grid.decimal for cell in cells)
        if zeros or whole:
            found.add(new)
    return found


def _with_roles(table: Table, roles: dict[str, str]) -> Table:
    """The table with the column roles given by the file."""
    target = next((name for name, role in roles.items() if role == "target"), "")
    if target:
        table = replace(table, default_target=target)
    meta = tuple(name for name, role in roles.items() if role == "meta")
    ignored = tuple(name for name, role in roles.items() if role == "ignore")
    return left_aside(as_descriptions(table, meta), ignored)


def _row_ids(columns: Columns, header: Row | None, numbers: Numbers, *, sure: bool) -> tuple[str, ...] | None:
    """IDs in the first column: unique text, or unique integers under an empty name."""
    cells = columns.texts.get(0)
    if cells is not None:
        if sure:
            return tuple(cells)
        if header is not None and header[0] and (holds_dates(cells) or are_compounds(cells)):
            return None  # the time of the rows, or a measurement
        unique = len(set(cells)) == len(cells) and not MISSING.intersection(cells)
        # A measurement with a typing error is not an ID.
        return tuple(cells) if unique and not are_mostly_numbers(cells, numbers) else None
    first = columns.values[:, 0]
    unnamed = header is not None and not header[0]
    whole = bool((np.isfinite(first) & (first == np.round(first))).all())
    if sure or (unnamed and whole and len(np.unique(first)) == len(first)):
        return tuple(f"{value:.15g}" for value in first)
    return None


_SAMPLE_TYPE = re.compile(r"(sample|specimen)[ _.]?type|file[ _.]?type", re.IGNORECASE)
_NO_SAMPLE = re.compile(
    r"(.*\W)?(qc|blank|standard|std|calibrator|pool(ed)?|buffer|control)s?(\W.*|\d*)", re.IGNORECASE
)


def _control_rows(table: Table) -> tuple[Check, ...]:
    """A check that names rows that are quality controls, blanks or standards by their type, beside samples."""
    for j, categories in table.categories.items():
        name = table.columns[j]
        kinds = categories if _SAMPLE_TYPE.fullmatch(name.strip()) else ()
        others = [code for code, kind in enumerate(kinds) if _NO_SAMPLE.fullmatch(kind.strip())]
        samples = {kind.strip().lower() for kind in kinds} & {"sample", "samples", "unknown", "unknowns"}
        if others and samples:
            count = int(np.isin(table.values[:, j], others).sum())
            sentence = message_many(
                count,
                'By column "{column}", {count} row is not a sample ({kinds}), but is read as one. Delete it in the '
                "file.",
                'By column "{column}", {count} rows are not samples ({kinds}), but are read as such. Delete them in '
                "the file.",
                column=name, kinds=quoted([kinds[code] for code in others]),
            )  # fmt: skip
            return (Check("control samples", sentence, (name,)),)
    return ()
