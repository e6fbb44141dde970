"""Support vector machines with a Gaussian kernel (RBF), as scikit-learn's SVC and SVR."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels import _core
from fsdesk.settings import setting
from fsdesk.wrappers.fitting import FoldModels, OneFit
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Task, Wrapper, class_weights_setting
from fsdesk.wrappers.written import OWN_MODELS, OWN_NOTE, Call, Equivalent, balanced

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


@WRAPPERS.register(
    "svm-rbf",
    title="SVM (RBF kernel)",
    short="RBF SVM",
    summary="Separates classes by a curved boundary with the widest possible margin; for numbers, fits a smooth "
    "surface. Accurate if boundaries are nonlinear and features not too numerous.",
    reference="C. Cortes and V. Vapnik, Support-Vector Networks, Machine Learning 20 (1995); R.-E. Fan, P.-H. Chen and "
    "C.-J. Lin, Working Set Selection Using Second Order Information for Training SVM, JMLR 6 (2005)",
)
class RadialMachine(Wrapper):
    """C-SVM and epsilon-SVR with the kernel exp(-g |x - y|^2), as LIBSVM defines them.

    g is a multiple of one over the number of columns times the variance of all their training values. With more than
    two classes, each pair votes; if votes are equal, the larger sum of bounded decision values wins. A class absent
    from a training fold is never predicted and scores lowest.

    Training stops after a fixed, very large number of steps even if it has not converged.
    """

    tasks: ClassVar[frozenset[Task]] = frozenset({"classification", "regression"})
    gives: ClassVar[Literal["probabilities", "decisions"] | None] = "decisions"

    cost: float = setting(
        1.0,
        title="Cost C",
        help="Cost of rows on the wrong side relative to a wide margin; larger values fit the data more closely.",
        source="LIBSVM: 1",
        ge=1e-4,
        le=1e4,
    )
    gamma: float = setting(
        1.0,
        title="Gamma, relative to default",
        help="How quickly similarity falls with distance; larger values bend the boundary more. The default gamma "
        "is one over the number of features times their variance.",
        source='scikit-learn: gamma = "scale"',
        ge=1e-4,
        le=1e4,
    )
    class_weights: Literal["none", "balanced"] = class_weights_setting("scikit-learn: class_weight", level="common")
    epsilon: float = setting(
        0.1,
        title="Tube epsilon",
        help="When predicting numbers, errors up to this size, in the unit of the target, cost nothing.",
        source="LIBSVM: 0.1",
        ge=0.0,
        le=1e6,
        level="all",
    )
    tolerance: float = setting(
        1e-3,
        title="Tolerance",
        help="Training precision; smaller is slower and rarely changes a prediction.",
        source="LIBSVM: 0.001",
        ge=1e-6,
        le=0.1,
        level="all",
    )

    def idle(self, task: Task) -> frozenset[str]:
        """See :meth:`Wrapper.idle`."""
        return super().idle(task) | ({"epsilon"} if task == "classification" else set())

    def equivalent(self, classes: int) -> Equivalent:
        """See :meth:`Wrapper.equivalent`."""
        is_usual = self.gamma == 1.0
        gamma = {"gamma": "scale"} if is_usual else {"times": self.gamma}
        arguments = {"C": self.cost, **gamma, "tol": self.tolerance}
        module, note = ("sklearn.svm", "") if is_usual else (OWN_MODELS, OWN_NOTE)
        if not classes:
            name, more = "SVR" if is_usual else "RadialRegressor", {"epsilon": self.epsilon}
        else:
            name = "SVC" if is_usual else "RadialClassifier"
            more = {**balanced(self.class_weights), **({"break_ties": True} if classes > 2 else {})}
        return Equivalent(Call(module, name, {**arguments, **more}), note)

    def bind(self, design: Design) -> Predictor:
        """Train again in every fold."""
        return FoldModels(design, partial(OneFit, self), decisions=True)

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
        own = [(self.cost, self.gamma)]
        return np.asarray(self.fits_of_settings(own, train, y, test, features, offsets, classes, threads)[0])

    def fits_of_settings(
        self,
        settings: Sequence[tuple[float, float]],
        train: Floats,
        y: Labels | Floats,
        test: Floats,
        features: NDArray[np.int32],
        offsets: Labels,
        classes: int,
        threads: int,
    ) -> Floats:
        """(settings, m, t, classes) scores for several pairs of cost and gamma, which share all distances.

        Consecutive pairs with the same gamma share its kernel. Results are identical to those of single calls.
        """
        is_numeric = y.dtype.kind == "f"
        said = _core.radial_fits(
            train,
            np.empty(0, dtype=np.int64) if is_numeric else np.ascontiguousarray(y, dtype=np.int64),
            np.ascontiguousarray(y, dtype=np.float64) if is_numeric else np.empty(0),
            test,
            features,
            offsets,
            classes=max(1, classes),
            costs=np.array([cost for cost, _ in settings]),
            gammas=np.array([gamma for _, gamma in settings]),
            epsilon=self.epsilon,
            tolerance=self.tolerance,
            balanced=self.class_weights == "balanced",
            threads=threads,
        )
        return said[..., 0] if is_numeric else said
