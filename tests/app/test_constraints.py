"""Constraints on features and a start: they reach the run, and what cannot be is refused where one looks."""

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from fsdesk.app.forms.constraints import Constraints, ConstraintsDialog, ConstraintsModel
from fsdesk.app.forms.run_dialogs import many_requests

from .conftest import WindowDriver
from .test_choices import click_row, dataset_of
from .test_run import run_to_the_end


async def test_constraints_on_features_reach_the_run(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    section = driver.window.workspace.setup.features_section
    names = dataset_of(driver).features
    driver.child(QPushButton, "constraintsLink").click()
    dialog = driver.child(ConstraintsDialog, "constraintsDialog")
    assert not dialog.always.isEnabled()
    click_row(dialog.view, 2)
    dialog.always.click()
    click_row(dialog.view, 5)
    dialog.never.click()
    for row in (7, 8):
        flag = QItemSelectionModel.SelectionFlag
        dialog.view.selectionModel().select(
            dialog.model.index(row, 0), (flag.Select if row > 7 else flag.ClearAndSelect) | flag.Rows
        )
    dialog.together.click()
    dialog.findChild(QPushButton, "constraintsUse").click()
    assert section.constraints == Constraints((names[2],), (names[5],), ((names[7], names[8]),))
    assert section.summary.text() == "1 always in, 1 never in, 1 group together."
    await run_to_the_end(driver, 15)
    run = driver.window.run_commands.shown
    assert run is not None
    assert run.state.best is not None
    mask = run.state.best.mask
    assert mask[2]
    assert not mask[5]
    assert mask[7] == mask[8]
    driver.child(QPushButton, "resetSettings").click()
    assert (section.constraints, section.start) == (Constraints(), ())


async def test_constraints_go_where_the_next_table_has_not_these_features(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    section = driver.window.workspace.setup.features_section
    section.constrain(Constraints(always=(dataset_of(driver).features[0],)))
    section.start_from(dataset_of(driver).features[:2], "run 1")
    await driver.session.loader.open_sample("breast_cancer")
    assert section.constraints == Constraints()
    assert section.start == ()
    assert section.origin.isHidden()


async def test_a_start_for_a_method_that_has_none_is_refused_where_one_looks(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    setup = driver.window.workspace.setup
    setup.features_section.start_from(dataset_of(driver).features[:2], "run 1")
    setup.method.setCurrentIndex(setup.method.findData("full"))
    assert setup.estimate.most.text() == "These settings cannot be used"
    assert "does not start from a subset" in setup.estimate.time.text()
    several = many_requests(setup.request, ["full", "sfs"], ["nn"], [0])
    assert [each.start for each in several] == [(), dataset_of(driver).features[:2]]


async def test_a_table_too_wide_for_a_method_is_refused_where_one_looks_and_a_filter_helps(
    driver: WindowDriver,
) -> None:
    await driver.open_sample("breast_cancer")
    setup, run = driver.window.workspace.setup, driver.child(QPushButton, "runButton")
    setup.method.setCurrentIndex(setup.method.findData("exhaustive"))
    setup.method_form.put({"max_size": 0, "confirmations": 0})
    assert setup.estimate.most.text() == "These settings cannot be used"
    assert "30 features have more. Keep 20 features with a prefilter" in setup.estimate.time.text()
    QTest.mouseClick(run, Qt.MouseButton.LeftButton)
    await driver.until(lambda: driver.window.messages.messages)
    assert "30 features have more" in driver.window.messages.messages[0].sentence
    assert not list(driver.session.runs)  # nothing was begun, so nothing was measured
    await driver.until(lambda: not setup.pause.isActive() and not driver.session.tasks.working)
    setup.method.setCurrentIndex(setup.method.findData("sfs"))
    await driver.until(lambda: not setup.pause.isActive())
    assert "xhaustive" not in setup.estimate.time.text()  # what one method refuses says nothing of another
    setup.method.setCurrentIndex(setup.method.findData("exhaustive"))
    setup.method_form.put({"max_size": 0, "confirmations": 0})
    setup.features_section.filter.put({"prefilter": "f", "keep": 8})
    assert setup.estimate.most.text() == "At most 256 measurements"
    names = dataset_of(driver).features
    setup.features_section.constrain(Constraints(always=names[:2], together=(names[3:6],)))
    assert setup.features_section.units == 8
    setup.features_section.filter.put({"prefilter": "none"})
    assert setup.features_section.units == 26  # 28 are free, three of them go as one


def test_a_group_of_one_is_none_and_groups_are_numbered_anew() -> None:
    names = tuple("abcdef")
    model = ConstraintsModel(names, Constraints(("a",), ("b",), (("c", "d"),)))
    assert model.constraints == Constraints(("a",), ("b",), (("c", "d"),))
    model.tie([4, 5], together=True)
    assert model.constraints.together == (("c", "d"), ("e", "f"))
    model.tie([3, 4], together=True)  # leaves c and f alone
    assert model.constraints.together == (("d", "e"),)
    model.tie([3], together=False)
    assert model.constraints.together == ()
    model.find("A")
    model.mark([0], 0)
    assert model.constraints.always == ()
