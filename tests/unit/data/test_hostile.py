import io
import pickle
import random
import struct
import zipfile
import zlib
from pathlib import Path
from urllib.error import URLError
from urllib.request import HTTPRedirectHandler, Request

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fsdesk.data import READERS, ReadOptions, read
from fsdesk.data.readers import sheet_limits, spreadsheet
from fsdesk.data.readers.download import https_opener
from fsdesk.errors import DataError
from fsdesk.results.sealed import opened as opened_bundle
from fsdesk.results.sealing import zipped
from tests.fuzzing import SUFFIXES, damaged, excel_97, opened, seeds, xls_record, xls_texts


def seeds_of(suffix: str) -> list[bytes]:
    """Valid files whose names end so; the test is skipped where their library is missing."""
    return seeds().get(suffix) or pytest.skip(f"no library writes {suffix} here")


def test_every_format_is_fuzzed() -> None:
    assert all(any(reader.names(f"t{suffix}") for suffix in SUFFIXES) for reader in READERS)
    assert set(seeds()) <= set(SUFFIXES)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_files_to_be_damaged_are_read(tmp_path: Path, suffix: str) -> None:
    for place, content in enumerate(seeds_of(suffix)):
        path = tmp_path / f"{place}{suffix}"
        path.write_bytes(content)
        assert opened(path) == "read"


@pytest.mark.filterwarnings("ignore")  # of libraries, about the damage
@pytest.mark.parametrize("suffix", SUFFIXES)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(number=st.integers(0, 2**32 - 1))
def test_a_damaged_file_is_read_or_refused_in_a_sentence(tmp_path: Path, suffix: str, number: int) -> None:
    path = tmp_path / f"damaged{suffix}"
    contents = seeds_of(suffix)
    path.write_bytes(damaged(contents[number % len(contents)], np.random.default_rng(number)))
    opened(path)


def test_a_project_in_which_sqlite_finds_text_of_no_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "damaged.fsdesk"
    path.write_bytes(damaged(seeds()[".fsdesk"][0], np.random.default_rng(1746)))  # found by tests.fuzzing
    assert opened(path) == "refused"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("suffix", SUFFIXES)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(junk=st.binary(min_size=1, max_size=200), kept=st.integers(0, 64))
def test_junk_behind_the_first_bytes_of_a_format_is_refused_or_read(
    tmp_path: Path, suffix: str, junk: bytes, kept: int
) -> None:
    path = tmp_path / f"junk{suffix}"
    path.write_bytes(seeds_of(suffix)[0][:kept] + junk)
    opened(path)


class Trap:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Path.touch, (self.path,)


@pytest.mark.parametrize("name", ["t.pkl", "t.npy", "t.npz", "t.csv", "t.mat", "t.joblib"])
def test_a_pickle_is_never_executed(tmp_path: Path, name: str) -> None:
    trap, path = tmp_path / "executed", tmp_path / name
    array = np.array([Trap(trap)], dtype=object)
    if name.endswith(".npz"):
        np.savez(path, array, array)
    elif name.endswith(".npy"):
        np.save(path, array, allow_pickle=True)
    else:
        path.write_bytes(pickle.dumps(Trap(trap)))
    with pytest.raises(DataError):
        read(path)
    assert not trap.exists()


def workbook(path: Path, sheet: str) -> Path:
    """A workbook of two cells whose sheet is put in the place of the one that was written."""
    pd.DataFrame({"a": [1.0]}).to_excel(path, index=False, engine="xlsxwriter")
    parts = dict(_parts(path))
    parts["xl/worksheets/sheet1.xml"] = sheet.encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for part, data in parts.items():
            target.writestr(part, data)
    return path


def _parts(path: Path) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as source:
        return [(part, source.read(part)) for part in source.namelist()]


SHEET = (
    '<?xml version="1.0"?>{}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    "<sheetData>{}</sheetData></worksheet>"
)


def test_a_workbook_with_a_cell_in_the_last_corner_is_refused(tmp_path: Path) -> None:
    rows = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    with pytest.raises(DataError, match="spans more than 20,000,000 cells"):
        read(workbook(tmp_path / "t.xlsx", SHEET.format("", rows)))


