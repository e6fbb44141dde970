import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[3]
SAMPLES, GENES = 105, 22_283
MEASURE = """
import sys, time
from pathlib import Path
import fsdesk.data as data
start = time.process_time()
dataset = data.read_table(sys.argv[1], **dict(word.split("=") for word in sys.argv[2:]))
seconds = time.process_time() - start
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(seconds, int(peak.split()[1]) / 1024, dataset.x.shape, dataset.x[0, 0], dataset.x[-1, -1], sep=";")
"""


@pytest.fixture(scope="module")
def values() -> np.ndarray:
    return np.random.default_rng(0).normal(8, 2, (SAMPLES, GENES)).round(4)


def measured(path: Path, values: np.ndarray, *options: str) -> None:
    """Open a file in a fresh process and hold it to the memory that is promised."""
    assert path.stat().st_size > 15e6
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path), *options], cwd=ROOT, capture_output=True, text=True, check=True
    )
    _, megabytes, shape, first, last = done.stdout.strip().split(";")
    assert shape == str((SAMPLES, GENES))
    assert (float(first), float(last)) == (values[0, 0], values[-1, -1])
    assert float(megabytes) < 300


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc")
def test_a_wide_table_with_gaps_opens_within_300_megabytes(tmp_path: Path, values: np.ndarray) -> None:
    path = tmp_path / "wide.csv"
    rng = np.random.default_rng(1)
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(f"{j}_at" for j in range(GENES)) + ",class\n")
        for i, row in enumerate(values):
            cells = [f"{value:.4f}" for value in row]
            for j in rng.choice(np.arange(1, GENES - 1), GENES // 100, replace=False):
                cells[j] = "NA"
            file.write(",".join(cells) + f",{'ab'[i % 2]}\n")
    measured(path, values)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc")
def test_a_tall_table_with_features_in_rows_does_too(tmp_path: Path, values: np.ndarray) -> None:
    path = tmp_path / "tall.csv"
    with path.open("w", encoding="utf-8") as file:
        file.write("gene," + ",".join(f"s{i}" for i in range(SAMPLES)) + "\n")
        for j in range(GENES):
            file.write(f"{j}_at," + ",".join(f"{value:.4f}" for value in values[:, j]) + "\n")
    labels = tmp_path / "labels.csv"
    labels.write_text("id,class\n" + "".join(f"s{i},{'ab'[i % 2]}\n" for i in range(SAMPLES)), encoding="utf-8")
    measured(path, values, "orientation=columns", f"labels={labels}")
