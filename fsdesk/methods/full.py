"""All features: the baseline for every search."""

import numpy as np

from fsdesk.messages import message
from fsdesk.methods.problem import METHODS, End, Loss, Method, Problem, Proposal, Search
from fsdesk.methods.sequential import Point
from fsdesk.settings import Preset, setting

BATCH = 10  # measurements of one proposal: enough to use all cores of a desktop, few enough to show progress


@METHODS.register(
    "full",
    title="All features",
    summary="Selects nothing: measures the full table as a baseline for every search.",
    reference="V. Aksakalli and M. Malekipirbazari, Feature Selection via Binary Simultaneous Perturbation Stochastic "
    'Approximation, Pattern Recognition Letters 75 (2016), columns "Full" of the tables',
    presets=(
        Preset("baseline", {"times": 10}, help="Ten measurements: enough to set the baseline."),
        Preset("precise", {"times": 100}, help="A hundred measurements: a third of the standard error of ten."),
        Preset("paper", {"times": 1}, help="One measurement, as in the paper's tables."),
    ),
)
class Full(Method):
    """The full set of features, measured repeatedly."""

    takes_start = False
    selects = False

    times: int = setting(
        10,
        title="Measurements",
        help="Number of times all features are measured, each on new folds; the error is their mean.",
        source="enough for a standard error of their mean; 1 in the paper",
        ge=1,
        le=100_000,
    )

    def measurements(self, features: int) -> int:
        """The number of measurements in the settings."""
        return self.times

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """Measure batch after batch, each measurement on its own folds; an iteration is one measurement."""
        mask = np.ones(problem.features, dtype=np.bool_)
        heard: list[Loss] = []
        while left := min(self.times + problem.more_measurements, problem.budget) - len(heard):
            masks = [mask] * min(BATCH, left)
            heard += yield Proposal(masks, [True] * len(masks), len(heard), np.ones(problem.features))
        point = Point.of(mask, heard)
        once = len(heard) == 1
        reason = (
            message("all features measured once")
            if once
            else message("all features measured {heard:,} times", heard=len(heard))
        )
        return End(reason, mask, point.mean, point.std_error)
