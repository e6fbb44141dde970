"""What a table can bear, said beforehand: against simulated errors and scipy's interval."""

import numpy as np
import pytest

from fsdesk.data import Table, prepare, read_table
from fsdesk.data.checks import (
    half_width,
    has_rare_class,
    precision_checks,
    rare_class_checks,
    relative_half_width,
)


def said(dataset, kind="precision"):
    return [check.sentence for check in dataset.checks if check.kind == kind]


def test_the_genes_sample_is_told_to_bear_little():
    dataset = read_table("sample:genes")
    assert said(dataset) == [
        "100 rows, 2 classes (smallest: 50): an error near 25 % will be uncertain by about ± 11 points (95 %)."
    ]
    (luck,) = said(dataset, "more features than rows")
    assert luck.startswith("20,000 features for 100 rows:") and "held-out errors" in luck


def test_errors_that_so_many_rows_show_lie_as_near_as_is_said_and_answers_differ_too():
    """The error of an answer varies from search to search by seven tenths of the variance that 100 rows have."""
    rng = np.random.default_rng(1)
    true = np.clip(rng.normal(0.25, np.sqrt(0.7 * 0.25 * 0.75 / 100), 20_000), 0, 1)
    shown = rng.binomial(100, true) / 100
    assert 0.95 < (np.abs(shown - 0.25) <= half_width(0.25, 100)).mean() < 0.98
    assert half_width(0.25, 400) < 0.55 * half_width(0.25, 100)


def test_an_rmse_lies_as_near_as_is_said():
    (check,) = precision_checks(np.zeros(200, np.int64), np.zeros(200), None, 3)
    assert check.sentence == "200 rows: an RMSE will be uncertain by about ± 12 % (95 %)."
    rng = np.random.default_rng(2)
    true = rng.normal(1, np.sqrt(0.7 / 400), 5000)
    shown = true * np.sqrt((rng.normal(size=(5000, 200)) ** 2).mean(axis=1))
    assert 0.93 < (np.abs(shown - 1) <= relative_half_width(200)).mean() < 0.97


def test_groups_count_where_rows_belong_together():
    codes = np.arange(400) % 2
    alone, grouped = (precision_checks(codes, None, group, 3)[0].sentence for group in (None, np.arange(400) // 10))
    assert "± 6 points" in alone
    assert "400 rows in 40 independent groups" in grouped and "± 19 points" in grouped
    (number,) = precision_checks(np.zeros(400, np.int64), np.zeros(400), np.arange(400) // 10, 3)
    assert "40 independent groups" in number.sentence and "± 29 %" in number.sentence


def test_the_smallest_class_is_named_with_its_rows():
    values = np.column_stack([np.random.default_rng(3).normal(size=60), (np.arange(60) >= 53).astype(float)])
    table = Table("t", np.asfortranarray(values), ("a", "y"), {}, tuple(map(str, range(60))), "t.csv", "y")
    (sentence,) = said(prepare(table))
    assert "60 rows, 2 classes (smallest: 7): an error near 6 %" in sentence


def test_large_tables_need_no_words():
    assert not precision_checks(np.arange(20_000) % 2, None, None, 30)
    assert not precision_checks(np.zeros(20_000, np.int64), np.zeros(20_000), None, 30)


@pytest.mark.parametrize(
    ("sizes", "rare"),
    [([90, 10], True), ([80, 20], False), ([81, 19], True), ([50, 50], False), ([33, 33, 34], False),
     ([45, 45, 10], True), ([10] * 10, False), ([10] * 9 + [4], True), ([7], False), ([], False)],
)  # fmt: skip
def test_a_class_is_rare_where_its_share_hides_in_the_error(sizes, rare):
    assert has_rare_class(sizes) == rare
    codes = np.repeat(np.arange(len(sizes)), sizes)
    assert bool(rare_class_checks(codes, [f"class {code}" for code in range(len(sizes))])) == rare


def test_a_rare_class_is_named_and_what_to_measure_is_proposed():
    codes = (np.arange(120) < 6).astype(np.int64)
    (check,) = rare_class_checks(codes, ("well", "ill"))
    assert check.sentence == (
        '"ill" has 6 of 120 rows (5 %): a model that never predicts it can be right for 95 % of them. The '
        "criteria AUC and Balanced error weight all classes equally."
    )
    assert not rare_class_checks(np.zeros(120, np.int64), ())  # numbers
