"""Doors for Python to what the models call deep inside."""

from numba import njit

from fsdesk.kernels import svm_dual

__all__ = ["fit_rows"]


@njit
def fit_rows(kernel, loss, has_bias, tolerance, most, u, room):
    """See :func:`fsdesk.kernels.svm_dual.fit_rows`."""
    return svm_dual.fit_rows(kernel, loss, has_bias, tolerance, most, u, room)
