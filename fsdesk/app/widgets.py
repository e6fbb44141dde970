"""The building blocks of all panels: labels by role, buttons by kind, cards, a segmented switch, input fields."""

import re
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QEvent, QLocale, QObject, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QValidator,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QBoxLayout,
    QButtonGroup,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QSplitter,
    QStackedWidget,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from fsdesk.app.palette import SPACE
from fsdesk.app.style import on_theme, pixmap, tokens
from fsdesk.messages import localised, number, plain_number, tr

CARD_MARGINS = (2 * SPACE, 12, 2 * SPACE, 12)


def named(widget: QWidget, name: str, spoken: str) -> None:
    """Set the object name used by tests and the accessible name used by screen readers."""
    widget.setObjectName(name)
    widget.setAccessibleName(spoken)


def restyle(widget: QWidget, **properties: str) -> None:
    """Set style properties and refresh the style."""
    if all(widget.property(name) == value for name, value in properties.items()):
        return
    for name, value in properties.items():
        widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


class WrappedLabel(QLabel):
    """A label of several lines, none of which begins with the % of a number."""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show a text; ``text()`` returns it unchanged."""
        super().setText(text.replace(" %", "\N{NO-BREAK SPACE}%"))

    def text(self) -> str:
        """The text as it was given."""
        return super().text().replace("\N{NO-BREAK SPACE}%", " %")


def label(text: str = "", role: str = "body", *, wrap: bool = False) -> QLabel:
    """Create a label with a text role."""
    made = WrappedLabel(text) if wrap else QLabel(text)
    made.setProperty("role", role)
    made.setTextFormat(Qt.TextFormat.PlainText)
    if wrap:
        made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    made.setWordWrap(wrap)  # after the policy, to which it adds that the height depends on the width
    return made


_LONG_HEADLINE = 100  # letters, of which a small window shows two lines in the size of a title


def show_headline(headline: QLabel, text: str, tone: str = "") -> None:
    """Show a sentence in title size, or, if long, in text size and bold."""
    headline.setText(text)
    restyle(headline, role="title" if len(text) <= _LONG_HEADLINE else "heading", tone=tone)


class Sign(QLabel):
    """An icon of ``resources/icons`` in a theme color, given by token name."""

    def __init__(self, drawing: str, colour: str, size: int = 20) -> None:
        super().__init__()
        self._drawing, self._colour, self._size = drawing, colour, size
        on_theme(self._draw)

    def _draw(self) -> None:
        self.setPixmap(pixmap(self._drawing, getattr(tokens(), self._colour), self._size, self.devicePixelRatioF()))


ROLE_COLOURS = {"info": "accent", "success": "success", "warning": "warning", "error": "danger"}
"""Colors of the icons of messages, notices and checks, which are named after their roles."""


class ElidedLabel(QLabel):
    """One line that may be shortened: it is elided, and the tooltip has the complete text."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self.setProperty("role", role)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        """Hardly any width, because the text can be elided."""
        return QSize(24, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw as much as fits."""
        area = self.contentsRect()
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, area.width())
        self.setToolTip(self.text() if text != self.text() else "")
        painter = QPainter(self)
        self.style().drawItemText(
            painter, area, self.alignment(), self.palette(), self.isEnabled(), text, self.foregroundRole()
        )


