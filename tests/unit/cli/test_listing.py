"""What there is to choose from, as the command line lists it."""

from importlib.metadata import version

from fsdesk.measure import CRITERIA
from fsdesk.methods import METHODS
from fsdesk.wrappers import WRAPPERS
from tests.invoking import fsdesk


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
