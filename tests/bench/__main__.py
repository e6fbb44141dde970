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
    """One question, what its table says, and the command that prints the table, and sentences if it has any."""

    title: str
    words: str
    command: tuple[str, ...]
    turned: bool = False  # the rows that it prints become columns


SECTIONS = {
    "speed": Section(
        "How fast is one measurement beside scikit-learn?",
        "10 x 5-fold cross-validation of a random half of the features: milliseconds (median) of scikit-learn and "
        "of fsdesk, one thread, one process, the very same folds. Each training fold is scaled by itself, or all "
        "rows once. Two threads: times as many measurements as one thread makes, over the models. C4.5 is held "
        "against an entropy tree. Forest: importance of all features in 300 extremely randomised trees; of few "
        "rows most of scikit-learn's time goes into making the trees. That the answers agree is tested in "
        "`tests/oracles`. The limit of SVM scaled by each fold: 50 Gram matrices of n^2 p / 2 products in single "
        "precision, 507 million on warpAR10P and 710 million on arrhythmia, at most 16 to a cycle: multiplying and "
        "adding are not fused, so that all processors give the same bits.",
        ("speed.py",),
    ),
    "runs": Section(
        "How long is a whole run beside the paper's?",
        "BSPSA with the paper's settings and as many iterations: the paper's minutes on 16 cores, and ours on two."
        " The limit of C4.5: a measurement of half of the features passes 5 (segment) to 37 million (arrhythmia) "
        "sorted entries of nodes, 2 to 3.5 ns each with all that is done for them; 20 x would ask for 1. The limit"
        " of neighbours on waveform: 25 million distances are bounded by ten products each.",
        ("paper_runs.py",),
        turned=True,
    ),
    "starts": Section(
        "How long does a person wait at first?", "Seconds of the wall; medians.", ("starts.py",), turned=True
    ),
    "reading": Section(
        "How long does a large text table take to open?",
        "CPU seconds of one process, as multiple of pandas' fastest parser, and growth of its largest resident set, as "
        "multiple of the array; least of three.",
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
        "BSPSA for half a minute on one thread, folds 10 x 5 unless hold-out is named: most memory in GB / seconds "
        "for all features once / subsets measured / seconds over the limit. 10,000 rows: those of the search "
        "(2026-11-26, on a busy machine); of 200,000 x 50 such a search of 40 iterations with two outer folds on all "
        "rows takes 314 s of CPU and 0.43 GB.",
        ("large.py",),
    ),
    "opening": Section(
        "How long do large projects take to open, and is a large heatmap smooth?",
        "CPU time of one thread, on a busy machine some 2.5 times what it is alone (whole log: 4.1 and 4.7 s). The "
        "whole log is read once, after another version of the program that keeps other states; a run's history, which "
        "its heatmaps show, when it is looked at.",
        ("opening.py",),
    ),
    "faults": Section(
        "What is lost when the process, the power or the disk fails?",
        "A run logs one event a transaction, and is resumed; `tests/end_to_end/test_faults.py` has disks that fail.",
        ("faults.py",),
    ),
    "soak": Section(
        "What stays behind in a window in which runs come and go?",
        "Looked at whenever a project was left and no worker computed any more; slopes of the last hour. After twelve "
        "minutes in which each worker by itself carried out every method with every model, and every method on every "
        "table: it keeps some MB of its first large task. Without huge pages, with which the kernel had added 2 MB to "
        "both workers after 90 flat minutes. The window grew, its objects did not: 20 KB for each run that was begun. "
        "Memory written, without libraries. On a busy machine.",
        ("soak.py", "measured/soak.jsonl", "--show"),
        turned=True,
    ),
    "fuzzing": Section(
        "What do damaged and hostile files do?",
        "Opened by `python -m tests.fuzzing`; a fault: neither a table nor a sentence in 10 seconds and 2 GB; died: "
        "the process did. What was not read was refused. What was found is mended, and a test.",
        ("../fuzzing.py", "--show", "measured/fuzzing.jsonl"),
        turned=True,
    ),
    "methods": Section(
        "Which method finds features that predict new rows?",
        "Error in % on the outer folds that are done, up to 2 x 5, nearest neighbors, all else by default; in "
        "brackets the features taken (median). Bold: within one standard error of the best one's error. "
        "Empty: not measured.",
        ("methods_compared.py", "measured/methods.jsonl", "--show"),
        turned=True,
    ),
    "honesty": Section(
        "How much too good is the error of a search?",
        "BSPSA as in the paper, nearest neighbors; in brackets the figures of an independent prototype (two to five "
        "seeds). ± is the standard error over the seeds (winner's curse / held-out rows / shuffled targets). Winner's "
        "curse: error on fresh folds less that in the search, points; held-out rows: the whole search inside 5 outer "
        "folds, error in %, and what is left of the claimed gain; shuffled targets: error in the search in %. All "
        "features and answer on held-out rows: 208, 351, 130 and 452 rows, "
        "so a standard error of 2 to 4 points comes from the rows alone, whatever the seeds. Two of the prototype's "
        "figures for sonar do not come out, here nor in `plain_search.py`, which has not a line of fsdesk (12 seeds, "
        "all rows scaled once): its winner's curse is 1.07 ± .08, its shuffled targets 36.2 ± .6 in the search and "
        "38.2 ± .6 on fresh folds. The prototype's curse of .81 is the difference of its 6.05 ± .24 and 5.24 ± .31. "
        "Its 41.1 for shuffled targets is the error of no protocol that we tried at full length (12 shuffles, in the "
        "search and on fresh folds): finalists measured again 37.9 and 37.9, scaled once 35.7 and 37.8, BSPSA-H 36.2 "
        "and 36.3; shorter searches come near it: 300 iterations 37.3 and 39.0 ± .7, 100 iterations 39.8 and 40.9 ± "
        ".6. How many shuffles it is the mean of, and how long their searches, is not recorded; single ones differ by "
        "2.0 points (standard deviation). BSPSA-H by default (seed 0, five outer folds), error on fresh folds / unseen "
        "rows: sonar 3.9 / 13.0 (3.9 / 13.0), ionosphere 6.5 / 9.7 (6.5 / 9.7), AR10P 1.6 / 9.2 (1.6 / 9.2).",
        ("honesty.py", "measured/honesty.jsonl", "--show"),
    ),
    "automatic": Section(
        "Does the default method say how well its answer does?",
        "Made-up tables; quick: only strategies without a search compete. Said: the held-out error of the run itself; "
        "true: error on 10,000 new rows; none: tables without evidence that features predict; seconds of one core.",
        ("automatic.py", "measured/automatic.jsonl", "--show"),
        turned=True,
    ),
    "verdicts": Section(
        "Are the verdicts true?",
        "Made-up tables, quick preset, nearest neighbors; the truth on 10,000 new rows. Signal: tables called so at p "
        "<= .05. Better: the interval of the difference to all features lies above 0. Width: of what the checks of a "
        "table promise, at the error that came out, beside that of its interval. Standard errors of shares are those "
        "of one more hit and one more miss. Widths are promised for outer folds, too, whose intervals are wider.",
        ("verdicts.py", "measured/verdicts.jsonl", "--show"),
    ),
    "models": Section(
        "Is that better than what a user would do instead?",
        "Models compete, beside plain scikit-learn on all features (C of the linear models and of the RBF machine by "
        "three inner folds, else defaults). Error in % (RMSE of numbers, 1 - AUC in % where it says so), five outer "
        "folds of each division, the same for all; in brackets the features taken (median). Bold: within one standard "
        "error of the best one's error. Each choice of auto is that of nested cross-validation with five folds, made "
        "from three fifths of the rows. On segment, arrhythmia and 20,000 genes auto chose by the rule before, by "
        "which a list won unless it was worse than all features by a standard error.",
        ("models_compared.py", "measured/models.jsonl", "--show"),
    ),
    "race": Section(
        "How fast is a race of models beside GridSearchCV?",
        "The same orders, sizes and models in plain scikit-learn (SelectKBest by F, a grid of models, five folds), one "
        "thread, CPU seconds. Ours drops what clearly loses, as in every run, and measures the answer once more in 10 "
        "x 5 folds. Boosted trees are scikit-learn's in both.",
        ("race_speed.py",),
    ),
    "model verdicts": Section(
        "And where models compete?",
        "The same, quick preset, models competing, nested cross-validation of five folds (`--wrapper auto`). Where the "
        "signal is weak the held-out error is pessimistic, for the models of the folds have learned from 80 rows of "
        "100: with ten folds, at four times the time, it was 1.9 ± 1.4 points too large on the first 15 of the tables "
        "where five had 2.8 ± 1.3. A difference of two models on 100 rows has a standard deviation of 6 points, so "
        "that a true gain of 8 is seldom called; no narrower interval covers (with half of what is added for the "
        "variation of searches, 92 of 100 instead of 94). 26 tables of noise of each kind and 16 with signal, with the "
        "rule by which the smaller estimate of a list and of all features wins.",
        ("verdicts.py", "measured/verdicts_models.jsonl", "--show"),
    ),
    "trust": Section(
        "How far can each feature be trusted?",
        "Made-up tables whose truth is known; each figure beside its bound. False at q: share of the features with q "
        "values up to 10 % that have nothing to do with the class, nor has their block. Stability: index that is "
        "said, and that of the same strategy and size on fresh tables of as many rows. False among supported: "
        "features of no use that at least 90 % of the half-samples select. Claimed less right: mean probability of "
        "the likeliest class less how often it is right on 1,000 new rows, where features are chosen by F; slope: of "
        "the truth on the probability. Width: of what the checks of a table promise beside that of five outer folds. "
        "Coefficients: the features are given, the truth is the same model on 20,000 rows. Importance: conditional "
        "permutation, the features are given; where the same rows chose them, some of no use lie above 0, which the "
        "report says. Interchangeable: pairs of features that no test tells apart. Features found: share of those with "
        "an effect that get a q value up to 10 %, beside what `fsdesk plan` says without a pilot.",
        ("trust.py",),
    ),
    "intervals": Section(
        "Do the intervals of outer folds cover?",
        "Coverage in % of 95 % intervals over made-up tables. They fail for interactions, which the F filter of this "
        "bench cannot see, and for differences of RMSE. Measured before the compiled core; the formulas have not "
        "changed since.",
        ("honest_intervals.py",),
        turned=True,
    ),
    "decision": Section(
        "Do the intervals of the decision card cover?",
        "Coverage in % of 95 % intervals, and in brackets the medians of the estimate and of the truth, which 20,000 "
        "new rows show of the model, the cut-off and the calibration of all rows. On noise cut-offs are anywhere, and "
        "the card says that none can be recommended.",
        ("decision_intervals.py",),
    ),
}
SLOW = {"race", "intervals", "faults", "large", "trust", "decision"}


