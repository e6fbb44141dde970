"""A watch over the thread of a window: its stalls with what it was doing, and the memory of all its processes."""

import gc
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

import psutil
from PySide6.QtCore import QObject, Qt, QTimer

__all__ = ["Load", "Stall", "Watch"]

_BEAT_MS = 5
_LATE_SECONDS = 0.02
_SAMPLE_SECONDS = 0.005
_MEMORY_SECONDS = 5.0
_SHOWN_FRAMES = 12
_SOURCES = f"{os.sep}fsdesk{os.sep}"
Stack = tuple[tuple[CodeType, int], ...]


@dataclass
class Stall:
    """The window did not answer for a while.

    Attributes
    ----------
    wall
        Seconds between two beats of the window's timer.
    own
        Seconds of processor time that its thread used meanwhile: what we can mend.
    process
        The same of all threads of its process: others may have held the interpreter.
    collecting
        Seconds of ``own`` in which the interpreter collected garbage.
    """

    doing: str
    at: float
    wall: float
    own: float
    process: float
    collecting: float
    stacks: Counter[Stack] = field(default_factory=Counter)

    def culprit(self) -> str:
        """The innermost function of fsdesk at which its thread was found most often."""
        places: Counter[str] = Counter()
        for stack, count in self.stacks.items():
            ours = next((each for each in stack if _SOURCES in each[0].co_filename), stack[0] if stack else None)
            places[_written((ours,)) if ours else "?"] += count
        return max(places, key=lambda place: places[place], default="not seen")

    def text(self) -> str:
        """A line, and below it where its thread was found most often."""
        head = (
            f"{1000 * self.wall:6.0f} ms, own {1000 * self.own:5.0f} ms, process {1000 * self.process:5.0f} ms, "
            f"garbage {1000 * self.collecting:4.0f} ms, at {self.at:6.1f} s: {self.doing}"
        )
        where = [f"        {count:3d} x {_written(stack)}" for stack, count in self.stacks.most_common(2)]
        return "\n".join([head, *where])


@dataclass(frozen=True)
class Load:
    """Bytes that the window and its workers hold resident by themselves, at a time in seconds."""

    at: float
    window: int
    workers: int


class Watch(QObject):
    """Beats in the thread of the window and looks at it from another one; ``doing`` says what the script does."""

    def __init__(self) -> None:
        super().__init__()
        self.doing = "starting"
        self.stalls: list[Stall] = []
        self.loads: list[Load] = []
        self.started = time.perf_counter()
        self._main = threading.get_ident()
        self._last = (time.perf_counter(), time.thread_time(), time.process_time())
        self._collecting = self._collected = 0.0
        self._stacks: Counter[Stack] = Counter()
        self._timer = QTimer(self, interval=_BEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, name="watch", daemon=True)

    def begin(self) -> None:
        """Watch from now on."""
        gc.callbacks.append(self._on_garbage)
        self._beat()
        self.stalls.clear()
        self._timer.start()
        self._thread.start()

    def end(self) -> None:
        """Watch no longer."""
        self._timer.stop()
        self._over.set()
        self._thread.join()
        gc.callbacks.remove(self._on_garbage)

    def _on_garbage(self, phase: str, _: dict[str, int]) -> None:
        if threading.get_ident() != self._main:
            return
        if phase == "start":
            self._collecting = time.perf_counter()
        else:
            self._collected += time.perf_counter() - self._collecting

    def _beat(self) -> None:
        now = (time.perf_counter(), time.thread_time(), time.process_time())
        wall, own, process = (new - old for new, old in zip(now, self._last, strict=True))
        if wall > _LATE_SECONDS + _BEAT_MS / 1000:
            at = self._last[0] - self.started
            self.stalls.append(Stall(self.doing, at, wall, own, process, self._collected, self._stacks))
        self._stacks, self._collected = Counter(), 0.0
        self._last = now

    def _look(self) -> None:
        due = 0.0
        while not self._over.wait(_SAMPLE_SECONDS):
            now = time.perf_counter()
            if now - self._last[0] > _LATE_SECONDS:
                self._stacks[_stack(self._main)] += 1
            if now > due:
                due = now + _MEMORY_SECONDS
                self.loads.append(load(now - self.started))

    def report(self, limit: float = 0.05, most: int = 10) -> list[str]:
        """The longest stalls by the time that the window's own work took, and the memory."""
        late = [stall for stall in self.stalls if stall.wall > limit]
        own = [stall for stall in self.stalls if stall.own > limit]
        seconds = time.perf_counter() - self.started
        lines = [
            f"{len(late)} stalls over {1000 * limit:.0f} ms in {seconds:.0f} s, {len(own)} by the window's own work"
        ]
        lines += _table(own)
        worst = sorted(own, key=lambda each: -each.own)[:most]
        lines += ["the longest by own work:", *(each.text() for each in worst)]
        lines += ["the longest:", *(each.text() for each in sorted(late, key=lambda each: -each.wall)[:most])]
        lines += [
            f"memory at {each.at:4.0f} s: {_words(each)}" for each in self.loads[:: max(1, len(self.loads) // 12)]
        ]
        return lines


def _table(stalls: Sequence[Stall]) -> list[str]:
    """What the window was doing and where in it, how often that took too long, and how long at worst."""
    groups: dict[tuple[str, str], list[float]] = {}
    for stall in stalls:
        groups.setdefault((stall.doing, stall.culprit()), []).append(1000 * stall.own)
    rows = sorted(groups.items(), key=lambda pair: -max(pair[1]))
    head = f"{'step of the script':40} {'where it was found most often':60} {'times':>5} {'worst':>8}"
    return [head, *(f"{doing:40} {where:60} {len(own):5d} {max(own):5.0f} ms" for (doing, where), own in rows)]


def load(at: float = 0.0) -> Load:
    """What the processes hold now, without what they share."""
    mine = psutil.Process()
    workers = 0
    for child in mine.children(recursive=True):
        try:
            workers += _own_bytes(child)
        except psutil.Error:  # it has just ended
            continue
    return Load(at, _own_bytes(mine), workers)


def _own_bytes(process: psutil.Process) -> int:
    info: Any = process.memory_info()
    return int(info.rss) - int(getattr(info, "shared", 0))


def _words(each: Load) -> str:
    return f"window {each.window / 1e6:5.0f} MB, workers {each.workers / 1e6:5.0f} MB"


def _stack(thread: int) -> Stack:
    """Where a thread is; no frame is kept: a painter in it would stay alive too long."""
    found: list[tuple[CodeType, int]] = []
    at: FrameType | None = sys._current_frames().get(thread)
    while at is not None and len(found) < _SHOWN_FRAMES:
        found.append((at.f_code, at.f_lineno))
        at = at.f_back
    return tuple(found)


def _written(stack: Stack) -> str:
    return " < ".join(f"{code.co_filename.rpartition('/')[2]}:{line} {code.co_name}" for code, line in stack)
