"""Methods against each other at equal budgets, with what the search said beside what is true."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from fsdesk.data import Dataset
from fsdesk.engine import RunSpec
from fsdesk.measure import CRITERIA, Criterion, MeasureSettings, criterion_for
from fsdesk.results.honest import fresh_error, outer_error
from fsdesk.results.planted import Planted
from fsdesk.results.result import Result, completed
from fsdesk.settings import Value
from fsdesk.wrappers import DEFAULT_WRAPPER

__all__ = ["EvidenceRow", "compare_methods", "evidence_table"]


@dataclass(frozen=True)
class EvidenceRow:
    """One method on one data set over several seeds; losses are fractions.

    Attributes
    ----------
    reported, true, outer
        For each seed: what the search said, the mean of 20 fresh measurements, and the mean over the outer folds
        (empty where it was not asked for).
    sizes, measurements, seconds
        For each seed: number of features, measurements taken, and time of the search.
    missed, idle
        For each seed, where the answer is known: what was not found, and features selected that are of no use.
    """

    data: str
    method: str
    reported: list[float] = field(default_factory=list)
    true: list[float] = field(default_factory=list)
    outer: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    measurements: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    missed: list[int] = field(default_factory=list)
    idle: list[int] = field(default_factory=list)
    criterion: Criterion = CRITERIA["error"]


def compare_methods(
    dataset: Dataset,
    methods: Iterable[str],
    *,
    seeds: Iterable[int] = (0, 1, 2),
    budget: int = 0,
    wrapper: str = DEFAULT_WRAPPER,
    settings: Mapping[str, Value] | None = None,
    outer: int = 0,
    workers: int = 1,
    answer: Planted | None = None,
) -> Iterator[EvidenceRow]:
    """Run every method with every seed; one row for each method, as soon as it is done.

    Parameters
    ----------
    methods
        Names, with a preset after a colon where it is not the one that suits: "bga:recommended".
    budget
        Most measurements of a search; 0 takes the paper's, 3,000 below 100 features and 9,000 from there on.
    settings
        Settings of the measurement, for all methods.
    outer
        Number of outer folds of the honest error; 0 for none.
    answer
        Of a table whose answer is known.
    """
    budget = budget or (3000 if len(dataset.features) < 100 else 9000)
    for method in methods:
        name, _, preset = method.partition(":")
        asked = {"criterion": (settings or {}).get("criterion", "auto")}
        criterion = criterion_for(dataset, MeasureSettings().updated(asked))
        row = EvidenceRow(dataset.name, method, criterion=criterion)
        for seed in seeds:
            values = {**(settings or {}), "max_measurements": budget}
            spec = RunSpec.make(
                dataset, method=name, preset=preset or None, wrapper=wrapper, seed=seed, settings=values
            )
            result = completed(spec, dataset, workers)
            _add(row, result, fresh_error(spec, dataset, result.mask).mean)
            if answer is not None:
                row.missed.append(answer.missed(result.mask))
                row.idle.append(answer.idle(result.mask))
            if outer:
                row.outer.append(outer_error(spec, dataset, outer, workers)[0].mean)
        yield row


def _add(row: EvidenceRow, result: Result, true: float) -> None:
    row.reported.append(result.search_error)
    row.true.append(true)
    row.sizes.append(len(result.features))
    row.measurements.append(result.evaluations)
    row.seconds.append(result.seconds)


def evidence_table(rows: Iterable[EvidenceRow]) -> Iterator[str]:
    """Lines of a table in Markdown, its head with the first row; +- is the standard error over the seeds.

    Losses are in percent; those of a criterion that is no share stand in its own unit, with its name.
    """
    heads = "reported %", "true %", "outer %", "features", "measurements", "seconds", "missed", "idle"
    for place, row in enumerate(rows):
        if not place:
            yield f"| data set | method | seeds | {' | '.join(heads)} |"
            yield f"| --- | --- | ---: | {' | '.join(['---:'] * len(heads))} |"
        losses = " | ".join(_loss(values, row.criterion) for values in (row.reported, row.true, row.outer))
        known = " | ".join(f"{np.mean(values):.1f}" if values else "-" for values in (row.missed, row.idle))
        yield (
            f"| {row.data} | {row.method} | {len(row.true)} | {losses} | {np.mean(row.sizes):.0f} "
            f"| {np.mean(row.measurements):,.0f} | {np.mean(row.seconds):.1f} | {known} |"
        )


def _loss(values: list[float], criterion: Criterion) -> str:
    if not values:
        return "-"
    spread = np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0
    shown = criterion.text(float(np.mean(values))).removesuffix(" %")
    shown += f" +- {criterion.deviation(float(spread))}" if len(values) > 1 else ""
    return shown if criterion.unit == "%" else f"{criterion.title} {shown}"
