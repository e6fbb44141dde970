"""Build what people install, into `dist/`, and prove it: `python3 packaging/build.py --help` lists the commands.

Runs on any Python from 3.11 on and needs nothing else from PyPI beforehand: tools and libraries come from the lock files
in `packaging/locks`, into environments under `.build/packaging`. packaging/README.md says what each proof covers.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import components
from workshop import (
    DIST,
    HERE,
    LOCKS,
    NAME,
    PROJECT,
    PYTHON,
    ROOT,
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

# The oldest systems that the installers run on, as uv names them; PySide6 decides for Linux.
PLATFORMS = {
    "linux-x86_64": "x86_64-manylinux_2_34",
    "linux-arm64": "aarch64-manylinux_2_39",
    "windows-x86_64": "x86_64-pc-windows-msvc",
    "macos-arm64": "aarch64-apple-darwin",  # of macOS 13
    "macos-x86_64": "x86_64-apple-darwin",
}
# What the commands call beside Python packages, as Debian names it.
DEBIAN_TOOLS = (
    *("g++", "python3-dev", "python3-venv", "makeself", "zstd", "fakeroot", "lintian", "appstream"),
    *("desktop-file-utils", "mmdebstrap", "xvfb", "xdotool", "nsis", "wine64", "libglib2.0-0", "libgl1", "libegl1"),
    *("libfontconfig1", "libdbus-1-3", "libxkbcommon0", "libxcb-cursor0", "libxkbcommon-x11-0", "libxcb-icccm4"),
    *("libxcb-keysyms1", "libxcb-shape0", "x11-utils"),
)


def build_tools() -> None:
    """Install Debian's packages that the other commands call (as root)."""
    call("apt-get", "update", "-q")
    with step("Debian packages"):
        call(
            "apt-get", "install", "-y", "-q", "--no-install-recommends", *DEBIAN_TOOLS,
            env={"DEBIAN_FRONTEND": "noninteractive"},
        )  # fmt: skip


# Lock files


def build_locks() -> None:
    """Write packaging/locks: for each system and processor, every package with its version and hashes."""
    uv = _uv()
    common = (
        *("pip", "compile", "pyproject.toml", "--python-version", PYTHON, "--generate-hashes", "--no-annotate"),
        *("--only-binary", ":all:", "--prerelease", "disallow", "--upgrade", "--quiet"),
        *("--custom-compile-command", "python3 packaging/build.py locks"),
    )
    for name, system in PLATFORMS.items():
        call(uv, *common, "--group", "freeze", "--python-platform", system, "-o", LOCKS / f"{name}.txt")
        pins = (LOCKS / f"{name}.txt").read_text("utf-8").count("==")
        say(f"packaging/locks/{name}.txt: {pins} packages for {system}")
    # Of the tools alone, for this kind of machine.
    only_tools = [word for word in common if word != "pyproject.toml"]
    call(uv, *only_tools, "--group", "tools", "--universal", "-o", LOCKS / "tools.txt")
    say("packaging/locks/tools.txt: what builds and checks")


def _uv() -> Path:
    """Find uv: of the tools' environment, or, before there is a lock file for that, the newest."""
    if (LOCKS / "tools.txt").is_file():
        return programs(environment("tools", "tools")) / "uv"
    venv = SCRATCH / "first"
    call(sys.executable, "-m", "venv", venv)
    call(python_of(venv), "-m", "pip", "install", "-q", "uv")
    return programs(venv) / "uv"


# Wheels


def wheel_pythons() -> dict[str, Path]:
    """Return the Pythons to build wheels with: 3.11, and 3.12 or newer once, for its wheel serves all later ones."""
    oldest, later = find_python("3.11"), (find_python(f"3.{minor}") for minor in (12, 13, 14))
    newer = next((each for each in later if each), None)
    return {name: each for name, each in (("cp311", oldest), ("cp312", newer)) if each}


