"""Where the integers and numbers of a node under way stand in its row of ``Work.node`` and ``Work.score``."""

__all__ = [
    "BEGIN",
    "CEILING",
    "COLUMN",
    "COUNT",
    "COUNTS",
    "DEPTH",
    "FIELDS",
    "KEPT",
    "LEFT",
    "LIMIT",
    "LOGARITHMS",
    "MARGIN",
    "MOMENTS",
    "OPEN",
    "PRESENT",
    "SCAN",
    "SCORES",
    "SQUARED",
    "SQUARES",
    "TESTED",
    "TEST_BEGIN",
]

# Where its rows stand in each list and its test rows in ``Work.tests``; how deep.
BEGIN, COUNT, TEST_BEGIN, TESTED, DEPTH = 0, 1, 2, 3, 4
# How it is scanned, its number of classes, the sum of their squared counts, columns that vary; does it still look?
SCAN, PRESENT, SQUARED, KEPT, OPEN = 5, 6, 7, 8, 9
# Its best split: place of the column among those chosen (-1: none yet), and rows on the left.
COLUMN, LEFT = 10, 11
FIELDS = 12

# What the next score must exceed, by how much it must exceed the best, and what no score exceeds.
LIMIT, MARGIN, CEILING = 0, 1, 2
SCORES = 3

# Ways to scan, one function each in ``cart_scan``.
MOMENTS, COUNTS, SQUARES, LOGARITHMS = 0, 1, 2, 3
