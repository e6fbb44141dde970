"""The packaging scripts, imported as they import one another."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `import build` find packaging/build.py."""
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    for name in ("build", "installers", "components", "proofs", "screen", "workshop"):
        monkeypatch.delitem(sys.modules, name, raising=False)
