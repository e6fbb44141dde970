"""Render resources/fsdesk.svg into what PyInstaller wants on Windows and macOS: `icons.py SVG FOLDER`.

Runs in the frozen environment, whose Qt draws and whose Pillow writes both formats on every system.
"""

import os
import sys
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

LARGEST = 1024
ICO_SIZES = (16, 20, 24, 32, 40, 48, 64, 128, 256)


def main(svg: Path, folder: Path) -> None:
    """Write fsdesk.png, fsdesk.ico and fsdesk.icns."""
    application = QGuiApplication([])
    image = QImage(LARGEST, LARGEST, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(svg)).render(painter)
    painter.end()
    image.save(str(folder / "fsdesk.png"))
    del application
    with Image.open(folder / "fsdesk.png") as picture:
        picture.save(folder / "fsdesk.ico", sizes=[(size, size) for size in ICO_SIZES])
        picture.save(folder / "fsdesk.icns")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
