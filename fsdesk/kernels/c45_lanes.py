"""Sorted rows sent two ways, sixteen at a time: written for LLVM by hand, which makes no such loop by itself.

One row at a time waits for the row before, as it goes where that one left off.
"""

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from fsdesk.kernels.lanes import (
    BYTES,
    INTEGER,
    IS_WIDE,
    LANES,
    address,
    counted,
    gathered,
    numbered,
    of_all,
    picked,
    spread,
    variable,
)

__all__ = ["send_lanes"]


def _send(
    typing: Any, source: Any, begin: Any, end: Any, row_bits: Any, way: Any, ahead: Any, at: Any, aside: Any, back: Any
) -> Any:
    signature = types.int64(source, begin, end, row_bits, way, ahead, at, aside, back)
    is_short = all(each.dtype == types.uint32 for each in (source, ahead, aside)) and way.dtype == types.int32
    return signature, _write_lanes if IS_WIDE and is_short else _write_nothing


def _write_nothing(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return INTEGER(-1)


def _write_lanes(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    def begin_of(place: int) -> Any:
        return context.make_array(signature.args[place])(context, builder, arguments[place]).data

    source, way, ahead, aside = begin_of(0), begin_of(4), begin_of(5), begin_of(7)
    _, begin, end, row_bits, _, _, at, _, back = arguments
    left, right = variable(builder, at), variable(builder, INTEGER(0))
    bits, lanes = spread(builder, row_bits), numbered()
    with cgutils.for_range_slice(builder, begin, end, INTEGER(LANES), INTEGER) as (place, _):
        entries = builder.load(address(builder, source, place), align=BYTES)
        is_there = builder.icmp_unsigned("<", lanes, spread(builder, builder.sub(end, place)))
        side = gathered(builder, way, builder.and_(entries, bits), is_there)
        goes_right = builder.icmp_signed("!=", side, of_all(0))
        goes_left = builder.and_(is_there, builder.not_(goes_right))
        for goes, out, count in ((goes_left, ahead, left), (goes_right, aside, right)):
            done = builder.load(count)
            builder.store(picked(builder, entries, goes), address(builder, out, done), align=BYTES)
            builder.store(builder.add(done, counted(builder, goes)), count)
    with builder.if_then(builder.icmp_signed(">=", back, INTEGER(0))):
        many = builder.load(right)
        with cgutils.for_range_slice(builder, INTEGER(0), many, INTEGER(LANES), INTEGER) as (place, _):
            entries = builder.load(address(builder, aside, place), align=BYTES)
            builder.store(entries, address(builder, ahead, builder.add(back, place)), align=BYTES)
    return builder.load(left)


send_lanes: Any = intrinsic(_send)
"""Called within a compiled function: send sorted rows two ways, and tell where the first of them ends.

Where the processor has no such instructions, or entries are longer than 32 bits, nothing is done and -1 told.

Parameters
----------
source, begin, end
    Entries, as in :class:`fsdesk.kernels.c45_table.Table`, and which of them. As many more as there are ``LANES`` may
    be read, and written over at the end of what goes to ``ahead`` and ``aside``.
row_bits
    Of an entry, those of its row.
way
    (n,) of each row: where it is 0 the first way.
ahead, at
    Where entries of the first way go, from this place on; may be ``source`` itself.
aside, back
    Where the others go, and from which place on they come to ``ahead`` then; not at all if it is negative.
"""
