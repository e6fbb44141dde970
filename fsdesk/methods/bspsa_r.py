"""BSPSA-R: BSPSA weights as selection probabilities of small subsets, learned on rows resampled at every step.

BSPSA perturbs all weights at once and rounds them, so that every subset contains half of all features, and measures
each subset on all rows: in a wide table no single feature stands out, and the search overfits its rows. Here

- w in [0, 1]^p are inclusion probabilities; a subset m contains feature j with probability w_j, and initially s
  features on average;
- each step k splits the search rows at random, trains on two thirds and scores on one third, and draws M subsets m_1,
  ..., m_M from w. With L_i the loss of m_i on the scoring rows, their mean and standard deviation,
      A_i = (mean L - L_i) / (sd L + b),
      g   = (1 / M) sum_i A_i (m_i - w),
      w  <- w + a g sqrt(w (1 - w)), clipped to [low, high];
  if sum w exceeds 2 s, all weights are scaled back to it;
- the result is the mean of w over the last quarter of the steps.

g is the score-function estimate of the gradient of the expected loss (R. J. Williams, Simple statistical
gradient-following algorithms for connectionist reinforcement learning, Machine Learning 8, 1992), a simultaneous
perturbation whose directions follow the weights' own distribution. A_i (m_i - w) is its natural form; the factor sqrt(w
(1 - w)), the standard deviation of m_j, prevents weights near 0 and 1 from jumping because of a single subset.

Independent inclusion is drawn without visiting all features: in a Poisson process with rates -log(1 - w_j), feature j
is hit at least once with probability w_j.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fsdesk.methods.problem import METHODS, Problem, Proposal, Rows, Subsets
from fsdesk.methods.race import PRESETS, Orders, Raced, Strategy
from fsdesk.settings import setting

_SUBSETS = 8  # M, drawn for each search at every step
_LOWEST, _HIGHEST = 0.002, 0.98  # weights: excluded features can return, selected ones can be dropped
_SHARE_AVERAGED = 0.25  # fraction of the steps, at the end
_SHOWN = 240  # columns of the heatmap
_LARGEST_SUM = 2.0  # times s
_STEPS_A_FEATURE = 100  # with few features there are few subsets to distinguish
_OFTEN = 8  # steps between two checks of the sum of the weights
_TESTED = "held-out error on synthetic and real tables (see the table of methods in tests/bench)"

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sampled:
    """The strategy BSPSA-R: the searches of all resamples advance together, so that one call measures them all.

    Attributes
    ----------
    steps, size, a
        Steps of each search, s, and the step size.
    """

    name: str
    steps: int
    size: float
    a: float

    def measurements(self, searches: int) -> int:
        """All steps of this many searches."""
        return searches * self.steps * _SUBSETS

    def scores(self, problem: Problem, resamples: Sequence[int], folds: int, rng: np.random.Generator) -> Orders:
        """See :meth:`fsdesk.methods.race.Strategy.scores`."""
        p, searches = problem.features, len(resamples)
        s = min(self.size, p / 2)
        state = _Weights(np.full((searches, p), s / p), s, rng)
        places = np.repeat(np.array(resamples, dtype=np.int64), _SUBSETS)
        total, averaged, base = np.zeros((searches, p)), 0, 0.0
        every = max(1, self.steps // _SHOWN)
        for k in range(self.steps):
            subsets = state.drawn()
            shown = state.w.mean(axis=0) if k % every == 0 else None
            trace = {"a_k": self.a, "features_expected": float(state.w[0].sum()) if shown is not None else 0.0}
            losses = yield Proposal(
                subsets,
                (False,) * len(subsets),
                k,
                shown,
                trace if shown is not None else {},
                rows=Rows(places, folds, "split"),
            )
            if len(losses) < len(subsets) or problem.is_late:
                break
            loss = np.array([each.mean for each in losses]).reshape(searches, _SUBSETS)
            loss = np.where(np.isfinite(loss), loss, np.nanmax(np.where(np.isfinite(loss), loss, -np.inf), initial=0.0))
            base = base or 0.04 * max(float(loss.mean()), 1e-9)
            state.move(loss, self.a, base)
            if k >= self.steps * (1 - _SHARE_AVERAGED) and k % _OFTEN == 0:
                total += state.w
                averaged += 1
        return list(total / max(1, averaged) if averaged else state.w)

    def joined(self, scores: Mapping[int, Floats], problem: Problem, folds: int) -> Floats:
        """The mean over all searches: less noisy than any one of them."""
        return np.asarray(np.mean([scores[each] for each in sorted(scores, key=lambda each: (each < 0, each))], axis=0))


class _Weights:
    """w of several searches, and subsets drawn from it.

    Attributes
    ----------
    w
        (searches, p) inclusion probabilities.
    """

    def __init__(self, w: Floats, s: float, rng: np.random.Generator) -> None:
        self.lowest = min(_LOWEST, 0.5 * s / w.shape[1])
        self.w = np.clip(w, self.lowest, _HIGHEST)
        self._rates = -np.log1p(-self.w)
        self._most, self._rng = _LARGEST_SUM * s, rng
        self._steps = 0

    def drawn(self) -> Subsets:
        """M independent subsets for each search, none empty."""
        searches, p = self.w.shape
        ends = np.cumsum(self._rates.ravel())  # of all searches in one array; hits are found by bisection
        last = ends[p - 1 :: p]
        first = np.concatenate([[0.0], last[:-1]])
        owner = np.repeat(np.arange(searches), _SUBSETS)
        hits = self._rng.poisson((last - first)[owner])
        subset = np.repeat(np.arange(len(owner)), hits)
        places = first[owner][subset] + self._rng.random(len(subset)) * (last - first)[owner][subset]
        feature = np.minimum(np.searchsorted(ends, places, side="right"), searches * p - 1) - owner[subset] * p
        key = np.sort(subset * p + np.clip(feature, 0, p - 1))
        key = key[np.diff(key, prepend=-1) > 0]  # each feature once
        filled = np.zeros(len(owner), dtype=np.bool_)
        filled[key // p] = True
        if not filled.all():  # an empty subset becomes the feature with the largest weight
            empty = np.flatnonzero(~filled)
            key = np.sort(np.concatenate([key, empty * p + self.w[owner[empty]].argmax(axis=1)]))
        self._subset, self._feature = key // p, key % p
        offsets = np.searchsorted(self._subset, np.arange(len(owner) + 1))
        return Subsets(self._feature.astype(np.int32), offsets.astype(np.int64), p)

    def move(self, loss: Floats, a: float, base: float) -> None:
        """One step of all searches, from (searches, M) losses of the last subsets.

        The sum of A is 0, so that only weights of features in some subset change.
        """
        p = self.w.shape[1]
        advantage = (loss.mean(axis=1, keepdims=True) - loss) / (loss.std(axis=1, keepdims=True) + base)
        places = (self._subset // _SUBSETS) * p + self._feature
        moved, inverse = np.unique(places, return_inverse=True)
        g = np.bincount(inverse, weights=advantage.ravel()[self._subset]) / _SUBSETS
        flat, rates = self.w.reshape(-1), self._rates.reshape(-1)
        old = flat[moved]
        new = np.clip(old + a * g * np.sqrt(old * (1.0 - old)), self.lowest, _HIGHEST)
        flat[moved], rates[moved] = new, -np.log1p(-new)
        self._steps += 1
        if self._steps % _OFTEN == 0:
            sums = self.w.sum(axis=1)
            for search in np.flatnonzero(sums > self._most):
                self.w[search] = np.maximum(self.w[search] * (self._most / sums[search]), self.lowest)
                self._rates[search] = -np.log1p(-self.w[search])


def sampled_strategy(
    features: int, fits: int, folds: int, *, steps: int = 8000, size: float = 20.0, a: float = 0.0
) -> Sampled:
    """BSPSA-R as a strategy, with as many steps as the fits allow for all resamples and one search on all rows."""
    own = int(np.clip(fits // ((folds + 1) * _SUBSETS), 50, min(steps, max(50, _STEPS_A_FEATURE * features))))
    return Sampled("BSPSA-R", own, size, a or 0.03 * float(np.sqrt(8000 / own)))


@METHODS.register(
    "bspsa-r",
    title="BSPSA-R",
    summary="BSPSA whose weights are the selection probabilities of small subsets, evaluated at every step on rows "
    "they were not trained on. The number of features is chosen on rows held out from the search.",
    reference="V. Aksakalli and M. Malekipirbazari, Feature Selection via Binary Simultaneous Perturbation Stochastic "
    "Approximation, Pattern Recognition Letters 75 (2016), carried on: fresh rows at every step, and weights "
    "as inclusion probabilities: R. J. Williams, Simple Statistical Gradient-Following Algorithms for Connectionist "
    "Reinforcement Learning, Machine Learning 8 (1992)",
    presets=PRESETS,
)
class BSPSAR(Raced):
    """One strategy with many sizes: the search in every resample, and a final one on all rows."""

    steps: int = setting(
        8000,
        title="Steps",
        help="Steps per search, each with eight small subsets; fewer if the model is slow to fit.",
        source=_TESTED,
        ge=50,
        le=1_000_000,
    )
    size: float = setting(
        20.0,
        title="Initial subset size",
        help="Average number of features per subset when the search begins; larger subsets find features that "
        "help only in combination, smaller ones find single features.",
        unit="features",
        source=_TESTED,
        ge=1,
        le=10_000,
    )
    a: float = setting(
        0.0,
        title="Step size a",
        zero="auto",
        help="How far the weights move per step; 0 derives it from the number of steps.",
        source=_TESTED,
        ge=0,
        le=1,
        level="all",
    )

    def strategies(self, features: int) -> Sequence[Strategy]:
        """BSPSA-R, and no other strategy."""
        return [sampled_strategy(features, self.pace, self.folds, steps=self.steps, size=self.size, a=self.a)]
