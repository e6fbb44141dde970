"""The table of the compare page: one line for each method on each data set, or for each run; sortable by any column."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from fsdesk.app.look.translation import declared, localised, mark, tr
from fsdesk.app.look.words import duration, variant
from fsdesk.results.comparison import MEASURES, Cell, Comparison, Entry, best_of

__all__ = ["CompareModel"]

Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()
_FIRST = 4  # columns before the measures
_SEEDS = 3
_LONGEST = 12  # letters of a title in one line
_HEADERS = (  # titles, and what they mean
    (mark("Data"), ""),
    (mark("Method"), ""),
    (mark("Model"), ""),
    (mark("Seeds"), mark("How many runs with different seeds the line is the mean of.")),
    (mark("On unseen rows"), mark("The honest error on rows that no search saw, with its 95 % interval over rows.")),
    (
        mark("Better by"),
        mark("By how much the answer is better than all features on the same unseen rows, with its 95 % interval."),
    ),
    (mark("In the search"), mark("What the search itself saw: optimistic, the best of many noisy measurements.")),
    (mark("On fresh folds"), mark("The answer measured again on folds that its search has not seen.")),
    (mark("Features"), mark("How many features the answer has.")),
    (mark("Measurements"), mark("How many subsets were measured.")),
    (mark("Time"), mark("Time spent measuring.")),
)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


def _folded(title: str) -> str:
    """A long title in two lines, so that all columns fit a small window in any language."""
    first, _, last = title.rpartition(" ")
    return f"{first}\n{last}" if len(title) > _LONGEST and first else title


@dataclass(frozen=True, eq=False)
class _Line:
    row: tuple[str, str]
    column: tuple[str, str]
    cell: Cell
    texts: tuple[str, ...]
    best: frozenset[int]


class CompareModel(QAbstractTableModel):
    """Lines by data set, method and model; the best error on unseen rows has a star and is bold."""

    def __init__(self) -> None:
        super().__init__()
        self._comparison = Comparison((), (), {})
        self._each = False
        self._sort = (-1, Qt.SortOrder.AscendingOrder)
        self.lines: list[_Line] = []

    def show(self, comparison: Comparison, *, each: bool) -> None:
        """Show methods, or each run by itself."""
        self.beginResetModel()
        self._comparison, self._each = comparison, each
        self.lines = [line for column in comparison.columns for line in self._lines_of(column)]
        self._arrange()
        self.endResetModel()

    def _lines_of(self, column: tuple[str, str]) -> list[_Line]:
        made, shown = self._comparison, []
        for row in made.rows:
            cell = made.cells.get((row, column))
            if cell is not None:
                shown += [Cell((entry,)) for entry in cell.entries] if self._each else [cell]
        best = {measure: best_of(shown, measure) for measure in MEASURES}
        lines = []
        for at, cell in enumerate(shown):
            row, alone = cell.entries[0].row, Comparison.of(cell.entries)
            texts = [alone.text(row, column, measure) for measure in MEASURES]
            places = frozenset(place for place, measure in enumerate(MEASURES) if at in best[measure])
            lines.append(_Line(row, column, cell, tuple(texts), places))
        return lines

    def entries(self, rows: list[int]) -> list[Entry]:
        """The runs of some lines."""
        return [entry for row in rows if row < len(self.lines) for entry in self.lines[row].cell.entries]

    def rowCount(self, parent: Index = _NONE) -> int:
        """Lines."""
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: Index = _NONE) -> int:
        """Data, method, model and seeds, then the measures."""
        return 0 if parent.isValid() else _FIRST + len(MEASURES)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Titles, and what they mean."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _folded(tr("Seed") if section == _SEEDS and self._each else tr(_HEADERS[section][0]))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section >= _SEEDS else _LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            return tr(_HEADERS[section][1]) if _HEADERS[section][1] else None
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Words, with a star at the best."""
        line, column = self.lines[index.row()], index.column()
        place = column - _FIRST
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            text = self._text(line, column)
            if role == Qt.ItemDataRole.AccessibleTextRole and place in line.best:
                return tr("{value}, the best", value=text)
            return f"★ {text}" if place in line.best else text
        if role == Qt.ItemDataRole.FontRole and place in line.best:
            font = QFont()
            font.setBold(True)
            return font
        if role == Qt.ItemDataRole.TextAlignmentRole and column >= _FIRST - 1:
            return _RIGHT
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(line, column)
        return None

    def _text(self, line: _Line, column: int) -> str:
        criterion = Comparison.criterion(line.column)
        if column == 0:
            return line.column[0] if criterion.name == "error" else f"{line.column[0]} · {declared(criterion.title)}"
        if column < 3:
            return variant(line.row[column - 1])
        if column == 3:
            return str(line.cell.entries[0].seed if self._each else len(line.cell.entries))
        measure, text = MEASURES[column - _FIRST], line.texts[column - _FIRST]
        if measure == "seconds":
            summary = line.cell.summary("seconds")
            return duration(summary.mean) if summary is not None and summary.mean > 0 else ""
        if text and measure in ("search", "fresh", "honest") and criterion.unit == "%":
            return f"{localised(text)} %"
        return localised(text) or "–"

    def _tip(self, line: _Line, column: int) -> str | None:
        place = column - _FIRST
        if column in (1, 2):  # where it has no room its end is left out
            return self._text(line, column)
        if place >= 0 and MEASURES[place] == "honest" and line.texts[place] == "":
            if not line.cell.entries[0].run:
                return tr("Nothing was chosen here, so the error of the whole table is no more optimistic than this.")
            return tr("Not measured: choose Measure the honest error in the menu Run on the Search page.")
        if self._comparison.mixed(line.column):
            return tr("Runs on this data were measured in different ways: their errors do not quite compare.")
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """By text or by number; lines without a value come last."""
        self.layoutAboutToBeChanged.emit()
        self._sort = (column, order)
        self._arrange()
        self.layoutChanged.emit()

    def _arrange(self) -> None:
        column, order = self._sort
        if column < 0:
            return
        down = order == Qt.SortOrder.DescendingOrder
        if column < 3:
            self.lines.sort(key=lambda line: self._text(line, column).casefold(), reverse=down)
            return

        def key(line: _Line) -> float:
            if column == 3:
                return float(self._text(line, column))
            summary = line.cell.summary(MEASURES[column - _FIRST])
            missing = -np.inf if down else np.inf
            return missing if summary is None else summary.mean

        self.lines.sort(key=key, reverse=down)
