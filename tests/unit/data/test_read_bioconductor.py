"""Objects of Bioconductor and its neighbours, written by their packages: see tests/golden/r/write.R."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from fsdesk.data import ReadOptions, Table, read, read_table
from fsdesk.data.reading import QuestionError, questions
from fsdesk.errors import DataError

pytest.importorskip("rdata")

GOLDEN = Path(__file__).parents[2] / "golden" / "r"
GENES, SAMPLES = tuple(f"g{j}" for j in range(1, 6)), tuple(f"s{k}" for k in range(1, 7))
COUNTS = np.array(
    [[3, 0, 7, 1, 12], [5, 2, 8, 0, 9], [4, 1, 6, 3, 15], [0, 7, 2, 11, 6], [1, 8, 3, 10, 5], [2, 9, 4, 13, 0]], float
)
VALUES = COUNTS / 2 + 0.25
VALUES[2, 1] = np.nan
AGES = [61, 54, np.nan, 47, 70, 58]
GROUPS = ["ill", "ill", "well", "well", "ill", "well"]
SYMBOLS = dict(zip(GENES, ("TP53", "MYC", "KRAS", "EGFR", "BRCA1"), strict=True))
TAXA = {"g1": "Bacteria; Firmicutes", "g4": "Bacteria; Bacteroidota", "g5": "Bacteria"}


def cells(table: Table, name: str) -> list[str]:
    column = table.columns.index(name)
    return ["" if np.isnan(code) else table.categories[column][int(code)] for code in table.values[:, column]]


def values(table: Table, width: int = 5) -> np.ndarray:
    return np.asarray(table.values[:, :width])


KINDS = [
    ("ExpressionSet.rds", "", VALUES, SYMBOLS),
    ("ExpressionSet-list.rda", "", VALUES, {}),
    ("ExpressionSet-list.rda", "listed/se.exprs", VALUES / 10, {}),
    ("NChannelSet.rds", "R", VALUES, {}),
    ("NChannelSet.rds", "G", VALUES + 1, {}),
    ("GEOquery.rda", "gse/GSE1-GPL1_series_matrix.txt.gz/exprs", VALUES, SYMBOLS),
    ("SummarizedExperiment.rds", "", COUNTS, SYMBOLS),
    ("SummarizedExperiment-two.rda", "two/raw", COUNTS, {}),
    ("SummarizedExperiment-two.rda", "two/scaled", VALUES, {}),
    ("RangedSummarizedExperiment.rds", "", COUNTS, SYMBOLS),
    ("RangedSummarizedExperiment-list.rda", "", VALUES, {}),
    ("DelayedMatrix.rds", "", COUNTS, {}),
    ("DESeqDataSet.rds", "", COUNTS, {}),
    ("DESeqDataSet-fitted.rda", "", COUNTS, {}),
    ("DESeqDataSet-fitted.rda", "dds/mu", COUNTS + 0.5, {}),
    ("SingleCellExperiment.rds", "", COUNTS, SYMBOLS),
    ("SingleCellExperiment-two.rda", "sce/logcounts", np.log2(COUNTS + 1), SYMBOLS),
    ("DGEList.rds", "", COUNTS, SYMBOLS),
    ("DGEList-plain.rda", "", COUNTS, {}),
    ("EList.rds", "", VALUES, SYMBOLS),
    ("phyloseq.rds", "", COUNTS, TAXA),
    ("phyloseq-turned.rda", "", COUNTS, {}),
    ("MultiAssayExperiment.rds", "rna/counts", COUNTS, SYMBOLS),
    ("Seurat.rds", "RNA/counts", COUNTS, {}),
    ("Seurat.rds", "", COUNTS, {}),
    ("Seurat-data.rda", "", np.where(COUNTS > 0, COUNTS / 2 + 0.25, 0), {}),
    ("beside.rda", "", VALUES, SYMBOLS),  # bytes, functions and a pointer
]


@pytest.mark.parametrize(("name", "part", "expected", "described"), KINDS, ids=[f"{k[0]}-{k[1]}" for k in KINDS])
def test_samples_become_rows_and_their_descriptions_are_no_features(
    name: str, part: str, expected: np.ndarray, described: dict[str, str]
) -> None:
    table = read(GOLDEN / name, ReadOptions(part=part))
    assert (table.rows, table.columns[:5]) == (SAMPLES, GENES)
    np.testing.assert_allclose(values(table), expected, rtol=1e-15)
    assert table.default_target == "group"
    assert cells(table, "group") == GROUPS
    assert table.categories[table.columns.index("group")] == ("well", "ill")  # the order of the levels
    if "age" in table.columns:
        np.testing.assert_array_equal(table.values[:, table.columns.index("age")], AGES)
    assert {key: table.descriptions.get(key) for key in described} == described
    data = read_table(GOLDEN / name, part=part, accept_reading=True)
    assert data.features == GENES


def test_run_lengths_of_a_data_frame_are_expanded() -> None:
    table = read(GOLDEN / "SummarizedExperiment.rds")
    assert cells(table, "batch") == ["a", "a", "a", "b", "b", "b"]


def test_arrays_of_limma_are_described_in_their_order_whatever_the_names() -> None:
    table = read(GOLDEN / "EListRaw.rda")
    assert (table.part, table.parts) == ("raw/E", ("raw/E", "raw/Eb"))
    np.testing.assert_array_equal(values(table), VALUES)
    assert table.default_target == "Condition"
    assert cells(table, "Condition") == GROUPS


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("NChannelSet.rds", '"G", "R"'),
        ("SummarizedExperiment-two.rda", '"two/raw", "two/scaled"'),
        ("SingleCellExperiment-two.rda", '"sce/counts", "sce/logcounts"'),
        ("MultiAssayExperiment.rds", '"protein", "rna/counts"'),
        ("GEOquery.rda", "GPL1_series_matrix.txt.gz/exprs.*GPL2"),
    ],
)
def test_which_of_several_matrices_is_asked(name: str, parts: str) -> None:
    with pytest.raises(DataError, match=rf"several tables \(.*{parts}"):
        read(GOLDEN / name)


@pytest.mark.parametrize(
    ("name", "part"), [("MultiAssayExperiment.rds", "protein"), ("MultiAssayExperiment-one.rda", "")]
)
def test_samples_of_an_experiment_have_the_descriptions_of_their_patients(name: str, part: str) -> None:
    table = read(GOLDEN / name, ReadOptions(part=part))
    assert table.rows == ("a1", "a2", "a3", "a4", "a5")
    np.testing.assert_array_equal(values(table, 3), VALUES[:5, :3])
    assert cells(table, "primary") == ["p1", "p1", "p2", "p3", "p4"]
    assert cells(table, "group") == ["ill", "ill", "ill", "well", "well"]
    assert table.default_group == "primary"  # two samples of one patient
    assert [each.kind for each in questions(table.readings, "group", named=True)] == ["replicates"]


def test_sparse_matrices_are_read_with_their_names() -> None:
    table = read(GOLDEN / "dgCMatrix.rds")
    assert (table.rows, table.columns) == (GENES, SAMPLES)
    np.testing.assert_array_equal(table.values, COUNTS.T)
    table = read(GOLDEN / "dgTMatrix.rda")  # with a factor of the columns
    assert (table.rows[0], table.columns) == ("s1", (*GENES, "group"))
    np.testing.assert_array_equal(values(table), COUNTS)


def test_samples_and_features_without_names_are_numbered() -> None:
    table = read(GOLDEN / "SummarizedExperiment-nameless.rda")
    assert (table.rows, table.columns) == (tuple("123456"), ("x1", "x2", "x3", "x4", "x5", "group"))
    np.testing.assert_array_equal(values(table), COUNTS)
    table = read(GOLDEN / "half-named.rds")
    assert (table.rows, table.columns) == (GENES, ("x1", "x2", "x3", "x4", "x5", "x6"))


def test_data_frames_of_other_packages() -> None:
    table = read(GOLDEN / "data.table.rds")
    assert (table.rows, table.columns) == (SAMPLES, (*GENES, "seen", "group"))
    np.testing.assert_array_equal(values(table), COUNTS)
    table = read(GOLDEN / "tibble.rda")
    np.testing.assert_array_equal(values(table), VALUES)
    table = read(GOLDEN / "DataFrame.rds")
    assert (table.rows, table.columns) == (SAMPLES, (*GENES, "age", "group"))


def test_a_matrix_is_joined_with_the_data_frame_of_its_samples_by_name() -> None:
    table = read(GOLDEN / "workspace.rda")  # the data frame has another order
    assert (table.rows, table.columns) == (SAMPLES[:4], (*GENES, "age", "group"))
    np.testing.assert_array_equal(values(table), COUNTS[:4])
    assert cells(table, "group") == GROUPS[:4]
    assert not questions(table.readings, "group", named=False)
    assert read(GOLDEN / "workspace.rda", ReadOptions(part="few")).columns == SAMPLES[:4]


@pytest.mark.parametrize("name", ["workspace-part.rda", "list.rds"])
def test_samples_without_a_description_are_named_and_left_out(name: str) -> None:
    with pytest.raises(QuestionError, match="describes the samples of"):  # its rows are the shorter side
        read_table(GOLDEN / name)
    table = read(GOLDEN / name, ReadOptions(labels_by="ids"))
    assert not questions(table.readings, "group", named=False)
    np.testing.assert_array_equal(values(table), VALUES)
    assert cells(table, "group") == ["ill", "ill", "", "well", "ill", ""]
    assert any('no label in "' in check.sentence and '"s3", "s6"' in check.sentence for check in table.checks)
    data = read_table(GOLDEN / name, labels_by="ids")
    assert (data.x.shape, data.features) == ((4, 5), GENES)


def test_a_third_data_frame_describes_the_features() -> None:
    table = read(GOLDEN / "workspace-three.rda", ReadOptions(labels_by="ids"))
    assert (table.rows, table.descriptions) == (SAMPLES, SYMBOLS)
    assert cells(table, "group") == GROUPS
    turned = read(GOLDEN / "workspace-three.rda", ReadOptions(orientation="columns"))
    np.testing.assert_array_equal(turned.values, table.values)


@pytest.mark.parametrize(
    ("name", "held"),
    [("no-table.rda", r'"closure \(function\)", "bytes \(raw\)", "pointer \(external pointer\)"'),
     ("formula.rds", '"formula"')],
)  # fmt: skip
def test_a_file_without_a_table_is_told_by_what_it_holds(name: str, held: str) -> None:
    with pytest.raises(DataError, match=rf"has no numeric matrix or data frame; it contains {held}.*write\.csv"):
        read(GOLDEN / name)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("wrong-count.rds", "6 rows or columns of values have 4 descriptions"),
        ("wrong-names.rds", r'have different names \("s1", "s2"'),
        ("wrong-features.rds", "3 rows or columns of values have 5 descriptions"),
        ("wrong-index.rds", "The sparse matrix in .* is damaged"),
        ("wrong-size.rds", "not an R file or is damaged"),
        ("wrong-runs.rds", "not an R file or is damaged"),
    ],
)
def test_objects_that_contradict_themselves_are_refused(name: str, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        read(GOLDEN / name)


HEAD = b"X\n\0\0\0\2\0\4\2\2\0\2\3\0"
NUMBERS = b"\0\0\0\x0e\0\0\0\1" + np.array([1.5], ">f8").tobytes()
NOTHING = b"\0\0\0\xfe"


def symbol(text: bytes) -> bytes:
    return b"\0\0\0\1\0\4\0\x09" + len(text).to_bytes(4, "big") + text


def test_a_workspace_of_many_objects_is_not_damaged(tmp_path: Path) -> None:
    count, path = 3000, tmp_path / "many.rda"
    frame = gzip.decompress((GOLDEN / "DataFrame.rds").read_bytes())[23:]
    cells = [b"\0\0\4\2" + symbol(b"v%d" % k) + NUMBERS for k in range(count)]
    path.write_bytes(b"RDX2\n" + HEAD + b"".join(cells) + b"\0\0\4\2" + symbol(b"frame") + frame + NOTHING)
    assert read(path).columns == (*GENES, "age", "group")


@pytest.mark.parametrize("depth", [5_000, 200_000])
def test_lists_nested_without_end_are_refused_in_a_sentence(tmp_path: Path, depth: int) -> None:
    path = tmp_path / "deep.rds"
    path.write_bytes(HEAD + b"\0\0\0\x13\0\0\0\1" * depth + NUMBERS)
    with pytest.raises(DataError, match=r"nested too deeply|no numeric matrix"):
        read(path)


def test_texts_of_an_old_file_without_an_encoding_are_read(tmp_path: Path) -> None:
    whole = gzip.decompress((GOLDEN / "tibble.rda").read_bytes())
    for name in ("gr\xfcpp".encode("latin-1"), "grüp".encode()):
        path = tmp_path / "old.rda"
        path.write_bytes(whole.replace(b"\0\4\0\x09\0\0\0\5group", b"\0\0\0\x09\0\0\0\5" + name))
        assert read(path).columns[-1].startswith("grü")


def test_columns_of_one_name_are_kept(tmp_path: Path) -> None:
    whole = gzip.decompress((GOLDEN / "tibble.rda").read_bytes())
    (tmp_path / "twice.rda").write_bytes(whole.replace(b"\0\0\0\2g2", b"\0\0\0\2g1"))
    table = read(tmp_path / "twice.rda")
    assert table.columns[:3] == ("g1", "g1_2", "g3")
    np.testing.assert_array_equal(values(table), VALUES)


def test_a_matrix_that_cannot_be_read_is_named_beside_those_that_can():
    """DelayedArray keeps log2(counts + 1) as an operation to be carried out when it is needed."""
    table = read(GOLDEN / "DelayedMatrix-later.rds")
    assert np.array_equal(values(table), COUNTS)
    (check,) = (each for each in table.checks if each.kind == "unread")
    assert "logs" in check.sentence and "1 matrix" in check.sentence
    assert not any(each.kind == "unread" for each in read(GOLDEN / "DelayedMatrix.rds").checks)
