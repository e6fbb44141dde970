"""Conditional importance: what a feature says beyond the others, by exchange of its residuals."""

import numpy as np
import pytest

from fsdesk import select
from fsdesk.data import Dataset
from fsdesk.results.exports import features_csv
from fsdesk.results.features import effects_of, exchanged, importances
from tests.unit.results.test_survival import planted


def table(n=300, seed=0):
    """The class is told by a, and by b of which c is nearly a copy; d tells nothing."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 4))
    x[:, 2] = x[:, 1] + 0.2 * rng.normal(size=n)
    y = (x[:, 0] + x[:, 1] + 0.5 * rng.normal(size=n) > 0).astype(np.int64)
    return Dataset("d", np.asfortranarray(x), tuple("abcd"), y, "ill", ("no", "yes"), tuple(map(str, range(n))))


def test_what_is_exchanged_keeps_how_the_columns_go_together():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(800, 3))
    x[:, 1] = 2 * x[:, 0] + 0.5 * rng.normal(size=800)
    learned, rows = x[:400], x[400:]
    made = exchanged(learned, rows, 1, rng)
    assert np.array_equal(made[:, [0, 2]], rows[:, [0, 2]])
    assert not np.array_equal(made[:, 1], rows[:, 1])
    assert np.corrcoef(made[:, 0], made[:, 1])[0, 1] == pytest.approx(
        np.corrcoef(rows[:, 0], rows[:, 1])[0, 1], abs=0.02
    )
    beyond = [each[:, 1] - 2 * each[:, 0] for each in (made, rows)]
    assert abs(np.corrcoef(*beyond)[0, 1]) < 0.2
    alone = exchanged(learned[:, :1], rows[:, :1], 0, rng)
    assert sorted(alone[:, 0].tolist()) == pytest.approx(sorted(rows[:, 0].tolist()))


def test_gaps_stay_gaps():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(50, 2))
    rows[::5, 0] = np.nan
    made = exchanged(rng.normal(size=(80, 2)), rows, 0, rng)
    assert np.array_equal(np.isnan(made), np.isnan(rows))
    assert np.isfinite(exchanged(np.full((30, 2), np.nan), rows, 1, rng)[:, 1]).all()


@pytest.mark.parametrize("wrapper", ["logistic", "svm", "nn", "cart"])
def test_a_feature_that_another_stands_for_is_less_important(wrapper):
    data = table()
    result = select(data, method="full", wrapper=wrapper, seed=0, outer=0)
    found = importances(result, data)
    assert set(found) == {0, 1, 2, 3}
    own, shared, useless = found[0][0], found[1][0], found[3][0]
    assert own > 0.1
    assert own > shared
    assert abs(useless) < 0.05
    low, high = found[0][1:]
    assert low < own < high
    if wrapper in ("logistic", "svm"):
        assert shared < 0.5 * own
        assert found[3][1] < 0 < found[3][2] or abs(useless) < 0.005


def test_times_and_numbers_have_one_too():
    data = planted(150)
    result = select(data, method="full", wrapper="cox", seed=0, outer=0)
    found = importances(result, data)
    assert min(found[1][0], found[4][0]) > max(found[place][0] for place in (0, 2, 3, 5, 6, 7))
    numbers = table()
    rng = np.random.default_rng(0)
    y = numbers.x[:, 0] + 0.3 * rng.normal(size=300)
    of_numbers = Dataset(
        "n", numbers.x, numbers.features, np.zeros(300, dtype=np.int64), "y", (), numbers.rows, response=y
    )
    result = select(of_numbers, method="full", wrapper="ridge", seed=0, outer=0)
    assert (
        importances(result, of_numbers)[0][0] == max(each[0] for each in importances(result, of_numbers).values()) > 0.5
    )


def test_it_is_in_the_file_and_among_the_effects():
    data = table(120)
    result = select(data, method="full", wrapper="logistic", seed=0, outer=0)
    effect = effects_of(result, data)[0]
    assert (effect.importance, effect.importance_low, effect.importance_high) == importances(result, data)[0]
    head, first, *_ = features_csv(result, data).splitlines()
    assert head.endswith("importance,importance from,importance to")
    assert float(first.split(",")[-3]) == effect.importance
