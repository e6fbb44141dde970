"""A project on a disk that is nearly full."""

import pytest

from fsdesk.engine import RunSpec
from fsdesk.store import Project
from fsdesk.store.schema import connect, write_ahead


@pytest.fixture
def small_disk(tmp_path, planted):
    """A project with one run for which SQLite answers as on a full disk, and what makes room on it."""
    path = tmp_path / "small.fsdesk"
    made = Project.create(path)
    made.add_dataset(planted)
    made.add_run(RunSpec.make(planted, method="bspsa-h", seed=2))
    made.close()
    connection = connect(path)
    write_ahead(connection)
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    project = Project(path, connection, read_only=False)
    yield project, lambda: connection.execute("PRAGMA max_page_count = 1000000")
    project.close()
