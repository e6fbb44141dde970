"""How sentences name columns: up to three, then a count."""

from collections.abc import Sequence

from fsdesk.errors import DataError

__all__ = ["listed", "quoted", "ragged"]


def quoted(names: Sequence[str], most: int = 3) -> str:
    """Up to ``most`` names in quotes, and how many more there are."""
    shown = ", ".join(f'"{name}"' for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")


def listed(count: int, one: str, many: str) -> str:
    """A count with its noun, such as "1 column" and "3 columns"."""
    return f"{count:,} {one if count == 1 else many}"


def ragged(name: str, line: int, cells: int, width: int, separator: bool = False) -> DataError:
    """The error for a line with too few or too many cells; where the user chose a ``separator``, that may be wrong."""
    count = listed(cells, "cell", "cells")
    if separator:
        return DataError(
            f'Line {line} of "{name}" has {count} where {width:,} are expected by the separator that was chosen; '
            "choose another separator, or correct that line."
        )
    return DataError(f'Line {line} of "{name}" has {count} where {width:,} are expected; correct that line.')
