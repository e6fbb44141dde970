"""Single features: preview of their values."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from fsdesk.results.features import correlations, preview_feature


def test_correlations_are_numpys_and_with_gaps_those_of_the_rows_where_both_are_known():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(50, 6)) * 10.0 ** np.arange(-6, 6, 2) + 5
    values = x[:, 0] * 1e6 + rng.normal(size=50)
    np.testing.assert_allclose(correlations(x, np.arange(6), values), [np.corrcoef(c, values)[0, 1] for c in x.T])
    x[rng.random(x.shape) < 0.2] = np.nan
    values[::7] = np.nan
    expected = pd.DataFrame(x).corrwith(pd.Series(values))
    np.testing.assert_allclose(correlations(x, np.arange(6), values), expected, rtol=1e-9)


def test_a_column_that_does_not_vary_or_is_hardly_known_has_no_correlation():
    x = np.column_stack([np.full(9, 0.1), np.r_[1.0, 2.0, [np.nan] * 7], np.full(9, np.nan), np.arange(9.0)])
    found = correlations(x, np.arange(4), np.arange(9.0))
    assert np.isnan(found[:3]).all()
    assert found[3] == pytest.approx(1)


def test_the_strongest_selected_features_come_first_and_categories_are_counted_out(awkward):
    mask = np.ones(6, dtype=bool)
    look = preview_feature(awkward, awkward.features[0], mask)
    assert look.left_out == 1  # the colour
    names = [name for name, _ in look.alike]
    assert set(names) == set(awkward.features) - {awkward.features[0], "colour"}
    frame = pd.DataFrame(awkward.x, columns=awkward.features)
    expected = frame[names].corrwith(frame[awkward.features[0]])
    np.testing.assert_allclose([value for _, value in look.alike], expected)
    assert (np.diff(np.abs(expected)) <= 0).all()
    assert look.classes == awkward.classes


def test_a_nominal_feature_has_levels_and_no_correlation(awkward):
    look = preview_feature(awkward, "colour", np.ones(6, dtype=bool))
    assert look.levels == awkward.categories[3]
    assert look.alike == ()
    assert look.left_out == 5


def test_a_numeric_target_comes_along(make_dataset):
    x = np.random.default_rng(1).normal(size=(20, 3))
    dataset = replace(make_dataset(x, np.zeros(20)), classes=(), response=x[:, 0] * 2)
    look = preview_feature(dataset, "feature 1", np.array([True, False, False]))
    assert look.response.tolist() == (x[:, 0] * 2).tolist()
    assert [name for name, _ in look.alike] == ["feature 0"]
