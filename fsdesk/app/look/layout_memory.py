"""How the user has divided the room: splitters and the widths of columns, from one session to the next."""

from typing import TypeVar

from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QHeaderView, QSplitter, QTableView, QTreeView, QWidget

Kind = TypeVar("Kind", bound=QWidget)

__all__ = ["keep_layout", "restore_layout"]

_SPLITTERS, _COLUMNS = "layout/splitters", "layout/columns"
_SEEN = Qt.WidgetAttribute.WA_WState_Created
_MOST = 24  # a table with more columns than this is one of the user's, not of ours


def keep_layout(root: QWidget, store: QSettings) -> None:
    """Note the sizes of all splitters below a widget that have a name and were seen, and the widths of their tables."""
    for splitter in _named(root, QSplitter):
        if sum(splitter.sizes()) > 0 and splitter.testAttribute(_SEEN):
            store.setValue(f"{_SPLITTERS}/{splitter.objectName()}", ",".join(map(str, splitter.sizes())))
    for view, header in _headers(root):
        widths = [header.sectionSize(place) for place in range(header.count())]
        store.setValue(f"{_COLUMNS}/{view.objectName()}", ",".join(map(str, widths)))


def restore_layout(root: QWidget, store: QSettings) -> None:
    """Give everything below a widget the sizes it had; what has other parts now keeps its own."""
    for splitter in _named(root, QSplitter):
        sizes = _numbers(store.value(f"{_SPLITTERS}/{splitter.objectName()}"))
        if len(sizes) == splitter.count() and sum(sizes) > 0:
            splitter.setSizes(sizes)
    for view, header in _headers(root):
        widths = _numbers(store.value(f"{_COLUMNS}/{view.objectName()}"))
        if len(widths) == header.count():
            for place, width in enumerate(widths):
                if header.sectionResizeMode(place) == QHeaderView.ResizeMode.Interactive and width > 0:
                    header.resizeSection(place, width)


def _named(root: QWidget, kind: type[Kind]) -> list[Kind]:
    return [each for each in root.findChildren(kind) if each.objectName()]


def _headers(root: QWidget) -> list[tuple[QWidget, QHeaderView]]:
    tables = [(view, view.horizontalHeader()) for view in _named(root, QTableView)]
    trees = [(view, view.header()) for view in _named(root, QTreeView)]
    return [(view, header) for view, header in (*tables, *trees) if 0 < header.count() <= _MOST]


def _numbers(saved: object) -> list[int]:
    parts = str(saved or "").split(",")
    return [int(part) for part in parts] if all(part.isdigit() for part in parts) else []
