"""The curves of runs as a printed figure."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fsdesk.messages import mark, tr
from fsdesk.results.curve import drawn, last_of_each, moving_average, search_axis_title
from fsdesk.results.figures import PRINT_DOTS, line_figure, saved, shortened
from fsdesk.results.traces import Axis, Trace, time_unit, window_of

__all__ = ["save_traces", "traces_figure"]

_TITLES: dict[Axis, str] = {
    "iteration": mark("iteration"),
    "measurement": mark("measurements taken"),
    "time": mark("time"),
}
_DASHES = ("-", "--", ":", "-.")
_COLOURS = 7


def traces_figure(traces: Sequence[Trace], axis: Axis = "iteration", window: int = 0) -> Figure:
    """The moving averages of runs of one criterion, with all of the run that is shown."""
    return line_figure(lambda axes: _draw(axes, traces, axis, window))


def save_traces(traces: Sequence[Trace], axis: Axis, window: int, path: Path) -> None:
    """Write the figure as .png (300 dots to the inch), .svg or .pdf."""
    path.write_bytes(saved(lambda: traces_figure(traces, axis, window), path.suffix[1:].lower(), PRINT_DOTS))


def _draw(axes: Axes, traces: Sequence[Trace], axis: Axis, window: int) -> None:
    most = max((float(trace.along(axis)[-1]) for trace in traces if len(trace)), default=1.0)
    unit, seconds = time_unit(most) if axis == "time" else ("", 1.0)
    for place, trace in enumerate(traces):
        x = trace.along(axis) / seconds
        dashes = _DASHES[place // _COLOURS % len(_DASHES)]
        smooth = trace.smooth(window)
        if trace.shown:
            _details(axes, trace, x, smooth, axis, seconds, window)
        width = 1.6 if trace.shown else 1.2
        last = last_of_each(x)
        axes.plot(x[last], smooth[last], dashes, color=trace.colour, linewidth=width, label=shortened(trace.name, 48))
    axes.set_xlabel(f"{tr(_TITLES[axis])}, {unit}" if unit else tr(_TITLES[axis]))
    axes.set_ylabel(search_axis_title(traces[0].judged))


def _details(
    axes: Axes, trace: Trace, x: np.ndarray, smooth: np.ndarray, axis: Axis, seconds: float, window: int
) -> None:
    """Single steps, band, answer, the line of all features, the honest error and what was steered."""
    criterion = trace.judged
    spread = moving_average(trace.spreads, window_of(len(trace), window))
    axes.plot(x, trace.values, ".", color=trace.colour, alpha=0.2, markersize=2.5, rasterized=len(trace) > 2000)
    last = last_of_each(x)
    middle, spread = smooth[last], spread[last]
    axes.fill_between(x[last], middle - spread, middle + spread, color=trace.colour, alpha=0.18, linewidth=0)
    if trace.baseline is not None:
        value = drawn(criterion, np.array([trace.baseline]))[0]
        axes.axhline(value, color="#5b6472", linestyle="--", linewidth=1, label=tr("all features"))
    if trace.honest is not None:
        value = drawn(criterion, np.array([trace.honest.mean]))[0]
        if trace.honest_interval is not None:
            axes.axhspan(*drawn(criterion, np.array(trace.honest_interval)), color="#00704f", alpha=0.15, linewidth=0)
        axes.axhline(value, color="#00704f", linestyle="-.", linewidth=1, label=tr("unseen rows (outer folds)"))
    if trace.best is not None:
        places, loss = trace.best
        value = drawn(criterion, np.array([loss]))[0]
        axes.plot(places[axis] / seconds, value, "D", color=trace.colour, markeredgecolor="white", zorder=4)
    for number, _ in trace.steerings:
        axes.axvline(trace.place_of(number, axis) / seconds, color="#5b6472", linestyle=":", linewidth=1)
