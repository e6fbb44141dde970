"""FeatureSelector as scikit-learn wants it."""

import os
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from joblib import cpu_count
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from fsdesk import FeatureSelector, select

QUICK = {"max_measurements": 30, "repeats": 2}


@parametrize_with_checks([FeatureSelector(method="bspsa-h", settings=QUICK), FeatureSelector("sfs", settings=QUICK)])
def test_scikit_learn_s_own_checks(estimator, check):
    check(estimator)


_SKIPPED = """
from sklearn.utils.estimator_checks import estimator_checks_generator
from fsdesk import FeatureSelector

done = 0
selector = FeatureSelector("bspsa-h", settings={"max_measurements": 30, "repeats": 2})
for estimator, check in estimator_checks_generator(selector):
    if "array_api" in check.func.__name__:
        check(estimator)
        done += 1
assert done
"""


def test_the_check_that_scikit_learn_leaves_out_unless_scipy_is_told_passes_too():
    subprocess.run([sys.executable, "-c", _SKIPPED], env={**os.environ, "SCIPY_ARRAY_API": "1"}, check=True)


@pytest.fixture
def frame(planted):
    return pd.DataFrame(planted.x, columns=[f"gene {place}" for place in range(8)]), np.array(["ill", "well"])[
        planted.target
    ]


def test_it_selects_what_select_does_and_keeps_the_names(planted, frame):
    x, y = frame
    selector = FeatureSelector("bspsa", settings=QUICK, random_state=7).fit(x, y)
    seed = int(np.random.RandomState(7).randint(2**31 - 1))
    expected = select(planted, method="bspsa", settings=QUICK, seed=seed, outer=0)
    assert selector.support_.tolist() == expected.mask.tolist()
    assert selector.search_error_ == expected.search_error
    assert selector.get_feature_names_out().tolist() == [f"gene {place}" for place in np.flatnonzero(expected.mask)]
    assert selector.set_output(transform="pandas").transform(x).columns.tolist() == list(
        selector.get_feature_names_out()
    )


def test_it_works_in_pipelines_and_grids_and_honest_validation(frame):
    x, y = frame
    pipeline = make_pipeline(FeatureSelector(method="bspsa-h", settings=QUICK, random_state=0), GaussianNB())
    assert cross_val_score(pipeline, x, y, cv=3).mean() > 0.9
    grid = GridSearchCV(pipeline, {"featureselector__wrapper": ["nn", "nb"]}, cv=3).fit(x, y)
    assert grid.best_score_ > 0.9


def test_gaps_are_filled_inside_the_search_and_stay_in_what_comes_out(frame):
    x, y = frame
    x = x.mask(np.random.default_rng(0).random(x.shape) < 0.1)
    selector = FeatureSelector(method="bspsa-h", settings=QUICK, random_state=0).fit(x, y)
    assert np.isnan(selector.transform(x)).any()


def test_constraints_go_by_column(frame):
    x, y = frame
    selector = FeatureSelector(
        method="bspsa-h", settings=QUICK, always=[0], never=[1], together=[[2, 3]], random_state=0
    ).fit(x, y)
    assert selector.support_[0]
    assert not selector.support_[1]
    assert selector.support_[2] == selector.support_[3]


def test_columns_are_given_by_name_as_well(frame):
    x, y = frame
    by_name = {"always": [x.columns[0]], "never": x.columns[1:2], "together": [[x.columns[2], 3]]}
    by_place = {"always": [0], "never": np.array([1]), "together": [[2, 3]]}
    named, placed = (
        FeatureSelector(method="bspsa-h", settings=QUICK, random_state=0, **constraints).fit(x, y).result_
        for constraints in (by_name, by_place)
    )
    assert named.spec == placed.spec


