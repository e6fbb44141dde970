"""What the signs of the curve mean: a step, their moving average, the best so far."""

from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from fsdesk.app.look.parts import ElidedLabel
from fsdesk.app.look.tokens import SPACE
from fsdesk.app.look.translation import tr

__all__ = ["CurveKey"]


class CurveKey(QWidget):
    """Each sign in the colour of the run that is shown, with its words."""

    def __init__(self) -> None:
        super().__init__()
        self._signs: list[QLabel] = []
        self._words: dict[str, ElidedLabel] = {}
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(SPACE // 2)
        for key, sign, text in (("raw", "●", tr("each step")), ("average", "━", ""), ("best", "◆", tr("best so far"))):
            self._signs.append(QLabel(sign))
            words = self._words[key] = ElidedLabel("caption")
            words.setText(text)
            words.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
            line.addSpacing(SPACE)
            line.addWidget(self._signs[-1])
            line.addWidget(words)

    def show_window(self, window: int) -> None:
        """Say of how many steps the moving average is."""
        words = tr("average of {count}", count=window) if window > 1 else tr("no average")
        if self._words["average"].text() != words:
            self._words["average"].setText(words)

    def dress(self, colour: str) -> None:
        """Take the colour of a run."""
        for sign in self._signs:
            sign.setStyleSheet(f"color: {colour};")
