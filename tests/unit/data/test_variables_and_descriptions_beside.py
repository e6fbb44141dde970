"""Variables beside a matrix, characteristics of GEO in odd forms, blank lines, Eastern encodings, sheets of prose."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xlsxwriter
from scipy.io import savemat

from fsdesk.data import ReadOptions, Table, questions, read
from fsdesk.errors import DataError

N = 40
RNG = np.random.default_rng(146)
X = RNG.normal(8, 1, (N, 6)).round(3)
A = X[:, 0].tolist()
KIND = [("case", "control")[i * 7 // 3 % 2] for i in range(N)]
IDS = [f"P{i + 1:02d}" for i in range(N)]
TISSUE = np.array([("lung", "liver")[i % 2] for i in range(N)], dtype=object)


def asked(table: Table) -> list[str]:
    return [question.kind for question in questions(table.readings, table.default_target, named=False)]


def matlab(folder: Path, variables: dict[str, Any], **options: str) -> Table:
    savemat(folder / "t.mat", variables)
    return read(folder / "t.mat", ReadOptions(**options))


def arrays(folder: Path, variables: dict[str, Any], **options: str) -> Table:
    np.savez(folder / "t.npz", **{key: np.asarray(value.tolist()) for key, value in variables.items()})
    return read(folder / "t.npz", ReadOptions(**options))


@pytest.mark.parametrize("write", [matlab, arrays])
def test_vectors_beside_a_matrix_without_classes_describe_its_samples(tmp_path: Path, write: Any) -> None:
    table = write(tmp_path, {"X": X, "tissue": TISSUE, "weight": X[:, 1] * 10})
    assert table.columns[6:] == ("weight", "tissue") or table.columns[6:] == ("tissue", "weight")
    assert table.default_target == "tissue"
    assert table.values[:, :6].tolist() == X.tolist()
    assert any(check.kind == "sample descriptions" for check in table.checks)


@pytest.mark.parametrize("write", [matlab, arrays])
def test_vectors_beside_a_matrix_and_its_classes_are_named(tmp_path: Path, write: Any) -> None:
    table = write(tmp_path, {"X": X, "Y": np.arange(N) % 2, "subject": np.arange(N) // 2, "prediction": X[:, 2]})
    assert (len(table.columns), table.default_target) == (7, "Y")
    (check,) = (each for each in table.checks if each.kind == "variables left out")
    assert "subject" in check.sentence
    assert "prediction" in check.sentence


@pytest.mark.parametrize("write", [matlab, arrays])
def test_a_part_has_the_classes_with_the_same_ending(tmp_path: Path, write: Any) -> None:
    kinds = np.arange(N) % 2
    variables = {"X_train": X, "y_train": kinds, "X_test": X + 1, "y_test": 1 - kinds}
    for part, right in (("train", kinds), ("test", 1 - kinds)):
        table = write(tmp_path, variables, part=f"X_{part}")
        assert table.default_target == f"y_{part}"
        assert table.values[:, 6].tolist() == right.tolist()


def test_inputs_and_targets_of_a_network_are_read(tmp_path: Path) -> None:
    classes = np.arange(N) % 3
    table = matlab(tmp_path, {"inputs": X.T, "targets": np.eye(3)[:, classes]})
    assert table.values.tolist() == np.column_stack([X, classes + 1]).tolist()


def test_complex_numbers_are_refused_as_such(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="contains complex numbers"):
        matlab(tmp_path, {"X": X + 1j, "Y": np.arange(N) % 2})


def series(folder: Path, *characteristics: list[str]) -> Table:
    lines = ["!Series_geo_accession\tGSE1", "!Sample_geo_accession\t" + "\t".join(f"GSM{i}" for i in range(N))]
    lines += ["!Sample_characteristics_ch1\t" + "\t".join(f'"{cell}"' for cell in cells) for cells in characteristics]
    lines += ["!series_matrix_table_begin", "ID_REF\t" + "\t".join(f"GSM{i}" for i in range(N))]
    lines += [f"{j}_at\t" + "\t".join(map(str, X[:, j])) for j in range(6)]
    path = folder / "t_series_matrix.txt"
    path.write_text("\n".join([*lines, "!series_matrix_table_end"]) + "\n")
    return read(path)


@pytest.mark.parametrize("sign", ["; ", " | ", ";"])
def test_several_characteristics_in_one_cell_are_columns(tmp_path: Path, sign: str) -> None:
    table = series(tmp_path, [f"age: {40 + i}{sign}tissue: {TISSUE[i]}" for i in range(N)])
    assert {"age", "tissue"} <= {*table.columns}
    assert table.default_target == "tissue"
    assert table.values[:, table.columns.index("age")].tolist() == [40 + i for i in range(N)]


def test_a_text_with_a_semicolon_is_one_characteristic(tmp_path: Path) -> None:
    table = series(tmp_path, [f"tissue: {TISSUE[i]}; fresh" for i in range(N)])
    assert table.categories[6] == ("liver; fresh", "lung; fresh")


def test_keys_that_differ_in_case_are_one_characteristic(tmp_path: Path) -> None:
    table = series(tmp_path, ["Sex: male" if i % 2 else "sex: female" for i in range(N)])
    assert table.columns[6:] == ("sex",)
    assert table.categories[6] == ("female", "male")
    shifted = series(tmp_path, [("Age: 50", "Sex: male")[i % 2] for i in range(N)],
                     [("sex: female", f"age: {40 + i}")[i % 2] for i in range(N)])  # fmt: skip
    assert {*shifted.columns[6:]} == {"Age", "Sex"}


@pytest.mark.parametrize(("sep", "end"), [(",", "\n"), (";", "\r\n"), ("\t", "\n")])
def test_lines_of_separators_alone_are_blank(tmp_path: Path, sep: str, end: str) -> None:
    rows = [sep.join(map(str, row)) for row in [("id", "a", "group"), *zip(IDS, A, KIND, strict=True)]]
    blank = sep * 2
    path = tmp_path / "t.csv"
    path.write_text(end.join([*rows[:20], blank, *rows[20:], blank, blank, ""]), newline="")
    table = read(path)
    assert table.rows == tuple(IDS)
    assert table.values[:, 0].tolist() == A
    path.write_text(end.join([*rows[:20], blank, rows[20] + sep + "x", *rows[21:], ""]), newline="")
    with pytest.raises(DataError, match="Line 22 of"):
        read(path)


WORDS = {"cp1250": ["Łódź", "Kraków", "Gdańsk", "Poznań"], "cp1252": ["España", "Köln", "São Paulo", "Besançon"],
         "latin-1": ["señal", "niño", "Größe", "naïve"]}  # fmt: skip


@pytest.mark.parametrize("encoding", WORDS)
def test_polish_words_are_asked_about_and_western_ones_are_not(tmp_path: Path, encoding: str) -> None:
    words = [WORDS[encoding][i % 4] for i in range(N)]
    rows = [("id", "a", "town", "group"), *zip(IDS, A, words, KIND, strict=True)]
    text = "".join(",".join(map(str, row)) + "\n" for row in rows)
    (tmp_path / "t.csv").write_bytes(text.encode(encoding))
    table = read(tmp_path / "t.csv")
    assert {*table.categories[1]} == {*words}
    assert asked(table) == (["encoding"] if encoding == "cp1250" else [])


def workbook(path: Path, rows: list[list[Any]]) -> Path:
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        for place, row in enumerate(rows):
            sheet.write_row(place, 0, [cell if cell != "" else None for cell in row])
    return path


@pytest.mark.parametrize("lines", [["This is prose.", "More prose."], ["Please contact the authors", "for the data"]])
def test_a_sheet_of_prose_is_no_table(tmp_path: Path, lines: list[str]) -> None:
    with pytest.raises(DataError, match="contains only notes"):
        read(workbook(tmp_path / "t.xlsx", [[line] for line in lines]))


def test_names_before_and_after_a_merged_heading_are_kept(tmp_path: Path) -> None:
    rows = [[i, "mf"[place % 2], a, b, kind] for place, (i, a, b, kind) in
            enumerate(zip(IDS, A, X[:, 1].tolist(), KIND, strict=True))]  # fmt: skip
    above = [["id", "", "Lab", "", "group"], ["", "sex", "a", "b", ""]]
    table = read(workbook(tmp_path / "t.xlsx", [*above, *rows]))
    assert table.columns == ("sex", "Lab a", "Lab b", "group")
