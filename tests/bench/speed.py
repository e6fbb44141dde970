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


def cell(row: SpeedRow) -> str:
    """Milliseconds of both, and how many times faster."""
    return f"{row.theirs:.4g} / {row.ours:.3g} = {row.ratio:.3g} x"


def main() -> None:
    """Print the table."""
    heads = [name for model in MODELS for name in ([model, f"{model}, once"] if model in SCALED else [model])]
    print(f"| data set | rows x features | {' | '.join(heads)} | two threads |")
    print("| --- | --- |" + " ---: |" * (len(heads) + 1))
    for name in TABLES:
        if not (FOLDER / name).is_file():
            continue
        dataset = read_table(FOLDER / name)
        rows = [
            compare_speed(dataset, model, scaling)
            for model in MODELS
            for scaling in (("fold", "once") if model in SCALED else ("fold",))
        ]
        gains = [row.gain for row in rows if row.scaling == "fold"]
        size = f"{rows[0].rows:,} x {rows[0].features:,}"
        cells = " | ".join(map(cell, rows))
        print(f"| {rows[0].data} | {size} | {cells} | {min(gains):.2f} to {max(gains):.2f} x |", flush=True)


if __name__ == "__main__":
    main()
