"""Univariate filter: features in the order of their F statistics."""

from collections.abc import Sequence

from fsdesk.methods.problem import METHODS
from fsdesk.methods.race import PRESETS, ByFilter, Raced, Strategy

__all__ = ["Univariate"]


@METHODS.register(
    "univariate",
    title="Univariate",
    summary="Ranks each feature by itself with the F statistic; how many to take is told by rows held out.",
    reference="I. Guyon and A. Elisseeff, An Introduction to Variable and Feature Selection, Journal of Machine "
    "Learning Research 3 (2003), section 2",
    presets=PRESETS,
)
class Univariate(Raced):
    """One order of the features, many sizes, chosen by rows held out."""

    def strategies(self, features: int) -> Sequence[Strategy]:
        """No other than its own."""
        return [ByFilter("F statistic", "f")]
