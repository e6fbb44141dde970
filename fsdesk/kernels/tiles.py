"""Products of three rows with many others, their sums in registers all the time: a loop written for LLVM by hand.

What LLVM makes of such loops by itself are products whose terms are lanes, which must be added up at the end of each.
Here each lane is a product of its own, and a column is read as it lies in memory.
"""

from importlib import import_module
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from fsdesk.kernels.compiling import inner

__all__ = ["TERMS", "add_lower_products", "add_products", "add_tile", "lines_for", "lines_of"]


def _registers() -> tuple[int, int]:
    """How many numbers a vector has, and for how many vectors there are registers, with three sums each."""
    asked: str | None = getattr(import_module("numba.core.config"), "CPU_FEATURES", None)
    known = (import_module("numba.core.codegen").get_host_cpu_features() if asked is None else asked).split(",")
    if "+avx512f" in known:
        return 16, 7
    if "+avx" in known:
        return 8, 3
    return 4, 7 if "+neon" in known else 3


_WIDTH, _MOST = _registers()
_BYTES = 4
_ROWS = 3  # whose products are made together
_LINE = 16  # numbers in a line of the cache

TERMS: Any = np.int64(48)
"""Columns whose values of as many rows as have their sums in registers stay in the first cache."""
_LANES: Any = np.int64(_WIDTH)
_VECTORS: Any = np.int64(_MOST)

_FAST = ("contract", "nsz", "nnan")  # a product is added without rounding it first, where a processor can
_INTEGER, _NUMBER = ir.IntType(64), ir.FloatType()
_VECTOR = ir.VectorType(_NUMBER, _WIDTH)

Single = NDArray[np.float32]


def _loops_of(rows: int, most: int) -> Any:
    """One loop for each number of vectors, up to ``most``, with so many rows."""

    def write_loops(
        typing: Any, left: Any, row: Any, right: Any, lane: Any, vectors: Any, terms: Any, out: Any, place: Any
    ) -> Any:
        return types.none(left, row, right, lane, vectors, terms, out, place), _writer(rows, most)

    return write_loops


def _writer(rows: int, most: int) -> Any:
    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def address(place: int, row: Any, column: Any) -> tuple[Any, Any]:
            own = context.make_array(signature.args[place])(context, builder, arguments[place])
            stride = builder.extract_value(own.strides, 0)
            begin = builder.add(builder.ptrtoint(own.data, _INTEGER), builder.mul(stride, row))
            return builder.add(begin, builder.mul(column, _INTEGER(_BYTES))), stride

        _, row, _, lane, vectors, terms, _, place = arguments
        ends = [address(6, builder.add(place, _INTEGER(i)), lane)[0] for i in range(rows)]
        reads = address(0, _INTEGER(0), row), address(2, _INTEGER(0), lane)
        start, done = builder.block, builder.append_basic_block("done")
        loops = [_write_loop(builder, reads, ends, many, terms, done) for many in range(1, most + 1)]
        builder.position_at_end(start)
        choice = builder.switch(vectors, done)
        for many, loop in enumerate(loops, 1):
            choice.add_case(_INTEGER(many), loop)
        builder.position_at_end(done)
        return context.get_dummy_value()

    return write


def _write_loop(builder: Any, reads: Any, ends: Any, many: int, terms: Any, done: Any) -> Any:
    """Add up the products of some rows with so many vectors; return where this begins."""
    rows = len(ends)
    begin, loop = builder.append_basic_block(f"begin{many}"), builder.append_basic_block(f"loop{many}")
    builder.position_at_end(begin)
    builder.branch(loop)
    builder.position_at_end(loop)

    def goes_on(kind: Any, first: Any) -> Any:
        value = builder.phi(kind)
        value.add_incoming(first, begin)
        return value

    (left, step), (right, line) = reads
    term, at, places = goes_on(_INTEGER, _INTEGER(0)), goes_on(_INTEGER, left), goes_on(_INTEGER, right)
    sums = [goes_on(_VECTOR, ir.Constant(_VECTOR, [0.0] * _WIDTH)) for _ in range(rows * many)]
    values = [builder.load(_place(builder, places, k * _WIDTH, _VECTOR), align=_BYTES) for k in range(many)]
    added = []
    for i in range(rows):
        times = _spread(builder, builder.load(_place(builder, at, i, _NUMBER)))
        for k in range(many):
            product = builder.fmul(times, values[k], flags=_FAST)
            added.append(builder.fadd(sums[i * many + k], product, flags=_FAST))
    following = [builder.add(term, _INTEGER(1)), builder.add(at, step), builder.add(places, line)]
    for value, then in zip([term, at, places, *sums], following + added, strict=True):
        value.add_incoming(then, loop)
    end = builder.append_basic_block(f"end{many}")
    builder.cbranch(builder.icmp_signed("<", following[0], terms), loop, end)
    builder.position_at_end(end)
    for i in range(rows):
        for k in range(many):
            place = _place(builder, ends[i], k * _WIDTH, _VECTOR)
            total = builder.fadd(builder.load(place, align=_BYTES), added[i * many + k], flags=_FAST)
            builder.store(total, place, align=_BYTES)
    builder.branch(done)
    return begin


