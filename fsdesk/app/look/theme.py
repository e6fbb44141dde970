"""Palette and style sheet, both generated from the tokens; nothing else in the window names a colour.

A sheet of the whole application would stop the window for a third of a second when it is exchanged, and make it dear to
lay any widget into another one. So each part, such as a card or a dialog, has it for itself (see :func:`clothe`), and a
change of theme goes from part to part; what holds the parts, such as a page or the rail, has the palette's colours.
"""

import time
from collections.abc import Callable
from typing import Literal, Protocol

import shiboken6
from PySide6.QtCore import QChildEvent, QEvent, QObject, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QFrame, QSplitterHandle, QWidget

from fsdesk.app.look.places import resource
from fsdesk.app.look.tokens import DARK, LIGHT, Mode, Tokens
from fsdesk.app.look.veil import Veil

__all__ = ["Choice", "Dressed", "Holder", "Theme", "clothe", "clothe_cards", "palette", "parts_of", "style_sheet"]

Choice = Literal["system", "light", "dark"]
_CHOICE_KEY = "view/theme"
_SHEET, _PART = "sheet", "part"
_TURN_SECONDS, _SHOWN_SECONDS = 0.006, 0.01
_UNSEEN_MS = 40


def clothe(*parts: QWidget) -> None:
    """Give parts, none inside another one, the look of the theme from now on; what they hold has it from them."""
    application = QApplication.instance()
    sheet = application.property(_SHEET) if application is not None else None
    for part in parts:
        part.setProperty(_PART, True)
        part.setStyleSheet(sheet or "")


def clothe_cards(page: QWidget) -> None:
    """Clothe a page card by card, and what stands between them."""
    if page.property("surface") == "card" or not any(
        each.property("surface") == "card" for each in page.findChildren(QFrame)
    ):
        clothe(page)
        return
    for held in page.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if not isinstance(held, QSplitterHandle):
            clothe_cards(held)


def parts_of(window: QWidget) -> list[QWidget]:
    """The parts of a window that are in view."""
    found: list[QWidget] = []
    left = [window]
    while left:
        held = left.pop().findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        for each in held:
            if each.isVisible() and not each.isWindow():
                (found if each.property(_PART) else left).append(each)
    return found


class Holder(QWidget):
    """A page that holds parts; dialogs that it opens have the look each for itself."""

    def childEvent(self, event: QChildEvent) -> None:
        """Clothe a dialog before it is seen."""
        super().childEvent(event)
        child = event.child()
        if event.type() == QEvent.Type.ChildPolished and isinstance(child, QWidget) and child.isWindow():
            clothe(child)


class Dressed(Protocol):
    """A part that paints in colours of its own."""

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""


