"""The export dialog: files, folder, progress; and the export of a run by a worker."""

import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from PySide6.QtCore import QSettings, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from fsdesk.app.dialogs.dialog import Dialog, ask_file
from fsdesk.app.palette import SPACE
from fsdesk.app.session.run import Run
from fsdesk.app.session.session import Session
from fsdesk.app.widgets import button, column, label, named, progress_bar, row, scrolled
from fsdesk.messages import counted, current_language, mark, tr, tr_many, translated
from fsdesk.methods import Mask
from fsdesk.results.exports import EXPORTS, STANDARD, Export, writable
from fsdesk.results.record import RunRecord
from fsdesk.results.tasks import Written, export_task

_REMEMBERED = "export/files"
_SIGNED, _SIGNED_AS = "export/sign", "export/signAs"
_MOST_NAMED = 8
_WIDTH, _OF_THE_SCREEN = 1216, 0.95
_LEFT = (mark("Mask"), mark("Report"), mark("To reproduce"))  # these groups and the others are about equally tall


class _Page(QWidget):
    """Scroll content whose texts take only as many lines as they need at its width."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the minimum height to the new width; otherwise the page would scroll needlessly."""
        super().resizeEvent(event)
        inside = self.layout()
        if inside is not None:
            self.setMinimumHeight(inside.totalHeightForWidth(self.width()))


