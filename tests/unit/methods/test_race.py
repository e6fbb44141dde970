import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from fsdesk.measure import Measurement
from fsdesk.methods import METHODS, Problem, Subsets
from fsdesk.methods.choice import Candidate, choose, shrunk
from fsdesk.methods.race import ByFilter, path_sizes


def _candidate(name, size, losses, margin=(0.1, 0.2)):
    margins = [margin] * len(losses)
    return Candidate(name, size, dict(enumerate(losses)), dict(enumerate(margins)))


def test_the_smallest_held_out_loss_wins():
    one, other = _candidate("a", 5, [0.1, 0.2, 0.1]), _candidate("b", 3, [0.3, 0.4, 0.5])
    assert choose([one, other], "lowest", 0.01) is one


def test_the_usual_model_is_taken_unless_another_is_clearly_better():
    def judged(model, losses):
        return Candidate("a", 5, dict(enumerate(losses)), {}, model)

    usual = judged("cox alpha=1", [0.30, 0.42, 0.36, 0.40, 0.38])
    lucky = judged("nn-survival k=10", [0.38, 0.30, 0.40, 0.31, 0.41])
    better = judged("survival-forest", [0.24, 0.35, 0.31, 0.33, 0.32])
    named = {"cox alpha=1": 1}
    assert choose([usual, lucky], "lowest").model == "nn-survival k=10"
    assert choose([usual, lucky], "lowest", usual=named) is usual
    assert choose([usual, lucky, better], "lowest", usual=named) is better


def test_a_lucky_size_between_poor_ones_of_the_same_level_loses_to_a_steady_one():
    lucky = [
        _candidate("a", 4, [0.2, 0.0, 0.2]),
        _candidate("a", 5, [0.1, 0.1, 0.0]),
        _candidate("a", 6, [0.0, 0.3, 0.1]),
    ]
    steady = [_candidate("b", size, [0.1, 0.0, 0.1]) for size in (4, 5, 6)]
    assert choose([*lucky, *steady], "lowest", 0.01).strategy == "b"


def test_a_usual_model_is_taken_only_with_as_many_features_as_make_it_usual():
    def judged(model, size, losses):
        return Candidate("a", size, dict(enumerate(losses)), {}, model)

    lucky = judged("nn k=1", 10, [0.28, 0.30, 0.40, 0.31, 0.43])
    short = judged("svm cost=1", 50, [0.30, 0.42, 0.36, 0.40, 0.38])
    long = judged("svm cost=1", 100, [0.30, 0.42, 0.36, 0.40, 0.38])
    whole = replace(judged("svm cost=1", 500, [0.31, 0.43, 0.37, 0.39, 0.38]), strategy="all features")
    assert choose([lucky, short, long, whole], "lowest", usual={"svm cost=1": 100}) is long
    assert choose([lucky, short], "lowest", usual={"svm cost=1": 100}) is lucky
    assert choose([lucky, short, long, whole], "lowest") is lucky
    # With all features far worse, few features carry the signal, and with none evaluated nobody knows.
    far = replace(whole, losses=dict.fromkeys(range(5), 0.5))
    assert choose([lucky, short, long, far], "lowest", usual={"svm cost=1": 100}) is lucky
    assert choose([lucky, short, long], "lowest", usual={"svm cost=1": 100}) is lucky


def _table_of_models(losses, noise=0.0):
    """A candidate for each strategy (row) and model (column), with this mean loss over five resamples."""
    drawn = np.random.default_rng(0).normal(scale=noise, size=(len(losses), len(losses[0]), 5))
    drawn -= drawn.mean(axis=2, keepdims=True)
    return [
        Candidate(f"s{row}", 5, dict(enumerate(loss + drawn[row, column])), {}, f"m{column}")
        for row, of_models in enumerate(losses)
        for column, loss in enumerate(of_models)
    ]


def test_a_model_that_is_lucky_with_one_strategy_alone_loses_to_one_that_is_good_with_all():
    losses = [[0.10, 0.30, 0.09], [0.11, 0.31, 0.33], [0.12, 0.32, 0.34]]
    assert choose(_table_of_models(losses, noise=0.15), "lowest").pair == ("s0", "m0")


def test_what_chance_cannot_explain_is_not_shrunk():
    """The same means, but every resample says so."""
    losses = [[0.10, 0.30, 0.09], [0.11, 0.31, 0.33], [0.12, 0.32, 0.34]]
    assert choose(_table_of_models(losses, noise=0.001), "lowest").pair == ("s0", "m2")


