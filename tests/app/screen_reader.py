"""What a screen reader is told: each control of each page has a name and a role, and lists and tables have cells."""

from collections.abc import Iterator
from itertools import count, takewhile

from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMainWindow, QWidget

Role = QAccessible.Role
_CELLS = (Role.Cell, Role.ListItem, Role.TreeItem)
_MOST = 60  # cells of a table of 20,000 columns need not all be visited


def takers(interface: QAccessibleInterface) -> Iterator[tuple[str, str, QAccessible.Role]]:
    """What can take the keyboard: which it is, its name, its role; the cells of a table are told of by themselves."""
    thing, role = interface.object(), interface.role()
    if interface.state().focusable:
        parent = thing.parent() if thing is not None else None
        inside = f" in {type(parent).__name__} {parent.objectName()}" if parent is not None else ""
        which = f"{type(thing).__name__} {thing.objectName() if thing is not None else ''}{inside}"
        yield which, interface.text(QAccessible.Text.Name), role
    if not isinstance(thing, QAbstractItemView):
        for place in range(interface.childCount()):
            child = interface.child(place)
            if child is not None and child.isValid() and not child.state().invisible:
                yield from takers(child)


def check_told(view: str, root: QWidget) -> None:
    """What takes the keyboard is told with its name and what it is, and tables cell by cell."""
    told = list(takers(QAccessible.queryAccessibleInterface(root)))
    assert told, view
    assert not [which for which, name, _ in told if not name], view
    assert not [which for which, _, role in told if role == Role.NoRole], view
    tables = [each for each in root.findChildren(QAbstractItemView) if _told_as_table(each)]
    assert tables or view not in ("data", "search", "result", "compare")
    for table in tables if isinstance(root, QMainWindow) else ():
        cells = _cells(table)
        assert set(_first_row(table)) & set(cells), f"{view}, {table.objectName()}: {cells[:8]}"


def _cells(view: QAbstractItemView) -> list[str]:
    """The names of the first cells, as a screen reader hears them."""
    interface = QAccessible.queryAccessibleInterface(view)
    texts = []
    for place in range(min(_MOST, interface.childCount())):
        child = interface.child(place)
        if child is not None and child.role() in _CELLS:
            texts.append(child.text(QAccessible.Text.Name))
    return texts


def _told_as_table(view: QAbstractItemView) -> bool:
    inner = isinstance(view, QHeaderView) or view.objectName().startswith("qt_")
    seen = view.isVisible() and not view.visibleRegion().isEmpty()
    return seen and not inner and view.model() is not None and bool(_first_row(view))


def _first_row(view: QAbstractItemView) -> list[str]:
    """The texts of the first row."""
    places = (view.model().index(0, column) for column in count())
    return [str(place.data()) for place in takewhile(QModelIndex.isValid, places) if place.data()]
