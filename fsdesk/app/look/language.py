"""The language of the window: that of the system, or the one that the user chose; it is loaded once, at the start."""

from contextlib import AbstractContextManager

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QSettings, QTranslator

from fsdesk.app.look.places import resource
from fsdesk.app.look.sentences import learn_sentences
from fsdesk.speech import ENGLISH, Speech, speaking

__all__ = [
    "LANGUAGES", "SYSTEM", "aloud", "chosen_language", "keep_language", "language_spoken", "speak", "spoken_language",
]  # fmt: skip

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