def build_wheel() -> None:
    """Build the sdist, and from it a wheel for Python 3.11 and one for 3.12 and later."""
    tools = environment("tools", "tools")
    DIST.mkdir(exist_ok=True)
    for old in (*DIST.glob(f"{NAME}-*.whl"), *DIST.glob(f"{NAME}-*.tar.gz")):
        old.unlink()
    with step("sdist"):
        call(python_of(tools), "-m", "build", "--sdist", "--outdir", DIST, ROOT)
    source = DIST / f"{NAME}-{VERSION}.tar.gz"
    raw = fresh(SCRATCH / "wheels")
    for name, python in wheel_pythons().items():
        with step(f"wheel {name}"):
            venv = SCRATCH / f"wheel-{name}"
            if not venv.exists():
                call(python, "-m", "venv", venv)
            call(
                python_of(venv), "-m", "pip", "wheel", "--no-deps", "--no-input", "-q", "-w", raw, source,
                "-C", "cmake.define.FSDESK_LEVELS=all",
            )  # fmt: skip
    for wheel in sorted(raw.glob("*.whl")):
        if sys.platform == "linux":  # names the oldest glibc that it runs with
            call(programs(tools) / "auditwheel", "repair", "--wheel-dir", DIST, wheel, env=_path_with(programs(tools)))
        else:
            shutil.copy(wheel, DIST)
    for each in sorted(DIST.glob(f"{NAME}-{VERSION}*")):
        if each.suffix in (".whl", ".gz"):
            say(f"{each.relative_to(ROOT)}: {megabytes(each)}")


def _path_with(folder: Path) -> dict[str, str]:
    return {"PATH": os.pathsep.join([str(folder), os.environ.get("PATH", os.defpath)])}


# The frozen program


def freeze() -> Path:
    """Freeze the wheel with what the lock file of this machine says; return PyInstaller's folder of the results."""
    venv = environment("frozen", target(), find_python(PYTHON))
    wheel = next(DIST.glob(f"{NAME}-{VERSION}-cp{PYTHON.replace('.', '')}-*.whl"), None)
    if wheel is None:
        build_wheel()
        return freeze()
    with step(f"freezing {wheel.name}"):
        call(python_of(venv), "-m", "pip", "install", "-q", "--no-deps", "--force-reinstall", wheel)
        (SCRATCH / "build.txt").write_text(build_note() + "\n", "utf-8")
        call(python_of(venv), HERE / "icons.py", ROOT / "resources" / "fsdesk.svg", SCRATCH)
        (SCRATCH / "info.json").write_text(json.dumps(mac_info()), "utf-8")
        (SCRATCH / "version.txt").write_text(windows_version(), "utf-8")
        parts = components.python_parts(venv)
        components.write_licences(parts, SCRATCH / "licences")
        frozen = SCRATCH / "pyinstaller"
        variables = {
            "FSDESK_SCRATCH": str(SCRATCH), "FSDESK_VERSION": VERSION, "PYTHONHASHSEED": "1",
            "FSDESK_HAS_NUMBA": "1" if any(part.name == "numba" for part in parts) else "",
        }  # fmt: skip
        folders = ("--distpath", frozen / "dist", "--workpath", frozen / "work")
        said = call(
            python_of(venv), "-m", "PyInstaller", "--noconfirm", *folders, HERE / "fsdesk.spec",
            cwd=SCRATCH, env=variables,
        )  # fmt: skip
        (SCRATCH / "pyinstaller.log").write_text(said, "utf-8")
    if sys.platform == "linux":
        parts += components.system_parts(json.loads((SCRATCH / "binaries.json").read_text("utf-8")), venv)
        components.write_licences(parts, frozen / "dist" / NAME / "_internal" / "licences")
    bill = DIST / f"{NAME}-{VERSION}-{target()}.cdx.json"
    count = components.write_bill(parts, venv, bill)
    say(f"{bill.relative_to(ROOT)}: {count} components; {sum(len(part.files) for part in parts)} licence files inside")
    say(f"frozen folder: {megabytes(frozen / 'dist' / NAME)}, of which {jit_words(frozen / 'dist' / NAME)}")
    return frozen / "dist"


