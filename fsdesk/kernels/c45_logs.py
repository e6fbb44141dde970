"""The function x log2 x, which all gains are sums of."""

import math
from typing import NamedTuple

import numpy as np

from fsdesk.kernels.c45_table import SMALL, Floats, Integers
from fsdesk.kernels.compiling import lean

__all__ = ["Logs", "logs_up_to", "plogp"]

_MANTISSA_BITS = 52
_ROOT_HALF_BITS = 0x3FE6A09E667F3BCD  # of the square root of 1/2: mantissas are taken from there to the root of 2
# log2 m = sum over odd k of 2 / (k ln 2) s^k with s = (m - 1) / (m + 1); the terms left out are below 1e-12.
_C1, _C3, _C5, _C7, _C9, _C11, _C13 = (2.0 / (k * np.log(2.0)) for k in (1, 3, 5, 7, 9, 11, 13))
_LEAST = 1e-300  # keeps the bits of a logarithm's argument positive


class Logs(NamedTuple):
    """Tables for counts.

    Attributes
    ----------
    value
        (n + 2,) x log2 x for x = 0, 1, ..., n + 1.
    whole, step
        (n + 2,), (n + 1,) the same in units of ``unit``, as whole numbers, and differences of neighbours: additions and
        the search for the largest are then vectorised, and sums have no rounding of their own.
    unit
        A power of two; sums of two of the largest value are below 2^60 of it.
    """

    value: Floats
    whole: Integers
    step: Integers
    unit: float


def logs_up_to(n: int) -> Logs:
    """Tables for counts up to n."""
    value = np.array([0.0, 0.0, *(x * math.log2(x) for x in range(2, n + 2))])
    unit = 2.0 ** (int(2 * value[-1] + 1).bit_length() - 60)
    whole = np.rint(value / unit).astype(np.int64)
    return Logs(value, whole, whole[1:] - whole[:-1], unit)


@lean()
def plogp(x: float) -> float:
    """Give x log2 x, 0 where x is 0 but for rounding; without calls or branches, so that loops of it are vectorised."""
    bits = np.float64(max(x, _LEAST)).view(np.int64)
    exponent = (bits - _ROOT_HALF_BITS) >> _MANTISSA_BITS
    mantissa = np.int64(bits - (exponent << _MANTISSA_BITS)).view(np.float64)
    s = (mantissa - 1.0) / (mantissa + 1.0)
    z = s * s
    series = s * (_C1 + z * (_C3 + z * (_C5 + z * (_C7 + z * (_C9 + z * (_C11 + z * _C13))))))
    return x * (exponent + series) if x >= SMALL else 0.0
