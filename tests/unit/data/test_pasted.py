"""What spreadsheets, web pages and R put on the clipboard."""

from pathlib import Path

import pytest

from fsdesk.data import read
from fsdesk.data.readers import pasted
from fsdesk.data.readers.pasted import keep_pasted, pasted_table
from fsdesk.errors import DataError

EXCEL = (
    "<html xmlns:x='urn:schemas-microsoft-com:office:excel'><body><table border=0><!--StartFragment-->"
    "<col width=64><tr><td>dose</td><td class=xl65>kind</td></tr><tr><td align=right x:num='1.23456789'>1.23</td>"
    "<td>a &amp; b</td></tr><tr><td x:num>2</td><td>c<br>d</td></tr></table></body></html>"
)
CALC = (
    '<table cellspacing="0"><tr><td>dose</td><td>kind</td></tr><tr><td sdval="0.3333333333" sdnum="1033;">0.33</td>'
    "<td>x</td></tr><tr><td></td><td>y</td></tr></table>"
)
SHEETS = (
    '<google-sheets-html-origin><table><tr><td data-sheets-value=\'{"1":2,"2":"dose"}\'>dose</td><td>kind</td></tr>'
    '<tr><td data-sheets-value=\'{"1":3,"3":0.123456789}\'>12.3 %</td><td>x</td></tr></table>'
)
PAGE = (
    "<p>Some words</p><table><thead><tr><th colspan=2>names</th><th rowspan='2'>kind</th></tr><tr><th>a</th><th>b</th>"
    "</tr></thead><tbody><tr><td>1<td>2<td>x<tr><td>3<td>4<td>y</tbody></table><table><tr><td>other</td></tr></table>"
)


def test_numbers_have_all_the_digits_that_the_spreadsheet_knows() -> None:
    assert pasted_table(EXCEL, "dose\tkind\n1.23\ta & b\n2\tc d\n") == "dose\tkind\n1.23456789\ta & b\n2\tc d\n"
    assert pasted_table(CALC, "dose\tkind\n0.33\tx\n\ty\n") == "dose\tkind\n0.3333333333\tx\n\ty\n"
    assert pasted_table(SHEETS, "dose\tkind\n12.3 %\tx\n") == "dose\tkind\n0.123456789\tx\n"


def test_a_table_of_a_page_has_cells_that_span_others() -> None:
    lines = [line.split("\t") for line in pasted_table(PAGE, "names kind a b 1 2 x").splitlines()]
    assert lines == [["names", "", "kind"], ["a", "b", "kind"], ["1", "2", "x"], ["3", "4", "y"]]


def test_text_with_tabs_stays_as_it_is_where_html_knows_no_more() -> None:
    text = '\tdose\tkind\r\np1\t1,5\t"two\nlines"\r\np2\t2,5\ty\r\n'
    assert pasted_table("<table><tr><td>1,5</td><td>x</td></tr><tr><td>1</td><td>2</td></tr></table>", text) == text
    assert pasted_table("", "a b k\n1 2 x\n3 4 y\n") == "a b k\n1 2 x\n3 4 y\n"  # as R prints a data frame


@pytest.mark.parametrize("text", ["", "word", "a\tb\tc", "\n\n a \n"])
def test_what_is_no_table_says_what_to_copy(text: str) -> None:
    with pytest.raises(DataError, match=r"contains no table\. Copy its cells"):
        pasted_table("<p>x</p>", text)


def test_hostile_pages_take_neither_time_nor_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = "<table>" + "<tr><td colspan=2000000000 rowspan=2000000000>x</td></tr>" * 2 + "</table>"
    assert pasted_table(wide, "").count("\t") <= 2 * 2001
    assert pasted_table("<table>" * 50_000 + "<tr><td>a</td></tr>", "a\n1\n") == "a\n1\n"
    monkeypatch.setattr(pasted, "MOST_LETTERS", 10)
    with pytest.raises(DataError, match="too large"):
        pasted_table("", "a,b\n1,2\n3,4\n")


def test_what_was_pasted_is_a_file_that_is_read(tmp_path: Path) -> None:
    made = pasted_table("", "who\tdose\tkind\np1\t1.5\tx\np2\t2.5\ty\np3\t2\tx\n")
    path, other = (keep_pasted(made, tmp_path / "pasted") for _ in range(2))
    assert path != other
    table = read(path)
    assert (table.rows, table.columns) == (("p1", "p2", "p3"), ("dose", "kind"))
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot be written"):
        keep_pasted(made, tmp_path / "file")
