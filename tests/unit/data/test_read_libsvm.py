from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file

from fsdesk.data import read, read_table
from fsdesk.errors import DataError

HAND_MADE = "+1 1:0.5 3:2 # first\n-1 2:-1.5e-1\n# a line of comment\n\n+1 1:1 2:2 3:3\n"


def write(folder: Path, content: str, name: str = "heart_scale") -> Path:
    path = folder / name
    path.write_text(content)
    return path


def test_what_a_line_leaves_out_is_zero_and_the_label_is_the_target(tmp_path: Path) -> None:
    table = read(write(tmp_path, HAND_MADE))
    assert table.columns == ("x1", "x2", "x3", "label")
    assert table.values.tolist() == [[0.5, 0, 2, 1], [0, -0.15, 0, -1], [1, 2, 3, 1]]
    assert table.default_target == "label"
    assert read_table(tmp_path / "heart_scale").classes == ("-1", "1")


def test_indices_from_zero_keep_their_numbers(tmp_path: Path) -> None:
    table = read(write(tmp_path, "1 0:5 2:6\n2 1:7\n"))
    assert table.columns == ("x0", "x1", "x2", "label")
    assert table.values[:, :3].tolist() == [[5, 0, 6], [0, 7, 0]]


@pytest.mark.parametrize("zero_based", [True, False])
def test_what_scikit_learn_writes_is_read(tmp_path: Path, zero_based: bool) -> None:
    x = np.random.default_rng(0).normal(size=(30, 8)).round(3) * (np.random.default_rng(1).random((30, 8)) < 0.6)
    y = np.arange(30) % 3
    path = tmp_path / "table.libsvm"
    dump_svmlight_file(x, y, str(path), zero_based=zero_based, comment="made by hand")
    table = read(path)
    np.testing.assert_allclose(table.values, np.column_stack([x, y]), rtol=1e-14)


def test_query_ids_are_passed_over_and_said(tmp_path: Path) -> None:
    table = read(write(tmp_path, "1 qid:1 1:2\n2 qid:1 2:3\n"))
    assert table.values.tolist() == [[2, 0, 1], [0, 3, 2]]
    assert "query ids" in {check.kind for check in table.checks}


def test_tables_of_other_kinds_are_not_taken_for_it(tmp_path: Path) -> None:
    assert read(write(tmp_path, "a b\n1 2\n3 4\n", "t.txt")).columns == ("a", "b")
    assert read(write(tmp_path, "1 2\n3 4\n", "u.txt")).values.shape == (2, 2)
    assert read(write(tmp_path, "day time\n1 12:30\n2 13:30\n", "v.txt")).columns == ("day", "time")


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("1 1:2 spam\n", 'Line 6 of "t.svm" is not "label index:value index:value" \\("1 1:2 spam"\\)'),
        ("one 1:2\n", "Line 6 .* is not"),
        ("1 3:2 2:1\n", "indices in line 6 .* are not in ascending order"),
        ("1 99999999999:2\n", "index 99999999999 in line 6 .* is too large"),
        ("1 2000000000:2\n", "4 x 2,000,000,000 .* too large"),
    ],
)
def test_a_line_at_fault_is_named(tmp_path: Path, bad: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        read(write(tmp_path, HAND_MADE + bad, "t.svm"))


def test_labels_alone_are_no_table(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no values"):
        read(write(tmp_path, "1\n2\n", "t.svm"))
