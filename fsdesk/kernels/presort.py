"""Every column sorted once: what trees scan in place of sorting in each node."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["presorted", "rank_shift"]

_CELLS_AT_ONCE = 1 << 18  # columns are sorted in parts, so that indices of 64 bits never take more than the table

Packed = NDArray[np.uint32] | NDArray[np.uint64]


def presorted(columns: NDArray[np.float64], fill: NDArray[np.float64] | None = None) -> Packed:
    """Rows of every column by ascending value, each packed with the rank of its value.

    Parameters
    ----------
    columns
        (q, n) values; NaN where one is missing.
    fill
        (q,) what stands for missing values; where that is NaN too, these rows come last, and their ranks mean nothing.

    Returns
    -------
    (q, n) rank << shift | row, of 32 bits up to 32,766 rows, else of 64; :func:`rank_shift` gives the shift. Ranks are
    odd and equal for equal values, so that a value that fills gaps finds an even rank between two neighbours.
    """
    q, n = columns.shape
    is_short = 2 * n + 2 < 1 << 16
    packed: Packed = np.empty((q, n), dtype=np.uint32) if is_short else np.empty((q, n), dtype=np.uint64)
    shift = rank_shift(packed)
    step = max(1, _CELLS_AT_ONCE // n)
    for start in range(0, q, step):
        part = columns[start : start + step]
        if fill is not None:
            part = np.where(np.isnan(part), fill[start : start + step, None], part)
        order = np.argsort(part, axis=1, kind="stable")
        values = np.take_along_axis(part, order, axis=1)
        ranks = np.ones(part.shape, dtype=np.int64)
        ranks[:, 1:] += 2 * np.cumsum(values[:, 1:] != values[:, :-1], axis=1)
        packed[start : start + step] = (ranks << shift) | order
    return packed


def rank_shift(packed: Packed) -> int:
    """By how many bits ranks stand above rows."""
    return packed.dtype.itemsize * 4
