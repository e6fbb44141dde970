"""Columns with compound cells such as 120/80 or 5 (3-7) (two or three numbers) and 1:23:45 (durations)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.column_options import types_of
from fsdesk.data.dataset import Table
from fsdesk.data.number_texts import is_no_number
from fsdesk.data.options import ReadOptions
from fsdesk.data.reading import Alternative, Reading
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, quoted

PAIR, TRIPLE, TIME = "two numbers", "three numbers", "duration"
"""Names of these kinds of columns as types."""

_NUMBER = r"[-+]?\d+(?:[.,]\d+)?"
_UNIT = r"(?:\s*[%°]?[a-zA-Zµμ²³%/]*)?"
_UNTIL = r"\s*(?:-|–|—|to|bis|à|;|,)\s*"


@dataclass(frozen=True)
class _Form:
    """A form of cells with several numbers: its kind as a type, a pattern with a group for each number, and its sign.

    Attributes
    ----------
    is_range
        Whether the numbers are a lower and an upper limit; 20-29 and 30-39 may also be the names of classes.
    """

    kind: str
    pattern: re.Pattern[str]
    is_range: bool = False

    def numbers(self, text: str) -> tuple[float, ...] | None:
        """The numbers in a cell; None if it has another form."""
        match = self.pattern.fullmatch(text.strip())
        return None if match is None else tuple(map(_number, match.groups()))


_SLASHED = _Form(PAIR, re.compile(rf"({_NUMBER})\s*/\s*({_NUMBER}){_UNIT}"))
_PLUS_MINUS = _Form(PAIR, re.compile(rf"({_NUMBER})\s*(?:±|\+/-|\+-)\s*({_NUMBER}){_UNIT}"))
_FORMS = (
    _SLASHED,
    _PLUS_MINUS,
    _Form(PAIR, re.compile(rf"({_NUMBER}){_UNIT}\s*[(\[]({_NUMBER})\s?%?[)\]]")),
    _Form(TRIPLE, re.compile(rf"({_NUMBER}){_UNIT}\s*[(\[]({_NUMBER}){_UNTIL}({_NUMBER}){_UNIT}[)\]]")),
    _Form(PAIR, re.compile(rf"({_NUMBER}){_UNIT}\s*[x×*]\s*({_NUMBER}){_UNIT}")),
    _Form(TRIPLE, re.compile(rf"({_NUMBER}){_UNIT}\s*[x×*]\s*({_NUMBER}){_UNIT}\s*[x×*]\s*({_NUMBER}){_UNIT}")),
    _Form(TRIPLE, re.compile(rf"({_NUMBER})\s*/\s*({_NUMBER})\s*/\s*({_NUMBER}){_UNIT}")),
    _Form(PAIR, re.compile(rf"({_NUMBER})(?:;\s*|,\s+)({_NUMBER}){_UNIT}")),
    _Form(PAIR, re.compile(r"(\d+)\s*[:+]\s*(\d+)")),  # a ratio, or weeks and days of a pregnancy
    _Form(PAIR, re.compile(rf"({_NUMBER})\s?[a-zA-Z]{{1,7}}\.?,?\s*({_NUMBER})\s?[a-zA-Z]{{1,7}}\.?")),  # 5y 3m
    _Form(PAIR, re.compile(rf"({_NUMBER})\s*(?:-|–|—|to|bis|\.\.)\s*({_NUMBER}){_UNIT}"), is_range=True),
)
_ALONE = re.compile(rf"({_NUMBER}){_UNIT}")
_LEADING_ZERO = re.compile(r"(?<![\d.,])0\d")
_PRESSURE = re.compile(
    r"(.*[\s_.(-])?(bp|rr|nibp|blood[ _.-]?pressure|blutdruck|tension|pressione|tensión)\b.*", re.IGNORECASE
)
_TIME = re.compile(
    r"(?P<sign>-)?(?:(?P<days>\d+) days?,? )?(?P<first>\d{1,4})(?::|\s?h\s?)(?P<second>[0-5]\d)"
    r"(?::(?P<third>[0-5]\d(?:[.,]\d+)?))?(?: ?(?P<half>[ap])\.?m\.?)?",
    re.IGNORECASE,
)
_FEWEST = 5  # distinct cells; 20/20, 20/40 and 3:1 are categories
_SHARE = 0.25  # of all rows


def with_compounds(table: Table, options: ReadOptions) -> Table:
    """Split cells of several numbers into columns and convert times to numbers; each decision is recorded by column.

    Raises DataError, naming the cell, if a column set to such a kind does not fit.
    """
    types = types_of(options, table.columns)
    for j in sorted(table.categories, reverse=True):  # later columns keep their position
        kind = types.get(table.columns[j], "")
        if kind in ("category", "number") or (kind and kind not in (PAIR, TRIPLE, TIME)):
            continue
        if kind in ("", TIME) and (found := _times(table, j, said=kind == TIME)):
            alleles = not kind and _are_alleles(table.columns[j], list(found.values()))
            table = _with_alleles(table, j, found) if alleles else _with_times(table, j, found, sure=kind == TIME)
        elif kind != TIME and (table.columns[j] != table.default_target or kind or _are_no_classes(table, j)):
            parts = _parts(table, j, kind)
            table = table if parts is None else _split(table, j, parts, sure=bool(kind))
    return table


def _are_no_classes(table: Table, column: int) -> bool:
    """Whether a column has too many distinct cells for classes: more than half as many as rows."""
    return 2 * len(table.categories[column]) > len(table.rows)


def are_compounds(cells: Sequence[str]) -> bool:
    """Whether all cells contain several numbers or a time, and are therefore not IDs, as 12-3 may be."""
    forms = [form.pattern for form in _FORMS if not form.is_range]
    return bool(cells) and any(all(form.fullmatch(cell.strip()) for cell in cells) for form in (*forms, _TIME))


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def _refused(table: Table, column: int, kind: str, code: int) -> DataError:
    row = int((table.values[:, column] == code).argmax())
    return DataError(
        'Column "{column}" is set to {kind}, but row {row} contains "{word}". Correct that cell.',
        column=table.columns[column], kind=_KINDS[kind], row=table.rows[row], word=table.categories[column][code],
    )  # fmt: skip


_KINDS = {
    PAIR: message("two numbers, such as 120/80"),
    TRIPLE: message("three numbers, such as 5 (3-7)"),
    TIME: message("times, such as 1:23:45"),
}


def _are_enough(table: Table, column: int, count: int) -> bool:
    """Whether this many distinct cells of a column are too many for categories."""
    present = int((~np.isnan(table.values[:, column])).sum())
    return count >= max(_FEWEST, _SHARE * present)


Times = dict[int, re.Match[str]]


def _times(table: Table, column: int, *, said: bool) -> Times | None:
    """The parts of the times in each category of a column; None if they are not times."""
    found: Times = {}
    for code, text in enumerate(table.categories[column]):
        match = _TIME.fullmatch(text.strip())
        if match is not None:
            found[code] = match
        elif not is_no_number(text):
            if said:
                raise _refused(table, column, TIME, code)
            return None
    if not found or not (said or _are_enough(table, column, len(found))):
        return None
    firsts = {match["first"] for match in found.values()}
    long = any(match["third"] or match["days"] for match in found.values())
    if not said and not long and len(firsts) == 1:  # 1:20 and 1:40 are dilutions
        return None
    return found


_ALLELES = re.compile(
    r"(.*[\W_])?(hla|alleles?|mhc|[abc][ _.-]?[12]|(d[pqr][ab]\d?|drb\d|hla[abc]|[abc])([ _.-]?[12])?)([\W_].*|\d*)",
    re.IGNORECASE,
)
_LAST_FIELD, _NEARLY_ALL = 20, 0.9
_MANY_ALLELES = 10  # distinct cells, too many to look like alleles by chance


def _are_alleles(name: str, found: Sequence[re.Match[str]]) -> bool:
    """Whether times such as 02:01 are alleles of HLA: by the name, and second fields that begin with 01 and are small.

    Times have minutes up to 59. Alleles have at least two digits in each field.
    """
    if any(match["sign"] or match["days"] or match["half"] or len(match["first"]) < 2 for match in found):
        return False
    second = [int(match["second"]) for match in found]
    small = sum(0 < each <= _LAST_FIELD for each in second) >= _NEARLY_ALL * len(second) and min(second) > 0
    return small or _ALLELES.fullmatch(name.strip()) is not None


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


def _with_alleles(table: Table, column: int, found: Times) -> Table:
    """The table with the decision that a column contains alleles of HLA, which are categories."""
    name = table.columns[column]
    sentence = message(
        'Column "{column}" is read as categories: {example} is interpreted as an allele, not as a time.',
        column=name, example=next(iter(found.values()))[0],
    )  # fmt: skip
    answers = (
        Alternative(message("Categories"), "types", f"{name}=category"),
        Alternative(message("Times: a number"), "types", f"{name}={TIME}"),
    )
    sure = _ALLELES.fullmatch(name.strip()) is not None or len(found) >= _MANY_ALLELES
    return replace(table, readings=(*table.readings, Reading("times", sentence, "", answers, sure, (name,))))


def _with_times(table: Table, column: int, found: Times, *, sure: bool) -> Table:
    name, texts = table.columns[column], table.categories[column]
    long = any(match["third"] or match["days"] for match in found.values())
    times = {code: _seconds(match, long=long) for code, match in found.items()}
    values = table.values.copy(order="F")
    values[:, column] = [
        times.get(int(code), np.nan) if code == code else np.nan for code in values[:, column].tolist()
    ]
    example = next(iter(times))
    unit = (
        message("seconds") if any(match["third"] for match in found.values()) else message("units of the last digits")
    )
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


Parts = dict[int, tuple[float, ...]]


def _parts(table: Table, column: int, kind: str) -> Parts | None:
    """The numbers in each category of a column, of the ``kind`` set by the user or any; None if the cells do not fit.

    Some cells may have only the first number.
    """
    texts = table.categories[column]
    for form in _FORMS:
        if kind and form.kind != kind:
            continue
        found = {code: numbers for code, text in enumerate(texts) if (numbers := form.numbers(text)) is not None}
        if not found:
            continue
        alone = {code: match for code, text in enumerate(texts)
                 if code not in found and (match := _ALONE.fullmatch(text.strip()))}  # fmt: skip
        odd = [code for code, text in enumerate(texts)
               if code not in found and code not in alone and not is_no_number(text)]  # fmt: skip
        if not odd and (kind or (len(alone) < len(found) and _may_be_split(table, column, form, found))):
            missing = (np.nan,) * (2 if form.kind == TRIPLE else 1)
            return found | {code: (_number(match[1]), *missing) for code, match in alone.items()}
        if kind and 2 * len(odd) < len(texts):
            raise _refused(table, column, kind, odd[0])
    if kind:
        raise _refused(table, column, kind, 0)
    return None


def _may_be_split(table: Table, column: int, form: _Form, found: Parts) -> bool:
    """Whether the cells are measurements: many different ones, and neither classes such as 20-29 nor codes."""
    if not _are_enough(table, column, len(found)) or any(map(_LEADING_ZERO.search, table.categories[column])):
        return False
    if len({numbers[0] for numbers in found.values()}) == 1:  # 1:20 and 1:40 are dilutions
        return False
    limits = sorted(found.values())
    apart = all(low[1] <= high[0] for low, high in pairwise(limits))
    return not form.is_range or (not apart and all(low <= high for low, high in limits))


def _split(table: Table, column: int, parts: Parts, *, sure: bool) -> Table:
    """The table with a column for each number of the cells of one of its columns."""
    name, texts = table.columns[column], table.categories[column]
    count = len(next(iter(parts.values())))
    made_values: NDArray[np.float64] = np.full((len(table.rows), count), np.nan)
    for row, code in enumerate(table.values[:, column].tolist()):
        if code == code and int(code) in parts:
            made_values[row] = parts[int(code)]
    made_names = [_free(f"{name} ({place})", table.columns) for place in range(1, count + 1)]
    example = texts[next(iter(parts))].strip()
    kind = PAIR if count == 2 else TRIPLE
    sentence = (
        message('Column "{column}" contains two numbers per cell, such as {example}, and is split into two columns, '
                "{names}.", column=name, example=example, names=quoted(made_names))
        if kind == PAIR
        else message('Column "{column}" contains three numbers per cell, such as {example}, and is split into three '
                     "columns, {names}.", column=name, example=example, names=quoted(made_names))
    )  # fmt: skip
    answers = (
        Alternative(message("Two numeric columns") if kind == PAIR else message("Three numeric columns"), "types",
                    f"{name}={kind}"),
        Alternative(message("Text"), "types", f"{name}=category"),
    )  # fmt: skip
    clear = _PLUS_MINUS.numbers(example) is not None or _PRESSURE.fullmatch(name) is not None
    sure |= clear and table.default_target != name
    reading = Reading("two numbers", sentence, "", answers, sure, (name,))
    places = [j for j in range(len(table.columns)) if j != column]
    values = np.column_stack([table.values[:, :column], made_values, table.values[:, column + 1 :]])
    shift = {j: j + (count - 1) * (j > column) for j in places}
    made = replace(
        table,
        values=np.asfortranarray(values),
        columns=(*table.columns[:column], *made_names, *table.columns[column + 1 :]),
        categories={shift[j]: names for j, names in table.categories.items() if j != column},
        readings=(*table.readings, reading),
        default_target=made_names[-1] if table.default_target == name else table.default_target,
    )
    return _kept(made, name, kind)


def _free(name: str, taken: Sequence[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _kept(table: Table, name: str, kind: str) -> Table:
    """The table with an option entry by which later tables are read in the same way."""
    if ";" in name:
        return table
    types = "; ".join([f"{name}={kind}?", *filter(None, [table.ways.get("types", "")])])
    return replace(table, ways={**table.ways, "types": types})
