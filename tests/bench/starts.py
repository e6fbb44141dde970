"""What a person meets first: the first measurement and whole processes of `fsdesk run` on sonar by each
model, what a worker takes, and when the window shows.

`python tests/bench/starts.py [times]`, with nothing else running on the machine. The first process of each model stands
by itself; medians are of the others.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median

import psutil
import window

from fsdesk.engine import WorkerPool
from fsdesk.results.job import warm_task

SONAR = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "sonar.arff"
MODELS = ("nn", "cart", "c45", "svm", "nb")
# Prints how old the process was when its first measurement was there, and goes on as `fsdesk` does.
FIRST = """
import sys, time
from fsdesk.cli import main
from fsdesk.engine import ThreadExecutor

measure = ThreadExecutor.measure

def first(*asked, **named):
    measured = measure(*asked, **named)
    print("first measurement", time.time(), flush=True)
    ThreadExecutor.measure = measure
    return measured

ThreadExecutor.measure = first
main()
"""


# What pip installs has its bytecode, and a checkout keeps it from the first start on; some machines forbid that.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def seconds(*arguments: str) -> float:
    """Of a whole process."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-m", "fsdesk", *arguments], check=True, capture_output=True, env=ENVIRONMENT)
    return time.perf_counter() - started


def seconds_to_first(*arguments: str) -> float:
    """From the start of a process to its first measurement."""
    started = time.time()
    command = [sys.executable, "-c", FIRST, *arguments]
    said = subprocess.run(command, check=True, capture_output=True, text=True, env=ENVIRONMENT).stdout
    (line,) = [line for line in said.splitlines() if line.startswith("first measurement")]
    return float(line.split()[-1]) - started


def worker_megabytes() -> float:
    """Memory of its own (USS) of a worker that has nothing to do."""
    pool, answered = WorkerPool(1), threading.Event()
    pool.submit(warm_task, on_message=lambda message: None, on_end=lambda ended: answered.set())
    answered.wait()
    found = [child for child in psutil.Process().children() if "resource_tracker" not in " ".join(child.cmdline())]
    taken = max(child.memory_full_info().uss for child in found) / 1e6
    pool.close()
    return taken


def main(times: int) -> None:
    """Print a table."""
    print("| `fsdesk run` on sonar, s | first measurement | whole: first / others | 900 measurements by bspsa |")
    print("| --- | ---: | ---: | ---: |")
    for model in MODELS:
        with tempfile.TemporaryDirectory() as folder:
            one = ["run", str(SONAR), "--wrapper", model, "--method", "full", "--outer", "0", "--out"]
            many = [*one[:5], "bspsa", "--set", "max_measurements=900", "--outer", "0", "--out"]
            single = [seconds(*one, f"{folder}/{each}") for each in range(1 + times)]
            search = [seconds(*many, f"{folder}/{model}{each}") for each in range(times)]
            soon = median(seconds_to_first(*one, f"{folder}/first{each}") for each in range(times))
        whole = f"{single[0]:.2f} / {median(single[1:]):.2f} | {median(search):.2f}"
        print(f"| {model} | {soon:.2f} | {whole} |", flush=True)
    print(f"\nAn idle worker takes {worker_megabytes():.0f} MB of its own.")
    window.main()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
