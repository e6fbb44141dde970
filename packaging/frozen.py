"""What the frozen program starts with: the window, the command line, and each worker process."""

import multiprocessing
import os
import sys
from types import ModuleType


def leave_out_opengl() -> None:
    """Pyqtgraph imports Qt's OpenGL, 10 MB, and calls it only for plots that are drawn with it, as none of ours is."""
    for name, classes in (("QtOpenGL", ()), ("QtOpenGLWidgets", ("QOpenGLWidget",))):
        module = sys.modules[f"PySide6.{name}"] = ModuleType(f"PySide6.{name}")
        for each in classes:
            setattr(module, each, type(each, (), {}))


if __name__ == "__main__":
    multiprocessing.freeze_support()
    if sys.platform == "linux":  # programs of the system, such as a browser, must not get our libraries
        found = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
        os.environ.pop("LD_LIBRARY_PATH", None)
        if found:
            os.environ["LD_LIBRARY_PATH"] = found
        os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"  # while each worker finds them anew
    leave_out_opengl()
    from fsdesk.cli import main

    raise SystemExit(main())
