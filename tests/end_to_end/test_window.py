"""The window as a program of its own: the smoke test without a screen, and an end in order."""

import os
import re
import subprocess
import sys
import time

import pytest


def _environment(tmp_path, **more):
    home = {
        name: str(tmp_path / name) for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")
    }
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    return {**kept, **home, **more}


def _table(tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("a,b,kind\n" + "".join(f"{row},{row % 7},{'xy'[row % 2]}\n" for row in range(30)))
    return table


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there always is a screen")
def test_the_smoke_test_runs_a_real_job_without_a_screen(tmp_path):
    table = _table(tmp_path)
    command = [sys.executable, "-m", "fsdesk", "--smoke", str(table)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, env=_environment(tmp_path))
    assert done.returncode == 0, done.stderr
    assert re.match(r"smoke test passed: table, \d+ measurements, Error [\d.]+ % with [12] features", done.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there always is a screen")
def test_without_a_screen_the_window_says_so(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "fsdesk"], capture_output=True, text=True, timeout=240, env=_environment(tmp_path)
    )
    assert done.returncode == 2
    assert "no screen" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_window_that_is_asked_to_end_closes_in_order_and_leaves_no_word_of_an_unexpected_end(tmp_path):
    table = _table(tmp_path)
    environment = _environment(tmp_path, QT_QPA_PLATFORM="offscreen")
    window = subprocess.Popen([sys.executable, "-m", "fsdesk", str(table)], env=environment)
    notes = tmp_path / "XDG_DATA_HOME" / "fsdesk" / "autosaves"
    deadline = time.monotonic() + 240
    while not list(notes.glob("*.json")):  # the table is open, which the window has noted
        assert window.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    window.terminate()
    assert window.wait(60) == 0
    assert not list(notes.glob("*.json"))
