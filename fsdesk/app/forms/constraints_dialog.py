"""Which features are always or never in, and which go together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QVBoxLayout, QWidget

from fsdesk.app.look.dialogs import opened_at
from fsdesk.app.look.parts import button, label, named, row
from fsdesk.app.look.tables import row_list
from fsdesk.app.look.tokens import SPACE
from fsdesk.app.look.translation import declared, mark, tr

__all__ = ["FeaturesDialog", "Wishes", "WishesModel"]


Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()
_FREE, _ALWAYS, _NEVER = 0, 1, 2
_WORDS = ("", mark("always in"), mark("never in"))


@dataclass(frozen=True)
class Wishes:
    """Names of features that are always in, never in, or in and out together."""

    always: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    together: tuple[tuple[str, ...], ...] = ()

    def among(self, features: Sequence[str]) -> "Wishes":
        """Those that can still be fulfilled with these features."""
        if self == Wishes():
            return self  # the usual case need not look at twenty thousand names
        known = set(features)
        groups = (tuple(name for name in group if name in known) for group in self.together)
        return Wishes(
            tuple(name for name in self.always if name in known),
            tuple(name for name in self.never if name in known),
            tuple(group for group in groups if len(group) > 1),
        )


class WishesModel(QAbstractTableModel):
    """One row for each feature whose name holds the text searched for."""

    TITLES = (mark("Feature"), mark("Wish"), mark("Together"))

    def __init__(self, names: Sequence[str], wishes: Wishes) -> None:
        super().__init__()
        self._names = tuple(names)
        self._folded = [name.casefold() for name in names]
        place = {name: at for at, name in enumerate(names)}
        self._state = np.zeros(len(names), dtype=np.int64)
        self._group = np.zeros(len(names), dtype=np.int64)
        for state, wanted in ((_ALWAYS, wishes.always), (_NEVER, wishes.never)):
            self._state[[place[name] for name in wanted]] = state
        for number, group in enumerate(wishes.together, start=1):
            self._group[[place[name] for name in group]] = number
        self._shown = np.arange(len(names))

    def find(self, text: str) -> None:
        """Show only the features whose name holds this text."""
        self.beginResetModel()
        wanted = text.casefold()
        self._shown = np.array([at for at, name in enumerate(self._folded) if wanted in name], dtype=np.int64)
        self.endResetModel()

    def mark(self, rows: Sequence[int], state: int) -> None:
        """Make the features of these rows free, always in or never in."""
        self._state[self._shown[list(rows)]] = state
        self._told()

    def tie(self, rows: Sequence[int], *, together: bool) -> None:
        """Let the features of these rows go together, or each alone; a group of one is none."""
        self._group[self._shown[list(rows)]] = self._group.max(initial=0) + 1 if together else 0
        self._group[np.bincount(self._group)[self._group] < 2] = 0
        self._group = np.unique(np.append(0, self._group), return_inverse=True)[1][1:]
        self._told()

    def _told(self) -> None:
        if len(self._shown):
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._shown) - 1, 2))

    @property
    def wishes(self) -> Wishes:
        """As they are now."""
        groups = range(1, int(self._group.max(initial=0)) + 1)
        return Wishes(
            self._named(self._state == _ALWAYS),
            self._named(self._state == _NEVER),
            tuple(self._named(self._group == number) for number in groups),
        )

    def _named(self, chosen: np.ndarray[Any, np.dtype[np.bool_]]) -> tuple[str, ...]:
        return tuple(self._names[at] for at in np.flatnonzero(chosen))

    def rowCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else len(self.TITLES)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        at = int(self._shown[index.row()])
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._names[at]
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        group = tr("group {number}", number=self._group[at]) if self._group[at] else ""
        return (self._names[at], declared(_WORDS[self._state[at]]), group)[index.column()]

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return tr(self.TITLES[section])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return None


class FeaturesDialog(QDialog):
    """``chosen`` tells the wishes once the user has agreed."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget, names: Sequence[str], wishes: Wishes) -> None:
        super().__init__(parent)
        self.setObjectName("featuresDialog")
        self.setWindowTitle(tr("Wishes about features"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        opened_at(self, 560, 560)
        self.model = WishesModel(names, wishes)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Find a feature"))
        self.search.setClearButtonEnabled(True)
        named(self.search, "findWish", tr("Find a feature"))
        self.search.textChanged.connect(self.model.find)
        none = tr("No feature is called so.")
        self.view = row_list("wishes", tr("Features with your wishes"), self.model, 112, 112, none=none)
        self._lay_out()
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._look())
        self.model.modelReset.connect(self._look)
        self._look()

    def _lay_out(self) -> None:
        self.free = button(tr("Free"), "wishFree", spoken=tr("The search decides about the selected features"))
        self.always = button(tr("Always in"), "wishAlways", spoken=tr("The selected features are in every subset"))
        self.never = button(tr("Never in"), "wishNever", spoken=tr("The selected features are in no subset"))
        self.together = button(tr("Together"), "wishTogether", spoken=tr("The selected features are in or out as one"))
        self.apart = button(tr("Apart"), "wishApart", spoken=tr("The selected features each go alone"))
        for control, state in ((self.free, _FREE), (self.always, _ALWAYS), (self.never, _NEVER)):
            control.clicked.connect(lambda _=False, state=state: self.model.mark(self._rows(), state))
        self.together.clicked.connect(lambda: self.model.tie(self._rows(), together=True))
        self.apart.clicked.connect(lambda: self.model.tie(self._rows(), together=False))
        for control in (self.free, self.always, self.never, self.together, self.apart):
            control.setToolTip(control.accessibleName() + ".")
        agree = button(tr("Use these"), "wishesUse", "primary")
        agree.setDefault(True)
        agree.clicked.connect(self._agree)
        cancel = button(tr("Cancel"), "wishesCancel")
        cancel.clicked.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        layout.setSpacing(12)
        layout.addWidget(label(tr("Wishes about features"), "title"))
        layout.addWidget(
            label(tr("Select features, with Shift or Ctrl several, and say what you want of them."), wrap=True)
        )
        layout.addWidget(self.search)
        layout.addWidget(self.view, 1)
        layout.addLayout(row(self.free, self.always, self.never, None, self.together, self.apart))
        layout.addSpacing(SPACE)
        layout.addLayout(row(None, cancel, agree))

    def _rows(self) -> list[int]:
        # By ranges: an index for each of 20,000 selected rows would take a while.
        selection: Any = self.view.selectionModel().selection()
        chosen = (range(part.top(), part.bottom() + 1) for part in selection)
        return sorted({place for part in chosen for place in part})

    def _look(self) -> None:
        selected = len(self._rows())
        for control in (self.free, self.always, self.never, self.apart):
            control.setEnabled(selected > 0)
        self.together.setEnabled(selected > 1)

    def _agree(self) -> None:
        self.chosen.emit(self.model.wishes)
        self.accept()