def test_settings_of_a_model_tell_of_each_other():
    """Two values of one setting that are good alike beat the single best candidate, which is of a poor kind."""
    kinds = ("svm cost=1", "svm cost=10", "nn k=1", "nn k=5")
    losses = [[0.20, 0.21, 0.19, 0.42], [0.22, 0.20, 0.40, 0.44]]
    table = [replace(each, model=kinds[int(each.model[1:])]) for each in _table_of_models(losses, noise=0.15)]
    assert choose(table, "lowest").kind == "svm"


def test_a_pair_that_is_far_better_than_its_strategy_and_its_model_elsewhere_still_wins():
    losses = [[0.45, 0.46, 0.05], [0.44, 0.45, 0.47], [0.46, 0.45, 0.46]]
    assert choose(_table_of_models(losses, noise=0.02), "lowest").pair == ("s0", "m2")


def test_shrinkage_is_that_of_a_hand_worked_example():
    """Two strategies with two models; effects by ridge regression, written out with its normal equations."""
    means = np.array([0.1, 0.3, 0.4, 0.2])
    spread = np.array([[1, -1], [1, -1], [-1, 1], [-1, 1]]) * 0.1
    found = [
        Candidate(strategy, 5, dict(enumerate(mean + own)), {}, model)
        for (strategy, model), mean, own in zip(itertools.product("ab", "xy"), means, spread, strict=True)
    ]
    # Intercept .25; the effect of a strategy is the mean deviation of its two candidates times 2 / (2 + 1): -/+ 1/30.
    # Those of the models are 0: x has .1 and .4, y has .3 and .2.
    fitted = np.array([0.25 - 1 / 30] * 2 + [0.25 + 1 / 30] * 2)
    # In each resample, what is left varies by .1 times 1 - 2 / 3 around its mean: variance 2 / 900.
    kept = 1 - (2 / 900 / 2) / float(((means - fitted) ** 2).mean())
    assert 0 < kept < 1
    assert shrunk(found, means) == pytest.approx(fitted + kept * (means - fitted))


def test_a_sharp_optimum_is_not_blurred_by_sizes_that_are_clearly_worse():
    path = [_candidate("a", size, [loss] * 5) for size, loss in ((1, 0.48), (2, 0.1), (3, 0.3), (4, 0.4))]
    assert choose(path, "lowest", 0.01).size == 2


def test_fewest_features_win_among_those_within_one_standard_error():
    small, large = _candidate("a", 3, [0.10, 0.22, 0.10, 0.20]), _candidate("a", 9, [0.12, 0.10, 0.20, 0.10])
    assert choose([small, large], "fewest", 0.01) is small
    assert choose([_candidate("a", 2, [0.5, 0.5, 0.6, 0.5]), large], "fewest", 0.01) is large


def test_most_features_win_among_those_within_one_standard_error():
    small, large = _candidate("a", 3, [0.10, 0.22, 0.10, 0.20]), _candidate("a", 9, [0.12, 0.10, 0.20, 0.10])
    assert choose([small, large], "most", 0.01) is large
    assert choose([small, _candidate("a", 20, [0.5, 0.5, 0.6, 0.5])], "most", 0.01) is small


@pytest.mark.parametrize(
    ("barrier", "taken"), [([0.0, 2.0, 1.4, 0.1], [1, 2]), ([0.0, 0.1, 0.2, 0.3], [3]), ([9.0] * 4, [0, 1, 3])]
)
def test_features_below_the_barrier_of_another_filter_are_not_taken(barrier, taken):
    scores = {"f": np.array([4.0, 3.0, 2.0, 5.0]), "significance": np.array(barrier)}
    method = METHODS["univariate"].model(false_discovery=0.05, prefer="most", resamples=2)
    problem = Problem(4, scores=lambda name, resample=-1, folds=0: scores[name])
    search = method.search(problem, np.random.default_rng(0))
    with pytest.raises(StopIteration) as end:
        proposal = next(search)
        while True:
            proposal = search.send([Measurement(np.array([0.5]))] * len(proposal.masks))
    assert np.flatnonzero(end.value.value.mask).tolist() == taken


def test_errors_that_margins_foretell_count_as_much_as_those_that_were_counted():
    counted, clear = _candidate("a", 8, [0.10] * 4, (0.1, 0.2)), _candidate("b", 8, [0.12] * 4, (0.3, 0.2))
    assert choose([counted, clear], "lowest", 0.01) is clear
    assert choose([counted, clear], "lowest", 0.0) is counted
    for error in (0.08, 0.12):  # without margins errors count alone: those of "b" are (.12 + .067) / 2
        silent = _candidate("c", 8, [error] * 4, (np.nan, np.nan))
        assert choose([clear, silent], "lowest", 0.01) is (silent if error < (0.12 + norm.cdf(-1.5)) / 2 else clear)


