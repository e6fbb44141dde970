"""Multiples of four rows taken off a fifth: written for LLVM by hand, as rows are short and the rest of one counts.

What LLVM makes of such a loop takes sixteen numbers at a time and the rest, often half of a row, one by one.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["take_off", "take_off_lanes"]

_LANES, _BYTES = 4, 8  # four, as next is often read what begins four places on: a processor hands it over only whole
_FAST = ("contract", "nsz", "nnan")

_INTEGER, _NUMBER = ir.IntType(64), ir.DoubleType()
_VECTOR = ir.VectorType(_NUMBER, _LANES)


def _loop(*, is_padded: bool) -> Any:
    def write_loop(typing: Any, out: Any, one: Any, two: Any, three: Any, four: Any, times: Any, size: Any) -> Any:
        return types.none(out, one, two, three, four, times, size), _writer(is_padded)

    return write_loop


def _writer(is_padded: bool) -> Any:
    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        arrays = zip(signature.args[:5], arguments[:5], strict=True)
        out, *rows = (context.make_array(kind)(context, builder, value).data for kind, value in arrays)
        factors = [builder.extract_value(arguments[5], i) for i in range(len(rows))]
        vectors, size = [_spread(builder, factor) for factor in factors], arguments[6]
        whole = size if is_padded else builder.and_(size, _INTEGER(-_LANES))
        with cgutils.for_range_slice(builder, _INTEGER(0), whole, _INTEGER(_LANES), _INTEGER) as (place, _):
            _take(builder, out, rows, vectors, place, _VECTOR)
        for rest in range(0 if is_padded else _LANES - 1):
            place = builder.add(whole, _INTEGER(rest))
            with builder.if_then(builder.icmp_signed("<", place, size)):
                _take(builder, out, rows, factors, place, _NUMBER)
        return context.get_dummy_value()

    return write


def _take(builder: Any, out: Any, rows: Any, factors: Any, place: Any, kind: Any) -> None:
    """One number or as many as there are lanes, from ``place`` on."""

    def address(row: Any) -> Any:
        return builder.bitcast(builder.gep(row, [place]), kind.as_pointer())

    total = builder.load(address(out), align=_BYTES)
    for row, factor in zip(rows, factors, strict=True):
        product = builder.fmul(builder.load(address(row), align=_BYTES), factor, flags=_FAST)
        total = builder.fsub(total, product, flags=_FAST)
    builder.store(total, address(out), align=_BYTES)


def _spread(builder: Any, number: Any) -> Any:
    """A vector of one number."""
    nothing, zero = ir.Constant(_VECTOR, ir.Undefined), ir.IntType(32)(0)
    one = builder.insert_element(nothing, number, zero)
    return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(zero.type, _LANES), [0] * _LANES))


take_off: Any = intrinsic(_loop(is_padded=False))
"""Called within a compiled function: take products off the first numbers of ``out``.

Parameters
----------
out, one, two, three, four
    (size or more,) of 64 bits, one beside the other.
times
    Four numbers, by which the four rows are multiplied.
size
    How many numbers.
"""

take_off_lanes: Any = intrinsic(_loop(is_padded=True))
"""The same where all go on for up to three numbers that may be read, and in ``out`` written over."""
