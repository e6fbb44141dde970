"""The permuted-label control by click: started, stopped, gone on with, kept with the run."""

from collections import Counter

import pytest
from PySide6.QtWidgets import QPushButton, QSpinBox

from fsdesk.app.session.run import Run
from fsdesk.results.permutations import permutation_steps
from fsdesk.results.record import RunRecord

from .conftest import WindowDriver
from .test_result_page import found, page


async def at_rest(driver: WindowDriver, run: Run) -> None:
    await driver.until(lambda: run.shuffling is None and not driver.session.tasks.working)


async def test_shuffled_runs_are_those_of_the_api_go_on_after_a_stop_and_come_back_with_the_project(
    driver: WindowDriver,
) -> None:
    run = await found(driver)
    driver.child(QPushButton, "testShuffled").click()
    view = page(driver).evidence.shuffled
    assert (
        not view.start.isEnabled() and "Measure the held-out error first" in view.state.text()
    )  # nothing to be compared with
    assert run.judged is None
    driver.child(QPushButton, "measureResult").click()
    await driver.until(lambda: run.honest is not None and run.validation is None)
    assert view.isVisible() and not view.plot.isVisible()
    assert "Could this error arise by chance?" in view.words.text()
    driver.child(QSpinBox, "shuffledCount").setValue(5)
    assert view.start.text().startswith("Run 5 (about ")
    assert "0.17" in view.state.text()  # 1 / 6

    view.count.setValue(300)
    view.start.click()
    assert view.bar.isVisible() and view.stop.isVisible() and not view.start.isVisible()
    await driver.until(lambda: run.shuffling is not None and run.shuffling.done >= 2)
    assert " of 300 shuffled runs; about " in view.state.text()
    view.stop.click()
    await at_rest(driver, run)
    first = run.permutations
    assert first is not None and 2 <= len(first.errors) < 300
    count = len(first.errors) + 2
    view.count.setValue(count)
    assert view.start.text().startswith("Run 2 more (about ")
    view.start.click()
    await at_rest(driver, run)

    test, project, dataset = run.permutations, driver.session.project, driver.session.loader.dataset
    assert test is not None and project is not None and dataset is not None
    assert not Counter(first.errors) - Counter(test.errors)  # those of two workers need not be the first ones
    result = RunRecord.stored(project, run.id)
    assert test == result.permutations
    steps = permutation_steps(result.repetition, dataset, count)
    assert list(test.errors) == [step.loss for step in sorted(steps, key=lambda each: each.number)]
    assert view.words.text() == test.sentence() and view.plot.isVisible()
    assert view.plot.accessibleDescription().startswith("p = ")
    path = project.path
    await driver.session.leave_project()
    driver.window.open_path(path)
    await driver.until(lambda: driver.window.run_commands.shown not in (None, run))
    again = driver.window.run_commands.shown
    assert again is not None and again.permutations == test
    driver.child(QPushButton, "page_result").click()
    assert page(driver).evidence.shuffled.words.text() == test.sentence()
    await driver.until(lambda: not driver.session.tasks.working)


@pytest.mark.usefixtures("german")
async def test_the_control_speaks_german(driver: WindowDriver) -> None:
    run = await found(driver)
    driver.child(QPushButton, "measureResult").click()
    await driver.until(lambda: run.honest is not None and run.validation is None)
    driver.child(QPushButton, "testShuffled").click()
    view = page(driver).evidence.shuffled
    view.count.setValue(2)
    view.start.click()
    await at_rest(driver, run)
    assert view.words.text().startswith("Derselbe Lauf mit permutierten Zielwerten, 2-mal: Fehler ")
