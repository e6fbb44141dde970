"""Criteria, each a loss to minimize, with a display name and a unit.

Rows of one repeat are scored together, so that an error is the number of misses over all tested rows. Areas under ROC
curves are the exception: scores of different folds come from different models, so each fold has its own curve, and the
mean is reported (Forman & Scholz, SIGKDD Explorations 12, 2010); if no fold tests two classes, all rows are pooled. For
the same reason, concordance counts pairs within a fold, and pairs of all rows if no fold has any.

Rows censored before a time provide no information about it; other rows are weighted to compensate, with weights from
the training rows of each fold.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.kaplan_meier import censoring, events_of, inverse_chances, times_of
from fsdesk.errors import SettingsError, did_you_mean
from fsdesk.kernels import _core
from fsdesk.messages import message
from fsdesk.wrappers import Task

Need = Literal["classes", "scores", "probabilities", "values", "survival"]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Outcome:
    """Predictions for held-out rows, and the truth.

    Attributes
    ----------
    labels
        (repeats, n) fold in which each row was tested; -1 if in none.
    target, response
        (n,) class codes; (n,) numbers in regression; outcomes as in :mod:`fsdesk.data.kaplan_meier` in survival.
    classes
        Number of classes.
    predicted, scores, values
        (repeats, n) class codes; (repeats, n, classes); (repeats, n): whichever the criterion needs.
    costs
        (classes, classes) cost of predicting the second class for a row of the first.
    positive
        Code of the positive class of F1.
    survival
        (repeats, n, g) probabilities of being event-free after each of ``times``.
    times
        (g,) times at which the criterion is evaluated.
    weights
        (repeats, n, g) weights of the rows at these times, as in :func:`fsdesk.data.kaplan_meier.inverse_chances`;
        None: computed from the rows of this outcome that are not tested in the row's fold, or from all rows if there
        are none.
    """

    labels: NDArray[np.int64]
    target: NDArray[np.int64]
    response: Floats | None
    classes: int
    predicted: NDArray[np.int64] | None = None
    scores: Floats | None = None
    values: Floats | None = None
    costs: Floats | None = None
    positive: int = 1
    survival: Floats | None = None
    times: Floats = field(default_factory=lambda: np.empty(0))
    weights: Floats | None = None

    @property
    def sizes(self) -> Floats:
        """(repeats,) number of tested rows."""
        return np.asarray((self.labels >= 0).sum(axis=1), dtype=np.float64)

    def confusion(self) -> Floats:
        """(repeats, classes, classes) number of tested rows of the first class predicted as the second."""
        if self.predicted is None:
            raise TypeError("this criterion needs predicted classes")
        repeats, k = len(self.labels), self.classes
        place = (np.arange(repeats)[:, None] * k + self.target) * k + self.predicted
        counts = np.bincount(place[self.labels >= 0], minlength=repeats * k * k)
        return counts.reshape(repeats, k, k).astype(np.float64)

    def residuals(self) -> Floats:
        """(repeats, n) prediction minus truth; 0 for rows that were not tested."""
        if self.values is None or self.response is None:
            raise TypeError("this criterion needs predicted numbers")
        return np.where(self.labels >= 0, self.values - self.response, 0.0)


@dataclass(frozen=True)
class Criterion:
    """A way to score predictions.

    Attributes
    ----------
    name, title, help
        Name as typed, name as shown, and a plain description.
    task, needs
        What must be predicted, and in what form.
    loss
        (repeats,) loss of the tested rows, never NaN.
    direction
        Whether higher or lower shown values are better.
    best
        The shown value of a perfect model; the loss is the distance of the shown value from it.
    worst
        The largest possible loss.
    unit
        "%": a fraction shown in percent; "": a plain number; "target": in units of the target.
    source
        Definition.
    scoring, scoring_of_several
        Name of the closest scikit-learn score, and of the one for more than two classes if that differs; higher is
        better.
    """

    name: str
    title: str
    help: str
    task: Task
    needs: Need
    loss: Callable[[Outcome], Floats]
    direction: Literal["lower", "higher"] = "lower"
    best: float = 0.0
    worst: float = 1.0
    unit: Literal["%", "", "target"] = ""
    source: str = ""
    scoring: str = ""
    scoring_of_several: str = ""

    def scoring_for(self, classes: int) -> str:
        """Name of the scikit-learn score for this number of classes."""
        return self.scoring_of_several if self.scoring_of_several and classes > 2 else self.scoring

    def shown(self, loss: float) -> float:
        """The value shown for a loss: an AUC of 0.94 for a loss of 0.06."""
        return loss if self.direction == "lower" else self.best - loss

    def text(self, loss: float) -> str:
        """The shown value as text: "5.80 %", or a number with four digits, "0.9420"."""
        if not np.isfinite(loss):
            return message("not measured")
        return f"{100 * loss:.2f} %" if self.unit == "%" else f"{self.shown(loss):#.4g}".removesuffix(".")

    def deviation(self, std_error: float) -> str:
        """A standard error in the same unit, without a sign."""
        return f"{100 * std_error:.2f}" if self.unit == "%" else f"{std_error:.2g}"


class Criteria:
    """All criteria by name."""

    def __init__(self, *criteria: Criterion) -> None:
        self.entries = {criterion.name: criterion for criterion in criteria}

    def __getitem__(self, name: str) -> Criterion:
        if name not in self.entries:
            known = ", ".join(self.entries)
            raise SettingsError(
                'There is no criterion "{name}". Choose one of: {known}.{near}',
                name=name, known=known, near=did_you_mean(name, self.entries),
            )  # fmt: skip
        return self.entries[name]

    def __iter__(self) -> Iterator[Criterion]:
        return iter(self.entries.values())


def _error(tested: Outcome) -> Floats:
    if tested.predicted is None:
        raise TypeError("this criterion needs predicted classes")
    predicted, labels = np.ascontiguousarray(tested.predicted), np.ascontiguousarray(tested.labels)
    return _core.error_rates(predicted, np.ascontiguousarray(tested.target), labels)


def _balanced_error(tested: Outcome) -> Floats:
    counts = tested.confusion()
    rows = counts.sum(axis=2)
    hits = np.einsum("rkk->rk", counts)
    missed = 1.0 - np.divide(hits, rows, out=np.ones_like(hits), where=rows > 0)
    return np.asarray(missed.sum(axis=1) / (rows > 0).sum(axis=1))


def _cost(tested: Outcome) -> Floats:
    if tested.costs is None:
        raise TypeError("this criterion needs costs")
    return np.asarray((tested.confusion() * tested.costs).sum(axis=(1, 2)) / tested.sizes)


def _f1(tested: Outcome) -> Floats:
    counts = tested.confusion()
    hits = np.einsum("rkk->rk", counts)
    rows, claims = counts.sum(axis=2), counts.sum(axis=1)
    present = rows + claims > 0
    scores = np.divide(2 * hits, rows + claims, out=np.zeros_like(hits), where=present)
    if tested.classes == 2:
        return np.asarray(1.0 - scores[:, tested.positive])
    return np.asarray(1.0 - scores.sum(axis=1) / present.sum(axis=1))


def _matthews(tested: Outcome) -> Floats:
    counts = tested.confusion()
    total = counts.sum(axis=(1, 2))
    rows, claims = counts.sum(axis=2), counts.sum(axis=1)
    hits = np.einsum("rkk->r", counts)
    covariance = hits * total - (rows * claims).sum(axis=1)
    spread = (total**2 - (rows**2).sum(axis=1)) * (total**2 - (claims**2).sum(axis=1))
    return np.asarray(1.0 - np.divide(covariance, np.sqrt(spread), out=np.zeros_like(total), where=spread > 0))


def _log_loss(tested: Outcome) -> Floats:
    if tested.scores is None:
        raise TypeError("this criterion needs probabilities")
    said = np.take_along_axis(tested.scores, tested.target[None, :, None], axis=2)[:, :, 0]
    surprise = -np.log(np.clip(said, np.finfo(np.float64).eps, 1.0))
    return np.asarray(np.where(tested.labels >= 0, surprise, 0.0).sum(axis=1) / tested.sizes)


def _area_over_rest(tested: Outcome) -> Floats:
    def areas(labels: NDArray[np.int64], folds: int) -> Floats:
        found = _core.one_vs_rest_areas(np.ascontiguousarray(tested.scores), tested.target, labels, folds)
        # With two classes only the score of the second is used, as usual.
        return np.asarray(found[:, :, 1:] if tested.classes == 2 else found)

    return _area_loss(tested, areas)


def _area_over_each_other(tested: Outcome) -> Floats:
    def areas(labels: NDArray[np.int64], folds: int) -> Floats:
        found = _core.one_vs_one_areas(np.ascontiguousarray(tested.scores), tested.target, labels, folds)
        both = (found + found.transpose(0, 1, 3, 2)) / 2
        pairs = np.triu_indices(tested.classes, 1)
        return np.asarray(both[:, :, pairs[0], pairs[1]])

    return _area_loss(tested, areas)


def _area_loss(tested: Outcome, areas: Callable[[NDArray[np.int64], int], Floats]) -> Floats:
    """1 minus the area averaged over the classes and then over the folds, where it is defined."""
    found = areas(tested.labels, int(tested.labels.max()) + 1)
    if np.isnan(found).all():
        found = areas(np.minimum(tested.labels, 0), 1)
    return np.asarray(1.0 - np.nan_to_num(_mean(_mean(found)), nan=0.5))


def _mean(values: Floats) -> Floats:
    """Mean over the last axis, ignoring NaN; NaN if nothing is left."""
    present = ~np.isnan(values)
    count = present.sum(axis=-1)
    return np.asarray(np.divide(np.nansum(values, axis=-1), count, out=np.full(count.shape, np.nan), where=count > 0))


def _root_mean_square(tested: Outcome) -> Floats:
    return np.asarray(np.sqrt(np.square(tested.residuals()).sum(axis=1) / tested.sizes))


def _mean_absolute(tested: Outcome) -> Floats:
    return np.asarray(np.abs(tested.residuals()).sum(axis=1) / tested.sizes)


def _unexplained(tested: Outcome) -> Floats:
    if tested.response is None:
        raise TypeError("this criterion needs numbers")
    rows = tested.labels >= 0
    mean = (rows * tested.response).sum(axis=1) / tested.sizes
    spread = np.where(rows, np.square(tested.response - mean[:, None]), 0.0).sum(axis=1)
    missed = np.square(tested.residuals()).sum(axis=1)
    return np.asarray(np.divide(missed, spread, out=np.ones_like(missed), where=spread > 0))


def _concordance(tested: Outcome) -> Floats:
    return _pairs(tested, np.ones((len(tested.labels), len(tested.target))))


def _weighted_concordance(tested: Outcome) -> Floats:
    """Loss of a concordance whose censoring probabilities are estimated from all tested rows of a repeat."""
    if tested.response is None:
        raise TypeError("this criterion needs times")
    weights = np.zeros((len(tested.labels), len(tested.target)))
    times, events = times_of(tested.response), events_of(tested.response)
    for own, labels in zip(weights, tested.labels, strict=True):
        rows = np.flatnonzero(labels >= 0)
        chance = censoring(times[rows], events[rows])
        own[rows] = np.divide(1.0, np.square(chance), out=np.zeros(len(rows)), where=chance > 0)
    return _pairs(tested, weights)


def _pairs(tested: Outcome, weights: Floats) -> Floats:
    """1 minus the fraction of comparable pairs of rows, both tested in the same fold, that are in the right order."""
    if tested.values is None or tested.response is None:
        raise TypeError("this criterion needs risks and times")
    is_tested = tested.labels >= 0
    risks = np.where(is_tested, tested.values, 0.0)
    finite = np.asarray(np.isfinite(risks).all(axis=1))
    risks = np.ascontiguousarray(np.where(finite[:, None], risks, 0.0))
    y, folds = np.ascontiguousarray(tested.response), int(tested.labels.max()) + 1
    same = (weights == weights[:1]).all()
    parts = [slice(None)] if same else [slice(place, place + 1) for place in range(len(weights))]

    def sums_of(labels: NDArray[np.int64], folds: int) -> Floats:
        return np.concatenate([
            _core.concordances(
                risks[part], y, np.ascontiguousarray(weights[part][0]), np.ascontiguousarray(labels[part]), folds
            ).sum(axis=1)
            for part in parts
        ])  # fmt: skip

    sums = sums_of(tested.labels, folds)
    if not sums[:, 1].any():  # e.g. if each fold tests a single row
        sums = sums_of(np.minimum(tested.labels, 0), 1)
    share = np.divide(sums[:, 0], sums[:, 1], out=np.full(len(sums), 0.5), where=sums[:, 1] > 0)
    return np.where(finite, 1.0 - share, np.nan)


def weights_at(response: Floats, labels: NDArray[np.int64], times: Floats) -> Floats:
    """(repeats, n, g) weights of rows at given times, each from the training rows of its fold; see `Outcome`."""
    moments, events = times_of(response), events_of(response)
    found = np.zeros((*labels.shape, len(times)))
    for own, folds in zip(found, labels, strict=True):
        for fold in range(int(folds.max()) + 1):
            tested = folds == fold
            by = ~tested if not tested.all() else tested
            own[tested] = inverse_chances(moments[tested], events[tested], times, moments[by], events[by])
    return found


def _known_weights(tested: Outcome) -> Floats:
    if tested.response is None:
        raise TypeError("this criterion needs times")
    if tested.weights is not None:
        return tested.weights
    return weights_at(tested.response, tested.labels, tested.times)


def _area_at_time(tested: Outcome) -> Floats:
    """1 minus the fraction of correctly ordered pairs of a row with the event by the time and a row without it.

    Both rows are tested in the same fold; a pair has the weight of the row with the event.
    """
    if tested.values is None or tested.response is None or len(tested.times) != 1:
        raise TypeError("this criterion needs risks, times and one time that it asks about")
    weights, y, time = _known_weights(tested)[:, :, 0], tested.response, tested.times[0]
    values = tested.values
    had, had_not = events_of(y) & (times_of(y) <= time), times_of(y) > time

    def sums_of(labels: NDArray[np.int64]) -> Floats:
        sums = np.zeros((len(labels), 2))
        for own, folds, risks, weigh in zip(sums, labels, values, weights, strict=True):
            for fold in range(int(folds.max()) + 1):
                cases, controls = np.flatnonzero((folds == fold) & had), np.sort(risks[(folds == fold) & had_not])
                if len(cases) and len(controls):
                    lower, upper = (np.searchsorted(controls, risks[cases], side=side) for side in ("left", "right"))
                    own += weigh[cases] @ (lower + upper) / 2, weigh[cases].sum() * len(controls)
        return sums

    sums = sums_of(tested.labels)
    if not sums[:, 1].any():  # e.g. if each fold tests a single row
        sums = sums_of(np.minimum(tested.labels, 0))
    share = np.divide(sums[:, 0], sums[:, 1], out=np.full(len(sums), 0.5), where=sums[:, 1] > 0)
    risks = np.where(tested.labels >= 0, tested.values, 0.0)
    return np.where(np.isfinite(risks).all(axis=1), 1.0 - share, np.nan)


def brier_scores(tested: Outcome) -> Floats:
    """(repeats, g) Brier score at each of the times."""
    if tested.survival is None or tested.response is None:
        raise TypeError("this criterion needs survival probabilities and times")
    over = times_of(tested.response)[:, None] > tested.times[None, :]
    rows = (tested.labels >= 0)[:, :, None]
    squares = np.where(rows, _known_weights(tested) * np.square(over - tested.survival), 0.0)
    return np.asarray(squares.sum(axis=1) / tested.sizes[:, None])


def _integrated_brier(tested: Outcome) -> Floats:
    """The mean over the time from 0 to the last time evaluated, by the trapezoidal rule; the score at 0 is 0."""
    scores = np.concatenate([np.zeros((len(tested.labels), 1)), brier_scores(tested)], axis=1)
    times = np.concatenate([[0.0], tested.times])
    return np.asarray(np.trapezoid(scores, times, axis=1) / times[-1])


CRITERIA = Criteria(
    Criterion(
        "error",
        "Error",
        "Share of held-out rows whose class is predicted incorrectly.",
        "classification",
        "classes",
        _error,
        unit="%",
        source="paper, section Performance Criterion",
        scoring="accuracy",
    ),
    Criterion(
        "balanced error",
        "Balanced error",
        "The error rate of each class, averaged over the classes, so that rare classes count as much as common ones.",
        "classification",
        "classes",
        _balanced_error,
        unit="%",
        source="1 less the mean recall",
        scoring="balanced_accuracy",
    ),
    Criterion(
        "cost",
        "Mean cost",
        "Average cost of the errors per row, using your costs; errors without a cost count 1.",
        "classification",
        "classes",
        _cost,
        worst=np.inf,
        source="C. Elkan, The Foundations of Cost-Sensitive Learning, IJCAI 2001",
        scoring="accuracy",
    ),
    Criterion(
        "auc",
        "AUC",
        "Probability that a row of a class scores higher for that class than a row of another class; with more than "
        "two classes, the one-vs-rest mean.",
        "classification",
        "scores",
        _area_over_rest,
        direction="higher",
        best=1.0,
        source="J. Hanley and B. McNeil, Radiology 143 (1982); mean over folds",
        scoring="roc_auc",
        scoring_of_several="roc_auc_ovr",
    ),
    Criterion(
        "auc one-vs-one",
        "AUC, one vs one",
        "Like AUC, but with more than two classes the mean over all pairs of classes, regardless of their sizes.",
        "classification",
        "scores",
        _area_over_each_other,
        direction="higher",
        best=1.0,
        source="D. Hand and R. Till, Machine Learning 45 (2001)",
        scoring="roc_auc",
        scoring_of_several="roc_auc_ovo",
    ),
    Criterion(
        "log loss",
        "Log loss",
        "Negative log-likelihood of the true class; confident errors are penalized most.",
        "classification",
        "probabilities",
        _log_loss,
        worst=float(-np.log(np.finfo(np.float64).eps)),
        unit="",
        source="natural logarithm of the probability given to the true class",
        scoring="neg_log_loss",
    ),
    Criterion(
        "f1",
        "F1",
        "Harmonic mean of precision and recall; with more than two classes, the mean over the classes.",
        "classification",
        "classes",
        _f1,
        direction="higher",
        best=1.0,
        source="harmonic mean of precision and recall; from all rows of a repeat",
        scoring="f1_macro",
    ),
    Criterion(
        "mcc",
        "Matthews correlation",
        "Agreement of predicted and true classes: 1 is perfect, 0 is chance level, regardless of class sizes.",
        "classification",
        "classes",
        _matthews,
        direction="higher",
        best=1.0,
        worst=2.0,
        source="J. Gorodkin, Comput. Biol. Chem. 28 (2004)",
        scoring="matthews_corrcoef",
    ),
    Criterion(
        "rmse",
        "RMSE",
        "Root mean squared error, in the unit of the target; large errors weigh more.",
        "regression",
        "values",
        _root_mean_square,
        worst=np.inf,
        unit="target",
        source="root of the mean squared error",
        scoring="neg_root_mean_squared_error",
    ),
    Criterion(
        "mae",
        "MAE",
        "Mean absolute error, in the unit of the target.",
        "regression",
        "values",
        _mean_absolute,
        worst=np.inf,
        unit="target",
        source="mean absolute error",
        scoring="neg_mean_absolute_error",
    ),
    Criterion(
        "r2",
        "R2",
        "Share of the variance of the target explained by the model: 1 is all, 0 none.",
        "regression",
        "values",
        _unexplained,
        direction="higher",
        best=1.0,
        worst=np.inf,
        source="1 less the residual sum of squares over the total",
        scoring="r2",
    ),
    Criterion(
        "concordance",
        "Concordance",
        "Probability that, of two rows, the one with the earlier event was given the higher risk; 0.5 is chance level.",
        "survival",
        "values",
        _concordance,
        direction="higher",
        best=1.0,
        source="F. E. Harrell et al., JAMA 247 (1982); pairs within a fold, equal risks count half",
    ),
    Criterion(
        "uno",
        "Concordance (Uno)",
        "Like concordance, but with pairs weighted so that it does not depend on the censoring distribution.",
        "survival",
        "values",
        _weighted_concordance,
        direction="higher",
        best=1.0,
        source="H. Uno et al., Stat. Med. 30 (2011); chances to be censored from the tested rows",
    ),
    Criterion(
        "auc at a time",
        "AUC at a time",
        "Probability that a row with the event by this time was given a higher risk than a row without it; 0.5 is "
        "chance level.",
        "survival",
        "values",
        _area_at_time,
        direction="higher",
        best=1.0,
        source="H. Uno et al., J. Am. Stat. Assoc. 102 (2007); pairs within a fold, weights from the training rows",
    ),
    Criterion(
        "brier",
        "Integrated Brier score",
        "Squared difference between predicted survival curves and observed outcomes, averaged over time; always "
        "predicting one half gives 0.25.",
        "survival",
        "survival",
        _integrated_brier,
        worst=np.inf,
        source="E. Graf et al., Stat. Med. 18 (1999); weights from the training rows",
    ),
)


def cost_matrix(text: str, classes: tuple[str, ...]) -> Floats:
    """(classes, classes) costs from text such as "ill > healthy = 5; healthy > ill = 1".

    Each cost is that of predicting the second class for a row of the first; mistakes that are not listed cost 1.

    Raises
    ------
    SettingsError
        If an entry is not "true class > predicted class = cost", names an unknown class, or has a negative cost.
    """
    matrix = 1.0 - np.eye(len(classes))
    example = f"{classes[0]} > {classes[-1]}" if classes else "ill > healthy"
    for entry in _entries(text, classes):
        first, second, cost = _read(entry, classes)
        if not (0 <= cost < np.inf) or not first.strip() or not second.strip():
            raise SettingsError(
                'Setting "costs": "{entry}" is not of the form "true class > predicted class = cost", such as '
                '"{example} = 5"; separate entries by ";".',
                entry=entry.strip(),
                example=example,
            )
        matrix[class_named(first, classes), class_named(second, classes)] = cost
    return matrix


def _entries(text: str, classes: tuple[str, ...]) -> Iterator[str]:
    """The entries separated by semicolons; class names may contain one too, so an entry is the shortest valid text."""
    parts = text.split(";")
    while parts:
        ways = (";".join(parts[:count]) for count in range(1, len(parts) + 1))
        entry = next((way for way in ways if _is_known(way, classes)), parts[0])
        del parts[: entry.count(";") + 1]
        if entry.strip():
            yield entry


def _is_known(entry: str, classes: tuple[str, ...]) -> bool:
    first, second, cost = _read(entry, classes)
    return first in classes and second in classes and 0 <= cost < np.inf


def _read(entry: str, classes: tuple[str, ...]) -> tuple[str, str, float]:
    """The two names of an entry and its cost, NaN if it has none."""
    pair, _, number = entry.rpartition("=")
    try:
        return *_pair(pair, classes), float(number)
    except ValueError:
        return *_pair(pair, classes), np.nan


def class_named(name: str, classes: tuple[str, ...]) -> int:
    """Code of a class; SettingsError listing the valid names."""
    if name.strip() not in classes:
        known = ", ".join(f'"{each}"' for each in classes[:10]) + (", ..." if len(classes) > 10 else "")
        raise SettingsError('There is no class "{name}"; the classes are {known}.', name=name.strip(), known=known)
    return classes.index(name.strip())


def _pair(text: str, classes: tuple[str, ...]) -> tuple[str, str]:
    """The two names around the separating ">"; names such as ">50K" may contain one themselves."""
    places = [place for place, letter in enumerate(text) if letter == ">"] or [len(text)]
    ways = [(text[:place].strip(), text[place + 1 :].strip()) for place in places]
    known = [way for way in ways if way[0] in classes and way[1] in classes]
    return (known or [way for way in ways if all(way)] or ways)[0]
