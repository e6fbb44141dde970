"""NumPy, Arrow, SQLite, JASP and jamovi."""

import sqlite3
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fsdesk.data import ReadOptions, read, read_table
from fsdesk.data.readers import sqlite
from fsdesk.data.readers.matrices import SeveralTablesError
from fsdesk.errors import DataError
from tests import written_formats as written

X = np.array([[1.5, 2.0, 3.25], [4.0, -5.5, 6.0], [7.0, 8.0, 9.5], [0.5, 1.0, 2.0]])
WORDS = np.array(["ill", "well", "ill", "well"])


def test_arrays_of_an_npz_file_are_told_by_their_names(tmp_path: Path) -> None:
    path = tmp_path / "t.npz"
    np.savez(path, X=X, y=WORDS, feature_names=np.array(["a", "b", "c"]), sample_ids=np.array(["p", "q", "r", "s"]))
    table = read(path)
    assert (table.rows, table.columns) == (("p", "q", "r", "s"), ("a", "b", "c", "y"))
    assert table.values[:, :3].tolist() == X.tolist()
    assert (table.categories[3], table.default_target) == (("ill", "well"), "y")


def test_arrays_without_names_and_in_parts(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "t.npz", X, np.array([0, 1, 0, 1], dtype=np.int8))
    assert read_table(tmp_path / "t.npz").classes == ("0", "1")
    np.savez(tmp_path / "two.npz", x_train=X, x_test=X[:2] + 1, y_train=WORDS, y_test=WORDS[:2])
    with pytest.raises(SeveralTablesError, match="several tables"):
        read(tmp_path / "two.npz")
    table = read(tmp_path / "two.npz", ReadOptions(part="x_test"))
    assert (table.values[0, 0], len(table.rows), table.default_target) == (2.5, 2, "y_test")


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["<f8", ">f4", "<i2"])
def test_a_single_array(tmp_path: Path, order: str, dtype: str) -> None:
    array = np.array(np.round(X), dtype=dtype, order="F" if order == "F" else "C")
    np.save(tmp_path / "t.npy", array)
    assert read(tmp_path / "t.npy").values.tolist() == np.round(X).tolist()


def test_records_are_columns(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1.5, 2.5, np.nan], "n": [1, 2, 3]})
    frame["when"] = pd.to_datetime(["2020-01-02", "2021-01-02", "2020-01-02"])
    records = frame.to_records(index=False)
    made = np.array(records.tolist(), dtype=[("a", "f8"), ("n", "i8"), ("when", "M8[D]"), ("k", "U4")][:3])
    np.save(tmp_path / "t.npy", made)
    table = read(tmp_path / "t.npy")
    assert table.columns == ("a", "n", "when")
    assert table.values[:, 2].tolist() == [0, 366, 0]
    assert table.descriptions["when"] == "days since 2020-01-02"


def test_python_objects_are_never_unpacked_and_classes_among_them_are_named(tmp_path: Path) -> None:
    np.savez(tmp_path / "t.npz", X=X, y=WORDS.astype(object))
    with pytest.raises(DataError, match=r'"y" in "t.npz" contains Python objects.*y.astype\(str\)'):
        read(tmp_path / "t.npz")
    np.savez(tmp_path / "meta.npz", X=X, y=WORDS, meta=np.array({"a": 1}, dtype=object))
    assert read(tmp_path / "meta.npz").default_target == "y"
    np.save(tmp_path / "t.npy", X.astype(object), allow_pickle=True)
    with pytest.raises(DataError, match="contains Python objects"):
        read(tmp_path / "t.npy")


@pytest.mark.parametrize("shape", ["(10000000000, 3)", "(4, 4)", "(-1, 3)", "(3.5,)", "('a',)"])
def test_sizes_of_an_array_that_the_file_has_not_are_refused(tmp_path: Path, shape: str) -> None:
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    content = b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode() + bytes(96)
    (tmp_path / "t.npy").write_bytes(content)
    with pytest.raises(DataError, match="not a NumPy array"):
        read(tmp_path / "t.npy")
    (tmp_path / "t.npz").write_bytes(written.zip_of({"X.npy": content}))
    with pytest.raises(DataError, match="not a NumPy array"):
        read(tmp_path / "t.npz")


def arrow_files(folder: Path) -> list[Path]:
    pa = pytest.importorskip("pyarrow")
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(
        k=pd.Categorical(WORDS, ["well", "ill"]), lists=[[1], [2], [3], [4]]
    )
    frame.to_feather(folder / "t.feather")
    table = pa.Table.from_pandas(frame)
    for name, make in (("t.arrow", pa.ipc.new_file), ("t.arrows", pa.ipc.new_stream)):
        with pa.OSFile(str(folder / name), "wb") as target, make(target, table.schema) as writer:
            writer.write_table(table)
    return [folder / name for name in ("t.feather", "t.arrow", "t.arrows")]


def test_feather_and_arrow_keep_categories_and_name_what_is_left_out(tmp_path: Path) -> None:
    for path in arrow_files(tmp_path):
        table = read(path)
        assert table.columns == ("a", "b", "c", "k")
        assert table.values[:, :3].tolist() == X.tolist()
        assert table.categories[3] == ("well", "ill")
        assert [check.columns for check in table.checks] == [("lists",)]
        path.write_bytes(path.read_bytes()[:-300])
        with pytest.raises(DataError, match="damaged"):
            read(path)


