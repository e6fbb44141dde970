"""Characteristics of the rows by class: the first table of most papers."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.messages import number, tr

Values = NDArray[np.float64]
Group = tuple[str, NDArray[np.bool_]]

MOST_CLASSES = 5
"""With more classes, the table has one column for all rows."""
_MOST_LEVELS = 6


def groups_of(dataset: Dataset) -> list[Group]:
    """All rows, followed by each class, or by rows with and without the event; (n,) bool each.

    There are no classes if numbers are predicted, or if there are more than ``MOST_CLASSES`` of them.
    """
    groups = [(tr("All"), np.ones(len(dataset.target), dtype=np.bool_))]
    if dataset.event:
        return [*groups, (tr("Event"), dataset.target == 1), (tr("Censored"), dataset.target == 0)]
    if dataset.response is None and len(dataset.classes) <= MOST_CLASSES:
        groups += [(name, dataset.target == code) for code, name in enumerate(dataset.classes)]
    return groups


def characteristics(dataset: Dataset, places: Sequence[int]) -> list[tuple[str, ...]]:
    """A row for each feature in ``places``: its name, a summary in each of :func:`groups_of`, and missing values.

    Numbers are summarized by their median and quartiles, categories and 0/1 features by counts with percentages;
    missing values are left out. If there are any, their numbers in each group follow in brackets.
    """
    groups, found = groups_of(dataset), []
    for place in places:
        values = np.asarray(dataset.x[:, place], dtype=np.float64)
        known = np.isfinite(values)
        levels = dataset.categories.get(place)
        if levels is None and set(np.unique(values[known]).tolist()) == {0.0, 1.0}:
            levels = ("0", "1")
        cells = [_summary(values[rows & known], levels) for _, rows in groups]
        found.append((dataset.features[place], *cells, _missing(~known, groups)))
    return found


def _missing(gaps: NDArray[np.bool_], groups: Sequence[Group]) -> str:
    """The number of missing values; if there are any, also that of each group in brackets."""
    whole = _share(int(gaps.sum()), len(gaps))
    if len(groups) == 1 or not gaps.any():
        return whole
    return f"{whole} [{'; '.join(_share(int(gaps[rows].sum()), int(rows.sum())) for _, rows in groups[1:])}]"


def _summary(values: Values, levels: Sequence[str] | None) -> str:
    if not len(values):
        return "–"
    if levels is None:
        low, middle, high = (_short(each) for each in np.quantile(values, [0.25, 0.5, 0.75]).tolist())
        return tr("{median} ({low} to {high})", median=middle, low=low, high=high)
    counts = np.bincount(values.astype(np.int64), minlength=len(levels))
    if levels == ("0", "1"):
        return _share(int(counts[1]), len(values))
    order = list(range(len(levels)))
    if len(levels) > _MOST_LEVELS:
        order = np.argsort(-counts, kind="stable")[: _MOST_LEVELS - 1].tolist()
    shown = [f"{levels[code]}: {_share(int(counts[code]), len(values))}" for code in order]
    rest = len(values) - int(sum(counts[code] for code in order))
    return "; ".join([*shown, *([tr("others: {share}", share=_share(rest, len(values)))] if rest else [])])


def _share(count: int, total: int) -> str:
    return tr("{count} ({share:.0f} %)", count=number(count), share=100 * count / total) if count else "0"


def _short(value: float) -> str:
    """A number with three significant digits; from 1,000 on, rounded to an integer."""
    return number(value, ",.0f") if 1000 <= abs(value) < 1e7 else number(value, ".3g")
