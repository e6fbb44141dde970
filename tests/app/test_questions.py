"""What only the user can decide about a file, asked on the data page and answered there by mouse and keys."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QFileDialog, QLabel, QPushButton, QScrollArea

from fsdesk.data import Dataset

from .conftest import WindowDriver
from .data_scene import dataset_of, opened


def write_three_questions(folder: Path) -> Path:
    """Replicates of subjects, -999 in a column, and classes 1 and 01."""
    rng = np.random.default_rng(3)
    lines = ["sample,conc,ratio,count,grade"]
    for subject in range(20):
        own = rng.normal(size=3)
        for letter in "abc":
            conc, ratio, count = own + 0.05 * rng.normal(size=3)
            shown = "-999" if (subject, letter) in ((3, "a"), (9, "c"), (14, "b")) else f"{5 + conc:.2f}"
            lines.append(f"P{subject:02}_{letter},{shown},{ratio:.3f},{count:.3f},{('1', '01', '2')[subject % 3]}")
    path = folder / "questions.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def asked(driver: WindowDriver) -> list[str]:
    return [question.kind for question in driver.window.workspace.data.questions.shown]


async def press(driver: WindowDriver, name: str) -> None:
    before = driver.session.loader.dataset
    QTest.mouseClick(driver.child(QPushButton, name), Qt.MouseButton.LeftButton)
    await settled(driver, before)


async def settled(driver: WindowDriver, before: Dataset | None) -> None:
    loader = driver.session.loader
    await driver.until(lambda: loader.dataset not in (None, before) and not driver.session.tasks.working, 60)


async def test_three_questions_are_answered_one_by_one_and_the_table_follows(driver: WindowDriver) -> None:
    dataset = await opened(driver, write_three_questions(driver.root))
    card = driver.window.workspace.data.questions
    assert card.isVisible()
    assert sorted(asked(driver)) == ["number for missing", "replicates", "spelling"]
    assert card.y() < driver.window.workspace.data.checks.y()
    assert dataset.classes == ("01", "1", "2")
    assert dataset.groups is not None

    place = asked(driver).index("spelling")
    await press(driver, f"answer_{place}_1")  # they are one number
    assert sorted(asked(driver)) == ["number for missing", "replicates"]
    assert dataset_of(driver).classes == ("1", "2")

    place = asked(driver).index("number for missing")
    await press(driver, f"answer_{place}_1")  # it was measured
    assert asked(driver) == ["replicates"]
    assert float(dataset_of(driver).x.min()) == -999.0

    await press(driver, "answer_0_0")  # rows of one subject
    assert not asked(driver)
    assert not card.isVisible()
    assert dataset_of(driver).groups is not None
    assert driver.session.loader.options.types == "grade=number"


async def test_questions_are_answered_by_keys_alone(driver: WindowDriver) -> None:
    await opened(driver, write_three_questions(driver.root))
    driver.child(QPushButton, "answer_0_0").setFocus()
    for left in (2, 1, 0):
        await driver.until(lambda: driver.window.focusWidget().objectName() == "answer_0_0", 20)
        button = driver.window.focusWidget()
        assert isinstance(button, QPushButton)
        assert button.objectName() == "answer_0_0"
        assert button.accessibleName().startswith(button.text())
        before = driver.session.loader.dataset
        QTest.keyClick(button, Qt.Key.Key_Space)
        await settled(driver, before)
        assert len(asked(driver)) == left


async def test_many_answers_are_in_a_list_whose_proposal_can_be_taken(driver: WindowDriver) -> None:
    path = driver.root / "letters.csv"
    lines = ["возраст;белок;группа"]
    lines += [f"{20 + at};{at % 7}.5;{('здоровый', 'больной')[at % 2]}" for at in range(40)]
    path.write_bytes("\n".join(lines).encode("cp1251"))
    await opened(driver, path)
    assert asked(driver) == ["encoding"]
    answers = driver.child(QComboBox, "answers_0")
    assert "возраст" in answers.currentText()
    await press(driver, "take_0")
    assert not asked(driver)
    assert driver.session.loader.options.encoding == "cp1251"


async def test_whole_numbers_are_a_target_to_choose_for(driver: WindowDriver) -> None:
    rng = np.random.default_rng(0)
    path = driver.root / "days.csv"
    rows = [
        f"{a:.3f},{b:.3f},{days}"
        for a, b, days in zip(*rng.normal(size=(2, 200)), rng.integers(0, 15, 200), strict=True)
    ]
    path.write_text("\n".join(["a,b,days", *rows]), encoding="utf-8")
    await opened(driver, path)
    assert asked(driver) == ["task"]
    assert dataset_of(driver).response is None
    await press(driver, "answer_0_1")
    assert dataset_of(driver).response is not None
    assert not asked(driver)


async def test_what_was_decided_is_shown_on_request(driver: WindowDriver) -> None:
    await opened(driver, write_three_questions(driver.root))
    listed = driver.child(QLabel, "decisionList")
    assert not listed.isVisible()
    QTest.mouseClick(driver.child(QPushButton, "decisions"), Qt.MouseButton.LeftButton)
    assert listed.isVisible()
    assert "comma-separated" in listed.text()


async def test_a_target_that_the_file_does_not_say_is_chosen_or_comes_from_a_file_of_labels(
    driver: WindowDriver,
) -> None:
    rng = np.random.default_rng(2)
    lines = [f"S{row}," + ",".join(f"{value:.3f}" for value in rng.normal(8, 1, 12)) for row in range(30)]
    path = driver.root / "genes.csv"
    path.write_text("\n".join(["sample," + ",".join(f"g{gene}" for gene in range(1, 13)), *lines]), encoding="utf-8")
    labels = driver.root / "labels.csv"
    labels.write_text("sample,kind\n" + "".join(f"S{row},{'ab'[row % 2]}\n" for row in range(30)), encoding="utf-8")
    await opened(driver, path)
    assert asked(driver) == ["target"]
    driver.child(QPushButton, "answer_0_1").click()  # the labels are in another file
    dialog = driver.child(QFileDialog, "labelsDialog")
    dialog.selectFile(str(labels))
    before = driver.session.loader.dataset
    dialog.accept()
    await settled(driver, before)
    assert not asked(driver)
    assert dataset_of(driver).classes == ("a", "b")


async def test_a_date_as_the_target_is_asked_and_the_day_before_the_month_chosen(driver: WindowDriver) -> None:
    path = driver.root / "visits.csv"
    rows = [f"{row % 7 / 3:.2f},{row % 12 + 1:02}/{row * 5 % 12 + 1:02}/2021" for row in range(40)]
    path.write_text("\n".join(["a,visit", *rows]), encoding="utf-8")
    await opened(driver, path)
    assert asked(driver) == ["dates"]
    await press(driver, "answer_0_1")  # the month is first
    assert not asked(driver)
    assert dataset_of(driver).response is not None
    assert driver.session.loader.options.types == "visit=date, month first"


@pytest.mark.parametrize("height", [800, 1100])
async def test_no_question_is_cut_where_there_are_many(driver: WindowDriver, height: int) -> None:
    driver.window.resize(1280, height)
    await opened(driver, write_three_questions(driver.root))
    card = driver.window.workspace.data.questions
    (question, *_) = card.shown
    area = driver.child(QScrollArea, "questionRows")
    for count in (3, 4, 7):
        card.show_questions([replace(question, columns=(f"{count} {number}",)) for number in range(count)])
        await driver.until(
            lambda count=count: _is_whole(area, f"answer_{min(count, 4) - 1}_{len(question.alternatives) - 1}"), 10
        )
        assert (area.verticalScrollBar().maximum() > 0) == (count > 4)


def _is_whole(area: QScrollArea, name: str) -> bool:
    """Whether a button is in view, and nothing below it."""
    shown = [each for each in area.findChildren(QPushButton, name) if each.isVisible()]
    if len(shown) != 1:
        return False
    (last,) = shown
    below = area.viewport().height() - last.mapTo(area.viewport(), last.rect().bottomLeft()).y()
    return 0 <= below < last.height() // 2
