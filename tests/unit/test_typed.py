"""Scripts of users and of the documentation are checked with the types of fsdesk."""

import subprocess
import sys
from importlib import resources

import pytest

from tests.unit.test_scripts_of_users import block

SCRIPT = """
import pandas as pd
import fsdesk

frame = pd.DataFrame({"a": [1.0, 2.0], "ill": [0, 1]})


def stop(progress: fsdesk.Progress) -> bool:
    return progress.measured > 500


try:
    result: fsdesk.Result = fsdesk.select(frame, target="ill", callback=stop)
except fsdesk.DataError as error:
    raise SystemExit(str(error)) from error
names: tuple[str, ...] = result.features
said: fsdesk.Predictions = fsdesk.predict(result, frame)
runs: pd.DataFrame = fsdesk.open_project("study.fsdesk").to_frame()
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What mypy says of three scripts: one run, for it reads all libraries first."""
    folder = tmp_path_factory.mktemp("scripts")
    scripts = {
        "script.py": SCRIPT,
        "wrong.py": SCRIPT + 'result.fetures\nfsdesk.select(frame, workers="many")\n',
        "study.py": block("python"),
    }
    for name, text in scripts.items():
        (folder / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", *scripts]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")  # it has found something, and all is well otherwise
    return done.stdout.splitlines()


def test_a_script_of_a_user_is_checked_strictly(said):
    assert resources.files("fsdesk").joinpath("py.typed").is_file()
    assert not any(line.startswith("script.py:") for line in said)
    assert any('"Result" has no attribute "fetures"' in line for line in said)
    assert any('incompatible type "str"' in line for line in said)


def test_the_script_of_the_documentation_is_strict(said):
    assert all(line.startswith("wrong.py:") for line in said)
