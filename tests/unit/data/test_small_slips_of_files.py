"""Single quotes, lines of types above words, look-alike names, repeated numbers far away, rare notations of numbers."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fsdesk.data import Learned, ReadOptions, Table, questions, read, read_as_learned, read_table
from fsdesk.errors import DataError

N = 40
RNG = np.random.default_rng(145)
A, B = (RNG.normal(5, 1, N).round(2).tolist() for _ in range(2))
KIND = [("case", "control")[i * 7 // 3 % 2] for i in range(N)]
IDS = [f"P{i + 1:02d}" for i in range(N)]


def saved(path: Path, *rows: Any, sep: str = ",") -> Path:
    path.write_text("".join(sep.join(map(str, row)) + "\n" for row in rows), encoding="utf-8")
    return path


def asked(table: Table) -> list[str]:
    return [question.kind for question in questions(table.readings, table.default_target, named=False)]


def with_cells(folder: Path, cells: list[Any], **options: str) -> Table:
    path = saved(folder / "t.csv", ["id", "a", "b", "group"], *zip(IDS, cells, B, KIND, strict=True))
    return read(path, ReadOptions(**options))


@pytest.mark.parametrize("sep", [",", ";"])
def test_separators_within_single_quotes_are_part_of_the_cell(tmp_path: Path, sep: str) -> None:
    notes = [f"'mild{sep} stable'" if i % 3 else "none" for i in range(N)]
    names = ["id", "note", "a", "group"]
    for mark in ("", "'"):
        header, ids = ([f"{mark}{word}{mark}" for word in words] for words in (names, IDS))
        table = read(saved(tmp_path / "t.csv", header, *zip(ids, notes, A, KIND, strict=True), sep=sep))
        assert table.rows == tuple(IDS)
        assert table.categories[0] == (f"mild{sep} stable", "none")
        assert table.values[:, 1].tolist() == A


def test_an_apostrophe_is_no_quote(tmp_path: Path) -> None:
    notes = [("Crohn's", "'t Hooft", "UC")[i % 3] for i in range(N)]
    table = read(saved(tmp_path / "t.csv", ["id", "note", "group"], *zip(IDS, notes, KIND, strict=True)))
    assert table.categories[0] == ("'t Hooft", "Crohn's", "UC")


@pytest.mark.parametrize(
    ("types", "sure"),
    [
        (["char"] * 4, False),
        (["string", "nominal", "nominal", "nominal"], True),
        (["<chr>", "<fct>", "<fct>", "<chr>"], True),
    ],
)
def test_a_line_of_types_above_words_is_no_sample(tmp_path: Path, types: list[str], sure: bool) -> None:
    rows = zip(IDS, ["m", "f"] * (N // 2), ["x", "y", "z", "w"] * (N // 4), KIND, strict=True)
    path = saved(tmp_path / "t.csv", ["id", "sex", "site", "group"], types, *rows)
    table = read(path)
    assert table.rows == tuple(IDS)
    assert asked(table) == ([] if sure else ["units below the names"])
    assert len(read(path, ReadOptions(below_header="data")).rows) == N + 1


@pytest.mark.parametrize(
    ("first", "second"), [("ß-cell", "β-cell"), ("Ａ1", "A1"), ("stage Ⅲ", "stage III"), ("Crohn's", "Crohn’s")]
)
def test_names_that_look_alike_are_one_class(tmp_path: Path, first: str, second: str) -> None:
    classes = [(first, second, "other")[i % 3] for i in range(N)]
    table = read(saved(tmp_path / "t.csv", ["id", "a", "dx"], *zip(IDS, A, classes, strict=True)))
    assert len(table.categories[1]) == 2
    assert any(check.kind == "names that look alike" for check in table.checks)


@pytest.mark.parametrize(("first", "second"), [("type I", "type l"), ("A0", "AO"), ("Stage 1", "Stage I")])
def test_names_alike_in_many_fonts_are_asked_about(tmp_path: Path, first: str, second: str) -> None:
    classes = [(first, second, "other")[i % 3] for i in range(N)]
    path = saved(tmp_path / "t.csv", ["id", "a", "dx"], *zip(IDS, A, classes, strict=True))
    assert asked(read(path)) == ["similar names"]
    assert len(read(path, ReadOptions(similar="one")).categories[1]) == 2
    assert not asked(read(path, ReadOptions(similar="one")))


@pytest.mark.parametrize("code", [-8888, 12345, -50, 7777, -5000, 1e6])
def test_a_repeated_number_far_from_all_others_is_asked_about(tmp_path: Path, code: float) -> None:
    cells = [code if i % 9 == 4 else a for i, a in enumerate(A)]
    table = with_cells(tmp_path, cells)
    assert asked(table) == ["number for missing"]
    assert np.flatnonzero(np.isnan(table.values[:, 0])).tolist() == list(range(4, N, 9))
    question = next(each for each in table.readings if each.kind == "number for missing")
    kept = read(tmp_path / "t.csv", question.alternatives[1].added_to(ReadOptions()))
    assert kept.values[:, 0].tolist() == cells
    assert not asked(kept)


@pytest.mark.parametrize(
    "values",
    [
        RNG.lognormal(5, 2, N).round(),
        RNG.poisson(0.3, N) * 50.0,
        np.where(np.arange(N) % 9 == 4, 0, RNG.normal(8, 1, N)),
        RNG.integers(0, 2, N) + np.where(np.arange(N) % 9 == 4, 60, 0),
    ],
)
def test_counts_and_zeros_are_no_codes(tmp_path: Path, values: Any) -> None:
    assert not asked(with_cells(tmp_path, values.tolist()))


@pytest.mark.parametrize("end", ["·25", ",-", ",--"])
def test_rare_notations_are_numbers(tmp_path: Path, end: str) -> None:
    amounts = (RNG.normal(50, 9, N) * 1000).round() + (0.25 if "·" in end else 0)
    cells = [f"{int(amount)}{end}" for amount in amounts]
    path = saved(tmp_path / "t.csv", ["id", "a", "b", "group"], *zip(IDS, cells, B, KIND, strict=True), sep=";")
    table = read(path)
    assert table.values[:, 0].tolist() == amounts.tolist()


def test_a_limit_with_the_equals_sign_first_is_one(tmp_path: Path) -> None:
    table = with_cells(tmp_path, ["=<0.5" if i % 6 == 0 else "=>9.5" if i % 7 == 0 else a for i, a in enumerate(A)])
    assert asked(table) == ["limits"]
    assert table.values[[0, 7], 0].tolist() == [0.25, 9.5]


@pytest.mark.parametrize("word", ["LOD/2", "n.d.(<0.5)", "<LOQ (0.5)", "see p. 3"])
def test_a_text_with_figures_among_decimals_is_asked_about(tmp_path: Path, word: str) -> None:
    table = with_cells(tmp_path, [word if i % 6 == 0 else a for i, a in enumerate(A)])
    assert asked(table) == ["word among numbers"]


@pytest.mark.parametrize("cells", [["red", "blue", "green"], ["m", "f"]])
def test_the_first_column_of_a_few_new_rows_is_a_feature_as_before(tmp_path: Path, cells: list[str]) -> None:
    path = saved(tmp_path / "t.csv", ["colour", "a", "y"],
                 *((cells[i % 2], a, kind) for i, (a, kind) in enumerate(zip(A, KIND, strict=True))))  # fmt: skip
    learned = Learned.of(read_table(path, "y"))
    table = read_as_learned(saved(tmp_path / "new.csv", ["colour", "a"], *zip(cells, A, strict=False)), learned)
    assert table.columns == ("colour", "a")
    assert [table.categories[0][int(code)] for code in table.values[:, 0]] == cells


def test_a_word_in_the_first_column_of_new_rows_is_named_where_it_was_a_number(tmp_path: Path) -> None:
    learned = Learned.of(read_table(saved(tmp_path / "t.csv", ["a", "b", "y"], *zip(A, B, KIND, strict=True)), "y"))
    new = saved(tmp_path / "new.csv", ["a", "b"], ["high", 1.5], ["low", 2.5])
    with pytest.raises(DataError, match='row 1 contains "high"'):
        read_as_learned(new, learned)
