"""cv, scoring and n_features_to_select, as scikit-learn calls them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import (
    balanced_accuracy_score,
    f1_score,
    make_scorer,
    matthews_corrcoef,
    median_absolute_error,
    roc_auc_score,
)
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fsdesk
from fsdesk.results.familiar import criterion_of

QUICK = {"max_measurements": 12, "repeats": 1}


def selected(planted, **ways):
    return fsdesk.select(planted, method="sfs", wrapper="nn", outer=0, **{"settings": QUICK, **ways})


@pytest.mark.parametrize(
    "cv",
    [
        StratifiedKFold(4, shuffle=True, random_state=1),
        KFold(6),
        PredefinedSplit(np.arange(60) % 3),
        list(KFold(5, shuffle=True, random_state=3).split(np.zeros((60, 1)))),
    ],
)
def test_the_very_folds_of_a_splitter_are_used(planted, cv):
    assert len(planted.target) == 60
    model = make_pipeline(StandardScaler(), KNeighborsClassifier(1))
    scores = cross_val_score(model, planted.x, planted.target, cv=cv)
    sizes = [len(tested) for _, tested in (cv if isinstance(cv, list) else cv.split(planted.x, planted.target))]
    ours = selected(planted, cv=cv, settings={"max_measurements": 12})
    assert ours.baseline_error == pytest.approx(1 - np.average(scores, weights=sizes), abs=1e-12)


@pytest.mark.parametrize(
    ("cv", "said"),
    [
        (7, {"folds": 7}),
        (RepeatedStratifiedKFold(n_splits=3, n_repeats=2), {"folds": 3, "repeats": 2, "stratify": True}),
        (ShuffleSplit(n_splits=4, test_size=0.2), {"protocol": "hold-out", "repeats": 4, "test_share": 0.2}),
        (LeaveOneOut(), {"protocol": "leave-one-out"}),
    ],
)
def test_other_ways_to_validate_are_settings(planted, cv, said):
    measuring = selected(planted, cv=cv, settings={"max_measurements": 3}).spec.measuring
    assert {name: getattr(measuring, name) for name in said} == said


@pytest.mark.parametrize("cv", [TimeSeriesSplit(3), GroupKFold(3), [([0, 1], [2, 3])], "5", 1.5, object()])
def test_what_does_not_test_every_row_once_is_refused(planted, cv):
    with pytest.raises(fsdesk.SettingsError, match=r"cv|test every row exactly once|group=\.\.\."):
        selected(planted, cv=cv)


@pytest.mark.parametrize(
    ("scoring", "criterion"),
    [
        ("accuracy", "error"), ("roc_auc", "auc"), ("roc_auc_ovr", "auc"), ("balanced_accuracy", "balanced error"),
        ("neg_log_loss", "log loss"), ("matthews_corrcoef", "mcc"), (make_scorer(matthews_corrcoef), "mcc"),
        (make_scorer(roc_auc_score, response_method="predict_proba"), "auc"), ("r2", "r2"),
        ("neg_root_mean_squared_error", "rmse"), ("neg_mean_absolute_error", "mae"),
    ],
)  # fmt: skip
def test_scores_of_scikit_learn_are_criteria(scoring, criterion):
    assert criterion_of(scoring, 2) == criterion


def test_f1_is_that_of_the_positive_class_of_two_and_the_mean_of_several():
    """What is measured is F1 of one class where there are two: f1_macro is another number then."""
    assert criterion_of("f1", 2) == criterion_of(make_scorer(f1_score), 2) == "f1"
    assert criterion_of("f1_macro", 3) == criterion_of(make_scorer(f1_score, average="macro"), 3) == "f1"
    for scoring, classes in (("f1_macro", 2), ("f1", 3), (make_scorer(f1_score, average="macro"), 2)):
        with pytest.raises(fsdesk.SettingsError, match="no matching criterion"):
            criterion_of(scoring, classes)
    with pytest.raises(fsdesk.SettingsError, match="no matching criterion"):
        criterion_of(make_scorer(balanced_accuracy_score, adjusted=True), 2)


@pytest.mark.parametrize("rare", [0, 1])
def test_the_f1_of_two_classes_is_that_of_scikit_learn(rare):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(60, 3)), columns=["a", "b", "c"])
    frame["y"] = np.where(rng.random(60) < 0.3, rare, 1 - rare)
    cv = StratifiedKFold(4, shuffle=True, random_state=1)
    model = make_pipeline(StandardScaler(), KNeighborsClassifier(1))
    said = cross_val_predict(model, frame[["a", "b", "c"]], frame["y"], cv=cv)
    ours = fsdesk.select(frame, "y", method="sfs", wrapper="nn", outer=0, cv=cv, scoring="f1")
    assert ours.baseline_error == pytest.approx(1 - f1_score(frame["y"], said), abs=1e-12)


@pytest.mark.parametrize("scoring", ["roc_acu", make_scorer(median_absolute_error), len])
def test_scores_without_a_criterion_are_refused(planted, scoring):
    with pytest.raises(fsdesk.SettingsError, match=r"no matching criterion\. Available: accuracy, "):
        selected(planted, scoring=scoring)


def test_a_criterion_is_set_once(planted):
    assert selected(planted, scoring="roc_auc").spec.measuring.criterion == "auc"
    with pytest.raises(fsdesk.SettingsError, match='"criterion" is set twice'):
        selected(planted, scoring="roc_auc", settings={"criterion": "error"})


@pytest.mark.parametrize(("asked", "count"), [(3, 3), (0.5, 4), (1, 1), (1.0, 8), (99, 8)])
def test_so_many_features_are_selected(planted, asked, count):
    selector = fsdesk.FeatureSelector("univariate", "nn", n_features_to_select=asked, settings={"repeats": 1})
    selector.fit(planted.x, planted.target)
    assert selector.support_.sum() == count
    assert (selector.ranking_ == 1).sum() == count
    assert np.array_equal(selector.ranking_ == 1, selector.support_)
    others = selector.ranking_[~selector.support_]
    assert sorted(set(others.tolist())) == list(range(2, 2 + len(set(others.tolist()))))
    assert selector.scores_.shape == (8,)


@pytest.mark.parametrize("asked", [0, -1, 1.5, True, "3"])
def test_no_such_number_of_features(planted, asked):
    with pytest.raises(fsdesk.SettingsError, match="n_features_to_select must be a number of features"):
        fsdesk.select(planted, method="univariate", n_features_to_select=asked, outer=0)


def test_methods_that_take_no_number_of_features_say_so(planted):
    with pytest.raises(fsdesk.SettingsError, match=r'"sfs" does not accept a number of features.* choose one of '):
        selected(planted, n_features_to_select=3)


def test_a_selector_takes_them_too(planted):
    selector = fsdesk.FeatureSelector("sfs", "nn", cv=KFold(4), scoring="roc_auc", settings={"max_measurements": 9})
    result = selector.fit(planted.x, planted.target).result_
    assert (result.spec.measuring.protocol, result.spec.measuring.criterion) == ("column", "auc")


@pytest.mark.parametrize("name", ["forest", "boosting", "svm-rbf"])
def test_models_have_plain_names(planted, name):
    result = fsdesk.select(planted, method="full", wrapper=name, settings={"repeats": 1}, outer=0)
    assert result.search_error < 0.4
