"""Options shared by commands, each with its help, and the parsing of their values."""

import atexit
import csv
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TaskProgressColumn, TextColumn

from fsdesk.data import (
    Alternative,
    Dataset,
    Learned,
    QuestionError,
    ReadOptions,
    Table,
    read_as_learned,
    read_table,
    refuse_questions,
    samples_in_columns,
)
from fsdesk.data import (
    Reading as Decision,
)
from fsdesk.data import read as read_file
from fsdesk.data.options import LISTED
from fsdesk.data.outcomes import parted
from fsdesk.engine import RunRequest
from fsdesk.errors import DataError, ProjectError, SettingsError
from fsdesk.messages import message, quoted, shortened, tr, translated
from fsdesk.results.settings_file import parsed_settings
from fsdesk.results.sheets import original
from fsdesk.settings import Value, validated
from fsdesk.store import project_in

WRONG_INPUT, NOTHING_MEASURED, STOPPED = 2, 3, 130
"""Exit codes: wrong input or a question, nothing measured within the limit, interrupted by the user."""

Names = list[str] | None


def standard_input(path: Path) -> Path:
    """A file with the content of standard input if ``path`` is "-"; removed when the program ends."""
    if str(path) != "-":
        return path
    folder = TemporaryDirectory(prefix="fsdesk-")
    atexit.register(folder.cleanup)
    made = Path(folder.name) / "stdin"
    made.write_bytes(sys.stdin.buffer.read())
    return made


TableFile = Annotated[
    Path,
    typer.Argument(
        help="A table (CSV, Excel, SPSS, R, AnnData, ...), https://..., openml:NAME, sample:NAME (sample: lists "
        "them), or - for standard input.",
        callback=standard_input,
    ),
]
Entered = Annotated[
    str | None, typer.Argument(metavar="[NAME]", help="Show details of this entry.", show_default=False)
]


def _maybe_in_folder(path: Path | None) -> Path | None:
    return None if path is None else project_in(path)


OneProject = Annotated[
    Path, typer.Argument(callback=project_in, help="A project file (*.fsdesk), or the output folder of fsdesk run.")
]

Pilot = Annotated[
    Path | None,
    typer.Argument(
        callback=_maybe_in_folder,
        show_default=False,
        help="A finished run as a pilot: a project file (*.fsdesk), or the folder written by fsdesk run. Without "
        "a pilot, give your expectations: --error, --effect.",
    ),
]

Out = Annotated[Path | None, typer.Option("--out", help="Folder for mask.csv, selected.txt, result.json, report.html.")]


def _none_or_two(folds: int | None) -> int | None:
    if folds == 1:
        raise typer.BadParameter("give at least 2 outer folds, or 0 for none")
    return folds


Outer = Annotated[
    int | None,
    typer.Option(
        "--outer",
        metavar="K",
        min=0,
        callback=_none_or_two,
        show_default=False,
        help="Outer folds for the held-out error: the whole search is repeated in each, at K times the cost. "
        "Default: 5, or none if the method holds rows out itself. 0 skips the held-out error.",
    ),
]
Permutations = Annotated[
    int,
    typer.Option(
        "--permutations",
        metavar="M",
        min=0,
        show_default=False,
        help="Repeat the run M times on shuffled targets to see what chance alone achieves; each repetition takes as "
        "long as the run with its held-out error. 19 repetitions can reach p = 0.05, and 99 p = 0.01.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        min=1,
        help="Number of parallel measurements; default: all cores. The result does not depend on it.",
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        show_default=False,
        help="Run on a Dask cluster, given the address of its scheduler, such as tcp://10.0.0.5:8786; --workers "
        "is then ignored. The result is the same.",
    ),
]
ProjectFile = Annotated[
    Path | None, typer.Option("--project", help="Project file for the log; default: run.fsdesk in the output folder.")
]

