"""Settings that are saved, loaded, kept as a preset, copied as a command, and found again."""

import pytest
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QLineEdit, QPushButton

from fsdesk.app.forms.setup import fitted
from fsdesk.engine import RunRequest
from fsdesk.results.settings_file import parsed_settings

from .conftest import Desk
from .test_setup import a_setup, choose, click, said, write_ids


def test_saved_settings_come_back_and_the_file_is_one_of_the_command_line(desk: Desk) -> None:
    path = desk.root / "mine.toml"

    async def scene() -> None:
        await desk.open_sample("wine")
        panel = desk.window.workspace.setup
        choose(desk, "method", "bga")
        panel.measure_form.put({"folds": 4, "criterion": "auto"})
        panel.seed.setValue(12)
        kept = panel.setup
        desk.window.settings_commands.save(path)
        await desk.until(path.exists)
        await desk.until(lambda: not desk.session.tasks.working)
        saved = parsed_settings(path.read_text(encoding="utf-8"), "it")
        assert (saved.method, saved.seed, saved.settings["folds"]) == ("bga", 12, 4)
        click(desk, "resetSettings")
        choose(desk, "method", "sfs")
        desk.window.open_path(path)  # as when it is dropped on the window
        await desk.until(lambda: 'Loaded "mine.toml"' in said(desk))
        assert panel.setup == kept
        assert "Method SFS → Genetic algorithm" in said(desk)
        (shown,) = [each for each in desk.window.messages.messages if "Loaded" in each.sentence]
        assert shown.timer.isActive()  # it is done: nobody need dismiss it
        assert shown.timer.interval() >= max(8000, 50 * len(shown.sentence))  # but read it one should
        desk.window.actions_["undo"].trigger()
        assert panel.method.currentData() == "sfs"

    desk.play(scene)


def test_what_does_not_fit_is_said_and_the_rest_is_taken(desk: Desk) -> None:
    path = desk.root / "other.toml"
    path.write_text(
        '[run]\nmethod = "sfs"\nwrapper = "oracle"\nalways = ["no such gene"]\n[measuring]\nfolds = 1\nrepeats = 3\n'
        "foolds = 4\n", encoding="utf-8",
    )  # fmt: skip

    async def scene() -> None:
        await desk.open_sample("wine")
        panel = desk.window.workspace.setup
        desk.window.open_path(path)
        await desk.until(lambda: "Not everything" in said(desk))
        for words in ('no wrapper "oracle"', '"no such gene"', '"folds"', '"foolds"'):
            assert words in said(desk)
        assert panel.method.currentData() == "sfs"
        assert panel.wrapper.currentData() == "nn"
        assert panel.measure_form.values()["repeats"] == 3
        assert panel.measure_form.values()["folds"] == 5
        path.write_text("folds = ", encoding="utf-8")
        desk.window.open_path(path)
        await desk.until(lambda: "no settings file" in said(desk))

    desk.play(scene)


def test_an_own_preset_appears_in_the_list_and_takes_model_and_measuring_along(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        panel = desk.window.workspace.setup
        choose(desk, "wrapper", "nb")
        panel.measure_form.put({"folds": 3})
        desk.window.actions_["save_preset"].trigger()
        desk.child(QLineEdit, "presetName").setText("bad/name")
        assert not desk.child(QPushButton, "presetSave").isEnabled()
        desk.child(QLineEdit, "presetName").setText("Our lab")
        click(desk, "presetSave")
        assert panel.preset.currentText() == "Our lab"
        assert (desk.folders.settings / "presets" / "Our lab.toml").exists()
        click(desk, "resetSettings")
        choose(desk, "wrapper", "nn")
        assert panel.measure_form.values()["folds"] == 5
        choose(desk, "preset", "mine:Our lab")
        assert panel.wrapper.currentData() == "nb"
        assert panel.measure_form.values()["folds"] == 3
        assert not panel.measure_form.modified
        panel.search.menu.aboutToShow.emit()
        (remove,) = desk.child(QAction, "removePreset").menu().actions()
        remove.trigger()
        assert panel.preset.findData("mine:Our lab") < 0

    desk.play(scene)


def test_the_copied_command_names_the_table_and_what_was_changed(desk: Desk) -> None:
    async def scene() -> None:
        path = write_ids(desk.root)
        desk.window.open_path(path)
        await desk.until(lambda: desk.session.loader.dataset is not None and not desk.session.tasks.working)
        desk.window.workspace.setup.measure_form.put({"folds": 3})
        desk.window.actions_["copy_command"].trigger()
        command = QGuiApplication.clipboard().text()
        assert command.startswith(f"fsdesk run {path} --target y --method bspsa --wrapper nn --seed 0")
        assert command.endswith("--set folds=3")

    desk.play(scene)


def test_settings_that_were_not_run_are_back_when_the_table_is_opened_again(desk: Desk) -> None:
    path = write_ids(desk.root)

    async def scene() -> None:
        session, panel = desk.session, desk.window.workspace.setup
        desk.window.open_path(path)
        await desk.until(lambda: session.loader.dataset is not None and not session.tasks.working)
        panel.measure_form.put({"folds": 8})
        click(desk, "fix_keep")
        await desk.until(lambda: session.loader.dataset is not None and len(session.loader.dataset.features) == 2)
        desk.window.open_sample("wine")
        await desk.until(lambda: session.loader.key == "sample:wine" and session.loader.dataset is not None)
        click(desk, "resetSettings")
        assert panel.measure_form.values()["folds"] == 5
        desk.window.open_path(path)
        await desk.until(lambda: "Back from your last session" in said(desk))
        assert "Folds 5 → 8" in said(desk)
        assert panel.measure_form.values()["folds"] == 8
        assert session.loader.dataset is not None
        assert session.loader.dataset.features == ("order", "x")
        assert not session.history.canUndo()

    desk.play(scene)


@pytest.mark.parametrize("name", ["a", "method.a"])
def test_a_loaded_file_counts_from_the_defaults_as_on_the_command_line(name: str) -> None:
    made, told = fitted(RunRequest(settings={name: 0.5}), a_setup(**{"measuring.folds": 9}), None)
    assert not told
    assert made.values["method.a"] == 0.5
    assert made.values["measuring.folds"] == 5
