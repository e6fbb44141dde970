"""What the lower layers say in English is said in the language of the window, with its values."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QWidget

from fsdesk.data import read_table
from fsdesk.engine import Steered
from fsdesk.errors import DataError, UserError
from fsdesk.messages import message, translated
from fsdesk.methods import METHODS
from fsdesk.settings import validated
from fsdesk.wrappers import WRAPPERS

from .conftest import WindowDriver


def test_what_was_steered_is_said_in_german(messages_in_german: None) -> None:
    event = Steered(4, pin=("a", "b"), ban=("c",), measurements=30, iterations=10)
    assert (
        translated(event.sentence)
        == "a, b immer enthalten; c nie enthalten; 10 weitere Iterationen und 30 weitere Messungen"
    )
    refused = Steered(4, ban=("c",), refused=message("no feature would be left to choose among"))
    assert translated(refused.sentence) == "nicht ausgeführt, es bliebe kein Merkmal zur Auswahl: c nie enthalten"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"%PDF-1.7", "ist ein PDF-Dokument"),
        (b"\x89PNG\r\n", "ist ein Bild"),
        (b"\xff\xd8\xff\xe0", "ist ein Bild"),
        (b"SQLite format 3\0", "ist keine SQLite-Datenbank oder ist beschädigt"),
    ],
)
def test_what_is_no_table_is_refused_in_german(
    messages_in_german: None, tmp_path: Path, content: bytes, words: str
) -> None:
    path = tmp_path / "other.dat"
    path.write_bytes(content + bytes(600))
    with pytest.raises(DataError) as refused:
        read_table(path)
    assert translated(str(refused.value)).startswith(f"„other.dat“ {words}")


def untidy() -> Iterator[str]:
    yield "id;value;same;identical_run;text;note;gap;class"
    for row in range(1, 21):
        value, gap = row * 7 % 11, "" if row % 5 == 0 else row % 4
        yield f"{row};{value};1;{value};{'ab'[row % 2]};note {row};{gap};{'xy'[row % 2]}"


def test_every_check_of_an_untidy_table_is_said_in_german(messages_in_german: None, tmp_path: Path) -> None:
    path = tmp_path / "untidy.csv"
    path.write_text("\n".join(untidy()), encoding="utf-8")
    data = read_table(path, target="class")
    said = [translated(check.sentence) for check in data.checks]
    assert len(said) >= 5
    assert not [each for each in said if re.search(r"\b(the|and|are|is|has|have)\b", each)], said


@pytest.mark.parametrize("content", ["", "a,b\n", "a,class\n1,x\n2,x\n", "a,class\n1,1\n1,2\n1,1\n"])
def test_what_is_wrong_with_a_table_is_said_in_german(messages_in_german: None, tmp_path: Path, content: str) -> None:
    path = tmp_path / "small.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UserError) as raised:
        read_table(path, target="class")
    assert translated(str(raised.value)) != str(raised.value)


def test_a_setting_out_of_bounds_is_said_in_german(messages_in_german: None) -> None:
    with pytest.raises(UserError) as raised:
        validated(WRAPPERS["nn"].model, {"nonsense": 1})
    assert translated(str(raised.value)).startswith("Es gibt keine Einstellung „nonsense“")
    for entry in (*WRAPPERS, *METHODS):
        for info in entry.model.describe():
            for wrong in (-1e30, "x", None, [1]):
                try:
                    validated(entry.model, {info.name: wrong})
                except UserError as error:
                    said = translated(str(error)).partition(" (gegeben: ")[0]
                    assert said.startswith(f"Einstellung „{info.name}“: "), error
                    assert re.search(r"\b(muss|darf|erwartet|möglich|von der Form|sagt|nennt)\b", said), said


async def test_the_window_says_errors_and_ends_of_runs_in_german(german: None, driver: WindowDriver) -> None:
    driver.window.open_path(driver.root / "gone.csv")
    await driver.until(lambda: driver.window.messages.messages)
    assert driver.window.messages.messages[0].sentence.startswith("Es gibt keine Datei")
    driver.child(QWidget, "sample_wine").click()  # type: ignore[attr-defined]
    await driver.until(lambda: driver.session.loader.dataset is not None)
    driver.window.workspace.setup.method_form.put({"max_iterations": 3})
    driver.window.actions_["run"].trigger()
    await driver.until(lambda: any(run.phase == "finished" for run in driver.session.runs))
    page = driver.window.workspace.search
    await driver.until(lambda: any("Iterationen ausgeführt" in each.text() for each in page.findChildren(QLabel)))
