"""Filters: features ranked by scores without a search; their number is chosen on held-out rows."""

import math
from collections.abc import Sequence
from typing import ClassVar

from fsdesk.methods.problem import METHODS
from fsdesk.methods.race import PRESETS, ByFilter, Raced, Strategy
from fsdesk.settings import Preset, setting

_MORE_OFTEN_THAN_NOT = 0.51


class FilterMethod(Raced):
    """One ranking of the features; its size is chosen on held-out rows."""

    order: ClassVar[ByFilter]

    def strategies(self, features: int) -> Sequence[Strategy]:
        """The filter, and no other strategy."""
        return [self.order]


@METHODS.register(
    "univariate",
    title="Univariate",
    summary="Ranks features individually by the F statistic. The number of features is chosen on held-out rows and, "
    "if set, by a false discovery rate.",
    reference="I. Guyon and A. Elisseeff, An Introduction to Variable and Feature Selection, Journal of Machine "
    "Learning Research 3 (2003), section 2; Y. Benjamini and Y. Hochberg, Controlling the False Discovery Rate, "
    "Journal of the Royal Statistical Society B 57 (1995)",
    presets=(
        *PRESETS,
        Preset(
            "significant features",
            {"prefer": "most", "false_discovery": 0.05},
            help="All features significant at a false discovery rate of 5 %, provided held-out predictions are no "
            "worse with them.",
        ),
    ),
)
class Univariate(FilterMethod):
    """Features ranked by their F statistics."""

    order = ByFilter("F statistic", "f")
    false_discovery: float = setting(
        1.0,
        title="Max. false discovery rate",
        help="Selects only features with a q value up to this limit, or the single best one if there are none. At "
        "most this share of the selected features is expected to be unrelated to the target. 1 sets no limit.",
        source="1: only held-out rows decide; most papers use 0.05",
        ge=1e-6,
        le=1,
    )

    def strategies(self, features: int) -> Sequence[Strategy]:
        """The F statistic, restricted to significant features if requested."""
        if self.false_discovery >= 1:
            return [self.order]
        return [ByFilter("F statistic", "f", "significance", -math.log10(self.false_discovery))]


@METHODS.register(
    "mrmr",
    title="mRMR",
    summary="Ranks features by their information about the target, divided by their redundancy with features already "
    "selected. The number of features is chosen on held-out rows.",
    reference="C. Ding and H. Peng, Minimum Redundancy Feature Selection from Microarray Gene Expression Data, "
    "Journal of Bioinformatics and Computational Biology 3 (2005); Z. Zhao, R. Anand and M. Wang, Maximum"
    " Relevance and Minimum Redundancy Feature Selection Methods for a Marketing Machine Learning "
    "Platform, DSAA (2019)",
    presets=PRESETS,
)
class MinimumRedundancy(FilterMethod):
    """Relevant features that are not redundant."""

    order = ByFilter("mRMR", "mrmr")


@METHODS.register(
    "relieff",
    title="ReliefF",
    summary="Ranks features by how they differ between neighboring rows of different classes, so it can find "
    "features that help only in combination. The number of features is chosen on held-out rows.",
    reference="I. Kononenko, Estimating Attributes: Analysis and Extensions of RELIEF, ECML (1994); M. Robnik-"
    "Sikonja and I. Kononenko, Theoretical and Empirical Analysis of ReliefF and RReliefF, Machine "
    "Learning 53 (2003)",
    presets=PRESETS,
)
class ReliefF(FilterMethod):
    """Features that differ between nearby rows of different classes."""

    order = ByFilter("ReliefF", "relieff")


@METHODS.register(
    "forest",
    title="Forest importance",
    summary="Ranks features by their importance in extremely randomized trees. The number of features is chosen on "
    "held-out rows and, if enabled, by shadow features.",
    reference="P. Geurts, D. Ernst and L. Wehenkel, Extremely Randomized Trees, Machine Learning 63 (2006); M. B. "
    "Kursa and W. R. Rudnicki, Feature Selection with the Boruta Package, Journal of Statistical Software 36 (2010)",
    presets=(
        *PRESETS,
        Preset(
            "beyond shadows",
            {"prefer": "most", "shadows": True},
            help="All features more important than any shuffled one, provided held-out predictions are no worse "
            "with them.",
        ),
    ),
)
class ForestImportance(FilterMethod):
    """Features used most by randomized trees."""

    order = ByFilter("forest importance", "forest")
    shadows: bool = setting(
        False,
        title="Shadow features",
        help="Each feature gets a shadow: the same values with their rows shuffled. Only features more important "
        "than all shadows in more than half of ten forests are selected, or the single best one if there are "
        "none.",
        source="off: only held-out rows decide; shadow features are those of Boruta",
    )

    def strategies(self, features: int) -> Sequence[Strategy]:
        """The importance, restricted to features that beat their shadows if requested."""
        if not self.shadows:
            return [self.order]
        return [ByFilter("forest importance", "forest", "shadows", _MORE_OFTEN_THAN_NOT)]


@METHODS.register(
    "l1",
    title="L1",
    summary="Ranks features by the order in which they enter the path of an L1-penalized linear model. The number of "
    "features is chosen on held-out rows.",
    reference="R. Tibshirani, Regression Shrinkage and Selection via the Lasso, Journal of the Royal Statistical "
    "Society B 58 (1996); J. Zhu et al., 1-norm Support Vector Machines, NIPS 16 (2003)",
    presets=PRESETS,
)
class L1Path(FilterMethod):
    """Features in the order in which they enter a linear model."""

    order = ByFilter("L1 path", "l1")


@METHODS.register(
    "rfe",
    title="RFE",
    summary="Eliminates features step by step by their weights in a linear model. The number of features to keep is "
    "chosen on held-out rows.",
    reference="I. Guyon, J. Weston, S. Barnhill and V. Vapnik, Gene Selection for Cancer Classification using "
    "Support Vector Machines, Machine Learning 46 (2002)",
    presets=PRESETS,
)
class RecursiveElimination(FilterMethod):
    """Features least needed by a linear model are eliminated first."""

    order = ByFilter("recursive elimination", "rfe")
