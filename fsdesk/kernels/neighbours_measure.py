"""Distances of rows to one candidate each, in double precision, under the weights of each row's fits."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import inner
from fsdesk.kernels.gaps import known

__all__ = ["RELATIVE", "TINY", "TOGETHER", "Metric", "Rows", "add_columns_with_gaps", "measure"]

RELATIVE = 1e-6  # see neighbours.py for what a bound allows for
TINY = 1e-36  # squares below this vanish in single precision
TOGETHER = 5  # repeats are measured in groups of this many

_FAST = {"reassoc", "contract", "nsz", "nnan"}

Single = NDArray[np.float32]
Double = NDArray[np.float64]
Integers = NDArray[np.int64]


class Metric(NamedTuple):
    """What a distance is in each fit: the sum over columns of weight times factor times squared difference.

    Attributes
    ----------
    columns, chosen
        (p, n) all columns, and (q,) those without gaps to be compared.
    weights, factors
        (fits, q) weight of each column in each fit, or (1, q) where all fits share one; (q,).
    x
        (n, q) the chosen columns by row where many pairs are to be measured exactly; else (0, 0).
    gaps
        (n, g) values of the columns with gaps (NaN).
    fill, gap_weights
        (fits, g) what fills the gaps, and the weights of these columns.
    once
        (p,) what stands for missing values of the other columns; NaN where none is missing.
    is_filled
        Whether some are.
    """

    columns: Double
    chosen: Integers
    weights: Double
    factors: Double
    x: Double
    gaps: Double
    fill: Double
    gap_weights: Double
    once: Double
    is_filled: bool


class Rows(NamedTuple):
    """The rows that are searched at once, and what is known of them.

    Attributes
    ----------
    numbers
        (rows,) which rows these are.
    fits
        (rows, lanes) fit of each row in each repeat, the last one again and again up to a multiple of five lanes.
    labels
        (n, repeats) fold of every row.
    candidates, bounds
        (rows, m) nearest rows by the first pass, -1 where there are none, with their bounds, ascending.
    rest
        (rows,) no other row's bound is below this.
    measured
        (rows, lanes) distances to one candidate.
    reach
        (rows,) the largest distance that is still of use.
    best, neighbours
        (rows, repeats, k) the nearest so far, with their distances.
    """

    numbers: Integers
    fits: Integers
    labels: Integers
    candidates: Integers
    bounds: Single
    rest: Single
    measured: Double
    reach: Double
    best: Double
    neighbours: Integers


@inner()
def measure(metric: Metric, norms: Single, doubt: float, place: int, rows: Rows) -> None:
    """Measure the distances of each row to one of its candidates in double precision, in each of its fits."""
    if len(metric.x) == 0:
        # Where values are missing it measures by no column, and leaves 0 where that would have been asked.
        chosen = metric.chosen[:0] if metric.is_filled else metric.chosen
        _distances_by_column(metric.columns, chosen, metric.weights, metric.factors, norms, doubt, place, rows)
        if metric.is_filled:
            _distances_by_filled_column(metric, place, rows)
    elif len(metric.weights) == 1 or rows.fits.shape[1] == 1:
        _distances_in_one_fit(metric.x, metric.weights, metric.factors, place, rows)
    else:
        _distances_in_all_fits(metric.x, metric.weights, metric.factors, place, rows)
    if metric.gaps.shape[1]:
        add_columns_with_gaps(metric.gaps, metric.fill, metric.gap_weights, place, rows)


@inner(fastmath=_FAST)
def _distances_by_column(
    columns: Double,
    chosen: Integers,
    weights: Double,
    factors: Double,
    norms: Single,
    doubt: float,
    place: int,
    rows: Rows,
) -> None:
    """One fit for each row, and bounds taken for distances where their order is certain."""
    last = rows.bounds.shape[1] - 1
    for row in range(len(rows.fits)):
        i, j = rows.numbers[row], rows.candidates[row, place]
        if not rows.bounds[row, place] <= rows.reach[row] or j < 0:
            continue
        own = row if len(norms) > 1 else 0
        below, above = rows.bounds[row, place], -1.0
        for earlier in range(place + 1):
            above_before = above
            squares = norms[own, i] + norms[own, rows.candidates[row, earlier]]
            bound = rows.bounds[row, earlier]
            above = max(above, bound + 2.0 * doubt * squares + 3.0 * RELATIVE * bound + 4.0 * TINY)
        total = (below + above) / 2.0
        # Nothing is certain where the doubt is infinite; times norms of 0 it would be no number.
        is_certain = doubt < np.inf and above_before < below
        if not (is_certain and above < min(rows.rest[row], rows.bounds[row, min(place + 1, last)])):
            fit = min(rows.fits[row, 0], len(weights) - 1)
            total = 0.0
            for c in range(len(chosen)):
                d = columns[chosen[c], i] - columns[chosen[c], j]
                total += d * d * (weights[fit, c] * factors[c])
        for lane in range(rows.measured.shape[1]):
            rows.measured[row, lane] = total


@inner(fastmath={"reassoc", "contract", "nsz"})
def _distances_by_filled_column(metric: Metric, place: int, rows: Rows) -> None:
    """One fit for each row; what was measured already, or taken for certain, is not 0."""
    columns, chosen, once, weights, factors = metric.columns, metric.chosen, metric.once, metric.weights, metric.factors
    for row in range(len(rows.fits)):
        i, j = rows.numbers[row], rows.candidates[row, place]
        if not rows.bounds[row, place] <= rows.reach[row] or j < 0 or rows.measured[row, 0] != 0.0:
            continue
        fit = min(rows.fits[row, 0], len(weights) - 1)
        total = 0.0
        for c in range(len(chosen)):
            fill = once[chosen[c]]
            d = known(columns[chosen[c], i], fill) - known(columns[chosen[c], j], fill)
            total += d * d * (weights[fit, c] * factors[c])
        for lane in range(rows.measured.shape[1]):
            rows.measured[row, lane] = total


@inner(fastmath=_FAST)
def _distances_in_one_fit(x: Double, weights: Double, factors: Double, place: int, rows: Rows) -> None:
    for row in range(len(rows.fits)):
        i, j = rows.numbers[row], rows.candidates[row, place]
        if rows.bounds[row, place] <= rows.reach[row] and j >= 0:
            fit = min(rows.fits[row, 0], len(weights) - 1)
            total = 0.0
            for c in range(x.shape[1]):
                d = x[i, c] - x[j, c]
                total += d * d * (weights[fit, c] * factors[c])
            for lane in range(rows.measured.shape[1]):
                rows.measured[row, lane] = total


@inner(fastmath=_FAST)
def _distances_in_all_fits(x: Double, weights: Double, factors: Double, place: int, rows: Rows) -> None:
    for row in range(len(rows.fits)):
        i, j = rows.numbers[row], rows.candidates[row, place]
        if not rows.bounds[row, place] <= rows.reach[row] or j < 0:
            continue
        for lane in range(0, rows.fits.shape[1], TOGETHER):
            f0, f1, f2 = rows.fits[row, lane], rows.fits[row, lane + 1], rows.fits[row, lane + 2]
            f3, f4 = rows.fits[row, lane + 3], rows.fits[row, lane + 4]
            s0, s1, s2, s3, s4 = 0.0, 0.0, 0.0, 0.0, 0.0
            for c in range(x.shape[1]):
                d = x[i, c] - x[j, c]
                square = d * d * factors[c]
                s0 += square * weights[f0, c]
                s1 += square * weights[f1, c]
                s2 += square * weights[f2, c]
                s3 += square * weights[f3, c]
                s4 += square * weights[f4, c]
            rows.measured[row, lane], rows.measured[row, lane + 1], rows.measured[row, lane + 2] = s0, s1, s2
            rows.measured[row, lane + 3], rows.measured[row, lane + 4] = s3, s4


@inner()
def add_columns_with_gaps(gaps: Double, fill: Double, weights: Double, place: int, rows: Rows) -> None:
    """Add the columns that have gaps, each gap filled with its fit's value."""
    for row in range(len(rows.fits)):
        i, j = rows.numbers[row], rows.candidates[row, place]
        if not rows.bounds[row, place] <= rows.reach[row] or j < 0:
            continue
        for column in range(gaps.shape[1]):
            a, b = gaps[i, column], gaps[j, column]
            for lane in range(rows.fits.shape[1]):
                fit = rows.fits[row, lane]
                difference = (fill[fit, column] if np.isnan(a) else a) - (fill[fit, column] if np.isnan(b) else b)
                rows.measured[row, lane] += difference * difference * weights[fit, column]
