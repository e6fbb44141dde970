"""What was validated is what predicts: the exported pipeline says of every row what the measuring kernels say."""

import io
from unittest import mock

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score

import fsdesk
from fsdesk.kernels import _core
from fsdesk.results import new_rows
from fsdesk.results.pipeline import pipeline_joblib, script
from fsdesk.wrappers import WRAPPERS

OWN = ("nn", "c45", "cart")
VARIANTS = {
    "nn": [{}, {"k": 5}, {"k": 4, "class_weights": "balanced"}, {"k": 5, "distance": "manhattan"},
           {"k": 3, "weights": "distance"}, {"k": 3, "scaling": "none"}, {"k": 3, "scaler": "min-max"}],
    "c45": [{}, {"class_weights": "balanced"}, {"pruned": False, "min_rows": 1}, {"laplace": True}, {"gap": 0.5}],
    "cart": [{}, {"class_weights": "balanced"}, {"impurity": "entropy", "max_depth": 4, "min_leaf": 3}],
    "svm": [{}, {"class_weights": "balanced"}, {"loss": "squared hinge"}],
    "svm-rbf": [{}, {"class_weights": "balanced"}, {"cost": 10.0, "gamma": 0.25}, {"gamma": 4.0}],
}  # fmt: skip
CASES = [
    (entry.name, settings)
    for entry in WRAPPERS
    if entry.name != "auto" and "classification" in entry.model.tasks
    for settings in VARIANTS.get(
        entry.name, [{}, *([{"class_weights": "balanced"}] if "class_weights" in entry.model.model_fields else [])]
    )
]

QUICK = {"repeats": 1, "folds": 2}  # the error of the run itself is not looked at


