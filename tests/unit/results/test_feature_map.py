"""The map of the selected features: clustering, standardised values, files."""

import csv
import io

import numpy as np
import pytest
from PIL import Image
from scipy.cluster.hierarchy import dendrogram
from scipy.spatial.distance import squareform

from fsdesk.data import share
from fsdesk.engine import BaselineMeasured, BatchMeasured, RunSpec, RunStarted, pack_masks
from fsdesk.engine.steering import Flag
from fsdesk.errors import ProjectError
from fsdesk.results.feature_map import FeatureMap, clustered, correlation_distances, euclidean_distances
from fsdesk.results.heatmap_figures import Grid, grid_figure, map_table, table
from fsdesk.results.tasks import (
    TraceRequest,
    clusters_task,
    map_file_task,
    runs_file_task,
    traces_file_task,
)
from fsdesk.store import Project


def test_brackets_are_those_that_scipy_draws():
    rows = np.random.default_rng(0).normal(size=(40, 5))
    tree = clustered(euclidean_distances(rows), 40)
    drawn = dendrogram(tree.links, no_plot=True)
    assert tree.order.tolist() == drawn["leaves"]
    theirs = sorted(
        (tuple(np.asarray(x) / 10 - 0.5), tuple(y)) for x, y in zip(drawn["icoord"], drawn["dcoord"], strict=True)
    )
    ours = sorted((tuple(x), tuple(y)) for x, y in zip(tree.places, tree.heights, strict=True))
    np.testing.assert_allclose(np.array(ours), np.array(theirs))
    assert tree.height == pytest.approx(tree.links[-1, 2])


def test_a_tree_as_deep_as_it_has_leaves_is_drawn():
    apart = np.concatenate([np.arange(first + 1, 1500) for first in range(1500)])  # each is nearest to all before it
    tree = clustered(apart.astype(float), 1500)
    assert (tree.links[1:, :2].max(axis=1) == np.arange(1500, 2998)).all()  # each join takes in the one before
    assert sorted(tree.order.tolist()) == list(range(1500))
    assert np.isfinite(tree.places).all()


@pytest.mark.parametrize("size", [1.797e308, 1e200, 1e-200, 1e-310])
def test_huge_and_tiny_values_are_drawn_as_others_are(make_dataset, size):
    x = np.random.default_rng(3).normal(size=(30, 5))
    x /= np.abs(x).max()
    target = np.arange(30) % 2
    drawn = FeatureMap.of(make_dataset(x * size, target), np.ones(5, dtype=bool), np.zeros(5))
    usual = FeatureMap.of(make_dataset(x, target), np.ones(5, dtype=bool), np.zeros(5))
    assert drawn.names == usual.names
    assert drawn.rows.tolist() == usual.rows.tolist()
    np.testing.assert_allclose(drawn.z, usual.z, atol=1e-9 if size > 1e-300 else 1e-3)
    assert np.isfinite(drawn.column_tree.heights).all()


def test_few_leaves_need_no_tree():
    assert clustered(np.empty(0), 1).order.tolist() == [0]
    assert clustered(np.empty(0), 0).order.tolist() == []
    assert clustered(np.empty(0), 1).height == 0


def test_correlations_are_those_of_numpy_and_a_flat_column_is_like_none():
    x = np.random.default_rng(1).normal(size=(20, 4))
    x[:, 3] = 2.0
    apart = squareform(correlation_distances(x - x.mean(axis=0)))
    np.testing.assert_allclose(apart[:3, :3], 1 - np.corrcoef(x[:, :3].T), atol=1e-12)
    assert apart[3, :3].tolist() == [1, 1, 1]


@pytest.fixture
def control():
    return Flag()


@pytest.fixture
def project(tmp_path, awkward):
    """A project with one run of five steps in which the first feature rises."""
    path = tmp_path / "made.fsdesk"
    made = Project.create(path)
    made.add_dataset(awkward)
    spec = RunSpec.make(awkward, method="bspsa")
    run = made.add_run(spec)
    events = [RunStarted(spec.model_dump(), awkward.features), BaselineMeasured(np.full(2, 0.3), 0.1)]
    for step in range(5):
        weights = np.array([130 + 20 * step, 100, 100, 100, 100, 100], dtype=np.uint8)
        masks = pack_masks([weights >= 128])
        events.append(BatchMeasured(1 + step, masks, (True,), np.full((1, 2), 0.2), step, weights))
    made.append([(run, event) for event in events])
    made.close()
    return path, run


def read(path):
    return list(csv.reader(path.read_text(encoding="utf-8").splitlines()))


def test_the_table_of_weights_holds_all_features_and_no_formula(control, project, tmp_path):
    path, run = project
    wanted = TraceRequest("weights", np.arange(6)[::-1], (0, 2), 0, 2)  # what is in view does not matter here
    (written,) = traces_file_task(control, str(path), run, wanted, str(tmp_path / "w.csv"))
    lines = read(tmp_path / "w.csv")
    assert written == str(tmp_path / "w.csv")
    assert lines[0] == ["feature", "0", "1", "2", "3", "4"]
    assert [line[0] for line in lines[1:]] == ["$x^2$", "'@home", "colour", 'the "best"', "weight, kg", "'=1+1"]
    assert [float(cell) for cell in lines[-1][1:]] == pytest.approx(
        [(130 + 20 * step) / 255 for step in range(5)], abs=1e-4
    )


