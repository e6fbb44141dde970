"""Leaving one row out of a wide table, whose fits are taken some at a time, says what scikit-learn says."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.impute import SimpleImputer
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from fsdesk.data import Dataset
from fsdesk.measure.design import design_of
from fsdesk.wrappers import WRAPPERS
from fsdesk.wrappers.columns import fits_at_once

MODELS = {"nn": KNeighborsClassifier(1), "nb": GaussianNB(), "svm": SVC(kernel="linear")}
ROWS, COLUMNS = 30, 6000


def _table(gaps):
    rng = np.random.default_rng(5)
    target = np.arange(ROWS) % 3
    x = np.asfortranarray(rng.normal(size=(ROWS, COLUMNS)) + (rng.random(COLUMNS) < 0.04) * 0.7 * target[:, None])
    if gaps:
        x[rng.random(x.shape) < 0.03] = np.nan
    return Dataset("made", x, tuple(map(str, range(COLUMNS))), target, "y", ("a", "b", "c"), ("",) * ROWS)


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_every_row_is_predicted_as_by_the_same_pipeline(name, gaps):
    table = _table(gaps)
    labels = np.arange(ROWS)[None, :]
    assert len(list(fits_at_once(labels, COLUMNS, 2))) > 1
    model = WRAPPERS[name].build({}).bind(design_of(table, "fold", "z-score"))
    ours = model.predict(np.ones(COLUMNS, dtype=bool), labels)[0]
    pipeline = make_pipeline(SimpleImputer(strategy="median"), StandardScaler(), MODELS[name])
    theirs = cross_val_predict(pipeline, table.x, table.target, cv=LeaveOneOut())
    assert set(theirs) == {0, 1, 2}
    assert (ours == theirs).all()


@pytest.mark.parametrize("task", ["classes", "numbers"])
def test_trees_of_a_table_with_gaps_are_those_of_one_fit_at_a_time(task):
    table = _table(gaps=True)
    if task == "numbers":
        numbers = table.x[:, 7] + np.arange(ROWS)
        numbers[np.isnan(numbers)] = 0.0
        table = replace(table, response=numbers, target=np.zeros(ROWS, dtype=np.int64), classes=())
    model = WRAPPERS["cart"].build({}).bind(design_of(table, "fold", "z-score"))
    ask, every = model.predict if task == "classes" else model.values, np.ones(COLUMNS, dtype=bool)
    assert len(list(fits_at_once(np.arange(ROWS)[None, :], COLUMNS))) > 1
    together = ask(every, np.arange(ROWS)[None, :])[0]
    alone = [ask(every, np.where(np.arange(ROWS) == row, 0, -1)[None, :])[0, row] for row in range(ROWS)]
    assert len(set(alone)) > 1
    assert (together == alone).all()


def test_fits_at_once_test_every_row_once_in_its_own_fold():
    labels = np.array([[0, 1, 2, 3, -1, 2], [3, 2, 1, 0, 0, 1]])
    seen = np.full(labels.shape, -1)
    for part in fits_at_once(labels, 1 << 16, 1 << 20):  # two fits at a time
        assert part.labels.max() == 1
        rows = seen[part.repeats]
        assert (rows[part.is_tested] == -1).all()
        rows[part.is_tested] = part.labels[part.is_tested] + part.folds.start
    assert (seen == labels).all()
