"""The paragraph for the methods section of a paper: what was done, in the past tense, with the numbers that count."""

from importlib.metadata import version

import numpy as np

from fsdesk.data import Dataset
from fsdesk.engine import RunSpec
from fsdesk.messages import ENGLISH, in_language
from fsdesk.methods import METHODS
from fsdesk.methods.race import Raced
from fsdesk.results.report import measured_as, target_words, wishes_of
from fsdesk.results.result import Result
from fsdesk.results.strategies import standings
from fsdesk.wrappers import WRAPPERS

__all__ = ["methods_text"]

_MOST_NAMED = 50
_SCALERS = {
    "z-score": "scaled to zero mean and unit variance",
    "min-max": "scaled to the range from 0 to 1",
    "robust": "centred by their median and scaled by the distance between their quartiles",
}


def methods_text(result: Result, dataset: Dataset) -> str:
    """Two paragraphs and the references, in English, as papers are; the same result gives the same text."""
    with in_language(ENGLISH):
        return _written(result, dataset)


def _written(result: Result, dataset: Dataset) -> str:
    spec = result.spec
    first = [_searched(result, dataset), *_competed(result), _judged(spec, dataset), _settings(spec), *_wishes(result)]
    second = [_found(result), *_evidence(result), _software(spec)]
    references = dict.fromkeys([METHODS[spec.method].reference, WRAPPERS[spec.wrapper].reference])
    listed = "\n".join(f"- {reference}" for reference in references if reference)
    return f"{' '.join(first)}\n\n{' '.join(second)}\n\nReferences\n{listed}\n"


def _searched(result: Result, dataset: Dataset) -> str:
    spec = result.spec
    wrapper = WRAPPERS[spec.wrapper].title
    task = "classes" if dataset.response is None else "values"
    return (
        f"Features were selected from {len(dataset.features):,} candidates of {len(dataset.target):,} samples to "
        f'predict "{dataset.target_name}" ({task}: {target_words(dataset)}). The search was a wrapper with '
        f"{METHODS[spec.method].brief} as the search method and {wrapper[:1].lower()}{wrapper[1:]} as the model."
    )


_PREFERRED = {
    "lowest": "with the smallest error on the rows held out, of equal ones that of the clearest margins",
    "fewest": "with the fewest features among those within one standard error of the smallest error there",
    "most": "with the most features among those within one standard error of the smallest error there",
}


def _competed(result: Result) -> list[str]:
    """How strategies competed, and how the winner did; nothing where none did."""
    race, method = result.race, result.spec.build_method()
    won = [each for each in standings(race) if each.state == "won"]
    if not won or not isinstance(method, Raced):
        return []
    (winner,) = won
    names = list(dict.fromkeys(strategy for strategy, _ in race.judged))
    criterion = result.criterion
    dropped = " Those that clearly lost in the first resamples were left out of the others." if len(names) > 2 else ""
    features = f"{winner.size:,} feature{'' if winner.size == 1 else 's'}"
    return [
        f"In each of {race.folds} resamples the features were put in order on the searching rows alone, and models "
        f"with the first features of an order predicted the rows held out; compared were {', '.join(names)}, each at "
        f"several sizes.{dropped} What was taken, made anew from all rows, is the order and size "
        f"{_PREFERRED[method.prefer]}: {winner.strategy} with {features}, {criterion.text(winner.mean)} (standard "
        f"error {criterion.deviation(winner.std_error)}) on these rows."
    ]


def _judged(spec: RunSpec, dataset: Dataset) -> str:
    measuring = spec.measuring
    parts = [f"The value of a subset was its {_criterion(spec, dataset)}, {measured_as(measuring)}"]
    if measuring.protocol in ("folds", "hold-out"):
        drawn = "stratified by class and " if measuring.stratify and dataset.response is None else ""
        parts.append(
            f"with rows that were {drawn}dealt anew for every measurement unless subsets were compared directly"
        )
    if dataset.groups is not None:
        parts.append("and with rows of one group kept together")
    text = ", ".join(parts) + "."
    if measuring.scaling == "none":
        return f"{text} Features were not scaled."
    where = "the training rows of each fold" if measuring.scaling == "fold" else "all rows at once"
    return f"{text} Features were {_SCALERS[measuring.scaler]}, learnt from {where}; gaps were filled likewise."


def _criterion(spec: RunSpec, dataset: Dataset) -> str:
    from fsdesk.measure import criterion_for

    title = criterion_for(dataset, spec.measuring).title
    return title if title.isupper() else title[:1].lower() + title[1:]


def _settings(spec: RunSpec) -> str:
    held = {**spec.method_settings, **spec.wrapper_settings}
    listed = ", ".join(f"{name} = {value}" for name, value in held.items())
    said = f"The settings were {listed}; the seed was {spec.seed}."
    prefilter = spec.prefilter
    if prefilter.prefilter == "none":
        return said
    return f"{said} Only the {prefilter.keep:,} best features by {prefilter.prefilter} were searched."


def _wishes(result: Result) -> list[str]:
    wishes = "; ".join(f"{heading.lower()}: {names}" for heading, names in wishes_of(result.spec))
    said = [f"The user had settled beforehand: {wishes}."] if wishes else []
    return [*said, result.steered] if result.steered else said


def _found(result: Result) -> str:
    count = len(result.features)
    names = f": {', '.join(result.features)}" if count <= _MOST_NAMED else ", listed in the supplement"
    end = "ended" if result.status == "finished" else "was interrupted"
    return (
        f"The search {end} after {result.evaluations:,} measurements ({result.reason}) and selected {count:,} of "
        f"{len(result.all_features):,} features{names}."
    )


def _evidence(result: Result) -> list[str]:
    """The honest error first, then what was measured on the rows that chose the features, as what it is."""
    criterion, honesty, honest = result.criterion, result.honesty, result.honest
    said = []
    if honest is not None and honest.source == "outer folds":
        sizes = [int(np.unpackbits(fold.mask).sum()) for fold in honesty.outer]
        said.append(
            f"The whole search was repeated inside {len(honesty.outer)} outer folds (which selected {min(sizes)} to "
            f"{max(sizes)} features)."
        )
    if honest is not None and honest.source != "outer folds":
        said.append("Each part of the rows was predicted by the order and size that the other parts chose.")
    if honest is not None:
        said.append(honest.sentence())
        if honest.has_interval:
            said.append("The interval counts rows and allows for the variation between searches.")
        said += [result.seen_before] if result.seen_before else []
    fresh = f", {criterion.text(honesty.fresh.mean)} on fresh folds of them" if honesty.fresh is not None else ""
    said.append(
        f"On the rows that guided the search, {criterion.title} was {criterion.text(result.search_error)} in the "
        f"search{fresh}, and {criterion.text(result.baseline_error)} with all features"
        + ("; these values are optimistic." if result.spec.selects else ".")
    )
    if honest is None:
        said.append("The selection was not validated on other rows.")
    return said


def _software(spec: RunSpec) -> str:
    libraries = ", ".join(f"{name} {held}" for name, held in spec.versions.items() if name != "fsdesk")
    held = spec.versions.get("fsdesk", version("fsdesk"))
    return f"The search ran in fsdesk {held} with {libraries}."
