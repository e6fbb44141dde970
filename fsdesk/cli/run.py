"""Running and resuming without a screen: `fsdesk run`, `fsdesk resume`."""

import itertools
import json
import math
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import platformdirs
import typer
from rich.progress import DownloadColumn

from fsdesk.cli.bars import JobBars
from fsdesk.cli.options import (
    NOTHING_MEASURED,
    STOPPED,
    AcceptReading,
    Always,
    Cluster,
    EntryColumn,
    EventColumn,
    Folds,
    Group,
    Ignore,
    Keep,
    Method,
    Missing,
    MoreIterations,
    MoreMeasurements,
    MoreMinutes,
    Never,
    Nominal,
    OneProject,
    Out,
    Outer,
    Overwrite,
    Permutations,
    PresetName,
    ProjectFile,
    Reading,
    RunId,
    Seed,
    SettingsFile,
    SetValues,
    Start,
    TableFile,
    Target,
    Task,
    Time,
    Together,
    Workers,
    WrapperName,
    from_list,
    from_subset,
    from_toml,
    from_words,
    note,
    outcome_named,
    progress_bar,
    read_dataset,
    refuse_existing,
)
from fsdesk.data import Dataset, described_columns, prepare, refuse_questions
from fsdesk.data.outcomes import named_outcome, outcome_columns
from fsdesk.data.readers.address import address_of, download, downloads
from fsdesk.data.readers.download import Progress as Downloaded
from fsdesk.data.readers.openml import fetch
from fsdesk.engine import (
    ENOUGH_ROWS,
    BaselineMeasured,
    Event,
    Flag,
    Pool,
    Prefilter,
    RunRequest,
    RunSpec,
    RunState,
    Wanted,
    more_of,
    usable_cores,
)
from fsdesk.engine.cluster import connected
from fsdesk.engine.request import USUAL_FITS
from fsdesk.engine.tasks import evaluator_of
from fsdesk.errors import SettingsError, UserError
from fsdesk.messages import message, tr, tr_many, translated
from fsdesk.methods import METHODS
from fsdesk.results.evidence import Evidence, Honesty, kept_evidence
from fsdesk.results.exports import EXPORTS, STANDARD, export, writable
from fsdesk.results.job import Keeper, job, refuse_evidence, wanted_of
from fsdesk.results.record import RunRecord, lead, seen_by_the_search
from fsdesk.store import RUN_FILE, Lock, LockOwner, Project
from fsdesk.wrappers import named_wrapper


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"fsdesk {version('fsdesk')}")
        raise typer.Exit


def root(
    context: typer.Context,
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
    smoke: Annotated[
        bool,
        typer.Option(
            "--smoke", help="Run a short search in the window as a self-test, with or without a screen, and exit."
        ),
    ] = False,
    sample: Annotated[str | None, typer.Option("--sample", help="Open the window with this sample loaded.")] = None,
) -> None:
    """Find the features that predict best. Without a command, the window opens."""
    if context.invoked_subcommand is not None:
        return
    from fsdesk.app import main

    options = (["--smoke"] if smoke else []) + (["--sample", sample] if sample else [])
    raise typer.Exit(main(options))


def open_(
    file: Annotated[
        Path | None, typer.Argument(help="A table, sample:NAME, or a project (*.fsdesk).", show_default=False)
    ] = None,
) -> None:
    """Open the window, optionally with a table or project."""
    from fsdesk.app import main

    raise typer.Exit(main([str(file)] if file else []))


