"""Lines and dots of plots are drawn as pyqtgraph draws them, only sooner."""

from typing import Any

import numpy as np
import pyqtgraph as pg
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from fsdesk.app.look.plots import ink
from fsdesk.app.look.strokes import Dots, Stroke


def _plot(qtbot: QtBot, item: Any) -> Any:
    """A plot of this item alone."""
    plot = pg.PlotWidget()
    qtbot.addWidget(plot)
    plot.resize(600, 300)
    plot.setBackground("w")
    plot.getPlotItem().addItem(item, ignoreBounds=True)
    plot.setXRange(0, 500)
    plot.setYRange(-4, 4)
    plot.show()
    return plot


def _picture(plot: Any) -> NDArray[np.int64]:
    """(height, width, 4) what it looks like."""
    image = plot.grab().toImage().convertToFormat(QImage.Format.Format_RGBA8888)
    bits = np.frombuffer(image.constBits(), dtype=np.uint8)
    return bits.reshape(image.height(), image.width(), 4).astype(np.int64)


def _noise(count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.arange(count, dtype=np.float64), np.random.default_rng(3).normal(0, 1, count)


@pytest.mark.parametrize("count", [0, 1, 2, 33, 34, 65, 500])
def test_a_line_in_pieces_looks_like_the_whole(qtbot: QtBot, count: int) -> None:
    x, y = _noise(count)
    pen = ink("#0072b2", 2.0)
    stroke, whole = Stroke(), pg.PlotCurveItem(x, y, pen=pen, antialias=True, skipFiniteCheck=True)
    stroke.setPen(pen)
    stroke.setData(x, y)
    ours, theirs = _picture(_plot(qtbot, stroke)), _picture(_plot(qtbot, whole))
    differs = np.abs(ours - theirs).max(axis=2)
    drawn = int((theirs[:, :, 0] < 200).sum())
    assert (differs > 8).sum() <= 0.02 * drawn


def test_a_broken_line_is_the_same(qtbot: QtBot) -> None:
    x, y = _noise(200)
    pen = ink("#0072b2", 2.0)
    pen.setStyle(Qt.PenStyle.DashLine)
    stroke, whole = Stroke(), pg.PlotCurveItem(x, y, pen=pen, antialias=True, skipFiniteCheck=True)
    stroke.setPen(pen)
    stroke.setData(x, y)
    assert (_picture(_plot(qtbot, stroke)) == _picture(_plot(qtbot, whole))).all()


def test_other_points_and_another_pen_are_drawn(qtbot: QtBot) -> None:
    stroke = Stroke()
    plot = _plot(qtbot, stroke)
    stroke.setPen(ink("#0072b2", 2.0))
    stroke.setData(*_noise(300))
    blue = _picture(plot)
    assert _holds(blue, "#0072b2")
    stroke.setData(np.array([0.0, 500.0]), np.array([0.0, 0.0]))
    stroke.setPen(ink("#d55e00", 2.0))
    red = _picture(plot)
    assert _holds(red, "#d55e00") and not _holds(red, "#0072b2")


def test_a_line_is_drawn_where_the_plot_has_gone_to(qtbot: QtBot) -> None:
    stroke = Stroke()
    plot = _plot(qtbot, stroke)
    stroke.setPen(ink("#0072b2", 2.0))
    stroke.setData(*_noise(300))
    plot.setXRange(0, 1)
    _picture(plot)
    assert stroke.boundingRect().right() < 5  # asked for here, and kept by pyqtgraph
    plot.setXRange(100, 300)
    assert _holds(_picture(plot), "#0072b2")
    assert stroke.boundingRect().left() > 50
    assert stroke.boundingRect().right() > 250


def _holds(picture: NDArray[np.int64], colour: str) -> bool:
    wanted = QColor(colour)
    return bool((picture[:, :, :3] == (wanted.red(), wanted.green(), wanted.blue())).all(axis=2).any())


@pytest.mark.parametrize("count", [0, 1, 1000])
def test_dots_look_like_spots(qtbot: QtBot, count: int) -> None:
    x, y = _noise(count)
    faint = QColor("#0072b2")
    faint.setAlpha(100)
    dots = Dots(symbol="o", size=3, pen=None)
    dots.setBrush(faint)
    dots.setData(x, y)
    spots = pg.ScatterPlotItem(x, y, symbol="o", size=3, pen=None, brush=faint)
    plots = [_plot(qtbot, dots), _plot(qtbot, spots)]
    before, theirs = map(_picture, plots)
    assert (before == theirs).all()
    for each in (dots, spots):
        each.setBrush(QColor("#d55e00"))
    after, theirs = map(_picture, plots)
    assert (after == theirs).all()
    assert _holds(after, "#d55e00") == (count > 0)