class ExportDialog(Dialog):
    """Choice of files and folder.

    ``chosen`` sends the folder and the names, and the dialog stays open to show progress.

    Bundles are signed as set in ``sign_as``.

    Parameters
    ----------
    of
        Name of the run.
    folder
        The proposed folder.
    store
        Stores which files were chosen.
    possible
        Names of the files available for this run; the others are shown but disabled.
    """

    chosen = Signal(Path, tuple)

    def __init__(self, parent: QWidget, of: str, folder: Path, store: QSettings, possible: Collection[str]) -> None:
        super().__init__(parent, "exportDialog", tr("Export results"), 480)
        self.store = store
        self.boxes: dict[str, QCheckBox] = {}
        layout = self.box
        layout.addWidget(label(of, "muted", wrap=True))
        groups = self._groups(possible)
        self.choices = scrolled(groups)
        self.choices.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)  # for narrow screens
        layout.addWidget(self.choices, 1)
        self.folder = QLineEdit(str(folder))
        named(self.folder, "exportFolder", tr("Destination folder"))
        self.folder.textChanged.connect(self._look)
        self.browse = button(tr("Browse …"), "exportBrowse")
        self.browse.clicked.connect(self._browse)
        layout.addLayout(row(label(tr("Folder"), "heading"), self.folder, self.browse))
        self._lay_out_foot()
        self._look()
        self._fit(groups)

    def _fit(self, groups: QWidget) -> None:
        """Use the preferred width and the height that all choices then need, within the screen."""
        inside = groups.layout()
        assert inside is not None
        self.ensurePolished()
        margins, bar = self.box.contentsMargins(), self.choices.verticalScrollBar().sizeHint().width()
        room = self.screen().availableGeometry().size() * _OF_THE_SCREEN
        wide = min(_WIDTH, room.width())
        others = self.box.totalMinimumHeightForWidth(wide) - self.choices.minimumSizeHint().height()
        needed = inside.totalHeightForWidth(wide - margins.left() - margins.right() - bar)
        self.resize(wide, min(room.height(), others + needed + SPACE))

    def _groups(self, possible: Collection[str]) -> QWidget:
        """Two columns of groups; a line for each item, with a box for each of its formats."""
        sides = (column(spacing=4), column(spacing=4))
        chosen = self._remembered()
        ordered = sorted(EXPORTS.values(), key=lambda each: each.group not in _LEFT)  # as Tab goes
        for group, members in groupby(ordered, lambda each: each.group):
            side = sides[0] if group in _LEFT else sides[1]
            if side.count():
                side.addSpacing(SPACE)
            side.addWidget(label(translated(group), "heading"))
            for _, formats in groupby(members, lambda each: each.title):
                side.addLayout(self._line(list(formats), chosen, possible))
        page = _Page()
        columns = QGridLayout(page)
        columns.setContentsMargins(0, 0, SPACE, 0)
        columns.setHorizontalSpacing(4 * SPACE)
        for place, side in enumerate(sides):
            side.addStretch(1)
            columns.addLayout(side, 0, place)
            columns.setColumnStretch(place, 1)
        return page

    def _line(self, formats: Sequence[Export], chosen: Collection[str], possible: Collection[str]) -> QVBoxLayout:
        first, title = formats[0], label(translated(formats[0].title), wrap=True)
        boxes = [self._box(each, each.name in chosen, each.name in possible) for each in formats]
        head = row(title, *boxes, spacing=12, grow=[title])  # a long title takes two lines
        about = [f"{translated(first.help)}.", *(_what_is_missing(each) for each in formats if each.lacks)]
        lines = (label(words, "caption", wrap=True) for words in about)
        made = column(head, *lines, spacing=0, margins=(0, 0, 0, 1))
        if first.sealed:
            made.addSpacing(6)
            made.addLayout(self._signing())
        return made

    def _signing(self) -> QHBoxLayout:
        """Whether bundles are signed, and under which name."""
        self.sign = QCheckBox(tr("Sign the bundle"))
        said = tr(
            "Signs the bundle with your key, which is created on first use, so that others can tell who sealed it."
        )
        named(self.sign, "exportSign", said)
        self.sign.setToolTip(said)
        self.sign.setChecked(self.store.value(_SIGNED, "") == "yes")
        self.signer = QLineEdit(str(self.store.value(_SIGNED_AS, "")))
        self.signer.setPlaceholderText(tr("Your name (optional)"))
        named(self.signer, "exportSignAs", tr("Name shown with the signature"))
        self.sign.toggled.connect(self._look)
        return row(self.sign, self.signer)

    def sign_as(self) -> str | None:
        """The name for signing bundles, possibly ""; None if they are not signed."""
        bundles = any(EXPORTS[name].sealed for name in self.names())
        return self.signer.text().strip() if bundles and self.sign.isChecked() else None

    def _box(self, each: Export, chosen: bool, possible: bool) -> QCheckBox:
        kind = translated(each.label) or each.suffix.removeprefix(".").upper()
        box = QCheckBox(kind)
        named(
            box,
            f"export_{each.name}",
            tr("{title} as {kind}: {help}", title=translated(each.title), kind=kind, help=translated(each.help)),
        )
        box.setEnabled(possible)
        box.setChecked(chosen and possible)
        box.setToolTip(each.name if possible else _what_is_missing(each) or tr("This run has no data for this figure."))
        box.toggled.connect(self._look)
        self.boxes[each.name] = box
        return box

    def _lay_out_foot(self) -> None:
        self.words = label("", "muted")
        named(self.words, "exportWords", tr("Files to write, or progress"))
        self.bar = progress_bar("exportProgress", tr("Files written"))
        self.bar.hide()
        self.ok = button(tr("Export"), "exportNow", "primary")
        self.ok.setDefault(True)
        self.ok.clicked.connect(self._begin)
        self.cancel = button(tr("Cancel"), "exportCancel")
        self.cancel.clicked.connect(self.reject)
        self.box.addWidget(self.bar)
        self.box.addLayout(row(self.words, None, self.cancel, self.ok))

    def _remembered(self) -> tuple[str, ...]:
        said = str(self.store.value(_REMEMBERED, ""))
        return tuple(name for name in said.split(",") if name in EXPORTS) or STANDARD

    def names(self) -> tuple[str, ...]:
        """The files that are chosen."""
        return tuple(name for name, box in self.boxes.items() if box.isChecked())

    def _look(self) -> None:
        number, folder = len(self.names()), self.folder.text().strip()
        there = [name for name in self.names() if folder and (Path(folder).expanduser() / name).exists()]
        replaced = tr_many(
            len(there), "{count} existing one will be replaced", "{count} existing ones will be replaced"
        )
        self.words.setText(counted(number, "file") + (f"; {replaced}" if there else ""))
        bundles = any(EXPORTS[name].sealed for name in self.names())
        self.sign.setEnabled(bundles)
        self.signer.setEnabled(bundles and self.sign.isChecked())
        self.ok.setEnabled(bool(self.folder.text().strip()) and number > 0)

    def _browse(self) -> None:
        start = self.folder.text()
        ask_file(self, "exportFolder", tr("Destination folder"), start, self.folder.setText, folder=True)

    def _begin(self) -> None:
        names = self.names()
        self.store.setValue(_REMEMBERED, ",".join(names))
        self.store.setValue(_SIGNED, "yes" if self.sign.isChecked() else "no")
        self.store.setValue(_SIGNED_AS, self.signer.text().strip())
        for control in (self.choices, self.folder, self.browse, self.ok):
            control.setEnabled(False)
        self.cancel.setText(tr("Hide"))
        self.cancel.setFocus()  # all else that could have it is disabled
        self.show_progress(Written(0, len(names)))
        self.bar.show()
        self.chosen.emit(Path(self.folder.text().strip()).expanduser(), names)

    def show_progress(self, written: Written) -> None:
        """Show the progress."""
        self.bar.setRange(0, written.total)
        self.bar.setValue(written.done)
        self.words.setText(tr("{done} of {total} files written", done=written.done, total=written.total))


