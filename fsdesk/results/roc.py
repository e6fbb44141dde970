"""ROC curves of cross-validated scores: one for each tested fold, averaged within a repeat, with a band over repeats.

Scores of different folds come from different models, so each fold has its own curve and their mean counts, as in the
criterion (Forman & Scholz, SIGKDD Explorations 12, 2010); where no fold tests two classes, all rows make one curve.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["GRID", "RocCurve", "curves_of", "roc_points"]

Floats = NDArray[np.float64]

GRID = np.linspace(0.0, 1.0, 101)
"""The false positive rates at which curves are averaged."""


@dataclass(frozen=True, eq=False)
class RocCurve:
    """The curve of one class against the rest, over the repeats.

    Attributes
    ----------
    name
        Of the class whose rows are to be found.
    mean, deviation
        (101,) true positive rate at each of ``GRID``, and its standard deviation over the repeats.
    area, area_deviation
        Area under the curve, and its standard deviation over the repeats.
    """

    name: str
    mean: Floats
    deviation: Floats
    area: float
    area_deviation: float

    @classmethod
    def of(cls, name: str, rates: Floats, areas: Floats) -> "RocCurve":
        """From (repeats, 101) true positive rates and (repeats,) areas; repeats of NaN do not count."""
        known = ~np.isnan(areas)
        rates, areas = rates[known], areas[known]
        spread = len(areas) > 1
        return cls(
            name=name,
            mean=rates.mean(axis=0),
            deviation=rates.std(axis=0, ddof=1) if spread else np.zeros(len(GRID)),
            area=float(areas.mean()),
            area_deviation=float(areas.std(ddof=1)) if spread else 0.0,
        )


def roc_points(scores: Floats, positive: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """False and true positive rates at every threshold, from (0, 0) to (1, 1); rows of one score go together."""
    order = np.argsort(-scores, kind="stable")
    ranked, hits = scores[order], positive[order]
    ends = np.append(np.flatnonzero(ranked[1:] != ranked[:-1]), len(ranked) - 1)
    found = np.cumsum(hits)[ends]
    return (
        np.concatenate([[0.0], (1 + ends - found) / (len(hits) - hits.sum())]),
        np.concatenate([[0.0], found / hits.sum()]),
    )


def curves_of(scores: Floats, target: NDArray[np.int64], labels: NDArray[np.int64], code: int) -> tuple[Floats, Floats]:
    """True positive rates and areas of one class against the rest.

    Parameters
    ----------
    scores
        (repeats, n) score of the class.
    labels
        (repeats, n) fold in which each row is tested; -1: in none.

    Returns
    -------
    rates, areas
        (repeats, 101) at ``GRID`` and (repeats,); NaN where a repeat tests no row of the class, or nothing else.
    """
    positive = target == code
    by_fold = [_averaged(row, positive, folds) for row, folds in zip(scores, labels, strict=True)]
    if all(np.isnan(area) for _, area in by_fold):
        by_fold = [_averaged(row, positive, np.minimum(folds, 0)) for row, folds in zip(scores, labels, strict=True)]
    return np.array([rates for rates, _ in by_fold]), np.array([area for _, area in by_fold])


def _averaged(scores: Floats, positive: NDArray[np.bool_], folds: NDArray[np.int64]) -> tuple[Floats, float]:
    rates, areas = [], []
    for fold in range(int(folds.max()) + 1):
        rows = folds == fold
        if 0 < positive[rows].sum() < rows.sum():
            false, true = roc_points(scores[rows], positive[rows])
            rate = np.interp(GRID, false, true)
            rate[0] = 0.0
            rates.append(rate)
            areas.append(float(np.trapezoid(true, false)))
    if not areas:
        return np.full(len(GRID), np.nan), np.nan
    return np.mean(rates, axis=0), float(np.mean(areas))
