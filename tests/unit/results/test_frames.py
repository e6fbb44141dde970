"""Frames in, and classes out as they were: select, predict and validate as data scientists call them."""

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
