"""A cost matrix as people write it: "ill > healthy = 5; healthy > ill = 1"."""

import numpy as np
from numpy.typing import NDArray

from fsdesk.errors import SettingsError

__all__ = ["class_named", "cost_matrix"]


def cost_matrix(text: str, classes: tuple[str, ...]) -> NDArray[np.float64]:
    """(classes, classes) cost of predicting the second class for a row of the first; 1 for mistakes that are not named.

    Raises
    ------
    SettingsError
        Where an entry is not "true class > predicted class = cost", names no class, or has a negative cost.
    """
    matrix = 1.0 - np.eye(len(classes))
    for entry in filter(str.strip, text.split(";")):
        pair, _, number = entry.rpartition("=")
        first, _, second = pair.partition(">")
        try:
            cost = float(number)
        except ValueError:
            cost = np.nan
        if not (0 <= cost < np.inf) or not first.strip() or not second.strip():
            raise SettingsError(
                f'Setting "costs": "{entry.strip()}" is not of the form "true class > predicted class = cost", '
                f'such as "{classes[0]} > {classes[-1]} = 5"; separate several by ";".'
            )
        matrix[class_named(first, classes), class_named(second, classes)] = cost
    return matrix


def class_named(name: str, classes: tuple[str, ...]) -> int:
    """Code of a class; SettingsError with the names there are."""
    if name.strip() not in classes:
        known = ", ".join(f'"{each}"' for each in classes[:10]) + (", ..." if len(classes) > 10 else "")
        raise SettingsError(f'There is no class "{name.strip()}"; the classes are {known}.')
    return classes.index(name.strip())
