"""The features of one subset as a table, and how its columns share the room."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QMenu, QTableView

from fsdesk.app.look.tables import fitting_width
from fsdesk.app.look.translation import declared, localised, mark, tr
from fsdesk.data.annotations import Annotations
from fsdesk.engine import RunState
from fsdesk.measure import CRITERIA, Criterion
from fsdesk.results.curve import drawn
from fsdesk.results.formulas import harmless

if TYPE_CHECKING:
    from fsdesk.results.singles import Singles

__all__ = ["AnswerColumns", "AnswerModel", "Index"]


Index = QModelIndex | QPersistentModelIndex
Floats = NDArray[np.float64]
_NONE = QModelIndex()
_READ = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_WRITTEN = _READ | Qt.ItemFlag.ItemIsEditable  # made once: Qt asks a hundred thousand times
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, eq=False)
class _Column:
    """One column: its title, its explanation, and its numbers or texts, one for each feature of the subset."""

    title: str
    help: str
    values: Floats | tuple[str, ...]
    write: Callable[[float], str] = "{:.3g}".format
    editable: bool = False

    @property
    def is_text(self) -> bool:
        return isinstance(self.values, tuple)

    def text(self, place: int) -> str:
        if isinstance(self.values, tuple):
            return self.values[place]
        value = float(self.values[place])
        return "" if np.isnan(value) else localised(self.write(value))

    def texts(self, places: Sequence[int]) -> list[str]:
        """What is written at some places."""
        if isinstance(self.values, tuple):
            return [self.values[place] for place in places]
        return ["" if value != value else self.write(value) for value in self.values[np.asarray(places)].tolist()]

    def cells(self, places: Sequence[int]) -> list[str]:
        """The same for a spreadsheet; a number that begins with a digit, as most do, need not be looked at."""
        texts = self.texts(places)
        if self.is_text:
            return list(map(_cell, texts))
        return [text if text[:1].isdecimal() else _cell(text) for text in texts]

    def order(self, falling: bool) -> NDArray[np.int64]:
        """Places in order; what is unknown comes last."""
        if isinstance(self.values, tuple):
            keys = [text.casefold() for text in self.values]
            return np.array(sorted(range(len(keys)), key=keys.__getitem__, reverse=falling), dtype=np.int64)
        return np.argsort(-self.values if falling else self.values, kind="stable")


class AnswerModel(QAbstractTableModel):
    """Sorted and filtered here. ``noted`` tells a feature and the note that the user wrote about it."""

    noted = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self._columns: list[_Column] = []
        self._places: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._names: tuple[str, ...] = ()
        self._shown: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._sorted_by, self._falling, self._wanted = 0, False, ""
        self._known: Annotations | None = None
        self._about: list[_Column] = []
        self._folded: list[str] = []
        self.described = 0

    def show(
        self, state: RunState | None, mask: NDArray[np.bool_] | None, singles: "Singles | None", known: Annotations
    ) -> None:
        """Show the features of a subset of a run."""
        titles = [column.title for column in self._columns]
        if state is None or mask is None:
            self._places, self._names, columns = np.empty(0, dtype=np.int64), (), list[_Column]()
        else:
            places = np.flatnonzero(mask)
            names = tuple(map(state.features.__getitem__, places.tolist()))
            if known is not self._known or names != self._names:
                self._take(names, known)
            self._places = places
            columns = self._made(state, singles)
        self.beginResetModel()
        sorted_by = titles[self._sorted_by] if self._sorted_by < len(titles) else ""
        self._columns = columns
        new = [column.title for column in columns]
        self._sorted_by = new.index(sorted_by) if sorted_by in new else 0
        self._arrange()
        self.endResetModel()

    def _take(self, names: tuple[str, ...], known: Annotations) -> None:
        """Look up once what does not change while more is measured."""
        self._names, self._known, self._folded = names, known, []
        self.described = sum(map(known.texts.__contains__, names))
        self._about = [
            _Column(title, tr('Column of "{file}"', file=known.source), texts)
            for title, texts in zip(known.columns, self._described(known), strict=True)
        ]
        notes = tuple(map(known.notes.get, names, repeat("")))
        told = tr("Your own words about the feature: double-click or press F2 to write")
        self._about.append(_Column(tr("Note"), told, notes, editable=True))

    def _made(self, state: RunState, singles: "Singles | None") -> list[_Column]:
        weights = None if state.best is None or state.best.weights is None else state.best.weights[self._places]
        frequency = None if state.frequency is None else state.frequency[self._places]
        columns = [
            _Column(
                tr("Rank"),
                tr("Order by weight, of equal weights by frequency"),
                _ranks(weights, frequency, len(self._places)),
                "{:.0f}".format,
            ),
            _Column(tr("Feature"), tr("Features of the subset"), self._names),
        ]
        if weights is not None:
            told = tr("What the search thought of the feature when it found the answer, 0 to 1")
            columns.append(_Column(tr("Weight"), told, weights, "{:.2f}".format))
        if frequency is not None:
            told = tr("Share of all masks measured that hold the feature: near 100 % is sure")
            columns.append(_Column(tr("Frequency"), told, 100 * frequency, "{:.0f} %".format))
        return [*columns, *_alone(state.criterion, singles), *self._about]

    def _described(self, known: Annotations) -> list[tuple[str, ...]]:
        if not known.columns:
            return []
        blank = ("",) * len(known.columns)
        rows = [known.texts.get(name, blank) for name in self._names]
        return [tuple(row[place] for row in rows) for place in range(len(known.columns))]

    def find(self, text: str) -> None:
        """Show only the rows of which some text holds this one."""
        self.beginResetModel()
        self._wanted = text.casefold()
        self._arrange()
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.beginResetModel()
        self._sorted_by, self._falling = column, order == Qt.SortOrder.DescendingOrder
        self._arrange()
        self.endResetModel()

    def _arrange(self) -> None:
        if not self._columns:
            self._shown = np.empty(0, dtype=np.int64)
            return
        column = self._columns[min(self._sorted_by, len(self._columns) - 1)]
        order = column.order(self._falling)
        if self._wanted:
            if not self._folded:
                texts = [each.values for each in self._columns if isinstance(each.values, tuple)]
                self._folded = ["\t".join(cells).casefold() for cells in zip(*texts, strict=True)]
            order = np.array([at for at in order if self._wanted in self._folded[at]], dtype=np.int64)
        self._shown = order

    @property
    def names(self) -> list[str]:
        """The features shown, in the order shown."""
        return list(map(self._names.__getitem__, self._shown.tolist()))

    @property
    def total(self) -> int:
        """Number of features of the subset."""
        return len(self._names)

    @property
    def texts(self) -> list[bool]:
        """Which columns hold texts."""
        return [column.is_text for column in self._columns]

    def lines(self, rows: Sequence[int]) -> str:
        """Rows as tab-separated text under the titles, for a spreadsheet: no cell can be taken for a formula."""
        places = self._shown[np.asarray(rows, dtype=np.int64)].tolist()
        columns = [[_cell(column.title), *column.cells(places)] for column in self._columns]
        return "\n".join(map("\t".join, zip(*columns, strict=True)))

    def rowCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return _WRITTEN if self._columns[index.column()].editable else _READ

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column = self._columns[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT if column.is_text else _RIGHT
        wanted = {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole}
        if column.is_text:
            wanted.add(Qt.ItemDataRole.ToolTipRole)
        return column.text(int(self._shown[index.row()])) if role in wanted else None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not self._columns[index.column()].editable:
            return False
        if str(value) != self.data(index):
            self.noted.emit(self._names[self._shown[index.row()]], str(value))
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or section >= len(self._columns):
            return None
        column = self._columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.help
        return (_LEFT if column.is_text else _RIGHT) if role == Qt.ItemDataRole.TextAlignmentRole else None


def _cell(text: str) -> str:
    """A text in one line that is no formula; a word is both."""
    return text if not text or text.isidentifier() else harmless(" ".join(text.split()))


def _ranks(weights: Floats | None, frequency: Floats | None, size: int) -> Floats:
    """(size,) 1 for the first."""
    keys = [np.zeros(size) if values is None else -values for values in (frequency, weights)]
    ranks = np.empty(size)
    ranks[np.lexsort(keys)] = np.arange(1, size + 1)
    return ranks


def _alone(criterion: Criterion, singles: "Singles | None") -> list[_Column]:
    """What each feature is worth by itself."""
    if singles is None:
        return []
    title = declared(CRITERIA[criterion.name].title).partition(",")[0]
    told = tr(
        "{criterion} of the model with this feature alone, on fresh folds. Features that are poor alone can be good "
        "together.",
        criterion=declared(criterion.title),
    )
    losses = np.where(np.isfinite(singles.losses), singles.losses, np.nan)
    write = "{:.1f} %".format if criterion.unit == "%" else "{:.3g}".format
    alone = _Column(tr("{criterion} alone", criterion=title), told, drawn(criterion, losses), write)
    f = tr("F statistic of the feature by itself, from all rows: larger is better; it sees no more than shifted means")
    information = tr("Mutual information with the target in nats, from all rows: 0 is none; it sees any dependence")
    return [
        alone,
        _Column("F", f, singles.f, "{:.2f}".format),
        _Column(tr("Information"), information, singles.information, "{:.2f}".format),
    ]


_WIDEST, _NAME, _SHORT, _NOTE, _NOTED = 260, 116, 76, 56, 200
_ARROW = 18  # room for the arrow of the order, which only one heading has
_GIVE_WAY = (mark("Information"), "F", mark("Rank"))


class AnswerColumns(QObject):
    """Widths of the columns; ``menu`` lets the user say which are shown, else as many are as fit."""

    def __init__(self, view: QTableView) -> None:
        super().__init__(view)
        self._view = view
        self._texts: Sequence[bool] = ()
        self._widths: list[int] = []
        self._asked: dict[str, bool] = {}
        self.menu = QMenu(view)
        self.menu.setObjectName("answerColumns")
        self.menu.aboutToShow.connect(self._offer)
        view.viewport().installEventFilter(self)
        view.horizontalHeader().sortIndicatorChanged.connect(lambda *_: self.measure(self._texts))

    def measure(self, texts: Sequence[bool]) -> None:
        """Measure the columns anew; ``texts`` says which hold texts, and the last one is for notes."""
        self._texts = texts
        header = self._view.horizontalHeader()
        self._widths = []
        for at in range(len(texts)):
            self._view.setColumnHidden(at, False)  # else its heading needs no room
            spare = 0 if at == header.sortIndicatorSection() else _ARROW
            self._widths.append(fitting_width(self._view, at, spare))
        self._share()

    def _title(self, at: int) -> str:
        model = self._view.model()
        return str(model.headerData(at, Qt.Orientation.Horizontal))

    def _share(self) -> None:
        if not self._widths:
            return
        last = len(self._widths) - 1
        least = [min(wide, _NAME) if self._texts[at] else wide for at, wide in enumerate(self._widths)]
        least[last] = max(_NOTE, min(_NAME, self._widths[last]))
        room = self._view.viewport().width()
        hidden = {at for at in range(last) if not self._asked.get(self._title(at), True)}
        for title in _GIVE_WAY:
            at = next((at for at in range(last) if self._title(at) == tr(title)), -1)
            if at >= 0 and self._title(at) not in self._asked and self._taken(least, hidden) > room:
                hidden.add(at)
        spare = room - self._taken(least, hidden)
        if spare < 0:
            name = self._texts.index(True)
            notes = max(_NOTE, least[last] + spare)  # the words under the pointer have the whole note
            names = least[name] + spare + least[last] - notes
            if names >= _SHORT:  # a short name before a list that scrolls sideways, not in one that does
                least[last], least[name] = notes, names
            spare = 0
        for at in range(last):
            self._view.setColumnHidden(at, at in hidden)
        noted = _NOTED if self._widths[last] > _NOTE else 0
        for most, left in ((_WIDEST, 0), (room, noted)):  # names and descriptions take what is left, then the notes
            for at in range(last):
                if self._texts[at] and at not in hidden:
                    more = max(0, min(spare - left, min(most, self._widths[at]) - least[at]))
                    least[at], spare = least[at] + more, spare - more
        for at in range(last):
            self._view.horizontalHeader().resizeSection(at, least[at])
        self._view.horizontalHeader().resizeSection(last, least[last])

    @staticmethod
    def _taken(widths: Sequence[int], hidden: set[int]) -> int:
        return sum(wide for at, wide in enumerate(widths) if at not in hidden)

    def _offer(self) -> None:
        self.menu.clear()
        for at in range(len(self._widths) - 1):
            action = self.menu.addAction(self._title(at))
            action.setCheckable(True)
            action.setChecked(not self._view.isColumnHidden(at))
            action.toggled.connect(lambda on, at=at: self._ask(at, on))

    def _ask(self, at: int, shown: bool) -> None:
        self._asked[self._title(at)] = shown
        self._share()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._share()
        return super().eventFilter(watched, event)
