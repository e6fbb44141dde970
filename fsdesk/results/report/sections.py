"""The sections of a report, built from a result and its data."""

from collections.abc import Iterator
from math import isfinite

import numpy as np
from matplotlib.figure import Figure

from fsdesk.data import Check, Dataset
from fsdesk.data.kaplan_meier import LATE
from fsdesk.data.roles import LEFT_ASIDE
from fsdesk.engine import unpack_masks
from fsdesk.errors import DataError
from fsdesk.messages import current_language, localised, number, quoted, tr, translated
from fsdesk.methods import METHODS
from fsdesk.results.characteristics import MOST_CLASSES, characteristics, groups_of
from fsdesk.results.decision import USUAL_CUT_OFFS, decide, line_titles, numbers_fit, why_not, words_elsewhere
from fsdesk.results.diagnosis import held_out_made, held_out_of
from fsdesk.results.evidence import ExternalValidation, OuterFold
from fsdesk.results.feature_tests import batches_of
from fsdesk.results.features import effects_of, linear_model
from fsdesk.results.figures import (
    curve_figure,
    permutations_figure,
    size_figure,
    sizes_measured,
    strategies_figure,
    weights_figure,
)
from fsdesk.results.formulas import formulas_of, honest_formulas
from fsdesk.results.methods_text import (
    bibtex,
    caution,
    constraints_of,
    details_of,
    details_title,
    feature_rows,
    key_figures,
    measured_as,
    paragraphs,
    prepared_words,
    references_of,
    roles_words,
    settings_used,
    source_words,
    strategy_head,
    strategy_rows,
    target_words,
)
from fsdesk.results.prediction_figures import (
    confusion_figure,
    decision_figure,
    predicted_figure,
    risk_words,
    roc_figure,
    survival_figure,
)
from fsdesk.results.record import RunRecord, keep_made, lead
from fsdesk.results.report.blocks import (
    Block,
    Code,
    Facts,
    Flow,
    Formulas,
    Names,
    Report,
    Section,
    Step,
    Text,
    Texts,
    Tiles,
    numbered,
)
from fsdesk.results.report.guidelines import guidelines
from fsdesk.results.report.pictures import picture
from fsdesk.results.report.selected_features import MOST_DESCRIBED, described, selected_features
from fsdesk.results.sample_size import cells, given_words, table_of, titles
from fsdesk.results.sample_size import words as size_words
from fsdesk.results.settings_file import command_line
from fsdesk.results.stability import Selections, selections_of
from fsdesk.results.subsets import never_judged, standings, why_it_won
from fsdesk.results.survival import survival_fit
from fsdesk.results.trust import Trust, stability_words, trust_of
from fsdesk.wrappers import WRAPPERS, model_title

_MOST_NAMED = 2000
_MOST_STRATEGIES = 20  # in the section on the search; an appendix lists all
_MOST_WEIGHTS = 30  # more would be too small to read on paper


@keep_made
def content_of(result: RunRecord, dataset: Dataset) -> Report:
    """Build the report on a run in the current language; the same result gives the same content."""
    method = METHODS[result.spec.method]
    subtitle = tr(
        "{method}; {model}; seed {seed}. Data: {source}.",
        method=tr(method.brief), model=_model(result), seed=result.spec.seed, source=source_words(dataset),
    )  # fmt: skip
    effects = {effect.place: effect for effect in effects_of(result, dataset, described(result))}
    selections, trust = selections_of(result), trust_of(result, dataset)
    parts = (
        ("result", tr("Result"), _result(result)),
        ("question", tr("Question"), _question(result, dataset)),
        ("data", tr("Data and checks"), _data(result, dataset)),
        ("method", tr("Method"), _method(result)),
        ("search", tr("The search"), _search(result, dataset)),
        ("unseen", tr("Held-out error"), _unseen(result, dataset)),
        ("decision", tr("Cut-off, calibration and net benefit"), _decision(result, dataset)),
        ("stability", tr("Stability"), _stability(result, selections, trust)),
        ("luck", tr("Could it be chance?"), _luck(result, dataset)),
        ("features", tr("Selected features"), selected_features(result, dataset, effects, trust)),
        ("limits", tr("Limitations"), _limits(result, dataset)),
        ("environment", tr("Reproducing this result"), _environment(result, dataset)),
        ("paragraph", tr("For the methods section of a paper"), _paragraph(result, dataset)),
    )
    sections = [Section(key, title, tuple(blocks)) for key, title, blocks in parts]
    sections = [section for section in sections if section.blocks]
    places = _places(result, dataset, sections)
    of_times = bool(dataset.event)
    sections.append(Section("guidelines", tr("Reporting guidelines"), tuple(guidelines(places, of_times=of_times))))
    sections.append(Section("settings", tr("Appendix: settings"), tuple(_settings(result))))
    if len(strategy_rows(result)) > _MOST_STRATEGIES:
        sections.append(Section("strategies", tr("Appendix: all strategies"), tuple(_all_strategies(result))))
    if len(result.features) > MOST_DESCRIBED:
        sections.append(Section("names", tr("Appendix: all selected features"), tuple(_names(result))))
    title = tr("Feature selection on {data}", data=dataset.name)
    return Report(current_language().name, title, subtitle, numbered(sections))


