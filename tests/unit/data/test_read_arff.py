from pathlib import Path

import numpy as np
import pytest
from scipy.io import arff as scipy_arff

from fsdesk.data import read, read_table
from fsdesk.errors import DataError

SHARED = Path(__file__).parents[3].parent / "shared" / "data"
HEAD = "@relation r\n@attribute a real\n@attribute c {x, y}\n@data\n"


def write(folder: Path, text: str) -> Path:
    path = folder / "table.arff"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["ionosphere", "sonar", "segment", "waveform5000", "arrhythmia"])
def test_dense_files_agree_with_scipy(name: str) -> None:
    path = SHARED / f"{name}.arff"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    table = read(path)
    rows, meta = scipy_arff.loadarff(path)
    assert list(table.columns) == meta.names()
    for j, (column, kind) in enumerate(zip(meta.names(), meta.types(), strict=True)):
        ours, theirs = table.values[:, j], rows[column]
        if kind == "nominal":
            names = table.categories[j]
            words = ["?" if np.isnan(code) else names[int(code)] for code in ours]
            assert words == [word.decode() for word in theirs]
            assert names == tuple(meta[column][1] or ())
        else:
            assert np.array_equal(ours, theirs, equal_nan=True)


def test_keywords_in_any_case_quoted_names_escapes_comments_and_missing_values(tmp_path: Path) -> None:
    text = (
        "% a comment\n@RELATION 'my relation'\n\n"
        "@Attribute 'first name' NUMERIC\n@ATTRIBUTE \"second\" Integer % not the last\n"
        "@attribute it\\'s {'dark blue', \"light, grey\", 'it\\'s'}\n"
        "@attribute note STRING\n@attribute class {no,yes}\n"
        "@DATA\n% another\n1.5, 2, 'dark blue', 'some, text', yes\n"
        "?,3,\"light, grey\",?,no\n\n-1e-3 , ? , 'it\\'s', same, ?\n"
    )
    table = read(write(tmp_path, text))
    assert table.columns == ("first name", "second", "it\\'s", "note", "class")
    expected = [[1.5, 2.0, 0.0], [np.nan, 3.0, 1.0], [-0.001, np.nan, 2.0]]
    assert np.array_equal(table.values[:, :3], expected, equal_nan=True)
    assert table.categories[2] == ("dark blue", "light, grey", "it's")
    assert table.categories[3] == ("same", "some, text")
    assert np.array_equal(table.values[:, 4], [1.0, 0.0, np.nan], equal_nan=True)
    assert table.default_target == "class"


def test_nominal_values_keep_the_declared_order_and_may_stay_unused(tmp_path: Path) -> None:
    text = "@relation r\n@attribute size {small, medium, large}\n@attribute c {z, y, x}\n@data\n"
    text += "large,x\nsmall,z\nsmall,z\n"
    table = read(write(tmp_path, text))
    assert table.categories == {0: ("small", "medium", "large"), 1: ("z", "y", "x")}
    assert table.values.tolist() == [[2.0, 2.0], [0.0, 0.0], [0.0, 0.0]]
    assert read_table(write(tmp_path, text)).classes == ("z", "x")


def test_a_declared_category_called_na_is_no_missing_value(tmp_path: Path) -> None:
    text = "@relation r\n@attribute a {NA, EU}\n@attribute c {x, y}\n@data\nNA,x\nEU,y\n"
    assert read(write(tmp_path, text)).values[:, 0].tolist() == [0.0, 1.0]


def test_values_may_stand_between_blanks(tmp_path: Path) -> None:
    table = read(write(tmp_path, HEAD + "1.5 x\n2.5\ty\n"))
    assert table.values.tolist() == [[1.5, 0.0], [2.5, 1.0]]


def test_sparse_rows_leave_out_zeros_and_first_categories(tmp_path: Path) -> None:
    text = (
        "@relation r\n@attribute a real\n@attribute 'b b' {p, 'q r', s}\n@attribute d numeric\n"
        "@attribute c {no, yes}\n@data\n"
        "{0 1.5, 1 'q r', 3 yes}\n{}\n{2 -7,1 s}\n% done\n{ 0 ?, 3 ? }\n"
    )
    table = read(write(tmp_path, text))
    expected = [[1.5, 1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0], [0.0, 2.0, -7.0, 0.0], [np.nan, 0.0, 0.0, np.nan]]
    assert np.array_equal(table.values, expected, equal_nan=True)
    assert "sparse" in table.source


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (HEAD + "1,x\n2,z\n", ["Line 6", '"z"', '"c"']),
        (HEAD + "1,x\nmany,y\n", ["Line 6", '"many"', '"a"', "numeric"]),
        (HEAD + "1,x\n% note\n1,2,x\n", ["Line 7", "3 cells", "2 are expected"]),
        (HEAD + "{0 1}\n{5 1}\n", ["Line 6", "index"]),
        (HEAD + "{0 1}\n1,x\n", ["Line 6", "sparse"]),
        (HEAD, ["no rows"]),
        ("@relation r\n@attribute a real\n", ["no @data"]),
        ("@relation r\n@data\n1,2\n", ["no @attribute"]),
        ("@relation r\n@attribute a relational\n@data\n1\n", ["Line 2", '"relational"']),
        ("@relation r\n@attribute a\n@data\n1\n", ["Line 2"]),
        ("a,b\n1,2\n", ["Line 1", "not ARFF"]),
    ],
)
def test_what_is_wrong_in_a_file_is_named_with_its_line(tmp_path: Path, text: str, parts: list[str]) -> None:
    with pytest.raises(DataError) as caught:
        read(write(tmp_path, text))
    for part in parts:
        assert part in str(caught.value)
