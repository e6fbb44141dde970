"""Cox regression, score tests, concordance and neighbours, beside values of R and lifelines and plain loops."""

import numpy as np
import pytest

from fsdesk.data.kaplan_meier import last_of
from fsdesk.kernels import _core
from fsdesk.wrappers.survival import later_events

# Freireich et al., Blood 21 (1963): weeks in remission, 6-MP and placebo.
TREATED = [6, 6, 6, -6, 7, -9, 10, -10, -11, 13, 16, -17, -19, -20, 22, 23, -25, -32, -32, -34, -35]
PLACEBO = [1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23]
REMISSION = np.array([*TREATED, *PLACEBO], dtype=float)
GROUP = np.repeat([0.0, 1.0], 21)


def made(n=60, q=3, seed=7):
    """A table with ties, in standard units."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, q))
    x = (x - x.mean(axis=0)) / x.std(axis=0, ddof=1)
    time, lost = np.ceil(rng.exponential(np.exp(-x[:, 0])) * 5), np.ceil(rng.exponential(1.5, n) * 5)
    return x, np.where(time <= lost, 1.0, -1.0) * np.minimum(time, lost)


def late(y):
    """The same rows, each under observation after some time before its own."""
    return np.stack([y, np.floor(np.random.default_rng(1).random(len(y)) * np.abs(y))], axis=1)


def weights(x, y, alpha, *, efron=True):
    q = x.shape[1]
    probes = np.concatenate([np.zeros((q, 1)), np.eye(q)], axis=1)
    every, ends = np.arange(q, dtype=np.int32), np.array([0, q])
    columns = np.ascontiguousarray(x.T)
    said = _core.cox_fits(columns, y, probes, every, ends, alphas=np.array([alpha]), efron=efron)[0, 0]
    return said[1:] - said[0]


def test_remission_of_leukaemia_is_as_r_has_it():
    beta = weights(GROUP[:, None], REMISSION, 1e-10)
    assert beta[0] == pytest.approx(1.5721251, abs=1e-6)
    assert GROUP @ _core.cox_residuals(beta[0] * GROUP, REMISSION)[1] == pytest.approx(0.0, abs=1e-8)
    assert _core.cox_residuals(beta[0] * GROUP, REMISSION)[0] == pytest.approx(-85.00842457737184, abs=1e-9)
    assert _core.cox_residuals(0 * GROUP, REMISSION)[0] == pytest.approx(-93.18427, abs=1e-5)
    breslow = weights(GROUP[:, None], REMISSION, 1e-10, efron=False)
    assert breslow[0] == pytest.approx(1.50919, abs=1e-5)
    assert _core.cox_residuals(breslow[0] * GROUP, REMISSION, efron=False)[0] == pytest.approx(-86.37962, abs=1e-5)


def test_several_features_with_and_without_penalty_are_as_lifelines_has_them():
    x, y = made()
    assert weights(x, y, 1e-10) == pytest.approx([1.2008940941, 0.1319549011, 0.1162547008], abs=1e-8)
    assert weights(x, y, 6.0) == pytest.approx([0.9203904, 0.0924110, 0.0621924], abs=2e-7)  # its penalizer 0.1, n 60
    assert _core.cox_residuals(x @ weights(x, y, 1e-10), y)[0] == pytest.approx(-106.14551458349595, abs=1e-8)


def test_rows_that_came_late_are_as_lifelines_has_them():
    x, y = made()
    assert weights(x, late(y), 1e-10) == pytest.approx([0.8305894538, 0.0682874642, -0.0110213936], abs=1e-8)
    value = _core.cox_residuals(x @ weights(x, late(y), 1e-10), late(y))[0]
    assert value == pytest.approx(-88.98122729274772, abs=1e-8)


def test_rows_that_all_came_before_the_first_event_are_as_if_they_had_always_been_there():
    x, y = made()
    early, columns = np.stack([y, np.full(60, -1.0)], axis=1), np.ascontiguousarray(x.T)
    assert weights(x, early, 2.0) == pytest.approx(weights(x, y, 2.0), abs=1e-10)
    assert _core.cox_residuals(columns[0], early)[1] == pytest.approx(_core.cox_residuals(columns[0], y)[1], abs=1e-12)
    assert _core.cox_scores(columns, early)[0] == pytest.approx(_core.cox_scores(columns, y)[0], rel=1e-10)
    assert np.array_equal(forest(x, y, x), forest(x, early, x))
    labels = np.zeros((1, 60), dtype=np.int64)
    pairs = [_core.concordances(columns[:1], each, np.ones(60), labels, 1) for each in (y, early)]
    assert np.array_equal(*pairs)


def test_a_small_rest_of_a_large_sum_keeps_its_digits():
    """The first event has two rows at risk, whose hazards are a billionth of those that come later."""
    y = np.array([[1.0, 0.0], [-2.0, 0.0], *[[time, 1.5] for time in np.arange(3.0, 60.0)]])
    f = np.where(np.arange(59) < 2, [-21.0, -20.5] + [0.0] * 57, 0.0)
    f[2:] = np.linspace(0.0, 0.5, 57)
    value, residuals = _core.cox_residuals(f, y)
    expected = f[0] - np.log(np.exp(f[:2]).sum())
    rest = f[2:] - np.log(np.cumsum(np.exp(f[2:])[::-1])[::-1])
    assert value == pytest.approx(expected + rest.sum(), abs=1e-11)
    assert residuals[:2] == pytest.approx(np.array([1.0, 0.0]) - np.exp(f[:2]) / np.exp(f[:2]).sum(), abs=1e-11)


def test_times_of_entry_must_be_before_the_times():
    _, y = made()
    with pytest.raises(ValueError, match="under observation before"):
        _core.cox_residuals(np.zeros(60), np.stack([y, np.abs(y)], axis=1))
    with pytest.raises(TypeError):
        _core.cox_residuals(np.zeros(60), np.stack([y, y, y], axis=1))


@pytest.mark.parametrize("is_late", [False, True])
@pytest.mark.parametrize("efron", [True, False])
def test_the_gradient_is_zero_at_the_answer_and_is_that_of_the_likelihood(efron, is_late):
    x, y = made(80, 4, 3)
    y = late(y) if is_late else y
    beta = weights(x, y, 2.0, efron=efron)
    residuals = _core.cox_residuals(x @ beta, y, efron=efron)[1]
    assert x.T @ residuals - 2.0 * beta == pytest.approx(np.zeros(4), abs=1e-8)
    at, step = np.array([0.3, -0.2, 0.1, 0.5]), 1e-5
    slopes = [
        (_core.cox_residuals(x @ (at + step * e), y, efron=efron)[0]
         - _core.cox_residuals(x @ (at - step * e), y, efron=efron)[0]) / (2 * step)
        for e in np.eye(4)
    ]  # fmt: skip
    assert x.T @ _core.cox_residuals(x @ at, y, efron=efron)[1] == pytest.approx(slopes, abs=1e-6)


def test_more_columns_than_rows_meet_the_same_conditions():
    x, y = made(50, 400, 5)
    columns, every = np.ascontiguousarray(x.T), np.arange(400, dtype=np.int32)
    for alpha in (1.0, 100.0):
        f = _core.cox_fits(columns, y, columns, every, np.array([0, 400]), alphas=np.array([alpha]))[0, 0]
        beta = columns @ _core.cox_residuals(f, y)[1] / alpha
        assert np.ptp(x @ beta - f) < 1e-6


def test_subsets_threads_and_several_penalties_change_no_bit():
    x, y = made(60, 12, 2)
    columns = np.ascontiguousarray(x.T)
    features, offsets = np.array([0, 1, 4, 5, 6, 11], dtype=np.int32), np.array([0, 2, 3, 6])
    alphas = np.array([0.5, 50.0])
    both = [_core.cox_fits(columns, y, columns, features, offsets, alphas=alphas, threads=n) for n in (1, 2)]
    assert np.array_equal(*both)
    alone = _core.cox_fits(
        columns[[4]], y, columns[[4]], np.array([0], dtype=np.int32), np.array([0, 1]), alphas=alphas
    )
    assert np.array_equal(alone[1, 0], both[0][1, 1])


def test_huge_columns_and_predictors_end():
    x, y = made(30, 2, 1)
    for size in (1e3, 1e8):
        columns = np.ascontiguousarray(size * x.T)
        said = _core.cox_fits(
            columns, y, columns, np.arange(2, dtype=np.int32), np.array([0, 2]), alphas=np.array([1e-9])
        )
        assert np.isfinite(said).all()


@pytest.mark.parametrize("is_late", [False, True])
@pytest.mark.parametrize("efron", [True, False])
def test_score_tests_are_those_of_the_likelihood_at_zero(efron, is_late):
    x, y = made(70, 5, 4)
    y = late(y) if is_late else y
    found, scores = _core.cox_scores(np.ascontiguousarray(x.T), y, efron=efron)
    for column, statistic, score in zip(x.T, found, scores, strict=True):
        step = 1e-3
        low, middle, high = (_core.cox_residuals(b * column, y, efron=efron)[0] for b in (-step, 0.0, step))
        slope, bend = (high - low) / (2 * step), -(high - 2 * middle + low) / step**2
        assert score == pytest.approx(slope, abs=1e-4)
        assert statistic == pytest.approx(slope**2 / bend, rel=1e-4)
    constant = np.ones((1, 70))
    assert _core.cox_scores(constant, y)[0][0] == 0.0


def share(risk, y, weight):
    """Of comparable pairs the concordant ones, one by one."""
    right = total = 0.0
    y, entry = (y[:, 0], y[:, 1]) if y.ndim == 2 else (y, np.full(len(y), -1.0))
    for i in np.flatnonzero(y >= 0):
        for j in range(len(y)):
            later = abs(y[j]) > y[i] or (abs(y[j]) == y[i] and y[j] < 0)
            if later and entry[j] < y[i]:
                total += weight[i]
                right += weight[i] * (1.0 if risk[i] > risk[j] else 0.5 if risk[i] == risk[j] else 0.0)
    return right, total


def test_concordance_is_that_of_lifelines_and_of_a_loop_over_pairs():
    x, y = made()
    risk, ones, labels = np.round(x[:, 0], 1), np.ones(60), np.zeros((1, 60), dtype=np.int64)
    right, total = _core.concordances(risk[None], y, ones, labels, 1)[0, 0]
    assert right / total == pytest.approx(0.803016453382084, abs=1e-12)
    rng = np.random.default_rng(0)
    labels, weight, risks = rng.integers(-1, 3, (4, 60)), rng.random(60), rng.integers(0, 5, (4, 60)) * 1.0
    found = _core.concordances(risks, y, weight, labels, 3)
    came_late = _core.concordances(risks, late(y), weight, labels, 3)
    for repeat in range(4):
        for fold in range(3):
            rows = labels[repeat] == fold
            assert found[repeat, fold] == pytest.approx(share(risks[repeat][rows], y[rows], weight[rows]))
            assert came_late[repeat, fold] == pytest.approx(share(risks[repeat][rows], late(y)[rows], weight[rows]))


def test_a_constant_risk_is_concordant_in_half_of_the_pairs():
    _, y = made()
    right, total = _core.concordances(np.zeros((1, 60)), y, np.ones(60), np.zeros((1, 60), dtype=np.int64), 1)[0, 0]
    assert right == total / 2 > 0


@pytest.mark.parametrize("is_late", [False, True])
def test_neighbours_add_their_hazards_over_the_times_of_all_events(is_late):
    x, y = made(40, 3, 9)
    y = late(y) if is_late else y
    train, test = np.ascontiguousarray(x[:30].T), np.ascontiguousarray(x[30:].T)
    known, k = y[:30], 7
    some, ends = np.array([0, 2], dtype=np.int32), np.array([0, 2])
    found = _core.survival_neighbours(train, known, test, some, ends, weights=later_events(known), k=k)[0, :, 0]
    moments = np.unique(last_of(known)[last_of(known) >= 0])
    for row, risk in enumerate(found):
        squares = ((train[[0, 2]] - test[[0, 2], row][:, None]) ** 2).sum(axis=0)
        assert risk == pytest.approx(mortality(known[np.argsort(squares, kind="stable")[:k]], moments))


def forest(x, y, test, *, trees=50, leaf=4, threads=1):
    every, ends = np.arange(x.shape[1], dtype=np.int32), np.array([0, x.shape[1]])
    states = np.arange(1, trees + 1, dtype=np.uint64)
    weights = later_events(y)
    arguments = {"weights": weights, "states": states, "most": np.array([2]), "leaf": leaf, "threads": threads}
    columns = np.ascontiguousarray(x.T), y, np.ascontiguousarray(test.T)
    return _core.survival_forest(*columns, every, ends, **arguments)[0, :, 0]


def mortality(y, moments):
    """The cumulative hazard of some rows, summed over the times of all events."""
    y, entry = (y[:, 0], y[:, 1]) if y.ndim == 2 else (y, np.full(len(y), -1.0))
    times, events = np.abs(y), y >= 0
    return sum(
        events[times == s].sum() / ((times >= s) & (entry < s)).sum()
        for m in moments for s in np.unique(times[events]) if s <= m
    )  # fmt: skip


def test_a_tree_of_one_leaf_says_the_hazard_of_all_rows():
    x, y = made(30)
    assert forest(x, y, x[:5], trees=3, leaf=30) == pytest.approx([mortality(y, np.unique(y[y >= 0]))] * 5)


@pytest.mark.parametrize("y", [REMISSION, late(REMISSION)])
def test_a_tree_parts_two_groups_where_they_differ_most(y):
    """A feature of two values and one of one value: the only question there is."""
    said = forest(np.column_stack([GROUP, np.zeros(42)]), y, np.eye(2)[::-1], trees=1, leaf=21)
    moments = np.unique(REMISSION[REMISSION >= 0])
    assert said == pytest.approx([mortality(y[group == GROUP], moments) for group in (0, 1)])


def test_a_forest_finds_what_a_line_cannot_and_threads_change_no_bit():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(400, 4))
    time, lost = rng.exponential(np.exp(-2.0 * x[:, 0] * x[:, 1])), rng.exponential(3.0, 400)
    y = np.where(time <= lost, 1.0, -1.0) * np.minimum(time, lost)
    said = forest(x[:300], y[:300], x[300:], trees=200)
    right, total = _core.concordances(said[None], y[300:], np.ones(100), np.zeros((1, 100), dtype=np.int64), 1)[0, 0]
    assert right / total > 0.65
    assert np.array_equal(said, forest(x[:300], y[:300], x[300:], trees=200, threads=2))
