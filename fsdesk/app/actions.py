"""Actions and menus of the window: every command with its name, shortcut and icon."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from fsdesk.app.style import icon, on_theme
from fsdesk.app.translation import SYSTEM, plain
from fsdesk.messages import LANGUAGES, mark, tr


@dataclass(frozen=True)
class Command:
    """A command; ``tip`` is its tooltip."""

    name: str
    text: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    tip: str = ""


COMMANDS = (
    Command("open", mark("&Open …"), ("Ctrl+O",), "open", mark("Open a table or a project")),
    Command("openml", mark("&From OpenML …"), tip=mark("Open an OpenML data set by name or number")),
    Command("address", mark("From the &web …"), tip=mark("Open a table from a web address")),
    Command(
        "save",
        mark("&Save project as …"),
        ("Ctrl+S", "Ctrl+Shift+S"),
        "save",
        mark("Save the project under a new name"),
    ),
    Command(
        "export",
        mark("&Export results …"),
        ("Ctrl+E",),
        "export",
        mark("Write the selected features, the mask and a report"),
    ),
    Command(
        "new_project",
        mark("&New project"),
        ("Ctrl+N",),
        tip=mark("Close this project; the table stays open, and the next run starts a new project"),
    ),
    Command(
        "close_project",
        mark("&Close project"),
        ("Ctrl+Shift+W",),
        tip=mark("Close this project and its table; everything is saved"),
    ),
    Command("close", mark("&Back to the start screen"), ("Ctrl+W",)),
    Command("quit", mark("&Quit"), ("Ctrl+Q",)),
    Command("run", mark("&Run"), ("F5", "Ctrl+Return"), "run", mark("Start a search with these settings")),
    Command(
        "many",
        mark("Queue &many runs …"),
        ("Ctrl+Shift+R",),
        tip=mark("Every combination of methods, models and seeds"),
    ),
    Command(
        "steer",
        mark("Chan&ge while running …"),
        ("Ctrl+T",),
        tip=mark("Include or exclude features, or extend the run, while it is running"),
    ),
    Command("pause", mark("&Pause"), ("F6",), "pause", mark("Pause the run, or resume one that was paused or stopped")),
    Command("stop", mark("&Stop"), ("F7",), "stop", mark("Stop the run; it can be resumed")),
    Command(
        "chain",
        mark("Start from this su&bset"),
        ("Ctrl+Shift+B",),
        tip=mark("Start the next run from the subset that this run found"),
    ),
    Command(
        "honest",
        mark("Measure the &held-out error"),
        ("Ctrl+H",),
        tip=mark("Repeat the whole search in five outer folds to estimate the error on unseen rows"),
    ),
    Command(
        "study",
        mark("Stud&y …"),
        tip=mark("Every combination of tables, methods, models and seeds, with statistical tests"),
    ),
    Command(
        "cluster",
        mark("Compute on a &cluster …"),
        tip=mark("Run searches on a Dask cluster, or switch back to this computer"),
    ),
    Command("undo", mark("&Undo"), ("Ctrl+Z",), tip=mark("Undo the last change of settings or column roles")),
    Command("paste", mark("Paste &table"), ("Ctrl+V",), tip=mark("Open a table copied from a spreadsheet")),
    Command("redo", mark("&Redo"), ("Ctrl+Shift+Z", "Ctrl+Y"), tip=mark("Redo what was undone")),
    Command("save_settings", mark("Save settin&gs …"), ("Ctrl+Alt+S",), tip=mark("Write the settings to a file")),
    Command("load_settings", mark("&Load settings …"), ("Ctrl+Alt+O",), tip=mark("Load settings from a file")),
    Command("save_preset", mark("Save as my &preset …"), tip=mark("Add these settings to your presets")),
    Command("copy_command", mark("Copy as co&mmand"), ("Ctrl+Alt+C",), "copy", mark("Copy the equivalent command")),
    Command("reset", mark("Rese&t settings"), ("Ctrl+Backspace",), "reset"),
    Command("copy", mark("&Copy selected features"), ("Ctrl+Shift+C",), "copy"),
    Command("data", mark("&Data"), ("Ctrl+1",)),
    Command("search", mark("&Search"), ("Ctrl+2",)),
    Command("result", mark("Resu&lt"), ("Ctrl+3",)),
    Command("compare", mark("&Compare"), ("Ctrl+4",)),
    Command("rail", mark("Settings pa&nel"), ("Ctrl+B",), "columns", mark("Show or hide the settings panel")),
    Command("find", mark("&Find in the table"), ("Ctrl+F",), "search"),
    Command("dismiss", mark("Dismiss &messages"), ("Esc",)),
    Command("screen", mark("F&ull screen"), ("F11",)),
    Command(
        "notify", mark("Notify me &when a long run ends"), tip=mark("Even while another program is in the foreground")
    ),
    Command("help", mark("&Help on this"), ("F1",), tip=mark("Show help for the focused item or this page")),
    Command("keys", mark("&Keys"), ("Ctrl+/", "?"), tip=mark("List all commands and their shortcuts")),
    Command("tour", mark("&Tour"), tip=mark("Show the introduction again")),
    Command("log", mark("Show the &log file")),
    Command("problem", mark("Report a &problem …")),
    Command(
        "newer_weekly",
        mark("Look for a newer &version once a week"),
        tip=mark("Asks pypi.org for the list of versions; the request contains only the program's name"),
    ),
    Command("newer", mark("Check for a &newer version"), tip=mark("Open the releases page")),
    Command("about", mark("&About fsdesk")),
)

_MENUS = (
    (mark("&File"), ("open", "openml", "address", "recent", "samples", "", "new_project", "save", "close_project",
                     "export", "", "save_settings", "load_settings", "", "close", "quit")),
    (mark("&Edit"), ("undo", "redo", "", "paste", "", "save_preset", "copy_command", "copy", "", "preferences")),
    (mark("&Run"), ("run", "many", "pause", "stop", "steer", "", "honest", "chain", "reset", "", "study", "cluster")),
    (mark("&View"), ("data", "search", "result", "compare", "rail", "find", "dismiss", "", "screen")),
    (mark("&Help"), ("help", "keys", "tour", "log", "problem", "newer", "about")),
)  # fmt: skip
"""Menus with their commands; "" is a separator."""


class Actions(QObject):
    """The actions by command name, and the menus that contain them."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.by_name: dict[str, QAction] = {}
        for command in COMMANDS:
            action = QAction(tr(command.text), window)
            action.setObjectName(f"action_{command.name}")
            action.setShortcuts([QKeySequence(key) for key in command.keys])
            keys = f" ({command.keys[0]})" if command.keys else ""
            action.setToolTip((tr(command.tip) if command.tip else plain(tr(command.text))) + keys)
            self.by_name[command.name] = action
            window.addAction(action)
        self._icons = {command.name: command.icon for command in COMMANDS if command.icon}
        self["rail"].setCheckable(True)
        self["rail"].setChecked(True)
        self["notify"].setCheckable(True)
        self["newer_weekly"].setCheckable(True)
        self.recent_menu = QMenu(tr("Open &recent"), window)
        self.samples_menu = QMenu(tr("Open a sa&mple"), window)
        self.themes, self.languages = QActionGroup(window), QActionGroup(window)
        self._make_menus()
        on_theme(self._draw_icons)

    def __getitem__(self, name: str) -> QAction:
        return self.by_name[name]

    def _make_menus(self) -> None:
        bar = self._window.menuBar()
        bar.setObjectName("menuBar")
        inner = {"recent": self.recent_menu, "samples": self.samples_menu, "preferences": self._preferences()}
        for title, names in _MENUS:
            menu = bar.addMenu(tr(title))
            for name in names:
                if not name:
                    menu.addSeparator()
                elif name in inner:
                    menu.addMenu(inner[name])
                else:
                    menu.addAction(self[name])

    def _preferences(self) -> QMenu:
        """Global commands: appearance, language, messages, and where runs are computed."""
        preferences = QMenu(tr("Pre&ferences"), self._window)
        preferences.setObjectName("preferences")
        # Otherwise macOS would move it to its application menu.
        preferences.menuAction().setMenuRole(QAction.MenuRole.NoRole)
        system = tr("&System")
        themes = {"system": system, "light": tr("&Light"), "dark": tr("&Dark")}
        _add_choices(preferences.addMenu(tr("&Theme")), "theme", self.themes, themes)
        _add_choices(preferences.addMenu(tr("Lan&guage")), "language", self.languages, {SYSTEM: system, **LANGUAGES})
        preferences.addAction(self["notify"])
        preferences.addAction(self["newer_weekly"])
        preferences.addAction(self["cluster"])
        return preferences

    def _draw_icons(self) -> None:
        for name, drawing in self._icons.items():
            self[name].setIcon(icon(drawing))

    def draw(self, name: str, drawing: str) -> None:
        """Give a command another icon."""
        if self._icons[name] != drawing:
            self._icons[name] = drawing
            self[name].setIcon(icon(drawing))


def _add_choices(menu: QMenu, name: str, group: QActionGroup, titles: Mapping[str, str]) -> None:
    """Add one action for each value, one of which is checked."""
    for value, title in titles.items():
        action = group.addAction(title)
        action.setObjectName(f"{name}_{value}")
        action.setCheckable(True)
        action.setData(value)
    menu.addActions(group.actions())
