"""The command line as a whole: a file opens the window, lists say what there is to choose from."""

from importlib.metadata import version

import pytest

from fsdesk.cli import main
from fsdesk.measure import CRITERIA
from fsdesk.methods import METHODS
from fsdesk.wrappers import WRAPPERS
from tests.invoking import fsdesk


@pytest.fixture
def opened(monkeypatch):
    asked: list[list[str]] = []
    monkeypatch.setattr("fsdesk.cli.open_window", lambda arguments: asked.append(arguments) or 0)
    return asked


@pytest.mark.parametrize(
    "arguments",
    [[], ["sonar.csv"], ["study.fsdesk"], ["folder/no ending"], ["/a/b.mat"], ["../up"], [".hidden"], ["sample:genes"]],
)
def test_a_file_or_nothing_opens_the_window(opened, arguments):
    assert main(arguments) == 0
    assert opened == [arguments]


@pytest.mark.parametrize("arguments", [["methods"], ["--version"], ["nonsense"]])
def test_commands_and_options_are_no_files(opened, arguments):
    main(arguments)
    assert opened == []


def test_more_than_a_file_is_told_how_to_go_on(opened, capsys):
    assert main(["sonar.csv", "--method", "sfs"]) == 2
    assert "fsdesk run sonar.csv …" in capsys.readouterr().err
    assert opened == []


def test_version_methods_wrappers_and_criteria_are_listed():
    assert fsdesk("--version").stdout.strip() == f"fsdesk {version('fsdesk')}"
    for command, names in (
        ("methods", [entry.name for entry in METHODS]),
        ("wrappers", [entry.name for entry in WRAPPERS]),
        ("criteria", [each.name for each in CRITERIA]),
    ):
        first = [line[:18].split("  ")[0] for line in fsdesk(command).stdout.splitlines()]
        assert [name for name in names if name not in first] == []
    one = fsdesk("methods", "bspsa").stdout
    assert all(word in one for word in ("paper, small", "max_iterations", "stall_limit", "0.05"))
    shared = fsdesk("settings").stdout
    assert all(word in shared for word in ("criterion", "folds", "prefilter"))
