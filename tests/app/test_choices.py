"""What the data page and the rail let a person choose, by click and by key."""

import csv
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QTableView, QWidget

from fsdesk.app.forms.settings_form import SettingsForm, make_field
from fsdesk.app.forms.setup import idle_settings, offered_protocols
from fsdesk.app.plots.column_plots import spread_of
from fsdesk.app.widgets import DecimalField
from fsdesk.data import Dataset, load_sample, prepare
from fsdesk.engine import SHARED
from fsdesk.measure import CRITERIA, MeasureSettings
from fsdesk.methods import METHODS
from fsdesk.settings import SettingInfo, Settings
from fsdesk.wrappers import WRAPPERS

from .conftest import WindowDriver

RAIL = 291  # pixels that a form has in the rail beside its scroll bar


def write_prices(folder: Path) -> Path:
    """Numbers to predict from c0 and c1, with columns of streets, years and a grade of five values."""
    rng = np.random.default_rng(5)
    path = folder / "prices.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["c0", "c1", "c2", "c3", "street", "year", "grade", "price"])
        for row, values in enumerate(rng.normal(size=(80, 4))):
            price = 500 + 90 * values[0] - 60 * values[1] + rng.normal()
            writer.writerow([*values, f"s{row // 4}", 1990 + row // 8, row % 5, price])
    return path


async def open_prices(driver: WindowDriver) -> Dataset:
    driver.window.resize(1280, 800)
    driver.window.open_path(write_prices(driver.root))
    await driver.until(lambda: driver.session.loader.dataset is not None)
    model = driver.window.workspace.data.columns_model
    await driver.until(lambda: model.rowCount() == 8 and not driver.session.tasks.working)
    return dataset_of(driver)


def dataset_of(driver: WindowDriver) -> Dataset:
    assert driver.session.loader.dataset is not None
    return driver.session.loader.dataset


def click_row(view: QTableView, row: int) -> None:
    view.scrollTo(view.model().index(row, 0))
    place = view.visualRect(view.model().index(row, 1)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def choose(box: QComboBox, value: str) -> None:
    """As a person does with the keys."""
    box.setFocus()
    wanted = box.findData(value)
    for _ in range(box.count()):
        if box.currentIndex() == wanted:
            break
        QTest.keyClick(box, Qt.Key.Key_Down if box.currentIndex() < wanted else Qt.Key.Key_Up)
    assert box.currentData() == value


def select_column(driver: WindowDriver, name: str) -> None:
    card = driver.window.workspace.data.columns
    names = [card.model.name(row) for row in range(card.model.rowCount())]
    click_row(card.view, names.index(name))
    assert card.current == name


async def test_columns_get_roles_by_point_and_click(driver: WindowDriver) -> None:
    assert "street" in (await open_prices(driver)).features
    card = driver.window.workspace.data.columns
    select_column(driver, "street")
    assert card.role.currentText() == "Feature"
    card.role.setCurrentIndex(card.role.findData("group"))
    card.role.activated.emit(card.role.currentIndex())
    await driver.until(
        lambda: driver.session.loader.dataset is not None and driver.session.loader.dataset.groups is not None
    )
    assert "street" not in dataset_of(driver).features
    select_column(driver, "year")
    card.view.findChild(QAction, "role_time").trigger()
    await driver.until(
        lambda: driver.session.loader.dataset is not None and driver.session.loader.dataset.time is not None
    )
    assert dataset_of(driver).features == ("c0", "c1", "c2", "c3", "grade")
    assert card.count.text() == "5 of 5 features"
    select_column(driver, "grade")
    card.view.findChild(QAction, "role_group").trigger()  # there is one column of groups
    await driver.until(
        lambda: driver.session.loader.choices.group == "grade" and driver.session.loader.dataset is not None
    )
    assert "street" in dataset_of(driver).features


async def test_a_feature_is_always_in_by_its_role(driver: WindowDriver) -> None:
    await open_prices(driver)
    card, panel = driver.window.workspace.data.columns, driver.window.workspace.setup
    select_column(driver, "c1")
    card.role.setFocus()
    QTest.keyClick(card.role, Qt.Key.Key_A)
    select_column(driver, "c0")
    card.view.findChild(QAction, "role_always").trigger()
    assert panel.request.always == ("c0", "c1")
    row = card.model.place("c1")
    assert card.model.index(row, 1).data() == "always in"
    assert card.count.text() == "7 of 7 features"
    assert panel.features_section.summary.text() == "2 always in."
    driver.window.actions_["undo"].trigger()
    assert panel.request.always == ("c1",)
    assert [card.model.role(name) for name in ("c0", "c1")] == ["feature", "always"]
    select_column(driver, "c1")
    card.view.findChild(QAction, "role_ignored").trigger()
    await driver.until(
        lambda: driver.session.loader.dataset is not None and "c1" not in driver.session.loader.dataset.features
    )
    assert panel.request.always == ()


async def test_folds_and_times_wait_for_their_validation_and_say_so(driver: WindowDriver) -> None:
    await open_prices(driver)
    card, panel = driver.window.workspace.data.columns, driver.window.workspace.setup
    assert panel.roles.isHidden()
    select_column(driver, "year")
    card.view.findChild(QAction, "role_time").trigger()
    await driver.until(
        lambda: driver.session.loader.dataset is not None and driver.session.loader.dataset.time is not None
    )
    text, link = panel.roles.lines["time"]
    await driver.until(lambda: not link.visibleRegion().isEmpty())  # scrolled to
    assert "Forward in time" in text.text()
    assert panel.roles.groups.isHidden()
    QTest.mouseClick(link, Qt.MouseButton.LeftButton)
    assert panel.request.settings["measuring.protocol"] == "time"
    assert panel.roles.isHidden()
    driver.window.actions_["undo"].trigger()
    assert panel.request.settings["measuring.protocol"] == "folds"
    select_column(driver, "street")
    card.view.findChild(QAction, "role_group").trigger()
    await driver.until(
        lambda: driver.session.loader.dataset is not None and driver.session.loader.dataset.groups is not None
    )
    assert panel.roles.groups.isVisible()
    assert '"street"' in panel.roles.groups.text()


async def test_a_role_and_the_target_exclude_each_other(driver: WindowDriver) -> None:
    await open_prices(driver)
    card = driver.window.workspace.data.columns
    select_column(driver, "price")
    card.view.findChild(QAction, "role_group").trigger()
    assert card.model.target == "price"  # a target there must be
    assert card.role.currentData() == "target"
    select_column(driver, "grade")
    card.view.findChild(QAction, "role_folds").trigger()
    await driver.until(
        lambda: driver.session.loader.dataset is not None and driver.session.loader.dataset.fold_of is not None
    )
    card.view.findChild(QAction, "role_target").trigger()
    await driver.until(
        lambda: driver.session.loader.dataset is not None and driver.session.loader.dataset.target_name == "grade"
    )
    assert dataset_of(driver).fold_of is None
    assert "price" in dataset_of(driver).features


async def test_what_fits_numbers_is_offered_for_numbers_and_what_fits_classes_for_classes(driver: WindowDriver) -> None:
    await open_prices(driver)
    setup, card = driver.window.workspace.setup, driver.window.workspace.data.columns
    criterion = driver.child(QComboBox, "measure_criterion")

    def offered() -> set[str]:
        return {criterion.itemData(place) for place in range(criterion.count())} - {"auto"}

    assert offered() == {each.name for each in CRITERIA if each.task == "regression"}
    model = setup.wrapper.model()
    assert isinstance(model, QStandardItemModel)
    for place, name in enumerate(setup.wrapper.offered):
        fits = "regression" in WRAPPERS[name].model.tasks
        assert model.item(place).isEnabled() == fits, name
        assert fits or "the target contains numbers" in model.item(place).toolTip()
    assert "regression" in WRAPPERS[setup.wrapper.currentData()].model.tasks
    choose(criterion, "mae")
    assert "numbers from" in driver.window.workspace.data.target.caption.text()
    assert setup.data.extent.text().endswith("numbers")

    setup.data.target.setCurrentText("grade")
    setup.data.target.activated.emit(setup.data.target.currentIndex())
    await driver.until(
        lambda: driver.session.loader.dataset is not None and driver.session.loader.dataset.target_name == "grade"
    )
    assert offered() == {each.name for each in CRITERIA if each.task == "classification"}
    assert criterion.currentData() == "auto"
    assert all(model.item(place).isEnabled() for place in range(model.rowCount())
               if "classification" in WRAPPERS[setup.wrapper.offered[place]].model.tasks)  # fmt: skip
    await driver.until(lambda: driver.window.workspace.data.target.caption.text() == "5 classes")

    choose(card.task, "regression")
    card.task.activated.emit(card.task.currentIndex())
    await driver.until(
        lambda: driver.session.loader.dataset is not None and driver.session.loader.dataset.response is not None
    )
    assert offered() == {each.name for each in CRITERIA if each.task == "regression"}


async def test_validations_are_offered_where_the_columns_allow_them(driver: WindowDriver) -> None:
    dataset = await open_prices(driver)
    assert offered_protocols(dataset) == ("folds", "hold-out", "leave-one-out", "batches")
    select_column(driver, "year")
    driver.window.workspace.data.columns.view.findChild(QAction, "role_time").trigger()
    await driver.until(
        lambda: driver.session.loader.dataset is not None and driver.session.loader.dataset.time is not None
    )
    protocol = driver.child(QComboBox, "measure_protocol")
    choose(protocol, "time")
    assert driver.child(QWidget, "measure_repeats").isHidden()
    assert not driver.child(QWidget, "measure_folds").isHidden()
    spec = driver.window.workspace.setup.request.resolve(dataset_of(driver))
    assert spec.measuring.protocol == "time"


def test_settings_that_do_nothing_are_hidden_and_not_sent() -> None:
    values = {info.name: info.default for info in MeasureSettings.describe()}
    assert idle_settings(values, None) == {"test_share", "costs", "centre_batches", "imputation_rows", "offset"}
    assert "costs" not in idle_settings({**values, "criterion": "cost"}, None)
    held_out = idle_settings({**values, "protocol": "hold-out"}, None)
    assert "folds" in held_out
    assert "test_share" not in held_out
    assert idle_settings({"prefilter": "none", "keep": 10}, None) == {"keep"}


async def test_method_and_model_each_keep_their_own_setting_of_one_name(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    setup = driver.window.workspace.setup
    choose(setup.method, "bspsa")
    choose(setup.wrapper, "ridge")
    setup.wrapper_form.put({"alpha": 2.5})
    spec = setup.request.resolve(dataset_of(driver))
    assert spec.wrapper_settings["alpha"] == 2.5
    assert spec.method_settings["alpha"] == METHODS["bspsa"].model().model_dump()["alpha"]


async def test_every_method_and_every_model_makes_a_spec_with_the_values_of_its_form(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    setup = driver.window.workspace.setup
    wrappers = [wrapper for wrapper in WRAPPERS if "classification" in wrapper.model.tasks]
    assert len(list(METHODS)) > len(wrappers)
    for entry, wrapper in zip(METHODS, cycle(wrappers), strict=False):
        setup.method.setCurrentIndex(setup.method.findData(entry.name))
        setup.wrapper.setCurrentIndex(setup.wrapper.findData(wrapper.name))
        spec = setup.request.resolve(dataset_of(driver))
        assert spec.method_settings == setup.method_form.values(), (entry.name, wrapper.name)
        if not wrapper.model.competes or entry.model.validates_itself:  # else one model stands in
            assert spec.wrapper_settings == setup.wrapper_form.values(), (entry.name, wrapper.name)


def test_no_form_is_clipped_in_the_rail(driver: WindowDriver) -> None:
    for model in (*(entry.model for entry in METHODS), *(entry.model for entry in WRAPPERS), *SHARED.values()):
        check_form(driver, model)


def check_form(driver: WindowDriver, model: type[Settings]) -> None:
    form = SettingsForm("test", model.describe())
    form.setParent(driver.window, Qt.WindowType.Window)  # in the fonts of the window
    form.setFixedWidth(RAIL)
    form.show()
    layout = form.layout()
    assert layout is not None
    form.resize(RAIL, layout.totalHeightForWidth(RAIL))
    for info in form.infos:
        title, field = form.titles[info.name], form.fields[info.name].widget
        which = f"{model.__name__}.{info.name}"
        assert field.mapTo(form, QPoint(field.width(), 0)).x() <= RAIL, which
        whole = title.heightForWidth(title.width()) <= title.height() or title.sizeHint().width() <= title.width()
        assert whole, f"the title of {which} is cut"
        if info.kind == "choice" and isinstance(field, QComboBox):
            shown = field.fontMetrics().horizontalAdvance(info.choices[str(info.default)])
            assert shown <= field.width() - 40, f"the default of {which} is cut"
    form.hide()
    form.setParent(None)
    form.deleteLater()


def test_tiny_numbers_are_kept_and_can_be_typed(qapp: object) -> None:
    info = SettingInfo("tiny", "Tiny", "Help.", "float", 1e-9, "", "", "common", 0.0, None, True, False, {})
    field = make_field(info)
    field.put(1e-9)
    box = field.widget
    assert isinstance(box, DecimalField)
    assert field.get() == 1e-9
    assert box.text() == "1e−09"
    box.selectAll()
    QTest.keyClicks(box, "2.5e-8")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert field.get() == pytest.approx(2.5e-8, rel=1e-3)
    box.deleteLater()


def test_the_spread_of_a_target_counts_every_row() -> None:
    wine = prepare(load_sample("wine"))
    spread = spread_of(wine)
    assert spread.bars == wine.classes
    assert spread.counts.tolist() == np.diag([59, 71, 48]).tolist()  # as the UCI repository says
    assert spread.caption == "3 classes"
    digits = spread_of(prepare(load_sample("digits")))
    assert digits.counts.shape == (5, 5)
    assert digits.caption == "10 classes, largest 5 shown"


@pytest.mark.parametrize("scale", [1.0, 1e300, 1e-300])
def test_the_spread_of_numbers_counts_every_row_whatever_their_size(scale: float) -> None:
    response = np.linspace(-1, 1, 50) * scale
    zeros = np.zeros(50, dtype=np.int64)
    x = np.asfortranarray(np.ones((50, 1)))
    spread = spread_of(Dataset("made", x, ("a",), zeros, "y", (), ("",) * 50, response=response))
    assert spread.counts.sum() == 50
    assert spread.bars == ()
    assert spread.ends[1].startswith("median")


async def test_a_feature_that_is_always_in_is_left_out_in_one_step(driver: WindowDriver) -> None:
    await open_prices(driver)
    card, panel, history = driver.window.workspace.data.columns, driver.window.workspace.setup, driver.session.history
    select_column(driver, "c1")
    steps = history.count()
    card.view.findChild(QAction, "role_always").trigger()

    async def settled(role: str, always: tuple[str, ...]) -> None:
        await driver.until(lambda: driver.session.loader.dataset is not None and not driver.session.loader.preparing)
        assert card.model.role("c1") == role
        assert panel.request.always == always

    def untick() -> None:
        card.model.include({"c1"}, False)

    for leave_out in (card.view.findChild(QAction, "role_ignored").trigger, untick):
        leave_out()
        driver.window.workspace.data.settle()
        await settled("ignored", ())
        assert history.count() == steps + 2
        driver.window.actions_["undo"].trigger()
        await settled("always", ("c1",))
    driver.window.actions_["redo"].trigger()
    await settled("ignored", ())
    select_column(driver, "c1")
    card.view.findChild(QAction, "role_always").trigger()
    await settled("always", ("c1",))
    driver.window.actions_["undo"].trigger()
    await settled("ignored", ())
