"""What clinics and laboratories export: REDCap, qPCR, FlowJo, plate readers, PLINK, laboratory sheets with sums."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fsdesk.data import ReadOptions, Table, questions, read, read_table, refuse_questions
from fsdesk.data.reading import QuestionError
from fsdesk.errors import DataError

N = 40
PICK = random.Random(45)


def measured(middle: float = 5.0) -> float:
    return round(PICK.gauss(middle, middle / 6), 2)


def saved(path: Path, lines: list[list[Any]], sep: str = ",") -> Path:
    path.write_text("".join(sep.join(map(str, line)) + "\n" for line in lines), encoding="utf-8")
    return path


def asked(table: Table) -> list[str]:
    return [question.kind for question in questions(table.readings, table.default_target, named=False)]


@pytest.mark.parametrize(
    "last",
    ["Complete?", "baseline_visit_complete", "Lymphocytes/CD3+ | Median (FITC-A)", "Live | Freq. of Parent", "Barcode"],
)
def test_what_nobody_predicts_is_no_target_in_silence(tmp_path: Path, last: str) -> None:
    rows = [[f"P{k}", measured(), measured(), k * 7 % 3 if "omplete" in last else measured()] for k in range(N)]
    path = saved(tmp_path / "t.csv", [["id", "a", "sex", last], *rows], "\t")
    assert asked(read(path)) == ["target"]
    other = saved(tmp_path / "u.csv", [["id", "a", "sex", "response"], *rows], "\t")
    assert not asked(read(other))


@pytest.mark.parametrize("classes", [(1, 2, 3), ("ham", "spam")])
def test_classes_before_measurements_without_names_are_asked_about(tmp_path: Path, classes: tuple[Any, ...]) -> None:
    rows = [[classes[k % len(classes)], measured(), measured(), measured(900)] for k in range(N)]
    path = saved(tmp_path / "t.csv", rows)
    table = read(path)
    assert asked(table) == ["target"]
    assert table.default_target == "x1"
    assert read_table(path, "x4").target_name == "x4"
    last = [[*row[1:], row[0]] for row in rows]
    assert not asked(read(saved(tmp_path / "u.csv", last)))


GENES = ("GAPDH", "IL6", "TNF", "IL10")
TITLES = [("Well", "Sample Name", "Target Name", "Task", "CT", "Ct Mean"), ("Well", "Sample", "Target", "Content", "Cq",
                                                                           "Cq Mean")]  # fmt: skip


def _pcr(titles: tuple[str, ...], times: int, *, control: bool) -> list[list[Any]]:
    lines: list[list[Any]] = [[*titles]]
    for sample in [*(f"S{k:02}" for k in range(14)), *(["NTC"] if control else [])]:
        for gene in GENES:
            for _ in range(times):
                kind = "NTC" if sample == "NTC" else "UNKNOWN"
                cycles = "Undetermined" if kind == "NTC" or sample == "S03" else measured(28)
                lines.append([f"A{len(lines)}", sample, gene, kind, cycles, measured(28)])
    return lines


@pytest.mark.parametrize("titles", TITLES)
def test_cycles_of_pcr_are_in_long_form(tmp_path: Path, titles: tuple[str, ...]) -> None:
    table = read(saved(tmp_path / "pcr.txt", _pcr(titles, 1, control="Task" in titles), "\t"))
    assert "long form" in asked(table)
    assert table.columns[:4] == GENES
    assert len(table.rows) == 14
    assert np.isnan(table.values[3, :4]).all()
    assert any("Undetermined" in check.sentence for check in table.checks)


@pytest.mark.parametrize("titles", TITLES)
def test_replicates_of_pcr_are_asked_about(tmp_path: Path, titles: tuple[str, ...]) -> None:
    path = saved(tmp_path / "pcr.txt", _pcr(titles, 3, control=False), "\t")
    assert "long form" in asked(read(path))
    with pytest.raises(DataError, match='several values of "GAPDH" for "S00"'):
        read(path, ReadOptions(orientation="long"))


def test_visits_with_a_marker_are_samples(tmp_path: Path) -> None:
    rows = [
        [f"P{k // 4:02}", k % 4, ("pos", "neg")[PICK.randrange(2)], measured(), "ab"[k // 4 % 2]] for k in range(80)
    ]
    table = read(saved(tmp_path / "t.csv", [["patient", "visit", "marker", "score", "group"], *rows]))
    assert "long form" not in asked(table)


def _wells(count: int, rows: int) -> list[list[Any]]:
    return [["", "", *range(1, count + 1)], *([["", ""] + [measured(0.8) for _ in range(count)]] * rows)]


@pytest.mark.parametrize(
    "lines",
    [
        [["##BLOCKS= 1"], ["Plate:", "Plate1", "1.3", "Endpoint"], *_wells(12, 8), ["~End"]],
        [["Application: i-control"], ["Device: reader"], [], *_wells(24, 16)],
    ],
)
def test_plates_below_other_lines_are_named_so(tmp_path: Path, lines: list[list[Any]]) -> None:
    with pytest.raises(DataError, match=r"is the layout of a plate \(rows A to (H|P)"):
        read(saved(tmp_path / "plate.txt", lines, "\t"))


@pytest.mark.parametrize("family", [lambda k: f"F{k}", lambda k: f"F{k // 2}"])
def test_the_phenotype_of_plink_is_the_target(tmp_path: Path, family: Callable[[int], str]) -> None:
    head = ["FID", "IID", "PAT", "MAT", "SEX", "PHENOTYPE", "rs1_A", "rs2_G"]
    rows = [[family(k), f"I{k}", 0, 0, 1 + k % 2, 1 + k // 3 % 2, k % 3, "NA" if k % 9 == 0 else k * 7 % 3]
            for k in range(N)]  # fmt: skip
    data = read_table(saved(tmp_path / "plink.raw", [head, *rows], " "), accept_reading=True)
    assert data.target_name == "PHENOTYPE"
    assert {"SEX", "rs1_A", "rs2_G"} <= {*data.features}
    assert not {"IID", "PAT", "MAT"} & {*data.features}


def test_pedigrees_are_named_with_what_to_do(tmp_path: Path) -> None:
    rows = [[f"F{k}", f"I{k}", 0, 0, 1, 2, "A", "G", "C", "C"] for k in range(N)]
    with pytest.raises(DataError, match="plink --recode A"):
        read(saved(tmp_path / "t.ped", rows, " "))


@pytest.mark.parametrize(
    "sums", [["Mittelwert ± SD", "5,0 ± 1,0", "50 ± 9", ""], ["Median (range)", "5 (1-9)", "50", ""]]
)
@pytest.mark.parametrize("before", [[["", "", "", ""], ["n = 40", "", "", ""]], []])
def test_sums_with_deviations_are_no_rows(tmp_path: Path, sums: list[str], before: list[list[str]]) -> None:
    rows = [[f"P{k}", measured(), 20 + k, "ab"[k % 2]] for k in range(N)]
    table = read(saved(tmp_path / "t.csv", [["Patient", "CRP", "age", "class"], *rows, *before, sums], ";"))
    assert len(table.rows) == N
    assert not table.categories.keys() & {0, 1}
    assert not asked(table)


@pytest.mark.parametrize("name", ["pseudonym", "study_key", "Patient Key", "hash"])
def test_keys_of_people_are_ids(tmp_path: Path, name: str) -> None:
    rows = [[measured(), PICK.getrandbits(50), k % 2] for k in range(N)]
    data = read_table(saved(tmp_path / "t.csv", [["crp", name, "status"], *rows]))
    assert name not in data.features
    assert any(check.kind == "id columns" and name in check.columns for check in data.checks)


@pytest.mark.parametrize("word", ["unknown", "not tested"])
def test_an_unclear_target_does_not_matter_to_predictions(tmp_path: Path, word: str) -> None:
    rows = [[f"P{k}", measured(), word if k == 3 else "ab"[k % 2]] for k in range(N)]
    table = read(saved(tmp_path / "t.csv", [["id", "crp", "group"], *rows]))
    refuse_questions(table, "group", predicts=True)
    with pytest.raises(QuestionError, match=word):
        refuse_questions(table, "group")


@pytest.mark.parametrize("words", [("OOR <", "OOR >"), ("<OOR", "out of range")])
def test_values_out_of_range_are_missing(tmp_path: Path, words: tuple[str, str]) -> None:
    cells = [words[k % 2] if k % 5 == 0 else f"*{measured()}" if k % 7 == 0 else measured() for k in range(N)]
    rows = [[f"P{k}", cell, "ab"[k % 2]] for k, cell in enumerate(cells)]
    table = read(saved(tmp_path / "t.csv", [["Sample", "IL-6", "group"], *rows]))
    assert int(np.isnan(table.values[:, 0]).sum()) == N // 5
    assert any("treated as missing" in check.sentence for check in table.checks)


@pytest.mark.parametrize("title", ["Gene Name", "Protein ID"])
def test_names_of_genes_beside_their_kinds_are_no_samples(tmp_path: Path, title: str) -> None:
    rows = [[("Endogenous", "Housekeeping")[k % 2], f"G{k}", *(measured() for _ in range(12))] for k in range(30)]
    head = ["Class Name", title, *(f"S{k}.RCC" for k in range(12))]
    table = read(saved(tmp_path / "t.csv", [head, *rows]))
    question = next(each for each in questions(table.readings, table.default_target, named=False))
    assert [each.option for each in question.alternatives] == ["target", "labels", "orientation"]


@pytest.mark.parametrize("titles", [("Molecule", "Replicate", "Total Area"), ("Molecule Name", "Sample", "Area")])
def test_molecules_of_skyline_are_in_long_form(tmp_path: Path, titles: tuple[str, ...]) -> None:
    rows = [[f"M{j}", f"R{k}", measured(900)] for j in range(6) for k in range(9)]
    table = read(saved(tmp_path / "t.csv", [[*titles], *rows]))
    assert "long form" in asked(table)
    assert table.columns == tuple(f"M{j}" for j in range(6))
