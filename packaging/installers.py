"""What people install: wheel, frozen program, packages and installers of Linux, Windows and macOS, in `dist/`."""

from __future__ import annotations

import email.utils
import gzip
import hashlib
import json
import os
import platform
import re
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import components
import icu
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
    *("g++", "python3-dev", "python3-venv", "libpython3.11", "makeself", "zstd", "fakeroot", "lintian", "appstream"),
    *("desktop-file-utils", "mmdebstrap", "xvfb", "xdotool", "nsis", "wine64", "libglib2.0-0", "libgl1", "libegl1"),
    *("libfontconfig1", "libdbus-1-3", "libxkbcommon0", "libxcb-cursor0", "libxkbcommon-x11-0", "libxcb-icccm4"),
    *("libxcb-keysyms1", "libxcb-shape0", "x11-utils", "qemu-user", "icu-devtools", "g++-mingw-w64-x86-64-posix"),
)

LINUX = HERE / "linux"
METAINFO = "org.pypi.fsdesk.metainfo.xml"
LONGEST_INSIDE = 180  # of the 259 characters of Windows; C:\Users\ and a long name take the rest
MAINTAINER = "The fsdesk developers <fsdesk@localhost>"
DESCRIPTION = """Open a table, press Run, and watch a search find the features that predict
best. Strategies compete on rows that they did not see, and the answer comes
with the error to expect on new rows."""
# Fonts, keyboards and drivers, which no library of ours is linked with.
OPENED_BY_NAME = (
    "libgl1",
    "libegl1",
    "xkb-data",
    "fontconfig-config",
    "fonts-dejavu-core | fonts-freefont-ttf | fonts-liberation",
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
        wanted = "--extra", "app", "--group", "freeze"
        call(uv, *common, *wanted, "--python-platform", system, "-o", LOCKS / f"{name}.txt")
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


def build_wheel(only: str = "") -> None:
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
        if only in ("", name):
            with step(f"wheel {name}, all levels of the processor"):
                venv = SCRATCH / f"wheel-{name}"
                if not venv.exists():
                    call(python, "-m", "venv", venv)
                call(
                    python_of(venv), "-m", "pip", "wheel", "--no-deps", "--no-input", "-q", "-w", raw, source,
                    "--config-settings", "cmake.define.FSDESK_LEVELS=all",
                )  # fmt: skip
    for wheel in sorted(raw.glob("*.whl")):
        if sys.platform == "linux":  # names the oldest glibc that it runs with
            call(programs(tools) / "auditwheel", "repair", "--wheel-dir", DIST, wheel, env=_path_with(programs(tools)))
        else:
            shutil.copy(wheel, DIST)
    for each in sorted(DIST.glob(f"{NAME}-{VERSION}*")):
        if each.suffix in (".whl", ".gz"):
            say(f"{each.relative_to(ROOT)}: {megabytes(each)}")


def wheel_to_freeze() -> Path:
    """Find the wheel for the installers' Python; it is built where there is none or a source is newer."""
    tag = f"cp{PYTHON.replace('.', '')}"
    sources = [ROOT / "pyproject.toml", *(ROOT / "fsdesk").rglob("*"), *(ROOT / "resources").rglob("*")]
    newest = max(each.stat().st_mtime for each in sources if each.is_file() and "__pycache__" not in each.parts)
    wheel = next(DIST.glob(f"{NAME}-{VERSION}-{tag}-*.whl"), None)
    if wheel is None or wheel.stat().st_mtime < newest:
        build_wheel(only=tag)
        wheel = next(DIST.glob(f"{NAME}-{VERSION}-{tag}-*.whl"))
    return wheel


def _path_with(folder: Path) -> dict[str, str]:
    return {"PATH": os.pathsep.join([str(folder), os.environ.get("PATH", os.defpath)])}


# The frozen program


def freeze() -> Path:
    """Freeze the wheel with what the lock file of this machine says; return PyInstaller's folder of the results."""
    venv = environment("frozen", target(), find_python(PYTHON))
    wheel = wheel_to_freeze()
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
        }  # fmt: skip
        folders = ("--distpath", frozen / "dist", "--workpath", frozen / "work")
        said = call(
            python_of(venv), "-m", "PyInstaller", "--noconfirm", *folders, HERE / "fsdesk.spec",
            cwd=SCRATCH, env=variables,
        )  # fmt: skip
        (SCRATCH / "pyinstaller.log").write_text(said, "utf-8")
    if sys.platform == "linux":
        inside = frozen / "dist" / NAME / "_internal"
        strip(inside)
        icu.trim(next(inside.glob("PySide6/Qt/lib/libicudata.so.*")))
        pack(inside / "typst" / "_typst.abi3.so")
        binaries = json.loads((SCRATCH / "binaries.json").read_text("utf-8"))
        parts += components.system_parts([each for each in binaries if (inside / each[0]).exists()], venv)
        components.write_licences(parts, inside / "licences")
    bill = DIST / f"{NAME}-{VERSION}-{target()}.cdx.json"
    count = components.write_bill(parts, venv, bill)
    say(f"{bill.relative_to(ROOT)}: {count} components; {sum(len(part.files) for part in parts)} licence files inside")
    say(f"frozen folder: {megabytes(frozen / 'dist' / NAME)}")
    return frozen / "dist"