def _places(result: RunRecord, dataset: Dataset, sections: list[Section]) -> dict[str, tuple[str, str]]:
    """Key and number of the section that meets an item of a guideline, also by keys of items met by some results."""
    places = {section.key: (section.key, str(place)) for place, section in enumerate(sections, 1)}
    places["settings"] = ("settings", str(len(sections) + 2))
    honest, is_linear = result.honest, linear_model(result, dataset) is not None
    has_cut_off = any(
        isinstance(block, Facts) for section in sections if section.key == "decision" for block in section.blocks
    )
    known = honest is not None and honest.has_interval
    by_outer = bool(result.honesty.outer) and result.honesty.complete and not result.picked
    met = {
        "always": ("luck", bool(result.spec.always) and known),
        "external": ("unseen", bool(result.external)),
        "hazards": ("features", is_linear),
        "model": ("features" if is_linear else "environment", True),
        "calibration": ("decision", has_cut_off),
        "output": ("decision" if has_cut_off else "unseen", has_cut_off or dataset.response is not None),
        "performance": ("result", known),
        "uncertainty": ("paragraph", known),
        "baselines": ("luck", known),
        "tests": ("luck", result.permutations is not None or (honest is not None and honest.association_p is not None)),
        "batches": ("unseen", by_outer and _by_batch(result, dataset)),
        "analyses": ("unseen", by_outer),
    }
    return {
        **places,
        **{key: places[section] for key, (section, is_met) in met.items() if is_met and section in places},
    }


def _all_strategies(result: RunRecord) -> Iterator[Block]:
    head, rows = strategy_head(result), tuple(strategy_rows(result))
    yield Facts(tr("All strategies at their best size."), head, rows, frozenset(range(1, len(head) - 1)))


def _result(result: RunRecord) -> Iterator[Block]:
    criterion = result.criterion
    yield Text(lead(result, in_file=True), "lead")
    selected = tr("{count:,} of {total:,}", count=len(result.features), total=len(_candidates(result)))
    yield Tiles(((tr("features selected"), selected, ""), *key_figures(result)))
    better = tr("Higher is better.") if criterion.direction == "higher" else tr("Lower is better.")
    yield Text(f"{tr(criterion.title)}: {tr(criterion.help)} {better}")
    yield Text(caution(result), "note")
    details = "; ".join(f"{what} {value}" for what, value in details_of(result))
    yield Text(f"{details_title(result)}: {details}.", "soft")


def _question(result: RunRecord, dataset: Dataset) -> Iterator[Block]:
    target = dataset.target_name
    if dataset.event:
        target = tr("the time to the event {event} ({target})", event=dataset.event, target=target)
    yield Text(
        tr(
            "Which of the {count:,} features predict {target}, and how well do they predict it for rows not used to "
            "select them?",
            count=len(_candidates(result)), target=target,
        )
    )  # fmt: skip
    if result.external:
        yield Text(tr("A prediction model is developed, validated on held-out rows, and tested on another table."))
    elif result.honest is not None:
        yield Text(tr("A prediction model is developed and validated on held-out rows of the same table."))
    constraints = constraints_of(result.spec)
    if constraints:
        heads = tr("Constraints on features"), tr("Names")
        yield Facts(tr("Constraints set by the user before the search."), heads, tuple(constraints))


def _candidates(result: RunRecord) -> list[str]:
    """The features that the run could select."""
    never = set(result.spec.never)
    return [name for name in result.all_features if name not in never]


_LEFT_OUT = {
    "censored at 0", "empty columns", "feature descriptions", "id columns", "ignored columns", "lines of no feature",
    "missing target", "names again", "notes below", "samples without a label", "text columns",
    "title", LEFT_ASIDE,
}  # fmt: skip


def _is_left_out(check: Check, dataset: Dataset) -> bool:
    """Whether a check names rows or columns that are not part of the data set, rather than imputed or encoded ones."""
    if check.kind == "missing values":
        return not np.isnan(dataset.x).any()
    if check.kind == "non-numeric columns":
        return not set(check.columns) & set(dataset.features)
    return check.kind in _LEFT_OUT


