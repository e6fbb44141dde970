"""What a table says beforehand of errors that would be too good."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fsdesk.data import Dataset, QuestionError, from_frame, read_table

Columns = dict[str, Any]
N = 60


def _rng() -> np.random.Generator:
    return np.random.default_rng(5)


def _read(folder: Path, columns: Columns, **roles: Any) -> Dataset:
    path = folder / "table.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*(list(column) for column in columns.values()), strict=True))
    return read_table(path, **roles)


def _said(dataset: Dataset, kind: str) -> list[tuple[str, ...]]:
    return [check.columns for check in dataset.checks if check.kind == kind]


def _measured(count: int = 3) -> Columns:
    rng = _rng()
    return {f"g{j}": rng.normal(size=N).round(6) for j in range(count)}


CLASSES = ["ill" if i % 3 else "well" for i in range(N)]


@pytest.mark.parametrize(
    "leak",
    [
        ["D1" if name == "ill" else "D2" for name in CLASSES],
        [1 if name == "ill" else 7 for name in CLASSES],
        [("D1" if i % 2 else "D3") if name == "ill" else "D2" for i, name in enumerate(CLASSES)],
        [i + 0.5 if name == "well" else "" for i, name in enumerate(CLASSES)],
    ],
    ids=["renamed", "coded", "finer", "missing in a class"],
)
def test_a_column_that_gives_the_class_away_is_named(leak: list[object], tmp_path: Path) -> None:
    dataset = _read(tmp_path, {**_measured(), "leak": leak, "class": CLASSES})
    assert _said(dataset, "target among features") == [("leak",)]


def test_a_slip_in_it_or_few_rows_is_no_such_column(tmp_path: Path) -> None:
    nearly = ["D1" if name == "ill" else "D2" for name in CLASSES]
    nearly[0], nearly[1] = nearly[1], nearly[0]
    assert not _said(_read(tmp_path, {**_measured(), "nearly": nearly, "class": CLASSES}), "target among features")
    rng = np.random.default_rng(0)
    wide: Columns = {f"b{j}": rng.integers(0, 2, 12) for j in range(4000)}
    target = ["a", "b"] * 6
    twins = [np.array_equal(column, [0, 1] * 6) or np.array_equal(column, [1, 0] * 6) for column in wide.values()]
    assert any(twins), "by luck alone some are"
    assert not _said(_read(tmp_path, {**wide, "class": target}), "target among features")


def test_the_target_in_another_unit_is_named(tmp_path: Path) -> None:
    y = np.random.default_rng(8).normal(size=N).round(6)
    dataset = _read(tmp_path, {**_measured(2), "fahrenheit": 32 - 1.8 * y, "like it": y**2, "y": y})
    assert _said(dataset, "target among features") == [("fahrenheit",)]


def test_ids_in_the_order_of_the_rows_are_named_whatever_they_are_called(tmp_path: Path) -> None:
    barcode = np.arange(N) * 17 + 100234
    dataset = _read(tmp_path, {**_measured(), "lane": barcode, "class": sorted(CLASSES)})
    assert _said(dataset, "ordering columns") == [("lane",)]
    mixed = _rng().permutation(barcode)
    assert not _said(_read(tmp_path, {**_measured(), "count": mixed, "class": CLASSES}), "ordering columns")


def test_copied_rows_are_counted_unless_a_group_holds_them_together(tmp_path: Path) -> None:
    twice = {name: [*values, *values[:5]] for name, values in {**_measured(), "class": CLASSES}.items()}
    (check,) = (check for check in _read(tmp_path, dict(twice)).checks if check.kind == "copied rows")
    assert str(check.sentence).startswith("5 rows ")
    patient = [*range(N), *range(5)]
    columns = {"patient": patient, **twice}
    assert not [c for c in _read(tmp_path, dict(columns), group="patient").checks if c.kind == "copied rows"]


def test_copies_do_not_make_their_columns_tell_the_class(tmp_path: Path) -> None:
    thrice = {name: [*values] * 3 for name, values in {**_measured(), "class": CLASSES}.items()}
    kinds = {check.kind for check in _read(tmp_path, dict(thrice)).checks}
    assert "copied rows" in kinds
    assert "target among features" not in kinds


def test_rows_that_agree_in_a_few_categories_are_no_copies(tmp_path: Path) -> None:
    rng = _rng()
    columns: Columns = {f"c{j}": rng.choice(["x", "y", "z"], N) for j in range(3)}
    assert not _said(_read(tmp_path, {**columns, "class": CLASSES}), "copied rows")


def test_rows_that_one_column_of_few_values_makes_equal_are_no_copies(tmp_path: Path) -> None:
    for columns in ({"a": np.arange(60) % 7}, {"age": np.arange(60) % 40, "sex": np.arange(60) % 2}):
        assert not _said(_read(tmp_path, {**columns, "class": CLASSES}), "copied rows")


def test_a_column_of_patients_is_proposed_as_groups_until_it_is_one(tmp_path: Path) -> None:
    for name, cells in (("patient", [f"P{i // 3}" for i in range(N)]), ("Subject_ID", [i // 3 for i in range(N)]),
                        ("who", [f"w{i // 2}" for i in range(N)])):  # fmt: skip
        columns = {**_measured(), name: cells, "class": CLASSES}
        if name != "who":  # its name says whose the rows are, so that it is asked
            with pytest.raises(QuestionError, match=f'"{name}" are treated as a group'):
                _read(tmp_path, columns)
            assert _read(tmp_path, columns, replicates="groups").groups is not None
        assert _said(_read(tmp_path, columns, replicates="rows"), "possible groups") == [(name,)]
        assert not _said(_read(tmp_path, columns, group=name), "possible groups")
    site = {**_measured(), "site": [f"s{i % 4}" for i in range(N)], "class": CLASSES}
    assert not _said(_read(tmp_path, site), "possible groups")


def test_classes_that_differ_in_capitals_only_are_named(tmp_path: Path) -> None:
    typed = [name.title() if i % 5 == 0 else name for i, name in enumerate(CLASSES)]
    with pytest.raises(QuestionError, match=r'"Well", "well".*similar=\'one\''):
        _read(tmp_path, {**_measured(), "class": typed})
    different = _read(tmp_path, {**_measured(), "class": typed}, similar="different")
    assert _said(different, "similar classes") == [("class",)]
    assert _read(tmp_path, {**_measured(), "class": typed}, similar="one").classes == ("ill", "well")
    assert not _said(_read(tmp_path, {**_measured(), "class": CLASSES}), "similar classes")


@pytest.mark.parametrize(("cell", "kind"), [("1,{i:03}", "thousands"), ("{i}.5 %", "units"), ("$ {i}", "units")])
def test_numbers_as_people_write_them_are_numbers_and_no_ids(cell: str, kind: str, tmp_path: Path) -> None:
    written = [cell.format(i=(7 * i) % N) for i in range(N)]
    dataset = _read(tmp_path, {"v": written, **_measured(), "class": CLASSES})
    assert _said(dataset, kind) == [("v",)]
    assert "v" in dataset.features
    assert not dataset.categories
    assert not _said(dataset, "row ids")


def test_a_frame_is_looked_at_as_a_file_is() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({**_measured(), "leak": [name.upper() for name in CLASSES], "class": CLASSES})
    with pytest.warns(UserWarning, match="determines the class"):
        assert _said(from_frame(frame, "class"), "target among features") == [("leak",)]


def test_a_date_of_one_class_alone_is_named_as_a_leak_and_not_as_a_time_of_rows(tmp_path):
    ill = [place for place, name in enumerate(CLASSES) if name == "ill"]
    dates = [f"{1 + place % 28:02d}.03.2023" if place in ill[::2] else "" for place in range(N)]
    visits = [f"{1 + place * 7 % 28:02d}.02.2023" for place in range(N)]
    found = _read(tmp_path, {**_measured(), "visit": visits, "death_date": dates, "class": CLASSES})
    assert _said(found, "target among features") == [("death_date",)]
    assert _said(found, "dates") == [("visit",)]
    assert not _said(found, "text among numbers")  # most of its cells are empty, and none is a number


def test_a_column_with_gaps_in_both_classes_is_no_leak(tmp_path):
    some = ["" if place % 4 else f"{place * 0.37:.2f}" for place in range(N)]
    found = _read(tmp_path, {**_measured(), "some": some, "class": CLASSES})
    assert not _said(found, "target among features")
