"""Predictions of held-out rows, and the resulting error with its confidence interval.

If held-out rows were used to choose among strategies, each row is predicted by several models, with subsets that the
other rows would choose (:func:`fsdesk.results.held_out_rows.own_error`). Their mean loss is used, with the variance of
a single one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.kaplan_meier import curve_of, martingale_residuals
from fsdesk.measure import CRITERIA, Criterion, Outcome
from fsdesk.measure.criteria import weights_at
from fsdesk.results.association import CROSS_VALIDATED, Association, association_of
from fsdesk.results.held_out_error import HonestError, Source
from fsdesk.results.intervals import (
    LEAST,
    MORE,
    OF_PAIRS,
    OF_SEVERAL,
    Floats,
    Spread,
    Support,
    difference_interval,
    has_worst,
    jackknife,
    learned,
    loss_interval,
)

Codes = NDArray[np.int64]
Said = NDArray[Any]


_BY_CLASS = {"balanced error", "auc", "auc one-vs-one", "f1", "mcc"}
"""Criteria in which a rare class has the same weight as a common one."""
_ARRAYS = (
    "rows",
    "blocks",
    "folds",
    "repeats",
    "truth",
    "chosen",
    "chance",
    "everything",
    "scores",
    "simple",
    "covariates",
    "listed",
)


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Predictions for held-out rows: one entry for each time a row was tested.

    Attributes
    ----------
    criterion
        Name of the criterion, which determines their form: (m,) class codes, (m, classes) scores, (m,) numbers.
    classes
        Number of classes; 1 for numbers.
    rows
        (m,) int64 row index in the table.
    blocks
        (m,) int64 group of the row, such as its patient; the row itself if there are no groups.
    folds
        (m,) int64 index of the model that tested it.
    repeats
        (m,) int64 repetition: a row is tested at most once in each. The losses of repetitions are averaged.
    truth
        (m,) int64 class codes, or float64 numbers.
    chosen, chance
        Predictions of the model with the selected features, and of one that uses no features.
    everything, simple, listed
        Predictions of the model with all features, trained on the same rows; of the one that would be selected if only
        simple models competed; and of the one that would be selected if all features were not allowed. None if there is
        none or it could not be trained.
    costs, positive
        As in :class:`fsdesk.measure.Outcome`.
    scores
        (m, classes) scores of the model with the selected features for each class, or the votes of several models,
        which are more informative than the classes themselves; (m,) the mean of several predicted numbers. None if not
        available, and in evidence from older versions.
    target, names
        Names of the target and of its classes; empty in evidence from older versions.
    times
        (g,) times, for criteria that depend on them; predictions may then be (m, g) probabilities.
    covariates, covariates_size
        Predictions of the best model with only the features that are always in, trained on the same rows, and their
        number; None and 0 if there are none.
    """

    criterion: str
    classes: int
    rows: Codes
    blocks: Codes
    folds: Codes
    repeats: Codes
    truth: Said
    chosen: Said
    chance: Said
    everything: Said | None = None
    costs: Floats | None = None
    positive: int = 1
    scores: Floats | None = None
    target: str = ""
    names: tuple[str, ...] = ()
    simple: Said | None = None
    times: Floats | None = None
    covariates: Said | None = None
    covariates_size: int = 0
    listed: Said | None = None

    @classmethod
    def joined(cls, parts: Sequence["HeldOut"]) -> "HeldOut":
        """All entries of several objects; an array that one of them lacks is None."""
        values: dict[str, list[Said | None]] = {name: [getattr(part, name) for part in parts] for name in _ARRAYS}
        made: dict[str, Any] = {}
        for name, found in values.items():
            known = [each for each in found if each is not None]
            made[name] = np.concatenate(known) if len(known) == len(found) else None
        return replace(parts[0], **made)

    def association(self, stretch: float = CROSS_VALIDATED) -> Association | None:
        """Association of the predictions with the truth; None if no true values can be permuted.

        With several repetitions, the first one is used. ``stretch`` is as in
        :func:`fsdesk.results.association.association_of`.
        """
        once = self.repeats == self.repeats.min()
        said = self.chosen if self.scores is None else self.scores
        truth = self.truth
        if self.judged.needs == "survival" and said.ndim == 2:
            said = -said.mean(axis=1)  # a risk
        if self.judged.task == "survival":
            truth = martingale_residuals(truth)
        known = truth[once], said[once], self.folds[once], self.blocks[once]
        return association_of(*known, classes=self.classes, stretch=stretch)

    def rates(self) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """Share of the rows of each class predicted correctly over all repetitions, and number of rows per class."""
        if self.classes == 1:
            return (), ()
        said = self.chosen if self.chosen.ndim == 1 else self.chosen.argmax(axis=1)
        first = np.unique(self.rows, return_index=True)[1]
        right, times, sizes = (
            np.bincount(each, minlength=self.classes)
            for each in (self.truth[said == self.truth], self.truth, self.truth[first])
        )
        return tuple((right / np.maximum(times, 1)).round(9).tolist()), tuple(sizes.tolist())

    def singles(self) -> list["HeldOut"]:
        """Each repetition as a separate object."""
        found = []
        for repeat in np.unique(self.repeats):
            own = self.repeats == repeat
            some: dict[str, Any] = {name: getattr(self, name) for name in _ARRAYS}
            some = {name: None if each is None else each[own] for name, each in some.items()}
            found.append(replace(self, **some))
        return found

    @property
    def judged(self) -> Criterion:
        """The criterion."""
        return CRITERIA[self.criterion]

    def losses(self, kept: NDArray[np.bool_] | None = None) -> Floats:
        """(g, 6) losses for (g, m) entries to keep, all by default; NaN if unknown.

        They are those of the result, all features, chance, the simple model, covariates, and the best list.
        """
        kept = np.ones((1, len(self.rows)), dtype=np.bool_) if kept is None else kept
        compared = self.chosen, self.everything, self.chance, self.simple, self.covariates, self.listed
        found = np.full((len(kept), len(compared)), np.nan)
        for place, said in enumerate(compared):
            if said is not None:
                found[:, place] = self._losses(said, kept)
        return found

    def _losses(self, said: Said, kept: NDArray[np.bool_]) -> Floats:
        """(g,) losses averaged over the repetitions."""
        total, count = np.zeros(len(kept)), np.zeros(len(kept))
        for repeat in np.unique(self.repeats):
            own = np.flatnonzero(self.repeats == repeat)
            labels = np.where(kept[:, own], self.folds[own], -1)
            tested = (labels >= 0).any(axis=1)
            if tested.any():
                total[tested] += self.judged.loss(self._outcome(said[own], labels[tested], own))
                count[tested] += 1
        return np.asarray(np.divide(total, count, out=np.full(len(kept), np.nan), where=count > 0))

    def _outcome(self, said: Said, labels: Codes, own: Codes) -> Outcome:
        need, truth = self.judged.needs, self.truth[own]
        each = np.ascontiguousarray(np.broadcast_to(said, (len(labels), *said.shape)))
        numbers = need in ("values", "survival")
        times, weights = np.empty(0) if self.times is None else self.times, None
        if len(times):  # the times of all rows, regardless of which rows are kept
            weights = np.broadcast_to(weights_at(truth, self.folds[own][None], times), (*labels.shape, len(times)))
        return Outcome(
            labels=np.ascontiguousarray(labels),
            target=np.zeros(len(truth), dtype=np.int64) if numbers else np.ascontiguousarray(truth),
            response=truth if numbers else None,
            classes=self.classes,
            predicted=each if need == "classes" else None,
            scores=each if need in ("scores", "probabilities") else None,
            values=each if need == "values" else None,
            costs=self.costs,
            positive=self.positive,
            survival=each if need == "survival" else None,
            times=times,
            weights=weights,
        )

    def support(self, chance: float) -> Support:
        """What the losses are based on; ``chance`` is the loss without features."""
        rows, first = np.unique(self.rows, return_index=True)
        criterion, blocks = self.judged, len(np.unique(self.blocks))
        evenness = 1.0
        if self.criterion in _BY_CLASS:
            sizes = np.bincount(self.truth[first], minlength=self.classes)
            sizes = sizes[sizes > 0]
            evenness = len(sizes) ** 2 / (1.0 / sizes).sum() / len(rows)
        if self.criterion == "cost" and self.costs is not None:
            return Support(len(rows), blocks, evenness, float(self.costs.max(initial=0.0)) or 1.0)
        if criterion.unit == "%" or has_worst(criterion):
            return Support(len(rows), blocks, evenness, criterion.worst)
        return Support(len(rows), blocks, evenness, chance, bounded=False)


