"""Kernels of single fits refuse what does not fit with a sentence, and stop when they are told to."""

import numpy as np
import pytest

from fsdesk.kernels import _core
from tests.stopping import assert_stops_within_a_second

SETTINGS = {"logistic_fits": "costs", "discriminant_fits": "shrinkages", "ridge_fits": "alphas"}


def small(name, **others):
    """Two subsets of one split, as they should be or not."""
    rng = np.random.default_rng(0)
    given = {
        "train": rng.normal(size=(3, 6)),
        "test": rng.normal(size=(3, 4)),
        "features": np.array([0, 2, 1], dtype=np.int32),
        "offsets": np.array([0, 2, 3]),
        SETTINGS[name]: np.array([0.5, 1.0]),
    }
    if name == "ridge_fits":
        given |= {"responses": rng.normal(size=(2, 6)), "weights": np.ones(6)}
    else:
        given |= {"y": np.array([0, 1, 0, 1, 2, 1]), "classes": 4}
    return given | others


@pytest.mark.parametrize("name", SETTINGS)
def test_what_is_as_it_should_be_is_predicted(name):
    said = getattr(_core, name)(**small(name))
    assert said.shape == ((2, 2, 2, 4) if name == "ridge_fits" else (2, 2, 4, 4))
    assert np.isfinite(said).all()


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"test": np.ones((2, 4))}, "the same columns"),
        ({"train": np.ones((3, 0))}, "training row"),
        ({"train": np.full((3, 6), np.nan)}, "finite"),
        ({"test": np.full((3, 4), np.inf)}, "finite"),
        ({"features": np.array([0, 3, 1], dtype=np.int32)}, "no column"),
        ({"features": np.array([0, -1, 1], dtype=np.int32)}, "no column"),
        ({"offsets": np.array([0, 2, 4])}, "offsets"),
        ({"offsets": np.array([0, 3, 2, 3])}, "offsets"),
        ({"threads": 0}, "threads"),
        ({"stop": np.zeros(2, dtype=np.uint8)}, "stop"),
    ],
)
def test_what_does_not_fit_is_a_value_error_with_a_sentence(name, wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        getattr(_core, name)(**small(name, **wrong))


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("value", [0.0, -1.0, np.nan, np.inf])
def test_a_setting_out_of_range_is_refused(name, value):
    with pytest.raises(ValueError, match="above 0"):
        getattr(_core, name)(**small(name, **{SETTINGS[name]: np.array([1.0, value])}))


@pytest.mark.parametrize(
    ("name", "wrong", "sentence"),
    [
        ("logistic_fits", {"y": np.array([0, 1, 0, 1, 4, 1])}, "class codes"),
        ("logistic_fits", {"y": np.array([0, 1])}, "code for each"),
        ("logistic_fits", {"classes": 0}, "classes"),
        ("discriminant_fits", {"y": np.array([0, 1, 0, 1, -1, 1])}, "class codes"),
        ("discriminant_fits", {"shrinkages": np.array([1.01])}, "at most 1"),
        ("ridge_fits", {"responses": np.ones((2, 5))}, "responses"),
        ("ridge_fits", {"responses": np.full((2, 6), np.nan)}, "responses"),
        ("ridge_fits", {"weights": np.ones(5)}, "weights"),
        ("ridge_fits", {"weights": np.zeros(6)}, "weights"),
    ],
)
def test_rows_that_do_not_fit_are_refused(name, wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        getattr(_core, name)(**small(name, **wrong))


@pytest.mark.parametrize("name", SETTINGS)
def test_nothing_but_the_intercept_says_what_is_common(name):
    said = getattr(_core, name)(
        **small(name, features=np.zeros(0, dtype=np.int32), offsets=np.array([0, 0, 0])),
    )
    if name == "ridge_fits":
        np.testing.assert_allclose(said[0, 0], np.repeat(small(name)["responses"].mean(axis=1)[:, None], 4, axis=1))
    else:
        np.testing.assert_allclose(said, np.tile([2 / 6, 3 / 6, 1 / 6, 0.0], (2, 2, 4, 1)), atol=1e-7)


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("shape", [(3000, 1500), (400, 20_000)])
def test_work_stops_within_a_second_of_the_flag(name, shape):
    rng, (q, n) = np.random.default_rng(0), shape
    large = small(
        name,
        train=rng.normal(size=(q, n)),
        test=rng.normal(size=(q, 5)),
        features=np.tile(np.arange(q, dtype=np.int32), 20),
        offsets=np.arange(21) * q,
        stop=np.zeros(1, dtype=np.uint8),
    )
    if name == "ridge_fits":
        large |= {"responses": rng.normal(size=(2, n)), "weights": np.ones(n)}
    else:
        large["y"] = rng.integers(0, 4, n)
    assert_stops_within_a_second(lambda: getattr(_core, name)(**large), large["stop"], 1)


def machine(**others):
    """Machines of two subsets of one split."""
    given = small("logistic_fits")
    return {
        "columns": np.concatenate([given["train"], given["test"]], axis=1),
        "target": np.array([0, 1, 0, 1, 2, 1, 0, 0, 0, 0]),
        "chosen": given["features"],
        "offsets": given["offsets"],
        "labels": np.repeat([-1, 0], [6, 4])[None, None],
        "classes": 4,
        "known": np.stack([np.zeros(3), np.ones(3), np.zeros(3), np.full(3, np.nan)]),
        "has_gaps": np.zeros(3, dtype=np.bool_),
        "group": np.arange(3),
        "nominal": np.zeros(3, dtype=np.bool_),
        "response": np.empty(0),
        "costs": np.array([1.0, 0.1]),
        "epsilon": 0.1,
        "tolerance": 1e-3,
        "loss": "hinge",
        "balanced": False,
        **others,
    }


def test_machines_vote_for_each_pair_of_classes_that_is_there():
    votes, sums = _core.svm_fits(**machine(), sums=True)
    assert votes.shape == sums.shape == (2, 2, 10, 4)
    assert (votes[:, :, 6:, :3].sum(axis=3) == 3.0).all()
    assert np.isneginf(votes[..., 3]).all()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"target": np.zeros(9, dtype=np.int64)}, "as many rows"),
        ({"target": np.full(10, 4)}, "class codes"),
        ({"labels": np.zeros((1, 1, 10), dtype=np.int64)}, "training row"),
        ({"labels": np.full((1, 1, 10), -2)}, "labels"),
        ({"labels": np.full((1, 2, 10), -1)}, "labels"),
        ({"costs": np.array([1.0, 0.0])}, "costs"),
        ({"costs": np.array([np.nan])}, "costs"),
        ({"chosen": np.array([0, 3, 1], dtype=np.int32)}, "no column"),
        ({"offsets": np.array([0, 1])}, "offsets"),
        ({"known": np.ones((4, 2))}, "known"),
        ({"loss": "absolute"}, "loss"),
        ({"tolerance": 0.0}, "tolerance"),
        ({"threads": 0}, "threads"),
    ],
)
def test_machines_that_do_not_fit_are_refused(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        _core.svm_fits(**machine(**wrong))
