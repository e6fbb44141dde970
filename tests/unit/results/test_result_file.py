"""result.json is what its schema says, of every kind of target."""

import json

import numpy as np
import pandas as pd
import pytest

import fsdesk
from fsdesk.results.exports import EXPORTS
from fsdesk.results.result_file import ResultFile, field_table, schema

_SETTINGS = {"repeats": 1, "folds": 3}


def _frame() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    ill = np.arange(60) % 2
    return pd.DataFrame({
        "crp": rng.normal(4 * ill), "ldl": rng.normal(size=60), "ward": np.where(ill, "a", "b"),
        "ill": np.where(ill, "yes", "no"), "dose": rng.normal(ill) * 3.1, "months": rng.exponential(2, 60) + 0.1,
        "dead": np.arange(60) % 3 == 0,
    })  # fmt: skip


@pytest.mark.parametrize(("columns", "target", "more"), [
    (["crp", "ldl", "ward", "ill"], "ill", {"outer": 3, "permutations": 2, "wrapper": "logistic"}),
    (["crp", "ldl", "ill"], "ill", {"outer": 0, "wrapper": "nn", "always": ["crp"]}),
    (["crp", "ldl", "dose"], "dose", {"outer": 3, "wrapper": "ridge"}),
    (["crp", "ldl", "months", "dead"], ("months", "dead=1"), {"outer": 3, "wrapper": "cox"}),
])  # fmt: skip
@pytest.mark.filterwarnings("ignore:.*too optimistic")  # which is not the matter here
def test_a_result_fits_the_schema(columns, target, more):
    data = fsdesk.from_frame(_frame()[columns], target)
    result = fsdesk.select(data, method="univariate", settings=_SETTINGS, **more)
    text = EXPORTS["result.json"].content(result, data).decode()
    read = ResultFile.model_validate_json(text, strict=True)
    assert read.selected == list(result.features)
    assert read.model_dump(mode="json", exclude_unset=True) == json.loads(text)


def test_a_field_that_nobody_declared_is_refused():
    with pytest.raises(ValueError, match="Extra inputs are not permitted"):
        ResultFile.model_validate({"honest_err": 0.1})


def test_the_schema_says_what_each_field_is():
    declared = schema()
    assert declared["$schema"].endswith("2020-12/schema")
    assert declared["additionalProperties"] is False
    table = field_table()
    assert all(f"| `{name}` |" in table for name in declared["properties"])
