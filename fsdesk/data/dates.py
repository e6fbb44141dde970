"""Columns of dates: converted to days since the first one, as a decision that can be changed."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.column_options import types_of
from fsdesk.data.dataset import Check, Table
from fsdesk.data.number_texts import is_no_number
from fsdesk.data.options import ReadOptions
from fsdesk.data.reading import DATE_TYPE, PLAIN_TYPES, Alternative, Reading
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, message_many, quoted

Days = NDArray[np.float64]

KIND = "dates"
"""The decisions about columns of dates, and the check that names them."""

_DAY_FIRST = ("%d.%m.%Y", "%d.%m.%y", "%d/%m/%Y", "%d/%m/%y", "%d-%m-%Y")
_MONTH_FIRST = ("%m/%d/%Y", "%m/%d/%y", "%m-%d-%Y")
_OTHERS = ("%Y/%m/%d", "%Y.%m.%d", "%d %b %Y", "%d-%b-%Y", "%d-%b-%y", "%b %d %Y", "%b %d, %Y", "%d %B %Y", "%B %d %Y",
           "%B %d, %Y", "%b %Y", "%B %Y", "%m/%Y", "%m.%Y")  # fmt: skip
_CLOCKS = ("", " %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p")
_ORDERS = {"day first": _DAY_FIRST, "month first": _MONTH_FIRST}
_LOOKS_LIKE_A_DATE = re.compile(
    r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}|\d{4}[-/]\d{1,2}|\d{1,2}/\d{4}"
    r"|\d{4}\s?[年년]\s?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일]|\d{1,2}[a-z]{3}(\d{4}|\d{2})(:\d{1,2}:\d{2}(:\d{2}(\.0+)?)?)?$"
    r"|\d{1,2}(\.? |-)(de )?[^\W\d_]{3,10}\.?( |-| de )\d{2,4}|[^\W\d_]{3,10}\.? (de )?(\d{1,2},? )?\d{4}",
    re.IGNORECASE,
)
_NO_DATE = re.compile(r"(0{4}[-./]0?0[-./]0?0|0?0[-./]0?0[-./](0{2}|0{4}))([ T][0:.]*)?|9999-12-31|1900-01-00")
"""Database placeholders for a missing date."""
_FEWEST, _SHARE = 3, 0.25
_FIRST_NUMBER, _LAST_NUMBER = 19000101.0, 21001231.0  # dates that are written as one number
_FIRST_ROWS = 20


def as_dates(texts: Sequence[str]) -> dict[str, Days]:
    """(texts,) days since 1970, for each date format in which all of these are valid dates.

    Formats are "day first" and "month first", and "" if there is no ambiguity. Two-digit years are never in the future:
    68 is 1968.
    """
    stripped = [_in_english(text.strip()) for text in texts]
    return _in_one_form(stripped) or _in_several_forms(stripped)


_MOST_FORMS = 4
_FIGURES = re.compile(r"\d+|[^\W\d_]+")


def _figure(match: re.Match[str]) -> str:
    """What stands for a number or word in the form of a date."""
    return ("Y" if len(match[0]) == 4 else "0") if match[0].isdigit() else "a" if len(match[0]) < 4 else "A"


def _in_several_forms(texts: list[str]) -> dict[str, Days]:
    """As :func:`as_dates`, for dates in several forms, such as 2024-01-31 beside 31.01.2024."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        places[_FIGURES.sub(_figure, text)].append(place)
    if not 1 < len(places) <= _MOST_FORMS:
        return {}
    of_form = {form: _in_one_form([texts[place] for place in some]) for form, some in places.items()}
    if not all(of_form.values()):
        return {}
    unclear = {order for found in of_form.values() if len(found) > 1 for order in found}
    made = {}
    for order in sorted(unclear) or [""]:
        made[order] = np.empty(len(texts))
        for form, found in of_form.items():
            made[order][places[form]] = found.get(order, next(iter(found.values())))
    return made