def _place(builder: Any, begin: Any, number: int, kind: Any) -> Any:
    return builder.inttoptr(builder.add(begin, _INTEGER(number * _BYTES)), kind.as_pointer())


def _spread(builder: Any, number: Any) -> Any:
    """A vector of one number."""
    nothing, zero = ir.Constant(_VECTOR, ir.Undefined), ir.IntType(32)(0)
    one = builder.insert_element(nothing, number, zero)
    return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(zero.type, _WIDTH), [0] * _WIDTH))


add_tile: Any = intrinsic(_loops_of(_ROWS, _MOST))
"""Called within a compiled function: add to three rows of ``out`` products with some lanes.

Parameters
----------
left, row
    (terms or more, rows) and the first of three: they are columns here, one beside the other.
right, lane, vectors
    (terms or more, lanes); so many vectors of it, from 1 to as many as there are registers for, from this lane on.
terms
    At least 1.
out, place
    (rows, lanes), and which row is the first of these three.
"""

add_low_tile: Any = intrinsic(_loops_of(2 * _ROWS, _MOST // 2))
"""The same with six rows and half as many vectors: three rows with one or two have too few sums to wait for each."""


def lines_of(n: int) -> int:
    """Lines of the cache that hold n rows, and as many more as fill up the last three."""
    return -(-(n + _ROWS - 1) // _LINE)


lines_for = inner()(lines_of)
"""The same within a compiled function."""


@inner()
def add_products(left: Single, start: int, many: int, right: Single, out: Single) -> None:
    """Add to ``out`` the products of rows ``start``, ... with all.

    Parameters
    ----------
    left, right
        (terms, n + 2 or more) columns, as many as ``TERMS``, or fewer; those of ``right`` in whole lines of the cache.
    out
        (many + 2, n + 2 or more).
    """
    vectors = right.shape[1] // _LANES
    parts, first = -(-vectors // _VECTORS), 0 * _LANES
    for part in range(parts):
        wide = (vectors - first + parts - part - 1) // (parts - part)
        for row in range(0, many, _ROWS):
            add_tile(left, start + row, right, first * _LANES, wide, len(left), out, row)
        first += wide


@inner()
def add_lower_products(left: Single, right: Single, n: int, out: Single) -> None:
    """Add to ``out`` the products of each of n rows with those before it, and with some after it.

    Parameters
    ----------
    left, right
        (terms, n + 2 or more) columns, as many as ``TERMS``, or fewer.
    out
        (n + 2, n + 2 or more).
    """
    vectors = -(-n // _LANES)
    parts, first = -(-vectors // _VECTORS), 0 * _LANES
    for part in range(parts):
        many = (vectors - first + parts - part - 1) // (parts - part)
        i = first * _LANES // _ROWS * _ROWS
        while i < n:
            reached = min(many, (i + 2 * _ROWS - 1) // _LANES + 1 - first)
            if reached <= _VECTORS // 2 and i + 2 * _ROWS <= len(out):
                add_low_tile(left, i, right, first * _LANES, reached, len(left), out, i)
                i += 2 * _ROWS
            else:
                reached = min(many, (i + _ROWS - 1) // _LANES + 1 - first)
                add_tile(left, i, right, first * _LANES, reached, len(left), out, i)
                i += _ROWS
        first += many
