"""Commands on finished runs: `fsdesk export`, `predict`, `validate`, `verify`, `compare`."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from fsdesk.cli.options import (
    Folds,
    Group,
    Ignore,
    Keep,
    Missing,
    Nominal,
    Reading,
    RunId,
    Task,
    Time,
    read_dataset,
    read_raw,
)
from fsdesk.data import Dataset
from fsdesk.errors import ProjectError, SettingsError
from fsdesk.messages import mark, message, tr, translated
from fsdesk.results.bundle import Signature, Signer
from fsdesk.results.comparison import Comparison, compared_project
from fsdesk.results.curves import axis_title
from fsdesk.results.exports import EXPORTS, chosen_exports, export
from fsdesk.results.result import Result, lead
from fsdesk.results.sheets import TABLES, Sheet
from fsdesk.results.significance import note_below, sheet_of, statistics_sheets, tests_note, written_table
from fsdesk.results.verify import SECONDS, Sealed, Verdict, opened, verified
from fsdesk.store import SUFFIX, Project


def export_(
    project: Annotated[Path, typer.Argument(help="A project file (*.fsdesk).")],
    run_id: RunId = None,
    what: Annotated[
        list[str] | None,
        typer.Option(
            "--what",
            help="mask, table, figures, report, to reproduce, all, or a file such as table.xlsx; may be repeated.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder to write to; by default that of the project.")
    ] = None,
    size: Annotated[
        int | None,
        typer.Option("--size", min=1, help="Take the subset of so many features from the curve of error against size."),
    ] = None,
    sign: Annotated[
        bool, typer.Option("--sign", help="Sign bundles with your key (Ed25519), which is made on first use.")
    ] = False,
    sign_as: Annotated[
        str | None, typer.Option("--sign-as", metavar="NAME", help="The same, with a name that stands beside the key.")
    ] = None,
) -> None:
    """Write the mask, the reduced table, figures, reports, a script or a trained pipeline of a run.

    In CSV and Excel files, a text that a spreadsheet would take for a formula (it begins with = + - @, a tab or a line
    break) gets an apostrophe in front; numbers stay numbers.
    """
    name = sign_as if sign_as is not None or not sign else ""
    _export_run(project, run_id, what or (), out or project.parent, size, name)


def verify(
    bundle: Annotated[Path, typer.Argument(help="A sealed bundle that fsdesk exported (bundle.zip).")],
    data: Annotated[
        Path | None,
        typer.Option("--data", help="The table of the run, or its project, to measure some losses again."),
    ] = None,
    task: Task = "auto",
    group: Group = None,
    folds: Folds = None,
    time: Time = None,
    ignore: Ignore = None,
    keep: Keep = None,
    missing: Missing = "impute",
    nominal: Nominal = "encode",
    read: Reading = None,
    everything: Annotated[
        bool,
        typer.Option("--all", help="Measure every loss again and repeat the searches of outer folds, however long."),
    ] = False,
    signer: Annotated[
        str | None, typer.Option("--signer", metavar="SHA256:...", help="It must be signed with the key of this print.")
    ] = None,
) -> None:
    """Check a sealed bundle: derive all that it says from its log and the data, and compare.

    The search is replayed from its seed, every file is written again, fresh errors and errors on outer folds are
    measured again, to the last bit, and of the losses as many as a minute allows. Measuring needs the data: those in
    the bundle, or those of --data, with the same options as for the run. What was not checked is said.

    Exit codes: 0 all that could be checked holds; 1 something does not; 2 wrong input.
    """
    roles = {"task": task, "group": group, "folds": folds, "time": time}
    cleaning = {"ignore": tuple(ignore or ()), "keep": tuple(keep or ()), "missing": missing, "nominal": nominal}
    choices = {**cleaning, **roles}
    raise typer.Exit(_verify_bundle(bundle, data, choices, read, everything=everything, signer=signer or ""))


def compare(
    project: Annotated[Path, typer.Argument(help="A project file (*.fsdesk).")],
    out: Annotated[
        Path | None, typer.Option("--out", help="Write it to a file: .csv, .xlsx, .tex, .md, .html or .txt.")
    ] = None,
) -> None:
    """Print the runs of a project side by side: errors on unseen rows beside all features, and what the search saw."""
    _compare(project, out)


def predict(
    project: Annotated[Path, typer.Argument(help="A project file (*.fsdesk).")],
    table: Annotated[Path, typer.Argument(help="A table of new rows; its target may be missing.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.csv", help="File to write the predictions to.")],
    run_id: RunId = None,
    read: Reading = None,
) -> None:
    """Predict the rows of another table by the answer of a run: class or number, probability, and how far a row lies.

    Columns are matched by name. The model is the pipeline that `fsdesk export` writes. The file has for each row: its
    prediction; the probability of that and of each class, calibrated where the rows allow it, which its title says;
    the distance to the nearest learned row in standard deviations; the share of learned rows that have another one
    nearer than that; and how many values lie outside of what was learned, or were missing.
    """
    from fsdesk.results.new_rows import predict as predict_rows

    result, dataset = _stored(project, run_id)
    made = predict_rows(result, dataset, read_raw(table, read))
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(made.to_csv(), encoding="utf-8")
    for note in made.notes:
        print(tr("note: {note}", note=note), file=sys.stderr)
    far = int((made.farther >= 1.0).sum())
    said = tr("{rows:,} rows predicted from {features} features.", rows=len(made.rows), features=len(result.features))
    print(f"{said} {translated(made.calibration)}".rstrip())
    if far:
        print(tr("{far:,} of them lie farther from all learned rows than any learned row from its nearest.", far=far))
    print(tr("Written to {out}", out=out))


def validate(
    project: Annotated[Path, typer.Argument(help="A project file (*.fsdesk).")],
    table: Annotated[Path, typer.Argument(help="Another table with the same target.")],
    run_id: RunId = None,
    target: Annotated[
        str | None, typer.Option("--target", help="Its target; by default the column named as in the run.")
    ] = None,
    group: Annotated[
        str | None, typer.Option("--group", help="Column of rows that belong together, such as a patient's.")
    ] = None,
    read: Reading = None,
) -> None:
    """Test the answer of a run, trained on its table, on another table, whose columns are matched by name.

    Prints its error with the 95 % interval, beside all features and beside the error that the run itself has.
    """
    from fsdesk.results.honest import keep_external
    from fsdesk.results.new_rows import validate as validate_on

    result, dataset = _stored(project, run_id)
    made = validate_on(result, dataset, read_raw(table, read), target=target, group=group)
    for note in made.notes:
        print(tr("note: {note}", note=note), file=sys.stderr)
    print(made.sentence())
    print(tr("On {name}: {sentence}", name=dataset.name, sentence=lead(result)))
    try:
        held = Project.open(project)
        try:
            keep_external(held, held.run(run_id).id, made)
        finally:
            held.close()
    except ProjectError as error:  # such as one that is open in the window
        print(
            tr("note: {note}", note=message("this is not kept in the project: {error}", error=error)), file=sys.stderr
        )


def _stored(path: Path, run_id: int | None) -> tuple[Result, Dataset]:
    """A run of a project with its data."""
    project = Project.open(path, read_only=True)
    try:
        stored = project.run(run_id)
        return Result.stored(project, stored.id), project.dataset(stored.spec.data_fingerprint)
    finally:
        project.close()


def _export_run(
    path: Path,
    run_id: int | None,
    what: Sequence[str],
    out: Path,
    size: int | None = None,
    sign_as: str | None = None,
) -> None:
    """Write files of a run into a folder, and say which; raise UserError where one cannot be written.

    Parameters
    ----------
    size
        Takes another subset of the run as its answer: the point of its curve with so many features.
    sign_as
        Signs bundles with the user's key and this name, which may be ""; None does not.
    """
    result, dataset = _stored(path, run_id)
    if size is not None:
        result = _of_size(result, size)
    names = chosen_exports(what, result)
    if sign_as is not None and not any(EXPORTS[name].sealed for name in names):
        bundles = " or ".join(each.name for each in EXPORTS.values() if each.sealed)
        raise SettingsError("Only bundles are signed: ask for one with --what {bundles}.", bundles=bundles)
    signer = None if sign_as is None else Signer.of_user(sign_as)
    written = export(result, dataset, out, names, signer)
    print(tr("Written to {out}: {files}", out=out, files=", ".join(path.name for path in written)))
    if signer is not None:
        print(tr("Signed with key {fingerprint}.", fingerprint=signer.fingerprint))


def _of_size(result: Result, size: int) -> Result:
    for point in result.finalists:
        if point.size == size:
            return result.with_finalist(point.mask)
    sizes = ", ".join(str(number) for number in sorted({point.size for point in result.finalists}))
    if not sizes:
        raise SettingsError(
            "This run measured no subset again, so it has no curve of error against size: leave out --size."
        )
    raise SettingsError(
        "This run has no subset of {size} features that was measured again: give one of {sizes}.",
        size=size,
        sizes=sizes,
    )


_FAILED = 1


def _verify_bundle(
    path: Path,
    data: Path | None,
    choices: Mapping[str, Any],
    read: Sequence[str] | None,
    *,
    everything: bool = False,
    signer: str = "",
) -> int:
    """Print in one sentence what holds and what does not; return 0 where all does, 1 else.

    What another version wrote can be checked in part, which is 1 too.

    Parameters
    ----------
    everything
        Measure every loss again, and repeat the searches of all outer folds, as long as that may take.
    signer
        Fingerprint of the key that it must be signed with; "" where anybody may have signed it, or nobody.

    Raises
    ------
    UserError
        Where the file is no bundle, or the data are not those of the run.
    """
    sealed = opened(path)
    verdict = _signed_by(sealed, signer) if signer else Verdict()
    if not verdict.fails:
        known = None if data is None else _data(sealed, data, choices, read)
        verdict = verified(sealed, known, None if everything else SECONDS)
    print(f"{path.name}: {verdict.sentence}")
    return 0 if verdict.passes else _FAILED


def _signed_by(sealed: Sealed, signer: str) -> Verdict:
    """Whether the signature is that of a certain key."""
    if not signer.startswith("SHA256:"):
        raise ProjectError('"{signer}" is no fingerprint of a key: it begins with "SHA256:".', signer=signer)
    found = None if sealed.signature is None else Signature.read(sealed.signature, sealed.manifest)
    if found is None:
        return Verdict(fails=(message("it is not signed, so not with key {key}", key=signer),))
    if found.fingerprint != signer:
        said = message("it is not signed with key {key}, but with {other}", key=signer, other=found.fingerprint)
        return Verdict(fails=(said,))
    return Verdict()


def _data(sealed: Sealed, path: Path, choices: Mapping[str, Any], read: Sequence[str] | None) -> Dataset:
    """The table as it was prepared for the run: its target, and no columns but its features."""
    if path.suffix == SUFFIX:
        project = Project.open(path, read_only=True)
        try:
            return project.dataset(sealed.spec.data_fingerprint)
        finally:
            project.close()
    return read_dataset(path, sealed.target, choices, read)


_FILE_WIDTH = 140
_BRIEF = (
    mark("Unseen rows"),
    mark("Beats all by"),
    mark("Search"),
    mark("Fresh folds"),
    mark("Features"),
    mark("Measured"),
    mark("Seconds"),
)


def _compare(path: Path, out: Path | None) -> None:
    """Print the table, or write it in the format that the name of the file says."""
    project = Project.open(path)
    try:
        comparison = compared_project(project)
    finally:
        project.close()
    if not comparison.rows:
        raise SettingsError('"{path}" has no run with a result yet: let one run first.', path=path)
    if out is not None:
        suffix = out.suffix[1:].lower()
        if suffix not in TABLES:
            raise SettingsError(
                "{out} has no format for tables: use one of {formats}.",
                out=out,
                formats=", ".join(f".{each}" for each in TABLES),
            )
        out.write_bytes(written_table(comparison, suffix))
        print(tr("Written to {out}", out=out))
        return
    print_comparison(comparison)


def print_comparison(comparison: Comparison) -> None:
    """Print runs side by side, and what tests say about them."""
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


def _table(sheet: Sheet, title: str, header: tuple[str, ...]) -> Table:
    table = Table(title=title, title_justify="left")
    for place, name in enumerate(header):
        table.add_column(name, justify="left" if place < sheet.texts else "right")
    for line in sheet.lines:
        table.add_row(*line.cells)
    return table
