"""One measurement beside scikit-learn, one thread, one process: a table for RESULTS.md.

`python tests/bench/speed.py`; `fsdesk bench wrappers TABLE ...` prints more of it for other tables. Nothing else should
be running on the machine.
"""

from pathlib import Path

from fsdesk.data import read_table
from fsdesk.results.benchmark import SpeedRow, compare_speed

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "data"
TABLES = ("ionosphere.arff", "sonar.arff", "segment.arff", "waveform5000.arff", "arrhythmia.arff", "warpAR10P.mat")
MODELS = ("nn", "cart", "c45", "svm", "nb")
SCALED = {"nn", "svm"}


def cells(row: SpeedRow | None) -> str:
    """Milliseconds of both, and how many times faster."""
    return "| | |" if row is None else f"| {row.theirs:.4g} | {row.ours:.3g} | {row.ratio:.3g} x"


def main() -> None:
    """Print the table."""
    heads = ["scikit-learn ms", "fsdesk ms", "ratio"]
    heads = ["data set", "rows x features", "model", *heads, *(f"{head}, once" for head in heads), "two threads"]
    print(f"| {' | '.join(heads)} |\n| --- | --- | --- |" + " ---: |" * 7)
    for name in TABLES:
        if not (FOLDER / name).is_file():
            continue
        dataset = read_table(FOLDER / name)
        for model in MODELS:
            fold = compare_speed(dataset, model, "fold")
            once = compare_speed(dataset, model, "once") if model in SCALED else None
            size = f"{fold.rows:,} x {fold.features:,}"
            print(f"| {fold.data} | {size} | {model} {cells(fold)} {cells(once)} | {fold.gain:.2f} x |", flush=True)


if __name__ == "__main__":
    main()
