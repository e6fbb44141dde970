"""The open table, the roles of its columns, and the resulting data set."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import shutil
import uuid
import weakref
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from pydantic import TypeAdapter, ValidationError
from PySide6.QtCore import QObject, QSettings, Signal

from fsdesk.app.session.background import BackgroundTasks
from fsdesk.app.undo import History
from fsdesk.data import Choices, Dataset, Learned, Origin, ReadOptions, Shared, Table, described_columns, share
from fsdesk.data.outcomes import Named, events_column, outcome_columns
from fsdesk.data.readers.download import Progress
from fsdesk.data.readers.labels import are_of_columns
from fsdesk.data.recode import names_now
from fsdesk.engine import RunRequest
from fsdesk.engine.tasks import (
    Estimate,
    address_task,
    estimate_task,
    openml_task,
    prepare_task,
    read_beside_task,
    read_task,
    sample_task,
)
from fsdesk.errors import DataError, UserError
from fsdesk.messages import counted, quoted, tr, translated
from fsdesk.paths import Folders
from fsdesk.store import Project

S = TypeVar("S", Table, Dataset)
_MOST_COPIED = 100_000_000  # maximum number of values of a data set for which a table is created, too


class TableLoader(QObject):
    """Reads tables and prepares them in workers: the open table, the roles of its columns, and its data set.

    Signals: ``table_changed``; ``dataset_changed`` (also to none). ``key`` identifies what is open, "" if it is not a
    table; ``last`` are the choices of the previous session, and ``fresh_choices`` the table's defaults. ``origin`` is
    the table of a data set shown from a project, and None for a table that was opened.
    """

    table_changed = Signal()
    dataset_changed = Signal()
    origin: Origin | None = None

    def __init__(self, tasks: BackgroundTasks, folders: Folders, recent: Recent, history: History) -> None:
        super().__init__(tasks)
        self._tasks, self._recent, self._history = tasks, recent, history
        self._downloads, self._folder = downloads(folders), folders.shared / uuid.uuid4().hex
        self.remembered = Remembered(folders.settings)
        self.last: Last | None = None
        self.key = ""
        self.fresh_choices = Choices()
        self.table: Table | None = None
        self.path: Path | None = None
        self._options: ReadOptions | None = None
        self.choices = Choices()
        self._read_before: Path | None = None
        self._default_target = ""
        self.described: frozenset[str] = frozenset()
        self.dataset: Dataset | None = None
        self.refusal = ""
        self.preparing = False
        self._shared_table: Shared[Table] | None = None
        self._shared_dataset: Shared[Dataset] | None = None
        self._of_project: dict[str, Shared[Dataset]] = {}
        self._shared: WeakValueDictionary[str, Shared[Dataset]] = WeakValueDictionary()  # runs use some of them, too
        self._turn = 0
        self._openings = 0
        self._reads = 0
        self._awaiting: Choices | None = None  # choices to be applied after the file has been read again
        self._addresses: dict[Path, str] = {}

    @property
    def options(self) -> ReadOptions:
        """How the open table was read; created on first use, because pydantic is slow."""
        if self._options is None:
            self._options = ReadOptions()
        return self._options

    async def open_table(self, path: Path, options: ReadOptions | None = None) -> None:
        """Open a table from a file; without options, it is read as it was last time.

        If several tables are being opened, the last one asked for is shown.
        """
        await self._open_file(path, options, self._next_opening())

    def _next_opening(self) -> int:
        self._openings += 1
        return self._openings

    async def _open_file(self, path: Path, options: ReadOptions | None, opening: int) -> None:
        known = {} if options is not None else await self._tasks.in_thread(self.remembered.ways, path)
        try:
            shared, wanted = await self._read(path, options or ReadOptions().updated(known))
        except UserError:
            if not known:
                raise
            shared, wanted = await self._read(path, ReadOptions())  # the file has changed
        self._recent.add(path)
        await self._show_read(shared, path, wanted, opening)

    async def _read(self, path: Path, options: ReadOptions) -> tuple[Shared[Table], ReadOptions]:
        """Read a table, and decide how: columns are samples if a label file contains labels for them."""
        try:
            return await self._tasks.in_worker(read_task, str(path), options, str(self._folder)), options
        except UserError as error:
            if not are_of_columns(error) or options.orientation == "columns":
                raise
            turned = options.updated({"orientation": "columns"})
            return await self._tasks.in_worker(read_task, str(path), turned, str(self._folder)), turned

    async def _show_read(
        self, shared: Shared[Table], path: Path, options: ReadOptions, opening: int, choices: Choices | None = None
    ) -> None:
        ways = options.model_dump(exclude_defaults=True)  # a label file changes the table
        self._tasks.disk.submit(self.remembered.keep_ways, path, ways)
        await self._show_table(shared, path, f"{path.absolute()}{ways or ''}", opening, options, choices)

    async def read_with(self, options: ReadOptions, words: str) -> None:
        """Read the open file with other options, as an undoable step with this name; roles of columns are kept."""
        before = self.options, self.choices
        now = names_now(self.options, options)
        if await self._read_again(options, _renamed(self.choices, now)):
            self._history.record(before, (self.options, self.choices), self._read_again_soon, lambda *_: words)

    def _read_again_soon(self, state: tuple[ReadOptions, Choices]) -> None:
        if self.path is not None:
            self._awaiting = state[1]  # immediately: the next undo may concern the choices

            async def read() -> None:
                await self._read_again(*state)

            self._tasks.begin(read(), tr("reading {name}", name=self.path.name), subject="open")

    async def _read_again(self, options: ReadOptions, choices: Choices) -> bool:
        """Read the open file; if there are several requests, the last one wins. Returns whether this one did."""
        path = self.path
        if path is None:
            return False
        self._reads += 1
        turn, opening, self._awaiting = self._reads, self._openings, self._awaiting or choices
        try:
            shared, options = await self._read(path, options)
            if turn != self._reads or path != self.path:
                return False
            await self._show_read(shared, path, options, opening, choices)
        finally:
            if turn == self._reads:
                self._awaiting = None
        return True

    async def read_beside(self, path: Path, learned: Dataset) -> Shared[Table]:
        """Read another table, such as new rows, in the same way as that of a run; the open table stays open."""
        known = await self._tasks.in_thread(Learned.of, learned)
        shared: Shared[Table] = await self._tasks.in_worker(read_beside_task, str(path), known, str(self._folder))
        return self._removed_when_unused(shared)

    async def open_sample(self, name: str) -> None:
        """Open one of the built-in samples."""
        opening = self._next_opening()
        shared = await self._tasks.in_worker(sample_task, name, str(self._folder))
        await self._show_table(shared, None, f"sample:{name}", opening)

    async def open_openml(self, wanted: str, show: Callable[[Progress], None]) -> None:
        """Open an OpenML data set by name or number; ``show`` receives the progress of the download."""

        def on_message(message: object) -> None:
            if isinstance(message, Progress):
                show(message)

        opening = self._next_opening()
        shared = await self._tasks.in_worker(
            openml_task, wanted, str(self._downloads), str(self._folder), on_message=on_message
        )
        await self._show_table(shared, None, f"openml:{wanted}", opening)

    async def open_address(self, address: str, show: Callable[[Progress], None]) -> None:
        """Open a table at a web address; ``show`` receives the progress of the download."""

        def on_message(message: object) -> None:
            if isinstance(message, Progress):
                show(message)

        opening = self._next_opening()
        keep = str(self._downloads.with_name("addresses"))
        path = Path(await self._tasks.in_worker(address_task, address, keep, on_message=on_message))
        self._addresses[path] = address
        await self._open_file(path, ReadOptions(), opening)

    @property
    def place(self) -> tuple[Path, str] | None:
        """The open file and part of it, however it was read; None for a table that is not from a file."""
        return None if self.path is None or self.table is None else (self.path, self.table.part)

    @property
    def address(self) -> str:
        """The web address of the open table; "" for others."""
        return self._addresses.get(self.path, "") if self.path is not None else ""

    async def _show_table(
        self,
        shared: Shared[Table],
        path: Path | None,
        key: str,
        opening: int,
        options: ReadOptions | None = None,
        choices: Choices | None = None,
    ) -> None:
        """Show a table; with the ``choices`` if it is the open one read with other options."""
        table = await self._tasks.in_thread(self._removed_when_unused(shared).open)
        last = await self._tasks.in_thread(self.remembered.read, key) if choices is None else None
        if opening != self._openings or (choices is not None and path != self.path):
            return  # another one has been asked for since
        described = self.described
        if choices is not None:
            choices, self._awaiting = self._awaiting or choices, None
        self.table, self._shared_table, self.path, self.key, self.last = table, shared, path, key, last
        self._options, self.origin = options, None
        target = table.default_target
        self.described = frozenset(described_columns(table))
        group = table.default_group or None
        ignored = self.described - {target, group}
        again = path is not None and self._read_before == path
        named = self.choices if again and self.choices.target != self._default_target else None
        task = self.choices.task if again else "auto"
        self._read_before, self._default_target = path, target
        self.fresh_choices = Choices(target=target, ignore=tuple(sorted(ignored)), group=group)
        kept = choices_fitting(last.choices, table) if last is not None else None
        self.choices = kept or replace(self.fresh_choices, task=task)
        if kept is None and named is not None and named.target in table.columns:  # the file was only read again
            self.choices = replace(self.with_target(named.target), group=self.choices.group)
        if choices is not None:
            aside = ({*choices.ignore} - (described - self.described)) | (ignored - described)
            aside -= {choices.target, choices.group}
            fitting = choices_fitting(replace(choices, ignore=tuple(sorted(aside))), table)
            self.choices = fitting or self.fresh_choices
        self.dataset, self.refusal = None, ""
        if choices is None:
            self._history.clear()
        self.table_changed.emit()
        await asyncio.sleep(0)  # the page is shown first
        if self.table is table:
            await self.prepare(self.choices)

    def with_target(self, target: str) -> Choices:
        """The choices with another target; the previous one is excluded again if it only describes the samples."""
        now = self.choices
        ignored = {*now.ignore, *({now.target or ""} & self.described)} - {target}
        group, folds, time = (None if held == target else held for held in (now.group, now.folds, now.time))
        return replace(
            now,
            target=target,
            ignore=tuple(sorted(ignored)),
            group=group,
            folds=folds,
            time=time,
            event=None,
            entry=None,
        )

    def with_outcome(self, outcome: Named) -> Choices:
        """The choices with a time to an event as target."""
        columns = () if self.table is None else outcome_columns(self.table, outcome)
        made = self.with_target(outcome.target or "")
        ignored = {*made.ignore} - {*columns}
        return replace(made, ignore=tuple(sorted(ignored)), task="auto", event=outcome.event, entry=outcome.entry)

    def choose(self, choices: Choices) -> None:
        """Apply other choices, as an undoable step."""
        before = self.choices
        self._prepare_soon(choices)
        self._history.record(before, choices, self._prepare_soon, choice_words)

    def _prepare_soon(self, choices: Choices) -> None:
        if self._awaiting is not None:
            self.choices = self._awaiting = choices
            return
        self.choices, self.dataset, self.refusal, self.preparing = choices, None, "", True  # no old data set
        self._tasks.begin(self.prepare(choices), tr("preparing the data"), subject="open")

    async def prepare(self, choices: Choices) -> None:
        """Make the data set described by the choices; if there are several requests, the last one wins."""
        if self._shared_table is None:
            return
        self._turn += 1
        turn, self.choices, self.dataset = self._turn, choices, None
        self.refusal, self.preparing = "", True
        self.dataset_changed.emit()
        try:
            shared = await self._tasks.in_worker(prepare_task, self._shared_table, choices, str(self._folder))
        except UserError as error:
            if turn == self._turn:
                self.refusal = translated(str(error))
                raise
        else:
            self._removed_when_unused(shared)
            if turn == self._turn:
                await self._use(shared, turn)
        finally:
            if turn == self._turn and self.preparing:
                self.preparing = False
                self.dataset_changed.emit()

    async def _use(self, shared: Shared[Dataset], turn: int) -> None:
        dataset = await self._tasks.in_thread(shared.open)
        fingerprint = await self._tasks.in_thread(lambda: dataset.fingerprint)
        if turn != self._turn:
            return
        self._shared_dataset = self._shared[fingerprint] = shared
        self.dataset, self.refusal, self.preparing = dataset, "", False
        self.dataset_changed.emit()

    async def estimate(self, request: RunRequest, threads: int) -> Estimate | None:
        """Have a worker estimate the cost of a run that starts now; None without a data set."""
        if self.dataset is None:
            return None
        spec = request.resolve(self.dataset)
        shared = self._shared[spec.data_fingerprint]
        estimate: Estimate = await self._tasks.in_worker(estimate_task, spec, shared, threads)
        return estimate

    async def show_dataset(self, project: Project, fingerprint: str) -> None:
        """Show a data set of a project, with its table unless that would be a copy of very many values."""
        opening = self._next_opening()
        shared = await self.shared_dataset(project, fingerprint)
        dataset = await self._tasks.in_thread(shared.open)
        origin, shared_table = None, None
        if dataset.x.size <= _MOST_COPIED:
            origin = await self._tasks.in_thread(project.origin, dataset)
            shared_table = self._removed_when_unused(await self._tasks.in_thread(share, origin.table, self._folder))
            origin = replace(origin, table=await self._tasks.in_thread(shared_table.open))
        if opening != self._openings:
            return  # another one has been asked for since
        self._turn += 1  # a data set of the table before comes too late
        turn = self._turn
        self.path, self.key, self.last, self._options, self._read_before = None, "", None, None, None
        self.origin, self._shared_table = origin, shared_table
        self.table = None if origin is None else origin.table
        self.choices = self.fresh_choices = Choices() if origin is None else origin.choices
        self.described = frozenset() if self.table is None else frozenset(described_columns(self.table))
        self._default_target = "" if self.table is None else self.table.default_target
        self.dataset, self.refusal, self.preparing = None, "", False
        self._history.clear()
        self.table_changed.emit()
        if turn == self._turn:
            await self._use(shared, turn)

    async def shared_dataset(self, project: Project, fingerprint: str) -> Shared[Dataset]:
        """A data set of a project, as opened by workers."""
        shared = self._shared.get(fingerprint)
        if shared is None:
            made = await self._tasks.in_thread(lambda: share(project.dataset(fingerprint), self._folder))
            shared = self._shared[fingerprint] = self._removed_when_unused(made)
        self._of_project[fingerprint] = shared
        return shared

    @property
    def origin_now(self) -> Origin | None:
        """What the data set is made of, to be stored with it."""
        if self.table is None:
            return None
        return Origin(self.table, self.choices, whole=self.origin is None or self.origin.whole)

    def close_table(self) -> None:
        """Close the table; the file is unchanged."""
        self._turn += 1  # a data set that is still being prepared comes too late
        self._next_opening()
        self.origin = None
        self.table, self._shared_table, self.path, self.key, self.last = None, None, None, "", None
        self.dataset, self._shared_dataset, self.refusal, self.preparing = None, None, "", False
        self._options, self.choices, self._read_before = None, Choices(), None
        self._history.clear()
        self.table_changed.emit()
        self.dataset_changed.emit()

    def forget_project(self) -> None:
        """Keep only the open data for the workers."""
        self._of_project.clear()

    def _removed_when_unused(self, shared: Shared[S]) -> Shared[S]:
        """A handle whose files are removed as soon as no view or task uses it."""
        weakref.finalize(shared, _remove_soon, self._tasks.disk, replace(shared)).atexit = False
        return shared

    async def close(self) -> None:
        """Remove the files created for the workers."""
        await self._tasks.in_thread(shutil.rmtree, self._folder, ignore_errors=True)


def _remove_soon(disk: ThreadPoolExecutor, shared: Shared[Any]) -> None:
    with suppress(RuntimeError):  # the window is closing, which removes the whole folder
        disk.submit(shared.remove)


def downloads(folders: Folders) -> Path:
    """The folder in the user's cache for OpenML data sets; also used by the command line."""
    return folders.shared.parent / "openml"


