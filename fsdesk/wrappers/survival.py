"""Survival models: each predicts the risk of a row relative to others.

They learn from outcomes as in :mod:`fsdesk.data.kaplan_meier`: times if the event was observed, minus the times if
censored and, with delayed entry, the entry times.
"""

from functools import partial
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.kaplan_meier import breslow, last_of, times_of
from fsdesk.kernels import _core
from fsdesk.settings import setting
from fsdesk.wrappers.fitting import SurvivalFoldModels
from fsdesk.wrappers.single import TrainedWhenAsked
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Task, Wrapper
from fsdesk.wrappers.written import Call, Equivalent

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


def later_events(y: Floats) -> Floats:
    """(n, 1) number of distinct event times that are no earlier than each row's own time."""
    known = last_of(y)
    moments = np.unique(known[known >= 0])
    return np.asarray(len(moments) - np.searchsorted(moments, np.abs(known)), dtype=np.float64)[:, None]


def up_to(y: Floats, times: Floats) -> Floats:
    """(n, g) 1 if a row's time is no later than each of (g,) times, otherwise 0."""
    return np.ascontiguousarray(times_of(y)[:, None] <= times[None, :], dtype=np.float64)


_MODELS = "fsdesk.wrappers.survival_models"
_OWN = "scikit-learn has no model of times to an event: this one is fsdesk's"


@WRAPPERS.register(
    "cox",
    title="Cox regression",
    summary="A weighted sum of the features multiplies the hazard, the rate at which events occur; weights are kept "
    "small. The weights are log hazard ratios.",
    reference="D. R. Cox, Regression Models and Life-Tables, J. R. Stat. Soc. B 34 (1972)",
)
class Cox(Wrapper):
    """Proportional hazards with a penalty on the squared weights; predicts the logarithm of a row's hazard.

    Maximizes the log partial likelihood minus alpha / 2 times the sum of squared weights.
    """

    tasks: ClassVar[frozenset[Task]] = frozenset({"survival"})
    fits_cheaply: ClassVar[bool] = True

    alpha: float = setting(
        1.0,
        title="Penalty alpha",
        help="How strongly the weights are shrunk.",
        source="P. J. M. Verweij and H. C. van Houwelingen, Stat. Med. 13 (1994); 1: slight shrinkage",
        gt=0,
        le=1e9,
    )
    ties: Literal["efron", "breslow"] = setting(
        "efron",
        title="Tied events",
        help="How events at the same time are handled.",
        source="B. Efron, J. Am. Stat. Assoc. 72 (1977), as in R; Breslow's is coarser",
        choices={"efron": "Efron", "breslow": "Breslow"},
        level="all",
    )

    def equivalent(self, classes: int) -> Equivalent:
        """See :meth:`Wrapper.equivalent`; scikit-learn has no such model, so it is fsdesk's own."""
        return Equivalent(Call(_MODELS, "CoxRegression", {"alpha": self.alpha, "ties": self.ties}), _OWN)

    def single_fits(
        self,
        train: Floats,
        y: Labels | Floats,
        test: Floats,
        features: NDArray[np.int32],
        offsets: Labels,
        classes: int,
        threads: int,
    ) -> Floats:
        """See :meth:`Wrapper.single_fits`."""
        known = np.ascontiguousarray(y, dtype=np.float64)
        alphas = np.array([self.alpha])
        efron = self.ties == "efron"
        found = _core.cox_fits(train, known, test, features, offsets, alphas=alphas, efron=efron, threads=threads)
        return np.asarray(found[0])

    def survival(self, train: Floats, y: Floats, test: Floats, times: Floats) -> Floats:
        """See :meth:`Wrapper.survival`; with Breslow's estimate of the hazard of a row whose weighted sum is 0."""
        every, ends = np.arange(len(train), dtype=np.int32), np.array([0, len(train)])
        both = np.concatenate([train, test], axis=1)
        risks = self.single_fits(train, y, both, every, ends, 1, 1)[0]
        moments, hazard = breslow(risks[: len(y)], y)
        own = np.concatenate([[-np.inf], hazard])[np.searchsorted(moments, times, side="right")]
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(-np.exp(risks[len(y) :, None] + own[None, :])))

    def bind(self, design: Design) -> Predictor:
        """Train again in every fold."""
        return SurvivalFoldModels(design, partial(TrainedWhenAsked, self))


