import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fsdesk.measure.folds import stratified_folds


@settings(deadline=None, max_examples=60)
@given(
    sizes=st.lists(st.integers(1, 30), min_size=1, max_size=6),
    folds=st.integers(2, 7),
    seed=st.integers(0, 2**64),
    number=st.integers(0, 10_000),
)
def test_folds_and_classes_within_folds_differ_in_size_by_at_most_one_row(sizes, folds, seed, number):
    target = np.random.default_rng(0).permutation(np.repeat(np.arange(len(sizes)), sizes))
    labels = stratified_folds(target, repeats=3, folds=folds, seed=seed, number=number)
    assert labels.shape == (3, len(target))
    for row in labels:
        assert np.ptp(np.bincount(row, minlength=folds)) <= 1
        for code in range(len(sizes)):
            assert np.ptp(np.bincount(row[target == code], minlength=folds)) <= 1


def test_the_same_seed_and_number_give_the_same_folds_and_others_do_not():
    target = np.arange(50) % 3
    arguments = {"repeats": 4, "folds": 5}
    folds = stratified_folds(target, seed=1, number=2, **arguments)
    assert np.array_equal(folds, stratified_folds(target, seed=1, number=2, **arguments))
    assert not np.array_equal(folds, stratified_folds(target, seed=1, number=3, **arguments))
    assert not np.array_equal(folds, stratified_folds(target, seed=2, number=2, **arguments))


def test_rows_are_dealt_in_the_order_of_class_and_random_word():
    # The long way round: stored runs can be resumed only while these very folds come out.
    target = np.array([2, 0, 1, 1, 0, 2, 2, 0, 1, 0, 2])
    words = np.random.PCG64(np.random.SeedSequence(7, spawn_key=(4,))).random_raw(2 * 12)
    expected = []
    for own in (words[:12], words[12:]):
        order = sorted(range(11), key=lambda row: (target[row], own[row]))
        folds = {row: (place + int(own[11])) % 3 for place, row in enumerate(order)}
        expected.append([folds[row] for row in range(11)])
    assert stratified_folds(target, repeats=2, folds=3, seed=7, number=4).tolist() == expected


def test_every_pair_of_rows_is_parted_about_as_often_as_chance_says():
    target = np.zeros(20, dtype=np.int64)
    together = np.zeros((20, 20))
    for number in range(400):
        for row in stratified_folds(target, repeats=1, folds=5, seed=0, number=number):
            together += row[:, None] == row[None, :]
    share = together[np.triu_indices(20, 1)] / 400
    # 4 rows a fold: a row shares its fold with 3 of the 19 others; the standard error of a share is about 0.018.
    assert share.mean() == pytest.approx(3 / 19, abs=1e-12)
    assert np.abs(share - 3 / 19).max() < 5 * 0.0183
