"""Types of text columns: numbers with units, limits or thousands separators, codes or words; missing values."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.cells import MISSING, Columns, Numbers
from fsdesk.data.column_options import Spellings, Unit, limits_of, types_of, units_of
from fsdesk.data.dataset import Table
from fsdesk.data.findings import Findings, say_findings
from fsdesk.data.number_column import Column
from fsdesk.data.number_texts import ERRORS, are_mostly_numbers
from fsdesk.data.options import ReadOptions
from fsdesk.data.reading import OTHERS_MISSING, Alternative, Reading
from fsdesk.data.sentinels import without_sentinels
from fsdesk.data.table import mixed_check
from fsdesk.messages import message, message_many, quoted

_FEWEST_NUMBERS, _NUMBERS_SHARE = 3, 0.25
_MOST_NAMED = 20
_MOST_CODES = 50
_MANY_TEXTS = 10  # distinct texts
_HEAD_ROWS = 200
_HUGE = 1e10  # size of integers among which 5E12 may be a number


def typed(
    columns: Columns,
    names: Sequence[str],
    numbers: Numbers,
    options: ReadOptions,
    *,
    spelled: Mapping[int, list[str]] | None = None,
    words: Collection[int] = (),
    has_nulls: Callable[[], bool] = lambda: True,
) -> tuple[Columns, Findings]:
    """Columns with texts converted to numbers if they are numbers, and missing cells as "" in the others.

    Parameters
    ----------
    columns
        Values and texts; ``values`` may be written to.
    names
        Of the columns, unique.
    numbers
        How numbers are written.
    options
        The user's settings.
    spelled
        Cells, as written, of numeric columns whose spelling may matter: see :func:`spelling_matters`.
    words
        Columns known to be text.
    has_nulls
        Whether a numeric column contains "null".
    """
    found = Findings()
    values, texts = columns.values, dict(columns.texts)
    types, missing = types_of(options, names), Spellings.of(options, names)
    limits, units = limits_of(options, names), units_of(options, frozenset(names))
    spells_null = cache(has_nulls)  # which databases write for missing values
    odd: dict[tuple[str, ...], dict[int, NDArray[np.float64]]] = defaultdict(dict)  # words among numbers, by column
    for j, cells in columns.texts.items():
        column = Column(names[j], cells, numbers, limits.get(names[j], options), missing, found)
        if j in words or types.get(names[j]) == "category":
            texts[j] = column.as_words(spells_null)
            continue
        if types.get(names[j]) is None and (pairs := column.as_pairs()) is not None:
            texts[j] = pairs
            continue
        column = replace(column, unit=units.get(names[j], Unit()), last=j == len(names) - 1)
        made = column.as_numbers(must=types.get(names[j]) == "number")
        if made is None and (among := column.words_among_numbers()) is not None:
            odd[among[0]][j] = among[1]
        elif made is None:
            texts[j] = column.as_words(spells_null)
        else:
            values[:, j] = made
            del texts[j]
    for j in _with_words(odd, values, texts, names, found):
        texts[j] = Column(names[j], columns.texts[j], numbers, options, missing, found).as_words(spells_null)
    for j, cells in (spelled or {}).items():
        column = Column(names[j], cells, numbers, options, missing, found)
        _as_spelled(column, types.get(names[j]), j, values, texts)
    _apply_added(values, names, missing, set(texts))
    _in_percent(values, names, units, {*texts, *columns.texts}, found)
    for j, name in enumerate(names):
        if types.get(name) == "category" and j not in texts:
            texts[j] = ["" if np.isnan(value) else f"{value:.15g}" for value in values[:, j].tolist()]
            values[:, j] = np.nan
    found.readings += without_sentinels(values, names, set(texts), missing.settles)
    say_findings(found)
    return Columns(values, dict(sorted(texts.items()))), found


def with_codes(table: Table, options: ReadOptions) -> Table:
    """A table of a format with typed columns, such as SPSS or Parquet, checked like a text.

    Codes such as -999 and words may be missing values, names may look alike, and texts may contain numbers; each is a
    question or as the user says.
    """
    names, before = table.columns, table.categories
    values = table.values if table.values.flags.writeable else table.values.copy(order="F")
    texts = {j: ["" if code != code else levels[int(code)] for code in values[:, j].tolist()]
             for j, levels in before.items()}  # fmt: skip
    types = types_of(options, names)
    stored = {j for j, levels in before.items()
              if types.get(names[j]) == "number" or (names[j] not in types and _are_fractions(levels))}  # fmt: skip
    made, found = typed(Columns(values, texts), names, Numbers(), options, words={*texts} - stored)
    settled = Spellings.of(options, names).settles
    categories = {}
    for j, cells in made.texts.items():
        levels = before.get(j) or tuple(sorted({*cells} - {""}, key=float))  # numbers that the user wants as words
        renamed = dict(zip(texts.get(j, cells), cells, strict=True))
        declared = [level for level in levels if level in MISSING | ERRORS and not settled(names[j], level)]
        renamed |= {level: level for level in declared}
        order = dict.fromkeys(renamed.get(level, level) for level in levels)
        categories[j] = tuple(filter(None, order))
        codes = {level: float(code) for code, level in enumerate(categories[j])}
        made.values[:, j] = [codes.get(renamed[cell], np.nan) for cell in texts.get(j, cells)]
    readings = [_said_stored(names[j], before[j][0], found.spellings) for j in sorted(stored - {*made.texts})]
    readings += [_ask_spelling(names[j], pair) for j, levels in before.items()
                 if j in categories and names[j] not in types and (pair := equal_numbers(levels))]  # fmt: skip
    checks = (*table.checks, *found.checks, *([mixed_check(found.mixed)] if found.mixed else ()))
    ways = dict(table.ways)
    if usual := [word for word in found.spellings if ";" not in word]:  # later tables have them, too
        ways["missing_values"] = "; ".join(filter(None, [options.missing_values, *usual]))
    return replace(
        table, values=made.values, categories=categories, checks=checks, ways=ways,
        readings=(*table.readings, *found.readings, *readings),
    )  # fmt: skip


def _are_fractions(words: Sequence[str]) -> bool:
    """Whether texts are many numbers, some with decimals, so that they are neither codes nor names."""
    many = len(words) >= _MANY_TEXTS and any("." in word or "," in word for word in words)
    return many and are_mostly_numbers(words, Numbers())


def equal_numbers(words: Sequence[str]) -> tuple[str, ...]:
    """Two of these texts that are one number, such as 1 and 01, if all are numbers; otherwise ()."""
    numbers = Numbers()
    if len(words) > _MOST_CODES or not all(map(numbers.is_number, words)):
        return ()
    by_value: dict[float, list[str]] = defaultdict(list)
    for word in words:
        by_value[numbers.one(word)].append(word)
    return next((tuple(sorted(each, key=len)[:2]) for each in by_value.values() if len(each) > 1), ())


def _ask_spelling(name: str, pair: Sequence[str]) -> Reading:
    first, second = pair
    sentence = message('{first} and {second} in column "{column}" are treated as different names.',
                       first=first, second=second, column=name)  # fmt: skip
    answers = (
        Alternative(message("{first} and {second} are different names", first=first, second=second), "types",
                    f"{name}=category"),
        Alternative(message("{first} and {second} are the same number", first=first, second=second), "types",
                    f"{name}=number"),
    )  # fmt: skip
    evidence = message("They are written differently.")
    return Reading("spelling", sentence, evidence, answers, False, (name,), "as target")


def _said_stored(name: str, example: str, spellings: Sequence[str]) -> Reading:
    sentence = message(
        'Column "{column}" contains numbers stored as text, such as {example}, and is read as numbers.',
        column=name, example=example,
    )  # fmt: skip
    numbers = Alternative(message("Numbers"), "types", f"{name}=number")
    answers = () if spellings else (numbers, Alternative(message("Text"), "types", f"{name}=category"))
    return Reading("numbers stored as text", sentence, "", answers, columns=(name,))


def without_words(table: Table, options: ReadOptions) -> Table:
    """The table with NaN for the numbers and categories that are missing values according to the user."""
    missing, names = Spellings.of(options, table.columns), table.columns
    values = table.values if table.values.flags.writeable else table.values.copy(order="F")
    _apply_added(values, names, missing, set(table.categories))
    for j, words in table.categories.items():
        absent = missing.of_column(names[j]) - MISSING - ERRORS
        codes = [code for code, word in enumerate(words) if word in absent]
        if codes:
            values[np.isin(values[:, j], codes), j] = np.nan
    return replace(table, values=values)


def _as_spelled(
    column: Column, kind: str | None, place: int, values: NDArray[np.float64], texts: dict[int, list[str]]
) -> None:
    """Convert a column of numbers to words, pairs or thousands if its cells, as written, are such."""
    words: list[str] | None = None
    if kind is None and column.numbers.decimal == ",":
        words = column.as_pairs()
    if words is None and (kind == "category" or (kind is None and column.is_code(last=place == values.shape[1] - 1))):
        words = column.as_words(lambda: True)
    if words is not None:
        texts[place] = words
        values[:, place] = np.nan
    elif (grouped := column.as_thousands()) is not None:
        values[:, place] = grouped


def _in_percent(
    values: NDArray[np.float64],
    names: Sequence[str],
    units: Mapping[str, Unit],
    texts: Collection[int],
    found: Findings,
) -> None:
    """Ask about columns of numbers without a % sign that were in percent in the table that was learned from."""
    for j, name in enumerate(names) if units else ():
        unit = units.get(name, Unit())
        if unit.name == "%" and (unit.learned or unit.fractions) and j not in texts:
            _ask_fractions(values[:, j], name, unit, found)


def _ask_fractions(values: NDArray[np.float64], name: str, unit: Unit, found: Findings) -> None:
    """Convert fractions to percent, (n,) in place, in a column that was learned in percent; the user is asked."""
    known = values[~np.isnan(values)]
    if len(known) < _FEWEST_NUMBERS or known.min() < 0 or known.max() > 1 or (known == np.round(known)).all():
        return
    example = f"{next(each for each in known.tolist() if 0 < each < 1):.15g}"
    answers = (
        Alternative(message("{example} is a fraction", example=example), "types", f"{name}=number in %, as fractions"),
        Alternative(message("{example} is {example} %", example=example), "types", f"{name}=number in %"),
    )
    values *= 100
    sentence = message(
        'Column "{column}" is in percent, but here contains only fractions such as {example}; they are converted to '
        "percent.",
        column=name, example=example,
    )  # fmt: skip
    found.readings.append(Reading("several units", sentence, "", answers, unit.fractions, (name,)))


def _with_words(
    odd: Mapping[tuple[str, ...], Mapping[int, NDArray[np.float64]]],
    values: NDArray[np.float64],
    texts: dict[int, list[str]],
    names: Sequence[str],
    found: Findings,
) -> list[int]:
    """Convert columns with words among their numbers; return the columns that remain words.

    All columns are returned if the words are in one row, such as a row of classes above features in rows.
    """
    rows = {row for stray, places in odd.items() for j in places for row in map(texts[j].index, stray)}
    if len(rows) == 1 and sum(map(len, odd.values())) >= _FEWEST_NUMBERS:
        return [j for places in odd.values() for j in places]
    for stray, made_of in odd.items():
        _ask_words(stray, [names[j] for j in made_of], texts[next(iter(made_of))], found)
        for j, made in made_of.items():
            values[:, j] = made
            del texts[j]
    return []


def _ask_words(stray: Sequence[str], columns: Sequence[str], cells: Sequence[str], found: Findings) -> None:
    """Treat words among the numbers of some columns as missing, and ask the user."""
    few = len(columns) * len(stray) <= _MOST_NAMED
    spelled = not any(sign in word for sign in ";=" for word in stray)  # which separate the entries of an option
    entries_of = [f"{name}={word}" for name in columns for word in stray] if few else stray
    named = quoted(list(columns))
    if len(stray) == 1:
        missing = message('"{word}" is a missing value', word=stray[0])
        value = message('"{word}" is a value', word=stray[0])
        sentence = message('"{word}" in {columns} is treated as a missing value.', word=stray[0], columns=named)
    else:
        missing, value = message("They are missing values"), message("They are values")
        sentence = message("{words} in {columns} are treated as missing values.", words=quoted(stray), columns=named)
    answers = (
        Alternative(missing, "missing_values", "; ".join(entries_of))
        if spelled
        else Alternative(missing, "types", "; ".join(f"{name}={OTHERS_MISSING}" for name in columns)),
        Alternative(value, "types", "; ".join(f"{name}=category" for name in columns)),
    )
    count = sum(map(cells.count, stray))
    evidence = message_many(
        count,
        "It occurs in {count} cell of the first of them; the others contain numbers.",
        "It occurs in {count} cells of the first of them; the others contain numbers.",
    )
    if len(stray) > 1:
        evidence = message("They occur in {count:,} cells; the others contain numbers.", count=count)
    elif len(columns) == 1:
        evidence = message_many(
            count,
            "It occurs in {count} cell; the others contain numbers.",
            "It occurs in {count} cells; the others contain numbers.",
        )
    found.mixed[:] = [each for each in found.mixed if each[0] not in columns]
    found.readings.append(
        Reading("word among numbers", sentence, evidence, answers, sure=False, columns=tuple(columns))
    )


def _apply_added(values: NDArray[np.float64], names: Sequence[str], missing: Spellings, texts: Collection[int]) -> None:
    """Set numbers that the user treats as missing, such as -999, to NaN."""
    everywhere = _as_values(missing.everywhere - MISSING - ERRORS)
    for j, name in enumerate(names) if everywhere or missing.added else ():
        if j not in texts:
            kept = _as_values(missing.kept.get(name, ()))
            for value in {*everywhere, *_as_values(missing.added.get(name, ()))} - {*kept}:
                values[values[:, j] == value, j] = np.nan


def _as_values(spellings: Collection[str]) -> list[float]:
    numbers = (Numbers("."), Numbers(","))
    return [next(each.one(text) for each in numbers if each.is_number(text)) for text in spellings
            if any(each.is_number(text) for each in numbers)]  # fmt: skip


def spelling_matters(values: NDArray[np.float64], *, thousands: bool = False) -> list[int]:
    """Columns (n, q) of numbers whose cells must be inspected as written.

    Either there are few different numbers, which may be names in several spellings, or integers beside numbers with
    three decimals, which may be thousands; the latter alone suffice if the user says so (``thousands``).
    """
    rows, found = len(values), []
    for j in range(values.shape[1]):
        column = values[:, j]
        head = column[:_HEAD_ROWS]
        head = head[~np.isnan(head)]
        if not len(head):
            continue
        if len(np.unique(head)) <= _MOST_CODES:
            found.append(j)
            continue
        whole = head == np.floor(head)
        huge = whole.all() and np.abs(head).max() >= _HUGE
        if huge or (rows and (thousands or whole.any()) and not whole.all() and _are_thousandths(head[~whole])):
            found.append(j)
    return found


def _are_thousandths(values: NDArray[np.float64]) -> bool:
    scaled = values * 1000
    return bool((np.abs(scaled - np.round(scaled)) < 1e-6).all() and (np.abs(values) >= 1).all())
