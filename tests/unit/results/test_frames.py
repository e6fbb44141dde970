"""Frames in, and classes out as they were: select, predict and validate as data scientists call them."""

from io import StringIO

import numpy as np
import pandas as pd
import pytest

import fsdesk

QUICK = {"max_measurements": 30, "repeats": 1}
N = 60


def frame_of(classes, names=None):
    rng = np.random.default_rng(0)
    code = np.arange(N) % len(classes)
    x = rng.normal(size=(N, 4))
    x[:, 1] += 3 * code
    made = pd.DataFrame(x, columns=names or ["a", "b", "c", "d"])
    made["y" if names is None else 9] = [classes[each] for each in code]
    return made


def selected(frame, target, **ways):
    return fsdesk.select(frame, target=target, method="sfs", wrapper="nn", settings=QUICK, **{"outer": 0, **ways})


@pytest.mark.parametrize("classes", [[0, 1], [True, False], [2.0, 7.0], ["ill", "well"], [10, 20, 30]])
def test_classes_keep_their_type(classes):
    frame = frame_of(classes)
    result = selected(frame, "y", task="classification")
    said = fsdesk.predict(result, frame)
    assert {type(each) for each in said.predicted.tolist()} == {type(classes[0])}
    assert (said.predicted == frame["y"].to_numpy()).mean() > 0.8
    assert result.estimator.predict(frame).tolist() == said.predicted.tolist()
    assert set(result.estimator.classes_.tolist()) == set(classes)
    assert said.to_csv().count("\n") == N + 1
    if said.probabilities is not None:
        assert said.probabilities.sum(axis=1) == pytest.approx(1.0)


def test_a_result_validates_on_another_frame():
    frame = frame_of([0, 1])
    result = selected(frame, "y")
    external = fsdesk.validate(result, frame.sample(30, random_state=0))
    assert external.error.value < 0.3
    dataset = fsdesk.from_frame(frame, "y")
    assert fsdesk.predict(result, dataset, frame).predicted.tolist() == fsdesk.predict(result, frame).predicted.tolist()
    with pytest.raises(fsdesk.DataError, match="New rows are missing"):
        fsdesk.predict(result, dataset)


def test_integer_column_names_are_names():
    frame = frame_of(["no", "yes"], [0, 1, 2, 3])
    result = selected(frame, 9)
    assert "1" in result.features
    assert (
        fsdesk.predict(result, frame).predicted.tolist()
        == selected(frame, "9").estimator.predict(frame.rename(columns=str)).tolist()
    )
    assert fsdesk.from_frame(frame, 9, ignore=[0], keep=[2]).features == ("1", "2", "3")


@pytest.mark.parametrize("gap", [None, np.nan, pd.NA])
def test_rows_without_a_target_are_left_out_with_a_warning(gap):
    frame = frame_of(["no", "yes"]).astype({"y": object})
    frame.loc[3, "y"] = gap
    with pytest.warns(UserWarning, match="1 row has no class"):
        assert len(fsdesk.from_frame(frame, "y").rows) == N - 1


def test_frames_of_other_libraries():
    pa = pytest.importorskip("pyarrow")
    frame = frame_of([0, 1])
    table = pa.Table.from_pandas(frame)
    assert fsdesk.from_frame(table, "y").fingerprint == fsdesk.from_frame(frame, "y").fingerprint

    class Interchanged:
        def __dataframe__(self, nan_as_null=False, allow_copy=True):
            return table.__dataframe__(nan_as_null, allow_copy)

    assert fsdesk.from_frame(Interchanged(), "y").fingerprint == fsdesk.from_frame(frame, "y").fingerprint
    result = selected(table, "y")
    assert fsdesk.predict(result, table).predicted.tolist() == fsdesk.predict(result, frame).predicted.tolist()


def test_frames_of_polars():
    pl = pytest.importorskip("polars")
    frame = frame_of([0, 1])
    made = pl.DataFrame({name: frame[name].to_list() for name in frame.columns})
    assert fsdesk.from_frame(made, "y").classes == ("0", "1")


@pytest.mark.parametrize("given", [[[1, 2], [3, 4]], np.eye(3), "table.csv", None])
def test_what_is_no_frame_is_refused(given):
    with pytest.raises(fsdesk.DataError, match="pandas, polars or pyarrow DataFrame"):
        fsdesk.from_frame(given)


def test_a_data_set_is_not_told_again_what_its_target_is():
    dataset = fsdesk.from_frame(frame_of([0, 1]), "y")
    with pytest.raises(fsdesk.DataError, match='give "target", "group" to read_table or from_frame'):
        fsdesk.select(dataset, target="y", group="a")


