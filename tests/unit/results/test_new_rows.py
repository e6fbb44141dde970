"""Predictions and external validation on another table."""

import csv
import io
import tempfile
from dataclasses import replace
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import fsdesk
from fsdesk.data import read
from fsdesk.data.frame import from_frame
from fsdesk.errors import DataError
from fsdesk.messages import ENGLISH, in_language, translated
from fsdesk.results.calibration import HeldOutScores
from fsdesk.results.exports import EXPORTS
from fsdesk.results.new_rows import predict, validate
from fsdesk.results.select import select

QUICK = {"max_iterations": 15, "repeats": 2}


def _frame(rows, seed, shift=0.0):
    """Six features, of which a and b tell the class; "colour" is nominal, "c" has gaps."""
    rng = np.random.default_rng(seed)
    target = np.arange(rows) % 2
    x = rng.normal(size=(rows, 5)) + shift
    x[:, 0] += 2.5 * target
    x[:, 1] -= 2.5 * target
    frame = pd.DataFrame(x, columns=list("abcde"))
    frame.loc[3, "c"] = np.nan
    frame["colour"] = np.array(["red", "blue", "green"])[np.arange(rows) % 3]
    frame["state"] = np.array(["ill", "well"])[target]
    return frame


def _table(frame):
    """The table as it is read from a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "new.csv"
        frame.to_csv(path, index=False)
        return read(path)


@pytest.fixture(scope="module")
def learned():
    return from_frame(_frame(60, 0), "state")


@pytest.fixture(scope="module", params=["nn", "svm", "logistic"])
def found(request, learned):
    always = ["a", "b", "c", "colour"]
    return select(learned, method="bspsa", wrapper=request.param, settings=QUICK, always=always, seed=1, outer=3)


@pytest.fixture
def new(tmp_path):
    path = tmp_path / "new.csv"
    _frame(30, 1).drop(columns="state").to_csv(path, index=False)
    return path


def test_predictions_are_those_of_the_exported_pipeline_to_the_last_bit(found, learned, new):
    pipeline = joblib.load(io.BytesIO(EXPORTS["pipeline.joblib"].content(found, learned)))
    frame = pd.read_csv(new)
    made = fsdesk.predict(found, learned, new)
    rows = list(csv.DictReader(io.StringIO(made.to_csv())))
    assert [row["predicted"] for row in rows] == pipeline.predict(frame).tolist()
    said = np.array([[float(row[f"probability of {name}"]) for name in learned.classes] for row in rows])
    assert np.allclose(said.sum(axis=1), 1)
    assert "probability (calibrated)" in rows[0]
    assert made.calibrated
    with in_language(ENGLISH):
        assert "on 60 held-out rows in 3 folds" in translated(made.calibration)


def test_where_rows_chose_the_features_and_none_was_held_out_nothing_is_claimed(found, learned, new):
    alone = replace(found, evidence=())
    made = fsdesk.predict(alone, learned, new)
    assert not made.calibrated
    assert "measure the held-out error" in translated(made.calibration)
    assert (made.probabilities is None) == (found.spec.wrapper == "svm")


def test_calibration_is_scikit_learns_where_the_scores_leave_no_doubt(learned):
    """Platt's sigmoid of the same held-out scores; of a clear slope next to nothing is taken away."""
    rng = np.random.default_rng(0)
    truth = np.arange(4000) % 2
    scores = 1.5 * (2 * truth - 1) + 2 * rng.normal(size=4000)
    ours = HeldOutScores(np.stack([-scores, scores], axis=1), truth).calibrated(np.array([[-1.0, 1.0], [2.0, -2.0]]))
    plain = LogisticRegression(C=np.inf).fit(scores[:, None], truth).predict_proba([[1.0], [-2.0]])
    np.testing.assert_allclose(ours, plain, atol=0.005)


def test_too_few_rows_of_a_class_are_no_ground_for_calibration():
    frame = _frame(20, 0)
    frame["state"] = ["rare"] * 2 + ["common"] * 18
    data = from_frame(frame, "state")
    found = select(data, method="full", wrapper="logistic", settings={"folds": 2, "repeats": 2}, outer=0)
    made = predict(found, data, _table(_frame(5, 1)))
    assert not made.calibrated
    assert "not calibrated" in made.calibration
    assert "probability (not calibrated)" in made.to_csv().splitlines()[0]
    assert np.allclose(made.probabilities.sum(axis=1), 1)


