"""How far each feature can be trusted: its own association with the target, half-samples, and its role beside others.

Two ways to say which features of a list are false, each with a bound that simulation confirms, see
``tests/bench/trust.py``. *Associated*: a q value up to 10 %; of all such features a tenth is expected to have nothing
to do with the target. It sees what a feature does by itself. *Supported*: selected in at least 90 % of the
half-samples; of all such features one at most is expected to be of no use. Neither may hold of any feature, which is an
answer, too.
"""

from dataclasses import dataclass
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.messages import localised, mark, number, tr
from fsdesk.results.feature_tests import FALSE_SHARE, FeatureTests, centred_ranks, differ, feature_tests, values_tested
from fsdesk.results.half_samples import SURE, HalfSamples, half_samples
from fsdesk.results.record import RunRecord

Role = Literal["core", "interchangeable", "associated", "unconfirmed", ""]

ROLES: dict[Role, str] = {
    "core": mark("core"), "interchangeable": mark("interchangeable"), "associated": mark("associated"),
    "unconfirmed": mark("unconfirmed"), "": "",
}  # fmt: skip
"""What each is called."""

_ALIKE = 0.7  # correlation from which on features may stand for one another
_MOST_COMPARED = 1000  # features, the strongest ones

Masks = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Trust:
    """What is known of each of p features beside the search.

    Attributes
    ----------
    tests, halves
        Tests of each by itself; what half-samples say, None where there are none.
    roles
        (p,) "core": supported by the half-samples. "interchangeable": associated with the target by itself, and so is
        another feature that goes with it and is no weaker by a test. "associated": by itself. "unconfirmed": selected,
        but none of these. "" for all others.
    partners
        The features that each can be exchanged with, by its place.
    target
        Name of the target.
    """

    tests: FeatureTests
    halves: HalfSamples | None
    roles: tuple[Role, ...]
    partners: dict[int, tuple[int, ...]]
    target: str


_known: WeakKeyDictionary[RunRecord, tuple[Dataset, Trust]] = WeakKeyDictionary()


def trust_of(result: RunRecord, dataset: Dataset) -> Trust:
    """How far the features of a result can be trusted; worked out once for each result."""
    known = _known.get(result)
    if known is None or known[0] is not dataset:
        seen, halves = values_tested(dataset, result.spec.measuring), half_samples(result, dataset)
        tests = feature_tests(seen)
        partners = partners_of(seen, tests)
        roles = _roles(result.mask, tests, halves, partners)
        known = _known[result] = dataset, Trust(tests, halves, roles, partners, dataset.target_name)
    return known[1]


def _roles(
    mask: Masks, tests: FeatureTests, halves: HalfSamples | None, partners: dict[int, tuple[int, ...]]
) -> tuple[Role, ...]:
    supported = np.zeros(len(mask), dtype=np.bool_) if halves is None else halves.supported
    roles: list[Role] = ["unconfirmed" if selected else "" for selected in mask]
    for place in np.flatnonzero(tests.associated).tolist():
        roles[place] = "interchangeable" if place in partners else "associated"
    for place in np.flatnonzero(supported).tolist():
        roles[place] = "core"
    return tuple(roles)


def partners_of(dataset: Dataset, tests: FeatureTests) -> dict[int, tuple[int, ...]]:
    """The associated features that can stand for each other, by their places.

    The ranks of two of them are correlated by 0.7 or more, and no test tells which of the two goes more with the
    target.
    """
    places = np.flatnonzero(tests.associated & ~np.isnan(tests.estimate))
    strength = np.abs(tests.estimate[places] - (0.5 if tests.measure == "AUC" else 0.0))
    places = np.sort(places[np.argsort(-strength, kind="stable")[:_MOST_COMPARED]])
    if len(places) < 2:
        return {}
    off, _ = centred_ranks(dataset.x[:, places])
    length = np.linalg.norm(off, axis=0)
    unit = np.divide(off, length, out=np.zeros_like(off), where=length > 0)
    pairs = places[np.argwhere(np.triu(np.abs(unit.T @ unit) >= _ALIKE, 1))]
    found: dict[int, list[int]] = {}
    apart = differ(dataset, tests, pairs) if len(pairs) else np.empty(0, dtype=np.bool_)
    for first, second in pairs[~apart].tolist():
        found.setdefault(first, []).append(second)
        found.setdefault(second, []).append(first)
    return {place: tuple(sorted(others)) for place, others in sorted(found.items())}


def trust_words(trust: Trust, mask: Masks) -> str:
    """How many of the (p,) selected features are associated and supported, and how many of such are false."""
    return f"{tests_words(trust, mask)} {halves_words(trust, mask)}".strip()


def tests_words(trust: Trust, mask: Masks) -> str:
    """How many of the (p,) selected features are associated by themselves, and how many of such are false."""
    associated = trust.tests.associated
    every = int(associated.sum())
    values = {
        "target": trust.target, "share": number(100 * FALSE_SHARE, ".0f"), "features": number(len(mask)),
        "found": number(int((associated & mask).sum())), "count": number(int(mask.sum())), "every": number(every),
        "false": number(FALSE_SHARE * every, ".0f" if every > 20 else ".1f"),
    }  # fmt: skip
    if not every:
        return tr(
            "No feature is associated with {target} by itself (q up to {share} %, {features} features tested).",
            **values,
        )
    return tr(
        "Associated with {target} by themselves (q up to {share} %, {features} features tested): {found} of the "
        "{count} selected features, {every} of all; of these {every}, about {false} are expected to be false.",
        **values,
    )


def q_words(q: float) -> str:
    """A q value: "0.034", "< 0.001"."""
    return "< " + localised("0.001") if q < 0.001 else localised(f"{q:.2g}" if q < 0.1 else f"{q:.2f}")


def halves_words(trust: Trust, mask: Masks) -> str:
    """How many of the (p,) selected features half-samples support, and how many of such are false."""
    halves = trust.halves
    if halves is None:
        return ""
    values = {
        "taken": number(halves.taken), "strategy": tr(halves.strategy), "halves": number(2 * halves.pairs),
        "share": number(100 * SURE, ".0f"), "false": number(halves.expected_false, ".1f"),
        "every": number(int(halves.supported.sum())),
    }  # fmt: skip
    if not halves.supported.any():
        return tr(
            "No feature is among the first {taken} by {strategy} in at least {share} % of {halves} random halves of "
            "the rows.",
            **values,
        )
    return tr(
        "Among the first {taken} by {strategy} in at least {share} % of {halves} random halves of the rows: {found} "
        "of the selected features, {every} of all; of these {every}, at most {false} are expected to be of no use.",
        found=number(int((halves.supported & mask).sum())), **values,
    )  # fmt: skip


def stability_words(halves: HalfSamples | None) -> str:
    """What half-samples say of the list as a whole; "" where nothing is known of that."""
    if halves is None or halves.stability is None:
        return ""
    found = halves.stability
    return tr(
        "Stability {index} (95 % interval {low} to {high}): how alike the lists would be that {strategy} makes of new "
        "samples of {rows} rows (1: always the same, 0: no more alike than by chance). Estimated from halves and "
        "quarters of the rows, which have no row in common.",
        index=number(found.index, ".2f"), low=number(found.low, ".2f"), high=number(found.high, ".2f"),
        strategy=tr(halves.strategy), rows=number(halves.rows),
    )  # fmt: skip