def jit_words(folder: Path) -> str:
    """Say how much of a frozen folder numba and llvmlite are, which go when all kernels are compiled beforehand."""
    files = [*folder.glob("_internal/llvmlite*"), *folder.glob("_internal/numba*")]
    return f"numba and llvmlite {sum(map(size_of, files)) / 1e6:.1f} MB"


def windows_version() -> str:
    """Return what Windows shows as the properties of the programs, as PyInstaller reads it."""
    numbers = (*(int(part) for part in VERSION.split(".")[:3]), 0)
    strings = {
        "CompanyName": "The fsdesk developers", "FileDescription": "fsdesk", "FileVersion": VERSION,
        "LegalCopyright": f"{PROJECT['license']} licence", "ProductName": "fsdesk", "ProductVersion": VERSION,
    }  # fmt: skip
    table = ", ".join(f"StringStruct({name!r}, {value!r})" for name, value in strings.items())
    return (
        f"VSVersionInfo(ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}),"
        f" kids=[StringFileInfo([StringTable('040904B0', [{table}])]), VarFileInfo([VarStruct('Translation', [1033, 1200])])])"
    )


def mac_info() -> dict[str, object]:
    """Return the entries of Info.plist: what the program is, and the document type that it owns."""
    return {
        "CFBundleIdentifier": "fsdesk",
        "CFBundleName": "fsdesk",
        "CFBundleDisplayName": "fsdesk",
        "CFBundleShortVersionString": VERSION,
        "CFBundleVersion": VERSION,
        "LSMinimumSystemVersion": "13.0",
        "LSApplicationCategoryType": "public.app-category.education",
        "NSHighResolutionCapable": True,
        "NSRequiresAquaSystemAppearance": False,
        "NSHumanReadableCopyright": f"{PROJECT['license']} licence",
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": "fsdesk.project",
                "UTTypeDescription": "fsdesk project",
                "UTTypeConformsTo": ["public.data"],
                "UTTypeTagSpecification": {
                    "public.filename-extension": ["fsdesk"],
                    "public.mime-type": ["application/x-fsdesk"],
                },
            }
        ],
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "fsdesk project",
                "CFBundleTypeRole": "Editor",
                "CFBundleTypeIconFile": "fsdesk.icns",
                "LSHandlerRank": "Owner",
                "LSItemContentTypes": ["fsdesk.project"],
            },
            {
                "CFBundleTypeName": "Table",
                "CFBundleTypeRole": "Viewer",
                "LSHandlerRank": "Alternate",
                "LSItemContentTypes": ["public.comma-separated-values-text", "public.tab-separated-values-text"],
            },
        ],
    }


def build_note() -> str:
    """Name this build, for the About box: commit, its date, system."""
    said = call("git", "log", "-1", "--format=%h of %cs", fails=True).strip()
    commit = said if " of " in said else "source archive"
    changed = bool(call("git", "status", "--porcelain", "--untracked-files=no", fails=True).strip())
    return f"{commit}{' and changes' if changed else ''}, {target()}"


COMMANDS: dict[str, Callable[[], object]] = {
    "tools": build_tools,
    "locks": build_locks,
    "wheel": build_wheel,
    "freeze": freeze,
}
PROOFS = ("locks", "wheel")


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line asks; return the exit code."""
    parser = argparse.ArgumentParser("build.py", description=__doc__.partition("\n")[0] if __doc__ else None)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, function in COMMANDS.items():
        commands.add_parser(name, help=(function.__doc__ or "").partition("\n")[0])
    prove = commands.add_parser("prove", help="Prove what was built, and print what was proved.")
    prove.add_argument("what", choices=PROOFS)
    asked = parser.parse_args(arguments)
    try:
        if asked.command == "prove":
            import proofs

            getattr(proofs, f"prove_{asked.what}")()
        else:
            COMMANDS[asked.command]()
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
