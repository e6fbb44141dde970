import numpy as np

from fsdesk.app.error_plot import thinned
from fsdesk.app.heatmap import chosen_rows
from fsdesk.app.words import counted, duration


def test_thinning_keeps_the_ends_and_never_exceeds_the_limit() -> None:
    places = thinned(10_000, 100)
    assert len(places) <= 100
    assert places[0] == 0
    assert places[-1] == 9_999
    assert thinned(5, 100).tolist() == [0, 1, 2, 3, 4]


def test_the_heatmap_shows_the_features_of_most_weight_first() -> None:
    weights = np.array([10, 250, 0, 128], dtype=np.uint8)
    assert chosen_rows(weights, 2, top=True).tolist() == [1, 3]
    assert chosen_rows(weights, 10, top=False).tolist() == [1, 3, 0, 2]


def test_all_features_are_sampled_evenly_where_they_are_too_many() -> None:
    rows = chosen_rows(np.arange(1000) % 256, 5, top=False)
    assert len(rows) == 5
    assert len(set(rows.tolist())) == 5


def test_numbers_read_as_people_write_them() -> None:
    assert counted(1, "row") == "1 row"
    assert counted(20_000, "feature") == "20,000 features"
    assert counted(2, "class") == "2 classes"
    assert duration(0.2) == "less than a second"
    assert duration(45) == "45 s"
    assert duration(100) == "2 min"  # at most is never less
    assert duration(600) == "10 min"
    assert duration(3 * 3600) == "3 h 0 min"
