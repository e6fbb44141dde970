"""Sequential forward floating selection (Pudil, Novovicova and Kittler 1994)."""

from typing import ClassVar

from fsdesk.methods.problem import METHODS
from fsdesk.methods.sequential import LARGE, PAPER_PRESET, THOROUGH, Sequential

__all__ = ["SFFS"]


@METHODS.register(
    "sffs",
    title="SFFS",
    summary="Adds one feature at a time; after each, removes earlier ones for as long as that lowers the error.",
    reference="P. Pudil, J. Novovicova and J. Kittler, Floating Search Methods in Feature Selection, Pattern "
    "Recognition Letters 15 (1994)",
    presets=(PAPER_PRESET, LARGE, THOROUGH),
)
class SFFS(Sequential):
    """Inclusion, then conditional exclusions, which free the search from its early choices."""

    forward: ClassVar[bool] = True
    floating: ClassVar[bool] = True
