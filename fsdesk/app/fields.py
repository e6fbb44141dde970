"""One control for each kind of setting, with one way to read and write its value."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QLocale, QObject, QSize, Qt
from PySide6.QtGui import QPaintEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QSpinBox,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from fsdesk.app.undo import keep_own_undo
from fsdesk.messages import localised, number, plain_number, translated
from fsdesk.settings import SettingInfo, Value

__all__ = ["Choice", "DecimalField", "Field", "IntegerField", "make_field"]

_DECIMALS = 6
_UNFINISHED = re.compile(r"-?\d*\.?\d*(e[+-]?\d*)?")
_LARGEST = 2**31 - 1
_ARROW, _SPARE = 44, 4
_AROUND, _BAR = 12, 16  # pixels beside the values of an open list


class IntegerField(QSpinBox):
    """A whole number; the wheel changes it only while it has the focus, so that a panel scrolls freely.

    ``lowest`` is a word for the smallest number, such as "unlimited"; what is typed takes its place.
    """

    def __init__(self, minimum: int, maximum: int, lowest: str = "") -> None:
        super().__init__()
        self.setRange(minimum, maximum)
        _plain(self, lowest)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the panel scroll unless the field has the focus."""
        super().wheelEvent(event) if self.hasFocus() else event.ignore()


class DecimalField(QDoubleSpinBox):
    """A number, shown with as many decimals as it has; tiny ones as 1e-09. ``lowest`` as in IntegerField."""

    def __init__(self, minimum: float, maximum: float, decimals: int = _DECIMALS, lowest: str = "") -> None:
        super().__init__()
        self.setDecimals(decimals)
        self.setRange(minimum, maximum)
        _plain(self, lowest)

    def textFromValue(self, value: float) -> str:
        """Without the zeros at the end."""
        if 0 < abs(value) < 10.0**-_DECIMALS:
            return number(value, "g")
        return localised(f"{value:.{_DECIMALS}f}".rstrip("0").rstrip("."))

    def valueFromText(self, text: str) -> float:
        """Also of 1e-9, and of the word for the smallest number."""
        return self.minimum() if text == self.specialValueText() else float(plain_number(text))

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Whatever is, or may become, a number within the bounds."""
        try:
            fits = self.minimum() <= self.valueFromText(text) <= self.maximum()
        except ValueError:
            fits = False
            if not _UNFINISHED.fullmatch(plain_number(text)):
                return QValidator.State.Invalid, text, position
        return (QValidator.State.Acceptable if fits else QValidator.State.Intermediate), text, position

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the panel scroll unless the field has the focus."""
        super().wheelEvent(event) if self.hasFocus() else event.ignore()


class Choice(QComboBox):
    """One of a few values; the wheel belongs to the panel, so that scrolling past never chooses another one."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def offered(self) -> tuple[str, ...]:
        """The values that can be chosen."""
        return tuple(str(self.itemData(place)) for place in range(self.count()))

    def offer(self, titles: Mapping[str, str]) -> None:
        """Exchange the values that can be chosen, without a signal."""
        quiet = self.blockSignals(True)
        self.clear()
        for value, title in titles.items():
            self.addItem(title, value)
        self.blockSignals(quiet)

    @property
    def drawn(self) -> str:
        """The value as it is read, ending in dots where it does not fit."""
        room = self.width() - _ARROW
        text = self.currentText() or self.placeholderText()
        return self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)

    def sizeHint(self) -> QSize:
        """The style counts a pixel less beside the longest value than is left free when it is drawn."""
        return super().sizeHint() + QSize(_SPARE, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the value."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.drawn
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def showPopup(self) -> None:
        """Wide enough for the longest value."""
        view = self.view()
        bar = _BAR if self.count() > self.maxVisibleItems() else 0
        view.setMinimumWidth(view.sizeHintForColumn(0) + _AROUND + bar)
        super().showPopup()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the panel scroll unless the list is open."""
        super().wheelEvent(event) if self.view().isVisible() else event.ignore()


class _WholeWord(QObject):
    """A click into the word of a number's smallest value selects it whole: digits inside of it would be refused."""

    def __init__(self, box: QAbstractSpinBox, line: QLineEdit) -> None:
        super().__init__(box)
        self._box, self._line = box, line
        line.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """After the release: the click itself has put the cursor somewhere."""
        if event.type() == QEvent.Type.MouseButtonRelease and self._box.specialValueText() == self._box.text():
            self._line.selectAll()
        return False


def _plain(box: QSpinBox | QDoubleSpinBox, lowest: str) -> None:
    box.setLocale(QLocale.c())  # DecimalField writes the number as the language does; no group separators
    box.setAlignment(Qt.AlignmentFlag.AlignRight)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    box.setKeyboardTracking(False)
    box.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
    keep_own_undo(box)
    if lowest:
        box.setSpecialValueText(lowest)
        _WholeWord(box, box.lineEdit())


@dataclass(frozen=True)
class Field:
    """A control with its reader, its writer and the signal of a change."""

    widget: QWidget
    get: Callable[[], Value]
    put: Callable[[Value], None]
    watch: Callable[[Callable[[], None]], object]


def make_field(info: SettingInfo) -> Field:
    """Make the control that a declared setting asks for."""
    makers = {"bool": _tick, "int": _integer, "float": _decimal, "choice": _choice, "text": _line}
    return makers[info.kind](info)


def _tick(info: SettingInfo) -> Field:
    box = QCheckBox()
    box.setProperty("role", "field")  # it stands below numbers, with no words of its own
    return Field(box, box.isChecked, lambda value: box.setChecked(bool(value)), _listener(box, "toggled"))


def _integer(info: SettingInfo) -> Field:
    low = -_LARGEST if info.minimum is None else math.ceil(info.minimum) + info.minimum_excluded
    high = _LARGEST if info.maximum is None else math.floor(info.maximum) - info.maximum_excluded
    box = IntegerField(low, min(high, _LARGEST), _word_of(info, low))
    return Field(box, box.value, lambda value: box.setValue(int(value)), _listener(box, "valueChanged"))


def _word_of(info: SettingInfo, low: float) -> str:
    """The word for 0, where that is the smallest number."""
    return translated(info.zero) if info.zero and low == 0 else ""


def _decimal(info: SettingInfo) -> Field:
    decimals = _DECIMALS
    if isinstance(info.default, float) and info.default:
        decimals = max(_DECIMALS, 3 - math.floor(math.log10(abs(info.default))))
    step = 10.0**-decimals
    low = -1e12 if info.minimum is None else info.minimum + (step if info.minimum_excluded else 0)
    high = 1e12 if info.maximum is None else info.maximum - (step if info.maximum_excluded else 0)
    box = DecimalField(low, high, decimals, _word_of(info, low))
    return Field(box, box.value, lambda value: box.setValue(float(value)), _listener(box, "valueChanged"))


def _choice(info: SettingInfo) -> Field:
    box = Choice()
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(8)
    box.offer({value: translated(title) for value, title in info.choices.items()})
    return Field(
        box,
        lambda: str(box.currentData()),
        lambda value: box.setCurrentIndex(max(0, box.findData(str(value)))),  # what is not offered any more
        _listener(box, "currentIndexChanged"),
    )


def _line(info: SettingInfo) -> Field:
    box = QLineEdit()
    keep_own_undo(box)
    return Field(box, box.text, lambda value: box.setText(str(value)), _listener(box, "textChanged"))


def _listener(widget: QObject, signal: str) -> Callable[[Callable[[], None]], object]:
    return lambda slot: getattr(widget, signal).connect(lambda *_: slot())
