"""Annotations of features: the columns of a user's description table, and notes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fsdesk.data.options import ReadOptions
from fsdesk.data.readers import delimited, spreadsheet
from fsdesk.data.readers.content import Content
from fsdesk.errors import DataError

DESCRIPTION_READERS = (delimited.READER, spreadsheet.READER)
"""Formats in which a table of descriptions may be stored."""

_MOST_COLUMNS = 60


@dataclass(frozen=True)
class Annotations:
    """Texts about features.

    Attributes
    ----------
    source, join
        File of the descriptions, and its column with the feature names; "" if there are none.
    columns
        Titles of the other columns of that file.
    texts
        Feature to its texts, one for each column in ``columns``.
    notes
        Feature to the user's own note for all tables of a project, as stored by versions without notes by table. It
        applies to each table with such a feature, unless overridden in ``tables``.
    tables
        Name of a table of a project to its notes by feature; "" for a note that was removed.
    """

    source: str = ""
    join: str = ""
    columns: tuple[str, ...] = ()
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def titles(self) -> tuple[str, ...]:
        """The columns, including the notes if there are any."""
        return (*self.columns, "note") if self.notes else self.columns

    def cells(self, feature: str) -> tuple[str, ...]:
        """One text for each title in ``titles``, "" if unknown."""
        texts = self.texts.get(feature, ("",) * len(self.columns))
        return (*texts, self.notes.get(feature, "")) if self.notes else texts

    def of_table(self, table: str) -> "Annotations":
        """The annotations of the features of one table."""
        notes = {**self.notes, **self.tables.get(table, {})}
        return replace(self, notes={feature: note for feature, note in notes.items() if note}, tables={})

    def noted(self, table: str, feature: str, note: str) -> "Annotations":
        """The annotations with a new note about a feature of a table; a blank note is removed."""
        text = " ".join(note.split())
        others = {name: text for name, text in self.tables.get(table, {}).items() if name != feature}
        return replace(self, tables={**self.tables, table: {**others, feature: text}})

    def described(self, other: "Annotations") -> "Annotations":
        """The annotations with the descriptions of another object and the notes of this one."""
        return replace(other, notes=self.notes, tables=self.tables)

    def packed(self) -> dict[str, Any]:
        """The annotations as stored in a project."""
        texts = {feature: list(cells) for feature, cells in self.texts.items()}
        tables = {table: dict(notes) for table, notes in self.tables.items()}
        return {
            "source": self.source, "join": self.join, "columns": list(self.columns), "texts": texts,
            "notes": dict(self.notes), **({"tables": tables} if tables else {}),
        }  # fmt: skip

    @classmethod
    def unpacked(cls, kept: Mapping[str, Any] | None) -> "Annotations":
        """Undo :meth:`packed`; None gives no annotations."""
        if kept is None:
            return cls()
        texts = {feature: tuple(cells) for feature, cells in kept["texts"].items()}
        return cls(kept["source"], kept["join"], tuple(kept["columns"]), texts, kept["notes"], kept.get("tables", {}))


@dataclass(frozen=True)
class DescriptionTable:
    """A table of texts: its file, its header and its rows, all of the same length as the header."""

    source: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def read_descriptions(path: Path) -> DescriptionTable:
    """Read a table of descriptions from CSV, TSV or a spreadsheet; the first line contains the column titles.

    Raises
    ------
    DataError
        If the file is not such a table.
    """
    options = ReadOptions()
    content = Content.of_file(path)
    is_sheet = spreadsheet.READER.recognises(content) or spreadsheet.READER.names(content.name)
    grid = spreadsheet.read_sheet(content, options) if is_sheet else delimited.read_delimited(content, options)
    lines = [[cell.strip() for cell in row] for _, row in grid.rows()]
    if len(lines) < 2 or len(lines[0]) < 2:
        raise DataError(
            '"{name}" contains no descriptions. It needs a header line, a column of feature names and at least one '
            "other column.",
            name=path.name,
        )
    header = _titles(lines[0])
    if len(header) > _MOST_COLUMNS:
        raise DataError(
            '"{name}" has {header} columns, more than the {most_columns} allowed in a table of descriptions. Is it a '
            "table of measurements?",
            name=path.name,
            header=len(header),
            most_columns=_MOST_COLUMNS,
        )
    rows = tuple(tuple([*row, *[""] * len(header)][: len(header)]) for row in lines[1:])
    return DescriptionTable(path.name, header, rows)


def joined(
    table: DescriptionTable, features: Sequence[str], column: str | None = None
) -> tuple[Annotations, dict[str, int]]:
    """Join descriptions to features by name.

    Names are compared exactly or, if that finds fewer, ignoring case. If a feature has several rows, the first is used.

    Parameters
    ----------
    column
        The column with the feature names; by default the one that matches most features.

    Returns
    -------
    annotations, found
        Descriptions of the features found; and the number of matches for every column, or for the named one.
    """
    looked_at = table.header if column is None else (column,)
    by_column = {name: dict(_matches(table, name, features)) for name in looked_at}
    found = {name: len(matches) for name, matches in by_column.items()}
    best = max(looked_at, key=lambda name: found[name])
    place = table.header.index(best)
    others = tuple(name for name in table.header if name != best)
    texts = {feature: row[:place] + row[place + 1 :] for feature, row in by_column[best].items()}
    return Annotations(table.source, best, others, texts), found


def _matches(table: DescriptionTable, column: str, features: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    place = table.header.index(column)
    exact = {row[place]: row for row in reversed(table.rows)}
    loose = {key.casefold(): row for key, row in exact.items()}
    for feature in features:
        row = exact.get(feature) or loose.get(feature.casefold())
        if row is not None:
            yield feature, row


def _titles(cells: Sequence[str]) -> tuple[str, ...]:
    """Unique, non-empty titles."""
    titles: list[str] = []
    for place, cell in enumerate(cells, 1):
        title = cell or f"column {place}"
        while title in titles:
            title += "_"
        titles.append(title)
    return tuple(titles)
