"""What workers do for heatmaps: cluster, map the data of the selected features, write files."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset, Shared
from fsdesk.engine import Control, RunState
from fsdesk.errors import ProjectError
from fsdesk.messages import in_language, language_named, mark, tr
from fsdesk.results.clusters import clustered, euclidean_distances
from fsdesk.results.feature_map import FeatureMap
from fsdesk.store import Project

__all__ = ["RunsRequest", "TraceRequest", "clusters_task", "feature_map_task", "map_file_task", "runs_file_task",
           "traces_file_task"]  # fmt: skip

_MOST_DRAWN = 400


def clusters_task(control: Control, traces: NDArray[np.uint8]) -> Iterator[NDArray[np.int64]]:
    """Order (m, steps) traces so that like ones lie together: average linkage of Euclidean distances."""
    rows = np.asarray(traces, dtype=np.float64)
    yield clustered(euclidean_distances(rows), len(rows)).order.astype(np.int64)


def feature_map_task(
    control: Control, dataset: Shared[Dataset], mask: NDArray[np.bool_], weights: NDArray[np.float64]
) -> Iterator[FeatureMap]:
    """Map the selected features; see :class:`FeatureMap`."""
    yield FeatureMap.of(dataset.open(), mask, weights)


@dataclass(frozen=True, eq=False)
class TraceRequest:
    """What of a run's history is written.

    Attributes
    ----------
    kind
        "weights" or "selection".
    order
        Features from top to bottom.
    shown
        First row that is drawn, and the one after the last; the table holds all.
    left, right
        Iterations that are drawn.
    """

    kind: str
    order: NDArray[np.int64]
    shown: tuple[int, int]
    left: float
    right: float


def traces_file_task(
    control: Control, project_path: str, run_id: int, request: TraceRequest, path: str, language: str = "en"
) -> Iterator[str]:
    """Write weights or selection of a run as a picture of what is in view, or as a table of all; yield the path."""
    project = Project.open(project_path)
    try:
        state = project.state(run_id)
    finally:
        project.close()
    steps, history = _history(state, request.kind)
    if not len(steps):
        raise ProjectError("This run has nothing to draw here yet: let it run for a moment.")
    drawn = Path(path).suffix != ".csv"
    rows, said, counts = request.order, "", dict[str, int]()
    if drawn:
        rows = rows[slice(*request.shown)]
        inside = (steps >= request.left) & (steps <= request.right)
        steps, history = (steps[inside], history[inside]) if inside.any() else (steps, history)
        if len(rows) > _MOST_DRAWN:
            rows = rows[np.linspace(0, len(rows) - 1, _MOST_DRAWN).round().astype(np.int64)]
            said = mark("{shown:,} of {count:,} features, evenly spread over the order")
            counts = {"shown": _MOST_DRAWN, "count": len(request.order)}
        elif len(rows) < len(state.features):
            said = mark("{shown:,} of {count:,} features")
            counts = {"shown": len(rows), "count": len(state.features)}
    from fsdesk.results.heat_figures import Grid

    cells = history[:, rows].T / (255 if request.kind == "weights" else 1)
    moved = cells[(cells != cells[:, :1]).any(axis=1)]
    reach = 0.5 if request.kind == "selection" else max(0.05, float(np.abs(moved - 0.5).max(initial=0.0)))
    names = tuple(state.features[row] for row in rows.tolist())
    label = mark("weight") if request.kind == "weights" else mark("in (1) or out (0)")
    with in_language(language_named(language)):
        note = tr(said, **counts) if said else ""
    grid = Grid(cells, names, steps, "feature", mark("iteration"), label, 0.5 - reach, 0.5 + reach, note)
    yield _write_grid(grid, path, language)


def _history(state: RunState, kind: str) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """(t,) iterations, each once, and (t, p) what is kept of them: the last of an iteration that has several."""
    columns = state.heatmap if kind == "weights" else state.selection
    last = np.flatnonzero(np.diff(columns.iterations, append=np.iinfo(np.int64).max))
    kept = columns.view[last]
    cells = kept if kind == "weights" else np.unpackbits(kept, axis=1, count=len(state.features))
    return columns.iterations[last], cells


@dataclass(frozen=True, eq=False)
class RunsRequest:
    """Shares of each feature in each run: (rows, columns), their names, and the sentence about stability."""

    shares: NDArray[np.float64]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    note: str


def runs_file_task(control: Control, request: RunsRequest, path: str, language: str = "en") -> Iterator[str]:
    """Write how often runs select features as a picture or a table; yield the path."""
    from fsdesk.results.heat_figures import Grid

    shares, rows, note = request.shares, request.rows, request.note
    if Path(path).suffix != ".csv" and len(rows) > _MOST_DRAWN:
        said = mark("The first {shown:,} of {count:,} features, those that most runs hold.")
        with in_language(language_named(language)):
            first = tr(said, shown=_MOST_DRAWN, count=len(rows))
        note = f"{first} {note}".strip()
        shares, rows = shares[:_MOST_DRAWN], rows[:_MOST_DRAWN]
    label = mark("share of the subsets that hold the feature")
    yield _write_grid(Grid(shares, rows, request.columns, "feature", "", label, 0.0, 1.0, note), path, language)


def map_file_task(
    control: Control,
    dataset: Shared[Dataset],
    mask: NDArray[np.bool_],
    weights: NDArray[np.float64],
    path: str,
    language: str = "en",
) -> Iterator[str]:
    """Write the map of the selected features as a picture or a table; yield the path."""
    from fsdesk.results.feature_map_figure import drawn_map
    from fsdesk.results.figures import saved
    from fsdesk.results.heat_figures import map_table

    opened = dataset.open()
    made = FeatureMap.of(opened, mask, weights)
    kind = Path(path).suffix[1:]
    with in_language(language_named(language)):
        content = (
            map_table(made, opened) if kind == "csv" else saved(lambda: drawn_map(made, opened, int(mask.sum())), kind)
        )
    yield _write(content, path)


def _write_grid(grid: object, path: str, language: str) -> str:
    from fsdesk.results.figures import saved
    from fsdesk.results.heat_figures import Grid, grid_figure, table

    assert isinstance(grid, Grid)
    kind = Path(path).suffix[1:]
    with in_language(language_named(language)):
        content = table(grid) if kind == "csv" else saved(lambda: grid_figure(grid), kind)
    return _write(content, path)


def _write(content: bytes, path: str) -> str:
    """All or nothing: a full disk leaves no half file behind."""
    part = Path(path + ".part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        reason = error.strerror or error
        raise ProjectError(
            '"{path}" cannot be written ({reason}): choose another folder or name.', path=path, reason=reason
        ) from None
    return path
