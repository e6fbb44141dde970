"""A target that cannot be used is told where one looks, once, and until another is chosen."""

import asyncio
from pathlib import Path

from PySide6.QtWidgets import (
    QLabel,
)

from .conftest import WindowDriver
from .test_open import write_table


def write_without_target(folder: Path) -> Path:
    path = folder / "without-target.csv"
    lines = [
        "kind,height,price tag",
        *(f"{'a' if row % 2 else 'b'},{row % 7},{row + 1}" for row in range(60)),
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


async def test_a_target_that_cannot_be_used_is_told_where_one_looks_until_another_is_chosen(
    driver: WindowDriver,
) -> None:
    path = write_without_target(driver.root)

    driver.window.open_path(path)
    await driver.until(lambda: driver.session.loader.refusal)
    await driver.until(lambda: not driver.session.tasks.working)
    workspace = driver.window.workspace
    assert "price tag" in driver.session.loader.refusal
    assert "Preparing" not in workspace.setup.most.text()
    assert "Data page" in workspace.setup.time.text()
    assert driver.session.loader.refusal in [text.text() for text in workspace.data.checks.findChildren(QLabel)]
    await asyncio.sleep(0.4)  # by then what is known of the table before has been hidden
    assert workspace.data.target.refused.isVisible()
    assert not workspace.data.target.bars.isVisible()
    assert not workspace.run.isEnabled()
    assert not driver.window.messages.messages  # the page in sight says it already

    box = workspace.setup.data.target
    box.setCurrentText("kind")
    box.activated.emit(box.currentIndex())
    assert driver.session.loader.refusal or not driver.session.loader.dataset
    await driver.until(lambda: driver.session.loader.dataset is not None)
    assert driver.session.loader.refusal == ""
    assert "At most" in workspace.setup.most.text()
    assert not driver.window.messages.messages
    await driver.until(workspace.data.target.bars.isVisible)
    assert not workspace.data.target.refused.isVisible()


async def test_notes_of_the_table_before_are_not_counted_for_one_that_is_refused(driver: WindowDriver) -> None:
    first = driver.root / "first.csv"
    first.write_text("a,flat,kind\n" + "".join(f"{row % 7},1,{'xy'[row % 2]}\n" for row in range(40)), encoding="utf-8")
    path = write_without_target(driver.root)

    driver.window.open_path(first)
    await driver.until(lambda: driver.session.loader.dataset is not None and not driver.session.tasks.working)
    link = driver.window.workspace.setup.data.more
    assert link.text() == "2 notes"
    driver.window.open_path(path)
    await driver.until(lambda: driver.session.loader.refusal and not driver.session.tasks.working)
    assert link.text() == "Columns"


async def test_a_target_that_cannot_be_used_is_told_where_the_data_page_is_out_of_sight(driver: WindowDriver) -> None:
    path = write_without_target(driver.root)

    driver.window.open_path(path)
    await driver.until(lambda: driver.session.loader.refusal and not driver.session.tasks.working)
    workspace = driver.window.workspace
    box = workspace.setup.data.target
    box.setCurrentText("kind")
    box.activated.emit(box.currentIndex())
    await driver.until(lambda: driver.session.loader.dataset is not None and not driver.session.tasks.working)
    workspace.pages.setCurrentWidget(workspace.search)
    box.setCurrentText("price tag")
    box.activated.emit(box.currentIndex())
    await driver.until(lambda: driver.session.loader.refusal and not driver.session.tasks.working)
    assert [message.sentence for message in driver.window.messages.messages] == [driver.session.loader.refusal]


async def test_a_message_goes_when_its_subject_is_tried_anew_and_only_then(driver: WindowDriver) -> None:
    good, broken = write_table(driver.root), driver.root / "empty.csv"
    broken.write_bytes(b"")

    messages = driver.window.messages
    driver.window.open_path(broken)
    await driver.until(lambda: messages.messages)
    messages.say("error", "Another matter.", subject="export")
    driver.window.open_path(good)
    await driver.until(lambda: driver.session.loader.dataset is not None)
    assert [message.sentence for message in messages.messages] == ["Another matter."]
    messages.say("success", "Written.", subject="export")
    (shown,) = messages.messages
    assert shown.sentence == "Written."
    assert shown.timer.isActive()
    shown.timer.setInterval(1)  # its eight seconds are over
    await driver.until(lambda: not messages.messages)
