"""The main window: menus, tool bar, message bar, start screen and workspace; it does not compute anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QByteArray, QPoint, QSettings, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QGuiApplication,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QHeaderView,
    QMainWindow,
    QMenu,
    QSplitter,
    QStackedWidget,
    QTableView,
    QWidget,
)

from fsdesk.app.actions import Actions
from fsdesk.app.bars import MessageBar, NoticeBar, Role, StatusBar, ToolBar
from fsdesk.app.dialogs.dialog import (
    CloseDialog,
    WhereDialog,
    all_tables,
    ask_path,
    ask_paths,
    dropped,
    keep_folder,
    last_folder,
    table_and_labels,
)
from fsdesk.app.dialogs.tour import Step, Tour
from fsdesk.app.newer import VersionNotice
from fsdesk.app.notifications import Notifier, ReadOnly, RunNotices
from fsdesk.app.recovery import Autosave, Recovery
from fsdesk.app.run_commands import RunCommands
from fsdesk.app.session.run import Run
from fsdesk.app.session.session import Session
from fsdesk.app.session.table_loader import RecentFile
from fsdesk.app.settings_commands import SettingsCommands
from fsdesk.app.style import Theme, on_theme, window_icon
from fsdesk.app.translation import chosen_language, keep_language, language_for
from fsdesk.app.welcome import DropHint, Welcome
from fsdesk.app.widgets import column, panel
from fsdesk.data import SAMPLES, ReadOptions, sample_name
from fsdesk.data.readers.address import address_of
from fsdesk.data.readers.pasted import keep_pasted, pasted_table
from fsdesk.errors import UserError
from fsdesk.messages import LANGUAGES, number, tr, translated
from fsdesk.store import SUFFIX

if TYPE_CHECKING:
    from fsdesk.app.workspace import Workspace

_NEVER_ASK_KEY = "window/close without a name"
_TOUR_KEY = "tour/seen"
_TABLE_STAYS = "table_stays"
_USUAL, _LEAST, _FRAME = QSize(1280, 800), QSize(880, 480), QSize(16, 48)


class MainWindow(QMainWindow):
    """Shows a session; ``closed`` is emitted when everything is on disk and the workers have ended."""

    painted = Signal()
    closed = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self.theme = session, theme
        self.setObjectName("window")
        self.setWindowIcon(window_icon())
        self.setAcceptDrops(True)
        self.actions_ = Actions(self)
        self.notices, self.messages = NoticeBar(), MessageBar()
        self.welcome = Welcome()
        self.drop_hint = DropHint(self, self.welcome)
        self._workspace: Workspace | None = None
        self._run_is_next = False
        self.stack = QStackedWidget()
        self.stack.addWidget(self.welcome)
        self.setCentralWidget(panel(column(self.notices, self.messages, self.stack, spacing=0, grow=[self.stack])))
        self._make_bars()
        self.run_commands = RunCommands(session, self.actions_)
        self.settings_commands = SettingsCommands(self, session, self.actions_)
        self.run_notices = RunNotices(session, self.notices, self.run_commands)
        self.read_only = ReadOnly(session, self.notices)
        self.recovery = Recovery(session, self.notices, self.run_notices, lambda: self.workspace, self.show_page)
        self.notifier = Notifier(self, session, self.messages, self.actions_["notify"])
        self.version_notice = VersionNotice(
            session.store, session.tasks, self.messages, self.actions_["newer_weekly"], _releases_page
        )
        self.autosave: Autosave | None = None
        self._closing = False
        self._opened: object = None  # the table to which messages belong
        self._shared_by_tables: Path | None = None  # the project to which the user has added a table
        self._connect()
        on_theme(self._take_style_sheet)
        self._show_recent()
        self._show_project()
        self._take_place()

    def _take_place(self) -> None:
        """Place the window at its last position, otherwise with its default size; never larger than the screen."""
        saved = self.session.store.value("window/geometry")
        room = self.screen().availableGeometry()
        self.setMinimumSize(_LEAST.boundedTo(room.size() - _FRAME))
        if not (isinstance(saved, QByteArray) and self.restoreGeometry(saved)):
            self.resize(_USUAL.expandedTo(room.size() * 0.7))
        if not (self.isMaximized() or self.isFullScreen()):
            room = self.screen().availableGeometry()
            self.resize(self.size().boundedTo(room.size() - _FRAME))
            if not room.contains(self.geometry()):
                self.move(room.topLeft() + QPoint(_FRAME.width() // 2, 0))

    @property
    def workspace(self) -> Workspace:
        """The workspace, created on first use: plots take a while to import, and the start screen needs none."""
        if self._workspace is None:
            self._workspace = self._make_workspace()
        return self._workspace

    def _make_workspace(self) -> Workspace:
        from fsdesk.app.settings_commands import LastSettings
        from fsdesk.app.workspace import Workspace  # plots are half of the start: not before the first picture

        workspace = Workspace(self.session)
        restore_layout(workspace, self.session.store)
        workspace.page_made.connect(lambda key: self._attach_page(workspace, key))
        self.run_commands.attach(workspace)
        self.settings_commands.attach(workspace)
        self.last_settings = LastSettings(self.session, workspace.setup)
        workspace.setup.columns_wanted.connect(lambda: self.show_page("data"))
        workspace.setup.page_wanted.connect(self.explain)
        workspace.help_wanted.connect(self.explain)
        self.stack.addWidget(workspace)
        workspace.rail_shown.connect(self.actions_["rail"].setChecked)
        self.actions_["rail"].toggled.connect(workspace.show_rail)
        return workspace

    def _attach_page(self, workspace: Workspace, key: str) -> None:
        """Connect a new page."""
        restore_layout(workspace.page(key), self.session.store)
        if key == "search":
            self.run_commands.attach_search(workspace.search)
            self.run_commands.menu.export_wanted.connect(self.ask_export)
        elif key == "result":
            self.run_commands.attach_result(workspace.result)
        elif key == "compare":
            workspace.compare.run_wanted.connect(self._open_run)
            workspace.compare.feature_wanted.connect(self._show_feature)

    def _show_keys(self) -> None:
        """List all shortcuts, including those of pages not shown yet."""
        from fsdesk.app.dialogs.help import KeysDialog  # help and exports: not before the first picture

        for key in self.pages.buttons:
            self.workspace.page(key)
        KeysDialog(self).open()

    def _show_about(self) -> None:
        from fsdesk.app.dialogs.help import AboutDialog

        AboutDialog(self, self.session).open()

    def _report_problem(self) -> None:
        from fsdesk.app.dialogs.problem import ProblemDialog

        ProblemDialog(self, self.session).open()

    def _show_newer(self) -> None:
        self.messages.show_place(QUrl(_releases_page()))

    def _make_bars(self) -> None:
        self.tools = ToolBar(self.actions_)
        self.pages = self.tools.pages
        self.tools.page_wanted.connect(self.show_page)
        self.addToolBar(self.tools)
        self.setStatusBar(StatusBar(self.session))

    def _page_here(self) -> str:
        """The help page for the focused control; how the program works on the start screen."""
        shown = self._workspace is not None and self.stack.currentWidget() is self._workspace
        return self.workspace.page_of(self.focusWidget()) if shown else ""

    def _page_shown(self) -> str:
        """Key of the page; "" for the start screen."""
        return self.pages.key if self._workspace is not None and self.stack.currentWidget() is self._workspace else ""

    def show_tour(self) -> None:
        """Show the tour."""
        for other in self.findChildren(Tour):
            other.end()
        self.session.store.setValue(_TOUR_KEY, "yes")
        tour = Tour(self, _tour_steps(self))
        self.stack.currentChanged.connect(tour.follow)
        self.session.loader.table_changed.connect(tour.pass_opening)
        self.session.started.connect(tour.end)
        tour.go(1)

    def offer_tour(self) -> None:
        """Start the tour on the very first start only."""
        if self.session.store.value(_TOUR_KEY) is None:
            self.show_tour()

    def open_openml(self) -> None:
        """Ask for an OpenML data set."""
        from fsdesk.app.dialogs.remote import OpenmlDialog

        self.prepare()
        self._ask_where("", lambda: OpenmlDialog(self, self.session).open())

    def open_address(self) -> None:
        """Ask for the web address of a table."""
        from fsdesk.app.dialogs.remote import AddressDialog

        self.prepare()
        self._ask_where("", lambda: AddressDialog(self, self.session).open())

    def paste(self) -> None:
        """Open the table, files or address on the clipboard."""
        held = QGuiApplication.clipboard().mimeData()
        try:
            if held.hasUrls():
                self.open_several(*dropped(held))
                return
            if address_of(held.text()) is not None:
                self.open_address()
                return
        except UserError as error:
            self.messages.say("error", translated(str(error)), subject="open")
            return
        self.prepare()
        html, text, folder = held.html(), held.text(), self.session.folders.projects.with_name("pasted")

        async def opened() -> None:
            table = await self.session.tasks.in_thread(pasted_table, html, text)
            path = await self.session.tasks.in_thread(keep_pasted, table, folder)
            await self.session.open_path(path)

        def begin() -> None:
            self.session.tasks.begin(opened(), tr("opening the table from the clipboard"), subject="open")

        self._ask_where("", begin)

    def open_several(self, path: Path, labels: Path | None) -> None:
        """Open a table, with its labels file if any."""
        if labels is None:
            self.open_path(path)
            return
        self.prepare()
        self._ask_where(path.name, lambda: self._begin_opening(path, ReadOptions(labels=str(labels))))

    def _begin_opening(self, path: Path, options: ReadOptions | None = None) -> None:
        work = self.session.open_path(path, options)
        self.session.tasks.begin(work, tr("opening {name}", name=path.name), subject="open")

    def _ask_where(self, name: str, go: Callable[[], None]) -> None:
        """Open another table, after asking once whether its runs belong to the open project if that has some."""
        session = self.session
        project = session.project
        known = {run.spec.data_name for run in session.runs}
        same = name and (Path(name).stem in known or name in known)
        if project is None or not known or same or self._shared_by_tables == project.path:
            go()
            return

        def add() -> None:
            self._shared_by_tables = project.path
            go()

        async def leave_and_go() -> None:
            await session.leave_project()
            session.history.clear()
            go()

        def leave() -> None:
            session.tasks.begin(leave_and_go(), tr("closing the project"), subject="open")

        box = WhereDialog(self, project.path.stem, name)
        box.add_wanted.connect(add)
        # The dialog has said that the project is closed and where it is listed: only runs in progress are asked about.
        box.accepted.connect(lambda: self._ask_before(leave, tr("New project")) if session.runs.active else leave())
        box.open()

    def open_cluster(self) -> None:
        """Ask for the scheduler of a cluster."""
        from fsdesk.app.dialogs.remote import ClusterDialog

        ClusterDialog(self, self.session).open()

    def open_study(self) -> None:
        """Show the study dialog."""
        from fsdesk.app.forms.study_dialog import StudyDialog  # not before the first picture

        dialog = StudyDialog(self, self.session)
        dialog.project_wanted.connect(self._compare_study)
        dialog.open()

    def _compare_study(self, path: Path) -> None:
        async def shown() -> None:
            await self.session.open_project(path)
            self.show_page("compare")

        self.prepare()
        self.session.tasks.begin(shown(), tr("opening {name}", name=path.name), subject="open")

    def explain(self, place: str) -> None:
        """Open the help at a page."""
        from fsdesk.app.dialogs.help import HelpDialog

        HelpDialog(self, place).open()

    def _connect(self) -> None:
        slots: dict[str, Callable[[], object]] = {
            "open": self.ask_open, "save": self.ask_save, "export": self.ask_export, "close": self.go_back,
            "new_project": self.new_project, "close_project": self.close_project,
            "quit": self.close, "data": lambda: self.show_page("data"), "search": lambda: self.show_page("search"),
            "result": lambda: self.show_page("result"), "compare": lambda: self.show_page("compare"),
            "find": self._find, "dismiss": self.messages.dismiss_all, "screen": self._toggle_screen,
            "help": lambda: self.explain(self._page_here()),
            "keys": self._show_keys, "tour": self.show_tour,
            "openml": self.open_openml, "address": self.open_address, "paste": self.paste,
            "cluster": self.open_cluster, "study": self.open_study,
            "about": self._show_about,
            "log": lambda: self.messages.show_place(QUrl.fromLocalFile(str(self.session.folders.logs))),
            "newer": self._show_newer, "problem": self._report_problem,
            "copy": lambda: self.workspace.search.features.copy_names(),
        }  # fmt: skip
        for name, slot in slots.items():
            self.actions_[name].triggered.connect(lambda _=False, slot=slot: slot())
        for action in self.actions_.themes.actions():
            action.setChecked(action.data() == self.theme.choice)
            action.triggered.connect(lambda _=False, action=action: self.theme.choose(action.data()))
        for action in self.actions_.languages.actions():
            action.setChecked(action.data() == chosen_language(self.session.store))
            action.triggered.connect(lambda _=False, action=action: self._choose_language(action))
        for sample in SAMPLES:
            action = self.actions_.samples_menu.addAction(
                f"{translated(sample.title)} ({number(sample.rows)} × {number(sample.features)})"
            )
            action.triggered.connect(lambda _=False, name=sample.name: self.open_sample(name))
        self.welcome.open_wanted.connect(self.ask_open)
        self.welcome.openml_wanted.connect(self.open_openml)
        self.welcome.address_wanted.connect(self.open_address)
        self.welcome.paste_wanted.connect(self.paste)
        self.welcome.sample_wanted.connect(self.open_sample)
        self.welcome.path_wanted.connect(self.open_path)
        recent, card = self.session.recent, self.welcome.recent
        card.pin_wanted.connect(lambda path, pinned: self._forget(lambda: recent.pin(path, pinned)))
        card.remove_wanted.connect(lambda path: self._forget(lambda: recent.remove(path)))
        session = self.session
        session.tasks.message.connect(self._say)
        session.tasks.retried.connect(self.messages.dismiss_subject)
        session.loader.table_changed.connect(self._dismiss_past)
        session.loader.table_changed.connect(lambda: self.show_page("data"))
        session.loader.table_changed.connect(self._show_recent)
        session.loader.dataset_changed.connect(self._show_title)
        session.loader.dataset_changed.connect(self._look_at_run)
        session.started.connect(self._show_started)
        session.project_changed.connect(self._show_project)

    def _choose_language(self, action: QAction) -> None:
        keep_language(self.session.store, action.data())
        language = LANGUAGES[language_for(action.data())]
        sentence = tr("Restart fsdesk to switch to {language}.", language=language)
        self.messages.say("info", sentence, subject="language")

    def prepare(self) -> None:
        """Create the workspace while idle."""
        self.workspace.ensurePolished()

    def look_for_newer(self) -> None:
        """Check for a newer version if enabled and a week has passed."""
        self.version_notice.look()

    def start_autosave(self) -> None:
        """Record what is open from now on; offer to restore what a killed window had open."""
        self.autosave = autosave = Autosave(self.session, self._page_shown)
        self.workspace.pages.currentChanged.connect(lambda _: autosave.keep())
        self.session.tasks.begin(self.recovery.offer(), tr("checking for interrupted work"), quietly=True)

    def open_path(self, path: Path) -> None:
        """Open a table or a project, or load the settings of a file."""
        self.prepare()  # its pages must exist to be notified of what is opened
        if address_of(path) is not None:
            self._open_from_web(path)
            return
        if path.suffix.lower() == ".toml":
            self.settings_commands.load(path)
            return
        sample = sample_name(path)
        if sample is not None:
            self.open_sample(sample)
            return
        if path.suffix == SUFFIX:
            self._begin_opening(path)
        else:
            self._ask_where(path.name, lambda: self._begin_opening(path))

    def _open_from_web(self, path: Path) -> None:
        address = address_of(path) or ""

        def begin() -> None:
            work = self.session.loader.open_address(address, lambda _: None)
            self.session.tasks.begin(work, tr("opening {name}", name=address), subject="open")

        self._ask_where(address, begin)

    def open_sample(self, name: str) -> None:
        """Open a sample."""
        self.prepare()  # its pages must exist to be notified of what is opened

        def begin() -> None:
            self.session.tasks.begin(self.session.loader.open_sample(name), tr("opening the sample"), subject="open")

        self._ask_where(name, begin)

    def ask_open(self) -> None:
        """Let the user choose a file to open, or a table with its label file."""
        store, kinds = self.session.store, all_tables(tr("Tables and projects"), f"*{SUFFIX}")

        def chosen(paths: list[Path]) -> None:
            if (
                paths[0].parent != self.session.folders.projects
            ):  # where projects without a name are: no place for tables
                keep_folder(store, paths[0])
            try:
                self.open_several(*table_and_labels(paths))
            except UserError as error:
                self.messages.say("error", translated(str(error)), subject="open")

        ask_paths(self, store, tr("Open a table or a project"), chosen, kinds=kinds)

    def ask_save(self) -> None:
        """Let the user choose where to save the project."""

        def save(path: Path) -> None:
            self.session.tasks.begin(self.session.save_as(path), tr("saving the project"), subject="save")

        self._ask_name(save)

    def _ask_name(self, save: Callable[[Path], None]) -> None:
        name, kinds = self.session.proposed_name, f"{tr('fsdesk projects')} (*{SUFFIX})"
        proposed = f"{name}{SUFFIX}" if name else ""
        title, store = tr("Save the project as"), self.session.store
        ask_path(self, store, title, save, kinds=kinds, save=SUFFIX[1:], proposed=proposed)

    def ask_export(self, run: Run | None = None) -> None:
        """Let the user choose what to export of a run (by default the current one), and where."""
        from fsdesk.app.dialogs.export import ask_export

        run = run or self.run_commands.shown
        if run is None:
            return
        picked = self.workspace.search.subset if run is self.run_commands.shown else None
        folder = _free_folder(last_folder(self.session.store) / tr("{data} results", data=run.spec.data_name))
        ask_export(self, self.session, run, folder, None if picked is None else picked.mask)

    def show_page(self, key: str) -> None:
        """Show a page by its key; the result page follows the current run."""
        workspace = self.workspace
        if key == "result" and (
            workspace.result.run is not workspace.search.run or workspace.search.subset is not None
        ):
            workspace.result.show_run(workspace.search.run, workspace.search.shown_mask)
        if key == "result" and workspace.result.run is not None:
            self.messages.dismiss_subject(f"honest {workspace.result.run.id}")  # the page says the same
        workspace.pages.setCurrentWidget(workspace.page(key))
        self.stack.setCurrentWidget(workspace)
        self.pages.setEnabled(True)
        for name in (*self.pages.buttons, "rail"):
            self.actions_[name].setEnabled(True)
        self.pages.select(key)
        self.run_commands.refresh()
        if key == "data" and workspace.data.questions.shown:
            workspace.data.questions.take_focus()
            self._run_is_next = False
        elif not workspace.data.reading.isAncestorOf(self.focusWidget()):  # there the same file is read repeatedly
            workspace.run.setFocus()  # the next control to press, for keyboard users
            self._run_is_next = not workspace.run.isEnabled()

    def _look_at_run(self) -> None:
        """Focus the Run button once the data are ready, if they were not when the page was shown."""
        if self._run_is_next and self.session.loader.dataset is not None:
            self._run_is_next = False
            self.workspace.run.setFocus()

    def go_back(self) -> None:
        """Show the start screen again; runs continue, and the page switch leads back."""
        self._show_recent()
        self.stack.setCurrentWidget(self.welcome)

    def _show_started(self, run_id: int) -> None:
        self.messages.dismiss_subject(_TABLE_STAYS)
        self._show_recent()
        self.workspace.search.show_run(self.session.runs.by_id[run_id])
        self.show_page("search")

    def _open_run(self, run_id: int) -> None:
        self.workspace.search.show_run(self.session.runs.by_id[run_id])
        self.show_page("search")

    def _show_feature(self, name: str) -> None:
        """Show a feature of the compare page in the panel of the current run, or of another run that has it."""
        search = self.workspace.search
        runs = [run for run in (search.run, *self.session.runs) if run is not None and name in run.state.features]
        if runs:
            search.show_run(runs[0])
            self.show_page("search")
            search.pick(name, open_it=True)

    def _show_recent(self) -> None:
        files, clear = self.session.recent.files(), self.session.recent.clear
        self.welcome.recent.show_files(files, self.session.folders.projects)
        _fill_recent(self.actions_.recent_menu, files, self.open_path, lambda: self._forget(clear))

    def _forget(self, change: Callable[[], None]) -> None:
        """Change the list of recent files and show it."""
        change()
        self._show_recent()

    def _dismiss_past(self) -> None:
        """Remove messages on what was open before, unless the same file was only read in another way."""
        before, self._opened = self._opened, self.session.loader.place or object()
        if before is not None and before != self._opened:
            self.messages.dismiss_past()

    def _show_project(self) -> None:
        if self.session.project is None:
            self.messages.dismiss_past()
        self._show_title()
        self._show_recent()

    def _show_title(self) -> None:
        session = self.session
        shown = session.loader.dataset or session.loader.table
        parts = [shown.name] if shown is not None else []
        if session.project is not None:
            note = tr("read only") if session.read_only else tr("not named yet") if session.scratch else ""
            parts.append(session.project.path.stem + (f" ({note})" if note else ""))
        self.setWindowTitle(" – ".join([*parts, "fsdesk"]))
        self.actions_["new_project"].setEnabled(session.project is not None)
        self.actions_["close_project"].setEnabled(session.project is not None or shown is not None)

    def _find(self) -> None:
        """Focus the search field of the list on the current page."""
        page = self._page_shown()
        if page == "search":
            self.workspace.search.panel.show_list()
        fields = {
            "data": lambda: self.workspace.data.search,
            "search": lambda: self.workspace.search.features.search,
            "result": lambda: self.workspace.result.answer.search,
        }
        if page in fields and (field := fields[page]()).isVisible():  # a hidden one would receive typed text
            field.setFocus()
            field.selectAll()

    def _toggle_screen(self) -> None:
        self.showNormal() if self.isFullScreen() else self.showFullScreen()

    def _say(self, role: Role, sentence: str, path: str, subject: str) -> None:
        workspace = self.workspace
        refused = sentence == self.session.loader.refusal and workspace.data.isVisible()
        result = workspace.result if workspace.has("result") and workspace.result.isVisible() else None
        measured = result is not None and result.run is not None and subject == f"honest {result.run.id}"
        if not refused and not measured:  # otherwise the page already says so
            self.messages.say(role, sentence, QUrl.fromLocalFile(path) if path else None, subject)

    def _take_style_sheet(self) -> None:
        self.setStyleSheet(self.theme.sheet)

    def showEvent(self, event: QShowEvent) -> None:
        """Report when the window has first appeared."""
        super().showEvent(event)
        self.painted.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files; their content is checked when dropped."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()
            self.drop_hint.set_hot(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Undo the highlighting when the file is dragged elsewhere."""
        self.drop_hint.set_hot(False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the dropped file."""
        self.drop_hint.set_hot(False)
        event.acceptProposedAction()
        try:
            self.open_several(*dropped(event.mimeData()))
        except UserError as error:
            self.messages.say("error", translated(str(error)), subject="open")

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close immediately, or after the user has agreed to stop runs and chosen where to save."""
        event.ignore()
        if self._closing:
            return
        self._ask_before(self.leave, "")

    def _ask_before(self, leave: Callable[[], None], title: str) -> None:
        """Close the project immediately, or after the user has agreed to stop runs and chosen where to save."""
        session = self.session
        running = bool(session.runs.active)
        kept = session.project.path if session.project is not None and session.scratch and list(session.runs) else None
        if not running and (kept is None or session.store.value(_NEVER_ASK_KEY, "") == "never"):
            leave()
            return
        box = CloseDialog(self, running=running, kept=kept, title=title)
        box.accepted.connect(lambda: session.store.setValue(_NEVER_ASK_KEY, "never" if box.never.isChecked() else ""))
        box.accepted.connect(leave)
        box.save_wanted.connect(lambda: self._ask_name(lambda path: self._save_and_leave(path, leave)))
        box.open()

    def new_project(self) -> None:
        """Close the project: the table stays, and its next run creates another project."""
        self._ask_before(lambda: self._leave_project(keep_table=True), tr("New project"))

    def close_project(self) -> None:
        """Close the project and its table, and show the start screen."""
        self._ask_before(lambda: self._leave_project(keep_table=False), tr("Close project"))

    def _leave_project(self, *, keep_table: bool) -> None:
        session = self.session

        async def left() -> None:
            await session.leave_project()
            session.history.clear()  # its steps concern runs that are no longer open
            self.messages.dismiss_all()  # the messages, too
            if keep_table:
                self.show_page("data")
                self._say_table_stays()
                return
            session.loader.close_table()
            self.pages.setEnabled(False)
            for name in (*self.pages.buttons, "rail"):
                self.actions_[name].setEnabled(False)
            self.go_back()

        session.tasks.begin(left(), tr("closing the project"), subject="open")

    def _say_table_stays(self) -> None:
        """Say what the new project begins with."""
        shown = self.session.loader.table or self.session.loader.dataset
        if shown is not None:
            sentence = tr(
                'The new project begins with "{name}", which is still open, with the same column roles and settings. '
                "To use another table, open it (Ctrl+O).",
                name=shown.name,
            )
            self.messages.say("info", sentence, subject=_TABLE_STAYS)

    def _save_and_leave(self, path: Path, leave: Callable[[], None]) -> None:
        async def save_then_leave() -> None:
            await self.session.save_as(path)
            leave()

        self.session.tasks.begin(save_then_leave(), tr("saving the project"), subject="save")

    def leave(self) -> None:
        """Close without a question: runs stop, and everything is on disk when ``closed`` is emitted."""
        if self._closing:
            return
        self._closing = True
        self.remember()
        if self.session.runs.active:
            self.messages.say("info", tr("Stopping the run; it can be resumed when you open the project again."))

        async def leave() -> None:
            try:
                await self.session.close()
            finally:
                if self.autosave is not None:
                    self.autosave.end()
                self.hide()
                self.closed.emit()

        self.session.tasks.begin(leave(), tr("closing"))

    def remember(self) -> None:
        """Store the window layout for the next time."""
        if self._workspace is not None:
            self.last_settings.keep()
            keep_layout(self._workspace, self.session.store)
        self.session.store.setValue("window/geometry", self.saveGeometry())
        self.session.store.sync()


def _tour_steps(window: MainWindow) -> list[Step]:
    def tool(name: str) -> Callable[[], QWidget | None]:
        return lambda: window.tools.widgetForAction(window.actions_[name])

    return [
        Step(
            lambda: window.welcome.drop if window.welcome.isVisible() else tool("open")(),
            tr("Start with a table"),
            tr("Drop a file here or open one: one row per sample, one column per measured variable, and one "
               "column to predict."),
        ),
        Step(
            lambda: window.welcome.samples,
            tr("Or try a sample"),
            tr("Tables that are ready to search, to try everything out."),
        ),
        Step(
            lambda: window.pages,
            tr("The pages"),
            tr("Data shows the table and any problems with it. Search shows a run in progress. Result shows "
               "what was found. Compare puts runs side by side."),
        ),
        Step(
            tool("run"),
            tr("Run"),
            tr("Strategies compete on held-out rows, and the run ends with the error to expect on new rows. "
               "Pause and stop whenever you like: no measurement is lost."),
        ),
        Step(
            tool("rail"),
            tr("Settings"),
            tr("Shows or hides the settings. A first run needs none of them, and each has an explanation."),
        ),
        Step(
            window.menuBar,
            tr("Help"),
            tr("Press F1 for help anywhere and Ctrl+/ for all shortcuts. This tour is in the Help menu."),
        ),
    ]  # fmt: skip


def _fill_recent(
    menu: QMenu, files: Iterable[RecentFile], then: Callable[[Path], None], clear: Callable[[], None]
) -> None:
    """List the recent files that still exist, and a command to clear the list."""
    menu.clear()
    there = [file.path for file in files if not file.missing]
    for place, path in enumerate(there, 1):
        text = f"{f'&{place} ' if place < 10 else ''}{str(path).replace('&', '&&')}"
        menu.addAction(text).triggered.connect(lambda _=False, path=path: then(path))
    menu.addSeparator()
    menu.addAction(tr("&Clear this list; pinned files stay")).triggered.connect(lambda: clear())
    menu.setEnabled(bool(there))


def _free_folder(folder: Path) -> Path:
    """The folder or, if it already contains files, a numbered one next to it."""
    path, number = folder, 2
    with suppress(OSError):  # such as a folder that may not be listed
        while path.exists() and any(path.iterdir()):
            path, number = folder.with_name(f"{folder.name} {number}"), number + 1
    return path


Kind = TypeVar("Kind", bound=QWidget)

_SPLITTERS, _COLUMNS = "layout/splitters", "layout/columns"
_SEEN = Qt.WidgetAttribute.WA_WState_Created
_MOST = 24  # a table with more columns than this belongs to the user, not to the program


def keep_layout(root: QWidget, store: QSettings) -> None:
    """Record the sizes of all named, visible splitters below a widget, and the widths of their tables."""
    for splitter in _children_with_names(root, QSplitter):
        if sum(splitter.sizes()) > 0 and splitter.testAttribute(_SEEN):
            store.setValue(f"{_SPLITTERS}/{splitter.objectName()}", ",".join(map(str, splitter.sizes())))
    for view, header in _headers(root):
        widths = [header.sectionSize(place) for place in range(header.count())]
        store.setValue(f"{_COLUMNS}/{view.objectName()}", ",".join(map(str, widths)))


def restore_layout(root: QWidget, store: QSettings) -> None:
    """Restore the recorded sizes below a widget; splitters with other parts keep their own."""
    for splitter in _children_with_names(root, QSplitter):
        sizes = _numbers(store.value(f"{_SPLITTERS}/{splitter.objectName()}"))
        if len(sizes) == splitter.count() and sum(sizes) > 0:
            splitter.setSizes(sizes)
    for view, header in _headers(root):
        widths = _numbers(store.value(f"{_COLUMNS}/{view.objectName()}"))
        if len(widths) == header.count():
            for place, width in enumerate(widths):
                if header.sectionResizeMode(place) == QHeaderView.ResizeMode.Interactive and width > 0:
                    header.resizeSection(place, width)


def _children_with_names(root: QWidget, kind: type[Kind]) -> list[Kind]:
    return [each for each in root.findChildren(kind) if each.objectName()]


def _headers(root: QWidget) -> list[tuple[QWidget, QHeaderView]]:
    tables = [(view, view.horizontalHeader()) for view in _children_with_names(root, QTableView)]
    return [(view, header) for view, header in tables if 0 < header.count() <= _MOST]


def _numbers(saved: object) -> list[int]:
    parts = str(saved or "").split(",")
    return [int(part) for part in parts] if all(part.isdigit() for part in parts) else []


def _releases_page() -> str:
    from fsdesk.app.dialogs.help import releases_page  # not before the first picture

    return releases_page()
