"""Rules that choose among strategies, sizes and models: `python tests/bench/model_choice.py FILE.jsonl`.

Each made-up table is searched once by the quick preset, models competing. Every candidate of the race that was judged
on all resamples is then made anew from all rows and predicts 2,000 new rows: what each rule would have chosen, and what
that is worth. A second call goes on where the first one ended; `--show` prints the table of rules. `--folder DIR` takes
the tables of a folder instead: 240 rows of each are learned (`--rows`), the others are the new ones; categories count
as their numbers.
"""

import argparse
import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import fsdesk
from fsdesk.data import Dataset
from fsdesk.measure import Evaluator
from fsdesk.methods import METHODS, Subsets
from fsdesk.methods import race as races
from fsdesk.methods.choice import ALL_FEATURES, Candidate, best_of, choose, smallest

NEW = 2000
Rows = tuple[np.ndarray, np.ndarray]
Made = Callable[[int, np.random.Generator], Rows]


def shifted(features: int, informative: int, shift: float, classes: int = 2, rare: float = 0.5) -> Made:
    """Classes that differ by a shift of some features, alternately up and down."""

    def made(rows: int, rng: np.random.Generator) -> Rows:
        x, y = rng.normal(size=(rows, features)), np.arange(rows) % classes
        if rare != 0.5:
            y = (rng.random(rows) < rare).astype(np.int64)
        for place in range(informative):
            x[:, place] += shift * (y == place % classes if classes > 2 else y)
        return x, y

    return made


def in_blocks(rows: int, rng: np.random.Generator) -> Rows:
    """Blocks of ten correlated features, of which six blocks carry the class."""
    y = np.arange(rows) % 2
    hidden = rng.normal(size=(rows, 40))
    hidden[:, :6] += 0.9 * y[:, None]
    return np.repeat(hidden, 10, axis=1) * 0.8 + 0.6 * rng.normal(size=(rows, 400)), y


def radial(rows: int, rng: np.random.Generator) -> Rows:
    """A class inside of a shell of four features, among twenty."""
    x = rng.normal(size=(rows, 20))
    far = (x[:, :4] ** 2).sum(axis=1) + 0.5 * rng.normal(size=rows)
    return x, (far > 3.4).astype(np.int64)


def thresholds(rows: int, rng: np.random.Generator) -> Rows:
    """Rules as a tree has them, among forty features."""
    x = rng.normal(size=(rows, 40))
    y = np.where(x[:, 0] > 0.3, x[:, 1] > 0, (x[:, 2] > 0.5) | (x[:, 3] < -0.8))
    return x, y.astype(np.int64) ^ (rng.random(rows) < 0.08)


def spreads(rows: int, rng: np.random.Generator) -> Rows:
    """Classes of one mean and another spread in six features of fifty."""
    x, y = rng.normal(size=(rows, 50)), np.arange(rows) % 2
    x[:, :6] *= 1 + 1.2 * y[:, None]
    return x, y


def heavy(rows: int, rng: np.random.Generator) -> Rows:
    """Shifts under heavy tails."""
    x, y = rng.standard_t(2.5, size=(rows, 300)), np.arange(rows) % 2
    x[:, :12] += 1.0 * y[:, None]
    return x, y


