"""The held-out error of a result, its interval, its comparisons, and their wording."""

from dataclasses import dataclass
from typing import Literal

from fsdesk.data.checks import has_rare_class
from fsdesk.data.outcomes import positive_class
from fsdesk.measure import CRITERIA, Criterion
from fsdesk.messages import counted, localised, number, tr, translated
from fsdesk.results.intervals import has_worst
from fsdesk.wrappers import model_title

EVIDENT = 0.05
"""The largest p value that counts as evidence."""
Source = Literal["outer folds", "held-out rows of the strategies", "another table"]
Verdict = Literal["better", "no better", "worse", "all features", "no evidence", "unknown"]


@dataclass(frozen=True)
class HonestError:
    """The held-out error, its 95 % interval, and the errors of all features and of chance on the same rows.

    Losses are as minimized by a search: fractions, 1 minus the AUC, RMSE. A difference is positive if the result is
    better. None means unknown: evidence from older versions of fsdesk contains no rows, so it gives only a value.

    Attributes
    ----------
    criterion
        Name of the criterion.
    value, low, high
        Loss of the result on held-out rows, and its interval.
    all_features, difference, difference_low, difference_high
        Loss of all features on the same rows, trained on the same other rows; improvement of the result.
    chance, chance_difference, chance_difference_low, chance_difference_high
        Loss of a prediction without features; improvement of the result.
    rows, blocks
        Number of held-out rows, and of groups of rows (of rows if there are no groups).
    selected, features
        Number of features of the result, and in total.
    source, folds
        Origin of the held-out rows, and number of parts into which the rows were divided; 0 if not known.
    luck
        Shrinkage of the value, from 0 to 1, from the error of the chosen strategies toward the mean over all of them.
    model, everything_model
        Names of the model of the result and of the best one with all features, chosen on the same rows; empty if no
        models compete: then ``all_features`` is that of the result's model.
    simple_model, simple_selected
        Name of the model of the result if only simple models competed, and its number of features; empty if the
        result's model is one of them, or no models compete.
    simple, simple_difference, simple_difference_low, simple_difference_high
        Its loss on the same rows; improvement of the result.
    association, association_p
        Strength of association of predictions with the truth, and the p value of no association; see
        :mod:`fsdesk.results.association`. None in evidence from older versions.
    permuted_p
        The p value from whole runs on shuffled targets, which is stronger evidence; None if there are not enough.
    target, names
        Names of the target and of its classes; empty in evidence from older versions.
    rates, sizes
        Share of the held-out rows of each class that were predicted correctly, and class sizes; empty for numbers.
    covariates_size
        Number of features that are always in; 0 if there are none.
    covariates, covariates_difference, covariates_difference_low, covariates_difference_high
        Loss of these alone on the same rows; improvement of the result, that is, what the others add.
    listed_model, listed_selected
        Name of the model of the best list of features, and the number of its features, if the result uses all features;
        otherwise empty.
    listed, listed_difference, listed_difference_low, listed_difference_high
        Its loss on the same rows; improvement of the result.
    """

    criterion: str
    value: float
    low: float | None = None
    high: float | None = None
    all_features: float | None = None
    difference: float | None = None
    difference_low: float | None = None
    difference_high: float | None = None
    chance: float | None = None
    chance_difference: float | None = None
    chance_difference_low: float | None = None
    chance_difference_high: float | None = None
    rows: int = 0
    blocks: int = 0
    selected: int = 0
    features: int = 0
    source: Source = "outer folds"
    folds: int = 0
    luck: float = 0.0
    model: str = ""
    everything_model: str = ""
    association: float | None = None
    association_p: float | None = None
    permuted_p: float | None = None
    target: str = ""
    names: tuple[str, ...] = ()
    rates: tuple[float, ...] = ()
    sizes: tuple[int, ...] = ()
    simple_model: str = ""
    simple_selected: int = 0
    simple: float | None = None
    simple_difference: float | None = None
    simple_difference_low: float | None = None
    simple_difference_high: float | None = None
    covariates_size: int = 0
    covariates: float | None = None
    covariates_difference: float | None = None
    covariates_difference_low: float | None = None
    covariates_difference_high: float | None = None
    listed_model: str = ""
    listed_selected: int = 0
    listed: float | None = None
    listed_difference: float | None = None
    listed_difference_low: float | None = None
    listed_difference_high: float | None = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.sentence()}>"

    @property
    def judged(self) -> Criterion:
        """The criterion."""
        return CRITERIA[self.criterion]

    @property
    def support_is_bounded(self) -> bool:
        """Whether there is a maximum loss, so that the interval is that of a share."""
        return self.judged.unit == "%" or self.criterion == "cost" or has_worst(self.judged)

    @property
    def has_interval(self) -> bool:
        """Whether there is an interval; there is none if the rows are not known, or if the error has no bound."""
        return self.low is not None and self.high is not None

    @property
    def verdict(self) -> Verdict:
        """Verdict on the result: "no evidence" if it may predict nothing at all, else the comparison with all features.

        "all features": the result includes all of them. "unknown": no rows are known.
        """
        if not self.has_evidence:
            return "no evidence"
        if self.selected and self.selected == self.features:
            return "all features"
        if self.difference_low is None or self.difference_high is None:
            return "unknown"
        return "better" if self.difference_low > 0 else "worse" if self.difference_high < 0 else "no better"

    @property
    def evidence_p(self) -> float | None:
        """The p value that decides whether the features predict: of runs on shuffled targets, else of a single run."""
        return self.association_p if self.permuted_p is None else self.permuted_p

    @property
    def has_evidence(self) -> bool:
        """Whether the features predict beyond chance; True if unknown.

        Evidence from older versions is judged by the difference from a baseline without features.
        """
        if self.evidence_p is not None:
            return self.evidence_p <= EVIDENT
        return self.chance_difference_low is None or self.chance_difference_low > 0

    def value_words(self) -> str:
        """The value in display units: "9.1 %", "0.912"."""
        return _shown(self.judged, self.value)

    def interval_words(self) -> str:
        """The interval: "5.6 to 13.4 %", "0.86 to 0.95"; "" if there is none."""
        if self.low is None or self.high is None:
            return ""
        criterion = self.judged
        ends = sorted((criterion.shown(self.low), criterion.shown(self.high)))
        if criterion.unit == "%":
            return tr("{low:.1f} to {high:.1f} %", low=100 * ends[0], high=100 * ends[1])
        return tr("{low} to {high}", low=_plain(ends[0]), high=_plain(ends[1]))

    def all_features_words(self) -> str:
        """All features on the same rows: "12.2 %"; "" if not known."""
        return "" if self.all_features is None else _shown(self.judged, self.all_features)

    def chance_words(self) -> str:
        """Chance on the same rows: "50.0 %"; "" if not known."""
        return "" if self.chance is None else _shown(self.judged, self.chance)

    def verdict_words(self) -> str:
        """Comparison of the result: "better than all features by 3.1 points (0.9 to 5.4)"; "" if not known."""
        verdict, count = self.verdict, {"selected": number(self.selected), "features": number(self.features)}
        if verdict == "no evidence":
            return self.evidence_words()
        if self.difference is None or self.difference_low is None or self.difference_high is None:
            return ""
        low, high = self.difference_low, self.difference_high
        if self.everything_model:
            return self._beside_best_model(self.difference, low, high)
        if verdict == "better":
            return tr(
                "better than all features by {gain} ({low} to {high})",
                gain=self._points(self.difference), low=self._amount(low), high=self._amount(high),
            )  # fmt: skip
        if verdict == "worse":
            return tr(
                "worse than all features by {loss} ({low} to {high})",
                loss=self._points(-self.difference), low=self._amount(-high), high=self._amount(-low),
            )  # fmt: skip
        if verdict == "no better":
            return tr(
                "not clearly better than all features (between {worse} worse and {better} better), using {selected} "
                "instead of {features}",
                worse=self._points(-low), better=self._amount(high), **count,
            )  # fmt: skip
        return tr("with all features")

    def _beside_best_model(self, difference: float, low: float, high: float) -> str:
        """Comparison of the result with the best model with all features, chosen on the same rows."""
        beside = {"model": translated(model_title(self.everything_model)), "value": self.all_features_words()}
        if self.verdict == "better":
            return tr(
                "better than the best model with all features ({model}: {value}) by {gain} ({low} to {high})",
                gain=self._points(difference), low=self._amount(low), high=self._amount(high), **beside,
            )  # fmt: skip
        if self.verdict == "worse":
            return tr(
                "worse than the best model with all features ({model}: {value}) by {loss} ({low} to {high})",
                loss=self._points(-difference), low=self._amount(-high), high=self._amount(-low), **beside,
            )  # fmt: skip
        if self.verdict == "no better":
            return tr(
                "not clearly different from the best model with all features ({model}: {value}; between {worse} "
                "worse and {better} better)",
                worse=self._points(-low), better=self._amount(high), **beside,
            )  # fmt: skip
        return tr("the search kept all features")

    def _sentence_with_models(self, interval: str, verdict: str) -> str:
        """The same as :meth:`sentence`, if models competed: the best prediction comes first."""
        values = {
            "error": self._error_words, "value": self.value_words(), "interval": interval,
            "model": translated(model_title(self.model)),
            "selected": number(self.selected), "features": number(self.features), "verdict": verdict,
        }  # fmt: skip
        if self.verdict == "worse":
            return tr(
                "All {features} features predict better: {error} {everything} ({other}), "
                "compared with {value} (95 % interval {interval}) for these {selected} ({model}), {verdict}.",
                everything=self.all_features_words(), other=translated(model_title(self.everything_model)), **values,
            )  # fmt: skip
        if self.verdict == "all features":
            said = tr(
                "{error}: {value} (95 % interval {interval}); the search kept all {features} "
                "features ({model}).", **values,
            )  # fmt: skip
            return f"{said} {self.listed_words()}".strip()
        return tr(
            "{error}: {value} (95 % interval {interval}) with {selected} of {features} features "
            "({model}); {verdict}.", **values,
        )  # fmt: skip

    def sentence(self) -> str:
        """The headline sentence: error, interval, and comparison."""
        value = self.value_words()
        interval, verdict = self.interval_words(), self.verdict_words()
        if interval and verdict and self.model:
            return self._sentence_with_models(interval, verdict)
        if not interval:
            return tr(
                "{error}: {value}. {again}",
                error=self._error_words, value=value, again=self.missing_words(),
            )  # fmt: skip
        if self.verdict == "no evidence":
            return tr(
                "{error}: {value} (95 % interval {interval}); {verdict}.",
                error=self._error_words, value=value, interval=interval, verdict=verdict,
            )  # fmt: skip
        if not verdict:
            return tr(
                "{error}: {value} (95 % interval {interval}).",
                error=self._error_words, value=value, interval=interval,
            )  # fmt: skip
        return tr(
            "{error}: {value} (95 % interval {interval}), {verdict}.",
            error=self._error_words, value=value, interval=interval, verdict=verdict,
        )  # fmt: skip

    @property
    def _error_words(self) -> str:
        """What was measured, and on which rows unless they are another table's, which is named with it."""
        title = tr(self.judged.title)
        return title if self.source == "another table" else tr("{criterion} on held-out rows", criterion=title)

    @property
    def _target_words(self) -> str:
        """What is predicted, for use in a sentence; for survival, "the time to the event" instead of a column name."""
        if self.judged.task == "survival":
            return tr("the time to the event")
        return self.target or tr("the target")

    def evidence_words(self) -> str:
        """Whether the features predict: "no evidence that these features predict outcome (p = 0.34)"; "" if unknown."""
        p, target = self.evidence_p, self._target_words
        if not self.has_evidence:
            what = tr("no evidence that these features predict {target}", target=target)
            return what if p is None else f"{what} ({p_words(p)})"
        if p is None:
            return ""
        return tr("the predictions are associated with {target} ({p})", target=target, p=p_words(p))

    def tested_words(self) -> str:
        """The test of association, with its p value; "" if not tested."""
        if self.association_p is None:
            return ""
        return tr(
            "The association of these predictions with {target} was tested by permutation within folds ({p}).",
            target=self._target_words, p=p_words(self.association_p),
        )  # fmt: skip

    @property
    def has_rare_class(self) -> bool:
        """Whether a class has so few rows that the error says little about it."""
        return has_rare_class(self.sizes)

    def rates_words(self) -> str:
        """Share of rows of each class predicted correctly: sensitivity and specificity; "" if not known.

        Sensitivity refers to the class that :func:`fsdesk.data.outcomes.positive_class` names.
        """
        if not self.sizes or len(self.names) != len(self.sizes):
            return ""
        parts = [
            {"name": name, "share": 100 * rate, "size": number(size)}
            for name, rate, size in zip(self.names, self.rates, self.sizes, strict=True)
        ]
        if len(parts) == 2:
            sought = positive_class(self.names, self.sizes)
            said = (
                tr("Sensitivity ({name}): {share:.0f} % of {size} rows", **parts[sought]),
                tr("specificity ({name}): {share:.0f} % of {size} rows", **parts[1 - sought]),
            )
            return "; ".join(said) + "."
        each = "; ".join(tr("{name}: {share:.0f} % of {size} rows", **part) for part in parts)
        return tr("Correctly predicted, by class: {each}.", each=each)

    def missing_words(self) -> str:
        """What is missing for an interval; "" if there is one."""
        if self.has_interval:
            return ""
        if self.chance is not None:  # the rows are known
            return tr("No interval: too few rows determine the result.")
        return tr(
            "Its interval and its difference from all features are not available, because it was measured by an "
            "older version of fsdesk. Measure it again."
        )

    def basis_words(self) -> str:
        """The basis of the value: "Based on 208 rows, each predicted by a complete search on the other rows; ..."."""
        if not self.rows:
            return ""
        grouped = self.blocks < self.rows
        if grouped:
            rows = tr("{rows:,} rows in {blocks:,} groups", rows=self.rows, blocks=self.blocks)
        else:
            rows = tr("{rows:,} rows", rows=self.rows)
        if self.source == "outer folds" and self.folds:
            how = tr("each predicted by a complete search on the other rows, in {folds} outer folds", folds=self.folds)
        elif self.source == "another table":
            how = tr("all from a different table than the training rows")
        else:
            how = tr("each held out while strategies were searched and chosen")
        said = tr("Based on {rows}, {how}.", rows=rows, how=how)
        by_group = grouped and self.has_interval
        counted = tr("The interval counts the groups as independent, not the rows.") if by_group else ""
        associated = self.evidence_words() if self.has_evidence else ""
        associated = associated and f"{associated[:1].upper()}{associated[1:]}."
        parts = (
            said, counted, associated, self.baseline_words(), self.rates_words(), self.covariates_words(),
            self.simple_words(), self.luck_words(),
        )  # fmt: skip
        return " ".join(filter(None, parts))

    def baseline_words(self) -> str:
        """A sentence that a prediction without features is not clearly worse, if there is evidence; "" otherwise.

        With a rare class, scores can be associated with the target although the error is that of never predicting it.
        """
        low = self.chance_difference_low
        if not self.has_evidence or self.chance is None or low is None or low > 0:
            return ""
        return tr(
            "On the same rows, a prediction without features is not clearly worse: {value}.", value=self.chance_words()
        )

    def simple_value_words(self) -> str:
        """The loss of the simple model on the same rows: "14.1 %"; "" if there is none for comparison."""
        return "" if not self.simple_model or self.simple is None else _shown(self.judged, self.simple)

    def simple_words(self) -> str:
        """The loss or gain with a simple model, as a sentence; "" if there is none for comparison."""
        rival = self.simple_model, self.simple_selected, self.simple_value_words()
        spread = self.simple_difference, self.simple_difference_low, self.simple_difference_high
        return self._rival_words(tr("The best simple model"), rival, spread)

    def listed_value_words(self) -> str:
        """The loss of the best list on the same rows: "14.1 %"; "" if there is none for comparison."""
        return "" if not self.listed_model or self.listed is None else _shown(self.judged, self.listed)

    def listed_words(self) -> str:
        """The loss or gain with a list of features instead of all, as a sentence; "" if there is none."""
        rival = self.listed_model, self.listed_selected, self.listed_value_words()
        spread = self.listed_difference, self.listed_difference_low, self.listed_difference_high
        return self._rival_words(tr("The best list"), rival, spread)

    def _rival_words(
        self, what: str, rival: tuple[str, int, str], spread: tuple[float | None, float | None, float | None]
    ) -> str:
        """A rival by its model, number of features and value; ``spread`` is the gain over it with its interval."""
        (model, selected, value), (gain, low, high) = rival, spread
        if not model or gain is None or low is None or high is None:
            return ""
        values = {
            "rival": what, "model": translated(model_title(model)), "value": value,
            "features": counted(selected, "feature"), "worse": self._points(high), "better": self._amount(-low),
        }  # fmt: skip
        if low > 0:
            return tr(
                "{rival} ({model}, {features}) does worse: {value}, by {loss} ({low} to {high}).",
                loss=self._points(gain), low=self._amount(low), high=self._amount(high), **values,
            )  # fmt: skip
        if high < 0:
            return tr(
                "{rival} ({model}, {features}) does better: {value}, by {gain} ({low} to {high}).",
                gain=self._points(-gain), low=self._amount(-high), high=self._amount(-low), **values,
            )  # fmt: skip
        if gain <= 0:
            return tr(
                "{rival} ({model}, {features}) does as well: {value} (between {worse} worse and {better} better).",
                **values,
            )  # fmt: skip
        return tr(
            "{rival} ({model}, {features}) is not clearly worse: {value} (between {worse} worse and {better} better).",
            **values,
        )  # fmt: skip

    def covariates_value_words(self) -> str:
        """The loss of only the features that are always in: "14.1 %"; "" if there are none."""
        return "" if self.covariates is None else _shown(self.judged, self.covariates)

    def covariates_words(self) -> str:
        """What the other features add to those that are always in, as a sentence; "" if there are none."""
        gain, low, high = (
            self.covariates_difference, self.covariates_difference_low, self.covariates_difference_high
        )  # fmt: skip
        if not self.covariates_size or gain is None or low is None or high is None:
            return ""
        values = {"always": counted(self.covariates_size, "feature"), "value": self.covariates_value_words()}
        if low > 0:
            return tr(
                "The other features add {gain} ({low} to {high}) to those always in ({always}, alone: {value}).",
                gain=self._points(gain), low=self._amount(low), high=self._amount(high), **values,
            )  # fmt: skip
        if high < 0:
            return tr(
                "The features always in ({always}) do better alone: {value}, by {gain} ({low} to {high}).",
                gain=self._points(-gain), low=self._amount(-high), high=self._amount(-low), **values,
            )  # fmt: skip
        return tr(
            "The other features are not shown to add to those always in ({always}, alone: {value}): between {worse} "
            "worse and {better} better.",
            worse=self._points(-low), better=self._amount(high), **values,
        )  # fmt: skip

    def luck_words(self) -> str:
        """How strategies whose differences hardly exceed chance were treated; "" if they differ by more."""
        if not self.luck:
            return ""
        if self.luck == 1:
            return tr("Differences between strategies are within chance, so this is the mean over all of them.")
        return tr(
            "Differences between strategies barely exceed chance, so this is a weighted mean: {own:.0f} % the "
            "selected strategies, {all:.0f} % all strategies.",
            own=100 * (1 - self.luck), all=100 * self.luck,
        )  # fmt: skip

    def _points(self, amount: float) -> str:
        """A difference with its unit: "3.1 points", "0.031"."""
        return tr("{amount} points", amount=self._amount(amount)) if self.judged.unit == "%" else self._amount(amount)

    def _amount(self, amount: float) -> str:
        amount = max(0.0, amount)
        return number(100 * amount, ".1f") if self.judged.unit == "%" else localised(f"{amount:.2g}")


def p_words(p: float) -> str:
    """A p value: "p = 0.34", "p < 0.001"."""
    if p < 0.001:
        return tr("p < {p}", p=localised("0.001"))
    return tr("p = {p}", p=localised(f"{p:.2g}" if p < 0.1 else f"{p:.2f}"))


def _shown(criterion: Criterion, loss: float) -> str:
    if criterion.unit == "%":
        return tr("{value:.1f} %", value=100 * loss)
    return _plain(criterion.shown(loss))


def _plain(value: float) -> str:
    """A number to three digits, without an exponent if possible."""
    return localised(f"{value:#.3g}".removesuffix("."))
