import unicodedata
from pathlib import Path

import numpy as np
import pytest

from fsdesk.data import ReadOptions, Table, described_columns, read, read_table
from fsdesk.data.readers.labels import are_of_columns
from fsdesk.errors import DataError

GENES = "gene,s1,s2,s3,s4\nA,1,2,3,4\nB,5,6,7,8\n"
COUNTED = "a,b\n1.5,2\n2.5,3\n3.5,4\n4.5,5\n"


def joined(folder: Path, table: str, labels: str, orientation: str = "columns", by: str = "ids") -> Table:
    (folder / "table.csv").write_text(table, encoding="utf-8")
    (folder / "labels.csv").write_text(labels, encoding="utf-8")
    options = ReadOptions.model_validate(
        {"orientation": orientation, "labels": str(folder / "labels.csv"), "labels_by": by}
    )
    return read(folder / "table.csv", options)


def words(table: Table) -> list[str]:
    last = len(table.columns) - 1
    return [table.categories[last][int(code)] for code in table.values[:, last]]


def sentence(table: Table) -> str:
    return next(check.sentence for check in table.checks if check.kind == "labels")


@pytest.mark.parametrize(
    ("names", "target"),
    [
        ("diagnosis,batch,age", "diagnosis"),  # named as classes are
        ("batch,age,sex", "sex"),  # none is: the last
    ],
)
def test_of_several_labels_the_one_named_as_classes_is_proposed_and_asked_about(
    tmp_path: Path, names: str, target: str
) -> None:
    rows = [f"s{at},{'xy'[at % 2]},{'pqr'[at % 3]},{'uv'[at // 2 % 2]}" for at in range(1, 13)]
    genes = "gene," + ",".join(f"s{at}" for at in range(1, 13)) + "\n"
    genes += "".join(f"{gene}," + ",".join(str(at * 7 % 5 + 0.5) for at in range(12)) + "\n" for gene in "AB")
    table = joined(tmp_path, genes, f"sample,{names}\n" + "\n".join(rows) + "\n")
    assert table.default_target == target
    (asked,) = [each for each in table.readings if each.kind == "target"]
    assert not asked.sure
    assert asked.alternatives[0].value == target


def test_labels_are_joined_by_sample_id_in_any_order(tmp_path: Path) -> None:
    table = joined(tmp_path, GENES, "sample;group\ns4;ill\ns2;ill\ns9;well\ns1;well\ns3;ill\n")
    assert table.columns == ("A", "B", "group")
    assert words(table) == ["well", "ill", "ill", "ill"]
    assert table.default_target == "group"
    assert table.values[:, :2].tolist() == [[1.0, 5.0], [2.0, 6.0], [3.0, 7.0], [4.0, 8.0]]
    assert "by sample ID" in sentence(table)


def test_a_first_line_that_is_a_sample_is_no_header(tmp_path: Path) -> None:
    table = joined(tmp_path, GENES, "s1,well\ns2,ill\ns3,ill\ns4,ill\n")
    assert words(table) == ["well", "ill", "ill", "ill"]


def test_a_column_of_labels_alone_is_joined_by_order_and_said(tmp_path: Path) -> None:
    table = joined(tmp_path, GENES, "group\nwell\nill\nill\nwell\n")
    assert words(table) == ["well", "ill", "ill", "well"]
    assert "by order" in sentence(table)


def test_labels_without_a_header_are_counted_right(tmp_path: Path) -> None:
    assert words(joined(tmp_path, GENES, "only\nwell\nill\nill\n")) == ["only", "well", "ill", "ill"]


def test_ids_with_zeros_in_front_stay_different(tmp_path: Path) -> None:
    table = joined(tmp_path, "gene,007,7,010,10\nA,1.5,2,3,4\nB,5,6.5,7.5,8.5\n", "id,g\n7,a\n007,b\n10,c\n010,d\n")
    assert words(table) == ["b", "a", "d", "c"]


def test_a_table_without_ids_takes_labels_with_ids_by_order_only_where_the_user_says_so(tmp_path: Path) -> None:
    labels = "id,g\nu,x\nv,y\nw,x\nz,y\n"
    with pytest.raises(DataError, match="labels_by=order"):
        joined(tmp_path, COUNTED, labels, "rows")
    table = joined(tmp_path, COUNTED, labels, "rows", by="order")
    assert words(table) == ["x", "y", "x", "y"]
    assert "by order" in sentence(table)


def test_a_table_without_ids_takes_labels_that_number_its_rows_by_number(tmp_path: Path) -> None:
    table = joined(tmp_path, COUNTED, "nr,g\n4,y\n3,x\n2,y\n1,z\n", "rows")
    assert words(table) == ["z", "y", "x", "y"]