@pytest.mark.filterwarnings("ignore:.*too optimistic")  # which is not the matter here
def test_categories_and_dates_of_new_frames_are_those_that_were_learned():
    frame = frame_of([0, 1]).assign(
        ward=["01", "02", "10"] * (N // 3), seen=[f"2024-01-{7 * i % 31 + 1:02d}" for i in range(N)]
    )
    frame["y"] = (frame["ward"] == "10").astype(int)
    with pytest.warns(UserWarning, match="seen"):
        result = fsdesk.select(frame, "y", method="full", wrapper="nn", settings=QUICK, outer=0)
    new = frame.head(4).assign(seen=["2024-03-01", "2024-03-02", "2024-03-03", "2024-03-04"])
    said = fsdesk.predict(result, new)
    assert said.outside.tolist() == [1, 1, 1, 1]  # days after all that was learned
    assert said.filled.tolist() == [0, 0, 0, 0]


def test_errors_are_at_the_top():
    for name in ("DataError", "ProjectError", "QuestionError", "SettingsError", "WorkerError", "WrapperError"):
        assert issubclass(getattr(fsdesk, name), fsdesk.UserError)
        assert name in fsdesk.__all__
    assert sorted(fsdesk.__all__, key=str) == fsdesk.__all__


def test_a_task_that_there_is_not_is_refused():
    selector = fsdesk.FeatureSelector("sfs", task="Regression", settings=QUICK)
    with pytest.raises(fsdesk.SettingsError, match=r"task.*choose one of auto, classification, regression"):
        selector.fit(np.random.default_rng(0).normal(size=(20, 3)), np.arange(20) % 2)


def test_folds_of_a_column_of_a_frame():
    frame = frame_of([0, 1]).assign(part=np.arange(N) % 3)
    settings = {**QUICK, "protocol": "column"}
    result = fsdesk.select(frame.assign(y=frame.pop("y")), "y", folds="part", method="full", wrapper="nn",
                           settings=settings, outer=0)  # fmt: skip
    assert result.spec.measuring.protocol == "column"
    assert "part" not in result.all_features


@pytest.mark.parametrize("role", ["target", "group", "time", "folds"])
@pytest.mark.parametrize("kind", [list, np.array, pd.Series])
def test_values_in_place_of_the_name_of_a_column_are_refused(role, kind):
    with pytest.raises(fsdesk.DataError, match=f"^{role} must be the name of a column.*frame.assign"):
        selected(frame_of([0, 1]), **{"target": "y", role: kind(list(range(N)))})


@pytest.mark.parametrize(
    ("data", "advice"),
    [
        ("table.csv", "Read a file with read_table."), (np.zeros((9, 3)), "Make one with pandas.DataFrame."),
        ({"a": [1, 2]}, "Make one with pandas.DataFrame."), (pd.Series([1, 2]), "Make one with pandas.DataFrame."),
    ],
)  # fmt: skip
def test_what_is_no_frame_is_refused_with_the_way_to_one(data, advice):
    with pytest.raises(fsdesk.DataError, match=f"{type(data).__name__}. {advice}$"):
        fsdesk.select(data)


def test_a_single_name_is_ignored_or_kept_and_names_differ_by_capitals_only_are_offered():
    frame = frame_of([0, 1])
    assert fsdesk.from_frame(frame, "y", ignore="a").features == ("b", "c", "d")
    assert fsdesk.from_frame(frame_of([0, 1], [0, 1, 2, 3]), 9, ignore=1).features == ("0", "2", "3")
    with pytest.raises(fsdesk.DataError, match='did you mean "y"'):
        fsdesk.from_frame(frame, "Y")


def test_names_that_occur_twice_are_told_and_no_target():
    frame = frame_of([0, 1]).set_axis(["a", "a", "c", "d", "y"], axis=1)
    with pytest.warns(UserWarning, match='renamed to "a_2"') as told:
        assert fsdesk.from_frame(frame, "y").features == ("a", "a_2", "c", "d")
    assert told[0].filename == __file__
    with pytest.raises(fsdesk.DataError, match="Several columns"):
        fsdesk.from_frame(frame, "a")


def test_a_time_and_an_event_without_a_target_are_the_target():
    rng = np.random.default_rng(0)
    frame = frame_of([0, 1]).drop(columns="y").assign(months=rng.exponential(size=N), dead=np.arange(N) % 3 > 0)
    given = fsdesk.from_frame(frame, time="months", event="dead")
    assert given.fingerprint == fsdesk.from_frame(frame, ("months", "dead")).fingerprint
    assert given.fingerprint == fsdesk.from_frame(frame, ["months", "dead"]).fingerprint
    assert given.features == ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("ways", "words"),
    [
        ({"method": 3}, 'Setting "method": expected text'), ({"workers": 0}, "workers must be"),
        ({"workers": 1.5}, "workers must be"), ({"callback": 3}, "callback must be a function"),
        ({"scoring": "roc_acu"}, 'Did you mean "roc_auc"'), ({"always": ["A"]}, 'Did you mean "a"'),
    ],
)  # fmt: skip
def test_wrong_arguments_are_one_sentence(ways, words):
    with pytest.raises(fsdesk.SettingsError, match=words):
        fsdesk.select(frame_of([0, 1]), "y", **{"wrapper": "nn", "outer": 0, **ways})


