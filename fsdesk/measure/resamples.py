"""Resamples: numbered divisions of the rows into search rows and held-out rows for evaluation."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fsdesk.data import Dataset
from fsdesk.measure.folds import forward_blocks, grouped_folds, grouped_hold_out, shuffled_by_class, stratified_folds
from fsdesk.measure.preparing import batch_codes
from fsdesk.measure.settings import MeasureSettings

LEFT_OUT, TRAINED_ON, HELD_OUT, BESIDE = -2, -1, 0, 1
"""Row labels: unused; trained on; tested; tested separately, if there are two parts."""

PAIRS = 1_000_000_000
"""First resample that holds out two parts: PAIRS + r * folds + s holds out parts r and s of the first division."""

OUTER = 2_000_000_000
"""First measurement number whose folds divide the rows into search rows and held-out rows."""

_THINNED = OUTER + 1_000_000  # from here on, folds that select a part of the rows of a long table
_SAMPLED = _THINNED - 1  # folds that select the rows on which a search measures

_JUDGING_SHARE = 1 / 3
_MOST_TRAINED, _MOST_JUDGED = 240, 120  # rows of a split: more splits are more informative than more rows in one
_MOST_LEARNED, _MOST_TESTED = 4000, 1000  # held-out rows used for comparing strategies
_KEPT = 4

Labels = NDArray[np.int8]


class Resamples:
    """Divisions of the rows into ``folds`` parts, by the rules of the validation: resample j holds out part j.

    Resamples from ``folds`` on belong to a second division, and so on; -1 holds nothing out; from PAIRS on two parts
    are held out. Classes are spread evenly; groups and the user's own folds stay whole. Forward in time, a block is
    predicted from earlier rows only.

    Parameters
    ----------
    folds
        Number of parts; fewer if there are fewer rows, groups or times.
    """

    def __init__(self, dataset: Dataset, settings: MeasureSettings, seed: int, folds: int) -> None:
        self.dataset, self.settings, self.seed = dataset, settings, seed
        self.is_forward = settings.protocol == "time" and dataset.time is not None
        self.units = dataset.groups
        if settings.protocol == "column" and dataset.fold_of is not None and dataset.fold_of.max() > 1:
            self.units = dataset.fold_of  # the user's folds stay whole if two or more remain to search with
        if settings.protocol == "batches":
            batches = _coded(np.nan_to_num(batch_codes(dataset, settings), nan=-1.0))
            if batches.max() > 1:
                self.units = batches
        available = len(dataset.target) if self.units is None else int(self.units.max()) + 1
        self.folds = min(folds, available)
        self._divisions: dict[int, NDArray[np.int64]] = {}
        self._seen: dict[tuple[int, ...], NDArray[np.bool_]] = {}
        if self.is_forward:
            self.folds = int(self.parts(0).max()) + 1

    def parts(self, division: int) -> NDArray[np.int64]:
        """(n,) part of each row in a division; -1 for the first rows in time, which are never held out."""
        if division not in self._divisions:
            self._divisions[division] = self._divide(division)
        return self._divisions[division]

    def _divide(self, division: int) -> NDArray[np.int64]:
        if self.is_forward and self.dataset.time is not None:
            return np.asarray(forward_blocks(self.dataset.time, self.folds)[0])
        numbered = {"repeats": 1, "folds": self.folds, "seed": self.seed, "number": OUTER + division}
        if self.units is None:
            return np.asarray(stratified_folds(self.dataset.target, **numbered)[0])
        return np.asarray(grouped_folds(self.dataset.target, self.units, **numbered)[0])

    def held_out(self, resample: int) -> Labels:
        """(n,) labels that test the held-out rows of a resample with a model of its search rows."""
        if resample >= PAIRS:
            one, other = divmod(resample - PAIRS, self.folds)
            parts = self.parts(0)
            return np.select([parts == one, parts == other], [HELD_OUT, BESIDE], TRAINED_ON).astype(np.int8)
        parts, part = self.parts(resample // self.folds), resample % self.folds
        labels = np.where(parts == part, HELD_OUT, TRAINED_ON)
        if self.is_forward:
            labels[parts > part] = LEFT_OUT
        return labels.astype(np.int8)

    def compared(self, resample: int, learned: int = _MOST_LEARNED, tested: int = _MOST_TESTED) -> Labels:
        """(n,) labels as in :meth:`held_out`; beyond a limit only some rows are used, spread evenly over the classes.

        A few thousand rows are enough to compare strategies; all of them would take hours on a long table.
        """
        labels = self.held_out(resample)
        for number, (label, most) in enumerate(((TRAINED_ON, learned), (HELD_OUT, tested), (BESIDE, tested))):
            rows = np.flatnonzero(labels == label)
            if len(rows) > most:
                target, drawn = self.dataset.target[rows], _THINNED + 2 * (resample % PAIRS) + number
                chosen = _chosen(target, most, stratify=self.settings.stratify, seed=self.seed, number=drawn)
                labels[np.delete(rows, chosen)] = LEFT_OUT
        return labels

    def searching(self, resample: int) -> NDArray[np.int64]:
        """Indices of the rows that a search in this resample may use, ascending."""
        if resample < 0:
            return np.arange(len(self.dataset.target))
        return np.flatnonzero(self.held_out(resample) == TRAINED_ON)

    def split(self, resample: int, number: int) -> Labels:
        """(n,) labels of a random split of the search rows: two thirds for training, one third for testing.

        In long tables, 240 rows for training and 120 for testing, with different rows in each split.
        """
        labels: Labels = self.labels([resample], "split", number)[0]
        return labels

    def _random_splits(self, resamples: Sequence[int], number: int) -> Labels:
        """(resamples, n) splits stratified by class.

        All rows are sorted by class and shuffled within; evenly spaced ones are taken from those that a resample may
        use.
        """
        target = self.dataset.target if self.settings.stratify else np.zeros(len(self.dataset.target), dtype=np.int64)
        order, word = shuffled_by_class(target, seed=self.seed, number=number)
        may_see = self._may_see(resamples)[:, order]
        rows = may_see.sum(axis=1)
        place = np.cumsum(may_see, axis=1) - 1
        taken = np.minimum(rows, _MOST_TRAINED + _MOST_JUDGED)
        chosen, place = _evenly_spaced(place, rows, taken, word >> np.uint64(32))
        tested = np.clip(np.round(_JUDGING_SHARE * taken).astype(np.int64), 1, np.maximum(1, taken - 1))
        judged, _ = _evenly_spaced(place, taken, tested, word)
        labels = np.empty(may_see.shape, dtype=np.int8)
        labels[:, order] = np.where(may_see & chosen, np.where(judged, HELD_OUT, TRAINED_ON), LEFT_OUT)
        return labels

    def _may_see(self, resamples: Sequence[int]) -> NDArray[np.bool_]:
        """(resamples, n) rows that a search in each resample may use; the last few sets are cached."""
        key = tuple(resamples)
        if key not in self._seen:
            if len(self._seen) >= _KEPT:
                self._seen.clear()
            seen = np.ones((len(key), len(self.dataset.target)), dtype=np.bool_)
            for own, resample in zip(seen, key, strict=True):
                if resample >= 0:
                    own[:] = self.held_out(resample) == TRAINED_ON
            self._seen[key] = seen
        return self._seen[key]

    def _grouped_split(self, rows: NDArray[np.int64], number: int) -> NDArray[np.int64]:
        target = self.dataset.target[rows] if self.settings.stratify else np.zeros(len(rows), dtype=np.int64)
        units = np.arange(len(rows)) if self.units is None else _coded(self.units[rows])
        if units.max() < 1:
            units = np.arange(len(rows))  # all rows belong to one group
        labels = grouped_hold_out(target, units, share=_JUDGING_SHARE, repeats=1, seed=self.seed, number=number)[0]
        if len(rows) > _MOST_TRAINED + _MOST_JUDGED:
            rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(number, 1)))
            for label, most in ((TRAINED_ON, _MOST_TRAINED), (HELD_OUT, _MOST_JUDGED)):
                labels[rng.permutation(np.flatnonzero(labels == label))[most:]] = LEFT_OUT
        return np.asarray(labels)

    def _forward_split(self, rows: NDArray[np.int64], number: int) -> NDArray[np.int64]:
        """A split in which a random later block is predicted from all earlier ones."""
        assert self.dataset.time is not None
        blocks = forward_blocks(_coded(self.dataset.time[rows]), max(2, self.settings.folds))[0]
        last = int(blocks.max())
        if last < 0:
            return self._grouped_split(rows, number)  # all rows have the same time
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(number,)))
        block = int(rng.integers(last // 2, last + 1))
        return np.where(blocks > block, LEFT_OUT, np.where(blocks == block, HELD_OUT, TRAINED_ON))

    def labels(self, resamples: Sequence[int], judge: str, number: int) -> Labels:
        """(resamples, n) labels of each resample: of one split, or of its held-out rows."""
        if judge == "held-out":
            return np.array([self.compared(resample) for resample in resamples])
        if self.units is None and not self.is_forward:
            return self._random_splits(resamples, number)
        labels = np.full((len(resamples), len(self.dataset.target)), LEFT_OUT, dtype=np.int8)
        for own, resample in zip(labels, resamples, strict=True):
            rows = self.searching(resample)
            own[rows] = self._forward_split(rows, number) if self.is_forward else self._grouped_split(rows, number)
        return labels


def _chosen(target: NDArray[np.int64], most: int, *, stratify: bool, seed: int, number: int) -> NDArray[np.int64]:
    """Indices of ``most`` rows drawn at random, stratified by class if ``stratify``."""
    of_one = np.zeros(len(target), dtype=np.int64)
    order, _ = shuffled_by_class(target if stratify else of_one, seed=seed, number=number)
    return order[np.arange(most) * len(target) // most]


def _evenly_spaced(
    place: NDArray[np.int64], many: NDArray[np.int64], wanted: NDArray[np.int64], word: np.uint64
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Systematic sampling of ``wanted`` (s,) of the positions 0 to ``many`` (s,) - 1, from a random start.

    Returns which positions (s, n) are hit, and how many were hit before each.
    """
    start = (word % np.maximum(many, 1).astype(np.uint64)).astype(np.int64)[:, None]
    many, wanted = many[:, None], wanted[:, None]
    before = (place * wanted + start) // np.maximum(many, 1)
    return ((place + 1) * wanted + start) // np.maximum(many, 1) > before, before


