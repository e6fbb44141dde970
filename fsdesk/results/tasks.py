"""Tasks that a worker process runs for the window."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from fsdesk.data import Dataset, Shared, Table
from fsdesk.data.annotations import Annotations, DescriptionTable, joined, read_descriptions
from fsdesk.engine import Best, Control, RunSpec, RunState
from fsdesk.errors import ProjectError
from fsdesk.messages import in_language, language_named, mark, tr
from fsdesk.methods import Mask
from fsdesk.results.comparison import Comparison
from fsdesk.results.curves import Axis, Trace, traces_csv
from fsdesk.results.diagnosis import Diagnosis, diagnosed, held_out_of
from fsdesk.results.evidence import ExternalValidation
from fsdesk.results.exports import export, refuse_unwritable, write_file
from fsdesk.results.feature_map import FeatureMap, clustered, euclidean_distances
from fsdesk.results.features import Effect, SingleFeatureScores, effects_of, single_feature_scores
from fsdesk.results.new_rows import Predictions, predict, validate
from fsdesk.results.record import RunRecord
from fsdesk.results.significance import written_table
from fsdesk.results.subsets import EquivalentSubsets, SizeCurve, equivalent_subsets, size_curve_csv
from fsdesk.results.trust import Trust, trust_of
from fsdesk.store import Project

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fsdesk.results.heatmap_figures import Grid

_MOST_EXPLAINED = 300  # number of features; more can be read in features.csv
_MOST_DRAWN = 400


@dataclass(frozen=True)
class Written:
    """Progress of an export: files written, and total."""

    done: int
    total: int


def export_task(
    control: Control,
    project_path: str,
    run_id: int,
    folder: str,
    names: Sequence[str],
    mask: Mask | None = None,
    language: str = "en",
    sign_as: str | None = None,
    keys: str = "",
) -> Iterator[Written | list[str]]:
    """Export a run of a project; yield the progress after every file, and finally the paths written.

    Parameters
    ----------
    mask
        The finalist exported instead of the result; None: the result.
    language
        Language of reports and figures.
    sign_as
        Signs bundles with the key in the folder ``keys`` and this name, possibly ""; None does not sign.
    """
    from fsdesk.results.sealing import Signer, key_file

    signer = None if sign_as is None else Signer.of_user(sign_as, key_file(Path(keys)))
    result, dataset = _stored(project_path, run_id)
    result = result if mask is None else result.with_finalist(mask)
    refuse_unwritable(result, names)
    paths: list[str] = []
    yield Written(0, len(names))
    for name in names:
        if control.should_stop():
            break
        with in_language(language_named(language)):
            paths += map(str, export(result, dataset, Path(folder), [name], signer))
        yield Written(len(paths), len(names))
    yield paths


def _stored(project_path: str, run_id: int) -> tuple[RunRecord, Dataset]:
    """A run of a project with its data."""
    with closing(Project.open(project_path, read_only=True)) as project:
        result = RunRecord.stored(project, run_id)
        return result, project.dataset(result.spec.data_fingerprint)


def predict_task(
    control: Control, project_path: str, run_id: int, table: Shared[Table], times: Sequence[float] = ()
) -> Iterator[Predictions]:
    """Predict the rows of another table with the result of a run; see :func:`fsdesk.results.new_rows.predict`."""
    result, dataset = _stored(project_path, run_id)
    yield predict(result, dataset, table.open(), times=times)


def validate_task(
    control: Control,
    project_path: str,
    run_id: int,
    table: Shared[Table],
    target: str | None = None,
    group: str | None = None,
) -> Iterator[ExternalValidation]:
    """Test the result of a run on another table; see :func:`fsdesk.results.new_rows.validate`."""
    result, dataset = _stored(project_path, run_id)
    yield validate(result, dataset, table.open(), target=target, group=group)


def effects_task(control: Control, project_path: str, run_id: int, mask: Mask) -> Iterator[tuple[Effect, ...] | Trust]:
    """Effect and reliability of each feature of a run's subset."""
    result, dataset = _stored(project_path, run_id)
    with threadpool_limits(limits=1):
        places = np.flatnonzero(mask)[:_MOST_EXPLAINED].tolist()
        shown = replace(result, mask=mask, picked=not np.array_equal(mask, result.mask))
        yield tuple(effects_of(shown, dataset, places))
        yield trust_of(shown, dataset)