def test_rows_far_from_what_was_learned_say_so():
    learned = from_frame(_frame(60, 0)[["a", "b", "state"]], "state")
    found = select(learned, method="full", wrapper="nn", settings={"repeats": 2}, outer=0)
    near = predict(found, learned, _table(_frame(60, 0)))
    assert near.distances == pytest.approx(np.zeros(60), abs=1e-12)  # the learned rows themselves
    assert (near.farther == 0).all()
    assert (near.outside == 0).all()
    far = predict(found, learned, _table(_frame(20, 1, shift=40.0)))
    assert (far.farther == 1).all()
    assert (far.outside == 2).all()
    assert "extrapolations" in " ".join(far.notes)
    # By hand: two features in standard deviations, root mean square to the nearest learned row.
    known, row = learned.x[:, :2], np.array([far_row := [50.0, 50.0]])
    z = (row - known.mean(axis=0)) / known.std(axis=0) - (known - known.mean(axis=0)) / known.std(axis=0)
    one = _frame(4, 0).iloc[:1].copy()
    one[["a", "b"]] = far_row
    assert predict(found, learned, _table(one)).distances[0] == pytest.approx(np.sqrt((z**2).mean(axis=1)).min())


def test_gaps_and_unknown_categories_are_filled_and_counted(learned):
    found = select(learned, method="full", settings={"repeats": 2}, outer=0)
    frame = _frame(6, 1)
    frame.loc[0, "colour"] = "violet"
    frame.loc[1, "a"] = np.nan
    made = predict(found, learned, _table(frame))
    assert made.filled.tolist() == [1, 1, 0, 1, 0, 0]  # row 3 has the gap in c
    assert made.outside[0] >= 1


def test_what_is_missing_is_named(learned):
    found = select(learned, method="full", settings={"repeats": 2}, outer=0)
    with pytest.raises(DataError, match='lacks 2 of the 6 selected features, "a", "colour"'):
        predict(found, learned, _table(_frame(6, 1).drop(columns=["a", "colour"])))
    frame = _frame(6, 1)
    frame["a"] = "text"
    with pytest.raises(DataError, match='"a" contains text'):
        predict(found, learned, _table(frame))


def test_numbers_are_predicted_as_the_pipeline_does():
    frame = _frame(40, 0).drop(columns=["state"])
    frame["y"] = 2 * frame["a"] - frame["b"] + 0.001 * np.arange(40)
    data = from_frame(frame, "y")
    found = select(data, method="full", wrapper="ridge", settings={"repeats": 2}, outer=0)
    other = _frame(9, 1)
    made = predict(found, data, _table(other))
    pipeline = joblib.load(io.BytesIO(EXPORTS["pipeline.joblib"].content(found, data)))
    assert np.array_equal(made.predicted, pipeline.predict(other))
    assert made.probabilities is None
    assert made.to_csv().splitlines()[0] == "row,predicted,distance,farther than,outside,filled"


def test_validation_on_another_table_is_the_error_of_the_models_predictions(learned):
    found = select(learned, method="bspsa", wrapper="nn", settings=QUICK, always=["a", "b"], seed=1, outer=0)
    other = _frame(80, 2, shift=0.3)
    made = validate(found, learned, _table(other))
    pipeline = joblib.load(io.BytesIO(EXPORTS["pipeline.joblib"].content(found, learned)))
    assert made.error.value == pytest.approx((pipeline.predict(other) != other["state"]).mean())
    assert made.error.low < made.error.value < made.error.high
    assert made.error.rows == 80
    assert made.error.source == "another table"
    assert made.error.chance == pytest.approx(0.5)
    assert made.shared == made.features == 6
    assert "a different table" in made.error.basis_words()


def test_validation_uses_the_features_that_both_tables_have_and_names_what_is_amiss(learned):
    found = select(learned, method="bspsa", settings=QUICK, always=["a", "b"], never=["e", "d", "colour"], outer=0)
    other = _frame(30, 2).drop(columns=["d", "e"])
    made = validate(found, learned, _table(other))
    assert (made.shared, made.features, made.error.selected) == (4, 6, len(found.features))
    assert "lacks 2 of 6 features" in made.notes[0]
    other["state"] = "dead"
    with pytest.raises(DataError, match='not in the training data, "dead"'):
        validate(found, learned, _table(other))
    with pytest.raises(DataError, match="state"):
        validate(found, learned, _table(other.drop(columns="state")))


