"""Linear support vector machines: the paper's third wrapper, with C = 1 and one-vs-one votes."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels import _core
from fsdesk.settings import setting
from fsdesk.wrappers.columns import Gaps, in_blocks, scales, slices, small_fits, summary
from fsdesk.wrappers.single import Split, Targets, design_of
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Scaler, Task, Wrapper, class_weights_setting
from fsdesk.wrappers.written import Call, Equivalent, balanced

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

_CELLS_AT_ONCE = 1 << 17
_NARROW = 1e-2  # fraction of a column's variance within the training rows: below it, single precision needs them near 0
_COLUMNS_A_ROW, _ROWS_A_PROBLEM = 8, 25  # from these ratios on, all fits are trained together; see svm.cpp
_ABSENT = float(np.finfo(np.float64).min)  # score of a class absent from the training rows


@WRAPPERS.register(
    "svm",
    title="Linear support vector machine",
    short="Linear SVM",
    summary="Separates classes by a linear boundary with the widest margin; for numbers, fits a linear function that "
    "ignores small errors. Strong with many columns and few rows.",
    reference="C. Cortes and V. Vapnik, Support-Vector Networks, Machine Learning 20 (1995); R.-E. Fan, P.-H. Chen and "
    "C.-J. Lin, Working Set Selection Using Second Order Information for Training SVM, JMLR 6 (2005)",
)
class SupportVectorMachine(Wrapper):
    """Linear C-SVM and epsilon-SVR with an unpenalized bias, as LIBSVM defines them.

    With more than two classes, each pair votes; if votes are equal, the first class wins. If a training fold has only
    one class, that class is predicted; a class absent from it is never predicted and scores lowest. Missing values are
    imputed, and columns scaled, from the training rows only if the design says "fold".

    Training stops after a fixed, very large number of steps even if it has not converged.
    """

    tasks: ClassVar[frozenset[Task]] = frozenset({"classification", "regression"})
    gives: ClassVar[Literal["probabilities", "decisions"] | None] = "decisions"

    cost: float = setting(
        1.0,
        title="Cost C",
        help="Cost of rows on the wrong side relative to a wide margin; larger values fit the data more closely.",
        source="paper, section Classifiers: linear SVM with the default C = 1",
        ge=1e-4,
        le=1e4,
    )
    loss: Literal["hinge", "squared hinge"] = setting(
        "hinge",
        title="Loss",
        help="Loss of a row within the margin: its distance (each pair of classes votes), or the distance squared "
        "(each class against all others); regression always uses the distance.",
        source="hinge: LIBSVM and MATLAB; squared hinge: LIBLINEAR's LinearSVC, whose bias is penalized",
        level="all",
        choices={"hinge": "Hinge, one against one", "squared hinge": "Squared hinge, one against the rest"},
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
        return super().idle(task) | ({"epsilon"} if task == "classification" else {"loss"})

    def fits_quickly(self, scaler: Scaler) -> bool:
        """Yes, with any scaler."""
        return True

    def equivalent(self, classes: int) -> Equivalent:
        """See :meth:`Wrapper.equivalent`."""
        weights = balanced(self.class_weights)
        if not classes:
            arguments = {"kernel": "linear", "C": self.cost, "epsilon": self.epsilon, "tol": self.tolerance}
            return Equivalent(Call("sklearn.svm", "SVR", arguments))
        if self.loss == "squared hinge":
            return Equivalent(Call("sklearn.svm", "LinearSVC", {"C": self.cost, **weights, "random_state": 0}))
        arguments = {"kernel": "linear", "C": self.cost, "tol": self.tolerance, **weights}
        return Equivalent(Call("sklearn.svm", "SVC", arguments))

    def bind(self, design: Design) -> Predictor:
        """Bind the model to a design, computing once what depends on neither mask nor folds."""
        return _BoundMachine(design, self)

    def single_fits(
        self,
        train: Floats,
        y: Targets,
        test: Floats,
        features: NDArray[np.int32],
        offsets: Labels,
        classes: int,
        threads: int,
    ) -> Floats:
        """See :meth:`Wrapper.single_fits`."""
        return np.asarray(self.fits_along([self.cost], train, y, test, features, offsets, classes, threads)[0])

    def fits_along(
        self,
        costs: Sequence[float],
        train: Floats,
        y: Targets,
        test: Floats,
        features: NDArray[np.int32],
        offsets: Labels,
        classes: int,
        threads: int,
    ) -> Floats:
        """(costs, m, t, classes) scores or (costs, m, t) responses for several C, which share the products of rows."""
        split, bound = Split.of(train, y, test), _BoundMachine(design_of(train, y, classes), self)
        is_used, tested = bound.is_used[features], slice(train.shape[1], None)
        options = {name: value for name, value in bound.options.items() if name not in ("scaling", "scaler", "cost")}
        votes, sums = _core.svm_fits(
            split.columns,
            split.target,
            features[is_used],
            np.concatenate([[0], np.cumsum(is_used)])[offsets],
            split.labels,
            bound.design.classes,
            **options,
            costs=np.asarray(costs, dtype=np.float64),
            response=split.response,
            epsilon=self.epsilon,
            sums=bound.has_sums,
            threads=threads,
        )
        if bound.design.response is not None:
            return np.ascontiguousarray(votes[:, :, tested, 0])
        return bound.scores_of(votes[:, :, tested], sums[:, :, tested] if bound.has_sums else sums)


class _BoundMachine(Predictor):
    """Support vector machines over one design; does not copy its columns."""

    def __init__(self, design: Design, settings: SupportVectorMachine) -> None:
        self.design, self.settings, self.gaps = design, settings, Gaps(design)
        is_hinge = settings.loss == "hinge" or design.response is not None
        has_gaps, varies, mean, deviation = summary(design)
        # A constant column carries no information, unless missing values are imputed with another value.
        self.is_used = varies | (has_gaps & design.nominal)
        if design.scaling == "once" and design.scaler != "z-score":
            mean, deviation = in_blocks(lambda part: scales(part, design.scaler), design)
        deviation[deviation == 0.0] = 1.0
        # A fit with its own scale measures from the location of its training rows.
        begin = np.zeros(len(mean))
        if is_hinge and design.scaling == "fold":
            begin = _beginnings(design, mean, deviation)
        self.table = np.ascontiguousarray(design.columns), np.ascontiguousarray(design.target)
        self.options: dict[str, Any] = {
            "known": np.stack([mean, deviation, begin, design.fill]),
            "has_gaps": has_gaps,
            "group": np.ascontiguousarray(design.owner),
            "nominal": np.ascontiguousarray(design.nominal),
            "scaling": design.scaling,
            "scaler": design.scaler,
            "cost": settings.cost,
            "tolerance": settings.tolerance,
            "loss": "hinge" if is_hinge else "squared hinge",
            "balanced": settings.class_weights == "balanced",
        }

    def divides(self, mask: NDArray[np.bool_]) -> bool:
        """No if fits share most of their work by being trained together."""
        design, n = self.design, len(self.design.target)
        if design.scaling != "fold" or self.options["loss"] == "squared hinge":
            return True
        columns, classes = int(np.count_nonzero(mask[design.owner] & self.is_used)), design.classes
        problems = max(1, classes * (classes - 1) // 2)
        return not (columns >= _COLUMNS_A_ROW * n and n >= _ROWS_A_PROBLEM * (problems - 1))

    def _said(self, mask: NDArray[np.bool_], labels: Labels, *, sums: bool) -> tuple[Floats, Floats]:
        """(repeats, n, classes) votes or values, -inf for classes not trained on; sums of decisions, if requested."""
        design = self.design
        chosen = np.flatnonzero(mask[design.owner] & self.is_used)
        votes, added = _core.svm_decisions(
            *self.table,
            chosen.astype(np.int32),
            np.array([0, len(chosen)]),
            np.ascontiguousarray(labels)[None],
            np.zeros(1, dtype=np.int64),
            max(1, int(labels.max()) + 1),
            design.classes,
            **self.options,
            response=np.empty(0) if design.response is None else np.ascontiguousarray(design.response),
            epsilon=self.settings.epsilon,
            sums=sums,
        )
        return votes[0], added[0] if sums else added

    def predict(self, mask: NDArray[np.bool_], labels: Labels) -> Labels:
        """See :meth:`fsdesk.wrappers.Predictor.predict`."""
        return np.asarray(self._said(mask, labels, sums=False)[0].argmax(axis=2))

    def scores(self, mask: NDArray[np.bool_], labels: Labels) -> Floats:
        """Decision values; with more than two classes, votes, with ties broken by bounded sums of decision values."""
        return self.scores_of(*self._said(mask, labels, sums=self.has_sums))

    @property
    def has_sums(self) -> bool:
        """Whether scores also need the sums of decision values."""
        return self.options["loss"] == "hinge" and self.design.response is None

    def scores_of(self, votes: Floats, sums: Floats) -> Floats:
        """Combine votes and sums of decision values into scores of the same shape."""
        result = votes
        if self.has_sums:
            result = sums if self.design.classes == 2 else votes + sums / (3.0 * (np.abs(sums) + 1.0))
        return np.where(np.isneginf(votes), _ABSENT, result)

    def values(self, mask: NDArray[np.bool_], labels: Labels) -> Floats:
        """See :meth:`fsdesk.wrappers.Predictor.values`."""
        return self._said(mask, labels, sums=False)[0][..., 0]

    @cached_property
    def _small(self) -> "_BoundMachine":
        """The machine for small fits, which use only their own training rows, even if columns are scaled once."""
        if self.design.scaling != "once":
            return self
        own = replace(self.design, scaling="fold", fill=np.full(len(self.design.columns), np.nan))
        return _BoundMachine(own, self.settings)

    def small_fits(
        self,
        features: NDArray[np.int32],
        offsets: Labels,
        splits: NDArray[np.int8],
        split_of: Labels,
        *,
        margins: bool,
        threads: int,
    ) -> tuple[Labels, Floats] | None:
        """See :meth:`fsdesk.wrappers.Predictor.small_fits`."""
        if self.design.response is not None:
            return None
        errors, found = np.empty(len(split_of), dtype=np.int64), np.full((len(split_of), 2), np.nan)
        for fits in small_fits(self.gaps, features, offsets, splits, split_of, fills=False):
            is_used = self._small.is_used[fits.chosen]
            wrong, ahead = _core.svm_errors(
                *self.table,
                fits.chosen[is_used],
                np.concatenate([[0], np.cumsum(is_used)])[fits.offsets],
                fits.labels,
                fits.folds_of,
                1,
                self.design.classes,
                **self._small.options,
                margins=margins,
                threads=threads,
            )
            errors[fits.which] = wrong[:, 0]
            if margins:
                found[fits.which] = ahead[:, 0]
        return errors, found


def _beginnings(design: Design, mean: Floats, deviation: Floats) -> Floats:
    """(q,) location of most values in columns with a few outliers, in standard deviations from the mean; 0 for others.

    In a fold without the outliers, single-precision products of the training rows would otherwise reflect their
    distance from 0 rather than their differences.
    """
    begin = np.zeros(len(mean))
    for part in slices(len(begin), len(design.target), design.owner, _CELLS_AT_ONCE):
        z = (design.columns[part] - mean[part, None]) / deviation[part, None]
        filled = np.where(np.isnan(z), 0.0, z)
        middle = np.median(filled, axis=1)
        distance = np.sort(np.abs(filled - middle[:, None]), axis=1)[:, : filled.shape[1] // 2 + 1]
        begin[part] = np.where(np.square(distance).mean(axis=1) < _NARROW, middle, 0.0)
    return begin
