"""Tables as people have them, one assertion for each: the files of a folder beside the project, where it is there."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fsdesk.data import QuestionError, ReadOptions, Table, prepare, questions, read, read_table
from fsdesk.errors import DataError
from tests.known_tables import REAL_DATA

CASES = REAL_DATA.parent / "cases"

pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason=f"{CASES} is not here")


def case(name: str, labels: str = "", **ways: Any) -> Table:
    options = {**ways, **({"labels": str(CASES / labels)} if labels else {})}
    return read(CASES / name, ReadOptions.model_validate(options))


def words(table: Table, name: str = "") -> list[str]:
    """The cells of a column of text, "" where one is missing."""
    column = table.columns.index(name or table.default_target)
    names = table.categories[column]
    return ["" if np.isnan(code) else names[int(code)] for code in table.values[:, column]]


def kinds(table: Table) -> set[str]:
    return {check.kind for check in table.checks}


def asked(table: Table) -> list[str]:
    return [question.kind for question in questions(table.readings, table.default_target, named=False)]


@pytest.mark.parametrize(("name", "target"), [("pandas_noindex.csv", "label"), ("nir_class_last.csv", "variety")])
def test_a_header_of_numbers_is_no_sample(name: str, target: str) -> None:
    table = case(name)
    assert len(table.rows) == 40
    assert table.columns[-1] == table.default_target == target
    assert not asked(table)


@pytest.mark.parametrize(("labels", "known"), [("numid_labels.csv", 40), ("numid_labels_partial.csv", 35)])
def test_labels_are_joined_by_numeric_ids(labels: str, known: int) -> None:
    lines = (CASES / labels).read_text(encoding="utf-8").split()[1:]
    right = dict(line.split(",") for line in lines)
    table = case("numid_expr.csv", labels)
    assert words(table) == [right.get(row, "") for row in table.rows]
    assert sum(map(bool, words(table))) == known
    assert ("samples without a label" in kinds(table)) == (known < 40)
    assert not asked(table)


def test_a_quotation_mark_eats_no_rows() -> None:
    table = case("inch.csv")
    assert len(table.rows) == 40
    assert Counter(words(table, "note"))['"left'] == 4
    (check,) = [check for check in table.checks if check.kind == "quotation marks"]
    assert '"7"' in check.sentence


def test_y_of_a_mat_file_is_never_left_for_the_last_column() -> None:
    struct = case("y_struct.mat")  # with codes, and names for them
    assert struct.default_target == "Y"
    assert len(set(words(struct))) == 2
    table = case("y_onehot.mat")
    assert table.default_target == "Y"
    assert sorted(set(table.values[:, -1])) == [1.0, 2.0]
    assert table.values.shape == (40, 13)


def test_two_characteristics_of_one_key_are_two_columns() -> None:
    table = case("geo_repeated_key_series_matrix.txt")
    found = [set(words(table, name)) for name in table.columns if name.startswith("tissue")]
    assert {"adjacent normal", "tumor"} in found
    assert {"colon", "rectum"} in found


def test_characteristics_without_a_colon_are_columns_each() -> None:
    table = case("geo_nocolon_series_matrix.txt")
    found = [set(words(table, name)) for name in table.columns if name.startswith("characteristics")]
    assert {"Normal", "Tumor"} in found
    assert {"Male", "Female"} in found
    assert {f"Batch {place}" for place in range(4)} in found


def test_labels_of_two_words_are_one_column() -> None:
    table = case("expr.csv", "labels_sex.txt")
    assert set(words(table)) == {"case male", "case female", "control male", "control female"}
    assert asked(table) == ["labels"]  # by order, which the user has to say
    assert not asked(case("expr.csv", "labels_sex.txt", labels_by="order"))


@pytest.mark.parametrize(
    ("name", "classes"), [("lab_zeros.csv", {"1", "01", "2"}), ("lab_version.csv", {"1.1", "1.10", "1.2"})]
)
def test_classes_that_are_written_differently_are_asked_about(name: str, classes: set[str]) -> None:
    table = case(name)
    assert set(words(table)) == classes
    assert asked(table) == ["spelling"]
    with pytest.raises(QuestionError):
        read_table(CASES / name)
    assert set(read_table(CASES / name, accept_reading=True).classes) == classes


def test_null_is_a_genotype() -> None:
    table = case("gstm1_null.csv")
    assert set(words(table, "GSTM1")) == {"null", "present"}
    missing = case("gstm1_null.csv", missing_values="GSTM1=null")
    assert set(words(missing, "GSTM1")) == {"", "present"}


def test_thousands_are_no_decimals() -> None:
    table = case("german_counts.csv")
    counts = table.values[:, table.columns.index("Zellzahl")]
    assert counts[0] == 3981.0
    assert counts[3] == 858.0
    assert not asked(table)


@pytest.mark.parametrize(("name", "column"), [("idleak_MRN.csv", "MRN"), ("idleak_PATNO.csv", "PATNO")])
def test_ids_that_tell_the_class_are_named(name: str, column: str) -> None:
    made = read_table(CASES / name)
    assert column in [name for check in made.checks for name in check.columns]


def test_ages_are_numbers_to_predict() -> None:
    made = read_table(CASES / "age_clock.csv")
    assert made.response is not None
    assert "numeric target" in {check.kind for check in made.checks}
    classes = read_table(CASES / "age_clock.csv", task="classification")
    assert classes.response is None


def test_64_bit_integers_of_r() -> None:
    pytest.importorskip("rdata")
    reads = case("integer64.rds").values[:, 0]
    assert reads[0] == 1_990_057
    assert (reads > 1e5).all()


def test_three_header_rows_of_orange() -> None:
    table = case("orange3row.tab")
    assert len(table.rows) == 40
    assert table.default_target == "kind"
    made = read_table(CASES / "orange3row.tab")
    assert made.features == ("sepal", "petal", "colour")


def test_a_number_for_what_is_missing_is_asked_about() -> None:
    table = case("na_16.csv")
    assert asked(table) == ["number for missing"]
    assert np.isnan(table.values[:, 1]).sum() == 5
    assert not np.isnan(case("na_16.csv", missing_values="conc=!-999").values).any()


def test_replicates_are_proposed_as_groups() -> None:
    table = case("replicates.csv")
    assert asked(table) == ["replicates"]
    assert table.default_group == "subject"
    made = read_table(CASES / "replicates.csv", replicates="groups")
    assert made.groups is not None
    assert len(set(made.groups.tolist())) == 20
    assert "subject" not in made.features


@pytest.mark.parametrize("name", ["lab_nfd.csv", "lab_zwsp.csv"])
def test_class_names_that_look_alike_are_one(name: str) -> None:
    table = case(name)
    assert len(set(words(table))) == 2
    assert "names that look alike" in kinds(table)


def test_a_row_of_units_is_no_sample() -> None:
    table = case("units_row.csv")
    assert len(table.rows) == 40
    assert not np.isnan(table.values[:, :3]).any()
    assert table.descriptions["Glucose"] == "mg/dL"
    assert len(case("units_row.csv", below_header="data").rows) == 41


def test_keel() -> None:
    table = case("keel.dat")
    assert table.default_target == "Class"
    assert table.values.shape == (40, 4)


def test_weights_and_comments_of_arff() -> None:
    weighted = case("arff_weight.arff")
    assert "weights" in kinds(weighted)
    for table in (weighted, case("arff_eolcomment.arff")):
        assert table.values.shape == (40, 4)
        assert Counter(words(table)) == {"neg": 20, "pos": 20}


@pytest.mark.parametrize("name", ["tsv_named.xls", "html_named.xls"])
def test_text_that_is_named_xls(name: str) -> None:
    table = case(name)
    assert table.columns == ("a", "b", "label")
    assert table.values[0, :2].tolist() == [-1.188, -1.363]


def test_a_matrix_in_a_column_of_r() -> None:
    pytest.importorskip("rdata")
    table = case("matrix_column.rds")
    assert table.columns == (*(f"NIR.{place}" for place in range(1, 6)), "octane")
    assert table.default_target == "octane"


def test_a_decimal_comma_throughout() -> None:
    table = case("perseus_german.txt")
    assert table.values[0, 0] == 24.949
    assert "decimal sign" in [reading.kind for reading in table.readings]


def test_what_describes_the_features_is_no_sample() -> None:
    otu = case("otu_table.txt", orientation="columns")
    assert otu.rows == tuple(f"S{place}" for place in range(40))
    assert not otu.categories
    counts = case("featurecounts.txt", orientation="columns")
    assert len(counts.rows) == 40
    assert all(row.endswith(".bam") for row in counts.rows)


def test_a_series_matrix_without_values_is_a_file_of_labels() -> None:
    table = case("rnaseq_counts.tsv", "rnaseq_series_matrix.txt", orientation="columns")
    assert table.default_target == "group"
    assert Counter(words(table)) == {"well": 20, "ill": 20}
    assert not asked(table)


def test_cls_is_a_file_of_labels() -> None:
    table = case("mini.gct", "mini.cls")
    assert words(table) == ["Normal", "Tumour"] * 20
    assert not asked(table)


def test_short_lines_lack_their_last_cells() -> None:
    table = case("trailing_dropped.csv")
    assert len(table.rows) == 40
    assert table.columns == ("label", "a", "b", "comment")
    assert "short lines" in kinds(table)
    assert Counter(words(table, "comment"))[""] >= 24


def test_columns_that_are_not_in_the_labels_are_no_samples() -> None:
    table = case("proteinGroups.txt", "lfq_labels.txt", orientation="columns")
    made = prepare(table)
    assert all(row.startswith("LFQ intensity ") for row in made.rows)
    assert made.class_sizes == [12, 12]


def test_an_encoding_that_cannot_be_known_is_asked_for() -> None:
    table = case("cp1251.csv")
    assert asked(table) == ["encoding"]
    (question,) = [reading for reading in table.readings if reading.kind == "encoding"]
    assert "cp1251" in [answer.value for answer in question.alternatives]
    told = case("cp1251.csv", encoding="cp1251")
    assert told.columns == ("возраст", "белок", "группа")
    assert not asked(told)


def test_the_sheet_that_holds_a_table_is_read() -> None:
    table = case("readme_first.xlsx")
    assert table.part in ("", "Data")
    assert table.values.shape == (40, 3)


def test_categories_and_numbers_are_matched_as_they_were_learned(tmp_path: Path) -> None:
    from fsdesk.data import as_learned
    from fsdesk.results.new_rows import matched

    learned = read_table(CASES / "zero_train.csv")
    table = read(CASES / "zero_new.csv", as_learned(learned))
    new = matched(learned, table, learned.features, learned.features)
    known = learned.categories[learned.features.index("ward")]
    found = ["" if np.isnan(code) else known[int(code)] for code in new.x[:, learned.features.index("ward")]]
    assert set(found) <= {"01", "02", "03"}
    assert found[0] == "01"
    assert not new.outside[:, learned.features.index("ward")].any()
    numbers = read_table(CASES / "num_train.csv")
    with pytest.raises(DataError, match=r'"dose".*"n\.d\."'):
        read(CASES / "num_new_text.csv", as_learned(numbers))
