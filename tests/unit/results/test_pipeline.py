"""The script that repeats a result with scikit-learn."""

import ast
import io
import runpy
import subprocess
import sys
from dataclasses import replace

import joblib
import numpy as np
import pytest
from sklearn.model_selection import cross_val_predict

import fsdesk
from fsdesk.engine import RunSpec
from fsdesk.results.exports import export
from fsdesk.results.pipeline import feature_frame, fitted_pipeline, pipeline_joblib, pipeline_skops, script
from fsdesk.wrappers import WRAPPERS

EXACT = ("nn", "svm", "svm-rbf", "lda", "nb", "logistic", "ridge", "forest", "boosting", "sklearn")


def printed_by(folder, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["reproduce.py"])
    runpy.run_path(str(folder / "reproduce.py"), run_name="__main__")
    return capsys.readouterr().out


def made_with(result, dataset, **asked):
    return replace(result, spec=RunSpec.make(dataset, method="full", **asked))


def loaded(result, dataset, folder):
    export(result, dataset, folder, ["table.csv", "reproduce.py"])
    return runpy.run_path(str(folder / "reproduce.py"), run_name="script")


def test_the_script_runs_with_numpy_and_scikit_learn_alone_and_prints_a_score(awkward, awkward_result, tmp_path):
    export(awkward_result, awkward, tmp_path, ["table.csv", "reproduce.py"])
    path = tmp_path / "reproduce.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert {name.split(".")[0] for name in imported} == {"csv", "sys", "pathlib", "numpy", "sklearn"}
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    size = len(awkward_result.features)
    assert f"48 rows, {size} features\naccuracy: " in done.stdout
    assert float(done.stdout.split("accuracy: ")[1].split(",")[0]) > 0.6  # one feature of it tells the classes apart


def test_the_script_reads_the_very_values_of_the_table(awkward, awkward_result, tmp_path):
    module = loaded(awkward_result, awkward, tmp_path)
    x, y = module["read"](tmp_path / "table.csv")
    np.testing.assert_array_equal(x, awkward.x[:, awkward_result.mask])
    assert module["FEATURES"] == list(awkward_result.features)
    assert len(set(y)) == 2


@pytest.mark.parametrize(
    ("wrapper", "scaler"),
    [
        *((wrapper, "z-score") for wrapper in EXACT),
        *((wrapper, "none") for wrapper in EXACT if "class_weights" in WRAPPERS[wrapper].model.model_fields),
    ],
)
def test_the_model_of_the_script_has_the_error_that_fsdesk_measures_on_the_same_folds(
    awkward, awkward_result, tmp_path, wrapper, scaler
):
    settings = {"repeats": 1, "scaling": "none"} if scaler == "none" else {"repeats": 1, "scaler": scaler}
    if "class_weights" in WRAPPERS[wrapper].model.model_fields and scaler == "none":
        settings["class_weights"] = "balanced"
    # Without scaling, solvers take seconds where one column has values of a thousand.
    dataset = replace(awkward, x=np.asfortranarray(awkward.x / [1, 1000, 1, 1, 1, 1])) if scaler == "none" else awkward
    result = made_with(awkward_result, dataset, wrapper=wrapper, settings=settings)
    module = loaded(result, dataset, tmp_path)
    x, y = module["read"](tmp_path / "table.csv")
    evaluator = fsdesk.Evaluator(
        dataset, wrapper=result.spec.build_wrapper(), seed=0, **result.spec.measuring.model_dump()
    )
    labels = evaluator.fold_labels(0)[0]
    folds = [(np.flatnonzero(labels != fold), np.flatnonzero(labels == fold)) for fold in range(5)]
    predicted = cross_val_predict(module["model"](), x, y, cv=folds)
    # One row apart is allowed: solvers stop near, not at, the same point.
    assert np.mean(predicted != y) == pytest.approx(evaluator.measure(result.mask, 0).mean, abs=1.01 / 48)


def test_every_wrapper_has_a_model_of_scikit_learn(awkward):
    for entry in WRAPPERS:
        same = RunSpec.make(awkward, wrapper=entry.name, method="full").build_wrapper().equivalent(len(awkward.classes))
        assert hasattr(same.model.made(), "fit")
        assert repr(same.model.made()).startswith(same.model.name)


def test_c45_is_said_to_have_no_equal_and_is_a_tree_by_entropy(awkward, awkward_result):
    text = script(made_with(awkward_result, awkward, wrapper="c45"), awkward)
    assert "scikit-learn has no C4.5" in text
    assert "DecisionTreeClassifier(criterion='entropy', min_samples_leaf=2, random_state=0)" in text


