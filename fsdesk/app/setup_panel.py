"""The rail on the left: data at a glance, then method, model and measuring, generated from their declarations."""

from html import escape
from itertools import pairwise
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QFrame, QGridLayout, QVBoxLayout, QWidget

from fsdesk.app.data_section import DataSection
from fsdesk.app.features_section import FeaturesSection
from fsdesk.app.fields import Choice, IntegerField
from fsdesk.app.gain_plot import GainPlot
from fsdesk.app.measuring import idle_settings, offered_criteria, offered_protocols, task_of
from fsdesk.app.parts import button, column, label, named, row, rule, scrolled, surface
from fsdesk.app.session import Plan, Session
from fsdesk.app.settings_form import SettingsForm
from fsdesk.app.tokens import SPACE, Tokens
from fsdesk.app.translation import tr
from fsdesk.app.words import counted, duration
from fsdesk.errors import UserError
from fsdesk.measure import MeasureSettings
from fsdesk.methods import METHODS
from fsdesk.results.honest import OUTER_FOLDS
from fsdesk.settings import Entry, Value
from fsdesk.wrappers import WRAPPERS, Task

__all__ = ["SetupPanel"]

_FIRST_METHOD, _FIRST_WRAPPER = "bspsa-h", "nn"
"""What a new window offers; :class:`RunSpec` has the same defaults."""
_WIDTH = 336
_PAUSE_MS = 250


