"""How much too good the error of a search is: the winner's curse, what outer folds leave of a gain, shuffled targets.

`python tests/bench/honesty.py FILE.jsonl --folder FOLDER`. BSPSA as in the paper with nearest neighbors, beside an
independent prototype's figures (numpy, two to five seeds; its standard errors of the error in the search are .1 to 1.2
points). Each search that is done is a line of the file, and a second call goes on where the first one ended; `--show`
prints the table of what is there. One seed of all four tables takes about an hour of one core.
"""

import argparse
import json
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from fsdesk.data import Dataset, read_table
from fsdesk.engine import RunSpec
from fsdesk.results.evidence import OuterFold
from fsdesk.results.job import fresh_error
from fsdesk.results.outer import outer_steps
from fsdesk.results.permutations import shuffled
from fsdesk.results.select import completed

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data"
TABLES = {"sonar": "sonar.arff", "ionosphere": "ionosphere.arff", "AR10P": "warpAR10P.mat",
          "arrhythmia": "arrhythmia.arff"}  # fmt: skip
FOLDS, WIDE = 5, 1000

# The prototype's figures, in percent: winner's curse; all features and the answer on held-out rows; what is left of
# the claimed gain; all features and the answer in the search where targets are shuffled.
CURSE = {"ionosphere": 0.56, "sonar": 0.81, "arrhythmia": 1.05, "AR10P": 1.55}
UNSEEN = {"ionosphere": (13.5, 10.2), "sonar": (14.1, 12.1), "AR10P": (44.6, 36.9), "arrhythmia": (47.1, 41.6)}
LEFT = {"ionosphere": 48, "sonar": 22, "AR10P": 53, "arrhythmia": 35}
SHUFFLED = {"sonar": (51.6, 41.1), "AR10P, BSPSA-H": (86.7, 64.3)}

Line = dict[str, object]


def spec_of(dataset: Dataset, seed: int, **settings: object) -> RunSpec:
    """BSPSA with the paper's values for so many features."""
    return RunSpec.make(dataset, method="bspsa", wrapper="nn", seed=seed, settings=settings)


def searched(dataset: Dataset, seed: int) -> Iterator[Line]:
    """One search, and its answer on fresh folds; the same where finalists are measured again."""
    for kind, settings in (("search", {}), ("confirmed", {"n_finalists": 10})):
        spec = spec_of(dataset, seed, **settings)
        result = completed(spec, dataset)
        true = fresh_error(spec, dataset, result.mask, 20).mean
        yield {"kind": kind, "reported": result.search_error, "true": true, "all": result.baseline_error,
               "features": len(result.features)}  # fmt: skip


def nested(dataset: Dataset, seed: int) -> Iterator[Line]:
    """The search inside outer folds: errors of the answers and of all features on the same held-out rows."""
    from fsdesk.results.evidence import Honesty

    folds = tuple(step for step in outer_steps(spec_of(dataset, seed), dataset, FOLDS) if isinstance(step, OuterFold))
    error = Honesty(None, folds).error("error", 0, len(dataset.features))
    assert error is not None
    yield {"kind": "nested", "unseen": error.value, "all": error.all_features,
           "reported": float(np.mean([fold.search_error for fold in folds]))}  # fmt: skip


def control(dataset: Dataset, seed: int) -> Iterator[Line]:
    """The search on shuffled targets; on a wide table the prototype's figure is that of BSPSA-H, with its halving."""
    other = shuffled(dataset, np.random.default_rng(seed))
    result = completed(spec_of(other, seed), other)
    yield {"kind": "shuffled", "reported": result.search_error, "all": result.baseline_error}
    if len(dataset.features) >= WIDE:
        result = completed(RunSpec.make(other, method="bspsa-h", wrapper="nn", seed=seed), other)
        yield {"kind": "shuffled, BSPSA-H", "reported": result.search_error, "all": result.baseline_error}


JOBS = {"search": searched, "shuffled": control, "nested": nested}


def measure(file: Path, folder: Path, wanted: list[str], seeds: int) -> None:
    """Add what is missing: the first seed of all tables first."""
    done = {(each["table"], each["kind"], each["seed"]) for each in lines(file)}
    data = {name: read_table(folder / TABLES[name]) for name in wanted}
    for seed in range(seeds):
        for name, dataset in data.items():
            for kind, job in JOBS.items():
                if (name, kind, seed) in done:
                    continue
                began = time.process_time()
                made = [{"table": name, "seed": seed, **line} for line in job(dataset, seed)]
                made[-1]["seconds"] = round(time.process_time() - began, 1)
                with file.open("a") as out:
                    out.writelines(json.dumps(line) + "\n" for line in made)
                print(*made, sep="\n", flush=True)


def lines(file: Path) -> list[dict]:
    """What was measured so far."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file.is_file() else []


def _mean(values: Sequence[float]) -> str:
    percent = 100 * np.array(values)
    error = f" ± {percent.std(ddof=1) / len(percent) ** 0.5:.2f}" if len(percent) > 1 else ""
    return f"{percent.mean():.2f}{error}"


def show(file: Path) -> None:
    """Print the table; ± is the standard error over the seeds, the prototype's figures in brackets."""
    found = lines(file)

    def of(table: str, kind: str) -> list[dict]:
        return [each for each in found if (each["table"], each["kind"]) == (table, kind)]

    heads = "winner's curse", "where finalists are measured again", "held-out rows: all features", "answer"
    heads += "claimed gain", "left of it", "shuffled targets: all features", "answer"
    print(f"| table | seeds | {' | '.join(heads)} |\n| --- |{' ---: |' * (len(heads) + 1)}")
    for name in TABLES:
        own, again, nested, control = (of(name, kind) for kind in ("search", "confirmed", "nested", "shuffled"))
        if not (own and nested and control):
            continue
        curse, mended = ([each["true"] - each["reported"] for each in part] for part in (own, again))
        every, unseen, claimed = (np.array([each[key] for each in nested]) for key in ("all", "unseen", "reported"))
        claimed = every - claimed
        cells = [f"{_mean(curse)} ({CURSE[name]:.2f})", _mean(mended)]
        cells += [f"{_mean(part)} ({theirs})" for part, theirs in zip((every, unseen), UNSEEN[name], strict=True)]
        cells += [_mean(claimed), f"{100 * (every - unseen).mean() / claimed.mean():.0f} % ({LEFT[name]} %)"]
        cells += _shuffled(control, name)
        print(f"| {name} | {len(own)} / {len(nested)} / {len(control)} | {' | '.join(cells)} |")
    for name in TABLES:
        if own := of(name, "shuffled, BSPSA-H"):
            every, answer = _shuffled(own, f"{name}, BSPSA-H")
            print(
                f"Shuffled targets of {name} with BSPSA-H (seeds: {len(own)}): all features {every}, answer {answer}."
            )


def _shuffled(found: list[dict], name: str) -> list[str]:
    theirs = [f" ({each})" for each in SHUFFLED.get(name, ())] or ["", ""]
    return [_mean([each[key] for each in found]) + each for key, each in zip(("all", "reported"), theirs, strict=True)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="the data sets")
    parser.add_argument("--tables", default=",".join(TABLES), help="separated by commas")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print the table of what is there")
    asked = parser.parse_args()
    if not asked.show:
        measure(asked.file, asked.folder, asked.tables.split(","), asked.seeds)
    show(asked.file)
