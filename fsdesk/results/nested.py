"""Nested cross-validation of a race in which models compete: outer folds serve as inner folds for each other.

Outer fold r repeats the choice among strategies, sizes and models without its rows. Candidates are compared on rows
held out once more: those of every other fold s. Whatever is trained without r and s is evaluated on both, on s for the
choice of fold r and on r for that of fold s, so only half of the rankings and fits are needed. Each choice is refitted
on all rows except those of its fold, just as the race obtains its result.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from queue import SimpleQueue
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from fsdesk.data import Dataset
from fsdesk.engine import Control, RunSpec, Steered, ThreadExecutor
from fsdesk.engine.executor import giving_up_when
from fsdesk.engine.loop import FilterScores
from fsdesk.engine.tasks import evaluator_of
from fsdesk.kernels import _core
from fsdesk.measure import Measurement
from fsdesk.measure.evaluator import loss_of_a_row
from fsdesk.measure.resamples import PAIRS, Resamples
from fsdesk.methods import Mask, Problem, Subsets
from fsdesk.methods.choice import ALL_FEATURES, Candidate, best_of, choose, smallest
from fsdesk.methods.race import Contest, Raced, Strategy, firsts
from fsdesk.wrappers import is_simple

_VOTERS, _SLOW_VOTERS = 20, 5  # most models that vote on whether there is a signal, and most slow ones among them
_FEWEST = 4  # folds: at least three inner ones, and half of the rows for training
_SEARCHES_AT_ONCE = 5  # in step; a fixed number, so that results do not depend on the threads
_WAIT_SECONDS = 0.1
# Rough fraction of the time that each phase takes.
_SHARES = {"quick": 0.5, "slow with all": 0.05, "slow": 0.1, "search": 0.2, "searched": 0.05, "choice": 0.1}

Floats = NDArray[np.float64]
Asked = Mapping[str, Sequence[str]]  # models by the strategy whose rankings they are evaluated on
Pair = tuple[int, int]
Order = tuple[str, int, str]  # strategy, resample, and the model used by its search or ""
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Chosen:
    """The choice of the race without the rows of an outer fold.

    Attributes
    ----------
    fold
        Number of the outer fold.
    mask
        (p,) bool the features.
    model, everything_model
        Names of the model of these, and of the best one with all features.
    error
        Mean loss of the candidate on the other folds.
    ballot
        The (features, model) that did best on the other folds; see :class:`fsdesk.results.held_out_rows.HeldOutPart`.
    simple
        The (features, model) that a race of simple models would choose; None if none was evaluated.
    listed
        The (features, model) of the best list if all features are chosen; None if a list is chosen.
    """

    fold: int
    mask: Mask
    model: str
    everything_model: str
    error: float
    ballot: tuple[tuple[Mask, str], ...] = ()
    simple: tuple[Mask, str] | None = None
    listed: tuple[Mask, str] | None = None


@dataclass(frozen=True, eq=False)
class _Worth:
    """Losses of a model with the top features of a ranking, by size, on the rows of each fold of a pair."""

    sizes: Sequence[int]
    losses: tuple[list[Measurement], list[Measurement]]


def shares_folds(spec: RunSpec, folds: int, steerings: Sequence[Steered] = ()) -> bool:
    """Whether the outer folds of a run serve as inner folds for each other.

    This is the case if models compete in a race that runs to completion. Runs with their own limit, runs changed by the
    user, runs with a prefilter, and runs ordered in time are repeated unchanged in every outer fold.
    """
    method = spec.method_at_work()
    return (
        isinstance(method, Raced)
        and len(method.models) > 1
        and not (method.resamples or method.max_minutes or method.max_measurements)
        and not steerings
        and folds >= _FEWEST
        and spec.prefilter.prefilter == "none"
        and spec.measuring.protocol != "time"
    )


def voters_of(spec: RunSpec, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates that vote on whether anything can be predicted: the best ones, with few slow models among them."""
    chosen, slow = list[Candidate](), dict[str, bool]()
    for each in best_of(candidates, _VOTERS * _SLOW_VOTERS) if candidates else ():
        if each.model not in slow:
            slow[each.model] = spec.with_model(each.model).build_wrapper().fits_slowly()
        if not slow[each.model] or sum(slow[other.model] for other in chosen) < _SLOW_VOTERS:
            chosen.append(each)
        if len(chosen) == _VOTERS:
            break
    return chosen


