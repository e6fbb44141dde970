"""Heatmaps as files: pictures for print, and their numbers as CSV."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.messages import tr
from fsdesk.results.feature_map import FeatureMap
from fsdesk.results.figures import evenly, shortened
from fsdesk.results.formulas import escape_formula

__all__ = ["Grid", "grid_figure", "map_table", "table"]

_MOST_NAMES = 80
_WIDE = 7.2


@dataclass(frozen=True, eq=False)
class Grid:
    """A matrix with names.

    Attributes
    ----------
    cells
        (rows, columns) numbers.
    rows, columns
        Names; of a history the columns are iterations.
    corner
        What the rows are.
    across
        What the columns are, for the axis.
    label
        What the numbers are, for the colour bar.
    low, high
        Ends of the colour bar.
    note
        A sentence above the picture, or "".
    """

    cells: NDArray[np.float64]
    rows: tuple[str, ...]
    columns: tuple[str, ...] | NDArray[np.int64]
    corner: str
    across: str
    label: str
    low: float
    high: float
    note: str = ""


def grid_figure(grid: Grid) -> Figure:
    """Draw a matrix with its names and a colour bar; names only where they can be read."""
    count, columns = grid.cells.shape
    height = float(np.clip(1.1 + 0.14 * count, 2.2, 9.0))
    figure = Figure(figsize=(_WIDE, height), layout="constrained")
    axes = figure.add_subplot()
    history = not isinstance(grid.columns, tuple)
    cells, extent = grid.cells, (-0.5, columns - 0.5, count - 0.5, -0.5)
    if history:
        places, (left, right) = evenly(np.asarray(grid.columns, dtype=np.int64))
        cells, extent = cells[:, places], (left, right, count - 0.5, -0.5)
    picture = axes.imshow(
        cells, aspect="auto", interpolation="nearest", cmap="viridis", vmin=grid.low, vmax=grid.high, extent=extent
    )
    axes.tick_params(axis="y", length=0)
    if count <= _MOST_NAMES:
        axes.set_yticks(range(count), [shortened(name) for name in grid.rows], fontsize=7)
    else:
        axes.set_yticks([])
        axes.set_ylabel(tr("{count:,} features", count=count))
    if history:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    elif columns <= _MOST_NAMES:
        axes.set_xticks(range(columns), [shortened(str(name)) for name in grid.columns], rotation=90, fontsize=7)
    axes.set_xlabel(tr(grid.across) if grid.across else "")
    if grid.note:
        axes.set_title(grid.note, fontsize=8, loc="left", wrap=True)
    figure.colorbar(picture, ax=axes, label=tr(grid.label), fraction=0.03, pad=0.02, aspect=20)
    return figure


def table(grid: Grid) -> bytes:
    """The numbers as CSV: a line for each row; texts cannot be taken for formulas."""
    head = [grid.corner, *map(str, grid.columns)]
    return _written(head, ([name, *_numbers(cells)] for name, cells in zip(grid.rows, grid.cells, strict=True)))


def map_table(made: FeatureMap, dataset: Dataset) -> bytes:
    """The z-scores of a map as CSV, as they are drawn: row id, target, a column for each feature."""
    head = ["row", dataset.target_name, *made.names]

    def lines() -> Iterable[list[str]]:
        for source, cells in zip(made.rows.tolist(), made.z, strict=True):
            code = int(dataset.target[source])
            target = dataset.classes[code] if dataset.response is None else f"{dataset.response[source]:.10g}"
            yield [dataset.rows[source], target, *_numbers(cells)]

    return _written(head, lines())


def _numbers(cells: NDArray[np.float64]) -> list[str]:
    return [f"{value:.4g}" for value in cells.tolist()]


def _written(head: Sequence[str], lines: Iterable[Sequence[str]]) -> bytes:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(map(escape_formula, head))
    for line in lines:
        writer.writerow(map(escape_formula, line))
    return buffer.getvalue().encode("utf-8")
