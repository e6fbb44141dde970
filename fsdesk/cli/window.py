"""The one door from the command line to the window, so that everything else here works without Qt."""

__all__ = ["open_window"]


def open_window(arguments: list[str]) -> int:
    """Open the window and return its exit code."""
    from fsdesk.app import main

    return main(arguments)
