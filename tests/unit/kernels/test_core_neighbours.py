"""Neighbours against the definition on tables of small whole numbers, where every sum is exact and ties abound."""

import numpy as np
import pytest

from fsdesk.kernels import _core
from tests.stopping import assert_stops_within_a_second

EUCLID, MANHATTAN, COSINE = 0, 1, 2
NOTHING = np.empty((0, 0))


def asked(columns, labels, weights=None, *, distance=EUCLID, masks=None, **others):
    """What the core takes for a table without gaps, from (p, n) columns and (s, repeats, n) labels."""
    p, n = columns.shape
    masks = [np.arange(p)] if masks is None else masks
    deviation = columns.std(axis=1)
    known = [
        columns.mean(axis=1),
        np.where(deviation > 0, deviation, 1.0),
        np.median(columns, axis=1),
        np.full(p, np.nan),
    ]
    return {
        "columns": columns,
        "target": np.zeros(n, dtype=np.int64),
        "chosen": np.concatenate(masks).astype(np.int32),
        "offsets": np.cumsum([0, *map(len, masks)]),
        "labels": labels,
        "folds_of": np.zeros(len(masks), dtype=np.int64),
        "folds": max(1, int(labels.max()) + 1),
        "k": 1,
        "distance": distance,
        "learns": weights is None,
        "known": np.stack(known),
        "has_gaps": np.zeros(p, dtype=np.uint8),
        "weights": NOTHING if weights is None else np.ascontiguousarray(weights.T),
        "location": np.zeros(weights.T.shape) if distance == COSINE else NOTHING,
        "fill": NOTHING,
        **others,
    }


def found(columns, weights, labels, k, **others):
    """(n, repeats, k) neighbours under (fits or 1, p) weights."""
    return _core.nn_neighbours(**asked(columns, labels[None], weights, k=k, measures=False, **others))[0][0]


def expected(columns, weights, labels, k, power=2):
    """The same by definition."""
    neighbours, folds = np.full((*labels.shape[::-1], k), -1), max(1, int(labels.max()) + 1)
    for fit in range(len(labels) * folds):
        repeat, fold = divmod(fit, folds)
        tests = np.flatnonzero(labels[repeat] == fold)
        trains = np.flatnonzero((labels[repeat] != fold) & (labels[repeat] >= -1))
        far = np.zeros((len(tests), len(trains)))
        for values, weight in zip(columns, weights[min(fit, len(weights) - 1)], strict=True):
            far += weight * np.abs(values[tests, None] - values[trains]) ** power
        nearest = trains[np.argsort(far, axis=1, kind="stable")[:, :k]]
        neighbours[tests, repeat, : nearest.shape[1]] = nearest
    return neighbours


