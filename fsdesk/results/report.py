"""The HTML report: one self-contained page that reads well in a browser and on paper."""

import re
from collections.abc import Callable
from importlib import resources

import numpy as np
from jinja2 import Environment, StrictUndefined
from matplotlib.figure import Figure

from fsdesk.data import Dataset
from fsdesk.engine import RunSpec
from fsdesk.measure import MeasureSettings
from fsdesk.methods import METHODS
from fsdesk.results.feature_map_figure import feature_map_figure
from fsdesk.results.figures import curve_figure, saved, size_figure, sizes_measured
from fsdesk.results.result import Result
from fsdesk.settings import SettingInfo, Settings, Value
from fsdesk.wrappers import WRAPPERS

__all__ = [
    "WEIGHED",
    "caution",
    "errors_of",
    "feature_rows",
    "map_words",
    "measured_as",
    "report",
    "settings_used",
    "target_words",
    "wishes_of",
]

_MOST_ROWS = 500
_MOST_NAMES = 30
_ZERO = re.compile(r"\b0 ([a-z][^.;,]*)")

WEIGHED = (
    "Weight: what the method thought of the feature when it found this subset, from 0 to 1. Frequency: share of the "
    "subsets that the search looked at which contain the feature."
)
"""What stands below the selected features."""


def report(result: Result, dataset: Dataset) -> str:
    """Render the report of a result as one HTML page; the same result gives the same bytes."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    text = resources.files("fsdesk.results").joinpath("report.html.jinja").read_text(encoding="utf-8")
    rows = feature_rows(result)
    return environment.from_string(text).render(
        result=result,
        dataset=dataset,
        criterion=result.criterion,
        method=METHODS[result.spec.method],
        wrapper=WRAPPERS[result.spec.wrapper],
        measured=measured_as(result.spec.measuring),
        rows=rows[:_MOST_ROWS],
        more_rows=max(0, len(rows) - _MOST_ROWS),
        curve=_svg(curve_figure, result, dataset),
        sizes=_svg(size_figure, result, dataset) if len(sizes_measured(result)) > 1 else "",
        weighed=WEIGHED,
        map=_svg(feature_map_figure, result, dataset),
        mapped=map_words(dataset),
        errors=errors_of(result),
        caution=caution(result),
        wishes=wishes_of(result.spec),
        settings=settings_used(result),
        target=target_words(dataset),
        roles=_roles(dataset),
    )


def feature_rows(result: Result) -> list[tuple[str, float, float]]:
    """(name, weight, frequency) of the selected features, the highest weight first."""
    weights = result.mask.astype(np.float64) if result.weights is None else result.weights
    rows = [
        (result.all_features[place], float(weights[place]), float(result.frequency[place]))
        for place in np.flatnonzero(result.mask)
    ]
    return sorted(rows, key=lambda row: (-row[1], -row[2], row[0]))


def measured_as(measuring: MeasureSettings) -> str:
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


def errors_of(result: Result) -> list[tuple[str, str, str]]:
    """(what, value, standard error): in the search, of all features, and on fresh folds and unseen rows if known.

    What could not be measured has no standard error: "".
    """
    criterion, honesty = result.criterion, result.honesty
    title = criterion.title
    known = [
        (f"{title} in the search", result.search_error, result.std_error),
        (f"{title} of all features", result.baseline_error, result.baseline_std_error),
    ]
    if honesty.fresh is not None:
        known.insert(1, (f"{title} on fresh folds", honesty.fresh.mean, honesty.fresh.std_error))
    if honesty.complete and honesty.honest is not None:
        known.insert(-1, (f"{title} on unseen rows (honest)", honesty.honest.mean, honesty.honest.std_error))
    return [
        (what, criterion.text(loss), criterion.deviation(spread) if np.isfinite(loss) else "")
        for what, loss, spread in known
    ]


def caution(result: Result) -> str:
    """How far the errors can be trusted, in sentences."""
    if result.honesty.complete:
        return (
            f"The honest value comes from {len(result.honesty.outer)} outer folds, whose rows the search never saw: "
            f"report this one. What the search saw is optimistic. {_chosen_by(result)} {result.seen_before}".rstrip()
        )
    return (
        f"What the search saw is optimistic. {_chosen_by(result)} Rows that the search has never seen will be "
        "predicted less well. Do not publish it alone."
    )


def wishes_of(spec: RunSpec) -> list[tuple[str, str]]:
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


def map_words(dataset: Dataset) -> str:
    """What stands below the heatmap of the selected features."""
    rows = "by class, within a class by likeness" if dataset.response is None else "by the target, its smallest on top"
    return f"Rows {rows}; columns by correlation. Colours are standard deviations from the mean of the column."


def target_words(dataset: Dataset) -> str:
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


def settings_used(result: Result) -> list[tuple[str, list[tuple[str, str, str]]]]:
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
                (info.title, _value_words(info, getattr(group, info.name)), info.source)
                for info in type(group).describe()
            ],
        )
        for heading, group in groups
    ]


def _value_words(info: SettingInfo, value: Value) -> str:
    """A value as the window shows it, with its unit; of a 0 that stands for something else, what for."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if info.choices:
        return info.choices.get(str(value), str(value))
    if isinstance(value, str):
        return value or "none"
    meant = _ZERO.search(info.help) if value == 0 else None
    return f"0: {meant[1]}" if meant else f"{value:,.12g} {info.unit}".strip()


def _svg(draw: Callable[[Result, Dataset], Figure], result: Result, dataset: Dataset) -> str:
    """A plot as inline SVG."""
    svg = saved(lambda: draw(result, dataset), "svg").decode()
    return svg[svg.index("<svg") :]
