"""A text that comes from somebody else makes no model of scikit-learn load, write or run anything."""

import contextlib
import inspect
import os
import re
from contextlib import closing
from pathlib import Path

import joblib
import numpy as np
import pytest
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils import all_estimators
from sklearn.utils._param_validation import StrOptions, make_constraint

from fsdesk import read_table
from fsdesk.cli import invoke
from fsdesk.engine import RunSpec
from fsdesk.errors import SettingsError
from fsdesk.store import Project
from fsdesk.wrappers import WRAPPERS
from fsdesk.wrappers.written import arguments_read, as_code

PIPE = "steps=[('scale', StandardScaler()), ('model', SVC())]"
SEARCH = f"estimator=Pipeline({PIPE}), param_grid="

HOSTILE = [
    # A cache of joblib holds pickles, which run code when they are loaded.
    ("Pipeline", f"{PIPE}, memory='cache'", "memory"),
    ("Pipeline", f"{PIPE}, memory=SVC()", "memory"),
    ("Pipeline", f"{PIPE}, memory=['cache']", "memory"),
    ("Pipeline", f"{PIPE}, memory=1", "memory"),
    ("GridSearchCV", SEARCH + "{'memory': ['cache']}", "memory"),
    ("GridSearchCV", SEARCH + "[{'model__C': [1.0]}, {'memory': ('cache',)}]", "memory"),
    ("RandomizedSearchCV", f"estimator=Pipeline({PIPE}), param_distributions={{'memory': ['cache']}}", "memory"),
    ("GridSearchCV", SEARCH + "{'model': [Pipeline(steps=[('m', SVC())], memory='cache')]}", "memory"),
    ("GridSearchCV", SEARCH + f"{{'model': [Pipeline({PIPE})], 'model__memory': ['cache']}}", "model__memory"),
    (
        "GridSearchCV",
        f"estimator=BaggingClassifier(estimator=Pipeline({PIPE})), param_grid={{'estimator__memory': ['cache']}}",
        "estimator__memory",
    ),
    (
        "GridSearchCV",
        f"estimator=BaggingClassifier(), param_grid={{'estimator': [Pipeline({PIPE})], 'estimator__memory': ['c']}}",
        "estimator__memory",
    ),
    (
        "GridSearchCV",
        f"estimator=GridSearchCV({SEARCH}{{'model__C': [1]}}), param_grid={{'estimator__memory': ['cache']}}",
        "estimator__memory",
    ),
    (
        "GridSearchCV",
        f"estimator=GridSearchCV({SEARCH}{{'model__C': [1]}}), param_grid={{'param_grid': [{{'memory': ['cache']}}]}}",
        "param_grid",
    ),
    ("VotingClassifier", f"estimators=[('a', Pipeline({PIPE}, memory='cache'))]", "memory"),
    ("StackingClassifier", f"estimators=[('a', SVC())], final_estimator=Pipeline({PIPE}, memory='c')", "memory"),
    ("Pipeline", f"steps=[('union', FeatureUnion(transformer_list=[('p', Pipeline({PIPE}, memory='c'))]))]", "memory"),
    ("Pipeline", f"steps=[('t', ColumnTransformer(transformers=[('p', Pipeline({PIPE}, memory='c'), 0)]))]", "memory"),
    # joblib evaluates what is to be dispatched.
    ("GridSearchCV", SEARCH + "{'model__C': [1]}, pre_dispatch='__import__(\"os\").system(\"id\")'", "pre_dispatch"),
    ("GridSearchCV", SEARCH + "{'model__C': [1]}, pre_dispatch='n_jobs**9**9'", "pre_dispatch"),
    # Callables by name, and what they are called with.
    ("Pipeline", "steps=[('f', FunctionTransformer(func='os.system')), ('m', SVC())]", "func"),
    ("Pipeline", "steps=[('f', FunctionTransformer(kw_args={'a': 1})), ('m', SVC())]", "kw_args"),
    ("Pipeline", "steps=[('f', SelectKBest(score_func='f_classif')), ('m', SVC())]", "score_func"),
    ("TransformedTargetRegressor", "regressor=Ridge(), func='numpy.load'", "func"),
    ("TransformedTargetRegressor", "regressor=Ridge(), inverse_func='numpy.load'", "inverse_func"),
    ("KNeighborsClassifier", "weights='numpy.load'", "weights"),
    ("KNeighborsClassifier", "metric='os.system'", "metric"),
    ("KNeighborsClassifier", "metric_params={'func': 'os.system'}", "metric_params"),
    ("KNeighborsClassifier", "metric_params=[1]", "metric_params"),
    ("SVC", "kernel='pickle.loads'", "kernel"),
    ("KernelRidge", "kernel_params={'n_jobs': 1000}", "kernel_params"),
    ("QuantileRegressor", "solver_options={'log_file': '/tmp/x'}", "solver_options"),
    ("GridSearchCV", SEARCH + "{'model__kernel': ['numpy.load']}", "model__kernel"),
    ("GridSearchCV", SEARCH + "{'model': ['os.system']}", "model"),
    ("GridSearchCV", SEARCH + "{'scale__with_mean': [SVC()]}", "scale__with_mean"),
    ("GridSearchCV", SEARCH + "{'model__C': [1]}, scoring='os.system'", "scoring"),
    ("GridSearchCV", SEARCH + "{'model__C': [1]}, scoring={'a': 'os.system'}", "scoring"),
    ("GridSearchCV", SEARCH + "{'model__C': [1]}, refit='a.b()'", "refit"),
    ("GridSearchCV", SEARCH + "{'model__C': [1]}, cv='/etc/passwd'", "cv"),
    ("GridSearchCV", SEARCH + "{'model__C': [1]}, cv=[['/etc/passwd', [1]]]", "cv"),
    ("GridSearchCV", SEARCH + "'/etc/passwd'", "param_grid"),
    ("GridSearchCV", SEARCH + "{'model__C': '/etc/passwd'}", "param_grid"),
    ("GridSearchCV", SEARCH + "{1: [1]}", "param_grid"),
    ("GridSearchCV", SEARCH + "{'__class__': [1]}", "__class__"),
    ("GridSearchCV", SEARCH + "{'model____init__': [1]}", "model____init__"),
    # Attributes by name.
    ("Pipeline", "steps=[('r', RFE(estimator=SVC(), importance_getter='__init__.__globals__'))]", "importance_getter"),
    ("Pipeline", "steps=[('r', RFE(estimator=SVC(), importance_getter='named_steps.x.__class__.coef_'))]",
     "importance_getter"),
    ("Pipeline", "steps=[('t', ColumnTransformer(transformers=[], verbose_feature_names_out='{0.__class__}'))]",
     "verbose_feature_names_out"),
    ("Pipeline", "steps=[('o', OneHotEncoder(dtype='object')), ('m', SVC())]", "dtype"),
    # Output and files.
    ("SVC", "verbose=True", "verbose"),
    ("GridSearchCV", SEARCH + "{'model__verbose': [3]}", "model__verbose"),
    ("MLPClassifier", "verbose='/tmp/log'", "verbose"),
    # Numbers and lists that are something else.
    ("RandomForestClassifier", "n_estimators='/etc/passwd'", "n_estimators"),
    ("RandomForestClassifier", "n_estimators=[10]", "n_estimators"),
    ("RandomForestClassifier", "random_state='/dev/urandom'", "random_state"),
    ("RandomForestClassifier", "class_weight={'a': '/etc/passwd'}", "class_weight"),
    ("LogisticRegressionCV", "Cs=['/etc/passwd']", "Cs"),
    ("MLPClassifier", "hidden_layer_sizes=['/etc/passwd']", "hidden_layer_sizes"),
    ("Pipeline", "steps=[('m', '/etc/passwd')]", "steps"),
    ("Pipeline", "steps=['ab']", "steps"),
    ("Pipeline", "steps=[('s', StandardScaler(), {'a': 1}), ('m', SVC())]", "steps"),
    ("BaggingClassifier", "estimator='SVC()'", "estimator"),
    ("BaggingClassifier", "estimator=StandardScaler()", "estimator"),
    ("GradientBoostingClassifier", "init='os'", "init"),
    # The same by other ways in.
    ("GridSearchCV", f"estimator=VotingClassifier(estimators=[('p', Pipeline({PIPE}))]), "
     "param_grid={'p__memory': ['cache']}", "p__memory"),
    ("GridSearchCV", f"estimator=VotingClassifier(estimators=[('p', Pipeline({PIPE}))]), "
     f"param_grid={{'p': [Pipeline({PIPE}, memory='c')]}}", "memory"),
    ("GridSearchCV", f"estimator=StackingClassifier(estimators=[('p', SVC())]), "
     f"param_grid={{'final_estimator': [Pipeline({PIPE}, memory='c')]}}", "memory"),
    ("GridSearchCV", f"estimator=CalibratedClassifierCV(estimator=Pipeline({PIPE})), "
     "param_grid={'estimator__memory': ['x']}", "estimator__memory"),
    ("GridSearchCV", f"estimator=OneVsRestClassifier(estimator=Pipeline({PIPE})), "
     "param_grid={'estimator__steps': [[('s', FunctionTransformer(func='os.system'))]]}", "func"),
    ("TunedThresholdClassifierCV", f"estimator=Pipeline({PIPE}, memory='c')", "memory"),
    ("FixedThresholdClassifier", f"estimator=Pipeline({PIPE}, memory='c')", "memory"),
    ("SelfTrainingClassifier", f"estimator=Pipeline({PIPE}, memory='c')", "memory"),
    ("AdaBoostClassifier", f"estimator=GridSearchCV({SEARCH}{{'memory': ['c']}})", "memory"),
    ("BaggingClassifier", f"estimator=BaggingClassifier(estimator=BaggingClassifier(estimator=Pipeline({PIPE}, "
     "memory='c')))", "memory"),
    ("GridSearchCV", SEARCH + f"{{'steps': [[('m', Pipeline({PIPE}, memory='c'))]]}}", "memory"),
    ("GridSearchCV", SEARCH + "[{'model__C': [1]}, {'scale': [FunctionTransformer(func='os.system')]}]", "func"),
    ("GridSearchCV", SEARCH + "{'model__C': [1]}, error_score='os'", "error_score"),
    ("RANSACRegressor", "estimator=Ridge(), is_data_valid='os.system'", "is_data_valid"),
    ("RANSACRegressor", "estimator=Ridge(), loss='pickle.loads'", "loss"),
    ("Pipeline", "steps=[('k', KernelPCA(kernel='os.system')), ('m', SVC())]", "kernel"),
    ("Pipeline", "steps=[('k', Nystroem(kernel_params={'func': 'os.system'})), ('m', SVC())]", "kernel_params"),
    ("Pipeline", "steps=[('k', FastICA(fun='os.system')), ('m', SVC())]", "fun"),
    ("Pipeline", "steps=[('s', SequentialFeatureSelector(estimator=SVC(), scoring='os.system')), ('m', SVC())]",
     "scoring"),
    ("Pipeline", "steps=[('s', SelectFromModel(estimator=SVC(), threshold='__import__')), ('m', SVC())]", "threshold"),
    ("GaussianProcessClassifier", "optimizer='os.system'", "optimizer"),
    ("GaussianProcessClassifier", "kernel='numpy.load'", "kernel"),
    ("MLPClassifier", "activation='os.system'", "activation"),
    ("DecisionTreeClassifier", "criterion='/etc/passwd'", "criterion"),
    ("HistGradientBoostingClassifier", "scoring='os.system'", "scoring"),
    ("RidgeClassifierCV", "scoring='os.system'", "scoring"),
    ("SVC", "_validate_params=1", "_validate_params"),
    ("SVC", "self=1", "self"),
]  # fmt: skip

