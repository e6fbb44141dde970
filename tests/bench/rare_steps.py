"""What a person does now and then in the window, for ``tests/bench/session.py``: menus, dialogs, whole tables."""

from collections.abc import Iterator

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QApplication, QDialog, QMenu

from fsdesk.app.dialogs.tour import Tour
from fsdesk.app.window import MainWindow

__all__ = ["close_all", "rare_steps"]

_PIECES = 8


def rare_steps(window: MainWindow, turn: int) -> Iterator[str]:
    """One thing after the other, as :func:`steps.steps` does."""
    for part in (_menus, _curve_menu, _commands, _file_dialogs, _run_dialogs, _tour, _compare, _columns, _whole_table):
        yield from part(window)
    if turn % 2 == 1:
        yield from _choices(window)


def close_all() -> None:
    """Close all dialogs and menus."""
    for each in QApplication.topLevelWidgets():
        if isinstance(each, QDialog) and each.isVisible():
            each.reject()
        elif isinstance(each, QMenu) and each.isVisible():
            each.hide()


def _menus(window: MainWindow) -> Iterator[str]:
    bar = [action.menu() for action in window.menuBar().actions()]
    workspace = window.workspace
    others = [
        window.actions_.samples_menu, window.actions_.recent_menu, workspace.search.heatmap.menu.menu(),
        workspace.search.errors.menu, workspace.compare.export.menu(), workspace.result.answer.choose.menu(),
    ]  # fmt: skip
    for menu in (*bar, *others):
        if isinstance(menu, QMenu):
            yield f"menu {menu.title().replace('&', '') or menu.objectName()}"
            menu.popup(window.mapToGlobal(QPoint(100, 60)))
            yield "closing the menu"
            close_all()


def _curve_menu(window: MainWindow) -> Iterator[str]:
    yield "page search"
    window.actions_["search"].trigger()
    names = ("axis_measurement", "axis_time", "axis_iteration", "window_1", "wider", "narrower", "window_0", "steps",
             "band", "marks", "steps", "band", "marks", "copy")  # fmt: skip
    for name in names:
        yield f"curves: {name}"
        window.workspace.search.errors.menu.by_name[name].trigger()


def _commands(window: MainWindow) -> Iterator[str]:
    for name in ("rail", "rail", "find", "copy_command", "chain", "undo", "screen", "screen", "notify", "notify"):
        yield f"command {name}"
        window.actions_[name].trigger()
    for action in (*window.actions_.languages.actions()[:2], *window.actions_.themes.actions()[:1]):
        yield f"command {action.objectName()}"
        action.trigger()
    yield "dismissing messages"
    window.actions_["dismiss"].trigger()


def _file_dialogs(window: MainWindow) -> Iterator[str]:
    heatmap = window.workspace.search.heatmap
    dialogs = {
        "open": window.ask_open, "save": window.ask_save, "save_settings": window.actions_["save_settings"].trigger,
        "load_settings": window.actions_["load_settings"].trigger, "heatmap": lambda: heatmap.ask_path("png"),
        "descriptions": window.workspace.result.ask_descriptions,
    }  # fmt: skip
    openml = window.findChild(QAction, "action_openml")
    if openml is not None:
        dialogs["openml"] = openml.trigger
    for name, ask in dialogs.items():
        yield f"file dialog {name}"
        ask()
        yield f"looking at the file dialog {name}"
        yield "closing it"
        close_all()


def _run_dialogs(window: MainWindow) -> Iterator[str]:
    yield "page search"
    window.actions_["search"].trigger()
    runs, actions = window.workspace.search.list, window.run_commands.menu.actions
    runs.view.setCurrentIndex(runs.model.index(0, 0))
    for name in ("rename", "seeds", "settings", "curves", "curves", "export"):
        yield f"runs: {name}"
        actions[name].trigger()
        yield "closing it"
        close_all()


def _tour(window: MainWindow) -> Iterator[str]:
    yield "tour"
    window.show_tour()
    for tour in window.findChildren(Tour):
        for _ in range(4):
            yield "tour, next"
            tour.go(1)
        yield "end of the tour"
        tour.end()


def _compare(window: MainWindow) -> Iterator[str]:
    yield "page compare"
    window.actions_["compare"].trigger()
    for column in (3, 1, 4):
        yield f"comparison sorted by column {column}"
        window.workspace.compare.view.sortByColumn(column, Qt.SortOrder.DescendingOrder)
    yield "copying the comparison"
    window.workspace.compare.copy()


def _columns(window: MainWindow) -> Iterator[str]:
    yield "page data"
    window.actions_["data"].trigger()
    page = window.workspace.data
    for key in ("column", "target"):
        yield f"look at the {key}"
        page.summaries.switch.buttons[key].click()
    for view, bar in (
        (page.columns.view, page.columns.view.verticalScrollBar()),
        (page.preview, page.preview.horizontalScrollBar()),
        (page.preview, page.preview.verticalScrollBar()),
    ):
        for piece in range(_PIECES + 1):
            yield f"through {view.objectName()}"
            bar.setValue(bar.maximum() * piece // _PIECES)


def _whole_table(window: MainWindow) -> Iterator[str]:
    """Ends of long lists, all rows marked, all features of the answer copied."""
    yield "page result"
    window.actions_["result"].trigger()
    answer = window.workspace.result.answer
    yield "end of the answer"
    answer.view.scrollToBottom()
    yield "all of the answer"
    answer.view.selectAll()
    yield "copying names"
    answer.copy_names()
    yield "none of the answer"
    answer.view.clearSelection()
    yield "page search"
    window.actions_["search"].trigger()
    features: QAbstractItemView = window.workspace.search.features.view
    yield "end of the features"
    features.scrollToBottom()
    yield "all of the features"
    features.selectAll()
    yield "none of the features"
    features.clearSelection()


def _choices(window: MainWindow) -> Iterator[str]:
    """Twenty thousand columns at once; the data are prepared anew."""
    yield "page data"
    window.actions_["data"].trigger()
    page = window.workspace.data
    page.search.setText("gene_1")
    yield "leaving out all columns shown"
    page.columns.all_out.click()
    yield "preparing the data"
    yield "undoing that"
    page.search.setText("")
    window.actions_["undo"].trigger()
    yield "preparing the data again"