def _in_one_form(stripped: list[str]) -> dict[str, Days]:
    import pandas as pd

    found: dict[str, Days] = {}
    forms = [("", "ISO8601"), *((order, form + clock) for order, kind in (*_ORDERS.items(), ("", _OTHERS))
                                for form in kind for clock in _CLOCKS)]  # fmt: skip
    for order, form in forms:
        if order in found:
            continue
        try:
            dates = pd.to_datetime(stripped, format=form, utc=True)
        except (ValueError, OverflowError):
            continue
        if "%y" in form:
            dates = dates.where(dates.year <= date.today().year, dates - pd.DateOffset(years=100))
        found[order] = dates.as_unit("s").asi8 / 86400.0
    return {"": found[""]} if "" in found else found


_MONTHS = (
    ("january", "januar", "jänner", "janvier", "enero", "gennaio"),
    ("february", "februar", "feber", "février", "fevrier", "febrero", "febbraio"),
    ("march", "märz", "maerz", "mrz", "mär", "mars", "marzo"),
    ("april", "avril", "abril", "aprile", "avr", "abr"),
    ("may", "mai", "mayo", "maggio", "mag"),
    ("june", "juni", "juin", "junio", "giugno", "giu"),
    ("july", "juli", "juillet", "julio", "luglio", "lug"),
    ("august", "août", "aout", "agosto", "ago"),
    ("september", "septembre", "septiembre", "settembre", "set"),
    ("october", "oktober", "okt", "octobre", "octubre", "ottobre", "ott"),
    ("november", "novembre", "noviembre"),
    ("december", "dezember", "dez", "décembre", "decembre", "diciembre", "dicembre", "dic"),
)
"""Month names in English, German, French, Spanish and Italian, and abbreviations that are not prefixes of them."""
_ENGLISH = {name: names[0].title() for names in _MONTHS for name in names}
_WORD = re.compile(r"[^\W\d_]{3,}")


_EASTERN = re.compile(r"(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]")
_OF_SAS = re.compile(r"(\d{1,2})([A-Za-z]{3})(\d{4}|\d{2})(?::(\d{1,2}:\d{2}(?::\d{2})?)(?:\.0+)?)?")


def _in_english(text: str) -> str:
    """A date with an English month and no point after the day, from text such as "3. Mai 2020" or "3 de mayo de 2020".

    Dates of SAS and Stata (03MAY2020:10:15:00) and of Japan and China are converted to forms with separators.
    """
    if eastern := _EASTERN.fullmatch(text):
        return f"{eastern[1]}-{int(eastern[2]):02}-{int(eastern[3]):02}"
    if of_sas := _OF_SAS.fullmatch(text):
        return f"{of_sas[1]}-{of_sas[2].title()}-{of_sas[3]}" + (f" {of_sas[4]}" if of_sas[4] else "")
    words = _WORD.findall(text)
    name = _ENGLISH.get(words[0].lower()) if len(words) == 1 else None
    if name is None:
        return text
    plain = text.replace(words[0], name)
    return " ".join(re.sub(r"(?<=\d)\.(?=\s)|\bde\b|(?<=[a-z])\.", " ", plain).split())


def holds_dates(texts: Sequence[str]) -> bool:
    """Whether all of these are dates; obvious non-dates are rejected quickly."""
    looks_it = bool(texts) and all(_LOOKS_LIKE_A_DATE.match(text.strip()) for text in texts)
    return looks_it and bool(as_dates(texts))


def date_columns(table: Table) -> tuple[str, ...]:
    """Names of the columns of dates, and whether they are treated as days or as categories."""
    days = {name for reading in table.readings if reading.kind == KIND for name in reading.columns}
    return tuple(
        name
        for j, name in enumerate(table.columns)
        if name in days or (j in table.categories and holds_dates(table.categories[j]))
    )


def day_origins(table: Table) -> dict[str, str]:
    """The date that counts as day 0 in each column of dates converted to days, such as 2024-03-31, by column name."""
    found = {}
    for entry in table.ways.get("types", "").split(";"):
        name, _, kind = entry.strip().removesuffix("?").rpartition("=")
        match = DATE_TYPE.fullmatch(kind.strip())
        if name and match is not None and match["origin"]:
            found[name] = match["origin"]
    return found


def date_text(days: float, origin: str) -> str:
    """The date that counts as day 0: 2024-03-31, with the time of day if it has one."""
    whole = float(days).is_integer()
    moment = np.datetime64(origin, "m") + np.timedelta64(round(days * 1440), "m")
    return str(moment.astype("datetime64[D]") if whole else moment).replace("T", " ")


