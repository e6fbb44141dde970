"""Subsets of a run: equivalent ones, and the standing of strategies."""

import re
from dataclasses import replace

import numpy as np
import pytest

from fsdesk.engine import BaselineMeasured, BatchMeasured, Best, RunSpec
from fsdesk.engine.events import pack_masks
from fsdesk.engine.state import Judged, Race
from fsdesk.measure import CRITERIA
from fsdesk.methods.choice import ALL_FEATURES, choose
from fsdesk.results.exports import figure_named, writable
from fsdesk.results.figures import settled, strategies_figure
from fsdesk.results.methods_text import caution, methods_text
from fsdesk.results.report import report_html
from fsdesk.results.select import completed
from fsdesk.results.subsets import equivalent_subsets, estimates_of, never_judged, standings, why_it_won
from fsdesk.wrappers import WRAPPERS, model_title

A, B, C = (np.array(bits, dtype=np.bool_) for bits in ([1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0]))


def batch(number, masks, losses, *, candidates=None, confirms=False):
    return BatchMeasured(
        number=number,
        masks=pack_masks(list(masks)),
        candidates=candidates or (not confirms,) * len(masks),
        values=np.array(losses),
        iteration=number,
        weights=None,
        confirms=confirms,
    )


LOG = [
    BaselineMeasured(np.array([0.2, 0.3]), 0.0),
    batch(1, [A, B], [[0.10, 0.12], [0.30, 0.10]]),
    batch(3, [C], [[0.14, np.nan]]),
    batch(4, [B], [[0.4, 0.0]], candidates=(False,)),  # counts too, whatever the method asked it for
    batch(5, [A], [[0.10, 0.14]]),
]


def test_those_within_one_standard_error_are_listed_best_first():
    found = equivalent_subsets(LOG, Best(A, 0.11, 0.03, 1, 1, None))
    assert found.measured == 4 and found.number == 2 and found.limit == 0.14
    assert [subset.size for subset in found.shown] == [1, 2]
    assert [subset.answer for subset in found.shown] == [True, False]
    assert [subset.times for subset in found.shown] == [2, 1]
    np.testing.assert_array_equal(found.frequency, [0.5, 0.5, 0.5, 0.0])


def test_a_confirmed_subset_counts_with_its_confirmed_values_only():
    log = [*LOG, batch(6, [A, C], [[0.2, 0.2], [0.12, 0.12]], confirms=True)]
    found = equivalent_subsets(log, Best(C, 0.12, 0.001, 6, 6, None))
    assert [subset.answer for subset in found.shown] == [True]  # A was lucky at first


def test_the_answer_is_listed_even_where_it_was_never_a_candidate():
    found = equivalent_subsets([LOG[0]], Best(B, 0.1, 0.0, 0, 0, None))
    assert [(subset.answer, subset.times) for subset in found.shown] == [(True, 0)]


def a_race(winner=None):
    race = Race(folds=4, winner=winner)
    for strategy, size, losses in (
        ("F statistic", 10, [0.2, 0.3, 0.2, 0.3]),
        ("F statistic", 20, [0.1, 0.2, 0.1, 0.2]),
        ("mRMR", 5, [0.4, 0.2]),
    ):
        subsets = {at: np.arange(size) for at in range(len(losses))}
        race.judged[strategy, size, ""] = Judged(strategy, size, dict(enumerate(losses)), subsets=subsets)
    return race


def test_a_strategy_stands_at_its_best_size_with_the_standard_error_of_its_mean():
    filtered, judged = standings(a_race())
    assert (judged.strategy, judged.resamples, judged.state) == ("mRMR", 2, "")  # it may be the next one to be judged
    filtered, dropped = standings(a_race(("F statistic", 20, "")))
    assert (filtered.size, filtered.resamples, filtered.state) == (20, 4, "won")
    assert filtered.mean == pytest.approx(0.15)
    assert filtered.std_error == pytest.approx(np.std([0.1, 0.2, 0.1, 0.2], ddof=1) / 2)
    assert (dropped.strategy, dropped.resamples, dropped.state) == ("mRMR", 2, "out")


