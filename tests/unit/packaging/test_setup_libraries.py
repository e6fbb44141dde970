"""The set-up script finds and brings the system libraries that Qt needs."""

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

# As ldd of glibc 2.36 prints it for several files at once.
LDD_OUTPUT = """\
/venv/PySide6/Qt/plugins/platforms/libqxcb.so:
\tlinux-vdso.so.1 (0x00007fb6ed8dd000)
\tlibQt6XcbQpa.so.6 => /venv/PySide6/Qt/plugins/platforms/../../lib/libQt6XcbQpa.so.6 (0x00007fb6ed80f000)
\tlibxcb-keysyms.so.1 => not found
\tlibxcb-icccm.so.4 => not found
\tlibGL.so.1 => /lib/x86_64-linux-gnu/libGL.so.1 (0x00007fb6ed77f000)
/venv/PySide6/QtGui.abi3.so:
\tlibxcb-icccm.so.4 => not found
\t/lib64/ld-linux-x86-64.so.2 (0x00007fb6ed900000)
"""


def test_missing_libraries_are_read_from_ldd_once_each(script: ModuleType) -> None:
    assert script.missing_sonames(LDD_OUTPUT) == ["libxcb-icccm.so.4", "libxcb-keysyms.so.1"]


def test_a_complete_machine_misses_nothing(script: ModuleType) -> None:
    assert script.missing_sonames("\tlibGL.so.1 => /lib/libGL.so.1 (0x1)\n\tstatically linked\n") == []


@pytest.mark.parametrize(
    ("soname", "package"),
    [  # as `dpkg -S` answers on Debian 12
        ("libEGL.so.1", "libegl1"),
        ("libGL.so.1", "libgl1"),
        ("libX11.so.6", "libx11-6"),
        ("libX11-xcb.so.1", "libx11-xcb1"),
        ("libdbus-1.so.3", "libdbus-1-3"),
        ("libfontconfig.so.1", "libfontconfig1"),
        ("libglib-2.0.so.0", "libglib2.0-0"),
        ("libgthread-2.0.so.0", "libglib2.0-0"),
        ("libwayland-client.so.0", "libwayland-client0"),
        ("libxcb-cursor.so.0", "libxcb-cursor0"),
        ("libxcb-icccm.so.4", "libxcb-icccm4"),
        ("libxcb-render-util.so.0", "libxcb-render-util0"),
        ("libxcb.so.1", "libxcb1"),
        ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
        ("libxkbcommon.so.0", "libxkbcommon0"),
        ("libz.so.1", "zlib1g"),
    ],
)
def test_a_library_is_named_by_its_debian_package(script: ModuleType, soname: str, package: str) -> None:
    assert script.packages_for([soname]) == [package]


def test_two_libraries_of_one_package_name_it_once(script: ModuleType) -> None:
    assert script.packages_for(["libgthread-2.0.so.0", "libglib-2.0.so.0"]) == ["libglib2.0-0"]


def test_the_sentence_names_packages_and_command_on_debian(script: ModuleType) -> None:
    sentence = script.missing_sentence(["libEGL.so.1", "libxcb-icccm.so.4"], True)
    assert sentence == (
        "Qt cannot start because this machine lacks libegl1, libxcb-icccm4: "
        "as root, run: apt-get install libegl1 libxcb-icccm4"
    )


def test_the_sentence_names_libraries_where_there_is_no_apt(script: ModuleType) -> None:
    sentence = script.missing_sentence(["libEGL.so.1"], False)
    assert "libEGL.so.1" in sentence
    assert "apt-get" not in sentence


@pytest.mark.parametrize(
    ("variables", "file"),
    [
        ({}, None),
        ({"DISPLAY": ":0"}, "Qt/plugins/platforms/libqxcb.so"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "Qt/plugins/platforms/libqwayland.so"),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen"}, None),
        ({"DISPLAY": ""}, None),
    ],
)
def test_the_plugin_follows_the_screen(script: ModuleType, variables: dict[str, str], file: str | None) -> None:
    assert script.screen_file(variables) == file


@pytest.mark.usefixtures("linux")
def test_without_a_screen_the_window_plugin_is_not_looked_at(script: ModuleType, venv: Path, commands: Any) -> None:
    commands.answers = [("libqxcb.so", 0, LDD_OUTPUT)]
    script.prepare_screen(venv, False)
    assert len(commands.seen) == 1
    assert "libqoffscreen.so" in commands.seen[0]


@pytest.mark.usefixtures("linux")
def test_with_a_screen_a_user_is_told_what_is_missing(
    script: ModuleType, venv: Path, commands: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    commands.answers = [("libqxcb.so", 0, LDD_OUTPUT)]
    with pytest.raises(script.SetupError, match=r"apt-get install libxcb-icccm4 libxcb-keysyms1$"):
        script.prepare_screen(venv, False)
    assert not any(line.startswith("apt-get") for line in commands.seen)


@pytest.mark.usefixtures("linux")
def test_root_installs_what_is_missing_and_a_failure_shows_why(script: ModuleType, venv: Path, commands: Any) -> None:
    commands.answers = [("ldd", 0, LDD_OUTPUT), ("apt-get install", 100, "E: no network\n")]
    with pytest.raises(script.SetupError, match="libxcb-icccm4") as caught:
        script.prepare_screen(venv, True)
    assert "E: no network" in caught.value.output
    words = [line.split()[:2] for line in commands.seen]
    install, update, ldd = ["apt-get", "install"], ["apt-get", "update"], words[0]
    assert words == [ldd, install, update, install, ldd]
    assert commands.seen[1].endswith(" libxcb-icccm4 libxcb-keysyms1")


@pytest.mark.usefixtures("linux")
def test_package_lists_are_left_alone_where_they_suffice(script: ModuleType, commands: Any) -> None:
    assert script.apt_install(["libegl1"]).code == 0
    assert len(commands.seen) == 1
    assert commands.environments[0]["DEBIAN_FRONTEND"] == "noninteractive"
    assert "--no-install-recommends" in commands.seen[0]


@pytest.mark.usefixtures("linux")
def test_window_tests_that_cannot_run_do_not_stop_the_others(
    script: ModuleType, venv: Path, commands: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    commands.answers = [("ldd", 0, LDD_OUTPUT)]
    script.prepare_test_screen(venv, False)
    assert capsys.readouterr().out == (
        "Tests in a real window will be skipped: this machine lacks libxcb-icccm4, libxcb-keysyms1, xvfb, xdotool; "
        "to run them, as root: apt-get install libxcb-icccm4 libxcb-keysyms1 xvfb xdotool\n"
    )


@pytest.mark.usefixtures("linux")
def test_root_installs_a_display_for_the_window_tests(script: ModuleType, venv: Path, commands: Any) -> None:
    script.prepare_test_screen(venv, True)
    assert commands.seen[-1].endswith(" xvfb xdotool")


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_need_no_packages(
    script: ModuleType, venv: Path, commands: Any, monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    monkeypatch.setattr(script.sys, "platform", platform)
    commands.answers = [("", 1, LDD_OUTPUT)]
    script.prepare_screen(venv, True)
    script.prepare_test_screen(venv, True)
    assert commands.seen == []
