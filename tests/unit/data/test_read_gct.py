from pathlib import Path

import numpy as np
import pytest

from fsdesk.data import ReadOptions, prepare, read, read_table, share
from fsdesk.errors import DataError

OLD = "#1.2\n2\t3\nName\tDescription\ts1\ts2\ts3\ng1\tfirst gene\t1.5\t2\t-3\ng2\tna\t4\t\t6e1\n"
# By the description of version 1.3: features, samples, fields of features, fields of samples.
NEW = (
    "#1.3\n2\t4\t1\t3\n"
    "id\tsymbol\ts1\ts2\ts3\ts4\n"
    "plate\tna\tp1\tp2\tp3\tp4\n"
    "drug\tna\tyes\tno\tyes\tno\n"
    "dose\tna\t1\t-666\t2\t1\n"
    "200_at\tTP53\t1\t2\t3\t4\n"
    "201_at\tBRCA1\t5\t6\t7\t8.5\n"
)


def write(folder: Path, content: str, name: str = "t.gct") -> Path:
    path = folder / name
    path.write_text(content)
    return path


def test_version_1_2_has_features_in_rows(tmp_path: Path) -> None:
    table = read(write(tmp_path, OLD))
    assert table.columns == ("g1", "g2")
    assert table.rows == ("s1", "s2", "s3")
    np.testing.assert_array_equal(table.values, [[1.5, 4], [2, np.nan], [-3, 60]])
    assert table.source == "t.gct, GCT 1.2, UTF-8, features in rows"


def test_version_1_3_offers_what_it_says_of_samples_as_targets(tmp_path: Path) -> None:
    table = read(write(tmp_path, NEW, "renamed.txt"))
    assert table.columns == ("200_at", "201_at", "plate", "dose", "drug")
    assert table.default_target == "drug"  # two groups of two
    assert table.values[:, :2].tolist() == [[1, 5], [2, 6], [3, 7], [4, 8.5]]
    np.testing.assert_array_equal(table.values[:, 3], [1, np.nan, 2, 1])
    assert table.categories == {2: ("p1", "p2", "p3", "p4"), 4: ("no", "yes")}


def test_what_describes_features_is_kept_by_name_where_it_says_anything(tmp_path: Path) -> None:
    assert read(write(tmp_path, OLD)).descriptions == {"g1": "first gene"}
    table = read(write(tmp_path, NEW))
    assert table.descriptions == {"200_at": "TP53", "201_at": "BRCA1"}
    assert share(table, tmp_path).open().descriptions == table.descriptions


def test_what_describes_features_is_kept_beside_labels_of_another_file(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("class\nill\nwell\nill\nwell\n")
    table = read(write(tmp_path, NEW), ReadOptions(labels="labels.csv"))
    assert table.default_target == "class"
    assert table.descriptions == {"200_at": "TP53", "201_at": "BRCA1"}


def test_what_describes_samples_is_no_feature(tmp_path: Path) -> None:
    path = write(tmp_path, NEW)
    assert read_table(path).features == ("200_at", "201_at")
    grouped = read_table(path, "drug", group="plate")
    assert grouped.features == ("200_at", "201_at")
    assert grouped.groups is not None


def test_tabs_that_a_spreadsheet_leaves_behind_do_no_harm(tmp_path: Path) -> None:
    assert read(write(tmp_path, OLD.replace("\n", "\t\t\n"))).columns == ("g1", "g2")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("#1.2\n", "Line 2"),
        ("#1.2\nmany\tfew\n", "Line 2 .* 2 whole numbers"),
        ("#1.3\n2\t3\n", "Line 2 .* 4 whole numbers"),
        ("#1.2\n0\t3\nName\tDescription\ta\tb\tc\n", "0 features"),
        (OLD.replace("2\t3\n", "5\t3\n", 1), "has 2 features, but its second line says 5"),
        (OLD.replace("\t60", "").replace("\t6e1", ""), "Line 5 .* has 4 cells where 5 are expected"),
        (NEW[:60], "truncated"),
        ("a,b\n1,2\n", 'neither "#1.2" nor "#1.3"'),
    ],
)
def test_what_does_not_fit_together_is_a_sentence(tmp_path: Path, content: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        read(write(tmp_path, content))


def test_a_feature_proposed_as_target_asks_for_labels_and_not_to_turn_what_is_turned(tmp_path: Path) -> None:
    samples = "\t".join(f"s{place}" for place in range(30))
    rows = ["\t".join(f"{factor * place / 7:.3f}" for place in range(30)) for factor in (2, 3, 4)]
    genes = "".join(f"g{place}\tna\t{row}\n" for place, row in enumerate(rows))
    dataset = prepare(read(write(tmp_path, f"#1.2\n3\t30\nNAME\tDescription\t{samples}\n{genes}")))
    said = [check.sentence for check in dataset.checks if "predicted as a number" in check.sentence]
    assert len(said) == 1
    assert said[0].endswith("If it is just another feature, name a file with the sample labels.")