def test_of_a_race_that_was_cut_nobody_is_said_to_have_dropped_out():
    race = a_race(("F statistic", 20, ""))
    race.cut = True
    assert [each.state for each in standings(race)] == ["won", ""]


def test_only_a_winner_that_was_judged_on_all_rows_makes_a_race_complete():
    race = a_race(("F statistic", 20, ""))
    assert race.is_complete
    race.winner = ("mRMR", 5, "")  # as where time was up while others were ahead
    assert not race.is_complete


def test_the_winner_stands_at_the_size_that_was_taken():
    winner = standings(a_race(("F statistic", 10, "")))[0]
    assert (winner.size, winner.state) == (10, "won")
    assert winner.mean == pytest.approx(0.25)


def a_lucky_race(dataset):
    """Two models: one with a list that was lucky at one size, one with clear margins that is good at all sizes."""
    spec, race = RunSpec.make(dataset, method="auto", preset="quick"), Race(folds=5)
    steady, lucky = spec.models[0].name, spec.models[-1].name
    for strategy, size, model, loss in (
        ("F statistic", 1, lucky, 0.30), ("F statistic", 2, lucky, 0.08), ("F statistic", 3, lucky, 0.30),
        ("F statistic", 1, steady, 0.11), ("F statistic", 2, steady, 0.10), ("F statistic", 3, steady, 0.11),
        (ALL_FEATURES, 8, steady, 0.20), (ALL_FEATURES, 8, lucky, 0.35),
    ):  # fmt: skip
        subsets = {at: np.arange(size) for at in range(5)}
        losses = {at: loss + 0.05 * (at - 2) for at in range(5)}
        margins = dict.fromkeys(range(5), (2.0 if model == steady else 1.0, 1.0))  # mean and deviation
        race.judged[strategy, size, model] = Judged(strategy, size, losses, margins, model, subsets)
    won = choose(list(race.judged.values()), "lowest", 1 / spec.rows)
    race.winner = won.strategy, won.size, won.model
    return spec, race


def test_a_winner_with_a_larger_error_is_listed_first_with_the_estimate_that_decided(planted):
    spec, race = a_lucky_race(planted)
    first, *others = standings(race, spec)
    assert (first.state, first.mean) == ("won", pytest.approx(0.10))
    lucky = min(others, key=lambda each: each.mean)
    assert lucky.mean == pytest.approx(0.08)
    assert first.estimate < lucky.estimate
    assert [each.estimate for each in others] == sorted(each.estimate for each in others)
    words = why_it_won(spec, race, CRITERIA["error"])
    assert words.startswith(
        f"The choice is based on the estimate, because the lowest of {len(others) + 1} errors is partly due to"
    )
    assert "prediction margins" in words
    assert "Between all features" not in words


def test_without_the_number_of_rows_no_estimate_is_claimed(planted):
    spec, race = a_lucky_race(planted)
    old = spec.model_copy(update={"rows": 0})  # as stored by older versions
    assert not estimates_of(old, race)
    assert {each.estimate for each in standings(race, old)} == {None}
    assert "so the choice also considers prediction margins" in why_it_won(old, race, CRITERIA["error"])


def test_no_estimate_is_claimed_where_it_would_choose_another_winner(planted):
    spec, race = a_lucky_race(planted)
    race.winner = next(key for key in race.judged if key != race.winner)
    assert not estimates_of(spec, race)


@pytest.fixture(scope="module")
def raced(planted):
    return completed(RunSpec.make(planted, method="auto", settings={"competing": "filters", "resamples": 4}), planted)


