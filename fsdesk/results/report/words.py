"""What reports say of a result in words: sentences, and rows of tables."""

import re

import numpy as np

from fsdesk.data import Dataset
from fsdesk.engine import RunSpec
from fsdesk.measure import MeasureSettings
from fsdesk.messages import localised, mark, number, tr, translated
from fsdesk.methods import METHODS
from fsdesk.results.result import Result
from fsdesk.results.strategies import STATES, standings
from fsdesk.settings import SettingInfo, Settings, Value
from fsdesk.wrappers import WRAPPERS

__all__ = [
    "caution",
    "constraints_of",
    "details_of",
    "details_title",
    "feature_rows",
    "key_figures",
    "map_words",
    "meant_by_zero",
    "measured_as",
    "roles_words",
    "setting_words",
    "settings_used",
    "source_words",
    "strategy_rows",
    "target_words",
    "weighed",
]

_MOST_NAMES = 30
_ZERO = re.compile(r"\b0 ([a-z][^.;,]*)")  # in the help of a setting

_WEIGHED = mark(
    "Weight: what the method thought of the feature when it found this subset, from 0 to 1. Frequency: share of the "
    "subsets that the search looked at which contain the feature."
)
_RESAMPLED = mark(
    "Weight: the score that the strategy gave the feature, from 0 to 1. Frequency: share of the resamples in which it "
    "took the feature."
)


def feature_rows(result: Result) -> list[tuple[str, float, float]]:
    """(name, weight, frequency) of the selected features, the highest weight first."""
    weights = result.mask.astype(np.float64) if result.weights is None else result.weights
    rows = [
        (result.all_features[place], float(weights[place]), float(result.frequency[place]))
        for place in np.flatnonzero(result.mask)
    ]
    return sorted(rows, key=lambda row: (-row[1], -row[2], row[0]))


def weighed(result: Result) -> str:
    """What stands below the selected features: what their weights and frequencies are."""
    return tr(_RESAMPLED if standings(result.race) else _WEIGHED)


def strategy_rows(result: Result) -> list[tuple[str, str, str, str, str]]:
    """(name, features, held-out error, its standard error, resamples and standing) of each strategy at its best."""
    criterion = result.criterion
    return [
        (
            tr(each.strategy),
            number(each.size),
            localised(criterion.text(each.mean)),
            localised(criterion.deviation(each.std_error)),
            f"{each.resamples}, {tr(STATES[each.state])}" if each.state else f"{each.resamples}",
        )
        for each in standings(result.race)
    ]


def measured_as(measuring: MeasureSettings) -> str:
    """How a single point of the curve came about."""
    if measuring.std_error_limit:
        folds = tr("the mean of up to {repeats} repeats of {folds}-fold cross-validation", **_numbers(measuring))
        outs = tr("the mean of up to {repeats} hold-outs of {share:.0%} of the rows", **_numbers(measuring))
    else:
        folds = tr("the mean of {repeats} repeats of {folds}-fold cross-validation", **_numbers(measuring))
        outs = tr("the mean of {repeats} hold-outs of {share:.0%} of the rows", **_numbers(measuring))
    ways = {
        "folds": folds,
        "hold-out": outs,
        "leave-one-out": tr("a leave-one-out validation"),
        "column": tr("a validation on the folds that a column of the table names"),
        "time": tr("a validation forward in time, in {folds} blocks", folds=measuring.folds),
    }
    if not measuring.size_penalty:
        return ways[measuring.protocol]
    penalty = tr(", and a penalty of {penalty:g} times the share of features used", penalty=measuring.size_penalty)
    return ways[measuring.protocol] + penalty


def _numbers(measuring: MeasureSettings) -> dict[str, float]:
    return {"repeats": measuring.repeats, "folds": measuring.folds, "share": measuring.test_share}


def _chosen_by(result: Result) -> str:
    """Which of the measurements the search error is."""
    if any(np.array_equal(point.mask, result.mask) for point in result.finalists):
        return tr(
            "The answer was chosen among finalists that were measured again on new folds, but on the same rows that "
            "guided the search."
        )
    return tr("It is the best of many noisy measurements, made on the same rows that guided the search.")


def key_figures(result: Result) -> list[tuple[str, str, str]]:
    """(what, value, interval) on rows that no search saw: of the answer, and of all features; none where not measured.

    Where the answer is no better than chance, that is the first value.
    """
    honest = result.honest
    if honest is None:
        return []
    title, interval = tr(result.criterion.title), honest.interval_words()
    unseen = tr("{criterion} on rows that no search saw", criterion=title)
    if not honest.better_than_chance:
        return [(unseen, honest.headline(), tr("95 % interval {interval}", interval=interval))]
    known = [(unseen, honest.headline(), tr("95 % interval {interval}", interval=interval) if interval else "")]
    if honest.all_features is not None and honest.verdict != "all features":
        known.append(
            (tr("{criterion} of all features, on the same rows", criterion=title), honest.all_features_words(), "")
        )
    return known


