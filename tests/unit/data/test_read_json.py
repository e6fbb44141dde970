"""JSON and JSON Lines: records, columns and rows become tables; what is none is refused with what to do."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fsdesk.data import ReadOptions, Table, questions, read, read_table
from fsdesk.data.readers.matrices import SeveralTablesError
from fsdesk.errors import DataError

N = 40
RNG = np.random.default_rng(44)
A, B = (RNG.normal(5, 1.5, N).round(3).tolist() for _ in range(2))
KIND = [("case", "control")[i % 2] for i in range(N)]
FRAME = pd.DataFrame({"a": A, "b": B, "group": KIND})
RECORDS = FRAME.to_dict(orient="records")


def written(folder: Path, value: Any, name: str = "t.json") -> Path:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return path


def asked(table: Table) -> list[str]:
    return [question.kind for question in questions(table.readings, table.default_target, named=False)]


@pytest.mark.parametrize("orient", ["records", "columns", "split", "table", "index"])
def test_what_pandas_writes_is_read(tmp_path: Path, orient: Any) -> None:
    path = tmp_path / "t.json"
    FRAME.to_json(path, orient=orient)
    table = read(path)
    assert not asked(table)
    data = read_table(path)
    assert [data.features.index(name) for name in ("a", "b")] == [0, 1]
    np.testing.assert_allclose(data.x[:, :2], FRAME[["a", "b"]], rtol=1e-9)
    assert [data.classes[code] for code in data.target] == KIND


ROWS = [["a", "b", "group"], *FRAME.to_numpy().tolist()]
NESTED = {"meta": {"version": 2}, "result": {"rows": RECORDS}}


@pytest.mark.parametrize("value", [{"data": RECORDS}, NESTED, FRAME.to_dict(orient="list"), ROWS])
def test_tables_within_objects_columns_and_rows_are_read(tmp_path: Path, value: Any) -> None:
    data = read_table(written(tmp_path, value))
    np.testing.assert_array_equal(data.x, FRAME[["a", "b"]])


@pytest.mark.parametrize("name", ["t.jsonl", "t.ndjson", "t.json", "t.txt"])
def test_one_record_a_line(tmp_path: Path, name: str) -> None:
    text = "\n".join(map(json.dumps, RECORDS))
    np.testing.assert_array_equal(read_table(written(tmp_path, text, name)).x, FRAME[["a", "b"]])
    rows = "\n".join(json.dumps(list(row.values())) for row in RECORDS)
    assert read(written(tmp_path, rows, "rows.jsonl")).values.shape == (N, 3)


def test_values_that_records_lack_or_that_are_null_are_missing(tmp_path: Path) -> None:
    records = [dict(record, flag=i % 3 == 0) for i, record in enumerate(RECORDS)]
    del records[3]["a"]
    records[4]["a"] = None
    table = read(written(tmp_path, records))
    assert np.flatnonzero(np.isnan(table.values[:, 0])).tolist() == [3, 4]
    assert table.categories[table.columns.index("flag")] == ("FALSE", "TRUE")


def test_two_tables_are_parts(tmp_path: Path) -> None:
    path = written(tmp_path, {"train": RECORDS[:30], "test": RECORDS[30:]})
    with pytest.raises(SeveralTablesError) as error:
        read(path)
    assert error.value.parts == ("train", "test")
    table = read(path, ReadOptions(part="test"))
    assert (len(table.rows), table.part) == (10, "test")


def test_an_object_of_objects_is_asked_about_where_either_may_be_rows(tmp_path: Path) -> None:
    values = {f"gene_{j}": {f"P{i}": A[(i + 3 * j) % N] for i in range(12)} for j in range(5)}
    table = read(written(tmp_path, values))
    assert "layout of JSON" in asked(table)
    assert table.values.shape == (12, 5)
    assert read(written(tmp_path, values), ReadOptions(orientation="columns")).values.shape == (5, 12)


@pytest.mark.parametrize("lines", [False, True])
def test_objects_in_records_become_columns(tmp_path: Path, lines: bool) -> None:
    records = [{"_id": {"$oid": f"{i:024x}"}, "labs": {"crp": {"value": a, "unit": "mg/L"}, "ldl": b}, "group": kind}
               for i, (a, b, kind) in enumerate(zip(A, B, KIND, strict=True))]  # fmt: skip
    del records[3]["labs"]
    text = "\n".join(map(json.dumps, records)) if lines else json.dumps(records)
    table = read(written(tmp_path, text, "t.jsonl" if lines else "t.json"))
    assert table.columns[-4:] == ("labs.crp.value", "labs.crp.unit", "labs.ldl", "group")
    expected = [np.nan if i == 3 else a for i, a in enumerate(A)]
    np.testing.assert_array_equal(table.values[:, table.columns.index("labs.crp.value")], expected)
    assert not asked(table)


@pytest.mark.parametrize("key", ["P{}", "{}"])
def test_an_object_of_nested_records_is_read_by_row(tmp_path: Path, key: str) -> None:
    value = {
        key.format(i + 1): {"labs": {"crp": a}, "group": kind} for i, (a, kind) in enumerate(zip(A, KIND, strict=True))
    }
    table = read(written(tmp_path, value))
    assert table.columns == ("labs.crp", "group")
    np.testing.assert_array_equal(table.values[:, 0], A)


DEEP = '{"x": ' * 60 + "1" + "}" * 60


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ([dict(RECORDS[0], more=[{"x": 1}]), *RECORDS], r'Row 1 .* a list in column "more" .* pandas.json_normalize'),
        ([{"a": {"b": 1}, "a.b": 2}, {"a": {"b": 3}}], '"a.b" occurs twice in one JSON object'),
        (f"[{DEEP}, {DEEP}]", 'an object in column "x.x'),
        ([*RECORDS[:6], dict(RECORDS[0], a=[1, 2])], r'Row 7 .* a list in column "a"'),
        ({"name": "x", "version": 3}, "contains no table; write it as a list of records"),
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
        ('[{"a": ' + "1" * 5000 + "}]", "a number is too long"),
        (json.dumps(RECORDS)[:-40], "Line 1 .* is not JSON .* truncated"),
        ('{"a": 1}\n{"a": 2}\n{"a": \n', "Line 3 .* is not JSON"),
        ('[{"a": 1, "a": 2}, {"a": 3}]', '"a" occurs twice in one JSON object'),
    ],
)
def test_what_is_no_table_is_refused_with_what_to_do(tmp_path: Path, value: Any, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        read(written(tmp_path, value))
