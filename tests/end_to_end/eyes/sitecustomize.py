"""What a screen reader would find in the window, for the scenarios: Python loads this at the start of each process.

Only where ``FSDESK_EYES`` names a file and there is a window: several times a second, the words and controls that can
be seen are written to that file, each with its place on the screen. The program is the one that users start.
"""

import json
import multiprocessing
import os
import sys
import threading
import time
from pathlib import Path

_LOOK_MS = 200


def _described(widget, window):
    from PySide6.QtWidgets import QLabel

    text = widget.text() if hasattr(widget, "text") and callable(widget.text) else ""
    centre = widget.mapToGlobal(widget.visibleRegion().boundingRect().center())
    return {
        "name": widget.objectName(),
        "words": text.replace("&", "") if isinstance(text, str) else "",
        "spoken": widget.accessibleName(),
        "place": (centre.x(), centre.y()),
        "enabled": widget.isEnabled(),
        "label": isinstance(widget, QLabel),
        "window": int(window.winId()),
    }


def _look(path):
    from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

    windows = [each for each in QApplication.topLevelWidgets() if each.isVisible()]
    front = QApplication.activeModalWidget() or next((each for each in windows if isinstance(each, QMainWindow)), None)
    seen = [
        _described(each, window)
        for window in windows
        for each in window.findChildren(QWidget)
        if each.window() is window and each.isVisible()
        and (each.objectName() or each.accessibleName() or hasattr(each, "text")) and not each.visibleRegion().isEmpty()
    ]  # fmt: skip
    picture = {"seen": seen, "front": int(front.winId()) if front else 0, "title": front.windowTitle() if front else ""}
    part = path.with_suffix(".part")
    part.write_text(json.dumps(picture), encoding="utf-8")
    part.replace(path)


def _open_eyes(path):
    while not hasattr(sys.modules.get("fsdesk.app.start"), "start"):  # two threads must not import Qt at once
        time.sleep(0.05)
        if multiprocessing.parent_process() is not None:  # a worker
            return
    from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer

    class Eyes(QObject):
        """Lives in the thread of the window: it looks from there."""

        def event(self, event):
            if event.type() == QEvent.Type.User:
                self.timer = QTimer(self, interval=_LOOK_MS)
                self.timer.timeout.connect(lambda: _look(path))
                self.timer.start()
            return super().event(event)

    while (application := QCoreApplication.instance()) is None:
        time.sleep(0.05)
    eyes = Eyes()
    eyes.moveToThread(application.thread())
    application.fsdesk_eyes = eyes
    QCoreApplication.postEvent(eyes, QEvent(QEvent.Type.User))


if os.environ.get("FSDESK_EYES") and "multiprocessing.spawn" not in " ".join(sys.orig_argv):
    threading.Thread(target=_open_eyes, args=(Path(os.environ["FSDESK_EYES"]),), daemon=True).start()
