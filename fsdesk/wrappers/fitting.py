"""Models trained separately for each fold: preparation of the training folds, and common return values."""

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fsdesk.wrappers.columns import Gaps, in_blocks, slices
from fsdesk.wrappers.wrapper import Design, Predictor, Scaler, Wrapper

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
Mask = NDArray[np.bool_]

LOWEST = -np.finfo(np.float64).max


class Model(Protocol):
    """A model trained on the rows of one fold; its classes have codes 0 to ``classes`` - 1."""

    def predict(self, x: Floats) -> NDArray[np.int64]:
        """(m,) codes among the classes that it was trained on."""

    def scores(self, x: Floats) -> Floats:
        """(m, classes) scores, for the classes that it was trained on."""

    def values(self, x: Floats) -> Floats:
        """(m,) responses."""


class SurvivalModel(Model, Protocol):
    """A model trained on times to an event."""

    def survival(self, x: Floats, times: Floats) -> Floats:
        """(m, g) probabilities of being event-free after each of (g,) times."""


@dataclass(frozen=True, eq=False)
class Fold:
    """One fit.

    Attributes
    ----------
    repeat
        The repeat it belongs to.
    train, test
        Row indices.
    x_train, x_test
        (rows, q) imputed and scaled.
    """

    repeat: int
    train: NDArray[np.int64]
    test: NDArray[np.int64]
    x_train: Floats
    x_test: Floats


class Preparation:
    """Imputes and scales from the training rows of each fold, as specified by the design."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self.gaps = Gaps(design)
        self.has_gaps = self.gaps.has_gaps
        self.once: tuple[Floats, Floats] | None = None
        if design.scaling == "once":
            self.once = in_blocks(lambda part: scale_of(part, design.scaler), design)

    def folds(self, mask: Mask, labels: Labels) -> Iterator[Fold]:
        """Every fit that tests at least one row, with its rows prepared."""
        chosen = np.flatnonzero(mask[self.design.owner])
        folds = int(labels.max()) + 1
        fill = self.fills(chosen, labels, folds)
        for fit in range(len(labels) * folds):
            repeat, fold = divmod(fit, folds)
            own = labels[repeat]
            test = np.flatnonzero(own == fold)
            if not len(test):
                continue
            train = np.flatnonzero(own != fold)
            x_train, x_test = np.empty((len(train), len(chosen))), np.empty((len(test), len(chosen)))
            for part in slices(len(chosen), len(own)):  # a few columns at a time: no other copy of a wide table
                x_train[:, part], x_test[:, part] = self._prepared(chosen[part], fill[part, fit], train, test)
            yield Fold(repeat, train, test, x_train, x_test)

    def _prepared(
        self, chosen: NDArray[np.int64], fill: Floats, train: NDArray[np.int64], test: NDArray[np.int64]
    ) -> tuple[Floats, Floats]:
        """Training and test rows of some columns, imputed and scaled."""
        columns = self.design.filled(chosen)
        if self.once is not None:
            columns = (columns - self.once[0][chosen, None]) / self.once[1][chosen, None]
        gaps = np.flatnonzero(self.has_gaps[chosen])
        columns[gaps] = np.where(np.isnan(columns[gaps]), fill[gaps, None], columns[gaps])
        x_train, x_test = columns[:, train], columns[:, test]
        if self.design.scaling == "fold":
            center, scale = scale_of(x_train, self.design.scaler)
            x_train = (x_train - center[:, None]) / scale[:, None]
            x_test = (x_test - center[:, None]) / scale[:, None]
        return x_train.T, x_test.T

    def fills(self, chosen: NDArray[np.int64], labels: Labels, folds: int) -> Floats:
        """(chosen, repeats * folds) imputed value of each column in each fit; 0 if nothing is missing."""
        fill = np.zeros((len(chosen), len(labels) * folds))
        gaps = np.flatnonzero(self.has_gaps[chosen])
        if len(gaps):
            fill[gaps], _ = self.gaps.fills(chosen[gaps], labels, folds)
        return fill


def scale_of(columns: Floats, scaler: Scaler) -> tuple[Floats, Floats]:
    """(q,) center and scale of each complete column (q, rows); a scale of 0 is treated as 1: see :class:`Design`."""
    if scaler in ("z-score", "pareto"):
        center, scale = columns.mean(axis=1), columns.std(axis=1)
        # The mean of equal values may differ from them by rounding, and leave a meaningless standard deviation.
        is_constant = columns.max(axis=1) == columns.min(axis=1)
        center, scale = np.where(is_constant, columns[:, 0], center), np.where(is_constant, 0.0, scale)
        if scaler == "pareto":
            scale = np.sqrt(scale)
    elif scaler == "min-max":
        center = columns.min(axis=1)
        scale = columns.max(axis=1) - center
    else:
        low, center, high = np.quantile(columns, [0.25, 0.5, 0.75], axis=1)
        scale = high - low
    return center, np.where(scale > 0, scale, 1.0)


class Shares:
    """The fallback if the features carry no information: the most frequent class, with class proportions as scores."""

    def __init__(self, codes: Labels) -> None:
        self.shares = np.bincount(codes) / len(codes)

    def predict(self, x: Floats) -> Labels:
        """(m,) the most frequent class; the first one if there are ties."""
        return np.full(len(x), self.shares.argmax())

    def scores(self, x: Floats) -> Floats:
        """(m, classes) class proportions."""
        return np.tile(self.shares, (len(x), 1))

    def values(self, x: Floats) -> Floats:
        """Not available for classes."""
        raise TypeError("shares of classes are no numbers")


@dataclass(frozen=True, eq=False)
class OneFit:
    """A model based on a wrapper's single fits: each prediction call trains it once, for all rows of the call."""

    wrapper: Wrapper
    x: Floats
    y: NDArray[np.generic]

    def predict(self, x: Floats) -> Labels:
        """(m,) the class with the largest score; the first one if there are ties."""
        return np.asarray(self.scores(x).argmax(axis=1), dtype=np.int64)

    def scores(self, x: Floats) -> Floats:
        """(m, classes) scores."""
        codes = np.asarray(self.y, dtype=np.int64)
        return self._said(codes, x, int(codes.max()) + 1)

    def values(self, x: Floats) -> Floats:
        """(m,) numbers."""
        return self._said(np.asarray(self.y, dtype=np.float64), x, 1)

    def _said(self, y: Labels | Floats, x: Floats, classes: int) -> Floats:
        train, test = np.ascontiguousarray(self.x.T), np.ascontiguousarray(x.T)
        every, ends = np.arange(len(train), dtype=np.int32), np.array([0, len(train)])
        said = self.wrapper.single_fits(train, y, test, every, ends, classes, 1)
        if said is None:
            raise TypeError(f"{type(self.wrapper).__name__} has no single fits")
        return np.asarray(said[0])


