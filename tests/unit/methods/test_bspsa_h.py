import numpy as np
import pytest

from fsdesk import Evaluator, RunSpec
from fsdesk.engine import RunState, ThreadExecutor, run
from fsdesk.measure import Measurement
from fsdesk.methods import METHODS, Problem
from fsdesk.methods.bspsa_h import BSPSAH
from fsdesk.methods.local_search import local_search
from fsdesk.methods.ranking_selection import Rungs, Seen, confirm
from fsdesk.results.benchmark import mixed
from tests.planted import additive, needles, redundant, searched, xor

SEEDS = range(2)


def _built(features, **values):
    return METHODS["bspsa-h"].build(values, features=features)


def _losses(*values):
    return [Measurement(np.array([value])) for value in values]


def _first_step(method, features, y_plus, y_minus):
    """w before and after a first step in which all pairs measured the same difference."""
    search = method.search(Problem(features, 1000), np.random.default_rng(0))
    first = next(search)
    own = sum(first.candidates)
    pairs = (len(first.masks) - own) // 2
    second = search.send(_losses(*[0.3] * own, *[y_plus, y_minus] * pairs))
    return first, second


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("make", [additive, redundant, xor])
def test_it_finds_what_was_planted_under_noise_and_beats_random_at_the_same_budget(make, seed):
    problem = make()
    found = searched(_built(problem.features), problem, seed, budget=3000)
    by_chance = searched(METHODS["random"].build({}, features=problem.features), problem, seed, budget=3000)
    assert problem.missed(found.answer) == 0
    assert problem.idle(found.answer) <= 3
    assert problem.loss(found.answer) < problem.loss(by_chance.answer)


def test_it_finds_10_of_5000_and_gives_the_error_for_every_size_on_the_way():
    problem = needles()
    found = searched(_built(5000), problem, seed=0, budget=9000)
    assert problem.missed(found.answer) <= 1
    assert problem.idle(found.answer) <= 3
    full_last = [len(proposal.masks) for proposal in found.proposals[-5:]]
    assert full_last == [full_last[0]] * 5
    sizes = [int(mask.sum()) for mask in found.proposals[-1].masks]
    assert sizes[0] == 5000
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) >= 7


