"""Models that are trained for each fold: prepared as a Pipeline of scikit-learn does, with the same predictions."""

import importlib
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import BaggingClassifier, HistGradientBoostingClassifier, VotingClassifier
from sklearn.impute import SimpleImputer
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, RobustScaler, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from fsdesk import Evaluator
from fsdesk.errors import SettingsError, WrapperError
from fsdesk.wrappers import WRAPPERS, handed_over, named_wrapper
from fsdesk.wrappers.written import as_code, homes
from tests.known_tables import known_table

MODELS = {
    "nb": GaussianNB(),
    "lda": LinearDiscriminantAnalysis(),
    "logistic": LogisticRegression(tol=1e-8, max_iter=100_000),
    "ridge": RidgeClassifier(),
}
SCALERS = {"z-score": StandardScaler(), "min-max": MinMaxScaler(), "robust": RobustScaler()}


def _theirs(dataset, evaluator, mask, model, scaling, scaler):
    """(repeats, n) predictions of the pipeline on the same folds."""
    x = dataset.x[:, mask]
    if scaling == "once":
        x = make_pipeline(SimpleImputer(strategy="median"), SCALERS[scaler]).fit_transform(x)
    steps = [SimpleImputer(strategy="median"), *([SCALERS[scaler]] if scaling == "fold" else [])]
    y = dataset.target if dataset.response is None else dataset.response
    said = []
    for labels in evaluator.fold_labels(2):
        said.append(np.empty(len(y)))
        for fold in range(labels.max() + 1):
            train, test = labels != fold, labels == fold
            said[-1][test] = make_pipeline(*steps, model).fit(x[train], y[train]).predict(x[test])
    return np.array(said)


WAYS = [("fold", "z-score"), ("once", "z-score"), ("none", "z-score"), ("fold", "min-max"), ("fold", "robust")]
# Classes of arrhythmia have columns without any spread: naive Bayes then hangs on the smoothing, a share of the largest
# variance among the scaled columns, which is theirs only with z-scores.
QUICK = [
    (wrapper, name, *way)
    for wrapper in ("nb", "ridge")
    for name in ("ionosphere.arff", "segment.arff", "arrhythmia.arff")
    for way in WAYS
    if wrapper == "ridge" or name != "arrhythmia.arff" or way[1] == "z-score"
]


@pytest.mark.parametrize(("wrapper", "name", "scaling", "scaler"), QUICK)
def test_quick_models_predict_as_the_pipeline_does(wrapper, name, scaling, scaler):
    dataset = known_table(name)
    mask = np.random.default_rng(3).random(len(dataset.features)) < 0.4
    evaluator = Evaluator(dataset, wrapper, scaling=scaling, scaler=scaler, repeats=2)
    ours = evaluator.predict(mask, 2)
    agreed = (ours == _theirs(dataset, evaluator, mask, MODELS[wrapper], scaling, scaler)).mean()
    smooth = wrapper == "nb" and (name == "arrhythmia.arff" or scaler != "z-score" or scaling == "once")
    assert agreed >= (0.97 if smooth else 1.0)


BALANCED = {
    "nb": lambda k: GaussianNB(priors=np.full(k, 1 / k)),
    "lda": lambda k: LinearDiscriminantAnalysis(priors=np.full(k, 1 / k)),
    "ridge": lambda k: RidgeClassifier(class_weight="balanced"),
    "logistic": lambda k: LogisticRegression(tol=1e-8, max_iter=100_000, class_weight="balanced"),
}


@pytest.mark.parametrize("wrapper", BALANCED)
def test_balanced_classes_count_alike_as_in_scikit_learn(wrapper):
    dataset = known_table("ionosphere.arff")
    mask = np.random.default_rng(3).random(34) < 0.2
    model = WRAPPERS[wrapper].build({"class_weights": "balanced"})
    evaluator = Evaluator(dataset, model, repeats=2)
    theirs = _theirs(dataset, evaluator, mask, BALANCED[wrapper](2), "fold", "z-score")
    assert np.array_equal(evaluator.predict(mask, 2), theirs)
    assert not np.array_equal(Evaluator(dataset, wrapper, repeats=2).predict(mask, 2), theirs)


@pytest.mark.parametrize("wrapper", BALANCED)
def test_balanced_classes_bear_one_that_no_training_fold_has(wrapper, make_dataset):
    x = np.random.default_rng(0).normal(size=(19, 3))
    dataset = make_dataset(x, np.array([0] * 9 + [1] * 9 + [2]))
    model = WRAPPERS[wrapper].build({"class_weights": "balanced"})
    for protocol in ("folds", "hold-out", "leave-one-out"):
        evaluator = Evaluator(dataset, model, repeats=2, folds=3, protocol=protocol, criterion="auc")
        assert np.isfinite(evaluator.losses(np.ones(3, dtype=bool), 0)).all()


@pytest.mark.parametrize("wrapper", ["lda", "logistic"])
def test_linear_models_predict_as_the_pipeline_does(wrapper):
    dataset = known_table("ionosphere.arff")
    mask = np.random.default_rng(3).random(34) < 0.4
    evaluator = Evaluator(dataset, wrapper, repeats=2)
    theirs = _theirs(dataset, evaluator, mask, MODELS[wrapper], "fold", "z-score")
    assert np.array_equal(evaluator.predict(mask, 2), theirs)


