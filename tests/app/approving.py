"""Approved pictures: small PNG files in ``approved/``; made anew, to be looked at, with ``FSDESK_APPROVE=1``."""

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

__all__ = ["assert_approved", "pixels"]

_FOLDER = Path(__file__).parent / "approved"
_TOLERANCE = 12  # of 255 in a channel: rounding of colours
_SHARE = 0.01  # of the pixels: an edge may fall on the other side of a pixel


def pixels(image: QImage) -> NDArray[np.int16]:
    """(rows, columns, 3) red, green and blue."""
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    flat = np.frombuffer(plain.constBits(), dtype=np.uint8).reshape(plain.height(), plain.bytesPerLine())
    return flat[:, : 3 * plain.width()].reshape(plain.height(), plain.width(), 3).astype(np.int16)


def assert_approved(image: QImage, name: str) -> None:
    """Compare a picture without text with the one that a person has approved."""
    path = _FOLDER / f"{name}.png"
    if os.environ.get("FSDESK_APPROVE"):
        assert image.save(str(path))
    approved = QImage(str(path))
    assert not approved.isNull(), f"there is no approved picture {path}"
    assert (image.width(), image.height()) == (approved.width(), approved.height())
    apart = np.abs(pixels(image) - pixels(approved)).max(axis=2) > _TOLERANCE
    assert apart.mean() <= _SHARE, f"{apart.mean():.1%} of the pixels differ from {path}"
