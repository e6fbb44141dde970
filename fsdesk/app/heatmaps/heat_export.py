"""The menu of the heatmap card: the heatmap that is shown as a picture or as numbers."""

from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu, QWidget

from fsdesk.app.heatmaps.data_map import DataMapView
from fsdesk.app.heatmaps.frequency_map import FrequencyMap
from fsdesk.app.heatmaps.trace_map import TraceMap
from fsdesk.app.look.file_dialogs import ask_file
from fsdesk.app.look.language import language_spoken
from fsdesk.app.look.translation import tr
from fsdesk.app.work.asking import ask
from fsdesk.app.work.runs import Run
from fsdesk.app.work.session import Session
from fsdesk.errors import ProjectError
from fsdesk.results.heat_tasks import RunsRequest, TraceRequest, map_file_task, runs_file_task, traces_file_task

__all__ = ["HeatExport"]


class HeatExport(QObject):
    """Asks where to, and has a worker write what ``view`` shows. The parts are those of the heatmap card."""

    def __init__(
        self, owner: QWidget, session: Session, traces: TraceMap, data: DataMapView, runs: FrequencyMap
    ) -> None:
        super().__init__(owner)
        self._owner, self._session = owner, session
        self._traces, self._data, self._runs = traces, data, runs
        self.view = "weights"
        self.run: Run | None = None
        self.menu = QMenu(owner)
        self.menu.setObjectName("heatmapSave")
        for suffix, text in (
            ("png", tr("Picture for slides (PNG) …")), ("svg", tr("Drawing to edit (SVG) …")),
            ("pdf", tr("Picture for print (PDF) …")), ("csv", tr("Numbers (CSV) …")),
        ):  # fmt: skip
            action = self.menu.addAction(text)
            action.setObjectName(f"heatmapSave_{suffix}")
            action.triggered.connect(lambda _=False, suffix=suffix: self.ask_path(suffix))

    def ask_path(self, suffix: str) -> None:
        """Let the user choose a file name."""
        if self.run is None:
            return
        store = self._session.store
        folder = Path(str(store.value("window/folder", str(Path.home()))))
        proposed = folder / f"{self.run.spec.data_name} {self.view}.{suffix}"
        kind = f"{suffix.upper()} (*.{suffix})"
        run, view = self.run, self.view

        def chosen(name: str) -> None:
            store.setValue("window/folder", str(Path(name).parent))
            path = Path(name) if Path(name).suffix == f".{suffix}" else Path(f"{name}.{suffix}")
            self._session.begin(self.write(run, view, path), tr("saving the heatmap"), subject="heatmap")

        title = tr("Save this heatmap")
        ask_file(self._owner, "heatmapFile", title, proposed, chosen, kinds=kind, save=suffix)

    async def write(self, run: Run, view: str, path: Path) -> None:
        """Have a worker write what is shown of a run."""
        session, project = self._session, self._session.project
        if project is None:
            raise ProjectError(tr("There is no run to save a heatmap of yet: press Run first."))
        if view == "runs":
            canvas = self._runs.canvas
            if not canvas.shares.size:
                raise ProjectError(tr("No run has found a subset yet: let one run for a moment."))
            note = self._runs.stability.text()
            request = RunsRequest(canvas.shares, canvas.row_names, canvas.column_names, note)
            await ask(session.pool, runs_file_task, request, str(path), language_spoken())
        elif view == "data":
            best = run.state.best
            if best is None:
                raise ProjectError(tr("This run has found no subset yet: let it run for a moment."))
            weights = best.weights if best.weights is not None else run.state.frequency
            weights = best.mask.astype(np.float64) if weights is None else weights
            shared = await session.shared_dataset(project, run.spec.data_fingerprint)
            await ask(session.pool, map_file_task, shared, best.mask, weights, str(path), language_spoken())
        else:
            frame = self._traces.frame
            wanted = TraceRequest(view, self._traces.order, frame.span, frame.left, frame.right)
            await session.flush()
            where = str(project.path), run.id
            await ask(session.pool, traces_file_task, *where, wanted, str(path), language_spoken())
        session.said.emit("success", tr('Written to "{path}".', path=path), str(path.parent), "heatmap")
