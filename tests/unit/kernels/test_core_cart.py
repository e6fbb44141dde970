"""CART of the compiled core, where the wrapper cannot reach: orders of columns, batches, rows left out, the border."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fsdesk.kernels import _core
from tests.stopping import assert_stops_within_a_second

RULES = {"impurity": "gini", "max_depth": 0, "min_leaf": 1, "min_split": 2}


def asked(columns, target, labels, masks=None, folds_of=None, once=None, **others):
    """Arguments for (p, n) columns, (s, repeats, n) labels and masks that are lists of columns."""
    p = len(columns)
    masks = [range(p)] if masks is None else masks
    once = np.full(p, np.nan) if once is None else once
    return {
        "columns": columns,
        "target": target,
        "chosen": np.array([column for mask in masks for column in mask], dtype=np.int32),
        "offsets": np.cumsum([0, *map(len, masks)]),
        "labels": labels,
        "folds_of": np.zeros(len(masks), dtype=np.int64) if folds_of is None else folds_of,
        "folds": max(1, int(labels.max()) + 1),
        "classes": int(target.max()) + 1,
        "order": _core.cart_order(columns, once),
        "has_gaps": np.zeros(p, dtype=np.uint8),
        "fill": np.empty((0, 0)),
        "once": once,
        **RULES,
        **others,
    }


def shares(**arguments):
    return _core.cart_predictions(**arguments, response=np.empty(0), numbers=True)


def table(seed, rows=120, columns=6, classes=3):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 20, size=(columns, rows)).astype(float)
    return values, ((values[0] + values[columns // 2] > 20) + rng.integers(0, classes - 1, rows)).astype(np.int64)


def entries(columns, once):
    """Ranks and rows of an order."""
    order = _core.cart_order(np.array(columns), np.array(once))
    short = order.shape[1] == 4 * len(columns[0])
    words = order.view(np.uint32 if short else np.uint64).astype(np.uint64)
    shift = np.uint64(16 if short else 32)
    return words >> shift, words & ((np.uint64(1) << shift) - np.uint64(1))


def test_rows_come_in_the_order_of_their_values_with_equal_odd_ranks_for_equal_values():
    ranks, rows = entries([[3.0, -1.0, 3.0, 0.0, -0.0], [1e300, 1e-300, -np.inf, np.nan, 2.0]], [np.nan, np.nan])
    assert rows.tolist() == [[1, 3, 4, 0, 2], [2, 1, 4, 0, 3]]
    assert ranks.tolist() == [[1, 3, 3, 5, 5], [1, 3, 5, 7, 9]]


def test_a_number_that_fills_gaps_in_all_fits_is_sorted_in_among_its_equals():
    ranks, rows = entries([[np.nan, 4.0, 1.0, np.nan, 7.0]], [4.0])
    assert rows.tolist() == [[2, 0, 1, 3, 4]]
    assert ranks.tolist() == [[1, 3, 3, 3, 5]]


@pytest.mark.parametrize("rows", [32_766, 32_767])
def test_ranks_fit_whatever_the_number_of_rows(rows):
    values = np.random.default_rng(0).permutation(rows).astype(float)
    ranks, order = entries([values], [np.nan])
    assert np.array_equal(values[order[0].astype(np.int64)], np.arange(rows))
    assert np.array_equal(ranks[0], 2 * np.arange(rows) + 1)


def test_entries_of_64_bits_which_long_tables_need_grow_the_same_trees():
    rng = np.random.default_rng(0)
    columns, target = table(0, rows=32_766, columns=2)
    labels = np.where(rng.random(32_766) < 0.99, -1, 0)[None, None]
    longer = np.concatenate([columns, [[5.0], [np.nan]]], axis=1), np.append(target, 0)
    found = shares(**asked(columns, target, labels, max_depth=6))[1]
    long = shares(**asked(*longer, np.concatenate([labels, [[[-2]]]], axis=2), max_depth=6))[1]
    assert np.array_equal(found, long[:, :, :-1])


@pytest.mark.parametrize("rules", [{}, {"impurity": "entropy"}, {"balanced": True}])
def test_a_batch_gives_what_each_mask_gives_alone_whatever_the_threads(rules):
    rng = np.random.default_rng(1)
    columns, target = table(1)
    labels = rng.integers(-1, 4, size=(2, 3, 120))
    masks, folds_of = [[0, 3], [1], [0, 1, 2, 3, 4, 5], [3, 5]], np.array([0, 1, 1, 0])
    whole = asked(columns, target, labels, masks, folds_of, **rules)
    codes, numbers = shares(**whole)
    misses, _ = _core.cart_errors(**whole)
    assert np.array_equal(misses, ((codes != target) & (labels >= 0)[folds_of]).sum(axis=2))
    assert np.array_equal(numbers.argmax(axis=3), codes)
    for threads in (2, 5):
        again = shares(**whole, threads=threads)
        assert np.array_equal(codes, again[0])
        assert np.array_equal(numbers, again[1])
        assert np.array_equal(misses, _core.cart_errors(**whole, threads=threads)[0])
    for place, (mask, own) in enumerate(zip(masks, folds_of, strict=True)):
        alone = shares(**asked(columns, target, labels[own : own + 1], [mask], **rules))
        assert np.array_equal(numbers[place], alone[1][0])


def test_rows_that_are_left_out_are_neither_trained_on_nor_tested():
    rng = np.random.default_rng(2)
    columns, target = table(2)
    labels = rng.integers(-2, 3, size=(1, 1, 120))
    stays = labels[0, 0] > -2
    fewer = asked(np.ascontiguousarray(columns[:, stays]), target[stays], np.ascontiguousarray(labels[:, :, stays]))
    whole = asked(columns, target, labels)
    assert np.array_equal(shares(**whole)[1][:, :, stays], shares(**fewer)[1])
    assert np.array_equal(_core.cart_errors(**whole)[0], _core.cart_errors(**fewer)[0])
    assert not shares(**whole)[1][:, :, ~stays].any()


def test_gaps_that_each_fit_fills_grow_the_trees_of_the_filled_columns():
    rng = np.random.default_rng(3)
    columns, target = table(3)
    labels = rng.integers(0, 3, size=(1, 1, 120))
    columns[1, rng.permutation(120)[:40]] = np.nan
    columns[4, 7] = np.nan
    fill = np.array([[3.0, 7.5, -1.0], [11.0, 12.0, 50.0]])
    found = shares(**asked(columns, target, labels, fill=fill, has_gaps=np.isnan(columns).any(axis=1).astype(np.uint8)))
    for fold in range(3):
        filled = columns.copy()
        filled[1], filled[4] = (np.where(np.isnan(columns[j]), fill[g, fold], columns[j]) for g, j in ((0, 1), (1, 4)))
        own = np.where(labels == fold, 0, -1)
        alone = shares(**asked(filled, target, own))[1]
        assert np.array_equal(found[1][0][labels[0] == fold], alone[0][labels[0] == fold])


def test_no_training_row_is_no_tree():
    columns, target = table(4, rows=5)
    codes, numbers = shares(**asked(columns, target, np.array([[[0, 0, -2, 0, 0]]])))
    assert not codes.any()
    assert not numbers.any()


@settings(deadline=None, max_examples=60)
@given(
    columns=arrays(np.float64, (3, 9)),
    target=arrays(np.int64, 9, elements=st.integers(0, 3)),
    labels=arrays(np.int64, (2, 2, 9), elements=st.integers(-2, 2)),
    once=arrays(np.float64, 3),
    impurity=st.sampled_from(["gini", "entropy"]),
    balanced=st.booleans(),
    has_gaps=arrays(np.uint8, 3, elements=st.integers(0, 1)),
)
def test_any_numbers_at_all_give_shares(columns, target, labels, once, impurity, balanced, has_gaps):
    arguments = asked(columns, target, labels, [[0, 1, 2], [2]], np.array([0, 1]), once, balanced=balanced)
    gaps = int(has_gaps.sum()) + int(has_gaps[2])
    fill = np.resize(columns, (gaps, 2 * arguments["folds"])) if gaps else np.empty((0, 0))
    arguments |= {"impurity": impurity, "has_gaps": has_gaps, "fill": fill}
    codes, numbers = shares(**arguments)
    trains = np.array([[(own != fold) & (own > -2) for fold in range(3)] for own in labels.reshape(-1, 9)]).any(axis=2)
    for own, said, codes_of, known in zip(
        labels.reshape(-1, 9), numbers.reshape(-1, 9, arguments["classes"]), codes.reshape(-1, 9), trains, strict=True
    ):
        for row in np.flatnonzero(own >= 0):
            assert said[row].sum() == pytest.approx(float(known[own[row]]))
            assert said[row, codes_of[row]] == said[row].max()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"order": np.zeros((6, 480), dtype=np.uint8)}, "order"),
        ({"order": np.zeros((6, 960), dtype=np.uint8)}, "order"),
        ({"has_gaps": np.zeros(5, dtype=np.uint8)}, "has_gaps"),
        ({"has_gaps": np.ones(6, dtype=np.uint8)}, "fill"),
        ({"once": np.zeros(5)}, "once"),
        ({"impurity": "gain"}, "impurity"),
        ({"impurity": "variance"}, "errors are of classes"),
        ({"max_depth": -1}, "max_depth"),
        ({"min_leaf": 0}, "min_leaf"),
        ({"min_split": 1}, "min_split"),
        ({"margins": True}, "one fold"),
        ({"classes": 1}, "class codes"),
        ({"labels": np.full((1, 1, 120), 9)}, "labels"),
    ],
)
def test_what_does_not_fit_is_a_value_error_with_a_sentence(wrong, sentence):
    columns, target = table(5)
    labels = np.arange(120)[None, None] % 3
    with pytest.raises(ValueError, match=sentence):
        _core.cart_errors(**asked(columns, target, labels) | wrong)


@pytest.mark.parametrize("impurity", ["gini", "entropy"])
def test_trees_of_a_large_table_stop_within_a_second_of_the_flag(impurity):
    rng = np.random.default_rng(6)
    columns, target = rng.normal(size=(4, 200_000)), rng.integers(0, 3, 200_000)
    labels = np.arange(200_000)[None, None] % 5
    arguments = asked(columns, target, labels, [range(4)] * 100, impurity=impurity)
    stop = np.zeros(1, dtype=np.uint8)
    assert_stops_within_a_second(lambda: _core.cart_errors(**arguments, stop=stop), stop)
