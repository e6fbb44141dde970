"""The command line inside this process: the same code and output as `python -m fsdesk`, without its start."""

import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from fsdesk.cli import main

__all__ = ["FILES", "QUICK", "Done", "contents", "fsdesk"]

FILES = ("mask.csv", "selected.txt", "result.json", "report.html")
QUICK = ("--method", "bspsa", "--set", "max_iterations=60", "--set", "repeats=4")


class Done(NamedTuple):
    """What a command wrote to the terminal."""

    stdout: str
    stderr: str


def fsdesk(*arguments: object, code: int = 0) -> Done:
    """Run a command, which must end with this exit code."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        ended = main([str(argument) for argument in arguments])
    done = Done(out.getvalue(), err.getvalue())
    assert ended == code, done
    return done


def contents(folder: Path) -> dict[str, bytes]:
    """Read the files that a run writes."""
    return {name: (folder / name).read_bytes() for name in FILES}
