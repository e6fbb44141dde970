"""How a running task is paused, stopped and steered: it asks between two steps whether, and how, it may go on."""

from collections.abc import Sequence
from typing import Protocol

from fsdesk.engine.events import Steered

__all__ = ["Control", "Flag"]


class Control(Protocol):
    """What a task asks between two steps; ``wants`` and ``halts`` may be asked in the middle of a long one."""

    def wants(self) -> bool:
        """Whether the user wants anything now; says so at once."""

    def halts(self) -> bool:
        """Whether the user wants it to stop, for which a measurement is given up; says so at once."""

    def should_stop(self) -> bool:
        """Wait while paused; then say whether to stop."""

    def steerings_before(self, number: int) -> Sequence[Steered]:
        """What the user wants changed before measurement ``number``; each wish is told once."""


class Flag:
    """The simplest control: somebody sets ``stop``, from a signal handler for one."""

    def __init__(self) -> None:
        self.stop = False

    def wants(self) -> bool:
        """Whether to stop is all that anybody can want."""
        return self.stop

    def halts(self) -> bool:
        """Whether to stop."""
        return self.stop

    def should_stop(self) -> bool:
        """Say whether to stop."""
        return self.stop

    def steerings_before(self, number: int) -> Sequence[Steered]:
        """Nobody steers."""
        return ()
