"""Number of rows that a study needs, estimated from a pilot run.

Intervals. For the same error, the interval of a proportion of n rows, or of groups of rows, narrows with the square
root of their number. The wider half of the interval is reported, on the scale on which it is symmetric: for errors with
a maximum by Clopper and Pearson's bounds with proportionally more rows, for others on a logarithmic scale.

Evidence. The p value of the pilot comes from a statistic that is approximately normal, with standard deviation 1 and a
mean that grows with the square root of the number of rows: z for the pilot. Since z itself is only known to within 1,
the probability that k times as many rows reach the quantile q of the test is that of a normal variable with mean z
sqrt(k) and variance 1 + k (the predictive power of D. J. Spiegelhalter and L. S. Freedman, Stat. Med. 5, 1986):

    P = Phi((z sqrt(k) - q) / sqrt(1 + k))

A p value that is the smallest possible one of the permutations gives only a lower bound of z, and so of P.

Both assume that more rows have the error of the pilot. More rows also improve learning, so that results are rarely
worse; tests/bench/sample_size.py compares both with synthetic tables.

Without a pilot (:class:`Expected`) the error, and the effect of a feature, are the expected ones; tests/bench/trust.py
compares these estimates with synthetic tables.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fsdesk.data.checks import half_width
from fsdesk.errors import SettingsError
from fsdesk.messages import localised, number, tr
from fsdesk.results.association import PERMUTATIONS
from fsdesk.results.feature_tests import FALSE_SHARE
from fsdesk.results.held_out_error import EVIDENT, HonestError
from fsdesk.results.intervals import share_interval

TIMES = (1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
"""Multiples of the pilot's rows that are shown."""
_MOST = 1e7
_LEAST_P = 1e-12


@dataclass(frozen=True)
class Planned:
    """Expected outcome of a study.

    Attributes
    ----------
    rows
        Number of rows, or of groups of rows that belong together.
    half
        Wider half of the 95 % interval of the held-out error, as a search minimizes it: a fraction, 1 minus an AUC, or
        a number in the unit of the target. None if the pilot has no interval.
    chance
        Probability that such a study shows evidence that the features predict (p of at most 5 %); None if not tested.
    """

    rows: int
    half: float | None
    chance: float | None


def planned(pilot: HonestError, rows: int) -> Planned:
    """Expected outcome for this many rows, or groups of rows if the pilot has any."""
    if rows < 1:
        raise SettingsError("A study needs at least one row (got {rows}).", rows=rows)
    times = rows / _units(pilot)
    return Planned(rows, _half(pilot, times), _chance(pilot, times))


def rows_for(pilot: HonestError, half: float) -> int | None:
    """The smallest number of rows, or of groups, whose interval is this narrow; None if 10 million are too few.

    ``half`` is in the unit of :attr:`Planned.half`.
    """
    _refuse_half(half, pilot.judged.unit == "%")
    if not pilot.has_interval:
        return None
    low, high = 1, 1
    while (found := planned(pilot, high).half) is None or found > half:
        low, high = high, high * 2
        if high > _MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        found = planned(pilot, middle).half
        low, high = (low, middle) if found is not None and found <= half else (middle, high)
    return high


def table_of(pilot: HonestError) -> list[Planned]:
    """The expected outcomes for several numbers of rows, starting with that of the pilot."""
    return [planned(pilot, round(times * _units(pilot))) for times in TIMES]


def words(pilot: HonestError) -> Iterator[str]:
    """A sentence on how many rows are needed, if there are too few; empty without an interval."""
    if not pilot.has_interval or not pilot.rows:
        return
    half = 0.05 if pilot.support_is_bounded else 0.1 * pilot.value
    rows = rows_for(pilot, half)
    if rows is not None and rows > _units(pilot):
        unit = tr("groups") if pilot.blocks < pilot.rows else tr("rows")
        yield tr(
            "For an interval of ± {half}, about {rows} such {unit} are needed (this run: {own}).",
            half=half_words(pilot, half), rows=number(rows), unit=unit, own=number(_units(pilot)),
        )  # fmt: skip


def is_least(pilot: HonestError) -> bool:
    """Whether the p value of the pilot is the smallest that its test can give, so that probabilities are minima."""
    return pilot.association_p is not None and pilot.association_p <= 1 / (PERMUTATIONS + 1) + 1e-12


def given_words() -> str:
    """The assumptions behind these estimates, in words."""
    return tr(
        "This assumes that the error stays the same. More rows also improve learning; on other patients or devices, "
        "the error may be higher. Evidence: p of at most 5 % in the permutation test. If there is nothing to find, "
        "the probability of that is at most 5 %, whatever the pilot suggests. “At least”: the pilot has the smallest "
        "p that its test can give."
    )


def _refuse_half(half: float, is_share: bool) -> None:
    """Raise SettingsError for an impossible half-width."""
    if not half > 0:
        raise SettingsError("The width of an interval must be above 0 (got {half}).", half=half)
    if is_share and half >= 1:
        raise SettingsError(
            "The width of an interval is a fraction, such as 0.05 for ± 5 points (got {half}).", half=half
        )


