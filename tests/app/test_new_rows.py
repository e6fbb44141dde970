"""Another table and a finished run: its rows predicted, and the answer tested on it, by click."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QPushButton

from fsdesk.app.result_page.new_rows import PredictDialog, ValidateDialog, _other_class_words
from fsdesk.app.session.run import Run
from fsdesk.app.widgets import Choice
from fsdesk.data import Dataset
from fsdesk.results.new_rows import Predictions, predict, validate
from fsdesk.results.record import RunRecord

from .conftest import WindowDriver
from .test_result_page import found, run_in


def written(driver: WindowDriver, name: str, *, without: str = "") -> Path:
    """The rows of the open data set with some noise, as a file, without one column."""
    dataset = driver.session.loader.dataset
    assert dataset is not None
    noise = np.random.default_rng(0).normal(size=dataset.x.shape) * dataset.x.std(axis=0) / 2
    names = [*dataset.features, "patient", dataset.target_name]
    lines = [",".join(name for name in names if name != without)]
    for number, (row, code) in enumerate(zip(dataset.x + noise, dataset.target, strict=True)):
        cells = [*(f"{value:.5f}" for value in row), f"p{number // 2}", dataset.classes[code]]
        lines.append(",".join(cell for name, cell in zip(names, cells, strict=True) if name != without))
    path = driver.root / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def stored(driver: WindowDriver, run: Run) -> tuple[RunRecord, Dataset]:
    project = driver.session.project
    assert project is not None
    return RunRecord.stored(project, run.id), project.dataset(run.spec.data_fingerprint)


async def chooses(driver: WindowDriver, dialog: PredictDialog | ValidateDialog, path: Path) -> None:
    """Click on the button and type the name of a file, as a person does."""
    dialog.choose.click()
    asked = driver.child(QDialog, "otherTable")
    asked.findChild(QLineEdit, "fileNameEdit").setText(str(path))
    asked.accept()
    await driver.until(lambda: dialog.path == path and dialog.bar.isHidden() and not driver.session.tasks.working)


async def test_new_rows_are_predicted_as_by_the_api_and_saved_to_the_last_digit(run_driver: WindowDriver) -> None:
    target = run_driver.session.loader.dataset.target_name  # type: ignore[union-attr]
    path = written(run_driver, "new.csv", without=target)
    run_driver.child(QPushButton, "predictRows").click()
    dialog: PredictDialog = run_driver.child(QDialog, "predictDialog")
    assert not dialog.save.isEnabled() and not dialog.view.isVisible()
    await chooses(run_driver, dialog, path)
    expected = predict(*stored(run_driver, run_in(run_driver)), path)
    assert dialog.made is not None and dialog.made.to_csv() == expected.to_csv()
    assert dialog.notes.text().startswith("178 rows predicted.")
    # Rows that chose the features cannot calibrate; none were held out from this run.
    assert (
        "are not calibrated (no rows were held out" in dialog.notes.text()
        and "outside the training range" in dialog.notes.text()
    )
    model = dialog.view.model()
    assert model.rowCount() == 178
    titles = list(model.titles())  # type: ignore[attr-defined]
    assert titles[:3] == ["Row", "Predicted", "Probability"] and titles[-4:-2] == ["Distance", "Farther than"]
    assert [model.index(row, 1).data() for row in range(178)] == expected.predicted.tolist()
    dialog.save.click()
    file = run_driver.child(QDialog, "save_predictions")
    file.findChild(QLineEdit, "fileNameEdit").setText(str(run_driver.root / "said.csv"))
    file.accept()
    await run_driver.until(lambda: "said.csv" in dialog.file.text() and not run_driver.session.tasks.working)
    assert (run_driver.root / "said.csv").read_text(encoding="utf-8") == expected.to_csv()
    dialog.close_.click()


def test_a_predicted_class_that_is_not_the_most_probable_is_explained() -> None:
    nothing = np.zeros(3)
    made = Predictions(
        rows=("1", "2", "3"), predicted=np.array(["ill", "well", "ill"]), classes=("ill", "well"),
        probabilities=np.array([[0.7, 0.3], [0.2, 0.8], [0.49, 0.51]]), calibrated=True, calibration="",
        distances=nothing, farther=nothing, outside=nothing.astype(int), filled=nothing.astype(int), notes=(),
    )  # fmt: skip
    assert _other_class_words(made).startswith("In 1 row, the predicted class is not the most probable one")
    assert _other_class_words(replace(made, predicted=np.array(["ill", "well", "well"]))) == ""
    assert _other_class_words(replace(made, probabilities=None)) == ""
    coded = replace(made, predicted=np.array([1, 2, 1]), labels=(1, 2))
    assert _other_class_words(coded).startswith("In 1 row,")


async def test_what_is_in_doubt_about_another_table_is_said(run_driver: WindowDriver) -> None:
    path = written(run_driver, "new.csv")
    lines = path.read_text(encoding="utf-8").splitlines()
    for row in (3, 40, 90):
        lines[row] = ",".join(["-999", *lines[row].split(",")[1:]])
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    run_driver.child(QPushButton, "predictRows").click()
    dialog: PredictDialog = run_driver.child(QDialog, "predictDialog")
    await chooses(run_driver, dialog, path)
    said = dialog.trouble.words.text()
    assert "-999 in" in said and "treated as a missing value" in said
    assert dialog.made is not None
    dialog.close_.click()


async def test_a_table_that_lacks_a_selected_feature_is_refused_by_its_name_and_another_may_be_chosen(
    run_driver: WindowDriver,
) -> None:
    run = run_in(run_driver)
    best = run.state.best
    assert best is not None
    lacking = run.state.features[int(np.flatnonzero(best.mask)[0])]
    bad, good = written(run_driver, "bad.csv", without=lacking), written(run_driver, "good.csv")
    run_driver.child(QPushButton, "predictRows").click()
    dialog: PredictDialog = run_driver.child(QDialog, "predictDialog")
    await chooses(run_driver, dialog, bad)
    assert dialog.trouble.isVisible() and f'"{lacking}"' in dialog.trouble.words.text()
    assert dialog.made is None and not dialog.save.isEnabled()
    await chooses(run_driver, dialog, good)
    assert not dialog.trouble.isVisible() and dialog.save.isEnabled()
    dialog.close_.click()


async def test_the_answer_is_tested_on_a_second_table_beside_the_error_of_the_run(driver: WindowDriver) -> None:
    run = await found(driver)
    driver.child(QPushButton, "measureResult").click()
    await driver.until(lambda: run.honest is not None and run.validation is None)
    path = written(driver, "second.csv")
    driver.child(QPushButton, "testSecond").click()
    dialog: ValidateDialog = driver.child(QDialog, "validateDialog")
    await chooses(driver, dialog, path)
    expected = validate(*stored(driver, run), path)
    assert dialog.made is not None and dialog.made.error == expected.error
    assert stored(driver, run)[0].external == (dialog.made,)  # kept with the run
    own = run.honest
    assert own is not None
    assert dialog.view.found.text() == expected.sentence()
    assert f"On wine: {own.sentence()}" in dialog.view.notes.text()
    assert "13 of 13 features are in both tables." in dialog.view.notes.text()
    shown = {each.name: each for each in dialog.view.plot.shown}
    first, last = shown["second: selected features"], shown["wine: held-out rows"]
    assert expected.error.low is not None and own.high is not None
    assert first.value == 100 * expected.error.value and first.low == 100 * expected.error.low
    assert last.value == 100 * own.value and last.high == 100 * own.high
    assert "second: all features" in shown
    dialog.group.setCurrentIndex(dialog.group.findData("patient"))
    dialog.test.click()
    await driver.until(lambda: dialog.made is not None and dialog.made.error.blocks == 89)
    await driver.until(lambda: not driver.session.tasks.working)
    dialog.close_.click()


async def test_a_test_on_a_second_table_is_shown_with_the_run_when_the_project_is_opened_again(
    driver: WindowDriver,
) -> None:
    await found(driver)
    path = written(driver, "second.csv")
    said = driver.child(QLabel, "resultExternal")
    evidence = driver.child(Choice, "evidence")
    assert not said.isVisible() and "external" not in evidence.offered
    driver.child(QPushButton, "testSecond").click()
    dialog: ValidateDialog = driver.child(QDialog, "validateDialog")
    await chooses(driver, dialog, path)
    words, notes = dialog.view.found.text(), dialog.view.notes.text()
    dialog.close_.click()
    await driver.until(lambda: said.isVisible() and not driver.session.tasks.working)
    assert said.text() == words
    assert evidence.currentData() != "external" and evidence.offered[-1] == "external"
    project = driver.session.project
    assert project is not None
    await driver.session.open_project(project.path)
    driver.child(QPushButton, "page_result").click()
    await driver.until(said.isVisible)
    assert said.text() == words
    evidence.setCurrentIndex(evidence.findData("external"))
    evidence.activated.emit(evidence.currentIndex())
    assert driver.child(QLabel, "external_found").isVisible()
    assert driver.child(QLabel, "external_found").text() == words
    assert driver.child(QLabel, "external_notes").text() == notes


async def test_a_second_table_whose_target_has_another_name_is_tested_once_that_is_chosen(
    run_driver: WindowDriver,
) -> None:
    path = written(run_driver, "second.csv")
    target = run_driver.session.loader.dataset.target_name  # type: ignore[union-attr]
    path.write_text(path.read_text(encoding="utf-8").replace(target, "vintner", 1), encoding="utf-8")
    run_driver.child(QPushButton, "testSecond").click()
    dialog: ValidateDialog = run_driver.child(QDialog, "validateDialog")
    await chooses(run_driver, dialog, path)
    assert f'no column "{target}"' in dialog.trouble.words.text() and dialog.form.isVisible()
    dialog.target.setCurrentIndex(dialog.target.findData("vintner"))
    dialog.test.click()
    await run_driver.until(lambda: dialog.made is not None and not run_driver.session.tasks.working)
    assert not dialog.trouble.isVisible()
    dialog.close_.click()
