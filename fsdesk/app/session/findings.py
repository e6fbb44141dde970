"""Findings about a subset of a run, and the user's notes on features; both are stored in the project."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal

from fsdesk.app.session.run import Run
from fsdesk.app.session.session import Session
from fsdesk.data.annotations import Annotations
from fsdesk.errors import UserError
from fsdesk.messages import tr, translated
from fsdesk.store import Project

if TYPE_CHECKING:
    from fsdesk.results.diagnosis import Diagnosis
    from fsdesk.results.features import Effect, SingleFeatureScores
    from fsdesk.results.subsets import EquivalentSubsets
    from fsdesk.results.trust import Trust

_SUBJECT = "examine"
_TELL_MS = 100
_MOST_KEPT = 32


@dataclass(eq=False)
class Findings:
    """The findings about one subset so far.

    ``at_work`` while more findings are to come; ``halted`` if the user stopped it; ``refusal`` is a sentence on why
    nothing more could be found.
    """

    equivalent: "EquivalentSubsets | None" = None
    diagnosis: "Diagnosis | None" = None
    singles: "SingleFeatureScores | None" = None
    effects: "dict[int, Effect] | None" = None
    trust: "Trust | None" = None
    at_work: bool = False
    complete: bool = False
    halted: bool = False
    refusal: str = ""

    def take(self, message: object) -> None:
        """Add one more message of the worker."""
        from fsdesk.results.diagnosis import Diagnosis
        from fsdesk.results.features import SingleFeatureScores
        from fsdesk.results.subsets import EquivalentSubsets

        if isinstance(message, EquivalentSubsets):
            self.equivalent = message
        elif isinstance(message, Diagnosis):
            self.diagnosis = message
        elif isinstance(message, SingleFeatureScores):
            self.singles = message

    @property
    def share(self) -> float:
        """The progress of the examination, from 0 to 1."""
        if self.complete:
            return 1.0
        first = self.diagnosis.done / self.diagnosis.total if self.diagnosis is not None else 0.0
        second = self.singles.done / len(self.singles.places) if self.singles is not None else 0.0
        return 0.7 * first + 0.3 * second


class SubsetExaminer(QObject):
    """Examines one subset at a time; ``changed`` is emitted on new findings, at most ten times a second."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._kept: dict[tuple[object, ...], Findings] = {}
        self._timer = QTimer(self, singleShot=True, interval=_TELL_MS)
        self._timer.timeout.connect(self.changed)
        session.project_changed.connect(self._forget)

    def _forget(self) -> None:
        self.stop()
        self._kept.clear()

    def of(self, run: Run, mask: NDArray[np.bool_]) -> Findings:
        """The findings about a subset of a run."""
        key = self._key(run, mask)
        if key not in self._kept:
            while len(self._kept) >= _MOST_KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = Findings()
        return self._kept[key]

    def _key(self, run: Run, mask: NDArray[np.bool_]) -> tuple[object, ...]:
        held_out = self._has_held_out(run, mask)
        return run.id, run.state.evaluations, run.phase == "finished", np.packbits(mask).tobytes(), held_out

    @staticmethod
    def _has_held_out(run: Run, mask: NDArray[np.bool_]) -> bool:
        """Whether there are held-out rows for a subset: those of the held-out error of the result."""
        best = run.state.best
        known = run.honesty.complete or run.honesty.own is not None
        return known and best is not None and np.array_equal(mask, best.mask)

    def begin(self, run: Run, mask: NDArray[np.bool_]) -> None:
        """Examine the subset further, unless that is complete or in progress; any other examination is stopped."""
        findings = self.of(run, mask)
        if (findings.complete and findings.trust is not None) or findings.at_work:
            return
        self.stop()
        findings.at_work, findings.halted, findings.refusal = True, False, ""
        work = self._examine(run, mask, findings)
        self._session.tasks.begin(work, tr("examining the result"), quietly=True, subject=_SUBJECT)
        self.changed.emit()

    def stop(self) -> None:
        """Stop; findings so far are kept."""
        self._session.tasks.cancel(_SUBJECT)

    def halt(self) -> None:
        """Stop at the user's request: it is not restarted automatically."""
        for findings in self._kept.values():
            findings.halted = findings.halted or findings.at_work
        self.stop()

    async def _examine(self, run: Run, mask: NDArray[np.bool_], findings: Findings) -> None:
        session = self._session
        project, key, events = session.project, self._key(run, mask), run.logged
        try:
            await self._recall(project, run, mask, findings)
            if not findings.complete:
                await self._find_out(run, mask, findings)
                if key == self._key(run, mask):  # findings are stored, whatever is shown by then
                    await asyncio.shield(self._keep(project, run, mask, findings, events))
            if not run.active:
                await self._work_out(run, mask, findings)
        except UserError as error:
            findings.refusal = translated(str(error))
        finally:
            findings.at_work = False
            self._timer.stop()
            if not session.tasks.closed:
                self.changed.emit()

    async def _work_out(self, run: Run, mask: NDArray[np.bool_], findings: Findings) -> None:
        """Have a worker compute the effect and reliability of each feature; fast enough not to be stored."""
        from fsdesk.results.tasks import effects_task
        from fsdesk.results.trust import Trust

        def on_message(message: object) -> None:
            if isinstance(message, tuple):
                findings.effects = {effect.place: effect for effect in message}
                self.changed.emit()
            elif isinstance(message, Trust):
                findings.trust = message

        self.changed.emit()
        path, _ = await self._session.at_hand(run)
        await self._session.tasks.in_worker(effects_task, path, run.id, mask, on_message=on_message)

    async def _recall(self, project: Project | None, run: Run, mask: NDArray[np.bool_], findings: Findings) -> None:
        """Load earlier findings, from this window or another one."""
        from fsdesk.results.diagnosis import kept_findings

        if project is None or run.active:
            return
        values = await self._session.tasks.in_thread(project.findings, run.id, np.packbits(mask).tobytes())
        known = None if values is None else kept_findings(values, mask)
        if known is not None and known[1].held_out == self._has_held_out(run, mask):
            findings.equivalent, findings.diagnosis, findings.singles = known
            findings.complete = True

    async def _keep(
        self, project: Project | None, run: Run, mask: NDArray[np.bool_], findings: Findings, events: int
    ) -> None:
        """Store the findings for later, unless the run continues."""
        from fsdesk.results.diagnosis import packed_findings

        equivalent, diagnosis, singles = findings.equivalent, findings.diagnosis, findings.singles
        if project is None or project is not self._session.project or project.read_only or run.active:
            return
        assert equivalent is not None and diagnosis is not None and singles is not None  # it is complete
        about, values = np.packbits(mask).tobytes(), packed_findings(equivalent, diagnosis, singles)
        await self._session.tasks.in_thread(project.keep_findings, run.id, about, events, values)

    async def _find_out(self, run: Run, mask: NDArray[np.bool_], findings: Findings) -> None:
        """Have a worker examine the subset; its messages are shown as they arrive."""
        from fsdesk.results.tasks import examine_task

        session = self._session
        best = run.state.best
        assert best is not None

        def on_message(message: object) -> None:
            findings.take(message)
            if (
                findings.at_work and not self._timer.isActive() and not session.tasks.closed
            ):  # too late to notify anyone
                self._timer.start()

        path, shared = await session.at_hand(run)
        about = (path, run.id, run.spec, shared, best, mask)
        await session.tasks.in_worker(examine_task, *about, on_message=on_message)
        findings.complete = True


