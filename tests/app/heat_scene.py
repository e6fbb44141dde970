"""A run of known weights and selections, and the mouse and keys that tests of heatmaps use."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from fsdesk.app.session.run import Run
from fsdesk.engine import BaselineMeasured, BatchMeasured, RunFinished, RunSpec, RunStarted, RunState, pack_masks

__all__ = ["known_run", "move", "wheel"]


def known_run(
    weights: NDArray[np.uint8], names: tuple[str, ...] = (), fingerprint: str = "made", run_id: int = 1
) -> Run:
    """A finished run with the (iterations, p) weights; a feature is in where its weight is above one half."""
    features = names or tuple(f"f{place}" for place in range(weights.shape[1]))
    spec = RunSpec(method="bspsa", features=len(features), data_name="made", data_fingerprint=fingerprint)
    state = RunState()
    state.apply(RunStarted(spec.model_dump(), features))
    state.apply(BaselineMeasured(np.full(3, 0.3), 0.1))
    for step, now in enumerate(weights):
        values = np.full((1, 3), 0.2 + 0.001 * step)
        masks = pack_masks([now >= 128])
        state.apply(BatchMeasured(step + 1, masks, (True,), values, step, now))
    state.apply(RunFinished("done", False, None))
    return Run(run_id, spec, "2026-01-01", state, measurements=len(weights))


def move(widget: QWidget, x: float, y: float, button: Qt.MouseButton = Qt.MouseButton.NoButton) -> None:
    """Move the pointer over a widget; QTest would let the event loop run inside of a coroutine."""
    place = QPointF(x, y)
    event = QMouseEvent(
        QEvent.Type.MouseMove, place, widget.mapToGlobal(place), Qt.MouseButton.NoButton, button,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def wheel(widget: QWidget, x: float, y: float, notches: int, keys: Qt.KeyboardModifier | None = None) -> None:
    """Turn the wheel."""
    place = QPointF(x, y)
    none = QPointF().toPoint()
    event = QWheelEvent(
        place, widget.mapToGlobal(place), none, QPointF(0, 120 * notches).toPoint(), Qt.MouseButton.NoButton,
        keys or Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)
