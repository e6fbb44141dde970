"""The list of runs: two lines each, with state, progress, time left, what it found and number of features."""

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from fsdesk.app.parts import Card, named
from fsdesk.app.runs import Run, Runs
from fsdesk.app.tokens import LIGHT, SPACE, Tokens
from fsdesk.app.words import counted, duration
from fsdesk.methods import METHODS

__all__ = ["RunList", "status_line"]

Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()
_WORDS = {
    "waiting": "waiting for a worker",
    "starting": "starting",
    "running": "running",
    "paused": "paused",
    "stopping": "stopping",
    "finished": "finished",
    "stopped": "stopped, can be resumed",
    "failed": "failed, can be resumed",
    "interrupted": "interrupted, can be resumed",
    "elsewhere": "not finished, in the other window",
}
_COLOURS = {
    "running": "accent",
    "starting": "accent",
    "finished": "success",
    "failed": "danger",
    "paused": "warning",
    "elsewhere": "accent",
}


def status_line(run: Run) -> str:
    """The second line: state, time left."""
    text = _WORDS[run.phase]
    left = run.seconds_left
    if run.phase == "running" and left is not None:
        text += f", at most {duration(left)} left"
    return text


class _Model(QAbstractListModel):
    def __init__(self, runs: Runs) -> None:
        super().__init__()
        self._runs = runs
        self.order: list[Run] = []
        runs.listed.connect(self.reload)

    def reload(self) -> None:
        self.beginResetModel()
        self.order = sorted(self._runs, key=lambda run: -run.id)
        self.endResetModel()

    def rowCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else len(self.order)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        run = self.order[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return run
        best = run.state.best
        value = f"{run.state.criterion.title} {run.state.criterion.text(best.mean)}" if best else ""
        found = f"{value} with {counted(int(best.mask.sum()), 'feature')}" if best else "no result yet"
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{run.spec.data_name}: {run.title}, seed {run.spec.seed}, {status_line(run)}, {found}"
        if role == Qt.ItemDataRole.ToolTipRole:
            reason = f"\n{run.state.reason}" if run.state.reason else ""
            return f"{run.spec.data_name}, {run.title}, seed {run.spec.seed}\n{status_line(run)}{reason}\n{found}"
        return None


def _value(run: Run) -> str:
    """What the run found, with the name of the criterion where it is not the usual one."""
    best, criterion = run.state.best, run.state.criterion
    if best is None:
        return ""
    text = criterion.text(best.mean)
    return text if criterion.name == "error" else f"{criterion.title.partition(',')[0]} {text}"


class _Delegate(QStyledItemDelegate):
    HEIGHT = 60

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.tokens: Tokens = LIGHT

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        lines = 2 * option.fontMetrics.height()
        return QSize(200, max(self.HEIGHT, lines + 28))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        run: Run = index.data(Qt.ItemDataRole.UserRole)
        area: QRect = option.rect
        font: QFont = option.font
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self.tokens.accent_soft))
            painter.drawRoundedRect(QRectF(area).adjusted(0, 1, 0, -1), 6, 6)
        inside = area.adjusted(SPACE, 6, -SPACE, -SPACE)
        bold = QFont(font)
        bold.setWeight(QFont.Weight.DemiBold)
        best = run.state.best
        self._line(
            painter,
            inside,
            bold,
            f"{run.spec.data_name} · {METHODS[run.spec.method].brief} · seed {run.spec.seed}",
            _value(run),
        )
        small = QFont(font)
        small.setPointSizeF(font.pointSizeF() * 0.9)
        second = inside.adjusted(0, painter.fontMetrics().height() + 2, 0, 0)
        size = counted(int(best.mask.sum()), "feature") if best else ""
        self._line(painter, second, small, status_line(run), size, muted=True)
        bar = QRectF(inside.left(), area.bottom() - SPACE - 1, inside.width(), 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.tokens.hover))
        painter.drawRoundedRect(bar, 2, 2)
        painter.setBrush(QColor(getattr(self.tokens, _COLOURS.get(run.phase, "control"))))
        bar.setWidth(max(4.0, bar.width() * run.progress))
        painter.drawRoundedRect(bar, 2, 2)
        painter.restore()

    def _line(self, painter: QPainter, area: QRect, font: QFont, left: str, right: str, *, muted: bool = False) -> None:
        painter.setFont(font)
        painter.setPen(QColor(self.tokens.muted if muted else self.tokens.text))
        metrics = painter.fontMetrics()
        room = area.width() - metrics.horizontalAdvance(right) - SPACE
        painter.drawText(area, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop), right)
        text = metrics.elidedText(left, Qt.TextElideMode.ElideRight, room)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop), text)


class RunList(Card):
    """The card; ``chosen`` tells the run that the user wants to see."""

    chosen = Signal(object)

    def __init__(self, runs: Runs) -> None:
        super().__init__("Runs")
        self.setObjectName("runsCard")
        self.model = _Model(runs)
        self.view = QListView()
        named(self.view, "runs", "Runs of this project, newest first")
        self.view.setModel(self.model)
        self.view.setUniformItemSizes(True)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._delegate = _Delegate(self.view)
        self.view.setItemDelegate(self._delegate)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.view.selectionModel().currentChanged.connect(self._on_current)
        self.add_content(self.view, "Every run of this project will be kept here.")
        runs.listed.connect(self._look)
        self._look()

    def select(self, run: Run | None) -> None:
        """Mark a run as the one that is shown."""
        if run in self.model.order:
            self.view.setCurrentIndex(self.model.index(self.model.order.index(run), 0))

    def _look(self) -> None:
        self.set_empty(not self.model.order)

    def refresh(self) -> None:
        """Paint the present states."""
        self.view.viewport().update()

    def _on_current(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(self.model.order[index.row()])

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        self._delegate.tokens = tokens
        self.refresh()
