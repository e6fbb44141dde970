"""The held-out error and its interval."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn import metrics

from fsdesk.data.checks import OF_SEARCHES, half_width, relative_half_width
from fsdesk.engine import RunSpec
from fsdesk.messages import in_language, language_named
from fsdesk.results.evidence import Honesty, OuterFold, OwnError, Permuted, kept_evidence
from fsdesk.results.held_out import HeldOut, honest_error
from fsdesk.results.held_out_error import HonestError
from fsdesk.results.intervals import (
    LEAST,
    MORE,
    OF_SEVERAL,
    Spread,
    Support,
    difference_interval,
    jackknife,
    loss_interval,
)
from fsdesk.results.outer import outer_steps
from fsdesk.results.select import select
from fsdesk.store.schema import pack, unpack

N = 120


def _held_out(criterion="error", missed=0.2, missed_by_all=0.3, classes=2, blocks=None, seed=0):
    """Rows of even classes in five folds; so many are predicted wrong, by chance."""
    rng = np.random.default_rng(seed)
    truth = np.arange(N) % classes

    def said(share):
        return np.where(rng.random(N) < share, (truth + 1) % classes, truth)

    rows = np.arange(N)
    zeros = np.zeros(N, dtype=np.int64)
    chosen, everything = said(missed), said(missed_by_all)
    groups = rows if blocks is None else blocks
    return HeldOut(criterion, classes, rows, groups, rows % 5, zeros, truth, chosen, zeros, everything)


def _scored(seed=1):
    said, rng = _held_out("auc"), np.random.default_rng(seed)
    scores = np.column_stack([np.zeros(N), said.truth + rng.normal(0, 1, N)])
    return replace(said, chosen=scores, everything=rng.normal(size=(N, 2)), chance=np.zeros((N, 2)))


def _numbers(criterion, seed=1):
    rng = np.random.default_rng(seed)
    said = _held_out(criterion)
    truth = rng.normal(size=N)
    chosen, everything = truth + rng.normal(0, 0.5, N), truth + rng.normal(0, 0.8, N)
    return replace(said, classes=1, truth=truth, chosen=chosen, everything=everything, chance=np.zeros(N))


def test_values_are_those_of_scikit_learn_over_all_held_out_rows():
    said = _held_out()
    losses = said.losses()[0]
    expected = [1 - metrics.accuracy_score(said.truth, each) for each in (said.chosen, said.everything, said.chance)]
    assert losses.tolist() == pytest.approx([*expected, *[np.nan] * 3], nan_ok=True)
    three = _held_out("balanced error", classes=3)
    assert three.losses()[0, 0] == pytest.approx(1 - metrics.balanced_accuracy_score(three.truth, three.chosen))
    numbers = _numbers("rmse")
    assert numbers.losses()[0, 0] == pytest.approx(metrics.root_mean_squared_error(numbers.truth, numbers.chosen))
    scored = _scored()
    areas = [
        metrics.roc_auc_score(scored.truth[own], scored.chosen[own, 1])
        for own in (scored.folds == fold for fold in range(5))
    ]
    assert scored.losses()[0, 0] == pytest.approx(1 - np.mean(areas))
    assert scored.losses()[0, 2] == 0.5


def test_the_jackknife_of_a_mean_is_its_textbook_variance_and_pairs_are_kept():
    said = _held_out()
    covariances = jackknife(said.losses, said.blocks)
    missed = np.array([said.chosen != said.truth, said.everything != said.truth, said.chance != said.truth])
    np.testing.assert_allclose(covariances[:3, :3], np.cov(missed) / N)
    assert np.isnan(covariances[3]).all()  # no simple model beside it


def test_the_jackknife_counts_groups_of_rows_and_not_rows():
    """Every row four times: the variance is that of the thirty, not of the hundred and twenty."""
    once = _held_out()
    again = np.arange(N) // 4 * 4
    said = replace(
        once, blocks=again, truth=once.truth[again], chosen=once.chosen[again], everything=once.everything[again]
    )
    missed = (said.chosen != said.truth)[::4]
    assert jackknife(said.losses, said.blocks)[0, 0] == pytest.approx(missed.var(ddof=1) / 30)
    wide, narrow = (honest_error(each, selected=1, features=9) for each in (said, replace(said, blocks=said.rows)))
    assert wide.high - wide.low > 1.7 * (narrow.high - narrow.low)
    assert (wide.rows, wide.blocks) == (N, 30)


def test_many_rows_are_left_out_together_with_nearly_the_same_variance():
    rng = np.random.default_rng(0)
    missed = (rng.random((1, 5000)) < 0.2).astype(float)
    found = jackknife(
        lambda kept: (kept * missed).sum(axis=1, keepdims=True) / kept.sum(axis=1, keepdims=True), np.arange(5000)
    )
    assert found[0, 0] == pytest.approx(missed.var(ddof=1) / 5000, rel=0.25)


@pytest.mark.parametrize("misses", [0, 1, 7, 60, 119, 120])
def test_where_nothing_was_learned_and_rows_count_alone_the_interval_is_that_of_clopper_and_pearson(misses):
    """On a share of 1/LEAST of the rows; scipy for those that come out as whole numbers."""
    rows, share = N * LEAST, misses / N
    support = Support(round(rows), 10**9)  # a great many blocks: the quantile of the normal distribution
    support = replace(support, blocks=round(rows))
    low, high = loss_interval(share, Spread(share * (1 - share) / rows), support)
    exact = binomtest(misses, N).proportion_ci(0.95)
    assert low == pytest.approx(exact.low, abs=0.004)
    assert high == pytest.approx(exact.high, abs=0.004)


def test_no_miss_at_all_is_no_proof_that_there_is_none():
    said = _held_out(missed=0.0, missed_by_all=0.0)
    honest = honest_error(said, selected=3, features=9)
    assert (honest.value, honest.low) == (0.0, 0.0)
    assert 0.03 < honest.high < 0.08  # by the rule of three: 3 in 120, and more for the search
    assert honest.difference == 0.0
    assert honest.difference_low < 0 < honest.difference_high
    assert honest.verdict == "no better"


def test_a_difference_is_that_of_agresti_and_min_where_rows_count_alone():
    first, second = 24, 9  # rows that only the one, only the other missed
    gain = (second - first) / N
    variance = ((first + second) - (second - first) ** 2 / N) / N**2
    low, high = difference_interval(gain, Spread(variance), Support(N, 10**9))
    support = Support(N, N)
    low, high = difference_interval(gain, Spread(variance), support)
    b, c, n = first + 0.5, second + 0.5, N + 2
    middle, deviation = (c - b) / n, np.sqrt((b + c) - (c - b) ** 2 / n) / n
    assert (low + high) / 2 == pytest.approx(middle)
    assert (high - low) / 2 == pytest.approx(support.quantile * np.sqrt(LEAST) * deviation)


def test_what_was_learned_and_what_folds_differ_widen_an_interval():
    support, rows = Support(N, N), 0.2 * 0.8 / N
    widths = [
        np.subtract(*reversed(loss_interval(0.2, spread, support)))
        for spread in (Spread(rows), Spread(rows, learned=1.0), Spread(rows, folds=0.01, learned=1.0))
    ]
    assert widths == sorted(widths)
    assert widths[1] / widths[0] == pytest.approx(np.sqrt((LEAST + MORE) / LEAST), rel=0.05)
    alike = Spread.of(rows, np.full(5, 0.2), 1.0)
    apart = Spread.of(rows, np.array([0.0, 0.0, 0.0, 0.5, 0.5]), 1.0)
    assert alike.folds == 0.0 < apart.folds


_COST = replace(_held_out("cost", missed=0.03), costs=np.array([[0.0, 5.0], [1.0, 0.0]]))


@pytest.mark.parametrize(
    "said",
    [_held_out(), _held_out("balanced error", classes=3), _held_out("f1"), _held_out("mcc"), _scored(),
     _numbers("rmse"), _numbers("mae"), _numbers("r2"), _COST],
    ids=lambda said: said.criterion,
)  # fmt: skip
def test_every_criterion_has_an_interval_about_its_value_that_stays_in_its_range(said):
    honest = honest_error(said, selected=3, features=9, folds=5)
    assert 0 <= honest.low < honest.value < honest.high <= honest.judged.worst
    assert honest.difference_low < honest.difference < honest.difference_high
    assert honest.difference == pytest.approx(honest.all_features - honest.value)
    assert honest.chance_difference == pytest.approx(honest.chance - honest.value)
    assert honest.verdict != "no evidence"
    assert honest.association_p == 1 / 1000
    assert honest.value_words() in honest.sentence()
    assert "5 outer folds" in honest.basis_words()


def test_repeated_predictions_of_a_row_are_no_rows_more():
    said = _held_out()
    twice = HeldOut.joined([said, replace(said, repeats=said.repeats + 1)])
    once, again = honest_error(said, selected=1, features=9), honest_error(twice, selected=1, features=9)
    assert again.rows == N
    assert again.value == once.value
    assert 0.85 < (again.high - again.low) / (once.high - once.low) <= 1


def test_where_nothing_shows_that_features_predict_that_is_said_with_its_p_value():
    honest = honest_error(replace(_held_out(missed=0.5, seed=4), target="outcome"), selected=3, features=9)
    assert honest.verdict == "no evidence"
    assert not honest.has_evidence
    assert honest.association_p > 0.05
    assert honest.sentence() == (
        f"Error on held-out rows: {honest.value_words()} (95 % interval {honest.interval_words()}); "
        f"no evidence that these features predict outcome (p = {honest.association_p:.2f})."
    )


def test_an_error_level_with_the_largest_class_is_a_signal_where_predictions_go_with_the_truth():
    """A tenth of the rows is of the rare class; five of twelve are found, at the price of seven others."""
    truth = (np.arange(N) < 12).astype(np.int64)
    said = np.zeros(N, dtype=np.int64)
    said[[0, 1, 2, 3, 4, 20, 30, 40, 50, 60, 70, 80]] = 1
    rows = np.arange(N)
    made = replace(_held_out(), truth=truth, chosen=said, folds=rows % 5, names=("well", "ill"), target="state")
    honest = honest_error(made, selected=3, features=9)
    assert honest.chance_difference_low < 0
    assert honest.has_evidence and honest.has_rare_class
    assert honest.rates_words() == "Sensitivity (ill): 42 % of 12 rows; specificity (well): 94 % of 108 rows."
    assert "The predictions are associated with state (p " in honest.basis_words()
    assert "On the same rows, a prediction without features is not clearly worse: 10.0 %." in honest.basis_words()
    assert not honest_error(_held_out(), selected=3, features=9).baseline_words()
    assert honest.rates_words() in honest.basis_words()


def test_scores_show_more_than_classes():
    rng = np.random.default_rng(3)
    said = _held_out(missed=0.5, seed=4)
    score = said.truth + rng.normal(0, 1.5, N)
    scored = replace(said, scores=np.column_stack([-score, score]))
    assert said.association().p > 0.05 > scored.association().p
    assert scored.association(1.0).p <= scored.association().p
    assert HeldOut.joined([scored, replace(said, repeats=said.repeats + 1)]).scores is None


def test_each_class_of_several_has_its_share():
    said = replace(_held_out(classes=3), names=("a", "b", "c"))
    honest = honest_error(said, selected=3, features=9)
    assert honest.sizes == (40, 40, 40)
    assert 40 * sum(honest.rates) == pytest.approx((said.chosen == said.truth).sum())
    assert honest.rates_words().startswith(f"Correctly predicted, by class: a: {100 * honest.rates[0]:.0f} % of 40 ")
    assert not honest_error(_numbers("rmse"), selected=3, features=9).sizes


@pytest.mark.parametrize(("associated", "permuted", "verdict"), [(0.3, 0.01, "better"), (0.01, 0.3, "no evidence")])
def test_runs_on_shuffled_targets_are_the_stronger_evidence(associated, permuted, verdict):
    mask = np.array([True, False, True])
    packed = np.packbits(mask)
    own = replace(_KNOWN, association=0.2, association_p=associated, source="held-out rows of the strategies", folds=10)
    shuffled = [
        Permuted(packed, place, 0.0, own.source, 10, 0.3 if place < 99 * permuted - 1 else 0.1) for place in range(99)
    ]
    found = Honesty.of([OwnError(packed, own), *shuffled], mask).error("error", 2, 3)
    assert found.evidence_p == pytest.approx(permuted, abs=0.011)
    assert found.verdict == verdict
    few = Honesty.of([OwnError(packed, own), *shuffled[:18]], mask).error("error", 2, 3)
    assert few.evidence_p == associated


_KNOWN = HonestError(
    "error", 0.091, 0.056, 0.134, 0.122, 0.031, 0.009, 0.054, 0.5, 0.409, 0.3, 0.5, 208, 208, 16, 30, folds=5
)


@pytest.mark.parametrize(
    ("honest", "words"),
    [
        (_KNOWN, "better than all features by 3.1 points (0.9 to 5.4)"),
        (
            replace(_KNOWN, difference=0.002, difference_low=-0.012, difference_high=0.015),
            "not clearly better than all features (between 1.2 points worse and 1.5 better), using 16 instead of 30",
        ),
        (
            replace(_KNOWN, difference=-0.031, difference_low=-0.054, difference_high=-0.009),
            "worse than all features by 3.1 points (0.9 to 5.4)",
        ),
        (replace(_KNOWN, selected=30), "with all features"),
        (
            replace(_KNOWN, chance_difference_low=-0.01),
            "no evidence that these features predict the target",
        ),
        (
            replace(_KNOWN, association_p=0.34, target="outcome"),
            "no evidence that these features predict outcome (p = 0.34)",
        ),
        (replace(_KNOWN, criterion="rmse"), "better than all features by 0.031 (0.009 to 0.054)"),
    ],
)
def test_the_verdict_is_said_in_the_unit_of_the_criterion(honest, words):
    assert honest.verdict_words() == words


def test_one_sentence_says_value_interval_and_difference():
    assert _KNOWN.sentence() == (
        "Error on held-out rows: 9.1 % (95 % interval 5.6 to 13.4 %), better than all features by 3.1 points "
        "(0.9 to 5.4)."
    )
    area = replace(_KNOWN, criterion="auc")
    assert area.value_words() == "0.909"
    assert area.interval_words() == "0.866 to 0.944"  # larger is better: the ends change places


def test_the_sentence_is_said_in_german():
    with in_language(language_named("de")):
        said = _KNOWN.sentence()
    assert "9,1 %" in said
    assert "3,1 Punkte" in said
    assert "rows" not in said


def test_without_rows_there_is_a_value_and_what_to_do():
    old = HonestError("error", 0.1, rows=60, blocks=60, selected=3, features=9)
    assert not old.has_interval
    assert old.verdict == "unknown"
    assert "Measure it again" in old.sentence()


def test_an_error_that_a_search_brings_along_is_kept_and_counts_for_its_answer_alone(tmp_path):
    mask = np.array([True, False, True])
    new = replace(
        _KNOWN, association=0.4, association_p=0.001, target="y", names=("a", "b"), rates=(0.5, 0.25), sizes=(9, 9)
    )
    for said in (_KNOWN, new):
        kind, values = OwnError(np.packbits(mask), said).packed()
        known = kept_evidence([(kind, unpack(pack(values)))])
        assert Honesty.of(known, mask).error("error", 2, 3) == said
    assert "said.association_p" not in OwnError(np.packbits(mask), _KNOWN).packed()[1]
    assert Honesty.of(known, ~mask).error("error", 1, 3) is None


def test_a_search_of_the_api_comes_with_its_honest_error_where_that_is_asked_for(planted):
    settings = {"max_measurements": 40, "repeats": 2}
    result = select(planted, method="bspsa", seed=3, settings=settings, outer=3)
    spec = RunSpec.make(planted, method="bspsa", seed=3, settings=settings)
    folds = tuple(step for step in outer_steps(spec, planted, 3) if isinstance(step, OuterFold))
    assert result.honest == Honesty(None, folds).error("error", len(result.features), 8)
    assert select(planted, method="bspsa", seed=3, settings=settings, outer=0).honest is None


def test_a_subset_picked_by_hand_has_no_honest_error(planted):
    settings = {"max_iterations": 12, "repeats": 2, "n_finalists": 4, "finalist_measurements": 2}
    result = select(planted, method="bspsa", seed=3, settings=settings, outer=3)
    other = next(point for point in result.finalists if not np.array_equal(point.mask, result.mask))
    assert result.with_finalist(result.mask).honest == result.honest
    assert result.with_finalist(other.mask).honest is None


def test_several_models_of_each_row_give_the_mean_of_their_losses_and_the_interval_of_one():
    """Their mean varies less from row to row, but new rows are predicted by one answer."""
    said = _held_out(missed=0.3)
    others = [replace(_held_out(missed=0.3, seed=seed), repeats=said.repeats + seed) for seed in (1, 2)]
    several = honest_error(HeldOut.joined([said, *others]), selected=3, features=9, folds=5)
    alone = [honest_error(each, selected=3, features=9, folds=5) for each in (said, *others)]
    assert several.value == pytest.approx(np.mean([each.value for each in alone]))
    assert several.rows == N
    ratio = (several.high - several.low) / np.mean([each.high - each.low for each in alone])
    assert np.sqrt(sum(OF_SEVERAL) / (LEAST + MORE)) - 0.15 < ratio < 1  # folds differ less in their means, too
    assert several.rates[0] == pytest.approx(np.mean([each.rates[0] for each in alone]))
    assert several.association_p == alone[0].association_p


@pytest.mark.parametrize("rows", [30, 60, 100, 200, 1000])
@pytest.mark.parametrize("error", [0.05, 0.15, 0.25, 0.4])
def test_what_is_said_beforehand_is_the_width_of_the_interval(rows, error):
    """Nearly that of outer folds, by which the default method is judged, and little more than that of one model."""
    assert sum(OF_SEVERAL) < OF_SEARCHES < LEAST + MORE
    low, high = loss_interval(error, Spread(error * (1 - error) / rows, 0.0, 1.0), Support(rows, rows))
    assert half_width(error, rows) == pytest.approx((high - low) / 2, rel=0.1)


@pytest.mark.parametrize("rows", [60, 200, 1000])
def test_what_is_said_beforehand_of_an_rmse_is_the_width_of_its_interval(rows):
    low, high = loss_interval(2.0, Spread(2.0**2 / (2 * rows), 0.0, 1.0), Support(rows, rows, 1.0, 4.0, bounded=False))
    assert relative_half_width(rows) == pytest.approx((high - low) / 2 / 2.0, rel=0.1)


def test_one_row_that_decides_about_everything_leaves_the_error_without_an_interval():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=60) * 1e-3
    truth[7] = 1e6  # without it, nothing is left to explain
    rows, zeros = np.arange(60), np.zeros(60, dtype=np.int64)
    mean = np.full(60, truth.mean())
    said = HeldOut("r2", 1, rows, rows, rows % 5, zeros, truth, mean + rng.normal(size=60), mean)
    found = honest_error(said, selected=2, features=5)
    assert found.value == pytest.approx(1 - metrics.r2_score(truth, said.chosen))
    assert (found.low, found.high) == (None, None)
    assert "older" not in found.sentence()


@pytest.mark.parametrize(
    ("missed", "words"),
    [(0.2, "does as well: "), (0.25, "is not clearly worse: "), (0.5, "does worse: "), (0.0, "does better: 0.0 %")],
)
def test_a_simple_model_beside_the_answer_is_said_with_its_price(missed, words):
    said = _held_out(missed=0.2)
    rng = np.random.default_rng(9)
    simple = np.where(rng.random(N) < missed, 1 - said.truth, said.truth)
    found = honest_error(replace(said, simple=simple), selected=5, features=30)
    assert found.simple == pytest.approx(np.mean(simple != said.truth))
    assert found.simple_difference == pytest.approx(found.simple - found.value)
    assert found.simple_words() == ""  # whose model is not said
    named = replace(found, simple_model="logistic C=0.1", simple_selected=3)
    assert words in named.simple_words()
    assert "Logistic regression, C 0.1, 3 features" in named.simple_words()
    assert named.simple_words() in named.basis_words() or not named.rows


@pytest.mark.parametrize(
    ("missed", "words"),
    [(0.3, "is not clearly worse: "), (0.5, "does worse: "), (0.0, "does better: 0.0 %")],
)
def test_where_all_features_win_the_best_list_is_said_second_with_its_price(missed, words):
    said = _held_out(missed=0.2)
    rng = np.random.default_rng(9)
    listed = np.where(rng.random(N) < missed, 1 - said.truth, said.truth)
    found = honest_error(replace(said, listed=listed), selected=30, features=30, models=("forest", "forest"))
    assert found.listed == pytest.approx(np.mean(listed != said.truth))
    assert found.listed_difference == pytest.approx(found.listed - found.value)
    assert found.listed_words() == ""  # whose model is not said
    named = replace(found, listed_model="logistic C=0.1", listed_selected=3)
    assert words in named.listed_words()
    assert "Logistic regression, C 0.1, 3 features" in named.listed_words()
    assert named.sentence().endswith(named.listed_words()) and "all 30 features" in named.sentence()
