"""Linear support vector machines: the paper's third wrapper, with C = 1 and votes of all pairs of classes."""

from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from fsdesk.settings import setting
from fsdesk.wrappers.columns import Gaps, slices, summary
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Task, Wrapper

if TYPE_CHECKING:
    from fsdesk.kernels.svm import Rows
    from fsdesk.kernels.svm_problems import Answers, Columns, Plan

__all__ = ["SupportVectorMachine"]

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
Flags = NDArray[np.bool_]
T = TypeVar("T", bound=np.generic)

_NO_WEIGHT = 1e6  # scale of a constant column: nothing is left of its share in a product
_NARROW = 1e-2  # share of a column's variance that training rows have: below, single precision needs them near 0
_ABSENT = float(np.finfo(np.float64).min)  # score of a class that the training rows do not have


@WRAPPERS.register(
    "svm",
    title="Linear support vector machine",
    short="Linear SVM",
    summary="Separates classes by the flat boundary that keeps the widest distance from the rows on both sides; for "
    "numbers, fits a flat surface that ignores small errors. Strong where columns are many and rows few.",
    reference="C. Cortes and V. Vapnik, Support-Vector Networks, Machine Learning 20 (1995); R.-E. Fan, P.-H. Chen and "
    "C.-J. Lin, Working Set Selection Using Second Order Information for Training SVM, JMLR 6 (2005)",
)
class SupportVectorMachine(Wrapper):
    """Linear C-SVM and epsilon-SVR with a bias that costs nothing, as LIBSVM defines them.

    Of more than two classes each pair votes, and of equal votes the first class wins. Where a training fold has one
    class only, that one is predicted; a class that it lacks is never predicted and scores lowest. Gaps are filled, and
    columns scaled, from the training rows alone where the design says "fold".

    Training stops after a fixed, very large number of steps even where it is not optimal to the tolerance.
    """

    tasks: ClassVar[frozenset[Task]] = frozenset({"classification", "regression"})
    gives: ClassVar[Literal["probabilities", "decisions"] | None] = "decisions"

    cost: float = setting(
        1.0,
        title="Cost C",
        help="How much a row on the wrong side counts against a wide margin; larger follows the data more closely.",
        source="paper, section Classifiers: linear SVM with the default C = 1",
        ge=1e-4,
        le=1e4,
    )
    loss: Literal["hinge", "squared hinge"] = setting(
        "hinge",
        title="Loss",
        help="What a row within the margin costs: its distance (each pair of classes votes), or the distance squared "
        "(each class against all others); regression always uses the distance.",
        source="hinge: LIBSVM and MATLAB; squared hinge: LIBLINEAR's LinearSVC, whose bias is penalised",
        level="all",
        choices={"hinge": "Hinge, one against one", "squared hinge": "Squared hinge, one against the rest"},
    )
    class_weights: Literal["none", "balanced"] = setting(
        "none",
        title="Class weights",
        help="Whether errors in rare classes count more, so that all classes weigh the same.",
        source="scikit-learn: class_weight",
        choices={"none": "Every row counts the same", "balanced": "Every class counts the same"},
    )
    epsilon: float = setting(
        0.1,
        title="Tube epsilon",
        help="Errors up to this size, in the target's own unit, cost nothing when numbers are predicted.",
        source="LIBSVM: 0.1",
        ge=0.0,
        le=1e6,
        level="all",
    )
    tolerance: float = setting(
        1e-3,
        title="Tolerance",
        help="How exactly a machine is trained before it is used; smaller is slower and rarely changes a prediction.",
        source="LIBSVM: 0.001",
        ge=1e-6,
        le=0.1,
        level="all",
    )

    def bind(self, design: Design) -> Predictor:
        """Find once what depends on neither mask nor folds."""
        return _BoundMachine(design, self)


