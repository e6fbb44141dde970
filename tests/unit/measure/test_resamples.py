import numpy as np
import pytest

from fsdesk.data import Dataset
from fsdesk.measure import MeasureSettings, Resamples


def _dataset(rows=90, **roles):
    target = np.arange(rows) % 3
    x = np.asfortranarray(np.random.default_rng(0).normal(size=(rows, 4)))
    return Dataset("t", x, tuple("abcd"), target, "y", ("0", "1", "2"), ("",) * rows, **roles)


def test_every_row_is_held_out_once_in_each_deal_and_classes_are_spread_evenly():
    resamples = Resamples(_dataset(), MeasureSettings(), 3, 5)
    held = np.array([resamples.held_out(each) == 0 for each in range(10)])
    assert (held[:5].sum(axis=0) == 1).all()
    assert (held[5:].sum(axis=0) == 1).all()
    assert not np.array_equal(held[:5], held[5:])
    for each in held:
        assert np.bincount(np.arange(90)[each] % 3).tolist() == [6, 6, 6]


def test_no_split_of_a_resample_ever_trains_on_or_judges_by_its_held_out_rows():
    resamples = Resamples(_dataset(), MeasureSettings(), 3, 5)
    for resample in range(5):
        held = resamples.held_out(resample) == 0
        for number in range(20):
            split = resamples.split(resample, number)
            assert (split[held] == -2).all()
            assert (split[~held] > -2).all()
            assert (split == 0).sum() == 24


def test_splits_differ_by_number_and_depend_on_nothing_else():
    first, again = (Resamples(_dataset(), MeasureSettings(), 3, 5) for _ in range(2))
    assert np.array_equal(first.split(2, 7), again.split(2, 7))
    assert not np.array_equal(first.split(2, 7), first.split(2, 8))


def test_groups_stay_whole_in_resamples_and_in_splits():
    groups = np.repeat(np.arange(18), 5)
    resamples = Resamples(_dataset(groups=groups), MeasureSettings(), 3, 6)
    for labels in (resamples.held_out(2), resamples.split(2, 11), resamples.split(-1, 12)):
        assert all(len(np.unique(labels[groups == group])) == 1 for group in range(18))


@pytest.mark.parametrize("number", range(6))
def test_forward_in_time_nothing_later_than_what_is_judged_is_trained_on(number):
    time = np.random.default_rng(1).permutation(90)
    resamples = Resamples(_dataset(time=time), MeasureSettings(protocol="time"), 3, 5)
    for labels in (resamples.held_out(number % resamples.folds), resamples.split(4, number)):
        assert time[labels == -1].max() < time[labels == 0].min()


def test_splits_of_long_tables_are_small():
    labels = Resamples(_dataset(3000), MeasureSettings(), 3, 5).split(0, 1)
    assert ((labels == -1).sum(), (labels == 0).sum()) == (240, 120)


def test_over_many_splits_every_row_is_judged_and_trained_on_about_as_often_as_any_other():
    resamples = Resamples(_dataset(), MeasureSettings(), 3, 5)
    splits = np.concatenate([resamples.labels([0, 3], "split", number) for number in range(600)])
    for resample in (0, 3):
        own, held = splits[(resample > 0) :: 2], resamples.held_out(resample) == 0
        judged = (own == 0).mean(axis=0)
        assert judged[held].max() == 0
        assert judged[~held].min() > 1 / 3 - 0.08
        assert judged[~held].max() < 1 / 3 + 0.08
        together = np.corrcoef((own == 0)[:, ~held].T)[np.triu_indices((~held).sum(), 1)]
        assert abs(together).max() < 0.25  # rows are judged independently of one another, but for their number
    assert not np.array_equal(splits[::2], splits[1::2])


@pytest.mark.parametrize("rows", [8, 41, 359, 361, 1000])
def test_classes_have_their_share_in_every_split(rows):
    for number in range(5):
        labels = Resamples(_dataset(rows), MeasureSettings(), 3, 4).split(1, number)
        counts = np.bincount(np.arange(rows)[labels == 0] % 3, minlength=3)
        assert counts.max() - counts.min() <= 2
        assert (labels == -1).sum() in {240, *((labels > -2).sum() - (labels == 0).sum(),)}


def test_long_tables_are_compared_on_some_rows_of_each_resample_spread_evenly_over_the_classes():
    resamples = Resamples(_dataset(30_000), MeasureSettings(), 3, 5)
    labels = resamples.compared(2)
    held, kept = resamples.held_out(2), labels > -2
    assert np.array_equal(labels[kept], held[kept])
    for label, most in ((-1, 4000), (0, 1000)):
        of_class = np.bincount(np.arange(30_000)[labels == label] % 3)
        assert of_class.sum() == most
        assert np.ptp(of_class) <= 1
    assert np.array_equal(labels, resamples.labels([2], "held-out", 77)[0])
    assert np.array_equal(resamples.compared(2, 24_000, 6_000), held)
