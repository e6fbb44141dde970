"""How long a large text table takes to open, and with how much memory, beside the parsers of pandas: for RESULTS.md.

`python tests/bench/reading.py`. Each reads each file in a process of its own, three times in turns; the least CPU time
counts. Memory is the growth of the largest resident set over a process that has imported the same.
"""

import math
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

SIZES = {"tall": (200_000, 50), "wide": (200, 200_000)}
TURNS = 3
IMPORT = "import resource, sys, time; import pandas as pd; from fsdesk.data import read; path = sys.argv[1]"
READERS = {
    "fsdesk": "read(path)",
    "pandas, C": "pd.read_csv(path)",
    "pandas, C, whole columns": "pd.read_csv(path, low_memory=False)",
    "pandas, pyarrow": "pd.read_csv(path, engine='pyarrow')",
}
MEASURE = """
{imports}
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.process_time()
kept = {reader}
seconds = time.process_time() - start
print(seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""


def written(folder: Path, name: str) -> Path:
    """A table of six decimals and a class."""
    rows, features = SIZES[name]
    rng, path = np.random.default_rng(0), folder / f"{name}.csv"
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(f"f{j}" for j in range(features)) + ",class\n")
        for i in range(rows):
            file.write(",".join(map(repr, rng.normal(size=features).round(6).tolist())) + f",{'ab'[i % 2]}\n")
    return path


def once(reader: str, path: Path) -> tuple[float, float]:
    """CPU seconds and megabytes; infinite where it fails, as pyarrow does with lines beyond its blocks."""
    code = MEASURE.format(imports=IMPORT, reader=READERS[reader])
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True)
    if done.returncode:
        return math.inf, math.inf
    seconds, megabytes = map(float, done.stdout.split())
    return seconds, megabytes


def main() -> None:
    """Print the table."""
    print(f"| rows x features | file MB | {' | '.join(READERS)} |\n| --- | ---: |{' ---: |' * len(READERS)}")
    with tempfile.TemporaryDirectory() as folder:
        for name, (rows, features) in SIZES.items():
            path = written(Path(folder), name)
            turns = [{reader: once(reader, path) for reader in READERS} for _ in range(TURNS)]
            least = {reader: tuple(map(min, zip(*(turn[reader] for turn in turns), strict=True))) for reader in READERS}
            fastest = min(seconds for reader, (seconds, _) in least.items() if reader != "fsdesk")
            size, array = path.stat().st_size / 1e6, rows * features * 8 / 1024**2
            cells = " | ".join(
                f"{seconds:.2f} s = {seconds / fastest:.1f} x, {megabytes:.0f} MB = {megabytes / array:.1f} x"
                if math.isfinite(seconds)
                else "fails"
                for seconds, megabytes in least.values()
            )
            print(f"| {rows:,} x {features:,} | {size:.0f} | {cells} |", flush=True)
            path.unlink()


if __name__ == "__main__":
    main()
