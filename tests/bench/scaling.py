"""What a measurement costs against rows and features, with fitted exponents; and BSPSA's own work against features.

Run it with ``python tests/bench/scaling.py``; it prints the table for RESULTS.md, in some minutes. CPU time of one
thread, so that a busy machine spoils little; medians.
"""

import time
from collections.abc import Callable

import numpy as np

from fsdesk.data import Dataset
from fsdesk.measure import Evaluator, Measurement
from fsdesk.methods import METHODS, Problem

ROWS, FEATURES = (500, 1000, 2000, 4000), (500, 1000, 2000, 4000)
_FIXED_ROWS, _FIXED_FEATURES = 400, 200
THEORY = {"nn": "n² p", "svm": "n² p", "cart": "p n log n", "nb": "n p"}
OWN = (10_000, 100_000, 1_000_000)


def table(rows: int, features: int) -> Dataset:
    """Two classes that differ a little in every tenth feature."""
    rng = np.random.default_rng(rows + features)
    target = np.arange(rows) % 2
    x = rng.standard_normal((rows, features))
    x[:, ::10] += 0.3 * target[:, None]
    names = tuple(f"f{place}" for place in range(features))
    return Dataset("made", np.asfortranarray(x), names, target, "class", ("a", "b"), ("",) * rows)


def seconds(work: Callable[[int], object]) -> float:
    """CPU seconds of one turn: the median of some, the first one left out."""
    taken = list[float]()
    while len(taken) < 4 and sum(taken) < 20:
        started = time.process_time()
        work(len(taken))
        taken.append(time.process_time() - started)
    return float(np.median(taken[1:] or taken))


def measurement(wrapper: str, rows: int, features: int) -> float:
    """CPU seconds of a measurement of half of the features: 10 x 5 folds, each scaled by itself."""
    dataset = table(rows, features)
    mask = np.arange(features) % 2 == 0
    evaluator = Evaluator(dataset, wrapper)
    return seconds(lambda number: evaluator.measure(mask, number))


def exponent(sizes: tuple[int, ...], times: list[float]) -> float:
    """Slope of the straight line through the logarithms of the three largest."""
    return float(np.polyfit(np.log(sizes[-3:]), np.log(times[-3:]), 1)[0])


def own_seconds(features: int, iterations: int = 20) -> float:
    """CPU seconds that BSPSA itself takes for an iteration."""
    problem = Problem(features, 10**9)
    search = METHODS["bspsa"].build({}).search(problem, np.random.default_rng(0))
    asked = next(search)

    def iterate(_: int) -> None:
        nonlocal asked
        last = asked.iteration
        while asked.iteration < last + iterations:
            losses = [Measurement(np.array([0.3 + 0.1 * mask[: features // 2].mean()])) for mask in asked.masks]
            asked = search.send(losses)

    return seconds(iterate) / iterations


def main() -> None:
    """Print the table."""
    heads = [f"n = {rows:,}" for rows in ROWS] + [f"p = {features:,}" for features in FEATURES]
    print(f"| | {' | '.join(heads)} | n | p | theory |\n|{' --- |' * (len(heads) + 4)}")
    for wrapper, theory in THEORY.items():
        by_rows = [measurement(wrapper, rows, _FIXED_FEATURES) for rows in ROWS]
        by_features = [measurement(wrapper, _FIXED_ROWS, features) for features in FEATURES]
        cells = [f"{1000 * each:.3g}" for each in (*by_rows, *by_features)]
        slopes = f"{exponent(ROWS, by_rows):.2f} | {exponent(FEATURES, by_features):.2f}"
        print(f"| {wrapper} | {' | '.join(cells)} | {slopes} | {theory} |", flush=True)
    own = [own_seconds(features) for features in OWN]
    times = ", ".join(f"{1000 * each:.3g} ms at p = {features:,}" for each, features in zip(own, OWN, strict=True))
    print(f"BSPSA's own iteration: {times}; exponent {exponent(OWN, own):.2f} (theory: p).")


if __name__ == "__main__":
    main()
