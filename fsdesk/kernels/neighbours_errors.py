"""How often the nearest neighbours are wrong, of several masks in one call, as other threads want the interpreter."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.kernels.compiling import entry
from fsdesk.kernels.dealing import Deal, dealt
from fsdesk.kernels.neighbours import Metric, nearest_in_one_pass
from fsdesk.kernels.tally import Tally, finish, take
from fsdesk.kernels.votes import error_rates, majority

__all__ = ["count_errors"]

Double = NDArray[np.float64]
Integers = NDArray[np.int64]


@entry()
def count_errors(
    columns: Double,
    uses: NDArray[np.bool_],
    factors: Double,
    mean: Double,
    deviation: Double,
    learns: bool,
    few: int,
    k: int,
    target: Integers,
    classes: int,
    deal: Deal,
    tally: Tally,
    helps: bool,
) -> None:
    """Count the errors of the majority among the k nearest training rows: misses over tested rows.

    Threads that call it with the same arguments share the work.

    Parameters
    ----------
    columns, factors, mean, deviation
        (p, n) values and (p,) as for :func:`fsdesk.kernels.neighbours.nearest_in_one_pass`, of all columns.
    uses
        (m, p) the columns that each mask compares; they have no gaps.
    learns
        As there.
    few
        Rows of fewer columns are copied.
    target, classes
        (n,) class codes, and how many there are.
    deal
        The folds of each mask, or of all.
    tally
        Of the masks; where it is done on return, others have finished theirs.
    helps
        Whether another thread waits for what is measured.
    """
    none = np.empty((columns.shape[1], 0))
    mask = take(tally, helps)
    while mask >= 0:
        labels, chosen = dealt(deal, mask), np.flatnonzero(uses[mask])
        q = len(chosen)
        parts = np.ones((4, q))
        for place in range(q):
            column = chosen[place]
            parts[1, place], parts[2, place], parts[3, place] = factors[column], mean[column], deviation[column]
        metric = Metric(columns, chosen, parts[:1], parts[1], none, none, none, none)
        neighbours = nearest_in_one_pass(metric, parts[2], parts[3], labels, k, learns, learns or q < few)
        rates = error_rates(majority(neighbours, target, classes), target, labels)
        for repeat in range(len(rates)):
            tally.values[mask, repeat] = rates[repeat]
        finish(tally)
        mask = take(tally, helps)
