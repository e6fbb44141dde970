"""Compiled loops: the only place that knows numba. What it compiled is kept in a folder that can be written."""

import os
import tempfile
from pathlib import Path

__all__: list[str] = []


def _find_cache() -> None:
    """Where neither this folder nor the user's can be written, numba would refuse to start: lend it a new one."""
    for folder in (
        Path(__file__).parent / "__pycache__",
        Path(os.environ.get("NUMBA_CACHE_DIR", "~/.cache")).expanduser(),
    ):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(bytes(1 << 16))
        except OSError:
            continue
        if "NUMBA_CACHE_DIR" not in os.environ or folder == Path(os.environ["NUMBA_CACHE_DIR"]).expanduser():
            return
    os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(prefix="fsdesk-compiled-")


_find_cache()
