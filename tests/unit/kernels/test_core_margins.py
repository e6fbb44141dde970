import numpy as np
import pytest

from fsdesk.kernels import _core


def _case(rows=40, columns=9, classes=3, seed=0):
    rng = np.random.default_rng(seed)
    target = rng.integers(0, classes, rows)
    table = rng.normal(size=(columns, rows)) + target * 0.5
    masks = [np.sort(rng.choice(columns, size, replace=False)) for size in (1, 4, 9)]
    offsets = np.cumsum([0, *map(len, masks)]).astype(np.int64)
    splits = rng.choice(np.array([-2, -1, 0], dtype=np.int8), size=(2, rows), p=[0.1, 0.6, 0.3])
    splits[:, 0], splits[:, 1] = -1, 0
    return table, target, masks, np.concatenate(masks).astype(np.int32), offsets, splits


def _expected(table, target, mask, labels):
    """The formula, in plain numpy."""
    train, test = np.flatnonzero(labels == -1), np.flatnonzero(labels == 0)
    weights = 1 / table[np.ix_(mask, train)].var(axis=1)
    leads = []
    for row in test:
        far = np.sqrt(
            (np.square(table[np.ix_(mask, train)] - table[mask, row][:, None]) * weights[:, None]).sum(axis=0)
        )
        own = far[target[train] == target[row]].min(initial=np.inf)
        other = far[target[train] != target[row]].min(initial=np.inf)
        leads.append((other - own) / (other + own))
    return np.mean(leads), np.std(leads)


@pytest.mark.parametrize("threads", [1, 3])
def test_margins_are_those_of_the_formula(threads):
    table, target, masks, features, offsets, splits = _case()
    split_of = np.array([0, 1, 1])
    found = _core.nn_margins(table, target, features, offsets, splits, split_of, threads=threads)
    expected = [_expected(table, target, mask, splits[split]) for mask, split in zip(masks, split_of, strict=True)]
    assert found == pytest.approx(np.array(expected), rel=1e-12)


def test_a_split_without_tested_rows_is_refused():
    table, target, _, features, offsets, splits = _case()
    splits[1] = -1
    with pytest.raises(ValueError, match="tested row"):
        _core.nn_margins(table, target, features, offsets, splits, np.array([0, 1, 1]))
