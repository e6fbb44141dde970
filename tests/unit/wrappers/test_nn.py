"""Nearest neighbors: errors counted in one call are those of the predictions, and weights are each fit's own."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fsdesk import Evaluator
from fsdesk.data import Dataset
from fsdesk.measure.design import design_of
from fsdesk.wrappers.nn import NearestNeighbours


def _table(rows, features, levels, seed):
    """Ties, rows twice, a column of one value, and one that is of one value but for a row: constant in some fits."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, levels, size=(rows, features)) * rng.choice([1.0, 0.1, 1e6], size=features)
    x[rng.permutation(rows)[: rows // 4]] = x[rng.permutation(rows)[: rows // 4]]
    x[:, 0], x[:, -1] = 3.0, 5.0
    x[rng.integers(rows), -1] = 7.0
    names = tuple(f"f{place}" for place in range(features))
    target = np.concatenate([[0, 1, 2], rng.integers(0, 3, size=rows - 3)])
    return Dataset("table", np.asfortranarray(x), names, target, "y", ("0", "1", "2"), ("",) * rows)


@pytest.mark.parametrize("scaling", ["fold", "once", "none"])
@pytest.mark.parametrize("scaler", ["z-score", "robust"])
@settings(deadline=None, max_examples=15)
@given(
    rows=st.integers(12, 70),
    features=st.sampled_from([2, 3, 9, 70, 300]),
    levels=st.sampled_from([2, 5, 10_000]),
    k=st.sampled_from([1, 4, 100]),
    gaps=st.sampled_from([0, 2]),
    seed=st.integers(0, 1000),
)
def test_errors_in_one_call_are_those_of_the_predictions(scaling, scaler, rows, features, levels, k, gaps, seed):
    dataset = _table(rows, features, levels, seed)
    dataset.x[seed % 7 :: 9, :gaps] = np.nan
    evaluator = Evaluator(dataset, NearestNeighbours(k=k), scaling=scaling, scaler=scaler, repeats=4, folds=3)
    mask = np.random.default_rng(seed).random(features) < 0.7
    mask[-1] = True
    assert np.array_equal(evaluator.measure(mask, seed).values, evaluator.losses(mask, seed))


def test_weights_beyond_single_precision_change_nothing():
    dataset = _table(40, 4, 10_000, 1)
    dataset.x[:, 1] = 1e-9 * np.arange(40)
    dataset.x[0, 1] = 1e12  # without its row, which no fit is trained on, next to nothing is left of the deviation
    predictor = NearestNeighbours().bind(design_of(dataset, "fold"))
    labels = np.full((2, 40), -1)
    labels[0, :10], labels[1, :20] = 0, 0
    neighbours = predictor.nearest(np.array([True, True, False, True]), labels)[0]
    # The other columns count for nothing beside this one: the next training row is the nearest.
    assert (neighbours[1:10, 0, 0] == 10).all()
    assert (neighbours[1:20, 1, 0] == 20).all()


def test_one_fit_alone_has_its_own_weights():
    # Hold-out, once: heavy tails, so that the deviation of the training rows is far from that of all rows.
    rng = np.random.default_rng(0)
    x, target = rng.standard_t(1.5, size=(40, 6)), np.arange(40) % 3
    dataset = Dataset("table", np.asfortranarray(x), tuple("abcdef"), target, "y", ("0", "1", "2"), ("",) * 40)
    evaluator = Evaluator(dataset, "nn", protocol="hold-out", repeats=1, test_share=0.3)
    for number in range(20):
        labels = evaluator.fold_labels(number)[0]
        train, test = np.flatnonzero(labels < 0), np.flatnonzero(labels == 0)
        z = x / x[train].std(axis=0)
        far = np.square(z[test][:, None] - z[train]).sum(axis=2)
        expected = target[train[far.argmin(axis=1)]]
        assert np.array_equal(evaluator.predict(np.ones(6, dtype=bool), number)[0, test], expected)
