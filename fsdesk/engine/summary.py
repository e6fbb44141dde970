"""All of a run's state but the histories of its heatmaps, as plain values: what a project keeps beside its log.

The log stays the truth: a summary saves folding thousands of events again, and counts only for the log it was made of.
"""

from dataclasses import asdict
from typing import Any

import numpy as np

from fsdesk.engine.events import Steered, pack_masks, unpack_masks
from fsdesk.engine.state import Best, Confirmed, Judged, Race, RunState, Series

__all__ = ["SUMMARY_VERSION", "state_of", "summary_of"]

SUMMARY_VERSION = 4
"""To be raised whenever :class:`RunState` folds otherwise: older summaries are left aside then."""

_PLAIN = (
    "status", "spec", "reason", "passing", "baseline", "baseline_std_error", "evaluations", "seconds", "iteration",
    "more_measurements", "weights_moved",
)  # fmt: skip
_SERIES = ("iterations", "errors", "std_errors", "numbers", "times", "sizes")
_ARRAYS = ("weights", "held", "first_selected")


def summary_of(state: RunState) -> dict[str, Any]:
    """Plain values and arrays by name; see :func:`state_of`."""
    values: dict[str, Any] = {name: getattr(state, name) for name in (*_PLAIN, *_ARRAYS)}
    values |= {name: getattr(state, name).view for name in _SERIES}
    values["features"] = list(state.features)
    values["pinned"], values["banned"] = sorted(state.pinned), sorted(state.banned)
    values["steered"] = [asdict(event) for event in state.steering_events]
    best = state.best
    values["best"] = None
    if best is not None:
        values["best"] = [best.mean, best.std_error, best.number, best.iteration]
        values["best_mask"], values["best_weights"] = best.mask, best.weights
    values |= _race_values(state.race)
    masks = list(state.confirmed.masks.values())
    values["confirmed"] = list(state.confirmed.values.values())
    values["confirmed_masks"] = pack_masks(masks) if masks else None
    return values


def state_of(summary: dict[str, Any]) -> RunState:
    """Undo :func:`summary_of`; the state has no history."""
    features = tuple(summary["features"])
    state = RunState(history=None, features=features)
    for name in (*_PLAIN, *_ARRAYS):
        setattr(state, name, summary[name])
    for name in _SERIES:
        setattr(state, name, Series.of(summary[name]))
    state.pinned, state.banned = frozenset(summary["pinned"]), frozenset(summary["banned"])
    state.steering_events = [_steered(values) for values in summary["steered"]]
    state.steerings = [(event.number, event.sentence) for event in state.steering_events]
    if summary["best"] is not None:
        mean, std_error, number, iteration = summary["best"]
        state.best = Best(summary["best_mask"], mean, std_error, number, iteration, summary["best_weights"])
    state.race = _race_of(summary)
    if summary["confirmed_masks"] is not None:
        masks = unpack_masks(summary["confirmed_masks"], len(features))
        keys = [np.packbits(mask).tobytes() for mask in masks]
        state.confirmed = Confirmed(
            dict(zip(keys, masks, strict=True)), dict(zip(keys, summary["confirmed"], strict=True))
        )
    return state


def _race_values(race: Race) -> dict[str, Any]:
    judged = list(race.judged.values())
    subsets = [subset for each in judged for subset in each.subsets.values()]
    return {
        "race": {
            "folds": race.folds,
            "winner": race.winner and list(race.winner),
            "judged": [
                [each.strategy, each.size, list(each.losses), list(each.losses.values()), list(each.margins.values())]
                for each in judged
            ],
        },
        "race_subsets": np.concatenate(subsets).astype(np.int64) if subsets else np.empty(0, dtype=np.int64),
        "race_lengths": np.array([len(subset) for subset in subsets], dtype=np.int64),
    }


def _race_of(summary: dict[str, Any]) -> Race:
    values = summary["race"]
    race = Race(values["folds"], None if values["winner"] is None else (values["winner"][0], values["winner"][1]))
    subsets = iter(np.split(summary["race_subsets"], np.cumsum(summary["race_lengths"])[:-1]))
    for strategy, size, resamples, losses, margins in values["judged"]:
        lost, leads = (dict(zip(resamples, each, strict=True)) for each in (losses, margins))
        own = {resample: next(subsets) for resample in resamples}
        race.judged[strategy, size] = Judged(strategy, size, lost, leads, own)
    return race


def _steered(values: dict[str, Any]) -> Steered:
    names = {name: tuple(values[name]) for name in ("pin", "ban", "free")}
    return Steered(**{**values, **names})
