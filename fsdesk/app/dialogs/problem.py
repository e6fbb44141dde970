"""A problem report: versions and the end of the log without names or data values, shown before it is saved."""

import os
import re
from pathlib import Path
from platform import platform, python_version

from PySide6.QtCore import qVersion
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from fsdesk.app.dialogs.dialog import Dialog, ask_save
from fsdesk.app.session.session import Session
from fsdesk.app.widgets import button, label, named, row
from fsdesk.errors import UserError
from fsdesk.messages import current_language, tr

_MOST_LINES = 200
_CODE = re.compile(r'^(\s*File ")(?:.*[\\/])?((?:fsdesk|site-packages)[\\/][^"]*)(", line .*)$')
_OTHER_CODE = re.compile(r'^(\s*File ")(?:.*[\\/])?([^"\\/]*)(", line .*)$')
_QUOTED = re.compile(r'"[^"]*"|„[^“]*“|“[^”]*”|\'[^\']*\'')
_BRACKETS = re.compile(r"\([^()]*\)")
_PATH = re.compile(r"(?:[A-Za-z]:[\\/]|~?/)[^\s:;,()]+(?:[\\/][^\s:;,()]*)*")
_STAMP = re.compile(r"^\d{4}-\d{2}-\d{2} \S+ [A-Z]+ \S+: ")
_DOTS = "…"


def masked(line: str) -> str:
    """A line of the log without parts that may come from data.

    Only the kind of an informational message is kept. Other messages keep everything except quoted or bracketed parts,
    paths and numbers. Lines of code keep the name of the file within the program, and entries keep their time.
    """
    code = _CODE.match(line) or _OTHER_CODE.match(line)
    if code is not None:
        return f"{code[1]}{code[2]}{code[3]}"
    stamp = _STAMP.match(line)
    head, rest = ("", line) if stamp is None else (stamp[0], line[stamp.end() :])
    if " INFO " in head:
        kind = rest.partition(" ")[0]
        return f"{head}{kind} {_DOTS}" if kind.endswith(":") else f"{head}{_DOTS}"
    rest = rest if stamp is None else _BRACKETS.sub(f"({_DOTS})", rest)
    rest = _PATH.sub(_DOTS, _QUOTED.sub(f'"{_DOTS}"', rest))
    return head + re.sub(r"\d+(?:[.,]\d+)*", "#", rest)


def report_text(log: Path, versions: dict[str, str], system: str, screen: str) -> str:
    """Information for developers; the last lines of the log are read here.

    Parameters
    ----------
    log
        The log file, which may not exist.
    versions
        Versions of the program and its libraries, by name.
    system, screen
        Operating system, and size and scale of the screen.
    """
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-_MOST_LINES:]
    except OSError:
        lines = []
    parts = [
        *(f"{name} {version}" for name, version in versions.items()),
        system,
        screen,
        "",
        tr("The last {count} lines of the log, without names, values, paths and numbers:", count=len(lines)),
        *map(masked, lines),
    ]
    return "\n".join(parts) + "\n"


def _screen(widget: QWidget) -> str:
    size, scale = widget.screen().size(), widget.devicePixelRatioF()
    platform_name = QGuiApplication.platformName()
    language = current_language().name
    return f"screen {size.width()} x {size.height()}, scale {scale:g}, {platform_name}, language {language}"


class ProblemDialog(Dialog):
    """Shows the report, which can be edited, and saves or copies it; nothing is sent."""

    def __init__(self, parent: QWidget, session: Session) -> None:
        super().__init__(parent, "problemDialog", tr("Report a problem"), 560)
        self.session = session
        words = tr(
            "This text helps to find the cause. It contains software versions and the end of the log, without "
            "numbers, paths or anything in quotation marks or brackets. Check that none of your data remain, edit "
            "the text as you like, and send the file or the copied text yourself; fsdesk sends nothing."
        )
        self.box.addWidget(label(words, wrap=True))
        self.text = QPlainTextEdit()
        named(self.text, "problemText", tr("Report (editable)"))
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setTabChangesFocus(True)
        self.text.setPlaceholderText(tr("Reading the log …"))
        self.box.addWidget(self.text, 1)
        self.copy = button(tr("Copy"), "problemCopy", spoken=tr("Copy the report"))
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        self.save = button(tr("Save …"), "problemSave", "primary")
        self.save.clicked.connect(self._save)
        close = button(tr("Close"), "problemClose")
        close.clicked.connect(self.accept)
        self.box.addLayout(row(None, self.copy, close, self.save))
        self.resize_to(760, 600)
        session.tasks.begin(self._fill(), tr("reading the log"), quietly=True)

    async def _fill(self) -> None:
        screen, log = _screen(self), self.session.folders.log_file

        def read() -> str:
            from fsdesk.app.dialogs.help import packages

            own = {each.name: each.version for each in packages() if each.name in _NAMED}
            versions = {**own, "Python": python_version(), "Qt": qVersion()}
            return report_text(log, versions, f"{platform()}, {os.cpu_count()} cores", screen)

        text = await self.session.tasks.in_thread(read)
        if not self.gone:
            self.text.setPlainText(text)

    def _save(self) -> None:
        text = self.text.toPlainText()

        async def write(file: Path) -> None:
            await self.session.tasks.in_thread(_write, file, text)

        ask_save(
            self, self.session, "problem", tr("Save the report"), "fsdesk-problem.txt", f"{tr('Text')} (*.txt)", write,
            tr("saving the report"),
        )  # fmt: skip


_NAMED = ("fsdesk", "numpy", "scipy", "scikit-learn", "pandas", "PySide6", "PySide6_Essentials", "pyqtgraph", "qasync")


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(
            'Cannot write "{path}" ({reason}). Choose another folder.', path=path, reason=error.strerror
        ) from error
