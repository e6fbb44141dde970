import datetime
import io
import json
import struct
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
import pytest

from fsdesk.data import ReadOptions, read, read_table
from fsdesk.data.readers import readstat, readstat_child
from fsdesk.errors import DataError

pyreadstat = pytest.importorskip("pyreadstat")

FRAME = pd.DataFrame(
    {
        "who": ["p1", "p2", "p3", "p4", "p5"],
        "sex": [1.0, 2, 2, 9, 1],
        "age": [33.0, 45, 99, np.nan, 51],
        "seen": [datetime.date(2020, 1, 2), None, datetime.date(2021, 5, 6), datetime.date(1999, 1, 1), None],
        "score": [0.5, 1.5, 2.25, 3.125, 1e6],
        "ill": [0.0, 1, 1, 0, 0],
    }
)
LABELS = {"sex": {1: "male", 2: "female"}, "ill": {0: "healthy", 1: "ill"}, "age": {99: "refused"}}
TITLES = ["", "Sex of the patient", "", "", "Score in points", ""]


def spss(path: Path, **options: object) -> Path:
    given: dict[str, object] = {"variable_value_labels": LABELS, "column_labels": TITLES, **options}
    pyreadstat.write_sav(FRAME, path, **given)
    return path


@pytest.mark.parametrize("name", ["t.sav", "t.zsav"])
def test_spss_labels_are_categories_and_declared_missing_values_are_missing(tmp_path: Path, name: str) -> None:
    table = read(spss(tmp_path / name, compress=name == "t.zsav", missing_ranges={"sex": [9], "age": [99]}))
    assert table.rows == ("p1", "p2", "p3", "p4", "p5")
    assert table.columns == ("sex", "age", "seen", "score", "ill")
    assert table.categories[0] == ("male", "female")
    assert table.categories[4] == ("healthy", "ill")
    assert np.array_equal(table.values[:, 0], [0, 1, 1, np.nan, 0], equal_nan=True)
    assert np.array_equal(table.values[:, 1], [33, 45, np.nan, np.nan, 51], equal_nan=True)
    assert table.values[:, 3].tolist() == FRAME["score"].tolist()
    assert table.descriptions == {
        "sex": "Sex of the patient", "seen": "days since 1999-01-01", "score": "Score in points",
    }  # fmt: skip
    assert (table.source, table.default_target) == (f"{name}, SPSS", "ill")


def test_the_classes_of_a_target_are_its_labels(tmp_path: Path) -> None:
    data = read_table(spss(tmp_path / "t.sav"), "ill")
    assert data.classes == ("healthy", "ill")
    assert data.target.tolist() == [0, 1, 1, 0, 0]


def test_a_code_without_a_label_keeps_its_number_and_equal_labels_their_codes(tmp_path: Path) -> None:
    labels = {"sex": {1: "known", 2: "known"}, "ill": LABELS["ill"]}
    table = read(spss(tmp_path / "t.sav", variable_value_labels=labels))
    assert table.categories[0] == ("known (1)", "known (2)", "9")


def test_numbers_with_a_label_here_and_there_stay_numbers_and_are_named(tmp_path: Path) -> None:
    table = read(spss(tmp_path / "t.sav"))
    assert table.values[2, 1] == 99
    check = next(check for check in table.checks if check.kind == "labelled numbers")
    assert check.columns == ("age",)
    assert "99 = refused" in check.sentence
    nominal = read(spss(tmp_path / "n.sav", variable_measure={"age": "nominal"}))  # the file says that they are codes
    assert nominal.categories[1] == ("33", "45", "51", "refused")


