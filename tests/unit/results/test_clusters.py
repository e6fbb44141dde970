"""Trees for pictures, against scipy's own drawing and on shapes that would be too deep for recursion."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import dendrogram
from scipy.spatial.distance import squareform

from fsdesk.results.feature_map import clustered, correlation_distances, euclidean_distances


def test_brackets_are_those_that_scipy_draws():
    rows = np.random.default_rng(0).normal(size=(40, 5))
    tree = clustered(euclidean_distances(rows), 40)
    drawn = dendrogram(tree.links, no_plot=True)
    assert tree.order.tolist() == drawn["leaves"]
    theirs = sorted(
        (tuple(np.asarray(x) / 10 - 0.5), tuple(y)) for x, y in zip(drawn["icoord"], drawn["dcoord"], strict=True)
    )
    ours = sorted((tuple(x), tuple(y)) for x, y in zip(tree.places, tree.heights, strict=True))
    np.testing.assert_allclose(np.array(ours), np.array(theirs))
    assert tree.height == pytest.approx(tree.links[-1, 2])


def test_a_tree_as_deep_as_it_has_leaves_is_drawn():
    apart = np.concatenate([np.arange(first + 1, 1500) for first in range(1500)])  # each is nearest to all before it
    tree = clustered(apart.astype(float), 1500)
    assert (tree.links[1:, :2].max(axis=1) == np.arange(1500, 2998)).all()  # each join takes in the one before
    assert sorted(tree.order.tolist()) == list(range(1500))
    assert np.isfinite(tree.places).all()


def test_few_leaves_need_no_tree():
    assert clustered(np.empty(0), 1).order.tolist() == [0]
    assert clustered(np.empty(0), 0).order.tolist() == []
    assert clustered(np.empty(0), 1).height == 0


def test_correlations_are_those_of_numpy_and_a_flat_column_is_like_none():
    x = np.random.default_rng(1).normal(size=(20, 4))
    x[:, 3] = 2.0
    apart = squareform(correlation_distances(x - x.mean(axis=0)))
    np.testing.assert_allclose(apart[:3, :3], 1 - np.corrcoef(x[:, :3].T), atol=1e-12)
    assert apart[3, :3].tolist() == [1, 1, 1]
