"""Exit codes mean one thing, - is the standard input, sample: lists, and near names are offered."""

import io
import sys
from pathlib import Path

import pytest

from fsdesk.cli import main
from fsdesk.engine import RunSpec, loop
from fsdesk.engine.steering import more_of
from fsdesk.errors import UserError, did_you_mean
from fsdesk.results.study import study
from fsdesk.store import Project

ROWS = "a,b,y\n" + "".join(f"{i % 7}.5,{(3 * i) % 11}.25,{'no' if i % 2 else 'yes'}\n" for i in range(40))
QUICK = ["--method", "full", "--wrapper", "nn", "--outer", "0", "--set", "repeats=1"]


class _Input:
    def __init__(self, text: str) -> None:
        self.buffer = io.BytesIO(text.encode())


def test_a_hyphen_is_the_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", _Input(ROWS))
    assert main(["read", "-"]) == 0
    assert '40 rows and 3 columns, target "y"' in capsys.readouterr().out
    monkeypatch.setattr(sys, "stdin", _Input(ROWS))
    assert main(["run", "-", *QUICK]) == 0
    assert (tmp_path / "stdin-full" / "result.json").is_file()
    monkeypatch.setattr(sys, "stdin", _Input(ROWS))
    assert main(["predict", "stdin-full", "-", "--out", "said.csv"]) == 0
    assert len(Path("said.csv").read_text(encoding="utf-8").splitlines()) == 41


def test_samples_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "sample:"]) == 0
    said = capsys.readouterr().out
    assert all(f"sample:{name}" in said for name in ("wine", "genes", "breast_cancer"))


@pytest.mark.parametrize(
    ("words", "near"),
    [
        (["run", "sample:wine", "--method", "bspas"], "bspsa"),
        (["run", "sample:wine", "--wrapper", "forst"], "forest"),
        (["run", "sample:wine", "--set", "repets=3"], "repeats"), (["read", "sample:wines"], "wine"),
        (["run", "sample:wine", "--set", "criterion=aucc"], "auc"),
        (["run", "sample:wine", "--preset", "quik"], "quick"),
        (["methods", "sfss"], "sfs"),
    ],
)  # fmt: skip
def test_near_names_are_offered(words: list[str], near: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert f'Did you mean "{near}"' in capsys.readouterr().err


def test_nothing_is_offered_where_nothing_is_near() -> None:
    assert did_you_mean("zzz", ["abc", "def"]) == ""


def _resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose run came to its limit of time before all features were measured."""
    (tmp_path / "t.csv").write_text(ROWS, encoding="utf-8")
    monkeypatch.setattr(loop, "_measure_baseline", lambda *given: None)
    out = tmp_path / "out"
    assert main(["run", str(tmp_path / "t.csv"), "--method", "sfs", "--set", "max_minutes=0.5", "--out", str(out)]) == 3
    return out / "run.fsdesk"


def test_a_limit_that_is_reached_before_anything_was_measured_is_no_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = _resumed(tmp_path, monkeypatch)
    said = capsys.readouterr().err
    assert "the time of 0.5 minutes is used up" in said
    assert f"fsdesk resume {project} --run 1 --more-minutes 10" in said


def test_minutes_that_are_added_count_for_the_measurement_of_all_features(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = _resumed(tmp_path, monkeypatch)
    limits: list[float] = []
    monkeypatch.setattr(loop, "_measure_baseline", lambda *given: limits.append(given[-1]))
    assert main(["resume", str(project), "--more-minutes", "2"]) == 3
    assert main(["resume", str(project), "--more-minutes", "1.5"]) == 3
    assert limits == [2.5, 4.0]


def test_more_minutes_of_a_run_without_a_limit_are_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(ROWS, encoding="utf-8")
    assert main(["run", str(tmp_path / "t.csv"), *QUICK, "--out", str(tmp_path / "out")]) == 0
    spec: RunSpec = Project.open(tmp_path / "out" / "run.fsdesk", read_only=True).run().spec
    with pytest.raises(UserError, match="no time limit"):
        more_of(spec, minutes=1)


def test_the_folder_of_a_study_is_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = {"tables": ["sample:wine"], "methods": ["full", "univariate"], "wrappers": ["nn"], "seeds": [0]}
    study({**plan, "settings": {"repeats": 1}}, tmp_path / "study")
    capsys.readouterr()
    assert main(["compare", str(tmp_path / "study")]) == 0
    said = capsys.readouterr().out
    assert said.startswith("wine: Error")
