"""What a search chooses among: features that are free, some of them together, others always or never in.

A method sees units: a unit is a free feature, or free features that go together. Masks of units become masks of
features here, so that no method needs to know.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.errors import SettingsError
from fsdesk.measure.filters import FilterName, filter_scores
from fsdesk.methods import Mask

__all__ = ["Space"]


class Space:
    """The units of one data set.

    Parameters
    ----------
    always, never
        Names of features that are in every mask, or in none.
    together
        Groups of names that are in or out as one.
    prefilter, keep
        Of the free features, or groups of them, only the ``keep`` best by this filter are searched; None searches all.

    Attributes
    ----------
    searched
        (p,) which features are in some unit.

    Raises
    ------
    SettingsError
        Where a name is unknown or asked for twice, or nothing is left to search.
    """

    def __init__(
        self,
        dataset: Dataset,
        *,
        always: Sequence[str] = (),
        never: Sequence[str] = (),
        together: Sequence[Sequence[str]] = (),
        prefilter: FilterName | None = None,
        keep: int = 0,
    ) -> None:
        self.dataset = dataset
        self._place = {name: place for place, name in enumerate(dataset.features)}
        p = len(dataset.features)
        self.always = self._mask(always, "always in")
        never_in = self._mask(never, "never in")
        both = np.flatnonzero(self.always & never_in)
        if len(both):
            raise SettingsError(f'Feature "{dataset.features[both[0]]}" is both always in and never in: choose one.')
        unit = np.arange(p)
        for names in together:
            places = np.flatnonzero(self._mask(names, "together"))
            unit[places] = places.min(initial=p)
        free = ~self.always & ~never_in
        if prefilter is not None and keep:
            free &= self._best(free, unit, prefilter, keep)
        self.searched = free
        self._features = np.flatnonzero(free)
        kept, self._unit = np.unique(unit[self._features], return_inverse=True)
        self.units = len(kept)
        self.is_plain = self.units == p
        if not self.units:
            raise SettingsError(
                "No feature is left to choose among: leave some out of the lists always in and never in."
            )

    def _mask(self, names: Sequence[str], role: str) -> Mask:
        unknown = [name for name in names if name not in self._place]
        if unknown:
            raise SettingsError(f'{self.dataset.name} has no feature "{unknown[0]}" ({role}): check the name.')
        mask: Mask = np.zeros(len(self._place), dtype=np.bool_)
        mask[[self._place[name] for name in names]] = True
        return mask

    def _best(self, free: Mask, unit: NDArray[np.intp], prefilter: FilterName, keep: int) -> Mask:
        """The best free features by a filter, the earlier of equal ones; a group counts as one, by its best feature."""
        scores = np.full(len(free), -np.inf)
        np.maximum.at(scores, unit[free], filter_scores(self.dataset, prefilter)[free])
        best: Mask = np.isin(unit, np.argsort(-scores, kind="stable")[:keep])
        return best

    def mask(self, units: Mask) -> Mask:
        """(p,) mask of features of a (units,) mask."""
        if self.is_plain:
            return units
        mask = self.always.copy()
        mask[self._features] |= units[self._unit]
        return mask

    def weights(self, units: NDArray[np.float64]) -> NDArray[np.float64]:
        """(p,) weights of (units,) ones: 1 for features that are always in, 0 for those that are not searched."""
        if self.is_plain:
            return units
        weights = self.always.astype(np.float64)
        weights[self._features] = units[self._unit]
        return weights

    def with_companions(self, names: Sequence[str]) -> Mask:
        """(p,) mask of these features and of all that go together with them."""
        mask = self._mask(names, "steering")
        chosen = np.bincount(self._unit, weights=mask[self._features], minlength=self.units) > 0
        mask[self._features] |= chosen[self._unit]
        return mask

    def names(self, mask: Mask) -> tuple[str, ...]:
        """Names of the features in a (p,) mask."""
        return self.names_at(np.flatnonzero(mask))

    def names_at(self, places: NDArray[np.intp]) -> tuple[str, ...]:
        """Names of the features at these places."""
        return tuple(self.dataset.features[place] for place in places.tolist())

    def start(self, names: Sequence[str]) -> Mask | None:
        """(units,) mask of the units with any of these features; None where there are no names."""
        if not names:
            return None
        chosen = self._mask(names, "to start with")[self._features]
        units: Mask = np.bincount(self._unit, weights=chosen, minlength=self.units) > 0
        if not units.any():
            raise SettingsError("None of the features to start with can be chosen: give others.")
        return units

    def scores(self, name: FilterName, dataset: Dataset | None = None) -> NDArray[np.float64]:
        """(units,) a filter's score, of features together the largest; from all rows, or from another set of them."""
        scores = np.full(self.units, -np.inf)
        np.maximum.at(scores, self._unit, filter_scores(dataset or self.dataset, name)[self._features])
        return scores
