"""The set-up script, loaded from its file, and stand-ins for the machine that it works on."""

import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[3] / "packaging" / "setup.py"


@pytest.fixture
def script() -> ModuleType:
    specification = importlib.util.spec_from_file_location("fsdesk_setup_script", SCRIPT)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


class Commands:
    """Stands in for `finish`: records every command and answers it by the first of the given words that it holds."""

    def __init__(self, script: ModuleType) -> None:
        self.script = script
        self.answers: list[tuple[str, int, str]] = []
        self.seen: list[str] = []
        self.environments: list[Mapping[str, str] | None] = []

    def __call__(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> object:
        line = " ".join(command)
        self.seen.append(line)
        self.environments.append(environment)
        if list(command[1:3]) == ["-m", "venv"]:
            Path(command[3], "lib").mkdir()
        for words, code, output in self.answers:
            if words in line:
                return self.script.Finished(code, output)
        return self.script.Finished(0, "")


@pytest.fixture
def project(script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project folder whose path has a space, with pyproject.toml alone."""
    folder = tmp_path / "my fsdesk"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("[project]\n")
    monkeypatch.setattr(script, "ROOT", folder)
    return folder


@pytest.fixture
def linux(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Debian machine without a screen, without Xvfb and without xdotool."""
    monkeypatch.setattr(script.sys, "platform", "linux")
    monkeypatch.setattr(
        script.shutil, "which", lambda name: None if name in script.TEST_PROGRAMS else f"/usr/bin/{name}"
    )
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def commands(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Commands:
    """Every command that the script would run and wait for; all succeed, silently, unless a test adds answers."""
    stand_in = Commands(script)
    monkeypatch.setattr(script, "finish", stand_in)
    return stand_in


@pytest.fixture
def venv(script: ModuleType, project: Path, commands: Commands) -> Path:
    """The project's own environment, made and stamped, with an interpreter and PySide6's files that are all empty."""
    folder = project / ".venv"
    script.prepare_environment(folder, set())
    files = [f"lib/python3.11/site-packages/PySide6/{name}" for name in (*script.SCREENLESS_FILES, script.X11_FILE)]
    for path in (script.program(folder, "python"), *(folder / name for name in files)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    commands.seen.clear()
    return folder
