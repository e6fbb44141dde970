"""Run the command line with ``python -m fsdesk``."""

from fsdesk.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