OUTSIDE = [
    ("SVC", "C=__import__('os').system('id')"),
    ("SVC", "C=(lambda: 1)()"),
    ("SVC", "C=[x for x in (1,)]"),
    ("SVC", "C=f'{1}'"),
    ("SVC", "C=open"),
    ("SVC", "**{'C': 1}"),
    ("SVC", "*[1]"),
    ("SVC", "C=1)(kernel='linear'"),
    ("SVC", "C=1) or g(kernel='linear'"),
    ("SVC", "C=(y := 1)"),
    ("SVC", "C='" + "\0"),
    ("SVC", "C=" + "(" * 5000 + "1" + ")" * 5000),
    ("SVC", "C=" + "-" * 100_000 + "1"),
    ("BaggingClassifier", "estimator=Bunch()"),
    ("BaggingClassifier", "estimator=Memory(location='x')"),
    ("BaggingClassifier", "estimator=FrozenEstimator(estimator=SVC())"),
    ("BaggingClassifier", "estimator=CountVectorizer(input='filename')"),
    ("BaggingClassifier", "estimator=_SigmoidCalibration()"),
    ("Pipeline", "steps=[('f', FeatureAgglomeration(memory='cache')), ('m', SVC())]"),
    ("Pipeline", "steps=[('t', TfidfVectorizer(tokenizer='os.system')), ('m', SVC())]"),
    ("Pipeline", f"steps=[('i', IterativeImputer(estimator=Pipeline({PIPE}, memory='c'))), ('m', SVC())]"),
]

