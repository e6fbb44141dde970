"""Where the program's own files are."""

from pathlib import Path

__all__ = ["resource"]

_INSTALLED = Path(__file__).resolve().parent / "resources"
_DEVELOPMENT = Path(__file__).resolve().parents[1] / "resources"


def resource(name: str) -> Path:
    """Path of a file under ``resources/``: inside the installed package, or beside it in a source tree."""
    root = _INSTALLED if _INSTALLED.is_dir() else _DEVELOPMENT
    return root / name
