"""Opening tables and samples, and what is shown then."""

import gc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableView,
    QToolButton,
    QWidget,
)

from fsdesk.app.data_page.checks import informs

from .conftest import Desk

CONTROLS = (QPushButton, QToolButton, QComboBox, QLineEdit, QTableView, QCheckBox)


def write_table(folder: Path, name: str = "small.csv", rows: int = 40) -> Path:
    cells = (
        f"{row % 7},{'red' if row % 3 else 'blue'},{row * 17 % 11},{'a' if row % 2 else 'b'}" for row in range(rows)
    )
    lines = ["height,colour,useless,kind", *cells]
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_click_on_a_sample_shows_it_ready_to_run(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        assert desk.session.loader.dataset is not None
        assert desk.session.loader.dataset.x.shape == (178, 13)  # the wine data of the UCI repository
        workspace = desk.window.workspace
        assert desk.window.stack.currentWidget() is workspace
        assert workspace.data.preview_model.rowCount() == 178
        assert workspace.data.preview_model.columnCount() == 14
        assert workspace.setup.data.target.currentText() == "grower"
        assert workspace.run.isEnabled()
        assert "3,001" in workspace.setup.most.text()

    desk.play(scene)


def test_a_sample_opens_by_its_name_as_a_file_does_and_a_wrong_name_lists_them(desk: Desk) -> None:
    async def scene() -> None:
        desk.window.open_path(Path("sample:wine"))
        await desk.until(lambda: desk.session.loader.dataset is not None)
        assert desk.session.loader.key == "sample:wine"
        desk.window.open_path(Path("sample:iris"))
        await desk.until(lambda: any("no sample" in each.sentence for each in desk.window.messages.messages))
        (said,) = (each.sentence for each in desk.window.messages.messages if "no sample" in each.sentence)
        assert "genes" in said

    desk.play(scene)


def test_a_dropped_file_is_opened_and_remembered(desk: Desk) -> None:
    path = write_table(desk.root)

    async def scene() -> None:
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        desk.window.dropEvent(
            QDropEvent(QPointF(QPoint(9, 9)), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
                       Qt.KeyboardModifier.NoModifier)
        )  # fmt: skip
        await desk.until(lambda: desk.session.loader.dataset is not None)
        assert desk.session.recent.paths() == [path]
        assert desk.session.loader.dataset is not None
        assert desk.session.loader.dataset.features == ("height", "colour", "useless")

    desk.play(scene)


@pytest.mark.parametrize(
    ("name", "content"),
    [("empty.csv", b""), ("junk.csv", bytes(range(256)) * 40), ("broken.fsdesk", b"SQLite format 3\0" + b"\0" * 50)],
    ids=["empty", "junk", "cut project"],
)
def test_a_wrong_file_gives_one_sentence_in_the_message_bar(desk: Desk, name: str, content: bytes) -> None:
    path = desk.root / name
    path.write_bytes(content)

    async def scene() -> None:
        desk.window.open_path(path)
        await desk.until(lambda: desk.window.messages.messages)
        (message,) = desk.window.messages.messages
        assert message.role == "error"
        assert "Traceback" not in message.sentence
        assert "Something went wrong" not in message.sentence
        assert desk.window.messages.isVisible()
        message.findChild(QPushButton, "messageClose").click()
        assert not desk.window.messages.isVisible()

    desk.play(scene)


def test_a_missing_file_is_said_to_be_missing(desk: Desk) -> None:
    async def scene() -> None:
        desk.window.open_path(desk.root / "nowhere.csv")
        await desk.until(lambda: desk.window.messages.messages)
        assert "nowhere.csv" in desk.window.messages.messages[0].sentence

    desk.play(scene)


def test_an_unexpected_error_is_logged_and_told(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        async def broken() -> None:
            raise ZeroDivisionError("by nothing")

        desk.session.tasks.begin(broken(), "testing the messages")
        await desk.until(lambda: desk.window.messages.messages)
        sentence = desk.window.messages.messages[0].sentence
        assert sentence.startswith("Something went wrong while testing the messages")
        assert str(desk.folders.log_file) in sentence

    desk.play(scene)
    assert "by nothing" in caplog.text


def test_unticking_a_column_leaves_it_out_of_the_data_set(desk: Desk) -> None:
    path = write_table(desk.root)

    async def scene() -> None:
        desk.window.open_path(path)
        await desk.until(lambda: desk.session.loader.dataset is not None)
        model = desk.window.workspace.data.columns_model
        await desk.until(lambda: model.rowCount() == 4)
        assert model.setData(model.index(2, 0), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
        await desk.until(
            lambda: desk.session.loader.dataset is not None and len(desk.session.loader.dataset.features) == 2
        )
        assert desk.session.loader.dataset is not None
        assert desk.session.loader.dataset.features == ("height", "colour")

    desk.play(scene)


def test_another_target_gives_another_data_set(desk: Desk) -> None:
    path = write_table(desk.root)

    async def scene() -> None:
        desk.window.open_path(path)
        await desk.until(lambda: desk.session.loader.dataset is not None)
        box = desk.window.workspace.setup.data.target
        box.setCurrentText("colour")
        box.activated.emit(box.currentIndex())
        await desk.until(lambda: desk.session.loader.dataset and desk.session.loader.dataset.target_name == "colour")
        assert desk.session.loader.dataset is not None
        assert set(desk.session.loader.dataset.classes) == {"red", "blue"}

    desk.play(scene)


def test_every_control_has_a_name_for_tests_and_one_for_screen_readers(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        for kind in CONTROLS:
            for control in desk.window.findChildren(kind):
                if control.objectName().startswith("qt_") or isinstance(control.parent(), CONTROLS):
                    continue  # Qt's own parts of a control
                assert control.objectName(), f"{kind.__name__} without a name in {control.parent()}"
                assert control.accessibleName() or control.text(), control.objectName()

    desk.play(scene)


def test_light_and_dark_can_be_chosen_and_are_remembered(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        for action in desk.window.actions_.themes.actions():
            if action.data() == "dark":
                action.trigger()
        assert desk.theme.tokens.mode == "dark"
        assert desk.store.value("view/theme") == "dark"
        dark = desk.theme.tokens.surface
        assert desk.child(QWidget, "gainCurve").backgroundBrush().color().name() == dark
        assert _ground(desk.window.workspace.data.table_card) == dark
        desk.window.show_page("compare")
        assert _ground(desk.window.workspace.compare.card) == dark
        desk.theme.choose("light")
        assert _ground(desk.window.workspace.compare.card) == desk.theme.tokens.surface

    desk.play(scene)


def test_every_dialog_has_the_look_of_the_theme(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        for name in ("help", "keys", "about", "many", "save_preset"):
            desk.window.actions_[name].trigger()
            (shown,) = (
                each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog) and each.isVisible()
            )
            assert _ground(shown) == desk.theme.tokens.surface, name
            shown.reject()
        workspace = desk.window.workspace
        for parent in (workspace, *workspace.by_key.values(), workspace.result.answer, desk.window):
            dialog = QDialog(parent)
            dialog.open()
            assert dialog.style().metaObject().className() == "QStyleSheetStyle", parent
            dialog.reject()
            dialog.deleteLater()

    desk.play(scene)


def _ground(widget: QWidget) -> str:
    return widget.grab().toImage().pixelColor(widget.width() // 2, 6).name()


def test_help_and_about_open_and_close(desk: Desk) -> None:
    async def scene() -> None:
        for name, close in (("help", "helpClose"), ("about", "aboutClose")):
            desk.window.actions_[name].trigger()
            desk.child(QPushButton, close).click()
        assert desk.window.findChild(QLabel, "projectPlace") is not None

    desk.play(scene)


def test_two_windows_share_no_hidden_state(another_desk: Callable[[], Desk]) -> None:
    first, second = another_desk(), another_desk()
    first.store.setValue("window/folder", "/somewhere")
    assert second.store.value("window/folder") is None
    assert first.session.runs is not second.session.runs


def test_a_narrow_window_gives_the_page_its_room_and_the_settings_on_request(desk: Desk) -> None:
    async def scene() -> None:
        desk.window.resize(960, 520)
        await desk.open_sample("wine")
        workspace, rail = desk.window.workspace, desk.window.actions_["rail"]
        assert not workspace.setup.isVisible()
        assert not rail.isChecked()
        rail.trigger()
        assert workspace.setup.isVisible()
        assert not workspace.data.side.isVisible()
        desk.window.resize(1400, 800)
        await desk.until(lambda: workspace.setup.isVisible() and workspace.data.side.isVisible())

    desk.play(scene)


def test_the_window_is_never_larger_than_the_screen(another_desk: Callable[[], Desk]) -> None:
    first = another_desk()
    room = first.window.screen().availableGeometry()
    assert first.window.width() <= room.width() - 16
    assert first.window.height() <= room.height() - 48
    first.window.resize(4000, 3000)
    first.store.setValue("window/geometry", first.window.saveGeometry())
    first.window._take_place()
    assert room.contains(first.window.geometry())


def test_unfinished_work_is_first_among_the_recent_and_named_without_its_suffix(desk: Desk) -> None:
    path = write_table(desk.root)

    async def scene() -> None:
        await desk.open_sample("wine")
        desk.window.workspace.setup.method_form.put({"max_iterations": 100_000, "stall_limit": 100_000})
        desk.child(QPushButton, "runButton").click()
        await desk.until(lambda: desk.session.project is not None and len(list(desk.session.runs)) == 1)
        assert desk.session.project is not None
        project = desk.session.project.path
        desk.window.open_path(path)
        await desk.until(lambda: desk.session.recent.paths()[0] == path)
        await desk.until(lambda: desk.session.loader.dataset is not None and desk.session.loader.dataset.name != "wine")
        run = desk.window.run_commands.shown
        assert run is not None
        desk.window.actions_["stop"].trigger()
        await desk.until(lambda: run.phase == "stopped")
        assert desk.window.actions_["pause"].iconText() == f"Resume {run.spec.data_name}"
        assert desk.session.loader.dataset is not None
        title = desk.window.windowTitle()
        assert title.startswith(f"{desk.session.loader.dataset.name} – {project.stem}")
        await desk.session.leave_project()
        assert desk.session.recent.paths()[0] == project
        desk.window.go_back()
        first = desk.window.welcome.recent_rows[0]
        assert first.accessibleName().startswith(f"{project.stem}: ")

    desk.play(scene)


def test_only_the_reading_settings_of_the_kind_of_file_are_shown(desk: Desk) -> None:
    arff = desk.root / "small.arff"
    rows = [f"{row % 7},{'a' if row % 2 else 'b'}" for row in range(40)]
    head = ["@relation small", "@attribute height numeric", "@attribute kind {a,b}", "@data"]
    arff.write_text("\n".join([*head, *rows]) + "\n", encoding="utf-8")
    csv = write_table(desk.root)

    def shown() -> set[str]:
        fields = desk.window.workspace.data.form.fields
        return {name for name, field in fields.items() if not field.widget.isHidden()}

    async def scene() -> None:
        form = desk.window.workspace.data.form
        desk.window.open_path(csv)
        await desk.until(lambda: desk.session.loader.dataset is not None)
        assert shown() == {"delimiter", "decimal", "header", "orientation", "labels"}
        form.more.click()
        assert shown() == set(form.fields) - {"sheet", "part"}
        desk.window.open_path(arff)
        await desk.until(lambda: desk.session.loader.path == arff and desk.session.loader.dataset is not None)
        assert shown() == {"encoding", "labels"}
        form.more.click()
        assert shown() == {"labels"}
        assert form.more.text() == "1 more setting"

    desk.play(scene)


def test_columns_are_as_wide_as_their_numbers(desk: Desk) -> None:
    path = desk.root / "wide.csv"
    lines = ["x,kind", *(f"{-1.23456e-12 * (row + 1):.5e},{'a' if row % 2 else 'b'}" for row in range(40))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    async def scene() -> None:
        desk.window.open_path(path)
        await desk.until(lambda: desk.session.loader.dataset is not None)
        view = desk.child(QTableView, "preview")
        assert view.columnWidth(0) >= view.fontMetrics().horizontalAdvance("-1.23456e-12") + 16  # 8 on either side

    desk.play(scene)


def test_what_only_informs_has_no_warning_sign() -> None:
    assert all(informs(kind) for kind in ("row ids", "labels", "encoding"))
    assert not any(informs(kind) for kind in ("duplicated row ids", "missing values", "tiny classes"))


def test_dialogs_for_files_fit_the_screen(desk: Desk) -> None:
    """The screen of the tests is 800 x 800: a list of all suffixes is wider, and Qt's own dialog was higher."""
    dialogs: list[QFileDialog] = []

    async def scene() -> None:
        desk.window.ask_open()
        await desk.until(lambda: desk.child(QFileDialog, "fileDialog").isVisible())
        dialogs.append(desk.child(QFileDialog, "fileDialog"))
        room = dialogs[0].screen().availableGeometry().size()
        assert dialogs[0].size().boundedTo(room) == dialogs[0].size()
        assert dialogs[0].sizeHint().width() <= room.width()
        assert all(each.width() >= each.iconSize().width() for each in dialogs[0].findChildren(QToolButton))
        dialogs[0].reject()

    desk.play(scene)


def test_files_for_the_workers_go_when_nothing_needs_them(desk: Desk) -> None:
    loader, session = desk.session.loader, desk.session

    def on_disk() -> set[str]:
        gc.collect()
        session.tasks.disk.submit(int).result()
        return {path.name.partition(".")[0] for path in desk.folders.shared.rglob("*") if path.is_file()}

    async def opened(name: str) -> None:
        await loader.open_sample(name)
        await desk.until(lambda: not session.tasks.working)

    async def scene() -> None:
        await opened("wine")
        for column in ("ash", "hue", "alcohol"):
            loader.choose(replace(loader.choices, ignore=(column,)))
            await desk.until(lambda: not session.tasks.working)
        await desk.until(lambda: len(on_disk()) == 2, 20)  # the table, and the data set as it is now
        asked = {"method": "bspsa", "settings": {"max_iterations": 5}}
        await session.run(desk.window.workspace.setup.request.updated(asked))
        await opened("breast_cancer")
        run = next(iter(session.runs))
        await desk.until(lambda: run.phase == "finished")
        await desk.until(lambda: len(on_disk()) == 3, 20)  # the project's data, too
        await session.leave_project()
        await desk.until(lambda: len(on_disk()) == 2, 20)  # once the last estimate of the project's data has ended
        await session.open_project(session.recent.paths()[0])
        run = next(iter(session.runs))
        await session.run_actions.again([run], [7])  # its data are read from the project
        await desk.until(lambda: [each.phase for each in session.runs] == ["finished", "finished"])

    desk.play(scene)
