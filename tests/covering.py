"""Combinations that stand for all: every two values of different choices meet in at least one of them."""

from collections.abc import Sequence
from itertools import combinations, product

__all__ = ["covering"]


def covering(*choices: Sequence[object]) -> list[tuple[object, ...]]:
    """Pairwise covering combinations of one value of each choice, found greedily, always the same ones.

    Faults that three or more values must meet for are rare (Kuhn, Wallace and Gallo 2004, IEEE Trans. Softw. Eng. 30).
    """
    everything = list(product(*map(range, map(len, choices))))
    pairs = {each: set(combinations(enumerate(each), 2)) for each in everything}
    missing = set().union(*pairs.values())
    chosen = []
    while missing:
        best = max(everything, key=lambda each: len(pairs[each] & missing))
        missing -= pairs[best]
        chosen.append(best)
    return [tuple(choice[place] for choice, place in zip(choices, each, strict=True)) for each in chosen]
