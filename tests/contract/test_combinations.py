"""Every wrapper with every criterion that fits it, under every validation: one number, and the same one each time."""

from dataclasses import replace

import numpy as np
import pytest

from fsdesk import Evaluator
from fsdesk.measure import CRITERIA
from fsdesk.wrappers import WRAPPERS
from tests.measurable import PAIRS, PROTOCOLS, quick_settings

ROWS = 20  # each is left out once, for every pair
MASK = np.arange(8) % 4 == 1  # the planted features


@pytest.fixture(scope="module")
def tables(planted, make_dataset):
    few = make_dataset(planted.x[:ROWS], planted.target[:ROWS])
    roles = {"fold_of": np.arange(ROWS) // 2 % 3, "time": np.random.default_rng(0).permutation(ROWS)}
    classes = replace(few, **roles)
    response = few.target * 3.0 + np.random.default_rng(1).normal(size=ROWS) * 0.1
    numbers = replace(classes, response=response, classes=(), target=np.zeros(ROWS, dtype=np.int64))
    events = (np.arange(ROWS) % 4 > 0).astype(np.int64)
    times = np.where(events == 1, 1.0, -1.0) * np.exp(-response)
    survival = replace(numbers, response=times, target=events, event="seen=1")
    return {"classification": classes, "regression": numbers, "survival": survival}


def pytest_generate_tests(metafunc):
    """Each pair under two validations, by turns, or under all."""
    asked = range(len(PROTOCOLS)) if metafunc.config.getoption("exhaustive") else (0, 2)
    turns = [(*pair, PROTOCOLS[(place + step) % len(PROTOCOLS)]) for place, pair in enumerate(PAIRS) for step in asked]
    metafunc.parametrize(("wrapper", "criterion", "protocol"), turns)


def test_it_measures(tables, wrapper, criterion, protocol):
    judged = CRITERIA[criterion]
    model = WRAPPERS[wrapper].build(quick_settings(wrapper, criterion))
    evaluator = Evaluator(tables[judged.task], model, criterion=criterion, protocol=protocol, repeats=2)
    measured = evaluator.measure(MASK, 3)
    assert len(measured.values) == (2 if protocol in ("folds", "hold-out") else 1)
    assert ((measured.values >= 0) & (measured.values <= judged.worst)).all()
    assert np.array_equal(measured.values, evaluator.measure(MASK, 3).values)
    noise = evaluator.measure(np.arange(8) % 4 == 2, 3)
    # A tree's leaves are sure of themselves: one row in the wrong leaf costs a log loss more than many doubts.
    assert measured.mean < noise.mean or criterion == "log loss"
