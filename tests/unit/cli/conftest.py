"""A table that commands read."""

import csv

import pytest


@pytest.fixture(scope="session")
def table(planted, tmp_path_factory):
    """Path of the planted data set as CSV; its classes are a and b."""
    path = tmp_path_factory.mktemp("planted") / "t.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*planted.features, "class"])
        writer.writerows([*row, "ab"[code]] for row, code in zip(planted.x.tolist(), planted.target, strict=True))
    return path