@pytest.mark.parametrize("wrapper", ["nb", "lda", "logistic"])
def test_probabilities_are_theirs(wrapper):
    dataset = known_table("segment.arff")
    mask = np.random.default_rng(3).random(19) < 0.4
    evaluator = Evaluator(dataset, wrapper, repeats=1, criterion="log loss")
    labels = evaluator.fold_labels(0)
    ours = evaluator.outcome(mask, labels).scores
    x, y = dataset.x[:, mask], dataset.target
    for fold in range(5):
        train, test = labels[0] != fold, labels[0] == fold
        theirs = make_pipeline(StandardScaler(), MODELS[wrapper]).fit(x[train], y[train]).predict_proba(x[test])
        assert ours[0, test] == pytest.approx(theirs, abs=1e-5 if wrapper == "logistic" else 1e-6)


def test_ridge_predicts_numbers():
    dataset = known_table("segment.arff")
    numbers = replace(dataset, response=dataset.x[:, 12].copy(), target=np.zeros_like(dataset.target), classes=())
    mask = np.arange(19) < 9
    evaluator = Evaluator(numbers, "ridge", repeats=2)
    theirs = _theirs(numbers, evaluator, mask, Ridge(), "fold", "z-score")
    expected = np.sqrt(np.square(theirs - numbers.response).mean(axis=1))
    assert evaluator.measure(mask, 2).values == pytest.approx(expected, rel=1e-9)


def test_nominal_features_with_gaps_are_filled_and_encoded_inside_the_fold(make_dataset):
    rng = np.random.default_rng(0)
    x = np.column_stack([rng.integers(0, 3, 80), rng.integers(0, 2, 80), rng.normal(size=80)]).astype(float)
    x[rng.random((80, 3)) < 0.2] = np.nan
    target = (rng.random(80) < 0.3 + 0.4 * (np.nan_to_num(x[:, 0]) == 2)).astype(np.int64)
    dataset = make_dataset(x, target, categories={0: ("a", "b", "c"), 1: ("no", "yes")})
    evaluator = Evaluator(dataset, "ridge", repeats=2)
    steps = make_column_transformer(
        (
            make_pipeline(
                SimpleImputer(strategy="most_frequent"),
                OneHotEncoder(categories=[[0, 1, 2], [0, 1]], drop="if_binary", sparse_output=False),
                StandardScaler(),
            ),
            [0, 1],
        ),
        (make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), [2]),
    )
    for labels, ours in zip(evaluator.fold_labels(1), evaluator.predict(np.ones(3, dtype=bool), 1), strict=True):
        for fold in range(5):
            train, test = labels != fold, labels == fold
            model = make_pipeline(steps, RidgeClassifier()).fit(x[train], target[train])
            assert np.array_equal(ours[test], model.predict(x[test]))


def test_any_estimator_by_name_or_instance_measures_as_by_itself(planted):
    mask = np.arange(8) < 4
    by_name = Evaluator(planted, "DecisionTreeClassifier", repeats=2)
    values = {"estimator": "DecisionTreeClassifier", "parameters": "max_depth=1, random_state=0"}
    by_values = Evaluator(planted, WRAPPERS["sklearn"].build(values), repeats=2)
    by_instance = Evaluator(planted, DecisionTreeClassifier(max_depth=1, random_state=0), repeats=2)
    theirs = _theirs(planted, by_name, mask, DecisionTreeClassifier(random_state=0), "fold", "z-score")
    assert np.array_equal(by_name.predict(mask, 2), theirs)
    shallow = _theirs(planted, by_name, mask, DecisionTreeClassifier(max_depth=1, random_state=0), "fold", "z-score")
    assert np.array_equal(by_values.predict(mask, 2), shallow)
    assert np.array_equal(by_instance.predict(mask, 2), shallow)


NESTED = [
    OneVsRestClassifier(SVC(C=2, kernel="linear")),
    BaggingClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=3),
    VotingClassifier([("near", KNeighborsClassifier(3)), ("bayes", GaussianNB())], weights=[1, 2]),
    make_pipeline(Nystroem(n_components=5), LogisticRegression(class_weight={0: 2, 1: 1})),
    GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, np.int64(3)]}, cv=2),
    HistGradientBoostingClassifier(max_iter=3),
]


@pytest.mark.parametrize("model", NESTED, ids=lambda model: type(model).__name__)
def test_models_within_models_are_kept_as_text_and_measure_as_by_themselves(planted, model):
    values = named_wrapper(model).values
    again = WRAPPERS["sklearn"].build(values).build()
    assert named_wrapper(again).build().build().get_params().keys() == model.get_params().keys()
    evaluator, mask = Evaluator(planted, model, repeats=1), np.arange(8) < 4
    seeded = {name: 0 for name, value in model.get_params().items() if name.endswith("random_state") and value is None}
    theirs = _theirs(planted, evaluator, mask, clone(model).set_params(**seeded), "fold", "z-score")
    assert np.array_equal(evaluator.predict(mask, 2), theirs)
    code = as_code(again)
    spoken = dict(sorted((name, home) for home, name in homes(again)))
    names = {name: getattr(importlib.import_module(home), name) for name, home in spoken.items()}
    assert as_code(eval(code, names)) == code  # as a script that is exported has it


