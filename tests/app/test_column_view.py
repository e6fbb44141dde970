"""What is counted and drawn of a picked column, and of missing values."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QTableView, QWidget

from fsdesk.app.data_page.columns_card import column_facts
from fsdesk.app.data_page.summaries import MissingCard, missing_map
from fsdesk.app.palette import LIGHT
from fsdesk.app.plots.column_plots import Stacks, ValuesView, group_colours, picture_of, spread_of
from fsdesk.data import Table, prepare, read
from fsdesk.data.class_colours import CLASS_COLOURS, class_colour
from fsdesk.results.features import preview_feature

from .conftest import WindowDriver

COLUMNS = ["length", "colour", "dose", "empty", "kind"]


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    kind = np.array(["a", "b", "c"])[np.minimum(np.arange(90) // 40, 2)]
    length = rng.normal(size=90)
    length[::9] = np.nan
    colour = np.array(["red", "green", "blue"])[rng.integers(0, 3, 90)]
    return pd.DataFrame({"length": length, "colour": colour, "dose": rng.integers(0, 3, 90), "kind": kind})


@pytest.fixture(scope="module")
def table(frame: pd.DataFrame) -> Table:
    categories = {1: ("blue", "green", "red"), 4: ("a", "b", "c")}
    columns = [
        frame["length"],
        frame["colour"].map({"blue": 0.0, "green": 1.0, "red": 2.0}),
        frame["dose"],
        np.full(90, np.nan),
        frame["kind"].map({"a": 0.0, "b": 1.0, "c": 2.0}),
    ]
    values = np.asfortranarray(np.column_stack(columns).astype(np.float64))
    return Table("made", values, tuple(COLUMNS), categories, tuple(map(str, range(90))), "made", "kind")


def test_a_histogram_counts_each_class_as_numpy_does(table: Table, frame: pd.DataFrame) -> None:
    picture = picture_of(table, "length", "kind")
    assert picture.groups == ("a", "b", "c")
    present = frame["length"].dropna()
    edges = np.histogram_bin_edges(present, bins=picture.counts.shape[1])
    for group, counts in zip(picture.groups, picture.counts, strict=True):
        expected, _ = np.histogram(frame.loc[frame["kind"] == group, "length"].dropna(), bins=edges)
        assert counts.tolist() == expected.tolist()
    ends = (f"{present.min():.4g}", f"median {present.median():.4g}", f"{present.max():.4g}")
    assert picture.ends == tuple(end.replace("-", "−") for end in ends)
    assert picture.caption == "numbers · 80 values · 10 missing"


@pytest.mark.parametrize("name", ["colour", "dose"])
def test_bars_of_categories_and_of_few_numbers_are_a_cross_table(table: Table, frame: pd.DataFrame, name: str) -> None:
    picture = picture_of(table, name, "kind")
    expected = pd.crosstab(frame["kind"], frame[name].astype(str))
    found = pd.DataFrame(picture.counts, index=list(picture.groups), columns=list(picture.bars))
    assert sorted(picture.bars) == sorted(expected.columns)
    for group in picture.groups:
        for bar in picture.bars:
            assert found.loc[group, bar] == expected.loc[group, bar]


def test_few_numbers_say_their_range_and_a_column_without_values_that_it_has_none(table: Table, qapp: object) -> None:
    assert picture_of(table, "dose").caption == "numbers · 90 values · none missing · 0 to 2, median 1"
    empty = picture_of(table, "empty", "kind")
    assert empty.counts.size == 0
    assert empty.caption == "numbers · no value · 90 missing"
    bars = Stacks("bars")
    bars.show_picture(empty)
    assert bars.sizeHint().height() == 0  # no legend of bars that are not there
    bars.deleteLater()


def test_the_bars_of_the_target_have_the_colours_and_the_order_of_its_classes(table: Table) -> None:
    picture = picture_of(table, "kind", "kind")
    assert picture.bars == picture.groups == ("a", "b", "c")
    assert picture.counts.tolist() == np.diag(picture.counts.max(axis=0)).tolist()
    assert picture.counts.sum() == 90
    assert group_colours(LIGHT, picture) == [class_colour(0), class_colour(1), class_colour(2)]


def test_a_class_has_one_colour_and_one_place_on_every_page(themed: None) -> None:
    codes = np.repeat([2.0, 1.0, 0.0], [20, 12, 7])  # the first class is the smallest
    values = np.asfortranarray(np.column_stack([np.sin(np.arange(39.0)), np.arange(39) % 2, codes]))
    names = {1: ("low", "high"), 2: ("adenoma", "carcinoma", "normal")}
    table = Table("made", values, ("x", "level", "tissue"), names, tuple(map(str, range(39))), "", "tissue")
    dataset = prepare(table)
    wanted = [(name, class_colour(code)) for code, name in enumerate(dataset.classes)]
    assert [name for name, _ in wanted] == ["adenoma", "carcinoma", "normal"]

    for picture in (picture_of(table, "x", "tissue", dataset.classes), spread_of(dataset)):
        assert list(zip(picture.groups, group_colours(LIGHT, picture), strict=True)) == wanted
    strips = ValuesView()
    strips.show_preview(preview_feature(dataset, "x", np.ones(2, dtype=np.bool_)))
    assert [(name, colour) for name, _, colour in strips.groups] == wanted
    strips.deleteLater()


def test_classes_beyond_the_palette_have_shades_of_their_own() -> None:
    colours = [class_colour(code) for code in range(24)]
    assert colours[:8] == list(CLASS_COLOURS)
    assert len(set(colours)) == 24
    assert class_colour(24) == colours[0]


def test_a_class_without_rows_in_the_data_set_takes_no_colour_from_the_others(table: Table) -> None:
    picture = picture_of(table, "length", "kind", ("b", "c"))
    assert picture.groups == ("b", "c", "other rows")
    assert group_colours(LIGHT, picture) == [class_colour(0), class_colour(1), LIGHT.control]


def test_classes_without_a_colour_of_their_own_are_one_grey_group() -> None:
    classes = np.repeat(np.arange(7.0), [9, 8, 7, 6, 5, 4, 3])
    values = np.asfortranarray(np.column_stack([np.arange(42.0), classes]))
    made = Table("many", values, ("x", "y"), {}, tuple(map(str, range(42))), "", "y")
    picture = picture_of(made, "x", "y")
    assert picture.groups == ("0", "1", "2", "3", "4", "other rows")
    assert picture.counts.sum(axis=1).tolist() == [9, 8, 7, 6, 5, 7]
    colours = group_colours(LIGHT, picture)
    assert colours[-1] == LIGHT.control
    assert len(set(colours)) == 6


def test_the_median_stands_where_it_is_on_the_axis() -> None:
    values = np.asfortranarray(np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [20.0], [1.5]]))
    made = Table("skewed", values, ("x",), {}, tuple("abcdefg"), "", "x")
    picture = picture_of(made, "x")
    assert picture.ends == ("0", "median 2", "20")
    assert picture.middle == pytest.approx(0.1)


def test_extreme_numbers_are_counted_too() -> None:
    values = np.asfortranarray([[-1.7e308], [1.7e308], [0.0], [1.0], [2.0], [3.0]])
    made = Table("extreme", values, ("x",), {}, tuple("abcdef"), "", "x")
    assert picture_of(made, "x").counts.sum() == 6
    assert picture_of(made, "x").middle == pytest.approx(0.5)


def test_every_missing_cell_is_in_its_block_of_the_picture() -> None:
    rng = np.random.default_rng(2)
    values = np.asfortranarray(rng.normal(size=(250, 1000)))
    values[rng.random(values.shape) < 0.01] = np.nan
    made = Table("holes", values, tuple(map(str, range(1000))), {}, tuple(map(str, range(250))), "", "0")
    found = missing_map(made, column_facts(made).missing)
    down, across = found.shares.shape
    assert down <= 250
    assert across <= 1000
    expected = np.zeros((down, across))
    size = np.zeros((down, across))
    rows = np.searchsorted(np.arange(down) * 250 // down, np.arange(250), side="right") - 1
    columns = np.searchsorted(found.starts, np.arange(1000), side="right") - 1
    np.add.at(expected, (rows[:, None], columns[None, :]), np.isnan(values))
    np.add.at(size, (rows[:, None], columns[None, :]), 1.0)
    assert np.allclose(found.shares, expected / size, rtol=0, atol=1e-12)


def test_a_single_missing_cell_among_millions_is_seen_and_clicked(themed: None) -> None:
    values = np.zeros((100, 20_000), order="F")
    values[50, 15_000] = np.nan
    names = tuple(f"gene {place}" for place in range(20_000))
    made = Table("one hole", values, names, {}, tuple(map(str, range(100))), "", "gene 0")
    card = MissingCard()
    card.resize(420, 160)
    card.show_map(missing_map(made, column_facts(made).missing))
    card.show()
    picture = card.picture
    image = picture.grab().toImage()
    ground = QColor(LIGHT.hover)
    marked = {x for x in range(image.width()) for y in range(image.height()) if image.pixelColor(x, y) != ground}
    assert marked
    assert abs(np.mean(list(marked)) / image.width() - 0.75) < 0.01
    clicked: list[str] = []
    card.picked.connect(clicked.append)
    place = QPoint(int(picture.width() * 0.75) + 1, 10)
    QTest.mouseClick(picture, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert clicked == ["gene 15000"]
    assert card.caption.text() == "1 cell of 2,000,000 (less than 0.1 %), in 1 column"
    card.close()


async def test_a_click_on_a_column_shows_it_and_the_switch_leads_back_to_the_target(driver: WindowDriver) -> None:
    driver.window.resize(1280, 800)
    await driver.open_sample("wine")
    page = driver.window.workspace.data
    card, switch = driver.child(QWidget, "columnCard"), page.summaries.switch
    assert driver.child(QWidget, "targetCard").isVisible()
    assert not card.isVisible()
    view = driver.child(QTableView, "preview")
    place = view.visualRect(view.model().index(2, 1)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    await driver.until(card.isVisible)
    assert driver.session.loader.table is not None
    second, third = driver.session.loader.table.columns[1:3]
    assert card.heading.text() == second
    assert page.columns.current == second  # its role can be chosen at once
    assert not driver.child(QWidget, "targetCard").isVisible()
    QTest.keyClick(view, Qt.Key.Key_Right)
    await driver.until(lambda: card.heading.text() == third)
    QTest.mouseClick(switch.buttons["target"], Qt.MouseButton.LeftButton)
    assert driver.child(QWidget, "targetCard").isVisible()
    assert switch.buttons["missing"].isHidden()  # nothing is missing in this sample


async def test_a_click_in_the_list_of_columns_brings_it_up_in_the_table(driver: WindowDriver) -> None:
    driver.window.resize(1280, 800)
    await driver.open_sample("digits")
    page = driver.window.workspace.data
    names = page.columns_model
    page.columns.search.setText(names.name(60))
    view = driver.child(QTableView, "columns")
    place = view.visualRect(names.index(0, 1)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    await driver.until(lambda: page.summaries.column.isVisible())
    assert page.preview.currentIndex().column() == 60
    assert page.preview.visualRect(page.preview_model.index(0, 60)).right() <= page.preview.viewport().width()


async def test_missing_values_are_shown_on_request(driver: WindowDriver, real_data: Callable[[str], Path]) -> None:
    path = real_data("arrhythmia.arff")
    expected = np.isnan(read(path).values)

    driver.window.resize(1280, 800)
    driver.window.open_path(path)
    page = driver.window.workspace.data
    await driver.until(lambda: not page.summaries.switch.buttons["missing"].isHidden())
    QTest.mouseClick(driver.child(QPushButton, "summary_missing"), Qt.MouseButton.LeftButton)
    card = driver.child(QWidget, "missingCard")
    assert card.isVisible()
    assert card.caption.text() == (
        f"{expected.sum()} cells of {expected.size:,} (0.3 %), in {expected.any(axis=0).sum()} columns"
    )
    await driver.until(lambda: not driver.session.tasks.working)
