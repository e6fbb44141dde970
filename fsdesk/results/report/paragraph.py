"""The paragraph for the methods section of a paper: what was done, in the past tense, with the numbers that count."""

from importlib.metadata import version

import numpy as np

from fsdesk.data import Dataset
from fsdesk.engine import Prefilter, RunSpec
from fsdesk.messages import ENGLISH, in_language, localised, mark, tr, translated, within
from fsdesk.methods import METHODS
from fsdesk.methods.race import Raced
from fsdesk.results.report.references import bibtex
from fsdesk.results.report.words import constraints_of, measured_as, setting_words, target_words
from fsdesk.results.result import Result
from fsdesk.results.strategies import standings
from fsdesk.wrappers import WRAPPERS

__all__ = ["methods_text", "paragraphs", "references_of"]

_MOST_NAMED = 50
_SCALERS = {
    "z-score": mark(
        "Features were scaled to zero mean and unit variance, learnt from {where}; gaps were filled likewise."
    ),
    "min-max": mark("Features were scaled to the range from 0 to 1, learnt from {where}; gaps were filled likewise."),
    "robust": mark(
        "Features were centred by their median and scaled by the distance between their quartiles, learnt from "
        "{where}; gaps were filled likewise."
    ),
}


def methods_text(result: Result, dataset: Dataset) -> str:
    """Two paragraphs, the references, and these as BibTeX, in English, as papers are."""
    with in_language(ENGLISH):
        said = "\n\n".join(paragraphs(result, dataset))
    references = references_of(result)
    listed = "\n".join(f"- {reference}" for reference in references)
    return f"{said}\n\nReferences\n{listed}\n\nBibTeX\n{bibtex(references)}\n"


def references_of(result: Result) -> list[str]:
    """References of the method and the model."""
    spec = result.spec
    known = dict.fromkeys([METHODS[spec.method].reference, WRAPPERS[spec.wrapper].reference])
    return [reference for reference in known if reference]


def paragraphs(result: Result, dataset: Dataset) -> tuple[str, str]:
    """What was done, and what came of it, in the language that is spoken; the same result gives the same text."""
    spec = result.spec
    first = [
        _searched(result, dataset),
        *_competed(result),
        _judged(spec, dataset),
        _settings(result),
        *_wishes(result),
    ]
    second = [*_found(result), *_evidence(result), _software(spec)]
    return " ".join(filter(None, first)), " ".join(filter(None, second))


def _searched(result: Result, dataset: Dataset) -> str:
    spec = result.spec
    values = {
        "count": len(dataset.features), "rows": len(dataset.target), "target": dataset.target_name,
        "spread": target_words(dataset), "method": tr(METHODS[spec.method].brief),
        "model": within(WRAPPERS[spec.wrapper].title),
    }  # fmt: skip
    if dataset.response is None:
        return tr(
            'Features were selected from {count:,} candidates of {rows:,} samples to predict "{target}" (classes: '
            "{spread}). The search was a wrapper: search method {method}, model {model}.",
            **values,
        )
    return tr(
        'Features were selected from {count:,} candidates of {rows:,} samples to predict "{target}" (values: '
        "{spread}). The search was a wrapper: search method {method}, model {model}.",
        **values,
    )


_PREFERRED = {
    "lowest": mark("with the smallest error on the rows held out, of equal ones that of the clearest margins"),
    "fewest": mark("with the fewest features among those within one standard error of the smallest error there"),
    "most": mark("with the most features among those within one standard error of the smallest error there"),
}


def _competed(result: Result) -> list[str]:
    """How strategies competed, and how the winner did; nothing where none did."""
    race, method = result.race, result.spec.build_method()
    won = [each for each in standings(race) if each.state == "won"]
    if not won or not isinstance(method, Raced):
        return []
    (winner,) = won
    names = list(dict.fromkeys(tr(strategy) for strategy, _ in race.judged))
    criterion = result.criterion
    said = [
        tr(
            "In each of {folds} resamples the features were put in order on the searching rows alone, and models with "
            "the first features of an order predicted the rows held out; compared were {names}, each at several sizes.",
            folds=race.folds, names=", ".join(names),
        )
    ]  # fmt: skip
    if len(names) > 2:
        said.append(tr("Those that clearly lost in the first resamples were left out of the others."))
    said.append(
        tr(
            "What was taken, made anew from all rows, is the order and size {preferred}: {strategy} with {features}, "
            "{loss} (standard error {error}) on these rows.",
            preferred=tr(_PREFERRED[method.prefer]), strategy=tr(winner.strategy),
            features=tr("1 feature") if winner.size == 1 else tr("{count:,} features", count=winner.size),
            loss=localised(criterion.text(winner.mean)), error=localised(criterion.deviation(winner.std_error)),
        )
    )  # fmt: skip
    return said


