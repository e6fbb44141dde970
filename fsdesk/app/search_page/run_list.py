"""The card of runs: a searchable, sortable list, the number of parallel runs, and the queue."""

import math
from collections.abc import Callable, Sequence
from math import isfinite

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from fsdesk.app.palette import RUN_COLOURS, SPACE
from fsdesk.app.session.run import Run
from fsdesk.app.session.run_queue import RunQueue
from fsdesk.app.style import bold, small, tokens
from fsdesk.app.tables import say_none
from fsdesk.app.translation import duration
from fsdesk.app.widgets import (
    Card,
    Choice,
    ElidedLabel,
    IntegerField,
    button,
    column,
    label,
    named,
    panel,
    row,
    search_field,
)
from fsdesk.messages import counted, localised, number, tr, translated, within
from fsdesk.results.comparison import variants
from fsdesk.wrappers import WRAPPERS

Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()
_COLOURS = {
    "running": "accent",
    "starting": "accent",
    "finished": "success",
    "failed": "danger",
    "paused": "warning",
    "elsewhere": "accent",
}
_TAG = 14


def _best(run: Run) -> tuple[str, float]:
    """Sort by criterion, because errors of different criteria are not comparable, then by loss, smallest first."""
    return run.state.criterion.name, float("inf") if run.state.best is None else run.state.best.mean


def _queue(run: Run) -> tuple[int, float]:
    """Sort active runs first, then queued ones in order, then all others, newest first."""
    if run.searching:
        return 0, float(run.id)
    return (1, run.queued) if run.waiting and run.queued is not None else (2, -float(run.id))


ORDERS: dict[str, Callable[[Run], tuple[object, ...]]] = {
    "newest": lambda run: (-run.id,),
    "queue": _queue,
    "best": _best,
    "name": lambda run: (run.label.casefold(), -run.id),
    "size": lambda run: (int(run.state.best.mask.sum()) if run.state.best is not None else 10**9, -run.id),
}
"""The sort orders of the list, each with the key of a run."""


def status_line(run: Run, place: int = 0, *, paced: bool = False) -> str:
    """The second line: state and time left, the ``place`` in the queue from 1, and, if ``paced``, the rate."""
    words = {
        "waiting": tr("queued (number {place})", place=place) if place else tr("waiting for a worker"),
        "starting": tr("starting"),
        "running": tr("running"),
        "paused": tr("paused"),
        "stopping": tr("stopping"),
        "finished": tr("finished"),
        "stopped": tr("stopped, can be resumed"),
        "failed": tr("failed, can be resumed"),
        "interrupted": tr("interrupted, can be resumed"),
        "elsewhere": tr("unfinished, in the other window"),
    }
    parts = [words[run.phase]]
    if run.phase == "finished" and run.state.best is not None and not isfinite(run.state.best.mean):
        parts = [tr("finished, but nothing could be measured")]
    if run.refused:  # resuming it unchanged would end the same way
        parts = [tr("failed: {reason}", reason=translated(run.state.reason).rstrip("."))]
    if run.phase == "interrupted" and run.state.status == "new":
        parts = [tr("not started yet")]
    rate, left = run.rate, run.seconds_left
    if run.phase == "running" and rate is not None and left is not None:
        if paced:
            parts.append(tr("{rate} per second", rate=number(rate, ",.0f" if rate >= 10 else ".1f")))
        parts.append(tr("at most {time} left", time=duration(left)))
    elif run.phase == "running" and run.searching:
        parts.append(tr("estimating the time left"))
    if run.state.steerings:
        parts.append(tr("changed by hand"))
    return ", ".join(parts)


def names_of(runs: Sequence[Run]) -> dict[int, str]:
    """Names of the runs in a list, by ID: the given name, otherwise the method and what distinguishes the run.

    The latter may be its model, criterion, seed and data; what all runs have in common is omitted.
    """
    several = {
        what: len({of(run) for run in runs}) > 1
        for what, of in (("model", _model), ("criterion", _criterion), ("data", lambda run: run.spec.data_name))
    }
    seeds: dict[tuple[str, ...], set[int]] = {}
    for run in runs:
        seeds.setdefault(_settings(run), set()).add(run.spec.seed)

    def name(run: Run, method: str, model: str, *, with_model: bool) -> str:
        parts = [
            method,
            within(model) if with_model and model != method else "",
            _criterion(run) if several["criterion"] else "",
            tr("seed {seed}", seed=run.spec.seed) if len(seeds[_settings(run)]) > 1 else "",
            run.spec.data_name if several["data"] else "",
        ]
        return " · ".join(filter(None, parts))

    made = {run.id: run.name or name(run, run.method, _model(run), with_model=several["model"]) for run in runs}
    alike: dict[str, list[Run]] = {}
    for run in runs:
        alike.setdefault(made[run.id], []).append(run)
    for same in alike.values():
        if len(same) > 1 and not same[0].name:  # they differ in other settings
            told = variants([run.spec for run in same], [bool(run.state.steering_events) for run in same])
            for run, (method, model) in zip(same, told, strict=True):
                model = translated(model)
                differs = several["model"] or model != translated(WRAPPERS[run.spec.wrapper].brief)
                made[run.id] = name(run, translated(method), model, with_model=differs)
    return made


