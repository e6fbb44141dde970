"""The dialogs about runs: name, seeds, many runs at a time. None blocks the window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit, QListWidget, QListWidgetItem, QWidget

from fsdesk.app.dialogs.dialog import Dialog
from fsdesk.app.palette import SPACE
from fsdesk.app.session.run import Run
from fsdesk.app.translation import duration
from fsdesk.app.widgets import IntegerField, column, label, named, row
from fsdesk.engine import RunRequest, Validation
from fsdesk.engine.request import validates_itself
from fsdesk.engine.tasks import Estimate
from fsdesk.errors import UserError
from fsdesk.messages import counted, tr, translated
from fsdesk.methods import METHODS
from fsdesk.settings import Registry
from fsdesk.wrappers import WRAPPERS

if TYPE_CHECKING:
    from fsdesk.app.session.session import Session

_MOST_SEEDS = 1000
_BESIDE = 56  # pixels beside the names of a checklist: checkbox, frame, scroll bar


class NameDialog(Dialog):
    """Asks for the name of a run; ``chosen`` sends it, empty for the default name."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget, run: Run) -> None:
        super().__init__(parent, "nameDialog", tr("Rename a run"), 400, headed=False)
        self.name = QLineEdit(run.name)
        self.name.setMaxLength(200)
        self.name.setPlaceholderText(run.label)
        named(self.name, "runName", tr("Name of the run"))
        self.name.selectAll()
        words = tr("Leave it empty to name the run by its data, method and seed.")
        self.accepted.connect(lambda: self.chosen.emit(self.name.text()))
        for part in (label(tr("Name of the run"), "heading"), self.name, label(words, "caption", wrap=True)):
            self.box.addWidget(part)
        self.add_end(tr("Rename"), "runNameOk", "runNameCancel").clicked.connect(self.accept)


class StopDialog(Dialog):
    """Shown before deleting runs some of which are active; accepting means to stop and delete them."""

    def __init__(self, parent: QWidget, busy: Sequence[Run]) -> None:
        super().__init__(parent, "stopDialog", tr("Delete"), 440, headed=False)
        title = (
            tr("{run} is in progress", run=busy[0].label)
            if len(busy) == 1
            else tr("{count} of these runs are running or queued", count=len(busy))
        )
        words = tr(
            "Runs in progress must be stopped before they can be deleted. Undo restores them, and they can then be "
            "resumed."
        )
        heading = label(title, "title", wrap=True)
        named(heading, "stopTitle", title)
        self.box.addWidget(heading)
        self.box.addWidget(label(words, wrap=True))
        self.add_end(tr("Stop and delete"), "stopDelete", "stopCancel").clicked.connect(self.accept)


class SeedsDialog(Dialog):
    """Asks for the seeds of repeated runs; ``wanted`` sends the first seed and their number."""

    wanted = Signal(int, int)

    def __init__(self, parent: QWidget, runs: Sequence[Run], first: int) -> None:
        super().__init__(parent, "seedsDialog", tr("Repeat with other seeds"), 420, headed=False)
        self._runs = runs
        self.first, self.count = IntegerField(0, 2**31 - 1), IntegerField(1, _MOST_SEEDS)
        self.first.setValue(first)
        named(self.first, "firstSeed", tr("First seed"))
        named(self.count, "seedCount", tr("Number of seeds"))
        words = tr(
            "Searches use random numbers. Repeating one with other seeds shows how much of the result is due to "
            "chance: features that are selected again and again can be trusted."
        )
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * SPACE)
        for place, (title, field) in enumerate(((tr("First seed"), self.first), (tr("Number of runs"), self.count))):
            grid.addWidget(label(title), place, 0)
            grid.addWidget(field, place, 1)
        self.total = label("", "caption", wrap=True)
        named(self.total, "seedTotal", tr("Queue contents"))
        self.first.valueChanged.connect(self._show_total)
        self.count.valueChanged.connect(self._show_total)
        self.accepted.connect(lambda: self.wanted.emit(self.first.value(), self.count.value()))
        self.box.addWidget(label(words, "muted", wrap=True))
        self.box.addLayout(grid)
        self.box.addWidget(self.total)
        self.add_end(tr("Queue"), "seedsOk", "seedsCancel").clicked.connect(self.accept)
        self._show_total()

    def _show_total(self) -> None:
        count, first = self.count.value(), self.first.value()
        measurements = count * sum(run.measurements for run in self._runs)
        seeds = tr("seed {first}", first=first)
        if count > 1:
            seeds = tr("seeds {first} to {last}", first=first, last=first + count - 1)
        runs, most = counted(count * len(self._runs), "run"), counted(measurements, "measurement")
        self.total.setText(tr("{runs}, {seeds}, at most {measurements}", runs=runs, seeds=seeds, measurements=most))


_MOST_RUNS = 2000


