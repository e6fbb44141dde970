"""Models of the time to an event: each says how soon a row may have it beside others, as a risk.

They learn from what happened to rows, as :mod:`fsdesk.data.kaplan_meier` has it: times where the event was observed,
minus the times where it is censored, and where rows came under observation late the times after which they were.
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
    """(n, 1) how many of the times of events among outcomes are no earlier than each row's own."""
    known = last_of(y)
    moments = np.unique(known[known >= 0])
    return np.asarray(len(moments) - np.searchsorted(moments, np.abs(known)), dtype=np.float64)[:, None]


def up_to(y: Floats, times: Floats) -> Floats:
    """(n, g) 1 where a row's time is no later than each of (g,) times, else 0."""
    return np.ascontiguousarray(times_of(y)[:, None] <= times[None, :], dtype=np.float64)


_MODELS = "fsdesk.wrappers.survival_models"
_OWN = "scikit-learn has no model of times to an event: this one is fsdesk's"


@WRAPPERS.register(
    "cox",
    title="Cox regression",
    summary="Weighs the features into a sum that multiplies the hazard, the rate at which the event happens; weights "
    "are kept small. Its weights are hazard ratios.",
    reference="D. R. Cox, Regression Models and Life-Tables, J. R. Stat. Soc. B 34 (1972)",
)
class Cox(Wrapper):
    """Proportional hazards with a penalty on the squared weights; what it says of a row is the logarithm of its hazard.

    Maximises the logarithm of the partial likelihood less alpha / 2 times the sum of squared weights.
    """

    tasks: ClassVar[frozenset[Task]] = frozenset({"survival"})
    fits_cheaply: ClassVar[bool] = True

    alpha: float = setting(
        1.0,
        title="Penalty alpha",
        help="How strongly weights are kept small.",
        source="P. J. M. Verweij and H. C. van Houwelingen, Stat. Med. 13 (1994); 1: a little",
        gt=0,
        le=1e9,
    )
    ties: Literal["efron", "breslow"] = setting(
        "efron",
        title="Events at one time",
        help="How events that happen at the same time count.",
        source="B. Efron, J. Am. Stat. Assoc. 72 (1977), as in R; Breslow's is coarser",
        choices={"efron": "Efron", "breslow": "Breslow"},
        level="all",
    )

    def equivalent(self, classes: int) -> Equivalent:
        """As :meth:`Wrapper.equivalent` says; scikit-learn has no such model, so it is fsdesk's own."""
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
        """As :meth:`Wrapper.single_fits` says."""
        known = np.ascontiguousarray(y, dtype=np.float64)
        alphas = np.array([self.alpha])
        efron = self.ties == "efron"
        found = _core.cox_fits(train, known, test, features, offsets, alphas=alphas, efron=efron, threads=threads)
        return np.asarray(found[0])

    def survival(self, train: Floats, y: Floats, test: Floats, times: Floats) -> Floats:
        """As :meth:`Wrapper.survival` says, with Breslow's estimate of the hazard of a row whose weighted sum is 0."""
        every, ends = np.arange(len(train), dtype=np.int32), np.array([0, len(train)])
        both = np.concatenate([train, test], axis=1)
        risks = self.single_fits(train, y, both, every, ends, 1, 1)[0]
        moments, hazard = breslow(risks[: len(y)], y)
        own = np.concatenate([[-np.inf], hazard])[np.searchsorted(moments, times, side="right")]
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(-np.exp(risks[len(y) :, None] + own[None, :])))

    def bind(self, design: Design) -> Predictor:
        """Train anew in every fold."""
        return SurvivalFoldModels(design, partial(TrainedWhenAsked, self))


