"""Random stratified folds: the only randomness of a measurement, settled by its seed and number."""

import numpy as np
from numpy.random import PCG64, SeedSequence
from numpy.typing import NDArray

__all__ = ["stratified_folds"]


def stratified_folds(
    target: NDArray[np.int64], *, repeats: int, folds: int, seed: int, number: int
) -> NDArray[np.int64]:
    """Deal the rows into folds, afresh in every repeat.

    Rows are sorted by class, shuffled within their class and dealt out one by one from a random fold on. So folds
    differ in size by at most one row, a class differs between folds by at most one row, and classes with fewer rows
    than folds need no special case.

    Parameters
    ----------
    target
        (n,) class codes from 0.
    seed, number
        Of the run and of the measurement; together they settle the folds, whatever else is measured and where.

    Returns
    -------
    (repeats, n) int64, fold of each row, 0 to folds - 1.
    """
    n = len(target)
    # Raw words: numpy promises this stream for all versions, which it does not for Generator's methods.
    words = PCG64(SeedSequence(seed, spawn_key=(number,))).random_raw(repeats * (n + 1)).reshape(repeats, n + 1)
    row_bits = max(1, int(n - 1).bit_length())
    class_bits = max(1, int(target.max()).bit_length())
    random_bits = 64 - row_bits - class_bits
    # One integer holds class, random number and row: sorting it sorts by class, shuffled within, with no ties.
    keys = target.astype(np.uint64) << np.uint64(random_bits + row_bits)
    keys = keys | ((words[:, :n] >> np.uint64(64 - random_bits)) << np.uint64(row_bits)) | np.arange(n, dtype=np.uint64)
    keys.sort(axis=1)
    order = (keys & np.uint64((1 << row_bits) - 1)).astype(np.int64)
    offset = (words[:, n] % np.uint64(folds)).astype(np.int64)
    dealt = (np.arange(n) + offset[:, None]) % folds
    labels = np.empty((repeats, n), dtype=np.int64)
    np.put_along_axis(labels, order, dealt, axis=1)
    return labels
