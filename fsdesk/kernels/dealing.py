"""Dealing rows into folds, from random words to labels in one call."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import ZERO, entry, inner

__all__ = ["dealt", "shuffled"]

Words = NDArray[np.uint64]
Integers = NDArray[np.int64]


@entry()
def shuffled(words: Words, target: Integers, row_bits: int, class_bits: int) -> Integers:
    """Rows sorted by class, shuffled within: by the highest bits of a random word, the lower row where these tie.

    Parameters
    ----------
    words
        (repeats * (n + 1),) random words; the last of each repeat is not looked at.
    target
        (n,) class codes from 0.
    row_bits, class_bits
        How many bits a row and a class take; as many of the lowest bits of each word do not count.

    Returns
    -------
    (repeats, n) rows.
    """
    n = len(target)
    repeats = len(words) // (n + 1)
    starts, mask = _starts(target), (np.uint64(1) << np.uint64(row_bits)) - np.uint64(1)
    rows, keys, room = np.empty((repeats, n), dtype=np.int64), np.empty(n, dtype=np.uint64), np.empty((2, n), np.int64)
    for repeat in range(repeats):
        own = words[repeat * (n + 1) : (repeat + 1) * (n + 1)]
        _sort(own, target, starts, row_bits, class_bits, room, keys)
        for place in range(n):
            rows[repeat, place] = np.int64(keys[place] & mask)
    return rows


@entry()
def dealt(words: Words, target: Integers, row_bits: int, class_bits: int, folds: int) -> Integers:
    """(repeats, n) fold of each row: rows as :func:`shuffled` are dealt one by one, from a random fold on."""
    n = len(target)
    rows = shuffled(words, target, row_bits, class_bits)
    labels = np.empty_like(rows)
    for repeat in range(len(rows)):
        fold = np.int64(words[repeat * (n + 1) + n] % np.uint64(folds))
        for place in range(n):
            labels[repeat, rows[repeat, place]] = fold
            fold += np.int64(1)
            if fold == folds:
                fold = ZERO
    return labels


@inner()
def _starts(target: Integers) -> Integers:
    """(classes + 1,) place of the first row of each class, and n."""
    classes = ZERO
    for code in target:
        classes = max(classes, code + 1)
    starts = np.zeros(classes + 1, dtype=np.int64)
    for code in target:
        starts[code + 1] += 1
    for code in range(classes):
        starts[code + 1] += starts[code]
    return starts


@inner()
def _sort(
    words: Words,
    target: Integers,
    starts: Integers,
    row_bits: int,
    class_bits: int,
    room: Integers,
    keys: Words,
) -> None:
    """Fill in the keys of one repeat, in order: what counts of a word, and the row in the lowest bits.

    A word already says about where in its class a row comes, so that little is left to sort.
    """
    n, low, up = len(target), np.uint64(row_bits + class_bits), np.uint64(row_bits)
    high = np.uint64(64) - low
    about, ends = room[0], room[1]
    ends[:] = 0
    for row in range(n):
        start = starts[target[row]]
        size = np.uint64(starts[target[row] + 1] - start)
        about[row] = start + np.int64(((words[row] >> low) * size) >> high)
        ends[about[row]] += 1
    for place in range(1, n):
        ends[place] += ends[place - 1]
    for row in range(n):
        ends[about[row]] -= 1
        keys[ends[about[row]]] = ((words[row] >> low) << up) | np.uint64(row)
    for code in range(len(starts) - 1):
        for place in range(starts[code] + 1, starts[code + 1]):
            key, spot = keys[place], place
            while spot > starts[code] and keys[spot - 1] > key:
                keys[spot] = keys[spot - 1]
                spot -= 1
            keys[spot] = key
