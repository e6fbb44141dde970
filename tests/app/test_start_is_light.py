"""The first picture comes soon because nothing heavy is imported in the window's process, then or later."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("pandas", "sklearn", "scipy", "matplotlib")
LATER = ("pyqtgraph", "fsdesk.app.workspace")  # not before the first picture
PROGRAM = """
import json, sys, time
started = time.perf_counter()
from pathlib import Path
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
application = QApplication([])
from fsdesk.paths import Folders
from fsdesk.app.start import make_window
root = Path(sys.argv[1])
folders = Folders.under(root)
folders.make()
window = make_window(folders, QSettings(str(root / "settings.ini"), QSettings.Format.IniFormat))
window.show()
application.processEvents()
painted = time.perf_counter() - started
at_paint = [name for name in sys.argv[2:] if name in sys.modules]
window.workspace
application.processEvents()
import fsdesk.app.forms.study_dialog  # when it is opened
after = [name for name in sys.argv[2:] if name in sys.modules]
print(json.dumps({"seconds": painted, "at_paint": at_paint, "with_workspace": after}))
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


def test_the_workspace_imports_nothing_heavy_either(start: dict[str, object]) -> None:
    assert start["with_workspace"] == list(LATER)
