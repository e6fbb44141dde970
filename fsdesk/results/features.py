"""Individual features: the effect of each selected one, its error alone, and its values by class or target.

Effects in the model are accumulated local effects (Apley & Zhu, Journal of the Royal Statistical Society B 82, 2020):
on held-out rows, the change of the prediction as the feature alone moves from one end of a bin of its values to the
other, summed over the bins. Unlike partial dependence, they do not evaluate the model on combinations of values that do
not occur.

Importances are based on conditional permutation: the increase in held-out error when the information in a feature
beyond the other selected ones, the residual of its ridge regression on them, is permuted between rows. A feature that
others can replace has low importance: C. Strobl et al., Conditional variable importance for random forests, BMC
Bioinformatics 9 (2008), who permute within strata of the others.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.engine import RunSpec
from fsdesk.engine.tasks import evaluator_of
from fsdesk.errors import WrapperError
from fsdesk.kernels import _core
from fsdesk.measure import Resamples, Steps
from fsdesk.measure.design import design_of
from fsdesk.measure.filters import filter_scores
from fsdesk.measure.resamples import HELD_OUT, TRAINED_ON, columns_of, rows_of
from fsdesk.messages import message
from fsdesk.results.coefficients import Coefficient, Coefficients, Kind, coefficients
from fsdesk.results.evidence import FRESH
from fsdesk.results.feature_tests import FeatureTests, batches_of, feature_tests, values_tested
from fsdesk.wrappers import Scaling
from fsdesk.wrappers.nn import NearestNeighbours

if TYPE_CHECKING:
    from fsdesk.results.record import RunRecord

_BINS = 10
_FOLDS = 5
_MOST_ROWS = 500  # rows held out in a fold; each is predicted twice for every feature
_MOST_OTHERS = 20_000
_MOST_IMPORTANT, _MOST_EXCHANGED, _FEWEST_EXCHANGED = 60, 200, 8  # features, and held-out rows of a fold
_AT_ONCE = 500  # rows predicted at once by nearest neighbors
_EXCHANGES, _RIDGE = 3, 0.01  # of each feature in a fold; penalty as a share of the rows

Floats = NDArray[np.float64]
_SCORED_AT_ONCE = 16  # single features between two reports of progress
_MOST_LIKE = 8
_BLOCK = 2_000_000  # cells that are processed together
_ALIKE = 0.5  # correlation below which a feature can hardly stand in for another one


@dataclass(frozen=True)
class Effect:
    """The effect of a selected feature.

    Attributes
    ----------
    place
        Index of the feature.
    direction
        A message: "higher in ill", "higher with larger y", or "" if it is nominal.
    difference
        Difference between the mean of the class that stands out and that of all other rows, in units of the feature;
        None for numeric targets.
    standardised
        The same in within-class standard deviations; for numeric targets, Spearman correlation.
    effect, low, high
        Change of the prediction over the range of the feature (accumulated local effect on held-out rows, with models
        trained without them): of the probability of the class that changes most, or of the number. Mean over the folds,
        and its 95 % interval. For nearest neighbors, the change of the distances to the rows of a class is used,
        because the votes of a few hardly change with one feature among many. None if the model provides no
        probabilities or the feature is nominal.
    like, correlation
        The most similar feature that was not selected, and Pearson correlation with it; None if there is none.
    importance, importance_low, importance_high
        Decrease of the AUC or concordance, or increase of the RMSE, on held-out rows when the information in the
        feature beyond the other selected ones is permuted between rows; mean over the folds, and its 95 % interval.
        None if the model provides no scores or the feature is nominal.
    higher_in
        Name of the class in which it is higher; "" if the direction is of another kind.
    coefficient, kind
        Its coefficient in the model, and what it refers to, see :class:`fsdesk.results.coefficients.Coefficients`; None
        if the model is not linear, or for a category with several values.
    """

    place: int
    direction: str
    difference: float | None
    standardised: float | None
    effect: float | None
    like: int | None
    correlation: float | None
    low: float | None = None
    high: float | None = None
    higher_in: str = ""
    coefficient: Coefficient | None = None
    kind: Kind | None = None
    importance: float | None = None
    importance_low: float | None = None
    importance_high: float | None = None

    @property
    def stands_in(self) -> bool:
        """Whether it may stand in for the most similar feature that was not selected."""
        return self.like is not None and self.correlation is not None and abs(self.correlation) >= _ALIKE


Local = tuple[float, float, float]
_known: "WeakKeyDictionary[RunRecord, tuple[Dataset, dict[int, Local | None]]]" = WeakKeyDictionary()
"""Cache of local effects of a result's features, used by both the report and the list of features."""


