"""Outer folds of a made-up run, with what was said about each of their rows."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fsdesk.results.evidence import OuterFold
from fsdesk.results.held_out import HeldOut


def held_out(
    losses: Sequence[float], everything: float = 0.5, rows: int = 60, mask: Sequence[int] = (0,)
) -> list[OuterFold]:
    """A fold for each loss: of its rows, half of each of two classes, so large a share is missed, by all features, too.

    ``mask`` are the packed bytes of the answers.
    """
    return [_fold(place, len(losses), loss, everything, rows, mask) for place, loss in enumerate(losses)]


def _fold(place: int, folds: int, loss: float, everything: float, rows: int, mask: Sequence[int]) -> OuterFold:
    numbers = place * rows + np.arange(rows)
    truth = np.arange(rows) % 2
    said = HeldOut(
        criterion="error",
        classes=2,
        rows=numbers,
        blocks=numbers,
        folds=np.full(rows, place),
        repeats=np.zeros(rows, dtype=np.int64),
        truth=truth,
        chosen=_missed(truth, loss, 0),
        everything=_missed(truth, everything, 7),
        chance=np.zeros(rows, dtype=np.int64),
    )
    return OuterFold(place, folds, rows, loss, 0.1, np.array(mask, dtype=np.uint8), said=said)


def _missed(truth: NDArray[np.int64], share: float, first: int) -> NDArray[np.int64]:
    """What is predicted where a share of the rows is missed, from one of them on."""
    wrong = (first + np.arange(round(share * len(truth)))) % len(truth)
    said = truth.copy()
    said[wrong] = 1 - said[wrong]
    return said
