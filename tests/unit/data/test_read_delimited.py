import codecs
from pathlib import Path

import numpy as np
import pytest

from fsdesk.data import ReadOptions, Table, questions, read


def write(folder: Path, text: str, name: str = "table.csv", encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def kinds(table: Table) -> set[str]:
    return {check.kind for check in table.checks}


PLAIN = [[1.5, 2.0], [-3.0, 0.25], [1000.0, 7.5]]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_separator_is_found_whatever_the_line_ends(tmp_path: Path, separator: str, end: str) -> None:
    lines = ["alpha,beta,class", "1.5,2,yes", "-3,0.25,no", "1e3,7.5,yes"]
    table = read(write(tmp_path, end.join(lines).replace(",", separator) + end))
    assert table.columns == ("alpha", "beta", "class")
    assert table.values[:, :2].tolist() == PLAIN
    assert table.categories == {2: ("no", "yes")}
    assert table.values[:, 2].tolist() == [1.0, 0.0, 1.0]
    assert table.default_target == "class"
    assert table.rows == ("1", "2", "3")
    assert table.values.flags.f_contiguous


@pytest.mark.parametrize("separator", [";", "\t", " ", "|"])
def test_a_decimal_comma_is_found_and_said(tmp_path: Path, separator: str) -> None:
    lines = ["alpha,beta,class", "1.5,2.0,yes", "-3.0,0.25,no", "1e3,7.5,yes"]
    text = "\n".join(lines).replace(",", separator).replace(".", ",")
    table = read(write(tmp_path, text))
    assert table.values[:, :2].tolist() == PLAIN
    assert "decimal comma" in table.source


def test_quoted_decimal_commas_between_commas_are_read_when_named(tmp_path: Path) -> None:
    path = write(tmp_path, 'a,b\n"1,5","2,25"\n"3,0",4\n')
    table = read(path, ReadOptions(decimal="comma"))
    assert table.values.tolist() == [[1.5, 2.25], [3.0, 4.0]]


def test_thousands_separators_are_not_taken_for_decimals(tmp_path: Path) -> None:
    table = read(write(tmp_path, "a\tb\n1,234\t1\n5,678\t2\n678\t3\n"))
    assert table.values[:, 0].tolist() == [1234.0, 5678.0, 678.0]
    assert "thousands" in kinds(table)


def test_with_a_decimal_comma_a_point_stands_between_thousands_or_makes_text(tmp_path: Path) -> None:
    body = "".join(f"{i},5;{i}\n" for i in range(9))
    table = read(write(tmp_path, f"a;b\n{body}1.500;3\n"))
    assert table.values[-1].tolist() == [1500.0, 3.0]
    table = read(write(tmp_path, f"a;b\n{body}1.50;3\n"))
    assert "text among numbers" in kinds(table)
    assert 0 in table.categories


@pytest.mark.parametrize(
    ("encoding", "mark", "title"),
    [
        ("utf-8", b"", "UTF-8"),
        ("utf-8", codecs.BOM_UTF8, "UTF-8"),
        ("utf-16-le", codecs.BOM_UTF16_LE, "UTF-16"),
        ("utf-16-be", codecs.BOM_UTF16_BE, "UTF-16"),
        ("utf-16-le", b"", "UTF-16"),
        ("utf-16-be", b"", "UTF-16"),
    ],
)
def test_unicode_is_read_with_and_without_a_mark(tmp_path: Path, encoding: str, mark: bytes, title: str) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(mark + "größe,class\n1,é\n2,ü\n3,é\n".encode(encoding))
    table = read(path)
    assert table.columns == ("größe", "class")
    assert table.categories == {1: ("é", "ü")}
    assert title in table.source
    assert "encoding" not in kinds(table)


def test_western_bytes_are_read_with_a_check(tmp_path: Path) -> None:
    table = read(write(tmp_path, "größe,class\n1,a\n2,b\n3,a\n", encoding="cp1252"))
    assert table.columns == ("größe", "class")
    assert "encoding" in kinds(table)
    assert "cp1252" in table.source


def test_bytes_that_windows_does_not_know_are_asked_about(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(b"a\x81\xe9,class\n1,x\n2,y\n")
    (question,) = questions(read(path).readings, "class", named=False)
    assert question.kind == "encoding"
    table = read(path, ReadOptions(encoding="latin-1"))
    assert table.columns[0] == "a\x81é"
    assert "Latin-1" in table.source


def test_without_a_header_columns_are_called_x1_and_so_on(tmp_path: Path) -> None:
    table = read(write(tmp_path, "1,2,a\n3,4,b\n5,6,a\n"))
    assert table.columns == ("x1", "x2", "x3")
    assert table.values[:, 0].tolist() == [1.0, 3.0, 5.0]
    assert "without a header" in table.source


def test_text_above_repeating_text_is_a_header(tmp_path: Path) -> None:
    table = read(write(tmp_path, "colour,shape\nred,round\nred,square\nblue,round\n"))
    assert table.columns == ("colour", "shape")


def test_the_header_can_be_told(tmp_path: Path) -> None:
    path = write(tmp_path, "1,2\n3,4\n")
    assert read(path, ReadOptions(header="yes")).columns == ("1", "2")
    assert read(path, ReadOptions(header="no")).columns == ("x1", "x2")
    assert read(path).columns == ("x1", "x2")


def test_counted_columns_as_pandas_writes_them_are_a_header(tmp_path: Path) -> None:
    table = read(write(tmp_path, ",0,1,2\n0,0.5,0.25,3\n1,0.1,0.2,4\n2,0.7,0.1,5\n"))
    assert table.columns == ("0", "1", "2")
    assert table.rows == ("0", "1", "2")
    assert table.values[:, 0].tolist() == [0.5, 0.1, 0.7]


def test_unique_text_in_the_first_column_is_the_row_ids(tmp_path: Path) -> None:
    path = write(tmp_path, "patient,a,b\np1,1,2\np2,3,4\np3,5,6\n")
    table = read(path)
    assert table.rows == ("p1", "p2", "p3")
    assert table.columns == ("a", "b")
    assert "row ids" in kinds(table)
    assert read(path, ReadOptions(row_ids="none")).columns == ("patient", "a", "b")


def test_named_row_ids_keep_their_zeros(tmp_path: Path) -> None:
    path = write(tmp_path, "nr,a,b\n007,1,2\n010,3,4\n")
    assert read(path, ReadOptions(row_ids="first column")).rows == ("007", "010")


def test_repeated_row_ids_are_reported(tmp_path: Path) -> None:
    path = write(tmp_path, "nr,a,b\nu,1,2\nu,3,4\nv,5,6\n")
    table = read(path, ReadOptions(row_ids="first column"))
    assert "duplicated row ids" in kinds(table)
    assert table.rows == ("u", "u", "v")


def test_a_header_one_name_short_means_row_names_as_r_writes_them(tmp_path: Path) -> None:
    table = read(write(tmp_path, '"a" "b"\n"1" 0.5 1\n"2" 0.25 2\n"3" 0.125 2\n', "r.txt"))
    assert table.columns == ("a", "b")
    assert table.rows == ("1", "2", "3")
    assert table.values[:, 0].tolist() == [0.5, 0.25, 0.125]


def test_a_separator_at_the_end_of_lines_adds_no_column(tmp_path: Path) -> None:
    for header in ("a,b,c", "a,b,c,"):
        table = read(write(tmp_path, f"{header}\n1,2,x,\n3,4,y,\n5,6,x,\n"))
        assert table.columns == ("a", "b", "c")
        assert table.values[:, 0].tolist() == [1.0, 3.0, 5.0]


@pytest.mark.parametrize("word", ["", "NA", "?", "NaN", "nan", "null", "N/A", "#N/A", " "])
def test_missing_values_are_nan(tmp_path: Path, word: str) -> None:
    table = read(write(tmp_path, f"a,b,c\n1,{word},x\n{word},2,{word}\n3,4,y\n5,6,x\n"))
    assert np.isnan(table.values).tolist() == [
        [False, True, False],
        [True, False, True],
        [False, False, False],
        [False, False, False],
    ]
    assert table.categories == {2: ("x", "y")}


def test_quotes_may_hold_separators_quotes_and_line_ends(tmp_path: Path) -> None:
    table = read(write(tmp_path, 'a,"b, c",d\n1,"x, ""y""",2\n3,z,4\n5,"x, ""y""",6\n'))
    assert table.columns == ("a", "b, c", "d")
    assert table.categories == {1: ('x, "y"', "z")}


def test_text_that_appears_late_makes_the_whole_column_text(tmp_path: Path) -> None:
    rows = 100_000  # more than one chunk of cells
    lines = [f"{i % 7},{i % 5},{i % 3}" for i in range(rows)]
    lines[-1] = "few,1,2"
    table = read(write(tmp_path, "a,b,c\n" + "\n".join(lines) + "\n"))
    assert table.categories == {0: ("0", "1", "2", "3", "4", "5", "6", "few")}
    assert table.values[:5, 0].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert table.values[-1].tolist() == [7.0, 1.0, 2.0]
    check = next(check for check in table.checks if check.kind == "text among numbers")
    assert check.columns == ("a",)
    assert '"few"' in check.sentence


def test_underscores_do_not_pass_for_numbers(tmp_path: Path) -> None:
    table = read(write(tmp_path, "a,b\n1_000,1\n1_000,2\n2_000,3\n"))
    assert table.categories == {0: ("1_000", "2_000")}


def test_infinite_values_become_missing_with_a_check(tmp_path: Path) -> None:
    table = read(write(tmp_path, "a,b\n1,2\ninf,3\n-Infinity,4\n"))
    assert np.isnan(table.values[:, 0]).tolist() == [False, True, True]
    check = next(check for check in table.checks if check.kind == "infinite values")
    assert check.columns == ("a",)
    assert "2 infinite values" in check.sentence


def test_repeated_and_empty_names_are_made_unique_and_said(tmp_path: Path) -> None:
    table = read(write(tmp_path, "b,a,a,a_2,,a\n1,2,3,4,5,6\n6,5,4,3,2,1\n"))
    assert table.columns == ("b", "a", "a_3", "a_2", "x5", "a_4")
    assert {"duplicated names", "missing names"} <= kinds(table)


def test_blank_lines_and_the_separator_line_of_excel_are_skipped(tmp_path: Path) -> None:
    table = read(write(tmp_path, "sep=;\n\na;b\n1;2\n\n3;4\n"))
    assert table.values.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_features_in_rows_are_turned_round(tmp_path: Path) -> None:
    text = "gene,s1,s2,s3\nBRCA1,1,2.5,3\nTP53,4,NA,6\nTP53,7,8,9\ngroup,ill,well,ill\n"
    table = read(write(tmp_path, text), ReadOptions(orientation="columns"))
    assert table.rows == ("s1", "s2", "s3")
    assert table.columns == ("BRCA1", "TP53", "TP53_2", "group")
    assert table.values[:, 0].tolist() == [1.0, 2.5, 3.0]
    assert np.isnan(table.values[1, 1])
    assert table.categories == {3: ("ill", "well")}
    assert table.default_target == "group"


def test_the_only_row_of_text_is_the_target_where_features_are_in_rows(tmp_path: Path) -> None:
    text = "gene,s1,s2,s3\ngroup,ill,well,ill\nA,1,2,3\nB,4,5,6\n"
    assert read(write(tmp_path, text), ReadOptions(orientation="columns")).default_target == "group"


def test_sample_ids_that_are_numbers_are_a_header_where_features_are_in_rows(tmp_path: Path) -> None:
    text = "gene,1007,1053,117\nA,1.5,2.5,3.5\nB,4.5,5.5,6.5\n"
    table = read(write(tmp_path, text), ReadOptions(orientation="columns"))
    assert table.rows == ("1007", "1053", "117")
    assert table.columns == ("A", "B")


def test_arff_and_matlab_are_known_by_content_not_by_name(tmp_path: Path) -> None:
    path = write(tmp_path, "% note\n@relation r\n@attribute a real\n@attribute c {x,y}\n@data\n1,x\n2,y\n")
    assert "ARFF" in read(path).source


def test_a_column_of_its_own_is_a_table_too(tmp_path: Path) -> None:
    table = read(write(tmp_path, "value\n1.5\n2.5\n"))
    assert table.columns == ("value",)
    assert table.values.tolist() == [[1.5], [2.5]]


def test_the_ends_of_lines_inside_of_quotes_become_spaces(tmp_path: Path) -> None:
    text = '"value\n(mg)";note;class\n0,5;"two\nlines";x\n1,5;"say ""a\nb""; then c";y\n2;plain;x\n'
    table = read(write(tmp_path, text))
    assert table.columns == ("value (mg)", "note", "class")
    assert set(table.categories[1]) == {"two lines", 'say "a b"; then c', "plain"}
    assert table.values[:, 0].tolist() == [0.5, 1.5, 2.0]
