"""How a file was read: decisions with their reasons and alternatives; uncertain ones become questions."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from fsdesk.data.options import CARRIED, LAYOUT, LISTED, ReadOptions
from fsdesk.errors import DataError
from fsdesk.messages import Message, data_of, joined, message, message_of

Asked = Literal["always", "as target", "without target", "without group"]
"""Whether an uncertain decision is always a question, only if one of its columns is the target, or only if nobody named
the target or the groups of rows."""


OTHERS_MISSING = "number, others missing"
"""The name of the type of numbers in a column whose other texts are missing values."""
PLAIN_TYPES = ("category", "number", OTHERS_MISSING, "duration", "two numbers", "three numbers", "id", "text")
"""Names of column types, besides dates and ordered categories."""
ORDERED_TYPE = re.compile(r"ordered:\s*(?P<levels>.*[^\s<].*)")
"""The name of an ordered type, followed by its categories from low to high: I < II < III."""
UNIT_TYPE = re.compile(r"number in (?P<unit>\S.*?)(?:(?P<alone>, others missing)|(?P<fractions>, as fractions))?")
"""The name of the type of numbers with a unit, followed by the unit.

Values in units that cannot be converted may be missing; numbers without a sign may be fractions, in a column in %. The
unit "1" is that of fractions, to which % can be converted.
"""
DATE_TYPE = re.compile(r"(?:date|days since (?P<origin>\d{4}-\d{2}-\d{2}))(?:, (?P<order>day first|month first))?")
"""The name of the date type, followed by the day that counts as 0 and the date format, if given."""


@dataclass(frozen=True)
class Alternative:
    """One answer to a question.

    Attributes
    ----------
    title
        Its meaning, in plain words.
    option, value
        The option that settles it, and its value: a field of :class:`ReadOptions`, or an argument of
        :func:`fsdesk.data.prepare`, such as "task".
    """

    title: str
    option: str
    value: str

    @property
    def is_reading(self) -> bool:
        """Whether the file has to be read again; otherwise only the preparation of the table changes."""
        return self.option in ReadOptions.model_fields

    def added_to(self, options: ReadOptions) -> ReadOptions:
        """The options with this answer; for an option that is a list, the entry is added."""
        before = str(getattr(options, self.option))
        value = f"{before}; {self.value}" if self.option in LISTED and before else self.value
        return options.updated({self.option: value})


@dataclass(frozen=True)
class Reading:
    """A decision made while reading a table.

    Attributes
    ----------
    kind
        A short name such as "header", stable for tests.
    sentence
        What was decided.
    evidence
        The evidence; "" if the file or the user states it.
    alternatives
        Possible answers, the chosen one first; empty if there is no choice.
    sure
        Whether it is certain, or cannot change rows, labels, classes or the target.
    columns
        The columns concerned.
    asked
        When an uncertain decision is a question.
    """

    kind: str
    sentence: str
    evidence: str = ""
    alternatives: tuple[Alternative, ...] = ()
    sure: bool = True
    columns: tuple[str, ...] = ()
    asked: Asked = "always"

    def asks(self, target: str, *, named: bool, grouped: bool = False) -> bool:
        """Whether the user should make the decision.

        Parameters
        ----------
        target
            Name of the target.
        named
            Whether the user named it.
        grouped
            Whether the user named the groups of rows, or none are needed.
        """
        if self.sure:
            return False
        if self.asked == "without group":
            return not grouped
        if self.asked == "as target":
            return target in self.columns
        return self.asked == "always" or not named

    @property
    def text(self) -> Message:
        """The decision, with its evidence."""
        return joined(" ", [self.sentence, self.evidence]) if self.evidence else joined("", [self.sentence])

    def packed(self) -> dict[str, Any]:
        """The decision as JSON data."""
        answers = [[data_of(each.title), each.option, each.value] for each in self.alternatives]
        return {
            "kind": self.kind, "sentence": data_of(self.sentence), "evidence": data_of(self.evidence),
            "alternatives": answers, "sure": self.sure, "columns": list(self.columns), "asked": self.asked,
        }  # fmt: skip

    @classmethod
    def unpacked(cls, kept: Mapping[str, Any]) -> "Reading":
        """Undo :meth:`packed`."""
        answers = tuple(Alternative(message_of(title), option, value) for title, option, value in kept["alternatives"])
        return cls(
            kept["kind"], message_of(kept["sentence"]), message_of(kept["evidence"]), answers, kept["sure"],
            tuple(kept["columns"]), kept["asked"],
        )  # fmt: skip


class QuestionError(DataError):
    """A table can be read in more than one way, and only the user knows which one is right; see ``questions``."""

    def __init__(self, name: str, questions: Sequence[Reading]) -> None:
        self.name, self.questions = name, tuple(questions)
        first = self.questions[0]
        answers = [
            message("{option}={value} ({title})", option=each.option, value=repr(each.value), title=each.title)
            for each in first.alternatives
        ]
        super().__init__(
            message(
                '"{name}" can be read in more than one way. {question} Specify one of {answers}, or '
                "accept_reading=True to accept the proposed reading.",
                name=name, question=first.text, answers=joined(", ", answers),
            )
        )  # fmt: skip

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.questions)


def questions(readings: Iterable[Reading], target: str, *, named: bool, grouped: bool = False) -> tuple[Reading, ...]:
    """The decisions left to the user; see :meth:`Reading.asks`."""
    return tuple(reading for reading in readings if reading.asks(target, named=named, grouped=grouped))


def taken(readings: Iterable[Reading], ways: Mapping[str, str]) -> dict[str, str]:
    """The options for reading a later table in the same way, including proposals that were not answered otherwise."""
    options = ReadOptions().updated({name: value for name, value in ways.items() if name in ReadOptions.model_fields})
    usual = options
    for reading in readings:
        proposed = next(iter(reading.alternatives), None)
        if proposed is None or not proposed.is_reading:
            continue
        meant = proposed.option in CARRIED or (proposed.option in LAYOUT and not reading.sure)
        said = getattr(options, proposed.option)
        if proposed.option in LISTED:  # existing settings of a column take precedence
            known = {*map(_settled, entries(str(said)))}
            fresh = [entry for entry in entries(proposed.value) if _settled(entry) not in known]
            options = options.updated({proposed.option: "; ".join(filter(None, [str(said), *fresh]))})
        elif meant and said == ReadOptions.model_fields[proposed.option].default:
            options = options.updated({proposed.option: proposed.value})
    changed = {name: str(value) for name, value in options.model_dump(exclude_defaults=True).items()
               if value != getattr(usual, name)}  # fmt: skip
    return {**ways, **changed}


def is_type(kind: str) -> bool:
    """Whether this is the name of a column type."""
    return kind in PLAIN_TYPES or any(form.fullmatch(kind) for form in (DATE_TYPE, ORDERED_TYPE, UNIT_TYPE))


def _settled(entry: str) -> str:
    """The subject of a list entry: the type of a column, or whether a value in it is missing."""
    column, sign, value = entry.rpartition("=")
    plain = value.strip().removesuffix("?")
    return f"{column.strip()}{sign}{'' if is_type(plain) else value.strip().removeprefix('!')}"


def entries(text: str) -> Iterator[str]:
    """The entries of an option that is a list, stripped."""
    return (entry for part in text.split(";") if (entry := part.strip()))


def entry_of(entry: str, columns: Collection[str]) -> tuple[str, str]:
    """Column and value of an entry "column=value"; the column is "" if it does not exist."""
    column, sign, value = entry.rpartition("=")
    column = column.strip()
    return (column, value.strip()) if sign and column in columns else ("", entry)


def columns_said(text: str, columns: Collection[str], option: str) -> dict[str, list[str]]:
    """The values that a list gives for each column: "column=value" entries; those that begin with "?" are optional.

    Raises DataError if any other entry does not name a column of the table.
    """
    said: dict[str, list[str]] = {}
    for entry in entries(text):
        column, value = entry_of(entry, columns)
        if not column and entry.startswith("?"):
            column, value = entry_of(entry[1:], columns)
        elif not column:
            raise DataError(
                '"{entry}" of {option} does not give a column and value; write column=value, using a column of the '
                "table.",
                entry=entry, option=option,
            )  # fmt: skip
        if column:
            said.setdefault(column, []).append(value)
    return said
