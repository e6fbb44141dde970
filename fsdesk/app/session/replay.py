"""Runs reconstructed from a project's log: on opening, while another process writes it, and step by step."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from fsdesk.app.session.open_project import OpenProject
from fsdesk.app.session.run import Run
from fsdesk.engine import Event, StepHistory
from fsdesk.errors import UserError
from fsdesk.messages import tr
from fsdesk.results.evidence import Evidence, ExternalValidation, kept_evidence, kept_external
from fsdesk.store import Listing, Lock, Project, StoredRun

_INTERVAL_MS = 1000


def replayed(project: Project, stored: StoredRun, listing: Listing | None = None) -> Run:
    """A run of a project from its log, without the history for heatmaps; see :class:`StepHistories`."""
    state, logged = project.summed_up(stored.id)
    run = Run(
        stored.id,
        stored.spec,
        stored.created,
        state,
        measurements=stored.spec.measurements,
        logged=logged,
        evidence=kept_evidence(project.evidence(stored.id)),
        external=kept_external(project, stored.id),
    )
    if listing is not None:
        run.listed_as(listing)
    _ = run.honest  # computed here and cached: with many rows it takes the window too long
    return run


def all_replayed(project: Project) -> list[Run]:
    """All runs of a project, from its log and the list."""
    listings = project.listings()
    runs = [replayed(project, stored, listings.get(stored.id)) for stored in project.runs()]
    names: dict[tuple[str, ...], tuple[str, ...]] = {}
    for run in runs:  # one copy of twenty thousand names serves all
        run.state.features = names.setdefault(run.state.features, run.state.features)
    return runs


class ProjectWatcher(QObject):
    """Follows, every second, what another process logs; ``freed`` is emitted when that process closes the project."""

    freed = Signal()

    def __init__(self, session: OpenProject) -> None:
        super().__init__(session)
        self._session = session
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(lambda: session.tasks.begin(self.read(), tr("following the run"), quietly=True))
        self._looking = False
        self._version = 0

    def watch(self, watched: bool) -> None:
        """Start or stop following."""
        self._version = 0
        for run in self._session.runs:
            run.elsewhere = watched
        if watched:
            self._timer.start()
        else:
            self._timer.stop()

    async def read(self) -> None:
        """Show what was logged since the last call."""
        session, project = self._session, self._session.project
        if project is None or self._looking or session.runs.behind:  # the last batch read is to be counted first
            return
        self._looking = True
        try:
            known = {run.id: run.logged for run in session.runs}
            version, news = await session.tasks.in_thread(_news, project, known, self._version)
            if project is not session.project or session.lock_owner is None:
                return
            if news is not None:
                self._take(news)
            self._version = version
            if await session.tasks.in_thread(Lock.owner, project.path) is None and project is session.project:
                self._timer.stop()
                self.freed.emit()
        except UserError:
            if project is session.project:  # otherwise it was closed meanwhile
                raise
        finally:
            self._looking = False

    def _take(self, news: _News) -> None:
        """Show changes by others: runs added or deleted, events, findings, and names."""
        runs = self._session.runs
        if news.gone:
            runs.remove([runs.by_id[run_id] for run_id in news.gone])
        for run in news.runs:
            run.elsewhere = True
            runs.add(run)
        for run_id, evidence in news.evidence.items():
            run = runs.by_id[run_id]
            run.evidence[:], run.external = evidence, news.external[run_id]
            if run_id in news.listings:
                run.listed_as(news.listings[run_id])
        runs.written(news.events)
        runs.changed.emit(list(news.evidence))


@dataclass(frozen=True)
class _News:
    """The content of a project beyond what is shown, and how its runs are listed now."""

    runs: list[Run]
    events: list[tuple[int, Event]]
    evidence: dict[int, list[Evidence]]
    external: dict[int, tuple[ExternalValidation, ...]]
    listings: dict[int, Listing]
    gone: set[int]


def _news(project: Project, known: dict[int, int], seen: int) -> tuple[int, _News | None]:
    """Changes by others since a version of the project, and its current version; None if there are none."""
    version = project.version()
    if version == seen:
        return version, None
    stored, listings = project.runs(), project.listings()
    there = {each.id for each in stored}
    new = [replayed(project, each, listings.get(each.id)) for each in stored if each.id not in known]
    old = {run_id: logged for run_id, logged in known.items() if run_id in there}
    events = [(run_id, event) for run_id, logged in old.items() for event in project.events(run_id, logged)]
    evidence = {run_id: kept_evidence(project.evidence(run_id)) for run_id in old}
    external = {run_id: kept_external(project, run_id) for run_id in old}
    return version, _News(new, events, evidence, external, listings, known.keys() - there)


_MOST_HELD = 4


class StepHistories(QObject):
    """The histories of the runs viewed last; ``read`` sends a run whose history is now available.

    A search of 20,000 features has more than 20 MB: forty runs would fill the memory.
    """

    read = Signal(object)

    def __init__(self, session: OpenProject) -> None:
        super().__init__(session)
        self._session = session
        self._looked_at: list[Run] = []
        self._reading: set[int] = set()
        session.runs.listed.connect(self._forget_gone)

    def look_at(self, run: Run) -> None:
        """Load the history of a run, now or soon, and release the least recently viewed one."""
        others = [each for each in self._looked_at if each is not run]
        self._looked_at = [*others[1 - _MOST_HELD :], run]
        state, project = run.state, self._session.project
        if project is not None:
            for other in self._session.runs:
                if other not in self._looked_at:
                    other.state.history = None
        if state.history is not None or run.id in self._reading:
            return
        if not state.evaluations:
            state.history = StepHistory()
        elif project is not None:
            self._session.tasks.begin(self._read(project, run), tr("reading the steps of the run"), quietly=True)

    def reading(self, run: Run) -> bool:
        """Whether its history is still being read."""
        return run.id in self._reading

    def _forget_gone(self) -> None:
        known = self._session.runs.by_id
        self._looked_at = [run for run in self._looked_at if known.get(run.id) is run]

    async def _read(self, project: Project, run: Run) -> None:
        """Build the history from the log on another thread, including events that arrive meanwhile, until complete."""
        session, history, folded = self._session, StepHistory(), 0
        self._reading.add(run.id)
        try:
            while folded < run.logged and project is session.project:
                upto = run.logged
                await session.tasks.in_thread(project.fold_steps, history, run.id, folded, upto)
                folded = upto
        finally:
            self._reading.discard(run.id)
        if project is session.project and session.runs.by_id.get(run.id) is run and run in self._looked_at:
            run.state.history = history
            self.read.emit(run)
