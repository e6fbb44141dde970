"""The held-out error of an answer, its interval, what it is compared with, and the sentences that say it."""

from dataclasses import dataclass
from typing import Literal

from fsdesk.data.checks import has_rare_class
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
    """The held-out error, its 95 % interval, and what all features and chance do on the same rows.

    Losses are as a search minimises them: fractions, 1 less the AUC, RMSE. A difference is positive where the answer
    is better. None is what is not known: evidence of older versions of fsdesk holds no rows, so it gives a value alone.

    Attributes
    ----------
    criterion
        Name of what is measured.
    value, low, high
        Loss of the answer on held-out rows, and its interval.
    all_features, difference, difference_low, difference_high
        Loss of all features on the same rows, trained on the same others; by how much the answer is better.
    chance, chance_difference, chance_difference_low, chance_difference_high
        Loss of what one predicts who knows no features; by how much the answer is better.
    rows, blocks
        Number of held-out rows, and of groups of rows that belong together (of the rows, where there are no groups).
    selected, features
        Number of features of the answer, and of all.
    source, folds
        Whose held-out rows, and into how many parts the rows were divided; 0 where that is not known.
    luck
        How far the value was brought from that of the strategies that the rows chose to the mean of all, from 0 to 1.
    model, everything_model
        Names of the model of the answer and of the best one with all features, chosen on the same rows;
        nothing where no models compete: then ``all_features`` is that of the answer's model.
    simple_model, simple_selected
        Name of the model of the answer that there would be if simple models alone competed, and how many features it
        would have; nothing where the answer's model is one of them, or no models compete.
    simple, simple_difference, simple_difference_low, simple_difference_high
        Its loss on the same rows; by how much the answer is better.
    association, association_p
        How strongly what was predicted goes with the truth, and the p value of "not at all"; see
        :mod:`fsdesk.results.association`. None in evidence of older versions.
    permuted_p
        The p value of whole runs on shuffled targets, which is stronger evidence; None where there are not enough.
    target, names
        Names of the target and of its classes; empty in evidence of older versions.
    rates, sizes
        Share of the held-out rows of each class that were given it, and how many there are; empty for numbers.
    covariates_size
        How many features are always in; 0 where there are none.
    covariates, covariates_difference, covariates_difference_low, covariates_difference_high
        Loss of these alone on the same rows; by how much the answer is better: what the others add.
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

    @property
    def judged(self) -> Criterion:
        """The criterion."""
        return CRITERIA[self.criterion]

    @property
    def support_is_bounded(self) -> bool:
        """Whether there is a largest loss, so that the interval is that of a share."""
        return self.judged.unit == "%" or self.criterion == "cost" or has_worst(self.judged)

    @property
    def has_interval(self) -> bool:
        """Whether there is an interval; none where the rows are not known, or where the error varies without bound."""
        return self.low is not None and self.high is not None

    @property
    def verdict(self) -> Verdict:
        """How the answer compares: "no evidence" where it may predict nothing at all, else with all features.

        "all features": the answer is all of them. "unknown": no rows are known.
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
        """The p value that decides whether the features predict: of runs on shuffled targets, else of one run."""
        return self.association_p if self.permuted_p is None else self.permuted_p

    @property
    def has_evidence(self) -> bool:
        """Whether the features predict beyond luck; True where nothing is known of that.

        In evidence of older versions by the difference to a guess that looks at no feature.
        """
        if self.evidence_p is not None:
            return self.evidence_p <= EVIDENT
        return self.chance_difference_low is None or self.chance_difference_low > 0

    def value_words(self) -> str:
        """The value as people know it: "9.1 %", "0.912"."""
        return _shown(self.judged, self.value)

    def interval_words(self) -> str:
        """The interval: "5.6 to 13.4 %", "0.86 to 0.95"; "" where there is none."""
        if self.low is None or self.high is None:
            return ""
        criterion = self.judged
        ends = sorted((criterion.shown(self.low), criterion.shown(self.high)))
        if criterion.unit == "%":
            return tr("{low:.1f} to {high:.1f} %", low=100 * ends[0], high=100 * ends[1])
        return tr("{low} to {high}", low=_plain(ends[0]), high=_plain(ends[1]))

    def all_features_words(self) -> str:
        """All features on the same rows: "12.2 %"; "" where that is not known."""
        return "" if self.all_features is None else _shown(self.judged, self.all_features)

    def chance_words(self) -> str:
        """Chance on the same rows: "50.0 %"; "" where that is not known."""
        return "" if self.chance is None else _shown(self.judged, self.chance)

    def verdict_words(self) -> str:
        """How the answer compares: "better than all features by 3.1 points (0.9 to 5.4)"; "" where it is not known."""
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
                "no better than all features (between {worse} worse and {better} better), with {selected} instead of "
                "{features}",
                worse=self._points(-low), better=self._amount(high), **count,
            )  # fmt: skip
        return tr("with all features")

    def _beside_best_model(self, difference: float, low: float, high: float) -> str:
        """How the answer compares with the best model on all features, which was chosen on the same rows."""
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
                "no clear difference from the best model with all features ({model}: {value}; between {worse} worse "
                "and {better} better)",
                worse=self._points(-low), better=self._amount(high), **beside,
            )  # fmt: skip
        return tr("no shorter list predicted as well")

    def _sentence_with_models(self, interval: str, verdict: str) -> str:
        """As :meth:`sentence` where models competed: what predicts best comes first."""
        values = {
            "criterion": tr(self.judged.title), "value": self.value_words(), "interval": interval,
            "model": translated(model_title(self.model)),
            "selected": number(self.selected), "features": number(self.features), "verdict": verdict,
        }  # fmt: skip
        if self.verdict == "worse":
            return tr(
                "All {features} features predict better: {criterion} on held-out rows {everything} "
                "({other}), and {value} (95 % interval {interval}) with these {selected} ({model}), {verdict}.",
                everything=self.all_features_words(), other=translated(model_title(self.everything_model)), **values,
            )  # fmt: skip
        if self.verdict == "all features":
            return tr(
                "{criterion} on held-out rows: {value} (95 % interval {interval}) with all {features} features "
                "({model}); {verdict}.", **values,
            )  # fmt: skip
        return tr(
            "{criterion} on held-out rows: {value} (95 % interval {interval}) with {selected} of {features} features "
            "({model}); {verdict}.", **values,
        )  # fmt: skip

    def sentence(self) -> str:
        """The one sentence that leads: error, interval, and how it compares."""
        title, value = tr(self.judged.title), self.value_words()
        interval, verdict = self.interval_words(), self.verdict_words()
        if interval and verdict and self.model:
            return self._sentence_with_models(interval, verdict)
        if not interval:
            return tr(
                "{criterion} on held-out rows: {value}. {again}",
                criterion=title, value=value, again=self.missing_words(),
            )  # fmt: skip
        if self.verdict == "no evidence":
            return tr(
                "{criterion} on held-out rows: {value} (95 % interval {interval}); {verdict}.",
                criterion=title, value=value, interval=interval, verdict=verdict,
            )  # fmt: skip
        if not verdict:
            return tr(
                "{criterion} on held-out rows: {value} (95 % interval {interval}).",
                criterion=title, value=value, interval=interval,
            )  # fmt: skip
        return tr(
            "{criterion} on held-out rows: {value} (95 % interval {interval}), {verdict}.",
            criterion=title, value=value, interval=interval, verdict=verdict,
        )  # fmt: skip

    def evidence_words(self) -> str:
        """Whether the features predict: "no evidence that these features predict outcome (p = 0.34)"; "" if unknown."""
        p, target = self.evidence_p, self.target or tr("the target")
        if not self.has_evidence:
            what = tr("no evidence that these features predict {target}", target=target)
            return what if p is None else f"{what} ({p_words(p)})"
        if p is None:
            return ""
        return tr("the predictions are associated with {target} ({p})", target=target, p=p_words(p))

    def tested_words(self) -> str:
        """How association was tested, with the p value; "" where it was not."""
        if self.association_p is None:
            return ""
        return tr(
            "Whether these predictions are associated with {target} was tested by permutation within folds ({p}).",
            target=self.target or tr("the target"), p=p_words(self.association_p),
        )  # fmt: skip

    @property
    def has_rare_class(self) -> bool:
        """Whether a class has so few rows that the error says little about it."""
        return has_rare_class(self.sizes)

    def rates_words(self) -> str:
        """How many rows of each class were predicted correctly: sensitivity and specificity; "" where not known.

        Sensitivity is that of the rarer of two classes.
        """
        if not self.sizes or len(self.names) != len(self.sizes):
            return ""
        parts = [
            {"name": name, "share": 100 * rate, "size": number(size)}
            for name, rate, size in zip(self.names, self.rates, self.sizes, strict=True)
        ]
        if len(parts) == 2:
            rare = int(self.sizes[1] <= self.sizes[0])
            said = (
                tr("Sensitivity ({name}): {share:.0f} % of {size} rows", **parts[rare]),
                tr("specificity ({name}): {share:.0f} % of {size} rows", **parts[1 - rare]),
            )
            return "; ".join(said) + "."
        each = "; ".join(tr("{name}: {share:.0f} % of {size} rows", **part) for part in parts)
        return tr("Predicted correctly, by class: {each}.", each=each)

    def missing_words(self) -> str:
        """What is missing where there is no interval; "" where there is one."""
        if self.has_interval:
            return ""
        if self.chance is not None:  # the rows are known
            return tr("No interval: too few rows determine the result.")
        return tr(
            "Its interval and the difference to all features are not known, for it was measured by an older fsdesk: "
            "measure it again."
        )

    def basis_words(self) -> str:
        """What stands behind the value: "From 208 rows, each predicted by a search that had not seen it; ..."."""
        if not self.rows:
            return ""
        if self.blocks < self.rows:
            rows = tr("{rows:,} rows of {blocks:,} groups", rows=self.rows, blocks=self.blocks)
        else:
            rows = tr("{rows:,} rows", rows=self.rows)
        if self.source == "outer folds" and self.folds:
            how = tr("each predicted by a whole search on the other rows, in {folds} outer folds", folds=self.folds)
        elif self.source == "another table":
            how = tr("all of another table than the one that was learned from")
        else:
            how = tr("each held out while strategies were searched for and chosen")
        said = tr("From {rows}, {how}. The interval depends on the number of rows.", rows=rows, how=how)
        associated = self.evidence_words() if self.has_evidence else ""
        associated = associated and f"{associated[:1].upper()}{associated[1:]}."
        parts = (said, associated, self.rates_words(), self.covariates_words(), self.simple_words(), self.luck_words())
        return " ".join(filter(None, parts))

    def simple_value_words(self) -> str:
        """The loss of the simple model on the same rows: "14.1 %"; "" where there is none beside the answer."""
        return "" if not self.simple_model or self.simple is None else _shown(self.judged, self.simple)

    def simple_words(self) -> str:
        """What a simple model would cost or gain, as a sentence; "" where there is none beside the answer."""
        low, high, gain = self.simple_difference_low, self.simple_difference_high, self.simple_difference
        if not self.simple_model or gain is None or low is None or high is None:
            return ""
        values = {
            "model": translated(model_title(self.simple_model)), "value": self.simple_value_words(),
            "features": counted(self.simple_selected, "feature"),
            "worse": self._points(high), "better": self._amount(-low),
        }  # fmt: skip
        if low > 0:
            return tr(
                "The best simple model ({model}, {features}) does worse: {value}, by {loss} ({low} to {high}).",
                loss=self._points(gain), low=self._amount(low), high=self._amount(high), **values,
            )  # fmt: skip
        if high < 0:
            return tr(
                "The best simple model ({model}, {features}) does better: {value}, by {gain} ({low} to {high}).",
                gain=self._points(-gain), low=self._amount(-high), high=self._amount(-low), **values,
            )  # fmt: skip
        return tr(
            "The best simple model ({model}, {features}) is not clearly worse: {value} (between {worse} worse and "
            "{better} better).", **values,
        )  # fmt: skip

    def covariates_value_words(self) -> str:
        """The loss of the features alone that are always in: "14.1 %"; "" where there are none."""
        return "" if self.covariates is None else _shown(self.judged, self.covariates)

    def covariates_words(self) -> str:
        """What the other features add to those that are always in, as a sentence; "" where there are none."""
        gain, low, high = (
            self.covariates_difference, self.covariates_difference_low, self.covariates_difference_high
        )  # fmt: skip
        if not self.covariates_size or gain is None or low is None or high is None:
            return ""
        values = {"always": counted(self.covariates_size, "feature"), "value": self.covariates_value_words()}
        if low > 0:
            return tr(
                "To what is always in ({always}, alone: {value}) the others add {gain} ({low} to {high}).",
                gain=self._points(gain), low=self._amount(low), high=self._amount(high), **values,
            )  # fmt: skip
        if high < 0:
            return tr(
                "What is always in ({always}) does better alone: {value}, by {gain} ({low} to {high}).",
                gain=self._points(-gain), low=self._amount(-high), high=self._amount(-low), **values,
            )  # fmt: skip
        return tr(
            "It is not shown that the others add to what is always in ({always}, alone: {value}): between {worse} "
            "worse and {better} better.",
            worse=self._points(-low), better=self._amount(high), **values,
        )  # fmt: skip

    def luck_words(self) -> str:
        """What was made of strategies that differ by little more than luck explains; "" where they differ by more."""
        if not self.luck:
            return ""
        if self.luck == 1:
            return tr("Differences between strategies are within chance: the value is the mean of all.")
        return tr(
            "Differences between strategies are hardly beyond chance: the value weighs the chosen ones by "
            "{own:.0f} % and the mean of all by {all:.0f} %.",
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
    """A number to three digits, without an exponent where it can do without."""
    return localised(f"{value:#.3g}".removesuffix("."))
