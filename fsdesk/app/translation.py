"""The one door through which every string that a person reads goes, so that it can be said in another language."""

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager
from math import ceil
from textwrap import fill

import numpy as np
from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QSettings, QTranslator

from fsdesk.app.folders import resource
from fsdesk.data import wording
from fsdesk.measure import Criterion
from fsdesk.speech import ENGLISH, SENTENCES, Retelling, Speech, filled, speaking, written

__all__ = [
    "LANGUAGES",
    "SYSTEM",
    "aloud",
    "axis_title",
    "chosen_language",
    "compared",
    "counted",
    "declared",
    "duration",
    "folded",
    "keep_language",
    "language_spoken",
    "learn_sentences",
    "localised",
    "many_of",
    "mark",
    "number",
    "plain",
    "plain_number",
    "quoted",
    "speak",
    "spoken_language",
    "tr",
    "tr_many",
    "translated",
    "variant",
    "within",
]


def tr(text: str, **values: object) -> str:
    """The text in the language of the user, with ``{name}`` replaced by its value.

    Call it with a literal, when the text is shown and not when a module is imported: ``tr("{count} runs", count=3)``.
    Numbers with a format, such as ``{count:,}`` or ``{share:.1f}``, are written as the language does.
    """
    said = QCoreApplication.translate("fsdesk", text)
    return _filled(said, values) if values else said


def tr_many(count: int, one: str, many: str, **values: object) -> str:
    """The text for one thing or for many, such as "{count} run" and "{count} runs"; ``{count}`` is the number.

    A language has as many forms as it needs; they are found by the text for many.
    """
    said = QCoreApplication.translate("fsdesk", many, None, count)
    return _filled(one if count == 1 and said == many else said, {"count": number(count), **values})


def mark(text: str) -> str:
    """Mark a literal that :func:`tr` shows later, such as one in a table of a module."""
    return text


def declared(text: str) -> str:
    """What a lower layer declares, such as the title of a setting, in the language of the user."""
    return QCoreApplication.translate("fsdesk", text) if text else ""


def within(text: str) -> str:
    """What a lower layer declares, inside a sentence: in English it begins with a small letter."""
    said = declared(text)
    return said[:1].lower() + said[1:] if said == text else said


def plain(text: str) -> str:
    """The name of a command without the mark of its key and without its dots."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").replace(" …", "")


def number(value: float, form: str = ",") -> str:
    """Write a number for the eye: ``number(1234)`` is "1,234" in English and "1.234" in German; no zero has a sign."""
    text = format(value, form)
    return localised(text if text.strip("-0.") else text.removeprefix("-"))


def localised(text: str) -> str:
    """A number that was written with a point for its decimals, as the language writes it; or that there is none."""
    return tr("not measured") if text == "not measured" else written(text, comma=_with_comma())


def plain_number(text: str) -> str:
    """A number that was typed, with a point for its decimals."""
    plain = text.replace("−", "-")
    return plain.replace(",", ".") if _with_comma() else plain


def _with_comma() -> bool:
    return QLocale().decimalPoint() == ","


def _filled(text: str, values: dict[str, object]) -> str:
    return filled(text, values, comma=_with_comma())


_retelling = Retelling()


def learn_sentences(*, spoken: bool) -> None:
    """Get ready for the language whose translations are loaded now; not ``spoken`` means English, where all stays."""
    global _retelling
    _retelling = Retelling(json.loads(resource(SENTENCES).read_text(encoding="utf-8")) if spoken else ())


def translated(text: str) -> str:
    """What a lower layer says, in the language of the user; as it is where it is not known again."""
    return _retelling.told(text, _said, _name)


def _said(template: str, count: int) -> str:
    many = QCoreApplication.translate("fsdesk", template, None, count)
    return many if many != template else declared(template)  # most templates have one form for any number


def _name(text: str) -> str:
    return tr('"{name}"', name=text)


def quoted(names: Sequence[str]) -> str:
    """Up to three names in the quotation marks of the language, and how many more there are."""
    return _retelling.value(wording.quoted(names), _said, _name)


SYSTEM = "system"
LANGUAGES = {"en": "English", "de": "Deutsch"}  # each in its own words, so that its speakers find it
_KEY = "view/language"
_BRACKETS = "pseudo"
_loaded: list[QTranslator] = []
_now = "en"


class _Brackets(QTranslator):
    """Every text in brackets and a third longer: what stands there without them was forgotten."""

    def translate(self, context: str, source: str, disambiguation: str | None = None, n: int = -1) -> str:
        return f"[{source}{'~' * (len(source) // 3)}]" if context == "fsdesk" and source else ""

    def isEmpty(self) -> bool:
        return False


class _OfTheWindow(Speech):
    """What the results say, by the translations that the window has loaded."""

    def say(self, text: str, count: int = -1) -> str:
        return QCoreApplication.translate("fsdesk", text, None, count) if text else ""


def chosen_language(store: QSettings) -> str:
    """What the user chose: "system" or a language."""
    chosen = str(store.value(_KEY, SYSTEM))
    return chosen if chosen in (*LANGUAGES, _BRACKETS) else SYSTEM


def keep_language(store: QSettings, chosen: str) -> None:
    """Remember what the user chose, for the next start."""
    store.setValue(_KEY, chosen)


def spoken_language(chosen: str) -> str:
    """The language that is spoken for a choice: English where the system has one that fsdesk does not know."""
    wanted = QLocale.system().name()[:2] if chosen == SYSTEM else chosen
    return wanted if wanted in (*LANGUAGES, _BRACKETS) else "en"


def speak(chosen: str) -> str:
    """Let all texts that are shown from now on be in the language of a choice, and numbers as it writes them."""
    global _now
    language = _now = spoken_language(chosen)
    while _loaded:
        QCoreApplication.removeTranslator(_loaded.pop())
    QLocale.setDefault(QLocale("en_US" if language == _BRACKETS else language))
    if language == _BRACKETS:
        _install(_Brackets())
    elif language != "en":
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        for path in (f"{folder}/qtbase_{language}.qm", str(resource(f"translations/fsdesk_{language}.qm"))):
            made = QTranslator()
            if made.load(path):
                _install(made)
    learn_sentences(spoken=language != "en")
    return language


def language_spoken() -> str:
    """The language that is spoken now; reports and figures are written in it."""
    return _now


def aloud() -> AbstractContextManager[None]:
    """Sentences that the results make inside of the block are in the language of the window."""
    comma = QLocale().decimalPoint() == ","
    return speaking(ENGLISH if _now == "en" else _OfTheWindow(_now, comma=comma))


def _install(translator: QTranslator) -> None:
    QCoreApplication.installTranslator(translator)
    _loaded.append(translator)


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


def axis_title(criterion: Criterion) -> str:
    """What stands at the axis: "Error, %", "AUC", "RMSE"."""
    title = declared(criterion.title)
    return f"{title}, %" if criterion.unit == "%" else title


def compared(criterion: Criterion, loss: float, other: float) -> str:
    """How much better or worse a loss is than another: "7.9 points better", "0.012 worse"; "" where one is missing."""
    gain = other - loss
    if not np.isfinite(gain):
        return ""
    percent = criterion.unit == "%"
    amount = round(100 * abs(gain), 1) if percent else float(f"{abs(gain):.2g}")
    if amount == 0:
        return tr("as good")
    if percent:
        better, worse = tr("{amount:.1f} points better", amount=amount), tr("{amount:.1f} points worse", amount=amount)
    else:
        better, worse = tr("{amount:.2g} better", amount=amount), tr("{amount:.2g} worse", amount=amount)
    return better if gain > 0 else worse
