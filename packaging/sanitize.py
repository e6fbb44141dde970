"""The kernels' tests under the sanitizers of g++: `python packaging/sanitize.py [thread | border] [-- options]`.

Without a word AddressSanitizer and UndefinedBehaviorSanitizer look at memory and at what the language leaves undefined,
with `thread` ThreadSanitizer looks for races. The core is built once more, into .build/sanitized, and never installed.
Each core of the machine runs a share of the test files. With `border` no tests run, but mutated calls of every kernel,
with the options of `tests.border_fuzzing`: `python packaging/sanitize.py border -- --calls 3000`. The two halves can
be had apart: with `build` the core is built and no more (any Python of the same version with pip can do that), with
`built` the tests take the core that is there.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = ("tests/unit/kernels", "tests/oracles/test_core_small_fits_of_models.py")
# Clocks mean nothing where everything takes ten times as long.
CLOCKED = "not within_a_second and not signal_handler_that_raises"
LIBRARIES = {"address,undefined": ("libasan.so", "libubsan.so"), "thread": ("libtsan.so",)}

# The developers' own installation would come first.
RUN = """
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "ScikitBuild" not in type(finder).__name__]
sys.path.insert(0, sys.argv[1])
from fsdesk.kernels import _core
assert _core.__file__.startswith(sys.argv[1]), _core.__file__
if sys.argv[2] == "border":
    from tests.border_fuzzing import main
    sys.argv[1:] = sys.argv[3:]
    sys.exit(main())
import pytest
sys.exit(pytest.main(sys.argv[2:]))
"""


def build(folder: Path, kind: str) -> None:
    """Build the core with these sanitizers into a folder; raises CalledProcessError where it cannot be built."""
    asked = (
        f"build-dir={folder / 'objects'}",
        f"cmake.define.FSDESK_SANITIZE={kind}",
        "install.strip=false",  # a report names lines
    )
    settings = [f"--config-settings={each}" for each in asked]
    install = ["install", "-q", "--upgrade", "--no-deps", "--target", str(folder / "site")]
    command = [sys.executable, "-m", "pip", *install, *settings, str(ROOT)]
    subprocess.run(command, check=True, env={**os.environ, "CXX": "g++"})


def library(name: str) -> str:
    """Path of a library of the compiler."""
    found = subprocess.run(["g++", f"-print-file-name={name}"], check=True, capture_output=True, text=True)
    return found.stdout.strip()


def main(arguments: Sequence[str]) -> int:
    """Build, and run the tests; returns pytest's exit code."""
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    kind = "thread" if "thread" in own else "address,undefined"
    asked = arguments[len(own) + 1 :]
    folder = ROOT / ".build" / f"sanitized-{kind.partition(',')[0]}"
    if "built" not in own:
        build(folder, kind)
    if "build" in own:
        return 0
    environment = {
        **os.environ,
        "LD_PRELOAD": " ".join(map(library, LIBRARIES[kind])),
        "ASAN_OPTIONS": "detect_leaks=0",  # Python leaves much to the end of the process
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
        "TSAN_OPTIONS": "halt_on_error=1:ignore_noninstrumented_modules=1",
    }
    if "border" in own:
        environment["ASAN_OPTIONS"] += ":allocator_may_return_null=1"  # numbers of Python that are no sizes
        command = [sys.executable, "-c", RUN, str(folder / "site"), "border", *asked]
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    options = ["-q", "-n", "0", "-p", "no:cacheprovider", "-k", CLOCKED, *asked]
    command = [sys.executable, "-c", RUN, str(folder / "site"), *options]
    files = sorted((path for name in TESTS for path in files_of(ROOT / name)), key=lambda path: -path.stat().st_size)
    shares = min(len(files), os.cpu_count() or 1)
    running = [
        subprocess.Popen([*command, *files[share::shares]], cwd=ROOT, env=environment) for share in range(shares)
    ]
    codes = {process.wait() for process in running}
    return next(iter(codes - {0, 5}), 0 if 0 in codes else 5)  # 5: none of the files has a test that was asked for


def files_of(path: Path) -> list[Path]:
    """A test file, or those of a folder."""
    return sorted(path.glob("test_*.py")) if path.is_dir() else [path]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
