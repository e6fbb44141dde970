"""Writes RESULTS.md: one table for each question. `python -m tests.bench`, with nothing else running on the machine.

`--only speed,starts` measures these alone and keeps the other sections as they are. What takes hours is not measured
here: its tables are printed from the lines of `tests/bench/measured/`, to which its own script adds.
"""

import argparse
import platform
import re
import subprocess
import sys
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
PAGE, MEASURED = HERE / "RESULTS.md", HERE / "measured"


class Section(NamedTuple):
    """One question, what its table says, and the command that prints it."""

    title: str
    words: str
    command: tuple[str, ...]


SECTIONS = {
    "speed": Section(
        "How fast is one measurement beside scikit-learn?",
        "10 x 5-fold cross-validation of a random half of the features: milliseconds (median) of scikit-learn and "
        "of fsdesk, one thread, one process, the very same folds. Each training fold is scaled by itself, or all "
        "rows once. Two threads: times as many measurements as one thread makes, over the models. C4.5 is held "
        "against an entropy tree. That the answers agree is tested in `tests/oracles`. The limit of SVM scaled by "
        "each fold: 50 Gram matrices of n^2 p / 2 products in single precision, 507 million on warpAR10P and 710 "
        "million on arrhythmia, at most 16 to a cycle: multiplying and adding are not fused, so that all "
        "processors give the same bits.",
        ("speed.py",),
    ),
    "runs": Section(
        "How long is a whole run beside the paper's?",
        "BSPSA with the paper's settings and as many iterations: the paper's minutes on 16 cores, and ours on two."
        " The limit of C4.5: a measurement of half of the features passes 5 (segment) to 37 million (arrhythmia) "
        "sorted entries of nodes, 2 to 3.5 ns each with all that is done for them; 20 x would ask for 1. The limit"
        " of neighbours on waveform: 25 million distances are bounded by ten products each.",
        ("paper_runs.py",),
    ),
    "starts": Section("How long does a person wait at first?", "", ("starts.py",)),
    "window": Section("When does the window show?", "A process of its own, offscreen, warm.", ("window.py",)),
    "reading": Section(
        "How long does a large text table take to open?",
        "CPU seconds of one process and growth of its largest resident set, beside pandas' parsers; least of three.",
        ("reading.py",),
    ),
    "scaling": Section(
        "What does a measurement cost with more rows or features?",
        "CPU milliseconds of one thread for 10 x 5-fold cross-validation of half of the features, each training fold "
        "scaled by itself; 200 features where rows grow, 400 rows where features do; n, p: exponents fitted to the "
        "three largest. At these sizes SVM spends most of its time in solving, not yet in the Gram matrices.",
        ("scaling.py",),
    ),
    "large": Section(
        "How much memory do very large tables take, and is a limit of time kept?",
        "BSPSA for half a minute on one thread, each folds 10 x 5 unless hold-out is named.",
        ("large.py",),
    ),
    "opening": Section(
        "How long do large projects take to open, and is a large heatmap smooth?",
        "CPU time of one thread, on a busy machine some 2.5 times what it is alone (all read: 4.1 and 4.7 s); all "
        "read: after another version of the program, once.",
        ("opening.py",),
    ),
    "faults": Section(
        "What is lost when the process, the power or the disk fails?",
        "A run logs one event a transaction, and is resumed; `tests/end_to_end/test_faults.py` has disks that fail.",
        ("faults.py",),
    ),
    "soak": Section(
        "What stays behind in a window in which runs come and go?",
        "Looked at whenever a project was left and no worker computed any more; slopes of the second half of the time. "
        "Taken beside other work, and stopped with all else three times for some minutes. The window was level from "
        "minute 26 to 58 (164 MB, 100 projects opened again), grew by 8 MB within seven minutes, was level until "
        "minute 110, and is 6 MB larger at the end, with as many objects: it grows in steps, which nobody has looked "
        "into.",
        ("soak.py", "measured/soak.jsonl", "--show"),
    ),
    "fuzzing": Section(
        "What do damaged and hostile files do?",
        "Opened by `python -m tests.fuzzing`; a fault: neither a table nor a sentence in 10 seconds and 2 GB; died: "
        "the process did. What was found is mended, and a test.",
        ("../fuzzing.py", "--show", "measured/fuzzing.jsonl"),
    ),
    "methods": Section(
        "Which method finds features that predict new rows?",
        "Error in % on the outer folds that are done, up to 2 x 5, nearest neighbours, all else by default; in "
        "brackets the features taken (median). Bold: within one standard error of the best one's error. "
        "Empty: not measured.",
        ("methods_compared.py", "measured/methods.jsonl", "--show"),
    ),
    "honesty": Section(
        "How much too good is the error of a search?",
        "BSPSA as in the paper, nearest neighbours, beside what an independent prototype gave (two to five seeds). ± "
        "is the standard error over the seeds. All features and answer on unseen rows: 208, 351, 130 and 452 rows, "
        "so a standard error of 2 to 4 points comes from the rows alone, whatever the seeds. Two of the prototype's "
        "figures for sonar do not come out. Winner's curse: single searches vary by .24 points, so its .81, a mean "
        "of two to five, lies 1.6 to 2.6 of its own standard errors below ours; with all rows scaled once ours is "
        "1.13 ± .04. Shuffled targets: its 41.1 is the error of no protocol that we tried at full length (error in "
        "the search, and of the same answers on fresh folds, 12 shuffles): as in the paper 36.1 ± .5 and 38.1 ± .5, "
        "finalists measured again 37.9 and 37.9, scaled once 35.7 and 37.8, BSPSA-H 36.2 and 36.3. Shorter searches "
        "come near it (10 shuffles): 300 iterations 37.3 and 39.0 ± .7, 100 iterations 39.8 and 40.9 ± .6; so does "
        "the mean of all measurements of 300 iterations, 41.2 ± .6. Shuffles differ by 1.8 points (standard "
        "deviation) and follow their error with all features, which was 51.6 there and is 50.8 on average here: that "
        "explains .5 points. How long the prototype searched is not recorded.",
        ("honesty.py", "measured/honesty.jsonl", "--show"),
    ),
    "automatic": Section(
        "Does the default method say how well its answer does?",
        "Made-up tables; preset: all strategies compete (recommended), or those without a search (quick); true: error "
        "in % on 10,000 new rows; said: the honest error of the run itself; chance: tables with the verdict "
        '"no better than chance"; seconds of one core.',
        ("automatic.py", "measured/automatic.jsonl", "--show"),
    ),
    "intervals": Section(
        "Do the intervals of outer folds cover?",
        "Coverage in % of 95 % intervals over made-up tables.",
        ("honest_intervals.py",),
    ),
}
SLOW = {"intervals", "faults", "large"}


