"""Steering a run: features that are in or out from now on, and how much more it may take."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from fsdesk.app.look.dialogs import framed, opened_at
from fsdesk.app.look.fields import DecimalField, IntegerField
from fsdesk.app.look.parts import button, label, named, row
from fsdesk.app.look.sentences import retold
from fsdesk.app.look.tables import row_list
from fsdesk.app.look.tokens import SPACE
from fsdesk.app.look.translation import number, tr
from fsdesk.app.look.words import counted
from fsdesk.app.settings.features_dialog import Wishes, WishesModel
from fsdesk.app.work.run import Run
from fsdesk.engine import Steered, more_of
from fsdesk.errors import SettingsError

__all__ = ["SteerDialog", "changes"]

_FREE, _ALWAYS, _NEVER = 0, 1, 2


def changes(before: Wishes, after: Wishes) -> Steered:
    """What has to be pinned, banned and set free to get from some wishes to others."""
    held = {*after.always, *after.never}
    return Steered(
        pin=tuple(name for name in after.always if name not in before.always),
        ban=tuple(name for name in after.never if name not in before.never),
        free=tuple(name for name in (*before.always, *before.never) if name not in held),
    )


class SteerDialog(QDialog):
    """``wanted`` tells all changes, as an event that no run has heeded yet."""

    wanted = Signal(object)

    def __init__(self, parent: QWidget, run: Run, features: Sequence[str]) -> None:
        super().__init__(parent)
        self.setObjectName("steerDialog")
        self._run = run
        state = run.state
        pinned = tuple(name for name in features if name in state.pinned)
        banned = tuple(name for name in features if name in state.banned)
        self._before = Wishes(pinned, banned)
        self.model = WishesModel(features, self._before)
        layout = framed(self, tr("Steer {run}", run=run.label), 560)
        opened_at(self, 600, 680)
        words = tr(
            "Changes hold from the next measurements on. They are written into the log of the run, so that it can be "
            "repeated exactly, and every report tells of them."
        )
        layout.addWidget(label(tr("Steer the search"), "title"))
        layout.addWidget(label(words, "muted", wrap=True))
        layout.addWidget(label(tr("Features from now on"), "heading"))
        self._add_features(layout)
        layout.addWidget(label(tr("Let it take more"), "heading"))
        layout.addLayout(self._more())
        if run.phase == "finished":
            ended = tr(
                "This run has finished: {reason}. It goes on where a limit had ended it. A method that had come to its "
                "own end takes no more: start another run from its subset then (menu Run).",
                reason=retold(state.reason),
            )
            self.ended = label(ended, "muted", wrap=True)
            named(self.ended, "steerEnded", tr("Whether this run can take more"))
            layout.addWidget(self.ended)
        self.trouble = label("", wrap=True)
        named(self.trouble, "steerTrouble", tr("What is not possible"))
        layout.addWidget(self.trouble)
        self.ok = button(tr("Steer"), "steerOk", "primary")
        self.ok.setDefault(True)
        self.ok.clicked.connect(self._agree)
        cancel = button(tr("Cancel"), "steerCancel")
        cancel.clicked.connect(self.reject)
        layout.addLayout(row(None, cancel, self.ok))
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._look())
        self.model.modelReset.connect(self._look)
        self.model.dataChanged.connect(lambda *_: self._look())
        self._look()

    def _add_features(self, layout: QVBoxLayout) -> None:
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Find a feature"))
        self.search.setClearButtonEnabled(True)
        named(self.search, "findSteered", tr("Find a feature"))
        self.search.textChanged.connect(self.model.find)
        none = tr("No feature is called so.")
        self.view = row_list("steered", tr("Features and what you want of them"), self.model, 112, none=none)
        self.view.setColumnHidden(2, True)
        self.pin = button(tr("Always in from now"), "steerPin", spoken=tr("The selected features are in from now on"))
        self.ban = button(tr("Never in from now"), "steerBan", spoken=tr("The selected features are out from now on"))
        self.free = button(tr("Free"), "steerFree", spoken=tr("The search decides about the selected features again"))
        for control, state in ((self.pin, _ALWAYS), (self.ban, _NEVER), (self.free, _FREE)):
            control.clicked.connect(lambda _=False, state=state: self.model.mark(self._rows(), state))
        layout.addWidget(self.search)
        layout.addWidget(self.view, 1)
        layout.addLayout(row(self.pin, self.ban, None, self.free))

    def _more(self) -> QGridLayout:
        """A field for each limit that the run has."""
        method = self._run.spec.build_method()
        counts = bool(getattr(method, "max_iterations", 0))
        bounded = not method.ends_by_itself or method.max_measurements > 0
        self.measurements, self.iterations = IntegerField(0, 10**8), IntegerField(0, 10**6)
        self.minutes = DecimalField(0, 10**5)
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * SPACE)
        most = self._run.most
        lines: tuple[tuple[str, IntegerField | DecimalField, str, bool, str], ...] = (
            ("moreMeasurements", self.measurements, tr("more measurements"), bounded,
             tr("now at most {most}", most=counted(most, "measurement")) if bounded
             else tr("it ends when its method has nothing left to try")),
            ("moreIterations", self.iterations, tr("more iterations"), counts,
             "" if counts else tr("it has no limit of iterations")),
            ("moreMinutes", self.minutes, tr("more minutes"), bool(method.max_minutes),
             tr("at first {minutes} minutes", minutes=number(method.max_minutes, "g")) if method.max_minutes
             else tr("it has no limit of time")),
        )  # fmt: skip
        for place, (name, field, title, possible, note) in enumerate(lines):
            named(field, name, title)
            field.setEnabled(possible)
            field.setFixedWidth(112)
            field.valueChanged.connect(self._look)
            grid.addWidget(field, place, 0)
            grid.addWidget(label(title), place, 1)
            grid.addWidget(label(note, "caption"), place, 2)
        grid.setColumnStretch(2, 1)
        return grid

    def _rows(self) -> list[int]:
        return sorted({index.row() for index in self.view.selectionModel().selectedRows()})

    def _wish(self) -> Steered:
        """All in one: a run that ended while the dialog was open goes on with more, and with its features steered."""
        steered = changes(self._before, self.model.wishes)
        asked = (self.measurements.value(), self.iterations.value(), self.minutes.value())
        if not any(asked):
            return steered
        more = more_of(self._run.spec, measurements=asked[0], iterations=asked[1], minutes=asked[2])
        return replace(more, pin=steered.pin, ban=steered.ban, free=steered.free)

    def _look(self) -> None:
        some = self.view.selectionModel().hasSelection()
        for control in (self.pin, self.ban, self.free):
            control.setEnabled(some)
        wish, trouble = Steered(), ""
        try:
            wish = self._wish()
        except SettingsError as error:
            trouble = retold(str(error))
        self.trouble.setText(trouble)
        self.trouble.setVisible(bool(trouble))
        self.ok.setEnabled(wish != Steered())

    def _agree(self) -> None:
        self.wanted.emit(self._wish())
        self.accept()
