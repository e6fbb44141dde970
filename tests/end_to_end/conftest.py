"""A screen, and persons who use it; pictures of each step are kept for whoever looks at a failure."""

import os
import shutil
from collections.abc import Callable, Iterator
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
def another_person(display: Screen, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Callable[[], Person]]:
    """Make persons who share a home folder and a screen."""
    if missing := lacking("xdotool"):
        pytest.skip(missing)
    pictures = PICTURES / request.node.name
    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir(parents=True)
    made: list[Person] = []

    def make() -> Person:
        made.append(Person(display, tmp_path, pictures))
        return made[-1]

    yield make
    for each in made:
        each.leaves()


@pytest.fixture
def person(another_person: Callable[[], Person]) -> Person:
    """The only person of a scenario."""
    return another_person()
