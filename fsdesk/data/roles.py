"""Columns that are neither feature nor target: rows that belong together, the user's own folds, the order in time."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.dataset import Table
from fsdesk.data.target import column_index
from fsdesk.data.wording import listed
from fsdesk.errors import DataError

__all__ = ["Roles", "coded", "role_columns"]

Roles = dict[str, NDArray[np.int64]]
_WORDS = {"groups": "the groups", "fold_of": "the folds", "time": "the time"}


def role_columns(table: Table, group: str | None, folds: str | None, time: str | None) -> dict[str, int]:
    """Index of each column that was given a role, by the name of the data set's field; DataError for unknown names."""
    named = {"groups": group, "fold_of": folds, "time": time}
    return {role: column_index(table, name, _WORDS[role]) for role, name in named.items() if name}


def coded(table: Table, columns: dict[str, int], rows: NDArray[np.intp]) -> Roles:
    """Codes 0, 1, ... of the values in each of these columns, in their order.

    Raises
    ------
    DataError
        Where one of the rows has no value.
    """
    roles: Roles = {}
    for role, column in columns.items():
        values = table.values[rows, column]
        missing = int(np.isnan(values).sum())
        if missing:
            raise DataError(
                f'Column "{table.columns[column]}", {_WORDS[role]}, misses a value in '
                f"{listed(missing, 'row', 'rows')}: fill them in, or choose another column."
            )
        roles[role] = np.unique(values, return_inverse=True)[1].astype(np.int64)
    return roles
