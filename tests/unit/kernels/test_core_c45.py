"""C4.5 in the compiled core: Quinlan's numbers, batches, what it refuses, and that it stops."""

from statistics import NormalDist

import numpy as np
import pytest

from fsdesk.kernels import _core
from tests.stopping import assert_stops_within_a_second

RULES = {"min_rows": 2.0, "pruned": True, "raising": True, "confidence": 0.25, "quantile": 0.67449}


def leaf_errors(counts, confidence=0.25):
    return _core.c45_leaf_errors(np.array(counts, dtype=float), confidence, NormalDist().inv_cdf(1 - confidence))


@pytest.mark.parametrize(("rows", "rate"), [(6, 0.206), (9, 0.143), (1, 0.750)])
def test_a_leaf_without_errors_is_estimated_as_in_quinlan_1993_section_4_2(rows, rate):
    assert leaf_errors([rows, 0]) == pytest.approx(rows * rate, abs=rows * 0.0005)


def test_a_leaf_with_an_error_is_near_the_exact_limit_of_quinlan_1993():
    assert leaf_errors([15, 1]) == pytest.approx(16 * 0.157, abs=0.05)  # the normal approximation


def test_estimates_grow_with_errors_between_the_exact_and_the_approximate_range():
    estimates = [leaf_errors([10 - errors, errors]) for errors in np.arange(0, 5.01, 0.25)]
    assert (np.diff(estimates) > 0).all()
    assert leaf_errors([0, 0]) == 0.0


def test_smaller_confidence_estimates_more_errors():
    assert leaf_errors([8, 2], 0.05) > leaf_errors([8, 2], 0.25) > leaf_errors([8, 2], 0.5)


def batch(rng, rows=150, many=12):
    """A table with gaps, categories and a common value, and a batch of masks on two sets of folds."""
    target = rng.integers(0, 3, rows)
    raw = rng.normal(size=(9, rows)) + target * rng.choice([0.0, 0.5, 1.5], (9, 1))
    raw[3] = np.where(rng.random(rows) < 0.8, 0.0, raw[3])
    raw[4] = np.round(raw[4])
    raw[5], raw[6] = (target + rng.integers(0, 2, rows)) % 3, rng.integers(0, 2, rows)
    raw[7, rng.random(rows) < 0.2] = np.nan
    levels = np.array([0, 0, 0, 0, 0, 3, 2, 0, 0])
    masks = [np.sort(rng.permutation(9)[: rng.integers(1, 9)]).astype(np.int32) for _ in range(many)]
    labels = rng.integers(-1, 4, (2, 3, rows))
    table = _core.C45Table(raw, levels, target, 3, 1e-5)
    return table, masks, labels, rng.integers(0, 2, many), target


@pytest.mark.parametrize("balanced", [False, True])
def test_a_batch_on_threads_says_what_each_mask_says_alone(balanced):
    table, masks, labels, of, target = batch(np.random.default_rng(1))
    members, offsets = np.concatenate(masks), np.cumsum([0, *map(len, masks)])
    rules = {**RULES, "balanced": balanced}
    asked = table, members, offsets, labels, of, 4
    together, _ = _core.c45_answers(*asked, **rules, threads=3)
    errors, margins = _core.c45_errors(*asked, **rules, margins=True, threads=3)
    _, shares = _core.c45_answers(*asked, **rules, shares=True)
    for place, mask in enumerate(masks):
        own, nothing = labels[of[place]][None], np.zeros(1, dtype=np.int64)
        alone, _ = _core.c45_answers(table, mask, np.array([0, len(mask)]), own, nothing, 4, **rules)
        np.testing.assert_array_equal(alone[0], together[place])
        is_tested = own[0] >= 0
        np.testing.assert_array_equal(errors[place], ((alone[0] != target) & is_tested).sum(axis=1))
        for repeat in range(3):
            said, truth = shares[place, repeat, is_tested[repeat]], target[is_tested[repeat]]
            rows = np.arange(len(said))
            best = np.where(np.eye(3, dtype=bool)[truth], -1.0, said).max(axis=1)
            lead = (said[rows, truth] - best) / (said[rows, truth] + best)
            np.testing.assert_allclose(margins[place, repeat], [lead.mean(), lead.std()], atol=1e-12)