def rows_of(dataset: Dataset, rows: NDArray[np.int64]) -> Dataset:
    """The data set restricted to some rows; classes keep their codes, other codes are renumbered."""

    def part(codes: NDArray[np.int64] | None) -> NDArray[np.int64] | None:
        return None if codes is None else _coded(codes[rows])

    return replace(
        dataset,
        x=np.asfortranarray(dataset.x[rows]),
        target=dataset.target[rows],
        rows=tuple(dataset.rows[row] for row in rows),
        response=None if dataset.response is None else dataset.response[rows],
        groups=part(dataset.groups),
        fold_of=part(dataset.fold_of),
        time=part(dataset.time),
    )


def sample_of(dataset: Dataset, most: int, settings: MeasureSettings, seed: int) -> Dataset:
    """The data set restricted to this many rows, stratified by class; unchanged if it has no more."""
    if len(dataset.target) <= most:
        return dataset
    chosen = _chosen(dataset.target, most, stratify=settings.stratify, seed=seed, number=_SAMPLED)
    return rows_of(dataset, np.sort(chosen))


def columns_of(dataset: Dataset, columns: NDArray[np.integer]) -> Dataset:
    """The data set restricted to some features, without the roles of its rows."""
    return part_of(dataset, np.arange(len(dataset.target)), columns)


def part_of(dataset: Dataset, rows: NDArray[np.int64], columns: NDArray[np.integer]) -> Dataset:
    """The data set restricted to some rows and features, without the roles of its rows; classes keep their codes."""
    places = columns.tolist()
    return replace(
        dataset,
        x=np.asfortranarray(dataset.x[np.ix_(rows, columns)]),
        features=tuple(dataset.features[place] for place in places),
        categories={new: dataset.categories[old] for new, old in enumerate(places) if old in dataset.categories},
        target=dataset.target[rows],
        rows=tuple(map(dataset.rows.__getitem__, rows.tolist())),
        response=None if dataset.response is None else dataset.response[rows],
        groups=None,
        fold_of=None,
        time=None,
    )


def _coded(codes: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.int64]:
    """Codes renumbered 0, 1, ... without gaps, in order."""
    return np.unique(codes, return_inverse=True)[1].astype(np.int64)
