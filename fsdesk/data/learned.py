"""Reading of later tables in the same way as the first: categories, numbers, dates, decimals and missing values."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fsdesk.data.dataset import Dataset, Table
from fsdesk.data.options import CARRIED, LAYOUT, OF_COLUMNS, ReadOptions
from fsdesk.data.readers.matrices import SeveralTablesError
from fsdesk.data.readers.registry import read
from fsdesk.data.reading import entries, questions
from fsdesk.errors import DataError


@dataclass(frozen=True)
class Learned:
    """How a table was read, for use with later ones.

    Attributes
    ----------
    options
        Options, by name, that apply to every later table.
    layout
        Options that answer its questions; tried if columns are missing without them.
    columns
        The columns that a later table must contain.
    target
        The target's name.
    """

    options: Mapping[str, str]
    layout: Mapping[str, str]
    columns: tuple[str, ...]
    target: str

    @classmethod
    def of(cls, dataset: Dataset, features: Sequence[str] | None = None) -> "Learned":
        """What was learned about reading a data set; later tables must contain these ``features``, or all."""
        options = as_learned(dataset, features=features).model_dump(exclude_defaults=True)
        layout = {name: value for name in LAYOUT if (value := dataset.ways.get(name))}
        return cls(_as_texts(options), layout, tuple(dataset.features if features is None else features),
                   dataset.target_name)  # fmt: skip

    def packed(self) -> dict[str, Any]:
        """Its content in a form for JSON, or for a literal in a script."""
        return {"options": dict(self.options), "layout": dict(self.layout), "columns": list(self.columns),
                "target": self.target}  # fmt: skip

    @classmethod
    def unpacked(cls, kept: Mapping[str, Any]) -> "Learned":
        """Undo :meth:`packed`."""
        return cls(kept["options"], kept["layout"], tuple(kept["columns"]), kept["target"])


def _as_texts(options: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in options.items()}


def as_learned(
    dataset: Dataset, options: ReadOptions | None = None, features: Sequence[str] | None = None
) -> ReadOptions:
    """The options for reading a table of new rows, from what was learned about a data set.

    The user's options take precedence over those of the first table. Columns keep their types: 01 stays 01 if it was a
    category, and a numeric column contains only numbers. This applies only to ``features``, if given.
    """
    options = options or ReadOptions()
    ways = {name: value for name in CARRIED if (value := dataset.ways.get(name))}
    # The table need not contain every column of the first one.
    known = [entry if entry.endswith("?") else f"{entry}?" for entry in entries(ways.pop("types", ""))]
    said = "; ".join(filter(None, [options.types, *known, *_types(dataset, features)]))
    for name in OF_COLUMNS:
        if name in ways:
            ways[name] = "; ".join(f"?{entry.removeprefix('?')}" for entry in entries(ways[name]))
    return options.updated({**_beneath(options, ways), "types": said})


def read_as_learned(path: str | os.PathLike[str], learned: Learned, options: ReadOptions | None = None) -> Table:
    """Read a later table in the same way as the first; ``options`` from the user take precedence.

    It is read with the layout of the first one or, if that does not give the columns, with automatic detection; if a
    file has several tables, the one with the columns is read. Raises DataError like :func:`fsdesk.data.read`.
    """
    options = options or ReadOptions()
    types = "; ".join(filter(None, [options.types, learned.options.get("types", "")]))
    options = options.updated({**_beneath(options, learned.options), "types": types})
    layout = _beneath(options, learned.layout)
    encoding = layout.pop("encoding", "")  # a wrong encoding would go unnoticed, so only if uncertain
    table = _in_layout(path, options, layout, learned)
    if table is None:
        try:
            table = read(path, options)
        except SeveralTablesError as error:
            ways = ({"part": part} for part in error.parts)
            table = next((made for each in ways if (made := _in_layout(path, options, each, learned))), None)
            if table is None:
                raise
    if not {*learned.columns} <= {*table.columns}:  # few rows: a column of words may look like sample IDs
        ids = {name for reading in table.readings if reading.kind == "row ids" for name in reading.columns}
        if ids & {*learned.columns} and options.row_ids == "auto":
            table = read(path, options.updated({**layout, "row_ids": "none"}))
    asked = {each.option for question in questions(table.readings, learned.target, named=True, grouped=True)
             for each in question.alternatives}  # fmt: skip
    if encoding and "encoding" in asked:
        return read_as_learned(path, learned, options.updated({"encoding": encoding}))
    return table


def _beneath(options: ReadOptions, ways: Mapping[str, str]) -> dict[str, str]:
    """The settings that the user has not overridden."""
    usual = ReadOptions()
    return {name: value for name, value in ways.items() if getattr(options, name) == getattr(usual, name)}


def _in_layout(
    path: str | os.PathLike[str], options: ReadOptions, layout: Mapping[str, str], learned: Learned
) -> Table | None:
    """The table in a certain layout; None if no layout is given or columns are missing in it too."""
    try:
        table = read(path, options.updated(layout)) if layout else None
    except DataError:
        return None
    return table if table is not None and {*learned.columns} <= {*table.columns} else None


def _types(dataset: Dataset, features: Sequence[str] | None) -> Iterator[str]:
    """A type entry for each feature, and for a target of words; "?" marks columns that a table need not contain."""
    wanted = frozenset(dataset.features if features is None else features)
    for place, name in enumerate(dataset.features):
        if name in wanted and ";" not in name:
            yield f"{name}={'category' if place in dataset.categories else 'number'}?"
    if dataset.response is None and not all(map(_is_plain_number, dataset.classes)) and ";" not in dataset.target_name:
        yield f"{dataset.target_name}=category?"


def _is_plain_number(name: str) -> bool:
    try:
        return f"{float(name):.15g}" == name
    except ValueError:
        return False
