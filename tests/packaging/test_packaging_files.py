"""What the packages are made of is whole and agrees with the program; building and proving them is not done here.

`packaging/build.py prove linux | windows | wheel | locks | macos | core` does, and takes minutes.
"""

import configparser
import importlib
import platform
import plistlib
import re
import shutil
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from fsdesk.store.project import APPLICATION_ID

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
LINUX = PACKAGING / "linux"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(lock: Path) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9.-]+)==(\S+)", lock.read_text("utf-8"), re.MULTILINE))


@pytest.fixture
def installers(scripts: None) -> Any:
    return importlib.import_module("installers")


@pytest.fixture
def components(scripts: None) -> Any:
    return importlib.import_module("components")


def test_every_dependency_is_locked_with_hashes_for_every_system(installers: Any) -> None:
    wanted = {canonical(re.match(r"[A-Za-z0-9._-]+", each).group()) for each in PROJECT["dependencies"]}  # type: ignore[union-attr]
    for name in installers.PLATFORMS:
        lock = PACKAGING / "locks" / f"{name}.txt"
        locked = pins(lock)
        assert wanted | {"pyinstaller"} <= locked.keys(), name
        entries = re.split(r"^(?=[a-z0-9.-]+==)", lock.read_text("utf-8"), flags=re.MULTILINE)[1:]
        assert len(entries) == len(locked)
        assert all("--hash=sha256:" in entry for entry in entries), name


def test_clang_cl_gets_the_options_that_keep_the_bits_in_its_own_form() -> None:
    cmake = (ROOT / "fsdesk" / "kernels" / "CMakeLists.txt").read_text("utf-8")
    assert re.search(
        r'FRONTEND_VARIANT STREQUAL "MSVC"\).*\n +list\(TRANSFORM kernel_options PREPEND "/clang:"\)', cmake
    )


