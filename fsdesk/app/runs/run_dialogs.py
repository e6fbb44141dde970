"""The small dialogs about runs: a name, other seeds. Neither blocks the window."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QLineEdit, QWidget

from fsdesk.app.look.dialogs import framed
from fsdesk.app.look.fields import IntegerField
from fsdesk.app.look.parts import button, label, named, row
from fsdesk.app.look.tokens import SPACE
from fsdesk.app.look.translation import tr
from fsdesk.app.look.words import counted
from fsdesk.app.work.run import Run

__all__ = ["NameDialog", "SeedsDialog"]

_MOST_SEEDS = 1000


class NameDialog(QDialog):
    """Asks what a run is called; ``chosen`` tells, empty for the usual name."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget, run: Run) -> None:
        super().__init__(parent)
        self.setObjectName("nameDialog")
        layout = framed(self, tr("Rename a run"), 400)
        self.name = QLineEdit(run.name)
        self.name.setMaxLength(200)
        self.name.setPlaceholderText(run.label)
        named(self.name, "runName", tr("Name of the run"))
        self.name.selectAll()
        words = tr("Leave it empty to call the run by its data, method and seed again.")
        ok = button(tr("Rename"), "runNameOk", "primary")
        ok.setDefault(True)
        ok.clicked.connect(self.accept)
        cancel = button(tr("Cancel"), "runNameCancel")
        cancel.clicked.connect(self.reject)
        self.accepted.connect(lambda: self.chosen.emit(self.name.text()))
        layout.addWidget(label(tr("Name of the run"), "heading"))
        layout.addWidget(self.name)
        layout.addWidget(label(words, "caption", wrap=True))
        layout.addLayout(row(None, cancel, ok))


class SeedsDialog(QDialog):
    """Asks with which seeds runs are repeated; ``wanted`` tells the first seed and how many there are."""

    wanted = Signal(int, int)

    def __init__(self, parent: QWidget, runs: Sequence[Run], first: int) -> None:
        super().__init__(parent)
        self.setObjectName("seedsDialog")
        layout = framed(self, tr("Run again with other seeds"), 420)
        self._runs = runs
        self.first, self.count = IntegerField(0, 2**31 - 1), IntegerField(1, _MOST_SEEDS)
        self.first.setValue(first)
        named(self.first, "firstSeed", tr("First seed"))
        named(self.count, "seedCount", tr("How many seeds"))
        words = tr(
            "A search draws at random. The same search with other seeds shows how much of what it found is luck: "
            "features that come again and again can be trusted."
        )
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * SPACE)
        for place, (title, field) in enumerate(((tr("First seed"), self.first), (tr("How many"), self.count))):
            grid.addWidget(label(title), place, 0)
            grid.addWidget(field, place, 1)
        self.total = label("", "caption", wrap=True)
        named(self.total, "seedTotal", tr("What is queued"))
        ok = button(tr("Queue"), "seedsOk", "primary")
        ok.setDefault(True)
        ok.clicked.connect(self.accept)
        cancel = button(tr("Cancel"), "seedsCancel")
        cancel.clicked.connect(self.reject)
        self.first.valueChanged.connect(self._tell)
        self.count.valueChanged.connect(self._tell)
        self.accepted.connect(lambda: self.wanted.emit(self.first.value(), self.count.value()))
        layout.addWidget(label(words, "muted", wrap=True))
        layout.addLayout(grid)
        layout.addWidget(self.total)
        layout.addLayout(row(None, cancel, ok))
        self._tell()

    def _tell(self) -> None:
        count, first = self.count.value(), self.first.value()
        measurements = count * sum(run.measurements for run in self._runs)
        seeds = tr("seed {first}", first=first)
        if count > 1:
            seeds = tr("seeds {first} to {last}", first=first, last=first + count - 1)
        runs, most = counted(count * len(self._runs), "run"), counted(measurements, "measurement")
        self.total.setText(tr("{runs}, {seeds}, at most {measurements}", runs=runs, seeds=seeds, measurements=most))