def many_requests(
    request: RunRequest, methods: Sequence[str], wrappers: Sequence[str], seeds: Sequence[int]
) -> list[RunRequest]:
    """Each method with each model and each seed; seeds change last, so that all can soon be compared.

    The method and model settings of ``request`` apply to its own method and model; its settings for measuring and for
    features apply to all. Other methods use the preset that suits the table, and other models their defaults. Methods
    that accept a starting subset use it.
    """
    requests: list[RunRequest] = []
    for seed in seeds:
        for wrapper in wrappers:
            for method in methods:
                own = {"method": method == request.method, "wrapper": wrapper == request.wrapper}
                settings = {
                    name: value for name, value in request.settings.items() if own.get(name.partition(".")[0], True)
                }
                start = request.start if METHODS[method].model.takes_start else ()
                differing = {"method": method, "wrapper": wrapper, "seed": seed, "settings": settings, "start": start}
                requests.append(request.updated(differing))
    return requests


class ManyDialog(Dialog):
    """``wanted`` sends the runs to queue.

    Parameters
    ----------
    request
        The current settings; their method, model and seed are initially checked.
    wrappers
        The models that suit the data.
    honest
        Whether the held-out error is initially checked.
    """

    wanted = Signal(object)

    def __init__(
        self, parent: QWidget, session: Session, request: RunRequest, wrappers: Sequence[str], *, honest: bool = True
    ) -> None:
        super().__init__(parent, "manyDialog", tr("Queue many runs"), 640)
        self._session, self._request = session, request
        self._known: dict[tuple[str, bool], Estimate | None] = {}  # by model, and whether the method uses single fits
        self._most: dict[tuple[str, str], int] = {}  # measurements of a search, by method and model
        words = tr(
            "Each ticked method runs with each ticked model and each seed. The method and model in the settings "
            "panel use the settings shown there; all others use their defaults. Measurement settings and constraints "
            "are shared."
        )
        layout = self.box
        layout.addWidget(label(words, "muted", wrap=True))
        every = [each.name for each in METHODS]
        self.methods = marked_list("manyMethods", tr("Methods"), METHODS, every, request.method)
        self.wrappers = marked_list("manyModels", tr("Models"), WRAPPERS, wrappers, request.wrapper)
        titled = ((tr("Methods"), self.methods), (tr("Models"), self.wrappers))
        layout.addLayout(row(*(column(label(title, "heading"), view) for title, view in titled), spacing=2 * SPACE), 1)
        for view in (self.methods, self.wrappers):
            view.itemChanged.connect(self._update)
        self.first, self.count = IntegerField(0, 2**31 - 1), IntegerField(1, _MOST_SEEDS)
        self.first.setValue(request.seed)
        self.count.setValue(5)
        named(self.first, "manyFirst", tr("First seed"))
        named(self.count, "manyCount", tr("Number of seeds"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * SPACE)
        for place, (title, field) in enumerate(((tr("Seeds"), self.count), (tr("First seed"), self.first))):
            field.setFixedWidth(112)
            field.valueChanged.connect(self._update)
            grid.addWidget(label(title), 0, 2 * place)
            grid.addWidget(field, 0, 2 * place + 1)
        grid.setColumnStretch(4, 1)
        layout.addLayout(grid)
        self._folds = int(request.settings.get("validation.outer_folds", Validation().outer_folds))
        self.honest = QCheckBox(tr("With the held-out error ({folds} outer folds)", folds=self._folds))
        named(self.honest, "manyHonest", tr("Measure the held-out error of each run after it finishes"))
        self.honest.setToolTip(
            tr(
                "Methods that hold out rows themselves report their own held-out error; other searches are "
                "repeated in each fold."
            )
        )
        self.honest.setChecked(honest)
        self.honest.toggled.connect(self._update)
        layout.addWidget(self.honest)
        self.total, self.time = label("", "heading"), label("", "caption", wrap=True)
        named(self.total, "manyTotal", tr("Number of runs"))
        named(self.time, "manyTime", tr("Estimated duration"))
        layout.addWidget(self.total)
        layout.addWidget(self.time)
        self.ok = self.add_end(tr("Queue"), "manyOk", "manyCancel")
        self.ok.clicked.connect(self._agree)
        self.resize_to(680, 600)
        self._update()

    def plans(self) -> list[RunRequest]:
        """The checked items."""
        first = self.first.value()
        seeds = range(first, first + self.count.value())
        asked = self._request.updated({"outer": None if self.honest.isChecked() else 0})
        return many_requests(asked, marked(self.methods), marked(self.wrappers), seeds)

    def _update(self) -> None:
        methods, wrappers, seeds = marked(self.methods), marked(self.wrappers), self.count.value()
        runs = len(methods) * len(wrappers) * seeds
        self.ok.setEnabled(0 < runs <= _MOST_RUNS)
        if not runs:
            self.total.setText(tr("Tick at least one method and one model"))
            self.time.setText("")
            return
        if runs > _MOST_RUNS:
            self.total.setText(
                tr("{runs} is too many: the limit is {most} at a time", runs=counted(runs, "run"), most=_MOST_RUNS)
            )
            self.time.setText("")
            return
        self.total.setText(
            tr(
                "{methods} × {models} × {seeds} = {runs}",
                methods=counted(len(methods), "method"), models=counted(len(wrappers), "model"),
                seeds=counted(seeds, "seed"), runs=counted(runs, "run"),
            )
        )  # fmt: skip
        self._show_time(methods, wrappers, seeds)
        for kind in self._kinds(methods, wrappers):
            if kind not in self._known:
                self._known[kind] = None
                self._session.tasks.begin(self._measure(*kind), tr("timing a run"), quietly=True)

    def _show_time(self, methods: Sequence[str], wrappers: Sequence[str], seeds: int) -> None:
        measurements, total, known = 0, 0.0, True
        for method in methods:
            for wrapper in wrappers:
                most, searches = self._cost(method, wrapper)
                measurements += most * searches * seeds
                estimate = self._known.get((wrapper, METHODS[method].model.validates_itself))
                known &= estimate is not None
                total += 0.0 if estimate is None else (estimate.once + estimate.seconds * most) * searches * seeds
        text = tr("At most {measurements}", measurements=counted(measurements, "measurement"))
        if known:
            text += tr(
                "; about {time} on this computer if every run uses all its measurements", time=duration(max(1.0, total))
            )
        else:
            text += tr("; timing one run …")
        self.time.setText(text)

    def _cost(self, method: str, wrapper: str) -> tuple[int, int]:
        """Maximum number of measurements of a search, and number of searches: one, and one for each outer fold."""
        if (method, wrapper) not in self._most:
            dataset, (request,) = self._session.loader.dataset, many_requests(
                self._request, [method], [wrapper], [self._request.seed]
            )  # fmt: skip
            try:
                spec = None if dataset is None else request.resolve(dataset)
            except UserError:  # the run will report the error
                spec = None
            self._most[method, wrapper] = 0 if spec is None else spec.measurements
        itself = validates_itself(method, wrapper)
        searches = 1 + self._folds if self.honest.isChecked() and not itself else 1
        return self._most[method, wrapper], searches

    def _kinds(self, methods: Sequence[str], wrappers: Sequence[str]) -> set[tuple[str, bool]]:
        return {(wrapper, METHODS[method].model.validates_itself) for wrapper in wrappers for method in methods}

    async def _measure(self, wrapper: str, validates_itself: bool) -> None:
        candidates = [self._request.method, *marked(self.methods)]
        alike = [method for method in candidates if METHODS[method].model.validates_itself == validates_itself]
        (request,) = many_requests(self._request, alike[:1], [wrapper], [0])
        try:
            estimate = await self._session.loader.estimate(request, 1)
        except UserError:  # the run will report the error
            return
        self._known[wrapper, validates_itself] = estimate
        if not self.gone:
            self._update()

    def _agree(self) -> None:
        self.wanted.emit(self.plans())
        self.accept()


def marked_list(name: str, spoken: str, entries: Registry[Any], offered: Sequence[str], first: str) -> QListWidget:
    """A list of methods or models with checkboxes; ``first`` is initially checked."""
    view = QListWidget()
    named(view, name, spoken)
    for entry in entries.listed(lambda entry: translated(entry.brief)):
        if entry.name not in offered:
            continue
        item = add_marked(view, entry.name, translated(entry.brief), entry.name == first)
        item.setToolTip(f"{translated(entry.title)}. {translated(entry.summary)}")
    have_room(view)
    return view


def add_marked(view: QListWidget, key: str, title: str, marked: bool) -> QListWidgetItem:
    """Add an entry with a checkbox to a list."""
    item = QListWidgetItem(title, view)
    item.setSizeHint(QSize(0, max(26, view.fontMetrics().height() + 8)))  # room for the box beside it
    item.setData(Qt.ItemDataRole.UserRole, key)
    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
    item.setCheckState(Qt.CheckState.Checked if marked else Qt.CheckState.Unchecked)
    return item


def have_room(view: QListWidget) -> None:
    """Fit a checklist to its longest name."""
    widest = max(view.fontMetrics().horizontalAdvance(view.item(place).text()) for place in range(view.count()))
    view.setMinimumWidth(widest + _BESIDE)


def marked(view: QListWidget) -> list[str]:
    """The keys of the checked entries."""
    items = [view.item(place) for place in range(view.count())]
    return [str(item.data(Qt.ItemDataRole.UserRole)) for item in items if item.checkState() == Qt.CheckState.Checked]