class Button(QPushButton):
    """A push button that Return presses as Space does; in dialogs Qt does that itself."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not isinstance(self.window(), QDialog):
            self.click()
        else:
            super().keyPressEvent(event)


def button(text: str, name: str, kind: str = "", spoken: str = "") -> QPushButton:
    """Create a push button of a kind: primary, link, row, segment, or plain."""
    made = Button(text)
    named(made, name, spoken or text.replace("&", ""))
    if kind:
        made.setProperty("kind", kind)
    if kind in ("link", "row"):
        made.setCursor(Qt.CursorShape.PointingHandCursor)
    return made


Part = QWidget | QLayout
Margins = int | tuple[int, int, int, int]


def row(*parts: Part | None, spacing: int = SPACE, margins: Margins = 0, grow: Sequence[Part] = ()) -> QHBoxLayout:
    """Lay out parts in a row; None is a stretching gap, and parts in ``grow`` stretch as well.

    ``margins`` are left, top, right and bottom, or one value for all sides.
    """
    layout = QHBoxLayout()
    _fill(layout, parts, spacing, margins, grow)
    return layout


def column(*parts: Part | None, spacing: int = SPACE, margins: Margins = 0, grow: Sequence[Part] = ()) -> QVBoxLayout:
    """Lay out parts in a column; otherwise as :func:`row`."""
    layout = QVBoxLayout()
    _fill(layout, parts, spacing, margins, grow)
    return layout


def _fill(
    layout: QBoxLayout, parts: Sequence[Part | None], spacing: int, margins: Margins, grow: Sequence[Part]
) -> None:
    layout.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    layout.setSpacing(spacing)
    for part in parts:
        stretch = int(any(part is each for each in grow))
        if isinstance(part, QWidget):
            layout.addWidget(part, stretch)
        elif part is not None:
            layout.addLayout(part, stretch)
        else:
            layout.addStretch(1)


def panel(layout: QLayout, surface: str = "") -> QFrame:
    """Create a widget with this layout, optionally as a surface of the style sheet."""
    made = QFrame()
    if surface:
        made.setProperty("surface", surface)
    made.setLayout(layout)
    return made


def search_field(name: str, words: str, spoken: str = "") -> QLineEdit:
    """Create a search field for a list; ``words`` is its placeholder."""
    made = QLineEdit()
    made.setPlaceholderText(words)
    made.setClearButtonEnabled(True)
    named(made, name, spoken or words)
    return made


def progress_bar(name: str, spoken: str, most: int = 1000) -> QProgressBar:
    """Create a progress bar without a number, from 0 to ``most``; 0 for work of unknown length."""
    made = QProgressBar()
    made.setTextVisible(False)
    made.setRange(0, most)
    named(made, name, spoken)
    return made


def add_command(
    view: QWidget, text: str, slot: Callable[[], object], keys: QKeySequence | QKeySequence.StandardKey | str = ""
) -> QAction:
    """Add a command to the context menu of a widget; its key works while the widget has the focus."""
    action = QAction(text, view)
    if keys:
        action.setShortcut(keys)
    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    action.triggered.connect(lambda _=False: slot())
    view.addAction(action)
    return action


def rule() -> QFrame:
    """Make a hairline."""
    made = QFrame()
    made.setProperty("surface", "rule")
    made.setFixedHeight(1)
    made.setAutoFillBackground(True)  # where no style sheet draws it
    made.setBackgroundRole(QPalette.ColorRole.Mid)
    return made


def scrolled(content: QWidget, *, across: bool = False) -> QScrollArea:
    """Let a panel scroll vertically; horizontally only with ``across``, if a small or scaled screen lacks space."""
    area = QScrollArea()
    content.setProperty("surface", "plain")
    area.setWidget(content)
    content.setAutoFillBackground(False)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    if not across:
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        bar = area.horizontalScrollBar()  # without a bar, but focused widgets would still be scrolled into view
        bar.valueChanged.connect(lambda _: bar.setValue(0))
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the content takes it, and is scrolled into view
    area.viewport().setAutoFillBackground(False)
    return area


class Splitter(QSplitter):
    """Parts side by side, or one above the other, with draggable gaps."""

    def __init__(self, name: str, orientation: Qt.Orientation, *parts: QWidget) -> None:
        super().__init__(orientation)
        self.setObjectName(name)
        self.setHandleWidth(2 * SPACE)
        self.setChildrenCollapsible(False)
        for part in parts:
            self.addWidget(part)


class ContentStack(QStackedWidget):
    """One of several contents, or a text while there is nothing to show."""

    def __init__(self, *contents: QWidget, words: str = "") -> None:
        super().__init__()
        self.words = label(words, "muted", wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        for content in (*contents, self.words):
            self.addWidget(content)

    def say(self, words: str) -> None:
        """Show a text instead of the content."""
        self.words.setText(words)
        self.setCurrentWidget(self.words)

    @property
    def is_empty(self) -> bool:
        """Whether a text is shown instead of the content."""
        return self.currentWidget() is self.words


class Card(QFrame):
    """A panel with a heading; ``head`` is for widgets beside the heading, ``body`` for the content.

    ``help_wanted`` sends the requested help page.
    """

    help_wanted = Signal(str)

    def __init__(self, heading: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "card")
        self.heading = label(heading, "heading")
        self.head = row(self.heading, None)
        self._help = button("?", "cardHelp", "help", heading or "?")
        self._help.setParent(self)  # created here already, so that it is in Tab order
        self._help.hide()
        self.body = column()
        self.setLayout(column(self.head, self.body, margins=CARD_MARGINS, grow=[self.body]))
        self._content: ContentStack | None = None

    def offer_help(self, place: str, mark: str) -> None:
        """Show a link with this name to the help page that explains this card."""
        made = self._help
        named(made, f"help_{mark}", tr("Help: {title}", title=self.heading.text()))
        made.setToolTip(tr("What is this? (F1)"))
        made.clicked.connect(lambda: self.help_wanted.emit(place))
        self.head.addWidget(made)
        made.show()

    def add_content(self, content: QWidget, invitation: str) -> None:
        """Fill the card; while empty, it shows what will be here."""
        self._content = ContentStack(content, words=invitation)
        self._content.words.setContentsMargins(3 * SPACE, 0, 3 * SPACE, 2 * SPACE)
        self.body.addWidget(self._content, 1)

    def set_empty(self, empty: bool, words: str = "") -> None:
        """Show the placeholder or another text instead of the content, or vice versa."""
        assert self._content is not None
        if empty:
            self._content.say(words or self._content.words.text())
        else:
            self._content.setCurrentIndex(0)

    @property
    def invitation(self) -> str:
        """Placeholder text shown while the widget is empty."""
        return "" if self._content is None else self._content.words.text()

    @property
    def is_empty(self) -> bool:
        """Whether the placeholder is shown instead of the content."""
        return self._content is not None and self._content.is_empty


class Segments(QFrame):
    """A switch between a few views; ``chosen`` sends the key chosen by the user."""

    chosen = Signal(str)

    def __init__(self, name: str, titles: Mapping[str, str]) -> None:
        super().__init__()
        self.setProperty("surface", "segments")
        self.setObjectName(name)
        self._group = QButtonGroup(self)
        self.buttons = {key: button(title, f"{name}_{key}", "segment") for key, title in titles.items()}
        for key, segment in self.buttons.items():
            segment.setCheckable(True)
            self._group.addButton(segment)
            segment.clicked.connect(lambda _=False, key=key: self.chosen.emit(key))
        self.setLayout(row(*self.buttons.values(), spacing=2, margins=2))
        self._group.buttonToggled.connect(lambda *_: self._let_in())
        next(iter(self.buttons.values())).setChecked(True)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)

    def _let_in(self) -> None:
        """Tab focuses the chosen view; arrow keys move on from there."""
        for segment in self.buttons.values():
            chosen = segment.isChecked()
            segment.setFocusPolicy(Qt.FocusPolicy.StrongFocus if chosen else Qt.FocusPolicy.ClickFocus)

    @property
    def key(self) -> str:
        """The chosen view."""
        return next(key for key, segment in self.buttons.items() if segment.isChecked())

    def select(self, key: str) -> None:
        """Choose a view without a signal."""
        self.buttons[key].setChecked(True)


class _OwnUndo(QObject):
    """Lets the window undo if a field has nothing of its own to undo."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        line = watched.lineEdit() if isinstance(watched, QAbstractSpinBox) else watched
        if not isinstance(line, QLineEdit):
            return False
        undo, redo = QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo
        idle = (event.matches(undo) and not line.isUndoAvailable()) or (
            event.matches(redo) and not line.isRedoAvailable()
        )
        if idle:
            event.ignore()
        return idle


