import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from fsdesk.data import Check, Dataset, Table, prepare, read_table
from fsdesk.errors import DataError, SettingsError

NAN = np.nan


def table(
    columns: Mapping[str, Sequence[float]],
    categories: Mapping[str, tuple[str, ...]] | None = None,
    checks: tuple[Check, ...] = (),
) -> Table:
    names = tuple(columns)
    values: NDArray[np.float64] = np.asfortranarray(np.array(list(columns.values()), dtype=float).T)
    coded = {names.index(name): levels for name, levels in (categories or {}).items()}
    rows = tuple(f"r{i}" for i in range(len(values)))
    return Table("toy", values, names, coded, rows, "made up", names[-1], checks)


def check(dataset: Dataset, kind: str) -> Check:
    return next(check for check in dataset.checks if check.kind == kind)


def kinds(dataset: Dataset) -> set[str]:
    return {check.kind for check in dataset.checks}


A = [0.5, 0.1, 0.9, 0.3, 0.2, 0.8, 0.7, 0.6, 0.15, 0.25]
B = [5.0, 3.0, 5.0, 1.0, 2.0, 2.0, 3.0, 8.0, 9.0, 1.0]
Y = [1.0, 0.0] * 5


def test_the_last_column_is_the_target_unless_one_is_named() -> None:
    toy = table({"a": A, "b": B, "y": Y})
    dataset = prepare(toy)
    assert dataset.features == ("a", "b")
    assert dataset.target_name == "y"
    assert dataset.x.tolist() == [list(pair) for pair in zip(A, B, strict=True)]
    assert dataset.x.flags.f_contiguous
    assert dataset.target.tolist() == [1, 0] * 5
    assert dataset.target.dtype == np.int64
    assert dataset.classes == ("0", "1")
    assert dataset.rows == toy.rows
    other = prepare(table({"y": Y, "a": A, "b": B}), "y")
    assert other.features == ("a", "b")
    assert other.fingerprint == dataset.fingerprint


def test_a_wide_table_is_not_copied() -> None:
    toy = table({"a": A, "b": B, "y": Y})
    assert np.shares_memory(prepare(toy).x, toy.values)


def test_classes_keep_the_order_of_the_categories_that_are_present() -> None:
    toy = table({"a": A, "size": [3.0, 0.0] * 5}, {"size": ("small", "medium", "large", "huge")})
    dataset = prepare(toy)
    assert dataset.classes == ("small", "huge")
    assert dataset.target.tolist() == [1, 0] * 5


def test_numeric_classes_are_sorted_and_named_without_decimals() -> None:
    dataset = prepare(table({"a": A, "y": [10.0, -1.0, 2.0, 10.0, 2.0, -1.0, 10.0, 2.0, -1.0, 10.0]}))
    assert dataset.classes == ("-1", "2", "10")
    assert dataset.target.tolist() == [2, 0, 1, 2, 1, 0, 2, 1, 0, 2]


def test_a_few_numbers_with_decimals_may_be_classes() -> None:
    assert prepare(table({"a": A, "y": [1.5, 2.0] * 5})).classes == ("1.5", "2")


def test_rows_without_a_class_are_left_out_and_said() -> None:
    toy = table({"a": A, "b": B, "y": [NAN, *Y[1:]]})
    dataset = prepare(toy)
    assert dataset.rows == toy.rows[1:]
    assert dataset.x[:, 0].tolist() == A[1:]
    assert dataset.target.tolist() == [0, 1, 0, 1, 0, 1, 0, 1, 0]
    assert "1 row has no class" in check(dataset, "missing target").sentence


def test_ignored_columns_are_left_out() -> None:
    dataset = prepare(table({"a": A, "b": B, "c": A, "y": Y}), ignore=["b"])
    assert dataset.features == ("a", "c")
    assert dataset.x[:, 1].tolist() == A


@pytest.mark.parametrize("ignore", [["nothing"], ["B"]])
def test_an_unknown_name_to_ignore_is_refused(ignore: list[str]) -> None:
    with pytest.raises(DataError, match=f'no column "{ignore[0]}"'):
        prepare(table({"a": A, "b": B, "y": Y}), ignore=ignore)


