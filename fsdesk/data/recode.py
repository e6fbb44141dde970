"""User-defined changes to columns: renamed, merged or ordered categories, logarithms, IDs and texts."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from fsdesk.data.dataset import Check, Table
from fsdesk.data.options import ReadOptions
from fsdesk.data.reading import ORDERED_TYPE, OTHERS_MISSING, columns_said, entries, entry_of
from fsdesk.data.roles import LEFT_ASIDE
from fsdesk.errors import DataError
from fsdesk.messages import Message, joined, message, message_many, quoted

ARROW = "->"
"""The separator between the old and the new name of a category."""


def recoded(table: Table, options: ReadOptions) -> Table:
    """The table with the changes to its columns requested in the options; each is reported by a check.

    Ordered categories become numbers 1, 2, ... in their order. The cells of an ID column name the rows; like a text
    column it is not a feature unless requested.

    Raises
    ------
    DataError
        If an entry names an unknown column or category, a category is missing from the order, a logarithm has no value,
        or two columns are set as IDs; the message names the cell.
    """
    if not (options.types or options.categories or options.logarithms or options.missing_values
            or options.column_limits):  # fmt: skip
        return table
    kinds = said_types(options, table.columns)
    table = _renamed(table, options)
    table = _ordered(table, kinds)
    table = _with_ids(table, kinds)
    table = _as_asked(table, options)
    return _with_logarithms(table, options)


def said_types(options: ReadOptions, columns: tuple[str, ...]) -> dict[str, str]:
    """The types that the user set for columns, in the user's own words: see :data:`fsdesk.data.reading.PLAIN_TYPES`."""
    said: dict[str, str] = {}
    known = frozenset(columns)
    for entry in entries(options.types):
        column, kind = entry_of(entry, known)
        if column:
            said.setdefault(column, kind.removesuffix("?").strip())
    return said


def levels_of(kind: str) -> tuple[str, ...]:
    """The categories of an ordered type from low to high; empty for another type."""
    match = ORDERED_TYPE.fullmatch(kind)
    return () if match is None else tuple(level.strip() for level in match["levels"].split("<") if level.strip())


def logarithm_name(name: str) -> str:
    """The name of a column's logarithm: it differs from the measured one, also in later tables."""
    return f"log2({name})"


def _renamed(table: Table, options: ReadOptions) -> Table:
    said = columns_said(options.categories, table.columns, "categories")
    values, categories, checks = table.values, dict(table.categories), list(table.checks)
    for name, changes in said.items():
        place = table.columns.index(name)
        names = _names(changes)
        if place not in categories:
            raise DataError(
                'Column "{column}" contains numbers, which cannot be renamed. Make it categorical first.', column=name
            )
        before = categories[place]
        after = [names.get(each, each) for each in before]
        order = list(dict.fromkeys(each for each in after if each))
        order = sorted(order) if list(before) == sorted(before) else order
        codes = np.array([float(order.index(each)) if each else np.nan for each in after])
        column = values[:, place]
        present = ~np.isnan(column)
        values = values.copy(order="F") if values is table.values else values
        values[present, place] = codes[column[present].astype(np.intp)]
        categories[place] = tuple(order)
        checks += _said_names(name, {old: new for old, new in names.items() if old in before})
    return replace(table, values=values, categories=categories, checks=tuple(checks))


def _names(changes: list[str]) -> dict[str, str]:
    names: dict[str, str] = {}
    for change in changes:
        old, arrow, new = change.rpartition(ARROW)
        if not arrow or not old.strip():
            raise DataError('"{entry}" does not rename a category; write column=old -> new.', entry=change)
        names[old.strip()] = new.strip()
    return names


def _said_names(column: str, names: Mapping[str, str]) -> list[Check]:
    merged: dict[str, list[str]] = defaultdict(list)
    for old, new in names.items():
        merged[new].append(old)
    made = []
    for new, before in merged.items():
        if new:
            sentence = message_many(
                len(before),
                '{old} in column "{column}" is renamed to "{new}", as requested.',
                '{old} in column "{column}" are renamed to "{new}", as requested.',
                old=quoted(before), column=column, new=new,
            )  # fmt: skip
        else:
            sentence = message_many(
                len(before),
                '{old} in column "{column}" is treated as missing, as requested.',
                '{old} in column "{column}" are treated as missing, as requested.',
                old=quoted(before), column=column,
            )  # fmt: skip
        made.append(Check("renamed categories", sentence, (column,)))
    return made


