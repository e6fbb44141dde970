"""Subsets that are as good as the answer, as far as the search can tell: the evidence that no list is the only one."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fsdesk.engine import BaselineMeasured, BatchMeasured, Best, Event
from fsdesk.engine.events import pack_masks, unpack_masks
from fsdesk.measure import Measurement
from fsdesk.methods import Mask

__all__ = ["Peer", "Peers", "equally_good"]

_MOST_SHOWN = 200


@dataclass(frozen=True, eq=False)
class Peer:
    """One subset: its mask (p,), its mean loss, how often it was measured, and whether it is the answer."""

    mask: Mask
    error: float
    times: int
    answer: bool

    @property
    def size(self) -> int:
        """Number of features."""
        return int(self.mask.sum())


@dataclass(frozen=True, eq=False)
class Peers:
    """All measured subsets within one standard error of the answer.

    Attributes
    ----------
    shown
        The best of them, at most 200: lowest loss first, of equal ones the smaller first; the answer is among them.
    number, measured
        How many there are, and how many different subsets were measured.
    limit
        Largest loss that counts as equally good: that of the answer and one standard error.
    frequency
        (p,) share of all of them that hold each feature.
    """

    shown: tuple[Peer, ...]
    number: int
    measured: int
    limit: float
    frequency: NDArray[np.float64]


@dataclass
class _Record:
    """All that was measured of one mask; what was measured to confirm it stands for it alone."""

    found: list[float] = field(default_factory=list)
    confirmed: list[float] = field(default_factory=list)

    @property
    def values(self) -> list[float]:
        return self.confirmed or self.found


def equally_good(events: Iterable[Event], best: Best) -> Peers:
    """Look through the log of a run.

    A subset that was measured once owes part of its value to luck, and of many such the luckiest come up here; those
    that were confirmed count with their confirmed values only.

    Parameters
    ----------
    best
        The answer of the run.
    """
    features = len(best.mask)
    records: dict[bytes, _Record] = {}
    for event in events:
        if isinstance(event, BatchMeasured):
            for packed, row in zip(event.masks, event.values, strict=True):
                record = records.setdefault(packed.tobytes(), _Record())
                (record.confirmed if event.confirms else record.found).append(Measurement.of(row).mean)
        elif isinstance(event, BaselineMeasured):
            key = pack_masks([np.ones(features, dtype=np.bool_)])[0].tobytes()
            records.setdefault(key, _Record()).found.append(Measurement.of(event.values).mean)
    answer = pack_masks([best.mask])[0].tobytes()
    limit = best.mean + best.std_error
    means = {key: float(np.mean(record.values)) for key, record in records.items()} | {answer: best.mean}
    good = [key for key, mean in means.items() if mean <= limit]
    masks = unpack_masks(np.frombuffer(b"".join(good), dtype=np.uint8).reshape(len(good), -1), features)
    sizes = masks.sum(axis=1)
    order = sorted(range(len(good)), key=lambda at: (means[good[at]], sizes[at], good[at]))
    place = good.index(answer)
    kept = order[:_MOST_SHOWN] if place in order[:_MOST_SHOWN] else [*order[: _MOST_SHOWN - 1], place]
    times = [len(records[key].values) if key in records else 0 for key in good]
    shown = [Peer(masks[at].copy(), means[good[at]], times[at], at == place) for at in kept]
    return Peers(tuple(shown), len(good), len(records), limit, np.asarray(masks.mean(axis=0)))
