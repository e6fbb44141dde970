"""The first picture comes soon because nothing heavy is imported in the window's process, then or later."""

import json
import linecache
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from fsdesk.app.frame.later_imports import imported_in_turns, package_in_turns

HEAVY = ("pandas", "sklearn", "scipy", "matplotlib")
LATER = ("pyqtgraph", "fsdesk.app.frame.workbench")  # not before the first picture
PROGRAM = """
import json, sys, time
started = time.perf_counter()
from pathlib import Path
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
application = QApplication([])
from fsdesk.app.look.places import Folders
from fsdesk.app.frame.starting import make_window
root = Path(sys.argv[1])
folders = Folders.under(root)
folders.make()
window = make_window(folders, QSettings(str(root / "settings.ini"), QSettings.Format.IniFormat))
window.show()
application.processEvents()
painted = time.perf_counter() - started
at_paint = [name for name in sys.argv[2:] if name in sys.modules]
window.bench
application.processEvents()
after = [name for name in sys.argv[2:] if name in sys.modules]
print(json.dumps({"seconds": painted, "at_paint": at_paint, "with_workbench": after}))
"""


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    place = Path(__file__).parents[2]
    best: dict[str, object] = {}
    for _ in range(2):  # the first one writes the byte code
        folder = tmp_path_factory.mktemp("start")
        command = [sys.executable, "-c", PROGRAM, str(folder), *HEAVY, *LATER]
        done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=True)
        found = json.loads(done.stdout.splitlines()[-1])
        best = found if not best or found["seconds"] < best["seconds"] else best  # type: ignore[operator]
    return best


def test_the_first_picture_comes_without_heavy_imports(start: dict[str, object]) -> None:
    print(f"first paint after {start['seconds']:.2f} s")
    assert start["at_paint"] == []


def test_the_workbench_imports_nothing_heavy_either(start: dict[str, object]) -> None:
    assert start["with_workbench"] == list(LATER)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package that takes 20 ms for each of its three modules."""
    folder = tmp_path / "unhurried"
    folder.mkdir()
    for name in ("first", "second", "third"):
        (folder / f"{name}.py").write_text(f"import time\ntime.sleep(0.02)\n{name} = '{name}'\n", encoding="utf-8")
    lines = ["from .first import *", "early = first", "from .second import *", "from .third import *", "late = third"]
    (folder / "__init__.py").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("unhurried", *(f"unhurried.{name}" for name in ("first", "second", "third"))):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return "unhurried"


def test_a_package_is_imported_in_turns(package: str) -> None:
    assert len(list(package_in_turns(package))) == 3
    module = sys.modules[package]
    assert (module.early, module.late, module.__name__) == ("first", "third", package)
    assert list(package_in_turns(package)) == []


def test_a_package_imported_in_part_is_imported_anew(package: str) -> None:
    turns = package_in_turns(package)
    next(turns)
    assert not hasattr(sys.modules[package], "late")
    turns.close()
    assert package not in sys.modules
    for _ in package_in_turns(package):
        pass
    assert sys.modules[package].late == "third"


def test_sources_that_are_read_while_importing_are_not_kept(qapp: QApplication) -> None:
    linecache.getlines(__file__)
    for _ in imported_in_turns():
        pass
    assert not linecache.cache
