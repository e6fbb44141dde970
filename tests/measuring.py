"""Stand-ins for an evaluator and a pace."""

from functools import partial
from operator import itemgetter

from fsdesk.engine.executor import Pace
from fsdesk.measure import OneByOne

__all__ = ["Measuring", "Together"]


class Measuring:
    """An evaluator that measures mask by mask by its own ``measure(mask, number)``, none of them in parts."""

    def divides(self, mask):
        return False

    def job(self, masks, numbers, at_once, threads):
        parts = [[partial(self.measure, mask, number)] for mask, number in zip(masks, numbers, strict=True)]
        return OneByOne(parts, itemgetter(0))


class Together(Pace):
    """Lets threads measure together from the first mask on."""

    def together(self):
        return True