Method = Annotated[str | None, typer.Option("--method", help="Search method (see `fsdesk methods`); default: auto.")]
WrapperName = Annotated[
    str | None,
    typer.Option(
        "--wrapper",
        help="Model (see `fsdesk wrappers`); default: auto, in which models compete. The name of a scikit-learn "
        "class also works, such as RandomForestClassifier, with its parameters in --set "
        'parameters="n_estimators=50".',
    ),
]
Seed = Annotated[
    int | None, typer.Option("--seed", min=0, help="Random seed; the same seed gives the same features; default: 0.")
]
PresetName = Annotated[
    str | None, typer.Option("--preset", help="Preset of the method; default: the one that suits the table.")
]
SetValues = Annotated[
    Names,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Any setting of the method, wrapper, measurement or filter, such as criterion=auc; repeatable. "
        "`fsdesk methods NAME`, `fsdesk wrappers NAME` and `fsdesk settings` list them. If a name is "
        "ambiguous, add its owner: method.alpha, wrapper.alpha, measuring.folds.",
    ),
]
SettingsFile = Annotated[
    Path | None,
    typer.Option("--settings", help="A TOML settings file, as saved by the window; command-line options override it."),
]

MoreMeasurements = Annotated[
    int,
    typer.Option(
        "--more-measurements", min=0, help="Extend the run by this many measurements, even if it has finished."
    ),
]
MoreIterations = Annotated[
    int, typer.Option("--more-iterations", min=0, help="Extend the run by this many iterations.")
]
MoreMinutes = Annotated[float, typer.Option("--more-minutes", min=0, help="Extend the time limit of a run.")]

Target = Annotated[str | None, typer.Option("--target", help="Column to predict; default: the last one.")]
Task = Annotated[
    str,
    typer.Option("--task", help="Type of prediction: classification (classes), regression (numbers) or auto."),
]
Group = Annotated[
    str | None,
    typer.Option(
        "--group",
        metavar="COL",
        help="Column that identifies groups of rows, such as patients; groups are never split.",
    ),
]
Folds = Annotated[
    str | None,
    typer.Option("--folds-column", metavar="COL", help="Column with your own folds; use with --set protocol=column."),
]
Time = Annotated[
    str | None,
    typer.Option(
        "--time",
        metavar="COL",
        help="With --event and no --target: the column with the time to the event or last follow-up. Otherwise: "
        "the column with the time of each row; use with --set protocol=time.",
    ),
]
EventColumn = Annotated[
    str | None,
    typer.Option(
        "--event",
        metavar="COL[=VALUE]",
        help="Event column and the value that marks the event, such as status=dead. The time to the event, given "
        "by --time, is predicted; rows with other values are censored.",
    ),
]
EntryColumn = Annotated[
    str | None,
    typer.Option(
        "--entry",
        metavar="COL",
        help="With --event: the column of times at which observation of each row began (delayed entry, or several "
        "intervals per patient).",
    ),
]
Ignore = Annotated[Names, typer.Option("--ignore", metavar="COL", help="Column to exclude; repeatable.")]
Keep = Annotated[
    Names, typer.Option("--keep", metavar="COL", help="Column to use as a feature even though it looks like row IDs.")
]
Missing = Annotated[str, typer.Option("--missing", help="impute, drop rows, or drop columns.")]
Nominal = Annotated[str, typer.Option("--nominal", help="encode or drop.")]
Reading = Annotated[
    Names,
    typer.Option(
        "--read",
        metavar="NAME=VALUE",
        help="How to read the file, such as orientation=columns; repeatable. `fsdesk read TABLE` shows the "
        "decisions made, and `fsdesk settings` lists all options.",
    ),
]
AcceptReading = Annotated[
    bool,
    typer.Option(
        "--accept-reading",
        help="Accept the proposed reading if the file can be read in more than one way, and continue.",
    ),
]

Always = Annotated[
    Names,
    typer.Option(
        "--always",
        metavar="NAME",
        help="Covariate: a feature that every subset includes in addition to the selected ones; repeatable.",
    ),
]
Never = Annotated[Names, typer.Option("--never", metavar="NAME", help="Feature that is never selected; repeatable.")]
Together = Annotated[
    Names,
    typer.Option(
        "--together",
        metavar="A,B,C",
        help="Features that are selected together and count as one; repeatable. Put names with a comma in double "
        "quotes: '\"weight, kg\",height'.",
    ),
]
Start = Annotated[
    Path | None,
    typer.Option("--start", metavar="FILE", help="Start from the subset of another run: mask.csv or selected.txt."),
]

Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace existing files; without it they are refused (exit code 2).")
]
RunId = Annotated[int | None, typer.Option("--run", help="Number of the run; default: the newest.")]

