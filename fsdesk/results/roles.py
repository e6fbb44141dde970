"""What the features of an answer are: how often others select them, whether they can be exchanged, and what each does.

A list of features is one of many that predict equally well. Held-out rows say which do: the subsets of the strategies
within one standard error of the winner, or the answers of the outer folds. A feature that nearly all of them hold is
core; one that some hold is optional; optional features of which most subsets hold just one are interchangeable.
"""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.engine import unpack_masks
from fsdesk.engine.state import Race
from fsdesk.messages import translated
from fsdesk.results.effects import Effect, effects_of
from fsdesk.results.formulas import escape_formula
from fsdesk.results.honest import Honesty
from fsdesk.results.result import Result
from fsdesk.results.stability import Stability, selection_frequency, stability

__all__ = [
    "Consensus",
    "Role",
    "Selections",
    "consensus_of",
    "features_csv",
    "known_selections",
    "roles_of",
    "selections_of",
    "selections_over",
]

Role = Literal["core", "interchangeable", "optional", "rare"]

_CORE, _RARE = 0.9, 0.1
_EITHER = 0.8  # share of the subsets that hold exactly one of two interchangeable features
_MOST_PAIRED = 200

Masks = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Selections:
    """Subsets that searches on other rows selected.

    Attributes
    ----------
    source
        "outer folds": the answer of each; "resamples": what the winning strategy took in each; "runs": the answer of
        each, such as those of several seeds.
    masks
        (M, p) bool one subset for each.
    good
        (g, p) bool all subsets that held-out rows call equally good: with "resamples" of all strategies and sizes
        within one standard error of the winner, else the same as ``masks``.
    """

    source: Literal["outer folds", "resamples", "runs"]
    masks: Masks
    good: Masks

    @property
    def stability(self) -> Stability | None:
        """How alike the subsets are: Nogueira's index with its 95 % interval; None where it is not defined."""
        return stability(self.masks)

    @property
    def frequency(self) -> NDArray[np.float64]:
        """(p,) share of the subsets that hold each feature."""
        return selection_frequency(self.masks)


@dataclass(frozen=True, eq=False)
class Consensus:
    """The features that at least a share of the subsets hold.

    Attributes
    ----------
    threshold
        The share.
    mask
        (p,) bool.
    features
        Their names, in the order of the table.
    """

    threshold: float
    mask: NDArray[np.bool_]
    features: tuple[str, ...]


def selections_of(result: Result) -> Selections | None:
    """The subsets that searches on other rows selected, as far as the run knows them; None for fewer than two.

    Those of the outer folds where all are done, else those of the resamples in which strategies competed.
    """
    return known_selections(result.honesty, result.race, len(result.mask))


def known_selections(honesty: Honesty, race: Race, features: int, *, partial: bool = False) -> Selections | None:
    """As :func:`selections_of`, from what is known of a run; ``partial`` takes outer folds before all are done."""
    if len(honesty.outer) > 1 and (partial or honesty.complete):
        masks = unpack_masks(np.array([fold.mask for fold in honesty.outer]), features).astype(np.bool_)
        return Selections("outer folds", masks, masks)
    if race.winner is None or len(race.judged[race.winner].subsets) < 2:
        return None
    winner = race.judged[race.winner]
    good = [
        subset
        for each in race.judged.values()
        if len(each.losses) == len(winner.losses) and _is_as_good(*each.behind(winner))
        for subset in each.subsets.values()
    ]
    return Selections("resamples", _masks(list(winner.subsets.values()), features), _masks(good, features))


def selections_over(results: Sequence[Result]) -> Selections:
    """The answers of several runs on the same features, such as those of one method with several seeds."""
    masks = np.array([result.mask for result in results], dtype=np.bool_)
    return Selections("runs", masks, masks)


def _is_as_good(behind: float, error: float) -> bool:
    return behind <= error


def _masks(subsets: Sequence[NDArray[np.integer]], features: int) -> Masks:
    masks = np.zeros((len(subsets), features), dtype=np.bool_)
    for mask, subset in zip(masks, subsets, strict=True):
        mask[subset] = True
    return masks


def consensus_of(selections: Selections, names: Sequence[str], threshold: float = 0.5) -> Consensus:
    """The features that at least a share ``threshold``, above 0 and up to 1, of the subsets hold."""
    if not 0.0 < threshold <= 1.0:
        raise ValueError(f"a threshold is a share above 0 and up to 1 (got {threshold})")
    mask = selections.frequency >= threshold - 1e-12
    return Consensus(threshold, mask, tuple(name for name, chosen in zip(names, mask, strict=True) if chosen))


def roles_of(selections: Selections) -> tuple[list[Role], list[tuple[int, ...]]]:
    """(p,) the role of each feature among equally good subsets, and (p,) those that it can be exchanged with."""
    good = selections.good
    frequency = good.mean(axis=0)
    roles: list[Role] = ["core" if share >= _CORE else "rare" if share < _RARE else "optional" for share in frequency]
    partners: list[list[int]] = [[] for _ in roles]
    some = [place for place, role in enumerate(roles) if role == "optional"]
    some = sorted(sorted(some, key=lambda place: -frequency[place])[:_MOST_PAIRED])
    held = good[:, some].astype(np.float64)
    sizes, both = held.sum(axis=0), held.T @ held  # whole numbers, exact
    either = (sizes[:, None] + sizes - 2 * both) / len(good)
    for first, second in zip(*np.nonzero(either >= _EITHER), strict=True):
        partners[some[first]].append(some[second])
    for place, found in enumerate(partners):
        if found:
            roles[place] = "interchangeable"
    return roles, [tuple(found) for found in partners]


def features_csv(result: Result, dataset: Dataset) -> bytes:
    """A line for each feature that is selected, or that is core, optional or interchangeable among equal subsets.

    Columns: its role among equally good subsets and what it can be exchanged with; the share of the subsets of other
    rows that hold it; what it does, see :class:`fsdesk.results.effects.Effect`.
    """
    selections = selections_of(result)
    count = len(result.all_features)
    roles, partners = ([""] * count, [()] * count) if selections is None else roles_of(selections)
    frequency = None if selections is None else selections.frequency
    places = [place for place in range(count) if result.mask[place] or roles[place] not in ("", "rare")]
    effects: dict[int, Effect] = {effect.place: effect for effect in effects_of(result, dataset)}
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(
        ["feature", "selected", "role", "exchangeable with", "selection frequency", "direction", "difference",
         "standardised difference", "effect", "most like, not selected", "correlation"]
    )  # fmt: skip
    for place in places:
        effect = effects.get(place)
        names = "; ".join(result.all_features[each] for each in partners[place])
        share = "" if frequency is None else repr(float(frequency[place]))
        cells = ["", "", "", "", "", ""]
        if effect is not None:
            like = "" if effect.like is None else result.all_features[effect.like]
            cells = [
                translated(effect.direction), _written(effect.difference), _written(effect.standardised),
                _written(effect.effect), escape_formula(like), _written(effect.correlation),
            ]  # fmt: skip
        name = escape_formula(result.all_features[place])
        writer.writerow([name, int(result.mask[place]), roles[place], escape_formula(names), share, *cells])
    return buffer.getvalue().encode("utf-8")


def _written(value: float | None) -> str:
    return "" if value is None or not np.isfinite(value) else repr(float(value))
