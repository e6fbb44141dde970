"""Work that threads share within compiled calls: who takes what is told by counting, without the interpreter."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from fsdesk.kernels.compiling import MINUS_ONE, ONE, ZERO, inner

__all__ = ["Tally", "finish", "take"]

_LOOKS = 20_000  # about a tenth of a millisecond: others have at most one part left to do
_HEAD_START = 1_000  # looks


class Tally(NamedTuple):
    """How far some measurements are.

    Attributes
    ----------
    counts
        (2,) int64, how many parts were taken, and how many are finished.
    parts
        (t, 3) int64, of each part its measurement, its first repeat and the first one beyond.
    values
        (m, repeats) what was measured; of use once all are finished, and 0 where no part is to be.
    """

    counts: NDArray[np.int64]
    parts: NDArray[np.int64]
    values: NDArray[np.float64]

    @classmethod
    def of(cls, parts: Sequence[Sequence[slice]]) -> "Tally":
        """Where nothing is measured yet; of each measurement the repeats of its parts."""
        repeats = max((part.stop for own in parts for part in own), default=0)
        rows = [(place, part.start or 0, part.stop) for place, own in enumerate(parts) for part in own]
        return cls(np.zeros(2, dtype=np.int64), np.array(rows, dtype=np.int64), np.zeros((len(parts), repeats)))

    @property
    def is_done(self) -> bool:
        """Whether all are finished."""
        return bool(self.counts[1] == len(self.parts))


def _write_count(typing: Any, counts: Any, place: Any, more: Any) -> Any:
    """Add to a count and return what it was before, at once for all threads; what they wrote before is then seen."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.atomic_rmw("add", builder.gep(data, [arguments[1]]), arguments[2], "seq_cst")

    return types.int64(counts, types.int64, types.int64), write


_count: Any = intrinsic(_write_count)


@inner()
def take(tally: Tally, helps: bool) -> int:
    """The next part, which no other thread takes; -1 once none is left and others have finished theirs, too.

    At most some time after: where the system lets others wait, so must the caller. A thread that ``helps`` lets the one
    that asked have the interpreter first: being woken for it takes as long as a short measurement.
    """
    counts, many = tally.counts, len(tally.parts)
    part = _count(counts, ZERO, ONE)
    if part < many:
        return int(part)
    for _ in range(_LOOKS):
        if _count(counts, ONE, ZERO) == many:
            break
    if helps:
        for _ in range(_HEAD_START):
            _count(counts, ONE, ZERO)
    return int(MINUS_ONE)


@inner()
def finish(tally: Tally) -> None:
    """Count a part as finished; its values are written."""
    _count(tally.counts, ONE, ONE)
