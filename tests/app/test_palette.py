"""Colours that everybody can read and tell apart, in both themes, measured from the tokens."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

from fsdesk.app.palette import DARK, LIGHT, Tokens, contrast
from fsdesk.app.plots.predictions import readable, shade
from fsdesk.app.style import style_sheet
from fsdesk.paths import resource

THEMES = pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])

# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
# IEEE TVCG 15(6), 2009: severity 1.0, on linear RGB.
VISION = {
    "all colours": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
APART = 20.0  # CIE76; two is just noticeable side by side, ten at a glance


def linear(colour: str) -> np.ndarray:
    channels = np.array([int(colour[start : start + 2], 16) for start in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:
    """CIE L*a*b* of linear sRGB, D65."""
    to_xyz = np.array(
        [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
    )
    ratio = to_xyz @ np.clip(rgb, 0, 1) / np.array([0.95047, 1.0, 1.08883])
    root = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def distance(first: str, second: str, vision: str) -> float:
    seen = [lab(VISION[vision] @ linear(colour)) for colour in (first, second)]
    return float(np.linalg.norm(seen[0] - seen[1]))


def test_the_simulation_is_that_of_the_paper() -> None:
    for vision in VISION.values():
        assert vision @ np.ones(3) == pytest.approx(np.ones(3), abs=2e-5)  # white stays white
    assert lab(linear("#ffffff")) == pytest.approx([100, 0, 0], abs=0.02)
    assert lab(linear("#ff0000")) == pytest.approx([53.24, 80.09, 67.20], abs=0.05)
    red, green = "#e00000", "#7f8000"  # the confusion that the paper shows
    assert distance(red, green, "deuteranopia") < 0.5 * distance(red, green, "all colours")


@THEMES
@pytest.mark.parametrize("vision", VISION)
def test_lines_of_a_plot_can_be_told_apart_by_everybody(tokens: Tokens, vision: str) -> None:
    colours = tokens.colours()
    for group in tokens.told_apart:
        for first, second in itertools.combinations(group, 2):
            assert distance(colours[first], colours[second], vision) >= APART, (first, second)


@THEMES
@pytest.mark.parametrize(("pairs", "least"), [("text_pairs", 4.5), ("shape_pairs", 3.0)])
def test_texts_and_shapes_stand_out_from_every_ground_as_wcag_asks(tokens: Tokens, pairs: str, least: float) -> None:
    colours = tokens.colours()
    found = {pair: round(contrast(colours[pair[0]], colours[pair[1]]), 2) for pair in getattr(tokens, pairs)}
    assert found and not {pair: value for pair, value in found.items() if value < least}


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda tokens: tokens.mode)
def test_numbers_of_a_confusion_matrix_meet_aa_on_every_shade(tokens: Tokens) -> None:
    grounds = [shade(tokens.surface, tokens.line_average, share) for share in np.linspace(0.0, 1.0, 201)]
    assert min(contrast(readable(ground), ground.name()) for ground in grounds) >= 4.5


@THEMES
def test_the_style_sheet_uses_no_pair_that_was_not_measured(tokens: Tokens) -> None:
    """Wherever a rule names both a text and a ground, the pair is among those that are measured."""
    known = {*tokens.text_pairs}
    text = re.sub(r"/\*.*?\*/", "", resource("style.qss").read_text(encoding="utf-8"), flags=re.DOTALL)
    for selector, body in re.findall(r"([^{}]+)\{([^}]*)\}", text):
        ink = re.search(r"(?<![-\w])color: \$(\w+)", body)
        ground = re.search(r"(?<![-\w])background(?:-color)?: \$(\w+)", body)
        if ink and ground and "disabled" not in selector:  # what cannot be used is exempt in WCAG
            assert (ink.group(1), ground.group(1)) in known, selector.strip()


def test_no_colour_is_named_outside_of_the_tokens() -> None:
    app = Path(__file__).parents[2] / "fsdesk" / "app"
    for path in app.rglob("*.py"):
        if path.name != "palette.py":
            assert not re.findall(r"[\"']#[0-9a-fA-F]{6}[\"']", path.read_text(encoding="utf-8")), path.name
    assert not re.findall(r"#[0-9a-fA-F]{6}", resource("style.qss").read_text(encoding="utf-8"))
    assert style_sheet(LIGHT, 10.0) != style_sheet(DARK, 10.0)
