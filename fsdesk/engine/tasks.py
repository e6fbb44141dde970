"""Tasks of worker processes: generators whose messages are sent to the owner."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from fsdesk.data import (
    Choices,
    Dataset,
    Learned,
    ReadOptions,
    Shared,
    Table,
    load_sample,
    prepare,
    read,
    read_as_learned,
    share,
)
from fsdesk.data.readers.address import download_in_steps
from fsdesk.data.readers.download import Progress
from fsdesk.data.readers.matrices import SeveralTablesError
from fsdesk.data.readers.openml import fetch_in_steps
from fsdesk.engine.executor import ThreadExecutor
from fsdesk.engine.request import RunSpec, Space
from fsdesk.engine.steering import Control
from fsdesk.errors import DataError
from fsdesk.measure import Evaluator, sample_of
from fsdesk.measure.filters import filter_scores
from fsdesk.methods import Method, Rows

_AT_ONCE = 3
_MOST_BATCHES = 12  # batches of measurements timed for an estimate
_ENOUGH_BATCHES, _ENOUGH_SECONDS = 3, 1.0  # batches that determine the speed; seconds for one mask of each batch
_MANY_NUMBERS = 100_000  # below this, rankings take seconds, and their imports would take memory in another worker
_SECONDS_PER_NUMBER = 2e-6  # rough time of a ranking below that
_LONG_SECONDS = 10.0  # a batch of this length is sufficient alone
_MOST_BATCHES_OF_FITS = 100  # a batch of fits takes a millisecond, and many are disturbed by other work
_OVERHEAD_SECONDS = 2e-4  # proposing, logging and replying, per measurement
_FIT_OVERHEAD_SECONDS = 3e-5  # the same per single fit, of which a step requests many
_WATCH_SECONDS = 0.005
_SEARCHES, _AT_A_STEP, _SMALL = 5, 8, 20  # size of a step: searches, subsets of each, features


class Peak:
    """Maximum memory of this process over the samples taken, in bytes."""

    def __init__(self) -> None:
        import psutil  # imported here, because the window loads this module, too

        self._process = psutil.Process()
        self.bytes = 0
        self.sample()

    def sample(self) -> None:
        """Sample the resident memory."""
        self.bytes = max(self.bytes, int(self._process.memory_info().rss))


@contextmanager
def peak_memory() -> Iterator[Peak]:
    """Sample the resident memory of this process, mapped files included, while the block runs."""
    peak, done = Peak(), threading.Event()

    def watch() -> None:
        while not done.wait(_WATCH_SECONDS):
            peak.sample()

    thread = threading.Thread(target=watch, name="peak-memory", daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        done.set()
        thread.join()
        peak.sample()


def evaluator_of(spec: RunSpec, dataset: Dataset, *, all_rows: bool = False) -> Evaluator:
    """The evaluator of a run's masks, on the rows used by its search or on all rows."""
    if spec.search_rows and not all_rows:
        dataset = sample_of(dataset, spec.search_rows, spec.measuring, spec.seed)
    models, repeats, measuring = spec.build_models(), spec.most_repeats, spec.measuring.model_dump()
    return Evaluator(dataset, spec.build_wrapper(), seed=spec.seed, models=models, most_repeats=repeats, **measuring)


def read_beside_task(control: Control, path: str, learned: Learned, folder: str) -> Iterator[Shared[Table]]:
    """Read another table in the same way as the table of a run."""
    yield share(read_as_learned(path, learned), Path(folder))


def read_task(control: Control, path: str, options: ReadOptions, folder: str) -> Iterator[Shared[Table]]:
    """Read a table from a file; if it has several and none is named, the first one, with the names of the others."""
    try:
        table = read(Path(path), options)
    except SeveralTablesError as error:
        table = _first_of(Path(path), options, error.parts)
    yield share(table, Path(folder))


def _first_of(path: Path, options: ReadOptions, parts: Sequence[str]) -> Table:
    for part in parts[:-1]:
        with suppress(DataError):  # e.g. labels that do not fit the table
            return read(path, options.updated({"part": part}))
    return read(path, options.updated({"part": parts[-1]}))


def openml_task(control: Control, wanted: str, keep: str, folder: str) -> Iterator[Progress | Shared[Table]]:
    """Download an OpenML data set into the folder ``keep``, one step per piece."""
    steps = fetch_in_steps(wanted, Path(keep))
    with closing(steps):
        while not control.should_stop():
            try:
                progress = next(steps)
            except StopIteration as end:
                yield share(end.value, Path(folder))
                return
            yield progress


def address_task(control: Control, address: str, keep: str) -> Iterator[Progress | str]:
    """Download a file into the folder ``keep``, one step per piece; the last step returns its path."""
    steps = download_in_steps(address, Path(keep))
    with closing(steps):
        while not control.should_stop():
            try:
                progress = next(steps)
            except StopIteration as end:
                yield str(end.value)
                return
            yield progress


def sample_task(control: Control, name: str, folder: str) -> Iterator[Shared[Table]]:
    """Load one of the samples."""
    yield share(load_sample(name), Path(folder))