def holed() -> Table:
    return table(
        {"a": [NAN, *A[1:]], "b": B, "n": [0.0, NAN, *[1.0, 0.0] * 4], "m": [1.0, 0.0, 0.0, 1.0] + [1.0] * 6, "y": Y},
        {"n": ("p", "q"), "m": ("u", "v")},
    )


def test_missing_values_and_codes_stay_for_the_training_folds() -> None:
    dataset = prepare(holed())
    assert dataset.features == ("a", "b", "n", "m")
    assert np.isnan(dataset.x).sum() == 2
    assert dataset.categories == {2: ("p", "q"), 3: ("u", "v")}
    assert check(dataset, "missing values").columns == ("a", "n")
    assert "2 values are missing in 2 columns" in check(dataset, "missing values").sentence
    assert check(dataset, "non-numeric columns").columns == ("n", "m")


def test_rows_with_missing_values_can_be_dropped() -> None:
    dataset = prepare(holed(), missing="drop rows")
    assert dataset.rows == tuple(f"r{i}" for i in range(2, 10))
    assert dataset.x[:, 0].tolist() == A[2:]
    assert dataset.target.tolist() == [1, 0] * 4
    assert "2 rows are dropped" in check(dataset, "missing values").sentence


def test_columns_with_missing_values_can_be_dropped() -> None:
    dataset = prepare(holed(), missing="drop columns")
    assert dataset.features == ("b", "m")
    assert dataset.categories == {1: ("u", "v")}
    assert dataset.x[:, 0].tolist() == B


def test_nominal_columns_can_be_dropped() -> None:
    dataset = prepare(holed(), nominal="drop")
    assert dataset.features == ("a", "b")
    assert dataset.categories == {}


def test_dropping_every_row_or_a_whole_class_is_refused() -> None:
    diagonal = table({"a": [NAN, *A[1:]], "b": [B[0], *[NAN] * 9], "y": Y})
    with pytest.raises(DataError, match="dropping rows would leave none"):
        prepare(diagonal, missing="drop rows")
    with pytest.raises(DataError, match=r'only one class \("1"\)\. Impute'):
        prepare(table({"a": [1.0, NAN] * 5, "b": B, "y": Y}), missing="drop rows")


def test_a_class_lost_with_the_rows_dropped_is_no_class_any_more() -> None:
    y = [0.0, 1.0, 2.0] * 3 + [0.0]
    a = [NAN if label == 1.0 else value for label, value in zip(y, A, strict=True)]
    dataset = prepare(table({"a": a, "b": B, "y": y}), missing="drop rows")
    assert dataset.classes == ("0", "2")
    assert dataset.target.tolist() == [0, 1, 0, 1, 0, 1, 0]


def test_constant_and_duplicated_columns_stay_and_are_said() -> None:
    dataset = prepare(table({"a": A, "flat": [2.0] * 10, "b": B, "copy": A, "y": Y}))
    assert dataset.features == ("a", "flat", "b", "copy")
    assert check(dataset, "constant columns").columns == ("flat",)
    assert check(dataset, "duplicated columns").columns == ("copy",)
    assert check(dataset, "duplicated columns").sentence == 'Column "copy" duplicates the earlier column "a".'


def test_a_column_with_one_value_and_gaps_is_constant() -> None:
    dataset = prepare(table({"a": A, "flat": [NAN, *[2.0] * 9], "y": Y}))
    assert check(dataset, "constant columns").columns == ("flat",)


def test_sentences_name_three_columns_and_count_the_rest() -> None:
    flat = {f"f{i}": [1.0] * 10 for i in range(5)}
    found = check(prepare(table({"a": A, **flat, "y": Y})), "constant columns")
    assert found.columns == ("f0", "f1", "f2", "f3", "f4")
    assert '"f0", "f1", "f2" and 2 more' in found.sentence
    assert found.sentence.startswith("5 columns")


