"""A study in the window: a grid of tables, methods, models, criteria and seeds; its progress and its tables."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QTextOption
from PySide6.QtWidgets import (
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStackedWidget,
    QTextBrowser,
    QWidget,
)

from fsdesk.app.dialogs.dialog import Dialog, all_tables, ask_file, ask_path, ask_save, last_folder
from fsdesk.app.forms.run_dialogs import add_marked, have_room, marked, marked_list
from fsdesk.app.translation import duration
from fsdesk.app.widgets import IntegerField, Segments, button, column, label, named, panel, progress_bar, row, scrolled
from fsdesk.data import SAMPLES
from fsdesk.errors import UserError
from fsdesk.measure import CRITERIA
from fsdesk.messages import counted, number, tr, translated
from fsdesk.methods import METHODS
from fsdesk.results.study import EXAMPLE, StudyPlan, placed, plan_toml, read_plan, unfinished_plan
from fsdesk.wrappers import WRAPPERS

if TYPE_CHECKING:
    from fsdesk.app.session.session import Session

_LAST_STUDY = "study/folder"


class StudyDialog(Dialog):
    """``project_wanted`` sends the project of a study to be opened.

    It may be closed while the study runs, and opened again.
    """

    project_wanted = Signal(object)

    def __init__(self, parent: QWidget, session: "Session") -> None:
        super().__init__(parent, "studyDialog", tr("Study"), 760)
        self.session, self.studies = session, session.studies
        self._settings: dict[str, Any] = {}
        self._loaded: tuple[str, ...] = ()  # names in the order of the study file, which its tables keep
        self._tables: list[str | dict[str, Any]] = []
        layout = self.box
        words = tr(
            "Every combination of table, method, model, criterion and seed becomes a run with its held-out error. A "
            "study that was stopped continues where it left off and runs only what is new."
        )
        layout.addWidget(label(words, "muted", wrap=True))
        self.switch = Segments("studyParts", {"plan": tr("Plan"), "tables": tr("Tables and tests")})
        self.switch.chosen.connect(lambda key: self._show_part(key))
        self.open_file = button(tr("Open a study file …"), "studyOpen", "link")
        self.example = button(tr("Load the example"), "studyExample", "link")
        self.save = button(tr("Save as a study file …"), "studySave", "link")
        self.open_file.clicked.connect(self._ask_open)
        self.example.clicked.connect(lambda: self.load(EXAMPLE))
        self.save.clicked.connect(self._save)
        layout.addLayout(row(self.switch, None))
        layout.addLayout(row(self.open_file, self.example, self.save, None, spacing=12))
        self.parts = QStackedWidget()
        self.tables_page = QTextBrowser()
        named(self.tables_page, "studyTables", tr("Tables and tests of the study"))
        self.tables_page.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self.parts.addWidget(scrolled(self._plan(), across=True))  # on a small or scaled screen
        self.parts.addWidget(self.tables_page)
        layout.addWidget(self.parts, 1)
        self._foot()
        dataset, path = session.loader.dataset, session.loader.path
        if path is not None and dataset is not None:
            self._tables = [{"file": str(path), "target": dataset.target_name}]
        self._show_tables()
        self._show_unfinished()
        self.studies.changed.connect(self.refresh)
        self.resize_to(1000, 680)
        self.refresh()

    def _plan(self) -> QWidget:
        self.tables = QListWidget()
        named(self.tables, "studyTableList", tr("Tables of the study"))
        self.add = button(tr("Add …"), "studyAdd", "link", tr("Add a table"))
        self.add.setMenu(self._add_menu())
        self.remove = button(tr("Remove"), "studyRemove", "link", tr("Remove the selected table"))
        self.remove.clicked.connect(self._remove)
        every = [each.name for each in METHODS]
        self.methods = marked_list("studyMethods", tr("Methods"), METHODS, every, "auto")
        self.wrappers = marked_list("studyModels", tr("Models"), WRAPPERS, [each.name for each in WRAPPERS], "nn")
        self.criteria = QListWidget()
        named(self.criteria, "studyCriteria", tr("Criteria"))
        add_marked(self.criteria, "auto", tr("default"), True)
        for criterion in CRITERIA:
            add_marked(self.criteria, criterion.name, translated(criterion.title), False)
        have_room(self.criteria)
        for view in (self.methods, self.wrappers, self.criteria):
            view.itemChanged.connect(lambda _: self._count())
        tables = row(self.add, self.remove, None, spacing=12)
        lists = [column(label(tr("Tables"), "heading"), self.tables, tables)]
        titled = ((tr("Methods"), self.methods), (tr("Models"), self.wrappers), (tr("Criteria"), self.criteria))
        lists += [column(label(title, "heading"), view) for title, view in titled]
        self.seeds = QLineEdit("0, 1, 2")
        named(self.seeds, "studySeeds", tr("Seeds, separated by commas"))
        self.seeds.textChanged.connect(lambda _: self._count())
        self.outer = IntegerField(0, 100)
        self.outer.setValue(5)
        self.outer.setToolTip(
            tr("Outer folds for the held-out error, shared by all methods with the same seed; 0 for none")
        )
        named(self.outer, "studyOuter", tr("Outer folds"))
        self.others = label("", "caption", wrap=True)
        named(self.others, "studySettings", tr("Settings from the study file"))
        seeds = row(label(tr("Seeds")), self.seeds, label(tr("Outer folds")), self.outer, spacing=12)
        beside = row(*lists, spacing=12, grow=lists)
        return panel(column(beside, seeds, self.others, grow=[beside]))

    def _show_unfinished(self) -> None:
        """Show the plan of the last study if it did not finish, so that it can be resumed with one click."""
        try:
            plan = unfinished_plan(self.out.text())
        except UserError:  # it is read again, and errors reported, when the study is resumed
            return
        if plan is not None:
            self._show_plan(plan)

    def _foot(self) -> None:
        layout, store = self.box, self.session.store
        self.out = QLineEdit(str(self.studies.out or store.value(_LAST_STUDY, str(last_folder(store) / tr("study")))))
        named(self.out, "studyOut", tr("Folder for the project and tables"))
        self.out.textChanged.connect(lambda _: self.refresh())
        self.browse = button(tr("Browse …"), "studyBrowse")
        self.browse.clicked.connect(self._browse)
        layout.addLayout(row(label(tr("Folder"), "heading"), self.out, self.browse))
        self.words = label("", wrap=True)
        named(self.words, "studyWords", tr("Study status"))
        self.bar = progress_bar("studyProgress", tr("Progress of the study"))
        layout.addWidget(self.words)
        layout.addWidget(self.bar)
        self.start = button(tr("Start"), "studyStart", "primary")
        self.start.clicked.connect(self._start)
        self.stop = button(tr("Stop"), "studyStop")
        self.stop.clicked.connect(self._stop)
        self.runs = button(tr("Show runs"), "studyRuns", spoken=tr("Open the study's project"))
        self.runs.clicked.connect(self._show_runs)
        self.folder = button(tr("Open the folder"), "studyFolder")
        self.folder.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(self.out.text())))
        self.close_ = button(tr("Close"), "studyClose")
        self.close_.clicked.connect(self.reject)
        layout.addLayout(row(self.close_, None, self.folder, self.runs, self.stop, self.start))

    def _add_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction(tr("File …")).triggered.connect(lambda _=False: self._ask_table())
        for sample in SAMPLES:
            action = menu.addAction(tr("Sample: {name}", name=translated(sample.title)))
            action.triggered.connect(lambda _=False, name=sample.name: self.add_table(f"sample:{name}"))
        return menu

    def _ask_table(self) -> None:
        add, kinds = lambda path: self.add_table(str(path)), all_tables()
        ask_path(self, self.session.store, tr("Choose a table"), add, name="studyTable", kinds=kinds)

    def add_table(self, table: str) -> None:
        """Add a file or a sample."""
        self._tables.append(table)
        self._show_tables()

    def _remove(self) -> None:
        place = self.tables.currentRow()
        if place >= 0:
            del self._tables[place]
            self._show_tables()

    def _show_tables(self) -> None:
        self.tables.clear()
        for table in self._tables:
            file = str(table if isinstance(table, str) else table.get("file", ""))
            item = QListWidgetItem(file if file.startswith("sample:") else Path(file).name)
            options = "" if isinstance(table, str) else ", ".join(f"{key} = {value}" for key, value in table.items())
            item.setToolTip(options or file)
            item.setSizeHint(QSize(0, max(26, self.tables.fontMetrics().height() + 8)))
            self.tables.addItem(item)
        self._count()

    def _ask_open(self) -> None:
        load, kinds = lambda path: self.load(str(path)), f"{tr('Study files')} (*.toml);;{tr('All files')} (*)"
        ask_path(self, self.session.store, tr("Open a study file"), load, name="studyFile", kinds=kinds)

    def load(self, path: str) -> None:
        """Show the plan of a study file."""
        try:
            plan, folder = read_plan(path)
        except UserError as error:
            self.words.setText(translated(str(error)))
            return
        self._show_plan(plan.model_copy(update={"tables": tuple(placed(each, folder) for each in plan.tables)}))

    def _show_plan(self, plan: StudyPlan) -> None:
        self._tables = list(plan.tables)
        self._settings = dict(plan.settings)
        self._loaded = (*plan.methods, *plan.wrappers, *plan.criteria)
        for view, names in (
            (self.methods, plan.methods),
            (self.wrappers, plan.wrappers),
            (self.criteria, plan.criteria),
        ):
            _mark(view, names)
        self.seeds.setText(", ".join(map(str, plan.seeds)))
        self.outer.setValue(plan.outer)
        self._show_tables()

    @property
    def plan(self) -> StudyPlan | None:
        """The current plan; None if something is missing."""
        seeds = [part.strip() for part in self.seeds.text().split(",") if part.strip()]
        lists = [_ordered(marked(view), self._loaded) for view in (self.methods, self.wrappers, self.criteria)]
        chosen = (self._tables, *lists, seeds)
        if not all(chosen) or not all(seed.isdigit() for seed in seeds) or self.outer.value() == 1:
            return None
        return StudyPlan(
            tables=tuple(self._tables),
            methods=lists[0],
            wrappers=lists[1],
            criteria=lists[2],
            seeds=tuple(dict.fromkeys(map(int, seeds))),
            outer=self.outer.value(),
            settings=self._settings,
        )

    def _count(self) -> None:
        given = [f"{key} = {value}" for key, value in self._settings.items() if not isinstance(value, dict)]
        for name, values in self._settings.items():
            if isinstance(values, dict):
                given.append(f"{name}: " + ", ".join(f"{key} = {value}" for key, value in values.items()))
        self.others.setText(tr("Settings of the study file: {settings}", settings="; ".join(given)) if given else "")
        self.refresh()

    def refresh(self) -> None:
        """Show the progress of the study, and the available actions."""
        studies, plan = self.studies, self.plan
        going, progress = studies.at_work, studies.progress
        self.bar.setVisible(going)
        self.stop.setVisible(going)
        self.start.setVisible(not going)
        there = (Path(self.out.text()) / "study.fsdesk").is_file()
        self.start.setText(tr("Resume") if there else tr("Start"))
        self.start.setEnabled(plan is not None and bool(self.out.text().strip()))
        self.runs.setEnabled(there and not going)
        self.folder.setEnabled(there)
        if going:
            self.bar.setValue(0 if progress is None else round(1000 * progress.share))
            self.words.setText(_how_far(progress))
        else:
            self.words.setText(self._at_rest(plan))
        html = Path(self.out.text()) / "tables.html"
        has_tables = html.is_file() and not going
        self.switch.buttons["tables"].setEnabled(has_tables)
        if has_tables and studies.done is not None and studies.out == Path(self.out.text()):
            self._show_part("tables")
            studies.done = None  # shown only once
        elif not has_tables:
            self._show_part("plan")

    def _at_rest(self, plan: StudyPlan | None) -> str:
        studies = self.studies
        if studies.refusal:
            return studies.refusal
        if studies.done is not None and studies.done.stopped:
            return tr("Stopped. Completed runs are saved; press Resume to continue.")
        if studies.done is not None:
            failed = "; ".join(f"{cell}: {translated(why)}" for cell, why in studies.done.failed.items())
            done = tr("Done. The folder contains tables for publication and the project with all runs.")
            return f"{done} {failed}".strip()
        if plan is None:
            return tr("Add a table, tick at least one method, model and criterion, and enter seeds such as 0, 1, 2.")
        runs = len(plan.tables) * len(plan.methods) * len(plan.wrappers) * len(plan.criteria) * len(plan.seeds)
        if plan.outer == 0:
            return tr("{runs}, without held-out errors (no outer folds)", runs=counted(runs, "run"))
        return tr("{runs}, each with its held-out error", runs=counted(runs, "run"))

    def _show_part(self, key: str) -> None:
        self.switch.select(key)
        self.parts.setCurrentIndex(int(key == "tables"))
        if key == "tables":
            folder = Path(self.out.text())
            picture = '<p><img src="ranks.svg"></p>' if (folder / "ranks.svg").is_file() else ""
            self.tables_page.setSearchPaths([str(folder)])
            page = (folder / "tables.html").read_text(encoding="utf-8").replace("padding:4px 12px", "padding:4px 5px")
            page = re.sub(r"(?<=<td)[^>]*>[^<]*[\[±][^<]*", _in_one_line, page)
            self.tables_page.setHtml(page + picture)

    def _start(self) -> None:
        plan = self.plan
        if plan is not None:
            self.session.store.setValue(_LAST_STUDY, self.out.text())
            self.session.store.sync()  # a killed window writes nothing more
            self.studies.begin(plan, Path(self.out.text()))

    def _stop(self) -> None:
        self.studies.stop()
        self.words.setText(tr("Stopping …"))

    def _browse(self) -> None:
        ask_file(self, "studyOutFolder", tr("Folder for the study"), self.out.text(), self.out.setText, folder=True)

    def _save(self) -> None:
        plan = self.plan
        if plan is None:
            self.words.setText(self._at_rest(plan))
            return

        async def write(path: Path) -> None:
            await self.session.tasks.in_thread(lambda: path.write_text(plan_toml(plan), encoding="utf-8"))

        kinds = f"{tr('Study files')} (*.toml)"
        title, doing = tr("Save the study file"), tr("saving the study file")
        ask_save(self, self.session, "study", title, "study.toml", kinds, write, doing)

    def _show_runs(self) -> None:
        self.project_wanted.emit(Path(self.out.text()) / "study.fsdesk")
        self.accept()


def _in_one_line(cell: re.Match[str]) -> str:
    """A cell whose interval or deviation is kept on one line."""
    attributes, _, text = cell[0].partition(">")
    return f"{attributes}>{text.replace(' ', chr(0xA0))}"


def _ordered(names: Sequence[str], first: Sequence[str]) -> tuple[str, ...]:
    """Names in the order of a study file, then the others."""
    return tuple(sorted(names, key=lambda name: first.index(name) if name in first else len(first)))


def _mark(view: QListWidget, names: Sequence[str]) -> None:
    """Check only these; items not in the list, such as a method with a preset, are added."""
    there = {str(view.item(place).data(Qt.ItemDataRole.UserRole)): view.item(place) for place in range(view.count())}
    for key, item in there.items():
        item.setCheckState(Qt.CheckState.Checked if key in names else Qt.CheckState.Unchecked)
    for name in names:
        if name not in there:
            add_marked(view, name, name, True)


def _how_far(progress: Any) -> str:
    if progress is None:
        return tr("Reading tables …")
    done = tr("{done} of {cells} runs done", done=number(progress.done), cells=number(progress.cells))
    left = progress.seconds_left
    return f"{done}." if left is None else tr("{done}; about {time} left.", done=done, time=duration(max(1.0, left)))
