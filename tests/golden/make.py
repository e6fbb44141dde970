"""Make the golden files: a project, bundles and what they must say, as this version of fsdesk writes them.

Those of a version are made once, and never again: ``python -m tests.golden.make 0.1.0``.
"""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from fsdesk.data import Dataset
from fsdesk.engine import Flag, RunFailed, RunSpec, RunState, Steered, ThreadExecutor, pack_masks, run
from fsdesk.engine.tasks import evaluator_of
from fsdesk.results.bundle import bundle, bundle_with_data
from fsdesk.results.evidence import Fresh, OuterFold
from fsdesk.results.held_out_rows import own_error
from fsdesk.results.job import fresh_error
from fsdesk.results.outer import outer_steps
from fsdesk.results.record import RunRecord
from fsdesk.store import Project

FOLDER = Path(__file__).parent
QUICK = {"repeats": 2, "folds": 3}
SHORT = {"max_iterations": 12, "n_finalists": 3, "finalist_measurements": 2}


def classes() -> Dataset:
    """60 rows, 8 features; 1 and 5 tell the classes apart, 7 is a category, one value is missing."""
    rng = np.random.default_rng(11)
    target = np.arange(60) % 2
    x = rng.normal(size=(60, 8))
    x[:, 1] += 2.0 * target
    x[:, 5] -= 2.0 * target
    x[:, 7] = rng.integers(0, 3, size=60)
    x[4, 2] = np.nan
    names = tuple(f"feature {place}" for place in range(8))
    return Dataset(
        "golden classes", np.asfortranarray(x), names, target, "class", ("no", "yes"),
        tuple(f"row {row}" for row in range(60)), {7: ("red", "green", "blue")},
    )  # fmt: skip


def numbers() -> Dataset:
    """40 rows of 10 groups, 6 features; 0 and 3 explain the response."""
    rng = np.random.default_rng(12)
    x = np.asfortranarray(rng.normal(size=(40, 6)))
    response = 3 * x[:, 0] - 2 * x[:, 3] + 0.1 * rng.normal(size=40)
    return Dataset(
        "golden numbers", x, tuple("abcdef"), np.zeros(40, dtype=np.int64), "y", (), tuple(map(str, range(40))),
        response=response, groups=np.arange(40) // 4,
    )  # fmt: skip


@dataclass
class Script(Flag):
    """A control that stops before a measurement, and steers before others."""

    stop_before: int = 0
    steerings: list[Steered] = field(default_factory=list)
    stop: bool = False
    asked: int = 0

    def should_stop(self) -> bool:
        self.stop = bool(self.stop_before) and self.asked >= self.stop_before
        return self.stop

    def steerings_before(self, number):
        self.asked = number
        due = [each for each in self.steerings if each.number <= number]
        self.steerings = [each for each in self.steerings if each.number > number]
        return due


def searched(spec, dataset, control=None, before=()):
    """The new events of a run."""
    with ThreadExecutor(evaluator_of(spec, dataset)) as executor:
        return list(run(spec, dataset, executor, before, control))


def make(version: str) -> None:
    """Write the project, its bundles and what they say."""
    path = FOLDER / f"{version}.fsdesk"
    project, made = Project.create(path), classes()
    regression = numbers()
    project.add_dataset(made)
    project.add_dataset(regression)

    def add(dataset, control=None, method="bspsa", wrapper="nn", settings=None, **more):
        spec = RunSpec.make(dataset, method=method, wrapper=wrapper, settings={**QUICK, **(settings or {})}, **more)
        number = project.add_run(spec)
        events = searched(spec, dataset, control)
        project.append([(number, event) for event in events])
        return number

    add(made, settings=SHORT, seed=1)
    add(made, method="sffs", wrapper="cart", always=["feature 5"], never=["feature 0"], settings={"prefilter": "f"})
    add(made, method="univariate", wrapper="nb", together=[["feature 2", "feature 3"]])
    race = add(made, method="auto", settings={"fits": 1500, "resamples": 3}, seed=3)
    steerings = [Steered(8, pin=("feature 5",), ban=("feature 1",)), Steered(14, free=("feature 1",), measurements=6)]
    add(made, Script(steerings=steerings), settings=SHORT, seed=4)
    resumed = add(made, Script(stop_before=100), method="bspsa-r", settings={"fits": 600, "resamples": 3}, seed=5)
    stored = project.run(resumed)
    rest = searched(stored.spec, made, before=tuple(project.events(resumed)))
    project.append([(resumed, event) for event in rest])
    add(made, Script(stop_before=10), method="cspsa", settings={"max_iterations": 12}, seed=6)
    failed = add(made, Script(stop_before=4), method="bga", wrapper="c45", settings={"max_measurements": 100}, seed=7)
    project.append([(failed, RunFailed("A worker ended unexpectedly.", passing=True))])
    add(regression, method="l1", wrapper="ridge", settings={"resamples": 3}, seed=8)

    for number in (1, race):
        state, spec = project.state(number), project.run(number).spec
        kept = [Fresh(pack_masks([state.best.mask])[0], fresh_error(spec, made, state.best.mask).values)]
        if state.race.winner is not None:
            kept.append(own_error(spec, made, state, state.best.mask))
        else:
            kept += [step for step in outer_steps(spec, made, 3, 1, (), Flag(), ()) if isinstance(step, OuterFold)]
        for evidence in kept:
            project.append([(number, evidence)])
    said = {}
    for stored in project.runs():
        spec, state = stored.spec, project.state(stored.id)
        dataset = project.dataset(spec.data_fingerprint)
        end = RunState()
        for event in searched(spec, dataset, Script(steerings=list(state.steering_events))):  # never interrupted
            end.apply(event)
        said[stored.id] = {
            "method": spec.method,
            "status": state.status,
            "measurements": state.evaluations,
            "answer": [name for name, chosen in zip(end.features, end.best.mask, strict=True) if chosen],
            "error": end.best.mean,
        }
    (FOLDER / f"{version}.json").write_text(json.dumps(said, indent=1) + "\n")
    for number, write, name in ((race, bundle_with_data, "race"), (5, bundle, "steered")):
        (FOLDER / f"{version}-{name}.zip").write_bytes(write(RunRecord.stored(project, number), made))
    project.close()


if __name__ == "__main__":
    make(sys.argv[1])
