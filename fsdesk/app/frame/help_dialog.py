"""The help: how the program works, and a page for every method and model."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QTextBlockFormat, QTextCursor, QTextDocument, QTextLength, QTextTable
from PySide6.QtWidgets import QDialog, QTextBrowser, QTreeWidget, QTreeWidgetItem, QWidget

from fsdesk.app.frame.actions import COMMANDS
from fsdesk.app.frame.explaining import DESK_PAGES, spoken_pages, title_of
from fsdesk.app.frame.typesetting import typeset
from fsdesk.app.look.dialogs import framed, opened_at
from fsdesk.app.look.parts import button, named, row
from fsdesk.app.look.tokens import Tokens
from fsdesk.app.look.translation import declared, mark, plain, tr
from fsdesk.engine import Prefilter, Validation
from fsdesk.measure import MeasureSettings
from fsdesk.methods import METHODS
from fsdesk.pages import group_page, help_file, page
from fsdesk.settings import Entry, Registry, Settings
from fsdesk.wrappers import WRAPPERS

__all__ = ["HelpDialog"]

_PLACE = Qt.ItemDataRole.UserRole
_LINE_PERCENT = 125
_ABOVE_HEADING = 20  # pixels
_TABLE_PERCENT = 99  # with 100 its frame is a pixel too wide at some widths, and a scroll bar comes
_COLUMN_PERCENT = (18, 19, 21, 24, 18)  # of a table of settings: most room for what they do
_GROUPS: dict[str, tuple[str, type[Settings]]] = {
    "settings/measuring": (mark("Measuring"), MeasureSettings),
    "settings/prefilter": (mark("Filtering first"), Prefilter),
    "settings/validation": (mark("The error on unseen rows"), Validation),
}


class HelpDialog(QDialog):
    """A list of pages and the one that is read.

    Parameters
    ----------
    place
        What to open at, such as "methods/bspsa", "wrappers/nn#k" with the name of a setting, or "settings/measuring";
        "" for how the program works.
    """

    def __init__(self, parent: QWidget, tokens: Tokens, place: str = "") -> None:
        super().__init__(parent)
        self.setObjectName("helpDialog")
        self._colours = tokens.colours()
        layout = framed(self, tr("Help"), 720)
        opened_at(self, 1120, 720)
        self.pages = QTreeWidget()
        named(self.pages, "helpPages", tr("Pages of the help"))
        self.pages.setHeaderHidden(True)
        self.pages.setFixedWidth(288)
        self.text = QTextBrowser()
        named(self.text, "helpText", tr("Help"))
        self.text.setOpenExternalLinks(True)
        self.text.setFrameShape(QTextBrowser.Shape.NoFrame)
        self._entries: dict[str, tuple[str, Entry[Any]]] = {}
        self._fill()
        self.pages.currentItemChanged.connect(lambda item: self._show(item.data(0, _PLACE) if item else None))
        both = row(self.pages, self.text)
        both.setStretch(1, 1)
        layout.addLayout(both, 1)
        close = button(tr("Close"), "helpClose", "primary")
        close.clicked.connect(self.accept)
        layout.addLayout(row(None, close))
        self.open_at(place)

    def _fill(self) -> None:
        first = QTreeWidgetItem(self.pages, [tr("How it works")])
        first.setData(0, _PLACE, "")
        desk = QTreeWidgetItem(self.pages, [tr("This desk")])
        desk.setFlags(Qt.ItemFlag.ItemIsEnabled)
        for name in DESK_PAGES:
            item = QTreeWidgetItem(desk, [title_of(name)])
            item.setData(0, _PLACE, f"desk/{name}")
        desk.setExpanded(True)
        groups: tuple[tuple[str, str, Registry[Any]], ...] = (
            (tr("Search methods"), "methods", METHODS),
            (tr("Models"), "wrappers", WRAPPERS),
        )
        for title, kind, registry in groups:
            group = QTreeWidgetItem(self.pages, [title])
            group.setFlags(Qt.ItemFlag.ItemIsEnabled)
            for entry in sorted(registry, key=lambda entry: declared(entry.title).casefold()):
                item = QTreeWidgetItem(group, [declared(entry.title)])
                item.setData(0, _PLACE, f"{kind}/{entry.name}")
                self._entries[f"{kind}/{entry.name}"] = (kind, entry)
            group.setExpanded(True)
        for place, (title, _) in _GROUPS.items():
            item = QTreeWidgetItem(self.pages, [title])
            item.setData(0, _PLACE, place)

    def open_at(self, place: str) -> None:
        """Show a page and mark it in the list, and on it the setting that is asked for."""
        place, _, setting = place.partition("#")
        for item in self.pages.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive):
            if item.data(0, _PLACE) == place:
                self.pages.setCurrentItem(item)
        if setting:
            self.text.moveCursor(QTextCursor.MoveOperation.End)
            self.text.find(f"({setting})", QTextDocument.FindFlag.FindBackward)  # in the table, which comes last

    def _show(self, place: str | None) -> None:
        if place is None:
            return
        language = spoken_pages()
        if place.startswith("desk/"):
            self.text.setMarkdown(help_file(f"{place}.md", language).read_text(encoding="utf-8"))
        elif place in _GROUPS:
            title, model = _GROUPS[place]
            self.text.setMarkdown(group_page(tr(title), model.describe(), language))
        elif place:
            self.text.setMarkdown(page(*self._entries[place], language))
        else:
            self.text.setHtml(self._how_it_works())
        typeset(self.text.document())
        self._space_lines()
        self._share_out_columns()

    def _space_lines(self) -> None:
        """More room between the lines, as long texts need, and above headings, also below a formula or a table."""
        spaced = QTextBlockFormat()
        spaced.setLineHeight(_LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        above = QTextBlockFormat()
        above.setTopMargin(_ABOVE_HEADING)
        block = self.text.document().begin()
        while block.isValid():
            cursor = QTextCursor(block)
            if cursor.currentTable() is None:
                cursor.mergeBlockFormat(spaced)
            if block.blockNumber() and block.blockFormat().headingLevel():
                cursor.mergeBlockFormat(above)
            block = block.next()

    def _share_out_columns(self) -> None:
        """Tables of settings as wide as the page; left alone, a long word makes its column, and all lines, narrow."""
        for table in self.text.document().rootFrame().childFrames():
            if isinstance(table, QTextTable) and table.columns() == len(_COLUMN_PERCENT):
                shared = table.format()
                shared.setWidth(QTextLength(QTextLength.Type.PercentageLength, _TABLE_PERCENT))
                shares = [QTextLength(QTextLength.Type.PercentageLength, share) for share in _COLUMN_PERCENT]
                shared.setColumnWidthConstraints(shares)
                table.setFormat(shared)

    def _how_it_works(self) -> str:
        rows = "".join(
            f"<tr><td><b>{', '.join(map(_key, command.keys))}</b>&nbsp;&nbsp;&nbsp;</td>"
            f"<td>{tr(command.tip) if command.tip else plain(tr(command.text))}</td></tr>"
            for command in COMMANDS
            if command.keys
        )
        text = help_file("how-it-works.html", spoken_pages()).read_text(encoding="utf-8")
        for name, value in {**self._colours, "keys": rows}.items():
            text = text.replace(f"${name};", value)
        return text


def _key(keys: str) -> str:
    """A shortcut as this system and this language write it."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