def measured(section: Section) -> str:
    """What its command prints."""
    file, *others = section.command
    asked = [str(HERE / each) if each.endswith(".jsonl") else each for each in others]
    done = subprocess.run([sys.executable, str(HERE / file), *asked], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def machine() -> str:
    """What it was measured on."""
    names = re.findall(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text()) if sys.platform == "linux" else []
    cores = f"{len(names)} cores of {names[0]}" if names else platform.processor()
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scikit-learn", "fsdesk"))
    return f"{cores}, {platform.system()}, Python {platform.python_version()}, {libraries}."


def main(only: list[str]) -> None:
    """Write the page."""
    before = PAGE.read_text("utf-8") if PAGE.is_file() else ""
    kept = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", before, re.MULTILINE | re.DOTALL))
    page = ["# Measured\n", "One table for each question, made by `python -m tests.bench`; older ones are in git.\n"]
    for name, section in SECTIONS.items():
        body = kept.get(section.title, "").strip()
        if name in only or not (only or name in SLOW):
            body = f"{section.words} {date.today():%Y-%m-%d}, {machine()}\n\n{measured(section)}".strip()
            print(body, flush=True)
        if body:
            page.append(f"## {section.title}\n\n{body}\n")
    PAGE.write_text("\n".join(page), "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help=f"of {', '.join(SECTIONS)}")
    main([name for name in parser.parse_args().only.split(",") if name])
