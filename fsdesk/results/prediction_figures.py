"""Figures of predictions on held-out rows: confusion, ROC curves, predicted against true, shuffled targets."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fsdesk.data import Dataset
from fsdesk.data.class_colours import class_colour
from fsdesk.data.kaplan_meier import times_of
from fsdesk.messages import number, tr, translated
from fsdesk.results.decision import CutOff, Decision, decide, why_not
from fsdesk.results.diagnosis import GRID, Diagnosis, Judged, diagnosed, held_out_made, held_out_of
from fsdesk.results.evidence import FRESH_TIMES
from fsdesk.results.figures import shortened
from fsdesk.results.held_out_error import p_words
from fsdesk.results.record import RunRecord, keep_made
from fsdesk.results.survival import RISK_COLOURS, RiskGroups, ratio_words, risk_groups, shared_words

_MOST_NUMBERS = 12
"""Maximum number of classes for which every cell shows its number."""

_LEGEND_INSIDE = 4  # maximum number of curves whose names fit below them

_MOST_POINTS = 3000  # drawn individually; more are drawn as one image


@keep_made
def _diagnosis(result: RunRecord, dataset: Dataset) -> Diagnosis:
    """The predictions, computed once for all formats of both figures."""
    parts = held_out_of(result, dataset)
    # Re-estimates on new folds, which take many measurements, are in neither figure.
    times = 1 if parts else FRESH_TIMES
    known = held_out_made(result, dataset) if parts else None
    *_, last = diagnosed(result.spec, dataset, result.mask, times, parts, result.models, known)
    return last


def confusion_figure(result: RunRecord, dataset: Dataset) -> Figure:
    """Rows are true classes, columns predicted ones; colors are proportions of the row, numbers are row counts."""
    known = _diagnosis(result, dataset)
    wide = min(9.0, 5.6 + 0.3 * len(known.classes))
    figure = Figure(figsize=(wide, 0.58 * wide), layout="constrained")
    for axes, (title, judged) in zip(figure.subplots(1, 2), _pairs(known), strict=True):
        axes.set_title(title, fontsize=9, loc="left")
        _matrix(axes, judged, known.classes)
    figure.supxlabel(tr("Numbers are row counts. {rows}", rows=known.rows_words()), fontsize=7, wrap=True)
    return figure


def _pairs(known: Diagnosis) -> tuple[tuple[str, Judged], tuple[str, Judged]]:
    """The result and all features, each with its title."""
    count = int(known.mask.sum())
    chosen = tr("1 selected feature") if count == 1 else tr("{count:,} selected features", count=count)
    if known.held_out:
        chosen = tr("Selected features")  # each part of the rows has its own, whatever the result
    return (chosen, known.chosen), (tr("all {count:,} features", count=len(known.mask)), known.everything)


def predicted_figure(result: RunRecord, dataset: Dataset) -> Figure:
    """Predicted against true numbers, one point per row; the line marks perfect prediction."""
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


def survival_figure(result: RunRecord, dataset: Dataset) -> Figure:
    """Kaplan-Meier curves of the risk groups, with the numbers at risk below."""
    known = _diagnosis(result, dataset)
    figure = Figure(figsize=(6.8, 3.9), layout="constrained")
    for axes, (title, judged) in zip(figure.subplots(1, 2, sharex=True, sharey=True), _pairs(known), strict=True):
        axes.set_title(title, fontsize=9, loc="left")
        axes.set_ylim(0, 1.02)
        axes.set_xlabel(dataset.target_name, labelpad=30)
        axes.spines[["top", "right"]].set_visible(False)
        found = risk_groups(judged.predicted, known.response) if judged.predicted.size else None
        if found is None:
            axes.text(0.5, 0.5, tr("no risk groups"), ha="center", transform=axes.transAxes)
            continue
        _curves(axes, found, float(times_of(known.response).max()))
    figure.axes[0].set_ylabel(tr("event-free"))
    figure.supxlabel(known.rows_words(), fontsize=7, wrap=True)
    return figure


def risk_words(result: RunRecord, dataset: Dataset) -> str:
    """Summary of the risk groups by the selected features; "" if there are none."""
    known = _diagnosis(result, dataset)
    found = risk_groups(known.chosen.predicted, known.response) if known.chosen.predicted.size else None
    if found is None:
        return ""
    words = found.words(_pairs(known)[0][0], dataset.event)
    return f"{words} {shared_words()}"


def _curves(axes: Axes, found: RiskGroups, longest: float) -> None:
    ticks = [tick for tick in axes.xaxis.get_major_locator().tick_values(0, longest) if 0 <= tick <= longest]
    axes.set_xlim(0, longest)
    axes.set_xticks(ticks[:: max(1, len(ticks) // 5)])
    for place, group in enumerate(found.groups):
        colour, curve = RISK_COLOURS[len(found.groups)][place], group.curve
        times = np.concatenate([[0.0], curve.times])
        axes.step(times, np.concatenate([[1.0], curve.survival]), where="post", color=colour, label=tr(group.name))
        lost = curve.times[(curve.at_risk - np.append(curve.at_risk[1:], 0) - curve.events) > 0]
        axes.plot(lost, [curve.at(time) for time in lost], "|", color=colour, markersize=4)
        for tick in axes.get_xticks():
            axes.text(tick, -0.17 - 0.06 * place, number(curve.risk_at(tick)), color=colour, fontsize=6, ha="center",
                      va="top", transform=axes.get_xaxis_transform())  # fmt: skip
    words = [tr("log-rank {p}", p=p_words(found.p))]
    if found.hazard_ratio is not None and found.low is not None and found.high is not None:
        words.append(tr("hazard ratio {ratio} ({low} to {high})", ratio=ratio_words(found.hazard_ratio),
                        low=ratio_words(found.low), high=ratio_words(found.high)))  # fmt: skip
    axes.legend(frameon=False, fontsize=7, loc="lower left", title="\n".join(words), title_fontsize=7)


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


def roc_figure(result: RunRecord, dataset: Dataset) -> Figure:
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


def decision_figure(result: RunRecord, dataset: Dataset) -> Figure:
    """ROC curve with the cut-off, calibration, and net benefit of held-out rows, each with its 95 % band."""
    figure = Figure(figsize=(9.0, 3.3), layout="constrained")
    scored = held_out_made(result, dataset)[1]
    why = why_not(scored)
    if scored is None or why:
        figure.set_layout_engine("none")  # there are no axes to lay out
        figure.text(0.5, 0.5, translated(why), ha="center", wrap=True)
        return figure
    known = decide(scored, CutOff())
    for axes, draw in zip(figure.subplots(1, 3), (_roc, _calibration, _net_benefit), strict=True):
        draw(axes, known)
        axes.spines[["top", "right"]].set_visible(False)
    return figure


_GUESS: Any = {"color": "#999999", "linewidth": 0.8, "linestyle": ":"}
_OWN, _OTHER = "#0072b2", "#d55e00"


def _roc(axes: Axes, known: Decision) -> None:
    roc = known.roc
    axes.plot([0, 1], [0, 1], **_GUESS)
    axes.fill_between(roc.x, roc.low, roc.high, color=_OWN, alpha=0.15, linewidth=0)
    axes.plot(np.append(0.0, roc.x), np.append(0.0, roc.y), color=_OWN, linewidth=1.6)
    if known.specificity.value is not None and known.sensitivity.value is not None:
        axes.plot(1 - known.specificity.value, known.sensitivity.value, "D", color=_OTHER, markersize=6)
    axes.set_title(tr("ROC curve, and the cut-off"), fontsize=9, loc="left")
    axes.set_xlabel(tr("1 − specificity"))
    axes.set_ylabel(tr("sensitivity"))


def _calibration(axes: Axes, known: Decision) -> None:
    groups = known.calibration.groups
    axes.plot([0, 1], [0, 1], **_GUESS)
    axes.vlines(groups.x, groups.low, groups.high, color=_OWN, linewidth=1.0)
    axes.plot(groups.x, groups.y, "o-", color=_OWN, linewidth=1.0, markersize=4)
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.set_title(tr("Calibration"), fontsize=9, loc="left")
    axes.set_xlabel(tr("predicted probability"))
    axes.set_ylabel(tr("observed share of “{name}”", name=shortened(known.positive, 16)))


def _net_benefit(axes: Axes, known: Decision) -> None:
    benefit = known.net_benefit.model
    top = max(known.prevalence, float(benefit.high.max()))
    axes.axhline(0.0, **_GUESS, label=tr("treat none"))
    axes.plot(
        benefit.x, known.net_benefit.treat_all, color=_OTHER, linewidth=1.0, linestyle="--", label=tr("treat all")
    )
    axes.fill_between(benefit.x, benefit.low, benefit.high, color=_OWN, alpha=0.15, linewidth=0)
    axes.plot(benefit.x, benefit.y, color=_OWN, linewidth=1.6, label=tr("by the model"))
    axes.set(xlim=(0, 1), ylim=(-0.3 * top, 1.05 * top))
    axes.set_title(tr("Net benefit"), fontsize=9, loc="left")
    axes.set_xlabel(tr("threshold probability"))
    axes.set_ylabel(tr("net benefit"))
    axes.legend(frameon=False, loc="best", fontsize=8)
