"""Sentences of the lower layers in the language of the user.

These layers know no languages: an error, a check, or why a search ended is a sentence in English, which goes through
processes, logs and project files as it is. Where it is shown, it is known again by its template, such as
"all {k} iterations done", and said by the translation of that, with the same values.
``packaging/translations.py`` lists the templates, read from the sources of these layers.
"""

import json
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from fsdesk.app.look.places import resource
from fsdesk.app.look.translation import declared, tr
from fsdesk.data import wording
from fsdesk.speech import SENTENCES, Retelling

__all__ = ["learn_sentences", "quoted", "retold"]

_retelling = Retelling()


def learn_sentences(*, spoken: bool) -> None:
    """Get ready for the language whose translations are loaded now; not ``spoken`` means English, where all stays."""
    global _retelling
    _retelling = Retelling(json.loads(resource(SENTENCES).read_text(encoding="utf-8")) if spoken else ())


def retold(text: str) -> str:
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
