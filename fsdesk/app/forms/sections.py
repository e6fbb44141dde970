"""The sections of the settings panel: features, method with its presets, model."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QGridLayout, QMenu, QVBoxLayout, QWidget

from fsdesk.app.forms.constraints_dialog import FeaturesDialog, Wishes
from fsdesk.app.forms.presets import MINE
from fsdesk.app.forms.settings_form import Level, SettingsForm
from fsdesk.app.forms.setup import idle_settings
from fsdesk.app.look.fields import Choice
from fsdesk.app.look.parts import button, label, named, row
from fsdesk.app.look.tokens import LIGHT, SPACE, Tokens
from fsdesk.app.look.translation import declared, tr, tr_many
from fsdesk.app.look.words import counted
from fsdesk.app.plots.gain_plot import GainPlot
from fsdesk.engine import Prefilter
from fsdesk.methods import DEFAULT_METHOD, METHODS
from fsdesk.settings import Entry, Value
from fsdesk.wrappers import WRAPPERS, Task

__all__ = ["FeaturesSection", "MethodSection", "ModelSection", "entry_choice", "exchanged", "pairs", "with_link"]


class MethodSection(QWidget):
    """``changed`` tells of any change, ``own_picked`` the name of a preset of the user that was chosen."""

    changed = Signal()
    exchanged = Signal()
    own_picked = Signal(str)
    page_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._features = 0
        self._level: Level = "common"
        self._tokens = LIGHT
        self._own: list[str] = []
        self.method = entry_choice("method", tr("Search method"), METHODS, DEFAULT_METHOD)
        self.preset = Choice()
        named(self.preset, "preset", tr("Preset of the method"))
        self.summary = label("", "caption", wrap=True)
        self.summary.setTextFormat(Qt.TextFormat.RichText)
        self.summary.linkActivated.connect(self.page_wanted)
        self.reset = button(tr("Reset"), "resetSettings", "link", tr("Reset all settings to the preset"))
        self.reset.setToolTip(tr("All settings as the preset that suits the table has them (Ctrl+Backspace)"))
        self.keep = button(tr("Save, load …"), "keepSettings", "link", tr("Save, load or copy the settings"))
        self.menu = QMenu(self.keep)
        self.keep.setMenu(self.menu)
        self.gain = GainPlot()
        self.form = SettingsForm("none", ())
        self._place = QVBoxLayout()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addLayout(row(label(tr("Search"), "heading"), None, self.keep, self.reset, spacing=12))
        layout.addLayout(pairs((tr("Method"), self.method), (tr("Preset"), self.preset)))
        layout.addWidget(self.summary)
        layout.addLayout(self._place)
        layout.addWidget(self.gain)
        self.method.currentIndexChanged.connect(self.show_method)
        self.preset.activated.connect(self._pick)

    @property
    def entry(self) -> Entry[Any]:
        """The method that is chosen."""
        return METHODS[self.method.currentData()]

    def show_method(self) -> None:
        """Another method has other settings."""
        entry = self.entry
        self.method.setToolTip(f"{declared(entry.title)}. {entry.reference}")
        self.form = exchanged(self._place, "method", entry)
        self.form.show_level(self._level)
        self.form.dress(self._tokens)
        self.form.changed.connect(self._on_form)
        self.exchanged.emit()
        self.offer_presets()

    def show_own(self, names: list[str]) -> None:
        """Offer other presets of the user."""
        self._own = names
        self._list_presets(self.preset.currentData())

    def offer_presets(self, features: int | None = None) -> None:
        """Take the preset that suits the table."""
        self._features = self._features if features is None else features
        suiting = self.entry.preset_for(self._features) if self._features else None
        self._list_presets(suiting.name if suiting is not None else None)
        self._use_preset()

    def _list_presets(self, chosen: str | None) -> None:
        entry = self.entry
        with QSignalBlocker(self.preset):
            self.preset.clear()
            for preset in entry.presets:
                self.preset.addItem(declared(preset.name), preset.name)
                self.preset.setItemData(self.preset.count() - 1, declared(preset.help), Qt.ItemDataRole.ToolTipRole)
            if not entry.presets:
                self.preset.addItem(tr("Defaults"), "")
            if self._own:
                self.preset.insertSeparator(self.preset.count())
            for name in self._own:
                self.preset.addItem(name, f"{MINE}{name}")
                tip = tr("Your own preset: method, model and measuring")
                self.preset.setItemData(self.preset.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
            self.preset.setCurrentIndex(max(0, self.preset.findData(chosen)))
        self.preset.setEnabled(self.preset.count() > 1)

    def select_preset(self, name: str, usual: dict[str, Value] | None = None) -> None:
        """Show a preset as chosen, its values as the usual ones, and change no setting."""
        with QSignalBlocker(self.preset):
            self.preset.setCurrentIndex(max(0, self.preset.findData(name)))
        self.form.rebase(self.preset_values if usual is None else usual)
        self._tell()

    @property
    def preset_values(self) -> dict[str, Value]:
        """What the chosen preset of the method says; nothing of one of the user's."""
        name = str(self.preset.currentData() or "")
        return dict(self.entry.preset(name).values) if name and not name.startswith(MINE) else {}

    def _pick(self) -> None:
        name = str(self.preset.currentData() or "")
        if name.startswith(MINE):
            self._tell()
            self.own_picked.emit(name.removeprefix(MINE))
        else:
            self._use_preset()

    def _use_preset(self) -> None:
        self._tell()
        self.form.use(self.preset_values)

    def _tell(self) -> None:
        place = self.preset.currentIndex()
        self.preset.setToolTip(self.preset.itemData(place, Qt.ItemDataRole.ToolTipRole) or "")
        self.summary.setText(with_link(declared(self.entry.summary), f"methods/{self.entry.name}", self._tokens))

    def _on_form(self) -> None:
        try:
            self.gain.show_method(self.entry.model(**self.form.values()))
        except (ValueError, OverflowError, ZeroDivisionError):
            self.gain.hide()
        self.gain.setVisible(not self.gain.isHidden() and self._level != "presets")
        self.changed.emit()

    def show_level(self, level: Level) -> None:
        """Show as many settings as a level holds; the gains belong to the settings."""
        self._level = level
        self.form.show_level(level)
        self._on_form()

    def dress(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.summary.setText(with_link(declared(self.entry.summary), f"methods/{self.entry.name}", tokens))
        self.form.dress(tokens)
        self.gain.dress(tokens)


def entry_choice(name: str, spoken: str, entries: Any, first: str) -> Choice:
    """Make a list of methods or models."""
    box = Choice()
    named(box, name, spoken)
    box.setMaxVisibleItems(24)
    for entry in sorted(entries, key=lambda entry: declared(entry.brief).casefold()):
        box.addItem(declared(entry.brief), entry.name)
        box.setItemData(
            box.count() - 1, f"{declared(entry.title)}. {declared(entry.summary)}", Qt.ItemDataRole.ToolTipRole
        )
    box.setCurrentIndex(box.findData(first))
    return box


def exchanged(place: QVBoxLayout, prefix: str, entry: Entry[Any]) -> SettingsForm:
    """Put the form of another method or model in the place of the one before."""
    form = SettingsForm(prefix, entry.model.describe())
    while (item := place.takeAt(0)) is not None:
        if (old := item.widget()) is not None:
            old.hide()
            old.deleteLater()
    place.addWidget(form)
    return form


def pairs(*titled: tuple[str, QWidget], bold: bool = False) -> QGridLayout:
    """Lay lists out beside their titles."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(SPACE)
    grid.setColumnStretch(0, 1)
    for place, (title, widget) in enumerate(titled):
        name = label(title, "heading" if bold else "body")
        name.setBuddy(widget)
        widget.setFixedWidth(208)
        grid.addWidget(name, place, 0)
        grid.addWidget(widget, place, 1)
    return grid


def with_link(summary: str, place: str, tokens: Tokens) -> str:
    """A summary with the link to its page of the help, in a colour of the theme, which rich text does not follow."""
    return f'{escape(summary)} <a href="{place}" style="color: {tokens.accent}">{tr("More")}&nbsp;…</a>'


_FIRST_WRAPPER = "nn"


class ModelSection(QWidget):
    """``changed`` tells of any change, ``exchanged`` that another form is shown."""

    changed = Signal()
    exchanged = Signal()
    page_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._level: Level = "common"
        self._tokens = LIGHT
        self.wrapper = entry_choice("wrapper", tr("Model"), WRAPPERS, _FIRST_WRAPPER)
        self.summary = label("", "caption", wrap=True)
        self.summary.setTextFormat(Qt.TextFormat.RichText)
        self.summary.linkActivated.connect(self.page_wanted)
        self.form = SettingsForm("none", ())
        self._place = QVBoxLayout()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addLayout(pairs((tr("Model"), self.wrapper), bold=True))
        layout.addWidget(self.summary)
        layout.addLayout(self._place)
        self.wrapper.currentIndexChanged.connect(self.show_wrapper)

    def show_wrapper(self) -> None:
        """Another model has other settings."""
        entry: Entry[Any] = WRAPPERS[self.wrapper.currentData()]
        self._say()
        self.wrapper.setToolTip(f"{declared(entry.title)}. {entry.reference}")
        self.form = exchanged(self._place, "wrapper", entry)
        self.form.show_level(self._level)
        self.form.dress(self._tokens)
        self.form.changed.connect(self.changed)
        self.exchanged.emit()
        self.changed.emit()

    def _say(self) -> None:
        entry: Entry[Any] = WRAPPERS[self.wrapper.currentData()]
        self.summary.setText(with_link(declared(entry.summary), f"wrappers/{entry.name}", self._tokens))

    def fit(self, task: Task) -> None:
        """Let only models be chosen that predict such a target."""
        model = self.wrapper.model()
        assert isinstance(model, QStandardItemModel)
        kind = {"classification": tr("classes"), "regression": tr("numbers")}[task]
        fitting = [entry.name for entry in WRAPPERS if task in entry.model.tasks]
        for place, name in enumerate(self.wrapper.offered):
            fits = name in fitting
            model.item(place).setEnabled(fits)
            refusal = tr("It cannot predict {kind}, which the target holds.", kind=kind)
            model.item(place).setToolTip(
                f"{declared(WRAPPERS[name].title)}. {declared(WRAPPERS[name].summary)}" if fits else refusal
            )
        if self.wrapper.currentData() not in fitting and fitting:
            first = _FIRST_WRAPPER if _FIRST_WRAPPER in fitting else fitting[0]
            self.wrapper.setCurrentIndex(self.wrapper.findData(first))

    def show_level(self, level: Level) -> None:
        """Show as many settings as a level holds."""
        self._level = level
        self.form.show_level(level)

    def dress(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._say()
        self.form.dress(tokens)


class FeaturesSection(QWidget):
    """``changed`` tells of any change."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._features: tuple[str, ...] = ()
        self.wishes = Wishes()
        self.start: tuple[str, ...] = ()
        self._source = ""
        self.more = button(
            tr("Wishes …"), "wishesLink", "link", tr("Features that are always in, never in, or together")
        )
        self.more.setToolTip(tr("Say which features are always or never in, and which go together"))
        self.more.clicked.connect(self._ask)
        self.summary = label("", "caption", wrap=True)
        self.origin = label("", "caption", wrap=True)
        self.forget = button(tr("Forget"), "forgetStart", "link", tr("Begin as the method does, not with that subset"))
        self.forget.clicked.connect(lambda: self.start_from((), ""))
        self.filter = SettingsForm("filter", Prefilter.describe(), wide=168, beside=123)
        self.filter.show_level("all")
        self.filter.changed.connect(self._on_filter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addLayout(row(label(tr("Features"), "heading"), None, self.more))
        layout.addWidget(self.summary)
        start = row(self.origin, self.forget)
        start.setStretch(0, 1)
        layout.addLayout(start)
        layout.addWidget(self.filter)
        self._on_filter()
        self._tell()

    @property
    def modified(self) -> bool:
        """Whether anything is asked for."""
        return self.wishes != Wishes() or bool(self.start) or self.filter.modified

    def values(self) -> dict[str, Value]:
        """Settings of the filter, without those that do nothing."""
        values = self.filter.values()
        return {name: value for name, value in values.items() if name not in idle_settings(values, None)}

    def reset(self) -> None:
        """Ask for nothing."""
        self.wishes, self.start = Wishes(), ()
        self.filter.reset()
        self._tell()
        self.changed.emit()

    def show_level(self, level: Level) -> None:
        """The filter is for those who look for settings."""
        self.filter.show_level("presets" if level == "presets" else "all")

    def ask_for(self, wishes: Wishes, start: Sequence[str], source: str) -> None:
        """Ask for what was asked before."""
        self.wishes, self.start, self._source = wishes, tuple(start), source
        self._tell()
        self.changed.emit()

    def want_always(self, name: str, wanted: bool) -> None:
        """Wish one feature to be in every subset, or no longer."""
        wishes = self.wishes
        named = {*wishes.always, name} if wanted else {*wishes.always} - {name}
        always = tuple(each for each in dict.fromkeys((*self._features, name)) if each in named)
        self._take(replace(wishes, always=always, never=tuple(each for each in wishes.never if each != name)))

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features there are."""
        return self._features

    @property
    def units(self) -> int:
        """How many features, or groups of them, a search chooses among."""
        free = {*self._features} - {*self.wishes.always} - {*self.wishes.never} if self.wishes != Wishes() else None
        if free is None:
            count = len(self._features)
        else:
            count = len(free) - sum(max(0, len(free & {*group}) - 1) for group in self.wishes.together)
        chosen = Prefilter().updated(self.values())
        return count if chosen.prefilter == "none" else min(count, chosen.keep)

    @property
    def source(self) -> str:
        """The run that found the features to begin with."""
        return self._source

    def show_features(self, features: Sequence[str]) -> None:
        """Another data set: wishes about features that it has not are gone."""
        if tuple(features) == self._features:
            return
        self._features = tuple(features)
        self.wishes = self.wishes.among(self._features)
        if not set(self.start) <= set(self._features):
            self.start = ()
        self._tell()

    def start_from(self, names: Sequence[str], source: str) -> None:
        """Let the next run begin with a subset that ``source`` found."""
        self.start, self._source = tuple(names), source
        self._tell()
        self.changed.emit()

    def _on_filter(self) -> None:
        self.filter.hide_idle(idle_settings(self.filter.values(), None))
        self.changed.emit()

    def _ask(self) -> None:
        dialog = FeaturesDialog(self.window(), self._features, self.wishes)
        dialog.chosen.connect(self._take)
        dialog.open()

    def _take(self, wishes: Wishes) -> None:
        self.wishes = wishes
        self._tell()
        self.changed.emit()

    def _tell(self) -> None:
        wishes = self.wishes
        parts = [
            tr("{count:,} always in", count=len(wishes.always)) if wishes.always else "",
            tr("{count:,} never in", count=len(wishes.never)) if wishes.never else "",
            tr("{groups} together", groups=counted(len(wishes.together), "group")) if wishes.together else "",
        ]
        text = ", ".join(filter(None, parts))
        self.summary.setText(text + "." if text else tr("The search may choose any of them."))
        self.more.setEnabled(bool(self._features))
        self.origin.setText(
            tr_many(
                len(self.start),
                "Begins with the {count} feature of {source}.",
                "Begins with the {count} features of {source}.",
                source=self._source,
            )
        )
        for control in (self.origin, self.forget):
            control.setVisible(bool(self.start))
