"""What all packaging commands share: where things are, the project's facts, running programs, environments."""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
DIST = ROOT / "dist"
SCRATCH = ROOT / ".build" / "packaging"
LOCKS = HERE / "locks"
ARCHITECTURES = {"amd64": "x86_64", "aarch64": "arm64"}
PYTHON = "3.11"  # of the installers; wheels are for all that pyproject.toml allows

_PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = _PYPROJECT["project"]
FREEZE: list[str] = _PYPROJECT["dependency-groups"]["freeze"]  # PyInstaller, and the formats that installers bring
NAME, VERSION, SUMMARY = PROJECT["name"], PROJECT["version"], PROJECT["description"]


class BuildError(Exception):
    """A step failed; the message is one sentence."""


def say(line: str) -> None:
    """Print one line at once."""
    print(line, flush=True)


@contextmanager
def step(title: str) -> Iterator[None]:
    """Announce a step, and tell how long it took."""
    say(f"-- {title} ...")
    started = time.monotonic()
    yield
    say(f"   {title}: {time.monotonic() - started:.1f} s")


def call(
    *command: str | Path,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
    fails: bool = False,
    timeout: float = 1800,
) -> str:
    """Run a program to its end and return what it printed, errors included.

    Raises
    ------
    BuildError
        Where its exit code is not 0, unless ``fails``.
    """
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words, cwd=cwd, env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", check=False, timeout=timeout,
        )  # fmt: skip
    except FileNotFoundError:
        raise BuildError(f"{words[0]} is not installed; on Debian: packaging/build.py tools") from None
    if done.returncode and not fails:
        raise BuildError(
            f"{done.stdout[-6000:].rstrip()}\n{shlex.join(words)[:300]} ended with exit code {done.returncode}."
        )
    return done.stdout


def fresh(folder: Path) -> Path:
    """Make an empty folder in place of whatever is there."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files in a folder."""
    if path.is_dir():
        return sum(each.lstat().st_size for each in path.rglob("*") if not each.is_dir() or each.is_symlink())
    return path.stat().st_size


def megabytes(path: Path) -> str:
    """Size in words, in units of a million bytes."""
    return f"{size_of(path) / 1e6:.1f} MB"


def target() -> str:
    """Name this machine as the lock files do, such as ``linux-x86_64``."""
    system = {"linux": "linux", "win32": "windows", "darwin": "macos"}[sys.platform]
    machine = platform.machine().lower()
    return f"{system}-{ARCHITECTURES.get(machine, machine)}"


def programs(venv: Path) -> Path:
    """The folder of an environment's programs."""
    return venv / ("Scripts" if os.name == "nt" else "bin")


def python_of(venv: Path) -> Path:
    """The Python of an environment."""
    return programs(venv) / ("python.exe" if os.name == "nt" else "python")


def find_python(version: str) -> Path | None:
    """Find a Python of this version: the system's, which names no folders of its own in what it brings, or another."""
    own = Path(getattr(sys, "_base_executable", None) or sys.executable)
    found = shutil.which(f"python{version}")
    candidates = (
        *(Path(f"/usr/bin/python{version}"), own, *([Path(found)] if found else [])),
        *sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python")),
    )
    for each in candidates:
        if (
            each.exists()
            and call(each, "-c", "import sys; print('%d.%d' % sys.version_info[:2])", fails=True).strip() == version
        ):
            return each
    return None


def environment(name: str, lock: str, python: Path | None = None) -> Path:
    """Return the environment ``name``, which holds just what the lock file says; made anew where that has changed."""
    content = (LOCKS / f"{lock}.txt").read_bytes()
    stamp = f"{hashlib.sha256(content).hexdigest()} {python}"
    venv = SCRATCH / name
    stamped = venv / "fsdesk-lock.txt"
    if stamped.is_file() and stamped.read_text("utf-8") == stamp:
        return venv
    with step(f"environment {name} from packaging/locks/{lock}.txt"):
        shutil.rmtree(venv, ignore_errors=True)
        call(python or find_python(PYTHON) or sys.executable, "-m", "venv", venv)
        call(
            python_of(venv), "-m", "pip", "install", "--no-input", "-q", "--require-hashes", "--only-binary", ":all:",
            "-r", LOCKS / f"{lock}.txt",
        )  # fmt: skip
        stamped.write_text(stamp, "utf-8")
    return venv
