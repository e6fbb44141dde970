"""The formulas of methods and evidence in typst notation, each with its explanation."""

from fsdesk.messages import mark, tr
from fsdesk.results.half_samples import winning_filter
from fsdesk.results.record import RunRecord

_SAMPLED = "BSPSA-R"

Formula = tuple[str, str]

_SPSA: tuple[Formula, ...] = (
    (
        'w_k^plus.minus = "round"("clip"(w_k plus.minus c Delta_k)), quad '
        "hat(g)_k = (y(w_k^+) - y(w_k^-)) / (2 c Delta_k)",
        mark("y: the measured loss of a subset; Δ: random signs, one per feature; c: the perturbation size."),
    ),
    (
        'w_(k+1) = "clip"(w_k - a_k hat(g)_k), quad a_k = a / (A + k + 1)^alpha',
        mark("w: one weight between 0 and 1 per feature; a feature is selected if its weight is at least 0.5."),
    ),
)
_RESAMPLED_FORMULAS: tuple[Formula, ...] = (
    (
        'm_j tilde "Bernoulli"(w), quad g = 1/M sum_(j=1)^M (macron(L) - L_j) / (s_L) (m_j - w)',
        mark(
            "w: the probability of drawing each feature; L: the error of a drawn subset m on rows its model was not "
            "trained on, new ones at every step; the bar denotes the mean, s the standard deviation."
        ),
    ),
    ('w arrow.l "clip"(w + a g sqrt(w (1 - w)))', mark("a: the step size.")),
)
_RACE: tuple[Formula, ...] = (
    (
        "macron(L)_(s,q) = 1/J sum_(j=1)^J L(S_(s,q)(R without R_j), R_j)",
        mark(
            "The mean loss of strategy s with q features over J parts R of the rows, each predicted with the "
            "features that the strategy selected on the others. The methods paragraph says how the result is chosen by "
            "these losses."
        ),
    ),
)
_GENETIC: tuple[Formula, ...] = (
    (
        '"child" = "mother" xor "father"',
        mark("With the paper's crossover; each feature then flips with a small probability."),
    ),
)
_FORWARD: tuple[Formula, ...] = (
    (
        'S_(k+1) = S_k union {limits("argmin")_(f in.not S_k) y(S_k union {f})}',
        mark("S: the current subset; y: the measured loss."),
    ),
)
_BACKWARD: tuple[Formula, ...] = (
    (
        'S_(k+1) = S_k without {limits("argmin")_(f in S_k) y(S_k without {f})}',
        mark("S: the current subset; y: the measured loss."),
    ),
)
_METHODS = {
    "bspsa": _SPSA, "bspsa-h": _SPSA, "cspsa": _SPSA, "bspsa-r": _RESAMPLED_FORMULAS,
    "auto": (*_RACE, *_RESAMPLED_FORMULAS),
    "univariate": _RACE, "mrmr": _RACE, "relieff": _RACE, "l1": _RACE, "rfe": _RACE, "forest": _RACE,
    "bga": _GENETIC, "sfs": _FORWARD, "sffs": _FORWARD, "sbs": _BACKWARD, "sbfs": _BACKWARD,
}  # fmt: skip

_ERROR = (
    "hat(E) = 1/n sum_(i=1)^n L(y_i, f_(-i)(x_i))",
    mark(
        "Held-out error: f is the model whose features, scaling and settings were found without row i. The 95 % "
        "interval depends on the number of rows, or groups of rows, and accounts for the variation between searches."
    ),
)
_BOUND = (
    "E[V] <= 4 (1 - tau + 1/(2 B)) / (1 + 1/B) q^2 / d",
    mark(
        "Expected number of irrelevant features among those selected in at least a share τ of B pairs of halves, "
        "with q of d features each (Shah & Samworth, 2013)."
    ),
)
_STABLE = (
    "Phi = 1 - (1/d sum_(f=1)^d M/(M-1) p_f (1 - p_f)) / (macron(k)/d (1 - macron(k)/d))",
    mark(
        "Stability of M subsets of d features: p is the share of subsets that contain a feature and k their mean "
        "size; measured on two halves and two quarters of the rows and extrapolated to all rows (S. Nogueira, K. "
        "Sechidis and G. Brown, On the Stability of Feature Selection Algorithms, Journal of Machine Learning "
        "Research 18 (2018))."
    ),
)
_LUCK = ("p = (b + 1) / (m + 1)", mark("b of m runs on shuffled targets did as well as the run on the true targets."))


def formulas_of(result: RunRecord) -> tuple[Formula, ...]:
    """Formulas of the method: (formula, explanation); only of strategies that were evaluated."""
    if result.spec.method == "auto" and not has_sampled(result):
        return _said(_RACE)
    return _said(_METHODS.get(result.spec.method, ()))


def has_sampled(result: RunRecord) -> bool:
    """Whether BSPSA on resampled rows was among the evaluated strategies."""
    return any(each.strategy == _SAMPLED for each in result.race.judged.values())


def honest_formulas(result: RunRecord) -> tuple[Formula, ...]:
    """Formulas of the held-out error and of the half-samples, if they apply."""
    known = (
        (_ERROR, result.honest is not None),
        (_BOUND, result.spec.selects),
        (_STABLE, winning_filter(result) is not None),
        (_LUCK, result.permutations is not None),
    )
    return _said(tuple(formula for formula, applies in known if applies))


def _said(formulas: tuple[Formula, ...]) -> tuple[Formula, ...]:
    return tuple((formula, tr(words)) for formula, words in formulas)
