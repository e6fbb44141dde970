"""Gaussian naive Bayes: every feature speaks for itself."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.settings import setting
from fsdesk.wrappers.columns import fits_at_once
from fsdesk.wrappers.fitting import Preparation
from fsdesk.wrappers.wrapper import WRAPPERS, Design, Predictor, Wrapper, class_weights_setting

__all__ = ["NaiveBayes"]

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
Mask = NDArray[np.bool_]


@WRAPPERS.register(
    "nb",
    title="Naive Bayes",
    summary="Takes every feature of a class for a bell curve of its own, and multiplies what they say. Very quick; "
    "features that say the same count twice.",
    reference="D. J. Hand and K. Yu, Idiot's Bayes - Not So Stupid After All?, Int. Stat. Rev. 69 (2001)",
)
class NaiveBayes(Wrapper):
    """Gaussian naive Bayes; of equal likelihoods the first class wins."""

    gives = "probabilities"

    smoothing: float = setting(
        1e-9,
        title="Smoothing",
        help="This share of the largest variance is added to all variances, so that none is zero.",
        source="scikit-learn's default",
        gt=0,
        le=1,
        level="all",
    )
    class_weights: Literal["none", "balanced"] = class_weights_setting("scikit-learn's default: priors of the rows")

    def bind(self, design: Design) -> Predictor:
        """Find where gaps are."""
        return _BoundBayes(design, self.smoothing, self.class_weights == "balanced")


class _BoundBayes(Predictor):
    def __init__(self, design: Design, smoothing: float, balanced: bool) -> None:
        self.design = design
        self.balanced = balanced
        self.smoothing = smoothing
        self.preparation = Preparation(design)

    def _joint(self, mask: Mask, labels: Labels) -> Floats:
        columns, classes = int(np.count_nonzero(mask[self.design.owner])), self.design.classes
        # A fit learns mean and variance of each class, the variance of all and what fills gaps.
        parts = list(fits_at_once(labels, columns * (2 * classes + 2), 2 * classes + 3))
        if len(parts) == 1:
            return self._joint_of(mask, labels)
        joint = np.zeros((*labels.shape, classes))
        for part in parts:
            joint[part.repeats][part.is_tested] = self._joint_of(mask, part.labels)[part.is_tested]
        return joint

    def _joint_of(self, mask: Mask, labels: Labels) -> Floats:
        from fsdesk.kernels.gaussians import joint_log_likelihoods

        design, folds = self.design, max(1, int(labels.max()) + 1)
        chosen = np.flatnonzero(mask[design.owner])
        unit = np.ones(len(chosen)) if design.scaling == "none" else np.empty(0)
        if self.preparation.once is not None:
            unit = self.preparation.once[1][chosen] ** 2
        joint = joint_log_likelihoods(
            design.columns,
            chosen,
            self.preparation.fills(chosen, labels, folds),
            design.fill[chosen],
            design.target,
            design.classes,
            labels,
            folds,
            self.smoothing,
            unit,
        )
        return joint - self._log_shares(labels) if self.balanced else np.asarray(joint)

    def _log_shares(self, labels: Labels) -> Floats:
        """(repeats, n, classes) log share of each class in the training rows of each row; 0 for an absent one."""
        design = self.design
        is_of = design.target[:, None] == np.arange(design.classes)
        counts = np.empty((*labels.shape, design.classes))
        for repeat, own in enumerate(labels):
            for fold in np.unique(own):
                inside = own == fold
                counts[repeat, inside] = is_of[~inside if fold >= 0 else slice(None)].sum(axis=0)
        shares: Floats = np.log(np.maximum(counts, 1.0) / counts.sum(axis=2, keepdims=True)) * (counts > 0)
        return shares

    def predict(self, mask: Mask, labels: Labels) -> Labels:
        """See :meth:`fsdesk.wrappers.Predictor.predict`."""
        return np.asarray(self._joint(mask, labels).argmax(axis=2))

    def scores(self, mask: Mask, labels: Labels) -> Floats:
        """See :meth:`fsdesk.wrappers.Predictor.scores`."""
        joint = self._joint(mask, labels)
        joint -= joint.max(axis=2, keepdims=True)
        np.exp(joint, out=joint)
        return np.asarray(joint / joint.sum(axis=2, keepdims=True))
