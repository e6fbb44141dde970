"""A later table is read as the first one was: its categories, numbers, decimal sign and missing values."""

from collections.abc import Iterator, Sequence

from fsdesk.data.dataset import Dataset
from fsdesk.data.options import CARRIED, ReadOptions


def as_learned(
    dataset: Dataset, options: ReadOptions | None = None, features: Sequence[str] | None = None
) -> ReadOptions:
    """The options to read a table of new rows with, for what was learned from a data set.

    What the user says goes before what the first table was read with. Columns keep their types: 01 is 01 where it was a
    category, and a column of numbers holds numbers alone; of the ``features`` alone, where some are named.
    """
    options = options or ReadOptions()
    usual = ReadOptions()
    carried = {name: value for name in CARRIED if (value := dataset.ways.get(name))}
    ways = {name: value for name, value in carried.items() if getattr(options, name) == getattr(usual, name)}
    said = "; ".join(filter(None, [str(ways.get("types", "")), options.types, *_types(dataset, features)]))
    return options.updated({**ways, "types": said})


def _types(dataset: Dataset, features: Sequence[str] | None) -> Iterator[str]:
    """An entry for each feature, and for a target of words; "?" for those that a table need not have."""
    wanted = frozenset(dataset.features if features is None else features)
    for place, name in enumerate(dataset.features):
        if name in wanted and ";" not in name:
            yield f"{name}={'category' if place in dataset.categories else 'number'}?"
    if dataset.response is None and not all(map(_is_plain_number, dataset.classes)) and ";" not in dataset.target_name:
        yield f"{dataset.target_name}=category?"


def _is_plain_number(name: str) -> bool:
    try:
        return f"{float(name):.15g}" == name
    except ValueError:
        return False
