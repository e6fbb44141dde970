"""Knows English sentences of the lower layers again, until all of them are messages."""

import re
from collections.abc import Callable, Sequence
from functools import cache

__all__ = ["Retelling"]

_GROUPED = re.compile(r"\d{1,3}(,\d{3})+|\d+\.\d+")
_QUOTED = re.compile(r'"[^"]*"(, "[^"]*")*')


class Retelling:
    """Knows English sentences again by their templates, such as "all {k} iterations done".

    Parameters
    ----------
    templates
        With {names} in the places of their values.
    """

    def __init__(self, templates: Sequence[str] = ()) -> None:
        ordered = sorted(templates, key=lambda each: sum(map(len, _parts(each))), reverse=True)  # what says most first
        self._known = [(max(_parts(each), key=len), each) for each in ordered]

    def __bool__(self) -> bool:
        return bool(self._known)

    def told(self, text: str, say: Callable[[str, int], str], name: Callable[[str], str]) -> str:
        """The sentence in another language, with the same values; as it is where it is not known again.

        ``say`` translates a template for a number of things, -1 for none; ``name`` puts a name in quotation marks.
        """
        for mark, template in self._known:
            found = _pattern(template).fullmatch(text) if mark in text else None
            if found is not None:
                values = found.groupdict()
                count = values.get("count", "").replace(",", "")
                told = {key: self.value(value, say, name) for key, value in values.items()}
                return say(template, int(count) if count.isdecimal() else -1).format(**told)
        parts = text.split("; ") if self._known else [text]
        return "; ".join(self.told(part, say, name) for part in parts) if len(parts) > 1 else text

    def value(self, text: str, say: Callable[[str, int], str], name: Callable[[str], str]) -> str:
        """A value inside of a sentence: a number, quoted names, another such sentence, or what the user wrote."""
        if self._known and _QUOTED.fullmatch(text):
            return ", ".join(map(name, re.findall(r'"([^"]*)"', text)))
        return text.translate(str.maketrans(",.", ".,")) if _GROUPED.fullmatch(text) else self.told(text, say, name)


def _parts(template: str) -> list[str]:
    return re.split(r"\{\w+\}", template)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", template)
    made = "".join(f"(?P<{part}>.*?)" if place % 2 else re.escape(part) for place, part in enumerate(parts))
    return re.compile(made, re.DOTALL)
