"""External validation: the answer of a run, trained on its rows, tested on another table."""

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike

import numpy as np

from fsdesk.data import Dataset, Table
from fsdesk.data.roles import column_index
from fsdesk.errors import DataError
from fsdesk.messages import message
from fsdesk.results.external_record import ExternalValidation
from fsdesk.results.held_out import honest_error
from fsdesk.results.honest import tested_on
from fsdesk.results.new_rows import as_table, known_targets, matched
from fsdesk.results.result import Result

__all__ = ["ExternalValidation", "validate"]


def validate(
    result: Result,
    dataset: Dataset,
    table: Table | str | PathLike[str],
    *,
    target: str | None = None,
    group: str | None = None,
) -> ExternalValidation:
    """Train the run's model on its table and its selected features, and test it on another table.

    Parameters
    ----------
    dataset
        That of the run. Scaling, filling of gaps and categories are learned from it alone.
    table
        The other table, read or as a file, whose columns are matched by name.
    target, group
        Names of its target, by default that of the run, and of the column of rows that belong together, by which the
        interval counts.

    Raises
    ------
    DataError
        Where selected features or the target are missing, or classes were not learned.
    """
    table, name = as_table(table), target or dataset.target_name
    new = matched(dataset, table, dataset.features, result.features)
    kept, codes, response = known_targets(dataset, table, name)
    notes = list(new.notes)
    if not kept.all():
        notes.append(message("{rows:,} rows without a target are left out.", rows=int((~kept).sum())))
    known = {row.tobytes() for row in _comparable(dataset.x[:, [dataset.features.index(each) for each in new.names]])}
    same = sum(row.tobytes() in known for row in _comparable(new.x[kept]))
    if same:
        notes.append(
            message(
                "{same:,} of {total:,} rows are equal to rows that were learned from: the error is too good.",
                same=same, total=len(codes),
            )
        )  # fmt: skip
    both = _joined(dataset, new.names, new.x[kept], codes, response)
    places = {feature: place for place, feature in enumerate(dataset.features)}
    mask = np.array([result.mask[places[feature]] for feature in new.names], dtype=np.bool_)
    tested = np.arange(len(both.target)) >= len(dataset.target)
    _, said = tested_on(result.spec, both, mask, tested)
    rows = np.flatnonzero(kept)
    blocks = rows if group is None else _blocks(table, group)[kept]
    said = replace(said, rows=rows, blocks=blocks)
    error = honest_error(said, selected=int(mask.sum()), features=len(mask), source="another table")
    return ExternalValidation(table.name, error, len(new.names), len(dataset.features), tuple(notes), result.features)


def _joined(
    dataset: Dataset, names: Sequence[str], x: np.ndarray, codes: np.ndarray, response: np.ndarray | None
) -> Dataset:
    """The learned rows and below them the new ones, in the features that both have."""
    places = [dataset.features.index(name) for name in names]
    answers = None
    if dataset.response is not None and response is not None:
        answers = np.concatenate([dataset.response, response])
    learned = len(dataset.target)
    return replace(
        dataset,
        x=np.asfortranarray(np.concatenate([dataset.x[:, places], x])),
        features=tuple(names),
        target=np.concatenate([dataset.target, codes]),
        rows=(*dataset.rows, *(f"new {row}" for row in range(len(codes)))),
        categories={new: dataset.categories[old] for new, old in enumerate(places) if old in dataset.categories},
        response=answers,
        groups=None,
        fold_of=None,
        time=None if dataset.time is None else np.arange(learned + len(codes)),
    )


def _comparable(x: np.ndarray) -> np.ndarray:
    """Rows whose bytes are equal where their values are."""
    return np.ascontiguousarray(np.where(np.isnan(x), np.nan, x + 0.0))


def _blocks(table: Table, group: str) -> np.ndarray:
    values = table.values[:, column_index(table, group, message("the groups"))]
    if np.isnan(values).any():
        raise DataError('"{group}" has rows of "{name}" without a group: fill them.', group=group, name=table.name)
    return np.unique(values, return_inverse=True)[1].astype(np.int64)