def test_a_table_of_sqlite_is_read_as_a_text_file_is(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    path.write_bytes(written.database())
    table = read(path)
    assert (table.rows, table.columns) == (("p0", "p1", "p2", "p3"), ("dose", "n", "grp"))
    assert np.array_equal(table.values[:, 0], [0.5, 1.5, np.nan, 3.5], equal_nan=True)
    assert table.categories[2] == ("control", "treated")
    assert next(check for check in table.checks if check.kind == "unreadable columns").columns == ("picture",)


def test_of_several_tables_of_sqlite_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    path.write_bytes(written.database(tables=3))
    with pytest.raises(SeveralTablesError) as error:
        read(path)
    assert error.value.parts == ("t 1", "t 2", "t 3")
    table = read(path, ReadOptions(part="t 3"))
    assert (table.values[1, 1], table.part) == (3, "t 3")
    with pytest.raises(DataError, match="has no part"):
        read(path, ReadOptions(part="t 4"))


def test_texts_that_are_numbers_are_numbers_as_imported_tables_have_them(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    connection = sqlite3.connect(path)
    connection.execute('CREATE TABLE t ("a" TEXT, "b ""quoted""" TEXT)')
    connection.executemany("INSERT INTO t VALUES (?, ?)", [("1.5", "x"), ("NA", "y"), ("2", "x")])
    connection.commit()
    connection.close()
    table = read(path)
    assert table.columns == ("a", 'b "quoted"')
    assert np.array_equal(table.values[:, 0], [1.5, np.nan, 2], equal_nan=True)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE VIEW t AS WITH RECURSIVE n(a, b) AS (SELECT 1, 2 UNION ALL SELECT a + 1, b FROM n) SELECT * FROM n",
        "CREATE VIEW t AS SELECT load_extension('/tmp/x') AS a, 1 AS b",
        "CREATE VIEW t AS SELECT zeroblob(900000000) AS a, randomblob(900000000) AS b",
        "CREATE VIEW t AS SELECT * FROM nowhere",
    ],
)
def test_a_hostile_view_is_refused(tmp_path: Path, statement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "_SECONDS", 0.5)
    path = tmp_path / "t.db"
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()
    with pytest.raises(DataError):
        read(path)


def test_a_database_is_neither_written_nor_attached(tmp_path: Path) -> None:
    connection = sqlite.open_copy(written.database())
    for statement in (
        "DELETE FROM 't 1'",
        f"ATTACH '{tmp_path / 'x.db'}' AS x",
        "CREATE TABLE u (a)",
        "PRAGMA user_version",
    ):
        with pytest.raises(sqlite3.DatabaseError):
            connection.execute(statement)
    connection.close()
    assert not (tmp_path / "x.db").exists()


def test_a_database_that_another_program_is_writing_says_so(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE t (a, b)")
    connection.executemany("INSERT INTO t VALUES (?, ?)", [(1, 2), (3, 4), (5, 7)])
    connection.commit()
    with pytest.raises(DataError, match="open in another program"):
        read(path)
    connection.close()
    assert read(path).values.tolist() == [[1, 2], [3, 4], [5, 7]]


def test_a_project_of_this_program_is_no_table() -> None:
    with pytest.raises(DataError, match="is an fsdesk project"):
        read(Path(__file__).parents[2] / "golden" / "0.1.0.fsdesk")


def test_jamovi_has_labels_missing_values_ids_and_a_filter(tmp_path: Path) -> None:
    path = tmp_path / "t.omv"
    path.write_bytes(written.jamovi_file())
    table = read(path)
    assert (table.rows, table.columns) == (("p01", "p02", "p03", "p04"), ("dose", "age", "mood", "group"))
    assert np.array_equal(table.values[:, 1], [31, np.nan, 45, 52], equal_nan=True)
    assert (table.categories[2], table.categories[3]) == (("low", "middle", "high"), ("treated", "control"))
    assert np.array_equal(table.values[:, 2], [0, 2, np.nan, 1], equal_nan=True)
    assert table.values[:, 3].tolist() == [0, 1, 1, 0]
    assert table.descriptions == {"dose": "in mg"}
    assert "excludes 1 row" in next(check.sentence for check in table.checks if check.kind == "filter")


@pytest.mark.parametrize("make", [written.jasp_file, written.newer_jasp_file])
def test_jasp_of_both_kinds(tmp_path: Path, make: Callable[[], bytes]) -> None:
    path = tmp_path / "t.jasp"
    path.write_bytes(make())
    table = read(path)
    dose = table.values[:, table.columns.index("dose")]
    assert np.array_equal(dose, [1.5, 2.5, np.nan, 4.5], equal_nan=True)
    assert table.categories[table.columns.index("group")] == ("treated", "control")
    assert table.values[:, table.columns.index("group")].tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("metadata.json", b'"rowCount": 4', b'"rowCount": 400000000'),
        ("metadata.json", b'"rowCount": 4', b'"rowCount": -4'),
        ("metadata.json", b'"fields"', b'"meadows"'),
        ("metadata.json", b"{", b"["),
        ("xdata.json", b"[[", b"[[["),
        ("data.bin", b"\0\0", b""),
    ],
)
def test_damaged_files_of_jasp_and_jamovi_are_refused(tmp_path: Path, part: str, old: bytes, new: bytes) -> None:
    import io
    import zipfile

    for name, content in (("t.omv", written.jamovi_file()), ("t.jasp", written.jasp_file())):
        with zipfile.ZipFile(io.BytesIO(content)) as source:
            parts = {each: source.read(each) for each in source.namelist()}
        assert old in parts[part]
        (tmp_path / name).write_bytes(written.zip_of({**parts, part: parts[part].replace(old, new)}))
        with pytest.raises(DataError, match="contains no readable"):
            read(tmp_path / name)
