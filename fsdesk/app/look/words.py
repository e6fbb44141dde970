"""Numbers as people read them."""

from math import ceil
from textwrap import fill

from fsdesk.app.look.translation import declared, localised, number, tr, tr_many

__all__ = ["counted", "duration", "folded", "many_of", "variant"]

_TIP = 72


def counted(count: int, noun: str) -> str:
    """Write a number with its noun: "1 row", "1,000 rows", "2 classes"; call it with a literal."""
    return tr_many(count, "{count} " + noun, "{count} " + many_of(noun))


def many_of(noun: str) -> str:
    """The plural of an English noun."""
    if noun.endswith("y"):
        return f"{noun[:-1]}ies"
    return f"{noun}{'es' if noun.endswith('s') else 's'}"


def variant(title: str) -> str:
    """A method or model, or one of its variants such as "BSPSA, steered", in the language of the user."""
    said = declared(title)
    return said if said != title else ", ".join(map(_setting, title.split(", ")))


def _setting(said: str) -> str:
    """A part of a variant: "steered", "Gain a 0.75", "Distance Manhattan"."""
    title, _, value = said.rpartition(" ")
    known = declared(said)
    if known != said or declared(title) == title:
        return known
    return f"{declared(title)} {localised(value) if value[-1:].isdigit() else declared(value)}"


def duration(seconds: float) -> str:
    """A time as one would say it, rounded up: "under 1 s", "8 s", "3 min", "2 h 10 min"."""
    if seconds < 1:
        return tr("under 1 s")
    if seconds <= 90:
        return tr("{count} s", count=ceil(seconds))
    if seconds < 90 * 60:
        return tr("{count} min", count=ceil(seconds / 60))
    hours, minutes = divmod(round(seconds / 60), 60)
    if hours < 48 and not minutes:
        return tr("{count} h", count=hours)
    if hours < 48:
        return tr("{hours} h {minutes} min", hours=hours, minutes=minutes)
    return tr("{count} days", count=number(hours / 24, ".0f"))


def folded(text: str) -> str:
    """A long text in lines for a tooltip, which would be one line as wide as the screen."""
    return fill(text, _TIP, break_long_words=False, break_on_hyphens=False)
