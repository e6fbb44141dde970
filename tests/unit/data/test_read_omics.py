"""Files of cells and microbes: their libraries write the same layouts, as their specifications say."""

import json
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest

from fsdesk.data import ReadOptions, Table, described_columns, questions, read, read_table
from fsdesk.data.readers import annotated
from fsdesk.data.readers.matrices import SeveralTablesError
from fsdesk.errors import DataError
from tests import written_formats as written
from tests.written_formats import COUNTS, FEATURES, SAMPLES, SITES

CASES = Path(__file__).parents[4] / "shared" / "cases"


def values(table: Table) -> list[list[float]]:
    """Those of the features."""
    return table.values[:, : len(FEATURES)].tolist()


def cells(table: Table, column: str) -> list[str]:
    j = table.columns.index(column)
    return [table.categories[j][int(code)] for code in table.values[:, j]]


@pytest.mark.parametrize("kind", ["dense", "csr_matrix", "csc_matrix"])
@pytest.mark.parametrize("old", [False, True], ids=["today", "before 0.8"])
def test_anndata_has_cells_genes_and_observations(tmp_path: Path, kind: str, old: bool) -> None:
    path = tmp_path / "t.h5ad"
    written.write_anndata(path, kind, old=old)
    table = read(path)
    assert table.rows == SAMPLES
    assert table.columns == (*FEATURES, "n", "site")
    assert values(table) == COUNTS.tolist()
    assert cells(table, "site") == list(SITES)
    assert table.descriptions == {"g1": "A", "g2": "B", "g3": "C"}
    assert (table.parts, table.part) == (("X", "layers/doubled"), "X")
    assert table.default_target == "site"
    assert described_columns(table) == ("n", "site")
    assert read_table(path).features == FEATURES


def test_a_layer_of_anndata_is_a_choice(tmp_path: Path) -> None:
    path = tmp_path / "t.h5ad"
    written.write_anndata(path, "csr_matrix")
    assert values(read(path, ReadOptions(part="layers/doubled"))) == (2 * COUNTS).tolist()
    with pytest.raises(DataError, match='no part "layers/halved"; choose one of: "X", "layers/doubled"'):
        read(path, ReadOptions(part="layers/halved"))


def test_anndata_of_2018_has_records_and_categories_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "t.h5ad"
    obs = np.array(
        [(b"s1", 0, 1.5), (b"s2", 1, 2.5), (b"s3", 0, 3.5), (b"s4", 1, 4.5)],
        dtype=[("index", "S4"), ("site", "i1"), ("n", "f4")],
    )
    with h5py.File(path, "w") as file:
        file["obs"] = obs
        file["var"] = np.array([(b"g1",), (b"g2",), (b"g3",)], dtype=[("index", "S4")])
        file["uns/site_categories"] = np.array([b"gut", b"skin"])
        group = file.create_group("X")
        group.attrs["h5sparse_format"], group.attrs["h5sparse_shape"] = "csr", COUNTS.shape
        for key, part in written.compressed(COUNTS).items():
            group[key] = part
    table = read(path)
    assert (table.rows, values(table), cells(table, "site")) == (SAMPLES, COUNTS.tolist(), list(SITES))


def test_observations_with_a_mask_and_flags_are_read(tmp_path: Path) -> None:
    path = tmp_path / "t.h5ad"
    written.write_anndata(path)
    with h5py.File(path, "a") as file:
        file["obs/ok"] = np.array([True, False, True, True])
        group = file.create_group("obs/age")
        group.attrs["encoding-type"] = "nullable-integer"
        group["values"], group["mask"] = np.array([1, 2, 3, 4]), np.array([False, True, False, False])
        words = file.create_group("obs/note")
        words.attrs["encoding-type"] = "nullable-string-array"
        words.create_dataset("values", data=np.array(["a", "b", "c", "a"], dtype=object), dtype=h5py.string_dtype())
        words["mask"] = np.array([False, False, True, False])
    table = read(path)
    age = table.values[:, table.columns.index("age")]
    assert np.array_equal(age, [1, np.nan, 3, 4], equal_nan=True)
    assert table.values[:, table.columns.index("ok")].tolist() == [1, 0, 1, 1]
    assert table.categories[table.columns.index("note")] == ("a", "b")


