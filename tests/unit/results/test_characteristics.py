"""Characteristics of the rows by class, as in the first table of a paper."""

from dataclasses import replace

import numpy as np
import pytest

from fsdesk import select
from fsdesk.data import Dataset, read_table
from fsdesk.results.characteristics import MOST_CLASSES, characteristics, groups_of
from fsdesk.results.report.blocks import Facts, Flow, Texts
from fsdesk.results.report.sections import content_of


def _table(classes=("healthy", "ill"), rows=20):
    """Ages 20, 21, ...; a stage I or II; a 0/1 flag; every fourth weight is missing."""
    at = np.arange(rows)
    x = np.stack([20.0 + at, at % 2, (at >= rows // 2), np.where(at % 4 == 0, np.nan, 1000.0 + at)], axis=1)
    return Dataset(
        name="d", x=np.asfortranarray(x.astype(float)), features=("age", "stage", "smokes", "weight"),
        target=(at % len(classes)).astype(np.int64), target_name="state", classes=classes,
        rows=tuple(map(str, at)), categories={1: ("I", "II")},
    )  # fmt: skip


def test_numbers_categories_flags_and_gaps_are_summarized_by_class():
    table = _table()
    assert [name for name, _ in groups_of(table)] == ["All", "healthy", "ill"]
    age, stage, smokes, weight = characteristics(table, range(4))
    ages = 20 + np.arange(20)
    low, middle, high = np.quantile(ages[::2], [0.25, 0.5, 0.75])
    assert age == ("age", "29.5 (24.8 to 34.2)", f"{middle:.3g} ({low:.3g} to {high:.3g})", "30 (25.5 to 34.5)", "0")
    assert stage == ("stage", "I: 10 (50 %); II: 10 (50 %)", "I: 10 (100 %); II: 0", "I: 0; II: 10 (100 %)", "0")
    assert smokes == ("smokes", "10 (50 %)", "5 (50 %)", "5 (50 %)", "0")
    assert weight[0] == "weight" and weight[-1] == "5 (25 %) [5 (50 %); 0]" and weight[1].startswith("1,0")


def test_rare_levels_are_joined_and_many_classes_have_no_columns():
    at = np.arange(40)
    levels = tuple("abcdefgh")
    codes = np.where(at < 24, at % 3, at % 8).astype(float)
    table = replace(_table(rows=40), x=np.asfortranarray(codes[:, None]), features=("kind",), categories={0: levels})
    (kind,) = characteristics(table, [0])
    assert kind[1].count(":") == 6 and "others: " in kind[1]
    many = _table(tuple("abcdef"), rows=36)
    assert len(many.classes) > MOST_CLASSES and [name for name, _ in groups_of(many)] == ["All"]
    assert [name for name, _ in groups_of(replace(table, event="died"))] == ["All", "Event", "Censored"]


@pytest.mark.parametrize("wide", [False, True])
def test_the_report_has_the_table_and_says_what_it_lists(wide):
    rng = np.random.default_rng(0)
    count = 60 if wide else 5
    y = np.arange(40) % 2
    x = rng.normal(size=(40, count)) + y[:, None]
    data = Dataset("d", np.asfortranarray(x), tuple(f"f{place}" for place in range(count)), y, "ill", ("no", "yes"),
                   tuple(map(str, range(40))))  # fmt: skip
    settings = {"wanted": 3, "repeats": 1}
    result = select(data, method="univariate", wrapper="logistic", seed=0, outer=0, settings=settings)
    tables = [
        each for section in content_of(result, data).sections for each in section.blocks
        if isinstance(each, Facts) and "Characteristics" in each.caption
    ]  # fmt: skip
    (table,) = tables
    assert table.head == ("Feature", "All (n = 40)", "no (n = 20)", "yes (n = 20)", "Missing")
    assert ("Only " in table.note) == wide
    names = [row[0] for row in table.rows]
    assert set(result.features) <= set(names) and len(names) == (len(result.features) if wide else 5)
    assert table.from_values == frozenset({1, 2, 3, 4})


def test_encoded_columns_are_findings_and_removed_ones_exclusions(tmp_path):
    path = tmp_path / "t.csv"
    lines = ["age,ward,empty,ill", *(f"{30 + row},{'abc'[row % 3]},,{'ny'[row % 2]}" for row in range(40))]
    path.write_text("\n".join(lines), encoding="utf-8")
    data = read_table(path, target="ill")
    result = select(data, method="univariate", wrapper="logistic", seed=0, outer=0, settings={"repeats": 1})
    blocks = [each for section in content_of(result, data).sections for each in section.blocks]
    (flow,) = [each for each in blocks if isinstance(each, Flow)]
    asides = " ".join(aside for step in flow.steps for aside in step.aside)
    assert '"empty"' in asides and '"ward"' not in asides
    assert any('"ward"' in text for each in blocks if isinstance(each, Texts) for text in each.texts)
