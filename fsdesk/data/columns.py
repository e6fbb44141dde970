"""Types of text columns: numbers with units, limits or thousands separators, codes or words; missing values."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.cells import MISSING, Columns, Numbers
from fsdesk.data.dataset import Check
from fsdesk.data.names_alike import first_spellings, visible
from fsdesk.data.number_texts import (
    ERRORS,
    FORTRAN,
    GROUP_SIGNS,
    GROUPED,
    GROUPED_UNIT,
    LIMIT,
    MARKED,
    NEGATIVE,
    POWER,
    RAISED,
    UNIT,
    VALUE_UNIT,
    WIDE,
    WRAPPED,
    is_grouped,
    is_no_number,
    is_unit,
    limit_in_signs,
    limit_value,
    stands_for_none,
    unit_sizes,
)
from fsdesk.data.options import ReadOptions
from fsdesk.data.reading import ORDERED_TYPE, UNIT_TYPE, Alternative, Reading, columns_said, entries, entry_of, is_type
from fsdesk.data.sentinels import SENTINELS, without_sentinels
from fsdesk.errors import DataError
from fsdesk.messages import Message, message, message_many, quoted

_OTHER_FRACTION = {
    sign: re.compile(rf"[<>≤≥$€£]?=?\s*[+-]?(?:\d*|\d{{1,3}}(?:{re.escape(other)}\d{{3}})+){re.escape(sign)}\d")
    for sign, other in ((".", ","), (",", "."))
}
_POWER_CODE = re.compile(r"\d+[eE]\d+")  # programs write 1E+05 or 1.0E5
_CODE = re.compile(r"[A-Z]{1,3}-?\d+(\.\d+)?|\d+[A-Z]{1,2}")  # V58.6 among 250.0, and 12B among 12
_AS_POWER = str.maketrans("dD", "eE")
_GENOTYPE = re.compile(r"[ACGTDI]{2}|[ACGTDI][ /|][ACGTDI]|\d[/|]\d|[ACGT]+[/|][ACGT]+")
_NO_CALLS = frozenset(("./.", ".|.", "./", ".|"))
_NO_ALLELES = frozenset(("00", "0 0", "0/0", "0|0", "--", "- -", "-/-", "NN", "N N", "N/N", "NC"))
_THREE_BEHIND = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}")
_LEADING_ZERO = re.compile(r"[+-]?0\d+")
_LOOKED_AT = 60
_FEWEST_NUMBERS, _NUMBERS_SHARE = 3, 0.25
_MANY_NUMBERS, _NUMBERS_MOST = 10, 4  # different ones, and cells of numbers for each of a word
_NUMBERS_TO_SLIPS = 8  # the same for words that contain digits
_MOST_NAMED = 20
_MOST_WORDS = 5  # different ones among the numbers of a column
_FEW_CLASSES = 20
_MOST_CODES = 50
_NO_CLASS = frozenset((
    "unknown", "n.d.", "n.d", "nd", "not determined", "not done", "not available", "n.a.", "missing", "unbekannt",
    "k.a.", "k. a.", "fehlt", "fehlend", "keine angabe", "nicht bestimmt", "inconnu", "manquant", "desconocido",
    "mancante", "sconosciuto", "no data", "(null)", "undefined", "not reported", "not applicable", "not tested", "nan.",
    "unk", "[not available]", "[unknown]", "[not applicable]", "[not evaluated]", "[discrepancy]", "[completed]",
    "unspecified", "indeterminate", "?", "??", "---", "--", "-", "*", "not recorded", "refused",
))  # fmt: skip
"""Words in a target that may not be a class, in lower case."""
_TRUTHS = {
    **dict.fromkeys(("yes", "y", "true", "t", "1", "ja", "j", "wahr", "oui", "vrai", "si", "sí", "verdadero"), True),
    **dict.fromkeys(("no", "n", "false", "f", "0", "nein", "falsch", "non", "faux", "falso"), False),
}
"""Spellings of yes and no, in lower case."""
_AMOUNT = re.compile(
    r".*(month|day|year|week|age|time|dauer|alter|monat|tage|jahr|survival|count|size|dose|score).*", re.I
)
"""Names of columns that count or measure, even if their numbers have leading zeros."""
_MOST_UNITS = 5  # of one column; 1st, 2nd and 3rd are none
_ORDINALS = frozenset(("st", "nd", "rd", "th"))
_NO_MEASURE = frozenset(("%", "‰", *"$€£¥"))
_FAR_APART = 2.0  # how many times larger the least value with a unit is than the largest without, or the reverse
_MOST_RANGES = 10  # different limits, without a number, that are names of classes


@dataclass(frozen=True)
class Spellings:
    """Spellings of missing values: the usual ones, as modified by the user."""

    everywhere: frozenset[str] = MISSING | ERRORS
    added: Mapping[str, frozenset[str]] = field(default_factory=dict)
    kept: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, options: ReadOptions, columns: Collection[str]) -> "Spellings":
        """The value of the option for a table with these columns."""
        added: dict[str, set[str]] = defaultdict(set)
        kept: dict[str, set[str]] = defaultdict(set)
        for entry in entries(options.missing_values):
            column, value = entry_of(entry, columns)
            if value.startswith("!"):
                kept[column].add(value[1:].strip())
            else:
                added[column].add(value)
        everywhere = (MISSING | ERRORS | added.pop("", set())) - kept[""]
        return cls(
            frozenset(everywhere),
            {name: frozenset(values) for name, values in added.items()},
            {name: frozenset(values) for name, values in kept.items()},
        )

    def of_column(self, name: str) -> frozenset[str]:
        """All spellings that apply in a column."""
        if name not in self.added and name not in self.kept:
            return self.everywhere
        return (self.everywhere - self.kept.get(name, frozenset())) | self.added.get(name, frozenset())

    def settles(self, name: str, value: str) -> bool:
        """Whether the user has decided if a value of a column is missing."""
        return any(value in values.get(each, ()) for values in (self.added, self.kept) for each in (name, "")) or (
            value in self.everywhere - MISSING - ERRORS
        )


def types_of(options: ReadOptions, columns: Collection[str]) -> dict[str, str]:
    """Columns to be read as categories, numbers or dates; DataError if a column or type does not exist.

    If a column has several entries, the first is used. An entry that ends in "?" is ignored if the column does not
    exist. Ids, texts and ordered categories are categories here: :mod:`fsdesk.data.recode` handles the rest.
    """
    types: dict[str, str] = {}
    known = frozenset(columns)
    for entry in entries(options.types):
        column, kind = entry_of(entry, known)
        if not column and entry.endswith("?"):
            continue
        if not column:
            raise DataError(
                '"{entry}" does not give a column and type; write types as column=category or column=number, using a '
                "column of the table.",
                entry=entry,
            )
        kind = kind.removesuffix("?")
        if not is_type(kind):
            raise DataError(
                'Column "{column}" can be a category, a number, a date, a duration, two numbers, three numbers, an '
                'id, text, or "ordered: low < high", not "{kind}".',
                column=column, kind=kind,
            )  # fmt: skip
        words = kind in ("id", "text") or ORDERED_TYPE.fullmatch(kind) is not None
        number = UNIT_TYPE.fullmatch(kind) is not None
        types.setdefault(column, "category" if words else "number" if number else kind)
    for entry in entries(options.logarithms):
        name = entry if entry in known else entry.removeprefix("?")
        if name in known:
            types.setdefault(name, "number")
    return types


@dataclass(frozen=True)
class Unit:
    """The unit of a numeric column.

    Also whether values in units that cannot be converted to it are missing, and whether numbers without a unit are
    fractions, in a column in %; and whether all of this, or that there is no unit, was learned from another table.
    """

    name: str = ""
    alone: bool = False
    fractions: bool = False
    learned: bool = False


def units_of(options: ReadOptions, columns: Collection[str]) -> dict[str, Unit]:
    """The units given for numeric columns, so that later tables are read in the units of the first one."""
    units: dict[str, Unit] = {}
    said = set[str]()
    for entry in entries(options.types):
        column, kind = entry_of(entry, columns)
        match = UNIT_TYPE.fullmatch(kind.removesuffix("?"))
        if match is not None and column not in said:
            units[column] = Unit(match["unit"].strip(), match["alone"] is not None, match["fractions"] is not None,
                                 kind.endswith("?"))  # fmt: skip
        elif kind == "number?" and column not in said:
            units[column] = Unit(learned=True)
        said.add(column)
    return {column: unit for column, unit in units.items() if column}


def limits_of(options: ReadOptions, columns: Collection[str]) -> dict[str, ReadOptions]:
    """The options for limits of a column, for columns that have their own."""
    said = columns_said(options.column_limits, columns, "column_limits")
    return {name: options.updated({"limits": values[0]}) for name, values in said.items()}


@dataclass
class Findings:
    """What was found while the types of columns were determined."""

    checks: list[Check] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    units: dict[str, str] = field(default_factory=dict)
    mixed: list[tuple[str, str]] = field(default_factory=list)
    _seen: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))

    def note(self, kind: str, column: str, example: str) -> None:
        """Record that a column has a feature such as a unit."""
        self._seen[kind].append((column, example))

    @property
    def spellings(self) -> tuple[str, ...]:
        """Words found to mark missing values."""
        return self.noted("missing spellings")[1]

    def noted(self, kind: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Columns with a feature, and examples of it, each once."""
        found = self._seen.get(kind, ())
        return tuple(column for column, _ in found), tuple(dict.fromkeys(example for _, example in found))


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
    spells_null = cache(has_nulls)  # as databases write what is missing
    odd: dict[tuple[str, ...], dict[int, NDArray[np.float64]]] = defaultdict(dict)  # words among numbers, by column
    for j, cells in columns.texts.items():
        column = _Column(names[j], cells, numbers, limits.get(names[j], options), missing, found)
        if j in words or types.get(names[j]) == "category":
            texts[j] = column.as_words(spells_null)
            continue
        column = replace(column, unit=units.get(names[j], Unit()))
        made = column.as_numbers(must=types.get(names[j]) == "number")
        if made is None and (among := column.words_among_numbers()) is not None:
            odd[among[0]][j] = among[1]
        elif made is None:
            texts[j] = column.as_words(spells_null)
        else:
            values[:, j] = made
            del texts[j]
    for j in _with_words(odd, values, texts, names, found):
        texts[j] = _Column(names[j], columns.texts[j], numbers, options, missing, found).as_words(spells_null)
    for j, cells in (spelled or {}).items():
        column = _Column(names[j], cells, numbers, options, missing, found)
        kind = types.get(names[j])
        if kind == "category" or (kind is None and column.is_code(last=j == len(names) - 1)):
            texts[j] = column.as_words(lambda: True)
            values[:, j] = np.nan
        elif (grouped := column.as_thousands()) is not None:
            values[:, j] = grouped
    _apply_added(values, names, missing, set(texts))
    _in_percent(values, names, units, {*texts, *columns.texts}, found)
    for j, name in enumerate(names):
        if types.get(name) == "category" and j not in texts:
            texts[j] = ["" if np.isnan(value) else f"{value:.15g}" for value in values[:, j].tolist()]
            values[:, j] = np.nan
    found.readings += without_sentinels(values, names, set(texts), missing.settles)
    _say(found)
    return Columns(values, dict(sorted(texts.items()))), found


