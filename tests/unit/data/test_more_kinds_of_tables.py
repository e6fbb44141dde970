"""More kinds of tables that people have: words among numbers, lines around a table, marks, packed files, encodings."""

import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xlsxwriter
from scipy.io import savemat

from fsdesk.data import ReadOptions, Table, questions, read, read_table
from fsdesk.errors import DataError

N = 40
RNG = np.random.default_rng(44)
A, B, C = (RNG.normal(5, 1.5, N).round(2).tolist() for _ in range(3))
KIND = [("case", "control")[i % 2] for i in range(N)]


def saved(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def rows(*columns: Any, sep: str = ",") -> str:
    return "".join(sep.join(map(str, row)) + "\n" for row in zip(*columns, strict=True))


def comma(values: list[float]) -> list[str]:
    return [f"{value:.2f}".replace(".", ",") for value in values]


def asked(table: Table) -> list[str]:
    return [question.kind for question in questions(table.readings, table.default_target, named=False)]


def kinds(table: Table) -> set[str]:
    return {check.kind for check in table.checks}


def with_words(values: list[float], words: list[str]) -> list[Any]:
    return [words[i // 9 % len(words)] if i % 9 == 4 else value for i, value in enumerate(values)]


@pytest.mark.parametrize(
    "words", [["#NV", "#DIV/0!", "#WERT!"], ["#N/D", "#VALEUR!"], ["<LLOQ", "< LLOQ"], ["#N/A", "#REF!", "n.d."]]
)
def test_what_sheets_and_instruments_write_for_nothing_is_missing(tmp_path: Path, words: list[str]) -> None:
    table = read(saved(tmp_path / "t.csv", "a,b,group\n" + rows(with_words(A, words), B, KIND)))
    assert not asked(table)
    assert 0 not in table.categories
    assert int(np.isnan(table.values[:, 0]).sum()) == 4


@pytest.mark.parametrize(
    ("words", "unit"), [(["hemolyzed", "QNS", "clotted"], ""), (["zu wenig", "verworfen"], " mg/l")]
)
def test_several_words_among_numbers_are_one_question(tmp_path: Path, words: list[str], unit: str) -> None:
    measured = [value if isinstance(value, str) else f"{value}{unit}" for value in with_words(A, words)]
    path = saved(tmp_path / "t.csv", "a,b,group\n" + rows(measured, B, KIND))
    table = read(path)
    assert asked(table) == ["word among numbers"]
    assert int(np.isnan(table.values[:, 0]).sum()) == 4
    question = next(each for each in table.readings if each.kind == "word among numbers")
    settled = read(path, question.alternatives[0].added_to(ReadOptions()))
    assert not asked(settled)
    assert np.array_equal(settled.values[:, 0], table.values[:, 0], equal_nan=True)
    assert 0 in read(path, question.alternatives[1].added_to(ReadOptions())).categories


@pytest.mark.parametrize("classes", [("<5", ">=5"), ("< 30", "30-50", "> 50"), ("≤1", ">1")])
def test_limits_alone_are_names_of_classes(tmp_path: Path, classes: tuple[str, ...]) -> None:
    labels = [classes[i % len(classes)] for i in range(N)]
    data = read_table(saved(tmp_path / "t.csv", "a,b,group\n" + rows(A, B, labels)))
    assert Counter(data.classes[code] for code in data.target) == Counter(labels)


@pytest.mark.parametrize("form", ["€ {}", "{} €", "$ {}", "{} kg"])
def test_thousands_with_a_unit_are_numbers(tmp_path: Path, form: str) -> None:
    costs = [value * 1000 for value in A]
    german = [f"{value:,.2f}".translate(str.maketrans(",.", ".,")) for value in costs]
    table = read(
        saved(tmp_path / "t.csv", "costs;b;group\n" + rows([form.format(g) for g in german], comma(B), KIND, sep=";"))
    )
    assert table.values[:, 0].tolist() == pytest.approx(costs)
    assert not asked(table)


def test_numbers_with_typeset_apostrophes_are_no_sample_ids(tmp_path: Path) -> None:
    swiss = [f"{value * 1000:,.2f}".replace(",", "’") for value in A]
    table = read(saved(tmp_path / "t.csv", "a,b,group\n" + rows(swiss, B, KIND)))
    assert table.columns[0] == "a"
    assert table.values[:, 0].tolist() == pytest.approx([value * 1000 for value in A])


@pytest.mark.parametrize("fill", ["1E+30", "9.96921e+36", "-3.4028235E+38", "1e20"])
def test_numbers_that_fill_grids_are_asked_about(tmp_path: Path, fill: str) -> None:
    table = read(saved(tmp_path / "t.csv", "a,b,group\n" + rows(with_words(A, [fill]), B, KIND)))
    assert asked(table) == ["number for missing"]
    large = [value * 1e20 for value in A]
    assert not asked(read(saved(tmp_path / "u.csv", "a,b,group\n" + rows(large, B, KIND))))


QUESTIONS = (
    'age,crp,group\nWhat is your age?,"CRP, last visit",Which group?\n',
    "age\tcrp\tgroup\nAge in years\tCRP in blood\tStudy arm\n",
)


@pytest.mark.parametrize(("header", "sep"), [(QUESTIONS[0], ","), (QUESTIONS[1], "\t")])
def test_questions_below_the_names_are_no_row(tmp_path: Path, header: str, sep: str) -> None:
    table = read(saved(tmp_path / "t.csv", header + rows(A, B, KIND, sep=sep)))
    assert len(table.rows) == N
    assert asked(table) == ["units below the names"]
    quoted = sep.join(f'"{{""ImportId"":""QID{k}""}}"' for k in range(3)) + "\n"
    survey = read(saved(tmp_path / "u.csv", header + quoted + rows(A, B, KIND, sep=sep)))
    assert len(survey.rows) == N
    assert not asked(survey)


@pytest.mark.parametrize("cell", ["{}'{}\"", '{} {}"'])
def test_marks_of_feet_and_inches_in_every_line_are_no_question(tmp_path: Path, cell: str) -> None:
    heights = [cell.format(5 + i % 2, i % 12) for i in range(N)]
    table = read(saved(tmp_path / "t.csv", "height,a,group\n" + rows(heights, A, KIND)))
    assert table.categories[0] == tuple(sorted({*heights}))
    assert not asked(table)


@pytest.mark.parametrize("names", [[7157, 672, 675, 1956, 2064, 3845], [100131, 29974, 87769, 2, 144571, 53947]])
def test_ids_of_genes_above_measurements_are_names(tmp_path: Path, names: list[int]) -> None:
    labels = [i % 2 for i in range(N)]
    path = saved(tmp_path / "t.csv", ",".join(map(str, ["y", *names])) + "\n" + rows(labels, A, B, C, B, A, C))
    table = read(path)
    assert len(table.rows) == N
    assert table.columns == ("y", *map(str, names))
    assert "header" not in asked(table)


@pytest.mark.parametrize(
    "notes", ["\nSource: registry\nAs of May\n", "* measured twice\n", "\nQuelle: Register 2020,,\n"]
)
def test_notes_below_a_table_are_left_out_and_named(tmp_path: Path, notes: str) -> None:
    table = read(saved(tmp_path / "t.csv", "a,b,group\n" + rows(A, B, KIND) + notes))
    assert len(table.rows) == N
    assert not table.categories.keys() & {0, 1}
    assert "notes below" in kinds(table)
    assert not asked(table)


@pytest.mark.parametrize("apart", [0, 1])
def test_notes_below_a_sheet_are_left_out_and_named(tmp_path: Path, apart: int) -> None:
    book = xlsxwriter.Workbook(tmp_path / "t.xlsx")
    sheet = book.add_worksheet()
    for place, row in enumerate([("a", "b", "group"), *zip(A, B, KIND, strict=True)]):
        sheet.write_row(place, 0, row)
    sheet.write(N + 1 + apart, 0, "* measured on another day")
    book.close()
    table = read(tmp_path / "t.xlsx")
    assert table.values[:, 0].tolist() == A
    assert "notes below" in kinds(table)


def test_a_last_row_that_misses_its_values_is_a_row(tmp_path: Path) -> None:
    ids = [f"P{i}" for i in range(N)]
    table = read(saved(tmp_path / "t.csv", "id,a,b,group\n" + rows(ids, A, B, KIND) + f"P{N},,,\n"))
    assert table.rows[-1] == f"P{N}"
    assert "notes below" not in kinds(table)


@pytest.mark.parametrize("first", [12, 60])
def test_a_second_table_in_a_file_is_named_by_its_line(tmp_path: Path, first: int) -> None:
    above = rows((A * 2)[:first], (B * 2)[:first], (KIND * 2)[:first])
    path = saved(tmp_path / "t.csv", f"a,b,group\n{above}\nname,age,sex\n" + rows(A, B, KIND))
    with pytest.raises(DataError, match=rf"Line {first + 3} .* another table begins there"):
        read(path)


@pytest.mark.parametrize("comments", ["% made by a program\n%\n", "// run 7\n// 2021\n", "# one\n# two\n"])
def test_comments_above_the_names_are_left_out(tmp_path: Path, comments: str) -> None:
    table = read(saved(tmp_path / "t.txt", comments + "a\tb\tgroup\n" + rows(A, B, KIND, sep="\t")))
    assert table.columns == ("a", "b", "group")
    assert len(table.rows) == N


def test_a_name_may_begin_with_a_percent_sign(tmp_path: Path) -> None:
    table = read(saved(tmp_path / "t.csv", "%fat,b,group\n" + rows(A, B, KIND)))
    assert table.columns == ("%fat", "b", "group")


@pytest.mark.parametrize("rule", ["|---|:-:|---|\n", "|======|======|=====|\n"])
def test_lines_drawn_below_the_names_are_no_row(tmp_path: Path, rule: str) -> None:
    body = "".join(f"| {a} | {b} | {kind} |\n" for a, b, kind in zip(A, B, KIND, strict=True))
    table = read(saved(tmp_path / "t.txt", f"| a | b | group |\n{rule}{body}"))
    assert table.columns == ("a", "b", "group")
    assert table.values[:, 1].tolist() == B


@pytest.mark.parametrize(("name", "sep"), [("t.dat", "  "), ("t.data", ","), ("t.raw", " ")])
def test_a_plain_table_is_read_whatever_its_name_ends_with(tmp_path: Path, name: str, sep: str) -> None:
    table = read(saved(tmp_path / name, sep.join(["a", "b", "group"]) + "\n" + rows(A, B, KIND, sep=sep)))
    assert table.columns == ("a", "b", "group")
    assert table.values[:, 0].tolist() == A


def test_attributes_that_keel_does_not_use_are_left_out(tmp_path: Path) -> None:
    head = "@relation t\n@attribute Class {case, control}\n" + "".join(f"@attribute {x} real\n" for x in "uvw")
    path = saved(tmp_path / "t.dat", f"{head}@inputs u, w\n@outputs Class\n@data\n" + rows(KIND, A, B, C, sep=", "))
    assert read_table(path).features == ("u", "w")


@pytest.mark.parametrize(
    "beside",
    [{"README.md": b"# words"}, {"__MACOSX/._t.csv": b"x", ".DS_Store": b"y"}, {"licence.txt": b"free", "f.png": b"p"}],
)
def test_the_one_table_in_a_zip_file_is_read(tmp_path: Path, beside: dict[str, bytes]) -> None:
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as packed:
        for name, content in {**beside, "folder/t.csv": ("a,b,group\n" + rows(A, B, KIND)).encode()}.items():
            packed.writestr(name, content)
    assert read(tmp_path / "t.zip").values[:, 0].tolist() == A


@pytest.mark.parametrize("names", [("Größe", "Gewicht"), ("Süßstoff", "Füße")])
def test_german_letters_are_no_question_but_other_code_pages_are(tmp_path: Path, names: tuple[str, str]) -> None:
    text = f"{names[0]};{names[1]};Gruppe\n" + rows(comma(A), comma(B), KIND, sep=";")
    table = read(saved(tmp_path / "t.csv", text.encode("cp1252")))
    assert table.columns[:2] == names
    assert not asked(table)
    for page in ("cp850", "mac_roman"):
        assert asked(read(saved(tmp_path / "t.csv", text.encode(page)))) == ["encoding"]


@pytest.mark.parametrize("damage", [b"\xc3", b"\xff\xfe"])
def test_a_damaged_letter_in_utf_8_is_named_by_its_line(tmp_path: Path, damage: bytes) -> None:
    text = ("Größe,Länge,Prüfgruppe für Ältere\n" + rows(A, B, KIND)).encode().splitlines(keepends=True)
    text[7] = text[7].replace(b"ca", damage + b"ca").replace(b"co", damage + b"co")
    with pytest.raises(DataError, match=r"Line 8 .* damaged"):
        read(saved(tmp_path / "t.csv", b"".join(text)))


def test_cells_merged_over_rows_count_for_each(tmp_path: Path) -> None:
    book = xlsxwriter.Workbook(tmp_path / "t.xlsx")
    sheet = book.add_worksheet()
    sheet.write_row(2, 1, ["group", "a", "b"])
    for i in range(N):
        sheet.write_row(3 + i, 2, [A[i], B[i]])
    sheet.merge_range(3, 1, 3 + N // 2 - 1, 1, "case")
    sheet.merge_range(3 + N // 2, 1, 3 + N - 1, 1, "control")
    book.close()
    data = read_table(tmp_path / "t.xlsx", "group")
    assert tuple(data.class_sizes) == (N // 2, N // 2)
    assert [data.classes[code] for code in data.target] == ["case"] * (N // 2) + ["control"] * (N // 2)
    assert "merged cells" in kinds(read(tmp_path / "t.xlsx"))


def test_decimal_commas_of_a_whole_page_or_sheet_are_no_question(tmp_path: Path) -> None:
    body = "".join(
        f"<tr><td>{a}</td><td>{b}</td><td>{kind}</td></tr>" for a, b, kind in zip(comma(A), comma(B), KIND, strict=True)
    )
    page = f"<html><table><tr><th>a</th><th>b</th><th>group</th></tr>{body}</table></html>"
    book = xlsxwriter.Workbook(tmp_path / "t.xlsx")
    sheet = book.add_worksheet()
    for place, row in enumerate([("a", "b", "group"), *zip(comma(A), comma(B), KIND, strict=True)]):
        sheet.write_row(place, 0, row)
    book.close()
    for path in (saved(tmp_path / "t.xls", page), tmp_path / "t.xlsx"):
        table = read(path)
        assert table.values[:, 0].tolist() == A
        assert not asked(table)


@pytest.mark.parametrize("titles", [("Mean", "SD"), ("Mittelwert", "Standardabweichung"), ("Total",)])
@pytest.mark.parametrize("apart", ["", "\n"])
def test_lines_that_sum_up_a_table_are_no_rows(tmp_path: Path, titles: tuple[str, ...], apart: str) -> None:
    ids = [f"P{i}" for i in range(N)]
    below = "".join(f"{title},5.01,1.52,\n" for title in titles)
    table = read(saved(tmp_path / "t.csv", "id,a,b,dose\n" + rows(ids, A, B, C) + apart + below))
    assert len(table.rows) == N
    assert "notes below" in kinds(table)
    genes = "gene,s1,s2,s3\n" + rows([*ids, "MAX"], [*A, 1.0], [*B, 2.0], [*C, 3.0])
    assert "MAX" in read(saved(tmp_path / "g.csv", genes), ReadOptions(orientation="columns")).columns


def test_rows_that_are_called_as_summaries_throughout_stay(tmp_path: Path) -> None:
    kind = ["mean" if i % 2 else "sd" for i in range(N)]
    assert len(read(saved(tmp_path / "t.csv", "what,a,b,c\n" + rows(kind, A, B, C))).rows) == N
    mixed = ["mean" if i % 3 else "dose" for i in range(N)]
    assert len(read(saved(tmp_path / "t.csv", "what,a,b,c\n" + rows(mixed, A, B, C))).rows) == N


@pytest.mark.parametrize("label", ["Crohn’s", "2–3", "°C", "naïve"])
def test_signs_that_windows_sets_are_no_question(tmp_path: Path, label: str) -> None:
    labels = [label if i % 2 else "control" for i in range(N)]
    table = read(saved(tmp_path / "t.csv", ("a,b,group\n" + rows(A, B, labels)).encode("cp1252")))
    assert label in table.categories[2]
    assert not asked(table)


@pytest.mark.parametrize(("page", "words"), [("iso8859-2", ("věk", "nemocný")), ("cp1254", ("yaş", "sağlıklı"))])
def test_letters_that_western_words_do_not_have_are_asked_about(
    tmp_path: Path, page: str, words: tuple[str, str]
) -> None:
    text = f"{words[0]},b,group\n" + rows(A, B, [words[1] if i % 2 else "x" for i in range(N)])
    assert asked(read(saved(tmp_path / "t.csv", text.encode(page)))) == ["encoding"]


def test_numbers_stored_as_text_in_a_sheet_of_numbers_are_no_question(tmp_path: Path) -> None:
    book = xlsxwriter.Workbook(tmp_path / "t.xlsx")
    sheet = book.add_worksheet()
    for place, row in enumerate([("a", "b", "group"), *zip(comma(A), B, KIND, strict=True)]):
        sheet.write_row(place, 0, row)
    book.close()
    table = read(tmp_path / "t.xlsx")
    assert table.values[:, 0].tolist() == A
    assert not asked(table)


def test_a_sheet_of_facts_is_no_rival_of_the_one_with_the_table(tmp_path: Path) -> None:
    book = xlsxwriter.Workbook(tmp_path / "t.xlsx")
    facts, data = book.add_worksheet("Info"), book.add_worksheet("Data")
    for place, fact in enumerate([("Title", "A study"), ("Author", "Somebody"), ("Year", "2020"), ("N", N)]):
        facts.write_row(place, 0, fact)
    for place, row in enumerate([("a", "b", "group"), *zip(A, B, KIND, strict=True)]):
        data.write_row(place, 0, row)
    book.close()
    table = read(tmp_path / "t.xlsx")
    assert table.values[:, 0].tolist() == A
    assert not asked(table)


@pytest.mark.parametrize("names", [("d", "train"), ("study", "values")])
def test_a_struct_within_a_struct_is_read(tmp_path: Path, names: tuple[str, str]) -> None:
    outer, inner = names
    savemat(tmp_path / "t.mat", {outer: {inner: {"X": np.array([A, B]).T, "Y": np.arange(N) % 2 + 1}}})
    data = read_table(tmp_path / "t.mat")
    assert data.x[:, 1].tolist() == B
    assert tuple(data.class_sizes) == (N // 2, N // 2)


@pytest.mark.parametrize("sep", [";", "\t"])
def test_german_thousands_beside_german_decimals_are_both_read(tmp_path: Path, sep: str) -> None:
    counts = [3000 + 211 * i for i in range(N)]
    grouped = [f"{count:,}".replace(",", ".") for count in counts]
    table = read(
        saved(tmp_path / "t.csv", "crp;cells;group\n".replace(";", sep) + rows(comma(A), grouped, KIND, sep=sep))
    )
    assert table.values[:, 0].tolist() == A
    assert table.values[:, 1].tolist() == counts
    assert not asked(table)


@pytest.mark.parametrize("first", ["SD", "Total"])
def test_a_class_that_is_called_as_a_summary_stays(tmp_path: Path, first: str) -> None:
    responses = sorted(["CR", "PD", "PR", first][i % 4] for i in range(N))
    text = "response,a,b,c\n" + rows(responses, A, B, C)
    assert len(read(saved(tmp_path / "t.csv", text)).rows) == N
    one = ["CR", "PD", "PR"] * 13 + [first]
    assert len(read(saved(tmp_path / "u.csv", "response,a,b,c\n" + rows(one, A, B, C))).rows) == N
    genes = [*(f"G{i}" for i in range(N - 1)), "MAX"]
    assert len(read(saved(tmp_path / "g.csv", "gene,a,b,c\n" + rows(genes, A, B, C))).rows) == N


def test_names_behind_a_tab_do_not_hide_the_columns_before_it(tmp_path: Path) -> None:
    lines = [
        f'{a:.1f}   {4 + i % 3}   {b:.2f}   {i % 2}\t"the model {i}"\n'
        for i, (a, b) in enumerate(zip(A, B, strict=True))
    ]
    table = read(saved(tmp_path / "t.data", "".join(lines)))
    assert len(table.rows) == N
    assert len(table.columns) == 5
    assert table.values[:, 2].tolist() == B


def test_recordings_of_one_subject_are_asked_about_whatever_the_last_column_is(tmp_path: Path) -> None:
    names = [f"phon_R01_S{i // 5:02}_{i % 5 + 1}" for i in range(N)]
    status = [i // 5 % 2 for i in range(N)]
    values = RNG.normal(size=(2, N)).round(4).tolist()
    table = read(saved(tmp_path / "t.csv", "name,a,status,spread\n" + rows(names, values[0], status, values[1])))
    assert asked(table) == ["replicates"]


PLAIN = "a,b,group\n" + rows(A, B, KIND)


@pytest.mark.parametrize(
    "content",
    [
        PLAIN.encode("utf-32"),
        b"\xef\xbb\xbf" * 2 + PLAIN.encode(),
        PLAIN.encode() + b"\x00" * 300,
        PLAIN.encode() + b"\x1a",
        ("sep=;\n" + PLAIN).encode(),
        "".join(f'"{line}"\n' for line in PLAIN.splitlines()).encode(),
        "".join(f'"{line}";;;\n' for line in PLAIN.splitlines()).encode(),
        *(PLAIN.replace(",", sign).encode() for sign in ("^", "~", "::", "\x1f")),
    ],
)
def test_plain_tables_in_odd_clothes_are_read_without_a_question(tmp_path: Path, content: bytes) -> None:
    table = read(saved(tmp_path / "t.csv", content))
    assert table.columns == ("a", "b", "group")
    assert table.values[:, :2].T.tolist() == [A, B]
    assert not asked(table)


@pytest.mark.parametrize("again", ["", "a,b,group\n"])
def test_a_mark_of_the_encoding_between_files_put_together_is_no_letter(tmp_path: Path, again: str) -> None:
    table = read(saved(tmp_path / "t.csv", PLAIN + "\ufeff" + again + rows(A, B, KIND)))
    assert len(table.rows) == 2 * N
    assert set(table.categories) == {2}


@pytest.mark.parametrize("note", ['"he said \\"no\\", then left"', '"5\\" tube, left"'])
def test_backslashes_before_marks_move_no_column(tmp_path: Path, note: str) -> None:
    table = read(saved(tmp_path / "t.csv", "id,a,note,group\n" + rows(range(5, N + 5), A, [note] * N, KIND)))
    assert table.columns == ("id", "a", "note", "group")
    assert table.categories[2] == (note[1:-1].replace("\\", ""),)


def test_ids_that_are_formulas_for_excel_are_text(tmp_path: Path) -> None:
    table = read(saved(tmp_path / "t.csv", "id,a,group\n" + rows([f'="P{i:03d}"' for i in range(N)], A, KIND)))
    assert table.rows[:2] == ("P000", "P001")


@pytest.mark.parametrize("places", [("Köln", "Zürich"), ("Düren", "Göttingen")])
def test_letters_of_a_mac_are_asked_about(tmp_path: Path, places: tuple[str, str]) -> None:
    text = "a;b;place\n" + rows(comma(A), comma(B), [places[i % 2] for i in range(N)], sep=";")
    table = read(saved(tmp_path / "t.csv", text.encode("mac_roman")))
    assert asked(table) == ["encoding"]
    assert table.categories[2] == places


def thousandths(values: list[float], sign: str) -> list[str]:
    return [f"{value + 1.001:.3f}".replace(".", sign) for value in map(abs, values)]


@pytest.mark.parametrize(("form", "sep"), [("{}", "\t"), ("{}", "|")])
def test_commas_with_three_figures_behind_each_are_asked_about(tmp_path: Path, form: str, sep: str) -> None:
    cells = [form.format(cell) for cell in thousandths(A, ",")]
    path = saved(tmp_path / "t.txt", sep.join(["a", "group"]) + "\n" + rows(cells, KIND, sep=sep))
    table = read(path)
    assert asked(table) == ["decimal sign"]
    decision = next(each for each in table.readings if each.kind == "decimal sign")
    as_thousands = read(path, decision.alternatives[1].added_to(ReadOptions()))
    assert not asked(as_thousands)
    np.testing.assert_allclose(as_thousands.values[:, 0], 1000 * table.values[:, 0])


def test_points_with_three_figures_behind_each_between_semicolons_are_asked_about(tmp_path: Path) -> None:
    path = saved(tmp_path / "t.csv", "a;n;group\n" + rows(thousandths(A, "."), range(N), KIND, sep=";"))
    table = read(path)
    assert asked(table) == ["decimal sign"]
    decision = next(each for each in table.readings if each.kind == "decimal sign")
    as_thousands = read(path, decision.alternatives[1].added_to(ReadOptions()))
    assert not asked(as_thousands)
    np.testing.assert_allclose(as_thousands.values[:, 0], 1000 * table.values[:, 0])
    clean = "a;b;group\n" + rows(thousandths(A, "."), B, KIND, sep=";")
    assert not asked(read(saved(tmp_path / "u.csv", clean)))


@pytest.mark.parametrize("other", [comma(B), [f"{value:.1f}".replace(".", ",") for value in B]])
def test_quoted_decimal_commas_say_what_the_others_are(tmp_path: Path, other: list[str]) -> None:
    quoted = [[f'"{cell}"' for cell in cells] for cells in (thousandths(A, ","), other)]
    table = read(saved(tmp_path / "t.csv", "a,b,group\n" + rows(*quoted, KIND)))
    assert not asked(table)
    assert table.values[:, 0].max() < 100


def test_two_decimal_signs_in_one_column_are_asked_about(tmp_path: Path) -> None:
    mixed = [cell if i % 2 else cell.replace(",", ".") for i, cell in enumerate(comma(A))]
    table = read(saved(tmp_path / "t.csv", "a;b;group\n" + rows(mixed, comma(B), KIND, sep=";")))
    assert asked(table) == ["decimal of a column"]
    assert table.values[:, 0].tolist() == A


@pytest.mark.parametrize("form", ["{}*", "~{}", "ca. {}", "{} H", "{}†", "{}²"])
def test_signs_beside_numbers_are_left_out_and_named(tmp_path: Path, form: str) -> None:
    cells = [form.format(value) if i % 5 == 2 else value for i, value in enumerate(A)]
    table = read(saved(tmp_path / "t.csv", "a,b,group\n" + rows(cells, B, KIND)))
    assert table.values[:, 0].tolist() == A
    assert "marks" in kinds(table)
    assert not asked(table)


def test_powers_of_fortran_are_numbers(tmp_path: Path) -> None:
    cells = [f"{value:.3e}".replace("e", "D") for value in A]
    table = read(saved(tmp_path / "t.dat", "a b group\n" + rows(cells, B, KIND, sep=" ")))
    assert table.values[:, 0].tolist() == pytest.approx(A)


YES = [("yes", "Y"), ("true", "1"), ("ja", "J")]
NO = [("no", "N"), ("false", "0"), ("nein", "N")]


@pytest.mark.parametrize(("yes", "no"), [*zip(YES, NO, strict=True)])
def test_yes_and_no_in_several_spellings_are_asked_about(
    tmp_path: Path, yes: tuple[str, str], no: tuple[str, str]
) -> None:
    labels = [(yes, no)[i % 2][i // 2 % 5 == 1] for i in range(N)]
    path = saved(tmp_path / "t.csv", "a,b,ill\n" + rows(A, B, labels))
    table = read(path)
    assert asked(table) == ["similar names"]
    assert set(table.categories[2]) == {yes[0], no[0]}
    different = read(path, ReadOptions(similar="different"))
    assert len(different.categories[2]) == 4
    assert not asked(read(path, ReadOptions(similar="one")))
    labels[7] = "unknown"
    beside = read(saved(tmp_path / "u.csv", "a,b,ill\n" + rows(A, B, labels)))
    assert sorted(asked(beside)) == ["similar names", "word for missing"]


@pytest.mark.parametrize("word", ["unknown", "n.d.", "k.A."])
def test_whether_a_class_is_one_is_asked(tmp_path: Path, word: str) -> None:
    labels = [word if i % 9 == 4 else kind for i, kind in enumerate(KIND)]
    path = saved(tmp_path / "t.csv", "a,b,group\n" + rows(A, B, labels))
    table = read(path)
    assert asked(table) == ["word for missing"]
    decision = next(each for each in table.readings if each.kind == "word for missing")
    missing = next(each for each in decision.alternatives if "!" not in each.value)
    assert (missing == decision.alternatives[0]) == (word == "k.A.")
    settled = [read(path, each.added_to(ReadOptions())) for each in decision.alternatives]
    assert not any(map(asked, settled))
    assert settled[decision.alternatives.index(missing)].categories[2] == ("case", "control")
    feature = read(saved(tmp_path / "u.csv", "a,b,ward,group\n" + rows(A, B, labels, KIND)))
    assert not asked(feature)


def test_na_beside_other_codes_of_two_letters_is_asked_about(tmp_path: Path) -> None:
    codes = [("NA", "EU", "AS", "AF")[i % 4] for i in range(N)]
    table = read(saved(tmp_path / "t.csv", "a,b,continent\n" + rows(A, B, codes)))
    assert asked(table) == ["word for missing"]
    spanish = [("NA", "SI", "NO")[i % 3] for i in range(N)]
    assert not asked(read(saved(tmp_path / "u.csv", "a,b,ill\n" + rows(A, B, spanish))))


@pytest.mark.parametrize(("sentinel", "high"), [(-9, 900), (99, 60), (-99, 5000)])
def test_numbers_for_missing_near_whole_numbers_are_asked_about(tmp_path: Path, sentinel: int, high: int) -> None:
    whole = RNG.integers(20, high, N).tolist()
    cells = [sentinel if i % 9 == 4 else value for i, value in enumerate(whole)]
    table = read(saved(tmp_path / "t.csv", "age,b,group\n" + rows(cells, B, KIND)))
    assert asked(table) == ["number for missing"]
    once = [sentinel if i == 4 else value for i, value in enumerate(whole)]
    assert not asked(read(saved(tmp_path / "u.csv", "age,b,group\n" + rows(once, B, KIND)))) or sentinel == -99


def test_months_with_zeros_in_front_are_numbers(tmp_path: Path) -> None:
    months = [f"{3 * i:04d}" for i in range(N)]
    table = read(saved(tmp_path / "t.csv", "Survival months,b,group\n" + rows(months, B, KIND)))
    assert table.values[:, 0].tolist() == [3.0 * i for i in range(N)]


def test_ids_that_occur_twice_are_named(tmp_path: Path) -> None:
    ids = [f"P{i % 37}" for i in range(N)]
    assert "duplicated row ids" in kinds(read(saved(tmp_path / "t.csv", "patient,a,group\n" + rows(ids, A, KIND))))


def test_days_or_months_first_in_several_columns_are_one_question(tmp_path: Path) -> None:
    days = [f"{1 + i % 12}/{1 + i % 11}/2020" for i in range(N)]
    path = saved(tmp_path / "t.csv", "seen,left,b,group\n" + rows(days, days[::-1], B, KIND))
    table = read(path)
    assert asked(table) == ["dates"]
    decision = next(each for each in table.readings if each.kind == "dates")
    assert not asked(read(path, decision.alternatives[1].added_to(ReadOptions())))
    constant = saved(tmp_path / "u.csv", "seen,b,group\n" + rows(["3/4/2020"] * N, B, KIND))
    assert not asked(read(constant))
