"""Prove what packaging/build.py has built; every proof prints what it proved, with sizes and times."""

from __future__ import annotations

import hashlib
import os
import plistlib
import random
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import installers
from screen import Screen, screen, wait_until
from workshop import (
    DIST,
    HERE,
    LOCKS,
    NAME,
    PYTHON,
    SCRATCH,
    VERSION,
    BuildError,
    call,
    environment,
    find_python,
    fresh,
    megabytes,
    programs,
    python_of,
    say,
    size_of,
    step,
    target,
)

PICTURES = SCRATCH / "pictures"
AWAY = Path(tempfile.gettempdir()) / "fsdesk-proofs"  # whole systems, which a build of the sdist must not look through
BEFORE = f"{VERSION}~before"  # Debian sorts it before VERSION
MOST_COMPRESSED, MOST_INSTALLED = 155e6, 340e6
FIRST_PAINT_WARM, FIRST_PAINT_COLD, FIRST_POINT = 1.0, 2.0, 2.0
WARM_STARTS = 5  # one alone is as quick as the machine is at that moment
HELP_MENU = (220, 13)  # the window is at the corner of a screen without a window manager
USER, HOME = 1000, "home/ada"


def proved(line: str) -> None:
    """Print one thing that was proved."""
    say(f"PROVED {line}")


def demand(truth: object, sentence: str) -> None:
    """Raise BuildError with this sentence where something is not true."""
    if not truth:
        raise BuildError(f"NOT PROVED: {sentence}")


def within(value: float, most: float, what: str, unit: str) -> None:
    """Say a measured value beside its limit; a limit that is not kept is said and does not end the proof."""
    say(f"{'PROVED' if value <= most else 'MISSED'} {what}: {value:.2f} {unit}, at most {most:g} {unit}")


# Lock files


def prove_locks() -> None:
    """Every pin of each lock file can be had for its system and processor, with the hash that stands there."""
    tags = {
        "linux-x86_64": [*(f"manylinux_2_{minor}_x86_64" for minor in range(34, 4, -1)), "manylinux2014_x86_64"],
        "linux-arm64": [*(f"manylinux_2_{minor}_aarch64" for minor in range(39, 16, -1)), "manylinux2014_aarch64"],
        "windows-x86_64": ["win_amd64"],
        "macos-arm64": ["macosx_13_0_arm64", "macosx_13_0_universal2"],
        "macos-x86_64": ["macosx_13_0_x86_64", "macosx_13_0_universal2"],
    }
    python = python_of(environment("tools", "tools"))
    digits = PYTHON.replace(".", "")
    for name in installers.PLATFORMS:
        started = time.monotonic()
        platforms = [word for tag in tags[name] for word in ("--platform", tag)]
        report = SCRATCH / f"lock-{name}.json"
        call(
            python, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--only-binary", ":all:", "--no-deps",
            "--require-hashes", *platforms, "--python-version", PYTHON, "--implementation", "cp",
            "--abi", f"cp{digits}",
            "--abi", "abi3", "--abi", "none", "--target", SCRATCH / "nowhere", "--report", report, "-q",
            "-r", LOCKS / f"{name}.txt",
        )  # fmt: skip
        pins = (LOCKS / f"{name}.txt").read_text("utf-8").count("==")
        proved(f"lock {name}: pip finds {pins} packages as wheels, by hash ({time.monotonic() - started:.1f} s)")


# Wheels


def prove_wheel() -> None:
    """Wheels and sdist pass the checkers, install without a compiler into fresh environments, and start."""
    tools = programs(environment("tools", "tools"))
    wheels, source = sorted(DIST.glob(f"{NAME}-{VERSION}-*.whl")), DIST / f"{NAME}-{VERSION}.tar.gz"
    demand(wheels and source.is_file(), "there are wheels and an sdist in dist; build.py wheel makes them")
    call(tools / "twine", "check", "--strict", *wheels, source)
    proved(f"twine check: {', '.join(each.name for each in (*wheels, source))}")
    for wheel in wheels:
        if "-abi3-" in wheel.name:
            call(tools / "abi3audit", "--strict", wheel)
            proved(f"abi3audit: {wheel.name} uses nothing beyond the stable ABI of Python 3.12")
        if sys.platform == "linux":
            said = " ".join(call(tools / "auditwheel", "show", wheel).split())
            proved(f"auditwheel: {said.partition('platform tag: ')[2].partition('.')[0]} ({megabytes(wheel)})")
        names = zipfile.ZipFile(wheel).namelist()
        demand(any(name.endswith("fsdesk/resources/style.qss") for name in names), f"{wheel.name} has resources/")
        demand(not any(name.endswith((".cpp", ".hpp")) for name in names), f"{wheel.name} has no sources of the core")
    with tarfile.open(source) as archive:
        names = archive.getnames()
    for wanted in ("fsdesk/kernels/module.cpp", "resources/style.qss", "packaging/build.py", "tests/conftest.py"):
        demand(f"{NAME}-{VERSION}/{wanted}" in names, f"the sdist has {wanted}")
    proved(f"sdist: complete ({megabytes(source)}); the wheels were built from it")
    for minor in (11, 12, 13, 14):
        _prove_wheel_with(f"3.{minor}", wheels)


