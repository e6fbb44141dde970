import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import MinMaxScaler, RobustScaler, StandardScaler

from fsdesk.kernels.scales import MIN_MAX, ROBUST, Z_SCORE, training_scales, training_variances


def _labels(rng, rows, folds, *, held_out):
    labels = np.array([rng.permutation(rows) % folds for _ in range(3)])
    return np.where(rng.random(labels.shape) < 0.3, -1, labels) if held_out else labels


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
    shares = training_variances(x, chosen, x[chosen].mean(axis=1), deviation, labels, folds)
    for fit in range(3 * folds):
        expected = x[chosen][:, labels[fit // folds] != fit % folds].var(axis=1)
        np.testing.assert_allclose(shares[fit] * deviation**2, expected, rtol=1e-9, atol=0)


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize(
    ("scaler", "theirs", "centre_of"),
    [
        (Z_SCORE, StandardScaler, lambda model: model.mean_),
        (MIN_MAX, MinMaxScaler, lambda model: model.data_min_),
        (ROBUST, RobustScaler, lambda model: model.center_),
    ],
)
def test_locations_and_scales_equal_scikit_learn_s_on_filled_training_rows(scaler, theirs, centre_of, gaps):
    rng = np.random.default_rng(scaler)
    x = rng.normal(size=(37, 6))
    x[:, 1] = rng.random(37) < 0.2  # quartiles that are the same
    x[:, 2] = np.round(x[:, 2])
    if gaps:
        x[rng.random(x.shape) < 0.2] = np.nan
    labels = _labels(rng, 37, 5, held_out=True)
    trainings = [labels[fit // 5] != fit % 5 for fit in range(15)]
    fill = np.array([SimpleImputer(strategy="median").fit(x[rows]).statistics_ for rows in trainings])
    order = np.argsort(x.T, axis=1).astype(np.int32)
    centre, scale = training_scales(np.ascontiguousarray(x.T), np.arange(6), order, fill, labels, 5, scaler)
    for fit, rows in enumerate(trainings):
        filled = np.where(np.isnan(x), fill[fit], x)
        model = theirs().fit(filled[rows])
        np.testing.assert_allclose(centre[fit], centre_of(model), atol=1e-12)
        expected = 1.0 / model.scale_ if scaler == MIN_MAX else model.scale_
        np.testing.assert_allclose(scale[fit], expected, atol=1e-12)


def test_where_training_rows_are_constant_the_scale_is_exactly_0_and_the_location_their_value():
    x = np.array([[0.1, 0.1, 0.1, 7.0]])
    order = np.argsort(x, axis=1).astype(np.int32)
    for scaler in (Z_SCORE, MIN_MAX, ROBUST):
        centre, scale = training_scales(x, np.array([0]), order, np.zeros((1, 1)), np.array([[1, 1, 1, 0]]), 2, scaler)
        assert (centre[0, 0], scale[0, 0]) == (0.1, 0.0)
        assert scale[1, 0] == 0.0
        assert centre[1, 0] == 7.0
