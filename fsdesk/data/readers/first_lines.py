"""Interpretation of the first lines of a table: names, units, types and roles, or data."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import isnan

from fsdesk.data.cells import MISSING, Numbers, Row
from fsdesk.data.number_texts import is_no_number
from fsdesk.data.options import ReadOptions
from fsdesk.data.reading import Alternative, Reading
from fsdesk.messages import message, quoted

_TYPES = {
    **dict.fromkeys(("c", "continuous", "n", "numeric"), "number"),
    **dict.fromkeys(("d", "discrete", "categorical"), "category"),
    **dict.fromkeys(("s", "string", "text", "t", "time", "b", "basket"), "text"),
}
_ROLES = {
    "class": "target", "c": "target", "meta": "meta", "m": "meta", "ignore": "ignore", "i": "ignore",
    "weight": "ignore", "w": "ignore", "": "",
}  # fmt: skip
_FLAGS = re.compile(r"([mciw]?)([CDSTcdst]?)#(.+)")
_UNIT_WORDS = frozenset((
    "unit", "units", "einheit", "einheiten", "type", "types", "typ", "text", "label", "-", "--", "n/a", "na", "none",
    "str", "string", "char", "character", "varchar", "factor", "category", "categorical", "nominal", "object", "id",
))  # fmt: skip
_SQL_TYPE = re.compile(
    r"(n?(var)?char2?|text|string|str|enum|set|date|datetime|timestamp|time|bool(ean)?|(tiny|small|big)?int(eger)?\d*|"
    r"float\d*|double( precision)?|real|decimal|numeric|number|serial|uuid|object|category|factor)(\s?\([\d, ]*\))?",
    re.IGNORECASE,
)
"""Column types in databases and programming languages."""
_TITLES = re.compile(
    r"(sample|subject|patient|case|donor|participant|probe|proband|patienten?)?[ _.-]?(ids?|names?|no|nr|nummer|code)?|"
    r"samples?|subjects?|patients?|labels?|class(es)?|groups?|targets?|outcome|diagnos(is|e)|status|species|type|sex|"
    r"condition|treatment|phenotype|batch|gruppe|klasse|ziel|bezeichnung|geschlecht|groupe|classe|grupo|clase|gruppo",
    re.IGNORECASE,
)
"""Names of text columns that are unlikely to be cells of such columns."""


def is_title(word: str) -> bool:
    """Whether a word is a usual name of text columns, such as "group"."""
    return bool(word) and _TITLES.fullmatch(word) is not None


_FEWEST_RISING, _FEWEST_REPEATS, _MOST_UNITS, _MOST_ABOUT = 3, 4, 3, 6
_QIIME = ("#q2:types", "#q2:types:", "q2:types")
_ANSWERED = re.compile(r"(open-ended )?response", re.IGNORECASE)  # written by SurveyMonkey below a question
_SURVEY_ID = '{"ImportId"'  # written by Qualtrics below its names and questions


@dataclass(frozen=True)
class FirstLines:
    """The names, and the lines between them and the data.

    Attributes
    ----------
    named
        Whether the first line holds names.
    below
        Number of lines below it that are not data.
    notes
        Units of the columns from these lines, by position.
    roles
        Positions of columns to "target", "meta" or "ignore", if given in these lines.
    types
        Positions of columns to "number", "category" or "text", if given.
    names
        The names without flags, if the first line has flags before them.
    readings
        The decisions.
    """

    named: bool
    below: int = 0
    notes: dict[int, str] = field(default_factory=dict)
    roles: dict[int, str] = field(default_factory=dict)
    types: dict[int, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()


def first_lines(first: Row, body: Sequence[Row], numbers: Numbers, options: ReadOptions, *, short: bool) -> FirstLines:
    """Interpret the first lines of a table.

    Parameters
    ----------
    first, body
        The first line, and some lines below it.
    numbers
        The number format.
    options
        The user's options.
    short
        Whether the first line lacks a name for the first column, as R writes it.
    """
    sample_names = options.orientation == "columns"
    rows = [row for row in body if len(row) == len(first) + short]
    names = ["", *first] if short else list(first)
    if not sample_names and options.header != "no" and rows:
        special = (
            _orange(names, rows, options)
            or _surveyed(names, rows, options)
            or _named_over(names, rows, numbers, options)
            or _named_in_lines(names, rows, numbers, options)
            or _without_an_id(names, rows, numbers, options)
            or _units(names, rows, numbers, options)
            or _types_below(rows, numbers, options)
        )
        if special is not None:
            return special
        if options.below_header == "skip":
            return FirstLines(True, 1)
    if short or options.header != "auto":
        return FirstLines(short or options.header == "yes")
    header = _Header(first, rows, numbers, sample_names=sample_names)
    named, sure, evidence = header.decided()
    answers = (
        Alternative(message("The first line contains the column names"), "header", "yes"),
        Alternative(message("The first line is a row of data"), "header", "no"),
    )
    sentence = (
        message("The first line is read as column names ({cells}).", cells=quoted([*filter(None, first)]))
        if named
        else message("The first line is read as data ({cells}).", cells=quoted([*filter(None, first)]))
    )
    reading = Reading("header", sentence, evidence, answers if named else answers[::-1], sure)
    flagged = _flags(first) if named else None
    if flagged is not None:
        return FirstLines(
            named, roles=flagged[1], types=flagged[2], names=flagged[0], readings=(_said_roles(flagged[0]),)
        )
    return FirstLines(named, readings=(reading,))


def without_names_again(first: Row, body: Sequence[Row], numbers: Numbers) -> list[Row]:
    """The lines below the first one without repeated headers, as in concatenated tables, each with its line of units.

    All are kept if the first line would then not have text above numbers.
    """
    again = [place for place, row in enumerate(body) if holds_names_again(row, first)]
    units = body[0] if again and all(body[place + 1 : place + 2] == [body[0]] for place in again) else None
    out = {*again, *(place + 1 for place in again if units is not None)}
    rest = [row for place, row in enumerate(body) if place not in out]
    if len(rest) == len(body) or not rest:
        return list(body)
    below = rest[1:] if units is not None else rest
    names_numbers = any(not numbers.fits(first[j]) for j in _columns_of_numbers(below, numbers) if j < len(first))
    return rest if names_numbers else list(body)


def holds_names_again(row: Row, names: Sequence[str]) -> bool:
    """Whether a line begins like the header and repeats at least half of the names in their columns."""
    if len(row) != len(names) or row[0].strip() != names[0].strip():
        return False
    return 2 * sum(cell.strip() == name.strip() for cell, name in zip(row, names, strict=True)) >= len(names) > 1


def _orange(names: Row, rows: Sequence[Row], options: ReadOptions) -> FirstLines | None:
    """The lines of types and roles that Orange writes below the names."""
    if options.below_header == "data" or len(rows) < 3:
        return None
    types, roles = ([cell.strip() for cell in row] for row in rows[:2])
    if types[0].lower() in _QIIME:
        kinds = {j: kind for j, cell in enumerate(types) if (kind := _type_of(cell))}
        return FirstLines(True, 1, types=kinds, readings=(_said_types(),))
    if not all(_type_of(cell) for cell in types) or not all(_role_of(cell) is not None for cell in roles):
        return None
    if len(set(types)) == 1 and not any(roles):  # e.g. a table of words
        return None
    found = {j: role for j, cell in enumerate(roles) if (role := _role_of(cell))}
    kinds = {j: _type_of(cell) for j, cell in enumerate(types)}
    return FirstLines(True, 2, roles=found, types=kinds, readings=(_said_roles(names),))


def _said_roles(names: Sequence[str]) -> Reading:
    sentence = message("Column types and roles are those given in the file, in Orange format.")
    return Reading("roles", sentence)


def _said_types() -> Reading:
    return Reading("roles", message("Column types are those given in the file, in QIIME format."))


def _type_of(cell: str) -> str:
    if cell.lower() in _TYPES:
        return _TYPES[cell.lower()]
    return "category" if len(cell.split()) > 1 and not any(sign in cell for sign in "/.") else ""


def _role_of(cell: str) -> str | None:
    return _ROLES.get(cell.split(" ")[0].lower()) if cell else ""


def _flags(first: Row) -> tuple[tuple[str, ...], dict[int, str], dict[int, str]] | None:
    """Names, roles and types if Orange's flags precede the names, such as "mS#name" and "cD#class"."""
    matches = [_FLAGS.fullmatch(cell.strip()) for cell in first]
    flagged = [match for match in matches if match is not None and (match[1] or match[2])]
    if not flagged or (len(flagged) < 2 and not any(match[1] == "c" for match in flagged)):
        return None
    names = tuple(cell if match is None or not (match[1] or match[2]) else match[3]
                  for cell, match in zip(first, matches, strict=True))  # fmt: skip
    roles = {j: _ROLES[match[1]] for j, match in enumerate(matches) if match is not None and match[1]}
    types = {j: _TYPES[match[2].lower()] for j, match in enumerate(matches) if match is not None and match[2]}
    return names, roles, types


