"""Assignment of rows to folds, the only randomness of a measurement; its seed and number determine it.

All functions return labels (repeats, n) int64: the fold in which a row is tested, 0, 1, ...; -1 if it is only trained
on. A fold's model is trained on the rows with other labels; in :func:`forward_blocks`, with smaller labels.
"""

from functools import lru_cache

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from fsdesk.kernels import _core


def stratified_folds(
    target: NDArray[np.int64], *, repeats: int, folds: int, seed: int, number: int
) -> NDArray[np.int64]:
    """Assign rows to folds, independently in every repeat.

    Rows are sorted by class, shuffled within class and assigned one by one starting at a random fold. Thus folds differ
    in size by at most one row, the count of each class differs between folds by at most one, and classes with fewer
    rows than folds need no special treatment.

    Parameters
    ----------
    target
        (n,) class codes from 0.
    seed, number
        Of the run and of the measurement; together they determine the folds, whatever else is measured and wherever.

    Returns
    -------
    (repeats, n) int64, fold of each row, 0 to folds - 1.
    """
    labels = _core.fold_labels(hashed_seed(seed), np.array([number]), np.ascontiguousarray(target), repeats, folds)
    return np.asarray(labels[0])


@lru_cache(maxsize=8)
def hashed_seed(seed: int) -> NDArray[np.uint64]:
    """(5,) numpy's seed pool, in words of 32 bits, and the hash constant for the next word."""
    words = 4  # of the pool
    hashed = words * words + words * max(0, -(-seed.bit_length() // 32) - words)
    constant = 0x43B0D7E5 * pow(0x931E8875, hashed, 1 << 32) % (1 << 32)
    return np.array([*SeedSequence(seed).pool, constant], dtype=np.uint64)


def _shuffled_by_class(
    target: NDArray[np.int64], *, repeats: int, seed: int, number: int
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """(repeats, n) rows sorted by class and shuffled within; (repeats,) an additional random word."""
    return _core.shuffled(hashed_seed(seed), number, np.ascontiguousarray(target), repeats)


def shuffled_by_class(target: NDArray[np.int64], *, seed: int, number: int) -> tuple[NDArray[np.int64], np.uint64]:
    """(n,) rows sorted by class and shuffled within, and an additional random word."""
    order, words = _shuffled_by_class(target, repeats=1, seed=seed, number=number)
    return order[0], np.uint64(words[0])


def hold_out(target: NDArray[np.int64], *, share: float, repeats: int, seed: int, number: int) -> NDArray[np.int64]:
    """Test a fraction of the rows in each repeat (label 0) and train on the others (-1), stratified by class.

    About ``share`` * n of n rows are tested, at least one and never all.
    """
    n = len(target)
    order, words = _shuffled_by_class(target, repeats=repeats, seed=seed, number=number)
    tested = min(max(1, round(share * n)), n - 1)
    # Evenly spaced positions from a random start (systematic sampling); integers, so that exactly ``tested`` are hit.
    start = (words % np.uint64(n)).astype(np.int64)[:, None]
    hit = np.diff((np.arange(n + 1) * tested + start) // n, axis=1)
    labels = np.empty_like(order)
    np.put_along_axis(labels, order, hit - 1, axis=1)
    return labels


def grouped_folds(
    target: NDArray[np.int64], groups: NDArray[np.int64], *, repeats: int, folds: int, seed: int, number: int
) -> NDArray[np.int64]:
    """Assign whole groups to folds, independently in every repeat.

    The largest groups go first, equal ones in random order, each to the fold that keeps the classes spread most evenly.

    Parameters
    ----------
    groups
        (n,) codes 0, 1, ... of rows that stay together.
    """
    counts = _class_counts(target, groups)
    order = _random_order(counts.sum(axis=1), repeats=repeats, seed=seed, number=number)
    # All rows together count as one more class, so that folds are of about equal size and none is empty.
    counts = np.column_stack([counts, counts.sum(axis=1)])
    share = counts / np.maximum(1.0, counts.sum(axis=0))
    filled = np.zeros((repeats, folds, counts.shape[1]))
    fold_of = np.empty((repeats, len(counts)), dtype=np.int64)
    every = np.arange(repeats)
    for group in order.T:
        added = share[group][:, None, :]
        chosen = (np.square(filled + added) - np.square(filled)).sum(axis=2).argmin(axis=1)
        filled[every, chosen] += share[group]
        fold_of[every, group] = chosen
    return np.ascontiguousarray(fold_of[:, groups])


def grouped_hold_out(
    target: NDArray[np.int64], groups: NDArray[np.int64], *, share: float, repeats: int, seed: int, number: int
) -> NDArray[np.int64]:
    """The same as :func:`hold_out`, with whole groups, stratified by the most common class of each group."""
    commonest = _class_counts(target, groups).argmax(axis=1).astype(np.int64)
    of_group = hold_out(commonest, share=share, repeats=repeats, seed=seed, number=number)
    return np.ascontiguousarray(of_group[:, groups])


def forward_blocks(time: NDArray[np.int64], folds: int) -> NDArray[np.int64]:
    """(1, n) blocks of about equal size in time order: -1, 0, ..., folds - 1; each is tested on all earlier ones.

    Rows with the same time stay in one block; with few distinct times some blocks are missing.
    """
    moments, sizes = np.unique(time, return_counts=True)
    middle = np.cumsum(sizes) - (sizes + 1) / 2
    block = np.floor(middle * (folds + 1) / len(time)).astype(np.int64)
    block = np.unique(block, return_inverse=True)[1]  # no missing numbers, so that every block has a predecessor
    return np.asarray(block[np.searchsorted(moments, time)] - 1, dtype=np.int64)[None, :]


def _class_counts(target: NDArray[np.int64], groups: NDArray[np.int64]) -> NDArray[np.float64]:
    """(groups, classes) number of rows of each class in each group."""
    shape = int(groups.max()) + 1, int(target.max()) + 1
    return np.bincount(groups * shape[1] + target, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)


def _random_order(sizes: NDArray[np.float64], *, repeats: int, seed: int, number: int) -> NDArray[np.int64]:
    """(repeats, groups) indices of the groups, the largest first, those of equal size shuffled."""
    classes = np.unique(-sizes, return_inverse=True)[1].astype(np.int64)
    return _shuffled_by_class(classes, repeats=repeats, seed=seed, number=number)[0]
