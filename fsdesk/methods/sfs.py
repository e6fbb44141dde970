"""Sequential forward selection (Whitney 1971)."""

from typing import ClassVar

from fsdesk.methods.problem import METHODS
from fsdesk.methods.sequential import LARGE, PAPER_PRESET, THOROUGH, Sequential

__all__ = ["SFS"]


@METHODS.register(
    "sfs",
    title="SFS",
    summary="Starts with no feature and adds one at a time, each time the one that lowers the error most.",
    reference="A. W. Whitney, A Direct Method of Nonparametric Measurement Selection, IEEE Transactions on Computers "
    "C-20 (1971)",
    presets=(PAPER_PRESET, LARGE, THOROUGH),
)
class SFS(Sequential):
    """Step k measures the p - k sets with one feature more than the current one and enters the best."""

    forward: ClassVar[bool] = True
