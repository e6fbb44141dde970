"""Masks that threads measure in one call have the values that each has when it is predicted and judged by itself."""

import threading
from dataclasses import replace

import numpy as np
import pytest

from fsdesk import Evaluator
from fsdesk.measure.jobs import InOneCall
from fsdesk.wrappers.nn import NearestNeighbours
from tests.measurable import PROTOCOLS

ROWS, FEATURES = 63, 9


@pytest.fixture(scope="module")
def table(make_dataset):
    rng = np.random.default_rng(5)
    x = rng.integers(0, 6, size=(ROWS, FEATURES)) * rng.choice([1.0, 0.1, 1e6], size=FEATURES)  # many ties
    x[:, 3], x[:, 4] = 2.0, 5.0  # constant, and constant in some fits
    x[7, 4] = 6.0
    dataset = make_dataset(x, np.concatenate([[0, 1, 2], rng.integers(0, 3, size=ROWS - 3)]))
    return replace(dataset, fold_of=np.arange(ROWS) // 2 % 5, time=rng.permutation(ROWS))


def _masks(many):
    masks = np.random.default_rng(many).random((many, FEATURES)) < 0.5
    masks[:, 0] = True
    return list(masks)


def _check(evaluator, masks, numbers, in_one_call=True):
    alone = [evaluator.losses(mask, number).tolist() for mask, number in zip(masks, numbers, strict=True)]
    _check_shared(evaluator.job(masks, numbers, len(masks)), alone, in_one_call)
    _check_shared(evaluator.job(masks, numbers, len(masks), 3), alone, in_one_call)
    measured = [evaluator.measure(mask, number) for mask, number in zip(masks, numbers, strict=True)]
    assert [each.values.tolist() for each in measured] == alone


def _check_shared(job, alone, in_one_call):
    """Three threads measure what one would."""
    assert isinstance(job, InOneCall) == in_one_call
    threads = [threading.Thread(target=job.work, args=(going,)) for going in (lambda: True, None, None)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert job.is_done()
    assert [each.values.tolist() for each in job.measured()] == alone


@pytest.mark.covering(
    protocol=PROTOCOLS,
    scaling=["fold", "once", "none"],
    k=[1, 4],
    numbers=[range(3, 8), [4] * 5, [10**9, 2**33, 2, 2, 0]],
)
def test_under_every_validation(table, protocol, scaling, k, numbers):
    wrapper = NearestNeighbours(k=k)
    evaluator = Evaluator(table, wrapper, protocol=protocol, scaling=scaling, repeats=3, seed=11)
    _check(evaluator, _masks(5), numbers, in_one_call=protocol != "time")


@pytest.mark.parametrize(
    ("settings", "in_one_call"),
    [
        ({"criterion": "balanced error"}, False),
        ({"criterion": "auc"}, False),
        ({"size_penalty": 0.3}, True),
        ({"std_error_limit": 0.04}, False),
        ({"std_error_limit": 0.04, "repeats": 3}, True),
        ({"stratify": False}, True),
        ({"scaler": "robust"}, True),
        ({"scaler": "robust", "scaling": "once"}, True),
    ],
)
def test_with_every_setting_that_changes_a_loss(table, settings, in_one_call):
    _check(Evaluator(table, "nn", **{"repeats": 6, **settings}), _masks(4), range(4), in_one_call)


@pytest.mark.parametrize("options", [{"k": 3, "weights": "distance"}, {"k": 3, "class_weights": "balanced"}])
def test_with_votes_that_differ(table, options):
    _check(Evaluator(table, NearestNeighbours(**options), repeats=3), _masks(4), range(4), False)


def test_with_groups_and_with_gaps(table):
    _check(Evaluator(replace(table, groups=np.arange(ROWS) // 3), "nn", repeats=3), _masks(4), range(4))
    x = table.x.copy(order="F")
    x[::5, 0] = np.nan
    _check(Evaluator(replace(table, x=x), "nn", repeats=3), _masks(4), range(4))


def test_masks_of_many_columns_beside_some_of_few(make_dataset):
    # Of 60 columns for 40 rows, masks of more than ten are searched in another way.
    dataset = make_dataset(np.random.default_rng(0).normal(size=(40, 60)), np.arange(40) % 2)
    few, many = np.arange(60) < 4, np.arange(60) < 50
    _check(Evaluator(dataset, "nn", repeats=3), [few, few], range(2))
    _check(Evaluator(dataset, "nn", repeats=3), [few, many, few], range(3))


@pytest.mark.parametrize(("rows", "features"), [(40, 9), (30, 7), (1050, 6)])
@pytest.mark.parametrize("scaling", ["fold", "once"])
def test_in_parts_where_columns_of_as_many_ones_leave_rows_as_near_as_others(make_dataset, rows, features, scaling):
    rng = np.random.default_rng(rows)
    x = np.array([rng.permutation(np.arange(rows) % 2) for _ in range(features)], dtype=np.float64).T
    evaluator = Evaluator(
        make_dataset(np.asfortranarray(x), rng.permutation(np.arange(rows) % 2)), "nn", scaling=scaling
    )
    masks = [rng.random(features) < 0.8 for _ in range(4)]
    _check(evaluator, masks, range(4))


@pytest.mark.covering(protocol=PROTOCOLS, scaling=["fold", "once", "none"], wrapper=["nb", "cart", "c45"])
def test_of_every_model_with_missing_values(table, protocol, scaling, wrapper):
    x = table.x.copy()
    x[np.random.default_rng(8).random(x.shape) < 0.05] = np.nan
    evaluator = Evaluator(replace(table, x=x), wrapper, protocol=protocol, scaling=scaling, repeats=3, seed=11)
    _check(evaluator, _masks(5), range(3, 8), in_one_call=protocol != "time")