def test_a_labels_file_is_found_beside_the_table(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(GENES, encoding="utf-8")
    (tmp_path / "groups.csv").write_text("g\nx\ny\nx\ny\n", encoding="utf-8")
    table = read(tmp_path / "table.csv", ReadOptions(orientation="columns", labels="groups.csv"))
    assert table.default_target == "g"


def test_a_label_named_like_a_feature_gets_a_name_of_its_own(tmp_path: Path) -> None:
    assert joined(tmp_path, GENES, "A\nx\ny\nx\ny\n").columns == ("A", "B", "A_label")


def test_a_sample_without_a_label_is_named_and_gets_nobody_elses(tmp_path: Path) -> None:
    table = joined(tmp_path, GENES, "id,g\ns1,x\ns2,y\nt3,x\ns4,y\n")
    assert np.isnan(table.values[:, -1]).tolist() == [False, False, True, False]
    (check,) = [check for check in table.checks if check.kind == "samples without a label"]
    assert '"s3"' in check.sentence


def test_labels_of_other_samples_are_refused_with_examples(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r'"labels" has no label for "s1", "s2".*its first IDs are "t1"'):
        joined(tmp_path, GENES, "id,g\nt1,x\nt2,y\nt3,x\nt4,y\n")


def test_labels_of_the_columns_tell_that_the_table_lies_the_other_way(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r'labels for the columns of "table".*Change the setting "Samples are in"'):
        joined(tmp_path, GENES, "id,g\ns1,x\ns2,y\ns3,x\ns4,y\n", "rows")


def test_two_labels_for_one_sample_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match='more than one label for "s1"'):
        joined(tmp_path, GENES, "id,g\ns1,x\ns1,y\ns2,y\ns3,x\ns4,y\n")


def test_too_few_labels_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"has 2 labels, but .* has 4 samples"):
        joined(tmp_path, GENES, "g\nx\ny\n")


def test_a_missing_labels_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(GENES, encoding="utf-8")
    with pytest.raises(DataError, match=r"There is no file .*nowhere.csv"):
        read(tmp_path / "table.csv", ReadOptions(labels="nowhere.csv"))


SAMPLES = [f"S{k:02}" for k in range(12)]
LABELS = "sample,group\n" + "".join(f"{name},{'ab'[k % 2]}\n" for k, name in [*enumerate(SAMPLES)][::-1])


def classes(table: Table) -> list[str]:
    last = len(table.columns) - 1
    return ["" if np.isnan(code) else table.categories[last][int(code)] for code in table.values[:, last]]


def _features(title: str, extra: tuple[str, ...], behind: tuple[str, ...] = ()) -> str:
    head = [*extra, *(title.format(name) for name in SAMPLES), *behind]
    rows = [
        [str(100 + j + k / 7) for k in range(len(extra))]
        + [str(j * k % 7 + 0.5) for k in range(12)]
        + [f"word {j}" for _ in behind]
        for j in range(9)
    ]
    return "".join("\t".join(cells) + "\n" for cells in [head, *rows])


@pytest.mark.parametrize(
    ("title", "extra"),
    [
        ("{}.mzML Peak area", ("row m/z", "row retention time")),
        ("LFQ intensity {}", ("id", "Intensity", "Q-value")),
        ("{} (raw)", ("feature", "npeaks", "maxo")),
    ],
)
def test_ids_that_are_a_part_of_the_names_of_samples_are_found(
    tmp_path: Path, title: str, extra: tuple[str, ...]
) -> None:
    table = joined(tmp_path, _features(title, extra), LABELS, by="auto")
    labelled = dict(zip(table.rows, classes(table), strict=True))
    assert [labelled[title.format(name)] for name in SAMPLES] == ["ab"[k % 2] for k in range(12)]


def test_ids_in_several_columns_each_are_refused_with_both(tmp_path: Path) -> None:
    values = [[str(k), *map(str, range(24))] for k in range(6)]
    head = ["id", *(f"First run {name}" for name in SAMPLES), *(f"Second run {name}" for name in SAMPLES)]
    text = "".join("\t".join(cells) + "\n" for cells in [head, *values])
    with pytest.raises(DataError, match=r"several columns .*\"First run S11\", \"Second run S11\""):
        joined(tmp_path, text, LABELS)


@pytest.mark.parametrize("behind", [("Gene names",), ("Protein IDs", "Fasta headers")])
def test_names_of_features_behind_the_samples_are_found(tmp_path: Path, behind: tuple[str, ...]) -> None:
    table = joined(tmp_path, _features("{}", (), behind), LABELS)
    assert table.rows == tuple(SAMPLES)
    assert table.columns[:2] == ("word 0", "word 1")


