"""Layouts of other programs: Olink, SomaScan, FragPipe, Firehose, MetaboAnalyst, plates, sections, one sample alone."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xlsxwriter

import fsdesk
from fsdesk.data import ReadOptions, Table, questions, read
from fsdesk.errors import DataError

N, P = 24, 6
RNG = np.random.default_rng(21)
VALUES = RNG.normal(5, 1.2, (N, P)).round(3)
IDS = [f"S{k:02}" for k in range(N)]
KIND = [("case", "control")[k % 2] for k in range(N)]


def saved(path: Path, lines: list[list[Any]], sep: str = ",") -> Path:
    path.write_text("".join(sep.join(map(str, line)) + "\n" for line in lines), encoding="utf-8")
    return path


def asked(table: Table) -> list[str]:
    return [question.kind for question in questions(table.readings, table.default_target, named=False)]


def classes(table: Table) -> Counter[str]:
    column = table.columns.index(table.default_target)
    return Counter(table.categories[column][int(code)] for code in table.values[:, column])


@pytest.mark.parametrize("count", [False, True])
def test_the_long_form_of_olink_is_known(tmp_path: Path, count: bool) -> None:
    head = ["SampleID", "Index", "OlinkID", "UniProt", "Assay", "MissingFreq", "Panel", "PlateID", "LOD", "NPX"]
    lines: list[list[Any]] = [[*head, *(["Count", "PCNormalizedNPX"] if count else [])]]
    for j in range(P):
        for k in range(N):
            more = [int(900 * VALUES[k, j]), VALUES[k, j] - 0.1] if count else []
            lines.append([IDS[k], k + 1, f"OID{j}", f"Q{j}", f"IL{j}", j / 100, "Inf", f"plate {k // 8}", 1.5 + j / 10,
                          VALUES[k, j], *more])  # fmt: skip
    table = read(saved(tmp_path / "npx.csv", lines, ";"))
    assert "long form" in asked(table)
    assert len(table.rows) == N
    assert table.columns[:P] == tuple(f"IL{j}" for j in range(P))
    np.testing.assert_allclose(table.values[:, :P], VALUES)
    data = fsdesk.read_table(tmp_path / "npx.csv", "PlateID", orientation="long", accept_reading=True)
    assert data.features == table.columns[:P]


def _wide_olink() -> list[list[Any]]:
    last = ["Plate ID", "QC Warning"]
    return [
        ["NPX data", "Exported from NPX Manager", *[""] * P],
        ["Panel", *["Olink INFLAMMATION"] * P, *last],
        ["Assay", *(f"IL{j}" for j in range(P)), *last],
        ["Uniprot ID", *(f"Q{j}" for j in range(P)), "", ""],
        ["OlinkID", *(f"OID{j}" for j in range(P)), "", ""],
        [""] * (P + 3),
        *([IDS[k], *VALUES[k], f"plate {k // 8}", "Pass"] for k in range(N)),
        [""] * (P + 3),
        ["LOD", *[1.1] * P, "", ""],
        ["Missing Data freq.", *[0.0] * P, "", ""],
    ]


@pytest.mark.parametrize("end", ["csv", "xlsx"])
def test_the_wide_form_of_olink_is_known(tmp_path: Path, end: str) -> None:
    path = tmp_path / f"npx.{end}"
    if end == "csv":
        saved(path, _wide_olink())
    else:
        book = xlsxwriter.Workbook(path)
        sheet = book.add_worksheet()
        for place, line in enumerate(_wide_olink()):
            sheet.write_row(place, 0, line)
        book.close()
    saved(tmp_path / "labels.csv", [["id", "group"], *zip(IDS[::-1], KIND[::-1], strict=True)])
    data = fsdesk.read_table(path, labels="labels.csv")
    assert data.features == tuple(f"IL{j}" for j in range(P))
    assert data.rows == tuple(IDS)
    np.testing.assert_allclose(data.x, VALUES)


@pytest.mark.parametrize("controls", [0, 3])
def test_an_adat_of_somascan_is_read(tmp_path: Path, controls: int) -> None:
    about = ["PlateId", "SampleId", "SampleType", "Sex"]
    blank = [""] * len(about)
    lines: list[list[Any]] = [
        ["!Checksum", "1f"], ["^HEADER"], ["!Version", "1.2"], ["^COL_DATA"], ["!Name", "SeqId"], ["^ROW_DATA"],
        ["!Name", *about], ["^TABLE_BEGIN"],
        [*blank, "SeqId", *(f"{100 + j}-{j}" for j in range(P))],
        [*blank, "EntrezGeneSymbol", *(f"GENE{j}" for j in range(P))],
        [*about, "", *[""] * P],
        *([f"P{k // 12}", IDS[k], "Sample", "MF"[k % 2], "", *VALUES[k]] for k in range(N)),
        *(["P0", f"C{k}", "Calibrator", "", "", *VALUES[k]] for k in range(controls)),
    ]  # fmt: skip
    table = read(saved(tmp_path / "t.adat", lines, "\t"))
    assert table.rows == tuple(IDS)
    assert table.columns[:P] == tuple(f"{100 + j}-{j}" for j in range(P))
    assert "GENE0" in table.descriptions["100-0"]
    np.testing.assert_allclose(table.values[:, :P], VALUES)
    assert any(check.kind == "control samples" for check in table.checks) == bool(controls)
    assert "Sex" in table.columns


@pytest.mark.parametrize(
    "measures",
    [["Spectral Count", "Intensity", "MaxLFQ Intensity"], ["Unique Intensity", "Total Intensity", "Intensity"]],
)
def test_measures_that_end_alike_are_told_apart(tmp_path: Path, measures: list[str]) -> None:
    head = ["Protein", "Gene", *(f"{name} {measure}" for measure in measures for name in IDS)]
    lines = [head, *([f"P{j}", f"G{j}", *(VALUES[:, j] * (m + 1) for m in range(3))] for j in range(P))]
    flat = [lines[0], *([*line[:2], *np.concatenate(line[2:])] for line in lines[1:])]
    table = read(saved(tmp_path / "t.tsv", flat, "\t"), ReadOptions(orientation="columns"))
    assert len(table.rows) == N
    assert "measure" in asked(table)
    chosen = read(tmp_path / "t.tsv", ReadOptions(orientation="columns", measure=measures[1]))
    np.testing.assert_allclose(chosen.values[:, :P], VALUES * 2)


@pytest.mark.parametrize("kinds", [["normalized_count"], ["raw_count", "scaled_estimate"]])
def test_a_second_line_of_what_columns_hold_is_no_feature(tmp_path: Path, kinds: list[str]) -> None:
    count = len(kinds)
    lines = [
        ["Hybridization REF", *np.repeat(IDS, count)],
        ["gene_id", *kinds * N],
        *([f"A{j}|{j}", *np.repeat(VALUES[:, j], count)] for j in range(P)),
    ]
    table = read(saved(tmp_path / "t.txt", lines, "\t"), ReadOptions(orientation="columns"))
    assert table.columns == tuple(f"A{j}|{j}" for j in range(P))
    assert len(table.rows) == N
    np.testing.assert_allclose(table.values, VALUES)


@pytest.mark.parametrize("title", ["Label", "Group"])
def test_a_line_of_classes_below_the_names_turns_the_table_after_asking(tmp_path: Path, title: str) -> None:
    lines = [["Sample", *IDS], [title, *KIND], *([f"M{j}", *VALUES[:, j]] for j in range(P))]
    table = read(saved(tmp_path / "t.csv", lines))
    assert asked(table) == ["orientation"]
    assert table.default_target == title
    assert classes(table) == Counter(KIND)
    assert "orientation" not in asked(read(tmp_path / "t.csv", ReadOptions(orientation="columns")))
    skipped = read(tmp_path / "t.csv", ReadOptions(below_header="skip"))
    assert skipped.rows == tuple(f"M{j}" for j in range(P))


@pytest.mark.parametrize(("rows", "columns"), [(8, 12), (16, 24)])
def test_the_layout_of_a_plate_is_refused(tmp_path: Path, rows: int, columns: int) -> None:
    lines = [
        ["<>", *range(1, columns + 1)],
        *([chr(65 + k), *RNG.normal(1, 0.1, columns).round(3)] for k in range(rows)),
    ]
    with pytest.raises(DataError, match="is the layout of a plate"):
        read(saved(tmp_path / "t.csv", lines))


ALONE = [
    ["Name", "Length", "EffectiveLength", "TPM", "NumReads"],
    ["target_id", "length", "eff_length", "est_counts", "tpm"],
]


@pytest.mark.parametrize("head", ALONE)
def test_the_genes_of_one_sample_are_refused(tmp_path: Path, head: list[str]) -> None:
    with pytest.raises(DataError, match="contains a single sample"):
        read(saved(tmp_path / "quant.sf", [head, *([f"T{k}", 900, *VALUES[k, :3]] for k in range(N))], "\t"))


@pytest.mark.parametrize("headings", [("Cases", "Controls"), ("Treated", "Placebo", "Untreated")])
def test_headings_between_rows_are_a_column(tmp_path: Path, headings: tuple[str, ...]) -> None:
    each = N // len(headings)
    lines: list[list[Any]] = [["id", "a", "b", "c"]]
    for place, heading in enumerate(headings):
        lines.append([heading, "", "", ""])
        lines += [[IDS[k], *VALUES[k, :3]] for k in range(place * each, (place + 1) * each)]
    table = read(saved(tmp_path / "t.csv", lines))
    assert asked(table) == ["target"]
    assert classes(table) == Counter(dict.fromkeys(headings, each))
    assert table.rows == tuple(IDS)


def test_rows_that_lack_their_values_are_no_headings(tmp_path: Path) -> None:
    lines = [["id", "a", "b", "c"], *([IDS[k], *([""] * 3 if k in (0, 7) else VALUES[k, :3])] for k in range(N))]
    assert len(read(saved(tmp_path / "t.csv", lines)).rows) == N


@pytest.mark.parametrize("known", [2, 5])
def test_a_target_that_is_filled_in_a_few_rows_is_named(tmp_path: Path, known: int) -> None:
    step = -(-N // known)
    lines = [["group", "a", "b"], *([f"g{k // step}" if k % step == 0 else "", *VALUES[k, :2]] for k in range(N))]
    path = saved(tmp_path / "t.csv", lines)
    with pytest.raises(DataError, match=f"has a value in only {known} of {N} rows.*fill these cells"):
        fsdesk.read_table(path, "group", accept_reading=True)


@pytest.mark.parametrize("names", [("responder", "non-responder", "non responder"), ("pCR", "RD", "RD.")])
def test_classes_that_differ_in_punctuation_are_asked_about(tmp_path: Path, names: tuple[str, ...]) -> None:
    lines = [["a", "b", "group"], *([*VALUES[k, :2], names[k % 3]] for k in range(N))]
    path = saved(tmp_path / "t.csv", lines)
    assert asked(read(path)) == ["similar names"]
    assert len(classes(read(path, ReadOptions(similar="one")))) == 2


def test_labels_of_several_numbers_are_named_in_libsvm(tmp_path: Path) -> None:
    path = tmp_path / "t.svm"
    path.write_text("".join(f"{k % 3},{k % 2 + 3} 1:0.5 2:{k}\n" for k in range(N)))
    with pytest.raises(DataError, match="has several labels"):
        read(path)


@pytest.mark.parametrize("place", ["above", "last"])
def test_classes_among_lines_about_samples_or_in_the_last_turn_the_table(tmp_path: Path, place: str) -> None:
    about = [["age", *range(30, 30 + N)], ["sex", *(("f", "m")[k // 2 % 2] for k in range(N))], ["group", *KIND]]
    genes = [[f"M{j}", *VALUES[:, j]] for j in range(P)]
    lines = [["sample", *IDS], *([about[2], *about[:2], *genes] if place == "above" else [*genes, about[2]])]
    path = saved(tmp_path / "t.csv", lines)
    table = read(path)
    assert asked(table)[0] == "orientation"
    assert table.default_target == "group"
    data = fsdesk.read_table(path, "group", accept_reading=True)
    assert data.features == tuple(f"M{j}" for j in range(P))
    rows = read(path, ReadOptions(below_header="skip" if place == "above" else "data"))
    assert "orientation" not in asked(rows)


TESTED = [
    ["gene", "logFC", "AveExpr", "t", "P.Value", "adj.P.Val", "B"],
    ["", "baseMean", "log2FoldChange", "lfcSE", "stat", "pvalue", "padj"],
]


@pytest.mark.parametrize("head", TESTED)
def test_results_of_tests_are_no_samples(tmp_path: Path, head: list[str]) -> None:
    with pytest.raises(DataError, match="results of a test per gene"):
        read(saved(tmp_path / "t.csv", [head, *([f"G{k}", *VALUES[k]] for k in range(N))]))


@pytest.mark.parametrize("head", [["^HEADER", ""], ["!Checksum", "1f"]])
def test_a_plain_table_below_the_head_of_an_adat_is_a_table(tmp_path: Path, head: list[str]) -> None:
    body = [
        ["SampleId", *(f"SeqId.{j}" for j in range(P)), "group"],
        *([IDS[k], *VALUES[k], KIND[k]] for k in range(N)),
    ]
    table = read(saved(tmp_path / "t.txt", [head, ["!Version", "1.2"], ["^TABLE_BEGIN"], *body], "\t"))
    assert len(table.rows) == N
    assert table.default_target == "group"