def test_modalities_of_mudata_are_parts(tmp_path: Path) -> None:
    path, one = tmp_path / "t.h5mu", tmp_path / "one.h5ad"
    written.write_anndata(one, "csr_matrix")
    with h5py.File(one, "r") as source, h5py.File(path, "w") as file:
        file.attrs["encoding-type"] = "MuData"
        for key in ("rna", "prot"):
            source.copy(source["/"], file, f"mod/{key}")
        source.copy(source["obs"], file, "obs")
        source.copy(source["var"], file, "var")
    with pytest.raises(SeveralTablesError) as error:
        read(path)
    assert "mod/rna/X" in error.value.parts
    assert values(read(path, ReadOptions(part="mod/prot/X"))) == COUNTS.tolist()


GOLDEN = Path(__file__).parents[2] / "golden" / "formats"


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.gz")), ids=lambda path: path.name)
def test_files_that_the_libraries_of_the_formats_wrote_are_read(path: Path) -> None:
    """By anndata, biom-format, cmapPy and loompy, of the same counts; the versions are in their names."""
    table = read(path)
    assert (table.rows, table.columns[:3], values(table)) == (SAMPLES, FEATURES, COUNTS.tolist())
    assert (table.default_target, cells(table, "site")) == ("site", list(SITES))
    if path.name.startswith("anndata") or path.name.startswith("loompy"):
        assert table.descriptions == {"g1": "A", "g2": "B", "g3": "C"}
        assert values(read(path, ReadOptions(part="layers/doubled"))) == (2 * COUNTS).tolist()
    elif path.name.startswith("biom"):
        assert table.descriptions["g2"] == "k__Bacteria; p__g2"
    else:
        assert np.array_equal(table.values[:, 3], [1, 10, np.nan, 1], equal_nan=True)


def test_loom_turns_genes_into_columns(tmp_path: Path) -> None:
    path = tmp_path / "t.loom"
    written.write_loom(path)
    table = read(path)
    assert (table.rows, table.columns) == (SAMPLES, (*FEATURES, "Age", "Site"))
    assert values(table) == COUNTS.tolist()
    assert cells(table, "Site") == list(SITES)
    assert table.descriptions["g3"] == "X"
    assert values(read(path, ReadOptions(part="layers/spliced"))) == (2 * COUNTS).tolist()
    with pytest.raises(DataError, match="has no part"):
        read(path, ReadOptions(part="layers/other"))


def test_gctx_has_samples_in_rows_and_no_value_for_minus_666(tmp_path: Path) -> None:
    path = tmp_path / "t.gctx"
    written.write_gctx(path)
    table = read(path)
    assert (table.rows, values(table)) == (SAMPLES, COUNTS.tolist())
    assert np.array_equal(table.values[:, table.columns.index("dose")], [1, 10, np.nan, 1], equal_nan=True)
    assert table.descriptions == {"g1": "A", "g3": "C"}
    assert table.default_target == "site"


@pytest.mark.parametrize("old", [False, True], ids=["3", "2"])
def test_cell_ranger_in_hdf5(tmp_path: Path, old: bool) -> None:
    path = tmp_path / "filtered_feature_bc_matrix.h5"
    written.write_tenx(path, old=old)
    table = read(path)
    assert table.rows == ("AAC-1", "AAG-1", "AAT-2", "ACC-2")
    assert (table.columns, values(table)) == ((*FEATURES, "sample"), COUNTS.tolist())
    assert cells(table, "sample") == ["1", "1", "2", "2"]
    assert table.descriptions["g1"] == "ENSGg1"
    (tmp_path / "any.h5").write_bytes(path.read_bytes())
    assert read(tmp_path / "any.h5").columns == table.columns