def test_tiny_classes_are_said() -> None:
    y = [0.0] * 5 + [1.0] * 4 + [2.0]
    assert '"1", "2"' in check(prepare(table({"a": A, "y": y})), "tiny classes").sentence
    assert "tiny classes" not in kinds(prepare(table({"a": A, "y": Y})))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("anything", range(1, 11)),
        ("anything", range(10)),
        ("id", [5, 9, 1, 7, 3, 8, 2, 30, 12, 11]),
        ("patient_id", [5, 9, 1, 7, 3, 8, 2, 30, 12, 11]),
        ("sampleID", [5, 9, 1, 7, 3, 8, 2, 30, 12, 11]),
        ("Nr", range(100, 0, -10)),
        ("index", [1, 2, 4, 5, 6, 7, 9, 10, 11, 13]),
    ],
)
def test_columns_that_number_the_rows_are_set_aside(name: str, values: Sequence[float]) -> None:
    dataset = prepare(table({name: values, "a": A, "y": Y}))
    assert dataset.features == ("a",)
    assert check(dataset, "id columns").columns == (name,)
    kept = prepare(table({name: values, "a": A, "y": Y}), keep=(name,))
    assert kept.features == (name, "a")
    assert "id columns" not in {each.kind for each in kept.checks}
    assert dataset.x[:, 0].tolist() == A


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("anything", [5, 9, 1, 7, 3, 8, 2, 30, 12, 11]),
        ("anything", [1, 2, 4, 5, 6, 7, 9, 10, 11, 13]),
        ("lipid", [5, 9, 1, 7, 3, 8, 2, 30, 12, 11]),
        ("id", [5, 5, 1, 7, 3, 8, 2, 30, 12, 11]),
        ("index", [1.5, 2, 4, 5, 6, 7, 9, 10, 11, 13]),
        ("nr", [3, 1, 2, 5, 6, 7, 9, 10, 11, 13]),
    ],
)
def test_what_may_be_a_measurement_stays(name: str, values: Sequence[float]) -> None:
    assert prepare(table({name: values, "a": A, "y": Y})).features == (name, "a")


def test_a_short_count_may_be_a_dose_and_stays() -> None:
    toy = table({"dose": [1.0, 2.0, 3.0, 4.0], "a": A[:4], "y": [0.0, 0.0, 1.0, 1.0]})
    assert prepare(toy).features == ("dose", "a")


def test_text_that_differs_in_nearly_every_row_is_set_aside() -> None:
    names = tuple(f"note {i}" for i in range(10))
    dataset = prepare(table({"a": A, "note": [*range(9), 8], "y": Y}, {"note": names}))
    assert dataset.features == ("a",)
    assert check(dataset, "text columns").columns == ("note",)
    assert "non-numeric columns" not in kinds(dataset)


def test_columns_without_values_are_set_aside() -> None:
    dataset = prepare(table({"a": A, "void": [NAN] * 10, "y": Y}))
    assert dataset.features == ("a",)
    assert check(dataset, "empty columns").columns == ("void",)


def test_what_reading_turned_up_is_kept() -> None:
    note = Check("encoding", "It was read as Latin-1.")
    assert note in prepare(table({"a": A, "y": Y}, checks=(note,))).checks


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (list(range(40)), "nearly every row in its own class \\(40 classes, 40 rows\\)"),
        ([7.0] * 40, 'only one class \\("7"\\)'),
        ([NAN] * 40, "missing in every row"),
    ],
)
def test_a_target_that_is_no_target_is_refused_and_a_better_one_named(y: list[float], message: str) -> None:
    toy = table({"a": A * 4, "kind": [0.0, 1.0] * 20, "y": y}, {"kind": ("p", "q")})
    with pytest.raises(DataError, match=f'"y" .*{message}.*for example "kind"'):
        prepare(toy)


@pytest.mark.parametrize(
    "y", [np.linspace(0.05, 0.95, 40).tolist(), [*range(35), 34, 33, 32, 31, 30], [*range(25), *range(15)]]
)
def test_a_continuous_target_is_predicted_as_a_number_and_a_column_of_classes_named(y: list[float]) -> None:
    dataset = prepare(table({"a": A * 4, "kind": [0.0, 1.0] * 20, "y": y}, {"kind": ("p", "q")}))
    assert dataset.response is not None
    assert dataset.response.tolist() == y
    assert dataset.classes == ()
    assert not dataset.target.any()
    assert re.search(
        r'"y" has (25|35|40) different numbers.*for example "kind"', check(dataset, "numeric target").sentence
    )


