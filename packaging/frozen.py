"""What the frozen program starts with: the window, the command line, and each worker process."""

import gzip
import importlib
import multiprocessing
import os
import runpy
import shutil
import sys
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType


def leave_out_opengl() -> None:
    """Pyqtgraph imports Qt's OpenGL, 10 MB, and calls it only for plots that are drawn with it, as none of ours is."""
    for name, classes in (("QtOpenGL", ()), ("QtOpenGLWidgets", ("QOpenGLWidget",))):
        module = sys.modules[f"PySide6.{name}"] = ModuleType(f"PySide6.{name}")
        for each in classes:
            setattr(module, each, type(each, (), {}))


PACKED = "typst._typst"  # build.py packs it, on Linux


class PackedModules:
    """Finds the extension module that is packed by gzip, and unpacks it into memory, not onto the user's disk."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Load the module from a file in memory, which Linux has under a path too."""
        if name != PACKED:
            return None
        packed = Path(__file__).parent / f"{name.replace('.', '/')}.abi3.so.gz"
        memory = os.memfd_create(name)  # it stays open, and is gone with the process
        with gzip.open(packed) as source, open(memory, "wb", closefd=False) as unpacked:
            shutil.copyfileobj(source, unpacked, 1 << 20)
        file = f"/proc/self/fd/{memory}"
        return spec_from_file_location(name, file, loader=ExtensionFileLoader(name, file))


if __name__ == "__main__":
    if sys.platform == "linux":
        sys.meta_path.insert(0, PackedModules)
    multiprocessing.freeze_support()  # a worker process begins here and goes no further
    if sys.platform == "linux":  # programs of the system, such as a browser, must not get our libraries
        found = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
        os.environ.pop("LD_LIBRARY_PATH", None)
        if found:
            os.environ["LD_LIBRARY_PATH"] = found
        os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"  # while each worker finds them anew
    # Processes are the program's own affair. Asked for cores, joblib would call lscpu, and warn where that knows none.
    os.environ.setdefault("LOKY_MAX_CPU_COUNT", "1")
    leave_out_opengl()
    if sys.argv[1:2] == ["--script"]:  # for packaging/inside.py, which tries what is inside
        sys.argv = sys.argv[2:]
        runpy.run_path(sys.argv[0], run_name="__main__")
        raise SystemExit(0)
    if sys.argv[1:2] == ["--child"]:  # a file that can crash its reader is read in a process of its own
        importlib.import_module(sys.argv[2]).main()
        raise SystemExit(0)
    from fsdesk.cli import main

    raise SystemExit(main())
