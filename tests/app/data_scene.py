"""Tables with something to find, and what tests of the data page click and read."""

import gzip
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from fsdesk.data import Dataset

from .conftest import WindowDriver

__all__ = ["click", "dataset_of", "focus_name", "links", "opened", "sentences", "write_series", "write_table"]

SAMPLES = 24


def write_series(folder: Path) -> Path:
    """A GEO series matrix whose samples have a tissue (the target), a stage and an age."""

    def line(name: str, cells: object) -> str:
        return name + "\t" + "\t".join(f'"{cell}"' for cell in cells)  # type: ignore[attr-defined]

    ids = [f"GSM{place}" for place in range(SAMPLES)]
    lines = [
        line("!Sample_geo_accession", ids),
        line("!Sample_characteristics_ch1", [f"age: {40 + 3 * (place % 5)}" for place in range(SAMPLES)]),
        line("!Sample_characteristics_ch1", [f"stage: {('I', 'II', 'III')[place % 3]}" for place in range(SAMPLES)]),
        line(
            "!Sample_characteristics_ch1", [f"tissue: {'lung' if place % 2 else 'colon'}" for place in range(SAMPLES)]
        ),
        "!series_matrix_table_begin",
        line('"ID_REF"', ids),
        *(
            f'"g{gene}"\t' + "\t".join(f"{(7 * gene + 5 * at * gene) % 11}.5" for at in range(SAMPLES))
            for gene in (1, 2, 3)
        ),
        "!series_matrix_table_end",
    ]
    path = folder / "GSE5_series_matrix.txt.gz"
    path.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode()))
    return path


def write_table(folder: Path) -> Path:
    """One constant column, one copy, gaps in two rows, patients measured now and then twice, a text column."""
    rows = ["a,copy,constant,gap,patient,colour,kind"]
    for at in range(60):
        patient = f"p{at - 1 if at in (7, 31) else at}"
        gap = "" if at in (3, 9) else f"{at % 13}.25"
        rows.append(f"{at % 7}.5,{at % 7}.5,4,{gap},{patient},{('red', 'blue')[at // 3 % 2]},{'xy'[at % 2]}")
    path = folder / "findings.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


async def opened(driver: WindowDriver, path: Path) -> Dataset:
    driver.window.resize(1280, 900)
    driver.window.open_path(path)
    driver.add_to_project()
    await driver.until(lambda: driver.session.loader.dataset is not None and not driver.session.tasks.working)
    return dataset_of(driver)


def dataset_of(driver: WindowDriver) -> Dataset:
    assert driver.session.loader.dataset is not None
    return driver.session.loader.dataset


def sentences(driver: WindowDriver) -> list[str]:
    return [text.text() for text in driver.window.workspace.data.checks.findChildren(QLabel) if text.isVisible()]


async def click(driver: WindowDriver, name: str) -> None:
    """Click a link of the checks and wait for the data set that it makes."""
    link = next(
        each for each in driver.window.workspace.data.checks.findChildren(QPushButton, name) if each.isVisible()
    )
    QTest.mouseClick(link, Qt.MouseButton.LeftButton)
    await driver.until(lambda: driver.session.loader.dataset is not None and not driver.session.tasks.working)


def focus_name() -> str:
    focus = QApplication.focusWidget()
    return focus.objectName() if focus is not None else ""


def links(driver: WindowDriver) -> set[str]:
    found = driver.window.workspace.data.checks.findChildren(QPushButton)
    return {each.objectName() for each in found if each.isVisible()}