@WRAPPERS.register(
    "nn-survival",
    title="Nearest-neighbor survival",
    short="Survival neighbors",
    summary="Predicts from the survival of the most similar rows, including censored ones. Simple, and easily misled "
    "by irrelevant features; captures interactions.",
    reference="R. Beran, Nonparametric Regression with Randomly Censored Survival Data, Univ. of California (1981)",
)
class SurvivalNeighbours(Wrapper):
    """The cumulative hazard among the k nearest training rows (Nelson-Aalen), summed over all event times.

    H. Ishwaran et al. call this sum mortality (Annals of Applied Statistics 2, 2008).
    """

    tasks: ClassVar[frozenset[Task]] = frozenset({"survival"})
    fits_cheaply: ClassVar[bool] = True

    k: int = setting(
        20,
        title="Neighbors k",
        help="Number of similar rows used to estimate the risk; they should include several events.",
        source="enough to include several events",
        ge=1,
        le=1000,
    )

    def equivalent(self, classes: int) -> Equivalent:
        """See :meth:`Wrapper.equivalent`; scikit-learn has no such model, so it is fsdesk's own."""
        return Equivalent(Call(_MODELS, "SurvivalNeighboursRegression", {"k": self.k}), _OWN)

    def single_fits(
        self,
        train: Floats,
        y: Labels | Floats,
        test: Floats,
        features: NDArray[np.int32],
        offsets: Labels,
        classes: int,
        threads: int,
    ) -> Floats:
        """See :meth:`Wrapper.single_fits`."""
        known = np.ascontiguousarray(y, dtype=np.float64)
        weights = later_events(known)
        return _core.survival_neighbours(
            train, known, test, features, offsets, weights=weights, k=self.k, threads=threads
        )[:, :, 0]

    def survival(self, train: Floats, y: Floats, test: Floats, times: Floats) -> Floats:
        """See :meth:`Wrapper.survival`; from the cumulative hazard among the neighbors."""
        every, ends = np.arange(len(train), dtype=np.int32), np.array([0, len(train)])
        known = np.ascontiguousarray(y)
        hazards = _core.survival_neighbours(train, known, test, every, ends, weights=up_to(known, times), k=self.k)
        return np.asarray(np.exp(-hazards[0]))

    def bind(self, design: Design) -> Predictor:
        """Train again in every fold."""
        return SurvivalFoldModels(design, partial(TrainedWhenAsked, self))


@WRAPPERS.register(
    "survival-forest",
    title="Forest of survival trees",
    short="Survival forest",
    summary="Grows hundreds of trees that split rows by the log-rank test, and averages their predictions. Captures "
    "interactions and nonlinear effects; needs no scaling.",
    reference="H. Ishwaran et al., Random Survival Forests, Annals of Applied Statistics 2 (2008)",
)
class SurvivalForest(Wrapper):
    """Extremely randomized trees with log-rank splits on all training rows; the mean of the risks of their leaves.

    The risk of a leaf is its cumulative hazard (Nelson-Aalen), summed over the times of all training events.
    """

    tasks: ClassVar[frozenset[Task]] = frozenset({"survival"})

    trees: int = setting(
        200,
        title="Trees",
        help="Number of trees averaged; more are more stable but slower.",
        source="stable on small tables, as for other forests",
        ge=1,
        le=10_000,
    )
    min_leaf: int = setting(
        5,
        title="Min. rows per leaf",
        help="A split is made only if each side has this many rows, and an event.",
        source="between the 3 of scikit-survival and the 15 of randomForestSRC",
        ge=1,
        le=100_000,
    )
    seed: int = setting(
        0,
        title="Seed for the trees",
        help="The same number grows the same trees.",
        source="any number",
        ge=0,
        le=2**31 - 1,
        level="all",
    )

    def fits_slowly(self) -> bool:
        """Yes, as for all forests."""
        return True

    def equivalent(self, classes: int) -> Equivalent:
        """See :meth:`Wrapper.equivalent`; scikit-learn has no such model, so it is fsdesk's own."""
        arguments = {"trees": self.trees, "min_leaf": self.min_leaf, "seed": self.seed}
        return Equivalent(Call(_MODELS, "SurvivalForestRegression", arguments), _OWN)

    def single_fits(
        self,
        train: Floats,
        y: Labels | Floats,
        test: Floats,
        features: NDArray[np.int32],
        offsets: Labels,
        classes: int,
        threads: int,
    ) -> Floats:
        """See :meth:`Wrapper.single_fits`; a node considers the square root of its number of columns."""
        known = np.ascontiguousarray(y, dtype=np.float64)
        return self._hazards(train, known, test, features, offsets, later_events(known), threads)[:, :, 0]

    def survival(self, train: Floats, y: Floats, test: Floats, times: Floats) -> Floats:
        """See :meth:`Wrapper.survival`; from the cumulative hazard, averaged over the trees."""
        every, ends = np.arange(len(train), dtype=np.int32), np.array([0, len(train)])
        known = np.ascontiguousarray(y)
        return np.asarray(np.exp(-self._hazards(train, known, test, every, ends, up_to(known, times), 1)[0]))

    def _hazards(
        self,
        train: Floats,
        y: Floats,
        test: Floats,
        features: NDArray[np.int32],
        offsets: Labels,
        weights: Floats,
        threads: int,
    ) -> Floats:
        """(m, t, g) sums of the hazards, weighted by (n, g) weights."""
        return _core.survival_forest(
            train,
            y,
            test,
            features,
            offsets,
            weights=weights,
            states=np.asarray(np.random.SeedSequence(self.seed).generate_state(self.trees, np.uint64), dtype=np.uint64),
            most=np.maximum(1, np.sqrt(np.diff(offsets)).astype(np.int64)),
            leaf=self.min_leaf,
            threads=threads,
        )

    def bind(self, design: Design) -> Predictor:
        """Grow a forest in every fold."""
        return SurvivalFoldModels(design, partial(TrainedWhenAsked, self))
