"""The language of reports and printed figures, which are made without Qt: in workers, and where there is no window.

English is what the sources say. What another language says instead stands in the files of translations that the window
speaks by, too: ``resources/translations/fsdesk_LANGUAGE.ts``, kept by ``packaging/translations.py``.
"""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from string import Formatter

from fsdesk.pages import resource

__all__ = [
    "ENGLISH", "SENTENCES", "Retelling", "Speech", "filled", "localised", "mark", "number", "retold", "speaking",
    "speech_of", "spoken", "tr", "within", "written",
]  # fmt: skip

SENTENCES = "translations/sentences.json"
"""The list of the templates of sentences that the lower layers say, as :func:`resource` finds it."""

_SWAP = str.maketrans(",.", ".,")
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
        return written(text, comma=True) if self._known and _GROUPED.fullmatch(text) else self.told(text, say, name)


def _parts(template: str) -> list[str]:
    return re.split(r"\{\w+\}", template)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", template)
    made = "".join(f"(?P<{part}>.*?)" if place % 2 else re.escape(part) for place, part in enumerate(parts))
    return re.compile(made, re.DOTALL)


@dataclass(frozen=True, eq=False)
class Speech:
    """A language: its name, the forms of each text for one and for many, and whether decimals have a comma."""

    name: str = "en"
    forms: Mapping[str, Sequence[str]] = field(default_factory=dict)
    comma: bool = False
    retelling: Retelling = field(default_factory=Retelling)

    def say(self, text: str, count: int = -1) -> str:
        """The text in this language; the form for one thing where ``count`` is 1 and there are two."""
        forms = self.forms.get(text, (text,))
        return forms[0] if count == 1 else forms[-1]


ENGLISH = Speech()
_spoken: ContextVar[Speech] = ContextVar("speech", default=ENGLISH)


@cache
def speech_of(language: str) -> Speech:
    """A language by its name; English where there are no translations to it."""
    path = resource(f"translations/fsdesk_{language}.ts")
    if not path.is_file():
        return ENGLISH
    forms: dict[str, list[str]] = {}
    for message in ET.parse(path).iter("message"):
        translation = message.find("translation")
        if translation is not None and translation.get("type") is None:
            several = [form.text or "" for form in translation.iter("numerusform")]
            forms[message.findtext("source", "")] = several or [translation.text or ""]
    templates: list[str] = json.loads(resource(SENTENCES).read_text(encoding="utf-8"))
    return Speech(language, forms, comma=True, retelling=Retelling(templates))


@contextmanager
def speaking(speech: Speech) -> Iterator[None]:
    """What is said inside of the block is said in this language."""
    before = _spoken.set(speech)
    try:
        yield
    finally:
        _spoken.reset(before)


def spoken() -> Speech:
    """The language that is spoken now."""
    return _spoken.get()


def tr(text: str, **values: object) -> str:
    """The text in the language that is spoken, with ``{name}`` replaced by its value; numbers as the language does."""
    said = spoken().say(text)
    return filled(said, values, comma=spoken().comma) if values else said


def mark(text: str) -> str:
    """Mark a literal that :func:`tr` says later, such as one in a table of a module."""
    return text


def within(text: str) -> str:
    """What a lower layer declares, inside a sentence: in English it begins with a small letter."""
    said = tr(text)
    return said[:1].lower() + said[1:] if spoken() is ENGLISH else said


def number(value: float, form: str = ",") -> str:
    """A number as the language writes it."""
    return localised(format(value, form))


def localised(text: str) -> str:
    """A number that was written with a point for its decimals, as the language writes it."""
    return written(text, comma=spoken().comma)


def retold(text: str) -> str:
    """What a lower layer says in English, in the language that is spoken."""
    speech = spoken()
    return speech.retelling.told(text, speech.say, lambda name: tr('"{name}"', name=name))


def written(text: str, *, comma: bool) -> str:
    """A number for the eye: with a minus, not a hyphen; points for commas where the language has decimal commas."""
    signed = text.replace("-", "−")
    return signed.translate(_SWAP) if comma else signed


class _Numbers(Formatter):
    """Writes numbers for the eye: with a minus, and with a comma for their decimals where the language has one."""

    def __init__(self, comma: bool) -> None:
        super().__init__()
        self._comma = comma

    def format_field(self, value: object, format_spec: str) -> str:
        text = format(value, format_spec)
        if not isinstance(value, int | float):
            return text
        return written(text, comma=self._comma)


def filled(text: str, values: Mapping[str, object], *, comma: bool) -> str:
    """A text with its values in the places of their names."""
    return _Numbers(comma).vformat(text, (), values)
