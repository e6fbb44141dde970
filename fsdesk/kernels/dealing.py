"""The two loops of dealing rows into folds; the sort between them is numpy's."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import entry

__all__ = ["dealt", "keyed"]

Words = NDArray[np.uint64]


@entry()
def keyed(words: Words, base: Words, shift: int, row_bits: int) -> tuple[Words, Words]:
    """Keys that sort by class, shuffled within.

    Parameters
    ----------
    words
        (repeats * (n + 1),) random words.
    base
        (n,) the class in the highest bits, the row in the lowest.
    shift, row_bits
        Where the random bits go: those above ``shift`` of a word, to above the row.

    Returns
    -------
    (repeats, n) keys, and (repeats,) the word of each repeat that is left.
    """
    n = len(base)
    repeats = len(words) // (n + 1)
    keys, left = np.empty((repeats, n), dtype=np.uint64), np.empty(repeats, dtype=np.uint64)
    for repeat in range(repeats):
        own = words[repeat * (n + 1) : (repeat + 1) * (n + 1)]
        for row in range(n):
            keys[repeat, row] = base[row] | ((own[row] >> np.uint64(shift)) << np.uint64(row_bits))
        left[repeat] = own[n]
    return keys, left


@entry()
def dealt(keys: Words, words: Words, folds: int, row_bits: int) -> NDArray[np.int64]:
    """(repeats, n) fold of each row: sorted keys are dealt one by one, from a random fold on."""
    repeats, n = keys.shape
    rows = (np.uint64(1) << np.uint64(row_bits)) - np.uint64(1)
    labels = np.empty((repeats, n), dtype=np.int64)
    for repeat in range(repeats):
        fold = np.int64(words[repeat] % np.uint64(folds))
        for place in range(n):
            labels[repeat, np.int64(keys[repeat, place] & rows)] = fold
            fold += np.int64(1)
            if fold == folds:
                fold = np.int64(0)
    return labels