def test_all_cores_give_the_same():
    frame = frame_of([0, 1])
    assert selected(frame, "y", workers=-1).features == selected(frame, "y").features


def test_rows_that_are_none_are_refused_and_predictions_are_a_frame():
    frame = frame_of(["ill", "well"])
    result = selected(frame, "y")
    with pytest.raises(fsdesk.DataError, match="has no rows"):
        fsdesk.predict(result, frame.head(0))
    said = fsdesk.predict(result, frame.head(5))
    made = said.to_frame()
    written = pd.read_csv(StringIO(said.to_csv()), index_col="row", dtype={"row": str})
    pd.testing.assert_frame_equal(made, written, check_dtype=False, check_exact=False)


def test_a_run_that_no_project_keeps_is_not_said_to_be_resumable(tmp_path):
    frame = frame_of([0, 1])
    result = selected(frame, "y", callback=lambda progress: True)
    assert (result.status, result.reason) == ("stopped", "stopped")
    assert "select(..., outer=5)" in repr(result)
    kept = selected(frame, "y", callback=lambda progress: True, project=tmp_path / "run.fsdesk")
    assert "can be resumed" in kept.reason
    assert "fsdesk resume" in repr(kept)


def test_a_held_out_error_shows_its_sentence_and_the_positive_class_may_be_a_number():
    result = selected(frame_of([0, 1]), "y", outer=3)
    assert result.honest.sentence() in repr(result.honest)
    external = fsdesk.validate(result, frame_of([0, 1]))
    assert external.sentence() in repr(external)
    assert result.decision(positive=1).positive == "1"
    assert "AUC" in repr(result.decision(positive=0))
    with pytest.raises(fsdesk.SettingsError, match='The classes are "0", "1"'):
        result.decision(positive="ill")


def test_a_model_that_predicts_too_few_values_is_one_sentence():
    class Short:
        def fit(self, x, y):
            return self

        def predict(self, x):
            return [0, 1]

    with pytest.raises(fsdesk.WrapperError, match="Short predicted 2 values for 12 rows"):
        fsdesk.select(frame_of([0, 1]), "y", method="sfs", wrapper=Short(), outer=0)
    with pytest.raises(fsdesk.WrapperError, match="Short predicted 2 values"):  # without warnings
        fsdesk.select(frame_of([0, 1]), "y", method="univariate", wrapper=Short(), outer=0)


def test_the_index_of_a_frame_is_no_sign_of_samples_in_columns_and_numbers_are_no_classes():
    frame = frame_of([0, 1])
    with pytest.raises(fsdesk.DataError, match="only one class") as told:
        fsdesk.from_frame(frame.assign(y=1), "y")
    assert "Samples are in" not in str(told.value)
    numbers = frame.assign(y=np.random.default_rng(1).normal(size=N)).assign(
        y=lambda made: made["y"].mask(made.index == 3)
    )
    with pytest.warns(UserWarning, match='1 row has no value of the target "y" and is dropped.'):
        assert fsdesk.from_frame(numbers, "y").task == "regression"


@pytest.mark.parametrize("people", [[f"P{each // 2}" for each in range(N)], [each // 2 for each in range(N)]])
def test_rows_of_one_patient_are_a_question_that_an_argument_settles(people):
    frame = frame_of([0, 1]).assign(patient_id=people)
    with pytest.raises(fsdesk.DataError, match='"patient_id" has 30 values in 60 rows') as raised:
        fsdesk.from_frame(frame, "y")
    for answer in ("group='patient_id'", "keep=['patient_id']", "ignore=['patient_id']"):
        assert answer in str(raised.value)
    assert fsdesk.from_frame(frame, "y", group="patient_id").groups is not None
    assert "patient_id" in fsdesk.from_frame(frame, "y", keep=["patient_id"]).features
    left_out = fsdesk.from_frame(frame, "y", ignore="patient_id")
    assert "patient_id" not in left_out.features
    assert left_out.groups is None
    assert fsdesk.from_frame(frame, "y", accept_reading=True).role_names == {"groups": "patient_id"}


def test_the_target_under_another_name_is_warned_of():
    frame = frame_of([0, 1])
    with pytest.warns(UserWarning, match="determines the class of every row"):
        fsdesk.from_frame(frame.assign(code=2 * frame["y"]), "y")
