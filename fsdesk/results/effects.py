"""What each selected feature does: its direction, the size of its effect, and what it stands for.

Effects of the model are accumulated local effects (Apley & Zhu, Journal of the Royal Statistical Society B 82, 2020):
on rows held out, how the prediction changes where the feature alone goes from one end of a bin of its values to the
other, summed over the bins. Unlike partial dependence they ask the model nothing about combinations of values that do
not occur.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.measure import Resamples
from fsdesk.measure.resamples import HELD_OUT, TRAINED_ON
from fsdesk.messages import message
from fsdesk.results.pipeline import selected_frame, unfitted_pipeline
from fsdesk.results.result import Result

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Effect", "accumulated_effect", "accumulated_effects", "effects_of"]

_BINS = 10
_FOLDS = 5
_MOST_ROWS = 5000
_MOST_OTHERS = 20_000
_MOST_CELLS = 4_000_000  # of the frames that a model is asked about at once

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Effect:
    """What a selected feature does.

    Attributes
    ----------
    place
        Which feature.
    direction
        A message: "higher in ill", "higher with larger y", or "" where it is nominal.
    difference
        Largest difference of the classes' medians, in units of the feature; None for numbers to predict.
    standardised
        The same in standard deviations; for numbers to predict Spearman's correlation with them.
    effect
        By how much the prediction changes over the range of the feature (accumulated local effect on held-out rows of
        models that were trained without them): of the probability of the class that it changes most, or of the number.
        None where the model gives no probabilities or the feature is nominal.
    like, correlation
        The feature that was left out and is most like it, and Pearson's correlation with it; None where there is none.
    """

    place: int
    direction: str
    difference: float | None
    standardised: float | None
    effect: float | None
    like: int | None
    correlation: float | None


_known: WeakKeyDictionary[Result, tuple[Dataset, dict[int, float | None]]] = WeakKeyDictionary()
"""Local effects that were measured of a result's features: the report and the list of features both ask for them."""


def effects_of(result: Result, dataset: Dataset, places: Sequence[int] | None = None) -> list[Effect]:
    """What selected features do, in the order of the table: those of these places, or all."""
    asked = np.flatnonzero(result.mask).tolist() if places is None else sorted(places)
    known = _known.get(result)
    if known is None or known[0] is not dataset:
        known = _known[result] = dataset, {}
    missing = [place for place in asked if place not in known[1]]
    if missing:
        measured = _local_effects(result, dataset, missing)
        known[1].update({place: measured.get(place) for place in missing})
    local = known[1]
    filled = _filled(dataset)
    left_out = np.flatnonzero(~result.mask)[:_MOST_OTHERS]
    found = []
    for place in asked:
        direction, difference, standardised = "", None, None
        if place not in dataset.categories:
            direction, difference, standardised = _direction(dataset, place)
        like, correlation = _most_like(filled, place, left_out)
        found.append(Effect(place, direction, difference, standardised, local.get(place), like, correlation))
    return found


def _direction(dataset: Dataset, place: int) -> tuple[str, float | None, float | None]:
    """In words, the largest difference of the classes' medians, and that in standard deviations."""
    values = dataset.x[:, place]
    known = ~np.isnan(values)
    spread = float(values[known].std()) if known.any() else 0.0
    if dataset.response is not None:
        from scipy.stats import spearmanr

        if spread == 0.0 or np.ptp(dataset.response[known]) == 0.0:
            return "", None, None
        rank = float(spearmanr(values[known], dataset.response[known]).statistic)
        if rank >= 0:
            return message("higher with larger {target}", target=dataset.target_name), None, rank
        return message("higher with smaller {target}", target=dataset.target_name), None, rank
    medians = [
        float(np.median(own)) if len(own := values[known & (dataset.target == code)]) else np.nan
        for code in range(len(dataset.classes))
    ]
    if np.isnan(medians).all() or spread == 0.0:
        return "", None, None
    highest, lowest = int(np.nanargmax(medians)), int(np.nanargmin(medians))
    difference = medians[highest] - medians[lowest]
    if difference == 0.0:
        return message("equal medians"), 0.0, 0.0
    return message("higher in {name}", name=dataset.classes[highest]), difference, difference / spread


