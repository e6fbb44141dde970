"""Stand-ins for an evaluator, of which only a method ``measure(mask, number)`` is their own."""

from functools import partial
from operator import itemgetter

from fsdesk.measure import OneByOne

__all__ = ["Measuring"]


class Measuring:
    """Measures mask by mask, none of them in parts."""

    def divides(self, mask):
        return False

    def job(self, masks, numbers, at_once, threads):
        parts = [[partial(self.measure, mask, number)] for mask, number in zip(masks, numbers, strict=True)]
        return OneByOne(parts, itemgetter(0))
