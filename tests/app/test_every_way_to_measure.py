"""Models, criteria and validations are chosen in the form, each validation once, and measure what they should."""

import csv
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QPushButton

from fsdesk import Evaluator
from fsdesk.wrappers import WRAPPERS
from tests.measurable import quick_settings

from .conftest import WindowDriver
from .test_choices import choose, dataset_of, select_column

ASKED = {
    "classification": [
        ("nb", "f1", "hold-out"),
        ("sklearn", "cost", "leave-one-out"),
        ("logistic", "auc one-vs-one", "time"),
        ("lda", "mcc", "column"),
        ("c45", "log loss", "folds"),
    ],
    "regression": [("ridge", "r2", "time"), ("cart", "mae", "column")],
}


def write_table(folder: Path, task: str) -> Path:
    """20 rows; the first feature tells the target."""
    rng, path = np.random.default_rng(5), folder / f"{task}.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["c0", "c1", "c2", "part", "year", "y"])
        for row, values in enumerate(rng.normal(size=(20, 3))):
            target = "ab"[row % 2] if task == "classification" else 3.0 * (row % 2) + values[2]
            values[0] += 3.0 * (row % 2)
            writer.writerow([*values, f"part {row // 2 % 5}", 2000 + row * 7 % 20, target])
    return path


@pytest.mark.parametrize("task", ASKED)
async def test_the_form_runs_it_and_the_run_measures_what_the_evaluator_does(driver: WindowDriver, task: str) -> None:
    driver.window.resize(1280, 800)
    driver.window.open_path(write_table(driver.root, task))
    await driver.until(lambda: driver.session.loader.dataset is not None and not driver.session.tasks.working)
    columns = driver.window.workspace.data.columns
    for name, role in (("part", "folds"), ("year", "time")):
        select_column(driver, name)
        columns.view.findChild(QAction, f"role_{role}").trigger()
        await driver.until(lambda: driver.session.loader.dataset is not None and not driver.session.tasks.working)
    dataset, panel = dataset_of(driver), driver.window.workspace.setup
    assert dataset.features == ("c0", "c1", "c2")
    choose(panel.method, "full")
    panel.method_form.put({"times": 1})
    for wrapper, criterion, protocol in ASKED[task]:
        choose(panel.wrapper, wrapper)
        own, measuring = quick_settings(wrapper, criterion), {"criterion": criterion, "protocol": protocol}
        for name, text in own.items():
            driver.child(QLineEdit, f"wrapper_{name}").setText(text)
        panel.measure_form.put({**measuring, "repeats": 2})
        before = driver.window.run_commands.shown
        driver.child(QPushButton, "runButton").click()
        await driver.until(lambda before=before: driver.window.run_commands.shown is not before)
        await driver.until(lambda: driver.window.run_commands.shown.phase == "finished")
        state, way = driver.window.run_commands.shown.state, (wrapper, criterion, protocol)
        evaluator = Evaluator(dataset, WRAPPERS[wrapper].build(own), **measuring, repeats=2)
        seen, fixed = driver.window.workspace.search.figures.seen, protocol not in ("folds", "hold-out")
        await driver.until(lambda: not driver.session.tasks.working)
        if not fixed:  # new folds are measured after the search
            await driver.until(lambda: driver.window.run_commands.shown.honesty.fresh is not None)
        assert (driver.window.run_commands.shown.honesty.fresh is None) == fixed, way
        assert ("on new folds" not in seen.text()) == fixed, way
        assert state.spec["wrapper"] == wrapper
        assert state.baseline == pytest.approx(evaluator.measure(np.ones(3, dtype=bool), 0).mean), way
