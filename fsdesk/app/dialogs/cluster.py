"""Where runs are computed: on this computer, or on a Dask cluster by the address of its scheduler."""

from PySide6.QtWidgets import QDialog, QFrame, QLineEdit, QVBoxLayout, QWidget

from fsdesk.app.dialogs.dialog import framed
from fsdesk.app.palette import SPACE
from fsdesk.app.session.session import Session
from fsdesk.app.widgets import button, label, named, row
from fsdesk.errors import UserError
from fsdesk.messages import mark, tr, tr_many, translated

__all__ = ["ClusterDialog"]

_WIDTH = 520
_INVITATION = mark(
    "The scheduler of a Dask cluster gives runs, and the folds of honest errors, to its workers on other machines. "
    "Results are the same as here. The help page on clusters shows how to start one."
)
_WARNING = mark(
    "Data go to the cluster, and whoever can reach its scheduler can run programs there: use one that only people whom "
    "you trust can reach."
)


class ClusterDialog(QDialog):
    """The address, where runs are computed now, and a sentence where the cluster cannot be joined."""

    def __init__(self, parent: QWidget, session: Session) -> None:
        super().__init__(parent)
        self._session = session
        self._gone = False
        self.setObjectName("clusterDialog")
        self.address = QLineEdit(session.cluster.address)
        self.address.setPlaceholderText("tcp://10.0.0.5:8786")
        named(self.address, "clusterAddress", tr("Address of the scheduler"))
        self.address.textChanged.connect(self._show)
        self.status = label("", wrap=True)
        named(self.status, "clusterStatus", tr("Where runs are computed"))
        self.trouble = label(session.cluster.refusal, wrap=True)
        named(self.trouble, "clusterTrouble", tr("What went wrong"))
        self._frame = QFrame()
        self._frame.setProperty("message", "error")
        inside = QVBoxLayout(self._frame)
        inside.setContentsMargins(12, SPACE, 12, SPACE)
        inside.addWidget(self.trouble)
        self._frame.setVisible(bool(session.cluster.refusal))
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
        layout = framed(self, tr("Compute on a cluster"), _WIDTH)
        title = label(tr("Address of the scheduler"), "heading")
        title.setBuddy(self.address)
        for widget in (
            label(tr("Compute on a cluster"), "title"),
            label(tr(_INVITATION), "muted", wrap=True),
            label(tr(_WARNING), "muted", wrap=True),
            title,
            self.address,
            self.status,
            self._frame,
        ):
            layout.addWidget(widget)
        layout.addStretch(1)
        layout.addLayout(row(None, self.cancel, self.leave, self.join))
        self.finished.connect(self._leave_behind)
        session.cluster.changed.connect(self._show)
        self._show()

    def _leave_behind(self) -> None:
        self._gone = True

    def _show(self) -> None:
        if self._gone:
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
        self._frame.hide()
        self._show()
        try:
            threads = await self._session.cluster.join(address)
        except UserError as error:
            if self._gone:
                raise
            self.trouble.setText(translated(str(error)))
            self._frame.show()
        else:
            sentence = tr_many(
                threads,
                "The cluster is connected; its workers compute {count} run at once.",
                "The cluster is connected; its workers compute {count} runs at once.",
            )
            self._session.tasks.message.emit("success", sentence, "", "cluster")
            if not self._gone:
                self.accept()
        finally:
            self._connecting = False
            self._show()

    def _go_home(self) -> None:
        self._session.tasks.begin(self._session.cluster.leave(), tr("leaving the cluster"), subject="cluster")
