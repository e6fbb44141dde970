"""How a mask is measured: the settings of the cross-validation, with the paper's as defaults."""

from typing import Literal

from fsdesk.settings import Settings, setting

__all__ = ["MeasureSettings"]


class MeasureSettings(Settings):
    """Repeated stratified k-fold cross-validation (paper, section Performance Criterion)."""

    criterion: Literal["error"] = setting(
        "error",
        title="Criterion",
        help="What is minimised: the share of rows that the model gets wrong when it has not seen them.",
        source="paper, section Performance Criterion",
        choices={"error": "Classification error"},
    )
    repeats: int = setting(
        10,
        title="Repeats",
        help="How often the cross-validation is repeated on new random folds; more repeats, less noise, more time.",
        source="paper: 10 repeats",
        ge=1,
        le=1000,
    )
    folds: int = setting(
        5,
        title="Folds",
        help="Into how many parts the rows are dealt; each part is predicted by a model trained on the others.",
        source="paper: 5 folds",
        ge=2,
        le=1000,
    )
    scaling: Literal["fold", "once", "none"] = setting(
        "fold",
        title="Scaling",
        help="Brings all features to the same spread. Inside each training fold is honest; once over all rows is "
        "faster but lets the model see a little of the rows that it is tested on.",
        source="the authors standardise inside each training fold",
        choices={
            "fold": "Inside each training fold (honest)",
            "once": "Once, over all rows (faster)",
            "none": "None, use the values as they are",
        },
    )