def test_a_column_of_text_ids_is_warned_of_unless_it_is_never_selected(frame):
    x, y = frame
    named = pd.DataFrame(x).assign(sample=[f"s{row}" for row in range(len(x))], site=["a", "b"] * (len(x) // 2))
    with pytest.warns(UserWarning, match='1 column contains text that differs in nearly every row: "sample"'):
        FeatureSelector("univariate", "nn", random_state=0, n_features_to_select=2).fit(named, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        FeatureSelector("univariate", "nn", never=["sample"], random_state=0, n_features_to_select=2).fit(named, y)


def test_it_begins_with_the_columns_of_another_search(frame, planted):
    x, y = frame
    settings = {**QUICK, "max_iterations": 1}
    selector = FeatureSelector("tabu", settings=settings, start=[1, 5], random_state=7).fit(x, y)
    seed = int(np.random.RandomState(7).randint(2**31 - 1))
    names = [planted.features[1], planted.features[5]]
    assert (
        selector.support_.tolist()
        == select(planted, method="tabu", settings=settings, seed=seed, start=names, outer=0).mask.tolist()
    )
    assert selector.result_.spec.start == ("gene 1", "gene 5")


def test_groups_folds_and_times_reach_the_validation_in_pipelines_too(frame):
    x, y = frame
    patients = np.repeat([f"patient {place}" for place in range(15)], 4)
    pipeline = make_pipeline(FeatureSelector(method="bspsa-h", settings=QUICK, random_state=0), GaussianNB())
    fitted = pipeline.fit(x, y, featureselector__groups=patients)[0]
    alone = FeatureSelector(method="bspsa-h", settings=QUICK, random_state=0).fit(x, y)
    assert fitted.search_error_ != alone.search_error_
    for protocol, role, values in (("column", "fold_of", np.arange(60) % 3), ("time", "time", np.arange(60) * 0.5)):
        chosen = FeatureSelector(method="bspsa-h", settings={**QUICK, "protocol": protocol}, random_state=0).fit(
            x, y, **{role: values}
        )
        assert chosen.result_.spec.measuring.protocol == protocol
    grid = GridSearchCV(pipeline, {"featureselector__wrapper": ["nn", "nb"]}, cv=3)
    assert grid.fit(x, y, featureselector__groups=np.arange(60) // 2).best_score_ > 0.9
    with pytest.raises(ValueError, match="3 values for 60 rows"):
        FeatureSelector(method="bspsa-h", settings=QUICK).fit(x, y, groups=[1, 2, 3])


def test_numbers_are_predicted_as_numbers(planted):
    y = planted.x[:, 2] + 0.1 * planted.x[:, 6]
    selector = FeatureSelector("sfs", "ridge", settings={"max_measurements": 200}, random_state=0).fit(planted.x, y)
    assert selector.support_[2]
    assert selector.result_.spec.measuring.criterion == "rmse"


def test_jobs_are_counted_as_everywhere_in_scikit_learn(frame, monkeypatch):
    given = []

    def spied(*arguments, workers, **named):
        given.append(workers)
        return select(*arguments, workers=1, **named)

    monkeypatch.setattr("fsdesk.estimators.select", spied)
    for jobs in (None, 1, 3, -1):
        FeatureSelector(method="bspsa-h", settings=QUICK, random_state=0, n_jobs=jobs).fit(*frame)
    assert given == [1, 1, 3, cpu_count()]
    with pytest.raises(ValueError, match="n_jobs"):
        FeatureSelector(method="bspsa-h", n_jobs=0).fit(*frame)


def test_it_survives_pickling_and_cloning(frame):
    x, y = frame
    selector = FeatureSelector(method="bspsa-h", wrapper=GaussianNB(), settings=QUICK, random_state=1).fit(x, y)
    assert pickle.loads(pickle.dumps(selector)).transform(x).shape == selector.transform(x).shape
    assert clone(selector).fit(x, y).support_.tolist() == selector.support_.tolist()


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"method": "magic"}, 'no method "magic"'),
        ({"settings": {"fold": 3}}, 'no setting "fold"'),
        ({"wrapper": 3}, "wrapper"),
        ({"wrapper": SVC}, "an instance of"),
        ({"wrapper": SVC(C=-1.0)}, '"C" of SVC must be a float'),
        ({"always": "gene 1"}, "in brackets"),
        ({"always": [99]}, "always has 99"),
        ({"never": [True, False]}, "never has True"),
    ],
)
def test_what_is_off_is_a_value_error_with_one_sentence(frame, values, sentence):
    with pytest.raises(ValueError, match=sentence):
        FeatureSelector(**values).fit(*frame)


def test_one_class_is_refused(frame):
    with pytest.raises(ValueError, match="one class only"):
        FeatureSelector().fit(frame[0], ["same"] * 60)


def test_it_prints_better_subsets_and_stops_when_a_callback_says_so(frame, capsys):
    x, y = frame
    told = []
    settings = {**QUICK, "max_iterations": 8}
    selector = FeatureSelector("bspsa", settings=settings, random_state=0, verbose=1, callback=told.append).fit(x, y)
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == sum(each.is_better for each in told) < len(told)
    assert all(line.startswith("[fsdesk] ") for line in printed)
    assert selector.result_.status == "finished"
    stopped = clone(selector).set_params(callback=lambda progress: True, verbose=0).fit(x, y)
    assert stopped.result_.status == "stopped"
    assert stopped.support_.any()
