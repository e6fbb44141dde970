"""Where a process may open few files only: numbers first, and a message that names the limit."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")

LIMITED = """
import resource, sys
from fsdesk.cli import invoke
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
sys.exit(invoke(sys.argv[2:]))
"""
QUICK = ["--method", "sfs", "--set", "max_size=2", "--set", "repeats=1", "--outer", "0", "--workers", "1"]


@pytest.mark.parametrize("handles", [8, 24])
def test_numbers_are_written_before_figures_and_the_message_names_the_limit(handles, tmp_path):
    command = [
        sys.executable,
        "-c",
        LIMITED,
        str(handles),
        "run",
        "sample:wine",
        *QUICK,
        "--out",
        str(tmp_path / "out"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert "Traceback" not in done.stderr
    assert ".ttf" not in done.stderr
    if done.returncode:
        assert done.returncode == 2
        assert 'for example with "ulimit -n 1024"' in done.stderr.splitlines()[-1]
    if "measurements: " in done.stdout:  # it came to an answer
        assert {"mask.csv", "selected.txt", "result.json"} <= {each.name for each in (tmp_path / "out").iterdir()}
    assert done.returncode == 0 or handles < 24
