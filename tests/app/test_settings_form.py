import asyncio
from html import unescape

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDoubleSpinBox, QSpinBox, QWidget

from fsdesk.app.forms.settings_form import SettingsForm, help_text, make_field
from fsdesk.app.forms.setup import shown_value
from fsdesk.app.widgets import DecimalField, IntegerField
from fsdesk.data import ReadOptions
from fsdesk.measure import MeasureSettings
from fsdesk.methods import METHODS
from fsdesk.settings import SettingInfo, Settings, validated
from fsdesk.wrappers import WRAPPERS

from .conftest import WindowDriver

MODELS: list[type[Settings]] = [
    *(entry.model for entry in METHODS), *(entry.model for entry in WRAPPERS), MeasureSettings, ReadOptions,
]  # fmt: skip


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_a_form_has_every_declared_setting_with_its_help_default_bounds_and_choices(
    qapp: object, model: type[Settings]
) -> None:
    form = SettingsForm("test", model.describe())
    assert form.values() == {info.name: info.default for info in model.describe()}
    assert not form.modified
    validated(model, form.values())
    for info in model.describe():
        control = form.findChild(QWidget, f"test_{info.name}")
        assert control is form.fields[info.name].widget, info.name
        assert control.accessibleName() == info.title
        assert info.help.split("&")[0][:20] in unescape(control.toolTip())
        if isinstance(control, QComboBox):
            assert [control.itemData(at) for at in range(control.count())] == list(info.choices)
        if isinstance(control, QSpinBox | QDoubleSpinBox):
            for extreme in (control.minimum(), control.maximum()):
                form.put({info.name: extreme})
                validated(model, form.values())
            form.reset()
    form.deleteLater()


def test_a_preset_is_the_new_normal_and_reset_comes_back_to_it(qapp: object) -> None:
    form = SettingsForm("test", METHODS["bspsa"].model.describe())
    form.use({"a": 1.5})
    assert form.values()["a"] == 1.5
    assert not form.modified
    form.put({"a": 2.0})
    assert form.modified
    form.reset()
    assert form.values()["a"] == 1.5
    form.deleteLater()


def test_the_help_names_the_source_and_the_bounds() -> None:
    info: SettingInfo = next(each for each in MeasureSettings.describe() if each.name == "folds")
    text = help_text(info)
    assert "2 to 1,000" in text
    assert "paper: 5 folds" in text


def turn_wheel(control: QWidget) -> None:
    middle = QPointF(control.rect().center())
    event = QWheelEvent(middle, QPointF(control.mapToGlobal(middle.toPoint())), QPoint(), QPoint(0, -120),
                        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase,
                        False)  # fmt: skip
    QApplication.sendEvent(control, event)


def shown(control: QComboBox | QSpinBox | QDoubleSpinBox) -> str:
    return control.currentText() if isinstance(control, QComboBox) else control.text()


async def test_the_wheel_over_a_control_changes_neither_its_value_nor_the_focus(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    boxes = driver.window.findChildren(QComboBox)
    spins = [*driver.window.findChildren(QSpinBox), *driver.window.findChildren(QDoubleSpinBox)]
    assert {"target", "method", "preset", "wrapper", "missing", "nominal"} <= {box.objectName() for box in boxes}
    controls: list[QComboBox | QSpinBox | QDoubleSpinBox] = [*boxes, *spins]
    for control in controls:
        assert not control.focusPolicy().value & 4, control.objectName()  # the bit that WheelFocus adds
        control.clearFocus()
        before = (shown(control), QApplication.focusWidget())
        turn_wheel(control)
        turn_wheel(control)
        assert (shown(control), QApplication.focusWidget()) == before, control.objectName()


async def test_the_tab_key_follows_the_eye_also_after_an_exchange_of_forms(driver: WindowDriver) -> None:
    def chained() -> list[str]:
        names, start = [], driver.child(QComboBox, "target")
        control = start
        while True:
            if control.objectName() and control.focusPolicy() & Qt.FocusPolicy.TabFocus:
                names.append(control.objectName())
            control = control.nextInFocusChain()
            if control is start:
                return names

    wanted = ["target", "columnsLink", "method", "preset", "method_max_iterations", "wrapper", "measure_folds",
              "seed", "runButton"]  # fmt: skip

    await driver.open_sample("wine")
    panel = driver.window.workspace.setup
    for again in (lambda: None, panel.search.show_entry, panel.model.show_entry):
        again()
        await asyncio.sleep(0.05)  # the old form goes once the event loop turns
        names = chained()
        places = [names.index(name) for name in wanted]
        assert places == sorted(places)
        seen = [place for place, name in enumerate(names) if name.startswith(("wrapper_", "method_"))]
        assert all(places[3] < place < names.index("measure_folds") for place in seen)
        assert "gainCurve" not in names


@pytest.mark.parametrize(
    ("name", "kind", "typed", "value"), [("most", IntegerField, "12", 12), ("max_minutes", DecimalField, "2.5", 2.5)]
)
def test_what_0_stands_for_is_shown_in_its_place_and_typed_over(
    qapp: object, name: str, kind: type[IntegerField | DecimalField], typed: str, value: float
) -> None:
    """A click into the word selects it, so that the digits typed take its place."""
    info = next(info for info in METHODS["bspsa-h"].model.describe() if info.name == name)
    field = make_field(info)
    box = field.widget
    assert isinstance(box, kind)
    box.setFixedWidth(104)
    box.show()
    assert (field.get(), box.text()) == (0, "unlimited")
    line = box.lineEdit()
    QTest.mouseClick(line, Qt.MouseButton.LeftButton, pos=QPoint(20, line.height() // 2))
    QTest.keyClicks(line, typed)
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert (field.get(), box.text()) == (value, typed)
    line.selectAll()
    QTest.keyClicks(line, "0")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert (field.get(), box.text()) == (0, "unlimited")
    assert shown_value(info, 0) == "unlimited"
    box.close()
