"""The card of runs: the list with its search and order, how many go at once, and what is in the queue."""

import math

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QListView, QWidget

from fsdesk.app.look.fields import Choice, IntegerField
from fsdesk.app.look.parts import Card, ElidedLabel, button, column, label, named, row
from fsdesk.app.look.tables import say_none
from fsdesk.app.look.tokens import Tokens
from fsdesk.app.look.translation import tr
from fsdesk.app.look.words import duration
from fsdesk.app.runs.run_rows import RunDelegate, RunRows, status_line
from fsdesk.app.work.runs import Run, Runs

__all__ = ["RunList", "status_line"]

_MOST_AT_ONCE = 64
_MANY_HOURS = 90 * 60  # seconds, from which on times are said in hours


class _View(QListView):
    """Keeps the run that is marked in sight where its room changes, as when a notice comes."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        row = self.visualRect(self.currentIndex())
        seen = row.isValid() and row.top() >= 0 and row.bottom() < max(event.oldSize().height(), row.height())
        super().resizeEvent(event)
        if seen:
            self.scrollTo(self.currentIndex())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Say so where no run holds what is searched for."""
        super().paintEvent(event)
        say_none(self, tr("No run fits what you search for."))


class RunList(Card):
    """The card; ``chosen`` tells the run that the user wants to see, ``selected`` that others are marked now.

    ``at_once_wanted`` tells how many runs should go together, ``many_wanted`` that the user wants to queue
    many, ``dressed`` the colours.
    """

    chosen = Signal(object)
    selected = Signal()
    at_once_wanted = Signal(int)
    many_wanted = Signal()
    dressed = Signal(object)

    def __init__(self, runs: Runs) -> None:
        super().__init__(tr("Runs"))
        self.setObjectName("runsCard")
        self._runs = runs
        self.count = ElidedLabel("caption")
        self.many = button(tr("Add many …"), "addMany", "link", tr("Queue many runs: methods, models and seeds"))
        self.many.clicked.connect(self.many_wanted)
        self.head.insertWidget(1, self.count, 100)  # before the gap, which has a share of 1
        self.head.addWidget(self.many)
        self.model = RunRows(runs)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Find a run"))
        self.search.setClearButtonEnabled(True)
        named(self.search, "findRun", tr("Find a run by name, data, method, model, seed or state"))
        self.order = Choice()
        self.order.offer(
            {
                "newest": tr("Newest"),
                "queue": tr("As they run"),
                "best": tr("Best"),
                "name": tr("By name"),
                "size": tr("Fewest features"),
            }
        )
        named(self.order, "sortRuns", tr("Order of the runs"))
        self.order.setFixedWidth(112)
        self.at_once = IntegerField(1, _MOST_AT_ONCE)
        self.at_once.setValue(runs.at_once)
        named(self.at_once, "runsAtOnce", tr("Runs at once"))
        self.at_once.setToolTip(
            tr("How many runs are at work together; they share the cores. The others wait in line.")
        )
        self.at_once.setFixedWidth(56)
        self.at_once.valueChanged.connect(self.at_once_wanted)
        self._make_view()
        content = QWidget()
        together = label(tr("At once"), "caption")
        together.setBuddy(self.at_once)
        layout = column(self.view)
        layout.insertLayout(0, row(self.search, self.order, together, self.at_once))
        content.setLayout(layout)
        self.add_content(content, tr("Every run of this project will be kept here."))
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

    def _sort(self) -> None:
        self.model.sort_by(str(self.order.currentData()))
        self.rearrange()

    @property
    def marked(self) -> list[Run]:
        """The runs that are selected, in the order shown."""
        rows = sorted(index.row() for index in self.view.selectionModel().selectedIndexes())
        return [self.model.order[at] for at in rows]

    def select(self, run: Run | None) -> None:
        """Mark a run as the one that is shown."""
        if run in self.model.order:
            index = self.model.index(self.model.order.index(run), 0)
            if self.view.currentIndex() != index:
                self.view.setCurrentIndex(index)

    def rearrange(self) -> None:
        """Show what there is in the order wanted; what was selected stays so."""
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
            self.selected.emit()
        self.set_empty(not len(list(self._runs)))
        self._tell()
        self.view.viewport().update()

    def refresh(self) -> None:
        """Paint the present states."""
        self.rearrange()

    def _tell(self) -> None:
        """How many there are, how many are at work, and how long all of it takes at the present pace."""
        total = len(list(self._runs))
        working, waiting = [run for run in self._runs if run.at_work], self._runs.waiting
        text = tr("{shown} of {total}", shown=len(self.model.order), total=total)
        if len(self.model.order) == total:
            text = str(total) if total else ""
        if working or waiting:
            text = tr("{working} at work, {waiting} waiting", working=len(working), waiting=len(waiting))
            if not waiting:
                text = tr("{working} at work", working=len(working))
            rates = [rate for run in working if (rate := run.rate) is not None]
            if rates:
                left = sum(run.most - run.state.evaluations for run in (*working, *waiting))
                seconds = left / sum(rates)
                if seconds >= _MANY_HOURS:  # whole hours: the minutes have no room
                    seconds = 3600 * math.ceil(seconds / 3600)
                text += tr(", ≤ {time}", time=duration(seconds))
        self.count.setText(text)

    def _on_current(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(self.model.order[index.row()])

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        self.delegate.tokens = tokens
        self.dressed.emit(tokens)
        self.view.viewport().update()
