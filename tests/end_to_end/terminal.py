"""The command line as a process of its own."""

import subprocess
import sys

__all__ = ["FILES", "QUICK", "command_line", "contents", "run_fsdesk"]

FILES = ["mask.csv", "selected.txt", "result.json", "report.html"]
QUICK = ["--method", "bspsa", "--set", "max_iterations=60", "--set", "repeats=4"]


def command_line(*arguments):
    """What starts fsdesk with these arguments."""
    return [sys.executable, "-m", "fsdesk", *map(str, arguments)]


def run_fsdesk(*arguments, code=0):
    """Run fsdesk, which must end with this exit code; what it wrote to the terminal."""
    done = subprocess.run(command_line(*arguments), capture_output=True, text=True, timeout=240)
    assert done.returncode == code, done.stderr
    return done


def contents(folder):
    """The bytes of the files that a run writes."""
    return {name: (folder / name).read_bytes() for name in FILES}
