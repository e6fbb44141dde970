"""The settings panel on the left: data summary, features, method, model and measurement."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from itertools import pairwise

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QAbstractButton, QApplication, QFrame, QWidget

from fsdesk.app.forms.presets import MINE, OwnPresets
from fsdesk.app.forms.sections import (
    DataSection,
    EstimateLines,
    FeaturesSection,
    MethodSection,
    ModelSection,
    RolesNote,
)
from fsdesk.app.forms.settings_form import LEVELS, Level, SettingsForm
from fsdesk.app.forms.setup import (
    Setup,
    changed_in,
    fitted,
    idle_settings,
    offered_criteria,
    offered_protocols,
    place_of,
    step_words,
    task_of,
    usual_values,
)
from fsdesk.app.palette import SPACE
from fsdesk.app.session.run import Run
from fsdesk.app.session.session import Session
from fsdesk.app.widgets import (
    IntegerField,
    Segments,
    column,
    label,
    named,
    panel,
    row,
    rule,
    scrolled,
)
from fsdesk.data import Dataset
from fsdesk.engine import RunRequest, Validation
from fsdesk.engine.request import USUAL_FITS, competitors, models_of, planned_fits
from fsdesk.errors import UserError
from fsdesk.measure import MeasureSettings
from fsdesk.measure.validation import Validation as Folds
from fsdesk.messages import tr, translated
from fsdesk.methods import METHODS, Method, check_start
from fsdesk.settings import Value
from fsdesk.wrappers import WRAPPERS

_WIDTH = 336
_PAUSE_MS = 250
_LEVEL_KEY = "setup/level"


class SetupPanel(QFrame):
    """Everything that determines the next run; ``plan`` returns it.

    ``columns_wanted`` requests the data page, ``page_wanted`` a help page. ``refusal`` is the reason why a run
    with these settings would fail, shown above the Run button; "" if there is none.
    """

    columns_wanted = Signal()
    page_wanted = Signal(str)
    plan_changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.setProperty("surface", "rail")
        self.setFixedWidth(_WIDTH)
        self.data = DataSection(session)
        self.features_section, self.search, self.model = FeaturesSection(), MethodSection(), ModelSection()
        self.own = OwnPresets(session.folders.settings)
        self.method, self.preset = self.search.choice, self.search.preset
        self.wrapper, self.reset = self.model.choice, self.search.reset
        self.measure_form = SettingsForm("measure", MeasureSettings.describe())
        self.roles = RolesNote(session, self.measure_form)
        self.validation_form = SettingsForm("validation", Validation.describe())
        self.seed = IntegerField(0, 2**31 - 1)
        named(self.seed, "seed", tr("Seed"))
        self.seed.setFixedWidth(104)
        self.seed.setToolTip(tr("The same seed and data always give the same result, on any number of cores."))
        self.level = Segments("setupLevel", {"presets": tr("Presets"), "common": tr("Common"), "all": tr("All")})
        self.level.setToolTip(
            tr("Presets: choices from lists only. Common: settings that are often changed. All: every setting.")
        )
        self.estimate = EstimateLines(session)
        self.most, self.time, self.honest = self.estimate.most, self.estimate.time, self.estimate.honest
        self._lay_out()
        self.pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self.pause.timeout.connect(self._measure)
        self.refusal = ""
        self._silent, self._unasked, self._visit = False, False, 0
        self._table: object = None  # whose settings these are; None without a table
        self._last = self.setup
        self._connect()
        self.search.show_own(self.own.names())
        with self._settling():
            self.search.show_entry()
            self.model.show_entry()
            self._show_level(self._saved_level())
            self._fit()

    def _lay_out(self) -> None:
        self.measuring_head = label(tr("Measuring"), "heading")
        sections = column(
            self.data, rule(), self.features_section, rule(), row(label(tr("Level")), None, self.level), self.search,
            rule(), self.model, rule(), self.measuring_head, self.measure_form, self.roles, self.validation_form,
            row(label(tr("Seed")), None, self.seed), None, margins=2 * SPACE,
        )  # fmt: skip
        self.area = scrolled(panel(sections))
        self.foot_layout = column(self.estimate, spacing=12, margins=(2 * SPACE, 12, 2 * SPACE, 2 * SPACE))
        self.foot = panel(self.foot_layout, "rail foot")
        self.setLayout(column(self.area, self.foot, spacing=0, grow=[self.area]))

    def _connect(self) -> None:
        session = self._session
        self.data.columns_wanted.connect(self.columns_wanted)
        for section in (self.search, self.model):
            section.page_wanted.connect(self.page_wanted)
            section.changed.connect(self._on_change)
            section.exchanged.connect(self.chain)
        self.search.preset.activated.connect(lambda _: self._usual_again())
        self.search.own_picked.connect(self._use_own)
        self.reset.clicked.connect(self.reset_settings)
        self.features_section.changed.connect(self._on_change)
        self.measure_form.changed.connect(self._on_measuring)
        self.validation_form.changed.connect(self._on_change)
        self.roles.appeared.connect(lambda: self.area.ensureWidgetVisible(self.roles))
        self.seed.valueChanged.connect(self._on_change)
        self.level.chosen.connect(self._choose_level)
        self.estimate.found.connect(self._show_estimate)
        session.loader.dataset_changed.connect(self._on_dataset)
        session.loader.table_changed.connect(self._on_table)
        if isinstance(application := QApplication.instance(), QApplication):
            application.focusChanged.connect(self._on_focus)

    @property
    def method_form(self) -> SettingsForm:
        """Settings of the method."""
        return self.search.form

    @property
    def wrapper_form(self) -> SettingsForm:
        """Settings of the model."""
        return self.model.form

    def place_of(self, control: QWidget | None) -> str:
        """The help page that explains a control, and after # its setting; "" for any other control."""
        name = control.objectName() if control is not None and self.isAncestorOf(control) else ""
        return place_of(name, self.method.currentData(), self.wrapper.currentData())

    @property
    def request(self) -> RunRequest:
        """The settings of the next run: as in :attr:`setup`, without those that have no effect."""
        groups = {group: form.values() for group, form in self._forms().items()}
        groups |= {"measuring": self._measuring(), "prefilter": self.features_section.values()}
        settings = {f"{group}.{name}": value for group, values in groups.items() for name, value in values.items()}
        outer = None if self.honest.isChecked() else 0
        return self.setup.request.updated({"settings": settings, "start": self.features_section.start, "outer": outer})

    def _forms(self) -> dict[str, SettingsForm]:
        return {"method": self.method_form, "wrapper": self.wrapper_form, "measuring": self.measure_form,
                "prefilter": self.features_section.filter, "validation": self.validation_form}  # fmt: skip

    @property
    def setup(self) -> Setup:
        """Everything shown, as one value."""
        section, forms = self.features_section, self._forms()
        values = {f"{group}.{name}": value for group, form in forms.items() for name, value in form.values().items()}
        return Setup(
            self.method.currentData(), self.wrapper.currentData(), self.preset.currentData() or "", self.seed.value(),
            section.constraints, section.start, section.source, values,
        )  # fmt: skip

    @property
    def changed_values(self) -> dict[str, Value]:
        """Settings that have an effect and differ from the method's preset or, for other settings, the defaults."""
        usual = usual_values(self.method.currentData(), self.wrapper.currentData(), self.search.preset_values)
        return {name: value for name, value in self.request.settings.items() if usual[name] != value}

    def show_own(self, chosen: str = "") -> None:
        """Read the user's presets again, and show one as chosen."""
        self.search.show_own(self.own.names())
        if chosen:
            with self._settling():
                self._take_usual(f"{MINE}{chosen}")
                self._on_change()

    def use(self, setup: Setup) -> None:
        """Show another setup, as one change; settings that no longer fit the data are left unchanged."""
        with self._silence():
            self.method.setCurrentIndex(self.method.findData(setup.method))
            self.wrapper.setCurrentIndex(self.wrapper.findData(setup.wrapper))
            self._take_usual(setup.preset)
            for group, form in self._forms().items():
                form.put(setup.group(group))
            self.features_section.ask_for(setup.constraints, setup.start, setup.source)
            self.seed.setValue(setup.seed)
            self._on_measuring()
        self._on_change()

    def _take_usual(self, preset: str) -> None:
        """Use the values of a preset as the reference."""
        usual: dict[str, dict[str, Value]] = {}
        if preset.startswith(MINE):
            try:
                held, _ = fitted(self.own.read(preset.removeprefix(MINE)), self.setup, self._session.loader.dataset)
                usual = {group: held.group(group) for group in self._forms()}
            except UserError:  # it has been removed
                preset = ""
        self.search.select_preset(preset, usual.get("method"))
        for group, form in self._forms().items():
            if group != "method":
                form.rebase(usual.get(group, {}))

    def _usual_again(self) -> None:
        if not self._has_own_preset:
            for group, form in self._forms().items():
                if group != "method":
                    form.rebase({})

    def _use_own(self, name: str) -> None:
        """Apply a user's preset: its method, its model and their settings."""
        try:
            made, said = fitted(self.own.read(name), self._last, self._session.loader.dataset, whole=False)
        except UserError as error:
            self._session.tasks.say("error", translated(str(error)), "settings")
            return
        self.use(Setup(**{**vars(made), "preset": f"{MINE}{name}"}))
        if said:
            self._session.tasks.say("warning", " ".join(said), "settings")

    def _measuring(self) -> dict[str, Value]:
        """Settings of the measurement, without those that have no effect."""
        values = self.measure_form.values()
        idle = idle_settings(values, self._session.loader.dataset)
        return {name: value for name, value in values.items() if name not in idle}

    def reset_settings(self) -> None:
        """Select the preset that suits the table, and all defaults."""
        with self._silence():
            self.search.offer_presets()
            self._usual_again()
            self._reset_forms()
        self._on_change()

    def _reset_forms(self) -> None:
        for form in (self.method_form, self.wrapper_form, self.measure_form, self.validation_form):
            form.reset()
        self.features_section.reset()
        self.seed.setValue(0)

    def chain(self) -> None:
        """Make Tab follow the visual order: replaced forms would otherwise come last."""
        features = self.features_section
        order = [self.data.target, self.data.more, features.more, features.forget, *features.filter.controls,
                 *self.level.buttons.values(), self.search.keep, self.reset, self.method, self.preset,
                 self.search.summary, *self.method_form.controls, self.wrapper, self.model.summary,
                 *self.wrapper_form.controls, *self.measure_form.controls, *self.roles.controls,
                 *self.validation_form.controls, self.seed, *self.foot.findChildren(QAbstractButton)]  # fmt: skip
        placed = [control for control in order if self.isAncestorOf(control)]
        for before, after in pairwise(placed):
            QWidget.setTabOrder(before, after)

    def _saved_level(self) -> Level:
        saved = self._session.store.value(_LEVEL_KEY, "common")
        return next((level for level in LEVELS if level == saved), "common")

    def _choose_level(self, key: str) -> None:
        self._session.store.setValue(_LEVEL_KEY, key)
        self._show_level(self._saved_level())

    def _show_level(self, level: Level) -> None:
        self.level.select(level)
        with self._silence():
            for part in (self.search, self.model, self.measure_form, self.validation_form, self.features_section):
                part.show_level(level)
        self._show_estimate()

    def _on_table(self) -> None:
        """Start from the defaults if another table was opened, or from the user's preset if one is chosen.

        A file read in another way is the same table. Settings made before any table was open are those of the first.
        """
        self.area.verticalScrollBar().setValue(0)
        loader, before = self._session.loader, self._table
        self._table = None if loader.table is None else loader.place or object()
        if before is None or before == self._table:
            return
        with self._settling():
            with self._silence():
                if not self._has_own_preset:
                    self.search.offer_presets()
                    self._usual_again()
                self._reset_forms()
            self._on_change()

    @property
    def _has_own_preset(self) -> bool:
        return str(self.preset.currentData() or "").startswith(MINE)

    def _on_dataset(self) -> None:
        with self._settling():
            dataset = self._session.loader.dataset
            if dataset is not None:
                self._table = self._table or object()  # data of a project may come without their table
                if not self._has_own_preset:
                    self.search.show_size(len(dataset.features))
                self._fit()
            self._on_change()

    def _fit(self) -> None:
        """Offer what fits the data: models, criteria and validations for its target."""
        dataset = self._session.loader.dataset
        self.features_section.show_features(dataset.features if dataset is not None else ())
        self.measure_form.offer("criterion", offered_criteria(dataset))
        self.measure_form.offer("protocol", offered_protocols(dataset))
        self.model.fit(task_of(dataset))
        self._on_measuring()

    def _on_measuring(self) -> None:
        self.measure_form.hide_idle(idle_settings(self.measure_form.values(), self._session.loader.dataset))
        self._on_change()

    @contextmanager
    def _while(self, flag: str) -> Iterator[None]:
        before = getattr(self, flag)
        setattr(self, flag, True)
        try:
            yield
        finally:
            setattr(self, flag, before)

    def _silence(self) -> AbstractContextManager[None]:
        """Combine several changes into one."""
        return self._while("_silent")

    def _settling(self) -> AbstractContextManager[None]:
        """Changes not made by the user, such as for another table: they cannot be undone."""
        return self._while("_unasked")

    def _on_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        self._visit += 1  # changes during one visit to a field are one step
        if new is not None and self.area.isAncestorOf(new) and new.visibleRegion().isEmpty():
            self.area.ensureWidgetVisible(new)  # Qt does so only for keys pressed inside

    def _record(self) -> None:
        before, self._last = self._last, self.setup
        if self._unasked or before == self._last:
            return
        changed = changed_in(before, self._last)
        key = f"{changed[0]} {self._visit}" if len(changed) == 1 and self._typing_in(changed[0]) else ""
        self._session.history.record(before, self._last, self.restore, step_words, key)

    def _typing_in(self, name: str) -> bool:
        group, _, own = name.partition(".")
        form = self._forms().get(group)
        field = self.seed if name == "seed" else form.fields[own].widget if form is not None and own else None
        return field is not None and field.hasFocus()

    def restore(self, setup: Setup) -> None:
        """Show another setup, without an undo step."""
        with self._settling():
            self.use(setup)

    def _on_change(self) -> None:
        if self._silent:
            return
        forms = (self.method_form, self.wrapper_form, self.measure_form, self.validation_form, self.features_section)
        own = self.setup.preset.startswith(MINE)
        self.reset.setEnabled(own or any(form.modified for form in forms) or self.seed.value() != 0)
        self.measuring_head.setVisible(any(not title.isHidden() for title in self.measure_form.titles.values()))
        raced, task = METHODS[self.method.currentData()].model.validates_itself, task_of(self._session.loader.dataset)
        self.model.explain(raced=raced, task=task)
        self._record()
        self._show_estimate()
        self.pause.start()
        self.plan_changed.emit()

    def _key(self) -> str:
        request = self.request
        fingerprint = getattr(self._session.loader.dataset, "fingerprint", "")
        kind = METHODS[request.method].model.validates_itself  # its measurements are single fits
        rows = self.validation_form.values()["search_rows"]
        return repr((fingerprint, request.wrapper, self.wrapper_form.values(), self._measuring(), kind, rows))

    def _method(self, least_fits: int = 0) -> Method:
        """The configured method with at least this many fits; SettingsError if it cannot search these features."""
        name, section = self.method.currentData(), self.features_section
        check_start(name, section.start)
        wrapper = WRAPPERS[self.wrapper.currentData()].build(self.wrapper_form.values())
        measuring = MeasureSettings().updated(self._measuring())
        dataset = self._session.loader.dataset
        classes = 0 if dataset is None else len(dataset.classes)
        fits = max(least_fits, planned_fits(wrapper, measuring, section.units, classes))
        models = models_of(competitors(wrapper, dataset, measuring), measuring)
        made = METHODS[name].model(**self.method_form.values()).paced(fits, models)
        method = made.beside(len(section.constraints.always))
        method.check(section.units)
        return method

    def _measure(self) -> None:
        """Time a measurement; an error of one method says nothing about the others."""
        with suppress(ValueError):  # :meth:`_show_estimate` reports it
            self._method()
            self.estimate.measure(self.request, self._key())

    def _show_estimate(self) -> None:
        session, self.refusal = self._session, ""
        if session.loader.dataset is None:
            refused = tr("These data cannot be searched") if session.loader.refusal else tr("No data yet")
            why = tr("See the Data page for the reason.") if session.loader.refusal else ""
            self.estimate.show_words(tr("Preparing the data …") if session.loader.preparing else refused, why)
            return
        try:
            method, validation = self._method(), self.validation_form.values()
            self.validation_form.setVisible(not method.brings_honest_error)
            measuring = MeasureSettings().updated(self._measuring())
            Folds(session.loader.dataset, measuring, self.seed.value())  # DataError if rows or groups are too few
            cheaper = not method.validates_itself and (measuring.protocol, measuring.repeats) != ("hold-out", 1)
            fewer = not method.validates_itself and not validation["search_rows"]
            rows = len(session.loader.dataset.rows) if fewer else 0
            folds = int(validation["outer_folds"])
            units = self.features_section.units
            # Of several models none is slow: fewer fits are planned because the features are few.
            several = WRAPPERS[self.wrapper.currentData()].model.competes
            usual = 0 if several else self._method(USUAL_FITS).measurements(units)
            self.estimate.show_run(method, units, self._key(), folds, cheaper=cheaper, rows=rows, usual=usual)
        except UserError as error:
            self.refusal = translated(str(error))
            self.estimate.show_words(tr("These settings cannot be used"), self.refusal)
        except ValueError:
            return


def take_over(panel: SetupPanel, dataset: Dataset | None, run: Run, *, asked: bool = True) -> list[str]:
    """Show everything that determines a run; return what does not fit the open data.

    This is one undoable change if a person requested it (``asked``).
    """
    made, said = fitted(RunRequest.of(run.spec), panel.setup, dataset)
    known = set(dataset.features) if dataset is not None and run.spec.start else set()
    start = run.spec.start if set(run.spec.start) <= known else ()
    show = panel.use if asked else panel.restore
    show(replace(made, start=start, source=run.label if start else ""))
    return said
