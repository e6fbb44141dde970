"""One feature at a glance: its values by class or against the target, and the selected features most like it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset

__all__ = ["FeatureLook", "correlations", "look_at_feature"]

Floats = NDArray[np.float64]

_MOST_LIKE = 8
_BLOCK = 2_000_000  # cells that are looked at together


@dataclass(frozen=True, eq=False)
class FeatureLook:
    """What is known of a feature.

    Attributes
    ----------
    name
        Of the feature.
    values
        (n,) as in the data, NaN where one is missing; codes where it is nominal.
    levels
        Names of the categories of a nominal feature, else none.
    groups
        (n,) class codes, all 0 where the target is a number.
    classes
        Names of the classes; none where the target is a number.
    response
        (n,) the target where it is a number.
    target_name
        Name of the target.
    alike
        (name, correlation) of the selected features that go most with it, the strongest first.
    left_out
        Selected features that have no correlation with it: nominal ones, or all where it is nominal itself.
    """

    name: str
    values: Floats
    levels: tuple[str, ...]
    groups: NDArray[np.int64]
    classes: tuple[str, ...]
    response: Floats | None
    target_name: str
    alike: tuple[tuple[str, float], ...] = ()
    left_out: int = 0


def look_at_feature(dataset: Dataset, name: str, mask: NDArray[np.bool_]) -> FeatureLook:
    """Look at a feature of a data set beside the (p,) selected ones."""
    place = dataset.features.index(name)
    values = np.array(dataset.x[:, place])
    nominal = set(dataset.categories)
    others = np.array([at for at in np.flatnonzero(mask).tolist() if at != place], dtype=np.intp)
    plain = np.array([at for at in others.tolist() if at not in nominal], dtype=np.intp)
    if place in nominal:
        plain = plain[:0]
    found = correlations(dataset.x, plain, values)
    strongest = np.argsort(-np.abs(np.nan_to_num(found)), kind="stable")[:_MOST_LIKE]
    alike = tuple((dataset.features[plain[at]], float(found[at])) for at in strongest if np.isfinite(found[at]))
    return FeatureLook(
        name=name,
        values=values,
        levels=tuple(dataset.categories.get(place, ())),
        groups=np.array(dataset.target),
        classes=dataset.classes,
        response=None if dataset.response is None else np.array(dataset.response),
        target_name=dataset.target_name,
        alike=alike,
        left_out=len(others) - len(plain),
    )


def correlations(x: Floats, columns: NDArray[np.intp], values: Floats) -> Floats:
    """Pearson's correlation of some columns of (n, p) with (n,) values, over the rows where both are known.

    NaN where fewer than three rows are left or one of the two does not vary.
    """
    made = np.full(len(columns), np.nan)
    wide = max(1, _BLOCK // max(1, len(values)))
    for start in range(0, len(columns), wide):
        some = columns[start : start + wide]
        part = x[:, some]
        known = np.isfinite(part) & np.isfinite(values)[:, None]
        count = known.sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            a = np.where(known, part, 0.0)
            b = np.where(known, values[:, None], 0.0)
            a = np.where(known, a - a.sum(axis=0) / count, 0.0)
            b = np.where(known, b - b.sum(axis=0) / count, 0.0)
            spread = np.sqrt((a * a).sum(axis=0) * (b * b).sum(axis=0))
            scale = np.abs(np.where(known, part, 0.0)).max(axis=0, initial=0.0) * np.abs(b).max(axis=0, initial=0.0)
            found = (a * b).sum(axis=0) / spread
        varies = (count >= 3) & (spread > 1e-12 * np.maximum(scale, np.finfo(float).tiny))
        made[start : start + wide] = np.where(varies, np.clip(found, -1, 1), np.nan)
    return made
