"""Models of libraries compute on one thread: fsdesk's own threads share the processor."""

import threading

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_info, threadpool_limits

import fsdesk
from fsdesk.wrappers.scikit_learn import on_one_thread


def threads_of_libraries() -> dict[str, set[int]]:
    """Threads of the libraries loaded, by kind, as seen by the calling thread."""
    found: dict[str, set[int]] = {}
    for library in threadpool_info():
        found.setdefault(library["user_api"], set()).add(library["num_threads"])
    return found


def test_a_model_is_trained_on_one_thread_although_its_library_was_loaded_after_the_limit_was_set(
    monkeypatch: pytest.MonkeyPatch, planted: fsdesk.Dataset
) -> None:
    during, fit = [], HistGradientBoostingClassifier.fit

    def seen(self: HistGradientBoostingClassifier, *arguments: object) -> HistGradientBoostingClassifier:
        during.append(threads_of_libraries())
        return fit(self, *arguments)

    monkeypatch.setattr(HistGradientBoostingClassifier, "fit", seen)
    evaluator = fsdesk.Evaluator(planted, "boosting", repeats=1, folds=2)
    with threadpool_limits(3):
        evaluator.measure(np.ones(len(planted.features), dtype=np.bool_))
        assert during == [{"blas": {1}, "openmp": {1}}] * 2
        assert threads_of_libraries() == {"blas": {3}, "openmp": {3}}  # as the caller had set them


def test_it_holds_for_each_of_several_threads() -> None:
    together, seen = threading.Barrier(3), []

    def work() -> None:
        with on_one_thread():
            together.wait(10)
            seen.append(threads_of_libraries()["openmp"])

    with threadpool_limits(3):
        threads = [threading.Thread(target=work) for _ in range(3)]
        for each in threads:
            each.start()
        for each in threads:
            each.join(10)
        assert threads_of_libraries()["openmp"] == {3}
    assert seen == [{1}] * 3
