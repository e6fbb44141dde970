"""Flags after numbers, pairs with a comma, dates in several forms, words that may be missing, ordered targets."""

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fsdesk.data import QuestionError, ReadOptions, Table, questions, read, read_table

N = 40
RNG = np.random.default_rng(144)
A, B = (RNG.normal(5, 1, N).round(2).tolist() for _ in range(2))
KIND = [("case", "control")[i * 7 // 3 % 2] for i in range(N)]
IDS = [f"P{i + 1:02d}" for i in range(N)]


def lines(*rows: Any, sep: str = ",") -> str:
    return "".join(sep.join(map(str, row)) + "\n" for row in rows)


def asked(table: Table) -> list[str]:
    return [question.kind for question in questions(table.readings, table.default_target, named=False)]


def with_cells(folder: Path, cells: list[Any], sep: str = ",", others: list[Any] = B, **options: str) -> Table:
    path = folder / "t.csv"
    path.write_text(lines(["id", "a", "b", "group"], *zip(IDS, cells, others, KIND, strict=True), sep=sep))
    return read(path, ReadOptions(**options))


def settled(folder: Path, cells: list[Any], kind: str, answer: int, sep: str = ",", others: list[Any] = B) -> Table:
    table = with_cells(folder, cells, sep, others)
    question = next(each for each in table.readings if each.kind == kind)
    made = read(folder / "t.csv", question.alternatives[answer].added_to(ReadOptions()))
    assert kind not in asked(made)
    return made


@pytest.mark.parametrize("mark", ["+", "H", " ++", "[1]", " U", "B*"])
def test_a_flag_after_numbers_is_asked_about(tmp_path: Path, mark: str) -> None:
    cells = [f"{a}{mark}" if i % 5 == 0 else a for i, a in enumerate(A)]
    table = with_cells(tmp_path, cells)
    assert asked(table) == ["marks"]
    assert table.values[:, 0].tolist() == A
    assert settled(tmp_path, cells, "marks", 0).values[:, 0].tolist() == A
    missing = settled(tmp_path, cells, "marks", 1).values[:, 0]
    assert np.flatnonzero(np.isnan(missing)).tolist() == list(range(0, N, 5))
    assert 0 in settled(tmp_path, cells, "marks", 2).categories


@pytest.mark.parametrize("mark", [" (repeat)", "(2nd)", " (hemolytic)"])
def test_a_comment_after_numbers_is_asked_about(tmp_path: Path, mark: str) -> None:
    table = with_cells(tmp_path, [f"{a}{mark}" if i % 8 == 0 else a for i, a in enumerate(A)])
    assert asked(table) in (["marks"], ["word among numbers"])
    assert 0 not in table.categories


@pytest.mark.parametrize(("mark", "factor"), [("F", 2.7), ("k", 0.001)])
def test_marked_numbers_far_from_the_others_are_proposed_as_missing(tmp_path: Path, mark: str, factor: float) -> None:
    plain = [round(36 + a / 10, 1) for a in A]
    cells = [f"{value * factor:.4g}{mark}" if i % 6 == 0 else value for i, value in enumerate(plain)]
    table = with_cells(tmp_path, cells)
    assert asked(table) == ["marks"]
    assert np.flatnonzero(np.isnan(table.values[:, 0])).tolist() == list(range(0, N, 6))
    assert not np.isnan(settled(tmp_path, cells, "marks", 1).values[:, 0]).any()


def test_degrees_of_two_scales_are_asked_about(tmp_path: Path) -> None:
    cells = [f"{30 + a:.1f}C" if i % 2 else f"{90 + a:.1f}F" for i, a in enumerate(A)]
    table = with_cells(tmp_path, cells)
    assert asked(table) == ["several units"]
    made = with_cells(tmp_path, cells, types="a=number in C, others missing")
    assert np.flatnonzero(np.isnan(made.values[:, 0])).tolist() == list(range(0, N, 2))
    assert not asked(made)


@pytest.mark.parametrize(("first", "second"), [(" J", " U"), ("-", "+"), ("H", "L")])
def test_two_flags_are_asked_about_together(tmp_path: Path, first: str, second: str) -> None:
    cells = [f"{a}{first}" if i % 5 == 0 else f"{a}{second}" if i % 7 == 0 else a for i, a in enumerate(A)]
    table = with_cells(tmp_path, cells)
    assert asked(table) == ["marks"]
    assert table.values[:, 0].tolist() == A


@pytest.mark.parametrize("mark", ["?", "!", " (a)", "[b]"])
def test_signs_of_footnotes_are_named(tmp_path: Path, mark: str) -> None:
    table = with_cells(tmp_path, [f"{a}{mark}" if i % 5 == 0 else a for i, a in enumerate(A)])
    assert table.values[:, 0].tolist() == A
    assert any(check.kind == "marks" and f"{A[0]}{mark}" in check.sentence for check in table.checks)


@pytest.mark.parametrize(
    "cells",
    [
        [("0", "1+", "2+", "3+")[i % 4] for i in range(N)],
        [("negative", "1+", "2+", "3+")[i % 4] for i in range(N)],
        [i if i % 5 else f"{i}B" for i in range(N)],
    ],
)
def test_grades_and_codes_are_no_numbers_with_flags(tmp_path: Path, cells: list[Any]) -> None:
    table = with_cells(tmp_path, cells)
    assert 0 in table.categories
    assert not asked(table)


def test_censored_times_are_still_an_outcome(tmp_path: Path) -> None:
    times = [f"{10 + 3 * i}{'+' if i % 3 else ''}" for i in range(N)]
    path = tmp_path / "t.csv"
    path.write_text(lines(["a", "b", "os"], *zip(A, B, times, strict=True)))
    made = read_table(path, "os")
    assert made.event == "os=event"
    middle = tmp_path / "u.csv"
    middle.write_text(lines(["a", "pfs_months", "b"], *zip(A, times, B, strict=True)))
    assert read_table(middle, "pfs_months").event == "pfs_months=event"


DATES = [datetime.date(2024, 1, 1) + datetime.timedelta(days=7 * i) for i in range(N)]
DAYS = [7.0 * i for i in range(N)]
FORMS = [("%Y-%m-%d", "%d.%m.%Y"), ("%d.%m.%Y", "%d.%m.%y"), ("%d.%m.%Y", "%m/%d/%Y"), ("%Y-%m-%d", "%d %b %Y"),
         ("%d.%m.%Y", "%d.%m.%Y 00:00")]  # fmt: skip


@pytest.mark.parametrize(("usual", "other"), FORMS)
def test_dates_in_two_forms_are_dates(tmp_path: Path, usual: str, other: str) -> None:
    table = with_cells(tmp_path, [date.strftime(usual if i % 3 else other) for i, date in enumerate(DATES)])
    assert table.values[:, 0].tolist() == DAYS
    assert not asked(table)


def test_a_form_in_which_the_day_may_be_first_is_asked_about_among_others(tmp_path: Path) -> None:
    early = [datetime.date(2024, 1 + i % 9, 2 + i // 9) for i in range(N)]
    cells = [date.strftime("%Y-%m-%d" if i % 3 else "%d/%m/%Y") for i, date in enumerate(early)]
    assert asked(with_cells(tmp_path, cells)) == ["dates"]
    first = early.index(min(early))
    for answer, day_first in ((0, True), (1, False)):
        days = settled(tmp_path, cells, "dates", answer).values[:, 0]
        right = [(date - early[first]).days for date in early]
        assert (days - days[first] == right).all() == day_first


@pytest.mark.parametrize("word", ["ca. 2010", "2024-13-45", "spring"])
def test_a_word_among_dates_is_asked_about(tmp_path: Path, word: str) -> None:
    cells = [word if i % 9 == 4 else date.isoformat() for i, date in enumerate(DATES)]
    table = with_cells(tmp_path, cells)
    assert asked(table) == ["word among dates"]
    made = settled(tmp_path, cells, "word among dates", 0)
    assert made.values[0, 0] == 0
    assert np.flatnonzero(np.isnan(made.values[:, 0])).tolist() == list(range(4, N, 9))
    assert 0 in settled(tmp_path, cells, "word among dates", 1).categories


@pytest.mark.parametrize("form", ["%Y-%m-%d", "%d.%m.%Y"])
def test_days_as_excel_counts_them_are_asked_about_among_dates(tmp_path: Path, form: str) -> None:
    excel = datetime.date(1899, 12, 30)
    cells = [str((date - excel).days) if i % 4 == 1 else date.strftime(form) for i, date in enumerate(DATES)]
    table = with_cells(tmp_path, cells)
    assert asked(table) == ["numbers among dates"]
    assert table.values[:, 0].tolist() == DAYS
    assert settled(tmp_path, cells, "numbers among dates", 0).values[:, 0].tolist() == DAYS


def genotypes(low: int, high: int, step: int, *, ordered: bool) -> list[str]:
    pairs = RNG.integers(0, (high - low) // step, (N, 2)) * step + low
    return [",".join(map(str, sorted(pair) if ordered else pair)) for pair in pairs.tolist()]


@pytest.mark.parametrize("sep", [";", "\t"])
@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize(
    "cells",
    [genotypes(8, 20, 1, ordered=True), genotypes(146, 170, 2, ordered=False), genotypes(10, 19, 1, ordered=False)],
)
def test_alleles_with_a_comma_are_no_decimals(tmp_path: Path, cells: list[str], sep: str, decimal: str) -> None:
    cells = ["0,0", *cells[1:]]
    others = [str(b).replace(".", decimal) for b in B]
    table = with_cells(tmp_path, cells, sep, others)
    assert asked(table) == ["pairs"]
    assert {*table.categories[0]} == {*cells[1:]}
    assert np.isnan(table.values[0, 0])
    assert table.values[:, 1].tolist() == B
    assert 0 in settled(tmp_path, cells, "pairs", 0, sep, others).categories
    assert 0 not in settled(tmp_path, cells, "pairs", 1, sep, others).categories


@pytest.mark.parametrize("seed", range(8))
def test_decimals_with_a_comma_are_not_taken_as_pairs(tmp_path: Path, seed: int) -> None:
    some = np.random.default_rng(seed)
    for values in (some.uniform(0, 10, N).round(1), some.uniform(10, 99, N).round(2), some.normal(7.2, 0.4, N).round(1),
                   some.integers(1, 12, N) / 2, some.normal(37, 0.5, N).round(1)):  # fmt: skip
        table = with_cells(tmp_path, [str(value).replace(".", ",") for value in values.tolist()], ";")
        assert "pairs" not in asked(table)
        assert table.values[:, 0].tolist() == values.tolist()


@pytest.mark.parametrize("word", ["n.a.", "k.A.", "[Not Available]", "not reported"])
def test_what_only_says_that_a_word_is_not_known_is_missing(tmp_path: Path, word: str) -> None:
    cells = [("red", "blue", word, "green")[i % 4] for i in range(N)]
    table = with_cells(tmp_path, cells)
    assert table.categories[0] == ("blue", "green", "red")
    assert not asked(table)
    assert any(word in reading.sentence and "missing value" in reading.sentence for reading in table.readings)
    kept = with_cells(tmp_path, cells, missing_values=f"a=!{word}")
    assert len(kept.categories[0]) == 4


@pytest.mark.parametrize(
    ("name", "values", "asks"),
    [
        ("pain score", [i * 7 % 5 + 1 for i in range(N)], True),
        ("stage", [i % 4 + 1 for i in range(N)], True),
        ("result", [3] * 2 + [4] * 8 + [5] * 16 + [6] * 10 + [7] * 4, True),
        ("class", [i * 7 % 5 + 1 for i in range(N)], False),
        ("y", [3] * 2 + [4] * 8 + [5] * 16 + [6] * 10 + [7] * 4, False),
        ("grade", [i % 3 + 1 for i in range(N)], False),
        ("result", [i % 5 for i in range(N)], False),
    ],
)
def test_a_few_integers_that_may_be_numbers_are_asked_about(
    tmp_path: Path, name: str, values: list[int], asks: bool
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(lines(["id", "a", "b", name], *zip(IDS, A, B, values, strict=True)))
    if not asks:
        assert len(read_table(path, name).classes) == len({*values})
        return
    with pytest.raises(QuestionError) as error:
        read_table(path, name)
    assert [each.kind for each in error.value.questions] == ["task"]
    assert len(read_table(path, name, task="classification").classes) == len({*values})
    assert read_table(path, name, task="regression").response is not None
