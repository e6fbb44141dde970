"""Studies: `fsdesk bench`, speed and evidence, measured on the user's own machine."""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from fsdesk.cli.options import Outer
from fsdesk.data import Dataset
from fsdesk.wrappers import DEFAULT_WRAPPER

__all__ = ["bench"]

bench = typer.Typer(name="bench", help="Measure on this machine: how fast, and how good.", rich_markup_mode=None)

_QUICK = "nn,cart,c45,svm,nb"

Tables = Annotated[list[Path] | None, typer.Argument(help="Tables, last column the target; samples if none are named.")]
Workers = Annotated[int, typer.Option("--workers", min=1, help="Measurements at once.")]


@bench.command("wrappers")
def wrappers(
    tables: Tables = None,
    names: Annotated[str, typer.Option("--wrappers", help="Which, separated by commas.")] = _QUICK,
    scaling: Annotated[str, typer.Option(help="fold, once or none, separated by commas.")] = "fold,once",
) -> None:
    """Time a measurement of half of the features beside scikit-learn: same folds, one thread, one process.

    The last column says how many times more two threads measure than one.

    Nothing else should run on the machine meanwhile.
    """
    from fsdesk.measure import MeasureSettings
    from fsdesk.results.speed import SpeedRow, check_compared, compare_speed, speed_table

    for name in names.split(","):
        check_compared(name)  # a wrong name is told before anything is measured
    for way in scaling.split(","):
        MeasureSettings().updated({"scaling": way})

    def rows() -> Iterator[SpeedRow]:
        for dataset in _data(tables):
            for name in names.split(","):
                # Scaling is nothing to trees: one row for them.
                for way in scaling.split(",")[: 1 if name in ("cart", "c45", "nb") else None]:
                    yield compare_speed(dataset, name, way)

    _print(speed_table(rows()))


@bench.command("methods")
def methods(
    tables: Tables = None,
    names: Annotated[
        str, typer.Option("--methods", help="Which, separated by commas.")
    ] = "full,random,ranking,bspsa,bspsa-h",
    seeds: Annotated[int, typer.Option(min=1, help="How many searches of each method.")] = 3,
    budget: Annotated[int, typer.Option(min=0, help="Measurements of a search; 0: the paper's 3,000 or 9,000.")] = 0,
    outer: Outer = None,
    wrapper: Annotated[str, typer.Option(help="See `fsdesk wrappers`.")] = DEFAULT_WRAPPER,
    workers: Workers = 1,
    planted: Annotated[
        bool,
        typer.Option("--planted", help="Made-up tables of known answer: twins and an XOR pair; 10 of 5,000."),
    ] = False,
) -> None:
    """Compare search methods at equal budgets: what they report, what is true, and what it costs.

    Where the answer is known, "missed" counts what was not found and "idle" the selected features that are of no use.
    """
    from fsdesk.methods import METHODS
    from fsdesk.results.evidence import EvidenceRow, compare_methods, evidence_table
    from fsdesk.results.planted import planted_tables

    for name in names.split(","):
        METHODS[name.partition(":")[0]]  # a wrong name is told before anything is measured

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
    from fsdesk.results.speed import speed_data

    if not tables:
        yield from speed_data()
    for table in tables or ():
        yield read_table(table)


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line, flush=True)
