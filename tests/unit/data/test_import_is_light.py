import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
HEAVY = {"pandas", "scipy", "sklearn", "python_calamine", "pyarrow", "h5py", "rdata", "xarray"}


def test_importing_data_loads_none_of_the_heavy_libraries() -> None:
    code = f"import sys, fsdesk.data; print(sorted({HEAVY} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