class FoldModels(Predictor):
    """Trains a model for each fold.

    Parameters
    ----------
    train
        Creates a model from (rows, q) features and (rows,) codes 0, 1, ..., at least two and each present; or from
        (rows,) responses in regression.
    decisions
        Scores are decision values, for which 0 has no special meaning: a class not trained on gets the lowest.
    """

    def __init__(
        self, design: Design, train: Callable[[Floats, NDArray[np.generic]], Model], *, decisions: bool
    ) -> None:
        self.design = design
        self.train = train
        self.unseen = LOWEST if decisions else 0.0
        self.preparation = Preparation(design)
        self._fit: Fold | None = None
        self._subset: tuple[bytes, Fold] | None = None  # the last prediction, for classes and scores of one fit
        self._trained: tuple[Fold, Model] | None = None

    def on(self, labels: Labels) -> Predictor:
        """See :meth:`fsdesk.wrappers.Predictor.on`; all columns are prepared together."""
        made = copy(self)
        made._subset, made._trained = None, None
        made._fit = next(self.preparation.folds(np.ones(int(self.design.owner[-1]) + 1, dtype=np.bool_), labels), None)
        return made

    def _folds(self, mask: Mask, labels: Labels) -> Iterator[Fold]:
        if self._fit is None:
            yield from self.preparation.folds(mask, labels)
            return
        key = mask.tobytes()
        if self._subset is None or self._subset[0] != key:
            chosen = np.flatnonzero(mask[self.design.owner])
            x_train, x_test = (np.take(x, chosen, axis=1) for x in (self._fit.x_train, self._fit.x_test))
            self._subset = key, replace(self._fit, x_train=x_train, x_test=x_test)
        yield self._subset[1]

    def _model(self, fold: Fold, *, decisions: bool = False) -> tuple[Labels, Model]:
        """The classes in the fold's training rows, and its model; proportions are not ``decisions``."""
        seen, codes = np.unique(self.design.target[fold.train], return_inverse=True)
        if len(seen) == 1 or (not decisions and (fold.x_train == fold.x_train[0]).all()):
            return seen, Shares(codes)
        if self._fit is None:
            return seen, self.train(fold.x_train, codes)
        if self._trained is None or self._trained[0] is not fold:
            self._trained = fold, self.train(fold.x_train, codes)
        return seen, self._trained[1]

    def predict(self, mask: Mask, labels: Labels) -> Labels:
        """See :meth:`fsdesk.wrappers.Predictor.predict`."""
        predicted = np.zeros(labels.shape, dtype=np.int64)
        for fold in self._folds(mask, labels):
            seen, model = self._model(fold)
            predicted[fold.repeat, fold.test] = seen[model.predict(fold.x_test)]
        return predicted

    def scores(self, mask: Mask, labels: Labels) -> Floats:
        """See :meth:`fsdesk.wrappers.Predictor.scores`."""
        scores = np.full((*labels.shape, self.design.classes), self.unseen)
        for fold in self._folds(mask, labels):
            seen, model = self._model(fold, decisions=self.unseen == LOWEST)
            scores[fold.repeat, fold.test[:, None], seen] = model.scores(fold.x_test)
        return scores

    def values(self, mask: Mask, labels: Labels) -> Floats:
        """See :meth:`fsdesk.wrappers.Predictor.values`."""
        values = np.zeros(labels.shape)
        response = self.design.response
        if response is None:
            raise TypeError("classes are no numbers")
        for fold in self._folds(mask, labels):
            values[fold.repeat, fold.test] = self.train(fold.x_train, response[fold.train]).values(fold.x_test)
        return values


class SurvivalFoldModels(FoldModels):
    """Trains a time-to-event model for each fold."""

    def __init__(self, design: Design, train: Callable[[Floats, NDArray[np.generic]], SurvivalModel]) -> None:
        super().__init__(design, train, decisions=False)
        self.trained_on_times = train

    def survival(self, mask: Mask, labels: Labels, times: Floats) -> Floats:
        """See :meth:`fsdesk.wrappers.Predictor.survival`."""
        found, response = np.ones((*labels.shape, len(times))), self.design.response
        if response is None:
            raise TypeError("classes are no times")
        for fold in self._folds(mask, labels):
            model = self.trained_on_times(fold.x_train, response[fold.train])
            found[fold.repeat, fold.test] = model.survival(fold.x_test, times)
        return found