def examine_task(
    control: Control, project_path: str, run_id: int, spec: RunSpec, dataset: Shared[Dataset], best: Best, mask: Mask
) -> Iterator[EquivalentSubsets | Diagnosis | SingleFeatureScores]:
    """Examine a subset of a run; yield findings as they are available, fast ones first.

    Parameters
    ----------
    best
        The result of the run, for comparison with other subsets.
    mask
        The subset.
    """
    with closing(Project.open(project_path, read_only=True)) as project:
        yield equivalent_subsets(project.events(run_id), best)
        result = RunRecord.stored(project, run_id)
    opened = dataset.open()
    with threadpool_limits(limits=1):  # as in a run: identical sums, bit for bit
        is_answer = np.array_equal(mask, best.mask)
        parts = held_out_of(result, opened) if is_answer else ()
        singles = single_feature_scores(result.answered, opened, np.flatnonzero(mask))
        steps: Iterator[Diagnosis | SingleFeatureScores] = chain(
            diagnosed(spec, opened, mask, parts=parts, models=result.models), singles
        )
        for step in steps:
            yield step
            if control.should_stop():
                return


@dataclass(frozen=True)
class Joined:
    """Descriptions joined to features, their source table, and the number of features matched by each column."""

    annotations: Annotations
    table: DescriptionTable
    found: dict[str, int]


def describe_task(control: Control, path: str, features: Sequence[str]) -> Iterator[Joined]:
    """Read a table of descriptions and join it to features."""
    table = read_descriptions(Path(path))
    annotations, found = joined(table, features)
    yield Joined(annotations, table, found)


def traces_task(
    control: Control, traces: Sequence[Trace], axis: Axis, window: int, path: str, language: str = "en"
) -> Iterator[str]:
    """Write the curves of runs as a figure or a table, by file suffix; yield its path."""

    def draw() -> "Figure":
        from fsdesk.results.figures import traces_figure

        return traces_figure(traces, axis, window)

    yield _drawn_or_listed(path, language, lambda: traces_csv(traces, window).encode("utf-8"), draw, for_print=True)


def size_curve_task(control: Control, curve: SizeCurve, path: str, language: str = "en") -> Iterator[str]:
    """Write the curve by size as a figure or a table, by file suffix; yield its path."""

    def draw() -> "Figure":
        from fsdesk.results.figures import size_curve_figure

        return size_curve_figure(curve)

    yield _drawn_or_listed(path, language, lambda: size_curve_csv(curve).encode("utf-8"), draw, for_print=True)


def _drawn_or_listed(
    path: str, language: str, table: Callable[[], bytes], draw: Callable[[], "Figure"], *, for_print: bool = False
) -> str:
    """Write a table if the suffix is that of CSV, otherwise a figure; return its path."""
    kind = Path(path).suffix[1:].lower()
    with in_language(language_named(language)):
        if kind == "csv":
            content = table()
        else:
            from fsdesk.results.figures import DOTS_PER_INCH, PRINT_DOTS, saved

            content = saved(draw, kind, PRINT_DOTS if for_print else DOTS_PER_INCH)
    write_file(Path(path), content)
    return path


def comparison_task(
    control: Control, comparison: Comparison, suffix: str, path: str, language: str = "en"
) -> Iterator[str]:
    """Write a comparison as a table in the format of a suffix; yield its path."""
    with in_language(language_named(language)):
        write_file(Path(path), written_table(comparison, suffix))
    yield path


def clusters_task(control: Control, traces: NDArray[np.uint8]) -> Iterator[NDArray[np.int64]]:
    """Order (m, steps) traces by similarity: average linkage of Euclidean distances."""
    rows = np.asarray(traces, dtype=np.float64)
    yield clustered(euclidean_distances(rows), len(rows)).order.astype(np.int64)