def _data(result: RunRecord, dataset: Dataset) -> Iterator[Block]:
    rows, columns = len(dataset.target), len(dataset.features)
    aside = [translated(check.sentence).rstrip(".") for check in dataset.checks if _is_left_out(check, dataset)]
    parts = [name for name in dict.fromkeys((dataset.target_name, dataset.event_column, dataset.entry)) if name]
    aside.append(
        tr("{count} columns are the target: {names}", count=len(parts), names=quoted(parts))
        if len(parts) > 1
        else tr("1 column is the target")
    )
    named = sum(codes is not None for codes in (dataset.groups, dataset.fold_of, dataset.time))
    if named:
        words = tr("1 column defines groups or time order")
        aside.append(words if named == 1 else tr("{count} columns define groups or time order",
                                                 count=named))  # fmt: skip
    used = tr(
        "{rows:,} rows, {count:,} features, target {target}", rows=rows, count=columns, target=dataset.target_name
    )
    filtered, allowed = result.spec.prefilter, len(_candidates(result))
    searched = min(filtered.keep, allowed) if filtered.prefilter != "none" else allowed
    dropped: tuple[str, ...] = ()
    if allowed < columns:
        dropped = (tr("{count:,} never selected, by the user's choice", count=columns - allowed),)
    if searched < allowed:
        dropped = (
            *dropped,
            tr("{count:,} removed by a filter, applied separately in every training set", count=allowed - searched),
        )
    selected = len(result.features)
    steps = [Step(tr("Table as read: {source}", source=source_words(dataset)), tuple(aside))]
    steps.append(Step(used, (*dropped, *_held_out(result))))
    steps.append(
        Step(tr("{count:,} candidate features", count=searched),
             (tr("{count:,} not selected", count=max(0, searched - selected)),))
    )  # fmt: skip
    steps.append(Step(tr("{count:,} features selected", count=selected)))
    yield Flow(
        tr("Rows and columns from the table to the result; exclusions are shown next to the arrows."), tuple(steps)
    )
    facts = [
        (tr("Rows"), number(rows)),
        (tr("Features"), number(columns)),
        (tr("Target"), f"{dataset.target_name}: {target_words(dataset)}"),
    ]
    roles = roles_words(dataset)
    facts += [(tr("Grouping of rows"), roles)] if roles else []
    facts.append((tr("Preparation"), " ".join(prepared_words(result.spec, dataset))))
    facts.append((tr("Fingerprint (SHA-256)"), dataset.fingerprint))
    yield Facts(tr("The data."), (), tuple(facts))
    yield _characteristics(result, dataset)
    others = [translated(check.sentence) for check in dataset.checks if not _is_left_out(check, dataset)]
    if others:
        yield Text(tr("Findings of the data checks:"))
        yield Texts(tuple(others))


def _characteristics(result: RunRecord, dataset: Dataset) -> Facts:
    """Characteristics by class: of all features of a narrow table, else of those always in and the selected ones."""
    always = [name for name in result.spec.always if name in result.all_features]
    listed = [*always, *(name for name, _, _ in feature_rows(result))]
    if len(result.all_features) <= MOST_DESCRIBED:
        listed = [*listed, *result.all_features]
    places = {name: place for place, name in enumerate(result.all_features)}
    shown = [places[name] for name in dict.fromkeys(listed)][:MOST_DESCRIBED]
    groups = groups_of(dataset)
    heads = [tr("{group} (n = {count})", group=name, count=number(int(rows.sum()))) for name, rows in groups]
    caption = tr("Characteristics of the rows.") if len(groups) == 1 else tr("Characteristics of the rows by class.")
    if dataset.event:
        caption = tr("Characteristics of the rows by event.")
    note = tr(
        "Numbers: median (quartiles); categories: count (percentage); both without missing values. For features with "
        "the values 0 and 1, the count of 1 is shown."
    )
    if len(groups) > 1:
        note += " " + tr("Missing values: in all rows; if there are any, in brackets those of each group.")
    if len(shown) < len(result.all_features):
        note += " " + tr("Only {count} of {total} features are listed: those always in and those selected.",
                         count=number(len(shown)), total=number(len(result.all_features)))  # fmt: skip
    if dataset.groups is not None:
        note += " " + tr("Rows are counted, not groups of rows.")
    columns = frozenset(range(1, len(heads) + 2))
    rows = tuple(characteristics(dataset, shown))
    return Facts(caption, (tr("Feature"), *heads, tr("Missing")), rows, from_values=columns, note=note)


def _held_out(result: RunRecord) -> list[str]:
    honest = result.honest
    if honest is None or not honest.folds:
        return []
    if honest.source == "outer folds":
        return [
            tr("each of {folds} outer folds held out in turn, to evaluate a search on the others", folds=honest.folds)
        ]
    return [tr("each of {folds} parts of the held-out rows in turn, to evaluate the strategies", folds=honest.folds)]


