from PySide6.QtCore import QLocale, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from fsdesk.app.plots.axes import plot_widget
from fsdesk.app.translation import duration, use_language
from fsdesk.messages import counted


def test_numbers_read_as_people_write_them() -> None:
    assert counted(1, "row") == "1 row"
    assert counted(20_000, "feature") == "20,000 features"
    assert counted(2, "class") == "2 classes"
    assert duration(0.2) == "under 1 s"
    assert duration(45) == "45 s"
    assert duration(100) == "2 min"  # at most is never less
    assert duration(600) == "10 min"
    assert duration(3 * 3600) == "3 h"
    assert duration(130 * 60) == "2 h 10 min"


def test_an_axis_of_shares_writes_nothing_where_no_share_can_be(qapp: QApplication) -> None:
    plot = plot_widget("shares", "Shares")
    left = plot.getPlotItem().getAxis("left")
    assert left.tickStrings([-10.0, 0.0, 100.0, 110.0], 1.0, 10.0) == ["−10", "0", "100", "110"]
    left.percent = True
    assert left.tickStrings([-10.0, 0.0, 100.0, 110.0], 1.0, 10.0) == ["", "0", "100", ""]
    plot.close()


def test_an_axis_writes_numbers_as_the_language_does(qapp: QApplication) -> None:
    plot = plot_widget("numbers", "Numbers")
    axis = plot.getPlotItem().getAxis("bottom")
    assert axis.tickStrings([0.0, 1000.0], 1.0, 1000.0) == ["0", "1,000"]
    use_language("de")
    try:
        assert axis.tickStrings([0.0, 1000.0], 1.0, 1000.0) == ["0", "1.000"]
        assert axis.tickStrings([-0.5, 0.0], 1.0, 0.5) == ["−0,5", "0"]
    finally:
        use_language("en")
        QLocale.setDefault(QLocale.c())
    plot.close()


def test_the_wheel_over_a_plot_scrolls_the_page_where_that_can_be_and_zooms_with_ctrl(qtbot: QtBot) -> None:
    area, page, plot = QScrollArea(), QWidget(), plot_widget("wheeled", "Wheeled")
    qtbot.addWidget(area)
    QVBoxLayout(page).addWidget(plot)
    page.setFixedSize(300, 900)
    area.setWidget(page)
    area.resize(320, 300)
    area.show()
    qtbot.waitExposed(area)
    box = plot.getViewBox()
    box.setRange(xRange=(0, 10), yRange=(0, 10), padding=0)
    seen = box.viewRange()
    assert not turned(plot.viewport(), -1)  # Qt then asks the page
    assert box.viewRange() == seen
    turned(plot.viewport(), 1, Qt.KeyboardModifier.ControlModifier)
    zoomed = box.viewRange()
    assert zoomed[0][1] - zoomed[0][0] < 10
    page.setFixedSize(300, 200)  # nothing is left to scroll
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() == 0)
    turned(plot.viewport(), 1)
    assert box.viewRange()[0][1] - box.viewRange()[0][0] < zoomed[0][1] - zoomed[0][0]


def turned(widget: QWidget, notches: int, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> bool:
    """Turn the wheel; whether the widget took it."""
    place = QPointF(150, 100)
    event = QWheelEvent(
        place, widget.mapToGlobal(place), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton, keys,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)
    return event.isAccepted()
