"""The window, the only part that knows Qt; :func:`main` opens it and keeps all heavy imports out of its process."""

from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Open the window, with a table or project if one is named; return the exit code when it is closed."""
    from fsdesk.app.start import start

    return start(arguments)
