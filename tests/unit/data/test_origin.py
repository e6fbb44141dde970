"""The table of a data set in a project: what is read back makes the same data set, and others."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from fsdesk.data import Choices, Dataset, Origin, Table, prepare, read
from fsdesk.data.origin import packed, rebuilt
from fsdesk.store import Project


@pytest.fixture
def clinic(tmp_path: Path) -> Table:
    lines = ["patient,age,crp,ward,stage,months,dead,ill"]
    rng = np.random.default_rng(0)
    for at in range(40):
        ill = "" if at == 7 else ("yes", "no")[at % 2]
        ward = ("a", "b", "c")[at % 3]
        row = (f"P{at // 2}", rng.integers(30, 80), f"{rng.normal():.3f}", ward, at % 4, at + 1, at % 3 == 0, ill)
        lines.append(",".join(map(str, row)))
    path = tmp_path / "clinic.csv"
    path.write_text("\n".join(lines))
    return read(path)


def _stored(dataset: Dataset, folder: Path, origin: Origin | None) -> tuple[Dataset, Origin]:
    path = folder / "held.fsdesk"
    path.unlink(missing_ok=True)
    with closing(Project.create(path)) as project:
        project.add_dataset(replace(dataset, origin=None), origin)
    with closing(Project.open(path)) as project:
        back = project.dataset(dataset.fingerprint)
        return back, project.origin(back)


def _remade(origin: Origin) -> Dataset:
    return prepare(origin.table, **asdict(origin.choices))


CHOICES = (
    Choices("ill", ignore=("months", "dead"), group="patient"),
    Choices("ill", ignore=("months", "dead", "crp"), group="patient", folds="stage"),
    Choices("age", ignore=("months", "dead", "ill"), missing="drop rows", time="stage"),
    Choices("months", ignore=("ill",), event="dead", group="patient"),
    Choices("ward", ignore=("months", "dead", "ill", "patient")),
)


@pytest.mark.parametrize("choices", CHOICES)
def test_the_table_in_a_project_is_the_one_that_was_read(clinic: Table, tmp_path: Path, choices: Choices) -> None:
    dataset = prepare(clinic, **asdict(choices))
    assert dataset.origin is not None
    back, origin = _stored(dataset, tmp_path, dataset.origin)
    assert origin.whole
    assert origin.table.columns == clinic.columns
    assert origin.table.rows == clinic.rows
    assert dict(origin.table.categories) == dict(clinic.categories)
    assert np.array_equal(origin.table.values, clinic.values, equal_nan=True)
    assert (back.role_names, back.group_names) == (dataset.role_names, dataset.group_names)
    made = _remade(origin)
    assert made.fingerprint == dataset.fingerprint
    assert [check.kind for check in made.checks] == [check.kind for check in dataset.checks]


@pytest.mark.parametrize("choices", CHOICES)
def test_without_the_table_that_of_the_data_set_makes_it_again(clinic: Table, tmp_path: Path, choices: Choices) -> None:
    dataset = prepare(clinic, **asdict(choices))
    _, origin = _stored(dataset, tmp_path, None)
    assert not origin.whole
    made = _remade(origin)
    assert (made.features, made.classes, made.target_name) == (dataset.features, dataset.classes, dataset.target_name)
    assert made.task == dataset.task
    for name in ("x", "target", "response", "groups", "fold_of", "time"):
        before, after = getattr(dataset, name), getattr(made, name)
        assert before is after is None or np.array_equal(before, after, equal_nan=True), name
    assert {*origin.table.columns}.isdisjoint(choices.ignore)
    kinds = [check.kind for check in made.checks]
    assert len(kinds) == len({*kinds})


def test_of_a_data_set_made_by_hand_the_roles_have_a_name() -> None:
    x = np.asfortranarray(np.random.default_rng(0).normal(size=(20, 3)))
    halves = np.arange(20) // 2
    dataset = Dataset("made", x, ("a", "group", "c"), np.arange(20) % 2, "y", ("0", "1"), ("",) * 20, groups=halves,
                      time=np.arange(20))  # fmt: skip
    made = rebuilt(dataset)
    assert made.choices.group == "group_2"
    assert made.choices.time == "time"
    assert _remade(made).fingerprint == dataset.fingerprint


def test_a_feature_that_looks_like_an_id_stays_one() -> None:
    ids = np.arange(1.0, 41.0)
    x = np.asfortranarray(np.column_stack([np.random.default_rng(0).normal(size=40), ids]))
    dataset = Dataset("made", x, ("a", "id"), np.arange(40) % 2, "y", ("0", "1"), ("",) * 40)
    made = rebuilt(dataset)
    assert made.choices.keep == ("id",)
    assert _remade(made).fingerprint == dataset.fingerprint


def test_an_outcome_in_one_column_becomes_two(tmp_path: Path) -> None:
    path = tmp_path / "times.csv"
    rng = np.random.default_rng(0)
    lines = [f"{rng.normal():.3f},{rng.normal():.3f},{at + 1}{'+' * (at % 2)}" for at in range(40)]
    path.write_text("\n".join(["a,b,months", *lines]))
    dataset = prepare(read(path))
    assert dataset.event
    made = _remade(rebuilt(dataset))
    assert made.task == "survival"
    assert np.array_equal(made.response, dataset.response)


@pytest.mark.parametrize("names", [("x", "y"), ("x", "z")])
def test_another_table_is_not_stored(clinic: Table, names: Sequence[str]) -> None:
    dataset = prepare(clinic, "ill", group="patient")
    other = replace(clinic, rows=tuple(f"{names[at % 2]}{at}" for at in range(len(clinic.rows))))
    assert packed(Origin(other, Choices("ill", group="patient")), dataset) is None
    assert packed(Origin(clinic, Choices("ill")), dataset) is None
