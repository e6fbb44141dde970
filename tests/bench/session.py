"""Somebody who uses everything in the real window while eight searches of 20,000 genes go on: how long it stalls.

    python tests/bench/session.py --minutes 10 --seed 0

What is used next is drawn at random from all controls in sight and all commands. A stall is what keeps the window's
thread from its timer; "own" is the processor time of that thread meanwhile, which a busy machine does not change. The
goal is that of the project: none over 200 ms by the window's own work.
"""

import argparse
import asyncio
import gc
import itertools
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import qasync
from PySide6.QtCore import QObject, QPoint, QPointF, QSettings, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QGraphicsView,
    QLineEdit,
    QMenu,
    QTableView,
    QWidget,
)

from fsdesk.app.plots.heatmap import Heatmap
from fsdesk.app.start import make_window
from fsdesk.app.window import MainWindow
from fsdesk.engine import RunRequest
from fsdesk.paths import Folders

_BEAT_MS, _LATE_SECONDS, _SAMPLE_SECONDS = 5, 0.02, 0.005
_PAUSE_SECONDS = 0.15
_SHORT, _LONG = 3, 5  # runs
_SOURCES = f"{os.sep}fsdesk{os.sep}"
# They end the session, stop its searches, leave the program, or write where they should not.
_LEFT_ALONE = {"close", "quit", "stop", "newer", "log", "study", "cluster", "openml", "open", "reset"}
_LEFT_ALONE_BUTTONS = {"stopButton", "tool_stop", "tool_open", "lookUpFeature", "messageLink", "runButton", "tool_run"}
_TEXTS = ("m", "marker", "gene_00", "gene_1", "")
_KEYS = (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_Plus, Qt.Key.Key_0)
_SIZES = ((1600, 1000), (1000, 700), (1280, 800))
Use = tuple[str, Callable[[], object]]
"""What is done, in words, and the doing."""


@dataclass
class Stall:
    """The window did not answer: what was done, seconds of the clock and of its thread, and where that was found."""

    doing: str
    wall: float
    own: float
    places: Counter[str] = field(default_factory=Counter)


class Watch(QObject):
    """Beats in the thread of the window and looks at it from another one; ``doing`` says what is done."""

    def __init__(self) -> None:
        super().__init__()
        self.doing, self.stalls = "starting", list[Stall]()
        self._main = threading.get_ident()
        self._last = time.perf_counter(), time.thread_time()
        self._places: Counter[str] = Counter()
        self._timer = QTimer(self, interval=_BEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, name="watch", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Watch no longer."""
        self._timer.stop()
        self._over.set()
        self._thread.join()

    def _beat(self) -> None:
        before, self._last = self._last, (time.perf_counter(), time.thread_time())
        wall, own = (now - then for now, then in zip(self._last, before, strict=True))
        if wall > _LATE_SECONDS + _BEAT_MS / 1000:
            self.stalls.append(Stall(self.doing, wall, own, self._places))
        self._places = Counter()

    def _look(self) -> None:
        while not self._over.wait(_SAMPLE_SECONDS):
            if time.perf_counter() - self._last[0] > _LATE_SECONDS:
                self._places[self._place()] += 1

    def _place(self) -> str:
        """The innermost function of fsdesk in which the window's thread is."""
        frame = sys._current_frames().get(self._main)
        while frame is not None and _SOURCES not in frame.f_code.co_filename:
            frame = frame.f_back
        return (
            "Qt" if frame is None else f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno} {frame.f_code.co_name}"
        )

    def report(self, limit: float = 0.2, most: int = 10) -> None:
        """Print how many stalls there were, and the longest."""
        late = [stall for stall in self.stalls if stall.wall > limit]
        own = [stall for stall in self.stalls if stall.own > limit]
        print(f"{len(late)} stalls over {1000 * limit:.0f} ms, {len(own)} of them by the window's own work")
        for stall in sorted(self.stalls, key=lambda each: -each.own)[:most]:
            places = ", ".join(f"{count} x {place}" for place, count in stall.places.most_common(3))
            print(f"own {1000 * stall.own:5.0f} ms, wall {1000 * stall.wall:5.0f} ms: {stall.doing} ({places})")


def plans() -> list[RunRequest]:
    """A few searches that end, the others as long as the session."""
    few = {"method.max_iterations": 150}
    made = [RunRequest(method="bspsa", seed=seed, settings=few) for seed in range(_SHORT)]
    kinds = [("bspsa", "nn"), ("cspsa", "nn"), ("bga", "nn"), ("bspsa", "svm"), ("random", "nn")]
    for seed, (method, wrapper) in zip(range(_LONG), itertools.cycle(kinds), strict=False):
        settings: dict[str, Any] = {"measuring.repeats": 2}
        if method in ("bspsa", "cspsa"):
            settings["method.max_iterations"] = 100_000
        made.append(RunRequest(method=method, wrapper=wrapper, seed=100 + seed, settings=settings))
    return made


def uses(window: MainWindow, rng: np.random.Generator) -> Iterator[Use]:
    """All that can be done now: in a dialog or menu that is open, else in the window."""
    tops = [each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog | QMenu) and each.isVisible()]
    if tops:
        yield from [(f"closing {each.objectName()}", each.close) for each in tops] * 3
    else:
        for name, action in window.actions_.by_name.items():
            if action.isEnabled() and name not in _LEFT_ALONE:
                yield f"command {name}", action.trigger
        for theme in window.actions_.themes.actions():
            yield theme.objectName(), theme.trigger
        for size in _SIZES:
            yield f"size {size[0]} x {size[1]}", lambda size=size: window.resize(*size)
    for control in (tops[-1] if tops else window).findChildren(QWidget):
        if control.isVisible() and control.isEnabled() and not control.visibleRegion().isEmpty():
            name = control.objectName() or control.parentWidget().objectName()
            for words, do in _uses_of(control, rng, buttons=not tops):
                yield f"{words} {name}", do


