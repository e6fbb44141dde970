import sys
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
import scipy

from fsdesk.data import ReadOptions, read, read_table
from fsdesk.errors import DataError

X = np.array([[1.5, 2.0, 3.0], [4.0, 5.25, 6.0], [7.0, 8.0, 9.0], [0.0, 1.0, 2.0]])
Y = np.array([1, 2, 2, 1])


def hdf5(folder: Path, fill: Callable[[h5py.File], object], name: str = "table.h5") -> Path:
    path = folder / name
    with h5py.File(path, "w") as file:
        fill(file)
    return path


def plain(file: h5py.File) -> None:
    file["X"], file["y"] = X, Y


class Matlab:
    """Writes what MATLAB writes in version 7.3, after MathWorks' description and files of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = h5py.File(path, "w", userblock_size=512)

    def put(self, place: str, values: np.ndarray, kind: str = "double") -> h5py.Dataset:
        made = self.file.create_dataset(place, data=np.atleast_2d(values).T)
        made.attrs["MATLAB_class"] = np.bytes_(kind)
        return made

    def put_words(self, place: str, words: list[str]) -> None:
        references = np.empty((1, len(words)), dtype=h5py.ref_dtype)
        for number, word in enumerate(words):
            letters = np.frombuffer(word.encode("utf-16-le"), "<u2")
            references[0, number] = self.put(f"#refs#/{place}{number}", letters, "char").ref
        made = self.file.create_dataset(place, data=references)
        made.attrs["MATLAB_class"] = np.bytes_("cell")

    def put_sparse(self, place: str, matrix: np.ndarray) -> None:
        sparse = scipy.sparse.csc_matrix(matrix)
        group = self.file.create_group(place)
        group.attrs["MATLAB_class"], group.attrs["MATLAB_sparse"] = np.bytes_("double"), np.uint64(len(matrix))
        group["data"], group["ir"], group["jc"] = sparse.data, sparse.indices.astype("u8"), sparse.indptr.astype("u8")

    def done(self) -> Path:
        self.file.close()
        with self.path.open("r+b") as raw:
            raw.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64, HDF5 schema 1.00 .".ljust(124) + b"\x00\x02IM")
        return self.path


def test_x_and_y_are_read_as_numpy_wrote_them(tmp_path: Path) -> None:
    table = read(hdf5(tmp_path, plain))
    assert table.columns == ("x1", "x2", "x3", "y")
    assert table.values[:, :3].tolist() == X.tolist()
    assert table.values[:, 3].tolist() == Y.tolist()
    assert table.default_target == "y"
    assert table.source == 'table.h5, HDF5, "X" and "y"'


def test_names_of_samples_and_features_and_texts_are_read(tmp_path: Path) -> None:
    def fill(file: h5py.File) -> None:
        file["expression"] = X.T  # one feature a row, as the classes show
        file["label"] = ["ill", "well", "well", "ill"]
        file["genes"] = np.array([b"TP53", b"BRCA1", b"EGFR"])
        file["samples"] = ["s1", "s2", "s3", "s4"]

    table = read(hdf5(tmp_path, fill))
    assert table.columns == ("TP53", "BRCA1", "EGFR", "label")
    assert table.rows == ("s1", "s2", "s3", "s4")
    assert table.categories == {3: ("ill", "well")}
    assert table.values[:, :3].tolist() == X.tolist()


def test_one_group_of_several_is_named_by_the_user(tmp_path: Path) -> None:
    def fill(file: h5py.File) -> None:
        file["train/X"], file["train/y"], file["deep/er/test/X"], file["deep/er/test/y"] = X, Y, -X[:2], Y[:2]
        file["notes"] = "two parts"

    path = hdf5(tmp_path, fill)
    with pytest.raises(DataError, match=r'several tables \("deep/er/test/X", "train/X"\)\. Name the part'):
        read(path)
    train = read(path, ReadOptions(part="/train"))
    assert train.values[:, :3].tolist() == X.tolist()
    assert (train.parts, train.part) == (("deep/er/test/X", "train/X"), "train/X")
    assert read(path, ReadOptions(part="deep/er/test/X")).values[:, 3].tolist() == [1, 2]
    with pytest.raises(DataError, match=r'has no part "tset"; choose one of: "deep/er/test/X", "train/X"\.'):
        read(path, ReadOptions(part="tset"))


def test_the_only_group_with_a_matrix_is_found_and_a_matrix_can_be_chosen(tmp_path: Path) -> None:
    def fill(file: h5py.File) -> None:
        file["all/raw"], file["all/scaled"], file["all/y"], file["empty/note"] = X, X * 2, Y, [1.0]

    path = hdf5(tmp_path, fill)
    with pytest.raises(DataError, match=r'several tables \("all/raw", "all/scaled"\)\. Name the part'):
        read(path)
    assert read(path, ReadOptions(part="all/scaled")).values[:, :3].tolist() == (X * 2).tolist()


@pytest.mark.parametrize("shape", [(4, 1), (1, 4)])
def test_matlab_7_3_stores_matrices_turned_round(tmp_path: Path, shape: tuple[int, int]) -> None:
    matlab = Matlab(tmp_path / "table.mat")
    matlab.put("X", X)
    matlab.put("Y", Y.reshape(shape).astype("u1"), "uint8")
    path = matlab.done()
    table = read(path)
    assert table.values[:, :3].tolist() == X.tolist()
    assert read_table(path).classes == ("1", "2")
    assert table.source.startswith("table.mat, MATLAB 7.3")


def test_words_cells_and_sparse_matrices_of_matlab_7_3_are_read(tmp_path: Path) -> None:
    matlab = Matlab(tmp_path / "table.mat")
    matlab.put_sparse("X", X)
    matlab.put_words("labels", ["ill", "gesund ä", "gesund ä", "ill"])
    matlab.put_words("feature_names", ["length", "width", "height"])
    matlab.put("remark", np.frombuffer("made by hand".encode("utf-16-le"), "<u2"), "char")
    table = read(matlab.done())
    assert table.columns == ("length", "width", "height", "labels")
    assert table.categories == {3: ("gesund ä", "ill")}
    assert table.values[:, :3].tolist() == X.tolist()


def test_classes_of_a_kind_that_cannot_be_read_are_not_lost_in_silence(tmp_path: Path) -> None:
    matlab = Matlab(tmp_path / "table.mat")
    matlab.put("X", X)
    matlab.put("Y", np.arange(6, dtype="u4"), "categorical")
    with pytest.raises(DataError, match=r'"Y" .* class "categorical".* cellstr\(Y\)'):
        read(matlab.done())


def test_a_file_that_matlab_itself_wrote_is_read_as_far_as_its_one_vector_goes() -> None:
    path = Path(scipy.__file__).parent / "io/matlab/tests/data/testhdf5_7.4_GLNX86.mat"
    if not path.exists():
        pytest.skip("this scipy comes without its test data")
    with pytest.raises(DataError, match=r"has no numeric matrix\. Save the values as X"):
        read(path)


def test_layouts_of_other_programs_are_turned_away(tmp_path: Path) -> None:
    def anndata(file: h5py.File) -> None:
        plain(file)
        file.attrs["encoding-type"] = "anndata"  # and nothing of it

    def pandas(file: h5py.File) -> None:
        file["frame/block0_values"] = X
        file["frame"].attrs["pandas_type"] = "frame"

    with pytest.raises(DataError, match="AnnData"):
        read(hdf5(tmp_path, anndata, "cells.h5ad"))
    with pytest.raises(DataError, match=r"pandas HDF store.*to_parquet"):
        read(hdf5(tmp_path, pandas))


def test_a_matrix_that_only_claims_to_be_huge_is_refused(tmp_path: Path) -> None:
    path = hdf5(tmp_path, lambda file: file.create_dataset("X", (1 << 20, 1 << 20), "f8", chunks=(64, 64)))
    assert path.stat().st_size < 10_000
    with pytest.raises(DataError, match="1,048,576 x 1,048,576, too large"):
        read(path)


def test_damage_is_a_sentence(tmp_path: Path) -> None:
    path = hdf5(tmp_path, plain)
    whole = path.read_bytes()
    for content in (whole[:600], whole[:-100], b"\x89HDF\r\n\x1a\n" + bytes(100), b"a,b\n1,2\n"):
        path.write_bytes(content)
        with pytest.raises(DataError, match=r"is a damaged HDF5 file; save it again\.$"):
            read(path)
    with pytest.raises(DataError, match='has no numeric matrix \\(it contains "group"\\)'):
        read(hdf5(tmp_path, lambda file: file.create_group("group")))


def test_a_damaged_heap_of_texts_over_which_hdf5_would_step_for_ever_is_refused(tmp_path: Path) -> None:
    def fill(file: h5py.File) -> None:
        file["X"], file["y"] = X, ["a", "b", "b", "a"]

    path = hdf5(tmp_path, fill)
    content = bytearray(path.read_bytes())
    last = content.index(b"GCOL") + 16 + 3 * 24  # the fourth text of one byte: 16 bytes of header and 8 of content
    assert content[last + 8] == 1
    content[last + 8] = 241  # what follows is empty
    path.write_bytes(content)
    with pytest.raises(DataError, match="damaged HDF5"):
        read(path)


def test_without_h5py_a_file_of_matlab_7_3_is_told_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = hdf5(tmp_path, plain, "table.mat")
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(DataError, match=r'needs the library h5py\. Install it with: pip install "fsdesk\[formats\]"'):
        read(path)
