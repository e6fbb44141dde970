"""Undo and redo: one QUndoStack of named steps for settings, constraints, target and roles of columns."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand, QUndoStack

_MOST = 200


class _Step(QUndoCommand):
    """One step from one state to another; consecutive steps with the same key are merged."""

    def __init__(
        self, before: Any, after: Any, show: Callable[[Any], None], words: Callable[[Any, Any], str], key: str
    ) -> None:
        super().__init__(words(before, after))
        self.before, self.after, self.key = before, after, key
        self._show, self._words = show, words
        self._done = True  # the stack carries out a new step immediately, but its effect is already done

    def id(self) -> int:
        """ID for the undo stack: steps with a key are treated as the same kind."""
        return 1 if self.key else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Merge the next step; a step without effect is removed."""
        if not isinstance(other, _Step) or other.key != self.key:
            return False
        self.after = other.after
        self.setText(self._words(self.before, self.after))
        self.setObsolete(self.before == self.after)
        return True

    def undo(self) -> None:
        """Show the previous state."""
        self._show(self.before)

    def redo(self) -> None:
        """Show the new state."""
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
        """Combine the changes made in this context into one step with this name."""
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
        """Record a change that was made.

        Parameters
        ----------
        before, after
            The previous state and the current one.
        show
            Switches to either of them.
        words
            Describes the change in a few words.
        key
            Consecutive steps with the same key are merged, such as those of one field.
        """
        if before != after:
            self.push(_Step(before, after, show, words, key))
