"""The one door through which every string that a person reads goes, so that it can be said in another language."""

from PySide6.QtCore import QCoreApplication, QLocale

from fsdesk.speech import filled, written

__all__ = ["declared", "localised", "mark", "number", "plain", "plain_number", "tr", "tr_many", "within"]


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
