"""Every command of the window: its name, its key and its icon, for menus, tool bar, buttons and the list of keys."""

from dataclasses import dataclass

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from fsdesk.app.look.icons import icon
from fsdesk.app.look.theme import Choice
from fsdesk.app.look.tokens import Tokens
from fsdesk.app.look.translation import tr

__all__ = ["COMMANDS", "Actions", "Command"]


@dataclass(frozen=True)
class Command:
    """A command; ``tip`` is what hovering tells."""

    name: str
    text: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    tip: str = ""


COMMANDS = (
    Command("open", "&Open …", ("Ctrl+O",), "open", "Open a table or a project"),
    Command(
        "save", "&Save project as …", ("Ctrl+S", "Ctrl+Shift+S"), "save", "Keep the project under a name of your own"
    ),
    Command("export", "&Export results …", ("Ctrl+E",), "export", "Write the features, the mask and a report"),
    Command("close", "&Back to the first screen", ("Ctrl+W",)),
    Command("quit", "&Quit", ("Ctrl+Q",)),
    Command("run", "&Run", ("F5", "Ctrl+Return"), "run", "Start a search with these settings"),
    Command("many", "Queue &many runs …", ("Ctrl+Shift+R",), "", "Methods, models and seeds, each with each"),
    Command(
        "steer", "St&eer …", ("Ctrl+T",), "", "Pin or ban features, or let the run take more, while it is under way"
    ),
    Command("pause", "&Pause", ("F6",), "pause", "Pause the run; go on with one that is paused or was stopped"),
    Command("stop", "&Stop", ("F7",), "stop", "Stop the run; it can be resumed"),
    Command(
        "chain", "Start from this su&bset", ("Ctrl+Shift+B",), "", "Let the next run begin with what this one found"
    ),
    Command(
        "honest",
        "Measure the &honest error",
        ("Ctrl+H",),
        "",
        "Repeat the whole search inside five outer folds: the error on rows that it never saw",
    ),
    Command("undo", "&Undo", ("Ctrl+Z",), "", "Undo the last change of a setting or of what columns are for"),
    Command("redo", "&Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "", "Do again what was undone"),
    Command("save_settings", "Save settin&gs …", ("Ctrl+Alt+S",), "", "Write the settings to a file"),
    Command("load_settings", "&Load settings …", ("Ctrl+Alt+O",), "", "Take the settings of a file"),
    Command("save_preset", "Save as my &preset …", (), "", "Keep these settings in your list of presets"),
    Command("copy_command", "Copy as co&mmand", ("Ctrl+Alt+C",), "copy", "Copy the command that does the same"),
    Command("reset", "Rese&t settings", ("Ctrl+Backspace",), "reset"),
    Command("copy", "&Copy selected features", ("Ctrl+Shift+C",), "copy"),
    Command("data", "&Data", ("Ctrl+1",)),
    Command("search", "&Search", ("Ctrl+2",)),
    Command("result", "Resu&lt", ("Ctrl+3",)),
    Command("compare", "&Compare", ("Ctrl+4",)),
    Command("rail", "Settings pa&nel", ("Ctrl+B",), "columns", "Show or hide the settings"),
    Command("find", "&Find in the table", ("Ctrl+F",), "search"),
    Command("dismiss", "Dismiss &messages", ("Esc",)),
    Command("screen", "F&ull screen", ("F11",)),
    Command("notify", "Tell &when a long run ends", (), "", "Also when another program is in front"),
    Command("help", "&Help on this", ("F1",), "", "Explain what has the focus, or this page"),
    Command("keys", "&Keys", ("Ctrl+/", "?"), "", "All commands and their keys"),
    Command("tour", "&Tour", (), "", "Show once more where everything is"),
    Command("log", "Show the &log file"),
    Command("about", "&About fsdesk"),
)


class Actions:
    """The actions by the names of their commands, and the menus that hold them."""

    def __init__(self, window: QMainWindow) -> None:
        self._window = window
        self.by_name: dict[str, QAction] = {}
        for command in COMMANDS:
            action = QAction(command.text, window)
            action.setObjectName(f"action_{command.name}")
            action.setShortcuts([QKeySequence(key) for key in command.keys])
            keys = f" ({command.keys[0]})" if command.keys else ""
            action.setToolTip((command.tip or command.text.replace("&", "").replace(" …", "")) + keys)
            self.by_name[command.name] = action
            window.addAction(action)
        self._icons = {command.name: command.icon for command in COMMANDS if command.icon}
        self._tokens: Tokens | None = None
        self["rail"].setCheckable(True)
        self["rail"].setChecked(True)
        self["notify"].setCheckable(True)
        self.recent_menu = QMenu("Open &recent", window)
        self.samples_menu = QMenu("Open a sa&mple", window)
        self.themes = QActionGroup(window)
        self._make_menus()

    def __getitem__(self, name: str) -> QAction:
        return self.by_name[name]

    def _make_menus(self) -> None:
        bar = self._window.menuBar()
        bar.setObjectName("menuBar")
        file = bar.addMenu("&File")
        file.addAction(self["open"])
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
        run = bar.addMenu("&Run")
        for name in ("run", "many", "pause", "stop", "steer"):
            run.addAction(self[name])
        run.addSeparator()
        for name in ("honest", "chain", "reset"):
            run.addAction(self[name])
        view = bar.addMenu("&View")
        for name in ("data", "search", "result", "compare", "rail", "find", "dismiss"):
            view.addAction(self[name])
        view.addSeparator()
        theme = view.addMenu("&Theme")
        titles: dict[Choice, str] = {"system": "Like the s&ystem", "light": "&Light", "dark": "&Dark"}
        for choice, title in titles.items():
            action = theme.addAction(title)
            action.setObjectName(f"theme_{choice}")
            action.setCheckable(True)
            action.setData(choice)
            self.themes.addAction(action)
        view.addAction(self["notify"])
        view.addAction(self["screen"])
        about = bar.addMenu("&Help")
        for name in ("help", "keys", "tour", "log", "about"):
            about.addAction(self[name])

    def dress(self, tokens: Tokens) -> None:
        """Draw the icons in the colours of the theme."""
        self._tokens = tokens
        for name, drawing in self._icons.items():
            self[name].setIcon(icon(drawing, tokens))

    def draw(self, name: str, drawing: str) -> None:
        """Give a command another icon."""
        if self._icons[name] != drawing:
            self._icons[name] = drawing
            if self._tokens is not None:
                self[name].setIcon(icon(drawing, self._tokens))
