"""Strategies that compete, on the Search page: each with its error on held-out rows, who dropped out, who won."""

import numpy as np
import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from fsdesk.app.result_page.answer_table import FeaturesModel
from fsdesk.app.search_page.feature_cards import facts_of
from fsdesk.app.search_page.figures import RaceCard, entrants, untried
from fsdesk.data import Dataset
from fsdesk.engine import RunSpec
from fsdesk.engine.state import Judged, Race, RunState
from fsdesk.measure import CRITERIA
from fsdesk.results.subsets import why_it_won

from .conftest import WindowDriver


def a_race(*, winner: tuple[str, int, str] | None = None) -> Race:
    """Two strategies at two sizes in four resamples, and one that dropped out after two."""
    race = Race(folds=4, winner=winner)
    for strategy, size, losses in (
        ("F statistic", 10, [0.2, 0.3, 0.2, 0.3]),
        ("F statistic", 20, [0.1, 0.2, 0.1, 0.2]),
        ("mRMR", 5, [0.4, 0.2]),
        ("all features", 100, [0.5, 0.5, 0.5, 0.5]),
    ):
        subsets = {at: np.arange(size) for at in range(len(losses))}
        race.judged[strategy, size, ""] = Judged(strategy, size, dict(enumerate(losses)), subsets=subsets)
    return race


def test_each_strategy_stands_at_its_best_size_with_its_error_over_the_resamples() -> None:
    filtered, dropped, everything = entrants(a_race(), CRITERIA["error"])
    assert (filtered.name, filtered.size, filtered.text, filtered.resamples) == ("F statistic", 20, "15.00 %", 4)
    error = 100 * np.std([0.1, 0.2, 0.1, 0.2], ddof=1) / 2
    assert (filtered.low, filtered.high) == pytest.approx((15 - error, 15 + error))
    assert [each.standing for each in (filtered, dropped, everything)] == ["", "out", ""]
    assert dropped.note == "30.00 % · 5 features · 2 of 4 resamples · dropped out"


def test_a_strategy_that_is_still_being_judged_has_not_dropped_out() -> None:
    race = a_race()
    del race.judged["all features", 100, ""]
    for state in ("", "out"):  # nobody after mRMR was judged on more resamples; then the race is decided without it
        assert [each.standing for each in entrants(race, CRITERIA["error"])][1] == state
        race.winner = ("F statistic", 20, "")


def test_a_race_is_complete_where_a_strategy_was_judged_on_all_rows_and_one_won() -> None:
    assert a_race(winner=("F statistic", 20, "")).is_complete
    assert not a_race().is_complete
    stopped = a_race(winner=("F statistic", 20, ""))
    stopped.folds = 10  # of which four were judged when it was stopped
    assert not stopped.is_complete


def test_the_winner_is_shown_at_the_size_that_was_taken() -> None:
    winner = entrants(a_race(winner=("F statistic", 10, "")), CRITERIA["error"])[0]
    assert (winner.size, winner.text, winner.standing) == (10, "25.00 %", "won")


def test_a_winner_whose_error_is_not_the_smallest_shown_says_what_made_it_win(planted: Dataset) -> None:
    race = a_race(winner=("all features", 100, ""))
    ways = (("lowest", "considers prediction margins"), ("fewest", "has the fewest features"), ("most", "has the most"))
    for prefer, words in ways:
        spec = RunSpec.make(planted, method="auto", settings={"prefer": prefer})
        assert words in why_it_won(spec, race, CRITERIA["error"])
        said = why_it_won(spec, a_race(winner=("F statistic", 20, "")), CRITERIA["error"])  # its error is the smallest
        assert said.startswith("The choice is based on the estimate") if prefer == "lowest" else not said


def test_margins_are_said_to_decide_only_where_they_do(planted: Dataset) -> None:
    spec, race = RunSpec.make(planted, method="auto"), a_race(winner=("all features", 100, ""))
    assert "margins" in why_it_won(spec, race, CRITERIA["error"])
    for name in ("rmse", "auc", "concordance"):
        assert why_it_won(spec, race, CRITERIA[name]) == "The choice also considers the values at neighboring sizes."


def test_a_criterion_that_rises_keeps_its_direction() -> None:
    assert [each.text for each in entrants(a_race(), CRITERIA["auc"])] == ["0.8500", "0.7000", "0.5000"]


def test_strategies_that_were_never_judged_are_named_once_there_is_a_winner(planted: Dataset) -> None:
    spec = RunSpec.make(planted, method="auto")
    assert untried(spec, a_race(), 100) == []
    assert untried(spec, a_race(winner=("F statistic", 20, "")), 100) == [
        "L1 path",
        "forest importance",
        "ReliefF",
        "BSPSA-R",
    ]
    assert untried(RunSpec.make(planted, method="bspsa"), Race(), 100) == []


def test_the_frequency_is_said_to_be_that_of_resamples_where_strategies_competed(qapp: QApplication) -> None:
    race = a_race(winner=("F statistic", 10, ""))
    race.judged["F statistic", 10, ""].subsets = {0: np.arange(10), 1: np.arange(5, 15)}
    state = RunState(features=tuple(f"f{place}" for place in range(20)), race=race)
    model = FeaturesModel()
    model.show(state, np.ones(20, dtype=np.bool_))
    tip = model.title_tip(model.titles().index("Frequency"))
    assert tip.startswith("Share of the resamples in which the winning strategy selected the feature")
    assert [facts_of(state, place) for place in (3, 7)] == [
        "in 50 % of the resamples",
        "in 100 % of the resamples",
    ]


async def test_the_card_is_there_while_strategies_compete_and_says_all_to_a_screen_reader(driver: WindowDriver) -> None:
    await driver.open_sample("wine")
    search = driver.window.workspace.search
    card: RaceCard = search.race
    driver.window.show_page("search")
    assert not card.isVisible()
    card.show_race(a_race(winner=("F statistic", 20, "")), CRITERIA["error"], ["BSPSA-R"])
    assert card.isVisible()
    assert "optimistic for new rows. Not tried: BSPSA-R. " in card.note.text()
    said = card.lines.accessibleDescription()
    assert "F statistic: 15.00 % · 20 features · won" in said
    assert "mRMR: 30.00 % · 5 features · 2 of 4 resamples · dropped out" in said
    drawn: QImage = card.lines.grab().toImage()
    colours = {drawn.pixelColor(x, y).name() for x in range(drawn.width()) for y in range(drawn.height())}
    assert {driver.theme.tokens.success, driver.theme.tokens.control, driver.theme.tokens.line_average} <= colours
    card.show_race(Race(), CRITERIA["error"])
    assert not card.isVisible()
