"""The confusion matrix as it is drawn: every number is read whole, or said under the pointer."""

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from fsdesk.app.result.confusion_view import ConfusionView

_CLASSES = tuple(f"class {at}" for at in range(10))


def view(qtbot: Any, width: int, height: int) -> ConfusionView:
    made = ConfusionView("matrix", "Confusion matrix")
    qtbot.addWidget(made)
    made.show_matrix("These 5 features", np.full((10, 10), 88.0), _CLASSES)
    made.resize(width, height)
    return made


def colours(made: ConfusionView, row: int, column: int) -> int:
    """How many colours the inside of a cell has."""
    wide, high = (made.width() - 88) / 11, (made.height() - 60) / 11
    area = QRect(round(88 + column * wide) + 2, round(60 + row * high) + 2, int(wide) - 4, int(high) - 4)
    picture = made.grab(area).toImage()
    return len({picture.pixel(x, y) for x in range(picture.width()) for y in range(picture.height())})


def test_numbers_that_do_not_fit_their_cells_are_left_out(qtbot: Any) -> None:
    assert colours(view(qtbot, 88 + 440, 60 + 440), 2, 3) > 1
    assert colours(view(qtbot, 88 + 110, 60 + 110), 2, 3) == 1  # no parts of digits


def test_the_pointer_over_a_cell_is_told_its_number(
    qtbot: Any, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda place, words, widget: told.append(words))
    small = view(qtbot, 88 + 110, 60 + 110)
    assert small.cell_words(88 + 35, 60 + 25) == "class 2 predicted as class 3: 88 (10.0 %)"
    assert small.cell_words(88 + 105, 60 + 25) == "class 2, Sum: 880"
    assert small.cell_words(20, 20) == ""
    place = QPoint(88 + 35, 60 + 25)
    qapp.sendEvent(small, QHelpEvent(QHelpEvent.Type.ToolTip, place, small.mapToGlobal(place)))
    assert told == ["class 2 predicted as class 3: 88 (10.0 %)"]
