"""Gaussian naive Bayes: features are treated as independent within a class."""

from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels import _core
from fsdesk.settings import setting
from fsdesk.wrappers.columns import fits_at_once, many_fits, small_fits
from fsdesk.wrappers.fitting import Preparation
from fsdesk.wrappers.single import Split, Targets
from fsdesk.wrappers.wrapper import WRAPPERS, Design, ErrorRates, Predictor, Scaler, Wrapper, class_weights_setting
from fsdesk.wrappers.written import Call, Equivalent, equal_priors

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
Mask = NDArray[np.bool_]


@WRAPPERS.register(
    "nb",
    title="Naive Bayes",
    summary="Models each feature in each class by a normal distribution and multiplies their probabilities. Very "
    "fast; redundant features count twice.",
    reference="D. J. Hand and K. Yu, Idiot's Bayes - Not So Stupid After All?, Int. Stat. Rev. 69 (2001)",
)
class NaiveBayes(Wrapper):
    """Gaussian naive Bayes; if likelihoods are equal, the first class wins."""

    gives = "probabilities"
    scores_compare = False
    fits_cheaply = True
    scales = False

    smoothing: float = setting(
        1e-9,
        title="Smoothing",
        help="Share of the largest variance added to all variances, so that none is zero.",
        source="scikit-learn's default",
        gt=0,
        le=1,
        level="all",
    )
    class_weights: Literal["none", "balanced"] = class_weights_setting("scikit-learn's default: priors of the rows")

    def fits_quickly(self, scaler: Scaler) -> bool:
        """Yes, with any scaler."""
        return True

    def equivalent(self, classes: int) -> Equivalent:
        """See :meth:`Wrapper.equivalent`."""
        priors = equal_priors(self.class_weights, classes)
        return Equivalent(Call("sklearn.naive_bayes", "GaussianNB", {"var_smoothing": self.smoothing, **priors}))

    def bind(self, design: Design) -> Predictor:
        """Bind the model to a design, finding its missing values once."""
        return _BoundBayes(design, self.smoothing, self.class_weights == "balanced")

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
        split, count = Split.of(train, y, test), len(features)
        said = _core.bayes_likelihoods(
            split.columns,
            split.target,
            features,
            offsets,
            split.labels,
            np.zeros(len(offsets) - 1, dtype=np.int64),
            1,
            classes,
            fill=np.zeros((count, 1)),
            once=np.full(count, np.nan),
            unit=np.ones(count),
            smoothing=self.smoothing,
            balanced=self.class_weights == "balanced",
            normalised=True,
            threads=threads,
        )
        return np.ascontiguousarray(said[:, 0, train.shape[1] :])


