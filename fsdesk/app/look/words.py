"""Numbers as people read them."""

from math import ceil

__all__ = ["counted", "duration"]


def counted(number: int, noun: str) -> str:
    """Write a number with its noun: "1 row", "1,000 rows", "2 classes"."""
    ending = "" if number == 1 else "es" if noun.endswith("s") else "s"
    return f"{number:,} {noun}{ending}"


def duration(seconds: float) -> str:
    """A time as one would say it, rounded up: "8 s", "3 min", "2 h 10 min"."""
    if seconds < 1:
        return "less than a second"
    if seconds <= 90:
        return f"{ceil(seconds)} s"
    if seconds < 90 * 60:
        return f"{ceil(seconds / 60)} min"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours < 48 else f"{hours / 24:.0f} days"