@pytest.mark.skipif(sys.platform != "linux", reason="of Debian's packages")
def test_the_package_depends_on_libraries_of_its_own_processor_alone(
    installers: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = platform.machine()
    said = {
        "readelf": " 0x1 (NEEDED)  Shared library: [libm.so.6]\n",
        "-S": f"libc6-other-cross: /usr/other-linux-gnu/lib/libm.so.6\nlibm0:x: /lib/{machine}-linux-gnu/libm.so.6\n",
        "-W": "2.36-9",
    }
    monkeypatch.setattr(installers, "call", lambda *words: next(said[word] for word in words if word in said))
    depends = installers.deb_depends(tmp_path)
    assert "libm0" in depends
    assert "libc6 (>= 2.36)" in depends
    assert not any("cross" in each for each in depends)
    said["-S"] = "libc6-other-cross: /usr/other-linux-gnu/lib/libm.so.6\n"
    with pytest.raises(installers.BuildError, match=r"No package of this system brings libm\.so\.6"):
        installers.deb_depends(tmp_path)


def test_a_library_that_nothing_wants_is_found_and_what_python_opens_by_name_is_kept(
    installers: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plugins").mkdir()
    needed = {"plugins/q.so": ["libkept.so"], "libkept.so": [], "libgone.so": ["libonly.so"], "libonly.so": []}
    for name in (*needed, "libpython3.11.so.1.0", "module.so"):
        (tmp_path / name).touch()

    def readelf(*words: object) -> str:
        lines = [""]
        for name, wants in needed.items():
            lines += [f"File: {tmp_path / name}", *(f" 0x1 (NEEDED)  Shared library: [{want}]" for want in wants)]
        return "\n".join(lines)

    monkeypatch.setattr(installers, "call", readelf)
    assert {path.name for path in installers.orphans(tmp_path)} == {"libgone.so", "libonly.so"}


def test_no_lock_has_the_qt_that_loses_references_to_none() -> None:
    for lock in (PACKAGING / "locks").glob("*-*.txt"):
        major, minor = pins(lock)["pyside6-essentials"].split(".")[:2]
        assert (int(major), int(minor)) < (6, 12), lock.name


def test_a_project_is_the_same_type_to_linux_windows_and_macos_and_known_by_its_content(installers: Any) -> None:
    mime = ET.parse(LINUX / "fsdesk.xml").getroot()[0]
    kind = mime.attrib["type"]
    space = {"": "http://www.freedesktop.org/standards/shared-mime-info"}
    assert [glob.attrib["pattern"] for glob in mime.findall("glob", space)] == ["*.fsdesk"]
    content = mime.find("magic/match/match", space)
    assert content is not None
    assert int(content.attrib["value"], 16) == APPLICATION_ID
    assert content.attrib["offset"] == "68"  # of application_id, in SQLite's file format
    declared = installers.mac_info()["UTExportedTypeDeclarations"][0]["UTTypeTagSpecification"]
    assert declared == {"public.filename-extension": ["fsdesk"], "public.mime-type": [kind]}
    assert f'"Content Type" "{kind}"' in (PACKAGING / "windows" / "fsdesk.nsi").read_text("utf-8")
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(LINUX / "fsdesk.desktop", "utf-8")
    assert kind in entry["Desktop Entry"]["MimeType"].split(";")
    assert entry["Desktop Entry"]["Exec"] == "fsdesk %f"
    assert f"<mediatype>{kind}</mediatype>" in (LINUX / "org.pypi.fsdesk.metainfo.xml").read_text("utf-8")


def test_the_property_list_of_macos_names_version_oldest_system_and_icon(installers: Any) -> None:
    info = plistlib.loads(plistlib.dumps(installers.mac_info()))
    assert (info["CFBundleShortVersionString"], info["LSMinimumSystemVersion"]) == (PROJECT["version"], "13.0")
    assert plistlib.loads((PACKAGING / "macos" / "entitlements.plist").read_bytes())


def test_what_windows_shows_of_a_program_is_what_pyinstaller_reads(installers: Any) -> None:
    text = installers.windows_version()
    names = (
        "VSVersionInfo",
        "FixedFileInfo",
        "StringFileInfo",
        "StringTable",
        "StringStruct",
        "VarFileInfo",
        "VarStruct",
    )
    made = eval(text, {name: lambda *words, **named: (words, named) for name in names})
    assert PROJECT["version"] in str(made)


def test_licence_files_are_copied_for_each_part_and_a_part_without_licence_is_refused(
    installers: Any, components: Any, tmp_path: Path
) -> None:
    text = tmp_path / "LICENSE"
    text.write_text("do as you like", "utf-8")
    part = components.Part("thing", "1.2", "MIT", (text,), "pkg:pypi/thing@1.2")
    components.write_licences([part], tmp_path / "out")
    assert (tmp_path / "out" / "thing" / "LICENSE").read_text("utf-8") == "do as you like"
    assert "thing 1.2: MIT" in (tmp_path / "out" / "PARTS.txt").read_text("utf-8")
    nameless = components.Part("other", "1", "", (), "pkg:pypi/other@1")
    with pytest.raises(installers.BuildError, match="other 1 says nothing of its licence"):
        components.write_licences([nameless], tmp_path / "out")


def test_a_path_too_long_for_windows_is_refused(installers: Any, tmp_path: Path) -> None:
    deep = tmp_path / "payload" / ("long" * 25) / ("name" * 25)
    deep.mkdir(parents=True)
    with pytest.raises(installers.BuildError, match="longer than 180 characters"):
        installers.compile_setup(tmp_path / "payload", tmp_path / "icon.ico", tmp_path / "setup.exe")


def test_a_step_that_fails_says_what_was_run_and_its_exit_code(installers: Any) -> None:
    with pytest.raises(installers.BuildError, match=r"sh -c 'echo why; exit 3' ended with exit code 3"):
        installers.call("sh", "-c", "echo why; exit 3")


@pytest.mark.skipif(shutil.which("sh") is None, reason="no shell")
@pytest.mark.parametrize("name", ["linux/install.sh", "linux/postrm", "macos/image.sh"])
def test_shell_scripts_parse(name: str) -> None:
    subprocess.run(["sh", "-n", PACKAGING / name], check=True)


def test_the_release_workflow_builds_with_the_commands_that_there_are(scripts: None) -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    called = set(re.findall(r"packaging/build\.py (\w+)", text))
    assert {"linux", "macos", "tools"} <= called <= importlib.import_module("build").COMMANDS.keys()
    assert (PACKAGING / "windows" / "build.ps1").read_text("utf-8").count("build.py windows") == 1
    assert f"cibuildwheel=={pins(PACKAGING / 'locks' / 'tools.txt')['cibuildwheel']}" in text  # the one that is proved
    for version in re.findall(r"uses: (\S+)", text):
        assert re.fullmatch(r"[\w.-]+/[\w.-]+@(v\d+|release/v1)", version), version
