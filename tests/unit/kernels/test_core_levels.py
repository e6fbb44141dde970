"""The same bits on every level of the processor that was built and that this machine has."""

import os
import subprocess
import sys

import pytest

from fsdesk.kernels import _core

HERE = _core.levels[: _core.levels.index(_core.level) + 1] if "FSDESK_CPU" not in os.environ else (_core.level,)
DIGEST = """
import hashlib
import numpy as np
from fsdesk.kernels import _core

rng = np.random.default_rng(7)
columns, target = rng.normal(size=(40, 333)) * 10.0 ** rng.integers(-3, 4, (40, 1)), rng.integers(0, 4, 333)
masks = [np.sort(rng.permutation(40)[: rng.integers(1, 30)]) for _ in range(20)]
members, offsets = np.concatenate(masks).astype(np.int32), np.cumsum([0, *map(len, masks)])
labels, ones = rng.integers(-1, 5, (1, 3, 333)), np.ones(len(members))
joint = _core.bayes_likelihoods(
    columns, target, members, offsets, labels, np.zeros(20, dtype=np.int64), 5, 4,
    fill=np.zeros((len(members), 15)), once=ones, unit=ones, smoothing=1e-9,
)
splits = rng.choice([-2, -1, 0], (4, 333)).astype(np.int8)
errors, said = _core.nn_errors(columns, target, members, offsets, splits, rng.integers(0, 4, 20), predict=True)
deviation = columns.std(axis=1)
known = np.stack([columns.mean(axis=1), deviation, np.median(columns, axis=1), np.full(40, np.nan)])
near = [
    _core.nn_neighbours(
        columns, target, members, offsets, labels, np.zeros(20, dtype=np.int64), 5, k=3, distance=distance,
        learns=not distance, measures=True, known=known, has_gaps=np.zeros(40, dtype=np.uint8),
        weights=(1 / deviation)[members, None] if distance else np.empty((0, 0)),
        location=known[0][members, None].copy() if distance == 2 else np.empty((0, 0)), fill=np.empty((0, 0)),
    )
    for distance in range(3)
]
trees = [
    _core.cart_predictions(
        columns, target, members, offsets, labels, np.zeros(20, dtype=np.int64), 5, 4,
        order=_core.cart_order(columns, ones[:40]), has_gaps=np.zeros(40, dtype=np.uint8), fill=np.empty((0, 0)),
        once=ones[:40], response=columns[0] if impurity == "variance" else np.empty(0), impurity=impurity,
        max_depth=0, min_leaf=3, min_split=2, balanced=balanced, numbers=True,
    )[1]
    for impurity in ("gini", "entropy", "variance") for balanced in (False, impurity != "variance")
]
coarse = np.where(rng.random((40, 333)) < 0.02, np.nan, np.round(columns, 1))
rules = dict(min_rows=2.0, pruned=True, raising=True, confidence=0.25, quantile=0.67449)
for raw, balanced in ((columns, False), (columns, True), (coarse, False)):
    table = _core.C45Table(raw, np.zeros(40, dtype=np.int64), target, 4, 1e-5)
    asked = table, members, offsets, labels, np.zeros(20, dtype=np.int64), 5
    trees.append(_core.c45_answers(*asked, **rules, balanced=balanced, shares=True)[1])
states = rng.integers(0, 2**32, 20, dtype=np.uint32)
trees.append(_core.forest_importances(columns.astype(np.float32), target, classes=4, states=states, most=6))
near_z = np.ascontiguousarray((columns - columns.mean(axis=1)[:, None]) / columns.std(axis=1)[:, None])
rows = np.arange(333) % 5 > 0
single = np.ascontiguousarray(near_z[:, rows]), np.ascontiguousarray(near_z[:, ~rows])
nobody = np.empty(0, dtype=np.int64), columns[0][rows].copy()
for learned in ((target[rows].copy(), np.empty(0)), nobody):
    own = single[0], *learned, single[1], members, offsets
    most = np.full(20, 3)
    for balanced in (False, True):
        trees.append(_core.forest_fits(*own, classes=4, states=states, most=most, balanced=balanced))
    trees.append(_core.radial_fits(*own, classes=4, costs=np.array([1.0, 30.0]), gammas=np.array([1.0, 0.3])))
machines = []
few = rng.integers(-1, 3, (1, 2, 333))
every = np.arange(40, dtype=np.int32), np.array([0, 40])
wide, some = rng.normal(size=(900, 50)) * rng.choice([0.1, 1.0, 30.0], (900, 1)), rng.integers(-1, 3, (1, 2, 50))
tall = np.arange(5, dtype=np.int32), np.array([0, 5])
cases = [(columns, target, 4, few, *every), (columns, target, 4, few, *tall)]
for count in (200, 900):
    cases.append((wide, np.arange(50) % 3, 3, some, np.arange(count, dtype=np.int32), np.array([0, count])))
for table, classes_of, classes, own, chosen, bounds in cases:
    p, n = table.shape
    for scaling, loss, cost in (("fold", "hinge", 1.0), ("once", "hinge", 1.0), ("fold", "squared hinge", 20.0)):
        machines += _core.svm_decisions(
            table, classes_of, chosen, bounds, own, np.zeros(1, dtype=np.int64), 3, classes,
            known=np.stack([table.mean(axis=1), table.std(axis=1), np.zeros(p), np.full(p, np.nan)]),
            has_gaps=np.zeros(p, dtype=bool), group=np.arange(p), nominal=np.zeros(p, dtype=bool), response=np.empty(0),
            scaling=scaling, scaler="z-score", cost=cost, epsilon=0.0, tolerance=1e-3, loss=loss, balanced=False,
            sums=True,
        )
single = []
thirds, halves = np.arange(50) % 3, np.arange(50) % 2
for rows, codes, classes, count in ((columns, target, 4, 40), (wide, thirds, 3, 900), (wide, halves, 2, 300)):
    train, test = np.ascontiguousarray(rows[:, ::2]), np.ascontiguousarray(rows[:, 1::2])
    lists = np.arange(count, dtype=np.int32), np.array([0, 7, count])
    own = train, np.ascontiguousarray(codes[::2]), test, *lists, classes
    single.append(_core.logistic_fits(*own, costs=np.array([0.01, 1.0]), balanced=True))
    single.append(_core.discriminant_fits(*own, shrinkages=np.array([0.1, 1.0])))
    ones_of = np.ones(len(codes[::2]))
    single.append(_core.ridge_fits(train, train[:2], ones_of, test, *lists, alphas=np.array([0.5, 3.0])))
digest = hashlib.sha256()
for array in (joint, errors, said, *trees, *(part for parts in near for part in parts), *machines, *single):
    digest.update(array.tobytes())
print(_core.level, digest.hexdigest())
"""


def digest(level):
    """What a new interpreter computes on a level."""
    environment = {**os.environ, "FSDESK_CPU": level}
    done = subprocess.run(
        [sys.executable, "-P", "-c", DIGEST], env=environment, capture_output=True, text=True, check=True
    )
    said, value = done.stdout.split()
    assert said == level
    return value


@pytest.mark.skipif(len(HERE) < 2, reason="one level was built: FSDESK_LEVELS=all builds the others")
def test_all_levels_give_the_same_bits():
    assert len({digest(level) for level in HERE}) == 1
