import tracemalloc

import numpy as np
import pytest

from fsdesk.methods import METHODS, Problem
from fsdesk.methods.spsa2 import SPSA2, DiagonalHessian, FullHessian, curvature
from tests.driving import Signs, drive, loss_of


@pytest.mark.parametrize("full_up_to", [0, 2])
def test_the_first_step_by_hand(full_up_to):
    method = SPSA2(a=0.75, A=60.0, c=0.05, c_tilde=0.1, full_up_to=full_up_to)
    search = method.search(Problem(2), Signs([1, 0], [1, 1], [1, 1], [1, 1]))
    first = next(search)
    assert [mask.tolist() for mask in first.masks] == [[True, False], [False, True], [True, True], [True, True]]
    assert first.candidates == (False,) * 4
    second = search.send([loss_of(value) for value in (0.30, 0.28, 0.32, 0.295)])
    g = np.array([0.2, -0.2])  # .02 / .1 (1, -1)
    # One-sided differences .02 and .015: second = .005 / (2 * .05 * .1) = .5, Delta~ Delta^T = [[1, -1], [1, -1]].
    # H = .5 / 2 ([[1, -1], [1, -1]] + its transpose) = diag(.5, -.5); f(H) = sqrt(.25 + 1) I.
    assert second.weights == pytest.approx(0.5 - 0.75 / 61**0.6 * g / np.sqrt(1.25), abs=1e-14)
    assert second.candidates == (True, *[False] * 4)


def _made_losses(matrix, slope, w, delta, delta_tilde, c, c_tilde):
    def quadratic(v):
        return 0.5 * v @ matrix @ v + slope @ v

    plus, minus = w + c * delta, w - c * delta
    points = (plus, minus, plus + c_tilde * delta_tilde, minus + c_tilde * delta_tilde)
    return [loss_of(quadratic(point)) for point in points]


def test_the_mean_of_the_estimates_comes_near_the_matrix_of_a_quadratic_loss():
    rng = np.random.default_rng(0)
    matrix = np.array([[4.0, 1.0, 0.0], [1.0, 2.0, -0.5], [0.0, -0.5, 1.0]])
    full, diagonal = FullHessian(3), DiagonalHessian(3)
    for _ in range(4000):
        delta, delta_tilde = rng.choice([-1.0, 1.0], size=(2, 3))
        losses = _made_losses(matrix, rng.normal(size=3), rng.normal(size=3), delta, delta_tilde, 0.05, 0.1)
        for hessian in (full, diagonal):
            hessian.hear(curvature(losses, 0.05, 0.1), delta, delta_tilde)
    assert full.mean == pytest.approx(matrix, abs=0.3)  # four standard errors: sqrt(25 / 4000) each
    assert diagonal.mean == pytest.approx(np.diag(matrix), abs=0.3)
    assert diagonal.mean == pytest.approx(np.diag(full.mean))


def test_the_step_is_newton_s_where_the_matrix_is_definite_and_downhill_where_it_is_not():
    from scipy.linalg import sqrtm

    rng = np.random.default_rng(1)
    matrix = rng.normal(size=(5, 5))
    matrix = matrix + matrix.T
    assert np.linalg.eigvalsh(matrix)[0] < 0 < np.linalg.eigvalsh(matrix)[-1]
    g = rng.normal(size=5)
    full = FullHessian(5)
    full.mean[:] = matrix
    expected = np.linalg.solve(np.real(sqrtm(matrix @ matrix + 0.3**2 * np.eye(5))), g)
    assert full.solve(g, 0.3) == pytest.approx(expected)
    assert g @ full.solve(g, 0.3) > 0
    full.mean[:] = matrix @ matrix + np.eye(5)
    assert full.solve(g, 1e-9) == pytest.approx(np.linalg.solve(matrix @ matrix + np.eye(5), g))
    diagonal = DiagonalHessian(5)
    diagonal.mean[:] = np.diag(matrix)
    assert diagonal.solve(g, 0.3) == pytest.approx(g / np.sqrt(np.diag(matrix) ** 2 + 0.09))


def test_an_estimate_that_could_not_be_measured_leaves_the_mean_as_it_is():
    for hessian in (FullHessian(2), DiagonalHessian(2)):
        hessian.hear(2.0, np.array([1.0, 1.0]), np.array([1.0, 1.0]))
        before = hessian.mean.copy()
        losses = [loss_of(value) for value in (0.1, float("inf"), 0.1, 0.1)]
        hessian.hear(curvature(losses, 0.05, 0.1), np.array([1.0, -1.0]), np.array([1.0, 1.0]))
        assert np.array_equal(hessian.mean, before)


def test_twenty_thousand_features_need_no_matrix():
    method = METHODS["spsa2"].build({"max_iterations": 3}, features=22_283)
    tracemalloc.start()
    drive(method.search(Problem(22_283), np.random.default_rng(0)), lambda mask, number: 0.3 - 1e-6 * mask.sum())
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 100 * 8 * 22_283  # a matrix would take 22,283 times 8 * 22,283 bytes


def test_presets_spend_the_paper_s_budgets_with_a_stall_limit_of_a_quarter():
    for features, most in ((99, 3000), (100, 9000)):
        built = METHODS["spsa2"].build({}, features=features)
        assert built.measurements(features) == most
        assert built.stall_limit * 4 == built.max_iterations
