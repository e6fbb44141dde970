"""Rows of long tables are chosen by ranges, and widths are told without asking every row."""

from typing import Any

import pytest
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QTableView

from fsdesk.app.look.tables import chosen_rows, fitting_width, select_rows, table_view

_ROWS = 20_000
_NONE = QModelIndex()


class Asked(QAbstractTableModel):
    """Notes which rows were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: set[int] = set()
        self.sizes = 0

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _NONE) -> int:  # noqa: N802 - Qt
        return _ROWS

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _NONE) -> int:  # noqa: N802 - Qt
        return 3

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        self.rows.add(index.row())
        return f"row {index.row()}" if role == Qt.ItemDataRole.DisplayRole else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: N802 - Qt
        self.sizes += role == Qt.ItemDataRole.SizeHintRole  # once for each heading that is measured
        return f"heading {section}" if role == Qt.ItemDataRole.DisplayRole else None


@pytest.fixture
def model() -> Asked:
    return Asked()


@pytest.mark.parametrize("rows", [[], [0], [3, 4, 5, 9, 11, 12, _ROWS - 1], list(range(_ROWS))])
def test_the_rows_selected_are_the_rows_chosen(qtbot: Any, model: Asked, rows: list[int]) -> None:
    view = table_view("rows", "Rows")
    qtbot.addWidget(view)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setModel(model)
    select_rows(view, rows)
    assert chosen_rows(view) == rows
    if rows:
        assert all(view.selectionModel().isRowSelected(row, QModelIndex()) for row in (rows[0], rows[-1]))


def test_the_width_of_a_column_in_a_view_not_shown_yet_asks_for_few_rows(qtbot: Any, model: Asked) -> None:
    view = table_view("rows", "Rows")
    qtbot.addWidget(view)
    view.setModel(model)
    model.rows.clear()
    assert fitting_width(view, 1) > view.fontMetrics().horizontalAdvance("row 10")
    assert max(model.rows) < 100


def test_headers_are_as_large_as_those_of_qt_and_ask_for_less(qtbot: Any, model: Asked) -> None:
    asked = []
    for view in (table_view("rows", "Rows"), QTableView()):
        qtbot.addWidget(view)
        view.setModel(model)
        view.verticalHeader().setDefaultSectionSize(28)
        model.sizes = 0
        view.setStyleSheet("QHeaderView::section { padding: 3px; }")
        sizes = view.horizontalHeader().sizeHint().height(), view.verticalHeader().sizeHint().width()
        asked.append((sizes, model.sizes))
    (ours, few), (theirs, many) = asked
    assert ours == theirs
    assert few < many / 3
