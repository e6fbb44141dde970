"""The user's settings of columns: types, units, limits of detection and spellings of missing values."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from fsdesk.data.cells import MISSING
from fsdesk.data.number_texts import ERRORS
from fsdesk.data.options import ReadOptions
from fsdesk.data.reading import ORDERED_TYPE, OTHERS_MISSING, UNIT_TYPE, columns_said, entries, entry_of, is_type
from fsdesk.errors import DataError


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
    exist. IDs, texts and ordered categories are categories here: :mod:`fsdesk.data.recode` handles the rest.
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
                'Column "{column}" can be a category, a number (or "number, others missing"), a date, a duration, two '
                'numbers, three numbers, an id, text, or "ordered: low < high", not "{kind}".',
                column=column, kind=kind,
            )  # fmt: skip
        words = kind in ("id", "text") or ORDERED_TYPE.fullmatch(kind) is not None
        number = kind == OTHERS_MISSING or UNIT_TYPE.fullmatch(kind) is not None
        types.setdefault(column, "category" if words else "number" if number else kind)
    for entry in entries(options.logarithms):
        name = entry if entry in known else entry.removeprefix("?")
        if name in known:
            types.setdefault(name, "number")
    return types


@dataclass(frozen=True)
class Unit:
    """The unit of a numeric column.

    ``alone``: values in units that cannot be converted to it are missing; without a unit, all that are no numbers.
    ``fractions``: numbers without a unit are fractions, in a column in %. ``learned``: all of this, or that there is no
    unit, comes from another table.
    """

    name: str = ""
    alone: bool = False
    fractions: bool = False
    learned: bool = False


NO_UNIT = Unit()


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
        elif kind.removesuffix("?") == OTHERS_MISSING and column not in said:
            units[column] = Unit(alone=True)
        elif kind == "number?" and column not in said:
            units[column] = Unit(learned=True)
        said.add(column)
    return {column: unit for column, unit in units.items() if column}


def limits_of(options: ReadOptions, columns: Collection[str]) -> dict[str, ReadOptions]:
    """The reading options of each column that has its own option for limits."""
    said = columns_said(options.column_limits, columns, "column_limits")
    return {name: options.updated({"limits": values[0]}) for name, values in said.items()}
