"""L1 path: features in the order in which they enter a linear model."""

from collections.abc import Sequence

from fsdesk.methods.problem import METHODS
from fsdesk.methods.race import PRESETS, ByFilter, Raced, Strategy

__all__ = ["L1Path"]


@METHODS.register(
    "l1",
    title="L1",
    summary="Takes features in the order in which they enter the path of a linear model with an L1 penalty; how "
    "many is decided on rows held out.",
    reference="R. Tibshirani, Regression Shrinkage and Selection via the Lasso, Journal of the Royal Statistical "
    "Society B 58 (1996); J. Zhu et al., 1-norm Support Vector Machines, NIPS 16 (2003)",
    presets=PRESETS,
)
class L1Path(Raced):
    """One order of the features, many sizes, chosen by rows held out."""

    def strategies(self, features: int) -> Sequence[Strategy]:
        """No other than its own."""
        return [ByFilter("L1 path", "l1")]
