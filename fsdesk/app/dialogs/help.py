"""The Help menu: how the program works, a page for every method and model, shortcuts, and versions."""

import re
from collections.abc import Iterator
from html import escape
from importlib.metadata import PackageMetadata, PackageNotFoundError, distribution, distributions
from platform import platform, python_version
from typing import Any, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QAction,
    QKeySequence,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QMainWindow,
    QMenu,
    QTextBrowser,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from fsdesk.app.actions import COMMANDS
from fsdesk.app.dialogs.dialog import Dialog
from fsdesk.app.palette import SPACE
from fsdesk.app.session.session import Session
from fsdesk.app.style import tokens
from fsdesk.app.translation import plain
from fsdesk.app.widgets import Card, Sign, button, column, label, named, row
from fsdesk.engine import Prefilter, Validation
from fsdesk.measure import MeasureSettings
from fsdesk.messages import mark, tr, translated
from fsdesk.methods import METHODS
from fsdesk.pages import group_page, help_file, page
from fsdesk.paths import resource
from fsdesk.settings import Entry, Registry, Settings
from fsdesk.wrappers import WRAPPERS

_PLACE = Qt.ItemDataRole.UserRole
_LINE_PERCENT = 125
_ABOVE_HEADING = 20  # pixels
_TABLE_PERCENT = 99  # with 100 its frame is a pixel too wide at some widths, and a scroll bar appears
_COLUMN_PERCENT = (18, 19, 21, 24, 18)  # of a table of settings: most space for their descriptions
_GROUPS: dict[str, tuple[str, type[Settings]]] = {
    "settings/measuring": (mark("Measuring"), MeasureSettings),
    "settings/prefilter": (mark("Prefiltering"), Prefilter),
    "settings/validation": (mark("Rows used for the search"), Validation),
}


class HelpDialog(Dialog):
    """A list of pages and the current page.

    Parameters
    ----------
    place
        The initial page, such as "methods/bspsa", "wrappers/nn#k" with the name of a setting, or "settings/measuring";
        "" for how the program works.
    """

    def __init__(self, parent: QWidget, place: str = "") -> None:
        super().__init__(parent, "helpDialog", tr("Help"), 720, headed=False)
        self.resize_to(1120, 720)
        self.pages = QTreeWidget()
        named(self.pages, "helpPages", tr("Help pages"))
        self.pages.setHeaderHidden(True)
        self.pages.setFixedWidth(288)
        self.text = QTextBrowser()
        named(self.text, "helpText", tr("Help"))
        self.text.setOpenExternalLinks(True)
        self.text.setFrameShape(QTextBrowser.Shape.NoFrame)
        self._entries: dict[str, tuple[str, Entry[Any]]] = {}
        self._fill()
        self.pages.currentItemChanged.connect(lambda item: self._show(item.data(0, _PLACE) if item else None))
        self.box.addLayout(row(self.pages, self.text, grow=[self.text]), 1)
        close = button(tr("Close"), "helpClose", "primary")
        close.clicked.connect(self.accept)
        self.box.addLayout(row(None, close))
        self.open_at(place)

    def _fill(self) -> None:
        first = QTreeWidgetItem(self.pages, [tr("How it works")])
        first.setData(0, _PLACE, "")
        window_pages = QTreeWidgetItem(self.pages, [tr("The window")])
        window_pages.setFlags(Qt.ItemFlag.ItemIsEnabled)
        for name in WINDOW_PAGES:
            item = QTreeWidgetItem(window_pages, [title_of(name)])
            item.setData(0, _PLACE, f"window/{name}")
        window_pages.setExpanded(True)
        groups: tuple[tuple[str, str, Registry[Any]], ...] = (
            (tr("Search methods"), "methods", METHODS),
            (tr("Models"), "wrappers", WRAPPERS),
        )
        for title, kind, registry in groups:
            group = QTreeWidgetItem(self.pages, [title])
            group.setFlags(Qt.ItemFlag.ItemIsEnabled)
            for entry in registry.listed(lambda entry: translated(entry.title)):
                item = QTreeWidgetItem(group, [translated(entry.title)])
                item.setData(0, _PLACE, f"{kind}/{entry.name}")
                self._entries[f"{kind}/{entry.name}"] = (kind, entry)
            group.setExpanded(True)
        for place, (title, _) in _GROUPS.items():
            item = QTreeWidgetItem(self.pages, [tr(title)])
            item.setData(0, _PLACE, place)

    def open_at(self, place: str) -> None:
        """Show a page and mark it in the list; scroll to the requested setting."""
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
        if place.startswith("window/"):
            self.text.setMarkdown(help_file(f"{place}.md").read_text(encoding="utf-8"))
        elif place in _GROUPS:
            title, model = _GROUPS[place]
            self.text.setMarkdown(group_page(tr(title), model.describe()))
        elif place:
            self.text.setMarkdown(page(*self._entries[place]))
        else:
            self.text.setHtml(self._how_it_works())
        typeset(self.text.document())
        self._space_lines()
        self._share_out_columns()

    def _space_lines(self) -> None:
        """Set larger line spacing, which suits long texts, and add space above headings, even below a table."""
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
        """Make tables of settings as wide as the page.

        Otherwise a long word would make its column narrow everything else.
        """
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
        text = help_file("how-it-works.html").read_text(encoding="utf-8")
        for name, value in {**tokens().colours(), "keys": rows}.items():
            text = text.replace(f"${name};", value)
        return text