def with_dates(table: Table, options: ReadOptions, words: Collection[int] = ()) -> Table:
    """The table with dates converted to days; each decision is recorded by column.

    Parameters
    ----------
    words
        Columns that are categories whatever they contain.

    Raises
    ------
    DataError
        If a column set to dates contains something else; names the cell.
    """
    types = types_of(options, table.columns)
    found: dict[int, _Dates] = {}
    for j, texts in table.categories.items():
        kind = types.get(table.columns[j], "")
        if j not in words and kind not in PLAIN_TYPES and (made := _of_texts(table, j, texts, kind)):
            found[j] = made
    for j in _numbers_like_dates(table):
        kind = types.get(table.columns[j], "")
        if kind not in PLAIN_TYPES and (made := _of_numbers(table.values[:, j], kind)):
            found[j] = made
    for j, name in enumerate(table.columns) if types else ():
        match = DATE_TYPE.fullmatch(types.get(name, ""))
        if match is not None and match["origin"] is None and j not in found:
            raise DataError(
                'Column "{column}" is set to dates but contains numbers. Write them as 2024-03-31, or do not set it '
                "to dates.",
                column=name,
            )
    orders = {dates.order for dates in found.values() if dates.sure and dates.order}
    if len(orders) == 1:  # one program wrote all of them
        (order,) = orders
        found = {j: dates if dates.sure else replace(dates, order=order, sure=True) for j, dates in found.items()}
    return _replaced(table, found) if found else table


@dataclass(frozen=True)
class _Dates:
    """A column of dates.

    Attributes
    ----------
    ways
        Days since 1970 by value or code of the column, for each date format: see :func:`as_dates`.
    kind
        The user's settings for the column.
    order
        The chosen format.
    sure
        Whether it is the only one.
    example
        An example date.
    absent
        Words that mark a missing date.
    questions
        About cells that are not written as dates.
    """

    ways: Mapping[str, Mapping[float, float]]
    kind: str
    order: str
    sure: bool = True
    example: str = ""
    absent: tuple[str, ...] = ()
    questions: tuple[Reading, ...] = ()


def _of_texts(table: Table, column: int, texts: Sequence[str], kind: str) -> _Dates | None:
    """Days for the categories of a column, NaN for words that mark a missing date; None if they are not dates."""
    match = DATE_TYPE.fullmatch(kind)
    stripped = [text.strip() for text in texts]
    dated = [code for code, text in enumerate(stripped)
             if _LOOKS_LIKE_A_DATE.match(text) and not _NO_DATE.fullmatch(text)]  # fmt: skip
    others = sorted({*range(len(texts))} - {*dated})
    absent = [code for code in others if is_no_number(texts[code]) or _NO_DATE.fullmatch(stripped[code])]
    strange = [code for code in others if code not in {*absent}]
    if match is None and (not dated or (absent and len(dated) < max(_FEWEST, _SHARE * len(texts)))):
        return None
    counted = {code: float(stripped[code]) - _EXCEL_ZERO for code in strange if _EXCEL_DAY.fullmatch(stripped[code])}
    words = [code for code in strange if code not in counted]
    few = len(dated) >= max(_FEW_STRANGE * len(words), len(counted))
    if (words and (match is not None or len(words) > _MOST_STRANGE)) or not few:
        if match is not None:
            raise _no_date(table, column, texts)
        return None
    found = as_dates([texts[code] for code in dated]) if dated else {}
    if not found and match is None and len(dated) > len(words):
        bad = _undated([texts[code] for code in dated], _MOST_STRANGE - len(words))
        words += [dated[place] for place in bad]
        dated = [code for code in dated if code not in {*words}]
        found = as_dates([texts[code] for code in dated]) if bad and len(dated) >= _FEW_STRANGE * len(words) else {}
    if match is not None and not found:
        raise _no_date(table, column, texts)
    if not found:
        return None
    said = match["order"] if match is not None else None
    order = said if said in found else next(iter(found))
    missing = dict.fromkeys(map(float, (*absent, *words)), np.nan)
    days_of = {float(code): day for code, day in counted.items()}
    ways = {
        each: dict(zip(map(float, dated), days.tolist(), strict=True)) | missing | days_of
        for each, days in found.items()
    }
    sure = said in found or _agree(list(found.values())) or len(dated) < 2  # one date says nothing about the others
    name = table.columns[column]
    asked = []
    if words:
        asked.append(_ask_words(table, column, [texts[code] for code in words]))
    if counted:
        code = next(iter(counted))
        asked.append(_ask_counted(name, stripped[code], date_text(counted[code], "1970-01-01"), sure=match is not None))
    return _Dates(ways, kind, order, sure, texts[dated[0]], tuple(texts[code] for code in absent), tuple(asked))