def simple_rival(candidates: Sequence[Candidate], prefer: str) -> Candidate | None:
    """The list of features that would be chosen with simple models only; None if there is none."""
    simple = [each for each in candidates if each.strategy != ALL_FEATURES and is_simple(each.model)]
    return choose(simple, prefer) if simple else None


def list_rival(candidates: Sequence[Candidate], prefer: str) -> Candidate | None:
    """The list of features that would be chosen if all features were not allowed; None if there is none."""
    lists = [each for each in candidates if each.strategy != ALL_FEATURES]
    return choose(lists, prefer) if lists else None


def nested_choices(
    spec: RunSpec, dataset: Dataset, folds: int, threads: int, control: Control
) -> Iterator[float | Chosen]:
    """Yield the progress, from 0 to 1, and the choice of the race without each outer fold.

    Nothing is chosen if ``control`` requests a stop. Threads affect only the time.
    """
    with ExitStack() as stack:
        yield from _Nested(spec, dataset, folds, threads, control, stack).choices()


class _Thread:
    """The working state of one thread; caches are not shared."""

    def __init__(self, spec: RunSpec, dataset: Dataset, stack: ExitStack) -> None:
        self.executor = stack.enter_context(ThreadExecutor(evaluator_of(spec, dataset)))
        self.space = spec.build_space(dataset)
        self.problem = Problem(self.space.units, scores=FilterScores(self.space, dataset, spec, 1))

    def in_features(self, units: Sequence[Mask]) -> Subsets:
        """Masks of units as subsets of the table's features."""
        return Subsets.of(units if self.space.is_plain else [self.space.mask(mask) for mask in units])


