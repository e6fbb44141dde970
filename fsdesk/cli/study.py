"""`fsdesk study`, a grid of runs; `fsdesk bench`, methods and speed compared on the user's machine."""

import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import TextColumn

from fsdesk.cli.options import STOPPED, Cluster, Outer, Overwrite, note, progress_bar
from fsdesk.cli.options import Workers as AllCores
from fsdesk.cli.results import print_comparison
from fsdesk.cli.run import stop_on_signal
from fsdesk.data import Dataset
from fsdesk.engine import usable_cores
from fsdesk.errors import UserError
from fsdesk.messages import tr, translated
from fsdesk.wrappers import DEFAULT_WRAPPER, WRAPPERS

bench = typer.Typer(name="bench", help="Benchmark this machine: speed and accuracy.", rich_markup_mode=None)

_QUICK = "nn,cart,c45,svm,nb"

Tables = Annotated[
    list[Path] | None, typer.Argument(help="Tables with the target in the last column; default: the samples.")
]
Workers = Annotated[int, typer.Option("--workers", min=1, help="Number of parallel measurements.")]


def study(
    plan: Annotated[
        Path, typer.Argument(metavar="FILE.toml", help="Study file; sample:study is a one-minute example.")
    ],
    out: Annotated[Path, typer.Option("--out", help="Folder for the project with all runs and for the tables.")],
    workers: AllCores = None,
    cluster: Cluster = None,
    overwrite: Overwrite = False,
) -> None:
    """Run a grid of tables, methods, models, criteria and seeds, and write result tables with statistical tests.

    The file defines tables = ["x.csv", ...], methods, wrappers, criteria, seeds (lists) and outer (a number; 0 for no
    held-out error), settings of all runs in [settings] and of a single method in [settings.METHOD]; relative paths
    start from the file. A table can be { file = "x.csv", target = "class", group = "patient" }. Run the same command
    again to resume a study that was stopped; if the file has grown, only what is new is run. Tables that would lose
    runs of another file are not replaced without --overwrite.
    """
    from fsdesk.results.study import StudyProgress
    from fsdesk.results.study import study as run_study

    with progress_bar(TextColumn("{task.fields[left]}")) as progress, stop_on_signal() as flag:
        task = progress.add_task(tr("study"), total=1.0, left="")

        def show(step: StudyProgress) -> None:
            left = "" if step.seconds_left is None else tr("{time} left", time=_duration(step.seconds_left))
            done = tr("{done} of {cells} runs done", done=step.done, cells=step.cells)
            progress.update(task, description=done, completed=step.share, left=left)

        cores = workers or usable_cores()
        made = run_study(plan, out, workers=cores, callback=show, control=flag, cluster=cluster, overwrite=overwrite)
    if made.comparison.rows:
        print_comparison(made.comparison)
    for cell, why in made.failed.items():
        note(f"{cell}: {translated(why)}")
    if made.files:
        print(tr("Written to {out}: {files}", out=out, files=", ".join(file.name for file in made.files)))
    if made.stopped:
        print(
            tr("Stopped; resume with the same command: fsdesk study {plan} --out {out}", plan=plan, out=out),
            file=sys.stderr,
        )
        raise typer.Exit(STOPPED)
    if made.failed and not made.comparison.rows:
        raise UserError("No run of this study could be completed.")


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@bench.command("wrappers")
def wrappers(
    tables: Tables = None,
    names: Annotated[str, typer.Option("--wrappers", help="Names, separated by commas.")] = _QUICK,
    scaling: Annotated[
        str, typer.Option(help="Where features are scaled: fold, once or none, separated by commas.")
    ] = "fold,once",
) -> None:
    """Compare the time to measure half of the features with scikit-learn's: same folds, one thread, one process.

    The last column is the speed-up of two threads over one.

    Nothing else should be running on the machine.
    """
    from fsdesk.measure import MeasureSettings
    from fsdesk.results.benchmark import SpeedRow, check_compared, compare_speed, speed_table

    for name in names.split(","):
        check_compared(name)  # a wrong name is refused before anything is measured
    for way in scaling.split(","):
        MeasureSettings().updated({"scaling": way})

    def rows() -> Iterator[SpeedRow]:
        for dataset in _data(tables):
            for name in names.split(","):
                for way in scaling.split(",")[: None if WRAPPERS[name].model.scales else 1]:
                    yield compare_speed(dataset, name, way)

    _print(speed_table(rows()))


@bench.command("methods")
def methods(
    tables: Tables = None,
    names: Annotated[
        str, typer.Option("--methods", help="Names, separated by commas.")
    ] = "full,random,ranking,bspsa,bspsa-h",
    seeds: Annotated[int, typer.Option(min=1, help="Number of searches for each method.")] = 3,
    budget: Annotated[int, typer.Option(min=0, help="Measurements per search; 0: the paper's 3,000 or 9,000.")] = 0,
    outer: Outer = None,
    wrapper: Annotated[str, typer.Option(help="See `fsdesk wrappers`.")] = DEFAULT_WRAPPER,
    workers: Workers = 1,
    planted: Annotated[
        bool,
        typer.Option(
            "--planted",
            help="Synthetic tables whose relevant features are known, with duplicates and an XOR pair; 10 of 5,000 "
            "features are relevant.",
        ),
    ] = False,
) -> None:
    """Compare search methods at equal budgets: the error that they report, the true error, and the cost.

    If the true features are known, "missed" counts the true features that were not found, and "irrelevant" the selected
    features that are not true.
    """
    from fsdesk.methods import METHODS
    from fsdesk.results.benchmark import EvidenceRow, compare_methods, evidence_table, planted_tables

    for name in names.split(","):
        METHODS[name.partition(":")[0]]  # a wrong name is refused before anything is measured

    def rows() -> Iterator[EvidenceRow]:
        known = list(planted_tables()) if planted else []
        named = _data(tables) if tables or not planted else iter(())
        for dataset, answer in chain(((each.dataset, each) for each in known), ((each, None) for each in named)):
            yield from compare_methods(
                dataset,
                names.split(","),
                seeds=range(seeds),
                budget=budget,
                wrapper=wrapper,
                outer=outer or 0,
                workers=workers,
                answer=answer,
            )

    _print(evidence_table(rows()))


def _data(tables: list[Path] | None) -> Iterator[Dataset]:
    from fsdesk.data import read_table
    from fsdesk.results.benchmark import speed_data

    if not tables:
        yield from speed_data()
    for table in tables or ():
        yield read_table(table)


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line, flush=True)
