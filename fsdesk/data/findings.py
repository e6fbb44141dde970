"""What was found while the types of columns were determined, and the sentences about it."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from fsdesk.data.dataset import Check
from fsdesk.data.reading import Alternative, Reading
from fsdesk.messages import Message, message, message_many, quoted


@dataclass
class Findings:
    """What was found while the types of columns were determined."""

    checks: list[Check] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    units: dict[str, str] = field(default_factory=dict)
    mixed: list[tuple[str, str]] = field(default_factory=list)
    _seen: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))

    def note(self, kind: str, column: str, example: str) -> None:
        """Record that a column has a property such as a unit."""
        self._seen[kind].append((column, example))

    @property
    def spellings(self) -> tuple[str, ...]:
        """Words found to mark missing values."""
        return self.noted("missing spellings")[1]

    def noted(self, kind: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Columns with a property, and examples of it, each once."""
        found = self._seen.get(kind, ())
        return tuple(column for column, _ in found), tuple(dict.fromkeys(example for _, example in found))


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
"""Properties of columns, the kind of check for each, and its sentence, from a count, the columns and examples."""


def say_findings(found: Findings) -> None:
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
    columns, examples = found.noted("pairs")
    if columns:
        _ask_pairs(columns, examples, found)


def _units_kept(columns: Sequence[str], found: Findings) -> tuple[Alternative, ...]:
    """The types with these units, for later tables, which may have others."""
    types = "; ".join(f"{name}=number in {found.units[name]}" for name in columns if ";" not in name)
    return (Alternative(message("These are their units"), "types", types),) if types else ()


def _ask_pairs(columns: tuple[str, ...], examples: tuple[str, ...], found: Findings) -> None:
    sentence = message_many(
        len(columns),
        "{example} in {count} column ({columns}) is taken as a pair, such as the alleles of a genotype, not as a "
        "number; the column is read as text.",
        "{example} in {count} columns ({columns}) is taken as a pair, such as the alleles of a genotype, not as a "
        "number; the columns are read as text.",
        example=examples[0], columns=quoted(columns),
    )  # fmt: skip
    answers = tuple(
        Alternative(title, "types", "; ".join(f"{name}={kind}" for name in columns))
        for title, kind in ((message("Text"), "category"), (message("Numbers"), "number"))
    )
    evidence = message("The numbers before and after the comma are in the same range.")
    found.readings.append(Reading("pairs", sentence, evidence, answers, sure=False, columns=columns))


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
