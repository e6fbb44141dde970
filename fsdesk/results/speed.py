"""How fast a measurement is beside scikit-learn doing the same work: same folds, one thread, one process."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset, load_sample, prepare
from fsdesk.engine import ThreadExecutor
from fsdesk.errors import SettingsError
from fsdesk.measure import Evaluator
from fsdesk.wrappers import WRAPPERS

__all__ = ["SPEED_SAMPLES", "SpeedRow", "check_compared", "compare_speed", "speed_data", "speed_table"]

SPEED_SAMPLES = ("breast_cancer", "wine", "digits", "waveform", "genes")

_ENOUGH_SECONDS, _TURN_SECONDS = 1.5, 0.1


@dataclass(frozen=True)
class SpeedRow:
    """One wrapper on one data set: milliseconds of a whole 10 x 5-fold measurement.

    Attributes
    ----------
    theirs, ours, at_once
        By scikit-learn; by us; by us where two threads measure two masks at once, each.
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
        """How many times faster."""
        return self.theirs / self.ours

    @property
    def gain(self) -> float:
        """How many times more measurements two threads make than one."""
        return self.ours / self.at_once


class _Folds:
    """The folds of one measurement, as scikit-learn takes them."""

    def __init__(self, labels: NDArray[np.int64]) -> None:
        self.labels = labels

    def split(self, x: object, y: object = None, groups: object = None) -> Iterator[tuple[object, object]]:
        for row in self.labels:
            for fold in range(int(self.labels.max()) + 1):
                yield np.flatnonzero(row != fold), np.flatnonzero(row == fold)

    def get_n_splits(self, x: object = None, y: object = None, groups: object = None) -> int:
        return len(self.labels) * (int(self.labels.max()) + 1)


def speed_data(names: Iterable[str] = SPEED_SAMPLES) -> Iterator[Dataset]:
    """The samples that need no download."""
    for name in names:
        yield prepare(load_sample(name))


def check_compared(wrapper: str) -> None:
    """Raise SettingsError where there is no such wrapper, or nothing to compare it with."""
    title = WRAPPERS[wrapper].title
    if WRAPPERS[wrapper].model.is_borrowed:
        names = ", ".join(entry.name for entry in WRAPPERS if not entry.model.is_borrowed)
        raise SettingsError(
            '"{title}" is scikit-learn\'s own: there is nothing to compare; choose among: {names}.',
            title=title,
            names=names,
        )


def compare_speed(dataset: Dataset, wrapper: str, scaling: str) -> SpeedRow:
    """Measure one wrapper on a random half of the features; nothing else should run on the machine."""
    from threadpoolctl import threadpool_limits

    p = len(dataset.features)
    mask = np.zeros(p, dtype=np.bool_)
    mask[np.random.default_rng(0).permutation(p)[: max(1, p // 2)]] = True
    evaluator = Evaluator(dataset, wrapper, scaling=scaling)
    pipeline, x, folds = _theirs(dataset, wrapper, mask), dataset.x[:, mask], _Folds(evaluator.fold_labels(0))
    with threadpool_limits(1):
        rows = np.ascontiguousarray(x)
        (theirs,) = _milliseconds(lambda _: _cross_validated(pipeline, rows, dataset.target, folds))
        with ThreadExecutor(evaluator, 2) as executor:
            ours, two = _milliseconds(
                lambda number: evaluator.measure(mask, number),
                lambda number: executor.measure([mask, mask], 2 * number),
            )
    return SpeedRow(dataset.name, len(dataset.target), int(mask.sum()), wrapper, scaling, theirs, ours, two / 2)


def _cross_validated(pipeline: Any, x: object, y: object, folds: _Folds) -> object:
    from sklearn.model_selection import cross_val_score

    return cross_val_score(pipeline, x, y, cv=folds)


def _theirs(dataset: Dataset, wrapper: str, mask: NDArray[np.bool_]) -> Any:
    """The same work as a Pipeline: fill gaps, scale, train."""
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = WRAPPERS[wrapper].build({}).equivalent(len(dataset.classes)).model.made()
    fill = [SimpleImputer(strategy="median")] if np.isnan(dataset.x[:, mask]).any() else []
    return make_pipeline(*fill, StandardScaler(), model)


def _milliseconds(*works: Callable[[int], object]) -> list[float]:
    """Median time of a call of each, after one that may compile; in turns, so that all meet the same machine."""
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
    """Lines of a table in Markdown, its head with the first row: before, there may be an error instead."""
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
