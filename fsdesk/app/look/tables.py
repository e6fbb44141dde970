"""Tables that are looked at: quiet ones, of fixed rows."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from fsdesk.app.look.parts import named

__all__ = ["table_view"]


def table_view(name: str, spoken: str) -> QTableView:
    """A quiet table that is looked at, not edited."""
    view = QTableView()
    named(view, name, spoken)
    view.setAlternatingRowColors(False)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setWordWrap(False)
    view.verticalHeader().setDefaultSectionSize(28)
    view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    view.horizontalHeader().setHighlightSections(False)
    view.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
    view.setTabKeyNavigation(False)
    return view
