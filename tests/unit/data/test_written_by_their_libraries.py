"""Files written by the libraries and programs of their formats: values, labels of values and variables, missing ones.

Libraries that fsdesk does not depend on are skipped where they are not installed.
"""

import datetime
import shutil
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fsdesk.data import ReadOptions, Table, read, read_table

N = 12
AGE = [30.0 + k for k in range(N)]
SMOKE = [1.0, 2, 9, 1, 2, -8, 1, 2, 1, 2, 1, 2]
"""1 never, 2 ever; 9 and -8 are declared missing."""
WORDS = [{1.0: "never", 2.0: "ever"}.get(code) for code in SMOKE]
GROUP = ["case", "control"] * (N // 2)
GENES = [f"g{j}" for j in range(4)]
CELLS = [f"c{k:02}" for k in range(N)]
COUNTS = (np.arange(N * 4).reshape(N, 4) % 7).astype(np.float64)


def words(table: Table, name: str) -> list[str | None]:
    column = table.columns.index(name)
    levels = table.categories[column]
    return [None if np.isnan(code) else levels[int(code)] for code in table.values[:, column]]


def numbers(table: Table, name: str) -> list[float]:
    return [float(value) for value in table.values[:, table.columns.index(name)]]


def survey() -> pd.DataFrame:
    codes = [1.0 if group == "case" else 2.0 for group in GROUP]
    return pd.DataFrame({"age": AGE, "smoke": SMOKE, "arm": codes})


VALUE_LABELS = {"smoke": {1: "never", 2: "ever", 9: "refused", -8: "not asked"}, "arm": {1: "case", 2: "control"}}
TITLES = ["Age in years", "Smoking status", ""]


@pytest.mark.parametrize("name", ["t.sav", "t.zsav"])
def test_pyreadstat_writes_spss(tmp_path: Path, name: str) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    missing = {"smoke": [{"lo": -9, "hi": -7}, 9], "age": [35]}
    pyreadstat.write_sav(
        survey(), tmp_path / name, variable_value_labels=VALUE_LABELS, column_labels=TITLES, missing_ranges=missing,
        compress=name == "t.zsav",
    )  # fmt: skip
    table = read(tmp_path / name)
    assert words(table, "smoke") == WORDS
    assert words(table, "arm") == GROUP
    np.testing.assert_array_equal(numbers(table, "age"), [np.nan if age == 35 else age for age in AGE])
    assert table.descriptions == {"age": "Age in years", "smoke": "Smoking status"}
    assert read_table(tmp_path / name).classes == ("case", "control")


def test_pyreadstat_writes_a_portable_file(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    pyreadstat.write_por(survey(), tmp_path / "t.por", column_labels=TITLES)
    table = read(tmp_path / "t.por")
    assert numbers(table, table.columns[0]) == AGE
    assert numbers(table, table.columns[1]) == SMOKE
    assert table.descriptions[table.columns[0]] == "Age in years"


@pytest.mark.parametrize("version", [10, 14, 15])
def test_pyreadstat_writes_stata(tmp_path: Path, version: int) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = survey().astype({"smoke": object})
    frame["smoke"] = [".a" if code == 9 else ".b" if code == -8 else int(code) for code in SMOKE]
    frame["smoke"] = [text.strip(".") if isinstance(text, str) else text for text in frame["smoke"]]
    labels = {"smoke": {1: "never", 2: "ever", "a": "refused"}, "arm": VALUE_LABELS["arm"]}
    pyreadstat.write_dta(
        frame, tmp_path / "t.dta", version=version, variable_value_labels=labels, column_labels=TITLES,
        missing_user_values={"smoke": ["a", "b"]},
    )  # fmt: skip
    table = read(tmp_path / "t.dta")
    assert words(table, "smoke") == WORDS
    assert words(table, "arm") == GROUP
    assert table.descriptions["smoke"] == "Smoking status"


@pytest.mark.parametrize("version", [5, 8])
def test_pyreadstat_writes_sas_transport(tmp_path: Path, version: int) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = survey().assign(smoke=[code if code in (1, 2) else np.nan for code in SMOKE], arm=GROUP)
    pyreadstat.write_xport(frame, tmp_path / "t.xpt", column_labels=TITLES, file_format_version=version)
    table = read(tmp_path / "t.xpt")
    assert [name.lower() for name in table.columns] == ["age", "smoke", "arm"]
    np.testing.assert_array_equal(numbers(table, table.columns[1]), frame["smoke"])
    assert words(table, table.columns[2]) == GROUP
    assert table.descriptions[table.columns[0]] == "Age in years"


@pytest.mark.parametrize("form", ["dense", "csr", "csc"])
def test_anndata_writes_h5ad(tmp_path: Path, form: str) -> None:
    anndata = pytest.importorskip("anndata")
    sparse = pytest.importorskip("scipy.sparse")
    make = {"dense": np.array, "csr": sparse.csr_matrix, "csc": sparse.csc_matrix}[form]
    stage = pd.Categorical(["II", "I", None, "III"] * 3, categories=["I", "II", "III"], ordered=True)
    obs = pd.DataFrame(
        {"stage": stage, "age": AGE, "ok": pd.array([True, None, False] * 4, dtype="boolean"),
         "visits": pd.array([1, None, 3] * 4, dtype="Int64"), "group": pd.Categorical(GROUP)},
        index=CELLS,
    )  # fmt: skip
    made = anndata.AnnData(X=make(COUNTS), obs=obs, var=pd.DataFrame({"symbol": list("ABCD")}, index=GENES))
    made.layers["scaled"] = make(COUNTS * 2)
    made.obsm["X_pca"] = COUNTS[:, :2]
    made.uns["note"] = {"a": 1}
    with anndata.settings.override(allow_write_nullable_strings=True):  # texts as pandas 3 has them
        made.write_h5ad(tmp_path / "t.h5ad")
    table = read(tmp_path / "t.h5ad", ReadOptions(part="X"))
    assert (table.rows, table.columns[:4]) == (tuple(CELLS), tuple(GENES))
    np.testing.assert_array_equal(table.values[:, :4], COUNTS)
    assert words(table, "stage") == ["II", "I", None, "III"] * 3
    assert table.categories[table.columns.index("stage")] == ("I", "II", "III")
    np.testing.assert_array_equal(numbers(table, "visits"), [1, np.nan, 3] * 4)
    assert words(table, "group") == GROUP
    assert table.descriptions["g0"] == "A"
    layer = read(tmp_path / "t.h5ad", ReadOptions(part="layers/scaled"))
    np.testing.assert_array_equal(layer.values[:, :4], COUNTS * 2)
    assert read_table(tmp_path / "t.h5ad", "group", part="X").features == tuple(GENES)


@pytest.mark.parametrize("form", ["hdf5", "json"])
def test_biom_format_writes_both_forms(tmp_path: Path, form: str) -> None:
    biom = pytest.importorskip("biom")
    about = [{"site": group, "age": str(age)} for group, age in zip(GROUP, AGE, strict=True)]
    taxa = [{"taxonomy": ["k__Bacteria", f"p__{name}"]} for name in GENES]
    made = biom.Table(COUNTS.T, GENES, CELLS, taxa, about, type="OTU table")
    path = tmp_path / "t.biom"
    if form == "json":
        path.write_text(made.to_json("a test", creation_date=datetime.datetime(2024, 1, 1)))
    else:
        h5py = pytest.importorskip("h5py")
        with h5py.File(path, "w") as file:
            made.to_hdf5(file, "a test")
    table = read(path)
    assert (table.rows, table.columns[:4]) == (tuple(CELLS), tuple(GENES))
    np.testing.assert_array_equal(table.values[:, :4], COUNTS)
    assert words(table, "site") == GROUP
    assert "p__g1" in table.descriptions["g1"]


def test_loompy_writes_loom(tmp_path: Path) -> None:
    loompy = pytest.importorskip("loompy")
    columns = {"CellID": np.array(CELLS), "Group": np.array(GROUP), "Age": np.array(AGE)}
    path = tmp_path / "t.loom"
    loompy.create(str(path), COUNTS.T, {"Gene": np.array(GENES), "Symbol": np.array(list("ABCD"))}, columns)
    table = read(path)
    assert (table.rows, table.columns[:4]) == (tuple(CELLS), tuple(GENES))
    np.testing.assert_array_equal(table.values[:, :4], COUNTS)
    assert words(table, "Group") == GROUP


@pytest.mark.parametrize("packed", ["uncompressed", "lz4", "zstd"])
def test_pyarrow_writes_feather(tmp_path: Path, packed: str) -> None:
    feather = pytest.importorskip("pyarrow.feather")
    stage = pd.Categorical(["b", "a", None] * 4, categories=["b", "a"], ordered=True)
    frame = pd.DataFrame({"age": AGE, "visits": pd.array([1, None, 3] * 4, dtype="Int64"), "stage": stage, "g": GROUP})
    feather.write_feather(frame, tmp_path / "t.feather", compression=packed)
    table = read(tmp_path / "t.feather")
    assert numbers(table, "age") == AGE
    np.testing.assert_array_equal(numbers(table, "visits"), [1, np.nan, 3] * 4)
    assert words(table, "stage") == ["b", "a", None] * 4
    assert table.categories[2] == ("b", "a")
    assert words(table, "g") == GROUP


@pytest.mark.parametrize("name", ["t.npz", "t_packed.npz"])
def test_numpy_writes_arrays(tmp_path: Path, name: str) -> None:
    save = np.savez if name == "t.npz" else np.savez_compressed
    save(tmp_path / name, X=COUNTS.astype(np.float32), y=np.array(GROUP), feature_names=np.array(GENES))
    table = read(tmp_path / name)
    np.testing.assert_array_equal(table.values[:, :4], COUNTS)
    assert words(table, table.default_target) == GROUP
    assert table.columns[:4] == tuple(GENES)


@pytest.mark.parametrize("name", ["t.sqlite", "t.db"])
def test_sqlite_writes_a_table(tmp_path: Path, name: str) -> None:
    with sqlite3.connect(tmp_path / name) as base:
        base.execute("CREATE TABLE t (age REAL, visits INTEGER, grp TEXT)")
        base.executemany("INSERT INTO t VALUES (?, ?, ?)", zip(AGE, [1, None, 3] * 4, GROUP, strict=True))
    base.close()
    table = read(tmp_path / name)
    assert numbers(table, "age") == AGE
    np.testing.assert_array_equal(numbers(table, "visits"), [1, np.nan, 3] * 4)
    assert words(table, "grp") == GROUP


@pytest.mark.parametrize("name", ["t.rds", "t.RData"])
def test_pyreadr_writes_data_frames(tmp_path: Path, name: str) -> None:
    pyreadr = pytest.importorskip("pyreadr")
    frame = pd.DataFrame({"age": AGE, "crp": [1.5, np.nan, 2.25] * 4, "group": pd.Categorical(GROUP)})
    write = pyreadr.write_rds if name == "t.rds" else pyreadr.write_rdata
    write(str(tmp_path / name), frame)
    table = read(tmp_path / name)
    assert numbers(table, "age") == AGE
    np.testing.assert_array_equal(numbers(table, "crp"), [1.5, np.nan, 2.25] * 4)
    assert words(table, "group") == GROUP


SCRIPT = """
d <- data.frame(age = 30:41, crp = rep(c(1.5, NA, 2.25), 4), seen = as.Date("2020-01-01") + 0:11)
d$stage <- factor(rep(c("II", "I"), 6), c("I", "II"), ordered = TRUE)
d$ok <- rep(c(TRUE, NA, FALSE), 4)
attr(d$crp, "label") <- "C-reactive protein"
kind <- c("haven_labelled", "vctrs_vctr", "double")
labels <- c(never = 1, ever = 2, refused = 9, "not asked" = -8)
codes <- c(1, 2, 9, 1, 2, -8, 1, 2, 1, 2, 1, 2)
d$smoke <- structure(codes, labels = labels, label = "Smoking status", na_values = 9, na_range = c(-9, -7),
  class = c("haven_labelled_spss", kind))
d$plain <- structure(codes, labels = labels[1:2], class = kind)
d$all <- structure(codes, labels = labels, class = kind)
d$group <- factor(rep(c("case", "control"), 6))
"""


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
@pytest.mark.parametrize(
    "save", ['saveRDS(d, "t.rds")', 'saveRDS(d, "t.rds", compress = "xz")', 'saveRDS(d, "t.rds", ascii = TRUE)',
             'class(d) <- c("tbl_df", "tbl", "data.frame"); saveRDS(d, "t.rds")', 'save(d, file = "t.RData")'],
)  # fmt: skip
def test_r_writes_data_frames_with_labels_as_haven_reads_them(tmp_path: Path, save: str) -> None:
    subprocess.run(["Rscript", "--vanilla", "-e", SCRIPT + save], cwd=tmp_path, check=True, capture_output=True)
    (path,) = tmp_path.glob("t.*")
    table = read(path)
    assert numbers(table, "age") == AGE
    np.testing.assert_array_equal(numbers(table, "crp"), [1.5, np.nan, 2.25] * 4)
    assert table.categories[table.columns.index("stage")] == ("I", "II")
    assert words(table, "smoke") == WORDS
    assert words(table, "all") == [
        {9.0: "refused", -8.0: "not asked"}.get(k, w) for k, w in zip(SMOKE, WORDS, strict=True)
    ]
    assert table.descriptions["smoke"] == "Smoking status"
    assert table.descriptions["crp"] == "C-reactive protein"
    data: Any = read_table(path, accept_reading=True)
    assert data.classes == ("case", "control")
