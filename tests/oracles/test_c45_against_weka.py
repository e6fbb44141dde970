"""C4.5 grows the trees of Weka's J48, question by question, and predicts as they do.

``tests/oracles/weka`` keeps what Weka 3.6.14 printed. ``python tests/oracles/test_c45_against_weka.py weka.jar`` prints
it anew, or that of the cases named behind it; the README there says what runs.
"""

import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from fsdesk import read_table
from fsdesk.kernels import _core
from fsdesk.wrappers import WRAPPERS, Design

KEPT = Path(__file__).parent / "weka"
FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "data"


@dataclass(frozen=True)
class Case:
    """A table, how many of its rows train and are tested, Weka's options and ours, and what settles the rows."""

    table: str
    train: int
    test: int
    options: str = ""
    settings: dict[str, object] = field(default_factory=dict)
    shuffle: int = 7


SMALL, LARGE = ("ionosphere", 240, 111), ("segment", 900, 300)
WAVES, HEARTS = ("waveform5000", 900, 200), ("arrhythmia", 320, 132)
CASES = {
    "ionosphere": Case(*SMALL),
    "ionosphere-unpruned": Case(*SMALL, "-U", {"pruned": False}),
    "ionosphere-C0.05": Case(*SMALL, "-C 0.05", {"confidence": 0.05}),
    "ionosphere-M8": Case(*SMALL, "-M 8", {"min_rows": 8}),
    "ionosphere-laplace": Case(*SMALL, "-A", {"laplace": True}),
    "ionosphere-balanced": Case(*SMALL, "", {"class_weights": "balanced"}),
    "sonar": Case("sonar", 140, 68),
    "segment": Case(*LARGE),
    "segment-unraised": Case(*LARGE, "-S", {"raising": False}),
    "segment-M30": Case(*LARGE, "-M 30", {"min_rows": 30}),
    "waveform": Case(*WAVES),
    "waveform-unpruned": Case(*WAVES, "-U", {"pruned": False}),
    "waveform-C0.1": Case(*WAVES, "-C 0.1", {"confidence": 0.1}),
    "waveform-C0.1-unraised": Case(*WAVES, "-S -C 0.1", {"raising": False, "confidence": 0.1}),
    "arrhythmia": Case(*HEARTS),
    "arrhythmia-unpruned": Case(*HEARTS, "-U", {"pruned": False}),
    "arrhythmia-unraised": Case(*HEARTS, "-S", {"raising": False}),
    "arrhythmia-M1": Case(*HEARTS, "-M 1", {"min_rows": 1}),
    "arrhythmia-C0.1": Case(*HEARTS, "-C 0.1", {"confidence": 0.1}),
    # While pruning, rows that lie closer to a threshold than a tenth of the gap take the way that J48 sends them.
    "crowded": Case("made 74898", 300, 100, "-M 1 -C 0.35", {"min_rows": 1, "confidence": 0.35}, 74898),
    "crowded-balanced": Case(
        "made 96077",
        300,
        100,
        "-M 1 -C 0.5",
        {"min_rows": 1, "confidence": 0.5, "class_weights": "balanced"},
        96077,
    ),
    **{
        f"made-{seed}{name}": Case(f"made {seed}", 300, 100, options, settings)
        for seed in range(8)
        for name, options, settings in [
            ("", "", {}),
            ("-unpruned-M1", "-U -M 1", {"pruned": False, "min_rows": 1}),
            ("-unraised-C0.4", "-S -C 0.4", {"raising": False, "confidence": 0.4}),
            ("-balanced", "", {"class_weights": "balanced"}),
        ]
    },
}


def made(seed):
    """Nominal, rounded, crowded and continuous features, some with many gaps; labels that repeat and clash."""
    rng = np.random.default_rng(seed)
    n, classes = 400, 2 + seed % 3
    many = 150 if seed % 4 == 3 else 4
    codes = rng.integers(0, [3, 5, 2, many], size=(n, 4))
    # One category more than there are values: a branch of no rows.
    levels = np.array([3, 6, 2, many, 0, 0, 0, 0, 0, 0])
    numbers = rng.normal(size=(n, 6)) * [1, 1, 30, 1e-5, 1, 3]
    numbers[:, 1] = np.round(numbers[:, 1], 1)
    numbers[:, 2] = np.round(numbers[:, 2])
    numbers[:, 4] += np.round(rng.random(n)) * 1e-6
    score = codes[:, 0] + (codes[:, 1] > 2) * numbers[:, 0] + numbers[:, 1] + 1e5 * numbers[:, 3] * (codes[:, 2] == 1)
    score += 0.2 * rng.normal(size=n)
    target = np.searchsorted(np.quantile(score, np.arange(1, classes) / classes), score)
    x = np.column_stack([codes, numbers])
    for column, share in ((0, 0.1), (1, 0.02 * seed), (4, 0.15), (6, 0.4), (8, 0.3 * (seed % 2))):
        x[rng.random(n) < share, column] = np.nan
    x[300:320], target[:20] = x[:20], (target[:20] + 1) % classes
    # Weka reads what Python writes: both see the same numbers.
    return x, levels, target.astype(np.int64), classes


def split(case, path):
    """The rows of a case, training rows first, and what a design needs."""
    if case.table.startswith("made"):
        x, levels, target, classes = made(int(case.table.split()[1]))
    else:
        dataset = read_table(path)
        x, target, classes = dataset.x, dataset.target, len(dataset.classes)
        levels = np.zeros(x.shape[1], dtype=np.int64)
    order = np.random.default_rng(case.shuffle).permutation(len(target))
    rows = np.concatenate([np.sort(order[: case.train]), np.sort(order[case.train : case.train + case.test])])
    return np.ascontiguousarray(x[rows].T), levels.astype(np.int64), target[rows], classes


