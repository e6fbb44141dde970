"""The Evaluator: takes a mask and returns a Measurement."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property, partial
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.data.dataset import Task
from fsdesk.data.kaplan_meier import LATE, events_of, inverse_chances, times_of
from fsdesk.data.outcomes import positive_class
from fsdesk.errors import SettingsError, WrapperError
from fsdesk.measure.criteria import CRITERIA, Criterion, Need, Outcome, class_named, cost_matrix
from fsdesk.measure.design import design_of
from fsdesk.measure.jobs import InOneCall, Job, OneByOne, shares
from fsdesk.measure.measurement import Measurement
from fsdesk.measure.predictors import ForwardPredictor, PreparedPredictor
from fsdesk.measure.preparing import Steps
from fsdesk.measure.resamples import LEFT_OUT, TRAINED_ON, part_of
from fsdesk.measure.settings import MeasureSettings
from fsdesk.measure.validation import Validation
from fsdesk.messages import message
from fsdesk.settings import Value, validated
from fsdesk.wrappers import STAND_IN, WRAPPERS, Predictor, Scaling, Wrapper, named_wrapper
from fsdesk.wrappers.fitting import Preparation

_FEWEST_REPEATS = 3  # before a standard error is trusted
_FROM_THE_START = ("uno", "auc at a time", "brier")  # criteria that do not support delayed entry
_USUAL: Mapping[Task, str] = {"classification": "error", "regression": "rmse", "survival": "concordance"}
_HELD: Mapping[Task, str] = {"classification": "classes", "regression": "numbers", "survival": "event times"}
LEFT, STEPS = 0.1, 30
"""Fraction of rows that survive beyond the last time of a Brier score, and the number of these times."""
_FAR = 1e3  # decision values beyond this carry no further information
_LEAST = 1e-300  # nor do probabilities below this


class Evaluator:
    """Measures masks of one data set with one wrapper; it may be shared by threads.

    Parameters
    ----------
    dataset
        The data.
    wrapper
        A wrapper's name, the name of a scikit-learn class, or a wrapper or scikit-learn estimator with its settings.
    seed
        Determines, together with the number of a measurement, its folds.
    models
        Other models that may be used instead, by name: see :meth:`of`.
    most_repeats
        The largest number of repeats for each of these models, by name; the others use all repeats.
    settings
        The fields of :class:`MeasureSettings` by name, such as ``repeats=10, folds=5, scaling="fold"``.

    Raises
    ------
    SettingsError
        If a name or value is invalid, or wrapper, criterion and target are incompatible.
    DataError
        If the table lacks what the validation needs, such as enough rows for the folds.

    Examples
    --------
    >>> import fsdesk
    >>> data = fsdesk.read_table("sample:wine")
    >>> evaluator = fsdesk.Evaluator(data, wrapper="nn", criterion="error", repeats=2, seed=0)
    >>> measured = evaluator.measure([name in ("alcohol", "flavanoids") for name in data.features], number=0)
    >>> len(measured.values), bool(measured.mean < 0.3)
    (2, True)
    """

    def __init__(
        self,
        dataset: Dataset,
        wrapper: object = STAND_IN,
        *,
        seed: int = 0,
        models: Mapping[str, Wrapper] | None = None,
        most_repeats: Mapping[str, int] | None = None,
        **settings: Value,
    ) -> None:
        self.wrapper = wrapper if isinstance(wrapper, Wrapper) else named_wrapper(wrapper).build()
        self.settings = validated(MeasureSettings, settings)
        self.seed = seed
        if seed < 0:
            raise SettingsError("A seed must be a whole number, 0 or greater (got {seed}).", seed=seed)
        self._steps = Steps(dataset, self.settings)
        if self._steps.is_any and (self.settings.scaling == "once" or not self._steps.learns):
            dataset = self._steps.whole()  # every fold has the same values
        self._prepares_folds = self._steps.is_any and dataset is self._steps.dataset
        self.dataset = dataset
        self.criterion = criterion_for(dataset, self.settings)
        _check_together(dataset, self.wrapper, self.criterion)
        self.costs = cost_matrix(self.settings.costs, dataset.classes)
        self.positive = _positive(dataset, self.settings.positive)
        self.times = times_asked(dataset, self.settings, self.criterion)
        self.validation = Validation(dataset, self.settings, seed)
        self._target = dataset.target.view()
        self._target.setflags(write=False)  # as in a design
        self._models, self._most_repeats, self._is_one_of_several = models or {}, most_repeats or {}, False
        self.repeats = self.validation.repeats
        self._others: dict[str, Evaluator] = {}
        self._prepared: dict[tuple[bytes, bytes], _Part] = {}
        _ = self._predictor  # errors in binding appear now

    def of(self, model: str) -> "Evaluator":
        """The evaluator of one of the models, on the same rows and folds; this one if no model is named."""
        if not model:
            return self
        if model not in self._others:
            other = copy(self)
            other.__dict__.pop("_predictor", None)  # bound when it is needed: single fits bind to parts
            other.wrapper, other._is_one_of_several = self._models[model], True
            other.repeats = min(self.repeats, self._most_repeats.get(model, self.repeats))
            _check_together(other.dataset, other.wrapper, other.criterion)
            self._others[model] = other
        return self._others[model]

    @cached_property
    def _predictor(self) -> Predictor:
        def bind_plain(dataset: Dataset) -> Predictor:
            return self.wrapper.bind(design_of(dataset, self.settings.scaling, self.settings.scaler))

        def bind_prepared(dataset: Dataset) -> Predictor:
            steps = self._steps if dataset is self.dataset else self._steps.of_rows(dataset)
            return PreparedPredictor(dataset, steps, bind_plain)

        bind = bind_prepared if self._prepares_folds else bind_plain
        if self.settings.protocol == "time":
            return ForwardPredictor(self.dataset, self.fold_labels(0), bind)
        return bind(self.dataset)

    def fold_labels(self, number: int) -> NDArray[np.int64]:
        """(repeats, n) fold in which each row is tested: exactly the folds of measurement ``number``.

        -1 if a row is only trained on. The model of a fold is trained on the rows with any other label, or, forward in
        time, with a smaller one.
        """
        return self.validation.labels(number)[: self.repeats]

    def predict(self, mask: NDArray[np.bool_], number: int) -> NDArray[np.int64]:
        """(repeats, n) class code predicted for each row by a model trained on the other folds."""
        return self._predictor.predict(self._checked(mask), self.fold_labels(number))

    def measure(self, mask: NDArray[np.bool_], number: int = 0) -> Measurement:
        """y(mask) on the folds of measurement ``number``: the criterion's loss in each repeat.

        Infinite if the wrapper cannot be trained on this mask; see :meth:`losses` for the reason.
        """
        whole = slice(self.repeats)
        job = self._worked(mask, number, whole)
        return self._joined([self._judged(mask, number, whole)]) if job is None else job.measured()[0]

    def _part(self, mask: NDArray[np.bool_], number: int, repeats: slice) -> NDArray[np.float64] | None:
        """Losses of some repeats; None if the wrapper cannot be trained on this mask."""
        job = self._worked(mask, number, repeats)
        return self._judged(mask, number, repeats) if job is None else job.measured()[0].values

    def _worked(self, mask: NDArray[np.bool_], number: int, repeats: slice) -> InOneCall | None:
        """Measure some repeats in one compiled call; None if the model does not support it."""
        job = self._in_one_call([mask], [number], repeats, 1)
        if job is not None:
            job.work(lambda: True)
        return job

    def _judged(self, mask: NDArray[np.bool_], number: int, repeats: slice) -> NDArray[np.float64] | None:
        """Losses of some repeats, predicted and scored; None if the wrapper cannot be trained on this mask."""
        try:
            return self.losses_of(mask, self.fold_labels(number)[repeats])
        except WrapperError:
            return None

    def _joined(self, losses: Sequence[NDArray[np.float64] | None]) -> Measurement:
        found = [each for each in losses if each is not None]
        if len(found) < len(losses):
            return Measurement(np.full(self.repeats, np.inf))
        return Measurement(np.concatenate(found))

    def divides(self, mask: NDArray[np.bool_]) -> bool:
        """Whether threads may share the repeats of one measurement of this mask."""
        repeats = self.repeats
        return repeats > 1 and not self._may_stop_early(repeats) and self._predictor.divides(mask)

    def job(
        self, masks: Sequence[NDArray[np.bool_]], numbers: Sequence[int], at_once: int = 0, threads: int = 1
    ) -> Job:
        """A job that measures several masks, each on the folds of its measurement number.

        The job covers the first ``at_once`` masks if these can be measured in one compiled call, otherwise all of them,
        divided so that all threads finish together.
        """
        if at_once:
            some = masks[:at_once]
            job = self._in_one_call(some, numbers[:at_once], slice(None), threads)
            if job is not None:
                return job
        return OneByOne(
            [
                [partial(self._part, mask, number, part) for part in own]
                for mask, number, own in zip(masks, numbers, self._parts(masks, threads), strict=True)
            ],
            self._joined,
        )

    def _parts(self, masks: Sequence[NDArray[np.bool_]], threads: int) -> list[list[slice]]:
        """For each mask, the slices of its repeats that are measured together."""
        repeats = self.repeats
        return [
            own if len(own) > 1 and self.divides(mask) else [slice(repeats)]
            for mask, own in zip(masks, shares(len(masks), threads, repeats), strict=True)
        ]

    def _in_one_call(
        self, masks: Sequence[NDArray[np.bool_]], numbers: Sequence[int], repeats: slice, threads: int
    ) -> InOneCall | None:
        settings = self.settings
        if self.criterion.name != "error" or self._may_stop_early(self.repeats):
            return None
        checked = np.array([self._checked(mask) for mask in masks])
        call = self._predictor.error_rates(checked, self.validation.fits)
        if call is None:
            return None
        labels, labels_of = self.validation.labels_of(numbers)
        labels = labels[:, : self.repeats]
        penalties = self._penalty(checked) if settings.size_penalty else None
        return InOneCall(
            len(masks), penalties, partial(call, np.ascontiguousarray(labels[:, repeats]), labels_of, threads)
        )

    def losses(self, mask: NDArray[np.bool_], number: int) -> NDArray[np.float64]:
        """(repeats,) loss of each repeat; fewer if the standard error is small enough earlier.

        Raises
        ------
        WrapperError
            If the wrapper cannot be trained on this mask, with the reason.
        """
        return self.losses_of(mask, self.fold_labels(number))

    def why_not(self, mask: NDArray[np.bool_]) -> str:
        """Why the wrapper cannot be trained on a mask with an infinite loss, in the wrapper's own words."""
        try:
            self.losses(mask, 0)
        except WrapperError as error:
            return str(error)
        return message("every measurement failed.")  # unreachable: a mask refused in the search is refused again

    def losses_of(self, mask: NDArray[np.bool_], labels: NDArray[np.int64]) -> NDArray[np.float64]:
        """The same as :meth:`losses`, on given folds: (repeats, n) as returned by :meth:`fold_labels`."""
        mask = self._checked(mask)
        if self._may_stop_early(len(labels)):
            losses = self._enough(mask, labels)
        else:
            losses = self.criterion.loss(self.outcome(mask, labels))
        return losses + self._penalty(mask) if self.settings.size_penalty else losses

    def _may_stop_early(self, repeats: int) -> bool:
        return self.settings.std_error_limit > 0.0 and repeats > _FEWEST_REPEATS

    def _penalty(self, mask: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The penalty on the size of a mask, or of each of several masks."""
        return np.asarray(self.settings.size_penalty * (mask.sum(axis=-1) / mask.shape[-1]))

    def _enough(self, mask: NDArray[np.bool_], labels: NDArray[np.int64]) -> NDArray[np.float64]:
        """Losses of the first repeats, as many as are needed to bring the standard error below the limit."""
        losses, limit = np.empty(0), self.settings.std_error_limit
        step = _FEWEST_REPEATS
        while len(losses) < len(labels):
            part = labels[len(losses) : len(losses) + step]
            losses = np.concatenate([losses, self.criterion.loss(self.outcome(mask, np.ascontiguousarray(part)))])
            if Measurement(losses).std_error < limit:
                break
            step = 1
        return losses

    def outcome(
        self,
        mask: NDArray[np.bool_],
        labels: NDArray[np.int64],
        needs: Collection[Need] | None = None,
        times: NDArray[np.float64] | None = None,
    ) -> Outcome:
        """The model's predictions for each held-out row, on folds as returned by :meth:`fold_labels`.

        Parameters
        ----------
        needs
            The forms of prediction required; by default that of the criterion.
        times
            (g,) times at which survival is predicted; by default those of the criterion.

        Raises
        ------
        WrapperError
            If the wrapper cannot be trained on this mask, with the reason.
        """
        needs = (self.criterion.needs,) if needs is None else needs
        known = self._target, self.dataset.response
        return self._outcome(self._predictor, *known, self._checked(mask), labels, needs, times)

    def _outcome(
        self,
        predictor: Predictor,
        target: NDArray[np.int64],
        response: NDArray[np.float64] | None,
        mask: NDArray[np.bool_],
        labels: NDArray[np.int64],
        needs: Collection[Need],
        times: NDArray[np.float64] | None = None,
    ) -> Outcome:
        """A model's predictions for rows with known classes or numbers."""
        scored = "scores" in needs or "probabilities" in needs
        times = self.times if times is None else times
        return Outcome(
            labels=labels,
            target=target,
            response=response,
            classes=max(1, len(self.dataset.classes)),
            predicted=predictor.predict(mask, labels) if "classes" in needs else None,
            scores=predictor.scores(mask, labels) if scored else None,
            values=predictor.values(mask, labels) if "values" in needs else None,
            costs=self.costs,
            positive=self.positive,
            survival=predictor.survival(mask, labels, times) if "survival" in needs else None,
            times=times,
        )

    def judged(
        self,
        subsets: Sequence[NDArray[np.bool_]],
        features: NDArray[np.int32],
        offsets: NDArray[np.int64],
        splits: NDArray[np.int8],
        split_of: NDArray[np.int64],
        *,
        margins: bool = True,
        threads: int = 1,
        halts: Callable[[], bool] = lambda: False,
    ) -> list[Measurement]:
        """Train one model with each subset on the training rows of a split, and score it on the tested rows.

        Parameters
        ----------
        subsets, features, offsets
            The same m subsets in two forms: (p,) masks, and feature indices with (m + 1,) offsets.
        splits, split_of
            (s, n) labels of the rows (-1 trained on, 0 tested, -2 neither), and (m,) the split of each subset.
        margins
            Whether margins are required.
        halts
            Called before each subset; returns whether to stop. Not used if the subsets are measured in one compiled
            call.

        Returns
        -------
        For each subset, or the first ones if stopped, the criterion's loss without the penalty on size, infinite if
        the model could not be trained, and the margins of the tested rows.
        """
        if self._fits_alone(margins=margins):
            return self._fitted_alone(features, offsets, splits, split_of, threads, halts)
        if self.criterion.name == "error" and not isinstance(self._predictor, ForwardPredictor):
            # The margins of neighbors are distances, which are not comparable with the margins of other models.
            margins &= self.wrapper.scores_compare or not self._is_one_of_several
            counted = self._predictor.small_fits(features, offsets, splits, split_of, margins=margins, threads=threads)
            if counted is not None:
                tested = (splits == 0).sum(axis=1)[split_of]
                pairs = zip((counted[0] / tested).tolist(), counted[1].tolist(), strict=True)
                return [Measurement(np.array([error]), (mean, deviation)) for error, (mean, deviation) in pairs]
        found: list[Measurement] = []
        for split, places in groupby(range(len(subsets)), key=split_of.tolist().__getitem__):
            members = [features[offsets[place] : offsets[place + 1]] for place in places]
            alone = _Alone(self, _Part(self, np.unique(np.concatenate(members)), splits[split]))
            for own in members:
                if halts():
                    return found
                found += alone.judged(own)
        return found

    def judged_on_both(
        self,
        subsets: Sequence[NDArray[np.bool_]],
        features: NDArray[np.int32],
        offsets: NDArray[np.int64],
        labels: NDArray[np.int8],
        *,
        threads: int = 1,
        halts: Callable[[], bool] = lambda: False,
    ) -> tuple[list[Measurement], list[Measurement]]:
        """The same as :meth:`judged`, on one split whose tested rows have two parts, 0 and 1, scored separately."""
        sides = [np.select([labels == side, labels < 0], [0, labels], -2).astype(np.int8) for side in (0, 1)]
        if not self._fits_alone(margins=True):
            none = np.zeros(len(subsets), dtype=np.int64)
            first, second = (
                self.judged(subsets, features, offsets, side[None], none, threads=threads, halts=halts)
                for side in sides
            )
            return first, second
        members = [features[begin:end] for begin, end in pairwise(offsets.tolist())]
        part = self._part_for(np.unique(features), np.minimum(labels, 0))
        first, second = self._on_part(part, members, [labels[labels >= 0] == side for side in (0, 1)], threads, halts)
        return first, second

    def _fits_alone(self, *, margins: bool) -> bool:
        """Whether a model that competes with others must predict every row instead of only counting its errors.

        It must if more than the count is required, or if it has no faster way to count.
        """
        if self.criterion.needs == "survival":  # such fits predict risks
            return False
        counts = self.criterion.name == "error" and self.wrapper.fits_quickly(self.settings.scaler)
        return self._is_one_of_several and (not counts or (margins and self.wrapper.scores_tell_more()))

    def _fitted_alone(
        self,
        features: NDArray[np.int32],
        offsets: NDArray[np.int64],
        splits: NDArray[np.int8],
        split_of: NDArray[np.int64],
        threads: int,
        halts: Callable[[], bool],
    ) -> list[Measurement]:
        """Do what :meth:`judged` does, with all subsets of a split in one compiled call if the model supports it."""
        found: list[Measurement] = []
        for split, places in groupby(range(len(split_of)), key=split_of.tolist().__getitem__):
            if halts():
                break
            members = [features[offsets[place] : offsets[place + 1]] for place in places]
            part = self._part_for(np.unique(np.concatenate(members)), splits[split])
            found += self._on_part(part, members, [None], threads, halts)[0]
        return found

    def _on_part(
        self,
        part: "_Part",
        members: Sequence[NDArray[np.integer]],
        on: "Sequence[Rows]",
        threads: int,
        halts: Callable[[], bool],
    ) -> list[list[Measurement]]:
        """Train one model with each subset on a part, and score it on each of several sets of its tested rows."""
        fits = part.fits(self.wrapper, members, threads)
        if fits is not None:
            return [self._measured(part, fits, rows) for rows in on]
        alone, found = _Alone(self, part), [list[Measurement]() for _ in on]
        for own in members:
            if halts():
                break
            for measured, one in zip(found, alone.judged(own, on), strict=True):
                measured.append(one)
        return found

    def _part_for(self, columns: NDArray[np.integer], labels: NDArray[np.int8]) -> "_Part":
        """Prepared rows and columns, reused by the next model."""
        key = labels.tobytes(), columns.tobytes()
        if key not in self._prepared:
            self._prepared.clear()  # competing models use the same part one after another
            self._prepared[key] = _Part(self, columns, labels)
        return self._prepared[key]

    def _measured(self, part: "_Part", fits: NDArray[np.float64], on: "Rows") -> list[Measurement]:
        """The losses of (m, tested, classes) scores or (m, tested) numbers, and the margins of the tested rows."""
        is_scored, dataset = fits.ndim == 3, part.dataset
        tested = part.labels[0] == 0
        if on is not None:
            tested[tested], fits = on, fits[:, on]
        outcome = Outcome(
            labels=np.zeros(fits.shape[:2], dtype=np.int64),
            target=dataset.target[tested],
            response=None if dataset.response is None else dataset.response[tested],
            classes=max(1, len(dataset.classes)),
            predicted=fits.argmax(axis=2) if is_scored else None,
            scores=fits if is_scored else None,
            values=None if is_scored else fits,
            costs=self.costs,
            positive=self.positive,
            times=self.times,
            weights=self._weights_at(part, tested, len(fits)),
        )
        losses = self.criterion.loss(outcome)
        means, deviations = _leads(fits, outcome.target, self.wrapper) if is_scored else (losses, losses)
        finite = np.isfinite(fits).all(axis=tuple(range(1, fits.ndim))) & np.isfinite(losses)
        return [
            Measurement(np.array([loss if good else np.inf]), (mean, deviation) if is_scored else (math.nan, math.nan))
            for loss, good, mean, deviation in zip(
                losses.tolist(), finite.tolist(), means.tolist(), deviations.tolist(), strict=True
            )
        ]

    def _weights_at(self, part: "_Part", tested: NDArray[np.bool_], fits: int) -> NDArray[np.float64] | None:
        """(fits, tested, g) weights at the times of the criterion, from the training rows of a part."""
        y = part.dataset.response
        if not len(self.times) or y is None:
            return None
        trained = y[part.labels[0] == TRAINED_ON]
        own = inverse_chances(
            times_of(y[tested]), events_of(y[tested]), self.times, times_of(trained), events_of(trained)
        )
        return np.broadcast_to(own, (fits, *own.shape))

    def outcome_alone(
        self,
        mask: NDArray[np.bool_],
        labels: NDArray[np.int8],
        needs: Collection[Need] | None = None,
        times: NDArray[np.float64] | None = None,
    ) -> Outcome:
        """Predictions for the rows labeled 0 by a model trained on the rows labeled -1 with the features of a mask.

        The rows of the outcome are those labeled 0 or -1, in order. Raises WrapperError like :meth:`outcome`.
        """
        columns = np.flatnonzero(mask)
        return _Alone(self, self._part_for(columns, labels)).outcome(columns, needs, times)

    def _checked(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        mask = np.asarray(mask, dtype=np.bool_)
        if mask.shape != (len(self.dataset.features),) or not mask.any():
            raise ValueError(
                f"A mask has one truth value for each of the {len(self.dataset.features)} features, at least one true; "
                f"this one has shape {mask.shape} and {int(mask.sum())} true."
            )
        return mask


class _Part:
    """The rows of one split and a few features, prepared for any model.

    Parameters
    ----------
    columns
        Feature indices, ascending.
    labels
        (n,) labels of the rows: -1 trained on, 0 tested, -2 neither.
    """

    def __init__(self, evaluator: Evaluator, columns: NDArray[np.integer], labels: NDArray[np.int8]) -> None:
        self.columns = columns
        rows = np.flatnonzero(labels > LEFT_OUT)
        self.labels = labels[rows].astype(np.int64)[None, :]
        self.dataset = part_of(evaluator.dataset, rows, columns)
        if evaluator._prepares_folds:
            x = evaluator._steps.values(rows, self.labels[0] == TRAINED_ON, columns)
            self.dataset = replace(self.dataset, x=x)
        settings = evaluator.settings
        scaling: Scaling = "none" if settings.scaling == "none" else "fold"
        self.design = design_of(self.dataset, scaling, settings.scaler)

    @cached_property
    def _rows(self) -> tuple[NDArray[np.float64], NDArray[Any], NDArray[np.float64]]:
        """(q, trained) imputed and scaled columns, with classes or numbers, and (q, tested) columns."""
        every = np.ones(len(self.columns), dtype=np.bool_)
        (fold,) = Preparation(self.design).folds(every, self.labels)
        known = self.dataset.target if self.dataset.response is None else self.dataset.response
        return np.ascontiguousarray(fold.x_train.T), known[fold.train], np.ascontiguousarray(fold.x_test.T)

    def fits(
        self, wrapper: Wrapper, members: Sequence[NDArray[np.integer]], threads: int
    ) -> NDArray[np.float64] | None:
        """The model's predictions for the tested rows with each of several subsets; None if it has no such call."""
        train, y, test = self._rows
        begins = np.searchsorted(self.design.owner, np.arange(len(self.columns) + 1))
        own = [np.searchsorted(self.columns, each) for each in members]
        if len(begins) - 1 != len(self.design.owner):  # categories have columns of their own
            own = [np.concatenate([np.arange(begins[one], begins[one + 1]) for one in each]) for each in own]
        offsets = np.cumsum([0, *map(len, own)])
        classes = max(1, len(self.dataset.classes))
        return wrapper.single_fits(train, y, test, np.concatenate(own).astype(np.int32), offsets, classes, threads)


Rows = NDArray[np.bool_] | None
"""(tested,) which of the tested rows to use; None: all."""


class _Alone:
    """The model bound to a part, so that other rows and features take no time."""

    def __init__(self, evaluator: Evaluator, part: _Part) -> None:
        self.evaluator, self.columns, self.labels, self.dataset = evaluator, part.columns, part.labels, part.dataset
        self.predictor = evaluator.wrapper.bind(part.design).on(part.labels)
        gives = evaluator.wrapper.scores_are() if evaluator.dataset.response is None else None
        self.needs: Collection[Need] = {evaluator.criterion.needs} | ({"scores"} if gives else set())

    def judged(self, own: NDArray[np.integer], on: Sequence[Rows] = (None,)) -> list[Measurement]:
        """The criterion's loss with some of the features, and the margins, on each of several sets of tested rows."""
        try:
            outcome = self.outcome(own)
        except WrapperError:
            return [Measurement(np.array([np.inf]))] * len(on)
        found = []
        for rows in on:
            labels = self.labels.copy()
            if rows is not None:
                labels[labels == 0] = np.where(rows, 0, -1)
            part = replace(outcome, labels=labels)
            loss = float(self.evaluator.criterion.loss(part)[0])
            found.append(Measurement(np.array([loss if np.isfinite(loss) else np.inf]), self._margin(part)))
        return found

    def _margin(self, part: Outcome) -> tuple[float, float]:
        if not self.evaluator._is_one_of_several:
            return margin(part)
        if part.scores is None:
            return math.nan, math.nan
        tested = part.labels[0] == 0
        means, deviations = _leads(part.scores[:, tested], part.target[tested], self.evaluator.wrapper)
        return float(means[0]), float(deviations[0])

    def outcome(
        self,
        own: NDArray[np.integer],
        needs: Collection[Need] | None = None,
        times: NDArray[np.float64] | None = None,
    ) -> Outcome:
        """The model's predictions with some of the features."""
        mask = np.zeros(len(self.columns), dtype=np.bool_)
        mask[np.searchsorted(self.columns, own)] = True
        known = self.dataset.target, self.dataset.response
        return self.evaluator._outcome(self.predictor, *known, mask, self.labels, needs or self.needs, times)


def margin(outcome: Outcome) -> tuple[float, float]:
    """Mean and standard deviation over the tested rows of (a - b) / (|a| + |b|), which lies in [-1, 1].

    a is the score of a row's own class, b the best score of the others. NaN if there are no scores.
    """
    if outcome.scores is None:
        return math.nan, math.nan
    tested = outcome.labels[0] == 0
    scores, target = outcome.scores[0, tested], outcome.target[tested]
    own = scores[np.arange(len(target)), target]
    others = scores.copy()
    others[np.arange(len(target)), target] = -np.inf
    best = others.max(axis=1)
    lead = (own - best) / np.maximum(np.abs(own) + np.abs(best), 1e-12)
    return float(lead.mean()), float(lead.std())


def _leads(
    scores: NDArray[np.float64], target: NDArray[np.int64], wrapper: Wrapper
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(m,) mean and standard deviation of the leads of (m, tested, classes) scores, comparable between models.

    The lead of a row is the score of its own class minus the best of the others. For probabilities it is the difference
    of the logarithms: near 0 and 1, the probabilities themselves no longer show how clear a row is, and an
    overconfident model would seem the clearest. With two classes, each decision value is the negative of the other. NaN
    if scores are not comparable, see :class:`fsdesk.wrappers.Wrapper`.
    """
    if not wrapper.scores_compare:
        return np.full(len(scores), np.nan), np.full(len(scores), np.nan)
    rows = np.arange(len(target))
    scores = np.clip(scores, -_FAR, _FAR)
    own = scores[:, rows, target]
    others = scores.copy()
    others[:, rows, target] = -np.inf
    best = others.max(axis=2)
    # Rounded, as the last digits of logarithms differ between systems.
    lead = np.round(_log(own) - _log(best), 9) if wrapper.scores_are() == "probabilities" else own - best
    return lead.mean(axis=1), lead.std(axis=1)


def _log(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.log(np.maximum(probabilities, _LEAST))


def loss_of_a_row(dataset: Dataset, settings: MeasureSettings, rows: int = 0) -> float:
    """How much one more misclassified row raises the error over all rows, or over the given number of rows.

    0 if the criterion does not count rows.
    """
    measured = min(rows or len(dataset.target), len(dataset.target))
    return 1.0 / measured if criterion_for(dataset, settings).name == "error" else 0.0


def criterion_for(dataset: Dataset, settings: MeasureSettings) -> Criterion:
    """The criterion named in the settings, or the default one for this target."""
    return CRITERIA[_USUAL[dataset.task] if settings.criterion == "auto" else settings.criterion]


def times_asked(dataset: Dataset, settings: MeasureSettings, criterion: Criterion) -> NDArray[np.float64]:
    """(g,) times at which a criterion is evaluated: one, or as many as a mean over time needs; none for others."""
    if not dataset.event or dataset.response is None or criterion.name not in ("auc at a time", "brier"):
        return np.empty(0)
    if criterion.name == "auc at a time":
        return np.array([settings.horizon or usual_horizon(dataset.response)])
    last = settings.horizon or float(np.quantile(dataset.times, 1 - LEFT))
    return np.asarray(last * np.arange(1, STEPS + 1) / STEPS)


def usual_horizon(response: NDArray[np.float64]) -> float:
    """The default time horizon: the median of the event times."""
    times, events = times_of(response), events_of(response)
    return float(np.median(times[events] if events.any() else times))


def _check_together(dataset: Dataset, wrapper: Wrapper, criterion: Criterion) -> None:
    task = dataset.task
    title, kind = wrapper.called(), _HELD
    if criterion.task != task:
        fitting = ", ".join(f'"{each.name}"' for each in CRITERIA if each.task == task)
        raise SettingsError(
            '{title} evaluates {kind}, but the target "{target_name}" contains {kind2}. Choose one of the criteria '
            "{fitting}.",
            title=criterion.title,
            kind=kind[criterion.task],
            target_name=dataset.target_name,
            kind2=kind[task],
            fitting=fitting,
        )
    if dataset.is_late and criterion.name in _FROM_THE_START:
        raise SettingsError(
            '{title} cannot be measured: {why} Choose the criterion "concordance".', title=criterion.title, why=LATE
        )
    if not wrapper.can_predict(task):
        fitting = ", ".join(f'"{entry.name}"' for entry in WRAPPERS if task in entry.model.tasks)
        raise SettingsError(
            '{title} cannot predict {kind}, which the target "{target_name}" contains. Choose one of the wrappers '
            "{fitting}.",
            title=title,
            kind=kind[task],
            target_name=dataset.target_name,
            fitting=fitting,
        )
    gives = wrapper.scores_are()
    if (criterion.needs == "scores" and gives is None) or (
        criterion.needs == "probabilities" and gives != "probabilities"
    ):
        fitting = ", ".join(
            f'"{entry.name}"'
            for entry in WRAPPERS
            if entry.model.gives == "probabilities" or (criterion.needs == "scores" and entry.model.gives)
        )
        raise SettingsError(
            "{title} needs {needs}, which {title2} does not provide. Choose one of the wrappers {fitting}.",
            title=criterion.title,
            needs=criterion.needs,
            title2=title,
            fitting=fitting,
        )


def _positive(dataset: Dataset, name: str) -> int:
    if name:
        return class_named(name, dataset.classes)
    return positive_class(dataset.classes, dataset.class_sizes) if len(dataset.classes) == 2 else 1