@pytest.mark.parametrize("decimal", [".", ","])
def test_a_matrix_of_perseus_gives_its_groups(tmp_path: Path, decimal: str) -> None:
    head = "\t".join([*SAMPLES, "Score", "Gene names"])
    types = "#!{Type}" + "\t".join([*"E" * 12, "N", "T"])
    group = "#!{C:Group}" + "\t".join([*("ab"[k % 2] for k in range(12)), "", ""])
    body = [
        "\t".join([*(f"{j * k % 7 + 0.25}".replace(".", decimal) for k in range(12)), str(j), f"GENE{j}"])
        for j in range(8)
    ]
    (tmp_path / "matrix.txt").write_text("\n".join([head, types, group, *body]) + "\n", encoding="utf-8")
    table = read(tmp_path / "matrix.txt")
    assert table.rows == tuple(SAMPLES)
    assert table.columns[:8] == tuple(f"GENE{j}" for j in range(8))
    assert table.default_target == "Group"
    assert words(table) == ["ab"[k % 2] for k in range(12)]
    assert table.values[3, 2] == 2 * 3 % 7 + 0.25
    assert table.descriptions["GENE3"] == "Score: 3"
    (tmp_path / "matrix.txt").write_text("\n".join([head, types.replace("E", "N"), *body]) + "\n", encoding="utf-8")
    with pytest.raises(DataError, match="no main columns"):
        read(tmp_path / "matrix.txt")


@pytest.mark.parametrize(
    ("own", "theirs"), [("Jörg {}", "Jörg {}"), ("S {}", "s{}"), ("X.A.{}", "X-A-{}"), ("Zoë\u00a0{}", "Zoë {}")]
)
def test_ids_that_look_alike_are_joined(tmp_path: Path, own: str, theirs: str) -> None:
    written = unicodedata.normalize("NFD", theirs)
    values = "".join(f"{own.format(k)},{k * 7 % 5},{k / 3:.3f}\n" for k in range(8))
    labels = "".join(f"{written.format(k)},{'ab'[k % 2]}\n" for k in reversed(range(8)))
    table = joined(tmp_path, "id,u,v\n" + values, "name,group\n" + labels, "rows", "auto")
    assert words(table) == ["ab"[k % 2] for k in range(8)]


def test_refused_labels_name_the_ids_of_the_table_and_not_its_rows(tmp_path: Path) -> None:
    values = "".join(f"{1000 + k},{k * 7 % 5},{k / 3:.3f}\n" for k in range(8))
    labels = "".join(f"P{1000 + k},{'ab'[k % 2]}\n" for k in range(8))
    with pytest.raises(DataError, match='no label for "1000", "1001"'):
        joined(tmp_path, "patient,u,v\n" + values, "patient,group\n" + labels, "rows", "auto")


def test_a_label_that_is_not_the_target_is_no_feature(tmp_path):
    (tmp_path / "genes.csv").write_text("id,g1,g2\ns1,1.5,2\ns2,2.5,3\ns3,1.1,5\ns4,0.4,1\n")
    (tmp_path / "labels.csv").write_text("id,diagnosis,age\ns1,ill,50\ns2,well,41\ns3,ill,63\ns4,well,41\n")
    table = read(tmp_path / "genes.csv", ReadOptions(labels="labels.csv"))
    assert set(described_columns(table)) == {"diagnosis", "age"}
    made = read_table(tmp_path / "genes.csv", "diagnosis", labels="labels.csv")
    assert made.features == ("g1", "g2")
    assert 'Labels "diagnosis", "age" from "labels" were matched by sample ID.' in [c.sentence for c in table.checks]


def test_labels_of_the_columns_are_told_apart_from_labels_that_fit_nothing(tmp_path):
    (tmp_path / "genes.csv").write_text("gene,s1,s2,s3,s4\ng1,1.5,2,3,4\ng2,2.5,3,1,4\n")
    (tmp_path / "labels.csv").write_text("id,diagnosis\ns1,ill\ns2,well\ns3,ill\ns4,well\n")
    with pytest.raises(DataError, match="Samples are in") as refused:
        read(tmp_path / "genes.csv", ReadOptions(labels="labels.csv"))
    assert are_of_columns(refused.value)
    assert not are_of_columns(DataError("another one"))
    table = read(tmp_path / "genes.csv", ReadOptions(labels="labels.csv", orientation="columns"))
    assert (table.rows, table.default_target) == (("s1", "s2", "s3", "s4"), "diagnosis")
