"""``python -m fsdesk`` is the command line."""

from fsdesk.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