def clinic(seed, rows=90, target="classes"):
    """Whole numbers and categories, of which many are equal and some are missing: ties wherever there can be one."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 5, (rows, 5)).astype(float)
    risk = x[:, 0] + x[:, 1] + rng.integers(0, 4, rows)
    frame = pd.DataFrame(np.where(rng.random(x.shape) < 0.05, np.nan, x), columns=["a", "b", "c", "d", "e"])
    frame.insert(2, "ward", rng.choice(["north", "south", "west"], rows))
    frame.insert(4, "smokes", rng.choice(["no", "yes"], rows))
    frame.loc[rng.random(rows) < 0.05, "ward"] = None
    frame["y"] = (
        [("low", "mid", "high")[min(2, int(each) // 4)] for each in risk] if target == "classes" else risk + 0.5
    )
    if target == "time":
        frame["y"], frame["died"] = 1.0 + risk + rng.random(rows).round(2), rng.integers(0, 2, rows)
    return frame


def validated_and_predicted(learned, new, **asked):
    """What the measuring kernels say of new rows, what `predict` says, and the run."""
    target = ("y", "died") if "died" in learned.columns else "y"
    dataset = fsdesk.from_frame(learned, target=target, task="regression" if asked.pop("numbers", False) else "auto")
    result = fsdesk.select(dataset, method="full", seed=0, outer=0, **asked)
    seen = []

    def watched(*arguments, **others):
        said = tested_on(*arguments, **others)
        seen.append(said[1])
        return said

    tested_on = new_rows.tested_on
    with mock.patch.object(new_rows, "tested_on", watched):
        fsdesk.validate(result, new)
    chosen = seen[0].chosen
    if dataset.classes:
        chosen = np.array(dataset.classes)[chosen]
    return chosen, fsdesk.predict(result, new), result


@pytest.mark.parametrize(("wrapper", "settings"), CASES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_row_is_predicted_as_it_was_validated_where_many_rows_and_splits_are_equal(wrapper, settings):
    learned, new = clinic(1), clinic(2)
    validated, predicted, result = validated_and_predicted(
        learned, new, wrapper=wrapper, settings={**QUICK, **settings}
    )
    assert predicted.predicted.tolist() == validated.tolist()
    pipeline = joblib.load(io.BytesIO(pipeline_joblib(result, result.dataset)))  # names in, from a file
    shuffled = new[list(reversed(new.columns))].assign(other="not a feature")
    assert pipeline.predict(shuffled).tolist() == validated.tolist()
    one_by_one = [pipeline.predict(new.iloc[row : row + 1])[0] for row in range(0, len(new), 9)]
    assert one_by_one == validated[::9].tolist()
    if hasattr(pipeline, "predict_proba"):
        shares = pipeline.predict_proba(new)
        np.testing.assert_allclose(shares.sum(axis=1), 1.0)
        assert shares.shape == (len(new), len(pipeline.classes_))


@pytest.mark.parametrize(
    ("wrapper", "settings"),
    [
        *(("nn", settings) for settings in VARIANTS["nn"] if "class_weights" not in settings),
        ("cart", {}),
        ("cart", {"max_depth": 3, "min_leaf": 4}),
        *((name, {}) for name in ("svm", "svm-rbf", "ridge", "forest", "boosting")),
        ("svm-rbf", {"cost": 10.0, "gamma": 0.25}),
    ],
)
def test_numbers_are_predicted_as_they_were_validated(wrapper, settings):
    learned, new = clinic(3, target="numbers"), clinic(4, target="numbers")
    validated, predicted, result = validated_and_predicted(
        learned, new, numbers=True, wrapper=wrapper, settings={**QUICK, **settings}
    )
    # Support vector machines stop near the optimum, at a tolerance of 0.001.
    np.testing.assert_allclose(predicted.predicted, validated, rtol=1e-3 if "svm" in wrapper else 1e-9)
    pipeline = joblib.load(io.BytesIO(pipeline_joblib(result, result.dataset)))
    assert np.array_equal(pipeline.predict(new[list(reversed(new.columns))]), predicted.predicted)


@pytest.mark.parametrize("wrapper", ["cox", "nn-survival", "survival-forest"])
def test_risks_are_predicted_as_they_were_validated(wrapper):
    learned, new = clinic(5, target="time"), clinic(6, target="time")
    validated, predicted, result = validated_and_predicted(learned, new, wrapper=wrapper, settings=QUICK)
    np.testing.assert_allclose(predicted.predicted, validated, rtol=1e-6)  # Newton's steps end near the optimum
    pipeline = joblib.load(io.BytesIO(pipeline_joblib(result, result.dataset)))
    assert np.array_equal(pipeline.predict(new[list(reversed(new.columns))]), predicted.predicted)


def test_equally_likely_classes_are_taken_in_the_order_of_the_table_which_need_not_be_sorted():
    learned = pd.DataFrame({"a": [1.0, 1, 1, 1, 2, 2, 2, 2], "y": ["b", "b", "a", "a", "b", "b", "a", "a"]})
    for order, first in ((None, "a"), (["b", "a"], "b")):
        for name in ("C45Classifier", "CartClassifier", "NeighboursClassifier"):
            own = getattr(__import__("fsdesk.wrappers.exported_models", fromlist=[name]), name)(order=order)
            own.set_params(**({"k": 4} if name.startswith("Nei") else {}))
            own.fit(learned[["a"]], learned["y"])
            assert own.predict(learned[["a"]]).tolist() == [first] * 8, (name, order)
            assert own.classes_.tolist() == ["a", "b"]
            np.testing.assert_allclose(own.predict_proba(learned[["a"]]), 0.5)


@pytest.mark.parametrize("impurity", ["gini", "entropy", "variance"])
def test_the_tree_that_is_kept_sends_every_row_where_the_kernel_does(impurity):
    rng = np.random.default_rng(7)
    columns, target = np.round(rng.normal(size=(6, 150)), 1), rng.integers(0, 3, 150)
    known = np.arange(150) < 100
    rules = {"impurity": impurity, "max_depth": 0, "min_leaf": 2, "min_split": 2}
    response = columns[0] + columns[3] * columns[2] if impurity == "variance" else np.empty(0)
    shared = {"has_gaps": np.zeros(6, dtype=np.uint8), "fill": np.empty((0, 0)), "once": np.full(6, np.nan), **rules}
    own = np.ascontiguousarray(columns[:, known])
    feature, threshold, left, right, code, numbers = _core.cart_tree(
        own, target[known].copy(), np.arange(6, dtype=np.int32), 3, order=_core.cart_order(own, shared["once"]),
        response=response[known].copy() if len(response) else response, **shared,
    )  # fmt: skip
    codes, said = _core.cart_predictions(
        columns, target, np.arange(6, dtype=np.int32), np.array([0, 6]), np.where(known, -1, 0)[None, None],
        np.zeros(1, dtype=np.int64), 1, 3, order=_core.cart_order(columns, shared["once"]), response=response,
        numbers=True, **shared,
    )  # fmt: skip
    for row in np.flatnonzero(~known):
        node = 0
        while feature[node] >= 0:
            node = left[node] if columns[feature[node], row] <= threshold[node] else right[node]
        assert np.array_equal(numbers[node], said[0, 0, row])
        assert impurity == "variance" or code[node] == codes[0, 0, row]


@pytest.mark.parametrize("wrapper", ["c45", "cart"])
def test_a_script_says_that_it_needs_fsdesk_and_runs(wrapper, tmp_path, monkeypatch, capsys):
    import runpy
    import sys

    from fsdesk.results.exports import export

    dataset = fsdesk.from_frame(clinic(1), target="y")
    result = fsdesk.select(dataset, method="full", wrapper=wrapper, outer=0, settings=QUICK)
    assert "it needs fsdesk (pip install fsdesk)" in script(result, dataset)
    export(result, dataset, tmp_path, ["table.csv", "reproduce.py"])
    monkeypatch.setattr(sys, "argv", ["reproduce.py"])
    made = runpy.run_path(str(tmp_path / "reproduce.py"), run_name="script")
    x, y = made["read"](tmp_path / "table.csv")
    assert accuracy_score(y, made["model"]().fit(x, y).predict(x)) == pytest.approx(
        accuracy_score(clinic(1)["y"], result.estimator.predict(clinic(1)))
    )
    runpy.run_path(str(tmp_path / "reproduce.py"), run_name="__main__")
    assert "accuracy: " in capsys.readouterr().out
