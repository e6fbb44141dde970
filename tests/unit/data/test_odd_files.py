"""Files as instruments, portals and colleagues write them, two or more of each kind; each is read, asked or named."""

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xlsxwriter
from scipy.io import loadmat, savemat

from fsdesk.data import QuestionError, ReadOptions, Table, questions, read, read_table
from fsdesk.errors import DataError
from tests.unit.data.test_reading import words, written

N = 30
RNG = np.random.default_rng(12)
A, B = RNG.normal(size=(2, N)).round(3).tolist()
KIND = ["case" if row % 3 else "control" for row in range(N)]
ROWS = "".join(f"P{row},{A[row]},{B[row]},{KIND[row]}\n" for row in range(N))


def asked(table: Table) -> list[str]:
    return [question.kind for question in questions(table.readings, table.default_target, named=False)]


@pytest.mark.parametrize(
    "below",
    [
        ["µmol/l,kg,-", "float,float,text"],
        ["[ng/ml],[kg],", "(n = 30),(n = 30),"],
        ["numeric,numeric,category", "mg/dL,kg,n/a", "double,double,string"],
    ],
)
def test_several_lines_of_units_and_types_below_the_names_are_no_rows(tmp_path: Path, below: list[str]) -> None:
    rows = "".join(f"{A[row]},{B[row]},{KIND[row]}\n" for row in range(N))
    table = read(written(tmp_path, "\n".join(["conc,mass,group", *below, rows])))
    assert len(table.rows) == N
    assert table.values[:, 0].tolist() == A
    assert set(words(table)) == {"case", "control"}
    assert not asked(table)


@pytest.mark.parametrize("rows", [["n.d.,n.d.,case", "-,-,case"], ["low,high,case", "high,low,control"]])
def test_first_rows_without_numbers_stay_rows(tmp_path: Path, rows: list[str]) -> None:
    more = "".join(f"{A[row]},{B[row]},{KIND[row]}\n" for row in range(N))
    assert len(read(written(tmp_path, "\n".join(["conc,mass,group", *rows, more]))).rows) == N + 2


@pytest.mark.parametrize(
    "above",
    [
        "Study: X\nExported: 2024-01-01, by: me\n\n",
        "Plate 7, reader 2\n",
        '"Measured by A, B"\nunits: SI, raw\n\n\n',
    ],
)
def test_titles_with_a_separator_stand_above_the_table(tmp_path: Path, above: str) -> None:
    table = read(written(tmp_path, f"{above}id,a,b,group\n{ROWS}"))
    assert table.columns == ("a", "b", "group")
    assert len(table.rows) == N
    assert any(check.kind == "title" for check in table.checks)


@pytest.mark.parametrize("empty", ["x2", "x2,x3"])
def test_every_line_may_lack_its_last_cells(tmp_path: Path, empty: str) -> None:
    lines = [f"P{row},{A[row]},{KIND[row]}" + (",seen" if row > 20 else "") for row in range(N)]
    table = read(written(tmp_path, "\n".join([f"id,a,group,remark,{empty}", *lines]) + "\n"))
    assert table.values[:, 0].tolist() == A
    assert words(table, "remark").count("") == 21
    assert read_table(tmp_path / "table.csv", "group").classes == ("case", "control")


