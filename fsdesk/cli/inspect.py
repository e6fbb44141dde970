"""Lists of what is available: `fsdesk methods`, `wrappers`, `criteria`, `settings`; how a table is read: `read`."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid

from fsdesk.cli.options import (
    Entered,
    EntryColumn,
    EventColumn,
    Group,
    Ignore,
    Keep,
    Reading,
    TableFile,
    Target,
    Task,
    Time,
    answer_words,
    outcome_named,
    question_lines,
    read_raw,
    reading_options,
)
from fsdesk.data import SAMPLES, Dataset, ReadOptions, questions, read_table, sample_name
from fsdesk.engine import Prefilter, Validation
from fsdesk.errors import DataError
from fsdesk.measure import CRITERIA, Criterion, MeasureSettings
from fsdesk.messages import counted, mark, tr, tr_many, translated
from fsdesk.methods import METHODS
from fsdesk.pages import written
from fsdesk.settings import Entry, Registry, SettingInfo, Settings
from fsdesk.wrappers import WRAPPERS, Wrapper


def methods(name: Entered = None) -> None:
    """List the search methods; with a NAME, its settings and presets."""
    _show(METHODS, name)


def wrappers(name: Entered = None) -> None:
    """List the wrappers (the models that a search uses); with a NAME, its settings."""
    _show(WRAPPERS, name, _predicted)


def criteria() -> None:
    """List the criteria that a search can optimize: --set criterion=NAME."""
    kinds = {"classification": tr("classes"), "regression": tr("numbers"), "survival": tr("event times")}
    directions = {"lower": tr("lower"), "higher": tr("higher")}
    rows = [
        (each.name, kinds[each.task], directions[each.direction], tr(_UNITS[each.unit]), _range(each),
         f"{tr(each.title)}. {tr(each.help)}")
        for each in CRITERIA
    ]  # fmt: skip
    console = _console()
    console.print(_grid((tr("name"), tr("target"), tr("better"), tr("unit"), tr("range"), tr("description")), rows))
    console.print("\n" + tr("Choose one with --set criterion=NAME, for example --set criterion=auc"), style="dim")


def settings() -> None:
    """List the settings shared by all runs: how a subset is measured, and prefiltering."""
    console = _console()
    console.print(tr("Measuring a subset"), style="bold")
    console.print(_settings(MeasureSettings.describe()))
    console.print("\n" + tr("Prefiltering"), style="bold")
    console.print(_settings(Prefilter.describe()))
    console.print("\n" + tr("Rows used for the search"), style="bold")
    console.print(_settings(Validation.describe()))
    console.print("\n" + tr("Reading a table: --read NAME=VALUE"), style="bold")
    console.print(_settings(ReadOptions.describe()))


def read(
    table: TableFile,
    target: Target = None,
    task: Task = "auto",
    group: Group = None,
    time: Time = None,
    event: EventColumn = None,
    entry: EntryColumn = None,
    ignore: Ignore = None,
    keep: Keep = None,
    reading: Reading = None,
) -> None:
    """Show how a table is read, without a search: each decision, and the questions only you can answer."""
    if sample_name(table) == "":
        console = _console()
        rows = [(f"sample:{each.name}", f"{tr(each.title)}: {tr(each.summary)}") for each in SAMPLES]
        console.print(_grid((tr("name"), tr("description")), rows))
        return
    choices: dict[str, Any] = {
        "task": task, "group": group, "time": time, "event": event, "entry": entry, "ignore": tuple(ignore or ()),
        "keep": tuple(keep or ()),
    }  # fmt: skip
    target = outcome_named(target, choices)
    found = read_raw(table, reading)
    made: Dataset | None = None
    refusal = ""
    try:
        made = read_table(table, target, accept_reading=True, **{**choices, **reading_options(reading)})
    except DataError as error:
        refusal = translated(str(error))
    readings = found.readings if made is None else made.readings
    name = target or (found.default_target if made is None else made.target_name)
    asked = questions(readings, name, named=target is not None, grouped=group is not None)
    print(f"{found.name}: {translated(found.source)}")
    print(tr("{rows} and {columns}, target \"{target}\"", rows=counted(len(found.rows), "row"),
             columns=counted(len(found.columns), "column"), target=name))  # fmt: skip
    for decision in readings:
        if decision not in asked:
            print(f"- {translated(decision.text)}")
            for answer in decision.alternatives[1:]:
                print(f"    {tr('alternatively:')} {answer_words(answer)}  {translated(answer.title)}")
    if asked:
        print(tr_many(len(asked), "{count} question:", "{count} questions:"))
    for question in asked:
        print("? " + "\n  ".join(question_lines(question)))
    for check in found.checks if made is None else made.checks:
        print(f"* {translated(check.sentence)}")
    if refusal:
        print(refusal)


_PLAIN_WIDTH = 120  # if the output is not a terminal

M = TypeVar("M", bound=Settings)


def _show(registry: Registry[M], name: str | None, predicts: Callable[[type[M]], str] | None = None) -> None:
    """All entries in list order, with their summaries, or one with its settings; SettingsError for unknown names.

    ``predicts`` adds a column that says what each model predicts.
    """
    console = _console()
    if name is not None:
        _show_one(console, f"{registry.kind}s", registry[name])
        return
    heads: tuple[str, ...] = (tr("name"), tr("description"))
    entries = registry.listed(lambda entry: entry.name)
    rows: list[tuple[str, ...]] = [(entry.name, _explained(entry.title, entry.summary)) for entry in entries]
    if predicts is not None:
        heads = (tr("name"), tr("predicts"), tr("description"))
        rows = [(row[0], predicts(entry.model), row[1]) for row, entry in zip(rows, entries, strict=True)]
    console.print(_grid(heads, rows))
    console.print(
        "\n" + tr("Settings, presets and reference: {command}", command=f"fsdesk {registry.kind}s NAME"),
        style="dim",
    )


def _predicted(model: type[Wrapper]) -> str:
    """What a wrapper predicts, in words."""
    classes = {
        "probabilities": mark("classes with probabilities"),
        "decisions": mark("classes with scores"),
        None: mark("classes"),
    }[model.gives]
    kinds = [tr(classes)] if "classification" in model.tasks else []
    kinds += [tr("numbers")] if "regression" in model.tasks else []
    return ", ".join(kinds + ([tr("event times")] if "survival" in model.tasks else []))


_UNITS = {"%": "%", "": "", "target": mark("the target's")}


def _range(criterion: Criterion) -> str:
    times = 100 if criterion.unit == "%" else 1
    low, high = sorted((times * criterion.shown(criterion.worst), times * criterion.best))
    if np.isinf(high):
        return tr("at least {low:g}", low=low)
    return tr("at most {high:g}", high=high) if np.isinf(low) else tr("{low:.4g} to {high:.4g}", low=low, high=high)


def _console() -> Console:
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=_PLAIN_WIDTH)


def _explained(title: str, text: str) -> str:
    """A text below its title, which is omitted if the text begins with it."""
    return translated(text) if text.startswith(title) else f"{translated(title)}. {translated(text)}"


def _show_one(console: Console, kind: str, entry: Entry[M]) -> None:
    from rich.markdown import Markdown  # 40 ms that no other command needs

    console.print(
        f"[bold]{escape(entry.name)}[/bold]  {escape(translated(entry.title))}. {escape(translated(entry.summary))}\n"
    )
    console.print(Markdown(written(kind, entry.name)))
    for preset in entry.presets:
        values = ", ".join(f"{name}={value}" for name, value in preset.values.items())
        said = tr('preset "{name}": {help}', name=preset.name, help=translated(preset.help))
        console.print(f"\n{escape(said)}\n  {escape(values)}")
    console.print()
    console.print(_settings(entry.model.describe()))
    if entry.reference:
        console.print(f"\n{escape(entry.reference)}.")


def _settings(infos: Sequence[SettingInfo]) -> Grid:
    rows = [
        (info.name, _value(info), info.range or tr(_ANY[info.kind]), _explained(info.title, info.help))
        for info in infos
    ]
    return _grid((tr("setting"), tr("default"), tr("range"), tr("description")), rows)


def _value(info: SettingInfo) -> str:
    if info.default == "":
        return tr("(nothing)")
    return str(info.default) + (f" {translated(info.unit)}" if info.unit else "")


_ANY = {
    "bool": mark("true or false"),
    "text": mark("text"),
    "int": mark("whole number"),
    "float": mark("number"),
    "choice": "",
}


def _grid(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Grid:
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for place, heading in enumerate(headings):
        grid.add_column(heading, no_wrap=place == 0, ratio=None if place < len(headings) - 1 else 1)
    for row in rows:
        grid.add_row(*(f"[bold]{escape(cell)}[/bold]" if not place else escape(cell) for place, cell in enumerate(row)))
    return grid
