"""Settings that are saved, loaded, kept as a preset, copied as a command, and found again."""

import pytest
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QLineEdit, QPushButton

from fsdesk.app.forms.setup import fitted
from fsdesk.engine import RunRequest
from fsdesk.results.settings_file import parsed_settings

from .conftest import WindowDriver
from .test_setup import a_setup, choose, click, said, write_ids


async def test_saved_settings_come_back_and_the_file_is_one_of_the_command_line(driver: WindowDriver) -> None:
    path = driver.root / "mine.toml"

    await driver.open_sample("wine")
    panel = driver.window.workspace.setup
    choose(driver, "method", "bga")
    panel.measure_form.put({"folds": 4, "criterion": "auto"})
    panel.seed.setValue(12)
    kept = panel.setup
    driver.window.settings_commands.save(path)
    await driver.until(path.exists)
    await driver.until(lambda: not driver.session.tasks.working)
    saved = parsed_settings(path.read_text(encoding="utf-8"), "it")
    assert (saved.method, saved.seed, saved.settings["folds"]) == ("bga", 12, 4)
    click(driver, "resetSettings")
    choose(driver, "method", "sfs")
    driver.window.open_path(path)  # as when it is dropped on the window
    await driver.until(lambda: 'Loaded "mine.toml"' in said(driver))
    assert panel.setup == kept
    assert "Method SFS → Genetic algorithm" in said(driver)
    (shown,) = [each for each in driver.window.messages.messages if "Loaded" in each.sentence]
    assert shown.timer.isActive()  # it is done: nobody need dismiss it
    assert shown.timer.interval() >= max(8000, 50 * len(shown.sentence))  # but read it one should
    driver.window.actions_["undo"].trigger()
    assert panel.method.currentData() == "sfs"


async def test_what_does_not_fit_is_said_and_the_rest_is_taken(driver: WindowDriver) -> None:
    path = driver.root / "other.toml"
    path.write_text(
        '[run]\nmethod = "sfs"\nwrapper = "oracle"\nalways = ["no such gene"]\n[measuring]\nfolds = 1\nrepeats = 3\n'
        "foolds = 4\n", encoding="utf-8",
    )  # fmt: skip

    await driver.open_sample("wine")
    panel = driver.window.workspace.setup
    driver.window.open_path(path)
    await driver.until(lambda: "Some settings" in said(driver))
    for words in ('no wrapper "oracle"', '"no such gene"', '"folds"', '"foolds"'):
        assert words in said(driver)
    assert panel.method.currentData() == "sfs"
    assert panel.wrapper.currentData() == "nn"
    assert panel.measure_form.values()["repeats"] == 3
    assert panel.measure_form.values()["folds"] == 5
    path.write_text("folds = ", encoding="utf-8")
    driver.window.open_path(path)
    await driver.until(lambda: "not a settings file" in said(driver))


async def test_an_own_preset_appears_in_the_list_and_takes_model_and_measuring_along(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    panel = driver.window.workspace.setup
    choose(driver, "wrapper", "nb")
    panel.measure_form.put({"folds": 3})
    driver.window.actions_["save_preset"].trigger()
    driver.child(QLineEdit, "presetName").setText("bad/name")
    assert not driver.child(QPushButton, "presetSave").isEnabled()
    driver.child(QLineEdit, "presetName").setText("Our lab")
    click(driver, "presetSave")
    assert panel.preset.currentText() == "Our lab"
    assert (driver.folders.settings / "presets" / "Our lab.toml").exists()
    click(driver, "resetSettings")
    choose(driver, "wrapper", "nn")
    assert panel.measure_form.values()["folds"] == 5
    choose(driver, "preset", "mine:Our lab")
    assert panel.wrapper.currentData() == "nb"
    assert panel.measure_form.values()["folds"] == 3
    assert not panel.measure_form.modified
    panel.search.menu.aboutToShow.emit()
    (remove,) = driver.child(QAction, "removePreset").menu().actions()
    remove.trigger()
    assert panel.preset.findData("mine:Our lab") < 0


async def test_the_copied_command_names_the_table_and_what_was_changed(driver: WindowDriver) -> None:
    path = write_ids(driver.root)
    driver.window.open_path(path)
    await driver.until(lambda: driver.session.loader.dataset is not None and not driver.session.tasks.working)
    driver.window.workspace.setup.measure_form.put({"folds": 3})
    driver.window.actions_["copy_command"].trigger()
    command = QGuiApplication.clipboard().text()
    assert command.startswith(f"fsdesk run {path} --target y --method bspsa --wrapper nn --seed 0")
    assert command.endswith("--set folds=3")


async def test_settings_that_were_not_run_are_back_when_the_table_is_opened_again(driver: WindowDriver) -> None:
    path = write_ids(driver.root)

    session, panel = driver.session, driver.window.workspace.setup
    driver.window.open_path(path)
    await driver.until(lambda: session.loader.dataset is not None and not session.tasks.working)
    panel.measure_form.put({"folds": 8})
    click(driver, "fix_keep")
    await driver.until(lambda: session.loader.dataset is not None and len(session.loader.dataset.features) == 2)
    driver.window.open_sample("wine")
    await driver.until(lambda: session.loader.key == "sample:wine" and session.loader.dataset is not None)
    click(driver, "resetSettings")
    assert panel.measure_form.values()["folds"] == 5
    driver.window.open_path(path)
    await driver.until(lambda: "Restored from your last session" in said(driver))
    assert "Folds 5 → 8" in said(driver)
    assert panel.measure_form.values()["folds"] == 8
    assert session.loader.dataset is not None
    assert session.loader.dataset.features == ("order", "x")
    assert not session.history.canUndo()


@pytest.mark.parametrize("name", ["a", "method.a"])
def test_a_loaded_file_counts_from_the_defaults_as_on_the_command_line(name: str) -> None:
    made, told = fitted(RunRequest(settings={name: 0.5}), a_setup(**{"measuring.folds": 9}), None)
    assert not told
    assert made.values["method.a"] == 0.5
    assert made.values["measuring.folds"] == 5
