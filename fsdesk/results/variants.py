"""What tells runs of one method or one model apart: the settings in which they differ, in words."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fsdesk.engine import RunSpec
from fsdesk.messages import joined, mark, message
from fsdesk.methods import METHODS
from fsdesk.settings import Settings
from fsdesk.wrappers import WRAPPERS

__all__ = ["variants"]

_MOST = 3
_SINGLE = (bool, int, float, str, type(None))
_CONSTRAINTS = {
    "always": mark("always in"),
    "never": mark("never in"),
    "together": mark("together"),
    "start": mark("started from"),
}

Choices = Mapping[str, Any]


def variants(specs: Sequence[RunSpec], steered: Sequence[bool]) -> list[tuple[str, str]]:
    """Names of method and model of each run, with the settings in which it differs from others of its name.

    A difference in how subsets are measured is the model's: two such errors do not compare, nor do those of all
    features. Seeds are no difference.
    """
    models = _named(specs, lambda spec: (spec.wrapper, WRAPPERS[spec.wrapper].title), _model_choices)
    by_steering = dict(zip(map(id, specs), steered, strict=True))
    methods = _named(
        specs,
        lambda spec: (spec.method, METHODS[spec.method].brief),
        lambda spec: {**_method_choices(spec), **({"": mark("steered")} if by_steering[id(spec)] else {})},
    )
    return list(zip(methods, models, strict=True))


def _model_choices(spec: RunSpec) -> Choices:
    measuring = {name: value for name, value in _shown(spec.measuring).items() if name != "Criterion"}
    return {**_shown(spec.build_wrapper()), **measuring}


def _method_choices(spec: RunSpec) -> Choices:
    filtered = _shown(spec.prefilter) if spec.prefilter.prefilter != "none" else {}
    constraints = {title: getattr(spec, name) for name, title in _CONSTRAINTS.items() if getattr(spec, name)}
    return {**_shown(spec.build_method()), **filtered, **constraints}


def _shown(settings: Settings) -> Choices:
    infos = {info.name: info.title for info in type(settings).describe()}
    return {infos[name]: value for name, value in settings.model_dump().items()}


def _named(
    specs: Sequence[RunSpec], name_of: Callable[[RunSpec], tuple[str, str]], choices_of: Callable[[RunSpec], Choices]
) -> list[str]:
    """The name of each, unlike for those of one name that differ."""
    groups: dict[tuple[str, str], list[int]] = {}
    for place, spec in enumerate(specs):
        groups.setdefault((*name_of(spec)[:1], spec.measuring.criterion), []).append(place)
    names = [name_of(spec)[1] for spec in specs]
    for members in groups.values():
        choices = {place: choices_of(specs[place]) for place in members}
        titles = dict.fromkeys(title for each in choices.values() for title in each)
        differing = [title for title in titles if len({_plain(each.get(title)) for each in choices.values()}) > 1]
        taken: dict[str, str] = {}
        for place in members:
            alone = _plain([choices[place].get(title) for title in differing])
            name = joined(", ", [message(names[place]), *_words(choices[place], differing)])
            while taken.setdefault(name, alone) != alone:
                name = joined("", [name, "′"])  # differs from the one before in what is not named
            names[place] = name
    return names


def _words(choices: Choices, differing: Sequence[str]) -> list[str]:
    """The first differences: "Repeats 4"."""
    said = [_said(title, choices[title]) for title in differing if title in choices]
    return said[:_MOST] + ([message("and {count} more", count=len(said) - _MOST)] if len(said) > _MOST else [])


def _said(title: str, value: Any) -> str:
    setting = message(title)
    if isinstance(value, bool):
        return setting if value else message("without {setting}", setting=setting)
    if isinstance(value, tuple):
        value = len(value) if len(value) > 1 else value[0]
    if isinstance(value, float):
        return message("{setting} {value:g}", setting=setting, value=value)
    words = message(value) if isinstance(value, str) else value
    return message("{setting} {value}", setting=setting, value=words) if title else words


def _plain(value: Any) -> str:
    if type(value) in _SINGLE:
        return repr(value)  # tells the same apart, in a tenth of the time
    return json.dumps(value, sort_keys=True, default=str)