@pytest.mark.parametrize(
    ("settings", "roles", "wanted"),
    [
        ({"repeats": 2}, {}, "RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)"),
        ({"repeats": 2, "stratify": False}, {}, "RepeatedKFold("),
        ({"protocol": "hold-out"}, {}, "StratifiedShuffleSplit(n_splits=10, test_size=0.25, random_state=0)"),
        ({"protocol": "leave-one-out"}, {}, "LeaveOneOut()"),
        ({"protocol": "column"}, {"fold_of": np.arange(48) % 4}, "PredefinedSplit(LABELS)"),
        ({"protocol": "time", "folds": 3}, {"time": np.arange(48)}, "np.flatnonzero(LABELS < k)"),
        ({}, {"groups": np.arange(48) // 4}, "StratifiedGroupKFold(n_splits=5, shuffle=True, random_state=0)"),
        ({"protocol": "hold-out"}, {"groups": np.arange(48) // 4}, "GroupShuffleSplit("),
    ],
)
def test_the_script_validates_as_the_run_did(
    awkward, awkward_result, tmp_path, monkeypatch, capsys, settings, roles, wanted
):
    dataset = replace(awkward, **roles)
    result = made_with(awkward_result, dataset, settings=settings)
    assert wanted in script(result, dataset)
    export(result, dataset, tmp_path, ["table.csv", "reproduce.py"])
    assert "accuracy: " in printed_by(tmp_path, monkeypatch, capsys)


def test_a_table_of_numbers_to_predict_has_a_script_too(make_dataset, tmp_path, monkeypatch, capsys):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(40, 3))
    dataset = replace(make_dataset(x, np.zeros(40)), classes=(), response=2 * x[:, 0] + 0.1 * rng.normal(size=40))
    result = fsdesk.select(dataset, method="full", wrapper="ridge", settings={"repeats": 2})
    export(result, dataset, tmp_path, ["table.csv", "reproduce.py"])
    printed = printed_by(tmp_path, monkeypatch, capsys)
    score = float(printed.split("root_mean_squared_error: ")[1].split(",")[0])
    assert score == pytest.approx(result.baseline_error, rel=0.3)  # other folds, and the mean of folds, not of rows


def test_no_name_can_become_code(awkward, awkward_result):
    evil = '"""\nimport os\nos.system("true")\n#{{ 7 * 7 }}'
    odd = replace(awkward, name=evil, target_name=evil, features=(evil, *awkward.features[1:]))
    result = replace(awkward_result, all_features=odd.features)
    names = set(compile(script(result, odd), "script", "exec").co_names)
    assert "os" not in names
    assert "49" not in script(result, odd).split("def column")[0]


@pytest.mark.parametrize("form", ["joblib", "skops"])
def test_the_saved_pipeline_takes_columns_by_name_in_any_order_and_predicts_classes(awkward, awkward_result, form):
    if form == "joblib":
        pipeline = joblib.load(io.BytesIO(pipeline_joblib(awkward_result, awkward)))
    else:
        skops = pytest.importorskip("skops.io")
        content = pipeline_skops(awkward_result, awkward)
        pipeline = skops.loads(content, trusted=skops.get_untrusted_types(data=content))
    frame = feature_frame(awkward)
    truth = [awkward.classes[code] for code in awkward.target]
    shuffled = frame[list(reversed(frame.columns))].assign(other="not a feature")
    assert list(pipeline.predict(shuffled)) == truth  # 1-NN on its own training rows
    assert list(pipeline[0].get_feature_names_out()) == list(awkward_result.features)


def test_a_skops_file_names_every_unknown_type_and_builds_none_before_these_are_trusted(awkward, awkward_result):
    skops = pytest.importorskip("skops.io")
    from skops.io.exceptions import UntrustedTypesFoundException

    content = pipeline_skops(awkward_result, awkward)
    unknown = skops.get_untrusted_types(data=content)
    assert all(name.startswith(("sklearn.", "numpy.", "scipy.")) for name in unknown), unknown

    class Trap:
        built = False

        def __init__(self):
            self.value = 1

        def __setstate__(self, state):
            Trap.built = True

    with_trap = fitted_pipeline(awkward_result, awkward)
    with_trap.trap = Trap()
    hostile = skops.dumps(with_trap)
    assert any(name.endswith("Trap") for name in skops.get_untrusted_types(data=hostile))
    with pytest.raises(UntrustedTypesFoundException, match="Trap"):
        skops.loads(hostile, trusted=unknown)
    assert not Trap.built


def test_a_category_that_the_run_has_not_seen_is_no_error(awkward, awkward_result):
    frame = feature_frame(awkward).assign(colour="violet")
    with pytest.warns(UserWarning, match="encoded as all zeros"):
        predicted = fitted_pipeline(awkward_result, awkward).predict(frame)
    assert set(predicted) <= set(awkward.classes)


def test_the_script_calls_a_value_optimistic_where_features_were_selected(awkward, awkward_result):
    assert ", optimistic" in script(awkward_result, awkward)
    assert ", optimistic" not in script(made_with(awkward_result, awkward), awkward)