def measured(section: Section) -> tuple[list[str], str]:
    """The sentences and the table that its command prints."""
    file, *others = section.command
    asked = [str(HERE / each) if each.endswith(".jsonl") else each for each in others]
    done = subprocess.run([sys.executable, str(HERE / file), *asked], check=True, capture_output=True, text=True)
    return laid_out(done.stdout, section.turned)


def laid_out(printed: str, turned: bool) -> tuple[list[str], str]:
    """The sentences among the lines, and the table, its rows as columns if asked."""
    lines = [line for line in printed.splitlines() if line]
    table = [line for line in lines if line.startswith("|")]
    if turned:
        head, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table)
        head, *rows = zip(head, *rows, strict=True)
        table = [f"| {' | '.join(cells)} |" for cells in (head, ["---", *["---:"] * (len(head) - 1)], *rows)]
    return [line for line in lines if not line.startswith("|")], "\n".join(table)


def machine() -> str:
    """What it was measured on."""
    names = re.findall(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text()) if sys.platform == "linux" else []
    cores = f"{len(names)} cores of {names[0]}" if names else platform.processor()
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scikit-learn", "fsdesk"))
    return f"{cores}, {platform.system()}, Python {platform.python_version()}, {libraries}."


def main(only: list[str]) -> None:
    """Write the page."""
    before = PAGE.read_text("utf-8") if PAGE.is_file() else ""
    kept = dict(re.findall(r"^\*\*(.*?)\*\* (.*?)(?=^\*\*|\Z)", before, re.MULTILINE | re.DOTALL))
    page = ["# Measured\n\nOne table for each question, made by `python -m tests.bench`; older ones are in git.\n"]
    for name, section in SECTIONS.items():
        body = kept.get(section.title, "").strip()
        if name in only or not (only or name in SLOW):
            sentences, table = measured(section)
            words = [section.words, *sentences, f"{date.today():%Y-%m-%d}, {machine()}"]
            body = f"{' '.join(words)}\n\n{table}".strip()
            print(body, flush=True)
        if body:
            page.append(f"**{section.title}** {body}\n")
    by_hand = kept.keys() - {section.title for section in SECTIONS.values()}  # measured by scripts alone
    page += [f"**{title}** {body.strip()}\n" for title, body in kept.items() if title in by_hand]
    PAGE.write_text("\n".join(page), "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help=f"of {', '.join(SECTIONS)}")
    main([name for name in parser.parse_args().only.split(",") if name])
