"""Auto: strategies of several kinds compete on held-out rows, and the winner gives the answer."""

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
    summary="Lets several strategies compete on rows that they did not see: filters, an L1 path, a forest, and BSPSA "
    "on resampled rows. The winner, made anew from all rows, is the answer.",
    reference="N. Glick, Additive Estimators for Probabilities of Correct Classification, Pattern Recognition 10 "
    "(1978)",
    presets=(
        Preset(
            "recommended",
            {"competing": "all"},
            help="All strategies: a minute or two on a table of 20,000 features.",
        ),
        Preset(
            "quick",
            {"competing": "filters"},
            help="Filters, L1 path and forest alone: seconds, but features that help only together are missed.",
        ),
    ),
)
class Auto(Raced):
    """A race of strategies, sizes included."""

    formerly = MappingProxyType({"averaged": False})

    competing: Literal["all", "filters", "bspsa-r"] = setting(
        "all",
        title="Strategies",
        help="Which strategies compete; all features together always do.",
        source="which is best depends on the table, and only held-out rows can tell",
        choices={"all": "All", "filters": "Quick ones", "bspsa-r": "BSPSA-R alone"},
    )
    averaged: bool = setting(
        True,
        title="Average the orders",
        help="The order of the answer's features is averaged over those found without each part of the rows and with "
        "all of them: steadier than one order. Off: the order found with all rows alone, as other programs have it. "
        "BSPSA-R always averages its weights.",
        source="fewer errors on new rows of made-up and real tables, and lists that differ less from sample to sample",
        level="all",
    )

    def strategies(self, features: int) -> Sequence[Strategy]:
        """Filters first, for they take no time."""
        sampled = sampled_strategy(features, self.pace, self.folds)
        if self.competing == "bspsa-r":
            return [sampled]
        filters = [ByFilter(name, each, averaged=self.averaged) for name, each in _FILTERS.items()]
        return filters if self.competing == "filters" else [*filters, sampled]
