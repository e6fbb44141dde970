"""The sections of the settings panel: data, features, method, model, roles of columns, estimate."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QStandardItemModel
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QMenu, QPushButton, QSizePolicy, QWidget

from fsdesk.app.forms.constraints import Constraints, ConstraintsDialog
from fsdesk.app.forms.presets import MINE
from fsdesk.app.forms.settings_form import Level, SettingsForm
from fsdesk.app.forms.setup import idle_settings
from fsdesk.app.palette import SPACE
from fsdesk.app.session.session import Session
from fsdesk.app.style import on_theme, tokens
from fsdesk.app.translation import duration, memory_words
from fsdesk.app.widgets import Choice, button, column, label, named, row
from fsdesk.engine import ENOUGH_ROWS, Prefilter, RunRequest, Validation
from fsdesk.engine.tasks import Estimate
from fsdesk.errors import UserError
from fsdesk.messages import counted, number, tr, tr_many, translated
from fsdesk.methods import DEFAULT_METHOD, METHODS, Method
from fsdesk.settings import Entry, Value
from fsdesk.wrappers import DEFAULT_WRAPPER, STAND_INS, WRAPPERS, Task

if TYPE_CHECKING:
    from fsdesk.app.plots.gain_plot import GainPlot

_LIST_WIDTH = 208


class _Linked(QLabel):
    """A text that ends with a link, which can be reached by Tab and activated by Space or Return."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "caption")
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setWordWrap(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focusNextPrevChild(True)  # to the link; Qt would otherwise need one more Tab

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            event = QKeyEvent(event.type(), Qt.Key.Key_Return, event.modifiers())
        super().keyPressEvent(event)


class _EntrySection(QWidget):
    """A list of methods or models, the summary of the chosen one with a link to its help, and its settings.

    Signals: ``changed`` on any setting, ``exchanged`` when another form is shown, ``page_wanted`` with a help page.
    """

    changed = Signal()
    exchanged = Signal()
    page_wanted = Signal(str)

    def __init__(self, prefix: str, spoken: str, entries: Any, first: str, pages: str) -> None:
        super().__init__()
        self._prefix, self._entries, self._pages = prefix, entries, pages
        self._level: Level = "common"
        self.choice = Choice()
        named(self.choice, prefix, spoken)
        self.choice.setMaxVisibleItems(24)
        for entry in entries.listed(lambda entry: translated(entry.brief)):
            self.choice.addItem(translated(entry.brief), entry.name)
            tip = f"{translated(entry.title)}. {translated(entry.summary)}"
            self.choice.setItemData(self.choice.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self.choice.setCurrentIndex(self.choice.findData(first))
        self.choice.currentIndexChanged.connect(self.show_entry)
        self.summary = _Linked()
        self.summary.setObjectName(f"{prefix}Summary")
        self.summary.linkActivated.connect(self.page_wanted)
        self.form = SettingsForm("none", ())
        self._place = column(self.form)
        on_theme(self._show_summary)

    @property
    def entry(self) -> Entry[Any]:
        """The chosen method or model."""
        entry: Entry[Any] = self._entries[self.choice.currentData()]
        return entry

    def show_entry(self) -> None:
        """Replace the form by that of the chosen entry."""
        entry = self.entry
        self.choice.setToolTip(f"{translated(entry.title)}. {entry.reference}")
        while (item := self._place.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        self.form = SettingsForm(self._prefix, entry.model.describe())
        self._place.addWidget(self.form)
        self.form.show_level(self._level)
        self.form.changed.connect(self._on_form)
        self._show_summary()
        self.exchanged.emit()

    def _on_form(self) -> None:
        self.changed.emit()

    def _show_summary(self) -> None:
        """Show the summary with its link in a theme color, which rich text does not use by itself."""
        link = f'<a href="{self._pages}/{self.entry.name}" style="color: {tokens().accent}">'
        self.summary.setAccessibleName(f"{translated(self.entry.summary)} {tr('More')}")
        self.summary.setText(f"{escape(translated(self.entry.summary))} {link}{tr('More')}&nbsp;…</a>")

    def show_level(self, level: Level) -> None:
        """Show the settings of a level."""
        self._level = level
        self.form.show_level(level)


def _pairs(*titled: tuple[str, QWidget], role: str = "body") -> QGridLayout:
    """Lists beside their titles."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(SPACE)
    grid.setColumnStretch(0, 1)
    for place, (title, widget) in enumerate(titled):
        name = label(title, role)
        name.setBuddy(widget)
        widget.setFixedWidth(_LIST_WIDTH)
        grid.addWidget(name, place, 0)
        grid.addWidget(widget, place, 1)
    return grid


class MethodSection(_EntrySection):
    """The search method; ``own_picked`` sends the chosen preset of the user."""

    own_picked = Signal(str)

    def __init__(self) -> None:
        super().__init__("method", tr("Search method"), METHODS, DEFAULT_METHOD, "methods")
        self._features = 0
        self._picked = False
        self._own: list[str] = []
        self.preset = Choice()
        named(self.preset, "preset", tr("Preset of the method"))
        self.preset.activated.connect(self._pick)
        self.reset = button(tr("Reset"), "resetSettings", "link", tr("Reset all settings to the preset"))
        self.reset.setToolTip(tr("Reset all settings to the preset for this table (Ctrl+Backspace)"))
        spoken = tr("Settings for study designs; save, load or copy the settings")
        self.keep = button(tr("Designs, save …"), "keepSettings", "link", spoken)
        self.menu = QMenu(self.keep)
        self.keep.setMenu(self.menu)
        self.gain: GainPlot | None = None
        head = row(label(tr("Search"), "heading"), None, self.keep, self.reset, spacing=12)
        lists = _pairs((tr("Method"), self.choice), (tr("Preset"), self.preset))
        self._column = column(head, lists, self.summary, self._place)
        self.setLayout(self._column)

    def show_entry(self) -> None:
        super().show_entry()
        self.offer_presets()

    def show_own(self, names: list[str]) -> None:
        """Replace the list of the user's presets."""
        self._own = names
        self._list_presets(self.preset.currentData())

    def offer_presets(self) -> None:
        """Select the preset that suits the table."""
        self._picked = False
        self._list_presets(self._suiting)
        self._use_preset()

    def show_size(self, features: int) -> None:
        """Select the preset that suits this many features, unless the user has chosen another or changed a setting."""
        suited = self.preset.currentData() == (self._suiting or self.preset.itemData(0))
        kept = self.form.modified or (self._features > 0 and (self._picked or not suited))
        self._features = features
        if not kept:
            self.offer_presets()

    @property
    def _suiting(self) -> str | None:
        suiting = self.entry.preset_for(self._features) if self._features else None
        return suiting.name if suiting is not None else None

    def _list_presets(self, chosen: str | None) -> None:
        own_tip = tr("Your preset: method, model and measurement settings")
        shown = [(translated(each.name), each.name, translated(each.help)) for each in self.entry.presets]
        with QSignalBlocker(self.preset):
            self.preset.clear()
            for title, value, tip in shown or [(tr("Defaults"), "", "")]:
                self.preset.addItem(title, value)
                self.preset.setItemData(self.preset.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
            if self._own:
                self.preset.insertSeparator(self.preset.count())
            for name in self._own:
                self.preset.addItem(name, f"{MINE}{name}")
                self.preset.setItemData(self.preset.count() - 1, own_tip, Qt.ItemDataRole.ToolTipRole)
            self.preset.setCurrentIndex(max(0, self.preset.findData(chosen)))
        self.preset.setEnabled(self.preset.count() > 1)

    def select_preset(self, name: str, usual: dict[str, Value] | None = None) -> None:
        """Mark a preset as chosen and use its values as the reference, without changing any setting."""
        with QSignalBlocker(self.preset):
            self.preset.setCurrentIndex(max(0, self.preset.findData(name)))
        self.form.rebase(self.preset_values if usual is None else usual)
        self._show_tip()

    @property
    def preset_values(self) -> dict[str, Value]:
        """The values of the method's chosen preset; empty for one of the user's."""
        name = str(self.preset.currentData() or "")
        return dict(self.entry.preset(name).values) if name and not name.startswith(MINE) else {}

    def _pick(self) -> None:
        name = str(self.preset.currentData() or "")
        if name.startswith(MINE):
            self._show_tip()
            self.own_picked.emit(name.removeprefix(MINE))
        else:
            self._picked = True
            self._use_preset()

    def _use_preset(self) -> None:
        self._show_tip()
        self.form.use(self.preset_values)

    def _show_tip(self) -> None:
        self.preset.setToolTip(self.preset.itemData(self.preset.currentIndex(), Qt.ItemDataRole.ToolTipRole) or "")

    def _on_form(self) -> None:
        self._show_gain()
        super()._on_form()

    def _show_gain(self) -> None:
        """Show the gains unless only presets are shown; plots are imported late, because that takes a while."""
        shown = self._level != "presets" and hasattr(self.entry.model, "gain")
        if self.gain is None and shown:
            from fsdesk.app.plots.gain_plot import GainPlot

            self.gain = GainPlot()
            self._column.addWidget(self.gain)
        if self.gain is None:
            return
        try:
            self.gain.show_method(self.entry.model(**self.form.values()))
        except (ValueError, OverflowError, ZeroDivisionError):
            self.gain.hide()
        self.gain.setVisible(not self.gain.isHidden() and shown)

    def show_level(self, level: Level) -> None:
        super().show_level(level)
        self._on_form()


class ModelSection(_EntrySection):
    """The model wrapped by the search."""

    def __init__(self) -> None:
        super().__init__("wrapper", tr("Model"), WRAPPERS, DEFAULT_WRAPPER, "wrappers")
        self.one = label("", "caption", wrap=True)
        self.one.hide()
        head = _pairs((tr("Model"), self.choice), role="heading")
        self.setLayout(column(head, self.one, self.summary, self._place))

    def show_entry(self) -> None:
        super().show_entry()
        self.changed.emit()

    def explain(self, *, raced: bool, task: Task = "classification") -> None:
        """Name the model used for measuring if models compete but the method is not a race."""
        model = translated(WRAPPERS[STAND_INS[task]].title)
        is_one = self.entry.model.competes and not raced
        self.one.setText(tr("This method uses a single model: {model}.", model=model) if is_one else "")
        self.one.setVisible(is_one)

    def fit(self, task: Task) -> None:
        """Allow only models for this kind of target."""
        model = self.choice.model()
        assert isinstance(model, QStandardItemModel)
        kinds = {"classification": tr("classes"), "regression": tr("numbers"), "survival": tr("event times")}
        kind = kinds[task]
        refusal = tr("Not available: the target contains {kind}.", kind=kind)
        fitting = [entry.name for entry in WRAPPERS if task in entry.model.tasks]
        for place, name in enumerate(self.choice.offered):
            entry = WRAPPERS[name]
            model.item(place).setEnabled(name in fitting)
            tip = f"{translated(entry.title)}. {translated(entry.summary)}" if name in fitting else refusal
            model.item(place).setToolTip(tip)
        if self.choice.currentData() not in fitting and fitting:
            first = DEFAULT_WRAPPER if DEFAULT_WRAPPER in fitting else fitting[0]
            self.choice.setCurrentIndex(self.choice.findData(first))


class FeaturesSection(QWidget):
    """Constraints, a starting subset, and a filter for the features of a search.

    ``changed`` is emitted on any of these.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.features: tuple[str, ...] = ()
        self.constraints = Constraints()
        self.start: tuple[str, ...] = ()
        self.source = ""
        spoken = tr("Features always in, never in, or together")
        self.more = button(tr("Constraints …"), "constraintsLink", "link", spoken)
        self.more.setToolTip(tr("Specify which features are always in, never in, or kept together"))
        self.more.clicked.connect(self._open_dialog)
        self.summary = label("", "caption", wrap=True)
        self.origin = label("", "caption", wrap=True)
        self.forget = button(tr("Reset"), "forgetStart", "link", tr("Use the method's default start"))
        self.forget.clicked.connect(lambda: self.start_from((), ""))
        self.filter = SettingsForm("filter", Prefilter.describe(), wide=168, beside=123)
        self.filter.changed.connect(self._on_filter)
        head = row(label(tr("Features"), "heading"), None, self.more)
        start = row(self.origin, self.forget, grow=[self.origin])
        self.setLayout(column(head, self.summary, start, self.filter))
        self._on_filter()
        self._show()

    @property
    def modified(self) -> bool:
        """Whether anything is set."""
        return self.constraints != Constraints() or bool(self.start) or self.filter.modified

    def values(self) -> dict[str, Value]:
        """Settings of the filter, without those that have no effect."""
        values = self.filter.values()
        return {name: value for name, value in values.items() if name not in idle_settings(values, None)}

    @property
    def units(self) -> int:
        """Number of features, or groups of them, from which a search chooses."""
        held, count = self.constraints, len(self.features)
        if held != Constraints():
            free = {*self.features} - {*held.always} - {*held.never}
            count = len(free) - sum(max(0, len(free & {*group}) - 1) for group in held.together)
        chosen = Prefilter().updated(self.values())
        return count if chosen.prefilter == "none" else min(count, chosen.keep)

    def reset(self) -> None:
        """Remove all constraints, the starting subset and the filter."""
        self.filter.reset()
        self.ask_for(Constraints(), (), "")

    def show_level(self, level: Level) -> None:
        """Show all settings of the filter, or none if only presets are shown."""
        self.filter.show_level("presets" if level == "presets" else "all")

    def ask_for(self, constraints: Constraints, start: Sequence[str], source: str) -> None:
        """Set constraints, and a starting subset found by ``source``."""
        self.constraints, self.start, self.source = constraints, tuple(start), source
        self._show()
        self.changed.emit()

    def constrain(self, constraints: Constraints) -> None:
        """Replace the constraints."""
        self.ask_for(constraints, self.start, self.source)

    def start_from(self, names: Sequence[str], source: str) -> None:
        """Start the next run with a subset found by ``source``."""
        self.ask_for(self.constraints, names, source)

    def want_always(self, name: str, wanted: bool) -> None:
        """Require a feature in every subset, or no longer."""
        held = self.constraints
        chosen = {*held.always, name} if wanted else {*held.always} - {name}
        always = tuple(each for each in dict.fromkeys((*self.features, name)) if each in chosen)
        self.constrain(replace(held, always=always, never=tuple(each for each in held.never if each != name)))

    def show_features(self, features: Sequence[str]) -> None:
        """Show another data set: constraints on features it does not have are removed."""
        if tuple(features) == self.features:
            return
        self.features = tuple(features)
        self.constraints = self.constraints.among(self.features)
        if not set(self.start) <= set(self.features):
            self.start = ()
        self._show()

    def _on_filter(self) -> None:
        self.filter.hide_idle(idle_settings(self.filter.values(), None))
        self.changed.emit()

    def _open_dialog(self) -> None:
        dialog = ConstraintsDialog(self.window(), self.features, self.constraints)
        dialog.chosen.connect(self.constrain)
        dialog.open()

    def _show(self) -> None:
        held = self.constraints
        parts = (
            tr("{count:,} always in", count=len(held.always)) if held.always else "",
            tr("{count:,} never in", count=len(held.never)) if held.never else "",
            tr("{groups} together", groups=counted(len(held.together), "group")) if held.together else "",
        )
        text = ", ".join(filter(None, parts))
        self.summary.setText(text + "." if text else tr("The search may select any of them."))
        self.more.setEnabled(bool(self.features))
        self.origin.setText(
            tr_many(len(self.start), "Starts from the {count} feature of {source}.",
                    "Starts from the {count} features of {source}.", source=self.source)
        )  # fmt: skip
        for control in (self.origin, self.forget):
            control.setVisible(bool(self.start))


_LONG_SECONDS = 10.0  # measurement time above which cheaper settings are suggested


class EstimateLines(QWidget):
    """Three lines with estimates; a worker's estimates are cached. ``found`` is emitted when there is a new one."""

    found = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.most = label("", "heading")
        self.time, self.memory = label("", "caption", wrap=True), label("", "caption", wrap=True)
        named(self.time, "estimate", tr("Time estimate"))
        named(self.memory, "memoryEstimate", tr("Memory estimate"))
        self.honest = QCheckBox()
        self._offer(Validation().outer_folds)
        named(self.honest, "withHonest", tr("Measure the held-out error after the run"))
        self.honest.setChecked(session.honest_wanted)
        self.honest.toggled.connect(session.want_honest)
        self.honest.toggled.connect(self.found)
        layout = column(self.most, self.time, self.memory, spacing=2)
        layout.addSpacing(SPACE)
        layout.addWidget(self.honest)
        self.itself = label(tr("The held-out error is measured during the search."), "caption", wrap=True)
        named(self.itself, "measuresItself", tr("How the held-out error is measured"))
        self.itself.hide()
        layout.addWidget(self.itself)
        self.setLayout(layout)
        self._known: dict[Hashable, Estimate | str] = {}

    def measure(self, request: RunRequest, key: Hashable) -> None:
        """Have a worker try the settings, once for each key."""
        session = self._session
        if session.loader.dataset is None or key in self._known:
            return

        async def work() -> None:
            try:
                found = await session.loader.estimate(request, session.runs.threads)
            except UserError as error:
                self._known[key] = translated(str(error))
            else:
                if found is not None:
                    self._known[key] = found
            self.found.emit()

        session.tasks.begin(work(), tr("timing a run"), quietly=True)

    def show_words(self, head: str, words: str = "") -> None:
        """Say why there is no estimate."""
        self.most.setText(head)
        self.most.setToolTip("")
        self.time.setText(words)
        self.memory.hide()

    def _offer(self, folds: int) -> None:
        """Show in how many outer folds the held-out error is measured."""
        self.honest.setText(tr("With the held-out error ({folds} outer folds)", folds=folds))
        self.honest.setToolTip(
            tr(
                "The whole search is repeated in {folds} outer folds, to estimate the error on new samples.",
                folds=folds,
            )
        )

    def show_run(
        self,
        method: Method,
        features: int,
        key: Hashable,
        folds: int,
        *,
        cheaper: bool = False,
        rows: int = 0,
        usual: int = 0,
    ) -> None:
        """Show the cost of a run of this method over this many features, once ``key`` is known.

        A run ends when the method's own steps, the maximum number of measurements or the time limit is reached,
        whichever comes first; a method may also stop without further improvement. With the held-out error it is
        repeated in each of the outer ``folds``. If a measurement takes long and could be ``cheaper``, or use only this
        many ``rows``, the text says how; it also says if fewer than the ``usual`` measurements are planned.
        """
        self._offer(folds)
        self.honest.setVisible(not method.brings_honest_error)
        self.itself.setVisible(method.brings_honest_error)
        own, most = 1 + method.measurements(features), 1 + method.budget(features)
        self.most.setText(tr("At most {count}", count=counted(most, "measurement")))
        cut = tr("Your limit; without it, the method may use {count}.", count=counted(own, "measurement"))
        self.most.setToolTip(cut if most < own else tr("One of these is the baseline with all features."))
        found = self._known.get(key)
        if not isinstance(found, Estimate):
            self.time.setText(found if found is not None else tr("Timing a measurement …"))
            self.memory.hide()
            return
        honest = self.honest.isChecked() and not method.brings_honest_error
        words = _time_words(found, most, method.max_minutes, 1 + folds if honest else 1)
        if own <= usual:
            words = tr(
                "{words}. The model is slow to fit, so {planned} are planned instead of {usual}.",
                words=words,
                planned=counted(own, "measurement"),
                usual=number(1 + usual),
            )
        if cheaper and found.seconds > _LONG_SECONDS:
            words = tr(
                "{words}. A single measurement takes {time}. Hold-out validation with one repeat needs only one fit: "
                "faster, but noisier.",
                words=words,
                time=duration(found.seconds),
            )
        if rows > 2 * ENOUGH_ROWS and found.seconds > _LONG_SECONDS:
            words = tr(
                "{words}. The search is faster on {enough:,} of the {rows:,} rows, and its result is still evaluated "
                'on all of them ("Rows for the search").',
                words=words.rstrip("."),
                enough=ENOUGH_ROWS,
                rows=rows,
            )
        self.time.setText(words)
        self.time.setToolTip(
            tr(
                "Timed just now with half of the features: {count} take about {time}. Smaller subsets are usually "
                "faster, other active runs slow it down, and the search may stop early if it finds no improvement.",
                count=counted(100, "measurement"),
                time=duration(100 * found.seconds),
            )
        )
        self.memory.setVisible(found.memory > 0)
        self.memory.setText(tr("About {size} of memory in its worker", size=memory_words(found.memory)))
        self.memory.setToolTip(
            tr(
                "Peak memory of a worker that just tried these settings with all features. It includes the program "
                "itself, {table} for the table (shared by all workers), and working memory.",
                table=memory_words(found.table),
            )
        )


def _time_words(found: Estimate, most: int, minutes: float, searches: int) -> str:
    """Time of the search; with the held-out error, including its repetitions in the outer folds."""
    one, limit = found.once + found.seconds * most, minutes * 60
    whole = duration(one * searches)
    if limit and one > limit:
        reached = counted(max(1, int((limit - found.once) / found.seconds)), "measurement")
        if searches > 1:
            return tr(
                "About {time}: each of {searches} searches ends at your limit of {limit}, after about {reached}",
                time=duration(limit * searches), searches=searches, limit=duration(limit), reached=reached,
            )  # fmt: skip
        return tr(
            "Ends at your limit of {limit}, after about {reached}; without it, the search would take about {whole}",
            limit=duration(limit), reached=reached, whole=whole,
        )  # fmt: skip
    if one * searches < 1:
        return tr("Under a second for all measurements")
    return tr("About {time} for all measurements", time=whole)


class DataSection(QWidget):
    """Name, size, target and a link to everything else about the data."""

    columns_wanted = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.name = label("", "title", wrap=True)
        self.extent = label("", "caption", wrap=True)  # German texts about a gene table are long
        self.target = Choice()
        self.target.setFixedWidth(208)
        self.target.setMaxVisibleItems(20)
        named(self.target, "target", tr("Target: the column to predict"))
        self.target.activated.connect(self._choose)
        self.more = button(tr("Columns"), "columnsLink", "link")
        self.more.clicked.connect(self.columns_wanted)
        title = label(tr("Target"))
        title.setBuddy(self.target)
        extent = row(self.extent, self.more, grow=[self.extent])
        self.setLayout(column(self.name, extent, row(title, None, self.target)))
        session.loader.table_changed.connect(self._on_table)
        session.loader.dataset_changed.connect(self._on_dataset)
        self._on_table()

    def _on_table(self) -> None:
        table = self._session.loader.table
        self.target.clear()
        self.target.setEnabled(table is not None)
        self.target.setToolTip(
            tr("The column to predict. Every other column is a feature, unless you exclude it.")
            if table is not None
            else tr("As stored in the project. To predict another column, open the original table.")
        )
        if table is not None:
            self.name.setText(table.name)
            target = self._session.loader.choices.target or table.default_target
            self.target.addItems(_target_first(table.columns, target))
            self.target.setCurrentText(target)
            self._show_notes(0)  # those of the previous table do not apply

    def _on_dataset(self) -> None:
        session, dataset = self._session, self._session.loader.dataset
        if dataset is None:
            if session.loader.table is not None:
                rows, columns = session.loader.table.values.shape
                self.extent.setText(f"{counted(rows, 'row')} · {counted(columns, 'column')}")
                self.target.setCurrentText(session.loader.choices.target or "")
            return
        self.name.setText(dataset.name)
        if session.loader.table is None:
            self.target.clear()
            self.target.addItem(dataset.target_name)
        rows, features = dataset.x.shape
        held = {
            "classification": counted(len(dataset.classes), "class"), "regression": tr("numbers"),
            "survival": tr("{events:,} events", events=int(dataset.target.sum())),
        }[dataset.task]  # fmt: skip
        self.extent.setText(f"{counted(rows, 'row')} · {counted(features, 'feature')} · {held}")
        self._show_notes(len(dataset.checks))

    def _show_notes(self, notes: int) -> None:
        self.more.setText(counted(notes, "note") if notes else tr("Columns"))
        self.more.setAccessibleName(tr("Columns and checks, {notes}", notes=counted(notes, "note")))
        self.more.setToolTip(tr("Show the table, its columns and the checks"))

    def _choose(self) -> None:
        target = self.target.currentText()
        if self._session.loader.table is not None and target != self._session.loader.choices.target:
            self._session.loader.choose(self._session.loader.with_target(target))


def _target_first(columns: tuple[str, ...], target: str, most: int = 2000) -> list[str]:
    """The target, then the other columns, at most ``most``: 20,000 genes are better searched in the column table."""
    return [target, *(name for name in columns if name != target)][:most]


class RolesNote(QWidget):
    """A note on the columns with special roles; hidden if there are none.

    ``appeared`` is emitted when the user has assigned a role that requires its own validation.
    """

    appeared = Signal()

    def __init__(self, session: Session, form: SettingsForm) -> None:
        super().__init__()
        self._session, self._form = session, form
        self._settled = QTimer(self, singleShot=True, interval=0)  # after the note is laid out
        self._settled.timeout.connect(self.appeared)
        self._offered: tuple[object, frozenset[str]] = (None, frozenset())
        self.groups = label("", "caption", wrap=True)
        self.lines = {
            "column": self._line("column", tr('Your own folds are used with "Folds from a column" validation.')),
            "time": self._line("time", tr('Times are used with "Forward in time" validation.')),
        }
        lines = (row(text, link, grow=[text]) for text, link in self.lines.values())
        self.setLayout(column(self.groups, *lines, spacing=SPACE // 2))
        session.loader.dataset_changed.connect(self._show)
        form.changed.connect(self._show)
        self._show()

    def _line(self, protocol: str, sentence: str) -> tuple[QLabel, QPushButton]:
        link = button(tr("Use it"), f"use_{protocol}", "link", f"{tr('Use it')}: {sentence}")
        link.clicked.connect(lambda: self._form.put({"protocol": protocol}))
        return label(sentence, "caption", wrap=True), link

    @property
    def controls(self) -> list[QWidget]:
        """All controls reachable by keyboard."""
        return [link for _, link in self.lines.values()]

    def _show(self) -> None:
        session, dataset = self._session, self._session.loader.dataset
        if dataset is None:
            return  # another data set is being prepared
        name = session.loader.choices.group if session.loader.table is not None else None
        named = tr('Rows with the same "{name}" are never split between training and test sets.', name=name)
        self.groups.setText(named if name else tr("Rows of one group are never split between training and test sets."))
        chosen = self._form.values()["protocol"]
        there = {"column": dataset.fold_of is not None, "time": dataset.time is not None}
        waiting = frozenset(protocol for protocol, has in there.items() if has and protocol != chosen)
        self.groups.setVisible(dataset.groups is not None)
        for protocol, widgets in self.lines.items():
            for widget in widgets:
                widget.setVisible(protocol in waiting)
        self.setVisible(dataset.groups is not None or bool(waiting))
        (table, before), self._offered = self._offered, (session.loader.table, waiting)
        if (
            table is session.loader.table
            and table is not None
            and waiting - before
            and chosen not in ("column", "time")
        ):
            self._settled.start()
