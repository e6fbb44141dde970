"""The kernel against the definition, computed the long way: every fold, every pair, lowest row on ties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fsdesk import Evaluator
from fsdesk.wrappers import WRAPPERS


def _filled(train, test, nominal_groups):
    """Fill gaps from the training rows: median, or most frequent category (lowest code on ties)."""
    train, test = train.copy(), test.copy()
    for column in range(train.shape[1]):
        present = train[~np.isnan(train[:, column]), column]
        if column in nominal_groups:
            codes, counts = np.unique(present, return_counts=True)
            fill = codes[counts.argmax()] if len(codes) else 0.0
        else:
            fill = np.median(present) if len(present) else 0.0
        train[np.isnan(train[:, column]), column] = fill
        test[np.isnan(test[:, column]), column] = fill
    return train, test


def _expanded(x, categories):
    parts = []
    for column in range(x.shape[1]):
        if column in categories:
            codes = range(len(categories[column]))
            parts += [(x[:, column] == code).astype(float) for code in (codes if len(codes) > 2 else codes[1:])]
        else:
            parts.append(x[:, column])
    return np.column_stack(parts)


def _by_definition(dataset, mask, labels, scaling, k):
    chosen = np.flatnonzero(mask)
    x = dataset.x[:, chosen]
    categories = {place: dataset.categories[c] for place, c in enumerate(chosen) if c in dataset.categories}
    predicted = np.empty(labels.shape, dtype=np.int64)
    for repeat, row_labels in enumerate(labels):
        for fold in np.unique(row_labels):
            train, test = np.flatnonzero(row_labels != fold), np.flatnonzero(row_labels == fold)
            a, b = _filled(x[train], x[test], categories)
            a, b = _expanded(a, categories), _expanded(b, categories)
            if scaling == "fold":
                deviation = a.std(axis=0)
                varies = a.max(axis=0) > a.min(axis=0)
                a, b = a[:, varies] / deviation[varies], b[:, varies] / deviation[varies]
            for row, values in zip(test, b, strict=True):
                distances = np.square(a - values).sum(axis=1)
                nearest = np.argsort(distances, kind="stable")[:k]
                predicted[repeat, row] = np.bincount(dataset.target[train[nearest]]).argmax()
    return predicted


@st.composite
def problems(draw):
    rows = draw(st.integers(8, 40))
    features = draw(st.integers(1, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    # Powers of two and whole numbers in few values: many exact ties, no rounding to explain them away.
    x = rng.integers(0, draw(st.sampled_from([2, 4, 50])), size=(rows, features)).astype(float)
    target = rng.permutation(np.arange(rows) % draw(st.integers(2, 3)))
    mask = rng.random(features) < 0.6
    mask[rng.integers(features)] = True
    return x, target, mask


@settings(deadline=None, max_examples=50)
@given(problem=problems(), k=st.sampled_from([1, 3]))
def test_unscaled_neighbours_are_those_of_the_definition_with_ties_to_the_lowest_row(make_dataset, problem, k):
    x, target, mask = problem
    dataset = make_dataset(x, target)
    evaluator = Evaluator(dataset, WRAPPERS["nn"].build({"k": k}), scaling="none", repeats=3, folds=4)
    expected = _by_definition(dataset, mask, evaluator.fold_labels(1), "none", k)
    assert np.array_equal(evaluator.predict(mask, 1), expected)


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**32), heavy=st.booleans(), features=st.sampled_from([3, 20, 400]))
def test_neighbours_in_fold_scaling_are_those_of_the_definition(make_dataset, seed, heavy, features):
    rng = np.random.default_rng(seed)
    x = rng.standard_t(1, size=(36, features)) if heavy else rng.normal(size=(36, features))
    x[:, 0] = 0.0
    x[rng.integers(36), 0] = 1e6  # constant in the training rows of one fold in every repeat
    target = np.arange(36) % 3
    mask = np.ones(features, dtype=bool)
    evaluator = Evaluator(make_dataset(x, target), scaling="fold", repeats=4, folds=5)
    expected = _by_definition(evaluator.dataset, mask, evaluator.fold_labels(0), "fold", 1)
    assert np.array_equal(evaluator.predict(mask, 0), expected)


@pytest.mark.parametrize("scaling", ["fold", "none"])
@pytest.mark.parametrize("seed", range(8))
def test_gaps_and_categories_are_learned_from_the_training_rows_of_each_fold(make_dataset, seed, scaling):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(40, 5))
    x[:, 1] = rng.integers(0, 2, size=40)
    x[:, 4] = rng.integers(0, 4, size=40)
    x[rng.random(x.shape) < 0.15] = np.nan
    dataset = make_dataset(x, np.arange(40) % 2, {1: ("a", "b"), 4: ("p", "q", "r", "s")})
    mask = np.array([True, True, seed % 2 == 0, False, True])
    evaluator = Evaluator(dataset, scaling=scaling, repeats=3, folds=5, seed=seed)
    expected = _by_definition(dataset, mask, evaluator.fold_labels(2), scaling, 1)
    assert np.array_equal(evaluator.predict(mask, 2), expected)


@pytest.mark.parametrize("scaling", ["fold", "none"])
@pytest.mark.parametrize("size", [1e-200, 1e-30, 1e10, 1e20, 1e30, 1e200])
@pytest.mark.parametrize("features", [5, 300])
def test_outliers_and_units_of_any_size_do_not_change_who_is_nearest(make_dataset, features, size, scaling):
    rng = np.random.default_rng(5)
    x = rng.normal(size=(30, features))
    target = np.arange(30) % 2
    mask = np.ones(features, dtype=bool)
    # All columns in other units, exactly: the same neighbours.
    scaled = Evaluator(make_dataset(x * 2.0 ** np.round(np.log2(size)), target), scaling=scaling, repeats=3)
    plain = Evaluator(make_dataset(x, target), scaling=scaling, repeats=3)
    assert np.array_equal(scaled.predict(mask, 0), plain.predict(mask, 0))
    if 1 < size < 1e100:
        # One far row: among the others, only the scale of the columns changes, which long doubles can tell.
        x[7] = size
        far = Evaluator(make_dataset(x, target), scaling=scaling, repeats=3)
        labels = far.fold_labels(0)
        predicted = far.predict(mask, 0)
        for repeat in range(3):
            for row in range(30):
                train = np.flatnonzero((labels[repeat] != labels[repeat, row]) & (np.arange(30) != 7))
                if row != 7 and labels[repeat, row] == labels[repeat, 7]:  # the outlier is in the fold that is left out
                    weights = 1 / x[train].astype(np.longdouble).var(axis=0) if scaling == "fold" else 1
                    distances = (np.square(x[train].astype(np.longdouble) - x[row]) * weights).sum(axis=1)
                    assert predicted[repeat, row] == target[train[distances.argmin()]]
