"""Scripts of users are checked with the types of fsdesk."""

import subprocess
import sys
from importlib import resources

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


def test_a_script_of_a_user_is_checked_strictly(tmp_path):
    assert resources.files("fsdesk").joinpath("py.typed").is_file()
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(
        SCRIPT + 'result.fetures\nfsdesk.select(frame, workers="many")\n', encoding="utf-8"
    )

    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "script.py", "wrong.py"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout.splitlines()
    assert all(line.startswith("wrong.py:") for line in said)
    assert any('"Result" has no attribute "fetures"' in line for line in said)
    assert any('incompatible type "str"' in line for line in said)