def test_what_a_target_is_can_be_said() -> None:
    toy = table({"a": A, "y": [1.0, 2.0, 3.0, 1.0, 2.0] * 2})
    assert prepare(toy, task="regression").response.tolist() == [1.0, 2.0, 3.0, 1.0, 2.0] * 2
    assert prepare(toy, task="classification").classes == ("1", "2", "3")
    with pytest.raises(DataError, match='"name" contains words'):
        prepare(table({"a": A, "name": Y}, {"name": ("p", "q")}), task="regression")
    with pytest.raises(SettingsError, match='"task"'):
        prepare(toy, task="guess")


def test_columns_with_a_role_are_no_features_and_become_codes() -> None:
    patient, fold, day = [3.0, 3.0, 7.0, 7.0, 5.0] * 2, [1.0, 2.0] * 5, [9.5, 1.0] * 5
    toy = table({"a": A, "patient": patient, "fold": fold, "day": day, "y": Y})
    dataset = prepare(toy, group="patient", folds="fold", time="day")
    assert dataset.features == ("a",)
    assert dataset.groups.tolist() == [0, 0, 2, 2, 1] * 2
    assert dataset.fold_of.tolist() == [0, 1] * 5
    assert dataset.time.tolist() == [1, 0] * 5
    assert dataset.fingerprint != prepare(toy, ignore=["patient", "fold", "day"]).fingerprint


@pytest.mark.parametrize(
    "texts",
    [
        ["2023-12-24", "2024-01-05", "2024-10-02"],
        ["2023-12-24 23:59", "2024-01-05 00:00", "2024-01-05 12:00"],
        ["24.12.2023", "05.01.2024", "02.10.2024"],
        ["24.12.23", "5.1.24", "2.10.24"],
        ["24/12/2023", "05/01/2024", "02/10/2024"],
        ["12/24/2023", "01/05/2024", "10/02/2024"],
        ["Dec 24, 2023", "Jan 5, 2024", "Oct 2, 2024"],
        ["24-Dec-2023 08:30", "05-Jan-2024 08:30", "02-Oct-2024 08:30"],
        ["week 2", "week 9", "Week 10"],
        ["9:05", "9:40", "12:00"],
        ["low", "high", "highest"],  # in an order of the file's own
    ],
)
def test_texts_of_the_time_are_in_the_order_of_their_dates(texts: list[str]) -> None:
    kept = tuple(texts) if texts[0] == "low" else tuple(sorted(texts))
    days = [float(kept.index(text)) for text in texts * 3 + texts[:1]]
    dataset = prepare(table({"a": A, "day": days, "y": Y}, {"day": kept}), time="day")
    assert dataset.time.tolist() == [0, 1, 2] * 3 + [0]


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (("after", "before"), 'text that cannot be ordered, such as "after", "before"'),
        (("03/04/2024", "05/02/2024"), 'the day or the month first, such as "03/04/2024"'),
    ],
)
def test_a_time_in_no_known_order_is_refused(texts: tuple[str, str], said: str) -> None:
    with pytest.raises(DataError, match=said):
        prepare(table({"a": A, "day": [0.0, 1.0] * 5, "y": Y}, {"day": texts}), time="day")


def test_columns_of_dates_are_named_for_they_may_be_the_time() -> None:
    days = ("1.2.2024", "13.2.2024")
    toy = table({"a": A, "day": [0.0, 1.0] * 5, "kind": [1.0, 0.0] * 5, "y": Y}, {"day": days, "kind": ("1-A", "2-B")})
    (check,) = [each for each in prepare(toy).checks if each.kind == "dates"]
    assert check.columns == ("day",)
    assert 'contains dates: "day"' in check.sentence
    assert "dates" not in {each.kind for each in prepare(toy, time="day").checks}
    assert "dates" not in {each.kind for each in prepare(toy, ignore=["day"]).checks}


def test_a_role_without_a_value_in_a_row_or_on_the_target_is_refused() -> None:
    toy = table({"a": A, "patient": [NAN, *range(9)], "y": Y})
    with pytest.raises(DataError, match='"patient", the groups, has no value in 1 row'):
        prepare(toy, group="patient")
    with pytest.raises(DataError, match='"y" is the target'):
        prepare(toy, group="y")
    with pytest.raises(DataError, match='no column "who"'):
        prepare(toy, group="who")


def test_a_nominal_target_with_a_class_for_every_row_is_refused() -> None:
    toy = table({"a": A, "name": range(10)}, {"name": tuple(f"p{i}" for i in range(10))})
    with pytest.raises(DataError, match="nearly every row"):
        prepare(toy)