class Theme(QObject):
    """The theme in use; ``changed`` tells widgets that paint by themselves to fetch the tokens again.

    ``held_up`` says that the window is being shown at another size, part by part: both at once would take long turns.
    """

    changed = Signal(object)

    def __init__(self, store: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        saved = store.value(_CHOICE_KEY, "system")
        known: dict[object, Choice] = {"light": "light", "dark": "dark"}
        self.choice: Choice = known.get(saved, "system")
        self.tokens, self._dressed = self._wanted(), False
        self._told = self.tokens
        self._parts: list[QWidget] = []
        self._left: list[QWidget] = []
        self._found = True
        self._undressed: list[Dressed] = []
        self._veils: list[Veil] = []
        self.held_up: Callable[[], bool] = lambda: False
        self._turns = QTimer(self, interval=0)
        self._turns.timeout.connect(self._go_on)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.apply)

    @property
    def changing(self) -> bool:
        """Whether parts still wait for the new look."""
        return self._turns.isActive()

    def choose(self, choice: Choice) -> None:
        """Follow the system, or stay light or dark, from now on."""
        self.choice = choice
        self._store.setValue(_CHOICE_KEY, choice)
        if not self._dressed or self._wanted() is not self.tokens:  # the system may be light, too
            self.apply()

    def apply(self) -> None:
        """Dress the whole application: at once the first time, later what is seen first, part by part."""
        self.tokens = self._wanted()
        application = QApplication.instance()
        if isinstance(application, QApplication):
            if not self._dressed:
                application.setStyle("Fusion")
                self._dressed = True
            application.setPalette(palette(self.tokens))
            size = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).pointSizeF()
            application.setProperty(_SHEET, style_sheet(self.tokens, size if size > 0 else 10.0))
            self._begin(application.topLevelWidgets())

    def _begin(self, windows: list[QWidget]) -> None:
        """Keep the old picture until all that is seen has the new look."""
        for veil in self._covering():
            veil.drop()
        self._veils = [Veil(each) for each in windows if each.isVisible()]
        self._found = False
        if not self._veils:
            self._find()
        if self._veils or self._left:
            self._turns.start(0)

    def _find(self) -> None:
        self._parts = [each for each in QApplication.allWidgets() if each.property(_PART)]
        self._left, self._found = list(self._parts), True

    def dress_later(self, *parts: Dressed) -> None:
        """Let parts that paint by themselves take the new colours, in turns; call it when ``changed`` is told."""
        self._undressed.extend(parts)
        self._turns.start(0)

    def _go_on(self) -> None:
        """Dress some more parts, what is seen first, and let the window answer in between."""
        held_up = self.held_up()
        self._turns.setInterval(_UNSEEN_MS if held_up else 0)
        if held_up:
            return
        if self._told is not self.tokens:
            self._told = self.tokens
            self._undressed.clear()
            self.changed.emit(self.tokens)
            return
        if not self._found:
            self._find()
            return
        end = time.perf_counter() + _TURN_SECONDS
        while self._undressed and time.perf_counter() < end:
            part = self._undressed.pop(0)
            if shiboken6.isValid(part):
                part.dress(self.tokens)
        self._parts = list(filter(shiboken6.isValid, self._parts))
        self._left = list(filter(shiboken6.isValid, self._left))
        seen = [each for each in self._left if each.isVisible()]
        while seen and time.perf_counter() < end:
            self._exchange(seen.pop(0))
        if time.perf_counter() > end:
            return
        if covering := self._covering():
            covering[0].lift(self._parts, time.perf_counter() + _SHOWN_SECONDS)
        elif self._left:
            self._turns.setInterval(_UNSEEN_MS)  # nobody waits for what is out of sight
            self._exchange(self._left[0])
        else:
            self._turns.stop()
            self._parts.clear()

    def _exchange(self, part: QWidget) -> None:
        self._left.remove(part)
        part.setStyleSheet("")  # taking one off and putting one on is quicker than exchanging them
        clothe(part)

    def _covering(self) -> list[Veil]:
        return [veil for veil in self._veils if shiboken6.isValid(veil) and not veil.lifted]

    @property
    def covering(self) -> bool:
        """Whether the old picture is still seen."""
        return bool(self._covering())

    def _wanted(self) -> Tokens:
        mode: Mode = "light"
        if self.choice == "dark" or (
            self.choice == "system" and QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        ):
            mode = "dark"
        return DARK if mode == "dark" else LIGHT


def palette(tokens: Tokens) -> QPalette:
    """QPalette for what Qt draws by itself."""
    made = QPalette()
    roles = {
        QPalette.ColorRole.Window: tokens.canvas,
        QPalette.ColorRole.WindowText: tokens.text,
        QPalette.ColorRole.Base: tokens.surface,
        QPalette.ColorRole.AlternateBase: tokens.sunken,
        QPalette.ColorRole.Text: tokens.text,
        QPalette.ColorRole.Button: tokens.surface,
        QPalette.ColorRole.ButtonText: tokens.text,
        QPalette.ColorRole.ToolTipBase: tokens.surface,
        QPalette.ColorRole.ToolTipText: tokens.text,
        QPalette.ColorRole.PlaceholderText: tokens.muted,
        QPalette.ColorRole.Highlight: tokens.accent,
        QPalette.ColorRole.HighlightedText: tokens.on_accent,
        QPalette.ColorRole.Link: tokens.accent,
        QPalette.ColorRole.Mid: tokens.border,
        QPalette.ColorRole.Accent: tokens.accent,
    }
    for role, colour in roles.items():
        made.setColor(role, QColor(colour))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(tokens.control))
    return made


def style_sheet(tokens: Tokens, points: float) -> str:
    """The style sheet of a part: ``resources/style.qss`` with the tokens and the sizes of the type filled in."""
    text = resource("style.qss").read_text(encoding="utf-8")
    sizes = {
        "size_display": f"{points * 1.9:.1f}pt",
        "size_figure": f"{points * 1.6:.1f}pt",
        "size_title": f"{points * 1.25:.1f}pt",
        "size_body": f"{points:.1f}pt",
        "size_caption": f"{points * 0.9:.1f}pt",
        "icons": resource("icons").as_posix(),
        "mode": tokens.mode,
    }
    for name, value in sorted({**tokens.colours(), **sizes}.items(), key=lambda pair: -len(pair[0])):
        text = text.replace(f"${name}", value)
    return text