class Own(KNeighborsClassifier):
    """A class that scikit-learn does not have."""


@pytest.mark.parametrize("model", [Own(), BaggingClassifier(Own()), KNeighborsClassifier(metric=max)])
def test_what_a_project_cannot_keep_it_keeps_by_name_alone_and_says_so_when_the_model_is_needed(
    model, planted, monkeypatch
):
    kept = named_wrapper(model)
    assert kept.values["estimator"].endswith(type(model).__name__)
    monkeypatch.setattr(handed_over, "_KNOWN", {})  # as in another process
    with pytest.raises(SettingsError, match="run that script again"):
        Evaluator(planted, WRAPPERS[kept.name].build(kept.values))


def test_a_regressor_by_name(planted):
    numbers = replace(planted, response=planted.x[:, 1] * 2.0, target=np.zeros_like(planted.target), classes=())
    evaluator = Evaluator(numbers, "DecisionTreeRegressor", repeats=2, criterion="mae")
    mask = np.arange(8) < 3
    theirs = _theirs(numbers, evaluator, mask, DecisionTreeRegressor(random_state=0), "fold", "z-score")
    assert evaluator.measure(mask, 2).values == pytest.approx(np.abs(theirs - numbers.response).mean(axis=1))


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"estimator": "SuperForest"}, 'no single-target model "SuperForest"'),
        ({"estimator": "os.system"}, "a model from a Python script"),
        ({"parameters": "n_estimators"}, "not of the form"),
        ({"parameters": "n_estimators=open('x')"}, "not of the form"),
        ({"parameters": "trees=5"}, "trees"),
        ({"parameters": "5"}, "not of the form"),
        ({"estimator": "BaggingClassifier", "parameters": "estimator=Popen(args='ls')"}, "not of the form"),
        ({"estimator": "BaggingClassifier", "parameters": "estimator=svm.SVC()"}, "not of the form"),
        ({"estimator": "BaggingClassifier", "parameters": "estimator=SVC(3)"}, "not of the form"),
        ({"estimator": "BaggingClassifier", "parameters": "estimator=SVC(D=3)"}, '"D"'),
        ({"estimator": "Pipeline", "parameters": "steps=[('model', SVC())], memory='/tmp/x'"}, '"memory" of Pipeline'),
        ({"estimator": "Pipeline"}, "steps"),
        ({"estimator": "Pipeline", "parameters": "steps='abc'"}, '"steps" of Pipeline must'),
        ({"estimator": "OneVsRestClassifier", "parameters": "estimator=3"}, '"estimator" of OneVsRestClassifier must'),
        ({"estimator": "Ridge"}, "^Ridge cannot predict classes"),
    ],
)
def test_a_class_or_parameter_that_is_none_gets_one_sentence(planted, values, sentence):
    with pytest.raises(SettingsError, match=sentence):
        Evaluator(planted, WRAPPERS["sklearn"].build(values))


def test_a_class_without_probabilities_cannot_be_asked_for_them(planted):
    with pytest.raises(SettingsError, match="Log loss needs probabilities, which LinearSVC does not provide"):
        Evaluator(planted, "LinearSVC", criterion="log loss")
    assert Evaluator(planted, "LinearSVC", criterion="auc", repeats=1).measure(np.ones(8, dtype=bool)).mean < 0.5


def test_an_estimator_that_raises_makes_an_infinite_loss_and_says_why(planted):
    values = {"estimator": "KNeighborsClassifier", "parameters": "n_neighbors=1000"}
    evaluator = Evaluator(planted, WRAPPERS["sklearn"].build(values), repeats=3)
    assert evaluator.measure(np.ones(8, dtype=bool)).values.tolist() == [np.inf] * 3
    with pytest.raises(WrapperError, match=r"KNeighborsClassifier could not .* n_neighbors"):
        evaluator.losses(np.ones(8, dtype=bool), 0)


@pytest.mark.parametrize(
    "raised", [RuntimeError, NotImplementedError, AssertionError, MemoryError, np.linalg.LinAlgError]
)
def test_whatever_an_estimator_raises_the_search_goes_on(planted, monkeypatch, raised):
    def fit(self, x, y):
        if x.shape[1] > 4:
            raise raised("no more than four")
        return usual(self, x, y)

    usual = GaussianNB.fit
    monkeypatch.setattr(GaussianNB, "fit", fit)
    evaluator = Evaluator(planted, "GaussianNB", repeats=2)
    assert np.isinf(evaluator.measure(np.ones(8, dtype=bool)).values).all()
    assert np.isfinite(evaluator.measure(np.arange(8) < 3).values).all()
    with pytest.raises(WrapperError, match=r"GaussianNB could not be trained on these features \(no more than four\)"):
        evaluator.losses(np.ones(8, dtype=bool), 0)