@pytest.mark.parametrize("features", ["features.tsv", "genes.tsv"])
@pytest.mark.parametrize("prefix", ["", "GSM1_"])
def test_cell_ranger_in_a_folder_in_a_zip_file_and_by_its_matrix(tmp_path: Path, prefix: str, features: str) -> None:
    files = written.tenx_files(prefix, features)
    folder = tmp_path / "out"
    folder.mkdir()
    for name, part in files.items():
        (folder / name).write_bytes(part)
    packed = tmp_path / "out.zip"
    packed.write_bytes(written.zip_of({f"out/{name}": part for name, part in files.items()}))
    for path in (folder, packed, folder / f"{prefix}matrix.mtx.gz"):
        table = read(path)
        assert table.rows == tuple(f"{name}-1" for name in SAMPLES)
        assert (table.columns, table.values.tolist()) == (FEATURES, COUNTS.tolist())
        (question,) = questions(table.readings, table.default_target, named=False)
        assert question.kind == "target"
        assert [(answer.option, answer.value) for answer in question.alternatives] == [
            ("target", FEATURES[-1]), ("labels", "FILE")
        ]  # fmt: skip


def test_a_matrix_alone_asks_for_its_names(tmp_path: Path) -> None:
    files = written.tenx_files()
    (tmp_path / "matrix.mtx.gz").write_bytes(files["matrix.mtx.gz"])
    with pytest.raises(DataError, match=r"Put the matching files features.tsv .* into the same folder"):
        read(tmp_path / "matrix.mtx.gz")
    with pytest.raises(DataError, match="is a folder"):
        read(tmp_path.parent)


def test_biom_in_hdf5_and_json(tmp_path: Path) -> None:
    written.write_biom(tmp_path / "two.biom")
    (tmp_path / "one.biom").write_bytes(written.biom_json())
    (tmp_path / "dense.json").write_bytes(written.biom_json("dense"))
    for name in ("two.biom", "one.biom", "dense.json"):
        table = read(tmp_path / name)
        assert (table.rows, values(table)) == (SAMPLES, COUNTS.tolist()), name
        assert cells(table, "site") == list(SITES)
        assert table.descriptions["g2"] == "k__Bacteria; p__g2"
        assert table.default_target == "site"
    assert table.values[:, table.columns.index("ph")].tolist() == [6.5, 7.5, 8.5, 9.5]


def change(path: Path, key: str, make: Callable[[np.ndarray], object]) -> None:
    with h5py.File(path, "a") as file:
        now = file[key][()]
        del file[key]
        file[key] = make(now)


@pytest.mark.parametrize(
    ("key", "make"),
    [
        ("X/indices", lambda now: now + 10**9),
        ("X/indices", lambda now: now - 10**9),
        ("X/indices", lambda now: now[:-1]),
        ("X/indptr", lambda now: now[::-1]),
        ("X/indptr", lambda now: now * 10**6),
        ("X/indptr", lambda now: now[:-1]),
        ("X/data", lambda now: np.array([b"a"] * len(now))),
        ("obs/site/codes", lambda now: now + 100),
        ("obs/_index", lambda now: np.arange(9.0).reshape(3, 3)),
    ],
)
def test_a_damaged_sparse_matrix_is_refused(tmp_path: Path, key: str, make: Callable[[np.ndarray], object]) -> None:
    path = tmp_path / "t.h5ad"
    written.write_anndata(path, "csr_matrix")
    change(path, key, make)
    with pytest.raises(DataError, match="damaged AnnData file"):
        read(path)


def test_sizes_beyond_all_memory_are_refused_before_they_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "t.h5ad"
    with h5py.File(path, "w") as file:  # names as fill values: a file of a few kilobytes
        for key, count in (("obs", 1_000_000), ("var", 1_000_000)):
            file.create_dataset(f"{key}/_index", (count,), "S1", chunks=(10_000,), compression="gzip")
            file[key].attrs["_index"] = "_index"
        file.create_dataset("X", (1_000_000, 1_000_000), np.float32, chunks=(1000, 1000))
    with pytest.raises(DataError, match="too many for this program"):
        read(path)
    with h5py.File(path, "a") as file:
        del file["obs/_index"]
        file.create_dataset("obs/_index", (10**12,), "S1", chunks=(10_000,))
    with pytest.raises(DataError, match="damaged"):
        read(path)


