"""Problems whose answer is known: losses of masks, with features planted among noise.

A loss is the error that a model would have, made up so that the best subset is known; each measurement adds noise, a
part of which is that of its folds, the same for all masks measured on them.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from zlib import crc32

import numpy as np

from fsdesk.measure import Measurement
from fsdesk.methods import End, Mask, Method, Problem, Proposal

__all__ = ["Outcome", "Planted", "additive", "needles", "redundant", "searched", "xor"]


@dataclass(frozen=True)
class Planted:
    """A problem and its answer.

    Attributes
    ----------
    groups
        Features of which one of each group is needed, and the others of the group are then of no use.
    loss
        Error of a mask without noise.
    noise
        Standard deviation of a measurement.
    """

    features: int
    groups: tuple[tuple[int, ...], ...]
    loss: Callable[[Mask], float]
    noise: float = 0.01

    def measured(self, mask: Mask, folds: int) -> Measurement:
        """The loss with noise: half of its variance is of the folds, half of the mask on these folds."""
        size = self.noise / math.sqrt(2)
        of_folds = Random(folds).gauss(0.0, size)
        of_mask = Random(folds << 32 | crc32(np.packbits(mask).tobytes())).gauss(0.0, size)
        return Measurement(np.array([self.loss(mask) + of_folds + of_mask]))

    def missed(self, mask: Mask) -> int:
        """How many groups have no feature in the mask."""
        return sum(not mask[list(group)].any() for group in self.groups)

    def idle(self, mask: Mask) -> int:
        """How many features of the mask are of no use."""
        return int(mask.sum()) - (len(self.groups) - self.missed(mask))


def additive(features: int = 40, relevant: int = 8, noise: float = 0.01, scale: float = 1.0) -> Planted:
    """Every relevant feature, evenly spread, takes off its share of the error; every other one adds a little.

    ``scale`` is how much features matter, 1 being an error from .1 to .7.
    """
    places = tuple(range(0, features, features // relevant))[:relevant]

    def loss(mask: Mask) -> float:
        found = mask[list(places)].sum()
        return float(0.5 - scale * (0.4 * found / relevant - 0.2 * (mask.sum() - found) / features))

    return Planted(features, tuple((place,) for place in places), loss, noise)


def redundant(features: int = 30, pairs: int = 5, noise: float = 0.01) -> Planted:
    """Twins, 0 and 1, 2 and 3, ...: one of each pair is enough, the other one adds a little error as noise does."""
    groups = tuple((2 * pair, 2 * pair + 1) for pair in range(pairs))

    def loss(mask: Mask) -> float:
        found = sum(bool(mask[list(group)].any()) for group in groups)
        return float(0.5 - 0.4 * found / pairs + 0.2 * (mask.sum() - found) / features)

    return Planted(features, groups, loss, noise)


def xor(features: int = 20, pairs: int = 3, noise: float = 0.01) -> Planted:
    """Features 0 and 1, 2 and 3, ... help together only: alone, either is noise."""
    places = range(2 * pairs)

    def loss(mask: Mask) -> float:
        whole = sum(bool(mask[2 * pair] and mask[2 * pair + 1]) for pair in range(pairs))
        return float(0.5 - 0.4 * whole / pairs + 0.2 * (mask.sum() - 2 * whole) / features)

    return Planted(features, tuple((place,) for place in places), loss, noise)


def needles(features: int = 5000, relevant: int = 10, noise: float = 0.01) -> Planted:
    """10 of 5,000, as neighbours see it: the error grows with the share of the distance that is noise."""
    places = tuple(range(7, features, features // relevant))[:relevant]

    def loss(mask: Mask) -> float:
        found = int(mask[list(places)].sum())
        idle = int(mask.sum()) - found
        return 0.5 * (1 - found / relevant * 100 / (100 + idle)) + 0.0001 * idle / features

    return Planted(features, tuple((place,) for place in places), loss, noise)


@dataclass
class Outcome:
    """What a search did: its end, every mask with its candidate flag and loss, and its finalists' measurements."""

    end: End = field(default_factory=lambda: End(""))
    masks: list[Mask] = field(default_factory=list)
    candidates: list[bool] = field(default_factory=list)
    means: list[float] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)

    @property
    def measured(self) -> int:
        """How many measurements the search took."""
        return len(self.masks)

    @property
    def answer(self) -> Mask:
        """The mask that the search chose, or the candidate of the smallest measurement."""
        if self.end.mask is not None:
            return self.end.mask
        return self.masks[
            min((place for place, flag in enumerate(self.candidates) if flag), key=self.means.__getitem__)
        ]


def searched(
    method: Method,
    planted: Planted,
    seed: int = 0,
    budget: int = 10**9,
    *,
    told: int | None = None,
    start: Mask | None = None,
    cut: bool = False,
) -> Outcome:
    """Let a method search a planted problem to its end, counting as the run loop does.

    More measurements than ``budget`` fail, whatever budget the method was ``told``; with ``cut`` the search is ended
    before the proposal that would exceed it, as the run loop does. A filter scores each feature by its loss alone.
    """
    alone = [-planted.loss(mask) for mask in np.eye(planted.features, dtype=np.bool_)] if planted.features < 100 else []
    problem = Problem(
        planted.features, told or budget, start, scores=lambda name, resample=-1, folds=0: np.array(alone)
    )
    search = method.search(problem, np.random.default_rng(seed))
    outcome = Outcome()
    losses: Sequence[Measurement] | None = None
    while True:
        try:
            proposal = next(search) if losses is None else search.send(losses)
        except StopIteration as stop:
            outcome.end = stop.value
            return outcome
        if cut and outcome.measured + len(proposal.masks) > budget:
            search.close()
            return outcome
        first = 1 + outcome.measured
        losses = []
        for place, mask in enumerate(proposal.masks):
            number = first + place
            folds = {"fresh": number, "shared": first}.get(str(proposal.folds), proposal.folds)
            losses.append(planted.measured(mask, int(folds)))
        outcome.proposals.append(proposal)
        outcome.masks += list(proposal.masks)
        outcome.candidates += list(proposal.candidates)
        outcome.means += [loss.mean for loss in losses]
        assert outcome.measured <= budget, f"{outcome.measured} measurements, {budget} allowed"
