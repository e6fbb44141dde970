"""The decision card: what scikit-learn, a hand calculation, or a formula of another author says of the same rows."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import r2_score, roc_auc_score, roc_curve

import fsdesk
from fsdesk.data import load_sample, prepare
from fsdesk.errors import SettingsError
from fsdesk.results import decision
from fsdesk.results.decision import THRESHOLDS, CutOff, decide, numbers_fit, why_not
from fsdesk.results.diagnosis import held_out_made
from fsdesk.results.scores import GRID, Estimate, Scored, apart, positive_code, predictive_value, ratio_of


def scored(truth, score, *, folds=5, blocks=None, names=("well", "ill"), seed=0):
    """Decision values of two classes, folds stratified by class; rows of a block in one fold."""
    truth, score = np.asarray(truth), np.asarray(score, dtype=np.float64)
    rows = np.arange(len(truth))
    blocks = rows if blocks is None else np.asarray(blocks)
    first = np.unique(blocks, return_index=True)[1]
    fold_of, rng = np.zeros(int(blocks.max()) + 1, dtype=np.int64), np.random.default_rng(seed)
    for code in (0, 1):
        own = rng.permutation(blocks[first][truth[first] == code])
        fold_of[own] = np.arange(len(own)) % folds
    return Scored(
        rows=rows,
        blocks=blocks,
        folds=fold_of[blocks],
        repeats=np.zeros(len(truth), dtype=np.int64),
        truth=truth.astype(np.int64),
        scores=np.stack([-score, score], axis=1),
        scales=np.zeros(len(truth), dtype=np.int64),
        probabilities=np.zeros(len(truth), dtype=np.bool_),
        names=names,
        positive=1,
    )


def drawn(rows=200, distance=1.5, share=0.4, seed=0, **more):
    """A score that is normal in both classes, with means so far apart."""
    rng = np.random.default_rng(seed)
    truth = rng.random(rows) < share
    return scored(truth, rng.normal(size=rows) + distance * truth, seed=seed, **more)


def test_area_and_curve_are_the_means_of_those_of_scikit_learn_in_the_folds():
    made = drawn()
    found = decide(made)
    areas, curves = [], []
    for fold in range(5):
        own = made.folds == fold
        areas.append(roc_auc_score(made.truth[own], made.scores[own, 1]))
        false, true, _ = roc_curve(made.truth[own], made.scores[own, 1], drop_intermediate=False)
        curve = np.interp(GRID, false, true)
        curve[0] = 0.0
        curves.append(curve)
    assert found.auc.value == pytest.approx(np.mean(areas), abs=1e-12)
    np.testing.assert_allclose(found.roc.y, np.mean(curves, axis=0), atol=1e-12)
    assert (found.roc.low <= found.roc.y + 1e-12).all() and (found.roc.y <= found.roc.high + 1e-12).all()
    assert found.auc.low < found.auc.value < found.auc.high


LEVELS = np.array([6.0, 5.0, 4.0, 3.0, 2.0, 1.0])
TRUTH = np.array([True, True, False, True, False, False])


@pytest.mark.parametrize(
    ("rule", "cut"),
    [
        (CutOff(), 4.5),  # 2/3 + 1 - 1 is as much as 1 + 2/3 - 1: of the two below the one of more specificity, by hand
        (CutOff("sensitivity", 0.9), 2.5),
        (CutOff("sensitivity", 0.6), 4.5),
        (CutOff("specificity", 0.9), 4.5),
        (CutOff("specificity", 0.6), 2.5),
        (CutOff("cost", 10.0), 2.5),
        (CutOff("cost", 0.1), 4.5),
        (CutOff("cost", 1e-9), 4.5),
    ],
)
def test_cut_offs_by_hand(rule, cut):
    assert decision._cut(LEVELS, TRUTH, np.ones(6), rule, 0.5) == pytest.approx(cut)


def test_a_missed_row_that_costs_nothing_is_missed_and_one_that_costs_all_is_found():
    noise = np.array([True, False, False, True])
    levels = np.array([1.0, 2.0, 3.0, 0.0])
    assert decision._cut(levels, noise, np.ones(4), CutOff("cost", 0.01), 0.5) == math.inf
    assert decision._cut(levels, noise, np.ones(4), CutOff("cost", 100.0), 0.5) == -math.inf


def test_neither_cut_off_nor_probability_of_a_row_depends_on_the_truth_of_its_part():
    made = drawn(seed=3)
    own = made.folds == 2
    turned = replace(made, truth=np.where(own, 1 - made.truth, made.truth))
    for rule in (CutOff(), CutOff("sensitivity", 0.8), CutOff("cost", 3.0)):
        calls = []
        for each in (made, turned):
            known = decision._known(each, 1)
            _, other, levels = known.levels[2]
            calls.append((levels[own], decision._cut(levels[other], known.truth[other], made.counts[other], rule, 0.4)))
        np.testing.assert_array_equal(calls[0][0], calls[1][0])
        assert calls[0][1] == calls[1][1]


def test_rows_of_one_patient_in_two_parts_do_not_choose_for_each_other():
    made = drawn(seed=4)
    twice = replace(made, blocks=made.blocks // 2)
    assert not apart(twice, 0)[np.isin(twice.blocks, twice.blocks[twice.folds == 0])].any()


def test_rates_ratios_and_predictive_values_are_those_of_the_four_counts():
    found = decide(drawn(seed=1), prevalence=0.1)
    hits, alarms, missed, left = found.counts
    assert (hits + missed, alarms + left) == (found.positives, found.rows - found.positives)
    sensitivity, specificity = hits / (hits + missed), left / (left + alarms)
    assert found.sensitivity.value == pytest.approx(sensitivity)
    assert found.specificity.value == pytest.approx(specificity)
    assert found.positive_ratio.value == pytest.approx(sensitivity / (1 - specificity))
    assert found.negative_ratio.value == pytest.approx((1 - sensitivity) / specificity)
    positive = sensitivity * 0.1 / (sensitivity * 0.1 + (1 - specificity) * 0.9)
    negative = specificity * 0.9 / (specificity * 0.9 + (1 - sensitivity) * 0.1)
    assert found.positive_value.value == pytest.approx(positive)
    assert found.negative_value.value == pytest.approx(negative)
    for each in (found.sensitivity, found.specificity, found.positive_ratio, found.negative_ratio,
                 found.positive_value, found.negative_value):  # fmt: skip
        assert each.low < each.value < each.high


def test_predictive_values_by_hand():
    """Sensitivity 80 %, specificity 90 %, prevalence 10 %: 8 of 17 positive results are right."""
    assert predictive_value(Estimate(8.0, 8.0, 8.0), 0.1).value == pytest.approx(8 / 17)


def test_the_interval_of_a_ratio_is_fiellers_where_those_of_its_parts_are_symmetric():
    a, b, half_a, half_b = 0.6, 0.3, 0.1, 0.08
    found = ratio_of(Estimate(a, a - half_a, a + half_a), Estimate(b, b - half_b, b + half_b), 0.0)
    root = math.sqrt((a * b) ** 2 - (a**2 - half_a**2) * (b**2 - half_b**2))
    ends = [(a * b + sign * root) / (b**2 - half_b**2) for sign in (-1, 1)]
    assert (found.low, found.high) == pytest.approx(ends)
    alike = ratio_of(Estimate(a, a - half_a, a + half_a), Estimate(b, b - half_b, b + half_b), 0.8)
    assert found.low < alike.low < alike.value < alike.high < found.high


def test_without_false_alarms_a_ratio_has_a_lower_end_alone():
    found = ratio_of(Estimate(0.5, 0.3, 0.7), Estimate(0.0, 0.0, 0.1), 0.0)
    assert found.value == found.high == math.inf
    assert 3.0 < found.low < 7.0
    assert ratio_of(Estimate(0.0, 0.0, 0.1), Estimate(0.0, 0.0, 0.1), 0.0).value is None


def test_net_benefit_is_its_formula():
    made = drawn(seed=2)
    found, known = decide(made), decision._known(made, 1)
    shares = 1 / (1 + np.exp(-known.logits))
    for at in (4, 29, 60):
        t = THRESHOLDS[at]
        called = shares >= t
        hits, alarms = (called & (made.truth == 1)).sum(), (called & (made.truth == 0)).sum()
        wanted = hits / len(shares) - alarms / len(shares) * t / (1 - t)
        assert found.net_benefit.model.y[at] == pytest.approx(wanted)
        everyone = known.of_table - (1 - known.of_table) * t / (1 - t)
        assert found.net_benefit.treat_all[at] == pytest.approx(everyone)


def test_calibration_is_that_of_an_unpenalised_logistic_regression():
    made = drawn(rows=400, seed=5)
    found, known = decide(made).calibration, decision._known(made, 1)
    fitted = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(known.logits[:, None], made.truth)
    assert found.slope.value == pytest.approx(fitted.coef_[0, 0], abs=1e-4)
    assert found.slope.low < 1 < found.slope.high
    assert found.intercept.low < 0 < found.intercept.high
    assert found.sizes.sum() == len(made.rows)
    own = known.logits <= np.quantile(known.logits, 0.1)
    assert found.groups.y[0] == pytest.approx(made.truth[own].mean(), abs=0.03)


def test_scores_of_noise_have_no_slope_and_no_recommended_cut_off():
    assert "no cut-off can be recommended" in decide(drawn(distance=0.0, seed=6)).doubt_words()
    flat = drawn(seed=6)
    found = decide(replace(flat, scores=np.zeros_like(flat.scores)))
    assert found.calibration.slope.value is None
    assert "hardly vary" in found.calibration_words()
    assert not decide(drawn()).doubt_words()


def test_rates_of_scores_that_may_say_nothing_have_no_interval_nor_has_a_slope_of_few_rows():
    doubtful, clear = decide(drawn(distance=0.0, seed=6)), decide(drawn())
    assert doubtful.sensitivity.value is not None
    for name in ("sensitivity", "specificity", "positive_ratio", "negative_ratio", "positive_value", "negative_value"):
        assert getattr(doubtful, name).low is None
        assert getattr(clear, name).low is not None
    few, many = decide(drawn(rows=150)).calibration, clear.calibration
    assert few.slope.value is not None and few.slope.low is None
    assert many.slope.low < many.slope.value < many.slope.high
    assert "has no interval" in decide(drawn(rows=150)).calibration_words()
    assert not clear.calibration_words()


def test_rows_that_are_there_four_times_say_no_more_when_they_belong_together():
    once = drawn(rows=100, seed=7)
    four = np.repeat(np.arange(100), 4)
    again = replace(
        once,
        **{
            name: getattr(once, name)[four]
            for name in ("folds", "repeats", "truth", "scores", "scales", "probabilities")
        },
        rows=np.arange(400),
        blocks=four,
    )
    singly = replace(again, blocks=np.arange(400))
    widths = []
    for each in (once, again, singly):
        found = decide(each)
        widths.append([found.sensitivity.high - found.sensitivity.low, found.auc.high - found.auc.low,
                       found.positive_value.high - found.positive_value.low])  # fmt: skip
    np.testing.assert_allclose(widths[1], widths[0], rtol=0.15)
    assert (np.array(widths[2])[[0, 2]] < 0.75 * np.array(widths[1])[[0, 2]]).all()


def test_one_class_against_the_rest():
    rng = np.random.default_rng(8)
    truth = np.repeat([0, 1, 2], 40)
    shares = rng.dirichlet(np.ones(3), 120) + np.eye(3)[truth]
    shares /= shares.sum(axis=1, keepdims=True)
    made = replace(
        scored(truth > 0, rng.normal(size=120)), truth=truth, scores=shares, names=("a", "b", "c"),
        probabilities=np.ones(120, dtype=np.bool_), positive=2, folds=np.arange(120) % 5,
    )  # fmt: skip
    found = decide(made, positive="b")
    areas = [roc_auc_score(truth[own] == 1, shares[own, 1]) for own in (made.folds == fold for fold in range(5))]
    assert found.positive == "b"
    assert found.auc.value == pytest.approx(np.mean(areas))
    assert decide(made).positive == "c"
    with pytest.raises(SettingsError, match="no class"):
        decide(made, positive="d")


def test_scores_of_two_models_are_brought_to_one_scale():
    made = drawn(seed=9)
    other = made.folds >= 3
    stretched = replace(
        made, scores=np.where(other[:, None], 100 * made.scores + np.array([-500, 500]), made.scores),
        scales=other.astype(np.int64),
    )  # fmt: skip
    one, two = decide(made), decide(stretched)
    assert two.auc.value == pytest.approx(one.auc.value)
    assert two.sensitivity.value == pytest.approx(one.sensitivity.value, abs=0.1)
    assert two.specificity.value == pytest.approx(one.specificity.value, abs=0.1)


def test_rows_of_another_table_are_called_by_cut_off_and_probabilities_of_the_run():
    own, tested = drawn(seed=10), drawn(rows=120, share=0.2, seed=11)
    found, known = decide(own, CutOff("sensitivity", 0.8), tested=tested), decision._known(own, 1)
    at = np.argsort(own.scores[:, 1])[[0, -1]]  # the calibrated level is a line in the score
    slope = np.diff(known.final[at])[0] / np.diff(own.scores[at, 1])[0]
    levels = known.final[at[0]] + slope * (tested.scores[:, 1] - own.scores[at[0], 1])
    called = levels >= decision._cut(
        known.final, known.truth, np.ones(len(known.truth)), CutOff("sensitivity", 0.8), 0.4
    )
    truth = tested.truth == 1
    assert found.counts == (
        (called & truth).sum(), (called & ~truth).sum(), (~called & truth).sum(), (~called & ~truth).sum(),
    )  # fmt: skip
    assert found.prevalence == pytest.approx(truth.mean())
    areas = [roc_auc_score(truth[rows], tested.scores[rows, 1]) for rows in (tested.folds == fold for fold in range(5))]
    assert found.auc.value == pytest.approx(np.mean(areas))
    assert found.cut_off == decide(own, CutOff("sensitivity", 0.8)).cut_off
    words = decision.words_elsewhere(found.packed())
    assert f"sensitivity {100 * found.sensitivity.value:.1f} %" in words
    assert not decision.words_elsewhere({})
    with pytest.raises(SettingsError, match="too few"):
        decide(own, tested=replace(tested, truth=np.zeros(120, dtype=np.int64)))


@pytest.mark.parametrize(
    "cut_off", [("golden",), ("sensitivity", 1.0), ("specificity", 0.0), ("cost", 0.0), ("cost", math.inf)]
)
def test_what_is_no_rule_is_refused(cut_off):
    with pytest.raises(SettingsError):
        CutOff(*cut_off)


def test_too_few_rows_and_missing_scores_are_said():
    few = scored([1, 1] + [0] * 40, np.arange(42.0))
    assert "too few for a cut-off" in why_not(few)
    with pytest.raises(SettingsError, match="too few"):
        decide(few)
    alone = drawn(rows=40)
    assert "both classes" in why_not(replace(alone, folds=np.zeros(40, dtype=np.int64)))
    assert "classes without scores" in why_not(None)
    with pytest.raises(SettingsError, match="prevalence"):
        decide(alone, prevalence=1.0)


def test_intervals_cover_what_new_rows_show():
    """The score is given, so that the truth is known: 80 samples, at least 93 % of the intervals have it."""
    inside = []
    for seed in range(80):
        made = drawn(rows=120, distance=1.2, seed=seed)
        found, known = decide(made, prevalence=0.2), decision._known(made, 1)
        cut = decision._cut(known.final, known.truth, np.ones(len(known.truth)), CutOff(), 0.2)
        # The calibrated level is a line in the score: two rows give it.
        at = np.argsort(made.scores[:, 1])[[0, -1]]
        slope = np.diff(known.final[at])[0] / np.diff(made.scores[at, 1])[0]
        score = made.scores[at[0], 1] + (cut - known.final[at[0]]) / slope
        sensitivity, alarms = norm.sf(score - 1.2), norm.sf(score)
        truths = {
            "auc": norm.cdf(1.2 / math.sqrt(2)), "sensitivity": sensitivity, "specificity": 1 - alarms,
            "positive_ratio": sensitivity / alarms, "negative_ratio": (1 - sensitivity) / (1 - alarms),
            "positive_value": 0.2 * sensitivity / (0.2 * sensitivity + 0.8 * alarms),
        }  # fmt: skip
        inside.append(
            [getattr(found, name).low <= value <= getattr(found, name).high for name, value in truths.items()]
        )
    assert (np.mean(inside, axis=0) >= 0.93).all()


def test_numbers_have_the_r2_of_scikit_learn_and_the_error_of_the_mean():
    rng = np.random.default_rng(0)
    truth = rng.normal(10.0, 2.0, 100)
    made = replace(drawn(rows=100), truth=truth, scores=(truth + rng.normal(size=100))[:, None], names=())
    found = numbers_fit(made)
    assert found.explained.value == pytest.approx(r2_score(truth, made.scores[:, 0]))
    assert found.error.value == pytest.approx(np.sqrt(np.mean((truth - made.scores[:, 0]) ** 2)))
    assert found.of_mean == pytest.approx(truth.std(), rel=0.05)
    assert found.explained.low < found.explained.value < found.explained.high
    assert "R²" in found.sentence()


def test_the_class_that_is_looked_for_is_the_named_or_the_rarest_one():
    table = prepare(load_sample("breast_cancer"))
    assert table.classes[positive_code("", table)] == "malignant"
    assert table.classes[positive_code("benign", table)] == "benign"


def of_two_models(rows=100, seed=0):
    """Four of five parts are predicted by one model, the last by another whose scores are ten times as large."""
    one = drawn(rows, seed=seed)
    is_other = one.folds == 4
    raw = np.stack([one.scores, 10 * one.scores], axis=2)
    scores = np.where(is_other[:, None], raw[:, :, 1], raw[:, :, 0])
    return replace(one, scores=scores, scales=is_other.astype(np.int64), models=("a", "b"), everywhere=raw)


def test_a_model_that_predicted_few_rows_is_calibrated_on_what_it_says_of_all_of_them():
    same, mixed = drawn(100), of_two_models()
    by_all, by_own = (decide(each) for each in (mixed, replace(mixed, everywhere=np.empty((0, 0, 0)))))
    # The two models order rows alike, and so their probabilities are those of a single one.
    assert by_all.calibration.slope.value == pytest.approx(decide(same).calibration.slope.value, abs=1e-6)
    assert by_all.cut_off == pytest.approx(decide(same).cut_off, abs=1e-6)
    assert abs(by_own.calibration.slope.value - decide(same).calibration.slope.value) > 0.05


def test_a_model_that_could_not_be_trained_in_any_part_is_calibrated_with_the_others():
    mixed = of_two_models()
    unknown = mixed.everywhere.copy()
    unknown[:, :, 1] = np.nan
    old = decide(replace(mixed, everywhere=np.empty((0, 0, 0))))
    own = decide(replace(mixed, everywhere=np.concatenate([np.full_like(unknown[:, :, :1], np.nan), unknown[:, :, 1:]],
                                                          axis=2)))  # fmt: skip
    assert own.calibration.slope.value == pytest.approx(old.calibration.slope.value, abs=1e-12)


def test_where_models_compete_the_cut_off_of_the_card_is_one_of_the_probabilities_that_are_predicted():
    """Each part chose its own model; probabilities of another table once came from a mixture of their scores."""
    rng = np.random.default_rng(4)

    def table(rows):
        x, y = rng.normal(size=(rows, 8)), np.arange(rows) % 2
        x[:, :3] += 0.8 * y[:, None]
        return pd.DataFrame(x, columns=list("abcdefgh")).assign(y=np.where(y, "ill", "well"))

    here, there = table(80), table(2000)
    result = fsdesk.select(here, target="y", wrapper="auto", preset="quick", seed=1)
    made = held_out_made(result, result.dataset)[1]
    assert len(made.models) > 1 and result.model in made.models
    card, elsewhere = result.decision(), fsdesk.validate(result, there).decision
    shares = fsdesk.predict(result, there).probabilities[:, list(result.dataset.classes).index("ill")]
    ill = there["y"].to_numpy() == "ill"
    for name, found in (("sensitivity", shares[ill] >= card.cut_off), ("specificity", shares[~ill] < card.cut_off)):
        assert elsewhere[name]["value"] == pytest.approx(found.mean(), abs=0.005)
    assert 0.6 < elsewhere["calibration_slope"]["value"] < 1.7
