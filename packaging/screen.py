"""A screen of its own for an installed program: what is on it, pictures of it, and hands for keyboard and mouse."""

from __future__ import annotations

import os
import struct
import subprocess
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from workshop import BuildError, call

WIDTH, HEIGHT = 1280, 800


class Screen:
    """An Xvfb at work; it keeps its pixels in a file, in the format of xwd."""

    def __init__(self, number: str, folder: Path) -> None:
        self.number = number
        self._file = folder / "Xvfb_screen0"

    def _pixels(self, step: int = 1) -> list[bytes]:
        """Each row of pixels, or each of some; four bytes a pixel: blue, green, red, nothing."""
        with self._file.open("rb") as file:
            head = struct.unpack(">25I", file.read(100))
            start, line = head[0] + 12 * head[19], head[12]
            rows = []
            for row in range(0, HEIGHT, step):
                file.seek(start + row * line)
                rows.append(file.read(4 * WIDTH))
            return rows

    def painted(self) -> float:
        """Return which part of the screen is not black, as a fraction."""
        rows = self._pixels(32)  # few: what waits for a picture must not slow down what paints it
        return 1 - sum(row[1::4].count(0) for row in rows) / (len(rows) * WIDTH)

    def picture(self, path: Path) -> None:
        """Write what is on the screen now as PNG."""
        rows = bytearray()
        for row in self._pixels():
            line = bytearray(3 * WIDTH)
            line[0::3], line[1::3], line[2::3] = row[2::4], row[1::4], row[0::4]
            rows += b"\0" + line
        parts = (
            (b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)),
            (b"IDAT", zlib.compress(rows)),
            (b"IEND", b""),
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n")
            for name, data in parts:
                file.write(struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)))

    def windows(self, title: str) -> list[str]:
        """Ids of the visible windows whose title holds these words."""
        return self._xdotool("search", "--onlyvisible", "--name", title, fails=True).split()

    def press(self, window: str, *keys: str) -> None:
        """Press keys in a window, one after the other."""
        self._xdotool("windowfocus", window)
        for key in keys:
            time.sleep(0.6)
            self._xdotool("key", "--clearmodifiers", key)

    def click(self, x: int, y: int) -> None:
        """Click on a place of the screen."""
        self._xdotool("mousemove", str(x), str(y), "click", "1")
        time.sleep(0.6)

    def _xdotool(self, *words: str, fails: bool = False) -> str:
        return call("xdotool", *words, env={"DISPLAY": self.number}, fails=fails, timeout=60)


@contextmanager
def screen(folder: Path) -> Iterator[Screen]:
    """Start a black screen; it ends with the block."""
    folder.mkdir(parents=True, exist_ok=True)
    read, write = os.pipe()
    server = subprocess.Popen(
        [
            *("Xvfb", "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24"),
            *("-nolisten", "tcp", "-ac", "-fbdir", str(folder)),
        ],
        pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    with os.fdopen(read) as numbers:
        number = numbers.readline().strip()
    try:
        yield Screen(f":{number}", folder)
    finally:
        server.terminate()
        server.wait()


def wait_until(condition: Callable[[], object], event: str, seconds: float = 120, every: float = 0.02) -> float:
    """Wait for something; return how long it took.

    Raises
    ------
    BuildError
        Where it does not happen in time.
    """
    started = time.monotonic()
    while not condition():
        if time.monotonic() - started > seconds:
            raise BuildError(f"In {seconds:.0f} s it did not come about that {event}.")
        time.sleep(every)
    return time.monotonic() - started
