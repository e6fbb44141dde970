"""What this program is made of: versions and licences of all packages that come with it."""

import re
from email import message_from_string
from email.message import Message
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions
from platform import platform, python_version
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDialog,
    QHBoxLayout,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from fsdesk.app.dialogs.dialog import framed, opened_at
from fsdesk.app.palette import SPACE, Tokens
from fsdesk.app.session.session import Session
from fsdesk.app.style import pixmap
from fsdesk.app.widgets import button, label, named, row
from fsdesk.messages import tr
from fsdesk.paths import resource

__all__ = ["AboutDialog", "Package", "packages", "releases_page"]

_LONGEST = 60
_NOT_SHIPPED = re.compile(r"extra *== *[\"'](?!formats|cluster)")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class Package(NamedTuple):
    """A package with its version and the short name of its licence."""

    name: str
    version: str
    licence: str


def packages() -> list[Package]:
    """All packages that fsdesk needs, directly or not, by name; reads many small files."""
    found: dict[str, Package] = {}
    try:
        waiting = [distribution("fsdesk")]
    except PackageNotFoundError:  # a source tree: whatever is there may be used
        waiting = list(distributions())
    while waiting:
        each = waiting.pop()
        said = _head(each)
        name = str(said["Name"])
        if name.lower() in found:
            continue
        found[name.lower()] = Package(name, str(said["Version"]), _licence(said))
        for needed in _needs(each, said):
            wanted = _NAME.match(needed)
            if wanted is not None and not _NOT_SHIPPED.search(needed):
                try:
                    waiting.append(distribution(wanted.group()))
                except PackageNotFoundError:  # of an extra, or for another system
                    continue
    return [found[name] for name in sorted(found)]


def releases_page() -> str:
    """Address of the page where versions are published, as pyproject.toml names it; nothing is asked of it here."""
    links = [str(each).partition(", ") for each in distribution("fsdesk").metadata.get_all("Project-URL") or ()]
    return next(address for name, _, address in links if name == "Releases")


def _build() -> str:
    """What packaging/build.py noted of the build: commit, date, system; "" in a source tree or a wheel."""
    note = resource("build.txt")
    return note.read_text(encoding="utf-8").strip() if note.is_file() else ""


def _head(of: Distribution) -> Message:
    """What a package says of itself, without the long description below: reading that would hold up the window."""
    said = of.read_text("METADATA") or of.read_text("PKG-INFO") or ""
    return message_from_string(re.split(r"\r?\n\r?\n", said, maxsplit=1)[0])


def _needs(of: Distribution, said: Message) -> list[str]:
    """What it needs; an egg has that in a file of its own."""
    return said.get_all("Requires-Dist") or ([] if of.read_text("METADATA") else of.requires or [])


def _licence(meta: Message) -> str:
    names = [*(meta.get_all("License-Expression") or ()), *(meta.get_all("License") or ()), ""]
    said = str(names[0]).strip()
    if said and "\n" not in said and len(said) <= _LONGEST:
        return said
    classifiers = [str(each) for each in meta.get_all("Classifier") or () if str(each).startswith("License ::")]
    if classifiers:
        return ", ".join(each.rpartition(":: ")[2] for each in classifiers)
    first = said.partition("\n")[0].strip()
    return first[:_LONGEST] or tr("see its own files")


class AboutDialog(QDialog):
    """What this program is, and the versions that a report of a problem should name."""

    def __init__(self, parent: QWidget, tokens: Tokens, session: Session) -> None:
        super().__init__(parent)
        self.setObjectName("aboutDialog")
        layout = framed(self, tr("About fsdesk"), 600)
        opened_at(self, 680, 600)
        mark = QLabel()
        mark.setPixmap(pixmap("../fsdesk", tokens.text, 64, self.devicePixelRatioF()))
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(label("fsdesk", "display"))
        texts.addWidget(label(tr("Wrapper feature selection"), "muted"))
        texts.addWidget(label(tr("Free software under the MIT licence"), "caption"))
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        head.addWidget(mark)
        head.addLayout(texts, 1)
        layout.addLayout(head)
        self.system = label(f"Python {python_version()}", "caption", wrap=True)
        layout.addWidget(self.system)
        self.list = QTreeWidget()
        named(self.list, "versions", tr("Versions and licences of the packages inside"))
        self.list.setHeaderLabels([tr("Package"), tr("Version"), tr("Licence")])
        self.list.setRootIsDecorated(False)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        QTreeWidgetItem(self.list, [tr("Reading the versions …")]).setFirstColumnSpanned(True)
        layout.addWidget(self.list, 1)
        copy = button(tr("Copy all"), "aboutCopy", spoken=tr("Copy all versions for a report of a problem"))
        copy.clicked.connect(lambda: QApplication.clipboard().setText(self.text()))
        close = button(tr("Close"), "aboutClose", "primary")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        layout.addLayout(row(copy, None, close))
        self._gone = False
        self.finished.connect(self._leave)
        session.tasks.begin(self._fill(session), tr("reading the versions"), quietly=True)

    def _leave(self) -> None:
        self._gone = True

    async def _fill(self, session: Session) -> None:
        system = await session.tasks.in_thread(platform)  # it may start another program to find out
        found = await session.tasks.in_thread(packages)
        if self._gone:
            return
        self.list.clear()
        own = next((f"fsdesk {package.version}, " for package in found if package.name == "fsdesk"), "")
        build = _build()
        built = tr("built from {commit}", commit=build) + ", " if build else ""
        self.system.setText(f"{own}{built}{self.system.text()}, {system}")
        for package in found:
            item = QTreeWidgetItem(self.list, list(package))
            item.setToolTip(2, package.licence)
        for column in range(3):
            self.list.resizeColumnToContents(column)
        self.list.header().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)

    def text(self) -> str:
        """All of it as plain text."""
        items = [self.list.topLevelItem(place) for place in range(self.list.topLevelItemCount())]
        lines = [" ".join(item.text(column) for column in range(3)) for item in items if item is not None]
        return "\n".join([self.system.text(), *lines])