def test_a_header_of_one_name_too_many_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"Line 1 .* has 6 cells where 4 are expected"):
        read(written(tmp_path, f"id,a,b,group,c,d\n{ROWS}"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-16-le"])
def test_text_of_an_instrument_called_xls_may_be_utf_16(tmp_path: Path, encoding: str) -> None:
    text = "a\tb\tgroup\n" + "".join(f"{A[row]}\t{B[row]}\t{KIND[row]}\n" for row in range(N))
    mark = {"utf-16-be": b"\xfe\xff", "utf-16-le": b"\xff\xfe"}.get(encoding, b"")
    table = read(written(tmp_path, mark + text.encode(encoding), "t.xls"))
    assert table.columns == ("a", "b", "group")


@pytest.mark.parametrize(
    ("name", "space"),
    [
        ("t.xls", "urn:schemas-microsoft-com:office:spreadsheet"),
        ("t.xml", "urn:schemas-microsoft-com:office:spreadsheet"),
        ("t.fods", "urn:oasis:names:tc:opendocument:xmlns:office:1.0"),
    ],
)
def test_spreadsheets_in_xml_are_named(tmp_path: Path, name: str, space: str) -> None:
    text = f'<?xml version="1.0"?>\n<Workbook xmlns="{space}"><Table><Row><Cell>a</Cell></Row></Table></Workbook>'
    with pytest.raises(DataError, match=r"is a spreadsheet in XML; .* save it as \.xlsx"):
        read(written(tmp_path, text, name))


def book(path: Path, sheets: dict[str, list[list[Any]]]) -> Path:
    with xlsxwriter.Workbook(path) as made:
        for name, rows in sheets.items():
            sheet = made.add_worksheet(name)
            for place, row in enumerate(rows):
                sheet.write_row(place, 0, row)
    return path


DATA = [["a", "b", "group"], *([A[row], B[row], KIND[row]] for row in range(N))]
CODES = [["code", "meaning"], [1, "case"], [2, "control"]]


@pytest.mark.parametrize("first", [{"Codes": CODES}, {"About": [["This is", "a note"], ["by", "me"]], "Codes": CODES}])
def test_a_list_of_codes_before_the_data_is_not_taken_for_them(tmp_path: Path, first: dict[str, Any]) -> None:
    path = book(tmp_path / "t.xlsx", {**first, "Samples": DATA})
    with pytest.raises(QuestionError, match='Read from sheet "Samples"'):
        read_table(path)
    assert read_table(path, sheet="Samples").classes == ("case", "control")


def test_a_first_sheet_of_data_is_no_question(tmp_path: Path) -> None:
    more = [[f"other {place}" for place in range(len(DATA[0]))], *DATA[1:] * 9]
    assert not asked(read(book(tmp_path / "t.xlsx", {"Samples": DATA, "More": more, "Codes": CODES})))


@pytest.mark.parametrize("mark", ['{}" pipe', 'about {}"'])
def test_marks_of_inches_in_one_column_and_an_open_one_in_another(tmp_path: Path, mark: str) -> None:
    notes = ['"left side' if row % 5 == 0 else "ok" for row in range(N)]
    lines = [f"{mark.format(row % 9)},{notes[row]},{A[row]},{KIND[row]}" for row in range(N)]
    table = read(written(tmp_path, "\n".join(["size,note,a,group", *lines]) + "\n"))
    assert table.columns == ("size", "note", "a", "group")
    assert words(table, "size")[3] == mark.format(3)
    assert any(check.kind == "quotation marks" for check in table.checks)


X = RNG.normal(size=(N, 4))


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize(
    "fields", [{"X": X, "Y": np.arange(N) % 2}, {"fea": X, "gnd": np.array(KIND, dtype=object), "note": "of 2024"}]
)
def test_a_struct_of_matlab_is_read_by_its_fields(tmp_path: Path, fields: dict[str, Any], compressed: bool) -> None:
    savemat(tmp_path / "t.mat", {"data": fields}, do_compression=compressed, oned_as="column")
    dataset = read_table(tmp_path / "t.mat")
    np.testing.assert_array_equal(dataset.x, X)
    assert len(dataset.classes) == 2


def test_structs_that_hold_no_table_are_named(tmp_path: Path) -> None:
    savemat(tmp_path / "t.mat", {"S": np.array([(1.0, 2.0), (3.0, 4.0)], dtype=[("x", "O"), ("y", "O")])})
    with pytest.raises(DataError, match='has no matrix "X"'):
        read(tmp_path / "t.mat")
    savemat(tmp_path / "t.mat", {"X": X, "Y": {"codes": np.arange(N) % 2, "ages": np.arange(N)}})
    with pytest.raises(DataError, match=r'"Y" in "t\.mat" is a struct'):
        read(tmp_path / "t.mat")


def test_a_damaged_struct_is_refused_before_scipy_reads_it(tmp_path: Path) -> None:
    savemat(tmp_path / "t.mat", {"D": {"X": X, "Y": np.arange(N) % 2}})
    content = (tmp_path / "t.mat").read_bytes()
    assert loadmat(tmp_path / "t.mat")["D"].dtype.names == ("X", "Y")
    start = content.index(struct.pack("<HHi", 5, 4, 32)[:4], 128)  # the tag of the length of names
    broken = content[: start + 4] + struct.pack("<i", 1 << 20) + content[start + 8 :]
    (tmp_path / "t.mat").write_bytes(broken)
    with pytest.raises(DataError, match="damaged"):
        read(tmp_path / "t.mat")


@pytest.mark.parametrize("form", ["LFQ intensity {}", "/data/bam/{}.bam", "{}_sorted.bam", "Sample {}"])
@pytest.mark.parametrize("side", ["table", "labels"])
def test_ids_with_the_same_words_around_them_are_joined(tmp_path: Path, form: str, side: str) -> None:
    plain = [f"S{row}" for row in range(N)]
    around = [form.format(name) for name in plain]
    names, ids = (around, plain) if side == "table" else (plain, around)
    genes = "".join(f"g{j}\t" + "\t".join(map(str, RNG.integers(0, 99, N))) + "\n" for j in range(5))
    path = written(tmp_path, "gene\t" + "\t".join(names) + "\n" + genes, "t.tsv")
    order = RNG.permutation(N)
    labels = written(tmp_path, "sample,kind\n" + "".join(f"{ids[row]},{KIND[row]}\n" for row in order), "labels.csv")
    table = read(path, ReadOptions(orientation="columns", labels=str(labels)))
    assert words(table) == KIND
    assert not asked(table)


def test_numbers_of_rows_are_no_ids_without_their_words(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b\n" + "".join(f"{A[row]},{B[row]}\n" for row in range(N)))
    labels = written(
        tmp_path, "id,kind\n" + "".join(f"P-{row * 7 % N},{KIND[row]}\n" for row in range(N)), "labels.csv"
    )
    with pytest.raises(DataError, match="labels_by=order"):
        read(path, ReadOptions(labels=str(labels)))


def test_a_few_shared_ids_are_asked_about_and_settled(tmp_path: Path) -> None:
    path = written(tmp_path, f"id,a,b,c\n{ROWS}")
    labels = written(tmp_path, "id,kind\n" + "".join(f"P{row + 20},{KIND[row]}\n" for row in range(N)), "labels.csv")
    assert asked(read(path, ReadOptions(labels=str(labels)))) == ["labels"]
    assert not asked(read(path, ReadOptions(labels=str(labels), labels_by="ids")))


@pytest.mark.parametrize("cell", ["{:.1f} mmol/L", "{:.1f}"])
def test_a_column_with_another_decimal_sign_than_the_file_is_asked(tmp_path: Path, cell: str) -> None:
    glucose = [cell.format(5 + row / 7) for row in range(N)]
    lines = [f"{glucose[row]};{str(A[row]).replace('.', ',')};{KIND[row]}" for row in range(N)]
    path = written(tmp_path, "\n".join(["glucose;a;group", *lines]) + "\n")
    assert asked(read(path)) == ["decimal of a column"]
    dataset = read_table(path, types="glucose=number; a=number")
    assert dataset.x[:, 0].tolist() == [float(text.split()[0]) for text in glucose]
    assert dataset.x[:, 1].tolist() == A


def test_a_second_line_of_names_is_asked_about(tmp_path: Path) -> None:
    path = written(tmp_path, f"id,a,b,group\ncode,Gene A,Gene B,diagnosis\n{ROWS}")
    assert asked(read(path)) == ["units below the names"]
    assert len(read_table(path, below_header="skip").rows) == N
    assert len(read(path, ReadOptions(below_header="data")).rows) == N + 1


@pytest.mark.parametrize("sign", [",", ";"])
def test_a_minus_sign_of_typesetters_is_one(tmp_path: Path, sign: str) -> None:
    lines = [f"{A[row]}{sign}{B[row]}{sign}{KIND[row]}".replace("-", "\N{MINUS SIGN}") for row in range(N)]
    dataset = read_table(written(tmp_path, "\n".join([f"a{sign}b{sign}group", *lines]) + "\n"))
    np.testing.assert_array_equal(dataset.x, np.column_stack([A, B]))
