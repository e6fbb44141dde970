"""Forest importance: features that trees of random splits make most use of."""

from collections.abc import Sequence

from fsdesk.methods.problem import METHODS
from fsdesk.methods.race import PRESETS, ByFilter, Raced, Strategy
from fsdesk.settings import Preset, setting

__all__ = ["ForestImportance"]

_MORE_OFTEN_THAN_NOT = 0.51


@METHODS.register(
    "forest",
    title="Forest importance",
    summary="Ranks features by their importance in extremely randomised trees; how many to take is decided on rows "
    "held out, and by shadow features where these are wanted.",
    reference="P. Geurts, D. Ernst and L. Wehenkel, Extremely Randomized Trees, Machine Learning 63 (2006); M. B. "
    "Kursa and W. R. Rudnicki, Feature Selection with the Boruta Package, Journal of Statistical Software 36 (2010)",
    presets=(
        *PRESETS,
        Preset(
            "beyond shadows",
            {"prefer": "most", "shadows": True},
            help="All features that matter more than any shuffled one, as far as rows held out are predicted no worse "
            "with them.",
        ),
    ),
)
class ForestImportance(Raced):
    """One order of the features, many sizes, chosen by rows held out."""

    shadows: bool = setting(
        False,
        title="Shadow features",
        help="Every feature gets a shadow, the same values with their rows shuffled. Only features that are more "
        "important than all shadows in more than half of ten forests are taken, the best one where there is none.",
        source="off: rows held out alone decide; shadows are what Boruta goes by",
    )

    def strategies(self, features: int) -> Sequence[Strategy]:
        """No other than its own."""
        if not self.shadows:
            return [ByFilter("forest importance", "forest")]
        return [ByFilter("forest importance", "forest", "shadows", _MORE_OFTEN_THAN_NOT)]