def _in_percent(
    values: NDArray[np.float64],
    names: Sequence[str],
    units: Mapping[str, Unit],
    texts: Collection[int],
    found: Findings,
) -> None:
    """Ask about columns of numbers without a sign that were learned in percent."""
    for j, name in enumerate(names) if units else ():
        unit = units.get(name, Unit())
        if unit.name == "%" and (unit.learned or unit.fractions) and j not in texts:
            _ask_fractions(values[:, j], name, unit, found)


def _ask_fractions(values: NDArray[np.float64], name: str, unit: Unit, found: Findings) -> None:
    """Convert fractions to percent, (n,) in place, in a column that was learned in percent; asked."""
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
    """Convert columns with words among their numbers; returns the columns that remain words.

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
    entries_of = [f"{name}={word}" for name in columns for word in stray] if few else stray
    named = quoted(list(columns))
    if len(stray) == 1:
        missing = message('"{word}" is a missing value', word=stray[0])
        value = message('"{word}" is a value', word=stray[0])
        sentence = message('"{word}" in {columns} is treated as a missing value.', word=stray[0], columns=named)
    else:
        missing, value = message("These words are missing values"), message("They are values")
        sentence = message("{words} in {columns} are treated as missing values.", words=quoted(stray), columns=named)
    answers = (
        Alternative(missing, "missing_values", "; ".join(entries_of)),
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
    """Numbers that the user counts as missing, such as -999."""
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


@dataclass(frozen=True)
class _Column:
    """A column of cells and the user's settings for it."""

    name: str
    cells: list[str]
    numbers: Numbers
    options: ReadOptions
    missing: Spellings
    found: Findings
    unit: Unit = Unit()

    def as_words(self, spells_null: Callable[[], bool]) -> list[str]:
        """The cells with "" for missing values, and one spelling for names that look the same."""
        missing = self.missing.of_column(self.name)
        counts = Counter(self.cells)
        missing |= self._without_alleles([word for word in counts if word not in missing])
        nulls = [word for word in counts if word in missing and word.lower() == "null"]
        if nulls and not self.missing.settles(self.name, nulls[0]) and not spells_null():
            missing = self._without_null(nulls, counts, missing)
        first = first_spellings([word for word in counts if word not in missing])
        renamed = {word: first.get(word, word) for word in counts if word not in missing}
        alike = [(word, now) for word, now in renamed.items() if word != now]
        if alike:
            self._say_alike(alike)
        if self.options.similar != "different":
            renamed = self._merged(renamed, counts)
        self._ask_absent(counts, missing)
        return [renamed.get(cell, "") for cell in self.cells]

    def _without_alleles(self, words: Sequence[str]) -> frozenset[str]:
        """Marks for uncalled genotypes, such as ./. and, among others, 00; each is reported."""
        called = [word for word in words if word not in _NO_CALLS and word not in _NO_ALLELES]
        in_letters = bool(called) and all(not any(map(str.isdigit, word)) for word in called)
        no_calls = _NO_CALLS | _NO_ALLELES if in_letters else _NO_CALLS  # 0/0 is a genotype beside 0/1
        absent = [word for word in words if word in no_calls and not self.missing.settles(self.name, word)]
        others = [word for word in words if word not in no_calls]
        if not absent or len(others) < 2 or not all(map(_GENOTYPE.fullmatch, others)):
            return frozenset()
        for word in absent:
            self.found.note("missing genotypes", self.name, word)
        return frozenset(absent)

    def _without_null(self, nulls: list[str], counts: Counter[str], missing: frozenset[str]) -> frozenset[str]:
        """The spellings of missing values without "null", if that is an ordinary word here."""
        words = [word for word in counts if word not in missing]
        if not words or len(words) > _FEW_CLASSES or 20 * sum(counts[word] for word in nulls) < len(self.cells):
            return missing
        (null, *_) = nulls
        answers = (
            Alternative(message('"{word}" is a value', word=null), "missing_values", f"{self.name}=!{null}"),
            Alternative(message('"{word}" is a missing value', word=null), "missing_values", f"{self.name}={null}"),
        )
        sentence = message('"{word}" in column "{column}" is treated as a value.', word=null, column=self.name)
        evidence = message("The other cells contain words ({words}), and no numeric column contains {word}.",
                           words=quoted(words), word=null)  # fmt: skip
        self.found.readings.append(
            Reading("null", sentence, evidence, answers, sure=False, columns=(self.name,), asked="as target")
        )
        return missing - {*nulls}

    def _say_alike(self, alike: list[tuple[str, str]]) -> None:
        written, taken = alike[0]
        names = quoted([visible(written), visible(taken)])
        sentence = message(
            'Names in column "{column}" that look the same but use different characters are merged: {names}.',
            column=self.name, names=names,
        )  # fmt: skip
        self.found.checks.append(Check("names that look alike", sentence, (self.name,)))

    def _ask_absent(self, counts: Counter[str], missing: frozenset[str]) -> None:
        """Ask whether "unknown" is a class if it occurs in a target; also NA if it may be an ordinary code."""
        words = [word for word in counts if word not in missing]
        if not 2 < len(words) + ("NA" in counts) <= _FEW_CLASSES:
            return
        absent = [word for word in words if word.strip().casefold() in _NO_CLASS and word not in ("+", "-")]
        codes = [word for word in words if re.fullmatch("[A-Z]{2}", word)]
        if "NA" in counts and "NA" in missing and len(codes) == len(words) and not {*codes} <= {"NO", "SI", "NI", "JA"}:
            absent.append("NA")
        for word in absent:
            if self.missing.settles(self.name, word):
                continue
            is_missing = Alternative(message('"{word}" is a missing value', word=word), "missing_values",
                                     f"{self.name}={word}")  # fmt: skip
            is_value = Alternative(message('"{word}" is a value', word=word), "missing_values", f"{self.name}=!{word}")
            sentence = (
                message('"{word}" in column "{column}" is treated as a missing value.', word=word, column=self.name)
                if word in missing
                else message('"{word}" in column "{column}" is treated as a value.', word=word, column=self.name)
            )
            answers = (is_missing, is_value) if word in missing else (is_value, is_missing)
            evidence = message("It occurs in {rows:,} rows; the others contain {words}.", rows=counts[word],
                               words=quoted([each for each in words if each != word]))  # fmt: skip
            self.found.readings.append(
                Reading("word for missing", sentence, evidence, answers, False, (self.name,), "as target")
            )

    def _merged(self, renamed: dict[str, str], counts: Counter[str]) -> dict[str, str]:
        """Merge names that differ only in case or spaces if the user says so; otherwise ask."""
        groups: dict[str, list[str]] = defaultdict(list)
        for word in dict.fromkeys(renamed.values()):
            groups[_spoken(word)].append(word)
        several = [words for words in groups.values() if len(words) > 1]
        said = {group: words for group, words in groups.items() if group not in _NO_CLASS}
        spelled = {group: truth for group in said if (truth := _TRUTHS.get(group)) is not None}
        if len(spelled) == len(said) > len({*spelled.values()}):
            return self._one_truth(renamed, counts, said)
        if not several:
            return renamed
        if self.options.similar == "one":
            first = {word: max(words, key=lambda each: counts[each]) for words in several for word in words}
            return {word: first.get(now, now) for word, now in renamed.items()}
        if len(groups) <= _FEW_CLASSES:
            sentence = message(
                'Names in column "{column}" that differ only in case, spaces or punctuation are kept separate: '
                "{names}.",
                column=self.name, names=quoted(several[0]),
            )  # fmt: skip
            answers = (
                Alternative(message("They are different"), "similar", "different"),
                Alternative(message("They are the same"), "similar", "one"),
            )
            self.found.readings.append(
                Reading("similar names", sentence, "", answers, sure=False, columns=(self.name,), asked="as target")
            )
        return renamed

    def _one_truth(
        self, renamed: dict[str, str], counts: Counter[str], groups: Mapping[str, Sequence[str]]
    ) -> dict[str, str]:
        """Use one word for yes and one for no if there are several, such as yes, Y and 1; the user is asked."""
        by_truth: dict[bool, list[str]] = defaultdict(list)
        for group, words in groups.items():
            by_truth[_TRUTHS[group]] += words
        usual = {word: max(words, key=lambda each: counts[each]) for words in by_truth.values() for word in words}
        written = next(words for words in by_truth.values() if len(words) > 1)
        answers = (
            Alternative(message("They are the same"), "similar", "one"),
            Alternative(message("They are different"), "similar", "different"),
        )
        sentence = message(
            'Names in column "{column}" with the same meaning are merged: {names}.',
            column=self.name, names=quoted(written),
        )  # fmt: skip
        sure = self.options.similar == "one"
        self.found.readings.append(
            Reading("similar names", sentence, "", answers, sure, columns=(self.name,), asked="as target")
        )
        return {word: usual.get(now, now) for word, now in renamed.items()}

    def as_numbers(self, *, must: bool) -> NDArray[np.float64] | None:
        """(n,) numbers if these cells are numbers; None if they are words."""
        missing = self.missing.of_column(self.name)
        counts = Counter(self.cells)
        present = [word for word in counts if word not in missing]
        if not must and not any(map(self._may_be_number, present[:_LOOKED_AT])):
            return None
        ranges = len(present) <= _MOST_RANGES and all(LIMIT.fullmatch(limit_in_signs(word)) for word in present)
        if not must and ranges and self.options.limits == "auto":
            return None  # names of classes, such as <5 and >=5
        made = self._in_one_unit(present, must=must)
        if made is not None:
            return made
        table: dict[str, float] = {word: np.nan for word in counts if word in missing}
        strays: list[str] = []
        for word in present:
            if self.numbers.fits(word):
                table[word] = self.numbers.one(word)
            else:
                strays.append(word)
        numeric = sum(counts[word] for word in table if word not in missing)
        if not self._place_strays(strays, table, counts, must=must):
            other = self._by_other_sign(present, must=must)
            if other is not None:
                return other
            if must:
                word = next(word for word in strays if word not in table)
                raise DataError(
                    'Column "{column}" is set to numbers, but row {row} contains "{word}". Correct that cell, or '
                    "read the file with missing_values={word} if it means a missing value.",
                    column=self.name, row=self.cells.index(word) + 1, word=word,
                )  # fmt: skip
            return None
        known = [word for word in table if not np.isnan(table[word])]
        usual = sum(counts[word] for word in known)
        enough = usual >= _FEWEST_NUMBERS and usual >= _NUMBERS_SHARE * sum(counts[word] for word in present)
        if not must and strays and not numeric and not enough:
            return None
        return np.array([table[cell] for cell in self.cells])

    def _in_one_unit(self, present: Sequence[str], *, must: bool) -> NDArray[np.float64] | None:
        """(n,) numbers in one unit, if they have several units of one quantity, such as kg and g; the user is asked."""
        head = {match[2] for word in present[:_LOOKED_AT] if (match := VALUE_UNIT.fullmatch(word))}
        if len(head) < 2 or self.unit.name:
            return None
        matches = {word: VALUE_UNIT.fullmatch(word) for word in present if not stands_for_none(word)}
        parts = {word: (match[1], match[2]) for word, match in matches.items() if match is not None}
        units = Counter(unit for _, unit in parts.values())
        numeric = len(parts) == len(matches) and all(self.numbers.is_number(part) for part, _ in parts.values())
        if (len(parts) <= _MOST_RANGES and not must) or len(units) < 2 or not numeric:
            return None
        sizes = unit_sizes(units)
        if sizes is None:
            if all(map(is_unit, units)) and len(units) <= _MOST_UNITS and not {*units} <= _ORDINALS:
                self._ask_several_units(units)
            return None
        usual = units.most_common(1)[0][0]
        sentence = message(
            'Column "{column}" has values in several units ({units}), which are converted to "{unit}".',
            column=self.name, units=quoted([*units]), unit=usual,
        )  # fmt: skip
        answers = (
            Alternative(message("Numbers in one unit"), "types", f"{self.name}=number in {usual}"),
            Alternative(message("Categories"), "types", f"{self.name}=category"),
        )
        self.found.readings.append(Reading("several units", sentence, "", answers, must, (self.name,)))
        table = {word: self.numbers.one(part) * sizes[unit] / sizes[usual] for word, (part, unit) in parts.items()}
        return np.array([table.get(cell, np.nan) for cell in self.cells])

    def _factor(self, unit: str, word: str) -> float:
        """The factor from another unit to the given one; if there is none, NaN if the user says so, else DataError."""
        sizes = unit_sizes({unit, self.unit.name})
        if sizes is None and self.unit.alone:
            return np.nan
        if sizes is None:
            raise DataError(
                'Column "{column}" is in {unit}, but row {row} contains "{word}". Convert that column to {unit}.',
                column=self.name, unit=self.unit.name, row=self.cells.index(word) + 1, word=word,
            )  # fmt: skip
        return sizes[unit] / sizes[self.unit.name]

    def _say_converted(self, units: Collection[str]) -> None:
        sentence = message(
            'Column "{column}" has values in several units ({units}), which are converted to "{unit}".',
            column=self.name, units=quoted(sorted(units)), unit=self.unit.name,
        )  # fmt: skip
        self.found.checks.append(Check("units", sentence, (self.name,)))
        self.found.readings.append(Reading("several units", sentence, columns=(self.name,)))

    def _ask_several_units(self, units: Counter[str]) -> None:
        """Whether a column in several units that cannot be converted is text, or only values in one of them count."""
        sentence = message(
            'Column "{column}" has values in several units ({units}) and is read as text. Convert them to one unit in '
            "the file.",
            column=self.name, units=quoted([*units]),
        )  # fmt: skip
        answers = (
            Alternative(message("Text"), "types", f"{self.name}=category"),
            *(
                Alternative(message("Numbers in {unit}; values in other units are missing", unit=unit),
                            "types", f"{self.name}=number in {unit}, others missing")
                for unit, _ in units.most_common()
            ),
        )  # fmt: skip
        self.found.checks.append(Check("several units", sentence, (self.name,)))
        self.found.readings.append(Reading("several units", sentence, "", answers, False, (self.name,)))

    def _ask_without_unit(self, unit: str, present: Sequence[float], others: Sequence[float]) -> bool:
        """Ask if numbers without a unit are far from those with one, and so may be in another; whether it was asked."""
        if min(len(present), len(others)) < _FEWEST_NUMBERS or min(*present, *others) <= 0:
            return False
        low, high = sorted((present, others), key=max)
        if max(low) * _FAR_APART > min(high):
            return False
        sentence = message(
            'Some values in column "{column}" have the unit "{unit}" ({low:.4g} to {high:.4g}) and others have none '
            "({low2:.4g} to {high2:.4g}); they may be in another unit. The column is read as text.",
            column=self.name, unit=unit, low=min(present), high=max(present), low2=min(others), high2=max(others),
        )  # fmt: skip
        answers = (
            Alternative(message("Text"), "types", f"{self.name}=category"),
            Alternative(message("All are in {unit}", unit=unit), "types", f"{self.name}=number in {unit}"),
        )
        self.found.readings.append(Reading("several units", sentence, "", answers, False, (self.name,)))
        return True

    def words_among_numbers(self) -> tuple[tuple[str, ...], NDArray[np.float64]] | None:
        """The few words among many numbers, and (n,) the numbers with NaN for words; None if there are none."""
        missing = self.missing.of_column(self.name)
        counts = Counter(self.cells)
        words: list[str] = []
        different = numbers = 0
        fractions = False
        for word, count in counts.items():
            if word in missing or stands_for_none(word):
                continue
            if self.numbers.fits(word) or self._parsed(word) is not None:
                different, numbers = different + 1, numbers + count
                fractions |= not word.isdigit()
            elif len(words) == _MOST_WORDS or ";" in word or "=" in word or _CODE.fullmatch(word):
                return None
            else:
                words.append(word)
        slips = any(map(str.isdigit, "".join(words)))  # 12.5.3; among codes such as 250 and V58 it may be one of them
        if slips and not (fractions or 2 * different <= numbers):
            return None
        most = _NUMBERS_TO_SLIPS if slips else _NUMBERS_MOST
        if not words or different < _MANY_NUMBERS or numbers < most * sum(map(counts.__getitem__, words)):
            return None
        settled = replace(self.missing, everywhere=self.missing.everywhere | {*words})
        made = replace(self, missing=settled).as_numbers(must=False)
        return None if made is None else (tuple(words), made)

    def _by_other_sign(self, present: Sequence[str], *, must: bool) -> NDArray[np.float64] | None:
        """(n,) numbers with a decimal sign other than that of the file, if all are numbers; the user is asked."""
        sign = "," if self.numbers.decimal == "." else "."
        fractions = [word for word in present if _OTHER_FRACTION[sign].match(word)]
        clear = self.options.thousands == "none" or any(
            not is_grouped(word) or word.lstrip("+-").startswith("0") or self.numbers.decimal in word
            for word in fractions
        )  # no thousands
        if len(fractions) < (1 if must else _FEWEST_NUMBERS) or not clear:
            return None
        column = replace(self, numbers=Numbers(sign))
        if not all(column.numbers.is_number(word) or column._parsed(word) is not None for word in present):
            return self._by_both_signs(present, clear=clear)
        sentence = message(
            'The decimal separator in column "{column}" is taken from {example}, although the rest of the file uses '
            "another.",
            column=self.name, example=fractions[0],
        )  # fmt: skip
        answers = (
            Alternative(message("Numbers"), "types", f"{self.name}=number"),
            Alternative(message("Categories"), "types", f"{self.name}=category"),
        )
        settled = must or self.options.thousands == "none"
        sure = settled or (self.numbers.other_is_clear and len(fractions) >= _MANY_NUMBERS)  # a few 1,2 are lists
        self.found.mixed[:] = [each for each in self.found.mixed if each[0] != self.name]
        self.found.readings.append(Reading("decimal of a column", sentence, "", answers, sure, (self.name,)))
        return column.as_numbers(must=must)

    def _by_both_signs(self, present: Sequence[str], *, clear: bool) -> NDArray[np.float64] | None:
        """(n,) numbers, some with a decimal point and others with a comma, neither for thousands; the user is asked."""
        signs = (Numbers("."), Numbers(","))
        table = {word: each.one(word) for word in present for each in signs if each.is_number(word)}
        mixed = [word for word in present if "." in word or "," in word]
        if len(table) < len(present) or not clear or any(is_grouped(word) for word in mixed):
            return None
        examples = [next((word for word in mixed if sign in word), "") for sign in ".,"]
        sentence = message(
            'Column "{column}" uses two decimal separators ({examples}), and both are read as such.',
            column=self.name, examples=quoted(examples),
        )  # fmt: skip
        answers = (
            Alternative(message("Numbers"), "types", f"{self.name}=number"),
            Alternative(message("Categories"), "types", f"{self.name}=category"),
        )
        self.found.mixed[:] = [each for each in self.found.mixed if each[0] != self.name]
        self.found.readings.append(Reading("decimal of a column", sentence, "", answers, False, (self.name,)))
        return np.array([table.get(cell, np.nan) for cell in self.cells])

    def _may_be_number(self, word: str) -> bool:
        return any(character.isdigit() for character in word) and (
            self.numbers.fits(word)
            or bool(
                LIMIT.fullmatch(limit_in_signs(word))
                or UNIT.fullmatch(word)
                or is_grouped(word)
                or FORTRAN.fullmatch(word)
                or MARKED.fullmatch(word)
                or WRAPPED.fullmatch(word)
                or NEGATIVE.fullmatch(word)
                or POWER.fullmatch(word)
                or word.translate(WIDE) != word
            )
        )

    def _place_strays(self, strays: list[str], table: dict[str, float], counts: Counter[str], *, must: bool) -> bool:
        """Assign each text its number; return whether all are numbers or known marks for unmeasured values."""
        found: dict[str, dict[str, str]] = defaultdict(dict)  # kind to sign or unit, with an example of each
        absent: list[str] = []
        measured: list[str] = []
        for word in strays:
            if stands_for_none(word) and not must:
                absent.append(word)
                continue
            parsed = self._parsed(word)
            if parsed is None:
                filled = sum(count for cell, count in counts.items() if cell.strip())
                if 2 * sum(counts[each] for each in strays if each not in table) < filled:
                    self.found.mixed.append((self.name, word))
                return False
            kind, sign, unit, table[word] = self._in_own_unit(word, *parsed)
            found[kind].setdefault(sign, word)
            if kind == "negative":
                found["negative words"][word] = word
            if unit:
                found["units"].setdefault(unit, word)
                measured.append(word)
            if unit != parsed[2]:
                found["converted"].setdefault(parsed[2], word)
        if not self._fit_together(found, strays, table):
            return False
        if not self._in_one_scale({*found["units"]}, measured, table, absent, must=must):
            return False
        if found["converted"]:
            self._say_converted({*found["converted"], self.unit.name})
        numbers = sum(counts[word] for word in table if not np.isnan(table[word]))
        if absent and numbers < max(_FEWEST_NUMBERS, _NUMBERS_SHARE * sum(counts[word] for word in (*table, *absent))):
            return False
        self._note(found, absent)
        table.update(dict.fromkeys(absent, np.nan))
        return True

    def _in_one_scale(
        self, units: set[str], measured: Sequence[str], table: dict[str, float], absent: Collection[str], *, must: bool
    ) -> bool:
        """Whether numbers with a unit (``measured``) and those without are read as one scale; asked if in doubt."""
        if units == {"%"}:
            self._ask_percent(measured, table, must=must)
            if self.unit.learned and not self.unit.name and {*measured} == {*table} - {*absent}:
                self._ask_of_percent(table)
            return True
        if len(units) != 1 or must or units & _NO_MEASURE:
            return True
        bare = [value for word, value in table.items() if word not in measured and not np.isnan(value)]
        (unit,) = units
        return not self._ask_without_unit(unit, [table[word] for word in measured], bare)

    def _fit_together(
        self, found: Mapping[str, Mapping[str, str]], strays: Sequence[str], table: Mapping[str, float]
    ) -> bool:
        """Whether all have one unit and one thousands separator, and only a few of them are in brackets."""
        if any(len(found.get(kind, ())) > 1 for kind in ("units", "thousands")):
            if not any(check.kind == "several units" and self.name in check.columns for check in self.found.checks):
                self.found.mixed.append((self.name, strays[0]))
            return False
        bracketed = len(found.get("negative words", ()))
        return not bracketed or bracketed < sum(not np.isnan(each) for each in table.values())

    def _in_own_unit(self, word: str, kind: str, sign: str, unit: str, value: float) -> tuple[str, str, str, float]:
        """The parsed numbers, in the unit given for the column."""
        if not self.unit.name or not unit or unit == self.unit.name:
            return kind, sign, unit, value
        return kind, sign, self.unit.name, value * self._factor(unit, word)

    def _ask_percent(self, strays: Sequence[str], table: dict[str, float], *, must: bool) -> None:
        """Convert fractions among percentages, such as 0.45 beside 45%, to percent; the user is asked."""
        plain = [word for word in table if word not in strays and not np.isnan(table[word])]
        percents = [table[word] for word in strays if word in table]
        if not plain or not percents or any(not 0 <= table[word] <= 1 for word in plain) or max(percents) <= 1:
            return
        if not any(0 < table[word] < 1 for word in plain):
            return
        for word in plain:
            table[word] *= 100
        sentence = message(
            'Column "{column}" has percentages and fractions such as {example}; fractions are converted to percent.',
            column=self.name, example=next(word for word in plain if 0 < table[word] < 100),
        )  # fmt: skip
        answers = (
            Alternative(message("Numbers in one unit"), "types", f"{self.name}=number"),
            Alternative(message("Categories"), "types", f"{self.name}=category"),
        )
        self.found.readings.append(Reading("several units", sentence, "", answers, must, (self.name,)))

    def _ask_of_percent(self, table: dict[str, float]) -> None:
        """Whether 45 % is 0.45, in a column whose numbers had no unit in the table that was learned from; asked."""
        example = next(iter(table))
        for word in table:
            table[word] /= 100
        sentence = message(
            'Column "{column}" is in percent here ({example}), but had no unit before; its values are converted to '
            "fractions.",
            column=self.name, example=example,
        )  # fmt: skip
        answers = (
            Alternative(message("It contained fractions"), "types", f"{self.name}=number in 1"),
            Alternative(message("It contained percentages"), "types", f"{self.name}=number in %"),
        )
        self.found.readings.append(Reading("several units", sentence, "", answers, False, (self.name,)))

    def _parsed(self, word: str) -> tuple[str, str, str, float] | None:
        """Kind of number, its sign, its unit and the number of a text; None if it is not a number."""
        plain = word.translate(WIDE)
        if plain != word:
            wide = ("", "", "", self.numbers.one(plain)) if self.numbers.is_number(plain) else self._parsed(plain)
            return wide and ("wide figures", "", wide[2], wide[3])
        negative = NEGATIVE.fullmatch(word)
        if negative:
            amount = (negative[1] or negative[2]).strip()
            if self.numbers.is_number(amount):
                return "negative", "", "", -self.numbers.one(amount)
            inner = self._parsed(amount)
            return inner and ("negative", "", inner[2], -inner[3])
        power = POWER.fullmatch(word)
        if power and self.numbers.is_number(power[1]):
            return "power", "", "", float(f"{self.numbers.one(power[1])!r}e{int(power[2].translate(RAISED))}")
        sign = self._grouping(word)
        if sign:
            return "thousands", sign, "", self._ungrouped(word, sign)
        grouped = GROUPED_UNIT.fullmatch(word)
        if grouped and (sign := self._grouping(grouped[2])) and is_unit(grouped[3], grouped[1]):
            return "thousands", sign, (grouped[3] or grouped[1]).strip(), self._ungrouped(grouped[2], sign)
        limit = LIMIT.fullmatch(limit_in_signs(word))
        if limit and self.numbers.is_number(limit[2]) and is_unit(limit[3]) and self.options.limits != "text":
            value = limit_value(limit[1], self.numbers.one(limit[2]), self.options.limits)
            return "limits", "", (limit[3] or "").strip(), value
        match = UNIT.fullmatch(word)
        if match and self.numbers.is_number(match[2]) and is_unit(match[3], match[1]):
            return "with a unit", "", (match[3] or match[1]).strip(), self.numbers.one(match[2])
        marked = MARKED.fullmatch(word)
        if marked and self.numbers.is_number(marked[1]):
            return "marks", word.replace(marked[1], "").strip(), "", self.numbers.one(marked[1])
        wrapped = WRAPPED.fullmatch(word)
        if wrapped and self.numbers.is_number(wrapped[1]):
            return "marks", word.replace(wrapped[1], ""), "", self.numbers.one(wrapped[1])
        if FORTRAN.fullmatch(word):
            return "power", "", "", float(word.translate(_AS_POWER))
        return None

    def _note(self, found: Mapping[str, Mapping[str, str]], absent: Sequence[str]) -> None:
        for word in absent:
            self.found.note("missing spellings", self.name, word)
        for unit in found.get("units", ()):
            self.found.units[self.name] = unit
            self.found.note("units", self.name, unit)
        for sign, word in found.get("thousands", {}).items():
            if self._may_have_decimals(sign):
                self._ask_thousands(word, sign)
            self.found.note("thousands", self.name, word)
        for word in found.get("marks", {}).values():
            self.found.note("marks", self.name, word)
        for word in found.get("negative", {}).values():
            self._ask_negative(word)
        if self.options.limits == "auto":
            for word in found.get("limits", {}).values():
                self.found.note("limits", self.name, word)

    def _may_have_decimals(self, sign: str) -> bool:
        """Whether every number of a sheet has a separator and three digits after it, which may be decimals as well."""
        if not self.numbers.other_is_clear or self.options.thousands != "auto" or sign not in ("comma", "point"):
            return False
        missing = self.missing.of_column(self.name)
        present = {cell for cell in self.cells if cell not in missing and not stands_for_none(cell)}
        return all(_THREE_BEHIND.fullmatch(cell) for cell in present)

    def _ask_thousands(self, example: str, sign: str) -> None:
        value = self._ungrouped(example, sign)
        answers = (
            Alternative(message("{example} is {value:,.15g}", example=example, value=value), "thousands", sign),
            Alternative(message("{example} has decimals", example=example), "thousands", "none"),
        )
        sentence = message(
            'The separator in {example} of column "{column}" is taken as a thousands separator.',
            example=example, column=self.name,
        )  # fmt: skip
        evidence = message("In all values of this column, it is followed by three digits.")
        self.found.readings.append(Reading("thousands", sentence, evidence, answers, sure=False, columns=(self.name,)))

    def _ask_negative(self, word: str) -> None:
        """Whether (1,250.00) or 1.250,00- is a negative number, as in accounting."""
        sentence = message('{example} in column "{column}" is treated as a negative number.', example=word,
                           column=self.name)  # fmt: skip
        answers = (
            Alternative(message("Negative numbers"), "types", f"{self.name}=number"),
            Alternative(message("Categories"), "types", f"{self.name}=category"),
        )
        sure = types_of(self.options, (self.name,)).get(self.name) == "number"
        self.found.readings.append(Reading("negative numbers", sentence, "", answers, sure, (self.name,)))

    def _grouping(self, word: str) -> str:
        """The thousands separator in a number, "" if there is none; not the decimal sign."""
        if self.options.thousands == "none":
            return ""
        own = "point" if self.numbers.decimal == "." else "comma"
        wanted = (self.options.thousands,) if self.options.thousands != "auto" else tuple(GROUPED)
        return next((sign for sign in wanted if sign != own and GROUPED[sign].fullmatch(word)), "")

    def _ungrouped(self, word: str, sign: str) -> float:
        plain = word.translate(dict.fromkeys(map(ord, GROUP_SIGNS[sign])))
        decimal = {"comma": ".", "point": ","}.get(sign, self.numbers.decimal)
        return Numbers(decimal).one(plain)

    def as_thousands(self) -> NDArray[np.float64] | None:
        """(n,) numbers if 3.981 beside 858 means 3,981; None otherwise."""
        sign = "point" if self.numbers.decimal == "." else "comma"
        if self.options.thousands not in ("auto", sign):
            return None
        missing = self.missing.of_column(self.name)
        present = {cell for cell in self.cells if cell not in missing}
        grouped = {cell for cell in present if GROUPED[sign].fullmatch(cell)}
        rest = {cell for cell in present - grouped if not _stands_alone(cell)}
        if not grouped or any(cell.lstrip("+-").startswith("0") for cell in grouped):
            return None
        if not rest or not all(re.fullmatch(r"[+-]?\d{1,3}", cell) for cell in rest):
            return None if self.options.thousands == "auto" else self._all_ungrouped(present, sign)
        example = next(cell for cell in self.cells if cell in grouped)
        answers = (
            Alternative(message("{example} is {value:,.15g}", example=example, value=self._ungrouped(example, sign)),
                        "thousands", sign),
            Alternative(message("{example} has decimals", example=example), "thousands", "none"),
        )  # fmt: skip
        sentence = message(
            'The separator in {example} of column "{column}" is taken as a thousands separator.',
            example=example, column=self.name,
        )  # fmt: skip
        evidence = message(
            "It is followed by three digits in {grouped:,} values; {rest:,} smaller values, such as {whole}, do not "
            "contain it.",
            grouped=len(grouped), rest=len(rest), whole=min(rest),
        )  # fmt: skip
        sure = self.options.thousands == sign or (len(grouped) > 2 and len(rest) > 1)
        self.found.readings.append(Reading("thousands", sentence, evidence, answers, sure, (self.name,)))
        self.found.note("thousands", self.name, example)
        return self._all_ungrouped(present, sign)

    def _all_ungrouped(self, present: Collection[str], sign: str) -> NDArray[np.float64]:
        table = {cell: self._ungrouped(cell, sign) if GROUPED[sign].fullmatch(cell) else self.numbers.one(cell)
                 for cell in present}  # fmt: skip
        return np.array([table.get(cell, np.nan) for cell in self.cells])

    def is_code(self, *, last: bool) -> bool:
        """Whether numbers are codes, as leading zeros show; the user is asked if one is written in two ways."""
        missing = self.missing.of_column(self.name)
        by_value: dict[float, set[str]] = defaultdict(set)
        for cell in dict.fromkeys(self.cells):
            if cell not in missing:
                by_value[self.numbers.one(cell)].add(cell)
        several = any(len(words) > 1 for words in by_value.values())
        zeros = [cell for words in by_value.values() for cell in words if _LEADING_ZERO.fullmatch(cell)]
        powers = [cell for words in by_value.values() for cell in words if _POWER_CODE.fullmatch(cell)]
        if powers and not several and all(value.is_integer() for value in by_value):
            return self._powers_are_codes(powers, 2 * len(powers) > len(by_value))
        if not several:
            same = len({len(cell.lstrip("+-")) for words in by_value.values() for cell in words}) == 1
            if _AMOUNT.fullmatch(self.name) and len(by_value) > _FEW_CLASSES:
                return False
            if not zeros or not same or len(by_value) > max(_MOST_CODES, len(self.cells) // 3):
                return False
            sentence = message('Column "{column}" contains codes, such as {code}, and is treated as categorical.',
                               column=self.name, code=zeros[0])  # fmt: skip
            answers = (
                Alternative(message("Codes"), "types", f"{self.name}=category"),
                Alternative(message("Numbers"), "types", f"{self.name}=number"),
            )
            evidence = message("All have the same length, with leading zeros.")
            self.found.readings.append(Reading("codes", sentence, evidence, answers, True, (self.name,)))
            return True
        pair = next(sorted(words, key=lambda word: (len(word), word)) for words in by_value.values() if len(words) > 1)
        separate = bool(zeros) or last
        answers = (
            Alternative(message("{first} and {second} are different names", first=pair[0], second=pair[1]),
                        "types", f"{self.name}=category"),
            Alternative(message("{first} and {second} are the same number", first=pair[0], second=pair[1]),
                        "types", f"{self.name}=number"),
        )  # fmt: skip
        sentence = (
            message('{first} and {second} in column "{column}" are treated as different names.',
                    first=pair[0], second=pair[1], column=self.name)
            if separate
            else message('{first} and {second} in column "{column}" are treated as the same number.',
                         first=pair[0], second=pair[1], column=self.name)
        )  # fmt: skip
        evidence = message("They are written differently.")
        self.found.readings.append(
            Reading("spelling", sentence, evidence, answers if separate else answers[::-1], sure=False,
                    columns=(self.name,), asked="as target")
        )  # fmt: skip
        return separate

    def _powers_are_codes(self, powers: Sequence[str], most: bool) -> bool:
        """Whether 5E12 is a code, such as that of a well, or a number in scientific notation; the user is asked."""
        answers = (
            Alternative(message("{code} is a code", code=powers[0]), "types", f"{self.name}=category"),
            Alternative(message("{code} is a number", code=powers[0]), "types", f"{self.name}=number"),
        )
        sentence = (
            message('{code} in column "{column}" is treated as a code.', code=powers[0], column=self.name)
            if most
            else message('{code} in column "{column}" is treated as a number.', code=powers[0], column=self.name)
        )
        evidence = message("Software would have written a number in this form with a decimal point or a sign.")
        self.found.readings.append(
            Reading("power or code", sentence, evidence, answers if most else answers[::-1], False, (self.name,))
        )
        return most


def words_beside_numbers(words: Sequence[str], options: ReadOptions) -> list[str]:
    """The words that are not numbers, whatever the decimal sign, and not marks for missing values."""
    signs = [Numbers(sign) for sign in ".,"]
    missing = Spellings.of(options, ())
    columns = [_Column("", [], numbers, options, missing, Findings()) for numbers in signs]
    return [word for word in words if word not in missing.everywhere and not is_no_number(word)
            and not any(each.numbers.is_number(word) or each._parsed(word) for each in columns)]  # fmt: skip


def has_limits(words: Sequence[str]) -> bool:
    """Whether any of these words is a value below or above a limit, such as <0.05."""
    return any(LIMIT.fullmatch(limit_in_signs(word)) for word in words)


_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})


