"""Equally good subsets, from logs that are small enough to count by hand."""

import numpy as np

from fsdesk.engine import BaselineMeasured, BatchMeasured, Best
from fsdesk.engine.events import pack_masks
from fsdesk.results.subsets import equivalent_subsets

A, B, C = (np.array(bits, dtype=np.bool_) for bits in ([1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0]))


def batch(number, masks, losses, *, candidates=None, confirms=False):
    return BatchMeasured(
        number=number,
        masks=pack_masks(list(masks)),
        candidates=candidates or (not confirms,) * len(masks),
        values=np.array(losses),
        iteration=number,
        weights=None,
        confirms=confirms,
    )


LOG = [
    BaselineMeasured(np.array([0.2, 0.3]), 0.0),
    batch(1, [A, B], [[0.10, 0.12], [0.30, 0.10]]),
    batch(3, [C], [[0.14, np.nan]]),
    batch(4, [B], [[0.4, 0.0]], candidates=(False,)),  # counts too, whatever the method asked it for
    batch(5, [A], [[0.10, 0.14]]),
]


def test_those_within_one_standard_error_are_listed_best_first():
    found = equivalent_subsets(LOG, Best(A, 0.11, 0.03, 1, 1, None))
    assert found.measured == 4 and found.number == 2 and found.limit == 0.14
    assert [peer.size for peer in found.shown] == [1, 2]
    assert [peer.answer for peer in found.shown] == [True, False]
    assert [peer.times for peer in found.shown] == [2, 1]
    np.testing.assert_array_equal(found.frequency, [0.5, 0.5, 0.5, 0.0])


def test_a_confirmed_subset_counts_with_its_confirmed_values_only():
    log = [*LOG, batch(6, [A, C], [[0.2, 0.2], [0.12, 0.12]], confirms=True)]
    found = equivalent_subsets(log, Best(C, 0.12, 0.001, 6, 6, None))
    assert [peer.answer for peer in found.shown] == [True]  # A was lucky at first


def test_the_answer_is_listed_even_where_it_was_never_a_candidate():
    found = equivalent_subsets([LOG[0]], Best(B, 0.1, 0.0, 0, 0, None))
    assert [(peer.answer, peer.times) for peer in found.shown] == [(True, 0)]
