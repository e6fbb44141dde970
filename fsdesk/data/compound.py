"""Columns with compound cells such as 120/80 (two numbers) and 1:23:45 (durations)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.columns import types_of
from fsdesk.data.dataset import Table
from fsdesk.data.number_texts import is_no_number
from fsdesk.data.options import ReadOptions
from fsdesk.data.reading import Alternative, Reading
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, quoted

_NUMBER = r"[-+]?\d+(?:[.,]\d+)?"
_PAIR = re.compile(rf"({_NUMBER})\s*(/|±|\+/-|\+-)\s*({_NUMBER})")
_PRESSURE = re.compile(
    r"(.*[\s_.(-])?(bp|rr|nibp|blood[ _.-]?pressure|blutdruck|tension|pressione|tensión)\b.*", re.IGNORECASE
)
_TIME = re.compile(
    r"(?P<sign>-)?(?:(?P<days>\d+) days?,? )?(?P<first>\d{1,4}):(?P<second>[0-5]\d)"
    r"(?::(?P<third>[0-5]\d(?:[.,]\d+)?))?(?: ?(?P<half>[ap])\.?m\.?)?",
    re.IGNORECASE,
)
_FEWEST = 5  # distinct cells; 20/20, 20/40 and 3:1 are categories
_SHARE = 0.25  # of all rows

PAIR, TIME = "two numbers", "duration"
"""Names of these kinds of columns as types."""


def with_compounds(table: Table, options: ReadOptions) -> Table:
    """Split pairs of numbers into two columns and convert times to numbers; each decision is recorded by column.

    Raises DataError, naming the cell, if a column set to such a kind does not fit.
    """
    types = types_of(options, table.columns)
    for j in sorted(table.categories, reverse=True):  # later columns keep their position
        kind = types.get(table.columns[j], "")
        if kind in ("category", "number") or (kind and kind not in (PAIR, TIME)):
            continue
        if kind != PAIR and (times := _times(table, j, said=kind == TIME)) is not None:
            table = _with_times(table, j, times, sure=kind == TIME)
        elif kind != TIME and (table.columns[j] != table.default_target or kind):
            pairs = _pairs(table, j, said=kind == PAIR)
            table = table if pairs is None else _with_pairs(table, j, pairs, sure=kind == PAIR)
    return table


def are_compounds(cells: Sequence[str]) -> bool:
    """Whether all cells are pairs of numbers or times, and therefore not ids."""
    return bool(cells) and any(all(form.fullmatch(cell.strip()) for cell in cells) for form in (_PAIR, _TIME))


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def _matches(
    table: Table, column: int, form: re.Pattern[str], kind: str, *, said: bool
) -> dict[int, re.Match[str]] | None:
    """The match of each category of a column if all categories have this form, apart from marks for missing values."""
    texts = table.categories[column]
    found: dict[int, re.Match[str]] = {}
    for code, text in enumerate(texts):
        match = form.fullmatch(text.strip())
        if match is not None:
            found[code] = match
        elif not is_no_number(text):
            if said:
                row = int((table.values[:, column] == code).argmax())
                raise DataError(
                    'Column "{column}" is set to {kind}, but row {row} contains "{word}". Correct that cell.',
                    column=table.columns[column], kind=_KINDS[kind], row=table.rows[row], word=text,
                )  # fmt: skip
            return None
    present = int((~np.isnan(table.values[:, column])).sum())
    return found if said or len(found) >= max(_FEWEST, _SHARE * present) else None


_KINDS = {PAIR: message("two numbers, such as 120/80"), TIME: message("times, such as 1:23:45")}


def _times(table: Table, column: int, *, said: bool) -> dict[int, float] | None:
    """Numbers for the categories of a column of times; None if they are not times."""
    found = _matches(table, column, _TIME, TIME, said=said)
    if not found:
        return None
    firsts = {match["first"] for match in found.values()}
    long = any(match["third"] or match["days"] for match in found.values())
    if not said and not long and len(firsts) == 1:  # 1:20 and 1:40 are dilutions
        return None
    return {code: _seconds(match, long=long) for code, match in found.items()}


def _seconds(match: re.Match[str], *, long: bool) -> float:
    """A time in units of its last part: 59:10 beside 1:02:10 is 59 minutes and 10 seconds; 1 day 2:30 is in hours."""
    first, second, third = float(match["first"]), float(match["second"]), match["third"]
    if match["half"]:
        first = first % 12 + 12 * (match["half"].lower() == "p")
    value = 60 * first + second
    if third or (long and (match["half"] or match["days"])):
        value = 60 * value + _number(third or "0")
    days = 86400 * float(match["days"] or 0)
    return -(value + days) if match["sign"] else value + days


def _with_times(table: Table, column: int, times: Mapping[int, float], *, sure: bool) -> Table:
    name, texts = table.columns[column], table.categories[column]
    values = table.values.copy(order="F")
    values[:, column] = [
        times.get(int(code), np.nan) if code == code else np.nan for code in values[:, column].tolist()
    ]
    example = next(iter(times))
    long = any(_TIME.fullmatch(texts[code].strip())["third"] for code in times)  # type: ignore[index]
    unit = message("seconds") if long else message("units of the last digits")
    sentence = message(
        'Column "{column}" contains times, converted to {unit}: {example} is {value:.15g}.',
        column=name, unit=unit, example=texts[example].strip(), value=times[example],
    )  # fmt: skip
    answers = (
        Alternative(message("Times: a number"), "types", f"{name}={TIME}"),
        Alternative(message("Categories"), "types", f"{name}=category"),
    )
    reading = Reading("times", sentence, "", answers, sure, (name,), "as target")
    told = {**table.descriptions, name: joined("; ", [*filter(None, [table.descriptions.get(name)]), unit])}
    made = replace(
        table,
        values=values,
        categories={j: names for j, names in table.categories.items() if j != column},
        readings=(*table.readings, reading),
        descriptions=told,
    )
    return _kept(made, name, TIME)


Pairs = dict[int, tuple[float, float]]


def _pairs(table: Table, column: int, *, said: bool) -> Pairs | None:
    """The two numbers of each category of a column; None if they are not pairs."""
    found = _matches(table, column, _PAIR, PAIR, said=said)
    if not found or (not said and len({match[2] for match in found.values()}) > 1):
        return None
    return {code: (_number(match[1]), _number(match[3])) for code, match in found.items()}


def _with_pairs(table: Table, column: int, pairs: Pairs, *, sure: bool) -> Table:
    name, texts = table.columns[column], table.categories[column]
    both: NDArray[np.float64] = np.full((len(table.rows), 2), np.nan)
    for row, code in enumerate(table.values[:, column].tolist()):
        if code == code and int(code) in pairs:
            both[row] = pairs[int(code)]
    made_names = [_free(f"{name} ({place})", table.columns) for place in (1, 2)]
    example = texts[next(iter(pairs))].strip()
    sentence = message(
        'Column "{column}" contains two numbers per cell, such as {example}, and is split into two columns, {names}.',
        column=name, example=example, names=quoted(made_names),
    )  # fmt: skip
    answers = (
        Alternative(message("Two numeric columns"), "types", f"{name}={PAIR}"),
        Alternative(message("Text"), "types", f"{name}=category"),
    )
    clear = "±" in example or _PRESSURE.fullmatch(name) is not None
    reading = Reading("two numbers", sentence, "", answers, sure or clear, (name,))
    old = list(range(len(table.columns)))
    places = [*old[:column], *old[column + 1 :]]
    values = np.column_stack([table.values[:, :column], both, table.values[:, column + 1 :]])
    shift = {j: j + (j > column) for j in places}
    made = replace(
        table,
        values=np.asfortranarray(values),
        columns=(*table.columns[:column], *made_names, *table.columns[column + 1 :]),
        categories={shift[j]: names for j, names in table.categories.items() if j != column},
        readings=(*table.readings, reading),
        default_target=made_names[1] if table.default_target == name else table.default_target,
    )
    return _kept(made, name, PAIR)


def _free(name: str, taken: Sequence[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _kept(table: Table, name: str, kind: str) -> Table:
    """The table with an entry that makes later tables be read in the same way."""
    if ";" in name:
        return table
    types = "; ".join([f"{name}={kind}?", *filter(None, [table.ways.get("types", "")])])
    return replace(table, ways={**table.ways, "types": types})