def test_of_errors_below_half_a_row_the_clearest_margins_win_of_equal_ones_the_fewest_features():
    few, many = _candidate("a", 8, [0.0] * 4, (0.1, 0.03)), _candidate("b", 18, [0.002] * 4, (0.1, 0.01))
    assert choose([few, many], "lowest", 0.01) is many
    assert choose([few, many], "lowest", 0.001) is few
    assert choose([_candidate("b", 9, [0.0] * 4), _candidate("a", 8, [0.0] * 4)], "lowest", 0.01).size == 8


def test_an_estimate_is_the_mean_over_the_sizes_beside_it_by_a_normal_density():
    losses = {4: 0.18, 5: 0.10, 6: 0.22, 7: 0.12, 8: 0.11}
    noise = np.random.default_rng(0).normal(0, 0.2, (5, 8))  # so large that no two sizes clearly differ
    noise -= noise.mean(axis=1, keepdims=True)
    path = [_candidate("a", size, loss + own) for (size, loss), own in zip(losses.items(), noise, strict=True)]
    distances = np.subtract.outer(np.arange(5), np.arange(5))
    density = np.where(abs(distances) <= 2, norm.pdf(distances), 0.0)
    expected = density @ np.array(list(losses.values())) / density.sum(axis=1)
    assert choose(path, "lowest", 0.0) is path[expected.argmin()]
    for rival in (expected.min() - 0.002, expected.min() + 0.002):
        other = _candidate("b", 3, [rival] * 8)
        assert (choose([*path, other], "lowest", 0.0) is other) == (rival < expected.min())


def test_clear_margins_are_pooled_over_resamples():
    one = Candidate("a", 3, {0: 0.1, 1: 0.1}, {0: (0.2, 0.1), 1: (0.4, 0.3)})
    assert one.clearness == pytest.approx(0.3 / np.sqrt((0.1**2 + 0.2**2 + 0.3**2 + 0.4**2) / 2 - 0.3**2))
    assert Candidate("a", 3, {0: 0.1}, {0: (np.nan, np.nan)}).clearness == 0.0


def _order(*features):
    """Scores of six features, of which these go first and the others are equal."""
    return np.array([10.0 - features.index(each) if each in features else 0.0 for each in range(6)])


ORDERS = {-1: _order(0, 1, 2), 0: _order(3, 1, 0), 1: _order(1, 0, 3)}


def test_the_answer_of_auto_goes_by_the_mean_logarithm_of_ranks_where_resamples_see_nearly_all_rows():
    averaged = ByFilter("L1 path", "l1", averaged=True)
    ranks = np.array([[1, 2, 3, 5, 5, 5], [3, 2, 5, 1, 5, 5], [2, 1, 5, 3, 5, 5]])  # of all rows, 0 and 1
    assert averaged.joined(ORDERS, Problem(6), 2) == pytest.approx(-np.log(ranks).mean(axis=0), abs=1e-9)
    later = Problem(6, seen=lambda resample, folds: (resample + 1) / folds)  # forward in time
    assert averaged.joined(ORDERS, later, 2) == pytest.approx(-np.log(ranks[[0, 2]]).mean(axis=0), abs=1e-9)
    assert np.array_equal(ByFilter("L1 path", "l1").joined(ORDERS, Problem(6), 2), ORDERS[-1])


@pytest.mark.parametrize(("settings", "first"), [({}, 1), ({"averaged": False}, 0)])
def test_auto_averages_orders_unless_it_is_told_not_to(settings, first):
    method = METHODS["auto"].model(competing="filters", wanted=1, resamples=2, **settings)
    problem = Problem(6, scores=lambda name, resample=-1, folds=0: ORDERS[resample])
    search = method.search(problem, np.random.default_rng(0))
    with pytest.raises(StopIteration) as end:
        proposal = next(search)
        while True:
            proposal = search.send([Measurement(np.array([0.5 - 0.1 * (mask.sum() < 6)])) for mask in proposal.masks])
    assert np.flatnonzero(end.value.value.mask).tolist() == [first]


def test_sizes_keep_what_is_asked_for():
    assert path_sizes(10, 200, 0) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert path_sizes(1000, 20, 0)[-1] == 20
    assert path_sizes(1000, 20, 7) == [7]
    assert path_sizes(1, 200, 0) == [1]


def test_subsets_are_the_masks_they_were_made_of():
    masks = np.random.default_rng(0).random((7, 30)) < 0.3
    masks[:, 0] = True
    subsets = Subsets.of(list(masks))
    assert np.array_equal(np.array(list(subsets)), masks)
    assert np.array_equal(np.array(list(subsets[2:5])), masks[2:5])


