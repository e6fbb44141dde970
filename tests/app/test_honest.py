"""The honest error in the window: measured fold by fold, kept with the run, shown beside what the search saw."""

from PySide6.QtWidgets import QCheckBox, QPushButton

from fsdesk.app.forms.estimate import EstimateLines
from fsdesk.results.honest import Honesty, outer_error

from .conftest import Desk
from .test_run import run_to_the_end, set_iterations


def test_the_answer_is_measured_on_fresh_folds_when_a_run_ends(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        await run_to_the_end(desk, 5)
        run = desk.window.run_commands.shown
        assert run is not None
        await desk.until(lambda: run.honesty.fresh is not None)
        seen = desk.window.workspace.search.figures.seen
        await desk.until(lambda: "on fresh folds" in seen.text())
        assert run.honesty.fresh is not None
        assert len(run.honesty.fresh.values) == 20

    desk.play(scene)


def test_the_honest_error_comes_fold_by_fold_and_is_there_again_when_the_project_is_opened(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        await run_to_the_end(desk, 8)
        run = desk.window.run_commands.shown
        assert run is not None
        await desk.until(lambda: run.honesty.fresh is not None)
        button = desk.child(QPushButton, "measureHonest")
        button.click()
        assert run.validation is not None
        await desk.until(lambda: run.honesty.complete and run.validation is None)
        figures = desk.window.workspace.search.figures
        await desk.until(lambda: figures.honest.value.text().endswith("%"))
        assert figures.honest.note.text().startswith("95 % interval ")
        assert figures.baseline.value.text().endswith("%")
        honest, dataset = run.honesty.honest, desk.session.loader.dataset
        assert honest is not None
        assert dataset is not None
        assert honest.values.tolist() == outer_error(run.spec, dataset)[0].values.tolist()
        await desk.until(lambda: not button.isVisible())
        await desk.until(lambda: not desk.session.tasks.working)
        assert desk.session.project is not None
        path = desk.session.project.path
        await desk.session.leave_project()
        desk.window.open_path(path)
        await desk.until(lambda: desk.window.run_commands.shown not in (None, run))
        again = desk.window.run_commands.shown
        assert again is not None
        assert again.honesty.honest is not None
        assert again.honesty.honest.values.tolist() == honest.values.tolist()
        assert again.honesty.fresh is not None
        await desk.until(lambda: not desk.session.tasks.working)

    desk.play(scene)


def test_an_honest_error_that_was_stopped_goes_on_with_the_folds_that_are_missing(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        await run_to_the_end(desk, 900)  # so that one fold takes long enough to be stopped after the first
        run = desk.window.run_commands.shown
        assert run is not None
        button = desk.child(QPushButton, "measureHonest")
        button.click()
        await desk.until(lambda: run.honesty.outer and button.text() == "Stop")
        button.click()
        await desk.until(lambda: run.validation is None)
        first = run.honesty.outer[0]
        if not run.honesty.complete:
            await desk.until(lambda: button.text() == "Go on")
            button.click()
        await desk.until(lambda: run.honesty.complete)
        assert run.honesty.outer[0] is first
        await desk.until(lambda: not desk.session.tasks.working)

    desk.play(scene)


def test_a_run_that_is_asked_for_its_honest_error_gets_it_by_itself(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        desk.child(QCheckBox, "withHonest").click()
        set_iterations(desk, 4)
        desk.child(QPushButton, "runButton").click()
        await desk.until(lambda: desk.window.run_commands.shown and desk.window.run_commands.shown.honesty.complete)
        await desk.until(lambda: not desk.session.tasks.working)
        assert any("on rows that no search saw" in each.sentence for each in desk.window.messages.messages)

    desk.play(scene)


def test_a_run_ends_with_its_honest_error_unless_the_user_has_said_no(desk: Desk) -> None:
    store = desk.store
    store.remove("setup/honest")
    assert EstimateLines(desk.session).honest.isChecked()
    lines = EstimateLines(desk.session)
    lines.honest.click()
    assert store.value("setup/honest") == "no"
    assert not EstimateLines(desk.session).honest.isChecked()  # as it was left
    lines.honest.click()
    assert EstimateLines(desk.session).honest.isChecked()


def test_a_run_that_was_stopped_and_goes_on_gets_its_honest_error_in_the_end(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        desk.child(QCheckBox, "withHonest").click()
        set_iterations(desk, 400)
        desk.child(QPushButton, "runButton").click()
        await desk.until(
            lambda: desk.window.run_commands.shown and desk.window.run_commands.shown.state.evaluations > 20
        )
        run = desk.window.run_commands.shown
        assert run is not None
        desk.window.run_commands.stop()
        await desk.until(lambda: run.phase in ("stopped", "finished") and not desk.session.tasks.working)
        if run.phase == "stopped":
            assert run.validation is None and not run.honesty.outer
            desk.window.run_commands.pause()  # goes on
        await desk.until(lambda: run.phase == "finished" and run.honest is not None)
        await desk.until(lambda: not desk.session.tasks.working)

    desk.play(scene)


def test_leaving_while_the_honest_error_is_measured_keeps_the_folds_that_are_done(desk: Desk) -> None:
    async def scene() -> None:
        await desk.open_sample("wine")
        await run_to_the_end(desk, 200)
        run = desk.window.run_commands.shown
        assert run is not None
        desk.window.actions_["honest"].trigger()
        await desk.until(lambda: len(run.honesty.outer) >= 1)
        await desk.session.leave_project()
        assert run.validation is None
        assert isinstance(run.honesty, Honesty)

    desk.play(scene)
