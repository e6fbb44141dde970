"""What heatmaps show beside weights: features that are pointed at, data by class, runs side by side, and files."""

import asyncio
import csv
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton

from fsdesk.app.plots.matrix_map import FrequencyMap, stability_words
from fsdesk.engine.state import StepHistory

from .conftest import WindowDriver
from .heat_scene import known_run, move
from .test_heatmaps import FEATURES, place, weights
from .test_run import run_to_the_end

STARTS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "csv": b""}


async def found(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    await run_to_the_end(driver, 8)


async def test_pointing_at_a_feature_previews_it_and_leaving_goes_back(run_driver: WindowDriver) -> None:
    search = run_driver.window.workspace.search
    traces, inspector = search.heatmap.traces, search.inspector
    QTest.mouseClick(traces, Qt.MouseButton.LeftButton, pos=place(traces, 0, 4))
    picked = traces.feature(0)
    await run_driver.until(lambda: inspector.name == picked)
    where = place(traces, 4, 4)
    move(traces, where.x(), where.y())
    await run_driver.until(lambda: inspector.name == traces.feature(4))
    move(traces, 1, 1)
    await run_driver.until(lambda: inspector.name == picked)


async def test_a_method_that_tries_no_whole_subsets_says_so_instead_of_an_empty_picture(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    await run_to_the_end(driver, 8)
    run = driver.window.run_commands.shown
    assert run is not None
    heatmap = driver.window.workspace.search.heatmap
    heatmap.view.buttons["selection"].click()
    await driver.until(lambda: len(run.state.selection.iterations) > 1)
    assert not heatmap.is_empty
    run.state.race.folds = 4
    run.state.history = StepHistory()
    heatmap.refresh()
    assert heatmap.is_empty
    assert "Weights" in heatmap.invitation


async def test_the_data_of_the_selected_features_are_drawn_by_class_and_say_their_values(
    run_driver: WindowDriver,
) -> None:
    search, dataset = run_driver.window.workspace.search, run_driver.session.loader.dataset
    assert dataset is not None
    assert search.run is not None
    assert search.run.state.best is not None
    search.heatmap.view.buttons["data"].click()
    canvas = search.heatmap.data.canvas
    await run_driver.until(lambda: canvas.map is not None)
    made = canvas.map
    assert made is not None
    assert set(made.names) == {dataset.features[at] for at in np.flatnonzero(search.run.state.best.mask)}
    assert (np.diff(dataset.target[made.rows]) >= 0).all()
    source, feature = int(made.rows[3]), int(made.features[1])
    said = canvas.words(3, 1.5)
    for part in (
        dataset.rows[source], f"{dataset.features[feature]} = {dataset.x[source, feature]:.4g}",
        dataset.classes[dataset.target[source]], f"{made.z[3, 1]:+.1f} s.d.".replace("-", "−"),
    ):  # fmt: skip
        assert part in said.split(" · ")
    await asyncio.sleep(0)
    frame = canvas.frame
    where = QPoint(round(frame.x_of(1.5)), round(frame.y_of(3.5)))
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=where)
    assert search.inspector.name == dataset.features[feature]
    assert canvas.marked_columns == (1,)
    QTest.keyClick(canvas, Qt.Key.Key_Right)
    assert search.inspector.name == dataset.features[int(made.features[2])]


def test_runs_are_compared_by_what_they_select_with_their_stability(themed: None) -> None:
    made = FrequencyMap()
    made.resize(500, 300)
    first, second = weights(), weights()
    second[:, 150] = 50  # the second run selects feature 7 only
    runs = [known_run(each, run_id=number) for number, each in enumerate((first, second), start=1)]
    made.show_runs(runs)
    assert made.canvas.column_names == ("1: seed 0", "2: seed 0")  # method and model are the same
    assert made.canvas.row_names[0] == "f7"
    masks = np.array([run.state.best.mask for run in runs if run.state.best is not None])
    assert len(made.canvas.row_names) == int(masks.any(axis=0).sum())
    assert made.canvas.shares[0].tolist() == [1, 1]
    assert made.caption == f"{len(made.canvas.row_names)} features selected by any of 2 runs"
    made.show_runs(runs[:1])
    assert made.caption == f"{len(made.canvas.row_names)} features selected by the run"
    made.show_runs(runs)
    words = stability_words(masks)
    assert made.stability.text() == words
    other = known_run(weights(), tuple(f"g{place}" for place in range(FEATURES)), run_id=3)
    made.show_runs([*runs, other])  # its features are others
    assert made.stability.text() == f"{words} Not shown: 1 without a subset or on other data."
    made.show_runs(runs)
    made.what.buttons["search"].click()
    at = made.canvas.row_names.index("f7")
    assert made.canvas.shares[at].tolist() == [1, 1]
    picked: list[str] = []
    made.feature_picked.connect(picked.append)
    made.canvas.setFocus()
    QTest.keyClick(made.canvas, Qt.Key.Key_Home)
    assert picked == [made.canvas.row_names[0]]
    made.deleteLater()


def test_the_sentence_about_agreement_says_of_how_many_runs_it_is_or_why_not() -> None:
    masks = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 0]], dtype=bool)
    assert stability_words(masks).startswith("Agreement of 3 runs on the same rows: 0.33.")
    assert "two runs" in stability_words(masks[:1])
    assert "all features" in stability_words(np.ones((2, 4), dtype=bool))


def test_each_heatmap_is_written_from_its_menu(run_driver: WindowDriver) -> None:
    async def scene() -> None:
        assert run_driver.window.workspace.search.run is not None
        for view, picture in (("weights", "png"), ("selection", "svg"), ("data", "pdf"), ("runs", "svg")):
            await save(view, picture)

    async def save(view: str, picture: str) -> None:
        heatmap = run_driver.window.workspace.search.heatmap
        heatmap.view.buttons[view].click()
        await run_driver.until(lambda: not run_driver.session.tasks.working)
        for suffix in (picture, "csv"):
            path = run_driver.root / f"{view}.{suffix}"
            run_driver.window.findChild(QPushButton, f"heatmapView_{view}").setFocus()
            next(each for each in heatmap.menu.menu().actions() if each.objectName().endswith(suffix)).trigger()
            dialog = run_driver.child(QFileDialog, "save_heatmap")
            dialog.fileSelected.emit(str(path))
            dialog.reject()
            await run_driver.until(path.is_file)
            assert path.read_bytes().startswith(STARTS[suffix])
        check(run_driver.root / f"{view}.csv", view)

    def check(path: Path, view: str) -> None:
        lines = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
        run, dataset = run_driver.window.workspace.search.run, run_driver.session.loader.dataset
        assert run is not None
        assert run.state.best is not None
        assert dataset is not None
        if view == "data":
            assert len(lines) == 1 + len(dataset.rows)
            assert len(lines[0]) == 2 + int(run.state.best.mask.sum())
        elif view == "runs":
            assert {line[0] for line in lines[1:]} == set(np.array(dataset.features)[run.state.best.mask])
        else:
            history = run.state.heatmap if view == "weights" else run.state.selection
            assert lines[0][1:] == [str(step) for step in history.iterations]
            assert sorted(line[0] for line in lines[1:]) == sorted(dataset.features)
            by_name = {line[0]: [float(cell) for cell in line[1:]] for line in lines[1:]}
            bits = np.unpackbits(run.state.selection.view, axis=1, count=len(dataset.features))
            expected = run.state.heatmap.view / 255 if view == "weights" else bits
            assert by_name[dataset.features[3]] == pytest.approx(expected[:, 3].tolist(), abs=1e-3)

    run_driver.play(scene)
