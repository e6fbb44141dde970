"""The honest error of an answer, and the sentences that say it."""

from dataclasses import dataclass
from typing import Literal

from fsdesk.measure import CRITERIA, Criterion
from fsdesk.messages import localised, number, tr

__all__ = ["HonestError", "Source", "Verdict"]

Source = Literal["outer folds", "held-out rows of the strategies", "another table"]
Verdict = Literal["better", "no better", "worse", "all features", "chance", "unknown"]


@dataclass(frozen=True)
class HonestError:
    """The error on rows that no search saw, its 95 % interval, and what all features and chance do on the same rows.

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

    @property
    def judged(self) -> Criterion:
        """The criterion."""
        return CRITERIA[self.criterion]

    @property
    def has_interval(self) -> bool:
        """Whether the rows are known; where not, the error must be measured again to get an interval."""
        return self.low is not None and self.high is not None

    @property
    def verdict(self) -> Verdict:
        """How the answer compares: "chance" where it is no better than that, else with all features.

        "all features": the answer is all of them. "unknown": no rows are known.
        """
        if self.chance_difference_low is not None and self.chance_difference_low <= 0:
            return "chance"
        if self.selected and self.selected == self.features:
            return "all features"
        if self.difference_low is None or self.difference_high is None:
            return "unknown"
        return "better" if self.difference_low > 0 else "worse" if self.difference_high < 0 else "no better"

    @property
    def better_than_chance(self) -> bool:
        """Whether the interval of the difference to chance leaves no doubt; True where nothing is known of chance."""
        return self.verdict != "chance"

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

    def headline(self) -> str:
        """What may stand in bold: the value, or that it is no better than chance."""
        return tr("No better than chance") if self.verdict == "chance" else self.value_words()

    def all_features_words(self) -> str:
        """All features on the same rows: "12.2 %"; "" where that is not known."""
        return "" if self.all_features is None else _shown(self.judged, self.all_features)

    def chance_words(self) -> str:
        """Chance on the same rows: "50.0 %"; "" where that is not known."""
        return "" if self.chance is None else _shown(self.judged, self.chance)

    def verdict_words(self) -> str:
        """How the answer compares: "better than all features by 3.1 points (0.9 to 5.4)"; "" where it is not known."""
        verdict, count = self.verdict, {"selected": number(self.selected), "features": number(self.features)}
        if verdict == "chance":
            return tr("no better than chance ({chance})", chance=self.chance_words())
        if self.difference is None or self.difference_low is None or self.difference_high is None:
            return ""
        low, high = self.difference_low, self.difference_high
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

    def sentence(self) -> str:
        """The one sentence that leads: error, interval, and how it compares."""
        title, value = tr(self.judged.title), self.value_words()
        interval, verdict = self.interval_words(), self.verdict_words()
        if not interval:
            return tr(
                "{criterion} on rows that no search saw: {value}. {again}",
                criterion=title, value=value, again=self.missing_words(),
            )  # fmt: skip
        if self.verdict == "chance":
            return tr(
                "No better than chance: {criterion} on rows that no search saw is {value} (95 % interval {interval}), "
                "and {chance} for a guess that looks at no feature.",
                criterion=title, value=value, interval=interval, chance=self.chance_words(),
            )  # fmt: skip
        if not verdict:
            return tr(
                "{criterion} on rows that no search saw: {value} (95 % interval {interval}).",
                criterion=title, value=value, interval=interval,
            )  # fmt: skip
        return tr(
            "{criterion} on rows that no search saw: {value} (95 % interval {interval}), {verdict}.",
            criterion=title, value=value, interval=interval, verdict=verdict,
        )  # fmt: skip

    def missing_words(self) -> str:
        """What is missing where there is no interval; "" where there is one."""
        if self.has_interval:
            return ""
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
        return tr("From {rows}, {how}. The interval depends on the number of rows.", rows=rows, how=how)

    def _points(self, amount: float) -> str:
        """A difference with its unit: "3.1 points", "0.031"."""
        return tr("{amount} points", amount=self._amount(amount)) if self.judged.unit == "%" else self._amount(amount)

    def _amount(self, amount: float) -> str:
        amount = max(0.0, amount)
        return number(100 * amount, ".1f") if self.judged.unit == "%" else localised(f"{amount:.2g}")


def _shown(criterion: Criterion, loss: float) -> str:
    if criterion.unit == "%":
        return tr("{value:.1f} %", value=100 * loss)
    return _plain(criterion.shown(loss))


def _plain(value: float) -> str:
    """A number to three digits, without an exponent where it can do without."""
    return localised(f"{value:#.3g}".removesuffix("."))
