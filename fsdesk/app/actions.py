"""Actions and menus of the window: every command with its name, keys and icon."""

from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from fsdesk.app.style import Choice, icon, on_theme
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
    Command("openml", mark("&From OpenML …"), (), "", mark("Open a data set of OpenML by its name or number")),
    Command(
        "save",
        mark("&Save project as …"),
        ("Ctrl+S", "Ctrl+Shift+S"),
        "save",
        mark("Keep the project under a name of your own"),
    ),
    Command(
        "export", mark("&Export results …"), ("Ctrl+E",), "export", mark("Write the features, the mask and a report")
    ),
    Command("close", mark("&Back to the first screen"), ("Ctrl+W",)),
    Command("quit", mark("&Quit"), ("Ctrl+Q",)),
    Command("run", mark("&Run"), ("F5", "Ctrl+Return"), "run", mark("Start a search with these settings")),
    Command(
        "many", mark("Queue &many runs …"), ("Ctrl+Shift+R",), "", mark("Methods, models and seeds, each with each")
    ),
    Command(
        "steer",
        mark("St&eer …"),
        ("Ctrl+T",),
        "",
        mark("Pin or ban features, or let the run take more, while it is under way"),
    ),
    Command(
        "pause", mark("&Pause"), ("F6",), "pause", mark("Pause the run; go on with one that is paused or was stopped")
    ),
    Command("stop", mark("&Stop"), ("F7",), "stop", mark("Stop the run; it can be resumed")),
    Command(
        "chain",
        mark("Start from this su&bset"),
        ("Ctrl+Shift+B",),
        "",
        mark("Let the next run begin with what this one found"),
    ),
    Command(
        "honest",
        mark("Measure the &honest error"),
        ("Ctrl+H",),
        "",
        mark("Repeat the whole search inside five outer folds: the error on rows that it never saw"),
    ),
    Command("study", mark("Stud&y …"), (), "", mark("Tables, methods, models and seeds, each with each, with tests")),
    Command(
        "cluster",
        mark("Compute on a &cluster …"),
        (),
        "",
        mark("Have runs computed by the workers of a Dask cluster, or by this computer again"),
    ),
    Command(
        "undo", mark("&Undo"), ("Ctrl+Z",), "", mark("Undo the last change of a setting or of what columns are for")
    ),
    Command("redo", mark("&Redo"), ("Ctrl+Shift+Z", "Ctrl+Y"), "", mark("Do again what was undone")),
    Command("save_settings", mark("Save settin&gs …"), ("Ctrl+Alt+S",), "", mark("Write the settings to a file")),
    Command("load_settings", mark("&Load settings …"), ("Ctrl+Alt+O",), "", mark("Take the settings of a file")),
    Command("save_preset", mark("Save as my &preset …"), (), "", mark("Keep these settings in your list of presets")),
    Command(
        "copy_command", mark("Copy as co&mmand"), ("Ctrl+Alt+C",), "copy", mark("Copy the command that does the same")
    ),
    Command("reset", mark("Rese&t settings"), ("Ctrl+Backspace",), "reset"),
    Command("copy", mark("&Copy selected features"), ("Ctrl+Shift+C",), "copy"),
    Command("data", mark("&Data"), ("Ctrl+1",)),
    Command("search", mark("&Search"), ("Ctrl+2",)),
    Command("result", mark("Resu&lt"), ("Ctrl+3",)),
    Command("compare", mark("&Compare"), ("Ctrl+4",)),
    Command("rail", mark("Settings pa&nel"), ("Ctrl+B",), "columns", mark("Show or hide the settings")),
    Command("find", mark("&Find in the table"), ("Ctrl+F",), "search"),
    Command("dismiss", mark("Dismiss &messages"), ("Esc",)),
    Command("screen", mark("F&ull screen"), ("F11",)),
    Command("notify", mark("Tell &when a long run ends"), (), "", mark("Also when another program is in front")),
    Command("help", mark("&Help on this"), ("F1",), "", mark("Explain what has the focus, or this page")),
    Command("keys", mark("&Keys"), ("Ctrl+/", "?"), "", mark("All commands and their keys")),
    Command("tour", mark("&Tour"), (), "", mark("Show once more where everything is")),
    Command("log", mark("Show the &log file")),
    Command("newer", mark("Check for a &newer version"), (), "", mark("Open the page where versions are published")),
    Command("about", mark("&About fsdesk")),
)


class Actions(QObject):
    """The actions by the names of their commands, and the menus that hold them."""

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
        file = bar.addMenu(tr("&File"))
        file.addAction(self["open"])
        file.addAction(self["openml"])
        file.addMenu(self.recent_menu)
        file.addMenu(self.samples_menu)
        file.addSeparator()
        for name in ("save", "export", "", "save_settings", "load_settings"):
            file.addAction(self[name]) if name else file.addSeparator()
        file.addSeparator()
        for name in ("close", "quit"):
            file.addAction(self[name])
        edit = bar.addMenu(tr("&Edit"))
        for name in ("undo", "redo", "", "save_preset", "copy_command", "copy"):
            edit.addAction(self[name]) if name else edit.addSeparator()
        edit.addSeparator()
        edit.addMenu(self._preferences(edit))
        run = bar.addMenu(tr("&Run"))
        for name in ("run", "many", "pause", "stop", "steer"):
            run.addAction(self[name])
        run.addSeparator()
        for name in ("honest", "chain", "reset"):
            run.addAction(self[name])
        run.addSeparator()
        run.addAction(self["study"])
        run.addAction(self["cluster"])
        view = bar.addMenu(tr("&View"))
        for name in ("data", "search", "result", "compare", "rail", "find", "dismiss"):
            view.addAction(self[name])
        view.addSeparator()
        view.addAction(self["screen"])
        about = bar.addMenu(tr("&Help"))
        for name in ("help", "keys", "tour", "log", "newer", "about"):
            about.addAction(self[name])

    def _preferences(self, parent: QMenu) -> QMenu:
        """What holds for every table and every run: looks, language, messages, and where runs are computed."""
        preferences = QMenu(tr("Pre&ferences"), parent)
        preferences.setObjectName("preferences")
        preferences.menuAction().setMenuRole(
            QAction.MenuRole.NoRole
        )  # macOS would take it for a command of its own menu
        theme = preferences.addMenu(tr("&Theme"))
        titles: dict[Choice, str] = {"system": tr("Like the s&ystem"), "light": tr("&Light"), "dark": tr("&Dark")}
        for choice, title in titles.items():
            action = theme.addAction(title)
            action.setObjectName(f"theme_{choice}")
            action.setCheckable(True)
            action.setData(choice)
            self.themes.addAction(action)
        language = preferences.addMenu(tr("Lan&guage"))
        languages = {SYSTEM: tr("Like the s&ystem"), **LANGUAGES}
        for spoken, title in languages.items():
            action = language.addAction(title)
            action.setObjectName(f"language_{spoken}")
            action.setCheckable(True)
            action.setData(spoken)
            self.languages.addAction(action)
        preferences.addAction(self["notify"])
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
