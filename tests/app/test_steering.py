"""Steering a run from the window: pinned and banned features, more measurements, and where it is told."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton, QSpinBox, QTableView

from fsdesk.app.forms.steering import SteerDialog
from fsdesk.app.session.run import Run

from .conftest import Desk
from .test_run import set_iterations


async def begin(desk: Desk, iterations: int = 100_000) -> Run:
    await desk.open_sample("wine")
    set_iterations(desk, iterations, 100_000)
    QTest.keyClick(desk.window, Qt.Key.Key_F5)
    await desk.until(lambda: desk.window.run_commands.shown and desk.window.run_commands.shown.state.best)
    run = desk.window.run_commands.shown
    assert run is not None
    return run


def ask(desk: Desk) -> SteerDialog:
    desk.window.actions_["steer"].trigger()
    return next(each for each in desk.window.findChildren(SteerDialog) if each.isVisible())


def pick(desk: Desk, dialog: SteerDialog, feature: str, control: str) -> None:
    QTest.keyClicks(dialog.findChild(QLineEdit, "findSteered"), feature)
    dialog.findChild(QTableView, "steered").selectRow(0)
    dialog.findChild(QPushButton, control).click()
    dialog.findChild(QLineEdit, "findSteered").clear()


def test_a_feature_is_pinned_and_another_banned_while_the_run_goes_on(desk: Desk) -> None:
    async def scene() -> None:
        run = await begin(desk)
        dialog = ask(desk)
        assert not dialog.findChild(QPushButton, "steerOk").isEnabled()
        pick(desk, dialog, "magnesium", "steerPin")
        pick(desk, dialog, "proline", "steerBan")
        dialog.findChild(QPushButton, "steerOk").click()
        await desk.until(lambda: run.state.steerings)
        assert run.state.pinned == {"magnesium"}
        assert run.state.banned == {"proline"}
        held = desk.window.workspace.search.features.held
        await desk.until(lambda: held.isVisible() and held.text() == "1 pinned, 1 banned")
        assert held.toolTip() == "magnesium: always in\nproline: never in"
        await desk.until(lambda: run.state.best is not None and run.state.evaluations > 0)
        assert run.state.best is not None
        assert run.state.allows(run.state.best.mask)
        desk.session.runs.stop(run)
        await desk.until(lambda: run.phase == "stopped")
        assert "steered" in str(desk.window.workspace.search.list.model.index(0, 0).data())

        again = ask(desk)  # at rest: what is pinned is shown, and can be set free for when it goes on
        pick(desk, again, "magnesium", "steerFree")
        again.findChild(QPushButton, "steerOk").click()
        await desk.until(lambda: not run.state.pinned)
        assert len(run.state.steerings) == 2

    desk.play(scene)


def test_features_are_banned_from_the_list_by_a_key(desk: Desk) -> None:
    async def scene() -> None:
        run = await begin(desk)
        card = desk.window.workspace.search.features
        await desk.until(card.names)
        card.view.setFocus()
        card.view.selectRow(0)
        feature = card.names()[0]
        QTest.keyClick(card.view, Qt.Key.Key_X, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        await desk.until(lambda: run.state.banned)
        assert run.state.banned == {feature}
        await desk.until(lambda: card.names() and feature not in card.names())
        desk.session.runs.stop(run)
        await desk.until(lambda: run.phase == "stopped")

    desk.play(scene)


def test_a_feature_pointed_at_in_the_heatmap_is_pinned_from_its_menu(desk: Desk) -> None:
    async def scene() -> None:
        run = await begin(desk)
        heatmap = desk.window.workspace.search.heatmap
        heatmap.feature_pointed.emit("hue")
        heatmap.feature_pointed.emit("")  # the pointer leaves for the menu
        pin = next(each for each in heatmap.traces.actions() if each.objectName() == "feature_pin")
        assert pin.isEnabled()
        pin.trigger()
        await desk.until(lambda: run.state.pinned)
        assert run.state.pinned == {"hue"}
        desk.session.runs.stop(run)
        await desk.until(lambda: run.phase == "stopped")

    desk.play(scene)


def test_a_run_takes_more_iterations_and_more_when_it_was_stopped(desk: Desk) -> None:
    async def scene() -> None:
        run = await begin(desk, 400)
        desk.session.runs.stop(run)
        await desk.until(lambda: not run.active)
        assert run.phase == "stopped"
        before = run.most
        dialog = ask(desk)
        dialog.findChild(QSpinBox, "moreIterations").setValue(10)
        dialog.findChild(QPushButton, "steerOk").click()
        await desk.until(lambda: run.most == before + 30)
        told = desk.window.workspace.search.figures.progress.value
        await desk.until(lambda: told.text().endswith(f"of {before + 30:,}"))
        desk.window.actions_["pause"].trigger()
        await desk.until(lambda: run.phase == "finished")
        assert run.state.reason == "all 410 iterations done"

    desk.play(scene)


def test_a_run_that_ended_while_the_dialog_was_open_goes_on_with_all_that_was_asked(desk: Desk) -> None:
    async def scene() -> None:
        run = await begin(desk, 400)
        dialog = ask(desk)
        pick(desk, dialog, "magnesium", "steerPin")
        dialog.findChild(QSpinBox, "moreIterations").setValue(20)
        await desk.until(lambda: run.phase == "finished")
        ended_after = run.state.evaluations
        dialog.findChild(QPushButton, "steerOk").click()
        await desk.until(lambda: run.state.evaluations > ended_after and run.phase == "finished")
        assert run.state.pinned == {"magnesium"}
        assert "magnesium always in" in run.state.steerings[-1][1]
        assert "20 more iterations" in run.state.steerings[-1][1]

    desk.play(scene)


def test_a_steered_run_opened_again_is_told_with_its_steering(another_desk: Callable[[], Desk]) -> None:
    first, second = another_desk(), another_desk()
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
