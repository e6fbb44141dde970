"""Rows of long tables are chosen by ranges, and widths are told without asking every row."""

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QApplication, QStyleOptionHeaderV2, QTableView

from fsdesk.app.fields import Choice
from fsdesk.app.result_page.answer_card import AnswerCard
from fsdesk.app.result_page.answer_table import FeaturesModel
from fsdesk.app.search_page.feature_cards import FeaturesCard
from fsdesk.app.tables import Header, chosen_rows, fitting_width, say_none, select_rows, table_view
from fsdesk.data.annotations import Annotations
from fsdesk.engine import RunState

from .conftest import WindowDriver

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


def test_the_width_of_a_column_in_a_view_not_shown_yet_asks_for_few_rows(qtbot: Any, model: Asked) -> None:
    view = table_view("rows", "Rows")
    qtbot.addWidget(view)
    view.setModel(model)
    model.rows.clear()
    assert fitting_width(view, 1) > view.fontMetrics().horizontalAdvance("row 10")
    assert max(model.rows) < 100


def test_a_heading_without_its_arrow_leaves_the_content_its_room(qtbot: Any, model: Asked) -> None:
    view = table_view("asked", "Asked")
    qtbot.addWidget(view)
    view.setModel(model)
    assert fitting_width(view, 1, spare=1000) > view.fontMetrics().horizontalAdvance("row 10")


def test_marking_all_of_a_long_answer_asks_only_of_rows_in_sight_whether_they_can_be_marked(
    qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    card, asked, flags = AnswerCard(), set[int](), FeaturesModel.flags
    qtbot.addWidget(card)

    def counted(model: FeaturesModel, index: QModelIndex) -> Qt.ItemFlag:
        asked.add(index.row())
        return flags(model, index)

    monkeypatch.setattr(FeaturesModel, "flags", counted)
    names, every = tuple(f"gene {place}" for place in range(_ROWS)), np.ones(_ROWS, dtype=np.bool_)
    card.show_features(RunState(features=names), every, None, Annotations())
    with qtbot.waitExposed(card):
        card.show()
    card.view.selectAll()
    card.grab()
    assert len(chosen_rows(card.view)) == _ROWS
    assert len(asked) < _ROWS / 10


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


def test_the_longest_value_of_a_choice_is_read_whole(driver: WindowDriver) -> None:
    order: Choice = driver.window.workspace.search.heatmap.order
    order.setCurrentIndex(order.findData("first"))
    order.resize(order.sizeHint())
    assert order.drawn == order.currentText()
    order.resize(order.width() // 2, order.height())
    assert order.drawn.endswith("…")


def test_a_name_at_the_left_stands_beside_the_arrow_of_the_order(qtbot: Any) -> None:
    made, model = table_view("list", "A list"), QStandardItemModel(1, 3)
    qtbot.addWidget(made)
    model.setHorizontalHeaderLabels(["Feature", "Weight", "Note"])
    left, right = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
    for section, side in enumerate((left, right, left)):
        model.setHeaderData(section, Qt.Orientation.Horizontal, side.value, Qt.ItemDataRole.TextAlignmentRole)
    made.setModel(model)
    made.setSortingEnabled(True)
    header = made.horizontalHeader()
    assert isinstance(header, Header)

    def written(section: int) -> str:
        option = QStyleOptionHeaderV2()
        header.initStyleOption(option)
        header.initStyleOptionForIndex(option, section)
        return option.text

    made.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    assert written(0).startswith("   ")
    assert [written(section) for section in (1, 2)] == ["Weight", "Note"]
    made.sortByColumn(1, Qt.SortOrder.AscendingOrder)
    assert [written(section) for section in (0, 1)] == ["Feature", "Weight"]  # numbers stand at the right anyway
