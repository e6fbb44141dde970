"""Subsets that are as good as the answer: a list of them, and of how often each feature is in them."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from fsdesk.app.look.parts import column, label, named
from fsdesk.app.look.translation import localised, number, tr
from fsdesk.engine import RunState

if TYPE_CHECKING:
    from fsdesk.results.peers import Peers

__all__ = ["PeersView"]

Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_MOST_FEATURES = 500


class _Rows(QAbstractTableModel):
    """Rows of texts, written when they come in sight; numbers to the right."""

    def __init__(self, titles: tuple[str, ...], left: tuple[int, ...]) -> None:
        super().__init__()
        self._titles, self._left = titles, left
        self._count = 0
        self._write: Callable[[int], tuple[str, ...]] = lambda _: ()

    def show(self, count: int, write: Callable[[int], tuple[str, ...]]) -> None:
        self.beginResetModel()
        self._count, self._write = count, cache(write)
        self.endResetModel()

    def rowCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else len(self._titles)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT if index.column() in self._left else _RIGHT
        wanted = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
        return self._write(index.row())[index.column()] if role in wanted else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT if section in self._left else _RIGHT
        return self._titles[section] if role == Qt.ItemDataRole.DisplayRole else None


class PeersView(QWidget):
    """Two lists; ``wanted`` tells the mask (p,) of a subset that the user wants to look at."""

    wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._peers: Peers | None = None
        self.words = label("", "muted", wrap=True)
        named(self.words, "peersWords", tr("How many subsets are equally good"))
        self._subsets = _Rows((tr("Features"), tr("Value"), tr("Measured"), tr("Other than the answer")), (3,))
        self._features = _Rows((tr("Feature"), tr("In how many of them")), (0,))
        self.list = _list("peers", tr("Equally good subsets; Enter looks at one"), self._subsets, 3)
        self.list.setToolTip(tr("Double-click or press Enter to look at a subset"))
        self.list.activated.connect(self._open)
        self.often = _list("peerFeatures", tr("How often each feature is in them"), self._features, 0)
        layout = column(self.words, self.list, self.often)
        layout.setStretch(1, 3)
        layout.setStretch(2, 2)
        self.setLayout(layout)

    def show_peers(self, state: RunState, peers: "Peers") -> None:
        """Show the equally good subsets of a run."""
        if peers is self._peers:
            return
        self._peers = peers
        criterion = state.criterion
        limit, measured = localised(criterion.text(peers.limit)), number(peers.measured)
        if peers.measured == 1:
            said = tr("No other subset was measured.")
        elif peers.number == 1:
            said = tr(
                "No other of the {measured} subsets that were measured comes within one standard error of the answer "
                "({limit}).",
                measured=measured, limit=limit,
            )  # fmt: skip
        else:
            said = tr(
                "Within one standard error of the answer ({limit}): {number} of the {measured} subsets that were "
                "measured. Features in nearly all of them matter; those in few can be exchanged. A subset that was "
                "measured once may owe its place to luck.",
                number=number(peers.number), measured=measured, limit=limit,
            )  # fmt: skip
        self.words.setText(said)
        answer = state.best.mask if state.best is not None else peers.shown[0].mask
        names = state.features

        def subset(row: int) -> tuple[str, ...]:
            peer = peers.shown[row]
            return (
                number(peer.size),
                localised(criterion.text(peer.error)),
                tr("{times} ×", times=number(peer.times)) if peer.times else "–",
                tr("the answer") if peer.answer else _difference(names, answer, peer.mask),
            )

        def often(row: int) -> tuple[str, ...]:
            return names[order[row]], number(100 * peers.frequency[order[row]], ".0f") + " %"

        self._subsets.show(len(peers.shown), subset)
        order = np.argsort(-peers.frequency, kind="stable")[:_MOST_FEATURES]
        self._features.show(int(np.count_nonzero(peers.frequency[order] > 0)), often)
        self.often.setVisible(peers.number > 1)  # of the answer alone there is nothing to count

    def _open(self, index: QModelIndex) -> None:
        if self._peers is not None and index.isValid():
            self.wanted.emit(self._peers.shown[index.row()].mask)


def _difference(names: tuple[str, ...], answer: Any, mask: Any) -> str:
    """What a subset has more and less than the answer: "+ area, texture; − radius"."""
    more, less = np.flatnonzero(mask & ~answer), np.flatnonzero(answer & ~mask)
    parts = [f"{sign} {_some(names, some)}" for sign, some in (("+", more), ("−", less)) if len(some)]
    return "; ".join(parts)


def _some(names: tuple[str, ...], places: NDArray[np.int64]) -> str:
    shown = ", ".join(names[at] for at in places[:4].tolist())
    return shown if len(places) <= 4 else tr("{names} and {more} more", names=shown, more=len(places) - 4)


def _list(name: str, spoken: str, model: QAbstractTableModel, wide: int) -> QTableView:
    view = QTableView()
    named(view, name, spoken)
    view.setModel(model)
    view.setShowGrid(False)
    view.setTabKeyNavigation(False)
    view.setWordWrap(False)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.verticalHeader().hide()
    view.verticalHeader().setDefaultSectionSize(26)
    header = view.horizontalHeader()
    header.setHighlightSections(False)
    for at in range(model.columnCount()):
        header.setSectionResizeMode(at, QHeaderView.ResizeMode.Stretch if at == wide else QHeaderView.ResizeMode.Fixed)
        if at != wide:
            header.resizeSection(at, max(72, header.sectionSizeHint(at) + 6))
    return view