ORDINARY = [
    ("RandomForestClassifier", "n_estimators=50, max_depth=3, class_weight='balanced', max_features=0.5, n_jobs=2"),
    ("RandomForestClassifier", "class_weight={0: 1.5, 1: 2}, criterion='entropy', verbose=0, oob_score=True"),
    ("LogisticRegression", "C=0.1, solver='liblinear', dual=True, max_iter=1000, tol=1e-3"),
    ("LogisticRegressionCV", "Cs=[0.1, 1.0], cv=3, scoring='roc_auc'"),
    ("SVC", "C=2, kernel='poly', gamma='auto', cache_size=500, random_state=3"),
    ("SVC", ""),
    ("KNeighborsClassifier", "n_neighbors=3, weights='distance', metric='minkowski', metric_params={'w': [1.0, 2.0]}"),
    ("KNeighborsClassifier", "metric='seuclidean', metric_params={'V': [1.0, 2.0]}"),
    ("MLPClassifier", "hidden_layer_sizes=(20, 10), early_stopping=True, learning_rate='adaptive'"),
    ("GaussianNB", "priors=[0.5, 0.5]"),
    ("DummyClassifier", "strategy='constant', constant='ill'"),
    ("HistGradientBoostingClassifier", "categorical_features=['a', 'b'], monotonic_cst={'a': 1}, scoring='loss'"),
    ("HistGradientBoostingRegressor", "interaction_cst=[[0, 1], [2]], loss='quantile', quantile=0.3"),
    ("GradientBoostingClassifier", "init='zero', subsample=0.5"),
    ("GradientBoostingClassifier", "init=LogisticRegression(C=2)"),
    ("BaggingClassifier", "estimator=SVC(C=2), n_estimators=5"),
    ("AdaBoostClassifier", "estimator=DecisionTreeClassifier(max_depth=2), learning_rate=0.5"),
    ("VotingClassifier", "estimators=[('a', SVC(probability=True)), ('b', 'drop')], voting='soft', weights=[1, 2]"),
    ("StackingClassifier", "estimators=[('a', SVC()), ('b', GaussianNB())], final_estimator=RidgeClassifier(), cv=3"),
    ("CalibratedClassifierCV", "estimator=LinearSVC(), cv=3, method='isotonic'"),
    ("OneVsRestClassifier", "estimator=SVC()"),
    ("Pipeline", "steps=[('kernel', Nystroem(n_components=5)), ('model', LogisticRegression(C=2))]"),
    ("Pipeline", "steps=(('scale', None), ['model', SVC()]), memory=None"),
    ("Pipeline", "steps=[('scale', 'passthrough'), ('select', SelectFromModel(estimator=LinearSVC(), "
     "threshold='1.25*median', importance_getter='auto')), ('m', SVC())]"),
    ("Pipeline", "steps=[('t', ColumnTransformer(transformers=[('a', StandardScaler(), [0, 1]), ('b', 'drop', 'x'), "
     "('c', OneHotEncoder(categories=[['a', 'b']], drop='if_binary'), ['d'])], remainder='drop')), ('m', SVC())]"),
    ("Pipeline", "steps=[('u', FeatureUnion(transformer_list=[('a', PCA(n_components=2)), ('b', 'passthrough')], "
     "transformer_weights={'a': 2.0})), ('m', SVC())]"),
    ("Pipeline", "steps=[('i', SimpleImputer(strategy='constant', fill_value=0)), ('m', SVC())]"),
    ("Pipeline", "steps=[('r', RFE(estimator=LinearSVC(), n_features_to_select=2, importance_getter='coef_')), "
     "('s', RFECV(estimator=Pipeline(steps=[('m', LinearSVC())]), importance_getter='named_steps.m.coef_', cv=3)), "
     "('m', SVC())]"),
    ("GridSearchCV", "estimator=SVC(), param_grid={'C': [1, 2], 'kernel': ['linear', 'rbf']}, pre_dispatch='2*n_jobs'"),
    ("GridSearchCV", SEARCH + "[{'model__C': [1.0, 2.0]}, {'model': [SVC(), GaussianNB()], 'scale': ['passthrough']}]"),
    ("GridSearchCV", SEARCH + "{'model': [SVC(), LinearSVC()], 'model__C': [1, 2]}, scoring={'a': 'f1'}, refit='a'"),
    ("GridSearchCV", "estimator=BaggingClassifier(estimator=SVC()), param_grid={'estimator__C': [1], "
     "'estimator__class_weight': [None, 'balanced', {0: 1, 1: 2}]}, scoring=['f1', 'accuracy'], refit='f1', cv=3"),
    ("RandomizedSearchCV", "estimator=ExtraTreesClassifier(), param_distributions={'max_depth': (2, None)}, n_iter=2"),
    ("RANSACRegressor", "estimator=Ridge(alpha=2.0), loss='squared_error'"),
    ("TransformedTargetRegressor", "regressor=Ridge(), transformer=QuantileTransformer(n_quantiles=5)"),
    ("SelfTrainingClassifier", "estimator=SVC(probability=True), threshold=0.9"),
    ("RadiusNeighborsClassifier", "outlier_label='most_frequent', radius=2.0"),
    ("SGDClassifier", "class_weight='balanced', loss='modified_huber', eta0=0.1, warm_start=False"),
    ("PLSRegression", "n_components=2, scale=False, copy=True"),
    ("RidgeCV", "alphas=(0.1, 1.0), scoring='r2'"),
    ("FixedThresholdClassifier", "estimator=SVC(), threshold='auto', pos_label='ill'"),
]  # fmt: skip


