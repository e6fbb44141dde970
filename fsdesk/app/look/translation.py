"""The one door through which every string that a person reads goes, so that it can be said in another language."""

from PySide6.QtCore import QCoreApplication

__all__ = ["tr"]


def tr(text: str, **values: object) -> str:
    """The text in the language of the user, with ``{name}`` replaced by its value.

    Call it with a literal, when the text is shown and not when a module is imported: ``tr("{count} runs", count=3)``.
    """
    said = QCoreApplication.translate("fsdesk", text)
    return said.format(**values) if values else said
