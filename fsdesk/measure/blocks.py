"""Named blocks of features, such as clinical variables, RNA and proteins."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from fsdesk.errors import SettingsError


def blocks_of(text: str, features: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Parse text such as "clinical = age, stage; RNA = rna_*": the feature indices of each block, in table order.

    ``*`` in a name matches any characters. Features that are not in a block are left out.

    Raises
    ------
    SettingsError
        If the text does not have this form, a name matches no feature, or a feature is in two blocks.
    """
    found: dict[str, tuple[int, ...]] = {}
    taken: dict[int, str] = {}
    for part in filter(None, (each.strip() for each in text.split(";"))):
        name, sign, members = (each.strip() for each in part.partition("="))
        if not (name and sign and members) or name in found:
            raise SettingsError(
                'Expected blocks such as "clinical = age, stage; RNA = rna_*", got "{part}".', part=part
            )
        places: set[int] = set()
        for pattern in filter(None, (each.strip() for each in members.split(","))):
            own = [place for place, feature in enumerate(features) if feature == pattern]
            own = own or [place for place, feature in enumerate(features) if fnmatchcase(feature, pattern)]
            if not own:
                raise SettingsError(
                    'Block "{name}": no feature matches "{pattern}". Check the name; * matches any characters.',
                    pattern=pattern, name=name,
                )  # fmt: skip
            places |= set(own)
        for place in sorted(places):
            if place in taken:
                raise SettingsError(
                    '"{feature}" is in two blocks, "{first}" and "{second}". A feature may be in only one.',
                    feature=features[place], first=taken[place], second=name,
                )  # fmt: skip
            taken[place] = name
        found[name] = tuple(sorted(places))
    return found
