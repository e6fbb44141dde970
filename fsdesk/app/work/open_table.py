"""The table that is open, what its columns are for, and the data set that is made of it."""

import asyncio
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal

from fsdesk.app.look.history import History
from fsdesk.app.look.places import Folders
from fsdesk.app.look.sentences import retold
from fsdesk.app.look.translation import tr
from fsdesk.app.work.asking import Pool, ask, off_thread
from fsdesk.app.work.choice_words import choice_words
from fsdesk.app.work.errands import Errands
from fsdesk.app.work.recent import Recent
from fsdesk.app.work.remembered import Last, Remembered, choices_fitting
from fsdesk.app.work.telling import Telling, downloads
from fsdesk.data import Choices, Dataset, ReadOptions, Shared, Table, described_columns
from fsdesk.data.readers.openml import Progress
from fsdesk.engine import RunRequest
from fsdesk.engine.tasks import Estimate, estimate_task, openml_task, prepare_task, read_task, sample_task
from fsdesk.errors import UserError

__all__ = ["OpenTable"]


class OpenTable(Errands):
    """Reads tables and prepares them in workers.

    Signals beside those of :class:`Errands`: ``table_changed``; ``dataset_changed`` (also to none). ``key`` names what
    is open, "" for what is no table; ``last`` is what was chosen for it in the session before, and ``fresh_choices``
    what it brings with it.
    """

    table_changed = Signal()
    dataset_changed = Signal()

    def __init__(self, pool: Pool, folders: Folders, store: QSettings, parent: QObject | None = None) -> None:
        super().__init__(folders.log_file, parent)
        self.pool, self.folders, self.store = pool, folders, store
        self.recent = Recent(store)
        self.history = History(self)
        self.remembered = Remembered(folders.settings)
        self.last: Last | None = None
        self.key = ""
        self.fresh_choices = Choices()
        self.table: Table | None = None
        self.path: Path | None = None
        self.options = ReadOptions()
        self.choices = Choices()
        self.described: frozenset[str] = frozenset()
        self.dataset: Dataset | None = None
        self.refusal = ""
        self.preparing = False
        self.disk = ThreadPoolExecutor(1, thread_name_prefix="disk")
        self._exchange = folders.shared / uuid.uuid4().hex
        self._shared_table: Shared[Table] | None = None
        self._shared: dict[str, Shared[Dataset]] = {}
        self._turn = 0

    async def open_table(self, path: Path, options: ReadOptions) -> None:
        """Open a table from a file."""
        shared = await ask(self.pool, read_task, str(path), options, str(self._exchange))
        self.options = options
        self.recent.add(path)
        ways = options.model_dump(exclude_defaults=True)  # a labels file makes another table of it
        await self._show_table(shared, path, f"{path.absolute()}{ways or ''}")

    async def open_sample(self, name: str) -> None:
        """Open one of the samples that come with the program."""
        self.options = ReadOptions()
        await self._show_table(await ask(self.pool, sample_task, name, str(self._exchange)), None, f"sample:{name}")

    async def open_openml(self, wanted: str, tell: Callable[[Progress], None]) -> None:
        """Open a data set of OpenML by name or number; ``tell`` hears of the download, in the window's thread."""
        pool = Telling(self.pool, tell, Progress)
        keep = str(downloads(self.folders))
        shared = await ask(pool, openml_task, wanted, keep, str(self._exchange))
        self.options = ReadOptions()
        await self._show_table(shared, None, f"openml:{wanted}")

    async def _show_table(self, shared: Shared[Table], path: Path | None, key: str) -> None:
        table = await off_thread(self.disk, shared.open)
        last = await off_thread(self.disk, self.remembered.read, key)
        self.table, self._shared_table, self.path, self.key, self.last = table, shared, path, key, last
        target = table.default_target
        self.described = frozenset(described_columns(table))
        self.fresh_choices = Choices(target=target, ignore=tuple(sorted(self.described - {target})))
        kept = choices_fitting(last.choices, table) if last is not None else None
        self.choices = kept or self.fresh_choices
        self.dataset, self.refusal = None, ""
        self.history.clear()
        self.table_changed.emit()
        await asyncio.sleep(0)  # the page is shown first
        if self.table is table:
            await self.prepare(self.choices)

    def with_target(self, target: str) -> Choices:
        """The choices with another target; the one before is left out again where it only describes the samples."""
        now = self.choices
        ignored = {*now.ignore, *({now.target or ""} & self.described)} - {target}
        group, folds, time = (None if held == target else held for held in (now.group, now.folds, now.time))
        return replace(now, target=target, ignore=tuple(sorted(ignored)), group=group, folds=folds, time=time)

    def choose(self, choices: Choices) -> None:
        """Take other choices, as a step that can be undone."""
        before = self.choices
        self._prepare_soon(choices)
        self.history.record(before, choices, self._prepare_soon, choice_words)

    def _prepare_soon(self, choices: Choices) -> None:
        self.choices, self.dataset, self.refusal, self.preparing = choices, None, "", True  # at once: no old data set
        self.begin(self.prepare(choices), tr("preparing the data"), subject="open")

    async def prepare(self, choices: Choices) -> None:
        """Make the data set that the choices describe; where several are asked for, the last one wins."""
        if self._shared_table is None:
            return
        self._turn += 1
        turn, self.choices, self.dataset = self._turn, choices, None
        self.refusal, self.preparing = "", True
        self.dataset_changed.emit()
        try:
            shared = await ask(self.pool, prepare_task, self._shared_table, choices, str(self._exchange))
        except UserError as error:
            if turn == self._turn:
                self.refusal = retold(str(error))
                raise
        else:
            if turn == self._turn:
                await self._use(shared, turn)
        finally:
            if turn == self._turn and self.preparing:
                self.preparing = False
                self.dataset_changed.emit()

    async def _use(self, shared: Shared[Dataset], turn: int) -> None:
        dataset = await off_thread(self.disk, shared.open)
        fingerprint = await off_thread(self.disk, lambda: dataset.fingerprint)
        self._shared[fingerprint] = shared
        if turn != self._turn:
            return
        self.dataset, self.refusal, self.preparing = dataset, "", False
        self.dataset_changed.emit()

    async def estimate(self, request: RunRequest, threads: int) -> Estimate | None:
        """What a run takes if it begins now; None while there is no data set."""
        if self.dataset is None:
            return None
        spec = request.resolve(self.dataset)
        shared = self._shared[spec.data_fingerprint]
        estimate: Estimate = await ask(self.pool, estimate_task, spec, shared, threads)
        return estimate
