"""Importance in extremely randomised trees, against scikit-learn's to the last bit; and what the border refuses."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import ExtraTreesClassifier

from fsdesk.kernels import _core

TREES, MOST = 12, np.iinfo(np.int32).max


def drawn_states(seed):
    """As scikit-learn draws a seed for each tree, and each tree the state of its random numbers."""
    random = np.random.RandomState(seed)
    return np.array([np.random.RandomState(random.randint(MOST)).randint(MOST) for _ in range(TREES)], np.uint32)


def importances(columns, target, seed, **asked):
    most = max(1, int(np.sqrt(len(columns))))
    asked = {"classes": int(target.max()) + 1, "states": drawn_states(seed), "most": most, **asked}
    return _core.forest_importances(columns, target, **asked)


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 2**31 - 1),
    rows=st.integers(1, 90),
    columns=st.integers(1, 70),
    classes=st.integers(1, 5),
    kind=st.sampled_from(["numbers", "ties", "constants", "hardly differ", "huge", "copies"]),
    threads=st.integers(1, 3),
)
def test_each_tree_has_the_importances_of_scikit_learn_s(seed, rows, columns, classes, kind, threads):
    rng = np.random.default_rng(seed)
    target = rng.integers(0, classes, rows)
    x = rng.normal(size=(columns, rows)) + target * rng.integers(0, 2, (columns, 1))
    if kind == "ties":
        x = np.round(x)
    elif kind == "constants":
        x[rng.random(columns) < 0.7] = 3.0
    elif kind == "hardly differ":
        x = 1.0 + 1e-7 * np.round(x, 1)
    elif kind == "huge":
        x = np.sign(x) * np.finfo(np.float32).max
    elif kind == "copies":
        x[:, rows // 2 :] = x[:, : rows - rows // 2]
    x = np.ascontiguousarray(x, dtype=np.float32)
    found = importances(x, target, seed, threads=threads)
    with np.errstate(all="ignore"):  # scikit-learn adds all values, which may be too large
        forest = ExtraTreesClassifier(TREES, max_features="sqrt", random_state=seed).fit(x.T, target)
    for own, tree in zip(found, forest.estimators_, strict=True):
        assert (own / (np.sum(own) or 1.0)).tolist() == tree.feature_importances_.tolist()


def small(**other):
    asked = {"columns": np.ones((3, 6), dtype=np.float32), "target": np.array([0, 1, 0, 1, 0, 1]), "classes": 2}
    return {**asked, "states": np.ones(2, dtype=np.uint32), "most": 1, **other}


def test_columns_that_do_not_vary_have_no_importance():
    assert _core.forest_importances(**small()).tolist() == [[0.0] * 3] * 2
    assert _core.forest_importances(**small(states=np.empty(0, dtype=np.uint32))).shape == (0, 3)


@pytest.mark.parametrize(
    "wrong",
    [
        {"columns": np.ones((3, 6))},
        {"columns": np.asfortranarray(np.ones((3, 6), dtype=np.float32))},
        {"target": np.zeros(6)},
        {"states": np.ones(2, dtype=np.int64)},
        {"states": 3},
    ],
)
def test_another_type_or_order_is_a_type_error(wrong):
    with pytest.raises(TypeError):
        _core.forest_importances(**small(**wrong))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"target": np.array([0, 1, 0])}, "as many rows"),
        ({"target": np.array([0, 1, 0, 1, 0, 2])}, "class codes"),
        ({"columns": np.ones((0, 6), dtype=np.float32)}, "a column"),
        ({"columns": np.ones((3, 0), dtype=np.float32), "target": np.empty(0, dtype=np.int64)}, "a row"),
        ({"columns": np.full((3, 6), np.nan, dtype=np.float32)}, "finite"),
        ({"columns": np.full((3, 6), np.inf, dtype=np.float32)}, "finite"),
        ({"most": 0}, "most"),
        ({"threads": 0}, "threads"),
    ],
)
def test_what_does_not_fit_is_a_value_error_with_a_sentence(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        _core.forest_importances(**small(**wrong))


def test_a_flag_that_is_set_stops_it():
    with pytest.raises(_core.Stopped):
        _core.forest_importances(**small(stop=np.ones(1, dtype=np.uint8)))
