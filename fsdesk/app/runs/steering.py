"""Steering from the window: the dialog, and pinning and banning from the list of features."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QWidget

from fsdesk.app.look.sentences import retold
from fsdesk.app.look.tables import chosen_rows
from fsdesk.app.look.translation import tr
from fsdesk.app.runs.steer_dialog import SteerDialog
from fsdesk.app.work.run import Run
from fsdesk.engine import Steered
from fsdesk.errors import UserError

if TYPE_CHECKING:
    from fsdesk.app.work.session import Session

__all__ = ["Role", "Steering", "can_be_steered"]

Role = Literal["pin", "ban", "free"]
_TRIES, _WAIT_SECONDS = 200, 0.02


def can_be_steered(run: Run | None) -> bool:
    """Whether it makes sense to steer a run: it goes on, may go on, or its measurements could have been more."""
    return run is not None and run.phase not in ("stopping", "elsewhere") and bool(run.state.features)


class Steering(QObject):
    """Steers a run and says what becomes of it."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._ended_at: dict[int, int] = {}
        session.runs.changed.connect(self._look)

    def ask(self, parent: QWidget, run: Run) -> None:
        """Open the dialog for a run."""
        dialog = SteerDialog(parent, run, run.state.features)
        dialog.wanted.connect(lambda wish: self.steer(run, wish))
        dialog.open()

    def steer_features(self, run: Run, names: Sequence[str], role: Role) -> None:
        """Let features be always in, never in, or free again from now on."""
        held = {"pin": run.state.pinned, "ban": run.state.banned, "free": frozenset[str]()}[role]
        new = tuple(name for name in names if name not in held)
        if new:
            self.steer(run, {"pin": Steered(pin=new), "ban": Steered(ban=new), "free": Steered(free=new)}[role])

    def steer(self, run: Run, wish: Steered) -> None:
        """Hand a wish to a run; one that had ended goes on where it may take more."""
        session, was = self._session, run.phase
        more = bool(wish.measurements or wish.iterations or wish.minutes)
        if was == "finished" and not more:
            said = tr("{run} has finished: let it take more measurements first, or start another run.", run=run.label)
            session.said.emit("warning", said, "", "steer")
            return
        try:
            session.steer(run, wish)
        except UserError as error:
            session.said.emit("error", retold(str(error)), "", "steer")
            return
        later = "" if run.active or was == "finished" else " " + tr("It holds when the run goes on.")
        said = tr("Steered {run}: {what}.", run=run.label, what=retold(wish.sentence))
        session.said.emit("success", said + later, "", "steer")
        if was == "finished":
            session.begin(self._go_on(run), tr("going on with the run"), subject=f"run {run.id}")

    async def _go_on(self, run: Run) -> None:
        self._ended_at[run.id] = run.state.evaluations
        await self._session.flush()
        for _ in range(_TRIES):  # until the window has heard of what is on disk
            if run.resumable:
                break
            await asyncio.sleep(_WAIT_SECONDS)
        await self._session.resume(run)

    def _look(self, ids: Sequence[int]) -> None:
        """A run that could not take more, for its method had come to its own end, is told of."""
        for run_id in [each for each in ids if each in self._ended_at]:
            run = self._session.runs.by_id.get(run_id)
            if run is not None and run.phase != "finished":
                continue
            before = self._ended_at.pop(run_id)
            if run is not None and run.state.evaluations == before:
                said = tr(
                    "{run} had come to the end of its method and takes no more: start another run from its subset.",
                    run=run.label,
                )
                self._session.said.emit("info", said, "", "steer")

    def serve_list(self, view: QAbstractItemView, shown: Callable[[], Run | None]) -> None:
        """Give a list of features, whose names are in its first column, the commands to pin, ban and free."""

        def marked() -> list[str]:
            rows = chosen_rows(view)
            return [str(view.model().index(at, 0).data()) for at in rows]

        self.serve(view, marked, shown)

    def serve(self, view: QWidget, marked: Callable[[], Sequence[str]], shown: Callable[[], Run | None]) -> None:
        """Give a widget, on which features can be ``marked``, the commands to pin, ban and free in its menu."""
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        roles: tuple[tuple[Role, str, str], ...] = (
            ("pin", tr("Always in from now on"), "Ctrl+Alt+I"),
            ("ban", tr("Never in from now on"), "Ctrl+Alt+X"),
            ("free", tr("Leave it to the search again"), "Ctrl+Alt+U"),
        )
        made: list[QAction] = []
        for role, text, keys in roles:
            action = QAction(text, view)
            action.setObjectName(f"feature_{role}")
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(lambda _=False, role=role: self._steer_marked(marked(), shown(), role))
            view.addAction(action)
            made.append(action)

        def look() -> None:
            run = shown()
            possible = can_be_steered(run) and not self._session.read_only and run is not None
            for action in made:
                action.setEnabled(bool(possible and run is not None and run.phase != "finished"))

        self._session.runs.changed.connect(look)
        self._session.runs.listed.connect(look)
        look()

    def _steer_marked(self, names: Sequence[str], run: Run | None, role: Role) -> None:
        if run is not None and any(names):
            self.steer_features(run, [name for name in names if name], role)
