"""Build what people install, into `dist/`, and prove it: `python3 packaging/build.py --help` lists the commands.

Runs on any Python from 3.11 on and needs nothing else beforehand: tools and libraries come from the lock files in
`packaging/locks`, into environments under `.build/packaging`. packaging/README.md says what each proof covers.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import installers
from workshop import BuildError

COMMANDS: dict[str, Callable[[], object]] = {
    "tools": installers.build_tools,
    "locks": installers.build_locks,
    "wheel": installers.build_wheel,
    "freeze": installers.freeze,
    "linux": installers.build_linux,
    "windows": installers.build_windows,
    "macos": installers.build_macos,
}
PROOFS = ("locks", "workflow", "wheel", "linux", "windows", "macos", "core", "bits")


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line asks; return the exit code."""
    parser = argparse.ArgumentParser("build.py", description=__doc__.partition("\n")[0] if __doc__ else None)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, function in COMMANDS.items():
        commands.add_parser(name, help=(function.__doc__ or "").partition("\n")[0])
    prove = commands.add_parser("prove", help="Prove what was built, and print what was proved.")
    prove.add_argument("what", choices=PROOFS)
    asked = parser.parse_args(arguments)
    try:
        if asked.command == "prove":
            import proofs  # which needs more than a build

            getattr(proofs, f"prove_{asked.what}")()
        else:
            COMMANDS[asked.command]()
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
