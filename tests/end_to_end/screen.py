"""A screen of its own for the real window, and pictures of it."""

import os
import shutil
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image

WIDTH, HEIGHT = 1280, 800


class Screen:
    """An Xvfb at work; ``number`` is what DISPLAY wants."""

    def __init__(self, number: str, folder: Path) -> None:
        self.number = number
        self._pixels = folder / "Xvfb_screen0"

    def picture(self, path: Path) -> None:
        """Write what is on the screen now as PNG. Xvfb keeps its screen in a file, in the format of xwd."""
        content = self._pixels.read_bytes()
        head = struct.unpack(">25I", content[:100])
        start, (width, height), line = head[0] + 12 * head[19], head[4:6], head[12]
        pixels = np.frombuffer(content, np.uint8, height * line, start).reshape(height, line)[:, : 4 * width]
        red_first = pixels.reshape(height, width, 4)[:, :, 2::-1]
        Image.fromarray(np.ascontiguousarray(red_first)).save(path, compress_level=1)


@contextmanager
def screen(folder: Path) -> Iterator[Screen]:
    """Start a screen without anything on it; it ends with the block."""
    read, write = os.pipe()
    size = f"{WIDTH}x{HEIGHT}x24"
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", size, "-nolisten", "tcp", "-fbdir", str(folder)],
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


def lacking(*programs: str) -> str:
    """Say which of these programs are not installed; "" where all are."""
    missing = [name for name in programs if shutil.which(name) is None]
    return f"not installed: {', '.join(missing)}" if missing else ""
