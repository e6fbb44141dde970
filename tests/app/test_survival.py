"""Times to an event in the window: asked about when the table is opened, searched, and shown as curves by risk."""

from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QComboBox

from .conftest import WindowDriver
from .data_scene import dataset_of, opened
from .test_questions import asked, press


def write_patients(folder: Path) -> Path:
    """Months to death of 90 patients, half of them censored, and six measurements, of which two count."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=(90, 6))
    time, lost = rng.exponential(np.exp(-x[:, 0] - x[:, 3])), rng.exponential(1.5, 90)
    lines = ["a,b,c,d,e,f,os_months,os_status"]
    lines += [
        ",".join([*(f"{value:.3f}" for value in row), f"{20 * min(t, c) + 0.1:.2f}", "dead" if t <= c else "alive"])
        for row, t, c in zip(x, time, lost, strict=True)
    ]
    path = folder / "patients.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


async def test_the_pair_is_asked_about_and_each_answer_makes_another_target(driver: WindowDriver) -> None:
    dataset = await opened(driver, write_patients(driver.root))
    assert "time to event" in asked(driver)
    assert (dataset.event, dataset.features) == ("os_status=dead", tuple("abcdef"))
    place = asked(driver).index("time to event")
    loader = driver.session.loader
    driver.child(QComboBox, f"answers_{place}").setCurrentIndex(1)  # a list, for the answers are long
    await press(driver, f"take_{place}")
    alone = dataset_of(driver)
    assert (alone.task, alone.features, loader.choices.task) == ("classification", tuple("abcdef"), "classification")
    assert "time to event" not in asked(driver)
    driver.session.history.undo()
    await driver.until(lambda: loader.dataset is not None and loader.dataset.event != "")
    columns = driver.window.workspace.data.columns
    loader.choose(loader.with_outcome("os_months", "os_status=alive"))
    await driver.until(lambda: loader.dataset is not None and loader.dataset.event == "os_status=alive")
    assert (columns.model.role("os_months"), columns.model.role("os_status")) == ("target", "event")
    assert "time to event" not in asked(driver)
    columns.select("os_status")
    columns.assign("ignored")
    await driver.until(lambda: loader.dataset is not None and loader.dataset.task == "regression")
    assert loader.choices.event is None
    assert dataset_of(driver).features == tuple("abcdef")