_MASK = ["feature", "selected"]


def note(text: object) -> None:
    """Print notes for the user on stderr."""
    print(shortened(tr("note: {note}", note=text), 4000), file=sys.stderr)


@contextmanager
def progress_bar(*columns: ProgressColumn, bar: bool = True) -> Iterator[Progress]:
    """Progress on stderr: a description, a bar with its percentage if known, and further columns."""
    console = Console(stderr=True)
    first = (
        TextColumn("{task.description}", markup=False),
        *((BarColumn(bar_width=24), TaskProgressColumn()) if bar else ()),
    )
    is_file = not console.is_terminal
    with Progress(*first, *columns, console=console, refresh_per_second=5, transient=is_file) as progress:
        yield progress


def from_words(words: Sequence[str] | None) -> dict[str, Value]:
    """Convert ``["a=0.5"]`` to ``{"a": "0.5"}``; the declaration of the setting determines its type."""
    values: dict[str, Value] = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        if not equals or not name.strip():
            raise SettingsError('"{word}" is not of the form NAME=VALUE, such as max_iterations=500.', word=word)
        values[name.strip()] = value.strip()
    return values


def from_toml(path: Path | None) -> RunRequest:
    """The content of a settings file; empty without a path."""
    if path is None:
        return RunRequest()
    try:
        return parsed_settings(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise SettingsError(
            'Cannot read "{path}" ({strerror}). Check its name.', path=path, strerror=error.strerror
        ) from error
    except UnicodeDecodeError as error:
        raise SettingsError('"{path}" is not valid TOML ({error}).', path=path, error=error) from error


def from_list(names: str) -> tuple[str, ...]:
    """Split ``'"weight, kg",height'`` into two names; SettingsError if there are fewer than two."""
    found = tuple(name.strip() for name in next(csv.reader([names], skipinitialspace=True), []) if name.strip())
    if len(found) < 2:
        raise SettingsError(
            '--together "{names}" does not name two features; separate the names by commas.', names=names
        )
    return found


def from_subset(path: Path | None) -> tuple[str, ...]:
    """Names of the selected features in the ``mask.csv`` or ``selected.txt`` of a run; empty without a path."""
    if path is None:
        return ()
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise DataError(
            'Cannot read "{path}" ({strerror}). Check its name.', path=path, strerror=error.strerror
        ) from error
    except UnicodeDecodeError as error:
        raise DataError(
            '"{path}" is not a text file; give the mask.csv or selected.txt of another run.', path=path
        ) from error
    rows = list(csv.reader(lines))
    if rows and rows[0][:2] == _MASK:
        names = tuple(original(row[0]) for row in rows[1:] if row[1:2] == ["1"])
    else:
        names = tuple(filter(None, lines))
    if not names:
        raise DataError(
            '"{path}" contains no feature names; give the mask.csv or selected.txt of another run.', path=path
        )
    return names


def refuse_existing(paths: Iterable[Path]) -> None:
    """Raise ProjectError if there are such files, which --overwrite would replace."""
    there = [path for path in paths if path.exists()]
    if there:
        raise ProjectError(
            "{names} in {folder} would be replaced. Choose another place with --out, or add --overwrite.",
            names=quoted([path.name for path in there]), folder=there[0].absolute().parent,
        )  # fmt: skip


_TURNED = message(
    "samples seem to be in columns and features in rows. To read it that way, use --read orientation=columns; if no "
    "row contains the classes, add --read labels=FILE."
)


def read_raw(
    path: Path, read: Sequence[str] | None, *, learned: Dataset | None = None, features: Sequence[str] | None = None,
    accept: bool = True,
) -> Table:  # fmt: skip
    """Read a table as it is, without a target; in the same way as the table of a run, if given.

    With ``features``, only these matter, and not the target.

    Raises
    ------
    QuestionError
        If reading requires the user's decision, and proposals were not accepted.
    """
    options = validated(ReadOptions, reading_options(read))
    if learned is None:
        table = read_file(path, options)
    else:
        table = read_as_learned(path, Learned.of(learned, features), options)
    if not accept:
        target = None if learned is None else learned.target_name
        refuse_questions(table, target, grouped=True, predicts=features is not None)
    return table


def reading_options(read: Sequence[str] | None) -> dict[str, Value]:
    """Reading options by name; an option that is a list collects all of its values."""
    ways: dict[str, Value] = {}
    for word in read or ():
        for name, value in from_words([word]).items():
            ways[name] = f"{ways[name]}; {value}" if name in LISTED and name in ways else value
    unknown = [name for name in ways if name not in ReadOptions.model_fields]
    if unknown:
        known = ", ".join(ReadOptions.model_fields)
        raise SettingsError(
            'There is no reading option "{unknown}". Available: {known}.', unknown=unknown[0], known=known
        )
    return ways


def read_dataset(
    path: Path, target: str | None, choices: Mapping[str, Any], read: Sequence[str] | None, *, accept: bool = False
) -> Dataset:
    """Read the table and make the data set; notes for the user are printed on stderr.

    Raises
    ------
    QuestionError
        If reading requires the user's decision, and proposals were not accepted (``accept``).
    DataError
        If there is no such table or target, or if no target is named and the last column looks like another sample of a
        table with features in rows.
    """
    ways = reading_options(read)
    options: dict[str, Any] = {**choices, **ways}
    try:
        made = read_table(path, target, accept_reading=accept, **options)
    except QuestionError:
        raise
    except DataError:
        with suppress(DataError):
            if "orientation" not in ways and samples_in_columns(read_raw(path, read)):
                note(_TURNED)
        raise
    unasked = target is None and "orientation" not in ways
    if unasked and made.response is not None and samples_in_columns(read_raw(path, read)):
        raise DataError(
            'The samples of "{name}" seem to be in columns and its features in rows. To read it that way, use --read '
            "orientation=columns, and --read labels=FILE for a file with the classes. If its rows are samples after "
            "all, name the target: --target {target}.",
            name=made.name,
            target=shlex.quote(made.target_name),
        )
    for check in made.checks:
        note(check.sentence)
    return made


def outcome_named(target: str | None, choices: dict[str, Any]) -> str | None:
    """The target: the column of --time if there is an --event, in which case --time does not give the order of rows.

    Raises
    ------
    SettingsError
        If --event is given without the column of times.
    """
    time = choices.get("time")
    if choices.get("event") is None or target not in (None, time):
        return target
    if time is None:
        raise SettingsError("--event also needs the column of event times: --time COL.")
    choices["time"] = None
    return str(time)


def answer_words(answer: Alternative) -> str:
    """An answer as written on the command line."""
    if answer.is_reading:
        return f"--read {shlex.quote(f'{answer.option}={answer.value}')}"
    if answer.option == "target" and (parts := parted(answer.value)) is not None:
        return f"--time {shlex.quote(parts[0])} --event {shlex.quote(parts[1])}"
    return f"--{answer.option} {shlex.quote(answer.value)}"


def question_lines(question: Decision) -> list[str]:
    """A question and its possible answers, the suggested one first, each on its own line."""
    lines = [translated(question.text)]
    for place, answer in enumerate(question.alternatives):
        title = translated(answer.title)
        proposed = tr("{answer} (proposed)", answer=title) if place == 0 else title
        lines.append(f"  {answer_words(answer)}  {proposed}")
    return lines


def ask(error: QuestionError) -> None:
    """Print the decisions required from the user on stderr, with the options to answer."""
    said = tr('"{name}" can be read in more than one way:', name=error.name)
    print(f"fsdesk: {said}", file=sys.stderr)
    for question in error.questions:
        print("\n".join(question_lines(question)), file=sys.stderr)
    print(tr("Or accept all proposed answers with --accept-reading."), file=sys.stderr)
