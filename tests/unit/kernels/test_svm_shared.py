"""Machines trained together over one Gram matrix say what each would say over its own."""

import numpy as np
import pytest

from fsdesk.measure.folds import stratified_folds
from fsdesk.wrappers import WRAPPERS, Design

ROWS, COLUMNS = 60, 2000
EVERY = np.ones(COLUMNS, dtype=bool)


def _design(classes, response=None):
    """A wide table in which one row is far out in many columns: its folds differ much from the others."""
    rng = np.random.default_rng(classes)
    target = np.arange(ROWS) % classes
    columns = rng.standard_t(3, size=(COLUMNS, ROWS))
    columns[:40] += target
    columns[:600, 0] *= 30.0
    return Design(
        columns=columns,
        owner=np.arange(COLUMNS),
        nominal=np.zeros(COLUMNS, dtype=bool),
        target=target.astype(np.int64),
        classes=classes,
        scaling="fold",
        response=response,
    )


def _labels(design):
    labels = stratified_folds(design.target, repeats=2, folds=5, seed=0, number=0)
    labels[1, :3] = -1  # rows that are only trained on
    return labels


def _answers(design, **settings):
    machine = WRAPPERS["svm"].build({"tolerance": 1e-5, **settings}).bind(design)
    labels = _labels(design)
    return machine.values(EVERY, labels) if design.response is not None else machine.scores(EVERY, labels)


def _alone(design, **settings):
    """What machines say that no other fit is trained beside: each has a matrix of its own."""
    machine = WRAPPERS["svm"].build({"tolerance": 1e-5, **settings}).bind(design)
    labels = _labels(design)
    said = np.zeros((*labels.shape, design.classes))
    for repeat, fold in np.ndindex(2, 5):
        own = np.where(labels[repeat] == fold, 0, -1)[None, :]
        tested = own[0] == 0
        answers = machine.values(EVERY, own)[..., None] if design.response is not None else machine.scores(EVERY, own)
        said[repeat, tested] = answers[0, tested]
    return said


@pytest.mark.parametrize(
    ("classes", "settings"), [(2, {}), (2, {"cost": 1e-4}), (2, {"class_weights": "balanced"}), (3, {}), (1, {})]
)
def test_together_they_say_what_they_say_alone(classes, settings):
    response = None if classes > 1 else np.random.default_rng(0).normal(size=ROWS)
    design = _design(classes, response)
    together, alone = _answers(design, **settings), _alone(design, **settings)
    is_tested = _labels(design) >= 0
    assert np.abs(together.reshape(alone.shape) - alone)[is_tested].max() <= 2e-4
    assert np.abs(alone).max() > 0.1


def test_gaps_give_each_fit_a_matrix_of_its_own_in_single_precision_as_exact_as_in_double():
    design = _design(2)
    design.columns[5:300:7, 3:50:11] = np.nan
    single, double = _answers(design, cost=10.0), _answers(design, cost=np.nextafter(10.0, 11.0))
    assert np.abs(single - double)[_labels(design) >= 0].max() <= 2e-4
    assert np.abs(double).max() > 0.1
