import gzip
from pathlib import Path

import numpy as np
import pytest

from fsdesk.data import QuestionError, read, read_table
from fsdesk.errors import DataError

HEAD = (
    '!Series_title\t"Made by hand, after the layout of GEO"\n'
    '!Series_sample_id\t"GSM1 GSM2 GSM3 GSM4 "\n\n'
    '!Sample_title\t"lung, ""A"""\t"lung, B"\t"colon, A"\t"colon, B"\n'
    '!Sample_geo_accession\t"GSM1"\t"GSM2"\t"GSM3"\t"GSM4"\n'
    '!Sample_organism_ch1\t"Homo sapiens"\t"Homo sapiens"\t"Homo sapiens"\t"Homo sapiens"\n'
    '!Sample_characteristics_ch1\t"tissue: lung"\t"tissue: lung"\t"tissue: colon"\t"tissue: colon"\n'
    '!Sample_characteristics_ch1\t"age: 61"\t"sex: f"\t"age: 44"\t"age: 70"\n'
    '!Sample_characteristics_ch1\t"sex: m"\t""\t"sex: f"\t"sex: m"\n'
    '!Sample_characteristics_ch1\t"platform: x"\t"platform: x"\t"platform: x"\t"platform: x"\n'
)
VALUES = (
    "!series_matrix_table_begin\n"
    '"ID_REF"\t"GSM1"\t"GSM2"\t"GSM3"\t"GSM4"\n'
    '"1007_s_at"\t10.5\t9.25\t8\t7\n'
    '"1053_at"\t1e1\tnull\t3\t\n'
    "117_at\t0.5\t0.25\t0.125\t-1\n"
)
END = "!series_matrix_table_end\n"


def write(folder: Path, content: str, name: str = "GSE1_series_matrix.txt.gz") -> Path:
    path = folder / name
    path.write_bytes(gzip.compress(content.encode()) if name.endswith(".gz") else content.encode())
    return path


@pytest.mark.parametrize("name", ["GSE1_series_matrix.txt.gz", "GSE1_series_matrix.txt"])
def test_samples_become_rows_and_features_columns(tmp_path: Path, name: str) -> None:
    table = read(write(tmp_path, HEAD + VALUES + END, name))
    assert table.rows == ("GSM1", "GSM2", "GSM3", "GSM4")
    assert table.columns[:3] == ("1007_s_at", "1053_at", "117_at")
    expected = [[10.5, 10, 0.5], [9.25, np.nan, 0.25], [8, 3, 0.125], [7, np.nan, -1]]
    np.testing.assert_array_equal(table.values[:, :3], expected)
    assert table.name == "GSE1_series_matrix"


def test_descriptions_that_differ_are_candidate_targets_each_under_its_own_name(tmp_path: Path) -> None:
    table = read(write(tmp_path, HEAD + VALUES + END))
    assert table.columns[3:] == ("title", "age", "sex", "tissue")
    cells = {
        name: [table.categories[j][int(code)] if code == code else "" for code in table.values[:, j]]
        for j, name in enumerate(table.columns)
        if j in table.categories
    }
    assert cells["title"] == ['lung, "A"', "lung, B", "colon, A", "colon, B"]
    assert cells["sex"] == ["m", "f", "f", "m"]  # one sample has no age, and its sex stands in that line
    assert cells["tissue"] == ["lung", "lung", "colon", "colon"]
    np.testing.assert_array_equal(table.values[:, 4], [61, np.nan, 44, 70])


def test_the_first_description_that_sorts_into_groups_is_the_target_and_none_a_feature(tmp_path: Path) -> None:
    with pytest.raises(QuestionError, match=r'Several columns could be the target: "tissue", .*"tissue" is used'):
        read_table(write(tmp_path, HEAD + VALUES + END))
    dataset = read_table(tmp_path / "GSE1_series_matrix.txt.gz", accept_reading=True)
    assert dataset.target_name == "tissue"
    assert dataset.classes == ("colon", "lung")
    assert dataset.features == ("1007_s_at", "1053_at", "117_at")
    assert read_table(tmp_path / "GSE1_series_matrix.txt.gz", "sex").features == dataset.features


def test_without_descriptions_that_differ_the_values_alone_are_read(tmp_path: Path) -> None:
    table = read(write(tmp_path, HEAD[: HEAD.index("!Sample_title")] + VALUES + END))
    assert table.columns == ("1007_s_at", "1053_at", "117_at")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (HEAD, "truncated .*!series_matrix_table_begin"),
        (HEAD + VALUES, "truncated .*!series_matrix_table_end.*download it again"),
        (HEAD + "!series_matrix_table_begin\n" + END, "no values, as is usual for sequencing"),
        (HEAD + "".join(VALUES.splitlines(keepends=True)[:2]) + END, "no values, as is usual for sequencing"),
        (HEAD + VALUES.replace("\t0.125", "") + END, "Line 15 .* has 4 cells where 5 are expected"),
        (HEAD.replace('\t"tissue: colon"\n', "\n") + VALUES + END, "Line 7 .* describes 3 samples.* table has 4"),
    ],
)
def test_what_does_not_fit_together_is_a_sentence(tmp_path: Path, content: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        read(write(tmp_path, content))