def _prove_wheel_with(version: str, wheels: list[Path]) -> None:
    python = find_python(version)
    if python is None:
        say(f"NOT TRIED Python {version}: there is none on this machine")
        return
    wheel = next(each for each in wheels if ("-cp311-" in each.name) == (version == "3.11"))
    venv = SCRATCH / "fresh"
    shutil.rmtree(venv, ignore_errors=True)
    started = time.monotonic()
    call(python, "-m", "venv", venv)
    no_compiler = {"PATH": str(programs(venv)), "CC": "none", "CXX": "none"}
    call(python_of(venv), "-m", "pip", "install", "-q", "--only-binary", ":all:", f"{wheel}[app]", env=no_compiler)
    installed = time.monotonic() - started
    elsewhere = fresh(SCRATCH / "elsewhere")  # where no folder is called fsdesk
    home = {name: str(elsewhere) for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")}
    variables = {**no_compiler, **home, "QT_QPA_PLATFORM": "offscreen"}
    program = programs(venv) / NAME
    demand(VERSION in call(program, "--version", cwd=elsewhere, env=variables), "the program names its version")
    level = call(python_of(venv), "-c", "from fsdesk.kernels import _core; print(_core.__file__)", cwd=elsewhere)
    demand(str(venv) in level, "the compiled core is that of the wheel")
    said = call(program, "--smoke", cwd=elsewhere, env=variables).strip().splitlines()[-1]
    call(python_of(venv), "-m", "pip", "install", "-q", "pytest", "pytest-qt", "pytest-timeout")
    levels = HERE.parent / "tests" / "unit" / "kernels" / "test_core_levels.py"
    call(programs(venv) / "pytest", "-q", "--noconftest", levels, cwd=elsewhere, env=variables)
    proved(f"Python {version}: {wheel.name} installs without compiler ({installed:.0f} s); {said}")


# The release workflow


def prove_workflow() -> None:
    """The workflow is what GitHub's schema allows, and cibuildwheel takes its settings for each system."""
    tools = programs(environment("tools", "tools"))
    workflow = HERE.parent / ".github" / "workflows" / "release.yml"
    call(tools / "check-jsonschema", "--builtin-schema", "vendor.github-workflows", workflow)
    proved(f"{workflow.name} follows GitHub's schema; no runner has seen it")
    for system, machine in (
        *(("linux", "x86_64"), ("linux", "aarch64"), ("windows", "AMD64")),
        *(("macos", "arm64"), ("macos", "x86_64")),
    ):
        asked = ("--print-build-identifiers", "--platform", system, "--archs", machine)
        names = call(tools / "cibuildwheel", *asked, env=_path_with(tools)).split()
        demand(len(names) == 4, f"cibuildwheel tries four Pythons on {system} ({names})")
        proved(f"cibuildwheel, {system} {machine}: {', '.join(names)}")


def _path_with(folder: Path) -> dict[str, str]:
    return {"PATH": os.pathsep.join([str(folder), os.environ.get("PATH", os.defpath)])}


# Linux


class Chroot:
    """A Debian with nothing but its essential packages, in which an ordinary user has a home and no network."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / HOME

    @classmethod
    def made(cls, root: Path) -> Chroot:
        """Make one with mmdebstrap, in place of whatever is there."""
        if root.exists():
            call("rm", "-rf", "--one-file-system", root)
        with step("mmdebstrap --variant=minbase bookworm"):
            root.parent.mkdir(parents=True, exist_ok=True)
            call("mmdebstrap", "--variant=minbase", "--quiet", "bookworm", root)
        shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
        made = cls(root)
        made.as_root("useradd", "--create-home", "--uid", str(USER), "ada")
        (root / "tmp" / ".X11-unix").mkdir(mode=0o1777, exist_ok=True)
        return made

    def as_root(self, *words: str | Path) -> str:
        """Run an administrator's command, with network."""
        return call("chroot", self.root, "env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8", *words)

    def command(self, *words: str, **variables: str) -> list[str]:
        """Return the command by which the ordinary user starts a program, without network."""
        mounts = (
            'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" '
            '&& mount --bind /tmp/.X11-unix "$0/tmp/.X11-unix" && exec chroot --userspec=1000:1000 "$0" "$@"'
        )
        told = {"HOME": f"/{HOME}", "PATH": f"/{HOME}/.local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", **variables}
        inside = ["env", "-i", "--chdir", f"/{HOME}", *(f"{name}={value}" for name, value in told.items()), *words]
        return ["unshare", "--mount", "--net", "sh", "-c", mounts, str(self.root), *inside]

    def as_user(self, *words: str, **variables: str) -> str:
        """Run a program as the ordinary user to its end."""
        return call(*self.command(*words, **variables))

    def start(self, *words: str, **variables: str) -> subprocess.Popen[bytes]:
        """Start a program as the ordinary user; its process id is that of the program itself."""
        with (SCRATCH / "said.txt").open("ab") as said:
            return subprocess.Popen(
                self.command(*words, **variables), stdin=subprocess.DEVNULL, stdout=said, stderr=said
            )

    def processes(self) -> list[str]:
        """Return the command lines of what runs inside."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if (folder / "root").readlink() == self.root:
                    found.append((folder / "cmdline").read_text().replace("\0", " ").strip())
            except OSError:
                continue
        return [line for line in found if line]

    def files(self) -> set[str]:
        """All paths but those of the user, of the machine, and of the package manager's own books."""
        left_out = ("home", "proc", "sys", "dev", "tmp", "run", "var/cache", "var/lib/apt", "var/lib/dpkg", "var/log")
        found = (str(path.relative_to(self.root)) for path in self.root.rglob("*"))
        return {name for name in found if not name.startswith(left_out)}


def prove_linux() -> None:
    """The .deb and the .run work in a Debian that has only what they declare, and leave nothing behind."""
    deb = DIST / f"{NAME}_{VERSION}_amd64.deb"
    run = DIST / f"{NAME}-{VERSION}-{target()}.run"
    demand(deb.is_file() and run.is_file(), "there are .deb and .run in dist; build.py linux makes them")
    (SCRATCH / "said.txt").write_text("", "utf-8")
    started = time.monotonic()
    _prove_files(deb, run)
    chroot = Chroot.made(AWAY / "chroot")
    bare = chroot.files()
    with screen(SCRATCH / "xvfb") as shown:
        try:
            _prove_installed(chroot, shown, deb)
            _prove_left_nothing(chroot, bare)
            _prove_run(chroot, shown, run)
        except Exception:
            shown.picture(PICTURES / "failed.png")
            say((SCRATCH / "said.txt").read_text("utf-8", "replace")[-3000:])
            raise
    say(f"pictures: {PICTURES}; the whole proof took {time.monotonic() - started:.0f} s")


def _prove_files(deb: Path, run: Path) -> None:
    said = call("lintian", "--no-cfg", "--fail-on", "error", "--tag-display-limit", "0", deb)
    warnings = sum(line.startswith("W:") for line in said.splitlines())
    proved(f"lintian: no errors, {warnings} warnings")
    tree = fresh(SCRATCH / "unpacked")
    call("dpkg-deb", "-x", deb, tree)
    share = tree / "usr" / "share"
    call("desktop-file-validate", share / "applications" / "fsdesk.desktop")
    call("appstreamcli", "validate", "--no-net", share / "metainfo" / installers.METAINFO)
    call("appstreamcli", "validate-tree", "--no-net", tree)
    call("update-mime-database", share / "mime")
    globs = (share / "mime" / "globs").read_text("utf-8")
    demand("application/x-fsdesk:*.fsdesk" in globs, "the MIME database takes our type")
    proved("desktop-file-validate, appstreamcli validate and validate-tree, update-mime-database")
    depends = call("dpkg-deb", "-f", deb, "Depends").strip()
    say(f"Depends: {depends}")
    inside = tree / "opt" / NAME
    within(size_of(inside) / 1e6, MOST_INSTALLED / 1e6, "installed", "MB")
    for file in (deb, run):
        within(file.stat().st_size / 1e6, MOST_COMPRESSED / 1e6, file.name, "MB")


def _patients(path: Path) -> None:
    """Write a CSV of 120 patients and ten genes, two of which tell who is ill."""
    draw = random.Random(1)
    lines = [",".join([*(f"gene{place}" for place in range(1, 11)), "outcome"])]
    for number in range(120):
        ill = number % 2
        genes = [draw.gauss(0, 1) + {2: 2, 7: -2}.get(place, 0) * ill for place in range(10)]
        lines.append(",".join([*(f"{gene:.4f}" for gene in genes), "ill" if ill else "well"]))
    path.write_text("\n".join(lines) + "\n", "utf-8")
    os.chown(path, USER, USER)


def _prove_formats(chroot: Chroot) -> None:
    """What the installers bring beside fsdesk's own needs works inside; of what they do not bring, no word of pip."""
    python = python_of(environment("frozen", target(), find_python(PYTHON)))
    write = (
        "import sys, numpy as np, pandas as pd, h5py, pyreadstat, rdata\n"
        "rng = np.random.default_rng(3); x = rng.normal(size=(60, 5)); y = np.arange(60) % 2; x[:, 1] += 3 * y\n"
        "with h5py.File('cells.h5', 'w') as file: file['X'] = x; file['y'] = y\n"
        "frame = pd.DataFrame(x, columns=list('abcde')).assign(kind=pd.Categorical.from_codes(y, ['ill', 'well']))\n"
        "rdata.write_rds('cells.rds', frame)\n"
        "labels = {'kind': {0: 'ill', 1: 'well'}}\n"
        "pyreadstat.write_sav(frame.assign(kind=y), 'cells.sav', variable_value_labels=labels)\n"
        "open('cells.parquet', 'wb').write(b'PAR1 and nothing else PAR1')\n"
    )
    call(python, "-c", write, cwd=chroot.home)
    call("chown", "-R", f"{USER}:{USER}", chroot.home)
    for name in ("cells.h5", "cells.rds", "cells.sav"):
        search = ("--method", "full", "--outer", "0", "--seed", "1", "--project", f"{name}.fsdesk")
        chroot.as_user("fsdesk", "run", name, *search, "--out", f"out {name}")
    wanted = ("pipeline.skops", "table.xlsx", "report.pdf")
    chroot.as_user("fsdesk", "export", "cells.rds.fsdesk", "--out", "exports", *(f"--what={each}" for each in wanted))
    made = {path.name: path.read_bytes()[:4] for path in (chroot.home / "exports").iterdir()}
    demand(made.get("report.pdf") == b"%PDF", f"the report is a PDF ({made})")
    demand(made.get("pipeline.skops") == b"PK\3\4", f"the pipeline is written for skops ({made})")
    said = call(*chroot.command("fsdesk", "run", "cells.parquet", "--out", "none"), fails=True)
    demand("not part of this program" in said and "pip" not in said, f"Parquet is refused with advice: {said}")
    proved(
        "the installed program reads HDF5, R and SPSS, writes PDF, Excel and skops, and says what to do with a Parquet "
        "file"
    )


def _prove_inside(chroot: Chroot) -> None:
    """All that the program brings does inside what it does in the environment that was frozen; see inside.py."""
    venv = environment("frozen", target(), find_python(PYTHON))
    archive = (
        "import sys; from PyInstaller.archive.readers import CArchiveReader as R; archive = R(sys.argv[1]); "
        "print(*archive.open_embedded_archive(next(n for n in archive.toc if n.endswith('.pyz'))).toc, sep='\\n')"
    )
    program = SCRATCH / "unpacked" / "opt" / NAME
    inside = program / "_internal"
    extensions = {
        ".".join((*path.relative_to(inside).parent.parts, path.name.partition(".")[0]))
        for path in inside.rglob("*.so*")
        if re.search(r"\.(cpython-\d+-[\w-]+|abi3)\.so(\.gz)?$", path.name)
    }
    names = sorted(extensions | set(call(python_of(venv), "-c", archive, program / NAME).split()))
    demand(len(names) > 2000, f"the modules of the frozen program are known ({len(names)})")
    (chroot.home / "modules.txt").write_text("\n".join(names) + "\n", "utf-8")
    shutil.copy(HERE / "inside.py", chroot.home / "inside.py")
    said = chroot.as_user("fsdesk", "--script", "inside.py", "modules.txt", "tried", QT_QPA_PLATFORM="offscreen")
    elsewhere = fresh(SCRATCH / "elsewhere")
    home = {name: str(elsewhere) for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")}
    words = (HERE / "inside.py", chroot.home / "modules.txt", elsewhere / "tried")
    same = call(python_of(venv), *words, cwd=elsewhere, env={**home, "QT_QPA_PLATFORM": "offscreen", "LANG": "C.UTF-8"})
    builds = ("import distutils.", "import numpy.f2py.", "import sklearn._build_utils.")  # of no use to a program
    kinds = ("reader", "wrapper", "criterion", "method", "export", "language", "import")  # other lines are warnings
    lacking = sorted(line for line in set(said.splitlines()) - set(same.splitlines()) if line.startswith(kinds))
    lacking = [line for line in lacking if not line.startswith(builds)]
    failed = [line for line in lacking if "FAILED" in line]
    demand(not lacking, f"inside, all is as in the environment that was frozen: {failed or lacking}")
    broken = [line for line in said.splitlines() if line.startswith(kinds[:-1]) and ": FAILED" in line]
    demand(not broken, f"inside, all readers, models, methods and exports work: {broken}")
    worked = Counter(line.partition(" ")[0] for line in said.splitlines() if ": FAILED" not in line)
    counts = [f"{worked[kind]} x {kind}" for kind in kinds[:-1]]
    proved(f"inside, all is as in the environment that was frozen: {len(names)} modules; {', '.join(counts)}")


def _prove_installed(chroot: Chroot, shown: Screen, deb: Path) -> None:
    tree = SCRATCH / "linux"
    before = installers.build_deb(tree, BEFORE, SCRATCH, ("-Zgzip", "-z1"))
    shutil.rmtree(tree / "DEBIAN")
    for each in (before, deb):
        shutil.copy(each, chroot.root / "tmp" / each.name)
    with step("apt-get install of the version before"):
        chroot.as_root("apt-get", "update", "-q")
        chroot.as_root("apt-get", "install", "-y", "-q", "--no-install-recommends", f"/tmp/{before.name}")
    _patients(chroot.home / "patients.csv")
    for platform in ("xcb", "offscreen"):
        variables = {"DISPLAY": shown.number} if platform == "xcb" else {}
        said = chroot.as_user("fsdesk", "--smoke", "patients.csv", QT_QPA_PLATFORM=platform, **variables)
        proved(f"{platform}, as an ordinary user without network: {said.strip().splitlines()[-1]}")
    project = _use_window(chroot, shown)
    kept = _kept(chroot)
    with step("apt-get install of the new version"):
        chroot.as_root("apt-get", "install", "-y", "-q", "--no-install-recommends", f"/tmp/{deb.name}")
    demand(_kept(chroot) == kept, "the upgrade leaves projects and settings as they were")
    demand(VERSION in chroot.as_root("dpkg-query", "-W", NAME), "the new version is installed")
    _prove_formats(chroot)
    _prove_inside(chroot)
    compared = chroot.as_user("fsdesk", "compare", f"/{project.relative_to(chroot.root)}")
    demand("patients" in compared, f"the new version reads the project of the one before ({compared})")
    oldest = HERE.parent / "tests" / "golden" / "0.1.0.fsdesk"
    shutil.copy(oldest, chroot.home / oldest.name)
    os.chown(chroot.home / oldest.name, USER, USER)
    demand(chroot.as_user("fsdesk", "compare", oldest.name).strip(), "the new version reads a project of 0.1.0")
    proved(f"upgrade from {BEFORE} keeps {len(kept)} files of projects and settings; the new version reads the project")
    _second_window(chroot, shown, project)
    _kill(chroot, shown)
    _double_click(chroot, shown, project)


def _settings(chroot: Chroot, language: str = "en") -> None:
    """Let the tour have been seen, and choose the language."""
    path = chroot.home / ".config" / "fsdesk" / "fsdesk.ini"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"[tour]\nseen=yes\n[view]\nlanguage={language}\n", "utf-8")
    call("chown", "-R", f"{USER}:{USER}", chroot.home)


def _open(chroot: Chroot, shown: Screen, *words: str, beside: int = 0) -> tuple[subprocess.Popen[bytes], float]:
    """Start the window; return its process and the seconds until it is painted (a second one: until it is there)."""
    started = time.monotonic()
    process = chroot.start("fsdesk", *words, DISPLAY=shown.number, QT_QPA_PLATFORM="xcb")
    if beside:
        wait_until(lambda: len(shown.windows("fsdesk")) > beside, "another window opens")
    else:
        wait_until(lambda: shown.painted() > 0.3, "the window is painted", every=0.01)
    return process, time.monotonic() - started


def _close(shown: Screen, process: subprocess.Popen[bytes], window: str) -> None:
    shown.press(window, "ctrl+q")
    time.sleep(2)
    for asking in set(shown.windows(".")) - {window} if process.poll() is None else ():
        shown.press(asking, "Return")  # whether a project without a name should get one
    demand(process.wait(60) == 0, "the window ends with exit code 0")
    wait_until(lambda: shown.painted() < 0.05, "the screen is empty")


def _query(project: Path, words: str) -> int:
    try:
        with closing(sqlite3.connect(f"file:{project}?mode=ro", uri=True)) as connection:
            return int(connection.execute(words).fetchone()[0])
    except sqlite3.Error:
        return 0


def _use_window(chroot: Chroot, shown: Screen) -> Path:
    """Open the CSV given as argument, run, export, look around, close; return the project that is left."""
    _settings(chroot)
    call("sh", "-c", "sync; echo 3 > /proc/sys/vm/drop_caches")
    process, cold = _open(chroot, shown, "patients.csv")
    within(cold, FIRST_PAINT_COLD, "first paint, cold", "s")
    window = _front(shown, "patients")
    project = _run(chroot, shown, window)
    shown.picture(PICTURES / "1 finished.png")
    shown.press(window, "ctrl+e")
    time.sleep(2)
    shown.picture(PICTURES / "2 export.png")
    shown.press(_front(shown, "Export"), "Return")
    exported = chroot.home / "patients results" / "selected.txt"
    wait_until(exported.is_file, "the export is there")
    wait_until(lambda: not shown.windows("Export"), "the dialog closes when all is written")
    names = exported.read_text("utf-8").split()
    demand({"gene3", "gene8"} <= set(names), "the genes that tell who is ill are among those selected")
    proved(f"the CSV given as argument was searched in the worker pool and exported: {', '.join(names)}")
    time.sleep(1)
    shown.click(*HELP_MENU)
    shown.press(window, "Up", "Return")  # its last command
    time.sleep(3)
    shown.picture(PICTURES / "3 about.png")
    _dismiss(shown, "About fsdesk")
    shown.press(window, "ctrl+o")
    time.sleep(3)
    shown.picture(PICTURES / "4 open.png")
    _dismiss(shown, "Open a table")
    shown.press(window, "ctrl+3")
    time.sleep(3)
    shown.picture(PICTURES / "5 result.png")
    _close(shown, process, window)
    proved("the window ends with exit code 0")
    starts = []
    for _ in range(WARM_STARTS):
        wait_until(lambda: not chroot.processes(), "nothing of the window before is at work")
        process, seconds = _open(chroot, shown)
        starts.append(seconds)
        _close(shown, process, _front(shown, "fsdesk"))
    say(f"first paint, warm, each: {', '.join(f'{seconds:.2f}' for seconds in starts)} s")
    within(statistics.median(starts), FIRST_PAINT_WARM, f"first paint, warm, median of {WARM_STARTS} starts", "s")
    return project


def _dismiss(shown: Screen, title: str) -> None:
    """Close a dialog; say where it did not come."""
    found = shown.windows(title)
    say(f"   {title}: {'seen' if found else 'NOT SEEN'}")
    for window in found:
        shown.press(window, "Escape")
    time.sleep(0.5)


def _front(shown: Screen, title: str) -> str:
    wait_until(lambda: shown.windows(title), f'a window says "{title}"', every=0.1)
    return shown.windows(title)[-1]


def _run(chroot: Chroot, shown: Screen, window: str) -> Path:
    """Press Run until a run begins, and wait for its end; return the project."""
    projects = chroot.home / ".local" / "share" / "fsdesk" / "projects"

    def project() -> Path | None:
        return next(iter(sorted(projects.glob("*.fsdesk"))), None)

    pressed = 0.0
    for _ in range(60):
        found = project()
        if found and _query(found, "SELECT count(*) FROM run"):
            break
        pressed = time.monotonic()
        shown.press(window, "F5")
        time.sleep(1)
    found = project()
    demand(found, "a run begins")
    assert found is not None
    measured = "SELECT count(*) FROM event WHERE kind IN ('BatchMeasured', 'SubsetsJudged')"
    wait_until(lambda: _query(found, measured) > 0, "the first measurement is logged", 300)
    within(time.monotonic() - pressed, FIRST_POINT, "first point of the first Run after the click, on disk", "s")
    ended = "SELECT count(*) FROM event WHERE kind = 'RunFinished'"
    seconds = wait_until(lambda: _query(found, ended) > 0, "the run finishes", 900, every=0.2)
    say(f"   the run finished {seconds:.0f} s later")
    time.sleep(2)
    return found


def _kept(chroot: Chroot) -> dict[str, str]:
    """Digests of the user's projects and settings."""
    found = {}
    for folder in (".config/fsdesk", ".local/share/fsdesk"):
        for path in sorted((chroot.home / folder).rglob("*")):
            if path.is_file():
                found[str(path.relative_to(chroot.home))] = hashlib.sha256(path.read_bytes()).hexdigest()
    demand(any(name.endswith(".fsdesk") for name in found), "there is a project")
    demand(any(name.endswith(".ini") for name in found), "there are settings")
    return found


def _second_window(chroot: Chroot, shown: Screen, project: Path) -> None:
    """Open a project in German, and the table in a second window beside it."""
    _settings(chroot, "de")
    inside = f"/{project.relative_to(chroot.root)}"
    first, _ = _open(chroot, shown, inside)
    time.sleep(4)
    shown.picture(PICTURES / "6 German.png")
    windows = len(shown.windows("fsdesk"))
    second, _ = _open(chroot, shown, "patients.csv", beside=windows)
    time.sleep(3)
    shown.picture(PICTURES / "7 beside.png")
    proved(
        "a second start opens the file that it names in a window beside; the window speaks German where that is chosen"
    )
    for process in (first, second):
        process.terminate()
        process.wait(60)
    wait_until(lambda: not chroot.processes(), "both end when they are told to")


def _kill(chroot: Chroot, shown: Screen) -> None:
    wait_until(lambda: shown.painted() < 0.05, "the screen is empty")
    projects = chroot.home / ".local" / "share" / "fsdesk" / "projects"
    before = set(projects.glob("*.fsdesk"))
    process, _ = _open(chroot, shown, "patients.csv")
    window = _front(shown, "patients")
    for _ in range(30):
        shown.press(window, "F5")
        time.sleep(0.4)
        if any(_query(each, "SELECT count(*) FROM event") for each in set(projects.glob("*.fsdesk")) - before):
            break
    [begun] = set(projects.glob("*.fsdesk")) - before
    ended = _query(begun, "SELECT count(*) FROM event WHERE kind = 'RunFinished'")
    demand(_query(begun, "SELECT count(*) FROM event") and not ended, "a run is at work when the window is killed")
    many = len(chroot.processes())
    process.kill()
    process.wait()
    seconds = wait_until(lambda: not chroot.processes(), "no process is left after kill -9", 30)
    proved(f"kill -9 of the window amid a run ended all {many} processes in {seconds:.1f} s")


def _double_click(chroot: Chroot, shown: Screen, project: Path) -> None:
    """What a desktop does: ask the MIME database what a file is, and the desktop entries who opens it."""
    wait_until(lambda: shown.painted() < 0.05, "the screen is empty")
    packages = ("shared-mime-info", "desktop-file-utils", "libglib2.0-bin")
    chroot.as_root("apt-get", "install", "-y", "-q", "--no-install-recommends", *packages)
    copy = chroot.home / "a project.fsdesk"
    shutil.copy(project, copy)
    os.chown(copy, USER, USER)
    said = chroot.as_user("gio", "info", "-a", "standard::content-type,standard::icon", f"/{HOME}/{copy.name}")
    demand("application/x-fsdesk" in said, "a project is known by its type")
    nameless = chroot.home / "nameless"
    shutil.copy(project, nameless)
    os.chown(nameless, USER, USER)
    said = chroot.as_user("gio", "info", "-a", "standard::content-type", f"/{HOME}/nameless")
    demand("application/x-fsdesk" in said, "a project is known by its content too")
    process = chroot.start("gio", "open", f"/{HOME}/{copy.name}", DISPLAY=shown.number, QT_QPA_PLATFORM="xcb")
    wait_until(lambda: shown.windows("a project"), "the project opens", 60, every=0.2)
    time.sleep(2)
    shown.picture(PICTURES / "8 double click.png")
    process.wait(60)
    call("sh", "-c", f"kill {' '.join(_pids(chroot))}")
    wait_until(lambda: not chroot.processes(), "the window ends")
    proved("a double click on a project opens it (gio: type by name and by content, then our desktop entry)")
    chroot.as_root("apt-get", "purge", "-y", "-q", "--autoremove", *packages)


def _pids(chroot: Chroot) -> list[str]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "root").readlink() == chroot.root:
                found.append(folder.name)
        except OSError:
            continue
    return found


