"""Tables as other programs write them: several columns of each sample, two lines of names, sheets of one table."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xlsxwriter

from fsdesk.data import ReadOptions, Table, questions, read, read_table
from fsdesk.data.reading import QuestionError
from fsdesk.errors import DataError

N = 40
RNG = np.random.default_rng(45)
A, B, C = (RNG.normal(5, 1.5, N).round(2).tolist() for _ in range(3))
KIND = [("case", "control")[i % 2] for i in range(N)]
IDS = [f"S{i + 1:02d}" for i in range(N)]
GENES = RNG.normal(800, 90, (30, N)).round(1)
LABELS = "sample,group\n" + "".join(f"{name},{kind}\n" for name, kind in zip(IDS, KIND, strict=True))


def saved(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def rows(*columns: Any, sep: str = ",") -> str:
    return "".join(sep.join(map(str, row)) + "\n" for row in zip(*columns, strict=True))


def comma(values: list[float]) -> list[str]:
    return [f"{value:.2f}".replace(".", ",") for value in values]


def asked(table: Table) -> list[str]:
    return [question.kind for question in questions(table.readings, table.default_target, named=False)]


def question(table: Table, kind: str) -> Any:
    return next(each for each in table.readings if each.kind == kind)


def kinds(table: Table) -> set[str]:
    return {check.kind for check in table.checks}


def in_rows(head: list[str], cells: Callable[[int], list[Any]]) -> str:
    lines = [head, *(cells(j) for j in range(len(GENES)))]
    return "".join("\t".join(map(str, line)) + "\n" for line in lines)


def labelled(folder: Path, text: str, labels: str = LABELS, **options: str) -> Table:
    saved(folder / "labels.csv", labels)
    return read(saved(folder / "t.txt", text), ReadOptions(orientation="columns", labels="labels.csv").updated(options))


BESIDE = {
    "Golub's calls": (lambda name: [name, "call"], lambda v: [v, "A"]),
    "GEO": (lambda name: [name, "Detection Pval"], lambda v: [v, 0.01]),
    "pandas": (lambda name: [name, f"call.{name[1:]}"], lambda v: [v, "P"]),
    "Illumina": (
        lambda name: [f"{name}.{what}" for what in ("AVG_Signal", "Detection Pval", "NARRAYS", "BEAD_STDERR")],
        lambda v: [v, 0.01, 1, v / 9],
    ),
    "MAS 5": (
        lambda name: [f"{name}_{what}" for what in ("Signal", "Detection", "Detection p-value")],
        lambda v: [v, "P", 0.02],
    ),
}


@pytest.mark.parametrize("beside", BESIDE)
def test_what_says_how_good_a_value_is_is_no_sample(tmp_path: Path, beside: str) -> None:
    titles, cells = BESIDE[beside]
    head = ["Gene Description", "Gene Accession Number", *(title for name in IDS for title in titles(name))]
    text = in_rows(head, lambda j: [f"about {j}", f"X{j}_at", *(cell for v in GENES[j] for cell in cells(v))])
    table = labelled(tmp_path, text)
    assert not asked(table)
    assert "measure" in kinds(table)
    np.testing.assert_array_equal(table.values[:, : len(GENES)], GENES.T)
    codes = table.values[:, -1].astype(int)
    assert [table.categories[len(GENES)][code] for code in codes] == KIND


@pytest.mark.parametrize(
    ("first", "second"),
    [("LFQ intensity {}", "Intensity {}"), ("{}.TPM", "{}.NumReads"), ("{}: Abundance", "{}: Area")],
)
def test_two_measures_of_each_sample_are_asked_about(tmp_path: Path, first: str, second: str) -> None:
    head = ["Protein", "Q-value", *(first.format(name) for name in IDS), *(second.format(name) for name in IDS)]
    text = in_rows(head, lambda j: [f"P{j}", 0.001, *GENES[j], *(GENES[j] * 2)])
    table = labelled(tmp_path, text)
    assert asked(table) == ["measure"]
    np.testing.assert_array_equal(table.values[:, : len(GENES)], GENES.T)
    other = question(table, "measure").alternatives[1].added_to(ReadOptions(orientation="columns"))
    settled = labelled(tmp_path, text, measure=other.measure)
    assert not asked(settled)
    np.testing.assert_array_equal(settled.values[:, : len(GENES)], 2 * GENES.T)
    with pytest.raises(DataError, match=r'no columns of "Ct"\. Choose one of'):
        labelled(tmp_path, text, measure="Ct")


def test_samples_that_were_taken_before_and_after_are_no_measures(tmp_path: Path) -> None:
    names = [f"P{i}_{when}" for i in range(20) for when in ("pre", "post")]
    text = in_rows(["gene", *names], lambda j: [f"G{j}", *GENES[j]])
    table = read(saved(tmp_path / "t.txt", text), ReadOptions(orientation="columns"))
    assert table.rows == tuple(names)
    assert "measure" not in kinds(table)


@pytest.mark.parametrize("first", ["FALSE", "PC", "Endogenous"])
def test_names_of_features_are_those_that_differ(tmp_path: Path, first: str) -> None:
    text = in_rows(["Class", "Name", *IDS], lambda j: [first, f"lipid {j}", *GENES[j]])
    table = read(saved(tmp_path / "t.txt", text), ReadOptions(orientation="columns"))
    assert table.columns == tuple(f"lipid {j}" for j in range(len(GENES)))
    assert table.rows == tuple(IDS)


NAMED = {
    "barcodes": ("TCGA-{i:02d}-{k}-01A-11R-0001-07", "TCGA-{i:02d}-{k}"),
    "with points": ("TCGA.{i:02d}.{k}.01A", "tcga-{i:02d}-{k}"),
    "accessions": ("GSM{k}_S{i}_{kind}", "GSM{k}"),
    "R's X": ("X{k}", "{k}"),
    "R's X and points": ("X{k}.A", "{k}-A"),
    "zeros": ("S{i:02d}", "s{i}"),
    "Spectronaut": ("[{i}] run_{k}B.raw.PG.Quantity", "{k}B"),
    "Proteome Discoverer": ("Abundance: F{i}: Sample, {kind}", "F{i}"),
}


@pytest.mark.parametrize("named", NAMED)
def test_ids_are_joined_as_programs_change_them(tmp_path: Path, named: str) -> None:
    own, theirs = NAMED[named]
    said = [{"i": i + 1, "k": 1001 + 7 * i, "kind": KIND[i]} for i in range(N)]
    order = RNG.permutation(N)
    labels = "id,grp\n" + "".join(f"{theirs.format(**said[i])},{KIND[i]}{i // 20}\n" for i in order)
    text = in_rows(["gene", *(own.format(**each) for each in said)], lambda j: [f"G{j}", *GENES[j]])
    table = labelled(tmp_path, text, labels)
    assert not asked(table)
    names = table.categories[len(table.columns) - 1]
    assert [names[int(code)] for code in table.values[:, -1]] == [f"{KIND[i]}{i // 20}" for i in range(N)]


def test_two_samples_of_one_patient_are_a_group(tmp_path: Path) -> None:
    names = [f"TCGA-02-{i:04d}-{part}" for part in ("01A-11R", "11A-11R") for i in range(20)]
    labels = "bcr_patient_barcode,stage\n" + "".join(f"TCGA-02-{i:04d},{'I' * (1 + i % 2)}\n" for i in range(20))
    table = labelled(tmp_path, in_rows(["gene", *names], lambda j: [f"G{j}", *GENES[j]]), labels)
    assert asked(table) == ["replicates"]
    assert table.default_group == "bcr_patient_barcode"
    assert table.values.shape == (N, len(GENES) + 2)
    assert not np.isnan(table.values).any()


def test_ids_that_zeros_alone_tell_apart_are_not_joined_without_them(tmp_path: Path) -> None:
    names = [f"S{i}" for i in range(1, 21)] + [f"S0{i}" for i in range(1, 21)]
    labels = "id,grp\n" + "".join(f"S00{i},{KIND[i]}\n" for i in range(1, 21))
    with pytest.raises(DataError, match="no label for"):
        labelled(tmp_path, in_rows(["gene", *names], lambda j: [f"G{j}", *GENES[j]]), labels)


def test_the_long_form_of_other_programs_is_known(tmp_path: Path) -> None:
    head = "R.FileName\tR.Condition\tPG.ProteinGroups\tPG.Quantity\n"
    lines = [[name, kind, f"P{j}", GENES[j][i]]
             for i, (name, kind) in enumerate(zip(IDS, KIND, strict=True)) for j in range(8)]  # fmt: skip
    table = read(saved(tmp_path / "t.tsv", head + "".join("\t".join(map(str, line)) + "\n" for line in lines)))
    assert asked(table) == ["long form"]
    assert table.values.shape == (N, 9)
    assert table.default_target == "R.Condition"
    olink = "SampleID,Assay,NPX,Group\n" + "".join(f"{r[0]},{r[2]},{r[3]},{r[1]}\n" for r in lines)
    assert read(saved(tmp_path / "olink.csv", olink)).values.shape == (N, 9)


TWO_LINES = (
    "id,Blood,,Urine,,group\n,Na,K,Na,K,\n",
    "Respondent,Blood,,Which?,,Group\n,Open-Ended Response,K,Na,K,Response\n",
)


@pytest.mark.parametrize("names", TWO_LINES)
def test_names_over_groups_of_columns_are_joined_to_those_below(tmp_path: Path, names: str) -> None:
    table = read(saved(tmp_path / "t.csv", names + rows(IDS, A, B, C, A[::-1], KIND)))
    assert len(table.rows) == N
    assert not asked(table)
    assert table.columns[1:4] in (("Blood K", "Urine Na", "Urine K"), ("Blood K", "Which? Na", "Which? K"))
    assert table.columns[-1].lower() == "group"


def test_a_first_row_without_numbers_below_names_with_gaps_stays_a_row(tmp_path: Path) -> None:
    table = read(saved(tmp_path / "t.csv", "id,a,,note,group\nS00,,,late,case\n" + rows(IDS, A, B, ["x"] * N, KIND)))
    assert len(table.rows) == N + 1


@pytest.mark.parametrize("line", ["#q2:types,categorical,numeric,categorical", "VARCHAR(20),NUMERIC(8, 2),DOUBLE,TEXT"])
def test_types_below_the_names_are_no_row(tmp_path: Path, line: str) -> None:
    line = line.replace("categorical,numeric,", "numeric,numeric,").replace("8, 2", "8")
    table = read(saved(tmp_path / "t.csv", f"sample-id,a,b,group\n{line}\n" + rows(IDS, A, B, KIND)))
    assert len(table.rows) == N
    assert not asked(table)
    assert set(table.categories) == {2}


@pytest.mark.parametrize("word", ["Mean", "Subtotal", "Zwischensumme"])
def test_lines_that_sum_up_rows_are_none(tmp_path: Path, word: str) -> None:
    half = N // 2
    summed = f"{word},5.1,5.2,case\n"
    text = rows(IDS[:half], A[:half], B[:half], KIND[:half]) + summed
    text += rows(IDS[half:], A[half:], B[half:], KIND[half:]) + summed + ",,,\nMean ± SD,5 ± 1,6 ± 2,\nn,40,40,\n"
    table = read(saved(tmp_path / "t.csv", "id,a,b,group\n" + text))
    assert table.rows == tuple(IDS)
    assert table.values[:, 0].tolist() == A
    assert "notes below" in kinds(table)
    assert not asked(table)


@pytest.mark.parametrize("place", [20, N - 1])
def test_a_person_who_is_called_max_is_a_row(tmp_path: Path, place: int) -> None:
    names = [f"Anna {i}" if i != place else "Max" for i in range(N)]
    table = read(saved(tmp_path / "t.csv", "name,a,b,group\n" + rows(names, A, B, KIND)))
    assert table.rows == tuple(names)


@pytest.mark.parametrize("columns", [("class_A", "class_B", "class_C"), ("healthy", "ill", "unclear")])
def test_a_column_for_each_class_is_one_target(tmp_path: Path, columns: tuple[str, ...]) -> None:
    marks = [[int(i % 3 == k) for i in range(N)] for k in range(3)]
    path = saved(tmp_path / "t.csv", ",".join(["a", "b", *columns]) + "\n" + rows(A, B, *marks))
    table = read(path)
    assert asked(table) == ["target"]
    data = read_table(path, target="class")
    assert data.features == ("a", "b")
    assert Counter(data.target.tolist()) == Counter(i % 3 for i in range(N))
    alone = read_table(path, target=columns[2])  # the others would tell it
    assert alone.features == ("a", "b")
    with pytest.raises(QuestionError, match="used as classes of the target"):
        read_table(path)


def test_answers_of_several_kinds_are_no_indicators(tmp_path: Path) -> None:
    flags = RNG.integers(0, 2, (2, N)).tolist()
    table = read(saved(tmp_path / "t.csv", "a,b,sex,ill\n" + rows(A, B, *flags)))
    assert table.columns == ("a", "b", "sex", "ill")
    assert not asked(table)


@pytest.mark.parametrize("names", [("y1", "y2"), ("target_1", "target_2", "target_3")])
def test_several_targets_are_asked_about_and_none_tells_another(tmp_path: Path, names: tuple[str, ...]) -> None:
    path = saved(
        tmp_path / "t.csv", ",".join(["a", "b", *names]) + "\n" + rows(A, B, *[C, A[::-1], B[::-1]][: len(names)])
    )
    assert asked(read(path)) == ["target"]
    assert read_table(path, target=names[0], task="regression").features == ("a", "b")


def book(path: Path, **sheets: list[Any]) -> Path:
    made = xlsxwriter.Workbook(path)
    for name, lines in sheets.items():
        sheet = made.add_worksheet(name)
        for place, line in enumerate(lines):
            sheet.write_row(place, 0, line)
    made.close()
    return path


HEAD = ("id", "a", "b", "group")
LINES = [*zip(IDS, A, B, KIND, strict=True)]


@pytest.mark.parametrize("sheets", [("train", "test"), ("site A", "site B")])
def test_sheets_with_the_same_names_are_asked_about_and_put_together(tmp_path: Path, sheets: tuple[str, str]) -> None:
    path = book(tmp_path / "t.xlsx", **{sheets[0]: [HEAD, *LINES[:25]], sheets[1]: [HEAD, *LINES[25:]]})
    table = read(path)
    assert asked(table) == ["sheet"]
    assert len(table.rows) == 25
    together = read(path, question(table, "sheet").alternatives[1].added_to(ReadOptions()))
    assert together.rows == tuple(IDS)
    assert not asked(together)
    assert together.categories[0] == tuple(sorted(sheets))
    data = read_table(path, sheet="*")
    assert data.features == ("a", "b")
    assert read_table(path, sheet="*", target="sheet").classes == tuple(sorted(sheets))


def test_a_sheet_without_another_of_its_names_cannot_be_put_together(tmp_path: Path) -> None:
    path = book(tmp_path / "t.xlsx", values=[HEAD, *LINES], codes=[("code", "text"), (1, "x"), (2, "y")])
    assert not asked(read(path))
    with pytest.raises(DataError, match="no other sheet with the same column names"):
        read(path, ReadOptions(sheet="*"))


@pytest.mark.parametrize("order", [("Labels", "Values"), ("Values", "Labels")])
def test_labels_in_a_sheet_beside_the_values_are_asked_about(tmp_path: Path, order: tuple[str, str]) -> None:
    sheets = {
        "Labels": [("id", "group"), *zip(IDS[::-1], KIND[::-1], strict=True)],
        "Values": [("id", "a", "b", "c"), *zip(IDS, A, B, C, strict=True)],
    }
    path = book(tmp_path / "t.xlsx", **{name: sheets[name] for name in order})
    table = read(path)
    assert asked(table) == ["labels in a sheet"]
    settled = read(path, question(table, "labels in a sheet").alternatives[1].added_to(ReadOptions()))
    assert not asked(settled)
    data = read_table(path, labels="Labels")
    assert [data.classes[code] for code in data.target] == KIND


def test_two_tables_beside_each_other_are_refused_where_their_rows_differ(tmp_path: Path) -> None:
    other = zip(IDS[::-1], C, strict=True)
    lines = [(*line, "", *more) for line, more in zip(LINES, other, strict=True)]
    path = book(tmp_path / "t.xlsx", both=[(*HEAD, "", "id", "c"), *lines])
    with pytest.raises(DataError, match=r"Column 6 .* second set of sample IDs .* another table begins there"):
        read(path)
    same = [(*line, "", line[0], c) for line, c in zip(LINES, C, strict=True)]
    assert len(read(book(tmp_path / "u.xlsx", both=[(*HEAD, "", "id", "c"), *same])).rows) == N


def test_remarks_beside_a_table_are_no_target(tmp_path: Path) -> None:
    lines = [(*line, "late" if place in (3, 9) else "") for place, line in enumerate(LINES)]
    table = read(book(tmp_path / "t.xlsx", one=[HEAD, *lines]))
    assert table.default_target == "group"


MEASURES = [("Normalised abundance", "Raw abundance"), ("Normalized abundance", "Raw abundance", "Spectral counts"),
            ("Raw abundance",)]  # fmt: skip
LEFT = [("Compound", "Neutral mass (Da)", "m/z", "Charge"), ("Accession", "Peptide count", "Anova (p)", "Description")]


def _progenesis(
    measures: tuple[str, ...], left: tuple[str, ...], right: tuple[str, ...]
) -> tuple[list[list[Any]], Any]:
    """Lines as Progenesis QI exports them, and the (samples, features) values of the first measure."""
    conditions = [("QC", 4), ("Control, old", 8), ("Treated", 8)]
    samples = [f"{name[:2]}_{i:02}" for name, count in conditions for i in range(count)]
    above = [cell for name, count in conditions for cell in [name, *[""] * (count - 1)]]
    gap, end = [""] * len(left), [""] * len(right)
    lines: list[list[Any]] = [
        [*gap, *(cell for name in measures for cell in [name, *[""] * (len(samples) - 1)]), *end],
        [*gap, *above * len(measures), *end],
        [*left, *samples * len(measures), *right],
    ]
    values = np.random.default_rng(7).lognormal(8, 1, (40, len(samples) * len(measures))).round(3)
    for i, row in enumerate(values.tolist()):
        lines.append([f"{i}.5_{200 + i}.25n", *([i % 7] * (len(left) - 1)), *row, *([f"text {i}"] * len(right))])
    return lines, values[:, : len(samples)].T


@pytest.mark.parametrize("measures", MEASURES)
@pytest.mark.parametrize("left", LEFT)
@pytest.mark.parametrize("right", [(), ("Accepted Compound ID", "Accepted Description")])
@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_exports_of_progenesis_have_three_lines_of_names(
    tmp_path: Path, measures: tuple[str, ...], left: tuple[str, ...], right: tuple[str, ...], suffix: str
) -> None:
    import csv

    lines, values = _progenesis(measures, left, right)
    path = tmp_path / f"export.{suffix}"
    if suffix == "csv":
        with path.open("w", newline="") as file:
            csv.writer(file).writerows(lines)
    else:
        with xlsxwriter.Workbook(path) as book:
            sheet = book.add_worksheet()
            for place, row in enumerate(lines):
                sheet.write_row(place, 0, [cell if cell != "" else None for cell in row])
    table = read(path)
    assert table.rows[:5] == ("QC_00", "QC_01", "QC_02", "QC_03", "Co_00")
    assert table.values[:, :40].tolist() == values.tolist()
    assert (table.columns[0], table.default_target) == ("0.5_200.25n", "Condition")
    assert table.categories[40] == ("Control, old", "QC", "Treated")
    asked = questions(table.readings, "Condition", named=False)
    assert [each.kind for each in asked] == ["measure"] * (len(measures) > 1)
    for question in asked:
        made = read(path, question.alternatives[1].added_to(ReadOptions()))
        assert not questions(made.readings, "Condition", named=False)
        assert made.values[0, 0] == lines[3][len(left) + len(table.rows)]
    with pytest.raises(DataError, match='no columns of "area"'):
        read(path, ReadOptions(measure="area"))