def _surveyed(names: Row, rows: Sequence[Row], options: ReadOptions) -> FirstLines | None:
    """The lines down to the one with IDs, which Qualtrics writes below its names and questions."""
    looked = enumerate(rows[:_MOST_UNITS])
    deepest = next((deep for deep, row in looked if all(cell.strip().startswith(_SURVEY_ID) for cell in row)), None)
    if deepest is None or options.below_header == "data":
        return None
    evidence = message("It contains text above numbers, such as units.")
    readings = []
    for row in rows[: deepest + 1]:
        sentence = message("The line below the header ({cells}) is skipped.", cells=quoted([*filter(None, row)]))
        readings.append(Reading("units below the names", sentence, evidence, _LEFT_OUT))
    notes = {j: cell.strip() for j, cell in enumerate(rows[0]) if deepest and cell.strip()}
    return FirstLines(True, deepest + 1, notes=notes, readings=tuple(readings))


def _without_an_id(names: Row, rows: Sequence[Row], numbers: Numbers, options: ReadOptions) -> FirstLines | None:
    """Lines about the columns: they have no sample ID, unlike all lines below, and the first has text above numbers.

    Examples are units, classes of metabolites and limits of detection.
    """
    count = next((place for place, row in enumerate(rows[: _MOST_ABOUT + 1]) if row[0].strip()), 0)
    below = rows[count:]
    if options.below_header == "data" or not count or not names[0].strip() or len(below) < _FEWEST_REPEATS:
        return None
    ids = [row[0].strip() for row in below]
    if not all(ids) or (all(map(numbers.fits, ids)) and not all(map(str.isdigit, ids))):
        return None
    lines = [[cell.strip() for cell in row] for row in rows[:count]]
    numeric = [*_columns_of_numbers(below, numbers)]
    texts = [j for j in numeric if lines[0][j] and not is_no_number(lines[0][j])]
    if not texts or any(numbers.is_number(lines[0][j]) for j in numeric) or any(map(numbers.is_number, names)):
        return None
    readings = []
    for line in lines:
        sentence = message("The line below the header ({cells}) is skipped.", cells=quoted([*filter(None, line)]))
        evidence = message("It has no sample ID, unlike the lines below.")
        readings.append(Reading("units below the names", sentence, evidence, _LEFT_OUT))
    return FirstLines(True, count, notes={j: lines[0][j] for j in texts}, readings=tuple(readings))