def keep_own_undo(field: QWidget) -> None:
    """Let undo belong to a field while text is typed into it, and otherwise to the window."""
    field.installEventFilter(_OwnUndo(field))


_DECIMALS = 6
_UNFINISHED = re.compile(r"-?\d*\.?\d*(e[+-]?\d*)?")
_LARGEST = 2**31 - 1
_ARROW, _SPARE = 44, 4
_AROUND, _BAR = 12, 16  # pixels beside the values of an open list


class IntegerField(QSpinBox):
    """An integer; the wheel changes it only with the focus, so that a panel can be scrolled.

    ``lowest`` is a word for the smallest value, such as "unlimited"; typed text replaces it.
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
        """The number as text, without trailing zeros."""
        if 0 < abs(value) < 10.0**-_DECIMALS:
            return number(value, "g")
        return localised(f"{value:.{_DECIMALS}f}".rstrip("0").rstrip("."))

    def valueFromText(self, text: str) -> float:
        """The number for a text, including 1e-9 and the word for the smallest value."""
        return self.minimum() if text == self.specialValueText() else float(plain_number(text))

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Accept any text that is, or may become, a number within the bounds."""
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
    """One of a few values; the wheel scrolls the panel and never changes the value."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def offered(self) -> tuple[str, ...]:
        """The available values."""
        return tuple(str(self.itemData(place)) for place in range(self.count()))

    def offer(self, titles: Mapping[str, str]) -> None:
        """Replace the available values, without a signal."""
        quiet = self.blockSignals(True)
        self.clear()
        for value, title in titles.items():
            self.addItem(title, value)
        self.blockSignals(quiet)

    @property
    def drawn(self) -> str:
        """The value as displayed, elided if it does not fit."""
        room = self.width() - _ARROW
        text = self.currentText() or self.placeholderText()
        return self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)

    def sizeHint(self) -> QSize:
        """One pixel wider than the style's size, which is too narrow for the longest value."""
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
        """Open the list, wide enough for the longest value."""
        view = self.view()
        bar = _BAR if self.count() > self.maxVisibleItems() else 0
        view.setMinimumWidth(view.sizeHintForColumn(0) + _AROUND + bar)
        super().showPopup()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the panel scroll unless the list is open."""
        super().wheelEvent(event) if self.view().isVisible() else event.ignore()


class _WholeWord(QObject):
    """A click into the word for a number's smallest value selects it whole, because digits in it would be rejected."""

    def __init__(self, box: QAbstractSpinBox, line: QLineEdit) -> None:
        super().__init__(box)
        self._box, self._line = box, line
        line.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Select the word after the release, because the click itself positions the cursor."""
        if event.type() == QEvent.Type.MouseButtonRelease and self._box.specialValueText() == self._box.text():
            self._line.selectAll()
        return False


def _plain(box: QSpinBox | QDoubleSpinBox, lowest: str) -> None:
    box.setLocale(QLocale.c())  # DecimalField formats the number in the language's format; no group separators
    box.setAlignment(Qt.AlignmentFlag.AlignRight)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    box.setKeyboardTracking(False)
    box.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
    keep_own_undo(box)
    if lowest:
        box.setSpecialValueText(lowest)
        _WholeWord(box, box.lineEdit())
