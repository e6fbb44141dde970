"""Steering a run from the window: pinned and banned features, more measurements, and where it is told."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton, QSpinBox, QTableView

from fsdesk.app.forms.constraints import SteerDialog
from fsdesk.app.session.run import Run

from .conftest import WindowDriver
from .test_run import set_iterations


async def begin(driver: WindowDriver, iterations: int = 100_000) -> Run:
    await driver.open_sample("wine")
    set_iterations(driver, iterations, 100_000)
    QTest.keyClick(driver.window, Qt.Key.Key_F5)
    await driver.until(lambda: driver.window.run_commands.shown and driver.window.run_commands.shown.state.best)
    run = driver.window.run_commands.shown
    assert run is not None
    return run


def ask(driver: WindowDriver) -> SteerDialog:
    driver.window.actions_["steer"].trigger()
    return next(each for each in driver.window.findChildren(SteerDialog) if each.isVisible())


def pick(driver: WindowDriver, dialog: SteerDialog, feature: str, control: str) -> None:
    QTest.keyClicks(dialog.findChild(QLineEdit, "findSteered"), feature)
    dialog.findChild(QTableView, "steered").selectRow(0)
    dialog.findChild(QPushButton, control).click()
    dialog.findChild(QLineEdit, "findSteered").clear()


async def test_a_feature_is_pinned_and_another_banned_while_the_run_goes_on(driver: WindowDriver) -> None:
    run = await begin(driver)
    dialog = ask(driver)
    assert not dialog.findChild(QPushButton, "steerOk").isEnabled()
    pick(driver, dialog, "magnesium", "steerPin")
    pick(driver, dialog, "proline", "steerBan")
    dialog.findChild(QPushButton, "steerOk").click()
    await driver.until(lambda: run.state.steerings)
    assert run.state.pinned == {"magnesium"}
    assert run.state.banned == {"proline"}
    held = driver.window.workspace.search.features.held
    await driver.until(lambda: held.isVisible() and held.text() == "1 included, 1 excluded")
    assert held.toolTip() == "magnesium: always in\nproline: never in"
    await driver.until(lambda: run.state.best is not None and run.state.evaluations > 0)
    assert run.state.best is not None
    assert run.state.allows(run.state.best.mask)
    driver.session.runs.stop(run)
    await driver.until(lambda: run.phase == "stopped")
    assert "changed" in str(driver.window.workspace.search.list.model.index(0, 0).data())

    again = ask(driver)  # at rest: what is pinned is shown, and can be set free for when it goes on
    pick(driver, again, "magnesium", "steerFree")
    again.findChild(QPushButton, "steerOk").click()
    await driver.until(lambda: not run.state.pinned)
    assert len(run.state.steerings) == 2


async def test_features_are_banned_from_the_list_by_a_key(driver: WindowDriver) -> None:
    run = await begin(driver)
    card = driver.window.workspace.search.features
    await driver.until(card.names)
    card.view.setFocus()
    card.view.selectRow(0)
    feature = card.names()[0]
    QTest.keyClick(card.view, Qt.Key.Key_X, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    await driver.until(lambda: run.state.banned)
    assert run.state.banned == {feature}
    await driver.until(lambda: card.names() and feature not in card.names())
    driver.session.runs.stop(run)
    await driver.until(lambda: run.phase == "stopped")


async def test_a_feature_pointed_at_in_the_heatmap_is_pinned_from_its_menu(driver: WindowDriver) -> None:
    run = await begin(driver)
    heatmap = driver.window.workspace.search.heatmap
    heatmap.feature_pointed.emit("hue")
    heatmap.feature_pointed.emit("")  # the pointer leaves for the menu
    pin = next(each for each in heatmap.traces.actions() if each.objectName() == "feature_pin")
    assert pin.isEnabled()
    pin.trigger()
    await driver.until(lambda: run.state.pinned)
    assert run.state.pinned == {"hue"}
    driver.session.runs.stop(run)
    await driver.until(lambda: run.phase == "stopped")


async def test_a_run_takes_more_iterations_and_more_when_it_was_stopped(driver: WindowDriver) -> None:
    run = await begin(driver, 400)
    driver.session.runs.stop(run)
    await driver.until(lambda: not run.active)
    assert run.phase == "stopped"
    before = run.most
    dialog = ask(driver)
    dialog.findChild(QSpinBox, "moreIterations").setValue(10)
    dialog.findChild(QPushButton, "steerOk").click()
    await driver.until(lambda: run.most == before + 30)
    told = driver.window.workspace.search.figures.progress.value
    await driver.until(lambda: told.text().endswith(f"of {before + 30:,}"))
    driver.window.actions_["pause"].trigger()
    await driver.until(lambda: run.phase == "finished")
    assert run.state.reason == "all 410 iterations done"


async def test_a_run_that_ended_while_the_dialog_was_open_goes_on_with_all_that_was_asked(driver: WindowDriver) -> None:
    run = await begin(driver, 400)
    dialog = ask(driver)
    pick(driver, dialog, "magnesium", "steerPin")
    dialog.findChild(QSpinBox, "moreIterations").setValue(20)
    await driver.until(lambda: run.phase == "finished")
    ended_after = run.state.evaluations
    dialog.findChild(QPushButton, "steerOk").click()
    await driver.until(lambda: run.state.evaluations > ended_after and run.phase == "finished")
    assert run.state.pinned == {"magnesium"}
    assert "magnesium always in" in run.state.steerings[-1][1]
    assert "20 more iterations" in run.state.steerings[-1][1]


def test_a_steered_run_opened_again_is_told_with_its_steering(another_driver: Callable[[], WindowDriver]) -> None:
    first, second = another_driver(), another_driver()
    kept = first.root / "kept.fsdesk"

    async def make() -> None:
        run = await begin(first)
        first.window.run_commands.steering.steer_features(run, ["ash"], "ban")
        await first.until(lambda: run.state.banned)
        first.session.runs.stop(run)
        await first.until(lambda: run.phase == "stopped")
        await first.session.save_as(kept)

    first.play(make)
    first.loop.run_until_complete(first.session.close())

    async def look() -> None:
        second.window.open_path(kept)
        await second.until(lambda: second.window.run_commands.shown)
        run = second.window.run_commands.shown
        assert run is not None
        assert run.state.banned == {"ash"}
        assert run.state.steerings[0][1] == "ash never in"

    second.play(look)
