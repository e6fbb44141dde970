"""Line figures for print: error, size and weights of a run, curves of several runs, critical differences."""

import io
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backend_bases import get_registered_canvas_class
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, ScalarFormatter
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.engine.state import Judged
from fsdesk.messages import current_language, localised, mark, number, tr
from fsdesk.methods.choice import ALL_FEATURES
from fsdesk.results.curves import (
    Axis,
    Trace,
    all_features_title,
    axis_title,
    drawn,
    last_of_each,
    moving_average,
    search_axis_title,
    spans_scales,
    time_unit,
    window_of,
)
from fsdesk.results.record import RunRecord, keep_made
from fsdesk.results.significance import Ranking
from fsdesk.results.subsets import SizeCurve, standings

# Okabe and Ito's colors can be distinguished by everyone.
_BLUE, _ORANGE, _GREEN = "#0072B2", "#D55E00", "#009E73"
_MOST_ROWS, _MOST_COLUMNS = 60, 2048
DOTS_PER_INCH, PRINT_DOTS = 200, 300
_MANY_POINTS, _CLOUD = 400, 4000
_MOST_LINES = 8  # of strategies and models

# No date and no program name, which would make identical figures differ.
_METADATA: dict[str, dict[str, str | None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


_NO_XML = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")
"""Characters that a name may contain but XML may not."""
_TITLES: dict[Axis, str] = {
    "iteration": mark("iteration"),
    "measurement": mark("measurements"),
    "time": mark("time"),
}
_DASHES = ("-", "--", ":", "-.")
_COLOURS = 7
_WIDTH, _LINE = 6.6, 0.24  # inches: width of the page, and height of a label
_AXIS, _BAR = 1.15, 0.3  # in lines: position of the labels and the bars, below the axis


@contextmanager
def drawing() -> Iterator[None]:
    """The style of all figures; characters missing from the font are drawn as boxes, without a warning."""
    style = rc_context(
        {
            "svg.hashsalt": "fsdesk",
            "svg.fonttype": "none",
            "pdf.fonttype": 42,
            "font.family": "sans-serif",
            "font.size": 9,
            "text.parse_math": False,  # a "$" in a name is only a character
        }
    )
    with style, warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def saved(draw: Callable[[], Figure], kind: str, dots: int = DOTS_PER_INCH) -> bytes:
    """A figure as the bytes of a "png", "svg" or "pdf" file."""
    with drawing():
        return written(settled(draw()), kind, dots)


@keep_made
def kept_figure(result: RunRecord, dataset: Dataset, draw: Callable[[RunRecord, Dataset], Figure]) -> Figure:
    """A figure of a result with fixed layout, shared by all formats and the report."""
    with drawing():
        return settled(draw(result, dataset))


def written(figure: Figure, kind: str, dots: int = DOTS_PER_INCH) -> bytes:
    """A figure with fixed layout as the bytes of a "png", "svg" or "pdf" file."""
    buffer = io.BytesIO()
    with drawing():
        figure.set_dpi(dots)
        # Figure.savefig would draw everything once more first, needlessly once the layout is settled.
        canvas = get_registered_canvas_class(kind)(figure)
        getattr(canvas, f"print_{kind}")(buffer, metadata=_METADATA[kind])
    return _NO_XML.sub(b"", buffer.getvalue()) if kind == "svg" else buffer.getvalue()


def settled(figure: Figure) -> Figure:
    """Fix the layout of a figure, with rounded positions of its plots: the layout solver differs in the last bits."""
    _write_numbers(figure)
    if (engine := figure.get_layout_engine()) is not None:
        engine.execute(figure)
    figure.set_layout_engine("none")
    for axes in figure.axes:
        left, bottom, width, height = (round(float(value), 4) for value in axes.get_position().bounds)
        axes.set_position((left, bottom, width, height))
    return figure


class _Numbers(ScalarFormatter):
    """Axis numbers with the decimal separator of the language."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return localised(super().__call__(x, pos))


def _write_numbers(figure: Figure) -> None:
    if current_language().comma:
        for axes in figure.axes:
            for axis in (axes.xaxis, axes.yaxis):
                if type(axis.get_major_formatter()) is ScalarFormatter:
                    axis.set_major_formatter(_Numbers())


def line_figure(draw: Callable[[Axes], None], *, legend: Literal["inside", "above", "beside"] = "inside") -> Figure:
    """A page-wide plot of lines or points, with its legend inside, above or beside it."""
    figure = Figure(figsize=(7.2, 3.2), layout="constrained")
    axes = figure.add_subplot()
    draw(axes)
    axes.spines[["top", "right"]].set_visible(False)
    if handles := axes.get_legend_handles_labels()[0]:
        if legend == "above":
            axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 1), ncols=len(handles), borderaxespad=0)
        elif legend == "beside":
            figure.legend(frameon=False, loc="outside right upper")
        else:
            axes.legend(frameon=False, loc="best")
    return figure


def evenly(steps: NDArray[np.int64]) -> tuple[NDArray[np.int64], tuple[float, float]]:
    """Index of the stored column at each of evenly spaced iterations, and the ends of these on the axis.

    ``steps`` are the iterations of the columns, increasing; if an iteration has several columns, the last one counts.
    """
    first, last = int(steps[0]), int(steps[-1])
    at = np.linspace(first, last, min(last - first + 1, _MOST_COLUMNS))
    half = (last - first) / max(1, len(at) - 1) / 2 or 0.5
    return np.searchsorted(steps, at, side="right") - 1, (first - half, last + half)


def curve_figure(result: RunRecord, dataset: Dataset) -> Figure:
    """The error of every candidate by iteration."""
    return line_figure(lambda axes: _by_iteration(axes, result, dataset), legend="above")


def size_figure(result: RunRecord, dataset: Dataset) -> Figure:
    """The error by number of features: of the strategies if any competed, or else of the finalists."""
    if standings(result.race):
        return strategies_figure(result, dataset)
    points = [(point.mask, point.error, point.std_error) for point in result.finalists]
    return size_curve_figure(SizeCurve.of(result.criterion, points, result.mask, dataset.target_name))


def strategies_figure(result: RunRecord, dataset: Dataset) -> Figure:
    """The held-out error by number of features: a line for each strategy evaluated on all resamples.

    If models compete, there is one for each of the leading pairs of strategy and model.
    """
    return line_figure(lambda axes: _by_strategy(axes, result, dataset), legend="beside")


def _by_strategy(axes: Axes, result: RunRecord, dataset: Dataset) -> None:
    race, criterion = result.race, result.criterion
    lines: dict[str, list[Judged]] = {}
    of_all: list[Judged] = []
    names = {each.pair: each.name for each in standings(race, result.spec)[:_MOST_LINES] if each.state != "out"}
    out = race.dropped
    for each in race.judged.values():
        if not np.isfinite(each.mean) or each.pair in out:
            continue
        if each.strategy == ALL_FEATURES:
            of_all.append(each)
        elif each.pair in names:
            lines.setdefault(names[each.pair], []).append(each)
    for name, found in lines.items():
        sizes = sorted(found, key=lambda each: each.size)
        values = drawn(criterion, np.array([each.mean for each in sizes]))
        axes.plot([each.size for each in sizes], values, ".-", linewidth=1.2, markersize=4, label=name)
    if of_all:
        value = drawn(criterion, np.array([min(each.mean for each in of_all)]))[0]
        label = tr("all features, best model") if race.models_compete else tr("all features")
        axes.axhline(value, color=_ORANGE, linestyle="--", linewidth=1.2, label=label)
    if race.winner is not None and race.winner[0] != ALL_FEATURES:
        winner = race.judged[race.winner]
        axes.plot([winner.size], drawn(criterion, np.array([winner.mean])), "o", color=_GREEN, label=tr("result"))
    axes.set_xscale("log", subs=())
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))  # a table of ten features has more than one tick
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value, ".0f")))
    axes.set_xlabel(tr("number of features"))
    axes.set_ylabel(axis_title(criterion, dataset.target_name))


def _by_iteration(axes: Axes, result: RunRecord, dataset: Dataset) -> None:
    """Draw every candidate, the moving average, the baseline and the result by iteration."""
    history, criterion = result.history, result.criterion
    values = drawn(criterion, history.errors)
    smooth = moving_average(values, window_of(len(values)), history.restarts)
    fewer = 0.25 if len(values) > _MANY_POINTS else 0.6
    cloud = len(values) > _CLOUD  # rasterized, because so many vector points take megabytes, and seconds to show
    axes.plot(
        history.iterations, values, ".", color=_BLUE, alpha=fewer, markersize=3, label=tr("a subset"), rasterized=cloud
    )
    last = last_of_each(history.iterations)
    breaks = np.searchsorted(last, history.restarts)  # a line for each search
    line = [np.insert(each[last].astype(np.float64), breaks, np.nan) for each in (history.iterations, smooth)]
    axes.plot(*line, color=_BLUE, linewidth=1.6, label=tr("moving average"))
    baseline, best = drawn(criterion, np.array([result.baseline_error, result.search_error]))
    if np.isfinite(baseline):
        axes.axhline(baseline, color=_ORANGE, linestyle="--", linewidth=1.2, label=all_features_title(result.race))
    if np.isfinite(best):
        places = np.flatnonzero(history.errors == result.search_error)
        at = history.iterations[places[0]] if len(places) else result.iterations
        axes.plot(at, best, "o", color=_GREEN, markersize=6, label=tr("result"))
    axes.set_xlabel(tr("iteration"))
    axes.set_ylabel(search_axis_title(criterion, dataset.target_name))


def permutations_figure(result: RunRecord, dataset: Dataset) -> Figure:
    """Distribution of the errors of the same run on shuffled targets, with its error on the true ones."""
    return line_figure(lambda axes: _by_luck(axes, result, dataset), legend="above")


def _by_luck(axes: Axes, result: RunRecord, dataset: Dataset) -> None:
    test, criterion = result.permutations, result.criterion
    if test is None:
        return
    bins = max(5, min(30, len(test.errors) // 3))
    axes.hist(drawn(criterion, np.array(test.errors)), bins=bins, color=_BLUE, alpha=0.6, label=tr("shuffled targets"))
    observed = float(drawn(criterion, np.array([test.observed]))[0])
    axes.axvline(observed, color=_GREEN, linewidth=2, label=tr("this run"))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(axis_title(criterion, dataset.target_name))
    axes.set_ylabel(tr("runs"))


def sizes_measured(result: RunRecord) -> set[int]:
    """Numbers of features of the finalists; there is a curve if there are at least two."""
    return {point.size for point in result.finalists if np.isfinite(point.error)}


def size_curve_figure(curve: SizeCurve) -> Figure:
    """The finalists, each with its standard error, and the best of each size connected by a line."""
    # The legend is placed regardless of the bars of the standard errors.
    return line_figure(lambda axes: _by_size(axes, curve), legend="above")


def _by_size(axes: Axes, curve: SizeCurve) -> None:
    sizes, values = curve.sizes, curve.values
    axes.errorbar(
        sizes, values, yerr=curve.spreads, fmt="o", color=_BLUE, markersize=4, linewidth=1, label=tr("finalists")
    )
    axes.plot(*curve.ladder, color=_BLUE, linewidth=1, alpha=0.5)
    for place in curve.answer:
        axes.plot(sizes[place], values[place], "o", color=_GREEN, markersize=8, label=tr("result"), zorder=3)
    if spans_scales(sizes):
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda size, _: number(size, ",.0f")))
        axes.xaxis.set_minor_formatter(NullFormatter())
    else:
        axes.set_xlim(min(axes.get_xlim()[0], min(sizes) - 1), max(axes.get_xlim()[1], max(sizes) + 1))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.set_xlabel(tr("number of features"))
    axes.set_ylabel(search_axis_title(curve.judged, curve.target))


def weights_figure(result: RunRecord, dataset: Dataset, most: int = _MOST_ROWS) -> Figure:
    """Weight of each feature by iteration; the features with the highest last weight first, up to a maximum number."""
    history = result.weight_history
    last = history[-1].astype(np.float64)
    order = np.lexsort((np.arange(len(last)), -last))[:most]
    height = max(1.8, 0.9 + 0.14 * len(order))
    figure = Figure(figsize=(7.2, height), layout="constrained")
    axes = figure.add_subplot()
    # Few iterations move weights little: the colors span their range, symmetrically about one half. Features always or
    # never selected have a constant weight and are ignored.
    columns, (left, right) = evenly(result.weight_steps)
    drawn_weights = history[columns][:, order]
    moved = drawn_weights[:, (drawn_weights != drawn_weights[:1]).any(axis=0)]
    reach = max(0.05, float(np.abs(moved / 255 - 0.5).max(initial=0.0)))
    picture = axes.imshow(
        drawn_weights.T / 255,
        aspect="auto",
        interpolation="nearest",
        cmap="cividis",
        vmin=0.5 - reach,
        vmax=0.5 + reach,
        extent=(left, right, len(order) - 0.5, -0.5),
    )
    axes.set_yticks(range(len(order)), [shortened(result.all_features[place]) for place in order], fontsize=7)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(tr("iteration"))
    if len(order) < len(last):
        said = tr(
            "The {shown} features with the largest final weights, out of {count:,}", shown=len(order), count=len(last)
        )
        axes.set_title(said, fontsize=9, loc="left")
    figure.colorbar(picture, ax=axes, label=tr("weight"), fraction=0.03, pad=0.02, aspect=20)
    return figure


def shortened(name: str, most: int = 28) -> str:
    """A name shortened to serve as a row label."""
    name = " ".join(name.split())
    return name if len(name) <= most else name[: most - 1] + "…"


def traces_figure(traces: Sequence[Trace], axis: Axis = "iteration", window: int = 0) -> Figure:
    """The moving averages of runs with the same criterion, and all details of the selected run."""
    return line_figure(lambda axes: _draw(axes, traces, axis, window))


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
    """Draw individual candidates, band, result, baseline, held-out error and the user's changes."""
    criterion = trace.judged
    spread = trace.smooth_spreads(window)
    axes.plot(x, trace.values, ".", color=trace.colour, alpha=0.2, markersize=2.5, rasterized=len(trace) > 2000)
    last = last_of_each(x)
    middle, spread = smooth[last], spread[last]
    axes.fill_between(x[last], middle - spread, middle + spread, color=trace.colour, alpha=0.18, linewidth=0)
    if trace.baseline is not None:
        value = drawn(criterion, np.array([trace.baseline]))[0]
        axes.axhline(value, color="#5b6472", linestyle="--", linewidth=1, label=trace.baseline_title)
    if trace.honest is not None:
        value = drawn(criterion, np.array([trace.honest.mean]))[0]
        if trace.honest_interval is not None:
            axes.axhspan(*drawn(criterion, np.array(trace.honest_interval)), color="#00704f", alpha=0.15, linewidth=0)
        axes.axhline(value, color="#00704f", linestyle="-.", linewidth=1, label=tr("held-out rows (outer folds)"))
    if trace.best is not None:
        places, loss = trace.best
        value = drawn(criterion, np.array([loss]))[0]
        axes.plot(places[axis] / seconds, value, "D", color=trace.colour, markeredgecolor="white", zorder=4)
    for measurement, _ in trace.steerings:
        axes.axvline(trace.place_of(measurement, axis) / seconds, color="#5b6472", linestyle=":", linewidth=1)


def rank_figure(ranking: Ranking) -> Figure:
    """Draw the diagram of Demšar (JMLR 7, 2006): the best method on the left, its rank near 1."""
    test, methods = ranking.test, len(ranking.rows)
    order = test.ranks.argsort(kind="stable")
    lines = (methods + 1) // 2
    depth = _AXIS + lines + _BAR * len(test.groups)
    with drawing():
        figure = Figure(figsize=(_WIDTH, _LINE * (depth + 3.2)))
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set_axis_off()
        side = 0.55 * methods
        axes.set_xlim(1 - side, methods + side)
        axes.set_ylim(-depth - 0.6, 2.6)
        axes.plot([1, methods], [0, 0], color="black", linewidth=1)
        for tick in range(1, methods + 1):
            axes.plot([tick, tick], [0, 0.3], color="black", linewidth=1)
            axes.text(tick, 0.4, str(tick), ha="center", va="bottom", fontsize=8)
        axes.plot([1, min(1 + test.difference, methods)], [1.6, 1.6], color="black", linewidth=2)
        words = tr("critical difference {value}", value=localised(f"{test.difference:.2f}"))
        axes.text(1, 1.75, words, ha="left", va="bottom", fontsize=8)
        for place, method in enumerate(order):
            rank, on_left = float(test.ranks[method]), place < lines
            height = -_AXIS - _BAR * len(test.groups) - (place if on_left else methods - 1 - place)
            end = 1 - 0.1 * side if on_left else methods + 0.1 * side
            axes.plot([rank, rank, end], [0, height, height], color="#5b6472", linewidth=0.8)
            name = shortened(", ".join(dict.fromkeys(_named(ranking, int(method)))), 28)
            label = f"{name} ({localised(f'{rank:.2f}')})"
            axes.text(end, height, f"{label} " if on_left else f" {label}", fontsize=8, va="center",
                      ha="right" if on_left else "left")  # fmt: skip
        for number, group in enumerate(test.groups):
            ends = float(test.ranks[group[0]]) - 0.04, float(test.ranks[group[-1]]) + 0.04
            height = -_AXIS / 2 - _BAR * number
            axes.plot(ends, [height, height], color="#0072B2", linewidth=3, solid_capstyle="butt")
    return figure


def _named(ranking: Ranking, place: int) -> tuple[str, ...]:
    """Method, and model if there are several, in the reader's language."""
    row = tuple(map(tr, ranking.rows[place]))
    return row[:1] if len({model for _, model in ranking.rows}) == 1 else row