_important: "WeakKeyDictionary[RunRecord, tuple[Dataset, dict[int, Local]]]" = WeakKeyDictionary()
_linear: "WeakKeyDictionary[RunRecord, tuple[Dataset, Coefficients | None]]" = WeakKeyDictionary()


def linear_model(result: "RunRecord", dataset: Dataset) -> Coefficients | None:
    """Coefficients of the result's model, computed once per result; None if it is not linear."""
    known = _linear.get(result)
    if known is None or known[0] is not dataset:
        known = _linear[result] = dataset, coefficients(result.answered, dataset, result.mask)
    return known[1]


def effects_of(result: "RunRecord", dataset: Dataset, places: Sequence[int] | None = None) -> list[Effect]:
    """Effects of the selected features at ``places``, all of them by default, in table order."""
    asked = np.flatnonzero(result.mask).tolist() if places is None else sorted(places)
    known = _known.get(result)
    if known is None or known[0] is not dataset:
        known = _known[result] = dataset, {}
    missing = [place for place in asked if place not in known[1]]
    if missing:
        measured = _local_effects(result, dataset, missing)
        known[1].update({place: measured.get(place) for place in missing})
    local = known[1]
    seen = values_tested(dataset, result.spec.measuring)
    filled, left_out = _filled(seen), np.flatnonzero(~result.mask)[:_MOST_OTHERS]
    rest = _unit(filled[:, left_out])
    tests, found = feature_tests(seen, batches_of(dataset, result.spec.measuring)), []
    linear = linear_model(result, dataset)
    important = importances(result, dataset)
    coefficient_of = {} if linear is None else {each.name: each for each in linear.features}
    for place in asked:
        direction, higher_in, difference, standardised = "", "", None, None
        if place not in dataset.categories:
            direction, higher_in, difference, standardised = _direction(seen, tests, place)
        like, correlation = _most_like(_unit(filled[:, place]), rest, left_out)
        effect, low, high = local.get(place) or (None, None, None)
        about = place, direction, difference, standardised, effect, like, correlation, low, high, higher_in
        coefficient = coefficient_of.get(dataset.features[place])
        kind = None if coefficient is None or linear is None else linear.kind
        found.append(Effect(*about, coefficient, kind, *(important.get(place) or (None, None, None))))
    return found


def _direction(dataset: Dataset, tests: FeatureTests, place: int) -> tuple[str, str, float | None, float | None]:
    """Direction as a message, the class with higher values, the difference of the means, and Cohen's d."""
    estimate, code = float(tests.estimate[place]), int(tests.code[place])
    if math.isnan(estimate):
        return "", "", None, None
    if dataset.event:
        words = message("larger: higher risk") if estimate >= 0 else message("smaller: higher risk")
        return words, "", None, estimate
    if dataset.response is not None:
        if estimate >= 0:
            return message("higher when {target} is higher", target=dataset.target_name), "", None, estimate
        return message("higher when {target} is lower", target=dataset.target_name), "", None, estimate
    name = dataset.classes[code]
    higher = estimate >= 0.5
    said = message("higher in {name}", name=name) if higher else message("lower in {name}", name=name)
    return said, name if higher else "", *_difference(dataset.x[:, place], dataset.target == code)


