"""What was compiled is forgotten when any of the kernels changes, and only then."""

import subprocess
import sys
from pathlib import Path

CALLER = """
from numba import njit
from callee import inner
@njit(cache=True)
def outer():
    return inner()
"""
PROGRAM = """
import sys
from pathlib import Path
from fsdesk.kernels import forget_stale
folder = Path(sys.argv[1])
forget_stale(folder, folder / "__pycache__")
sys.path.insert(0, str(folder))
from caller import outer
print(outer(), sum(outer.stats.cache_hits.values()))
"""


def _run(folder: Path) -> str:
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(folder)], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_change_in_a_function_that_is_called_from_another_file_counts(tmp_path: Path) -> None:
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "caller.py").write_text(CALLER)
    callee = "from numba import njit\n@njit(cache=True)\ndef inner():\n    return {}\n"
    (tmp_path / "callee.py").write_text(callee.format(1))
    assert _run(tmp_path) == "1 0"
    assert _run(tmp_path) == "1 1"
    (tmp_path / "callee.py").write_text(callee.format(23))
    assert _run(tmp_path) == "23 0"
