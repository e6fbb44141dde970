"""Read-only table views and their models."""

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QStyleOptionHeader, QTableView

from fsdesk.app.widgets import named
from fsdesk.messages import tr

Index = QModelIndex | QPersistentModelIndex
NO_INDEX = QModelIndex()
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

_FITTED_ROWS = 40
_BESIDE_TEXT = 16
_BESIDE_ARROW = " " * 5  # the style draws the arrow of the order at the left


class Header(QHeaderView):
    """A header whose names stand beside the arrow of the order, which would cover their first letters."""

    def __init__(self, orientation: Qt.Orientation) -> None:
        super().__init__(orientation)
        self.setSectionsClickable(True)  # as the headers are that a table makes for itself
        self.setHighlightSections(True)

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:
        super().initStyleOptionForIndex(option, section)
        ordered = self.isSortIndicatorShown() and section == self.sortIndicatorSection()
        if ordered and option.textAlignment & Qt.AlignmentFlag.AlignLeft:
            option.text = _BESIDE_ARROW + option.text


def table_view(name: str, spoken: str, none: str = "") -> QTableView:
    """A quiet table that is looked at, not edited; ``none`` is what it says where it has no rows."""
    view = SearchedView(none)
    view.setHorizontalHeader(Header(Qt.Orientation.Horizontal))
    view.setVerticalHeader(Header(Qt.Orientation.Vertical))
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


def row_list(name: str, spoken: str, model: QAbstractItemModel, *widths: int, none: str = "") -> QTableView:
    """A table whose rows are picked as a whole: the first column takes the room that the others, so wide, leave."""
    view = table_view(name, spoken, none)
    view.setModel(model)
    view.setShowGrid(False)
    view.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # names often differ at their ends alone
    view.verticalHeader().hide()
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    header = view.horizontalHeader()
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    for column, width in enumerate(widths, 1):
        header.resizeSection(column, width)
    return view


def offer_sorting(view: QTableView) -> None:
    """Offer in the menu of a table what a click on a heading does, which no key can do; again turns the order round."""
    menu = QMenu(tr("Sort by"), view)
    menu.setObjectName("sortBy")
    menu.aboutToShow.connect(lambda: _list_headings(menu, view))
    view.addAction(menu.menuAction())
    view.horizontalHeader().sortIndicatorChanged.connect(lambda *_: view.scrollTo(view.currentIndex()))
    view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)


def _list_headings(menu: QMenu, view: QTableView) -> None:
    header = view.horizontalHeader()

    def sort(at: int) -> None:
        again = at == header.sortIndicatorSection() and header.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        view.sortByColumn(at, Qt.SortOrder.DescendingOrder if again else Qt.SortOrder.AscendingOrder)

    menu.clear()
    for at in map(header.logicalIndex, range(header.count())):
        title = " ".join(str(view.model().headerData(at, Qt.Orientation.Horizontal)).split())
        if title and not view.isColumnHidden(at):
            action = menu.addAction(title.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(at == header.sortIndicatorSection())
            action.triggered.connect(lambda _=False, at=at: sort(at))


def chosen_rows(view: QAbstractItemView) -> list[int]:
    """The rows that are selected, rising; by whole ranges, for of twenty thousand rows each cell would be asked."""
    selection = view.selectionModel().selection()
    ranges = [selection.at(place) for place in range(selection.size())]
    return sorted({row for each in ranges for row in range(each.top(), each.bottom() + 1)})


def select_rows(view: QAbstractItemView, rows: Sequence[int]) -> None:
    """Select whole rows beside those that are selected, in one step; ``rows`` rise."""
    if not rows:
        return
    model, chosen = view.model(), QItemSelection()
    last, first = model.columnCount() - 1, rows[0]
    for row, after in pairwise([*rows, -1]):
        if after != row + 1:
            chosen.append(QItemSelectionRange(model.index(first, 0), model.index(row, last)))
            first = after
    view.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.Select)


@contextmanager
def kept_rows(view: QAbstractItemView, keys: Callable[[], Sequence[Hashable]]) -> Iterator[None]:
    """Select the rows again that were, and keep the one where the keyboard is, while a list is made anew.

    ``keys`` says what the rows are, in order; where that of the keyboard is gone, the one that took its place has it.
    """
    before, current, keep = keys(), view.currentIndex(), QItemSelectionModel.SelectionFlag.NoUpdate
    marked, column = {before[row] for row in chosen_rows(view)}, current.column()
    held, place = (before[current.row()], current.row()) if current.isValid() else (None, -1)
    yield
    row_of = {key: row for row, key in enumerate(keys())}
    select_rows(view, sorted(row_of[key] for key in marked if key in row_of))
    view.selectionModel().setCurrentIndex(view.model().index(row_of.get(held, place), column), keep)


