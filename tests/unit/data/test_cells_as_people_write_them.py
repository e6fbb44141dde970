"""Cells and lines as people write them: units mixed, accounts, powers, dates of SAS, hidden rows, several headers."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xlsxwriter

from fsdesk.data import Learned, ReadOptions, Table, questions, read, read_as_learned, read_table
from fsdesk.errors import DataError

N = 40
RNG = np.random.default_rng(11)
A, B, C = (RNG.normal(5, 1.5, N).round(2).tolist() for _ in range(3))
KIND = [("case", "control")[i % 2] for i in range(N)]


def saved(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def rows(*columns: Any, sep: str = ",") -> str:
    return "".join(sep.join(map(str, row)) + "\n" for row in zip(*columns, strict=True))


def asked(table: Table) -> list[str]:
    return [question.kind for question in questions(table.readings, table.default_target, named=False)]


def of_column(folder: Path, cells: list[str], sep: str = ",", other: list[Any] = B, **options: str) -> Table:
    text = sep.join(["a", "b", "group"]) + "\n" + rows(cells, other, KIND, sep=sep)
    return read(saved(folder / "t.csv", text), ReadOptions.model_validate(options))


UNITS = [
    (["{:.1f} kg", "{:.1f} g"], [1.0, 0.001]),
    (["{:.1f} years", "{:.1f} months"], [1.0, 1 / 12]),
    (["{:.1f}y", "{:.1f}m"], [1.0, 1 / 12]),
    (["{:.2f} mg/dl", "{:.2f} g/l"], [1.0, 100.0]),
]


@pytest.mark.parametrize(("forms", "sizes"), UNITS)
def test_several_units_of_one_quantity_are_one_after_asking(
    tmp_path: Path, forms: list[str], sizes: list[float]
) -> None:
    cells = [forms[i % 3 == 2].format(value) for i, value in enumerate(A)]
    table = of_column(tmp_path, cells)
    assert asked(table) == ["several units"]
    decimals = int(forms[0].split(".")[1][0])
    expected = [round(value, decimals) * sizes[i % 3 == 2] for i, value in enumerate(A)]
    np.testing.assert_allclose(table.values[:, 0], expected, atol=0.5 * 10**-decimals)
    assert not asked(of_column(tmp_path, cells, types="a=number"))
    assert 0 in of_column(tmp_path, cells, types="a=category").categories


@pytest.mark.parametrize("forms", [("{:.1f}K", "{:.2f}M"), ("{:.1f} k", "{:.2f} M")])
def test_thousands_and_millions_are_one_unit_after_asking(tmp_path: Path, forms: tuple[str, str]) -> None:
    table = of_column(tmp_path, [forms[i % 2].format(value) for i, value in enumerate(A)])
    assert asked(table) == ["several units"]
    assert table.values[1, 0] / table.values[0, 0] == pytest.approx(A[1] * 1000 / round(A[0], 1))


@pytest.mark.parametrize("forms", [("{:.0f} mg/dl", "{:.1f} mmol/l"), ("{:.1f} mm", "{:.1f} kg")])
def test_units_of_different_quantities_are_named(tmp_path: Path, forms: tuple[str, str]) -> None:
    table = of_column(tmp_path, [forms[i % 2].format(value * 9) for i, value in enumerate(A)])
    (check,) = [check for check in table.checks if check.kind == "several units"]
    assert all(form.split()[1] in check.sentence for form in forms)
    assert "text among numbers" not in {check.kind for check in table.checks}


@pytest.mark.parametrize("cells", [["3 months", "1 year"], ["5 mg", "1 g", "10 mg"]])
def test_a_few_amounts_in_several_units_are_categories(tmp_path: Path, cells: list[str]) -> None:
    table = of_column(tmp_path, [cells[i % len(cells)] for i in range(N)])
    assert not asked(table)
    assert set(table.categories[0]) == {*cells}


@pytest.mark.parametrize(
    ("form", "negative", "sep"),
    [('"{:,.2f}"', '"({:,.2f})"', ","), ('"${:,.2f}"', '"$({:,.2f})"', ","), ("{:.2f}", "{:.2f}-", ";")],
)
def test_negative_numbers_of_accounts_are_asked_about(tmp_path: Path, form: str, negative: str, sep: str) -> None:
    values = [round(value * 1000 * (-1 if i % 3 else 1), 2) for i, value in enumerate(A)]
    cells = [(form if value >= 0 else negative).format(abs(value)) for value in values]
    table = of_column(tmp_path, cells, sep)
    assert asked(table) == ["negative numbers"]
    np.testing.assert_allclose(table.values[:, 0], values)
    assert not asked(of_column(tmp_path, cells, sep, types="a=number"))


def test_numbers_that_are_all_in_brackets_are_none(tmp_path: Path) -> None:
    assert 0 in of_column(tmp_path, [f"({value})" for value in A]).categories


@pytest.mark.parametrize("form", ["{}x10^3", "{} × 10³", "{}*10^3", "{} x 10E3", "{} x 10^+3"])
def test_powers_of_ten_as_people_write_them_are_numbers(tmp_path: Path, form: str) -> None:
    table = of_column(tmp_path, [form.format(value) for value in A])
    np.testing.assert_allclose(table.values[:, 0], [value * 1000 for value in A])
    assert not asked(table)


@pytest.mark.parametrize("first", [0xFF10, 0x660])
def test_figures_of_other_scripts_are_numbers(tmp_path: Path, first: int) -> None:
    signs = str.maketrans("0123456789.", "".join(map(chr, range(first, first + 10))) + "\uff0e")
    table = of_column(tmp_path, [str(value).translate(signs) for value in A])
    assert table.values[:, 0].tolist() == A
    assert not asked(table)


@pytest.mark.parametrize("codes", [".A .B", ".a .z ._"])
def test_missing_values_of_sas_and_stata_are_missing(tmp_path: Path, codes: str) -> None:
    words = codes.split()
    table = of_column(tmp_path, [words[i % len(words)] if i % 9 == 4 else str(value) for i, value in enumerate(A)])
    assert int(np.isnan(table.values[:, 0]).sum()) == 4
    assert not asked(table)


@pytest.mark.parametrize(
    "form", ["{:02}JAN2019", "{:02}jan2019", "{:02}JAN2019:10:15:00", "2019年1月{}日", "2019년 1월 {}일"]
)
def test_dates_of_sas_stata_and_the_east_are_days(tmp_path: Path, form: str) -> None:
    table = of_column(tmp_path, [form.format(i % 28 + 1) for i in range(N)])
    assert 0 not in table.categories
    np.testing.assert_allclose(np.diff(table.values[:3, 0]), 1)
    assert not asked(table)


@pytest.mark.parametrize("sign", [",", "."])
def test_text_with_three_figures_behind_each_sign_in_a_sheet_is_asked_about(tmp_path: Path, sign: str) -> None:
    book = xlsxwriter.Workbook(tmp_path / "t.xlsx")
    sheet = book.add_worksheet()
    cells = [f"{value + i / 1000:.3f}".replace(".", sign) for i, value in enumerate(A)]
    for place, row in enumerate([("a", "b", "group"), *zip(cells, B, KIND, strict=True)]):
        sheet.write_row(place, 0, row)
    book.close()
    if sign == ",":
        table = read(tmp_path / "t.xlsx")
        assert asked(table) == ["thousands"]
        decimals = read(tmp_path / "t.xlsx", ReadOptions(thousands="none"))
        assert not asked(decimals)
        np.testing.assert_allclose(1000 * decimals.values[:, 0], table.values[:, 0])
    else:
        assert not asked(read(tmp_path / "t.xlsx"))


@pytest.mark.parametrize("place", [3, 17])
def test_hidden_rows_of_a_sheet_are_asked_about(tmp_path: Path, place: int) -> None:
    book = xlsxwriter.Workbook(tmp_path / "t.xlsx")
    book.add_worksheet("notes & more").write(0, 0, "nothing")
    sheet = book.add_worksheet("data <1>")
    for row, cells in enumerate([("a", "b", "group"), *zip(A, B, KIND, strict=True)], place):
        sheet.write_row(row, 2, cells)
    for row in (place + 4, place + 9):
        sheet.set_row(row, options={"hidden": True})
    sheet.set_column(3, 3, options={"hidden": True})
    book.close()
    table = read(tmp_path / "t.xlsx")
    assert "hidden rows" in asked(table)
    assert len(table.rows) == N
    assert any(check.kind == "hidden columns" and '"b"' in check.sentence for check in table.checks)
    without = read(tmp_path / "t.xlsx", ReadOptions(hidden="skip"))
    assert without.values[:, 0].tolist() == [value for i, value in enumerate(A) if i not in (3, 8)]
    assert "hidden rows" not in asked(without)
    assert "hidden rows" not in asked(read(tmp_path / "t.xlsx", ReadOptions(hidden="keep")))


@pytest.mark.parametrize("names", [["1-Mar", "2-Sep", "TP53"], ["01. Mrz", "MYC", "KRAS", "Sep 15"]])
def test_names_that_excel_made_dates_of_are_named(tmp_path: Path, names: list[str]) -> None:
    columns = [A, B, C, A][: len(names)]
    table = read(saved(tmp_path / "t.csv", ",".join([*names, "x", "y", "z", "group"]) + "\n"
                       + rows(*columns, A, B, C, KIND)))  # fmt: skip
    assert "names like dates" in {check.kind for check in table.checks}
    days = ",".join(f"{day}-Mar" for day in range(1, 4)) + ",group\n"
    assert "names like dates" not in {
        c.kind for c in read(saved(tmp_path / "u.csv", days + rows(A, B, C, KIND))).checks
    }


@pytest.mark.parametrize("levels", [["5-Jan", "10-Jun", "15-Nov"], ["1-2", "3-4", "May-10"]])
def test_ranges_that_excel_made_dates_of_are_named(tmp_path: Path, levels: list[str]) -> None:
    table = of_column(tmp_path, [levels[i % 3] for i in range(N)])
    assert "categories like dates" in {check.kind for check in table.checks}


HEADERS = [
    ["Visit 1,Visit 1,Visit 2,Visit 2,", "Lab,Lab,Lab,Lab,", "CRP,LDH,CRP,LDH,group"],
    ["Visit 1,,Visit 2,,group", "CRP,LDH,CRP,LDH,", "mg/l,U/l,mg/l,U/l,"],
]


@pytest.mark.parametrize("lines", HEADERS)
def test_three_lines_above_the_numbers_are_names_and_units(tmp_path: Path, lines: list[str]) -> None:
    table = read(saved(tmp_path / "t.csv", "\n".join(lines) + "\n" + rows(A, B, C, A, KIND)))
    assert len(table.rows) == N
    assert not asked(table)
    assert table.default_target == "group"
    assert all("Visit 2" in name for name in table.columns[2:4])
    assert "LDH" in table.columns[3]


@pytest.mark.parametrize(("sep", "encoding"), [("\t", "utf-16"), (",", "utf-8")])
def test_lines_of_a_survey_below_the_names_are_no_rows(tmp_path: Path, sep: str, encoding: str) -> None:
    mark = '{{"ImportId":"{}"}}' if sep == "\t" else '"{{""ImportId"":""{}""}}"'
    head = [["ResponseId", "Q1", "Q2", "group"], ["Response ID", "How are you?", "Which?", "Arm"]]
    head.append([mark.format(f"QID{k}") for k in range(4)])
    answers = [("fine", "bad")[i % 3 % 2] for i in range(N)]
    body = rows([f"R_{i:03x}" for i in range(N)], answers, [("x", "y", "z")[i % 3] for i in range(N)], KIND, sep=sep)
    text = "".join(sep.join(line) + "\n" for line in head) + body
    table = read(saved(tmp_path / "t.tsv", text.encode(encoding)))
    assert len(table.rows) == N
    assert not asked(table)


@pytest.mark.parametrize("note", ["(40 rows affected)", "40 rows in set"])
def test_a_note_of_a_database_does_not_hide_the_separator(tmp_path: Path, note: str) -> None:
    text = rows(["a", *A], ["b", *B], ["group", *KIND], sep="\t") + "\n" + note + "\n"
    table = read(saved(tmp_path / "t.txt", text))
    assert len(table.rows) == N
    assert table.columns == ("a", "b", "group")
    assert not asked(table)


@pytest.mark.parametrize("names", [{"feature_names": ["a", "b"]}, {}])
def test_y_beside_the_rows_of_json_is_the_target(tmp_path: Path, names: dict[str, Any]) -> None:
    rows_of = [[a, b] for a, b in zip(A, B, strict=True)]
    table = read(saved(tmp_path / "t.json", json.dumps({"X": rows_of, "y": KIND, **names})))
    assert table.default_target == "y"
    assert table.columns[:2] == (("a", "b") if names else ("x1", "x2"))
    codes = {"data": rows_of, "target": [i % 2 for i in range(N)], "target_names": ["sick", "well"], **names}
    bunch = read(saved(tmp_path / "u.json", json.dumps(codes)))
    assert bunch.categories[2] == ("sick", "well")
    with pytest.raises(DataError, match='"y" has 39 values, but "X" has 40 rows'):
        read(saved(tmp_path / "v.json", json.dumps({"X": rows_of, "y": KIND[1:]})))


@pytest.mark.parametrize("lacking", [0, 1])
def test_a_record_that_lacks_a_value_changes_no_order(tmp_path: Path, lacking: int) -> None:
    records = [{"a": a, "b": b, "c": c, "group": kind} for a, b, c, kind in zip(A, B, C, KIND, strict=True)]
    del records[lacking]["c"]
    table = read(saved(tmp_path / "t.json", json.dumps(records)))
    assert table.columns == ("a", "b", "c", "group")


GENOTYPES = [
    (["A/G", "A/A", "./."], {"./."}),
    (["0/1", "0/0", "1/1", "./."], {"./."}),
    (["AG", "AA", "GG", "--"], {"--"}),
    (["A G", "A A", "0 0"], {"0 0"}),
    (["0|0", "0|1", "1|1"], set()),
    (["NN", "TN", "TT"], set()),
]


@pytest.mark.parametrize(("words", "absent"), GENOTYPES)
def test_genotypes_that_were_not_called_are_missing(tmp_path: Path, words: list[str], absent: set[str]) -> None:
    table = of_column(tmp_path, [words[i * 7 % 5 % len(words)] for i in range(N)])
    assert set(table.categories[0]) == {*words} - absent
    assert any(check.kind == "missing spellings" for check in table.checks) == bool(absent)
    for word in absent:
        kept = of_column(tmp_path, [words[i * 7 % 5 % len(words)] for i in range(N)], missing_values=f"a=!{word}")
        assert word in kept.categories[0]


@pytest.mark.parametrize("form", ["{:.0f}%", "{:.1f} %"])
def test_fractions_among_percentages_are_asked_about(tmp_path: Path, form: str) -> None:
    shares = [0.2 + i / 100 for i in range(N)]
    cells = [form.format(100 * share) if i % 3 else f"{share:.2f}" for i, share in enumerate(shares)]
    table = of_column(tmp_path, cells)
    assert asked(table) == ["several units"]
    np.testing.assert_allclose(table.values[:, 0], [100 * share for share in shares], atol=0.51)
    assert not asked(of_column(tmp_path, cells, types="a=number"))
    assert not asked(of_column(tmp_path, [form.format(100 * share) for share in shares]))


@pytest.mark.parametrize("form", ["CHF {:,.2f}", "EUR {:,.2f}", "Rs. {:,.2f}"])
def test_amounts_behind_a_currency_are_numbers(tmp_path: Path, form: str) -> None:
    table = of_column(tmp_path, ['"' + form.format(value * 1000) + '"' for value in A])
    np.testing.assert_allclose(table.values[:, 0], [value * 1000 for value in A])
    assert not asked(table)


@pytest.mark.parametrize("codes", [("888", "999"), ("-88", "-99")])
def test_two_numbers_for_missing_do_not_hide_each_other(tmp_path: Path, codes: tuple[str, str]) -> None:
    cells = [codes[i % 2] if i % 9 in (4, 5) else str(20 + i) for i in range(N)]
    table = of_column(tmp_path, cells)
    assert asked(table) == ["number for missing", "number for missing"]
    assert int(np.isnan(table.values[:, 0]).sum()) == sum(cell in codes for cell in cells)


@pytest.mark.parametrize("form", ["pat{:02}_slide{}.png", "TCGA-AB-{:04}-{}1A"])
def test_pictures_and_tissues_of_one_patient_are_a_group(tmp_path: Path, form: str) -> None:
    names = [form.format(i // 2, i % 2) for i in range(N)]
    owners = [("case", "control")[i // 2 % 2] for i in range(N)]
    table = read(saved(tmp_path / "t.csv", "image,a,b,group\n" + rows(names, A, B, owners)))
    assert asked(table) == ["replicates"]
    assert len({*table.values[:, table.columns.index(table.default_group)].tolist()}) == N // 2


@pytest.mark.parametrize("pair", ["''", "“”"])
def test_other_marks_around_all_cells_are_no_part_of_them(tmp_path: Path, pair: str) -> None:
    first, last = pair
    names = [f"{first}{name}{last}" for name in ("a", "b", "group")]
    table = read(saved(tmp_path / "t.csv", ",".join(names) + "\n"
                       + rows(A, [f"{first}{b}{last}" for b in B], [f"{first}{k}{last}" for k in KIND])))  # fmt: skip
    assert table.columns == ("a", "b", "group")
    assert table.values[:, 1].tolist() == B
    assert table.categories[2] == ("case", "control")


@pytest.mark.parametrize("sep", [",", ";"])
def test_a_name_too_few_is_refused_where_the_first_column_is_measured(tmp_path: Path, sep: str) -> None:
    path = saved(tmp_path / "t.csv", sep.join(["a", "b", "group"]) + "\n" + rows(A, B, C, KIND, sep=sep))
    with pytest.raises(DataError, match="has 3 names for 4 columns"):
        read(path)
    rownames = saved(tmp_path / "u.csv", sep.join(["a", "group"]) + "\n" + rows(range(1, N + 1), B, KIND, sep=sep))
    assert read(rownames).columns == ("a", "group")


@pytest.mark.parametrize(
    ("first", "other", "factor"), [("mmol/l", "µmol/l", 1000), ("kg", "g", 1000), ("years", "months", 12)]
)
def test_a_later_table_in_another_unit_is_converted(tmp_path: Path, first: str, other: str, factor: float) -> None:
    def written(name: str, unit: str, times: float) -> Path:
        cells = [f"{value * times:.4f} {unit}" for value in A]
        return saved(tmp_path / name, "a,b,group\n" + rows(cells, B, KIND))

    learned = Learned.of(read_table(written("t.csv", first, 1)))
    later = read_as_learned(written("u.csv", other, factor), learned)
    np.testing.assert_allclose(later.values[:, 0], A, rtol=1e-3)
    assert any(check.kind == "units" and other in check.sentence for check in later.checks)
    np.testing.assert_allclose(read_as_learned(written("v.csv", first, 1), learned).values[:, 0], A)


@pytest.mark.parametrize(("first", "other"), [("mmol/l", "mg/dl"), ("kg", "cm")])
def test_a_later_table_in_a_unit_of_another_quantity_is_refused(tmp_path: Path, first: str, other: str) -> None:
    for name, unit in (("t.csv", first), ("u.csv", other)):
        saved(tmp_path / name, "a,b,group\n" + rows([f"{value} {unit}" for value in A], B, KIND))
    learned = Learned.of(read_table(tmp_path / "t.csv"))
    with pytest.raises(DataError, match=f'Column "a" is in {first}, but row 1 contains'):
        read_as_learned(tmp_path / "u.csv", learned)


@pytest.mark.parametrize(("encoding", "words"), [("gb18030", ("阳性", "阴性")), ("cp874", ("บวก", "ลบ"))])
def test_letters_of_other_scripts_are_proposed_rather_than_points_or_signs(
    tmp_path: Path, encoding: str, words: tuple[str, str]
) -> None:
    text = "id,a,b,group\n" + rows(range(100, 100 + N), A, B, [words[i % 2] for i in range(N)])
    table = read(saved(tmp_path / "t.csv", text.encode(encoding)))
    assert asked(table) == ["encoding"]
    assert set(table.categories[len(table.columns) - 1]) == {*words}