_MOST_TABLES = 200
"""Number of tables remembered; the least recently opened ones are forgotten."""


@dataclass(frozen=True)
class Last:
    """The choices of the last session.

    Attributes
    ----------
    choices
        The roles of the columns.
    settings
        Text of a settings file.
    preset, start, source
        As in :class:`fsdesk.app.forms.setup.Setup`.
    """

    choices: Choices = field(default_factory=Choices)
    settings: str = ""
    preset: str = ""
    start: tuple[str, ...] = ()
    source: str = ""


class Remembered:
    """Files in ``folder/tables``, named after what was opened."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "tables"

    def _path(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.json"

    def read(self, key: str) -> Last | None:
        """The last choices for a table; None if there are none, or they are unreadable."""
        try:
            return TypeAdapter(Last).validate_json(self._path(key).read_bytes()) if key else None
        except FileNotFoundError:
            return None
        except (OSError, ValidationError) as error:
            logging.getLogger("fsdesk.app").warning("the last settings of %s cannot be read: %s", key, error)
            return None

    def ways(self, path: Path) -> dict[str, str]:
        """How a file was last read, if any options were set."""
        try:
            return TypeAdapter(dict[str, str]).validate_json(self._path(f"ways:{path.absolute()}").read_bytes())
        except (OSError, ValidationError):
            return {}

    def keep_ways(self, path: Path, ways: Mapping[str, object]) -> None:
        """Store how a file was read; nothing if no options were set."""
        key = f"ways:{path.absolute()}"
        if not ways:
            self.forget(key)
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            words = {name: str(value) for name, value in ways.items()}
            self._path(key).write_text(json.dumps(words), encoding="utf-8")
        except OSError as error:
            logging.getLogger("fsdesk.app").warning("how %s was read cannot be kept: %s", path, error)

    def write(self, key: str, last: Last) -> None:
        """Store the choices for a table; write errors are only logged, because nothing else depends on them."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._path(key).write_text(json.dumps({"table": key, **asdict(last)}), encoding="utf-8")
            for old in sorted(self._folder.glob("*.json"), key=lambda path: -path.stat().st_mtime)[_MOST_TABLES:]:
                old.unlink(missing_ok=True)
        except OSError as error:
            logging.getLogger("fsdesk.app").warning("the settings of %s cannot be kept: %s", key, error)

    def forget(self, key: str) -> None:
        """Remove the choices for a table."""
        try:
            self._path(key).unlink(missing_ok=True)
        except OSError as error:
            logging.getLogger("fsdesk.app").warning("the settings of %s cannot be forgotten: %s", key, error)


