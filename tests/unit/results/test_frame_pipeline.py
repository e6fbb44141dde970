"""`result.estimator` on frames of other libraries, and stored; arguments that do not exist; a run that was stopped."""

import io
import warnings

import joblib
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline

import fsdesk
from fsdesk.messages import translated

N = 60


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    y = np.arange(N) % 2
    made = pd.DataFrame({"a": rng.normal(size=N) + 2 * y, "b": rng.normal(size=N), "y": y})
    made["sex"] = np.where(rng.random(N) < 0.2 + 0.6 * y, "f", "m")
    made["kind"] = pd.Categorical(rng.choice(list("xyz"), N))
    made.loc[3, "sex"] = None
    return made


QUICK = {"method": "univariate", "wrapper": "nn", "n_features_to_select": 2, "settings": {"repeats": 1}}


@pytest.fixture(scope="module")
def result(frame):
    return fsdesk.select(frame, "y", **QUICK, outer=0)


def test_the_estimator_takes_frames_of_other_libraries(result, frame):
    arrow = pa.Table.from_pandas(frame)
    assert result.estimator.predict(arrow).tolist() == result.estimator.predict(frame).tolist()
    assert np.array_equal(result.estimator.predict_proba(arrow), result.estimator.predict_proba(frame))


def test_a_name_that_occurs_twice_is_refused(result, frame):
    twice = pd.concat([frame, frame], axis=1)
    for predict in (result.estimator.predict, lambda rows: fsdesk.predict(result, rows)):
        with pytest.raises(fsdesk.DataError, match='Several columns are named "a"'):
            predict(twice)
    other = pd.concat([frame, frame[["b"]]], axis=1)  # not needed
    assert result.estimator.predict(other).tolist() == result.estimator.predict(frame).tolist()


def test_stored_it_is_a_plain_pipeline(result, frame):
    kept = io.BytesIO()
    joblib.dump(result.estimator, kept)
    kept.seek(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loaded = joblib.load(kept)
    assert (type(loaded), type(loaded[0])) == (Pipeline, ColumnTransformer)
    assert loaded.predict(frame).tolist() == result.estimator.predict(frame).tolist()


@pytest.mark.parametrize("convert", [lambda made: made, pa.Table.from_pandas], ids=["pandas", "pyarrow"])
def test_a_selector_takes_columns_of_text_and_categories(frame, convert):
    x, y = frame.drop(columns="y"), frame["y"].to_numpy()
    made = fsdesk.FeatureSelector(**QUICK, random_state=0).fit(convert(x), y)
    assert made.get_feature_names_out().tolist() == ["a", "sex"]
    assert made.result_.features == ("a", "sex")
    assert made.transform(x).shape == (N, 2)


def test_weights_of_rows_are_refused_with_a_sentence(frame):
    x, y = frame[["a", "b"]], frame["y"].to_numpy()
    selector = fsdesk.FeatureSelector(**QUICK)
    for call in (
        lambda **more: selector.fit(x, y, **more),
        lambda **more: fsdesk.select(frame, "y", **QUICK, outer=0, **more),
    ):
        with pytest.raises(fsdesk.SettingsError, match="sample_weight is not supported"):
            call(sample_weight=y)
        with pytest.raises(TypeError, match="unexpected keyword argument 'weights'"):
            call(weights=y)


def test_a_run_that_was_interrupted_is_stopped_and_its_folder_opens(frame, tmp_path):
    def interrupt(progress):
        raise KeyboardInterrupt

    path = tmp_path / "run.fsdesk"
    with pytest.raises(KeyboardInterrupt):
        fsdesk.select(frame, "y", method="sfs", wrapper="nn", settings={"repeats": 1}, outer=0, project=path,
                      callback=interrupt)  # fmt: skip
    run = fsdesk.open_project(tmp_path).run()
    assert run.status == "stopped"
    run.resume(outer=0)
    assert run.status == "finished"


def test_another_table_that_is_a_frame_is_called_one(result, frame):
    said = translated(fsdesk.validate(result, frame.assign(a=frame["a"] + 0.001)).sentence())
    assert said.startswith("On 60 rows of the data frame: ")
