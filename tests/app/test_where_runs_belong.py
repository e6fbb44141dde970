"""Another table while a project with runs is open: the user says once whether its runs belong there."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from fsdesk.app.dialogs.dialog import CloseDialog, WhereDialog
from fsdesk.data import ReadOptions, Shared, Table
from fsdesk.engine import RunRequest

from .conftest import WindowDriver


def _write(path: Path) -> Path:
    path.write_text("a,b,kind\n" + "".join(f"{row % 7},{row % 5},{'xy'[row % 2]}\n" for row in range(30)))
    return path


def _asked(driver: WindowDriver) -> list[WhereDialog]:
    return [each for each in driver.window.findChildren(WhereDialog) if each.isVisible()]


async def _with_a_run(driver: WindowDriver, path: Path) -> None:
    driver.window.open_path(path)
    await driver.until(lambda: driver.session.loader.dataset is not None)
    await driver.session.run(RunRequest(method="full", outer=0))
    await driver.until(lambda: [run.phase for run in driver.session.runs] == ["finished"])


async def _opened(driver: WindowDriver, path: Path) -> None:
    await driver.until(lambda: driver.session.loader.path == path and driver.session.loader.dataset is not None)


async def test_a_table_is_added_to_the_project_once_the_user_said_so(driver: WindowDriver) -> None:
    first, second, third = (_write(driver.root / f"{name}.csv") for name in ("first", "second", "third"))
    await _with_a_run(driver, first)
    project = driver.session.project.path
    driver.window.open_path(first)  # the same again is no question
    assert not _asked(driver)
    await _opened(driver, first)

    driver.window.open_path(second)
    (box,) = _asked(driver)
    assert project.stem in box.words.text()
    box.findChild(QPushButton, "whereCancel").click()
    assert driver.session.loader.path == first
    driver.window.open_path(second)
    _asked(driver)[0].findChild(QPushButton, "whereAdd").click()
    await _opened(driver, second)
    driver.window.open_path(third)
    assert not _asked(driver)
    await _opened(driver, third)
    assert driver.session.project.path == project


@pytest.mark.parametrize("way", ["path", "sample", "paste"])
async def test_a_table_gets_a_project_of_its_own(driver: WindowDriver, way: str, qapp: object) -> None:
    first, second = (_write(driver.root / f"{name}.csv") for name in ("first", "second"))
    await _with_a_run(driver, first)
    project = driver.session.project.path
    if way == "path":
        driver.window.open_path(second)
    elif way == "sample":
        driver.window.open_sample("wine")
    else:
        qapp.clipboard().setText(second.read_text().replace(",", "\t"))  # type: ignore[attr-defined]
        driver.window.paste()
    (box,) = _asked(driver)
    box.findChild(QPushButton, "whereNew").click()
    assert not [each for each in driver.window.findChildren(CloseDialog) if each.isVisible()]  # it was said already
    await driver.until(lambda: driver.session.project is None)
    loader = driver.session.loader
    await driver.until(lambda: loader.path != first and loader.dataset is not None and not loader.preparing)
    assert not list(driver.session.runs)
    await driver.session.run(RunRequest(method="full", outer=0))
    await driver.until(lambda: [run.phase for run in driver.session.runs] == ["finished"])
    assert driver.session.project.path != project
    assert project.exists()


async def test_the_table_asked_for_last_stays_however_long_the_one_before_takes(driver: WindowDriver) -> None:
    slow, fast = (_write(driver.root / f"{name}.csv") for name in ("slow", "fast"))
    loader = driver.session.loader
    read, go = loader._read, asyncio.Event()

    async def held_up(path: Path, options: ReadOptions) -> tuple[Shared[Table], ReadOptions]:
        done = await read(path, options)
        if path == slow:
            await go.wait()
        return done

    loader._read = held_up  # type: ignore[method-assign]
    driver.window.open_path(slow)
    driver.window.open_path(fast)
    await _opened(driver, fast)
    go.set()
    await driver.until(lambda: not driver.session.tasks.working)
    assert loader.path == fast
    assert loader.dataset is not None
