"""ReliefF: features that differ between near rows of different classes."""

from collections.abc import Sequence

from fsdesk.methods.problem import METHODS
from fsdesk.methods.race import PRESETS, ByFilter, Raced, Strategy

__all__ = ["ReliefF"]


@METHODS.register(
    "relieff",
    title="ReliefF",
    summary="Ranks features by how they differ between near rows of different classes, so that features that help"
    " only together can be found; how many to take is decided on rows held out.",
    reference="I. Kononenko, Estimating Attributes: Analysis and Extensions of RELIEF, ECML (1994); M. Robnik-"
    "Sikonja and I. Kononenko, Theoretical and Empirical Analysis of ReliefF and RReliefF, Machine "
    "Learning 53 (2003)",
    presets=PRESETS,
)
class ReliefF(Raced):
    """One order of the features, many sizes, chosen by rows held out."""

    def strategies(self, features: int) -> Sequence[Strategy]:
        """No other than its own."""
        return [ByFilter("ReliefF", "relieff")]
