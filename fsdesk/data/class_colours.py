"""Colours of classes: one palette and one order for all figures, on screen and in print.

A class has the colour of its code, and codes are the places in :attr:`fsdesk.data.Dataset.classes`: that order, too, is
the same wherever classes stand beside one another (bars of a column, rows of a heatmap, strips of values, ROC curves).
"""

CLASS_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#7f7f7f")
"""Okabe's and Ito's, but for black, which a dark ground would hide."""

_SHADES = ((0, 0.0), (0, 0.45), (255, 0.5))  # of a channel: what it is mixed with, and how much of that


def class_colour(code: int) -> str:
    """The colour of the class with this code, as #rrggbb: after the palette come its darker and its paler shades."""
    turn, place = divmod(code, len(CLASS_COLOURS))
    ground, share = _SHADES[turn % len(_SHADES)]
    base = CLASS_COLOURS[place]
    channels = (int(base[start : start + 2], 16) for start in (1, 3, 5))
    return "#" + "".join(f"{round(channel + share * (ground - channel)):02x}" for channel in channels)
