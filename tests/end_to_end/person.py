"""A person at the screen: starts the real program, reads what it shows, and uses keyboard and mouse, nothing else."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from .screen import Screen

PATIENCE = 240  # seconds; a busy machine may have to compile a model first
_PROGRAM = ["-m", "fsdesk"]
_WINDOW = ["-c", "import sys; from fsdesk.app import main; sys.exit(main())"]  # fsdesk-window
_EYES = Path(__file__).parent / "eyes"
_ROOT = Path(__file__).resolve().parents[2]
_ATTEMPTS = 10  # to give the keys to a window


class Person:
    """Every sentence of a scenario is a method; what is seen is also kept as a picture.

    Attributes
    ----------
    actions
        How many keys were pressed, texts typed and controls clicked since :meth:`starts`.
    """

    def __init__(self, screen: Screen, home: Path, pictures: Path) -> None:
        self.screen, self.home, self._pictures = screen, home, pictures
        self.actions, self._started_at = 0, 0.0
        self._program: subprocess.Popen[str] | None = None
        self._eyes = home / f"seen-{id(self)}.json"

    @property
    def seconds(self) -> float:
        """Time since the program was started."""
        return time.monotonic() - self._started_at

    def starts(self, *arguments: str | Path, new: bool = False) -> None:
        """Start the program as at a prompt in the home folder; the tour of a ``new`` user has been seen by others."""
        settings = self.home / "config" / "fsdesk" / "fsdesk.ini"
        if not new and not settings.exists():
            settings.parent.mkdir(parents=True)
            settings.write_text("[tour]\nseen=yes\n")
        kept = {name: value for name, value in os.environ.items() if name not in ("WAYLAND_DISPLAY", "QT_SCALE_FACTOR")}
        folders = {f"XDG_{kind.upper()}_HOME": str(self.home / kind) for kind in ("data", "cache", "state", "config")}
        environment = {
            **kept, **folders, "HOME": str(self.home), "DISPLAY": self.screen.number, "QT_QPA_PLATFORM": "xcb",
            "PYTHONPATH": os.pathsep.join(map(str, (_EYES, _ROOT))), "FSDESK_EYES": str(self._eyes),
        }  # fmt: skip
        self._eyes.unlink(missing_ok=True)
        self.actions, self._started_at = 0, time.monotonic()
        with (self.home / "said.txt").open("a") as said:
            self._program = subprocess.Popen(
                [sys.executable, *(_WINDOW if arguments else _PROGRAM), *map(str, arguments)],
                env=environment, cwd=self.home, stdout=said, stderr=said, text=True,
            )  # fmt: skip

    def presses(self, keys: str) -> None:
        """Press keys in the front window of the program, such as ``ctrl+o``."""
        self.actions += 1
        self._focus()
        self._use("key", "--clearmodifiers", keys)

    def types(self, text: str | Path) -> None:
        """Type a text into the front window of the program."""
        self.actions += 1
        self._focus()
        self._use("type", "--delay", "8", str(text))

    def clicks(self, words: str) -> None:
        """Click on the control with these words (or of this name)."""
        found: list[dict[str, Any]] = []

        def can_be_clicked() -> bool:
            found[:] = [each for each in self._named(words) if each["enabled"]]
            return bool(found)

        self._waits(can_be_clicked, f'can click on "{words}"')
        self.actions += 1
        x, y = found[-1]["place"]
        self._use("windowraise", str(found[-1]["window"]), "sleep", "0.1", "mousemove", str(x), str(y), "click", "1")

    def sees(self, pattern: str, seconds: float = PATIENCE) -> str:
        """Wait until these words can be read in the window (a regular expression); return the whole text."""
        read: list[str] = []

        def can_be_read() -> bool:
            read[:] = [text for text in self._texts() if re.search(pattern, text)]
            return bool(read)

        self._waits(can_be_read, f'sees "{pattern}"', seconds)
        self.takes_a_picture(pattern)
        return read[0]

    def sees_no(self, pattern: str) -> None:
        """Wait until these words cannot be read in the window any more."""
        self._waits(lambda: not any(re.search(pattern, text) for text in self._texts()), f'does not see "{pattern}"')
        self.takes_a_picture(f"no {pattern}")

    def can_use(self, name: str) -> None:
        """Wait until the control of this name can be used."""
        self._waits(lambda: any(each["enabled"] for each in self._named(name)), f"can use {name}")
        self.takes_a_picture(f"can use {name}")

    def finds_file(self, path: Path) -> str:
        """Wait until this file is there; return its text."""
        self._waits(path.is_file, f"finds {path.name}")
        return path.read_text(encoding="utf-8")

    def kills_the_program(self) -> None:
        """What a power cut or the task manager does."""
        assert self._program is not None
        self._program.send_signal(signal.SIGKILL)
        self._program.wait()

    def leaves(self) -> None:
        """End what still runs."""
        if self._program is not None and self._program.poll() is None:
            self._program.terminate()
            try:
                self._program.wait(20)
            except subprocess.TimeoutExpired:
                self._program.kill()
                self._program.wait()

    def takes_a_picture(self, title: str) -> None:
        """Keep what is on the screen, numbered."""
        time.sleep(0.15)  # what is known to be shown is drawn a moment later
        taken = len(list(self._pictures.glob("*.png"))) + 1
        name = re.sub(r"\W+", " ", title).strip()[:60]
        self.screen.picture(self._pictures / f"{taken:02} {name}.png")

    def _waits(self, condition: Any, words: str, seconds: float = PATIENCE) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            assert self._program is not None
            if self._program.poll() is not None or time.monotonic() > deadline:
                self.takes_a_picture(f"in vain {words}")
                said = (self.home / "said.txt").read_text()
                ended = self._program.poll()
                raise AssertionError(f"nobody {words}; the window says {self._texts()}; exit {ended}; it said: {said}")
            time.sleep(0.1)

    def _texts(self) -> list[str]:
        seen = self._look()
        return [seen["title"], *(text for each in seen["seen"] for text in (each["words"], each["spoken"]) if text)]

    def _named(self, words: str) -> list[dict[str, Any]]:
        return [each for each in self._look()["seen"] if not each["label"] and words in (each["words"], each["name"])]

    def _look(self) -> dict[str, Any]:
        try:
            seen: dict[str, Any] = json.loads(self._eyes.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {"seen": [], "front": 0, "title": ""}
        return seen

    def _focus(self) -> None:
        """Give the keys to the front window; X refuses while one is just being shown or has just gone."""
        for attempt in range(_ATTEMPTS):
            try:
                self._use("windowfocus", str(self._look()["front"]), "sleep", "0.1")
            except subprocess.CalledProcessError:
                if attempt == _ATTEMPTS - 1:
                    raise
                time.sleep(0.5)
            else:
                return

    def _use(self, *arguments: str) -> None:
        subprocess.run(
            ["xdotool", *arguments], env={**os.environ, "DISPLAY": self.screen.number}, check=True, timeout=60
        )
