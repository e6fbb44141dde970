"""The section of a report on the selected features: what each does by itself, in the model, and how far to trust it."""

from collections.abc import Iterator, Mapping
from math import isfinite

from fsdesk.data import Dataset
from fsdesk.measure.blocks import blocks_of
from fsdesk.messages import localised, number, tr, translated
from fsdesk.results.coefficients import Coefficients
from fsdesk.results.features import Effect, block_importances, has_importances, linear_model
from fsdesk.results.heatmap_figures import feature_map_figure
from fsdesk.results.methods_text import feature_rows, map_words, preparing_words
from fsdesk.results.record import RunRecord
from fsdesk.results.report.blocks import Block, Facts
from fsdesk.results.report.pictures import picture
from fsdesk.results.survival import ratio_words
from fsdesk.results.trust import ROLES, Trust, halves_words, q_words, tests_words

MOST_DESCRIBED = 40  # features in the table; the appendix lists the others


def described(result: RunRecord) -> list[int]:
    """Indices of the features described in the table, the highest weight first."""
    places = {name: place for place, name in enumerate(result.all_features)}
    return [places[name] for name, _, _ in feature_rows(result)[:MOST_DESCRIBED]]


def selected_features(result: RunRecord, dataset: Dataset, effects: dict[int, Effect], trust: Trust) -> Iterator[Block]:
    """What is known about each selected feature, and about the model of the result."""
    known = (
        (tr("Individually"), tests_words(trust, result.mask)),
        (tr("In half-samples"), halves_words(trust, result.mask) or tr("not available")),
    )
    yield Facts(tr("Reliability of the features."), (), known, from_values=frozenset({1}))
    places = {name: place for place, name in enumerate(result.all_features)}
    rows = []
    for name, weight, _ in feature_rows(result)[:MOST_DESCRIBED]:
        place = places[name]
        effect = effects.get(place)
        does = ("", "", "") if effect is None else _does(result, effect)
        rows.append((name, number(weight, ".2f"), tr(ROLES[trust.roles[place]]), *_by_itself(trust, place), *does))
    measure = tr("AUC") if trust.tests.measure == "AUC" else tr("Correlation")
    head = (tr("Feature"), tr("Weight"), tr("Role"), tr("{measure} (95 %)", measure=measure), tr("q"),
            tr("Half-samples"), tr("Direction"), tr("Effect"), tr("Most similar, not selected"))  # fmt: skip
    shown = tr("The selected features, largest weight first.")
    if len(result.features) > MOST_DESCRIBED:
        shown = tr(
            "The {shown} selected features with the largest weights, out of {count:,}; the others are in the appendix.",
            shown=MOST_DESCRIBED, count=len(result.features),
        )  # fmt: skip
    meant = tr(
        "Role: core features are selected in nearly all half-samples. Associated features are individually associated"
        " with the target. Interchangeable features are, too, but could be replaced by a correlated feature, because "
        "no test shows its association to be weaker. For unconfirmed features, none of this is shown. AUC: of the "
        "feature alone, for the class of the direction; for a numeric target Spearman's correlation, for a time to an"
        " event the correlation with its martingale residuals. Its interval applies to a feature chosen in advance; "
        "features selected on the same rows look stronger than they are, so the intervals of many irrelevant ones "
        "exclude chance. q: Benjamini and Hochberg, over all features; if batches are named, rows are compared within"
        " batches. Half-samples: proportion of random halves of the rows that select it. Effect: change in the "
        "model's prediction over the range of the feature, on held-out rows (accumulated local effects), with its "
        "interval over the folds; empty if the model gives no probabilities or numbers. Most similar: the unselected "
        "feature with the highest correlation, which is given in brackets. Weight: the weight that the method gives "
        "the feature, from 0 to 1."
    )
    yield Facts(shown, head, tuple(rows), frozenset({1, 3, 4, 5, 7}), frozenset(range(2, 9)), note=meant)
    yield from _blocks_of_features(result, dataset, trust)
    yield from _importances(result, dataset, effects)
    yield from _coefficients(result, dataset)
    caption = tr("The selected features in the data.") + " " + map_words(dataset)
    yield picture(feature_map_figure, result, dataset, caption, from_values=True)


def _blocks_of_features(result: RunRecord, dataset: Dataset, trust: Trust) -> Iterator[Block]:
    """The selected features of each named block and their joint importance; nothing if there are no blocks."""
    blocks = blocks_of(result.spec.measuring.blocks, result.all_features)
    if not blocks:
        return
    inside = {place for own in blocks.values() for place in own}
    left = tuple(place for place in range(len(result.all_features)) if place not in inside)
    shown = {**blocks, tr("no block"): left} if left else blocks
    known, rows = block_importances(result, dataset, shown), []
    for name, own in shown.items():
        places = list(own)
        words = ["", "", ""]
        if name in known:
            words = ["" if not isfinite(each) else number(each, ".3f") for each in known[name]]
        counts = (len(places), int(result.mask[places].sum()), int(trust.tests.associated[places].sum()))
        rows.append((name, *(number(count) for count in counts), *words))
    note = tr(
        "Associated: features with a q value up to 10 % on their own. Importance: by how much {measure} on held-out "
        "rows when all selected features of the block are permuted together, with its 95 % interval over the folds. "
        "The features were selected on all rows, so this is not a test.",
        measure=importance_measure(dataset),
    )
    head = (tr("Block"), tr("Features"), tr("Selected"), tr("Associated"), tr("Importance"), tr("from"), tr("to"))
    columns = frozenset(range(1, 7))
    yield Facts(tr("Blocks of features."), head, tuple(rows), columns, frozenset({3, 4, 5, 6}), note=note)


