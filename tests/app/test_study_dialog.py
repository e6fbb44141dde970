"""A study by click: its plan from a file, started, stopped, gone on with, its tables and its runs."""

from pathlib import Path

from PySide6.QtWidgets import QDialog

from fsdesk.app.forms.study_dialog import StudyDialog
from fsdesk.results.study import EXAMPLE, plan_toml, read_plan, study

from .conftest import WindowDriver

PLAN = """
tables = ["sample:wine", { file = "sample:breast_cancer" }]
methods = ["random", "full", "bspsa"]
seeds = [0]
outer = 2
[settings]
repeats = 1
[settings.random]
max_measurements = 10
[settings.bspsa]
max_iterations = 5
"""


def dialog_of(driver: WindowDriver) -> StudyDialog:
    driver.window.actions_["study"].trigger()
    dialog: StudyDialog = driver.child(QDialog, "studyDialog")
    return dialog


async def test_a_study_is_stopped_goes_on_and_ends_with_the_tables_of_the_api(
    driver: WindowDriver, tmp_path: Path
) -> None:
    file, out = tmp_path / "plan.toml", tmp_path / "out"
    file.write_text(PLAN, encoding="utf-8")
    dialog, studies = dialog_of(driver), driver.session.studies
    assert not dialog.start.isEnabled()
    dialog.load(str(file))
    assert dialog.plan == read_plan(file)[0]
    assert "repeats = 1" in dialog.others.text() and dialog.words.text().startswith("6 runs")
    dialog.out.setText(str(out))
    dialog.start.click()
    assert studies.at_work and dialog.stop.isVisible() and not dialog.start.isVisible()
    await driver.until(lambda: studies.progress is not None and studies.progress.done >= 1)
    assert " of 6 runs done" in dialog.words.text()
    dialog.stop.click()
    await driver.until(lambda: not studies.at_work)
    assert studies.done is not None or dialog.start.text() == "Resume"
    dialog.start.click()
    await driver.until(lambda: not studies.at_work and dialog.parts.currentIndex() == 1)
    assert dialog.tables_page.toPlainText().count("wine") >= 1 and "Nadeau" in dialog.tables_page.toPlainText()
    for name in ("tables.html", "tables.csv", "tables.tex", "tables.xlsx"):
        assert (out / name).is_file()
    again = study(file, out)  # nothing is missing: the same runs
    assert not again.stopped and len(again.comparison.rows) == 3
    dialog.runs.click()
    await driver.until(lambda: len(list(driver.session.runs)) == 6 and not driver.session.tasks.working)
    assert driver.window.workspace.pages.currentWidget() is driver.window.workspace.compare


async def test_the_example_is_one_click_and_a_plan_is_saved_as_it_was_read(
    driver: WindowDriver, tmp_path: Path
) -> None:
    dialog = dialog_of(driver)
    dialog.example.click()
    plan = dialog.plan
    assert plan is not None and plan == read_plan(EXAMPLE)[0]
    file = tmp_path / "saved.toml"
    file.write_text(plan_toml(plan), encoding="utf-8")
    assert read_plan(file)[0] == plan
    dialog.seeds.setText("0, x")
    assert not dialog.start.isEnabled() and "enter seeds such as" in dialog.words.text()
    dialog.reject()


async def test_a_study_that_cannot_be_carried_out_says_why(driver: WindowDriver, tmp_path: Path) -> None:
    dialog = dialog_of(driver)
    dialog.add_table(str(tmp_path / "nowhere.csv"))
    dialog.out.setText(str(tmp_path / "out"))
    dialog.start.click()
    await driver.until(lambda: not driver.session.studies.at_work)
    assert "nowhere.csv" in dialog.words.text()
    dialog.reject()
