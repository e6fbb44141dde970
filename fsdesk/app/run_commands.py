"""Commands on runs: run, pause, stop, change, held-out error; and the context menu of the list of runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu
from shiboken6 import isValid

from fsdesk.app.actions import Actions
from fsdesk.app.forms.constraints import Steering, can_be_steered
from fsdesk.app.forms.setup import task_of
from fsdesk.app.palette import RUN_COLOURS
from fsdesk.app.session.run import Run
from fsdesk.app.session.session import Session
from fsdesk.app.style import on_theme, tokens
from fsdesk.app.widgets import add_command
from fsdesk.engine import RunRequest
from fsdesk.messages import tr, tr_many
from fsdesk.wrappers import WRAPPERS

if TYPE_CHECKING:
    from fsdesk.app.result_page.result_page import ResultPage
    from fsdesk.app.search_page.run_list import RunList
    from fsdesk.app.search_page.search_page import SearchPage
    from fsdesk.app.workspace import Workspace

_LONGEST = 24


def _any_list(run: Run | None) -> dict[str, int]:
    """The setting that allows any selection of features except all of them."""
    if run is None:
        return {}
    units = len(run.state.features) - sum(len(group) - 1 for group in run.spec.together)
    return {"method.most": max(1, units - 1)}


class RunCommands(QObject):
    """Connects the commands of the Run menu with the current run.

    ``honest_known`` sends the run whose requested held-out error is known.
    """

    honest_known = Signal(object)

    def __init__(self, session: Session, actions: Actions) -> None:
        super().__init__(session)
        self._session, self._actions = session, actions
        self._workspace: Workspace | None = None
        actions["run"].triggered.connect(lambda: self.run())
        actions["pause"].triggered.connect(self.pause)
        actions["stop"].triggered.connect(self.stop)
        actions["chain"].triggered.connect(self.chain)
        actions["honest"].triggered.connect(lambda: self.honest(self.shown))
        actions["many"].triggered.connect(self.many)
        actions["steer"].triggered.connect(lambda: self.steer(self.shown))
        self.steering, self.steer_action = Steering(session), actions["steer"]
        session.loader.dataset_changed.connect(self.refresh)
        session.runs.changed.connect(lambda _: self.refresh())
        session.runs.listed.connect(self.refresh)
        session.project_changed.connect(self.refresh)
        self.refresh()

    def attach(self, workspace: Workspace) -> None:
        """Connect the buttons of the workspace."""
        self._workspace = workspace
        workspace.run.clicked.connect(self._actions["run"].trigger)
        for tool, name in ((workspace.pause, "pause"), (workspace.stop, "stop")):
            tool.setDefaultAction(self._actions[name])
            tool.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            tool.setIconSize(QSize(20, 20))
        self._actions["reset"].triggered.connect(workspace.setup.reset_settings)
        workspace.setup.chain()  # its footer has its buttons now
        self.refresh()

    def attach_search(self, search: SearchPage) -> None:
        """Connect the list of runs, and features wherever they are shown: in lists, heatmaps and the feature panel."""
        self.menu = RunMenu(self._session, search.list, self)
        search.list.many_wanted.connect(self.many)
        search.list.view.addAction(self._actions["honest"])
        search.list.view.addAction(self._actions["chain"])
        search.list.chosen.connect(lambda _: self.refresh())
        search.figures.honest_wanted.connect(self._actions["honest"].trigger)
        self.steering.serve_list(search.features.view, lambda: self.shown)
        self.steering.serve(search.inspector, lambda: [search.inspector.picked], lambda: self.shown)
        pointed = [""]  # the pointer has moved to the menu when the command is invoked
        search.heatmap.feature_pointed.connect(lambda name: pointed.__setitem__(0, name or pointed[0]))
        self.steering.serve(search.heatmap.traces, lambda: pointed, lambda: self.shown)
        self.refresh()

    def attach_result(self, result: ResultPage) -> None:
        """Connect the result page."""
        result.honest_wanted.connect(lambda: self.honest(result.run))
        result.simple_wanted.connect(lambda: self.again(result.run, {"wrapper.models": "simple"}))
        result.list_wanted.connect(lambda: self.again(result.run, _any_list(result.run)))

    @property
    def shown(self) -> Run | None:
        """The run shown on the search page."""
        workspace = self._workspace
        return workspace.search.run if workspace is not None and workspace.has("search") else None

    def refresh(self) -> None:
        """Enable the actions that are possible now."""
        run, actions = self.shown, self._actions
        ready = self._session.loader.dataset is not None and not self._session.read_only
        actions["run"].setEnabled(ready)
        going = run is not None and run.active and run.phase != "stopping"
        actions["pause"].setEnabled(run is not None and (run.resumable or (going and not run.waiting)))
        resumable = run is not None and run.resumable
        words = (
            self._resume_words(run)
            if run is not None and resumable
            else tr("Resume")
            if run is not None and run.phase == "paused"
            else tr("Pause")
        )
        goes_on = resumable or (run is not None and run.phase == "paused")
        letter = "u" if goes_on else words[0]  # R is the key of Run
        actions["pause"].setText(words.replace(letter, f"&{letter}", 1) if letter in words else words)
        actions["pause"].setIconText(words)
        if self._workspace is not None:
            self._workspace.pause.setAccessibleName(tr("{command}: current run", command=words.replace("&&", "&")))
        actions.draw("pause", "continue" if goes_on else "pause")
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
        actions["honest"].setText(
            tr("Stop measuring the &held-out error") if validating else tr("Measure the &held-out error")
        )
        if self._workspace is not None:
            self._workspace.run.setEnabled(ready)
            if self._workspace.has("search"):
                self._workspace.search.list.many.setEnabled(ready)
            buttons = self._workspace.pause, self._workspace.stop
            focused = next((each for each in buttons if each.hasFocus()), None)
            for each, shown in zip(buttons, (going or resumable, going), strict=True):
                each.setVisible(shown)
            if focused is not None and focused.isHidden():  # otherwise it would go to the page
                self._workspace.run.setFocus()

    def _resume_words(self, run: Run) -> str:
        """The words for resuming a run, which name its data if other data are open."""
        session, name = self._session, run.spec.data_name
        if session.loader.dataset is not None:
            same = session.loader.dataset.fingerprint == run.spec.data_fingerprint
        else:
            same = session.loader.table is None or session.loader.table.name == name
        if same:
            return tr("Resume")
        short = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
        return tr("Resume {name}", name=short.replace("&", "&&"))

    def run(self, *, again: bool = False) -> None:
        """Start a search with the current settings; with ``again`` even if an identical run exists."""
        if self._workspace is not None and self._session.loader.dataset is not None:
            setup = self._workspace.setup
            if setup.refusal:
                self._session.tasks.say("error", setup.refusal, "start")
                return
            work = self._session.run(setup.request, again=again)
            self._session.tasks.begin(work, tr("starting the run"), subject="start")

    def again(self, run: Run | None, settings: Mapping[str, object]) -> None:
        """Start a run again with other settings; its table must be open."""
        dataset = self._session.loader.dataset
        if run is None:
            return
        if dataset is None or dataset.fingerprint != run.spec.data_fingerprint:
            sentence = tr("Open {data} first, with the target and column roles of this run.", data=run.spec.data_name)
            self._session.tasks.say("error", sentence, "start")
            return
        asked = RunRequest.of(run.spec)
        request = asked.updated({"settings": {**asked.settings, **settings}})
        work = self._session.run(request)
        self._session.tasks.begin(work, tr("starting the run"), subject="start")

    def many(self) -> None:
        """Ask for methods, models and seeds, and queue all combinations."""
        dataset = self._session.loader.dataset
        if self._workspace is None or dataset is None:
            return
        task = task_of(dataset)
        fitting = [entry.name for entry in WRAPPERS if task in entry.model.tasks]
        from fsdesk.app.forms.run_dialogs import ManyDialog  # not before the window first appears

        setup, run_actions = self._workspace.setup, self._session.run_actions
        honest = setup.honest.isChecked()
        dialog = ManyDialog(self._workspace.window(), self._session, setup.request, fitting, honest=honest)
        dialog.wanted.connect(
            lambda plans: self._session.tasks.begin(run_actions.launch_all(plans), tr("queueing runs"), subject="start")
        )
        dialog.open()

    def steer(self, run: Run | None) -> None:
        """Ask what to change in a run."""
        if self._workspace is not None and run is not None and can_be_steered(run):
            self.steering.ask(self._workspace, run)

    def take_over(self, run: Run) -> None:
        """Show the settings of a run in the panel."""
        if self._workspace is not None:
            from fsdesk.app.forms.setup_panel import take_over  # needs plots: not before the window first appears

            said = take_over(self._workspace.setup, self._session.loader.dataset, run)
            if self._workspace.setup.isHidden():
                self._workspace.show_rail(True)
            done = tr("The settings are now those of {run}. Change what you like and press Run.", run=run.label)
            self._session.tasks.say("warning" if said else "success", " ".join([done, *said]), "start")

    def pause(self) -> None:
        """Pause or continue the current run; resume it if it was stopped."""
        run = self.shown
        if run is None:
            return
        if run.resumable:
            self._session.tasks.begin(self._session.resume(run), tr("resuming the run"), subject=f"run {run.id}")
        elif run.phase == "paused":
            self._session.runs.go_on(run)
        else:
            self._session.runs.pause(run)

    def stop(self) -> None:
        """Stop the current run."""
        if self.shown is not None:
            self._session.runs.stop(self.shown)

    def honest(self, run: Run | None) -> None:
        """Estimate the held-out error of a run, or stop that; ask first if it is known with its interval."""
        if run is None:
            return
        if run.validation is not None:
            self._session.validations.stop(run)
        elif run.honest is not None and run.honest.has_interval:
            self.honest_known.emit(run)
        else:
            self._session.validations.begin(run)

    def show_result(self, run: Run) -> None:
        """Show the result page of a run."""
        self._session.started.emit(run.id)
        self._actions["result"].trigger()

    def chain(self) -> None:
        """Start the next run with the subset found by the current one."""
        run, dataset = self.shown, self._session.loader.dataset
        mask = None if self._workspace is None else self._workspace.search.shown_mask
        if self._workspace is None or run is None or mask is None or dataset is None:
            return
        found = [name for name, chosen in zip(run.state.features, mask, strict=True) if chosen]
        missing = set(found) - set(dataset.features)
        if missing:
            sentence = tr(
                '{data} has no feature "{name}". Open this run\'s table first.',
                data=dataset.name,
                name=min(missing),
            )
            self._session.tasks.say("error", sentence, "start")
            return
        self._workspace.setup.features_section.start_from(found, tr("run {number}", number=run.id))
        sentence = tr_many(
            len(found),
            "The next run starts from the {count} feature of run {number}. Press Run.",
            "The next run starts from the {count} features of run {number}. Press Run.",
            number=run.id,
        )
        self._session.tasks.say("info", sentence, "start")


_ALSO_READ_ONLY = ("export",)


class RunMenu(QObject):
    """The commands of a list of runs; each applies to all selected runs, if possible.

    ``export_wanted`` sends the run whose results are to be exported.
    """

    export_wanted = Signal(object)

    def __init__(self, session: Session, listed: RunList, control: RunCommands) -> None:
        super().__init__(listed)
        self._session, self._list, self._control = session, listed, control
        self._run_actions = session.run_actions
        self.actions: dict[str, QAction] = {}
        self._may: dict[str, Callable[[list[Run]], bool]] = {}
        self._colours = QMenu(listed.view)
        self._make()
        listed.delegate.ticked.connect(lambda run: self._run_actions.show_in_curves([run], not run.shown_in_curves))
        listed.selected.connect(self.refresh)
        on_theme(self._draw_colours)
        listed.at_once_wanted.connect(self._run_actions.set_at_once)
        session.runs.changed.connect(lambda _: self.refresh())
        session.runs.listed.connect(self.refresh)
        session.project_changed.connect(self.refresh)
        self.refresh()

    def _make(self) -> None:
        self._add("curves", tr("Show in the curves"), "Space", self._tick, bool)
        self._add_colours()
        self._add("rename", tr("Rename …"), "F2", self._rename, _one)
        self._separate()
        queue = self._session.runs
        self._add("now", tr("Start now"), "Ctrl+Alt+Return", _each(queue.begin_now), _waiting)
        self._add("up", tr("Move up"), "Alt+Up", lambda runs: self._move(runs, -1), _waiting)
        self._add("down", tr("Move down"), "Alt+Down", lambda runs: self._move(runs[::-1], 1), _waiting)
        self._add("hold", tr("Pause"), "", _each(queue.pause), lambda runs: any(run.phase == "running" for run in runs))
        self._add("resume", tr("Resume"), "", self._run_actions.go_on, _can_go_on)
        self._add("halt", tr("Stop or remove from queue"), "", _each(queue.stop), lambda runs: any(map(_going, runs)))
        self._list.view.addAction(self._control.steer_action)
        self._separate()
        self._add("settings", tr("Use these settings"), "Ctrl+D", lambda runs: self._control.take_over(runs[0]), _one)
        self._add("seeds", tr("Run again with other seeds …"), "Ctrl+R", self._seeds, bool)
        self._separate()
        self._add("export", tr("Export …"), "", lambda runs: self.export_wanted.emit(runs[0]), _has_result)
        self._add("delete", tr("Delete"), "Del", self._delete, bool)
        self._separate()

    def _add(
        self, name: str, text: str, keys: str, do: Callable[[list[Run]], object], may: Callable[[list[Run]], bool]
    ) -> None:
        action = add_command(self._list.view, text, lambda: do(self._list.marked), keys)
        action.setObjectName(f"run_{name}")
        self.actions[name], self._may[name] = action, may

    def _separate(self) -> None:
        line = QAction(self._list.view)
        line.setSeparator(True)
        self._list.view.addAction(line)

    def _add_colours(self) -> None:
        names = (tr("Blue"), tr("Vermilion"), tr("Green"), tr("Purple"), tr("Orange"), tr("Sky blue"), tr("Black"))
        self._colours.setTitle(tr("Color"))
        for place, name in enumerate(names):
            action = self._colours.addAction(name)
            action.setObjectName(f"run_colour_{place}")
            action.triggered.connect(lambda _=False, place=place: self._run_actions.paint(self._list.marked, place))
        self._colours.addSeparator()
        usual = self._colours.addAction(tr("Automatic"))
        usual.setObjectName("run_colour_automatic")
        usual.triggered.connect(lambda: self._run_actions.paint(self._list.marked, -1))
        entry = self._colours.menuAction()
        self._list.view.addAction(entry)
        self.actions["colour"], self._may["colour"] = entry, bool

    def refresh(self) -> None:
        """Enable the actions possible for the selected runs."""
        if not all(map(isValid, self.actions.values())):  # the session may outlive the window
            return
        runs = self._list.marked
        writable = not self._session.read_only
        for name, action in self.actions.items():
            action.setEnabled(bool(runs) and (writable or name in _ALSO_READ_ONLY) and self._may[name](runs))

    def _tick(self, runs: list[Run]) -> None:
        self._run_actions.show_in_curves(runs, not all(run.shown_in_curves for run in runs))

    def _rename(self, runs: list[Run]) -> None:
        from fsdesk.app.forms.run_dialogs import NameDialog

        run = runs[0]
        dialog = NameDialog(self._list, run)
        dialog.chosen.connect(lambda name: self._run_actions.rename(run, name))
        dialog.open()

    def _move(self, runs: list[Run], by: int) -> None:
        for run in sorted(runs, key=lambda run: by * -(run.queued or 0)):
            self._session.runs.move(run, by)

    def _seeds(self, runs: list[Run]) -> None:
        from fsdesk.app.forms.run_dialogs import SeedsDialog

        dialog = SeedsDialog(self._list, runs, max(self._run_actions.next_seed(run) for run in runs))
        dialog.wanted.connect(lambda first, count: self._again(runs, first, count))
        dialog.open()

    def _again(self, runs: list[Run], first: int, count: int) -> None:
        work = self._run_actions.again(runs, range(first, first + count))
        self._session.tasks.begin(work, tr("starting the runs"), subject="start")

    def _delete(self, runs: list[Run]) -> None:
        from fsdesk.app.forms.run_dialogs import StopDialog

        busy = [run for run in runs if run.busy]
        if not busy:
            self._session.tasks.begin(self._run_actions.delete(runs), tr("deleting runs"), subject="delete")
            return
        dialog = StopDialog(self._list, busy)
        work = self._run_actions.stop_and_delete
        dialog.accepted.connect(lambda: self._session.tasks.begin(work(runs), tr("deleting runs"), subject="delete"))
        dialog.open()

    def _draw_colours(self) -> None:
        for action, colour in zip(self._colours.actions(), RUN_COLOURS[tokens().mode], strict=False):
            action.setIcon(_swatch(colour))


def _each(do: Callable[[Run], None]) -> Callable[[list[Run]], None]:
    def do_all(runs: list[Run]) -> None:
        for run in runs:
            do(run)

    return do_all


def _can_go_on(runs: list[Run]) -> bool:
    return any(run.resumable or run.phase == "paused" for run in runs)


def _one(runs: list[Run]) -> bool:
    return len(runs) == 1


def _has_result(runs: list[Run]) -> bool:
    return _one(runs) and runs[0].state.best is not None


def _waiting(runs: list[Run]) -> bool:
    return any(run.waiting for run in runs)


def _going(run: Run) -> bool:
    return run.active and run.phase != "stopping"


def _swatch(colour: str) -> QIcon:
    picture = QPixmap(QSize(32, 32))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawRoundedRect(2, 2, 28, 28, 6, 6)
    painter.end()
    return QIcon(picture)
