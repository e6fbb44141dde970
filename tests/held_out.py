"""The held-out error of outer folds in one call."""

import numpy as np

from fsdesk.engine import unpack_masks
from fsdesk.measure import Measurement
from fsdesk.results.evidence import OuterFold
from fsdesk.results.outer import outer_steps


def outer_error(spec, dataset, folds=None, workers=1):
    """One loss and one mask for each outer fold."""
    done = [step for step in outer_steps(spec, dataset, folds, workers) if isinstance(step, OuterFold)]
    masks = unpack_masks(np.array([each.mask for each in done]), len(dataset.features))
    return Measurement(np.array([each.loss for each in done])), list(masks)
