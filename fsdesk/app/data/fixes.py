"""What can be done about a finding with one click, and how it is undone."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from fsdesk.app.look.translation import tr
from fsdesk.app.look.words import counted
from fsdesk.data import Check, Choices, Table
from fsdesk.data.wording import quoted

__all__ = ["Fix", "fixes_for", "sentence_of"]

_MISSING = {
    "impute": ("fillIn", "Fill them in", "Each gap is filled inside every training fold."),
    "drop rows": ("dropRows", "Leave out rows", "Rows that miss a value take no part."),
    "drop columns": ("dropColumns", "Leave out columns", "Columns that miss a value take no part."),
}
_OUT = {
    "constant columns": ("of one value", "They are no features any more; the data in the file stay as they are."),
    "duplicated columns": ("that equal an earlier one", "The first of the equal columns stays."),
    "text among numbers": ("of numbers with text among them", "Correct the cells in the file to use them as numbers."),
}


@dataclass(frozen=True)
class Fix:
    """A change of the choices behind a link.

    Attributes
    ----------
    name, title, tip
        Name of the control, its text, and what hovering tells.
    out, back
        Columns that are left out, or may be features again.
    changes
        Other fields of the choices with their new values.
    done
        What is said where the finding itself goes away with it; "" where the finding stays and offers the way back.
    """

    name: str
    title: str
    tip: str
    out: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    changes: Mapping[str, Any] = field(default_factory=dict)
    done: str = ""

    def applied(self, choices: Choices) -> Choices:
        """The choices with this change."""
        ignore = ({*choices.ignore} | {*self.out}) - {*self.back}
        return replace(choices, ignore=tuple(sorted(ignore)), **self.changes)

    def holds(self, choices: Choices) -> bool:
        """Whether the choices are still as this left them."""
        changed = all(getattr(choices, name) == value for name, value in self.changes.items())
        return changed and {*self.out} <= {*choices.ignore} and not {*self.back} & {*choices.ignore}

    def undone(self, before: Choices) -> "Fix":
        """The way back to how it was ``before``."""
        fresh = tuple(name for name in self.out if name not in before.ignore)
        values = {name: getattr(before, name) for name in self.changes}
        return Fix(f"undo_{self.name}", "Undo", "Let it be as it was", back=fresh, changes=values)


def fixes_for(check: Check, choices: Choices, table: Table) -> list[Fix]:
    """What the user may want to do about a finding; nothing where nothing obvious helps."""
    maker = _MAKERS.get(check.kind)
    return maker(check, choices, table) if maker is not None else []


def sentence_of(check: Check, choices: Choices) -> str:
    """The sentence of a check; of one about described samples, what the window does about it."""
    if check.kind != "sample descriptions":
        return check.sentence
    names = check.columns
    held = [name for name in _free(names, choices) if name in choices.ignore]
    describe = "column describes" if len(names) == 1 else "columns describe"
    left = f"{quoted(held)} {'is' if len(held) == 1 else 'are'} left out" if held else "none is left out"
    kind = "is no measurement" if len(names) == 1 else "are no measurements"
    return f"{len(names):,} {describe} the samples and {kind}; {left}."


def _leave_out(check: Check, choices: Choices, table: Table) -> list[Fix]:
    words, tip = _OUT[check.kind]
    out = _free(check.columns, choices)
    done = f"{counted(len(out), 'column')} {words} {'is' if len(out) == 1 else 'are'} left out."
    return [Fix(f"fix_{check.kind}", _them("Leave", "out", out), tip, out=out, done=done)] if out else []


def _describing(check: Check, choices: Choices, table: Table) -> list[Fix]:
    names = _free(check.columns, choices)
    held = tuple(name for name in names if name in choices.ignore)
    fixes = []
    if len(held) < len(names):
        tip = "What only describes a sample may give its class away."
        fixes.append(Fix("fix_describing", _them("Leave", "out", names), tip, out=names))
    if held:
        tip = "Only where they would be known of a new sample before its class is."
        fixes.append(Fix("fix_described", _them("Use", "as features", held), tip, back=held))
    return fixes


def _as_features(check: Check, choices: Choices, table: Table) -> list[Fix]:
    """What only numbers the rows may be a measurement all the same, such as the order in which samples were taken."""
    names = _free(check.columns, choices)
    if not names:
        return []
    tip = tr("It is set aside because its values look like row ids: use it only if it was measured.")
    kept = tuple(sorted({*choices.keep, *names}))
    title = tr("Use it as a feature") if len(names) == 1 else tr("Use them as features")
    done = tr("{names} may be chosen by the search.", names=quoted(names))
    return [Fix("fix_keep", title, tip, changes={"keep": kept}, done=done)]


def _gaps(check: Check, choices: Choices, table: Table) -> list[Fix]:
    return [
        Fix(f"fix_{name}", title, tip, changes={"missing": value})
        for value, (name, title, tip) in _MISSING.items()
        if value != choices.missing
    ]


def _texts(check: Check, choices: Choices, table: Table) -> list[Fix]:
    if choices.nominal == "drop":
        return [
            Fix("fix_encode", "Code the categories", "One column of 0 and 1 for each.", changes={"nominal": "encode"})
        ]
    tip = "Columns of text are no features any more."
    return [Fix("fix_nominal", _them("Leave", "out", check.columns), tip, changes={"nominal": "drop"})]


def _grouping(check: Check, choices: Choices, table: Table) -> list[Fix]:
    """One text that differs in nearly every row, but not in all, may name what was measured more than once."""
    if len(check.columns) != 1 or choices.group is not None or check.columns[0] not in table.columns:
        return []
    (name,) = check.columns
    if len(table.categories.get(table.columns.index(name), ())) >= len(table.rows):
        return []
    tip = "Rows with the same value, such as those of one patient, are never split between training and test."
    done = f'Rows with the same "{name}" are never split between training and test.'
    return [Fix("fix_group", "Use as groups of rows", tip, changes={"group": name}, done=done)]


def _free(names: tuple[str, ...], choices: Choices) -> tuple[str, ...]:
    taken = {choices.target, choices.group, choices.folds, choices.time}
    return tuple(name for name in names if name not in taken)


def _them(verb: str, rest: str, names: tuple[str, ...]) -> str:
    return f"{verb} {'it' if len(names) == 1 else 'them'} {rest}".replace("it as features", "it as a feature")


_MAKERS: dict[str, Callable[[Check, Choices, Table], list[Fix]]] = {
    **dict.fromkeys(_OUT, _leave_out),
    "id columns": _as_features,
    "missing values": _gaps,
    "non-numeric columns": _texts,
    "sample descriptions": _describing,
    "text columns": _grouping,
}
