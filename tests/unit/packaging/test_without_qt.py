"""The library and the command line need no Qt and no drawing, and what is missing says how to get it."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[3]
BLOCKED = "import sys; sys.modules.update(dict.fromkeys(('PySide6', 'shiboken6', 'pyqtgraph', 'qasync'))); "
ROWS = "a,b,y\n" + "".join(f"{i % 7}.5,{(3 * i) % 11}.25,{'no' if i % 2 else 'yes'}\n" for i in range(40))


DRAWING = "sys.modules.update(dict.fromkeys(('matplotlib', 'typst', 'PIL', 'fontTools', 'kiwisolver'))); "
MOST_MEGABYTES = 450


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


def test_without_drawing_there_are_numbers_and_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(ROWS, encoding="utf-8")
    command = ["run", "table.csv", "--method", "full", "--wrapper", "nn", "--outer", "0", "--set", "repeats=1"]
    done = python(f"{DRAWING}from fsdesk.cli import main; sys.exit(main({command!r}))", tmp_path)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in (tmp_path / "table-full").iterdir()} >= {"mask.csv", "selected.txt", "result.json"}
    assert not (tmp_path / "table-full" / "report.html").exists()
    assert 'pip install "fsdesk[report]"' in done.stderr
    code = (
        f"{DRAWING}import fsdesk; data = fsdesk.read_table('table.csv'); "
        "result = fsdesk.select(data, method='full', wrapper='nn', settings={'repeats': 1}, outer=0)\n"
        "for draw in (lambda: result.report('made.html'), lambda: result.figure('curve')):\n"
        "    try:\n        draw()\n    except fsdesk.SettingsError as error:\n        print(error)\n"
    )
    said = python(code, tmp_path).stdout.splitlines()
    assert len(said) == 2
    assert all('pip install "fsdesk[report]"' in line for line in said)


def _with_all_they_need(names: list[str]) -> set[str]:
    """Names of some distributions and of all that they need, without extras."""
    found: set[str] = set()
    while names:
        name = re.sub(r"[-_.]+", "-", names.pop()).lower()
        if name in found:
            continue
        found.add(name)
        for line in distribution(name).requires or ():
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                names.append(needed.name)
    return found


def test_the_core_is_small() -> None:
    """What `pip install fsdesk` brings, in megabytes as `du` counts them, compiled Python included."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    sizes = {"fsdesk": 15.0}  # its wheel; here it is editable
    for name in _with_all_they_need([Requirement(line).name for line in project["dependencies"]]):
        try:
            files = distribution(name).files or ()
        except PackageNotFoundError:  # of another system
            continue
        on_disk = [Path(str(file.locate())) for file in files]
        sizes[name] = sum(-(-path.stat().st_size // 4096) * 4096 for path in on_disk if path.is_file()) / 2**20
    total = sum(sizes.values())
    largest = ", ".join(f"{name} {size:.0f}" for name, size in sorted(sizes.items(), key=lambda each: -each[1])[:6])
    print(f"the core: {total:.0f} MB of at most {MOST_MEGABYTES} ({largest})")
    assert total <= MOST_MEGABYTES
    assert not {"matplotlib", "typst", "pillow", "pyside6-essentials", "pyarrow"} & {*sizes}


def test_qt_is_an_extra_that_the_tests_and_the_installers_have() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert not any("qt" in each.lower() or "PySide" in each for each in project["dependencies"])
    app = {"fsdesk[report]", "PySide6-Essentials", "pyqtgraph", "qasync"}
    assert {each.partition(">")[0] for each in extras["app"]} == app
    assert "fsdesk[app,cluster,formats]" in extras["test"]
    for lock in (ROOT / "packaging" / "locks").glob("*-*.txt"):
        text = lock.read_text(encoding="utf-8").lower()
        assert all(f"\n{name}==" in text for name in ("pyside6-essentials", "pyqtgraph", "qasync"))
