"""The target at a glance: how many rows each class has, or how its numbers are spread."""

import numpy as np
from PySide6.QtWidgets import QSizePolicy

from fsdesk.app.data.column_view import ColumnPicture, Stacks, binned, low_middle_high, median_place
from fsdesk.app.look.parts import Card, ElidedLabel, label
from fsdesk.app.look.tokens import Tokens
from fsdesk.app.look.translation import tr
from fsdesk.app.look.words import counted
from fsdesk.data import Dataset

__all__ = ["TargetCard", "spread_of"]

_MOST_CLASSES = 5


def spread_of(dataset: Dataset) -> ColumnPicture:
    """Count the rows of each class, or the numbers in bins of equal width."""
    name, response = dataset.target_name, dataset.response
    if response is not None:
        caption = tr("numbers from {low:.4g} to {high:.4g}", low=response.min(), high=response.max())
        counts = binned(response, np.zeros(len(response), dtype=np.int64), 1)
        ends, middle = low_middle_high(response), median_place(response)
        return ColumnPicture(name, caption, counts, ("",), ends=ends, middle=middle)
    sizes = np.bincount(dataset.target, minlength=len(dataset.classes))
    order = np.sort(np.argsort(-sizes, kind="stable")[:_MOST_CLASSES])
    caption = counted(len(sizes), "class")
    if len(order) < len(sizes):
        caption = tr("{classes}, the {count} largest shown", classes=caption, count=len(order))
    names = tuple(dataset.classes[code] for code in order)
    return ColumnPicture(name, caption, np.diag(sizes[order]), names, names, codes=tuple(map(int, order)))


class TargetCard(Card):
    """Name of the target and its bars."""

    def __init__(self) -> None:
        super().__init__(tr("Target"))
        self.setObjectName("targetCard")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.caption = ElidedLabel("caption")
        self.head.insertWidget(1, self.caption, 100)
        self.bars = Stacks("targetBars")
        self.refused = label(tr("It cannot be predicted yet: the checks say why."), "muted", wrap=True)
        self.refused.hide()
        self.body.addWidget(self.bars)
        self.body.addWidget(self.refused)
        self.hide()

    def show_target(self, spread: ColumnPicture | None) -> None:
        """Show another target; none hides the card."""
        self.setVisible(spread is not None)
        if spread is not None:
            self._show_bars(True)
            self.heading.setText(tr("Target: {name}", name=spread.name))
            self.caption.setText(spread.caption)
            self.bars.show_picture(spread)

    def show_refused(self, name: str) -> None:
        """Say that a target is one that cannot be used; why is told by the checks."""
        self.heading.setText(tr("Target: {name}", name=name))
        self.caption.clear()
        self._show_bars(False)
        self.show()

    def _show_bars(self, bars: bool) -> None:
        self.bars.setVisible(bars)
        self.refused.setVisible(not bars)

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        self.bars.tokens = tokens
        self.bars.update()
