"""Remote resources: OpenML data sets, tables from the web, and Dask clusters that compute runs."""

import asyncio

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from fsdesk.app.dialogs.dialog import Dialog, TroubleFrame
from fsdesk.app.session.session import Session
from fsdesk.app.widgets import button, label, named, progress_bar, row
from fsdesk.data.readers.address import address_of
from fsdesk.data.readers.download import Progress
from fsdesk.errors import UserError
from fsdesk.messages import mark, number, tr, tr_many, translated

_MEGABYTE = 1e6
_OPENML = mark(
    "OpenML hosts thousands of public data sets; browse them at www.openml.org. Each data set is downloaded once and "
    "kept on this computer."
)
_ADDRESS = mark(
    "Paste the download address of a table: a file in a repository such as Zenodo or GEO, on GitHub, or a Google "
    "sheet that anyone with the link can view."
)


class DownloadDialog(Dialog):
    """The item to download, progress, and an error if it fails; closed when the table is open.

    Parameters
    ----------
    name, title, invitation
        Prefix of the names of its controls; its title; what can be opened with it.
    asked, example
        The input, and the placeholder of the empty field.
    """

    def __init__(
        self, parent: QWidget, session: Session, name: str, title: str, invitation: str, asked: str, example: str
    ) -> None:
        super().__init__(parent, f"{name}Dialog", title, 480)
        self._session = session
        self._work: asyncio.Task[None] | None = None
        self.wanted = QLineEdit()
        self.wanted.setPlaceholderText(example)
        named(self.wanted, f"{name}Wanted", asked)
        self.wanted.textChanged.connect(self._look)
        self.bar = progress_bar(f"{name}Progress", tr("Download progress"))
        self.status = label("", "caption", wrap=True)
        self.trouble = TroubleFrame(f"{name}Trouble")
        self.ok = button(tr("Open"), f"{name}Open", "primary")
        self.ok.setDefault(True)
        self.ok.clicked.connect(self._begin)
        self.cancel = button(tr("Cancel"), f"{name}Cancel")
        self.cancel.setAutoDefault(False)
        self.cancel.clicked.connect(self._cancel)
        heading = label(asked, "heading")
        heading.setBuddy(self.wanted)
        words = label(invitation, "muted", wrap=True)
        for widget in (words, heading, self.wanted, self.bar, self.status, self.trouble):
            self.box.addWidget(widget)
        self.box.addStretch(1)
        self.box.addLayout(row(None, self.cancel, self.ok))
        self._show_rest("")

    async def _load(self, wanted: str) -> None:
        """Download and open the input."""
        raise NotImplementedError

    def _doing(self, wanted: str) -> str:
        """Description of the activity, for messages about it."""
        raise NotImplementedError

    def _asking(self) -> str:
        """The status before any data has arrived."""
        return tr("Waiting for a response …")

    def _downloading(self, done: str) -> str:
        """The status after this many megabytes."""
        return tr("Downloading: {done} MB", done=done)

    def _look(self) -> None:
        self.ok.setEnabled(self._work is None and bool(self.wanted.text().strip()))

    def _show_rest(self, trouble: str, status: str = "") -> None:
        """Show the idle state, and the previous error."""
        self._work = None
        self.wanted.setEnabled(True)
        self.bar.hide()
        self.status.setText(status)
        self.status.setVisible(bool(status))
        self.trouble.say(trouble)
        self._look()
        self.adjustSize()
        self.wanted.setFocus()

    def _begin(self) -> None:
        wanted = self.wanted.text().strip()
        self._session.tasks.begin(self._fetch(wanted), self._doing(wanted), subject="open")

    async def _fetch(self, wanted: str) -> None:
        self._work = asyncio.current_task()
        self.ok.setEnabled(False)
        self.wanted.setEnabled(False)
        self.trouble.say("")
        self.bar.setRange(0, 0)
        self.bar.show()
        self.status.show()
        self.status.setText(self._asking())
        try:
            await self._load(wanted)
        except asyncio.CancelledError:
            if not self.gone:
                self._show_rest("", tr("Download stopped; nothing was saved."))
        except UserError as error:
            if self._session.loader.refusal == translated(str(error)):  # open; only another target is needed
                self.accept()
                raise
            if not self.gone:
                self._show_rest(translated(str(error)))
        else:
            self.accept()

    def _show_progress(self, progress: Progress) -> None:
        if self.gone or self._work is None:
            return
        so_far = number(progress.done / _MEGABYTE, ".1f")
        # Qt counts in 32 bits, a download may be longer.
        self.bar.setRange(0, 1000 if progress.total else 0)
        if progress.total:
            self.bar.setValue(round(1000 * progress.done / progress.total))
            so_far = tr("{done} of {total:.1f}", done=so_far, total=progress.total / _MEGABYTE)
        self.status.setText(self._downloading(so_far))

    def _cancel(self) -> None:
        if self._work is None:
            self.reject()
        else:
            self._work.cancel()

    def done(self, result: int) -> None:
        """Close, and end a download that is no longer needed."""
        if result == QDialog.DialogCode.Rejected and self._work is not None:
            self._work.cancel()
        super().done(result)


