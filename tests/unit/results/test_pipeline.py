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
from fsdesk.results.pipeline import fitted_pipeline, pipeline_joblib, pipeline_skops, script
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
    assert {name.split(".")[0] for name in imported} == {"csv", "sys", "pathlib", "numpy", "sklearn", "fsdesk"}
    blocked = tmp_path / "fsdesk.py"
    blocked.write_text("raise ImportError", encoding="utf-8")  # only another table needs it
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


def test_c45_has_no_equal_and_is_fsdesks_own(awkward, awkward_result):
    text = script(made_with(awkward_result, awkward, wrapper="c45"), awkward)
    assert "scikit-learn has no model that predicts every row as this one does" in text
    assert "from fsdesk.wrappers.exported_models import C45Classifier" in text


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
    result = fsdesk.select(dataset, method="full", wrapper="ridge", settings={"repeats": 2}, outer=0)
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
    frame = awkward.frame
    truth = [awkward.classes[code] for code in awkward.target]
    shuffled = frame[list(reversed(frame.columns))].assign(other="not a feature")
    assert list(pipeline.predict(shuffled)) == truth  # 1-NN on its own training rows
    assert list(pipeline[0].get_feature_names_out()) == list(awkward_result.features)


def test_a_skops_file_names_every_unknown_type_and_builds_none_before_these_are_trusted(awkward, awkward_result):
    skops = pytest.importorskip("skops.io")
    from skops.io.exceptions import UntrustedTypesFoundException

    content = pipeline_skops(awkward_result, awkward)
    unknown = skops.get_untrusted_types(data=content)
    own = "fsdesk.wrappers.exported_models.NeighboursClassifier"
    assert all(name.startswith(("sklearn.", "numpy.", "scipy.")) or name == own for name in unknown), unknown

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
    frame = awkward.frame.assign(colour="violet")
    with pytest.warns(UserWarning, match="encoded as all zeros"):
        predicted = fitted_pipeline(awkward_result, awkward).predict(frame)
    assert set(predicted) <= set(awkward.classes)


def test_the_script_calls_a_value_optimistic_where_features_were_selected(awkward, awkward_result):
    assert ", optimistic" in script(awkward_result, awkward)
    assert ", optimistic" not in script(made_with(awkward_result, awkward), awkward)


RNG = np.random.default_rng(8)
KINDS = ["case" if row % 3 else "control" for row in range(60)]
DOSES = [f"{value:.2f}".replace(".", ",") for value in RNG.normal(5, 1, 60) + [kind == "case" for kind in KINDS]]


def german(rows, days, *, names=True, limit="<0,05"):
    """Cells of a clinic: decimal commas, -999 and "n.b." for what is missing, wards 01 to 03, limits and dates."""
    lines = ["dose;crp;ward;seen;kind"] if names else []
    for row in rows:
        crp = limit if row % 7 == 0 else "-999" if row % 11 == 0 else "n.b." if row % 13 == 0 else f"{row % 5},5"
        lines.append(f"{DOSES[row]};{crp};0{row % 3 + 1};{days[row]};{KINDS[row]}")
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def clinic(tmp_path_factory):
    """A table whose questions were answered by taking what is proposed, its file, and a run of all its features."""
    path = tmp_path_factory.mktemp("clinic") / "clinic.csv"
    path.write_text(german(range(60), [f"{row % 27 + 1}.3.2024" for row in range(60)]), encoding="utf-8")
    dataset = fsdesk.read_table(path, accept_reading=True)
    return path, dataset, fsdesk.select(dataset, method="full", wrapper="lda", seed=0, settings={"repeats": 1}, outer=0)


def test_the_script_reads_the_table_of_the_run_as_it_was_read(clinic, tmp_path):
    path, dataset, result = clinic
    module = loaded(result, dataset, tmp_path)
    x, y = module["read"](path)
    np.testing.assert_array_equal(x, dataset.x)
    assert y.tolist() == KINDS
    done = subprocess.run(
        [sys.executable, str(tmp_path / "reproduce.py"), str(path)], capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    assert "60 rows, 4 features" in done.stdout


@pytest.mark.parametrize("form", [pipeline_joblib, pipeline_skops])
def test_a_saved_pipeline_knows_how_later_tables_are_read(clinic, tmp_path, form):
    _, dataset, result = clinic
    content = io.BytesIO(form(result, dataset))
    if form is pipeline_joblib:
        pipeline = joblib.load(content)
    else:
        import skops.io

        pipeline = skops.io.loads(content.getvalue(), trusted=skops.io.get_untrusted_types(data=content.getvalue()))
    new = tmp_path / "new.csv"
    new.write_text("seen;ward;crp;dose\n1.4.2024;01;-999;4,5\n2.4.2024;03;<0,1;5,5\n3.4.2024;03;n.b.;5\n", "utf-8")
    frame = fsdesk.read_frame(new, pipeline)
    assert frame["ward"].tolist() == ["01", "03", "03"]
    assert frame["seen"].tolist() == [31, 32, 33]
    assert frame["dose"].tolist() == [4.5, 5.5, 5]
    np.testing.assert_array_equal(frame["crp"], [np.nan, 0.05, np.nan])
    assert set(pipeline.predict(frame)) <= {"case", "control"}
    with pytest.raises(ValueError, match="Export it again"):
        fsdesk.read_frame(new, fitted_pipeline(result, dataset).named_steps["fill"])


@pytest.mark.parametrize(
    ("ways", "names"), [({"header": "no"}, False), ({"row_ids": "first column"}, True), ({"first_line": 3}, True)]
)
def test_a_table_is_read_again_in_the_layout_that_was_said(tmp_path, ways, names):
    above = "measured in spring\n\n" if "first_line" in ways else ""
    cells = [f"{row + 100},{row * 7 % 9},{row % 4},{KINDS[row]}" for row in range(60)]
    path = tmp_path / "t.csv"
    path.write_text(above + "\n".join([*(["a,b,c,kind"] if names else ["1,2,3,case"]), *cells]) + "\n", "utf-8")
    dataset = fsdesk.read_table(path, accept_reading=True, **ways)
    result = fsdesk.select(dataset, method="full", wrapper="nn", seed=0, settings={"repeats": 1}, outer=0)
    x, y = loaded(result, dataset, tmp_path)["read"](path)
    np.testing.assert_array_equal(x, dataset.x)
    assert len(y) == len(dataset.rows)
    predicted = fsdesk.predict(result, dataset, path)
    assert predicted.rows == dataset.rows
