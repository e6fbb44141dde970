"""The stability index against hand calculations and in its limiting cases."""

import numpy as np
import pytest

from fsdesk.results.stability import selection_frequency, stability


def test_three_masks_of_four_features_calculated_by_hand():
    masks = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 0]], dtype=bool)
    # p = (1, 2/3, 1/3, 0): mean p(1-p) = (0 + 2/9 + 2/9 + 0) / 4 = 1/9. k = 2, D = 1/2 * 1/2 = 1/4.
    # Phi = 1 - 3/2 * (1/9) / (1/4) = 1/3.
    # All k_i = 2, so k_i k / d^2 = 1/4 and phi_i = 4 [mean(Z p) - 1/4 + Phi/2 (1/2 - 1/2 - 1/2 + 1)]
    # = 4 mean(Z p) - 1 + Phi. mean(Z p) = 5/12, 4/12, 5/12: phi = 1, 2/3, 1; mean 8/9.
    # Var = 4/9 * (1/81 + 4/81 + 1/81) = 24/729.
    found = stability(masks)
    assert found.index == pytest.approx(1 / 3)
    reach = 1.959963985 * np.sqrt(24 / 729)
    assert found.low == pytest.approx(1 / 3 - reach)
    assert found.high == pytest.approx(1 / 3 + reach)
    assert found.masks == 3
    assert selection_frequency(masks).tolist() == pytest.approx([1, 2 / 3, 1 / 3, 0])


def test_masks_of_unequal_size_calculated_by_hand():
    masks = np.array([[1, 0, 0, 0], [1, 1, 1, 0]], dtype=bool)
    # p = (1, 1/2, 1/2, 0): mean p(1-p) = 1/8. k = 2, D = 1/4. Phi = 1 - 2 * (1/8) / (1/4) = 0.
    # phi_i = 4 [mean(Z p) - k_i / 8]: (1/4 - 1/8, 1/2 - 3/8) * 4 = 1/2, 1/2: no variance.
    found = stability(masks)
    assert (found.index, found.low, found.high) == pytest.approx((0, 0, 0))


def test_equal_masks_are_perfectly_stable_and_opposite_ones_least():
    same = stability(np.tile(np.arange(10) < 3, (5, 1)))
    assert (same.index, same.low, same.high) == pytest.approx((1, 1, 1))
    half = np.arange(10) < 5
    assert stability(np.array([half, ~half])).index == pytest.approx(-1)  # the least for M = 2: -1 / (M - 1)


def test_random_masks_are_about_as_alike_as_chance():
    masks = np.random.default_rng(0).random((200, 400)) < 0.3
    found = stability(masks)
    assert abs(found.index) < 0.01
    assert found.low <= found.index <= found.high


def test_the_index_is_the_mean_agreement_of_pairs_where_all_sizes_are_equal():
    """With equal sizes it equals Kuncheva's index, the mean over pairs of (r - k^2/d) / (k - k^2/d)."""
    rng = np.random.default_rng(1)
    d, k, count = 30, 7, 12
    masks = np.zeros((count, d), dtype=bool)
    for mask in masks:
        mask[rng.choice(d, k, replace=False)] = True
    pairs = [(a & b).sum() for place, a in enumerate(masks) for b in masks[:place]]
    kuncheva = np.mean([(r - k * k / d) / (k - k * k / d) for r in pairs])
    assert stability(masks).index == pytest.approx(kuncheva)


@pytest.mark.parametrize(
    "masks",
    [np.ones((1, 4)), np.zeros((3, 4)), np.ones((3, 4)), np.zeros((0, 4)), np.zeros((3, 0))],
    ids=["one mask", "all empty", "all full", "no mask", "no feature"],
)
def test_where_it_is_not_defined_there_is_none(masks):
    assert stability(masks.astype(bool)) is None
