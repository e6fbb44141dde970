"""Agreement of selections: index and selection frequency over searches on other rows, or with other seeds.

The index with its confidence interval is that of Nogueira, Sechidis and Brown, "On the Stability of Feature Selection
Algorithms", JMLR 18 (2018): definition 4 for the index, theorems 6 and 7 for its variance. Outer folds and resamples
share most of their rows, so that even noise agrees; expected agreement on new samples is estimated by
:mod:`fsdesk.results.half_samples`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.engine import unpack_masks
from fsdesk.engine.state import Race
from fsdesk.results.evidence import Honesty
from fsdesk.results.record import RunRecord

Masks = NDArray[np.bool_]


@dataclass(frozen=True)
class Stability:
    """The stability index of a set of masks.

    Attributes
    ----------
    index
        1: all masks are identical; about 0: agreement at chance level; at least -1 / (M - 1).
    low, high
        Ends of its confidence interval, within the range of the index.
    masks
        Number of masks compared, M.
    """

    index: float
    low: float
    high: float
    masks: int


def stability(masks: NDArray[np.bool_]) -> Stability | None:
    """Measure the stability of a selection over repeats, such as runs with other seeds.

    Parameters
    ----------
    masks
        (M, d) bool, one row for each run.

    Returns
    -------
    Stability or None
        The 95 % interval is based on the normal distribution and therefore rough for small M. None if the index is not
        defined: fewer than two masks, or every mask is empty, or every mask is full.
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
    """Subsets selected by searches on other rows.

    Attributes
    ----------
    source
        "outer folds": the result of each; "resamples": the selection of the winning strategy in each; "runs": the
        result of each, such as those of several seeds.
    masks
        (M, p) bool one row per subset.
    """

    source: Literal["outer folds", "resamples", "runs"]
    masks: Masks

    @property
    def agreement(self) -> float | None:
        """Agreement of these subsets: Nogueira's index; None if not defined.

        It says nothing about new samples: noise reaches .58 over resamples of nine tenths of the rows.
        """
        found = stability(self.masks)
        return None if found is None else found.index

    @property
    def frequency(self) -> NDArray[np.float64]:
        """(p,) share of the subsets that contain each feature."""
        return np.asarray(np.mean(self.masks, axis=0, dtype=np.float64))


@dataclass(frozen=True, eq=False)
class Consensus:
    """The features contained in at least a given share of the subsets.

    Attributes
    ----------
    threshold
        The share.
    mask
        (p,) bool.
    features
        Their names, in table order.
    """

    threshold: float
    mask: NDArray[np.bool_]
    features: tuple[str, ...]


def selections_of(result: RunRecord) -> Selections | None:
    """The subsets selected by searches on other rows, as far as known; None for fewer than two.

    They are those of the outer folds if all are done, otherwise those of the resamples in which strategies competed.
    """
    return known_selections(result.honesty, result.race, len(result.mask))


def known_selections(honesty: Honesty, race: Race, features: int, *, partial: bool = False) -> Selections | None:
    """The same as :func:`selections_of`, from a run's record; ``partial`` uses outer folds before all are done."""
    if len(honesty.outer) > 1 and (partial or honesty.complete):
        masks = unpack_masks(np.array([fold.mask for fold in honesty.outer]), features).astype(np.bool_)
        return Selections("outer folds", masks)
    if race.winner is None or len(race.judged[race.winner].subsets) < 2:
        return None
    subsets = list(race.judged[race.winner].subsets.values())
    return Selections("resamples", _masks(subsets, features))


def _masks(subsets: Sequence[NDArray[np.integer]], features: int) -> Masks:
    masks = np.zeros((len(subsets), features), dtype=np.bool_)
    for mask, subset in zip(masks, subsets, strict=True):
        mask[subset] = True
    return masks


def consensus_of(selections: Selections, names: Sequence[str], threshold: float = 0.5) -> Consensus:
    """The features contained in at least the share ``threshold``, above 0 and up to 1, of the subsets."""
    if not 0.0 < threshold <= 1.0:
        raise ValueError(f"a threshold is a share above 0 and up to 1 (got {threshold})")
    mask = selections.frequency >= threshold - 1e-12
    return Consensus(threshold, mask, tuple(name for name, chosen in zip(names, mask, strict=True) if chosen))
