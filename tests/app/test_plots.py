from fsdesk.app.look.words import counted, duration


def test_numbers_read_as_people_write_them() -> None:
    assert counted(1, "row") == "1 row"
    assert counted(20_000, "feature") == "20,000 features"
    assert counted(2, "class") == "2 classes"
    assert duration(0.2) == "under 1 s"
    assert duration(45) == "45 s"
    assert duration(100) == "2 min"  # at most is never less
    assert duration(600) == "10 min"
    assert duration(3 * 3600) == "3 h 0 min"