def _model(result: RunRecord) -> str:
    """Title of the result's model, which includes the settings of the winner if models competed."""
    title = tr(model_title(result.model)) if result.model else tr(WRAPPERS[result.answered.wrapper].title)
    return tr("{model}, chosen among several models", model=title) if result.race.models_compete else title


def _method(result: RunRecord) -> Iterator[Block]:
    method = METHODS[result.spec.method]
    names = list(dict.fromkeys(tr(each.strategy) for each in result.race.judged.values()))
    if standings(result.race):
        competed = tr(
            "These strategies competed on held-out rows: {names}. The winner, refitted on all rows, is the result.",
            names=", ".join(names),
        )
        yield Text(f"{tr(method.brief)}. {competed}")
    else:
        yield Text(f"{tr(method.title)}. {tr(method.summary)}")
    own = formulas_of(result)
    if own:
        yield Formulas(own)
    model = _model(result)
    if standings(result.race):
        yield Text(
            tr(
                "Strategies were compared by their error on held-out rows. The result was then measured once more, "
                "as {how}, for information only; its model is: {model}.",
                how=measured_as(result.spec, result.model), model=model,
            )
        )  # fmt: skip
    else:
        yield Text(
            tr("The value of a subset is {how}; the model is {model}.", how=measured_as(result.spec), model=model)
        )
    judged = honest_formulas(result)
    if judged:
        yield Text(tr("Evaluation of the result:"))
        yield Formulas(judged)
    listed = references_of(result)
    if listed:
        yield Text(tr("References:"))
        yield Texts(tuple(listed))


def _search(result: RunRecord, dataset: Dataset) -> Iterator[Block]:
    title = tr(result.criterion.title)
    rows = strategy_rows(result)
    ended = tr("The search ended:") if result.status == "finished" else tr("The search has not ended:")
    ended = f"{ended} {translated(result.reason)}."
    if rows:
        head = strategy_head(result)
        note = tr(
            "The best of many values is optimistic, by 10 points and more if there is little signal and many models "
            "compete. The value at the top of this report comes from rows that were not used to choose the strategy "
            "either."
        )
        untried = ", ".join(tr(each) for each in never_judged(result.spec, result.race, len(result.all_features)))
        note += " " + tr("Not tried: {names}.", names=untried) if untried else ""
        if len(rows) > _MOST_STRATEGIES:
            note += " " + tr("The first {count} of {total} are shown; the appendix lists all.",
                             count=_MOST_STRATEGIES, total=len(rows))  # fmt: skip
        caption = tr(
            "Strategies on held-out rows. Each used only the search rows of a resample and was evaluated on the "
            "held-out rows. Strategies are shown at their best size, the winner at the selected size."
        )
        why = why_it_won(result.spec, result.race, result.criterion)
        numeric = frozenset(range(1, len(head) - 1))
        yield Facts(caption, head, tuple(rows[:_MOST_STRATEGIES]), numeric, note=f"{why} {note}".lstrip())
        caption = tr(
            "{criterion} on held-out rows by number of features, one line for each strategy evaluated on all "
            "resamples; the dot marks the result.",
            criterion=title,
        )
        yield picture(strategies_figure, result, dataset, caption)
        yield Text(ended, "soft")
    else:
        caption = tr(
            "{criterion} during the search, on the rows used for selection. Each point is {how}; the line is the "
            "moving average.",
            criterion=title, how=measured_as(result.spec),
        )  # fmt: skip
        yield picture(curve_figure, result, dataset, caption)
        yield Text(ended, "soft")
    if result.steered:
        yield Text(result.steered)
    if len(sizes_measured(result)) > 1:
        caption = tr(
            "{criterion} by number of features: finalists, re-estimated on shared folds, on the rows used for "
            "selection; bars are one standard error.",
            criterion=title,
        )
        yield picture(size_figure, result, dataset, caption)
    if result.weights_moved and not rows:
        caption = tr("Weight of each feature by iteration, largest final weights at the top.")
        yield picture(_few_weights, result, dataset, caption)


def _few_weights(result: RunRecord, dataset: Dataset) -> Figure:
    return weights_figure(result, dataset, _MOST_WEIGHTS)