def test_the_paragraph_for_a_paper_says_how_strategies_competed_and_which_won(planted, raced):
    text = methods_text(raced, planted)
    (winner,) = [each for each in standings(raced.race) if each.state == "won"]
    names = ", ".join(dict.fromkeys(each.strategy for each in raced.race.judged.values()))
    assert "The rows were divided into 4 parts, stratified by class. For each" in text
    assert names in text
    assert f"{winner.strategy} with {winner.size:,} feature" in text
    assert f"{100 * winner.mean:.2f} % (standard error {100 * winner.std_error:.2f}) on these rows" in text
    bspsa = completed(RunSpec.make(planted, method="bspsa", settings={"max_iterations": 3}), planted)
    assert "divided into" not in methods_text(bspsa, planted)


def test_the_report_names_what_competed_and_the_model_that_won(planted, raced):
    page = report_html(raced, planted)
    assert "Automatic; " in page
    assert "Automatic (recommended). " not in page
    assert "BSPSA" not in page.split("These strategies competed")[1].split("</p>")[0]
    model = WRAPPERS[raced.answered.wrapper].title if not raced.model else model_title(raced.model)
    assert model in page
    assert "measured on rows that also chose the strategy" in caution(raced)
    assert "It is the best" not in page


def test_the_error_by_size_of_strategies_that_competed_can_be_exported(planted, raced):
    assert {"sizes.png", "sizes.svg", "sizes.pdf"} <= set(writable(raced))
    drawn, expected = figure_named(raced, planted, "sizes"), strategies_figure(raced, planted)
    named = [[line.get_label() for line in figure.axes[0].lines] for figure in (drawn, expected)]
    assert named[0] == named[1] != []


def test_the_paragraph_for_a_paper_counts_the_groups(planted, raced):
    groups = np.arange(len(planted.target)) // 2
    grouped = replace(planted, groups=groups, role_names={"groups": "patient_id"})
    rows, patients = len(groups), len(set(groups))
    assert f'in {rows:,} samples in {patients:,} groups ("patient_id") to predict' in methods_text(raced, grouped)
    assert f"in {rows:,} samples to predict" in methods_text(raced, planted)


@pytest.mark.parametrize(
    ("role", "protocol", "said"),
    [
        ("groups", "folds", "into 4 parts, keeping the rows of a group in the same part. For"),
        ("fold_of", "column", "into 4 parts, keeping the rows of a user-defined fold in the same part. For"),
        ("time", "time", "into 4 parts in order of time. For each part, the features were ranked on"),
    ],
)
def test_the_paragraph_for_a_paper_says_which_rows_stayed_together(planted, role, protocol, said):
    eighths = np.arange(len(planted.target)) * 8 // len(planted.target)
    dataset = replace(planted, **{role: eighths})
    settings = {"competing": "filters", "resamples": 4, "protocol": protocol}
    result = completed(RunSpec.make(dataset, method="auto", settings=settings), dataset)
    assert said in methods_text(result, dataset)


def test_the_report_has_a_row_for_each_strategy_and_names_those_never_tried(planted, raced):
    result = raced
    page = report_html(result, planted)
    for each in standings(result.race):
        error = f"{100 * each.mean:.2f} %"
        name = re.escape(each.name)
        row = re.search(rf"<tr><td>{name}</td><td[^>]*>{each.size}</td><td[^>]*>{error}</td>.*?</tr>", page)
        assert row, each
        assert ("won" in row[0]) == (each.state == "won")
    assert sum(each.state == "won" for each in standings(result.race)) == 1
    missing = never_judged(result.spec, result.race, len(planted.features))
    assert ("Not tried:" in page) == bool(missing)
    assert "Error during the search" not in page


def test_the_legend_of_the_strategies_lies_over_none_of_their_lines(planted, raced):
    figure = settled(strategies_figure(raced, planted))
    figure.canvas.draw()
    (legend,), (axes,) = figure.legends, figure.axes
    assert legend.get_window_extent().x0 >= axes.get_window_extent().x1
    assert figure.bbox.contains(legend.get_window_extent().x1, legend.get_window_extent().y0)


def test_a_search_without_strategies_keeps_its_curve(planted):
    result = completed(RunSpec.make(planted, method="bspsa", settings={"max_iterations": 3}), planted)
    page = report_html(result, planted)
    assert "Error during the search" in page
    assert "Strategies on held-out rows" not in page
