"""The one sentence that leads wherever a result is shown: its honest error, or what is missing and how to get it."""

from math import ceil

from fsdesk.messages import localised, tr
from fsdesk.results.honest import Honesty
from fsdesk.results.result import Result

__all__ = ["lead", "missing", "seen_by_the_search", "time_to_validate"]


def lead(result: Result) -> str:
    """The honest error with its interval and how it compares; without an outer validation what is missing."""
    honest = result.honest
    if honest is not None:
        return honest.sentence()
    if result.picked:
        return tr(
            "The error on rows that no search saw is not known for this subset: it was picked by hand, after the outer "
            "folds or without them."
        )
    return missing(result.honesty, result.seconds, result.spec.validation.outer_folds)


def seen_by_the_search(result: Result) -> str:
    """What was measured on the rows that chose the features, as the detail that it is."""
    criterion, fresh = result.criterion, result.honesty.fresh
    found = localised(criterion.text(result.search_error))
    everything = localised(criterion.text(result.baseline_error))
    title = tr(criterion.title)
    if not result.spec.selects:
        return tr("{criterion} of all features in cross-validation: {found}.", criterion=title, found=found)
    if fresh is None:
        return tr(
            "On the rows that chose the features, hence too good: {criterion} {found} in the search (all features "
            "{everything}).",
            criterion=title, found=found, everything=everything,
        )  # fmt: skip
    return tr(
        "On the rows that chose the features, hence too good: {criterion} {found} in the search (all features "
        "{everything}), {fresh} on fresh folds.",
        criterion=title, found=found, fresh=localised(criterion.text(fresh.mean)), everything=everything,
    )  # fmt: skip


def missing(honesty: Honesty, seconds: float, folds: int) -> str:
    """What is missing where no outer validation is complete, and how to get it; without any error.

    Parameters
    ----------
    seconds
        That the run itself has measured, of which each outer fold takes about as much; 0 where that is not known, as
        in a sealed bundle, whose log has no times.
    """
    if not seconds:
        return _missing_untimed(honesty, folds)
    takes = time_to_validate(honesty, seconds, folds)
    if honesty.outer:
        return tr(
            "The error on rows that no search saw is not known yet: {done} of {folds} outer folds are done. fsdesk "
            "resume, or the button in the window, measures the others in about {time}.",
            done=len(honesty.outer), folds=honesty.outer[0].folds, time=takes,
        )  # fmt: skip
    return tr(
        "The error on rows that no search saw was not measured. fsdesk resume, or the button in the window, measures "
        "it in {folds} outer folds, in about {time}.",
        folds=folds, time=takes,
    )  # fmt: skip


def _missing_untimed(honesty: Honesty, folds: int) -> str:
    if honesty.outer:
        return tr(
            "The error on rows that no search saw is not known yet: {done} of {folds} outer folds are done. fsdesk "
            "resume, or the button in the window, measures the others.",
            done=len(honesty.outer), folds=honesty.outer[0].folds,
        )  # fmt: skip
    return tr(
        "The error on rows that no search saw was not measured. fsdesk resume, or the button in the window, measures "
        "it in {folds} outer folds.",
        folds=folds,
    )


def time_to_validate(honesty: Honesty, seconds: float, folds: int) -> str:
    """How long the outer folds that are missing take: each about as long as the run itself."""
    known = honesty.outer[0].folds if honesty.outer else folds
    return _duration(seconds * (known - len(honesty.outer)))


def _duration(seconds: float) -> str:
    if seconds <= 90:
        return tr("{count} s", count=max(1, ceil(seconds)))
    if seconds < 90 * 60:
        return tr("{count} min", count=ceil(seconds / 60))
    hours, minutes = divmod(round(seconds / 60), 60)
    return tr("{hours} h {minutes} min", hours=hours, minutes=minutes)
