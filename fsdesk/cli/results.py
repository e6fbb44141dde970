"""Commands on finished runs: `fsdesk export`, `predict`, `validate`, `verify`, `compare`."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from fsdesk.cli.options import (
    AcceptReading,
    EntryColumn,
    EventColumn,
    Folds,
    Group,
    Ignore,
    Keep,
    Missing,
    Nominal,
    OneProject,
    Overwrite,
    Pilot,
    Reading,
    RunId,
    Task,
    Time,
    note,
    read_dataset,
    read_raw,
    refuse_existing,
    standard_input,
)
from fsdesk.data import Dataset
from fsdesk.data.outcomes import Named, outcome_columns
from fsdesk.errors import ProjectError, SettingsError
from fsdesk.measure import needed_features
from fsdesk.messages import escaped, mark, message, shortened, tr, translated
from fsdesk.results.comparison import Comparison, compared_project
from fsdesk.results.curves import axis_title
from fsdesk.results.exports import EXPORTS, chosen_exports, export, write_file
from fsdesk.results.record import RunRecord, lead
from fsdesk.results.sealed import Sealed, opened
from fsdesk.results.sealing import Signature, Signer
from fsdesk.results.sheets import TABLES, Sheet
from fsdesk.results.significance import note_below, sheet_of, statistics_sheets, tests_note, written_table
from fsdesk.results.verify import SECONDS, Verdict, verified
from fsdesk.store import SUFFIX, Project, project_in


def export_(
    project: OneProject,
    run_id: RunId = None,
    what: Annotated[
        list[str] | None,
        typer.Option(
            "--what",
            help="mask, table, figures, report, to reproduce, all, or a file such as table.xlsx; repeatable.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Output folder; default: the folder of the project.")
    ] = None,
    size: Annotated[
        int | None,
        typer.Option(
            "--size", min=1, help="Use the subset with this many features from the curve of error against size."
        ),
    ] = None,
    sign: Annotated[
        bool, typer.Option("--sign", help="Sign bundles with your key (Ed25519), which is created on first use.")
    ] = False,
    sign_as: Annotated[
        str | None, typer.Option("--sign-as", metavar="NAME", help="As --sign, with a name shown beside the key.")
    ] = None,
    overwrite: Overwrite = False,
) -> None:
    """Write the mask, the reduced table, figures, reports, a script or a trained pipeline of a run.

    In CSV and Excel files, text that a spreadsheet would take for a formula (starting with = + - @, a tab or a line
    break) gets a leading apostrophe; numbers are unchanged.
    """
    out = out or project.parent
    result, dataset = _stored(project, run_id)
    if size is not None:
        result = _of_size(result, size)
    names = chosen_exports(what or (), result)
    signer = None
    if sign or sign_as is not None:
        if not any(EXPORTS[name].sealed for name in names):
            bundles = " or ".join(each.name for each in EXPORTS.values() if each.sealed)
            raise SettingsError("Only bundles can be signed; request one with --what {bundles}.", bundles=bundles)
        signer = Signer.of_user(sign_as or "")
    if not overwrite:
        refuse_existing(out / name for name in names if not _is_written(out / name, result, dataset))
    written = export(result, dataset, out, names, signer)
    print(tr("Written to {out}: {files}", out=out, files=", ".join(path.name for path in written)))
    if signer is not None:
        print(tr("Signed with key {fingerprint}.", fingerprint=signer.fingerprint))


def verify(
    bundle: Annotated[Path, typer.Argument(help="A sealed bundle exported by fsdesk (bundle.zip).")],
    data: Annotated[
        Path | None, typer.Option("--data", help="The table of the run, or its project, needed to recompute losses.")
    ] = None,
    task: Task = "auto",
    group: Group = None,
    folds: Folds = None,
    time: Time = None,
    event: EventColumn = None,
    entry: EntryColumn = None,
    ignore: Ignore = None,
    keep: Keep = None,
    missing: Missing = "impute",
    nominal: Nominal = "encode",
    read: Reading = None,
    everything: Annotated[
        bool,
        typer.Option(
            "--all", help="Recompute every loss and repeat the searches of the outer folds, however long it takes."
        ),
    ] = False,
    signer: Annotated[
        str | None,
        typer.Option("--signer", metavar="SHA256:...", help="Require a signature by the key with this fingerprint."),
    ] = None,
) -> None:
    """Check a sealed bundle by recomputing its contents from its log and the data.

    The search is replayed from its seed and every file is written again. Errors on new folds and outer folds, and as
    many of the losses as fit into a minute, are recomputed to the last bit. Recomputing needs the data, either those in
    the bundle or those given by --data. A table is read as it was for the run, and its features are those of the
    bundle; columns of groups, folds or time, and a label file, must be named again. Anything that was not checked is
    listed.

    The verdict is on the last line. Text from the bundle, which anyone may have written, is escaped and shortened.

    Exit codes: 0 everything that could be checked is correct; 1 something is not; 2 invalid input.
    """
    sealed, known = opened(bundle), None
    verdict = _signed_by(sealed, signer) if signer else Verdict()
    data = None if data is None else project_in(data)
    if not verdict.fails:
        if data is not None and data.suffix == SUFFIX:
            with closing(Project.open(data, read_only=True)) as project:
                known = project.dataset(sealed.spec.data_fingerprint)
        elif data is not None:
            ways = [*(f"{name}={value}" for name, value in sealed.reading.items()), *(read or ())]
            table = read_raw(data, ways)
            columns, event, entry = table.columns, event or sealed.event or None, entry or sealed.entry or None
            outcome = outcome_columns(table, Named(sealed.target, event, entry))
            roles = {sealed.target, *outcome, group, folds, time}
            choices = {
                "task": task, "group": group, "folds": folds, "time": time, "missing": missing, "nominal": nominal,
                "ignore": tuple(ignore or {*columns} - {*sealed.features} - roles),
                "keep": tuple(keep or {*columns} & {*sealed.features}), "event": event, "entry": entry,
            }  # fmt: skip
            known = read_dataset(data, sealed.target, choices, ways, accept=True)
        verdict = verified(sealed, known, None if everything else SECONDS)
    print(f"{escaped(bundle.name)}: {verdict.sentence}")
    print(verdict.conclusion)
    raise typer.Exit(0 if verdict.passes else _FAILED)


def compare(
    project: OneProject,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write to a file: .csv, .xlsx, .tex, .md, .html or .txt.")
    ] = None,
    overwrite: Overwrite = False,
) -> None:
    """Compare the runs of a project: their held-out errors, the errors of all features, and the search errors."""
    if out is not None and not overwrite:
        refuse_existing([out])
    with closing(Project.open(project)) as held:
        comparison = compared_project(held)
    if not comparison.rows:
        raise SettingsError('"{path}" has no run with a result yet. Run a search first.', path=project)
    if out is None:
        print_comparison(comparison)
        return
    suffix = out.suffix[1:].lower()
    if suffix not in TABLES:
        raise SettingsError(
            "{out} is not a table format; use one of {formats}.",
            out=out,
            formats=", ".join(f".{each}" for each in TABLES),
        )
    write_file(out, written_table(comparison, suffix), make_folder=True)
    print(tr("Written to {out}", out=out))


def predict(
    project: OneProject,
    table: Annotated[
        Path,
        typer.Argument(
            help="A table of new rows, or - for standard input; the target may be missing.", callback=standard_input
        ),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.csv", help="Output file for the predictions.")],
    run_id: RunId = None,
    at: Annotated[
        list[float] | None,
        typer.Option(
            "--at",
            metavar="TIME",
            help="For a time to an event, predict the probability of being event-free at this time; repeatable. "
            "Default: the time horizon of the decision card.",
        ),
    ] = None,
    read: Reading = None,
    accept_reading: AcceptReading = False,
    overwrite: Overwrite = False,
) -> None:
    """Predict the rows of another table with the result of a run: class or number, probability, and distance.

    Columns are matched by name. The model is the pipeline written by `fsdesk export`. For each row the file contains:
    its ID, and that of its group if the table has the run's column of groups; the prediction; its probability and that
    of each class, calibrated if the rows allow it, as stated in the column title; the distance to the nearest training
    row in standard deviations; the fraction of training rows whose own nearest neighbour is closer than that; and the
    number of values that are missing or outside the training range. For a time to an event it contains the risk, the
    risk group, and the probability of being event-free at a time.
    """
    from fsdesk.results.new_rows import predict as predict_rows

    if not overwrite:
        refuse_existing([out])
    result, dataset = _stored(project, run_id)
    needed = needed_features(dataset, result.spec.measuring, result.features)
    new = read_raw(table, read, learned=dataset, features=needed, accept=accept_reading)
    made = predict_rows(result, dataset, new, times=at or ())
    write_file(out, made.to_csv().encode("utf-8"), make_folder=True)
    for each in made.notes:
        note(each)
    far = int((made.farther >= 1.0).sum())
    said = tr("{rows:,} rows predicted from {features} features.", rows=len(made.rows), features=len(result.features))
    print(f"{said} {translated(made.calibration)}".rstrip())
    if far:
        print(
            tr(
                "{far:,} of them are farther from all training rows than any training row is from its nearest "
                "neighbor.",
                far=far,
            )
        )
    print(tr("Written to {out}", out=out))


def validate(
    project: OneProject,
    table: Annotated[Path, typer.Argument(help="Another table with the same target.")],
    run_id: RunId = None,
    target: Annotated[
        str | None,
        typer.Option("--target", help="Target column; default: the column with the same name as in the run."),
    ] = None,
    group: Annotated[
        str | None,
        typer.Option(
            "--group", help='Column that groups rows, such as a patient ID; default: that of the run, "" for none.'
        ),
    ] = None,
    at: Annotated[
        float | None,
        typer.Option(
            "--at",
            metavar="TIME",
            help="For a time to an event, the time horizon of the decision card; default: that of the run.",
        ),
    ] = None,
    read: Reading = None,
    accept_reading: AcceptReading = False,
) -> None:
    """Test a run's result on another table; columns are matched by name.

    Prints its error with the 95 % interval, next to the errors of all features and of the run itself.
    """
    from fsdesk.results.decision import words_elsewhere
    from fsdesk.results.evidence import keep_external
    from fsdesk.results.new_rows import validate as validate_on

    result, dataset = _stored(project, run_id)
    new = read_raw(table, read, learned=dataset, accept=accept_reading)
    made = validate_on(result, dataset, new, target=target, group=group, horizon=at)
    for each in made.notes:
        note(each)
    print(made.sentence())
    if made.decision:
        print(words_elsewhere(made.decision))
    print(tr("On {name}: {sentence}", name=dataset.name, sentence=lead(result)))
    try:
        with closing(Project.open(project)) as held:
            keep_external(held, held.run(run_id).id, made)
    except ProjectError as error:  # such as one that is open in the window
        note(message("the result of this test is not saved in the project: {error}", error=error))


def plan(
    project: Pilot = None,
    run_id: RunId = None,
    rows: Annotated[
        list[int] | None, typer.Option("--rows", min=1, help="Number of rows, or groups of rows; repeatable.")
    ] = None,
    half: Annotated[
        float | None,
        typer.Option(
            "--half", metavar="NUMBER", help="Desired half-width of the interval, such as 0.05 for ± 5 points."
        ),
    ] = None,
    error: Annotated[
        float | None, typer.Option("--error", help="Without a pilot: the expected error, such as 0.2.")
    ] = None,
    effect: Annotated[
        float | None,
        typer.Option(
            "--effect",
            help="Without a pilot: the expected difference in a feature between classes, in standard deviations.",
        ),
    ] = None,
    features: Annotated[int, typer.Option("--features", min=1, help="Total number of features, for --effect.")] = 100,
    telling: Annotated[int, typer.Option("--telling", min=1, help="Number of features with this effect.")] = 5,
    share: Annotated[float, typer.Option("--share", help="Proportion of the rarer class, for --effect.")] = 0.5,
    found: Annotated[
        float | None,
        typer.Option(
            "--found", metavar="NUMBER", help="Proportion of these features that should be found, such as 0.8."
        ),
    ] = None,
) -> None:
    """Estimate how many rows a study needs, from a finished pilot run, or from your expectations.

    Prints the expected 95 % interval of the error, and the probability that such a study shows evidence; without a
    pilot, the probability of finding a feature with an effect (a q value of at most 10 %).
    """
    from fsdesk.results import sample_size

    if project is None:
        expected = sample_size.Expected(error, effect, features, telling, share)
        _print_table(
            sample_size.expected_titles(expected), sample_size.expected_cells(expected, rows or (), half, found)
        )
        print(sample_size.expected_words(expected))
        return
    if error is not None or effect is not None or found is not None:
        raise SettingsError("Give either a pilot or your expectations (--error, --effect, --found), not both.")
    result, _ = _stored(project, run_id)
    pilot = result.honest
    if pilot is None:
        raise SettingsError("This run has no held-out error, which planning requires. Measure it with fsdesk resume.")
    wanted = sample_size.table_of(pilot) if not rows else [sample_size.planned(pilot, each) for each in rows]
    if half is not None:
        needed = sample_size.rows_for(pilot, half)
        if needed is None:
            raise SettingsError("No sample size up to ten million gives such a narrow interval.")
        wanted = [*wanted, sample_size.planned(pilot, needed)] if rows else [sample_size.planned(pilot, needed)]
    _print_table(sample_size.titles(pilot), [sample_size.cells(each, pilot) for each in wanted])
    print(" ".join((*sample_size.words(pilot), sample_size.given_words())))


def _print_table(titles: Sequence[str], lines: Iterable[Sequence[str]]) -> None:
    table = Table()
    for title in titles:
        table.add_column(title, justify="right")
    for line in lines:
        table.add_row(*line)
    console = Console()
    (console if console.is_terminal else Console(width=_FILE_WIDTH)).print(table)


def _stored(path: Path, run_id: int | None) -> tuple[RunRecord, Dataset]:
    """A run of a project with its data."""
    with closing(Project.open(path, read_only=True)) as project:
        stored = project.run(run_id)
        return RunRecord.stored(project, stored.id), project.dataset(stored.spec.data_fingerprint)


def _is_written(path: Path, result: RunRecord, dataset: Dataset) -> bool:
    """Whether a file with this content is there already, so that nothing is lost by writing it."""
    if not path.exists():
        return False
    try:
        return path.read_bytes() == EXPORTS[path.name].content(result, dataset)
    except OSError:
        return False


def _of_size(result: RunRecord, size: int) -> RunRecord:
    """The result with another subset: the point of its curve with this many features."""
    for point in result.finalists:
        if point.size == size:
            return result.with_finalist(point.mask)
    sizes = ", ".join(str(number) for number in sorted({point.size for point in result.finalists}))
    if not sizes:
        raise SettingsError(
            "This run has no re-estimated subsets, so there is no curve of error against size; omit --size."
        )
    raise SettingsError(
        "This run has no re-estimated subset of {size} features; choose one of {sizes}.",
        size=size,
        sizes=sizes,
    )


_FAILED = 1  # exit code, also if a bundle of another version can only be checked in part


def _signed_by(sealed: Sealed, signer: str) -> Verdict:
    """Whether the signature belongs to a certain key."""
    if not signer.startswith("SHA256:"):
        raise ProjectError('"{signer}" is not a key fingerprint; fingerprints begin with "SHA256:".', signer=signer)
    found = None if sealed.signature is None else Signature.read(sealed.signature, sealed.manifest)
    if found is None:
        return Verdict(fails=(message("it is not signed, but a signature with key {key} is required", key=signer),))
    if found.fingerprint != signer:
        said = message("it is signed with key {other}, not with key {key}", key=signer, other=found.fingerprint)
        return Verdict(fails=(said,))
    return Verdict()


_FILE_WIDTH = 140
_BRIEF = (
    mark("Held-out error"),
    mark("Gain"),
    mark("Search"),
    mark("New folds"),
    mark("Features"),
    mark("Measured"),
    mark("Seconds"),
)


def print_comparison(comparison: Comparison) -> None:
    """Print runs side by side, and the results of tests between them."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=_FILE_WIDTH)
    for column in comparison.columns:
        sheet = sheet_of(comparison, column)
        title = f"{column[0]}: {axis_title(comparison.criterion(column))}"
        console.print(_table(sheet, title, (*sheet.header[:3], *map(tr, _BRIEF))))
    print(note_below(tests=False))
    tests = statistics_sheets(comparison)
    for sheet in tests:
        console.print(_table(sheet, sheet.title, sheet.header))
    if tests:
        print(tests_note())


def _cell(text: str) -> Text:
    """Literal text: brackets in a table's name are not markup, and control characters are shown."""
    return Text(shortened(text, 400))


def _table(sheet: Sheet, title: str, header: tuple[str, ...]) -> Table:
    table = Table(title=_cell(title), title_justify="left")
    for place, name in enumerate(header):
        table.add_column(_cell(name), justify="left" if place < sheet.texts else "right")
    for line in sheet.lines:
        table.add_row(*map(_cell, line.cells))
    return table
