"""How a running task is paused and stopped: it asks between two steps whether it may go on."""

from typing import Protocol

__all__ = ["Control", "Flag"]


class Control(Protocol):
    """What a task asks between two steps."""

    def should_stop(self) -> bool:
        """Wait while paused; then say whether to stop."""


class Flag:
    """The simplest control: somebody sets ``stop``, from a signal handler for one."""

    def __init__(self) -> None:
        self.stop = False

    def should_stop(self) -> bool:
        """Say whether to stop."""
        return self.stop
