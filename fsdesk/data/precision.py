"""What a table can bear: how exactly an error can be told with its rows, and how much luck its features bring."""

import math

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.dataset import Check

__all__ = ["half_width", "precision_checks"]

_Z = 1.959964  # of a normal distribution, 95 % of which lie within
_TELLING = 0.02  # what is told more exactly than that needs no words


def half_width(error: float, rows: float) -> float:
    """Half of Wilson's 95 % interval of an error that ``rows`` rows show, each predicted once.

    h = z / (1 + z^2 / n) sqrt(e (1 - e) / n + z^2 / (4 n^2)), with z = 1.96 (Wilson, Journal of the American
    Statistical Association 22, 1927).
    """
    squared = _Z * _Z / rows
    return _Z / (1 + squared) * math.sqrt(error * (1 - error) / rows + squared / (4 * rows))


def precision_checks(
    codes: NDArray[np.int64],
    response: NDArray[np.float64] | None,
    group_of: NDArray[np.int64] | None,
    features: int,
) -> list[Check]:
    """Say beforehand what can be found out with these rows.

    Parameters
    ----------
    codes, response, group_of
        (n,) classes, numbers to predict or None, groups of rows or None. Of rows in groups the groups count, for the
        rows of one are alike.
    features
        How many there are.
    """
    rows = len(codes)
    groups = rows if group_of is None else len(np.unique(group_of))
    exactly = _of_classes(codes, groups) if response is None else _of_numbers(rows, groups)
    checks = [exactly] if exactly is not None else []
    if features > rows:
        sentence = (
            f"{features:,} features for {rows:,} rows: among so many subsets some are perfect by luck; trust only "
            "errors on rows that no search saw."
        )
        checks.append(Check("more features than rows", sentence))
    return checks


def _of_classes(codes: NDArray[np.int64], groups: int) -> Check | None:
    """The interval of an error half as large as that of always naming the largest class: one of a useful model."""
    rows, sizes = len(codes), np.bincount(codes)
    sizes = sizes[sizes > 0]
    likely = (1 - sizes.max() / rows) / 2
    spread = half_width(likely, groups)
    if spread < _TELLING:
        return None
    classes, smallest = len(sizes), int(sizes.min())
    error, points = round(100 * likely), round(100 * spread)
    if groups < rows:
        sentence = (
            f"{rows:,} rows in {groups:,} groups, which count here, and {classes} classes ({smallest:,} rows in the "
            f"smallest): an error near {error} % can be told to about ± {points} points (95 %)."
        )
    else:
        sentence = (
            f"{rows:,} rows, {classes} classes ({smallest:,} in the smallest): an error near {error} % can be told to "
            f"about ± {points} points (95 %)."
        )
    return Check("precision", sentence)


def _of_numbers(rows: int, groups: int) -> Check | None:
    """The interval of an RMSE, whose relative standard error is 1 / sqrt(2 n) where residuals are normal."""
    spread = _Z / math.sqrt(2 * groups)
    if spread < _TELLING:
        return None
    percent = round(100 * spread)
    if groups < rows:
        sentence = (
            f"{rows:,} rows in {groups:,} groups, which count here: an RMSE can be told to about ± {percent} % of "
            "itself (95 %)."
        )
    else:
        sentence = f"{rows:,} rows: an RMSE can be told to about ± {percent} % of itself (95 %)."
    return Check("precision", sentence)
