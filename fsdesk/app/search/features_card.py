"""The features of the best mask so far: name, weight, frequency; sortable, searchable, to be copied."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLineEdit, QWidget

from fsdesk.app.look.parts import Card, button, column, label, named
from fsdesk.app.look.tables import SearchedView, chosen_rows
from fsdesk.app.look.translation import mark, number, tr
from fsdesk.engine import RunState

__all__ = ["FeaturesCard", "FeaturesModel"]

Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()
_MOST_HELD = 20
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class FeaturesModel(QAbstractTableModel):
    """One row for each feature of the best mask, sorted and filtered here: a proxy would ask for every cell."""

    TITLES = (mark("Feature"), mark("Weight"), mark("Frequency"))
    HELP = (
        mark("Features of the best mask that was measured"),
        mark("What the search thought of the feature when it found this mask, 0 to 1"),
        mark("Share of all masks measured so far that hold the feature: near 100 % is sure"),
    )

    def __init__(self) -> None:
        super().__init__()
        self._names: tuple[str, ...] = ()
        self._selected: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._shown: NDArray[np.int64] = self._selected
        self._weights: NDArray[np.float64] | None = None
        self._frequency: NDArray[np.float64] | None = None
        self._column, self._falling, self._wanted = 1, True, ""

    @property
    def selected(self) -> int:
        """Number of selected features, shown or filtered away."""
        return len(self._selected)

    @property
    def weighs(self) -> bool:
        """Whether the method has weights."""
        return self._weights is not None

    def show_state(self, state: RunState | None) -> None:
        """Show the best mask of a state as it is now."""
        best = None if state is None else state.best
        self._names = state.features if state is not None else ()
        self._selected = np.flatnonzero(best.mask) if best is not None else np.empty(0, dtype=np.int64)
        self._weights = None if best is None else best.weights
        self._frequency = None if state is None else state.frequency
        self._arrange()

    def find(self, text: str) -> None:
        """Show only the features whose name holds this text."""
        self._wanted = text.casefold()
        self._arrange()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column."""
        self._column, self._falling = column, order == Qt.SortOrder.DescendingOrder
        self._arrange()

    def _arrange(self) -> None:
        """Filter and sort; only where other rows come up is the view told to start anew."""
        shown = self._selected
        if self._wanted:
            shown = np.array([at for at in shown if self._wanted in self._names[at].casefold()], dtype=np.int64)
        values = self._weights if self._column == 1 else self._frequency
        if self._column == 0 or values is None:
            keys = np.array([self._names[at].casefold() for at in shown], dtype=np.str_)
            order = np.argsort(keys, kind="stable")
            shown = shown[order[::-1] if self._falling and self._column == 0 else order]
        else:
            shown = shown[np.argsort(-values[shown] if self._falling else values[shown], kind="stable")]
        if len(shown) != len(self._shown):
            self.beginResetModel()
            self._shown = shown
            self.endResetModel()
        else:
            self._shown = shown
            if len(shown):
                self.dataChanged.emit(self.index(0, 0), self.index(len(shown) - 1, 2))

    @property
    def names(self) -> list[str]:
        """The features shown, in the order shown."""
        return [self._names[at] for at in self._shown.tolist()]

    def lines(self, rows: Sequence[int]) -> str:
        """Rows as tab-separated text."""
        return "\n".join("\t".join(self._text(int(self._shown[row]), column) for column in range(3)) for row in rows)

    def _text(self, feature: int, column: int) -> str:
        values = self._weights if column == 1 else self._frequency
        if column == 0 or values is None:
            return self._names[feature] if column == 0 else ""
        return number(values[feature], ".2f") if column == 1 else number(100 * values[feature], ".0f") + " %"

    def rowCount(self, parent: Index = _NONE) -> int:
        """Features shown."""
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = _NONE) -> int:
        """Name, weight, frequency."""
        return 0 if parent.isValid() else len(self.TITLES)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text to show."""
        feature, column = int(self._shown[index.row()]), index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column else _LEFT
        if column == 0:
            return self._names[feature] if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole) else None
        return self._text(feature, column) or None if role == Qt.ItemDataRole.DisplayRole else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Titles with their explanations."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return tr(self.TITLES[section])
        if role == Qt.ItemDataRole.ToolTipRole:
            return tr(self.HELP[section])
        return (_RIGHT if section else _LEFT) if role == Qt.ItemDataRole.TextAlignmentRole else None


class FeaturesCard(Card):
    """The table with its search and its copy button."""

    def __init__(self) -> None:
        super().__init__(tr("Selected features"))
        self.setObjectName("featuresCard")
        self.count = label("", "caption")
        self.copy = button(tr("Copy"), "copyFeatures", "link", tr("Copy the names of the selected features"))
        self.copy.setToolTip(tr("Copy the names, one a line (Ctrl+Shift+C)"))
        self.copy.clicked.connect(self.copy_names)
        self.head.insertWidget(1, self.count)
        self.head.addWidget(self.copy)
        self.model = FeaturesModel()
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Find a feature"))
        self.search.setClearButtonEnabled(True)
        named(self.search, "findFeature", tr("Find a selected feature"))
        self.search.textChanged.connect(self.model.find)
        self.view = SearchedView(tr("No feature is called so."))
        named(self.view, "features", tr("Selected features"))
        self.view.setModel(self.model)
        self.view.setSortingEnabled(True)
        self.view.sortByColumn(1, Qt.SortOrder.DescendingOrder)
        self.view.setShowGrid(False)
        self.view.setTabKeyNavigation(False)
        self.view.setWordWrap(False)
        self.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # names often differ at their ends alone
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setDefaultSectionSize(26)
        header = self.view.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(1, 80)
        header.resizeSection(2, 92)
        copy = QAction(tr("Copy rows"), self.view)
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self._copy_rows)
        self.view.addAction(copy)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        content = QWidget()
        self.held = label("", "caption")
        named(self.held, "heldFeatures", tr("Features that were steered"))
        content.setLayout(column(self.held, self.search, self.view))
        self.add_content(content, tr("The best features so far will be listed here, ready to copy or export."))
        self.show_state(None)

    def show_state(self, state: RunState | None) -> None:
        """Show the best mask of a state as it is now."""
        self.model.show_state(state)
        self.view.setColumnHidden(1, not self.model.weighs)
        self.set_empty(state is None or state.best is None)
        total = len(state.features) if state is not None else 0
        text = tr("{chosen} of {total}", chosen=number(self.model.selected), total=number(total))
        if state is not None and (state.pinned or state.banned):
            pinned, banned = number(len(state.pinned)), number(len(state.banned))
            self.held.setText(tr("{pinned} pinned, {banned} banned", pinned=pinned, banned=banned))
            held = [*(tr("{name}: always in", name=name) for name in sorted(state.pinned)[:_MOST_HELD]),
                    *(tr("{name}: never in", name=name) for name in sorted(state.banned)[:_MOST_HELD])]  # fmt: skip
            self.held.setToolTip("\n".join(held))
        self.held.setVisible(state is not None and bool(state.pinned or state.banned))
        self.count.setText(text if self.model.selected else "")
        self.copy.setEnabled(self.model.selected > 0)

    def names(self) -> list[str]:
        """The names shown, in the order shown."""
        return self.model.names

    def copy_names(self) -> None:
        """Put the names on the clipboard, one a line."""
        QGuiApplication.clipboard().setText("\n".join(self.names()))

    def _copy_rows(self) -> None:
        QGuiApplication.clipboard().setText(self.model.lines(chosen_rows(self.view)))
