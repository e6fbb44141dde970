"""Strategies that were judged on held-out rows: how each did at its best size, which dropped out, which won."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from fsdesk.engine import RunSpec
from fsdesk.engine.state import Judged, Race
from fsdesk.messages import mark
from fsdesk.methods.race import Raced

__all__ = ["STATES", "Standing", "never_judged", "standings"]

State = Literal["", "won", "out"]
STATES = {"won": mark("won"), "out": mark("dropped out")}
NAMES = (mark("F statistic"), mark("L1 path"), mark("forest importance"), mark("all features"))
"""What strategies are called in the log, where it is no name in itself."""


@dataclass(frozen=True)
class Standing:
    """One strategy at its best size: mean held-out loss over the resamples, and its standard error."""

    strategy: str
    size: int
    mean: float
    std_error: float
    resamples: int
    state: State


def standings(race: Race) -> list[Standing]:
    """What is known of every strategy that was judged, in the order in which they began."""
    return [_standing(race, each) for each in race.best_sizes() if np.isfinite(each.mean)]


def _standing(race: Race, judged: Judged) -> Standing:
    won = race.winner is not None and race.winner[0] == judged.strategy
    if won and race.winner is not None:  # at the size that was taken, which may not be that of the smallest mean
        judged = race.judged[race.winner]
    mean, std_error = judged.mean_loss
    taken = int(np.median([len(subset) for subset in judged.subsets.values()] or [judged.size]))
    state: State = "won" if won else "out" if race.dropped(judged.strategy) else ""
    return Standing(judged.strategy, taken, mean, std_error, len(judged.losses), state)


def never_judged(spec: RunSpec, race: Race, features: int) -> list[str]:
    """Names of the strategies that the winner was chosen without, because they were never judged."""
    method = spec.method_at_work()
    if race.winner is None or not isinstance(method, Raced):
        return []
    judged = {strategy for strategy, _ in race.judged}
    return [each.name for each in method.strategies(features) if each.name not in judged]
