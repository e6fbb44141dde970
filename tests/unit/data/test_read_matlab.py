from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import savemat
from scipy.sparse import csc_matrix

from fsdesk.data import ReadOptions, read, read_table
from fsdesk.errors import DataError

SHARED = Path(__file__).parents[3].parent / "shared" / "data"
X = np.array([[1.5, 2.0, 3.0], [4.0, 5.25, 6.0], [7.0, 8.0, 9.0], [0.0, 1.0, 2.0]])
Y = np.array([1, 2, 2, 1])


def write(folder: Path, **variables: Any) -> Path:
    path = folder / "table.mat"
    savemat(path, variables)
    return path


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("shape", [(4, 1), (1, 4)])
def test_x_and_y_are_read_whether_y_is_a_row_or_a_column(
    tmp_path: Path, compressed: bool, shape: tuple[int, int]
) -> None:
    path = tmp_path / "table.mat"
    savemat(path, {"X": X, "Y": Y.reshape(shape)}, do_compression=compressed)
    table = read(path)
    assert table.columns == ("x1", "x2", "x3", "Y")
    assert table.default_target == "Y"
    assert table.values[:, :3].tolist() == X.tolist()
    assert table.values[:, 3].tolist() == Y.tolist()
    assert read_table(path).classes == ("1", "2")


def test_a_real_file_has_its_shape_and_its_classes() -> None:
    path = SHARED / "warpAR10P.mat"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    dataset = read_table(path)
    assert dataset.x.shape == (130, 2400)
    assert np.bincount(dataset.target).tolist() == [13] * 10
    assert dataset.target_name == "Y"


def test_the_one_matrix_and_the_one_fitting_vector_are_taken_under_any_name(tmp_path: Path) -> None:
    path = write(tmp_path, pixels=X, person=Y.reshape(4, 1), scale=np.array([[2.0]]))
    table = read(path)
    assert table.default_target == "person"
    assert table.values[:, :3].tolist() == X.tolist()


def test_a_matrix_with_samples_in_columns_is_turned_round_and_said(tmp_path: Path) -> None:
    table = read(write(tmp_path, X=X.T, labels=Y))
    assert table.values[:, :3].tolist() == X.tolist()
    assert "orientation" in {check.kind for check in table.checks}


def test_the_orientation_can_be_told(tmp_path: Path) -> None:
    table = read(write(tmp_path, X=X[:3].T, Y=Y[:3]), ReadOptions(orientation="columns"))
    assert table.values[:, :3].tolist() == X[:3].tolist()


def test_labels_of_text_and_feature_names_are_read(tmp_path: Path) -> None:
    names = np.array(["length", "width", "height"], dtype=object)
    words = np.array([["ill"], ["well"], ["well"], ["ill"]], dtype=object)
    table = read(write(tmp_path, X=X, Y=words, feature_names=names))
    assert table.columns == ("length", "width", "height", "Y")
    assert table.categories == {3: ("ill", "well")}
    assert table.values[:, 3].tolist() == [0.0, 1.0, 1.0, 0.0]


def test_sparse_matrices_are_read(tmp_path: Path) -> None:
    table = read(write(tmp_path, X=csc_matrix(X), Y=Y))
    assert table.values[:, :3].tolist() == X.tolist()


def test_a_file_without_a_matrix_says_what_it_holds(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r'has no matrix "X" .*"Y".*Save the values as X'):
        read(write(tmp_path, Y=Y, remark="hello"))


def test_two_matrices_that_could_be_x_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r'several tables \("first", "second"\)\. Name the part'):
        read(write(tmp_path, first=X, second=X, Y=Y))


def test_a_vector_of_another_length_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r'"X" is 4 x 3, but "Y" has 7 values'):
        read(write(tmp_path, X=X, Y=np.arange(7)))


@pytest.mark.parametrize(
    "content", [b"\x89HDF\r\n\x1a\n" + bytes(100), b"MATLAB 7.3 MAT-file".ljust(512) + b"\x89HDF\r\n\x1a\n"]
)
def test_version_7_3_says_what_to_do(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "table.mat"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"7\.3.*-v7"):
        read(path)


def test_version_4_is_read(tmp_path: Path) -> None:
    path = tmp_path / "table.mat"
    savemat(path, {"X": X, "Y": Y}, format="4")  # the format of 1999 and before
    assert read(path).values[:, :3].tolist() == X.tolist()


def test_structures_beside_the_matrix_are_passed_over(tmp_path: Path) -> None:
    table = read(write(tmp_path, info={"author": "me", "year": 2020.0}, X=X, Y=Y, empty=np.empty((0, 0))))
    assert table.columns == ("x1", "x2", "x3", "Y")
