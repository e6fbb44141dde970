"""The search in the settings panel: the method, its presets and those of the user, its settings and its gains."""

from html import escape
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QMenu, QVBoxLayout, QWidget

from fsdesk.app.look.fields import Choice
from fsdesk.app.look.parts import button, label, named, row
from fsdesk.app.look.tokens import LIGHT, SPACE, Tokens
from fsdesk.app.look.translation import declared, tr
from fsdesk.app.settings.gain_plot import GainPlot
from fsdesk.app.settings.own_presets import MINE
from fsdesk.app.settings.settings_form import Level, SettingsForm
from fsdesk.methods import DEFAULT_METHOD, METHODS
from fsdesk.settings import Entry, Value

__all__ = ["MethodSection", "entry_choice", "exchanged", "pairs", "with_link"]


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
        """Take the colours of the theme."""
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
