"""The first picture comes soon because nothing heavy is imported in the window's process, then or later."""

import json
import os
import subprocess
import sys
from pathlib import Path

HEAVY = ("pandas", "sklearn", "scipy", "matplotlib", "jinja2")
LATER = ("pyqtgraph", "fsdesk.app.workspace")  # not before the first picture
PROGRAM = """
import json, sys
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
at_paint = [name for name in sys.argv[2:] if name in sys.modules]
for page in ("data", "search", "result", "compare"):
    window.show_page(page)
application.processEvents()
import fsdesk.app.forms.study_dialog  # when it is opened
after = [name for name in sys.argv[2:] if name in sys.modules]
print(json.dumps({"at_paint": at_paint, "with_workspace": after}))
"""


def test_neither_the_first_picture_nor_the_workspace_imports_anything_heavy(tmp_path: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", PROGRAM, str(tmp_path), *HEAVY, *LATER]
    place = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == {"at_paint": [], "with_workspace": list(LATER)}
