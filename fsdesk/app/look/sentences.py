"""Sentences of the lower layers in the language of the user.

These layers know no languages: an error, a check, or why a search ended is a sentence in English, which goes through
processes, logs and project files as it is. Where it is shown, it is known again by its template, such as
"all {k} iterations done", and said by the translation of that, with the same values.
``packaging/translations.py`` lists the templates, read from the sources of these layers.
"""

import json
import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication

from fsdesk.app.look.places import resource
from fsdesk.app.look.translation import declared, localised, tr
from fsdesk.data import wording

__all__ = ["learn_sentences", "quoted", "retold"]

_LIST = "translations/sentences.json"
_QUOTED = re.compile(r'"[^"]*"(, "[^"]*")*')
_GROUPED = re.compile(r"\d{1,3}(,\d{3})+|\d+\.\d+")


class _Known(NamedTuple):
    """A template; ``mark`` is the longest part of it that is no value."""

    mark: str
    template: str


_known: list[_Known] = []


def learn_sentences(*, spoken: bool) -> None:
    """Get ready for the language whose translations are loaded now; not ``spoken`` means English, where all stays."""
    _known.clear()
    if spoken:
        templates: list[str] = json.loads(resource(_LIST).read_text(encoding="utf-8"))
        templates.sort(key=lambda each: sum(map(len, _parts(each))), reverse=True)  # what says most comes first
        _known.extend(_Known(max(_parts(each), key=len), each) for each in templates)


def retold(text: str) -> str:
    """What a lower layer says, in the language of the user; as it is where it is not known again."""
    for mark, template in _known:
        found = _pattern(template).fullmatch(text) if mark in text else None
        if found is not None:
            values = found.groupdict()
            count = values.get("count", "").replace(",", "")
            many = QCoreApplication.translate("fsdesk", template, None, int(count) if count.isdecimal() else -1)
            said = many if many != template else declared(template)  # most templates have one form for any number
            return said.format(**{name: _value(value) for name, value in values.items()})
    parts = text.split("; ") if _known else [text]
    return "; ".join(map(retold, parts)) if len(parts) > 1 else text


def _value(text: str) -> str:
    """A value inside of a sentence: a number, quoted names, another such sentence, or what the user wrote."""
    if _known and _QUOTED.fullmatch(text):
        return ", ".join(tr('"{name}"', name=name) for name in re.findall(r'"([^"]*)"', text))
    return localised(text) if _GROUPED.fullmatch(text) else retold(text)


def quoted(names: Sequence[str]) -> str:
    """Up to three names in the quotation marks of the language, and how many more there are."""
    return _value(wording.quoted(names))


def _parts(template: str) -> list[str]:
    return re.split(r"\{\w+\}", template)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", template)
    made = "".join(f"(?P<{part}>.*?)" if place % 2 else re.escape(part) for place, part in enumerate(parts))
    return re.compile(made, re.DOTALL)
