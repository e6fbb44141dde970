"""What steering promises with every method: it holds, and a run killed and resumed ends with the same bytes."""

from functools import cache

import numpy as np
import pytest

from fsdesk.engine import (
    BatchMeasured,
    Flag,
    Repeated,
    RunFinished,
    RunSpec,
    RunState,
    Steered,
    ThreadExecutor,
    more_of,
    run,
    unpack_masks,
)
from fsdesk.engine.tasks import evaluator_of
from fsdesk.errors import SettingsError
from fsdesk.methods import METHODS
from fsdesk.store.schema import encode

pytestmark = pytest.mark.usefixtures("filters_scored_once")
NAMES = [entry.name for entry in METHODS]
FEATURES = 8
QUICK = {"max_iterations": 8, "max_measurements": 60, "stall_limit": 500, "repeats": 1, "folds": 3, "resamples": 3}


def _spec(name, dataset, **more):
    """A short run of a method; settings that it does not have are left out."""
    known = METHODS[name].model.model_fields
    settings = {key: value for key, value in {**QUICK, **more}.items() if key in known or key in ("repeats", "folds")}
    return RunSpec.make(dataset, method=name, seed=3, settings=settings)


def _events(spec, dataset, told=(), control=None):
    with ThreadExecutor(evaluator_of(spec, dataset)) as executor:
        return list(run(spec, dataset, executor, told, control))


def _steered(spec, dataset, told=()):
    """Pin feature 3, ban feature 1 a little later, and allow more; always at the same measurements."""
    constraints = (
        Steered(4, pin=("feature 3",)),
        Steered(12, ban=("feature 1",)),
        Steered(12, measurements=9, iterations=3),
        Steered(30, free=("feature 3",)),
    )
    done = sum(isinstance(event, Steered) for event in told)
    return _events(spec, dataset, told, Repeated(Flag(), constraints[done:]))


@pytest.fixture(scope="module")
def plain(planted):
    """The events of the run of a method that nobody steers, made once."""
    return cache(lambda name: _events(_spec(name, planted), planted))


@pytest.fixture(scope="module")
def steered(planted):
    """The events of its steered run, made once."""
    return cache(lambda name: _steered(_spec(name, planted), planted))


def _state(events):
    state = RunState()
    for event in events:
        state.apply(event)
    return state


def _bytes(events):
    """The log as it is stored, but for the time that batches took."""
    stored = []
    for event in events:
        values = dict(vars(event))
        values.pop("seconds", None)
        stored.append(encode(type(event)(**values, **({"seconds": 0.0} if hasattr(event, "seconds") else {}))))
    return stored


@pytest.mark.parametrize("name", NAMES)
def test_what_is_pinned_is_in_and_what_is_banned_is_out_of_every_mask_from_there_on(name, planted, steered):
    events = steered(name)
    pinned, banned = set(), set()
    for event in events:
        if isinstance(event, Steered):
            assert not event.refused
            pinned, banned = (pinned | set(event.pin)) - set(event.free), banned | set(event.ban)
        elif isinstance(event, BatchMeasured):
            for mask in unpack_masks(event.masks, FEATURES):
                chosen = {feature for feature, is_in in zip(planted.features, mask, strict=True) if is_in}
                assert chosen >= pinned
                assert not chosen & banned
    state = _state(events)
    assert state.status == "finished"
    assert state.allows(state.best.mask)
    assert len(state.steerings) == sum(isinstance(event, Steered) for event in events) > 0


@pytest.mark.parametrize("name", NAMES)
def test_the_best_of_a_steered_run_was_measured_as_it_is_reported(name, planted, steered):
    spec, events = _spec(name, planted), steered(name)
    state = _state(events)
    evaluator = evaluator_of(spec, planted).of(state.model)  # a race measures its answer alone
    measured = {}
    for event in events:
        if isinstance(event, BatchMeasured):
            for offset, mask in enumerate(unpack_masks(event.masks, FEATURES)):
                folds = event.number + offset if event.folds < 0 else event.folds
                mean = evaluator.measure(mask, folds).mean
                assert mean == np.nanmean(event.values[offset])
                measured.setdefault(mask.tobytes(), []).append(mean)
    means = measured[state.best.mask.tobytes()]
    assert min(means) - 1e-12 <= state.best.mean <= max(means) + 1e-12


@pytest.mark.parametrize("name", NAMES)
def test_a_steered_run_killed_anywhere_and_resumed_ends_with_the_same_bytes(name, planted, steered):
    spec, whole = _spec(name, planted), steered(name)
    steerings = [place for place, event in enumerate(whole) if isinstance(event, Steered)]
    assert steerings
    # Each steering as the last event, and as the one that is lost; the second and the third come at one measurement.
    killed = {2, *steerings, *(place + 1 for place in steerings), len(whole) - 2}
    for place in sorted(killed):
        rest = _steered(spec, planted, whole[:place])
        assert _bytes(whole[:place] + rest) == _bytes(whole), place


@pytest.mark.parametrize("name", ["bspsa", "sffs", "univariate"])
def test_the_same_steering_at_the_same_measurements_gives_the_same_masks(name, planted, steered):
    first = steered(name)
    again = _events(_spec(name, planted), planted, (), Repeated(Flag(), _state(first).steering_events))
    assert _bytes(first) == _bytes(again)


