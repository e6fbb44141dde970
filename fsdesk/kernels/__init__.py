"""Compiled loops: the only place that knows numba. What it compiled is kept in a folder that can be written."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

__all__: list[str] = []

_HERE = Path(__file__).parent


def _find_cache() -> None:
    """Where neither this folder nor the user's can be written, numba would refuse to start: lend it a new one."""
    for folder in (
        _HERE / "__pycache__",
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


def forget_stale(sources: Path, cache: Path) -> None:
    """Forget what was compiled in ``cache`` once any file in ``sources`` has changed.

    numba looks at the file of a function alone: where a function that it calls has changed in another file, it would
    go on with the old one.
    """
    files = sorted(sources.glob("*.py"))
    stamp = "\n".join(f"{file.name} {file.stat().st_size} {file.stat().st_mtime_ns}" for file in files)
    known = cache / "fsdesk-compiled.txt"
    with suppress(OSError):
        if known.is_file() and known.read_text(encoding="utf-8") == stamp:
            return
        for index in cache.rglob("*.nbi"):
            if any(index.name.startswith(f"{file.stem}.") for file in files):
                index.unlink(missing_ok=True)
        known.write_text(stamp, encoding="utf-8")


_find_cache()
forget_stale(_HERE, Path(os.environ.get("NUMBA_CACHE_DIR", _HERE / "__pycache__")).expanduser())
