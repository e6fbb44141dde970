import decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fsdesk.data import ReadOptions, read, read_table
from fsdesk.errors import DataError


def write(folder: Path, columns: dict[str, object]) -> Path:
    path = folder / "table.parquet"
    pq.write_table(pa.table(columns), path)
    return path


def test_numbers_flags_decimals_and_gaps_are_numbers(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        {
            "small": pa.array([1.5, None, -2.0], pa.float32()),
            "whole": pa.array([1, 2, None], pa.int64()),
            "flag": pa.array([True, None, False]),
            "price": pa.array([decimal.Decimal("1.25"), None, decimal.Decimal("3.50")]),
            "class": ["b", "a", "b"],
        },
    )
    table = read(path)
    expected = [[1.5, 1, 1, 1.25, 1], [np.nan, 2, np.nan, np.nan, 0], [-2, np.nan, 0, 3.5, 1]]
    np.testing.assert_array_equal(table.values, expected)
    assert table.columns == ("small", "whole", "flag", "price", "class")
    assert table.categories == {4: ("a", "b")}
    assert table.default_target == "class"
    assert table.rows == ("1", "2", "3")
    assert table.source == "table.parquet, Parquet"


def test_categories_keep_their_order_and_gaps_stay(tmp_path: Path) -> None:
    stage = pa.DictionaryArray.from_arrays(pa.array([0, 2, None, 1]), ["low", "mid", "high"])
    table = read(write(tmp_path, {"x": [1.0, 2.0, 3.0, 4.0], "stage": stage}))
    assert table.categories == {1: ("low", "mid", "high")}
    np.testing.assert_array_equal(table.values[:, 1], [0, 2, np.nan, 1])


def test_an_index_of_pandas_names_the_rows(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    pd.DataFrame({"g1": [1.0, 2.0], "class": ["a", "b"]}, index=["s1", "s2"]).to_parquet(path)
    assert read(path).rows == ("s1", "s2")


def test_a_first_column_of_unique_texts_names_the_rows_as_in_text_files(tmp_path: Path) -> None:
    path = write(tmp_path, {"id": ["s1", "s2"], "g1": [1.0, 2.0], "class": ["a", "a"]})
    assert read(path).rows == ("s1", "s2")
    assert read(path).columns == ("g1", "class")
    assert read(path, ReadOptions(row_ids="none")).columns == ("id", "g1", "class")


def test_features_in_rows_are_turned(tmp_path: Path) -> None:
    path = write(tmp_path, {"gene": ["g1", "g2", "g3"], "s1": [1.0, 2.0, 3.0], "s2": [4.0, 5.0, 6.0]})
    table = read(path, ReadOptions(orientation="columns"))
    assert table.columns == ("g1", "g2", "g3")
    assert table.rows == ("s1", "s2")
    assert table.values.tolist() == [[1, 2, 3], [4, 5, 6]]


def test_lists_and_bytes_are_left_out_and_named(tmp_path: Path) -> None:
    path = write(tmp_path, {"x": [1.0, 2.0], "lists": [[1], [2, 3]], "raw": [b"1", b"2"], "class": ["a", "b"]})
    table = read(path)
    assert table.columns == ("x", "class")
    assert [check.columns for check in table.checks if check.kind == "unreadable columns"] == [("lists", "raw")]


def test_a_wide_table_makes_a_data_set(tmp_path: Path) -> None:
    x = np.random.default_rng(0).random((6, 3000))
    columns: dict[str, object] = {f"g{j}": x[:, j] for j in range(3000)}
    dataset = read_table(write(tmp_path, {**columns, "class": ["a", "b"] * 3}))
    assert np.array_equal(dataset.x, x)


def test_damage_and_emptiness_are_a_sentence(tmp_path: Path) -> None:
    path = write(tmp_path, {"x": np.arange(1000.0), "class": ["a", "b"] * 500})
    whole = path.read_bytes()
    for content in (whole[: len(whole) // 2], b"PAR1", b"a,b\n1,2\n", whole[:200] + bytes(400) + whole[600:]):
        path.write_bytes(content)
        with pytest.raises(DataError, match=r"is not a Parquet file or is damaged; save it again\.$"):
            read(path)
    with pytest.raises(DataError, match="no rows"):
        read(write(tmp_path, {"x": pa.array([], pa.float64())}))
