"""Colors by role for light and dark, scales of heatmaps, and the contrast of two colors."""

from dataclasses import dataclass, fields
from typing import Literal

Mode = Literal["light", "dark"]
SPACE = 8
"""The grid, in device-independent pixels: all margins and gaps are multiples or halves of it."""


@dataclass(frozen=True)
class Tokens:
    """Colors by role, as #rrggbb. Lines are Okabe-Ito's; pairs of text and background meet WCAG AA."""

    mode: Mode
    canvas: str
    surface: str
    sunken: str
    hover: str
    border: str
    control: str
    text: str
    muted: str
    accent: str
    accent_hover: str
    on_accent: str
    accent_soft: str
    on_accent_soft: str
    danger: str
    danger_soft: str
    on_danger_soft: str
    warning: str
    warning_soft: str
    on_warning_soft: str
    success: str
    success_soft: str
    on_success_soft: str
    line_average: str
    line_raw: str
    line_best: str
    line_baseline: str
    line_other: str

    @property
    def text_pairs(self) -> tuple[tuple[str, str], ...]:
        """Names of (text, background) shown together, which need a contrast of at least 4.5."""
        return (
            *((text, ground) for text in ("text", "muted") for ground in ("canvas", "surface", "sunken", "hover")),
            ("on_accent", "accent"),
            ("on_accent", "accent_hover"),
            ("on_accent_soft", "accent_soft"),
            ("text", "accent_soft"),
            *(("accent", ground) for ground in ("canvas", "surface", "sunken")),
            ("danger", "surface"),
            ("success", "surface"),
            ("warning", "surface"),
            ("on_danger_soft", "danger_soft"),
            ("on_warning_soft", "warning_soft"),
            ("on_success_soft", "success_soft"),
        )

    @property
    def shape_pairs(self) -> tuple[tuple[str, str], ...]:
        """Names of (shape, background) that need a contrast of at least 3.

        They are outlines of controls, focus rings, progress bars and plot lines. ``line_raw`` is not among them: single
        measurements are intentionally faint, because readers follow the average.
        """
        grounds = ("canvas", "surface", "sunken", "hover", "accent_soft")
        return (
            *((shape, ground) for shape in ("control", "accent") for ground in grounds[:4]),
            ("accent", "accent_soft"),
            *((bar, "hover") for bar in ("accent", "success", "danger", "warning", "control")),
            *((line, "surface") for line in ("line_average", "line_best", "line_baseline", "line_other")),
            *((sign, f"{sign}_soft") for sign in ("accent", "danger", "warning", "success")),
        )

    @property
    def told_apart(self) -> tuple[tuple[str, ...], ...]:
        """Groups of colors shown in one figure and distinguished by color."""
        return (
            ("line_average", "line_best", "line_baseline"),
            ("line_average", "line_best", "line_other", "text"),
        )

    def colours(self) -> dict[str, str]:
        """All colors by name."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name != "mode"}


LIGHT = Tokens(
    mode="light",
    canvas="#f4f5f7",
    surface="#ffffff",
    sunken="#f7f8fa",
    hover="#eceff3",
    border="#e1e5ea",
    control="#7c8594",
    text="#171b22",
    muted="#566070",
    accent="#0068a8",
    accent_hover="#005689",
    on_accent="#ffffff",
    accent_soft="#e3f0f9",
    on_accent_soft="#004c7c",
    danger="#b3261e",
    danger_soft="#fdecea",
    on_danger_soft="#8a1c15",
    warning="#8a5a00",
    warning_soft="#fff3d9",
    on_warning_soft="#6a4500",
    success="#00704f",
    success_soft="#e2f4ed",
    on_success_soft="#00583e",
    line_average="#0072b2",
    line_raw="#56b4e9",
    line_best="#d55e00",
    line_baseline="#5b6472",
    line_other="#cc79a7",
)

DARK = Tokens(
    mode="dark",
    canvas="#12151a",
    surface="#1a1e25",
    sunken="#161a20",
    hover="#252b34",
    border="#2a313b",
    control="#6f7a8a",
    text="#e9ecf1",
    muted="#a3adbb",
    accent="#5bb7ea",
    accent_hover="#83caf1",
    on_accent="#07131b",
    accent_soft="#143246",
    on_accent_soft="#a8dbf8",
    danger="#ff8a80",
    danger_soft="#44201e",
    on_danger_soft="#ffc4bd",
    warning="#f0b649",
    warning_soft="#3d2f10",
    on_warning_soft="#ffdf9c",
    success="#45c79b",
    success_soft="#12382c",
    on_success_soft="#a5ecd2",
    line_average="#56b4e9",
    line_raw="#56b4e9",
    line_best="#f0822e",
    line_baseline="#a3adbb",
    line_other="#cc79a7",
)

RUN_COLOURS: dict[Mode, tuple[str, ...]] = {
    "light": ("#0072b2", "#d55e00", "#009e73", "#b85c8e", "#b07800", "#2f8fce", "#000000"),
    "dark": ("#3d9fd8", "#e8732a", "#1fb58c", "#d991b8", "#e69f00", "#56b4e9", "#f2f2f2"),
}
"""Colors of runs, by ``Run.colour_index``: Okabe-Ito's blue, vermilion, green, purple, orange, sky blue and black,
darkened or lightened if a line on the surface would have a contrast below 3."""


SCALES = {
    # viridis: low to high, uniform in lightness
    "weight": (
        "#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725",
    ),
    # ColorBrewer's RdBu, reversed: below the mean blue, above it red
    "z": (
        "#053061", "#2166ac", "#4393c3", "#92c5de", "#d1e5f0", "#f7f7f7", "#fddbc7", "#f4a582", "#d6604d", "#b2182b",
        "#67001f",
    ),
}  # fmt: skip
"""Colors of heatmaps from low to high; both are distinguishable with color blindness."""


INKS = ("#000000", "#ffffff")
"""For numbers on shades: on any background one of the two has a contrast of at least 4.58; softer inks do not."""


def contrast(first: str, second: str) -> float:
    """WCAG 2 contrast ratio of two #rrggbb colors, 1 to 21."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
