"""The sheet of keys, read from the menus and the parts of the window, so that it shows what is true."""

from collections.abc import Iterator
from html import escape

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDialog, QLabel, QMainWindow, QMenu, QTextBrowser, QWidget

from fsdesk.app.look.dialogs import framed, opened_at
from fsdesk.app.look.parts import button, label, named, row
from fsdesk.app.look.tokens import Tokens
from fsdesk.app.look.translation import plain, tr

__all__ = ["KeysDialog", "key_sheet"]


def key_sheet(window: QMainWindow) -> dict[str, list[tuple[str, str]]]:
    """By the title of a menu or part: what each command is called, and its keys or the way to it."""
    sheet: dict[str, list[tuple[str, str]]] = {}
    known: set[QAction] = set()
    for menu in window.menuBar().actions():
        sheet[plain(menu.text())] = [
            (plain(action.text()), _keys(action) or _way(menu, action)) for action in _commands(menu) if action.text()
        ]
        known.update(_commands(menu))
    for part in window.findChildren(QWidget):
        rows = [(plain(each.text()), _keys(each)) for each in part.actions() if each not in known and _keys(each)]
        if rows and part.accessibleName():
            sheet.setdefault(part.accessibleName(), []).extend(rows)
    sheet[tr("Everywhere")] = [
        (tr("To the next control, and back"), "Tab, Shift+Tab"),
        (tr("Press a button, tick a box"), tr("Space")),
        (tr("The menus; then the letter that is underlined"), "Alt"),
        (tr("What can be done with a row of a list"), tr("Menu key or Shift+F10")),
        (tr("Between the rows of a list and the choices of a box"), tr("Arrow keys")),
    ]
    sheet[tr("Heatmaps")] = [
        (tr("From feature to feature"), tr("Up, Down, Page Up, Page Down, Home, End")),
        (tr("From step to step, or from column to column"), tr("Left, Right")),
        (tr("Zoom across; the rows"), tr("+ and −; with Ctrl")),
        (tr("See all again"), "0"),
        (tr("The next feature that was found, the one before"), tr("Enter, Shift+Enter")),
    ]
    return sheet


def _commands(menu: QAction) -> Iterator[QAction]:
    inside = menu.menu()
    for action in inside.actions() if isinstance(inside, QMenu) else ():
        if not action.isSeparator():
            yield action


def _keys(action: QAction) -> str:
    native = QKeySequence.SequenceFormat.NativeText
    return ", ".join(key.toString(native) for key in action.shortcuts())


def _way(menu: QAction, action: QAction) -> str:
    letters = [QKeySequence.mnemonic(each.text()).toString()[-1:] for each in (menu, action)]
    return f"Alt+{letters[0]}, {letters[1]}" if all(letters) else ""


class KeysDialog(QDialog):
    """All commands with their keys."""

    def __init__(self, window: QMainWindow, tokens: Tokens) -> None:
        super().__init__(window)
        self.setObjectName("keysDialog")
        layout = framed(self, tr("Keys"), 560)
        opened_at(self, 640, 640)
        head: QLabel = label(tr("Everything can be done by keyboard"), "title")
        layout.addWidget(head)
        self.text = QTextBrowser()
        named(self.text, "keysText", tr("Commands and their keys"))
        self.text.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.text.setHtml(_html(key_sheet(window), tokens))
        layout.addWidget(self.text, 1)
        close = button(tr("Close"), "keysClose", "primary")
        close.clicked.connect(self.accept)
        layout.addLayout(row(None, close))


def _html(sheet: dict[str, list[tuple[str, str]]], tokens: Tokens) -> str:
    parts = []
    for title, rows in sheet.items():
        lines = "".join(
            f'<tr><td width="62%">{escape(said)}</td><td><b>{escape(keys)}</b></td></tr>' for said, keys in rows
        )
        heading = f'<h4 style="color:{tokens.muted}">{escape(title)}</h4>'
        parts.append(f'{heading}<table width="100%" cellpadding="3">{lines}</table>')
    return "".join(parts)
