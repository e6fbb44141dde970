"""CART on tables that nobody would make on purpose: every split is as good as scikit-learn's best for the same rows.

Trees of our rule (of equal splits the lowest column, in it the lowest threshold) are grown by plain enumeration. Each
split takes as much off the impurity as the one that scikit-learn finds, which draws among equal ones; predictions are
that tree's, with no room for others. A best split that takes nothing off is made here; by scikit-learn too, unless it
sums up to less than nothing by rounding.

scikit-learn sees values in single precision and takes those within 1e-7 for equal. A split hangs on nothing but the
order of values, so it is shown their ranks; our thresholds, halfway between the values, stay those of the values.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.oracles.odd import ODD, VALUES, tables

KINDS = [*VALUES, "apart", "tied", "tied"]
BURDENS = {
    # Of (..., classes) weights, or of (..., 3) numbers, sums and sums of squares: rows times impurity.
    "gini": lambda w: w.sum(axis=-1) - (w**2).sum(axis=-1) / w.sum(axis=-1),
    "entropy": lambda w: -(w * np.log2(np.where(w > 0, w, 1) / w.sum(axis=-1, keepdims=True))).sum(axis=-1),
    "squared_error": lambda w: w[..., 2] - w[..., 1] ** 2 / w[..., 0],
}


def filled(x, train):
    """Gaps filled with the median of the training rows, 0 where they have no value."""
    result = x.copy()
    for column in result.T:
        known = column[train][~np.isnan(column[train])]
        column[np.isnan(column)] = np.median(known) if len(known) else 0.0
    return result


def stump_gain(criterion, x, mass, min_leaf):
    """How much scikit-learn's best split takes off the impurity of these rows; None where it finds none."""
    ranks = np.column_stack([np.unique(column, return_inverse=True)[1] for column in x.T])
    if criterion == "squared_error":
        model = DecisionTreeRegressor(max_depth=1, min_samples_leaf=min_leaf).fit(ranks, mass[:, 1])
    else:
        model = DecisionTreeClassifier(criterion=criterion, max_depth=1, min_samples_leaf=min_leaf)
        model.fit(ranks, mass.argmax(axis=1), sample_weight=mass.sum(axis=1))
    inside = model.tree_.weighted_n_node_samples * model.tree_.impurity
    return inside[0] - inside[1] - inside[2] if len(inside) == 3 else None


def between(low, high):
    """The number halfway between two; the lower one where there is none between them."""
    middle = low / 2 + high / 2
    return middle if low <= middle < high else low


def best_split(criterion, x, mass, min_leaf):
    """Gain, column and threshold of the best split, of equal ones the lowest; None where there is none."""
    burden, whole, found = BURDENS[criterion], mass.sum(axis=0), []
    for place, values in enumerate(x.T):
        order = np.argsort(values, kind="stable")
        ascending = values[order]
        cut = np.flatnonzero(ascending[1:] != ascending[:-1])
        cut = cut[(cut + 1 >= min_leaf) & (len(values) - cut - 1 >= min_leaf)]
        left = np.cumsum(mass[order], axis=0)[cut]
        gains = burden(whole) - burden(left) - burden(whole - left)
        found += [(gain, place, between(*ascending[at : at + 2])) for gain, at in zip(gains, cut, strict=True)]
    if not found:
        return None
    best = max(found)[0]
    return best, *next(each[1:] for each in found if each[0] >= best - 1e-10 * max(1.0, burden(whole)))


def leaves(criterion, x, mass, tests, rules, depth=0):
    """(tests, k) sum of ``mass`` (n, k) at the leaf of each test row; every split is held against scikit-learn's."""
    whole = mass.sum(axis=0)
    result = np.tile(whole, (len(tests), 1))
    is_pure = np.ptp(mass[:, 1]) == 0 if criterion == "squared_error" else np.count_nonzero(whole) == 1
    if is_pure or not len(tests) or len(x) < rules["min_split"] or depth == (rules["max_depth"] or -1):
        return result
    best, theirs = best_split(criterion, x, mass, rules["min_leaf"]), stump_gain(criterion, x, mass, rules["min_leaf"])
    if best is None:
        assert theirs is None
        return result
    gain, place, threshold = best
    assert gain == pytest.approx(theirs or 0.0, abs=1e-9 * max(1.0, BURDENS[criterion](whole)))
    left, to_left = x[:, place] <= threshold, tests[:, place] <= threshold
    for side, goes in ((left, to_left), (~left, ~to_left)):
        result[goes] = leaves(criterion, x[side], mass[side], tests[goes], rules, depth + 1)
    return result


RULES = st.fixed_dictionaries(
    {
        "max_depth": st.sampled_from([0, 0, 1, 3]),
        "min_leaf": st.sampled_from([1, 1, 2, 5]),
        "min_split": st.sampled_from([2, 2, 7]),
    }
)
TABLES = tables(KINDS, gaps=(0.0, 0.0, 0.3))


@ODD
@given(table=TABLES, rules=RULES, impurity=st.sampled_from(["gini", "entropy"]), balanced=st.booleans())
def test_classes_are_those_of_the_best_splits(table, rules, impurity, balanced):
    weights = "balanced" if balanced else "none"
    bound = table.bound("cart", "fold", impurity=impurity, class_weights=weights, **rules)
    every = np.ones(table.x.shape[1], dtype=bool)
    predicted, scores = bound.predict(every, table.labels), bound.scores(every, table.labels)
    for repeat, train, test in table.fits():
        x, mass = filled(table.x, train), np.eye(table.classes)[table.target[train]]
        if balanced:
            mass /= np.maximum(mass.sum(axis=0), 1)
            mass *= len(train)
        expected = leaves(impurity, x[train], mass, x[test], rules)
        shares = expected / expected.sum(axis=1, keepdims=True)
        assert scores[repeat, test] == pytest.approx(shares, abs=1e-9)
        first = (shares > shares.max(axis=1, keepdims=True) - 1e-9).argmax(axis=1)
        assert np.array_equal(predicted[repeat, test], first)


@ODD
@given(
    table=TABLES,
    rules=RULES,
    seed=st.integers(0, 99),
    offset=st.sampled_from([0.0, 2.0**20]),
    scale=st.sampled_from([1.0, 2.0**-900, 2.0**900]),
)
def test_numbers_are_those_of_the_best_splits(table, rules, seed, offset, scale):
    response = table.target + np.random.default_rng(seed).integers(-3, 4, size=len(table.target)) / 4
    bound = table.bound("cart", "fold", response=(response + offset) * scale, **rules)
    values = bound.values(np.ones(table.x.shape[1], dtype=bool), table.labels) / scale - offset
    for repeat, train, test in table.fits():
        x, y = filled(table.x, train), response[train]
        expected = leaves("squared_error", x[train], np.column_stack([np.ones(len(y)), y, y**2]), x[test], rules)
        assert values[repeat, test] == pytest.approx(expected[:, 1] / expected[:, 0], abs=1e-9)
