"""What programs print or export in other shapes: blocks of columns, precursors, one sample's counts, alleles, pairs."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fsdesk.data import ReadOptions, Table, questions, read, read_table
from fsdesk.errors import DataError

N = 24
PICK = random.Random(44)
NAMES = ("id", "age", "sex", "glucose", "sbp", "outcome")
PEOPLE: list[list[Any]] = [
    [f"p{i:02}", PICK.randrange(20, 80), PICK.choice(["male", "female"]), round(PICK.gauss(5, 1), 2),
     round(PICK.gauss(130, 10), 1), ("case", "control")[i % 2]]
    for i in range(N)
]  # fmt: skip
WIDTHS = [max(len(str(row[j])) for row in [*PEOPLE, NAMES]) for j in range(len(NAMES))]


def saved(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def table_of(path: Path, head: list[str], rows: list[list[Any]], sep: str = ",") -> Path:
    return saved(path, [sep.join(map(str, row)) for row in [head, *rows]])


def asked(table: Table) -> list[str]:
    return [question.kind for question in questions(table.readings, table.default_target, named=False)]


def printed(columns: list[int], ids: list[str], end: str = "", gap: str = " ") -> list[str]:
    margin = max(map(len, ids))
    lines = [" " * margin + gap + gap.join(NAMES[j].rjust(WIDTHS[j]) for j in columns) + end]
    for name, row in zip(ids, PEOPLE, strict=True):
        lines.append(name.ljust(margin) + gap + gap.join(str(row[j]).rjust(WIDTHS[j]) for j in columns))
    return lines


IDS = [str(i + 1) for i in range(N)]
BY_R = [*printed([0, 1, 2, 3], IDS), *printed([4, 5], IDS)]
BY_R_NAMED = ["> print(d)", *printed([1, 2, 3], [f"p{i}" for i in range(N)]),
              *printed([4], [f"p{i}" for i in range(N)]), *printed([5], [f"p{i}" for i in range(N)]), "> "]  # fmt: skip
BY_PANDAS = [*printed([0, 1, 2], IDS, "  \\", "  "), "", *printed([3, 4, 5], IDS, "  ", "  "), "",
             f"[{N} rows x 6 columns]"]  # fmt: skip
BY_DATA_TABLE = [*printed([1, 2, 3, 4, 5], [f"{name}:" for name in IDS]), printed([1, 2, 3, 4, 5], ["24:"] * N)[0]]
BY_SAS = [
    "                    The SAS System                1", "",
    "Obs   id   age   sex   glucose", "",
    *(f"{i + 1:>3}   {row[0]}   {row[1]}   {row[2]}   {row[3]}" for i, row in enumerate(PEOPLE)),
    "", "Obs   sbp   outcome", "", *(f"{i + 1:>3}   {row[4]}   {row[5]}" for i, row in enumerate(PEOPLE)),
]  # fmt: skip
RULE = "-" * (sum(WIDTHS) + 3 * len(WIDTHS) - 1)
BY_STATA = [
    ". list", "", f"     +{RULE}+",
    "     | " + "   ".join(name.rjust(width) for name, width in zip(NAMES, WIDTHS, strict=True)) + " |",
    f"     |{RULE}|",
]  # fmt: skip
for place, person in enumerate(PEOPLE):
    if place and place % 5 == 0:
        BY_STATA.append(f"     |{RULE}|")
    cells = "   ".join(str(cell).rjust(width) for cell, width in zip(person, WIDTHS, strict=True))
    BY_STATA.append(f"{place + 1:>3}. | {cells} |")
BY_STATA.append(f"     +{RULE}+")


@pytest.mark.parametrize("lines", [BY_R, BY_R_NAMED, BY_PANDAS, BY_DATA_TABLE, BY_SAS, BY_STATA])
def test_blocks_of_columns_are_one_table(tmp_path: Path, lines: list[str]) -> None:
    table = read(saved(tmp_path / "printed.txt", lines))
    assert table.columns[-5:] == NAMES[1:]
    assert len(table.rows) == N
    ages = table.values[:, table.columns.index("age")]
    assert ages.tolist() == [row[1] for row in PEOPLE]
    outcome = table.columns.index("outcome")
    assert [table.categories[outcome][int(code)] for code in table.values[:, outcome]] == [row[5] for row in PEOPLE]
    assert not asked(table)


BOXES = [line for row in PEOPLE for line in (
    "     +--------------------+", f"  1. | {'age':>4} | {'sex':>8} |", f"     | {row[1]:>4} | {row[2]:>8} |",
    "     |--------------------|", f"     | {'sbp':>4} | {'outcome':>8} |", f"     | {row[4]:>4} | {row[5]:>8} |",
    "     +--------------------+", "",
)]  # fmt: skip
WITH_BLANKS = [line.replace(" male", "grade 2") for line in BY_R]


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (BOXES, "command list of Stata"),
        ([line.replace("glucose", "gluco~e") for line in BY_STATA], "command list of Stata"),
        (WITH_BLANKS, "cannot be told apart"),
        ([*BY_R[: N + 1], " [ reached 'max' / getOption(\"max.print\") -- omitted 980 rows ]"], "was shortened"),
        (["# A tibble: 240 x 4", *BY_R[: N + 1], "# \N{INFORMATION SOURCE} 216 more rows"], "was shortened"),
    ],
)
def test_what_was_lost_in_printing_is_refused(tmp_path: Path, lines: list[str], sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        read(saved(tmp_path / "printed.txt", lines))


def test_columns_of_repeated_ids_are_no_blocks(tmp_path: Path) -> None:
    lines = [" visit crp group", *(f"{k % 4} {k / 7:.2f} {'ab'[k % 2]}" for k in range(23))]
    assert len(read(saved(tmp_path / "plain.txt", lines)).rows) == 23


RUNS = [f"run{k:02}" for k in range(8)]
PRECURSORS = [(f"P{j // 3}", f"PEPTIDE{j}K", 2 + j % 2) for j in range(12)]


def _report(columns: dict[str, str]) -> list[list[Any]]:
    lines: list[list[Any]] = [[*columns]]
    for k, run in enumerate(RUNS):
        for protein, peptide, charge in PRECURSORS:
            if PICK.random() < 0.2:
                continue
            known = {"run": run, "protein": protein, "peptide": peptide, "precursor": f"{peptide}{charge}",
                     "charge": charge, "group": "ab"[k % 2]}  # fmt: skip
            lines.append([known.get(kind, round(PICK.random() * 1e4, 1)) for kind in columns.values()])
    return lines


REPORTS = {
    "DIA-NN": [
        {"Run": "run", "Protein.Group": "protein", "Precursor.Id": "precursor", "Precursor.Normalised": "value"},
        {"File.Name": "run", "Run": "run", "Protein.Group": "protein", "Genes": "protein", "PG.MaxLFQ": "value",
         "Stripped.Sequence": "peptide", "Precursor.Id": "precursor", "Q.Value": "value",
         "Precursor.Quantity": "value"},
    ],
    "Spectronaut": [
        {"R.FileName": "run", "R.Condition": "group", "PG.ProteinGroups": "protein", "EG.PrecursorId": "precursor",
         "FG.Quantity": "value"},
        {"R.FileName": "run", "PG.ProteinGroups": "protein", "PEP.StrippedSequence": "peptide", "FG.Charge": "charge",
         "PG.Quantity": "value", "EG.Qvalue": "value"},
    ],
    "MSstats": [
        {"ProteinName": "protein", "PeptideSequence": "peptide", "PrecursorCharge": "charge", "Condition": "group",
         "BioReplicate": "run", "Run": "run", "Intensity": "value"},
        {"ProteinName": "protein", "PeptideModifiedSequence": "peptide", "Run": "run", "Intensity": "value"},
    ],
    "MaxQuant": [
        {"Sequence": "peptide", "Modified sequence": "peptide", "Proteins": "protein", "Raw file": "run",
         "Charge": "charge", "Intensity": "value"},
        {"Sequence": "peptide", "Modified sequence": "peptide", "Experiment": "run", "Score": "value"},
    ],
}  # fmt: skip


@pytest.mark.parametrize(("program", "columns"), [(name, each) for name, two in REPORTS.items() for each in two])
@pytest.mark.parametrize("suffix", ["tsv", "parquet"])
def test_reports_of_precursors_are_no_samples(
    tmp_path: Path, program: str, columns: dict[str, str], suffix: str
) -> None:
    import pandas as pd

    lines = _report(columns)
    path = table_of(tmp_path / "report.tsv", lines[0], lines[1:], "\t")
    if suffix == "parquet":
        frame = pd.DataFrame(lines[1:], columns=lines[0])
        path = tmp_path / "report.parquet"
        frame.to_parquet(path)
    with pytest.raises(DataError, match=f"report of {program} with one row per precursor"):
        read(path)


def test_precursors_are_columns_where_the_user_says_so(tmp_path: Path) -> None:
    for columns in REPORTS["DIA-NN"]:
        lines = _report(columns)
        table = read(table_of(tmp_path / "report.tsv", lines[0], lines[1:], "\t"), ReadOptions(orientation="long"))
        assert len(table.rows) == len(RUNS)
        assert {f"{peptide}{charge}" for _, peptide, charge in PRECURSORS} <= {*table.columns}


@pytest.mark.parametrize(
    ("run", "protein", "value", "more"),
    [
        ("Run", "Protein.Group", "PG.MaxLFQ", ("File.Name", "Precursor.Id", "Precursor.Normalised", "Q.Value")),
        ("R.FileName", "PG.ProteinGroups", "PG.Quantity", ("R.Condition", "EG.PrecursorId", "FG.Quantity")),
    ],
)
@pytest.mark.parametrize("suffix", ["tsv", "parquet"])
def test_quantities_of_proteins_in_a_report_of_precursors_are_read(
    tmp_path: Path, run: str, protein: str, value: str, more: tuple[str, ...], suffix: str
) -> None:
    import pandas as pd

    quantity = {(i, k): round(PICK.random() * 1e5, 1) for i in range(20) for k in range(15) if (i * k) % 11 != 3}
    lines = []
    for (i, k), amount in quantity.items():
        for precursor in range(1 + (i + k) % 3):
            known = {
                "File.Name": f"/raw/S{i:02}.raw",
                "R.Condition": ("ill", "well")[i % 2],
                "Q.Value": 0.001 * precursor,
            }
            extra = [known.get(name, f"PEP{k}{precursor}2" if "recursor" in name and "Norm" not in name
                               else round(PICK.random() * 1e4, 1)) for name in more]  # fmt: skip
            lines.append([f"S{i:02}", f"P{k:05};Q{k:05}", amount, *extra])
    header = [run, protein, value, *more]
    path = tmp_path / f"report.{suffix}"
    if suffix == "tsv":
        table_of(path, header, lines, "\t")
    else:
        pd.DataFrame(lines, columns=header).to_parquet(path)
    table = read(path)
    asked = questions(table.readings, table.default_target, named=True)
    assert [each.kind for each in asked] == ["long form"]
    assert [each.option for each in asked[0].alternatives] == ["measure", "orientation"]
    assert table.rows == tuple(f"S{i:02}" for i in range(20))
    for i, row in enumerate(table.rows):
        for k in range(15):
            found = table.values[i, table.columns.index(f"P{k:05};Q{k:05}")]
            assert found == quantity.get((i, k)) or ((i, k) not in quantity and np.isnan(found)), (row, k)
    if "R.Condition" in more:
        assert table.default_target == "R.Condition"
    settled = read(path, asked[0].alternatives[0].added_to(ReadOptions()))
    assert not questions(settled.readings, settled.default_target, named=True)


UNASSIGNED = ("__no_feature", "__ambiguous", "__too_low_aQual", "__not_aligned", "__alignment_not_unique")
GENES = [f"ENSG{k:011}" for k in range(60)]


@pytest.mark.parametrize(
    "lines",
    [
        [*(f"{gene}\t{PICK.randrange(900)}" for gene in GENES), *(f"{name}\t7000" for name in UNASSIGNED)],
        [*(f"g{k}\tGENE{k}\t{k % 7}" for k in range(60)), *(f"{name}\t\t12" for name in UNASSIGNED)],
        ["Geneid\tcount", *(f"ENSMUSG{k:011}.{k % 9}\t{k % 50}" for k in range(60))],
        ["gene_symbol,raw_count", *(f"GEN{k},{k % 50}" for k in range(60))],
    ],
)  # fmt: skip
def test_counts_of_one_sample_are_named_so(tmp_path: Path, lines: list[str]) -> None:
    with pytest.raises(DataError, match="contains a single sample: each row is a gene"):
        read(saved(tmp_path / "counts.txt", lines))


SAMPLES = [f"S{k:02}" for k in range(1, N + 1)]


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        ([f"S{k:02}" for k in range(1, N + 1)], "sample IDs but no labels"),
        (['"","x"', *(f'"{k}","S{k:02}"' for k in range(1, N + 1))], "sample IDs but no labels"),
        (["sample,patient", *(f"S{k:02},P{k:03}" for k in range(1, N + 1))], "sample IDs but no labels"),
        ([f"TCGA-{k:03}" for k in range(N)], "no labels but IDs, such as.*TCGA-000"),
        (["ids", *(f"TCGA-{k:03}" for k in range(N))], "no labels but IDs"),
        ([str(5001 + k) for k in range(N)], "no labels but IDs"),
    ],
)
def test_lists_of_ids_are_no_labels(tmp_path: Path, labels: list[str], sentence: str) -> None:
    path = table_of(tmp_path / "t.csv", ["sample", "a", "b"], [[name, k / 7, k % 5] for k, name in enumerate(SAMPLES)])
    saved(tmp_path / "labels.csv", labels)
    with pytest.raises(DataError, match=sentence):
        read(path, ReadOptions(labels="labels.csv"))


ALLELES = ["01:01", "02:01", "03:01", "07:02", "08:01", "11:01", "24:02", "26:01", "29:02", "30:01", "31:01", "33:03",
           "35:01", "40:01", "44:03"]  # fmt: skip


@pytest.mark.parametrize("name", ["HLA_A_1", "DRB1", "allele1", "B.2"])
@pytest.mark.parametrize("prefix", ["", "A*"])
def test_alleles_are_categories(tmp_path: Path, name: str, prefix: str) -> None:
    rows = [[f"P{k}", f"{prefix}{ALLELES[k * 7 % 15]}", k % 9, "ab"[k % 2]] for k in range(40)]
    table = read(table_of(tmp_path / "t.csv", ["id", name, "age", "group"], rows))
    assert 0 in table.categories
    assert len(table.categories[0]) == 15
    assert not asked(table)


def test_times_are_numbers_beside_alleles(tmp_path: Path) -> None:
    rows = [[f"P{k}", f"{20 + k % 4}:{k * 7 % 60:02}", "ab"[k % 2]] for k in range(40)]
    assert 0 not in read(table_of(tmp_path / "t.csv", ["id", "run", "group"], rows)).categories
    few = [[f"P{k}", f"{11 + k % 6}:{1 + k % 5:02}", "ab"[k % 2]] for k in range(8)]
    table = read(table_of(tmp_path / "u.csv", ["id", "run", "group"], few))
    assert asked(table) == ["times"]
    said = read(tmp_path / "u.csv", ReadOptions(types="run=duration"))
    assert 0 not in said.categories
    assert not asked(said)


def _low_high() -> tuple[int, int]:
    low = PICK.randrange(1, 9)
    return low, low + PICK.randrange(1, 20)


CELLS = {
    "{0} ({1:.1f}%)": 2, "{0}.5 ({1})": 2, "{0} [{1}]": 2, "{0}-{1}": 2, "{0} to {1}": 2, "{0} x {1} mm": 2,
    "{0}/{1} mmHg": 2, "{0}.5; {1}.2": 2, "{0}:{1}": 2, "3{0}+{1}": 2, "{1}y {0}m": 2, "{1} years, {0} months": 2,
    "{0}/{1}/9": 3, "{0} ({0}-{1})": 3, "{0}.2 [{0}, {1}.5]": 3, "{0} ({0}–{1})": 3, "{0} × {1} × {0} cm": 3,
}  # fmt: skip


@pytest.mark.parametrize("form", CELLS)
def test_several_numbers_in_a_cell_are_asked_about(tmp_path: Path, form: str) -> None:
    rows = [[f"P{k}", form.format(*_low_high()), "ab"[k % 2]] for k in range(40)]
    rows[3][1], rows[5][1] = "n.d.", "7"
    path = saved(tmp_path / "t.csv", ["\t".join(map(str, row)) for row in [["id", "m", "group"], *rows]])
    table = read(path)
    count = CELLS[form]
    assert asked(table) == ["two numbers"]
    assert table.columns == (*(f"m ({place})" for place in range(1, count + 1)), "group")
    assert np.isnan(table.values[3, :count]).all()
    assert table.values[5, 0] == 7
    assert np.isnan(table.values[5, 1:count]).all()
    question = next(each for each in table.readings if each.kind == "two numbers")
    said = read(path, question.alternatives[0].added_to(ReadOptions()))
    assert not asked(said)
    assert np.array_equal(said.values, table.values, equal_nan=True)
    assert read(path, question.alternatives[1].added_to(ReadOptions())).columns == ("m", "group")


@pytest.mark.parametrize("cells", [("20-29", "30-39", "40-49", "50-59", "60-69", "70-79", "80-89", "90-99"),
                                   tuple(f"{site:02}-{k:03}" for site in range(4) for k in range(5))])  # fmt: skip
def test_bands_and_codes_are_no_ranges(tmp_path: Path, cells: tuple[str, ...]) -> None:
    rows = [[f"P{k}", cells[k % len(cells)], "ab"[k % 2]] for k in range(24)]
    table = read(table_of(tmp_path / "t.csv", ["id", "m", "group"], rows))
    assert 0 in table.categories
    assert not asked(table)


@pytest.mark.parametrize("form", ["{0}/{1}", "{0} ± {1}"])
def test_a_target_of_two_numbers_is_asked_about(tmp_path: Path, form: str) -> None:
    rows = [[f"P{k}", k % 7, form.format(100 + k, 60 + k % 30)] for k in range(40)]
    table = read(table_of(tmp_path / "t.csv", ["id", "age", "bp"], rows))
    assert asked(table) == ["two numbers"]
    assert table.default_target == "bp (2)"


@pytest.mark.parametrize("cells", [[f"031/{1000 + k}" for k in range(24)], [f"1:{20 * k + 20}" for k in range(24)]])
def test_telephones_and_dilutions_are_no_pairs(tmp_path: Path, cells: list[str]) -> None:
    rows = [[f"P{k}", cell, "ab"[k % 2]] for k, cell in enumerate(cells)]
    table = read(table_of(tmp_path / "t.csv", ["id", "m", "group"], rows))
    assert table.columns == ("m", "group")
    assert not asked(table)


@pytest.mark.parametrize("form", ["{:02}h{:02}", "{} h {:02}"])
def test_hours_with_an_h_are_times(tmp_path: Path, form: str) -> None:
    rows = [[f"P{k}", form.format(7 + k % 5, k * 7 % 60), "ab"[k % 2]] for k in range(40)]
    table = read(table_of(tmp_path / "t.csv", ["id", "sampling", "group"], rows))
    assert table.values[1, 0] == 8 * 60 + 7
    assert not asked(table)


def _omop(visits: int) -> list[list[Any]]:
    rows = []
    for person in range(1, 21):
        for concept in (3004249, 3012888, 3027018, 3016723):
            for _ in range(visits):
                day = f"2019-{PICK.randrange(1, 13):02}-{PICK.randrange(1, 29):02}"
                value = round(PICK.gauss(100, 10), 1)
                rows.append([len(rows) + 1, person, concept, day, f"{day} 08:{PICK.randrange(10, 59)}:00", value, 8876])
    return rows


OMOP = ["measurement_id", "person_id", "measurement_concept_id", "measurement_date", "measurement_datetime",
        "value_as_number", "unit_concept_id"]  # fmt: skip


def test_measurements_of_omop_are_in_long_form(tmp_path: Path) -> None:
    table = read(table_of(tmp_path / "measurement.csv", OMOP, _omop(1)))
    assert "long form" in asked(table)
    assert len(table.rows) == 20
    assert table.columns == ("3004249", "3012888", "3027018", "3016723")
    several = read(table_of(tmp_path / "visits.csv", OMOP, _omop(3)))
    assert "long form" in asked(several)
    with pytest.raises(DataError, match='several values of "3004249"'):
        read(tmp_path / "visits.csv", ReadOptions(orientation="long"))


@pytest.mark.parametrize("last", ["visit_occurrence_id", "Sample ID", "provider.id"])
def test_ids_are_no_target_in_silence(tmp_path: Path, last: str) -> None:
    rows = [[k % 30, f"2019-{1 + k % 12:02}-03", f"2019-{1 + k % 12:02}-{10 + k % 9}", k / 7, 1000 + k * 7 % 90]
            for k in range(60)]  # fmt: skip
    path = table_of(tmp_path / "t.csv", ["concept", "start_date", "end_date", "value", last], rows)
    assert "target" in asked(read(path))
    assert read_table(path, "value").target_name == "value"
