"""Every wrapper with every criterion that fits it, under every validation: one number, and the same one each time."""

from dataclasses import replace

import numpy as np
import pytest

from fsdesk import Evaluator
from fsdesk.measure import CRITERIA
from fsdesk.wrappers import WRAPPERS

PROTOCOLS = ("folds", "hold-out", "leave-one-out", "column", "time")
ROWS = 30  # each is left out once, for every way
MASK = np.arange(8) % 4 == 1  # the planted features


def _fits(wrapper, criterion):
    model = WRAPPERS[wrapper].model
    if criterion.task not in model.tasks:
        return False
    return {"classes": True, "values": True, "scores": model.gives is not None}.get(
        criterion.needs, model.gives == "probabilities"
    )


WAYS = [(entry.name, criterion.name) for entry in WRAPPERS for criterion in CRITERIA if _fits(entry.name, criterion)]


def _wrapper(name, criterion):
    quick = "GaussianNB" if CRITERIA[criterion].task == "classification" else "LinearRegression"
    return WRAPPERS[name].build({"estimator": quick} if name == "sklearn" else {})


@pytest.fixture(scope="module")
def tables(planted, make_dataset):
    few = make_dataset(planted.x[:ROWS], planted.target[:ROWS])
    roles = {"fold_of": np.arange(ROWS) // 2 % 5, "time": np.random.default_rng(0).permutation(ROWS)}
    classes = replace(few, **roles)
    response = few.target * 3.0 + np.random.default_rng(1).normal(size=ROWS) * 0.1
    numbers = replace(classes, response=response, classes=(), target=np.zeros(ROWS, dtype=np.int64))
    return {"classification": classes, "regression": numbers}


@pytest.mark.parametrize(("wrapper", "criterion"), WAYS)
def test_it_measures_under_every_validation(tables, wrapper, criterion):
    judged = CRITERIA[criterion]
    dataset = tables[judged.task]
    for protocol in PROTOCOLS:
        evaluator = Evaluator(dataset, _wrapper(wrapper, criterion), criterion=criterion, protocol=protocol, repeats=2)
        measured = evaluator.measure(MASK, 3)
        assert len(measured.values) == (2 if protocol in ("folds", "hold-out") else 1)
        assert ((measured.values >= 0) & (measured.values <= judged.worst)).all()
        assert np.array_equal(measured.values, evaluator.measure(MASK, 3).values)
        noise = evaluator.measure(np.arange(8) % 4 == 2, 3)
        # A tree's leaves are sure of themselves: one row in the wrong leaf costs a log loss more than many doubts.
        assert measured.mean < noise.mean or criterion == "log loss"
