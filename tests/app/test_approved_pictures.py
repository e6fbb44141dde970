"""Heatmaps against approved pictures of their cells: no text, so fonts of other systems do not matter."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from fsdesk.app.plots.data_map import DataCanvas
from fsdesk.app.plots.heatmap import Heatmap
from fsdesk.app.plots.matrix_map import RunsCanvas
from fsdesk.app.plots.trace_map import TraceMap, rows_by
from fsdesk.data import Dataset
from fsdesk.data.class_colours import class_colour
from fsdesk.results.feature_map import FeatureMap

from .approving import assert_approved, pixels
from .heat_scene import known_run


def framed(canvas: Heatmap, across: tuple[float, float], rows: int) -> None:
    """Cells in an area of a fixed size, whatever the font."""
    area = QRectF(0, 0, 160, 96)
    left, right = across
    canvas.frame = replace(
        canvas.frame, area=area, rows=canvas.count(), top=0.0, high=area.height() / rows, left=left, right=right
    )


def rising() -> np.ndarray:
    """40 steps of 300 features: every tenth one rises, the others sink by and by."""
    steps, features = np.arange(40)[:, None], np.arange(300)[None, :]
    way = np.where(features % 10 == 0, 1.0, -0.3 - features / 900)
    return np.clip(127.5 + 3 * steps * way, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("kind", ["weights", "selection"])
@pytest.mark.parametrize(("rows", "order"), [(60, "weight"), (300, "table")])
def test_the_heatmap_of_features_looks_as_approved(themed: None, kind: str, rows: int, order: str) -> None:
    state = known_run(rising()).state
    canvas = TraceMap()
    canvas.show_state(state, kind)
    canvas.show_order(rows_by(state, order))
    framed(canvas, (0, 40), rows)
    made = canvas.picture()
    assert made is not None
    assert_approved(made[0], f"{kind}-{order}")
    canvas.deleteLater()


@pytest.fixture
def grouped() -> Dataset:
    """60 rows of three classes; two features tell the first class, two the second, one is noise."""
    rng = np.random.default_rng(4)
    target = np.arange(60) % 3
    x = rng.normal(size=(60, 5))
    x[:, :2] += 4.0 * (target == 0)[:, None]
    x[:, 2:4] -= 4.0 * (target == 1)[:, None]
    names = tuple(f"f{place}" for place in range(5))
    rows = tuple(map(str, range(60)))
    return Dataset("made", np.asfortranarray(x), names, target, "kind", ("a", "b", "c"), rows)


def test_the_heatmap_of_the_data_looks_as_approved(themed: None, grouped: Dataset) -> None:
    canvas = DataCanvas()
    canvas.resize(420, 300)
    canvas.show_map(FeatureMap.of(grouped, np.ones(5, dtype=np.bool_), np.ones(5)), grouped)
    drawn = pixels(canvas.grab().toImage())
    area = canvas.frame.area
    for code in range(3):  # the strip beside the rows has the colour of their class
        x, y = round(area.left()) - 8, round(canvas.frame.y_of(20 * code + 10))
        colour = QColor(class_colour(code))
        assert drawn[y, x].tolist() == [colour.red(), colour.green(), colour.blue()]
    above = drawn[2 : round(area.top()) - 2, round(area.left()) : round(area.right())]
    assert (above != above[0, 0]).any()  # the tree of the columns
    framed(canvas, (0, 5), 60)
    made = canvas.picture()
    assert made is not None
    assert_approved(made[0], "data")
    canvas.deleteLater()


def test_the_heatmap_of_runs_looks_as_approved(themed: None) -> None:
    canvas = RunsCanvas()
    shares = np.linspace(0, 1, 24).reshape(6, 4)
    canvas.show_shares(shares, tuple("abcdef"), tuple("wxyz"))
    framed(canvas, (0, 4), 6)
    made = canvas.picture()
    assert made is not None
    assert_approved(made[0], "runs")
    canvas.deleteLater()


def test_a_picture_that_differs_is_refused(themed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    canvas = RunsCanvas()
    canvas.show_shares(1 - np.linspace(0, 1, 24).reshape(6, 4), tuple("abcdef"), tuple("wxyz"))
    framed(canvas, (0, 4), 6)
    made = canvas.picture()
    assert made is not None
    monkeypatch.delenv("FSDESK_APPROVE", raising=False)
    with pytest.raises(AssertionError, match="pixels differ"):
        assert_approved(made[0], "runs")
    canvas.deleteLater()
