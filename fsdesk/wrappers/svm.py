"""Linear support vector machines: the paper's third wrapper, with C = 1 and votes of all pairs of classes."""

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from fsdesk.settings import setting
from fsdesk.wrappers.columns import fits_at_once
from fsdesk.wrappers.svm_source import Source
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Task, Wrapper, class_weights_setting

if TYPE_CHECKING:
    from fsdesk.kernels.svm_problems import Answers, Plan

__all__ = ["SupportVectorMachine"]

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
Flags = NDArray[np.bool_]
T = TypeVar("T", bound=np.generic)

_NUMBERS_A_COLUMN = 6  # that a fit learns: what fills its gaps, where it starts, its scale, some of them twice
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
    class_weights: Literal["none", "balanced"] = class_weights_setting("scikit-learn: class_weight", level="common")
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
        self.source = Source(design, is_hinge=settings.loss == "hinge" or design.response is not None)
        self.has_gaps, self.is_used, self.by_class = self.source.has_gaps, self.source.is_used, self.source.by_class

    def divides(self, mask: NDArray[np.bool_]) -> bool:
        """Where all fits are trained together, they share most of the work."""
        from fsdesk.kernels.svm_shared import pays

        q = int(np.count_nonzero(mask[self.design.owner] & self.is_used))
        return not (self.design.scaling == "fold" and pays(self._any_plan, q))

    @cached_property
    def _any_plan(self) -> "Plan":
        """Of one fold: what all plans have in common."""
        return self._plan(np.zeros((1, len(self.design.target)), dtype=np.int64))

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
        from fsdesk.kernels.svm import answer, wants_products, wants_rows
        from fsdesk.kernels.svm_problems import Answers, part_of
        from fsdesk.kernels.svm_shared import pays

        own = np.ascontiguousarray(labels[:, self.by_class])
        chosen = np.flatnonzero(mask[self.design.owner] & self.is_used)
        plan = self._plan(own)
        shape = (*own.shape, self.design.classes)
        result = Answers(np.zeros(shape), np.zeros(shape if sums else (0, 0, 0)))
        q = len(chosen)
        has_gaps, has_scales = bool(self.has_gaps[chosen].any()), self.design.scaling == "fold"
        if wants_rows(plan, q, varies=has_scales):
            self._answer_rows(chosen, labels, plan, result, together=not has_gaps and pays(plan, q))
        elif wants_products(plan, q) or (q > own.shape[1] and not has_gaps and not has_scales):
            self._answer_products(chosen, labels, plan, result, varies=has_gaps or has_scales)
        else:
            for part in fits_at_once(labels, _NUMBERS_A_COLUMN * q):
                some, answers = part_of(plan, result, part.repeats, part.folds)
                answer(some, self.source.columns(chosen, part.labels, some.folds), answers)
        fit = np.where(own >= 0, own + np.arange(len(own))[:, None] * plan.folds, -1)
        return result, plan.costs[fit, :-1] > 0.0

    def _answer_rows(self, chosen: Labels, labels: Labels, plan: "Plan", result: "Answers", *, together: bool) -> None:
        """From the columns in single precision, and the scales of as many fits at once as are a few more."""
        from fsdesk.kernels.svm import answer_rows, begun_with_rows
        from fsdesk.kernels.svm_problems import part_of

        share = 2 if together else 8 if self.has_gaps[chosen].any() else 4
        parts = list(fits_at_once(labels, len(chosen), share))
        rows, scales = self.source.rows(chosen, labels, plan.folds, together=together, keeps=len(parts) == 1)
        desk = begun_with_rows(plan, rows)
        for part in parts:
            some, answers = part_of(plan, result, part.repeats, part.folds)
            if len(parts) > 1:
                del scales  # before there are others
                scales = self.source.scales(chosen, part.labels, some.folds, together=together)
            answer_rows(some, scales.of(rows), desk, answers)

    def _answer_products(
        self, chosen: Labels, labels: Labels, plan: "Plan", result: "Answers", *, varies: bool
    ) -> None:
        """From the Gram matrices of as many fits at once as are a third of the columns, made of a few at a time."""
        from fsdesk.kernels.svm import add_products, answer_gram, desk_for
        from fsdesk.kernels.svm_problems import part_of

        n, repeats, desk = labels.shape[1], len(labels), desk_for(plan)
        every = np.arange(-1, repeats * plan.folds)
        together = max(1, len(chosen) // (3 * n))
        turns = [(slice(repeats), every)]
        if varies and len(every) > together:
            step = max(1, together // plan.folds)
            turns = [(slice(repeats), every[:1])]
            for first in range(0, repeats, step):
                some = slice(first, min(first + step, repeats))
                fits = np.arange((some.stop - first) * plan.folds)
                turns += [(some, fits[at : at + together]) for at in range(0, len(fits), together)]
        for some, fits in turns:
            own, answers = part_of(plan, result, some, slice(plan.folds))
            grams = np.zeros((len(fits) if varies else 1, n, n))
            for part in self.source.blocks(chosen):
                columns = self.source.columns(chosen[part], labels[some], plan.folds)
                for fit, gram in zip(fits, grams, strict=False):
                    add_products(own, columns, int(fit), gram)
            for place, gram in enumerate(grams):
                answer_gram(own, gram, fits[place : place + 1] if varies else fits, desk, answers)

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
