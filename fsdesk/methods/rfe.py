"""Recursive feature elimination: what a linear model needs least goes first."""

from collections.abc import Sequence

from fsdesk.methods.problem import METHODS
from fsdesk.methods.race import PRESETS, ByFilter, Raced, Strategy

__all__ = ["RecursiveElimination"]


@METHODS.register(
    "rfe",
    title="RFE",
    summary="Eliminates features step by step by their weights in a linear model; how many to keep is decided on "
    "rows held out.",
    reference="I. Guyon, J. Weston, S. Barnhill and V. Vapnik, Gene Selection for Cancer Classification using "
    "Support Vector Machines, Machine Learning 46 (2002)",
    presets=PRESETS,
)
class RecursiveElimination(Raced):
    """One order of the features, many sizes, chosen by rows held out."""

    def strategies(self, features: int) -> Sequence[Strategy]:
        """No other than its own."""
        return [ByFilter("recursive elimination", "rfe")]
