"""PySide6 6.12.0 on Python 3.11 lost a reference to None with every call that returned it, until it aborted."""

import sys

import pytest
from PySide6.QtWidgets import QLabel


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal from Python 3.12 on")
def test_a_thousand_calls_that_return_none_keep_its_references(qapp: object) -> None:
    widget = QLabel()
    before = sys.getrefcount(None)
    for _ in range(1000):
        widget.setEnabled(True)
    lost = before - sys.getrefcount(None)
    assert abs(lost) < 100
