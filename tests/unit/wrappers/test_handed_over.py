"""Any object with fit and predict as a wrapper: a class of the user's, one that takes codes alone, a pipeline."""

import io
import subprocess
import sys

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import fsdesk
from fsdesk.engine import RunSpec
from fsdesk.results.pipeline import pipeline_joblib, script
from fsdesk.wrappers import handed_over


class Nearest:
    """The class of the nearest centre: no scikit-learn in it, and fit returns nothing."""

    def fit(self, x, y):
        self.centres = np.array([x[y == code].mean(axis=0) for code in range(int(y.max()) + 1)])

    def predict(self, x):
        return np.square(x[:, None] - self.centres[None]).sum(axis=2).argmin(axis=1)[:, None]  # a column, as CatBoost's


class CodesOnly(ClassifierMixin, BaseEstimator):
    """As XGBoost's: codes 0, 1, ... alone are classes, and numbers alone parameters."""

    def __init__(self, depth=3, random_state=None, missing=np.nan):
        self.depth = depth
        self.random_state = random_state
        self.missing = missing

    def fit(self, X, y):
        if np.asarray(y).dtype.kind != "i" or self.random_state is None:
            raise ValueError("codes and a random state are wanted")
        self.model_ = LogisticRegression(C=self.depth).fit(X, y)
        return self

    def predict(self, X):
        return self.model_.predict(X)

    def predict_proba(self, X):
        return self.model_.predict_proba(X)


class Slope:
    """Least squares by one line of numpy."""

    def fit(self, x, y):
        self.weights = np.linalg.lstsq(np.column_stack([x, np.ones(len(x))]), y, rcond=None)[0]

    def predict(self, x):
        return np.column_stack([x, np.ones(len(x))]) @ self.weights


@pytest.fixture(scope="module")
def patients():
    rng = np.random.default_rng(0)
    ill = np.arange(90) % 2
    x = rng.normal(size=(90, 4)) + np.outer(ill, [2.0, 0.0, 1.0, 0.0])
    return pd.DataFrame(x, columns=["crp", "age", "ldl", "bmi"]).assign(kind=np.where(ill, "ill", "well"))


def logged(x):
    return np.arcsinh(x)


@pytest.mark.parametrize(
    "model", [Nearest(), CodesOnly(depth=2), make_pipeline(FunctionTransformer(logged), LogisticRegression())]
)
def test_any_model_is_searched_with_validated_and_predicts_and_is_left_unfitted(patients, model):
    before = dict(vars(model))
    result = fsdesk.select(patients, target="kind", method="sfs", wrapper=model, settings={"repeats": 1}, outer=2)
    assert "crp" in result.features
    assert result.honest.value < 0.4
    assert vars(model).keys() == before.keys()
    pipeline = joblib.load(io.BytesIO(pipeline_joblib(result, result.dataset)))
    said = fsdesk.predict(result, patients).predicted
    assert np.array_equal(pipeline.predict(patients[list(reversed(patients.columns))]), said)
    assert np.mean(said == patients["kind"]) > 0.7
    assert fsdesk.validate(result, patients).error.value == pytest.approx(np.mean(said != patients["kind"]))
    with pytest.raises(fsdesk.SettingsError, match="leave out the script"):
        script(result, result.dataset)


def test_numbers_are_predicted_by_any_model_too(patients):
    frame = patients.drop(columns="kind").assign(y=lambda each: 2 * each["crp"] - each["ldl"])
    result = fsdesk.select(frame, target="y", method="sfs", wrapper=Slope(), settings={"repeats": 1}, outer=0)
    assert {"crp", "ldl"} <= set(result.features)
    np.testing.assert_allclose(result.estimator.predict(frame), frame["y"])


def test_scores_are_used_where_the_model_has_them(patients):
    settings = {"repeats": 1, "criterion": "auc"}
    found = fsdesk.select(patients, target="kind", method="full", wrapper=CodesOnly(), settings=settings, outer=0)
    assert found.search_error < 0.2
    with pytest.raises(fsdesk.SettingsError, match="Nearest does not provide"):
        fsdesk.select(patients, target="kind", method="full", wrapper=Nearest(), settings=settings, outer=0)


def test_what_predicts_no_target_and_a_class_instead_of_an_instance_are_refused(patients):
    for wrong, why in (
        (KMeans(), "scikit-learn"),
        (Nearest, "an instance of a model with fit and predict"),
        (3, "got 3"),
    ):
        with pytest.raises(fsdesk.SettingsError, match=why):
            fsdesk.select(patients, target="kind", wrapper=wrong, outer=0)


