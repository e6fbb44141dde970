"""Line icons in the colours of the theme, sharp at every scale."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from fsdesk.app.look.places import resource
from fsdesk.app.look.tokens import Tokens

__all__ = ["icon", "pixmap", "window_icon"]

_SCALES = (1, 1.25, 1.5, 2, 3)


@lru_cache(maxsize=256)
def _drawing(name: str, colour: str) -> bytes:
    return resource(f"icons/{name}.svg").read_text(encoding="utf-8").replace("currentColor", colour).encode()


def pixmap(name: str, colour: str, size: int = 20, scale: float = 1.0) -> QPixmap:
    """Draw an icon of ``resources/icons`` in one colour, ``size`` device-independent pixels square."""
    key = f"fsdesk {name} {colour} {size} {scale}"
    drawn = QPixmap()
    if QPixmapCache.find(key, drawn):  # a form has one for each of its settings, in ten looks
        return drawn
    drawn = QPixmap(round(size * scale), round(size * scale))
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    QSvgRenderer(QByteArray(_drawing(name, colour))).render(painter, QRectF(0, 0, drawn.width(), drawn.height()))
    painter.end()
    drawn.setDevicePixelRatio(scale)
    QPixmapCache.insert(key, drawn)
    return drawn


def icon(name: str, tokens: Tokens, colour: str = "text") -> QIcon:
    """Make an icon for buttons and actions; greyed out where they are disabled."""
    made = QIcon()
    for scale in _SCALES:
        made.addPixmap(pixmap(name, getattr(tokens, colour), 20, scale), QIcon.Mode.Normal)
        made.addPixmap(pixmap(name, tokens.control, 20, scale), QIcon.Mode.Disabled)
    return made


def window_icon() -> QIcon:
    """The program's own picture."""
    return QIcon(str(resource("fsdesk.svg")))
