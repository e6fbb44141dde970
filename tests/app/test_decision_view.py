"""The decision card on the Result page: cut-off and prevalence to choose, and what held-out rows say there."""

import pytest

from fsdesk.app.result_page.decision_view import DecisionView
from fsdesk.results.decision import CutOff, decide

from .conftest import WindowDriver
from .test_choices import choose
from .test_result_page import found, page


def view(driver: WindowDriver) -> DecisionView:
    choose(page(driver).evidence.switch, "decision")
    shown = page(driver).evidence.decision
    assert shown is not None
    return shown


async def test_without_held_out_rows_it_says_what_to_do(driver: WindowDriver) -> None:
    await found(driver)
    choose(page(driver).evidence.switch, "decision")
    assert page(driver).evidence.decision is None
    assert "Measure the held-out error" in page(driver).evidence.words.text()


async def test_cut_off_prevalence_and_class_are_chosen_and_the_numbers_follow(driver: WindowDriver) -> None:
    run = await found(driver, method="sfs", repeats=1, folds=3)
    driver.session.validations.begin(run)
    await driver.until(lambda: run.honest is not None and run.validation is None)
    assert run.state.best is not None
    mask = run.state.best.mask
    await driver.until(lambda: page(driver).examiner.of(run, mask).complete)
    choose(page(driver).evidence.switch, "decision")
    await driver.until(lambda: page(driver).evidence.decision is not None)
    shown = view(driver)
    await driver.until(lambda: shown.decision is not None)
    diagnosis = page(driver).examiner.of(run, mask).diagnosis
    assert diagnosis is not None and diagnosis.scored is not None
    assert shown.classes.offered == ("class_0", "class_1", "class_2")
    assert shown.classes.currentText() == "class_2"  # the rarest one
    assert shown.value.isHidden()
    wanted = decide(diagnosis.scored)
    assert [tuple(shown._numbers.text(row, at) for at in range(3)) for row in range(9)] == list(wanted.lines())
    assert wanted.rows_words() in shown.basis.text()

    choose(shown.rule, "sensitivity")
    shown.value.setValue(80.0)
    shown.prevalence.setValue(10.0)
    choose(shown.classes, "class_1")
    await driver.until(lambda: shown.decision is not None and shown.decision.positive == "class_1")
    await driver.until(lambda: not driver.session.tasks.working)
    assert shown.decision is not None
    assert shown.decision.packed() == decide(diagnosis.scored, CutOff("sensitivity", 0.8), 0.1, "class_1").packed()
    assert not shown.value.isHidden()
    assert "10 %" in shown.basis.text()
    choose(shown.picture, "benefit")
    assert shown.benefit.plot.isVisible()
    choose(shown.rule, "cost")
    assert shown.cut_off == CutOff("cost", 5.0)


@pytest.mark.parametrize("rule", ["sensitivity", "specificity"])
def test_values_are_percent(rule: str, driver: WindowDriver) -> None:
    shown = DecisionView()
    choose(shown.rule, rule)
    shown.value.setValue(95.0)
    assert shown.cut_off == CutOff(rule, 0.95)  # type: ignore[arg-type]
    shown.deleteLater()
