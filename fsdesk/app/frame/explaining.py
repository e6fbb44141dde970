"""Which page of the help explains what: parts of the window know their page, F1 asks them."""

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QWidget

from fsdesk.app.look.parts import Card
from fsdesk.app.look.translation import declared, localised
from fsdesk.pages import Language, help_file

__all__ = ["DESK_PAGES", "explain_by", "page_of", "spoken_pages", "title_of"]

DESK_PAGES = (
    "data", "columns", "checks", "settings", "search", "curve", "heatmap", "features", "runs", "result", "compare",
    "honest-error", "new-rows", "studies", "export", "projects", "glossary",
)  # fmt: skip
_PROPERTY = "helpPage"


def explain_by(part: QWidget, page: str, mark: str = "") -> None:
    """Say which page of ``resources/help/desk`` explains a part and all that is in it; a card shows a way to it.

    ``mark`` names that way where another card has one to the same page.
    """
    part.setProperty(_PROPERTY, f"desk/{page}")
    if isinstance(part, Card):
        part.offer_help(f"desk/{page}", mark or page)


def page_of(widget: QWidget | None) -> str:
    """The page of the nearest part around a widget that has one; "" where none has."""
    while widget is not None:
        place = widget.property(_PROPERTY)
        if place:
            return str(place)
        widget = widget.parentWidget()
    return ""


def spoken_pages() -> Language:
    """The language of the window, for the pages of the help."""
    return Language(QLocale().name()[:2], declared, localised)


def title_of(page: str) -> str:
    """The title of a page, as its first line has it."""
    with help_file(f"desk/{page}.md", spoken_pages()).open(encoding="utf-8") as text:
        return text.readline().lstrip("# ").strip()