def _prove_left_nothing(chroot: Chroot, bare: set[str]) -> None:
    homes = sorted(str(path) for path in (chroot.home / ".local" / "share" / "fsdesk").rglob("*"))
    chroot.as_root("apt-get", "purge", "-y", "-q", NAME)
    left = sorted(name for name in chroot.files() if "fsdesk" in name.lower())
    demand(not left, f"purge leaves nothing (left: {left})")
    chroot.as_root("apt-get", "purge", "-y", "-q", "--autoremove")
    more = sorted(chroot.files() - bare)
    demand(not any(name.startswith("opt/") for name in more), f"nothing is in /opt ({more[:5]})")
    now = sorted(str(path) for path in (chroot.home / ".local" / "share" / "fsdesk").rglob("*"))
    demand(homes == now, "purge does not touch the user's projects")
    proved(f"purge leaves nothing of fsdesk and keeps the user's projects; {len(more)} files of other packages stay")


def _prove_run(chroot: Chroot, shown: Screen, run: Path) -> None:
    """Install the .run as the user; a desktop has xz, which unpacks it, and the libraries that the .deb declares."""
    depends = call("dpkg-deb", "-f", DIST / f"{NAME}_{VERSION}_amd64.deb", "Depends")
    first = [each.partition("|")[0].partition("(")[0].strip() for each in depends.split(",")]
    chroot.as_root("apt-get", "install", "-y", "-q", "--no-install-recommends", "xz-utils", *first)
    shutil.copy(run, chroot.root / "tmp" / run.name)
    started = time.monotonic()
    chroot.as_user("sh", f"/tmp/{run.name}", "--quiet")
    seconds = time.monotonic() - started
    desktop = (chroot.home / ".local/share/applications/fsdesk.desktop").read_text("utf-8")
    demand(f'Exec="/{HOME}/.local/opt/fsdesk/fsdesk" %f' in desktop, "the desktop entry starts what was installed")
    said = chroot.as_user("fsdesk", "--smoke", "patients.csv", DISPLAY=shown.number, QT_QPA_PLATFORM="xcb")
    chroot.as_user("sh", f"/tmp/{run.name}", "--quiet")  # a second time, as an upgrade is
    chroot.as_user(f"/{HOME}/.local/opt/fsdesk/uninstall")
    data = (".local/share/fsdesk", ".local/state", ".config/fsdesk", ".cache/fsdesk")
    left = [str(path.relative_to(chroot.home)) for path in chroot.home.rglob("*fsdesk*")]
    left = [name for name in left if not name.startswith(data) and ".fsdesk" not in name]
    demand(not left, f"uninstalling leaves nothing ({left})")
    proved(
        f"{run.name} installs without root in {seconds:.1f} s, twice, and uninstalls; {said.strip().splitlines()[-1]}"
    )


