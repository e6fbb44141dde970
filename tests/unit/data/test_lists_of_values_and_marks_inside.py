"""Several values in a cell, limits at powers of ten, alleles with a fraction, marks inside quoted cells, texts of R."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fsdesk.data import Learned, ReadOptions, Table, from_frame, questions, read, read_as_learned, read_table
from fsdesk.errors import DataError
from tests.written_formats import zip_of

N = 40
RNG = np.random.default_rng(146)
A, B = (RNG.normal(5, 1, N).round(2).tolist() for _ in range(2))
KIND = [("case", "control")[i * 7 // 3 % 2] for i in range(N)]
IDS = [f"P{i + 1:02d}" for i in range(N)]


def with_cells(folder: Path, cells: list[Any], sep: str = "\t", name: str = "t.tsv", **options: str) -> Table:
    rows = [["id", "a", "b", "group"], *zip(IDS, cells, B, KIND, strict=True)]
    (folder / name).write_text("".join(sep.join(map(str, row)) + "\n" for row in rows), encoding="utf-8")
    return read(folder / name, ReadOptions(**options))


def asked(table: Table) -> list[str]:
    return [question.kind for question in questions(table.readings, table.default_target, named=False)]


@pytest.mark.parametrize("cell", ["4.2; 4.3", "4.2;4.3;4.4", "A=4.2"])
def test_several_values_in_a_cell_of_numbers_are_a_question(tmp_path: Path, cell: str) -> None:
    cells = [*A[:9], cell, *A[10:]]
    table = with_cells(tmp_path, cells)
    assert asked(table) == ["word among numbers"]
    assert np.flatnonzero(np.isnan(table.values[:, 0])).tolist() == [9]
    (question,) = questions(table.readings, table.default_target, named=False)
    first, second = question.alternatives
    settled = with_cells(tmp_path, cells, **{first.option: first.value})
    assert asked(settled) == []
    assert np.flatnonzero(np.isnan(settled.values[:, 0])).tolist() == [9]
    as_text = with_cells(tmp_path, cells, **{second.option: second.value})
    assert asked(as_text) == []
    assert cell in as_text.categories[0]


@pytest.mark.parametrize("cell", ["210; 220", "210/220", "210, 220", "210-220", "210 and 220"])
def test_several_whole_numbers_in_a_cell_are_a_question(tmp_path: Path, cell: str) -> None:
    table = with_cells(tmp_path, [*range(150, 150 + 7 * (N - 1), 7), cell])
    assert asked(table) == ["word among numbers"]
    assert np.flatnonzero(np.isnan(table.values[:, 0])).tolist() == [N - 1]


@pytest.mark.parametrize("code", ["V58", "12-3", "250A", "220-210"])
def test_codes_beside_whole_numbers_stay_text(tmp_path: Path, code: str) -> None:
    assert code in with_cells(tmp_path, [*range(150, 150 + 7 * (N - 1), 7), code]).categories[0]


def test_later_tables_are_read_with_the_answer(tmp_path: Path) -> None:
    first = with_cells(tmp_path, [*A[:9], "4.2; 4.3", *A[10:]], types="a=number, others missing")
    learned = Learned.of(read_table(tmp_path / "t.tsv", types="a=number, others missing"))
    with_cells(tmp_path, [*A[:3], "5.1; 5.2; 5.3", *A[4:]], name="new.tsv")
    later = read_as_learned(tmp_path / "new.tsv", learned)
    assert np.flatnonzero(np.isnan(later.values[:, 0])).tolist() == [3]
    assert np.isnan(first.values[9, 0])


@pytest.mark.parametrize(
    ("cell", "limit"),
    [
        ("< 10^3", 1e3),
        ("<10³", 1e3),
        ("<5x10^2", 500.0),
        ("< 5 × 10²", 500.0),
        ("<=10**3", 1e3),
        ("< 10^3 copies/mL", 1e3),
    ],
)
def test_limits_at_powers_of_ten_are_limits(tmp_path: Path, cell: str, limit: float) -> None:
    cells = [2000 + 37 * i for i in range(N - 2)] + [cell, cell]
    assert asked(with_cells(tmp_path, cells)) == ["limits"]
    for way, value in (("half", limit / 2), ("limit", limit)):
        assert with_cells(tmp_path, cells, limits=way).values[-1, 0] == value
    text = with_cells(tmp_path, cells, limits="text", types="a=category")
    assert cell in text.categories[0]


def test_powers_of_ten_among_numbers_are_numbers_and_alone_names_of_doses(tmp_path: Path) -> None:
    table = with_cells(tmp_path, [*range(2000, 2000 + N - 2), "10^5", "10⁻²"])
    assert table.values[-2:, 0].tolist() == [1e5, 1e-2]
    doses = with_cells(tmp_path, [("10^3", "10^5", "10^7")[i % 3] for i in range(N)])
    assert doses.categories[0] == ("10^3", "10^5", "10^7")
    assert asked(doses) == []


@pytest.mark.parametrize("rare", [0.08, 0.5])
def test_alleles_with_a_fraction_are_pairs(tmp_path: Path, rare: float) -> None:
    rng = np.random.default_rng(3)
    cells = []
    for i in range(N):
        pair = sorted([int(rng.integers(6, 12)), 9.3 if i == 5 or rng.random() < rare else int(rng.integers(6, 12))])
        cells.append(f"{pair[0]:g},{pair[1]:g}")
    rows = [["id", "TH01", "group"], *zip(IDS, cells, KIND, strict=True)]
    (tmp_path / "t.tsv").write_text("".join("\t".join(map(str, row)) + "\n" for row in rows))
    table = read(tmp_path / "t.tsv")
    assert {*table.categories[0]} == {*cells}
    assert not np.isnan(table.values[:, 0]).any()
    assert asked(table) == []


@pytest.mark.parametrize("sep", [",", ";", "\t"])
def test_marks_inside_of_quoted_cells_are_text(tmp_path: Path, sep: str) -> None:
    cells = [('"say "hi""', '"say ""hi"""', '"ok"', '"a "b" c"')[i % 4] for i in range(N)]
    table = with_cells(tmp_path, cells, sep)
    assert {*table.categories[0]} == {'say "hi"', "ok", 'a "b" c'}
    assert table.values.shape == (N, 3)