def strip(folder: Path) -> None:
    """Take out symbols of Python and of extension modules, libraries that nothing wants, and copies of one library.

    Libraries that auditwheel has put into `*.libs` stay as they are: OpenBLAS does not survive it. Neither do some
    modules, so that each has to load afterwards.
    """
    first: dict[str, Path] = {}
    for file in orphans(folder):
        file.unlink()
    for file in sorted(folder.rglob("*.so*")):
        if file.is_symlink() or not file.is_file():
            continue
        content = file.read_bytes()
        same = first.setdefault(hashlib.sha256(content).hexdigest(), file)
        if same != file:
            file.unlink()
            file.symlink_to(os.path.relpath(same, file.parent))
        elif not file.parent.name.endswith(".libs"):
            call("strip", "--strip-unneeded", file)
            if "not properly aligned" in call("ldd", file, fails=True):
                file.write_bytes(content)


def pack(module: Path) -> None:
    """Pack an extension module that only reports want, 68 MB; frozen.py unpacks it into memory in .3 s."""
    module.with_name(f"{module.name}.gz").write_bytes(gzip.compress(module.read_bytes(), 9, mtime=0))
    module.unlink()


def orphans(folder: Path) -> set[Path]:
    """Return the system's libraries that nothing wants: of plugins of Qt that the spec leaves out, for example."""
    files = [path for path in folder.rglob("*.so*") if not path.is_symlink()]
    wanted: dict[str, set[str]] = {}
    for part in call("readelf", "--dynamic", *files).split("\nFile: ")[1:] if len(files) > 1 else ():
        wanted[part.partition("\n")[0]] = set(re.findall(r"\(NEEDED\).*\[(.+)\]", part))
    candidates = {path for path in files if path.parent == folder and path.name.startswith("lib")}
    candidates = {path for path in candidates if not path.name.startswith("libpython")}  # the program opens it by name
    found: set[Path] = set()
    while True:
        used = set().union(*(names for file, names in wanted.items() if Path(file) not in found))
        more = {path for path in candidates - found if path.name not in used}
        if not more:
            return found
        found |= more


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
        f" kids=[StringFileInfo([StringTable('040904B0', [{table}])]), "
        f"VarFileInfo([VarStruct('Translation', [1033, 1200])])])"
    )


def mac_info() -> dict[str, Any]:
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


# Linux: .deb and .run


def build_linux() -> None:
    """Build the .deb, for everyone at a computer, and the .run, for one user without root."""
    frozen = freeze() / NAME
    tree = linux_tree(frozen)
    # xz -6 takes minutes and makes a quarter less; FSDESK_QUICK=1 is for tries.
    quick = bool(os.environ.get("FSDESK_QUICK"))
    deb = build_deb(tree, VERSION, DIST, ("-Zgzip", "-z1") if quick else ("-Zxz", "-z6"))
    with step("makeself"):
        run = DIST / f"{NAME}-{VERSION}-{target()}.run"
        shutil.rmtree(tree / "DEBIAN")
        shutil.copy(LINUX / "install.sh", tree)
        title = f"{NAME} {VERSION}"
        packer = ("--gzip", "--complevel", "1") if quick else ("--xz", "--complevel", "6", "--threads", "0")
        call("makeself", "--nomd5", "--sha256", *packer, "--quiet", tree, run, title, "sh", "./install.sh")
    for each in (deb, run):
        say(f"{each.relative_to(ROOT)}: {megabytes(each)}; installed {megabytes(frozen)}")


