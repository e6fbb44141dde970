"""What a person does in the window, step by step, for ``tests/bench/session.py``: by the controls that they use."""

import itertools
from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox, QWidget
from rare_steps import close_all, rare_steps

from fsdesk.app.window import MainWindow
from fsdesk.engine import RunRequest

__all__ = ["plans", "steps"]


def plans(short: int, long: int) -> list[RunRequest]:
    """Searches of the 20,000 genes: a few that end, the others as long as the session."""
    few = {"method.max_iterations": 150}
    made: list[RunRequest] = [RunRequest(method="bspsa", seed=seed, settings=few) for seed in range(short)]
    kinds = [("bspsa", "nn"), ("cspsa", "nn"), ("bga", "nn"), ("bspsa", "svm"), ("random", "nn")]
    for seed, (method, wrapper) in zip(range(long), itertools.cycle(kinds), strict=False):
        settings: dict[str, Any] = {"measuring.repeats": 2}
        if method in ("bspsa", "cspsa"):
            settings["method.max_iterations"] = 100_000
        made.append(RunRequest(method=method, wrapper=wrapper, seed=100 + seed, settings=settings))
    return made


def steps(window: MainWindow) -> Iterator[str]:
    """Do one thing after the other, for ever; each ``yield`` tells what is done next; the window lives meanwhile."""
    parts = (_search, _heatmaps, _curves, _features, _runs, _result, _compare,
             _data, _settings, _dialogs, _export, _look, rare_steps)  # fmt: skip
    for turn in itertools.count():
        for part in parts:
            yield from part(window, turn)


def _search(window: MainWindow, turn: int) -> Iterator[str]:
    for page in ("search", "data", "search", "result", "search", "compare", "search"):
        yield f"page {page}"
        window.actions_[page].trigger()


def _heatmaps(window: MainWindow, turn: int) -> Iterator[str]:
    heatmap = window.workspace.search.heatmap
    for key in ("selection", "data", "runs", "weights"):
        yield f"heatmap of {key}"
        heatmap.view.buttons[key].click()
        yield f"waiting at the heatmap of {key}"
        for _ in range(4):
            yield f"wheel over the heatmap of {key}"
            _wheel(heatmap._pages.currentWidget())
    for key in ("all", "top"):
        yield f"heatmap rows {key}"
        heatmap.rows.buttons[key].click()
    for order in ("name", "first", "table", "clusters", "weight"):
        yield f"heatmap ordered by {order}"
        _choose(heatmap.order, order)
        yield f"waiting for the order by {order}"


def _curves(window: MainWindow, turn: int) -> Iterator[str]:
    errors = window.workspace.search.errors
    for run in list(window.session.runs)[: 2 + turn % 6]:
        yield "overlaying a curve"
        window.session.run_actions.show_in_curves([run], not run.shown_in_curves)
    for place in range(5):
        yield "pointer over the curve"
        _point(errors.plot.viewport(), QPoint(60 + 40 * place, 80))
    for _ in range(3):
        yield "wheel over the curve"
        _wheel(errors.plot.viewport())
    yield "all of the curve"
    errors.show_all()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_BracketRight, Qt.Key.Key_0):
        yield "keys in the curve"
        _press(errors.plot, key)


def _features(window: MainWindow, turn: int) -> Iterator[str]:
    page = window.workspace.search
    for text in ("m", "marker", "gene_00", ""):
        yield f'finding the feature "{text}"'
        page.features.search.setText(text)
    for section in (0, 1, 2, 1):
        yield f"features sorted by column {section}"
        page.features.view.sortByColumn(section, Qt.SortOrder.DescendingOrder)
    for _ in range(4):
        yield "wheel over the features"
        _wheel(page.features.view.viewport())
    for place in (3, 50, 1):
        yield "picking a feature"
        if page.features.model.rowCount() > place:
            page.features.view.clicked.emit(page.features.model.index(place, 0))
    for key in ("feature", "list"):
        yield f"side {key}"
        page.panel.switch.buttons[key].click()
    yield "copying the names"
    window.actions_["copy"].trigger()
    yield 'finding "marker" in the heatmap'
    page.heatmap.search.setText(f"marker_{1 + turn % 20:02d}")
    yield "going to it"
    _press(page.heatmap.search, Qt.Key.Key_Return)


def _runs(window: MainWindow, turn: int) -> Iterator[str]:
    runs = window.workspace.search.list
    for row in range(min(4, runs.model.rowCount())):
        yield "looking at another run"
        runs.view.setCurrentIndex(runs.model.index((row + turn) % runs.model.rowCount(), 0))
    for order in ("best", "queue", "newest"):
        yield f"runs by {order}"
        _choose(runs.order, order)
    for text in ("bspsa", ""):
        yield "finding a run"
        runs.search.setText(text)
    run = window.run_commands.shown
    if run is not None and run.at_work:
        yield "pausing"
        window.session.runs.pause(run)
        yield "going on"
        window.session.runs.go_on(run)


