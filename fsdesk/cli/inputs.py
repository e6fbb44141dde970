"""What a person types, as values: settings, lists of names, the subset of another run, the table."""

import csv
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fsdesk.data import Dataset, ReadOptions, read_table
from fsdesk.errors import DataError, SettingsError
from fsdesk.results.formulas import original
from fsdesk.results.settings_file import SavedSettings, parsed_settings
from fsdesk.settings import Value

__all__ = ["dataset", "from_list", "from_subset", "from_toml", "from_words"]

_MASK = ["feature", "selected"]


def from_words(words: Sequence[str] | None) -> dict[str, Value]:
    """``["a=0.5"]`` to ``{"a": "0.5"}``; the declaration of the setting gives it its type."""
    values: dict[str, Value] = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        if not equals or not name.strip():
            raise SettingsError(f'"{word}" is not of the form NAME=VALUE, such as max_iterations=500.')
        values[name.strip()] = value.strip()
    return values


def from_toml(path: Path | None) -> SavedSettings:
    """What a settings file says; nothing without a path."""
    if path is None:
        return SavedSettings()
    try:
        return parsed_settings(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise SettingsError(f'"{path}" cannot be read ({error.strerror}): check its name.') from error
    except UnicodeDecodeError as error:
        raise SettingsError(f'"{path}" is not valid TOML ({error}).') from error


def from_list(names: str) -> tuple[str, ...]:
    """``'"weight, kg",height'`` to two names; SettingsError where there are fewer than two."""
    found = tuple(name.strip() for name in next(csv.reader([names], skipinitialspace=True), []) if name.strip())
    if len(found) < 2:
        raise SettingsError(f'--together "{names}" names no two features: separate their names by commas.')
    return found


def from_subset(path: Path | None) -> tuple[str, ...]:
    """Names of the selected features in the ``mask.csv`` or ``selected.txt`` of a run; none without a path."""
    if path is None:
        return ()
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise DataError(f'"{path}" cannot be read ({error.strerror}): check its name.') from error
    except UnicodeDecodeError as error:
        raise DataError(f'"{path}" is no text: give the mask.csv or selected.txt of another run.') from error
    rows = list(csv.reader(lines))
    if rows and rows[0][:2] == _MASK:
        names = tuple(original(row[0]) for row in rows[1:] if row[1:2] == ["1"])
    else:
        names = tuple(filter(None, lines))
    if not names:
        raise DataError(f'"{path}" names no feature: give the mask.csv or selected.txt of another run.')
    return names


def dataset(path: Path, target: str | None, choices: Mapping[str, Any], read: Sequence[str] | None) -> Dataset:
    """Read the table and make the data set of it; what the user should know goes to stderr."""
    ways = from_words(read)
    unknown = [name for name in ways if name not in ReadOptions.model_fields]
    if unknown:
        known = ", ".join(ReadOptions.model_fields)
        raise SettingsError(f'There is no way of reading "{unknown[0]}"; there are: {known}.')
    options: dict[str, Any] = {**choices, **ways}
    made = read_table(path, target, **options)
    for check in made.checks:
        print(f"note: {check.sentence}", file=sys.stderr)
    return made
