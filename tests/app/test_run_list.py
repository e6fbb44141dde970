"""The list of runs at forty of them, the queue, and what can be done with runs: by clicks and keys."""

from collections.abc import Callable
from contextlib import closing

from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QListWidget, QPushButton, QSpinBox

from fsdesk.app.dialogs.export import ExportDialog
from fsdesk.app.search_page.run_list import ORDERS, RunList, names_of, status_line
from fsdesk.app.session.run import Run
from fsdesk.data import load_sample, prepare
from fsdesk.engine import RunFailed, RunSpec, RunStarted
from fsdesk.store import Listing, Project

from .conftest import WindowDriver
from .test_presented import told
from .test_run import run_to_the_end, set_iterations


def listed(driver: WindowDriver) -> RunList:
    return driver.window.workspace.search.list


def mark(driver: WindowDriver, *runs: Run) -> None:
    """Mark runs in the list, as clicks with Ctrl do."""
    view, order = listed(driver).view, listed(driver).model.order
    view.setFocus()
    view.clearSelection()
    for run in runs:
        index = listed(driver).model.index(order.index(run), 0)
        view.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.Select)


def notice(driver: WindowDriver, name: str) -> str:
    found = driver.window.notices.by_subject.get(name)
    return "" if found is None else found.sentence


async def queue_three(driver: WindowDriver, iterations: int = 3) -> list[Run]:
    """Three runs that differ in their seeds, none of which begins."""
    await driver.open_sample("wine")
    set_iterations(driver, iterations)
    driver.session.runs.hold_up()  # as on a full disk: nothing begins
    request = driver.window.workspace.setup.request
    await driver.session.run_actions.launch_all([request.updated({"seed": seed}) for seed in (1, 2, 3)])
    await driver.until(lambda: listed(driver).isVisible())  # Search is shown in a turn of its own
    return list(driver.session.runs)


def test_runs_are_named_in_the_list_by_what_differs() -> None:
    first = told("error", [0.3, 0.1], 0.4)

    def made(number: int, **changes: object) -> Run:
        return Run(number, first.spec.model_copy(update=changes), first.created, first.state)

    def names(*runs: Run) -> list[str]:
        return list(names_of(runs).values())

    assert names(made(1)) == ["BSPSA"]
    assert names(made(1), made(2, seed=7)) == ["BSPSA · seed 0", "BSPSA · seed 7"]
    assert names(made(1), made(2, wrapper="svm")) == ["BSPSA · nearest neighbors", "BSPSA · linear SVM"]
    assert names(made(1), made(2, method="auto", wrapper="auto", data_name="sepsis")) == [
        "BSPSA · nearest neighbors · made",
        "Automatic · sepsis",
    ]
    assert names(made(1), made(2, method_settings={"max_iterations": 7})) == [
        "BSPSA, Max. iterations 1000",
        "BSPSA, Max. iterations 7",
    ]
    called = made(2)
    called.name = "the good one"
    assert names(made(1), called) == ["BSPSA", "the good one"]