def _renamed(choices: Choices, now: Mapping[str, str]) -> Choices:
    """The choices after renaming columns."""
    if not now:
        return choices
    target, group, folds, time = (
        now.get(name or "", name) for name in (choices.target, choices.group, choices.folds, choices.time)
    )
    ignore, keep = (tuple(now.get(name, name) for name in names) for names in (choices.ignore, choices.keep))
    return replace(choices, target=target, group=group, folds=folds, time=time, ignore=ignore, keep=keep)


def choices_fitting(choices: Choices, table: Table) -> Choices | None:
    """The choices without missing columns; None if the target is missing."""
    known = frozenset(table.columns)
    if choices.target not in known:
        return None
    ignore, keep = (tuple(name for name in names if name in known) for names in (choices.ignore, choices.keep))
    group, folds, time = (name if name in known else None for name in (choices.group, choices.folds, choices.time))
    try:
        event = choices.event if events_column(table, choices.event) else None
    except DataError:
        event = None
    entry = choices.entry if event is not None and choices.entry in known else None
    return replace(choices, ignore=ignore, keep=keep, group=group, folds=folds, time=time, event=event, entry=entry)


def choice_words(before: Choices, after: Choices) -> str:
    """The difference between two sets of choices, in words."""
    parts: list[str] = []
    if before.target != after.target:
        parts.append(tr("Target {old} → {new}", old=before.target or "", new=after.target or ""))
    roles = {
        "event": tr("Event"), "entry": tr("Entry"), "group": tr("Groups of rows"), "folds": tr("Your own folds"),
        "time": tr("Time"),
    }  # fmt: skip
    for role, title in roles.items():
        old, new = getattr(before, role), getattr(after, role)
        if old != new:
            parts.append(tr("{title}: {column}", title=title, column=new or tr("none")))
    moved = {before.target, after.target, *(getattr(each, role) for each in (before, after) for role in roles)}
    out = tuple(sorted({*after.ignore} - {*before.ignore} - moved))
    back = tuple(sorted({*before.ignore} - {*after.ignore} - moved))
    kept = tuple(sorted({*before.keep} ^ {*after.keep}))
    for title, names in ((tr("Exclude"), out), (tr("Include"), back), (tr("Row IDs as features"), kept)):
        if names:
            parts.append(f"{title} {translated(quoted(names)) if len(names) < 3 else counted(len(names), 'column')}")
    others = {"missing": tr("Missing values"), "nominal": tr("Text columns"), "task": tr("Target type")}
    parts += [title for name, title in others.items() if getattr(before, name) != getattr(after, name)]
    return ", ".join(parts) or tr("Columns")


