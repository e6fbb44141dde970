"""Both solvers on small problems of every kind: optimal as LIBSVM defines it, by its own two-sided condition."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.solvers import Loss, fit_columns, fit_rows

TOLERANCE = 1e-3


@st.composite
def problems(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, q = draw(st.integers(3, 40)), draw(st.integers(1, 12))
    x = rng.normal(size=(n, q))
    kind = draw(st.sampled_from(["normal", "whole", "doubled"]))
    if kind == "whole":
        x = rng.integers(0, 3, size=(n, q)).astype(float)
    if kind == "doubled":
        x = np.repeat(x[: (n + 1) // 2], 2, axis=0)[:n]
    cost = draw(st.sampled_from([0.01, 1.0, 30.0]))
    epsilon = draw(st.sampled_from([None, 0.0, 0.1, 1.0]))
    if epsilon is not None:
        y = x[:, 0] * 2.0 + rng.normal(size=n)
        return x, Loss(y, np.full(n, -cost), np.full(n, cost), np.full(n, cost), epsilon)
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    y[0], y[-1] = 1.0, -1.0
    return x, Loss(y, np.minimum(cost * y, 0.0), np.maximum(cost * y, 0.0), np.full(n, cost), 0.0)


def _violation(u, gram, loss):
    """Largest gain per unit of moving one dual value up and another down: at most the tolerance where optimal."""
    residual, small = loss.y - gram @ u, 1e-9 * loss.rate
    up = np.where(u >= -small, residual - loss.epsilon, residual + loss.epsilon)[u < loss.high - small]
    down = np.where(u > small, residual - loss.epsilon, residual + loss.epsilon)[u > loss.low + small]
    return up.max(initial=-np.inf) - down.min(initial=np.inf)


@settings(deadline=None, max_examples=300)
@given(problem=problems(), start=st.sampled_from(["zero", "bounds", "anywhere"]), seed=st.integers(0, 99))
def test_rows_are_optimal_to_the_tolerance_and_within_their_bounds(problem, start, seed):
    x, loss = problem
    n, gram, rng = len(x), x @ x.T, np.random.default_rng(seed)
    # From bounds several rows at once come to 0, where the tube's cost has a kink.
    u = {
        "zero": np.zeros(n),
        "bounds": np.where(rng.random(n) < 0.3, 0.0, np.where(rng.random(n) < 0.5, loss.low, loss.high)),
        "anywhere": rng.uniform(loss.low, loss.high),
    }[start]
    level = max(gram.trace() / n, 1e-9)
    steps = fit_rows(gram, loss, TOLERANCE, 10_000, u, shift=level, ridge=1e-13 * level)
    assert steps < 10_000
    assert _violation(u, gram, loss) <= 1.1 * TOLERANCE
    assert abs(u.sum()) <= 1e-6 * n  # far below what the tolerance leaves, where no product holds it
    assert ((u >= loss.low) & (u <= loss.high)).all()


@settings(deadline=None, max_examples=150)
@given(problem=problems())
def test_columns_are_optimal_to_the_tolerance_or_say_that_they_are_not(problem):
    x, loss = problem
    q = x.shape[1]
    machine = fit_columns(x.T, loss, TOLERANCE, 300)
    u = machine.u
    assert ((u >= loss.low) & (u <= loss.high)).all()
    if machine.steps < 300:
        assert _violation(u, x @ x.T, loss) <= 1.1 * TOLERANCE
        assert np.abs(machine.w[:q] - x.T @ u).max() <= 1e-9 * max(1.0, np.abs(machine.w).max())


def test_rows_that_are_held_where_they_belong_leave_the_same_machine():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(400, 5))
    y = np.where(x[:, 0] + rng.normal(size=400) > 0.0, 1.0, -1.0)
    loss = Loss(y, np.minimum(y, 0.0), np.maximum(y, 0.0), np.ones(400), 0.0)
    every = fit_columns(x.T, loss, 1e-6, 300)
    far = np.abs(y - every.f) > 0.3
    assert 100 < far.sum() < 390
    assert np.abs(every.u[far]).sum() > 50
    pull = np.append(x[far].T @ every.u[far], every.u[far].sum())
    few = Loss(y[~far], loss.low[~far], loss.high[~far], loss.rate[~far], 0.0)
    part = fit_columns(x[~far].T, few, 1e-6, 300, pull=pull, size=float(np.abs(every.u[far]).sum()))
    assert max(every.steps, part.steps) < 300
    assert np.abs(part.w - every.w).max() < 1e-5
    assert np.abs(part.u - every.u[~far]).max() < 1e-4


def test_a_start_near_the_end_takes_fewer_steps_to_the_same_dual_values():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(60, 200)), np.where(np.arange(60) % 2, 1.0, -1.0)
    loss = Loss(y, np.minimum(y, 0.0), np.maximum(y, 0.0), np.ones(60), 0.0)
    cold = np.zeros(60)
    many = fit_rows(x @ x.T, loss, 1e-6, 10_000, cold, shift=200.0, ridge=0.0)
    warm = cold * rng.uniform(0.9, 1.0, 60)
    few = fit_rows(x @ x.T, loss, 1e-6, 10_000, warm, shift=200.0, ridge=0.0)
    assert few < many / 4
    assert np.abs(warm - cold).max() < 1e-6


def test_a_cap_on_steps_ends_the_training_within_bounds():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(50, 60)), np.where(np.arange(50) % 2, 1.0, -1.0)
    loss = Loss(y, np.minimum(y, 0.0), np.maximum(y, 0.0), np.ones(50), 0.0)
    u = np.zeros(50)
    steps = fit_rows(x @ x.T, loss, 1e-6, 5, u, shift=60.0, ridge=0.0)
    assert steps == 5
    assert ((u >= loss.low) & (u <= loss.high)).all()
