"""The language of the window and its selection, and texts used only in the window."""

from gettext import NullTranslations
from math import ceil
from textwrap import fill

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QSettings, QTranslator

from fsdesk.measure import Criterion
from fsdesk.messages import LANGUAGES, Language, language_named, number, set_language, tr, translated


def plain(text: str) -> str:
    """The name of a command without mnemonic and ellipsis."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").replace(" …", "")


SYSTEM = "system"
_KEY = "view/language"
_BRACKETS = "pseudo"
_loaded: list[QTranslator] = []


class _Brackets(NullTranslations):
    """Pseudo-translation: every text in brackets and a third longer, which reveals untranslated texts."""

    def gettext(self, message: str) -> str:
        return f"[{message}{'~' * (len(message) // 3)}]"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def chosen_language(store: QSettings) -> str:
    """The user's choice: "system" or a language."""
    chosen = str(store.value(_KEY, SYSTEM))
    return chosen if chosen in (*LANGUAGES, _BRACKETS) else SYSTEM


def keep_language(store: QSettings, chosen: str) -> None:
    """Store the user's choice for the next start."""
    store.setValue(_KEY, chosen)


def language_for(chosen: str) -> str:
    """The language for a choice: English if the system's is not available."""
    wanted = QLocale.system().name()[:2] if chosen == SYSTEM else chosen
    return wanted if wanted in (*LANGUAGES, _BRACKETS) else "en"


def use_language(chosen: str) -> str:
    """Use the language of a choice for all texts from now on, including its number format."""
    name = language_for(chosen)
    while _loaded:
        QCoreApplication.removeTranslator(_loaded.pop())
    QLocale.setDefault(QLocale("en_US" if name == _BRACKETS else name))
    set_language(Language(name, _Brackets()) if name == _BRACKETS else language_named(name))
    of_qt = QTranslator()
    if of_qt.load(f"{QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)}/qtbase_{name}.qm"):
        QCoreApplication.installTranslator(of_qt)
        _loaded.append(of_qt)
    return name


_TIP = 72


def duration(seconds: float) -> str:
    """A duration in words, rounded up: "under 1 s", "8 s", "3 min", "2 h 10 min"."""
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


def memory_words(size: float) -> str:
    """A memory size in words: "180 MB", "2.4 GB"."""
    if size >= 1e9:
        return number(size / 1e9, ".1f") + " GB"
    megabytes = size / 1e6
    return number(max(1, round(megabytes, -1 if megabytes >= 100 else 0)), ".0f") + " MB"


def folded(text: str) -> str:
    """A long text wrapped for a tooltip, which would otherwise be one line as wide as the screen."""
    return fill(text, _TIP, break_long_words=False, break_on_hyphens=False)


def axis_title(criterion: Criterion) -> str:
    """The axis label: "Error, %", "AUC", "RMSE"."""
    title = translated(criterion.title)
    return f"{title}, %" if criterion.unit == "%" else title


def unseen_title(criterion: Criterion) -> str:
    """The axis label of the held-out error: "held-out error, %"."""
    title = tr("{criterion} on held-out rows", criterion=translated(criterion.title))
    return f"{title}, %" if criterion.unit == "%" else title
