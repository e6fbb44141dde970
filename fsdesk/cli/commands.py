"""The commands: each a plain function whose signature and docstring make its options and help."""

import io
import os
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table as Grid

from fsdesk.errors import UserError

__all__ = ["app", "invoke"]

app = typer.Typer(
    name="fsdesk",
    help="Find the features that predict best. Without a command, the window opens.",
    no_args_is_help=False,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

WRONG_INPUT, STOPPED = 2, 130

Out = Annotated[Path | None, typer.Option("--out", help="Folder for mask.csv, selected.txt, result.json, report.html.")]
Workers = Annotated[int, typer.Option("--workers", min=1, help="Measurements at once; the result is the same.")]


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
    file: Annotated[Path | None, typer.Argument(help="A table or a project (*.fsdesk).", show_default=False)] = None,
) -> None:
    """Open the window, with a table or a project."""
    from fsdesk.cli.window import open_window

    raise typer.Exit(open_window([str(file)] if file else []))


@app.command()
def run(
    table: Annotated[Path, typer.Argument(help="CSV, TSV, ARFF, .mat or Excel file.")],
    target: Annotated[str | None, typer.Option(help="Column to predict; the last one if not named.")] = None,
    method: Annotated[str, typer.Option(help="See `fsdesk methods`.")] = "bspsa",
    wrapper: Annotated[str, typer.Option(help="See `fsdesk wrappers`.")] = "nn",
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same features again.")] = 0,
    out: Out = None,
    workers: Workers = 1,
    preset: Annotated[str | None, typer.Option(help="Preset of the method; by default the one that suits.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Any declared setting; may be repeated.")
    ] = None,
    settings_file: Annotated[
        Path | None, typer.Option("--settings", help="Settings by name in a TOML file; --set goes before it.")
    ] = None,
    project: Annotated[
        Path | None, typer.Option(help="Project file for the log; by default run.fsdesk in the output folder.")
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option(help="Column to leave out; may be repeated.")] = None,
    missing: Annotated[str, typer.Option(help="impute, drop rows, or drop columns.")] = "impute",
    nominal: Annotated[str, typer.Option(help="encode or drop.")] = "encode",
    read: Annotated[
        list[str] | None,
        typer.Option("--read", metavar="NAME=VALUE", help="How to read the file, such as orientation=columns."),
    ] = None,
) -> None:
    """Run a search without a screen; Ctrl-C stops it, `fsdesk resume` goes on."""
    from fsdesk.cli import running

    job = running.Job(
        table=table,
        target=target,
        method=method,
        wrapper=wrapper,
        seed=seed,
        out=out or Path(f"{table.stem}-{method}"),
        workers=workers,
        preset=preset,
        settings={**running.from_toml(settings_file), **running.from_words(settings)},
        project=project,
        ignore=tuple(ignore or ()),
        missing=missing,
        nominal=nominal,
        read=running.from_words(read),
    )
    raise typer.Exit(running.start(job))


@app.command()
def resume(
    project: Annotated[Path, typer.Argument(help="A project file (*.fsdesk).")],
    run_id: Annotated[int | None, typer.Option("--run", help="Number of the run; by default the newest.")] = None,
    out: Out = None,
    workers: Workers = 1,
) -> None:
    """Go on with a stopped or killed run, to the same result as if it had never stopped."""
    from fsdesk.cli import running

    raise typer.Exit(running.resume(project, run_id, out or project.parent, workers))


@app.command()
def methods() -> None:
    """List the search methods with their settings."""
    from fsdesk.methods import METHODS

    _list(METHODS)


@app.command()
def wrappers() -> None:
    """List the wrappers, the models that a search wraps, with their settings."""
    from fsdesk.wrappers import WRAPPERS

    _list(WRAPPERS)


def _list(registry: Any) -> None:
    console = Console(highlight=False)
    for entry in registry:
        console.print(f"[bold]{entry.name}[/bold]  {entry.title}. {entry.summary}")
        if entry.presets:
            console.print("presets: " + ", ".join(f'"{preset.name}"' for preset in entry.presets))
        grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for heading in ("setting", "default", "range", "what it does"):
            grid.add_column(heading)
        for info in entry.model.describe():
            grid.add_row(info.name, str(info.default), info.range, info.help)
        console.print(grid)
        console.print()