def _key(keys: str) -> str:
    """A shortcut as written on this system and in this language."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


WINDOW_PAGES = (
    "data", "columns", "checks", "settings", "search", "curve", "heatmap", "features", "runs", "result", "compare",
    "honest-error", "new-rows", "studies", "cluster", "export", "projects", "glossary",
)  # fmt: skip
_PROPERTY = "helpPage"


def explain_by(part: QWidget, page: str, mark: str = "") -> None:
    """Declare the page of ``resources/help/window`` that explains a part and its content; a card shows a link to it.

    ``mark`` distinguishes the link if another card links to the same page.
    """
    part.setProperty(_PROPERTY, f"window/{page}")
    if isinstance(part, Card):
        part.offer_help(f"window/{page}", mark or page)


def page_of(widget: QWidget | None) -> str:
    """The page of the nearest enclosing part that has one; "" if there is none."""
    while widget is not None:
        place = widget.property(_PROPERTY)
        if place:
            return str(place)
        widget = widget.parentWidget()
    return ""


def title_of(page: str) -> str:
    """The title of a page, from its first line."""
    with help_file(f"window/{page}.md").open(encoding="utf-8") as text:
        return text.readline().lstrip("# ").strip()


_INDENT = 24
_SYMBOLS = (
    (r"\balpha\b", "α"),
    (r"\bgamma\b", "γ"),
    (r"\brho\b", "ρ"),
    (r"\bsqrt\b", "√"),
    (r"<-", "←"),
    (r">=", "≥"),
    (r"\+-", "±"),
    (r" ~ ", " ∝ "),
    (r" [*.] ", " · "),
    (r"\b([cd])~", "\\1\N{COMBINING TILDE}"),
    (r"\bH\^(?=[\s)]|$)", "Ĥ"),
    (r"(?<![^\W\d_])-|-(?![^\W\d_])", "−"),  # a hyphen between two letters is kept
)
_PART = re.compile(
    r"[_^](?P<named>−?[^\W_]+)"  # x_i, m^2, S^-1
    r"|[_^](?=\()"  # x_(k - 1): the content of the parentheses
    r"|(?<=\b[wy])(?P<side>[+−±])(?=[\s).,:|]|$)"  # w+
    r"|(?<![^\W_])(?P<letter>[^\W\d_]\N{COMBINING TILDE}?)(?![^\W\d_])"
)
_IN_PROSE = re.compile(
    r"(?<!\w)[^\W\d_](?:_(?:[^\W_]|\([^)]*\))|~|\+-|[+-](?=[\s),.]))(?!\w)"  # w_k, w_(k+1), d~, y+
    r"|(?<=[^\W_]|\))\^(?:[^\W_]+|\([^)]*\))"  # 2^p
    r"|\b(?:alpha|gamma|rho)\b(?=[ ,.]+(?:is|ist)\b)"
)
_IS_CODE = re.compile(r"\w=\w")


class Piece(NamedTuple):
    """A part of a formula: its text, 1 for superscript or -1 for subscript, and whether it names a quantity."""

    text: str
    level: int = 0
    is_name: bool = False


def pieces(formula: str) -> list[Piece]:
    """Split a formula: subscripts after ``_`` and superscripts after ``^``, with mathematical signs for words."""
    for written, sign in _SYMBOLS:
        formula = re.sub(written, sign, formula)
    return [piece for piece in _cut(formula, 0) if piece.text]


def _cut(formula: str, level: int) -> Iterator[Piece]:
    done = 0
    while found := _PART.search(formula, done):
        yield Piece(formula[done : found.start()], level)
        done = found.end()
        aside = -1 if found[0].startswith("_") else 1
        if found["letter"]:
            yield Piece(found["letter"], level, is_name=True)
        elif found["side"]:
            yield Piece(found["side"], 1)
        elif found["named"]:
            yield from _cut(found["named"], aside)
        else:
            end = _closing(formula, done)
            yield from _cut(formula[done + 1 : end], aside)
            done = end + 1
    yield Piece(formula[done:], level)


def _closing(formula: str, opened: int) -> int:
    """The position of the parenthesis that closes the one at ``opened``."""
    depth = 0
    for place in range(opened, len(formula)):
        depth += {"(": 1, ")": -1}.get(formula[place], 0)
        if depth == 0:
            return place
    return len(formula)


def typeset(document: QTextDocument) -> None:
    """Format the formulas of a page, and their symbols in its sentences; code is unchanged."""
    block = document.begin()
    while block.isValid():
        if not block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeLanguage):
            for found in reversed(list(_IN_PROSE.finditer(block.text()))):
                _set(block, found.start(), found.end())
        elif not _IS_CODE.search(block.text()):
            _set(block, 0, block.length() - 1)
            indented = QTextBlockFormat()
            indented.setLeftMargin(_INDENT)
            QTextCursor(block).mergeBlockFormat(indented)
        block = block.next()


def _set(block: QTextBlock, start: int, end: int) -> None:
    """Replace a part of a block by its pieces, in the format of sentences; code within a sentence is unchanged."""
    cursor = QTextCursor(block)
    cursor.setPosition(block.position() + start)
    cursor.setPosition(block.position() + end, QTextCursor.MoveMode.KeepAnchor)
    is_sentence = not block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeLanguage)
    if is_sentence and cursor.charFormat().fontFamilies():
        return
    for piece in pieces(cursor.selectedText()):
        look = QTextCharFormat()
        look.setFontItalic(piece.is_name)
        if piece.level:
            place = QTextCharFormat.VerticalAlignment
            look.setVerticalAlignment(place.AlignSuperScript if piece.level > 0 else place.AlignSubScript)
        cursor.insertText(piece.text, look)


def key_sheet(window: QMainWindow) -> dict[str, list[tuple[str, str]]]:
    """The keys by title of a menu or part: the name of each command, and its keys or where to find it."""
    sheet: dict[str, list[tuple[str, str]]] = {}
    known: set[QAction] = set()
    for menu in window.menuBar().actions():
        sheet[plain(menu.text())] = [
            (plain(action.text()), _keys_of(action) or _way(menu, action))
            for action in _commands(menu)
            if action.text()
        ]
        known.update(_commands(menu))
    for part in window.findChildren(QWidget):
        rows = [(plain(each.text()), _keys_of(each)) for each in part.actions() if each not in known and _keys_of(each)]
        if rows and part.accessibleName():
            sheet.setdefault(part.accessibleName(), []).extend(rows)
    sheet[tr("General")] = [
        (tr("Next control, previous control"), "Tab, Shift+Tab"),
        (tr("Press a button, tick a box"), tr("Space")),
        (tr("Open the menus; then press the underlined letter"), "Alt"),
        (tr("Actions for a row of a list"), tr("Menu key or Shift+F10")),
        (tr("Move through a table, a list or a drop-down menu"), tr("Arrow keys")),
    ]
    sheet[tr("Heatmaps")] = [
        (tr("Previous or next feature"), tr("Up, Down, Page Up, Page Down, Home, End")),
        (tr("Previous or next step (or column)"), tr("Left, Right")),
        (tr("Zoom horizontally; with Ctrl, the rows"), tr("+ and −; with Ctrl")),
        (tr("Show everything"), "0"),
        (tr("Next match, previous match"), tr("Enter, Shift+Enter")),
    ]
    return sheet


def _commands(menu: QAction) -> Iterator[QAction]:
    inside = menu.menu()
    for action in inside.actions() if isinstance(inside, QMenu) else ():
        if not action.isSeparator():
            yield action


def _keys_of(action: QAction) -> str:
    native = QKeySequence.SequenceFormat.NativeText
    return ", ".join(key.toString(native) for key in action.shortcuts())


def _way(menu: QAction, action: QAction) -> str:
    letters = [QKeySequence.mnemonic(each.text()).toString()[-1:] for each in (menu, action)]
    return f"Alt+{letters[0]}, {letters[1]}" if all(letters) else ""


class KeysDialog(Dialog):
    """All commands with their keys."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window, "keysDialog", tr("Keys"), 560, headed=False)
        self.resize_to(640, 640)
        self.text = QTextBrowser()
        named(self.text, "keysText", tr("Commands and shortcuts"))
        self.text.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.text.setHtml(_html(key_sheet(window)))
        close = button(tr("Close"), "keysClose", "primary")
        close.clicked.connect(self.accept)
        self.box.addWidget(label(tr("Everything can be done from the keyboard"), "title"))
        self.box.addWidget(self.text, 1)
        self.box.addLayout(row(None, close))


