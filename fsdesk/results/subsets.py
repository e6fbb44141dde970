"""Subsets measured by a run: those equivalent to the result, the best of each size, and those of each strategy."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.engine import BaselineMeasured, BatchMeasured, Best, Event, RunSpec
from fsdesk.engine.events import pack_masks, unpack_masks
from fsdesk.engine.state import Judged, Race
from fsdesk.measure import CRITERIA, Criterion, Measurement
from fsdesk.messages import mark, tr, translated
from fsdesk.methods import Mask
from fsdesk.methods.race import Raced
from fsdesk.results.curves import drawn, drawn_error
from fsdesk.results.sheets import csv_text
from fsdesk.wrappers import model_title

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

    ``model`` is its name; "" if models do not compete.
    """

    strategy: str
    model: str
    size: int
    mean: float
    std_error: float
    resamples: int
    state: State

    @property
    def name(self) -> str:
        """The name of the candidate in the language of the user, such as "RBF SVM, cost 1 · mRMR"."""
        strategy = tr(self.strategy)
        return f"{translated(model_title(self.model))} · {strategy}" if self.model else strategy

    @property
    def pair(self) -> tuple[str, str]:
        """Strategy and model."""
        return self.strategy, self.model


def standings(race: Race) -> list[Standing]:
    """The standing of each evaluated strategy, in the order in which they began.

    If models compete, there is one for each strategy with each model: the winner first, then by performance, and those
    that dropped out last.
    """
    out = race.dropped
    found = [_standing(race, each, out) for each in race.best_sizes() if np.isfinite(each.mean)]
    if not race.models_compete:
        return found
    places = {"won": 0, "": 1, "out": 2}
    return sorted(found, key=lambda each: (places[each.state], each.mean, each.size))


def _standing(race: Race, judged: Judged, out: set[tuple[str, str]]) -> Standing:
    won = race.winner is not None and race.judged[race.winner].pair == judged.pair
    if won and race.winner is not None:  # at the chosen size, which may not be that of the smallest mean
        judged = race.judged[race.winner]
    mean, std_error = judged.mean_loss
    taken = int(np.median([len(subset) for subset in judged.subsets.values()] or [judged.size]))
    state: State = "won" if won else "out" if judged.pair in out else ""
    return Standing(judged.strategy, judged.model, taken, mean, std_error, len(judged.losses), state)


def never_judged(spec: RunSpec, race: Race, features: int) -> list[str]:
    """Names of the strategies that were never evaluated before the winner was chosen."""
    method = spec.method_at_work()
    if race.winner is None or not isinstance(method, Raced):
        return []
    judged = {each.strategy for each in race.judged.values()}
    return [each.name for each in method.strategies(features) if each.name not in judged]
