"""Constraints on features, before and during a run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QGridLayout, QVBoxLayout, QWidget

from fsdesk.app.dialogs.dialog import Dialog
from fsdesk.app.palette import SPACE
from fsdesk.app.session.run import Run
from fsdesk.app.tables import TableModel, chosen_rows, row_list
from fsdesk.app.widgets import DecimalField, IntegerField, add_command, button, label, named, row, search_field
from fsdesk.engine import Steered, more_of
from fsdesk.errors import SettingsError, UserError
from fsdesk.messages import counted, mark, number, tr, translated

if TYPE_CHECKING:
    from fsdesk.app.session.session import Session

FREE, ALWAYS, NEVER = 0, 1, 2
_WORDS = ("", mark("always in"), mark("never in"))


@dataclass(frozen=True)
class Constraints:
    """Names of features that are always selected, never selected, or selected together."""

    always: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    together: tuple[tuple[str, ...], ...] = ()

    def among(self, features: Sequence[str]) -> Constraints:
        """The constraints that are compatible with these features."""
        if self == Constraints():
            return self  # the default case need not search twenty thousand names
        known = set(features)
        groups = (tuple(name for name in group if name in known) for group in self.together)
        return Constraints(
            tuple(name for name in self.always if name in known),
            tuple(name for name in self.never if name in known),
            tuple(group for group in groups if len(group) > 1),
        )


class ConstraintsModel(TableModel):
    """One row for each feature whose name contains the search text."""

    def __init__(self, names: Sequence[str], constraints: Constraints) -> None:
        super().__init__()
        self._names = tuple(names)
        self._folded = [name.casefold() for name in names]
        place = {name: at for at, name in enumerate(names)}
        self._state = np.zeros(len(names), dtype=np.int64)
        self._group = np.zeros(len(names), dtype=np.int64)
        for state, wanted in ((ALWAYS, constraints.always), (NEVER, constraints.never)):
            self._state[[place[name] for name in wanted]] = state
        for which, group in enumerate(constraints.together, start=1):
            self._group[[place[name] for name in group]] = which
        self._shown = np.arange(len(names))

    def find(self, text: str) -> None:
        """Show only features whose name contains this text."""
        self.beginResetModel()
        wanted = text.casefold()
        self._shown = np.array([at for at, name in enumerate(self._folded) if wanted in name], dtype=np.int64)
        self.endResetModel()

    def mark(self, rows: Sequence[int], state: int) -> None:
        """Make the features of these rows free, always selected or never selected."""
        self._state[self._shown[list(rows)]] = state
        self.rows_changed()

    def tie(self, rows: Sequence[int], *, together: bool) -> None:
        """Group the features of these rows, or ungroup them; a group needs at least two."""
        self._group[self._shown[list(rows)]] = self._group.max(initial=0) + 1 if together else 0
        self._group[np.bincount(self._group)[self._group] < 2] = 0
        self._group = np.unique(np.append(0, self._group), return_inverse=True)[1][1:]
        self.rows_changed()

    @property
    def constraints(self) -> Constraints:
        """The current constraints."""
        groups = range(1, int(self._group.max(initial=0)) + 1)
        return Constraints(
            self._named(self._state == ALWAYS),
            self._named(self._state == NEVER),
            tuple(self._named(self._group == which) for which in groups),
        )

    def _named(self, chosen: np.ndarray[Any, np.dtype[np.bool_]]) -> tuple[str, ...]:
        return tuple(self._names[at] for at in np.flatnonzero(chosen))

    def count(self) -> int:
        return len(self._shown)

    def titles(self) -> tuple[str, ...]:
        return tr("Feature"), tr("Constraint"), tr("Together")

    def text(self, row: int, column: int) -> str:
        at = int(self._shown[row])
        group = tr("group {number}", number=self._group[at]) if self._group[at] else ""
        return (self._names[at], translated(_WORDS[self._state[at]]), group)[column]

    def tip(self, row: int, column: int) -> str:
        return self._names[int(self._shown[row])]


class ConstraintsDialog(Dialog):
    """``chosen`` sends the constraints once the user has confirmed."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget, names: Sequence[str], constraints: Constraints) -> None:
        super().__init__(parent, "constraintsDialog", tr("Constraints on features"), 520)
        self.model = ConstraintsModel(names, constraints)
        self.resize_to(560, 560)
        self.search = search_field("findConstraint", tr("Find a feature"))
        self.search.textChanged.connect(self.model.find)
        none = tr("No matching features.")
        self.view = row_list("constraints", tr("Features and constraints"), self.model, 112, 112, none=none)
        controls = {}
        for name, text, spoken, act in (
            ("free", tr("Free"), tr("Let the search decide on the selected features"), lambda: self._mark(FREE)),
            (
                "always",
                tr("Always in"),
                tr("Include the selected features in every subset"),
                lambda: self._mark(ALWAYS),
            ),
            ("never", tr("Never in"), tr("Exclude the selected features from every subset"), lambda: self._mark(NEVER)),
            (
                "together",
                tr("Together"),
                tr("Include or exclude the selected features together"),
                lambda: self._tie(True),
            ),
            ("apart", tr("Separate"), tr("Treat the selected features individually"), lambda: self._tie(False)),
        ):
            control = controls[name] = button(text, f"constraint{name.title()}", spoken=spoken)
            control.setToolTip(f"{spoken}.")
            control.clicked.connect(act)
        self.free, self.always, self.never, self.together, self.apart = controls.values()
        words = tr(
            "Select features (use Shift or Ctrl for several), then choose whether they are in every subset or in none."
        )
        self.box.addWidget(label(words, wrap=True))
        self.box.addWidget(self.search)
        self.box.addWidget(self.view, 1)
        self.box.addLayout(row(self.free, self.always, self.never, None, self.together, self.apart))
        self.box.addSpacing(SPACE)
        self.add_end(tr("Apply"), "constraintsUse", "constraintsCancel").clicked.connect(self._agree)
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        self.model.modelReset.connect(self._enable)
        self._enable()

    def _mark(self, state: int) -> None:
        self.model.mark(chosen_rows(self.view), state)

    def _tie(self, together: bool) -> None:
        self.model.tie(chosen_rows(self.view), together=together)

    def _enable(self) -> None:
        selected = len(chosen_rows(self.view))
        for control in (self.free, self.always, self.never, self.apart):
            control.setEnabled(selected > 0)
        self.together.setEnabled(selected > 1)

    def _agree(self) -> None:
        self.chosen.emit(self.model.constraints)
        self.accept()


