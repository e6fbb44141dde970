"""Conversion of columns to a Table: unique names, text as codes, infinite values as missing."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from fsdesk.data.cells import MISSING, Columns, Numbers
from fsdesk.data.column_options import types_of
from fsdesk.data.dataset import Check, Table
from fsdesk.data.options import ReadOptions
from fsdesk.errors import DataError
from fsdesk.messages import message_many, quoted


def build_table(
    name: str,
    columns: Columns,
    names: Sequence[str],
    *,
    rows: Sequence[str] | None = None,
    source: str,
    checks: Sequence[Check] = (),
    mixed: Sequence[tuple[str, str]] = (),
    missing: Collection[str] = MISSING,
    levels: Mapping[int, tuple[str, ...]] | None = None,
    default_target: str | None = None,
) -> Table:
    """Build a Table from columns.

    Parameters
    ----------
    name, source, checks
        As in Table; further checks are added.
    columns
        Values and texts; ``values`` may be modified: codes replace texts, NaN replaces infinity.
    names
        q names as found; empty names are replaced and duplicates made unique.
    rows
        n sample IDs; None numbers them from 1.
    mixed
        Text columns that contain mostly numbers, each with an example of their text.
    missing
        Strings that denote missing values.
    levels
        Categories in the declared order, for text columns that declare them; otherwise sorted.
    default_target
        The name of the target as found; None uses the last column.
    """
    values = columns.values
    if not values.shape[1]:
        raise DataError('"{name}" has no columns besides the sample IDs. Check the separator.', name=name)
    found = list(checks)
    unique, name_checks = unique_names(names)
    found += name_checks
    categories: dict[int, tuple[str, ...]] = {}
    for j, cells in columns.texts.items():
        order = (levels or {}).get(j) or tuple(sorted(set(cells) - {*missing}))
        codes = {level: float(code) for code, level in enumerate(order)}
        values[:, j] = [codes.get(cell, np.nan) for cell in cells]
        categories[j] = order
    if mixed:
        found.append(mixed_check(mixed))
    found += _changed_by_sheets(unique, categories)
    found += _without_infinity(values, unique, categories)
    target = unique[-1] if default_target is None else unique[list(names).index(default_target)]
    ids = tuple(rows) if rows is not None else tuple(map(str, range(1, len(values) + 1)))
    return Table(name, values, tuple(unique), categories, ids, source, target, tuple(found))


def with_types(table: Table, options: ReadOptions) -> Table:
    """The table with columns converted to the categories or numbers set by the user, whatever the format.

    Raises
    ------
    DataError
        If a column set to numbers contains something else; names the cell.
    """
    types = types_of(options, table.columns)
    found = [(j, kind) for j, name in enumerate(table.columns) if (kind := types.get(name, ""))
             and kind == ("number" if j in table.categories else "category")]  # fmt: skip
    if not found:
        return table
    values, categories, numbers = table.values.copy(order="F"), dict(table.categories), Numbers()
    for j, kind in found:
        if kind == "category":
            present, codes = np.unique(values[:, j], return_inverse=True)
            categories[j] = tuple(f"{value:.15g}" for value in present if not np.isnan(value))
            values[:, j] = np.where(np.isnan(values[:, j]), np.nan, codes)
            continue
        texts = categories.pop(j)
        strange = np.isin(values[:, j], [code for code, text in enumerate(texts) if not numbers.is_number(text)])
        if strange.any():
            row = int(strange.argmax())
            raise DataError(
                'Column "{column}" should contain numbers, but row {row} contains "{word}". Correct that cell.',
                column=table.columns[j], row=table.rows[row], word=texts[int(values[row, j])],
            )  # fmt: skip
        values[:, j] = [np.nan if np.isnan(code) else numbers.one(texts[int(code)]) for code in values[:, j]]
    return replace(table, values=values, categories=categories)


def unreadable_columns(names: Sequence[str]) -> list[Check]:
    """The check on excluded columns of bytes, lists or records; none if there are none."""
    if not names:
        return []
    sentence = message_many(
        len(names),
        "{count} column contains neither numbers nor text and cannot be read: {names}.",
        "{count} columns contain neither numbers nor text and cannot be read: {names}.",
        names=quoted(names),
    )
    return [Check("unreadable columns", sentence, tuple(names))]


def unique_names(names: Sequence[str]) -> tuple[list[str], list[Check]]:
    """Unique, non-empty names, and the changes made."""
    unique: list[str] = []
    taken = set(names)
    seen: set[str] = set()
    repeated: list[str] = []
    nameless: list[str] = []
    for position, name in enumerate(names, 1):
        chosen = name or f"x{position}"
        if chosen in seen or (not name and chosen in taken):
            number = 2
            while f"{chosen}_{number}" in taken or f"{chosen}_{number}" in seen:
                number += 1
            chosen = f"{chosen}_{number}"
            if name:
                repeated.append(chosen)
        if not name:
            nameless.append(chosen)
        seen.add(chosen)
        unique.append(chosen)
    checks = []
    if repeated:
        sentence = message_many(
            len(repeated),
            "{count} column with a duplicate name was renamed to {names}.",
            "{count} columns with duplicate names were renamed to {names}.",
            names=quoted(repeated),
        )
        checks.append(Check("duplicated names", sentence, tuple(repeated)))
    if nameless:
        sentence = message_many(
            len(nameless),
            "{count} column without a name was named {names}.",
            "{count} columns without a name were named {names}.",
            names=quoted(nameless),
        )
        checks.append(Check("missing names", sentence, tuple(nameless)))
    return unique, checks


_LIKE_DATES = re.compile(
    r"\d{1,2}([-.] ?| )(jan|feb|mar|mrz|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\.?"
    r"|(jan|feb|mar|mrz|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[- ]\d{2}"
    r"|\d{4}-\d{2}-\d{2} 00:00:00",
    re.IGNORECASE,
)
_MOST_LEVELS = 20


def _changed_by_sheets(names: Sequence[str], categories: Mapping[int, tuple[str, ...]]) -> list[Check]:
    """Checks on names of columns and categories that look like dates, to which Excel converts MARCH1 and 5-10."""
    found = [name for name in names if _LIKE_DATES.fullmatch(name.removesuffix("_2"))]
    if 2 * len(found) > len(names):
        found = []
    columns = [names[j] for j, levels in categories.items() if len(levels) <= _MOST_LEVELS
               and any(_LIKE_DATES.fullmatch(level) for level in levels)]  # fmt: skip
    checks = []
    if found:
        sentence = message_many(
            len(found),
            "{count} column name looks like a date, as happens when Excel converts a gene name such as MARCH1: "
            "{names}. Correct it in the file.",
            "{count} column names look like dates, as happens when Excel converts gene names such as MARCH1: "
            "{names}. Correct them in the file.",
            names=quoted(found),
        )
        checks.append(Check("names like dates", sentence, tuple(found)))
    if columns:
        sentence = message_many(
            len(columns),
            "{count} column has categories that look like dates, as happens when Excel converts a range such as "
            "5-10: {names}. Correct them in the file.",
            "{count} columns have categories that look like dates, as happens when Excel converts a range such as "
            "5-10: {names}. Correct them in the file.",
            names=quoted(columns),
        )
        checks.append(Check("categories like dates", sentence, tuple(columns)))
    return checks


def mixed_check(mixed: Sequence[tuple[str, str]]) -> Check:
    """The check on columns of text that contain mostly numbers, each with an example of their text."""
    columns = tuple(column for column, _ in mixed)
    column, stray = mixed[0]
    sentence = message_many(
        len(mixed),
        '{count} column is read as text because some of its cells are not numbers: {columns} (for example "{stray}" '
        'in "{column}"). Correct those cells if they should be numbers or missing.',
        "{count} columns are read as text because some of their cells are not numbers: {columns} (for example "
        '"{stray}" in "{column}"). Correct those cells if they should be numbers or missing.',
        columns=quoted(columns),
        stray=stray,
        column=column,
    )
    return Check("text among numbers", sentence, columns)


def _without_infinity(values: np.ndarray, names: Sequence[str], categories: Mapping[int, object]) -> list[Check]:
    """Replace infinite values by missing ones: no measurement is infinite, and distances would be undefined."""
    finite_or_missing = ~np.isinf(values)
    if finite_or_missing.all():
        return []
    columns = [names[int(j)] for j in np.flatnonzero(~finite_or_missing.all(axis=0)) if j not in categories]
    sentence = message_many(
        int((~finite_or_missing).sum()),
        "{count} infinite value is treated as missing, in {columns}.",
        "{count} infinite values are treated as missing, in {columns}.",
        columns=quoted(columns),
    )
    values[~finite_or_missing] = np.nan
    return [Check("infinite values", sentence, tuple(columns))]
