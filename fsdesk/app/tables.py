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
_BESIDE_ARROW = " " * 5  # the style draws the sort arrow at the left


class Header(QHeaderView):
    """A header that leaves room for the sort arrow, which would cover the first letters."""

    def __init__(self, orientation: Qt.Orientation) -> None:
        super().__init__(orientation)
        self.setSectionsClickable(True)  # like the default headers of a table
        self.setHighlightSections(True)

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:
        super().initStyleOptionForIndex(option, section)
        ordered = self.isSortIndicatorShown() and section == self.sortIndicatorSection()
        if ordered and option.textAlignment & Qt.AlignmentFlag.AlignLeft:
            option.text = _BESIDE_ARROW + option.text


def table_view(name: str, spoken: str, none: str = "") -> QTableView:
    """A plain read-only table; ``none`` is its text without rows."""
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
    """A table with row selection: the first column takes the space left by the others with the given widths."""
    view = table_view(name, spoken, none)
    view.setModel(model)
    view.setShowGrid(False)
    view.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # names often differ only at their ends
    view.verticalHeader().hide()
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    header = view.horizontalHeader()
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    for column, width in enumerate(widths, 1):
        header.resizeSection(column, width)
    return view


def offer_sorting(view: QTableView) -> None:
    """Offer sorting by column in the context menu, for keyboard users; a second time reverses the order."""
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
    """The selected rows, ascending; by ranges, because for twenty thousand rows every cell would be queried."""
    selection = view.selectionModel().selection()
    ranges = [selection.at(place) for place in range(selection.size())]
    return sorted({row for each in ranges for row in range(each.top(), each.bottom() + 1)})


def select_rows(view: QAbstractItemView, rows: Sequence[int]) -> None:
    """Select whole rows in addition to the selected ones, in one step; ``rows`` are ascending."""
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
    """Restore the selected rows and the current one while a list is rebuilt.

    ``keys`` identify the rows, in order; if the current one is gone, the one in its place becomes current.
    """
    before, current, keep = keys(), view.currentIndex(), QItemSelectionModel.SelectionFlag.NoUpdate
    marked, column = {before[row] for row in chosen_rows(view)}, current.column()
    held, place = (before[current.row()], current.row()) if current.isValid() else (None, -1)
    yield
    row_of = {key: row for row, key in enumerate(keys())}
    select_rows(view, sorted(row_of[key] for key in marked if key in row_of))
    view.selectionModel().setCurrentIndex(view.model().index(row_of.get(held, place), column), keep)


def fitting_width(view: QTableView, column: int, spare: int = 0) -> int:
    """Pixels for the heading and the first rows of a column; a view not shown yet would query every row.

    ``spare`` are pixels of the heading that may be omitted, such as those for the sort arrow.
    """
    model, header = view.model(), view.horizontalHeader()
    rows = range(min(_FITTED_ROWS, model.rowCount()))
    widest = max(rows, key=lambda row: len(str(model.index(row, column).data() or "")), default=-1)
    view.ensurePolished()  # otherwise its letters have another style
    content = view.sizeHintForIndex(model.index(widest, column)).width() if widest >= 0 else 0
    return max(header.sectionSizeHint(column) - spare, content + _BESIDE_TEXT)


class SearchedView(QTableView):
    """A searchable table that says so if nothing matches."""

    def __init__(self, none: str) -> None:
        super().__init__()
        self._none = none

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Start from a visible column: Qt starts from a hidden first one, from which no key leads to another row."""
        current, header = self.currentIndex(), self.horizontalHeader()
        if current.isValid() and self.isColumnHidden(current.column()):
            shown = next(at for at in map(header.logicalIndex, range(header.count())) if not header.isSectionHidden(at))
            keep = QItemSelectionModel.SelectionFlag.NoUpdate
            self.selectionModel().setCurrentIndex(current.siblingAtColumn(shown), keep)
        return super().moveCursor(action, modifiers)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows, or the text for an empty table."""
        super().paintEvent(event)
        say_none(self, self._none)


def say_none(view: QAbstractItemView, words: str) -> None:
    """Draw the reason into a list without rows; call it after the list has been painted."""
    if view.model().rowCount() == 0:
        painter = QPainter(view.viewport())
        painter.setPen(view.palette().text().color())  # a placeholder is too pale to be read
        painter.drawText(view.viewport().rect(), int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), words)
        painter.end()


class TableModel(QAbstractTableModel):
    """Rows of texts with column titles. Subclasses define the number of rows and the cell texts.

    ``numeric`` columns are right-aligned.
    """

    numeric: Collection[int] = ()

    def count(self) -> int:
        """Number of rows."""
        raise NotImplementedError

    def titles(self) -> Sequence[str]:
        """Titles of the columns."""
        raise NotImplementedError

    def title_tip(self, column: int) -> str:
        """The explanation of a column."""
        return ""

    def text(self, row: int, column: int) -> str:
        """The text of a cell."""
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
        """Announce reordered rows: the selection follows them. The number of rows and their names are unchanged."""
        self.layoutAboutToBeChanged.emit()
        row_of, held = {key: row for row, key in enumerate(after)}, self.persistentIndexList()
        places = [(row_of.get(before[each.row()], -1), each.column()) for each in held]
        self.changePersistentIndexList(held, [self.index(*place) for place in places])
        self.layoutChanged.emit()

    def rows_changed(self) -> None:
        """Reload all cells."""
        if self.count():
            self.dataChanged.emit(self.index(0, 0), self.index(self.count() - 1, self.columnCount() - 1))


class TextRows(TableModel):
    """Rows of texts, created when they come into view; ``tips`` explain the columns."""

    def __init__(self, titles: Sequence[str], numeric: Collection[int], tips: Sequence[str] = ()) -> None:
        super().__init__()
        self._titles, self.numeric, self._tips = tuple(titles), numeric, tuple(tips)
        self._count = 0
        self._write: Callable[[int], tuple[str, ...]] = lambda _: ()

    def show(self, count: int, write: Callable[[int], tuple[str, ...]]) -> None:
        """Show this many rows; ``write`` returns the cells of a row by its number."""
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
