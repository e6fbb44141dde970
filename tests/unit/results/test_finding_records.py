"""All that the result page finds out about a subset comes back from a project file as it was."""

from dataclasses import fields

import numpy as np
import pytest

from fsdesk.data import load_sample, prepare
from fsdesk.engine import RunSpec
from fsdesk.results.diagnosis import diagnosed, kept_findings, packed_findings
from fsdesk.results.features import single_feature_scores
from fsdesk.results.subsets import EquivalentSubset, EquivalentSubsets
from fsdesk.store.schema import pack, unpack


def same(one: object, other: object, where: str = "") -> None:
    """Compare dataclasses with arrays, part by part."""
    if hasattr(one, "__dataclass_fields__"):
        assert type(one) is type(other), where
        for field in fields(one):  # type: ignore[arg-type]
            same(getattr(one, field.name), getattr(other, field.name), f"{where}.{field.name}")
    elif isinstance(one, tuple):
        assert isinstance(other, tuple) and len(one) == len(other), where
        for place, (mine, others) in enumerate(zip(one, other, strict=True)):
            same(mine, others, f"{where}[{place}]")
    else:
        np.testing.assert_array_equal(one, other, err_msg=where, strict=isinstance(one, np.ndarray))


@pytest.mark.parametrize("wrapper", ["nn", "KNeighborsRegressor"])
def test_findings_come_back_as_they_were(wrapper: str) -> None:
    """Classes, with ROC curves, and numbers."""
    table = load_sample("wine")
    dataset = prepare(table) if wrapper != "KNeighborsRegressor" else prepare(table, target=table.columns[0])
    spec = RunSpec.make(dataset, method="bspsa", wrapper=wrapper, seed=0, settings={"repeats": 2, "folds": 3})
    p = len(dataset.features)
    mask = np.arange(p) % 3 == 0
    *_, diagnosis = diagnosed(spec, dataset, mask, times=2)
    *_, singles = single_feature_scores(spec, dataset, np.flatnonzero(mask))
    subsets = EquivalentSubsets(
        (EquivalentSubset(mask, 0.1, 2, True), EquivalentSubset(~mask, 0.2, 0, False)), 2, 7, 0.25, np.linspace(0, 1, p)
    )
    back = kept_findings(unpack(pack(packed_findings(subsets, diagnosis, singles))), mask)
    assert back is not None
    same((subsets, diagnosis, singles), back)
    assert bool(diagnosis.chosen.curves) == (wrapper == "nn")


def test_what_another_version_of_fsdesk_kept_is_found_out_anew() -> None:
    assert kept_findings({"version": 0}, np.ones(3, dtype=np.bool_)) is None
