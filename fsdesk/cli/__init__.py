"""The command line. Without a command it opens the window, before anything else is imported."""

import sys

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 done, 2 wrong input, 130 stopped by the user."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if not arguments:
        from fsdesk.cli.window import open_window

        return open_window([])
    from fsdesk.cli.commands import invoke

    return invoke(arguments)
