"""C4.5 against J48 written out in plain Python, which is first held against everything that is kept of Weka."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracles.j48 import J48, Options
from tests.oracles.odd import ODD, VALUES, Odd, tables
from tests.oracles.test_c45_against_weka import CASES, KEPT, balanced, split


def _options(case_settings):
    return Options(**{name: value for name, value in case_settings.items() if name != "class_weights"})


# What is tried on a small table, on a large one again: the reference takes its time there.
AGAIN = [name for name in CASES if name.startswith(("waveform", "arrhythmia"))]


def pytest_generate_tests(metafunc):
    if "name" in metafunc.fixturenames and metafunc.function is test_the_reference_grows_weka_s_trees:
        every = metafunc.config.getoption("exhaustive")
        metafunc.parametrize("name", [name for name in CASES if every or name not in AGAIN])


def test_the_reference_grows_weka_s_trees(real_data, name):
    case = CASES[name]
    path = None if case.table.startswith("made") else real_data(f"{case.table}.arff")
    raw, levels, target, classes = split(case, path)
    n = case.train
    weights = balanced(target[:n], classes) if "class_weights" in case.settings else np.ones(n)
    tree = J48(raw.T, levels, target, classes, _options(case.settings)).fit(np.arange(n), weights)
    kept = (KEPT / f"{name}.txt").read_text().split("\n\n")
    assert tree.printed() == kept[0].splitlines()
    theirs = [line.split(" ") for line in kept[1].splitlines()]
    assert [tree.predict(row) for row in range(n, len(target))] == [int(line[0]) for line in theirs]
    said = np.array([tree.scores(row) for row in range(n, len(target))])
    assert np.abs(said - np.array([line[1].split(",") for line in theirs], dtype=float)).max() <= 0.00051


KINDS = [*VALUES, 1, 2, 3, 9, 30]
SETTINGS = st.fixed_dictionaries(
    {
        "min_rows": st.sampled_from([1, 2, 2, 5]),
        "pruned": st.sampled_from([True, True, False]),
        "confidence": st.sampled_from([0.05, 0.25, 0.5]),
        "raising": st.booleans(),
        "gap": st.sampled_from([1e-5, 1e-5, 0.0, 0.5]),
        "laplace": st.booleans(),
        "class_weights": st.sampled_from(["none", "balanced"]),
    }
)


@ODD
@given(table=tables(KINDS, gaps=(0.0, 0.0, 0.1, 0.5, 1.0)), values=SETTINGS)
def test_every_row_gets_the_class_and_the_scores_of_the_reference(table, values):
    predictor, every = table.bound("c45", **values), np.ones(table.x.shape[1], dtype=bool)
    levels = np.array([kind if isinstance(kind, int) else 0 for kind in table.kinds])
    predicted, scores = predictor.predict(every, table.labels), predictor.scores(every, table.labels)
    for repeat, train, test in table.fits():
        weights = np.ones(len(train))
        if values["class_weights"] == "balanced":
            weights = balanced(table.target[train], table.classes)
        tree = J48(table.x, levels, table.target, table.classes, _options(values)).fit(train, weights)
        for row in test:
            assert predicted[repeat, row] == tree.predict(row)
            assert scores[repeat, row] == pytest.approx(tree.scores(row), abs=1e-9)


@pytest.mark.parametrize("min_rows", [1, 2, 3])
@pytest.mark.parametrize("kinds", ["numbers", "numbers and categories", "gaps", "balanced"])
def test_columns_in_which_one_value_is_common_are_split_as_the_reference_splits_them(kinds, min_rows):
    """Lists leave that value out: below, above and between the others; some nodes have no row of it, or only such."""
    rng, asked = np.random.default_rng(min_rows), set()
    for _ in range(6):
        n = int(rng.integers(20, 90))
        target = rng.integers(0, 3, size=n)
        common = rng.random((n, 6)) < rng.uniform(0.5, 0.95, size=6)
        x = np.where(common, [-9.0, 9.0, 0.0, 0.0, 1.0, 1.0], rng.integers(-4, 5, size=(n, 6)) + target[:, None])
        levels = np.zeros(6, dtype=np.int64)
        if kinds != "numbers":
            levels[4:] = 2, 3
            x[:, 4:] = np.where(common[:, 4:], 1, (rng.integers(0, 3, size=(n, 2)) + target[:, None]) % [2, 3])
        if kinds == "gaps":
            x[rng.random(n) < 0.3, 3] = np.nan
        labels = rng.integers(0, 3, size=(1, n))
        table = Odd(x, target, 3, labels, [int(level) or "apart" for level in levels])
        class_weights = "balanced" if kinds == "balanced" else "none"
        predictor = table.bound("c45", min_rows=min_rows, class_weights=class_weights)
        every = np.ones(6, dtype=bool)
        predicted, scores = predictor.predict(every, labels), predictor.scores(every, labels)
        for _, train, test in table.fits():
            weights = balanced(target[train], 3) if kinds == "balanced" else np.ones(len(train))
            tree = J48(x, levels, target, 3, Options(min_rows=min_rows)).fit(train, weights)
            asked.add(tree.root.feature)
            for row in test:
                assert predicted[0, row] == tree.predict(row)
                assert scores[0, row] == pytest.approx(tree.scores(row), abs=1e-9)
    assert len(asked) > 2


def test_a_feature_of_a_category_for_every_third_training_row_is_one_of_many_whatever_is_left_out():
    """0.3 times the 10 training rows are the 3 categories; with the row that is left out they would be fewer."""
    rng = np.random.default_rng(0)
    for _ in range(40):
        target = rng.integers(0, 2, size=11).astype(np.int64)
        x = np.column_stack([rng.integers(0, 3, size=11), rng.normal(size=11)]).astype(float)
        labels = np.where(np.arange(11) == 0, 0, -1)[None, :]
        table = Odd(x, target, 2, labels, [3, "apart"])
        tree = J48(x, np.array([3, 0]), target, 2, Options(min_rows=1)).fit(np.arange(1, 11), np.ones(10))
        assert table.bound("c45", min_rows=1).predict(np.ones(2, dtype=bool), labels)[0, 0] == tree.predict(0)


@pytest.mark.parametrize("steps", [(0.0, 6e-6), (0.0, 6e-6, 1.2e-5)], ids=["pairs", "chains"])
@pytest.mark.parametrize("share", [0.0, 0.2], ids=["known", "gaps"])
def test_values_too_close_to_be_cut_between_are_split_as_the_reference_splits_them(steps, share):
    """Ends of a chain are cut between where none of a node lies in the middle; pairs never are."""
    rng = np.random.default_rng(len(steps))
    for _ in range(8):
        n = int(rng.integers(20, 90))
        target = rng.integers(0, 3, size=n)
        x = rng.integers(0, 3, size=(n, 4)) + rng.choice(steps, size=(n, 4))
        x[:, 2:] += target[:, None] * rng.choice([*steps, 1.0], size=2)
        x[rng.random(x.shape) < share] = np.nan
        table = Odd(x, target, 3, rng.integers(0, 3, size=(1, n)), ["apart"] * 4)
        predicted = table.bound("c45", min_rows=1, pruned=False).predict(np.ones(4, dtype=bool), table.labels)
        for repeat, train, test in table.fits():
            tree = J48(x, np.zeros(4, dtype=np.int64), target, 3, Options(min_rows=1, pruned=False))
            tree.fit(train, np.ones(len(train)))
            assert [predicted[repeat, row] for row in test] == [tree.predict(row) for row in test]
