from typing import Literal

import pytest

from fsdesk.errors import SettingsError, UserError
from fsdesk.settings import Preset, Registry, Settings, setting, validated


class Oven(Settings):
    """For these tests."""

    heat: float = setting(180.0, title="Heat", help="How hot.", source="grandmother", unit="degrees", gt=0, le=300)
    trays: int = setting(1, title="Trays", help="How many.", ge=1, le=4, level="all")
    fan: bool = setting(False, title="Fan", help="Whether air moves.")
    mode: Literal["top", "bottom"] = setting("top", title="Mode", help="Where from.", choices={"top": "From above"})


def test_a_declaration_says_all_that_a_form_needs():
    heat, trays, fan, mode = Oven.describe()
    assert (heat.name, heat.kind, heat.default, heat.unit, heat.source) == (
        "heat",
        "float",
        180.0,
        "degrees",
        "grandmother",
    )
    assert (heat.minimum, heat.minimum_excluded, heat.maximum, heat.maximum_excluded) == (0, True, 300, False)
    assert heat.range == "> 0, <= 300"
    assert (trays.kind, trays.level, heat.level) == ("int", "all", "common")
    assert trays.range == ">= 1, <= 4"
    assert fan.kind == "bool"
    assert (mode.kind, dict(mode.choices)) == ("choice", {"top": "From above", "bottom": "bottom"})
    assert mode.range == "top, bottom"


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"heat": 0}, r'^Setting "heat": it must be more than 0 \(got 0\)\.$'),
        ({"heat": 301}, r"it must be at most 300 \(got 301\)"),
        ({"heat": float("nan")}, "must be finite"),
        ({"heat": "warm"}, r"expected a number.*'warm'"),
        ({"trays": 1.5}, "expected a whole number"),
        ({"mode": "left"}, "'top', 'bottom'"),
        ({"heta": 3}, r'^There is no setting "heta"\. Available: heat, trays, fan, mode\. Did you mean "heat"\?$'),
    ],
)
def test_each_wrong_value_gets_one_sentence_that_names_it(values, sentence):
    with pytest.raises(SettingsError, match=sentence) as raised:
        validated(Oven, values)
    assert isinstance(raised.value, UserError)
    assert isinstance(raised.value, ValueError)
    assert "\n" not in str(raised.value)


def test_settings_are_frozen_and_update_into_a_checked_copy():
    oven = Oven()
    with pytest.raises(ValueError, match="frozen"):
        oven.heat = 200.0
    assert oven.updated({"heat": 200}).heat == 200
    assert oven.heat == 180
    with pytest.raises(SettingsError, match="heat"):
        oven.updated({"heat": -1})


def test_a_registry_lists_by_title_until_it_is_arranged():
    registry: Registry[Oven] = Registry("oven")
    for name, title in (("gas", "Gas oven"), ("wood", "bread oven"), ("coal", "Coal oven")):
        registry.register(name, title=title, summary="Burns.")(Oven)
    assert [found.name for found in registry.listed(lambda entry: entry.title)] == ["wood", "coal", "gas"]
    registry.arrange("coal", "gas")
    assert [found.name for found in registry.listed(lambda entry: entry.title)] == ["coal", "gas", "wood"]
    assert [found.name for found in registry] == ["coal", "gas", "wood"]


def test_a_registry_builds_from_the_preset_that_suits_and_the_values_over_it():
    registry: Registry[Oven] = Registry("oven")
    presets = (
        Preset("small", {"heat": 150}, max_features=9),
        Preset("large", {"heat": 250, "trays": 3}, min_features=10),
    )
    registry.register("gas", title="Gas oven", summary="Burns gas.", presets=presets)(Oven)
    entry = registry["gas"]
    assert entry.build({}).heat == 180
    assert entry.build({}, features=9).heat == 150
    assert entry.build({"heat": 260}, features=10) == Oven(heat=260, trays=3)
    assert entry.build({}, preset="large", features=1).trays == 3
    assert [found.name for found in registry] == ["gas"]
    with pytest.raises(SettingsError, match=r'no oven "coal"\. Choose one of: gas'):
        registry["coal"]
    with pytest.raises(SettingsError, match='no preset "huge"\\. Available: "small", "large"'):
        entry.preset("huge")
