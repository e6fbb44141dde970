"""Undo and redo: one QUndoStack of named steps for settings, constraints, target and roles of columns."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand, QUndoStack

_MOST = 200


class _Step(QUndoCommand):
    """From one state to another; a step with the same key swallows the next one."""

    def __init__(
        self, before: Any, after: Any, show: Callable[[Any], None], words: Callable[[Any, Any], str], key: str
    ) -> None:
        super().__init__(words(before, after))
        self.before, self.after, self.key = before, after, key
        self._show, self._words = show, words
        self._done = True  # the stack does a new step at once, but what it does has been done

    def id(self) -> int:
        """Id for the undo stack: steps that have a key are treated as the same kind."""
        return 1 if self.key else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Go on to where the next step leads; a step that leads nowhere is none."""
        if not isinstance(other, _Step) or other.key != self.key:
            return False
        self.after = other.after
        self.setText(self._words(self.before, self.after))
        self.setObsolete(self.before == self.after)
        return True

    def undo(self) -> None:
        """Show how it was."""
        self._show(self.before)

    def redo(self) -> None:
        """Show how it became."""
        if not self._done:
            self._show(self.after)
        self._done = False


class History(QUndoStack):
    """The steps that can be undone and redone."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setUndoLimit(_MOST)

    @contextmanager
    def together(self, words: str) -> Iterator[None]:
        """Keep the changes made meanwhile as one step, called so."""
        self.beginMacro(words)
        try:
            yield
        finally:
            self.endMacro()

    def record(
        self,
        before: Any,
        after: Any,
        show: Callable[[Any], None],
        words: Callable[[Any, Any], str],
        key: str = "",
    ) -> None:
        """Keep a change that was made.

        Parameters
        ----------
        before, after
            The state that was left and the one that is now.
        show
            Goes to either of them.
        words
            Says in a few words what leads from one to the other.
        key
            Steps with the same key that follow one another are one step, such as those of one field.
        """
        if before != after:
            self.push(_Step(before, after, show, words, key))