def run(
    table: TableFile,
    target: Target = None,
    method: Method = None,
    wrapper: WrapperName = None,
    seed: Seed = None,
    out: Out = None,
    workers: Workers = None,
    outer: Outer = None,
    permutations: Permutations = 0,
    preset: PresetName = None,
    settings: SetValues = None,
    settings_file: SettingsFile = None,
    task: Task = "auto",
    group: Group = None,
    folds: Folds = None,
    time: Time = None,
    event: EventColumn = None,
    entry: EntryColumn = None,
    always: Always = None,
    never: Never = None,
    together: Together = None,
    start: Start = None,
    ignore: Ignore = None,
    keep: Keep = None,
    missing: Missing = "impute",
    nominal: Nominal = "encode",
    read: Reading = None,
    accept_reading: AcceptReading = False,
    project: ProjectFile = None,
    cluster: Cluster = None,
    overwrite: Overwrite = False,
) -> None:
    """Run a search without a window; Ctrl-C stops it, `fsdesk resume` continues it.

    TABLE is a file, a web address (https://...), an OpenML data set by name or number (openml:iris, openml:61), or a
    built-in table (sample:genes; sample: alone lists them).

    Results of an earlier run are not replaced without --overwrite: without --out they are written to a folder of their
    own, such as TABLE-METHOD-2; with --out the command ends with exit code 2 before the search.
    """
    if out is not None and not overwrite:
        refuse_existing(out / name for name in STANDARD)
    choices: dict[str, Any] = {
        "task": task, "group": group, "folds": folds, "time": time, "missing": missing, "nominal": nominal,
        "ignore": tuple(ignore or ()), "keep": tuple(keep or ()), "event": event, "entry": entry,
    }  # fmt: skip
    target = outcome_named(target, choices)
    said = {
        "method": method,
        "wrapper": wrapper,
        "seed": seed,
        "preset": preset,
        "always": always,
        "never": never,
        "together": [from_list(names) for names in together or ()] or None,
        "start": from_subset(start) or None,
        "outer": outer,
        "permutations": permutations or None,
    }
    saved = from_toml(settings_file)
    values = {**saved.settings, **from_words(settings)}
    request = saved.updated({**{name: value for name, value in said.items() if value is not None}, "settings": values})
    public, address = _openml_name(table), address_of(table)
    if address is not None:
        table = _downloaded(address)
    if public is None:
        dataset = read_dataset(table, target, choices, read, accept=accept_reading)
    else:
        dataset = _from_openml(public, target, choices, read, accept=accept_reading)
    out = out or _free_folder(Path(f"{table.stem.replace(':', '-')}-{request.method}"), overwrite=overwrite)
    with connected(cluster) as pool:
        code = _start(dataset, request, out, workers, project or out / RUN_FILE, pool)
    raise typer.Exit(code)


def resume(
    project: OneProject,
    run_id: RunId = None,
    out: Out = None,
    workers: Workers = None,
    outer: Outer = None,
    permutations: Permutations = 0,
    more_measurements: MoreMeasurements = 0,
    more_iterations: MoreIterations = 0,
    more_minutes: MoreMinutes = 0.0,
    cluster: Cluster = None,
    overwrite: Overwrite = False,
) -> None:
    """Resume a run that was stopped or killed, with the same result as if it had never stopped; or extend any run."""
    with connected(cluster) as pool, closing(Project.open(project)) as opened, _locked(project) as owner:
        if owner is not None:
            raise UserError(
                '"{path}" is open in another fsdesk (process {pid}). Resume the run there, or close it.',
                path=project,
                pid=owner.pid,
            )
        stored = opened.run(run_id)
        folder = out or project.parent
        if not (overwrite or _are_results_of(folder, stored.spec)):
            refuse_existing(folder / name for name in STANDARD)
        dataset = opened.dataset(stored.spec.data_fingerprint)
        replayed = tuple(opened.events(stored.id))
        if more_measurements or more_iterations or more_minutes:
            more = more_of(
                stored.spec, measurements=more_measurements, iterations=more_iterations, minutes=more_minutes
            )
            change = replace(more, number=RunState.of(replayed, history=False).evaluations + 1)
            opened.append([(stored.id, change)])
            replayed = (*replayed, change)
        request = RunRequest(outer=outer, permutations=permutations)
        asked = _Asked(opened, stored.id, stored.spec, dataset, request, workers, pool)
        raise typer.Exit(_drive(asked, replayed, folder))


_LONG_SECONDS = 10.0  # measurement time above which cheaper settings are suggested
_OPENML = "openml:"