def test_rows_left_out_are_neither_trained_on_nor_tested():
    rng = np.random.default_rng(2)
    raw, target = rng.normal(size=(4, 80)), rng.integers(0, 2, 80)
    labels = rng.choice([-2, -1, 0], 80)
    kept = labels > -2
    everything, some = np.arange(4, dtype=np.int32), np.array([0, 4])

    def said(rows):
        own = _core.C45Table(np.ascontiguousarray(raw[:, rows]), np.zeros(4, np.int64), target[rows], 2, 1e-5)
        asked = own, everything, some, labels[rows][None, None], np.zeros(1, np.int64), 1
        return _core.c45_answers(*asked, **RULES)[0][0, 0][labels[rows] == 0]

    np.testing.assert_array_equal(said(np.ones(80, dtype=bool)), said(kept))


@pytest.mark.parametrize("balanced", [False, True])
def test_long_tables_have_the_trees_of_short_ones(balanced):
    """Entries of so many rows and classes take 64 bits; most rows are left out here."""
    rng = np.random.default_rng(4)
    raw, target = rng.normal(size=(4, 20_000)), rng.integers(0, 20, 20_000)
    raw[2] = np.where(rng.random(20_000) < 0.7, 0.0, np.round(raw[2], 1) + target)
    raw[3, rng.random(20_000) < 0.2] = np.nan
    kept = np.sort(rng.permutation(20_000)[:300])
    labels = np.full(20_000, -2)
    labels[kept] = rng.choice([-1, -1, 0], 300)

    def said(rows):
        own = _core.C45Table(np.ascontiguousarray(raw[:, rows]), np.zeros(4, np.int64), target[rows], 20, 1e-5)
        asked = own, np.arange(4, dtype=np.int32), np.array([0, 4]), labels[rows][None, None], np.zeros(1, np.int64), 1
        return _core.c45_answers(*asked, **RULES, balanced=balanced)[0][0, 0][labels[rows] == 0]

    np.testing.assert_array_equal(said(np.arange(20_000)), said(kept))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"levels": np.array([0])}, "levels"),
        ({"levels": np.array([0, 2])}, "codes of a nominal column"),
        ({"levels": np.array([0, -1])}, "numbers of categories"),
        ({"target": np.array([0, 1, 0])}, "as many rows"),
        ({"target": np.array([0, 1, 2, 0])}, "class codes"),
        ({"gap": -1.0}, "gap"),
        ({"gap": np.nan}, "gap"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(wrong, sentence):
    raw = np.array([[0.5, 1, 2, 3], [0, 1, 2, np.nan]])
    right = {"raw": raw, "levels": np.array([0, 3]), "target": np.array([0, 1, 1, 0]), "classes": 2, "gap": 0.0}
    _core.C45Table(**right)
    with pytest.raises(ValueError, match=sentence):
        _core.C45Table(**{**right, **wrong})


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"chosen": np.array([1, 0], dtype=np.int32)}, "ascend"),
        ({"chosen": np.array([0, 2], dtype=np.int32)}, "no column"),
        ({"offsets": np.array([0, 2, 2]), "folds_of": np.zeros(2, np.int64)}, "a feature"),
        ({"labels": np.zeros((1, 1, 3), np.int64)}, "as many rows"),
        ({"labels": np.full((1, 1, 4), 2)}, "labels"),
        ({"labels": np.zeros((1, 1, 4), np.int64)}, "no row to be trained on"),
        ({"min_rows": 0.0}, "min_rows"),
        ({"confidence": 0.0}, "confidence"),
    ],
)
def test_a_batch_that_does_not_fit_is_refused(wrong, sentence):
    table = _core.C45Table(np.arange(8.0).reshape(2, 4), np.zeros(2, np.int64), np.array([0, 1, 1, 0]), 2, 0.0)
    right = {
        "table": table,
        "chosen": np.array([0, 1], dtype=np.int32),
        "offsets": np.array([0, 2]),
        "labels": np.array([[[0, 1, 0, 1]]]),
        "folds_of": np.zeros(1, np.int64),
        "folds": 2,
        **RULES,
    }
    _core.c45_errors(**right)
    with pytest.raises(ValueError, match=sentence):
        _core.c45_errors(**{**right, **wrong})


def test_a_long_measurement_ends_within_a_second_of_the_flag():
    rng = np.random.default_rng(3)
    raw, target = rng.normal(size=(50, 60_000)), rng.integers(0, 3, 60_000)
    table = _core.C45Table(raw, np.zeros(50, np.int64), target, 3, 1e-5)
    stop = np.zeros(1, dtype=np.uint8)
    asked = np.arange(50, dtype=np.int32), np.array([0, 50]), rng.integers(0, 5, (1, 10, 60_000))
    nothing = np.zeros(1, np.int64)
    assert_stops_within_a_second(lambda: _core.c45_errors(table, *asked, nothing, 5, **RULES, stop=stop), stop)
