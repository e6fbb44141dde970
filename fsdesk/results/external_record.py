"""What a test of a run's answer on another table gave, and where a project keeps it."""

import json
from dataclasses import asdict, dataclass
from typing import Any

from fsdesk.messages import data_of, message_of
from fsdesk.results.honest_error import HonestError
from fsdesk.store import Project

__all__ = ["ExternalValidation", "keep_external", "kept_external"]


@dataclass(frozen=True)
class ExternalValidation:
    """How the answer of a run does on another table.

    Attributes
    ----------
    name
        Of the other table.
    error
        On its rows, with the interval, and beside all features that both tables have.
    shared, features
        How many features both tables have, and how many the run's has.
    notes
        What the user should know: columns that are missing, ranges that differ, rows without a target.
    selected
        The features of the answer that was tested.
    """

    name: str
    error: HonestError
    shared: int
    features: int
    notes: tuple[str, ...]
    selected: tuple[str, ...]


def keep_external(project: Project, run_id: int, made: ExternalValidation) -> tuple[ExternalValidation, ...]:
    """Keep a validation with its run, in place of an earlier one on the same table; return all that are kept."""
    kept = (*(each for each in kept_external(project, run_id) if each.name != made.name), made)
    records = [{**asdict(each), "notes": [data_of(note) for note in each.notes]} for each in kept]
    project.keep(_name(project, run_id), {"validations": json.dumps(records)})
    return kept


def kept_external(project: Project, run_id: int) -> tuple[ExternalValidation, ...]:
    """The validations of a run on other tables, in the order in which they were made."""
    kept = project.kept(_name(project, run_id))
    return tuple(map(_restored, json.loads(kept["validations"]))) if kept else ()


def _name(project: Project, run_id: int) -> str:
    """With its time, for the number of a deleted run may be given again."""
    return f"external validations of run {run_id} of {project.run(run_id).created}"


def _restored(record: dict[str, Any]) -> ExternalValidation:
    error = HonestError(**record.pop("error"))
    notes, selected = tuple(map(message_of, record.pop("notes"))), tuple(record.pop("selected"))
    return ExternalValidation(error=error, notes=notes, selected=selected, **record)