def _unseen(result: RunRecord, dataset: Dataset) -> Iterator[Block]:
    """Tables of the outer folds, or of the resamples that evaluated the winner, and figures of their predictions."""
    criterion, title = result.criterion, tr(result.criterion.title)
    outer = result.honesty.outer if result.honesty.complete and not result.picked else ()
    rows: list[tuple[str, ...]] = []
    has_outcomes = bool(dataset.event) or (dataset.response is None and len(dataset.classes) <= MOST_CLASSES)
    by_batch = _by_batch(result, dataset)
    if outer:
        for fold in outer:
            size = int(unpack_masks(fold.mask[None], len(result.mask)).sum())
            known = None if fold.said is None else fold.said.losses()[0, 1]
            cells = (localised(criterion.text(loss)) if loss is not None and isfinite(loss) else "" for loss in
                     (fold.loss, known))  # fmt: skip
            named = (_outcomes(fold, dataset),) if has_outcomes else ()
            named = (*named, _batches(fold, result, dataset)) if by_batch else named
            rows.append((number(fold.fold + 1), number(fold.rows), number(size), *cells, *named))
        more = (tr("Events") if dataset.event else tr("Rows by class"),) if has_outcomes else ()
        more = (*more, tr("Batch")) if by_batch else more
        head = (tr("Outer fold"), tr("Rows"), tr("Features"), tr("{criterion} of the result", criterion=title),
                tr("{criterion} of all features", criterion=title), *more)  # fmt: skip
        caption = tr(
            "The outer folds. In each, the whole search was repeated without these rows, and its result predicted "
            "them; all features were evaluated on the same rows."
        )
        yield Facts(caption, head, tuple(rows), frozenset(range(5)), frozenset(range(5, len(head))))
    elif result.race.winner is not None:
        winner = result.race.judged[result.race.winner]
        for resample, loss in sorted(winner.losses.items()):
            taken = number(len(winner.subsets.get(resample, ())))
            rows.append((number(resample + 1), taken, localised(criterion.text(loss)) if isfinite(loss) else ""))
        caption = tr(
            "The winning strategy in each resample: number of features selected on the search rows, and error on the "
            "held-out rows. These rows were used to choose the strategy, so their mean is optimistic."
        )
        yield Facts(caption, (tr("Resample"), tr("Features"), title), tuple(rows), frozenset({0, 1, 2}))
    if not result.picked and _has_held_out(result, dataset):
        yield from _predicted(result, dataset)
    yield from _external(result)


def _by_batch(result: RunRecord, dataset: Dataset) -> bool:
    """Whether each outer fold is a batch; two batches cannot be left out of a search that leaves out batches itself."""
    named = batches_of(dataset, result.spec.measuring)
    if result.spec.measuring.protocol != "batches" or named is None:
        return False
    rows = [fold.said.rows for fold in result.honesty.outer if fold.said is not None]
    return bool(rows) and all((own < len(named)).all() and len(np.unique(named[own])) == 1 for own in rows)


def _outcomes(fold: OuterFold, dataset: Dataset) -> str:
    """Rows of each class in an outer fold, in the order of the classes, or rows with the event; "" if not known."""
    if fold.said is None or not (fold.said.rows < len(dataset.target)).all():
        return ""
    counts = np.bincount(dataset.target[np.unique(fold.said.rows)], minlength=max(2, len(dataset.classes))).tolist()
    return number(counts[1]) if dataset.event else ", ".join(map(number, counts))


def _batches(fold: OuterFold, result: RunRecord, dataset: Dataset) -> str:
    """Names of the batches of an outer fold; "" if not known."""
    place = dataset.features.index(result.spec.measuring.batch)
    if fold.said is None or not (fold.said.rows < len(dataset.target)).all():
        return ""
    values, levels = np.unique(dataset.x[fold.said.rows, place]), dataset.categories.get(place)
    known = values[np.isfinite(values)].tolist()
    return ", ".join(f"{each:g}" if levels is None else levels[int(each)] for each in known)


def _external(result: RunRecord) -> Iterator[Block]:
    """Tests of the result on other tables, below its own error."""
    if not result.external:
        return
    own = () if result.honest is None else ((result.spec.data_name, result.honest),)
    rows = [
        (name, number(error.rows), error.value_words(), error.interval_words(), error.all_features_words())
        for name, error in (*own, *((_tested(each), each.error) for each in result.external))
    ]
    title = tr(result.criterion.title)
    head = (tr("Table"), tr("Rows"), title, tr("95 % interval"), tr("{criterion} of all features", criterion=title))
    caption = tr(
        "External validation: the result, trained on the run's table and tested on other tables, after the held-out "
        "error of the run itself."
    )
    yield Facts(caption, head, tuple(rows), frozenset({1, 2, 3, 4}))
    lines = tuple(
        f"{_tested(each)}: {said}"
        for each in result.external
        for said in (*([words_elsewhere(each.decision)] if each.decision else []), *map(translated, each.notes))
    )
    if lines:
        yield Texts(lines)


def _tested(made: ExternalValidation) -> str:
    """The name of another table, with the number of its rows that make its error too optimistic."""
    if not made.repeated:
        return made.name
    return tr("{name} ({repeated:,} duplicate training rows: too optimistic)", name=made.name, repeated=made.repeated)


