"""Figures of predictions on held-out rows: confusion, ROC curves, predicted against true, shuffled targets."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fsdesk.data import Dataset
from fsdesk.data.class_colours import class_colour
from fsdesk.messages import number, tr
from fsdesk.results.diagnosis import GRID, Diagnosis, Judged, diagnosed
from fsdesk.results.figures import shortened
from fsdesk.results.honest import FRESH_TIMES, HeldOutPart, held_out_parts
from fsdesk.results.result import Result, keep_made

_MOST_NUMBERS = 12
"""Classes up to which every cell has its number."""

_LEGEND_INSIDE = 4  # curves whose names have room below them

_MOST_POINTS = 3000  # that are drawn one by one, not as one picture


@keep_made
def held_out_of(result: Result, dataset: Dataset) -> tuple[HeldOutPart, ...]:
    """The parts whose predictions make the held-out error; see :func:`fsdesk.results.honest.held_out_parts`."""
    return held_out_parts(result.spec, dataset, result.honesty, result.race)


@keep_made
def _diagnosis(result: Result, dataset: Dataset) -> Diagnosis:
    """Measured once for all formats of both figures."""
    parts = held_out_of(result, dataset)
    # Errors on fresh folds, which take many measurements, are in neither figure.
    times = 1 if parts else FRESH_TIMES
    *_, last = diagnosed(result.spec, dataset, result.mask, times, parts, result.models)
    return last


def confusion_figure(result: Result, dataset: Dataset) -> Figure:
    """Rows are true classes, columns predicted ones; colours are shares of the row, numbers are rows of the table."""
    known = _diagnosis(result, dataset)
    wide = min(9.0, 5.6 + 0.3 * len(known.classes))
    figure = Figure(figsize=(wide, 0.58 * wide), layout="constrained")
    for axes, (title, judged) in zip(figure.subplots(1, 2), _pairs(known), strict=True):
        axes.set_title(title, fontsize=9, loc="left")
        _matrix(axes, judged, known.classes)
    figure.supxlabel(tr("Numbers are rows. {rows}", rows=known.rows_words()), fontsize=7, wrap=True)
    return figure


def _pairs(known: Diagnosis) -> tuple[tuple[str, Judged], tuple[str, Judged]]:
    """The answer and all features, each with its title."""
    count = int(known.mask.sum())
    chosen = tr("1 selected feature") if count == 1 else tr("{count:,} selected features", count=count)
    if known.held_out:
        chosen = tr("Selected features")  # each part of the rows has its own, whatever the answer is
    return (chosen, known.chosen), (tr("all {count:,} features", count=len(known.mask)), known.everything)


def predicted_figure(result: Result, dataset: Dataset) -> Figure:
    """Predicted against true numbers, a point for each row; on the line both are the same."""
    known = _diagnosis(result, dataset)
    figure = Figure(figsize=(6.6, 3.5), layout="constrained")
    for axes, (title, judged) in zip(figure.subplots(1, 2, sharex=True, sharey=True), _pairs(known), strict=True):
        axes.set_title(title, fontsize=9, loc="left")
        if judged.predicted.size:
            axes.axline((known.response[0],) * 2, slope=1, color="#999999", linewidth=0.8, linestyle=":")
            few = len(known.response) <= _MOST_POINTS
            axes.plot(
                known.response, judged.predicted, ".", color="#0072b2", alpha=0.6, markersize=4, rasterized=not few
            )
        else:
            axes.text(0.5, 0.5, tr("cannot be trained"), ha="center", transform=axes.transAxes)
        axes.set_xlabel(tr("true"))
        axes.spines[["top", "right"]].set_visible(False)
    figure.axes[0].set_ylabel(tr("predicted"))
    figure.supxlabel(known.rows_words(), fontsize=7, wrap=True)
    return figure


def _matrix(axes: Axes, judged: Judged, classes: tuple[str, ...]) -> None:
    counts = judged.confusion
    if not counts.size:
        axes.text(0.5, 0.5, tr("cannot be trained"), ha="center", transform=axes.transAxes)
        axes.axis("off")
        return
    sums = counts.sum(axis=1, keepdims=True)
    shares = np.divide(counts, sums, out=np.zeros_like(counts), where=sums > 0)
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    whole = not (counts % 1).any()  # else means of several passes over the table
    if len(classes) <= _MOST_NUMBERS:
        for row, column in np.ndindex(*counts.shape):
            colour = "white" if shares[row, column] > 0.5 else "black"
            axes.text(
                column,
                row,
                number(float(counts[row, column]), ".0f" if whole else ".1f"),
                ha="center",
                va="center",
                color=colour,
                fontsize=8,
            )
    names = [shortened(name, 16) for name in classes]
    axes.set_xticks(range(len(names)), names, fontsize=7, rotation=90 if len(names) > 3 else 0)
    axes.set_yticks(range(len(names)), names, fontsize=7)
    axes.set_xlabel(tr("predicted"))
    axes.set_ylabel(tr("true"))


def roc_figure(result: Result, dataset: Dataset) -> Figure:
    """True against false positive rate of each class, with a band of one standard deviation over the repeats."""
    known = _diagnosis(result, dataset)
    beside = len(known.chosen.curves) > _LEGEND_INSIDE
    figure = Figure(figsize=(6.2 if beside else 4.6, 4.2), layout="constrained")
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=0.8, linestyle=":")
    for curve in known.chosen.curves:
        colour = class_colour(known.classes.index(curve.name))
        name = f"{shortened(curve.name, 20)}, {number(curve.area, '.3f')}"
        axes.plot(GRID, curve.mean, color=colour, linewidth=1.6, label=name)
        low, high = np.clip((curve.mean - curve.deviation, curve.mean + curve.deviation), 0, 1)
        axes.fill_between(GRID, low, high, color=colour, alpha=0.15, linewidth=0)
    for place, curve in enumerate(known.everything.curves):
        label = tr("all features")
        label = label if len(known.everything.curves) > 1 else f"{label}, {number(curve.area, '.3f')}"
        colour = class_colour(known.classes.index(curve.name))
        axes.plot(GRID, curve.mean, color=colour, linewidth=1.0, linestyle="--", label=label if place == 0 else None)
    axes.set_xlabel(tr("false positive rate"))
    axes.set_ylabel(tr("true positive rate"))
    axes.spines[["top", "right"]].set_visible(False)
    title = tr("class and area under its curve")
    if beside:
        figure.legend(frameon=False, loc="outside right upper", title=title, fontsize=8, title_fontsize=8)
    else:
        axes.legend(frameon=False, loc="lower right", title=title, fontsize=8, title_fontsize=8)
    said = known.rows_words()
    if not known.held_out:
        said = f"{said} {tr('Bands are one standard deviation over the repeats.')}"
    figure.supxlabel(said, fontsize=7, wrap=True)
    return figure
