"""fsdesk bench prints tables that were measured just now."""

import re

import pytest

from fsdesk.cli import invoke


def test_wrappers_are_timed_beside_scikit_learn(table, capsys):
    assert invoke(["bench", "wrappers", str(table), "--wrappers", "nb", "--scaling", "fold,once"]) == 0
    lines = capsys.readouterr().out.splitlines()  # scaling changes nothing for naive Bayes: one line for both
    assert [re.search(r"\((\w+)\) \| (\w+)", line).groups() for line in lines[2:]] == [("nb", "fold")]
    for line in lines[2:]:
        theirs, ours, ratio = (float(cell.strip(" x")) for cell in line.split("|")[5:8])
        assert ratio == pytest.approx(theirs / ours, rel=0.02)


def test_methods_are_compared_at_equal_budgets(table, capsys):
    options = ["--methods", "full,random", "--seeds", "2", "--budget", "30", "--outer", "3"]
    assert invoke(["bench", "methods", str(table), *options]) == 0
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines()[2:]]
    assert [row[1:3] for row in cells] == [["full", "2"], ["random", "2"]]
    assert int(cells[1][7]) <= 30
    assert all("+-" in row[5] for row in cells)


def test_on_planted_tables_it_says_what_was_missed_and_what_is_idle(capsys):
    arguments = ["bench", "methods", "--planted", "--methods", "full,ranking", "--seeds", "1", "--budget", "30"]
    assert invoke(arguments) == 0
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines()[2:]]
    assert [row[1] for row in cells] == ["full", "ranking"] * 2
    assert cells[0][9:] == ["0.0", "21.0"]  # of 25 features one of a pair of twins and 20 of noise
    assert cells[2][9:] == ["0.0", "4990.0"]
    missed, idle = map(float, cells[3][9:])
    assert int(cells[3][6]) == 10 - missed + idle


def test_a_criterion_that_is_no_share_is_not_said_in_percent(tmp_path, capsys):
    path = tmp_path / "numbers.csv"
    path.write_text("x,y\n" + "".join(f"{x % 7}.25,{1000 * (x % 7) + x}.5\n" for x in range(40)), encoding="utf-8")
    assert invoke(["bench", "methods", str(path), "--methods", "full", "--seeds", "2", "--wrapper", "ridge"]) == 0
    assert re.search(r"\| RMSE [\d.]+ \+- ", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("wrappers {table} --wrappers nn,magic", 'There is no wrapper "magic"'),
        ("wrappers {table} --wrappers nn,sklearn", "there is nothing to compare. Choose among: nn, forest"),
        ("wrappers {table} --scaling fold,never", "(got 'never')"),
        ("methods {table} --methods full,magic", 'There is no method "magic"'),
        ("methods {table} --wrapper magic", 'There is no wrapper "magic"'),
        ("methods nowhere.csv", 'There is no file "nowhere.csv"'),
    ],
)
def test_what_is_not_known_is_one_sentence_and_no_table_begins(table, asked, sentence, capsys):
    assert invoke(["bench", *asked.format(table=table).split()]) == 2
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert not said.out