def _has_held_out(result: RunRecord, dataset: Dataset) -> bool:
    try:
        return bool(held_out_of(result, dataset))
    except DataError:  # outer folds of another table, as in a forged bundle
        return False


def _predicted(result: RunRecord, dataset: Dataset) -> Iterator[Block]:
    """Figures of the held-out predictions behind the held-out error."""
    if dataset.event:
        yield from _by_risk(result, dataset)
        return
    if dataset.response is not None:
        caption = tr(
            "Predicted against observed {target} of the held-out rows, each predicted with features selected without "
            "it: selected features on the left, all features on the right. The line marks perfect prediction.",
            target=dataset.target_name,
        )
        yield picture(predicted_figure, result, dataset, caption, from_values=True)
        scored = held_out_made(result, dataset)[1]
        words = "" if scored is None else numbers_fit(scored).sentence()
        yield Facts(tr("Accuracy of the predicted numbers."), (), ((tr("Fit"), words),), from_values=frozenset({1}))
        return
    caption = tr(
        "Confusion matrix of the held-out rows, each predicted with features selected without it: selected features "
        "on the left, all features on the right. Numbers are row counts; colors are shares of the true class."
    )
    yield picture(confusion_figure, result, dataset, caption, from_values=True)
    if result.answered.build_wrapper().scores_are() is not None:
        caption = tr(
            "ROC curves of the held-out rows, each predicted with features selected without it: one line for each "
            "class against the others, dashed for all features, with the area under the curve. The dotted line is "
            "chance level."
        )
        yield picture(roc_figure, result, dataset, caption, from_values=True)


def _decision(result: RunRecord, dataset: Dataset) -> Iterator[Block]:
    """Held-out predictions as decision support; the number of lines never depends on the values."""
    is_decided = dataset.response is None or bool(dataset.event)
    if not is_decided or result.picked or not _has_held_out(result, dataset):
        return
    if not dataset.event and result.answered.build_wrapper().scores_are() is None:
        yield Text(translated(why_not(None)))
        return
    if dataset.is_late:
        yield Text(translated(LATE))
        return
    scored = held_out_made(result, dataset)[1]
    why = translated(why_not(scored))
    known = decide(scored) if scored is not None and not why else None
    heads = (tr("Positive class"), tr("Rows"), tr("Cut-off"), tr("Prevalence"), tr("Notes"))
    words = (why, *[""] * 4) if known is None else (
        known.positive, known.rows_words(), known.cut_off_words(), known.prevalence_words(),
        " ".join((known.doubt_words(), known.calibration_words())).strip(),
    )  # fmt: skip
    caption = tr("Held-out predictions at a cut-off.")
    yield Facts(caption, (), tuple(zip(heads, words, strict=True)), from_values=frozenset({1}))
    lines = [(title, "", "") for title in line_titles()] if known is None else list(known.lines())
    note = tr(
        "A likelihood ratio is the factor by which a positive or negative result changes the odds. Calibration is "
        "perfect with a slope of 1 and an intercept of 0; with a slope below 1, probabilities are too extreme; with "
        "an intercept above 0, they are too low."
    )
    head = (tr("Measure"), tr("Value"), tr("95 % interval"))
    yield Facts(tr("At this cut-off."), head, tuple(lines), frozenset({1, 2}), frozenset({1, 2}), note=note)
    caption = tr(
        "Held-out predictions. Left: ROC curve, averaged over the folds, with its pointwise 95 % band; the dot marks "
        "the cut-off. Middle: observed share of the class among rows with similar predicted probability, with 95 % "
        "intervals; the dotted line marks perfect calibration. Right: net benefit of treating those above a "
        "threshold, with its pointwise 95 % band, compared with treating all and treating none."
    )
    yield picture(decision_figure, result, dataset, caption, from_values=True)
    cells = [
        (rule.title(), *([""] * 5 if known is None or scored is None else decide(scored, rule).rates_cells()))
        for rule in USUAL_CUT_OFFS
    ]
    titles = (tr("Cut-off chosen for"), tr("Cut-off"), tr("Sensitivity"), tr("Specificity"),
            tr("Positive predictive value"), tr("Negative predictive value"))  # fmt: skip
    columns = frozenset(range(1, 6))
    yield Facts(tr("Other cut-offs, with 95 % intervals in brackets."), titles, tuple(cells), columns, columns)


