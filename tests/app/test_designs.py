"""Settings for common study designs: they fit the data, say what they change, and are undone as one step."""

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from fsdesk.app.forms.designs import DESIGNS, batch_column

from .conftest import WindowDriver
from .data_scene import dataset_of, opened
from .test_setup import choose, said
from .test_survival import write_patients


def offered(driver: WindowDriver) -> dict[str, QAction]:
    menu = driver.window.workspace.setup.search.menu
    menu.aboutToShow.emit()
    designs = next(action.menu() for action in menu.actions() if action.objectName() == "designs")
    assert isinstance(designs, QMenu)
    return {action.objectName().removeprefix("design_"): action for action in designs.actions()}


async def test_a_design_sets_what_its_help_says_in_one_step(driver: WindowDriver) -> None:
    await driver.open_sample("breast_cancer")
    panel = driver.window.workspace.setup
    choose(driver, "method", "sfs")
    before = panel.setup
    actions = offered(driver)
    assert [name for name, action in actions.items() if action.isEnabled()] == ["genes", "metabolites", "questionnaire"]
    assert "time-to-event" in actions["survival"].toolTip()
    actions["genes"].trigger()
    assert 'Loaded "Case-control study of genes"' in said(driver) and "Some settings" not in said(driver)
    values = panel.setup.request.settings
    assert panel.setup.request.method == "auto"
    assert (values["measuring.criterion"], values["wrapper.models"], values["method.most"]) == ("auc", "simple", 50)
    driver.window.actions_["undo"].trigger()
    assert panel.setup == before


async def test_batches_are_centred_where_a_feature_is_called_so(driver: WindowDriver) -> None:
    path = driver.root / "metabolites.csv"
    rows = [f"{1 + i % 7},{2 + i % 5},P{i % 3},{'ab'[i % 2]}" for i in range(40)]
    path.write_text("\n".join(["m1,m2,plate,class", *rows]), encoding="utf-8")
    await opened(driver, path)
    assert batch_column(dataset_of(driver)) == "plate"
    offered(driver)["metabolites"].trigger()
    assert "Some settings" not in said(driver)
    values = driver.window.workspace.setup.setup.request.settings
    assert (values["measuring.batch"], values["measuring.centre_batches"]) == ("plate", True)
    assert (values["measuring.normalise"], values["measuring.transform"]) == ("quotient", "log")


async def test_times_have_ten_events_for_each_feature(driver: WindowDriver) -> None:
    dataset = await opened(driver, write_patients(driver.root))
    actions = offered(driver)
    assert actions["survival"].isEnabled() and not actions["genes"].isEnabled()
    actions["survival"].trigger()
    values = driver.window.workspace.setup.setup.request.settings
    assert values["method.most"] == int(dataset.target.sum()) // 10
    assert (values["measuring.criterion"], values["method.prefer"]) == ("concordance", "fewest")


def test_every_design_has_a_title_and_a_help_of_its_own() -> None:
    assert len({design.name for design in DESIGNS}) == len({design.title for design in DESIGNS}) == len(DESIGNS)
    assert all(design.help.endswith(".") for design in DESIGNS)