_KEY, _PINNED = "recent/files", "recent/pinned"
_ANSWERS = "recent/answers"
_MOST_FILES = 12


class Answer(NamedTuple):
    """The result of a project's last run with a held-out error, as texts in English, and the number of runs."""

    target: str
    criterion: str
    value: str
    selected: int
    features: int
    runs: int


class RecentFile(NamedTuple):
    """A file of the list; ``missing`` if it was moved or deleted; the result of a project if known."""

    path: Path
    pinned: bool
    missing: bool
    answer: Answer | None = None


class Recent:
    """Paths of tables and projects."""

    def __init__(self, store: QSettings) -> None:
        self._store = store

    def files(self) -> list[RecentFile]:
        """All remembered files: the pinned ones first, then the newest."""
        pinned = self._names(_PINNED)
        names = [*pinned, *(name for name in self._names(_KEY) if name not in pinned)]
        answers = self._answers()
        return [RecentFile(Path(name), name in pinned, not Path(name).is_file(), answers.get(name)) for name in names]

    def paths(self) -> list[Path]:
        """Remembered paths that still exist, newest first."""
        return [path for name in self._names(_KEY) if (path := Path(name)).is_file()]

    def add(self, path: Path) -> None:
        """Move a path to the top."""
        name = str(path.absolute())
        others = [known for known in self._names(_KEY) if known != name]
        self._store.setValue(_KEY, [name, *others][:_MOST_FILES])

    def note_answer(self, path: Path, answer: Answer | None) -> None:
        """Store the result of a project; None removes it, as for files no longer in the list."""
        listed = {*self._names(_KEY), *self._names(_PINNED)}
        answers = {name: each for name, each in self._answers().items() if name in listed}
        answers.pop(str(path.absolute()), None)
        if answer is not None:
            answers[str(path.absolute())] = answer
        self._store.setValue(_ANSWERS, json.dumps(answers))

    def _answers(self) -> dict[str, Answer]:
        try:
            saved = json.loads(str(self._store.value(_ANSWERS, "{}")))
            return {
                str(name): Answer(str(target), str(criterion), str(value), int(selected), int(features), int(runs))
                for name, (target, criterion, value, selected, features, runs) in saved.items()
            }
        except (ValueError, TypeError, AttributeError):  # of another version, or changed by hand
            return {}

    def pin(self, path: Path, pinned: bool) -> None:
        """Pin a path to the top of the list, or unpin it."""
        others = [name for name in self._names(_PINNED) if name != str(path)]
        self._store.setValue(_PINNED, [*others, str(path)] if pinned else others)

    def remove(self, path: Path) -> None:
        """Remove a path; the file is not affected."""
        for key in (_KEY, _PINNED):
            self._store.setValue(key, [name for name in self._names(key) if name != str(path)])

    def clear(self) -> None:
        """Remove all paths that are not pinned."""
        self._store.remove(_KEY)

    def _names(self, key: str) -> list[str]:
        saved = self._store.value(key, [])
        # A list of one item comes back from the settings file as that item, an empty list as nothing or "".
        names = saved if isinstance(saved, list) else [saved] if isinstance(saved, str) and saved else []
        return [str(name) for name in names]