def _by_risk(result: RunRecord, dataset: Dataset) -> Iterator[Block]:
    """Risk groups of the held-out rows, and the hazard ratios of the result."""
    caption = tr(
        "Kaplan-Meier survival curves of the held-out rows, in equal-sized groups by the risk predicted without "
        "them, within each held-out part: selected features on the left, all features on the right. Ticks mark "
        "censored rows; numbers at risk are shown below."
    )
    yield picture(survival_figure, result, dataset, caption, from_values=True)
    scored = held_out_made(result, dataset)[1] if _has_held_out(result, dataset) else None
    fit = translated(LATE) if dataset.is_late else ""
    if scored is not None and not dataset.is_late:
        fit = survival_fit(scored).sentence()
    rows = ((tr("Risk groups"), risk_words(result, dataset)), (tr("Fit"), fit))
    yield Facts(tr("Accuracy of the survival predictions."), (), rows, from_values=frozenset({1}))


def _stability(result: RunRecord, selections: Selections | None, trust: Trust) -> Iterator[Block]:
    if result.spec.selects:
        words = stability_words(trust.halves) or tr(
            "Not available: it is estimated only for strategies that rank the features without a search, and only if "
            "every class has at least eight rows."
        )
        caption = tr("Expected agreement of the lists from new samples.")
        yield Facts(caption, (), ((tr("Stability"), words),), from_values=frozenset({1}))
    if selections is None or selections.agreement is None:
        return
    where = {
        "outer folds": tr("the results of the outer folds"),
        "resamples": tr("the selection of the winning strategy in each resample"),
        "runs": tr("the results of several runs"),
    }[selections.source]
    frequency = selections.frequency
    counts = [(tr("in all"), frequency >= 1.0), (tr("in at least half"), (frequency >= 0.5) & (frequency < 1.0)),
              (tr("in fewer"), (frequency > 0) & (frequency < 0.5))]  # fmt: skip
    rows = tuple(
        (name, number(int(chosen.sum())), number(int((chosen & result.mask).sum()))) for name, chosen in counts
    )
    caption = tr(
        "Features by number of subsets that contain them: {where}. These subsets were found on largely the same "
        "rows, so even irrelevant features may be in all of them.",
        where=where,
    )
    yield Facts(caption, (tr("Subsets"), tr("Features"), tr("of these, selected")), rows, frozenset({1, 2}))


def _luck(result: RunRecord, dataset: Dataset) -> Iterator[Block]:
    """Tests: the result against all features, against chance, and against runs on shuffled targets."""
    honest, test = result.honest, result.permutations
    rows = []
    if honest is not None and honest.has_interval:
        against = (
            (tr("all features, on the same rows"), honest.all_features_words(), honest.difference,
             honest.difference_low, honest.difference_high),
            (tr("a baseline that uses no features"), honest.chance_words(), honest.chance_difference,
             honest.chance_difference_low, honest.chance_difference_high),
            (tr("the best simple model ({model})", model=translated(model_title(honest.simple_model))),
             honest.simple_value_words(), honest.simple_difference,
             honest.simple_difference_low, honest.simple_difference_high),
            (tr("the best list ({model})", model=translated(model_title(honest.listed_model))),
             honest.listed_value_words(), honest.listed_difference,
             honest.listed_difference_low, honest.listed_difference_high),
            (tr("only the features always in"), honest.covariates_value_words(), honest.covariates_difference,
             honest.covariates_difference_low, honest.covariates_difference_high),
        )  # fmt: skip
        for what, value, difference, low, high in against:
            if difference is None or low is None or high is None or not value:
                continue
            said = tr("better") if low > 0 else tr("worse") if high < 0 else tr("not distinguishable")
            rows.append((what, value, *(_points(honest.judged.unit, each) for each in (difference, low, high)), said))
    if rows:
        head = (tr("Compared with"), tr("Its {criterion}", criterion=tr(result.criterion.title)), tr("Gain"),
                tr("from"), tr("to"), tr("Difference of the result"))  # fmt: skip
        caption = tr(
            "Tests at the 5 % level: the result against alternatives on the held-out rows, with the difference and "
            "its 95 % interval; positive means better."
        )
        yield Facts(caption, head, tuple(rows), frozenset({1, 2, 3, 4}))
    if honest is not None and honest.association_p is not None:
        said = tr(
            "This test decides whether the features predict at all: if a class is rare, a model can predict it and "
            "still have an error no better than the baseline."
        )
        if honest.permuted_p is not None:
            said = tr("The runs on shuffled targets repeat the whole search and are the stronger evidence.")
        yield Text(f"{honest.tested_words()} {said}")
    if test is None:
        yield Text(
            tr("The run was not repeated on shuffled targets; fsdesk resume PROJECT --permutations 99 does that."),
            "soft",
        )
        return
    yield Text(test.sentence())
    caption = tr(
        "The same run on shuffled targets, where there is nothing to find: distribution of the error. The line is "
        "the run on the true targets, p = {p}.",
        p=localised(f"{test.p:.3g}"),
    )
    yield picture(permutations_figure, result, dataset, caption)