def _model(run: Run) -> str:
    simple = run.spec.wrapper_settings.get("models") == "simple"
    return tr("simple models") if simple else translated(WRAPPERS[run.spec.wrapper].brief)


def _criterion(run: Run) -> str:
    return translated(run.state.criterion.title)


def _settings(run: Run) -> tuple[str, ...]:
    return run.spec.data_name, run.method, _model(run), _criterion(run)


class RunRows(QAbstractListModel):
    """The runs whose row contains the search text, in the chosen order."""

    def __init__(self, runs: RunQueue) -> None:
        super().__init__()
        self._runs = runs
        self._wanted, self._by = "", "newest"
        self.order: list[Run] = []
        self._names: dict[int, str] = {}

    def name(self, run: Run) -> str:
        """The name of a run in the list."""
        return run.name or self._names.get(run.id, run.label)

    def find(self, text: str) -> None:
        """Show only runs whose row contains every word of this text."""
        self._wanted = text.casefold()

    def sort_by(self, by: str) -> None:
        """Sort by one of ``ORDERS``."""
        self._by = by

    def arranged(self) -> list[Run]:
        """The runs to show now, in order."""
        self._names = names_of(list(self._runs))
        words = self._wanted.split()
        found = [run for run in self._runs if not words or all(word in self._text(run).casefold() for word in words)]
        return sorted(found, key=ORDERS[self._by])

    def show(self, order: list[Run]) -> None:
        """Show these runs."""
        self.beginResetModel()
        self.order = order
        self.endResetModel()

    def rowCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else len(self.order)

    def place(self, run: Run) -> int:
        """The position of a run in the queue, from 1; 0 if it is not queued."""
        return self._runs.waiting.index(run) + 1 if run.waiting else 0

    def _text(self, run: Run) -> str:
        best, honest = run.state.best, run.honest
        value = f"{translated(run.state.criterion.title)} {_number(run)}"
        value = (
            tr("{value} in the search", value=value) if honest is None else tr("{value} on held-out rows", value=value)
        )
        found = (
            tr("{value} with {features}", value=value, features=counted(int(best.mask.sum()), "feature"))
            if best
            else tr("no result yet")
        )
        called = f"{run.name}, " if run.name else ""
        state = status_line(run, self.place(run))
        return called + tr(
            "{data}: {run}, seed {seed}, {state}, {found}",
            data=run.spec.data_name,
            run=run.title,
            seed=run.spec.seed,
            state=state,
            found=found,
        )

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        run = self.order[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return run
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._text(run)
        if role == Qt.ItemDataRole.CheckStateRole:
            return None  # the tag is painted by the delegate
        if role == Qt.ItemDataRole.ToolTipRole:
            steered = [f"{number}: {translated(sentence)}" for number, sentence in run.state.steerings]
            lines = [self._text(run), "" if run.refused else translated(run.state.reason), *steered]
            lines.append(tr("Click the colored square to overlay its curve."))
            return "\n".join(line for line in lines if line)
        return None


def _number(run: Run) -> str:
    """The held-out error of a run; the search error until that is known."""
    best, honest = run.state.best, run.honest
    if honest is not None:
        return honest.value_words()
    return "" if best is None else localised(run.state.criterion.text(best.mean))


def _value(run: Run) -> str:
    """The result of a run, with the name of the criterion if it is not the default."""
    text, criterion = _number(run), run.state.criterion
    if not text:
        return ""
    return text if criterion.name == "error" else f"{translated(criterion.title).partition(',')[0]} {text}"


class RunDelegate(QStyledItemDelegate):
    """Two lines, a bar and a colored tag; ``ticked`` is emitted on a click on the tag."""

    ticked = Signal(object)
    HEIGHT = 48

    def __init__(self, parent: QWidget, rows: RunRows) -> None:
        super().__init__(parent)
        self._rows = rows

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        lines = 2 * option.fontMetrics.height()
        return QSize(200, max(self.HEIGHT, lines + 16))

    @staticmethod
    def tag(area: QRect) -> QRect:
        """Position of a row's tag."""
        return QRect(area.left() + SPACE, area.top() + SPACE + 1, _TAG, _TAG)

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        inside = isinstance(event, QMouseEvent) and self.tag(option.rect).adjusted(-4, -4, 4, 4).contains(
            event.position().toPoint()
        )
        if inside and event.type() == QEvent.Type.MouseButtonRelease:
            self.ticked.emit(index.data(Qt.ItemDataRole.UserRole))
        return inside

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        run: Run = index.data(Qt.ItemDataRole.UserRole)
        area: QRect = option.rect
        font: QFont = option.font
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens().accent_soft))
            painter.drawRoundedRect(QRectF(area).adjusted(0, 1, 0, -1), 6, 6)
        self._draw_tag(painter, run, self.tag(area))
        inside = area.adjusted(2 * SPACE + _TAG, 6, -SPACE, -SPACE)
        best, honest = run.state.best, run.honest
        sure = honest is not None and honest.has_evidence  # no other error is in bold
        self._line(painter, inside, bold(font), self._rows.name(run), _value(run), plain=None if sure else font)
        second = inside.adjusted(0, painter.fontMetrics().height() + 2, 0, 0)
        size = counted(int(best.mask.sum()), "feature") if best else ""
        self._line(painter, second, small(font), status_line(run, self._rows.place(run)), size, muted=True)
        bar = QRectF(inside.left(), area.bottom() - 6, inside.width(), 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens().hover))
        painter.drawRoundedRect(bar, 2, 2)
        painter.setBrush(QColor(getattr(tokens(), _COLOURS.get(run.phase, "control"))))
        bar.setWidth(max(4.0, bar.width() * run.progress))
        painter.drawRoundedRect(bar, 2, 2)
        painter.restore()

    def _draw_tag(self, painter: QPainter, run: Run, place: QRect) -> None:
        colour = QColor(RUN_COLOURS[tokens().mode][run.colour_index])
        painter.setPen(QPen(colour, 2))
        painter.setBrush(colour if run.shown_in_curves else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(place).adjusted(1, 1, -1, -1), 3, 3)
        if run.shown_in_curves:
            painter.setPen(QPen(QColor(tokens().surface), 2))
            corner = QPointF(place.topLeft())
            painter.drawPolyline([corner + QPointF(*at) for at in ((3.5, 7.5), (6, 10), (10.5, 4.5))])

    def _line(
        self,
        painter: QPainter,
        area: QRect,
        font: QFont,
        left: str,
        right: str,
        *,
        muted: bool = False,
        plain: QFont | None = None,
    ) -> None:
        """Draw two texts at the ends of a line; the right one is faint if it has its own plain font."""
        painter.setFont(plain or font)
        painter.setPen(QColor(tokens().muted if muted or plain is not None else tokens().text))
        room = area.width() - painter.fontMetrics().horizontalAdvance(right) - SPACE
        painter.drawText(area, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop), right)
        painter.setFont(font)
        painter.setPen(QColor(tokens().muted if muted else tokens().text))
        metrics = painter.fontMetrics()
        text = metrics.elidedText(left, Qt.TextElideMode.ElideRight, room)  # differences come first
        painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop), text)


