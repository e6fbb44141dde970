"""A file alone on the command line opens the window with it."""

import pytest

import fsdesk.cli
from fsdesk.cli import main


@pytest.fixture
def opened(monkeypatch):
    asked: list[list[str]] = []
    monkeypatch.setattr(fsdesk.cli, "open_window", lambda arguments: asked.append(arguments) or 0)
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
