"""A field that finds features by a part of their name, one after another."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from fsdesk.app.look.parts import named, restyle
from fsdesk.app.look.translation import tr

__all__ = ["FeatureSearch"]


class FeatureSearch(QLineEdit):
    """``found`` tells a name: the first that fits while one types, the next at Enter, the one before at Shift+Enter."""

    found = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        named(self, name, tr("Find a feature and go to it"))
        self.setPlaceholderText(tr("Find a feature"))
        self.setToolTip(tr("Goes to the first feature whose name holds this; Enter goes to the next one."))
        self.setClearButtonEnabled(True)
        self.setMinimumWidth(64)
        self._names: Sequence[str] = ()
        self._folded: list[str] = []
        self._hits: list[int] = []
        self._at = 0
        self.textEdited.connect(self._look)

    def show_names(self, names: Sequence[str]) -> None:
        """Search among other features."""
        if names is not self._names:
            self._names, self._folded = names, []
            self._hits, self._at = [], 0

    def take(self, name: str) -> None:
        """Go on from here at the next Enter, where the feature is among those that fit."""
        if self._hits and self._names[self._hits[self._at]] != name:
            for at, place in enumerate(self._hits):
                if self._names[place] == name:
                    self._at = at

    def _look(self, text: str) -> None:
        if not self._folded:  # not before somebody searches: of 20,000 it takes a while
            self._folded = [name.casefold() for name in self._names]
        wanted = text.casefold().strip()
        fits = [place for place, name in enumerate(self._folded) if wanted in name] if wanted else []
        # One that is called so comes first, then those that begin so.
        self._hits = sorted(fits, key=lambda at: (self._folded[at] != wanted, not self._folded[at].startswith(wanted)))
        self._at = 0
        restyle(self, lost="yes" if wanted and not self._hits else "no")
        self._tell()

    def _tell(self) -> None:
        if self._hits:
            said = tr("{at} of {count}: Enter goes to the next one", at=self._at + 1, count=len(self._hits))
            self.setToolTip(said)
            self.found.emit(self._names[self._hits[self._at]])
        elif self.text().strip():
            self.setToolTip(tr("No feature is called so."))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the next one, or to the one before."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._hits:
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._at = (self._at + (-1 if back else 1)) % len(self._hits)
            self._tell()
        else:
            super().keyPressEvent(event)