# Windows


def prove_windows() -> None:
    """The setup compiles without warnings; under wine it installs, upgrades and uninstalls a stand-in program."""
    wine = shutil.which("wine64", path=WINE_FOLDERS)
    demand(wine, "wine64 is installed; build.py tools installs it")
    assert wine is not None
    icons = environment("frozen", target(), find_python(PYTHON))
    call(python_of(icons), HERE / "icons.py", HERE.parent / "resources" / "fsdesk.svg", SCRATCH)
    icon = SCRATCH / "fsdesk.ico"
    setups = {}
    for version in ("0.0.9", VERSION):
        setups[version] = SCRATCH / f"setup-{version}.exe"
        installers.compile_setup(_stand_in(version), icon, setups[version], version)
    proved(f"makensis -WX: amd64 setup without a warning, of a stand-in payload ({megabytes(setups[VERSION])})")
    prefix = fresh(AWAY / "wine")
    variables = {
        "WINEPREFIX": str(prefix),
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "mscoree,mshtml=",
        "DISPLAY": "",
        "LC_ALL": "C.UTF-8",
    }
    with step("a new Windows in wine"):
        call(wine, "wineboot", "--init", env=variables)
        call(wine, "reg", "add", r"HKCU\Software\Wine", "/v", "Version", "/d", "win10", "/f", env=variables)
    try:
        for mode, hive in (("CurrentUser", "HKCU"), ("AllUsers", "HKLM")):
            _prove_setup(wine, prefix, variables, setups, mode, hive)
    finally:
        call(wine, "wineboot", "--kill", env=variables, fails=True)


