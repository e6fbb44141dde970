"""The live heatmap: weight of each feature against iterations, the features of most weight at the top."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QTimer
from PySide6.QtWidgets import QLabel

from fsdesk.app.parts import Card, ElidedLabel, Segments, label
from fsdesk.app.plots import dress, plot_widget
from fsdesk.app.tokens import LIGHT, Tokens
from fsdesk.engine import RunState

__all__ = ["Heatmap", "chosen_rows"]

_NAME_PIXELS = 13
_MOST_ROWS = 400
_MOST_COLUMNS = 512
_REORDER_MS = 1000
_INVITATION = "One row for each feature, one column for each step: dark for out, yellow for in."
_NO_WEIGHTS = "This method tries subsets without weighing the features, so there is nothing to draw here."


def chosen_rows(weights: NDArray[Any], most: int, *, top: bool) -> NDArray[np.int64]:
    """Which features to draw, by weight from high to low.

    Parameters
    ----------
    weights
        (p,) the present weights.
    top
        True: the ``most`` of most weight. False: all, or where p > ``most`` as many, evenly spread over the order.
    """
    order = np.argsort(-weights.astype(np.int64), kind="stable")
    if top or len(order) <= most:
        return order[:most]
    places = np.linspace(0, len(order) - 1, most).round().astype(np.int64)
    return order[places]


class Heatmap(Card):
    """w over time as an image with the names of the features beside it and a colour bar."""

    def __init__(self) -> None:
        super().__init__("Weights")
        self.setObjectName("heatmapCard")
        self._tokens = LIGHT
        self._state: RunState | None = None
        self._rows: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._names_fit = True
        self._image_data: NDArray[np.uint8] | None = None
        self.plot = plot_widget("heatmap", "Weight of each feature against iteration")
        item = self.plot.getPlotItem()
        self.plot.setMouseEnabled(False, False)
        self.plot.setToolTip("One row for each feature, those of most weight now at the top; time goes to the right.")
        item.invertY(True)
        self._image = pg.ImageItem(axisOrder="row-major")
        self._image.setColorMap(pg.colormap.get("viridis"))
        item.addItem(self._image)
        self.mode = Segments("heatmapRows", {"top": "Top", "all": "All"})
        self.mode.chosen.connect(lambda _: self.reorder())
        self.caption = ElidedLabel("caption")
        self._bar = QLabel()
        self._bar.setAccessibleName("Colours: dark blue for the lowest weight, yellow for the highest")
        self.head.insertWidget(1, self.caption, 100)
        self.lowest, self.highest = label("0", "caption"), label("1", "caption")
        for widget in (self.lowest, self._bar, self.highest):
            widget.setToolTip("Colours are spread evenly around 0.5: from there on a feature is in.")
            self.head.addWidget(widget)
        self.head.addSpacing(16)
        self.head.addWidget(self.mode)
        self.add_content(self.plot, _INVITATION)
        self._last_room = 0
        self.plot.getViewBox().sigResized.connect(self._on_resized)
        self._order = QTimer(self, interval=_REORDER_MS)
        self._order.timeout.connect(self.reorder)

    def show_state(self, state: RunState | None) -> None:
        """Show another run."""
        self._state = state
        self.mode.setVisible(state is not None and len(state.features) > self._room())
        self.reorder()

    def follow(self, running: bool) -> None:
        """While a run is going, sort the features again once a second."""
        if running and not self._order.isActive():
            self._order.start()
        elif not running and self._order.isActive():
            self._order.stop()
            self.reorder()

    def _room(self) -> int:
        height = int(self.plot.getViewBox().height()) or self.plot.height() - 48
        return max(3, height // _NAME_PIXELS)

    def reorder(self) -> None:
        """Sort the features by their present weight and draw."""
        state = self._state
        if state is None or state.weights is None:
            self._rows = np.empty(0, dtype=np.int64)
        else:
            top = self.mode.key == "top" or len(state.weights) <= self._room()
            self._rows = chosen_rows(state.weights, self._room() if top else _MOST_ROWS, top=top)
            self._names_fit = top
            self._tell(len(state.weights), top)
        self.mode.setVisible(state is not None and len(state.features) > self._room())
        self.refresh()

    def _tell(self, features: int, top: bool) -> None:
        shown = len(self._rows)
        if shown == features:
            text = "all features, by iteration"
        elif top:
            text = f"top {shown} of {features:,}, by iteration"
        else:
            text = f"every {features / shown:.0f}th of {features:,}, by iteration"
        self.caption.setText(text)

    def refresh(self) -> None:
        """Draw the columns that the state holds now, in the present order."""
        state = self._state
        weightless = state is not None and state.weights is None and state.evaluations > 0
        self.set_empty(state is None or weightless, _NO_WEIGHTS if weightless else _INVITATION)
        if state is None or state.weights is None or not len(self._rows) or state.heatmap.size == 0:
            if state is not None and state.weights is not None and not len(self._rows):
                self.reorder()
                return
            self._image.clear()
            self.caption.setText("")
            self._ticks(())
            return
        history = state.heatmap.view
        step = max(1, -(-len(history) // _MOST_COLUMNS))
        self._image_data = np.ascontiguousarray(history[::step][:, self._rows].T)
        rows, columns = self._image_data.shape
        wide = columns * step * state.heatmap.stride
        half = self._half_range(self._image_data)
        self._image.setImage(self._image_data, levels=(127.5 - half, 127.5 + half))
        self._image.setRect(QRectF(0, 0, wide, rows))
        self.plot.setXRange(0, max(20, wide), padding=0)
        self.plot.setYRange(0, rows, padding=0)
        self._ticks(state.features)

    def _half_range(self, image: NDArray[np.uint8]) -> float:
        """How far from 0.5 the colours reach, in 255ths: as far as the weights, so that small differences are seen."""
        half = min(127.5, max(6.4, float(np.abs(image.astype(np.int16) - 127.5).max())))
        self.lowest.setText(f"{0.5 - half / 255:.2g}")
        self.highest.setText(f"{0.5 + half / 255:.2g}")
        return half

    def _ticks(self, features: tuple[str, ...]) -> None:
        axis = self.plot.getPlotItem().getAxis("left")
        if not features:
            axis.setTicks([[]])
            return
        if self._names_fit:
            names = [features[feature] for feature in self._rows]
            axis.setTicks([[(place + 0.5, _short(name)) for place, name in enumerate(names)]])
            return
        steps = np.linspace(0, len(self._rows) - 1, 5).astype(int)[1:]
        scale = len(features) / len(self._rows)
        axis.setTicks([[(place + 0.5, f"#{round(place * scale) + 1:,}") for place in steps.tolist()]])

    def _on_resized(self) -> None:
        """More room, more names; told when the plot inside has its new size, which is after the card."""
        if self._room() != self._last_room:
            self._last_room = self._room()
            self.reorder()

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        self._tokens = tokens
        dress(self.plot, tokens)
        colours = pg.colormap.get("viridis").map(np.linspace(0, 1, 32), mode="qcolor")
        stops = ", ".join(f"stop:{place / 31:.3f} {colour.name()}" for place, colour in enumerate(colours))
        self._bar.setFixedSize(48, 8)
        self._bar.setStyleSheet(f"background: qlineargradient(x1:0, x2:1, {stops}); border-radius: 4px;")


def _short(name: str, most: int = 18) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"