def linux_tree(frozen: Path) -> Path:
    """Lay out all files as they are installed, but for what dpkg wants to know."""
    tree = fresh(SCRATCH / "linux")
    share = tree / "usr" / "share"
    icons = share / "icons" / "hicolor" / "scalable"
    words = {
        "@VERSION@": VERSION, "@DATE@": build_date(), "@HOMEPAGE@": PROJECT["urls"]["Releases"],
        "@LICENCE@": _folded((ROOT / "resources" / "LICENSE.txt").read_text("utf-8")), "@LICENCES@\n": "",
    }  # fmt: skip
    for source, goal in (
        (ROOT / "resources" / "fsdesk.svg", icons / "apps" / "fsdesk.svg"),
        (LINUX / "application-x-fsdesk.svg", icons / "mimetypes" / "application-x-fsdesk.svg"),
        (LINUX / "fsdesk.desktop", share / "applications" / "fsdesk.desktop"),
        (LINUX / "fsdesk.xml", share / "mime" / "packages" / "fsdesk.xml"),
        (LINUX / METAINFO, share / "metainfo" / METAINFO),
        (LINUX / "copyright", share / "doc" / NAME / "copyright"),
        (LINUX / "lintian-overrides", share / "lintian" / "overrides" / NAME),
        (LINUX / "fsdesk.1", share / "man" / "man1" / "fsdesk.1"),
    ):
        goal.parent.mkdir(parents=True, exist_ok=True)
        goal.write_text(_filled(source, words), "utf-8")
    manual = share / "man" / "man1" / "fsdesk.1"
    (manual.parent / "fsdesk.1.gz").write_bytes(gzip.compress(manual.read_bytes(), mtime=0))
    manual.unlink()
    changes = f"{NAME} ({VERSION}) unstable; urgency=medium\n\n  * See resources/changelog.md.\n\n -- {MAINTAINER}  "
    date = email.utils.format_datetime(build_time())
    log = f"{changes}{date}\n".encode()
    (share / "doc" / NAME / "changelog.gz").write_bytes(gzip.compress(log, mtime=0))
    shutil.copytree(frozen, tree / "opt" / NAME, symlinks=True)
    (tree / "usr" / "bin").mkdir()
    (tree / "usr" / "bin" / NAME).symlink_to(f"/opt/{NAME}/{NAME}")
    for path in tree.rglob("*"):  # as a package wants it, whatever the umask here
        if not path.is_symlink():
            is_program = path.is_dir() or path == tree / "opt" / NAME / NAME
            path.chmod(0o755 if is_program else 0o644)
    return tree


def _filled(source: Path, words: dict[str, str]) -> str:
    text = source.read_text("utf-8")
    for word, value in words.items():
        text = text.replace(word, value)
    return text


def _folded(text: str) -> str:
    """Indent a text as a field of Debian's files."""
    return "\n".join(f" {line.strip() or '.'}" for line in text.strip().splitlines())


def build_deb(tree: Path, version: str, folder: Path, compression: tuple[str, ...] = ("-Zxz", "-z6")) -> Path:
    """Make a .deb of a laid out tree; what it depends on is derived from its files."""
    control = fresh(tree / "DEBIAN")
    installed = size_of(tree) // 1024
    machine = call("dpkg", "--print-architecture").strip()
    (control / "control").write_text(
        f"Package: {NAME}\nVersion: {version}\nArchitecture: {machine}\nMaintainer: {MAINTAINER}\n"
        f"Installed-Size: {installed}\nDepends: {', '.join(deb_depends(tree))}\n"
        f"Section: science\nPriority: optional\nHomepage: {PROJECT['urls']['Releases']}\n"
        f"Description: find the features that predict best\n"
        f"{_folded(DESCRIPTION)}\n",
        "utf-8",
    )
    shutil.copy(LINUX / "postrm", control / "postrm")
    (control / "postrm").chmod(0o755)
    sums = [
        f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  {path.relative_to(tree)}"
        for path in sorted((*(tree / "opt").rglob("*"), *(tree / "usr").rglob("*")))
        if path.is_file() and not path.is_symlink()
    ]
    (control / "md5sums").write_text("\n".join(sums) + "\n", "utf-8")
    path = folder / f"{NAME}_{version}_{machine}.deb"
    with step(f"dpkg-deb {path.name}"):
        call("dpkg-deb", "--root-owner-group", *compression, "--build", tree, path)
    return path