def test_dates_are_dates_and_times_of_the_day_are_seconds(tmp_path: Path) -> None:
    path = tmp_path / "t.sav"
    times = [datetime.time(0, 1), None, datetime.time(12, 0, 30)]
    moments = [datetime.datetime(2020, 1, 2, 3, 4, 5), datetime.datetime(2020, 1, 3), None]
    frame = pd.DataFrame({"a": [1.0, 2, 3], "seen": FRAME["seen"][:3], "at": times, "moment": moments})
    pyreadstat.write_sav(frame, path)
    table = read(path)
    assert np.array_equal(table.values[:, 1], [0, np.nan, 490], equal_nan=True)
    assert table.descriptions["seen"] == "days since 2020-01-02"
    assert np.array_equal(table.values[:, 2], [60, np.nan, 43230], equal_nan=True)
    assert np.allclose(table.values[:, 3], [(3 * 3600 + 4 * 60 + 5) / 86400, 1, np.nan], equal_nan=True)


@pytest.mark.parametrize("version", [8, 10, 12, 13, 15])
def test_stata_of_several_versions(tmp_path: Path, version: int) -> None:
    path = tmp_path / "t.dta"
    pyreadstat.write_dta(FRAME, path, variable_value_labels=LABELS, column_labels=TITLES, version=version)
    table = read(path)
    assert table.categories[0] == ("male", "female", "9")
    assert table.categories[4] == ("healthy", "ill")
    assert table.descriptions["sex"] == "Sex of the patient"
    assert table.source == "t.dta, Stata"
    assert np.array_equal(table.values[:, 2], [7671, np.nan, 8161, 0, np.nan], equal_nan=True)


def test_stata_as_pandas_writes_it_with_categories_and_its_missing_values(tmp_path: Path) -> None:
    path = tmp_path / "t.dta"
    frame = FRAME.assign(stage=pd.Categorical(["I", "II", None, "II", "I"], ["I", "II", "III"], ordered=True))
    frame.drop(columns="seen").to_stata(path, write_index=False)
    table = read(path)
    assert table.categories[table.columns.index("stage")] == ("I", "II", "III")
    assert np.isnan(table.values[2, table.columns.index("stage")])
    assert np.isnan(table.values[3, table.columns.index("age")])


@pytest.mark.parametrize("version", [5, 8])
def test_sas_transport_files(tmp_path: Path, version: int) -> None:
    path = tmp_path / "t.xpt"
    pyreadstat.write_xport(FRAME, path, column_labels=TITLES, file_format_version=version)
    table = read(path)
    assert table.values[:, table.columns.index("score")].tolist() == FRAME["score"].tolist()
    assert {title.lower(): text for title, text in table.descriptions.items()}["sex"] == "Sex of the patient"
    seen = table.values[:, table.columns.index("seen")]
    assert np.array_equal(seen, [7671, np.nan, 8161, 0, np.nan], equal_nan=True)


def test_several_tables_of_a_transport_file_are_named(tmp_path: Path) -> None:
    one = tmp_path / "one.xpt"
    pyreadstat.write_xport(FRAME[["score", "ill"]], one, file_format_version=5)
    content = one.read_bytes()
    start = content.index(b"HEADER RECORD*******MEMBER")
    (tmp_path / "two.xpt").write_bytes(content + content[start:])
    assert not any(check.kind == "part" for check in read(one).checks)
    assert any(check.kind == "part" for check in read(tmp_path / "two.xpt").checks)


def test_a_portable_file_of_spss(tmp_path: Path) -> None:
    path = tmp_path / "t.por"
    pyreadstat.write_por(FRAME.rename(columns=str.upper), path, column_labels=TITLES)
    table = read(path)
    assert table.values[:, table.columns.index("SCORE")].tolist() == FRAME["score"].tolist()
    assert table.descriptions["SEX"] == "Sex of the patient"


