"""The permuted-label control by click: started, stopped, gone on with, kept with the run."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QPushButton, QSpinBox

from fsdesk.app.session.run import Run
from fsdesk.results.permutations import permutation_steps
from fsdesk.results.result import Result

from .conftest import Desk
from .test_result_page import found, page


async def judged(desk: Desk) -> Run:
    run = await found(desk)
    desk.child(QPushButton, "measureResult").click()
    await desk.until(lambda: run.honest is not None and run.validation is None)
    desk.child(QPushButton, "testShuffled").click()
    return run


async def at_rest(desk: Desk, run: Run) -> None:
    await desk.until(lambda: run.shuffling is None and not desk.session.tasks.working)


def test_shuffled_runs_are_those_of_the_api_and_come_back_with_the_project(desk: Desk) -> None:
    async def scene() -> None:
        run = await judged(desk)
        view = page(desk).evidence.shuffled
        assert view.isVisible() and not view.plot.isVisible()
        assert "Could an error this low be luck?" in view.words.text()
        desk.child(QSpinBox, "shuffledCount").setValue(5)
        assert view.start.text().startswith("Repeat it 5 times (about ")
        assert "0.17" in view.state.text()  # 1 / 6
        view.start.click()
        assert view.bar.isVisible() and view.stop.isVisible() and not view.start.isVisible()
        await at_rest(desk, run)
        test, project, dataset = run.permutations, desk.session.project, desk.session.loader.dataset
        assert test is not None and project is not None and dataset is not None
        result = Result.stored(project, run.id)
        assert test == result.permutations
        bare = replace(result.judged, evidence=())
        steps = permutation_steps(bare, dataset, 5)
        assert list(test.errors) == [step.loss for step in sorted(steps, key=lambda each: each.number)]
        assert view.words.text() == test.sentence() and view.plot.isVisible()
        assert "this run: " in view._line.label.format
        path = project.path
        await desk.session.leave_project()
        desk.window.open_path(path)
        await desk.until(lambda: desk.window.run_commands.shown not in (None, run))
        again = desk.window.run_commands.shown
        assert again is not None and again.permutations == test
        desk.child(QPushButton, "page_result").click()
        assert page(desk).evidence.shuffled.words.text() == test.sentence()
        await desk.until(lambda: not desk.session.tasks.working)

    desk.play(scene)


def test_shuffled_runs_that_were_stopped_go_on_with_those_that_are_missing(desk: Desk) -> None:
    async def scene() -> None:
        run = await judged(desk)
        view = page(desk).evidence.shuffled
        view.count.setValue(300)
        view.start.click()
        await desk.until(lambda: run.shuffling is not None and run.shuffling.done >= 2)
        assert " of 300 shuffled runs; about " in view.state.text()
        view.stop.click()
        await at_rest(desk, run)
        first = run.permutations
        assert first is not None and 2 <= len(first.errors) < 300
        done = len(first.errors)
        view.count.setValue(done + 2)
        assert view.start.text().startswith("Repeat 2 more (about ")
        view.start.click()
        await at_rest(desk, run)
        second = run.permutations
        assert second is not None and len(second.errors) == done + 2
        assert second.errors[:done] == first.errors

    desk.play(scene)


def test_without_the_honest_error_shuffled_runs_have_nothing_to_be_compared_with(desk: Desk) -> None:
    async def scene() -> None:
        run = await found(desk)
        desk.child(QPushButton, "testShuffled").click()
        view = page(desk).evidence.shuffled
        assert not view.start.isEnabled() and "is needed first" in view.state.text()
        assert run.judged is None

    desk.play(scene)


@pytest.mark.usefixtures("german")
def test_the_control_speaks_german(desk: Desk) -> None:
    async def scene() -> None:
        run = await judged(desk)
        view = page(desk).evidence.shuffled
        view.count.setValue(2)
        view.start.click()
        await at_rest(desk, run)
        assert view.words.text().startswith("Derselbe Lauf mit vertauschten Zielwerten, 2-mal: Fehler ")

    desk.play(scene)
