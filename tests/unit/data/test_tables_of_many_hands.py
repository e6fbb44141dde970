"""Tables that several people or programs wrote: slips, units that do not fit, encodings by line, blocks of samples."""

import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fsdesk.data import Learned, ReadOptions, Table, questions, read, read_as_learned, read_table
from fsdesk.errors import DataError
from tests.fuzzing import excel_97, xls_record, xls_texts

N = 40
RNG = np.random.default_rng(46)
A, B, C = (RNG.normal(5, 1, N).round(2).tolist() for _ in range(3))
KIND = [("case", "control")[i * 7 // 3 % 2] for i in range(N)]
IDS = [f"P{i + 1:02d}" for i in range(N)]


def saved(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def lines(*rows: Any, sep: str = ",") -> str:
    return "".join(sep.join(map(str, row)) + "\n" for row in rows)


def asked(table: Table, *, named: bool = False) -> list[str]:
    return [question.kind for question in questions(table.readings, table.default_target, named=named)]


def kinds(table: Table) -> set[str]:
    return {check.kind for check in table.checks}


def with_cells(folder: Path, cells: list[Any], name: str = "t.csv", sep: str = ",", **options: str) -> Table:
    rows = zip(IDS, cells, B, KIND, strict=True)
    return read(saved(folder / name, lines(["id", "a", "b", "group"], *rows, sep=sep)), ReadOptions(**options))


UNITS = [
    ([f"{a} mmol/L" if i % 3 else f"{18 * a:.0f} mg/dL" for i, a in enumerate(A)], "mmol/L"),
    ([f"{34 + a:.1f} °C" if i % 4 else f"{93 + a:.1f} °F" for i, a in enumerate(A)], "°C"),
    ([f"{60 + 7 * a:.1f} kg" if i % 3 else f"{20 + a} kg/m2" for i, a in enumerate(A)], "kg"),
]


@pytest.mark.parametrize(("cells", "unit"), UNITS)
def test_units_that_cannot_be_converted_are_asked_about(tmp_path: Path, cells: list[str], unit: str) -> None:
    table = with_cells(tmp_path, cells)
    assert asked(table) == ["several units"]
    assert 0 in table.categories
    made = with_cells(tmp_path, cells, types=f"a=number in {unit}, others missing")
    others = [i for i, cell in enumerate(cells) if not cell.endswith(f" {unit}")]
    assert np.flatnonzero(np.isnan(made.values[:, 0])).tolist() == others
    assert not asked(made)
    assert not asked(with_cells(tmp_path, cells, types="a=category"))


def test_what_counts_1st_2nd_and_3rd_is_no_unit(tmp_path: Path) -> None:
    ends = {1: "st", 2: "nd", 3: "rd"}
    assert not asked(with_cells(tmp_path, [f"{i % 20}{ends.get(i % 10, 'th')}" for i in range(N)]))


@pytest.mark.parametrize(
    "cells",
    [
        [f"{a}" if i % 3 else f"{38 * a:.0f} mg/dL" for i, a in enumerate(A)],
        [f"{170 + a:.0f} cm" if i % 3 else f"{1.7 + a / 100:.2f}" for i, a in enumerate(A)],
    ],
)
def test_a_unit_on_some_numbers_that_are_far_from_the_others_is_asked_about(tmp_path: Path, cells: list[str]) -> None:
    assert asked(with_cells(tmp_path, cells)) == ["several units"]


def test_a_unit_on_some_numbers_like_the_others_is_not_asked_about(tmp_path: Path) -> None:
    table = with_cells(tmp_path, [f"{a} mg/L" if i % 3 else f"{a}" for i, a in enumerate(A)])
    assert not asked(table)
    np.testing.assert_array_equal(table.values[:, 0], A)


@pytest.mark.parametrize("slip", ["1.2.3", "l2.5", "4.5 (haemolysed)", "4.5/4.7", "see 12"])
def test_a_slip_among_numbers_is_asked_about(tmp_path: Path, slip: str) -> None:
    table = with_cells(tmp_path, [slip if i in (7, 20) else a for i, a in enumerate(A)])
    assert asked(table) == ["word among numbers"]
    assert np.flatnonzero(np.isnan(table.values[:, 0])).tolist() == [7, 20]
    assert not asked(with_cells(tmp_path, [slip if i == 7 else a for i, a in enumerate(A)], types="a=category"))


@pytest.mark.parametrize("codes", [[f"{250 + i}" if i % 9 else f"V{i}" for i in range(N)],
                                   [f"{100 + i}" if i % 7 else f"{100 + i}B" for i in range(N)]])  # fmt: skip
def test_codes_of_which_some_have_letters_are_no_numbers(tmp_path: Path, codes: list[str]) -> None:
    assert not asked(with_cells(tmp_path, codes))


@pytest.mark.parametrize(("said", "sign"), [("less than {}", "<"), ("kleiner als {}", "<"), ("&lt;{}", "<"),
                                            ("über {}", ">"), ("more than {}", ">")])  # fmt: skip
def test_limits_in_words_are_limits(tmp_path: Path, said: str, sign: str) -> None:
    cells = [said.format(a) if i % 5 == 0 else str(a) for i, a in enumerate(A)]
    table = with_cells(tmp_path, cells)
    assert asked(table) == ["limits"]
    expected = [a / 2 if i % 5 == 0 and sign == "<" else a for i, a in enumerate(A)]
    np.testing.assert_allclose(table.values[:, 0], expected)


@pytest.mark.parametrize("form", ["{} €", "{}"])
def test_another_decimal_sign_with_thousands_is_found(tmp_path: Path, form: str) -> None:
    cells = [form.format(f"{1 + i % 3}.{100 + 7 * i},50") for i in range(N)]
    table = with_cells(tmp_path, cells, sep=";")
    assert asked(table) == ["decimal of a column"]
    np.testing.assert_array_equal(table.values[:, 0], [1000 * (1 + i % 3) + 100 + 7 * i + 0.5 for i in range(N)])


@pytest.mark.parametrize(
    ("code", "others"), [(-1, A), (-1, [20 + i % 9 for i in range(N)]), (-3, [i % 4 for i in range(N)])]
)
def test_negative_codes_below_counts_are_asked_about(tmp_path: Path, code: int, others: list[float]) -> None:
    table = with_cells(tmp_path, [code if i % 11 == 5 else value for i, value in enumerate(others)])
    assert asked(table) == ["number for missing"]
    assert np.isnan(table.values[5, 0])


OTHERS_BELOW_NULL = [
    [i % 3 - 1 for i in range(N)],
    [i % 7 - 3 for i in range(N)],
    [(-1) ** i for i in range(N)],
    [round(a - 5, 1) for a in A],
]


@pytest.mark.parametrize("values", OTHERS_BELOW_NULL)
def test_negative_numbers_among_others_are_not_asked_about(tmp_path: Path, values: list[float]) -> None:
    assert not asked(with_cells(tmp_path, values))


@pytest.mark.parametrize("placeholder", ["9999-12-31", "0000-00-00"])
def test_dates_that_stand_for_none_are_named(tmp_path: Path, placeholder: str) -> None:
    cells = [placeholder if i % 9 == 2 else f"2020-01-{1 + i % 28:02d}" for i in range(N)]
    table = with_cells(tmp_path, cells)
    check = next(check for check in table.checks if check.kind == "missing spellings")
    assert placeholder in check.sentence


@pytest.mark.parametrize("form", ["[{}]", "array([{}])", "tensor({})", "'{}", "\u200b{}", "{}\u200e"])
def test_what_programs_write_around_numbers_is_no_part_of_them(tmp_path: Path, form: str) -> None:
    table = with_cells(tmp_path, [form.format(a) for a in A])
    np.testing.assert_array_equal(table.values[:, 0], A)
    assert not asked(table)


@pytest.mark.parametrize("dash", ["\N{EN DASH}", "\N{MINUS SIGN}", "\N{FIGURE DASH}"])
def test_a_dash_before_a_number_is_its_sign(tmp_path: Path, dash: str) -> None:
    table = with_cells(tmp_path, [f"{dash}{a}" if i % 2 else a for i, a in enumerate(A)])
    np.testing.assert_array_equal(table.values[:, 0], [-a if i % 2 else a for i, a in enumerate(A)])


PERCENTS = [f"{10 * a:.1f}%" for a in A]
FRACTIONS = [f"{a / 10:.3f}" for a in A]


@pytest.mark.parametrize(("first", "other"), [(PERCENTS, FRACTIONS), (FRACTIONS, PERCENTS)])
def test_percentages_and_fractions_of_two_tables_are_one_after_asking(
    tmp_path: Path, first: list[str], other: list[str]
) -> None:
    made = with_cells(tmp_path, first)
    learned = Learned.of(read_table(tmp_path / "t.csv"))
    with_cells(tmp_path, other, "new.csv")
    later = read_as_learned(tmp_path / "new.csv", learned)
    assert asked(later, named=True) == ["several units"]
    np.testing.assert_allclose(later.values[:, 0], made.values[:, 0])
    for answer in next(each for each in later.readings if each.kind == "several units").alternatives:
        again = read_as_learned(tmp_path / "new.csv", learned, answer.added_to(ReadOptions()))
        assert not asked(again, named=True)
    assert not asked(read_as_learned(tmp_path / "t.csv", learned), named=True)


# Lines, encodings and blocks.


@pytest.mark.parametrize("other", [lambda i: i >= N // 2, lambda i: i % 4 == 3])
def test_lines_of_two_encodings_are_each_decoded(tmp_path: Path, other: Callable[[int], bool]) -> None:
    kinds_of = [("Größe", "Nähe")[i * 7 // 3 % 2] for i in range(N)]
    text = b"".join(
        f"Müller{i};{a};{kind}\n".encode("cp1252" if other(i) else "utf-8")
        for i, (a, kind) in enumerate(zip(A, kinds_of, strict=True))
    )
    table = read(saved(tmp_path / "t.csv", b"name;a;kind\n" + text))
    assert table.categories[1] == ("Größe", "Nähe")
    assert table.rows == tuple(f"Müller{i}" for i in range(N))
    first = next(i for i in range(N) if other(i)) + 2
    assert any(check.kind == "two encodings" and f"line {first}," in check.sentence for check in table.checks)
    assert not asked(table)


@pytest.mark.parametrize(
    "title", ["The SAS System 10:00 Monday, May 4, 2020 1", "Listing of all patients of the study"]
)
def test_a_title_of_words_above_a_listing_is_no_line_of_it(tmp_path: Path, title: str) -> None:
    text = lines(["Obs", "id", "a", "group"], *zip(range(1, N + 1), IDS, A, KIND, strict=True), sep="   ")
    table = read(saved(tmp_path / "t.txt", f"    {title}\n\n{text}"))
    assert table.columns[-2:] == ("a", "group")
    np.testing.assert_array_equal(table.values[:, table.columns.index("a")], A)


@pytest.mark.parametrize(("word", "said"), [("grün".encode().decode("cp1252"), 'looks like "grün"'),
                                            ("5–9".encode().decode("cp1252"), 'looks like "5–9"'),
                                            ("gr\ufffdn", "was lost in an earlier conversion")])  # fmt: skip
def test_characters_that_were_damaged_before_are_named(tmp_path: Path, word: str, said: str) -> None:
    rows = zip(IDS, A, [word if kind == "case" else kind for kind in KIND], strict=True)
    table = read(saved(tmp_path / "t.csv", lines(["id", "a", "kind"], *rows)))
    check = next(check for check in table.checks if check.kind == "damaged characters")
    assert said in check.sentence
    assert f"Line {KIND.index('case') + 2} " in check.sentence


@pytest.mark.parametrize("word", ["Âge", "São João", "CRÂNE", "Ärzte"])
def test_capitals_with_accents_are_no_damage(tmp_path: Path, word: str) -> None:
    rows = zip(IDS, A, [word if kind == "case" else kind for kind in KIND], strict=True)
    assert "damaged characters" not in kinds(read(saved(tmp_path / "t.csv", lines(["id", "a", "kind"], *rows))))


def test_an_end_of_file_mark_before_the_last_line_end_is_no_line(tmp_path: Path) -> None:
    text = lines(["id", "a", "group"], *zip(IDS, A, KIND, strict=True))
    assert len(read(saved(tmp_path / "t.csv", text.encode() + b"\x1a\r\n")).rows) == N


@pytest.mark.parametrize("again", [lambda row: row, lambda row: [*row[:2], "mmol/L", ""]])
def test_lines_without_an_id_below_the_names_are_about_the_columns(
    tmp_path: Path, again: Callable[[list[str]], list[str]]
) -> None:
    names, units = ["id", "a", "b", "group"], again(["", "mg/L", "mmol/L", ""])
    rows = list(zip(IDS, A, B, KIND, strict=True))
    text = lines(names, units, *rows[:20]) + lines(names, units, *rows[20:])
    table = read(saved(tmp_path / "t.csv", text))
    assert table.rows == tuple(IDS)
    assert (table.descriptions["a"], table.descriptions["b"]) == ("mg/L", "mmol/L")
    assert not asked(table)


def test_classes_and_limits_of_metabolites_below_their_names_are_no_samples(tmp_path: Path) -> None:
    about = [["", "", "Class", "acylcarnitines", "lipids"], ["", "", "LOD [µM]", 0.9, 0.1]]
    names = ["Plate", "Sample ID", "Sample Type", "C0", "C2"]
    rows = [[100 + i // 20, IDS[i], "Sample" if i % 10 else "QC Level 2", A[i], B[i]] for i in range(N)]
    table = read(saved(tmp_path / "t.csv", lines(names, *about, *rows, sep=";")))
    assert len(table.rows) == N
    np.testing.assert_array_equal(table.values[:, table.columns.index("C0")], A)
    assert any(check.kind == "control samples" and "QC Level 2" in check.sentence for check in table.checks)


VALUES = RNG.normal(800, 90, (12, 20)).round(1)
SAMPLES = [f"{('ctl', 'trt')[i % 2]}_{i // 2 + 1}" for i in range(20)]


def of_msdial() -> list[list[Any]]:
    about = [["Class", *(name[:3] for name in SAMPLES), "NA"], ["File type", *["Sample"] * 20, "NA"],
             ["Injection order", *range(1, 21), "NA"]]  # fmt: skip
    titles = ["Alignment ID", "Average Mz", "Metabolite name", "MS/MS spectrum", *SAMPLES, "Average"]
    rows = [[j, 200 + j, "Unknown" if j % 3 else f"Met{j}", "101:20", *VALUES[j], 5] for j in range(12)]
    return [*([*[""] * 3, *line] for line in about), titles, *rows]


def of_metabolon() -> list[list[Any]]:
    about = [["CLIENT ID", *SAMPLES], ["GROUP", *(name[:3] for name in SAMPLES)]]
    titles = ["SORTORDER", "BIOCHEMICAL", "COMP ID", "HMDB", *[""] * 20]
    rows = [[j // 2, f"met {j}", 1000 + j, f"HMDB{j:05d}", *VALUES[j]] for j in range(12)]
    return [*([*[""] * 3, *line] for line in about), titles, *rows]


@pytest.mark.parametrize(("made", "target"), [(of_msdial, "Class"), (of_metabolon, "GROUP")])
def test_lines_about_the_samples_above_the_values_are_found(
    tmp_path: Path, made: Callable[[], list[list[Any]]], target: str
) -> None:
    path = saved(tmp_path / "t.txt", lines(*made(), sep="\t"))
    assert asked(read(path)) == ["orientation"]
    table = read(path, ReadOptions(orientation="columns"))
    assert not asked(table)
    assert table.rows == tuple(SAMPLES)
    assert table.default_target == target
    np.testing.assert_array_equal(table.values[:, :12], VALUES.T)
    data = read_table(path, orientation="columns")
    assert len(data.features) == 12
    assert set(data.classes) == {"ctl", "trt"}


@pytest.mark.parametrize(
    "above",
    [
        ["", "", "years", "mg/L", "mmol/L", "g/L", ""],
        ["", "", *["Lab"] * 4, ""],
        ["", "", "Base", "Lab", "Lab", "Lab", "End"],
    ],
)
def test_units_and_headings_above_the_names_do_not_turn_a_table(tmp_path: Path, above: list[str]) -> None:
    rows = [[IDS[i], "mf"[i % 2], 30 + i % 23, A[i], B[i], C[i], KIND[i]] for i in range(N)]
    table = read(saved(tmp_path / "t.csv", lines(above, ["id", "sex", "age", "crp", "ldl", "alb", "group"], *rows)))
    assert len(table.rows) == N
    assert "orientation" not in asked(table)


def of_olink(*, kind: bool, bridge: bool) -> str:
    head = ["SampleID", *(["Sample_Type"] if kind else []), "Assay", "PlateID", "NPX"]
    rows = []
    for plate in (1, 2):
        names = [*IDS[10 * plate - 10 : 10 * plate], "CONTROL_IPC", "CONTROL_NEG"]
        names += [IDS[0]] if bridge and plate == 2 else []
        for assay in range(6):
            for place, name in enumerate(names):
                said = ["CONTROL" if "CONTROL" in name else "SAMPLE"] if kind else []
                rows.append([name, *said, f"PROT{assay}", f"Plate{plate}", round(assay + place / 7 + plate, 3)])
    return lines(head, *rows, sep=";")


@pytest.mark.parametrize("kind", [False, True])
def test_controls_on_every_plate_are_no_samples_of_a_long_table(tmp_path: Path, kind: bool) -> None:
    path = saved(tmp_path / "t.csv", of_olink(kind=kind, bridge=False))
    table = read(path, ReadOptions(orientation="long"))
    assert table.rows == tuple(IDS[:20])
    assert "control samples" in kinds(table)
    assert "long form" in asked(read(path))


def test_a_sample_on_two_plates_of_a_long_table_is_named(tmp_path: Path) -> None:
    path = saved(tmp_path / "t.csv", of_olink(kind=True, bridge=True))
    with pytest.raises(DataError, match='has several values of "PROT0" for "P01"'):
        read(path, ReadOptions(orientation="long"))
    assert "long form" in asked(read(path))


@pytest.mark.parametrize(("other", "size"), [("mg/L", 0.1), ("mg/dL", None)])
def test_units_of_a_long_table_that_differ_are_converted_or_asked_about(
    tmp_path: Path, other: str, size: float | None
) -> None:
    first = "mg/dL" if size else "mmol/L"
    rows = [[name, test, value, (other if i % 3 == 0 and test == "LDL" else first)]
            for i, name in enumerate(IDS) for test, value in (("CRP", A[i]), ("LDL", B[i]))]  # fmt: skip
    path = saved(tmp_path / "t.csv", lines(["patient", "test", "result", "unit"], *rows))
    table = read(path, ReadOptions(orientation="long"))
    assert "several units" in asked(table)
    place = table.columns.index("LDL")
    assert (place in table.categories) == (size is None)
    if size:
        np.testing.assert_allclose(table.values[:, place], [b * (size if i % 3 == 0 else 1) for i, b in enumerate(B)])
    np.testing.assert_array_equal(table.values[:, table.columns.index("CRP")], A)


@pytest.mark.parametrize("title", ["Sample", "id"])
def test_numbers_that_an_unquoted_comma_splits_are_no_row_names(tmp_path: Path, title: str) -> None:
    rows = [[IDS[i], f"{4000 + 37 * i:,}", A[i], KIND[i]] for i in range(N)]
    with pytest.raises(DataError, match=r"has 4 names for 5 columns\. Does a cell contain the separator"):
        read(saved(tmp_path / "t.csv", lines([title, "CD4", "a", "group"], *rows)))


def test_proteins_that_maxquant_marks_are_named(tmp_path: Path) -> None:
    titles = ["Protein IDs", *(f"LFQ intensity {name}" for name in SAMPLES), "Reverse", "Potential contaminant"]
    rows = [[f"P{j}", *VALUES[j], "+" if j == 5 else "", "+" if j == 3 else ""] for j in range(12)]
    table = read(
        saved(tmp_path / "proteinGroups.txt", lines(titles, *rows, sep="\t")), ReadOptions(orientation="columns")
    )
    check = next(check for check in table.checks if check.kind == "marked features")
    assert check.columns == ("P3", "P5")


def printed_by_pandas() -> str:
    return "    a    b  ...  group\n" + "".join(
        f"{i}  {a} {b}  ...  x\n" for i, (a, b) in enumerate(zip(A, B, strict=True))
    )


def printed_without_its_middle() -> str:
    rows = list(zip(IDS, A, B, KIND, strict=True))
    return lines(["id", "a", "b", "group"], *rows[:5], ["..."] * 4, *rows[35:])


def summary_of_r() -> str:
    quartiles = (" Min.   :1.000  Min.   :2.000", " 1st Qu.:3.000  1st Qu.:4.000", " Median :5.000  Median :5.000")
    return "\n".join([" a              b", *quartiles, ""])


def structure_of_r() -> str:
    return "'data.frame':\t150 obs. of  2 variables:\n $ a: num  5.1 4.9 4.7\n $ b: num  3.5 3 3.2\n"


def reads_by_status() -> str:
    return lines(["Status", "s1.bam", "s2.bam"], ["Assigned", 10, 20], ["Unassigned_Unmapped", 1, 2], sep="\t")


def reads_of_star() -> str:
    genes = [[f"ENSG{j}", j, 1, 2] for j in range(9)]
    return lines(["N_unmapped", 1, 1, 1], ["N_multimapping", 2, 2, 2], *genes, sep="\t")


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (printed_by_pandas, "was shortened when it was printed"),
        (printed_without_its_middle, "was shortened when it was printed"),
        (summary_of_r, "is a printed summary of a table"),
        (structure_of_r, "is a printed summary of a table"),
        (reads_by_status, "counts the reads of each sample that were assigned"),
        (reads_of_star, "contains a single sample"),
    ],
)
def test_what_is_no_whole_table_of_samples_is_refused(tmp_path: Path, made: Callable[[], str], sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        read(saved(tmp_path / "t.txt", made()))


def test_quotes_of_weka_around_some_texts_are_no_part_of_them(tmp_path: Path) -> None:
    rows = [[a, f"'{kind} group'" if kind == "case" else kind] for a, kind in zip(A, KIND, strict=True)]
    table = read(saved(tmp_path / "t.csv", lines(["a", "'my class'"], *rows)))
    assert table.columns == ("a", "my class")
    assert table.categories[1] == ("case group", "control")


@pytest.mark.parametrize("word", ["<null>", "?"])
def test_null_of_keel_among_numbers_is_missing(tmp_path: Path, word: str) -> None:
    head = "@relation t\n@attribute a real [0, 9]\n@attribute class {case, control}\n@inputs a\n@outputs class\n@data\n"
    rows = [[word if i == 4 else a, kind] for i, (a, kind) in enumerate(zip(A, KIND, strict=True))]
    assert np.flatnonzero(np.isnan(read(saved(tmp_path / "t.dat", head + lines(*rows))).values[:, 0])).tolist() == [4]


# Hidden rows of other workbooks.


def excel_97_with_hidden(path: Path) -> Path:
    texts = sorted({"id", "a", "group", *IDS, *KIND})

    def cell(row: int, column: int, value: Any) -> bytes:
        if isinstance(value, str):
            return xls_record(0xFD, "HHHI", row, column, 0, texts.index(value))
        return xls_record(0x203, "HHHd", row, column, 0, value)

    rows = [["id", "a", "group"], *zip(IDS, A, KIND, strict=True)]
    cells = b"".join(cell(i, j, value) for i, row in enumerate(rows) for j, value in enumerate(row))
    shown = b"".join(xls_record(0x208, "6HI", i, 0, 3, 255, 0, 0, 0x20 if i in (3, 7) else 0) for i in range(N + 1))
    return saved(path, excel_97([xls_record(0x7D, "6H", 1, 1, 2048, 0, 1, 0) + shown + cells], xls_texts(texts)))


def opendocument_with_hidden(path: Path) -> Path:
    def cell(value: Any) -> str:
        if isinstance(value, str):
            return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'

    rows = [["id", "a", "group"], *zip(IDS, A, KIND, strict=True)]
    hidden = ' table:visibility="collapse"'
    body = "".join(f"<table:table-row{hidden if i in (3, 7) else ''}>{''.join(map(cell, row))}</table:table-row>"
                   for i, row in enumerate(rows))  # fmt: skip
    space = "urn:oasis:names:tc:opendocument:xmlns"
    xml = (
        f'<office:document-content xmlns:office="{space}:office:1.0" xmlns:table="{space}:table:1.0" '
        f'xmlns:text="{space}:text:1.0"><office:body><office:spreadsheet><table:table table:name="A &amp; B">'
        f"<table:table-column/><table:table-column{hidden}/><table:table-column/>{body}</table:table>"
        "</office:spreadsheet></office:body></office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        space = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
        packed.writestr("META-INF/manifest.xml", f'<manifest:manifest xmlns:manifest="{space}"/>')
        packed.writestr("content.xml", xml)
    return path


@pytest.mark.parametrize(("name", "made"), [("t.xls", excel_97_with_hidden), ("t.ods", opendocument_with_hidden)])
def test_hidden_rows_and_columns_of_other_workbooks_are_found(
    tmp_path: Path, name: str, made: Callable[[Path], Path]
) -> None:
    table = read(made(tmp_path / name))
    assert len(table.rows) == N
    assert asked(table) == ["hidden rows"]
    assert any(check.kind == "hidden columns" and '"a"' in check.sentence for check in table.checks)
    without = read(tmp_path / name, ReadOptions(hidden="skip"))
    assert without.rows == tuple(each for each in IDS if each not in (IDS[2], IDS[6]))


# Ids of two files.


def joined(folder: Path, ids: list[str], labels: str) -> Table:
    saved(folder / "t.csv", lines(["sample", "a", "b"], *zip(ids, A, B, strict=True)))
    saved(folder / "labels.csv", labels)
    return read(folder / "t.csv", ReadOptions(labels="labels.csv"))


@pytest.mark.parametrize("short", ["{:.5E}", "{:.3e}"])
def test_ids_that_excel_shortened_are_not_joined_by_order(tmp_path: Path, short: str) -> None:
    ids = [str(123456789000 + i) for i in range(N)]
    labels = lines(
        ["sample", "group"], *([short.format(float(name)), kind] for name, kind in zip(ids, KIND, strict=True))
    )
    with pytest.raises(DataError, match=r"has no label for .*123456789000"):
        joined(tmp_path, ids, labels)


@pytest.mark.parametrize("sign", ["_", "-", "."])
def test_ids_made_of_two_columns_of_the_labels_are_matched(tmp_path: Path, sign: str) -> None:
    ids = [f"{IDS[i // 2]}{sign}{('pre', 'post')[i % 2]}" for i in range(N)]
    rows = [[IDS[i // 2], ("pre", "post")[i % 2], KIND[i // 2]] for i in range(N)]
    table = joined(tmp_path, ids, lines(["patient", "time", "group"], *rows[::-1]))
    codes = table.values[:, table.columns.index("group")]
    assert [table.categories[table.columns.index("group")][int(code)] for code in codes] == [
        KIND[i // 2] for i in range(N)
    ]
    assert table.default_group == "patient"


def test_samples_measured_twice_are_proposed_as_groups(tmp_path: Path) -> None:
    labels = lines(["sample", "group"], *zip(IDS[:20], KIND[:20], strict=True))
    table = joined(tmp_path, IDS[:20] * 2, labels)
    assert "replicates" in asked(table)
    assert table.default_group == "sample"


def test_shown_sentences_have_no_gaps(tmp_path: Path) -> None:
    """Numbers and names stand in all of the sentences of these kinds."""
    for cells, _ in UNITS:
        for reading in with_cells(tmp_path, cells).readings:
            assert not re.search(r"[{}]", str(reading.text))
