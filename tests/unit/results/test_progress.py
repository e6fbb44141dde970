"""What `select` tells while it is under way, and how it is asked to stop."""

import numpy as np
import pytest

from fsdesk import select

SETTINGS = {"max_iterations": 6, "repeats": 2, "folds": 3}


def _selected(planted, callback, **more):
    return select(planted, method="bspsa", seed=2, settings=SETTINGS, callback=callback, **more)


def test_every_step_is_told_and_nothing_changes_by_telling(planted):
    told = []
    result = _selected(planted, told.append)
    assert result.search_error == _selected(planted, None).search_error
    assert [each.measured for each in told] == [2, 5, 8, 11, 14, 17, 18][1:]  # the first step measures no candidate
    assert {each.most for each in told} == {18}
    assert [each.best_error for each in told] == sorted((each.best_error for each in told), reverse=True)
    assert told[-1].best_error == result.search_error
    assert np.array_equal(told[-1].best_mask, result.mask)
    assert told[0].is_better
    better = [one.best_error < other.best_error for one, other in zip(told[1:], told, strict=False)]
    assert better == [each.is_better for each in told[1:]]
    assert str(told[-1]).startswith("18 of at most 18 measurements: loss ")


def _stopping(progress):
    raise StopIteration


@pytest.mark.parametrize("callback", [lambda progress: True, _stopping])
def test_it_stops_where_it_is_asked_to_and_keeps_what_was_found(planted, callback):
    result = _selected(planted, callback)
    assert result.status == "stopped"
    assert result.evaluations == 5
    assert result.mask.any()


def test_other_errors_of_a_callback_are_not_swallowed(planted):
    def broken(progress):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        _selected(planted, broken)
