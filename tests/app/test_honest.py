"""The held-out error in the window: measured fold by fold, kept with the run."""

from PySide6.QtWidgets import QCheckBox, QPushButton

from fsdesk.app.forms.sections import EstimateLines
from fsdesk.engine import RunRequest
from fsdesk.results.evidence import Honesty
from fsdesk.wrappers import is_simple
from tests.held_out import outer_error

from .conftest import WindowDriver
from .test_run import run_to_the_end, set_iterations

QUICK = {"competing": "filters", "resamples": 3}  # of a race of many models


async def test_the_honest_error_comes_fold_by_fold_and_is_there_again_when_the_project_is_opened(
    driver: WindowDriver,
) -> None:
    await driver.open_sample("wine")
    await run_to_the_end(driver, 8)
    run = driver.window.run_commands.shown
    assert run is not None
    await driver.until(lambda: run.honesty.fresh is not None)  # of the answer, by itself
    seen = driver.window.workspace.search.figures.seen
    await driver.until(lambda: "on new folds" in seen.text())
    assert run.honesty.fresh is not None
    assert len(run.honesty.fresh.values) == 20
    button = driver.child(QPushButton, "measureHonest")
    button.click()
    assert run.validation is not None
    await driver.until(lambda: run.honesty.complete and run.validation is None)
    figures = driver.window.workspace.search.figures
    await driver.until(lambda: figures.honest.value.text().endswith("%"))
    assert figures.honest.note.text().startswith("95 % interval ")
    assert figures.baseline.value.text().endswith("%")
    honest, dataset = run.honesty.honest, driver.session.loader.dataset
    assert honest is not None
    assert dataset is not None
    assert honest.values.tolist() == outer_error(run.spec, dataset)[0].values.tolist()
    await driver.until(lambda: not button.isVisible())
    await driver.until(lambda: not driver.session.tasks.working)
    assert driver.session.project is not None
    path = driver.session.project.path
    await driver.session.leave_project()
    driver.window.open_path(path)
    await driver.until(lambda: driver.window.run_commands.shown not in (None, run))
    again = driver.window.run_commands.shown
    assert again is not None
    assert again.honesty.honest is not None
    assert again.honesty.honest.values.tolist() == honest.values.tolist()
    assert again.honesty.fresh is not None
    await driver.until(lambda: not driver.session.tasks.working)