def test_a_reason_of_the_model_is_in_the_error(patients):
    class Refusing:
        def fit(self, x, y):
            raise RuntimeError("no licence")

        def predict(self, x):
            return np.zeros(len(x))

    with pytest.raises(fsdesk.WrapperError, match="no licence"):
        fsdesk.select(patients, target="kind", method="full", wrapper=Refusing(), settings={"repeats": 1}, outer=0)


def test_a_project_keeps_the_run_and_says_what_it_lacks_only_when_the_model_is_needed(patients, tmp_path, monkeypatch):
    path = tmp_path / "kept.fsdesk"
    asked = {"target": "kind", "method": "full", "settings": {"repeats": 1}, "outer": 0, "project": path}
    result = fsdesk.select(patients, wrapper=Nearest(), **asked)
    monkeypatch.setattr(handed_over, "_KNOWN", {})  # as in another process
    opened = fsdesk.open_project(path).result()
    assert opened.search_error == result.search_error
    opened.report(tmp_path / "report.html")
    assert "Nearest" in (tmp_path / "report.html").read_text(encoding="utf-8")
    with pytest.raises(fsdesk.SettingsError, match="run that script again"):
        fsdesk.predict(opened, patients)


def test_two_models_of_one_class_are_told_apart():
    class Shifted(Nearest):
        def __init__(self, by):
            self.by = by

    first, second = handed_over.kept(Shifted(1)), handed_over.kept(Shifted(2))
    assert first != second
    assert handed_over.fresh(**renamed(first)).by == 1
    assert handed_over.fresh(**renamed(second)).by == 2
    alike = handed_over.kept(CodesOnly(depth=7)), handed_over.kept(CodesOnly(depth=7))
    assert alike[0] == alike[1]


def renamed(values):
    return {"name": values["estimator"], "parameters": values["parameters"]}


def test_a_name_in_a_project_imports_nothing(make_dataset):
    dataset = make_dataset(np.random.default_rng(0).normal(size=(20, 2)), np.arange(20) % 2)
    settings = {"estimator": "antigravity.Model", "parameters": ""}
    with pytest.raises(fsdesk.SettingsError, match="run that script again"):
        fsdesk.select(dataset, wrapper="sklearn", method="full", settings=settings, outer=0)
    assert "antigravity" not in sys.modules
    assert (
        RunSpec.make(dataset, wrapper="sklearn", method="full", settings=settings).build_wrapper().called() == "Model"
    )


SCRIPT = """
import numpy as np, pandas as pd, fsdesk

class Mine:
    def fit(self, x, y):
        self.cut = x.mean()

    def predict(self, x):
        return (x.mean(axis=1) > self.cut).astype(int)

rng = np.random.default_rng(0)
ill = np.arange(60) % 2
df = pd.DataFrame({"a": rng.normal(3 * ill), "b": rng.normal(size=60), "ill": ill})
result = fsdesk.select(df, target="ill", method="sfs", wrapper=Mine(), settings={"repeats": 1}, outer=2, workers=2)
print(result.features, result.estimator.predict(df)[:2].tolist())
"""


def test_a_class_of_a_script_without_a_guard_is_searched_with(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "('a',) [0, 1]\n"


UNGUARDED = """
import fsdesk
data = fsdesk.read_table("sample:wine")
settings = {"repeats": 1, "folds": 2}
fsdesk.select(data, method="full", wrapper="nn", settings=settings, outer=2, permutations=4, workers=2)
"""


def test_a_script_without_a_guard_that_needs_processes_ends_with_one_sentence(tmp_path):
    path = tmp_path / "unguarded.py"
    path.write_text(UNGUARDED, encoding="utf-8")
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert done.stderr.count("if __name__ == '__main__':") == 1, done.stderr
    assert done.stderr.rstrip().splitlines()[-1].startswith("fsdesk.errors.")


def test_a_figure_by_name_and_a_sparse_table(patients, tmp_path):
    from scipy.sparse import csr_array

    result = fsdesk.select(patients, target="kind", method="full", wrapper="nn", settings={"repeats": 1}, outer=0)
    result.figure("confusion").savefig(tmp_path / "confusion.png")
    assert (tmp_path / "confusion.png").stat().st_size > 1000
    for name, why in (("pie", "Choose one of confusion, curve"), ("sizes", "has not measured")):
        with pytest.raises(fsdesk.SettingsError, match=why):
            result.figure(name)
    x, y = patients.drop(columns="kind").to_numpy().round(0), patients["kind"]
    for table in (csr_array(x), csr_array(x).tocsc()):
        selector = fsdesk.FeatureSelector(method="univariate", wrapper="nn", n_features_to_select=2).fit(table, y)
        dense = fsdesk.FeatureSelector(method="univariate", wrapper="nn", n_features_to_select=2).fit(x, y)
        assert np.array_equal(selector.support_, dense.support_)
        assert selector.transform(table).shape == (90, 2)