_MOST_AT_ONCE = 64
_MANY_HOURS = 90 * 60  # seconds from which times are given in hours


class _View(QListView):
    """Keeps the selected run in view when its size changes, for example when a notice appears."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        row = self.visualRect(self.currentIndex())
        seen = row.isValid() and row.top() >= 0 and row.bottom() < max(event.oldSize().height(), row.height())
        super().resizeEvent(event)
        if seen:
            self.scrollTo(self.currentIndex())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        say_none(self, tr("No runs match your search."))


class RunList(Card):
    """The card; ``chosen`` sends the run to show, ``selected`` is emitted when the selection changes.

    ``at_once_wanted`` sends the number of parallel runs, ``many_wanted`` requests queueing many.
    """

    chosen = Signal(object)
    selected = Signal()
    at_once_wanted = Signal(int)
    many_wanted = Signal()

    def __init__(self, runs: RunQueue) -> None:
        super().__init__(tr("Runs"))
        self.setObjectName("runsCard")
        self._runs = runs
        self.count = ElidedLabel("caption")
        self.many = button(tr("Add many …"), "addMany", "link", tr("Queue many runs: methods, models and seeds"))
        self.many.clicked.connect(self.many_wanted)
        self.head.insertWidget(1, self.count, 100)  # before the gap, which has a stretch of 1
        self.head.addWidget(self.many)
        self.model = RunRows(runs)
        spoken = tr("Find a run by name, data, method, model, seed or state")
        self.search = search_field("findRun", tr("Find a run"), spoken)
        self.order = Choice()
        self.order.offer(
            {
                "newest": tr("Newest"),
                "queue": tr("Run order"),
                "best": tr("Best"),
                "name": tr("By name"),
                "size": tr("Fewest features"),
            }
        )
        named(self.order, "sortRuns", tr("Order of the runs"))
        self.order.setFixedWidth(112)
        self.at_once = IntegerField(1, _MOST_AT_ONCE)
        self.at_once.setValue(runs.at_once)
        named(self.at_once, "runsAtOnce", tr("Parallel runs"))
        self.at_once.setToolTip(
            tr("Number of runs in progress at the same time; they share the cores. Others are queued.")
        )
        self.at_once.setFixedWidth(56)
        self.at_once.valueChanged.connect(self.at_once_wanted)
        self._make_view()
        together = label(tr("Parallel"), "caption")
        together.setBuddy(self.at_once)
        content = panel(column(row(self.search, self.order, together, self.at_once), self.view))
        self.add_content(content, tr("All runs of this project are listed here."))
        self.search.textChanged.connect(self._find)
        self.order.currentIndexChanged.connect(lambda _: self._sort())
        runs.listed.connect(self.rearrange)
        runs.queue_changed.connect(lambda _: self.rearrange())
        self.rearrange()

    def _make_view(self) -> None:
        self.view = _View()
        named(self.view, "runs", tr("Runs of this project"))
        self.view.setModel(self.model)
        self.view.setUniformItemSizes(True)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.delegate = RunDelegate(self.view, self.model)
        self.view.setItemDelegate(self.delegate)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.view.selectionModel().currentChanged.connect(self._on_current)
        self.view.selectionModel().selectionChanged.connect(lambda *_: self.selected.emit())

    def _find(self, text: str) -> None:
        self.model.find(text)
        self.rearrange()
        self.view.scrollTo(self.view.currentIndex())

    def _sort(self) -> None:
        self.model.sort_by(str(self.order.currentData()))
        self.rearrange()
        self.view.scrollTo(self.view.currentIndex())

    @property
    def marked(self) -> list[Run]:
        """The selected runs, in display order."""
        rows = sorted(index.row() for index in self.view.selectionModel().selectedIndexes())
        return [self.model.order[at] for at in rows]

    @property
    def current(self) -> Run | None:
        """The run with the keyboard focus, None if there is none."""
        index = self.view.currentIndex()
        return self.model.order[index.row()] if index.isValid() else None

    def select(self, run: Run | None) -> None:
        """Mark a run as the current one."""
        if run in self.model.order:
            index = self.model.index(self.model.order.index(run), 0)
            if self.view.currentIndex() != index:
                self.view.setCurrentIndex(index)

    def rearrange(self) -> None:
        """Update the list in the chosen order; the selection is kept."""
        order = self.model.arranged()
        if order != self.model.order:
            marked, index = self.marked, self.view.currentIndex()
            current = self.model.order[index.row()] if index.isValid() else None
            selection = self.view.selectionModel()
            with QSignalBlocker(selection):
                self.model.show(order)
                for run in marked:
                    if run in order:
                        place = self.model.index(order.index(run), 0)
                        selection.select(place, QItemSelectionModel.SelectionFlag.Select)
                if current in order:
                    place = self.model.index(order.index(current), 0)
                    selection.setCurrentIndex(place, QItemSelectionModel.SelectionFlag.NoUpdate)
                elif order and current is not None and current not in self._runs:  # deleted: the neighbor is next
                    place = self.model.index(min(index.row(), len(order) - 1), 0)
                    selection.setCurrentIndex(place, QItemSelectionModel.SelectionFlag.SelectCurrent)
            self.selected.emit()
        self.set_empty(not len(list(self._runs)))
        self._show_count()
        self.view.viewport().update()

    def _show_count(self) -> None:
        """Show the number of runs, of active ones, and the total time left at the present rate."""
        total = len(list(self._runs))
        working, waiting = [run for run in self._runs if run.searching], self._runs.waiting
        text = tr("{shown} of {total}", shown=len(self.model.order), total=total)
        if len(self.model.order) == total:
            text = str(total) if total else ""
        if working or waiting:
            text = tr("{working} running, {waiting} queued", working=len(working), waiting=len(waiting))
            if not waiting:
                text = tr("{working} running", working=len(working))
            rates = [rate for run in working if (rate := run.rate) is not None]
            if rates:
                left = sum(run.most - run.state.evaluations for run in (*working, *waiting))
                seconds = left / sum(rates)
                if seconds >= _MANY_HOURS:  # whole hours: there is no space for minutes
                    seconds = 3600 * math.ceil(seconds / 3600)
                text += tr(", ≤ {time}", time=duration(seconds))
        self.count.setText(text)

    def _on_current(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(self.model.order[index.row()])
