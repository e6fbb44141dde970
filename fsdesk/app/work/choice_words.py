"""Choices about columns in a few words, as undo names them."""

from fsdesk.app.look.sentences import quoted
from fsdesk.app.look.translation import tr
from fsdesk.app.look.words import counted
from fsdesk.data import Choices

__all__ = ["choice_words"]


def choice_words(before: Choices, after: Choices) -> str:
    """What leads from one to the other."""
    told: list[str] = []
    if before.target != after.target:
        told.append(tr("Target {old} → {new}", old=before.target or "", new=after.target or ""))
    roles = {"group": tr("Groups of rows"), "folds": tr("Your own folds"), "time": tr("Time")}
    for role, title in roles.items():
        old, new = getattr(before, role), getattr(after, role)
        if old != new:
            told.append(tr("{title}: {column}", title=title, column=new or tr("none")))
    moved = {before.target, after.target, *(getattr(each, role) for each in (before, after) for role in roles)}
    out = tuple(sorted({*after.ignore} - {*before.ignore} - moved))
    back = tuple(sorted({*before.ignore} - {*after.ignore} - moved))
    kept = tuple(sorted({*before.keep} ^ {*after.keep}))
    for title, names in ((tr("Leave out"), out), (tr("Include"), back), (tr("Row ids as features"), kept)):
        if names:
            told.append(f"{title} {quoted(names) if len(names) < 3 else counted(len(names), 'column')}")
    others = {"missing": tr("Missing values"), "nominal": tr("Text columns"), "task": tr("What the target holds")}
    told += [title for name, title in others.items() if getattr(before, name) != getattr(after, name)]
    return ", ".join(told) or tr("Columns")