def _free_folder(folder: Path, *, overwrite: bool) -> Path:
    """The folder or, if it already contains results, a numbered one next to it."""
    numbered = (folder.with_name(f"{folder.name}-{number}") for number in itertools.count(2))
    there = itertools.chain([folder], numbered)
    return next(each for each in there if overwrite or not any((each / name).exists() for name in STANDARD))


def _are_results_of(folder: Path, spec: RunSpec) -> bool:
    """Whether a folder has earlier results of this run, which its resumption replaces."""
    try:
        content = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and content.get("spec") == json.loads(json.dumps(spec.model_dump()))


def _downloaded(address: str) -> Path:
    """The file at an address, stored in the user's cache."""
    with _download_bar(tr("Waiting for a response")) as report:
        return download(address, downloads(), report)


@contextmanager
def _download_bar(title: str) -> Iterator[Callable[[Downloaded], None]]:
    with progress_bar(DownloadColumn(), bar=False) as progress:
        task = progress.add_task(title, total=None)

        def report(step: Downloaded) -> None:
            progress.update(task, description=step.what, completed=step.done, total=step.total or None)

        yield report
        progress.update(task, visible=False)


def _openml_name(table: Path) -> str | None:
    """The name or number after ``openml:``; None if a file is meant, even one of that name."""
    text = str(table)
    return text[len(_OPENML) :] if text.lower().startswith(_OPENML) and not table.exists() else None


def _from_openml(
    wanted: str, target: str | None, choices: Mapping[str, Any], read: Sequence[str] | None, *, accept: bool
) -> Dataset:
    """Download an OpenML data set to the user's cache, and print notes on it on stderr.

    Raises
    ------
    DataError, SettingsError
        If OpenML cannot be reached or has no such data set; if options for reading a file are given.
    """
    if read:
        raise SettingsError("--read applies to files; omit it for an OpenML data set.")
    folder = platformdirs.user_cache_path("fsdesk", appauthor=False) / "openml"
    with _download_bar(tr("Contacting OpenML")) as report:
        table = fetch(wanted, folder, report)
    outcome = named_outcome(table, target, choices["event"], choices["entry"])
    named = outcome.target
    held = (
        named or table.default_target, *outcome_columns(table, outcome),
        *(choices[role] for role in ("group", "folds", "time")), *choices["keep"],
    )  # fmt: skip
    ignore = (*choices["ignore"], *described_columns(table, held))
    dataset = prepare(table, named, **{**choices, "event": outcome.event, "entry": outcome.entry, "ignore": ignore})
    if not accept:
        refuse_questions(dataset, named)
    for check in dataset.checks:
        note(check.sentence)
    return dataset


def _start(
    dataset: Dataset,
    request: RunRequest,
    out: Path,
    workers: int | None,
    log: Path,
    pool: Pool | None,
) -> int:
    """Carry out a request in the project ``log``, write the results; return the exit code."""
    spec = request.resolve(dataset)
    # Both report errors in the search or measurement before a project is created.
    spec.model_copy(update={"prefilter": Prefilter()}).build_space(dataset).start(spec.start)
    evaluator_of(spec, dataset)
    _look_ahead(request, spec, dataset)
    for protocol, codes in (("column", dataset.fold_of), ("time", dataset.time)):
        if codes is not None and spec.measuring.protocol != protocol:
            note(
                message(
                    "The column with {role} is not used, because another validation is set; use --set "
                    "protocol={protocol}.",
                    role=message("the folds") if protocol == "column" else message("the time"),
                    protocol=protocol,
                )
            )
    if named_wrapper(request.wrapper).name != spec.wrapper:
        note(
            message(
                "{method} uses a single model, here {model}; choose another with --wrapper.",
                method=METHODS[spec.method].brief,
                model=spec.build_wrapper().called(),
            )
        )
    if spec.measurements < spec.usual_measurements:
        note(
            message(
                "{model} is slow to fit, so the search plans {planned:,} measurements instead of {usual:,}; --set "
                "fits={fits} plans all of them.",
                model=spec.build_wrapper().called(),
                planned=spec.measurements,
                usual=spec.usual_measurements,
                fits=USUAL_FITS,
            )
        )
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            "Cannot create {parent} ({strerror}). Choose another folder.", parent=log.parent, strerror=error.strerror
        ) from error
    opened = Project.open(log) if log.exists() else Project.create(log)
    with closing(opened) as project, _locked(log) as owner:
        if owner is not None:  # a separate run does not get in anyone's way
            note(
                message(
                    '"{path}" is open in another fsdesk (process {pid}), which will show this run when it reopens '
                    "the project.",
                    path=log,
                    pid=owner.pid,
                )
            )
        project.add_dataset(dataset)
        run_id = project.add_run(spec)
        return _drive(_Asked(project, run_id, spec, dataset, request, workers, pool), (), out)


