"""Threads may share one measurement, each some of its repeats: the values are those that one thread finds."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from fsdesk import Evaluator
from fsdesk.engine import ThreadExecutor
from fsdesk.errors import WrapperError
from fsdesk.measure import OneByOne
from fsdesk.measure.jobs import shares
from fsdesk.wrappers import WRAPPERS, Predictor
from fsdesk.wrappers.nn import NearestNeighbours
from fsdesk.wrappers.svm import SupportVectorMachine as Svm
from tests.measuring import Together

ROWS, FEATURES, REPEATS = 45, 9, 5


CLASSES = [entry.name for entry in WRAPPERS if "classification" in entry.model.tasks and entry.name != "sklearn"]
NUMBERS = [entry.name for entry in WRAPPERS if "regression" in entry.model.tasks and entry.name != "sklearn"]


@pytest.fixture(scope="module")
def table(make_dataset):
    rng = np.random.default_rng(8)
    x = rng.normal(size=(ROWS, FEATURES)) * rng.choice([1.0, 0.5, 3.0], size=FEATURES)
    x[:, 4] = rng.integers(0, 3, size=ROWS)
    return make_dataset(x, np.concatenate([[0, 1, 2], rng.integers(0, 3, size=ROWS - 3)]))


@pytest.fixture(scope="module")
def with_gaps(table):
    x = table.x.copy()
    x[np.random.default_rng(1).random(x.shape) < 0.08] = np.nan
    return replace(table, x=x)


@pytest.fixture(scope="module")
def numbers(table):
    response = np.random.default_rng(2).normal(size=ROWS) + table.x[:, 0]
    return replace(table, response=response, classes=(), target=np.zeros(ROWS, dtype=np.int64))


def _check(evaluator):
    mask = np.arange(FEATURES) % 3 > 0
    if not evaluator.divides(mask):
        return False
    with ThreadExecutor(evaluator, 2, Together()) as executor:
        whole = evaluator.losses(mask, 7)
        (measured,) = executor.measure([mask], 7)
    assert measured.values.tolist() == whole.tolist()
    return True


@pytest.mark.covering(
    data=["table", "with_gaps"],
    wrapper=[*CLASSES, "DecisionTreeClassifier"],
    protocol=["folds", "hold-out"],
    scaling=["fold", "once", "none"],
)
def test_halves_of_a_measurement_have_the_values_of_the_whole(request, data, wrapper, protocol, scaling):
    dataset = request.getfixturevalue(data)
    settings = {"repeats": REPEATS, "folds": 2, "scaling": scaling, "protocol": protocol}
    divided = [_check(Evaluator(dataset, wrapper, **settings))]
    if wrapper not in ("ridge", "DecisionTreeClassifier"):
        divided.append(_check(Evaluator(dataset, wrapper, criterion="auc", **settings)))
    assert set(divided) == {wrapper not in ("nn", "auto") or scaling == "fold"}


def _odd(make_dataset, rows, features, gaps=0.0):
    """A table with columns of which few rows tell the spread, and others that hardly vary."""
    rng = np.random.default_rng(rows + features)
    x = rng.normal(size=(rows, features))
    x[:, 1] *= 1e-3
    x[:2, 1] = 50.0, -70.0
    x[:, 2] = 5.0
    x[3, 2] = 6.0
    x[rng.random(x.shape) < gaps] = np.nan
    return make_dataset(x, np.arange(rows) % (2 if features > 200 else 3))


@pytest.mark.covering(
    wrapper=[Svm(), Svm(loss="squared hinge"), Svm(cost=100.0), Svm(class_weights="balanced")],
    shape=[(40, 400), (60, 30), (300, 4), (40, 150)],
    gaps=[0.0, 0.05],
    scaler=["z-score", "min-max", "robust"],
    protocol=["folds", "hold-out"],
)
def test_machines_start_alike_whichever_fits_are_trained_together(make_dataset, wrapper, shape, gaps, scaler, protocol):
    dataset = _odd(make_dataset, *shape, gaps)
    evaluator = Evaluator(dataset, wrapper, repeats=4, folds=3, scaler=scaler, protocol=protocol, criterion="auc")
    mask = np.ones(shape[1], dtype=bool)
    labels = evaluator.fold_labels(5)
    divides = evaluator.divides(mask)
    assert divides == (shape != (40, 400) or wrapper.loss == "squared hinge")
    with threadpool_limits(1):
        whole = evaluator.losses_of(mask, labels)
        parts = [evaluator.losses_of(mask, labels[part]) for part in (slice(0, 1), slice(1, 4))]
    if divides:
        assert np.concatenate(parts).tolist() == whole.tolist()


@pytest.mark.parametrize("wrapper", [*NUMBERS, "DecisionTreeRegressor"])
def test_numbers_too(numbers, wrapper):
    _check(Evaluator(numbers, wrapper, repeats=REPEATS, folds=2, scaling="once"))


@pytest.mark.parametrize(
    ("masks", "threads", "repeats", "sizes"),
    [
        (3, 2, 10, [[10], [10], [5, 5]]),
        (1, 2, 5, [[2, 3]]),
        (3, 4, 10, [[2, 3, 2, 3]] * 3),
        (6, 4, 10, [[10]] * 4 + [[5, 5]] * 2),
        (1, 8, 5, [[2, 3]]),
        (1, 2, 3, [[3]]),
        (4, 2, 10, [[10]] * 4),
        (3, 1, 10, [[10]] * 3),
        (2, 3, 1, [[1], [1]]),
    ],
)
def test_what_threads_would_wait_for_is_divided(masks, threads, repeats, sizes):
    found = shares(masks, threads, repeats)
    assert [[len(range(repeats)[part]) for part in own] for own in found] == sizes
    assert all(list(itertools.chain(*(range(repeats)[part] for part in own))) == list(range(repeats)) for own in found)


class _PartlyTrainable(Predictor):
    """Bears the first half of the repeats and no other."""

    def __init__(self, borne):
        self.borne = borne

    def predict(self, mask, labels):
        if len(labels) < REPEATS and not np.array_equal(labels, self.borne):
            raise WrapperError("no")
        return np.zeros(labels.shape, dtype=np.int64)


def test_a_part_that_cannot_be_trained_makes_the_whole_infinite(table):
    borne = Evaluator(table, "c45", repeats=REPEATS, folds=2).fold_labels(4)[: REPEATS // 2]

    class Wrapper(WRAPPERS["c45"].model):
        def bind(self, design):
            return _PartlyTrainable(borne)

    evaluator = Evaluator(table, Wrapper(), repeats=REPEATS, folds=2)
    with ThreadExecutor(evaluator, 2, Together()) as executor:
        (measured,) = executor.measure([np.ones(FEATURES, dtype=bool)], 4)
    assert measured.values.tolist() == [np.inf] * REPEATS


def test_early_stops_and_single_repeats_are_not_divided(table):
    mask = np.ones(FEATURES, dtype=bool)
    assert Evaluator(table, "c45", repeats=REPEATS).divides(mask)
    assert not Evaluator(table, "c45", repeats=1).divides(mask)
    assert not Evaluator(table, "c45", repeats=5, std_error_limit=0.1).divides(mask)
    assert not Evaluator(table, "c45", protocol="leave-one-out").divides(mask)
    assert Evaluator(table, NearestNeighbours(distance="manhattan"), repeats=REPEATS).divides(mask)
    assert not Evaluator(table, NearestNeighbours(distance="manhattan"), scaling="once").divides(mask)


def test_masks_that_were_begun_are_finished():
    done = []

    def part(name):
        return lambda: done.append(name) or name

    job = OneByOne([[part("a")], [part("b1"), part("b2")], [part("c")]], "".join)
    job.work(lambda: "b1" not in done)
    assert job.measured() == ["a", "b1b2"]
    assert not job.is_done()
