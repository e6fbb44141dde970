"""What the border refuses of single fits of forests and of machines with a Gaussian kernel."""

import numpy as np
import pytest

from fsdesk.kernels import _core

KERNELS = ("forest_fits", "radial_fits")


def asked(kernel, **other):
    own = {
        "forest_fits": {"states": np.ones(2, dtype=np.uint32), "most": np.array([1, 1])},
        "radial_fits": {"costs": np.ones(2), "gammas": np.ones(2)},
    }[kernel]
    shared = {
        "train": np.arange(18.0).reshape(3, 6),
        "target": np.array([0, 1, 0, 1, 0, 1]),
        "response": np.empty(0),
        "test": np.ones((3, 2)),
        "features": np.array([0, 2, 1], dtype=np.int32),
        "offsets": np.array([0, 2, 3]),
        "classes": 2,
    }
    return {**shared, **own, **other}


@pytest.mark.parametrize("kernel", KERNELS)
def test_scores_have_a_place_for_each_subset_row_and_class(kernel):
    settings = () if kernel == "forest_fits" else (2,)
    run = getattr(_core, kernel)
    assert run(**asked(kernel)).shape == (*settings, 2, 2, 2)
    assert run(**asked(kernel, test=np.ones((3, 0)))).shape == (*settings, 2, 0, 2)
    numbers = {"target": np.empty(0, dtype=np.int64), "response": np.arange(6.0)}
    assert run(**asked(kernel, **numbers)).shape == (*settings, 2, 2, 1)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    "wrong",
    [
        {"train": np.ones((3, 6), dtype=np.float32)},
        {"train": np.asfortranarray(np.arange(18.0).reshape(3, 6))},
        {"test": np.ones(3)},
        {"target": np.zeros(6)},
        {"features": np.array([0, 2, 1])},
        {"response": None},
    ],
)
def test_another_type_or_order_is_a_type_error(kernel, wrong):
    with pytest.raises(TypeError):
        getattr(_core, kernel)(**asked(kernel, **wrong))


WRONG = [
    ({"train": np.ones((0, 6)), "test": np.ones((0, 2))}, "a column"),
    ({"train": np.ones((3, 0)), "target": np.empty(0, dtype=np.int64)}, "a row"),
    ({"train": np.full((3, 6), np.nan)}, "train must be finite"),
    ({"test": np.full((3, 2), np.inf)}, "test must be finite"),
    ({"test": np.ones((2, 2))}, "as many columns"),
    ({"target": np.array([0, 1, 0])}, "as many values"),
    ({"target": np.array([0, 1, 0, 1, 0, 2])}, "class codes"),
    ({"target": np.array([0, 1, 0, 1, 0, -1])}, "class codes"),
    ({"classes": 0}, "classes"),
    ({"response": np.arange(6.0)}, "as many values"),
    ({"target": np.empty(0, dtype=np.int64), "response": np.full(6, np.nan)}, "finite"),
    ({"features": np.array([0, 3, 1], dtype=np.int32)}, "no column"),
    ({"features": np.array([0, -1, 1], dtype=np.int32)}, "no column"),
    ({"offsets": np.array([0, 3, 3])}, "each subset"),
    ({"offsets": np.array([0, 2])}, "offsets"),
    ({"threads": 0}, "threads"),
]
OWN = {
    "forest_fits": [
        ({"states": np.empty(0, dtype=np.uint32)}, "a tree"),
        ({"most": np.array([1])}, "each subset"),
        ({"most": np.array([1, 0])}, "most must be 1 or more"),
    ],
    "radial_fits": [
        ({"costs": np.ones(1)}, "as many"),
        ({"costs": np.array([1.0, 0.0])}, "above 0"),
        ({"gammas": np.array([np.nan, 1.0])}, "above 0"),
        ({"gammas": np.array([np.inf, 1.0])}, "above 0"),
        ({"epsilon": -0.1}, "tolerance"),
        ({"epsilon": np.nan}, "tolerance"),
        ({"tolerance": 0.0}, "tolerance"),
    ],
}


@pytest.mark.parametrize(
    ("kernel", "wrong", "sentence"), [(kernel, *case) for kernel in KERNELS for case in (*WRONG, *OWN[kernel])]
)
def test_what_does_not_fit_is_a_value_error_with_a_sentence(kernel, wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        getattr(_core, kernel)(**asked(kernel, **wrong))


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_flag_that_is_set_stops_it(kernel):
    with pytest.raises(_core.Stopped):
        getattr(_core, kernel)(**asked(kernel, stop=np.ones(1, dtype=np.uint8)))


@pytest.mark.parametrize("kernel", KERNELS)
def test_columns_that_do_not_vary_leave_the_commonest_class(kernel):
    target = np.array([1, 0, 1, 1, 0, 1])
    said = getattr(_core, kernel)(**asked(kernel, train=np.ones((3, 6)), target=target))
    assert (said.argmax(axis=-1) == 1).all()


def test_costs_of_any_size_end():
    rng = np.random.default_rng(0)
    train, target = rng.normal(size=(3, 40)), rng.integers(0, 2, 40)
    many = asked("radial_fits", train=train, target=target, costs=np.array([1e-4, 1e4]), gammas=np.array([1e4, 1e-4]))
    assert np.isfinite(_core.radial_fits(**many)).all()
