"""One measurement beside scikit-learn, one thread, one process: a table for RESULTS.md.

`python tests/bench/speed.py`; `fsdesk bench wrappers TABLE ...` prints more of it for other tables. Nothing else should
be running on the machine.
"""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier

from fsdesk.data import Dataset, read_table
from fsdesk.measure.design import design_of
from fsdesk.measure.filters import filter_scores
from fsdesk.results.benchmark import SpeedRow, compare_speed

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "data"
TABLES = ("ionosphere.arff", "sonar.arff", "segment.arff", "waveform5000.arff", "arrhythmia.arff", "warpAR10P.mat")
MODELS = ("nn", "cart", "c45", "svm", "nb")
SCALED = {"nn", "svm"}


def cell(row: SpeedRow) -> str:
    """Milliseconds of both, and how many times faster."""
    return f"{row.theirs:.4g} / {row.ours:.3g} = {row.ratio:.3g} x"


def forest_cell(dataset: Dataset) -> str:
    """The same for the importance of all features in extremely randomised trees."""
    x = design_of(dataset, "once").filled(slice(None)).T.astype(np.float32)
    forest = ExtraTreesClassifier(300, max_features="sqrt", random_state=0)
    theirs = milliseconds(lambda: forest.fit(x, dataset.target).feature_importances_)
    ours = milliseconds(lambda: filter_scores(dataset, "forest"))
    return f"{theirs:.4g} / {ours:.3g} = {theirs / ours:.3g} x"


def milliseconds(work: Callable[[], object]) -> float:
    """The median of five times, after one that is not counted."""
    seconds = []
    for _ in range(6):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return float(1000 * np.median(seconds[1:]))


def main() -> None:
    """Print the table."""
    heads = [name for model in MODELS for name in ([model, f"{model}, once"] if model in SCALED else [model])]
    print(f"| data set | rows x features | {' | '.join(heads)} | forest | two threads |")
    print("| --- | --- |" + " ---: |" * (len(heads) + 2))
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
        print(
            f"| {rows[0].data} | {size} | {cells} | {forest_cell(dataset)} | {min(gains):.2f} to {max(gains):.2f} x |",
            flush=True,
        )


if __name__ == "__main__":
    main()
