"""What training rows say of columns, against scikit-learn and numpy: variances, scales, and what fills gaps."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import MinMaxScaler, RobustScaler, StandardScaler

from fsdesk.kernels import _core


def _labels(rng, rows, folds, *, held_out):
    labels = np.array([rng.permutation(rows) % folds for _ in range(3)])
    return np.where(rng.random(labels.shape) < 0.3, rng.integers(-2, 0, labels.shape), labels) if held_out else labels


def _trained(labels, folds, fit):
    """Which rows train a fit: those of other folds, but for those that are left out."""
    return (labels[fit // folds] != fit % folds) & (labels[fit // folds] > -2)


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    rows=st.integers(4, 60),
    columns=st.sampled_from([1, 7, 130]),
    folds=st.integers(2, 4),
    held_out=st.booleans(),
)
def test_variances_are_those_of_the_training_rows(seed, rows, columns, folds, held_out):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(columns, rows)) * 10.0 ** rng.integers(-3, 4, size=(columns, 1)) + 5.0
    x[0] = 2.0
    x[0, 0] = 9.0  # constant in the training rows of one fold
    labels = _labels(rng, rows, folds, held_out=held_out)
    chosen = np.arange(0, columns, 2)
    deviation = x[chosen].std(axis=1)
    shares = _core.training_variances(x, chosen, x[chosen].mean(axis=1), deviation, labels, folds, threads=2)
    for fit in range(3 * folds):
        rows = _trained(labels, folds, fit)
        if not rows.any():
            continue
        expected = x[chosen][:, rows].var(axis=1)
        np.testing.assert_allclose(shares[fit] * deviation**2, expected, rtol=1e-9, atol=0)


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize(
    ("scaler", "theirs", "centre_of"),
    [
        ("z-score", StandardScaler, lambda model: model.mean_),
        ("min-max", MinMaxScaler, lambda model: model.data_min_),
        ("robust", RobustScaler, lambda model: model.center_),
    ],
)
def test_locations_and_scales_equal_scikit_learn_s_on_filled_training_rows(scaler, theirs, centre_of, gaps):
    rng = np.random.default_rng(len(scaler))
    x = rng.normal(size=(37, 6))
    x[:, 1] = rng.random(37) < 0.2  # quartiles that are the same
    x[:, 2] = np.round(x[:, 2])
    if gaps:
        x[rng.random(x.shape) < 0.2] = np.nan
    labels = _labels(rng, 37, 5, held_out=True)
    trainings = [_trained(labels, 5, fit) for fit in range(15)]
    fill = np.array([SimpleImputer(strategy="median").fit(x[rows]).statistics_ for rows in trainings])
    centre, scale = _core.training_scales(np.ascontiguousarray(x.T), np.arange(6), fill, labels, 5, scaler)
    for fit, rows in enumerate(trainings):
        filled = np.where(np.isnan(x), fill[fit], x)
        model = theirs().fit(filled[rows])
        np.testing.assert_allclose(centre[fit], centre_of(model), atol=1e-12)
        expected = 1.0 / model.scale_ if scaler == "min-max" else model.scale_
        np.testing.assert_allclose(scale[fit], expected, atol=1e-12)


def test_where_training_rows_are_constant_the_scale_is_exactly_0_and_the_location_their_value():
    x = np.array([[0.1, 0.1, 0.1, 7.0]])
    for scaler in ("z-score", "min-max", "robust"):
        centre, scale = _core.training_scales(x, np.array([0]), np.zeros((1, 1)), np.array([[1, 1, 1, 0]]), 2, scaler)
        assert (centre[0, 0], scale[0, 0]) == (0.1, 0.0)
        assert scale[1, 0] == 0.0
        assert centre[1, 0] == 7.0


@pytest.mark.parametrize("seed", range(6))
def test_gaps_are_filled_as_by_scikit_learn_s_imputers(seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 4, 40).astype(float)
    codes[rng.random(40) < 0.3] = np.nan
    binary = np.where(rng.random(40) < 0.2, np.nan, rng.integers(0, 2, 40))
    numbers = np.where(rng.random((3, 40)) < 0.3, np.nan, np.round(rng.normal(size=(3, 40)), 1))
    indicators = np.where(np.isnan(codes), np.nan, codes == np.arange(4)[:, None])
    columns = np.concatenate([numbers[:1], indicators, numbers[1:], binary[None], np.ones((1, 40))])
    group, nominal = np.array([0, 1, 1, 1, 1, 2, 3, 4, 5]), np.isin(np.arange(9), [1, 2, 3, 4, 7])
    labels = _labels(rng, 40, 3, held_out=True)[None]
    masks = [[0, 1, 2, 3, 4], [5, 7, 8], [6], []]
    chosen, offsets = np.concatenate(masks).astype(np.int32), np.cumsum([0, *map(len, masks)])
    batch = chosen, offsets, labels, np.zeros(4, dtype=np.int64), 3
    fill, variance = _core.fill_gaps(columns, *batch, group=group, nominal=nominal, threads=2)
    for fit in range(9):
        rows = _trained(labels[0], 3, fit)
        median = SimpleImputer(strategy="median")
        expected = {j: median.fit(columns[j, rows, None]).statistics_[0] for j in (0, 5, 6)}
        most = SimpleImputer(strategy="most_frequent").fit(codes[rows, None]).statistics_[0]
        expected |= {1 + code: float(most == code) for code in range(4)}
        expected[7] = SimpleImputer(strategy="most_frequent").fit(binary[rows, None]).statistics_[0]
        expected[8] = 0.0
        for place, j in enumerate(chosen):
            assert fill[place, fit] == expected[j]
            filled = np.where(np.isnan(columns[j]), fill[place, fit], columns[j])[rows]
            assert variance[place, fit] == pytest.approx(filled.var(), abs=1e-12)