async def test_an_honest_error_that_was_stopped_goes_on_with_the_folds_that_are_missing(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    await run_to_the_end(driver, 600)  # so that one fold takes long enough to be stopped after the first
    run = driver.window.run_commands.shown
    assert run is not None
    button = driver.child(QPushButton, "measureHonest")
    button.click()
    await driver.until(lambda: run.honesty.outer and button.text() == "Stop")
    button.click()
    await driver.until(lambda: run.validation is None)
    first = run.honesty.outer[0]
    if not run.honesty.complete:
        await driver.until(lambda: button.text() == "Resume")
        button.click()
    await driver.until(lambda: run.honesty.complete)
    assert run.honesty.outer[0] is first
    await driver.until(lambda: not driver.session.tasks.working)


def test_a_run_ends_with_its_honest_error_unless_the_user_has_said_no(driver: WindowDriver) -> None:
    store = driver.store
    store.remove("setup/honest")
    assert EstimateLines(driver.session).honest.isChecked()
    lines = EstimateLines(driver.session)
    lines.honest.click()
    assert store.value("setup/honest") == "no"
    assert not EstimateLines(driver.session).honest.isChecked()  # as it was left
    lines.honest.click()
    assert EstimateLines(driver.session).honest.isChecked()


async def test_a_run_that_is_asked_for_its_honest_error_gets_it_by_itself_though_it_was_stopped_and_goes_on(
    driver: WindowDriver,
) -> None:
    await driver.open_sample("wine")
    driver.child(QCheckBox, "withHonest").click()
    set_iterations(driver, 250)
    driver.child(QPushButton, "runButton").click()
    await driver.until(
        lambda: driver.window.run_commands.shown and driver.window.run_commands.shown.state.evaluations > 20
    )
    run = driver.window.run_commands.shown
    assert run is not None
    driver.window.run_commands.stop()
    await driver.until(lambda: run.phase in ("stopped", "finished") and not driver.session.tasks.working)
    if run.phase == "stopped":
        assert run.validation is None and not run.honesty.outer
        driver.window.run_commands.pause()  # goes on
    await driver.until(lambda: run.phase == "finished" and run.honest is not None)
    await driver.until(lambda: not driver.session.tasks.working)
    assert any("on held-out rows" in each.sentence for each in driver.window.messages.messages)


async def test_leaving_while_the_honest_error_is_measured_keeps_the_folds_that_are_done(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    await run_to_the_end(driver, 100)
    run = driver.window.run_commands.shown
    assert run is not None
    driver.window.actions_["honest"].trigger()
    await driver.until(lambda: len(run.honesty.outer) >= 1)
    await driver.session.leave_project()
    assert run.validation is None
    assert isinstance(run.honesty, Honesty)


async def test_an_honest_error_that_is_known_is_not_measured_again_unasked(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    await run_to_the_end(driver, 5)
    run = driver.window.run_commands.shown
    assert run is not None
    driver.window.actions_["honest"].trigger()
    await driver.until(lambda: run.honesty.complete and run.validation is None)
    known = run.evidence.copy()
    driver.window.actions_["honest"].trigger()
    assert run.validation is None and run.evidence == known
    assert run.honest is not None
    assert f"{run.title} (wine): Error on held-out rows" in " ".join(
        each.sentence for each in driver.window.messages.messages
    )
    said = driver.window.notices.by_subject["honest_known"].sentence
    assert run.honest.value_words() in said and "would give the same" in said
    driver.child(QPushButton, "knownShow").click()
    await driver.until(lambda: driver.window.workspace.pages.currentWidget() is driver.window.workspace.result)
    assert "honest_known" not in driver.window.notices.by_subject
    driver.window.actions_["honest"].trigger()
    driver.child(QPushButton, "knownOther").click()
    await driver.until(lambda: [each.honest is not None for each in driver.session.runs] == [True, True])
    other = driver.session.runs.by_id[run.id + 1]
    assert other.spec.seed == run.spec.seed and other.label == f"{run.label} · outer folds 1"
    assert run.state.best is not None and other.state.best is not None
    assert (run.state.best.mask == other.state.best.mask).all()
    rows = [[fold.said.rows.tolist() for fold in each.honesty.outer if fold.said is not None] for each in (run, other)]
    assert rows[0] != rows[1]
    await driver.until(lambda: not driver.session.tasks.working)


async def test_a_search_that_brought_its_honest_error_along_offers_outer_folds(driver: WindowDriver) -> None:
    method = driver.window.workspace.setup.method
    method.setCurrentIndex(method.findData("auto"))
    await driver.open_sample("wine")
    driver.window.workspace.setup.method_form.put(QUICK)
    driver.window.run_commands.run()
    await driver.until(lambda: any(run.honest is not None and not run.busy for run in driver.session.runs))
    (run,) = driver.session.runs
    driver.window.actions_["honest"].trigger()
    assert run.validation is None
    assert "measured its held-out error during the search" in driver.window.notices.by_subject["honest_known"].sentence
    driver.child(QPushButton, "knownOuter").click()
    assert run.validation is not None
    driver.window.actions_["honest"].trigger()
    await driver.until(lambda: not driver.session.tasks.working)


async def test_a_simple_model_is_one_click_away(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    await driver.session.run(RunRequest(settings=QUICK, outer=2))
    run = next(iter(driver.session.runs))
    await driver.until(lambda: run.phase == "finished" and run.honest is not None)
    assert run.honest is not None
    driver.window.run_commands.show_result(run)
    page = driver.window.workspace.result
    await driver.until(lambda: page.isVisible() and page.run is run)
    # Whichever model won: the button is there where a simple one stands beside it.
    assert page.simple.isHidden() == (not run.honest.simple_words())
    page.simple_wanted.emit()
    await driver.until(lambda: len(list(driver.session.runs)) == 2)
    other = list(driver.session.runs)[-1]
    assert other.spec.wrapper_settings["models"] == "simple"
    await driver.until(lambda: other.phase == "finished" and other.honest is not None)
    assert other.honest is not None
    assert is_simple(other.honest.model) and not other.honest.simple_words()
    page.show_run(other)
    assert page.simple.isHidden()
    await driver.until(lambda: not driver.session.tasks.working)


async def test_where_all_features_win_the_best_list_is_one_click_away(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    await driver.session.run(RunRequest(settings={**QUICK, "models": "simple"}, outer=2))
    run = next(iter(driver.session.runs))
    await driver.until(lambda: run.phase == "finished" and run.honest is not None)
    assert run.honest is not None
    driver.window.run_commands.show_result(run)
    page = driver.window.workspace.result
    await driver.until(lambda: page.isVisible() and page.run is run)
    assert page.listed.isHidden() == (run.honest.verdict != "all features") == (not run.honest.listed_words())
    page.list_wanted.emit()
    await driver.until(lambda: len(list(driver.session.runs)) == 2)
    other = list(driver.session.runs)[-1]
    await driver.until(lambda: other.phase == "finished" and other.honest is not None)
    assert other.honest is not None
    assert other.honest.selected < other.honest.features and not other.honest.listed_words()
    page.show_run(other)
    assert page.listed.isHidden()
    await driver.until(lambda: not driver.session.tasks.working)