def prepare_task(control: Control, table: Shared[Table], choices: Choices, folder: str) -> Iterator[Shared[Dataset]]:
    """Make the data set described by the user's choices."""
    yield share(prepare(table.open(), **asdict(choices)), Path(folder))


def tiny_dataset() -> Dataset:
    """A data set of a dozen rows, used to load slow imports in advance."""
    x = np.asfortranarray(np.random.default_rng(0).normal(size=(12, 2)))
    return Dataset("tiny", x, ("a", "b"), np.arange(12) % 2, "y", ("0", "1"), ("",) * 12)


@dataclass(frozen=True)
class Estimate:
    """Estimated cost of a run here.

    Attributes
    ----------
    seconds
        Seconds per measurement of half of the features, three at a time, as in most searches.
    memory
        Maximum memory of the worker in bytes, including the measurement of all features; 0 if unavailable.
    table
        Bytes of the features, shared by all workers.
    rankings
        Seconds for all feature rankings requested by the method besides its measurements; a rough estimate on a small
        table.
    whole
        Seconds for the measurements of all features and of the result, which take many fits each, if the others are
        single fits; otherwise 0.
    """

    seconds: float
    memory: int
    table: int
    rankings: float = 0.0
    whole: float = 0.0

    @property
    def once(self) -> float:
        """Seconds spent once, however many measurements there are."""
        return self.rankings + self.whole


def estimate_task(control: Control, spec: RunSpec, dataset: Shared[Dataset], threads: int) -> Iterator[Estimate]:
    """Measure as a run would, all features first, and report the time per measurement.

    The time is the lower quartile of the batches, without the first: slower ones were mostly disturbed by other work.
    """
    opened = dataset.open()
    with peak_memory() as peak, ThreadExecutor(evaluator_of(spec, opened), threads) as executor:
        started = time.perf_counter()
        executor.measure([np.ones(len(opened.features), dtype=np.bool_)], 0, halts=control.halts)
        spent = time.perf_counter() - started
        method = spec.build_method()
        own = method.validates_itself
        if own and spent < _LONG_SECONDS and not control.should_stop():  # the first one may have loaded the model
            started = time.perf_counter()
            executor.measure([np.ones(len(opened.features), dtype=np.bool_)], 1, halts=control.halts)
            spent = min(spent, time.perf_counter() - started)
        pace = _fit_pace if own else _pace
        seconds = pace(control, executor, len(opened.features))
        rankings = _time_to_rank(control, method, spec.build_space(opened), threads)
    if seconds and not control.should_stop():
        overhead = _FIT_OVERHEAD_SECONDS if own else _OVERHEAD_SECONDS
        yield Estimate(
            float(np.quantile(seconds, 0.25)) + overhead,
            peak.bytes,
            opened.x.nbytes,
            rankings,
            2 * spent if own else 0.0,
        )


def _time_to_rank(control: Control, method: Method, space: Space, threads: int) -> float:
    """Seconds for all rankings requested by a method: with many values each filter is timed once, on all rows."""
    total, asked = 0.0, method.rankings(space.units)
    if space.dataset.x.size < _MANY_NUMBERS:
        return _SECONDS_PER_NUMBER * space.dataset.x.size * sum(asked.values())
    for name, times in asked.items():
        if control.should_stop():
            break
        filter_scores(tiny_dataset(), name)  # loads slow imports
        started = time.perf_counter()
        space.scores(name, threads=threads)
        total += times * (time.perf_counter() - started)
    return total


def _pace(control: Control, executor: ThreadExecutor, features: int) -> list[float]:
    """Seconds per measurement, timed on batches of random halves, with as many batches as a reliable estimate needs."""
    rng, taken = np.random.default_rng(0), list[float]()
    for number in range(_MOST_BATCHES):
        enough = _ENOUGH_SECONDS if len(taken) > _ENOUGH_BATCHES else _LONG_SECONDS
        if control.should_stop() or sum(taken[1:]) >= enough:
            break
        masks = [rng.random(features) < 0.5 for _ in range(_AT_ONCE)]
        for mask in masks:
            mask[0] = True
        started = time.perf_counter()
        if len(executor.measure(masks, number * _AT_ONCE, halts=control.halts)) < len(masks):
            break
        taken.append((time.perf_counter() - started) / _AT_ONCE)
    return taken[1:] or taken


def _fit_pace(control: Control, executor: ThreadExecutor, features: int) -> list[float]:
    """Seconds per single fit in batches like those of a search on resampled rows."""
    rng, taken = np.random.default_rng(0), list[float]()
    rows = Rows(np.repeat(np.arange(_SEARCHES), _AT_A_STEP), _SEARCHES, "split")
    for number in range(_MOST_BATCHES_OF_FITS):
        enough = _ENOUGH_SECONDS if len(taken) > _ENOUGH_BATCHES else _LONG_SECONDS
        if control.should_stop() or sum(taken) * len(rows.resamples) > enough:
            break
        masks = np.zeros((len(rows.resamples), features), dtype=np.bool_)
        for mask in masks:
            mask[rng.choice(features, min(_SMALL, features), replace=False)] = True
        started = time.perf_counter()
        if not executor.judge(list(masks), number, rows, control.halts):
            break
        taken.append((time.perf_counter() - started) / len(masks))
    return taken[1:] or taken
