"""What each feature is worth alone: the model with this feature and no other, and two quick scores without a model."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.engine import RunSpec
from fsdesk.engine.tasks import evaluator_of
from fsdesk.measure.filters import filter_scores
from fsdesk.measure.resamples import columns_of
from fsdesk.results.honest import FRESH

__all__ = ["Singles", "scored_alone"]

Floats = NDArray[np.float64]

_AT_ONCE = 16


@dataclass(frozen=True, eq=False)
class Singles:
    """Scores of some features, parallel arrays.

    Attributes
    ----------
    places
        (m,) which features.
    losses
        (m,) mean loss of the model with this feature alone, all on the same fresh folds; NaN where it is still to come
        or cannot be measured.
    f, information
        (m,) F statistic and mutual information (nats) with the target, from all rows; NaN where still to come.
    """

    places: NDArray[np.int64]
    losses: Floats
    f: Floats
    information: Floats

    @property
    def done(self) -> int:
        """How many have been measured alone."""
        return int((~np.isnan(self.losses)).sum())


def scored_alone(spec: RunSpec, dataset: Dataset, places: NDArray[np.int64]) -> Iterator[Singles]:
    """Score features one by one, in this order; yield what is known now and then, the whole last."""
    evaluator = evaluator_of(spec, dataset)
    some = columns_of(dataset, places)
    f, information = filter_scores(some, "f"), filter_scores(some, "mutual information")
    losses = np.full(len(places), np.nan)
    yield Singles(places, losses.copy(), f, information)
    for at, place in enumerate(places):
        mask = np.zeros(len(dataset.features), dtype=np.bool_)
        mask[place] = True
        losses[at] = evaluator.measure(mask, FRESH).mean
        if at % _AT_ONCE == _AT_ONCE - 1 or at == len(places) - 1:
            yield Singles(places, losses.copy(), f, information)
