"""Set up and start fsdesk: `python3 packaging/setup.py run` opens the window, `... test` checks everything.

Needs Python 3.11 or newer with venv, and nothing else: the virtual environment, the Python packages, a compiler for the
kernels and (as root on Debian) the system packages that Qt needs are made or fetched on the first run. Later runs only
compare a stamp; where the kernels' sources changed, they are compiled again.
Older Pythons must still be able to parse this file, so that they can be told what is wrong.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple, NoReturn

ROOT = Path(__file__).resolve().parent.parent
OLDEST_PYTHON = (3, 11)
KERNELS = "fsdesk/kernels"
KERNEL_SOURCES = (".cpp", ".hpp", ".txt")
STAMP = "lib/fsdesk-stamp.json"  # among the packages, so that it goes when they go
UNFINISHED = "fsdesk-unfinished"
USAGE = """Usage:
  python3 packaging/setup.py run [ARGUMENTS OF FSDESK]   open the window (run --smoke: one real job, no screen needed)
  python3 packaging/setup.py test [ARGUMENTS OF PYTEST]  check style, types and layers, then run all tests
      --exhaustive   every combination of models, criteria and validations, where a choice of them is tested otherwise
  python3 packaging/setup.py docs                        build the documentation site in .build/docs/html

The environment is made in .venv beside README.md, or in the folder that FSDESK_VENV names."""

# Debian names a library's package after its soname; these few are older than that rule.
PACKAGES_NAMED_OTHERWISE = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libstdc++.so.6": "libstdc++6",
    "libz.so.1": "zlib1g",
}
QT_PARTS = ("Core", "Gui", "Widgets", "Svg", "PrintSupport")
SCREENLESS_FILES = (*(f"Qt{part}.abi3.so" for part in QT_PARTS), "Qt/plugins/platforms/libqoffscreen.so")
X11_FILE = "Qt/plugins/platforms/libqxcb.so"
WAYLAND_FILE = "Qt/plugins/platforms/libqwayland.so"
TEST_PROGRAMS = ("Xvfb", "xdotool")  # a screen, and hands for it; Debian's packages are called the same
# One test file stays in one process; in the order of their names, so that files of few but long tests do not come last.
# One process more than there are cores, for some tests wait.
PROCESSES = min(4, (os.cpu_count() or 1) + 1)
SIDE_BY_SIDE = ("--numprocesses", str(PROCESSES), "--dist", "loadfile", "--no-loadscope-reorder")


class SetupError(Exception):
    """Setting up cannot go on; the message is one sentence that says what to do, after any output that shows why."""

    def __init__(self, sentence: str, output: str = "") -> None:
        super().__init__(sentence)
        self.output = output


class Finished(NamedTuple):
    """How a command ended: its exit code, and its output with errors among it."""

    code: int
    output: str


def say(line: str) -> None:
    """Print one line now, so that it stands before whatever a child process prints."""
    print(line, flush=True)


def finish(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Finished:
    """Run a command to its end in the project's folder, without input, and keep what it prints."""
    try:
        process = subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except OSError as error:
        return Finished(127, f"{command[0]}: {error.strerror}\n")
    return Finished(process.returncode, process.stdout)


def become(command: Sequence[str], environment: Mapping[str, str]) -> NoReturn:
    """Turn this process into `command`, so that signals reach it and its exit code is ours."""
    sys.stdout.flush()
    if os.name == "nt":  # there exec returns to the shell at once
        sys.exit(subprocess.call(command, env=environment))
    os.execve(command[0], list(command), dict(environment))


# The Python environment


def check_python(version: tuple[int, int]) -> None:
    """Raise SetupError where this Python is too old."""
    if version < OLDEST_PYTHON:
        found, needed = ".".join(map(str, version)), ".".join(map(str, OLDEST_PYTHON))
        raise SetupError(
            f"fsdesk needs Python {needed} or newer and this is Python {found}: start this script with a newer one, "
            f"for example python{needed} packaging/setup.py."
        )