_EXCEL_DAY, _EXCEL_ZERO = re.compile(r"[2-5]\d{4}"), 25569.0  # 45322 is 2024-01-31; days from 1899-12-30 to 1970-01-01
_MOST_STRANGE, _FEW_STRANGE = 5, 4  # distinct words among dates, and dates for each word


def _undated(texts: Sequence[str], most: int) -> list[int]:
    """Indices of the texts that are not dates, by repeated halving; [] if there are more than ``most``."""
    if as_dates(texts):
        return []
    if len(texts) == 1:
        return [0]
    found: list[int] = []
    half = len(texts) // 2
    for start, part in ((0, texts[:half]), (half, texts[half:])):
        bad = _undated(part, most - len(found)) if len(found) <= most else []
        found += [start + place for place in bad]
    return found


def _ask_words(table: Table, column: int, words: Sequence[str]) -> Reading:
    """The question whether words among dates are missing values."""
    name = table.columns[column]
    named = quoted([name])
    if len(words) == 1:
        sentence = message('"{word}" in {columns} is treated as a missing value.', word=words[0], columns=named)
        title = message('"{word}" is a missing value', word=words[0])
    else:
        sentence = message("{words} in {columns} are treated as missing values.", words=quoted(words), columns=named)
        title = message("They are missing values")
    answers = (
        Alternative(title, "missing_values", "; ".join(f"{name}={word}" for word in words)),
        Alternative(message("Categories"), "types", f"{name}=category"),
    )
    return Reading("word among dates", sentence, message("The other cells contain dates."), answers, False, (name,))


def _ask_counted(name: str, example: str, day: str, *, sure: bool) -> Reading:
    """The question whether numbers among dates count days, as those of Excel do."""
    sentence = message(
        '{example} in column "{column}" is taken as the date {day}, as Excel numbers days.',
        example=example, column=name, day=day,
    )  # fmt: skip
    answers = (
        Alternative(message("Dates"), "types", f"{name}=date"),
        Alternative(message("Categories"), "types", f"{name}=category"),
    )
    return Reading("numbers among dates", sentence, message("The other cells contain dates."), answers, sure, (name,))


def _agree(days: Sequence[Days]) -> bool:
    """Whether all date formats lead to the same days."""
    return all(np.array_equal(each, days[0]) for each in days)


def _no_date(table: Table, column: int, texts: Sequence[str]) -> DataError:
    strange = [code for code, text in enumerate(texts) if not (is_no_number(text) or holds_dates([text]))]
    row = int(
        np.isin(table.values[:, column], strange).argmax()
    )  # if all are dates in several formats, the first of these formats
    return DataError(
        'Column "{column}" is set to dates, but row {row} contains "{word}". Correct that cell, or write all dates '
        "as 2024-03-31.",
        column=table.columns[column], row=table.rows[row], word=texts[int(np.nan_to_num(table.values[row, column]))],
    )  # fmt: skip


def _numbers_like_dates(table: Table) -> list[int]:
    """Numeric columns whose first values may be dates such as 20240331."""
    head = table.values[:_FIRST_ROWS]
    with np.errstate(invalid="ignore"):
        like = ((head >= _FIRST_NUMBER) & (head <= _LAST_NUMBER)) | np.isnan(head)
    some = ~np.isnan(head).all(axis=0)
    return [int(j) for j in np.flatnonzero(like.all(axis=0) & some) if int(j) not in table.categories]


def _of_numbers(values: NDArray[np.float64], kind: str) -> _Dates | None:
    """Days from numbers such as 20240331; None if one is not a date, or there are too few."""
    present = np.unique(values[~np.isnan(values)])
    whole = (present == np.floor(present)) & (present >= _FIRST_NUMBER) & (present <= _LAST_NUMBER)
    if len(present) < _FEWEST or not whole.all():
        return None
    days = as_dates([f"{value:.0f}" for value in present]).get("")
    return None if days is None else _Dates({"": dict(zip(present.tolist(), days.tolist(), strict=True))}, kind, "")


