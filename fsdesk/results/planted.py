"""Tables whose answer is known, for comparing methods: features that tell the class, planted among noise."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.methods import Mask

__all__ = ["Planted", "mixed", "needles", "planted_tables"]


@dataclass(frozen=True, eq=False)
class Planted:
    """A table and its answer.

    Attributes
    ----------
    needed
        Places of features, of which one of each group tells something of the class that no other group does.
    """

    dataset: Dataset
    needed: tuple[tuple[int, ...], ...]

    def missed(self, mask: Mask) -> int:
        """How many groups have no feature in a mask."""
        return sum(not mask[list(group)].any() for group in self.needed)

    def idle(self, mask: Mask) -> int:
        """How many features of a mask are of no use."""
        return int(mask.sum()) - (len(self.needed) - self.missed(mask))


def planted_tables() -> Iterator[Planted]:
    """The tables of `fsdesk bench methods --planted`."""
    yield mixed()
    yield needles()


def mixed(noise_columns: int = 20, rows: int = 120, seed: int = 0) -> Planted:
    """Two classes: features 0 and 1 are relevant, 2 is the twin of 0, 3 and 4 are an XOR pair, the rest is noise."""
    rng = np.random.default_rng(seed)
    target = np.arange(rows) % 2
    x = rng.normal(size=(rows, 5 + noise_columns))
    x[:, 0] += 1.5 * target
    x[:, 1] -= 1.5 * target
    x[:, 2] = x[:, 0] + 0.01 * rng.normal(size=rows)
    side = rng.integers(0, 2, rows)
    x[:, 3] = 2.0 * side + 0.3 * x[:, 3]
    x[:, 4] = 2.0 * (side ^ target) + 0.3 * x[:, 4]
    return Planted(_dataset("planted, with a twin and an XOR pair", x, target), ((0, 2), (1,), (3,), (4,)))


def needles(features: int = 5000, relevant: int = 10, rows: int = 100, seed: int = 0) -> Planted:
    """Two classes, told apart by 10 of 5,000 features, each shifted by one standard deviation."""
    rng = np.random.default_rng(seed)
    target = np.arange(rows) % 2
    x = rng.normal(size=(rows, features))
    places = tuple(range(7, features, features // relevant))[:relevant]
    x[:, places] += target[:, None]
    return Planted(_dataset(f"{relevant} of {features:,}", x, target), tuple((place,) for place in places))


def _dataset(name: str, x: NDArray[np.float64], target: NDArray[np.int64]) -> Dataset:
    return Dataset(
        name=name,
        x=np.asfortranarray(x),
        features=tuple(f"feature {column}" for column in range(x.shape[1])),
        target=target,
        target_name="class",
        classes=("a", "b"),
        rows=tuple(map(str, range(len(target)))),
    )
