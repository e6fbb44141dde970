"""The small pictures of one feature: boxes as Tukey draws them, and classes that are too many to draw."""

from copy import copy
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from fsdesk.app.plots.column_plots import ValuesView, box_of
from fsdesk.app.plots.predictions import NumbersView
from fsdesk.results.diagnosis import Diagnosis, Judged
from fsdesk.results.features import FeaturePreview

from .conftest import WindowDriver


def test_whiskers_end_at_the_last_value_within_one_and_a_half_boxes() -> None:
    values = np.array([1.0, 2, 3, 4, 5, 6, 7, 8, 9, 100])
    lowest, lower, median, upper, highest = box_of(values)
    assert (lowest, median, highest) == (1, 5.5, 9)  # 100 is an outlier
    assert (lower, upper) == pytest.approx((3.25, 7.75))
    assert box_of(np.full(4, 2.0)) == (2, 2, 2, 2, 2)


def test_of_many_classes_the_largest_are_drawn_and_the_others_together(themed: None) -> None:
    groups = np.repeat(np.arange(15), np.arange(1, 16))
    look = FeaturePreview(
        "f", np.arange(len(groups), dtype=float), (), groups, tuple(f"c{code}" for code in range(15)), None, "kind"
    )
    view = ValuesView()
    view.show_preview(look)
    names = [name for name, _, _ in view.groups]
    assert names == [*(f"c{code}" for code in range(6, 15)), "others"]
    assert sum(len(values) for _, values, _ in view.groups) == len(groups)
    view.resize(300, view.sizeHint().height())
    assert not view.grab().isNull()
    view.deleteLater()


def test_missing_values_are_not_drawn_and_all_missing_is_said(themed: None) -> None:
    view = ValuesView()
    values = np.array([1.0, np.nan, 3.0, np.nan])
    view.show_preview(FeaturePreview("f", values, (), np.array([0, 0, 1, 1]), ("a", "b"), None, "kind"))
    assert [group.tolist() for _, group, _ in view.groups] == [[1], [3]]
    view.show_preview(FeaturePreview("f", values * np.nan, (), np.array([0, 0, 1, 1]), ("a", "b"), None, "kind"))
    view.resize(300, 100)
    assert not view.grab().isNull()  # a sentence instead of points
    view.deleteLater()


def test_each_row_is_drawn_where_its_observed_and_its_predicted_number_are(themed: None, qtbot: QtBot) -> None:
    rng = np.random.default_rng(0)
    observed = rng.normal(20, 4, 120)
    observed[[0, -1]] = 20, 20.01  # the first and the last row are alike, the rows between are in no order
    predicted = observed + rng.normal(0, 1, 120)
    judged = Judged(np.array([1.0]), predicted=predicted)
    diagnosis = Diagnosis(np.ones(2, bool), 1, 1, True, judged, judged, "y", (), observed, True)
    for residuals, drawn in ((False, predicted), (True, predicted - observed)):
        view = NumbersView("numbers", residuals=residuals)
        qtbot.addWidget(view)
        view.resize(500, 300)
        view.show_diagnosis(diagnosis)
        view.show()
        view.grab()
        plotted = [item for item in view.plot.getPlotItem().listDataItems() if len(item.xData) == len(observed)]
        assert len(plotted) == 2  # the selected features, and all
        for item in plotted:
            x, y = item.scatter.getData()
            assert x.tolist() == observed.tolist()
            assert y.tolist() == drawn.tolist()


def test_a_picked_feature_stays_when_a_run_without_a_step_is_looked_at(driver: WindowDriver) -> None:
    async def scene() -> None:
        await driver.open_sample("wine")
        driver.window.workspace.setup.method_form.put({"max_iterations": 4})
        driver.child(QPushButton, "runButton").click()
        await driver.until(lambda: [run.phase for run in driver.session.runs] == ["finished"])
        (run,) = driver.session.runs
        inspector = driver.window.workspace.search.inspector
        inspector.show_run(run)
        inspector.pick(run.state.features[0])
        assert len(inspector.trace.steps) > 0
        other = copy(run)
        other.state = replace(run.state, history=None)  # as of a run at rest, whose steps are not read yet
        inspector.show_run(other)
        assert inspector.name == run.state.features[0]
        assert len(inspector.trace.steps) == 0
        inspector.show_run(run)
        await driver.until(lambda: not driver.session.tasks.working)

    driver.play(scene, 60)


@pytest.mark.parametrize(("rows", "said"), [(5000, "Each row once"), (12000, "4,000 of 12,000 rows")])
def test_the_caption_says_how_many_rows_are_drawn(themed: None, qtbot: QtBot, rows: int, said: str) -> None:
    judged = Judged(np.array([1.0]), predicted=np.arange(rows, dtype=float))
    diagnosis = Diagnosis(np.ones(2, bool), 1, 1, True, judged, judged, "y", (), np.arange(rows, dtype=float), True)
    view = NumbersView("predictedPlot", residuals=False)
    qtbot.addWidget(view)
    view.show_diagnosis(diagnosis)
    assert said in view.legend.text()
    assert len(view.plot.getPlotItem().listDataItems()[-1].getData()[0]) == (rows if rows <= 5000 else 4000)
