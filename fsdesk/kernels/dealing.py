"""Dealing rows into folds, from random words to labels in one call."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import ONE, ZERO, entry, inner
from fsdesk.kernels.words import fill_with_words

__all__ = ["Deal", "dealt", "shuffled"]

Words = NDArray[np.uint64]
Integers = NDArray[np.int64]


class Deal(NamedTuple):
    """The folds of some measurements, or how they are dealt: rows as :func:`shuffled`, from a random fold on.

    Attributes
    ----------
    labels
        (m, repeats, n) folds, or (1, repeats, n) where all have the same; (0, 0, 0) where they are still to be dealt.
    hashed, numbers
        The seed as :func:`fsdesk.measure.folds.hashed_seed` gives it; (m,) numbers of the measurements.
    target
        (n,) class codes from 0.
    repeats, folds
        How often, and into how many folds.
    """

    labels: Integers
    hashed: Words
    numbers: Integers
    target: Integers
    repeats: int
    folds: int


@entry()
def shuffled(hashed: Words, number: int, target: Integers, repeats: int) -> tuple[Integers, Words]:
    """Rows sorted by class, shuffled within: by the highest bits of a random word, the lower row where these tie.

    As many of the lowest bits as a row and a class take do not count.

    Parameters
    ----------
    hashed, number, target, repeats
        As in a :class:`Deal`, of one measurement.

    Returns
    -------
    (repeats, n) rows; (repeats,) a random word more.
    """
    n = len(target)
    starts = _starts(target)
    row_bits, class_bits = _bits(n - 1), _bits(len(starts) - 2)
    mask = (np.uint64(1) << np.uint64(row_bits)) - np.uint64(1)
    words, more = np.empty(repeats * (n + 1), dtype=np.uint64), np.empty(repeats, dtype=np.uint64)
    rows, keys, room = np.empty((repeats, n), dtype=np.int64), np.empty(n, dtype=np.uint64), np.empty((2, n), np.int64)
    fill_with_words(hashed, number, words)
    for repeat in range(repeats):
        own = words[repeat * (n + 1) : (repeat + 1) * (n + 1)]
        _sort(own, target, starts, row_bits, class_bits, room, keys)
        for place in range(n):
            rows[repeat, place] = np.int64(keys[place] & mask)
        more[repeat] = own[n]
    return rows, more


@entry()
def dealt(deal: Deal, measurement: int) -> Integers:
    """(repeats, n) folds of one of the measurements."""
    if len(deal.labels):
        settled: Integers = deal.labels[min(measurement, len(deal.labels) - 1)]
        return settled
    rows, words = shuffled(deal.hashed, deal.numbers[measurement], deal.target, deal.repeats)
    labels: Integers = np.empty_like(rows)
    for repeat in range(len(rows)):
        fold = np.int64(words[repeat] % np.uint64(deal.folds))
        for place in range(rows.shape[1]):
            labels[repeat, rows[repeat, place]] = fold
            fold += ONE
            if fold == deal.folds:
                fold = ZERO
    return labels


@inner()
def _bits(number: int) -> int:
    """How many bits a number takes, 1 at least."""
    bits = ONE
    while number >> bits:
        bits += ONE
    return int(bits)


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
