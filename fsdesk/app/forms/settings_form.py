"""The form of a group of settings, generated from their declarations."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from html import escape
from typing import Literal, get_args

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from fsdesk.app.forms.setup import shown_value
from fsdesk.app.palette import SPACE
from fsdesk.app.style import icon, on_theme
from fsdesk.app.widgets import (
    Choice,
    DecimalField,
    IntegerField,
    button,
    column,
    keep_own_undo,
    label,
    named,
    restyle,
    row,
)
from fsdesk.messages import mark, number, tr, translated
from fsdesk.settings import SettingInfo, Value

_DECIMALS = 6
_LARGEST = 2**31 - 1


Level = Literal["presets", "common", "all"]
LEVELS: tuple[Level, ...] = get_args(Level)

_NARROW = 104
_BACK = 40  # pixels that a changed setting needs for its reset button and bold title
_LETTER = 8.5  # pixels per character of a value, including the arrow of the list
_BESIDE, _TITLE_LETTER = 83, 7.0  # pixels beside a wide control, and of a character of a title


def help_text(info: SettingInfo) -> str:
    """The tooltip of a setting: its help, unit, bounds, default, and the reason for the default."""
    lines = [f"<b>{escape(translated(info.title))}</b>", escape(translated(info.help))]
    low, high = info.minimum, info.maximum
    unit = f" {escape(translated(info.unit))}" if info.unit else ""
    if low is not None and high is not None:
        bounds = _bounds(info.minimum_excluded, info.maximum_excluded)
        lines.append(f"{tr(bounds, low=number(low, ',.12g'), high=number(high, ',.12g'))}{unit}.")
    worded = info.default == 0 and info.zero  # "unlimited" has no unit
    usual = tr("Default: {value}", value=f"{escape(shown_value(info, info.default))}{'' if worded else unit}")
    lines.append(f"<i>{usual}{f' ({escape(translated(info.source))})' if info.source else ''}</i>")
    return f"<div style='max-width: 320px'>{'<br>'.join(lines)}</div>"


def _bounds(above: bool, below: bool) -> str:
    if above:
        return mark("Above {low} and below {high}") if below else mark("Above {low}, up to {high}")
    return mark("At least {low}, below {high}") if below else mark("{low} to {high}")


def _is_long(info: SettingInfo, wide: int, beside: int) -> bool:
    """Whether a value, or a word of the title, is too long for a control beside its title."""
    if info.kind != "choice":
        return False
    longest = max((len(translated(title)) for title in info.choices.values()), default=0)
    word = max(map(len, translated(info.title).split()))
    return longest > wide / _LETTER or word * _TITLE_LETTER > beside


class SettingsForm(QWidget):
    """Labels and controls for all settings of a group; ``changed`` is emitted on any change by the user or a preset.

    Deviations from the preset are shown at every level, with a reset button.
    """

    changed = Signal()

    def __init__(self, prefix: str, infos: Sequence[SettingInfo], wide: int = 208, beside: int = _BESIDE) -> None:
        super().__init__()
        self.infos = tuple(infos)
        self.fields: dict[str, Field] = {}
        self.titles: dict[str, QLabel] = {}
        self._usual: dict[str, Value] = {info.name: info.default for info in infos}
        self._quiet = False
        self._wide, self._beside = wide, beside
        self._prefix = prefix
        self._level: Level = "all"
        self.resets: dict[str, QPushButton] = {}
        self._giving: list[str] = []
        self._idle: Set[str] = frozenset()
        rows = column(spacing=SPACE // 2)
        self.setLayout(rows)
        for info in infos:
            self._add(rows, prefix, info)
        on_theme(self._draw_signs)
        self.put(self._usual)

    def _add(self, rows: QVBoxLayout, prefix: str, info: SettingInfo) -> None:
        field = make_field(info)
        words, unit = translated(info.title), translated(info.unit) if info.unit else ""
        title = label(f"{words} ({unit})" if unit.casefold() not in words.casefold() else words)
        title.setWordWrap(True)
        title.setBuddy(field.widget)
        tip = help_text(info)
        title.setToolTip(tip)
        field.widget.setToolTip(tip)
        named(field.widget, f"{prefix}_{info.name}", translated(info.title))
        back = self.resets[info.name] = button("", f"{prefix}_{info.name}_reset", "link")
        back.setIconSize(QSize(16, 16))
        back.clicked.connect(lambda: self._reset_one(info.name))
        field.widget.setAccessibleDescription(translated(info.help))
        field.watch(self._on_change)
        if info.kind == "text" or _is_long(info, self._wide, self._beside):
            rows.addLayout(row(title, back, grow=[title]))
            rows.addWidget(field.widget)
        else:
            if info.kind != "bool":
                field.widget.setFixedWidth(self._wide if info.kind == "choice" else _NARROW)
                self._giving += [info.name] * (info.kind == "choice")
            rows.addLayout(row(title, back, field.widget, grow=[title]))
        self.fields[info.name] = field
        self.titles[info.name] = title

    def show_level(self, level: Level) -> None:
        """Show the settings of a level."""
        self._level = level
        self.hide_idle(self._idle)

    def hide_idle(self, names: Set[str]) -> None:
        """Hide settings without effect; the others are shown as before."""
        self._idle = frozenset(names)
        levels = {"presets": (), "common": ("common",), "all": ("common", "all")}[self._level]
        for info in self.infos:
            differs = self._differs(info.name)
            shown = info.name not in self._idle and (info.level in levels or differs)
            self.titles[info.name].setVisible(shown)
            self.fields[info.name].widget.setVisible(shown)
            self.resets[info.name].setVisible(shown and differs)
            if info.name in self._giving:  # the reset button takes space from the title
                wide = self._wide - _BACK * differs
                if self.fields[info.name].widget.width() != wide:
                    self.fields[info.name].widget.setFixedWidth(wide)

    def offer(self, name: str, values: Collection[str]) -> None:
        """Allow only some values of a choice; if the present one is not among them, use the default."""
        field = self.fields[name]
        if not isinstance(field.widget, Choice) or field.widget.offered == tuple(values):
            return
        before = field.get()
        info = next(info for info in self.infos if info.name == name)
        field.widget.offer({value: translated(title) for value, title in info.choices.items() if value in values})
        self.put({name: before if before in values else self._usual[name]})

    def values(self) -> dict[str, Value]:
        """The value of every setting."""
        return {name: field.get() for name, field in self.fields.items()}

    def use(self, usual: Mapping[str, Value]) -> None:
        """Apply a preset's values, which become the reference."""
        self._usual = {**{info.name: info.default for info in self.infos}, **usual}
        self.put(self._usual)

    def put(self, values: Mapping[str, Value]) -> None:
        """Show these values; ``changed`` is emitted once."""
        self._quiet = True
        for name, value in values.items():
            if name in self.fields:
                self.fields[name].put(value)
        self._quiet = False
        self._on_change()

    def reset(self) -> None:
        """Return to the preset, or to the defaults without one."""
        self.put(self._usual)

    @property
    def controls(self) -> list[QWidget]:
        """All controls reachable by keyboard, in visual order."""
        pairs = ((self.resets[name], field.widget) for name, field in self.fields.items())
        return [control for pair in pairs for control in pair]

    def rebase(self, usual: Mapping[str, Value]) -> None:
        """Set other reference values, without changing any setting."""
        self._usual = {**{info.name: info.default for info in self.infos}, **usual}
        self._mark()

    def _reset_one(self, name: str) -> None:
        field = self.fields[name].widget
        self.put({name: self._usual[name]})
        field.setFocus()

    def _differs(self, name: str) -> bool:
        return self.fields[name].get() != self._usual[name]

    @property
    def modified(self) -> bool:
        """Whether any value differs from the preset."""
        return self.values() != self._usual

    def _mark(self) -> None:
        """Show deviations from the preset, and the original values."""
        for info in self.infos:
            name = info.name
            restyle(self.titles[name], role="changed" if self._differs(name) else "body")
            back = tr(
                "Reset {title} to {value}", title=translated(info.title), value=shown_value(info, self._usual[name])
            )
            self.resets[name].setToolTip(back)
            self.resets[name].setAccessibleName(back)
        self.hide_idle(self._idle)

    def _on_change(self) -> None:
        if self._quiet:
            return
        self._mark()
        self.changed.emit()

    def _draw_signs(self) -> None:
        sign = icon("reset", "accent")
        for back in self.resets.values():
            back.setIcon(sign)