class _BoundMachine(Predictor):
    """Support vector machines over one design; holds no copy of its columns."""

    def __init__(self, design: Design, settings: SupportVectorMachine) -> None:
        self.design = design
        self.settings = settings
        self.gaps = Gaps(design)
        self.has_gaps, varies, self.mean, self.deviation = summary(design.columns)
        # A column of one value says nothing, unless its gaps are filled with another.
        self.is_used = varies | (self.has_gaps & design.nominal)
        self.deviation[self.deviation == 0.0] = 1.0
        self.by_class = np.argsort(design.target, kind="stable")

    def predict(self, mask: NDArray[np.bool_], labels: Labels) -> Labels:
        """See :meth:`fsdesk.wrappers.Predictor.predict`."""
        (votes, _), present = self._answers(mask, labels, sums=False)
        if self._is_one_of_two():
            votes = np.concatenate([-votes[..., 1:], votes[..., 1:]], axis=2)
        votes[~present] = -np.inf
        return self._unsorted(votes.argmax(axis=2))

    def scores(self, mask: NDArray[np.bool_], labels: Labels) -> Floats:
        """Decision values; of more than two classes votes, and between equal votes bounded sums of decision values."""
        (votes, sums), present = self._answers(mask, labels, sums=True)
        if self._is_one_of_two():
            result = np.concatenate([-votes[..., 1:], votes[..., 1:]], axis=2)
        elif self.settings.loss == "squared hinge":
            result = votes
        elif self.design.classes == 2:
            result = sums
        else:
            result = votes + sums / (3.0 * (np.abs(sums) + 1.0))
        result[~present] = _ABSENT
        return self._unsorted(result)

    def values(self, mask: NDArray[np.bool_], labels: Labels) -> Floats:
        """See :meth:`fsdesk.wrappers.Predictor.values`."""
        return self._unsorted(self._answers(mask, labels, sums=False)[0].votes[..., 0])

    def _is_one_of_two(self) -> bool:
        """Whether one machine, of the second class against the first, stands for both classes."""
        return self.settings.loss == "squared hinge" and self.design.classes == 2

    def _unsorted(self, result: NDArray[T]) -> NDArray[T]:
        """From rows sorted by class back to the design's order."""
        back = np.empty_like(result)
        back[:, self.by_class] = result
        return back

    def _answers(self, mask: NDArray[np.bool_], labels: Labels, *, sums: bool) -> "tuple[Answers, Flags]":
        """What the machines say, and (repeats, n, classes) which classes each row's training rows have, by class."""
        # Imported here: listing the wrappers must not load numba.
        from fsdesk.kernels.svm import add_products, answer, answer_gram, answer_rows, wants_rows
        from fsdesk.kernels.svm_problems import Answers
        from fsdesk.kernels.svm_shared import pays

        own = np.ascontiguousarray(labels[:, self.by_class])
        chosen = np.flatnonzero(mask[self.design.owner] & self.is_used)
        plan = self._plan(own)
        shape = (*own.shape, self.design.classes)
        result = Answers(np.zeros(shape), np.zeros(shape if sums else (0, 0, 0)))
        fits, q = len(own) * plan.folds, len(chosen)
        has_gaps, has_scales = bool(self.has_gaps[chosen].any()), self.design.scaling == "fold"
        if wants_rows(plan, q, varies=has_scales and fits > 1):
            answer_rows(plan, self._rows(chosen, labels, plan, together=not has_gaps and pays(plan, q)), result)
        elif q > own.shape[1] and not has_gaps and not has_scales:
            gram = np.zeros((own.shape[1], own.shape[1]))
            for part in slices(q, own.shape[1]):
                add_products(plan, self._columns(chosen[part], labels, plan.folds), 0, gram)
            answer_gram(plan, gram, result)
        else:
            answer(plan, self._columns(chosen, labels, plan.folds), result)
        fit = np.where(own >= 0, own + np.arange(len(own))[:, None] * plan.folds, -1)
        return result, plan.costs[fit, :-1] > 0.0

    def _plan(self, labels: Labels) -> "Plan":
        from fsdesk.kernels.svm_problems import Plan, class_costs

        design, settings = self.design, self.settings
        target = design.target[self.by_class]
        squared = settings.loss == "squared hinge" and design.response is None
        if design.response is not None:
            problems = np.array([[-1, -1]])
        elif not squared:
            problems = np.array([(a, b) for a in range(design.classes) for b in range(a + 1, design.classes)])
        else:
            problems = np.array([(a, -1) for a in range(int(design.classes == 2), design.classes)])
        starts = np.searchsorted(target, np.arange(design.classes + 1)).astype(np.int64)
        folds, balanced = int(labels.max()) + 1, settings.class_weights == "balanced"
        return Plan(
            target=target,
            starts=starts,
            response=np.empty(0) if design.response is None else design.response[self.by_class],
            labels=labels,
            folds=folds,
            problems=problems.reshape(-1, 2).astype(np.int64),
            cost=settings.cost,
            costs=class_costs(starts, labels, folds, settings.cost, balanced=balanced),
            epsilon=settings.epsilon if design.response is not None else 0.0,
            squared=squared,
            tolerance=settings.tolerance,
        )

    def _rows(self, chosen: Labels, labels: Labels, plan: "Plan", *, together: bool) -> "Rows":
        """The chosen columns by row, a few made ready at a time: a wide table is never copied in double precision."""
        from fsdesk.kernels.svm import Rows
        from fsdesk.kernels.svm_gram import LARGEST_WEIGHT, whole_lines
        from fsdesk.kernels.svm_problems import Columns

        (q, n), fits = (len(chosen), labels.shape[1]), len(labels) * plan.folds
        x = np.zeros((n, whole_lines(q)), dtype=np.float32)
        weights = np.empty((fits if together else 0, q), dtype=np.float32)
        penalty, fill = np.empty((1 if together else fits, q)), np.zeros((fits, q))
        cells = [np.empty((0, 2), dtype=np.int64)]
        for part in slices(q, n, self.design.owner[chosen]):
            block = self._columns(chosen[part], labels, plan.folds)
            x[:, part] = block.z.T
            if together:
                penalty[0, part] = block.penalty.mean(axis=0)
                weights[:, part] = np.minimum(1.0 / block.penalty, LARGEST_WEIGHT)
            else:
                penalty[:, part] = block.penalty
            if len(block.cells):
                fill[:, part] = block.fill
                cells.append(block.cells + np.array([part.start, 0]))
        return Rows(x, Columns(np.empty((0, n)), penalty, np.zeros((1, q)), np.concatenate(cells), fill), weights)

    def _columns(self, chosen: Labels, labels: Labels, folds: int) -> "Columns":
        from fsdesk.kernels.svm_problems import Columns
        from fsdesk.kernels.svm_scales import standardised

        own = np.ascontiguousarray(labels[:, self.by_class])
        mean, deviation = self.mean[chosen], self.deviation[chosen]
        z = standardised(self.design.columns, chosen, self.by_class, mean, deviation)
        fits = len(labels) * folds
        holes = np.flatnonzero(self.has_gaps[chosen])
        gaps: Flags = np.isnan(z[holes])
        fill, filled_variance = np.zeros((fits, len(chosen))), np.empty((fits, 0))
        if len(holes):
            filled, variance = self.gaps.fills(chosen[holes], labels, folds)
            fill[:, holes], filled_variance = filled.T, variance.T / deviation[holes] ** 2
            fill = (fill - mean) / deviation
        if self.design.scaling == "none":
            penalty, origin = 1.0 / deviation[None, :] ** 2, -(mean / deviation)[None, :]
        elif self.design.scaler == "z-score":
            penalty, origin = self._spreads(z, gaps, fill, filled_variance, holes, own, folds)
        else:
            penalty, origin = self._ranges(z, fill, own, folds)
            # Columns that vary outside of their quartiles alone count in their own unit, as scikit-learn has it.
            penalty = np.where(np.isnan(penalty), 1.0 / deviation**2, penalty)
        # What does not vary among the training rows gets no weight; in products its size would only be rounding.
        penalty[penalty <= 0.0] = _NO_WEIGHT**2
        if len(penalty) > 1 and (self.settings.loss == "hinge" or self.design.response is not None):
            _begin_at_narrow_fits(z, penalty, fill, own, folds)
        z[holes] = np.where(gaps, 0.0, z[holes])
        cells = np.argwhere(gaps).astype(np.int64, order="C")
        cells[:, 0] = holes[cells[:, 0]]
        return Columns(z, penalty, origin, cells, fill)

    def _spreads(
        self,
        z: Floats,
        gaps: NDArray[np.bool_],
        fill: Floats,
        filled_variance: Floats,
        holes: Labels,
        labels: Labels,
        folds: int,
    ) -> tuple[Floats, Floats]:
        """Variances and means of the training rows of every fit, or of all rows, in units of ``z``.

        Parameters
        ----------
        gaps, filled_variance
            (g, n) where the columns ``holes`` lack values, and (fits, g) variances of their filled training rows.
        """
        from fsdesk.kernels.scales import training_variances

        q = len(z)
        if self.design.scaling == "once":
            return np.ones((1, q)), np.zeros((1, q))
        complete = np.delete(np.arange(q), holes)
        frozen = z.view()
        frozen.setflags(write=False)  # as a design's columns: compiled once for all models
        variances = training_variances(frozen, complete, np.zeros(len(complete)), np.ones(len(complete)), labels, folds)
        if len(holes):
            known, variances = variances, np.empty((len(variances), q))
            variances[:, complete], variances[:, holes] = known, filled_variance
        if self.settings.loss == "hinge":
            return variances, np.zeros((1, q))  # a bias that costs nothing makes up for any origin
        training = labels[:, None, :] != np.arange(folds)[None, :, None]
        share = training.reshape(len(variances), -1).astype(np.float64)
        share /= share.sum(axis=1)[:, None]
        origin = share @ np.where(np.isnan(z), 0.0, z).T
        origin[:, holes] += (share @ gaps.T) * fill[:, holes]
        return variances, origin

    def _ranges(self, z: Floats, fill: Floats, labels: Labels, folds: int) -> tuple[Floats, Floats]:
        """Squares of ranges and smallest values, or of distances between the quartiles and medians."""
        from fsdesk.kernels.svm_scales import ranges_or_quartiles

        folds = -2 if self.design.scaling == "once" else folds
        robust = self.design.scaler == "robust"
        origin, scale = ranges_or_quartiles(z, np.argsort(z, axis=1), fill, labels, folds, robust)
        return scale**2, origin


def _begin_at_narrow_fits(z: Floats, penalty: Floats, fill: Floats, labels: Labels, folds: int) -> None:
    """Move columns to where the training rows of a fit lie close together; a bias that costs nothing makes up for it.

    Elsewhere products in single precision would say how far these rows are from 0, and not what tells them apart.
    """
    for column in np.flatnonzero(penalty.min(axis=0) < _NARROW):
        repeat, fold = divmod(int(penalty[:, column].argmin()), folds)
        begin = np.nanmean(z[column, labels[repeat] != fold])
        z[column] -= begin
        fill[:, column] -= begin
