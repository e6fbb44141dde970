"""User-facing messages with values, and the languages in which they are shown.

Texts in the sources are English; each is looked up in the catalog of the user's language when it is shown:
``resources/translations/LANGUAGE.mo``, read by the standard library's gettext. ``packaging/translations.py`` collects
the texts and updates the ``.po`` files that translators edit.

- Code that shows a text calls :func:`tr`, or :func:`tr_many` if the text depends on a count.
- Code that does not know its reader (an error, a check of a table, the reason a search ended) creates a
  :func:`message`. It is an English str for logs and files, and keeps its template and values so that :func:`translated`
  can translate it.
- :func:`mark` marks a literal that is translated later, such as one in a table of a module.
"""

import gettext
import numbers
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from string import Formatter
from typing import Any, Self

from fsdesk.paths import resource

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""Languages by their own names, so that speakers recognize them."""

_SWAP = str.maketrans(",.", ".,")


def mark(text: str) -> str:
    """Mark a literal for the catalog; :func:`tr` translates it later."""
    return text


def mark_many(one: str, many: str) -> tuple[str, str]:
    """Mark two literals for the catalog; :func:`tr_many` translates them later."""
    return one, many


_SAMPLE_NUMBER = mark("1,234.5")  # its translation shows whether a language uses a decimal comma


class Message(str):
    """A user-facing sentence: an English str that keeps its template and values.

    Attributes
    ----------
    template
        The English text with {named} placeholders; the singular form if there are two.
    values
        Numbers, texts from the user, and other messages.
    many
        The plural form, where values["count"] is the count; "" if there is only one form.
    """

    __slots__ = ("many", "template", "values")
    template: str
    values: dict[str, str | int | float]
    many: str

    def __new__(cls, template: str, values: Mapping[str, object], many: str = "") -> Self:
        """See :func:`message` and :func:`message_many`."""
        plain = {name: _plain(value) for name, value in values.items()}
        text = _form(ENGLISH, template, many, plain)
        shown = {**plain, "count": format(plain["count"], ",.15g")} if many else plain
        made = super().__new__(cls, text.format(**shown) if plain else text)
        made.template, made.values, made.many = template, plain, many
        return made

    def __str__(self) -> str:
        return self  # so that str(error) is the message that the error was raised with

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.template, self.values, self.many)


def _plain(value: object) -> str | int | float:
    if isinstance(value, str | bool):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    return float(value) if isinstance(value, numbers.Real) else str(value)


def message(template: str, /, **values: object) -> Message:
    """Make a message; ``template`` is a literal, such as ``message("all {count:,} iterations done", count=3)``."""
    return Message(template, values)


def message_many(count: float, one: str, many: str, /, **values: object) -> Message:
    """Make a message with a singular and a plural form; ``{count}`` is the count."""
    return Message(one, {"count": count, **values}, many)


def data_of(text: str) -> str | dict[str, Any]:
    """Convert a message to JSON data (template and values); plain text is returned unchanged.

    See :func:`message_of`.
    """
    if not isinstance(text, Message):
        return text
    values = {name: data_of(value) if isinstance(value, str) else value for name, value in text.values.items()}
    return {"template": text.template, "values": values, **({"many": text.many} if text.many else {})}


def message_of(data: str | Mapping[str, Any]) -> str:
    """Undo :func:`data_of`; plain text is returned unchanged.

    Raises
    ------
    ValueError
        If the data are not those of a message.
    """
    if isinstance(data, str):
        return data
    try:
        values = {
            name: message_of(each) if isinstance(each, Mapping) else each for name, each in data["values"].items()
        }
        return Message(data["template"], values, data.get("many", ""))
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError("no message") from error


def joined(separator: str, parts: Sequence[str]) -> Message:
    """``separator.join(parts)`` as a message; parts that are messages are translated."""
    names = [f"part{place}" for place in range(len(parts))]
    return Message(separator.join(f"{{{name}}}" for name in names), dict(zip(names, parts, strict=True)))


def quoted(names: Sequence[object], most: int = 3) -> Message:
    """Up to ``most`` names in quotation marks, and the number of remaining ones."""
    shown = joined(", ", [message('"{name}"', name=name) for name in names[:most]])
    if len(names) <= most:
        return shown
    return message("{names} and {count:,} more", names=shown, count=len(names) - most)


def escaped(text: object, most: int = 60) -> str:
    r"""Text from outside made safe inside quotation marks: one line, limited length, no invisible characters.

    Characters that a terminal would act on or not show (controls, bidirectional marks, unusual spaces) are escaped as
    in Python: ``\x1b``. Quotation marks are escaped, so that the text cannot end its own quotation.
    """
    return shortened(str(text).replace("\\", "\\\\").replace('"', '\\"'), most)


def shortened(text: str, most: int) -> str:
    """Do what :func:`escaped` does for text outside quotation marks: quotation marks and backslashes are kept."""
    plain = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text[: most + 1])
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def with_short_values(text: str, most: int = 200) -> str:
    """A message with its text values :func:`shortened`; plain text is shortened itself."""
    if not isinstance(text, Message):
        return shortened(text, most)
    values = {
        name: with_short_values(each, most) if isinstance(each, str) else each for name, each in text.values.items()
    }
    return Message(text.template, values, text.many)


_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
"""Characters that a terminal acts on or that change the writing direction, except tabs and line ends."""


def printable(text: str) -> str:
    """Multi-line text for a terminal, with control characters escaped as in Python."""
    return _OBEYED.sub(lambda found: repr(found[0])[1:-1], text)


@dataclass(frozen=True, eq=False)
class Language:
    """A language: its short name and its catalog."""

    name: str = "en"
    catalogue: gettext.NullTranslations = field(default_factory=gettext.NullTranslations)

    def text(self, text: str) -> str:
        """The text in this language; unchanged if the catalog does not contain it."""
        return self.catalogue.gettext(text) if text else ""  # gettext stores its header under ""

    def form(self, count: float, one: str, many: str) -> str:
        """The singular or plural form for this count."""
        return self.catalogue.ngettext(one, many, 1 if count == 1 else max(2, round(count)) if count else 0)

    @property
    def comma(self) -> bool:
        """Whether the language uses a decimal comma and a point between thousands."""
        return self.text(_SAMPLE_NUMBER).endswith(",5")


ENGLISH = Language()
_default = ENGLISH
_chosen: ContextVar[Language | None] = ContextVar("language", default=None)


@cache
def language_named(name: str) -> Language:
    """Look up a language by its short name; English if it has no catalog."""
    path = resource(f"translations/{name}.mo")
    if not path.is_file():
        return ENGLISH
    with path.open("rb") as file:
        return Language(name, gettext.GNUTranslations(file))


def set_language(chosen: Language) -> None:
    """Use this language from now on, in all threads of the process."""
    global _default
    _default = chosen


@contextmanager
def in_language(chosen: Language) -> Iterator[None]:
    """Use this language inside the block, whatever the process uses otherwise."""
    before = _chosen.set(chosen)
    try:
        yield
    finally:
        _chosen.reset(before)


def current_language() -> Language:
    """The language currently used for translation."""
    return _chosen.get() or _default


def tr(text: str, /, **values: object) -> str:
    """The text in the current language, with ``{name}`` replaced by its value: ``tr("{count} runs", count=3)``.

    Call it with a literal when the text is shown, not when a module is imported. Numbers are formatted as in the
    language, also with a format such as ``{count:,}`` or ``{share:.1f}``; messages are translated.
    """
    shown = current_language()
    said = shown.text(text)
    return _filled(shown, said, values) if values else said


def tr_many(count: float, one: str, many: str, /, **values: object) -> str:
    """The singular or plural text for a count, such as "{count} run" or "{count} runs", in the current language."""
    shown = current_language()
    return _filled(shown, shown.form(count, one, many), {"count": number(count, ",.15g"), **values})


def translated(text: str) -> str:
    """Translate a message, or a text declared in a module, into the current language."""
    shown = current_language()
    if not isinstance(text, Message):
        return shown.text(text)
    if shown is ENGLISH:
        return str.__str__(text)
    said = _form(shown, text.template, text.many, text.values)
    values = {**text.values, "count": number(float(text.values["count"]), ",.15g")} if text.many else text.values
    return _filled(shown, said, values) if values else said


def _form(shown: Language, template: str, many: str, values: Mapping[str, Any]) -> str:
    return shown.form(values["count"], template, many) if many else shown.text(template)


_NAMES = frozenset({"Cox"})


def within(text: str) -> str:
    """Translate a declared text for use inside a sentence: in English it starts in lower case, except SVM and names."""
    said = translated(text)
    is_name = said[1:2].isupper() or said[1:2].isdigit() or said.partition(" ")[0] in _NAMES
    is_word = said == text and not is_name
    return said[:1].lower() + said[1:] if is_word else said


def number(value: float, form: str = ",") -> str:
    """Format a number for display: ``number(1234)`` is "1,234" in English and "1.234" in German; zero has no sign."""
    text = format(value, form)
    return localised(text if text.strip("-0.") else text.removeprefix("-"))


def localised(text: str) -> str:
    """Convert a number written with a decimal point to the style of the language; messages are translated."""
    return translated(text) if isinstance(text, Message) else _written(text, comma=current_language().comma)


def plain_number(text: str) -> str:
    """Convert a typed number to one with a decimal point and a hyphen as the minus sign."""
    plain = text.replace("−", "-")
    return plain.replace(",", ".") if current_language().comma else plain


def _written(text: str, *, comma: bool) -> str:
    """A number with a minus sign instead of a hyphen, and a decimal comma if the language uses one."""
    signed = text.replace("-", "−")
    return signed.translate(_SWAP) if comma else signed


class _Values(Formatter):
    """Formats values in the style of a language."""

    def __init__(self, comma: bool) -> None:
        super().__init__()
        self._comma = comma

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Message):
            value = translated(value)
        text = format(value, format_spec)
        return _written(text, comma=self._comma) if isinstance(value, int | float) else text


def _filled(shown: Language, text: str, values: Mapping[str, object]) -> str:
    return _Values(shown.comma).vformat(text, (), values)


NOUNS = {
    "category": mark_many("{count} category", "{count} categories"),
    "cell": mark_many("{count} cell", "{count} cells"),
    "class": mark_many("{count} class", "{count} classes"),
    "column": mark_many("{count} column", "{count} columns"),
    "feature": mark_many("{count} feature", "{count} features"),
    "file": mark_many("{count} file", "{count} files"),
    "group": mark_many("{count} group", "{count} groups"),
    "measurement": mark_many("{count} measurement", "{count} measurements"),
    "method": mark_many("{count} method", "{count} methods"),
    "model": mark_many("{count} model", "{count} models"),
    "note": mark_many("{count} note", "{count} notes"),
    "resample": mark_many("{count} resample", "{count} resamples"),
    "row": mark_many("{count} row", "{count} rows"),
    "run": mark_many("{count} run", "{count} runs"),
    "seed": mark_many("{count} seed", "{count} seeds"),
    "value": mark_many("{count} value", "{count} values"),
}
"""What :func:`counted` can count."""


def counted(count: int, noun: str) -> str:
    """Write a number with its noun: "1 row", "1,000 rows", "2 classes"."""
    return tr_many(count, *NOUNS[noun])
