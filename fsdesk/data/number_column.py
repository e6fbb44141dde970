"""A column of numbers as people write them: with units, limits, thousands separators, marks or signs."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.cells import Numbers
from fsdesk.data.column_options import NO_UNIT, Spellings, Unit, types_of
from fsdesk.data.dataset import Check
from fsdesk.data.findings import Findings
from fsdesk.data.number_texts import (
    BARE_POWER,
    FLAGGED,
    FORTRAN,
    GROUP_SIGNS,
    GROUPED,
    GROUPED_UNIT,
    LIMIT,
    LIMIT_OF_POWER,
    MARKED,
    NEGATIVE,
    OUTCOME_NAME,
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
    plain_number,
    stands_for_none,
    unit_sizes,
)
from fsdesk.data.options import ReadOptions
from fsdesk.data.reading import Alternative, Reading
from fsdesk.data.sentinels import SENTINELS
from fsdesk.data.word_column import WordColumn
from fsdesk.errors import DataError
from fsdesk.messages import message, quoted

_OTHER_FRACTION = {
    sign: re.compile(rf"[<>≤≥$€£]?=?\s*[+-]?(?:\d*|\d{{1,3}}(?:{re.escape(other)}\d{{3}})+){re.escape(sign)}\d")
    for sign, other in ((".", ","), (",", "."))
}
_CODE = re.compile(r"[A-Z]{1,3}-?\d+(\.\d+)?|\d+[A-Z]{1,2}")  # V58.6 among 250.0, and 12B among 12
_GRADE = re.compile(r"0|neg(ative)?\.?|-|[1-9]\+|\(\+\)|trace", re.IGNORECASE)  # 0, 1+, 2+, 3+
_LIST = re.compile(r"\d+(?:\s*[;|&]\s*\d+|,\s+\d+|\s*/\s*\d+| (?:and|or|und|oder) \d+)+")
_RANGE = re.compile(r"(\d{2,9})\s*(?:-|–|to|bis)\s*(\d{2,9})")
_AS_POWER = str.maketrans("dD", "eE")
_THREE_BEHIND = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}")
_LOOKED_AT = 60
_FEWEST_NUMBERS, _NUMBERS_SHARE = 3, 0.25
_MANY_NUMBERS, _NUMBERS_MOST = 10, 4  # distinct numbers, and cells with numbers for each with a word
_NUMBERS_TO_SLIPS = 8  # the latter, if the words contain digits
_MOST_WORDS = 5  # distinct words among the numbers of a column
_MOST_FLAGS, _MOST_LISTED = 5, 20  # distinct marks after numbers, and cells with them that an answer can list
_FEWEST_PLAIN = 3  # distinct numbers without a mark
_MOST_UNITS = 5  # units of one column; 1st, 2nd and 3rd are not units
_ORDINALS = frozenset(("st", "nd", "rd", "th"))
_NO_MEASURE = frozenset(("%", "‰", *"$€£¥"))
_FAR_APART = 2.0  # how many times larger the least value with a unit is than the largest without, or the reverse
_MOST_RANGES = 10  # different limits, without a number, that are names of classes


@dataclass(frozen=True)
class Column(WordColumn):
    """A column of cells and the user's settings for it: its numbers, however they are written, or its words.

    ``last``: it is the last column, and so may be the target.
    """

    unit: Unit = NO_UNIT
    last: bool = False

    def as_numbers(self, *, must: bool) -> NDArray[np.float64] | None:
        """(n,) numbers if these cells are numbers; None if they are words."""
        missing = self.missing.of_column(self.name)
        counts = Counter(self.cells)
        present = [word for word in counts if word not in missing]
        if not must and not any(map(self._may_be_number, present[:_LOOKED_AT])):
            return None
        ranges = len(present) <= _MOST_RANGES and all(
            LIMIT.fullmatch(limit_in_signs(word)) or _GRADE.fullmatch(word) or BARE_POWER.fullmatch(word)
            for word in present
        )
        if not must and ranges and self.options.limits == "auto":
            return None  # names of classes, such as <5 and >=5, or doses of 10^3 and 10^5
        made = self._in_one_unit(present, must=must)
        made = self._with_flags(present, must=must) if made is None else made
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
        if must and self.unit.alone and not self.unit.name:
            table |= {word: np.nan for word in strays if self._parsed(word) is None}
            strays = [word for word in strays if word not in table]
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
            known = all(map(is_unit, units)) or {*units} == {"C", "F"}
            if known and len(units) <= _MOST_UNITS and not {*units} <= _ORDINALS:
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

    def _with_flags(self, present: Sequence[str], *, must: bool) -> NDArray[np.float64] | None:
        """(n,) numbers, some with a flag after them, such as 4.2H or 5.1 U; the user is asked. None for others."""
        if self.unit.name or not any(map(self.numbers.is_number, present[:_LOOKED_AT])):
            return None
        table: dict[str, float] = {}
        flagged: dict[str, str] = {}
        unclear = False
        for word in present:
            if self.numbers.fits(word):
                table[word] = self.numbers.one(word)
            elif (match := FLAGGED.fullmatch(word)) is not None and self.numbers.is_number(match[1]):
                table[word] = self.numbers.one(match[1])
                flagged[word] = match[2]
                unclear = unclear or self._parsed(word) is None
            elif not stands_for_none(word):
                return None
        plain = [word for word in table if word not in flagged]
        kinds = dict.fromkeys(flagged.values())
        if kinds.keys() == {"+"} and not must and (self.last or OUTCOME_NAME.fullmatch(self.name)):
            return None  # censored times
        separate = not all(map(str.isdigit, plain)) or not any(map(str.isalnum, kinds))  # 12 and 12B are codes
        if not (unclear or len(kinds) > 1) or not separate or len(kinds) > _MOST_FLAGS:
            return None
        are_units = all(map(is_unit, kinds)) and (any(len(kind) > 1 for kind in kinds) or unit_sizes(kinds) is not None)
        counts = Counter(self.cells)
        usual, others = (sum(map(counts.__getitem__, words)) for words in (plain, flagged))
        if are_units or usual < others or (not must and (usual < _MANY_NUMBERS or len(plain) < _FEWEST_PLAIN)):
            return None
        examples = quoted([next(word for word, each in flagged.items() if each == kind) for kind in kinds])
        answers = [Alternative(message("Numbers"), "types", f"{self.name}=number")]
        if len(flagged) <= _MOST_LISTED and not any(";" in word for word in flagged):
            spelled = "; ".join(f"{self.name}={word}" for word in flagged)
            answers.append(Alternative(message("Numbers with such a mark are missing"), "missing_values", spelled))
        apart = not must and _are_apart([table[word] for word in plain], [table[word] for word in flagged])
        if apart and len(answers) > 1:  # 97.6F beside 36.4
            table |= dict.fromkeys(flagged, np.nan)
            answers.reverse()
            sentence = message(
                'Column "{column}" has marks after some of its numbers ({examples}), which are far from the others '
                "and are treated as missing.",
                column=self.name, examples=examples,
            )  # fmt: skip
        else:
            sentence = message(
                'Column "{column}" has marks after some of its numbers ({examples}), which are ignored.',
                column=self.name, examples=examples,
            )  # fmt: skip
        answers.append(Alternative(message("Categories"), "types", f"{self.name}=category"))
        self.found.readings.append(Reading("marks", sentence, "", tuple(answers), must, (self.name,)))
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
        """Ask whether a column in several inconvertible units is text, or only the values in one of them count."""
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
        """Ask if numbers without a unit are far from those with one, and may be in another; return whether it asked."""
        if min(len(present), len(others)) < _FEWEST_NUMBERS or not _are_apart(present, others):
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
            elif len(words) == (_MOST_LISTED if any(map(str.isdigit, word)) else _MOST_WORDS) or self._is_no_slip(word):
                return None
            else:
                words.append(word)
        unclear = "".join(word for word in words if not _are_several(word))
        slips = any(map(str.isdigit, unclear))  # such as 12.5.3; beside 250 and V58 it may be a code
        if (slips and not (fractions or 2 * different <= numbers)) or (len(words) > _MOST_WORDS and not fractions):
            return None
        most = _NUMBERS_TO_SLIPS if slips and not fractions else _NUMBERS_MOST
        if not words or different < _MANY_NUMBERS or numbers < most * sum(map(counts.__getitem__, words)):
            return None
        settled = replace(self.missing, everywhere=self.missing.everywhere | {*words})
        made = replace(self, missing=settled).as_numbers(must=False)
        return None if made is None else (tuple(words), made)

    def _is_no_slip(self, word: str) -> bool:
        """Whether a text among numbers is a code, or a limit that the user wants as text."""
        is_limit = self.options.limits == "text" and LIMIT.fullmatch(limit_in_signs(word)) is not None
        return is_limit or _CODE.fullmatch(word) is not None

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
                or plain_number(word) != word
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
        """A parsed number converted to the unit given for the column."""
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
        """Ask whether 45 % means 0.45, in a column whose numbers had no unit in the table that was learned from."""
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
        if (power := self._power(word)) is not None:
            return "power", "", *power
        sign = self._grouping(word)
        if sign:
            return "thousands", sign, "", self._ungrouped(word, sign)
        grouped = GROUPED_UNIT.fullmatch(word)
        if grouped and (sign := self._grouping(grouped[2])) and is_unit(grouped[3], grouped[1]):
            return "thousands", sign, (grouped[3] or grouped[1]).strip(), self._ungrouped(grouped[2], sign)
        if (limit := self._limit(word)) is not None:
            return "limits", "", *limit
        match = UNIT.fullmatch(word)
        if match and self.numbers.is_number(match[2]) and self._is_unit(match[3], match[1]):
            return "with a unit", "", (match[3] or match[1]).strip(), self.numbers.one(match[2])
        marked = MARKED.fullmatch(word)
        if marked and self.numbers.is_number(marked[1]):
            return "marks", word.replace(marked[1], "").strip(), "", self.numbers.one(marked[1])
        wrapped = WRAPPED.fullmatch(word)
        if wrapped and self.numbers.is_number(wrapped[1]):
            return "marks", word.replace(wrapped[1], ""), "", self.numbers.one(wrapped[1])
        if FORTRAN.fullmatch(word):
            return "power", "", "", float(word.translate(_AS_POWER))
        other = plain_number(word)
        return (
            None
            if other == word or not self.numbers.is_number(other)
            else ("wide figures", "", "", self.numbers.one(other))
        )

    def _power(self, word: str) -> tuple[str, float] | None:
        """The unit and number of a text with a power of ten, such as 5.2x10^3 or 10^3 copies; None for another text."""
        amount, _, unit = word.rpartition(" ")
        if not any(map(str.isalpha, unit[:1])) or not self._is_unit(unit):
            amount, unit = word, ""
        amount = amount.strip()
        match = POWER.fullmatch(amount)
        if match and self.numbers.is_number(match[1]):
            return unit, float(f"{self.numbers.one(match[1])!r}e{int(match[2].translate(RAISED))}")
        match = BARE_POWER.fullmatch(amount)
        return None if match is None else (unit, float(f"1e{int((match[1] or match[2]).translate(RAISED))}"))

    def _limit(self, word: str) -> tuple[str, float] | None:
        """The unit of a limit, such as <5 mg or < 10^3, and the number used for it; None if it is another text."""
        if self.options.limits == "text":
            return None
        plain = limit_in_signs(word)
        limit = LIMIT_OF_POWER.fullmatch(plain)
        if limit and (power := self._power(limit[2])) is not None:
            return power[0], limit_value(limit[1], power[1], self.options.limits)
        limit = LIMIT.fullmatch(plain)
        if limit and self.numbers.is_number(limit[2]) and self._is_unit(limit[3]):
            return (limit[3] or "").strip(), limit_value(limit[1], self.numbers.one(limit[2]), self.options.limits)
        return None

    def _is_unit(self, text: str | None, before: str = "") -> bool:
        """Whether a text is a unit; with several in a column, of which the user named one, any letter is."""
        letter = self.unit.alone and text is not None and len(text.strip()) == 1 and text.strip().isalpha()
        return letter or is_unit(text, before)

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
        """Ask whether (1,250.00) or 1.250,00- is a negative number, as in accounting."""
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


def _are_several(word: str) -> bool:
    """Whether a text is a list of whole numbers, such as 210; 220, or a range of them, such as 210-220."""
    limits = _RANGE.fullmatch(word)
    return _LIST.fullmatch(word) is not None or (limits is not None and int(limits[1]) < int(limits[2]))


def _are_apart(some: Sequence[float], others: Sequence[float]) -> bool:
    """Whether all of these positive numbers are much larger than all of the others."""
    known, rest = ([value for value in each if not np.isnan(value)] for each in (some, others))
    if not known or not rest or min(*known, *rest) <= 0:
        return False
    low, high = sorted((known, rest), key=max)
    return max(low) * _FAR_APART <= min(high)


def words_beside_numbers(words: Sequence[str], options: ReadOptions) -> list[str]:
    """The words that are not numbers, whatever the decimal sign, and not marks for missing values."""
    signs = [Numbers(sign) for sign in ".,"]
    missing = Spellings.of(options, ())
    columns = [Column("", [], numbers, options, missing, Findings()) for numbers in signs]
    return [word for word in words if word not in missing.everywhere and not is_no_number(word)
            and not any(each.numbers.is_number(word) or each._parsed(word) for each in columns)]  # fmt: skip


def has_limits(words: Sequence[str]) -> bool:
    """Whether any of these words is a value below or above a limit, such as <0.05."""
    return any(LIMIT.fullmatch(limit_in_signs(word)) for word in words)


def _stands_alone(cell: str) -> bool:
    """Whether an integer reveals nothing about the notation of others: 0, or a code for missing values."""
    plain = cell.lstrip("+-")
    return not plain.strip("0") or (plain.isdigit() and float(cell) in SENTINELS)