def _named_in_lines(names: Row, rows: Sequence[Row], numbers: Numbers, options: ReadOptions) -> FirstLines | None:
    """Several header lines above the numbers, the upper ones for groups of columns; a line of units may follow."""
    deepest = _lines_above_numbers(rows, numbers, range(_MOST_UNITS + 1))
    if options.below_header == "data" or deepest < 2 or len(rows) < deepest + 2:
        return None
    numeric = [*_columns_of_numbers(rows[deepest:], numbers)]
    lines = [[cell.strip() for cell in row] for row in (names, *rows[:deepest])]
    if any(numbers.is_number(line[j]) for line in lines for j in numeric):
        return None
    for count in range(2, deepest + 2):
        made = _in_one_line(lines[:count])
        if made and all(made[j] for j in numeric):
            break
    else:
        return None
    if not all(lines[count - 1][j] for j in numeric) or (
        count < deepest + 1 and not all(_holds_units(line, numeric, several=True) for line in lines[count:])
    ):
        return None
    below = _units([*made], rows[count - 1 :], numbers, options) if count < deepest + 1 else None
    if count < deepest + 1 and below is None:
        return None
    readings = (_said_joined(made, count), *(below.readings if below else ()))
    return FirstLines(True, deepest, notes=below.notes if below else {}, names=made, readings=readings)