def _html(sheet: dict[str, list[tuple[str, str]]]) -> str:
    parts = []
    for title, rows in sheet.items():
        lines = "".join(
            f'<tr><td width="62%">{escape(said)}</td><td><b>{escape(keys)}</b></td></tr>' for said, keys in rows
        )
        heading = f'<h4 style="color:{tokens().muted}">{escape(title)}</h4>'
        parts.append(f'{heading}<table width="100%" cellpadding="3">{lines}</table>')
    return "".join(parts)


_LONGEST = 60
_NOT_SHIPPED = re.compile(r"extra *== *[\"'](?!app|formats|cluster)")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class Package(NamedTuple):
    """A package with its version and the short name of its license."""

    name: str
    version: str
    licence: str


def packages() -> list[Package]:
    """All direct and indirect dependencies of fsdesk, by name; reads many small files."""
    found: dict[str, Package] = {}
    try:
        waiting = [distribution("fsdesk")]
    except PackageNotFoundError:  # a source tree: any installed package may be used
        waiting = list(distributions())
    while waiting:
        each = waiting.pop()
        said = each.metadata
        name = said["Name"]
        if name.lower() in found:
            continue
        found[name.lower()] = Package(name, said["Version"], _licence(said))
        for needed in each.requires or []:
            wanted = _NAME.match(needed)
            if wanted is not None and not _NOT_SHIPPED.search(needed):
                try:
                    waiting.append(distribution(wanted.group()))
                except PackageNotFoundError:  # optional, or for another system
                    continue
    return [found[name] for name in sorted(found)]