def _points(unit: str, difference: float) -> str:
    if unit == "%":
        return tr("{points:.1f} points", points=round(100 * difference, 1) + 0.0)
    return localised(f"{difference:#.3g}")


def _limits(result: RunRecord, dataset: Dataset) -> Iterator[Block]:
    honest = result.honest
    said = [
        tr(
            "That a feature was selected shows neither that it affects the target nor, without further evidence, that "
            "it predicts it: see its role. Another list may predict as well: see which features are interchangeable."
        ),
        tr(
            "All errors are for rows like these, sampled in the same way. Other laboratories, devices or years may "
            "differ, which only another table can show (fsdesk validate)."
        ),
    ]
    if result.seen_before:
        said.append(result.seen_before)
    if honest is None:
        said.append(tr("The held-out error is not known, so nothing here shows how well the list predicts."))
    elif not honest.has_evidence:
        said.append(
            tr(
                "These rows show {verdict}. This does not prove that there is no association; more rows may show one.",
                verdict=honest.evidence_words(),
            )
        )
    elif honest.verdict in ("no better", "unknown"):
        said.append(
            tr(
                "On these rows, the result cannot be distinguished from all features: it is shorter, but not shown "
                "to be better."
            )
        )
    if honest is not None and honest.source != "outer folds":
        said.append(
            tr(
                "The held-out error comes from the rows held out to compare the strategies, corrected for the choice "
                "among them; outer folds around the whole run would be a stricter test."
            )
        )
    if result.steered:
        said.append(
            tr("Whoever changed the search while it ran saw all rows; the effect of that on the errors is unknown.")
        )
    if result.permutations is None:
        said.append(tr("Whether chance alone could produce this result was not tested on shuffled targets."))
    if dataset.groups is None:
        said.append(
            tr(
                "Rows were assumed to be independent. If some belong together, such as several from one patient, "
                "name the column that identifies them."
            )
        )
    said.append(
        tr(
            "Weights and effects describe these rows and this model; they are not tests. q values are corrected for "
            "the number of features, but say nothing about combinations of features."
        )
    )
    yield Texts(tuple(said))
    if honest is not None and honest.has_interval:
        rows = tuple(cells(each, honest) for each in table_of(honest))
        caption = " ".join((tr("Sample sizes for a study like this one."), *size_words(honest)))
        yield Facts(caption, titles(honest), rows, frozenset({0, 1, 2}), note=given_words())


def _environment(result: RunRecord, dataset: Dataset) -> Iterator[Block]:
    spec = result.spec
    yield Text(tr("The same table, settings and seed give the same features, on any number of cores:"))
    yield Code(command_line(spec, dataset))
    facts = [
        (tr("Seed"), number(spec.seed, "d")),
        (tr("Seed of the outer folds"), number(spec.validation.outer_seed or spec.seed, "d")),
        (
            tr("Measurements"),
            tr("{count:,} in {steps:,} iterations", count=result.evaluations, steps=result.iterations),
        ),
        (tr("Software"), ", ".join(f"{name} {version}" for name, version in spec.versions.items())),
        (tr("Fingerprint of the data (SHA-256)"), dataset.fingerprint),
    ]
    yield Facts(tr("Inputs that determine this run."), (), tuple(facts))
    yield Text(
        tr(
            "The export writes {settings} and {script}, the trained model as a scikit-learn pipeline ({pipeline}), and "
            "a sealed bundle ({bundle}) with instructions and the log of every measurement, from which fsdesk verify "
            "derives all numbers again.",
            settings="settings.toml",
            script="reproduce.py",
            pipeline="pipeline.joblib",
            bundle="bundle.zip",
        ),
        "soft",
    )


def _paragraph(result: RunRecord, dataset: Dataset) -> Iterator[Block]:
    for paragraph in paragraphs(result, dataset):
        yield Text(paragraph)
    entries = bibtex(references_of(result))
    if entries:
        yield Code(entries)


def _settings(result: RunRecord) -> Iterator[Block]:
    rows: list[tuple[str, ...]] = []
    groups: list[tuple[int, str]] = []
    for heading, group in settings_used(result):
        groups.append((len(rows), heading))
        rows += [(title, value or tr("none"), source) for title, value, source in group]
    head = (tr("Setting"), tr("Value"), tr("Source of the default"))
    yield Facts(tr("All settings."), head, tuple(rows), groups=tuple(groups))


def _names(result: RunRecord) -> Iterator[Block]:
    names = [name for name, _, _ in feature_rows(result)]
    yield Text(tr("Largest weight first."), "soft")
    yield Names(tuple(names[:_MOST_NAMED]))
    if len(names) > _MOST_NAMED:
        more = number(len(names) - _MOST_NAMED)
        yield Text(tr("And {count} more; {file} contains all of them.", count=more, file="mask.csv"), "soft")