class OpenmlDialog(DownloadDialog):
    """An OpenML data set by name or number."""

    def __init__(self, parent: QWidget, session: Session) -> None:
        asked, example = tr("Name or number of the data set"), tr("Name or number, such as iris or 61")
        super().__init__(parent, session, "openml", tr("Open from OpenML"), tr(_OPENML), asked, example)

    async def _load(self, wanted: str) -> None:
        await self._session.loader.open_openml(wanted, self._show_progress)

    def _doing(self, wanted: str) -> str:
        return tr("opening {name} from OpenML", name=wanted)

    def _asking(self) -> str:
        return tr("Contacting OpenML …")

    def _downloading(self, done: str) -> str:
        return tr("Downloading from OpenML: {done} MB", done=done)


class AddressDialog(DownloadDialog):
    """A table at a web address; one on the clipboard is filled in."""

    def __init__(self, parent: QWidget, session: Session) -> None:
        asked = tr("Address of the table")
        super().__init__(parent, session, "address", tr("Open from the web"), tr(_ADDRESS), asked, "https://")
        copied = QGuiApplication.clipboard().text().strip()
        if copied.lower().startswith("https://") and len(copied.split()) == 1:
            self.wanted.setText(copied)
            self.wanted.selectAll()

    async def _load(self, wanted: str) -> None:
        address = address_of(wanted)
        if address is None:
            raise UserError("A web address begins with https:// and names a file.")
        await self._session.loader.open_address(address, self._show_progress)

    def _doing(self, wanted: str) -> str:
        return tr("opening {name}", name=wanted)


_CLUSTER_INVITATION = mark(
    "The scheduler of a Dask cluster distributes runs, and the folds of held-out errors, to workers on other "
    "machines. Results are identical to those computed here. The help page on clusters explains how to start one."
)
_WARNING = mark(
    "Your data are sent to the cluster, and anyone who can reach its scheduler can run programs there. Use only a "
    "scheduler restricted to people you trust."
)


class ClusterDialog(Dialog):
    """Asks for the address; shows where runs are computed now, and an error if the cluster cannot be joined."""

    def __init__(self, parent: QWidget, session: Session) -> None:
        super().__init__(parent, "clusterDialog", tr("Compute on a cluster"), 520)
        self._session = session
        self.address = QLineEdit(session.cluster.address)
        self.address.setPlaceholderText("tcp://10.0.0.5:8786")
        named(self.address, "clusterAddress", tr("Address of the scheduler"))
        self.address.textChanged.connect(self._show)
        self.status = label("", wrap=True)
        named(self.status, "clusterStatus", tr("Where runs are computed"))
        self.trouble = TroubleFrame("clusterTrouble")
        self.trouble.say(session.cluster.refusal)
        self.join = button(tr("Connect"), "clusterJoin", "primary")
        self.join.setDefault(True)
        self.join.clicked.connect(self._begin)
        self.leave = button(tr("Use this computer"), "clusterLeave")
        self.leave.setAutoDefault(False)
        self.leave.clicked.connect(self._go_home)
        self.cancel = button(tr("Close"), "clusterClose")
        self.cancel.setAutoDefault(False)
        self.cancel.clicked.connect(self.reject)
        self._connecting = False
        title = label(tr("Address of the scheduler"), "heading")
        title.setBuddy(self.address)
        words = (label(tr(each), "muted", wrap=True) for each in (_CLUSTER_INVITATION, _WARNING))
        for widget in (*words, title, self.address, self.status, self.trouble):
            self.box.addWidget(widget)
        self.box.addStretch(1)
        self.box.addLayout(row(None, self.cancel, self.leave, self.join))
        session.cluster.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        if self.gone:
            return
        cluster = self._session.cluster
        self.status.setText(tr("Connecting …") if self._connecting else cluster.sentence)
        self.address.setEnabled(not self._connecting)
        self.join.setEnabled(not self._connecting and bool(self.address.text().strip()))
        self.leave.setEnabled(not self._connecting and cluster.pool is not None)

    def _begin(self) -> None:
        self._session.tasks.begin(self._join(self.address.text()), tr("connecting to the cluster"), subject="cluster")

    async def _join(self, address: str) -> None:
        self._connecting = True
        self.trouble.say("")
        self._show()
        try:
            threads = await self._session.cluster.join(address)
        except UserError as error:
            if self.gone:
                raise
            self.trouble.say(translated(str(error)))
        else:
            sentence = tr_many(
                threads,
                "Connected to the cluster; its workers run {count} search at a time.",
                "Connected to the cluster; its workers run {count} searches at a time.",
            )
            self._session.tasks.say("success", sentence, "cluster")
            if not self.gone:
                self.accept()
        finally:
            self._connecting = False
            self._show()

    def _go_home(self) -> None:
        self._session.tasks.begin(
            self._session.cluster.leave(), tr("disconnecting from the cluster"), subject="cluster"
        )
