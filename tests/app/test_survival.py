"""Times to an event in the window: asked about when the table is opened, searched, and shown as curves by risk."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QDialog, QPushButton

from fsdesk.app.plots.column_plots import Stacks
from fsdesk.app.plots.predictions import SurvivalView
from fsdesk.app.result_page.new_rows import PredictDialog
from fsdesk.data.outcomes import Named
from fsdesk.results.exports import writable

from .conftest import WindowDriver
from .data_scene import dataset_of, opened
from .test_new_rows import chooses
from .test_questions import asked, press


def write_patients(folder: Path) -> Path:
    """Months to death of 90 patients, half of them censored, and six measurements, of which two count."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=(90, 6))
    time, lost = rng.exponential(np.exp(-x[:, 0] - x[:, 3])), rng.exponential(1.5, 90)
    lines = ["a,b,c,d,e,f,os_months,os_status"]
    lines += [
        ",".join([*(f"{value:.3f}" for value in row), f"{20 * min(t, c) + 0.1:.2f}", "dead" if t <= c else "alive"])
        for row, t, c in zip(x, time, lost, strict=True)
    ]
    path = folder / "patients.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


async def test_the_pair_is_asked_about_and_each_answer_makes_another_target(driver: WindowDriver) -> None:
    dataset = await opened(driver, write_patients(driver.root))
    assert "time to event" in asked(driver)
    assert (dataset.event, dataset.features) == ("os_status=dead", tuple("abcdef"))
    target = driver.window.findChild(Stacks, "targetBars")
    assert target is not None
    await driver.until(lambda: target.picture is not None and target.picture.curve is not None)
    assert target.picture is not None and target.picture.curve is not None
    assert target.picture.curve.times.max() == dataset.times.max()
    assert "median follow-up" in target.picture.caption and f"{dataset.target.sum()} events" in target.picture.caption
    assert "median survival" in target.picture.ends[1]
    assert not target.grab().isNull()
    place = asked(driver).index("time to event")
    loader = driver.session.loader
    await press(driver, f"answer_{place}_1")
    alone = dataset_of(driver)
    assert (alone.task, alone.features, loader.choices.task) == ("classification", tuple("abcdef"), "classification")
    assert "time to event" not in asked(driver)
    driver.session.history.undo()
    await driver.until(lambda: loader.dataset is not None and loader.dataset.event != "")
    columns = driver.window.workspace.data.columns
    loader.choose(loader.with_outcome(Named("os_months", "os_status=alive")))
    await driver.until(lambda: loader.dataset is not None and loader.dataset.event == "os_status=alive")
    assert (columns.model.role("os_months"), columns.model.role("os_status")) == ("target", "event")
    assert "time to event" not in asked(driver)
    columns.select("os_status")
    columns.assign("ignored")
    await driver.until(lambda: loader.dataset is not None and loader.dataset.task == "regression")
    assert loader.choices.event is None
    assert dataset_of(driver).features == tuple("abcdef")


async def test_a_run_ends_with_a_concordance_and_curves_of_groups_by_risk(driver: WindowDriver) -> None:
    await opened(driver, write_patients(driver.root))
    driver.session.loader.choose(driver.session.loader.with_outcome(Named("os_months", "os_status=dead")))
    await driver.until(lambda: not driver.session.loader.preparing and not driver.session.tasks.working)
    panel = driver.window.workspace.setup
    panel.method.setCurrentIndex(panel.method.findData("auto"))
    driver.child(QComboBox, "method_competing").setCurrentIndex(1)
    QTest.keyClick(driver.child(QPushButton, "runButton"), Qt.Key.Key_Return)
    await driver.until(lambda: driver.window.run_commands.shown is not None)
    run = driver.window.run_commands.shown
    assert run is not None
    await driver.until(lambda: run.phase == "finished", 120)
    if run.honest is None:
        driver.child(QPushButton, "measureHonest").click()
    await driver.until(lambda: run.honest is not None and run.validation is None, 120)
    assert run.honest is not None
    assert run.honest.criterion == "concordance"
    assert 1 - run.honest.value > 0.65
    driver.child(QPushButton, "page_result").click()
    card = driver.window.workspace.result.evidence
    card.pick("survival")
    await driver.until(lambda: "survival" in card.plots, 60)
    view = card.plots["survival"]
    assert isinstance(view, SurvivalView)
    await driver.until(lambda: "Log-rank test: p" in view.legend.text(), 60)
    assert "high risk" in view.legend.text()
    assert card.switch.width() >= card.switch.sizeHint().width()  # the longest name is not cut
    assert view.plot.height() >= 200  # whatever the length of the words below
    offered = writable(run.record)
    assert {"survival.png", "survival.svg", "survival.pdf", "sizes.png", "decision.pdf"} <= set(offered)
    assert not {"roc.png", "confusion.png"} & set(offered)
    assert "numbers" not in card.switch.offered
    card.pick("decision")
    await driver.until(lambda: card.decision is not None and card.decision.decision is not None, 60)
    shown = card.decision
    assert shown is not None and shown.decision is not None
    assert not shown.classes.isVisible()
    assert shown.horizon.isVisible()
    assert shown.decision.horizon == pytest.approx(shown.horizon.value(), rel=1e-3)
    shown.horizon.setValue(5.0)
    await driver.until(lambda: shown.decision is not None and shown.decision.horizon == 5.0, 60)
    assert "censored earlier" in shown.basis.text()
    shown.horizon.setValue(1e6)
    await driver.until(lambda: "must be between 0 and" in shown._found.words.text(), 60)
    assert all(name in view.key.text() for name in ("low risk", "high risk"))
    await predicts_at_times(driver)


async def predicts_at_times(driver: WindowDriver) -> None:
    """Predict survival of rows without an outcome after times of the user's, typed into the dialog."""
    rows = (driver.root / "patients.csv").read_text(encoding="utf-8").splitlines()
    new = driver.root / "new.csv"
    new.write_text("\n".join(row.rsplit(",", 2)[0] for row in rows[:21]) + "\n", encoding="utf-8")
    driver.child(QPushButton, "predictRows").click()
    dialog: PredictDialog = driver.child(QDialog, "predictDialog")
    await chooses(driver, dialog, new)
    assert dialog.form.isVisible()
    QTest.keyClick(dialog.times, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(dialog.times, "5; 12,5")
    QTest.keyClick(dialog.times, Qt.Key.Key_Return)
    await driver.until(lambda: dialog.made is not None and tuple(dialog.made.times) == (5.0, 12.5), 60)
    assert dialog.made is not None and len(dialog.made.rows) == 20
    assert dialog.times.text() == "5; 12.5"
    dialog.times.setText("soon")
    QTest.keyClick(dialog.times, Qt.Key.Key_Return)
    await driver.until(lambda: dialog.trouble.isVisible() and "not a list of times" in dialog.trouble.words.text(), 60)
    dialog.close_.click()