@pytest.mark.parametrize("name", NAMES)
def test_a_run_that_may_take_more_takes_more_and_no_more_than_that(name, planted, plain):
    spec = _spec(name, planted)
    try:
        more = more_of(spec, measurements=30)
    except SettingsError as error:
        assert "nothing left to try" in str(error)
        return
    longer = _state(_events(spec, planted, (), Repeated(Flag(), (more,))))
    assert longer.evaluations <= spec.measurements - 1 + more.measurements
    if not METHODS[name].model.ends_by_itself:
        assert longer.evaluations > _state(plain(name)).evaluations


@pytest.mark.parametrize("extra", [30, 90])
@pytest.mark.parametrize("name", [name for name in NAMES if not METHODS[name].model.ends_by_itself])
def test_a_run_that_has_carried_out_its_plan_goes_on_when_it_may_take_more(name, extra, planted, plain):
    spec, whole = _spec(name, planted), plain(name)
    more = more_of(spec, measurements=extra)
    rest = _events(spec, planted, [*whole, more])
    longer = _state([*whole, more, *rest])
    assert _state(whole).evaluations < longer.evaluations <= spec.measurements - 1 + more.measurements
    assert longer.status == "finished"
    # Killed on its way, it ends with the same bytes.
    cut = [*whole, more, *rest[: len(rest) // 2]]
    assert _bytes(cut + _events(spec, planted, cut)) == _bytes([*whole, more, *rest])


STALLING = ["bspsa", "cspsa", "fdsa", "spsa2", "spsa-bb", "bga", "ants", "swarm", "annealing", "tabu", "random"]


@pytest.mark.parametrize("name", STALLING)
def test_a_run_that_stalled_goes_on_when_it_may_take_more_and_the_stall_is_counted_anew(name, planted):
    spec = _spec(name, planted, max_iterations=60, max_measurements=0, stall_limit=2)
    whole = _events(spec, planted)
    assert "no better subset" in _state(whole).reason
    more = more_of(spec, measurements=40)
    rest = _events(spec, planted, [*whole, more])
    steps = {event.iteration for event in rest if isinstance(event, BatchMeasured)}
    assert len(steps) >= 2 or name == "random"  # whose batches are longer than the stall limit
    assert _state([*whole, more, *rest]).status == "finished"
    cut = [*whole, more, *rest[: len(rest) // 2]]
    assert _bytes(cut + _events(spec, planted, cut)) == _bytes([*whole, more, *rest])


@pytest.mark.parametrize("name", ["sfs", "sbs", "sffs", "sbfs"])
def test_a_walk_whose_budget_was_used_up_goes_on_when_it_may_take_more(name, planted):
    spec = _spec(name, planted, max_measurements=24, patience=0, confirmations=1)
    whole = _events(spec, planted)
    assert "used up" in _state(whole).reason
    more = more_of(spec, measurements=30)
    rest = _events(spec, planted, [*whole, more])
    assert sum(not event.confirms for event in rest if isinstance(event, BatchMeasured)) >= 2
    assert rest[-2].confirms
    assert 24 < _state([*whole, more, *rest]).evaluations <= 54
    cut = [*whole, more, *rest[: len(rest) // 2]]
    assert _bytes(cut + _events(spec, planted, cut)) == _bytes([*whole, more, *rest])


def test_finalists_of_a_stalled_run_are_measured_again_when_it_may_take_more(planted):
    spec = _spec("bspsa", planted, max_iterations=60, max_measurements=0, stall_limit=2, n_finalists=2)
    whole = _events(spec, planted)
    assert "no better subset" in _state(whole).reason
    rest = _events(spec, planted, [*whole, more_of(spec, measurements=40)])
    confirms = [event.confirms for event in rest if isinstance(event, BatchMeasured)]
    assert not confirms[0]
    assert confirms[-1]


def test_finalists_are_measured_again_after_what_a_finished_run_was_given(planted):
    spec = _spec("bspsa", planted, n_finalists=3, finalist_measurements=2)
    whole = _events(spec, planted)
    more = more_of(spec, measurements=60)
    rest = _events(spec, planted, [*whole, more])
    batches = [event for event in rest if isinstance(event, BatchMeasured)]
    assert any(batch.confirms for batch in batches)
    assert sum(not batch.confirms for batch in batches) > 5
    assert _state([*whole, more, *rest]).evaluations <= spec.measurements - 1 + more.measurements


@pytest.mark.parametrize("name", ["bspsa", "sffs", "univariate"])
def test_a_run_without_steering_is_what_it_was(name, planted, plain):
    events = plain(name)
    assert _bytes(events) == _bytes(_events(_spec(name, planted), planted, (), Repeated(Flag(), ())))
    assert isinstance(events[-1], RunFinished)


def test_steerings_are_repeated_in_their_order_and_each_once():
    constraints = (Steered(6, pin=("a",)), Steered(6, ban=("b",)), Steered(0, iterations=1))
    control = Repeated(Flag(), constraints)
    assert control.steerings_before(3) == []
    assert control.steerings_before(6) == list(constraints)
    assert control.steerings_before(9) == []