def half_words(pilot: HonestError, half: float) -> str:
    """Half-width of an interval with its unit: "5.0 points", "0.050"."""
    if pilot.judged.unit == "%":
        return tr("{amount} points", amount=number(100 * half, ".1f"))
    return localised(f"{half:.2g}")


def cells(each: Planned, pilot: HonestError) -> tuple[str, str, str]:
    """Rows, half-width of the interval and probability of evidence, for a line of a table."""
    half = tr("not available") if each.half is None else f"± {half_words(pilot, each.half)}"
    chance = tr("not available") if each.chance is None else f"{number(100 * each.chance, '.0f')} %"
    if each.chance is not None and is_least(pilot):
        chance = tr("at least {share}", share=chance)
    return number(each.rows), half, chance


def titles(pilot: HonestError) -> tuple[str, str, str]:
    """Titles of the columns of such a table."""
    unit = tr("Groups") if pilot.blocks < pilot.rows else tr("Rows")
    return unit, tr("Interval"), tr("Probability of showing evidence")


def _units(pilot: HonestError) -> int:
    return max(1, min(pilot.blocks, pilot.rows) or pilot.rows)


def _half(pilot: HonestError, times: float) -> float | None:
    if pilot.low is None or pilot.high is None or not pilot.rows:
        return None
    if not pilot.support_is_bounded:
        if pilot.low <= 0 or pilot.value <= 0:
            return None
        reach = max(math.log(pilot.high / pilot.value), math.log(pilot.value / pilot.low)) / math.sqrt(times)
        return pilot.value * (math.exp(min(reach, 700.0)) - 1)
    scale = pilot.judged.worst if math.isfinite(pilot.judged.worst) else max(1.0, pilot.high)
    share = min(1.0, max(0.0, pilot.value / scale))
    width = (pilot.high - pilot.low) / scale
    low, high = share_interval(share, _effective(share, width) * times)
    return scale * max(high - share, share - low)


def _effective(share: float, width: float) -> float:
    """Number of rows at which Clopper and Pearson's interval of a proportion has this width."""
    low, high = 0.5, 1.0
    while True:
        bounds = share_interval(share, high)
        if bounds[1] - bounds[0] <= width or high > _MOST:
            break
        low, high = high, high * 2
    for _ in range(60):
        middle = (low + high) / 2
        bounds = share_interval(share, middle)
        low, high = (low, middle) if bounds[1] - bounds[0] <= width else (middle, high)
    return high


def _chance(pilot: HonestError, times: float) -> float | None:
    from scipy.special import ndtr, ndtri  # used by scipy.stats too, which takes half a second to load

    if pilot.association_p is None:
        return None
    p = min(max(pilot.association_p, _LEAST_P), 1 - _LEAST_P)
    z, quantile = -float(ndtri(p)), -float(ndtri(EVIDENT))
    return float(ndtr((z * math.sqrt(times) - quantile) / math.sqrt(1 + times)))


@dataclass(frozen=True)
class Foreseen:
    """Expected outcome of a study before anything is measured.

    Attributes
    ----------
    rows
        Number of rows, or of groups of rows that belong together.
    half
        Half-width of the 95 % interval for the expected error, a fraction; None without an error.
    found
        Fraction of the features with the given effect that get a q value of at most 10 %; None without an effect.
    """

    rows: int
    half: float | None
    found: float | None


