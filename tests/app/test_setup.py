"""The settings panel: levels, ways back, undo and redo, files, presets of the user, the last session."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QLabel, QPushButton, QSpinBox

from fsdesk.app.forms.settings_form import SettingsForm, help_text
from fsdesk.app.forms.setup import Setup, differences, usual_values
from fsdesk.engine import RunRequest
from fsdesk.engine.tasks import Estimate
from fsdesk.measure import MeasureSettings
from fsdesk.methods import METHODS

from .conftest import WindowDriver


def said(driver: WindowDriver) -> str:
    return " ".join(message.sentence for message in driver.window.messages.messages)


def shown(form: SettingsForm) -> set[str]:
    return {name for name, field in form.fields.items() if not field.widget.isHidden()}


def click(driver: WindowDriver, name: str) -> None:
    QTest.mouseClick(driver.child(QPushButton, name), Qt.MouseButton.LeftButton)


def choose(driver: WindowDriver, name: str, value: str) -> None:
    """As the user does: the signal of a pick, too."""
    box = driver.child(QComboBox, name)
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def type_number(field: QSpinBox | QDoubleSpinBox, text: str) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


async def test_three_levels_show_more_and_more_and_are_remembered(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    panel = driver.window.workspace.setup
    infos = {info.name: info.level for info in panel.method_form.infos}
    click(driver, "setupLevel_presets")
    assert shown(panel.method_form) == shown(panel.wrapper_form) == shown(panel.measure_form) == set()
    assert panel.search.gain is None or panel.search.gain.isHidden()
    click(driver, "setupLevel_common")
    assert shown(panel.method_form) == {name for name, level in infos.items() if level == "common"}
    click(driver, "setupLevel_all")
    assert shown(panel.method_form) == set(infos)
    assert driver.store.value("setup/level") == "all"
    choose(driver, "method", "sfs")
    assert shown(panel.method_form) == {info.name for info in METHODS["sfs"].model.describe()}


async def test_of_two_methods_in_a_row_only_the_form_of_the_last_stays(driver: WindowDriver) -> None:
    driver.window.resize(1280, 800)
    driver.window.show_page("search")
    setup = driver.window.workspace.setup
    await driver.until(setup.method_form.isVisible)
    for method in ("sffs", "bga"):
        choose(driver, "method", method)
        assert setup.request.method == method
        assert setup.method_form.values().items() <= setup.setup.group("method").items()
    await driver.until(setup.method_form.isVisible)
    assert [form for form in setup.search.findChildren(SettingsForm) if form.isVisible()] == [setup.method_form]
    assert "method_population" in {field.objectName() for field in setup.method_form.controls}


async def test_a_changed_setting_is_shown_at_every_level_and_goes_back_alone(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    panel = driver.window.workspace.setup
    usual = panel.method_form.values()
    panel.method_form.put({"a": 0.5, "c": 0.02})
    click(driver, "setupLevel_presets")
    assert shown(panel.method_form) == {"a", "c"}
    back = driver.child(QPushButton, "method_a_reset")
    assert not back.isHidden()
    assert "0.75" in back.accessibleName()
    QTest.mouseClick(back, Qt.MouseButton.LeftButton)
    assert panel.method_form.values() == {**usual, "c": 0.02}
    assert shown(panel.method_form) == {"c"}


def test_hovering_tells_help_bounds_unit_default_and_source() -> None:
    infos = {info.name: info for info in METHODS["bspsa"].model.describe()}
    minutes = help_text(infos["max_minutes"])
    assert "Ends the search after this measuring time" in minutes
    assert "1,000,000 minutes" in minutes
    assert "Default: unlimited (the number of measurements ends the search)" in minutes
    for info in (*infos.values(), *MeasureSettings.describe()):
        assert "Default: " in help_text(info)


async def test_undo_and_redo_go_through_settings_by_name(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    driver.window.activateWindow()
    panel, undo, redo = (
        driver.window.workspace.setup,
        driver.window.actions_["undo"],
        driver.window.actions_["redo"],
    )
    assert not undo.isEnabled()
    first = panel.setup
    type_number(driver.child(QSpinBox, "measure_folds"), "7")
    assert undo.text() == "&Undo: Folds 5 → 7"
    choose(driver, "method", "sfs")
    assert undo.text() == "&Undo: Method BSPSA → SFS"
    undo.trigger()
    assert panel.method.currentData() == "bspsa"
    assert redo.text() == "&Redo: Method BSPSA → SFS"
    undo.trigger()
    assert panel.setup == first
    assert not undo.isEnabled()
    redo.trigger()
    redo.trigger()
    assert panel.method.currentData() == "sfs"
    assert panel.measure_form.values()["folds"] == 7
    assert not redo.isEnabled()


async def test_one_visit_of_a_field_is_one_step_and_typing_keeps_its_own_undo(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    driver.window.activateWindow()
    history, field = driver.session.history, driver.child(QSpinBox, "measure_folds")
    await driver.until(lambda: driver.window.isActiveWindow())
    field.setFocus()
    await driver.until(field.hasFocus)
    QTest.keyClick(field, Qt.Key.Key_Up)
    QTest.keyClick(field, Qt.Key.Key_Up)
    assert history.count() == 1
    assert history.undoText() == "Folds 5 → 7"
    QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert field.value() == 5
    field.selectAll()
    QTest.keyClicks(field, "9")  # not agreed to yet
    QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert field.text() == "5"
    assert history.canRedo()


async def test_target_roles_and_fixes_are_undone_on_the_same_stack(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    session, page = driver.session, driver.window.workspace.data
    fresh = session.loader.choices
    name = next(each for each in session.loader.dataset.features) if session.loader.dataset else ""
    page.columns_model.include(frozenset({name}), False)
    driver.window.actions_["undo"].setEnabled(True)
    driver.window.settings_commands.undo()  # while the tick still waits for its pause
    await driver.until(lambda: not session.tasks.working)
    assert session.loader.choices == fresh
    assert session.history.redoText() == f'Exclude "{name}"'
    driver.window.actions_["redo"].trigger()
    await driver.until(lambda: session.loader.dataset is not None and name not in session.loader.dataset.features)
    driver.window.actions_["undo"].trigger()
    await driver.until(lambda: session.loader.dataset is not None and name in session.loader.dataset.features)


def write_ids(root: Path) -> Path:
    path = root / "ids.csv"
    rows = [f"{row + 1},{(row * 7) % 11},{'a' if row % 2 else 'b'}" for row in range(40)]
    path.write_text("\n".join(["order,x,y", *rows]) + "\n", encoding="utf-8")
    return path


async def test_row_ids_become_a_feature_with_one_click_and_undo_takes_it_back(driver: WindowDriver) -> None:
    session = driver.session
    driver.window.open_path(write_ids(driver.root))
    await driver.until(lambda: session.loader.dataset is not None and not session.tasks.working)
    assert session.loader.dataset is not None
    assert session.loader.dataset.features == ("x",)
    click(driver, "fix_keep")
    await driver.until(lambda: session.loader.dataset is not None and session.loader.dataset.features == ("order", "x"))
    assert session.history.undoText() == 'Row IDs as features "order"'
    await driver.until(lambda: driver.window.findChild(QPushButton, "undo_fix_keep") is not None)
    click(driver, "undo_fix_keep")
    await driver.until(lambda: session.loader.dataset is not None and session.loader.dataset.features == ("x",))
    assert session.history.canRedo()


async def test_limits_of_time_and_measurements_are_part_of_the_estimate(
    driver: WindowDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    await driver.open_sample("wine")
    panel = driver.window.workspace.setup
    await driver.until(lambda: "for all measurements" in panel.time.text())
    memory = driver.child(QLabel, "memoryEstimate")
    assert not memory.isHidden()
    assert "memory in its worker" in memory.text()
    panel.method_form.put({"max_minutes": 0.0001})
    assert panel.time.text().startswith("Ends at your limit of under 1 s")
    panel.method_form.put({"max_minutes": 0.0, "max_measurements": 20})
    assert panel.most.text() == "At most 21 measurements"
    assert "Your limit" in panel.most.toolTip()
    driver.child(QCheckBox, "withHonest")
    estimate, method = panel.estimate, METHODS["bspsa"].build({})
    found: list[bool] = []

    async def slow(request: RunRequest, threads: int) -> Estimate:
        return Estimate(25.0, 0, 0)

    monkeypatch.setattr(driver.session.loader, "estimate", slow)
    estimate.found.connect(lambda: found.append(True))
    with_models = METHODS["auto"].build({})  # of one model: its search measures the held-out error
    for each in (with_models, method):
        estimate.show_run(each, 13, "fast", 5)
        assert estimate.itself.isHidden() is not each.brings_honest_error
        assert estimate.honest.isHidden() is each.brings_honest_error
    assert with_models.brings_honest_error
    estimate.measure(RunRequest(), "slow")
    await driver.until(lambda: bool(found))
    for cheaper in (True, False):
        estimate.show_run(method, 13, "slow", 5, cheaper=cheaper)
        assert ("with one repeat needs only one fit" in panel.time.text()) is cheaper
    for rows in (0, 20_000, 20_001):
        estimate.show_run(method, 13, "slow", 5, rows=rows)
        assert ("The search is faster on 10,000 of the 20,001 rows" in panel.time.text()) is (rows > 20_000)
    own = method.measurements(13)
    for usual in (own, own + 1):
        estimate.show_run(method, 13, "slow", 5, usual=usual)
        assert (f"are planned instead of {usual + 1:,}" in panel.time.text()) is (usual > own)


def a_setup(method: str = "bspsa", **others: object) -> Setup:
    return Setup(method, "nn", values={**usual_values(method, "nn", {}), **others})  # type: ignore[arg-type]


def test_differences_are_in_the_words_of_the_panel() -> None:
    before = a_setup()
    assert differences(before, before) == []
    after = a_setup(**{"measuring.scaling": "once", "method.a": 0.5})
    assert len(differences(before, after)) == 2
    assert any(words.endswith("0.75 → 0.5") for words in differences(before, after))
    assert differences(before, a_setup("sfs")) == ["Method BSPSA → SFS"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_of_the_settings_is_cut_off_where_many_differ_from_the_preset(
    language: str, request: pytest.FixtureRequest
) -> None:
    if language == "de":
        request.getfixturevalue("german")
    driver = request.getfixturevalue("driver")

    async def scene() -> None:
        await driver.open_sample("wine")
        driver.window.resize(1280, 800)
        panel = driver.window.workspace.setup
        click(driver, "setupLevel_all")
        for values in ({"criterion": "auc"}, {"protocol": "leave-one-out"}, {"scaling": "none", "protocol": "folds"}):
            panel.measure_form.put(values)
            for wrapper in ("svm", "nn"):
                panel.wrapper.setCurrentIndex(panel.wrapper.findData(wrapper))
                form = panel.wrapper_form
                form.put({info.name: next(reversed(info.choices)) for info in form.infos if info.choices})
                await asyncio.sleep(0.02)
                inner = panel.area.widget()
                assert inner.minimumSizeHint().width() <= panel.area.viewport().width(), (values, wrapper)

    driver.play(scene)


async def test_the_outer_folds_are_asked_for_and_said_beside_the_honest_error(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    setup = driver.window.workspace.setup
    click(driver, "setupLevel_all")
    choose(driver, "method", "bspsa")
    setup.validation_form.put({"outer_folds": 4, "outer_seed": 9})
    assert "4" in setup.honest.text()
    dataset = driver.session.loader.dataset
    assert dataset is not None
    validation = setup.request.resolve(dataset).validation
    assert (validation.outer_folds, validation.outer_seed) == (4, 9)
    setup.reset_settings()
    assert "5" in setup.honest.text()


async def test_a_chosen_preset_stays_when_roles_change_and_another_table_has_its_own(driver: WindowDriver) -> None:
    path = write_ids(driver.root)
    session, panel = driver.session, driver.window.workspace.setup
    await driver.open_sample("wine")
    choose(driver, "method", "auto")
    suiting = panel.preset.currentData()
    assert suiting != "quick"
    choose(driver, "preset", "quick")
    type_number(driver.child(QSpinBox, "measure_folds"), "4")
    assert session.loader.dataset is not None
    first = session.loader.dataset.features[0]
    session.loader.choose(replace(session.loader.choices, ignore=(first,)))
    await driver.until(lambda: session.loader.dataset is not None and first not in session.loader.dataset.features)
    assert panel.setup.preset == "quick"
    assert panel.measure_form.values()["folds"] == 4
    panel.seed.setValue(3)
    driver.window.open_path(path)
    await driver.until(lambda: session.loader.path == path and session.loader.dataset is not None)
    assert panel.setup.preset == suiting
    assert panel.measure_form.values()["folds"] == 5
    assert panel.setup.seed == 0
    assert not panel.reset.isEnabled()
    assert panel.method.currentData() == "auto"


async def test_settings_stay_when_a_file_is_read_in_another_way(driver: WindowDriver) -> None:
    path = write_ids(driver.root)
    session, panel = driver.session, driver.window.workspace.setup
    driver.window.open_path(path)
    await driver.until(lambda: session.loader.dataset is not None and not session.tasks.working)
    choose(driver, "method", "auto")
    choose(driver, "preset", "quick")
    type_number(driver.child(QSpinBox, "measure_folds"), "4")
    before = session.loader.table
    await session.loader.read_with(session.loader.options.updated({"missing_values": "999"}), "Missing values")
    await driver.until(lambda: session.loader.table is not before and session.loader.dataset is not None)
    assert (panel.setup.preset, panel.measure_form.values()["folds"]) == ("quick", 4)


async def test_a_preset_of_the_user_stays_for_another_table_without_later_changes(driver: WindowDriver) -> None:
    path = write_ids(driver.root)
    session, panel = driver.session, driver.window.workspace.setup
    await driver.open_sample("wine")
    panel.measure_form.put({"folds": 3})
    panel.own.keep("Our lab", panel.setup)
    panel.show_own("Our lab")
    panel.measure_form.put({"folds": 7})
    driver.window.open_path(path)
    await driver.until(lambda: session.loader.path == path and session.loader.dataset is not None)
    assert panel.setup.preset == "mine:Our lab"
    assert panel.measure_form.values()["folds"] == 3
