"""The scripts of the documentation run: as cells of a notebook and in a shell. Their types: `test_typed.py`."""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fsdesk.paths import resource

PAGE = resource("docs/tutorials/script.md")


def block(kind: str) -> str:
    found = re.findall(rf"^```{kind}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(found) == 1
    return str(found[0])


def test_it_has_about_forty_lines() -> None:
    code = [line for line in block("python").splitlines() if line.strip() and not line.startswith("# %%")]
    assert len(code) <= 40


def test_its_cells_run_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cells = re.split(r"^# %%.*\n", block("python"), flags=re.MULTILINE)[1:]
    assert len(cells) == 5
    names: dict[str, object] = {"__name__": "__main__"}
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        for cell in cells:
            exec(compile(cell, "cell", "exec"), names)
    lines = said.getvalue().splitlines()
    assert lines[0].startswith("stopped, with ")
    assert lines[1].startswith("finished: ")
    assert lines[2].startswith("held-out error ")
    assert int(lines[3].split()[0]) > 140
    assert (tmp_path / "report.html").stat().st_size > 10_000
    assert (tmp_path / "confusion.png").is_file()


@pytest.mark.skipif(sys.platform == "win32", reason="a script of a POSIX shell")
def test_the_shell_script_runs(tmp_path: Path) -> None:
    shell = shutil.which("sh")
    assert shell is not None
    variables = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    (tmp_path / "study.sh").write_text(block("sh"), encoding="utf-8")
    done = subprocess.run([shell, "study.sh"], cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert 0 <= float(done.stdout.splitlines()[-1]) < 0.3
    assert {path.name for path in (tmp_path / "paper").iterdir()} == {
        "mask.csv", "report.pdf", "features.csv", "table.csv"
    }  # fmt: skip
    assert (tmp_path / "predicted.csv").is_file()
