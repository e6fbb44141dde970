"""A watch over the thread of a window: its stalls with what it was doing, and the memory of all its processes."""

import contextlib
import gc
import os
import subprocess
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

_BARE = """
import sys, threading, time
over = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), over.set()), daemon=True).start()
gaps, last = [], time.perf_counter()
while not over.is_set():
    time.sleep(0.005)
    now = time.perf_counter()
    gaps.append(now - last)
    last = now
late = [gap for gap in gaps if gap > 0.2]
print(len(late), max(gaps))
"""


@dataclass(frozen=True)
class _Times:
    """Seconds: of the clock, of processor time of the thread and of its process, waited for a core, and stolen."""

    wall: float
    own: float
    process: float
    queued: float
    stolen: float

    def since(self, other: "_Times") -> "_Times":
        """What has gone by."""
        return _Times(self.wall - other.wall, self.own - other.own, self.process - other.process,
                      self.queued - other.queued, self.stolen - other.stolen)  # fmt: skip


class _Clock:
    """Reads the times of the thread that makes it; what only Linux tells is 0 elsewhere."""

    def __init__(self) -> None:
        self._files: list[int] = []
        with contextlib.suppress(OSError):
            self._files = [
                os.open(path, os.O_RDONLY)
                for path in (f"/proc/self/task/{threading.get_native_id()}/schedstat", "/proc/stat")
            ]
        self._tick = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100

    def now(self) -> _Times:
        queued = stolen = 0.0
        if len(self._files) == 2:
            queued = int(os.pread(self._files[0], 100, 0).split()[1]) / 1e9
            stolen = int(os.pread(self._files[1], 200, 0).split(maxsplit=9)[8]) / self._tick
        return _Times(time.perf_counter(), time.thread_time(), time.process_time(), queued, stolen)


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
    queued
        Seconds in which its thread could have gone on, but every core was at work for others.
    stolen
        Seconds that the machine itself was not given, over all cores, in steps of 10 ms.
    collecting
        Seconds of ``own`` in which the interpreter collected garbage.
    stacks, others
        Where its thread was found how often, and other threads that were at work.
    """

    doing: str
    at: float
    wall: float
    own: float
    process: float
    queued: float
    stolen: float
    collecting: float
    stacks: Counter[Stack] = field(default_factory=Counter)
    others: Counter[Stack] = field(default_factory=Counter)

    @property
    def rest(self) -> float:
        """Seconds in which its thread waited for something else: the interpreter, another process, the disk."""
        return max(0.0, self.wall - self.own - self.queued)

    @property
    def cause(self) -> str:
        """What took most of it."""
        parts = {"own work": self.own, "waiting for a core": self.queued, "waiting for something else": self.rest}
        return max(parts, key=lambda name: parts[name])

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
            f"{1000 * self.wall:6.0f} ms, own {1000 * self.own:4.0f}, waiting for a core {1000 * self.queued:4.0f}, "
            f"for something else {1000 * self.rest:4.0f}; process {1000 * self.process:4.0f}, "
            f"stolen {1000 * self.stolen:3.0f}, "
            f"garbage {1000 * self.collecting:3.0f}, at {self.at:6.1f} s: {self.doing}"
        )
        where = [f"        {count:3d} x {_written(stack)}" for stack, count in self.stacks.most_common(2)]
        beside = [
            f"        {count:3d} x beside it {_written(stack[:4])}" for stack, count in self.others.most_common(2)
        ]
        return "\n".join([head, *where, *beside])


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
        self._clock = _Clock()
        self._last = self._clock.now()
        self._collecting = self._collected = 0.0
        self._stacks: Counter[Stack] = Counter()
        self._others: Counter[Stack] = Counter()
        self._moved: dict[int, Stack] = {}
        self._bare: subprocess.Popen[str] | None = None
        self._bare_said = ""
        self._timer = QTimer(self, interval=_BEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, name="watch", daemon=True)

    def begin(self) -> None:
        """Watch from now on."""
        gc.callbacks.append(self._on_garbage)
        self._bare = subprocess.Popen(
            [sys.executable, "-c", _BARE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._beat()
        self.stalls.clear()
        self._timer.start()
        self._thread.start()

    def end(self) -> None:
        """Watch no longer."""
        self._timer.stop()
        self._over.set()
        self._thread.join()
        if self._bare is not None:
            late, longest = self._bare.communicate()[0].split()
            self._bare_said = (
                f"a timer of a process that does nothing: {late}, the longest {1000 * float(longest):.0f} ms"
            )
        gc.callbacks.remove(self._on_garbage)

    def _on_garbage(self, phase: str, _: dict[str, int]) -> None:
        if threading.get_ident() != self._main:
            return
        if phase == "start":
            self._collecting = time.perf_counter()
        else:
            self._collected += time.perf_counter() - self._collecting

    def _beat(self) -> None:
        now = self._clock.now()
        gone = now.since(self._last)
        if gone.wall > _LATE_SECONDS + _BEAT_MS / 1000:
            at = self._last.wall - self.started
            self.stalls.append(
                Stall(self.doing, at, gone.wall, gone.own, gone.process, gone.queued, gone.stolen, self._collected,
                      self._stacks, self._others)
            )  # fmt: skip
        self._stacks, self._others, self._collected = Counter(), Counter(), 0.0
        self._last = now

    def _look(self) -> None:
        due = 0.0
        while not self._over.wait(_SAMPLE_SECONDS):
            now = time.perf_counter()
            if now - self._last.wall > _LATE_SECONDS:
                self._sample()
            if now > due:
                due = now + _MEMORY_SECONDS
                self.loads.append(load(now - self.started))

    def _sample(self) -> None:
        """Where the thread of the window is, and those others that have moved since the last time."""
        self._stacks[_stack(self._main)] += 1
        before, self._moved = self._moved, {}
        for thread in sys._current_frames().keys() - {self._main, threading.get_ident()}:
            stack = self._moved[thread] = _stack(thread)
            if stack != before.get(thread, stack):
                self._others[stack] += 1

    def report(self, limit: float = 0.2, most: int = 10) -> list[str]:
        """The longest stalls by the time that the window's own work took, and the memory."""
        late = [stall for stall in self.stalls if stall.wall > limit]
        own = [stall for stall in self.stalls if stall.own > limit]
        seconds = time.perf_counter() - self.started
        lines = [
            f"{len(late)} stalls over {1000 * limit:.0f} ms in {seconds:.0f} s, {len(own)} by the window's own work"
        ]
        causes = Counter(stall.cause for stall in late)
        lines += [f"most of it was {cause}: {count}" for cause, count in causes.most_common()]
        lines += [self._bare_said, *_table(own)]
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
