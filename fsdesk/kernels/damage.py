"""Kernels that were kept and cannot be read, as after a loss of power, are compiled anew.

numba gives up instead, and a model could never be used again.
"""

import pickle
from typing import Any

from fsdesk.kernels.lazily import knows

__all__ = ["forgive_damage"]

_DAMAGE = (EOFError, pickle.UnpicklingError, AttributeError, ImportError, IndexError, KeyError, TypeError, ValueError)
_SAVING = ("_save_index", "_save_data")


def forgive_damage() -> None:
    """Have numba take files that it cannot read for files that are not there."""
    from numba.core import caching

    kept: Any = caching.IndexDataCacheFile
    if knows(kept.load, "_load_index", "get", "_load_data", "OSError") and knows(
        kept.save, "_load_index", "KeyError", "set", "values", "itertools", "count", "_data_name", *_SAVING
    ):
        _forgive_damage(kept)


def _forgive_damage(kept: Any) -> None:
    index, data = kept._load_index, kept._load_data

    def index_or_none(self: Any) -> Any:
        try:
            return index(self)
        except _DAMAGE:
            return {}

    def data_or_none(self: Any, name: str) -> Any:
        try:
            return data(self, name)
        except _DAMAGE as error:
            raise OSError(f"{name} cannot be read") from error  # numba takes it for a file that has gone

    kept._load_index, kept._load_data = index_or_none, data_or_none
