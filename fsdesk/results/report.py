"""The HTML report: one self-contained page that reads well in a browser and on paper."""

import io
from collections.abc import Callable
from importlib import resources

import numpy as np
from jinja2 import Environment, StrictUndefined
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fsdesk.data import Dataset
from fsdesk.engine import RunSpec
from fsdesk.measure import MeasureSettings
from fsdesk.methods import METHODS
from fsdesk.results.curve import axis_title, drawn, drawn_error, moving_average
from fsdesk.results.result import Result
from fsdesk.settings import Settings
from fsdesk.wrappers import WRAPPERS

__all__ = ["report"]

# Okabe and Ito's colours can be told apart by everyone.
_BLUE, _ORANGE, _GREEN = "#0072B2", "#D55E00", "#009E73"
_MOST_ROWS = 500
_MOST_NAMES = 30


def report(result: Result, dataset: Dataset) -> str:
    """Render the report of a result as one HTML page; the same result gives the same bytes."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    text = resources.files("fsdesk.results").joinpath("report.html.jinja").read_text(encoding="utf-8")
    rows = _feature_rows(result)
    return environment.from_string(text).render(
        result=result,
        dataset=dataset,
        criterion=result.criterion,
        method=METHODS[result.spec.method],
        wrapper=WRAPPERS[result.spec.wrapper],
        measured=_measured(result.spec.measuring),
        rows=rows[:_MOST_ROWS],
        more_rows=max(0, len(rows) - _MOST_ROWS),
        curve=_svg(lambda axes: _by_iteration(axes, result, dataset)),
        sizes=_svg(lambda axes: _by_size(axes, result, dataset)) if len(_sizes(result)) > 1 else "",
        chosen_by=_chosen_by(result),
        wishes=_wishes(result.spec),
        settings=_settings(result),
        target=_target(dataset),
        roles=_roles(dataset),
    )


def _feature_rows(result: Result) -> list[tuple[str, float, float]]:
    weights = result.mask.astype(np.float64) if result.weights is None else result.weights
    rows = [
        (result.all_features[place], float(weights[place]), float(result.frequency[place]))
        for place in np.flatnonzero(result.mask)
    ]
    return sorted(rows, key=lambda row: (-row[1], -row[2], row[0]))


def _measured(measuring: MeasureSettings) -> str:
    """How a single point of the curve came about."""
    most = "up to " if measuring.std_error_limit else ""
    ways = {
        "folds": f"the mean of {most}{measuring.repeats} repeats of {measuring.folds}-fold cross-validation",
        "hold-out": f"the mean of {most}{measuring.repeats} hold-outs of {measuring.test_share:.0%} of the rows",
        "leave-one-out": "a leave-one-out validation",
        "column": "a validation on the folds that a column of the table names",
        "time": f"a validation forward in time, in {measuring.folds} blocks",
    }
    penalty = f", and a penalty of {measuring.size_penalty:g} times the share of features used"
    return ways[measuring.protocol] + (penalty if measuring.size_penalty else "")


def _chosen_by(result: Result) -> str:
    """Which of the measurements the search error is."""
    if any(np.array_equal(point.mask, result.mask) for point in result.finalists):
        return (
            "The answer was chosen among finalists that were measured again on new folds, but on the same rows that "
            "guided the search."
        )
    return "It is the best of many noisy measurements, made on the same rows that guided the search."


def _wishes(spec: RunSpec) -> list[tuple[str, str]]:
    """What the user asked of the features: (heading, names)."""
    groups = "; ".join(_some(group) for group in spec.together)
    pairs = [
        ("Always in", _some(spec.always)),
        ("Never in", _some(spec.never)),
        ("Together", groups),
        ("Started from", _some(spec.start)),
    ]
    return [pair for pair in pairs if pair[1]]


def _some(names: tuple[str, ...]) -> str:
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def _target(dataset: Dataset) -> str:
    """The classes with their sizes, or the spread of the numbers."""
    response = dataset.response
    if response is None:
        sizes = np.bincount(dataset.target, minlength=len(dataset.classes))
        return ", ".join(f"{name} ({size})" for name, size in zip(dataset.classes, sizes, strict=True))
    low, middle, high = np.quantile(response, [0, 0.5, 1])
    return f"numbers from {low:.4g} to {high:.4g}, median {middle:.4g}, standard deviation {response.std():.4g}"


def _roles(dataset: Dataset) -> str:
    """Which columns said how rows belong together."""
    groups = dataset.groups
    said = [
        f"{len(np.unique(groups))} groups of rows that are never split" if groups is not None else "",
        f"{len(np.unique(dataset.fold_of))} folds of the user" if dataset.fold_of is not None else "",
        "rows ordered in time" if dataset.time is not None else "",
    ]
    return ", ".join(filter(None, said))


def _settings(result: Result) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """(heading, [(title, value with unit, where the default comes from)]) for every group of settings."""
    groups: list[tuple[str, Settings]] = [
        (METHODS[result.spec.method].title, result.spec.build_method()),
        (WRAPPERS[result.spec.wrapper].title, result.spec.build_wrapper()),
        ("Measurement", result.spec.measuring),
        ("Filter", result.spec.prefilter),
    ]
    return [
        (
            heading,
            [
                (info.title, f"{getattr(group, info.name)} {info.unit}".strip(), info.source)
                for info in type(group).describe()
            ],
        )
        for heading, group in groups
    ]


def _svg(draw: Callable[[Axes], None]) -> str:
    """A plot as inline SVG."""
    # A fixed salt and no date: the same run draws the same bytes.
    with rc_context({"svg.hashsalt": "fsdesk", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9}):
        figure = Figure(figsize=(7.2, 3.2), layout="constrained")
        axes = figure.add_subplot()
        draw(axes)
        axes.spines[["top", "right"]].set_visible(False)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(frameon=False, loc="best")
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    svg = buffer.getvalue()
    return svg[svg.index("<svg") :]


def _by_iteration(axes: Axes, result: Result, dataset: Dataset) -> None:
    """Every candidate, their moving average, the line to beat and the answer."""
    history, criterion = result.history, result.criterion
    values = drawn(criterion, history.errors)
    smooth = moving_average(values, max(5, min(50, len(values) // 20)))
    axes.plot(history.iterations, values, ".", color=_BLUE, alpha=0.25, markersize=3)
    axes.plot(history.iterations, smooth, color=_BLUE, linewidth=1.6, label="search, moving average")
    baseline, best = drawn(criterion, np.array([result.baseline_error, result.search_error]))
    if np.isfinite(baseline):
        axes.axhline(baseline, color=_ORANGE, linestyle="--", linewidth=1.2, label="all features")
    if np.isfinite(best):
        places = np.flatnonzero(history.errors == result.search_error)
        at = history.iterations[places[0]] if len(places) else result.iterations
        axes.plot(at, best, "o", color=_GREEN, markersize=6, label="answer")
    axes.set_xlabel("iteration")
    axes.set_ylabel(axis_title(criterion, dataset.target_name))


def _sizes(result: Result) -> set[int]:
    return {point.size for point in result.finalists if np.isfinite(point.error)}


def _by_size(axes: Axes, result: Result, dataset: Dataset) -> None:
    """The finalists, each with its standard error, and the best of each size joined by a line."""
    criterion = result.criterion
    points = [point for point in result.finalists if np.isfinite(point.error)]
    sizes = [point.size for point in points]
    values = drawn(criterion, np.array([point.error for point in points]))
    errors = drawn_error(criterion, np.array([point.std_error for point in points]))
    axes.errorbar(sizes, values, yerr=errors, fmt="o", color=_BLUE, markersize=4, linewidth=1, label="finalists")
    best = {point.size: point.error for point in sorted(points, key=lambda point: -point.error)}
    ladder = sorted(best)
    axes.plot(ladder, drawn(criterion, np.array([best[size] for size in ladder])), color=_BLUE, linewidth=1, alpha=0.5)
    answer = [place for place, point in enumerate(points) if np.array_equal(point.mask, result.mask)]
    for place in answer:
        axes.plot(sizes[place], values[place], "o", color=_GREEN, markersize=8, label="answer", zorder=3)
    if max(sizes) > 20 * min(sizes):
        axes.set_xscale("log")
    axes.set_xlabel("number of features")
    axes.set_ylabel(axis_title(criterion, dataset.target_name))
