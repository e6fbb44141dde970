"""Subsets measured by a run: those equivalent to the result, the best of each size, and those of each strategy."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.engine import BaselineMeasured, BatchMeasured, Best, Event, RunSpec
from fsdesk.engine.events import pack_masks, unpack_masks
from fsdesk.engine.state import Judged, Race
from fsdesk.measure import CRITERIA, Criterion, Measurement
from fsdesk.messages import localised, mark, number, tr, translated
from fsdesk.methods import Mask
from fsdesk.methods.choice import ALL_FEATURES, Estimated, estimated
from fsdesk.methods.race import Contest, Raced
from fsdesk.results.curves import drawn, drawn_error
from fsdesk.results.sheets import csv_text
from fsdesk.wrappers import USUAL, model_title

_MOST_SHOWN = 200
Floats = NDArray[np.float64]
_COLUMNS = ("features", "value", "standard error", "answer")
State = Literal["", "won", "out"]
STATES = {"won": mark("won"), "out": mark("dropped out")}
NAMES = (mark("F statistic"), mark("L1 path"), mark("forest importance"), mark("all features"))
"""Names of strategies in the log, marked for translation."""


@dataclass(frozen=True, eq=False)
class EquivalentSubset:
    """One subset: its mask (p,), its mean loss, its number of measurements, and whether it is the result."""

    mask: Mask
    error: float
    times: int
    answer: bool

    @property
    def size(self) -> int:
        """Number of features."""
        return int(self.mask.sum())


@dataclass(frozen=True, eq=False)
class EquivalentSubsets:
    """All measured subsets within one standard error of the result.

    Attributes
    ----------
    shown
        The best of them, at most 200: lowest loss first, smaller ones first if equal; the result is among them.
    number, measured
        Their number, and the number of different subsets measured.
    limit
        Largest loss that counts as equally good: that of the result plus one standard error.
    frequency
        (p,) fraction of all of them that contain each feature.
    """

    shown: tuple[EquivalentSubset, ...]
    number: int
    measured: int
    limit: float
    frequency: NDArray[np.float64]


@dataclass
class _Record:
    """The losses of one mask; if it was confirmed, only the confirmations count."""

    found: list[float] = field(default_factory=list)
    confirmed: list[float] = field(default_factory=list)

    @property
    def values(self) -> list[float]:
        return self.confirmed or self.found


def equivalent_subsets(events: Iterable[Event], best: Best) -> EquivalentSubsets:
    """Find the measured subsets within one standard error of the result.

    The value of a subset measured once is partly due to chance, and the luckiest of many such subsets appear here;
    confirmed ones count only with their confirmed values.

    Parameters
    ----------
    best
        The result of the run.
    """
    features = len(best.mask)
    records: dict[bytes, _Record] = {}
    for event in events:
        if isinstance(event, BatchMeasured):
            for packed, row in zip(event.masks, event.values, strict=True):
                record = records.setdefault(packed.tobytes(), _Record())
                (record.confirmed if event.confirms else record.found).append(Measurement.of(row).mean)
        elif isinstance(event, BaselineMeasured):
            key = pack_masks([np.ones(features, dtype=np.bool_)])[0].tobytes()
            records.setdefault(key, _Record()).found.append(Measurement.of(event.values).mean)
    answer = pack_masks([best.mask])[0].tobytes()
    limit = best.mean + best.std_error
    means = {key: float(np.mean(record.values)) for key, record in records.items()} | {answer: best.mean}
    good = [key for key, mean in means.items() if mean <= limit]
    masks = unpack_masks(np.frombuffer(b"".join(good), dtype=np.uint8).reshape(len(good), -1), features)
    sizes = masks.sum(axis=1)
    order = sorted(range(len(good)), key=lambda at: (means[good[at]], sizes[at], good[at]))
    place = good.index(answer)
    kept = order[:_MOST_SHOWN] if place in order[:_MOST_SHOWN] else [*order[: _MOST_SHOWN - 1], place]
    times = [len(records[key].values) if key in records else 0 for key in good]
    shown = [EquivalentSubset(masks[at].copy(), means[good[at]], times[at], at == place) for at in kept]
    return EquivalentSubsets(tuple(shown), len(good), len(records), limit, np.asarray(masks.mean(axis=0)))


@dataclass(frozen=True, eq=False)
class SizeCurve:
    """Finalists that could be measured, by number of features.

    Attributes
    ----------
    criterion, target
        Name of the criterion; name of the target, for its unit.
    sizes, losses, std_errors
        Parallel: number of features, mean loss and its standard error.
    answer
        Indices of those that are the result.
    """

    criterion: str
    target: str
    sizes: tuple[int, ...]
    losses: tuple[float, ...]
    std_errors: tuple[float, ...]
    answer: tuple[int, ...]

    @classmethod
    def of(
        cls, criterion: Criterion, points: Sequence[tuple[Mask, float, float]], answer: Mask | None, target: str = ""
    ) -> "SizeCurve":
        """The curve of (mask, loss, standard error) of each finalist."""
        kept = [point for point in points if np.isfinite(point[1])]
        found = [place for place, point in enumerate(kept) if answer is not None and np.array_equal(point[0], answer)]
        return cls(
            criterion.name,
            target,
            tuple(int(mask.sum()) for mask, _, _ in kept),
            tuple(loss for _, loss, _ in kept),
            tuple(error for _, _, error in kept),
            tuple(found),
        )

    @property
    def judged(self) -> Criterion:
        """The criterion."""
        return CRITERIA[self.criterion]

    @property
    def values(self) -> Floats:
        """Losses in display units."""
        return drawn(self.judged, np.array(self.losses))

    @property
    def spreads(self) -> Floats:
        """Standard errors in display units."""
        return drawn_error(self.judged, np.array(self.std_errors))

    @property
    def ladder(self) -> tuple[list[int], Floats]:
        """Each size in increasing order, with the value of its best finalist."""
        best = {size: loss for loss, size in sorted(zip(self.losses, self.sizes, strict=True), reverse=True)}
        sizes = sorted(best)
        return sizes, drawn(self.judged, np.array([best[size] for size in sizes]))


def size_curve_csv(curve: SizeCurve) -> str:
    """Write one line per finalist; errors as fractions."""
    scale = 100.0 if curve.judged.unit == "%" else 1.0
    rows = zip(curve.sizes, curve.values / scale, curve.spreads / scale, strict=True)
    lines = [
        (size, f"{value:.9g}", f"{error:.9g}", "yes" if place in curve.answer else "no")
        for place, (size, value, error) in enumerate(rows)
    ]
    return csv_text([_COLUMNS, *lines])


@dataclass(frozen=True)
class Standing:
    """One strategy with one model at its best size: mean held-out loss over the resamples, and its standard error.

    ``model`` is its name; "" if models do not compete. ``estimate`` is the loss by which the winner was chosen; None
    if another rule decided or the race is not over. See :func:`fsdesk.methods.choice.choose`.
    """

    strategy: str
    model: str
    size: int
    mean: float
    std_error: float
    resamples: int
    state: State
    estimate: float | None = None

    @property
    def name(self) -> str:
        """The name of the candidate in the language of the user, such as "RBF SVM, cost 1 · mRMR"."""
        strategy = tr(self.strategy)
        return f"{translated(model_title(self.model))} · {strategy}" if self.model else strategy

    @property
    def pair(self) -> tuple[str, str]:
        """Strategy and model."""
        return self.strategy, self.model


def estimates_of(spec: RunSpec, race: Race) -> dict[tuple[str, int, str], Estimated]:
    """The estimates by which the winner was chosen, by (strategy, size, model).

    Empty if the race is not over, if fewest or most features are preferred, or if the log does not suffice to repeat
    the choice, as in runs of older versions.
    """
    method = spec.method_at_work()
    if race.winner is None or not isinstance(method, Raced) or method.prefer != "lowest":
        return {}
    counts_rows = spec.measuring.criterion == "error"
    if counts_rows and not spec.rows:
        return {}
    row = 1.0 / spec.rows if counts_rows else 0.0
    return race.once(("estimates", row), lambda: _estimates(Contest(method, spec.units, race.folds, row), race))


def _estimates(contest: Contest, race: Race) -> dict[tuple[str, int, str], Estimated]:
    contest.candidates = dict(race.judged)
    contest.pairs = {each.pair for each in race.judged.values()} - race.dropped
    judged = estimated(contest.comparable(), contest.row)
    winner = contest.winner()
    if (winner.strategy, winner.size, winner.model) != race.winner:
        return {}
    return {(each.candidate.strategy, each.candidate.size, each.candidate.model): each for each in judged}


def standings(race: Race, spec: RunSpec | None = None) -> list[Standing]:
    """The standing of each evaluated strategy, in the order in which they began.

    If models compete, there is one for each strategy with each model: the winner first, then by performance, and those
    that dropped out last. With the ``spec`` of a finished run, they are in this order by the estimate that decided, if
    there is one; otherwise performance is the mean loss.
    """
    out, decided = race.dropped, estimates_of(spec, race) if spec is not None else {}
    best = race.best_sizes()
    if decided:
        least: dict[tuple[str, str], Judged] = {}
        for key, each in sorted(decided.items(), key=lambda item: item[1].order()):
            least.setdefault(each.candidate.pair, race.judged[key])
        best = [least.get(each.pair, each) for each in best]
    found = [_standing(race, each, out, decided) for each in best if np.isfinite(each.mean)]
    if not race.models_compete and not decided:
        return found
    places = {"won": 0, "": 1, "out": 2}

    def order(each: Standing) -> tuple[int, float, float, int]:
        unknown = np.inf if decided else 0.0
        return places[each.state], unknown if each.estimate is None else each.estimate, each.mean, each.size

    return sorted(found, key=order)


def _standing(
    race: Race,
    judged: Judged,
    out: set[tuple[str, str]],
    decided: Mapping[tuple[str, int, str], Estimated],
) -> Standing:
    won = race.winner is not None and race.judged[race.winner].pair == judged.pair
    if won and race.winner is not None:  # at the chosen size, which may not be that of the smallest mean
        judged = race.judged[race.winner]
    mean, std_error = judged.mean_loss
    taken = int(np.median([len(subset) for subset in judged.subsets.values()] or [judged.size]))
    state: State = "won" if won else "out" if judged.pair in out else ""
    known = decided.get((judged.strategy, judged.size, judged.model))
    estimate = None if known is None else known.drawn
    return Standing(judged.strategy, judged.model, taken, mean, std_error, len(judged.losses), state, estimate)


def why_it_won(spec: RunSpec, race: Race, criterion: Criterion) -> str:
    """The rule that chose the winner, if another one looks better or if estimates are shown; "" otherwise."""
    method, found = spec.build_method(), standings(race, spec)
    winner = next((each for each in found if each.state == "won"), None)
    if winner is None or not isinstance(method, Raced):
        return ""
    by_margins = criterion.name == "error"  # other criteria do not count rows, so margins do not refine them
    if not any(each.mean < winner.mean and each.resamples == winner.resamples for each in found) and all(
        each.estimate is None or winner.estimate is None or winner.estimate <= each.estimate for each in found
    ):
        return "" if winner.estimate is None else _by_estimate(len(found), winner, by_margins=by_margins)
    if method.prefer == "fewest":
        return tr("The winner has the fewest features among those within one standard error of the smallest error.")
    if method.prefer == "most":
        return tr("The winner has the most features among those within one standard error of the smallest error.")
    usual_from = next((each.usual_from for each in spec.models if each.name == winner.model), 0)
    if 1 < usual_from <= winner.size:
        return tr(
            "Linear models with {count} or more features win unless something else is better by more than a standard "
            "error. The values at neighboring sizes are considered, too.", count=usual_from,
        )  # fmt: skip
    if winner.model.partition(" ")[0] in USUAL:
        return tr(
            "Cox regression wins unless another model is better by more than a standard error. The values at "
            "neighboring sizes are considered, too."
        )
    if winner.estimate is not None:
        said = _by_estimate(len(found), winner, by_margins=by_margins), _level(spec, race, criterion)
        return " ".join(filter(None, said))
    if winner.model and by_margins:
        return tr(
            "The lowest of {count} errors is partly due to chance, so the choice also considers prediction margins, "
            "neighboring sizes, and the same strategies and models in other combinations.", count=number(len(found)),
        )  # fmt: skip
    if winner.model:
        return tr(
            "The best of {count} values is partly due to chance, so the choice also considers neighboring sizes, and "
            "the same strategies and models in other combinations.", count=number(len(found)),
        )  # fmt: skip
    if by_margins:
        return tr("The choice also considers prediction margins and the errors at neighboring sizes.")
    return tr("The choice also considers the values at neighboring sizes.")


def _by_estimate(count: int, winner: Standing, *, by_margins: bool) -> str:
    if winner.model and by_margins:
        return tr(
            "The choice is based on the estimate, because the lowest of {count} errors is partly due to chance: the "
            "estimate combines the error with prediction margins, neighboring sizes, and the same strategy and kind "
            "of model elsewhere.",
            count=number(count),
        )
    if winner.model:
        return tr(
            "The choice is based on the estimate, because the best of {count} values is partly due to chance: the "
            "estimate combines the value with those at neighboring sizes and of the same strategy and kind of model "
            "elsewhere.",
            count=number(count),
        )
    if by_margins:
        return tr(
            "The choice is based on the estimate, because a single error is partly due to chance: the estimate "
            "combines the error with prediction margins and neighboring sizes."
        )
    return tr(
        "The choice is based on the estimate, because a single value is partly due to chance: the estimate combines "
        "the value with those at neighboring sizes."
    )


def _level(spec: RunSpec, race: Race, criterion: Criterion) -> str:
    """The two estimates that were compared, if the winner's is not the best one listed; "" otherwise."""
    decided = estimates_of(spec, race)
    assert race.winner is not None
    winner = decided[race.winner]
    if all(winner.drawn <= each.drawn for each in decided.values()):
        return ""
    is_whole = winner.candidate.strategy == ALL_FEATURES
    others = [each for each in decided.values() if (each.candidate.strategy == ALL_FEATURES) != is_whole]
    other = min(others, key=Estimated.order)
    whole, listed = (winner, other) if is_whole else (other, winner)
    values = {
        "everything": localised(criterion.text(whole.own)), "listed": localised(criterion.text(listed.own))
    }  # fmt: skip
    return tr(
        "All features and the best list are compared by estimates without the other combinations: {everything} and "
        "{listed}.", **values,
    )  # fmt: skip


def never_judged(spec: RunSpec, race: Race, features: int) -> list[str]:
    """Names of the strategies that were never evaluated before the winner was chosen."""
    method = spec.method_at_work()
    if race.winner is None or not isinstance(method, Raced):
        return []
    judged = {each.strategy for each in race.judged.values()}
    return [each.name for each in method.strategies(features) if each.name not in judged]