def test_a_workbook_that_unpacks_to_gigabytes_is_refused_whatever_its_header_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sheet_limits.MOST_UNPACKED == 1 << 31
    monkeypatch.setattr(sheet_limits, "MOST_UNPACKED", 1 << 26)  # to be as far beyond in a part of the time
    path = workbook(tmp_path / "t.xlsx", SHEET.format("", ""))
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = packer.compress(bytes(1 << 24)) + packer.flush(zlib.Z_FULL_FLUSH)  # a whole number of bytes: it repeats
    bomb = 5 * piece + packer.flush()
    assert len(bomb) < 400_000
    with zipfile.ZipFile(path, "a", zipfile.ZIP_STORED) as target:
        target.writestr("xl/media/image.bin", bomb)
        part = target.getinfo("xl/media/image.bin")
        part.compress_type, part.file_size = zipfile.ZIP_DEFLATED, 10
    with pytest.raises(DataError, match=r"unpacks to more than 67,108,864 bytes"):
        read(path)


def test_a_sheet_that_a_workbook_lists_thousands_of_times_is_not_read_as_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spreadsheet, "_MOST_BYTES", 1 << 20)
    lines = "".join(f'<row r="{i}"><c r="A{i}"><v>1</v></c></row>' for i in range(1, 5_001))  # one column is no table
    path = workbook(tmp_path / "t.xlsx", SHEET.format("", lines))
    parts = _parts(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for part, data in parts:
            sheets = b"".join(b'<sheet name="S%d" sheetId="%d" r:id="rId1"/>' % (at, at + 1) for at in range(3000))
            target.writestr(part, data.replace(b'<sheet name="Sheet1" sheetId="1" r:id="rId1"/>', sheets))
    asked: list[list[list[object]]] = []
    monkeypatch.setattr(spreadsheet, "_is_table", lambda cells: bool(asked.append(cells)))
    with pytest.raises(DataError, match="has no sheet with a table"):
        read(path)
    assert len(asked) < 30


def test_entities_of_xml_are_not_expanded(tmp_path: Path) -> None:
    nested = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12))
    document = f'<!DOCTYPE x [<!ENTITY a0 "lol"><!ENTITY f SYSTEM "file:///etc/passwd">{nested}]>'
    cells = "".join(
        f'<row r="{i}"><c r="A{i}" t="inlineStr"><is><t>{word}</t></is></c><c r="B{i}"><v>{i}</v></c></row>'
        for i, word in enumerate(["&a11;", "&f;", "&a11;"], 1)
    )
    path = workbook(tmp_path / "t.xlsx", SHEET.format(document, cells))
    try:
        table = read(path)
    except DataError:
        return
    said = f"{table.columns} {table.rows} {table.categories}"
    assert "root:" not in said
    assert "lollol" not in said


def test_cells_repeated_without_end_in_a_sheet_of_opendocument_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.ods"
    names = "".join(
        f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{short}:1.0" ' for short in ("office", "table", "text")
    )
    cell = '<table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="{}"/>'
    for columns, rows in ((2_000_000_000, 1), (16_384, 1_048_576)):
        with zipfile.ZipFile(path, "w") as target:
            target.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
            target.writestr(
                "content.xml",
                f'<office:document-content {names}><office:body><office:spreadsheet><table:table table:name="s">'
                f'<table:table-row table:number-rows-repeated="{rows}">{cell.format(columns)}</table:table-row>'
                "</table:table></office:spreadsheet></office:body></office:document-content>",
            )
        with pytest.raises(DataError, match="spans more than 20,000,000 cells"):
            read(path)


LINES = (
    '<row r="1"><c r="A1" t="str"><v>a</v></c><c r="B1" t="str"><v>b</v></c></row>'
    '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>'
)