@pytest.mark.filterwarnings("ignore:.*too optimistic")  # which is not the matter here
def test_rows_that_were_learned_from_are_known_under_another_name_of_their_site(learned):
    found = select(learned, method="full", wrapper="nb", settings={"repeats": 2}, outer=0)
    again = _frame(60, 0).iloc[10:30].assign(colour="black")
    again.loc[12, "a"] += 1.0
    made = validate(found, learned, _table(again))
    assert made.repeated == 19
    assert "19 of them duplicate training rows" in made.sentence()
    by_category = from_frame(_frame(60, 0)[["colour", "state"]].assign(a=np.arange(60) % 4), "state")
    found = select(by_category, method="full", wrapper="nb", settings={"repeats": 2}, outer=0)
    other = pd.DataFrame({"colour": ["red", "red"], "a": [2.0, 9.0], "state": ["ill", "well"]})
    assert validate(found, by_category, _table(other)).repeated == 1  # numbers alone would not tell


def test_groups_of_the_other_table_count_once_in_the_interval(learned):
    found = select(learned, method="bspsa", settings=QUICK, always=["a", "b"], outer=0)
    other = _frame(40, 2, shift=0.8)
    doubled = pd.concat([other] * 6, ignore_index=True)
    doubled["patient"] = np.tile(np.arange(40), 6)
    rows = validate(found, learned, _table(doubled)).error
    patients = validate(found, learned, _table(doubled), group="patient").error
    assert (rows.blocks, patients.blocks) == (240, 40)
    assert patients.high - patients.low > rows.high - rows.low


def test_a_table_forward_in_time_is_validated_like_any_other(learned):
    timed = replace(learned, time=np.arange(60))
    found = select(timed, method="full", settings={"repeats": 2, "protocol": "time", "folds": 3}, outer=0)
    made = validate(found, timed, _table(_frame(20, 2)))
    assert 0 <= made.error.value < 0.5


@pytest.mark.parametrize(
    "words", [{"red": "rot", "blue": "blau", "green": "grün"}, {"red": "1", "blue": "2", "green": "3"}]
)
def test_other_words_throughout_for_what_was_learned_are_refused(found, learned, words):
    frame = _frame(12, 5)
    known = frame["colour"].map(words)
    for answer in (predict, validate):
        with pytest.raises(DataError, match=r'contains .* none of the values in the training data, "blue", "green"'):
            answer(found, learned, _table(frame.assign(colour=known)))


@pytest.mark.parametrize(("known", "other"), [("yes", "Y"), ("yes", "1"), ("Pre-Op", "preop")])
def test_other_spellings_of_what_was_learned_are_refused(known, other):
    frame = _frame(60, 0).drop(columns="c")
    frame["colour"] = np.where(np.arange(60) // 2 % 2, "no", known)
    data = from_frame(frame, "state")
    selected = select(data, method="full", wrapper="nb", settings={"repeats": 2}, outer=0)
    new = frame.assign(colour=np.where(np.arange(60) % 4, frame["colour"], other))
    for answer in (predict, validate):
        with pytest.raises(DataError, match=rf'contains "{other}", which may be other spellings of .*"no"'):
            answer(selected, data, new)
    strange = frame.assign(colour=np.where(np.arange(60) % 4, frame["colour"], "sometimes"))
    assert any('"sometimes" in row' in note for note in predict(selected, data, strange).notes)


def test_rows_of_repeated_patients_carry_their_ids_and_count_once():
    frame = _frame(60, 0).assign(patient=[f"P{at // 2}" for at in range(60)])
    data = from_frame(frame, "state", group="patient")
    assert data.role_names == {"groups": "patient"}
    found = select(data, method="univariate", wrapper="nn", settings={"repeats": 2, "wanted": 2}, outer=0)
    new = _frame(30, 1).assign(patient=[f"Q{at // 3}" for at in range(30)])
    made = predict(found, data, new)
    assert made.members[:4] == ("Q0", "Q0", "Q0", "Q1")
    assert made.to_frame().columns[0] == "patient"
    lines = list(csv.DictReader(io.StringIO(made.to_csv())))
    assert [line["patient"] for line in lines] == list(made.members)
    assert list(lines[0])[:3] == ["row", "patient", "predicted"]
    assert predict(found, data, new.drop(columns="patient")).members == ()

    grouped, named, alone = (validate(found, data, new, group=group) for group in (None, "patient", ""))
    assert (grouped.error.low, grouped.error.high) == (named.error.low, named.error.high)
    assert (alone.error.low, alone.error.high) != (named.error.low, named.error.high)
    assert any("patient" in translated(note) for note in grouped.notes)
    assert not any("patient" in translated(note) for note in alone.notes)
