"""A samples-by-features matrix with annotations for both: the layout of AnnData, loom, 10x, GCTX and BIOM files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fsdesk.data.cells import MISSING, Columns
from fsdesk.data.dataset import Check, Table
from fsdesk.data.readers.matrices import MOST_CELLS, among
from fsdesk.data.roles import description_rows, with_descriptions
from fsdesk.data.table import build_table
from fsdesk.errors import DataError

_BLOCK = 1 << 22  # numbers read from the file at a time
_MOST_TITLES = 4  # of the descriptions of a feature


@dataclass(frozen=True)
class Described:
    """One attribute of all samples: numbers, or texts with their categories in order."""

    numbers: NDArray[np.float64] | None = None
    texts: Sequence[str] = ()
    levels: tuple[str, ...] | None = None

    @property
    def cells(self) -> list[str]:
        """All values as texts, "" if unknown."""
        if self.numbers is None:
            return list(self.texts)
        return ["" if np.isnan(number) else f"{number:.15g}" for number in self.numbers]


@dataclass(frozen=True)
class Annotated:
    """Names of samples and features, and their attributes by title.

    Attributes
    ----------
    samples, features
        Names, n and p.
    of_samples
        Attributes of the samples; each is a candidate for the target or the groups, not a feature.
    of_features
        Texts describing the features.
    """

    samples: Sequence[str]
    features: Sequence[str]
    of_samples: Mapping[str, Described] = field(default_factory=dict)
    of_features: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def shape(self) -> tuple[int, int]:
        """Samples and features."""
        return len(self.samples), len(self.features)


class Sheet:
    """A table under construction: space for all feature values, followed by the attributes of the samples.

    Raises DataError if it would be too large, or has no samples or features.
    """

    def __init__(self, about: Annotated, name: str) -> None:
        rows, width = about.shape
        if not rows or not width:
            raise DataError(
                '"{name}" has {features} features and {samples} samples; choose another table.',
                name=name,
                features=width,
                samples=rows,
            )
        if rows * width > MOST_CELLS:
            raise DataError(
                '"{name}" has {samples:,} samples and {features:,} features, too many for this program. Reduce the '
                "table first, for example to the most variable features.",
                name=name,
                samples=rows,
                features=width,
            )
        self._name, self._about = name, about
        self._extra = [row[0] for row in description_rows({key: each.cells for key, each in about.of_samples.items()})]
        self._values = np.zeros((rows, width + len(self._extra)), order="F")

    @property
    def values(self) -> NDArray[np.float64]:
        """(n, p) values of the features, initially 0."""
        return self._values[:, : len(self._about.features)]

    def fill(self, matrix: Any, *, turned: bool = False) -> None:
        """Fill in a dense h5py or numpy matrix in blocks; ``turned``: one feature per row.

        Raises ValueError for another shape.
        """
        if tuple(matrix.shape) != (self.values.shape[::-1] if turned else self.values.shape):
            raise ValueError("shape")
        step = max(1, _BLOCK // max(1, matrix.shape[1]))
        for start in range(0, matrix.shape[0], step):
            block = np.asarray(matrix[start : start + step], dtype=np.float64)
            if turned:
                self.values[:, start : start + step] = block.T
            else:
                self.values[start : start + step] = block

    def fill_sparse(self, starts: Any, places: Any, data: Any, *, by_samples: bool) -> None:
        """Fill in a compressed sparse matrix in blocks, by rows (CSR of the samples) or by columns.

        Bounds are checked here, because scipy's compiled code crashes the process on damaged files. Raises ValueError
        for invalid ones.
        """
        rows, width = self.values.shape
        many, few = (rows, width) if by_samples else (width, rows)
        if starts.shape != (many + 1,) or places.shape != data.shape or len(data.shape) != 1:
            raise ValueError("shape of a sparse matrix")
        ends = np.asarray(starts[()], dtype=np.int64)
        if ends[0] != 0 or (np.diff(ends) < 0).any() or ends[-1] > data.shape[0]:
            raise ValueError("order of a sparse matrix")
        first = 0
        while first < many:
            last = max(first + 1, int(np.searchsorted(ends, ends[first] + _BLOCK, "right")) - 1)
            last = min(last, many)
            low, high = int(ends[first]), int(ends[last])
            minor = np.asarray(places[low:high], dtype=np.int64)
            if high - low > few * (last - first) or (len(minor) and not 0 <= minor.min() <= minor.max() < few):
                raise ValueError("index of a sparse matrix")
            major = np.repeat(np.arange(first, last), np.diff(ends[first : last + 1]))
            where = (major, minor) if by_samples else (minor, major)
            np.add.at(self.values, where, np.asarray(data[low:high], dtype=np.float64))
            first = last

    def table(self, source: str, *, checks: Sequence[Check] = (), parts: Sequence[str] = (), part: str = "") -> Table:
        """The table: features, then attributes that differ between samples, the best target last."""
        width, about = len(self._about.features), self._about
        texts: dict[int, list[str]] = {}
        levels: dict[int, tuple[str, ...]] = {}
        for j, title in enumerate(self._extra, width):
            each = about.of_samples[title]
            if each.numbers is not None:
                self._values[:, j] = each.numbers
                continue
            texts[j] = ["" if cell in MISSING else cell for cell in each.texts]
            if each.levels is not None:
                levels[j] = tuple(level for level in each.levels if level not in MISSING)
        made = build_table(
            self._name,
            Columns(self._values, texts),
            [*about.features, *self._extra],
            rows=about.samples,
            source=source,
            checks=checks,
            levels=levels,
        )
        made = replace(made, descriptions=_descriptions(about))
        return among(with_descriptions(made, len(self._extra)), parts, part)


def _descriptions(about: Annotated) -> dict[str, str]:
    """Descriptions of each feature besides its name; with titles if there are several columns."""
    told = {title: cells for title, cells in about.of_features.items() if len(set(cells) - MISSING) > 1}
    titles = list(told)[:_MOST_TITLES]
    found: dict[str, str] = {}
    for place, name in enumerate(about.features):
        cells = [(title, told[title][place]) for title in titles]
        said = [
            f"{title}: {cell}" if len(titles) > 1 else cell
            for title, cell in cells
            if cell not in MISSING and cell != name
        ]
        if said:
            found.setdefault(name, "; ".join(said))
    return found
