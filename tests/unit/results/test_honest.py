"""What an answer is worth on rows that its search never saw."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from fsdesk.engine import RunSpec
from fsdesk.results.evidence import compare_methods, evidence_table
from fsdesk.results.honest import fresh_error, outer_error

QUICK = {"max_measurements": 40, "repeats": 2}


def test_each_outer_answer_predicts_rows_that_its_search_never_saw(planted):
    """The held-out rows predicted by scikit-learn, trained and scaled on the others alone."""
    spec = RunSpec.make(planted, seed=3, settings=QUICK)
    measured, masks = outer_error(spec, planted, folds=4)
    from fsdesk.results.honest import _outer_labels

    labels = _outer_labels(planted, 3, 4)
    for fold, (loss, mask) in enumerate(zip(measured.values, masks, strict=True)):
        train, test = labels != fold, labels == fold
        scaler = StandardScaler().fit(planted.x[train][:, mask])
        model = KNeighborsClassifier(1).fit(scaler.transform(planted.x[train][:, mask]), planted.target[train])
        missed = model.predict(scaler.transform(planted.x[test][:, mask])) != planted.target[test]
        assert loss == pytest.approx(missed.mean())


def test_on_noise_the_outer_error_is_that_of_a_coin_and_the_search_error_is_not(make_dataset):
    rng = np.random.default_rng(0)
    noise = make_dataset(rng.normal(size=(80, 30)), np.arange(80) % 2)
    rows = list(compare_methods(noise, ["bspsa"], seeds=(0, 1), budget=300, settings={"repeats": 3}, outer=5))
    assert np.mean(rows[0].reported) < 0.4
    assert np.mean(rows[0].outer) > 0.4
    assert "bspsa" in list(evidence_table(rows))[2]


def test_rows_of_a_group_stay_on_one_side(planted):
    grouped = replace(planted, groups=np.arange(60) // 4)
    measured, masks = outer_error(RunSpec.make(grouped, settings=QUICK), grouped, folds=3)
    assert len(measured.values) == len(masks) == 3


def test_fresh_measurements_are_others_than_the_search_s(planted):
    spec = RunSpec.make(planted)
    mask = np.arange(8) % 4 == 2
    fresh = fresh_error(spec, planted, mask, times=5)
    assert len(fresh.values) == 5
    assert len(set(fresh.values)) > 1
