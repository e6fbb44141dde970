"""Rows of another table, matched by name to what a run has learned from."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset, Table, read
from fsdesk.data.roles import column_index
from fsdesk.errors import DataError
from fsdesk.messages import message, quoted

__all__ = ["NewRows", "as_table", "known_targets", "matched"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NewRows:
    """The rows of another table in the columns that a run has learned from.

    Attributes
    ----------
    names, rows
        Names of the m features, and ids of the n rows.
    x
        (n, m) values; codes of the learned categories in nominal features; NaN where a value is missing or unknown.
    outside
        (n, m) bool: values outside of the range, or of the categories, that were learned.
    notes
        What the user should know, in sentences.
    """

    names: tuple[str, ...]
    rows: tuple[str, ...]
    x: Floats
    outside: NDArray[np.bool_]
    notes: tuple[str, ...] = field(default=())


def as_table(table: Table | str | PathLike[str]) -> Table:
    """A table as it is, or read from a file."""
    return table if isinstance(table, Table) else read(table)


def matched(dataset: Dataset, table: Table, names: Sequence[str], needed: Sequence[str]) -> NewRows:
    """Find features by their names in another table.

    Parameters
    ----------
    names
        The features to look for; those that the table has not are left out, and named in a note.
    needed
        Those of them that must be there.

    Raises
    ------
    DataError
        Where the table lacks one that is needed, or has text where numbers were learned.
    """
    missing = [name for name in needed if name not in table.columns]
    if missing:
        raise DataError(
            '"{name}" lacks {missing} of the {needed} selected features, {missing2}: columns are matched by '
            "their names, so name them as in the table of the run.",
            name=table.name,
            missing=len(missing),
            needed=len(needed),
            missing2=quoted(missing),
        )
    places = {name: place for place, name in enumerate(dataset.features)}
    found = [name for name in names if name in table.columns]
    columns, outside, notes = [], [], list[str]()
    left_out = len(names) - len(found)
    if left_out:
        notes.append(
            message(
                '"{table}" lacks {left_out:,} of {total:,} features, none of them selected.',
                table=table.name, left_out=left_out, total=len(names),
            )
        )  # fmt: skip
    far: list[str] = []
    for name in found:
        values, beyond = _column(dataset, table, places[name], column_index(table, name, message("a feature")))
        columns.append(values)
        outside.append(beyond)
        if beyond.any():
            far.append(name)
    if far:
        notes.append(
            message(
                "{far:,} of {total:,} features have values outside of what was learned, {names}: predictions there are "
                "extrapolated.",
                far=len(far), total=len(found), names=quoted(far),
            )
        )  # fmt: skip
    gaps = int(np.isnan(np.array(columns)).sum())
    if gaps:
        notes.append(message("{gaps:,} missing or unknown values are filled with what was learned.", gaps=gaps))
    shape = (len(table.rows), len(found))
    x = np.array(columns).T.reshape(shape)
    return NewRows(tuple(found), table.rows, x, np.array(outside).T.reshape(shape), tuple(notes))


def _column(dataset: Dataset, table: Table, place: int, column: int) -> tuple[Floats, NDArray[np.bool_]]:
    """(n,) values as in the data set, and which lie outside of what is known there."""
    values, levels, known = table.values[:, column], table.categories.get(column), dataset.categories.get(place)
    if known is None and levels is not None:
        raise DataError(
            '"{columns}" holds text in "{name}", such as {levels}, and numbers in the table of the run: correct '
            "that column.",
            columns=table.columns[column],
            name=table.name,
            levels=quoted(levels[:1]),
        )
    if known is not None:
        words = [_word(value, levels) for value in values]
        codes = {word: float(code) for code, word in enumerate(known)}
        return np.array([codes.get(word, np.nan) for word in words]), np.array(
            [word not in codes and word != "" for word in words]
        )
    learned = dataset.x[:, place]
    finite = learned[~np.isnan(learned)]
    low, high = (finite.min(), finite.max()) if len(finite) else (-np.inf, np.inf)
    return np.array(values, dtype=np.float64), np.asarray((values < low) | (values > high))


def _word(value: float, levels: tuple[str, ...] | None) -> str:
    """The category as text; "" where it is missing."""
    if np.isnan(value):
        return ""
    return f"{value:.15g}" if levels is None else levels[int(value)]


def known_targets(
    dataset: Dataset, table: Table, name: str
) -> tuple[NDArray[np.bool_], NDArray[np.int64], Floats | None]:
    """Which rows have a target, and their class codes or numbers, by the classes that were learned.

    Raises
    ------
    DataError
        Where there is no such column, no row with a target, or a class that was not learned.
    """
    column = column_index(table, name, message("the target"))
    values, levels = table.values[:, column], table.categories.get(column)
    kept = ~np.isnan(values)
    if not kept.any():
        raise DataError(
            'No row of "{name}" has a value in "{name2}", the target: there is nothing to test on.',
            name=table.name,
            name2=name,
        )
    if dataset.response is not None:
        if levels is not None:
            raise DataError('"{name}" holds text in "{name2}": the run predicts numbers.', name=name, name2=table.name)
        return kept, np.zeros(int(kept.sum()), dtype=np.int64), values[kept]
    words = [_word(value, levels) for value in values[kept]]
    codes = {word: code for code, word in enumerate(dataset.classes)}
    unknown = sorted({word for word in words if word not in codes})
    if unknown:
        raise DataError(
            '"{name}" in "{name2}" has classes that were not learned, {unknown}: the run knows {classes}.',
            name=name,
            name2=table.name,
            unknown=quoted(unknown),
            classes=quoted(list(dataset.classes)),
        )
    return kept, np.array([codes[word] for word in words], dtype=np.int64), None