@pytest.mark.parametrize(
    "rows",
    [
        "<row r='1048576'><c r='XFD1048576'><v>1</v></c></row>",
        '<row r="1048576"><c r = "XFD1048576"><v>1</v></c></row>',
        '<row r="1048576"><c\tr="xfd1048576"><v>1</v></c></row>',
        '<row r="3"><c r="XFD3"><v>1</v></c></row><row r="1048576"><c><v>1</v></c></row>',
        '<row r="4294967290"><c><v>1</v></c></row>',
        '<row><c r="XFD3"><v>1</v></c></row>' + "<row></row>" * 10_000 + '<row><c r="A3"/><c><v>1</v></c></row>',
        "<row>" + "<c><v>1</v></c>" * 5_000 + '</row><row r="9999"><c><v>1</v></c></row>',
    ],
)
def test_a_cell_far_away_is_found_however_its_place_is_written(tmp_path: Path, rows: str) -> None:
    path = workbook(tmp_path / "t.xlsx", SHEET.format("", LINES + rows))
    with pytest.raises(DataError, match="spans more than 20,000,000 cells"):
        read(path)


def test_a_sheet_of_an_encoding_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    sheet = SHEET.format("", LINES + "<row r='1048576'><c r='XFD1048576'><v>1</v></c></row>")
    path = workbook(tmp_path / "t.xlsx", sheet.replace('version="1.0"', 'version="1.0" encoding="yes"'))
    with pytest.raises(DataError, match="not a readable spreadsheet"):
        read(path)


@pytest.mark.parametrize("name", ["sheet1.dat", "SHEET1.XML"])
def test_a_sheet_is_looked_through_whatever_its_part_is_called(tmp_path: Path, name: str) -> None:
    rows = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    path = workbook(tmp_path / "t.xlsx", SHEET.format("", LINES + rows))
    parts = _parts(path)
    with zipfile.ZipFile(path, "w") as target:
        for part, data in parts:
            target.writestr(part.replace("sheet1.xml", name), data.replace(b"sheet1.xml", name.encode()))
    with pytest.raises(DataError, match="spans more than 20,000,000 cells"):
        read(path)


