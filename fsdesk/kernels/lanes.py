"""Sixteen whole numbers at a time, in loops that are written for LLVM by hand."""

from importlib import import_module
from typing import Any

from llvmlite import ir

__all__ = [
    "BYTES",
    "INTEGER",
    "IS_WIDE",
    "LANES",
    "address",
    "counted",
    "gathered",
    "numbered",
    "of_all",
    "picked",
    "spread",
    "variable",
]

LANES, BYTES = 16, 4
INTEGER, _ENTRY = ir.IntType(64), ir.IntType(32)
_VECTOR = ir.VectorType(_ENTRY, LANES)
_MASK, _ADDRESS = ir.VectorType(ir.IntType(1), LANES), ir.IntType(8).as_pointer()


def _is_wide() -> bool:
    asked: str | None = getattr(import_module("numba.core.config"), "CPU_FEATURES", None)
    known = (import_module("numba.core.codegen").get_host_cpu_features() if asked is None else asked).split(",")
    return "+avx512f" in known


IS_WIDE = _is_wide()
"""Whether this processor has vectors of so many numbers, and gathers, picks and permutes them."""


def of_all(number: int) -> Any:
    """A constant vector of one number."""
    return ir.Constant(_VECTOR, [number] * LANES)


def numbered() -> Any:
    """A constant vector of the numbers of the lanes."""
    return ir.Constant(_VECTOR, list(range(LANES)))


def spread(builder: Any, number: Any) -> Any:
    """A vector of the lower half of one number."""
    nothing = ir.Constant(_VECTOR, ir.Undefined)
    one = builder.insert_element(nothing, builder.trunc(number, _ENTRY), _ENTRY(0))
    return builder.shuffle_vector(one, nothing, of_all(0))


def variable(builder: Any, value: Any) -> Any:
    """Room for a number that a loop changes, which LLVM keeps in a register."""
    with builder.goto_entry_block():
        room = builder.alloca(value.type)
    builder.store(value, room)
    return room


def address(builder: Any, begin: Any, place: Any) -> Any:
    """Where the vector is that begins at a place."""
    return builder.bitcast(builder.gep(begin, [place]), _VECTOR.as_pointer())


def gathered(builder: Any, begin: Any, places: Any, wanted: Any) -> Any:
    """What is at some places, 0 where it is not wanted."""
    kind = ir.FunctionType(_VECTOR, [_VECTOR, _ADDRESS, _VECTOR, _MASK, _ENTRY])
    function = builder.module.declare_intrinsic("llvm.x86.avx512.mask.gather.dpi.512", (), kind)
    return builder.call(function, [of_all(0), builder.bitcast(begin, _ADDRESS), places, wanted, _ENTRY(BYTES)])


def picked(builder: Any, vector: Any, wanted: Any) -> Any:
    """The wanted ones first."""
    kind = ir.FunctionType(_VECTOR, [_VECTOR, _VECTOR, _MASK])
    function = builder.module.declare_intrinsic("llvm.x86.avx512.mask.compress.v16i32", (), kind)
    return builder.call(function, [vector, of_all(0), wanted])


def counted(builder: Any, wanted: Any) -> Any:
    """How many lanes are wanted."""
    return builder.ctpop(builder.zext(builder.bitcast(wanted, ir.IntType(LANES)), INTEGER))
