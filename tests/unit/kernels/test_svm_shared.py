"""Machines trained together over one Gram matrix say what each would say over its own."""

import numpy as np
import pytest

from fsdesk.kernels import svm, svm_shared
from fsdesk.measure.folds import stratified_folds
from fsdesk.wrappers import WRAPPERS, Design

ROWS, COLUMNS = 60, 2000


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


def _answers(design, **settings):
    machine = WRAPPERS["svm"].build({"tolerance": 1e-5, **settings}).bind(design)
    labels = stratified_folds(design.target, repeats=2, folds=5, seed=0, number=0)
    labels[1, :3] = -1  # rows that are only trained on
    mask = np.ones(COLUMNS, dtype=bool)
    return machine.values(mask, labels) if design.response is not None else machine.scores(mask, labels)


def _count_left(monkeypatch):
    """How many fits got matrices of their own, for each measurement."""
    left = []

    def counted(*arguments):
        fits = svm_shared.answer_together(*arguments)
        left.append(len(fits))
        return fits

    monkeypatch.setattr(svm, "answer_together", counted)
    return left


@pytest.mark.parametrize(
    ("classes", "settings"), [(2, {}), (2, {"cost": 1e-4}), (2, {"class_weights": "balanced"}), (3, {}), (1, {})]
)
def test_together_they_say_what_they_say_alone(monkeypatch, classes, settings):
    response = None if classes > 1 else np.random.default_rng(0).normal(size=ROWS)
    design = _design(classes, response)
    left = _count_left(monkeypatch)
    together = _answers(design, **settings)
    assert len(left) == 1
    assert left[0] <= 2
    monkeypatch.setattr(svm_shared, "pays", lambda *_: False)
    alone = _answers(design, **settings)
    assert len(left) == 1
    assert np.abs(together - alone).max() <= 2e-4
    assert np.abs(alone).max() > 0.1


def test_a_fit_that_does_not_get_there_gets_a_matrix_of_its_own(monkeypatch):
    design = _design(2)
    together = _answers(design)
    left = _count_left(monkeypatch)
    monkeypatch.setattr(svm_shared, "_PASSES", 2)
    assert np.abs(_answers(design) - together).max() <= 2e-4
    assert left[0] >= 5


def test_own_products_of_a_wide_table_with_gaps_are_those_of_blas(monkeypatch):
    design = _design(2)
    design.columns[5:300:7, 3:50:11] = np.nan
    left = _count_left(monkeypatch)
    own = _answers(design)
    monkeypatch.setattr(svm, "_COLUMNS_AT_ONCE", COLUMNS + 1)
    assert np.abs(_answers(design) - own).max() <= 2e-4
    assert not left
    assert np.abs(own).max() > 0.1
