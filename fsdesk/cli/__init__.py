"""The command line. Without a command it opens the window, before anything else is imported."""

import sys
from pathlib import PurePath

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 done, 2 wrong input, 130 stopped by the user."""
    arguments = sys.argv[1:] if arguments is None else arguments
    is_smoke_test = arguments[:1] == ["--smoke"]
    if not arguments or (len(arguments) == 1 and _is_file(arguments[0])) or is_smoke_test:
        from fsdesk.cli.window import open_window

        return open_window(arguments)
    if _is_file(arguments[0]):
        sentence = 'write "fsdesk {0}" to open it in the window, "fsdesk run {0} …" to search it without one.'
        print(f"fsdesk: {arguments[0]} is no command: {sentence.format(arguments[0])}", file=sys.stderr)
        return 2
    from fsdesk.cli.commands import invoke

    return invoke(arguments)


def _is_file(argument: str) -> bool:
    """Commands have no dot, no folder and no colon, as in ``sample:genes``; options begin with a dash."""
    return not argument.startswith("-") and ("." in argument or ":" in argument or len(PurePath(argument).parts) > 1)