def _replaced(table: Table, found: Mapping[int, _Dates]) -> Table:
    values = table.values.copy(order="F")
    readings, types = list[Reading](), list[str]()
    unsure: list[tuple[str, str, _Dates]] = []
    told = dict(table.descriptions)
    for j, dates in found.items():
        name, days = table.columns[j], dates.ways[dates.order]
        known = np.array([day for day in days.values() if not np.isnan(day)])
        match = DATE_TYPE.fullmatch(dates.kind)
        origin = match["origin"] if match is not None and match["origin"] else _day(known.min())
        values[:, j] = [days.get(value, np.nan) for value in values[:, j].tolist()]
        values[:, j] -= float(np.datetime64(origin, "D").astype(np.int64))
        told[name] = joined("; ", [*filter(None, [told.get(name)]), message("days since {origin}", origin=origin)])
        if len(dates.ways) > 1 and not dates.sure:
            unsure.append((name, origin, dates))
        else:
            readings.append(_said(name, origin, _day(known.max()), sure=bool(dates.kind)))
        if ";" not in name:
            types.append(f"{name}=days since {origin}{f', {dates.order}' if dates.order else ''}?")
    readings += _asked_together(unsure)
    readings += [question for dates in found.values() for question in dates.questions]
    checks = [_said_absent(table.columns[j], dates.absent) for j, dates in found.items() if dates.absent]
    ways = dict(table.ways)
    if types:
        ways["types"] = "; ".join([*types, *filter(None, [ways.get("types", "")])])
    return replace(
        table,
        values=values,
        categories={j: names for j, names in table.categories.items() if j not in found},
        checks=(*table.checks, *checks),
        readings=(*table.readings, *readings),
        descriptions=told,
        ways=ways,
    )


def _said_absent(column: str, words: Sequence[str]) -> Check:
    sentence = message_many(
        1,
        "{words} is treated as missing in {count} column of dates: {columns}.",
        "{words} is treated as missing in {count} columns of dates: {columns}.",
        words=quoted(words), columns=quoted([column]),
    )  # fmt: skip
    return Check("missing spellings", sentence, (column,))


def _day(days: float) -> str:
    return str(np.datetime64(int(np.floor(days)), "D"))


_TITLES = {"day first": message("The day is first"), "month first": message("The month is first")}
_MOST_NAMED = 20


def _asked_together(columns: Sequence[tuple[str, str, _Dates]]) -> list[Reading]:
    """One question for all columns in which either the day or the month may come first."""
    readings = []
    for order in dict.fromkeys(dates.order for _, _, dates in columns):
        found = [each for each in columns if each[2].order == order]
        for place in range(0, len(found), _MOST_NAMED):
            some = found[place : place + _MOST_NAMED]
            names = tuple(name for name, _, _ in some)
            orders = sorted(some[0][2].ways, key=lambda each: each != order)
            answers = [Alternative(_TITLES[each], "types", "; ".join(f"{name}=date, {each}" for name in names))
                       for each in orders]  # fmt: skip
            words = Alternative(message("Categories"), "types", "; ".join(f"{name}=category" for name in names))
            sentence = (
                message('Column "{column}" contains dates, converted to days since {origin}.',
                        column=names[0], origin=some[0][1])
                if len(names) == 1
                else message("Columns {columns} contain dates, converted to days since the first one of each.",
                             columns=quoted(names))
            )  # fmt: skip
            evidence = message("{example} may have the day or the month first.", example=some[0][2].example)
            readings.append(Reading(KIND, sentence, evidence, (*answers, words), sure=False, columns=names))
    return readings


def _said(name: str, origin: str, last: str, *, sure: bool) -> Reading:
    """How a column of dates is treated; the user is asked if it is the target."""
    words = Alternative(message("Categories"), "types", f"{name}=category")
    sentence = message(
        'Column "{column}" contains dates, converted to days since {origin}.', column=name, origin=origin
    )
    days = Alternative(message("Days: a number"), "types", f"{name}=date")
    evidence = message("The latest date is {last}.", last=last)
    return Reading(KIND, sentence, evidence, (days, words), sure, (name,), "as target")
