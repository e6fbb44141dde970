"""The HTML report: one self-contained page that reads well in a browser and on paper."""

import io
from importlib import resources

import numpy as np
from jinja2 import Environment, StrictUndefined
from matplotlib import rc_context
from matplotlib.figure import Figure

from fsdesk.data import Dataset
from fsdesk.measure import MeasureSettings
from fsdesk.methods import METHODS
from fsdesk.results.curve import moving_average
from fsdesk.results.result import Result
from fsdesk.settings import Settings
from fsdesk.wrappers import WRAPPERS

__all__ = ["report"]

# Okabe and Ito's colours can be told apart by everyone.
_BLUE, _ORANGE, _GREEN = "#0072B2", "#D55E00", "#009E73"
_MOST_ROWS = 500


def report(result: Result, dataset: Dataset) -> str:
    """Render the report of a result as one HTML page; the same result gives the same bytes."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["percent"] = lambda fraction: f"{100 * fraction:.2f} %"
    text = resources.files("fsdesk.results").joinpath("report.html.jinja").read_text(encoding="utf-8")
    rows = _feature_rows(result)
    return environment.from_string(text).render(
        result=result,
        dataset=dataset,
        method=METHODS[result.spec.method],
        wrapper=WRAPPERS[result.spec.wrapper],
        measuring=result.spec.measuring,
        rows=rows[:_MOST_ROWS],
        more_rows=max(0, len(rows) - _MOST_ROWS),
        curve=_curve(result),
        settings=_settings(result),
        class_sizes=[int((dataset.target == code).sum()) for code in range(len(dataset.classes))],
    )


def _feature_rows(result: Result) -> list[tuple[str, float, float]]:
    weights = result.mask.astype(np.float64) if result.weights is None else result.weights
    rows = [
        (result.all_features[place], float(weights[place]), float(result.frequency[place]))
        for place in np.flatnonzero(result.mask)
    ]
    return sorted(rows, key=lambda row: (-row[1], -row[2], row[0]))


def _settings(result: Result) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """(heading, [(title, value with unit, where the default comes from)]) for every group of settings."""
    groups: list[tuple[str, Settings]] = [
        (METHODS[result.spec.method].title, result.spec.build_method()),
        (WRAPPERS[result.spec.wrapper].title, result.spec.build_wrapper()),
        ("Measurement", MeasureSettings.model_validate(result.spec.measuring)),
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


def _curve(result: Result) -> str:
    """The error curve as inline SVG."""
    history = result.history
    # A fixed salt and no date: the same run draws the same bytes.
    with rc_context({"svg.hashsalt": "fsdesk", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9}):
        figure = Figure(figsize=(7.2, 3.2), layout="constrained")
        axes = figure.add_subplot()
        smooth = moving_average(history.errors, max(1, len(history.errors) // 20))
        axes.plot(history.iterations, 100 * history.errors, ".", color=_BLUE, alpha=0.25, markersize=3)
        axes.plot(history.iterations, 100 * smooth, color=_BLUE, linewidth=1.6, label="search error, moving average")
        axes.axhline(100 * result.baseline_error, color=_ORANGE, linestyle="--", linewidth=1.2, label="all features")
        best = int(np.argmin(history.errors))
        axes.plot(history.iterations[best], 100 * history.errors[best], "o", color=_GREEN, markersize=6, label="best")
        axes.set_xlabel("iteration")
        axes.set_ylabel("error (%)")
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, loc="upper right")
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    svg = buffer.getvalue()
    return svg[svg.index("<svg") :]
