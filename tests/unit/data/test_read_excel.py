import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
import pytest

from fsdesk.data import ReadOptions, questions, read
from fsdesk.errors import DataError

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
Cells = Sequence[Sequence[object]]


def cell(value: object, row: int, column: int) -> str:
    place = f"{chr(65 + column)}{row}"
    if value is None:
        return ""
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f'<c r="{place}"><v>{value!r}</v></c>'


def workbook(path: Path, sheets: Mapping[str, Cells]) -> Path:
    """The smallest .xlsx that is one: the parts that the format demands and nothing else."""
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    overrides = "".join(
        f'<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType="{kind}.worksheet+xml"/>'
        for i in range(1, len(sheets) + 1)
    )
    with zipfile.ZipFile(path, "w") as book:
        book.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>{overrides}</Types>',
        )
        book.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" Type="{RELATION}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>',
        )
        listed = "".join(f'<sheet name="{n}" sheetId="{i}" r:id="r{i}"/>' for i, n in enumerate(sheets, 1))
        book.writestr(
            "xl/workbook.xml", f'<workbook xmlns="{MAIN}" xmlns:r="{RELATION}"><sheets>{listed}</sheets></workbook>'
        )
        links = "".join(
            f'<Relationship Id="r{i}" Type="{RELATION}/worksheet" Target="worksheets/sheet{i}.xml"/>'
            for i in range(1, len(sheets) + 1)
        )
        book.writestr(
            "xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{PACKAGE}/relationships">{links}</Relationships>'
        )
        for i, rows in enumerate(sheets.values(), 1):
            lines = "".join(
                f'<row r="{r}">{"".join(cell(value, r, c) for c, value in enumerate(row))}</row>'
                for r, row in enumerate(rows, 1)
            )
            book.writestr(
                f"xl/worksheets/sheet{i}.xml", f'<worksheet xmlns="{MAIN}"><sheetData>{lines}</sheetData></worksheet>'
            )
    return path


ROWS: Cells = [["size", "smoker", "class"], [0.1, True, "a"], [1e-300, False, "b"], [None, True, "a"], [3, False, "b"]]


def test_numbers_booleans_text_and_empty_cells_of_the_first_sheet_are_read(tmp_path: Path) -> None:
    table = read(workbook(tmp_path / "t.xlsx", {"Data": ROWS, "Notes": [["hello"]]}))
    assert table.columns == ("size", "smoker", "class")
    assert np.array_equal(table.values[:, 0], [0.1, 1e-300, np.nan, 3.0], equal_nan=True)
    assert table.categories == {1: ("FALSE", "TRUE"), 2: ("a", "b")}
    assert '"Data"' in table.source


