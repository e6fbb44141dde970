import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsdesk.measure import CRITERIA
from fsdesk.results.curves import axis_title, compared, drawn, drawn_error, last_of_each, levelled, moving_average


@given(values=st.lists(st.floats(-1e6, 1e6), max_size=40), window=st.integers(1, 50))
def test_the_moving_average_is_the_mean_of_the_last_values(values, window):
    smooth = moving_average(np.array(values), window)
    expected = [np.mean(values[max(0, place + 1 - window) : place + 1]) for place in range(len(values))]
    assert np.allclose(smooth, expected, atol=1e-6)


def test_what_was_not_measured_does_not_count_in_the_average():
    smooth = moving_average(np.array([np.inf, 1.0, np.inf, 3.0, np.nan, np.inf, np.inf]), 2)
    assert np.isnan(smooth[0])
    assert smooth[1:5].tolist() == [1.0, 1.0, 3.0, 3.0]
    assert np.isnan(smooth[5:]).all()


def test_the_line_goes_through_the_last_of_the_subsets_of_an_iteration():
    iterations, averages = np.array([0.0, 1, 1, 1, 2]), np.array([9.0, 1, 2, 3, 8])
    assert last_of_each(iterations).tolist() == [0, 3, 4]
    assert levelled(iterations, averages).tolist() == [9, 3, 3, 3, 8]
    assert levelled(np.empty(0), np.empty(0)).tolist() == []


@pytest.mark.parametrize(
    ("name", "loss", "value", "title"),
    [("error", 0.058, 5.8, "Error, %"), ("auc", 0.058, 0.942, "AUC"), ("mcc", 1.25, -0.25, "Matthews correlation"),
     ("rmse", 12.5, 12.5, "RMSE, in the unit of price"), ("r2", 3.0, -2.0, "R2"), ("cost", 0.3, 0.3, "Mean cost")],
)  # fmt: skip
def test_losses_are_drawn_in_the_value_that_people_know(name, loss, value, title):
    shown = drawn(CRITERIA[name], np.array([loss, np.inf]))
    assert shown[0] == pytest.approx(value)
    assert np.isnan(shown[1])
    assert axis_title(CRITERIA[name], "price") == title
    assert axis_title(CRITERIA[name]) == title.removesuffix(", in the unit of price")


def test_standard_errors_are_in_the_unit_of_the_curve():
    assert drawn_error(CRITERIA["error"], np.array([0.01]))[0] == pytest.approx(1.0)
    assert drawn_error(CRITERIA["auc"], np.array([0.01]))[0] == pytest.approx(0.01)


def test_better_is_less_error_and_more_auc():
    assert compared(CRITERIA["error"], 0.058, 0.137) == "7.9 points better"
    assert compared(CRITERIA["auc"], 0.058, 0.07) == "0.012 better"  # an AUC of 0.942 after 0.930
    assert compared(CRITERIA["rmse"], 3.5, 2.0) == "1.5 worse"
    assert compared(CRITERIA["error"], 0.1, 0.1) == "as good"
    assert compared(CRITERIA["error"], 0.1, np.inf) == ""