def _filled(dataset: Dataset) -> Floats:
    """(n, p) with medians in the gaps; codes of nominal features are NaN, for they are like nothing."""
    x = np.array(dataset.x, dtype=np.float64)
    for place in range(x.shape[1]):
        own = x[:, place]
        if place in dataset.categories:
            own[:] = np.nan
        elif np.isnan(own).any() and not np.isnan(own).all():
            own[np.isnan(own)] = np.nanmedian(own)
    return x


def _most_like(filled: Floats, place: int, others: NDArray[np.intp]) -> tuple[int | None, float | None]:
    own = filled[:, place] - filled[:, place].mean()
    scale = float(np.sqrt(own @ own))
    if not len(others) or not scale > 0:
        return None, None
    rest = filled[:, others]
    rest = rest - rest.mean(axis=0)
    scales = np.sqrt((rest**2).sum(axis=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        correlations = np.where(scales > 0, own @ rest / (scale * scales), np.nan)
    if np.isnan(correlations).all():
        return None, None
    best = int(np.nanargmax(np.abs(correlations)))
    return int(others[best]), float(np.clip(correlations[best], -1.0, 1.0))


def _local_effects(result: Result, dataset: Dataset, places: Sequence[int]) -> dict[int, float]:
    """The accumulated local effect of each numeric feature of these, the mean over folds of held-out rows."""
    resamples = Resamples(dataset, result.spec.measuring, result.spec.seed, _FOLDS)
    frame = selected_frame(dataset)
    answers = np.array(dataset.classes)[dataset.target] if dataset.response is None else dataset.response
    sums: dict[int, list[float]] = {}
    for fold in range(resamples.folds):
        labels = resamples.held_out(fold)
        trained, held = np.flatnonzero(labels == TRAINED_ON), np.flatnonzero(labels == HELD_OUT)[:_MOST_ROWS]
        if not len(held) or (dataset.response is None and len(np.unique(dataset.target[trained])) < 2):
            continue
        pipeline = unfitted_pipeline(result, dataset).fit(frame.iloc[trained], answers[trained])
        says = (
            getattr(pipeline, "predict", None)
            if dataset.response is not None
            else getattr(pipeline, "predict_proba", None)
        )
        if says is None:
            return {}
        rows = frame.iloc[held]
        probed = [place for place in places if place not in dataset.categories]
        at_once = max(1, _MOST_CELLS // (2 * rows.size))
        for start in range(0, len(probed), at_once):
            some = probed[start : start + at_once]
            curves = accumulated_effects(says, rows, [dataset.features[place] for place in some])
            for place, curve in zip(some, curves, strict=True):
                if curve is not None:
                    sums.setdefault(place, []).append(float(np.ptp(curve, axis=0).max()))
    return {place: float(np.mean(values)) for place, values in sums.items()}


def accumulated_effect(says: Any, frame: "pd.DataFrame", name: str, bins: int = _BINS) -> Floats | None:
    """The accumulated local effect of one feature; see :func:`accumulated_effects`."""
    return accumulated_effects(says, frame, [name], bins)[0]


def accumulated_effects(
    says: Any, frame: "pd.DataFrame", names: Sequence[str], bins: int = _BINS
) -> list[Floats | None]:
    """The accumulated local effect of each feature at the borders of bins of equal numbers of rows.

    Parameters
    ----------
    says
        Takes a frame of n rows and returns (n,) numbers or (n, classes) probabilities; called once for all.
    frame
        The rows, held out from what ``says`` learned.
    names
        The features, columns of numbers.

    Returns
    -------
    list of array or None
        (b + 1, classes) for each feature, 0 at the lowest value; None where it has fewer than two values.
    """
    import pandas as pd

    asked: list[pd.DataFrame] = []
    bins_of: list[tuple[NDArray[np.intp], int] | None] = []
    for name in names:
        values = frame[name].to_numpy(dtype=np.float64)
        known = frame[~np.isnan(values)]
        values = values[~np.isnan(values)]
        borders = np.unique(np.quantile(values, np.linspace(0, 1, bins + 1))) if len(values) else np.empty(0)
        if len(borders) < 2:
            bins_of.append(None)
            continue
        inside = np.clip(np.searchsorted(borders, values, side="left") - 1, 0, len(borders) - 2)
        asked += [known.assign(**{name: borders[inside]}), known.assign(**{name: borders[inside + 1]})]
        bins_of.append((inside, len(borders)))
    if not asked:
        return [None] * len(names)
    said = np.asarray(says(pd.concat(asked, ignore_index=True)), dtype=np.float64)
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
