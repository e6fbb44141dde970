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
from fsdesk.wrappers import WRAPPERS

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "data"
TABLES = ("ionosphere.arff", "sonar.arff", "segment.arff", "waveform5000.arff", "arrhythmia.arff", "warpAR10P.mat")
MODELS = ("nn", "cart", "c45", "svm", "nb")
SCALED = {"nn", "svm"}
SINGLE: dict[str, dict[str, float]] = {
    "logistic": {},
    "lda": {"shrinkage": 0.1},
    "ridge": {},
    "nn": {},
    "svm": {},
    "nb": {},
}


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


def single_cells(dataset: Dataset) -> list[str]:
    """The same for one fit of each model of all columns, four fifths of the rows, which predicts the others."""
    columns = design_of(dataset, "once").filled(slice(None))
    columns = np.where(np.isnan(columns), np.nanmedian(columns, axis=1, keepdims=True), columns)
    tested = np.arange(columns.shape[1]) % 5 == 0
    centre, scale = columns[:, ~tested].mean(axis=1), columns[:, ~tested].std(axis=1)
    scaled = (columns - centre[:, None]) / np.where(scale > 0, scale, 1.0)[:, None]
    train, test = np.ascontiguousarray(scaled[:, ~tested]), np.ascontiguousarray(scaled[:, tested])
    y, classes = dataset.target[~tested], len(dataset.classes)
    every = np.arange(len(train), dtype=np.int32), np.array([0, len(train)])
    cells = []
    for name, values in SINGLE.items():
        wrapper = WRAPPERS[name].build(values)
        model, x, new = wrapper.equivalent(classes).model.made(), train.T.copy(), test.T.copy()
        theirs = milliseconds(lambda model=model, x=x, new=new: model.fit(x, y).predict(new))
        ours = milliseconds(lambda own=wrapper: own.single_fits(train, y, test, *every, classes, 1))
        cells.append(f"{theirs:.4g} / {ours:.3g} = {theirs / ours:.3g} x")
    return cells


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
    print(f"\n| data set, one fit | {' | '.join(SINGLE)} |\n| --- |" + " ---: |" * len(SINGLE))
    for name in TABLES:
        if (FOLDER / name).is_file():
            print(f"| {name.partition('.')[0]} | {' | '.join(single_cells(read_table(FOLDER / name)))} |", flush=True)


if __name__ == "__main__":
    main()
