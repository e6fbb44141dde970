"""Doors for Python to what the models call deep inside."""

import numpy as np
from numba import njit

from fsdesk.kernels import svm_dual
from fsdesk.kernels.neighbours import Metric
from fsdesk.kernels.neighbours_errors import Table, find_neighbours
from fsdesk.kernels.neighbours_near import near_rows
from fsdesk.wrappers import Design
from fsdesk.wrappers.columns import ties

__all__ = ["fit_rows", "lengths_of_lists", "neighbours_found"]


@njit
def fit_rows(kernel, loss, has_bias, tolerance, most, u, room):
    """See :func:`fsdesk.kernels.svm_dual.fit_rows`."""
    return svm_dual.fit_rows(kernel, loss, has_bias, tolerance, most, u, room)


@njit
def _near_rows(z, norms, doubt, x, mean, root, weights, labels, k):
    near, pays = near_rows(z, norms, doubt, x, mean, root, weights, labels, k)
    return pays, near.counts


def lengths_of_lists(columns, labels, k):
    """Whether lists pay where all fits share the weights of z-scores, and how long they are; (p, n) columns."""
    x = np.ascontiguousarray(columns.T)
    mean, root = x.mean(axis=0), 1.0 / x.std(axis=0)
    z = ((x - mean) * root).T.astype(np.float32)
    norms = np.square(z.astype(float)).sum(axis=0).astype(np.float32)[None]
    pays, counts = _near_rows(z, norms, 2.7e-6, x, mean, root, root**2, np.ascontiguousarray(labels.T), k)
    return pays, counts[: len(x)]


def neighbours_found(columns, weights, labels, k, may_repeat=False, may_group=True):
    """The nearest training rows by the whole search, of a table without gaps whose features are all used.

    (p, n) columns, (fits or 1, p) weights and (repeats, n) labels; see :func:`find_neighbours`. Where rows may not be
    grouped, rows alike are searched as all others.
    """
    p, n = columns.shape
    columns, none, places = columns.view(), np.empty((n, 0)), np.arange(p)
    columns.setflags(write=False)  # as a design's
    gaps = np.zeros(p, dtype=bool), np.empty((0, 0), dtype=np.uint16), places, places, np.zeros(p, dtype=bool)
    lists, uses = np.ones(64, dtype=np.int64), np.ones(p, dtype=bool)
    alike, steps = ties(Design(columns, places, gaps[0], np.zeros(n, dtype=np.int64), 1, "none"))
    once = np.full(p, np.nan)
    known = (
        once,
        False,
        np.ones(p),
        columns.mean(axis=1),
        np.ones(p),
        *gaps,
        (alike if may_group else np.zeros(p), steps),
    )
    table = Table(columns, *known, False, 1.0, 0, lists)
    metric = Metric(columns, places, weights, np.ones(p), none, none, none, none, once, False)
    return find_neighbours(table, uses, np.ascontiguousarray(labels), k, metric, may_repeat)
