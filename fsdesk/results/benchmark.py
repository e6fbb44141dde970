"""Comparison of methods at equal budgets on tables with known relevant features, and timing against scikit-learn."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import SAMPLES, Dataset, load_sample, prepare
from fsdesk.engine import RunSpec, ThreadExecutor, Wanted
from fsdesk.errors import SettingsError
from fsdesk.measure import CRITERIA, Criterion, Evaluator, MeasureSettings, criterion_for
from fsdesk.methods import Mask
from fsdesk.results.job import fresh_error
from fsdesk.results.record import RunRecord
from fsdesk.results.select import completed
from fsdesk.settings import Value
from fsdesk.wrappers import DEFAULT_WRAPPER, WRAPPERS

_ENOUGH_SECONDS, _TURN_SECONDS = 1.5, 0.1


@dataclass(frozen=True, eq=False)
class Planted:
    """A table and its known relevant features.

    Attributes
    ----------
    needed
        Groups of feature indices; one feature of each group carries information that no other group has.
    """

    dataset: Dataset
    needed: tuple[tuple[int, ...], ...]

    def missed(self, mask: Mask) -> int:
        """Number of groups without a feature in a mask."""
        return sum(not mask[list(group)].any() for group in self.needed)

    def idle(self, mask: Mask) -> int:
        """Number of irrelevant features in a mask."""
        return int(mask.sum()) - (len(self.needed) - self.missed(mask))


def planted_tables() -> Iterator[Planted]:
    """The tables of `fsdesk bench methods --planted`."""
    yield mixed()
    yield needles()


def mixed(noise_columns: int = 20) -> Planted:
    """Two classes: features 0 and 1 are relevant, 2 repeats 0, 3 and 4 are an XOR pair, the rest is noise."""
    rows, rng = 120, np.random.default_rng(0)
    target = np.arange(rows) % 2
    x = rng.normal(size=(rows, 5 + noise_columns))
    x[:, 0] += 1.5 * target
    x[:, 1] -= 1.5 * target
    x[:, 2] = x[:, 0] + 0.01 * rng.normal(size=rows)
    side = rng.integers(0, 2, rows)
    x[:, 3] = 2.0 * side + 0.3 * x[:, 3]
    x[:, 4] = 2.0 * (side ^ target) + 0.3 * x[:, 4]
    return Planted(_dataset("planted, with a twin and an XOR pair", x, target), ((0, 2), (1,), (3,), (4,)))


def needles(features: int = 5000, relevant: int = 10) -> Planted:
    """Two classes separated by 10 of 5,000 features, each shifted by one standard deviation."""
    rows, rng = 100, np.random.default_rng(0)
    target = np.arange(rows) % 2
    x = rng.normal(size=(rows, features))
    places = tuple(range(7, features, features // relevant))[:relevant]
    x[:, places] += target[:, None]
    return Planted(_dataset(f"{relevant} of {features:,}", x, target), tuple((place,) for place in places))


def _dataset(name: str, x: NDArray[np.float64], target: NDArray[np.int64]) -> Dataset:
    return Dataset(
        name=name,
        x=np.asfortranarray(x),
        features=tuple(f"feature {column}" for column in range(x.shape[1])),
        target=target,
        target_name="class",
        classes=("a", "b"),
        rows=tuple(map(str, range(len(target)))),
    )


@dataclass(frozen=True)
class EvidenceRow:
    """One method on one data set over several seeds; losses are fractions.

    Attributes
    ----------
    reported, true, outer
        For each seed: the search error, the mean of 20 measurements on new folds, and the mean over the outer folds
        (empty if not requested).
    sizes, measurements, seconds
        For each seed: number of features, number of measurements, and search time.
    missed, idle
        For each seed, if the answer is known: features missed, and irrelevant features selected.
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
    """Run every method with every seed; yield one row per method as soon as it is done.

    Parameters
    ----------
    methods
        Names, with a preset after a colon if it is not the default: "bga:recommended".
    budget
        Maximum measurements of a search; 0 uses the paper's budget, 3,000 below 100 features and 9,000 otherwise.
    settings
        Measurement settings for all methods.
    outer
        Number of outer folds of the held-out error; 0 for none.
    answer
        For a table with known relevant features.
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
            result = completed(spec, dataset, workers, wanted=Wanted(fresh=False, own=False, outer=outer))
            _add(row, result, fresh_error(result.answered, dataset, result.mask).mean)
            if answer is not None:
                row.missed.append(answer.missed(result.mask))
                row.idle.append(answer.idle(result.mask))
            if result.honesty.honest is not None:
                row.outer.append(result.honesty.honest.mean)
        yield row


def _add(row: EvidenceRow, result: RunRecord, true: float) -> None:
    row.reported.append(result.search_error)
    row.true.append(true)
    row.sizes.append(len(result.features))
    row.measurements.append(result.evaluations)
    row.seconds.append(result.seconds)


def evidence_table(rows: Iterable[EvidenceRow]) -> Iterator[str]:
    """Lines of a Markdown table, the header together with the first row; +- is the standard error over the seeds.

    Losses are in percent; those of criteria that are not proportions are in their own unit, with its name.
    """
    heads = "reported %", "true %", "outer %", "features", "measurements", "seconds", "missed", "irrelevant"
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


@dataclass(frozen=True)
class SpeedRow:
    """One wrapper on one data set: milliseconds of a whole 10 x 5-fold measurement.

    Attributes
    ----------
    theirs, ours, at_once
        By scikit-learn; by fsdesk; by fsdesk with two threads that each measure a mask.
    """

    data: str
    rows: int
    features: int
    wrapper: str
    scaling: str
    theirs: float
    ours: float
    at_once: float

    @property
    def ratio(self) -> float:
        """Speed-up factor."""
        return self.theirs / self.ours

    @property
    def gain(self) -> float:
        """Speed-up of two threads over one."""
        return self.ours / self.at_once


def speed_data() -> Iterator[Dataset]:
    """The built-in samples."""
    for sample in SAMPLES:
        yield prepare(load_sample(sample.name))


def check_compared(wrapper: str) -> None:
    """Raise SettingsError if the wrapper does not exist or has no counterpart in scikit-learn."""
    title, model = WRAPPERS[wrapper].title, WRAPPERS[wrapper].model
    if model.competes:
        raise SettingsError('"{title}" comprises several models. Choose one of them.', title=title)
    if model.is_borrowed:
        models = [entry for entry in WRAPPERS if not (entry.model.is_borrowed or entry.model.competes)]
        names = ", ".join(entry.name for entry in models)
        raise SettingsError(
            '"{title}" is scikit-learn\'s own, so there is nothing to compare. Choose among: {names}.',
            title=title,
            names=names,
        )


def compare_speed(dataset: Dataset, wrapper: str, scaling: str) -> SpeedRow:
    """Measure one wrapper on a random half of the features; nothing else should run on the machine."""
    from sklearn.model_selection import cross_val_score
    from threadpoolctl import threadpool_limits

    p = len(dataset.features)
    mask = np.zeros(p, dtype=np.bool_)
    mask[np.random.default_rng(0).permutation(p)[: max(1, p // 2)]] = True
    evaluator = Evaluator(dataset, wrapper, scaling=scaling)
    pipeline, labels = _theirs(dataset, wrapper, mask), evaluator.fold_labels(0)
    folds = [
        (np.flatnonzero(row != fold), np.flatnonzero(row == fold))
        for row in labels
        for fold in range(int(labels.max()) + 1)
    ]
    with threadpool_limits(1):
        rows = np.ascontiguousarray(dataset.x[:, mask])
        (theirs,) = _milliseconds(lambda _: cross_val_score(pipeline, rows, dataset.target, cv=folds))
        with ThreadExecutor(evaluator, 2) as executor:
            ours, two = _milliseconds(
                lambda number: evaluator.measure(mask, number),
                lambda number: executor.measure([mask, mask], 2 * number),
            )
    return SpeedRow(dataset.name, len(dataset.target), int(mask.sum()), wrapper, scaling, theirs, ours, two / 2)


def _theirs(dataset: Dataset, wrapper: str, mask: NDArray[np.bool_]) -> Any:
    """A scikit-learn pipeline that does the same work: impute, scale, train."""
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = WRAPPERS[wrapper].build({}).equivalent(len(dataset.classes)).model.made()
    fill = [SimpleImputer(strategy="median")] if np.isnan(dataset.x[:, mask]).any() else []
    return make_pipeline(*fill, StandardScaler(), model)


def _milliseconds(*works: Callable[[int], object]) -> list[float]:
    """Median time per call of each function after a warm-up call, alternating between them for equal conditions."""
    for work in works:
        work(0)
    times: list[list[float]] = [[] for _ in works]
    while min(map(sum, times)) < _ENOUGH_SECONDS:
        for work, own in zip(works, times, strict=True):
            end = time.perf_counter() + _TURN_SECONDS
            while not own or time.perf_counter() < end:
                started = time.perf_counter()
                work(len(own) + 1)
                own.append(time.perf_counter() - started)
    return [1000 * float(np.median(own)) for own in times]


def speed_table(rows: Iterable[SpeedRow]) -> Iterator[str]:
    """Lines of a Markdown table; the header comes with the first row, so that an error may precede it."""
    for place, row in enumerate(rows):
        if not place:
            heads = "data set", "rows x features", "wrapper", "scaling", "scikit-learn ms", "fsdesk ms", "ratio"
            yield f"| {' | '.join(heads)} | two threads |"
            yield "| --- | --- | --- | --- | ---: | ---: | ---: | ---: |"
        title = f"{WRAPPERS[row.wrapper].title} ({row.wrapper})"
        yield (
            f"| {row.data} | {row.rows:,} x {row.features:,} | {title} | {row.scaling} "
            f"| {row.theirs:.4g} | {row.ours:.3g} | {row.ratio:.3g} x | {row.gain:.2f} x |"
        )