def _stand_in(version: str) -> Path:
    """Make a folder with the layout of the frozen program, and names that Windows finds hard."""
    folder = fresh(SCRATCH / f"stand-in {version}")
    deep = folder / "_internal" / "sklearn" / "metrics" / "_pairwise_distances_reduction" / ("long" * 15)
    deep.mkdir(parents=True)
    for path in (
        folder / "fsdesk.exe", folder / "fsdesk-window.exe", deep / "a_module.cp311-win_amd64.pyd",
        folder / "_internal" / "größe é 特徴.txt", folder / "_internal" / f"only in {version}.txt",
    ):  # fmt: skip
        path.write_text(f"fsdesk {version}\n", "utf-8")
    return folder


def _prove_setup(
    wine: str, prefix: Path, variables: dict[str, str], setups: dict[str, Path], mode: str, hive: str
) -> None:
    def run(*words: str | Path) -> None:
        call(wine, *words, env=variables, timeout=300)

    def registry(key: str) -> str:
        """Return what a key holds, "" without it; exported to a file, as a console has no such letters."""
        file = fresh(SCRATCH / "registry") / "key.reg"
        call(wine, "reg", "export", f"{hive}\\{key}", f"Z:{file}", "/y", env=variables, fails=True)
        said = file.read_text("utf-16") if file.is_file() else ""
        return said.replace('\\"', '"').replace("\\\\", "\\")

    # A name that no code page of an English Windows has, and a blank.
    drive, inside = prefix / "drive_c", f"users/Jürgen Σ 特徴/Programs {mode}/fsdesk"
    place = drive / inside
    windows = "C:\\" + inside.replace("/", "\\")
    project = "Software\\Classes\\fsdesk.project\\shell\\open\\command"
    uninstall = "Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\fsdesk"
    for version, setup in setups.items():
        run(setup, "/S", f"/{mode}", *f"/D={windows}".split(" "))  # NSIS wants it without quotes
        found = {path.name for path in place.rglob("*") if path.is_file()}
        wanted = {path.name for path in (SCRATCH / f"stand-in {version}").rglob("*") if path.is_file()}
        demand(
            found == wanted | {"uninstall.exe", "fsdesk.ico"}, f"{mode} {version}: just its files are there: {found}"
        )
        demand(
            (place / "fsdesk.exe").read_text("utf-8") == f"fsdesk {version}\n", f"{mode}: the files are of {version}"
        )
        demand(f'"{windows}\\fsdesk-window.exe" "%1"' in registry(project), f"{mode}: a double click opens projects")
        demand("fsdesk.project" in registry("Software\\Classes\\.fsdesk"), f"{mode}: .fsdesk has its type")
        demand(f'"DisplayVersion"="{version}"' in registry(uninstall), f"{mode}: Windows lists version {version}")
        links = [path for path in drive.rglob("fsdesk.lnk") if ("ProgramData" in path.parts) == (mode == "AllUsers")]
        demand(len(links) == 1, f"{mode}: one entry in the Start menu ({links})")
    (place / "mine.fsdesk").write_text("a project of the user", "utf-8")
    run(place / "uninstall.exe", "/S", f"/{mode}", *f"_?={windows}".split(" "))
    left = {path.name for path in place.rglob("*") if path.is_file()} - {
        "uninstall.exe"
    }  # which runs in place with _?=
    demand(left == {"mine.fsdesk"}, f"{mode}: only what is the user's is left ({left})")
    for key in (project, uninstall, "Software\\fsdesk", "Software\\Classes\\.fsdesk"):
        demand(not registry(key), f"{mode}: {key} is gone")
    demand(not list(drive.rglob("fsdesk.lnk")), f"{mode}: the Start menu is as before")
    proved(
        f"wine, {mode}, silent: installs to {windows}, upgrades in place, "
        "associates .fsdesk, uninstalls without a trace"
    )


