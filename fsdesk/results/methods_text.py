"""The methods paragraph: what was done, ready for a paper, with its numbers, formulas and references."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any

import numpy as np

from fsdesk.data import Dataset
from fsdesk.data.kaplan_meier import follow_up
from fsdesk.engine import Prefilter, RunSpec
from fsdesk.measure import MeasureSettings, criterion_for, prepares
from fsdesk.measure.preparing import learns
from fsdesk.messages import ENGLISH, in_language, localised, mark, number, tr, translated, within
from fsdesk.methods import METHODS
from fsdesk.methods.choice import ALL_FEATURES
from fsdesk.methods.race import ByFilter, Raced
from fsdesk.results.feature_tests import FALSE_SHARE, batches_of, feature_tests, values_tested
from fsdesk.results.formulas import has_sampled
from fsdesk.results.half_samples import plan_of
from fsdesk.results.held_out_error import HonestError
from fsdesk.results.intervals import LEAST, MORE, OF_SEVERAL
from fsdesk.results.nested import shares_folds
from fsdesk.results.record import RunRecord
from fsdesk.results.subsets import STATES, Standing, estimates_of, standings
from fsdesk.settings import SettingInfo, Settings, Value
from fsdesk.wrappers import WRAPPERS, Task, model_title

_NAME = r"(?:[A-Z][\w.'-]*\.-?\s?)+(?:de |van |Van |von )?[A-Z][\w'-]+(?: et al\.)?"
_REFERENCE = re.compile(
    rf"(?P<authors>{_NAME}(?:, {_NAME})*(?: and {_NAME})?), (?P<title>[^;]+?), "
    r"(?P<venue>(?!Man\b|and\b|or\b)[A-Z][^,;()]*(?:, Man,? and Cybernetics(?: \d+)?)?(?:: [A-Z][^,;()]*)?) "
    r"\((?P<year>\d{4})\)"
)
_VOLUME = re.compile(r"(.+?) ((?:[A-Z]-?)?\d+)")
_MOST_NAMES = 30
_ZERO = re.compile(r"(?<!to )\b0(?::| for)? ([a-z][^.;,]*)")  # in the help of a setting

_MOST_NAMED = 50
_REFERENCES_OF_INTERVAL = (
    "C. Nadeau and Y. Bengio, Inference for the Generalization Error, Machine Learning 52 (2003)",
    "E. L. Korn and B. I. Graubard, Confidence Intervals for Proportions with Small Expected Number of Positive Counts "
    "Estimated from Survey Data, Survey Methodology 24 (1998)",
)
_REFERENCES_OF_FEATURES = (
    "Y. Benjamini and Y. Hochberg, Controlling the False Discovery Rate: A Practical and Powerful Approach to Multiple "
    "Testing, Journal of the Royal Statistical Society B 57 (1995)",
    "R. D. Shah and R. J. Samworth, Variable Selection with Error Control: Another Look at Stability Selection, "
    "Journal of the Royal Statistical Society B 75 (2013)",
)
_SCALERS = {
    "z-score": mark("Features were scaled to zero mean and unit variance, estimated from {where}."),
    "min-max": mark("Features were scaled to the range 0 to 1, with minimum and maximum estimated from {where}."),
    "pareto": mark(
        "Features were centered by their mean and divided by the square root of their standard deviation (Pareto "
        "scaling), both estimated from {where}."
    ),
    "robust": mark(
        "Features were centered by their median and scaled by their interquartile range, both estimated from {where}."
    ),
}


def bibtex(references: Iterable[str]) -> str:
    """Bibliography entries for the works in registry references, each once; "" if there are none.

    A reference reads "A. Author and B. Author, Title, Journal 12 (1999)"; several are separated by semicolons, with
    words before or after them.
    """
    made: dict[str, str] = {}
    for reference in references:
        for found in _REFERENCE.finditer(reference):
            authors = re.split(r", | and ", found["authors"])
            key = _key(authors, found["year"], found["title"])
            made.setdefault(key, _entry(key, authors, found))
    return "\n\n".join(made.values())


def _key(authors: Sequence[str], year: str, title: str) -> str:
    surname = re.sub(r"[^a-z]", "", authors[0].replace(" et al.", "").split()[-1].lower())
    word = re.sub(r"[^a-z]", "", next((each for each in title.split() if len(each) > 3), "").lower())
    return f"{surname}{year}{word}"


def _entry(key: str, authors: Sequence[str], found: re.Match[str]) -> str:
    names = " and ".join(authors).replace(" et al.", " and others")
    venue, volume = found["venue"], ""
    if (split := _VOLUME.fullmatch(venue)) is not None:
        venue, volume = split[1], split[2]
    kind, where = ("article", "journal") if volume else ("inproceedings", "booktitle")
    if re.search("Kaufmann|Wadsworth", venue):
        kind, where = "book", "publisher"
    fields = {"author": names, "title": f"{{{found['title']}}}", where: venue, "volume": volume,
              "year": found["year"]}  # fmt: skip
    written = {name: value.replace("&", r"\&") for name, value in fields.items() if value}
    lines = [f"  {name} = {{{value}}}" for name, value in written.items()]
    return f"@{kind}{{{key},\n" + ",\n".join(lines) + "\n}"


def feature_rows(result: RunRecord) -> list[tuple[str, float, float]]:
    """(name, weight, frequency) of the selected features, the highest weight first."""
    weights = result.mask.astype(np.float64) if result.weights is None else result.weights
    rows = [
        (result.all_features[place], float(weights[place]), float(result.frequency[place]))
        for place in np.flatnonzero(result.mask)
    ]
    return sorted(rows, key=lambda row: (-row[1], -row[2], row[0]))


def strategy_head(result: RunRecord) -> tuple[str, ...]:
    """Titles of the columns of :func:`strategy_rows`."""
    values = tr("Strategy"), tr("Features"), tr(result.criterion.title), tr("Standard error")
    estimate = (tr("Estimate"),) if estimates_of(result.spec, result.race) else ()
    return *values, *estimate, tr("Resamples")


def strategy_rows(result: RunRecord) -> list[tuple[str, ...]]:
    """A row for each strategy at its best size, with the columns of :func:`strategy_head`."""
    criterion, found = result.criterion, standings(result.race, result.spec)
    has_estimates = any(each.estimate is not None for each in found)
    rows = []
    for each in found:
        values = localised(criterion.text(each.mean)), localised(criterion.deviation(each.std_error))
        estimate = "–" if each.estimate is None else localised(criterion.text(each.estimate))
        resamples = f"{each.resamples}, {tr(STATES[each.state])}" if each.state else f"{each.resamples}"
        rows.append((each.name, number(each.size), *values, *([estimate] if has_estimates else []), resamples))
    return rows


def measured_as(spec: RunSpec, model: str = "") -> str:
    """How a single point of the error curve was measured, or a result with one of the competing models."""
    repeats = spec.measuring.repeats
    most = spec.most_repeats.get(model, repeats)
    said = _protocol(spec.measuring.updated({"repeats": most}) if most < repeats else spec.measuring)
    if spec.search_rows:
        said += tr(", on {rows:,} rows sampled from all classes, or all rows if there are fewer", rows=spec.search_rows)
    return said


def _protocol(measuring: MeasureSettings) -> str:
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
        "column": tr("a validation on folds given by a column of the table"),
        "batches": tr("leave-one-batch-out validation"),
        "time": tr("a forward-in-time validation in {folds} blocks", folds=measuring.folds),
    }
    if not measuring.size_penalty:
        return ways[measuring.protocol]
    penalty = tr(", plus a penalty of {penalty:g} times the share of features used", penalty=measuring.size_penalty)
    return ways[measuring.protocol] + penalty


def _numbers(measuring: MeasureSettings) -> dict[str, float]:
    return {"repeats": measuring.repeats, "folds": measuring.folds, "share": measuring.test_share}


def _chosen_by(result: RunRecord) -> str:
    """A sentence on where the search error comes from."""
    if any(np.array_equal(point.mask, result.mask) for point in result.finalists):
        return tr(
            "The result was chosen among finalists that were re-estimated on new folds, but on the same rows that "
            "guided the search."
        )
    if standings(result.race):
        return tr("The value within the search was measured on rows that also chose the strategy.")
    return tr("The value within the search is the best of many noisy measurements on the rows that guided it.")


def key_figures(result: RunRecord) -> list[tuple[str, str, str]]:
    """(what, value, interval) on held-out rows, for the result and all features; empty if not measured."""
    honest = result.honest
    if honest is None:
        return []
    title, interval = tr(result.criterion.title), honest.interval_words()
    unseen = tr("{criterion} on held-out rows", criterion=title)
    known = [(unseen, honest.value_words(), tr("95 % interval {interval}", interval=interval) if interval else "")]
    if honest.all_features is not None and honest.verdict != "all features":
        known.append(
            (tr("{criterion} of all features, on the same rows", criterion=title), honest.all_features_words(), "")
        )
    return known


def details_of(result: RunRecord) -> list[tuple[str, str]]:
    """(what, value) of the errors on the rows that chose the features: search, new folds, all features."""
    criterion, fresh = result.criterion, result.honesty.fresh
    known = [(tr("in the search"), result.search_error)]
    if fresh is not None:
        known.append((tr("on new folds"), fresh.mean))
    if not result.race.models_compete:  # otherwise the search measured all features with another model
        known.append((tr("all features"), result.baseline_error))
    return [
        (what, localised(criterion.text(loss)) if np.isfinite(loss) else tr("not measured")) for what, loss in known
    ]


def details_title(result: RunRecord) -> str:
    """Heading of :func:`details_of`."""
    return tr("{criterion} on the rows used for selection", criterion=tr(result.criterion.title))


def caution(result: RunRecord) -> str:
    """Which error to report, and why the one within the search is optimistic."""
    if not result.spec.selects:
        return tr("No selection was made here, so these numbers have no selection bias.")
    honest, test = result.honest, result.permutations
    control = "" if test is None else test.sentence()
    if honest is not None:
        report_it = tr("This is the value to report. The values seen during the search are optimistic.")
        parts = honest.basis_words(), report_it, _chosen_by(result), result.seen_before, control
        return " ".join(filter(None, parts))
    optimistic = tr("The values seen by the search are optimistic.")
    unseen = tr("New rows will be predicted less well. Do not publish these values on their own.")
    return " ".join(filter(None, (optimistic, _chosen_by(result), unseen, control)))


def constraints_of(spec: RunSpec) -> list[tuple[str, str]]:
    """Constraints of the user: (heading, names of features)."""
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
    """Caption of the heatmap of the selected features."""
    if dataset.response is None:
        return tr(
            "Rows by class, and by similarity within a class; columns by correlation. Colors are standard "
            "deviations from the column mean."
        )
    if dataset.event:
        return tr(
            "Rows by their martingale residual, late events at the top; columns by correlation. Colors are standard "
            "deviations from the column mean."
        )
    return tr(
        "Rows by the target, smallest at the top; columns by correlation. Colors are standard deviations from the "
        "column mean."
    )


def target_words(dataset: Dataset) -> str:
    """The classes with their sizes, or the distribution of the numbers."""
    response = dataset.response
    if dataset.event and response is not None:
        times = dataset.times
        return tr(
            "{events:,} events where {event}, {censored} % censored, times up to {longest:.4g}, median follow-up "
            "{median:.4g} by the reverse Kaplan-Meier method",
            events=int(dataset.target.sum()), event=dataset.event, longest=float(times.max()),
            censored=round(100 * (1 - float(dataset.target.mean()))), median=follow_up(response),
        )  # fmt: skip
    if response is None:
        return ", ".join(f"{name} ({size})" for name, size in zip(dataset.classes, dataset.class_sizes, strict=True))
    low, middle, high = np.quantile(response, [0, 0.5, 1])
    return tr(
        "numbers from {low:.4g} to {high:.4g}, median {middle:.4g}, standard deviation {spread:.4g}",
        low=float(low), high=float(high), middle=float(middle), spread=float(response.std()),
    )  # fmt: skip


def source_words(dataset: Dataset) -> str:
    """The file, and how it was read."""
    return translated(dataset.source) or tr("values passed by a program")


def roles_words(dataset: Dataset) -> str:
    """The columns that group rows, define folds or order rows in time."""
    groups, folds = dataset.groups, dataset.fold_of
    said = [
        tr("{count} groups of rows that are never split", count=len(np.unique(groups))) if groups is not None else "",
        tr("{count} user-defined folds", count=len(np.unique(folds))) if folds is not None else "",
        tr("rows ordered in time") if dataset.time is not None else "",
    ]
    return ", ".join(filter(None, said))


def settings_used(result: RunRecord) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """(heading, [(title, value with unit, reason for the default)]) for every group of settings."""
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


def setting_words(spec: RunSpec, task: Task | None = None) -> list[tuple[str, str]]:
    """(title, value) of the non-default settings of the method and the model, for a task only those that matter."""
    method, model = spec.build_method(), spec.build_wrapper()
    groups: tuple[tuple[Settings, Mapping[str, Any], frozenset[str]], ...] = (
        (method, spec.method_settings, frozenset()),
        (model, spec.wrapper_settings, frozenset() if task is None else model.idle(task)),
    )
    return [
        (tr(info.title), _value_words(info, getattr(group, info.name)) or tr("none"))
        for group, held, idle in groups
        for info in type(group).describe()
        if info.name in held and info.name not in idle and getattr(group, info.name) != info.default
    ]


def _value_words(info: SettingInfo, value: Value) -> str:
    """A value as shown in the window, with its unit; for a 0 with a special meaning, that meaning."""
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
    """The meaning of 0 for a setting, by its declaration; "" if it is an ordinary number."""
    found = _ZERO.search(info.help)
    return found[1] if found else ""


def methods_text(result: RunRecord, dataset: Dataset) -> str:
    """The methods section in English: two paragraphs, the references, and the references as BibTeX."""
    with in_language(ENGLISH):
        said = "\n\n".join(paragraphs(result, dataset))
    references = references_of(result)
    listed = "\n".join(f"- {reference}" for reference in references)
    return f"{said}\n\nReferences\n{listed}\n\nBibTeX\n{bibtex(references)}\n"


_UNITS = ("patient", "subject", "participant", "donor", "animal", "proband")


def paper_text(result: RunRecord, dataset: Dataset, group: str = "") -> str:
    """The result as a paper reports it, in one English paragraph: what was selected, from what, and its performance.

    Parameters
    ----------
    group
        Name of the column that groups rows, which names its groups ("patient_id": patients).

    Returns
    -------
    str
        "" if the held-out error is not known.
    """
    honest = result.honest
    if honest is None:
        return ""
    with in_language(ENGLISH):
        said = [_selected_for_paper(result, dataset, group), _error_for_paper(honest), _beside_for_paper(honest)]
        said += [honest.tested_words() if honest.association_p is not None else ""]
        said += [result.permutations.sentence() if result.permutations is not None else ""]
        said += [honest.luck_words(), result.seen_before]
        said += [each.sentence() for each in result.external]
        said += [_associated_for_paper(result, dataset), _software(result.spec)]
    return " ".join(filter(None, said))


def paper_units(dataset: Dataset, group: str) -> str:
    """The units of observation: "208 samples", "208 samples of 60 patients" from the name of the grouping column."""
    samples = f"{len(dataset.target):,} samples"
    if dataset.groups is None:
        return samples
    word = next((word for word in _UNITS if word in group.casefold()), "group")
    return f"{samples} of {len(np.unique(dataset.groups)):,} {word}s"


def _selected_for_paper(result: RunRecord, dataset: Dataset, group: str) -> str:
    candidates = len(set(result.all_features) - set(result.spec.never))
    said = (
        f"Of {candidates:,} candidate features, {len(result.features):,} were selected to predict "
        f'"{dataset.target_name}" ({target_words(dataset)}) in {paper_units(dataset, group)}; the model was '
        f"{within(translated(model_title(result.model)) if result.model else WRAPPERS[result.answered.wrapper].title)}."
    )
    listed = "" if len(result.features) > _MOST_NAMED else f" The selected features were {', '.join(result.features)}."
    return said + listed


def _associated_for_paper(result: RunRecord, dataset: Dataset) -> str:
    """How many of the selected features are associated with the target individually."""
    tests = feature_tests(values_tested(dataset, result.spec.measuring), batches_of(dataset, result.spec.measuring))
    target = "the time to the event" if dataset.event else f'"{dataset.target_name}"'
    return (
        f"Of the selected features, {int(tests.associated[result.mask].sum()):,} of {len(result.features):,} were "
        f"individually associated with {target} (false discovery rate of {100 * FALSE_SHARE:.0f} % over all features)."
    )


def _error_for_paper(honest: HonestError) -> str:
    interval = honest.interval_words()
    said = f"the {_named(honest.judged.title)} was {honest.value_words()}"
    said += f" (95 % interval {interval})" if interval else ""
    if honest.source == "outer folds":
        how = f"nested cross-validation with {honest.folds} outer folds" if honest.folds else "nested cross-validation"
        anew = "selected anew, with its features," if honest.model else "whose features were selected anew"
        return f"In {how}, each predicted by a model {anew} on the others, {said}."
    return f"In cross-validation, each fold predicted by models whose features were selected on the others, {said}."


def _beside_for_paper(honest: HonestError) -> str:
    """All features on the same rows, with the paired difference and its interval."""
    if honest.all_features is None or honest.verdict == "all features":
        return ""
    model = f" ({within(model_title(honest.everything_model))})" if honest.everything_model else ""
    said = f"With all features{model} it was {honest.all_features_words()} on the same samples"
    gain, low, high = honest.difference, honest.difference_low, honest.difference_high
    if gain is None or low is None or high is None:
        return f"{said}."
    scale, form, unit = (100, ".1f", " points") if honest.judged.unit == "%" else (1, ".2g", "")
    ends = (gain, low, high) if gain >= 0 else (-gain, -high, -low)
    shown, first, last = (number(scale * each + 0.0, form) for each in ends)
    if low > 0 or high < 0:
        how = "better" if gain >= 0 else "worse"
        return f"{said}; the selection was {how} by {shown}{unit} (95 % interval {first} to {last})."
    favours = "" if not gain else f" in favour of {'the selection' if gain > 0 else 'all features'}"
    return (
        f"{said}, which is not distinguishable: the difference was {shown}{unit}{favours} (95 % interval {first} to "
        f"{last})."
    )


def references_of(result: RunRecord) -> list[str]:
    """References for the method, the models, and the evaluation."""
    spec, honest = result.spec, result.honest
    known = [
        METHODS[spec.method].reference,
        WRAPPERS[spec.wrapper].reference,
        WRAPPERS[result.answered.wrapper].reference,
    ]
    if spec.method == "auto" and has_sampled(result):
        known.append(METHODS["bspsa-r"].reference)
    if honest is not None and honest.has_interval:
        known += _REFERENCES_OF_INTERVAL if honest.support_is_bounded else _REFERENCES_OF_INTERVAL[:1]
    known += _REFERENCES_OF_FEATURES
    return [reference for reference in dict.fromkeys(known) if reference]


def paragraphs(result: RunRecord, dataset: Dataset) -> tuple[str, str]:
    """Paragraphs on method and result in the current language; the same result gives the same text."""
    spec = result.spec
    first = [
        _searched(result, dataset),
        *_competed(result, dataset),
        _judged(result, dataset),
        _settings(result),
        *_constraints(result),
        *_features_tested(result, dataset),
    ]
    second = [*_found(result), *_evidence(result), _software(spec)]
    return " ".join(filter(None, first)), " ".join(filter(None, second))


def _searched(result: RunRecord, dataset: Dataset) -> str:
    values = {
        "count": len(set(dataset.features) - set(result.spec.never)), "samples": _samples(dataset),
        "target": dataset.target_name, "spread": target_words(dataset),
    }  # fmt: skip
    if dataset.response is None:
        said = tr(
            'Features were selected from {count:,} candidates in {samples} to predict "{target}" (classes: '
            "{spread}).", **values,
        )  # fmt: skip
    elif dataset.event:
        said = tr(
            "Features were selected from {count:,} candidates in {samples} to predict the time to an event, "
            '"{target}" ({spread}).', **values,
        )  # fmt: skip
    else:
        said = tr(
            'Features were selected from {count:,} candidates in {samples} to predict "{target}" (values: '
            "{spread}).", **values,
        )  # fmt: skip
    return f"{said} {_approach(result)}"


def _approach(result: RunRecord) -> str:
    spec = result.spec
    if not standings(result.race):
        return tr(
            "A wrapper approach was used, with search method {method} and model {model}.",
            method=tr(METHODS[spec.method].brief), model=_model_words(spec, result.criterion.task),
        )  # fmt: skip
    if result.race.models_compete:
        return tr("Rankings of the features, each cut at several sizes, and models competed on held-out rows.")
    return tr(
        "Rankings of the features, each cut at several sizes, competed on held-out rows, with model {model}.",
        model=_model_words(spec, result.criterion.task),
    )


def _samples(dataset: Dataset) -> str:
    """The rows, and the groups that they form: '170 samples in 90 groups ("patient_id")'."""
    rows = len(dataset.target)
    if dataset.groups is None:
        return tr("{rows:,} samples", rows=rows)
    groups, column = len(np.unique(dataset.groups)), dataset.role_names.get("groups", "")
    if not column:
        return tr("{rows:,} samples in {groups:,} groups", rows=rows, groups=groups)
    return tr('{rows:,} samples in {groups:,} groups ("{column}")', rows=rows, groups=groups, column=column)


def _model_words(spec: RunSpec, task: Task) -> str:
    """The model with all settings that matter: "nearest neighbors (neighbors k 5; distance Euclidean, ...)"."""
    model = spec.build_wrapper()
    title, idle = within(WRAPPERS[spec.wrapper].title), model.idle(task)
    if model.competes:
        return title
    values = [
        f"{within(info.title)} {value}"
        for info in type(model).describe()
        if info.name not in idle
        and getattr(model, info.name) != "none"
        and (value := _value_words(info, getattr(model, info.name)))
    ]
    return f"{title} ({'; '.join(values)})" if values else title


_PREFERRED = {
    "lowest": mark("with the smallest error on the held-out rows, estimated from errors and neighboring sizes"),
    "fewest": mark("with the fewest features among those within one standard error of the smallest error there"),
    "most": mark("with the most features among those within one standard error of the smallest error there"),
}


_LOWEST_BY_MARGINS = mark(
    "with the smallest error on the held-out rows, estimated from errors, margins and neighboring sizes"
)


def _competed(result: RunRecord, dataset: Dataset) -> list[str]:
    """Sentences about the competing strategies and the winner; empty if no strategies competed."""
    race, method = result.race, result.spec.build_method()
    won = [each for each in standings(race, result.spec) if each.state == "won"]
    if not won or not isinstance(method, Raced):
        return []
    (winner,) = won
    names = list(dict.fromkeys(tr(each.strategy) for each in race.judged.values()))
    criterion = result.criterion
    sizes = sorted({each.size for each in race.judged.values() if each.strategy != ALL_FEATURES})
    parts = {"folds": race.folds, "names": ", ".join(names), "sizes": ", ".join(map(number, sizes))}
    if result.spec.measuring.protocol == "time":
        told = tr(
            "The rows were divided into {folds} parts in order of time. For each part, the features were ranked on "
            "the earlier rows only, and models trained on these rows with the top features of a ranking predicted "
            "the part; the rankings compared were {names}, with {sizes} features.", **parts,
        )  # fmt: skip
    else:
        told = tr(
            "The rows were divided into {folds} parts{kept}. For each part, the features were ranked on the other "
            "rows only, and models trained on these rows with the top features of a ranking predicted the part; the "
            "rankings compared were {names}, with {sizes} features.",
            kept=_kept_together(result.spec, dataset), **parts,
        )  # fmt: skip
    said = [told]
    if race.models_compete:
        models = "; ".join(within(model_title(each.name)) for each in result.spec.models)
        said.append(
            tr(
                "These models competed, each on every ranking and on all features, with slow models limited to the "
                "two leading rankings at fewer sizes: {models}, with all other settings at their defaults. The model "
                "of the result is {model}.",
                models=models, model=_model_words(result.answered, criterion.task),
            )
        )  # fmt: skip
    if len(names) > 2:
        said.append(tr("Candidates that clearly lost on the first few parts were not evaluated on the others."))
    if race.cut:
        said.append(
            tr("A limit on time or measurements ended the run before everything had been searched and evaluated.")
        )
    counts_rows = method.prefer == "lowest" and criterion.name == "error"
    values = {
        "preferred": tr(_LOWEST_BY_MARGINS if counts_rows else _PREFERRED[method.prefer]),
        "subset": _winner_words(winner),
        "loss": localised(criterion.text(winner.mean)), "error": localised(criterion.deviation(winner.std_error)),
    }  # fmt: skip
    if winner.estimate is None:
        said.append(
            tr(
                "The result, recomputed on all rows, uses the ranking and size {preferred}: {subset}, "
                "{loss} (standard error {error}) on these rows.", **values,
            )
        )  # fmt: skip
    else:
        said.append(
            tr(
                "The result, recomputed on all rows, uses the ranking and size {preferred}: {subset}, "
                "{loss} (standard error {error}) on these rows, estimated as {estimate}.",
                estimate=localised(criterion.text(winner.estimate)), **values,
            )
        )  # fmt: skip
    if dataset.event:
        said.append(
            tr(
                "For times to an event, the F statistic is the chi-squared statistic of Cox's score test of a "
                "feature, the L1 path is that of Cox regression, and other rankings use deviance residuals as a "
                "numeric target."
            )
        )
        if race.models_compete and method.prefer == "lowest":
            said.append(
                tr("Cox regression was used unless another model was better there by more than a standard error.")
            )
    order = {each.name: each for each in method.strategies(result.spec.units)}.get(winner.strategy)
    if isinstance(order, ByFilter) and order.averaged:
        said.append(
            tr(
                "For this, the logarithms of a feature's ranks were averaged over the rankings computed on all rows "
                "and without each part; rankings based on less than three quarters of the rows were ignored."
            )
        )
    return said


def _winner_words(winner: Standing) -> str:
    if winner.strategy == ALL_FEATURES:
        return tr("all {count:,} features", count=winner.size)
    features = tr("1 feature") if winner.size == 1 else tr("{count:,} features", count=winner.size)
    return tr("{strategy} with {features}", strategy=tr(winner.strategy), features=features)


def _features_tested(result: RunRecord, dataset: Dataset) -> list[str]:
    """How single features were tested, and which half-samples were used; empty if nothing was selected."""
    if not result.spec.selects:
        return []
    if dataset.event:
        test = tr("Spearman correlation with the martingale residuals of the times")
    elif dataset.response is not None:
        test = tr("Spearman correlation")
    else:
        test = tr("Wilcoxon test") if len(dataset.classes) == 2 else tr("Kruskal-Wallis test")
    if result.spec.measuring.batch in dataset.features:
        test = tr("{test}, aligned and stratified by batch", test=test)
    plan = plan_of(result, len(dataset.target))
    return [
        tr(
            "Each feature was tested individually ({test}{groups}), with Benjamini-Hochberg q values over all "
            "features; in addition, the features were ranked ({order}) in each of {halves} random half-samples of "
            "the rows, to see which are repeatedly among the top {taken} (complementary pairs of Shah and Samworth).",
            test=test,
            groups=tr(", with groups in place of rows") if dataset.groups is not None else "",
            order=tr(plan.strategy),
            halves=number(2 * plan.pairs),
            taken=number(plan.taken),
        )
    ]


def _kept_together(spec: RunSpec, dataset: Dataset) -> str:
    """What was kept balanced when rows were divided into parts; "" if nothing was."""
    if spec.measuring.protocol == "column":
        return tr(", keeping the rows of a user-defined fold in the same part")
    if spec.measuring.protocol == "batches":
        return tr(", keeping the rows of a batch in the same part")
    if dataset.groups is not None:
        return tr(", keeping the rows of a group in the same part")
    if dataset.event:
        return tr(", stratified by event and censoring")
    return tr(", stratified by class") if dataset.response is None else ""


def _judged(result: RunRecord, dataset: Dataset) -> str:
    spec, measuring = result.spec, result.spec.measuring
    criterion = _named(criterion_for(dataset, measuring).title)
    if standings(result.race):
        parts = [
            tr(
                "The comparison was based on {criterion} on the held-out parts; the result was then measured once "
                "more, as {how}, which did not influence the choice",
                criterion=criterion,
                how=measured_as(spec, result.model),
            )
        ]
    else:
        parts = [tr("The value of a subset was its {criterion}, {how}", criterion=criterion, how=measured_as(spec))]
    if measuring.protocol in ("folds", "hold-out"):
        if measuring.stratify and dataset.response is None:
            parts.append(
                tr(
                    "with folds stratified by class and redrawn for every measurement unless subsets were "
                    "compared directly"
                )
            )
        else:
            parts.append(
                tr("with rows reassigned to folds for every measurement unless subsets were compared directly")
            )
    if dataset.groups is not None:
        parts.append(tr("and with rows of a group kept together"))
    return " ".join((", ".join(parts) + ".", *prepared_words(spec, dataset)))


def prepared_words(spec: RunSpec, dataset: Dataset) -> Iterator[str]:
    """All preprocessing of the values before a model that applied to these data, including imputation and scaling."""
    measuring = spec.measuring
    yield from preparing_words(measuring, dataset)
    where = tr("all rows at once") if measuring.scaling == "once" else tr("the training rows of each fold")
    yield from _imputed(measuring, dataset, where)
    if measuring.scaling == "none":
        yield tr("Features were not scaled.")
    elif any(WRAPPERS[each].model.scales for each in [spec.wrapper, *(model.wrapper for model in spec.models)]):
        yield tr(_SCALERS[measuring.scaler], where=where)


def _imputed(measuring: MeasureSettings, dataset: Dataset, where: str) -> Iterator[str]:
    """A sentence on the imputation of missing values that :func:`preparing_words` does not describe, if any."""
    has_numbers, has_categories = _missing(dataset)
    if measuring.imputation != "usual" and has_numbers:
        yield tr(
            "Remaining missing values, if any, were imputed with the median, those of categorical features with the "
            "most frequent category, learned from {where}.",
            where=where,
        )
    elif has_numbers and has_categories:
        yield tr(
            "Missing values were imputed with the median, those of categorical features with the most frequent "
            "category, learned from {where}.",
            where=where,
        )
    elif has_numbers:
        yield tr("Missing values were imputed with the median, learned from {where}.", where=where)
    elif has_categories:
        yield tr("Missing categories were imputed with the most frequent one, learned from {where}.", where=where)


def _missing(dataset: Dataset) -> tuple[bool, bool]:
    """Whether numeric features, and whether categorical ones, have missing values."""
    places = np.flatnonzero(np.isnan(dataset.x).any(axis=0)).tolist()
    return any(place not in dataset.categories for place in places), any(
        place in dataset.categories for place in places
    )


def preparing_words(measuring: MeasureSettings, dataset: Dataset) -> Iterator[str]:
    """Preprocessing of the values before scaling that applied to these data, as sentences of a methods section."""
    if not _missing(dataset)[0]:
        measuring = measuring.updated({"imputation": "usual"})  # nothing to impute
    if measuring.imputation == "half minimum":
        yield tr(
            "Missing values were treated as below detection and imputed by half the smallest positive value of "
            "the feature."
        )
    elif measuring.imputation == "neighbours":
        yield tr(
            "Missing values were imputed by the mean of the {count} nearest rows, over all standardized features.",
            count=number(measuring.imputation_rows),
        )
    if measuring.normalise == "quotient":
        yield tr(
            "Rows were normalized by probabilistic quotients (Dieterle et al., 2006) over all features, with the "
            "median row as reference."
        )
    if measuring.transform == "log" and measuring.offset:
        yield tr(
            "Values plus {offset} were replaced by their natural logarithms.", offset=number(measuring.offset, ".6g")
        )
    elif measuring.transform == "log":
        yield tr("Values were replaced by their natural logarithms.")
    elif measuring.transform == "quantile":
        yield tr("Values were replaced by their quantiles.")
    elif measuring.transform == "normal scores":
        yield tr("Values were replaced by normal scores of their ranks (Blom).")
    if measuring.centre_batches:
        yield tr(
            'Batches ("{batch}") were centered: differences beyond those explained by class or target value were '
            "removed by least squares, as in limma; rows of a batch without training rows were left unchanged.",
            batch=measuring.batch,
        )
    if learns(measuring):
        yield (
            tr("All of this was estimated from all rows at once.")
            if measuring.scaling == "once"
            else tr("All of this was estimated from the training rows of each fold only.")
        )
    if prepares(measuring):
        yield tr("Categorical and binary features were left unchanged.")


def _named(title: str) -> str:
    """Name of a criterion for use within a sentence."""
    return tr(title) if title.isupper() else within(title)


def _settings(result: RunRecord) -> str:
    spec = result.spec
    listed = "; ".join(f"{title}: {value}" for title, value in setting_words(spec, result.criterion.task))
    seed = tr("The seed was {seed}.", seed=spec.seed)
    if listed:
        said = tr("Non-default settings of the method and the model were {listed}.", listed=listed) + f" {seed}"
    else:
        said = tr("All settings of the method and the model were at their defaults.") + f" {seed}"
    prefilter = spec.prefilter
    if prefilter.prefilter == "none":
        return said
    return f"{said} " + tr(
        "Only the top {count:,} features by {filter} were searched.",
        count=prefilter.keep,
        filter=_filter_words(prefilter),
    )


def _filter_words(prefilter: Prefilter) -> str:
    (info,) = (each for each in type(prefilter).describe() if each.name == "prefilter")
    return tr(info.choices[prefilter.prefilter]) if info.choices else prefilter.prefilter


def _constraints(result: RunRecord) -> list[str]:
    constraints = "; ".join(f"{heading}: {names}" for heading, names in constraints_of(result.spec))
    said = (
        [tr("The user had set these constraints in advance: {constraints}.", constraints=constraints)]
        if constraints
        else []
    )
    return [*said, result.steered] if result.steered else said


def _found(result: RunRecord) -> list[str]:
    count, reason = len(result.features), translated(result.reason)
    said = (
        tr("The search ended after {count:,} measurements ({reason}).", count=result.evaluations, reason=reason)
        if result.status == "finished"
        else tr(
            "The search was interrupted after {count:,} measurements ({reason}).",
            count=result.evaluations, reason=reason,
        )
    )  # fmt: skip
    values = {"count": count, "total": len(set(result.all_features) - set(result.spec.never))}
    if count > _MOST_NAMED:
        return [said, tr("It selected {count:,} of {total:,} features, listed in the supplement.", **values)]
    names = ", ".join(result.features)
    return [said, tr("It selected {count:,} of {total:,} features: {names}.", **values, names=names)]


def _evidence(result: RunRecord) -> list[str]:
    """The held-out error first, then the optimistic errors on the rows that chose the features."""
    honesty, honest = result.honesty, result.honest
    said = []
    if honest is not None and honest.source == "outer folds":
        sizes = [int(np.unpackbits(fold.mask).sum()) for fold in honesty.outer]
        counts = {"folds": len(honesty.outer), "least": min(sizes), "most": max(sizes)}
        if shares_folds(result.spec, len(honesty.outer), result.steerings):
            repeated = tr(
                "The choice among strategies, sizes and models was repeated without the rows of each of {folds} "
                "outer folds, using the other outer folds as inner folds (nested cross-validation, which selected "
                "{least} to {most} features).",
                **counts,
            )
        else:
            repeated = tr(
                "The whole search was repeated within {folds} outer folds, which selected {least} to {most} features.",
                **counts,
            )
        said.append(repeated)
        chosen = [model_title(fold.model) for fold in honesty.outer if fold.model]
        if chosen:
            counted = [f"{within(each)} ({chosen.count(each)})" for each in dict.fromkeys(chosen)]
            said.append(
                tr(
                    "The models selected there were {models}.",
                    models=", ".join(counted),
                )
            )
    if honest is not None and honest.source != "outer folds":
        said.append(
            tr(
                "Each part of the rows was predicted by the top few rankings and sizes that the other parts would "
                "choose, and their errors were averaged."
            )
        )
    if honest is not None:
        said += [honest.sentence(), honest.luck_words()] if honest.luck else [honest.sentence()]
        said += [honest.tested_words()] if honest.association_p is not None else []
        if honest.has_interval:
            said.append(_interval_words(honest))
        said += [result.seen_before] if result.seen_before else []
    if result.permutations is not None:
        said.append(result.permutations.sentence())
    said.append(_seen_in_search(result))
    if result.spec.selects:
        said.append(tr("These values are optimistic."))
    if honest is None:
        said.append(tr("The selection was not validated on other rows."))
    return said


def _seen_in_search(result: RunRecord) -> str:
    """The values on the rows that guided the search; that of all features only if measured with the same model."""
    criterion, fresh = result.criterion, result.honesty.fresh
    values = {
        "criterion": _named(criterion.title), "found": localised(criterion.text(result.search_error)),
        "everything": localised(criterion.text(result.baseline_error)),
        "fresh": "" if fresh is None else localised(criterion.text(fresh.mean)),
    }  # fmt: skip
    if result.race.models_compete and fresh is None:
        return tr("On the rows that guided the search, {criterion} was {found} in the search.", **values)
    if result.race.models_compete:
        return tr(
            "On the rows that guided the search, {criterion} was {found} in the search and {fresh} on new folds of "
            "them.", **values,
        )  # fmt: skip
    if fresh is None:
        return tr(
            "On the rows that guided the search, {criterion} was {found} in the search and {everything} with all "
            "features.", **values,
        )  # fmt: skip
    return tr(
        "On the rows that guided the search, {criterion} was {found} in the search, {fresh} on new folds of them, and "
        "{everything} with all features.", **values,
    )  # fmt: skip


def _interval_words(honest: HonestError) -> str:
    """How the 95 % interval was computed."""
    how = (
        tr(
            "the Clopper-Pearson interval for the number of rows that would give a share this variance (Korn and "
            "Graubard)"
        )
        if honest.support_is_bounded
        else tr("on a logarithmic scale, with the quantile of Student's t")
    )
    said = tr("The 95 % interval is {how}.", how=how)
    if honest.source == "another table":
        return said
    least, more = (LEAST, MORE) if honest.source == "outer folds" else OF_SEVERAL
    return (
        said
        + " "
        + tr(
            "The jackknife variance over the rows was multiplied by a factor between {least} and {most}, which is "
            "larger the more clearly the result is better than chance, because searches on other rows give other "
            "results (after Nadeau and Bengio; determined by simulation). Differences between folds beyond those "
            "between their rows were added to it.",
            least=number(least, ".1f"),
            most=number(least + more, ".1f"),
        )
    )


def _software(spec: RunSpec) -> str:
    libraries = ", ".join(f"{name} {held}" for name, held in spec.versions.items() if name != "fsdesk")
    held = spec.versions.get("fsdesk", version("fsdesk"))
    return tr("The search ran in fsdesk {version} with {libraries}.", version=held, libraries=libraries)