@dataclass(frozen=True)
class Field:
    """A control with its reader, its writer and the signal of a change."""

    widget: QWidget
    get: Callable[[], Value]
    put: Callable[[Value], None]
    watch: Callable[[Callable[[], None]], object]


def make_field(info: SettingInfo) -> Field:
    """Create the control for a declared setting."""
    makers = {"bool": _tick, "int": _integer, "float": _decimal, "choice": _choice, "text": _line}
    return makers[info.kind](info)


def _tick(info: SettingInfo) -> Field:
    box = QCheckBox()
    box.setProperty("role", "field")  # it is below numbers, without a text of its own
    return Field(box, box.isChecked, lambda value: box.setChecked(bool(value)), _listener(box, "toggled"))


def _integer(info: SettingInfo) -> Field:
    low = -_LARGEST if info.minimum is None else math.ceil(info.minimum) + info.minimum_excluded
    high = _LARGEST if info.maximum is None else math.floor(info.maximum) - info.maximum_excluded
    box = IntegerField(low, min(high, _LARGEST), _word_of(info, low))
    return Field(box, box.value, lambda value: box.setValue(int(value)), _listener(box, "valueChanged"))


def _word_of(info: SettingInfo, low: float) -> str:
    """The word for 0, if that is the smallest value."""
    return translated(info.zero) if info.zero and low == 0 else ""


def _decimal(info: SettingInfo) -> Field:
    decimals = _DECIMALS
    if isinstance(info.default, float) and info.default:
        decimals = max(_DECIMALS, 3 - math.floor(math.log10(abs(info.default))))
    step = 10.0**-decimals
    low = -1e12 if info.minimum is None else info.minimum + (step if info.minimum_excluded else 0)
    high = 1e12 if info.maximum is None else info.maximum - (step if info.maximum_excluded else 0)
    box = DecimalField(low, high, decimals, _word_of(info, low))
    return Field(box, box.value, lambda value: box.setValue(float(value)), _listener(box, "valueChanged"))


def _choice(info: SettingInfo) -> Field:
    box = Choice()
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(8)
    box.offer({value: translated(title) for value, title in info.choices.items()})
    return Field(
        box,
        lambda: str(box.currentData()),
        lambda value: box.setCurrentIndex(max(0, box.findData(str(value)))),  # options no longer offered
        _listener(box, "currentIndexChanged"),
    )


def _line(info: SettingInfo) -> Field:
    box = QLineEdit()
    keep_own_undo(box)
    return Field(box, box.text, lambda value: box.setText(str(value)), _listener(box, "textChanged"))


def _listener(widget: QObject, signal: str) -> Callable[[Callable[[], None]], object]:
    return lambda slot: getattr(widget, signal).connect(lambda *_: slot())
