"""A screen, and persons who use it; pictures of each step are kept for whoever looks at a failure."""

import csv
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
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


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A CSV in which features g2 and g7 tell the classes apart."""
    rng = np.random.default_rng(8)
    target = np.arange(80) % 2
    x = rng.normal(size=(80, 12))
    x[:, 2] += 2.5 * target
    x[:, 7] -= 2.5 * target
    path = tmp_path_factory.mktemp("table") / "patients.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"g{column}" for column in range(12)), "disease"])
        writer.writerows(
            [*map(repr, map(float, row)), ("ill", "well")[code]] for row, code in zip(x, target, strict=True)
        )
    return path
