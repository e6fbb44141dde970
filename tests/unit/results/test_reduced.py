"""The reduced table, read back by libraries that are not ours."""

import csv
import io

import numpy as np
import pandas as pd
import pytest
import python_calamine
from scipy.io import arff

from fsdesk.data import read_table
from fsdesk.errors import DataError
from fsdesk.results import export
from fsdesk.results.exports import reduced_arff, reduced_csv, reduced_excel, reduced_parquet
from fsdesk.results.sheets import escape_formula, is_number, original

DANGEROUS = ("=", "+", "-", "@", "\t", "\r")


@pytest.fixture(scope="module")
def places(awkward_result):
    return np.flatnonzero(awkward_result.mask)


def expected(awkward, place):
    """The column as it must read back: numbers, or names of categories; None where missing."""
    levels = awkward.categories.get(int(place))
    return [None if np.isnan(v) else (levels[int(v)] if levels else v) for v in awkward.x[:, place]]


def test_csv_has_row_ids_the_selected_columns_and_the_target(awkward, awkward_result, places):
    rows = list(csv.reader(io.StringIO(reduced_csv(awkward_result, awkward))))
    names = [awkward.features[place] for place in places]
    assert [original(name) for name in rows[0]] == ["row", *names, "+state"]
    assert [original(row[0]) for row in rows[1:]] == list(awkward.rows)
    assert [original(row[-1]) for row in rows[1:]] == [("=ill", "well")[code] for code in awkward.target]
    for across, place in enumerate(places, 1):
        read = [row[across] for row in rows[1:]]
        if int(place) in awkward.categories:
            assert [original(cell) or None for cell in read] == expected(awkward, place)
        else:
            assert [float(cell) if cell else None for cell in read] == expected(awkward, place)


def test_no_text_cell_of_the_csv_starts_as_a_formula_does_and_negative_numbers_stay_numbers(awkward, awkward_result):
    cells = [cell for row in csv.reader(io.StringIO(reduced_csv(awkward_result, awkward))) for cell in row]
    starting = [cell for cell in cells if cell.startswith(DANGEROUS)]
    assert starting
    assert all(np.isfinite(float(cell)) for cell in starting)


def test_no_name_of_the_mask_starts_as_a_formula_does(awkward, awkward_result, tmp_path):
    export(awkward_result, awkward, tmp_path, ["mask.csv"])
    with (tmp_path / "mask.csv").open(newline="", encoding="utf-8") as file:
        names = [row["feature"] for row in csv.DictReader(file)]
    assert not [name for name in names if name.startswith(DANGEROUS)]
    assert [original(name) for name in names] == list(awkward.features)


def test_excel_reads_back_through_calamine_with_texts_that_are_no_formulas(awkward, awkward_result, places):
    book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(reduced_excel(awkward_result, awkward)))
    header, *rows = book.get_sheet_by_index(0).to_python(skip_empty_area=False)
    assert [original(name) for name in header] == ["row", *(awkward.features[place] for place in places), "+state"]
    texts = [cell for row in [header, *rows] for cell in row if isinstance(cell, str)]
    assert not [cell for cell in texts if cell.startswith(DANGEROUS)]
    for across, place in enumerate(places, 1):
        read = [row[across] for row in rows]
        wanted = expected(awkward, place)
        if int(place) in awkward.categories:
            assert [original(cell) or None for cell in read] == wanted
        else:
            assert read == ["" if value is None else pytest.approx(value) for value in wanted]


def test_parquet_reads_back_through_pandas_to_the_bit(awkward, awkward_result, places):
    frame = pd.read_parquet(io.BytesIO(reduced_parquet(awkward_result, awkward)))
    assert list(frame["row"]) == list(awkward.rows)
    assert list(frame["+state"]) == [("=ill", "well")[code] for code in awkward.target]
    for place in places:
        read = frame[awkward.features[place]]
        assert [None if pd.isna(value) else value for value in read] == expected(awkward, place)
    assert isinstance(frame["colour"].dtype, pd.CategoricalDtype)


def test_arff_reads_back_through_scipy_and_through_fsdesk(awkward, awkward_result, places, tmp_path):
    text = reduced_arff(awkward_result, awkward)
    assert "% -patient 0\n" in text
    path = tmp_path / "table.arff"
    path.write_text(text, encoding="utf-8")
    table = read_table(path)
    assert table.features == tuple(awkward.features[place] for place in places)
    assert [table.classes[code] for code in table.target] == [("=ill", "well")[code] for code in awkward.target]
    np.testing.assert_array_equal(table.x, awkward.x[:, places])
    read, meta = arff.loadarff(io.StringIO(text.replace("'weight, kg'", "weight").replace("it\\'s, green", "green")))
    assert list(read["weight"][:3]) == list(awkward.x[:3, 1])
    assert np.isnan(read["weight"][3])
    assert meta["colour"][1] == ("red", "-blue", "green")


@pytest.mark.parametrize("text", ["=1+1", "+x", "-x", "@x", "\tx", "\rx", "\n=x", "'=x", "''-x", "＝1"])
def test_what_a_spreadsheet_would_run_gets_an_apostrophe_that_comes_off_again(text):
    assert escape_formula(text) == f"'{text}"
    assert original(escape_formula(text)) == text


@pytest.mark.parametrize("text", ["x", "", "a=b", "'quoted'", "it's", "-1.5", "+3", "-2e-05", "5"])
def test_plain_texts_and_numbers_stay_as_they_are(text):
    assert escape_formula(text) == text
    assert original(text) == text


@pytest.mark.parametrize("text", ["-1+1", "+1|cmd", "-", "1e", "-１", "+1\n", "-inf"])
def test_only_plain_numbers_count_as_numbers(text):
    assert not is_number(text)


def test_a_table_too_wide_for_excel_is_said(make_dataset):
    from dataclasses import replace

    from fsdesk.results import select

    wide = make_dataset(np.random.default_rng(0).normal(size=(4, 2)), [0, 1, 0, 1])
    result = select(wide, method="full", settings={"repeats": 1, "folds": 2})
    many = 16_384
    wide = replace(wide, x=np.zeros((4, many)), features=tuple(map(str, range(many))))
    with pytest.raises(DataError, match="too few for this table: export it as CSV or Parquet"):
        reduced_excel(replace(result, mask=np.ones(many, dtype=bool)), wide)