@pytest.mark.parametrize("name", ["t.xlsx", "t.ods"])
@pytest.mark.parametrize("kind", ["behind", "no directory", "in a note", "in a part"])
def test_of_an_archive_in_which_zip_readers_find_other_parts_nothing_is_read_but_what_was_looked_through(
    tmp_path: Path, name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a directory of 0 bytes zipfile reads nothing, and others all parts that it counts."""
    one, other = (_of_numbers(tmp_path / name, number) for number in (1, 7))
    files = {
        "behind": other + one,
        "no directory": one[:-10] + bytes(4) + one[-6:],
        "in a note": one[:-2] + struct.pack("<H", len(other)) + other,
        "in a part": _with_part(tmp_path / name, one, other),
    }
    (tmp_path / name).write_bytes(files[kind])
    seen, unpack = [], sheet_limits.unpacked_part
    monkeypatch.setattr(sheet_limits, "unpacked_part", lambda data, part: seen.append(unpack(data, part)) or seen[-1])
    try:
        table = read(tmp_path / name, ReadOptions(header="no", row_ids="none"))
    except DataError:
        return
    (number,) = set(table.values.ravel())
    wanted, unwanted = (f"{each}.5".encode() for each in ((1, 7) if number == 1.5 else (7, 1)))
    sheets = [content for content in seen if b"<sheetData" in content or b"<table:table " in content]
    assert any(wanted in content for content in sheets)
    assert not any(unwanted in content for content in sheets)


def _of_numbers(path: Path, number: int) -> bytes:
    """A workbook whose cells are all this number and a half."""
    frame = pd.DataFrame(np.full((3, 2), number + 0.5))
    if path.suffix == ".xlsx":
        frame.to_excel(path, index=False, header=False, engine="xlsxwriter")
    else:
        cell = f'<table:table-cell office:value-type="float" office:value="{number}.5"/>'
        opendocument(path, f"<table:table-row>{2 * cell}</table:table-row>" * 3)
    return path.read_bytes()


def _with_part(path: Path, content: bytes, inner: bytes) -> bytes:
    path.write_bytes(content)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_STORED) as target:
        target.writestr("xl/embeddings/other.xlsx", inner)
    return path.read_bytes()


def test_a_part_with_a_second_name_is_read_by_the_one_that_was_looked_at(tmp_path: Path) -> None:
    """A field of Info-ZIP names a part anew; not all who read know it."""
    rows = "".join(f'<row r="{i}"><c r="A{i}" t="s"><v>0</v></c></row>' for i in range(1, 5001))
    path = workbook(tmp_path / "t.xlsx", SHEET.format("", rows))
    parts = [part for part in _parts(path) if part[0] != "xl/sharedStrings.xml"]
    names = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for part, data in parts:
            target.writestr(part, data)
        hidden, real = zipfile.ZipInfo("xl/media/image.bin"), b"xl/sharedStrings.xml"
        hidden.compress_type = zipfile.ZIP_DEFLATED
        named = struct.pack("<BI", 1, zlib.crc32(hidden.filename.encode())) + real
        hidden.extra = struct.pack("<HH", 0x7075, len(named)) + named
        text = "x" * 1_000_000
        target.writestr(hidden, f'<sst xmlns="{names}" uniqueCount="1"><si><t>{text}</t></si></sst>')
    try:
        table = read(path)
    except DataError:
        return
    assert max(map(len, table.categories.get(0, ("",)))) < 1000


def test_a_text_that_cells_of_a_workbook_repeat_to_gigabytes_is_refused(tmp_path: Path) -> None:
    rows = "".join(f'<row r="{i}"><c r="A{i}" t="s"><v>0</v></c></row>' for i in range(1, 5001))
    path = workbook(tmp_path / "t.xlsx", SHEET.format("", rows))
    names = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as target, pytest.warns(UserWarning, match="Duplicate"):
        text = "x" * 1_000_000
        target.writestr("xl/sharedStrings.xml", f'<sst xmlns="{names}" uniqueCount="1"><si><t>{text}</t></si></sst>')
    assert path.stat().st_size < 100_000
    with pytest.raises(DataError, match="more than 200,000,000 characters"):
        read(path)


def test_more_texts_than_a_workbook_has_bytes_for_are_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", SHEET.format("", LINES))
    parts = _parts(path)
    with zipfile.ZipFile(path, "w") as target:
        for part, data in parts:
            target.writestr(part, data.replace(b'uniqueCount="1"', b'uniqueCount="4294967295"'))
    with pytest.raises(DataError, match="not a readable spreadsheet"):
        read(path)


def opendocument(path: Path, rows: str) -> Path:
    """The workbook of the fuzzer with other rows."""
    path.write_bytes(seeds()[".ods"][0])
    parts = _parts(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for part, data in parts:
            head, _, rest = data.partition(b"<table:table-row>")
            end = rest[rest.rfind(b"</table:table-row>") + len(b"</table:table-row>") :]
            target.writestr(part, head + rows.encode() + end if rest else data)
    return path


OF_TEXT = (
    '<table:table-cell office:value-type="string" table:number-columns-repeated="{}"><text:p>{}</text:p>'
    "</table:table-cell>"
)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (
            "<table:table-row>" + OF_TEXT.format(1, '<text:s text:c="2000000000"/>') + "</table:table-row>",
            "more than 200,000,000 characters",
        ),
        (
            "<table:table-row>"
            + OF_TEXT.format(16384, "x").replace("office:", f'table:formula="of:={"1+" * 10_000}1" office:', 1)
            + "</table:table-row>",
            "more than 200,000,000 characters",
        ),
        (
            "</table:table>".join(
                f'<table:table table:name="{sheet}"><table:table-row table:number-rows-repeated="1000000">'
                f"{OF_TEXT.format(8, 'x')}</table:table-row>"
                for sheet in range(4)
            ).removeprefix('<table:table table:name="0">'),
            "spans more than 20,000,000 cells",
        ),
        (f"<table:table-row>{OF_TEXT.format(16384, 'x' * 100_000)}</table:table-row>", "more than 200,000,000 char"),
        (
            f'<table:table-row table:number-rows-repeated="3000">{OF_TEXT.format(1, "x" * 100_000)}</table:table-row>',
            "more than 200,000,000 characters",
        ),
        (
            f"<table:table-row>{OF_TEXT.format(90, 'x')}</table:table-row>"
            '<table:table-row table:number-rows-repeated="1000000"><table:table-cell/></table:table-row>'
            f"<table:table-row>{OF_TEXT.format(2, 'x')}</table:table-row>",
            "spans more than 20,000,000 cells",
        ),
    ],
)
def test_cells_of_opendocument_repeated_to_gigabytes_are_refused(tmp_path: Path, rows: str, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        read(opendocument(tmp_path / "t.ods", rows))


def test_empty_cells_of_opendocument_behind_the_table_do_no_harm(tmp_path: Path) -> None:
    """As LibreOffice writes them, to the last row and column that there may be."""
    empty = '<table:table-cell table:number-columns-repeated="16382"/>'
    rows = "".join(f"<table:table-row>{OF_TEXT.format(2, i)}{empty}</table:table-row>" for i in "abc")
    rows += f'<table:table-row table:number-rows-repeated="1048573">{empty}</table:table-row>'
    plain = ReadOptions(header="no", row_ids="none")
    assert read(opendocument(tmp_path / "t.ods", rows), plain).values.shape == (3, 2)


def binary_workbook(path: Path, cells: list[tuple[int, int, float]]) -> Path:
    """The smallest .xlsb that is one, with numbers in a sheet."""

    def record(kind: int, content: bytes = b"") -> bytes:
        number = bytes([kind]) if kind < 128 else bytes([kind & 127 | 128, kind >> 7])
        return number + bytes([len(content)]) + content

    def wide(text: str) -> bytes:
        return struct.pack("<I", len(text)) + text.encode("utf-16-le")

    package = "http://schemas.openxmlformats.org/package/2006"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    link = f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{office}/{{}}" Target="{{}}"/>'
    book = record(131) + record(143) + record(156, struct.pack("<II", 0, 1) + wide("r1") + wide("s"))
    sheet = record(129) + record(148, struct.pack("<4I", 0, 2, 0, 1)) + record(145)
    for row, column, value in cells:
        sheet += record(0, struct.pack("<I", row) + bytes(20)) + record(5, struct.pack("<IId", column, 0, value))
    with zipfile.ZipFile(path, "w") as target:
        kind = "application/vnd.ms-excel.sheet.binary.macroEnabled.main"
        types = f'<Types xmlns="{package}/content-types"><Default Extension="bin" ContentType="{kind}"/></Types>'
        target.writestr("[Content_Types].xml", types)
        target.writestr("_rels/.rels", link.format("officeDocument", "xl/workbook.bin") + "</Relationships>")
        target.writestr(
            "xl/_rels/workbook.bin.rels", link.format("worksheet", "worksheets/sheet1.bin") + "</Relationships>"
        )
        target.writestr("xl/workbook.bin", book + record(144) + record(132))
        target.writestr("xl/worksheets/sheet1.bin", sheet + record(146) + record(130))
    return path


def test_a_binary_workbook_is_read_and_one_with_a_cell_far_away_refused(tmp_path: Path) -> None:
    cells = [(row, column, 10.0 * row + column) for row in range(3) for column in range(2)]
    table = read(binary_workbook(tmp_path / "t.xlsb", cells), ReadOptions(header="no"))
    assert table.values.tolist() == [[0, 1], [10, 11], [20, 21]]
    for far in ((2, 4_000_000_000), (1_048_575, 16_383)):
        with pytest.raises(DataError, match="spans more than 20,000,000 cells"):
            read(binary_workbook(tmp_path / "t.xlsb", [*cells, (*far, 1.0)]))


@pytest.mark.parametrize("suffix", [".ods", ".xls"])
def test_a_sheet_over_which_its_reader_would_hang_or_panic_is_refused(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"t{suffix}"
    path.write_bytes(seeds_of(suffix)[0][: 1024 + 17])  # .xls: in the middle of the file's directory
    if suffix == ".ods":
        path.write_bytes(seeds_of(suffix)[0])
        parts = dict(_parts(path))
        with zipfile.ZipFile(path, "w") as target:
            for part, data in parts.items():
                target.writestr(part, data.replace(b"</table:table>", b""))
    with pytest.raises(DataError, match="not a readable spreadsheet"):
        read(path)


@pytest.mark.parametrize("place", [512 + 4 * 9, 512 + 4])  # what follows the last sector of the book, the directory
def test_an_excel_97_file_whose_sectors_follow_one_another_in_a_circle_is_refused(tmp_path: Path, place: int) -> None:
    path, content = tmp_path / "t.xls", bytearray(seeds()[".xls"][0])
    content[place : place + 4] = (1).to_bytes(4, "little") if place == 516 else (2).to_bytes(4, "little")
    path.write_bytes(content)
    with pytest.raises(DataError, match="not a readable spreadsheet"):
        read(path)


def xls_number(row: int, column: int, value: float = 1.0) -> bytes:
    return xls_record(0x203, "HHHd", row, column, 0, value)


XLS_CELLS = b"".join(xls_number(row, column, 10.0 * row + column) for row in range(3) for column in range(2))


def xls(path: Path, *sheets: bytes, shared: bytes = b"") -> Path:
    path.write_bytes(excel_97(list(sheets), shared))
    return path


@pytest.mark.parametrize(
    "claimed",
    [(0, 0xFFFFFFFF, 0, 0xFFFF, 0), (5, 1, 9, 1, 0), (0, 65536, 0, 256, 0), (0xFFFFFFFF, 0xFFFFFFFF, 0, 0xFFFF, 0)],
)
def test_how_large_a_sheet_of_excel_97_says_to_be_is_not_believed(tmp_path: Path, claimed: tuple[int, ...]) -> None:
    """Calamine reserves so much memory, and ends the process where there is not so much."""
    for size in (
        xls_record(0x200, "IIHHH", *claimed),
        xls_record(0x200, "4H2x", *(each & 0xFFFF for each in claimed[:4])),
    ):
        table = read(xls(tmp_path / "t.xls", size + XLS_CELLS), ReadOptions(header="no"))
        assert table.values.tolist() == [[0, 1], [10, 11], [20, 21]]


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        (XLS_CELLS + xls_number(3, 65535), "sheet 2 .* has a cell in column 65,536, beyond the limit of 256"),
        (XLS_CELLS + xls_record(0xBD, "HH" + "HI" * 3 + "H", 3, 254, *[0, 2] * 3, 256), "in column 257"),
    ],
)
def test_cells_of_excel_97_for_which_its_reader_has_no_room_are_refused(
    tmp_path: Path, cells: bytes, sentence: str
) -> None:
    with pytest.raises(DataError, match=f"(?i){sentence}"):
        read(xls(tmp_path / "t.xls", XLS_CELLS, cells))


def test_sheets_of_excel_97_that_together_span_far_more_cells_than_they_have_are_refused(tmp_path: Path) -> None:
    opened(xls(tmp_path / "t.xls", XLS_CELLS + xls_number(1999, 255)))
    corner = XLS_CELLS + xls_number(65535, 255)
    with pytest.raises(DataError, match="span more than 20,000,000 cells"):
        read(xls(tmp_path / "t.xls", corner, corner))


def test_a_text_that_cells_of_excel_97_repeat_to_gigabytes_is_refused(tmp_path: Path) -> None:
    cells = b"".join(xls_record(0xFD, "HHHI", row, column, 0, 0) for row in range(2000) for column in range(2))
    path = xls(tmp_path / "t.xls", cells, shared=xls_texts(["x" * 60_000]))
    assert path.stat().st_size < 200_000
    with pytest.raises(DataError, match="more than 200,000,000 characters"):
        read(path)


def test_texts_of_excel_97_may_go_on_in_a_second_record(tmp_path: Path) -> None:
    """Of 16 bits, then of 8: each record says anew how its letters are kept."""
    head = struct.pack("<II", 2, 2) + struct.pack("<HB", 5, 1) + "abé".encode("utf-16-le")
    rest = b"\0de" + struct.pack("<HBH", 1, 8, 1) + b"z" + bytes(4)
    shared = b"".join(struct.pack("<HH", kind, len(part)) + part for kind, part in ((0xFC, head), (0x3C, rest)))
    cells = b"".join(xls_record(0xFD, "HHHI", row, 0, 0, row % 2) + xls_number(row, 1) for row in range(4))
    table = read(xls(tmp_path / "t.xls", cells, shared=shared), ReadOptions(header="no", row_ids="none"))
    assert table.categories[0] == ("abéde", "z")


@pytest.mark.parametrize("count", [3, 0x7FFFFFFF, 0xFFFFFFFF])
def test_more_texts_of_excel_97_than_there_are_bytes_for_are_refused(tmp_path: Path, count: int) -> None:
    path = xls(tmp_path / "t.xls", XLS_CELLS, shared=xls_record(0xFC, "II", 1, count, text="\1\0\0x"))
    with pytest.raises(DataError, match="not a readable spreadsheet"):
        read(path)


def test_a_formula_that_would_be_written_out_for_hours_is_left_aside(tmp_path: Path) -> None:
    tokens = b"\x1e\1\0" + b"\x19\x40\x00\xff" * 16_000  # a number, and 255 blanks before it, many times
    about = struct.pack("<HHHdHIH", 3, 0, 0, 7.0, 0, 0, len(tokens))
    formula = struct.pack("<HH", 0x06, len(about + tokens)) + about + tokens
    table = read(xls(tmp_path / "t.xls", XLS_CELLS + formula), ReadOptions(header="no"))
    assert table.values[3, 0] == 7


@pytest.mark.parametrize("place", [44, 40, 64, 62, 48, 60, 68, 76, 512 + 4, 1024 + 116, 1024 + 128 + 116, 1024 + 248])
@pytest.mark.parametrize("number", [0x7FFFFFFF, 0xFFFFFFF0, 0x00FFFFFF, 0xFFFFFFFF])
def test_sectors_and_lengths_of_excel_97_beyond_the_file_take_no_memory(
    tmp_path: Path, place: int, number: int
) -> None:
    content = bytearray(seeds()[".xls"][0])
    content[place : place + 4] = number.to_bytes(4, "little")
    path = tmp_path / "t.xls"
    path.write_bytes(content)
    opened(path)


def test_a_workbook_of_excel_97_of_several_megabytes_goes_into_a_container_of_its_own_whole(tmp_path: Path) -> None:
    rows = 65_000
    cells = b"".join(xls_number(row, column, row + column / 8) for row in range(rows) for column in range(3))
    table = read(xls(tmp_path / "t.xls", cells), ReadOptions(header="no"))
    assert np.array_equal(table.values, np.arange(rows)[:, None] + np.arange(3) / 8)


def test_a_zip_file_whose_directory_lies_before_its_start_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.zip"
    with zipfile.ZipFile(path, "w") as target:
        target.writestr("t.csv", "a,b\n1,2\n")
    content = bytearray(path.read_bytes())
    content[-10:-6] = (10**6).to_bytes(4, "little")  # bytes of the directory
    for name in ("t.csv.zip", "t.csv", "t.xlsx"):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(DataError):
            read(tmp_path / name)


def test_a_part_of_a_workbook_without_a_name_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    pd.DataFrame({"a": [1.0], "b": [2.0]}).to_excel(path, index=False, engine="xlsxwriter")
    path.write_bytes(path.read_bytes().replace(b"docProps/app.xml", b"\0ocProps/app.xml"))
    opened(path)


@pytest.mark.parametrize("damage", [(b'"numpy_type"', b'"numpy_typo"'), (b'"pandas_type"', b'"pandas_typo"')])
def test_damaged_notes_of_pandas_in_a_parquet_file_are_refused(tmp_path: Path, damage: tuple[bytes, bytes]) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "t.parquet"
    pd.DataFrame({"a": [1.0, 2], "k": ["x", "y"]}).to_parquet(path)
    path.write_bytes(path.read_bytes().replace(*damage))
    opened(path)


def test_parts_of_an_hdf5_file_that_lie_in_another_file_are_not_opened(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    secret = tmp_path / "secret.h5"
    with h5py.File(secret, "w") as file:
        file["X"] = np.arange(12.0).reshape(4, 3)
    raw = tmp_path / "raw.bin"
    raw.write_bytes(bytes(96))
    layout = h5py.VirtualLayout((4, 3), np.float64)
    layout[:] = h5py.VirtualSource(secret, "X", (4, 3))
    path = tmp_path / "t.h5"
    with h5py.File(path, "w") as file:
        file["linked"] = h5py.ExternalLink(str(secret), "X")
        file.create_dataset("stored", (4, 3), np.float64, external=[(str(raw), 0, 96)])
        file.create_virtual_dataset("virtual", layout)
    with pytest.raises(DataError, match="no numeric matrix"):
        read(path)


def test_a_matlab_variable_that_unpacks_without_end_is_refused(tmp_path: Path) -> None:
    packed = zlib.compress(bytes(1 << 20))[:-50]
    header = b"MATLAB 5.0 MAT-file".ljust(124) + b"\0\1IM"
    (tmp_path / "t.mat").write_bytes(header + np.array([15, len(packed)], "<u4").tobytes() + packed)
    with pytest.raises(DataError, match="not a MATLAB file or is damaged"):
        read(tmp_path / "t.mat")


def test_a_file_of_r_with_an_endless_sequence_or_packed_twice_is_refused(tmp_path: Path) -> None:
    rdata = pytest.importorskip("rdata")
    import gzip

    plain = tmp_path / "plain.rds"
    rdata.write_rds(plain, {"x": np.array([[1.0, 2], [3, 4]]), "y": np.array([0.0, 1])}, compression=None)
    twice = tmp_path / "twice.rds"
    twice.write_bytes(gzip.compress(gzip.compress(plain.read_bytes())))
    with pytest.raises(DataError, match="not an R file"):
        read(twice)

    # ALTREP_SXP of compact_intseq: pairlist of class, package and type; state (n, first, step); no attributes.
    def symbol(text: bytes) -> bytes:
        return b"\0\0\0\1" + b"\0\4\0\x09" + len(text).to_bytes(4, "big") + text

    kind = b"\0\0\0\2" + symbol(b"compact_intseq") + b"\0\0\0\2" + symbol(b"base")
    kind += b"\0\0\0\2" + b"\0\0\0\x0d\0\0\0\1\0\0\0\x0d" + b"\0\0\0\xfe"
    state = b"\0\0\0\x0e\0\0\0\3" + np.array([5e9, 1, 1], ">f8").tobytes()
    head = b"X\n\0\0\0\3\0\4\1\0\0\3\5\0\0\0\0\5UTF-8"
    endless = tmp_path / "endless.rds"
    endless.write_bytes(head + b"\0\0\0\xee" + kind + state + b"\0\0\0\xfe")
    with pytest.raises(DataError, match="not an R file"):
        read(endless)


def test_openml_is_left_where_it_answers_with_a_way_that_is_not_encrypted() -> None:
    handlers = https_opener().handlers  # type: ignore[attr-defined]
    handler = next(each for each in handlers if isinstance(each, HTTPRedirectHandler))
    follow, request = handler.redirect_request, Request("https://www.openml.org/a")
    with pytest.raises(URLError):
        follow(request, io.BytesIO(), 302, "Found", {}, "http://www.openml.org/b")
    followed = follow(request, io.BytesIO(), 302, "Found", {}, "https://www.openml.org/b")
    assert followed is not None
    assert followed.full_url == "https://www.openml.org/b"


def test_sizes_beyond_all_memory_and_indices_out_of_order_are_refused_in_texts(tmp_path: Path) -> None:
    rng = random.Random(0)
    for text, name in (
        ("1 1:1 2147483000:1\n0 1:2\n", "t.libsvm"),
        ("1 Qid:1 3:1 2:1\n0 Qid:2 1:2\n", "t.libsvm"),
        ("#1.2\n99999999999999999999\t99999999999999999999\nName\tDescription\ts1\ng\td\t1\n", "t.gct"),
        (f"@relation r\n@attribute a real\n@data\n{{{rng.randrange(10**18, 10**19)} 1}}\n", "t.arff"),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(DataError):
            read(tmp_path / name)


def test_an_array_of_a_bundle_that_claims_to_be_larger_than_memory_does_not_hold(tmp_path: Path) -> None:
    path = tmp_path / "b.zip"
    path.write_bytes(seeds()[".zip"][0])
    parts = dict(opened_bundle(path).parts)
    head = str({"descr": "<f8", "fortran_order": True, "shape": (10**13, 2)}).ljust(117) + "\n"
    array = b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode()
    path.write_bytes(zipped({**parts, "data/meta.json": b"{}", "data/x.npy": array, "data/target.npy": array}))
    assert opened(path) == "refused"