def _difference(values: Floats, inside: NDArray[np.bool_]) -> tuple[float | None, float | None]:
    """Difference of two means, and the same in pooled standard deviations (Cohen's d)."""
    known = ~np.isnan(values)
    exponent = int(_exponents(values[known]))
    first, second = (np.ldexp(values[known & rows], -exponent) for rows in (inside, ~inside))
    if not (len(first) and len(second)):
        return None, None
    difference = float(first.mean() - second.mean())
    squares = sum(float(((each - each.mean()) ** 2).sum()) for each in (first, second))
    pooled = math.sqrt(squares / max(1, len(first) + len(second) - 2))
    return math.ldexp(difference, exponent), difference / pooled if pooled > 0 else None


def _filled(dataset: Dataset) -> Floats:
    """(n, p) with missing values set to the median; codes of nominal features are NaN."""
    x = np.array(dataset.x, dtype=np.float64)
    for place in range(x.shape[1]):
        own = x[:, place]
        if place in dataset.categories:
            own[:] = np.nan
        elif np.isnan(own).any() and not np.isnan(own).all():
            own[np.isnan(own)] = np.nanmedian(own)
    return x


def _exponents(columns: Floats) -> NDArray[np.int32]:
    """The power of two above the largest number of each column: dividing by it is exact and makes squares finite."""
    exponents: NDArray[np.int32] = np.frexp(np.abs(columns).max(axis=0))[1]
    return exponents


def _unit(columns: Floats) -> Floats:
    """Columns with mean 0 and length 1; NaN for constant columns."""
    columns = np.ldexp(columns, -_exponents(columns))
    centred = columns - columns.mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        units: Floats = centred / np.sqrt((centred**2).sum(axis=0))
    return units


def _most_like(own: Floats, rest: Floats, others: NDArray[np.intp]) -> tuple[int | None, float | None]:
    """Index of the feature in ``others``, (n, m) unit columns ``rest``, most correlated with ``own``; correlation."""
    correlations = own @ rest
    if np.isnan(correlations).all():
        return None, None
    best = int(np.nanargmax(np.abs(correlations)))
    return int(others[best]), float(np.clip(correlations[best], -1.0, 1.0))


