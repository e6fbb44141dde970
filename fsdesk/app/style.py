"""Palette and style sheet, both generated from the tokens; no other part of the window defines colors."""

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

from PySide6.QtCore import QByteArray, QObject, QRectF, QSettings, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QIcon,
    QPainter,
    QPalette,
    QPixmap,
    QPixmapCache,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from fsdesk.app.palette import DARK, LIGHT, Tokens
from fsdesk.paths import resource

Choice = Literal["system", "light", "dark"]
_CHOICE_KEY = "view/theme"
_SMALL = 0.9  # relative to the body size


class _InUse(QObject):
    """The colors of the application's palette; ``changed`` is emitted when they change."""

    changed = Signal()
    tokens = LIGHT


_in_use = _InUse()


def tokens() -> Tokens:
    """The colors of the current theme, for painting: a theme change repaints everything."""
    return _in_use.tokens


def on_theme(take_colours: Callable[[], object]) -> None:
    """Call a method of a QObject now and whenever the theme changes, while the object exists."""
    take_colours()
    _in_use.changed.connect(take_colours)


class Theme(QObject):
    """The choice of a theme.

    The palette is the application's. The style sheet is set on the main window, and thus on all dialogs, its children:
    Qt takes six times as long to replace one of the application.
    """

    def __init__(self, store: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        saved = store.value(_CHOICE_KEY, "system")
        known: dict[object, Choice] = {"light": "light", "dark": "dark"}
        self.choice: Choice = known.get(saved, "system")
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.apply)

    def choose(self, choice: Choice) -> None:
        """Follow the system, or stay light or dark, from now on."""
        self.choice = choice
        self._store.setValue(_CHOICE_KEY, choice)
        if self._wanted() is not self.tokens:  # the system may be light, too
            self.apply()

    def apply(self) -> None:
        """Apply the palette to the application, and update everything with its own colors."""
        _in_use.tokens = self._wanted()
        application = QApplication.instance()
        if isinstance(application, QApplication):
            if application.style().name() != "fusion":
                application.setStyle("Fusion")
            application.setPalette(palette(self.tokens))
        _in_use.changed.emit()

    @property
    def tokens(self) -> Tokens:
        """The current colors."""
        return tokens()

    @property
    def sheet(self) -> str:
        """The style sheet of the main window."""
        size = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).pointSizeF()
        return style_sheet(self.tokens, size if size > 0 else 10.0)

    def _wanted(self) -> Tokens:
        if self.choice == "system":
            return DARK if QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark else LIGHT
        return DARK if self.choice == "dark" else LIGHT


def palette(tokens: Tokens) -> QPalette:
    """QPalette for what Qt draws itself."""
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
    """``resources/style.qss`` with the tokens and font sizes filled in."""
    text = resource("style.qss").read_text(encoding="utf-8")
    sizes = {
        "size_display": f"{points * 1.9:.1f}pt",
        "size_figure": f"{points * 1.6:.1f}pt",
        "size_title": f"{points * 1.25:.1f}pt",
        "size_body": f"{points:.1f}pt",
        "size_caption": f"{points * _SMALL:.1f}pt",
        "icons": resource("icons").as_posix(),
        "mode": tokens.mode,
    }
    for name, value in sorted({**tokens.colours(), **sizes}.items(), key=lambda pair: -len(pair[0])):
        text = text.replace(f"${name}", value)
    return text


@lru_cache(maxsize=256)
def _drawing(name: str, colour: str) -> bytes:
    return resource(f"icons/{name}.svg").read_text(encoding="utf-8").replace("currentColor", colour).encode()


def pixmap(name: str, colour: str, size: int = 20, scale: float = 1.0) -> QPixmap:
    """Draw an icon of ``resources/icons`` in one color, ``size`` device-independent pixels square."""
    key = f"fsdesk {name} {colour} {size} {scale}"
    drawn = QPixmap()
    if QPixmapCache.find(key, drawn):  # a form has one for each of its settings, in ten styles
        return drawn
    drawn = QPixmap(round(size * scale), round(size * scale))
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    QSvgRenderer(QByteArray(_drawing(name, colour))).render(painter, QRectF(0, 0, drawn.width(), drawn.height()))
    painter.end()
    drawn.setDevicePixelRatio(scale)
    QPixmapCache.insert(key, drawn)
    return drawn


def icon(name: str, colour: str = "text") -> QIcon:
    """Create an icon for buttons and actions, grayed out if disabled."""
    made = QIcon()
    # For each present screen, and a possible further one: Qt scales large images down.
    for scale in sorted({2.0, *(screen.devicePixelRatio() for screen in QGuiApplication.screens())}):
        made.addPixmap(pixmap(name, getattr(tokens(), colour), 20, scale), QIcon.Mode.Normal)
        made.addPixmap(pixmap(name, tokens().control, 20, scale), QIcon.Mode.Disabled)
    return made


def small(font: QFont) -> QFont:
    """The font of captions, and of names and numbers in plots."""
    made = QFont(font)
    if made.pointSizeF() > 0:  # a font in pixels has none
        made.setPointSizeF(made.pointSizeF() * _SMALL)
    return made


def bold(font: QFont) -> QFont:
    """The font of headings, and of highlighted list items."""
    made = QFont(font)
    made.setWeight(QFont.Weight.DemiBold)
    return made


def window_icon() -> QIcon:
    """The program's icon."""
    return QIcon(str(resource("fsdesk.svg")))
