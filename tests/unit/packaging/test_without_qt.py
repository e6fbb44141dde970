"""The library and the command line need no Qt, and the window says how to get it."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
BLOCKED = "import sys; sys.modules.update(dict.fromkeys(('PySide6', 'shiboken6', 'pyqtgraph', 'qasync'))); "
ROWS = "a,b,y\n" + "".join(f"{i % 7}.5,{(3 * i) % 11}.25,{'no' if i % 2 else 'yes'}\n" for i in range(40))


def python(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BLOCKED + code], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("arguments", [[], ["--smoke"], ["table.csv"], ["open"], ["--sample", "wine"]])
def test_the_window_says_how_to_get_it(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "table.csv").write_text(ROWS, encoding="utf-8")
    done = python(f"from fsdesk.cli import main; sys.exit(main({arguments!r}))", tmp_path)
    assert done.returncode == 2
    assert 'pip install "fsdesk[app]"' in done.stderr
    assert "Traceback" not in done.stderr


def test_the_library_and_the_command_line_work_without_qt(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(ROWS, encoding="utf-8")
    command = ["run", "table.csv", "--method", "full", "--wrapper", "nn", "--outer", "0", "--set", "repeats=1"]
    done = python(f"from fsdesk.cli import main; sys.exit(main({command!r}))", tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "table-full" / "report.html").is_file()
    code = (
        "import fsdesk; data = fsdesk.read_table('table.csv'); "
        "result = fsdesk.select(data, method='full', wrapper='nn', settings={'repeats': 1}, outer=0); "
        "print(len(fsdesk.predict(result, data.frame).predicted), result.report('made.html'))"
    )
    assert python(code, tmp_path).stdout.split() == ["40", "made.html"]


def test_qt_is_an_extra_that_the_tests_and_the_installers_have() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert not any("qt" in each.lower() or "PySide" in each for each in project["dependencies"])
    assert {each.partition(">")[0] for each in extras["app"]} == {"PySide6-Essentials", "pyqtgraph", "qasync"}
    assert "fsdesk[app,cluster,formats]" in extras["test"]
    for lock in (ROOT / "packaging" / "locks").glob("*-*.txt"):
        text = lock.read_text(encoding="utf-8").lower()
        assert all(f"\n{name}==" in text for name in ("pyside6-essentials", "pyqtgraph", "qasync"))
