"""Stability on the Result page: the words, the list with its threshold, live, over seeds, and against the error."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QSlider

from fsdesk.app.result_page.stability_view import StabilityView
from fsdesk.engine import unpack_masks
from fsdesk.results.stability import stability

from .conftest import WindowDriver
from .test_choices import choose
from .test_result_page import found, page


def view(driver: WindowDriver) -> StabilityView:
    choose(page(driver).evidence.switch, "stability")
    return page(driver).evidence.stability


async def test_before_other_rows_were_searched_it_says_how_to_find_out(driver: WindowDriver) -> None:
    await found(driver)
    assert not view(driver).isVisible()
    assert "measure the held-out error" in page(driver).evidence.words.text()


async def test_the_list_of_the_outer_folds_follows_the_threshold_and_can_be_copied(driver: WindowDriver) -> None:
    run = await found(driver)
    shown = view(driver)
    driver.child(QPushButton, "measureResult").click()
    await driver.until(lambda: len(run.honesty.outer) >= 2)
    await driver.until(lambda: shown.isVisible())  # live, before the last fold has ended
    await driver.until(lambda: run.honest is not None and run.validation is None)
    await driver.until(lambda: shown.source.currentText() == "5 outer folds of this run")
    masks = unpack_masks(np.array([fold.mask for fold in run.honesty.outer]), 13).astype(np.bool_)
    expected = stability(masks)
    assert expected is not None
    words = f"Agreement of these selections: {expected.index:.2f} (1: identical".replace("-", "−")
    assert shown.words.text().startswith(words)
    assert "share most of their rows" in shown.words.text()
    assert "unlike the expected stability, which is that of one ranking" in shown.words.text()
    await driver.until(lambda: "Individually associated: " in shown.samples.text())
    assert "are expected to be false" in shown.samples.toolTip()
    features, slider = run.state.features, driver.child(QSlider, "stabilityThreshold")
    for share in (0.2, 0.6, 1.0):
        slider.setValue(round(20 * share))
        wanted = [name for name, kept in zip(features, masks.mean(axis=0) >= share - 1e-12, strict=True) if kept]
        assert list(shown.consensus) == wanted
        assert shown.least.text().startswith(f"{100 * share:.0f} %: {len(wanted)} feature")
        rows = [shown.model.text(row, 0) for row in range(shown.model.count())]
        assert {row.removeprefix("✓ ") for row in rows if row.startswith("✓")} == set(wanted)
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Left)
    assert shown.least.text().startswith("95 %")
    shown.copy.click()
    assert QGuiApplication.clipboard().text() == "\n".join(shown.consensus)
    await driver.until(lambda: not driver.session.tasks.working)


async def test_runs_with_other_seeds_are_compared_and_stand_by_their_error(driver: WindowDriver) -> None:
    first = await found(driver)
    await driver.session.run_actions.again([first], [1])
    runs = list(driver.session.runs)
    for run in runs:
        await driver.until(lambda run=run: run.phase == "finished")  # type: ignore[misc]
        driver.session.validations.begin(run)
        await driver.until(lambda run=run: run.honest is not None and run.validation is None)  # type: ignore[misc]
    await driver.until(lambda: not driver.session.tasks.working)
    driver.child(QPushButton, "page_result").click()
    shown = view(driver)
    assert shown.source.offered == ("run", "seeds", "error")
    choose(shown.source, "seeds")
    masks = np.array([run.state.best.mask for run in runs])  # type: ignore[union-attr]
    expected = stability(masks)
    assert expected is not None and f"{expected.index:.2f}".replace("-", "−") in shown.words.text()
    assert "the randomness of the search, not of the rows" in shown.words.text()
    choose(shown.source, "error")
    assert shown.scatter.plot.isVisible()
    assert {point.honest.value for point in shown.scatter.points} == {run.honest.value for run in runs}  # type: ignore[union-attr]
    assert sum(point.shown for point in shown.scatter.points) == 1
