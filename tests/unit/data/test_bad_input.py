import os
from pathlib import Path

import numpy as np
import pytest

from fsdesk.data import ReadOptions, read, read_table
from fsdesk.errors import DataError, SettingsError

JUNK = np.random.default_rng(0).integers(0, 256, 5000, dtype=np.uint8).tobytes()
BODY = "".join(f"{i},{i * i % 7},{'ab'[i % 2]}\n" for i in range(1, 9))


def sentence(path: Path, options: ReadOptions | None = None) -> str:
    with pytest.raises(DataError) as caught:
        read(path, options or ReadOptions())
    text = str(caught.value)
    assert text[0].isupper() or text[0] == '"'
    assert text.endswith(".")
    assert "\n" not in text
    assert text.replace("... ", "").count(". ") <= 1  # what is wrong, and what to do
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return text


def written(folder: Path, content: str | bytes, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_a_missing_file(tmp_path: Path) -> None:
    assert "There is no file" in sentence(tmp_path / "nowhere.csv")


def test_a_folder(tmp_path: Path) -> None:
    assert "is a folder" in sentence(tmp_path)


@pytest.mark.skipif(
    os.name == "nt" or os.geteuid() == 0, reason="root may read everything, and Windows has no such bits"
)
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = written(tmp_path, BODY)
    path.chmod(0)
    assert "No permission to read" in sentence(path)


BINARY = ("t.mat", "t.xlsx", "t.xls", "t.ods", "t.parquet", "t.h5", "t.hdf5", "t.rds", "t.RData")
TEXT = ("t.arff", "t.gct", "t.libsvm")


@pytest.mark.parametrize("name", ["t.csv", "t", "t.csv.gz", *BINARY, *TEXT])
def test_an_empty_file(tmp_path: Path, name: str) -> None:
    assert "is empty" in sentence(written(tmp_path, b"", name))


@pytest.mark.parametrize("content", ["\n\n\n", "   \n\t\n", "\ufeff"])
def test_a_file_of_blank_lines(tmp_path: Path, content: str) -> None:
    assert "no table" in sentence(written(tmp_path, content))


@pytest.mark.parametrize("name", ["t.csv", "t.arff", "t.txt"])
@pytest.mark.parametrize("junk", [JUNK, JUNK.replace(b"\0", b"\1"), JUNK[1:]])
def test_binary_junk(tmp_path: Path, name: str, junk: bytes) -> None:
    assert "not a text file" in sentence(written(tmp_path, junk, name))


@pytest.mark.parametrize("name", [*BINARY, *TEXT, "t.csv.gz"])
def test_binary_junk_under_the_name_of_another_format(tmp_path: Path, name: str) -> None:
    assert sentence(written(tmp_path, JUNK, name))


@pytest.mark.parametrize("name", [*(name for name in BINARY if not name.endswith((".xls", ".xlsx", ".ods"))), *TEXT])
def test_a_plain_text_under_the_name_of_another_format(tmp_path: Path, name: str) -> None:
    assert sentence(written(tmp_path, f"x,y,class\n{BODY}", name))


@pytest.mark.parametrize("name", ["t.xls", "t.xlsx", "t.ods"])
def test_a_plain_text_under_the_name_of_a_workbook_is_read_as_what_it_is(tmp_path: Path, name: str) -> None:
    assert read(written(tmp_path, f"x,y,class\n{BODY}", name)).columns == ("x", "y", "class")


@pytest.mark.parametrize(
    "mark", [b"PAR1", b"\x89HDF\r\n\x1a\n", b"MATLAB 7.3 MAT-file", b"RDX3\n", b"RDA2\n", b"X\n\0\0\0\3", b"A\n3\n"]
)
def test_the_first_bytes_of_a_format_with_junk_below(tmp_path: Path, mark: bytes) -> None:
    assert sentence(written(tmp_path, mark + JUNK, "t.csv"))


@pytest.mark.parametrize("mark", ["#1.2\n", "#1.3\n", "!Series_title\n", "1 1:2 2:3\n" * 30])
def test_the_first_lines_of_a_format_with_another_table_below(tmp_path: Path, mark: str) -> None:
    assert sentence(written(tmp_path, f"{mark}x,y,class\n{BODY}", "t.csv"))


@pytest.mark.parametrize("mark", [b"\x1f\x8b", b"BZh9", b"\xfd7zXZ\x00"])
def test_a_packed_file_of_junk(tmp_path: Path, mark: bytes) -> None:
    assert "damaged or truncated" in sentence(written(tmp_path, mark + JUNK))


def test_a_zip_that_is_no_workbook(tmp_path: Path) -> None:
    assert "not a readable spreadsheet" in sentence(written(tmp_path, b"PK\x03\x04" + JUNK))


@pytest.mark.parametrize(("bad", "cells"), [("9,1\n", "2 cells"), ("9,1,a,3\n", "4 cells"), ("9\n", "1 cell ")])
def test_a_ragged_line_is_named_with_what_it_has_and_should_have(tmp_path: Path, bad: str, cells: str) -> None:
    text = sentence(written(tmp_path, f"x,y,class\n{BODY}{bad}"))
    assert "ine 10 " in text
    assert cells in text
    assert "where 3 are expected" in text


def test_a_separator_that_was_chosen_is_suspected_before_the_line(tmp_path: Path) -> None:
    path = written(tmp_path, "x;y;class\n1,5;2;a\n2;3,5;b\n3,5;4,5;a\n")
    with pytest.raises(DataError, match="Choose another separator, or correct that line"):
        read(path, ReadOptions(delimiter="comma"))
    read(path, ReadOptions())  # found out, it is the semicolon


def test_a_quotation_mark_that_never_closes_and_leaves_its_line_short(tmp_path: Path) -> None:
    text = sentence(written(tmp_path, f'x,y,class\n{BODY}9,"1 a\n' + BODY * 10_000))
    assert "ine 10 " in text
    assert "quotation mark" in text


def test_a_ragged_line_far_down_is_found(tmp_path: Path) -> None:
    text = sentence(written(tmp_path, "x,y,class\n" + BODY * 1000 + "\n1,2\n" + BODY))
    assert "Line 8003 " in text


def test_a_ragged_header(tmp_path: Path) -> None:
    assert "Line 1 " in sentence(written(tmp_path, f"x,y,class,more,less\n{BODY}"), ReadOptions(header="yes"))


def test_a_header_only(tmp_path: Path) -> None:
    assert "no rows below its header" in sentence(written(tmp_path, "x,y,class\n"))
    assert "no rows below its header" in sentence(written(tmp_path, "x,y,class\n"), ReadOptions(orientation="columns"))


def test_features_in_rows_without_samples(tmp_path: Path) -> None:
    assert "no samples" in sentence(written(tmp_path, "A\nB\nC\n"), ReadOptions(orientation="columns"))


def test_nothing_beside_the_ids(tmp_path: Path) -> None:
    path = written(tmp_path, "id\np1\np2\n")
    assert "no columns beside" in sentence(path, ReadOptions(row_ids="first column"))


def test_bytes_that_the_named_encoding_does_not_know(tmp_path: Path) -> None:
    path = written(tmp_path, "größe,b\n1,2\n".encode("cp1252"))
    assert "is not UTF-8 (byte 3 is invalid)" in sentence(path, ReadOptions(encoding="utf-8"))


def test_an_unknown_target_and_an_unknown_option(tmp_path: Path) -> None:
    path = written(tmp_path, f"x,y,class\n{BODY}")
    with pytest.raises(DataError, match='did you mean "class"'):
        read_table(path, "klass")
    with pytest.raises(SettingsError, match='no setting "seperator"'):
        read_table(path, seperator="comma")
    with pytest.raises(SettingsError, match='"delimiter"'):
        read_table(path, delimiter="colon")


def test_one_class_only(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="only one class"):
        read_table(written(tmp_path, f"x,y,class\n{BODY}".replace("b\n", "a\n")))