def changes(before: Constraints, after: Constraints) -> Steered:
    """The features to pin, ban and free, so that the constraints change from ``before`` to ``after``."""
    held = {*after.always, *after.never}
    return Steered(
        pin=tuple(name for name in after.always if name not in before.always),
        ban=tuple(name for name in after.never if name not in before.never),
        free=tuple(name for name in (*before.always, *before.never) if name not in held),
    )


class SteerDialog(Dialog):
    """``wanted`` sends all changes, as an event that does not yet belong to a run."""

    wanted = Signal(object)

    def __init__(self, parent: QWidget, run: Run, features: Sequence[str]) -> None:
        super().__init__(parent, "steerDialog", tr("Change {run} while it runs", run=run.label), 560, headed=False)
        self.resize_to(600, 680)
        self._run = run
        state = run.state
        pinned = tuple(name for name in features if name in state.pinned)
        banned = tuple(name for name in features if name in state.banned)
        self._before = Constraints(pinned, banned)
        self.model = ConstraintsModel(features, self._before)
        layout = self.box
        words = tr(
            "Changes apply from the next measurement on. They are recorded in the log, so the run can be reproduced "
            "exactly, and they appear in every report."
        )
        layout.addWidget(label(tr("Change while running"), "title"))
        layout.addWidget(label(words, "muted", wrap=True))
        layout.addWidget(label(tr("Feature constraints"), "heading"))
        self._add_features(layout)
        layout.addWidget(label(tr("Extend the run"), "heading"))
        layout.addLayout(self._more())
        if run.phase == "finished":
            ended = tr(
                "This run has finished: {reason}. It can continue if a limit ended it. If its method converged, "
                "start a new run from its subset (Run menu).",
                reason=translated(state.reason),
            )
            self.ended = label(ended, "muted", wrap=True)
            named(self.ended, "steerEnded", tr("Whether this run can be extended"))
            layout.addWidget(self.ended)
        self.trouble = label("", wrap=True)
        named(self.trouble, "steerTrouble", tr("Error message"))
        layout.addWidget(self.trouble)
        self.ok = self.add_end(tr("Apply changes"), "steerOk", "steerCancel")
        self.ok.clicked.connect(self._agree)
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._update())
        self.model.modelReset.connect(self._update)
        self.model.dataChanged.connect(lambda *_: self._update())
        self._update()

    def _add_features(self, layout: QVBoxLayout) -> None:
        self.search = search_field("findSteered", tr("Find a feature"))
        self.search.textChanged.connect(self.model.find)
        none = tr("No matching features.")
        self.view = row_list("steered", tr("Features and constraints"), self.model, 112, none=none)
        self.view.setColumnHidden(2, True)
        self.pin = button(tr("Include from now on"), "steerPin", spoken=tr("Include the selected features from now on"))
        self.ban = button(tr("Exclude from now on"), "steerBan", spoken=tr("Exclude the selected features from now on"))
        self.free = button(tr("Free"), "steerFree", spoken=tr("Let the search decide on the selected features again"))
        for control, state in ((self.pin, ALWAYS), (self.ban, NEVER), (self.free, FREE)):
            control.clicked.connect(lambda _=False, state=state: self.model.mark(chosen_rows(self.view), state))
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
             tr("limit now {most}", most=counted(most, "measurement")) if bounded
             else tr("ends when the method has nothing left to try")),
            ("moreIterations", self.iterations, tr("more iterations"), counts,
             "" if counts else tr("no limit on iterations")),
            ("moreMinutes", self.minutes, tr("more minutes"), bool(method.max_minutes),
             tr("limit was {minutes} minutes", minutes=number(method.max_minutes, "g")) if method.max_minutes
             else tr("no time limit")),
        )  # fmt: skip
        for place, (name, field, title, possible, note) in enumerate(lines):
            named(field, name, title)
            field.setEnabled(possible)
            field.setFixedWidth(112)
            field.valueChanged.connect(self._update)
            grid.addWidget(field, place, 0)
            grid.addWidget(label(title), place, 1)
            grid.addWidget(label(note, "caption", wrap=True), place, 2)
        grid.setColumnStretch(2, 1)
        return grid

    def _steered(self) -> Steered:
        """All changes in one event, so that a run that has just ended continues with both limits and constraints."""
        steered = changes(self._before, self.model.constraints)
        asked = (self.measurements.value(), self.iterations.value(), self.minutes.value())
        if not any(asked):
            return steered
        more = more_of(self._run.spec, measurements=asked[0], iterations=asked[1], minutes=asked[2])
        return replace(more, pin=steered.pin, ban=steered.ban, free=steered.free)

    def _update(self) -> None:
        some = self.view.selectionModel().hasSelection()
        for control in (self.pin, self.ban, self.free):
            control.setEnabled(some)
        steered, trouble = Steered(), ""
        try:
            steered = self._steered()
        except SettingsError as error:
            trouble = translated(str(error))
        self.trouble.setText(trouble)
        self.trouble.setVisible(bool(trouble))
        self.ok.setEnabled(steered != Steered())

    def _agree(self) -> None:
        self.wanted.emit(self._steered())
        self.accept()


