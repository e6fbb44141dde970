"""Local search: flip one feature at a time, on fixed folds, and keep improvements."""

from collections.abc import Generator, Sequence

import numpy as np

from fsdesk.methods.problem import Loss, Mask

_AT_ONCE = 4  # neighbors measured together
_KICK = 2  # features flipped to leave a local optimum
_IDLE = 5  # consecutive passes that found nothing new to measure

Asking = Generator[list[Mask], Sequence[Loss], int]


def local_search(start: Mask, room: int, low: int, high: int, rng: np.random.Generator) -> Asking:
    """Improve ``start`` by flipping single features, in random order; from a local optimum, restart nearby.

    Parameters
    ----------
    start
        (n,) mask.
    room
        Maximum number of masks to measure.
    low, high
        Limits on the number of features of a mask; if a flip leads outside, another feature is flipped as well.

    Yields
    ------
    Masks to measure together. None is requested twice: all losses must come from the same folds.

    Returns
    -------
    Number of masks measured.
    """
    known: dict[bytes, float] = {}
    best = current = start
    idle = 0
    while idle < _IDLE:
        before = len(known)
        yield from _learn([current], known, room)
        for four in _fours(len(start), rng):
            neighbours = [_turned(current, int(place), low, high, rng) for place in four]
            yield from _learn(neighbours, known, room)
            if len(known) >= room:
                return len(known)
            leader = min([current, *neighbours], key=lambda mask: known[mask.tobytes()])
            current = leader if known[leader.tobytes()] < known[current.tobytes()] else current
        idle = 0 if len(known) > before else idle + 1
        if known[current.tobytes()] < known[best.tobytes()]:
            best = current
        else:
            current = best
            for place in rng.permutation(len(best))[:_KICK]:
                current = _turned(current, int(place), low, high, rng)
    return len(known)


def _learn(masks: Sequence[Mask], known: dict[bytes, float], room: int) -> Asking:
    """Measure the masks not yet known, as far as the budget allows."""
    new = list({mask.tobytes(): mask for mask in masks if mask.tobytes() not in known}.values())[: room - len(known)]
    if new:
        losses = yield new
        for mask, loss in zip(new, losses, strict=True):
            known[mask.tobytes()] = loss.mean if np.isfinite(loss.mean) else np.inf
    return len(new)


def _fours(n: int, rng: np.random.Generator) -> list[Sequence[int]]:
    order = rng.permutation(n).tolist()
    return [order[place : place + _AT_ONCE] for place in range(0, n, _AT_ONCE)]


def _turned(mask: Mask, place: int, low: int, high: int, rng: np.random.Generator) -> Mask:
    """The mask with one feature flipped, and another one too if its size would be outside the limits."""
    turned = mask.copy()
    turned[place] = not turned[place]
    size = int(turned.sum())
    if not low <= size <= high:
        others = np.flatnonzero(turned == (size > high))
        others = others[others != place]
        if not len(others):
            return mask
        other = rng.choice(others)
        turned[other] = not turned[other]
    return turned