def test_the_table_of_the_selection_holds_ones_and_zeros(control, project, tmp_path):
    path, run = project
    wanted = TraceRequest("selection", np.arange(6), (0, 6), 0, 4)
    list(traces_file_task(control, str(path), run, wanted, str(tmp_path / "s.csv")))
    lines = read(tmp_path / "s.csv")
    assert lines[1][1:] == ["1"] * 5
    assert lines[2][1:] == ["0"] * 5


def test_the_picture_shows_the_rows_and_iterations_in_view(control, project, tmp_path):
    path, run = project
    wanted = TraceRequest("weights", np.arange(6), (0, 3), 1, 3)
    list(traces_file_task(control, str(path), run, wanted, str(tmp_path / "w.svg")))
    drawn = (tmp_path / "w.svg").read_text(encoding="utf-8")
    assert "weight, kg" in drawn
    assert "@home" not in drawn
    assert "3 of 6 features" in drawn
    list(traces_file_task(control, str(path), run, wanted, str(tmp_path / "w.png")))
    assert np.asarray(Image.open(tmp_path / "w.png").convert("L")).std() > 5


def test_a_grid_is_drawn_in_its_order_with_its_ends():
    cells = np.arange(6.0).reshape(2, 3) / 5
    grid = Grid(cells, ("a", "b"), ("x", "y", "=z"), "feature", "run", "share", 0.0, 1.0)
    axes = grid_figure(grid).axes[0]
    np.testing.assert_array_equal(axes.images[0].get_array(), cells)
    assert axes.images[0].get_clim() == (0, 1)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b"]
    assert next(csv.reader(io.StringIO(table(grid).decode()))) == ["feature", "x", "y", "'=z"]


def test_the_table_of_the_map_is_what_is_drawn(awkward):
    made = FeatureMap.of(awkward, np.ones(6, dtype=bool), np.ones(6))
    lines = list(csv.reader(io.StringIO(map_table(made, awkward).decode())))
    assert len(lines) == 49
    assert [line[0] for line in lines[1:]] == [f"'-patient {row}" for row in made.rows]
    classes = [line[1] for line in lines[1:]]
    assert classes == ["'=ill"] * 24 + ["well"] * 24
    np.testing.assert_allclose(np.array([line[2:] for line in lines[1:]], dtype=float), made.z, atol=6e-4, rtol=1e-3)


def test_of_very_many_features_the_heaviest_are_mapped(make_dataset):
    x = np.random.default_rng(0).normal(size=(12, 400))
    dataset = make_dataset(x, np.arange(12) % 2)
    weights = np.arange(400.0)
    made = FeatureMap.of(dataset, np.ones(400, dtype=bool), weights)
    assert sorted(made.features.tolist()) == list(range(100, 400))
    assert made.left_out == "the 300 features with the largest weights are shown, out of 400"


def test_map_and_runs_are_written_in_every_format(control, awkward, tmp_path):
    shared = share(awkward, tmp_path / "shared")
    request = (np.array([[1.0, 0.0]]), ("=f",), ("1: BSPSA", "2: BSPSA"), "Stability 0.50")
    for kind in ("png", "svg", "pdf", "csv"):
        list(runs_file_task(control, *request, str(tmp_path / f"runs.{kind}")))
        mask = np.array([1, 1, 0, 1, 0, 0], dtype=bool)
        list(map_file_task(control, shared, mask, np.ones(6), str(tmp_path / f"map.{kind}")))
        assert (tmp_path / f"runs.{kind}").stat().st_size > 20
        assert (tmp_path / f"map.{kind}").stat().st_size > 20
    assert read(tmp_path / "runs.csv") == [["feature", "1: BSPSA", "2: BSPSA"], ["'=f", "1", "0"]]
    assert "Stability 0.50" in (tmp_path / "runs.svg").read_text(encoding="utf-8")


def test_a_table_has_all_features_also_where_its_suffix_is_in_capitals(control, tmp_path):
    names = tuple(f"f{place}" for place in range(500))  # more than a picture shows
    list(runs_file_task(control, np.ones((500, 1)), names, ("1",), "", str(tmp_path / "RUNS.CSV")))
    assert [line[0] for line in read(tmp_path / "RUNS.CSV")[1:]] == list(names)


def test_a_path_that_cannot_be_written_is_named_and_nothing_is_left(control, tmp_path):
    request = (np.ones((1, 1)), ("f",), ("1",), "")
    path = tmp_path / "no such folder" / "runs.csv"
    with pytest.raises(ProjectError, match=r"no such folder.*Choose another folder"):
        list(runs_file_task(control, *request, str(path)))
    assert list(tmp_path.iterdir()) == []


def test_traces_that_are_alike_are_put_together(control):
    rising, falling = np.arange(0, 250, 25), np.arange(0, 250, 25)[::-1]
    traces = np.array([rising, falling, rising + 3, falling + 2], dtype=np.uint8)
    (order,) = clusters_task(control, traces)
    assert {frozenset(order[:2].tolist()), frozenset(order[2:].tolist())} == {frozenset({0, 2}), frozenset({1, 3})}
