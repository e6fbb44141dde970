"""Gaps that all rows say how to fill: no filled copy is made, and the answers are those of one."""

from dataclasses import replace

import numpy as np
import pytest

from fsdesk.data import Dataset
from fsdesk.measure.design import design_of
from fsdesk.wrappers import WRAPPERS

MODELS = [
    ("nn", {}),
    ("nn", {"k": 5, "weights": "distance"}),
    ("nn", {"distance": "manhattan"}),
    ("svm", {}),
    ("nb", {}),
    ("cart", {}),
    ("ridge", {}),
]


def _table(kind):
    """A data set with gaps, and the same with medians in their place."""
    rng = np.random.default_rng(0)
    n, p = {"wide": (60, 400), "narrow": (150, 8), "few values": (200, 4)}[kind]
    target = np.arange(n) % 3
    x = rng.integers(0, 3, (n, p)).astype(float) if kind == "few values" else rng.normal(size=(n, p))
    x = np.asfortranarray(x + 0.5 * (target[:, None] == 1))
    x[rng.random((n, p)) < 0.1] = np.nan
    made = Dataset("made", x, tuple(map(str, range(p))), target, "y", ("a", "b", "c"), ("",) * n)
    return made, replace(made, x=np.asfortranarray(np.where(np.isnan(x), np.nanmedian(x, axis=0), x)))


@pytest.mark.parametrize("kind", ["wide", "narrow", "few values"])
@pytest.mark.parametrize(("name", "values"), MODELS)
def test_models_answer_as_on_a_table_that_was_filled_before(kind, name, values):
    with_gaps, filled = _table(kind)
    p = len(with_gaps.features)
    mask = np.random.default_rng(1).random(p) < 0.8
    labels = np.stack([np.random.default_rng(seed).permutation(len(filled.target)) % 5 for seed in range(2)])
    found, expected = (
        WRAPPERS[name].build(values).bind(design_of(data, "once")).predict(mask, labels) for data in (with_gaps, filled)
    )
    assert np.array_equal(found, expected)


def test_a_design_holds_no_filled_copy_of_its_table():
    data, filled = _table("narrow")
    design = design_of(data, "once")
    assert np.shares_memory(design.columns, data.x)
    assert np.array_equal(design.filled(slice(2, 5)), filled.x.T[2:5])
