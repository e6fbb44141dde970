"""The commands: each a plain function whose signature and docstring make its options and help."""

import io
import os
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from fsdesk.cli.bench import bench
from fsdesk.cli.options import (
    Always,
    Entered,
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
    Out,
    Outer,
    PresetName,
    ProjectFile,
    Reading,
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
)
from fsdesk.errors import UserError

__all__ = ["app", "invoke"]

app = typer.Typer(
    name="fsdesk",
    help="Find the features that predict best. Without a command, the window opens; with a file alone, it shows that.",
    no_args_is_help=False,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(bench)

WRONG_INPUT, STOPPED = 2, 130


def invoke(arguments: list[str]) -> int:
    """Run the command line and return its exit code; whatever the user did wrong is one sentence on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without our letters is no reason to fail
    try:
        app(args=arguments, prog_name="fsdesk")
        sys.stdout.flush()
    except UserError as error:
        return _complain(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has seen enough
    except OSError as error:
        return _complain(f"{error.filename or 'The output'} cannot be used ({error.strerror or error}).")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except KeyboardInterrupt:
        return STOPPED
    return 0


def _complain(sentence: str) -> int:
    print(f"fsdesk: {sentence}", file=sys.stderr)
    return WRONG_INPUT


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"fsdesk {version('fsdesk')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
    smoke: Annotated[
        bool, typer.Option("--smoke", help="Run a short real job through the window, screen or none, and exit.")
    ] = False,
    sample: Annotated[str | None, typer.Option("--sample", help="Open the window with this sample loaded.")] = None,
) -> None:
    """Find the features that predict best. Without a command, the window opens."""
    if context.invoked_subcommand is not None:
        return
    from fsdesk.cli.window import open_window

    options = (["--smoke"] if smoke else []) + (["--sample", sample] if sample else [])
    raise typer.Exit(open_window(options))


@app.command("open")
def open_(
    file: Annotated[
        Path | None, typer.Argument(help="A table, sample:NAME, or a project (*.fsdesk).", show_default=False)
    ] = None,
) -> None:
    """Open the window, with a table or a project."""
    from fsdesk.cli.window import open_window

    raise typer.Exit(open_window([str(file)] if file else []))


@app.command()
def run(
    table: TableFile,
    target: Target = None,
    method: Method = None,
    wrapper: WrapperName = None,
    seed: Seed = None,
    out: Out = None,
    workers: Workers = None,
    outer: Outer = None,
    preset: PresetName = None,
    settings: SetValues = None,
    settings_file: SettingsFile = None,
    task: Task = "auto",
    group: Group = None,
    folds: Folds = None,
    time: Time = None,
    always: Always = None,
    never: Never = None,
    together: Together = None,
    start: Start = None,
    ignore: Ignore = None,
    keep: Keep = None,
    missing: Missing = "impute",
    nominal: Nominal = "encode",
    read: Reading = None,
    project: ProjectFile = None,
) -> None:
    """Run a search without a screen; Ctrl-C stops it, `fsdesk resume` goes on.

    TABLE is a file, a data set of OpenML by name or number (openml:iris, openml:61), or a table that comes with fsdesk
    (sample:genes; sample: alone lists them).
    """
    from fsdesk.cli import inputs, running
    from fsdesk.methods import DEFAULT_METHOD

    roles = {"task": task, "group": group, "folds": folds, "time": time}
    cleaning = {"ignore": tuple(ignore or ()), "keep": tuple(keep or ()), "missing": missing, "nominal": nominal}
    saved = inputs.from_toml(settings_file)
    method = method or saved.method or DEFAULT_METHOD
    asked = {
        "method": method,
        "wrapper": wrapper or saved.wrapper or "nn",
        "seed": seed if seed is not None else saved.seed or 0,
        "preset": preset,
        "settings": {**saved.values, **inputs.from_words(settings)},
        "always": always or saved.always,
        "never": never or saved.never,
        "together": [inputs.from_list(names) for names in together or ()] or saved.together,
        "start": inputs.from_subset(start),
    }
    public = running.openml_name(table)
    if public is None:
        dataset = inputs.dataset(table, target, {**cleaning, **roles}, read)
    else:
        dataset = running.from_openml(public, target, {**cleaning, **roles}, read)
    out = out or Path(f"{table.stem.replace(':', '-')}-{method}")
    raise typer.Exit(running.start(dataset, asked, out, workers, project or out / "run.fsdesk", outer))


@app.command()
def resume(
    project: Annotated[Path, typer.Argument(help="A project file (*.fsdesk).")],
    run_id: Annotated[int | None, typer.Option("--run", help="Number of the run; by default the newest.")] = None,
    out: Out = None,
    workers: Workers = None,
    outer: Outer = None,
    more_measurements: MoreMeasurements = 0,
    more_iterations: MoreIterations = 0,
    more_minutes: MoreMinutes = 0.0,
) -> None:
    """Go on with a stopped or killed run, to the same result as if it had never stopped; or allow any run more."""
    from fsdesk.cli import running

    asked = {"measurements": more_measurements, "iterations": more_iterations, "minutes": more_minutes}
    more = {name: value for name, value in asked.items() if value}
    raise typer.Exit(running.resume(project, run_id, out or project.parent, workers, outer, more))


@app.command("export")
def export_(
    project: Annotated[Path, typer.Argument(help="A project file (*.fsdesk).")],
    run_id: Annotated[int | None, typer.Option("--run", help="Number of the run; by default the newest.")] = None,
    what: Annotated[
        list[str] | None,
        typer.Option(
            "--what",
            help="mask, table, figures, report, to reproduce, all, or a file such as table.xlsx; may be repeated.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder to write to; by default that of the project.")
    ] = None,
    size: Annotated[
        int | None,
        typer.Option("--size", min=1, help="Take the subset of so many features from the curve of error against size."),
    ] = None,
    sign: Annotated[
        bool, typer.Option("--sign", help="Sign bundles with your key (Ed25519), which is made on first use.")
    ] = False,
    sign_as: Annotated[
        str | None, typer.Option("--sign-as", metavar="NAME", help="The same, with a name that stands beside the key.")
    ] = None,
) -> None:
    """Write the mask, the reduced table, figures, reports, a script or a trained pipeline of a run.

    In CSV and Excel files, a text that a spreadsheet would take for a formula (it begins with = + - @, a tab or a line
    break) gets an apostrophe in front; numbers stay numbers.
    """
    from fsdesk.cli import exporting

    name = sign_as if sign_as is not None or not sign else ""
    exporting.export_run(project, run_id, what or (), out or project.parent, size, name)


@app.command()
def verify(
    bundle: Annotated[Path, typer.Argument(help="A sealed bundle that fsdesk exported (bundle.zip).")],
    data: Annotated[
        Path | None,
        typer.Option("--data", help="The table of the run, or its project, to measure some losses again."),
    ] = None,
    task: Task = "auto",
    group: Group = None,
    folds: Folds = None,
    time: Time = None,
    ignore: Ignore = None,
    keep: Keep = None,
    missing: Missing = "impute",
    nominal: Nominal = "encode",
    read: Reading = None,
    everything: Annotated[
        bool,
        typer.Option("--all", help="Measure every loss again and repeat the searches of outer folds, however long."),
    ] = False,
    signer: Annotated[
        str | None, typer.Option("--signer", metavar="SHA256:...", help="It must be signed with the key of this print.")
    ] = None,
) -> None:
    """Check a sealed bundle: derive all that it says from its log and the data, and compare.

    The search is replayed from its seed, every file is written again, fresh errors and errors on outer folds are
    measured again, to the last bit, and of the losses as many as a minute allows. Measuring needs the data: those in
    the bundle, or those of --data, with the same options as for the run. What was not checked is said.

    Exit codes: 0 all that could be checked holds; 1 something does not; 2 wrong input.
    """
    from fsdesk.cli import verifying

    roles = {"task": task, "group": group, "folds": folds, "time": time}
    cleaning = {"ignore": tuple(ignore or ()), "keep": tuple(keep or ()), "missing": missing, "nominal": nominal}
    choices = {**cleaning, **roles}
    raise typer.Exit(verifying.verify_bundle(bundle, data, choices, read, everything=everything, signer=signer or ""))


@app.command()
def compare(
    project: Annotated[Path, typer.Argument(help="A project file (*.fsdesk).")],
    out: Annotated[
        Path | None, typer.Option("--out", help="Write it to a file: .csv, .xlsx, .tex, .md, .html or .txt.")
    ] = None,
) -> None:
    """Print the runs of a project side by side: errors on unseen rows beside all features, and what the search saw."""
    from fsdesk.cli import comparing

    comparing.compare(project, out)


@app.command()
def study(
    plan: Annotated[
        Path, typer.Argument(metavar="FILE.toml", help="What to run; sample:study is an example of a minute.")
    ],
    out: Annotated[Path, typer.Option("--out", help="Folder for the project of all runs and for the tables.")],
    workers: Workers = None,
) -> None:
    """Run a grid of tables, methods, models, criteria and seeds, and write its tables with tests.

    The file says tables = ["x.csv", ...], methods, wrappers, criteria, seeds (lists), outer (a number, 0 for no honest
    error), settings of all runs in [settings] and of one method in [settings.METHOD]; relative paths count from it. A
    table can be { file = "x.csv", target = "class", group = "patient" }. The same command goes on with a study that was
    stopped or killed, and runs only what is new where the file has grown.
    """
    from fsdesk.cli import studying

    raise typer.Exit(studying.run_study(plan, out, workers))


@app.command()
def methods(name: Entered = None) -> None:
    """List the search methods; with a NAME, its settings and presets."""
    from fsdesk.cli import listing
    from fsdesk.methods import METHODS

    listing.show(METHODS, name)


@app.command()
def wrappers(name: Entered = None) -> None:
    """List the wrappers, the models that a search wraps; with a NAME, its settings."""
    from fsdesk.cli import listing
    from fsdesk.wrappers import WRAPPERS

    listing.show(WRAPPERS, name, listing.predicted)


@app.command()
def criteria() -> None:
    """List the criteria, what a search can improve: --set criterion=NAME."""
    from fsdesk.cli import listing

    listing.show_criteria()


@app.command()
def settings() -> None:
    """List the settings that every run has: how a subset is measured, and the filter before the search."""
    from fsdesk.cli import listing

    listing.show_shared()
