"""Tables that nobody would make on purpose, for the oracles of all models."""

import os
from dataclasses import dataclass

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from fsdesk.data import Dataset
from fsdesk.measure.design import design_of
from fsdesk.wrappers import WRAPPERS

# Where CI runs, the same examples every time: a failure there is the change's, not luck's.
ODD = settings(
    deadline=None,
    max_examples=int(os.environ.get("FSDESK_EXAMPLES", "30")),
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

VALUES = {
    "apart": lambda rng, n: rng.normal(size=n),
    "tied": lambda rng, n: rng.integers(0, 4, size=n) * 1.0,
    "constant": lambda rng, n: np.full(n, rng.choice([0.0, 0.1, 5.0])),
    "all but constant": lambda rng, n: np.where(np.arange(n) == rng.integers(n), 1e3, 0.1),
    "tiny": lambda rng, n: rng.normal(size=n) * 1e-300,
    "huge": lambda rng, n: rng.normal(size=n) * 1e300,
    "crowded": lambda rng, n: rng.integers(0, 40, size=n) * rng.choice([4e-7, 2e-6, 9e-6]),
    "beyond whole numbers": lambda rng, n: 2.0**53 + 2.0 * rng.integers(0, 5, size=n),
}


@dataclass(frozen=True)
class Odd:
    """(n, p) values, (n,) codes, (repeats, n) labels; ``kinds`` of the columns, or how many categories they have."""

    x: np.ndarray
    target: np.ndarray
    classes: int
    labels: np.ndarray
    kinds: list

    def bound(self, name, scaling="fold", response=None, **values):
        """A wrapper bound to this table."""
        return WRAPPERS[name].build(values).bind(design_of(self.dataset(response), scaling))

    def dataset(self, response=None):
        """The table with its classes, or with numbers to predict."""
        return Dataset(
            name="odd",
            x=np.asfortranarray(self.x),
            features=tuple(f"f{place}" for place in range(self.x.shape[1])),
            target=self.target if response is None else np.zeros_like(self.target),
            target_name="y",
            classes=tuple(map(str, range(self.classes))) if response is None else (),
            rows=tuple(map(str, range(len(self.x)))),
            response=response,
            categories={
                place: tuple(map(str, range(kind))) for place, kind in enumerate(self.kinds) if isinstance(kind, int)
            },
        )

    def fits(self):
        """Repeat, training and test rows of every fold that tests any."""
        for repeat, folds in enumerate(self.labels):
            for fold in np.unique(folds[folds >= 0]):
                yield repeat, np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)


@st.composite
def tables(draw, kinds, classes=(2, 2, 3, 5, 12), gaps=(0.0,), columns=5):
    """4 to 45 rows; the classes hang on the features, but not wholly."""
    n, p, most = draw(st.integers(4, 45)), draw(st.integers(1, columns)), draw(st.sampled_from(classes))
    chosen = draw(st.lists(st.sampled_from(kinds), min_size=p, max_size=p))
    missing = draw(st.lists(st.sampled_from(gaps), min_size=p, max_size=p))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    x = np.column_stack(
        [rng.integers(0, kind, size=n) if isinstance(kind, int) else VALUES[kind](rng, n) for kind in chosen]
    ).astype(float)
    if draw(st.booleans()):  # rows that come twice, with classes of their own
        x[n // 2 :] = x[: n - n // 2]
    target = (x > np.median(x, axis=0)) @ rng.integers(0, 3, size=p) + (rng.random(n) < 0.3) * rng.integers(0, most)
    target = (target % most).astype(np.int64)
    target[rng.permutation(n)[:2]] = [0, 1]
    x[rng.random(x.shape) < missing] = np.nan
    labels = deal(rng, n, draw(st.integers(2, 4)))
    return Odd(x, target, most, labels, chosen)


def deal(rng, n, folds, repeats=2):
    """(repeats, n) folds of any size; some rows are only trained on, some folds are empty or lack classes."""
    while True:
        labels = rng.integers(-1, folds, size=(repeats, n))
        if all((row != fold).any() for row in labels for fold in range(folds)) and (labels.max(axis=1) >= 0).all():
            return labels.astype(np.int64)