@pytest.mark.parametrize("budget", [1, 2, 7, 31, 119, 120, 500])
@pytest.mark.parametrize("features", [1, 3, 60, 300])
@pytest.mark.parametrize("thorough", ["none", "bernoulli", "local"])
def test_the_budget_is_planned_with_and_never_exceeded(budget, features, thorough):
    problem = additive(features, relevant=max(1, features // 4))
    method = METHODS["bspsa-h"].build({"thorough": thorough}, features=features)
    found = searched(method, problem, budget=budget, told=budget)
    assert 0 < found.measured <= budget
    assert found.answer.any()
    if features == 60 and thorough == "none":
        assert found.measured >= budget - 1 - budget // 10  # the race rounds its shares down


def test_its_own_number_of_measurements_binds_where_the_run_allows_more():
    found = searched(_built(30, max_measurements=400), additive(30, 5))
    assert found.measured <= 400 == _built(30, max_measurements=400).measurements(30)


@pytest.mark.parametrize(
    ("features", "budget", "rounds"), [(99, 3000, 1), (100, 9000, 3), (279, 9000, 5), (2400, 9000, 8), (2400, 130, 2)]
)
def test_rounds_are_log2_of_an_eighth_of_the_features_and_not_more_than_the_budget_is_worth(features, budget, rounds):
    assert _built(features).planned_rounds(features, budget) == rounds


def test_the_first_step_moves_every_weight_by_a_tenth_of_c_whatever_the_scale_of_the_loss():
    for scale in (1e-6, 1.0, 1e6):
        method = BSPSAH(c=0.2, step=0.1, A=100)
        _, second = _first_step(method, 1, 0.2 * scale, 0.1 * scale)
        # One feature: g is the mean of five slopes of equal size and of the signs of delta.
        assert abs(second.weights[0] - 0.5) in [pytest.approx(0.02 * share, abs=1e-12) for share in (0.2, 0.6, 1.0)]


def test_a_criterion_that_shows_no_difference_yet_is_calibrated_by_the_first_that_it_shows():
    search = BSPSAH(gradients=1, measure_every=1000).search(Problem(4, 1000), np.random.default_rng(0))
    proposal = next(search)
    proposal = search.send(_losses(*[0.5] * len(proposal.masks)))
    assert proposal.trace["a_k"] == 0
    assert proposal.weights == pytest.approx(np.full(4, 0.5))
    proposal = search.send(_losses(0.5, 0.4))
    assert np.abs(proposal.weights - 0.5) == pytest.approx(np.full(4, 0.02 * (101 / 102) ** 0.6))


def test_pairs_share_their_folds_and_w_is_measured_every_five_iterations():
    found = searched(_built(40), additive(), budget=700)
    search = [proposal for proposal in found.proposals if not proposal.confirms]
    assert all(proposal.folds == "shared" for proposal in search)
    assert [proposal.iteration % 5 == 0 for proposal in search[:-1]] == [any(p.candidates) for p in search[:-1]]
    assert {len(proposal.masks) for proposal in search[1:-2]} == {6, 7}  # three slopes, and w where it is due


def test_the_finalists_are_raced_on_shared_folds_and_the_last_mean_is_reported():
    found = searched(_built(40), additive(), budget=3000)
    race = [proposal for proposal in found.proposals if proposal.confirms]
    assert [len(proposal.masks) for proposal in race] == [10] * 3 + [3] * 10
    assert not any(any(proposal.candidates) for proposal in race)
    means = np.array(found.means[-30:]).reshape(10, 3)
    best = means.mean(axis=0).argmin()
    assert np.array_equal(found.end.mask, race[-1].masks[best])
    assert found.end.mean == pytest.approx(means[:, best].mean())
    assert found.end.std_error == pytest.approx(means[:, best].std(ddof=1) / np.sqrt(10))


def test_after_the_rounds_the_answer_is_the_smallest_mean_of_all_rounds_and_the_full_set_side_by_side():
    found = searched(_built(300), additive(300, 12), budget=2000)
    last = found.proposals[-5:]
    assert all(proposal.confirms and proposal.folds == "shared" for proposal in last)
    assert last[0].masks[0].all()
    count = len(last[0].masks)
    means = np.array(found.means[-5 * count :]).reshape(5, count).mean(axis=0)
    assert np.array_equal(found.end.mask, last[0].masks[means.argmin()])
    assert found.end.mean == pytest.approx(means.min())


def test_features_left_out_in_an_earlier_round_have_weight_0_and_stay_out():
    found = searched(_built(300), additive(300, 12), budget=2000)
    out = np.zeros(300, dtype=bool)
    left, round_number = 300, 1
    for proposal in found.proposals:
        if proposal.trace["round"] != round_number:
            assert proposal.trace["round"] == round_number + 1
            assert proposal.trace["features_left"] <= left
            round_number, left = proposal.trace["round"], proposal.trace["features_left"]
            out = proposal.weights == 0
            assert out.sum() == 300 - left
        if not proposal.confirms:
            assert not any(mask[out].any() for mask in proposal.masks)
            assert not proposal.weights[out].any()
    assert round_number == _built(300).planned_rounds(300, 2000)


def test_a_given_start_is_the_first_w_and_every_push_still_turns_each_feature_over():
    start = np.arange(40) % 3 == 1
    found = searched(_built(40), additive(), budget=200, start=start)
    first = found.proposals[0]
    assert np.array_equal(first.masks[0], start)
    assert set(np.abs(first.weights - 0.5) < 0.2) == {True}
    assert all(np.array_equal(plus, ~minus) for plus, minus in zip(first.masks[1::2], first.masks[2::2], strict=True))


@pytest.mark.parametrize(
    ("features", "wanted", "thorough"),
    [
        *((*sizes, "none") for sizes in ((40, 3), (40, 12), (40, 40), (300, 5), (300, 40), (300, 200), (9, 50))),
        *((*sizes, thorough) for sizes in ((40, 3), (300, 40), (9, 50)) for thorough in ("bernoulli", "local")),
    ],
)
def test_a_number_of_features_that_is_wanted_is_met_exactly_at_any_moment(features, wanted, thorough):
    problem = additive(features, relevant=3)
    found = searched(_built(features, wanted=wanted, thorough=thorough), problem, budget=900)
    wanted = min(wanted, features)
    assert found.answer.sum() == wanted
    stopped_early = [mask for mask, flag in zip(found.masks, found.candidates, strict=True) if flag]
    assert stopped_early
    assert {int(mask.sum()) for mask in stopped_early} == {wanted}


def test_with_a_wanted_number_the_best_features_are_in_it_for_the_rounds_narrow_down_as_without_it():
    problem = needles(2000, 10)
    found = searched(_built(2000, wanted=10), problem, budget=9000)
    assert problem.missed(found.answer) <= 1
    left = {proposal.trace["round"]: proposal.trace["features_left"] for proposal in found.proposals}
    assert left[2] > 500
    assert left[3] > 200


@pytest.mark.parametrize("features", [40, 300])
def test_a_limit_on_the_number_of_features_is_kept_by_the_answer_and_by_all_candidates(features):
    problem = additive(features, relevant=12)
    found = searched(_built(features, most=6), problem, budget=900)
    assert found.answer.sum() <= 6
    sizes = [int(mask.sum()) for mask, flag in zip(found.masks, found.candidates, strict=True) if flag]
    assert max(sizes) <= 6
    last = max(proposal.trace["round"] for proposal in found.proposals)
    searched_last = [p for p in found.proposals if p.trace["round"] == last and not p.confirms]
    assert max(int(mask.sum()) for proposal in searched_last for mask in proposal.masks) <= 6


@pytest.mark.parametrize("thorough", ["bernoulli", "local"])
def test_the_thorough_ways_find_what_was_planted(thorough):
    problem = additive()
    found = searched(_built(40, thorough=thorough), problem, budget=3000)
    assert problem.missed(found.answer) == 0
    assert problem.idle(found.answer) <= 3


def test_bernoulli_pairs_at_the_start_are_opposites_and_weights_keep_away_from_0_and_1():
    found = searched(_built(40, thorough="bernoulli"), additive(), budget=600)
    first = found.proposals[0]
    assert all(np.array_equal(plus, ~minus) for plus, minus in zip(first.masks[1::2], first.masks[2::2], strict=True))
    assert all(p.weights.min() >= 0.05 and p.weights.max() <= 0.95 for p in found.proposals)


def test_on_a_table_one_of_each_group_is_found_and_the_run_s_state_holds_the_curve():
    known = mixed(noise_columns=100)
    data, groups = known.dataset, known.needed
    spec = RunSpec.make(data, method="bspsa-h", seed=1, settings={"max_measurements": 1500})
    state = RunState()
    with ThreadExecutor(Evaluator(data, "nn", seed=1)) as executor:
        for event in run(spec, data, executor):
            state.apply(event)
    assert all(state.best.mask[list(group)].any() for group in groups[2:])
    assert state.best.mask.sum() <= 12
    assert state.best.mean < state.baseline / 3
    curve = state.confirmed.curve()
    sizes = [int(mask.sum()) for mask, _, _ in curve]
    assert sizes[-1] == len(data.features)
    assert sizes == sorted(sizes)
    assert any(np.array_equal(mask, state.best.mask) for mask, _, _ in curve)
    assert state.evaluations <= 1500


def _raced(seen, most, rungs, truth):
    """The winner of a race whose measurements have no noise, and the masks of every proposal."""
    search = rungs.race(seen, most, _shown())
    asked = []
    try:
        proposal = next(search)
        while True:
            asked.append(list(proposal.masks))
            proposal = search.send(_losses(*(truth[mask.tobytes()] for mask in proposal.masks)))
    except StopIteration as stop:
        return stop.value, asked


def _shown():
    from fsdesk.methods import Proposal

    return Proposal([], (), 0)


@pytest.mark.parametrize("most", range(9))
def test_a_race_takes_no_more_than_it_may_and_corrects_the_luck_of_the_first_measurement(most):
    masks = [np.arange(5) == place for place in range(5)]
    truth = {mask.tobytes(): 0.5 - 0.1 * place for place, mask in enumerate(masks)}
    seen = Seen()
    seen.hear(masks, _losses(0.1, 0.2, 0.3, 0.4, float("nan")))
    winner, asked = _raced(seen, most, Rungs(4, 1, 2, 2), truth)
    assert sum(map(len, asked)) <= most
    assert (winner is None) == (most == 0)
    if most == 8:
        assert np.array_equal(winner.mask, masks[3])
        assert winner.mean == pytest.approx(0.2)
        assert [len(masks) for masks in asked] == [4, 2, 2]


def test_the_running_mean_ranks_what_was_seen_and_a_failed_measurement_rules_out():
    masks = [np.arange(3) == place for place in range(3)]
    seen = Seen()
    seen.hear(masks, _losses(0.1, 0.2, 0.3))
    seen.hear(masks[:1], _losses(0.5))
    assert [int(mask.argmax()) for mask in seen.best(3)] == [1, 0, 2]  # .2, (.1 + .5) / 2 = .3 before .3
    seen.hear(masks[1:2], _losses(float("inf")))
    assert [int(mask.argmax()) for mask in seen.best(3)] == [0, 2]


def test_of_two_that_confirm_equally_the_one_with_fewer_features_is_first():
    masks = [np.array([True, True]), np.array([True, False])]
    search = confirm(masks, 1, _shown())
    next(search)
    with pytest.raises(StopIteration) as stop:
        search.send(_losses(0.25, 0.25))
    assert stop.value.value[0].mask.tolist() == [True, False]


@pytest.mark.parametrize(("low", "high"), [(1, 8), (2, 3), (3, 3)])
def test_local_search_reaches_the_best_mask_keeps_to_the_sizes_and_asks_for_none_twice(low, high):
    values = np.array([3.0, -1.0, 2.0, -2.0, 1.0, -1.0, 0.5, -3.0])
    start = np.arange(8) >= 8 - high if high < 8 else np.ones(8, dtype=bool)
    search = local_search(start, 60, low, high, np.random.default_rng(0))
    asked = []
    try:
        masks = next(search)
        while True:
            asked += masks
            masks = search.send(_losses(*(-values[mask].sum() for mask in masks)))
    except StopIteration as stop:
        assert stop.value == len(asked) <= 60
    assert len({mask.tobytes() for mask in asked}) == len(asked)
    assert all(low <= mask.sum() <= high for mask in asked)
    best = max(values[mask].sum() for mask in asked)
    assert best == pytest.approx(sum(sorted(values, reverse=True)[: min(high, 4)]))


def test_a_round_that_stalls_ends_early_but_its_finalists_are_measured_again():
    problem = additive(20, relevant=4)
    whole = searched(_built(20, max_measurements=1500), problem)
    stalled = searched(_built(20, max_measurements=1500, stall_limit=20), problem)
    assert stalled.measured < whole.measured
    assert stalled.end.reason == "no better subset for more than 20 iterations"
    assert stalled.proposals[-1].confirms
    assert problem.loss(stalled.answer) < 0.4


def test_when_it_is_late_no_further_round_begins_and_the_best_so_far_are_measured_again():
    planted, problem = additive(300, relevant=20), Problem(300, 9000, most_seconds=100.0)
    search = _built(300, max_measurements=9000).search(problem, np.random.default_rng(0))
    proposal, taken, late = next(search), 0, []
    with pytest.raises(StopIteration) as end:
        while True:
            taken += len(proposal.masks)
            problem.seconds = 85.0 if taken >= 2500 else 0.0  # in the second of five rounds
            late += [proposal] if problem.is_late else []
            proposal = search.send([planted.measured(mask, taken) for mask in proposal.masks])
    assert end.value.value.mask is not None
    assert "time" in end.value.value.reason
    assert all(each.confirms for each in late[3:])
    assert sum(len(each.masks) for each in late) < 120


def _clocked(method, planted, problem, budget_of_time=np.inf):
    """All proposals and the end of a search where a measurement takes as many seconds as it has features, and ten."""
    search, proposals, losses = method.search(problem, np.random.default_rng(0)), [], None
    try:
        while True:
            proposals.append(next(search) if losses is None else search.send(losses))
            assert problem.seconds < budget_of_time  # so the loop would not have ended it by force
            masks = proposals[-1].masks
            problem.seconds += sum(10.0 + mask.sum() for mask in masks)
            problem.measured += len(masks)
            losses = [planted.measured(mask, problem.measured) for mask in masks]
    except StopIteration as stop:
        return proposals, stop.value


@pytest.mark.parametrize("minutes", [500, 1500, 5000])
def test_rounds_and_races_are_shortened_alike_so_that_all_of_them_end_in_the_time(minutes):
    planted, most = additive(300, relevant=8), 60.0 * minutes
    method = _built(300)
    proposals, end = _clocked(method, planted, problem := Problem(300, 9000, most_seconds=most), most)
    rounds = [proposal.trace["round"] for proposal in proposals]
    taken = [rounds.count(number) for number in sorted(set(rounds))]
    assert rounds[-1] == 5 if minutes > 500 else rounds[-1] > 1
    assert min(taken) > 0.3 * max(taken)
    assert len(proposals[-1].masks) == rounds[-1] + 1
    assert proposals[-1].confirms
    assert 0.8 * most < problem.seconds < most
    assert end.reason == "the time was nearly up, and the finalists were measured again"
    assert planted.loss(end.mask) < planted.loss(np.ones(300, dtype=np.bool_))


def test_a_time_that_suffices_changes_nothing():
    planted = additive(300, relevant=8)
    ample, _ = _clocked(_built(300), planted, Problem(300, 900, most_seconds=1e9))
    free, end = _clocked(_built(300), planted, Problem(300, 900))
    assert [each.masks[0].tobytes() for each in ample] == [each.masks[0].tobytes() for each in free]
    assert end.reason == "the plan of 900 measurements is carried out"


def test_iterations_are_limited_and_shared_out_among_the_rounds():
    planted, method = additive(300, relevant=8), _built(300, max_iterations=100)
    proposals, end = _clocked(method, planted, problem := Problem(300, method.measurements(300)))
    steps = {(each.trace["round"], each.iteration) for each in proposals if not each.confirms}
    rounds = sorted(number for number, _ in steps)
    assert problem.measured <= method.measurements(300) < 1000
    assert end.reason == "all 100 iterations done"
    assert len({iteration for _, iteration in steps}) == 101  # with the last w
    assert max(map(rounds.count, set(rounds))) - min(map(rounds.count, set(rounds))) <= 1


def test_rounds_that_were_shortened_begin_anew_when_there_is_more_time():
    planted, most = additive(300, relevant=8), 60.0 * 500
    plain, early = _clocked(_built(300), planted, Problem(300, 9000, most_seconds=most))
    problem = Problem(300, 9000, most_seconds=most)
    search, proposals = _built(300).search(problem, np.random.default_rng(0)), []
    with pytest.raises(StopIteration) as stop:
        losses = None
        while True:
            proposals.append(next(search) if losses is None else search.send(losses))
            masks = proposals[-1].masks
            problem.seconds += sum(10.0 + mask.sum() for mask in masks)
            problem.measured += len(masks)
            losses = [planted.measured(mask, problem.measured) for mask in masks]
            if len(proposals) == len(plain):  # the time is up
                problem.extend(0, 0, minutes=100_000)
    rounds = [proposal.trace["round"] for proposal in proposals[len(plain) :]]
    assert rounds[0] == 1
    assert max(rounds) == 5
    assert rounds == sorted(rounds)
    assert problem.measured <= 9000
    assert planted.loss(stop.value.value.mask) < planted.loss(early.mask)
