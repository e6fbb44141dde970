"""The export dialog by click: what it offers, remembers, writes and says."""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QLocale, QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QLineEdit, QProgressBar, QPushButton, QWidget

from fsdesk.app.dialogs.export import ExportDialog, export_run
from fsdesk.app.style import Theme
from fsdesk.app.translation import use_language
from fsdesk.engine import RunRequest
from fsdesk.results.exports import EXPORTS, STANDARD, Export
from fsdesk.results.sealed import opened
from fsdesk.results.sealing import Signature, Signer, key_file
from fsdesk.results.tasks import Written

from .conftest import WindowDriver
from .test_run import run_to_the_end


@pytest.fixture
def store(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "dialog.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def owner(qapp: QApplication) -> Iterator[QWidget]:
    made = QWidget()
    yield made
    made.deleteLater()


def checked(dialog: ExportDialog) -> set[str]:
    return {name for name, box in dialog.boxes.items() if box.isChecked()}


def test_every_export_has_a_box_a_line_of_explanation_and_a_name_to_speak(
    owner: QWidget, store: QSettings, tmp_path: Path
) -> None:
    dialog = ExportDialog(owner, "wine", tmp_path, store, tuple(EXPORTS))
    texts = {each.text() for each in dialog.findChildren(QLabel)}
    for each in EXPORTS.values():
        assert {each.group, each.title, f"{each.help}."} <= texts
        box = dialog.boxes[each.name]
        assert box.isEnabled()
        assert box.accessibleName().startswith(f"{each.title} as {box.text()}")
    assert checked(dialog) == set(STANDARD)


def test_what_a_run_has_not_cannot_be_chosen(owner: QWidget, store: QSettings, tmp_path: Path) -> None:
    dialog = ExportDialog(owner, "wine", tmp_path, store, [name for name in EXPORTS if name != "mask.csv"])
    assert not dialog.boxes["mask.csv"].isEnabled()
    assert checked(dialog) == set(STANDARD) - {"mask.csv"}


def test_an_absent_library_is_said_in_the_dialog(
    owner: QWidget, store: QSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Export("table.parquet", "Table", "Reduced table", "As Parquet", lambda *_: b"", library="no_such_library")
    monkeypatch.setitem(EXPORTS, "table.parquet", made)
    dialog = ExportDialog(owner, "wine", tmp_path, store, STANDARD)
    assert any("Install it with: pip install" in each.text() for each in dialog.findChildren(QLabel))
    monkeypatch.setattr(sys, "frozen", True, raising=False)  # the program of an installer has no pip
    dialog = ExportDialog(owner, "wine", tmp_path, store, STANDARD)
    said = [each.text() for each in dialog.findChildren(QLabel) if "no_such_library" in each.text()]
    assert len(said) == 1
    assert said[0].endswith("which is not included in this program. Choose another format.")


def test_the_choice_is_remembered(owner: QWidget, store: QSettings, tmp_path: Path) -> None:
    dialog = ExportDialog(owner, "wine", tmp_path, store, tuple(EXPORTS))
    for name in STANDARD:
        dialog.boxes[name].click()
    assert not dialog.ok.isEnabled()  # nothing is chosen
    dialog.boxes["table.xlsx"].click()
    dialog.boxes["heatmap.pdf"].click()
    dialog.ok.click()
    assert checked(ExportDialog(owner, "wine", tmp_path, store, tuple(EXPORTS))) == {"table.xlsx", "heatmap.pdf"}


def test_only_bundles_are_signed_and_the_name_is_remembered(owner: QWidget, store: QSettings, tmp_path: Path) -> None:
    dialog = ExportDialog(owner, "wine", tmp_path, store, tuple(EXPORTS))
    assert not dialog.sign.isEnabled()
    assert dialog.sign_as() is None
    dialog.boxes["bundle.zip"].click()
    assert dialog.sign.isEnabled()
    assert not dialog.signer.isEnabled()
    dialog.sign.click()
    assert dialog.sign_as() == ""
    QTest.keyClicks(dialog.signer, " Ada ")
    assert dialog.sign_as() == "Ada"
    dialog.ok.click()
    again = ExportDialog(owner, "wine", tmp_path, store, tuple(EXPORTS))
    assert again.sign_as() == "Ada"
    again.boxes["bundle.zip"].click()
    assert again.sign_as() is None


def test_no_folder_no_export(owner: QWidget, store: QSettings, tmp_path: Path) -> None:
    dialog = ExportDialog(owner, "wine", tmp_path, store, tuple(EXPORTS))
    dialog.folder.clear()
    assert not dialog.ok.isEnabled()
    QTest.keyClicks(dialog.folder, "results")
    assert dialog.ok.isEnabled()


def test_while_it_writes_it_says_how_far_it_is(owner: QWidget, store: QSettings, tmp_path: Path) -> None:
    dialog = ExportDialog(owner, "wine", tmp_path, store, tuple(EXPORTS))
    dialog.show()
    dialog.ok.click()
    assert not dialog.ok.isEnabled()
    assert dialog.words.text() == "0 of 4 files written"
    dialog.show_progress(Written(3, 4))
    assert dialog.words.text() == "3 of 4 files written"
    assert (dialog.bar.value(), dialog.bar.maximum()) == (3, 4)
    assert dialog.bar.isVisible()
    dialog.close()


async def found(driver: WindowDriver) -> None:
    """A short search on the wine sample."""
    await driver.open_sample("wine")
    settings = {"method.max_iterations": 5, "measuring.repeats": 1}
    await driver.session.run(RunRequest(method="bspsa", settings=settings, outer=0))
    run = next(iter(driver.session.runs))
    await driver.until(lambda: run.phase == "finished")
    await driver.until(lambda: driver.window.actions_["export"].isEnabled())


async def test_a_bundle_is_signed_with_the_key_in_the_folder_of_settings(run_driver: WindowDriver) -> None:
    (run,) = run_driver.session.runs
    await export_run(run_driver.session, run, run_driver.root / "out", ["bundle.zip"], sign_as="Ada")
    signer = Signer.of_user("", key_file(run_driver.session.folders.settings))
    sealed = opened(run_driver.root / "out" / "bundle.zip")
    assert sealed.signature is not None
    signature = Signature.read(sealed.signature, sealed.manifest)
    assert (signature.name, signature.fingerprint, signature.holds) == ("Ada", signer.fingerprint, True)


def test_figures_and_tables_are_written_by_a_worker_and_the_window_says_where(driver: WindowDriver) -> None:
    target = driver.root / "taken home"
    wanted = {"table.csv", "mask.npy", "heatmap.png", "settings.toml", "reproduce.py"}

    async def scene() -> None:
        await found(driver)
        driver.window.actions_["export"].trigger()
        for name in STANDARD:
            driver.child(QCheckBox, f"export_{name}").click()
        for name in wanted:
            driver.child(QCheckBox, f"export_{name}").click()
        driver.child(QLineEdit, "exportFolder").setText(str(target))
        progress = driver.child(QProgressBar, "exportProgress")
        seen: list[int] = []
        progress.valueChanged.connect(seen.append)
        driver.child(QPushButton, "exportNow").click()
        await driver.until(lambda: any(each.role == "success" for each in driver.window.messages.messages))
        (said,) = (each.sentence for each in driver.window.messages.messages if each.role == "success")
        assert str(target) in said
        assert all(name in said for name in wanted)
        assert max(seen) == len(wanted)
        await driver.until(lambda: not driver.window.findChildren(ExportDialog))

    driver.play(scene)
    assert {path.name for path in target.iterdir()} == wanted
    (run,) = driver.session.runs
    assert run.state.best is not None
    assert np.array_equal(np.load(target / "mask.npy"), run.state.best.mask)


def test_the_report_is_in_the_language_of_the_window(driver: WindowDriver, german: None) -> None:
    async def scene() -> None:
        await driver.open_sample("wine")
        await run_to_the_end(driver, 3)
        run = next(iter(driver.session.runs))
        await export_run(driver.session, run, driver.root / "out", ["report.html", "curve.svg", "methods.txt"])

    driver.play(scene)
    page = (driver.root / "out" / "report.html").read_text(encoding="utf-8")
    assert '<html lang="de">' in page
    assert "Die ausgewählten Merkmale in den Daten" in page
    assert "gleitender Mittelwert" in (driver.root / "out" / "curve.svg").read_text(encoding="utf-8")
    assert "Features were selected" in (driver.root / "out" / "methods.txt").read_text(encoding="utf-8")


async def test_a_dialog_that_was_hidden_does_not_stop_the_writing(run_driver: WindowDriver) -> None:
    target = run_driver.root / "taken home"
    run_driver.window.actions_["export"].trigger()
    run_driver.child(QLineEdit, "exportFolder").setText(str(target))
    run_driver.child(QPushButton, "exportNow").click()
    run_driver.child(QPushButton, "exportCancel").click()
    await run_driver.until(lambda: any(each.role == "success" for each in run_driver.window.messages.messages))
    assert {path.name for path in target.iterdir()} == set(STANDARD)


async def test_a_folder_that_cannot_be_made_is_one_sentence(run_driver: WindowDriver) -> None:
    (run_driver.root / "file").write_text("", encoding="utf-8")
    run_driver.window.actions_["export"].trigger()
    run_driver.child(QLineEdit, "exportFolder").setText(str(run_driver.root / "file" / "out"))
    run_driver.child(QPushButton, "exportNow").click()
    await run_driver.until(lambda: any(each.role == "error" for each in run_driver.window.messages.messages))
    (said,) = (each.sentence for each in run_driver.window.messages.messages if each.role == "error")
    assert said.startswith("Cannot write ")
    assert said.endswith("Choose another folder.")


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_language_makes_the_choices_so_wide_that_they_scroll_sideways(
    owner: QWidget, store: QSettings, tmp_path: Path, language: str
) -> None:
    use_language(language)
    theme = Theme(store)
    theme.apply()
    owner.setStyleSheet(theme.sheet)  # its letters are what takes the room
    try:
        dialog = ExportDialog(owner, "wine", tmp_path, store, tuple(EXPORTS))
        dialog.show()
        assert dialog.width() <= dialog.screen().availableGeometry().width()
        dialog.resize(940, dialog.height())  # what it takes where the screen has that
        QApplication.processEvents()
        assert dialog.choices.horizontalScrollBar().maximum() == 0
        dialog.reject()
    finally:
        use_language("en")
        QLocale.setDefault(QLocale.c())