def test_marks_inside_are_text_although_other_cells_hold_separators(tmp_path: Path) -> None:
    cells = [('"say "hi""', '"mild, stable"', '"5, 6"')[i % 3] for i in range(N)]
    assert {*with_cells(tmp_path, cells, ",").categories[0]} == {'say "hi"', "mild, stable", "5, 6"}


def test_words_in_marks_at_both_ends_keep_them(tmp_path: Path) -> None:
    cells = [('"hello" and "bye"', "none", '5" pipe')[i % 3] for i in range(N)]
    assert {*with_cells(tmp_path, cells).categories[0]} == {*cells}


def test_lists_of_texts_in_r_are_columns_or_are_named(tmp_path: Path) -> None:
    rdata = pytest.importorskip("rdata")
    x, sites = np.array([A[:12], B[:12]]).T.copy(), ["gut", "skin", "gut"] * 4
    rdata.write_rda(tmp_path / "alone.rda", {"x": x, "site": sites})
    assert read(tmp_path / "alone.rda").columns == ("x1", "x2", "site")
    y = np.array(["p", "q"] * 6)
    more = {"x": x, "y": y, "site": sites, "who": ["u", "v", "w"], "meta": {"age": np.arange(12.0)}}
    rdata.write_rda(tmp_path / "more.rda", more)
    table = read(tmp_path / "more.rda")
    assert table.columns == ("x1", "x2", "y")
    said = [check.sentence for check in table.checks if check.kind == "variables left out"]
    assert len(said) == 3
    assert all(any(f'"{name}"' in sentence for sentence in said) for name in ("site", "who", "meta/age"))


def test_classes_that_are_one_number_are_warned_of() -> None:
    frame = pd.DataFrame({"a": A, "b": B, "y": ["1", "01"] * (N // 2)})
    with pytest.warns(UserWarning, match="Classes '1' and '01' of target \"y\" are treated as different"):
        assert from_frame(frame, "y").classes == ("01", "1")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        from_frame(frame.assign(y=["1", "2"] * (N // 2)), "y")


OPENDOCUMENT = "application/vnd.oasis.opendocument."


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("t.odt", zip_of({"mimetype": f"{OPENDOCUMENT}text", "content.xml": "<x/>"}), "a text document; copy its"),
        ("t.ott", zip_of({"mimetype": f"{OPENDOCUMENT}text-template", "content.xml": ""}), "a text document"),
        ("t.odp", zip_of({"mimetype": f"{OPENDOCUMENT}presentation", "content.xml": ""}), "a presentation; copy"),
        ("t.odg", zip_of({"mimetype": f"{OPENDOCUMENT}graphics", "content.xml": ""}), "a drawing; copy"),
        ("t.bed", b"chr1\t10\t20\tpeak1\nchr1\t30\t40\tpeak2\n", "a list of genomic intervals; count reads"),
        ("t.bed", b"\x6c\x1b\x01" + bytes(9), "a file of genetic variants"),
        ("t.zip", zip_of({"figure.bmp": b"BM6\0\0\0" + bytes(60)}), '"figure.bmp" is an image; open a table'),
        ("t.zip", zip_of({"figure.svg": "<svg></svg>"}), '"figure.svg" is an image'),
        ("t.zip", zip_of({"a/figure.webp": b"RIFF\x10\0\0\0WEBP"}), '"figure.webp" is an image'),
    ],
)
def test_documents_intervals_and_pictures_are_called_what_they_are(
    tmp_path: Path, name: str, content: bytes, sentence: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=sentence):
        read(tmp_path / name)
