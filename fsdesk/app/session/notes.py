"""What the user knows about features: read from the project, changed here, kept in the project."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from fsdesk.app.session.session import Session
from fsdesk.data.annotations import Annotations
from fsdesk.messages import tr

__all__ = ["FeatureNotes"]


class FeatureNotes(QObject):
    """The annotations of the open project, ``known``; ``changed`` is sent when they are others."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.known = Annotations()
        session.project_changed.connect(self._load)
        if session.project is not None:
            self._load()

    def _load(self) -> None:
        self._session.tasks.begin(self._loaded(), tr("reading what is known about the features"), quietly=True)

    async def _loaded(self) -> None:
        from fsdesk.results.result import ANNOTATIONS

        project = self._session.project
        kept = None if project is None else await self._session.tasks.in_thread(project.kept, ANNOTATIONS)
        if project is self._session.project:
            self._show(Annotations.unpacked(kept))

    def _show(self, known: Annotations) -> None:
        if known != self.known:
            self.known = known
            self.changed.emit()

    async def read(self, path: Path, features: Sequence[str]) -> object:
        """Have a worker read a table of descriptions and join it; see :class:`fsdesk.results.tasks.Joined`."""
        from fsdesk.results.tasks import describe_task

        return await self._session.tasks.in_worker(describe_task, str(path), tuple(features))

    def describe(self, known: Annotations) -> None:
        """Show the descriptions of a table beside the notes that there are, and keep them."""
        self._keep(self.known.described(known))

    def note(self, feature: str, text: str) -> None:
        """Keep a note about a feature."""
        self._keep(self.known.noted(feature, text))

    def _keep(self, known: Annotations) -> None:
        self._show(known)
        self._session.tasks.begin(self._kept(known), tr("keeping what is known about the features"), quietly=True)

    async def _kept(self, known: Annotations) -> None:
        from fsdesk.results.result import ANNOTATIONS

        project = self._session.project
        if project is not None:
            await self._session.tasks.in_thread(project.keep, ANNOTATIONS, known.packed())