# macOS, and the core on other systems


def prove_macos() -> None:
    """Info.plist, entitlements and icon are as macOS reads them, and the image script parses; nothing runs here."""
    info = installers.mac_info()
    path = SCRATCH / "Info.plist"
    path.write_bytes(plistlib.dumps(info))
    wanted = {"CFBundleIdentifier", "CFBundleShortVersionString", "CFBundleVersion", "LSMinimumSystemVersion"}
    demand(wanted <= plistlib.loads(path.read_bytes()).keys(), "Info.plist has what every app needs")
    demand(info["CFBundleShortVersionString"] == VERSION, "Info.plist has the version of pyproject.toml")
    owned = {name for each in info["UTExportedTypeDeclarations"] for name in [each["UTTypeIdentifier"]]}
    opened = {name for each in info["CFBundleDocumentTypes"] for name in each["LSItemContentTypes"]}
    demand(owned <= opened, "the type that the app declares is one that it opens")
    if shutil.which("plistutil"):
        call("plistutil", "-i", path, "-o", SCRATCH / "Info.bin")
    entitlements = plistlib.loads((HERE / "macos" / "entitlements.plist").read_bytes())
    demand(all(value is True for value in entitlements.values()), "the entitlements are a list of switches")
    proved(f"Info.plist and {len(entitlements)} entitlements are property lists; .fsdesk is the app's own type")
    venv = environment("frozen", target(), find_python(PYTHON))
    call(python_of(venv), HERE / "icons.py", HERE.parent / "resources" / "fsdesk.svg", SCRATCH)
    count = "import sys; from PIL import Image; print(len(Image.open(sys.argv[1]).info['sizes']))"
    sizes = call(python_of(venv), "-c", count, SCRATCH / "fsdesk.icns").strip()
    proved(f"fsdesk.icns holds {sizes} sizes")
    call("sh", "-n", HERE / "macos" / "image.sh")
    proved("image.sh parses; codesign, hdiutil and notarytool need a Mac, and no one has run them yet")


