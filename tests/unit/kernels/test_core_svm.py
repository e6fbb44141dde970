"""Support vector machines' entries of the core: what they refuse, that they stop, and that threads change nothing."""

import numpy as np
import pytest

from fsdesk.kernels import _core
from tests.stopping import assert_stops_within_a_second


def asked(rows=60, columns=5, masks=1, **others):
    """Arguments of measurements that are as they should be, or not."""
    rng = np.random.default_rng(0)
    target = np.arange(rows) % 2
    table = rng.normal(size=(columns, rows)) + 0.3 * target
    return {
        "columns": table,
        "target": target,
        "chosen": np.tile(np.arange(columns, dtype=np.int32), masks),
        "offsets": np.arange(masks + 1) * columns,
        "labels": rng.integers(-2, 5, size=(1, 2, rows)),
        "folds_of": np.zeros(masks, dtype=np.int64),
        "folds": 5,
        "classes": 2,
        "known": np.stack([table.mean(axis=1), table.std(axis=1), np.zeros(columns), np.full(columns, np.nan)]),
        "has_gaps": np.zeros(columns, dtype=bool),
        "group": np.arange(columns),
        "nominal": np.zeros(columns, dtype=bool),
        "scaling": "fold",
        "scaler": "z-score",
        "cost": 1.0,
        "tolerance": 1e-3,
        "loss": "hinge",
        "balanced": False,
        **others,
    }


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"known": np.ones((3, 5))}, "known"),
        ({"known": np.zeros((4, 5))}, "deviations"),
        ({"has_gaps": np.zeros(4, dtype=bool)}, "has_gaps"),
        ({"group": np.zeros(4, dtype=np.int64)}, "group"),
        ({"nominal": np.zeros(4, dtype=bool)}, "nominal"),
        ({"scaling": "twice"}, "scaling"),
        ({"scaler": "none"}, "scaler"),
        ({"loss": "logistic"}, "loss"),
        ({"cost": 0.0}, "cost"),
        ({"cost": np.inf}, "cost"),
        ({"tolerance": 0.0}, "tolerance"),
        ({"classes": 1}, "class codes"),
        ({"folds": 4}, "labels"),
    ],
)
def test_what_does_not_fit_is_a_value_error_with_a_sentence(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        _core.svm_errors(**asked(**wrong))


def test_a_response_has_a_value_for_each_row_and_one_class():
    given = asked(classes=1, target=np.zeros(60, dtype=np.int64), epsilon=0.1, response=np.zeros(59))
    with pytest.raises(ValueError, match="response"):
        _core.svm_decisions(**given)


def test_rows_left_out_change_nothing():
    given = asked()
    votes, _ = _core.svm_decisions(**given, response=np.empty(0), epsilon=0.0)
    for repeat in range(2):
        kept = given["labels"][0, repeat] != -2
        own = {**given, "columns": np.ascontiguousarray(given["columns"][:, kept]), "target": given["target"][kept]}
        own["labels"] = np.ascontiguousarray(given["labels"][:, repeat : repeat + 1, kept])
        alone, _ = _core.svm_decisions(**own, response=np.empty(0), epsilon=0.0)
        np.testing.assert_array_equal(votes[0, repeat, kept], alone[0, 0])


@pytest.mark.parametrize("columns", [5, 40, 700])
def test_threads_and_what_is_measured_beside_change_no_bit(columns):
    rng = np.random.default_rng(1)
    given = asked(columns=columns, masks=7)
    masks = [np.sort(rng.permutation(columns)[: rng.integers(1, columns)]) for _ in range(7)]
    given |= {"chosen": np.concatenate(masks).astype(np.int32), "offsets": np.cumsum([0, *map(len, masks)])}
    one, three = (_core.svm_decisions(**given, response=np.empty(0), epsilon=0.0, threads=k, sums=True) for k in (1, 3))
    for place, (a, b) in enumerate(zip(one, three, strict=True)):
        np.testing.assert_array_equal(a, b, err_msg=str(place))
    for number, mask in enumerate(masks):
        own = {**given, "chosen": mask.astype(np.int32), "offsets": np.array([0, len(mask)])}
        own["folds_of"] = np.zeros(1, dtype=np.int64)
        alone = _core.svm_decisions(**own, response=np.empty(0), epsilon=0.0, sums=True)
        np.testing.assert_array_equal(alone[1][0], one[1][number])


@pytest.mark.parametrize(
    ("rows", "columns", "settings"),
    [
        (200_000, 50, {}),
        (200_000, 50, {"loss": "squared hinge", "scaler": "robust"}),
        (3000, 1500, {}),
        (3000, 1500, {"cost": 100.0}),
        (400, 20_000, {}),
        (400, 20_000, {"scaling": "once"}),
    ],
)
def test_work_stops_within_a_second_of_the_flag(rows, columns, settings):
    given = asked(rows, columns, masks=30, stop=np.zeros(1, dtype=np.uint8), **settings)
    given["labels"] = np.maximum(given["labels"], -1)
    assert_stops_within_a_second(lambda: _core.svm_errors(**given), given["stop"])
