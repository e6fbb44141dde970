"""What each feature does: columns of the list, and the panel of the feature whose row is chosen."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from fsdesk.results.features import effects_of
from fsdesk.results.record import RunRecord

from .conftest import WindowDriver
from .test_result_page import found, page


async def test_a_chosen_feature_is_explained_as_the_api_does(
    driver: WindowDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))

    run = await found(driver)
    shown, best = page(driver), run.state.best
    assert best is not None
    await driver.until(lambda: shown.examiner.of(run, best.mask).effects is not None)
    await driver.until(lambda: not driver.session.tasks.working)
    project, dataset = driver.session.project, driver.session.loader.dataset
    assert project is not None and dataset is not None
    expected = {each.place: each for each in effects_of(RunRecord.stored(project, run.id), dataset)}
    model, view = shown.answer.model, shown.answer.view
    titles = list(model.titles())
    name, place = model.names[1], run.state.features.index(model.names[1])
    effect = expected[place]
    assert effect.effect is not None and effect.like is not None and effect.difference is not None
    cells = {title: model.text(1, titles.index(title)) for title in ("Higher in", "Effect", "Stands in for")}
    assert cells["Higher in"] == effect.direction.removeprefix("higher in ")
    assert cells["Effect"] == f"{100 * effect.effect:.1f}"
    trust = shown.examiner.of(run, best.mask).trust
    assert trust is not None
    assert model.text(1, titles.index("Role")) == trust.roles[place]
    assert model.text(1, titles.index("AUC")) == f"{trust.tests.estimate[place]:.2f}"
    assert cells["Stands in for"].startswith(f"{run.state.features[effect.like]} (")
    spot = view.visualRect(model.index(1, 1)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, spot)
    panel = shown.evidence.feature
    await driver.until(lambda: panel.isVisible() and panel.name.text() == name)
    assert f"the means differ by {abs(effect.difference):.3g}".replace(",", "") in panel.words.text().replace(",", "")
    assert f"by up to {100 * effect.effect:.1f} percentage points on held-out rows" in panel.words.text()
    assert f"standing in for {run.state.features[effect.like]}" in panel.words.text()
    assert panel.values.preview is not None and [each[0] for each in panel.values.groups] == list(dataset.classes)
    assert opened == []  # names link out only when clicked
    driver.child(QPushButton, "lookUpFeature").click()
    assert opened == [f"https://duckduckgo.com/?q={name}"]
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Down)
    await driver.until(lambda: panel.name.text() == model.names[2])