def _importances(result: RunRecord, dataset: Dataset, effects: Mapping[int, Effect]) -> Iterator[Block]:
    """How much each feature adds to the others; the number of lines does not depend on the values."""
    if not has_importances(result, dataset):
        return
    places = {name: place for place, name in enumerate(result.all_features)}
    rows = []
    for name, _, _ in feature_rows(result)[:MOST_DESCRIBED]:
        each = effects.get(places[name])
        numbers = () if each is None else (each.importance, each.importance_low, each.importance_high)
        words = ["" if value is None or not isfinite(value) else number(value, ".3f") for value in numbers]
        rows.append((name, *(words or [""] * 3)))
    caption = tr("Importance given the other selected features.")
    note = tr(
        "By how much {measure} on held-out rows if the information that a feature adds to the others is permuted "
        "between rows (conditional permutation), with 95 % intervals over the folds. A feature that others can "
        "replace has little importance. The features were selected on all rows, so irrelevant ones may have some "
        "importance, too; the intervals are not tests.",
        measure=importance_measure(dataset),
    )
    head = (tr("Feature"), tr("Importance"), tr("from"), tr("to"))
    columns = frozenset({1, 2, 3})
    yield Facts(caption, head, tuple(rows), columns, columns, note=note)


def importance_measure(dataset: Dataset) -> str:
    """The effect of permuting a feature."""
    if dataset.event:
        return tr("the concordance falls")
    return tr("the AUC falls") if dataset.response is None else tr("the RMSE rises")


def _coefficients(result: RunRecord, dataset: Dataset) -> Iterator[Block]:
    """The coefficients of the result's model, if it is linear."""
    found = linear_model(result, dataset)
    if found is None:
        return
    rows = []
    if found.intercept is not None:
        rows.append((tr("Intercept"), "", "", number(found.intercept, ".4g"), *[""] * (3 if found.are_ratios else 2)))
    for each in found.features[:MOST_DESCRIBED]:
        ends = each.ratios() if found.are_ratios else (each.low, each.high)
        words = ["" if end is None else (ratio_words(end) if found.are_ratios else number(end, ".3g")) for end in ends]
        numbers = (number(value, ".4g") for value in (each.centre, each.scale, each.value))
        rows.append((each.name, *numbers, *words))
    if found.survival is not None:
        time, share = found.survival
        words_of = tr("{share} % after {time}", share=number(100 * share, ".1f"), time=localised(f"{time:.4g}"))
        rows.append((tr("Event-free at a hazard ratio of 1"), "", "", words_of, "", "", ""))
    titles = {"odds": tr("Odds ratio"), "hazard": tr("Hazard ratio")}
    ratio = (titles[found.kind],) if found.are_ratios else ()
    head = (tr("Feature"), tr("Center"), tr("Scale"), tr("Coefficient"), *ratio, tr("from"), tr("to"))
    note = tr(
        "95 % intervals with standard errors from bootstrap samples of the rows, for a given set of features. "
        "Because the features were selected on the same rows, the intervals of many irrelevant ones also exclude "
        "zero. The penalty of the model, if it has one, shrinks coefficients and ratios toward no effect: their "
        "intervals show how much these shrunken values vary between samples of as many rows, and need not contain the "
        "effect without a penalty. The intervals are not tests; see the q values for those."
    )
    prepared = " ".join(preparing_words(result.spec.measuring, dataset))
    note = " ".join(
        filter(
            None,
            (
                prepared and tr("Coefficients, centers and scales refer to preprocessed values: {how}", how=prepared),
                note,
            ),
        )
    )
    numeric = frozenset(range(1, len(head)))
    yield Facts(f"{tr('The model.')} {sum_words(found)}", head, tuple(rows), numeric, numeric, note=note)


def sum_words(found: Coefficients) -> str:
    """Explain in words what the weighted sum of a linear model predicts."""
    said = {
        "odds": tr("The log odds of “{of}” are the intercept plus the sum over the features of",
                   of=found.of),
        "hazard": tr("The log hazard ratio is the sum over the features of"),
        "number": tr("The predicted {of} is the intercept plus the sum over the features of", of=found.of),
        "decision": tr("“{of}” is predicted if the intercept is positive when added to the sum over the features of",
                       of=found.of),
    }[found.kind]  # fmt: skip
    words = tr("{sum} coefficient × (value − center) / scale.", sum=said)
    if len(found.features) > MOST_DESCRIBED:
        words += " " + tr("The first {count} are shown; {file} contains all of them.", count=MOST_DESCRIBED,
                          file="coefficients.csv")  # fmt: skip
    return words


def _by_itself(trust: Trust, place: int) -> tuple[str, str, str]:
    """A feature's individual association with the target, its q value, and its share of the half-samples."""
    tests, halves = trust.tests, trust.halves
    estimate, low, high = (float(values[place]) for values in (tests.estimate, tests.low, tests.high))
    strength = ""
    if isfinite(estimate):
        strength = f"{number(estimate, '.2f')} ({number(low, '.2f')}; {number(high, '.2f')})"
    q, share = float(tests.q[place]), float("nan") if halves is None else float(halves.probability[place])
    return strength, q_words(q), f"{100 * share:.0f} %" if isfinite(share) else ""


def _does(result: RunRecord, effect: Effect) -> tuple[str, str, str]:
    like, change = "", ""
    if effect.like is not None and effect.correlation is not None:
        like = f"{result.all_features[effect.like]} ({number(effect.correlation, '.2f')})"
    if effect.effect is not None and isfinite(effect.effect):
        change = number(effect.effect, ".3g")
        if effect.low is not None and effect.high is not None and isfinite(effect.low):
            change += f" ({number(effect.low, '.2g')}; {number(effect.high, '.2g')})"
    return translated(effect.direction), change, like