def balanced(target, classes):
    """Weight of each row where all classes present weigh the same."""
    sizes = np.bincount(target, minlength=classes)
    return (len(target) / (sizes > 0).sum() / np.maximum(sizes, 1))[target]


def arff(raw, levels, target, classes, weights):
    """The rows as Weka reads them."""
    lines = ["@relation made"]
    for column, count in enumerate(levels):
        kind = "{" + ",".join(f"v{code}" for code in range(count)) + "}" if count else "numeric"
        lines.append(f"@attribute f{column} {kind}")
    lines += ["@attribute class {" + ",".join(f"c{code}" for code in range(classes)) + "}", "@data"]
    for row, values in enumerate(raw.T):
        cells = [
            "?" if np.isnan(value) else f"v{int(value)}" if count else repr(float(value))
            for value, count in zip(values, levels, strict=True)
        ]
        lines.append(",".join([*cells, f"c{target[row]}"]) + f",{{{float(weights[row])!r}}}" * int(weights[row] != 1.0))
    return "\n".join(lines) + "\n"


class Tree(NamedTuple):
    """What the core says of a tree, in its order."""

    feature: np.ndarray
    threshold: np.ndarray
    first: np.ndarray
    branches: np.ndarray
    size: np.ndarray
    counts: np.ndarray


def printed(tree, levels, node=0, depth=0):
    """A tree as Weka prints it."""
    feature = tree.feature[node]
    if feature < 0 and depth == 0:
        return [f": {_label(tree, node)}"]
    lines = []
    for branch in range(tree.branches[node]):
        child = tree.first[node] + branch
        question = f"= v{branch}" if levels[feature] else f"{('<=', '>')[branch]} {_decimal(tree.threshold[node])}"
        is_leaf = tree.feature[child] < 0
        lines.append("|   " * depth + f"f{feature} {question}" + (f": {_label(tree, child)}" if is_leaf else ""))
        lines += [] if is_leaf else printed(tree, levels, child, depth + 1)
    return lines


def _decimal(value):
    rounded = np.floor(abs(value) * 1e6 + 0.5) / 1e6
    return ("-" if value < 0 and rounded else "") + f"{rounded:.6f}".rstrip("0").rstrip(".")


def _label(tree, node):
    counts, size = tree.counts[node], tree.size[node]
    wrong = counts.sum() - counts.max() if size > 1e-6 else 0.0
    numbers = [np.floor(value * 100 + 0.5) / 100 for value in [size, *([wrong] if wrong > 1e-6 else [])]]
    return f"c{np.flatnonzero(counts > counts.max() - 1e-6)[0]} ({'/'.join(map(str, map(float, numbers)))})"


def grown(case, raw, levels, target, classes):
    """Our tree for a case, as text, and the class and scores of each test row."""
    design = Design(raw, np.arange(len(raw)), levels > 0, target, classes, "fold", raw=raw, levels=levels)
    predictor = WRAPPERS["c45"].build(case.settings).bind(design)
    n = case.train
    mask, labels = np.ones(len(raw), dtype=bool), np.where(np.arange(len(target)) < n, -1, 0)[None, :]
    rules = {name: value for name, value in predictor.rules.items() if name != "smoothed"}
    tree = Tree(*_core.c45_tree(predictor.table, np.arange(len(raw), dtype=np.int32), labels[0], **rules))
    return printed(tree, levels), predictor.predict(mask, labels)[0, n:], predictor.scores(mask, labels)[0, n:]


@pytest.mark.parametrize("name", CASES)
def test_tree_and_predictions_are_those_of_weka(real_data, name):
    case = CASES[name]
    path = None if case.table.startswith("made") else real_data(f"{case.table}.arff")
    lines, predicted, scores = grown(case, *split(case, path))
    kept = (KEPT / f"{name}.txt").read_text().split("\n\n")
    assert lines == kept[0].splitlines()
    theirs = [line.split(" ") for line in kept[1].splitlines()]
    assert predicted.tolist() == [int(line[0]) for line in theirs]
    assert np.abs(scores - np.array([line[1].split(",") for line in theirs], dtype=float)).max() <= 0.00051


def ask_weka(jar, name):
    """What Weka prints for a case: the tree, a blank line, then class and scores of each test row."""
    case = CASES[name]
    raw, levels, target, classes = split(case, FOLDER / f"{case.table}.arff")
    n = case.train
    weights = balanced(target[:n], classes) if "class_weights" in case.settings else np.ones(n)
    with tempfile.TemporaryDirectory() as folder:
        train, test = Path(folder) / "train.arff", Path(folder) / "test.arff"
        train.write_text(arff(raw[:, :n], levels, target[:n], classes, weights))
        test.write_text(arff(raw[:, n:], levels, target[n:], classes, np.ones(case.test)))
        command = ["java", "-cp", jar, "weka.classifiers.trees.J48", "-t", train, "-T", test, *case.options.split()]
        run = {"capture_output": True, "text": True, "check": True}
        tree = subprocess.run([*command, "-no-cv"], **run).stdout.split("------------------\n")[1]
        rows = subprocess.run([*command, "-p", "0", "-distribution"], **run).stdout.splitlines()
    tree = tree.split("\nNumber of Leaves")[0].strip()
    cells = [line.split() for line in rows if ":" in line]
    answers = [f"{cell[2].split(':')[1][1:]} {cell[-1].replace('*', '')}" for cell in cells]
    return "\n".join([tree, "", *answers, ""])


if __name__ == "__main__":
    for each in sys.argv[2:] or CASES:
        (KEPT / f"{each}.txt").write_text(ask_weka(sys.argv[1], each))
