"""Times of the window: from the start of its process to the first picture, and until a warm worker answers.

Run it with ``python tests/bench/window.py``; nothing else should be running. The longest stalls of the window under a
thousand measurements a second are printed by ``python -m pytest -s tests/app/test_stalls.py``.
"""

import os
import subprocess
import sys
import tempfile
import time
from statistics import median

PROGRAM = """
import sys, threading, time
from pathlib import Path
started = float(sys.argv[2])
from fsdesk.app import import_window
if __name__ == "__main__":
    import_window()
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
if __name__ == "__main__":
    application = QApplication([])
    from fsdesk.paths import Folders
    from fsdesk.app.start import make_window
    from fsdesk.results.job import warm_task
    root = Path(sys.argv[1])
    folders = Folders.under(root)
    folders.make()
    window = make_window(folders, QSettings(str(root / "settings.ini"), QSettings.Format.IniFormat))
    window.show()
    application.processEvents()
    print(time.time() - started)
    answered = threading.Event()
    pool = window.session.tasks.pool
    pool.submit(warm_task, on_message=lambda message: None, on_end=lambda ended: answered.set())
    answered.wait()
    print(time.time() - started)
    pool.close()
"""


def main(runs: int = 7) -> None:
    """Print medians over some starts, after one to warm up."""
    times: list[list[float]] = []
    environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # each start would compile fsdesk again
    for _ in range(runs + 1):
        with tempfile.TemporaryDirectory() as folder:
            script = f"{folder}/program.py"
            with open(script, "w", encoding="utf-8") as file:  # noqa: PTH123 - spawned workers need a file to import
                file.write(PROGRAM)
            done = subprocess.run(
                [sys.executable, script, folder, str(time.time())],
                capture_output=True,
                text=True,
                check=True,
                env=environment,
            )
            times.append([float(line) for line in done.stdout.split()])
    painted, answered = zip(*times[1:], strict=True)
    print(f"The window, offscreen, shows its first picture after {median(painted):.2f} s ({min(painted):.2f} to "
          f"{max(painted):.2f}); a warm worker answers after {median(answered):.2f} s ({min(answered):.2f} to "
          f"{max(answered):.2f}).")  # fmt: skip


if __name__ == "__main__":
    main()