def environment_folder(variables: Mapping[str, str]) -> Path:
    """Where the virtual environment is or will be."""
    chosen = variables.get("FSDESK_VENV")
    return Path(chosen).expanduser().absolute() if chosen else ROOT / ".venv"


def program(venv: Path, name: str) -> Path:
    """The path of an executable inside the virtual environment."""
    return venv / "Scripts" / f"{name}.exe" if os.name == "nt" else venv / "bin" / name


def python_name() -> str:
    """Name this Python as far as installed packages depend on it, such as `cpython 3.11 x86_64`."""
    major, minor = sys.version_info[:2]
    return f"{sys.implementation.name} {major}.{minor} {platform.machine()}"


def kernels_digest() -> str:
    """Return a digest of all that the compiled kernels are made of."""
    digest = hashlib.sha256()
    for path in sorted((ROOT / KERNELS).glob("*")):
        if path.suffix in KERNEL_SOURCES:
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def wanted_stamp(venv: Path, declaration: bytes, extras: Iterable[str]) -> dict[str, object]:
    """What the stamp says when `venv` holds just what `declaration` (the bytes of pyproject.toml) asks for."""
    return {
        "declaration": hashlib.sha256(declaration).hexdigest(),
        "kernels": kernels_digest(),
        "python": python_name(),
        "project": str(ROOT),
        "folder": str(venv),
        "extras": sorted(extras),
    }