def _ordered(table: Table, kinds: Mapping[str, str]) -> Table:
    values, categories = table.values, dict(table.categories)
    checks, told = list(table.checks), dict(table.descriptions)
    for name, kind in kinds.items():
        levels = levels_of(kind)
        place = table.columns.index(name)
        if not levels or place not in categories:
            continue
        words = categories.pop(place)
        numbers = {level: float(number) for number, level in enumerate(levels, 1)}
        column = values[:, place]
        strange = np.isin(column, [code for code, word in enumerate(words) if word not in numbers])
        if strange.any():
            row = int(strange.argmax())
            raise DataError(
                'The order of column "{column}" does not include "{word}" from row {row}. List all of its categories '
                "from low to high.",
                column=name, word=words[int(column[row])], row=table.rows[row],
            )  # fmt: skip
        values = values.copy(order="F") if values is table.values else values
        values[:, place] = [np.nan if code != code else numbers[words[int(code)]] for code in column.tolist()]
        steps = joined(", ", [f"{number} = {level}" for number, level in enumerate(levels, 1)])
        sentence = message(
            'Column "{column}" is treated as a number, with its categories in the requested order: {steps}.',
            column=name,
            steps=steps,
        )
        checks.append(Check("ordered categories", sentence, (name,)))
        told[name] = _described(told.get(name), steps)
    return replace(table, values=values, categories=categories, checks=tuple(checks), descriptions=told)


def _described(before: str | None, more: Message) -> Message:
    return joined("; ", [*filter(None, [before]), more])


def _with_ids(table: Table, kinds: Mapping[str, str]) -> Table:
    ids = [name for name, kind in kinds.items() if kind == "id"]
    texts = tuple(name for name, kind in kinds.items() if kind == "text")
    if len(ids) > 1:
        raise DataError(
            "Only one column can contain the row IDs, but {columns} are given. Choose one.", columns=quoted(ids)
        )
    checks, rows = list(table.checks), table.rows
    for name in ids:
        place = table.columns.index(name)
        words, codes = table.categories.get(place, ()), table.values[:, place].tolist()
        rows = tuple(before if code != code else words[int(code)] if words else f"{code:.15g}"
                     for before, code in zip(rows, codes, strict=True))  # fmt: skip
        checks = [check for check in checks if check.kind != "row ids"]
        checks.append(
            Check(LEFT_ASIDE, message('Column "{column}" contains the row IDs, as requested.', column=name), (name,))
        )
    if texts:
        sentence = message_many(
            len(texts),
            "{count} column is read as text, as requested, and is not a feature: {columns}.",
            "{count} columns are read as text, as requested, and are not features: {columns}.",
            columns=quoted(texts),
        )
        checks.append(Check(LEFT_ASIDE, sentence, texts))
    return replace(table, rows=rows, checks=tuple(checks))


def _as_asked(table: Table, options: ReadOptions) -> Table:
    """The table with checks about types, missing values and limits set by the user.

    Settings taken over from the first table are not reported again for later ones.
    """
    known, checks = frozenset(table.columns), list(table.checks)
    by_kind: dict[str, list[str]] = defaultdict(list)
    for entry in entries(options.types):
        column, kind = entry_of(entry, known)
        if column and not kind.endswith("?") and kind not in ("id", "text") and not levels_of(kind):
            by_kind[kind].append(column)
    for kind, names in by_kind.items():
        sentence = message_many(
            len(names),
            "{count} column is read as {kind}, as requested: {columns}.",
            "{count} columns are read as {kind}, as requested: {columns}.",
            kind=_TITLES.get(kind, kind), columns=quoted(names),
        )  # fmt: skip
        checks.append(Check("types asked for", sentence, tuple(names)))
    missing: dict[str, list[str]] = defaultdict(list)
    for entry in entries(options.missing_values):
        column, value = entry_of(entry, known)
        if not value.startswith("!"):
            missing[column].append(value)
    for column, values in missing.items():
        sentence = message('{values} in column "{column}" is treated as missing, as requested.', values=quoted(values),
                           column=column) if column else message(
            "{values} is treated as missing in all columns, as requested.", values=quoted(values))  # fmt: skip
        checks.append(Check("missing values asked for", sentence, (column,) if column else ()))
    for column, ways in columns_said(options.column_limits, known, "column_limits").items():
        sentence = message('Values below or above a limit in column "{column}": {way}, as requested.', column=column,
                           way=_LIMITS.get(ways[0], ways[0]))  # fmt: skip
        checks.append(Check("limits asked for", sentence, (column,)))
    return replace(table, checks=tuple(checks))


