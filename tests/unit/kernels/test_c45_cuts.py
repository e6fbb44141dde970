"""The cut that all scans of C4.5 take is the one that J48's rule takes, applied to every cut in turn."""

import numpy as np
import pytest
from numba import njit

from fsdesk.kernels.c45_logs import logs_up_to
from fsdesk.kernels.c45_scan import BLOCK, SCORES, SIDES, Gains, best_scored_cut, best_unit_cut, gains_of, score_two

_ROWS, _CLASS_SHIFT, _RANK_SHIFT = 60, 6, 8
_LOGS = logs_up_to(_ROWS)


@njit
def _scanned(entries, other, others, hidden, common, shifts, part, counts, logs, gains, low, tolerance):
    """Without plain numbers, for which kernels would be compiled once more: see compiling.py."""
    score = gains_of(counts, logs, gains, part)
    around = best_unit_cut(others, hidden, common, shifts[0], shifts[1], gains, score, low, tolerance)
    alone = best_unit_cut(entries, hidden - hidden, common, shifts[0], shifts[1], gains, score, low, tolerance)
    score_two(other, entries, shifts[0], shifts[1], score, low, gains, part)
    sides = gains.units[SIDES + part]
    floor, rank = score - sides[0] + tolerance, 1 << shifts[1]
    paired = best_scored_cut(entries, gains.units[SCORES + 1], sides, rank, low, floor, tolerance)
    return (alone.below, alone.cuts), (paired.below, paired.cuts), (around.below, around.cuts)


def _by_the_rule(values, target, low, tolerance):
    """J48: the first cut that is better than the best so far by more than a tolerance."""

    def score(rows):
        counts = np.bincount(rows, minlength=3)
        return sum(n * np.log2(n) for n in counts if n) - (len(rows) * np.log2(len(rows)) if len(rows) else 0.0)

    best, below = score(target) + tolerance, 0
    cuts = [cut for cut in range(low, len(values) - low + 1) if values[cut - 1] != values[cut]]
    for cut in cuts:
        candidate = score(target[:cut]) + score(target[cut:])
        if candidate > best:
            best, below = candidate + tolerance, cut
    return below, len(cuts)


@pytest.mark.parametrize("levels", [2, 8, 1000])
@pytest.mark.parametrize("tolerance", [1e-6, 0.3])
def test_all_scans_take_the_cut_of_the_rule(levels, tolerance):
    rng, cut = np.random.default_rng(levels), 0
    gains = Gains(np.empty((4, 3), dtype=np.uint64), np.empty((7, _ROWS + 1 + BLOCK), dtype=np.int64))
    for _ in range(300):
        target = rng.integers(0, 3, size=_ROWS)
        columns = []
        for _ in range(2):
            values = rng.integers(0, levels, size=_ROWS) + target * (levels // 4)
            order = np.lexsort((target, values))
            ranks = np.unique(values, return_inverse=True)[1]
            columns.append((values[order], target[order], order, ranks[order]))
        lists = np.zeros((2, _ROWS + BLOCK), dtype=np.uint32)
        for own, (_, kinds, order, ranks) in zip(lists, columns, strict=True):
            own[:_ROWS] = (ranks << _RANK_SHIFT) | (kinds << _CLASS_SHIFT) | order
        one, other = lists[:, :_ROWS]
        low = int(rng.integers(1, 12))
        wanted = _by_the_rule(*columns[0][:2], low, tolerance)
        counts = np.bincount(target, minlength=3).astype(float)
        shifts, least = (_CLASS_SHIFT, _RANK_SHIFT), int(tolerance / _LOGS.unit)
        common = int(np.bincount(columns[0][3]).argmax())
        others = one[columns[0][3] != common]
        hidden = len(one) - len(others)
        alone, paired, around = _scanned(
            one, other, others, hidden, common, shifts, 0, counts, _LOGS, gains, low, least
        )
        assert alone[0] == wanted[0]
        assert paired == wanted
        assert around[0] == wanted[0]
        assert around[1] == (wanted[1] if wanted[0] else 0)
        cut += wanted[0] > 0
    assert cut > 100