def releases_page() -> str:
    """Address of the page with published versions, from pyproject.toml; it is not contacted here."""
    links = [str(each).partition(", ") for each in distribution("fsdesk").metadata.get_all("Project-URL") or ()]
    return next(address for name, _, address in links if name == "Releases")


def _build() -> str:
    """Build information from packaging/build.py: commit, date, system; "" in a source tree or a wheel."""
    note = resource("build.txt")
    return note.read_text(encoding="utf-8").strip() if note.is_file() else ""


def _licence(meta: PackageMetadata) -> str:
    names = [*(meta.get_all("License-Expression") or ()), *(meta.get_all("License") or ()), ""]
    said = str(names[0]).strip()
    if said and "\n" not in said and len(said) <= _LONGEST:
        return said
    classifiers = [str(each) for each in meta.get_all("Classifier") or () if str(each).startswith("License ::")]
    if classifiers:
        return ", ".join(each.rpartition(":: ")[2] for each in classifiers)
    first = said.partition("\n")[0].strip()
    return first[:_LONGEST] or tr("see its own files")


class AboutDialog(Dialog):
    """The program's description, and the versions to include in a problem report."""

    def __init__(self, parent: QWidget, session: Session) -> None:
        super().__init__(parent, "aboutDialog", tr("About fsdesk"), 600, headed=False)
        self.resize_to(680, 600)
        about = label(tr("Wrapper feature selection"), "muted")
        texts = column(
            label("fsdesk", "display"), about, label(tr("Free software under the MIT license"), "caption"), spacing=2
        )
        self.box.addLayout(row(Sign("../fsdesk", "text", 64), texts, spacing=2 * SPACE, grow=[texts]))
        self.system = label(f"Python {python_version()}", "caption", wrap=True)
        self.box.addWidget(self.system)
        self.list = QTreeWidget()
        named(self.list, "versions", tr("Versions and licenses of the bundled packages"))
        self.list.setHeaderLabels([tr("Package"), tr("Version"), tr("License")])
        self.list.setRootIsDecorated(False)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        QTreeWidgetItem(self.list, [tr("Reading the versions …")]).setFirstColumnSpanned(True)
        self.box.addWidget(self.list, 1)
        copy = button(tr("Copy all"), "aboutCopy", spoken=tr("Copy all versions, for a problem report"))
        copy.clicked.connect(lambda: QApplication.clipboard().setText(self.text()))
        close = button(tr("Close"), "aboutClose", "primary")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        self.box.addLayout(row(copy, None, close))
        session.tasks.begin(self._fill(session), tr("reading the versions"), quietly=True)

    async def _fill(self, session: Session) -> None:
        system = await session.tasks.in_thread(platform)  # it may start another program to find out
        found = await session.tasks.in_thread(packages)
        if self.gone:
            return
        self.list.clear()
        own = next((f"fsdesk {package.version}, " for package in found if package.name == "fsdesk"), "")
        build = _build()
        built = tr("built from {commit}", commit=build) + ", " if build else ""
        self.system.setText(f"{own}{built}{self.system.text()}, {system}")
        for package in found:
            item = QTreeWidgetItem(self.list, list(package))
            item.setToolTip(2, package.licence)
        for place in range(3):
            self.list.resizeColumnToContents(place)
        self.list.header().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)

    def text(self) -> str:
        """The whole text, without formatting."""
        items = [self.list.topLevelItem(place) for place in range(self.list.topLevelItemCount())]
        lines = [" ".join(item.text(column) for column in range(3)) for item in items if item is not None]
        return "\n".join([self.system.text(), *lines])
