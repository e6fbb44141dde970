"""The set-up script makes the environment once and starts the two commands. Nothing is downloaded here."""

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "packaging" / "setup.py"


def test_a_python_too_old_is_told_in_one_sentence(script: ModuleType) -> None:
    with pytest.raises(script.SetupError, match=r"needs Python 3\.11 or newer and this is Python 3\.9"):
        script.check_python((3, 9))
    script.check_python((3, 11))
    script.check_python((4, 0))


def test_a_python_without_venv_is_told_which_package(
    script: ModuleType, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(script.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(script.SetupError, match="apt-get install python3-venv"):
        script.build_venv(project / ".venv")
    assert not (project / ".venv").exists()


def test_the_environment_is_beside_the_readme_or_where_the_user_says(script: ModuleType, tmp_path: Path) -> None:
    assert script.environment_folder({}) == ROOT / ".venv"
    assert script.environment_folder({"FSDESK_VENV": str(tmp_path)}) == tmp_path
    assert script.environment_folder({"FSDESK_VENV": "here"}) == Path.cwd() / "here"


def test_a_first_start_makes_and_installs_and_a_second_does_nothing(
    script: ModuleType, project: Path, commands: Any
) -> None:
    script.prepare_environment(project / ".venv", {"test"})
    assert [line.split(" -m ")[1] for line in commands.seen] == [
        f"venv {project / '.venv'}",
        "pip install --no-input -e .[test]",
    ]
    script.program(project / ".venv", "python").parent.mkdir()
    script.program(project / ".venv", "python").touch()
    commands.seen.clear()
    script.prepare_environment(project / ".venv", {"test"})
    script.prepare_environment(project / ".venv", set())
    assert commands.seen == []


def test_the_second_command_adds_what_tests_need_and_a_change_keeps_it(
    script: ModuleType, project: Path, venv: Path, commands: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    script.prepare_environment(venv, {"test"})
    (project / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    script.prepare_environment(venv, set())
    assert [line.split("pip install ")[1] for line in commands.seen if "pip install" in line] == (
        ["--no-input -e .[test]"] * 2
    )
    assert not any("-m venv" in line for line in commands.seen)
    assert capsys.readouterr().out.splitlines() == ["Updating the environment ..."] * 2


@pytest.mark.parametrize(
    "damage", ["interrupted", "no packages", "no stamp", "broken stamp", "no interpreter", "moved", "Python", "pip"]
)
def test_an_environment_that_is_not_whole_is_made_again(
    script: ModuleType, project: Path, venv: Path, commands: Any, damage: str
) -> None:
    stamp = json.loads((venv / script.STAMP).read_text())
    (venv / "left over").touch()
    if damage == "interrupted":
        (project / "pyproject.toml").write_text("changed")
        (venv / script.UNFINISHED).touch()
    elif damage == "no packages":
        shutil.rmtree(venv / "lib")
    elif damage == "no stamp":
        (venv / script.STAMP).unlink()
    elif damage == "broken stamp":
        (venv / script.STAMP).write_text("{")
    elif damage == "no interpreter":
        script.program(venv, "python").unlink()
        commands.answers.append(("import pip", 127, ""))
    elif damage == "moved":
        (venv / script.STAMP).write_text(json.dumps({**stamp, "folder": "/elsewhere/.venv"}))
    elif damage == "Python":
        (venv / script.STAMP).write_text(json.dumps({**stamp, "python": "cpython 3.10 x86_64"}))
    else:
        (project / "pyproject.toml").write_text("changed")
        commands.answers.append(("import pip", 1, "No module named pip"))
    script.prepare_environment(venv, set())
    assert f"-m venv {venv}" in commands.seen[-2]
    assert "-m pip install" in commands.seen[-1]
    assert not (venv / "left over").exists()
    assert not (venv / script.UNFINISHED).exists()


def test_a_failing_pip_shows_its_words_and_leaves_no_stamp(script: ModuleType, project: Path, commands: Any) -> None:
    commands.answers = [("pip install", 1, "ERROR: no such version\n")]
    with pytest.raises(script.SetupError, match="pip could not install") as caught:
        script.prepare_environment(project / ".venv", set())
    assert caught.value.output == "ERROR: no such version\n"
    assert not (project / ".venv" / script.STAMP).exists()
    assert (project / ".venv" / script.UNFINISHED).exists()


def test_a_folder_of_the_users_is_never_emptied(script: ModuleType, tmp_path: Path, commands: Any) -> None:
    theirs = tmp_path / "thesis"
    theirs.mkdir()
    (theirs / "pyvenv.cfg").touch()
    with pytest.raises(script.SetupError, match="was not made by this script"):
        script.prepare_environment(theirs, set())
    assert [path.name for path in theirs.iterdir()] == ["pyvenv.cfg"]
    assert commands.seen == []


def test_pip_ignores_settings_that_would_install_elsewhere(
    script: ModuleType, project: Path, commands: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_TARGET", "/elsewhere")
    monkeypatch.setenv("PIP_USER", "1")
    script.prepare_environment(project / ".venv", set())
    environment = commands.environments[-1]
    assert "PIP_TARGET" not in environment
    assert environment["PIP_USER"] == "0"


class Became(BaseException):
    """Raised where the script would have become another program, which never returns."""


@pytest.fixture
def quiet(script: ModuleType, project: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], dict[str, str]]]:
    """Nothing needs preparing; `become` records its command and environment."""
    became: list[tuple[list[str], dict[str, str]]] = []

    def become(command: list[str], environment: dict[str, str]) -> None:
        became.append((command, environment))
        raise Became

    monkeypatch.setattr(script, "become", become)
    for name in ("prepare_environment", "prepare_screen", "prepare_test_screen"):
        monkeypatch.setattr(script, name, lambda *_: None)
    monkeypatch.delenv("FSDESK_VENV", raising=False)
    monkeypatch.chdir(project)
    return became


def test_run_hands_its_arguments_to_fsdesk(
    script: ModuleType, project: Path, quiet: list[tuple[list[str], dict[str, str]]]
) -> None:
    with pytest.raises(Became):
        script.main(["run", "--smoke", "a table.csv"])
    [(command, environment)] = quiet
    assert command == [
        str(script.program(project / ".venv", "python")), "-P", "-m", "fsdesk", "--smoke", "a table.csv"
    ]  # fmt: skip
    assert environment["VIRTUAL_ENV"] == str(project / ".venv")


@pytest.mark.usefixtures("linux")
def test_test_checks_in_order_and_ends_as_pytest(
    script: ModuleType,
    quiet: list[tuple[list[str], dict[str, str]]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(script, "finish", lambda command, _: script.Finished(0, "fine\n" if "mypy" in command else ""))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    with pytest.raises(Became):
        script.main(["test", "-k", "nothing"])
    assert capsys.readouterr().out.splitlines() == [
        "== ruff check",
        "== ruff format --check",
        "== mypy",
        "fine",
        "== lint-imports",
        "== pytest",
    ]
    [(command, environment)] = quiet
    assert command[1:] == ["-m", "pytest", *script.SIDE_BY_SIDE, "-k", "nothing"]
    assert environment["QT_QPA_PLATFORM"] == "offscreen"
    assert "PYTHONDONTWRITEBYTECODE" not in environment


@pytest.mark.usefixtures("linux")
def test_pytest_uses_the_screen_where_there_is_one(
    script: ModuleType, quiet: list[tuple[list[str], dict[str, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(script, "finish", lambda *_: script.Finished(0, ""))
    with pytest.raises(Became):
        script.main(["test"])
    assert "QT_QPA_PLATFORM" not in quiet[0][1]


def test_test_stops_at_the_first_failure_with_its_exit_code(
    script: ModuleType, quiet: list[object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(script, "finish", lambda command, _: script.Finished(3 * ("mypy" in command), ""))
    assert script.main(["test"]) == 3
    assert capsys.readouterr().out.splitlines()[-1] == "== mypy"
    assert quiet == []


def test_a_problem_is_told_without_a_traceback(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise script.SetupError("Do this.", "pip says so\n")

    monkeypatch.setattr(script, "prepare_environment", fail)
    assert script.main(["run"]) == 1
    assert capsys.readouterr().err == "pip says so\nDo this.\n"


@pytest.mark.parametrize(("arguments", "code"), [([], 2), (["fly"], 2), (["--help"], 0)])
def test_the_script_explains_itself_when_asked_wrongly(arguments: list[str], code: int, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == code
    assert "setup.py run" in (done.stderr if code else done.stdout)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no executable bit and no bash")
def test_ci_calls_the_second_command() -> None:
    ci = ROOT / ".ci" / "run"
    assert ci.stat().st_mode & stat.S_IXUSR
    assert "python3 packaging/setup.py test" in ci.read_text()
    assert subprocess.run(["bash", "-n", str(ci)], check=False).returncode == 0


def test_packaging_is_no_package() -> None:
    assert not (ROOT / "packaging" / "__init__.py").exists(), "it would shadow PyPI's packaging"
