"""What the frozen program starts with: the window, the command line, and each worker process."""

import multiprocessing
import os
import sys

import platformdirs

if __name__ == "__main__":
    multiprocessing.freeze_support()
    if sys.platform == "linux":  # programs of the system, such as a browser, must not get our libraries
        found = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
        os.environ.pop("LD_LIBRARY_PATH", None)
        if found:
            os.environ["LD_LIBRARY_PATH"] = found
    # While some kernels are compiled at first use: what was compiled is kept with the user's other caches.
    os.environ.setdefault("NUMBA_CACHE_DIR", str(platformdirs.user_cache_path("fsdesk", appauthor=False) / "kernels"))
    from fsdesk.cli import main

    raise SystemExit(main())