def test_parts_of_anndata_in_other_files_are_not_opened(tmp_path: Path) -> None:
    secret, path = tmp_path / "secret.h5ad", tmp_path / "t.h5ad"
    written.write_anndata(secret)
    written.write_anndata(path)
    with h5py.File(path, "a") as file:
        del file["X"], file["layers"]
        file["X"] = h5py.ExternalLink(str(secret), "X")
    with pytest.raises(DataError, match="without a cell-by-gene matrix"):
        read(path)


@pytest.mark.parametrize("name", ["t.h5ad", "t.loom", "t.gctx", "t.biom"])
def test_a_name_that_promises_another_layout_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with h5py.File(path, "w") as file:
        file["X"] = COUNTS
    with pytest.raises(DataError, match="is not a valid"):
        read(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda made: made["data"].append([7, 0, 1]),
        lambda made: made["data"].append([0, -1, 1]),
        lambda made: made["data"].append([0]),
        lambda made: made.pop("rows"),
        lambda made: made.update(columns=3),
        lambda made: made.update(rows=[]),
        lambda made: made.update(matrix_type="dense"),
    ],
)
def test_damaged_biom_of_json_is_refused(tmp_path: Path, change: Callable[[dict[str, object]], object]) -> None:
    made = json.loads(written.biom_json())
    change(made)
    (tmp_path / "t.biom").write_text(json.dumps(made))
    with pytest.raises(DataError):
        read(tmp_path / "t.biom")
    (tmp_path / "t.biom").write_text("{" + '"a":[' * 100_000)
    with pytest.raises(DataError, match="damaged BIOM"):
        read(tmp_path / "t.biom")


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"3 4 6", b"3 4 7"), (b"3 4 6", b"3 5 6"), (b"3 4 6", b"3 4 99999999999"), (b"1 1 3", b"9 1 3"),
     (b"1 1 3", b"0 1 3"), (b"1 1 3", b"x y z"), (b"general", b"symmetric"), (b"coordinate", b"array")],
)  # fmt: skip
def test_a_damaged_matrix_of_cell_ranger_is_refused(tmp_path: Path, old: bytes, new: bytes) -> None:
    import gzip

    for name, part in written.tenx_files().items():
        text = gzip.decompress(part)
        assert name != "matrix.mtx.gz" or old in text
        (tmp_path / name).write_bytes(text.replace(old, new) if name == "matrix.mtx.gz" else part)
    with pytest.raises(DataError, match="damaged"):
        read(tmp_path / "matrix.mtx.gz")


def test_a_large_sparse_matrix_is_filled_in_blocks_with_the_same_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(annotated, "_BLOCK", 50)
    matrix = np.random.default_rng(0).poisson(0.5, (40, 30))
    about = annotated.Annotated([f"s{i}" for i in range(40)], [f"g{j}" for j in range(30)])
    for by_samples in (True, False):
        sheet = annotated.Sheet(about, "t")
        parts = written.compressed(matrix if by_samples else matrix.T)
        sheet.fill_sparse(parts["indptr"], parts["indices"], parts["data"], by_samples=by_samples)
        assert np.array_equal(sheet.values, matrix)
    sheet = annotated.Sheet(about, "t")
    sheet.fill(matrix.T, turned=True)
    assert np.array_equal(sheet.values, matrix)


@pytest.mark.skipif(not CASES.is_dir(), reason="the cases are not here")
def test_the_cases_of_others_are_read() -> None:
    old, loom = read(CASES / "legacy_07.h5ad"), read(CASES / "mini.loom")
    assert (len(old.rows), old.columns[:2], old.categories[12]) == (40, ("GENE0", "GENE1"), ("B", "T"))
    assert (len(loom.rows), loom.columns[:2], loom.default_target) == (40, ("G0", "G1"), "Class")
