"""The random words of a measurement, the very ones of numpy, made without the interpreter.

They are those of ``PCG64(SeedSequence(seed, spawn_key=(number,)))``, which numpy promises for all versions: seed_seq_fe
hashes the seed and the number, PCG XSL RR 128/64 makes the words (M. O'Neill, HMC-CS-2014-0905, and her essays).
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from fsdesk.kernels.compiling import inner

__all__ = ["fill_with_words"]

Words = NDArray[np.uint64]

_POOL = 4  # words of 32 bits that all hashing goes to
_LOW, _HALF, _ROUND = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(16)
_NEXT_IN = np.uint64(0x931E8875)
_FIRST_OUT, _NEXT_OUT = np.uint64(0x8B51F9DD), np.uint64(0x58F38DED)
_LEFT, _RIGHT = np.uint64(0xCA01F9DD), np.uint64(0x4973F715)
_TIMES_HIGH, _TIMES_LOW = np.uint64(2549297995355413924), np.uint64(4865540595714422341)
_NOTHING, _ONE, _TURNS, _LAST, _WIDTH = np.uint64(0), np.uint64(1), np.uint64(58), np.uint64(63), np.uint64(64)


def _write_high_word(typing: Any, one: Any, other: Any) -> Any:
    """The high word of a product of two words: one instruction, for which numba has no name."""

    def write(context: Any, builder: Any, signature: Any, words: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(*(builder.zext(word, wide) for word in words))
        return builder.trunc(builder.lshr(product, wide(64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), write


_high_word: Any = intrinsic(_write_high_word)


@inner()
def fill_with_words(hashed: Words, number: int, words: Words) -> None:
    """Fill in the first words of the generator of a seed, hashed as in a ``Deal``, and of this number."""
    pool, constant, rest = hashed.copy(), hashed[_POOL], np.uint64(number)
    while True:
        for place in range(_POOL):
            word = (rest & _LOW) ^ constant
            constant = constant * _NEXT_IN & _LOW
            word = word * constant & _LOW
            word = (pool[place] * _LEFT - (word ^ word >> _ROUND) * _RIGHT) & _LOW
            pool[place] = word ^ word >> _ROUND
        rest >>= _HALF
        if rest == _NOTHING:
            break
    seeds, constant = np.zeros(_POOL, dtype=np.uint64), _FIRST_OUT
    for half in range(2 * _POOL):
        word = pool[half % _POOL] ^ constant
        constant = constant * _NEXT_OUT & _LOW
        word = word * constant & _LOW
        seeds[half // 2] |= (word ^ word >> _ROUND) << np.uint64(half % 2 * 32)
    step_high, step_low = seeds[2] << _ONE | seeds[3] >> _LAST, seeds[3] << _ONE | _ONE
    low = step_low + seeds[1]
    high = step_high + seeds[0] + np.uint64(low < step_low)
    for place in range(-1, len(words)):  # the first state is stepped as all others, but makes no word
        high = _high_word(low, _TIMES_LOW) + high * _TIMES_LOW + low * _TIMES_HIGH + step_high
        low = low * _TIMES_LOW + step_low
        high += np.uint64(low < step_low)
        if place >= 0:
            folded, turned = high ^ low, high >> _TURNS
            words[place] = folded >> turned | folded << (_WIDTH - turned & _LAST)
