"""What the window shows of a run: the criterion in its own unit, finalists by size, and the way on from an answer."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from fsdesk.app.plots.error_plot import ErrorPlot
from fsdesk.app.search_page.figures import Figures
from fsdesk.app.session.run import Run
from fsdesk.engine import BaselineMeasured, BatchMeasured, RunFinished, RunSpec, RunStarted, RunState, pack_masks
from fsdesk.measure import MeasureSettings

from .conftest import WindowDriver
from .test_run import run_to_the_end


def told(
    criterion: str,
    losses: list[float],
    baseline: float | None,
    *,
    confirmed: bool = False,
    sizes: Sequence[int] = (),
) -> Run:
    """A finished run of one feature at a time, or of subsets of these sizes, the n-th measured with the n-th loss."""
    sizes = sizes or range(1, len(losses) + 1)
    features = tuple(f"f{place}" for place in range(max(sizes, default=1)))
    spec = RunSpec(
        method="bspsa", measuring=MeasureSettings(criterion=criterion), features=len(features), data_name="made"
    )  # type: ignore[arg-type]
    state = RunState()
    masks = [np.arange(len(features)) < size for size in sizes]
    values = np.repeat(np.array(losses)[:, None], 3, axis=1)
    state.apply(RunStarted(spec.model_dump(), features))
    if baseline is not None:
        state.apply(BaselineMeasured(np.full(3, baseline), 0.1))
    for place in range(len(losses)):
        state.apply(
            BatchMeasured(
                place + 1, pack_masks([masks[place]]), (True,), values[place : place + 1], place, None, seconds=0.5
            )
        )
    if confirmed:
        batch = BatchMeasured(99, pack_masks(masks), (False,) * len(losses), values, len(losses), None, confirms=True)
        state.apply(batch)
    state.apply(RunFinished("done", False, None))
    return Run(1, spec, "2026-01-01", state, measurements=len(losses))


@pytest.fixture
def plot(themed: None) -> Iterator[ErrorPlot]:
    made = ErrorPlot()
    made.resize(500, 240)
    yield made
    shiboken6.delete(made)


@pytest.mark.parametrize(
    ("criterion", "loss", "baseline", "heading", "value", "everything"),
    [
        ("error", 0.058, 0.137, "Error", "5.80 %", "13.70 %"),
        ("auc", 0.058, 0.137, "AUC", "0.9420", "0.8630"),
        ("rmse", 12.5, 10.0, "RMSE", "12.50", "10.00"),
    ],
)
def test_a_run_is_shown_in_the_unit_of_its_criterion(
    plot: ErrorPlot, criterion: str, loss: float, baseline: float, heading: str, value: str, everything: str
) -> None:
    run = told(criterion, [loss, 2 * loss, 3 * loss], baseline)
    plot.show_run(run)
    _, y = plot.details.raw.getData()
    shown = {"error": 100 * loss, "auc": 1 - loss, "rmse": loss}[criterion]
    assert y[0] == pytest.approx(shown)
    assert (y[1] > y[0]) == (criterion != "auc")  # worse is up, but down for an AUC
    assert plot.heading.text() == heading
    assert plot.details.note.textItem.toPlainText() == value
    low, high = plot.plot.getViewBox().viewRange()[1]
    assert low < shown < high
    figures = Figures()
    figures.show_run(run)
    seen = f"On the rows used for selection, so not an estimate for new rows: {heading} {value} (all features"
    assert figures.seen.text() == f"{seen} {everything}) in the search."
    assert figures.honest.title.text() == f"{heading} on held-out rows"
    assert (figures.honest.value.text(), figures.honest.note.text()) == ("–", "not measured yet")
    assert figures.baseline.value.text() == "–"  # known on the outer folds alone
    figures.deleteLater()


def test_what_could_not_be_measured_is_skipped_and_said(plot: ErrorPlot) -> None:
    run = told("auc", [np.inf, 0.2, np.inf, 0.1], np.inf)
    plot.show_run(run)
    x, y = plot.details.raw.getData()
    assert x.tolist() == [1, 3]
    assert y.tolist() == pytest.approx([0.8, 0.9])
    assert not plot.details.baseline.isVisible()
    figures = Figures()
    figures.show_run(run)
    assert figures.seen.text().endswith("AUC 0.9000 in the search.")
    nothing = told("error", [np.inf, np.inf], np.inf)
    plot.show_run(nothing)
    figures.show_run(nothing)
    assert plot.points == 0
    assert figures.seen.text().endswith("not measured (all features not measured) in the search.")
    assert figures.measure.isHidden()  # another search of it would measure nothing either
    figures.deleteLater()


def test_finalists_are_drawn_by_size_with_the_answer(plot: ErrorPlot) -> None:
    run = told("auc", [0.3, 0.1, 0.2, np.inf], 0.25, confirmed=True)
    plot.show_run(told("error", [0.3, 0.1], 0.2))
    assert plot.against.isHidden()
    plot.show_run(run)
    assert not plot.against.isHidden()
    plot.against.buttons["size"].click()
    assert plot.sizes.points == [(1, pytest.approx(0.7)), (2, pytest.approx(0.9)), (3, pytest.approx(0.8))]
    assert plot.sizes.answer.getOriginalDataset()[0].tolist() == [2]
    assert plot.sizes.note.textItem.toPlainText() == "result: 2, 0.9000"
    plot.against.buttons["steps"].click()
    assert plot.plot.isVisibleTo(plot)


def test_sizes_of_several_scales_stand_on_an_axis_of_logarithms_as_in_print(plot: ErrorPlot) -> None:
    plot.resize(900, 400)
    plot.show_run(told("error", [0.3, 0.1, 0.2, 0.25], 0.2, confirmed=True, sizes=(2, 40, 900, 4000)))
    plot.against.buttons["size"].click()
    sizes = plot.sizes
    axis, box = sizes.plot.getPlotItem().getAxis("bottom"), sizes.plot.getViewBox()
    (low, high), _ = box.viewRange()
    written = [text for step, places in axis.tickValues(low, high, 800) for text in axis.tickStrings(places, 1, step)]
    assert {"2", "10", "100", "1,000"} <= set(written)
    assert low < np.log10(2) < np.log10(4000) < high
    for _ in range(2):
        QTest.keyClick(sizes.plot, Qt.Key.Key_Home)  # the points are read and taken by their sizes
    QTest.keyClick(sizes.plot, Qt.Key.Key_Right)
    assert sizes.crosshair.words.startswith("40 features")
    box.setXRange(np.log10(30), np.log10(45), padding=0)  # where no power of ten is near
    (low, high), _ = box.viewRange()
    close = [text for step, places in axis.tickValues(low, high, 800) for text in axis.tickStrings(places, 1, step)]
    assert {"30", "40"} <= set(close)
    plot.show_run(told("error", [0.3, 0.1, 0.2], 0.2, confirmed=True, sizes=(2, 3, 40)))
    plot.against.buttons["size"].click()
    (low, high), _ = box.viewRange()
    assert low < 2 < 40 < high  # few enough for one scale


def test_axes_without_anything_to_read_have_no_numbers(plot: ErrorPlot) -> None:
    def written() -> set[str]:
        axis = plot.plot.getPlotItem().getAxis("left")
        return {text for step, places in axis.tickValues(0, 40, 400) for text in axis.tickStrings(places, 1, step)}

    plot.show_run(told("error", [], None))
    assert written() == {""}
    plot.show_run(told("error", [0.3, 0.1], 0.2))
    assert {"10", "30"} <= written()
    plot.show_run(told("error", [], 0.2))  # the line to beat has a value
    assert {"10", "30"} <= written()


async def test_an_auc_runs_from_the_form_to_the_list_of_runs(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    setup = driver.window.workspace.setup
    setup.wrapper.setCurrentIndex(setup.wrapper.findData("nb"))
    setup.measure_form.put({"criterion": "auc", "repeats": 2})
    setup.method_form.put({"max_iterations": 15, "n_finalists": 3})
    await driver.until(lambda: "for all measurements" in setup.time.text())
    driver.child(QPushButton, "runButton").click()
    await driver.until(
        lambda: driver.window.run_commands.shown and driver.window.run_commands.shown.phase == "finished"
    )
    search = driver.window.workspace.search
    await driver.until(lambda: search.errors.heading.text() == "AUC" and search.figures.seen.text())
    assert search.figures.honest.title.text() == "AUC on held-out rows"
    assert "not an estimate for new rows: AUC 0." in search.figures.seen.text() or "AUC 1" in search.figures.seen.text()
    said = str(search.list.model.index(0, 0).data())
    assert 0.9 < float(said.partition("AUC ")[2].split()[0]) <= 1
    assert "%" not in said


async def test_a_clash_of_model_and_criterion_is_told_before_the_run(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    setup = driver.window.workspace.setup
    setup.wrapper.setCurrentIndex(setup.wrapper.findData("svm"))
    setup.measure_form.put({"criterion": "log loss"})
    await driver.until(lambda: "probabilities" in setup.time.text())
    assert not driver.window.messages.messages
    setup.measure_form.put({"criterion": "error"})
    await driver.until(lambda: "for all measurements" in setup.time.text())


async def test_the_next_run_starts_from_the_subset_of_another(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    setup, control = driver.window.workspace.setup, driver.window.run_commands
    setup.method_form.put({"max_iterations": 10})
    chain = driver.window.actions_["chain"]
    assert not chain.isEnabled()
    driver.child(QPushButton, "runButton").click()
    await driver.until(lambda: control.shown and control.shown.phase == "finished")
    first = control.shown
    assert first is not None
    assert first.state.best is not None
    assert chain in driver.window.workspace.search.list.view.actions()  # the menu of the list
    await driver.until(chain.isEnabled)
    chain.trigger()
    found = tuple(np.array(first.state.features)[first.state.best.mask].tolist())
    assert setup.features_section.start == found
    assert f"run {first.id}" in setup.features_section.origin.text()
    driver.child(QPushButton, "runButton").click()
    await driver.until(lambda: control.shown is not first and control.shown and control.shown.phase == "finished")
    second = control.shown
    assert second is not None
    assert second.spec.start == found
    driver.child(QPushButton, "forgetStart").click()
    assert setup.request.start == ()


async def test_a_subset_of_another_table_is_refused_with_a_sentence(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    await run_to_the_end(driver, 5)
    await driver.session.loader.open_sample("breast_cancer")
    driver.window.actions_["chain"].trigger()
    await driver.until(lambda: any("has no feature" in each.sentence for each in driver.window.messages.messages))
    assert driver.window.workspace.setup.features_section.start == ()


def test_a_method_without_weights_says_so_instead_of_an_empty_picture(driver: WindowDriver) -> None:
    run = told("error", [0.2, 0.1], 0.3)
    heatmap = driver.window.workspace.search.heatmap
    heatmap.show_run(run)
    assert heatmap.is_empty
    assert "without weighting" in heatmap.invitation
    run.waiting = True  # a race weighs features in its later rounds
    heatmap.refresh()
    assert heatmap.invitation.startswith("No feature has a weight yet")
    run.waiting = False
    heatmap.view.buttons["selection"].click()  # what it selects can be drawn
    assert not heatmap.is_empty
    assert heatmap.traces.value(heatmap.traces.row("f1"), 1.0) == 1
    assert heatmap.traces.value(heatmap.traces.row("f1"), 0.0) == 0
    heatmap.view.buttons["weights"].click()
    card = driver.window.workspace.search.features
    card.show_state(run.state)
    assert card.view.isColumnHidden(1)
    heatmap.show_run(None)
    assert "Dark: out" in heatmap.invitation
