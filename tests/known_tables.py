"""The public tables that oracles look at: the real ones where they are at hand, else made ones of the same shape.

A made table has classes of the same sizes, columns that tell them apart and columns of noise, rounded and nearly
constant ones, as many gaps, and units as far apart. What a paper or Weka says of a table needs the real one.
"""

import os
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fsdesk import read_table
from fsdesk.data import Dataset

__all__ = ["REAL_DATA", "known_table"]

REAL_DATA = Path(os.environ.get("FSDESK_TEST_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))


class Shape(NamedTuple):
    """Sizes of the classes, number of columns, and how many values are missing."""

    classes: tuple[int, ...]
    columns: int
    gaps: int = 0


SHAPES = {
    "ionosphere.arff": Shape((126, 225), 34),
    "sonar.arff": Shape((97, 111), 60),
    "segment.arff": Shape((330,) * 7, 19),
    "waveform5000.arff": Shape((1692, 1653, 1655), 40),
    "arrhythmia.arff": Shape((245, 44, 15, 15, 13, 25, 3, 2, 9, 50, 4, 5, 22), 279, 408),
    "warpAR10P.mat": Shape((13,) * 10, 2400),
    "chowdary.RData": Shape((62, 42), 22283),
}


@cache
def known_table(name: str) -> Dataset:
    """Read a table by the name of its file, or make one like it; nobody may write into it."""
    path = REAL_DATA / name
    dataset = read_table(path) if path.is_file() else _made(name, SHAPES[name])
    dataset.x.setflags(write=False)
    return dataset


def _made(name: str, shape: Shape) -> Dataset:
    rng = np.random.default_rng([len(name), shape.columns])
    target = rng.permutation(np.repeat(np.arange(len(shape.classes)), shape.classes))
    n, p = len(target), shape.columns
    centres = rng.normal(size=(len(shape.classes), p)) * (rng.random(p) < 0.4)
    x = (rng.normal(size=(n, p)) + 0.8 * centres[target]) * np.exp(rng.normal(size=p))
    x[:, 4::9] = np.round(x[:, 4::9], 1)
    x[:, 7::9] = rng.random((n, len(range(7, p, 9)))) < 0.03  # nearly constant
    if shape.gaps:
        x[rng.integers(0, n, shape.gaps), rng.integers(0, min(p, 5), shape.gaps)] = np.nan
    return Dataset(
        name=name,
        x=np.asfortranarray(x),
        features=tuple(f"feature {place}" for place in range(p)),
        target=target.astype(np.int64),
        target_name="class",
        classes=tuple(f"class {code}" for code in range(len(shape.classes))),
        rows=tuple(map(str, range(n))),
    )
