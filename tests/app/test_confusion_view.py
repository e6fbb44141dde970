"""The confusion matrix as it is drawn: every number is read whole, or said under the pointer."""

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QFontMetricsF, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from fsdesk.app.plots.predictions import ConfusionView, writer

_CLASSES = tuple(f"class {at}" for at in range(10))


def view(qtbot: Any, side: int) -> ConfusionView:
    """Cells, with those of the sums, that are as wide and high together as ``side``."""
    made = ConfusionView("matrix", "Confusion matrix")
    qtbot.addWidget(made)
    made.show_matrix("These 5 features", np.full((10, 10), 88.0), _CLASSES)
    made.resize(names_end(made) + side, 60 + side)
    return made


def names_end(made: ConfusionView) -> int:
    """Where the cells begin."""
    return round(made.names_width())


def colours(made: ConfusionView, row: int, column: int) -> int:
    """How many colours the inside of a cell has."""
    left = names_end(made)
    wide, high = (made.width() - left) / 11, (made.height() - 60) / 11
    area = QRect(round(left + column * wide) + 2, round(60 + row * high) + 2, int(wide) - 4, int(high) - 4)
    picture = made.grab(area).toImage()
    return len({picture.pixel(x, y) for x in range(picture.width()) for y in range(picture.height())})


def test_the_pointer_over_a_cell_is_told_its_number(
    qtbot: Any, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda place, words, widget: told.append(words))
    small = view(qtbot, 110)
    left = names_end(small)
    assert small.cell_words(left + 35, 60 + 25) == "class 2 predicted as class 3: 88 (10.0 %)"
    assert small.cell_words(left + 105, 60 + 25) == "class 2, Sum: 880"
    assert small.cell_words(20, 20) == ""
    place = QPoint(left + 35, 60 + 25)
    qapp.sendEvent(small, QHelpEvent(QHelpEvent.Type.ToolTip, place, small.mapToGlobal(place)))
    assert told == ["class 2 predicted as class 3: 88 (10.0 %)"]


def texts(made: ConfusionView, counts: list[float], wide: float) -> list[str]:
    """How a row of counts is written in cells so wide."""
    return [writer(counts, QFontMetricsF(made.font()), wide)(count) for count in counts]


def test_counts_of_a_matrix_have_the_same_decimals(qtbot: Any) -> None:
    made = view(qtbot, 440)
    assert texts(made, [4.0, 12.6, 0.0], 60) == ["4.0", "12.6", "0.0"]
    assert texts(made, [4.0, 12.0, 0.0], 60) == ["4", "12", "0"]
    assert texts(made, [4.0, 12.6, 0.0], 20) == ["4", "13", "0"]  # where 12.6 has no room
