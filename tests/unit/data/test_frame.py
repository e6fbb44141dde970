import re
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

import fsdesk
from fsdesk.errors import DataError


@pytest.fixture
def frame():
    return pd.DataFrame(
        {
            "age": [31, 45, 62, 28, 51, 39],
            "marker": [0.5, np.nan, 1.5, 2.5, 0.25, 3.0],
            "smoker": [True, False, True, True, False, False],
            "stage": pd.Categorical(["II", "I", "III", "I", "II", None], categories=["I", "II", "III"]),
            "sex": ["f", "m", "f", "f", None, "m"],
            "ill": ["yes", "no", "yes", "no", "no", "yes"],
        },
        index=["p1", "p2", "p3", "p4", "p5", "p6"],
    )


def test_a_frame_keeps_its_values_gaps_categories_and_row_ids(frame):
    dataset = fsdesk.from_frame(frame, "ill")
    assert dataset.features == ("age", "marker", "smoker", "stage", "sex")
    assert dataset.rows == ("p1", "p2", "p3", "p4", "p5", "p6")
    assert dataset.classes == ("no", "yes")
    assert dataset.target.tolist() == [1, 0, 1, 0, 0, 1]
    assert dataset.categories == {3: ("I", "II", "III"), 4: ("f", "m")}
    assert np.array_equal(dataset.x[:, 0], frame["age"])
    assert np.array_equal(dataset.x[:, 1], frame["marker"], equal_nan=True)
    assert np.array_equal(dataset.x[:, 2], [1, 0, 1, 1, 0, 0])
    assert np.array_equal(dataset.x[:, 3], [1, 0, 2, 0, 1, np.nan], equal_nan=True)
    assert np.array_equal(dataset.x[:, 4], [0, 1, 0, 0, np.nan, 1], equal_nan=True)


def test_a_frame_gives_the_data_set_that_its_csv_gives(frame, tmp_path):
    plain = frame[["age", "marker", "sex", "ill"]]
    plain.to_csv(tmp_path / "frame.csv")
    from_file = fsdesk.read_table(tmp_path / "frame.csv", "ill")
    assert fsdesk.from_frame(plain, "ill").fingerprint == from_file.fingerprint


def test_a_target_that_is_not_there_is_said(frame):
    with pytest.raises(DataError, match="illl"):
        fsdesk.from_frame(frame, "illl")


def test_objects_that_are_numbers_are_numbers():
    frame = pd.DataFrame(
        {
            "count": pd.Series([1, 2.5, None, 10**20], dtype=object),
            "price": [Decimal("0.5"), Decimal(2) / 3, Decimal(3), None],
            "flag": pd.Series([True, "x", False, "x"], dtype=object),
            "vast": pd.Series([10**400, 1, 10**400, 1], dtype=object),
            "class": ["a", "b", "a", "b"],
        }
    )
    data = fsdesk.from_frame(frame, "class")
    columns = dict(zip(data.features, data.x.T, strict=True))
    assert columns["count"].tolist()[:2] == [1.0, 2.5]
    assert columns["count"][3] == 1e20
    assert np.isnan([columns["count"][2], columns["price"][3]]).all()
    assert columns["price"][1] == float(Decimal(2) / 3)
    assert {data.features.index("flag"), data.features.index("vast")} <= set(data.categories)


@pytest.mark.filterwarnings("ignore:.*too optimistic")  # which is not the matter here
def test_what_is_set_aside_or_infinite_is_warned_of() -> None:
    frame = pd.DataFrame(
        {"a": [1.5, np.inf, 2.5, 3.5] * 5, "nr": range(20), "b": [0.5, 2.0] * 10, "k": ["x", "y"] * 10}
    )
    with pytest.warns(UserWarning) as caught:
        dataset = fsdesk.from_frame(frame, "k")
    said = " ".join(str(each.message) for each in caught)
    assert "infinite" in said
    assert '"nr"' in said
    assert dataset.features == ("a", "b")
    with pytest.warns(UserWarning, match="infinite"):
        assert fsdesk.from_frame(frame, "k", keep=("nr",)).features == ("a", "nr", "b")


def test_rows_without_a_target_are_warned_of() -> None:
    frame = pd.DataFrame({"a": np.linspace(0, 3, 20) ** 2, "k": ["x", "y", None, "x"] * 5})
    with pytest.warns(UserWarning, match="5 rows have no class and are dropped"):
        assert len(fsdesk.from_frame(frame, "k").rows) == 15


@pytest.mark.parametrize(("fill", "named"), [(-999, "-999"), (1e30, "1e\\+30")])
def test_numbers_that_may_stand_for_missing_values_are_warned_of(fill, named):
    values = np.random.default_rng(1).normal(size=60)
    values[::9] = fill
    frame = pd.DataFrame({"a": values, "b": np.arange(60) % 7, "k": ["u", "v"] * 30})
    with pytest.warns(UserWarning, match=f'"{named}" in "a" is far from the other values'):
        data = fsdesk.from_frame(frame, "k")
    assert data.x[0, 0] == fill


@pytest.mark.parametrize("form", ["{:.1f} mg/L", "{:.2f}", "<{:.2f}"])
@pytest.mark.filterwarnings("ignore:.*too optimistic")  # which is not the matter here
def test_numbers_that_are_stored_as_text_are_warned_of(form):
    values = np.random.default_rng(1).normal(9, 1, size=60).round(1)
    frame = pd.DataFrame({"a": [form.format(value) for value in values], "b": values, "k": ["u", "v"] * 30})
    with pytest.warns(UserWarning, match=r"numbers stored as text.*pandas\.to_numeric"):
        fsdesk.from_frame(frame, "k")


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([place * 7 % 5 + 1 for place in range(40)], 'The numbers in target "score" are treated as classes'),
        ([place % 13 if place % 3 else 2 for place in range(40)], 'task="classification"'),
        ([("case", "control", "unknown")[place % 3] for place in range(40)], '"unknown" of target "score" is treated'),
        ([("case", "control", "case\u200b")[place % 3] for place in range(40)], "look the same but use different"),
    ],
)
def test_a_doubtful_target_is_warned_of(cells, said):
    numbers = np.random.default_rng(3).normal(size=(40, 2))
    with pytest.warns(UserWarning, match=re.escape(said)):
        fsdesk.from_frame(pd.DataFrame(numbers, columns=["a", "b"]).assign(score=cells), "score")


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_no_warning_is_given_of_a_target_that_the_user_settles(task):
    numbers = np.random.default_rng(3).normal(size=(40, 2))
    frame = pd.DataFrame(numbers, columns=["a", "b"]).assign(score=[place * 7 % 5 + 1 for place in range(40)])
    made = fsdesk.from_frame(frame, "score", task=task)
    assert (made.response is None) == (task == "classification")
