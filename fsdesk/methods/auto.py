"""Auto: strategies of several kinds compete on held-out rows, and the winner gives the result."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Literal

from fsdesk.methods.bspsa_r import sampled_strategy
from fsdesk.methods.problem import METHODS, Filter
from fsdesk.methods.race import ByFilter, Raced, Strategy
from fsdesk.settings import Preset, setting

_FILTERS: dict[str, Filter] = {
    "F statistic": "f",
    "mRMR": "mrmr",
    "L1 path": "l1",
    "forest importance": "forest",
    "ReliefF": "relieff",
}


@METHODS.register(
    "auto",
    title="Automatic (recommended)",
    short="Automatic",
    summary="Several strategies compete on held-out rows: filters, an L1 path, a forest and, unless the preset is "
    "quick, BSPSA on resamples. The winner is refitted on all rows to give the result.",
    reference="N. Glick, Additive Estimators for Probabilities of Correct Classification, Pattern Recognition 10 "
    "(1978)",
    presets=(
        Preset(
            "recommended",
            {"competing": "all"},
            help="All strategies: a minute or two on a table with 20,000 features.",
        ),
        Preset(
            "quick",
            {"competing": "filters"},
            help="Filters, L1 path and forest only: takes seconds, but misses features that help only in combination.",
        ),
    ),
)
class Auto(Raced):
    """A race of strategies and their sizes."""

    formerly = MappingProxyType({"averaged": False})

    competing: Literal["all", "filters", "bspsa-r"] = setting(
        "all",
        title="Strategies",
        help="Which strategies compete; all features together always take part.",
        source="which is best depends on the table, and only held-out rows can tell",
        choices={"all": "All", "filters": "Quick ones", "bspsa-r": "BSPSA-R only"},
    )
    averaged: bool = setting(
        True,
        title="Average rankings",
        help="Averages the ranking of the features over those found on all rows and without each held-out part, "
        "which is more stable than a single ranking. Off: the ranking found on all rows, as in other "
        "programs. BSPSA-R always averages its weights.",
        source="fewer errors on new rows of synthetic and real tables, and lists that vary less between samples",
        level="all",
    )

    def strategies(self, features: int) -> Sequence[Strategy]:
        """The strategies, filters first, because they take no time."""
        sampled = sampled_strategy(features, self.pace, self.folds)
        if self.competing == "bspsa-r":
            return [sampled]
        filters = [ByFilter(name, each, averaged=self.averaged) for name, each in _FILTERS.items()]
        return filters if self.competing == "filters" else [*filters, sampled]