# Compiler targets by zig's names; Python's headers are those of this machine, and only declarations of them are used.
CORE_TARGETS = {
    "macOS arm64": "aarch64-macos.13.0", "macOS x86_64": "x86_64-macos.13.0", "Linux arm64": "aarch64-linux-gnu.2.28",
}  # fmt: skip


MINGW = "x86_64-w64-mingw32"
WINE_FOLDERS = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/lib/wine"])  # the last one is Debian's
WINE = {"WINEPREFIX": str(AWAY / "wine-core"), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml="}


def _python_for_windows() -> Path | None:
    """Fetch the source of Debian's Python, which has the headers for Windows; None where that fails."""
    folder = AWAY / "python-source"
    found = next(folder.glob("Python-3*"), None)
    if found:
        return found
    (fresh(folder) / "lists" / "partial").mkdir(parents=True)
    keys = "/usr/share/keyrings/debian-archive-keyring.gpg"
    (folder / "sources.list").write_text(f"deb-src [signed-by={keys}] http://deb.debian.org/debian bookworm main\n")
    options = (
        *("-o", f"Dir::Etc::SourceList={folder / 'sources.list'}", "-o", "Dir::Etc::SourceParts=-"),
        *("-o", f"Dir::State::Lists={folder / 'lists'}"),
    )
    try:
        call("apt-get", "update", "-q", *options)
        call("apt-get", "source", "-q", "--download-only", *options, f"python{PYTHON}", cwd=folder)
    except BuildError:
        return None
    source = next(folder.glob("*.orig.tar.*"))
    call("tar", "-xf", source, "-C", folder, "--wildcards", "Python-3*/Include/*", "Python-3*/PC/*")
    return next(folder.glob("Python-3*"))


def cross_compiler() -> Path:
    """The Python of an environment with zig, a clang for many systems, and nanobind."""
    venv = SCRATCH / "cross"
    if not (venv / "done").exists():
        with step("ziglang and nanobind"):
            call(find_python(PYTHON) or sys.executable, "-m", "venv", venv)
            call(python_of(venv), "-m", "pip", "install", "-q", "ziglang", "nanobind>=2.4")
        (venv / "done").touch()
    return python_of(venv)


def core_digests(compiler: Sequence[str], title: str, level: str, options: Sequence[str]) -> Path:
    """Compile the program that prints digests of what all kernels compute, for one level of the processor."""
    kernels = HERE.parent / "fsdesk" / "kernels"
    folder = fresh(SCRATCH / "bits" / title)
    others = {kernels / "module.cpp", kernels / "level_of_machine.cpp"}
    sources = sorted({HERE / "core_digest.cpp", *kernels.glob("*.cpp")} - others)
    named = f"-DFSDESK_LEVEL={level}"
    flags = ("-std=c++20", "-O3", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", named)

    def compiled(source: Path) -> Path:
        made = folder / f"{source.stem}.o"
        call(*compiler, *options, *flags, f"-I{kernels}", "-c", source, "-o", made)
        return made

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compiled, sources))
    call(*compiler, *options, *objects, "-pthread", "-o", folder / "digest")
    return folder / "digest"


