"""Every criterion equals scikit-learn's on the same predictions."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn import metrics

from fsdesk.measure import CRITERIA
from fsdesk.measure.criteria import Outcome

N, FOLDS = 90, 5


@pytest.fixture(params=[2, 3])
def tested(request):
    classes = request.param
    rng = np.random.default_rng(classes)
    target = rng.integers(0, classes, N)
    scores = rng.dirichlet(np.ones(classes), size=(2, N))
    scores = (np.round(scores, 2) + 0.01) / (1 + 0.01 * classes)  # ties
    scores /= scores.sum(axis=2, keepdims=True)
    return Outcome(
        labels=rng.integers(0, FOLDS, (2, N)),
        target=target,
        response=None,
        classes=classes,
        predicted=np.where(rng.random((2, N)) < 0.6, target, rng.integers(0, classes, (2, N))),
        scores=scores,
        costs=rng.integers(0, 9, (classes, classes)) * (1.0 - np.eye(classes)),
        positive=1,
    )


def _rows(tested, repeat):
    return tested.labels[repeat] >= 0


CLASSIFICATION = {
    "error": lambda y, p, t: 1 - metrics.accuracy_score(y, p),
    "balanced error": lambda y, p, t: 1 - metrics.balanced_accuracy_score(y, p),
    "f1": lambda y, p, t: 1 - metrics.f1_score(y, p, average="binary" if t.classes == 2 else "macro"),
    "mcc": lambda y, p, t: 1 - metrics.matthews_corrcoef(y, p),
    "cost": lambda y, p, t: np.mean([t.costs[a, b] for a, b in zip(y, p, strict=True)]),
}


@pytest.mark.parametrize("untested", [False, True])
@pytest.mark.parametrize("name", CLASSIFICATION)
def test_criteria_of_classes(tested, name, untested):
    if untested:
        tested.labels[:, ::3] = -1
    losses = CRITERIA[name].loss(tested)
    for repeat in range(2):
        rows = _rows(tested, repeat)
        expected = CLASSIFICATION[name](tested.target[rows], tested.predicted[repeat, rows], tested)
        assert losses[repeat] == pytest.approx(expected, abs=1e-12)


def test_log_loss(tested):
    losses = CRITERIA["log loss"].loss(tested)
    for repeat in range(2):
        assert losses[repeat] == pytest.approx(metrics.log_loss(tested.target, tested.scores[repeat]), abs=1e-12)


@pytest.mark.parametrize(("name", "way"), [("auc", "ovr"), ("auc one-vs-one", "ovo")])
def test_areas_are_the_mean_over_the_folds(tested, name, way):
    losses = CRITERIA[name].loss(tested)
    for repeat in range(2):
        areas = []
        for fold in range(FOLDS):
            rows = tested.labels[repeat] == fold
            said = tested.scores[repeat, rows]
            if tested.classes == 2:
                areas.append(metrics.roc_auc_score(tested.target[rows], said[:, 1]))
            else:
                areas.append(metrics.roc_auc_score(tested.target[rows], said, multi_class=way, average="macro"))
        if name == "auc one-vs-one" and tested.classes == 2:
            rows, both = tested.labels[repeat], []
            for fold in range(FOLDS):
                y, said = tested.target[rows == fold], tested.scores[repeat, rows == fold]
                both.append((metrics.roc_auc_score(y, said[:, 1]) + metrics.roc_auc_score(1 - y, said[:, 0])) / 2)
            areas = both
        assert 1 - losses[repeat] == pytest.approx(np.mean(areas), abs=1e-12)


def test_an_area_without_two_classes_in_any_fold_takes_all_rows_together(tested):
    alone = Outcome(
        labels=np.tile(np.arange(N), (2, 1)),
        target=tested.target,
        response=None,
        classes=tested.classes,
        scores=tested.scores,
    )
    said = tested.scores[0, :, 1] if tested.classes == 2 else tested.scores[0]
    expected = metrics.roc_auc_score(tested.target, said, multi_class="ovr", average="macro")
    assert 1 - CRITERIA["auc"].loss(alone)[0] == pytest.approx(expected, abs=1e-12)


REGRESSION = {
    "rmse": metrics.root_mean_squared_error,
    "mae": metrics.mean_absolute_error,
    "r2": lambda y, p: 1 - metrics.r2_score(y, p),
}


@pytest.mark.parametrize("name", REGRESSION)
def test_criteria_of_numbers(name):
    rng = np.random.default_rng(0)
    response = rng.normal(size=N)
    values = response + rng.normal(size=(2, N))
    labels = rng.integers(-1, FOLDS, (2, N))
    tested = Outcome(labels, np.zeros(N, dtype=np.int64), response, 1, values=values)
    losses = CRITERIA[name].loss(tested)
    for repeat in range(2):
        rows = labels[repeat] >= 0
        assert losses[repeat] == pytest.approx(REGRESSION[name](response[rows], values[repeat, rows]), abs=1e-12)


def test_each_criterion_declares_direction_unit_and_range_and_a_perfect_model_has_no_loss():
    target = np.arange(N) % 3
    perfect = Outcome(
        labels=np.tile(np.arange(N) // 18, (2, 1)),
        target=target,
        response=np.arange(N, dtype=float),
        classes=3,
        predicted=np.tile(target, (2, 1)),
        scores=np.tile(np.eye(3)[target], (2, 1, 1)),
        values=np.tile(np.arange(N, dtype=float), (2, 1)),
        costs=1.0 - np.eye(3),
        survival=np.tile((np.arange(N) > 25.5)[:, None] * 1.0, (2, 1, 1)),
        times=np.array([25.5]),
    )
    for criterion in CRITERIA:
        values = -perfect.values if criterion.task == "survival" else perfect.values  # risks fall where times rise
        assert criterion.loss(replace(perfect, values=values)) == pytest.approx([0.0, 0.0], abs=1e-12)
        assert criterion.shown(0.0) == criterion.best == (1.0 if criterion.direction == "higher" else 0.0)
        assert criterion.worst > 0
        assert criterion.help.endswith(".")
        assert criterion.source
