from pathlib import Path

from fsdesk.data import load_sample, prepare, read, read_table


def test_a_data_set_and_a_table_say_what_they_are_in_one_line() -> None:
    table = load_sample("genes")
    assert repr(table) == "<Table 'genes': 100 rows, 20,001 columns>"
    expected = "<Dataset 'genes': 100 rows, 20,000 features, target 'group' (2 classes)>"
    assert repr(prepare(table)) == str(prepare(table)) == expected


def test_a_notebook_shows_classes_and_checks_and_no_markup_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,<b>x</b>,<script>\n" + "".join(f"{i % 7},1,{'<i>' if i % 2 else 'n&o'}\n" for i in range(20)))
    html = read_table(path)._repr_html_()
    assert "<td>&lt;i&gt;: 10, n&amp;o: 10</td>" in html
    assert "1 column is constant" in html
    assert not any(tag in html for tag in ("<script>", "<i>", "<b>"))


def test_a_number_to_predict_is_shown_by_its_range(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,y\n" + "".join(f"{i * i % 11},{i / 4}\n" for i in range(40)))
    dataset = read_table(path)
    assert repr(dataset) == "<Dataset 't': 40 rows, 1 features, target 'y' (a number)>"
    assert "<td>0 to 9.75</td>" in dataset._repr_html_()
    assert repr(read(path)) == "<Table 't': 40 rows, 2 columns>"
