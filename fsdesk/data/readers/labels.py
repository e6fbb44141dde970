"""Labels from a second file: joined by sample id where the ids match, by order otherwise."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.dataset import Check, Table
from fsdesk.data.wording import quoted
from fsdesk.errors import DataError

__all__ = ["add_labels"]


def add_labels(table: Table, labels: Table, *, has_ids: bool, label_ids: Sequence[str] | None) -> Table:
    """Append the last column of ``labels`` as the last column and default target.

    Parameters
    ----------
    table
        The table without its labels.
    labels
        The labels file; its last column holds the labels.
    has_ids
        Whether ``table.rows`` were found in the file, not just counted.
    label_ids
        Sample ids of the labels file, or None where it holds nothing but labels.

    Raises
    ------
    DataError
        Where the table has ids and the labels file has others, or their numbers of rows differ.
    """
    order = None
    if label_ids is not None and (has_ids or set(label_ids) == set(table.rows)):
        order = _order_by_id(table, labels.name, label_ids)
    joined = f'Labels "{labels.columns[-1]}" were joined from "{labels.name}" by sample id.'
    if order is None:
        if len(labels.rows) != len(table.rows):
            raise DataError(
                f'"{labels.name}" has {len(labels.rows)} labels and "{table.name}" has {len(table.rows)} samples; '
                "give one label a sample, or sample ids in both."
            )
        order = np.arange(len(table.rows))
        joined = (
            f'Labels "{labels.columns[-1]}" were joined from "{labels.name}" by order, since the two files share no '
            "sample ids; make sure that their order is the same."
        )
    name = labels.columns[-1]
    while name in table.columns:
        name += "_label"
    values = np.empty((len(table.rows), len(table.columns) + 1), order="F")
    values[:, :-1] = table.values
    values[:, -1] = labels.values[order, -1]
    categories = dict(table.categories)
    last = len(labels.columns) - 1
    if last in labels.categories:
        categories[len(table.columns)] = labels.categories[last]
    return Table(
        name=table.name,
        values=values,
        columns=(*table.columns, name),
        categories=categories,
        rows=table.rows,
        source=f"{table.source}, labels from {labels.source}",
        default_target=name,
        checks=(*table.checks, *_encoding_checks(labels), Check("labels", joined, (name,))),
    )


def _encoding_checks(labels: Table) -> Sequence[Check]:
    return [check for check in labels.checks if check.kind in ("encoding", "text among numbers")]


def _order_by_id(table: Table, labels: str, ids: Sequence[str]) -> NDArray[np.intp]:
    """Row of every sample in the labels file."""
    place = {name: row for row, name in enumerate(ids)}
    absent = [name for name in table.rows if name not in place]
    if len(absent) == len(table.rows) and all(name in place for name in table.columns):
        raise DataError(
            f'"{labels}" has labels for the columns of "{table.name}", not for its rows; '
            'set "Samples are in" to the other choice.'
        )
    if absent:
        raise DataError(
            f'"{labels}" has no label for {quoted(absent)} of "{table.name}" (its first ids are {quoted(ids)}); '
            "give a labels file with the same sample ids, or one column of labels in the order of the samples."
        )
    if len(place) < len(ids):
        twice = [name for row, name in enumerate(ids) if place[name] != row and name in set(table.rows)]
        if twice:
            raise DataError(f'"{labels}" has more than one label for {quoted(twice)}; keep one label a sample.')
    return np.array([place[name] for name in table.rows], dtype=np.intp)