def feature_map_task(
    control: Control, dataset: Shared[Dataset], mask: NDArray[np.bool_], weights: NDArray[np.float64]
) -> Iterator[FeatureMap]:
    """Map the selected features; see :class:`FeatureMap`."""
    yield FeatureMap.of(dataset.open(), mask, weights)


@dataclass(frozen=True, eq=False)
class TraceRequest:
    """The part of a run's history to write.

    Attributes
    ----------
    kind
        "weights" or "selection".
    order
        Features from top to bottom.
    shown
        First row drawn, and the one after the last; the table contains all.
    left, right
        Iterations drawn.
    """

    kind: str
    order: NDArray[np.int64]
    shown: tuple[int, int]
    left: float
    right: float


def traces_file_task(
    control: Control, project_path: str, run_id: int, request: TraceRequest, path: str, language: str = "en"
) -> Iterator[str]:
    """Write weights or selection of a run as an image of the current view, or as a complete table; yield the path."""
    with closing(Project.open(project_path)) as project:
        state = project.state(run_id)
    steps, history = _history(state, request.kind)
    if not len(steps):
        raise ProjectError("This run has nothing to show here yet. Let it run for a moment.")
    drawn = Path(path).suffix.lower() != ".csv"
    rows, said, counts = request.order, "", dict[str, int]()
    if drawn:
        rows = rows[slice(*request.shown)]
        inside = (steps >= request.left) & (steps <= request.right)
        steps, history = (steps[inside], history[inside]) if inside.any() else (steps, history)
        if len(rows) > _MOST_DRAWN:
            rows = rows[np.linspace(0, len(rows) - 1, _MOST_DRAWN).round().astype(np.int64)]
            said = mark("{shown:,} of {count:,} features, evenly spaced along the list")
            counts = {"shown": _MOST_DRAWN, "count": len(request.order)}
        elif len(rows) < len(state.features):
            said = mark("{shown:,} of {count:,} features")
            counts = {"shown": len(rows), "count": len(state.features)}
    from fsdesk.results.heatmap_figures import Grid

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
    """(t,) unique iterations, and (t, p) the values stored at each, the last ones if there are several."""
    columns = state.heatmap if kind == "weights" else state.selection
    last = np.flatnonzero(np.diff(columns.iterations, append=np.iinfo(np.int64).max))
    kept = columns.view[last]
    cells = kept if kind == "weights" else np.unpackbits(kept, axis=1, count=len(state.features))
    return columns.iterations[last], cells


def runs_file_task(
    control: Control,
    shares: NDArray[np.float64],
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    note: str,
    path: str,
    language: str = "en",
) -> Iterator[str]:
    """Write (rows, columns) fractions of features in runs, with a sentence about them, as an image or a table."""
    from fsdesk.results.heatmap_figures import Grid

    if Path(path).suffix.lower() != ".csv" and len(rows) > _MOST_DRAWN:
        said = mark("The {shown:,} features (of {count:,}) selected most often.")
        with in_language(language_named(language)):
            first = tr(said, shown=_MOST_DRAWN, count=len(rows))
        note = f"{first} {note}".strip()
        shares, rows = shares[:_MOST_DRAWN], rows[:_MOST_DRAWN]
    label = mark("share of the subsets that contain the feature")
    yield _write_grid(Grid(shares, rows, columns, "feature", "", label, 0.0, 1.0, note), path, language)


def map_file_task(
    control: Control,
    dataset: Shared[Dataset],
    mask: NDArray[np.bool_],
    weights: NDArray[np.float64],
    path: str,
    language: str = "en",
) -> Iterator[str]:
    """Write the map of the selected features as an image or a table; yield the path."""
    from fsdesk.results.heatmap_figures import drawn_map, map_table

    opened = dataset.open()
    made = FeatureMap.of(opened, mask, weights)
    selected = int(mask.sum())
    yield _drawn_or_listed(path, language, lambda: map_table(made, opened), lambda: drawn_map(made, opened, selected))


def _write_grid(grid: "Grid", path: str, language: str) -> str:
    from fsdesk.results.heatmap_figures import grid_figure, table

    return _drawn_or_listed(path, language, lambda: table(grid), lambda: grid_figure(grid))
