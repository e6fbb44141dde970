"""A state summed up is the very state that folding the log gives, but for the history; and so is one folded on."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from fsdesk.engine import (
    BaselineMeasured,
    BatchMeasured,
    Event,
    RunFailed,
    RunFinished,
    RunStarted,
    RunState,
    Steered,
    history_of,
    pack_masks,
    state_of,
    summary_of,
)
from fsdesk.engine.state import Best, Confirmed, HeatmapColumns, Series
from fsdesk.store.schema import pack, unpack

FEATURES = tuple(f"gene {place}" for place in range(11))


def batch(number: int, rng: np.random.Generator, *, weights: bool = True, confirms: bool = False) -> BatchMeasured:
    masks = [rng.random(len(FEATURES)) < 0.5 for _ in range(3)]
    values = rng.normal(0.2, 0.05, (3, 4))
    values[2, 1:] = np.nan  # repeats that were not needed
    told = rng.integers(0, 256, len(FEATURES), dtype=np.uint8) if weights else None
    return BatchMeasured(
        3 * number + 1, pack_masks(masks), (True, False, True), values, number, told, {}, 0.5, -1, confirms
    )


def log(*, weights: bool) -> list[Event]:
    rng = np.random.default_rng(7)
    steps = [batch(number, rng, weights=weights) for number in range(40)]
    finalists = batch(40, rng, weights=False, confirms=True)
    return [
        RunStarted({"method": "bspsa", "measuring": {"criterion": "error"}}, FEATURES),
        BaselineMeasured(rng.normal(0.3, 0.01, 4), 0.1),
        *steps[:20],
        RunFailed("A worker process ended unexpectedly.", passing=True),
        Steered(61, pin=(FEATURES[3],), ban=(FEATURES[5],), measurements=300),
        *steps[20:],
        finalists,
        finalists,
        RunFinished("its own end", False, rng.random(len(FEATURES)) if weights else None),
    ]


def folded(events: Sequence[Event], state: RunState | None = None) -> RunState:
    state = RunState() if state is None else state
    for event in events:
        state.apply(event)
    return state


def plain(value: Any) -> Any:
    """Something that can be compared by ==, whatever is inside."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.tolist()
    if isinstance(value, Series):
        return value.view.tolist()
    if isinstance(value, Best | Confirmed | HeatmapColumns):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return value


def everything(state: RunState) -> dict[str, Any]:
    return {field.name: plain(getattr(state, field.name)) for field in fields(state) if field.name != "history"}


@pytest.mark.parametrize("weights", [True, False])
@pytest.mark.parametrize("length", [0, 1, 2, 3, 23, 26, None])
def test_a_state_summed_up_on_disk_is_the_state_that_the_log_gives(length: int | None, weights: bool) -> None:
    events = log(weights=weights)[:length]
    state = folded(events)
    back = state_of(unpack(pack(summary_of(state))))
    assert everything(back) == everything(state)
    assert back.history is None
    assert back.allows(np.ones(len(back.features), dtype=np.bool_)) == state.allows(
        np.ones(len(state.features), dtype=np.bool_)
    )


def test_a_run_goes_on_from_its_summary_as_if_it_had_never_rested() -> None:
    events = log(weights=True)
    for place in range(len(events) + 1):
        back = state_of(unpack(pack(summary_of(folded(events[:place])))))
        assert everything(folded(events[place:], back)) == everything(folded(events))


def test_a_state_without_history_differs_in_nothing_else_and_the_history_is_made_of_the_log_by_itself() -> None:
    events = log(weights=True)
    whole, light = folded(events), folded(events, RunState(history=None))
    assert everything(light) == everything(whole)
    assert light.heatmap.size == light.selection.size == 0
    made = history_of(events)
    np.testing.assert_array_equal(made.heatmap.view, whole.heatmap.view)
    np.testing.assert_array_equal(made.selection.view, whole.selection.view)
    np.testing.assert_array_equal(made.selection.iterations, whole.selection.iterations)


def test_weights_that_never_move_are_told_from_those_that_do() -> None:
    still, moving = RunState(), RunState()
    rng = np.random.default_rng(1)
    first = batch(0, rng)
    for state in (still, moving):
        state.apply(RunStarted({}, FEATURES))
        state.apply(first)
    still.apply(first)
    moving.apply(batch(1, rng))
    assert not still.weights_moved
    assert moving.weights_moved
