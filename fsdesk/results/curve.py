"""Losses as they are drawn and said, in the window, in print and on the command line."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fsdesk.measure import Criterion
from fsdesk.messages import tr

__all__ = [
    "axis_title",
    "compared",
    "drawn",
    "drawn_error",
    "last_of_each",
    "levelled",
    "moving_average",
    "search_axis_title",
    "spans_scales",
]

Floats = NDArray[np.float64]
_SPAN = 20


def drawn(criterion: Criterion, losses: Floats) -> Floats:
    """(n,) values as people know them, in percent where that is the unit; NaN where nothing was measured."""
    values = np.where(np.isfinite(losses), losses, np.nan)
    shown = values if criterion.direction == "lower" else criterion.best - values
    return np.asarray(100 * shown if criterion.unit == "%" else shown)


def drawn_error(criterion: Criterion, std_errors: Floats) -> Floats:
    """(n,) standard errors in the unit of :func:`drawn`."""
    return np.asarray(100 * std_errors if criterion.unit == "%" else std_errors)


def axis_title(criterion: Criterion, target: str = "") -> str:
    """What stands at the axis: "Error, %", "AUC", "RMSE", and with a target "RMSE, in the unit of price"."""
    title = tr(criterion.title)
    if criterion.unit == "target" and target:
        return tr("{criterion}, in the unit of {target}", criterion=title, target=target)
    return f"{title}, %" if criterion.unit == "%" else title


def search_axis_title(criterion: Criterion, target: str = "") -> str:
    """What stands at the axis of what a search saw, which is too good: "Error, %", and below that on which rows."""
    return f"{axis_title(criterion, target)}\n{tr('on the rows that chose the features')}"


def compared(criterion: Criterion, loss: float, other: float) -> str:
    """How much better or worse a loss is than another: "7.9 points better", "0.012 worse"; "" where one is missing."""
    gain = other - loss
    if not np.isfinite(gain):
        return ""
    amount = f"{100 * abs(gain):.1f}" if criterion.unit == "%" else f"{abs(gain):.2g}"
    if float(amount) == 0:
        return "as good"
    points = " points" if criterion.unit == "%" else ""
    return f"{amount}{points} {'better' if gain > 0 else 'worse'}"


def moving_average(values: Floats, window: int) -> Floats:
    """(n,) mean of each value and the ``window - 1`` before it; of fewer at the beginning.

    Values that are no finite numbers do not count; NaN where no other is near.
    """
    known = np.isfinite(values)
    total = np.concatenate([[0.0], np.cumsum(np.where(known, values, 0.0))])
    counts = np.concatenate([[0], np.cumsum(known)])
    ends = np.arange(1, len(values) + 1)
    starts = np.maximum(0, ends - window)
    number = counts[ends] - counts[starts]
    averages: Floats = np.full(len(values), np.nan)
    np.divide(total[ends] - total[starts], number, out=averages, where=number > 0)
    return averages


def last_of_each(x: Floats) -> NDArray[np.int64]:
    """Places through which the line of averages goes, in the window as in print; ``x`` (n,) rises.

    Of several points at one place, such as the subsets of an iteration, the last: its average has seen them all, and
    the line does not jump.
    """
    return np.flatnonzero(np.diff(x, append=np.inf))


def levelled(x: Floats, averages: Floats) -> Floats:
    """(n,) the averages where the line of :func:`last_of_each` goes through at each ``x``."""
    last = last_of_each(x)
    level: Floats = averages[last][np.searchsorted(x[last], x)]
    return level


def spans_scales(sizes: Sequence[int]) -> bool:
    """Whether numbers of features lie so far apart that their axis is better logarithmic, in the window as in print."""
    return bool(sizes) and max(sizes) > _SPAN * min(sizes)