def made(estimator, parameters):
    return WRAPPERS["sklearn"].build({"estimator": estimator, "parameters": parameters}).build()


@pytest.mark.parametrize(("estimator", "parameters", "name"), HOSTILE)
def test_what_could_load_write_or_run_is_refused_by_the_name_of_its_parameter(estimator, parameters, name):
    with pytest.raises(SettingsError, match=rf'^Setting "parameters": .*"{re.escape(name)}"') as refused:
        made(estimator, parameters)
    assert len(str(refused.value)) < 500
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("estimator", "parameters"), OUTSIDE)
def test_what_is_no_literal_and_no_class_of_scikit_learn_is_refused(estimator, parameters):
    with pytest.raises(SettingsError, match="not of the form"):
        made(estimator, parameters)


@pytest.mark.parametrize(("estimator", "parameters"), ORDINARY)
def test_ordinary_models_are_made_and_written_again(estimator, parameters):
    model = made(estimator, parameters)
    assert type(model).__name__ == estimator
    _ = as_code(model)


@pytest.mark.parametrize("kind", ["classifier", "regressor"])
def test_what_scikit_learn_has_as_a_default_or_lists_as_a_word_is_taken(kind):
    tried = 0
    for name, model in all_estimators(kind):
        for parameter in inspect.signature(model).parameters.values():
            declared = getattr(model, "_parameter_constraints", {}).get(parameter.name, ())
            listed = [each.options for each in map(make_constraint, declared) if isinstance(each, StrOptions)]
            values = {word for options in listed for word in options}
            for value in values if parameter.default is parameter.empty else {parameter.default, *values}:
                try:
                    text = f"{parameter.name}={as_code(value)}"
                except SettingsError:
                    continue  # such as a function
                assert arguments_read(model, text) == {parameter.name: value}, (name, text)
                tried += 1
    assert tried > 400


