"""Forest importance: features that trees of random splits make most use of."""

from collections.abc import Sequence

from fsdesk.methods.problem import METHODS
from fsdesk.methods.race import PRESETS, ByFilter, Raced, Strategy

__all__ = ["ForestImportance"]


@METHODS.register(
    "forest",
    title="Forest importance",
    summary="Ranks features by their importance in extremely randomised trees; how many to take is told by rows "
    "held out.",
    reference="P. Geurts, D. Ernst and L. Wehenkel, Extremely Randomized Trees, Machine Learning 63 (2006)",
    presets=PRESETS,
)
class ForestImportance(Raced):
    """One order of the features, many sizes, chosen by rows held out."""

    def strategies(self, features: int) -> Sequence[Strategy]:
        """No other than its own."""
        return [ByFilter("forest importance", "forest")]
