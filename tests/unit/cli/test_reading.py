"""How the command line asks what only the user can know of a file, and how it shows what was decided."""

from pathlib import Path

import pytest

from fsdesk.cli import invoke

ROWS = 40


@pytest.fixture
def two_questions(tmp_path: Path) -> Path:
    """Classes 1 and 01, and -999 in a column."""
    lines = ["a,conc,b,grade"]
    for row in range(ROWS):
        conc = "-999" if row in (3, 17) else f"{2 + row % 7}.25"
        lines.append(f"{row * 37 % 11}.5,{conc},{row * 53 % 13}.5,{('1', '01', '2')[row % 3]}")
    path = tmp_path / "table.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_run_ends_with_the_questions_and_the_options_that_answer_them(
    two_questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert invoke(["run", str(two_questions), "--method", "full", "--out", str(out)]) == 2
    said = capsys.readouterr().err
    assert not out.exists()
    for option in ("--read types=grade=category", "--read types=grade=number", "--read missing_values=conc=-999",
                   "--read 'missing_values=conc=!-999'", "--accept-reading"):  # fmt: skip
        assert option in said


def test_answers_let_it_run_and_so_does_taking_what_is_proposed(
    two_questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quick = ["--method", "full", "--wrapper", "nn", "--set", "folds=2", "--set", "repeats=1", "--outer", "0"]
    answers = ["--read", "types=grade=number", "--read", "missing_values=conc=-999"]
    assert invoke(["run", str(two_questions), *quick, *answers, "--out", str(tmp_path / "one")]) == 0
    assert invoke(["run", str(two_questions), *quick, "--accept-reading", "--out", str(tmp_path / "two")]) == 0
    capsys.readouterr()


def test_lists_of_answers_add_up(two_questions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ways = ["--read", "missing_values=conc=-999", "--read", "missing_values=b=0.5", "--read", "types=grade=category"]
    assert invoke(["read", str(two_questions), *ways]) == 0
    said = capsys.readouterr().out
    assert "question" not in said
    assert '"conc"' in said
    assert '"b"' in said


def test_read_shows_all_decisions_and_asks_without_a_run(
    two_questions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert invoke(["read", str(two_questions)]) == 0
    said = capsys.readouterr().out
    assert "The table is comma-separated." in said
    assert "The first line is read as column names" in said
    assert "--read header=no" in said
    assert "2 questions:" in said
    assert "(proposed)" in said


def test_a_new_table_is_read_as_the_first_one_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wards = ["01", "XX", "02", "XX"] * 10
    lines = [f"{ward},{row * 37 % 11}.5,{'case' if ward == 'XX' else 'control'}" for row, ward in enumerate(wards)]
    (tmp_path / "old.csv").write_text("\n".join(["ward,a,group", *lines]), encoding="utf-8")
    new = [f"{ward},{row}.5,control" for row, ward in enumerate(["01", "02"] * 5)]
    (tmp_path / "new.csv").write_text("\n".join(["ward,a,group", *new]), encoding="utf-8")
    quick = ["--method", "full", "--wrapper", "cart", "--set", "folds=2", "--set", "repeats=1", "--outer", "0"]
    assert invoke(["run", str(tmp_path / "old.csv"), *quick, "--out", str(tmp_path / "out")]) == 0
    project = str(tmp_path / "out" / "run.fsdesk")
    capsys.readouterr()
    assert invoke(["validate", project, str(tmp_path / "new.csv")]) == 0
    said = capsys.readouterr()
    assert "unknown" not in said.err
    assert "0.0 %" in said.out or "0 %" in said.out
    (tmp_path / "odd.csv").write_text("ward,a\n01,n.d.\n02,2.5\n", encoding="utf-8")
    assert invoke(["predict", project, str(tmp_path / "odd.csv"), "--out", str(tmp_path / "p.csv")]) == 2
    assert '"n.d."' in capsys.readouterr().err


def test_an_unknown_way_of_reading_is_refused_with_those_there_are(
    two_questions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert invoke(["read", str(two_questions), "--read", "sign=comma"]) == 2
    assert "missing_values" in capsys.readouterr().err