Role = Literal["pin", "ban", "free"]
_TRIES, _WAIT_SECONDS = 200, 0.02


def can_be_steered(run: Run | None) -> bool:
    """Whether a run can be changed: it is active, can be resumed, or could have used more measurements."""
    return run is not None and run.phase not in ("stopping", "elsewhere") and bool(run.state.features)


class Steering(QObject):
    """Changes a run and reports the result."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._ended_at: dict[int, int] = {}
        session.runs.changed.connect(self._check_ended)

    def ask(self, parent: QWidget, run: Run) -> None:
        """Open the dialog for a run."""
        dialog = SteerDialog(parent, run, run.state.features)
        dialog.wanted.connect(lambda steered: self.steer(run, steered))
        dialog.open()

    def steer_features(self, run: Run, names: Sequence[str], role: Role) -> None:
        """Make features always selected, never selected, or free from now on."""
        held = {"pin": run.state.pinned, "ban": run.state.banned, "free": frozenset[str]()}[role]
        new = tuple(name for name in names if name not in held)
        if new:
            self.steer(run, {"pin": Steered(pin=new), "ban": Steered(ban=new), "free": Steered(free=new)}[role])

    def steer(self, run: Run, steered: Steered) -> None:
        """Apply a change to a run; one that has ended continues if it can use more measurements."""
        session, was = self._session, run.phase
        more = bool(steered.measurements or steered.iterations or steered.minutes)
        if was == "finished" and not more:
            said = tr("{run} has finished. Give it more measurements first, or start another run.", run=run.called)
            session.tasks.say("warning", said, "steer")
            return
        try:
            session.steer(run, steered)
        except UserError as error:
            session.tasks.say("error", translated(str(error)), "steer")
            return
        later = "" if run.active or was == "finished" else " " + tr("This applies once the run is resumed.")
        said = tr("Changed {run}: {what}.", run=run.called, what=translated(steered.sentence))
        session.tasks.say("success", said + later, "steer")
        if was == "finished":
            session.tasks.begin(self._go_on(run), tr("resuming the run"), subject=f"run {run.id}")

    async def _go_on(self, run: Run) -> None:
        self._ended_at[run.id] = run.state.evaluations
        await self._session.flush()
        for _ in range(_TRIES):  # until the window has received what is on disk
            if run.resumable:
                break
            await asyncio.sleep(_WAIT_SECONDS)
        await self._session.resume(run)

    def _check_ended(self, ids: Sequence[int]) -> None:
        """Report a run that could not continue because its method had finished."""
        for run_id in [each for each in ids if each in self._ended_at]:
            run = self._session.runs.by_id.get(run_id)
            if run is not None and run.phase != "finished":
                continue
            before = self._ended_at.pop(run_id)
            if run is not None and run.state.evaluations == before:
                said = tr(
                    "The method of {run} ran to completion, so the run cannot be extended. Start another run from "
                    "its subset.",
                    run=run.called,
                )
                self._session.tasks.say("info", said, "steer")

    def serve_list(self, view: QAbstractItemView, shown: Callable[[], Run | None]) -> None:
        """Add the commands to pin, ban and free to a list of features, whose names are in its first column."""

        def marked() -> list[str]:
            rows = chosen_rows(view)
            return [str(view.model().index(at, 0).data()) for at in rows]

        self.serve(view, marked, shown)

    def serve(self, view: QWidget, marked: Callable[[], Sequence[str]], shown: Callable[[], Run | None]) -> None:
        """Add the commands to pin, ban and free to the menu of a widget whose features can be ``marked``."""
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        roles: tuple[tuple[Role, str, str], ...] = (
            ("pin", tr("Include from now on"), "Ctrl+Alt+I"),
            ("ban", tr("Exclude from now on"), "Ctrl+Alt+X"),
            ("free", tr("Let the search decide"), "Ctrl+Alt+U"),
        )
        made: list[QAction] = []
        for role, text, keys in roles:
            made.append(add_command(view, text, partial(self._steer_marked, marked, shown, role), keys))
            made[-1].setObjectName(f"feature_{role}")

        def offer() -> None:
            run = shown()
            possible = can_be_steered(run) and not self._session.read_only and run is not None
            for action in made:
                action.setEnabled(bool(possible and run is not None and run.phase != "finished"))

        self._session.runs.changed.connect(offer)
        self._session.runs.listed.connect(offer)
        offer()

    def _steer_marked(self, marked: Callable[[], Sequence[str]], shown: Callable[[], Run | None], role: Role) -> None:
        run, names = shown(), [name for name in marked() if name]
        if run is not None and names:
            self.steer_features(run, names, role)
