"""Run, pause, stop, resume: which of them can be done now, and the doing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt

from fsdesk.app.forms.setup import task_of
from fsdesk.app.forms.steering import Steering, can_be_steered
from fsdesk.app.frame.actions import Actions
from fsdesk.app.frame.run_menu import RunMenu
from fsdesk.app.look.translation import tr, tr_many
from fsdesk.app.work.runs import Run
from fsdesk.app.work.session import Session
from fsdesk.wrappers import WRAPPERS

if TYPE_CHECKING:
    from fsdesk.app.frame.workbench import Workbench
    from fsdesk.app.search_page.search_page import SearchPage

__all__ = ["RunControl"]


_LONGEST = 24


class RunControl(QObject):
    """Connects the commands of the Run menu with the run that is shown."""

    def __init__(self, session: Session, actions: Actions) -> None:
        super().__init__(session)
        self._session, self._actions = session, actions
        self._bench: Workbench | None = None
        actions["run"].triggered.connect(lambda: self.run())
        actions["pause"].triggered.connect(self.pause)
        actions["stop"].triggered.connect(self.stop)
        actions["chain"].triggered.connect(self.chain)
        actions["honest"].triggered.connect(lambda: self.honest(self.shown))
        actions["many"].triggered.connect(self.many)
        actions["steer"].triggered.connect(lambda: self.steer(self.shown))
        self.steering, self.steer_action = Steering(session), actions["steer"]
        session.dataset_changed.connect(self.refresh)
        session.runs.changed.connect(lambda _: self.refresh())
        session.runs.listed.connect(self.refresh)
        session.project_changed.connect(self.refresh)
        self.refresh()

    def attach(self, bench: Workbench) -> None:
        """Serve the buttons of the workbench too."""
        self._bench = bench
        bench.run.clicked.connect(self._actions["run"].trigger)
        for tool, name in ((bench.pause, "pause"), (bench.stop, "stop")):
            tool.setDefaultAction(self._actions[name])
            tool.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            tool.setIconSize(QSize(20, 20))
        self.menu = RunMenu(self._session, bench.search.list, self)
        bench.search.list.many_wanted.connect(self.many)
        self._serve_features(bench.search)
        bench.search.list.view.addAction(self._actions["honest"])
        bench.search.list.view.addAction(self._actions["chain"])
        bench.search.figures.honest_wanted.connect(self._actions["honest"].trigger)
        bench.result.honest_wanted.connect(lambda: self.honest(bench.result.run))
        bench.search.list.chosen.connect(lambda _: self.refresh())
        self._actions["reset"].triggered.connect(bench.setup.reset_settings)
        bench.setup.chain()  # its foot has its buttons now
        self.refresh()

    def _serve_features(self, search: SearchPage) -> None:
        """Features are pinned and banned wherever they are seen: in the list, in the heatmap, looked at alone."""
        self.steering.serve_list(search.features.view, lambda: self.shown)
        self.steering.serve(search.inspector, lambda: [search.inspector.picked], lambda: self.shown)
        pointed = [""]  # the pointer has left for the menu when the command comes
        search.heatmap.feature_pointed.connect(lambda name: pointed.__setitem__(0, name or pointed[0]))
        self.steering.serve(search.heatmap.traces, lambda: pointed, lambda: self.shown)

    @property
    def shown(self) -> Run | None:
        """The run that the search page shows."""
        return self._bench.search.run if self._bench is not None else None

    def refresh(self) -> None:
        """Offer what can be done now."""
        run, actions = self.shown, self._actions
        ready = self._session.dataset is not None and not self._session.read_only
        actions["run"].setEnabled(ready)
        going = run is not None and run.active and run.phase != "stopping"
        actions["pause"].setEnabled(run is not None and (run.resumable or (going and not run.waiting)))
        resumable = run is not None and run.resumable
        words = (
            self._resume_words(run)
            if run is not None and resumable
            else tr("Go on")
            if run is not None and run.phase == "paused"
            else tr("Pause")
        )
        letter = words[0] if not resumable else "u"
        actions["pause"].setText(words.replace(letter, f"&{letter}", 1) if letter in words else words)
        actions["pause"].setIconText(words)
        if self._bench is not None:
            self._bench.pause.setAccessibleName(
                tr("{command}: the run that is shown", command=words.replace("&&", "&"))
            )
        actions.draw("pause", "pause" if words == tr("Pause") else "continue")
        actions["stop"].setEnabled(going)
        has_result = run is not None and run.state.best is not None
        actions["many"].setEnabled(ready)
        actions["steer"].setEnabled(can_be_steered(run) and not self._session.read_only)
        actions["export"].setEnabled(has_result)
        actions["copy"].setEnabled(has_result)
        actions["chain"].setEnabled(has_result and ready)
        validating = run is not None and run.validation is not None
        finished = run is not None and run.phase == "finished" and not self._session.read_only
        actions["honest"].setEnabled(validating or (finished and has_result))
        actions["honest"].setText(tr("Stop the &honest error") if validating else tr("Measure the &honest error"))
        if self._bench is not None:
            self._bench.run.setEnabled(ready)
            self._bench.search.list.many.setEnabled(ready)
            self._bench.pause.setVisible(going or resumable)
            self._bench.stop.setVisible(going)

    def _resume_words(self, run: Run) -> str:
        """Names the data of the run where those that are open are others."""
        session, name = self._session, run.spec.data_name
        if session.dataset is not None:
            same = session.dataset.fingerprint == run.spec.data_fingerprint
        else:
            same = session.table is None or session.table.name == name
        if same:
            return tr("Resume")
        short = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
        return tr("Resume {name}", name=short.replace("&", "&&"))

    def run(self, *, again: bool = False) -> None:
        """Start a search with the settings as they are; ``again`` also where the very same was run before."""
        if self._bench is not None and self._session.dataset is not None:
            setup = self._bench.setup
            work = self._session.run(setup.request, honest=setup.honest.isChecked(), again=again)
            self._session.begin(work, tr("starting the run"), subject="start")

    def many(self) -> None:
        """Ask for methods, models and seeds, and queue each with each."""
        dataset = self._session.dataset
        if self._bench is None or dataset is None:
            return
        task = task_of(dataset)
        fitting = [entry.name for entry in WRAPPERS if task in entry.model.tasks]
        from fsdesk.app.forms.run_dialogs import ManyDialog  # not before the first picture

        setup, deeds = self._bench.setup, self._session.deeds
        honest = setup.honest.isChecked()
        dialog = ManyDialog(self._bench.window(), self._session, setup.request, fitting, honest=honest)
        dialog.wanted.connect(
            lambda plans, honest: self._session.begin(
                deeds.launch_all(plans, honest=honest), tr("queueing runs"), subject="start"
            )
        )
        dialog.open()

    def steer(self, run: Run | None) -> None:
        """Ask what to change in a run."""
        if self._bench is not None and run is not None and can_be_steered(run):
            self.steering.ask(self._bench, run)

    def take_over(self, run: Run) -> None:
        """Show the settings of a run in the panel."""
        if self._bench is not None:
            from fsdesk.app.forms.setup_panel import take_over  # needs plots: not before the first picture

            said = take_over(self._bench.setup, self._session.dataset, run)
            if self._bench.setup.isHidden():
                self._bench.show_rail(True)
            done = tr("The settings are those of {run} now: change what you like and press Run.", run=run.label)
            self._session.said.emit("warning" if said else "success", " ".join([done, *said]), "", "start")

    def pause(self) -> None:
        """Pause the run that is shown, or go on with it; resume it where it was stopped."""
        run = self.shown
        if run is None:
            return
        if run.resumable:
            self._session.begin(self._session.resume(run), tr("resuming the run"), subject=f"run {run.id}")
        elif run.phase == "paused":
            self._session.runs.go_on(run)
        else:
            self._session.runs.pause(run)

    def stop(self) -> None:
        """Stop the run that is shown."""
        if self.shown is not None:
            self._session.runs.stop(self.shown)

    def honest(self, run: Run | None) -> None:
        """Measure the honest error of a run, or stop that."""
        if run is not None and run.validation is not None:
            self._session.validations.stop(run)
        elif run is not None:
            self._session.validations.begin(run)

    def chain(self) -> None:
        """Let the next run begin with the subset that the shown one found."""
        run, dataset = self.shown, self._session.dataset
        mask = None if self._bench is None else self._bench.search.shown_mask
        if self._bench is None or run is None or mask is None or dataset is None:
            return
        found = [name for name, chosen in zip(run.state.features, mask, strict=True) if chosen]
        missing = set(found) - set(dataset.features)
        if missing:
            sentence = tr(
                '{data} has no feature "{name}": open the table of this run first.',
                data=dataset.name,
                name=min(missing),
            )
            self._session.said.emit("error", sentence, "", "start")
            return
        self._bench.setup.features_section.start_from(found, tr("run {number}", number=run.id))
        sentence = tr_many(
            len(found),
            "The next run begins with the {count} feature of run {number}: press Run.",
            "The next run begins with the {count} features of run {number}: press Run.",
            number=run.id,
        )
        self._session.said.emit("info", sentence, "", "start")
