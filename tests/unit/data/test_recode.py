"""Columns as the user wants them: categories renamed, merged or in an order, logarithms, ids and texts."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fsdesk
from fsdesk.data import ReadOptions, as_learned, described_columns, read
from fsdesk.data.options import CARRIED, OF_COLUMNS
from fsdesk.errors import DataError
from fsdesk.results.settings_file import command_line

_TEXT = """patient,ward,stage,crp,remarks,ill
P1,ICU,II,2,slept,yes
P2,IMC,I,4,ate,no
P3,general,III,8,ate,yes
P4,general,I,1,slept badly,no
P5,ICU,II,16,woke,yes
P6,IMC,,32,woke,no
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A table of patients."""
    file = tmp_path / "ward.csv"
    file.write_text(_TEXT, encoding="utf-8")
    return file


def _read(path: Path, **options: str):
    return read(path, ReadOptions(row_ids="none").updated(options))


def _sentences(table) -> str:
    return " | ".join(str(check.sentence) for check in table.checks)


def test_categories_of_one_new_name_are_merged(path: Path) -> None:
    table = _read(path, categories="ward=ICU -> intensive; ward=IMC -> intensive")
    assert table.categories[1] == ("general", "intensive")
    assert table.values[:, 1].tolist() == [1, 1, 0, 0, 1, 1]
    assert '"ICU", "IMC" in column "ward" are renamed to "intensive"' in _sentences(table)


def test_names_are_exchanged_at_once_and_not_one_after_the_other(path: Path) -> None:
    table = _read(path, categories="ward=ICU -> IMC; ward=IMC -> ICU")
    words = [table.categories[1][int(code)] for code in table.values[:, 1]]
    assert words == ["IMC", "ICU", "general", "general", "IMC", "ICU"]


def test_a_category_without_a_name_is_missing(path: Path) -> None:
    table = _read(path, categories="ward=general ->")
    assert np.isnan(table.values[:, 1]).tolist() == [False, False, True, True, False, False]
    assert table.categories[1] == ("ICU", "IMC")


def test_ordered_categories_are_numbers_in_their_order(path: Path) -> None:
    table = _read(path, types="stage=ordered: I < II < III")
    assert 2 not in table.categories
    np.testing.assert_array_equal(table.values[:, 2], [2, 1, 3, 1, 2, np.nan])
    assert table.descriptions["stage"] == "1 = I, 2 = II, 3 = III"


def test_an_order_that_lacks_a_category_names_the_cell(path: Path) -> None:
    with pytest.raises(DataError, match='does not include "III" from row 3'):
        _read(path, types="stage=ordered: I < II")


def test_a_logarithm_has_another_name_and_base_2(path: Path) -> None:
    table = _read(path, logarithms="crp")
    assert table.columns[3] == "log2(crp)"
    assert table.values[:, 3].tolist() == [1, 2, 3, 0, 4, 5]


def test_a_logarithm_of_zero_names_the_cell(path: Path) -> None:
    path.write_text(_TEXT.replace("P3,general,III,8", "P3,general,III,0"), encoding="utf-8")
    with pytest.raises(DataError, match='Column "crp" has no logarithm in row 3, which contains 0'):
        _read(path, logarithms="crp")


def test_ids_name_the_rows_and_like_texts_are_no_features(path: Path) -> None:
    table = _read(path, types="patient=id; remarks=text")
    assert table.rows == ("P1", "P2", "P3", "P4", "P5", "P6")
    assert set(described_columns(table)) == {"patient", "remarks"}
    data = fsdesk.read_table(path, "ill", row_ids="none", types="patient=id; remarks=text")
    assert data.features == ("ward", "stage", "crp")


def test_limits_of_one_column_are_not_those_of_another(tmp_path: Path) -> None:
    path = tmp_path / "limits.csv"
    rows = "\n".join(f"{a},{b},{a % 2}" for a, b in zip(range(1, 21), range(21, 41), strict=True))
    path.write_text(f"a,b,y\n{rows}\n<0.5,<2,1\n", encoding="utf-8")
    table = _read(path, column_limits="a=half; b=missing")
    assert table.values[-1, 0] == 0.25
    assert np.isnan(table.values[-1, 1])
    assert not [reading for reading in table.readings if reading.kind == "limits"]


@pytest.mark.parametrize(("options", "sentence"), [
    ({"categories": "wart=a -> b"}, "does not give a column"),
    ({"categories": "ward=ICU"}, "does not rename a category"),
    ({"categories": "crp=1 -> 2"}, "contains numbers"),
    ({"logarithms": "ward"}, "set to numbers, but row 1"),
    ({"logarithms": "cpr"}, "does not give a column"),
    ({"types": "patient=id; ward=id"}, "Only one column can contain the row IDs"),
    ({"types": "stage=ordered:"}, "can be a category"),
    ({"column_limits": "crp=quarter"}, "limits"),
])  # fmt: skip
def test_what_cannot_be_done_is_said(path: Path, options: dict[str, str], sentence: str) -> None:
    with pytest.raises(fsdesk.UserError, match=sentence):
        _read(path, **options)


def test_a_later_table_or_frame_is_changed_in_the_same_way(path: Path) -> None:
    ways = {
        "types": "stage=ordered: I < II < III; patient=id; remarks=text", "logarithms": "crp",
        "categories": "ward=ICU -> intensive; ward=IMC -> intensive", "row_ids": "none",
    }  # fmt: skip
    data = fsdesk.read_table(path, "ill", **ways)
    assert {*OF_COLUMNS} <= {*CARRIED}
    later = as_learned(data)
    path.write_text("\n".join(line.rpartition(",")[0] for line in _TEXT.splitlines()), encoding="utf-8")
    table = read(path, later)
    for name in data.features:
        np.testing.assert_array_equal(table.values[:, table.columns.index(name)], data.x[:, data.features.index(name)])
    result = fsdesk.select(data, method="full", wrapper="nn", settings={"folds": 2, "repeats": 1}, outer=0)
    frame = pd.read_csv(path)
    predicted = fsdesk.predict(result, frame)
    np.testing.assert_array_equal(predicted.predicted, fsdesk.predict(result, path).predicted)
    assert predicted.rows == ("P1", "P2", "P3", "P4", "P5", "P6")


def test_the_command_that_repeats_a_run_reads_the_table_in_the_same_way(path: Path) -> None:
    data = fsdesk.read_table(path, "ill", row_ids="none", types="stage=ordered: I < II < III", logarithms="crp")
    spec = fsdesk.RunSpec.make(data, method="full", wrapper="nn", seed=0)
    command = command_line(spec, data)
    assert "--read 'types=stage=ordered: I < II < III'" in command
    assert "--read logarithms=crp" in command
    assert "--read row_ids=none" in command