@dataclass(frozen=True)
class Expected:
    """Assumptions about a study with two classes before anything is measured.

    Attributes
    ----------
    error
        Held-out error, as a fraction; None if not needed.
    effect
        Difference of the class means of a feature in within-class standard deviations (Cohen's d); None if not needed.
    features, telling
        Total number of features, and number of features with this effect.
    share
        Proportion of the rarer class.
    """

    error: float | None = None
    effect: float | None = None
    features: int = 100
    telling: int = 5
    share: float = 0.5

    def __post_init__(self) -> None:
        if self.error is not None and not 0 < self.error < 1:
            raise SettingsError("The error must be between 0 and 1 (got {error}).", error=self.error)
        if self.effect is not None and not self.effect > 0:
            raise SettingsError("The effect must be above 0 (got {effect}).", effect=self.effect)
        if not 0 < self.share <= 0.5:
            raise SettingsError(
                "The proportion of the rarer class must be at most 0.5 (got {share}).", share=self.share
            )
        if not 1 <= self.telling <= self.features:
            raise SettingsError(
                "The number of features with an effect must be from 1 to {features} (got {telling}).",
                features=self.features, telling=self.telling,
            )  # fmt: skip

    def foreseen(self, rows: int) -> Foreseen:
        """Expected outcome for this many rows."""
        if rows < 4:
            raise SettingsError("A study needs at least 4 rows (got {rows}).", rows=rows)
        half = None if self.error is None else half_width(self.error, rows)
        return Foreseen(rows, half, None if self.effect is None else self._found(rows))

    def _found(self, rows: int) -> float:
        """Share found, by Wilcoxon's test for normal values of equal variance and Benjamini & Hochberg's q values.

        The area under the curve is A = Phi(d / sqrt(2)); its variance that of G. E. Noether (Journal of the American
        Statistical Association 82, 1987), whose Q of two rows of a class is A - 2 T(d / sqrt(2), 1 / sqrt(3)), with T
        Owen's function. The p value threshold follows from the number of features below it (C. R. Genovese and L.
        Wasserman, Journal of the Royal Statistical Society B 64, 2002): a p = q (1 + (k - 1) power(a) + (p - k) a).
        """
        from scipy.special import ndtr, ndtri, owens_t

        assert self.effect is not None
        first, second = rows * self.share, rows * (1 - self.share)
        height = self.effect / math.sqrt(2)
        area = float(ndtr(height))
        of_two = area - 2 * float(owens_t(height, 1 / math.sqrt(3))) - area**2
        spread = math.sqrt(max(1e-12, area * (1 - area) + (first + second - 2) * of_two) / (first * second))
        by_luck = math.sqrt((rows + 1) / (12 * first * second))

        def power(level: float) -> float:
            reach = -float(ndtri(level / 2)) * by_luck
            return float(ndtr((area - 0.5 - reach) / spread))

        others = self.features - self.telling
        found = 1.0
        for _ in range(200):
            # The feature itself and, of the other informative ones, as many as are found.
            hits = 1 + (self.telling - 1) * found
            level = min(1.0, FALSE_SHARE * hits / (self.features - FALSE_SHARE * others))
            now = power(level)
            if abs(now - found) < 1e-6:
                break
            found = now
        return found

    def rows_for(self, half: float) -> int | None:
        """The smallest number of rows whose interval is this narrow; None if 10 million are too few."""
        if self.error is None:
            raise SettingsError("The number of rows needed for an interval depends on the error; specify it.")
        _refuse_half(half, True)
        error = self.error
        return _least(lambda rows: half_width(error, rows) <= half)

    def rows_to_find(self, share: float) -> int | None:
        """The smallest number of rows with which this fraction of the features with the effect is found."""
        if self.effect is None:
            raise SettingsError("The number of rows needed to find an effect depends on its size; specify it.")
        if not 0 < share < 1:
            raise SettingsError("The probability must be between 0 and 1 (got {share}).", share=share)
        return _least(lambda rows: self._found(rows) >= share)


def _least(holds: Callable[[int], bool]) -> int | None:
    """The smallest number of rows with a property that all larger numbers share."""
    low, high = 3, 4
    while not holds(high):
        low, high = high, high * 2
        if high > _MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


_SHOWN = (30, 50, 100, 200, 400, 800)


def expected_titles(expected: Expected) -> tuple[str, ...]:
    """Titles of the columns of a table without a pilot."""
    titles = [tr("Rows")]
    if expected.error is not None:
        titles.append(tr("Interval"))
    if expected.effect is not None:
        titles.append(tr("Probability of finding a feature"))
    return tuple(titles)


def expected_cells(
    expected: Expected, rows: Sequence[int], half: float | None = None, found: float | None = None
) -> list[tuple[str, ...]]:
    """Lines of the table: for the given numbers of rows, and for those required by an interval or a probability.

    Raises
    ------
    SettingsError
        If neither an error nor an effect is given, or no number of rows is sufficient.
    """
    if expected.error is None and expected.effect is None:
        raise SettingsError(
            "Give your expectations: an error (--error 0.2), the effect of a feature (--effect 0.8), or both; or "
            "give a finished run as a pilot."
        )
    needed = [] if half is None else [expected.rows_for(half)]
    needed += [] if found is None else [expected.rows_to_find(found)]
    wanted = [*rows, *(each for each in needed if each is not None)]
    if len(wanted) < len(rows) + len(needed):
        raise SettingsError("No number of rows up to ten million is enough for that.")
    lines = []
    for each in sorted(set(wanted)) or _SHOWN:
        seen = expected.foreseen(each)
        line = [number(each)]
        if seen.half is not None:
            line.append(f"± {tr('{amount} points', amount=number(100 * seen.half, '.1f'))}")
        if seen.found is not None:
            line.append("> 99 %" if seen.found > 0.99 else f"{number(100 * seen.found, '.0f')} %")
        lines.append(tuple(line))
    return lines


def expected_words(expected: Expected) -> str:
    """The assumptions behind these estimates, in words."""
    said = []
    if expected.error is not None:
        said.append(
            tr(
                "Interval: the expected 95 % interval of a held-out error of {error} %, with the default method.",
                error=number(100 * expected.error, ".3g"),
            )
        )
    if expected.effect is not None:
        said.append(
            tr(
                "Probability: that a feature whose means differ by {effect} standard deviations between two classes "
                "has a q value of at most {share} %, if {telling} of {features} features have such an effect and the "
                "rarer class is {rare} % of the rows.",
                effect=localised(f"{expected.effect:.3g}"), share=number(100 * FALSE_SHARE, ".0f"),
                telling=number(expected.telling), features=number(expected.features),
                rare=number(100 * expected.share, ".3g"),
            )
        )  # fmt: skip
    said.append(tr("Rows of one patient or animal count as one."))
    return " ".join(said)
