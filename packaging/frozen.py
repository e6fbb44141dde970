"""What the frozen program starts with: the window, the command line, and each worker process."""

import multiprocessing
import os

import platformdirs

if __name__ == "__main__":
    multiprocessing.freeze_support()
    # While some kernels are compiled at first use: what was compiled is kept with the user's other caches.
    os.environ.setdefault("NUMBA_CACHE_DIR", str(platformdirs.user_cache_path("fsdesk", appauthor=False) / "kernels"))
    from fsdesk.cli import main

    raise SystemExit(main())