class FeatureNotes(QObject):
    """The annotations of the features of the open project; ``changed`` is emitted when they change."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.known = Annotations()
        self._of_tables: dict[str, Annotations] = {}
        session.project_changed.connect(self._load)
        if session.project is not None:
            self._load()

    def _load(self) -> None:
        self._session.tasks.begin(self._loaded(), tr("reading the feature descriptions"), quietly=True)

    async def _loaded(self) -> None:
        from fsdesk.results.record import ANNOTATIONS

        project = self._session.project
        kept = None if project is None else await self._session.tasks.in_thread(project.kept, ANNOTATIONS)
        if project is self._session.project:
            self._show(Annotations.unpacked(kept))

    def _show(self, known: Annotations) -> None:
        if known != self.known:
            self.known = known
            self._of_tables.clear()
            self.changed.emit()

    def of_table(self, table: str) -> Annotations:
        """The annotations of one table, the same object until they change."""
        return self._of_tables.setdefault(table, self.known.of_table(table))

    async def read(self, path: Path, features: Sequence[str]) -> object:
        """Have a worker read a table of descriptions and join it; see :class:`fsdesk.results.tasks.Joined`."""
        from fsdesk.results.tasks import describe_task

        return await self._session.tasks.in_worker(describe_task, str(path), tuple(features))

    def describe(self, known: Annotations) -> None:
        """Show and store the descriptions from a table, beside the existing notes."""
        self._keep(self.known.described(known))

    def note(self, table: str, feature: str, text: str) -> None:
        """Store a note about a feature of a table."""
        self._keep(self.known.noted(table, feature, text))

    def _keep(self, known: Annotations) -> None:
        self._show(known)
        self._session.tasks.begin(self._kept(known), tr("saving the feature descriptions"), quietly=True)

    async def _kept(self, known: Annotations) -> None:
        from fsdesk.results.record import ANNOTATIONS

        project = self._session.project
        if project is not None:
            await self._session.tasks.in_thread(project.keep, ANNOTATIONS, known.packed())