class _Nested:
    """All outer folds together."""

    def __init__(
        self, spec: RunSpec, dataset: Dataset, folds: int, threads: int, control: Control, stack: ExitStack
    ) -> None:
        spec = spec.model_copy(update={"seed": spec.validation.outer_seed or spec.seed})
        method = spec.method_at_work()
        if not isinstance(method, Raced):
            raise TypeError(f"{spec.method} is no race")
        self.spec, self.seed, self.control = spec, spec.seed, control
        self.resamples = Resamples(dataset, spec.measuring, spec.seed, folds)
        self.folds = self.resamples.folds
        self.pairs = list(combinations(range(self.folds), 2))
        # The limit of OpenMP is set in each thread separately.
        alone = partial(threadpool_limits, limits=1, user_api="openmp")
        self.pool = stack.enter_context(ThreadPoolExecutor(threads, "nested", alone))
        self.threads: SimpleQueue[_Thread] = SimpleQueue()
        for _ in range(threads):
            self.threads.put(_Thread(spec, dataset, stack))
        units, parts = spec.build_space(dataset).units, self.resamples.parts(0)
        self.contests = [
            Contest(method, units, self.folds - 1, loss_of_a_row(dataset, spec.measuring, int((parts != fold).sum())))
            for fold in range(self.folds)
        ]
        self.strategies: Mapping[str, Strategy] = dict(self.contests[0].strategies)
        self.scores: dict[Order, Floats] = {}
        self.is_stopped = threading.Event()
        self.done = 0.0

    def choices(self) -> Iterator[float | Chosen]:
        """The rounds of the race, in all folds together, followed by the choice of each."""
        free, first = self.contests[0].free, self.contests[0]
        yield from self._judge([dict.fromkeys([ALL_FEATURES, *free], each.quick) for each in self.contests], "quick")
        if first.slow:
            yield from self._judge([{ALL_FEATURES: first.slow}] * self.folds, "slow with all")
            slow = [dict.fromkeys(each.leading_strategies(free), each.worth_orders) for each in self.contests]
            yield from self._judge(slow, "slow")
        searchers, asked = [""] * self.folds, list[Asked]([{}] * self.folds)
        for fold, contest in enumerate(self.contests):
            if contest.dear and not contest.is_settled():
                searchers[fold], leading = contest.models_of_search()
                asked[fold] = dict.fromkeys(contest.dear, leading)
        yield from self._search(asked, searchers)
        yield from self._judge(asked, "searched", searchers)
        calls = [partial(self._choose, fold, searchers[fold]) for fold in range(self.folds)]
        chosen = dict[int, Chosen]()
        yield from self._do(calls, "choice", chosen)
        yield from chosen.values() if len(chosen) == self.folds else ()

    def _judge(self, asked: Sequence[Asked], name: str, searchers: Sequence[str] = ()) -> Iterator[float]:
        """Evaluate strategies with models on both folds of all pairs, as requested by each fold, and drop losers."""
        wanted = [self._wanted(fold, asked[fold], searchers) for fold in range(self.folds)]
        calls = [
            partial(self._judged, pair, list(dict.fromkeys(wanted[pair[0]] + wanted[pair[1]]))) for pair in self.pairs
        ]
        found = dict[int, dict[tuple[str, str, str], _Worth]]()
        yield from self._do(calls, name, found)
        if len(found) < len(calls):
            return
        for fold, contest in enumerate(self.contests):
            for strategy, model, searcher in wanted[fold]:
                for number, pair in enumerate(self.pairs):
                    if fold not in pair:
                        continue
                    worth, other = found[number][strategy, model, searcher], pair[pair[0] == fold]
                    judged = worth.losses[other == pair[1]]
                    for size, loss in zip(worth.sizes, judged, strict=True):
                        contest.note(strategy, size, model, other - (other > fold), loss)
            contest.drop_losers(list({model: None for models in asked[fold].values() for model in models}))

    def _wanted(self, fold: int, asked: Asked, searchers: Sequence[str]) -> list[tuple[str, str, str]]:
        """The (strategy, model, model of the search or "") that a fold requests and that are still in its race."""
        searcher, left = searchers[fold] if searchers else "", self.contests[fold].pairs
        pairs = [(strategy, model) for strategy, models in asked.items() for model in models]
        return [(*pair, searcher) for pair in pairs if pair in left]

    def _judged(
        self, pair: Pair, wanted: Sequence[tuple[str, str, str]], thread: _Thread
    ) -> dict[tuple[str, str, str], _Worth]:
        """Losses of models with the top features of rankings on each fold of a pair, trained without both."""
        resample, found = self._resample(pair), dict[tuple[str, str, str], _Worth]()
        labels = self.resamples.compared(resample)
        for strategy, model, searcher in wanted:
            sizes = self.contests[0].sizes_of(strategy, model)
            scores = np.ones(thread.space.units)
            if strategy != ALL_FEATURES:
                scores = self._ordered(thread, (strategy, resample, searcher))
            subsets = thread.in_features(firsts(scores, sizes))
            evaluator = thread.executor.evaluator.of(model)
            losses = evaluator.judged_on_both(
                subsets, subsets.features, subsets.offsets, labels, halts=self.is_stopped.is_set
            )
            if self.is_stopped.is_set():
                break
            found[strategy, model, searcher] = _Worth(sizes, losses)
        return found

    def _resample(self, pair: Pair) -> int:
        return PAIRS + pair[0] * self.folds + pair[1]

    def _ordered(self, thread: _Thread, order: Order) -> Floats:
        """Scores of a strategy, computed if not known."""
        if order not in self.scores:
            strategy, resample, searcher = order
            self._searched(strategy, [resample], searcher, resample % PAIRS, thread)
        return self.scores[order]

    def _search(self, asked: Sequence[Asked], searchers: Sequence[str]) -> Iterator[float]:
        """Run search strategies without each requested pair of folds, with the model that leads there."""
        calls = list[Callable[[_Thread], None]]()
        for strategy in dict.fromkeys(name for each in asked for name in each):
            for searcher in sorted({searchers[fold] for fold in range(self.folds) if strategy in asked[fold]}):
                folds = {fold for fold in range(self.folds) if strategy in asked[fold] and searchers[fold] == searcher}
                pairs = [self._resample(pair) for pair in self.pairs if folds & set(pair)]
                for begin in range(0, len(pairs), _SEARCHES_AT_ONCE):
                    part = pairs[begin : begin + _SEARCHES_AT_ONCE]
                    calls.append(partial(self._searched, strategy, part, searcher, len(calls)))
        yield from self._do(calls, "search", {})

    def _searched(self, strategy: str, resamples: Sequence[int], searcher: str, number: int, thread: _Thread) -> None:
        """Store the scores of a strategy in some resamples."""
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(PAIRS, number)))
        search = self.strategies[strategy].scores(thread.problem, resamples, self.folds, rng)
        step = 0
        try:
            proposal = next(search)
            while True:
                assert proposal.rows is not None
                masks, rows = thread.in_features(proposal.masks), replace(proposal.rows, model=searcher)
                losses = thread.executor.judge(masks, step, rows, self.is_stopped.is_set)
                step += 1
                proposal = search.send(losses)
        except StopIteration as end:
            for resample, scores in zip(resamples, end.value, strict=True):
                self.scores[strategy, resample, searcher] = scores

    def _choose(self, fold: int, searcher: str, thread: _Thread) -> Chosen:
        """The choice without a fold, refitted on all rows except its own."""
        contest = self.contests[fold]
        winner, judged = contest.winner(), contest.comparable()
        voters = voters_of(self.spec, [each for each in judged if np.isfinite(each.mean)])
        simple = simple_rival(judged, contest.method.prefer)
        listed = list_rival(judged, contest.method.prefer) if winner.strategy == ALL_FEATURES else None
        scores = dict[str, Floats]()

        def taken(each: Candidate) -> tuple[Mask, str]:
            if each.strategy not in scores:
                scores[each.strategy] = self._joined(each.strategy, fold, searcher, thread)
            return thread.in_features(firsts(scores[each.strategy], [each.size]))[0], each.model

        mask, model = taken(winner)
        of_all = [each for each in judged if each.strategy == ALL_FEATURES]
        everything = smallest(of_all).model if of_all else winner.model
        ballot = tuple(taken(each) for each in voters)
        beside = [None if each is None else taken(each) for each in (simple, listed)]
        return Chosen(fold, mask, model, everything, winner.mean_loss[0], ballot, *beside)

    def _joined(self, name: str, fold: int, searcher: str, thread: _Thread) -> Floats:
        """Scores of a strategy from all rows except those of a fold."""
        if name == ALL_FEATURES:
            return np.ones(thread.space.units)
        strategy = self.strategies[name]
        by = searcher if strategy.measurements(1) else ""
        others = [other for other in range(self.folds) if other != fold]
        pairs = [self._resample((min(fold, other), max(fold, other))) for other in others]
        known = {place: self._ordered(thread, (name, pair, by)) for place, pair in enumerate(pairs)}
        known[-1] = self._ordered(thread, (name, fold, by))
        return strategy.joined(known, thread.problem, self.folds - 1)

    def _do(self, calls: Sequence[Callable[[_Thread], T]], name: str, found: dict[int, T]) -> Iterator[float]:
        """Run calls on all threads; yield the progress, and store the return values in ``found`` by number."""
        if self.is_stopped.is_set():
            return
        made: dict[Future[T | None], int] = {
            self.pool.submit(self._on_a_thread, call): number for number, call in enumerate(calls)
        }
        waiting = set(made)
        try:
            while waiting:
                ended, waiting = wait(waiting, _WAIT_SECONDS, FIRST_COMPLETED)
                if self.control.should_stop():
                    return
                self.done += len(ended) * _SHARES[name] / len(calls)
                for each in ended:
                    each.result()
                if ended:
                    yield self.done
        finally:
            if waiting:
                self.is_stopped.set()
            for each in waiting:
                each.cancel()
        done = {number: future.result() for future, number in made.items()}
        found.update({number: result for number, result in sorted(done.items()) if result is not None})

    def _on_a_thread(self, call: Callable[[_Thread], T]) -> T | None:
        thread = self.threads.get()
        try:
            with suppress(_core.Stopped), giving_up_when(self.is_stopped.is_set):
                return call(thread)
            return None
        finally:
            self.threads.put(thread)