def details_of(result: Result) -> list[tuple[str, str]]:
    """(what, value) on the rows that chose the features: in the search, on fresh folds, of all features."""
    criterion, fresh = result.criterion, result.honesty.fresh
    known = [(tr("in the search"), result.search_error), (tr("all features"), result.baseline_error)]
    if fresh is not None:
        known.insert(1, (tr("on fresh folds"), fresh.mean))
    return [
        (what, localised(criterion.text(loss)) if np.isfinite(loss) else tr("not measured")) for what, loss in known
    ]


def details_title(result: Result) -> str:
    """What stands above :func:`details_of`."""
    return tr("{criterion} on the rows that chose the features", criterion=tr(result.criterion.title))


def caution(result: Result) -> str:
    """How far the errors can be trusted, in sentences."""
    if not result.spec.selects:
        return tr("Nothing was selected here, so no search has made these numbers too good.")
    honest, test = result.honest, result.permutations
    control = "" if test is None else test.sentence()
    if honest is not None:
        report_it = tr("This is the error to report. What the search saw is optimistic.")
        parts = honest.basis_words(), report_it, _chosen_by(result), result.seen_before, control
        return " ".join(filter(None, parts))
    optimistic = tr("What the search saw is optimistic.")
    unseen = tr("Rows that the search has never seen will be predicted less well. Do not publish it alone.")
    return " ".join(filter(None, (optimistic, _chosen_by(result), unseen, control)))


def constraints_of(spec: RunSpec) -> list[tuple[str, str]]:
    """What the user asked of the features: (heading, names)."""
    groups = "; ".join(_some(group) for group in spec.together)
    pairs = [
        (tr("Always in"), _some(spec.always)),
        (tr("Never in"), _some(spec.never)),
        (tr("Together"), groups),
        (tr("Started from"), _some(spec.start)),
    ]
    return [pair for pair in pairs if pair[1]]


def _some(names: tuple[str, ...]) -> str:
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (tr(" and {count} more", count=more) if more > 0 else "")


def map_words(dataset: Dataset) -> str:
    """What stands below the heatmap of the selected features."""
    if dataset.response is None:
        return tr(
            "Rows by class, within a class by likeness; columns by correlation. Colours are standard deviations from "
            "the mean of the column."
        )
    return tr(
        "Rows by the target, its smallest on top; columns by correlation. Colours are standard deviations from the "
        "mean of the column."
    )


def target_words(dataset: Dataset) -> str:
    """The classes with their sizes, or the spread of the numbers."""
    response = dataset.response
    if response is None:
        sizes = np.bincount(dataset.target, minlength=len(dataset.classes))
        return ", ".join(f"{name} ({size})" for name, size in zip(dataset.classes, sizes, strict=True))
    low, middle, high = np.quantile(response, [0, 0.5, 1])
    return tr(
        "numbers from {low:.4g} to {high:.4g}, median {middle:.4g}, standard deviation {spread:.4g}",
        low=float(low), high=float(high), middle=float(middle), spread=float(response.std()),
    )  # fmt: skip


def source_words(dataset: Dataset) -> str:
    """The file, and how it was read."""
    return translated(dataset.source)


def roles_words(dataset: Dataset) -> str:
    """Which columns said how rows belong together."""
    groups, folds = dataset.groups, dataset.fold_of
    said = [
        tr("{count} groups of rows that are never split", count=len(np.unique(groups))) if groups is not None else "",
        tr("{count} folds of the user", count=len(np.unique(folds))) if folds is not None else "",
        tr("rows ordered in time") if dataset.time is not None else "",
    ]
    return ", ".join(filter(None, said))


def settings_used(result: Result) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """(heading, [(title, value with unit, where the default comes from)]) for every group of settings."""
    groups: list[tuple[str, Settings]] = [
        (tr(METHODS[result.spec.method].title), result.spec.build_method()),
        (tr(WRAPPERS[result.spec.wrapper].title), result.spec.build_wrapper()),
        (tr("Measurement"), result.spec.measuring),
        (tr("Filter"), result.spec.prefilter),
    ]
    return [
        (
            heading,
            [
                (tr(info.title), _value_words(info, getattr(group, info.name)), tr(info.source) if info.source else "")
                for info in type(group).describe()
            ],
        )
        for heading, group in groups
    ]


def setting_words(spec: RunSpec) -> list[tuple[str, str]]:
    """(title, value) of what was set of the method and of the model to other than its default."""
    groups = (spec.build_method(), spec.method_settings), (spec.build_wrapper(), spec.wrapper_settings)
    return [
        (tr(info.title), _value_words(info, getattr(group, info.name)) or tr("none"))
        for group, held in groups
        for info in type(group).describe()
        if info.name in held and getattr(group, info.name) != info.default
    ]


def _value_words(info: SettingInfo, value: Value) -> str:
    """A value as the window shows it, with its unit; of a 0 that stands for something else, what for."""
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if info.choices:
        chosen = info.choices.get(str(value), "")
        return tr(chosen) if chosen else str(value)
    if isinstance(value, str):
        return value or tr("none")
    meant = meant_by_zero(info) if value == 0 else ""
    unit = tr(info.unit) if info.unit else ""
    return f"0: {tr(meant)}" if meant else f"{number(value, ',.12g')} {unit}".strip()


def meant_by_zero(info: SettingInfo) -> str:
    """What a 0 stands for, as the help of a setting says; "" where it is only a number."""
    found = _ZERO.search(info.help)
    return found[1] if found else ""