def _found(name, loss, features, settings, seed=0):
    """The answer of a search that hears ``loss(mask)`` with noise, whatever rows it asks for."""
    method = METHODS[name].build(settings).paced(60_000)
    problem = Problem(features, scores=lambda name, resample=-1, folds=0: np.arange(features, 0.0, -1.0))
    rng, noise = np.random.default_rng(seed), np.random.default_rng(seed + 100)
    search = method.search(problem, rng)
    try:
        proposal = next(search)
        while True:
            values = [loss(mask) + 0.05 * noise.normal() for mask in proposal.masks]
            proposal = search.send([Measurement(np.array([value])) for value in values])
    except StopIteration as end:
        return end.value.mask


def test_bspsa_r_finds_the_few_features_that_count():
    def loss(mask):
        return 0.5 - 0.1 * mask[[3, 17, 29, 31]].sum() + 0.002 * mask.sum()

    found = _found("bspsa-r", loss, 120, {"wanted": 4, "steps": 800, "resamples": 3})
    assert np.flatnonzero(found).tolist() == [3, 17, 29, 31]


def test_bspsa_r_finds_a_pair_that_counts_only_together():
    def loss(mask):
        return (0.1 if mask[5] and mask[40] else 0.5) + 0.002 * mask.sum()

    assert np.flatnonzero(_found("bspsa-r", loss, 60, {"wanted": 2, "steps": 2500, "resamples": 2})).tolist() == [5, 40]


def test_auto_takes_the_strategy_that_does_best_on_held_out_rows():
    def loss(mask):  # the filters' order is of no use here
        return 0.5 - 0.1 * mask[[93, 97, 99]].sum() + 0.004 * mask.sum()

    found = _found("auto", loss, 100, {"resamples": 3})
    assert found[[93, 97, 99]].all()
    assert found.sum() <= 10


def _cut(most_seconds, proposals, more_minutes=0):
    """How a race of filters ends, of which L1 alone ranks well, where the time is nearly up after so many proposals.

    After its first answer ``more_minutes`` are allowed.
    """
    best, others = -np.arange(30.0), np.arange(30.0)
    method = METHODS["auto"].model(resamples=6, competing="filters")
    problem = Problem(
        30, scores=lambda name, resample=-1, folds=0: best if name == "l1" else others, most_seconds=most_seconds
    )
    search, asked = method.search(problem, np.random.default_rng(0)), []
    with pytest.raises(StopIteration) as end:
        proposal = next(search)
        for step in itertools.count(1):
            problem.measured += len(proposal.masks)
            problem.seconds = 0.95 if step >= proposals else 0.0
            asked.append(proposal)
            if proposal.winner >= 0:
                problem.extend(0, 0, more_minutes)
            proposal = search.send([Measurement(np.array([_of_the_first_ten(mask)])) for mask in proposal.masks])
    return end.value.value, asked


def _of_the_first_ten(mask):
    return 0.5 - 0.04 * mask[:10].sum() + 0.05 * mask[10:].sum()


@pytest.mark.parametrize("proposals", [13, 15, 17, 18, 19, 22])
def test_a_race_that_time_ends_early_is_won_by_what_did_best_until_then(proposals):
    whole, asked = _cut(0.0, 0)
    assert not asked[-1].cut
    early, asked = _cut(1.0, proposals)
    assert np.flatnonzero(early.mask).tolist() == np.flatnonzero(whole.mask).tolist() == list(range(10))
    assert asked[-1].cut
    assert "time" in early.reason


def test_a_race_whose_time_is_up_when_all_was_judged_was_not_cut():
    last = len(_cut(0.0, 0)[1]) - 1  # before the answer is measured
    assert not _cut(1.0, last)[1][-1].cut
    assert _cut(1.0, last - 1)[1][-1].cut


def test_a_race_that_was_cut_goes_on_when_more_is_allowed_and_ends_as_if_it_had_never_been_cut():
    whole, asked = _cut(0.0, 0)
    longer, more_asked = _cut(1.0, 15, more_minutes=1)
    assert [each.cut for each in more_asked if each.winner >= 0] == [True, False]
    assert np.array_equal(longer.mask, whole.mask)
    assert longer.reason == whole.reason
    assert len(more_asked) == len(asked) + 1  # the answer twice, and all else once


def test_a_race_that_was_cut_after_all_features_is_not_won_by_them():
    early, _ = _cut(1.0, 2)  # all features in the first heats, one filter in the first of these
    assert early.mask.sum() < 30