class _BoundBayes(Predictor):
    def __init__(self, design: Design, smoothing: float, balanced: bool) -> None:
        self.design = design
        self.smoothing, self.balanced = smoothing, balanced
        # Numbers learned by a fit for each column: mean and variance of each class, variance of all, imputed value.
        self._learned = 2 * design.classes + 2
        self.preparation = Preparation(design)
        self.table = np.ascontiguousarray(design.columns), np.ascontiguousarray(design.target)

    def likelihoods(self, mask: Mask, labels: Labels, *, normalised: bool) -> Floats:
        """(repeats, n, classes) class probabilities if ``normalised``, otherwise log joint likelihoods."""
        columns, classes = int(np.count_nonzero(mask[self.design.owner])), self.design.classes
        parts = list(fits_at_once(labels, columns * self._learned, self._learned + 1))
        if len(parts) == 1:
            return self._likelihoods_of(mask, labels, normalised)
        said = np.zeros((*labels.shape, classes))
        for part in parts:
            said[part.repeats][part.is_tested] = self._likelihoods_of(mask, part.labels, normalised)[part.is_tested]
        return said

    def _likelihoods_of(self, mask: Mask, labels: Labels, normalised: bool) -> Floats:
        design, folds = self.design, max(1, int(labels.max()) + 1)
        chosen = np.flatnonzero(mask[design.owner])
        said = _core.bayes_likelihoods(
            *self.table,
            chosen.astype(np.int32),
            np.array([0, len(chosen)]),
            np.ascontiguousarray(labels)[None],
            np.zeros(1, dtype=np.int64),
            folds,
            design.classes,
            fill=self.preparation.fills(chosen, labels, folds),
            once=design.fill[chosen],
            unit=self._unit(chosen),
            smoothing=self.smoothing,
            balanced=self.balanced,
            normalised=normalised,
        )
        return np.asarray(said[0])

    def predict(self, mask: Mask, labels: Labels) -> Labels:
        """See :meth:`fsdesk.wrappers.Predictor.predict`."""
        return np.asarray(self.likelihoods(mask, labels, normalised=False).argmax(axis=2))

    def scores(self, mask: Mask, labels: Labels) -> Floats:
        """See :meth:`fsdesk.wrappers.Predictor.scores`."""
        return self.likelihoods(mask, labels, normalised=True)

    def _unit(self, chosen: Labels) -> Floats:
        """The squared scales of the columns in all fits; empty if each fit has its own scales."""
        if self.preparation.once is not None:
            return np.asarray(self.preparation.once[1][chosen] ** 2)
        return np.ones(len(chosen)) if self.design.scaling == "none" else np.empty(0)

    def error_rates(self, masks: Mask, fits: int) -> ErrorRates | None:
        """See :meth:`fsdesk.wrappers.Predictor.error_rates`."""
        chosen = [np.flatnonzero(mask[self.design.owner]) for mask in masks]
        n, learned = len(self.design.target), self._learned
        if any(fits > many_fits(n, len(own) * learned, learned + 1) for own in chosen):
            return None
        return partial(self._error_rates, chosen)

    def _error_rates(self, chosen: list[Labels], labels: Labels, labels_of: Labels, threads: int) -> Floats:
        folds = max(1, int(labels.max()) + 1)
        fills = [
            self.preparation.fills(own, labels[of], folds) for own, of in zip(chosen, labels_of.tolist(), strict=True)
        ]
        columns = np.concatenate(chosen)
        errors, _ = _core.bayes_errors(
            *self.table,
            columns.astype(np.int32),
            np.cumsum([0, *map(len, chosen)]),
            labels,
            labels_of,
            folds,
            self.design.classes,
            fill=np.concatenate(fills),
            once=self.design.fill[columns],
            unit=self._unit(columns),
            smoothing=self.smoothing,
            balanced=self.balanced,
            threads=threads,
        )
        return np.asarray(errors / np.count_nonzero(labels >= 0, axis=2)[labels_of])

    def small_fits(
        self,
        features: NDArray[np.int32],
        offsets: Labels,
        splits: NDArray[np.int8],
        split_of: Labels,
        *,
        margins: bool,
        threads: int,
    ) -> tuple[Labels, Floats]:
        """See :meth:`fsdesk.wrappers.Predictor.small_fits`."""
        errors, found = np.empty(len(split_of), dtype=np.int64), np.full((len(split_of), 2), np.nan)
        for fits in small_fits(self.preparation.gaps, features, offsets, splits, split_of, threads):
            count = len(fits.chosen)
            wrong, ahead = _core.bayes_errors(
                *self.table,
                fits.chosen,
                fits.offsets,
                fits.labels,
                fits.folds_of,
                1,
                self.design.classes,
                fill=fits.fill,
                once=np.full(count, np.nan),
                unit=np.ones(count if self.design.scaling == "none" else 0),
                smoothing=self.smoothing,
                balanced=self.balanced,
                margins=margins,
                threads=threads,
            )
            errors[fits.which] = wrong[:, 0]
            if margins:
                found[fits.which] = ahead[:, 0]
        return errors, found
