"""Stability of a selection over searches on other rows: index, selection frequency, and role of each feature.

The index with its confidence interval is that of Nogueira, Sechidis and Brown, "On the Stability of Feature Selection
Algorithms", JMLR 18 (2018): definition 4 for the index, theorems 6 and 7 for its variance.

A list of features is one of many that predict equally well. Held-out rows say which do: the subsets of the strategies
within one standard error of the winner, or the answers of the outer folds. A feature that nearly all of them hold is
core; one that some hold is optional; optional features of which most subsets hold just one are interchangeable.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.engine import unpack_masks
from fsdesk.engine.state import Race
from fsdesk.results.honest import Honesty
from fsdesk.results.result import Result

Role = Literal["core", "interchangeable", "optional", "rare"]

_CORE, _RARE = 0.9, 0.1
_EITHER = 0.8  # share of the subsets that hold exactly one of two interchangeable features
_MOST_PAIRED = 200

Masks = NDArray[np.bool_]


@dataclass(frozen=True)
class Stability:
    """The stability index of a set of masks.

    Attributes
    ----------
    index
        1: all masks are the same; about 0: no more alike than chance; at least -1 / (M - 1).
    low, high
        Ends of its confidence interval, within what the index can be.
    masks
        How many masks were compared, M.
    """

    index: float
    low: float
    high: float
    masks: int


def stability(masks: NDArray[np.bool_]) -> Stability | None:
    """Measure how stable a selection is over repeats, such as runs with other seeds.

    Parameters
    ----------
    masks
        (M, d) bool, one row for each run.

    Returns
    -------
    Stability or None
        The interval is of 95 % and rests on the normal distribution, so it is rough where M is small. None where the
        index is not defined: fewer than two masks, or every mask is empty, or every mask is full.
    """
    z = np.asarray(masks, dtype=np.float64)
    count, features = z.shape
    size = float(z.sum(axis=1).mean()) if count else 0.0
    spread = size / features * (1.0 - size / features) if features else 0.0
    if count < 2 or spread <= 0.0:
        return None
    frequency = z.mean(axis=0)
    index = 1.0 - count / (count - 1) * float((frequency * (1.0 - frequency)).mean()) / spread
    sizes = z.sum(axis=1)
    own = sizes * size / features**2
    parts = ((z @ frequency) / features - own + index / 2 * (2 * own - sizes / features - size / features + 1)) / spread
    variance = 4.0 / count**2 * float(((parts - parts.mean()) ** 2).sum())
    reach = NormalDist().inv_cdf(0.975) * float(np.sqrt(variance))
    lowest = -1.0 / (count - 1)
    return Stability(index, max(lowest, index - reach), min(1.0, index + reach), count)


@dataclass(frozen=True, eq=False)
class Selections:
    """Subsets that searches on other rows selected.

    Attributes
    ----------
    source
        "outer folds": the answer of each; "resamples": what the winning strategy took in each; "runs": the answer of
        each, such as those of several seeds.
    masks
        (M, p) bool one subset for each.
    good
        (g, p) bool all subsets that held-out rows call equally good: with "resamples" of all strategies and sizes
        within one standard error of the winner, else the same as ``masks``.
    """

    source: Literal["outer folds", "resamples", "runs"]
    masks: Masks
    good: Masks

    @property
    def stability(self) -> Stability | None:
        """How alike the subsets are: Nogueira's index with its 95 % interval; None where it is not defined."""
        return stability(self.masks)

    @property
    def frequency(self) -> NDArray[np.float64]:
        """(p,) share of the subsets that hold each feature."""
        return np.asarray(np.mean(self.masks, axis=0, dtype=np.float64))


@dataclass(frozen=True, eq=False)
class Consensus:
    """The features that at least a share of the subsets hold.

    Attributes
    ----------
    threshold
        The share.
    mask
        (p,) bool.
    features
        Their names, in the order of the table.
    """

    threshold: float
    mask: NDArray[np.bool_]
    features: tuple[str, ...]


def selections_of(result: Result) -> Selections | None:
    """The subsets that searches on other rows selected, as far as the run knows them; None for fewer than two.

    Those of the outer folds where all are done, else those of the resamples in which strategies competed.
    """
    return known_selections(result.honesty, result.race, len(result.mask))


def known_selections(honesty: Honesty, race: Race, features: int, *, partial: bool = False) -> Selections | None:
    """As :func:`selections_of`, from what is known of a run; ``partial`` takes outer folds before all are done."""
    if len(honesty.outer) > 1 and (partial or honesty.complete):
        masks = unpack_masks(np.array([fold.mask for fold in honesty.outer]), features).astype(np.bool_)
        return Selections("outer folds", masks, masks)
    if race.winner is None or len(race.judged[race.winner].subsets) < 2:
        return None
    winner = race.judged[race.winner]
    good = list[NDArray[np.int64]]()
    for each in race.judged.values():
        behind, error = each.behind(winner)
        if len(each.losses) == len(winner.losses) and behind <= error:
            good += each.subsets.values()
    return Selections("resamples", _masks(list(winner.subsets.values()), features), _masks(good, features))


def _masks(subsets: Sequence[NDArray[np.integer]], features: int) -> Masks:
    masks = np.zeros((len(subsets), features), dtype=np.bool_)
    for mask, subset in zip(masks, subsets, strict=True):
        mask[subset] = True
    return masks


def consensus_of(selections: Selections, names: Sequence[str], threshold: float = 0.5) -> Consensus:
    """The features that at least a share ``threshold``, above 0 and up to 1, of the subsets hold."""
    if not 0.0 < threshold <= 1.0:
        raise ValueError(f"a threshold is a share above 0 and up to 1 (got {threshold})")
    mask = selections.frequency >= threshold - 1e-12
    return Consensus(threshold, mask, tuple(name for name, chosen in zip(names, mask, strict=True) if chosen))


def roles_of(selections: Selections) -> tuple[list[Role], list[tuple[int, ...]]]:
    """(p,) the role of each feature among equally good subsets, and (p,) those that it can be exchanged with."""
    good = selections.good
    frequency = good.mean(axis=0)
    roles: list[Role] = ["core" if share >= _CORE else "rare" if share < _RARE else "optional" for share in frequency]
    partners: list[list[int]] = [[] for _ in roles]
    some = [place for place, role in enumerate(roles) if role == "optional"]
    some = sorted(sorted(some, key=lambda place: -frequency[place])[:_MOST_PAIRED])
    held = good[:, some].astype(np.float64)
    sizes, both = held.sum(axis=0), held.T @ held  # whole numbers, exact
    either = (sizes[:, None] + sizes - 2 * both) / len(good)
    for first, second in zip(*np.nonzero(either >= _EITHER), strict=True):
        partners[some[first]].append(some[second])
    for place, found in enumerate(partners):
        if found:
            roles[place] = "interchangeable"
    return roles, [tuple(found) for found in partners]
