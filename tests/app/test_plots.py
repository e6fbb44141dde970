from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

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