class SetupPanel(QFrame):
    """Everything that determines the next run; ``plan`` gives it.

    ``columns_wanted`` asks for the data page, ``page_wanted`` for a page of the help.
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
        self.data.columns_wanted.connect(self.columns_wanted)
        self.features_section = FeaturesSection()
        self.method = _choice("method", "Search method", METHODS, _FIRST_METHOD)
        self.preset = Choice()
        named(self.preset, "preset", "Preset of the method")
        self.wrapper = _choice("wrapper", "Model", WRAPPERS, _FIRST_WRAPPER)
        self.method_summary, self.wrapper_summary = label("", "caption", wrap=True), label("", "caption", wrap=True)
        for summary in (self.method_summary, self.wrapper_summary):
            summary.setTextFormat(Qt.TextFormat.RichText)
            summary.linkActivated.connect(self.page_wanted)
        self.reset = button("Reset", "resetSettings", "link", "Reset the settings to the preset")
        self.reset.clicked.connect(self.reset_settings)
        self.gain = GainPlot()
        self.method_form = self.wrapper_form = SettingsForm("none", ())
        self.measure_form = SettingsForm("measure", MeasureSettings.describe())
        self.seed = IntegerField(0, 2**31 - 1)
        named(self.seed, "seed", "Seed")
        self.seed.setFixedWidth(104)
        self.seed.setToolTip("The same seed on the same data gives the same result, on any number of cores.")
        self._method_place, self._wrapper_place = QVBoxLayout(), QVBoxLayout()
        self._lay_out()
        self._estimate = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._estimate.timeout.connect(self._measure)
        self._seconds: dict[str, float] = {}
        self._refusals: dict[str, str] = {}
        self.method.currentIndexChanged.connect(self._show_method)
        self.wrapper.currentIndexChanged.connect(self._show_wrapper)
        self.preset.currentIndexChanged.connect(self._use_preset)
        self.features_section.changed.connect(self._on_change)
        self.measure_form.changed.connect(self._on_measuring)
        self.seed.valueChanged.connect(self._on_change)
        session.dataset_changed.connect(self._on_dataset)
        session.table_changed.connect(lambda: self.area.verticalScrollBar().setValue(0))
        self._show_method()
        self._show_wrapper()
        self._fit()

    def _lay_out(self) -> None:
        inner = QWidget()
        sections = QVBoxLayout(inner)
        sections.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        sections.setSpacing(SPACE)
        sections.addWidget(self.data)
        sections.addWidget(rule())
        sections.addWidget(self.features_section)
        sections.addWidget(rule())
        sections.addLayout(row(label("Search", "heading"), None, self.reset))
        sections.addLayout(_pairs(("Method", self.method), ("Preset", self.preset)))
        sections.addWidget(self.method_summary)
        sections.addLayout(self._method_place)
        sections.addWidget(self.gain)
        sections.addWidget(rule())
        sections.addLayout(_pairs(("Model", self.wrapper), bold=True))
        sections.addWidget(self.wrapper_summary)
        sections.addLayout(self._wrapper_place)
        sections.addWidget(rule())
        sections.addWidget(label("Measuring", "heading"))
        sections.addWidget(self.measure_form)
        sections.addLayout(row(label("Seed"), None, self.seed))
        sections.addStretch(1)
        self.most = label("", "heading")
        self.time = label("", "caption", wrap=True)
        named(self.time, "estimate", "Estimate of the time")
        self.foot = surface("rail foot")
        self.foot_layout = QVBoxLayout(self.foot)
        self.foot_layout.setContentsMargins(2 * SPACE, 12, 2 * SPACE, 2 * SPACE)
        self.foot_layout.setSpacing(12)
        self.foot_layout.addLayout(column(self.most, self.time, spacing=2))
        self.honest = QCheckBox(tr("With the honest error ({folds} outer folds)", folds=OUTER_FOLDS))
        named(self.honest, "withHonest", tr("Measure the honest error when the run has finished"))
        self.honest.setToolTip(
            tr(
                "The whole search is then repeated inside {folds} outer folds: what to expect on new samples.",
                folds=OUTER_FOLDS,
            )
        )
        self.honest.toggled.connect(self._tell)
        self.foot_layout.addWidget(self.honest)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 1, 0)
        layout.setSpacing(0)
        self.area = scrolled(inner)
        layout.addWidget(self.area, 1)
        layout.addWidget(self.foot)

    @property
    def features(self) -> int:
        """Number of features of the data set, 0 while there is none."""
        return len(self._session.dataset.features) if self._session.dataset else 0

    def place_of(self, control: QWidget | None) -> str:
        """The page of the help that explains a control: that of its method or model; "" for any other."""
        name = control.objectName() if control is not None and self.isAncestorOf(control) else ""
        explained = (("methods", ("method", "preset"), self.method), ("wrappers", ("wrapper",), self.wrapper))
        for kind, names, box in explained:
            if name.startswith(names):
                return f"{kind}/{box.currentData()}"
        return ""

    def plan(self) -> Plan:
        """What :meth:`RunSpec.make` wants to know."""
        groups = {
            "method": self.method_form.values(),
            "wrapper": self.wrapper_form.values(),
            "measuring": self._measuring(),
            "prefilter": self.features_section.values(),
        }
        return {
            "method": self.method.currentData(),
            "wrapper": self.wrapper.currentData(),
            "seed": self.seed.value(),
            "settings": {
                f"{group}.{name}": value for group, values in groups.items() for name, value in values.items()
            },
            **self.features_section.asked,
        }

    def _measuring(self) -> dict[str, Value]:
        """Settings of the measurement, without those that do nothing."""
        values = self.measure_form.values()
        idle = idle_settings(values, self._session.dataset)
        return {name: value for name, value in values.items() if name not in idle}

    def reset_settings(self) -> None:
        """Take the preset that suits the table, and all defaults."""
        self._offer_presets()
        self.wrapper_form.reset()
        self.measure_form.reset()
        self.features_section.reset()
        self.seed.setValue(0)

    def chain(self) -> None:
        """Let the Tab key follow the eye: forms that are exchanged would come last."""
        features = self.features_section
        order = [self.data.target, self.data.more, features.more, features.forget, *_controls(features.filter),
                 self.reset, self.method, self.preset, *_controls(self.method_form), self.wrapper,
                 *_controls(self.wrapper_form), *_controls(self.measure_form), self.seed,
                 *self.foot.findChildren(QAbstractButton)]  # fmt: skip
        placed = [control for control in order if self.isAncestorOf(control)]
        for before, after in pairwise(placed):
            QWidget.setTabOrder(before, after)

    def _show_method(self) -> None:
        entry: Entry[Any] = METHODS[self.method.currentData()]
        self.method.setToolTip(f"{entry.title}. {entry.reference}")
        self.method_form = _exchange(self._method_place, self.method_form, "method", entry)
        self.method_form.changed.connect(self._on_method)
        self.chain()
        self._offer_presets()

    def _show_wrapper(self) -> None:
        entry: Entry[Any] = WRAPPERS[self.wrapper.currentData()]
        self.wrapper_summary.setText(_with_link(entry.summary, f"wrappers/{entry.name}"))
        self.wrapper.setToolTip(f"{entry.title}. {entry.reference}")
        self.wrapper_form = _exchange(self._wrapper_place, self.wrapper_form, "wrapper", entry)
        self.wrapper_form.changed.connect(self._on_change)
        self.chain()
        self._on_change()

    def _offer_presets(self) -> None:
        entry: Entry[Any] = METHODS[self.method.currentData()]
        suiting = entry.preset_for(self.features) if self.features else None
        self.preset.blockSignals(True)
        self.preset.clear()
        for preset in entry.presets:
            self.preset.addItem(preset.name, preset.name)
            self.preset.setItemData(self.preset.count() - 1, preset.help, Qt.ItemDataRole.ToolTipRole)
        if not entry.presets:
            self.preset.addItem("Defaults", "")
        self.preset.setCurrentIndex(max(0, self.preset.findData(suiting.name if suiting else "")))
        self.preset.setEnabled(len(entry.presets) > 1)
        self.preset.blockSignals(False)
        self._use_preset()

    def _use_preset(self) -> None:
        entry: Entry[Any] = METHODS[self.method.currentData()]
        name = self.preset.currentData()
        preset = entry.preset(name) if name else None
        self.preset.setToolTip(preset.help if preset else "")
        self.method_summary.setText(_with_link(entry.summary, f"methods/{entry.name}"))
        self.method_form.use(preset.values if preset else {})

    def _on_dataset(self) -> None:
        if self._session.dataset is not None and not self.method_form.modified:
            self._offer_presets()
        if self._session.dataset is not None:
            self._fit()
        self._on_change()

    def _fit(self) -> None:
        """Offer what fits the data: models that predict its target, criteria that judge it, validations it allows."""
        dataset = self._session.dataset
        self.features_section.show_features(dataset.features if dataset is not None else ())
        self.measure_form.offer("criterion", offered_criteria(dataset))
        self.measure_form.offer("protocol", offered_protocols(dataset))
        self._fit_wrappers(task_of(dataset))
        self._on_measuring()

    def _fit_wrappers(self, task: Task) -> None:
        model = self.wrapper.model()
        assert isinstance(model, QStandardItemModel)
        kind = {"classification": "classes", "regression": "numbers"}[task]
        fitting = [entry.name for entry in WRAPPERS if task in entry.model.tasks]
        for place, name in enumerate(self.wrapper.offered):
            fits = name in fitting
            model.item(place).setEnabled(fits)
            tip = WRAPPERS[name].summary if fits else f"It cannot predict {kind}, which the target holds."
            model.item(place).setToolTip(tip)
        if self.wrapper.currentData() not in fitting and fitting:
            first = _FIRST_WRAPPER if _FIRST_WRAPPER in fitting else fitting[0]
            self.wrapper.setCurrentIndex(self.wrapper.findData(first))

    def _on_measuring(self) -> None:
        self.measure_form.hide_idle(idle_settings(self.measure_form.values(), self._session.dataset))
        self._on_change()

    def _on_method(self) -> None:
        try:
            self.gain.show_method(METHODS[self.method.currentData()].model(**self.method_form.values()))
        except (ValueError, OverflowError, ZeroDivisionError):
            self.gain.hide()
        self._on_change()

    def _on_change(self) -> None:
        forms = (self.method_form, self.wrapper_form, self.measure_form, self.features_section)
        self.reset.setEnabled(any(form.modified for form in forms) or self.seed.value() != 0)
        self._tell()
        self._estimate.start()
        self.plan_changed.emit()

    def _key(self) -> str:
        plan = self.plan()
        dataset = self._session.dataset
        fingerprint = dataset.fingerprint if dataset is not None else ""  # the session had it made off this thread
        return repr((fingerprint, plan["wrapper"], self.wrapper_form.values(), self._measuring()))

    def _measure(self) -> None:
        """Ask a worker how long one measurement takes, once for each data set and way of measuring."""
        key = self._key()
        if self._session.dataset is None or key in self._seconds or key in self._refusals:
            return

        async def work() -> None:
            try:
                seconds = await self._session.estimate(self.plan(), self._session.runs.threads)
            except UserError as error:
                self._refusals[key] = str(error)
                self._tell()
                return
            if seconds is not None:
                self._seconds[key] = seconds
                self._tell()

        self._session.begin(work(), "measuring how long a run takes", quietly=True)

    def _tell(self) -> None:
        if self._session.dataset is None:
            session = self._session
            refused = "The data cannot be searched" if session.refusal else "No data yet"
            self.most.setText("Preparing the data …" if session.preparing else refused)
            self.time.setText(session.refusal)
            return
        try:
            model = METHODS[self.method.currentData()].model(**self.method_form.values())
            measurements = 1 + model.budget(self.features)
        except UserError as error:
            self.most.setText("These settings cannot be used")
            self.time.setText(str(error))
            return
        except ValueError:
            return
        self.most.setText(f"At most {counted(measurements, 'measurement')}")
        seconds = self._seconds.get(self._key())
        if self._key() in self._refusals:
            self.time.setText(self._refusals[self._key()])
        elif seconds is None:
            self.time.setText("Measuring how long one takes …")
        else:
            times = 1 + OUTER_FOLDS if self.honest.isChecked() else 1
            total = duration(seconds * measurements * times)
            about = total.capitalize() if total.startswith("less") else f"About {total}"
            self.time.setText(f"{about} here, if it takes them all")

    def dress(self, tokens: Tokens) -> None:
        """Take the colours of the theme."""
        self.gain.dress(tokens)


def _choice(name: str, spoken: str, entries: Any, first: str) -> Choice:
    box = Choice()
    named(box, name, spoken)
    box.setMaxVisibleItems(24)
    for entry in sorted(entries, key=lambda entry: entry.title.casefold()):
        box.addItem(entry.title, entry.name)
        box.setItemData(box.count() - 1, entry.summary, Qt.ItemDataRole.ToolTipRole)
    box.setCurrentIndex(box.findData(first))
    return box


def _controls(form: SettingsForm) -> list[QWidget]:
    return [*(field.widget for field in form.fields.values()), form.more]


def _pairs(*pairs: tuple[str, QWidget], bold: bool = False) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(SPACE)
    grid.setColumnStretch(0, 1)
    for place, (title, widget) in enumerate(pairs):
        name = label(title, "heading" if bold else "body")
        name.setBuddy(widget)
        widget.setFixedWidth(208)
        grid.addWidget(name, place, 0)
        grid.addWidget(widget, place, 1)
    return grid


def _exchange(place: QVBoxLayout, old: SettingsForm, prefix: str, entry: Entry[Any]) -> SettingsForm:
    form = SettingsForm(prefix, entry.model.describe())
    place.removeWidget(old)
    old.hide()
    old.deleteLater()
    place.addWidget(form)
    return form


def _with_link(summary: str, place: str) -> str:
    return f'{escape(summary)} <a href="{place}">More&nbsp;…</a>'
