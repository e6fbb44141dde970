"""Batches that go with the class are said, in columns that are features or not."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from scipy.stats.contingency import association

from fsdesk import from_frame
from fsdesk.data.leaks import BATCH_NAME, _cramer


def frame(plate, n=80, **more):
    import pandas as pd

    rng = np.random.default_rng(0)
    y = np.arange(n) % 2
    columns = {f"g{j}": rng.normal(size=n) for j in range(4)}
    return pd.DataFrame({**columns, **more, "plate": plate(y, rng), "ill": np.where(y == 1, "yes", "no")})


def kinds(data):
    return [check.kind for check in data.checks]


def pure(y, rng):
    return np.where(y == 1, "P", "Q") + (rng.integers(0, 2, len(y))).astype(str).astype(object)


def uneven(y, rng):
    return np.where(rng.random(len(y)) < 0.85, y, 1 - y).astype(str).astype(object) + "a"


def even(y, rng):
    return (rng.integers(0, 3, len(y))).astype(str).astype(object) + "a"


@pytest.mark.parametrize("ignore", [(), ("plate",)])
@pytest.mark.filterwarnings("ignore:.*too optimistic")  # which is not the matter here
def test_batches_of_one_class_each_are_said_first(ignore):
    data = from_frame(frame(lambda y, rng: pure(y, rng)), "ill", ignore=ignore)
    assert "batches are classes" in kinds(data)
    check = next(check for check in data.checks if check.kind == "batches are classes")
    assert check.columns == ("plate",)
    assert "no analysis can separate the two" in str(check.sentence)
    leaks = [place for place, kind in enumerate(kinds(data)) if kind == "target among features"]
    assert not leaks or kinds(data).index("batches are classes") < leaks[0]


def test_uneven_batches_are_to_be_folds():
    data = from_frame(frame(uneven), "ill", ignore=("plate",))
    check = next(check for check in data.checks if check.kind == "uneven batches")
    assert "Use the column as folds" in str(check.sentence)
    assert "batches are classes" not in kinds(data)


@pytest.mark.filterwarnings("ignore:.*too optimistic")  # which is not the matter here
def test_even_batches_and_other_columns_are_no_matter():
    data = from_frame(frame(even), "ill")
    assert not {"batches are classes", "uneven batches"} & set(kinds(data))
    table = frame(lambda y, rng: pure(y, rng)).rename(columns={"plate": "tissue"})
    assert not {"batches are classes", "uneven batches"} & set(kinds(from_frame(table, "ill")))
    as_folds = from_frame(table, "ill", folds="tissue")
    assert "batches are classes" in kinds(as_folds)


@pytest.mark.filterwarnings("ignore:.*too optimistic")  # which is not the matter here
def test_even_batches_are_named_where_they_are_a_feature():
    data = from_frame(frame(even), "ill")
    (found,) = [check for check in data.checks if check.kind == "batches as features"]
    assert found.columns == ("plate",) and "cannot predict samples of other batches" in str(found.sentence)
    for left in (
        from_frame(frame(even), "ill", ignore=("plate",)),
        from_frame(frame(even), "ill", folds="plate"),
        from_frame(frame(pure), "ill"),
        from_frame(frame(even).rename(columns={"plate": "site"}), "ill"),  # of a tumor, perhaps
    ):
        assert "batches as features" not in kinds(left)


def test_cramers_v_is_that_of_scipy():
    rng = np.random.default_rng(1)
    batches, codes = rng.integers(0, 4, 90), rng.integers(0, 3, 90)
    counts = np.zeros((4, 3))
    np.add.at(counts, (batches, codes), 1)
    strength, p = _cramer(batches, codes)
    assert strength == pytest.approx(association(counts.astype(int), method="cramer"))
    assert p == pytest.approx(chi2_contingency(counts, correction=False).pvalue)


@pytest.mark.parametrize("name", ["batch", "Batch_ID", "plate no", "sequencing_run", "site", "Study center", "Zentrum"])
def test_names_of_batches(name):
    assert BATCH_NAME.fullmatch(name)


@pytest.mark.parametrize("name", ["runtime", "platelets", "labels", "age", "collaboration", "rate"])
def test_other_names(name):
    assert not BATCH_NAME.fullmatch(name)