def test_a_sheet_can_be_chosen_and_a_wrong_name_gets_the_near_ones(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", {"Notes": [["hello"]], "Data": ROWS})
    assert read(path, ReadOptions(sheet="Data")).columns == ("size", "smoker", "class")
    with pytest.raises(DataError, match=r'no sheet "data"\. Choose one of: "Data"'):
        read(path, ReadOptions(sheet="data"))


def test_an_empty_sheet_says_so(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r'Sheet "Data" .* is empty'):
        read(workbook(tmp_path / "t.xlsx", {"Data": []}))


def test_an_opendocument_sheet_is_read(tmp_path: Path) -> None:
    office = "urn:oasis:names:tc:opendocument:xmlns"
    path = tmp_path / "t.ods"

    def element(value: object) -> str:
        kind = 'string"' if isinstance(value, str) else f'float" office:value="{value}"'
        return f'<table:table-cell office:value-type="{kind}><text:p>{value}</text:p></table:table-cell>'

    cells: Cells = [["a", "class"], [0.25, "x"], [2, "y"], [3, "x"]]
    rows = "".join(f"<table:table-row>{''.join(map(element, row))}</table:table-row>" for row in cells)
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        book.writestr(
            "META-INF/manifest.xml",
            f'<manifest:manifest xmlns:manifest="{office}:manifest:1.0"><manifest:file-entry manifest:full-path="/" '
            'manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/></manifest:manifest>',
        )
        book.writestr(
            "content.xml",
            f'<office:document-content xmlns:office="{office}:office:1.0" xmlns:table="{office}:table:1.0" '
            f'xmlns:text="{office}:text:1.0"><office:body><office:spreadsheet><table:table table:name="S">{rows}'
            "</table:table></office:spreadsheet></office:body></office:document-content>",
        )
    table = read(path)
    assert table.values.tolist() == [[0.25, 0.0], [2.0, 1.0], [3.0, 0.0]]
    assert table.categories == {1: ("x", "y")}


def test_a_note_on_the_first_sheet_does_not_hide_the_table_on_the_second(tmp_path):
    sheets = {
        "Notes": [["Made by hand, see the protocol"]],
        "Data": [["a", "b", "y"], [1.5, 2, "p"], [2.5, 3, "q"], [3.5, 5, "p"]],
    }
    table = read(workbook(tmp_path / "study.xlsx", sheets))
    assert table.columns == ("a", "b", "y")
    assert [check.sentence for check in table.checks if check.kind == "sheet"] == [
        'Read from sheet "Data"; the file also contains "Notes".'
    ]


def test_a_book_with_several_tables_tells_which_sheets_may_be_read(tmp_path):
    sheets = {
        "Pilot": [["a", "y"], [1.5, "p"], [2.5, "q"]],
        "Notes": [["Made by hand, see the protocol"]],
        "Data": [["b", "y"], [1.5, "p"], [2.5, "q"], [3.5, "p"]],
    }
    path = workbook(tmp_path / "study.xlsx", sheets)
    first, other = read(path), read(path, ReadOptions(sheet="Data"))
    assert (first.parts, first.part, first.columns) == (("Pilot", "Data"), "Pilot", ("a", "y"))
    assert (other.parts, other.part, other.columns) == (("Pilot", "Data"), "Data", ("b", "y"))
    with_labels = tmp_path / "labels.csv"
    with_labels.write_text("label\nu\nv\n")
    assert read(path, ReadOptions(labels=str(with_labels))).parts == ("Pilot", "Data")


def test_a_book_with_one_table_leaves_no_choice(tmp_path):
    sheets = {"Notes": [["Made by hand"]], "Data": [["a", "b", "y"], [1.5, 2, "p"], [2.5, 3, "q"]]}
    assert read(workbook(tmp_path / "study.xlsx", sheets)).parts == ()


def test_a_book_of_notes_alone_says_which_sheets_it_has(tmp_path):
    book = workbook(tmp_path / "notes.xlsx", {"One": [["a note"]], "Two": [["another"]]})
    with pytest.raises(DataError, match=r'no sheet with a table \("One"( and|,) "Two"\)'):
        read(book)


@pytest.mark.parametrize("above", [[["Study of leaves"], [None, None]], [[None, "Study of leaves"]]])
def test_titles_above_the_names_are_left_out_and_said(tmp_path, above):
    rows = [[f"p{place}", place % 5 + 0.5, place % 7, "ab"[place % 2]] for place in range(12)]
    path = workbook(tmp_path / "leaves.xlsx", {"A": [*above, ["patient", "length", "width", "kind"], *rows]})
    table = read(path, ReadOptions())
    assert table.columns == ("length", "width", "kind")
    assert table.rows[:2] == ("p0", "p1")
    assert '1 line above the table is ignored: "Study of leaves".' in [check.sentence for check in table.checks]


@pytest.mark.parametrize(
    "rows",
    [
        [["gene"], ["a", 1.5], ["b", 2.5], ["c", 3.5]],  # two columns: a short line may be one of the table
        [["only"], ["a", 1, 2], ["b"], ["c", 3, 4], ["d", 5, 6]],  # lines of one cell among the others, too
    ],
)
def test_a_short_first_line_is_a_title_only_where_the_table_is_plain_to_see(tmp_path, rows):
    path = workbook(tmp_path / "odd.xlsx", {"A": rows})
    assert not any(check.kind == "title" for check in read(path, ReadOptions()).checks)


def test_headings_of_groups_and_units_around_the_names_and_the_group_is_asked_about(tmp_path):
    rows = [
        ["", "", "Liver", "", "Kidney", "", "Blood"],
        ["Subject", "Group", "ALT", "AST", "Creatinine", "Urea", "CRP"],
        ["", "", "U/l", "U/l", "mg/dl", "mmol/l", "mg/l"],
        *([f"X{i}", "case" if i % 3 else "control", 30.5 + i, 28.2 + i % 7, 1.0 + i % 5, 5.3 + i % 4, 0.7 + i]
          for i in range(24)),
    ]  # fmt: skip
    cells = [[value or None for value in row] for row in rows]
    table = read(workbook(tmp_path / "two.xlsx", {"Lab": cells}))
    assert table.columns == ("Group", "Liver ALT", "Liver AST", "Kidney Creatinine", "Kidney Urea", "Blood CRP")
    assert table.descriptions["Blood CRP"] == "mg/l"
    assert len(table.rows) == 24 and not any(check.kind == "title" for check in table.checks)
    assert table.default_target == "Group"
    (question,) = questions(table.readings, "Group", named=False)
    assert [answer.value for answer in question.alternatives] == ["Group", "Blood CRP"]
