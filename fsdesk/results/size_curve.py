"""The error of a run's finalists by their number of features, for figures and tables."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fsdesk.measure import CRITERIA, Criterion
from fsdesk.methods import Mask
from fsdesk.results.curve import drawn, drawn_error

__all__ = ["SizeCurve", "size_curve_csv"]

Floats = NDArray[np.float64]
_COLUMNS = ("features", "value", "standard error", "answer")


@dataclass(frozen=True, eq=False)
class SizeCurve:
    """Finalists that could be measured, by their number of features.

    Attributes
    ----------
    criterion, target
        Name of the criterion; name of the target, for its unit.
    sizes, losses, std_errors
        Parallel: number of features, mean loss and its standard error.
    answer
        Places of those that are the answer.
    """

    criterion: str
    target: str
    sizes: tuple[int, ...]
    losses: tuple[float, ...]
    std_errors: tuple[float, ...]
    answer: tuple[int, ...]

    @classmethod
    def of(
        cls, criterion: Criterion, points: Sequence[tuple[Mask, float, float]], answer: Mask | None, target: str = ""
    ) -> "SizeCurve":
        """Of (mask, loss, standard error) of each finalist."""
        kept = [point for point in points if np.isfinite(point[1])]
        found = [place for place, point in enumerate(kept) if answer is not None and np.array_equal(point[0], answer)]
        return cls(
            criterion.name,
            target,
            tuple(int(mask.sum()) for mask, _, _ in kept),
            tuple(loss for _, loss, _ in kept),
            tuple(error for _, _, error in kept),
            tuple(found),
        )

    @property
    def judged(self) -> Criterion:
        """The criterion."""
        return CRITERIA[self.criterion]

    @property
    def values(self) -> Floats:
        """Losses as they are drawn."""
        return drawn(self.judged, np.array(self.losses))

    @property
    def spreads(self) -> Floats:
        """Standard errors as they are drawn."""
        return drawn_error(self.judged, np.array(self.std_errors))

    @property
    def ladder(self) -> tuple[list[int], Floats]:
        """Each size, rising, with the value of the best of its finalists."""
        best = {size: loss for loss, size in sorted(zip(self.losses, self.sizes, strict=True), reverse=True)}
        sizes = sorted(best)
        return sizes, drawn(self.judged, np.array([best[size] for size in sizes]))


def size_curve_csv(curve: SizeCurve) -> str:
    """One line for each finalist; fractions are fractions."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(_COLUMNS)
    scale = 100.0 if curve.judged.unit == "%" else 1.0
    rows = zip(curve.sizes, curve.values / scale, curve.spreads / scale, strict=True)
    for place, (size, value, error) in enumerate(rows):
        writer.writerow([size, f"{value:.9g}", f"{error:.9g}", "yes" if place in curve.answer else "no"])
    return buffer.getvalue()