def _local_effects(result: "RunRecord", dataset: Dataset, places: Sequence[int]) -> dict[int, Local]:
    """The accumulated local effect of each numeric feature over folds of held-out rows, with its interval."""
    spec, numbers = result.answered, dataset.response is not None
    if not numbers and spec.build_wrapper().scores_are() != "probabilities":
        return {}
    chosen, steps = np.flatnonzero(result.mask), Steps(dataset, spec.measuring)
    columns = {place: column for column, place in enumerate(chosen.tolist())}
    probed = [place for place in places if place not in dataset.categories]
    alone, resamples = columns_of(dataset, chosen), Resamples(dataset, spec.measuring, spec.seed, _FOLDS)
    sums: dict[int, list[float]] = {}
    for fold in range(resamples.folds):
        labels = resamples.compared(fold, tested=_MOST_ROWS)
        trained, held = np.flatnonzero(labels == TRAINED_ON), np.flatnonzero(labels == HELD_OUT)
        if not len(held) or (not numbers and len(np.unique(dataset.target[trained])) < 2):
            continue
        seen = _seen(alone, steps, trained, chosen)
        says, rows = partial(_said, spec, rows_of(seen, trained)), np.ascontiguousarray(seen.x[held])
        at_once = max(1, len(trained) // len(held))  # neighbors' work grows with the square of both together
        for start in range(0, len(probed), at_once):
            some = probed[start : start + at_once]
            try:
                curves = accumulated_effects(says, rows, [columns[place] for place in some])
            except WrapperError:  # the model cannot be trained on these rows
                break
            for place, curve in zip(some, curves, strict=True):
                if curve is not None:
                    sums.setdefault(place, []).append(float(np.ptp(curve, axis=0).max()))
    return {place: _over_folds(np.array(values)) for place, values in sums.items()}


def importances(result: "RunRecord", dataset: Dataset) -> dict[int, Local]:
    """Conditional importance of each selected numeric feature, and its interval; computed once per result.

    There are none if the result has more than 60 features, or its model provides no scores.
    """
    known = _important.get(result)
    if known is None or known[0] is not dataset:
        known = _important[result] = dataset, _importances(result, dataset)
    return known[1]


def has_importances(result: "RunRecord", dataset: Dataset) -> bool:
    """Whether the model of the result, and its number of features, allow importances."""
    gives = dataset.response is not None or result.answered.build_wrapper().scores_are() is not None
    return gives and int(result.mask.sum()) <= _MOST_IMPORTANT


def _importances(result: "RunRecord", dataset: Dataset) -> dict[int, Local]:
    if not has_importances(result, dataset):
        return {}
    chosen = np.flatnonzero(result.mask)
    numeric = [place for place in range(len(chosen)) if int(chosen[place]) not in dataset.categories]

    def changed(learned: Floats, rows: Floats, rng: np.random.Generator) -> list[Floats]:
        return [exchanged(learned, rows, place, rng) for place in numeric for _ in range(_EXCHANGES)]

    found: dict[int, list[float]] = {}
    for losses in _losses_of_changed(result, dataset, changed):
        for at, place in enumerate(numeric):
            own = losses[1 + at * _EXCHANGES : 1 + (at + 1) * _EXCHANGES]
            found.setdefault(int(chosen[place]), []).append(float(np.mean(own)) - losses[0])
    return {place: _over_folds(np.array(values), least=-math.inf) for place, values in found.items()}


def block_importances(result: "RunRecord", dataset: Dataset, blocks: Mapping[str, Sequence[int]]) -> dict[str, Local]:
    """How much worse held-out rows are predicted when all selected features of a block are permuted together.

    Permuting whole rows of the block keeps the correlations within it.

    Parameters
    ----------
    blocks
        Feature indices of each block. Blocks without a selected feature are left out of the result.
    """
    if not has_importances(result, dataset):
        return {}
    place_of = {int(feature): place for place, feature in enumerate(np.flatnonzero(result.mask))}
    members = {name: [place_of[each] for each in own if each in place_of] for name, own in blocks.items()}
    members = {name: own for name, own in members.items() if own}

    def changed(learned: Floats, rows: Floats, rng: np.random.Generator) -> list[Floats]:
        made = []
        for own in members.values():
            for _ in range(_EXCHANGES):
                other = rows.copy()
                other[:, own] = rows[rng.permutation(len(rows))][:, own]
                made.append(other)
        return made

    found: dict[str, list[float]] = {}
    for losses in _losses_of_changed(result, dataset, changed):
        for at, name in enumerate(members):
            own = losses[1 + at * _EXCHANGES : 1 + (at + 1) * _EXCHANGES]
            found.setdefault(name, []).append(float(np.mean(own)) - losses[0])
    return {name: _over_folds(np.array(values), least=-math.inf) for name, values in found.items()}


def _losses_of_changed(
    result: "RunRecord",
    dataset: Dataset,
    changed: Callable[[Floats, Floats, np.random.Generator], list[Floats]],
) -> Iterator[list[float]]:
    """The loss of each fold on its held-out rows as they are, followed by the losses on each changed copy of them.

    ``changed`` takes the training rows, the held-out rows and a random generator.
    """
    spec, chosen = result.answered, np.flatnonzero(result.mask)
    steps = Steps(dataset, spec.measuring)
    alone, resamples = columns_of(dataset, chosen), Resamples(dataset, spec.measuring, spec.seed, _FOLDS)
    for fold in range(resamples.folds):
        labels = resamples.compared(fold, tested=_MOST_EXCHANGED)
        trained, held = np.flatnonzero(labels == TRAINED_ON), np.flatnonzero(labels == HELD_OUT)
        truth = dataset.target[held] if dataset.response is None else dataset.response[held]
        if len(held) < _FEWEST_EXCHANGED or len(np.unique(dataset.target[trained])) < min(2, len(dataset.classes)):
            continue
        seen = _seen(alone, steps, trained, chosen)
        rng, rows = np.random.default_rng(fold), np.array(seen.x[held])
        others = changed(seen.x[trained], rows, rng)
        try:
            asked, learned = np.concatenate([rows, *others]), rows_of(seen, trained)
            # Neighbors compare all pairs of rows, so only a few rows are predicted at a time.
            parts = 1 + len(asked) // _AT_ONCE if spec.wrapper == "nn" else 1
            said = np.concatenate([_said(spec, learned, each) for each in np.array_split(asked, parts)])
        except WrapperError:  # the model cannot be trained on these rows
            continue
        losses = [_loss(dataset, truth, each) for each in np.split(said, 1 + len(others))]
        if np.isfinite(losses).all():
            yield losses


def _seen(alone: Dataset, steps: Steps, trained: NDArray[np.int64], chosen: NDArray[np.int64]) -> Dataset:
    """The chosen features with values as seen by a model that was trained on some of the rows."""
    if not steps.is_any:
        return alone
    rows = np.arange(len(alone.target))
    return replace(alone, x=steps.values(rows, np.isin(rows, trained), chosen))


def exchanged(learned: Floats, rows: Floats, place: int, rng: np.random.Generator) -> Floats:
    """(n, q) rows in which the information in one column beyond the others is permuted between rows.

    Missing values are replaced by the median of (m, q) ``learned`` rows, to which the regression on the others is
    fitted, but remain missing in the column itself.
    """
    both = np.concatenate([learned, rows])
    medians = np.nan_to_num(np.nanmedian(np.where(np.isnan(learned).all(axis=0), 0.0, learned), axis=0))
    both = np.where(np.isnan(both), medians, both)
    m = len(learned)
    powers = np.frexp(np.abs(both[:m]).max(axis=0))[1]  # powers of two by which to divide, so that no square overflows
    both = np.ldexp(both, -powers)
    spread = both[:m].std(axis=0)
    z = (both - both[:m].mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    others = np.delete(z, place, axis=1)
    x, y = others[:m], z[:m, place]
    weights = np.linalg.solve(x.T @ x + _RIDGE * m * np.eye(x.shape[1]), x.T @ y) if x.shape[1] else np.empty(0)
    known = np.flatnonzero(~np.isnan(rows[:, place]))
    fitted = others[m:][known] @ weights
    beyond = z[m:, place][known] - fitted
    made = rows.copy()
    changed = (fitted + rng.permutation(beyond)) * spread[place] + both[:m, place].mean()
    made[known, place] = np.ldexp(changed, powers[place])
    return made


def _loss(dataset: Dataset, truth: NDArray[Any], said: Floats) -> float:
    """1 minus the AUC or the concordance, or the RMSE, of predictions for rows; NaN if undefined."""
    if dataset.event:
        labels = np.zeros((1, len(truth)), dtype=np.int64)
        ones = np.ones(len(truth))
        right, total = _core.concordances(np.ascontiguousarray(said[None]), truth, ones, labels, 1)[0, 0]
        return 1.0 - float(right / total) if total else math.nan
    if dataset.response is not None:
        return float(np.sqrt(np.mean(np.square(said - truth))))
    labels = np.zeros((1, len(truth)), dtype=np.int64)
    areas = _core.one_vs_rest_areas(np.ascontiguousarray(said[None]), truth, labels, 1)[0, 0]
    known = areas[~np.isnan(areas)]
    return 1.0 - float(known.mean()) if len(known) else math.nan


def _over_folds(values: Floats, least: float = 0.0) -> Local:
    """The mean over folds, with the interval of Nadeau & Bengio, because folds share most of their training rows."""
    from scipy.special import stdtrit

    mean, count = float(values.mean()), len(values)
    if count < 2:
        return mean, math.nan, math.nan
    error = math.sqrt((1 / count + 1 / (count - 1)) * float(values.var(ddof=1)))
    reach = float(stdtrit(count - 1, 0.975)) * error
    return mean, max(least, mean - reach), mean + reach


def _said(spec: RunSpec, trained: Dataset, asked: Floats) -> Floats:
    """(m, classes) probabilities or (m,) numbers predicted for other rows by the run's model, trained on a table."""
    learned, rows = len(trained.target), len(asked)
    response = trained.response
    both = replace(
        trained,
        x=np.asfortranarray(np.concatenate([trained.x, asked])),
        target=np.concatenate([trained.target, np.zeros(rows, dtype=np.int64)]),
        rows=tuple(map(str, range(learned + rows))),
        response=None if response is None else np.concatenate([response, np.repeat(response[:1], rows, axis=0)]),
    )
    scaling: Scaling = "none" if spec.measuring.scaling == "none" else "fold"
    wrapper, design = spec.build_wrapper(), design_of(both, scaling, spec.measuring.scaler)
    every, labels = np.ones(len(both.features), dtype=np.bool_), np.repeat(np.array([[-1, 0]]), [learned, rows], axis=1)
    if isinstance(wrapper, NearestNeighbours) and response is None:
        return wrapper.closeness(design, every, labels)[0, learned:]
    predictor = wrapper.bind(design)
    said = predictor.scores(every, labels) if response is None else predictor.values(every, labels)
    return np.asarray(said[0, learned:])


def accumulated_effects(says: Callable[[Floats], Floats], rows: Floats, columns: Sequence[int]) -> list[Floats | None]:
    """The accumulated local effect of each feature at the borders of bins with equal numbers of rows.

    Parameters
    ----------
    says
        Takes (m, q) rows and returns (m,) numbers or (m, classes) probabilities; called once for all rows.
    rows
        (n, q) rows held out from the training of ``says``.
    columns
        The features, numeric columns.

    Returns
    -------
    list of array or None
        (b + 1, classes) for each feature, 0 at the lowest value; None if it has fewer than two values.
    """
    asked: list[Floats] = []
    bins_of: list[tuple[NDArray[np.intp], int] | None] = []
    for column in columns:
        known = rows[~np.isnan(rows[:, column])]
        values = known[:, column]
        borders = np.unique(np.quantile(values, np.linspace(0, 1, _BINS + 1))) if len(values) else np.empty(0)
        if len(borders) < 2:
            bins_of.append(None)
            continue
        inside = np.clip(np.searchsorted(borders, values, side="left") - 1, 0, len(borders) - 2)
        for end in (inside, inside + 1):
            moved = known.copy()
            moved[:, column] = borders[end]
            asked.append(moved)
        bins_of.append((inside, len(borders)))
    if not asked:
        return [None] * len(columns)
    said = np.asarray(says(np.concatenate(asked)), dtype=np.float64)
    answers = iter(np.split(said, np.cumsum([len(each) for each in asked])[:-1]))
    return [None if each is None else _summed(next(answers), next(answers), *each) for each in bins_of]


def _summed(low: Floats, high: Floats, inside: NDArray[np.intp], borders: int) -> Floats:
    """(borders, classes) the mean change over each bin, summed from the lowest value on."""
    steps = (high - low).reshape(len(inside), -1)
    means = np.zeros((borders - 1, steps.shape[1]))
    for place in range(borders - 1):
        own = inside == place
        if own.any():
            means[place] = steps[own].mean(axis=0)
    return np.concatenate([np.zeros((1, steps.shape[1])), np.cumsum(means, axis=0)])


@dataclass(frozen=True, eq=False)
class SingleFeatureScores:
    """Scores of some features, parallel arrays.

    Attributes
    ----------
    places
        (m,) indices of the features.
    losses
        (m,) mean loss of the model with only this feature, all on the same new folds; NaN if pending or not measurable.
    f, information
        (m,) F statistic and mutual information (nats) with the target, over all rows; NaN if pending.
    """

    places: NDArray[np.int64]
    losses: Floats
    f: Floats
    information: Floats

    @property
    def done(self) -> int:
        """Number of features measured alone so far."""
        return int((~np.isnan(self.losses)).sum())


def single_feature_scores(spec: RunSpec, dataset: Dataset, places: NDArray[np.int64]) -> Iterator[SingleFeatureScores]:
    """Score the features at ``places`` one by one; yield intermediate scores, and finally all of them."""
    evaluator = evaluator_of(spec, dataset)
    some = columns_of(dataset, places)
    f, information = filter_scores(some, "f"), filter_scores(some, "mutual information")
    losses = np.full(len(places), np.nan)
    yield SingleFeatureScores(places, losses.copy(), f, information)
    for at, place in enumerate(places):
        mask = np.zeros(len(dataset.features), dtype=np.bool_)
        mask[place] = True
        losses[at] = evaluator.measure(mask, FRESH).mean
        if at % _SCORED_AT_ONCE == _SCORED_AT_ONCE - 1 or at == len(places) - 1:
            yield SingleFeatureScores(places, losses.copy(), f, information)


@dataclass(frozen=True, eq=False)
class FeaturePreview:
    """The values of one feature, with the target and the features most correlated with it.

    Attributes
    ----------
    name
        Name of the feature.
    values
        (n,) as in the data, NaN for missing values; codes if it is nominal.
    levels
        Names of the categories of a nominal feature, otherwise empty.
    groups
        (n,) class codes, all 0 for a numeric target.
    classes
        Names of the classes; empty for a numeric target.
    response
        (n,) the target if it is numeric.
    target_name
        Name of the target.
    alike
        (name, correlation) of the most correlated selected features, strongest first.
    left_out
        Selected features without a correlation: nominal ones, or all if it is nominal itself.
    """

    name: str
    values: Floats
    levels: tuple[str, ...]
    groups: NDArray[np.int64]
    classes: tuple[str, ...]
    response: Floats | None
    target_name: str
    alike: tuple[tuple[str, float], ...] = ()
    left_out: int = 0


def preview_feature(dataset: Dataset, name: str, mask: NDArray[np.bool_]) -> FeaturePreview:
    """Preview of a feature of a data set; the (p,) ``mask`` marks the selected features."""
    place = dataset.features.index(name)
    values = np.array(dataset.x[:, place])
    nominal = set(dataset.categories)
    others = np.array([at for at in np.flatnonzero(mask).tolist() if at != place], dtype=np.intp)
    plain = np.array([at for at in others.tolist() if at not in nominal], dtype=np.intp)
    if place in nominal:
        plain = plain[:0]
    found = correlations(dataset.x, plain, values)
    strongest = np.argsort(-np.abs(np.nan_to_num(found)), kind="stable")[:_MOST_LIKE]
    alike = tuple((dataset.features[plain[at]], float(found[at])) for at in strongest if np.isfinite(found[at]))
    return FeaturePreview(
        name=name,
        values=values,
        levels=tuple(dataset.categories.get(place, ())),
        groups=np.array(dataset.target),
        classes=dataset.classes,
        response=None if dataset.numbers is None else np.array(dataset.numbers),
        target_name=dataset.target_name,
        alike=alike,
        left_out=len(others) - len(plain),
    )


def correlations(x: Floats, columns: NDArray[np.intp], values: Floats) -> Floats:
    """Pearson correlation of some columns of (n, p) with (n,) values, over the rows where both are known.

    NaN if fewer than three rows are left or one of the two is constant.
    """
    made = np.full(len(columns), np.nan)
    wide = max(1, _BLOCK // max(1, len(values)))
    for start in range(0, len(columns), wide):
        some = columns[start : start + wide]
        part = x[:, some]
        known = np.isfinite(part) & np.isfinite(values)[:, None]
        count = known.sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            a = np.where(known, part, 0.0)
            b = np.where(known, values[:, None], 0.0)
            a = np.where(known, a - a.sum(axis=0) / count, 0.0)
            b = np.where(known, b - b.sum(axis=0) / count, 0.0)
            spread = np.sqrt((a * a).sum(axis=0) * (b * b).sum(axis=0))
            scale = np.abs(np.where(known, part, 0.0)).max(axis=0, initial=0.0) * np.abs(b).max(axis=0, initial=0.0)
            found = (a * b).sum(axis=0) / spread
        varies = (count >= 3) & (spread > 1e-12 * np.maximum(scale, np.finfo(float).tiny))
        made[start : start + wide] = np.where(varies, np.clip(found, -1, 1), np.nan)
    return made
