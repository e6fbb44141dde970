"""Opening tables and samples, and what is shown then."""

import gc
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QImage
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QLineEdit,
    QPushButton,
    QTableView,
    QToolButton,
    QWidget,
)

from fsdesk.app.data_page.checks import informs
from fsdesk.app.workspace import PAGES
from fsdesk.data.options import CELLS

from .conftest import WindowDriver
from .test_run import run_to_the_end

CONTROLS = (QPushButton, QToolButton, QComboBox, QLineEdit, QTableView, QCheckBox)


def write_table(folder: Path, name: str = "small.csv", rows: int = 40) -> Path:
    cells = (
        f"{row % 7},{'red' if row % 3 else 'blue'},{row * 17 % 11},{'a' if row % 2 else 'b'}" for row in range(rows)
    )
    lines = ["height,colour,useless,kind", *cells]
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


async def test_a_click_on_a_sample_shows_it_ready_to_run(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    assert driver.session.loader.dataset is not None
    assert driver.session.loader.dataset.x.shape == (178, 13)  # the wine data of the UCI repository
    workspace = driver.window.workspace
    assert driver.window.stack.currentWidget() is workspace
    assert workspace.data.preview_model.rowCount() == 178
    assert workspace.data.preview_model.columnCount() == 14
    assert workspace.setup.data.target.currentText() == "grower"
    assert workspace.run.isEnabled()
    assert "3,001" in workspace.setup.most.text()


async def test_a_sample_opens_by_its_name_as_a_file_does_and_a_wrong_name_lists_them(driver: WindowDriver) -> None:
    driver.window.open_path(Path("sample:wine"))
    await driver.until(lambda: driver.session.loader.dataset is not None)
    assert driver.session.loader.key == "sample:wine"
    driver.window.open_path(Path("sample:iris"))
    await driver.until(lambda: any("no sample" in each.sentence for each in driver.window.messages.messages))
    (said,) = (each.sentence for each in driver.window.messages.messages if "no sample" in each.sentence)
    assert "genes" in said


async def test_a_dropped_file_is_opened_and_remembered(driver: WindowDriver) -> None:
    path = write_table(driver.root)

    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    driver.window.dropEvent(
        QDropEvent(QPointF(QPoint(9, 9)), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
                   Qt.KeyboardModifier.NoModifier)
    )  # fmt: skip
    await driver.until(lambda: driver.session.loader.dataset is not None)
    assert driver.session.recent.paths() == [path]
    assert driver.session.loader.dataset is not None
    assert driver.session.loader.dataset.features == ("height", "colour", "useless")


async def test_a_wrong_file_gives_one_sentence_in_the_message_bar(driver: WindowDriver) -> None:
    files = {
        "empty.csv": b"",
        "junk.csv": bytes(range(256)) * 40,
        "broken.fsdesk": b"SQLite format 3\0" + b"\0" * 50,
        "nowhere.csv": None,
    }
    for name, content in files.items():
        path = driver.root / name
        if content is not None:
            path.write_bytes(content)
        driver.window.open_path(path)
        await driver.until(lambda: driver.window.messages.messages)
        (message,) = driver.window.messages.messages
        assert message.role == "error"
        assert name in message.sentence
        assert "Traceback" not in message.sentence
        assert "Something went wrong" not in message.sentence
        assert driver.window.messages.isVisible()
        message.findChild(QPushButton, "messageClose").click()
        assert not driver.window.messages.isVisible()


async def test_unticking_a_column_leaves_it_out_of_the_data_set(driver: WindowDriver) -> None:
    path = write_table(driver.root)

    driver.window.open_path(path)
    await driver.until(lambda: driver.session.loader.dataset is not None)
    model = driver.window.workspace.data.columns_model
    await driver.until(lambda: model.rowCount() == 4)
    assert model.setData(model.index(2, 0), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    await driver.until(
        lambda: driver.session.loader.dataset is not None and len(driver.session.loader.dataset.features) == 2
    )
    assert driver.session.loader.dataset is not None
    assert driver.session.loader.dataset.features == ("height", "colour")


async def test_another_target_gives_another_data_set(driver: WindowDriver) -> None:
    path = write_table(driver.root)

    driver.window.open_path(path)
    await driver.until(lambda: driver.session.loader.dataset is not None)
    box = driver.window.workspace.setup.data.target
    box.setCurrentText("colour")
    box.activated.emit(box.currentIndex())
    await driver.until(lambda: driver.session.loader.dataset and driver.session.loader.dataset.target_name == "colour")
    assert driver.session.loader.dataset is not None
    assert set(driver.session.loader.dataset.classes) == {"red", "blue"}


async def test_every_control_has_a_name_for_tests_and_one_for_screen_readers(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    driver.make_pages()
    for kind in CONTROLS:
        for control in driver.window.findChildren(kind):
            if control.objectName().startswith("qt_") or isinstance(control.parent(), CONTROLS):
                continue  # Qt's own parts of a control
            assert control.objectName(), f"{kind.__name__} without a name in {control.parent()}"
            assert control.accessibleName() or control.text(), control.objectName()


async def test_light_and_dark_can_be_chosen_and_are_remembered(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    for action in driver.window.actions_.themes.actions():
        if action.data() == "dark":
            action.trigger()
    assert driver.theme.tokens.mode == "dark"
    assert driver.store.value("view/theme") == "dark"
    dark = driver.theme.tokens.surface
    assert driver.child(QWidget, "gainCurve").backgroundBrush().color().name() == dark
    assert _ground(driver.window.workspace.data.table_card) == dark
    driver.window.show_page("compare")
    assert _ground(driver.window.workspace.compare.card) == dark
    driver.theme.choose("light")
    assert _ground(driver.window.workspace.compare.card) == driver.theme.tokens.surface


async def test_the_cross_of_a_message_is_drawn_in_the_colours_of_the_theme(driver: WindowDriver) -> None:
    driver.theme.choose("light")
    driver.window.messages.say("info", "Something happened.")
    cross = driver.child(QPushButton, "messageClose")
    light = cross.icon().pixmap(16, 16).toImage()
    driver.theme.choose("dark")
    dark = cross.icon().pixmap(16, 16).toImage()

    def lightness(image: QImage) -> float:
        pixels = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
        return max(pixel.lightnessF() for pixel in pixels if pixel.alpha() > 100)

    assert lightness(dark) > 0.55 > lightness(light)
    driver.theme.choose("light")


async def test_every_dialog_has_the_look_of_the_theme(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    for name in ("help", "keys", "about", "many", "save_preset"):
        driver.window.actions_[name].trigger()
        (shown,) = (each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog) and each.isVisible())
        assert _ground(shown) == driver.theme.tokens.surface, name
        shown.reject()
    workspace = driver.window.workspace
    for parent in (workspace, *map(workspace.page, PAGES), workspace.result.answer, driver.window):
        dialog = QDialog(parent)
        dialog.open()
        assert dialog.style().metaObject().className() == "QStyleSheetStyle", parent
        dialog.reject()
        dialog.deleteLater()


def _ground(widget: QWidget) -> str:
    return widget.grab().toImage().pixelColor(widget.width() // 2, 6).name()


async def test_a_narrow_window_gives_the_page_its_room_and_the_settings_on_request(driver: WindowDriver) -> None:
    driver.window.resize(960, 520)
    await driver.open_sample("wine")
    workspace, rail = driver.window.workspace, driver.window.actions_["rail"]
    assert not workspace.setup.isVisible()
    assert not rail.isChecked()
    rail.trigger()
    assert workspace.setup.isVisible()
    assert not workspace.data.side.isVisible()
    driver.window.resize(1400, 800)
    await driver.until(lambda: workspace.setup.isVisible() and workspace.data.side.isVisible())


def test_the_window_is_never_larger_than_the_screen(another_driver: Callable[[], WindowDriver], tmp_path: Path) -> None:
    first = another_driver()
    room = first.window.screen().availableGeometry()
    assert first.window.width() <= room.width() - 16
    assert first.window.height() <= room.height() - 48
    first.window.resize(4000, 3000)
    first.store.setValue("window/geometry", first.window.saveGeometry())
    first.store.sync()
    (tmp_path / "driver1").mkdir()
    shutil.copy(first.root / "settings.ini", tmp_path / "driver1" / "settings.ini")
    assert room.contains(another_driver().window.geometry())


async def test_unfinished_work_is_first_among_the_recent_and_named_without_its_suffix(driver: WindowDriver) -> None:
    path = write_table(driver.root)

    await driver.open_sample("wine")
    driver.window.workspace.setup.method_form.put({"max_iterations": 100_000, "stall_limit": 100_000})
    driver.child(QPushButton, "runButton").click()
    await driver.until(lambda: driver.session.project is not None and len(list(driver.session.runs)) == 1)
    assert driver.session.project is not None
    project = driver.session.project.path
    driver.window.open_path(path)
    driver.child(QPushButton, "whereAdd").click()
    await driver.until(lambda: driver.session.recent.paths()[0] == path)
    await driver.until(
        lambda: driver.session.loader.dataset is not None and driver.session.loader.dataset.name != "wine"
    )
    run = driver.window.run_commands.shown
    assert run is not None
    driver.window.actions_["stop"].trigger()
    await driver.until(lambda: run.phase == "stopped")
    assert driver.window.actions_["pause"].iconText() == f"Resume {run.spec.data_name}"
    assert driver.session.loader.dataset is not None
    title = driver.window.windowTitle()
    assert title.startswith(f"{driver.session.loader.dataset.name} – {project.stem}")
    await driver.session.leave_project()
    assert driver.session.recent.paths()[0] == project
    driver.window.go_back()
    first = driver.window.welcome.recent.rows[0]
    assert first.accessibleName().startswith(f"{project.stem}: ")


async def test_a_project_that_was_given_a_name_is_among_the_recent_once(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    await run_to_the_end(driver, 3)
    await driver.until(lambda: not driver.session.tasks.working)
    recent, kept = driver.session.recent, driver.root / "kept.fsdesk"
    assert len(recent.paths()) == 1
    await driver.session.save_as(kept)
    assert [file.path for file in recent.files()] == [kept]
    again = driver.root / "again.fsdesk"
    await driver.session.save_as(again)  # both have names: both are kept
    assert recent.paths() == [again, kept]


async def test_saving_before_the_first_run_leaves_one_project_among_the_recent(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    await driver.session.save_as(driver.root / "kept.fsdesk")
    assert driver.session.recent.paths() == [driver.root / "kept.fsdesk"]


async def test_only_the_reading_settings_of_the_kind_of_file_are_shown(driver: WindowDriver) -> None:
    arff = driver.root / "small.arff"
    rows = [f"{row % 7},{'a' if row % 2 else 'b'}" for row in range(40)]
    head = ["@relation small", "@attribute height numeric", "@attribute kind {a,b}", "@data"]
    arff.write_text("\n".join([*head, *rows]) + "\n", encoding="utf-8")
    csv = write_table(driver.root)

    def shown() -> set[str]:
        fields = driver.window.workspace.data.form.fields
        return {name for name, field in fields.items() if not field.widget.isHidden()}

    form = driver.window.workspace.data.form
    driver.window.open_path(csv)
    await driver.until(lambda: driver.session.loader.dataset is not None)
    assert shown() == {"delimiter", "decimal", "encoding", "header", "orientation", "labels", "row_ids"}
    driver.child(QPushButton, "moreReading").click()
    assert shown() == set(form.fields) - {"sheet", "hidden", "part"}
    driver.window.open_path(arff)
    await driver.until(lambda: driver.session.loader.path == arff and driver.session.loader.dataset is not None)
    assert shown() == {
        "encoding",
        "labels",
        "labels_by",
        *CELLS,
    }  # missing values and others count in typed formats, too
    driver.child(QPushButton, "moreReading").click()
    assert shown() == {"encoding", "labels"}


def test_what_only_informs_has_no_warning_sign() -> None:
    assert all(informs(kind) for kind in ("row ids", "labels", "encoding"))
    assert not any(informs(kind) for kind in ("duplicated row ids", "missing values", "tiny classes"))


async def test_dialogs_for_files_fit_the_screen(driver: WindowDriver) -> None:
    """The screen of the tests is 800 x 800: a list of all suffixes is wider, and Qt's own dialog was higher."""
    dialogs: list[QFileDialog] = []

    driver.window.ask_open()
    await driver.until(lambda: driver.child(QFileDialog, "fileDialog").isVisible())
    dialogs.append(driver.child(QFileDialog, "fileDialog"))
    room = dialogs[0].screen().availableGeometry().size()
    assert dialogs[0].size().boundedTo(room) == dialogs[0].size()
    assert dialogs[0].sizeHint().width() <= room.width()
    assert all(each.width() >= each.iconSize().width() for each in dialogs[0].findChildren(QToolButton))
    dialogs[0].reject()


async def test_files_for_the_workers_go_when_nothing_needs_them(driver: WindowDriver) -> None:
    loader, session = driver.session.loader, driver.session

    def on_disk() -> set[str]:
        gc.collect()
        session.tasks.disk.submit(int).result()
        return {path.name.partition(".")[0] for path in driver.folders.shared.rglob("*") if path.is_file()}

    async def opened(name: str) -> None:
        await loader.open_sample(name)
        await driver.until(lambda: not session.tasks.working)

    await opened("wine")
    for column in ("ash", "hue", "alcohol"):
        loader.choose(replace(loader.choices, ignore=(column,)))
        await driver.until(lambda: not session.tasks.working)
    await driver.until(lambda: len(on_disk()) == 2, 20)  # the table, and the data set as it is now
    asked = {"method": "bspsa", "settings": {"max_iterations": 5}}
    await session.run(driver.window.workspace.setup.request.updated(asked))
    await opened("breast_cancer")
    run = next(iter(session.runs))
    await driver.until(lambda: run.phase == "finished")
    await driver.until(lambda: len(on_disk()) == 3, 20)  # the project's data, too
    await session.leave_project()
    await driver.until(lambda: len(on_disk()) == 2, 20)  # once the last estimate of the project's data has ended
    await session.open_project(session.recent.paths()[0])
    run = next(iter(session.runs))
    await session.run_actions.again([run], [7])  # its data are read from the project
    await driver.until(lambda: [each.phase for each in session.runs] == ["finished", "finished"])
