"""Figures: files that other libraries open, the same bytes twice, and what they show."""

import gc
import io
import weakref
from dataclasses import replace

import numpy as np
import pypdf
import pytest
from PIL import Image
from scipy.spatial.distance import pdist

from fsdesk.data.class_colours import class_colour
from fsdesk.measure import CRITERIA
from fsdesk.results.diagnosis import diagnosed
from fsdesk.results.exports import EXPORTS, writable
from fsdesk.results.figures import curve_figure, evenly, saved, settled, size_figure, weights_figure
from fsdesk.results.heatmap_figures import feature_map_figure, map_of
from fsdesk.results.methods_text import caution, map_words
from fsdesk.results.prediction_figures import confusion_figure, roc_figure
from fsdesk.results.record import Finalist
from fsdesk.results.report.sections import content_of
from fsdesk.results.select import select

FIGURES = {"curve": curve_figure, "sizes": size_figure, "weights": weights_figure, "heatmap": feature_map_figure}


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_every_figure_opens_elsewhere_and_is_drawn_alike_twice(awkward, awkward_result, name, kind):
    content = EXPORTS[f"{name}.{kind}"].content(awkward_result, awkward)
    assert content == EXPORTS[f"{name}.{kind}"].content(replace(awkward_result), awkward)
    if kind == "png":
        picture = np.asarray(Image.open(io.BytesIO(content)).convert("L"))
        assert picture.shape[1] >= 1000
        assert picture.std() > 5  # something is drawn
    elif kind == "svg":
        from xml.etree import ElementTree

        assert ElementTree.fromstring(content).tag == "{http://www.w3.org/2000/svg}svg"
    else:
        assert len(pypdf.PdfReader(io.BytesIO(content)).pages) == 1


def test_the_confusion_matrix_and_the_roc_curve_are_those_of_fresh_folds(planted):
    result = select(planted, method="sfs", wrapper="nb", settings={"max_measurements": 20, "repeats": 2}, outer=0)
    *_, known = diagnosed(result.spec, planted, result.mask)
    drawn = confusion_figure(result, planted)
    for axes, judged in zip(drawn.axes, (known.chosen, known.everything), strict=True):
        assert [text.get_text() for text in axes.texts] == [f"{count:.1f}" for count in judged.confusion.ravel()]
    curve = roc_figure(result, planted).axes[0].lines[1]
    assert curve.get_ydata().tolist() == known.chosen.curves[0].mean.tolist()
    assert curve.get_color() == class_colour(1)  # as beside the rows of the heatmap
    assert {"confusion.png", "roc.png"} <= set(writable(result))


def test_numbers_have_no_confusion_matrix_and_models_without_scores_no_roc_curve(planted):
    plain = select(planted, method="full", wrapper="c45", settings={"repeats": 1}, outer=0)
    scored = plain.spec.build_wrapper().scores_are() is not None
    assert ("roc.png" in writable(plain)) == scored
    numbers = replace(plain, criterion=CRITERIA["rmse"])
    assert not {"confusion.png", "roc.png"} & set(writable(numbers))


@pytest.mark.parametrize(("criterion", "title"), [("error", "Error, %"), ("auc", "AUC"), ("log loss", "Log loss")])
def test_the_axis_has_the_unit_of_the_criterion(planted, criterion, title):
    settings = {"max_iterations": 5, "repeats": 1, "criterion": criterion}
    result = select(planted, method="bspsa", settings=settings, outer=0)
    axes = curve_figure(result, planted).axes[0]
    assert axes.get_ylabel() == f"{title}\non the rows used for selection"
    heights = axes.lines[0].get_ydata()
    shown = [result.criterion.shown(error) for error in result.history.errors]
    np.testing.assert_allclose(heights, 100 * np.array(shown) if criterion == "error" else shown)


def test_a_dollar_in_a_name_is_only_a_letter(awkward, awkward_result):
    svg = saved(lambda: weights_figure(awkward_result, awkward), "svg").decode()
    assert "$x^2$" in svg