def modules(features: int, block: int, carrying: float, shift: float, classes: int = 2, skew: float = 0.0) -> Made:
    """Genes that follow modules, each as closely as it happens; some modules tell the classes apart."""
    fixed = np.random.default_rng([features, block])
    carries = fixed.random(features // block) < carrying
    means = shift * fixed.normal(size=(classes, features // block)) * carries
    loads = fixed.uniform(0.3, 0.9, size=features)

    def made(rows: int, rng: np.random.Generator) -> Rows:
        y = np.arange(rows) % classes
        hidden = rng.normal(size=(rows, features // block)) + means[y]
        x = loads * np.repeat(hidden, block, axis=1) + np.sqrt(1 - loads**2) * rng.normal(size=(rows, features))
        return (np.exp(skew * x) if skew else x), y

    return made


def silhouettes(rows: int, rng: np.random.Generator) -> Rows:
    """Four classes, each with a covariance of its own, of which all 18 features tell something."""
    fixed, y = np.random.default_rng(1), np.arange(rows) % 4
    turned = [fixed.normal(size=(18, 18)) / 4 + np.diag(fixed.uniform(0.3, 1.2, 18)) for _ in range(4)]
    means = 0.35 * fixed.normal(size=(4, 18))
    return np.stack([means[each] + turned[each] @ rng.normal(size=18) for each in y]), y


def mixtures(classes: int, clusters: int, features: int, spread: float) -> Made:
    """Classes of several clusters each."""
    centres = spread * np.random.default_rng([classes, features]).normal(size=(classes, clusters, features))

    def made(rows: int, rng: np.random.Generator) -> Rows:
        y = np.arange(rows) % classes
        return centres[y, rng.integers(0, clusters, rows)] + rng.normal(size=(rows, features)), y

    return made


def molecules(rows: int, rng: np.random.Generator) -> Rows:
    """Descriptors that follow thirty hidden properties; the class is a bent sum of all of these."""
    fixed = np.random.default_rng(3)
    loads = fixed.normal(size=(30, 200)) * (fixed.random((30, 200)) < 0.15)
    weights, bends = fixed.normal(size=30), fixed.normal(size=(30, 6))
    hidden = rng.normal(size=(rows, 30))
    score = hidden @ weights + 1.2 * np.tanh(hidden @ bends).sum(axis=1) + 0.8 * rng.normal(size=rows)
    return hidden @ loads + 0.6 * rng.normal(size=(rows, 200)), (score > 0).astype(np.int64)


def hidden_factors(rows: int, rng: np.random.Generator) -> Rows:
    """Two thousand features that follow forty factors, all of which differ a little between the classes."""
    fixed, y = np.random.default_rng(5), np.arange(rows) % 2
    loads, shift = fixed.normal(size=(40, 2000)) / 3, 0.3 * fixed.normal(size=40)
    return (rng.normal(size=(rows, 40)) + np.outer(y, shift)) @ loads + rng.normal(size=(rows, 2000)), y


KINDS: dict[str, tuple[int, Made]] = {
    "noise": (80, shifted(300, 0, 0.0)),
    "few strong": (100, shifted(500, 5, 1.3)),
    "many weak": (100, shifted(500, 40, 0.6)),
    "dense": (100, shifted(400, 400, 0.22)),
    "few weak": (150, shifted(300, 5, 0.6)),
    "narrow": (200, shifted(30, 6, 0.7)),
    "four classes": (160, shifted(100, 16, 1.1, classes=4)),
    "rare": (200, shifted(60, 5, 1.2, rare=0.12)),
    "blocks": (100, in_blocks),
    "radial": (250, radial),
    "thresholds": (300, thresholds),
    "spreads": (200, spreads),
    "heavy tails": (100, heavy),
    "clear modules": (90, modules(2000, 25, 0.3, 0.8)),
    "weak modules": (100, modules(2000, 50, 0.1, 0.5, classes=3)),
    "skewed modules": (72, modules(3000, 25, 0.1, 0.9, skew=0.6)),
    "six clear": (80, shifted(1000, 6, 2.0)),
    "four kinds of modules": (80, modules(3000, 50, 0.3, 0.7, classes=4)),
    "silhouettes": (400, silhouettes),
    "mixtures": (300, mixtures(2, 4, 25, 0.7)),
    "vowels": (320, mixtures(8, 2, 10, 1.3)),
    "molecules": (250, molecules),
    "hidden factors": (100, hidden_factors),
}


def drawn(kind: str, number: int) -> tuple[Rows, Rows]:
    """Rows of a made-up table, and new ones."""
    rows, make = KINDS[kind]
    rng = np.random.default_rng([number, list(KINDS).index(kind)])
    return make(rows, rng), make(NEW, rng)


def drawn_from(file: Path, number: int, rows: int) -> tuple[Rows, Rows]:
    """As many rows of a file, or seven tenths of fewer, by class, and the others, 3,000 at most."""
    dataset = fsdesk.read_table(file)
    x, y = np.asarray(dataset.x), dataset.target
    order = np.random.default_rng([number, len(y)]).permutation(len(y))
    share = rows / len(y) if 2 * rows <= len(y) else 0.7
    learned = np.zeros(len(y), dtype=np.bool_)
    for each in range(len(dataset.classes)):
        own = order[y[order] == each]
        learned[own[: max(2, round(share * len(own)))]] = True
    new = order[~learned[order]][:3000]
    return (x[learned], y[learned]), (x[new], y[new])


def judged(kind: str, number: int, folder: Path | None, rows: int) -> dict:
    """One table: all candidates, what they were worth held out, and what they are worth on new rows."""
    (x, y), (new_x, new_y) = drawn(kind, number) if folder is None else drawn_from(folder / kind, number, rows)
    rows = len(y)
    dataset, both = table(kind, x, y), table(kind, np.concatenate([x, new_x]), np.concatenate([y, new_y]))
    kept: list[races._Race] = []
    answer = races._Race.answer
    races._Race.answer = lambda race: (kept.append(race), answer(race))[1]
    try:
        result = fsdesk.select(dataset, seed=number, settings=METHODS["auto"].preset("quick").values)
    finally:
        races._Race.answer = answer
    race = kept[0]  # those of the outer folds follow
    complete = [each for each in race.comparable() if len(each.losses) == race.folds]
    evaluator = Evaluator(both, models=result.spec.build_models())
    split = np.where(np.arange(len(both.target)) < rows, -1, 0).astype(np.int8)[None]
    true = {}
    for strategy in dict.fromkeys(each.strategy for each in complete):
        scores = np.ones(x.shape[1]) if strategy == ALL_FEATURES else order_of(race, strategy)
        for model in race.models:
            own = [each for each in complete if each.pair == (strategy, model)]
            if own:
                subsets = Subsets.of(races.firsts(scores, [each.size for each in own]))
                split_of = np.zeros(len(own), dtype=np.int64)
                measured = evaluator.of(model).judged(subsets, subsets.features, subsets.offsets, split, split_of)
                true |= {(strategy, each.size, model): found.mean for each, found in zip(own, measured, strict=True)}
    candidates = [
        [each.strategy, each.size, each.model, list(each.losses.values()), list(each.margins.values()),
         true[each.strategy, each.size, each.model]]
        for each in complete
    ]  # fmt: skip
    honest = result.honest
    assert honest is not None
    said = [honest.value, honest.low, honest.high, honest.all_features, honest.verdict]
    return {"kind": kind, "number": number, "rows": rows, "candidates": candidates, "said": said}


def table(name: str, x: np.ndarray, y: np.ndarray) -> Dataset:
    """A data set of these."""
    names, classes = tuple(f"f{place}" for place in range(x.shape[1])), tuple(map(str, range(int(y.max()) + 1)))
    return Dataset(name, np.asfortranarray(x), names, y.astype(np.int64), "class", classes, ("",) * len(y))


def order_of(race: "races._Race", name: str) -> np.ndarray:
    """(p,) scores of a strategy's answer."""
    strategy = race.strategies[name]
    if -1 not in race.found[name]:
        search = strategy.scores(race.problem, [-1], race.folds, race.rng)
        try:
            next(search)
        except StopIteration as end:
            (race.found[name][-1],) = end.value
    return strategy.joined(race.found[name], race.problem, race.folds)


def rules(found: list[Candidate], rows: int) -> Iterator[tuple[str, Candidate]]:
    """What each rule takes."""
    lists = [each for each in found if each.strategy != ALL_FEATURES]
    yield "smallest count", smallest(found)
    yield "smallest estimate", choose(found, "lowest", 1 / rows)
    wide = max((each.size for each in found if each.strategy == ALL_FEATURES), default=0) > rows
    usual = {each.model: 100 for each in found if wide and each.kind in ("logistic", "svm")}
    yield "usual models, unless one SE worse (the default)", choose(found, "lowest", 1 / rows, usual)
    yield "fewest within one SE", choose(found, "fewest", 1 / rows)
    for name, own in (("nn", "nn"), ("logistic", "logistic"), ("forest", "forest")):
        of_model = [each for each in found if each.model.split(" ")[0] == own]
        if of_model:
            yield f"estimate, {name} alone", choose(of_model, "lowest", 1 / rows)
    of_all = [each for each in found if each.strategy == ALL_FEATURES]
    yield "all features, smallest count", smallest(of_all)
    yield "all features, smallest estimate", choose(of_all, "lowest", 1 / rows)
    best_list = choose(lists or found, "lowest", 1 / rows)
    yield "lists, smallest estimate", best_list
    best = choose(found, "lowest", 1 / rows)
    lag, spread = best_list.behind(best)
    yield "lists, unless one SE worse", best if lag > spread else best_list


def nested(found: list[Candidate], rule: Callable[[list[Candidate]], list[Candidate]]) -> float:
    """What is said of a rule: each part predicted by the candidates that the others choose."""
    taken = []
    for part in sorted(found[0].losses):
        others = [each.on(each.losses.keys() - {part}) for each in found]
        places = {id(each): place for place, each in enumerate(others)}
        taken.append(np.mean([found[places[id(each)]].losses[part] for each in rule(others)]))
    return float(np.mean(taken))


def show_said(file: Path) -> None:
    """What would be said of the answer in several ways, less what is true, by kind."""
    said = defaultdict(lambda: defaultdict(list))
    for line in file.read_text().splitlines():
        each = json.loads(line)
        found, true = restored(each)
        row = 1 / each["rows"]
        answer = choose(found, "lowest", row)
        ways = {
            "its own mean": answer.mean,
            "chosen by counts": nested(found, lambda others: best_of(others, 1)),
            "the first five by counts": nested(found, lambda others: best_of(others, 5)),
            "chosen by estimates": nested(found, lambda others, row=row: [choose(others, "lowest", row)]),
            "as said": each["said"][0],
        }
        for way, value in ways.items():
            said[way][each["kind"]].append(100 * (value - true[answer.strategy, answer.size, answer.model]))
    kinds = list(said["as said"])
    print(f"| said less true | {' | '.join(kinds)} | mean |\n| --- |" + " ---: |" * (len(kinds) + 1))
    for way, by_kind in said.items():
        own = [by_kind[kind] for kind in kinds]
        cells = [f"{np.mean(values):.1f} ± {np.std(values) / len(values) ** 0.5:.1f}" for values in own]
        print(f"| {way} | {' | '.join(cells)} | {np.mean([np.mean(values) for values in own]):.2f} |")


def restored(each: dict) -> tuple[list[Candidate], dict[tuple[str, int, str], float]]:
    """Candidates and true errors of a line of the file."""
    found, true = [], {}
    for strategy, size, model, losses, margins, error in each["candidates"]:
        found.append(Candidate(strategy, size, dict(enumerate(losses)), dict(enumerate(map(tuple, margins))), model))
        true[strategy, size, model] = error
    return found, true


def show(file: Path) -> None:
    """The mean true error of each rule by kind, and its features."""
    errors, sizes = defaultdict(lambda: defaultdict(list)), defaultdict(list)
    for line in file.read_text().splitlines():
        each = json.loads(line)
        found, true = restored(each)
        errors["best in hindsight"][each["kind"]].append(min(true.values()))
        for rule, taken in rules(found, each["rows"]):
            errors[rule][each["kind"]].append(true[taken.strategy, taken.size, taken.model])
            sizes[rule].append(taken.size)
    kinds = list(errors["smallest count"])
    print(f"| rule | {' | '.join(kinds)} | mean | median features |\n| --- |" + " ---: |" * (len(kinds) + 2))
    for rule, by_kind in errors.items():
        cells = [f"{100 * np.mean(by_kind[kind]):.1f}" if by_kind[kind] else "" for kind in kinds]
        mean = 100 * np.mean([np.mean(by_kind[kind]) for kind in kinds if by_kind[kind]])
        print(f"| {rule} | {' | '.join(cells)} | {mean:.2f} | {np.median(sizes[rule]) if sizes[rule] else '':} |")
    print({kind: len(errors["smallest count"][kind]) for kind in kinds})
    show_said(file)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--kinds", default=";".join(KINDS), help="names, separated by semicolons")
    parser.add_argument("--tables", type=int, default=20, help="of each kind")
    parser.add_argument("--folder", type=Path, help="whose tables are taken instead")
    parser.add_argument("--rows", type=int, default=240, help="of a table of the folder that are learned")
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    if asked.show:
        show(asked.file)
    else:
        known = asked.file.read_text().splitlines() if asked.file.is_file() else []
        done = {(each["kind"], each["number"]) for each in map(json.loads, known)}
        kinds = asked.kinds.split(";")
        if asked.folder is not None:
            kinds = sorted(each.name for each in asked.folder.iterdir() if each.is_file())
        for number in range(asked.tables):
            for kind in kinds:
                if (kind, number) not in done:
                    with asked.file.open("a") as out:
                        out.write(json.dumps(judged(kind, number, asked.folder, asked.rows)) + "\n")
