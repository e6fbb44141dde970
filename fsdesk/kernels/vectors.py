"""Long vectors: LLVM takes 256 bits where a processor has 512, which is slower for products of long rows."""

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from fsdesk.kernels.compiling import inner

__all__ = ["aligned_room", "aligned_zeros", "numbers_only", "prefer_long_vectors"]

_LINE: Any = np.int64(16)  # numbers of single precision in a line of the cache, and in the longest vector
_BYTES = 4

_PREFERENCE = '"prefer-vector-width"="512"'  # a processor without such vectors takes its longest


def _write_preference(typing: Any) -> Any:
    """Note it at the function that is being compiled."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        set.add(builder.function.attributes, _PREFERENCE)  # llvmlite's own method knows only attributes without a value
        return context.get_dummy_value()

    return types.none(), write


prefer_long_vectors: Any = intrinsic(_write_preference)
"""Called within a compiled function: its loops are to use vectors as long as there are."""


def _write_promise(typing: Any) -> Any:
    """Note at the function that is being compiled that none of its numbers is NaN; it stays one of its own."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        for name in ('"no-nans-fp-math"="true"', '"no-signed-zeros-fp-math"="true"', "noinline"):
            set.add(builder.function.attributes, name)
        return context.get_dummy_value()

    return types.none(), write


numbers_only: Any = intrinsic(_write_promise)
"""Called within a compiled function: LLVM finds the largest of many numbers by vectors only if it is told so."""


def aligned_room(rows: int, lines: int) -> NDArray[np.float32]:
    """Zeros, so many lines of the cache a row: a vector that lies across two lines takes twice as long to read."""
    size = rows * lines * _LINE
    room = np.zeros(size + _LINE, dtype=np.float32)
    begin = (-room.ctypes.data // _BYTES) % _LINE
    return room[begin : begin + size].reshape(rows, lines * _LINE)


aligned_zeros = inner()(aligned_room)
"""The same within a compiled function."""
