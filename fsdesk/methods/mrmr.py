"""mRMR: relevant features that do not repeat one another."""

from collections.abc import Sequence

from fsdesk.methods.problem import METHODS
from fsdesk.methods.race import PRESETS, ByFilter, Raced, Strategy

__all__ = ["MinimumRedundancy"]


@METHODS.register(
    "mrmr",
    title="mRMR",
    summary="Ranks features by what they tell of the target, divided by how much they repeat what is taken "
    "already; how many to take is decided on rows held out.",
    reference="C. Ding and H. Peng, Minimum Redundancy Feature Selection from Microarray Gene Expression Data, "
    "Journal of Bioinformatics and Computational Biology 3 (2005); Z. Zhao, R. Anand and M. Wang, Maximum"
    " Relevance and Minimum Redundancy Feature Selection Methods for a Marketing Machine Learning "
    "Platform, DSAA (2019)",
    presets=PRESETS,
)
class MinimumRedundancy(Raced):
    """One order of the features, many sizes, chosen by rows held out."""

    def strategies(self, features: int) -> Sequence[Strategy]:
        """No other than its own."""
        return [ByFilter("mRMR", "mrmr")]
