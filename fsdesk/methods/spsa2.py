"""Second-order (adaptive) SPSA: a stochastic Newton's method (Spall 2000), named as future work in the paper.

Two measurements in addition to the pair give two one-sided gradients; their difference is a noisy estimate of the
Hessian, and the mean of all estimates so far scales the step. Masks are rounded as in BSPSA.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fsdesk.messages import message
from fsdesk.methods.gains import (
    Progress,
    a_setting,
    alpha_setting,
    beginning,
    bounded,
    c_setting,
    gain,
    iterations_setting,
    rounded,
    shared_folds_setting,
    signs,
    slope,
    stability_setting,
    stall_setting,
)
from fsdesk.methods.problem import METHODS, End, Loss, Method, Problem, Proposal, Search
from fsdesk.settings import Preset, setting

_EQUAL = "the paper's budget of 3000 measurements for small tables"
_AS_BSPSA = "as for BSPSA in the paper"


@METHODS.register(
    "spsa2",
    title="SPSA, second order",
    summary="Moves all feature weights at once along an estimated gradient, as BSPSA does, and also estimates the"
    " curvature from two further measurements, so that steps are long where the loss is flat and short "
    "where it is strongly curved.",
    reference="J. C. Spall, Adaptive Stochastic Approximation by the Simultaneous Perturbation Method, IEEE "
    "Transactions on Automatic Control 45 (2000)",
    presets=(
        Preset(
            "small",
            {"max_iterations": 600, "stall_limit": 150, "a": 0.75, "A": 60.0},
            help="3000 measurements, for tables with fewer than 100 features.",
            max_features=99,
        ),
        Preset(
            "large",
            {"max_iterations": 1800, "stall_limit": 450, "a": 1.5, "A": 180.0},
            help="9000 measurements, for tables with 100 features or more.",
            min_features=100,
        ),
    ),
)
class SPSA2(Method):
    """2SPSA on rounded masks; every iteration takes five measurements: two pairs and y(w) of the next w."""

    max_iterations: int = iterations_setting(600, "five measurements", _EQUAL)
    stall_limit: int = stall_setting(150, "paper, section Method Parameters: 25 % of the iterations")
    a: float = a_setting(0.75, _AS_BSPSA)
    A: float = stability_setting(60.0, "as for BSPSA in the paper: a tenth of the iterations")
    alpha: float = alpha_setting(_AS_BSPSA)
    c: float = c_setting(0.05, _AS_BSPSA)
    c_tilde: float = setting(
        0.1,
        title="Second perturbation",
        help="Size of the second perturbation, used to estimate how the gradient changes.",
        source="twice c, so that no sum of both perturbations lands exactly on the threshold of a feature",
        gt=0,
        le=0.5,
    )
    floor: float = setting(
        1.0,
        title="Min. curvature",
        help="Lower bound on the curvature, which prevents noise from making steps too long; at 1, no step is "
        "longer than a BSPSA step.",
        source="keeps the matrix positive definite, as Spall 2000 requires",
        gt=0,
        le=1e6,
        level="all",
    )
    full_up_to: int = setting(
        100,
        title="Full matrix up to",
        help="Tables with more features than this use only the diagonal of the curvature matrix.",
        unit="features",
        source="a step with the full matrix takes cubic time and quadratic memory in the number of features",
        ge=0,
        le=1000,
        level="all",
    )
    shared_folds: bool = shared_folds_setting(True, "a difference of differences would drown in the noise of the folds")

    def gain(self, k: int) -> float:
        """a_k for k = 0, 1, ..."""
        return gain(k, self.a, self.A, self.alpha)

    def measurements(self, features: int) -> int:
        """Five per iteration; y(w_0) is not measured, as counted in the paper."""
        return 5 * self.max_iterations

    def search(self, problem: Problem, rng: np.random.Generator) -> Search:
        """w_{k+1} = B(w_k - a_k f(H_k)^-1 g_k); y(w_k) is requested with the pairs of iteration k, as in BSPSA."""
        p, c, c_tilde = problem.features, self.c, self.c_tilde
        w = beginning(problem, c)
        hessian: Hessian = FullHessian(p) if p <= self.full_up_to else DiagonalHessian(p)
        progress, known = Progress(self.stall_limit, problem), 0  # y(w_known) is already measured, or is not needed
        for k in problem.steps(self.max_iterations):
            delta, delta_tilde = signs(rng, p), signs(rng, p)
            w_plus, w_minus = w + c * delta, w - c * delta
            probes = [w_plus, w_minus, w_plus + c_tilde * delta_tilde, w_minus + c_tilde * delta_tilde]
            losses = yield self._proposal(k, w, probes, measured=k == known)
            if k != known and progress.stalled(k, losses[0]):
                return End(progress.reason)
            pairs = losses[-4:]
            g = slope(pairs[0], pairs[1], 2 * c) / delta
            hessian.hear(curvature(pairs, c, c_tilde), delta, delta_tilde)
            w = bounded(w - self.gain(k) * hessian.solve(g, self.floor))
            if problem.is_last(k, self.max_iterations):
                known = k + 1
                progress.stalled(known, (yield Proposal([rounded(w)], (True,), known, w))[0])
        return End(message("all {known:,} iterations done", known=known))

    def _proposal(
        self, k: int, w: NDArray[np.float64], probes: Sequence[NDArray[np.float64]], *, measured: bool
    ) -> Proposal:
        """The four probes of iteration k, preceded by y(w_k) if unknown."""
        own = [] if measured else [rounded(w)]
        return Proposal(
            [*own, *(rounded(bounded(probe)) for probe in probes)],
            (True,) * len(own) + (False,) * len(probes),
            k,
            w,
            {"a_k": self.gain(k)},
            folds="shared" if self.shared_folds else "fresh",
        )


def curvature(losses: Sequence[Loss], c: float, c_tilde: float) -> float:
    """Second difference of the loss along Delta and Delta~, not finite if one could not be measured.

    Parameters
    ----------
    losses
        y(w+), y(w-), y(w+ + c~ Delta~) and y(w- + c~ Delta~), where w+- = w +- c Delta.
    """
    y_plus, y_minus, y_plus_tilde, y_minus_tilde = (loss.mean for loss in losses)
    return ((y_plus_tilde - y_plus) - (y_minus_tilde - y_minus)) / (2 * c * c_tilde)


class Hessian(Protocol):
    """The running mean of the estimates H_k of the matrix of second derivatives."""

    def hear(self, second: float, delta: NDArray[np.float64], delta_tilde: NDArray[np.float64]) -> None:
        """Add H_k = second / 2 (Delta~^-1 Delta^-T + its transpose); skip the estimate if it is not finite."""

    def solve(self, g: NDArray[np.float64], floor: float) -> NDArray[np.float64]:
        """f(H)^-1 g, where f(H) = (H H + floor^2 I)^(1/2) is positive definite."""


class FullHessian:
    """The estimate of all p x p second derivatives."""

    def __init__(self, features: int) -> None:
        self.mean = np.zeros((features, features))
        self.heard = 0

    def hear(self, second: float, delta: NDArray[np.float64], delta_tilde: NDArray[np.float64]) -> None:
        """Add one estimate."""
        if np.isfinite(second):
            self.heard += 1
            estimate = np.outer(1 / delta_tilde, 1 / delta)
            self.mean += (0.5 * second * (estimate + estimate.T) - self.mean) / self.heard

    def solve(self, g: NDArray[np.float64], floor: float) -> NDArray[np.float64]:
        """Solve by the eigenvalues of H, each lambda replaced by sqrt(lambda^2 + floor^2)."""
        values, vectors = np.linalg.eigh(self.mean)
        return np.asarray(vectors @ (vectors.T @ g / np.hypot(values, floor)), dtype=np.float64)


class DiagonalHessian:
    """The estimate of only the p second derivatives of single features, the diagonal of the matrix, for large p."""

    def __init__(self, features: int) -> None:
        self.mean = np.zeros(features)
        self.heard = 0

    def hear(self, second: float, delta: NDArray[np.float64], delta_tilde: NDArray[np.float64]) -> None:
        """Add one estimate."""
        if np.isfinite(second):
            self.heard += 1
            self.mean += (second / (delta_tilde * delta) - self.mean) / self.heard

    def solve(self, g: NDArray[np.float64], floor: float) -> NDArray[np.float64]:
        """Solve for each component separately."""
        return np.asarray(g / np.hypot(self.mean, floor), dtype=np.float64)
