"""Commands on settings: save, load, presets, copy as command, undo; and the settings of the last session."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from fsdesk.app.actions import Actions
from fsdesk.app.dialogs.dialog import ask_path
from fsdesk.app.forms.designs import DESIGNS, Design
from fsdesk.app.forms.presets import MINE, PresetDialog, proposed_name
from fsdesk.app.forms.setup import Setup, differences, fitted
from fsdesk.app.session.session import Session
from fsdesk.app.session.table_loader import Last
from fsdesk.data import Choices, Dataset, reader_of
from fsdesk.engine import RunRequest
from fsdesk.errors import SettingsError, UserError
from fsdesk.messages import tr, translated
from fsdesk.results.settings_file import constraint_words, parsed_settings, set_words, settings_text

if TYPE_CHECKING:
    from fsdesk.app.forms.setup_panel import SetupPanel
    from fsdesk.app.workspace import Workspace

_MOST_BYTES = 1_000_000
_MOST_NAMED = 4


class SettingsCommands(QObject):
    """Connects the commands of the Edit menu and those that save, load and copy settings."""

    def __init__(self, window: QWidget, session: Session, actions: Actions) -> None:
        super().__init__(window)
        self._window, self._session, self._actions = window, session, actions
        self._workspace: Workspace | None = None
        # From the signals' arguments: the stack sends some while it is being deleted.
        session.history.undoTextChanged.connect(self._show_undo)
        session.history.redoTextChanged.connect(self._show_redo)
        session.history.canUndoChanged.connect(actions["undo"].setEnabled)
        session.history.canRedoChanged.connect(actions["redo"].setEnabled)
        actions["undo"].setEnabled(False)
        actions["redo"].setEnabled(False)
        for name in ("save_settings", "load_settings", "save_preset", "copy_command"):
            actions[name].setEnabled(False)

    def attach(self, workspace: Workspace) -> None:
        """Connect the workspace: settings are available from now on."""
        self._workspace, actions = workspace, self._actions
        slots = {
            "undo": self.undo, "redo": self.redo, "save_settings": self.ask_save, "load_settings": self.ask_load,
            "save_preset": self.ask_preset, "copy_command": self.copy_command,
        }  # fmt: skip
        for name, slot in slots.items():
            actions[name].triggered.connect(lambda _=False, slot=slot: slot())
            if name not in ("undo", "redo"):
                actions[name].setEnabled(True)
        menu = workspace.setup.search.menu
        self._designs: QMenu = menu.addMenu(tr("For a study design"))
        self._designs.menuAction().setObjectName("designs")
        self._designs.setToolTipsVisible(True)
        for design in DESIGNS:
            action = self._designs.addAction(translated(design.title))
            action.setObjectName(f"design_{design.name}")
            action.triggered.connect(lambda _=False, design=design: self.use_design(design))
        menu.addSeparator()
        menu.addAction(actions["save_preset"])
        self._forget_menu: QMenu = menu.addMenu(tr("Remove a preset"))
        self._forget_menu.menuAction().setObjectName("removePreset")
        menu.addSeparator()
        for name in ("save_settings", "load_settings", "copy_command"):
            menu.addAction(actions[name])
        menu.aboutToShow.connect(self._list_presets)
        menu.aboutToShow.connect(self._fit_designs)

    def _show_undo(self, step: str) -> None:
        self._actions["undo"].setText(_with_step(tr("&Undo"), step))

    def _show_redo(self, step: str) -> None:
        self._actions["redo"].setText(_with_step(tr("&Redo"), step))

    def undo(self) -> None:
        """Undo the last step; pending ticks of columns count as a step."""
        if self._workspace is not None:
            self._workspace.data.settle()
        self._session.history.undo()

    def redo(self) -> None:
        """Redo what was undone."""
        self._session.history.redo()

    def ask_save(self) -> None:
        """Let the user choose where to save the settings."""
        kinds, proposed = f"{tr('Settings')} (*.toml)", "settings.toml"
        ask_path(
            self._window,
            self._session.store,
            tr("Save settings"),
            self.save,
            kinds=kinds,
            save="toml",
            proposed=proposed,
        )

    def save(self, path: Path) -> None:
        """Write the settings in the format read by the command line."""
        path = path if path.suffix else path.with_suffix(".toml")
        text = settings_text(self._setup.request, [tr("Settings of fsdesk. On the command line:"), self._command(path)])
        session = self._session

        async def work() -> None:
            try:
                await session.tasks.in_thread(path.write_text, text, encoding="utf-8")
            except OSError as error:
                raise UserError(
                    'Cannot write the settings to "{path}" ({error}).', path=path, error=error.strerror
                ) from error
            session.tasks.say(
                "success", tr('Settings saved as "{path}".', path=path), "settings", path=str(path.parent)
            )

        session.tasks.begin(work(), tr("saving the settings"), subject="settings")

    def ask_load(self) -> None:
        """Let the user choose a settings file."""
        kinds = f"{tr('Settings')} (*.toml);;{tr('All files')} (*)"
        ask_path(self._window, self._session.store, tr("Load settings"), self.load, kinds=kinds)

    def load(self, path: Path) -> None:
        """Load the settings of a file; report changes and what does not fit."""
        session = self._session

        async def work() -> None:
            saved = parsed_settings(await session.tasks.in_thread(_text_of, path), path.name)
            self._use(saved, path.name)

        session.tasks.begin(work(), tr("loading the settings"), subject="settings")

    def _use(self, saved: RunRequest, name: str) -> None:
        assert self._workspace is not None
        panel, session = self._workspace.setup, self._session
        before = panel.setup
        made, said = fitted(saved, before, session.loader.dataset)
        panel.use(made)
        changes = differences(before, panel.setup)
        more = [tr("{count} more", count=len(changes) - _MOST_NAMED)] if len(changes) > _MOST_NAMED else []
        what = "; ".join(changes[:_MOST_NAMED] + more) or tr("nothing has changed")
        sentences = [tr('Loaded "{name}": {what}.', name=name, what=what)]
        if said:
            sentences += [tr("Some settings do not apply:"), *said]
        session.tasks.say("warning" if said else "success", " ".join(sentences), "settings")

    def use_design(self, design: Design) -> None:
        """Apply the settings for a study design, as one undoable step, and report the changes."""
        dataset = self._session.loader.dataset
        if dataset is not None:
            self._use(design.request(dataset), translated(design.title))

    def _fit_designs(self) -> None:
        """Enable the study designs that suit the data."""
        dataset = self._session.loader.dataset
        for design, action in zip(DESIGNS, self._designs.actions(), strict=True):
            fits = dataset is not None and design.task in ("", dataset.task)
            action.setEnabled(fits)
            action.setToolTip(translated(design.help) if fits else _unfit(design, dataset))

    @property
    def _setup(self) -> Setup:
        assert self._workspace is not None
        return self._workspace.setup.setup

    def ask_preset(self) -> None:
        """Let the user name the settings."""
        assert self._workspace is not None
        panel = self._workspace.setup
        names = panel.own.names()
        chosen = str(panel.preset.currentData() or "")
        proposal = chosen.removeprefix(MINE) if chosen.startswith(MINE) else proposed_name(names)
        dialog = PresetDialog(self._window, panel.own, proposal)
        dialog.chosen.connect(self._keep_preset)
        dialog.open()

    def _keep_preset(self, name: str) -> None:
        assert self._workspace is not None
        panel = self._workspace.setup
        try:
            panel.own.keep(name, panel.setup)
        except UserError as error:
            self._session.tasks.say("error", translated(str(error)), "settings")
            return
        panel.show_own(name)
        words = tr('"{name}" was added to your presets.', name=name)
        self._session.tasks.say("success", words, "settings", path=str(panel.own.path(name).parent))

    def _list_presets(self) -> None:
        assert self._workspace is not None
        panel = self._workspace.setup
        self._forget_menu.clear()
        for name in panel.own.names():
            action = self._forget_menu.addAction(name.replace("&", "&&"))
            action.triggered.connect(lambda _=False, name=name: self._remove_preset(name))
        self._forget_menu.setEnabled(not self._forget_menu.isEmpty())

    def _remove_preset(self, name: str) -> None:
        assert self._workspace is not None
        self._workspace.setup.own.remove(name)
        self._workspace.setup.show_own()
        self._session.tasks.say("success", tr('The preset "{name}" was removed.', name=name), "settings")

    def copy_command(self) -> None:
        """Copy the command for the same run to the clipboard."""
        command = self._command(None)
        QGuiApplication.clipboard().setText(command)
        shown = command if len(command) < 200 else command[:199] + "…"
        self._session.tasks.say("success", tr("Copied: {command}", command=shown), "settings")

    def _command(self, settings: Path | None) -> str:
        """The command line of a run with these settings, written out or in a file."""
        assert self._workspace is not None
        panel, loader = self._workspace.setup, self._session.loader
        setup = panel.setup
        words = [
            "fsdesk",
            "run",
            loader.address or (str(loader.path) if loader.path is not None else _table_word(loader.key)),
        ]
        words += _choice_words(loader.choices, loader.described)
        for name, value in loader.options.model_dump().items():
            if value != type(loader.options)().model_dump()[name]:
                words += ["--read", f"{name}={value}"]
        part = loader.table.part if loader.table is not None else ""
        if part and loader.path is not None and not (loader.options.part or loader.options.sheet):
            words += ["--read", f"{reader_of(loader.path.name).part_option}={part}"]
        if settings is not None:
            return shlex.join([*words, "--settings", str(settings)])
        words += ["--method", setup.method, "--wrapper", setup.wrapper, "--seed", str(setup.seed)]
        if setup.preset and not setup.preset.startswith(MINE):
            words += ["--preset", setup.preset]
        words += set_words(panel.changed_values, list(setup.values))
        held = setup.constraints
        return shlex.join(words + constraint_words(held.always, held.never, held.together))


def _with_step(verb: str, step: str) -> str:
    return f"{verb}: {step.replace('&', '&&')}" if step else verb


def _text_of(path: Path) -> str:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise UserError('"{path}" is too large for a settings file.', path=path)
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError('Cannot read "{path}" ({error}).', path=path, error=error.strerror) from error
    except UnicodeDecodeError as error:
        raise UserError('"{path}" is not a text file. Choose a settings file.', path=path) from error


def _table_word(key: str) -> str:
    return key if key.startswith(("openml:", "sample:")) else "TABLE"


def _choice_words(choices: Choices, described: frozenset[str]) -> list[str]:
    """The command-line options for roles of columns; descriptions are excluded automatically."""
    words = ["--target", choices.target] if choices.target else []
    kept = {*choices.keep, *(described - {*choices.ignore})} - {choices.target}
    for option, names in (("--ignore", {*choices.ignore} - described), ("--keep", kept)):
        for name in sorted(names):
            words += [option, name]
    usual = Choices()
    for option, field in (("--missing", "missing"), ("--nominal", "nominal"), ("--task", "task"), ("--group", "group"),
                          ("--folds-column", "folds"), ("--event", "event"), ("--entry", "entry"),
                          *((("--time", "time"),) if choices.event is None else ())):  # fmt: skip
        if getattr(choices, field) != getattr(usual, field):
            words += [option, getattr(choices, field)]
    return words


_PAUSE_MS = 1000
_MOST_RESTORED = 3


class LastSettings(QObject):
    """Follows changes in the panel and in the choices of columns."""

    def __init__(self, session: Session, panel: SetupPanel) -> None:
        super().__init__(panel)
        self._session, self._panel = session, panel
        self._fresh: tuple[Setup, Choices] | None = None
        self._key = ""
        self._pending: tuple[str, Last | None] | None = None
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self.keep)
        session.loader.table_changed.connect(self._on_table)
        session.loader.dataset_changed.connect(self._on_dataset)
        panel.plan_changed.connect(self._on_change)

    def _on_table(self) -> None:
        self.keep()  # of the previous table
        self._fresh, self._key = None, ""

    def _on_dataset(self) -> None:
        session = self._session
        if session.loader.dataset is None or not session.loader.key:
            return
        if self._fresh is None:
            self._key = session.loader.key
            self._fresh = (self._panel.setup, session.loader.fresh_choices)
            self._restore()
        self._on_change()

    def _restore(self) -> None:
        """Restore the last settings, and report it."""
        session, panel, last = self._session, self._panel, self._session.loader.last
        if last is None or self._fresh is None:
            return
        before, said = panel.setup, list[str]()
        try:
            setup, said = fitted(parsed_settings(last.settings, session.loader.key), before, session.loader.dataset)
        except SettingsError as error:
            why = translated(str(error))
            words = tr("The settings of the last session were not restored: {error}", error=why)
            session.tasks.say("warning", words, "settings")
            return
        known = set(session.loader.dataset.features) if session.loader.dataset is not None else set()
        start = last.start if set(last.start) <= known else ()
        panel.restore(Setup(**{**vars(setup), "preset": last.preset, "start": start, "source": last.source}))
        changes = differences(before, panel.setup)
        columns = session.loader.choices != session.loader.fresh_choices
        if not changes and not columns:
            return
        shown = changes[:_MOST_RESTORED] + (
            [tr("{count} more", count=len(changes) - _MOST_RESTORED)] if changes[_MOST_RESTORED:] else []
        )
        if columns:
            shown.append(tr("column roles"))
        sentence = tr("Restored from your last session with this table: {what}.", what=", ".join(shown))
        if changes:
            said = [tr("Reset settings returns to the preset."), *said]
        session.tasks.say("info", " ".join([sentence, *said]), "settings")

    def _on_change(self) -> None:
        session, key = self._session, self._key
        if self._fresh is None or not key or key != session.loader.key:
            return
        setup, choices = self._panel.setup, session.loader.choices
        fresh = (setup, choices) == self._fresh
        last = None if fresh else Last(
            choices, settings_text(setup.request), setup.preset, setup.start, setup.source
        )  # fmt: skip
        self._pending = (key, last)
        self._pause.start()

    def keep(self) -> None:
        """Store the current settings, if they differ from the table's defaults."""
        self._pause.stop()
        pending, self._pending = self._pending, None
        session = self._session
        if pending is None or session.tasks.closed:
            return
        key, last = pending
        # Not a background task, which would be canceled if it started while the window closes.
        if last is None:
            session.tasks.disk.submit(session.loader.remembered.forget, key)
        else:
            session.tasks.disk.submit(session.loader.remembered.write, key, last)


def _unfit(design: Design, dataset: Dataset | None) -> str:
    """Why a design is not available."""
    if dataset is None:
        return tr("There is no table yet, or it has no target.")
    if design.task == "survival":
        return tr("This requires a time-to-event target.")
    return tr("This requires a categorical target.")
