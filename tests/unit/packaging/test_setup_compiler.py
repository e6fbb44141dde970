"""The set-up script gets a compiler for the kernels where there is none, and builds them again when they changed."""

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture
def bare(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Debian machine without a compiler, whose Python has headers."""
    monkeypatch.setattr(script.sys, "platform", "linux")
    monkeypatch.setattr(script.shutil, "which", lambda name: "/usr/bin/apt-get" if name == "apt-get" else None)
    monkeypatch.setattr(script.sysconfig, "get_path", lambda _name: str(Path(__file__).parent))
    monkeypatch.setattr(script.Path, "exists", lambda path: path.name == "Python.h" or path.is_file() or path.is_dir())
    monkeypatch.delenv("CXX", raising=False)


def test_a_machine_with_a_compiler_needs_nothing(
    script: ModuleType, project: Path, commands: Any, bare: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CXX", "clang++")
    assert script.compiler_variables(project / ".venv", is_root=True) == {}
    assert commands.seen == []


def test_root_on_debian_gets_the_compiler_of_the_system(
    script: ModuleType, project: Path, commands: Any, bare: None
) -> None:
    assert script.compiler_variables(project / ".venv", is_root=True) == {}
    assert [line.split()[-1] for line in commands.seen] == ["g++"]


def test_a_user_gets_a_compiler_among_the_packages(
    script: ModuleType, project: Path, commands: Any, bare: None
) -> None:
    venv = project / ".venv"
    (venv / "bin").mkdir(parents=True)
    variables = script.compiler_variables(venv, is_root=False)
    assert any("pip install --no-input ziglang" in line for line in commands.seen)
    assert variables["CXX"] == str(venv / "bin" / "fsdesk-c++")
    assert "ziglang c++" in Path(variables["CXX"]).read_text("utf-8")
    assert Path(variables["CXX"]).stat().st_mode & 0o111


def test_a_user_whom_no_compiler_reaches_is_told_what_to_install(
    script: ModuleType, project: Path, commands: Any, bare: None
) -> None:
    commands.answers.append(("ziglang", 1, "no network"))
    with pytest.raises(script.SetupError, match=r"need a C\+\+ compiler: install g\+\+ or clang"):
        script.compiler_variables(project / ".venv", is_root=False)


def test_missing_headers_are_installed_or_named(
    script: ModuleType, project: Path, commands: Any, bare: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(script.Path, "exists", lambda path: path.is_file() or path.is_dir())
    version = ".".join(map(str, script.sys.version_info[:2]))
    assert script.compiler_variables(project / ".venv", is_root=True) == {}
    assert commands.seen[-1].endswith(f"g++ libpython{version}-dev")
    with pytest.raises(script.SetupError, match=rf"apt-get install g\+\+ libpython{version}-dev"):
        script.compiler_variables(project / ".venv", is_root=False)


def test_a_changed_source_of_the_kernels_is_built_again(
    script: ModuleType, project: Path, venv: Path, commands: Any
) -> None:
    script.prepare_environment(venv, set())
    assert commands.seen == []
    (project / script.KERNELS).mkdir(parents=True)
    (project / script.KERNELS / "cart.cpp").write_text("int x;")
    script.prepare_environment(venv, set())
    assert any("pip install" in line for line in commands.seen)
