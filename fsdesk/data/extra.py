"""Formats whose libraries are installed on request, as the extra "formats"."""

from fsdesk.errors import DataError

__all__ = ["without_library"]


def without_library(name: str, kind: str, library: str) -> DataError:
    """The error where the library that reads ``kind`` is not installed."""
    return DataError(
        f'"{name}" is {kind}, which needs the library {library}; '
        'install it with: pip install "fsdesk[formats]", and open the file again.'
    )