def fitting_width(view: QTableView, column: int, spare: int = 0) -> int:
    """Pixels for the heading and the first rows of a column; a view that is not shown yet would ask every row.

    ``spare`` are pixels of the heading that it can do without, such as those for the arrow of the order.
    """
    model, header = view.model(), view.horizontalHeader()
    rows = range(min(_FITTED_ROWS, model.rowCount()))
    widest = max(rows, key=lambda row: len(str(model.index(row, column).data() or "")), default=-1)
    view.ensurePolished()  # else its letters are those of another style
    content = view.sizeHintForIndex(model.index(widest, column)).width() if widest >= 0 else 0
    return max(header.sectionSizeHint(column) - spare, content + _BESIDE_TEXT)


class SearchedView(QTableView):
    """A table that is searched, and says so where nothing fits."""

    def __init__(self, none: str) -> None:
        super().__init__()
        self._none = none

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """From a column that is hidden, where Qt begins when the first one is, no key would lead to another row."""
        current, header = self.currentIndex(), self.horizontalHeader()
        if current.isValid() and self.isColumnHidden(current.column()):
            shown = next(at for at in map(header.logicalIndex, range(header.count())) if not header.isSectionHidden(at))
            keep = QItemSelectionModel.SelectionFlag.NoUpdate
            self.selectionModel().setCurrentIndex(current.siblingAtColumn(shown), keep)
        return super().moveCursor(action, modifiers)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows, or the words for none."""
        super().paintEvent(event)
        say_none(self, self._none)


def say_none(view: QAbstractItemView, words: str) -> None:
    """Write into a list that has no row why; call it when the list has been painted."""
    if view.model().rowCount() == 0:
        painter = QPainter(view.viewport())
        painter.setPen(view.palette().text().color())  # a placeholder is too pale to be read
        painter.drawText(view.viewport().rect(), int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), words)
        painter.end()


class TableModel(QAbstractTableModel):
    """Rows of texts below titles. A subclass says how many rows there are and what a cell holds.

    ``numeric`` are the columns that stand at the right.
    """

    numeric: Collection[int] = ()

    def count(self) -> int:
        """Number of rows."""
        raise NotImplementedError

    def titles(self) -> Sequence[str]:
        """Titles of the columns."""
        raise NotImplementedError

    def title_tip(self, column: int) -> str:
        """What a column means."""
        return ""

    def text(self, row: int, column: int) -> str:
        """What a cell holds."""
        raise NotImplementedError

    def tip(self, row: int, column: int) -> str:
        """Tooltip of a cell."""
        return ""

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else self.count()

    def columnCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self.titles())

    def _side(self, column: int) -> int:
        return RIGHT if column in self.numeric else LEFT

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.tip(row, column) or None
        return self._side(column) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or section >= len(self.titles()):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.titles()[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.title_tip(section) or None
        return self._side(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def rows_moved(self, before: Sequence[Hashable], after: Sequence[Hashable]) -> None:
        """Say that rows have other places: what is selected goes with them. As many rows as before, named so."""
        self.layoutAboutToBeChanged.emit()
        row_of, held = {key: row for row, key in enumerate(after)}, self.persistentIndexList()
        places = [(row_of.get(before[each.row()], -1), each.column()) for each in held]
        self.changePersistentIndexList(held, [self.index(*place) for place in places])
        self.layoutChanged.emit()

    def rows_changed(self) -> None:
        """Have all cells read again."""
        if self.count():
            self.dataChanged.emit(self.index(0, 0), self.index(self.count() - 1, self.columnCount() - 1))


class TextRows(TableModel):
    """Rows of texts, written when they come in sight; ``tips`` say what the columns mean."""

    def __init__(self, titles: Sequence[str], numeric: Collection[int], tips: Sequence[str] = ()) -> None:
        super().__init__()
        self._titles, self.numeric, self._tips = tuple(titles), numeric, tuple(tips)
        self._count = 0
        self._write: Callable[[int], tuple[str, ...]] = lambda _: ()

    def show(self, count: int, write: Callable[[int], tuple[str, ...]]) -> None:
        """Show so many rows; ``write`` gives the cells of one by its number."""
        self.beginResetModel()
        self._count, self._write = count, cache(write)
        self.endResetModel()

    def count(self) -> int:
        return self._count

    def titles(self) -> tuple[str, ...]:
        return self._titles

    def title_tip(self, column: int) -> str:
        return self._tips[column] if self._tips else ""

    def text(self, row: int, column: int) -> str:
        return self._write(row)[column]

    def tip(self, row: int, column: int) -> str:
        return self.text(row, column)
