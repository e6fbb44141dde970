"""A window that looks at a project of another one reads it again only where that one wrote."""

from fsdesk.store import Project


def test_the_version_changes_when_somebody_else_writes_and_only_then(tmp_path):
    path = tmp_path / "study.fsdesk"
    project = Project.create(path)
    looking = Project.open(path, read_only=True)
    try:
        before = looking.version()
        assert looking.version() == before
        project.keep("words", {"of": "the first"})
        assert looking.version() != before
        own = project.version()
        project.keep("words", {"of": "the same"})
        assert project.version() == own
    finally:
        looking.close()
        project.close()
