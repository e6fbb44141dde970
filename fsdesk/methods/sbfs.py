"""Sequential backward floating selection (Pudil, Novovicova and Kittler 1994)."""

from typing import ClassVar

from fsdesk.methods.problem import METHODS
from fsdesk.methods.sequential import LARGE, PAPER_PRESET, THOROUGH, Sequential

__all__ = ["SBFS"]


@METHODS.register(
    "sbfs",
    title="SBFS",
    summary="Removes one feature at a time; after each, takes earlier ones back for as long as that lowers the error.",
    reference="P. Pudil, J. Novovicova and J. Kittler, Floating Search Methods in Feature Selection, Pattern "
    "Recognition Letters 15 (1994)",
    presets=(PAPER_PRESET, LARGE, THOROUGH),
)
class SBFS(Sequential):
    """Exclusion, then conditional inclusions, which free the search from its early choices."""

    forward: ClassVar[bool] = False
    floating: ClassVar[bool] = True
