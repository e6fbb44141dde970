"""Decisions of reading: what is sure is read so, what is not is asked; tables as people have them, made up."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fsdesk import from_frame
from fsdesk.data import (
    SAMPLES,
    Choices,
    Learned,
    QuestionError,
    ReadOptions,
    Table,
    as_learned,
    load_sample,
    prepare,
    questions,
    read,
    read_as_learned,
    read_table,
)
from fsdesk.data.roles import is_quantity
from fsdesk.errors import DataError
from tests.known_tables import REAL_DATA, SHAPES

N = 40
RNG = np.random.default_rng(20)
VALUES = RNG.normal(size=(N, 6)).round(3)
GROUPS = ["case" if row % 3 else "control" for row in range(N)]


def written(folder: Path, text: str | bytes, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def lines(*columns: Any, sign: str = ",") -> str:
    return "".join(sign.join(map(str, cells)) + "\n" for cells in zip(*columns, strict=True))


def made(folder: Path, text: str | bytes, name: str = "table.csv", **ways: Any) -> Table:
    return read(written(folder, text, name), ReadOptions.model_validate(ways))


def asked(table: Table) -> list[str]:
    return [question.kind for question in questions(table.readings, table.default_target, named=False)]


def words(table: Table, name: str = "") -> list[str]:
    column = table.columns.index(name or table.default_target)
    names = table.categories[column]
    return ["" if np.isnan(code) else names[int(code)] for code in table.values[:, column]]


def check(table: Table, kind: str) -> str:
    return next(each.sentence for each in table.checks if each.kind == kind)


def columns_of(values: np.ndarray) -> list[list[float]]:
    return [column.tolist() for column in values.T]


# Names in the first line


@pytest.mark.parametrize(
    "names",
    [
        ["0", "1", "2", "3", "4", "5"],
        ["400", "402.5", "405", "407.5", "410", "412.5"],
        ["4000", "3998", "3996", "3994", "3992", "3990"],
        ["101", "102", "105", "117", "130", "212"],
    ],
)
def test_numbers_that_rise_or_fall_in_the_first_line_are_names(tmp_path: Path, names: list[str]) -> None:
    table = made(tmp_path, ",".join([*names, "group"]) + "\n" + lines(*columns_of(VALUES), GROUPS))
    assert table.columns == (*names, "group")
    assert len(table.rows) == N
    assert not asked(table)


def test_a_table_of_numbers_alone_under_wavelengths_has_names(tmp_path: Path) -> None:
    names = [str(1100 + 2 * place) for place in range(7)]
    table = made(tmp_path, ",".join(names) + "\n" + lines(*columns_of(VALUES), [row % 2 for row in range(N)]))
    assert table.columns == tuple(names)
    assert not asked(table)


def test_the_first_row_of_a_table_without_names_stays_a_row(tmp_path: Path) -> None:
    for target in (GROUPS, [row % 3 for row in range(N)], VALUES[:, 0].tolist()):
        table = made(tmp_path, lines(*columns_of(VALUES), target))
        assert len(table.rows) == N
        assert not asked(table)


def test_a_class_that_occurs_in_the_first_line_alone_is_asked_about(tmp_path: Path) -> None:
    table = made(tmp_path, lines(*columns_of(VALUES), ["rare", *GROUPS[1:]]))
    assert asked(table) == ["header"]
    with pytest.raises(QuestionError, match=r"header='no'.*header='yes'"):
        read_table(written(tmp_path, lines(*columns_of(VALUES), ["rare", *GROUPS[1:]])))
    assert not asked(made(tmp_path, lines(*columns_of(VALUES), ["rare", *GROUPS[1:]]), header="yes"))


@pytest.mark.parametrize("comments", ["# made by hand\n", "#a\n#b\tc\n\n#d\n", "# x,y\n# z\n"])
def test_comments_above_the_names_are_left_out(tmp_path: Path, comments: str) -> None:
    table = made(tmp_path, comments + "a,b,group\n" + lines(*columns_of(VALUES[:, :2]), GROUPS))
    assert table.columns == ("a", "b", "group")
    assert len(table.rows) == N
    assert not asked(table)


def test_the_last_comment_holds_the_names_where_the_next_line_is_data(tmp_path: Path) -> None:
    table = made(tmp_path, "# from biom\n#OTU\ta\tb\n" + lines(range(N), *columns_of(VALUES[:, :2]), sign="\t"))
    assert table.columns == ("OTU", "a", "b")


def test_clinical_files_of_cbioportal(tmp_path: Path) -> None:
    head = "#Patient\tAge\tStatus\n#Id of the patient\tAge in years\tState\n#STRING\tNUMBER\tSTRING\n#1\t1\t1\n"
    body = lines([f"TCGA-{row}" for row in range(N)], VALUES[:, 0], GROUPS, sign="\t")
    table = made(tmp_path, head + "PATIENT_ID\tAGE\tSTATUS\n" + body, "data.txt")
    assert table.columns == ("AGE", "STATUS")
    assert len(table.rows) == N


@pytest.mark.parametrize("title", ["Results of 2024\n", "Lab 3\n\nexported by hand\n", '"A title, with a comma"\n'])
def test_titles_above_the_table_are_left_out(tmp_path: Path, title: str) -> None:
    table = made(tmp_path, title + "a;b;group\n" + lines(*columns_of(VALUES[:, :2]), GROUPS, sign=";"))
    assert table.columns == ("a", "b", "group")
    assert len(table.rows) == N


@pytest.mark.parametrize("units", [",mg/dL,mmol/l,", "unit,(ng/ml),%,", "units:,U/L,pg/mL,-"])
def test_a_line_of_units_is_left_out_and_kept_as_a_description(tmp_path: Path, units: str) -> None:
    ids = [f"S{row}" for row in range(N)]
    text = f"id,a,b,group\n{units}\n" + lines(ids, *columns_of(VALUES[:, :2]), GROUPS)
    table = made(tmp_path, text)
    assert len(table.rows) == N
    assert table.descriptions["a"] == units.split(",")[1]
    assert not asked(table)
    assert len(made(tmp_path, text, below_header="data").rows) == N + 1


def test_flags_of_orange_before_the_names(tmp_path: Path) -> None:
    text = "C#a\tmS#name\ti#skip\tcD#group\n"
    table = made(
        tmp_path,
        text + lines(VALUES[:, 0], [f"n{row % 7}" for row in range(N)], VALUES[:, 1], GROUPS, sign="\t"),
        "t.tab",
    )
    assert table.columns == ("a", "name", "skip", "group")
    assert read_table(tmp_path / "t.tab").features == ("a",)


def test_three_lines_of_orange(tmp_path: Path) -> None:
    head = "size,kind,code\ncontinuous,discrete,a b c\n,class,\n"
    table = made(tmp_path, head + lines(VALUES[:, 0], GROUPS, ["a", "b"] * 20))
    assert table.default_target == "kind"
    assert len(table.rows) == N
    assert 2 in table.categories


# Cells


def test_marks_of_inches_eat_no_rows(tmp_path: Path) -> None:
    notes = ['"odd' if row in (5, 9, 30) else "none" for row in range(N)]
    table = made(tmp_path, "note,a,group\n" + lines(notes, VALUES[:, 0], GROUPS))
    assert len(table.rows) == N
    assert Counter(words(table, "note"))['"odd'] == 3
    sizes = [f'{row % 3 + 4}" pipe' for row in range(N)]
    table = made(tmp_path, "size;a;group\n" + lines(sizes, VALUES[:, 0], GROUPS, sign=";"))
    assert set(words(table, "size")) == {'4" pipe', '5" pipe', '6" pipe'}


def test_quoted_cells_may_still_run_over_lines(tmp_path: Path) -> None:
    notes = ['"two\nlines"' if row == 3 else "one" for row in range(N)]
    table = made(tmp_path, "note,a,group\n" + lines(notes, VALUES[:, 0], GROUPS))
    assert len(table.rows) == N
    assert "two lines" in words(table, "note")


def test_a_mark_that_fits_no_way_of_reading_names_its_line(tmp_path: Path) -> None:
    body = lines(VALUES[:, 0], VALUES[:, 1], GROUPS).split("\n")
    body[6] = '"x,y'
    with pytest.raises(DataError, match=r'line 8 of .*quotation mark.*"x'):
        made(tmp_path, "a,b,group\n" + "\n".join(body))


def test_lines_without_their_last_empty_cells_are_filled_up_and_others_refused(tmp_path: Path) -> None:
    text = "".join(
        f"{VALUES[row, 0]},{GROUPS[row]}{',' if row < 9 else ''}{'seen' if row == 4 else ''}\n" for row in range(N)
    )
    table = made(tmp_path, f"a,group,note\n{text}")
    assert len(table.rows) == N
    assert "31 lines" in check(table, "short lines")
    body = lines(VALUES[:, 0], GROUPS, VALUES[:, 1]).split("\n")
    body[7] = "1.5,case"
    with pytest.raises(DataError, match=r"Line 9 .* has 2 cells where 3"):
        made(tmp_path, "a,group,b\n" + "\n".join(body))


@pytest.mark.parametrize(
    ("cell", "value"),
    [("1.1 mmol/L", 1.1), ("12 %", 12.0), ("$5", 5.0), ("3.5mg", 3.5), ("7 10^9/L", 7.0), ("1,037", 1037.0)],
)
def test_numbers_with_units_are_numbers(tmp_path: Path, cell: str, value: float | None) -> None:
    number = cell.split(" ")[0].strip("$mg%")
    cells = [
        cell.replace(number, number if row == 0 else f"{row}.5", 1) if "," not in cell else f'"{row + 1},037"'
        for row in range(N)
    ]
    table = made(tmp_path, "a,b,group\n" + lines(cells, VALUES[:, 0], GROUPS))
    assert (0 not in table.categories) == (value is not None)
    if value is not None:
        assert table.values[0, 0] == value
        assert not asked(table)


def test_codes_with_letters_are_no_numbers_with_units(tmp_path: Path) -> None:
    for codes in (
        ["1a", "1b", "2a", "2b"],
        ["3p", "3q", "7q", "7p"],
        ["T1", "T2", "T1", "T3"],
        ["2 vs 3", "1 vs 3"] * 2,
    ):
        table = made(tmp_path, "a,b,group\n" + lines(codes * 10, VALUES[:, 0], GROUPS))
        assert 0 in table.categories


@pytest.mark.parametrize(("low", "half", "limit"), [("<0.5", 0.25, 0.5), ("< 0.5", 0.25, 0.5), ("≤0.5", 0.25, 0.5)])
def test_values_below_a_limit_are_asked_about_once(tmp_path: Path, low: str, half: float, limit: float) -> None:
    cells = [low if row % 5 == 0 else f"{row}.25" for row in range(N)]
    text = "a,b,group\n" + lines(cells, cells[::-1], GROUPS)
    table = made(tmp_path, text)
    assert asked(table) == ["limits"]
    assert table.values[0, 0] == half
    assert made(tmp_path, text, limits="limit").values[0, 0] == limit
    assert np.isnan(made(tmp_path, text, limits="missing").values[0, 0])
    assert 0 in made(tmp_path, text, limits="text").categories
    assert not asked(made(tmp_path, text, limits="half"))


@pytest.mark.parametrize("word", ["n.d.", "<LOD", "#DIV/0!", "-", "not detected", "k.A."])
def test_words_for_what_was_not_measured_are_missing_in_numbers(tmp_path: Path, word: str) -> None:
    cells = [word if row % 4 == 0 else f"{row}.5" for row in range(N)]
    table = made(tmp_path, "a,b,group\n" + lines(cells, VALUES[:, 0], GROUPS))
    assert np.isnan(table.values[:, 0]).sum() == 10
    assert not asked(table)


def test_what_is_missing_can_be_said_for_the_file_and_for_a_column(tmp_path: Path) -> None:
    text = "a,b,group\n" + lines([-9 if row % 8 == 0 else row for row in range(N)], [-9, 4] * 20, GROUPS)
    assert np.isnan(made(tmp_path, text, missing_values="-9").values[:, :2]).sum() == 25
    assert np.isnan(made(tmp_path, text, missing_values="a=-9; b=!-9").values[:, :2]).sum() == 5
    gone = made(tmp_path, text, missing_values="case")
    assert set(words(gone)) == {"", "control"}


@pytest.mark.parametrize("number", ["-999", "-9999", "999", "-9"])
def test_numbers_far_outside_of_the_rest_are_asked_about(tmp_path: Path, number: str) -> None:
    cells = [number if row in (3, 20, 33) else f"{2 + row / 40:.3f}" for row in range(N)]
    table = made(tmp_path, "a,b,group\n" + lines(cells, VALUES[:, 0], GROUPS))
    assert asked(table) == ["number for missing"]
    assert np.isnan(table.values[:, 0]).sum() == 3


def test_measurements_that_reach_far_are_not_asked_about(tmp_path: Path) -> None:
    counts = [999 if row in (3, 20) else 25 * row for row in range(N)]
    degrees = [-9 if row in (3, 20) else row - 20 for row in range(N)]
    assert not asked(made(tmp_path, "a,b,group\n" + lines(counts, degrees, GROUPS)))


def test_null_is_missing_where_numbers_are_null_too(tmp_path: Path) -> None:
    genes = ["null" if row % 3 == 0 else "present" for row in range(N)]
    table = made(tmp_path, "gene,a,group\n" + lines(genes, VALUES[:, 0], GROUPS))
    assert set(words(table, "gene")) == {"null", "present"}
    numbers = ["null" if row == 5 else value for row, value in enumerate(VALUES[:, 0])]
    table = made(tmp_path, "gene,a,group\n" + lines(genes, numbers, GROUPS))
    assert set(words(table, "gene")) == {"", "present"}


# Names of classes


@pytest.mark.parametrize(("first", "second"), [("1", "01"), ("1", "1.0"), ("2.1", "2.10"), ("10", "1E1"), ("7", "007")])
def test_numbers_that_are_written_in_two_ways_are_asked_about_as_a_target(
    tmp_path: Path, first: str, second: str
) -> None:
    classes = [(first, second, "3")[row % 3] for row in range(N)]
    path = written(tmp_path, "a,b,group\n" + lines(*columns_of(VALUES[:, :2]), classes))
    with pytest.raises(QuestionError, match="written differently"):
        read_table(path)
    assert set(read_table(path, types="group=category").classes) == {first, second, "3"}
    assert len(read_table(path, types="group=number").classes) == 2
    feature = written(tmp_path, "b,group,a\n" + lines(classes, GROUPS, VALUES[:, 0]), "other.csv")
    read_table(feature, "group")  # nobody asks about a feature


@pytest.mark.parametrize("odd", ["case\u200b", "ca\u00adse", "\u0441ase"])
def test_names_that_look_alike_are_one(tmp_path: Path, odd: str) -> None:
    classes = [odd if row % 5 == 1 else group for row, group in enumerate(GROUPS)]
    table = made(tmp_path, "a,b,group\n" + lines(*columns_of(VALUES[:, :2]), classes))
    assert set(words(table)) == {"case", "control"}
    assert check(table, "names that look alike")


@pytest.mark.parametrize(("first", "second"), [("pre-test", "pre\u2013test"), ("Meni\u00e8re", "Menie\u0300re")])
def test_dashes_and_accents_of_two_kinds_are_one(tmp_path: Path, first: str, second: str) -> None:
    classes = [(first, second, "other")[row % 3] for row in range(N)]
    table = made(tmp_path, "a,b,group\n" + lines(*columns_of(VALUES[:, :2]), classes))
    assert set(words(table)) == {first, "other"}


def test_names_that_differ_in_capitals_are_asked_about_as_a_target(tmp_path: Path) -> None:
    classes = ["Case" if row % 5 == 1 else group for row, group in enumerate(GROUPS)]
    path = written(tmp_path, "a,b,group\n" + lines(*columns_of(VALUES[:, :2]), classes))
    with pytest.raises(QuestionError, match=r'"case", "Case"|"Case", "case"'):
        read_table(path)
    assert len(read_table(path, similar="one").classes) == 2
    assert len(read_table(path, similar="different").classes) == 3


# Numbers as a target


@pytest.mark.parametrize(
    ("values", "numbers", "sure"),
    [
        (RNG.integers(18, 90, 400), True, True),
        (np.round(RNG.exponential(9, 300)), True, True),
        (np.repeat(np.arange(1, 41), 10), False, True),
        (RNG.integers(0, 10, 200), False, True),
        (RNG.integers(0, 26, 5000), False, True),
        (RNG.integers(0, 15, 200), False, False),
        (RNG.normal(size=100), True, True),
        ([0.5, 1.0, 1.5, 2.0] * 20, False, True),
    ],
)
def test_many_whole_numbers_are_quantities_unless_they_count_classes(values: Any, numbers: bool, sure: bool) -> None:
    assert is_quantity(np.asarray(values, dtype=np.float64)) == (numbers, sure)


def test_ages_are_numbers_wherever_they_come_from(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    from fsdesk.estimators import _is_number

    ages = np.random.default_rng(1).integers(20, 95, 200)
    x = np.random.default_rng(2).normal(size=(200, 3)).round(3)
    assert from_frame(pandas.DataFrame({"a": x[:, 0], "b": x[:, 1], "age": ages})).response is not None
    arff = "@relation t\n@attribute a numeric\n@attribute age numeric\n@data\n" + lines(x[:, 0], ages)
    assert read_table(written(tmp_path, arff, "t.arff")).response is not None
    assert read_table(written(tmp_path, "a,b,age\n" + lines(x[:, 0], x[:, 1], ages))).response is not None
    assert read_table(tmp_path / "table.csv", task="classification").response is None
    assert _is_number(ages)
    assert not _is_number(np.repeat([0, 1], 100))


def test_a_class_before_a_series_of_measurements_is_proposed_as_the_target(tmp_path: Path) -> None:
    for names in ("variety,1100,1102,1104", "id2,gene_1,gene_2,gene_3"):
        text = f"{names}\n" + lines(GROUPS, *columns_of(VALUES[:, :3]))
        table = made(tmp_path, text)
        assert table.default_target == names.split(",")[0]
        assert asked(table) == ["target"]
        assert read_table(tmp_path / "table.csv", names.split(",")[3]).response is not None
    other = made(tmp_path, "sex,length,rings\n" + lines(GROUPS, *columns_of(VALUES[:, :2])))
    assert other.default_target == "rings"
    assert not asked(other)


# Labels


def test_labels_are_joined_by_any_column_of_ids_in_any_order(tmp_path: Path) -> None:
    ids = (np.random.default_rng(4).permutation(9000)[:N] + 1000).tolist()
    order = np.random.default_rng(5).permutation(N)
    right = dict(zip(ids, GROUPS, strict=True))
    for name, other in (("MRN", "mrn"), ("subject", "id"), ("eid", "participant")):
        written(
            tmp_path,
            f"{other},age,group\n" + lines([ids[at] for at in order], VALUES[:, 1], [right[ids[at]] for at in order]),
            "l.csv",
        )
        table = made(tmp_path, f"a,{name},b\n" + lines(VALUES[:, 0], ids, VALUES[:, 1]), labels="l.csv")
        assert words(table, "group") == GROUPS
        assert table.rows == tuple(map(str, ids))
        assert asked(table) == ["target"]  # age, or group
        assert read_table(tmp_path / "table.csv", "group", labels="l.csv").target_name == "group"


def test_ids_with_zeros_are_joined_to_numbers(tmp_path: Path) -> None:
    written(tmp_path, "id,group\n" + lines([f"{row:04}" for row in range(N)][::-1], GROUPS[::-1]), "l.csv")
    table = made(tmp_path, "id,a,b\n" + lines(range(N), *columns_of(VALUES[:, :2])), labels="l.csv")
    assert words(table) == GROUPS


def test_labels_by_order_are_asked_for(tmp_path: Path) -> None:
    written(tmp_path, "group\n" + lines(GROUPS), "l.csv")
    text = "a,b\n" + lines(*columns_of(VALUES[:, :2]))
    assert asked(made(tmp_path, text, labels="l.csv")) == ["labels"]
    told = made(tmp_path, text, labels="l.csv", labels_by="order")
    assert words(told) == GROUPS
    assert not asked(told)


def test_too_few_samples_in_both_files_are_asked_about(tmp_path: Path) -> None:
    written(tmp_path, "id,group\n" + lines(range(30, 60), ["x", "y"] * 15), "l.csv")
    table = made(tmp_path, "id,a\n" + lines(range(N), VALUES[:, 0]), labels="l.csv")
    assert asked(table) == ["labels"]
    assert np.isnan(table.values[:, -1]).sum() == 30


def test_cls_with_names_numbers_and_a_quantity(tmp_path: Path) -> None:
    gct = "#1.2\n2\t4\nName\tDescription\ta\tb\tc\td\ng1\tna\t1.5\t2\t3\t4\ng2\tna\t5\t6.5\t7\t8\n"
    for body, classes in (("# Tumour Normal\nTumour Normal Normal Tumour", ["Tumour", "Normal", "Normal", "Tumour"]),
                          ("# x y\n1 0 1 0", ["y", "x", "y", "x"])):  # fmt: skip
        written(tmp_path, f"4 2 1\n{body}\n", "l.cls")
        assert words(made(tmp_path, gct, "t.gct", labels="l.cls")) == classes
    written(tmp_path, "#numeric\n#AGE\n40 50.5 60 70\n", "l.cls")
    assert made(tmp_path, gct, "t.gct", labels="l.cls").values[:, -1].tolist() == [40.0, 50.5, 60.0, 70.0]
    written(tmp_path, "5 2 1\n# x y\n1 0 1 0\n", "l.cls")
    with pytest.raises(DataError, match="4 labels, but its first line says 5"):
        made(tmp_path, gct, "t.gct", labels="l.cls")


# Rows of one subject, features in rows


@pytest.mark.parametrize("form", ["P{:02}_{}", "subject{}-{}", "S{} rep{}"])
def test_replicates_are_asked_about(tmp_path: Path, form: str) -> None:
    rng = np.random.default_rng(6)
    own = np.repeat(rng.normal(size=(20, 4)), 2, axis=0) + 0.05 * rng.normal(size=(40, 4))
    ids = [form.format(row // 2, "12"[row % 2]) for row in range(40)]
    text = "id,a,b,c,d,group\n" + lines(ids, *columns_of(own.round(4)), np.repeat(GROUPS[:20], 2))
    assert asked(made(tmp_path, text)) == ["replicates"]
    assert made(tmp_path, text, replicates="rows").default_group == ""
    shuffled = "id,a,b,c,d,group\n" + lines(ids, *columns_of(rng.normal(size=(40, 4)).round(4)), GROUPS)
    assert asked(made(tmp_path, shuffled)) == (["replicates"] if "rep" in form else [])
    of_one_class = "id,a,b,c,d,group\n" + lines(
        ids, *columns_of(rng.normal(size=(40, 4)).round(4)), np.repeat(GROUPS[:20], 2)
    )
    assert asked(made(tmp_path, of_one_class)) == ["replicates"]


@pytest.mark.parametrize(
    "form", ["Pat{:03}_T{}", "M{}-{side}", "{} V{}", "Sample{}_inj{}", "P{}.{}", "pat{}_rep{}", "id", "MRN", "Tier-Nr."]
)
def test_rows_of_one_subject_are_asked_about_however_they_are_called(tmp_path: Path, form: str) -> None:
    rng = np.random.default_rng(7)
    named = form if "{" not in form else "id"
    pattern = form if "{" in form else "10{}"
    ids = [pattern.format(row // 3, row % 3 + 1, side=["left", "right", "mid"][row % 3]) for row in range(60)]
    classes = [GROUPS[row // 3] for row in range(60)]
    text = f"{named},a,b,c,group\n" + lines(ids, *columns_of(rng.normal(size=(60, 3)).round(4)), classes)
    assert asked(made(tmp_path, text)) == ["replicates"]


@pytest.mark.parametrize("form", ["Sample_{}", "2019-{:03}", "GSM45{:03}", "{kind}_{}", "B{block}_{within:02}"])
def test_names_that_only_count_are_no_replicates(tmp_path: Path, form: str) -> None:
    rng = np.random.default_rng(8)
    ids = [form.format(row, kind=GROUPS[row], block=row // 12, within=row % 12) for row in range(40)]
    text = "id,a,b,c,group\n" + lines(ids, *columns_of(rng.normal(size=(40, 3)).round(4)), GROUPS)
    assert not asked(made(tmp_path, text))


@pytest.mark.parametrize("name", ["Tier-Nr.", "f.eid", "Probennummer", "Versuchsperson", "Lab No.", "Kennung"])
def test_columns_called_as_numbers_of_rows_are_no_features(tmp_path: Path, name: str) -> None:
    rng = np.random.default_rng(9)
    numbers = rng.permutation(np.arange(100, 100 + 7 * N, 7))
    text = f"{name},a,b,group\n" + lines(numbers, *columns_of(rng.normal(size=(N, 2)).round(4)), GROUPS)
    assert read_table(written(tmp_path, text)).features == ("a", "b")


def test_what_describes_genes_is_no_sample(tmp_path: Path) -> None:
    names = [f"g{row}" for row in range(N)]
    notes = [f"a gene, number {row}" for row in range(N)]
    text = "gene\tDescription\tLength\ts1\ts2\ts3\n" + lines(
        names, notes, range(N), *columns_of(VALUES[:, :3]), sign="\t"
    )
    table = made(tmp_path, text, "t.tsv", orientation="columns")
    assert table.rows == ("s1", "s2", "s3")
    assert not table.categories
    assert "a gene, number 3" in table.descriptions["g3"]


# A later table


def test_a_later_table_is_read_as_the_first_one_was(tmp_path: Path) -> None:
    text = "ward;dose;group\n" + lines(
        ["02", "XX", "01", "03"] * 10, [f"{row},5" for row in range(N)], GROUPS, sign=";"
    )
    learned = read_table(written(tmp_path, text))
    new = written(tmp_path, "ward,dose\n01,5\n02,6\n03,n.d.\n", "new.csv")
    with pytest.raises(DataError, match=r'"dose".*row 3.*"n\.d\."'):
        read(new, as_learned(learned))
    table = read(new, as_learned(learned, ReadOptions(missing_values="n.d.", decimal="point")))
    assert words(table, "ward") == ["01", "02", "03"]
    assert np.isnan(table.values[2, 1])


def test_what_was_accepted_holds_for_a_later_table(tmp_path: Path) -> None:
    cells = [-999 if row % 9 == 0 else row for row in range(N)]
    low = ["<0.5" if row % 8 == 0 else row / 4 for row in range(N)]
    first = read_table(written(tmp_path, "a,b,group\n" + lines(cells, low, GROUPS)), accept_reading=True)
    assert first.ways == {"missing_values": "a=-999", "limits": "half"}
    table = read_as_learned(written(tmp_path, "b,a\n<0.1,-999\n3,4\n", "new.csv"), Learned.of(first))
    assert np.array_equal(table.values, [[0.05, np.nan], [3, 4]], equal_nan=True)
    assert not questions(table.readings, "group", named=True)


def test_a_later_table_is_read_in_the_layout_of_the_first_one_where_that_fits(tmp_path: Path) -> None:
    genes = [f"gene{row}" for row in range(N)]
    text = "id," + ",".join(f"s{j}" for j in range(6)) + "\n" + lines(genes, *columns_of(VALUES))
    labels = written(tmp_path, "id,group\n" + "".join(f"s{j},{'ab'[j % 2]}\n" for j in range(6)), "labels.csv")
    first = read_table(written(tmp_path, text), orientation="columns", labels=str(labels))
    learned = Learned.unpacked(Learned.of(first).packed())
    assert read_as_learned(written(tmp_path, text, "new.csv"), learned).rows == tuple(f"s{j}" for j in range(6))
    by_rows = (
        ",".join(["id", *genes]) + "\n" + "".join(",".join([f"s{j}", *map(str, VALUES[:, j])]) + "\n" for j in range(6))
    )
    assert read_as_learned(written(tmp_path, by_rows, "rows.csv"), learned).rows == tuple(f"s{j}" for j in range(6))


def test_an_encoding_that_was_answered_is_that_of_later_tables_in_doubt_alone(tmp_path: Path) -> None:
    russian = "доза,группа\n" + lines(VALUES[:, 0], ["да", "нет"] * 20)
    first = read_table(written(tmp_path, russian.encode("cp1251")), encoding="cp1251")
    for encoding in ("cp1251", "utf-8"):
        table = read_as_learned(written(tmp_path, russian.encode(encoding), "new.csv"), Learned.of(first))
        assert set(words(table)) == {"да", "нет"}


def test_what_was_learned_is_kept_with_a_project(tmp_path: Path) -> None:
    from fsdesk.store import Project

    cells = ["n.d." if row % 9 == 0 else f"{row}.5" for row in range(N)]
    learned = read_table(written(tmp_path, "dose,b,group\n" + lines(cells, VALUES[:, 0], GROUPS)))
    assert learned.ways == {"missing_values": "n.d."}
    project = Project.create(tmp_path / "p.fsdesk")
    project.add_dataset(learned)
    kept = project.dataset(learned.fingerprint)
    project.close()
    assert kept.ways == learned.ways
    assert kept.readings == learned.readings


# Encodings


def test_any_encoding_that_python_knows_can_be_said_and_western_texts_are_not_asked_about(tmp_path: Path) -> None:
    german = "Größe;Gruppe\n" + lines(VALUES[:, 0], ["männlich", "weiblich"] * 20, sign=";")
    assert not asked(made(tmp_path, german.encode("cp1252")))
    japanese = "値,群\n" + lines(VALUES[:, 0], ["対照", "症例"] * 20)
    table = made(tmp_path, japanese.encode("shift_jis"), encoding="shift_jis")
    assert table.columns == ("値", "群")
    assert asked(made(tmp_path, japanese.encode("shift_jis"))) == ["encoding"]
    with pytest.raises(ValueError, match="unknown encoding"):
        ReadOptions(encoding="klingon")


# Nothing is asked without need


def test_no_sample_and_no_real_table_asks_anything() -> None:
    for sample in SAMPLES:
        dataset = prepare(load_sample(sample.name))
        assert not questions(dataset.readings, dataset.target_name, named=False)
    for name in SHAPES:
        if (REAL_DATA / name).is_file():
            read_table(REAL_DATA / name)  # would raise


CLEAN = {
    "comma.csv": "id,a,b,group\n" + lines([f"P{r}" for r in range(N)], *columns_of(VALUES[:, :2]), GROUPS),
    "semicolon.csv": "a;b;group\n" + lines(*columns_of(VALUES[:, :2]), GROUPS, sign=";"),
    "german.csv": "a;b;group\n" + lines(*columns_of(VALUES[:, :2]), GROUPS, sign=";").replace(".", ","),
    "tab.tsv": "a\tb\tgroup\n" + lines(*columns_of(VALUES[:, :2]), GROUPS, sign="\t"),
    "spaces.txt": "a b group\n" + lines(*columns_of(VALUES[:, :2]), GROUPS, sign=" "),
    "no_names.csv": lines(*columns_of(VALUES[:, :2]), GROUPS),
    "codes.csv": "a,b,group\n" + lines(*columns_of(VALUES[:, :2]), [row % 2 for row in range(N)]),
    "genotypes.csv": "a,b,group\n" + lines([row % 3 for row in range(N)], [row * 7 % 3 for row in range(N)], GROUPS),
    "gaps.csv": "a,b,group\n" + lines(["" if r % 9 == 0 else r / 8 for r in range(N)], ["NA", 1.5] * 20, GROUPS),
    "quoted.csv": '"a","b, c","group"\n' + lines(*columns_of(VALUES[:, :2]), [f'"{group}"' for group in GROUPS]),
    "quantity.csv": "a,b,y\n" + lines(*columns_of(VALUES[:, :3])),
    "text.csv": "a,colour,group\n" + lines(VALUES[:, 0], ["red", "blue", "green", "blue"] * 10, GROUPS),
    "dates.csv": "day,a,group\n" + lines([f"2024-03-{1 + r % 28:02}" for r in range(N)], VALUES[:, 0], GROUPS),
    "data.arff": "@relation t\n@attribute a numeric\n@attribute g {case,control}\n@data\n"
    + lines(VALUES[:, 0], GROUPS),
    "years.csv": "2019,2020,2021,group\n" + lines(*columns_of(VALUES[:, :3]), GROUPS),
    "samples.csv": "id,a,b,group\n" + lines([f"S{r}_{r % 3}" for r in range(N)], *columns_of(VALUES[:, :2]), GROUPS),
    "plates.csv": "id,a,b,group\n"
    + lines([f"{'ABCDEFGH'[r // 5]}{r % 5 + 1}" for r in range(N)], *columns_of(VALUES[:, :2]), GROUPS),
}


@pytest.mark.parametrize("name", CLEAN)
def test_a_clean_table_asks_nothing(tmp_path: Path, name: str) -> None:
    read_table(written(tmp_path, CLEAN[name], name))


def test_the_decisions_travel_to_the_workers(tmp_path: Path) -> None:
    from fsdesk.data import share

    table = made(tmp_path, CLEAN["german.csv"])
    there = share(table, tmp_path / "shared").open()
    assert there.readings == table.readings
    assert there.ways == {"decimal": "comma"}
    assert Choices().task == "auto"
