"""Every control of every page and dialog has its names, can be reached by Tab, and shows that it has the focus."""

import asyncio
from collections.abc import AsyncIterator, Iterator

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QGraphicsView,
    QLineEdit,
    QPushButton,
    QTextEdit,
    QToolBar,
    QWidget,
)

from fsdesk.app.dialogs.export import ask_export
from fsdesk.app.dialogs.remote import OpenmlDialog

from .conftest import WindowDriver
from .screen_reader import check_told

CONTROLS = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QGraphicsView, QLineEdit,
            QTextEdit)  # fmt: skip


def controls(root: QWidget) -> Iterator[QWidget]:
    """What a user can see and use below a widget, without the inner parts of Qt's controls."""
    for each in root.findChildren(QWidget):
        inner = isinstance(each.parentWidget(), CONTROLS) or each.objectName().startswith("qt_")
        if isinstance(each, CONTROLS) and each.isVisible() and not inner and each.window() is root.window():
            yield each


def by_tab(control: QWidget) -> bool:
    """Whether Tab should come here; of a switch it comes to one button, from where the arrows go on."""
    group = control.group() if isinstance(control, QAbstractButton) else None
    if group is not None and group.exclusive() and group.buttons()[0] is not control:
        return False
    in_bar = isinstance(control.parentWidget(), QToolBar)  # the same commands are in the menus
    return control.isEnabled() and bool(control.focusPolicy() & Qt.FocusPolicy.TabFocus) and not in_bar


async def every_view(driver: WindowDriver) -> AsyncIterator[tuple[str, QWidget]]:
    """Each page and dialog of one window, ready to be used: what it is, and its window."""
    window = driver.window
    window.resize(1280, 800)
    yield "first", window
    await driver.open_sample("wine")
    yield "data", window
    window.workspace.setup.method_form.put({"max_iterations": 5})
    driver.child(QPushButton, "runButton").click()
    await driver.until(lambda: window.run_commands.shown and window.run_commands.shown.phase == "finished")
    await driver.until(lambda: not driver.session.tasks.working)
    for page in ("search", "result", "compare"):
        window.show_page(page)
        await asyncio.sleep(0.3)
        yield page, window
    for name in ("help", "about", "keys", "export", "openml", "address", "cluster", "close"):
        if name == "export":
            assert window.run_commands.shown is not None
            ask_export(window, driver.session, window.run_commands.shown, driver.root / "out")
        elif name == "openml":
            OpenmlDialog(window, driver.session).open()
        elif name == "close":
            window.close()
        else:
            window.actions_[name].trigger()
        await asyncio.sleep(0.3)
        (dialog,) = (each for each in window.findChildren(QDialog) if each.isVisible())
        yield name, dialog
        dialog.close()
        await asyncio.sleep(0.05)


def test_every_control_has_its_names_is_told_is_reached_by_tab_and_shows_its_focus(driver: WindowDriver) -> None:
    async def scene() -> None:
        async for view, root in every_view(driver):
            check_told(view, root)
            check(view, root)

    def check(view: str, root: QWidget) -> None:
        there = list(controls(root))
        assert there, view
        nameless = [
            f"{type(each).__name__} {each.objectName()!r} in {type(each.parentWidget()).__name__}"
            for each in there
            if not each.objectName() or not (each.accessibleName() or getattr(each, "text", lambda: "")())
        ]
        assert not nameless, view
        wanted = {each for each in there if by_tab(each)}
        first = next(each for each in there if each in wanted)
        before = {each: each.grab().toImage() for each in wanted if not each.hasFocus()}
        first.setFocus(Qt.FocusReason.TabFocusReason)
        visited: list[QWidget] = []
        invisible: list[str] = []
        while (now := QApplication.focusWidget()) is not None and now not in visited:
            visited.append(now)
            shown = now.focusProxy() or now
            if shown in before and now is not first and shown.grab().toImage() == before[shown]:
                invisible.append(f"{type(now).__name__} {now.objectName()}")
            QTest.keyClick(now, Qt.Key.Key_Tab)
        switches = [each.group() for each in visited if isinstance(each, QAbstractButton) and each.group() is not None]
        visited += [group.buttons()[0] for group in switches]
        parts = {*visited, *(part for each in visited if (part := each.parentWidget()) is not None)}
        missed = [f"{type(each).__name__} {each.objectName()}" for each in wanted - parts]
        assert not missed, f"{view}: after {[each.objectName() for each in visited]}"
        assert not invisible, view

    driver.play(scene)


async def test_a_result_needs_no_mouse(driver: WindowDriver) -> None:
    """From the start to a result by keys alone: open a sample, run, look at the result."""

    driver.child(QWidget, "sample_wine").setFocus(Qt.FocusReason.TabFocusReason)
    driver.window.actions_["result"].trigger()
    assert not driver.window.pages.isEnabled()  # there is nothing to show before a table is open
    QTest.keyClick(driver.child(QWidget, "sample_wine"), Qt.Key.Key_Return)
    await driver.until(lambda: driver.session.loader.dataset is not None)
    driver.window.workspace.setup.method_form.put({"max_iterations": 5})
    assert QApplication.focusWidget() is driver.window.workspace.run
    QTest.keyClick(driver.window.workspace.run, Qt.Key.Key_Space)
    await driver.until(
        lambda: driver.window.run_commands.shown and driver.window.run_commands.shown.phase == "finished"
    )
    QTest.keyClick(driver.window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert driver.window.pages.key == "result"