def read_stamp(venv: Path) -> dict[str, object]:
    """Read what was installed into `venv`; empty where nothing was, or where the stamp is unreadable."""
    try:
        stamp = json.loads((venv / STAMP).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def stamped_extras(stamp: Mapping[str, object]) -> set[str]:
    """Read the extras that a stamp names."""
    extras = stamp.get("extras")
    return {str(extra) for extra in extras} if isinstance(extras, list) else set()


def is_reusable(venv: Path, stamp: Mapping[str, object]) -> bool:
    """Whether `venv` was finished in this very place by this version of Python, so that pip can work in it."""
    if (venv / UNFINISHED).exists() or (stamp.get("python"), stamp.get("folder")) != (python_name(), str(venv)):
        return False
    return finish([str(program(venv, "python")), "-c", "import pip"]).code == 0


def check_replaceable(venv: Path) -> None:
    """Raise SetupError where an environment cannot be made in `venv`, or where something of another owner would go."""
    ours = venv == ROOT / ".venv" or (venv / STAMP).exists() or (venv / UNFINISHED).exists()
    if not ours and venv.exists() and not (venv.is_dir() and not any(venv.iterdir())):
        raise SetupError(f"{venv} was not made by this script: let FSDESK_VENV name a new or an empty folder.")
    if importlib.util.find_spec("ensurepip") is None:
        raise SetupError(
            "This Python cannot make virtual environments because its venv module is incomplete: "
            "install it, on Debian with: apt-get install python3-venv"
        )


def build_venv(venv: Path) -> None:
    """Make an empty virtual environment in place of whatever is left of an earlier one."""
    check_replaceable(venv)
    say(f"Making the environment in {venv} (a minute or two: the kernels are compiled) ...")
    try:
        if venv.is_symlink() or venv.is_file():
            venv.unlink()
        elif venv.exists():
            shutil.rmtree(venv)
        venv.mkdir(parents=True)
        (venv / UNFINISHED).touch()
    except OSError as error:
        raise SetupError(
            f"The environment {venv} cannot be made ({error.strerror}): let FSDESK_VENV name a folder "
            "that you may write to."
        ) from None
    # The base Python: an environment made from inside another one must not depend on that one.
    base = getattr(sys, "_base_executable", None) or sys.executable
    made = finish([base, "-m", "venv", str(venv)])
    if made.code:
        raise SetupError(f"Python could not make the environment {venv}: see its words above.", made.output)


def pip_variables() -> dict[str, str]:
    """Return our environment variables without those that would make pip install elsewhere."""
    variables = {**os.environ, "PIP_USER": "0", "PIP_ROOT_USER_ACTION": "ignore", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    for name in ("PIP_TARGET", "PIP_PREFIX", "PYTHONHOME"):
        variables.pop(name, None)
    return variables


def compiler_variables(venv: Path, is_root: bool) -> dict[str, str]:
    """Make sure that the kernels can be compiled; returns the variables that name a compiler of our own, if any."""
    version = ".".join(map(str, sys.version_info[:2]))
    has_apt = sys.platform.startswith("linux") and shutil.which("apt-get") is not None
    wanted = [] if "CXX" in os.environ or any(map(shutil.which, ("c++", "g++", "clang++"))) else ["g++"]
    has_headers = Path(sysconfig.get_path("include"), "Python.h").exists() or os.name == "nt"
    packages = [*wanted, *([] if has_headers else [f"libpython{version}-dev"])]
    if packages and is_root and has_apt:
        installed = apt_install(packages)
        if not installed.code:
            return {}
        raise SetupError(f"The kernels need {' and '.join(packages)}: see apt's words above.", installed.output)
    if not has_headers:
        advice = f": as root, run: apt-get install {' '.join(packages)}" if has_apt else ""
        raise SetupError(f"The kernels need the headers of Python {version}, which this Python lacks{advice}.")
    return zig_variables(venv) if wanted and os.name != "nt" else {}


def zig_variables(venv: Path) -> dict[str, str]:
    """Install the compiler that comes as a Python package; it needs neither root nor anything of the system."""
    say("Fetching a compiler, as this machine has none ...")
    python = program(venv, "python")
    fetched = finish([str(python), "-m", "pip", "install", "--no-input", "ziglang"], pip_variables())
    if fetched.code:
        raise SetupError("The kernels need a C++ compiler: install g++ or clang, then run this again.", fetched.output)
    scripts = {name: venv / "bin" / f"fsdesk-{name}" for name in ("c++", "ar", "ranlib")}
    for name, path in scripts.items():
        path.write_text(f'#!/bin/sh\nexec "{python}" -m ziglang {name} "$@"\n', "utf-8")
        path.chmod(0o755)
    tools = f"-DCMAKE_AR={scripts['ar']};-DCMAKE_RANLIB={scripts['ranlib']}"
    return {"CXX": str(scripts["c++"]), "SKBUILD_CMAKE_ARGS": tools}


def install(venv: Path, extras: Iterable[str], compiler: Mapping[str, str]) -> None:
    """Install the project, editable, with its extras. Cut short, it leaves the environment marked as unfinished."""
    variables = {**pip_variables(), **compiler}
    names = ",".join(sorted(extras))
    target = f".[{names}]" if names else "."
    (venv / UNFINISHED).touch()
    (venv / STAMP).unlink(missing_ok=True)
    result = finish([str(program(venv, "python")), "-m", "pip", "install", "--no-input", "-e", target], variables)
    if result.code:
        raise SetupError("pip could not install fsdesk: see its words above, then run this again.", result.output)


def prepare_environment(venv: Path, extras: set[str], is_root: bool = False) -> None:
    """Bring `venv` to what pyproject.toml asks for; silent and quick where it is there already."""
    declaration = (ROOT / "pyproject.toml").read_bytes()
    stamp = read_stamp(venv)
    present = stamped_extras(stamp)
    if present >= extras and stamp == wanted_stamp(venv, declaration, present) and program(venv, "python").exists():
        return
    if is_reusable(venv, stamp):
        extras = extras | present
        say("Updating the environment ...")
    else:
        build_venv(venv)
    compiler = compiler_variables(venv, is_root)
    install(venv, extras, compiler)
    (venv / STAMP).write_text(json.dumps(wanted_stamp(venv, declaration, extras), indent=1) + "\n", "utf-8")
    (venv / UNFINISHED).unlink()


# The system libraries


def missing_sonames(ldd_output: str) -> list[str]:
    """Return the libraries that ldd did not find, each once, sorted."""
    found = (line.split("=>") for line in ldd_output.splitlines() if line.rstrip().endswith("=> not found"))
    return sorted({left.strip() for left, _ in found})


def packages_for(sonames: Iterable[str]) -> list[str]:
    """Return the Debian packages that hold `sonames`, each once, sorted (Debian policy, section 8.1)."""
    packages = set()
    for soname in sonames:
        stem, _, version = soname.lower().replace("_", "-").partition(".so.")
        hyphen = "-" if stem[-1:].isdigit() else ""
        packages.add(PACKAGES_NAMED_OTHERWISE.get(soname, f"{stem}{hyphen}{version}"))
    return sorted(packages)


def qt_missing(venv: Path, files: Iterable[str]) -> list[str]:
    """Return the libraries that the given files of PySide6 lack on this machine."""
    folder = next(venv.glob("lib*/python*/site-packages/PySide6"), None)
    present = [str(folder / name) for name in files if (folder / name).exists()] if folder else []
    if not present or not shutil.which("ldd"):
        return []
    return missing_sonames(finish(["ldd", *present], {**os.environ, "LC_ALL": "C"}).output)


def screen_file(variables: Mapping[str, str]) -> str | None:
    """Return the Qt plugin that will draw on the screen, or None where there is no screen or none is wanted."""
    if variables.get("QT_QPA_PLATFORM", "").startswith(("offscreen", "minimal")):
        return None
    if variables.get("DISPLAY"):
        return X11_FILE
    return WAYLAND_FILE if variables.get("WAYLAND_DISPLAY") else None


def missing_sentence(sonames: Sequence[str], has_apt: bool) -> str:
    """Say which libraries Qt lacks and, on Debian, the command that brings them."""
    if not has_apt:
        names = ", ".join(sonames)
        return f"Qt cannot start because this machine lacks {names}: install the packages that hold these libraries."
    packages = packages_for(sonames)
    return (
        f"Qt cannot start because this machine lacks {', '.join(packages)}: "
        f"as root, run: apt-get install {' '.join(packages)}"
    )


def apt_install(packages: Sequence[str]) -> Finished:
    """Install Debian packages, with fresh package lists only where the present ones are missing or too old."""
    variables = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    wait = ["-o", "DPkg::Lock::Timeout=120"]
    command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *wait, *packages]
    say(f"Installing {' '.join(packages)} ...")
    first = finish(command, variables)
    if not first.code:
        return first
    update = finish(["apt-get", "update", "-q", *wait], variables)
    second = finish(command, variables)
    return Finished(second.code, update.output + second.output)


def prepare_screen(venv: Path, is_root: bool) -> None:
    """Make sure that Qt can start where fsdesk will run; raises SetupError where it cannot."""
    if not sys.platform.startswith("linux"):
        return
    plugin = screen_file(os.environ)
    files = [*SCREENLESS_FILES, *([plugin] if plugin else [])]
    missing = qt_missing(venv, files)
    if not missing:
        return
    has_apt = shutil.which("apt-get") is not None
    output = ""
    if is_root and has_apt:
        output = apt_install(packages_for(missing)).output
        missing = qt_missing(venv, files)
    if missing:
        raise SetupError(missing_sentence(missing, has_apt), output)


def prepare_test_screen(venv: Path, is_root: bool) -> None:
    """Bring what the tests in a real X11 window need, as root on Debian; elsewhere say that they will be skipped."""
    if not sys.platform.startswith("linux"):
        return
    missing = qt_missing(venv, [X11_FILE])
    absent = [name for name in TEST_PROGRAMS if shutil.which(name) is None]
    if not missing and not absent:
        return
    packages = [*packages_for(missing), *(name.lower() for name in absent)]
    has_apt = shutil.which("apt-get") is not None
    if is_root and has_apt and not apt_install(packages).code:
        return
    lacking = ", ".join(packages if has_apt else [*missing, *absent])
    advice = f"; to run them, as root: apt-get install {' '.join(packages)}" if has_apt else ""
    say(f"Tests in a real window will be skipped: this machine lacks {lacking}{advice}")


# The two commands


def child_environment(venv: Path) -> dict[str, str]:
    """Return our environment variables as they are inside the virtual environment."""
    variables = {**os.environ, "VIRTUAL_ENV": str(venv)}
    variables["PATH"] = os.pathsep.join([str(program(venv, "python").parent), os.environ.get("PATH", os.defpath)])
    for name in ("PYTHONHOME", "__PYVENV_LAUNCHER__"):
        variables.pop(name, None)
    return variables


def test_stages(venv: Path) -> dict[str, list[str]]:
    """Return the commands that come before pytest, by their headings, in order of what they print."""
    python = str(program(venv, "python"))
    sources = ["fsdesk", "packaging", "tests"]
    return {
        "ruff check": [python, "-m", "ruff", "check", *sources],
        "ruff format --check": [python, "-m", "ruff", "format", "--check", *sources],
        "mypy": [python, "-m", "mypy"],
        "lint-imports": [str(program(venv, "lint-imports"))],
    }


def run(venv: Path, arguments: Sequence[str], is_root: bool) -> NoReturn:
    """Start fsdesk in the caller's folder; it takes over this process."""
    prepare_environment(venv, {"app"}, is_root)
    prepare_screen(venv, is_root)
    # -P: a file of the user's folder, such as numpy.py, must not stand in for a library.
    wanted = arguments or ("--sample", "breast_cancer")
    command = [str(program(venv, "python")), "-P", "-m", "fsdesk", *wanted]
    become(command, child_environment(venv))


def test(venv: Path, arguments: Sequence[str], is_root: bool) -> int:
    """Check style, types and layers; pytest then takes over this process. Returns the first failure's exit code."""
    prepare_environment(venv, {"app", "test"}, is_root)
    prepare_screen(venv, is_root)
    prepare_test_screen(venv, is_root)
    variables = child_environment(venv)
    with ThreadPoolExecutor() as pool:
        running = {heading: pool.submit(finish, command, variables) for heading, command in test_stages(venv).items()}
        for heading, ending in running.items():
            say(f"== {heading}")
            finished = ending.result()
            if finished.output:
                say(finished.output.rstrip())
            if finished.code:
                return finished.code
    if sys.platform.startswith("linux") and screen_file(os.environ) is None:
        variables.setdefault("QT_QPA_PLATFORM", "offscreen")
    variables.pop("PYTHONDONTWRITEBYTECODE", None)  # tests start many processes: each would compile fsdesk again
    say("== pytest")
    os.chdir(ROOT)
    become([str(program(venv, "python")), "-m", "pytest", *SIDE_BY_SIDE, *arguments], variables)


def docs(venv: Path, arguments: Sequence[str], is_root: bool) -> int:
    """Build the documentation site; returns the exit code."""
    if arguments:
        raise SetupError("docs takes no arguments.")
    prepare_environment(venv, {"app", "docs"}, is_root)
    finished = finish([str(program(venv, "python")), str(ROOT / "packaging" / "docs.py")], child_environment(venv))
    say(finished.output.rstrip())
    return finished.code


def main(arguments: Sequence[str]) -> int:
    """Do what the command line asks; returns the exit code where no child process took over."""
    command = arguments[0] if arguments else ""
    if command in ("-h", "--help"):
        say(USAGE)
        return 0
    commands = {"run": run, "test": test, "docs": docs}
    if command not in commands:
        print(USAGE, file=sys.stderr)
        return 2
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    try:
        check_python(sys.version_info[:2])
        venv = environment_folder(os.environ)
        return commands[command](venv, arguments[1:], is_root)
    except SetupError as error:
        sys.stdout.flush()
        print(f"{error.output.rstrip()}\n{error}".lstrip(), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
