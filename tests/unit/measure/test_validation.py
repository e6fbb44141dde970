"""The protocols: who is tested when."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsdesk import Evaluator
from fsdesk.errors import DataError, SettingsError
from fsdesk.measure.criteria import cost_matrix
from fsdesk.measure.folds import forward_blocks, grouped_folds, grouped_hold_out, hold_out


def test_a_hold_out_tests_its_share_of_every_class():
    target = np.repeat([0, 1], [60, 20])
    labels = hold_out(target, share=0.25, repeats=50, seed=1, number=3)
    tested = labels == 0
    assert set(np.unique(labels)) == {-1, 0}
    assert (tested.sum(axis=1) == 20).all()
    assert (tested[:, :60].sum(axis=1) == 15).all()
    assert len(np.unique(tested, axis=0)) == 50


@given(n=st.integers(2, 60), share=st.floats(0.001, 0.999), seed=st.integers(0, 99))
def test_a_hold_out_leaves_rows_to_train_on_and_rows_to_test(n, share, seed):
    tested = (hold_out(np.arange(n) % 2, share=share, repeats=3, seed=seed, number=0) == 0).sum(axis=1)
    assert (tested == min(max(1, round(share * n)), n - 1)).all()


@given(st.data())
def test_groups_are_never_split_and_every_fold_gets_rows(data):
    count = data.draw(st.integers(5, 20))
    groups = np.array(data.draw(st.lists(st.integers(0, count - 1), min_size=40, max_size=60)) + list(range(count)))
    target = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(groups), max_size=len(groups))))
    labels = grouped_folds(target, groups, repeats=3, folds=5, seed=0, number=7)
    for repeat in labels:
        assert len(np.unique(np.column_stack([groups, repeat]), axis=0)) == len(np.unique(groups))
        assert set(repeat) == set(range(5))


def test_groups_share_the_classes_out_evenly():
    groups = np.repeat(np.arange(50), 4)
    target = np.repeat(np.arange(50) % 5 == 0, 4).astype(np.int64)
    labels = grouped_folds(target, groups, repeats=20, folds=5, seed=0, number=1)
    for repeat in labels:
        assert np.bincount(repeat).tolist() == [40] * 5
        assert np.bincount(repeat[target == 1]).tolist() == [8] * 5
    assert len(np.unique(labels, axis=0)) == 20


def test_a_hold_out_of_groups_takes_whole_groups():
    groups = np.arange(60) // 3
    labels = grouped_hold_out((groups % 2).astype(np.int64), groups, share=0.25, repeats=9, seed=0, number=0)
    assert ((labels.reshape(9, 20, 3) == 0).all(axis=2).sum(axis=1) == 5).all()
    assert ((labels == 0).sum(axis=1) == 15).all()


def test_blocks_in_time_are_of_equal_size_and_keep_moments_together():
    assert forward_blocks(np.arange(12), 3)[0].tolist() == [-1] * 3 + [0] * 3 + [1] * 3 + [2] * 3
    assert forward_blocks(np.array([3, 3, 0, 0, 1, 1]), 2)[0].tolist() == [1, 1, -1, -1, 0, 0]
    assert forward_blocks(np.array([5, 5, 5]), 4).max() == -1


def test_forward_in_time_no_later_row_is_ever_seen(planted):
    """Later rows are changed: what was predicted before them stays."""
    rng = np.random.default_rng(0)
    time = rng.permutation(60)
    dataset = replace(planted, time=time)
    evaluator = Evaluator(dataset, protocol="time", folds=5)
    before = evaluator.predict(np.ones(8, dtype=bool), 0)
    labels = evaluator.fold_labels(0)
    assert labels.shape == (1, 60)
    for block in range(5):
        x = dataset.x.copy()
        later = labels[0] > block
        x[later] = rng.normal(size=(later.sum(), 8)) * 1e3
        changed = Evaluator(replace(dataset, x=np.asfortranarray(x)), protocol="time", folds=5)
        tested = (labels[0] >= 0) & ~later
        assert np.array_equal(changed.predict(np.ones(8, dtype=bool), 0)[:, tested], before[:, tested])


def test_leave_one_out_trains_on_all_others(planted):
    evaluator = Evaluator(planted, protocol="leave-one-out", scaling="none")
    assert evaluator.fold_labels(3).tolist() == [list(range(60))]
    distances = np.square(planted.x[:, None] - planted.x[None]).sum(axis=2) + np.diag(np.full(60, np.inf))
    expected = (planted.target[distances.argmin(axis=1)] != planted.target).mean()
    measured = evaluator.measure(np.ones(8, dtype=bool))
    assert measured.values.tolist() == [pytest.approx(expected)]
    assert measured.std_error == 0.0


def test_folds_of_a_column_are_used_as_they_are(planted):
    fold_of = np.arange(60) // 12
    evaluator = Evaluator(replace(planted, fold_of=fold_of), protocol="column")
    assert evaluator.fold_labels(4).tolist() == [fold_of.tolist()]
    assert len(evaluator.measure(np.ones(8, dtype=bool)).values) == 1


def test_rows_of_a_group_stay_together_whatever_the_protocol(planted):
    groups = np.arange(60) // 4
    dataset = replace(planted, groups=groups)
    for protocol in ("folds", "hold-out", "leave-one-out"):
        labels = Evaluator(dataset, protocol=protocol).fold_labels(1)
        assert (labels.reshape(len(labels), 15, 4).std(axis=2) == 0).all()


@pytest.mark.parametrize(
    ("roles", "settings", "sentence"),
    [
        ({}, {"protocol": "column"}, "no fold column"),
        ({}, {"protocol": "time"}, "no time column"),
        ({"time": np.zeros(60, dtype=np.int64)}, {"protocol": "time"}, "the same time"),
        ({"fold_of": np.zeros(60, dtype=np.int64)}, {"protocol": "column"}, "only one value"),
        ({"groups": np.arange(60) // 20}, {}, " has 3 groups, too few for 5 folds"),
        ({"groups": np.arange(60) // 7, "fold_of": np.arange(60) // 12}, {"protocol": "column"}, "splits a group"),
        ({"groups": np.arange(60) // 7, "time": np.arange(60)}, {"protocol": "time"}, "splits a group"),
        ({"groups": np.zeros(60, dtype=np.int64)}, {"protocol": "leave-one-out"}, "one group"),
    ],
)
def test_what_a_protocol_lacks_is_said_in_one_sentence(planted, roles, settings, sentence):
    with pytest.raises(DataError, match=sentence):
        Evaluator(replace(planted, **roles), **settings)


def test_unstratified_folds_ignore_the_classes(planted):
    even = Evaluator(planted, repeats=30).fold_labels(0)
    free = Evaluator(planted, repeats=30, stratify=False).fold_labels(0)
    spread = [np.std([(row[planted.target == 1] == 0).sum() for row in labels]) for labels in (even, free)]
    assert spread[0] < 0.6 < spread[1]


def test_repeats_end_when_the_standard_error_is_small_enough(planted):
    mask = np.arange(8) % 4 == 2
    every = Evaluator(planted, repeats=40).measure(mask, 5)
    limit = 2 * every.std_error
    early = Evaluator(planted, repeats=40, std_error_limit=limit).measure(mask, 5)
    taken = len(early.values)
    assert 3 <= taken < 40
    assert early.values.tolist() == every.values[:taken].tolist()
    assert early.std_error < limit
    if taken > 3:
        assert type(early)(every.values[: taken - 1]).std_error >= limit


def test_a_penalty_on_size_is_added_to_the_loss(planted):
    mask = np.arange(8) < 2
    plain = Evaluator(planted).measure(mask, 1)
    fined = Evaluator(planted, size_penalty=0.4).measure(mask, 1)
    assert fined.values == pytest.approx(plain.values + 0.4 * 2 / 8)


def test_costs_are_read_by_class_name(planted):
    names = planted.classes
    asked = f"{names[0]} > {names[1]} = 5"
    cost = Evaluator(planted, criterion="cost", costs=asked)
    mask = np.arange(8) % 4 == 2
    predicted = cost.predict(mask, 0)
    expected = (5 * ((predicted == 1) & (planted.target == 0)) + ((predicted == 0) & (planted.target == 1))).mean(
        axis=1
    )
    assert cost.measure(mask, 0).values == pytest.approx(expected)


def test_costs_know_classes_whose_names_hold_the_signs():
    classes = ("<=50K", ">50K", "a > b")
    matrix = cost_matrix(">50K > <=50K = 5; <=50K>>50K=2; a > b > >50K = 7;>50K > a > b = 3", classes)
    assert matrix.tolist() == [[0, 2, 1], [5, 0, 3], [1, 7, 0]]
    with pytest.raises(SettingsError, match='no class ">60K"'):
        cost_matrix("<=50K > >60K = 1", classes)


def test_costs_may_name_classes_that_hold_semicolons():
    classes = ("well", "ill; mild", "ill; severe = 2")
    matrix = cost_matrix("ill; mild > well = 3; well > ill; severe = 2 = 4;ill; severe = 2 > ill; mild=0.5", classes)
    assert matrix.tolist() == [[0, 1, 4], [3, 0, 1], [1, 0.5, 0]]
    with pytest.raises(SettingsError, match='"ill" is not of the form'):
        cost_matrix("ill; mild > well", classes)
    with pytest.raises(SettingsError, match="such as"):
        cost_matrix("5", ())  # a target of numbers


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"criterion": "cost", "costs": "a: 5"}, "not of the form"),
        ({"criterion": "cost", "costs": "nobody > else = 5"}, 'no class "nobody"'),
        ({"criterion": "f1", "positive": "nobody"}, 'no class "nobody"'),
        ({"criterion": "rmse"}, "RMSE evaluates numbers"),
        ({"criterion": "speed"}, "criterion"),
    ],
)
def test_settings_that_do_not_fit_are_refused_with_a_sentence(planted, settings, sentence):
    with pytest.raises(SettingsError, match=sentence):
        Evaluator(planted, **settings)
