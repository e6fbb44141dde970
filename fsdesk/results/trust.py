"""Reliability of each feature: its individual association with the target, half-samples, and its resulting role.

There are two ways to identify false features in a list, each with a bound confirmed by simulation; see
``tests/bench/trust.py``. *Associated*: a q value up to 10 %; a tenth of all such features is expected to be unrelated
to the target. This considers features individually. *Supported*: selected in at least 90 % of the half-samples; at most
one of all such features is expected to be irrelevant. It is possible that neither applies to any feature, which is also
informative.
"""

from dataclasses import dataclass
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.messages import localised, mark, number, tr
from fsdesk.results.feature_tests import (
    FALSE_SHARE,
    FeatureTests,
    batches_of,
    centred_ranks,
    differ,
    feature_tests,
    values_tested,
)
from fsdesk.results.half_samples import SURE, HalfSamples, half_samples
from fsdesk.results.record import RunRecord

Role = Literal["core", "interchangeable", "associated", "unconfirmed", ""]

ROLES: dict[Role, str] = {
    "core": mark("core"), "interchangeable": mark("interchangeable"), "associated": mark("associated"),
    "unconfirmed": mark("unconfirmed"), "": "",
}  # fmt: skip
"""Display names."""

_ALIKE = 0.7  # correlation above which features may replace one another
_ENOUGH_TO_COUNT = 10  # features from which a number of false ones is given instead of a share
_MOST_COMPARED = 1000  # number of the strongest features that are compared

Masks = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Trust:
    """What is known about each of p features beyond the search.

    Attributes
    ----------
    tests, halves
        Individual tests; results of half-samples, None if there are none.
    roles
        (p,) "core": supported by the half-samples. "interchangeable": individually associated with the target, and so
        is a correlated feature that is not weaker by a test. "associated": individually associated. "unconfirmed":
        selected, but none of these. "" for all others.
    partners
        The features interchangeable with each, by index.
    target
        Name of the target; "" for a time to an event.
    """

    tests: FeatureTests
    halves: HalfSamples | None
    roles: tuple[Role, ...]
    partners: dict[int, tuple[int, ...]]
    target: str


_known: WeakKeyDictionary[RunRecord, tuple[Dataset, Trust]] = WeakKeyDictionary()


def trust_of(result: RunRecord, dataset: Dataset) -> Trust:
    """Reliability of the features of a result; computed once per result."""
    known = _known.get(result)
    if known is None or known[0] is not dataset:
        seen, halves = values_tested(dataset, result.spec.measuring), half_samples(result, dataset)
        tests = feature_tests(seen, batches_of(dataset, result.spec.measuring))
        partners = partners_of(seen, tests)
        roles = _roles(result.mask, tests, halves, partners)
        known = _known[result] = (
            dataset,
            Trust(tests, halves, roles, partners, "" if dataset.event else dataset.target_name),
        )
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
    """The associated features that can replace each other, by index.

    The ranks of two of them have a correlation of at least 0.7, and no test shows which of the two is more strongly
    associated with the target.
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
    """How many of the (p,) selected features are associated and supported, and how many such features are false."""
    return f"{tests_words(trust, mask)} {halves_words(trust, mask)}".strip()


def tests_words(trust: Trust, mask: Masks) -> str:
    """How many of the (p,) selected features are individually associated, and how many such features are false."""
    associated = trust.tests.associated
    every = int(associated.sum())
    values = {
        "target": trust.target or tr("the time to the event"), "share": number(100 * FALSE_SHARE, ".0f"),
        "features": number(len(mask)),
        "found": number(int((associated & mask).sum())), "count": number(int(mask.sum())), "every": number(every),
        "false": number(FALSE_SHARE * every, ".0f"),
    }  # fmt: skip
    if not every:
        return tr(
            "No feature is individually associated with {target} (q up to {share} %, {features} features tested).",
            **values,
        )
    said = tr(
        "Individually associated with {target} (q up to {share} %, {features} features tested): {found} of the "
        "{count} selected features, and {every} of all features.",
        **values,
    )
    if every < _ENOUGH_TO_COUNT:  # a share of few: one that is found in noise is false
        return f"{said} " + tr("On average over such tables, at most {share} % of these are false.", **values)
    return f"{said} " + tr("Of these {every}, at most about {false} are expected to be false.", **values)


def q_words(q: float) -> str:
    """A q value: "0.034", "< 0.001"."""
    return "< " + localised("0.001") if q < 0.001 else localised(f"{q:.2g}" if q < 0.1 else f"{q:.2f}")


def halves_words(trust: Trust, mask: Masks) -> str:
    """How many of the (p,) selected features the half-samples support, and how many such features are false."""
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
            "No feature is among the top {taken} by {strategy} in at least {share} % of {halves} random halves of "
            "the rows.",
            **values,
        )
    return tr(
        "In at least {share} % of {halves} random half-samples of the rows, {found} of the selected features, and "
        "{every} of all features, rank in the top {taken} by {strategy}. On average over such tables, at most {false} "
        "of these are irrelevant.",
        found=number(int((halves.supported & mask).sum())), **values,
    )  # fmt: skip


def stability_words(halves: HalfSamples | None) -> str:
    """Results of half-samples for the list as a whole; "" if unknown."""
    if halves is None or halves.stability is None:
        return ""
    found = halves.stability
    return tr(
        "Stability {index} (95 % interval {low} to {high}): expected agreement of the lists that {strategy} gives "
        "for new samples of {rows} rows (1: identical, 0: chance level). Estimated from disjoint halves and quarters "
        "of the rows.",
        index=number(found.index, ".2f"), low=number(found.low, ".2f"), high=number(found.high, ".2f"),
        strategy=tr(halves.strategy), rows=number(halves.rows),
    )  # fmt: skip
