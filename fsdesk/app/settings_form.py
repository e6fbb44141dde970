"""The form of a group of settings, generated from their declarations."""

from collections.abc import Collection, Mapping, Sequence, Set
from html import escape

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from fsdesk.app.fields import Choice, Field, make_field
from fsdesk.app.parts import button, label, named, restyle, row
from fsdesk.app.tokens import SPACE
from fsdesk.app.words import counted
from fsdesk.settings import SettingInfo, Value

__all__ = ["SettingsForm", "help_text"]

_NARROW = 104
_LETTER = 8.5  # pixels, with the arrow of a list counted in


def help_text(info: SettingInfo) -> str:
    """What hovering over a setting tells: its help, its bounds and where its default comes from."""
    lines = [f"<b>{escape(info.title)}</b>", escape(info.help)]
    low, high = info.minimum, info.maximum
    if low is not None and high is not None:
        lines.append(
            f"{'Above' if info.minimum_excluded else 'From'} {low:,g} "
            f"{'and below' if info.maximum_excluded else 'to'} {high:,g}."
        )
    if info.source:
        lines.append(f"<i>Default {escape(str(info.default))}: {escape(info.source)}</i>")
    return f"<div style='max-width: 320px'>{'<br>'.join(lines)}</div>"


def _is_long(info: SettingInfo, wide: int) -> bool:
    """Whether a value is too long for a control that stands beside its title."""
    longest = max(map(len, info.choices.values()), default=0)
    return info.kind == "choice" and longest > wide / _LETTER


class SettingsForm(QWidget):
    """Labels and controls for all settings of a group; ``changed`` tells of any change by the user or a preset."""

    changed = Signal()

    def __init__(self, prefix: str, infos: Sequence[SettingInfo], wide: int = 208) -> None:
        super().__init__()
        self.infos = tuple(infos)
        self.fields: dict[str, Field] = {}
        self.titles: dict[str, QLabel] = {}
        self._usual: dict[str, Value] = {info.name: info.default for info in infos}
        self._quiet = False
        self._wide = wide
        self.all_shown = False
        self._idle: Set[str] = frozenset()
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(SPACE // 2)
        for info in infos:
            self._add(rows, prefix, info)
        self.more = button("", f"{prefix}_more", "link")
        self.more.clicked.connect(lambda: self.show_all(not self.all_shown))
        rows.addWidget(self.more)
        self.show_all(False)
        self.put(self._usual)

    def _add(self, rows: QVBoxLayout, prefix: str, info: SettingInfo) -> None:
        field = make_field(info)
        title = label(info.title + (f" ({info.unit})" if info.unit else ""))
        title.setWordWrap(True)
        title.setBuddy(field.widget)
        tip = help_text(info)
        title.setToolTip(tip)
        field.widget.setToolTip(tip)
        named(field.widget, f"{prefix}_{info.name}", info.title)
        field.widget.setAccessibleDescription(info.help)
        field.watch(self._on_change)
        if info.kind == "text" or _is_long(info, self._wide):
            rows.addWidget(title)
            rows.addWidget(field.widget)
        else:
            if info.kind != "bool":
                field.widget.setFixedWidth(self._wide if info.kind == "choice" else _NARROW)
            beside = row(title, field.widget, spacing=12)
            beside.setStretch(0, 1)
            rows.addLayout(beside)
        self.fields[info.name] = field
        self.titles[info.name] = title

    def show_all(self, shown: bool) -> None:
        """Show the rarely used settings too, or only the common ones."""
        self.all_shown = shown
        self.hide_idle(self._idle)

    def hide_idle(self, names: Set[str]) -> None:
        """Hide settings that do nothing as things are; the others are shown as before."""
        self._idle = frozenset(names)
        rare = 0
        for info in self.infos:
            serves = info.name not in self._idle
            rare += serves and info.level == "all"
            shown = serves and (info.level != "all" or self.all_shown)
            self.titles[info.name].setVisible(shown)
            self.fields[info.name].widget.setVisible(shown)
        self.more.setVisible(rare > 0)
        self.more.setText("Fewer settings" if self.all_shown else counted(rare, "more setting"))
        self.more.setAccessibleName(self.more.text())

    def offer(self, name: str, values: Collection[str]) -> None:
        """Let only some values of a choice be chosen; where the present one is not among them, the default is."""
        field = self.fields[name]
        if not isinstance(field.widget, Choice) or field.widget.offered == tuple(values):
            return
        before = field.get()
        info = next(info for info in self.infos if info.name == name)
        field.widget.offer({value: title for value, title in info.choices.items() if value in values})
        self.put({name: before if before in values else self._usual[name]})

    def values(self) -> dict[str, Value]:
        """The value of every setting."""
        return {name: field.get() for name, field in self.fields.items()}

    def use(self, usual: Mapping[str, Value]) -> None:
        """Take a preset's values; from now on they are what counts as unchanged."""
        self._usual = {**{info.name: info.default for info in self.infos}, **usual}
        self.put(self._usual)

    def put(self, values: Mapping[str, Value]) -> None:
        """Show these values; ``changed`` is told once."""
        self._quiet = True
        for name, value in values.items():
            if name in self.fields:
                self.fields[name].put(value)
        self._quiet = False
        self._on_change()

    def reset(self) -> None:
        """Go back to the preset, or to the defaults where there is none."""
        self.put(self._usual)

    @property
    def modified(self) -> bool:
        """Whether any value differs from the preset."""
        return self.values() != self._usual

    def _on_change(self) -> None:
        if self._quiet:
            return
        for name, field in self.fields.items():
            restyle(self.titles[name], role="changed" if field.get() != self._usual[name] else "body")
        self.changed.emit()
