"""A table that commands read, and reports that are written quickly."""

import csv

import pytest

from tests.sketching import reports_sketched


@pytest.fixture(scope="module", autouse=True)
def quick_reports():
    with reports_sketched():
        yield


@pytest.fixture(scope="session")
def table(planted, tmp_path_factory):
    """Path of the planted data set as CSV; its classes are a and b."""
    path = tmp_path_factory.mktemp("planted") / "t.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*planted.features, "class"])
        writer.writerows([*row, "ab"[code]] for row, code in zip(planted.x.tolist(), planted.target, strict=True))
    return path