class _Planted:
    """Makes a folder where it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


@pytest.fixture
def trap(tmp_path, monkeypatch):
    """A folder ``cache`` of joblib with traps in the place of what was computed, and the folder that a trap makes."""
    monkeypatch.chdir(tmp_path)
    rows, classes = np.arange(12.0).reshape(6, 2), [0, 1] * 3
    cached = Pipeline([("scale", StandardScaler()), ("model", SVC())], memory="cache")
    cached.fit(rows, classes)
    for path in Path("cache").rglob("output.pkl"):
        joblib.dump(_Planted(tmp_path / "trapped"), path)
    with contextlib.suppress(Exception):
        cached.fit(rows, classes)
    assert (tmp_path / "trapped").exists(), "scikit-learn itself runs into it"
    (tmp_path / "trapped").rmdir()
    table = "".join(f"{a},{b},{'xy'[c]}\n" for (a, b), c in zip(rows.tolist(), classes, strict=True))
    Path("table.csv").write_text("a,b,class\n" + table, encoding="utf-8")
    return tmp_path / "trapped"


IN_GRID = SEARCH + "{'memory': ['cache']}, cv=2"


def test_a_settings_file_beside_a_cache_runs_nothing(trap, capsys):
    Path("settings.toml").write_text(
        f'[run]\nmethod = "full"\nwrapper = "GridSearchCV"\n[wrapper]\nparameters = "{IN_GRID}"\n', encoding="utf-8"
    )
    assert invoke(["run", "table.csv", "--settings", "settings.toml", "--outer", "0", "--out", "out"]) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith('fsdesk: Setting "parameters": "memory" of Pipeline cannot be')
    assert not trap.exists()


def test_a_study_file_beside_a_cache_runs_nothing(trap, capsys):
    Path("study.toml").write_text(
        'tables = ["table.csv"]\nmethods = ["full"]\nwrappers = ["GridSearchCV"]\n'
        f'[settings]\nparameters = "{IN_GRID}"\n',
        encoding="utf-8",
    )
    assert invoke(["study", "study.toml", "--out", "out"]) == 2
    assert '"memory" of Pipeline cannot be' in capsys.readouterr().err
    assert not trap.exists()


def test_a_project_beside_a_cache_runs_nothing(trap, capsys):
    dataset = read_table("table.csv")
    spec = RunSpec.make(dataset, method="full", wrapper="GridSearchCV", settings={"parameters": SEARCH + "{}"})
    forged = spec.model_copy(update={"wrapper_settings": {**spec.wrapper_settings, "parameters": IN_GRID}})
    with closing(Project.create("hostile.fsdesk")) as project:
        project.add_dataset(dataset)
        project.add_run(forged)
    assert invoke(["resume", "hostile.fsdesk", "--outer", "0"]) == 2
    assert '"memory" of Pipeline cannot be' in capsys.readouterr().err
    with pytest.raises(SettingsError, match="memory"):
        forged.build_wrapper().equivalent(2)  # of which pipelines and reproduce.py are made
    assert not trap.exists()
