"""Rows of long tables are chosen by ranges, and widths are told without asking every row."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QApplication, QTableView

from fsdesk.app.search_page.feature_cards import FeaturesCard
from fsdesk.app.tables import chosen_rows, say_none, select_rows, table_view
from fsdesk.engine import RunState

from .test_presented import told

_ROWS = 20_000
_NONE = QModelIndex()


class Asked(QAbstractTableModel):
    """Notes which rows were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: set[int] = set()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _NONE) -> int:  # noqa: N802 - Qt
        return _ROWS

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _NONE) -> int:  # noqa: N802 - Qt
        return 3

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        self.rows.add(index.row())
        return f"row {index.row()}" if role == Qt.ItemDataRole.DisplayRole else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: N802 - Qt
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


def test_a_list_without_a_row_says_why(qapp: QApplication) -> None:
    view = QTableView()
    view.resize(300, 120)
    view.setShowGrid(False)
    view.setModel(QStandardItemModel(1, 1))
    say_none(view, "Nothing fits.")
    assert len(colours_of(view)) == 1
    card = FeaturesCard()
    card.view.resize(300, 120)
    assert len(colours_of(card.view)) > 1  # the words


def colours_of(view: QTableView) -> set[int]:
    """All colours of what a table shows."""
    picture = view.viewport().grab().toImage()
    return {picture.pixel(x, y) for x in range(picture.width()) for y in range(picture.height())}


def state_with(weights: list[float], chosen: list[bool]) -> RunState:
    """A run on as many features that has found some of them, so heavy."""
    state = told("error", [0.3], 0.4, sizes=[len(weights)]).state
    assert state.best is not None
    state.best = replace(state.best, mask=np.array(chosen), weights=np.array(weights))
    return state


def marked(card: FeaturesCard) -> tuple[list[str], str]:
    names = card.model.names
    return [names[row] for row in chosen_rows(card.view)], names[card.view.currentIndex().row()]


def test_what_is_marked_stays_so_when_a_list_of_features_is_sorted_filtered_or_grows(qtbot: Any, themed: None) -> None:
    card = FeaturesCard()
    qtbot.addWidget(card)
    count = 60
    weights = [float(at) for at in range(count)]
    card.show_state(state_with(weights, [True] * count))
    card.resize(300, 200)
    card.show()
    assert card.model.names[0] == "f59"
    card.view.selectRow(0)
    card.view.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    assert marked(card) == (["f59"], "f59")
    assert card.view.viewport().rect().contains(card.view.visualRect(card.view.currentIndex()).center())
    card.view.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    card.show_state(state_with(weights[::-1], [True] * count))  # as the search goes on
    assert card.model.names[0] == "f0"
    assert marked(card) == (["f59"], "f59")
    card.show_state(state_with(weights, [False] + [True] * (count - 1)))
    assert marked(card) == (["f59"], "f59")
    card.search.setText("f5")
    assert marked(card) == (["f59"], "f59")
    card.search.setText("")
    assert marked(card) == (["f59"], "f59")
