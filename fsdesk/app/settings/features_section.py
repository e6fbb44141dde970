"""What the user asks of the features before a search: always in, never in, together, a start, and a filter."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from fsdesk.app.look.parts import button, label, row
from fsdesk.app.look.tokens import SPACE
from fsdesk.app.look.translation import tr, tr_many
from fsdesk.app.look.words import counted
from fsdesk.app.settings.features_dialog import FeaturesDialog, Wishes
from fsdesk.app.settings.measuring import idle_settings
from fsdesk.app.settings.settings_form import Level, SettingsForm
from fsdesk.engine import Prefilter
from fsdesk.settings import Value

__all__ = ["FeaturesSection"]


class FeaturesSection(QWidget):
    """``changed`` tells of any change; ``asked`` is what :meth:`RunSpec.make` wants to know of it."""

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
    def asked(self) -> dict[str, Any]:
        """always, never, together and start."""
        wishes = self.wishes
        return {"always": wishes.always, "never": wishes.never, "together": wishes.together, "start": self.start}

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