def test_a_class_in_the_first_column_is_proposed_where_the_last_is_no_target() -> None:
    with pytest.raises(DataError, match='for example "kind"'):
        prepare(table({"kind": [1.0, 2.0] * 20, "a": list(range(40))}))


def test_an_unknown_target_gets_the_near_names() -> None:
    with pytest.raises(DataError, match=r'no column "clas" .*did you mean "class"'):
        prepare(table({"a": A, "class": Y}), "clas")
    with pytest.raises(DataError, match=r'no column "zzz" .*its columns are "a", "class"'):
        prepare(table({"a": A, "class": Y}), "zzz")


def test_all_columns_constant_is_refused() -> None:
    with pytest.raises(DataError, match='All features of "toy" are constant'):
        prepare(table({"a": [1.0] * 10, "b": [2.0] * 10, "y": Y}))


@pytest.mark.parametrize("columns", [{"y": Y}, {"id": range(10), "y": Y}, {"void": [NAN] * 10, "y": Y}])
def test_no_features_is_refused(columns: Mapping[str, Sequence[float]]) -> None:
    with pytest.raises(DataError, match="no features"):
        prepare(table(columns))


def test_ignoring_all_features_is_refused() -> None:
    with pytest.raises(DataError, match="no features"):
        prepare(table({"a": A, "y": Y}), ignore=["a"])


def test_no_rows_is_refused() -> None:
    empty = Table("toy", np.empty((0, 2), order="F"), ("a", "y"), {}, (), "made up", "y")
    with pytest.raises(DataError, match="has no rows"):
        prepare(empty)


def test_read_table_passes_every_choice_on(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("y;a;b;n\n1;0,5;3;p\n0;0,25;;q\n1;0,75;4;p\n0;0,1;5;q\n1;0,2;6;q\n", encoding="utf-8")
    dataset = read_table(path, "y", ignore=("b",), nominal="drop", delimiter="semicolon", decimal="comma")
    assert dataset.features == ("a",)
    assert dataset.x[:, 0].tolist() == [0.5, 0.25, 0.75, 0.1, 0.2]
    assert dataset.name == "t"
    assert read_table(path, "y", missing="drop rows").rows == ("1", "3", "4", "5")


def test_more_features_than_rows_are_a_warning_and_as_many_are_not():
    def kinds(features):
        rng = np.random.default_rng(0)
        values = np.asfortranarray(np.column_stack([rng.normal(size=(20, features)), np.arange(20) % 2]))
        names = (*(f"g{j}" for j in range(features)), "y")
        table = Table("t", values, names, {}, tuple(map(str, range(1, 21))), "made", "y")
        return [check.kind for check in prepare(table).checks]

    assert "more features than rows" in kinds(21)
    assert "more features than rows" not in kinds(20)


def test_genes_in_rows_get_the_advice_to_turn_the_table():
    values = np.asfortranarray(np.random.default_rng(0).normal(size=(40, 6)))
    table = Table(
        "t",
        values,
        tuple(f"patient {j}" for j in range(6)),
        {},
        tuple(f"gene {i}" for i in range(40)),
        "made",
        "patient 5",
    )
    assert 'set "Samples are in" (orientation) to columns' in check(prepare(table), "numeric target").sentence


def test_whole_numbers_that_were_rounded_are_named_and_large_measurements_are_not() -> None:
    ids = [2.0**53 + 2 * place for place in range(10)]
    physics = [1.5e17, 0.25, 3e16, 1.0, 2.0, 4.0, 5.0, 6.0, 7.0, 8.0]
    huge = [1e300, *A[1:]]
    named = prepare(table({"count": ids, "physics": physics, "huge": huge, "a": A, "y": Y}))
    found = check(named, "rounded numbers")
    assert found.columns == ("count",)
    assert "Exclude it if it is an ID" in found.sentence
    patients = prepare(table({"patient": ids, "a": A, "y": Y}), group="patient")
    assert check(patients, "rounded numbers").columns == ("patient",)
    exact = prepare(table({"count": [2.0**53 - place for place in range(10)], "a": A, "y": Y}))
    assert "rounded numbers" not in kinds(exact)
