"""A column of words: missing values, names that look alike, codes made of digits."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from fsdesk.data.cells import Numbers
from fsdesk.data.column_options import Spellings
from fsdesk.data.dataset import Check
from fsdesk.data.findings import Findings
from fsdesk.data.names_alike import confusable, first_spellings, visible
from fsdesk.data.number_texts import NO_PAIRS, are_pairs
from fsdesk.data.options import ReadOptions
from fsdesk.data.reading import Alternative, Reading
from fsdesk.messages import message, quoted

_POWER_CODE = re.compile(r"\d+[eE]\d+")  # programs write 1E+05 or 1.0E5
_GENOTYPE = re.compile(r"[ACGTDI]{2}|[ACGTDI][ /|][ACGTDI]|\d[/|]\d|[ACGT]+[/|][ACGT]+")
_NO_CALLS = frozenset(("./.", ".|.", "./", ".|"))
_NO_ALLELES = frozenset(("00", "0 0", "0/0", "0|0", "--", "- -", "-/-", "NN", "N N", "N/N", "NC"))
_LEADING_ZERO = re.compile(r"[+-]?0\d+")
_FEW_CLASSES = 20
_MOST_CODES = 50
NO_CLASS = frozenset((
    "unknown", "n.d.", "n.d", "nd", "not determined", "not done", "not available", "n.a.", "missing", "unbekannt",
    "k.a.", "k. a.", "fehlt", "fehlend", "keine angabe", "nicht bestimmt", "inconnu", "manquant", "desconocido",
    "mancante", "sconosciuto", "no data", "(null)", "undefined", "not reported", "not applicable", "not tested", "nan.",
    "unk", "[not available]", "[unknown]", "[not applicable]", "[not evaluated]", "[discrepancy]", "[completed]",
    "unspecified", "indeterminate", "?", "??", "---", "--", "-", "*", "not recorded", "refused",
))  # fmt: skip
"""Words in a target that may not be a class, in lower case."""
_NO_VALUE = frozenset((
    "n.a.", "not available", "[not available]", "k.a.", "k. a.", "keine angabe", "missing", "fehlt", "fehlend",
    "manquant", "mancante", "no data", "(null)", "undefined", "not reported", "nan.", "[unknown]", "[not evaluated]",
    "not recorded", "unspecified",
))  # fmt: skip
"""Those of them that say only that the value is not known."""
_TRUTHS = {
    **dict.fromkeys(("yes", "y", "true", "t", "1", "ja", "j", "wahr", "oui", "vrai", "si", "sí", "verdadero"), True),
    **dict.fromkeys(("no", "n", "false", "f", "0", "nein", "falsch", "non", "faux", "falso"), False),
}
"""Spellings of yes and no, in lower case."""
_AMOUNT = re.compile(
    r".*(month|day|year|week|age|time|dauer|alter|monat|tage|jahr|survival|count|size|dose|score).*", re.I
)
"""Names of columns that count or measure, even if their numbers have leading zeros."""


@dataclass(frozen=True)
class WordColumn:
    """A column of cells and the user's settings for it: its words, and whether its numbers are codes."""

    name: str
    cells: list[str]
    numbers: Numbers
    options: ReadOptions
    missing: Spellings
    found: Findings

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
        absent = self._ask_absent(counts, missing)
        return ["" if cell in absent else renamed.get(cell, "") for cell in self.cells]

    def _without_alleles(self, words: Sequence[str]) -> frozenset[str]:
        """Marks for missing genotypes, such as ./. and, among genotypes in letters, 00; each is reported."""
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

    def _ask_absent(self, counts: Counter[str], missing: frozenset[str]) -> frozenset[str]:
        """Ask whether "unknown" is a class if it occurs in a target; also NA if it may be an ordinary code.

        Returns the words that are missing values unless the user says otherwise, such as "n.a.".
        """
        words = [word for word in counts if word not in missing]
        if not 2 < len(words) + ("NA" in counts) <= _FEW_CLASSES:
            return frozenset()
        found = set()
        absent = [word for word in words if word.strip().casefold() in NO_CLASS and word not in ("+", "-")]
        codes = [word for word in words if re.fullmatch("[A-Z]{2}", word)]
        if "NA" in counts and "NA" in missing and len(codes) == len(words) and not {*codes} <= {"NO", "SI", "NI", "JA"}:
            absent.append("NA")
        for word in absent:
            if self.missing.settles(self.name, word):
                continue
            is_absent = word in missing or word.strip().casefold() in _NO_VALUE
            if is_absent:
                found.add(word)
            is_missing = Alternative(message('"{word}" is a missing value', word=word), "missing_values",
                                     f"{self.name}={word}")  # fmt: skip
            is_value = Alternative(message('"{word}" is a value', word=word), "missing_values", f"{self.name}=!{word}")
            sentence = (
                message('"{word}" in column "{column}" is treated as a missing value.', word=word, column=self.name)
                if is_absent
                else message('"{word}" in column "{column}" is treated as a value.', word=word, column=self.name)
            )
            answers = (is_missing, is_value) if is_absent else (is_value, is_missing)
            evidence = message("It occurs in {rows:,} rows; the others contain {words}.", rows=counts[word],
                               words=quoted([each for each in words if each != word]))  # fmt: skip
            self.found.readings.append(
                Reading("word for missing", sentence, evidence, answers, False, (self.name,), "as target")
            )
        return frozenset(found)

    def _merged(self, renamed: dict[str, str], counts: Counter[str]) -> dict[str, str]:
        """Merge names that differ only in case or spaces if the user says so; otherwise ask."""
        groups: dict[str, list[str]] = defaultdict(list)
        for word in dict.fromkeys(renamed.values()):
            groups[_spoken(word)].append(word)
        several = [words for words in groups.values() if len(words) > 1]
        said = {group: words for group, words in groups.items() if group not in NO_CLASS}
        spelled = {group: truth for group in said if (truth := _TRUTHS.get(group)) is not None}
        if len(spelled) == len(said) > len({*spelled.values()}):
            return self._one_truth(renamed, counts, said)
        confused = [] if several or len(groups) > _FEW_CLASSES else _confused([*dict.fromkeys(renamed.values())])
        several = several or confused
        if not several:
            return renamed
        if self.options.similar == "one":
            first = {word: max(words, key=lambda each: counts[each]) for words in several for word in words}
            return {word: first.get(now, now) for word, now in renamed.items()}
        if len(groups) <= _FEW_CLASSES:
            names = quoted(several[0])
            sentence = (
                message('Names in column "{column}" that look alike in many fonts are kept separate: {names}.',
                        column=self.name, names=names)
                if confused
                else message('Names in column "{column}" that differ only in case, spaces or punctuation are kept '
                             "separate: {names}.",
                             column=self.name, names=names)
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

    def as_pairs(self) -> list[str] | None:
        """The cells if 152,156 is a pair of integers, such as the alleles of a genotype; None for numbers."""
        missing = self.missing.of_column(self.name)
        present = [cell for cell in dict.fromkeys(self.cells) if cell not in missing]
        if not are_pairs(present):
            return None
        if not any("." in cell for cell in present):  # 9.3,10 cannot be a number
            self.found.note("pairs", self.name, next(cell for cell in present if cell not in NO_PAIRS))
        for cell in present:
            if cell in NO_PAIRS:
                self.found.note("missing genotypes", self.name, cell)
        return ["" if cell in missing or cell in NO_PAIRS else cell for cell in self.cells]

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


def other_spelling(word: str, known: Collection[str]) -> bool:
    """Whether a word may be one of the known words in another spelling, such as Y for yes or Pre-Op for pre-op."""
    spoken = {_spoken(each) for each in known}
    truth = _TRUTHS.get(_spoken(word))
    return _spoken(word) in spoken or (truth is not None and truth in {_TRUTHS.get(each) for each in spoken})


def _confused(words: Sequence[str]) -> list[list[str]]:
    """Words with letters that differ only in l, I and 1 or O and 0, such as "type I" and "type l"."""
    groups: dict[str, list[str]] = defaultdict(list)
    for word in words:
        groups[confusable(word)].append(word)
    return [group for group in groups.values() if len(group) > 1]


_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})


def _spoken(word: str) -> str:
    """A name in lower case without spaces or punctuation: pre-op and Pre op. are the same."""
    plain = "".join(word.casefold().translate(_UMLAUTS).split())
    return re.sub(r"(?<=[^\W\d_]{2})[-_.](?=[^\W\d_]{2})|(?<=[^\W\d_]{2})[.,;:]$", "", plain) or plain
