"""Files of labels of all shapes: samples in columns, ids that only count, ids that occur twice, several labels."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fsdesk
from fsdesk.data import ReadOptions, Table, questions, read
from fsdesk.errors import DataError

N = 40
RNG = np.random.default_rng(7)
VALUES = RNG.normal(5, 1.5, (N, 5)).round(2)
IDS = [f"P{k:03}" for k in range(N)]
GROUPS = [("case", "control")[k * 7 // 3 % 2] for k in range(N)]
BACK = range(N - 1, -1, -1)


def joined(folder: Path, ids: list[Any], labels: str, **options: Any) -> Table:
    """A table of samples by id and five features, with labels from a file."""
    if options.get("orientation") == "columns":
        lines = [["gene", *ids], *([f"G{j}", *VALUES[: len(ids), j]] for j in range(5))]
    else:
        lines = [["sample", *"abcde"], *([name, *VALUES[k]] for k, name in enumerate(ids))]
    (folder / "table.csv").write_text("".join(",".join(map(str, line)) + "\n" for line in lines), encoding="utf-8")
    (folder / "labels.csv").write_text(labels, encoding="utf-8")
    return read(folder / "table.csv", ReadOptions.model_validate({"labels": "labels.csv", **options}))


def classes(table: Table) -> list[str]:
    column = table.columns.index(table.default_target)
    return [table.categories[column][int(code)] for code in table.values[:, column]]


def asked(table: Table) -> list[str]:
    return [question.kind for question in questions(table.readings, table.default_target, named=False)]


def listed(*columns: list[Any], head: str) -> str:
    rows = [*zip(*columns, strict=True)]
    return head + "\n" + "".join(",".join(map(str, rows[k])) + "\n" for k in BACK if k < len(rows))


ACROSS = [
    ["gene", *IDS[::-1]], ["group", *GROUPS[::-1]],
], [["Hybridization REF", *[name.lower() for name in IDS[::-1]]], ["age", *range(N)], ["group", *GROUPS[::-1]]], [
    IDS[::-1], GROUPS[::-1],
]  # fmt: skip


@pytest.mark.parametrize("lines", ACROSS)
def test_labels_whose_samples_are_columns_are_joined(tmp_path: Path, lines: list[list[str]]) -> None:
    table = joined(tmp_path, IDS, "".join(",".join(map(str, line)) + "\n" for line in lines), orientation="columns")
    assert classes(table) == GROUPS
    assert "labels" not in asked(table)


@pytest.mark.parametrize("sep", [",", "\t"])
def test_one_line_of_labels_is_joined_by_order_and_asked(tmp_path: Path, sep: str) -> None:
    table = joined(tmp_path, IDS, sep.join(GROUPS) + "\n", orientation="columns")
    assert classes(table) == GROUPS
    assert asked(table) == ["labels"]


@pytest.mark.parametrize(("own", "theirs"), [(0, 1), (1, 0)])
def test_ids_that_count_from_different_numbers_are_asked_about(tmp_path: Path, own: int, theirs: int) -> None:
    ids = [k + own for k in range(N)]
    labels = listed([k + theirs for k in range(N)], GROUPS, head="sample,group")
    table = joined(tmp_path, ids, labels)
    assert asked(table) == ["labels"]
    assert "labels" not in asked(joined(tmp_path, ids, labels, labels_by="ids"))
    assert "labels" not in asked(joined(tmp_path, ids, listed(ids, GROUPS, head="sample,group")))


@pytest.mark.parametrize("head", ["nr,group", '"","x"'])
def test_labels_that_number_the_rows_are_asked_about(tmp_path: Path, head: str) -> None:
    labels = listed([*range(1, N + 1)], GROUPS, head=head)
    table = joined(tmp_path, [1001 + 3 * k for k in range(N)], labels)
    assert classes(table) == GROUPS
    assert asked(table) == ["labels"]


@pytest.mark.parametrize(("head", "target"), [("sample,year,site", "year"), ("sample,site,year", "site")])
def test_a_label_that_is_not_the_target_is_no_feature(tmp_path: Path, head: str, target: str) -> None:
    columns = {
        "sample": IDS,
        "year": [2008 + k % 3 for k in range(N)],
        "site": [("gut", "skin")[k % 2] for k in range(N)],
    }
    joined(tmp_path, IDS, listed(*(columns[name] for name in head.split(",")), head=head))
    data = fsdesk.read_table(tmp_path / "table.csv", target, labels="labels.csv", accept_reading=True)
    assert data.features == tuple("abcde")


@pytest.mark.parametrize("again", [[3], [3, 3, 8]])
def test_an_id_that_occurs_twice_with_one_label_has_it(tmp_path: Path, again: list[int]) -> None:
    more = "".join(f"{IDS[k]},{GROUPS[k]}\n" for k in again)
    assert classes(joined(tmp_path, IDS, listed(IDS, GROUPS, head="sample,group") + more)) == GROUPS
    visits = listed(IDS, [1] * N, GROUPS, head="sample,visit,group")
    table = joined(tmp_path, IDS, visits + "".join(f"{IDS[k]},2,{GROUPS[k]}\n" for k in again))
    assert classes(table) == GROUPS
    assert "visit" not in table.columns
    assert any(check.kind == "labels that differ" and '"visit"' in check.sentence for check in table.checks)


@pytest.mark.parametrize("k", [3, 11])
def test_an_id_with_two_labels_is_refused_in_the_name_of_the_labels(tmp_path: Path, k: int) -> None:
    other = "control" if GROUPS[k] == "case" else "case"
    with pytest.raises(DataError, match=f'"labels" has more than one label for "{IDS[k]}"'):
        joined(tmp_path, IDS, listed(IDS, GROUPS, head="sample,group") + f"{IDS[k]},{other}\n")


@pytest.mark.parametrize("head", ["group", "diagnosis"])
def test_a_title_above_too_few_labels_is_no_label(tmp_path: Path, head: str) -> None:
    with pytest.raises(DataError, match=r"has 39 labels, but .* has 40 samples"):
        joined(tmp_path, IDS, head + "\n" + "\n".join(GROUPS[:-1]) + "\n")


@pytest.mark.parametrize(
    ("own", "theirs"), [("{}", '"{:,}"'), ("{}", '"{:,.0f}"'), ("P_{:05}", "P{}"), ("pat-{}", "PAT{:06}")]
)
def test_ids_are_joined_as_sheets_and_people_write_them(tmp_path: Path, own: str, theirs: str) -> None:
    numbers = [1000 + 7 * k for k in range(N)]
    labels = listed([theirs.format(each) for each in numbers], GROUPS, head="sample,group")
    assert classes(joined(tmp_path, [own.format(each) for each in numbers], labels)) == GROUPS


@pytest.mark.parametrize("again", [0, 5])
def test_a_sample_that_occurs_twice_in_the_table_is_named(tmp_path: Path, again: int) -> None:
    ids = [*IDS[:-1], IDS[again]]
    table = joined(tmp_path, ids, listed(IDS, GROUPS, head="sample,group"))
    assert classes(table) == [*GROUPS[:-1], GROUPS[again]]
    assert any(check.kind == "duplicated row ids" and IDS[again] in check.sentence for check in table.checks)


@pytest.mark.parametrize("names", [("case", "control"), ("is_ill", "is_well")])
def test_a_column_for_each_class_of_labels_is_one_question(tmp_path: Path, names: tuple[str, str]) -> None:
    marks = [[int(group == each) for group in GROUPS] for each in ("case", "control")]
    table = joined(tmp_path, IDS, listed(IDS, *marks, head="sample," + ",".join(names)))
    assert asked(table) == ["target"]


@pytest.mark.parametrize("others", [["old", "age", "batch"], ["nr", "visit"]])
def test_of_several_columns_of_numbers_the_one_of_the_same_name_has_the_ids(tmp_path: Path, others: list[str]) -> None:
    ids = [*range(1, N + 1)]
    wrong = [[(k * 7 + shift) % N + 1 for k in range(N)] for shift, _ in enumerate(others)]
    table = joined(tmp_path, ids, listed(*wrong, ids, GROUPS, head=",".join([*others, "sample", "group"])))
    assert classes(table) == GROUPS
    more = [*wrong[0], N + 1]  # counts one more row than the table has
    table = joined(tmp_path, ids, listed(more, [*ids[:-1], 99, 98], [*GROUPS, "case"], head="nr,sample,group"))
    assert classes(replace(table, values=table.values[:-1])) == GROUPS[:-1]


@pytest.mark.parametrize("names", [("first", "second"), ("id", "nr")])
def test_several_columns_that_may_be_the_ids_are_refused(tmp_path: Path, names: tuple[str, str]) -> None:
    ids = [*range(1, N + 1)]
    wrong = [(k * 7) % N + 1 for k in range(N)]
    with pytest.raises(DataError, match="several columns that could be the sample IDs"):
        joined(tmp_path, ids, listed(wrong, ids, GROUPS, head=",".join([*names, "group"])))
    table = joined(tmp_path, ids, listed(wrong, ids, GROUPS, head="matched with,id,group"))
    assert classes(table) == GROUPS


@pytest.mark.parametrize("name", ["group", "site"])
def test_a_column_of_classes_in_both_files_is_none_of_ids(tmp_path: Path, name: str) -> None:
    lines = [["sample", "a", "b", name], *([each, *VALUES[k, :2], GROUPS[-1 - k]] for k, each in enumerate(IDS))]
    (tmp_path / "table.csv").write_text("".join(",".join(map(str, line)) + "\n" for line in lines))
    (tmp_path / "labels.csv").write_text(listed(IDS, GROUPS, head=f"sample,{name}"))
    table = read(tmp_path / "table.csv", ReadOptions(labels="labels.csv"))
    assert table.default_target == f"{name}_label"
    assert classes(table) == GROUPS


@pytest.mark.parametrize("names", [("dx",), ("dx", "age"), ("age", "dx", "sex")])
def test_labels_with_numeric_ids_in_their_first_line_are_joined(tmp_path: Path, names: tuple[str, ...]) -> None:
    ids = [str(1000 + 7 * row) for row in range(30)]
    kinds = {each: ("case", "control")[row % 2] for row, each in enumerate(ids)}
    values = "".join(f"{each},{row * 3 % 11}.5,{row * 5 % 7}.25\n" for row, each in enumerate(ids))
    (tmp_path / "values.csv").write_text(f"sample,a,b\n{values}")
    order = ids[::-1]
    cells = {"dx": [kinds[each] for each in order], "age": [str(30 + int(each) % 41) for each in order],
             "sex": ["mf"[int(each) % 2] for each in order]}  # fmt: skip
    lines = ["," + ",".join(order), *(f"{name}," + ",".join(cells[name]) for name in names)]
    (tmp_path / "labels.csv").write_text("\n".join(lines) + "\n")
    table = read(tmp_path / "values.csv", ReadOptions(labels="labels.csv"))
    place = table.columns.index("dx")
    assert [table.categories[place][int(code)] for code in table.values[:, place]] == [kinds[each] for each in ids]
    assert not any(reading.kind == "labels" and not reading.sure for reading in table.readings)