def test_many_sizes_stand_on_an_axis_of_plain_numbers(awkward, awkward_result):
    points = tuple(
        Finalist(np.arange(5000) < size, error, 0.01) for size, error in ((2, 0.3), (40, 0.1), (900, 0.2), (4000, 0.25))
    )
    result = replace(awkward_result, finalists=points, mask=points[1].mask)
    svg = saved(lambda: size_figure(result, awkward), "svg").decode()
    assert ">1,000<" in svg
    assert "mathdefault" not in svg


def test_finalists_of_one_size_stand_at_a_whole_number(awkward, awkward_result):
    points = tuple(Finalist(np.arange(50) < 16, error, 0.01) for error in (0.1, 0.2))
    result = replace(awkward_result, finalists=points, mask=points[0].mask)
    figure = settled(size_figure(result, awkward))
    figure.canvas.draw()
    assert {float(tick.get_text()) for tick in figure.axes[0].get_xticklabels()} <= {15, 16, 17}


def test_the_legend_of_the_sizes_touches_no_bar(awkward, awkward_result):
    """Bars all over the plot leave it no place inside."""
    points = tuple(Finalist(np.arange(50) < size, 0.3, 0.25) for size in range(1, 20))
    result = replace(awkward_result, finalists=points, mask=points[1].mask)
    figure = settled(size_figure(result, awkward))
    figure.canvas.draw()
    (axes,) = figure.axes
    legend = axes.get_legend().get_window_extent()
    assert legend.y0 >= axes.get_window_extent().y1
    assert figure.bbox.contains(legend.x0, legend.y0)
    assert figure.bbox.contains(legend.x1, legend.y1)


def test_letters_that_the_font_has_not_are_no_error(awkward, awkward_result):
    odd = replace(awkward, features=("基因", *awkward.features[1:]))
    result = replace(awkward_result, all_features=odd.features)
    assert saved(lambda: feature_map_figure(result, odd), "png")


def test_the_weights_are_those_of_the_search_the_heaviest_at_its_end_first(awkward, awkward_result):
    """The answer may have been found long before, when other features were the heaviest."""
    last = np.argsort(-awkward_result.weight_history[-1].astype(float), kind="stable")
    found = np.linspace(0, 1, 6)[np.argsort(last)]
    axes = weights_figure(replace(awkward_result, weights=found), awkward).axes[0]
    order = [label.get_text() for label in axes.get_yticklabels()]
    assert order == [awkward.features[place] for place in last]
    picture = axes.images[0].get_array()
    assert picture.shape == (6, len(awkward_result.weight_history))
    first = awkward.features.index(order[0])
    np.testing.assert_allclose(picture[0], awkward_result.weight_history[:, first] / 255)


def test_an_iteration_of_many_measurements_is_as_wide_as_any_other(awkward, awkward_result):
    """Methods that measure finalists again write weights several times at one iteration."""
    kept = np.repeat(np.array([[0], [100], [200], [250]], dtype=np.uint8), 6, axis=1)
    result = replace(awkward_result, weight_history=kept, weight_steps=np.array([0, 1, 1, 3]))
    (picture,) = weights_figure(result, awkward).axes[0].images
    np.testing.assert_allclose(255 * picture.get_array()[0], [0, 200, 200, 250])
    assert picture.get_extent()[:2] == [-0.5, 3.5]
    places, ends = evenly(np.arange(0, 40_000, 10))
    assert len(places) == 2048
    assert places[[0, -1]].tolist() == [0, 3999]
    assert ends == pytest.approx((0, 39990), abs=10)


def test_the_moving_average_has_one_value_at_each_iteration(awkward, awkward_result):
    history = replace(awkward_result.history, iterations=np.zeros_like(awkward_result.history.iterations))
    average = curve_figure(replace(awkward_result, history=history), awkward).axes[0].lines[1]
    assert average.get_xdata().tolist() == [0]


