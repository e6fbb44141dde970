import bz2
import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import rdata

from fsdesk.data import ReadOptions, read, read_table
from fsdesk.errors import DataError

MADE_BY_R = Path(rdata.__file__).parent / "tests/data/generated"

# x <- matrix(c(1.5, 2, NA, 4, 5, 6), 3); y <- factor(c("b", "a", "b"), levels = c("b", "a")), as R's saveRDS writes
# list(x = x, y = y) in text, by the "R Internals" manual: flags (type, attributes), length, values.
BY_HAND = """A
2
197888
131840
531
2
526
6
1.5
2
NA
4
5
6
1026
1
262153
3
dim
13
2
3
2
254
781
3
1
2
1
1026
1
262153
6
levels
16
2
262153
1
b
262153
1
a
1026
1
262153
5
class
16
1
262153
6
factor
254
1026
1
262153
5
names
16
2
262153
1
x
262153
1
y
254
"""


def made_by_r(name: str) -> Path:
    path = MADE_BY_R / name
    if not path.exists():
        pytest.skip("this rdata comes without its test data")
    return path


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
def test_a_list_of_a_matrix_and_a_factor_is_read(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "by_hand.rds"
    path.write_bytes(pack(BY_HAND.encode()))
    table = read(path)
    np.testing.assert_array_equal(table.values, [[1.5, 4, 0], [2, 5, 1], [np.nan, 6, 0]])
    assert table.columns == ("x1", "x2", "y")
    assert table.categories == {2: ("b", "a")}  # the order of the levels
    assert table.default_target == "y"
    assert table.source == 'by_hand.rds, R, "x" and "y"'


def test_a_real_expression_table_has_its_shape_names_and_classes(real_data: Callable[[str], Path]) -> None:
    dataset = read_table(real_data("chowdary.RData"))
    assert dataset.x.shape == (104, 22283)
    assert dataset.classes == ("breast", "colon")
    assert np.bincount(dataset.target).tolist() == [62, 42]
    assert dataset.features[:2] == ("1007_s_at", "1053_at")
    assert dataset.features[-1] == "AFFX-TrpnX-M_at"


@pytest.mark.parametrize("form", ["ascii", "binary", "xdr"])
@pytest.mark.parametrize("version", ["version_2.rds", "version_3.rds", "version_3.rda"])
def test_data_frames_that_r_wrote_are_read_in_all_its_forms(form: str, version: str) -> None:
    if form == "binary":  # R has it for single objects only
        version = version.replace(".rda", ".rds")
    table = read(made_by_r(f"test_dataframe_rownames__{form}__{version}"))
    assert table.rows == ("Madrid", "Frankfurt", "Herzberg am Harz")
    assert table.columns == ("class", "value")
    assert table.categories == {0: ("a", "b")}
    assert table.values.tolist() == [[0, 1], [1, 2], [1, 3]]


def test_gaps_flags_and_texts_of_a_data_frame_that_r_wrote(tmp_path: Path) -> None:
    table = read(made_by_r("test_dataframe_dtypes_with_na__xdr__version_3.rds"), ReadOptions(row_ids="none"))
    np.testing.assert_array_equal(table.values[:, 0], [10, 20, 30, np.nan])
    np.testing.assert_array_equal(table.values[:, 1], [1.1, 2.2, 3.3, np.nan])
    np.testing.assert_array_equal(table.values[:, 2], [0, 1, 2, np.nan])
    np.testing.assert_array_equal(table.values[:, 3], [1, 0, 1, np.nan])
    assert table.categories[2] == ("x", "y", "z")


def test_a_matrix_that_r_wrote_keeps_the_names_of_its_rows_and_columns() -> None:
    table = read(made_by_r("test_full_named_matrix__xdr__version_3.rda"))
    assert table.rows == ("dim0_0", "dim0_1")
    assert table.columns == ("dim1_0", "dim1_1", "dim1_2")
    assert table.values.tolist() == [[1, 2, 3], [4, 5, 6]]
    turned = read(made_by_r("test_full_named_matrix__xdr__version_3.rda"), ReadOptions(orientation="columns"))
    assert turned.columns == table.rows


def test_features_in_rows_are_turned_with_their_names_as_the_classes_show(tmp_path: Path) -> None:
    path = tmp_path / "table.RData"
    genes = pd.DataFrame({"s1": [1.0, 2, 3], "s2": [4.0, 5, 6]}, index=pd.Index(["g1", "g2", "g3"], dtype=object))
    rdata.write_rda(path, {"genes": genes, "group": pd.Categorical(["a", "b"]), "note": "made by hand"})
    table = read(path)
    assert table.columns == ("g1", "g2", "g3", "group")
    assert table.rows == ("s1", "s2")
    assert table.values.tolist() == [[1, 2, 3, 0], [4, 5, 6, 1]]


def test_one_of_several_tables_is_named_by_the_user(tmp_path: Path) -> None:
    path = tmp_path / "table.RData"
    first = pd.DataFrame({"x": [1.0, 2.0], "class": pd.Categorical(["a", "b"])})
    second = {"x": np.array([[1.0, 2.0], [3.0, 4.0]]), "y": pd.Categorical(["c", "d"])}
    rdata.write_rda(path, {"first": first, "again": first, "study": second})
    with pytest.raises(DataError, match=r'several tables \("first", "again"\)\. Name the part'):
        read(path)
    assert read(path, ReadOptions(part="again")).columns == ("x", "class")
    assert read(path, ReadOptions(part="study")).categories == {2: ("c", "d")}
    assert read(path, ReadOptions(part="study/x")).values[:, :2].tolist() == [[1, 2], [3, 4]]
    with pytest.raises(DataError, match='no part "frist"'):
        read(path, ReadOptions(part="frist"))


def test_what_holds_no_table_says_so() -> None:
    for name in ("test_function__xdr__version_3.rds", "test_vector__xdr__version_3.rds", "test_s4__xdr__version_3.rds"):
        with pytest.raises(DataError, match="has no numeric matrix"):
            read(made_by_r(name))
    with pytest.raises(DataError, match=r"no rows|no matrix"):
        read(made_by_r("test_empty_dataframe__xdr__version_3.rds"))


def test_damage_anywhere_is_a_sentence(tmp_path: Path) -> None:
    whole = gzip.decompress(made_by_r("test_dataframe_rownames__xdr__version_3.rda").read_bytes())
    path = tmp_path / "table.RData"
    rng = np.random.default_rng(0)
    refused = 0
    for _ in range(60):
        damaged = bytearray(whole)
        damaged[int(rng.integers(0, len(whole)))] = int(rng.integers(0, 256))
        path.write_bytes(bytes(damaged[: int(rng.integers(20, len(whole)))]))
        with pytest.raises(DataError, match=r"\.$"):
            read(path)
        refused += 1
    assert refused == 60
    path.write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match="is not an R file or is damaged"):
        read(path)
