"""Sequential backward selection (Marill and Green 1963)."""

from typing import ClassVar

from fsdesk.methods.problem import METHODS
from fsdesk.methods.sequential import LARGE, PAPER_PRESET, THOROUGH, Sequential

__all__ = ["SBS"]


@METHODS.register(
    "sbs",
    title="SBS",
    summary="Starts with all features and removes one at a time, each time the one that is missed least.",
    reference="T. Marill and D. M. Green, On the Effectiveness of Receptors in Recognition Systems, IEEE Transactions "
    "on Information Theory 9 (1963)",
    presets=(PAPER_PRESET, LARGE, THOROUGH),
)
class SBS(Sequential):
    """A step from k features measures the k sets with one feature less and enters the best."""

    forward: ClassVar[bool] = False