def test_the_map_has_z_scores_with_rows_by_class_and_like_columns_together(make_dataset):
    rng = np.random.default_rng(2)
    base = rng.normal(size=(30, 2))
    x = np.column_stack([base[:, 0], base[:, 1], base[:, 0] * 5 + 100, base[:, 1] - 0.01 * base[:, 0]])
    target = np.arange(30) % 3
    dataset = make_dataset(x, target)
    result = select(dataset, method="full", settings={"repeats": 1}, outer=0)
    made = map_of(result, dataset)
    assert made.blocks == (10, 10, 10)
    assert list(dataset.target[made.rows]) == sorted(target)
    pairs = {frozenset(made.names[:2]), frozenset(made.names[2:])}
    assert pairs == {frozenset({"feature 0", "feature 2"}), frozenset({"feature 1", "feature 3"})}
    for across, name in enumerate(made.names):
        column = x[:, int(name.split()[1])]
        np.testing.assert_allclose(made.z[:, across], ((column - column.mean()) / column.std())[made.rows])
    first_class = made.z[:10]
    assert made.row_trees[0].links[0, 2] == pytest.approx(
        pdist(first_class).min()
    )  # the two most alike are joined first


def test_the_map_names_categories_and_fills_gaps(awkward, awkward_result):
    made = map_of(awkward_result, awkward)
    assert {name for name in made.names if name.startswith("colour = ")} == {
        "colour = red",
        "colour = -blue",
        "colour = it's, green",
    }
    assert np.isfinite(made.z).all()


def test_a_map_of_one_column_of_numbers_to_predict_is_ordered_by_them(make_dataset):
    x = np.random.default_rng(0).normal(size=(20, 2))
    x[:, 1] = 4.0  # a constant column has no spread
    dataset = replace(make_dataset(x, np.zeros(20)), classes=(), response=x[:, 0] ** 3)
    result = select(dataset, method="full", wrapper="ridge", settings={"repeats": 1}, outer=0)
    for mask in ([True, True], [True, False]):
        made = map_of(replace(result, mask=np.array(mask)), dataset)
        assert (np.diff(dataset.response[made.rows]) >= 0).all()
        assert saved(lambda mask=mask: feature_map_figure(replace(result, mask=np.array(mask)), dataset), "png")


def test_a_long_table_is_thinned_and_the_picture_says_so(make_dataset):
    x = np.random.default_rng(0).normal(size=(3000, 2))
    dataset = make_dataset(x, np.arange(3000) % 2)
    result = select(dataset, method="full", settings={"repeats": 1, "folds": 2}, outer=0)
    made = map_of(result, dataset)
    assert len(made.rows) == 1000
    assert made.left_out == "1 row in 3 is shown"


def test_a_report_calls_a_value_optimistic_where_features_were_selected(make_dataset):
    dataset = make_dataset(np.random.default_rng(0).normal(size=(60, 4)), np.arange(60) % 2)
    few = {"repeats": 1, "folds": 2}
    filtered = {**few, "prefilter": "f", "prefilter.keep": 2}
    assert "optimistic" not in caution(select(dataset, method="full", settings=few, outer=0))
    assert "optimistic" in caution(select(dataset, method="full", settings=filtered, outer=0))
    assert "optimistic" in caution(select(dataset, method="sfs", settings=few, outer=0))


def test_what_stands_below_the_heatmap_says_how_its_rows_are_ordered(awkward):
    assert "Rows by class" in map_words(awkward)
    numbers = replace(awkward, classes=(), response=np.arange(48.0))
    assert "by the target" in map_words(numbers)
    assert "class" not in map_words(numbers)


def test_a_result_whose_figures_are_kept_can_still_be_forgotten(awkward, awkward_run):
    result = replace(awkward_run)
    for name in EXPORTS:
        if name.endswith(".png") and EXPORTS[name].applies(result):
            EXPORTS[name].content(result, awkward)
    content_of(result, awkward)
    gone = weakref.ref(result)
    del result
    gc.collect()
    assert gone() is None
