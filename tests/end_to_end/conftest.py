"""A screen, and a person who uses it; pictures of each step are kept for whoever looks at a failure."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from .person import Person
from .screen import Screen, lacking, screen

PICTURES = Path(os.environ.get("FSDESK_SCREENSHOTS", Path(__file__).parent / ".screenshots"))


@pytest.fixture(scope="module")
def display(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    """A screen of its own for the tests of a file."""
    if missing := lacking("Xvfb"):
        pytest.skip(missing)
    with screen(tmp_path_factory.mktemp("screen")) as made:
        yield made


@pytest.fixture
def person(display: Screen, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Person]:
    """Whoever uses the program in a scenario."""
    if missing := lacking("xdotool"):
        pytest.skip(missing)
    pictures = PICTURES / request.node.name
    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir(parents=True)
    made = Person(display, tmp_path, pictures)
    yield made
    made.leaves()
