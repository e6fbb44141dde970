"""What models said about rows that they had not seen, and the honest error that follows from it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.measure import CRITERIA, Criterion, Outcome
from fsdesk.results.honest_error import HonestError, Source
from fsdesk.results.intervals import Spread, Support, difference_interval, jackknife, learned, loss_interval

__all__ = ["HeldOut", "chance_prediction", "honest_error", "honest_error_of"]

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
Said = NDArray[Any]

_BY_CLASS = {"balanced error", "auc", "auc one-vs-one", "f1", "mcc"}
"""Criteria of which a rare class is as large a part as a common one."""


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Predictions for held-out rows: one entry for each time that a row was tested.

    Attributes
    ----------
    criterion
        Name of what they are judged by, which says their form: (m,) class codes, (m, classes) scores, (m,) numbers.
    classes
        Number of classes; 1 for numbers.
    rows
        (m,) int64 number of the row in the table.
    blocks
        (m,) int64 what the row belongs to, such as its patient; the row itself where there are no groups.
    folds
        (m,) int64 which model tested it.
    repeats
        (m,) int64 in which repetition: a row is tested at most once in each. The losses of repetitions are averaged.
    truth
        (m,) int64 class codes, or float64 numbers.
    chosen, chance
        What the model of the selected features said, and what one says that knows no features.
    everything
        What the model of all features said, trained on the same rows; None where it could not be trained.
    costs, positive
        As in :class:`fsdesk.measure.Outcome`.
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

    @classmethod
    def joined(cls, parts: Sequence["HeldOut"]) -> "HeldOut":
        """All entries of several; without all features where one has none."""
        arrays = "rows", "blocks", "folds", "repeats", "truth", "chosen", "chance", "everything"
        values = {name: [getattr(part, name) for part in parts] for name in arrays}
        whole = all(each is not None for each in values["everything"])
        made: dict[str, Any] = {
            name: np.concatenate(each) for name, each in values.items() if name != "everything" or whole
        }
        if not whole:
            made["everything"] = None
        return replace(parts[0], **made)

    @property
    def judged(self) -> Criterion:
        """The criterion."""
        return CRITERIA[self.criterion]

    def losses(self, kept: NDArray[np.bool_] | None = None) -> Floats:
        """(g, 3) losses of the selected features, all features and chance, of each of (g, m) entries to keep.

        All entries where nothing is said. NaN for all features where nothing is known of them.
        """
        kept = np.ones((1, len(self.rows)), dtype=np.bool_) if kept is None else kept
        found = np.full((len(kept), 3), np.nan)
        for place, said in enumerate((self.chosen, self.everything, self.chance)):
            if said is not None:
                found[:, place] = self._losses(said, kept)
        return found

    def _losses(self, said: Said, kept: NDArray[np.bool_]) -> Floats:
        """(g,) mean over the repetitions."""
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
        numbers = need == "values"
        return Outcome(
            labels=np.ascontiguousarray(labels),
            target=np.zeros(len(truth), dtype=np.int64) if numbers else np.ascontiguousarray(truth),
            response=truth if numbers else None,
            classes=self.classes,
            predicted=each if need == "classes" else None,
            scores=each if need in ("scores", "probabilities") else None,
            values=each if numbers else None,
            costs=self.costs,
            positive=self.positive,
        )

    def support(self, chance: float) -> Support:
        """What stands behind the losses; ``chance`` is that of knowing no features."""
        rows, first = np.unique(self.rows, return_index=True)
        criterion, blocks = self.judged, len(np.unique(self.blocks))
        evenness = 1.0
        if self.criterion in _BY_CLASS:
            sizes = np.bincount(self.truth[first], minlength=self.classes)
            sizes = sizes[sizes > 0]
            evenness = len(sizes) ** 2 / (1.0 / sizes).sum() / len(rows)
        if self.criterion == "cost" and self.costs is not None:
            return Support(len(rows), blocks, evenness, float(self.costs.max(initial=0.0)) or 1.0)
        if criterion.unit == "%" or (criterion.direction == "higher" and np.isfinite(criterion.worst)):
            return Support(len(rows), blocks, evenness, criterion.worst)
        return Support(len(rows), blocks, evenness, chance, bounded=False)


def chance_prediction(known: Outcome, criterion: Criterion, tested: int) -> Said:
    """What a predictor that knows no features says about ``tested`` rows, in the form that the criterion needs.

    Of classes, the one class that is best by the criterion on the training rows, such as the most frequent one; their
    shares as probabilities, no order as scores; of numbers the mean, the median for mean absolute errors.

    Parameters
    ----------
    known
        The training rows with their truth, all tested in fold 0; what was predicted does not matter.
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
    shares = np.zeros(known.classes)
    if criterion.needs == "probabilities":
        shares = np.bincount(known.target, minlength=known.classes) / len(known.target)
    return np.tile(shares, (tested, 1))


def honest_error(
    said: HeldOut, *, selected: int, features: int, source: Source = "outer folds", folds: int = 0
) -> HonestError:
    """The error on held-out rows with intervals that count rows, and paired differences to all features and chance.

    Parameters
    ----------
    said
        What was predicted for rows that no model and no search had seen.
    selected, features
        Number of features of the answer, and of all.
    source, folds
        Where the predictions come from, and how many parts the rows were divided into.
    """
    losses = said.losses()[0]
    parts = np.unique(said.folds)
    single = len(parts) > 1 and len(np.unique(said.repeats)) == 1
    return honest_error_of(
        said.criterion,
        losses,
        jackknife(said.losses, said.blocks),
        said.support(float(losses[2])),
        of_folds=said.losses(said.folds[None, :] == parts[:, None]) if single else None,
        selected=selected,
        features=features,
        source=source,
        folds=folds,
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
) -> HonestError:
    """As :func:`honest_error`, from losses and covariances that were found in another way, such as a bootstrap.

    Parameters
    ----------
    losses
        (3,) of the selected features, of all features (NaN where they are not known), of chance.
    covariances
        (3, 3) of these over the rows.
    of_folds
        (k, 3) the same losses of the single outer folds; None where rows were divided more than once.
    """
    chosen, everything, chance = (float(loss) if np.isfinite(loss) else None for loss in losses)
    if chosen is None:
        raise ValueError("the loss of the selected features is not known")
    of_folds = np.empty((0, 3)) if of_folds is None else of_folds
    by_these_rows = source == "held-out rows of the strategies" and chance is not None and chance > 0
    by_luck = min(1.0, max(0.0, chosen / chance)) if by_these_rows and chance else 0.0

    def beside(other: int, clear: float) -> tuple[float | None, float | None, float | None]:
        """By how much the answer is better than another, and the interval of that."""
        if not np.isfinite(losses[other]):
            return None, None, None
        gain = float(losses[other] - losses[0])
        own, others, both = (float(covariances[at]) for at in ((0, 0), (other, other), (0, other)))
        spread = Spread.of(max(own + others - 2 * both, 0.0), of_folds[:, other] - of_folds[:, 0], clear, by_luck)
        return gain, *(difference_interval(gain, spread, support) or (None, None))

    # Against chance the rows alone count: where nothing was learned, no search varies in what it learned.
    chance_difference, chance_difference_low, chance_difference_high = beside(2, 0.0)
    clear = 1.0
    if chance_difference is not None and chance_difference_low is not None:
        clear = learned(chance_difference, chance_difference_low)
    difference, difference_low, difference_high = beside(1, clear)
    interval = loss_interval(chosen, Spread.of(float(covariances[0, 0]), of_folds[:, 0], clear, by_luck), support)
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
    )
