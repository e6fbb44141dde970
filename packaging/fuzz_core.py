"""The kernels under libFuzzer with Address- and UndefinedBehaviorSanitizer: `python packaging/fuzz_core.py [seconds]`.

Needs clang with its runtime (Debian: clang, libclang-rt-14-dev). Tables, masks, folds and options come from the
fuzzer's bytes; indices of arrays are checked (FSDESK_CHECKED). An input at fault is kept in .build/fuzz.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
KERNELS, FOLDER = HERE.parent / "fsdesk" / "kernels", HERE.parent / ".build" / "fuzz"
FLAGS = (
    *("-std=c++20", "-O1", "-g", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-march=x86-64-v3"),
    *("-DFSDESK_LEVEL=v3", "-DFSDESK_CHECKED", "-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all"),
)


def built() -> Path:
    """Compile the target."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    others = {KERNELS / "module.cpp", KERNELS / "level_of_machine.cpp"}
    sources = sorted({HERE / "core_fuzz.cpp", *KERNELS.glob("*.cpp")} - others)

    def compiled(source: Path) -> Path:
        made = FOLDER / f"{source.stem}.o"
        subprocess.run(["clang++", *FLAGS, f"-I{KERNELS}", "-c", source, "-o", made], check=True)
        return made

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compiled, sources))
    subprocess.run(["clang++", *FLAGS, *objects, "-pthread", "-o", FOLDER / "fuzz"], check=True)
    return FOLDER / "fuzz"


def main(seconds: int) -> int:
    """Fuzz for so long; returns libFuzzer's exit code."""
    corpus = FOLDER / "corpus"
    program = built()
    corpus.mkdir(exist_ok=True)
    options = ("-max_len=4096", "-len_control=0", "-timeout=240", "-print_final_stats=1", f"-max_total_time={seconds}")
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
    return subprocess.run(
        [program, *options, f"-artifact_prefix={FOLDER}/", corpus], env=environment, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 60))