def _spoken(word: str) -> str:
    """A name in lower case without spaces or punctuation: pre-op and Pre op. are the same."""
    plain = "".join(word.casefold().translate(_UMLAUTS).split())
    return re.sub(r"(?<=[^\W\d_]{2})[-_.](?=[^\W\d_]{2})|(?<=[^\W\d_]{2})[.,;:]$", "", plain) or plain


def _stands_alone(cell: str) -> bool:
    """Whether an integer reveals nothing about the notation of others: 0, or a code for missing values."""
    plain = cell.lstrip("+-")
    return not plain.strip("0") or (plain.isdigit() and float(cell) in SENTINELS)


_SAID: tuple[tuple[str, str, Callable[[int, str, str], Message]], ...] = (
    ("missing spellings", "missing spellings", lambda count, columns, words: message_many(
        count,
        "{words} is treated as missing in {count} numeric column: {columns}.",
        "{words} is treated as missing in {count} numeric columns: {columns}.",
        words=words, columns=columns,
    )),
    ("missing genotypes", "missing spellings", lambda count, columns, words: message_many(
        count,
        "{words} is treated as missing in {count} column of genotypes: {columns}.",
        "{words} is treated as missing in {count} columns of genotypes: {columns}.",
        words=words, columns=columns,
    )),
    ("units", "units", lambda count, columns, units: message_many(
        count,
        "{count} numeric column has a unit after the values, which is ignored: {columns} ({units}).",
        "{count} numeric columns have a unit after the values, which is ignored: {columns} ({units}).",
        columns=columns, units=units,
    )),
    ("thousands", "thousands", lambda count, columns, examples: message_many(
        count,
        "{count} column has a thousands separator: {columns} ({examples}).",
        "{count} columns have a thousands separator: {columns} ({examples}).",
        columns=columns, examples=examples,
    )),
    ("marks", "marks", lambda count, columns, examples: message_many(
        count,
        "{count} column has marks next to its numbers, such as footnote marks, which are ignored: {columns} "
        "({examples}).",
        "{count} columns have marks next to their numbers, such as footnote marks, which are ignored: {columns} "
        "({examples}).",
        columns=columns, examples=examples,
    )),
)  # fmt: skip
"""What can be noted of columns, the kind of its check, and the sentence, from a count, the columns and examples."""