def _look_ahead(request: RunRequest, spec: RunSpec, dataset: Dataset) -> None:
    """Say before the search if the held-out error cannot be estimated; raise if it was requested."""
    try:
        refuse_evidence(request, spec, dataset)
    except UserError as error:
        if request.outer is not None:
            raise
        note(message("the held-out error cannot be measured: {error}", error=error))


@contextmanager
def _locked(path: Path) -> Iterator[LockOwner | None]:
    """Lock a project while the block runs; yield the owner of the lock if another process has it."""
    try:
        lock = Lock.take(path)
    except OSError:  # a read-only folder: the writer of the project will report it
        yield None
        return
    if isinstance(lock, LockOwner):
        yield lock
        return
    try:
        yield None
    finally:
        lock.release()


@dataclass(frozen=True)
class _Asked:
    """A job requested on the command line, whose steps are stored in a project.

    Attributes
    ----------
    request
        The evidence requested; by default outer folds continue with the number that was started.
    workers
        Measurements in parallel; None: as many as there are cores.
    pool
        Workers that carry it out, such as those of a cluster; None: this process.
    """

    project: Project
    run_id: int
    spec: RunSpec
    dataset: Dataset
    request: RunRequest
    workers: int | None
    pool: Pool | None = None

    @property
    def command(self) -> str:
        """The command that resumes the run."""
        request = self.request
        outer = "" if request.outer is None else f" --outer {request.outer}"
        shuffled = f" --permutations {request.permutations}" if request.permutations else ""
        return f"fsdesk resume {self.project.path} --run {self.run_id}{outer}{shuffled}"


def _drive(asked: _Asked, replayed: Sequence[Event], out: Path) -> int:
    """Carry the job out, print and write the results; return the exit code."""
    state, known = RunState.of(replayed), kept_evidence(asked.project.evidence(asked.run_id))
    with stop_on_signal() as flag:
        try:
            wanted = _carried_out(asked, replayed, state, known, flag)
        except KeyboardInterrupt:
            print(tr("Interrupted; resume with: {command}", command=asked.command), file=sys.stderr)
            raise
    if state.best is None:
        over = not flag.stop and asked.spec.method_at_work().max_minutes > 0
        why = f": {translated(state.reason)}" if over else ""
        going_on = asked.command + (" --more-minutes 10" if over else "")
        print(
            tr("Stopped before any subset was measured{why}; resume with: {command}", why=why, command=going_on),
            file=sys.stderr,
        )
        return NOTHING_MEASURED if over else STOPPED
    record = RunRecord.of(state, evidence=known)
    stopped = state.status == "stopped" or (wanted.outer > 0 and not record.honesty.complete)
    stopped = stopped or len(record.shuffled) < wanted.permutations
    _say(record)  # before the report, which takes as long as a quick search
    written = export(record, asked.dataset, out, writable(record, STANDARD))
    print(tr("Written to {out}: {files}", out=out, files=", ".join(path.name for path in written)))
    if lacks := EXPORTS["report.html"].lacks:
        print(translated(lacks), file=sys.stderr)
    if stopped:
        print(tr("Stopped; resume with: {command}", command=asked.command), file=sys.stderr)
    return STOPPED if stopped else 0