def deb_depends(tree: Path) -> list[str]:
    """Ask dpkg which packages hold the libraries that our files want and do not bring; Qt opens some more by name."""
    inside = tree / "opt" / NAME
    libraries = [path for path in inside.rglob("*.so*") if path.suffix != ".gz"]
    headers = call("readelf", "--dynamic", inside / NAME, *(path for path in libraries if not path.is_symlink()))
    wanted = set(re.findall(r"\(NEEDED\).*\[(.+)\]", headers)) - {path.name for path in libraries}
    packages = set(OPENED_BY_NAME)
    own = rf"^([a-z0-9.+-]+)(?::\w+)?: (?:/usr)?/lib(?:64|/{platform.machine()}-linux-gnu)/[^/]+$"
    for soname in wanted:
        # A machine that compiles for other processors has their libraries too, under the same names.
        owners = re.findall(own, call("dpkg-query", "-S", f"*/{soname}"), re.MULTILINE)
        if not owners:
            raise BuildError(f"No package of this system brings {soname}, which a file of {inside} wants.")
        packages.add(owners[0])
    libc = call("dpkg-query", "-W", "-f", "${Version}", "libc6").partition("-")[0]
    return sorted(packages - {"libc6"} | {f"libc6 (>= {libc})"})


def build_time() -> datetime:
    """Time of the commit that is built, so that the same commit builds the same files."""
    said = call("git", "log", "-1", "--format=%ct", fails=True).strip()
    return datetime.fromtimestamp(int(said) if said.isdigit() else 0, UTC)


def build_date() -> str:
    """Date of the commit that is built."""
    return build_time().date().isoformat()


# Windows: setup


def build_windows() -> None:
    """Build the setup program; the frozen folder needs Windows, see windows/build.ps1."""
    if sys.platform != "win32":
        raise BuildError(
            "The program for Windows is frozen on Windows; `prove windows` tries its setup here, under wine."
        )
    frozen = freeze() / NAME
    setup = compile_setup(frozen, SCRATCH / "fsdesk.ico", DIST / f"{NAME}-{VERSION}-{target()}-setup.exe")
    say(f"{setup.relative_to(ROOT)}: {megabytes(setup)}; installed {megabytes(frozen)}")


def compile_setup(payload: Path, icon: Path, setup: Path, version: str = VERSION) -> Path:
    """Compile the NSIS script around a folder; a warning is an error.

    Raises
    ------
    BuildError
        Also where a path of the folder would be longer than Windows allows under the folder of a user.
    """
    longest = max((str(path.relative_to(payload)) for path in payload.rglob("*")), key=len)
    if len(longest) > LONGEST_INSIDE:
        raise BuildError(f"{longest} is longer than {LONGEST_INSIDE} characters, and Windows counts its folder too.")
    numbers = ".".join([*version.split("~")[0].split("."), "0", "0"][:4])
    values = {
        "VERSION": version, "NUMBERS": numbers, "PAYLOAD": payload, "ICON": icon, "OUT": setup,
        "LICENCE": ROOT / "resources" / "LICENSE.txt", "KILOBYTES": size_of(payload) // 1024,
        "HOMEPAGE": PROJECT["urls"]["Releases"],
    }  # fmt: skip
    makensis = shutil.which("makensis") or r"C:\Program Files (x86)\NSIS\makensis.exe"
    with step(f"makensis {setup.name}"):
        call(
            makensis,
            "-V2",
            "-WX",
            *(f"-D{name}={value}" for name, value in values.items()),
            HERE / "windows/fsdesk.nsi",
        )
    return setup


# macOS: app and disk image


def build_macos() -> None:
    """Build the app and its disk image, signed and notarised where the environment names an identity."""
    if sys.platform != "darwin":
        raise BuildError(
            "The app for macOS is frozen on a Mac; `prove macos` checks here what can be checked elsewhere."
        )
    app = freeze() / f"{NAME}.app"
    image = DIST / f"{NAME}-{VERSION}-{target()}.dmg"
    call("sh", HERE / "macos" / "image.sh", app, image, VERSION)
    say(f"{image.relative_to(ROOT)}: {megabytes(image)}; installed {megabytes(app)}")
