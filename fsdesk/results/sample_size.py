"""Sample size planning from a pilot run.

Intervals. For a constant error, the interval of a share of n rows, or groups of rows, narrows with the square root of
their number. The reported value is the wider half of the interval, on the scale on which it is symmetric: for errors
with a maximum, by the Clopper-Pearson bounds for the multiplied number of rows; for others, on a logarithmic scale.

Evidence. The p value of the pilot belongs to an approximately normal statistic with a standard deviation of 1 and a
mean that grows with the square root of the rows: z for the pilot. Because z itself is only known to within 1, the
probability that k times as many rows reach the quantile q of the test is that of a normal variable with mean z sqrt(k)
and variance 1 + k (the predictive power of D. J. Spiegelhalter and L. S. Freedman, Stat. Med. 5, 1986):

    P = Phi((z sqrt(k) - q) / sqrt(1 + k))

Both assume that more rows have the same error as the pilot. More rows also improve learning, so a result is rarely
worse; tests/bench/sample_size.py compares both with synthetic tables.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from fsdesk.errors import SettingsError
from fsdesk.messages import localised, number, tr
from fsdesk.results.held_out_error import EVIDENT, HonestError
from fsdesk.results.intervals import share_interval

TIMES = (1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
"""The multiples of the pilot's rows that are shown."""
_MOST = 1e7
_LEAST_P = 1e-12


@dataclass(frozen=True)
class Planned:
    """Expected outcome of a study.

    Attributes
    ----------
    rows
        Number of rows, or of groups of rows.
    half
        Wider half of the 95 % interval of the held-out error, as minimized by a search: a fraction, 1 minus an AUC, or
        a number in the unit of the target. None if the pilot has no interval.
    chance
        Probability that such a study shows evidence that the features predict (p up to 5 %); None if this was not
        tested.
    """

    rows: int
    half: float | None
    chance: float | None


def planned(pilot: HonestError, rows: int) -> Planned:
    """Expected outcome for a number of rows, or of groups of rows if the pilot has any."""
    if rows < 1:
        raise SettingsError("A study needs at least one row (got {rows}).", rows=rows)
    times = rows / _units(pilot)
    return Planned(rows, _half(pilot, times), _chance(pilot, times))


def rows_for(pilot: HonestError, half: float) -> int | None:
    """The smallest number of rows, or of groups, with an interval that narrow; None if even 10 million do not suffice.

    ``half`` is in the unit of :attr:`Planned.half`.
    """
    if not half > 0:
        raise SettingsError("The width of an interval must be above 0 (got {half}).", half=half)
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
    """For several numbers of rows, starting with that of the pilot."""
    return [planned(pilot, round(times * _units(pilot))) for times in TIMES]


def words(pilot: HonestError) -> Iterator[str]:
    """Number of rows needed if these are too few; nothing without an interval."""
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


def given_words() -> str:
    """The assumptions behind these numbers."""
    return tr(
        "This assumes that the error stays the same. More rows also improve learning; other patients or devices may "
        "do worse. Evidence: p of at most 5 % in the permutation test; if there is nothing to find, its probability "
        "is at most 5 %, whatever the pilot suggests."
    )


def half_words(pilot: HonestError, half: float) -> str:
    """Half of an interval with its unit: "5.0 points", "0.050"."""
    if pilot.judged.unit == "%":
        return tr("{amount} points", amount=number(100 * half, ".1f"))
    return localised(f"{half:.2g}")


def cells(each: Planned, pilot: HonestError) -> tuple[str, str, str]:
    """Rows, half of the interval and probability of evidence, for a line of a table."""
    half = tr("not available") if each.half is None else f"± {half_words(pilot, each.half)}"
    chance = tr("not available") if each.chance is None else f"{number(100 * each.chance, '.0f')} %"
    return number(each.rows), half, chance


def titles(pilot: HonestError) -> tuple[str, str, str]:
    """Column titles of such a table."""
    unit = tr("Groups") if pilot.blocks < pilot.rows else tr("Rows")
    return unit, tr("Interval"), tr("Probability of evidence")


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
    """Number of rows for a Clopper-Pearson interval of a share with a given width."""
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
    from scipy.special import ndtr, ndtri  # what scipy.stats asks too, which takes half a second to load

    if pilot.association_p is None:
        return None
    p = min(max(pilot.association_p, _LEAST_P), 1 - _LEAST_P)
    z, quantile = -float(ndtri(p)), -float(ndtri(EVIDENT))
    return float(ndtr((z * math.sqrt(times) - quantile) / math.sqrt(1 + times)))