def _say(found: Findings) -> None:
    """Sentences about the findings, one of each kind."""
    for kind, check, sentence_of in _SAID:
        noted, examples = found.noted(kind)
        columns = tuple(dict.fromkeys(noted))
        if columns:
            sentence = sentence_of(len(columns), quoted(columns), quoted(examples))
            found.checks.append(Check(check, sentence, columns))
            answers = _units_kept(columns, found) if kind == "units" else ()
            found.readings.append(Reading(check, sentence, "", answers, columns=columns))
    columns, examples = found.noted("limits")
    if columns:
        _ask_limits(columns, examples, found)


def _units_kept(columns: Sequence[str], found: Findings) -> tuple[Alternative, ...]:
    """The types with these units, for later tables, which may have others."""
    types = "; ".join(f"{name}=number in {found.units[name]}" for name in columns if ";" not in name)
    return (Alternative(message("These are their units"), "types", types),) if types else ()


def _ask_limits(columns: tuple[str, ...], examples: tuple[str, ...], found: Findings) -> None:
    sentence = message_many(
        len(columns),
        "{count} column has values below or above a limit: {columns} ({examples}). Lower limits are halved; upper "
        "limits are used as they are.",
        "{count} columns have values below or above a limit: {columns} ({examples}). Lower limits are halved; upper "
        "limits are used as they are.",
        columns=quoted(columns), examples=quoted(examples),
    )  # fmt: skip
    answers = (
        Alternative(message("Half the lower limit"), "limits", "half"),
        Alternative(message("The limit"), "limits", "limit"),
        Alternative(message("Missing"), "limits", "missing"),
    )
    found.readings.append(Reading("limits", sentence, "", answers, sure=False, columns=columns))


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


_HEAD_ROWS = 200
_HUGE = 1e10  # whole numbers that 5E12 may be one of


def _are_thousandths(values: NDArray[np.float64]) -> bool:
    scaled = values * 1000
    return bool((np.abs(scaled - np.round(scaled)) < 1e-6).all() and (np.abs(values) >= 1).all())