def _in_one_line(lines: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Names joined from several lines, if that makes all of them unique and the first one has repetitions or gaps."""
    if len({*filter(None, lines[0])}) == len([*filter(None, lines[0])]) and all(lines[0]):
        return ()
    parts = []
    for line in lines[:-1]:
        repeats = any(cell and cell == after for cell, after in pairwise(line))
        above, filled = "", []
        for cell, last in zip(line, lines[-1], strict=True):
            above = cell or ("" if repeats or not last else above)
            filled.append(above)
        parts.append(filled)
    made = tuple(" ".join(filter(None, cells)) for cells in zip(*parts, lines[-1], strict=True))
    known = [*filter(None, made)]
    return made if len({*known}) == len(known) else ()


def _units(names: Row, rows: Sequence[Row], numbers: Numbers, options: ReadOptions) -> FirstLines | None:
    """Lines of units or types below the names: text above every numeric column."""
    if options.below_header == "data":
        return None
    deepest = _lines_above_numbers(rows, numbers, range(1, _MOST_UNITS + 1))
    if not deepest or len(rows) < deepest + 2:
        return None
    numeric = list[int]()
    for j in _columns_of_numbers(rows[deepest:], numbers):
        if any(numbers.is_number(line[j].strip()) for line in (*rows[:deepest], names)):
            return None
        numeric.append(j)
    lines = [[cell.strip() for cell in row] for row in rows[:deepest]]
    texts = [j for j in numeric if any(line[j] not in MISSING for line in lines)]
    if not texts:
        return None
    known = all(_holds_units(line, numeric, several=deepest > 1) for line in lines)
    again = not known and all(_names_again(names, row, rows[deepest:], numeric) for row in rows[:deepest])
    if options.below_header == "auto" and not known and not again:
        return None
    if options.below_header == "auto" and len(texts) < 2 and len(numeric) > 1:
        return None
    joined = _joined_names(names, lines[0]) if deepest == 1 and not known else ()
    surveyed = any(cell.startswith(_SURVEY_ID) for cell in lines[-1])
    sure = (
        options.below_header == "skip"
        or bool(joined)
        or surveyed
        or (known and len(texts) >= 2 and 2 * len(texts) >= len(numeric))
    )
    answers = _LEFT_OUT
    if joined:
        return FirstLines(True, 1, names=joined, readings=(_said_joined(joined),))
    readings = []
    for line in lines if sure else lines[:1]:
        cells = quoted([*filter(None, line)])
        sentence = message("The line below the header ({cells}) is skipped.", cells=cells)
        evidence = message("It contains text above numbers, such as units.")
        if deepest > 1 and not sure:
            sentence = message("The {count} lines below the header ({cells}) are skipped.", count=deepest, cells=cells)
            evidence = message("They contain text above numbers.")
        readings.append(Reading("units below the names", sentence, evidence, answers, sure))
    notes = {j: lines[0][j] for j in texts if lines[0][j]}
    return FirstLines(True, deepest, notes=notes, readings=tuple(readings))


_TYPE_WORD = re.compile(
    r"str(ing)?|char(acter)?|n?varchar2?|text|chr|fct|factor|categor(y|ical)|nominal|ordinal|object|num(eric|ber)?|dbl|"
    r"double|float(32|64)?|real|decimal|int(eger|32|64)?|lgl|logical|bool(ean)?|date(time)?|continuous|discrete|binary",
    re.IGNORECASE,
)


def _types_below(rows: Sequence[Row], numbers: Numbers, options: ReadOptions) -> FirstLines | None:
    """A line of types below the names, such as string, above columns of words: all its cells are types."""
    line = [cell.strip().strip("<>()[]") for cell in rows[0]]
    named = [cell for cell in line if cell]
    later = {cell.strip().strip("<>()[]") for row in rows[1:] for cell in row}
    known = all(_TYPE_WORD.fullmatch(cell) for cell in named) and later.isdisjoint(named)
    if options.below_header == "data" or len(rows) < _FEWEST_REPEATS or len(named) < _FEWEST_TYPES or not known:
        return None
    if 2 * len(named) < len(line):
        return None
    sentence = message("The line below the header ({cells}) is skipped.", cells=quoted(named))
    evidence = message("It contains types of columns.")
    sure = options.below_header == "skip" or len({*named}) > 1
    return FirstLines(True, 1, readings=(Reading("units below the names", sentence, evidence, _LEFT_OUT, sure),))


_FEWEST_TYPES = 3


def _named_over(names: Row, rows: Sequence[Row], numbers: Numbers, options: ReadOptions) -> FirstLines | None:
    """Two header lines, if the first one names groups of columns and is blank above the others of each group.

    Merged cells of a sheet look like this, and so do questions with several answers. The first column has its name only
    in the first line or only in the second, like those before the first group. A line of units may follow.
    """
    if options.below_header == "data" or len(rows) < 3:
        return None
    first, line = ([cell.strip() for cell in row] for row in (names, rows[0]))
    above = [j for j, cell in enumerate(first) if j and cell]
    start = above[0] if above and not first[0] else 1
    gaps = [j for j, cell in enumerate(first) if j >= start and not cell and line[j]]
    if not gaps or not above or gaps[-1] < above[0]:
        return None
    numeric, units = [*_columns_of_numbers(rows[1:], numbers)], dict[int, str]()
    if not numeric and len(rows) > 3:
        numeric, third = [*_columns_of_numbers(rows[2:], numbers)], [cell.strip() for cell in rows[1]]
        if not _holds_units(third, numeric, several=False):
            return None
        units = {j: third[j] for j in numeric if third[j]}
    if not numeric or bool(first[0]) == bool(line[0]):
        return None
    if any(map(numbers.is_number, line)) or not any(line[j] for j in numeric):
        return None
    made, group = [], ""
    for place, (name, below) in enumerate(zip(first, line, strict=True)):
        group = name or ("" if place < above[0] else group)
        made.append(name if not below or (name and _ANSWERED.fullmatch(below)) else f"{group} {below}".strip())
    made[0] = first[0] or line[0]
    if len({*filter(None, made)}) < len([*filter(None, made)]):
        return None
    readings = [_said_joined(made)]
    if units:
        sentence = message("The line below the header ({cells}) is skipped.", cells=quoted([*units.values()]))
        evidence = message("It contains text above numbers, such as units.")
        readings.append(Reading("units below the names", sentence, evidence, _LEFT_OUT))
    return FirstLines(True, 2 if units else 1, notes=units, names=tuple(made), readings=tuple(readings))


_LEFT_OUT = (
    Alternative(message("Skip the line"), "below_header", "skip"),
    Alternative(message("The line is data"), "below_header", "data"),
)


def _said_joined(names: Sequence[str], count: int = 2) -> Reading:
    cells = quoted([*filter(None, names)])
    sentence = message("Two header lines are combined ({cells}).", cells=cells)
    if count > 2:
        sentence = message("The first {count} lines are combined into one header ({cells}).", count=count, cells=cells)
    evidence = message("The first has empty or repeated cells, as headings of column groups do.")
    alternatives = (Alternative(message("Two header lines"), "below_header", "skip"), _LEFT_OUT[1])
    return Reading("two lines of names", sentence, evidence, alternatives)


def _joined_names(names: Row, line: Sequence[str]) -> tuple[str, ...]:
    """Names from two lines, if the first has gaps or repetitions and the second names every column; otherwise none."""
    first = [cell.strip() for cell in names]
    filled = [cell for cell in first if cell]
    gaps = any(not cell and below for cell, below in zip(first, line, strict=True))
    if not filled or not (gaps or len({*filled}) < len(filled)) or any(
        cell and not below for cell, below in zip(first, line, strict=True) if cell not in ("id", "ID")
    ):  # fmt: skip
        return ()
    above, made = "", []
    for cell, below in zip(first, line, strict=True):
        above = cell or above
        made.append(f"{above} {below}".strip() if below else cell)
    return tuple(made) if len({*filter(None, made)}) == len([*filter(None, made)]) else ()


def _names_again(names: Row, row: Row, below: Sequence[Row], numeric: Sequence[int]) -> bool:
    """Whether a line contains further names or explanations: text above all numbers, none of which occurs below.

    Most of its cells are unique, unlike a line of classes above samples in columns.
    """
    line = [cell.strip() for cell in row]
    words = [cell for cell in line if cell not in MISSING]
    above = [line[j] for j in numeric if line[j] or names[j].strip()]  # an index has a name in neither line
    if len(above) < 2 or any(cell in MISSING or is_no_number(cell) for cell in above):
        return False
    if 2 * len({*words}) <= len(words):
        return False
    return not any(cell and cell in {other[j].strip() for other in below} for j, cell in enumerate(line))


def _columns_of_numbers(rows: Sequence[Row], numbers: Numbers) -> Iterator[int]:
    """Columns that contain a number, and whose other cells are numbers or missing."""
    for j, cells in enumerate(zip(*rows, strict=True)):
        has_number = False
        for cell in cells:
            try:
                has_number |= not isnan(numbers.one(cell))
            except ValueError:
                break
        else:
            if has_number:
                yield j


def _lines_above_numbers(rows: Sequence[Row], numbers: Numbers, counts: Iterable[int]) -> int:
    """The smallest of ``counts`` after which the remaining lines have a column of numbers; 0 if there is none."""
    return next((count for count in counts if any(True for _ in _columns_of_numbers(rows[count:], numbers))), 0)


def _holds_units(line: Row, numeric: Sequence[int], *, several: bool) -> bool:
    """Whether a line contains units or types rather than marks for unmeasured values, and only these above texts."""
    texts = [line[j] for j in numeric if line[j] not in MISSING]
    others = [cell for j, cell in enumerate(line) if cell and j not in numeric]
    if all(map(is_no_number, texts)) and not (several and not texts):
        return False
    return all(map(_is_about_units, others))


def _is_about_units(cell: str) -> bool:
    """Whether a cell of a line of units, above a text column, is a word for units or a type."""
    if _SQL_TYPE.fullmatch(cell):
        return True
    bracketed = cell[:1] in ("(", "[") and cell[-1:] in (")", "]")
    return bracketed or cell.strip(":").lower() in _UNIT_WORDS or cell.lower() in _TYPES


def _values(cells: Sequence[str], numbers: Numbers) -> list[float]:
    """The numbers in all cells; none if one of them is not a number."""
    try:
        values = [numbers.one(cell) for cell in cells]
    except ValueError:
        return []
    return [] if any(map(isnan, values)) else values


class _Header:
    """The evidence for and against names in the first line."""

    def __init__(self, first: Row, rows: Sequence[Row], numbers: Numbers, *, sample_names: bool) -> None:
        self.first, self.rows, self.numbers, self.sample_names = first, rows, numbers, sample_names
        self.above = self.below = 0  # text above numbers, numbers above numbers
        self.fresh = self.repeated = 0  # unique or repeated texts
        self.fresh_class = 0  # unique texts above repetitive ones
        self.titles: list[str] = []  # unique texts that are common column names
        self.outside = 0  # numbers far from those below
        self.whole_over_fractions = 0
        self.row: list[float] = []

    def decided(self) -> tuple[bool, bool, str]:
        """Whether the line contains names, whether that is certain, and the evidence."""
        if not self.rows:
            return not any(self.numbers.is_number(cell) for cell in self.first), True, ""
        if _counts(self.first, self.numbers):
            return True, True, message("It is treated as data.")
        self._look()
        if self.above > self.below:
            return True, True, message("It contains text above numbers.")
        if self.titles and not self.repeated:
            return True, True, message("It contains typical column names ({cells}).", cells=quoted(self.titles))
        if self.below:
            return self._of_numbers()
        if self.fresh and not self.repeated:
            return True, True, message("Its cells occur in no other line.")
        if self.fresh_class and self.repeated and not self.sample_names and self.fresh > self.repeated:
            return True, False, message("Most of its cells occur in no other line, but some do.")
        return False, True, message("Its cells also occur in other lines.")

    def _look(self) -> None:
        numbers, sample_names = self.numbers, self.sample_names
        for cell, column in zip(self.first, zip(*self.rows, strict=True), strict=True):
            present = [other.strip() for other in column if other.strip() not in MISSING]
            name = cell.strip()
            values = _values(present, numbers)
            if values:
                is_number = numbers.is_number(name)
                self.above += not is_number and not is_no_number(name)
                if is_number:
                    self.below += 1
                    self._compare(numbers.one(name), values)
            elif name and present:
                self.repeated += name in present or (numbers.is_number(name) and not sample_names)
                self.fresh += name not in present
                if name not in present and len(present) > 1 and _TITLES.fullmatch(name):
                    self.titles.append(name)
                repeat = len(present) >= _FEWEST_REPEATS and 2 * len(set(present)) <= len(present)
                self.fresh_class += name not in present and repeat and not numbers.is_number(name)

    def _compare(self, value: float, others: list[float]) -> None:
        self.row.append(value)
        low, high = min(others), max(others)
        self.outside += not low - (high - low) <= value <= high + (high - low)
        fractions = sum(not other.is_integer() for other in others)
        self.whole_over_fractions += value.is_integer() and 2 * fractions > len(others)

    def _of_numbers(self) -> tuple[bool, bool, str]:
        """Numbers above numbers: names such as wavelengths or 0, 1, 2, or the first row of data."""
        if self.sample_names and _numbers_as_names(self.first, self.rows, self.numbers):
            return True, True, message("It contains distinct whole numbers above numbers with decimals.")
        if self.repeated and not self.sample_names:
            return False, True, message("Its cells also occur in other lines.")
        steps = [after - before for before, after in pairwise(self.row)]
        rising = len(self.row) >= _FEWEST_RISING and (
            all(step > 0 for step in steps) or (all(step < 0 for step in steps) and self._even(steps))
        )
        rows_rise = rising and self._others_rise()
        outside = self.outside >= 0.9 * self.below
        whole = self.whole_over_fractions >= 0.9 * self.below and len(set(self.row)) == len(self.row)
        even = rising and self._even(steps) and len(self.row) > _FEWEST_RISING
        spelled = message(
            "It contains increasing numbers ({cells}) above numbers that are not.", cells=quoted([*self.first[:3]])
        )
        if rising and not rows_rise and (self.fresh_class or outside or whole or even):
            sure = len(self.row) > _FEWEST_RISING or bool(self.fresh_class)
            return True, sure, spelled
        if self.fresh_class and whole and len(self.row) >= 2:
            return True, True, message("It contains distinct whole numbers above numbers with decimals.")
        if self.above and whole and len(self.row) >= _FEWEST_RISING:
            return True, True, message("It contains distinct whole numbers above numbers with decimals.")
        if self.fresh_class and outside:
            return True, len(self.row) >= 2, message("Its numbers are far from all others in their columns.")
        if rising and not rows_rise and len(self.row) > _FEWEST_RISING:
            return True, False, spelled
        if outside and whole and self.below > _FEWEST_RISING:
            return True, self.above > 0, message("Its numbers are far from all others in their columns.")
        if self.fresh_class and self.above == 0:
            return False, False, message("Its numbers resemble the others, but its text occurs in no other line.")
        return False, True, message("Its numbers resemble those below.")

    def _even(self, steps: list[float]) -> bool:
        """Whether numbers increase in even steps, like those of an instrument."""
        sizes = [abs(step) for step in steps]
        return bool(sizes) and max(sizes) - min(sizes) <= 0.05 * max(sizes)

    def _others_rise(self) -> bool:
        """Whether other lines also increase from cell to cell, so that this is no evidence."""
        rise = 0
        for cells in self.rows[:20]:
            values = [self.numbers.one(cell) for cell in cells if self.numbers.is_number(cell)]
            rise += len(values) >= _FEWEST_RISING and all(b > a for a, b in pairwise(values))
        return 4 * rise >= min(len(self.rows), 20)


def _counts(first: Row, numbers: Numbers) -> bool:
    """Whether the cells count 0, 1, 2, ... or 1, 2, 3, ... after a first cell that is not a number."""
    if len(first) < 3 or numbers.is_number(first[0]):
        return False
    rest = [cell.strip() for cell in first[1:]]
    return rest[0] in ("0", "1") and rest == [str(number) for number in range(int(rest[0]), int(rest[0]) + len(rest))]


def _numbers_as_names(first: Row, rows: Sequence[Row], numbers: Numbers) -> bool:
    """Sample IDs such as 1007: unique integers above values that are not integers."""
    names = [cell.strip() for cell in first[1:]]
    fractions = sum(
        any(numbers.is_number(cell) and not numbers.one(cell).is_integer() for cell in column)
        for column in list(zip(*rows, strict=True))[1:]
    )
    return len(set(names)) == len(names) and all(name.isdigit() for name in names) and 2 * fractions > len(names)
