"""Colors of classes: one palette and one order for all figures, on screen and in print.

The color of a class depends on its code, and codes are positions in :attr:`fsdesk.data.Dataset.classes`, which is also
the order in which classes are shown side by side (bars of a column, rows of a heatmap, strips of values, ROC curves).
"""

CLASS_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#7f7f7f")
"""Okabe and Ito's palette, except black, which would be invisible on a dark background."""

_SHADES = ((0, 0.0), (0, 0.45), (255, 0.5))  # of a channel: the color it is mixed with, and the proportion


def class_colour(code: int) -> str:
    """The color of the class with this code, as #rrggbb: the palette first, then its darker and lighter shades."""
    turn, place = divmod(code, len(CLASS_COLOURS))
    ground, share = _SHADES[turn % len(_SHADES)]
    base = CLASS_COLOURS[place]
    channels = (int(base[start : start + 2], 16) for start in (1, 3, 5))
    return "#" + "".join(f"{round(channel + share * (ground - channel)):02x}" for channel in channels)
