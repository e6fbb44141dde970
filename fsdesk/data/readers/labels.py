"""Labels from a second file: joined by sample id where the ids match, by order otherwise."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.dataset import Check, Table
from fsdesk.errors import DataError
from fsdesk.messages import joined, message, quoted


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
    how = message(
        'Labels "{columns}" were joined from "{name}" by sample id.', columns=labels.columns[-1], name=labels.name
    )
    if order is None:
        if len(labels.rows) != len(table.rows):
            raise DataError(
                '"{name}" has {rows} labels and "{name2}" has {rows2} samples; give one label a sample, or sample '
                "ids in both.",
                name=labels.name,
                rows=len(labels.rows),
                name2=table.name,
                rows2=len(table.rows),
            )
        order = np.arange(len(table.rows))
        how = message(
            'Labels "{columns}" were joined from "{name}" by order, since the two files share no sample ids; '
            "make sure that their order is the same.",
            columns=labels.columns[-1],
            name=labels.name,
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
        source=joined(", ", [table.source, message("labels from {source}", source=labels.source)]),
        default_target=name,
        checks=(*table.checks, *_encoding_checks(labels), Check("labels", how, (name,))),
    )


def _encoding_checks(labels: Table) -> Sequence[Check]:
    return [check for check in labels.checks if check.kind in ("encoding", "text among numbers")]


def _order_by_id(table: Table, labels: str, ids: Sequence[str]) -> NDArray[np.intp]:
    """Row of every sample in the labels file."""
    place = {name: row for row, name in enumerate(ids)}
    absent = [name for name in table.rows if name not in place]
    if len(absent) == len(table.rows) and all(name in place for name in table.columns):
        raise DataError(
            '"{labels}" has labels for the columns of "{name}", not for its rows; set "Samples are in" to the '
            "other choice.",
            labels=labels,
            name=table.name,
        )
    if absent:
        raise DataError(
            '"{labels}" has no label for {absent} of "{name}" (its first ids are {ids}); give a labels file with '
            "the same sample ids, or one column of labels in the order of the samples.",
            labels=labels,
            absent=quoted(absent),
            name=table.name,
            ids=quoted(ids),
        )
    if len(place) < len(ids):
        twice = [name for row, name in enumerate(ids) if place[name] != row and name in set(table.rows)]
        if twice:
            raise DataError(
                '"{labels}" has more than one label for {twice}; keep one label a sample.',
                labels=labels,
                twice=quoted(twice),
            )
    return np.array([place[name] for name in table.rows], dtype=np.intp)