def table(kind, q, rows, seed=0):
    """(q, rows) whole numbers."""
    rng = np.random.default_rng(seed)
    near = rng.integers(0, 60, (q, rows))
    if kind == "far clusters":
        near = near + 10_000 * rng.integers(0, 4, (q, 12))[:, rng.integers(0, 12, rows)]
    if kind == "many alike":
        near = near[:, rng.integers(0, max(1, rows // 20), rows)]
    if kind == "a clump":
        near[:, rows // 4 : rows // 2] = near[:, [rows // 4]]
    if kind == "a line":
        near = np.outer(np.arange(1, q + 1), rng.integers(0, 1 << 16, rows))
    if kind == "a few far away":
        near[:, :: rows // 4] += 1_000_000 * np.arange(1, near[:, :: rows // 4].shape[1] + 1)
    if kind == "all alike":
        near[:] = 3
    if kind == "few values":
        near = rng.integers(0, 3, (q, rows))
    if kind == "one-hot":
        near = rng.integers(0, q + 1, rows) == np.arange(q)[:, None]
    if kind == "signs of 0":
        return np.where(rng.random((q, rows)) < 0.2, 1.0, rng.choice([0.0, -0.0], (q, rows)))
    return np.ascontiguousarray(near, dtype=np.float64)


KINDS = ["ordinary", "far clusters", "many alike", "a clump", "a line", "a few far away", "all alike", "few values",
         "one-hot", "signs of 0"]  # fmt: skip


def dealt(kind, rows, seed=1):
    """(repeats, n) folds."""
    rng = np.random.default_rng(seed)
    if kind == "leave-one-out":
        return rng.permutation(rows)[None]
    if kind == "no training rows":
        return np.zeros((2, rows), dtype=np.int64)
    if kind == "rows left out":
        return rng.integers(-2, 3, (5, rows))
    folds = 1 if kind == "hold-out" else 5
    labels = np.array([rng.permutation(rows) % (folds + 2 * (kind == "hold-out")) for _ in range(4)])
    return np.where(labels < folds, labels, -1)


LABELS = ["folds", "hold-out", "leave-one-out", "no training rows", "rows left out"]


@pytest.mark.covering(kind=KINDS, q=[1, 5, 70], labels=LABELS, k=[1, 200])
def test_neighbours_under_common_weights(kind, q, labels, k):
    columns, labels = table(kind, q, 170), dealt(labels, 170)
    assert np.array_equal(found(columns, np.ones((1, q)), labels, k), expected(columns, np.ones((1, q)), labels, k))


@pytest.mark.covering(
    kind=["ordinary", "far clusters", "many alike", "a few far away", "few values", "one-hot"],
    q=[3, 40, 150],
    labels=["folds", "rows left out"],
    k=[1, 40],
    spread=[2, 1_000_000],
)
def test_neighbours_under_the_weights_of_each_fit(kind, q, labels, k, spread):
    columns, labels = table(kind, q, 150), dealt(labels, 150)
    fits = len(labels) * (int(labels.max()) + 1)
    weights = np.random.default_rng(2).integers(1, spread, (fits, q)).astype(float)
    assert np.array_equal(found(columns, weights, labels, k), expected(columns, weights, labels, k))


@pytest.mark.parametrize(("q", "labels", "k"), [(1, "folds", 1), (2, "rows left out", 8), (4, "folds", 1)])
@pytest.mark.parametrize("kind", ["ordinary", "far clusters", "a clump", "a line", "a few far away", "few values"])
def test_neighbours_in_long_tables_of_few_columns(kind, q, labels, k):
    columns, labels = table(kind, q, 1300), dealt(labels, 1300)[:2]  # the last block is not full
    if kind in ("ordinary", "far clusters"):  # few rows alike, so that there is a tree
        columns = columns * 1024 + np.random.default_rng(3).integers(0, 1024, columns.shape)
    fits = len(labels) * (int(labels.max()) + 1)
    for weights in (np.ones((1, q)), np.random.default_rng(2).integers(1, 9, (fits, q)).astype(float)):
        assert np.array_equal(found(columns, weights, labels, k), expected(columns, weights, labels, k))


def test_neighbours_on_a_line_of_many_rows():
    values = np.random.default_rng(0).permutation(40_000).astype(float) ** 2  # no two gaps are alike
    labels = np.arange(40_000)[None] % 2
    near = found(values[None], np.ones((1, 1)), labels, 1)[:, 0, 0]
    assert (labels[0][near] != labels[0]).all()
    for side in (0, 1):
        trains, tests = np.sort(values[labels[0] != side]), values[labels[0] == side]
        after = np.searchsorted(trains, tests)
        least = np.minimum(
            np.abs(trains[np.minimum(after, len(trains) - 1)] - tests), np.abs(tests - trains[np.maximum(after - 1, 0)])
        )
        assert np.array_equal(np.abs(values[near] - values)[labels[0] == side], least)


@pytest.mark.covering(kind=["ordinary", "many alike", "few values", "a few far away"], q=[2, 30, 150], k=[1, 7])
def test_manhattan_distances(kind, q, k):
    columns, labels = table(kind, q, 130), dealt("folds", 130)
    weights = np.random.default_rng(2).integers(1, 9, (20, q)).astype(float)
    for own in (np.ones((1, q)), weights):
        near = found(columns, own, labels, k, distance=MANHATTAN)
        assert np.array_equal(near, expected(columns, own, labels, k, power=1))


def test_rows_without_length_are_at_distance_1_by_cosine_and_the_lowest_row_wins_every_tie():
    columns = np.zeros((2, 6))
    columns[:, 4] = 3.0
    for distance, far in ((COSINE, [1.0, 1.0]), (MANHATTAN, [6.0, 6.0])):
        arguments = asked(columns, np.arange(6)[None, None], np.ones((1, 2)), distance=distance, k=2, measures=True)
        neighbours, distances = _core.nn_neighbours(**arguments)
        assert neighbours[0, :, 0].tolist() == [[1, 2], [0, 2], [0, 1], [0, 1], [0, 1], [0, 1]]
        assert distances[0, 4, 0].tolist() == far
        assert distances[0, 0, 0].tolist() == ([1.0, 1.0] if distance == COSINE else [0.0, 0.0])


@pytest.mark.parametrize("q", [4, 50])
def test_distances_are_those_of_the_row_s_fit(q):
    columns, labels = table("ordinary", q, 90), dealt("folds", 90)
    weights = np.random.default_rng(2).integers(1, 9, (20, q)).astype(float)
    neighbours, far = _core.nn_neighbours(**asked(columns, labels[None], weights, k=3, measures=True))
    for row, repeat, place in np.ndindex(neighbours.shape[1:]):
        step = columns[:, row] - columns[:, neighbours[0, row, repeat, place]]
        own = weights[repeat * 5 + labels[repeat, row]]
        assert far[0, row, repeat, place] == np.sqrt((step * step * own).sum())


def test_where_training_rows_are_constant_the_column_decides_nothing_and_has_scale_1_in_distances():
    columns = np.array([[0.0, 3.0, 1.0, 2.0], [7.0, 5.0, 5.0, 5.0]])  # the second is constant but for row 0
    labels = np.array([[[0, 1, 1, 1]]])
    arguments = asked(columns, labels, k=3, measures=True)
    neighbours, far = _core.nn_neighbours(**arguments)
    assert neighbours[0, 0, 0].tolist() == [2, 3, 1]
    np.testing.assert_allclose(far[0, 0, 0], np.sqrt(4.0 + np.array([1.0, 4.0, 9.0]) / np.var([1.0, 2.0, 3.0])))


def test_learned_weights_are_one_over_the_variance_of_the_training_rows():
    rng = np.random.default_rng(0)
    columns, labels = rng.normal(size=(20, 90)), dealt("folds", 90)
    columns[3] = 1e6 + 1e-3 * columns[3]  # totals alone would lose its digits
    weights = np.array([1 / columns[:, labels[r] != f].var(axis=1) for r in range(4) for f in range(5)])
    assert np.array_equal(found(columns, None, labels, 5), found(columns, weights, labels, 5))


def batch(rows=300, masks=7, **others):
    rng = np.random.default_rng(4)
    columns, labels = rng.normal(size=(30, rows)), np.stack([dealt("folds", rows, seed) for seed in range(masks)])
    chosen = [np.sort(rng.permutation(30)[: rng.integers(1, 30)]) for _ in range(masks)]
    arguments = asked(columns, labels, masks=chosen, k=3, **others)
    return {**arguments, "folds_of": np.arange(masks), "target": rng.integers(0, 3, rows)}


def test_neither_threads_nor_the_size_of_a_batch_changes_a_bit():
    arguments = batch()
    all_, far = _core.nn_neighbours(**arguments, measures=True)
    rates = _core.nn_error_rates(**arguments, classes=3)
    for threads in (2, 3, 16):
        again, far_again = _core.nn_neighbours(**arguments, measures=True, threads=threads)
        assert np.array_equal(all_, again)
        assert np.array_equal(far, far_again)
        assert np.array_equal(rates, _core.nn_error_rates(**arguments, classes=3, threads=threads))
    for mask, (start, end) in enumerate(zip(arguments["offsets"], arguments["offsets"][1:], strict=False)):
        one = {**arguments, "chosen": arguments["chosen"][start:end].copy(), "offsets": np.array([0, end - start])}
        one["folds_of"] = np.array([mask])
        assert np.array_equal(all_[mask], _core.nn_neighbours(**one, measures=False)[0][0])
        said = _core.majority(all_[mask], arguments["target"], 3)
        assert np.array_equal(rates[mask], _core.error_rates(said, arguments["target"], arguments["labels"][mask]))
        for repeat in range(4):  # one alone has the same neighbours, too
            alone = {**one, "labels": arguments["labels"][:, [repeat]].copy()}
            assert np.array_equal(
                all_[mask, :, [repeat]], _core.nn_neighbours(**alone, measures=False)[0][0, :, 0][None]
            )


@pytest.mark.parametrize("scaled_once", [False, True])
@pytest.mark.parametrize(("rows", "q"), [(200_000, 1), (200_000, 3), (50_000, 40), (400, 20_000)])
def test_work_stops_within_a_second_of_the_flag(rows, q, scaled_once):
    rng = np.random.default_rng(0)
    columns, stop = np.round(rng.normal(size=(q, rows)), 9), np.zeros(1, dtype=np.uint8)
    weights, labels = np.ones((1, q)) if scaled_once else None, rng.integers(0, 5, (1, 10, rows))
    masks = [np.arange(q)] * 100
    arguments = asked(columns, labels, weights if weights is None else np.ones((1, 100 * q)), masks=masks, stop=stop)
    assert_stops_within_a_second(lambda: _core.nn_error_rates(**arguments, classes=1, threads=2), stop, threads=2)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"k": 0}, "k must be"),
        ({"distance": 3}, "distance"),
        ({"distance": 1}, "Euclid"),
        ({"known": np.zeros((4, 29))}, "known"),
        ({"has_gaps": np.zeros(29, dtype=np.uint8)}, "has_gaps"),
        ({"has_gaps": np.ones(30, dtype=np.uint8)}, "weights must have a row"),
        ({"weights": np.ones((3, 1))}, "weights must have a row"),
        ({"location": np.ones((1, 1))}, "location"),
        ({"fill": np.ones((1, 20))}, "fill"),
        ({"labels": np.full((7, 4, 300), 5)}, "labels must be"),
    ],
)
def test_what_does_not_fit_is_a_value_error_with_a_sentence(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        _core.nn_error_rates(**{**batch(), **wrong}, classes=3)
