"""A cost matrix as people write it: "ill > healthy = 5; healthy > ill = 1"."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fsdesk.errors import SettingsError


def cost_matrix(text: str, classes: tuple[str, ...]) -> NDArray[np.float64]:
    """(classes, classes) cost of predicting the second class for a row of the first; 1 for mistakes that are not named.

    Raises
    ------
    SettingsError
        Where an entry is not "true class > predicted class = cost", names no class, or has a negative cost.
    """
    matrix = 1.0 - np.eye(len(classes))
    example = f"{classes[0]} > {classes[-1]}" if classes else "ill > healthy"
    for entry in _entries(text, classes):
        first, second, cost = _read(entry, classes)
        if not (0 <= cost < np.inf) or not first.strip() or not second.strip():
            raise SettingsError(
                'Setting "costs": "{entry}" is not of the form "true class > predicted class = cost", such as '
                '"{example} = 5"; separate several by ";".',
                entry=entry.strip(),
                example=example,
            )
        matrix[class_named(first, classes), class_named(second, classes)] = cost
    return matrix


def _entries(text: str, classes: tuple[str, ...]) -> Iterator[str]:
    """The entries between semicolons; names of classes, too, may hold some, so the shortest that reads well is one."""
    parts = text.split(";")
    while parts:
        ways = (";".join(parts[:count]) for count in range(1, len(parts) + 1))
        entry = next((way for way in ways if _is_known(way, classes)), parts[0])
        del parts[: entry.count(";") + 1]
        if entry.strip():
            yield entry


def _is_known(entry: str, classes: tuple[str, ...]) -> bool:
    first, second, cost = _read(entry, classes)
    return first in classes and second in classes and 0 <= cost < np.inf


def _read(entry: str, classes: tuple[str, ...]) -> tuple[str, str, float]:
    """The two names of an entry and its cost, not a number where it has none."""
    pair, _, number = entry.rpartition("=")
    try:
        return *_pair(pair, classes), float(number)
    except ValueError:
        return *_pair(pair, classes), np.nan


def class_named(name: str, classes: tuple[str, ...]) -> int:
    """Code of a class; SettingsError with the names there are."""
    if name.strip() not in classes:
        known = ", ".join(f'"{each}"' for each in classes[:10]) + (", ..." if len(classes) > 10 else "")
        raise SettingsError('There is no class "{name}"; the classes are {known}.', name=name.strip(), known=known)
    return classes.index(name.strip())


def _pair(text: str, classes: tuple[str, ...]) -> tuple[str, str]:
    """The two names beside the ">" that parts them: names such as ">50K" may hold one themselves."""
    places = [place for place, letter in enumerate(text) if letter == ">"] or [len(text)]
    ways = [(text[:place].strip(), text[place + 1 :].strip()) for place in places]
    known = [way for way in ways if way[0] in classes and way[1] in classes]
    return (known or [way for way in ways if all(way)] or ways)[0]