@WRAPPERS.register(
    "nn-survival",
    title="Nearest neighbours of survival",
    short="Survival neighbours",
    summary="Looks at how the rows most like a row fared, censored ones included. Simple, and easily misled by useless "
    "features; sees features that act together.",
    reference="R. Beran, Nonparametric Regression with Randomly Censored Survival Data, Univ. of California (1981)",
)
class SurvivalNeighbours(Wrapper):
    """The cumulative hazard among the k nearest training rows (Nelson and Aalen), summed over the times of all events.

    H. Ishwaran et al. call such a sum mortality (Annals of Applied Statistics 2, 2008).
    """

    tasks: ClassVar[frozenset[Task]] = frozenset({"survival"})
    fits_cheaply: ClassVar[bool] = True

    k: int = setting(
        20,
        title="Neighbours k",
        help="How many of the rows most like it tell the risk of a row; a few events must be among them.",
        source="so many that some of them have had the event",
        ge=1,
        le=1000,
    )

    def equivalent(self, classes: int) -> Equivalent:
        """As :meth:`Wrapper.equivalent` says; scikit-learn has no such model, so it is fsdesk's own."""
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
        """As :meth:`Wrapper.single_fits` says."""
        known = np.ascontiguousarray(y, dtype=np.float64)
        weights = later_events(known)
        return _core.survival_neighbours(
            train, known, test, features, offsets, weights=weights, k=self.k, threads=threads
        )[:, :, 0]

    def survival(self, train: Floats, y: Floats, test: Floats, times: Floats) -> Floats:
        """As :meth:`Wrapper.survival` says, from the cumulative hazard among the neighbours."""
        every, ends = np.arange(len(train), dtype=np.int32), np.array([0, len(train)])
        known = np.ascontiguousarray(y)
        hazards = _core.survival_neighbours(train, known, test, every, ends, weights=up_to(known, times), k=self.k)
        return np.asarray(np.exp(-hazards[0]))

    def bind(self, design: Design) -> Predictor:
        """Train anew in every fold."""
        return SurvivalFoldModels(design, partial(TrainedWhenAsked, self))


@WRAPPERS.register(
    "survival-forest",
    title="Forest of survival trees",
    short="Survival forest",
    summary="Grows hundreds of trees whose questions part rows that fare differently, by the log-rank test, and takes "
    "the mean of what they say. Sees features that act together and effects that bend; does not mind how features are "
    "scaled.",
    reference="H. Ishwaran et al., Random Survival Forests, Annals of Applied Statistics 2 (2008)",
)
class SurvivalForest(Wrapper):
    """Extremely randomised trees of log-rank questions on all training rows; the mean of the risks of their leaves.

    The risk of a leaf is its cumulative hazard (Nelson and Aalen), summed over the times of all training events.
    """

    tasks: ClassVar[frozenset[Task]] = frozenset({"survival"})

    trees: int = setting(
        200,
        title="Trees",
        help="How many trees are averaged; more are steadier and slower.",
        source="steady on small tables, as for other forests",
        ge=1,
        le=10_000,
    )
    min_leaf: int = setting(
        5,
        title="Rows in a leaf, at least",
        help="A question is asked only if each answer keeps so many rows, and an event.",
        source="between the 3 of scikit-survival and the 15 of randomForestSRC",
        ge=1,
        le=100_000,
    )
    seed: int = setting(
        0,
        title="Seed of the trees",
        help="The same number grows the same trees.",
        source="any number",
        ge=0,
        le=2**31 - 1,
        level="all",
    )

    def fits_slowly(self) -> bool:
        """All forests do."""
        return True

    def equivalent(self, classes: int) -> Equivalent:
        """As :meth:`Wrapper.equivalent` says; scikit-learn has no such model, so it is fsdesk's own."""
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
        """As :meth:`Wrapper.single_fits` says; a node looks at the square root of its number of columns."""
        known = np.ascontiguousarray(y, dtype=np.float64)
        return self._hazards(train, known, test, features, offsets, later_events(known), threads)[:, :, 0]

    def survival(self, train: Floats, y: Floats, test: Floats, times: Floats) -> Floats:
        """As :meth:`Wrapper.survival` says, from the cumulative hazard, the mean over the trees."""
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
        """(m, t, g) sums of the hazards, weighed by (n, g) weights."""
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
