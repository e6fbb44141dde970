"""Forests of extremely randomised trees, as scikit-learn's ExtraTreesClassifier and ExtraTreesRegressor."""

from functools import lru_cache, partial
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels import _core
from fsdesk.settings import setting
from fsdesk.wrappers.fitting import FoldModels, OneFit
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Task, Wrapper, class_weights_setting
from fsdesk.wrappers.written import Call, Equivalent, balanced

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

_SMALLEST, _LARGEST = 2.0**-10, 2.0**100  # responses whose squares neither underflow nor overflow double precision


@WRAPPERS.register(
    "forest",
    title="Forest of random trees",
    short="Random forest",
    summary="Grows hundreds of randomized trees and lets them vote. Accurate on most tables without tuning, even "
    "with interacting features; needs no scaling.",
    reference="P. Geurts, D. Ernst and L. Wehenkel, Extremely Randomized Trees, Machine Learning 63 (2006)",
)
class Forest(Wrapper):
    """Extremely randomised trees, grown until their leaves are pure; the mean of their predictions.

    Trees are identical to scikit-learn's bit for bit: values are used in single precision. Regression responses of
    extreme magnitude are multiplied by a power of two.
    """

    tasks: ClassVar[frozenset[Task]] = frozenset({"classification", "regression"})
    gives: ClassVar[Literal["probabilities", "decisions"] | None] = "probabilities"
    scores_compare: ClassVar[bool] = False

    trees: int = setting(
        200,
        title="Trees",
        help="Number of trees; more are more stable but slower.",
        source="stable on small tables; scikit-learn: 100",
        ge=1,
        le=10_000,
    )
    tried: Literal["usual", "root", "third", "all"] = setting(
        "usual",
        title="Features tried",
        help="Number of features considered for each split; fewer make the trees more diverse.",
        source="L. Breiman, Machine Learning 45 (2001): the square root for classes, a third for numbers",
        choices={
            "usual": "Root for classes, third for numbers",
            "root": "Square root of their number",
            "third": "A third of them",
            "all": "All of them",
        },
        level="all",
    )
    class_weights: Literal["none", "balanced"] = class_weights_setting("scikit-learn: class_weight", level="common")
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
        """See :meth:`Wrapper.equivalent`."""
        most = {"root": "sqrt", "third": 1 / 3, "all": None}[self._rule(classes > 0)]
        arguments = {"n_estimators": self.trees, "max_features": most, "random_state": self.seed}
        if not classes:
            return Equivalent(Call("sklearn.ensemble", "ExtraTreesRegressor", arguments))
        return Equivalent(
            Call("sklearn.ensemble", "ExtraTreesClassifier", {**arguments, **balanced(self.class_weights)})
        )

    def bind(self, design: Design) -> Predictor:
        """Grow a forest in every fold."""
        return FoldModels(design, partial(OneFit, self), decisions=False)

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
        is_numeric, exponent = y.dtype.kind == "f", 0
        target, response = np.empty(0, dtype=np.int64), np.empty(0)
        if is_numeric:
            largest = float(np.abs(y).max())
            exponent = 0 if _SMALLEST <= largest <= _LARGEST else int(np.frexp(largest)[1])
            response = np.ldexp(np.asarray(y, dtype=np.float64), -exponent)
        else:
            target = np.ascontiguousarray(y, dtype=np.int64)
        said = _core.forest_fits(
            train,
            target,
            response,
            test,
            features,
            offsets,
            classes=max(1, classes),
            states=states(self.seed, self.trees),
            most=self._most(np.diff(offsets), not is_numeric),
            balanced=self.class_weights == "balanced",
            threads=threads,
        )
        return np.ldexp(said[:, :, 0], exponent) if is_numeric else said

    def _rule(self, classifies: bool) -> str:
        return self.tried if self.tried != "usual" else "root" if classifies else "third"

    def _most(self, columns: Labels, classifies: bool) -> Labels:
        """(m,) number of columns considered at a node, given the number of columns."""
        rule = self._rule(classifies)
        share = {"root": np.sqrt(columns), "third": columns / 3, "all": columns}[rule]
        return np.maximum(1, np.asarray(share).astype(np.int64))


@lru_cache(maxsize=16)
def states(seed: int, trees: int) -> NDArray[np.uint32]:
    """Random states of the trees, drawn as in scikit-learn."""
    random, most = np.random.RandomState(seed), np.iinfo(np.int32).max
    return np.array([np.random.RandomState(random.randint(most)).randint(most) for _ in range(trees)], np.uint32)