def _judged(spec: RunSpec, dataset: Dataset) -> str:
    measuring = spec.measuring
    parts = [
        tr("The value of a subset was its {criterion}, {how}", criterion=_criterion(spec, dataset),
           how=measured_as(measuring))
    ]  # fmt: skip
    if measuring.protocol in ("folds", "hold-out"):
        if measuring.stratify and dataset.response is None:
            parts.append(
                tr(
                    "with rows that were stratified by class and dealt anew for every measurement unless subsets were "
                    "compared directly"
                )
            )
        else:
            parts.append(
                tr("with rows that were dealt anew for every measurement unless subsets were compared directly")
            )
    if dataset.groups is not None:
        parts.append(tr("and with rows of one group kept together"))
    text = ", ".join(parts) + "."
    if measuring.scaling == "none":
        return f"{text} {tr('Features were not scaled.')}"
    where = tr("the training rows of each fold") if measuring.scaling == "fold" else tr("all rows at once")
    return f"{text} {tr(_SCALERS[measuring.scaler], where=where)}"


def _criterion(spec: RunSpec, dataset: Dataset) -> str:
    from fsdesk.measure import criterion_for

    return _named(criterion_for(dataset, spec.measuring).title)


def _named(title: str) -> str:
    """A criterion inside of a sentence."""
    return tr(title) if title.isupper() else within(title)


def _settings(result: Result) -> str:
    spec = result.spec
    listed = "; ".join(f"{title}: {value}" for title, value in setting_words(spec))
    seed = tr("The seed was {seed}.", seed=spec.seed)
    if listed:
        said = tr("Settings other than the defaults of the program were {listed}.", listed=listed) + f" {seed}"
    else:
        said = tr("All settings were the defaults of the program.") + f" {seed}"
    prefilter = spec.prefilter
    if prefilter.prefilter == "none":
        return said
    return f"{said} " + tr(
        "Only the {count:,} best features by {filter} were searched.",
        count=prefilter.keep,
        filter=_filter_words(prefilter),
    )


def _filter_words(prefilter: Prefilter) -> str:
    (info,) = (each for each in type(prefilter).describe() if each.name == "prefilter")
    return tr(info.choices[prefilter.prefilter]) if info.choices else prefilter.prefilter


def _wishes(result: Result) -> list[str]:
    constraints = "; ".join(f"{heading}: {names}" for heading, names in constraints_of(result.spec))
    said = [tr("The user had settled beforehand: {constraints}.", constraints=constraints)] if constraints else []
    return [*said, result.steered] if result.steered else said


def _found(result: Result) -> list[str]:
    count, reason = len(result.features), translated(result.reason)
    said = (
        tr("The search ended after {count:,} measurements ({reason}).", count=result.evaluations, reason=reason)
        if result.status == "finished"
        else tr(
            "The search was interrupted after {count:,} measurements ({reason}).",
            count=result.evaluations, reason=reason,
        )
    )  # fmt: skip
    values = {"count": count, "total": len(result.all_features)}
    if count > _MOST_NAMED:
        return [said, tr("It selected {count:,} of {total:,} features, listed in the supplement.", **values)]
    names = ", ".join(result.features)
    return [said, tr("It selected {count:,} of {total:,} features: {names}.", **values, names=names)]


def _evidence(result: Result) -> list[str]:
    """The honest error first, then what was measured on the rows that chose the features, as what it is."""
    criterion, honesty, honest = result.criterion, result.honesty, result.honest
    said = []
    if honest is not None and honest.source == "outer folds":
        sizes = [int(np.unpackbits(fold.mask).sum()) for fold in honesty.outer]
        said.append(
            tr(
                "The whole search was repeated inside {folds} outer folds (which selected {least} to {most} features).",
                folds=len(honesty.outer), least=min(sizes), most=max(sizes),
            )
        )  # fmt: skip
    if honest is not None and honest.source != "outer folds":
        said.append(tr("Each part of the rows was predicted by the order and size that the other parts chose."))
    if honest is not None:
        said.append(honest.sentence())
        if honest.has_interval:
            said.append(tr("The interval depends on the number of rows and allows for the variation between searches."))
        said += [result.seen_before] if result.seen_before else []
    if result.permutations is not None:
        said.append(result.permutations.sentence())
    values = {
        "criterion": _named(criterion.title), "found": localised(criterion.text(result.search_error)),
        "everything": localised(criterion.text(result.baseline_error)),
    }  # fmt: skip
    if honesty.fresh is None:
        said.append(
            tr(
                "On the rows that guided the search, {criterion} was {found} in the search and {everything} with all "
                "features.",
                **values,
            )
        )
    else:
        said.append(
            tr(
                "On the rows that guided the search, {criterion} was {found} in the search, {fresh} on fresh folds of "
                "them, and {everything} with all features.",
                **values,
                fresh=localised(criterion.text(honesty.fresh.mean)),
            )
        )
    if result.spec.selects:
        said.append(tr("These values are optimistic."))
    if honest is None:
        said.append(tr("The selection was not validated on other rows."))
    return said


def _software(spec: RunSpec) -> str:
    libraries = ", ".join(f"{name} {held}" for name, held in spec.versions.items() if name != "fsdesk")
    held = spec.versions.get("fsdesk", version("fsdesk"))
    return tr("The search ran in fsdesk {version} with {libraries}.", version=held, libraries=libraries)