def _what_is_missing(export: Export) -> str:
    """The library that a format lacks, and the remedy; "" if nothing is missing."""
    if not export.lacks:
        return ""
    if getattr(sys, "frozen", False):
        return tr(
            "{name} needs the library {library}, which is not included in this program. Choose another format.",
            name=export.name, library=export.library,
        )  # fmt: skip
    return tr(
        "{name} needs the library {library}. Install it with: pip install {install}.",
        name=export.name, library=export.library, install='"fsdesk[formats]"',
    )  # fmt: skip


def ask_export(parent: QWidget, session: Session, run: Run, folder: Path, mask: Mask | None = None) -> ExportDialog:
    """Let the user choose what to export of a run, and where; write it, and show the progress.

    ``mask`` is the finalist exported instead of the result.
    """
    light = replace(run.state, history=None)  # tens of megabytes that nothing here needs
    evidence = run.evidence if mask is None else ()  # held-out rows say nothing about another subset
    record = RunRecord.of(light, spec=run.spec, evidence=evidence)
    dialog = ExportDialog(parent, run.label, folder, session.store, writable(record))

    def show(written: Written) -> None:
        if not dialog.gone:  # it may be closed before all is written
            dialog.show_progress(written)

    async def write(place: Path, names: tuple[str, ...], sign_as: str | None) -> None:
        try:
            await export_run(session, run, place, names, show, mask, sign_as)
        finally:
            if not dialog.gone:
                dialog.accept()

    def begin(place: Path, names: tuple[str, ...]) -> None:
        session.tasks.begin(write(place, names, dialog.sign_as()), tr("exporting"), subject="export")

    dialog.chosen.connect(begin)
    dialog.open()
    return dialog


async def export_run(
    session: Session,
    run: Run,
    folder: Path,
    names: Sequence[str],
    show: Callable[[Written], None] | None = None,
    mask: Mask | None = None,
    sign_as: str | None = None,
) -> None:
    """Have a worker write files of a run, or of one of its finalists; ``show`` receives the progress.

    Bundles are signed with the name ``sign_as``, possibly ""; None means unsigned.
    """
    assert session.project is not None
    await session.flush()

    def on_message(message: object) -> None:
        if show is not None and isinstance(message, Written):
            show(message)

    where = str(session.project.path), run.id, str(folder), tuple(names)
    keys = str(session.folders.settings)
    written = await session.tasks.in_worker(
        export_task, *where, mask, current_language().name, sign_as, keys, on_message=on_message
    )
    files = (
        ", ".join(Path(path).name for path in written) if len(written) <= _MOST_NAMED else counted(len(written), "file")
    )
    session.tasks.say(
        "success", tr("Written to {folder}: {files}.", folder=folder, files=files), "export", path=str(folder)
    )