def _result(window: MainWindow, turn: int) -> Iterator[str]:
    yield "page result"
    window.actions_["result"].trigger()
    result = window.workspace.result
    for section in (1, 2, 3, 0):
        yield f"answer sorted by column {section}"
        result.answer.view.sortByColumn(section, Qt.SortOrder.AscendingOrder)
    for text in ("mark", ""):
        yield "finding in the answer"
        result.answer.search.setText(text)
    for _ in range(3):
        yield "wheel over the answer"
        _wheel(result.answer.view.viewport())
    yield "copying the answer"
    result.answer.copy_rows()
    for name, part in _segments(result):
        yield f"result, {name}"
        part.click()


def _compare(window: MainWindow, turn: int) -> Iterator[str]:
    yield "page compare"
    window.actions_["compare"].trigger()
    page = window.workspace.compare
    for name, part in _segments(page):
        yield f"compare, {name}"
        part.click()
    yield "a line of the comparison"
    page.view.selectRow(0)
    yield "no line of the comparison"
    page.view.clearSelection()


def _data(window: MainWindow, turn: int) -> Iterator[str]:
    yield "page data"
    window.actions_["data"].trigger()
    page = window.workspace.data
    for text in ("gene_1", "marker", ""):
        yield f'finding the column "{text}"'
        page.search.setText(text)
    for place in (5, 4000, 19_999):
        yield "scrolling the columns"
        page.columns.view.scrollTo(page.columns_model.index(place, 0))
        yield "picking a column"
        page.columns.view.setCurrentIndex(page.columns_model.index(place, 0))
        yield "scrolling the table"
        bar = page.preview.horizontalScrollBar()
        bar.setValue(bar.maximum() * place // 20_000)
    if turn == 0:
        yield "leaving out a column"
        page.columns.assign("ignored")
        yield "preparing the data"
        yield "undoing that"
        window.actions_["undo"].trigger()
        yield "preparing the data again"


def _settings(window: MainWindow, turn: int) -> Iterator[str]:
    yield "page search"
    window.actions_["search"].trigger()
    setup = window.workspace.setup
    for level in ("all", "presets", "common"):
        yield f"settings: {level}"
        setup.level.buttons[level].click()
    for method in ("bga", "sffs", "bspsa"):
        yield f"method {method}"
        _choose(setup.method, method)
    for wrapper in ("svm", "c45", "nn"):
        yield f"model {wrapper}"
        _choose(setup.wrapper, wrapper)
    yield "seed"
    setup.seed.setValue(1000 + turn)
    for action in ("undo", "undo", "undo", "redo", "undo", "reset", "undo"):
        yield f"settings: {action}"
        window.actions_[action].trigger()


def _dialogs(window: MainWindow, turn: int) -> Iterator[str]:
    names = ("many", "steer", "keys", "help", "about", "save_preset")
    for name in names:
        yield f"dialog {name}"
        window.actions_[name].trigger()
        yield f"looking at the dialog {name}"
        yield f"closing the dialog {name}"
        close_all()
    yield "dialog of features"
    window.workspace.setup.features_section.more.click()
    yield "looking at the dialog of features"
    yield "closing the dialog of features"
    close_all()


def _export(window: MainWindow, turn: int) -> Iterator[str]:
    yield "dialog export"
    window.actions_["export"].trigger()
    yield "looking at the dialog export"
    ok = next((each for each in _all(QWidget, "exportNow") if each.isVisible()), None)
    if ok is not None and turn % 3 == 0:
        yield "exporting"
        ok.click()  # type: ignore[attr-defined]
        yield "writing"
    yield "closing the dialog export"
    close_all()


def _look(window: MainWindow, turn: int) -> Iterator[str]:
    for theme in ("dark", "light") if turn % 3 == 0 else ():
        yield f"theme {theme}"
        window.theme.choose(theme)
    for size in ((1600, 1000), (1000, 700), (1280, 800)):
        yield f"size {size[0]} x {size[1]}"
        window.resize(*size)
    yield "first screen"
    window.actions_["close"].trigger()
    yield "page search"
    window.actions_["search"].trigger()


def _segments(page: QWidget) -> list[tuple[str, Any]]:
    """The buttons of all switches in view on a page, the first ones last: they stay."""
    found = [each for each in page.findChildren(QWidget) if each.property("kind") == "segment" and each.isVisible()]
    return [(each.objectName(), each) for each in reversed(found)]


def _choose(box: QComboBox, key: str) -> None:
    place = box.findData(key)
    if place >= 0:
        box.setCurrentIndex(place)
        box.activated.emit(place)


def _all(kind: type[QWidget], name: str) -> list[QWidget]:
    return [found for top in QApplication.topLevelWidgets() for found in top.findChildren(kind, name)]


def _point(target: QWidget, at: QPoint) -> None:
    """Move the pointer there; what Qt's own tests do would run other tasks inside of this one."""
    none, here = Qt.MouseButton.NoButton, QPointF(at)
    event = QMouseEvent(
        QEvent.Type.MouseMove, here, QPointF(target.mapToGlobal(at)), none, none, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(target, event)


def _press(target: QWidget, key: Qt.Key) -> None:
    text = {Qt.Key.Key_BracketRight: "]", Qt.Key.Key_0: "0", Qt.Key.Key_Return: "\r"}.get(key, "")
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(target, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, text))


def _wheel(target: QWidget | None) -> None:
    if target is None:
        return
    middle = QPointF(target.rect().center())
    event = QWheelEvent(
        middle, QPointF(target.mapToGlobal(middle)), QPoint(0, 0), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(target, event)