def test_a_catalogue_beside_a_table_of_sas_gives_its_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No library writes .sas7bdat: what pyreadstat says of one is made up here, and the rest of the way is real."""

    class About:
        original_variable_types = {"sex": "SEXF.", "age": "BEST"}  # noqa: RUF012
        value_labels = {"SEXF": {1.0: "male"}}  # noqa: RUF012

    monkeypatch.setattr(pyreadstat, "read_sas7bcat", lambda *_, **__: ({}, About))
    assert readstat_child._of_catalogue(About, b"", {}) == {"sex": [(1.0, "male")]}
    for name in ("t.sas7bcat", "other.sas7bcat"):
        (tmp_path / name).write_bytes(name.encode())
    content = readstat.Content("T.sas7bdat", b"", folder=tmp_path)
    assert readstat._catalogue(content) == b"t.sas7bcat"


def test_a_table_of_many_cells_is_read_in_parts_with_the_same_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.dta"
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(2500, 3)), columns=["a", "b", "c"])
    pyreadstat.write_dta(frame.assign(word=["x", "y"] * 1250), path)
    monkeypatch.setattr(readstat_child, "_CELLS_AT_ONCE", 4)  # 1,000 rows at a time
    monkeypatch.setattr(readstat_child, "_limit", lambda *_: None)  # this process has other work to do
    told, numbers = readstat_child.parsed(
        {"function": "read_dta", "given": {}, "most": 1 << 29}, path.read_bytes(), b""
    )
    found = [np.frombuffer(each, "<f8") for each in numbers]
    assert np.array_equal(np.column_stack(found), frame.to_numpy())
    assert told["columns"][3] == ["word", ["x", "y"] * 1250]


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_letters_of_another_encoding_are_one_sentence_and_the_encoding_can_be_chosen(
    tmp_path: Path, encoding: Literal["latin-1", "cp1252"]
) -> None:
    path = spss(tmp_path / "t.sav")
    path.write_bytes(path.read_bytes().replace(b"p3", b"\xe43"))
    with pytest.raises(DataError, match=r"contains characters that do not match its encoding\. Choose the encoding"):
        read(path)
    assert read(path, ReadOptions(encoding=encoding)).rows[2] == "ä3"


def test_a_file_over_which_pyreadstat_crashes_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "child.py"
    script.write_text("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    monkeypatch.setattr(readstat_child, "__file__", str(script))
    with pytest.raises(DataError, match="is not a readable SPSS file"):
        read(spss(tmp_path / "t.sav"))
    script.write_text("import time; time.sleep(60)")
    monkeypatch.setattr(readstat, "_SECONDS", 0.5)
    with pytest.raises(DataError, match="is not a readable SPSS file"):
        read(spss(tmp_path / "t.sav"))


def test_more_cells_than_any_table_has_are_refused_before_they_are_read(tmp_path: Path) -> None:
    content = bytearray(spss(tmp_path / "t.sav").read_bytes())
    place = content.index(struct.pack("<6i", 7, 16, 8, 2, 1, 0)) + 24  # of the number of rows
    assert int.from_bytes(content[place : place + 8], "little") == len(FRAME)
    content[place : place + 8] = (10**8).to_bytes(8, "little")
    content[80:84] = (10**8).to_bytes(4, "little")
    path = tmp_path / "large.sav"
    path.write_bytes(content)
    with pytest.raises(DataError, match="too large for this program"):
        read(path)


@pytest.mark.parametrize("kept", [20, 100, 300, -40])
def test_a_file_cut_short_is_a_sentence(tmp_path: Path, kept: int) -> None:
    path = spss(tmp_path / "t.sav")
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(DataError):
        read(path)


def test_the_answer_of_the_child_is_what_it_was_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[tuple[int, int]] = []
    monkeypatch.setattr(readstat_child, "_limit", lambda *sizes: limits.append(sizes))
    data = spss(tmp_path / "t.sav").read_bytes()
    question = json.dumps({"function": "read_sav", "given": {}, "most": 10, "sizes": [len(data), 0]}).encode()
    target = io.BytesIO()
    readstat_child.answer(io.BytesIO(len(question).to_bytes(8, "little") + question + data), target)
    told, columns = readstat._answer(target.getvalue())
    assert told == {"too_large": [5, 6]}
    assert not columns
    assert limits == [(len(data), 0)]  # before anything of it was read
