"""Univariate filter: features in the order of their F statistics."""

import math
from collections.abc import Sequence

from fsdesk.methods.problem import METHODS
from fsdesk.methods.race import PRESETS, ByFilter, Raced, Strategy
from fsdesk.settings import Preset, setting

__all__ = ["Univariate"]


@METHODS.register(
    "univariate",
    title="Univariate",
    summary="Ranks each feature by itself with the F statistic; how many to take is decided on rows held out, and by a "
    "false discovery rate where that is wanted.",
    reference="I. Guyon and A. Elisseeff, An Introduction to Variable and Feature Selection, Journal of Machine "
    "Learning Research 3 (2003), section 2; Y. Benjamini and Y. Hochberg, Controlling the False Discovery Rate, "
    "Journal of the Royal Statistical Society B 57 (1995)",
    presets=(
        *PRESETS,
        Preset(
            "significant features",
            {"prefer": "most", "false_discovery": 0.05},
            help="All features that are significant at a false discovery rate of 5 %, as far as rows held out are "
            "predicted no worse with them.",
        ),
    ),
)
class Univariate(Raced):
    """One order of the features, many sizes, chosen by rows held out."""

    false_discovery: float = setting(
        1.0,
        title="False discovery rate, at most",
        help="Only features whose q value is no larger are taken, the best one where there is none: of those taken, "
        "this share at most is expected to have nothing to do with the target. 1 sets no limit.",
        source="1: rows held out alone decide; 0.05 is what most papers take",
        ge=1e-6,
        le=1,
    )

    def strategies(self, features: int) -> Sequence[Strategy]:
        """No other than its own."""
        if self.false_discovery >= 1:
            return [ByFilter("F statistic", "f")]
        return [ByFilter("F statistic", "f", "significance", -math.log10(self.false_discovery))]