def chance_prediction(known: Outcome, criterion: Criterion, tested: int) -> Said:
    """Predictions for the ``tested`` rows without using features, in the form that the criterion needs.

    For classes, this is the single class that is best by the criterion on the training rows, such as the most frequent
    one; for probabilities, the shares of the classes; for scores, ties; for numbers, the mean, or the median for mean
    absolute errors; for event times, the survival curve of the training rows.

    Parameters
    ----------
    known
        The training rows with their true values, all tested in fold 0; predictions do not matter.
    """
    if criterion.needs == "classes":
        rows = len(known.target)
        every = np.repeat(np.arange(known.classes)[:, None], rows, axis=1)
        losses = criterion.loss(
            replace(known, labels=np.zeros(every.shape, dtype=np.int64), predicted=every)
        )  # fmt: skip
        return np.full(tested, int(losses.argmin()), dtype=np.int64)
    if criterion.needs == "values":
        if known.response is None:
            raise TypeError("this criterion needs numbers")
        middle = np.median(known.response) if criterion.name == "mae" else known.response.mean()
        return np.full(tested, float(middle))
    if criterion.needs == "survival":
        if known.response is None:
            raise TypeError("this criterion needs times")
        curve = curve_of(known.response)
        return np.tile([curve.at(time) for time in known.times.tolist()], (tested, 1))
    shares = np.zeros(known.classes)
    if criterion.needs == "probabilities":
        shares = np.bincount(known.target, minlength=known.classes) / len(known.target)
    return np.tile(shares, (tested, 1))


