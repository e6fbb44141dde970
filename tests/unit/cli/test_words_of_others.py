"""Names in tables and projects are anybody's words: none commands the terminal, and none is taken for markup."""

import sys
from contextlib import closing
from io import StringIO

import pytest

from fsdesk import read_table
from fsdesk.cli import invoke
from fsdesk.cli.results import print_comparison
from fsdesk.engine import RunSpec
from fsdesk.errors import DataError
from fsdesk.messages import printable
from fsdesk.results.comparison import compared_project
from fsdesk.results.select import completed
from fsdesk.store import Project

HOSTILE = "a\x1b[2J\x9b2J\u202e[/red]\nb"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    rows = "".join(f"{i % 5},{i % 7},{'pq'[i % 2]}\n" for i in range(24))
    path.write_text(f'u,"x{HOSTILE}","{HOSTILE}"\n{rows}', encoding="utf-8")
    return path


def is_harmless(said):
    return printable(said) == said


def test_a_run_and_its_comparison_command_no_terminal(table, tmp_path, capsys):
    quick = ["--method", "random", "--set", "max_measurements=3", "--set", "repeats=1", "--outer", "0"]
    assert invoke(["run", str(table), *quick, "--out", str(tmp_path / "out")]) == 0
    assert invoke(["compare", str(tmp_path / "out" / "run.fsdesk")]) == 0
    said = capsys.readouterr()
    assert is_harmless(said.out) and is_harmless(said.err)


def test_a_sentence_about_a_hostile_name_stays_one_line(table, capsys):
    assert invoke(["run", str(table), "--target", HOSTILE, "--ignore", f"no {HOSTILE}"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("fsdesk: ")
    assert said.count("\n") == 1
    assert is_harmless(said)
    assert r"\x1b[2J" in said


def test_the_name_of_a_table_is_no_markup(table, tmp_path, capsys):
    dataset = read_table(table)
    dataset.__dict__["name"] = f"[bold]x[/nothing] {HOSTILE}"
    spec = RunSpec.make(dataset, method="full", settings={"repeats": 1})
    with closing(Project.create(tmp_path / "p.fsdesk")) as project:
        project.add_dataset(dataset)
        run = project.add_run(spec)
        project.append([(run, event) for event in completed(spec, dataset).log])
        print_comparison(compared_project(project))
    said = capsys.readouterr().out
    assert "[bold]x[/nothing]" in said
    assert is_harmless(said)


def test_output_is_put_back_after_a_command(monkeypatch):
    out = StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    assert invoke(["criteria"]) == 0
    assert sys.stdout is out
    assert "auc" in out.getvalue()
    assert str(DataError("{name}", name=HOSTILE)) == HOSTILE  # in the window and in files it stays as it is
