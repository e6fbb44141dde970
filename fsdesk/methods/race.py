"""Competition of strategies on held-out rows: rankings of the features, sizes, models, and the choice among them.

A strategy ranks the features. Within each resample it uses only the search rows; models with its first 1, 2, 3, ...
features then predict the held-out rows. The combination that predicts best, over all resamples, is refitted on all rows
and is the result. The more strategies, sizes and models there are, the more optimistic the best of them: its held-out
error is corrected for this when it is reported (see :mod:`fsdesk.results.held_out`).

If models compete, a ranking is made once for each resample and all models are evaluated on it, and on all features.
Once quick models have shown which rankings lead, slow models are evaluated on these, at fewer sizes. A search with
single fits uses the quick model that leads at that point, and its rankings are evaluated with the leading models.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import PrivateAttr

from fsdesk.messages import joined, message, message_many
from fsdesk.methods.choice import ALL_FEATURES, Candidate, choose, smallest
from fsdesk.methods.problem import (
    LATE,
    End,
    Filter,
    Loss,
    Mask,
    Method,
    Model,
    Problem,
    Proposal,
    Rows,
    Search,
    Subsets,
)
from fsdesk.settings import Preset, setting

_SIZES = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 20, 22, 25, 28, 33, 40, 50, 65, 80, 100, 130, 160, 200)
_MORE_SIZES = (300, 500, 1000, 2000)  # if models compete: a penalized one uses many features
_SIZES_OF_SLOW = frozenset((2, 5, 10, 20, 40, 80, 200, 500, 2000))
_MANY_FITS = 200_000
_HEATS = 4  # resamples after which losing strategies drop out
_NEARLY_ALL = 0.75  # minimum fraction of the rows for a resample's ranking to count in the result's
_CLEARLY_WORSE = 2.35  # Student's t with three degrees of freedom, one-sided 5 %
_MOST_PAIRS = 24  # strategy-model pairs that continue after the heats
_ORDERS_OF_SLOW = 2  # number of leading strategies whose rankings are evaluated with slow models
_MODELS_OF_SEARCH = 6  # number of leading models with which the rankings of a search are evaluated

Floats = NDArray[np.float64]
Orders = Generator[Proposal, Sequence[Loss], list[Floats]]
K = TypeVar("K")


class Strategy(Protocol):
    """A way of ranking the features."""

    @property
    def name(self) -> str:
        """The name of the strategy in the log."""

    def measurements(self, searches: int) -> int:
        """Measurements requested for this many searches."""

    def scores(self, problem: Problem, resamples: Sequence[int], folds: int, rng: np.random.Generator) -> Orders:
        """Propose the measurements it needs, and return (p,) scores for each resample, larger is better; -1: all rows.

        Features with a score of minus infinity are not used; at least one score is finite.
        """

    def joined(self, scores: Mapping[int, Floats], problem: Problem, folds: int) -> Floats:
        """(p,) scores for the result, combined from the scores by resample, with -1 for all rows."""


@dataclass(frozen=True)
class ByFilter:
    """The ranking by a filter's scores, which requests no measurements.

    Attributes
    ----------
    barrier, least
        Another filter, and the score by it below which a feature is never used; None if all may be used.
    averaged
        Whether the result uses the mean ranking over the resamples and all rows, instead of that from all rows alone.
    """

    name: str
    filter: Filter
    barrier: Filter | None = None
    least: float = 0.0
    averaged: bool = False

    def measurements(self, searches: int) -> int:
        """0: a filter needs no measurements."""
        return 0

    def scores(self, problem: Problem, resamples: Sequence[int], folds: int, rng: np.random.Generator) -> Orders:
        """See :meth:`Strategy.scores`."""
        yield from ()
        return [self._scores(problem, resample, folds) for resample in resamples]

    def _scores(self, problem: Problem, resample: int, folds: int) -> Floats:
        scores = problem.scores(self.filter, resample, folds)
        if self.barrier is None:
            return scores
        taken = problem.scores(self.barrier, resample, folds) >= self.least
        taken[scores.argmax()] |= not taken.any()
        return np.where(taken, scores, -np.inf)

    def joined(self, scores: Mapping[int, Floats], problem: Problem, folds: int) -> Floats:
        """The scores from all rows, or minus the mean logarithm of the ranks, which emphasizes the top ranks.

        Resamples with far fewer rows than the table, such as the first ones in time, are less reliable and are ignored.
        """
        if not self.averaged:
            return scores[-1]
        counted = [each for each in sorted(scores) if each < 0 or problem.seen(each, folds) >= _NEARLY_ALL]
        # Rounded, because the last digits of logarithms differ between systems.
        logarithms = np.log([_ranks(scores[each]) for each in counted])
        return np.asarray(-np.round(logarithms.mean(axis=0), 9))


def _ranks(scores: Floats) -> Floats:
    """(p,) ranks, 1 for the largest; ties share the mean of their ranks."""
    _, place, count = np.unique(-scores, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(count) - (count - 1) / 2)[place])


def path_sizes(features: int, most: int, wanted: int, *, beyond: bool = False) -> list[int]:
    """Return the sizes at which rankings are evaluated: dense for small sizes.

    They end at 200, or at 2,000 if sizes ``beyond`` are useful.
    """
    if wanted:
        return [min(wanted, features)]
    most = min(most or features, features)
    sizes = [size for size in (*_SIZES, *(_MORE_SIZES if beyond else ())) if size <= most and size < features]
    return sizes or [min(1, most)]


PRESETS = (
    Preset("smallest error", {"prefer": "lowest"}, help="Uses the size with the smallest error on held-out rows."),
    Preset(
        "fewest features",
        {"prefer": "fewest"},
        help="Uses the smallest size whose error on held-out rows is within one standard error of the minimum.",
    ),
)
"""For methods with one strategy."""


class Raced(Method):
    """A method whose result is chosen on rows held out from the search."""

    validates_itself = True
    takes_start = False
    ends_by_itself = True
    sizes_asked = ("wanted", "most")

    wanted: int = setting(
        0,
        title="Exact number of features",
        zero="any",
        help="Exact number of features in the result, or all if the table has fewer; 0 chooses it by the "
        "held-out error. Features kept together count as one.",
        source="0: the error on held-out rows decides",
        ge=0,
        le=1_000_000,
    )
    most: int = setting(
        0,
        title="Max. features",
        zero="auto",
        help="Maximum number of features in the result. 0: up to 2000 if models compete and up to 200 otherwise.",
        source="0: a list that remains readable, unless more features predict better",
        ge=0,
        le=1_000_000,
    )
    prefer: Literal["lowest", "fewest", "most"] = setting(
        "lowest",
        title="Prefer",
        help="Subset to select: the one with the smallest error on held-out rows, or the one with the fewest or "
        "most features among those within one standard error of it.",
        source="the smallest error was best on new rows of synthetic and real tables",
        choices={"lowest": "Smallest error", "fewest": "Fewest features", "most": "Most features"},
    )
    resamples: int = setting(
        0,
        title="Held-out parts",
        zero="auto",
        help="Number of parts the rows are divided into; each is held out once while the search uses the others. "
        "0 uses 10 for a single model that is quick to fit and 5 otherwise.",
        source="10-fold cross-validation: nearly full training sets, and stable",
        ge=0,
        le=50,
        level="all",
    )

    fits: int = setting(
        0,
        title="Planned fits",
        zero="auto",
        help="Total number of times a model is trained and evaluated; 0 derives it from how long the model takes "
        "to fit.",
        source="about a minute for the built-in models",
        ge=0,
        le=1_000_000_000,
        level="all",
    )

    _competing: tuple[Model, ...] = PrivateAttr(default=(Model(),))

    def strategies(self, features: int) -> Sequence[Strategy]:
        """The strategies that compete."""
        raise TypeError(f"{type(self).__name__} has no strategies")

    @property
    def models(self) -> tuple[Model, ...]:
        """The competing models, or the only one."""
        return self._competing

    @property
    def brings_honest_error(self) -> bool:
        """Whether there is one model: if several compete, the error on the rows that chose one is too optimistic."""
        return len(self.models) == 1

    def sizes(self, features: int, model: Model) -> list[int]:
        """Sizes at which a model is evaluated on rankings of this many features."""
        sizes = path_sizes(features, self.most, self.wanted, beyond=len(self.models) > 1)
        return [size for size in sizes if size in _SIZES_OF_SLOW] or sizes[-1:] if model.is_slow else sizes

    def asks_filters(self, features: int) -> bool:
        """Whether a strategy ranks the features by a filter."""
        return any(isinstance(each, ByFilter) for each in self.strategies(features))

    def paced(self, fits: int, models: Sequence[Model] = ()) -> Self:
        """The method with as many fits as the model allows, unless the user has set their number."""
        made = self.model_copy(update={} if self.fits else {"fits": fits})
        if models:
            made._competing = tuple(models)
        return made

    @property
    def pace(self) -> int:
        """Number of planned fits: that of a quick model, unless set by the user."""
        return self.fits or 1_000_000

    @property
    def folds(self) -> int:
        """Number of parts of the rows."""
        if self.resamples:
            return max(2, self.resamples)
        return 10 if self.pace >= _MANY_FITS and len(self.models) == 1 else 5

    def measurements(self, features: int) -> int:
        """Those of all strategies in all resamples and on all rows, of the evaluation of sizes, and of the result."""
        strategies = self.strategies(features)
        asked = sum(each.measurements(self.folds + 1) for each in strategies)
        orders = {True: min(_ORDERS_OF_SLOW, len(strategies)), False: len(strategies)}
        lists = [model for model in self.models if not model.only_all_features]
        sizes = sum(len(self.sizes(features, model)) * orders[model.is_slow] for model in lists)
        return asked + self.folds * (len(self.models) + sizes) + 1

    def rankings(self, features: int) -> dict[Filter, int]:
        """The rankings of its strategies, from all rows and from the rows without each part."""
        ranked = [each for each in self.strategies(features) if isinstance(each, ByFilter)]
        return {name: self.folds + 1 for each in ranked for name in (each.filter, each.barrier) if name is not None}

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """Evaluate all strategies, drop those that clearly lose, and refit the winner on all rows."""
        race = _Race(self, problem, rng)
        while True:
            allowed, race.is_cut = problem.extensions, False
            yield from race.run()
            end = yield from race.answer()
            if not race.is_cut or problem.extensions == allowed:
                return end


class Contest:
    """Candidates of a race, and the decisions based on their held-out losses.

    Parameters
    ----------
    method
        With the competing models, as set by :meth:`Raced.paced`.
    features
        Number of features to choose from.
    folds
        Number of parts, held out one after another.
    row
        As :attr:`Problem.row`.
    """

    def __init__(self, method: Raced, features: int, folds: int, row: float) -> None:
        self.method, self.features, self.folds, self.row = method, features, folds, row
        self.models = {each.name: each for each in method.models}
        self.strategies = {each.name: each for each in method.strategies(features)}
        self.pairs = {
            (name, each.name)
            for each in method.models
            for name in [ALL_FEATURES, *([] if each.only_all_features else self.strategies)]
        }
        self.candidates: dict[tuple[str, int, str], Candidate] = {}

    @property
    def free(self) -> list[str]:
        """Strategies that need no measurements."""
        return [name for name, each in self.strategies.items() if not each.measurements(1)]

    @property
    def dear(self) -> list[str]:
        """Strategies that search, and therefore take measurements."""
        return [name for name, each in self.strategies.items() if each.measurements(1)]

    @property
    def quick(self) -> list[str]:
        """Models evaluated first."""
        return [name for name, each in self.models.items() if not each.is_slow]

    @property
    def slow(self) -> list[str]:
        """Models evaluated only on the leading rankings."""
        return [name for name, each in self.models.items() if each.is_slow]

    @property
    def worth_orders(self) -> list[str]:
        """The slow models also evaluated on rankings: those that did not lose with all features, or that noise harms.

        Trees do nearly their best with all features. If other models are clearly better, no ranking will reverse that,
        and trees would take most of the time on tables with many rows and classes.
        """
        return [name for name in self.slow if not self._has_lost(name)]

    def _has_lost(self, model: str) -> bool:
        return self.models[model].is_robust and (ALL_FEATURES, model) not in self.pairs

    def note(self, name: str, size: int, model: str, resample: int, loss: Loss) -> None:
        """Record the loss of a strategy at a size with a model on the rows of a resample."""
        candidate = self.candidates.setdefault((name, size, model), Candidate(name, size, model=model))
        candidate.losses[resample] = loss.mean if np.isfinite(loss.mean) else np.inf
        candidate.margins[resample] = loss.margin

    def leading_strategies(self, names: Sequence[str]) -> list[str]:
        """The strategies whose rankings are evaluated with slow models."""
        best = self._best_by(lambda each: each.strategy)
        raced = [name for name in names if name in self.strategies and name in best]
        return sorted(raced, key=lambda name: best[name].mean)[:_ORDERS_OF_SLOW]

    def models_of_search(self) -> tuple[str, list[str]]:
        """The quick model that searches use, and the leading models, which evaluate the rankings of searches.

        The quick model is one that can use interactions, unless it clearly loses: features that are useful alone are
        found without a search.
        """
        best = self._best_by(lambda each: each.model)
        raced = [
            name
            for name, each in self.models.items()
            if name in best and not each.only_all_features and not self._has_lost(name)
        ]
        leading = sorted(raced, key=lambda name: best[name].mean)
        quick = [name for name in leading if self.models[name].is_quick]
        for name in quick:
            lag, spread = best[name].behind(best[quick[0]])
            if self.models[name].sees_pairs and lag <= _CLEARLY_WORSE * spread:
                return name, leading[:_MODELS_OF_SEARCH]
        return (quick[0] if quick else ""), leading[:_MODELS_OF_SEARCH]

    def is_judged(self, name: str, model: str, resample: int) -> bool:
        """Whether a strategy was evaluated on a resample with this model, at all its sizes."""
        keys = [(name, size, model) for size in self.sizes_of(name, model)]
        return all(key in self.candidates and resample in self.candidates[key].losses for key in keys)

    def sizes_of(self, name: str, model: str) -> Sequence[int]:
        """Sizes at which a strategy is evaluated with a model."""
        return [self.features] if name == ALL_FEATURES else self.method.sizes(self.features, self.models[model])

    def is_settled(self) -> bool:
        """Whether no other strategy can be clearly better.

        This is so if one predicted all held-out rows, or all but one, or if no model could be trained at all.
        """
        complete = [each for each in self.candidates.values() if len(each.losses) == self.folds]
        if complete and not any(np.isfinite(each.mean) for each in complete):
            return True
        return any(each.mean <= self.row * (1 + 1e-9) for each in complete)

    def drop_losers(self, models: Sequence[str]) -> None:
        """Drop candidates whose best size is clearly worse than the best of all, resample by resample.

        Candidates are pairs of a strategy and a model, and models with all features, which are compared only with each
        other. The best pair with a simple model stays, to be shown beside the result.
        """
        for of_all in (False, True) if len(self.models) > 1 else (False,):
            best = {
                pair: each
                for pair, each in self._best_by(lambda each: each.pair).items()
                if pair in self.pairs and (pair[0] == ALL_FEATURES) == of_all
            }
            raced = [each for each in best.values() if np.isfinite(each.mean)]
            if not raced:
                continue
            leader = min(raced, key=lambda each: (each.mean, -each.clearness))
            spared = () if of_all else self._best_simple(best)
            for pair, each in best.items():
                if each is leader or pair in spared:
                    continue
                lag, spread = each.behind(leader)
                if not np.isfinite(each.mean) or lag > _CLEARLY_WORSE * spread > 0:
                    self.pairs.discard(pair)
            going = [pair for pair in best if pair in self.pairs and pair[1] in models]
            for pair in sorted(going, key=lambda pair: (best[pair].mean, -best[pair].clearness, pair))[_MOST_PAIRS:]:
                if pair not in spared:
                    self.pairs.discard(pair)
        left = {name for name, _ in self.pairs}
        self.strategies = {name: each for name, each in self.strategies.items() if name in left}

    def _best_simple(self, best: Mapping[tuple[str, str], Candidate]) -> list[tuple[str, str]]:
        """The best strategy and model among the simple ones, which is always evaluated to the end."""
        simple = [pair for pair, each in best.items() if self.models[pair[1]].is_simple and np.isfinite(each.mean)]
        return sorted(simple, key=lambda pair: (best[pair].mean, -best[pair].clearness, pair))[:1]

    def _best_by(self, key: Callable[[Candidate], K]) -> dict[K, Candidate]:
        """The best candidate of each kind, in order of evaluation."""
        kinds: dict[K, list[Candidate]] = {}
        for each in self.candidates.values():
            kinds.setdefault(key(each), []).append(each)
        return {kind: smallest(own) for kind, own in kinds.items()}

    def winner(self) -> Candidate:
        """The chosen candidate; an arbitrary one if nothing could be evaluated, because a run must have a result."""
        judged = self.comparable()
        if judged:
            return choose(judged, self.method.prefer, self.row, self.usual)
        model = next(iter(self.models))
        sizes = self.method.sizes(self.features, self.models[model])
        return Candidate(next(iter(self.strategies)), sizes[min(len(sizes) - 1, 4)], model=model)

    @property
    def usual(self) -> dict[str, int]:
        """The usual models, with the smallest number of features with which they are."""
        return {name: each.usual_from for name, each in self.models.items() if each.usual_from}

    def comparable(self) -> list[Candidate]:
        """The candidates to choose from, all evaluated on the same resamples.

        If time or budget ended the race before any strategy was evaluated on all resamples, the number of resamples
        after which losers are dropped is sufficient. All features, evaluated first and at only one size, do not count
        here.
        """
        candidates = [each for each in self.candidates.values() if each.pair in self.pairs]
        fewest: dict[tuple[str, str], int] = {}
        for each in candidates:
            fewest[each.pair] = min(fewest.get(each.pair, self.folds), len(each.losses))
        of_all_features = max((fewest.pop(pair) for pair in list(fewest) if pair[0] == ALL_FEATURES), default=0)
        most = max(fewest.values(), default=of_all_features)
        needed = most if most == self.folds else min(most, _HEATS)
        judged = [each for each in candidates if len(each.losses) >= needed]
        common = set(range(self.folds)).intersection(*(each.losses for each in judged))
        compared = [each.on(common) for each in judged]
        finite = [each for each in compared if np.isfinite(each.mean)]
        if not self._takes_all_features:
            finite = [each for each in finite if each.strategy != ALL_FEATURES] or finite
        return finite

    @property
    def _takes_all_features(self) -> bool:
        """Whether the user allows all features as the result."""
        asked = self.method.wanted or self.method.most
        return not asked or asked >= self.features


class _Race(Contest):
    """A race in progress."""

    def __init__(self, method: Raced, problem: Problem, rng: np.random.Generator) -> None:
        super().__init__(method, problem.features, method.folds, problem.row)
        self.problem, self.rng = problem, rng
        self.found: dict[str, dict[int, Floats]] = {name: {} for name in self.strategies}  # scores by resample
        self.searcher = ""  # the model used by searches
        self.is_cut = False  # whether something was not searched or evaluated for lack of time or budget
        self.iteration = 0

    def run(self) -> Generator[Proposal, Sequence[Loss], None]:
        """Evaluate all resamples: first the strategies without measurements, then the others, if they can win."""
        free, dear, quick, slow = self.free, self.dear, self.quick, self.slow
        yield from self._round([ALL_FEATURES, *free], quick)
        if slow:
            yield from self._round([ALL_FEATURES], slow)
            yield from self._round(self.leading_strategies(free), self.worth_orders)
        if dear and not self.is_settled():
            self.searcher, leading = self.models_of_search()
            yield from self._round(dear, leading)

    def _round(self, names: Sequence[str], models: Sequence[str]) -> Generator[Proposal, Sequence[Loss], None]:
        """Evaluate all resamples: the first few with all candidates, the others without the clear losers."""
        heats = min(_HEATS, self.folds) if len(self.strategies) * len(self.models) > 1 else self.folds
        for resamples in (range(heats), range(heats, self.folds)):
            for name in [each for each in names if each in {ALL_FEATURES, *self.strategies}]:
                if self._ends():
                    return
                yield from self._strategy(name, [each for each in models if (name, each) in self.pairs], resamples)
            self.drop_losers(models)

    def _strategy(
        self, name: str, models: Sequence[str], resamples: Sequence[int]
    ) -> Generator[Proposal, Sequence[Loss], None]:
        """Evaluate one strategy with some models in some resamples."""
        left = [each for each in resamples if not all(self.is_judged(name, model, each) for model in models)]
        if not left or not models:
            return
        if name == ALL_FEATURES:
            every = [np.ones(self.problem.features)]
            alone = len(self.models) == 1
            for part in [left] if alone else [[each] for each in left]:
                yield from self._judge(name, models, part, every * len(part))
            return
        strategy = self.strategies[name]
        # Strategies that search do so in all resamples in step, and on all rows, sharing a step's time. A filter
        # processes them one by one, because it may take long and is not interrupted.
        searches = bool(strategy.measurements(1))
        after = [-1] if searches and left[-1] == self.folds - 1 else []
        for part in [left] if searches else [[each] for each in left]:
            if self._ends():
                break
            scores = yield from self._scored(strategy, [*part, *after])
            self.is_cut |= searches and self.is_late  # the search itself may have ended early
            if scores:
                yield from self._judge(name, models, part, scores[: len(part)])

    @property
    def is_late(self) -> bool:
        """Whether it is time to finish."""
        return self.problem.is_over or (self.problem.is_late and bool(self.candidates))

    def _ends(self) -> bool:
        """Whether it is time to finish although something is left to evaluate."""
        self.is_cut |= self.is_late
        return self.is_late

    def _scored(self, strategy: Strategy, resamples: Sequence[int]) -> Orders:
        """The rankings of a strategy; none if the measurements that it requests are unavailable."""
        search = strategy.scores(self.problem, resamples, self.folds, self.rng)
        try:
            proposal = next(search)
            while self._affordable(len(proposal.masks)):
                rows = None if proposal.rows is None else replace(proposal.rows, model=self.searcher)
                losses = yield replace(proposal, iteration=self.iteration, rows=rows)
                self.iteration += 1
                proposal = search.send(losses)
        except StopIteration as end:
            scores: list[Floats] = end.value
            self.found[strategy.name].update(zip(resamples, scores, strict=True))
            return scores
        search.close()
        return []

    def _judge(
        self, name: str, models: Sequence[str], resamples: Sequence[int], scores: Sequence[Floats]
    ) -> Generator[Proposal, Sequence[Loss], None]:
        """Predict the held-out rows with each model and the first features of each ranking."""
        for model in models:
            if len(models) > 1 and self._ends():
                return
            if all(self.is_judged(name, model, each) for each in resamples):
                continue
            sizes = self.sizes_of(name, model)
            masks = [mask for each in scores for mask in firsts(each, sizes)]
            if not self._affordable(len(masks)):
                return
            places = np.repeat(np.array(resamples, dtype=np.int64), len(sizes))
            labels = (name,) * len(masks)
            rows = Rows(places, self.folds, "held-out", labels, tuple(sizes) * len(scores), model)
            losses = yield Proposal(Subsets.of(masks), (False,) * len(masks), self.iteration, rows=rows)
            self.iteration += 1
            self.is_cut |= len(losses) < len(masks)
            for place, loss in enumerate(losses):
                size = sizes[place % len(sizes)]
                self.note(name, size, model, int(places[place]), loss)

    def _affordable(self, masks: int) -> bool:
        """Whether this many more measurements, and one of the result, are within the budget."""
        affordable = self.problem.measured + masks < self.problem.budget
        self.is_cut |= not affordable
        return affordable

    def answer(self) -> Search:
        """The winner, refitted on all rows, and measured once like every subset."""
        judged = self.comparable()
        if not judged and self.problem.is_over:
            return End(self._over)
        winner = self.winner()
        scores = np.ones(self.problem.features)
        if winner.strategy != ALL_FEATURES:
            strategy, found = self.strategies[winner.strategy], self.found[winner.strategy]
            if -1 not in found:
                yield from self._scored(strategy, [-1])
            if found:
                scores = strategy.joined(found, self.problem, self.folds)
        weights = _weights(scores)
        (mask,) = firsts(scores, [winner.size])
        key = winner.strategy, winner.size, winner.model
        place, ended_early = list(self.candidates).index(key) if judged else -1, self._ended_early
        reason = self._reason(winner, mask)
        losses: Sequence[Loss] = ()
        if not self.problem.is_over:
            losses = yield Proposal(
                [mask], (True,), self.iteration, weights, model=winner.model, winner=place, cut=bool(ended_early)
            )
        if losses:
            (loss,) = losses
            reason = joined(": ", [ended_early, reason]) if ended_early else reason
            return End(reason, mask, loss.mean, loss.std_error, weights, winner.model)
        mean, std_error = winner.mean_loss
        return End(joined(": ", [self._over, reason]), mask, mean, std_error, weights, winner.model)

    def _reason(self, winner: Candidate, mask: Mask) -> str:
        size, strategy = self.problem.size(mask), message(winner.strategy)
        judged = self.comparable()
        best = smallest(judged) if judged else winner
        if best.mean < winner.mean:
            return self._reason_by_rule(winner, best, size, strategy)
        if not winner.model:
            return message_many(
                size,
                "{strategy} with {count} feature did best on rows held out",
                "{strategy} with {count} features did best on rows held out",
                strategy=strategy,
            )
        return message_many(
            size,
            "{model} with {count} feature ({strategy}) did best on held-out rows",
            "{model} with {count} features ({strategy}) did best on held-out rows",
            strategy=strategy,
            model=self.models[winner.model].title,
        )

    def _reason_by_rule(self, winner: Candidate, best: Candidate, size: int, strategy: str) -> str:
        """The rule that decided, if a candidate other than the winner has a smaller error on the held-out rows."""
        if not winner.model:
            return message_many(
                size,
                "{strategy} with {count} feature was chosen on held-out rows",
                "{strategy} with {count} features was chosen on held-out rows",
                strategy=strategy,
            )
        title = self.models[winner.model].title
        by_rule = self.method.prefer == "lowest" and winner.is_usual(self.usual) > best.is_usual(self.usual)
        if by_rule and self.usual[winner.model] > 1:
            return message(
                "{model} with {count} features ({strategy}) was chosen on held-out rows, because linear models with "
                "many features are preferred and nothing else was better by more than a standard error",
                strategy=strategy,
                model=title,
                count=size,
            )
        if by_rule:
            return message_many(
                size,
                "{model} with {count} feature ({strategy}) was chosen on held-out rows, because no other model was "
                "better by more than a standard error",
                "{model} with {count} features ({strategy}) was chosen on held-out rows, because no other model was "
                "better by more than a standard error",
                strategy=strategy,
                model=title,
            )
        return message_many(
            size,
            "{model} with {count} feature ({strategy}) was chosen on held-out rows",
            "{model} with {count} features ({strategy}) was chosen on held-out rows",
            strategy=strategy,
            model=title,
        )

    @property
    def _over(self) -> str:
        return message("the time of {minutes:g} minutes is used up", minutes=self.problem.most_seconds / 60)

    @property
    def _ended_early(self) -> str:
        """What ended the race before all was evaluated; "" if nothing did."""
        if not self.is_cut:
            return ""
        budget = self.problem.budget
        return LATE if self.is_late else message("the budget of {budget:,} measurements is used up", budget=budget)


def firsts(scores: Floats, sizes: Sequence[int]) -> list[Mask]:
    """The masks of the first features in order of score; ties go to the earlier feature."""
    order = np.argsort(-scores, kind="stable")[: int(np.isfinite(scores).sum())]
    masks = []
    for size in sizes:
        mask = np.zeros(len(scores), dtype=np.bool_)
        mask[order[:size]] = True
        masks.append(mask)
    return masks


def _weights(scores: Floats) -> Floats:
    """Scores scaled to [0, 1], the largest 1."""
    taken = np.isfinite(scores)
    low, high = (float(scores[taken].min()), float(scores[taken].max())) if taken.any() else (0.0, 0.0)
    brought = (scores - low) / (high - low) if high > low else np.ones(len(scores))
    return np.where(taken, brought, 0.0)
