"""The critical difference diagram: methods on a line by their mean rank, bars over those that are not told apart."""

from matplotlib.figure import Figure

from fsdesk.messages import localised, tr
from fsdesk.results.figures import PRINT_DOTS, drawing, saved, shortened
from fsdesk.results.significance import Ranking

__all__ = ["rank_figure", "rank_figure_file"]

_WIDTH, _LINE = 6.6, 0.24  # inches: of the page, and of a label
_AXIS, _BAR = 1.15, 0.3  # in lines: where the labels and the bars begin, below the axis


def rank_figure(ranking: Ranking) -> Figure:
    """Draw the diagram of Demšar (JMLR 7, 2006): the best method on the left, its rank near 1."""
    test, methods = ranking.test, len(ranking.rows)
    order = test.ranks.argsort(kind="stable")
    lines = (methods + 1) // 2
    depth = _AXIS + lines + _BAR * len(test.groups)
    with drawing():
        figure = Figure(figsize=(_WIDTH, _LINE * (depth + 3.2)))
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set_axis_off()
        side = 0.55 * methods
        axes.set_xlim(1 - side, methods + side)
        axes.set_ylim(-depth - 0.6, 2.6)
        axes.plot([1, methods], [0, 0], color="black", linewidth=1)
        for tick in range(1, methods + 1):
            axes.plot([tick, tick], [0, 0.3], color="black", linewidth=1)
            axes.text(tick, 0.4, str(tick), ha="center", va="bottom", fontsize=8)
        axes.plot([1, min(1 + test.difference, methods)], [1.6, 1.6], color="black", linewidth=2)
        words = tr("critical difference {value}", value=localised(f"{test.difference:.2f}"))
        axes.text(1, 1.75, words, ha="left", va="bottom", fontsize=8)
        for place, method in enumerate(order):
            rank, on_left = float(test.ranks[method]), place < lines
            height = -_AXIS - _BAR * len(test.groups) - (place if on_left else methods - 1 - place)
            end = 1 - 0.1 * side if on_left else methods + 0.1 * side
            axes.plot([rank, rank, end], [0, height, height], color="#5b6472", linewidth=0.8)
            name = shortened(", ".join(dict.fromkeys(_named(ranking, int(method)))), 28)
            label = f"{name} ({localised(f'{rank:.2f}')})"
            axes.text(end, height, f"{label} " if on_left else f" {label}", fontsize=8, va="center",
                      ha="right" if on_left else "left")  # fmt: skip
        for number, group in enumerate(test.groups):
            ends = float(test.ranks[group[0]]) - 0.04, float(test.ranks[group[-1]]) + 0.04
            height = -_AXIS / 2 - _BAR * number
            axes.plot(ends, [height, height], color="#0072B2", linewidth=3, solid_capstyle="butt")
    return figure


def _named(ranking: Ranking, place: int) -> tuple[str, ...]:
    """Method, and model where there are several."""
    row = ranking.rows[place]
    return row[:1] if len({model for _, model in ranking.rows}) == 1 else row


def rank_figure_file(ranking: Ranking, suffix: str) -> bytes:
    """The diagram as a file of a format: "svg", "pdf" or "png"."""
    return saved(lambda: rank_figure(ranking), suffix, PRINT_DOTS)
