"""Declaration of settings, and the registry of methods and wrappers.

A method or a wrapper is one pydantic model whose fields are its settings. Forms, command line, saved runs, help pages
and tests are all generated from these declarations.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, Literal, Self, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator
from pydantic.fields import FieldInfo

from fsdesk.errors import SettingsError, did_you_mean
from fsdesk.messages import message

Value = bool | int | float | str
Level = Literal["common", "all"]


class Settings(BaseModel):
    """Base of every group of settings: frozen, without unknown names, NaN or infinity."""

    # Deferred, because starting the program uses only a few of fifty groups.
    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True, allow_inf_nan=False, defer_build=True)

    @field_validator("*", mode="before")
    @classmethod
    def _truth_is_no_number(cls, value: Any, info: ValidationInfo) -> Any:
        field_type = cls.model_fields[info.field_name or ""].annotation
        if isinstance(value, bool) and field_type in (int, float):
            raise ValueError(message("expected a number"))
        return value

    @classmethod
    def describe(cls) -> tuple["SettingInfo", ...]:
        """All settings of this group in order of declaration, for a form or a help page."""
        return _described(cls)

    def updated(self, values: Mapping[str, Value]) -> Self:
        """Return a validated copy with some values replaced; raise SettingsError if one is invalid."""
        return validated(type(self), {**self.model_dump(), **values})


def setting(
    default: Value,
    *,
    title: str,
    help: str,  # noqa: A002 - the name that readers of a declaration expect
    source: str = "",
    unit: str = "",
    gt: float | None = None,
    ge: float | None = None,
    lt: float | None = None,
    le: float | None = None,
    level: Level = "common",
    choices: Mapping[str, str] | None = None,
    zero: str = "",
    younger: bool = False,
) -> Any:
    """Declare a setting as a field of a ``Settings`` model.

    Parameters
    ----------
    default
        Its value unless the user changes it.
    title, help, source, unit
        Label in forms; one line of help; the paper's table or the reason for the default; its unit.
    gt, ge, lt, le
        Bounds, exclusive (gt, lt) or inclusive (ge, le).
    level
        "common" settings are always shown, "all" on request.
    choices
        For a ``Literal`` field: a plain label for every value.
    zero
        The meaning of 0, in a word or two that a form shows instead; "" if 0 is an ordinary number.
    younger
        Whether it was added after the first project files: its default is not written, so that those files stay
        identical byte for byte.
    """
    extra: dict[str, Any] = {
        "source": source,
        "unit": unit,
        "level": level,
        "choices": dict(choices or {}),
        "zero": zero,
    }
    return Field(
        default, title=title, description=help, gt=gt, ge=ge, lt=lt, le=le, json_schema_extra=extra,
        exclude_if=(lambda value: value == default) if younger else None,
    )  # fmt: skip


@cache
def _described(model: type[Settings]) -> tuple["SettingInfo", ...]:
    """The cached declarations of a model, because comparing many runs asks for them repeatedly."""
    return tuple(SettingInfo.of(name, info) for name, info in model.model_fields.items())


@dataclass(frozen=True)
class SettingInfo:
    """A declared setting as used by forms, help pages and the command line."""

    name: str
    title: str
    help: str
    kind: Literal["bool", "int", "float", "choice", "text"]
    default: Value
    source: str
    unit: str
    level: Level
    minimum: float | None
    maximum: float | None
    minimum_excluded: bool
    maximum_excluded: bool
    choices: Mapping[str, str]
    zero: str = ""

    @property
    def range(self) -> str:
        """The allowed values, in words."""
        if self.choices:
            return ", ".join(self.choices)
        low = "" if self.minimum is None else f"{'>' if self.minimum_excluded else '>='} {self.minimum:,.12g}"
        high = "" if self.maximum is None else f"{'<' if self.maximum_excluded else '<='} {self.maximum:,.12g}"
        return ", ".join(part for part in (low, high) if part)

    @classmethod
    def of(cls, name: str, info: FieldInfo) -> "SettingInfo":
        """Read the declaration of a pydantic field created with :func:`setting`."""
        extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
        bounds = {
            key: bound
            for constraint in info.metadata
            for key in ("gt", "ge", "lt", "le")
            if (bound := getattr(constraint, key, None)) is not None
        }
        given = extra.get("choices")
        labels = given if isinstance(given, dict) else {}
        is_choice = get_origin(info.annotation) is Literal
        values = get_args(info.annotation) if is_choice else ()
        kinds: dict[Any, Literal["bool", "int", "float", "text"]] = {bool: "bool", int: "int", float: "float"}
        return cls(
            name=name,
            title=info.title or name,
            help=info.description or "",
            kind="choice" if is_choice else kinds.get(info.annotation, "text"),
            default=info.default,
            source=str(extra.get("source", "")),
            unit=str(extra.get("unit", "")),
            level="all" if extra.get("level") == "all" else "common",
            minimum=bounds.get("gt", bounds.get("ge")),
            maximum=bounds.get("lt", bounds.get("le")),
            minimum_excluded="gt" in bounds,
            maximum_excluded="lt" in bounds,
            choices={str(value): str(labels.get(str(value), value)) for value in values},
            zero=str(extra.get("zero", "")),
        )


@dataclass(frozen=True)
class Preset:
    """A named set of values, and the numbers of features that they suit."""

    name: str
    values: Mapping[str, Value]
    help: str = ""
    min_features: int = 1
    max_features: int | None = None

    def suits(self, features: int) -> bool:
        """Whether this preset is meant for a table with this many features."""
        return self.min_features <= features and (self.max_features is None or features <= self.max_features)


M = TypeVar("M", bound=Settings)


@dataclass(frozen=True)
class Entry(Generic[M]):
    """A registered method or wrapper: its settings model and its description."""

    name: str
    title: str
    summary: str
    model: type[M]
    reference: str = ""
    presets: tuple[Preset, ...] = ()
    short: str = ""

    @property
    def brief(self) -> str:
        """The title for narrow places such as lists."""
        return self.short or self.title

    def preset(self, name: str) -> Preset:
        """Look up a preset by name; raise SettingsError listing the valid names."""
        for preset in self.presets:
            if preset.name == name:
                return preset
        known = ", ".join(f'"{preset.name}"' for preset in self.presets) or "none"
        raise SettingsError(
            '{title} has no preset "{name}". Available: {known}.{near}',
            title=self.title, name=name, known=known, near=did_you_mean(name, [each.name for each in self.presets]),
        )  # fmt: skip

    def preset_for(self, features: int) -> Preset | None:
        """The first preset that suits a table with this many features."""
        return next((preset for preset in self.presets if preset.suits(features)), None)

    def build(self, values: Mapping[str, Value], *, preset: str | None = None, features: int | None = None) -> M:
        """Create the settings: a preset (by default the one suited to ``features``), overridden by ``values``."""
        chosen = self.preset(preset) if preset else self.preset_for(features) if features is not None else None
        return validated(self.model, {**(chosen.values if chosen else {}), **values})


@dataclass
class Registry(Generic[M]):
    """All methods or all wrappers, by name. ``kind`` is the word used in messages."""

    kind: str
    entries: dict[str, Entry[M]] = field(default_factory=dict)
    is_arranged: bool = False

    def register(
        self,
        name: str,
        *,
        title: str,
        summary: str,
        reference: str = "",
        presets: tuple[Preset, ...] = (),
        short: str = "",
    ) -> Callable[[type[M]], type[M]]:
        """Class decorator that registers a settings model under a name; ``short`` is its title in lists."""

        def enter(model: type[M]) -> type[M]:
            self.entries[name] = Entry(name, title, summary, model, reference, presets, short)
            return model

        return enter

    def arrange(self, *names: str) -> None:
        """Show these first in lists, in this order."""
        self.entries = {name: self.entries[name] for name in (*names, *self.entries)}
        self.is_arranged = True

    def listed(self, title: Callable[[Entry[M]], str]) -> list[Entry[M]]:
        """All entries in list order: as arranged, then by title."""
        return list(self) if self.is_arranged else sorted(self, key=lambda entry: title(entry).casefold())

    def __getitem__(self, name: str) -> Entry[M]:
        if not isinstance(name, str) or name not in self.entries:
            known = ", ".join(sorted(self.entries))
            raise SettingsError(
                'There is no {kind} "{name}". Choose one of: {known}.{near}',
                kind=self.kind, name=name, known=known, near=did_you_mean(str(name), self.entries),
            )  # fmt: skip
        return self.entries[name]

    def __iter__(self) -> Iterator[Entry[M]]:
        return iter(self.entries.values())


S = TypeVar("S", bound=BaseModel)


def validated(model: type[S], values: Mapping[str, Any]) -> S:
    """Create ``model`` from ``values``; raise SettingsError for the first invalid value."""
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        raise SettingsError(_sentence(model, error)) from None


def _sentence(model: type[BaseModel], error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or model.__name__
    if first["type"] == "extra_forbidden":
        known = ", ".join(model.model_fields)
        near = did_you_mean(place, model.model_fields)
        return message('There is no setting "{place}". Available: {known}.{near}', place=place, known=known, near=near)
    limits = first.get("ctx", {})
    # A validator of ours raises its own sentence.
    reason = str(limits["error"]) if "error" in limits else _reason(first["type"], first["msg"], limits)
    value = first["input"]
    near = ""
    if first["type"] == "literal_error" and isinstance(value, str):
        near = did_you_mean(value, re.findall(r"'([^']*)'", limits["expected"]))
    return message(
        'Setting "{place}": {reason} (got {value}).{near}', place=place, reason=reason, value=repr(value), near=near
    )


def _reason(kind: str, refusal: str, limits: Mapping[str, Any]) -> str:
    """Why a value is rejected, in our own words rather than pydantic's, so that it can be translated."""
    match kind:
        case "greater_than":
            return message("it must be more than {limit:.12g}", limit=limits["gt"])
        case "greater_than_equal":
            return message("it must be at least {limit:.12g}", limit=limits["ge"])
        case "less_than":
            return message("it must be less than {limit:.12g}", limit=limits["lt"])
        case "less_than_equal":
            return message("it must be at most {limit:.12g}", limit=limits["le"])
        case "literal_error":
            return message("it must be one of {value}", value=limits["expected"].replace(" or ", ", "))
        case "finite_number":
            return message("it must be finite")
        case "int_type" | "int_parsing" | "int_from_float" | "int_parsing_size":
            return message("expected a whole number")
        case "float_type" | "float_parsing":
            return message("expected a number")
        case "bool_type" | "bool_parsing":
            return message("expected true or false")
        case "string_type":
            return message("expected text")
        case "tuple_type":
            return message("expected a list of names")
    return refusal[0].lower() + refusal[1:]
