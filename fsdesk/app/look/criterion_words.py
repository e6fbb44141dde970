"""What a criterion says, in the language of the user."""

import numpy as np

from fsdesk.app.look.translation import declared, tr
from fsdesk.measure import Criterion

__all__ = ["axis_title", "compared"]


def axis_title(criterion: Criterion) -> str:
    """What stands at the axis: "Error, %", "AUC", "RMSE"."""
    title = declared(criterion.title)
    return f"{title}, %" if criterion.unit == "%" else title


def compared(criterion: Criterion, loss: float, other: float) -> str:
    """How much better or worse a loss is than another: "7.9 points better", "0.012 worse"; "" where one is missing."""
    gain = other - loss
    if not np.isfinite(gain):
        return ""
    percent = criterion.unit == "%"
    amount = round(100 * abs(gain), 1) if percent else float(f"{abs(gain):.2g}")
    if amount == 0:
        return tr("as good")
    if percent:
        better, worse = tr("{amount:.1f} points better", amount=amount), tr("{amount:.1f} points worse", amount=amount)
    else:
        better, worse = tr("{amount:.2g} better", amount=amount), tr("{amount:.2g} worse", amount=amount)
    return better if gain > 0 else worse