def honest_error(
    said: HeldOut,
    *,
    selected: int,
    features: int,
    source: Source = "outer folds",
    folds: int = 0,
    models: tuple[str, str] = ("", ""),
) -> HonestError:
    """The held-out error with intervals over rows, and paired differences from all features and chance.

    Parameters
    ----------
    said
        Predictions for rows that no model and no search had used.
    selected, features
        Number of features of the result, and in total.
    source, folds
        Origin of the predictions, and number of parts into which the rows were divided.
    models
        Names of the model of the result, and of the best one with all features, if models competed.
    """
    losses, singles = said.losses()[0], said.singles()
    association = said.association(1.0 if source == "another table" else CROSS_VALIDATED)
    parts = np.unique(said.folds)
    rates, sizes = said.rates()
    divided_once = len(np.unique(np.stack([said.rows, said.folds]), axis=1).T) == len(np.unique(said.rows))
    single = len(parts) > 1 and divided_once
    covariances = np.mean([jackknife(each.losses, each.blocks) for each in singles], axis=0)
    error = honest_error_of(
        said.criterion,
        losses,
        covariances,
        said.support(float(losses[2])),
        of_folds=said.losses(said.folds[None, :] == parts[:, None]) if single else None,
        selected=selected,
        features=features,
        source=source,
        folds=folds,
        several=len(singles) > 1,
    )
    model, everything_model = models
    return replace(
        error,
        model=model,
        everything_model=everything_model,
        association=None if association is None else association.value,
        association_p=None if association is None else association.p,
        target=said.target,
        names=tuple(said.names),
        rates=rates,
        sizes=sizes,
        covariates_size=said.covariates_size if said.covariates is not None else 0,
    )


def honest_error_of(
    criterion: str,
    losses: Floats,
    covariances: Floats,
    support: Support,
    *,
    of_folds: Floats | None = None,
    selected: int,
    features: int,
    source: Source = "outer folds",
    folds: int = 0,
    several: bool = False,
) -> HonestError:
    """The same as :func:`honest_error`, from losses and covariances obtained in another way, such as a bootstrap.

    Parameters
    ----------
    losses
        (6,) of the selected features, of all features, of chance, of the simple model, of covariates alone, of the best
        list; NaN if not known.
    covariances
        (6, 6) of these over the rows.
    of_folds
        (k, 6) the same losses of the single outer folds; None if rows were divided more than once.
    several
        Whether losses are means over several models for each row, with the covariances of a single one.
    """
    chosen, everything, chance, simple, covariates, listed = (
        float(loss) if np.isfinite(loss) else None for loss in losses
    )
    if chosen is None:
        raise ValueError("the loss of the selected features is not known")
    of_folds = np.empty((0, len(losses))) if of_folds is None else of_folds
    of_loss, of_pairs = (OF_SEVERAL, OF_PAIRS) if several else ((LEAST, MORE), (LEAST, MORE))

    def beside(other: int, clear: float) -> tuple[float | None, float | None, float | None]:
        """Improvement of the result over another, and its interval."""
        if not np.isfinite(losses[other]):
            return None, None, None
        gain = float(losses[other] - losses[0])
        own, others, both = (float(covariances[at]) for at in ((0, 0), (other, other), (0, other)))
        spread = Spread.of(max(own + others - 2 * both, 0.0), of_folds[:, other] - of_folds[:, 0], clear, *of_pairs)
        return gain, *(difference_interval(gain, spread, support) or (None, None))

    # Against chance, only the variation over rows matters: if nothing was learned, searches do not differ.
    chance_difference, chance_difference_low, chance_difference_high = beside(2, 0.0)
    clear = 1.0
    if chance_difference is not None and chance_difference_low is not None:
        clear = learned(chance_difference, chance_difference_low)
    difference, difference_low, difference_high = beside(1, clear)
    simple_difference, simple_low, simple_high = beside(3, clear)
    covariates_difference, covariates_low, covariates_high = beside(4, clear)
    listed_difference, listed_low, listed_high = beside(5, clear)
    interval = loss_interval(chosen, Spread.of(float(covariances[0, 0]), of_folds[:, 0], clear, *of_loss), support)
    low, high = interval or (None, None)
    return HonestError(
        criterion,
        chosen,
        low,
        high,
        everything,
        difference,
        difference_low,
        difference_high,
        chance,
        chance_difference,
        chance_difference_low,
        chance_difference_high,
        support.rows,
        support.blocks,
        selected,
        features,
        source,
        folds,
        simple=simple,
        simple_difference=simple_difference,
        simple_difference_low=simple_low,
        simple_difference_high=simple_high,
        covariates=covariates,
        covariates_difference=covariates_difference,
        covariates_difference_low=covariates_low,
        covariates_difference_high=covariates_high,
        listed=listed,
        listed_difference=listed_difference,
        listed_difference_low=listed_low,
        listed_difference_high=listed_high,
    )