_TITLES = {
    "category": message("categories"), "number": message("a number"),
    OTHERS_MISSING: message("a number (other texts are missing)"), "date": message("a date"),
    "duration": message("a duration"), "two numbers": message("two numbers"),
    "three numbers": message("three numbers"),
}  # fmt: skip
_LIMITS = {
    "half": message("half of a lower limit"), "limit": message("the limit"), "missing": message("missing"),
    "text": message("text"),
}  # fmt: skip


def _with_logarithms(table: Table, options: ReadOptions) -> Table:
    said = columns_said(
        "; ".join(f"{entry}=" for entry in entries(options.logarithms)), table.columns, "logarithms"
    )  # fmt: skip
    if not said:
        return table
    values, columns, told = table.values.copy(order="F"), list(table.columns), dict(table.descriptions)
    for name in said:
        place = table.columns.index(name)
        if place in table.categories:
            raise DataError('Column "{column}" contains words, which have no logarithm.', column=name)
        low = values[:, place] <= 0
        if low.any():
            row = int(low.argmax())
            raise DataError(
                'Column "{column}" has no logarithm in row {row}, which contains {value:.15g}; all values must be '
                "above 0.",
                column=name, row=table.rows[row], value=float(values[row, place]),
            )  # fmt: skip
        values[:, place] = np.log2(values[:, place])
        made = logarithm_name(name)
        while made in columns:
            made += "_"
        columns[place] = made
        told[made] = _described(told.pop(name, None), message("logarithm to base 2 of {column}", column=name))
    now = dict(zip(table.columns, columns, strict=True))
    sentence = message_many(
        len(said),
        "{count} column is replaced by its logarithm to base 2, as requested: {columns}.",
        "{count} columns are replaced by their logarithms to base 2, as requested: {columns}.",
        columns=quoted(list(said)),
    )
    checks = [replace(check, columns=tuple(now.get(name, name) for name in check.columns)) for check in table.checks]
    readings = [replace(each, columns=tuple(now.get(name, name) for name in each.columns)) for each in table.readings]
    return replace(
        table, values=values, columns=tuple(columns), descriptions=told, readings=tuple(readings),
        default_target=now[table.default_target], default_group=now.get(table.default_group, table.default_group),
        checks=(*checks, Check("logarithms", sentence, tuple(now[name] for name in said))),
    )  # fmt: skip


def with_entries(
    options: ReadOptions, option: str, column: str, values: Sequence[str], known: Collection[str]
) -> ReadOptions:
    """The options in which a list contains exactly these values for a column.

    Raises
    ------
    DataError
        If a name or value contains a character reserved by the list.
    """
    for text in (column, *values):
        if ";" in text:
            raise DataError('"{text}" cannot be given in a list of columns because it contains a semicolon.', text=text)
    for value in values:
        if "=" in value:
            raise DataError(
                '"{text}" cannot be given in a list of columns because it contains an equals sign.', text=value
            )
    kept = [entry for entry in entries(getattr(options, option))
            if entry_of(entry, known)[0] != column and entry not in (column, f"?{column}")]  # fmt: skip
    added = [column for _ in values[:1]] if option == "logarithms" else [f"{column}={value}" for value in values]
    return options.updated({option: "; ".join([*added, *kept])})


def source_name(name: str, options: ReadOptions) -> str:
    """The name of a column in the file; a logarithm has a different name in the table."""
    named = {logarithm_name(entry): entry for entry in entries(options.logarithms)}
    return named.get(name, name)


def names_now(before: ReadOptions, after: ReadOptions) -> dict[str, str]:
    """The new name of each column that becomes, or no longer is, a logarithm."""
    old, new = ({*entries(options.logarithms)} for options in (before, after))
    return {name: logarithm_name(name) for name in new - old} | {logarithm_name(name): name for name in old - new}


def current_names(options: ReadOptions, column: str, known: Collection[str]) -> dict[str, str]:
    """The new name of each renamed category."""
    return _names(columns_said(options.categories, known, "categories").get(column, []))


def with_names(options: ReadOptions, column: str, names: Mapping[str, str], known: Collection[str]) -> ReadOptions:
    """The options that rename categories from their current names; "" makes one missing.

    Raises DataError like :func:`with_entries`, and for a name that contains an arrow.
    """
    before = current_names(options, column, known)
    made = {old: names.get(new, new) for old, new in before.items()}
    made |= {old: new for old, new in names.items() if old not in before.values() or old not in made}
    made = {old: new for old, new in made.items() if old != new}
    for text in (*made, *made.values()):
        if ARROW in text or "<" in text:
            raise DataError(
                '"{text}" cannot be the name of a category here because it contains an arrow or "<".', text=text
            )
    return with_entries(options, "categories", column, [f"{old} {ARROW} {new}" for old, new in made.items()], known)
