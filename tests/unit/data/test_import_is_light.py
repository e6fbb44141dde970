import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_importing_data_loads_none_of_the_heavy_libraries() -> None:
    code = (
        "import sys, fsdesk.data\n"
        "heavy = {'pandas', 'scipy', 'sklearn', 'numba', 'python_calamine'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
