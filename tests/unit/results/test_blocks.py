"""Blocks of features: how they are named, and what the report says of each."""

import numpy as np
import pytest

from fsdesk import select
from fsdesk.data import Dataset
from fsdesk.errors import SettingsError
from fsdesk.measure.blocks import blocks_of
from fsdesk.results.features import block_importances
from fsdesk.results.report.sections import content_of

NAMES = ("age", "stage", "rna_1", "rna_2", "rna_3", "prot_1", "prot_2", "other")


def test_blocks_are_lists_of_names_and_patterns():
    found = blocks_of("clinical = age, stage; RNA = rna_*", NAMES)
    assert found == {"clinical": (0, 1), "RNA": (2, 3, 4)}
    assert blocks_of("", NAMES) == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("clinical", "Expected blocks"),
        ("clinical = ", "Expected blocks"),
        ("a = age; a = stage", "Expected blocks"),
        ("clinical = weight", 'no feature matches "weight"'),
        ("one = rna_*; two = rna_2", "is in two blocks"),
    ],
)
def test_what_names_no_blocks_is_refused_by_name(text, said):
    with pytest.raises(SettingsError, match=said):
        blocks_of(text, NAMES)


def test_the_block_that_tells_the_class_is_the_important_one_and_has_its_line():
    """RNA tells the class through two copies of one another, of which each alone has little importance."""
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    x = rng.normal(size=(200, 8))
    x[:, 2] += 1.5 * y
    x[:, 3] = x[:, 2] + 0.1 * rng.normal(size=200)
    data = Dataset("d", np.asfortranarray(x), NAMES, y, "ill", ("no", "yes"), tuple(map(str, range(200))))
    blocks = "clinical = age, stage; RNA = rna_*; protein = prot_*"
    result = select(data, method="full", wrapper="logistic", seed=0, outer=0, settings={"blocks": blocks, "repeats": 1})
    found = block_importances(result, data, blocks_of(blocks, NAMES))
    assert found["RNA"][1] > 0.1
    assert abs(found["clinical"][0]) < 0.05
    assert abs(found["protein"][0]) < 0.05
    tables = [each for section in content_of(result, data).sections for each in section.blocks if hasattr(each, "rows")]
    (table,) = [each for each in tables if each.rows and each.rows[0][0] == "clinical"]
    assert [row[0] for row in table.rows] == ["clinical", "RNA", "protein", "no block"]
    assert [row[1:4] for row in table.rows] == [("2", "2", "0"), ("3", "3", "2"), ("2", "2", "0"), ("1", "1", "0")]