def _carried_out(
    asked: _Asked, replayed: Sequence[Event], state: RunState, known: list[Evidence], flag: Flag
) -> Wanted:
    """Carry the job out, updating ``state`` and ``known``; return the evidence requested in the end.

    Default outer folds are skipped if they are not possible.
    """
    wanted, keeper = wanted_of(asked.request, asked.spec, known), Keeper(asked.project)
    workers = 1 if asked.pool is not None else asked.workers or usable_cores()
    while True:
        steps = job(
            asked.spec, asked.dataset, wanted,
            replayed=replayed, known=known, workers=workers, control=flag, pool=asked.pool,
        )  # fmt: skip
        try:
            with JobBars(state, asked.spec.measurements + state.more_measurements) as bars:
                for step in steps:
                    if isinstance(step, Evidence):
                        known.append(step)
                    elif isinstance(step, Event):
                        state.apply(step)
                    if keeper.keep(asked.run_id, step):
                        bars.show(step)
                    if isinstance(step, BaselineMeasured):
                        _advise(step, asked.spec, len(asked.dataset.rows))
        except UserError as error:  # such as too few rows to hold some out
            best = state.best
            if state.status != "finished" or best is None or not math.isfinite(best.mean):
                raise
            folds = Honesty.of(known, best.mask, len(state.steering_events))
            if asked.request.outer is not None or not wanted.outer or folds.complete:
                raise
            note(message("the held-out error was not measured: {error}", error=error))
            wanted, replayed = wanted._replace(outer=0), tuple(asked.project.events(asked.run_id))
        else:
            return wanted
        finally:
            keeper.write()


def _advise(measured: BaselineMeasured, spec: RunSpec, rows: int) -> None:
    """Suggest cheaper ways to measure before the search begins, if one measurement takes long."""
    if measured.seconds <= _LONG_SECONDS:
        return
    measuring = spec.measuring
    fits = measuring.repeats * (measuring.folds if measuring.protocol == "folds" else 1)
    if fits > 1 and measuring.protocol in ("folds", "hold-out"):
        note(
            message(
                "measuring all features once took {seconds:.0f} s. With --set protocol=hold-out --set repeats=1 it "
                "takes one fit instead of {fits}: faster, but noisier.",
                seconds=measured.seconds,
                fits=fits,
            )
        )
    if rows > 2 * ENOUGH_ROWS and not spec.search_rows and not METHODS[spec.method].model.validates_itself:
        note(
            message(
                "with --set search_rows={enough}, the search uses {enough:,} of {rows:,} rows, drawn from all "
                "classes, and its result is evaluated on all rows.",
                enough=ENOUGH_ROWS,
                rows=rows,
            )
        )


def _say(result: RunRecord) -> None:
    """Print the results: the held-out error first, then the search error, labeled as such."""
    print(
        tr_many(
            int(result.spec.allowed(result.all_features).sum()),
            "{selected} of {count} feature after {evaluations:,} measurements: {reason}.",
            "{selected} of {count} features after {evaluations:,} measurements: {reason}.",
            selected=len(result.features),
            evaluations=result.evaluations,
            reason=result.reason,
        )
    )
    print(lead(result))
    honest = result.honest
    if honest is not None:
        print(" ".join(filter(None, (honest.basis_words(), result.seen_before))))
    test = result.permutations
    if test is not None:
        print(test.sentence())
    print(seen_by_the_search(result))
    if not result.spec.measuring.reshuffles:
        print(tr("The folds of this validation are fixed, so the result cannot be re-estimated on new folds."))
    if result.steered:
        print(result.steered)
    sys.stdout.flush()


@contextmanager
def stop_on_signal() -> Iterator[Flag]:
    """Ctrl-C and SIGTERM stop between two batches; a second Ctrl-C interrupts immediately."""
    flag = Flag()

    def stop(number: int, frame: FrameType | None) -> None:
        if flag.stop:
            raise KeyboardInterrupt
        flag.stop = True

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield flag
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
