"""Stability on the Result page: the words, the list with its threshold, live, over seeds, and against the error."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QSlider

from fsdesk.app.result_page.stability_view import StabilityView
from fsdesk.engine import unpack_masks
from fsdesk.results.stability import stability

from .conftest import Desk
from .test_choices import choose
from .test_result_page import found, page


def view(desk: Desk) -> StabilityView:
    choose(page(desk).evidence.switch, "stability")
    return page(desk).evidence.stability


def test_before_other_rows_were_searched_it_says_how_to_find_out(desk: Desk) -> None:
    async def scene() -> None:
        await found(desk)
        assert not view(desk).isVisible()
        assert "measure the honest error" in page(desk).evidence.words.text()

    desk.play(scene)


def test_the_list_of_the_outer_folds_follows_the_threshold_and_can_be_copied(desk: Desk) -> None:
    async def scene() -> None:
        run = await found(desk)
        shown = view(desk)
        desk.child(QPushButton, "measureResult").click()
        await desk.until(lambda: len(run.honesty.outer) >= 2)
        await desk.until(lambda: shown.isVisible())  # live, before the last fold has ended
        await desk.until(lambda: run.honest is not None and run.validation is None)
        await desk.until(lambda: shown.source.currentText() == "5 outer folds of this run")
        masks = unpack_masks(np.array([fold.mask for fold in run.honesty.outer]), 13).astype(np.bool_)
        expected = stability(masks)
        assert expected is not None
        assert shown.words.text().startswith(
            f"Stability {expected.index:.2f} (95 % interval {expected.low:.2f} to {expected.high:.2f};".replace(
                "-", "−"
            )
        )
        features, slider = run.state.features, desk.child(QSlider, "stabilityThreshold")
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
        await desk.until(lambda: not desk.session.tasks.working)

    desk.play(scene)


def test_runs_with_other_seeds_are_compared_and_stand_by_their_error(desk: Desk) -> None:
    async def scene() -> None:
        first = await found(desk)
        await desk.session.run_actions.again([first], [1])
        runs = list(desk.session.runs)
        for run in runs:
            await desk.until(lambda run=run: run.phase == "finished")  # type: ignore[misc]
            desk.session.validations.begin(run)
            await desk.until(lambda run=run: run.honest is not None and run.validation is None)  # type: ignore[misc]
        await desk.until(lambda: not desk.session.tasks.working)
        desk.child(QPushButton, "page_result").click()
        shown = view(desk)
        assert shown.source.offered == ("run", "seeds", "error")
        choose(shown.source, "seeds")
        masks = np.array([run.state.best.mask for run in runs])  # type: ignore[union-attr]
        expected = stability(masks)
        assert expected is not None and f"{expected.index:.2f}".replace("-", "−") in shown.words.text()
        assert "the luck of the search, not that of the rows" in shown.words.text()
        choose(shown.source, "error")
        assert shown.scatter.plot.isVisible()
        assert {point.honest.value for point in shown.scatter.points} == {run.honest.value for run in runs}  # type: ignore[union-attr]
        assert sum(point.shown for point in shown.scatter.points) == 1

    desk.play(scene)