async def test_many_runs_are_queued_from_one_dialog_and_all_of_them_run(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    set_iterations(driver, 2)
    driver.child(QPushButton, "addMany").click()
    methods = driver.child(QListWidget, "manyMethods")
    item = next(item for at in range(methods.count()) if "andom" in (item := methods.item(at)).text())
    methods.scrollToItem(item)
    item.setCheckState(Qt.CheckState.Checked)
    driver.child(QSpinBox, "manyCount").setValue(2)
    assert "2 methods × 1 model × 2 seeds = 4 runs" in driver.child(QLabel, "manyTotal").text()
    await driver.until(lambda: "about" in driver.child(QLabel, "manyTime").text())
    measurements = driver.child(QLabel, "manyTime").text()
    driver.child(QCheckBox, "manyHonest").setChecked(True)
    assert driver.child(QLabel, "manyTime").text() != measurements
    item.setCheckState(Qt.CheckState.Unchecked)  # it would take three thousand measurements
    driver.child(QPushButton, "manyOk").click()
    await driver.until(lambda: len(list(driver.session.runs)) == 2)
    await driver.until(lambda: all(run.phase == "finished" for run in driver.session.runs))
    assert sorted(run.spec.seed for run in driver.session.runs) == [0, 1]
    assert not any(run.queued for run in driver.session.runs)
    await driver.until(lambda: all(run.honesty.error("error", 1, 13) for run in driver.session.runs))


async def test_waiting_runs_change_places_by_keys_are_taken_out_and_begin_in_the_new_order_or_now(
    driver: WindowDriver,
) -> None:
    first, second, third = await queue_three(driver)
    runs = driver.session.runs
    assert runs.waiting == [first, second, third]
    mark(driver, third)
    QTest.keyClick(listed(driver).view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(listed(driver).view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert runs.waiting == [third, first, second]
    mark(driver, third)
    QTest.keyClick(listed(driver).view, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert runs.waiting == [first, third, second]
    mark(driver, second)
    driver.window.run_commands.menu.actions["halt"].trigger()
    assert runs.waiting == [first, third]
    assert second.queued is None
    mark(driver, third)
    driver.window.run_commands.menu.actions["now"].trigger()
    await driver.until(lambda: third.phase == "finished")
    assert runs.waiting == [first]  # which it did not wait for
    runs.let_go()
    await driver.until(lambda: first.phase == third.phase == "finished")
    assert second.phase == "interrupted"
    assert second.state.evaluations == 0


def test_the_queue_outlives_the_window_and_goes_on_in_its_order(another_driver: Callable[[], WindowDriver]) -> None:
    first, second = another_driver(), another_driver()
    kept = first.root / "kept.fsdesk"

    async def make() -> None:
        runs = await queue_three(first)
        await first.session.save_as(kept)
        first.session.runs.move(runs[2], -2)
        await first.until(lambda: not first.session.tasks.working)

    first.play(make)
    first.loop.run_until_complete(first.session.close())

    async def go_on() -> None:
        second.window.open_path(kept)
        await second.until(lambda: notice(second, "queue"))
        assert "3 unfinished runs" in notice(second, "queue")
        places = {run.spec.seed: run.queued or 0.0 for run in second.session.runs}
        assert sorted(places, key=places.__getitem__) == [3, 1, 2]
        second.child(QPushButton, "queueGoOn").click()
        await second.until(lambda: all(run.phase == "finished" for run in second.session.runs))
        assert notice(second, "queue") == ""

    second.play(go_on)


async def test_the_same_search_again_is_noticed_and_offers_the_next_seed(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    await run_to_the_end(driver, 3)
    (run,) = driver.session.runs
    driver.window.show_page("data")
    QTest.keyClick(driver.window, Qt.Key.Key_F5)
    await driver.until(lambda: "would give the same" in notice(driver, "identical_run"))
    assert len(list(driver.session.runs)) == 1
    driver.child(QPushButton, "twinShow").click()
    assert driver.window.run_commands.shown is run
    await driver.until(lambda: driver.window.workspace.pages.currentWidget() is driver.window.workspace.search)
    await driver.until(lambda: not notice(driver, "identical_run"))
    QTest.keyClick(driver.window, Qt.Key.Key_F5)
    await driver.until(lambda: notice(driver, "identical_run"))
    driver.child(QPushButton, "twinNext").click()
    await driver.until(lambda: [each.spec.seed for each in driver.session.runs] == [0, 1])
    await driver.until(lambda: all(each.phase == "finished" for each in driver.session.runs))


async def test_a_run_is_renamed_coloured_and_shown_in_the_curves_and_the_project_keeps_it(driver: WindowDriver) -> None:
    run, other, third = await queue_three(driver)
    mark(driver, run)
    QTest.keyClick(listed(driver).view, Qt.Key.Key_F2)
    name = driver.child(QLineEdit, "runName")
    QTest.keyClicks(name, "the good one")
    QTest.keyClick(name, Qt.Key.Key_Return)
    assert run.label == "the good one"
    QTest.keyClick(listed(driver).view, Qt.Key.Key_Space)
    assert run.shown_in_curves
    usual = run.colour_index
    driver.child(QAction, "run_colour_2").trigger()
    driver.child(QAction, "run_colour_automatic").trigger()
    assert run.colour_index == usual
    driver.child(QAction, "run_colour_4").trigger()
    assert run.colour_index == 4
    row = listed(driver).view.visualRect(listed(driver).model.index(listed(driver).model.order.index(other), 0))
    tag = listed(driver).delegate.tag(row).center()
    QTest.mouseClick(listed(driver).view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(tag))
    assert other.shown_in_curves
    driver.child(QCheckBox, f"curve_{third.id}").click()  # above the curves themselves
    await driver.until(lambda: not driver.session.tasks.working)
    assert driver.session.project is not None
    with closing(Project.open(driver.session.project.path, read_only=True)) as project:
        listing = project.listings()[run.id]
        assert (listing.name, listing.colour, listing.shown) == ("the good one", 4, True)
        assert project.listings()[other.id].shown
        assert project.listings()[third.id].shown
        assert project.listings()[other.id].colour == -1
    driver.session.runs.stop_all()


async def test_runs_are_deleted_by_key_come_back_by_undo_and_are_gone_for_good_with_the_project(
    driver: WindowDriver,
) -> None:
    first, second, third = await queue_three(driver)
    driver.session.runs.let_go()
    await driver.until(lambda: all(run.phase == "finished" for run in driver.session.runs))
    view = listed(driver).view
    mark(driver, first, second)
    QTest.keyClick(view, Qt.Key.Key_Delete)
    await driver.until(lambda: list(driver.session.runs) == [third])
    assert listed(driver).model.order == [third]
    assert notice(driver, "deleted").startswith("2 runs were deleted. Undo")
    driver.child(QPushButton, "deletedUndo").click()
    await driver.until(lambda: list(driver.session.runs) == [first, second, third])
    assert notice(driver, "deleted") == ""
    QTest.keyClick(driver.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    await driver.until(lambda: list(driver.session.runs) == [third])
    QTest.keyClick(driver.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    await driver.until(lambda: len(list(driver.session.runs)) == 3)
    mark(driver, second)
    QTest.keyClick(view, Qt.Key.Key_Delete)
    await driver.until(lambda: list(driver.session.runs) == [first, third])
    assert notice(driver, "deleted").startswith(second.label)
    assert driver.session.project is not None
    path = driver.session.project.path
    await driver.session.leave_project()
    with closing(Project.open(path)) as project:
        project.take_back([second.id])  # nothing is there any more
        assert [run.id for run in project.runs()] == [first.id, third.id]
        assert project.state(third.id).status == "finished"


async def test_a_run_of_the_list_is_exported_though_another_one_is_shown(driver: WindowDriver) -> None:
    first, second, _ = await queue_three(driver)
    export = driver.child(QAction, "run_export")
    mark(driver, first)
    assert not export.isEnabled()  # nothing is measured yet
    driver.session.runs.let_go()
    await driver.until(lambda: all(run.phase == "finished" for run in driver.session.runs))
    driver.window.workspace.search.show_run(second)
    mark(driver, first)
    await driver.until(export.isEnabled)
    export.trigger()
    dialog = driver.child(ExportDialog, "exportDialog")
    assert first.label in [each.text() for each in dialog.findChildren(QLabel)]
    dialog.reject()


async def test_runs_are_repeated_with_other_seeds_and_their_settings_taken_over(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    await run_to_the_end(driver, 3)
    (run,) = driver.session.runs
    set_iterations(driver, 50)
    mark(driver, run)
    QTest.keyClick(listed(driver).view, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert driver.child(QSpinBox, "method_max_iterations").value() == 3
    driver.window.workspace.show_rail(False)  # the narrow window of tests has no room for both
    mark(driver, run)
    QTest.keyClick(listed(driver).view, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    assert driver.child(QSpinBox, "firstSeed").value() == 1
    driver.child(QSpinBox, "seedCount").setValue(2)
    assert "2 runs, seeds 1 to 2" in driver.child(QLabel, "seedTotal").text()
    driver.child(QPushButton, "seedsOk").click()
    await driver.until(lambda: [each.spec.seed for each in driver.session.runs] == [0, 1, 2])
    await driver.until(lambda: all(each.phase == "finished" for each in driver.session.runs))


async def test_the_list_is_searched_and_sorted_and_what_is_marked_stays_so(driver: WindowDriver) -> None:
    first, second, third = await queue_three(driver)
    driver.session.run_actions.rename(second, "zebra")
    driver.session.run_actions.rename(first, "apple")
    driver.session.run_actions.rename(third, "mole")
    card = listed(driver)
    assert card.model.order == [third, second, first]
    mark(driver, second)
    card.order.setCurrentIndex(card.order.findData("name"))
    assert card.model.order == [first, third, second]
    assert card.marked == [second]
    QTest.keyClicks(card.search, "zeb wine")
    assert card.model.order == [second]
    assert card.marked == [second]
    card.search.clear()
    card.order.setCurrentIndex(card.order.findData("queue"))
    assert card.model.order == [first, second, third]
    driver.session.runs.begin_now(second)
    await driver.until(lambda: second.phase == "finished")
    for order in ORDERS:  # of runs with and without results
        card.order.setCurrentIndex(card.order.findData(order))
        assert sorted(run.id for run in card.model.order) == [1, 2, 3], order
    driver.session.runs.stop_all()


async def test_how_many_run_at_once_is_chosen_and_remembered(driver: WindowDriver) -> None:
    await queue_three(driver, iterations=100_000)
    listed(driver).at_once.setValue(2)
    driver.session.runs.let_go()
    await driver.until(lambda: sum(run.state.evaluations > 0 for run in driver.session.runs) == 2)
    assert len(driver.session.runs.waiting) == 1
    assert int(str(driver.store.value("runs/at_once"))) == 2
    await driver.until(lambda: "2 running, 1 queued" in listed(driver).count.text())  # it is told some times a second
    driver.session.runs.stop_all()
    await driver.until(lambda: not any(run.active for run in driver.session.runs))


def test_a_run_that_failed_for_what_it_was_asked_says_why_and_not_that_it_can_be_resumed(driver: WindowDriver) -> None:
    path, dataset = driver.root / "refused.fsdesk", prepare(load_sample("wine"))
    why = "Ten folds need ten rows of each class."
    with closing(Project.create(path)) as project:
        project.add_dataset(dataset)
        spec = RunSpec.make(dataset, method="bspsa", wrapper="nn", seed=0, settings={})
        started = RunStarted(spec.model_dump(mode="json"), dataset.features)
        lost, left, refused = project.add_run(spec), project.add_run(spec), project.add_run(spec)
        killed = RunFailed("the worker was killed", passing=True)
        ends = ((lost, killed), (left, killed), (refused, RunFailed(why)))
        project.append([event for run, end in ends for event in ((run, started), (run, end))])
        project.list_as({lost: Listing(queued=1.0)})  # it keeps its place in the queue

    async def scene() -> None:
        await driver.session.open_project(path)
        runs = driver.session.runs.by_id
        assert status_line(runs[lost]) == status_line(runs[left]) == "failed, can be resumed"
        assert status_line(runs[refused]) == "failed: Ten folds need ten rows of each class"
        driver.window.workspace.result.show_run(runs[refused])
        assert driver.window.workspace.result.empty.text().startswith(f"{why} Use these settings")
        pause, menu = driver.window.actions_["pause"], driver.window.run_commands.menu.actions["resume"]
        for run, can_go_on in ((left, True), (refused, False)):
            driver.window.workspace.search.show_run(runs[run])
            mark(driver, runs[run])
            await driver.until(lambda can_go_on=can_go_on: pause.isEnabled() is can_go_on)
            assert menu.isEnabled() is can_go_on
            assert (pause.text() == "Res&ume") is can_go_on

    driver.play(scene)


async def test_nothing_is_said_of_a_run_that_is_gone(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    await run_to_the_end(driver, 3)
    figures = driver.window.workspace.search.figures
    await driver.until(figures.seen.isVisible)
    (run,) = driver.session.runs
    await driver.until(lambda: run.honesty.fresh is not None and not run.validation)
    mark(driver, run)
    QTest.keyClick(listed(driver).view, Qt.Key.Key_Delete)
    await driver.until(lambda: figures.honest.value.text() == "–" and not list(driver.session.runs))
    assert not figures.seen.isVisible()
    assert not figures.reason.isVisible()
    assert not figures.verdict.isVisible()


async def test_delete_asks_to_stop_a_run_that_is_at_work(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    set_iterations(driver, 100_000)
    driver.window.run_commands.run()
    await driver.until(lambda: (run := driver.window.run_commands.shown) and run.state.evaluations)
    (run,) = driver.session.runs
    listed(driver).view.setFocus()
    QTest.keyClick(listed(driver).view, Qt.Key.Key_Delete)
    assert run.label in driver.child(QLabel, "stopTitle").text()
    driver.child(QPushButton, "stopCancel").click()
    assert run.phase == "running"
    QTest.keyClick(listed(driver).view, Qt.Key.Key_Delete)
    driver.child(QPushButton, "stopDelete").click()
    await driver.until(lambda: not list(driver.session.runs))
    driver.window.actions_["undo"].trigger()
    await driver.until(lambda: list(driver.session.runs) == [run])
    assert run.phase == "stopped" and run.resumable


async def test_the_marked_run_stays_in_sight_when_the_list_is_sorted(driver: WindowDriver) -> None:
    await queue_three(driver)
    runs = driver.session.runs
    template = next(iter(runs))
    for number in range(10, 50):
        spec = template.spec.model_copy(update={"seed": number})
        runs.add(Run(number, spec, template.created, name=f"run {100 - number}"))
    card = listed(driver)
    last = runs.by_id[49]
    mark(driver, last)
    for order in ("newest", "name", "size", "newest"):
        card.order.setCurrentIndex(card.order.findData(order))
        assert card.marked == [last] and card.current is last
        assert card.view.viewport().rect().contains(card.view.visualRect(card.view.currentIndex()).center())
    runs.remove([run for run in runs if run.id >= 10])