def _uses_of(control: QWidget, rng: np.random.Generator, *, buttons: bool) -> Iterator[Use]:
    """What can be done with a control; buttons of dialogs are left alone, but for their closing."""
    if isinstance(control, QAbstractButton):
        if buttons and control.objectName() not in _LEFT_ALONE_BUTTONS:
            yield "button", control.click
    elif isinstance(control, QComboBox):
        yield "list", lambda: _choose(control, int(rng.integers(max(1, control.count()))))
    elif isinstance(control, QAbstractSpinBox):
        yield "step of", lambda: control.stepBy(int(rng.choice((-1, 1))))
    elif isinstance(control, QLineEdit):
        if not isinstance(control.parentWidget(), QAbstractSpinBox):
            yield "text in", lambda: control.setText(str(rng.choice(_TEXTS)))
    elif isinstance(control, QAbstractItemView):
        rows = control.model().rowCount() if control.model() is not None else 0
        yield "wheel over", lambda: _wheel(control.viewport())
        if rows:
            yield "row of", lambda: control.setCurrentIndex(control.model().index(int(rng.integers(rows)), 0))
            yield "all of", control.selectAll
        if isinstance(control, QTableView) and control.isSortingEnabled():
            columns = control.model().columnCount()
            yield "sorting", lambda: control.sortByColumn(int(rng.integers(columns)), Qt.SortOrder.DescendingOrder)
    elif isinstance(control, QGraphicsView | Heatmap):
        target = control.viewport() if isinstance(control, QGraphicsView) else control
        place = QPoint(*(int(rng.integers(max(1, side))) for side in (target.width(), target.height())))
        yield "wheel over", lambda: _wheel(target)
        yield "pointer over", lambda: _point(target, place)
        yield "key in", lambda: _press(control, Qt.Key(rng.choice(_KEYS)))


def _choose(box: QComboBox, place: int) -> None:
    box.setCurrentIndex(place)
    box.activated.emit(place)


def _wheel(target: QWidget) -> None:
    middle, none = QPointF(target.rect().center()), Qt.MouseButton.NoButton
    event = QWheelEvent(middle, QPointF(target.mapToGlobal(middle)), QPoint(0, 0), QPoint(0, -120), none,
                        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False)  # fmt: skip
    QApplication.sendEvent(target, event)


def _point(target: QWidget, at: QPoint) -> None:
    """Move the pointer there; what Qt's own tests do would run other tasks inside of this one."""
    none, kind = Qt.MouseButton.NoButton, QMouseEvent.Type.MouseMove
    here, there = QPointF(at), QPointF(target.mapToGlobal(at))
    QApplication.sendEvent(target, QMouseEvent(kind, here, there, none, none, Qt.KeyboardModifier.NoModifier))


def _press(target: QWidget, key: Qt.Key) -> None:
    for kind in (QKeyEvent.Type.KeyPress, QKeyEvent.Type.KeyRelease):
        QApplication.sendEvent(target, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier))


async def play(window: MainWindow, watch: Watch, minutes: float, rng: np.random.Generator) -> None:
    """Open the genes, begin the searches, and use everything meanwhile."""
    session = window.session
    window.open_sample("genes")
    while session.loader.dataset is None:
        await asyncio.sleep(0.02)
    watch.doing = "queueing the runs"
    session.run_actions.set_at_once(3)
    await session.run_actions.launch_all(plans())
    while not any(run.state.best is not None for run in session.runs):
        await asyncio.sleep(0.02)
    done: Counter[str] = Counter()
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        every = list(uses(window, rng))
        fewest = min(done[words] for words, _ in every)
        rare = [each for each in every if done[each[0]] == fewest]
        watch.doing, do = rare[int(rng.integers(len(rare)))]
        done[watch.doing] += 1
        QTimer.singleShot(0, do)  # not in this task: a menu has an event loop of its own
        await asyncio.sleep(_PAUSE_SECONDS)  # what it has led to
    print(f"{done.total()} uses of {len(done)} kinds")


def main() -> None:
    """Play, and print the stalls."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    application = QApplication(sys.argv[:1])
    loop = qasync.QEventLoop(application)
    with tempfile.TemporaryDirectory(prefix="fsdesk-session-") as place, loop:
        root = Path(place)
        os.chdir(root)  # what is written without a folder
        folders = Folders.under(root)
        folders.make()
        window = make_window(folders, QSettings(str(root / "settings.ini"), QSettings.Format.IniFormat))
        window.show()
        window.prepare()
        gc.freeze()
        window.start_autosave()
        watch = Watch()

        async def scene() -> None:
            warming = asyncio.ensure_future(window.session.warm())
            try:
                await play(window, watch, asked.minutes, np.random.default_rng(asked.seed))
            finally:
                watch.end()
                watch.report()
                print("\n".join(each.sentence for each in window.messages.messages if each.role == "error"))
                warming.cancel()
                await window.session.close()
                window.hide()

        loop.run_until_complete(scene())


if __name__ == "__main__":
    main()
