"""Kinds of tables that people have, two or more of each: read rightly, or asked about; never wrong in silence."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import savemat

from fsdesk.data import Learned, QuestionError, ReadOptions, Table, questions, read, read_as_learned, read_table
from fsdesk.errors import DataError

ROWS = 40


def written(
    folder: Path, header: Sequence[str], row: Callable[[int], Sequence[object]], *, rows: int = ROWS, sep: str = ",",
    name: str = "table.csv", encoding: str = "utf-8",
) -> Path:  # fmt: skip
    lines = [sep.join(header), *(sep.join(map(str, row(i))) for i in range(rows))]
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding=encoding)
    return path


def number(i: int, k: int = 0, decimals: int = 3) -> str:
    return f"{random.Random(f'{i} {k}').gauss(0, 1):.{decimals}f}"


def of_class(i: int) -> str:
    return ("control", "case")[i % 2]


def way(**options: Any) -> ReadOptions:
    return ReadOptions.model_validate(options)


def asked(table: Table) -> list[str]:
    return [question.kind for question in questions(table.readings, table.default_target, named=False)]


def kinds(table: Table) -> set[str]:
    return {check.kind for check in table.checks}


def column(table: Table, name: str) -> list[float]:
    found: list[float] = table.values[:, table.columns.index(name)].tolist()
    return found


def words(table: Table, name: str) -> list[str]:
    names = table.categories[table.columns.index(name)]
    return ["" if np.isnan(code) else names[int(code)] for code in column(table, name)]


@pytest.mark.parametrize(("first", "last"), [("Sample", "Group"), ("Probe", "Klasse"), ("id", "diagnosis")])
def test_a_header_of_numbers_in_no_order_is_known_by_its_words(tmp_path: Path, first: str, last: str) -> None:
    masses = [f"{random.Random(k).random() * 700:.4f}" for k in range(12)]
    path = written(tmp_path, [first, *masses, last],
                   lambda i: [f"P{i}", *(1000 + 7 * i * k % 997 for k in range(12)), of_class(i)])  # fmt: skip
    table = read(path)
    assert len(table.rows) == ROWS
    assert table.default_target == last
    assert not asked(table)


@pytest.mark.parametrize("sep", [",", "\t"])
def test_names_again_in_the_middle_are_no_row(tmp_path: Path, sep: str) -> None:
    header = ["id", "a", "b", "label"]
    path = written(tmp_path, header, lambda i: header if i == 20 else [f"P{i}", number(i), number(i, 1), of_class(i)],
                   sep=sep)  # fmt: skip
    table = read(path)
    assert len(table.rows) == ROWS - 1
    assert not any(j in table.categories for j in (0, 1))
    assert "names again" in kinds(table)


def test_names_again_far_down_a_table_are_no_row(tmp_path: Path) -> None:
    header = ["a", "b", "label"]
    path = written(tmp_path, header, lambda i: header if i in (300, 700) else [number(i), number(i, 1), of_class(i)],
                   rows=900)  # fmt: skip
    table = read(path)
    assert len(table.rows) == 898
    assert [len(table.categories), asked(table)] == [1, []]


def test_a_second_table_below_the_first_is_refused(tmp_path: Path) -> None:
    def row(i: int) -> list[str]:
        return ["id", "c", "d", "label"] if i == 20 else [f"P{i}", number(i), number(i, 1), of_class(i)]

    with pytest.raises(DataError, match=r"Line 22 .* contains a second header"):
        read(written(tmp_path, ["id", "a", "b", "label"], row))


def test_classes_in_rows_of_words_stay_rows(tmp_path: Path) -> None:
    header = ["colour", "shape", "label"]
    path = written(tmp_path, header, lambda i: [("red", "blue")[i % 2], ("round", "flat")[i // 2 % 2], of_class(i)])
    assert len(read(path).rows) == ROWS


@pytest.mark.parametrize("word", ["weigert", "refused", "hemolysed"])
def test_one_word_among_numbers_is_asked_about(tmp_path: Path, word: str) -> None:
    path = written(tmp_path, ["a", "dose", "label"],
                   lambda i: [number(i), word if i % 9 == 0 else number(i, 1), of_class(i)])  # fmt: skip
    table = read(path)
    assert asked(table) == ["word among numbers"]
    assert np.isnan(column(table, "dose")).sum() == 5
    assert not asked(read(path, way(missing_values=f"dose={word}")))
    assert set(words(read(path, way(types="dose=category")), "dose")) > {word}


def test_one_word_in_several_columns_is_one_question(tmp_path: Path) -> None:
    path = written(tmp_path, ["a", "dose", "weight", "label"],
                   lambda i: [number(i), *("weigert" if i % 8 == k else number(i, k) for k in (1, 3)),
                              of_class(i)])  # fmt: skip
    assert asked(read(path)) == ["word among numbers"]
    made = read_table(path, accept_reading=True)
    assert made.features == ("a", "dose", "weight")
    path = written(tmp_path, ["a", "dose", "weight", "label"],
                   lambda i: [number(i, 5), number(i, 6), number(i, 7), of_class(i)], name="new.csv")  # fmt: skip
    assert not asked(read_as_learned(path, Learned.of(made)))


@pytest.mark.parametrize(
    "wells", [[f"{i % 9 + 1}E{10 + i}" for i in range(ROWS)], [f"1E{i % 12 + 1:02d}" for i in range(ROWS)]]
)
def test_codes_with_an_e_are_no_powers_of_ten(tmp_path: Path, wells: list[str]) -> None:
    path = written(tmp_path, ["a", "well", "label"], lambda i: [number(i), wells[i], of_class(i)])
    table = read(path)
    assert asked(table) == ["power or code"]
    assert words(table, "well") == wells
    assert column(read(path, way(types="well=number")), "well")[0] == float(wells[0])


def test_powers_as_programs_write_them_are_numbers(tmp_path: Path) -> None:
    path = written(tmp_path, ["a", "p", "label"],
                   lambda i: [f"1.{i}E12" if i % 2 else "1e+05", f"{i + 1}e-05", of_class(i)])  # fmt: skip
    table = read(path)
    assert not asked(table)
    assert not {0, 1} & {*table.categories}


@pytest.mark.parametrize(
    ("name", "cell", "first"),
    [("BP", "{}/{}", (120.0, 80.0)), ("RR", "{} / {}", (120.0, 80.0)), ("conc", "{} ± {}", (120.0, 80.0))],
)
def test_two_numbers_in_a_cell_are_two_columns(
    tmp_path: Path, name: str, cell: str, first: tuple[float, float]
) -> None:
    path = written(
        tmp_path, [name, "age", "label"], lambda i: [cell.format(120 + i, 80 - i % 20), 30 + i % 7, of_class(i)]
    )
    table = read(path)
    assert table.columns == (f"{name} (1)", f"{name} (2)", "age", "label")
    assert tuple(table.values[0, :2]) == first
    assert not asked(table)
    assert read(path, way(types=f"{name}=category")).columns[0] == name


def test_two_numbers_under_another_name_are_asked_about_and_kept_for_later_tables(tmp_path: Path) -> None:
    path = written(tmp_path, ["a", "ratio", "label"], lambda i: [number(i), f"{i + 3}/{60 + i}", of_class(i)])
    assert asked(read(path)) == ["two numbers"]
    made = read_table(path, types="ratio=two numbers")
    assert made.features == ("a", "ratio (1)", "ratio (2)")
    new = written(
        tmp_path, ["a", "ratio", "label"], lambda i: [number(i), f"{i + 1}/{9}", of_class(i)], rows=3, name="new.csv"
    )
    assert column(read_as_learned(new, Learned.of(made)), "ratio (1)") == [1.0, 2.0, 3.0]
    broken = written(
        tmp_path, ["a", "ratio", "label"], lambda i: [number(i), "much", of_class(i)], rows=3, name="bad.csv"
    )
    with pytest.raises(DataError, match=r'"ratio" is set to two numbers.*"much"'):
        read_as_learned(broken, Learned.of(made))


@pytest.mark.parametrize(
    "cells", [["20/20", "20/40", "6/9", "20/60"], ["1:80", "1:160", "1:320", "<1:80"], ["20-29", "30-39"]]
)
def test_a_few_fractions_dilutions_and_ranges_are_categories(tmp_path: Path, cells: list[str]) -> None:
    path = written(tmp_path, ["a", "what", "label"], lambda i: [number(i), cells[i % len(cells)], of_class(i)])
    table = read(path)
    assert set(words(table, "what")) == set(cells)


@pytest.mark.parametrize(
    ("cell", "value"),
    [("1:{:02d}:05", 3605), ("{:d}:30", 30), ("0 days 00:{:02d}:09", 9), ("00:{:02d}:01.500", 1.5)],
)
def test_times_are_numbers(tmp_path: Path, cell: str, value: float) -> None:
    path = written(tmp_path, ["lap", "a", "label"], lambda i: [cell.format(i), number(i), of_class(i)])
    table = read(path)
    assert column(table, "lap")[:2] == [value, value + 60]
    assert not asked(table)
    assert "lap" in read_table(path).features
    assert 0 in read(path, way(types="lap=category")).categories


def test_minutes_beside_hours_are_counted_in_seconds(tmp_path: Path) -> None:
    path = written(tmp_path, ["a", "race", "label"],
                   lambda i: [number(i), f"59:{i:02d}" if i % 2 else f"1:02:{i:02d}", of_class(i)])  # fmt: skip
    assert column(read(path), "race")[:2] == [3720.0, 3541.0]


@pytest.mark.parametrize("name", ["patient_id", "Subject", "Proband"])
def test_rows_of_one_person_are_proposed_as_a_group(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, [name, "a", "b", "label"],
                   lambda i: [200 + i // 3, number(i), number(i, 1), of_class(i // 3)], rows=60)  # fmt: skip
    table = read(path)
    assert asked(table) == ["replicates"]
    assert table.default_group == name
    with pytest.raises(QuestionError, match="replicates='groups'"):
        read_table(path)
    made = read_table(path, group=name)  # said, so there is nothing to ask
    assert made.groups is not None
    assert made.features == ("a", "b")
    new = written(tmp_path, [name, "a", "b"], lambda i: [i // 3, number(i), number(i, 1)], rows=60, name="new.csv")
    assert not questions(read_as_learned(new, Learned.of(made)).readings, "label", named=True, grouped=True)


@pytest.mark.parametrize("name", ["class", "diagnosis", "Klasse"])
def test_a_column_that_is_called_class_is_asked_about_where_it_is_not_the_last(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, [name, "a", "b"], lambda i: [of_class(i), number(i), number(i, 1)])
    table = read(path)
    assert asked(table) == ["target"]
    assert table.default_target == name
    assert read_table(path, "b").response is not None


def test_remarks_behind_the_class_are_no_question(tmp_path: Path) -> None:
    path = written(tmp_path, ["a", "label", "comment"], lambda i: [number(i), of_class(i), ("ok", "late")[i % 2]])
    table = read(path)
    assert table.default_target == "label"
    assert not asked(table)


def test_an_arff_file_whose_class_stands_first_is_asked_about(tmp_path: Path) -> None:
    path = tmp_path / "first.arff"
    rows = "".join(f"{'xy'[i % 2]},{number(i)},{number(i, 1)}\n" for i in range(ROWS))
    head = "@relation r\n@attribute class {x,y}\n@attribute a numeric\n@attribute b numeric\n@data\n"
    path.write_text(head + rows, encoding="utf-8")
    assert asked(read(path)) == ["target"]
    path.write_text(head.replace("class", "colour") + rows, encoding="utf-8")
    assert not asked(read(path))


@pytest.mark.parametrize(
    ("encoding", "classes"),
    [
        ("mac_roman", ("genäht", "unversehrt")), ("cp850", ("genäht", "unversehrt")), ("cp1250", ("zdrów", "łagodny")),
        ("gb18030", ("患者", "对照")), ("shift_jis", ("患者", "対照")), ("koi8-r", ("больной", "здоровый")),
        ("cp1251", ("больной", "здоровый")),
    ],
)  # fmt: skip
def test_the_encoding_whose_letters_make_words_is_proposed(
    tmp_path: Path, encoding: str, classes: tuple[str, str]
) -> None:
    path = written(
        tmp_path, ["a", "b", "label"], lambda i: [number(i), number(i, 1), classes[i % 2]], encoding=encoding
    )
    table = read(path)
    assert set(words(table, "label")) == set(classes)
    assert asked(table) == ["encoding"]


def test_western_letters_ask_nothing(tmp_path: Path) -> None:
    classes = ("Größe über Maß", "naïve Élysée", "50 µg ± 3°", "señal ¿qué?")
    path = written(
        tmp_path, ["a", "b", "label"], lambda i: [number(i), number(i, 1), classes[i % 4]], encoding="cp1252"
    )
    table = read(path)
    assert set(words(table, "label")) == set(classes)
    assert not asked(table)


LONG = [
    (("subject", "variable", "value"), ("crp", "ldl", "hdl"), ","),
    (("sample_id", "gene", "count"), ("TP53", "EGFR"), "\t"),
    (("PatNr", "Parameter", "Wert"), ("Natrium", "Kalium", "CRP"), ";"),
]


@pytest.mark.parametrize(("header", "variables", "sep"), LONG)
def test_one_value_a_row_becomes_a_row_for_each_sample(
    tmp_path: Path, header: tuple[str, ...], variables: tuple[str, ...], sep: str
) -> None:
    width = len(variables)
    path = written(tmp_path, [*header, "group"],
                   lambda i: [f"S{i // width}", variables[i % width], number(i), of_class(i // width)],
                   rows=20 * width, sep=sep)  # fmt: skip
    table = read(path)
    assert asked(table) == ["long form"]
    assert table.columns == (*variables, "group")
    assert table.rows == tuple(f"S{i}" for i in range(20))
    assert column(table, variables[1])[3] == float(number(3 * width + 1))
    assert words(table, "group") == [of_class(i) for i in range(20)]
    assert len(read(path, way(orientation="rows")).columns) == 4 or asked(read(path))
    made = read_table(path, orientation="long")
    assert made.classes == ("case", "control")
    assert Learned.of(made).layout["orientation"] == "long"


def test_classes_among_the_values_of_a_long_table(tmp_path: Path) -> None:
    names = ("crp", "ldl", "status")
    path = written(tmp_path, ["id", "test", "result", "unit"],
                   lambda i: [f"P{i // 3}", names[i % 3], of_class(i // 3) if i % 3 == 2 else number(i),
                              ("mg", "g", "")[i % 3]],
                   rows=90)  # fmt: skip
    table = read(path, way(orientation="long"))
    assert words(table, "status") == [of_class(i) for i in range(30)]
    assert table.default_target == "status"
    assert table.descriptions["crp"] == "mg"
    assert not asked(table)


def test_several_values_for_one_sample_and_variable_are_no_long_table(tmp_path: Path) -> None:
    path = written(tmp_path, ["id", "variable", "value"], lambda i: [f"P{i // 4}", "ab"[i % 2], number(i)], rows=80)
    with pytest.raises(DataError, match="is not in long form"):
        read(path, way(orientation="long"))


def test_repeated_visits_are_no_long_table(tmp_path: Path) -> None:
    path = written(tmp_path, ["subject", "visit", "a", "b", "group"],
                   lambda i: [f"S{i // 3}", ("base", "m3", "m6")[i % 3], number(i), number(i, 1), of_class(i // 3)],
                   rows=60)  # fmt: skip
    assert asked(read(path)) == ["replicates"]


@pytest.mark.parametrize("first", [["", "Clinical", "", "Lab", "Lab"], ["", "Clinical", "Clinical", "Lab", "Lab"]])
def test_two_lines_of_names_are_joined(tmp_path: Path, first: list[str]) -> None:
    second = ["", "age", "bmi", "crp", "group"]
    path = written(
        tmp_path, first, lambda i: second if i == 0 else [i, 30 + i % 9, number(i), number(i, 1), of_class(i)]
    )
    table = read(path)
    assert len(table.rows) == ROWS - 1
    assert table.columns == ("Clinical age", "Clinical bmi", "Lab crp", "Lab group")
    assert not asked(table)


def test_bracketed_units_ask_nothing(tmp_path: Path) -> None:
    units = ["(text)", "(mg/dL)", "(kg/m^2)", "(class)"]
    path = written(tmp_path, ["Sample", "Glucose", "BMI", "Group"],
                   lambda i: units if i == 0 else [f"S{i}", number(i), number(i, 1), of_class(i)])  # fmt: skip
    table = read(path)
    assert not asked(table)
    assert table.descriptions["Glucose"] == "(mg/dL)"


def test_what_describes_genes_is_no_sample_and_what_counts_no_gene_no_feature(tmp_path: Path) -> None:
    about = ["gene_id", "gene_name", "gene_chr", "gene_start", "gene_end", "gene_strand", "gene_length"]
    samples = [f"S{j}" for j in range(12)]
    names = [*(f"G{k}" for k in range(30)), "__no_feature", "__ambiguous", "__not_aligned"]
    path = written(tmp_path, [*about, *samples],
                   lambda k: [names[k], f"N{k}", "chr1", 1000 * k, 1000 * k + 5, "+", 5,
                              *(7 * k + j for j in range(12))],
                   rows=len(names), sep="\t")  # fmt: skip
    table = read(path, way(orientation="columns"))
    assert table.rows == tuple(samples)
    assert table.columns == tuple(names[:30])
    assert {"feature descriptions", "lines of no feature"} <= kinds(table)


@pytest.mark.parametrize(("cell", "value"), [("88\u202f842", 88842), ("72 842", 72842)])
def test_thousands_as_france_writes_them(tmp_path: Path, cell: str, value: float) -> None:
    path = written(tmp_path, ["a", "pay", "label"],
                   lambda i: [number(i).replace(".", ","), cell if i == 0 else f"{i + 100}", of_class(i)],
                   sep=";")  # fmt: skip
    assert column(read(path), "pay")[0] == value


@pytest.mark.parametrize(("cell", "value"), [("1,23,456", 123456), ("1,23,45,678", 12345678)])
def test_thousands_as_india_writes_them(tmp_path: Path, cell: str, value: float) -> None:
    path = written(tmp_path, ["a", "pay", "label"],
                   lambda i: [number(i), cell if i == 0 else f"{i + 100}", of_class(i)], sep="\t")  # fmt: skip
    assert column(read(path), "pay")[0] == value


@pytest.mark.parametrize("cell", ["{} mmol/L", "<{}", "{}%"])
def test_a_decimal_comma_is_known_before_units_and_limits(tmp_path: Path, cell: str) -> None:
    path = written(tmp_path, ["Probe", "Wert", "Gruppe"],
                   lambda i: [f"P{i}", cell.format(f"{i % 7},{i % 10}5"), of_class(i)], sep=";")  # fmt: skip
    table = read(path, way(limits="limit"))
    assert column(table, "Wert")[3] == 3.35
    assert not asked(table)


def test_a_sentinel_with_decimals_is_asked_about(tmp_path: Path) -> None:
    path = written(tmp_path, ["t", "label"], lambda i: ["99999.9" if i % 9 == 0 else number(i), of_class(i)])
    assert asked(read(path)) == ["number for missing"]


@pytest.mark.parametrize(
    ("cells", "last"),
    [
        (["0000-00-00", "2020-02-03", "2020-02-04", "2020-02-05"], 2.0),
        (["00/00/0000", "03/02/2020", "29/02/2020", "04/02/2020"], 26.0),
        (["3. Januar 2020", "4. März 2020", "5. Mai 2020"], 123.0),
        (["3 de enero de 2020", "4 de mayo de 2020"], 122.0),
        (["3 février 2020", "4 août 2020"], 183.0),
    ],
)  # fmt: skip
def test_dates_of_other_languages_and_none(tmp_path: Path, cells: list[str], last: float) -> None:
    path = written(tmp_path, ["a", "seen", "label"], lambda i: [number(i), cells[i % len(cells)], of_class(i)])
    assert np.nanmax(column(read(path), "seen")) == last


def test_a_year_of_two_figures_is_not_one_to_come(tmp_path: Path) -> None:
    path = written(
        tmp_path, ["a", "geb", "label"], lambda i: [number(i), f"{i % 27 + 1:02d}.03.{50 + i}", of_class(i)], sep=";"
    )
    (reading,) = [reading for reading in read(path).readings if reading.kind == "dates"]
    assert "days since 1950" in reading.sentence


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("id", lambda i: i / 10),
        ("N° dossier", lambda i: 5000 + 37 * i % 997),
        ("NHS", lambda i: 4_000_000_000 + 7919 * i % 9973),
    ],
)
def test_ids_of_other_kinds_are_no_features(tmp_path: Path, name: str, cell: Callable[[int], float]) -> None:
    path = written(tmp_path, [name, "a", "label"], lambda i: [cell(i), number(i), of_class(i)])
    made = read_table(path)
    assert made.features == ("a",)
    assert "id columns" in {check.kind for check in made.checks}


def test_the_last_cells_of_most_lines_may_be_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, ["id", "label", "a", "comment"],
                   lambda i: [f"P{i}", of_class(i), number(i), *(["seen"] if i % 3 == 0 else [])])  # fmt: skip
    table = read(path)
    assert len(table.rows) == ROWS
    assert "short lines" in kinds(table)
    usual = written(tmp_path, ["id", "a", "b", "label"],
                    lambda i: [f"P{i}", number(i), *([number(i, 1)] if i != 17 else []), of_class(i)])  # fmt: skip
    with pytest.raises(DataError, match=r"Line 19 .* has 3 cells where 4"):
        read(usual)


def test_ids_that_differ_in_capitals_alone_are_joined_where_that_is_clear(tmp_path: Path) -> None:
    path = written(tmp_path, ["sample", "a"], lambda i: [f"S{39 - i}", number(i)])
    labels = written(tmp_path, ["sample", "group"], lambda i: [f"s{i}", of_class(i)], name="labels.csv")
    table = read(path, way(labels=str(labels)))
    assert words(table, "group") == [of_class(39 - i) for i in range(ROWS)]
    both = written(
        tmp_path, ["sample", "group"], lambda i: [f"s{i}" if i < 20 else f"x{i}", of_class(i)], name="l2.csv"
    )
    assert words(read(path, way(labels=str(both), labels_by="ids")), "group").count("") == 20


@pytest.mark.parametrize(
    ("struct", "classes"),
    [
        ({"class": np.array([[of_class(i)] for i in range(ROWS)], dtype=object)}, {"case", "control"}),
        ({"codes": np.arange(ROWS)[:, None] % 2 + 1, "names": np.array([["no", "yes"]], dtype=object)}, {"no", "yes"}),
    ],
)
def test_a_struct_with_one_column_for_the_rows_is_the_target(
    tmp_path: Path, struct: dict[str, Any], classes: set[str]
) -> None:
    path = tmp_path / "struct.mat"
    savemat(path, {"X": np.random.default_rng(0).normal(size=(ROWS, 5)), "Y": struct})
    assert set(words(read(path), "Y")) == classes


def test_a_struct_with_two_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "struct.mat"
    columns = {"class": np.arange(ROWS)[:, None] % 2, "age": np.arange(ROWS)[:, None]}
    savemat(path, {"X": np.random.default_rng(0).normal(size=(ROWS, 5)), "Y": columns})
    with pytest.raises(DataError, match=r'"Y".*struct'):
        read(path)
