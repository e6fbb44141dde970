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
"""Formats that a table of descriptions may have."""

_MOST_COLUMNS = 60


@dataclass(frozen=True)
class Annotations:
    """Texts about features.

    Attributes
    ----------
    source, join
        File that the descriptions came from, and its column that names the features; "" where there are none.
    columns
        Titles of the other columns of that file.
    texts
        Feature to its texts, one for each of ``columns``.
    notes
        Feature to the user's own note. Of all tables of a project: those of versions that knew no tables, which count
        for each table that has such a feature, unless ``tables`` says otherwise.
    tables
        Name of a table of a project to its notes by feature; "" for a note that was taken back.
    """

    source: str = ""
    join: str = ""
    columns: tuple[str, ...] = ()
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def titles(self) -> tuple[str, ...]:
        """The columns, and that of the notes where there are any."""
        return (*self.columns, "note") if self.notes else self.columns

    def cells(self, feature: str) -> tuple[str, ...]:
        """One text for each of ``titles``, "" where nothing is known."""
        texts = self.texts.get(feature, ("",) * len(self.columns))
        return (*texts, self.notes.get(feature, "")) if self.notes else texts

    def of_table(self, table: str) -> "Annotations":
        """What is known about the features of one table."""
        notes = {**self.notes, **self.tables.get(table, {})}
        return replace(self, notes={feature: note for feature, note in notes.items() if note}, tables={})

    def noted(self, table: str, feature: str, note: str) -> "Annotations":
        """With another note about a feature of a table; none where it is blank."""
        text = " ".join(note.split())
        others = {name: text for name, text in self.tables.get(table, {}).items() if name != feature}
        return replace(self, tables={**self.tables, table: {**others, feature: text}})

    def described(self, other: "Annotations") -> "Annotations":
        """With the descriptions of another one and the notes of this one."""
        return replace(other, notes=self.notes, tables=self.tables)

    def packed(self) -> dict[str, Any]:
        """As a project keeps it."""
        texts = {feature: list(cells) for feature, cells in self.texts.items()}
        tables = {table: dict(notes) for table, notes in self.tables.items()}
        return {
            "source": self.source, "join": self.join, "columns": list(self.columns), "texts": texts,
            "notes": dict(self.notes), **({"tables": tables} if tables else {}),
        }  # fmt: skip

    @classmethod
    def unpacked(cls, kept: Mapping[str, Any] | None) -> "Annotations":
        """Undo :meth:`packed`; nothing of None."""
        if kept is None:
            return cls()
        texts = {feature: tuple(cells) for feature, cells in kept["texts"].items()}
        return cls(kept["source"], kept["join"], tuple(kept["columns"]), texts, kept["notes"], kept.get("tables", {}))


@dataclass(frozen=True)
class DescriptionTable:
    """A table of texts: its file, its header and its rows, all as long as the header."""

    source: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def read_descriptions(path: Path) -> DescriptionTable:
    """Read a table of descriptions from CSV, TSV or a spreadsheet; its first line holds the titles of the columns.

    Raises
    ------
    DataError
        Where it is no such table.
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

    Names are compared as they are or, where that finds fewer, without regard to case. Of several rows for one feature
    the first counts.

    Parameters
    ----------
    column
        The column that names the features; the one that finds most of them where nothing is said.

    Returns
    -------
    annotations, found
        Those of the features that were found; and for every column, or the one that is named, how many it finds.
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
    """Titles that are all there and all different."""
    titles: list[str] = []
    for place, cell in enumerate(cells, 1):
        title = cell or f"column {place}"
        while title in titles:
            title += "_"
        titles.append(title)
    return tuple(titles)
