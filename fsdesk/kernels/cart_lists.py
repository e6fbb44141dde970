"""Sorted lists of the rows of a node: kept sorted from the whole table down to the last node, never sorted again."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.cart_compiled import inlined
from fsdesk.kernels.compiling import entry
from fsdesk.kernels.presort import Packed

__all__ = ["keep", "list_with_filled_gaps", "part"]


@inlined
def part(
    entries: Packed,
    begin: int,
    count: int,
    row_bits: np.uint64,
    goes_left: NDArray[np.uint8],
    spare: Packed,
) -> None:
    """Deal ``entries[begin : begin + count]`` to its two children in place, each in the old order, the left one first.

    ``spare`` (n,) holds the right child's meanwhile.
    """
    own = entries[begin : begin + count]
    left, right = np.uint64(0), np.uint64(0)  # unsigned: no check for places counted from the end
    for place in range(count):
        entry = own[place]
        own[left], spare[right] = entry, entry
        is_left = np.uint64(goes_left[entry & row_bits])
        left += is_left
        right += np.uint64(1) - is_left
    for place in range(right):
        own[left + place] = spare[place]


@inlined
def keep(
    source: Packed,
    begin: int,
    count: int,
    row_bits: np.uint64,
    goes_left: NDArray[np.uint8],
    side: int,
    out: Packed,
    out_begin: int,
) -> None:
    """Copy the rows of one child, fewer than ``count``, to ``out``; what follows them there is spoiled.

    ``out`` may be where they stand already.
    """
    own, kept = source[begin : begin + count], out[out_begin : out_begin + count]
    size = np.uint64(0)
    for place in range(count):
        entry = own[place]
        kept[size] = entry
        size += np.uint64(goes_left[entry & row_bits] == side)


@entry()
def list_with_filled_gaps(
    order: Packed,
    begin: int,
    values: NDArray[np.float64],
    fill: float,
    shift: np.uint64,
    row_bits: np.uint64,
    out: Packed,
    out_begin: int,
) -> None:
    """Copy a column's list ``order[begin : begin + n]`` to ``out``, rows without a value to where the fill belongs.

    ``values`` is the column, (n,), NaN where a value is missing: these rows come last in ``order``.
    """
    n = len(values)
    present = n
    while present > 0 and np.isnan(values[order[begin + present - 1] & row_bits]):
        present -= 1
    below = 0
    while below < present and values[order[begin + below] & row_bits] < fill:
        below += 1
    rank = np.uint64(0)
    if below < present and values[order[begin + below] & row_bits] == fill:
        rank = np.uint64(order[begin + below] >> shift)
    elif below > 0:
        rank = np.uint64(order[begin + below - 1] >> shift) + np.uint64(1)
    gaps = n - present
    for place in range(below):
        out[out_begin + place] = order[begin + place]
    for place in range(gaps):
        out[out_begin + below + place] = (rank << shift) | (order[begin + present + place] & row_bits)
    for place in range(below, present):
        out[out_begin + gaps + place] = order[begin + place]
