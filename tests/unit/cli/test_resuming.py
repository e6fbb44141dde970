import csv

import pytest

from fsdesk.cli import invoke


@pytest.fixture
def finished(tmp_path, planted, capsys):
    table = tmp_path / "t.csv"
    with table.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*planted.features, "class"])
        writer.writerows([*row, "ab"[code]] for row, code in zip(planted.x.tolist(), planted.target, strict=True))
    quick = ["--method", "bspsa", "--set", "max_iterations=3", "--set", "repeats=1", "--set", "folds=2"]
    assert invoke(["run", str(table), *quick, "--out", str(tmp_path / "out")]) == 0
    assert "after 9 measurements" in capsys.readouterr().out
    return str(tmp_path / "out" / "run.fsdesk")


@pytest.mark.parametrize("more", [["--more-iterations", "2"], ["--more-measurements", "6"]])
def test_a_finished_run_goes_on_when_it_is_allowed_more(finished, capsys, more):
    assert invoke(["resume", finished, *more]) == 0
    said = capsys.readouterr().out
    assert "after 15 measurements: all 5 iterations done" in said
    assert "from measurement 10 on" in said
    assert invoke(["resume", finished]) == 0
    assert "after 15 measurements" in capsys.readouterr().out


def test_more_minutes_for_a_run_without_a_limit_of_time_are_refused_with_a_sentence(finished, capsys):
    assert invoke(["resume", finished, "--more-minutes", "1"]) == 2
    assert "no limit of time" in capsys.readouterr().err