def prove_bits() -> None:
    """All kernels compute the same to the last bit: g++ and clang, each level of x86-64, arm64, and Windows by wine."""
    zig = (str(cross_compiler()), "-m", "ziglang", "c++", "-target")
    here = Path("/proc/cpuinfo").read_text("utf-8") if Path("/proc/cpuinfo").is_file() else ""
    needed = {"v2": "sse4_2", "v3": "avx2", "v4": "avx512vl"}
    nehalem, arm = shutil.which("qemu-x86_64"), shutil.which("qemu-aarch64")
    expected, count = "", 0

    def compare(program: Path, title: str, *runner: str) -> None:
        nonlocal expected, count
        started = time.monotonic()
        several = ("2",) if runner else ("1", "2", "16")  # qemu takes its time
        for threads in several:
            said = call(*runner, program, threads, env=WINE).replace("\r", "")
            expected, count = expected or said, count + 1
            lines = [a for a, b in zip(said.splitlines(), expected.splitlines(), strict=True) if a != b]
            demand(not lines, f"{title}, {threads} threads: the same digests; these differ: {', '.join(lines[:5])}")
        proved(f"bits of {title}, threads: {', '.join(several)} ({time.monotonic() - started:.0f} s)")

    for name, compiler, march in (
        ("g++", ("g++",), "-march=x86-64-{}"),
        ("clang", (*zig, "native"), "-march=x86_64_{}"),
    ):
        for level, flag in needed.items():
            program = core_digests(compiler, f"{name}-{level}", level, (march.format(level),))
            if flag in here:
                compare(program, f"{name}, x86-64-{level}")
            else:
                say(f"NOT TRIED {name}, x86-64-{level}: this machine has no {flag}")
            if level == "v2" and nehalem:
                compare(program, f"{name}, x86-64-v2 on a Nehalem by qemu", nehalem, "-cpu", "Nehalem")
    if arm:  # musl: linked without a loader
        program = core_digests((*zig, "aarch64-linux-musl"), "clang-arm64", "base", ())
        compare(program, "clang, arm64 by qemu", arm)
    windows, wine = shutil.which(f"{MINGW}-g++-posix"), shutil.which("wine64", path=WINE_FOLDERS)
    if windows and wine:
        AWAY.mkdir(parents=True, exist_ok=True)
        call(wine, "wineboot", "--init", env=WINE, fails=True)
        program = core_digests((windows,), "mingw", "base", ("-march=x86-64-v3", "-static"))
        compare(program.with_suffix(".exe"), "g++ for Windows (mingw-w64), by wine", wine)
    else:
        say("NOT TRIED Windows: there is no mingw-w64 or no wine (Debian: g++-mingw-w64-x86-64-posix, wine64)")
    if not (nehalem and arm):
        say("NOT TRIED Nehalem and arm64: there is no qemu (Debian: qemu-user)")
    digests = sum(line.count(" ") > 0 and len(line.split()[-1]) == 16 for line in expected.splitlines())
    proved(f"{digests} digests of all models and of what they share are the same in {count} runs")


def prove_core() -> None:
    """Every file of the compiled core compiles for other systems: zig for macOS and arm64, mingw-w64 for Windows."""
    python = cross_compiler()
    kernels = HERE.parent / "fsdesk" / "kernels"
    nanobind = call(python, "-m", "nanobind", "--include_dir").strip()
    # Debian's own headers ask for those of the other processor; a Python that was built here takes its own for all.
    headers = next((Path.home() / ".pyenv" / "versions").glob("3.*/include/python3.1[1-9]/Python.h"), None)
    options = ("-std=c++20", "-O1", "-ffp-contract=off", "-c", "-fvisibility=hidden", "-o", str(SCRATCH / "core.o"))
    inner = sorted(set(kernels.glob("*.cpp")) - {kernels / "module.cpp", kernels / "level_of_machine.cpp"})
    for title, triple in CORE_TARGETS.items():
        started = time.monotonic()
        zig = (python, "-m", "ziglang", "c++", "-target", triple)
        level = ("-march=x86_64_v3", "-DFSDESK_LEVEL=v3") if triple.startswith("x86_64") else ("-DFSDESK_LEVEL=base",)
        for source in inner:
            call(*zig, *level, *options, source)
        border = "without the border, for want of headers"
        if headers:
            including = (f"-I{nanobind}", f"-I{headers.parent}", "-DFSDESK_LEVEL=border")
            call(*zig, *including, *options, kernels / "module.cpp")
            border = "and the border to Python"
        seconds = time.monotonic() - started
        proved(f"core for {title}: {len(inner)} files compile with zig, {border} ({seconds:.0f} s)")
    compiler = shutil.which("x86_64-w64-mingw32-g++-posix")
    if compiler is None:
        say("NOT TRIED Windows: there is no mingw-w64 (Debian: g++-mingw-w64-x86-64-posix)")
        return
    started = time.monotonic()
    folder = fresh(SCRATCH / "windows-core")
    common = (compiler, "-march=x86-64-v3", *options[:-2], "-o")
    objects = [folder / f"{source.stem}.o" for source in inner]
    for source, made in zip(inner, objects, strict=True):
        call(*common, made, "-DFSDESK_LEVEL=base", source)
    windows_headers = _python_for_windows()
    if windows_headers is None:
        say("NOT TRIED Windows' border to Python: Debian's source of Python, which has the headers, cannot be fetched")
        return
    own = Path(nanobind).parent
    declared = (
        *(f"-I{own / each}" for each in ("include", "ext/robin_map/include")),
        *(f"-I{windows_headers / each}" for each in ("Include", "PC")),
        *("-DMS_WIN64", "-DNB_COMPACT_ASSERTIONS", "-DFSDESK_LEVEL=border", "-DFSDESK_HAS_base"),
    )
    bound = [folder / "module.o", folder / "nanobind.o"]
    for source, made in zip((kernels / "module.cpp", own / "src" / "nb_combined.cpp"), bound, strict=True):
        call(*common, made, *declared, source)
    symbols = call(f"{MINGW}-nm", "--undefined-only", *bound)
    wanted = sorted(set(re.findall(r"\b(?:__imp_)?(_?Py\w+)$", symbols, re.MULTILINE)))
    exported = call("nm", "-D", "--defined-only", next(Path("/usr/lib").rglob(f"libpython{PYTHON}.so.1.0")))
    known = {line.split()[-1].partition("@")[0] for line in exported.splitlines()}
    demand(known.issuperset(wanted), f"Python has all that the border calls ({sorted(set(wanted) - known)})")
    library = f"python{PYTHON.replace('.', '')}"
    (folder / "python.def").write_text("\n".join([f"LIBRARY {library}.dll", "EXPORTS", *wanted]) + "\n", "utf-8")
    call(f"{MINGW}-dlltool", "-d", folder / "python.def", "-l", folder / f"lib{library}.a")
    module = folder / f"_core.cp{library.removeprefix('python')}-win_amd64.pyd"
    call(compiler, "-shared", "-static", *bound, *objects, f"-L{folder}", f"-l{library}", "-o", module)
    said = call(f"{MINGW}-objdump", "-p", module)
    needed = {each.lower() for each in re.findall(r"DLL Name: (\S+)", said)}
    demand("PyInit__core" in said, "the module for Windows has its entry")
    demand(needed <= {f"{library}.dll", "kernel32.dll", "msvcrt.dll"}, f"the module needs Windows and Python: {needed}")
    seconds = time.monotonic() - started
    proved(
        f"core for Windows x86_64: {module.name} links with mingw-w64, calls {len(wanted)} functions of Python; "
        f"there is no Python for Windows here to load it ({seconds:.0f} s)"
    )
