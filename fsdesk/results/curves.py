"""Curves of runs, for the window, print and tables: losses in display units, and moving averages."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.engine import RunState
from fsdesk.engine.state import Race
from fsdesk.measure import CRITERIA, Criterion, Measurement
from fsdesk.messages import tr, within
from fsdesk.results.sheets import csv_text, escape_formula
from fsdesk.wrappers import STAND_IN, STAND_INS, WRAPPERS

Floats = NDArray[np.float64]
_SPAN = 20
Axis = Literal["iteration", "measurement", "time"]
_COLUMNS = ("run", "iteration", "measurement", "seconds", "features", "value", "std_error", "moving_average")


def drawn(criterion: Criterion, losses: Floats) -> Floats:
    """(n,) values in display units, in percent if that is the unit; NaN if nothing was measured."""
    values = np.where(np.isfinite(losses), losses, np.nan)
    shown = values if criterion.direction == "lower" else criterion.best - values
    return np.asarray(100 * shown if criterion.unit == "%" else shown)


def drawn_error(criterion: Criterion, std_errors: Floats) -> Floats:
    """(n,) standard errors in the unit of :func:`drawn`."""
    return np.asarray(100 * std_errors if criterion.unit == "%" else std_errors)


def axis_title(criterion: Criterion, target: str = "") -> str:
    """Axis title: "Error, %", "AUC", "RMSE", and with a target "RMSE, in the unit of price"."""
    title = tr(criterion.title)
    if criterion.unit == "target" and target:
        return tr("{criterion}, in the unit of {target}", criterion=title, target=target)
    return f"{title}, %" if criterion.unit == "%" else title


def search_axis_title(criterion: Criterion, target: str = "") -> str:
    """Axis title of the optimistic search error: "Error, %", and below it the rows it is based on."""
    return f"{axis_title(criterion, target)}\n{tr('on the rows used for selection')}"


def moving_average(values: Floats, window: int, restarts: Sequence[int] = ()) -> Floats:
    """(n,) mean of each value and the ``window - 1`` before it; of fewer at the beginning and after each restart.

    Non-finite values are ignored; NaN if there is no finite value nearby.
    """
    known = np.isfinite(values)
    total = np.concatenate([[0.0], np.cumsum(np.where(known, values, 0.0))])
    counts = np.concatenate([[0], np.cumsum(known)])
    ends = np.arange(1, len(values) + 1)
    first = np.array([0, *(place for place in restarts if place < len(values))])
    begun = first[np.searchsorted(first, ends - 1, side="right") - 1]  # where the search of each value began
    starts = np.maximum(begun, ends - window)
    number = counts[ends] - counts[starts]
    averages: Floats = np.full(len(values), np.nan)
    np.divide(total[ends] - total[starts], number, out=averages, where=number > 0)
    return averages


def last_of_each(x: Floats) -> NDArray[np.int64]:
    """Indices of the points on the line of averages, in the window and in print; ``x`` (n,) is increasing.

    If several points share a position, such as the subsets of an iteration, only the last is used, whose average
    includes them all, so that the line does not jump.
    """
    return np.flatnonzero(np.diff(x, append=np.inf))


def levelled(x: Floats, averages: Floats) -> Floats:
    """(n,) height at each ``x`` of the line through the points of :func:`last_of_each`."""
    last = last_of_each(x)
    level: Floats = averages[last][np.searchsorted(x[last], x)]
    return level


def spans_scales(sizes: Sequence[int]) -> bool:
    """Whether numbers of features span such a range that a logarithmic axis is better, in the window and in print."""
    return bool(sizes) and max(sizes) > _SPAN * min(sizes)


def window_of(count: int, wanted: int = 0) -> int:
    """Window of the moving average: as requested; for 0, a twentieth of the points, between 5 and 50.

    The paper smooths its figures by a moving average but does not state the window.
    """
    return wanted or max(5, min(50, count // 20))


def time_unit(most: float) -> tuple[str, float]:
    """The best display unit for a time in seconds, and its length in seconds: ("min", 60)."""
    return ("h", 3600.0) if most >= 3 * 3600 else ("min", 60.0) if most >= 180 else ("s", 1.0)


def places_in(x: Floats, left: float, right: float, most: int) -> NDArray[np.int64]:
    """About ``most`` indices of the increasing ``x`` between two ends, including the next one beyond each end."""
    first = max(0, int(np.searchsorted(x, left, side="left")) - 1)
    last = min(len(x), int(np.searchsorted(x, right, side="right")) + 1)
    if last - first <= most:
        return np.arange(first, last)
    return np.unique(np.linspace(first, last - 1, most).astype(np.int64))


def all_features_title(race: Race) -> str:
    """Name of the loss of all features at the start of a search: if models compete, it is that of the stand-in."""
    if not race.models_compete:
        return tr("all features")
    return tr("all features, {model}", model=within(WRAPPERS[stand_in_of(race)].title))


def stand_in_of(race: Race) -> str:
    """Name of the model that measured all features at the start of a search in which models compete."""
    named = {model.partition(" ")[0] for _, _, model in race.judged} & {*STAND_INS.values()}
    return next((name for name in STAND_INS.values() if name in named), STAND_IN)


@dataclass(frozen=True, eq=False)
class Trace:
    """The curve of one run: every measured candidate, in the order of the search.

    Attributes
    ----------
    name, criterion
        Name of the run in the legend, and name of its criterion.
    iterations, numbers, seconds, sizes, losses, std_errors
        (n,) float64, parallel; ``losses`` are finite.
    baseline, baseline_title
        Loss of all features, and its name; None if not known or not measurable.
    best
        Position of the result on the three axes, and its loss; None before there is a result.
    honest, honest_interval
        Losses of the outer folds; None if there are none. The ends of the 95 % interval over rows, once known.
    steerings
        Changes by the user during the run: number of the first measurement after each, and a sentence.
    restarts
        Indices at which a search restarted, as those of strategies do on further resamples.
    """

    name: str
    criterion: str
    iterations: Floats
    numbers: Floats
    seconds: Floats
    sizes: Floats
    losses: Floats
    std_errors: Floats
    baseline: float | None = None
    baseline_title: str = ""
    best: tuple[dict[Axis, float], float] | None = None
    honest: Measurement | None = None
    steerings: tuple[tuple[int, str], ...] = ()
    colour: str = ""
    shown: bool = field(default=True)
    honest_interval: tuple[float, float] | None = None
    restarts: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        state: RunState,
        name: str = "",
        honest: Measurement | None = None,
        colour: str = "",
        shown: bool = True,
        honest_interval: tuple[float, float] | None = None,
    ) -> "Trace":
        """The curve of a run so far; ``shown`` says whether its individual points are drawn."""
        known = np.isfinite(state.errors.view)
        columns = (state.iterations, state.numbers, state.times, state.sizes, state.errors, state.std_errors)
        iterations, numbers, seconds, sizes, losses, errors = (column.view[known] for column in columns)
        baseline = state.baseline if state.baseline is not None and np.isfinite(state.baseline) else None
        return cls(
            name,
            state.criterion.name,
            iterations,
            numbers,
            seconds,
            sizes,
            losses,
            errors,
            baseline=baseline,
            baseline_title=all_features_title(state.race),
            best=_best(state, numbers, seconds),
            honest=honest,
            steerings=tuple(state.steerings),
            colour=colour,
            shown=shown,
            honest_interval=honest_interval,
            restarts=tuple(np.searchsorted(np.flatnonzero(known), state.restarts).tolist()),
        )

    def __len__(self) -> int:
        return len(self.losses)

    @property
    def judged(self) -> Criterion:
        """The criterion of the curve."""
        return CRITERIA[self.criterion]

    @property
    def values(self) -> Floats:
        """(n,) values in display units; see :func:`fsdesk.results.curves.drawn`."""
        return drawn(self.judged, self.losses)

    @property
    def spreads(self) -> Floats:
        """(n,) standard errors in the unit of :attr:`values`."""
        return drawn_error(self.judged, self.std_errors)

    def along(self, axis: Axis) -> Floats:
        """(n,) position of each candidate on an axis; times in seconds."""
        return {"iteration": self.iterations, "measurement": self.numbers, "time": self.seconds}[axis]

    def place_of(self, number: int, axis: Axis) -> float:
        """Position on an axis of the measurement with this number."""
        if axis == "measurement" or not len(self):
            return float(number)
        place = min(int(np.searchsorted(self.numbers, number)), len(self) - 1)
        return float(self.along(axis)[place])

    def smooth(self, wanted: int = 0) -> Floats:
        """(n,) the moving average of :attr:`values`, with an automatic window if none is given."""
        return moving_average(self.values, window_of(len(self), wanted), self.restarts)

    def smooth_spreads(self, wanted: int = 0) -> Floats:
        """(n,) the moving average of :attr:`spreads`."""
        return moving_average(self.spreads, window_of(len(self), wanted), self.restarts)


def _best(state: RunState, numbers: Floats, seconds: Floats) -> tuple[dict[Axis, float], float] | None:
    best = state.best
    if best is None or not np.isfinite(best.mean) or not len(numbers):
        return None
    place = min(int(np.searchsorted(numbers, best.number)), len(numbers) - 1)
    places: dict[Axis, float] = {
        "iteration": float(best.iteration),
        "measurement": float(best.number),
        "time": float(seconds[place]),
    }
    return places, float(best.mean)


def traces_csv(traces: Sequence[Trace], window: int = 0) -> str:
    """One line for each candidate of each run; fractions remain fractions, and no cell can be taken for a formula."""
    lines: list[Sequence[object]] = [_COLUMNS]
    for trace in traces:
        scale = 100.0 if trace.judged.unit == "%" else 1.0
        columns = (trace.iterations, trace.numbers, trace.seconds, trace.sizes)
        shown = (trace.values / scale, trace.std_errors, trace.smooth(window) / scale)
        for row in zip(*columns, *shown, strict=True):
            iteration, number, seconds, size, value, error, average = map(float, row)
            counts = (int(iteration), int(number), round(seconds, 6), int(size))
            lines.append([escape_formula(trace.name), *counts, *(f"{each:.9g}" for each in (value, error, average))])
    return csv_text(lines)
